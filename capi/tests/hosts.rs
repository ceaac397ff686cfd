//! C and C++ programs compiled against the header and the library as built here, and run.
//!
//! `CC` and `CXX` name the compilers; without them `cc` and `c++`.

#[path = "../../tests/networks/decisions.rs"]
mod decisions;
#[path = "common/games.rs"]
mod games;

use games::games;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// What programs are compiled for.
#[derive(Clone, Copy, PartialEq)]
enum Build {
    /// With the address and undefined-behaviour sanitizers, against the shared library.
    Sanitized,
    /// Plainly, against the shared library.
    Shared,
    /// Plainly, with the static library inside.
    Static,
    /// Plainly, and without the library, which the program loads itself.
    Loads,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate has a folder").to_owned()
}

/// Where cargo has put the libraries: beside this test. The shared one is there under the name too that programs look for.
fn libraries() -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let test = std::env::current_exe().expect("a test has a path");
        let folder = test.parent().expect("a program lies in a folder").to_owned();
        let name = folder.join(soname());
        let _ = fs::remove_file(&name);
        std::os::unix::fs::symlink("libplaymat.so", name).expect("the folder of tests is writable");
        folder
    });
    folder.clone()
}

/// The name with the version of the interface.
fn soname() -> String {
    format!("libplaymat.so.{}", playmat::library::PLAYMAT_ABI_VERSION)
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// Standard output of a program that must succeed and print no errors.
#[track_caller]
fn succeed(command: &mut Command) -> String {
    let done = run(command);
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success() && err.is_empty(), "{command:?}: {}\n{out}\n{err}", done.status);
    out.into_owned()
}

/// Compiles programs of the tree; returns the program.
#[track_caller]
fn compile(name: &str, sources: &[&str], build: Build) -> PathBuf {
    compile_with(name, sources, build, &[])
}

/// The same with flags of its own after the others.
#[track_caller]
fn compile_with(name: &str, sources: &[&str], build: Build, flags: &[&str]) -> PathBuf {
    let sources: Vec<PathBuf> = sources.iter().map(|source| root().join(source)).collect();
    compile_files(name, &sources, build, &root().join("capi/include"), flags)
}

#[track_caller]
fn compile_files(name: &str, sources: &[PathBuf], build: Build, include: &Path, flags: &[&str]) -> PathBuf {
    let cpp = sources[0].extension().is_some_and(|ending| ending == "cpp");
    let (variable, default) = if cpp { ("CXX", "c++") } else { ("CC", "cc") };
    let compiler = std::env::var_os(variable).unwrap_or_else(|| default.into());
    let program = libraries().join(format!("playmat-host-{name}"));
    let mut command = Command::new(compiler);
    command.args(["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion"]);
    command.args(["-Werror", "-O1", "-g"]);
    command.args(if cpp {
        &["-std=c++17", "-fno-exceptions", "-fno-rtti"][..]
    } else {
        &["-std=c99", "-D_POSIX_C_SOURCE=200809L"][..]
    });
    command.args(flags).arg("-I").arg(include);
    if build == Build::Sanitized {
        command.args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    }
    command.args(sources);
    command.arg("-o").arg(&program);
    let libraries = libraries();
    if build == Build::Static {
        command.arg(libraries.join("libplaymat.a"));
        command.args(static_libraries().iter().map(|name| format!("-l{name}")));
    } else if build != Build::Loads {
        // Before `LD_LIBRARY_PATH`, in which cargo names the folder above, where an older build may lie.
        let mut path = OsString::from("-Wl,--disable-new-dtags,-rpath,");
        path.push(&libraries);
        command.arg("-L").arg(&libraries).args(["-lplaymat", "-lpthread"]).arg(path);
    }
    succeed(&mut command);
    program
}

