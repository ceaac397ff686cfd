//! The C# package, its tests and its example, compiled with Mono's compiler and run by Mono against the library just built.
//!
//! Not part of a plain `cargo test`, because it needs Mono: `make test-cs`. `MCS` and `MONO` name the programs.

#[path = "../../tests/networks/decisions.rs"]
mod decisions;
#[path = "common/games.rs"]
mod games;

use games::games;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate has a folder").to_owned()
}

/// Where cargo has put the libraries: beside this test.
fn libraries() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    test.parent().expect("a program lies in a folder").to_owned()
}

fn program(variable: &str, default: &str) -> OsString {
    std::env::var_os(variable).unwrap_or_else(|| default.into())
}

fn run(command: &mut Command) -> Output {
    command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}; `make test-cs` says what is missing"))
}

/// Standard output of a program that must succeed and print no errors.
#[track_caller]
fn succeed(command: &mut Command) -> String {
    let done = run(command);
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success() && err.is_empty(), "{command:?}: {}\n{out}\n{err}", done.status);
    out.into_owned()
}

/// All C# files of a folder and the folders in it.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the tree") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "cs") {
            found.push(path);
        }
    }
    found.sort();
}

/// Compiles with all warnings as errors; `flags` come before the sources.
fn compile(out: &Path, flags: &[&str], given: &[PathBuf]) {
    let mut command = Command::new(program("MCS", "mcs"));
    command
        .args(["-warn:4", "-warnaserror", "-debug-"])
        .args(flags)
        .arg(format!("-out:{}", out.display()))
        .args(given);
    assert_eq!(succeed(&mut command), "");
}

/// The folder with the package as `Playmat.dll`, `tests.exe` and `Play.exe`.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = libraries().join("playmat-cs");
        fs::create_dir_all(&folder).expect("the target folder is writable");
        let (mut package, mut tests) = (Vec::new(), Vec::new());
        sources(&root().join("capi/csharp/Runtime"), &mut package);
        sources(&root().join("tests/cs"), &mut tests);
        let dll = folder.join("Playmat.dll");
        // With `-doc`, a public member without documentation is a warning.
        let doc = format!("-doc:{}", folder.join("Playmat.xml").display());
        compile(&dll, &["-unsafe", "-target:library", &doc], &package);
        let reference = format!("-r:{}", dll.display());
        compile(&folder.join("tests.exe"), &[&reference], &tests);
        compile(&folder.join("Play.exe"), &[&reference], &[root().join("capi/examples/Play.cs")]);
        folder
    })
}

fn mono(program_name: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program("MONO", "mono"));
    command.arg(built().join(program_name)).args(arguments).env("LD_LIBRARY_PATH", libraries());
    command
}

/// A program of `tests/cs` that must say nothing.
#[track_caller]
fn quiet(arguments: &[&str]) {
    assert_eq!(succeed(&mut mono("tests.exe", arguments)), "", "{arguments:?}");
}

#[test]
fn programs_walk_through_everything() {
    for (game, options) in games() {
        quiet(&["walk", game, options]);
        quiet(&["batches", game, options, "turn"]);
        quiet(&["batches", game, options, "joint"]);
    }
    quiet(&["walk", "graphia", "players = 1"]);
}

#[test]
fn every_misuse_returns_a_status() {
    let cases = succeed(&mut mono("tests.exe", &["misuse"]));
    assert!(cases.lines().count() > 100, "{cases}");
    for case in cases.lines() {
        quiet(&["misuse", case]);
    }
}

#[test]
fn objects_come_and_go_without_growth() {
    quiet(&["churn"]);
}

#[test]
fn threads_have_objects_of_their_own() {
    quiet(&["threads"]);
}

#[test]
fn the_sample_for_unity_plays_against_agents() {
    let sample = root().join("capi/csharp/Samples~/PlayAgainstAgents/PlayAgainstAgents.cs");
    let unity = root().join("capi/tests/csharp/UnityEngine.cs");
    let reference = format!("-r:{}", built().join("Playmat.dll").display());
    // The editor fills fields that are marked for it.
    let flags = ["-target:library", &reference, "-nowarn:169,414,649"];
    compile(&built().join("Sample.dll"), &flags, &[sample, unity]);
    let both = [reference.clone(), format!("-r:{}", built().join("Sample.dll").display())];
    let player = root().join("capi/tests/csharp/RunSample.cs");
    compile(&built().join("RunSample.exe"), &[&both[0], &both[1]], &[player]);
    let networks = root().join("tests/networks");
    let folder = networks.display().to_string();
    for opponent in ["greedy", "mcts:50", "tic_tac_toe.onnx", "mcts:50,policy=tic_tac_toe.onnx"] {
        let output = succeed(&mut mono("RunSample.exe", &["tic_tac_toe", opponent, &folder]));
        let numbers: Vec<&str> = output.split_whitespace().collect();
        let count = |at: usize| numbers[at].parse::<usize>().expect("a number");
        // The person begins, and a game takes five to nine marks.
        let (own, steps) = (count(0), count(1));
        assert!((5..=9).contains(&steps) && own == steps.div_ceil(2), "{opponent}: {output}");
        assert_eq!(numbers[2], "left", "{opponent}");
    }
    // Both bid at once, twelve times; the last card is no choice.
    let output = succeed(&mut mono("RunSample.exe", &["goofspiel", "mcts:20", &folder]));
    assert_eq!(output, "12 24 left\n");
    let mut package = Vec::new();
    sources(&root().join("capi/csharp/Runtime"), &mut package);
    compile(&built().join("PlaymatIos.dll"), &["-unsafe", "-target:library", "-define:UNITY_IOS"], &package);
}

