//! The data of one environment of a batch.

use crate::agent::Memories;
use crate::game::Scores;
use crate::player::{MAX_PLAYERS, Player, Players};
use crate::rng::{EpisodeSeeds, Rng};

/// One environment: the data that every step uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot<S> {
    pub(crate) state: S,
    /// [`Rng::UNSET`] where the seed gives it: read it with [`VecSpec::rng`](crate::vec::spec::VecSpec::rng).
    pub(crate) rng: Rng,
    /// Seed of the running episode.
    pub(crate) seed: u64,
    /// Decisions of all players so far.
    pub(crate) length: u32,
    /// Players for whom the caller must decide; in the turn view one. Empty if the episode is over.
    pub(crate) acting: Players,
    /// The player of the caller's last decision in an episode that is over.
    pub(crate) last: Player,
}

impl<S> Slot<S> {
    /// Counts a decision that was applied.
    #[inline(always)]
    pub(crate) fn count_decision(&mut self) {
        self.length = self.length.saturating_add(1);
    }

    /// Whether the episode is over and no next one has started.
    #[inline(always)]
    pub(crate) fn is_over(&self) -> bool {
        self.acting.is_empty()
    }
}

/// One environment: the data used only when an episode starts or ends. The fields that every new episode reads lie in one cache line.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct EnvMeta {
    /// Seeds of the stream of episodes.
    pub(crate) seeds: EpisodeSeeds,
    /// Number of the next episode in it.
    pub(crate) next: u64,
    /// Number of nested samples that led to the state of the running episode.
    pub(crate) sampled: u32,
    /// Under `score_delta` the scores already covered by rewards. If opponents opened the episode before the caller's first decision, the
    /// scores of the state are ahead of them, and the caller's first step yields the difference. Otherwise 0.
    pub(crate) delta_base: Scores,
    /// Random stream of the opponents in the running episode.
    pub(crate) agents: Rng,
    /// Memories of agents in it.
    pub(crate) memories: Memories,
    /// Opponent of each player in the running episode, -1 for the caller.
    pub(crate) opponents: [i32; MAX_PLAYERS],
    /// Players that the caller controls in the running episode.
    pub(crate) learners: Players,
}

/// Where the decisions of opponents lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    /// To a decision of a learner.
    Learner,
    /// To the end of the episode.
    End,
    /// To a decision of an opponent that chooses for many environments at once.
    Waits(Player),
}

/// Where the start of an episode leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Begun {
    /// To a decision of a learner.
    Learner,
    /// To none: [`MAX_SKIPPED`](crate::vec::spec::MAX_SKIPPED) episodes in a row ended before. The last one stays, as an episode that is over.
    Never,
    /// To a decision of an opponent that chooses for many environments at once, after `skipped` episodes that ended before a learner decided.
    Waits { player: Player, skipped: usize },
}