/// What a program with the static library inside links besides, as the installed package says.
fn static_libraries() -> Vec<String> {
    let text = fs::read_to_string(root().join("capi/CMakeLists.txt")).expect("the package");
    let list = text.split("set(PLAYMAT_STATIC_LIBS util").nth(1).and_then(|rest| rest.split(')').next());
    ["util"].into_iter().chain(list.expect("a list").split_whitespace()).map(str::to_owned).collect()
}

#[test]
fn sanitizers_are_in_the_programs() {
    let program = compile("asan-proof", &["tests/c/churn.c"], Build::Sanitized);
    let symbols = succeed(Command::new("nm").arg("-D").arg(program));
    assert!(symbols.contains("__asan_init") && symbols.contains("__ubsan_handle"), "{symbols}");
}

/// Runs a program under Valgrind: nothing read or written that is not its own, nothing lost. What is only "possibly" lost is what the
/// standard library keeps of the main thread by a pointer to its middle.
fn valgrind(program: &Path, arguments: &[&str]) -> Command {
    let found = Command::new("valgrind").arg("--version").output();
    assert!(found.is_ok(), "valgrind is needed (`make test-capi` installs it where apt can): {found:?}");
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--error-exitcode=9", "--leak-check=full"]);
    let known = root().join("tests/c/valgrind.supp");
    command.arg(format!("--suppressions={}", known.display()));
    command.args(["--show-leak-kinds=definite,indirect", "--errors-for-leak-kinds=definite,indirect"]);
    command.arg(program).args(arguments);
    command
}

#[test]
fn sanitizers_and_valgrind_find_what_they_are_there_for() {
    let sanitized = compile("dirty", &["tests/c/dirty.c"], Build::Sanitized);
    let output = run(&mut Command::new(sanitized));
    assert!(String::from_utf8_lossy(&output.stderr).contains("heap-use-after-free"), "{output:?}");
    let plain = compile("dirty-plain", &["tests/c/dirty.c"], Build::Shared);
    let output = run(&mut valgrind(&plain, &[]));
    assert_eq!(output.status.code(), Some(9), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("Invalid read"), "{output:?}");
}

#[test]
fn c_programs_are_clean_under_valgrind() {
    let walk = compile("walk-plain", &["tests/c/walk.c"], Build::Shared);
    let vec_env = compile("vec_env-plain", &["tests/c/vec_env.c"], Build::Shared);
    let threads = compile("threads-plain", &["tests/c/threads.c"], Build::Shared);
    let misuse = compile("misuse-plain", &["tests/c/misuse.c"], Build::Shared);
    assert_eq!(succeed(&mut valgrind(&walk, &["leduc_poker", "players = 3"])), "");
    for view in ["turn", "joint"] {
        assert_eq!(succeed(&mut valgrind(&vec_env, &["goofspiel", "players = 3", view])), "");
    }
    assert_eq!(succeed(&mut valgrind(&threads, &["2000"])), "");
    assert_eq!(succeed(&mut valgrind(&misuse, &["all"])), "");
    let structs = compile("structs-plain", &["tests/c/structs.c"], Build::Shared);
    succeed(&mut valgrind(&structs, &[]));
}

#[test]
fn batches_and_pictures_beyond_memory_are_refused() {
    let memory = compile("memory", &["tests/c/memory.c"], Build::Shared);
    for (game, config) in [("connect_four", ""), ("graphia", "threads = 2"), ("goofspiel", "view = 'joint'")]
    {
        assert_eq!(succeed(Command::new(&memory).args([game, config])), "", "{game} {config}");
    }
}

#[test]
fn a_small_stack_is_enough_for_reading_and_drawing() {
    let stack = compile("stack", &["tests/c/stack.c"], Build::Shared);
    assert_eq!(succeed(&mut Command::new(stack)), "");
    let header = fs::read_to_string(root().join("capi/include/playmat.h")).expect("the header");
    assert!(header.contains("need 256 KiB of stack"), "the header says how much");
}

