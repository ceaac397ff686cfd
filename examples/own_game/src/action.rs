//! Numbers of actions: bids by number of dice and face, then `liar`.

use crate::LiarsDice;
use crate::state::FACES;
use playmat_core::prelude::*;

/// A bid: at least `dice` dice show `face`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bid {
    /// 1 to the number of players.
    pub(crate) dice: u8,
    /// 1 to 6.
    pub(crate) face: u8,
}

impl Bid {
    /// The bid of an action that is one.
    pub(crate) fn of(action: Action) -> Bid {
        Bid { dice: (action.index() / FACES) as u8 + 1, face: (action.index() % FACES) as u8 + 1 }
    }

    /// Its action.
    pub(crate) fn action(self) -> Action {
        Action((usize::from(self.dice - 1) * FACES) as u16 + u16::from(self.face - 1))
    }
}

impl LiarsDice {
    /// The action that doubts the last bid; its number is also the number of bids.
    pub(crate) fn liar(&self) -> Action {
        Action((self.players * FACES) as u16)
    }
}
