//! Compares the numbered rules of a game's page with the names of its tests.
//!
//! A page states each rule on a line that begins with its number, `- **GG-R3a**`: two letters for the game, then R (rule), Q (ruling),
//! E (example) or K (who knows what), digits, and perhaps a letter. A test names the rules that it covers at the beginning of its name:
//! `gg_r3a_q2_...` covers GG-R3a and GG-Q2. [`compare_rules`] makes all checks for a page of one game.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Heading of the table of tests. A page need not have one.
pub const TABLE: &str = "\n## Which test covers what";

/// The rows of that table follow.
const HEAD: &str = "| number | tests |\n|---|---|\n";

/// The numbers of a page's rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleNumbers {
    /// The two letters that they begin with: `GG`.
    pub prefix: String,
    /// `GG-R3a`; rules first, then rulings, examples and what is known, each in the order of their numbers.
    pub all: Vec<String>,
}

impl RuleNumbers {
    /// The numbers that lines of `text` begin with after `mark` (`- **` on a page, `| ` in a table).
    ///
    /// # Errors
    /// If there is none, one is misspelt, has another prefix or is there twice, or if the numbers of a kind leave one out.
    pub fn read(text: &str, mark: &str) -> Result<RuleNumbers, String> {
        let mut all = Vec::new();
        for rest in text.lines().filter_map(|line| line.strip_prefix(mark)) {
            let number =
                rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().unwrap_or_default();
            let Some((prefix, rest)) = number.split_once('-') else { continue };
            if prefix.len() == 2 && prefix.chars().all(|c| c.is_ascii_uppercase()) {
                if !is_number(&rest.to_lowercase()) {
                    return Err(format!("{number}: wanted R, Q, E or K, digits, perhaps a letter"));
                }
                all.push(number.to_string());
            }
        }
        all.sort_by_cached_key(|number| {
            let (kind, value, letter) = parts(number);
            ("RQEK".find(kind), value, letter.to_string())
        });
        let Some(first) = all.first() else {
            return Err(format!(
                "no line begins with `{mark}` and the number of a rule, such as `{mark}GG-R1`"
            ));
        };
        let numbers = RuleNumbers { prefix: first[..2].to_string(), all };
        numbers.check()?;
        Ok(numbers)
    }

    fn check(&self) -> Result<(), String> {
        let mut counted: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for number in &self.all {
            if number[..2] != self.prefix {
                return Err(format!("{number}: other numbers begin with {}", self.prefix));
            }
            let (kind, value, _) = parts(number);
            counted.entry(kind).or_default().insert(value);
        }
        for (kind, values) in counted {
            if let Some(missing) = (1..=values.len()).find(|value| !values.contains(value)) {
                return Err(format!("{}-{kind}{missing} is missing", self.prefix));
            }
        }
        match self.all.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(format!("{} is there twice", pair[0])),
            None => Ok(()),
        }
    }

    /// The numbers that the name of a test begins with, as the page writes them: `GG-R3a`.
    pub fn of_test(&self, test: &str) -> Vec<String> {
        let words = test.split('_').skip(1).take_while(|word| is_number(word));
        words.map(|word| format!("{}-{}{}", self.prefix, word[..1].to_uppercase(), &word[1..])).collect()
    }

    /// The tests in these sources whose names begin with the prefix, `gg_r3a_...`, each with its file.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn tests(&self, sources: &[PathBuf]) -> Result<BTreeMap<String, PathBuf>, String> {
        let start = format!("fn {}_", self.prefix.to_lowercase());
        let mut found = BTreeMap::new();
        for path in sources {
            let source = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
            let mut is_test = false;
            for line in source.lines().map(str::trim) {
                if is_test && line.starts_with(&start) {
                    let name = line["fn ".len()..].split('(').next().unwrap_or_default();
                    found.insert(name.to_string(), path.clone());
                }
                // Other attributes and comments may stand between.
                is_test =
                    line == "#[test]" || (is_test && (line.starts_with("#[") || line.starts_with("//")));
            }
        }
        Ok(found)
    }

    /// By number, the tests that name it.
    ///
    /// # Errors
    /// If no test names a number of the page, or a test names one that the page does not have.
    pub fn covered<'t>(
        &self,
        tests: impl IntoIterator<Item = &'t String>,
    ) -> Result<BTreeMap<String, Vec<String>>, String> {
        let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for test in tests {
            for number in self.of_test(test) {
                found.entry(number).or_default().push(test.clone());
            }
        }
        let missing: Vec<_> = self.all.iter().filter(|number| !found.contains_key(*number)).collect();
        let unknown: Vec<_> = found.keys().filter(|number| !self.all.contains(number)).collect();
        match (missing.is_empty(), unknown.is_empty()) {
            (true, true) => Ok(found),
            (false, _) => Err(format!("no test names {missing:?}")),
            (true, false) => Err(format!("the page does not state {unknown:?}, which tests name")),
        }
    }

    /// The rows of a table that begin with a number, each with the texts of its last cell.
    ///
    /// # Errors
    /// If a number has two rows.
    pub fn rows(&self, table: &str) -> Result<BTreeMap<String, Vec<String>>, String> {
        let mut rows = BTreeMap::new();
        for line in table.lines().filter(|line| line.starts_with(&format!("| {}-", self.prefix))) {
            let cells: Vec<&str> = line.trim_end_matches('|').split('|').map(str::trim).collect();
            let tests = cells[cells.len() - 1].split(", ").map(|test| test.trim_matches('`').to_string());
            if rows.insert(cells[1].to_string(), tests.collect()).is_some() {
                return Err(format!("{} has two rows", cells[1]));
            }
        }
        Ok(rows)
    }
}

