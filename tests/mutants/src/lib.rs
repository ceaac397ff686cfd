//! Mutants: everything here lies in exactly one way.
//!
//! [`game`] holds a game whose rules or views lie, [`dice`] another that lies about chance, [`env`](mod@env) environments and
//! [`batch`] batches that lie [`around`] a correct game.
//! Each lie names the check of the conformance suite that must find it; the tests run the suite on every one.

pub mod around;
pub mod batch;
pub mod dice;
pub mod env;
pub mod game;

use playmat_core::conformance::{self, Report, SuiteConfig};
use playmat_core::env::ConfiguredGame;
use playmat_core::show::Show;
use playmat_core::toy::Toll;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Amounts of the suite that find every lie.
pub fn config() -> SuiteConfig {
    SuiteConfig {
        episodes: 9,
        sweep: 300,
        positions: 16,
        samples: 900,
        forged: 1_000,
        ..SuiteConfig::default()
    }
}

fn options(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

/// The suite's report on a game with this lie.
pub fn report_on_game(lie: game::Lie) -> Report {
    let given = options(&json!({ "players": 3, "lie": lie.name() }));
    let configured =
        Arc::new(ConfiguredGame::<game::Liar>::new(&given).expect("lies are options of their game"));
    conformance::run(&configured, &config(), &configured.game.hooks())
}

/// The suite's report on the game of dice with options, which are lies or not.
pub fn report_on_dice(given: &Value) -> Report {
    let configured = Arc::new(ConfiguredGame::<dice::Cups>::new(&options(given)).expect("options fit"));
    conformance::run(&configured, &config(), &configured.game.hooks())
}

/// The toy game that the lies are told about.
fn toy() -> Arc<ConfiguredGame<Toll>> {
    Arc::new(ConfiguredGame::<Toll>::new(&options(&json!({ "players": 3 }))).expect("options fit"))
}

/// The suite's report on the toy game behind a lying environment.
pub fn report_on_env(lie: env::Lie) -> Report {
    env::BrokenGame { configured: toy(), lie }.conformance(&config())
}

/// The suite's report on the toy game behind a lying batch.
pub fn report_on_batch(lie: batch::Lie) -> Report {
    batch::BrokenMaker { configured: toy(), lie }.conformance(&config())
}