#[test]
fn c_programs_walk_through_everything() {
    let walk = compile("walk", &["tests/c/walk.c"], Build::Sanitized);
    let vec_env = compile("vec_env", &["tests/c/vec_env.c"], Build::Sanitized);
    for (game, options) in games() {
        assert_eq!(succeed(Command::new(&walk).args([game, options])), "");
        for view in ["turn", "joint"] {
            assert_eq!(succeed(Command::new(&vec_env).args([game, options, view])), "");
        }
    }
    // A game of one player has no opponents to play against, so only single episodes are walked.
    assert_eq!(succeed(Command::new(&walk).args(["graphia", "players = 1"])), "");
}

#[test]
fn every_misuse_returns_a_status() {
    let misuse = compile("misuse", &["tests/c/misuse.c"], Build::Sanitized);
    let cases = succeed(&mut Command::new(&misuse));
    assert!(cases.lines().count() > 80, "{cases}");
    for case in cases.lines() {
        // Handles that a case leaves alive belong to the library's table, which a leak checker sees into.
        assert_eq!(succeed(Command::new(&misuse).arg(case)), "", "{case}");
    }
}

#[test]
fn handles_come_and_go_without_growth() {
    for (name, build) in [("churn-shared", Build::Shared), ("churn-static", Build::Static)] {
        let churn = compile(name, &["tests/c/churn.c"], build);
        assert_eq!(succeed(&mut Command::new(churn)), "");
    }
}

/// Structs that come with their size, and how many fields at their end an older header lacks.
const STRUCTS: [(&str, usize); 12] = [
    ("PlaymatGameInfo", 7),
    ("PlaymatSegment", 2),
    ("PlaymatActionRange", 1),
    ("PlaymatEpisode", 1),
    ("PlaymatSizes", 1),
    ("PlaymatVecEpisode", 1),
    ("PlaymatBuffers", 2),
    ("PlaymatRollout", 2),
    ("PlaymatTrajectories", 2),
    ("PlaymatSearchSizes", 1),
    ("PlaymatLeaves", 2),
    ("PlaymatSearchStatistics", 1),
];

/// A folder with the header of another version: with the fields of every struct changed.
fn other_header(name: &str, change: impl Fn(&mut Vec<String>, usize)) -> PathBuf {
    let text = fs::read_to_string(root().join("capi/include/playmat.h")).expect("the header");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (of, fields) in STRUCTS {
        let line =
            |wanted: String| lines.iter().position(|line| *line == wanted).expect("a struct of the header");
        let (from, to) = (line(format!("typedef struct {of} {{")) + 1, line(format!("}} {of};")));
        let mut inside = lines[from..to].to_vec();
        change(&mut inside, fields);
        lines.splice(from..to, inside);
    }
    let folder = libraries().join(format!("playmat-header-{name}"));
    fs::create_dir_all(&folder).expect("the folder of tests is writable");
    fs::write(folder.join("playmat.h"), lines.join("\n")).expect("the folder of tests is writable");
    folder
}

#[test]
fn programs_of_older_and_newer_headers_are_understood() {
    let shorter = other_header("shorter", |lines, fields| {
        let ends: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].ends_with(';')).collect();
        lines.truncate(ends[ends.len() - fields - 1] + 1);
    });
    let longer = other_header("longer", |lines, _| lines.push("    uint64_t later[3];".into()));
    let same = root().join("capi/include");
    let source = [root().join("tests/c/structs.c")];
    let mut sizes = Vec::new();
    for (name, include, flag) in
        [("shorter", shorter, "-DSHORTER"), ("same", same, "-DSAME"), ("longer", longer, "-DLONGER")]
    {
        let program = compile_files(&format!("structs-{name}"), &source, Build::Sanitized, &include, &[flag]);
        sizes.push(succeed(&mut Command::new(program)));
    }
    // What the programs take each struct to be: smaller, the same, larger.
    let sizes: Vec<Vec<usize>> =
        sizes.iter().map(|text| text.lines().map(|line| line.parse().expect("a size")).collect()).collect();
    assert_eq!(sizes[0].len(), STRUCTS.len());
    for (i, (name, _)) in STRUCTS.iter().enumerate() {
        assert!(sizes[0][i] < sizes[1][i] && sizes[1][i] < sizes[2][i], "{name}: {sizes:?}");
    }
}

