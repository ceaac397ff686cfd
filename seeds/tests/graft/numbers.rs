//! The page `rules/graft.md` and the tests name the same numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("../../rules/graft.md");

/// Names of the tests of this folder that begin with `gr_`, each with its file.
fn tests() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/graft");
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        let file = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut is_test = false;
        for line in fs::read_to_string(&path).unwrap().lines() {
            if let (true, Some(rest)) = (is_test, line.strip_prefix("fn gr_")) {
                found.insert(format!("gr_{}", rest.split('(').next().unwrap()), file.clone());
            }
            is_test = line == "#[test]";
        }
    }
    found
}

/// Whether this is a number as in a test's name, `r3a`.
fn is_number(word: &str) -> bool {
    let rest = word.trim_start_matches(['r', 'q', 'e']);
    let digits = rest.trim_end_matches(|c: char| c.is_ascii_lowercase());
    word.len() == rest.len() + 1
        && !digits.is_empty()
        && digits.chars().all(|c| c.is_ascii_digit())
        && rest.len() <= digits.len() + 1
}

/// The numbers that a test's name begins with, as the page writes them: `GR-R3a`.
fn numbers_of(test: &str) -> Vec<String> {
    let words = test.split('_').skip(1).take_while(|word| is_number(word));
    words.map(|word| format!("GR-{}{}", word[..1].to_uppercase(), &word[1..])).collect()
}

/// Rows of the page's table of tests: a number, and the tests said to cover it.
fn rows() -> BTreeMap<String, Vec<String>> {
    let (_, table) = PAGE.split_once("## Which test covers what").expect("the page has the heading");
    let mut rows = BTreeMap::new();
    for line in table.lines().filter(|line| line.starts_with("| GR-")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let tests = cells[2].split(", ").map(|test| test.trim_matches('`').to_string()).collect();
        assert!(rows.insert(cells[1].to_string(), tests).is_none(), "{line}");
    }
    rows
}

/// Every number that the page states: the bold one that a line begins with.
fn stated() -> Vec<String> {
    let number = |line: &str| line.strip_prefix("- **GR-")?.split("**").next().map(|n| format!("GR-{n}"));
    PAGE.lines().filter_map(number).collect()
}

/// All numbers there are: R1 to R24 with their letters, Q1 to Q22, E1 to E14.
fn expected() -> BTreeSet<String> {
    let letters = [
        ("R1", "a"),
        ("R2", "ab"),
        ("R3", "a"),
        ("R4", "a"),
        ("R5", "ab"),
        ("R6", "a"),
        ("R7", "ab"),
        ("R11", "a"),
        ("R13", "a"),
        ("R14", "a"),
        ("R15", "ab"),
        ("R16", "abcd"),
        ("R18", "abcde"),
        ("R19", "a"),
        ("R20", "lm"),
        ("R21", "a"),
        ("R24", "abc"),
        ("Q6", "ab"),
    ];
    let mut all: BTreeSet<String> = (1..=24).map(|n| format!("GR-R{n}")).collect();
    all.extend(letters.iter().flat_map(|(n, letters)| letters.chars().map(move |l| format!("GR-{n}{l}"))));
    all.extend((1..=22).map(|n| format!("GR-Q{n}")));
    all.extend((1..=14).map(|n| format!("GR-E{n}")));
    all
}

#[test]
fn the_page_states_every_number_once() {
    let stated = stated();
    let set: BTreeSet<String> = stated.iter().cloned().collect();
    assert_eq!(set, expected());
    assert_eq!(stated.len(), set.len(), "a number is stated twice");
}

#[test]
fn every_number_of_the_page_is_named_by_an_existing_test() {
    let mut by_number: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for test in tests().keys() {
        for number in numbers_of(test) {
            by_number.entry(number).or_default().push(test.clone());
        }
    }
    let missing: Vec<_> = expected().into_iter().filter(|number| !by_number.contains_key(number)).collect();
    assert!(missing.is_empty(), "no test names {missing:?}");
    let unknown: Vec<_> = by_number.keys().filter(|number| !expected().contains(*number)).collect();
    assert!(unknown.is_empty(), "the page does not state {unknown:?}");
    if rows() != by_number {
        let order = |number: &String| {
            let digits: String = number.chars().filter(char::is_ascii_digit).collect();
            ("RQE".find(&number[3..4]), digits.parse::<u32>().unwrap(), number.clone())
        };
        let mut lines: Vec<_> = by_number.iter().collect();
        lines.sort_by_key(|(number, _)| order(number));
        let text: Vec<String> =
            lines.iter().map(|(n, tests)| format!("| {n} | `{}` |", tests.join("`, `"))).collect();
        panic!("the table of the page should be\n{}", text.join("\n"));
    }
}

#[test]
fn every_test_of_a_number_begins_with_it() {
    for (test, file) in tests() {
        assert!(!numbers_of(&test).is_empty(), "{test} in {file}.rs");
    }
}
