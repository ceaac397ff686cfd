//! The page of each game, `rules/<game>.md`, its code and its tests name the same numbers.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the finding")]

#[path = "common/chosen.rs"]
mod chosen;

use chosen::chosen;
use playmat_core::any::AnyGame;
use playmat_core::testing::rules::{
    RULES_WITHOUT_PLAY, RuleNumbers, TABLE, compare_rules_with, rules_of_page,
};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A game's page, and the numbers that it states.
struct Page {
    game: &'static str,
    /// The page, and the folder of the tests: `rafts`; `classics` for the small games, which share both.
    name: &'static str,
    text: String,
    numbers: RuleNumbers,
}

/// Two tests write pages under `UPDATE=1`: one after the other reads a page and writes it.
static WRITING: Mutex<()> = Mutex::new(());

/// The pages of all registered games.
fn pages() -> Vec<Page> {
    playmat_seeds::GAMES.iter().map(|entry| Page::read(entry.id)).collect()
}

/// The pages of the chosen games that have one of their own.
fn own_pages() -> impl Iterator<Item = Page> {
    let pages = chosen().into_iter().map(|entry| Page::read(entry.id));
    pages.filter(|page| page.name == page.game)
}

fn rules_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rules")
}

impl Page {
    fn read(game: &'static str) -> Page {
        let own = rules_folder().join(format!("{game}.md"));
        let (name, text, numbers) = if own.exists() {
            let text = fs::read_to_string(own).unwrap();
            assert!(text.contains(TABLE), "the page of {game} has the heading");
            let numbers = rules_of_page(&text);
            (game, text, numbers)
        } else {
            let title = playmat_seeds::make(game, &Map::new()).unwrap().info().title.to_lowercase();
            let all = fs::read_to_string(rules_folder().join("classics.md")).unwrap();
            let mut sections = all.split("\n## ");
            let own = sections.find(|section| section.lines().next().unwrap().to_lowercase() == title);
            let text = own.unwrap_or_else(|| panic!("neither rules/{game}.md nor a section in classics.md"));
            ("classics", text.to_string(), RuleNumbers::read(text, "| "))
        };
        let numbers = numbers.unwrap_or_else(|error| panic!("the page of {game}: {error}"));
        Page { game, name, text, numbers }
    }

