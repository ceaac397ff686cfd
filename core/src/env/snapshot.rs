//! What an environment can be continued from, and what its last step is replayed from.

use crate::game::{Game, Status};
use crate::list::List;
use crate::player::MAX_PLAYERS;
use crate::reward::Rewards;
use crate::rng::{self, Rng, Stream};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Everything of an environment but its history. The returns so far are not part of it: they depend only on the state and on the kind of
/// reward under which it is loaded.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Snapshot<G: Game> {
    /// The state.
    pub state: G::State,
    /// The random stream of chance.
    pub rng: Rng,
    /// Seed from which later episodes are derived.
    pub root: u64,
    /// Number of this episode among them.
    pub episode: u64,
    /// Its own seed.
    pub seed: u64,
    /// Decisions so far, of all players.
    pub decisions: u32,
    /// Number of nested samples that led to the state; 0 for a played state. Saved with the streams, because it is not part of the
    /// position.
    #[serde(skip)]
    pub sampled: u32,
}

// `derive` would add the bounds `G: Clone` and `G: Copy`.
impl<G: Game> Clone for Snapshot<G> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Game> Copy for Snapshot<G> {}

/// The states of an episode's random streams other than chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streams {
    /// Draws of `sample_action`.
    pub sample: Rng,
    /// Decisions of agents.
    pub agents: Rng,
    /// Number of clones made in the episode without a seed: each has its own stream.
    pub clones: u64,
}

impl Streams {
    /// The streams at the start of the episode of a seed.
    pub(crate) fn of(seed: u64) -> Streams {
        Streams {
            sample: rng::stream(seed, Stream::Sample),
            agents: rng::stream(seed, Stream::Agents),
            clones: 0,
        }
    }
}

/// Where an episode began.
#[derive(Debug)]
pub enum Origin<G: Game> {
    /// Dealt from the episode's seed.
    Seed,
    /// Loaded or sampled: its first state.
    State(Arc<Snapshot<G>>),
}

impl<G: Game> Origin<G> {
    /// Whether both are states, and the same.
    pub(crate) fn is_state_of(&self, other: &Origin<G>) -> bool {
        match (self, other) {
            (Origin::State(a), Origin::State(b)) => {
                a.state == b.state && (a.rng, a.seed, a.decisions) == (b.rng, b.seed, b.decisions)
            }
            _ => false,
        }
    }
}

impl<G: Game> Clone for Origin<G> {
    fn clone(&self) -> Self {
        match self {
            Origin::Seed => Origin::Seed,
            Origin::State(first) => Origin::State(first.clone()),
        }
    }
}

/// Data needed to replay the last step: the state before it and the choices made.
#[derive(Debug)]
pub(crate) struct LastStep<G: Game> {
    pub(crate) state: G::State,
    pub(crate) rng: Rng,
    pub(crate) status: Status,
    pub(crate) decisions: u32,
    pub(crate) returns: Rewards,
    pub(crate) choices: List<(u8, u16), MAX_PLAYERS>,
}

// `derive` would add the bounds `G: Clone` and `G: Copy`.
impl<G: Game> Clone for LastStep<G> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Game> Copy for LastStep<G> {}
