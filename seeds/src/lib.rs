//! The games of playmat, one folder each; nothing is shared between them but the engine.

pub use playmat_classics as classics;
pub use playmat_graft as graft;
pub use playmat_graphia as graphia;
pub use playmat_graven as graven;
pub use playmat_gravitix as gravitix;
pub use playmat_rafts as rafts;

use playmat_core::any::AnyGame;
use playmat_core::conformance::{Report, SuiteConfig};
use playmat_core::error::Result;
use playmat_core::registry::Entry;
use serde_json::{Map, Value};

/// Every game of the library: one line each.
pub static GAMES: &[&Entry] = &[
    &classics::CONNECT_FOUR,
    &classics::GOOFSPIEL,
    &graft::ENTRY,
    &graphia::ENTRY,
    &graven::ENTRY,
    &gravitix::ENTRY,
    &classics::KUHN_POKER,
    &classics::LEDUC_POKER,
    &rafts::ENTRY,
    &classics::TIC_TAC_TOE,
];

/// Builds a registered game from its options, a JSON object.
///
/// # Errors
/// `UnknownGame`, `InvalidOption`, `Content`.
pub fn make(name: &str, options: &Map<String, Value>) -> Result<Box<dyn AnyGame>> {
    playmat_core::registry::make(GAMES, name, options)
}

/// Runs the conformance suite on a registered game, with what the game adds to it.
///
/// # Errors
/// `UnknownGame` for a game of another registry.
pub fn conformance(game: &dyn AnyGame, config: &SuiteConfig) -> Result<Report> {
    playmat_core::registry::conformance(GAMES, game, config)
}
