//! The state: fixed arrays without pointers, and who sees which die.

use playmat_core::prelude::*;
use serde::{Deserialize, Serialize};

/// Largest number of players.
pub(crate) const MAX_PLAYERS: usize = 4;
/// Faces of a die.
pub(crate) const FACES: usize = 6;

/// One episode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The die of each player, 1 to 6; 0 before it is rolled and beyond the last player.
    pub dice: [u8; MAX_PLAYERS],
    /// The bids so far, a bit per action. Bids rise, and players take turns, so this is also who bid what.
    pub bids: u32,
    /// Whether the last bid was doubted: the episode is over.
    pub called: bool,
}

impl State {
    /// The last bid.
    pub fn last_bid(&self) -> Option<Action> {
        self.bids.checked_ilog2().map(|bid| Action(bid as u16))
    }

    /// The player whose turn it is, or who called the last bidder a liar (LD-R2).
    pub fn turn(&self, players: usize) -> Player {
        Player(0).relative(self.bids.count_ones() as usize % players, players)
    }

    /// The one visibility rule: everybody sees the own die, and all dice once a bid was doubted (LD-R3).
    pub fn die(&self, owner: Player) -> Visibility {
        if self.called { Visibility::Public } else { Visibility::Owner(owner) }
    }
}
