//! The games of playmat, one folder each; nothing is shared between them but the engine.

pub mod classics;
pub mod graft;
pub mod graphia;
pub mod graven;
pub mod gravitix;
pub mod rafts;

use playmat_core::any::{AnyGame, Entry};
use playmat_core::error::Result;
use serde_json::{Map, Value};

/// Every game of the library: one line each. A static, so that the games are compiled here and not again in every crate
/// that names it.
pub static GAMES: &[Entry] = &[
    Entry::of::<classics::ConnectFour>(),
    Entry::of::<classics::Goofspiel>(),
    Entry::of::<graft::Graft>(),
    Entry::of::<graphia::Graphia>(),
    Entry::of::<graven::Graven>(),
    Entry::of::<gravitix::Gravitix>(),
    Entry::of::<classics::KuhnPoker>(),
    Entry::of::<classics::LeducPoker>(),
    Entry::of::<rafts::Rafts>(),
    Entry::of::<classics::TicTacToe>(),
];

/// Builds a registered game from its options, a JSON object.
///
/// # Errors
/// `UnknownGame`, `InvalidOption`, `Content`.
pub fn make(name: &str, options: &Map<String, Value>) -> Result<Box<dyn AnyGame>> {
    playmat_core::any::make(GAMES, name, options)
}
