//! What the pages of rules, `rules/<game>.md`, say together: each has letters of its own. The tests of each game compare its page with its code.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the finding")]

#[path = "common/files.rs"]
mod files;

use files::files;
use playmat_conformance::testing::page::rule_numbers;
use playmat_conformance::testing::rules::TABLE;
use playmat_seeds::GAMES;
use serde_json::Map;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The name of the page of a game: `rafts`; `classics` for the small games.
fn page(id: &str) -> String {
    files(id).page.file_stem().unwrap().to_string_lossy().into_owned()
}

#[test]
fn each_page_has_letters_of_its_own_which_the_map_of_pages_lists() {
    let mut table = String::from("| letters | game | page |\n|---|---|---|\n");
    let mut all = BTreeSet::new();
    for entry in GAMES {
        let (letters, page) = (rule_numbers(entry, &files(entry.id)).prefix, page(entry.id));
        let title = (entry.make)(&Map::new()).unwrap().info().title;
        table.push_str(&format!("| {letters} | {title} | [{page}.md](../seeds/rules/{page}.md) |\n"));
        assert!(all.insert(letters), "two games with the letters of {}: {all:?}", entry.id);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/README.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) =
        text.split_once("<!-- letters:begin -->\n").expect("the mark where the table begins");
    let (_, after) = rest.split_once("<!-- letters:end -->").expect("the mark where the table ends");
    let whole = format!("{before}<!-- letters:begin -->\n{table}<!-- letters:end -->{after}");
    if std::env::var_os("UPDATE").is_some() {
        return fs::write(path, whole).unwrap();
    }
    assert!(text == whole, "the letters in docs/README.md are others: UPDATE=1 writes them");
}

#[test]
fn every_page_is_that_of_a_registered_game() {
    let folder = files(GAMES[0].id).page.parent().unwrap().to_path_buf();
    let found = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found: BTreeSet<_> =
        found.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(found, GAMES.iter().map(|entry| page(entry.id)).collect());
}

#[test]
fn every_page_of_one_game_has_the_table_of_tests() {
    for entry in GAMES.iter().filter(|entry| page(entry.id) == entry.id) {
        let text = fs::read_to_string(files(entry.id).page).unwrap();
        assert!(text.contains(TABLE), "the page of {} has no heading `{}`", entry.id, TABLE.trim());
    }
}
