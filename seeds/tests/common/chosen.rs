//! The games of a test of all games.

use playmat_core::any::AnyGame;
use playmat_core::registry::Entry;
use serde_json::Map;

/// All registered games, or the one that the environment variable PLAYMAT_GAME names: a new game is tested without the others.
///
/// # Panics
/// If there is no such game.
pub(crate) fn chosen() -> Vec<&'static Entry> {
    let Some(id) = std::env::var_os("PLAYMAT_GAME") else { return playmat_seeds::GAMES.to_vec() };
    let found: Vec<_> = playmat_seeds::GAMES.iter().copied().filter(|entry| id == entry.id).collect();
    assert!(!found.is_empty(), "PLAYMAT_GAME={}: no game of the registry", id.display());
    found
}

/// The game with its defaults, and with the options under which it shows more.
#[allow(dead_code, reason = "not every test of all games plays them")]
pub(crate) fn with_more_options(entry: &Entry) -> Vec<Box<dyn AnyGame>> {
    let made =
        |given: &Map<_, _>| (entry.make)(given).unwrap_or_else(|error| panic!("{}: {error}", entry.id));
    let default = made(&Map::new());
    let more = default.shows_more().iter().map(|options| {
        made(
            &serde_json::from_str(options).unwrap_or_else(|error| panic!("{}: {options}: {error}", entry.id)),
        )
    });
    let mut games: Vec<_> = more.collect();
    games.push(default);
    games
}
