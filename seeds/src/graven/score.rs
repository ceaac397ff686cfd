//! The score of each player, and who wins.

use super::Graven;
use super::state::{Phase, State};
use playmat_core::prelude::*;

/// The cards left in the decks of those who are in the game.
#[inline]
pub(super) fn scores(game: &Graven, state: &State) -> Scores {
    let mut scores = [0; MAX_PLAYERS];
    for player in Player::all(game.players).filter(|player| state.plays(player.0)) {
        scores[player.index()] = state.player(player.0).deck.total() as i32;
    }
    scores
}

/// Those whom the rules declared winners; in an episode that was cut off, all who are still in the game.
pub(super) fn winners(_: &Graven, state: &State) -> Players {
    Players(if state.phase == Phase::Over { state.winners } else { state.in_game })
}
