//! The page of each game, `rules/<game>.md`, and its tests name the same numbers.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the finding")]

use playmat_core::any::AnyGame;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const RULES_WITHOUT_PLAY: &str = "\n## Rules that play does not show";
const TABLE: &str = "\n## Which test covers what";

/// A game's page, and the numbers it must state: all that there are, so that neither page nor tests can lose one.
struct Page {
    game: &'static str,
    code: &'static str,
    text: &'static str,
    numbers: &'static str,
}

const PAGES: &[Page] = &[
    Page {
        game: "graft",
        code: "GR",
        text: include_str!("../rules/graft.md"),
        numbers: "GR-R1 GR-R1a GR-R2 GR-R2a GR-R2b GR-R3 GR-R3a GR-R4 GR-R4a GR-R5 GR-R5a GR-R5b GR-R6 GR-R6a GR-R7 \
                  GR-R7a GR-R7b GR-R8 GR-R9 GR-R10 GR-R11 GR-R11a GR-R12 GR-R13 GR-R13a GR-R14 GR-R14a GR-R15 GR-R15a \
                  GR-R15b GR-R16 GR-R16a GR-R16b GR-R16c GR-R16d GR-R17 GR-R18 GR-R18a GR-R18b GR-R18c GR-R18d GR-R18e \
                  GR-R19 GR-R19a GR-R20 GR-R20l GR-R20m GR-R21 GR-R21a GR-R22 GR-R23 GR-R24 GR-R24a GR-R24b GR-R24c \
                  GR-Q1 GR-Q2 GR-Q3 GR-Q4 GR-Q5 GR-Q6 GR-Q6a GR-Q6b GR-Q7 GR-Q8 GR-Q9 GR-Q10 GR-Q11 GR-Q12 GR-Q13 \
                  GR-Q14 GR-Q15 GR-Q16 GR-Q17 GR-Q18 GR-Q19 GR-Q20 GR-Q21 GR-Q22 GR-E1 GR-E2 GR-E3 GR-E4 GR-E5 GR-E6 \
                  GR-E7 GR-E8 GR-E9 GR-E10 GR-E11 GR-E12 GR-E13 GR-E14",
    },
    Page {
        game: "graphia",
        code: "GG",
        text: include_str!("../rules/graphia.md"),
        numbers: "GG-R1 GG-R1a GG-R1b GG-R1c GG-R1d GG-R2 GG-R2a GG-R2b GG-R2c GG-R2d GG-R2e GG-R3 GG-R3a GG-R3b \
                  GG-R3c GG-R3d GG-R3e GG-R3f GG-R4 GG-R5 GG-R5a GG-R5b GG-R5c GG-R5d GG-R6 GG-R6a GG-R6b GG-R7 GG-R7a \
                  GG-R7b GG-R7c GG-R8 GG-R9 GG-R10 GG-R10a GG-R11 GG-R12 GG-R13 GG-R14 GG-R15 GG-R15a GG-R15b GG-R16 \
                  GG-R17 GG-R18 GG-R18a GG-R19 GG-R20 GG-R21 GG-R22 GG-R22a GG-Q1 GG-Q2 GG-Q3 GG-Q4 GG-Q5 GG-Q6 GG-Q7 \
                  GG-Q8 GG-Q9 GG-Q10 GG-Q11 GG-Q12 GG-Q13 GG-Q14 GG-Q15 GG-Q16 GG-Q17 GG-Q18 GG-Q19 GG-Q20 GG-Q21 \
                  GG-Q22 GG-Q23 GG-Q24 GG-Q25 GG-Q26 GG-Q27 GG-E1 GG-E2 GG-E3 GG-E4 GG-E5 GG-E6 GG-E7 GG-E8 GG-E9 \
                  GG-E10 GG-E11 GG-E12 GG-E13 GG-E14 GG-E15 GG-E16 GG-E17",
    },
    Page {
        game: "gravitix",
        code: "GX",
        text: include_str!("../rules/gravitix.md"),
        numbers: "GX-R1 GX-R1a GX-R1b GX-R1c GX-R1d GX-R1e GX-R1f GX-R1g GX-R1h GX-R2 GX-R2a GX-R3 GX-R3a GX-R4 GX-R4a \
                  GX-R5 GX-R5a GX-R6 GX-R6a GX-R6b GX-R6c GX-R6d GX-R6e GX-R6f GX-R6g GX-R6h GX-R6i GX-R7 GX-R8 GX-R8a \
                  GX-R9 GX-R10 GX-R10a GX-R11 GX-R11a GX-R12 GX-R12a GX-R13 GX-R14 GX-R14a GX-R15 GX-R15a GX-R16 \
                  GX-R16a GX-R17 GX-R17a GX-R18 GX-R18a GX-R19 GX-R19a GX-R20 GX-R20a GX-R21 GX-R21a GX-R21b GX-R22 \
                  GX-R23 GX-Q1 GX-Q2 GX-Q3 GX-Q4 GX-Q4a GX-Q5 GX-Q6 GX-Q7 GX-Q8 GX-Q9 GX-Q10 GX-Q11 GX-Q11a GX-Q12 \
                  GX-Q13 GX-Q14 GX-Q15 GX-Q16 GX-Q16a GX-Q17 GX-Q18 GX-Q19 GX-Q20 GX-Q21 GX-Q22 GX-Q23 GX-Q24 GX-Q25 \
                  GX-E1 GX-E2 GX-E3 GX-E4 GX-E5 GX-E6 GX-E7 GX-E8 GX-E9 GX-E10 GX-E11 GX-E12 GX-E13 GX-E14",
    },
    Page {
        game: "graven",
        code: "GV",
        text: include_str!("../rules/graven.md"),
        numbers: "GV-R1 GV-R1a GV-R1b GV-R1c GV-R2 GV-R2a GV-R3 GV-R3a GV-R4 GV-R4a GV-R4b GV-R4c GV-R4d GV-R5 GV-R5a \
                  GV-R6 GV-R7 GV-R7a GV-R7b GV-R7c GV-R8 GV-R9 GV-R9a GV-R10 GV-R10a GV-R11 GV-R11a GV-R11b GV-R12 \
                  GV-R12a GV-R13 GV-R14 GV-R15 GV-R15a GV-R16 GV-R17 GV-R17a GV-R18 GV-R18a GV-R18b GV-R19 GV-R19a \
                  GV-R20 GV-Q1 GV-Q2 GV-Q3 GV-Q4 GV-Q5 GV-Q5a GV-Q6 GV-Q7 GV-Q7a GV-Q8 GV-Q9 GV-Q9a GV-Q10 GV-Q11 \
                  GV-Q12 GV-Q13 GV-Q14 GV-Q15 GV-Q16 GV-Q17 GV-Q18 GV-Q19 GV-Q20 GV-E1 GV-E2 GV-E3 GV-E4 GV-E5 GV-E6 \
                  GV-E7 GV-E8 GV-E9 GV-E10 GV-E11 GV-E12 GV-E13 GV-E14 GV-K1 GV-K2",
    },
    Page {
        game: "rafts",
        code: "RA",
        text: include_str!("../rules/rafts.md"),
        numbers: "RA-R1 RA-R1a RA-R1b RA-R1c RA-R1d RA-R2 RA-R2a RA-R2b RA-R2c RA-R2d RA-R2e RA-R2f RA-R2g RA-R2h \
                  RA-R3 RA-R4 RA-R4a RA-R5 RA-R5a RA-R6 RA-R6a RA-R7 RA-R7a RA-R7b RA-R7c RA-R8 RA-R8a RA-R9 RA-R10 \
                  RA-R11 RA-R11a RA-R11b RA-R12 RA-R12a RA-R12b RA-R13 RA-R14 RA-R15 RA-R15a RA-R16 RA-R17 RA-R17a \
                  RA-R17b RA-R17c RA-R17d RA-R17e RA-R17f RA-R18 RA-R18a RA-R18b RA-R18c RA-R18d RA-R19 RA-R20 RA-R21 \
                  RA-R22 RA-R23 RA-R24 RA-R25 RA-R26 RA-Q1 RA-Q2 RA-Q3 RA-Q3a RA-Q4 RA-Q5 RA-Q6 RA-Q6a RA-Q6b RA-Q6c \
                  RA-Q7 RA-Q7a RA-Q7b RA-Q8 RA-Q9 RA-Q10 RA-Q11 RA-Q12 RA-Q12a RA-Q13 RA-Q14 RA-Q14a RA-Q15 RA-Q16 \
                  RA-Q17 RA-Q18 RA-Q19 RA-E1 RA-E2 RA-E3 RA-E4 RA-E5 RA-E6 RA-E7 RA-E8 RA-E9 RA-E10 RA-E11 RA-E12 \
                  RA-E13 RA-E14 RA-E15 RA-E16 RA-E17 RA-E18 RA-E19 RA-K1",
    },
];

