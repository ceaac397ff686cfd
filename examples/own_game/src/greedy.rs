//! The greedy agent.

use crate::LiarsDice;
use crate::action::Bid;
use crate::state::State;
use playmat_core::prelude::*;

/// Doubts a bid that needs more dice of others than chance gives them, else makes the smallest bid on its own face, else doubts.
pub(crate) fn greedy(game: &LiarsDice, state: &State, player: Player, _: &mut Rng) -> Action {
    let die = state.dice[player.index()];
    let last = state.last_bid();
    // One die in three counts with wild sixes, one in six without.
    let expected = (game.players - 1) / if game.wild { 3 } else { 6 };
    let is_likely = |bid: Bid| {
        let own = bid.face == die || (game.wild && die == 6);
        usize::from(bid.dice) <= expected + usize::from(own)
    };
    let own_bids = (1..=game.players as u8).map(|dice| Bid { dice, face: die }.action());
    let own_bid = own_bids.into_iter().find(|&action| last.is_none_or(|last| action > last));
    match (last, own_bid) {
        (Some(last), Some(bid)) if is_likely(Bid::of(last)) => bid,
        (None, Some(bid)) => bid,
        _ => game.liar(),
    }
}
