//! `include/playmat.h` is what cbindgen makes of the sources, and the statuses are those of the table.

use playmat::status::PlaymatStatus;
use std::fs;
use std::path::Path;

/// In the order in which a reader of the header meets them.
const SOURCES: [&str; 12] = [
    "status",
    "library",
    "ffi",
    "game",
    "env",
    "env_show",
    "bot",
    "replay",
    "vec_buffers",
    "vec_table",
    "vec_env",
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
    // What the Rust documentation of every function ends with stands once at the top of the header.
    compact(&text.replace(" *\n * # Safety\n * The promises at the top of the header.\n", ""))
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
    let header_version = format!("#define PLAYMAT_ABI_VERSION {}", playmat::library::PLAYMAT_ABI_VERSION);
    assert!(generate().contains(&header_version));
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