impl Page {
    /// Names of the tests of numbers, `gg_r3a_...`, each with its file: in the game's folder and in the files beside it.
    fn tests(&self) -> BTreeMap<String, String> {
        let start = format!("fn {}_", self.code.to_lowercase());
        let mut found = BTreeMap::new();
        for path in self.sources() {
            let source = fs::read_to_string(&path).unwrap();
            let mut is_test = false;
            for line in source.lines() {
                if is_test && line.starts_with(&start) {
                    let name = line["fn ".len()..].split('(').next().unwrap();
                    found.insert(name.to_string(), path.display().to_string());
                }
                is_test = line == "#[test]";
            }
        }
        found
    }

    fn sources(&self) -> Vec<PathBuf> {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
        let beside = format!("{}_", self.game);
        let is_rust = |path: &Path| path.extension().is_some_and(|ending| ending == "rs");
        let is_beside =
            |path: &Path| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(&beside));
        let list = |folder: &Path| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut found: Vec<PathBuf> = list(&tests.join(self.game)).filter(|path| is_rust(path)).collect();
        found.extend(list(&tests).filter(|path| is_rust(path) && is_beside(path)));
        found
    }

    /// The numbers that a test's name begins with, as the page writes them: `GG-R3a`.
    fn numbers_of(&self, test: &str) -> Vec<String> {
        let words = test.split('_').skip(1).take_while(|word| is_number(word));
        words.map(|word| format!("{}-{}{}", self.code, word[..1].to_uppercase(), &word[1..])).collect()
    }

    /// Tests by the number that they name.
    fn by_number(&self) -> BTreeMap<String, Vec<String>> {
        let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for test in self.tests().into_keys() {
            for number in self.numbers_of(&test) {
                found.entry(number).or_default().push(test.clone());
            }
        }
        found
    }

    /// Rows of the page's table of tests: a number, and the tests that cover it.
    fn rows(&self) -> BTreeMap<String, Vec<String>> {
        let (_, table) = self.text.split_once(TABLE).expect("the page has the heading");
        let mut rows = BTreeMap::new();
        for line in table.lines().filter(|line| line.starts_with(&format!("| {}-", self.code))) {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let tests = cells[2].split(", ").map(|test| test.trim_matches('`').to_string()).collect();
            assert!(rows.insert(cells[1].to_string(), tests).is_none(), "{line}");
        }
        rows
    }

    /// Every number that the page states, in its order: the bold one that a line begins with. What is said once
    /// more about rules that play does not show comes after the rules, and is not counted.
    fn stated(&self) -> Vec<String> {
        let (before, _) = self.text.split_once(TABLE).expect("the page has the heading");
        let rules = before.split_once(RULES_WITHOUT_PLAY).map_or(before, |(rules, _)| rules);
        let start = format!("- **{}-", self.code);
        let number =
            |line: &str| line.strip_prefix(&start)?.split("**").next().map(|n| format!("{}-{n}", self.code));
        rules.lines().filter_map(number).collect()
    }

    fn check_numbers(&self) {
        let stated = self.stated();
        let all: Vec<&str> = self.numbers.split_whitespace().collect();
        let set: BTreeSet<&str> = stated.iter().map(String::as_str).collect();
        assert_eq!(set, all.iter().copied().collect(), "rules/{}.md", self.game);
        assert_eq!(
            (stated.len(), all.len()),
            (set.len(), set.len()),
            "rules/{}.md: a number twice",
            self.game
        );
    }

    fn check_tests(&self) {
        for (test, file) in self.tests() {
            assert!(!self.numbers_of(&test).is_empty(), "{test} in {file} begins with no number");
        }
        let (by_number, all) = (self.by_number(), self.numbers.split_whitespace().collect::<Vec<_>>());
        let missing: Vec<_> = all.iter().filter(|number| !by_number.contains_key(**number)).collect();
        assert!(missing.is_empty(), "no test names {missing:?}");
        let unknown: Vec<_> = by_number.keys().filter(|number| !all.contains(&number.as_str())).collect();
        assert!(unknown.is_empty(), "rules/{}.md does not state {unknown:?}", self.game);
        if self.rows() != by_number {
            let row = |number: &&str| format!("| {number} | `{}` |", by_number[*number].join("`, `"));
            let table = all.iter().map(row).collect::<Vec<_>>().join("\n");
            if std::env::var_os("UPDATE").is_some() {
                let head = "| number | tests |\n|---|---|\n";
                let (before, rest) = self.text.split_once(head).expect("the page has the table");
                let after = rest.find("\n\n").map_or("\n", |end| &rest[end..]);
                let path = format!("{}/rules/{}.md", env!("CARGO_MANIFEST_DIR"), self.game);
                std::fs::write(path, format!("{before}{head}{table}{after}"))
                    .expect("the page can be written");
            } else {
                panic!("the table of rules/{}.md should be (UPDATE=1 writes it)\n{table}", self.game);
            }
        }
    }
}