#[test]
fn the_first_call_of_a_process_prints_nothing() {
    let first = compile("first", &["tests/c/first.c"], Build::Shared);
    let cases = succeed(&mut Command::new(&first));
    assert!(cases.lines().count() > 25, "{cases}");
    for case in cases.lines() {
        assert_eq!(succeed(Command::new(&first).arg(case)), "", "{case}");
    }
}

#[test]
fn refusals_at_the_end_of_threads_and_of_the_process_have_messages() {
    for (name, build) in [("ending-shared", Build::Shared), ("ending-static", Build::Static)] {
        let ending = compile_with(name, &["tests/c/ending.c"], build, &["-D_XOPEN_SOURCE=700"]);
        assert_eq!(succeed(&mut Command::new(ending)), "");
    }
}

#[test]
fn agents_decide_as_in_all_other_languages() {
    for (name, source) in [("decisions", "tests/c/decisions.c"), ("decisions-cpp", "tests/cpp/decisions.cpp")]
    {
        let program = compile(name, &[source], Build::Sanitized);
        for block in decisions::read() {
            let played = succeed(Command::new(&program).args(block.arguments()));
            assert_eq!(played, block.text(), "{source}: {}", block.heading);
        }
    }
}

#[test]
fn searches_with_a_network_of_the_host_decide_as_in_all_other_languages() {
    for (name, source) in [("leaves", "tests/c/leaves.c"), ("leaves-cpp", "tests/cpp/leaves.cpp")] {
        let program = compile(name, &[source], Build::Sanitized);
        for block in decisions::read_leaves() {
            let played = succeed(Command::new(&program).args(block.arguments()));
            assert_eq!(played, block.text(), "{source}: {}", block.heading);
        }
    }
}

#[test]
fn nothing_stays_of_a_library_that_is_unloaded() {
    let flags = ["-std=gnu99", "-D_GNU_SOURCE", "-ldl"];
    let load = compile_with("load", &["tests/c/load.c"], Build::Loads, &flags);
    assert_eq!(succeed(Command::new(load).arg(libraries().join("libplaymat.so"))), "");
}

#[test]
fn long_calls_end_when_another_thread_says_so() {
    let cancel = compile("cancel", &["tests/c/cancel.c"], Build::Sanitized);
    for game in ["tic_tac_toe", "rafts"] {
        assert_eq!(succeed(Command::new(&cancel).arg(game)), "", "{game}");
    }
}

#[test]
fn asynchronous_steps_write_into_no_freed_memory() {
    let sources = ["tests/cpp/async.cpp"];
    let sanitized = compile_with("async", &sources, Build::Sanitized, &["-fexceptions", "-frtti"]);
    let plain = compile_with("async-plain", &sources, Build::Shared, &["-fexceptions", "-frtti"]);
    let cases = succeed(&mut Command::new(&sanitized));
    assert!(cases.lines().count() > 8, "{cases}");
    for case in cases.lines() {
        assert_eq!(succeed(Command::new(&sanitized).arg(case)), "", "{case}");
        assert_eq!(succeed(&mut valgrind(&plain, &[case])), "", "{case}");
    }
    // What the wrapper makes impossible is something that the sanitizer sees, unless the step has ended before its memory goes.
    let seen = (0..20).any(|_| {
        let output = run(Command::new(&sanitized).arg("unguarded"));
        String::from_utf8_lossy(&output.stderr).contains("heap-use-after-free")
    });
    assert!(seen, "no write into freed memory was found in 20 runs");
}

#[test]
fn the_name_of_the_library_has_the_version_of_the_interface() {
    let dynamic = |path: &Path| succeed(Command::new("readelf").arg("-d").arg(path));
    let library = dynamic(&libraries().join("libplaymat.so"));
    assert!(library.contains(&format!("Library soname: [{}]", soname())), "{library}");
    let program = dynamic(&compile("soname", &["tests/c/digest.c"], Build::Shared));
    assert!(program.contains(&format!("Shared library: [{}]", soname())), "{program}");
}

