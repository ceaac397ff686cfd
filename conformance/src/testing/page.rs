//! Checks of what stands beside the code of a game: its page of rules, the golden playthroughs, and the texts that people read.
//!
//! [`game_page!`](crate::game_page!) makes a test of each function here. With the environment variable UPDATE, the golden playthroughs and the
//! two tables of the page are written instead of compared. Every function panics with all that it finds.

use super::rules::{RULES_WITHOUT_PLAY, RuleNumbers, TABLE, compare_rules_with, list_sources, rules_of_page};
use crate::{SuiteConfig, compare_golden};
use playmat_core::any::AnyGame;
use playmat_core::player::Player;
use playmat_core::registry::Entry;
use playmat_core::rng::Rng;
use playmat_core::sentences;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where the files of a game are.
#[derive(Clone, Debug)]
pub struct Files {
    /// The page of rules, in the form that [`compare_rules`](super::compare_rules) describes. A page of several games has a section for each, headed by
    /// its title, with a row `| GG-R1 | the rule | the beginnings of its tests |` for each rule.
    pub page: PathBuf,
    /// Files and folders of its code.
    pub code: Vec<PathBuf>,
    /// The folder of its tests.
    pub tests: PathBuf,
    /// The folder of golden playthroughs.
    pub golden: PathBuf,
}

impl Files {
    /// The files of a game that is a crate of its own: `rules.md`, `src`, `tests` and `tests/golden` in its folder.
    pub fn of_crate(folder: &str) -> Files {
        let folder = Path::new(folder);
        let tests = folder.join("tests");
        let golden = tests.join("golden");
        Files { page: folder.join("rules.md"), code: vec![folder.join("src")], tests, golden }
    }
}

/// Makes one test for each check of [`testing::page`](crate::testing::page). Arguments: a name, the game's
/// [`Entry`](playmat_core::registry::Entry), and its [`Files`](crate::testing::page::Files), by default those of a crate of its own.
///
/// ```text
/// playmat_conformance::game_page!(page, ENTRY);
/// ```
#[macro_export]
macro_rules! game_page {
    ($name:ident, $entry:expr) => {
        $crate::game_page!($name, $entry, $crate::testing::page::Files::of_crate(env!("CARGO_MANIFEST_DIR")));
    };
    ($name:ident, $entry:expr, $files:expr) => {
        $crate::game_page! { @tests $name, $entry, $files;
            conf_m6_golden_playthroughs = golden_playthroughs,
            every_hook_is_given_or_has_a_reason = hooks,
            the_page_names_every_field_and_event_and_nothing_else = fields_and_events,
            every_number_of_the_page_is_named_by_the_tests_that_its_table_lists = tests_of_rules,
            every_rule_of_the_page_is_named_in_the_code = rules_in_code,
            the_game_expects_the_rules_that_its_code_reports_and_no_others = expected_rules,
            the_page_gives_the_reasons_of_the_balance_report = reasons,
            every_name_that_is_excused_is_one_that_the_game_has = excused_names,
            what_greedy_agents_never_show_has_a_reason = greedy_play,
            events_are_sentences_of_what_the_viewer_receives = event_sentences,
            everything_in_the_content_is_explained = content_texts,
        }
    };
    (@tests $name:ident, $entry:expr, $files:expr; $($test:ident = $check:ident,)+) => {
        mod $name {
            #[allow(unused_imports, reason = "what the expressions of entry and files name")]
            use super::*;
            $(
                #[test]
                fn $test() {
                    $crate::testing::page::$check(&$entry, &$files);
                }
            )+
        }
    };
}

/// Episodes of random play that show the fields and events of a configuration.
const EPISODES: u64 = 12;

/// Some checks write the page: only one at a time reads or writes it.
static WRITING: Mutex<()> = Mutex::new(());

/// Whether files are to be written instead of compared.
fn update() -> bool {
    std::env::var_os("UPDATE").is_some()
}

