//! Who loses, and what that costs.

use crate::LiarsDice;
use crate::action::Bid;
use crate::state::State;
use playmat_core::prelude::*;

/// Dice that count for a face (LD-R4).
fn showing(game: &LiarsDice, state: &State, face: u8) -> usize {
    state.dice.iter().filter(|&&die| die == face || (game.wild && die == 6)).count()
}

/// LD-R3: the doubter if the bid was true, else the bidder. Call it only when a bid was doubted.
pub(crate) fn loser(game: &LiarsDice, state: &State) -> Player {
    let doubter = state.turn(game.players);
    match state.last_bid().map(Bid::of) {
        Some(bid) if showing(game, state, bid.face) < usize::from(bid.dice) => {
            doubter.relative(game.players - 1, game.players)
        }
        _ => doubter,
    }
}

/// LD-R5: the loser pays one point to everybody else.
pub(crate) fn scores(game: &LiarsDice, state: &State) -> Scores {
    let mut scores = [0; MAX_PLAYERS];
    if state.called {
        scores[..game.players].fill(1);
        scores[loser(game, state).index()] = 1 - game.players as i32;
    }
    scores
}

/// LD-R5: everybody but the loser.
pub(crate) fn winners(game: &LiarsDice, state: &State) -> Players {
    let mut winners = Players::all(game.players);
    winners.remove(loser(game, state));
    winners
}
