//! Mutants: every implementation here has exactly one defect.
//!
//! [`game`] is a game with broken rules or views. [`dice`] is another game, which leaks chance and private options. [`env`](mod@env) and [`batch`]
//! are broken environments and batches [`around`] a correct game, [`draws`] holds broken generators, and in [`search`] a search of a correct game is
//! given the true state. For each defect the tests name the checks of the conformance suite that must find it, and run the suite.

pub mod around;
pub mod batch;
pub mod dice;
pub mod draws;
pub mod env;
pub mod game;
pub mod search;

use playmat_conformance::{self as conformance, Report, SuiteConfig};
use playmat_core::env::ConfiguredGame;
use playmat_core::tested::Tested;
use playmat_core::toy::Toll;
use serde_json::{Map, Value, json};
use std::path::Path;
use std::sync::Arc;

/// The suite's configuration; large enough to find every defect.
pub fn config() -> SuiteConfig {
    SuiteConfig {
        episodes: 9,
        sweep: 300,
        positions: 16,
        samples: 900,
        corrupted: 1_000,
        ..SuiteConfig::default()
    }
}

fn options(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

/// The suite's report on a game with this defect.
pub fn report_on_game(defect: game::Defect) -> Report {
    report_on_players(defect, 3)
}

/// The same with this number of players.
pub fn report_on_players(defect: game::Defect, players: usize) -> Report {
    let given = options(&json!({ "players": players, "defect": defect.name() }));
    let configured =
        Arc::new(ConfiguredGame::<game::BrokenToll>::new(&given).expect("defects are options of their game"));
    conformance::run(&Tested::new(&configured), &config())
}

/// The report of one check on a game with this defect.
pub fn report_of_check(defect: game::Defect, id: &str) -> Report {
    let given = options(&json!({ "players": 3, "defect": defect.name() }));
    let configured =
        Arc::new(ConfiguredGame::<game::BrokenToll>::new(&given).expect("defects are options of their game"));
    let config = SuiteConfig { only: vec![id.into()], ..config() };
    conformance::run(&Tested::new(&configured), &config)
}

/// The suite's report on the game of dice with options, some of which are defects.
pub fn report_on_dice(given: &Value) -> Report {
    report_on_cups::<false>(given)
}

/// The same for the game of dice that declares that only the deal draws random numbers.
pub fn report_on_dice_declared_once(given: &Value) -> Report {
    report_on_cups::<true>(given)
}

fn report_on_cups<const ONCE: bool>(given: &Value) -> Report {
    let configured = Arc::new(ConfiguredGame::<dice::Cups<ONCE>>::new(&options(given)).expect("options fit"));
    conformance::run(&Tested::new(&configured), &config())
}

/// The toy game that the mutants wrap.
fn toy() -> Arc<ConfiguredGame<Toll>> {
    Arc::new(ConfiguredGame::<Toll>::new(&options(&json!({ "players": 3 }))).expect("options fit"))
}

/// The suite's report on the toy game with a broken environment.
pub fn report_on_env(defect: env::Defect) -> Report {
    env::BrokenGame { configured: toy(), defect }.conformance(&config())
}

/// The suite's report on the toy game with a broken environment, and with a folder of golden playthroughs.
pub fn report_on_playthrough(defect: env::Defect, golden: &Path) -> Report {
    let config = SuiteConfig { golden: Some(golden.into()), ..config() };
    env::BrokenGame { configured: toy(), defect }.conformance(&config)
}

/// Writes the playthrough of the toy game into a folder.
///
/// # Errors
/// The file cannot be written.
pub fn write_playthrough(folder: &Path) -> Result<(), String> {
    conformance::golden::compare(&toy(), folder, true)
}

/// The suite's report on the toy game with a broken generator.
pub fn report_on_draws(defect: draws::Defect) -> Report {
    let config = SuiteConfig { draws: defect.maker(), ..config() };
    batch::BrokenMaker { configured: toy(), defect: batch::Defect::Nothing }.conformance(&config)
}

/// The suite's report on the toy game with a broken batch.
pub fn report_on_batch(defect: batch::Defect) -> Report {
    batch::BrokenMaker { configured: toy(), defect }.conformance(&config())
}