/// Compares the page of a game with the tests in the Rust files of a folder and of the folders in it: each number is stated once and
/// named by a test, and each test that begins with the game's two letters names a number of the page. If the page has the heading
/// [`TABLE`], the table there must list the tests of each number; with `update` it is written.
///
/// Lines after the heading `## Rules that play does not show`, if there is one, state no rules. [`game_page!`](crate::game_page!) makes this and
/// the other checks of a page.
///
/// ```no_run
/// # use std::path::Path;
/// let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
/// let update = std::env::var_os("UPDATE").is_some();
/// let compared = playmat_conformance::testing::compare_rules(&folder.join("rules.md"), &folder.join("tests"), update);
/// compared.unwrap_or_else(|error| panic!("{error}"));
/// ```
///
/// # Errors
/// What differs, or which file cannot be read or written.
pub fn compare_rules(page: &Path, tests: &Path, update: bool) -> Result<(), String> {
    let mut sources = Vec::new();
    list_sources(tests, &mut sources)?;
    compare_rules_with(page, &sources, update)
}

/// The same with the tests in these files.
///
/// # Errors
/// What differs, or which file cannot be read or written.
pub fn compare_rules_with(page: &Path, sources: &[PathBuf], update: bool) -> Result<(), String> {
    let named = |error: String| format!("{}: {error}", page.display());
    let text = fs::read_to_string(page).map_err(|error| named(error.to_string()))?;
    let numbers = rules_of_page(&text).map_err(named)?;
    let tests = numbers.tests(sources)?;
    if let Some((test, file)) = tests.iter().find(|(test, _)| numbers.of_test(test).is_empty()) {
        return Err(format!("{test} in {} begins with no number of a rule", file.display()));
    }
    let covered = numbers.covered(tests.keys()).map_err(named)?;
    let Some((_, table)) = text.split_once(TABLE) else { return Ok(()) };
    if numbers.rows(table).map_err(named)? == covered {
        return Ok(());
    }
    let row = |number: &String| format!("| {number} | `{}` |", covered[number].join("`, `"));
    let rows = numbers.all.iter().map(row).collect::<Vec<_>>().join("\n");
    if !update {
        return Err(named(format!("the table of tests should be (UPDATE=1 writes it)\n{rows}")));
    }
    let Some((between, rest)) = table.split_once(HEAD) else {
        return Err(named(format!("the table of tests does not begin with\n{HEAD}")));
    };
    let before = &text[..text.len() - table.len()];
    let old: usize = rest.split_inclusive('\n').take_while(|line| line.starts_with('|')).map(str::len).sum();
    let written = format!("{before}{between}{HEAD}{rows}\n{}", &rest[old..]);
    fs::write(page, written).map_err(|error| named(error.to_string()))
}

/// The numbers of the rules that a page states before its tables of tests and of rules that play does not show.
///
/// # Errors
/// As [`RuleNumbers::read`].
pub fn rules_of_page(text: &str) -> Result<RuleNumbers, String> {
    let before = text.split_once(TABLE).map_or(text, |(before, _)| before);
    let rules = before.split_once(RULES_WITHOUT_PLAY).map_or(before, |(rules, _)| rules);
    RuleNumbers::read(rules, "- **")
}

/// Heading of the section of rules that play does not show.
pub const RULES_WITHOUT_PLAY: &str = "\n## Rules that play does not show";

