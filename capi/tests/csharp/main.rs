//! The C# package: its entry points are what the header declares, its wrapper reaches all of them, and Unity finds every file.
//!
//! `UPDATE=1` writes what is generated. The package is compiled and run in `tests/mono.rs`.

mod header;
mod unity;
mod write;

use header::Header;
use std::fs;
use std::path::{Path, PathBuf};

/// Functions of the header that the wrapper does not reach, with the reason.
const NOT_WRAPPED: [(&str, &str); 1] =
    [("playmat_cancel_is_requested", "a CancellationToken says so itself")];

/// Fields of structs that the wrapper does not read or write, with the reason.
const NOT_READ: [(&str, &str, &str); 1] = [("PlaymatGameInfo", "reserved", "holds nothing")];

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("csharp")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn header() -> Header {
    Header::parse(&read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("include/playmat.h")))
}

/// Compares with a file of the tree; with `UPDATE=1` writes it.
fn compare(path: &Path, text: &str) {
    if std::env::var_os("UPDATE").is_some() {
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("the tree is writable");
        fs::write(path, text).expect("the tree is writable");
    }
    let found = fs::read_to_string(path).unwrap_or_default();
    assert!(found == text, "{} is stale: run `make generate`", path.display());
}

/// The wrapper's own sources, without what is generated, joined.
fn wrapper() -> String {
    let files = fs::read_dir(package().join("Runtime"))
        .expect("the package")
        .map(|entry| entry.expect("a file").path());
    let written = files.filter(|path| {
        let name = path.to_string_lossy();
        name.ends_with(".cs") && !name.ends_with(".g.cs")
    });
    written.map(|path| read(&path)).collect()
}

#[test]
fn entry_points_are_those_of_the_header() {
    let header = header();
    let native = package().join("Runtime/Native");
    compare(&native.join("NativeMethods.g.cs"), &header.methods());
    compare(&native.join("NativeStructs.g.cs"), &header.structures());
    compare(&package().join("Runtime/Enums.g.cs"), &header.enumerations());
}

#[test]
fn everything_in_the_header_is_read() {
    let header = header();
    let text = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("include/playmat.h"));
    // Counted another way than the reader does it.
    let declared = text
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_alphabetic()) && line.contains("playmat_"));
    assert_eq!(declared.count(), header.functions.len());
    assert_eq!(
        text.matches("\n#define PLAYMAT_").count() - 1,
        header.constants.len(),
        "all but the include guard"
    );
    assert_eq!(text.matches("\nenum ").count(), header.enums.len());
    let typedefs = text.lines().filter(|line| line.starts_with("typedef struct ")).count();
    assert_eq!(typedefs, header.structs.len() + header.opaque.len());
    assert!(header.functions.len() > 60 && header.structs.iter().all(|found| !found.fields.is_empty()));
    assert!(header.functions.iter().all(|function| !function.doc.is_empty()));
}

#[test]
fn signatures_hold_numbers_and_pointers_only() {
    let plain = ["byte", "int", "uint", "long", "ulong", "float", "double", "IntPtr", "UIntPtr", "Status"];
    let header = header();
    for line in header.methods().lines().filter(|line| line.contains("static extern")) {
        let list = line.split_once('(').expect("parameters").1.trim_end_matches(");");
        for parameter in list.split(", ").filter(|parameter| !parameter.is_empty()) {
            let ty = parameter.split(' ').next().expect("a type");
            let struct_pointer = ty.ends_with('*')
                && header.structs.iter().any(|found| ty.trim_end_matches('*') == found.name);
            assert!(struct_pointer || plain.contains(&ty.trim_end_matches('*')), "`{parameter}` in {line}");
        }
    }
}

#[test]
fn the_wrapper_reaches_every_function() {
    let wrapper = wrapper();
    let mut missing = Vec::new();
    for function in &header().functions {
        let name = &function.result.name;
        let reached = wrapper.contains(&format!("NativeMethods.{name}("));
        let excused = NOT_WRAPPED.iter().any(|(known, _)| known == name);
        assert!(!(reached && excused), "{name} is wrapped: strike it off the list");
        if !reached && !excused {
            missing.push(name.clone());
        }
    }
    assert!(missing.is_empty(), "wrap these in capi/csharp/Runtime, or list them with a reason: {missing:?}");
}

#[test]
fn the_wrapper_uses_every_field() {
    let wrapper = wrapper();
    for found in &header().structs {
        for field in &found.fields {
            let excused = NOT_READ.iter().any(|(of, name, _)| *of == found.name && *name == field.name);
            // Shapes are read from their first entry on; histories by index.
            let name = if field.ty == "size_t" && field.len.is_some() {
                format!("{}0", field.name)
            } else {
                field.name.clone()
            };
            let used = ["raw.", "raw->", "raw[i].", "decisions[i]."].iter().any(|way| {
                wrapper.match_indices(&format!("{way}{name}")).any(|(at, all)| {
                    let next = wrapper[at + all.len()..].chars().next();
                    !next.is_some_and(|next| next.is_alphanumeric() || next == '_')
                })
            });
            assert!(used || excused, "{}.{} is not used in capi/csharp/Runtime", found.name, field.name);
        }
    }
}

#[test]
fn the_package_has_the_version_of_the_library() {
    let manifest: serde_json::Value =
        serde_json::from_str(&read(&package().join("package.json"))).expect("JSON");
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(manifest["name"], "dev.playmat.engine");
    let assembly: serde_json::Value =
        serde_json::from_str(&read(&package().join("Runtime/Playmat.asmdef"))).expect("JSON");
    assert_eq!((&assembly["name"], &assembly["allowUnsafeCode"]), (&"Playmat".into(), &true.into()));
    let sample = manifest["samples"][0]["path"].as_str().expect("a sample");
    assert!(package().join(sample).is_dir(), "{sample}");
}

#[test]
fn unity_finds_every_file() {
    for (path, text) in unity::metas(&package()) {
        compare(&path, &text);
    }
    let orphans = unity::orphans(&package());
    assert!(orphans.is_empty(), "nothing belongs to these: {orphans:?}");
}

#[test]
fn libraries_are_enabled_for_their_own_platform_alone() {
    for plugin in unity::PLUGINS {
        let text = read(&package().join(format!("Plugins~/{}/{}.meta", plugin.folder, plugin.file)));
        let enabled: Vec<&str> = text
            .split("  - first:\n")
            .skip(1)
            .filter(|part| part.contains("enabled: 1"))
            .map(|part| part.lines().next().expect("a platform").trim())
            .collect();
        let editor = plugin.editor.map(|_| "Editor: Editor");
        let wanted: Vec<&str> = editor.into_iter().chain([plugin.platform]).collect();
        assert_eq!(enabled, wanted, "{}", plugin.folder);
    }
}