/// The page's section of what play need not show, from the game's hooks: the balance report gives the same reasons.
fn excuses(game: &dyn AnyGame) -> String {
    let mut text = format!(
        "{RULES_WITHOUT_PLAY}\n\nThe engine reports the number of a rule when the rule takes effect. Games between the built-in agents need not show the \
         rules below. `playmat balance`\ngives the same reasons. Separate tests make each of these rules happen.\n\n| rule, entry or action | why |\n|---|---|\n"
    );
    for (name, reason) in game.excuses() {
        text.push_str(&format!("| {name} | {reason} |\n"));
    }
    text
}

/// The game with each option at each of its values, the others at their defaults, for every number of players.
fn configurations(id: &str) -> Vec<Box<dyn AnyGame>> {
    let entry = playmat_seeds::GAMES.iter().find(|entry| entry.id == id).unwrap();
    let default = (entry.make)(&Map::new()).unwrap();
    let (least, most) = default.info().player_range;
    let mut all = Vec::new();
    for players in least..=most {
        let mut add = |name: &str, value: Value| {
            let mut given = Map::from_iter([("players".to_string(), Value::from(players))]);
            given.insert(name.into(), value);
            // Not every value goes with every number of players.
            all.extend((entry.make)(&given).ok());
        };
        add("players", players.into());
        for spec in default.specs() {
            let described = spec.to_json();
            match described["kind"].as_str() {
                Some("bool") => [true, false].into_iter().for_each(|value| add(spec.name, value.into())),
                Some("choice") => {
                    let values = described["range"].as_array().cloned().unwrap_or_default();
                    values.into_iter().for_each(|value| add(spec.name, value));
                }
                _ => {}
            }
        }
        add("first_player", "random".into());
        add("decks", "random".into());
        add("decks", "build".into());
    }
    all
}

