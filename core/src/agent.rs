//! Agents: they choose actions.
//!
//! [`Agent`] is the trait. [`Spec`] is the text form of an agent (`random`, `greedy`, `mcts:400`, `policy.onnx`), the same in every language and on
//! the command line. [`AnyAgent`] is the object-safe form for bindings: it does not name the type of its game.
//!
//! An agent receives a [`Knowledge`]: what one player may know at a decision. The state is a private field of it, so no agent can read what its
//! player may not know, not even the engine's own agents. Two methods of it use the state: [`Knowledge::sample_hidden`] and
//! [`Knowledge::greedy`]. They call the game, whose contract forbids that the result depends on hidden information; the conformance suite checks
//! that (H5 to H7).
//!
//! An agent of your own, which plays against a search:
//!
//! ```
//! use playmat_core::agent::{Agent, Knowledge, Memory, Spec};
//! use playmat_core::bits::LegalSet;
//! use playmat_core::env::{ConfiguredGame, Env};
//! use playmat_core::game::Game;
//! use playmat_core::rng::Rng;
//! use playmat_core::player::Action;
//! use playmat_core::toy::Nim;
//! use std::sync::Arc;
//!
//! #[derive(Debug)]
//! struct Lowest;
//!
//! impl<G: Game> Agent<G> for Lowest {
//!     fn name(&self) -> &str {
//!         "lowest"
//!     }
//!
//!     fn act(&self, known: &Knowledge<'_, G>, _: &mut Memory<'_>, _: &mut Rng) -> Action {
//!         known.legal().select(0)
//!     }
//! }
//!
//! let nim = Arc::new(ConfiguredGame::<Nim>::new(&serde_json::Map::new())?);
//! let search = "mcts:100".parse::<Spec>()?.agent(&nim)?;
//! let mut env = Env::new(nim, 7);
//! while let Some(player) = env.current_player() {
//!     let agent: &dyn Agent<Nim> = if player.index() == 0 { &Lowest } else { &*search };
//!     let action = env.act(agent, player)?;
//!     env.step(action.0.into())?;
//! }
//! # assert_eq!(env.returns().iter().sum::<f32>(), 0.0);
//! # Ok::<(), playmat_core::error::Error>(())
//! ```

mod any;
mod evaluator;
mod function;
mod knowledge;
mod mcts;
mod memory;
mod network;
mod spec;
mod statistics;
mod until;

pub use any::AnyAgent;
pub use evaluator::Evaluator;
pub(crate) use evaluator::evaluator_of;
pub use function::{Failure, Function, FunctionAgent, FunctionRows, Observations};
pub use knowledge::Knowledge;
pub use mcts::Mcts;
pub use memory::{Memories, Memory};
pub(crate) use network::of_checkpoint;
pub use network::{NetworkAgent, NetworkSpec};
pub use spec::Spec;
pub use statistics::{ActionStatistics, SearchStatistics};
pub(crate) use until::Until;

use crate::bits::LegalSet;
use crate::error::{Error, Result};
use crate::game::Game;
use crate::player::Action;
use crate::rng::Rng;
use std::fmt::Debug;

/// An agent of a game: it chooses actions.
///
/// All episodes that an agent plays share it. What it learns in an episode goes into a [`Memory`]. Its random numbers come from the stream
/// that the caller passes, so that its episodes can be repeated.
pub trait Agent<G: Game>: Debug + Send + Sync {
    /// Its spec text: two agents of a game with the same name choose alike.
    fn name(&self) -> &str;

    /// Returns the chosen action. At least one action is legal.
    ///
    /// `memory` is that of this agent as this player in this episode; it is empty before the first decision, and in a state that was
    /// loaded. `rng` is used by agents only.
    fn act(&self, known: &Knowledge<'_, G>, memory: &mut Memory<'_>, rng: &mut Rng) -> Action;

    /// Like [`Agent::act`], but can be ended early. It calls `keep_going` now and then, from any thread, and returns `None` soon after
    /// `keep_going` has returned `false`. Later choices must not depend on when it was ended.
    fn act_while(
        &self,
        known: &Knowledge<'_, G>,
        memory: &mut Memory<'_>,
        rng: &mut Rng,
        keep_going: &(dyn Fn() -> bool + Sync),
    ) -> Option<Action> {
        let _ = keep_going;
        Some(self.act(known, memory, rng))
    }

    /// Tells the policy and the value of every decision, if this agent has them without choosing: a network does, a search does not.
    fn evaluator(&self) -> Option<&dyn Evaluator<G>> {
        None
    }