fn made(entry: &Entry, given: &Map<String, Value>) -> Box<dyn AnyGame> {
    (entry.make)(given).unwrap_or_else(|error| panic!("{}: {error}", entry.id))
}

/// The game with its defaults, and with the options under which it shows more.
fn with_more_options(entry: &Entry) -> Vec<Box<dyn AnyGame>> {
    let default = made(entry, &Map::new());
    let options = |text: &str| {
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{}: {text}: {error}", entry.id))
    };
    let mut games: Vec<_> = default.shows_more().iter().map(|text| made(entry, &options(text))).collect();
    games.push(default);
    games
}

/// The game with each option at each value worth testing, the others at their defaults, for every number of players; and with the options
/// under which it shows more: only these have other values of an option whose values the game alone knows.
fn configurations(entry: &Entry) -> Vec<Box<dyn AnyGame>> {
    let mut all = with_more_options(entry);
    let default = made(entry, &Map::new());
    let (least, most) = default.info().player_range;
    for players in least..=most {
        for spec in default.specs().iter().filter(|spec| spec.name != "players") {
            for value in spec.samples() {
                let given = [("players", players.into()), (spec.name, value)];
                // Not every value goes with every number of players.
                all.extend((entry.make)(
                    &given.map(|(name, value)| (name.into(), value)).into_iter().collect(),
                ));
            }
        }
    }
    all
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A game's page.
struct Page<'f> {
    path: &'f Path,
    /// The whole page, or the section of the game.
    text: String,
    is_section: bool,
    numbers: RuleNumbers,
    _alone: MutexGuard<'static, ()>,
}

impl Page<'_> {
    fn read<'f>(entry: &Entry, files: &'f Files) -> Page<'f> {
        let game = made(entry, &Map::new());
        let title = game.info().title;
        let _alone = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        let (path, text) = (files.page.as_path(), read(&files.page));
        let mut sections = text.split("\n## ").skip(1);
        let section = sections
            .find(|section| section.lines().next().is_some_and(|head| head.eq_ignore_ascii_case(title)));
        let numbers = match section {
            Some(section) => RuleNumbers::read(section, "| "),
            None => rules_of_page(&text),
        };
        let numbers = numbers.unwrap_or_else(|error| {
            panic!("{}: {error} (a page of several games has a section `## {title}`)", path.display())
        });
        Page { path, is_section: section.is_some(), text: section.unwrap_or(&text).into(), numbers, _alone }
    }

    /// What is said of positions and events.
    fn positions(&self) -> &str {
        let heading = "\n## Positions and events\n";
        let from = match self.text.split_once(heading) {
            _ if self.is_section => &self.text,
            Some((_, rest)) => rest,
            None => panic!("{}: no `{}`", self.path.display(), heading.trim()),
        };
        from.split("\n## ").next().unwrap_or_default()
    }

    /// The names in the first column of the tables that begin with `| field`, and of those that begin with `| event`, the latter with the names
    /// in their second column.
    fn tables(&self) -> (BTreeSet<String>, BTreeMap<String, BTreeSet<String>>) {
        let (mut fields, mut events) = (BTreeSet::new(), BTreeMap::new());
        let mut table: Option<String> = None;
        for line in self.positions().lines() {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            match (cells.get(1), table.as_deref()) {
                (Some(head), None) => table = head.split(' ').next().map(String::from),
                (Some(first), Some("field")) => fields.extend(quoted(first)),
                (Some(first), Some("event")) => {
                    for name in quoted(first) {
                        let is_new = events.insert(name.clone(), quoted(cells[2])).is_none();
                        assert!(is_new, "{}: {name} twice", self.path.display());
                    }
                }
                (Some(_), _) => {}
                (None, _) => table = None,
            }
        }
        (fields, events)
    }
}

/// Names between backticks.
fn quoted(text: &str) -> BTreeSet<String> {
    text.split('`').skip(1).step_by(2).map(String::from).collect()
}

