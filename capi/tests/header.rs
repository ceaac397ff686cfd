//! `include/playmat.h` is what cbindgen makes of the sources, and the statuses are those of the table.

use playmat::status::PlaymatStatus;
use std::fs;
use std::path::Path;

/// In the order in which a reader of the header meets them.
const SOURCES: [&str; 14] = [
    "status",
    "library",
    "ffi",
    "game",
    "cancel",
    "env",
    "env_show",
    "agent",
    "replay",
    "vec_buffers",
    "vec_state",
    "vec_env",
    "search",
    "gae",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn generate() -> String {
    let config =
        cbindgen::Config::from_file(root().join("cbindgen.toml")).expect("the configuration is readable");
    let mut builder = cbindgen::Builder::new().with_config(config);
    for name in SOURCES {
        builder = builder.with_src(root().join(format!("src/{name}.rs")));
    }
    let mut bytes = Vec::new();
    builder.generate().expect("the sources are readable").write(&mut bytes);
    let text = String::from_utf8(bytes).expect("a header is text");
    // The top of the header says once what the Rust documentation of every length says.
    let text = compact(&text);
    text.split_inclusive('\n').filter(|line| !line.trim_start().starts_with("/** Elements of `")).collect()
}

/// Comments of one line on one line.
fn compact(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let (mut out, mut at) = (String::new(), 0);
    while at < lines.len() {
        let said = lines.get(at + 1).and_then(|line| line.trim_start().strip_prefix("* "));
        let ends = lines.get(at + 2).is_some_and(|line| line.trim() == "*/");
        if let (Some(indent), Some(said), true) = (lines[at].strip_suffix("/**"), said, ends) {
            out.push_str(&format!("{indent}/** {said} */\n"));
            at += 3;
        } else {
            out.push_str(&format!("{}\n", lines[at]));
            at += 1;
        }
    }
    out
}

/// Compares with a file of the tree; with `UPDATE=1` writes it.
fn compare(path: &Path, text: &str) {
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, text).expect("the tree is writable");
    }
    let found = fs::read_to_string(path).unwrap_or_default();
    assert!(found == text, "{} is stale: run `make generate`", path.display());
}

#[test]
fn the_header_is_what_the_sources_say() {
    compare(&root().join("include/playmat.h"), &generate());
}

#[test]
fn every_exported_function_is_in_the_header() {
    let header = generate();
    let mut functions = 0;
    for name in SOURCES {
        let source = fs::read_to_string(root().join(format!("src/{name}.rs"))).expect("a source file");
        for line in source.lines().filter(|line| line.contains("extern \"C\" fn ")) {
            let name = line.split("extern \"C\" fn ").nth(1).and_then(|rest| rest.split('(').next());
            let name = name.expect("a function has a name");
            assert!(header.contains(&format!("{name}(")), "{name} is not in the header");
            functions += 1;
        }
    }
    assert!(functions > 60, "only {functions} functions were found");
}

/// Comment, name and parameters of every function of a header.
fn functions(header: &str) -> Vec<(String, String, Vec<String>)> {
    let (mut found, mut comment, mut lines) = (Vec::new(), String::new(), header.lines());
    while let Some(line) = lines.next() {
        if line.starts_with("/**") {
            comment.clear();
        }
        if line.starts_with("/*") || line.starts_with(" *") {
            comment.push_str(line);
        } else if line.contains("playmat_") && line.starts_with(|c: char| c.is_alphabetic()) {
            let mut whole = line.to_owned();
            while !whole.ends_with(");") {
                whole.push_str(lines.next().expect("a declaration ends"));
            }
            let (head, list) =
                whole.trim_end_matches(");").split_once('(').expect("a function has parameters");
            let word = |text: &str| text.rsplit([' ', '*']).next().unwrap_or_default().to_owned();
            let parameters = list.split(',').map(word).filter(|name| name != "void").collect();
            found.push((comment.clone(), word(head), parameters));
        }
    }
    found
}