#[test]
fn threads_have_handles_of_their_own() {
    let threads = compile("threads", &["tests/c/threads.c"], Build::Sanitized);
    assert_eq!(succeed(&mut Command::new(threads)), "");
}

/// Options of the table of digests, `players=2,reward=score`, as TOML: words in quotes.
fn toml(configuration: &str) -> String {
    let quoted = |value: &str| match serde_json::from_str::<serde_json::Value>(value).is_ok() {
        true => value.to_string(),
        false => format!("\"{value}\""),
    };
    let line = |(key, value): (&str, &str)| format!("{key} = {}\n", quoted(value));
    configuration.split(',').filter_map(|pair| pair.split_once('=')).map(line).collect()
}

/// Runs a program for each entry of the table of digests and compares.
#[track_caller]
fn compare_digests(program: &Path) {
    let text = fs::read_to_string(root().join("python/playmat/digests.json")).expect("the table of digests");
    let table: serde_json::Value = serde_json::from_str(&text).expect("the table is JSON");
    let games = table["games"].as_object().expect("games by name");
    let mut compared = 0;
    for (game, entry) in games {
        for (configuration, digest) in entry["digests"].as_object().expect("digests by configuration") {
            let mut command = Command::new(program);
            command.args([game, &toml(configuration), &table["episodes"].to_string()]);
            let digest = digest.as_str().expect("a digest is a text");
            assert_eq!(succeed(&mut command), format!("{digest}\n{digest}\n"), "{game} {configuration}");
            compared += 1;
        }
    }
    assert_eq!(games.len(), playmat_seeds::GAMES.len());
    assert!(compared > games.len());
}

#[test]
fn digests_are_those_of_all_other_languages() {
    compare_digests(&compile("digest", &["tests/c/digest.c"], Build::Shared));
    compare_digests(&compile("digest-cpp", &["tests/cpp/digest.cpp"], Build::Shared));
}

#[test]
fn cpp_programs_walk_through_everything() {
    let sources = ["tests/cpp/walk.cpp", "tests/cpp/second.cpp"];
    let walk = compile("walk-cpp", &sources, Build::Sanitized);
    for (game, options) in games() {
        assert_eq!(succeed(Command::new(&walk).args([game, options])), "");
    }
}

#[test]
fn examples_play_a_whole_game() {
    for (name, source) in [("play-c", "capi/examples/play.c"), ("play-cpp", "capi/examples/play.cpp")] {
        let lines = fs::read_to_string(root().join(source)).expect("an example").lines().count();
        assert!(lines < 200, "{source} has {lines} lines");
        let play = compile(name, &[source], Build::Sanitized);
        for (game, _) in games() {
            let output = succeed(Command::new(&play).args([game, "--agents"]));
            assert!(output.contains("\n  event \"") && output.contains("player 1: score"), "{output}");
            assert!(
                output.contains("\n    \"replace\" \"/state/") && output.contains("\n  state \""),
                "{output}"
            );
        }
        // Moved by what the events change: a person's first mark, in the row that the state then shows.
        let output = succeed(Command::new("sh").args(["-c", "echo 4 | \"$0\" tic_tac_toe"]).arg(&play));
        assert!(
            output.contains("\n  event \"marked\" of player 0\n    \"replace\" \"/state/board/1\" \".x.\"\n"),
            "{output}"
        );
        assert!(output.contains("\nstatus: \"running\"\n  state \"board\": ["), "{output}");
    }
}

