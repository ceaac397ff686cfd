//! Where the files of a game are in this repository: its page, its code, its tests, its golden playthroughs.

use playmat_conformance::testing::page::Files;
use std::path::Path;

/// The files of a registered game. The small games share a page and the folder of their tests.
///
/// # Panics
/// If the folder of the games is not found.
pub(crate) fn files(id: &str) -> Files {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let seeds = crates.into_iter().find(|folder| folder.join("rules").is_dir()).expect("the folder `seeds`");
    let has_page = seeds.join("rules").join(format!("{id}.md")).exists();
    let (folder, src) = (if has_page { id } else { "classics" }, seeds.join("src"));
    Files {
        page: seeds.join("rules").join(format!("{folder}.md")),
        code: vec![if has_page { src.join(id) } else { src.join("classics").join(id) }],
        tests: seeds.join("tests").join(folder),
        golden: seeds.join("tests/golden"),
    }
}