/// The numbers of rules, as texts, in the sources of a game besides its hooks: what it reports.
fn reported(page: &Page) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(page.game);
    let start = format!("\"{}-", page.code);
    let mut found = BTreeSet::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.extension().is_none_or(|ending| ending != "rs") || path.ends_with("conformance.rs") {
            continue;
        }
        let source = fs::read_to_string(&path).unwrap();
        let texts = source.split(&start).skip(1).filter_map(|rest| rest.split('"').next());
        found.extend(texts.map(|number| format!("{}-{number}", page.code)));
    }
    found
}

/// Whether this is a number as in a test's name, `r3a`.
fn is_number(word: &str) -> bool {
    let rest = word.strip_prefix(['r', 'q', 'e', 'k']).unwrap_or_default();
    let digits = rest.trim_end_matches(|c: char| c.is_ascii_lowercase());
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()) && rest.len() <= digits.len() + 1
}

#[test]
fn each_page_states_every_number_once() {
    PAGES.iter().for_each(Page::check_numbers);
}

#[test]
fn every_number_of_a_page_is_named_by_the_tests_that_its_table_lists() {
    PAGES.iter().for_each(Page::check_tests);
}

#[test]
fn every_page_of_a_game_is_looked_at() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let pages = fs::read_dir(rules).unwrap().map(|entry| entry.unwrap().path());
    let names = pages.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned());
    let with_table = names.filter(|name| *name != "classics");
    let mut listed: Vec<&str> = PAGES.iter().map(|page| page.game).collect();
    let mut found: Vec<String> = with_table.collect();
    listed.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, listed);
}

