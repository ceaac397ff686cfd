//! How long episodes and chains of forced moves can get: the bounds of the metadata.

use super::state::SLOTS;

/// The longest that an episode can get.
pub(super) struct Bounds {
    pub(super) decisions: usize,
    pub(super) forced: usize,
    pub(super) chance: usize,
}

impl Bounds {
    /// For a deck of this size with so many Replants in it (rules, "Ends, returns, bounds"): five decisions of each player in each turn, and
    /// the picks of Replants, which can be Replants themselves.
    pub(super) fn new(players: usize, deck_size: usize, replants: usize) -> Bounds {
        let turns = deck_size / players;
        let decisions = 5 * players * turns + replants * (replants + 1) + replants;
        Bounds { decisions, forced: players, chance: SLOTS + deck_size }
    }
}
