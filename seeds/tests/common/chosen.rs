//! The games of a test of all games.

use playmat_core::registry::Entry;

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
