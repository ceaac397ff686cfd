//! The waiting list of a shard: environments in which an opponent must decide that chooses for many at once. [`opponents`](super::opponents)
//! lets it choose.

use crate::player::{Player, Players};

/// The call that an environment is in the middle of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stage {
    /// A step: `open` are the learners whose choices are not applied yet, `viewer` is the one whose choice was applied last.
    Step { open: Players, viewer: Player },
    /// The start of an episode, for the first time.
    Deal,
    /// The start of an episode, after this many that ended before a learner decided.
    Begin { skipped: usize },
}

/// An environment that waits for an opponent.
#[derive(Debug)]
pub(super) struct Waiting<L> {
    /// Its place in the shard.
    pub(super) at: usize,
    pub(super) player: Player,
    pub(super) opponent: i32,
    pub(super) legal: L,
    /// Its choice; -1 before.
    pub(super) action: i64,
    pub(super) stage: Stage,
}

/// The environments of a shard that wait for opponents.
#[derive(Debug)]
pub(crate) struct WaitingList<L> {
    pub(super) waiting: Vec<Waiting<L>>,
    /// Those for which opponents have chosen.
    pub(super) chosen: Vec<Waiting<L>>,
}

// `derive` would add an `L: Default` bound.
impl<L> Default for WaitingList<L> {
    fn default() -> Self {
        WaitingList { waiting: Vec::new(), chosen: Vec::new() }
    }
}

impl<L> WaitingList<L> {
    /// Removes the entries that a call left when it panicked.
    pub(crate) fn clear(&mut self) {
        self.waiting.clear();
        self.chosen.clear();
    }
}