    fn sources(&self) -> Vec<PathBuf> {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
        let beside = format!("{}_", self.name);
        let is_rust = |path: &Path| path.extension().is_some_and(|ending| ending == "rs");
        let is_beside =
            |path: &Path| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(&beside));
        let list = |folder: &Path| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut found: Vec<PathBuf> = list(&tests.join(self.name)).filter(|path| is_rust(path)).collect();
        found.extend(list(&tests).filter(|path| is_rust(path) && is_beside(path)));
        found
    }

    /// The small games list beginnings of names, `tt_r1_...`, beside each rule.
    fn check_beginnings(&self) {
        let tests = self.numbers.tests(&self.sources()).unwrap();
        let by_number =
            self.numbers.covered(tests.keys()).unwrap_or_else(|error| panic!("{}: {error}", self.game));
        let rows = self.numbers.rows(&self.text).unwrap();
        for number in &self.numbers.all {
            let starts: Vec<&str> = rows[number].iter().map(|start| start.trim_end_matches("...")).collect();
            for start in &starts {
                assert!(
                    tests.keys().any(|test| test.starts_with(start)),
                    "{number}: no test is named {start}"
                );
            }
            for test in &by_number[number] {
                let is_listed = starts.iter().any(|start| test.starts_with(start));
                assert!(is_listed, "{number}: rules/{}.md does not list {test}", self.name);
            }
        }
    }

    fn check_tests(&self) {
        let path = rules_folder().join(format!("{}.md", self.game));
        let update = std::env::var_os("UPDATE").is_some();
        compare_rules_with(&path, &self.sources(), update).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// The page's section of what play need not show, from the game's hooks: the balance report gives the same reasons. Empty without any.
fn excuses(game: &dyn AnyGame) -> String {
    if game.excuses().is_empty() {
        return String::new();
    }
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

/// The sources in a folder and in those inside it, without hooks: a list of expected rules decides none.
fn code(folder: &Path) -> String {
    let mut sources = String::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            sources.push_str(&code(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("conformance.rs") {
            // The small games have rules and hooks in one file, with the hooks last.
            sources.push_str(fs::read_to_string(path).unwrap().split("fn hooks(").next().unwrap());
        }
    }
    sources
}

fn code_of(page: &Page) -> String {
    code(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(page.name))
}

/// The numbers of a page that stand in a text. A list has the letters once: `GR-R13, R14`.
fn named(numbers: &RuleNumbers, text: &str) -> BTreeSet<String> {
    let start = format!("{}-", numbers.prefix);
    let lists = text.split(&start).skip(1).flat_map(|rest| {
        let words = rest.split(|c: char| !c.is_ascii_alphanumeric());
        let words = words.filter(|word| !["", "and", "or", "to"].contains(word));
        words.map(|word| format!("{start}{word}")).take_while(|number| numbers.all.contains(number))
    });
    lists.collect()
}

/// The numbers of rules, as texts, in the sources of a game besides its hooks: what it reports.
fn reported(page: &Page) -> BTreeSet<String> {
    let start = format!("\"{}-", page.numbers.prefix);
    let code = code_of(page);
    let texts = code.split(&start).skip(1).filter_map(|rest| rest.split('"').next());
    texts.map(|number| format!("{}-{number}", page.numbers.prefix)).collect()
}

/// The table of letters in `docs/README.md`.
fn letters(pages: &[Page]) -> String {
    let mut table = String::from("| letters | game | page |\n|---|---|---|\n");
    for page in pages {
        let (letters, name) = (&page.numbers.prefix, page.name);
        let title = playmat_seeds::make(page.game, &Map::new()).unwrap().info().title;
        table.push_str(&format!("| {letters} | {title} | [{name}.md](../seeds/rules/{name}.md) |\n"));
    }
    table
}

#[test]
fn each_page_has_letters_of_its_own_which_the_map_of_pages_lists() {
    let pages = pages();
    let prefixes: BTreeSet<&str> = pages.iter().map(|page| page.numbers.prefix.as_str()).collect();
    assert_eq!(prefixes.len(), pages.len(), "two games with one prefix: {prefixes:?}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/README.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) =
        text.split_once("<!-- letters:begin -->\n").expect("the mark where the table begins");
    let (_, after) = rest.split_once("<!-- letters:end -->").expect("the mark where the table ends");
    let whole = format!("{before}<!-- letters:begin -->\n{}<!-- letters:end -->{after}", letters(&pages));
    if std::env::var_os("UPDATE").is_some() {
        return fs::write(path, whole).unwrap();
    }
    assert!(text == whole, "the letters in docs/README.md are others: UPDATE=1 writes them");
}

#[test]
fn every_number_of_a_page_is_named_by_the_tests_that_its_table_lists() {
    let _alone = WRITING.lock();
    own_pages().for_each(|page| page.check_tests());
    pages().iter().filter(|page| page.name != page.game).for_each(Page::check_beginnings);
}

#[test]
fn every_rule_of_a_page_is_named_in_the_code() {
    for page in chosen().into_iter().map(|entry| Page::read(entry.id)) {
        let named = named(&page.numbers, &code_of(&page));
        let is_rule = |number: &&String| number[page.numbers.prefix.len()..].starts_with("-R");
        let missing: Vec<_> =
            page.numbers.all.iter().filter(is_rule).filter(|number| !named.contains(*number)).collect();
        assert!(missing.is_empty(), "no source in src/{} names {missing:?}", page.name);
    }
}

#[test]
fn every_page_is_that_of_a_registered_game() {
    let files = fs::read_dir(rules_folder()).unwrap().map(|entry| entry.unwrap().path());
    let found: BTreeSet<_> =
        files.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(found, pages().iter().map(|page| page.name.to_string()).collect());
}

#[test]
fn a_game_expects_the_rules_that_its_sources_report_and_no_others() {
    // The small games have rules and hooks in one file.
    for page in own_pages() {
        let mut expected = BTreeSet::new();
        for game in configurations(page.game) {
            let names = game.survey(0, 0, &[]).unwrap().expected;
            expected.extend(names.into_keys().filter(|name| name.starts_with(&page.numbers.prefix)));
        }
        assert_eq!(expected, reported(&page), "conformance.rs of {}, and what its rules report", page.game);
    }
}

#[test]
fn pages_give_the_reasons_of_the_balance_report() {
    let _alone = WRITING.lock();
    let mut wrong = Vec::new();
    for page in own_pages() {
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
        let path = rules_folder().join(format!("{}.md", page.game));
        if std::env::var_os("UPDATE").is_some() {
            fs::write(path, whole).unwrap();
        }
    }
    let updated = std::env::var_os("UPDATE").is_some();
    assert!(updated || wrong.is_empty(), "pages of {wrong:?} differ from the hooks: UPDATE=1 writes them");
}

#[test]
fn every_name_that_is_excused_is_one_that_the_game_has() {
    for entry in chosen() {
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
    for entry in chosen() {
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