/// The code of a game without its hooks: a list of expected rules decides none, and makes no event.
fn code(files: &Files) -> String {
    let mut sources = Vec::new();
    for place in files.code.iter().filter(|place| place.exists()) {
        if place.is_dir() {
            list_sources(place, &mut sources).unwrap_or_else(|error| panic!("{error}"));
        } else {
            sources.push(place.clone());
        }
    }
    sources.retain(|path| !path.ends_with("conformance.rs"));
    // A game of a single file has rules and hooks in it, with the hooks last.
    sources.iter().flat_map(|path| read(path).split("fn hooks(").next().map(String::from)).collect()
}

/// The numbers of the rules that the game's page, or its section of a page, states.
///
/// # Panics
/// If it states none, or misspells or leaves out one.
pub fn rule_numbers(entry: &Entry, files: &Files) -> RuleNumbers {
    Page::read(entry, files).numbers
}

/// M6: compares the golden playthroughs, or writes them.
///
/// # Panics
/// If one is missing or differs.
pub fn golden_playthroughs(entry: &Entry, files: &Files) {
    compare_golden(entry, &files.golden, update()).unwrap_or_else(|error| panic!("{error}"));
}

/// Every check of the suite that needs a hook has it, or the game says why there is none, with every option.
///
/// # Panics
/// If a hook is missing.
pub fn hooks(entry: &Entry, _: &Files) {
    let only = ["H3", "H4", "M7", "M8", "V11"].map(String::from).to_vec();
    let config = SuiteConfig { only, ..SuiteConfig::scaled(0.01) };
    for given in entry.configurations().unwrap_or_else(|error| panic!("{error}")) {
        let report = crate::check(&[entry], &*made(entry, &given), &config).expect("its own game");
        let missing = report.checks.iter().filter_map(|check| {
            let hook = check.not_given.as_ref()?;
            Some(format!("\n{} needs {hook}, or a reason in `none`", check.id))
        });
        let missing: String = missing.collect();
        assert!(missing.is_empty(), "{} {given:?}: `Show::hooks`:{missing}", entry.id);
    }
}

/// What play shows.
#[derive(Default)]
struct Seen {
    fields: BTreeSet<String>,
    events: BTreeMap<String, BTreeSet<String>>,
}

impl Seen {
    fn of(entry: &Entry) -> Seen {
        let mut seen = Seen::default();
        for game in with_more_options(entry) {
            let content = game.content_entries().into_iter().map(|entry| entry.id).collect();
            for seed in 0..EPISODES {
                seen.episode(&*game, seed, &content).unwrap_or_else(|error| panic!("{}: {error}", entry.id));
            }
        }
        seen
    }

    fn episode(
        &mut self,
        game: &dyn AnyGame,
        seed: u64,
        content: &BTreeSet<String>,
    ) -> playmat_core::error::Result<()> {
        let mut env = game.env(seed);
        let last = Player((game.info().players - 1) as u8);
        loop {
            for viewer in [None, Some(Player(0)), Some(last)] {
                self.json(&env.to_json(viewer)?["state"], content);
                env.events(viewer)?.iter().filter_map(Value::as_object).for_each(|event| self.event(event));
            }
            let Some(player) = env.acting().first() else { return Ok(()) };
            let action = env.sample_action(player)?;
            env.step_player(player, action.0.into())?;
        }
    }

    /// Fields are lower-case words. Other keys count by something: by an id of the content, a terrain, a player.
    fn json(&mut self, value: &Value, content: &BTreeSet<String>) {
        match value {
            Value::Object(map) => {
                for (name, value) in map {
                    let is_word = name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
                    if is_word && !content.contains(name) {
                        self.fields.insert(name.clone());
                    }
                    self.json(value, content);
                }
            }
            Value::Array(list) => list.iter().for_each(|value| self.json(value, content)),
            _ => {}
        }
    }

    fn event(&mut self, event: &Map<String, Value>) {
        let name = event["event"].as_str().unwrap_or_default();
        // The engine's own, of every game.
        if name != "update" {
            let fields = self.events.entry(name.into()).or_default();
            let own = |key: &&String| !["event", "text", "changes"].contains(&key.as_str());
            fields.extend(event.keys().filter(own).cloned());
        }
    }
}