/// Runs the C# program of a page, and returns what it printed.
fn play_page(page: &str, name: &str) -> String {
    let text = fs::read_to_string(root().join(page)).expect("the page is there");
    let program =
        text.split("```csharp\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a program");
    let source = built().join(format!("{name}.cs"));
    fs::write(&source, program).expect("the target folder is writable");
    let executable = format!("{name}.exe");
    compile(
        &built().join(&executable),
        &[&format!("-r:{}", built().join("Playmat.dll").display())],
        &[source],
    );
    succeed(&mut mono(&executable, &[]))
}

#[test]
fn programs_of_the_pages_run() {
    let output = play_page("README.md", "Readme");
    assert!(output.starts_with("[{\"event\":") && output.lines().count() == 1, "{output}");
    let output = play_page("docs/csharp.md", "Page");
    assert!(output.contains("\"game\":\"graphia\"") && output.lines().count() == 2, "{output}");
}

#[test]
fn a_failing_check_is_reported() {
    let done = run(&mut mono("tests.exe", &["walk", "graphia", "players = 99"]));
    assert!(!done.status.success() && String::from_utf8_lossy(&done.stdout).contains("PlaymatException"));
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

#[test]
fn digests_are_those_of_all_other_languages() {
    let text = fs::read_to_string(root().join("python/playmat/digests.json")).expect("the table of digests");
    let table: serde_json::Value = serde_json::from_str(&text).expect("the table is JSON");
    let games = table["games"].as_object().expect("games by name");
    let mut compared = 0;
    for (game, entry) in games {
        for (configuration, digest) in entry["digests"].as_object().expect("digests by configuration") {
            let output = succeed(&mut mono(
                "tests.exe",
                &["digest", game, &toml(configuration), &table["episodes"].to_string()],
            ));
            let digest = digest.as_str().expect("a digest is a text");
            assert_eq!(output, format!("{digest}\n{digest}\n"), "{game} {configuration}");
            compared += 1;
        }
    }
    assert_eq!(games.len(), playmat_seeds::GAMES.len());
    assert!(compared > games.len());
}

#[test]
fn the_example_plays_a_whole_game() {
    let lines = fs::read_to_string(root().join("capi/examples/Play.cs")).expect("an example").lines().count();
    assert!(lines < 200, "it has {lines} lines");
    for (game, _) in games() {
        let output = succeed(&mut mono("Play.exe", &[game, "--agents"]));
        assert!(
            output.contains("\n  event \"")
                && output.contains("\n    \"replace\" \"/state/")
                && output.contains("\n  state \""),
            "{output}"
        );
        assert!(output.contains("player 1: score"), "{output}");
    }
}

#[test]
fn the_example_plays_with_any_agent() {
    let game = playmat_seeds::make("tic_tac_toe", &Default::default()).expect("a game");
    for spec in decisions::example_specs() {
        let output = succeed(&mut mono("Play.exe", &["tic_tac_toe", "--agents", &spec]));
        assert!(
            output.lines().next().is_some_and(|line| line.ends_with(&format!(", agent {spec}"))),
            "{output}"
        );
        let chosen = output.lines().filter(|line| line.starts_with("player ") && !line.contains("return"));
        assert_eq!(chosen.collect::<Vec<_>>(), decisions::example_lines(&*game, &spec), "{spec}");
        let output = succeed(mono("Play.exe", &["tic_tac_toe", &spec]).stdin(Stdio::null()));
        assert!(output.contains("player 0> "), "{output}");
    }
    for (spec, end) in decisions::refused_specs() {
        let output = run(&mut mono("Play.exe", &["connect_four", &spec]));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{spec}: {said}");
        assert!(
            said.starts_with("invalid_argument: argument `spec`: ") && said.ends_with(&format!("{end}\n")),
            "{said}"
        );
    }
}

#[test]
fn the_example_asks_a_person() {
    let mut command = mono("Play.exe", &["tic_tac_toe"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("Mono runs");
    // A word that is no action, one that is out of range, one that is legal; then nobody is there any more.
    child.stdin.take().expect("a pipe").write_all(b"castle\n99\n0\n").expect("it listens");
    let done = child.wait_with_output().expect("it ends");
    let output = String::from_utf8_lossy(&done.stdout);
    assert!(
        done.status.success()
            && output.contains("no action is called")
            && output.contains("99 is not legal now"),
        "{output}"
    );
    // The person's mark and the answer, each of them as the change of a row of the board.
    assert_eq!(output.matches("\n  event \"marked\" of player ").count(), 2, "{output}");
    assert!(
        output.contains("\n    \"replace\" \"/state/board/0\" \"x..\"") && output.contains("player 1: score"),
        "{output}"
    );
    let refused = run(&mut mono("Play.exe", &["grafia"]));
    assert!(
        !refused.status.success()
            && String::from_utf8_lossy(&refused.stderr).starts_with("unknown_game: unknown game `grafia`")
    );
}

#[test]
fn agents_decide_as_in_all_other_languages() {
    for block in decisions::read() {
        let played = succeed(mono("tests.exe", &["decisions"]).args(block.arguments()));
        assert_eq!(played, block.text(), "{}", block.heading);
    }
    for block in decisions::read_leaves() {
        let played = succeed(mono("tests.exe", &["leaves"]).args(block.arguments()));
        assert_eq!(played, block.text(), "{}", block.heading);
    }
}