#[test]
fn a_game_expects_the_rules_that_its_sources_report_and_no_others() {
    for page in PAGES {
        let mut expected = BTreeSet::new();
        for game in configurations(page.game) {
            let names = game.survey(0, 0, &[]).unwrap().expected;
            expected.extend(names.into_keys().filter(|name| name.starts_with(page.code)));
        }
        assert_eq!(expected, reported(page), "conformance.rs of {}, and what its rules report", page.game);
    }
}

#[test]
fn pages_give_the_reasons_of_the_balance_report() {
    let mut wrong = Vec::new();
    for page in PAGES {
        let game = playmat_seeds::make(page.game, &Map::new()).unwrap();
        let section = excuses(&*game);
        let (before, after) = match page.text.split_once(RULES_WITHOUT_PLAY) {
            Some((before, old)) => (before, &old[old.find("\n## ").expect("the table of tests follows")..]),
            None => page.text.split_at(page.text.find(TABLE).expect("the page has the heading")),
        };
        let whole = format!("{before}{section}{after}");
        if whole == page.text {
            continue;
        }
        wrong.push(page.game);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules").join(format!("{}.md", page.game));
        if std::env::var_os("UPDATE").is_some() {
            fs::write(path, whole).unwrap();
        }
    }
    let updated = std::env::var_os("UPDATE").is_some();
    assert!(updated || wrong.is_empty(), "pages of {wrong:?} differ from the hooks: UPDATE=1 writes them");
}

#[test]
fn every_name_that_is_excused_is_one_that_the_game_has() {
    for entry in playmat_seeds::GAMES {
        let mut known = BTreeSet::new();
        for game in configurations(entry.id) {
            known.extend(game.survey(0, 0, &[]).unwrap().expected.into_keys());
            known.extend(game.info().actions.iter().map(|range| format!("action {}", range.name)));
        }
        let game = (entry.make)(&Map::new()).unwrap();
        let names: Vec<_> = game.excuses().into_iter().map(|(name, _)| name).collect();
        let unknown: Vec<_> = names.iter().filter(|name| !known.contains(**name)).collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", entry.id);
        let set: BTreeSet<_> = names.iter().collect();
        assert_eq!(set.len(), names.len(), "{}: a name twice", entry.id);
    }
}

#[test]
fn what_greedy_agents_never_show_has_a_reason() {
    for entry in playmat_seeds::GAMES {
        let game = (entry.make)(&Map::new()).unwrap();
        let survey = game.survey(600, 0, &[game.agent("greedy").unwrap()]).unwrap();
        let names = survey.expected.iter().filter(|(name, reason)| {
            reason.is_none() && !name.starts_with("action ") && !survey.coverage.contains_key(*name)
        });
        let mut without: Vec<String> = names.map(|(name, _)| name.clone()).collect();
        let idle = game.info().actions.iter().filter(|range| !survey.actions.contains_key(range.name));
        let idle = idle.map(|range| format!("action {}", range.name));
        without.extend(idle.filter(|name| !matches!(survey.expected.get(name), Some(Some(_)))));
        assert!(without.is_empty(), "{}: {without:?}", entry.id);
    }
}
