//! What may be chosen.

use crate::LiarsDice;
use crate::state::State;
use playmat_core::prelude::*;

/// LD-R2: every higher bid, and to doubt the last one if there is one.
pub(crate) fn legal(game: &LiarsDice, state: &State, _: Player) -> Bits<1> {
    let liar = game.liar().0;
    let bids = (1u64 << liar) - 1;
    match state.last_bid() {
        None => Bits([bids]),
        Some(last) => Bits([bids & !((2 << last.0) - 1) | 1 << liar]),
    }
}