#[test]
fn every_function_names_its_parameters_and_results() {
    let header = generate();
    let functions = functions(&header);
    let exported =
        SOURCES.map(|name| fs::read_to_string(root().join(format!("src/{name}.rs"))).expect("a source"));
    assert_eq!(functions.len(), exported.concat().matches("extern \"C\" fn ").count());
    let mut missing = Vec::new();
    for (comment, name, parameters) in &functions {
        let lacks = |parameter: &&String| !comment.contains(&format!("`{parameter}`"));
        missing.extend(parameters.iter().filter(lacks).map(|parameter| format!("{name}: `{parameter}`")));
        let tells = header.contains(&format!("\nPlaymatStatus {name}("));
        if tells && !comment.contains("Returns: ") {
            missing.push(format!("{name}: what it returns"));
        }
    }
    assert!(missing.is_empty(), "not in the comments: {missing:#?}");
    assert!(functions.iter().any(|(_, name, list)| name == "playmat_env_step_into" && list.len() == 7));
}

#[test]
fn the_limits_of_the_header_are_those_of_the_code() {
    use playmat_core::vec::VecConfig;
    let grouped = |n: usize| {
        let digits = n.to_string();
        let groups: Vec<&str> =
            digits.as_bytes().rchunks(3).rev().map(|d| std::str::from_utf8(d).unwrap_or("")).collect();
        groups.join(",")
    };
    let header = generate();
    for limit in [
        format!("Environments of a batch 1 to {};", grouped(VecConfig::MAX_ENVS)),
        format!("threads of a batch 1 to {};", VecConfig::MAX_THREADS),
        format!("up to {}\n", grouped(playmat_core::raster::MAX_SIDE as usize)),
        format!("pixels each way and {} in all", grouped(playmat_core::raster::MAX_PIXELS as usize)),
    ] {
        assert!(header.contains(&limit), "the header lacks `{limit}`");
    }
    let game = playmat_seeds::make("tic_tac_toe", &Default::default()).expect("a game");
    let steps = game.specs().iter().find(|spec| spec.name == "max_steps").expect("an option of every game");
    assert!(steps.allowed().ends_with("to 1000000"), "{}", steps.allowed());
    assert!(header.contains("`max_steps` 0 to 1,000,000;"));
}

#[test]
fn statuses_are_those_of_the_table() {
    let table = fs::read_to_string(root().join("statuses.txt")).expect("the table of statuses");
    let mut known = PlaymatStatus::ALL.iter();
    for line in table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (number, name) = line.split_once(' ').expect("a line has a number and a name");
        let (status, found) = known.next().unwrap_or_else(|| panic!("{name} is gone from the code"));
        assert_eq!((number, name), (&*(*status as i32).to_string(), found.to_str().expect("ASCII")));
    }
    let left: Vec<_> = known.collect();
    assert!(left.is_empty(), "not in statuses.txt, append them there: {left:?}");
}

#[test]
fn the_versions_agree() {
    use playmat::library::*;
    let header = generate();
    let parts = [PLAYMAT_VERSION_MAJOR, PLAYMAT_VERSION_MINOR, PLAYMAT_VERSION_PATCH];
    assert_eq!(parts.map(|part| part.to_string()).join("."), env!("CARGO_PKG_VERSION"));
    let number = parts[0] * 1_000_000 + parts[1] * 1000 + parts[2];
    assert_eq!((PLAYMAT_VERSION_NUMBER, playmat_version_number()), (number, number));
    for (name, value) in [
        ("ABI_VERSION", PLAYMAT_ABI_VERSION),
        ("VERSION_MAJOR", parts[0]),
        ("VERSION_MINOR", parts[1]),
        ("VERSION_PATCH", parts[2]),
        ("VERSION_NUMBER", number),
    ] {
        assert!(header.contains(&format!("#define PLAYMAT_{name} {value}\n")), "{name}");
    }
    for (path, line) in [
        ("CMakeLists.txt", format!("project(playmat VERSION {} ", env!("CARGO_PKG_VERSION"))),
        ("src/ffi.rs", "PLAYMAT_NTS: usize = usize::MAX".to_owned()),
        ("src/replay.rs", "PLAYMAT_ALL_DECISIONS: usize = usize::MAX".to_owned()),
        ("cbindgen.toml", "#define PLAYMAT_NTS SIZE_MAX".to_owned()),
        ("cbindgen.toml", "#define PLAYMAT_ALL_DECISIONS SIZE_MAX".to_owned()),
    ] {
        let text = fs::read_to_string(root().join(path)).expect("a file of the tree");
        assert!(text.contains(&line), "{path} lacks `{line}`");
    }
}