/// Rust files of a folder and of the folders in it.
pub(super) fn list_sources(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let named = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(named)? {
        let path = entry.map_err(named)?.path();
        if path.is_dir() {
            list_sources(&path, found)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(())
}

/// Kind, value and letter: `GG-R3a` is R, 3, a.
fn parts(number: &str) -> (&str, usize, &str) {
    let (kind, rest) = number.split_once('-').map_or(number, |(_, rest)| rest).split_at(1);
    let letter = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    (kind, rest[..rest.len() - letter.len()].parse().unwrap_or_default(), letter)
}

/// Whether this is a number as in a test's name, `r3a`.
fn is_number(word: &str) -> bool {
    let rest = word.strip_prefix(['r', 'q', 'e', 'k']).unwrap_or_default();
    let digits = rest.trim_end_matches(|c: char| c.is_ascii_lowercase());
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()) && rest.len() <= digits.len() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# Game\n\n- **GG-R1** One.\n- **GG-R2a** Two.\n- **GG-Q1** Three.\n- Other GG-R9.\n";

    /// A page, and tests of these names, each in a file of its own in a folder of a folder.
    fn compared(name: &str, page: &str, tests: &[&str], update: bool) -> (Result<(), String>, String) {
        let folder = std::env::temp_dir().join(format!("playmat-rules-{}-{name}", std::process::id()));
        fs::create_dir_all(folder.join("tests/inner")).unwrap();
        fs::write(folder.join("rules.md"), page).unwrap();
        for test in tests {
            let source = format!("use other;\n\n#[test]\nfn {test}() {{}}\n\nfn gg_helper() {{}}\n");
            fs::write(folder.join("tests/inner").join(format!("{test}.rs")), source).unwrap();
        }
        let found = compare_rules(&folder.join("rules.md"), &folder.join("tests"), update);
        let page = fs::read_to_string(folder.join("rules.md")).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        (found, page)
    }

    fn difference(name: &str, page: &str, tests: &[&str]) -> String {
        compared(name, page, tests, false).0.unwrap_err()
    }

    #[test]
    fn a_page_and_its_tests_name_the_same_rules() {
        let tests = ["gg_r1_one", "gg_r2a_q1_both", "other"];
        assert_eq!(compared("same", PAGE, &tests, false).0, Ok(()));
        let numbers = rules_of_page(PAGE).unwrap();
        assert_eq!((numbers.prefix.as_str(), numbers.all.join(" ")), ("GG", "GG-R1 GG-R2a GG-Q1".into()));
        assert!(difference("missing", PAGE, &tests[..1]).contains(r#"no test names ["GG-R2a", "GG-Q1"]"#));
        let unknown = difference("unknown", PAGE, &["gg_r1_one", "gg_r2a_q1_both", "gg_r3_more"]);
        assert!(unknown.contains(r#"does not state ["GG-R3"]"#), "{unknown}");
        let without = difference("without", PAGE, &["gg_r1_one", "gg_r2a_q1_both", "gg_bids_rise"]);
        assert!(
            without.contains("gg_bids_rise in ") && without.contains("begins with no number"),
            "{without}"
        );
    }

    #[test]
    fn numbers_that_are_missing_misspelt_or_doubled_are_found() {
        let said = |page: &str| rules_of_page(page).unwrap_err();
        assert_eq!(said("- **GG-R1** One.\n- **GG-R3** Three.\n"), "GG-R2 is missing");
        assert_eq!(said("- **GG-R1** One.\n- **GG-R1** Two.\n"), "GG-R1 is there twice");
        assert_eq!(said("- **GG-R1** One.\n- **GH-R2** Two.\n"), "GH-R2: other numbers begin with GG");
        assert_eq!(said("- **GG-X1** One.\n"), "GG-X1: wanted R, Q, E or K, digits, perhaps a letter");
        assert!(said("# Game\n").starts_with("no line begins with `- **`"));
        let later = format!("{PAGE}{RULES_WITHOUT_PLAY}\n- **GG-R1** Again.\n");
        assert_eq!(rules_of_page(&later), rules_of_page(PAGE));
    }

    #[test]
    fn the_table_of_tests_is_compared_and_written() {
        let tests = ["gg_r1_one", "gg_r2a_q1_both"];
        let page = format!("{PAGE}{TABLE}\n\n{HEAD}| GG-R1 | `gg_r1_gone` |\n\nThe end.\n");
        assert!(difference("table", &page, &tests).ends_with("| GG-Q1 | `gg_r2a_q1_both` |"));
        let (found, written) = compared("write", &page, &tests, true);
        assert_eq!(found, Ok(()));
        let rows = "| GG-R1 | `gg_r1_one` |\n| GG-R2a | `gg_r2a_q1_both` |\n| GG-Q1 | `gg_r2a_q1_both` |\n";
        assert_eq!(written, format!("{PAGE}{TABLE}\n\n{HEAD}{rows}\nThe end.\n"));
        assert_eq!(compared("again", &written, &tests, false).0, Ok(()));
        // An empty table before another section, and another table with the same head before it.
        let before = format!("{PAGE}\n{HEAD}| GG | x |\n");
        let page = format!("{before}{TABLE}\n\n{HEAD}\n## Next\n\nThe end.\n");
        let (found, written) = compared("empty", &page, &tests, true);
        assert_eq!(found, Ok(()));
        assert_eq!(written, format!("{before}{TABLE}\n\n{HEAD}{rows}\n## Next\n\nThe end.\n"));
    }

    #[test]
    fn tests_in_modules_and_with_attributes_are_found() {
        let source = "mod tests {\n    #[test]\n    #[should_panic]\n    // Why.\n    fn gg_r1_a() {}\n\n    fn gg_r2_b() {}\n}\n";
        let file = std::env::temp_dir().join(format!("playmat-rules-{}.rs", std::process::id()));
        fs::write(&file, source).unwrap();
        let found = rules_of_page(PAGE).unwrap().tests(std::slice::from_ref(&file)).unwrap();
        fs::remove_file(&file).unwrap();
        assert_eq!(found.keys().collect::<Vec<_>>(), ["gg_r1_a"]);
    }
}
