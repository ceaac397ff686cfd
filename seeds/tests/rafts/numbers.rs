//! The page `rules/rafts.md` and the tests name the same numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Files of this folder and of the one above it, by name without ending.
fn sources() -> BTreeMap<String, String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut found = BTreeMap::new();
    for folder in [tests.join("rafts")] {
        for entry in fs::read_dir(folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "rs") {
                let name = path.file_stem().unwrap().to_string_lossy().into_owned();
                found.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    found
}

/// Names of the tests that begin with `ra_`, each with its file.
fn tests() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (file, source) in sources() {
        let mut is_test = false;
        for line in source.lines() {
            if let (true, Some(rest)) = (is_test, line.strip_prefix("fn ra_")) {
                let name = format!("ra_{}", rest.split('(').next().unwrap());
                found.insert(name, file.clone());
            }
            is_test = line == "#[test]";
        }
    }
    found
}

/// Whether this is a number as in a test's name, `r3a`.
fn is_number(word: &str) -> bool {
    let rest = word.trim_start_matches(['r', 'q', 'e', 'k']);
    let digits = rest.trim_end_matches(|c: char| c.is_ascii_lowercase());
    word.len() == rest.len() + 1
        && !digits.is_empty()
        && digits.chars().all(|c| c.is_ascii_digit())
        && rest.len() <= digits.len() + 1
}

/// The numbers that a test's name begins with, as the page writes them: `RA-R3a`.
fn numbers_of(test: &str) -> Vec<String> {
    let words = test.split('_').skip(1).take_while(|word| is_number(word));
    words.map(|word| format!("RA-{}{}", word[..1].to_uppercase(), &word[1..])).collect()
}

/// Rows of the page's table of tests: a number, and the tests said to cover it.
fn rows() -> BTreeMap<String, Vec<String>> {
    let page = include_str!("../../rules/rafts.md");
    let (_, table) = page.split_once("## Which test covers what").expect("the page has the heading");
    let mut rows = BTreeMap::new();
    for line in table.lines().filter(|line| line.starts_with("| RA-")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let tests = cells[2].split(", ").map(|test| test.trim_matches('`').to_string()).collect();
        assert!(rows.insert(cells[1].to_string(), tests).is_none(), "{line}");
    }
    rows
}

/// Every number that the page states: the bold one that a line begins with.
fn stated() -> BTreeSet<String> {
    let page = include_str!("../../rules/rafts.md");
    let number = |line: &str| line.strip_prefix("- **RA-")?.split("**").next().map(|n| format!("RA-{n}"));
    let (before, _) = page.split_once("## Which test covers what").expect("the page has the heading");
    before.lines().filter_map(number).collect()
}

/// All numbers there are: R1 to R26 and Q1 to Q19 with their letters, E1 to E19, K1.
fn expected() -> BTreeSet<String> {
    let rules = [
        (1, "abcd"),
        (2, "abcdefgh"),
        (4, "a"),
        (5, "a"),
        (6, "a"),
        (7, "abc"),
        (8, "a"),
        (11, "ab"),
        (12, "ab"),
        (15, "a"),
        (17, "abcdef"),
        (18, "abcd"),
    ];
    let rulings = [(3, "a"), (6, "abc"), (7, "ab"), (12, "a"), (14, "a")];
    let mut all: BTreeSet<String> = (1..=26).map(|n| format!("RA-R{n}")).collect();
    all.extend(rules.iter().flat_map(|(n, letters)| letters.chars().map(move |l| format!("RA-R{n}{l}"))));
    all.extend((1..=19).map(|n| format!("RA-Q{n}")));
    all.extend(rulings.iter().flat_map(|(n, letters)| letters.chars().map(move |l| format!("RA-Q{n}{l}"))));
    all.extend((1..=19).map(|n| format!("RA-E{n}")));
    all.insert("RA-K1".into());
    all
}

#[test]
fn the_page_states_every_number_once() {
    assert_eq!(stated(), expected());
    let page = include_str!("../../rules/rafts.md");
    let (before, _) = page.split_once("## Which test covers what").unwrap();
    for number in expected() {
        assert_eq!(before.matches(&format!("\n- **{number}**")).count(), 1, "{number}");
    }
}

#[test]
fn every_number_of_the_page_is_named_by_an_existing_test() {
    let mut by_number: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for test in tests().keys() {
        for number in numbers_of(test) {
            by_number.entry(number).or_default().push(test.clone());
        }
    }
    let missing: Vec<_> = stated().into_iter().filter(|number| !by_number.contains_key(number)).collect();
    assert!(missing.is_empty(), "no test names {missing:?}");
    let unknown: Vec<_> = by_number.keys().filter(|number| !stated().contains(*number)).collect();
    assert!(unknown.is_empty(), "the page does not state {unknown:?}");
    if rows() != by_number {
        let order = |number: &String| {
            let digits: String = number.chars().filter(char::is_ascii_digit).collect();
            ("RQEK".find(&number[3..4]), digits.parse::<u32>().unwrap(), number.clone())
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