/// The page names every field of the JSON of positions and every event with its fields, and names nothing else.
///
/// # Panics
/// If it does not.
pub fn fields_and_events(entry: &Entry, files: &Files) {
    let (seen, page, code) = (Seen::of(entry), Page::read(entry, files), code(files));
    let (said, (fields, events)) = (quoted(page.positions()), page.tables());
    let after = code.split("event!(\"").skip(1);
    let made: BTreeSet<String> = after.filter_map(|rest| rest.split('"').next()).map(String::from).collect();
    let mut wrong = Vec::new();
    let mut say = |what: &str, names: Vec<&String>| {
        if !names.is_empty() {
            wrong.push(format!("{}: {what}: {names:?}", entry.id));
        }
    };
    say("fields that the page does not name", seen.fields.difference(&said).collect());
    say("fields that no JSON has", fields.difference(&seen.fields).collect());
    let missing = made.iter().filter(|name| !events.contains_key(*name));
    say("events that the page does not name", missing.collect());
    say("events that there are not", events.keys().filter(|name| !made.contains(*name)).collect());
    for (name, fields) in &seen.events {
        let known = events.get(name).cloned().unwrap_or_default();
        let missing = fields.iter().filter(|field| *field != "player" && !known.contains(*field));
        say(&format!("fields of `{name}` that the page does not name"), missing.collect());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every number of the page is named by the tests that its table lists. In a section of a page, the last cell of a rule's row lists beginnings
/// of the names of its tests (`tt_r1_...`); in a page of one game, the table is compared or written.
///
/// # Panics
/// If a number has no test, or the table has others.
pub fn tests_of_rules(entry: &Entry, files: &Files) {
    let mut sources = Vec::new();
    let listed = list_sources(&files.tests, &mut sources);
    let page = Page::read(entry, files);
    let compared = match page.is_section {
        false => compare_rules_with(page.path, &sources, update()),
        true => compare_beginnings(&page, &sources),
    };
    listed.and(compared).unwrap_or_else(|error| panic!("{error}"));
}

fn compare_beginnings(page: &Page<'_>, sources: &[PathBuf]) -> Result<(), String> {
    let tests = page.numbers.tests(sources)?;
    let (covered, rows) = (page.numbers.covered(tests.keys())?, page.numbers.rows(&page.text)?);
    for number in &page.numbers.all {
        let starts: Vec<&str> = rows[number].iter().map(|start| start.trim_end_matches("...")).collect();
        if let Some(start) = starts.iter().find(|start| !tests.keys().any(|test| test.starts_with(**start))) {
            return Err(format!("{number}: no test is named {start}"));
        }
        let is_listed = |test: &&String| starts.iter().any(|start| test.starts_with(start));
        if let Some(test) = covered[number].iter().find(|test| !is_listed(test)) {
            return Err(format!("{number}: {} does not list {test}", page.path.display()));
        }
    }
    Ok(())
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

/// Every rule of the page (R, not rulings and examples) is named in the code.
///
/// # Panics
/// If one is not.
pub fn rules_in_code(entry: &Entry, files: &Files) {
    let numbers = rule_numbers(entry, files);
    let named = named(&numbers, &code(files));
    let is_rule = |number: &&String| number[numbers.prefix.len()..].starts_with("-R");
    let missing: Vec<_> =
        numbers.all.iter().filter(is_rule).filter(|&number| !named.contains(number)).collect();
    assert!(missing.is_empty(), "{}: no source names {missing:?}", entry.id);
}

/// The numbers that the hook `expected` names under some options are those that the code reports. Games that share a page are left out.
///
/// # Panics
/// If they differ.
pub fn expected_rules(entry: &Entry, files: &Files) {
    let page = Page::read(entry, files);
    if page.is_section {
        return;
    }
    let mut expected = BTreeSet::new();
    for game in configurations(entry) {
        let names = expected_names(&*game);
        expected.extend(names.into_iter().filter(|name| name.starts_with(&page.numbers.prefix)));
    }
    let (prefix, code) = (&page.numbers.prefix, code(files));
    let start = format!("\"{prefix}-");
    let texts = code.split(&start).skip(1).filter_map(|rest| rest.split('"').next());
    let reported: BTreeSet<String> = texts.map(|number| format!("{prefix}-{number}")).collect();
    let (unnamed, unreported): (Vec<_>, Vec<_>) =
        (reported.difference(&expected).collect(), expected.difference(&reported).collect());
    let differ = "`expected` in conformance.rs and the rules that the code logs differ";
    assert!(unnamed.is_empty(), "{}: {differ}: `expected` does not name {unnamed:?}", entry.id);
    assert!(unreported.is_empty(), "{}: {differ}: no code logs {unreported:?}", entry.id);
}

fn expected_names(game: &dyn AnyGame) -> Vec<String> {
    let survey = game.survey(0, 0, &[]).unwrap_or_else(|error| panic!("{error}"));
    survey.expected.into_keys().collect()
}

/// The page gives the reasons of the hooks `unreached` and `idle`, as the balance report does: the section is compared, or written. Games that
/// share a page are left out.
///
/// # Panics
/// If it differs.
pub fn reasons(entry: &Entry, files: &Files) {
    let page = Page::read(entry, files);
    if page.is_section {
        return;
    }
    let section = excuses(&*made(entry, &Map::new()));
    let (before, after) = match page.text.split_once(RULES_WITHOUT_PLAY) {
        Some((before, old)) => (before, old.find("\n## ").map_or("", |at| &old[at..])),
        None => page.text.split_at(page.text.find(TABLE).unwrap_or(page.text.len())),
    };
    let whole = format!("{before}{section}{after}");
    let path = page.path.display();
    if whole != page.text {
        assert!(update(), "{path}: the reasons differ from the hooks: UPDATE=1 writes them");
        fs::write(page.path, whole).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
}

/// The page's section of what play need not show. Empty without any.
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

/// Every name that the hooks `unreached` and `idle` excuse is one that the game has under some options.
///
/// # Panics
/// If one is unknown or there twice.
pub fn excused_names(entry: &Entry, _: &Files) {
    let mut known = BTreeSet::new();
    for game in configurations(entry) {
        known.extend(expected_names(&*game));
        known.extend(game.info().actions.iter().map(|range| format!("action {}", range.name)));
    }
    let excuses = made(entry, &Map::new()).excuses();
    let names: Vec<_> = excuses.into_iter().map(|(name, _)| name).collect();
    let unknown: Vec<_> = names.iter().filter(|name| !known.contains(**name)).collect();
    assert!(unknown.is_empty(), "{}: {unknown:?}", entry.id);
    let set: BTreeSet<_> = names.iter().collect();
    assert_eq!(set.len(), names.len(), "{}: a name twice", entry.id);
}

/// Expected names and kinds of actions that 600 episodes of greedy agents never show have a reason.
///
/// # Panics
/// If one has none.
pub fn greedy_play(entry: &Entry, _: &Files) {
    let game = made(entry, &Map::new());
    let survey = game.agent("greedy").and_then(|greedy| game.survey(600, 0, &[greedy]));
    let survey = survey.unwrap_or_else(|error| panic!("{}: {error}", entry.id));
    let names = survey.expected.iter().filter(|(name, reason)| {
        reason.is_none() && !name.starts_with("action ") && !survey.coverage.contains_key(*name)
    });
    let mut without: Vec<String> = names.map(|(name, _)| name.clone()).collect();
    let idle = game.info().actions.iter().filter(|range| !survey.actions.contains_key(range.name));
    let idle = idle.map(|range| format!("action {}", range.name));
    without.extend(idle.filter(|name| !matches!(survey.expected.get(name), Some(Some(_)))));
    assert!(without.is_empty(), "{}: {without:?}", entry.id);
}

/// Every event has a sentence, in words, of what its viewer receives.
///
/// # Panics
/// If one has none, or one that people cannot read.
pub fn event_sentences(entry: &Entry, _: &Files) {
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for game in with_more_options(entry) {
        for seed in 0..6 {
            let played = sentences_of(entry.id, &*game, seed, &mut texts);
            played.unwrap_or_else(|error| panic!("{}: {error}", entry.id));
        }
    }
    assert!(!texts.is_empty(), "{}", entry.id);
    let plain: Vec<_> = texts.iter().filter(|(_, texts)| texts.is_empty()).map(|(kind, _)| kind).collect();
    assert!(plain.is_empty(), "{} has no words for {plain:?}", entry.id);
}

fn sentences_of(
    id: &str,
    game: &dyn AnyGame,
    seed: u64,
    texts: &mut BTreeMap<String, BTreeSet<String>>,
) -> playmat_core::error::Result<()> {
    let agent = game.agent("greedy")?;
    let mut env = game.env(seed);
    let mut draws = Rng::from_seed(seed);
    while let Some(player) = env.acting().first().filter(|_| env.decisions() < 400) {
        let legal = env.legal_actions(player)?;
        // Greedy play reaches what random play does not, and the other way round.
        let action = match draws.below(2) {
            0 => legal[draws.below(legal.len() as u32) as usize],
            _ => env.act(&agent, player)?.0,
        };
        env.step(action.into())?;
        for viewer in [None].into_iter().chain(Player::all(game.info().players).map(Some)) {
            env.events(viewer)?.iter().for_each(|event| check_sentence(id, event, texts));
        }
    }
    Ok(())
}

/// An event has a sentence, in words, that names nobody whom its fields do not.
fn check_sentence(game: &str, event: &Value, texts: &mut BTreeMap<String, BTreeSet<String>>) {
    let mut fields = event.as_object().cloned().unwrap_or_default();
    assert!(fields.remove("changes").is_some(), "{event}");
    let kind = fields["event"].as_str().unwrap_or_default().to_string();
    if kind == "update" {
        assert!(fields.get("text").is_none(), "{event}");
        return;
    }
    let Some(Value::String(text)) = fields.remove("text") else { panic!("{game}: no sentence: {event}") };
    let begins = |c: char| c.is_uppercase() || c.is_ascii_digit() || c == '"';
    assert!(text.starts_with(begins), "{game}: {text}");
    assert!(text.ends_with('.') && !text.ends_with(". ."), "{game}: {text}");
    assert!(!text.to_lowercase().contains("seat") && !text.contains(['_', '{', '[']), "{game}: {text}");
    assert!(!text.contains("  ") && !text.contains(" ."), "{game}: {text}");
    let known = texts.entry(kind).or_default();
    if text != sentences::plain(&fields) || fields.len() == 1 {
        known.insert(text.clone());
    }
    let fields = Value::Object(fields).to_string();
    let names = text.to_lowercase();
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    for number in numbers.filter(|number| names.contains(&format!("player {number}"))) {
        let is_there = [number, "bids", "scores"].iter().any(|part| fields.contains(part));
        assert!(is_there, "{game}: {text} of {fields}");
    }
}

/// Everything in the content has a name and a text, and an id of its own; a game without content has no entries.
///
/// # Panics
/// If something has none.
pub fn content_texts(entry: &Entry, _: &Files) {
    for game in with_more_options(entry) {
        let entries = game.content_entries();
        assert_eq!(entries.is_empty(), game.info().content_name.is_empty(), "{}", entry.id);
        let ids: BTreeSet<_> = entries.iter().map(|entry| (entry.kind, &entry.id)).collect();
        assert_eq!(ids.len(), entries.len(), "{}", entry.id);
        for own in &entries {
            assert!(!own.text.is_empty() && !own.name.is_empty(), "{own:?}");
            assert!(!own.text.contains("  ") && !own.text.ends_with([';', ' ', ':']), "{own:?}");
        }
    }
}
