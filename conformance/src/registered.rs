//! The suite and the golden playthroughs of a registered game.

use super::report::Findings;
use super::{Report, SuiteConfig, check, golden};
use playmat_core::registry::Entry;
use serde_json::{Map, Value};
use std::path::Path;

/// Builds a game and runs the suite with the amount [for its players](SuiteConfig::for_players); if anything failed, the panic's message has
/// the checks that failed or lack a hook. What [`conformance!`](crate::conformance!) expands to.
///
/// # Panics
/// If the game does not load or any check fails.
pub fn assert_conforms(entry: &Entry, players: usize, options: &Value, config: &SuiteConfig) -> Report {
    let mut given: Map<String, Value> = options.as_object().cloned().unwrap_or_default();
    given.insert("players".into(), players.into());
    let game = match (entry.make)(&given) {
        Ok(game) => game,
        Err(error) => panic!("{} does not load: {error}", entry.id),
    };
    let report = match check(&[entry], &*game, &config.clone().for_players(players)) {
        Ok(report) => report,
        Err(error) => panic!("{error}"),
    };
    #[expect(clippy::print_stdout, reason = "what each check saw, with `cargo test -- --nocapture`")]
    if report.passed() {
        println!("{report}");
    }
    assert!(report.passed(), "failing: {}\n{}", report.failing().join(", "), Findings(&report));
    report
}

/// Compares the playthroughs of a game, with its default and its largest number of players, with `<dir>/<game>_p<players>.txt`, or writes
/// the files if `update` says so.
///
/// # Errors
/// A file is missing (a game without a golden playthrough fails), or differs: then with the first line that does. A
/// line for each file.
pub fn compare_golden(entry: &Entry, dir: &Path, update: bool) -> Result<(), String> {
    let default = (entry.make)(&Map::new()).map_err(|error| error.to_string())?;
    let mut counts = vec![default.info().players, default.info().player_range.1];
    counts.dedup();
    let compare_count = |players: usize| {
        let mut options = Map::new();
        options.insert("players".into(), Value::from(players));
        let game = (entry.make)(&options).map_err(|error| error.to_string())?;
        golden::compare(&*game, dir, update)
    };
    let wrong: Vec<String> = counts.into_iter().filter_map(|players| compare_count(players).err()).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}