    /// Returns what this agent's search found at its last decision as the player of `memory`. The default refuses, because an agent need
    /// not search.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] of `agent` if it does not search; [`Error::Order`] if it has not decided in this episode.
    fn statistics(&self, memory: &Memory<'_>) -> Result<SearchStatistics> {
        let _ = memory;
        let message = format!("got `{}`; only a search, for example `mcts:400`, has statistics", self.name());
        Err(Error::argument("agent", message))
    }

    /// What this agent's search found at the decision that the player of `memory` must make now; `None` if it has not searched it. An agent whose
    /// statistics are of its last decision, wherever it was, must override this.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] of `agent` if it does not search.
    fn statistics_at(
        &self,
        known: &Knowledge<'_, G>,
        memory: &Memory<'_>,
    ) -> Result<Option<SearchStatistics>> {
        let _ = known;
        match self.statistics(memory) {
            Ok(found) => Ok(Some(found)),
            Err(Error::Order(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether its choices can fail: those of a function of the host do ([`Decisions::fail`]). A batch keeps a copy of its environments during
    /// each call in which such an agent may choose.
    fn can_fail(&self) -> bool {
        false
    }

    /// Whether [`Agent::act_batch`] costs less per decision than [`Agent::act`]. As an opponent in a batch, such an agent chooses at once for
    /// all environments of a thread that wait for it.
    fn prefers_batches(&self) -> bool {
        false
    }

    /// For agents whose choices take long, a search or a network: into how many parts for each thread a batch is split at least before they
    /// choose in it. A batch is split for its steps, into parts of 64 environments or more, if this is 0, the default.
    fn parts_per_thread(&self) -> usize {
        0
    }

    /// Chooses for many decisions at once. For each of them it must choose as [`Agent::act`] does. One that takes long returns soon after
    /// [`Decisions::goes_on`] has returned `false`.
    fn act_batch(&self, decisions: &mut dyn Decisions<G>) {
        act_one_by_one(self, decisions);
    }
}

/// Calls [`Agent::act`] for each decision of a batch.
fn act_one_by_one<G: Game, A: Agent<G> + ?Sized>(agent: &A, decisions: &mut dyn Decisions<G>) {
    for row in 0..decisions.rows() {
        if let Some(mut decision) = decisions.get(row) {
            let action = agent.act(&decision.known, &mut decision.memory, decision.rng);
            decision.choose(action);
        }
    }
}

/// The decisions of a batch that [`Agent::act_batch`] must make.
pub trait Decisions<G: Game> {
    /// Number of rows.
    fn rows(&self) -> usize;

    /// The decision of a row; `None` if no player must act there.
    fn get(&mut self, row: usize) -> Option<Decision<'_, G>>;

    /// Whether the choices are still wanted. Those that were made before it returned `false` are not used.
    fn goes_on(&mut self) -> bool {
        true
    }

    /// Ends the call: an agent that can fail ([`Agent::can_fail`]) has not chosen. The environments are then as before the call, and the caller
    /// gets the failure ([`AnyVecEnv::take_failure`](crate::any::AnyVecEnv::take_failure)).
    fn fail(&mut self, failure: Failure);
}

/// One decision of a batch.
#[derive(Debug)]
pub struct Decision<'a, G: Game> {
    /// What the player knows.
    pub known: Knowledge<'a, G>,
    /// The agent's memory as this player in this episode.
    pub memory: Memory<'a>,
    /// The random stream of this environment.
    pub rng: &'a mut Rng,
    /// Receives the choice.
    pub(crate) chosen: &'a mut i64,
}

impl<G: Game> Decision<'_, G> {
    /// Stores the choice.
    ///
    /// # Panics
    /// If the action is not legal.
    #[inline]
    pub fn choose(self, action: Action) {
        assert_legal(self.known.legal(), action);
        *self.chosen = i64::from(action.0);
    }
}

/// Panics if an agent breaks its contract, also in release builds: rules may do anything with an illegal action, and the test is one bit.
#[inline(always)]
pub(crate) fn assert_legal<L: LegalSet>(legal: &L, action: Action) {
    assert!(legal.contains(action), "an agent chose an illegal action");
}

/// Plays uniformly at random.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Agent<G> for Random {
    fn name(&self) -> &str {
        "random"
    }

    fn act(&self, known: &Knowledge<'_, G>, _: &mut Memory<'_>, rng: &mut Rng) -> Action {
        rng.pick(known.legal())
    }
}

/// The greedy agent: the game's own simple rule, [`Game::greedy`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl<G: Game> Agent<G> for Greedy {
    fn name(&self) -> &str {
        "greedy"
    }

    fn act(&self, known: &Knowledge<'_, G>, _: &mut Memory<'_>, rng: &mut Rng) -> Action {
        known.greedy(rng)
    }
}