#[test]
fn examples_play_with_any_agent() {
    let game = playmat_seeds::make("tic_tac_toe", &Default::default()).expect("a game");
    for (name, source) in [("agents-c", "capi/examples/play.c"), ("agents-cpp", "capi/examples/play.cpp")] {
        let play = compile(name, &[source], Build::Sanitized);
        for spec in decisions::example_specs() {
            let output = succeed(Command::new(&play).args(["tic_tac_toe", "--agents", &spec]));
            assert!(
                output.lines().next().is_some_and(|line| line.ends_with(&format!(", agent {spec}"))),
                "{output}"
            );
            let chosen =
                output.lines().filter(|line| line.starts_with("player ") && !line.contains("return"));
            assert_eq!(
                chosen.collect::<Vec<_>>(),
                decisions::example_lines(&*game, &spec),
                "{source}: {spec}"
            );
            // Against a person, who leaves: the agent is made all the same.
            let output = succeed(Command::new(&play).args(["tic_tac_toe", &spec]).stdin(Stdio::null()));
            assert!(output.contains("player 0> "), "{output}");
        }
        for (spec, end) in decisions::refused_specs() {
            let output = run(Command::new(&play).args(["connect_four", &spec]));
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{spec}: {said}");
            assert!(
                said.starts_with("invalid_argument: argument `spec`: ")
                    && said.ends_with(&format!("{end}\n")),
                "{said}"
            );
        }
    }
}

/// The pieces of a language on a page, which has exactly N of them.
fn pieces<const N: usize>(page: &str, language: &str) -> [String; N] {
    let text = fs::read_to_string(root().join(page)).expect("the page is there");
    let opening = format!("```{language}\n");
    let blocks = text.split(&opening).skip(1);
    let pieces: Vec<String> = blocks.filter_map(|rest| rest.split("```").next()).map(str::to_owned).collect();
    pieces.try_into().expect("the page has N pieces of the language")
}

/// A program from a page, with the sanitizers; returns what it printed.
fn play_page(name: &str, text: &str) -> String {
    let path = libraries().join(name);
    fs::write(&path, text).expect("the folder of tests is writable");
    let include = root().join("capi/include");
    let program = compile_files(&format!("{name}-host"), &[path], Build::Sanitized, &include, &[]);
    succeed(&mut Command::new(program))
}

#[test]
fn what_the_readme_shows_compiles_and_runs() {
    let ([c], [cpp]) = (pieces("README.md", "c"), pieces("README.md", "cpp"));
    let printed = play_page("readme.c", &c);
    assert!(printed.starts_with("[{\"event\":") && printed.lines().count() == 1, "{printed}");
    assert_eq!(play_page("readme.cpp", &cpp), printed);
}

#[test]
fn what_the_page_shows_compiles_and_runs() {
    let ([c], [cpp, search]) = (pieces("docs/c.md", "c"), pieces("docs/c.md", "cpp"));
    let c = format!(
        "#include <playmat.h>\n#include <stdio.h>\nint main(void)\n{{\nstatic uint8_t observation[8192], mask[1024];\n\
         static char text[1 << 20];\nint64_t action = 0;\n{}while (!mask[action])\naction++;\n\
         return playmat_env_step(env, action) != PLAYMAT_STATUS_OK || text[0] != '[';\n}}\n",
        c.replace("playmat_env_step(env, action);", "")
    );
    let cpp = format!(
        "#include <playmat.hpp>\n#include <cstdio>\nint main()\n{{\n{cpp}return next && done && drawn && played ? 0 : 1;\n}}\n"
    );
    assert_eq!(play_page("page.c", &c), "");
    assert_eq!(play_page("page.cpp", &cpp), "");
    assert_eq!(play_page("search.cpp", &search), "");
}

#[test]
fn only_functions_of_the_header_leave_the_library() {
    let header = fs::read_to_string(root().join("capi/include/playmat.h")).expect("the header");
    let list =
        succeed(Command::new("nm").args(["-D", "--defined-only"]).arg(libraries().join("libplaymat.so")));
    let mut functions = 0;
    for line in list.lines() {
        let name = line.split_whitespace().last().expect("a symbol has a name");
        assert!(name.starts_with("playmat_") && header.contains(&format!("{name}(")), "{name} is exported");
        functions += 1;
    }
    assert!(functions > 60, "{list}");
}
