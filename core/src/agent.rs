//! Agents: whatever chooses actions.
//!
//! [`Agent`] is the trait. [`Spec`] is the text form of an agent (`random`, `greedy`, `mcts:400`, `agent.onnx`), the same in every language and on
//! the command line. [`AnyAgent`] is an agent without the type of its game, which bindings hold.
//!
//! An agent is given [`Knowledge`]: what one player may know at a decision. The state is a private field of it, so no agent can read
//! what its player may not know. What it offers about hidden state ([`Knowledge::sample_hidden`], [`Knowledge::heuristic`]) comes from
//! the game, whose contract forbids it to depend on what is hidden; the conformance suite checks that (H5 to H7).

mod any;
mod mcts;
mod memory;
mod network;
mod spec;
mod until;

pub use any::AnyAgent;
pub use mcts::Mcts;
pub use memory::{Memories, Memory};
pub use network::{NetworkAgent, NetworkSpec};
pub use spec::Spec;
pub(crate) use until::Until;

use crate::bits::LegalSet;
use crate::game::Game;
use crate::rng::Rng;
use crate::seat::{Action, Seat};
use std::fmt::Debug;

/// Whatever chooses actions, for a game.
///
/// An agent is shared by all the episodes that it plays. What it learns in an episode goes into a [`Memory`], chance comes from the
/// random stream that it is given, so that its episodes repeat.
pub trait Agent<G: Game>: Debug + Send + Sync {
    /// Its spec text: two agents of a game with the same name choose alike.
    fn name(&self) -> &str;

    /// One of the legal actions, of which there is at least one.
    ///
    /// `memory` is that of this agent as this player in this episode; it is empty before the first decision, and in a state that was
    /// loaded. `rng` is used by agents only.
    fn act(&self, known: &Knowledge<'_, G>, memory: &mut Memory<'_>, rng: &mut Rng) -> Action;

    /// [`Agent::act`] that can be ended early. It calls `keep_going` now and then, from any thread, and returns `None` soon after that has
    /// returned `false`. What it chooses later must not depend on when it was ended.
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

    /// Whether [`Agent::act_batch`] costs less per decision than [`Agent::act`]. As an opponent in a batch, such an agent chooses for all
    /// environments of a thread at once that wait for it.
    fn prefers_batches(&self) -> bool {
        false
    }

    /// Chooses for many decisions at once; the result must be that of [`Agent::act`] for each of them.
    fn act_batch(&self, decisions: &mut dyn Decisions<G>) {
        for row in 0..decisions.rows() {
            if let Some(mut decision) = decisions.get(row) {
                let action = self.act(&decision.known, &mut decision.memory, decision.rng);
                decision.choose(action);
            }
        }
    }
}

/// What a player may know when it must choose.
///
/// An agent gets states from it, but only those that the game draws for what the player knows:
///
/// ```
/// use playmat_core::{agent::Knowledge, game::Game, rng::Rng};
///
/// fn consistent<G: Game>(known: &Knowledge<'_, G>, rng: &mut Rng) -> G::State {
///     known.sample_hidden(rng)
/// }
/// ```
///
/// The true state is a private field, so that an agent or a search that reads it does not compile:
///
/// ```compile_fail,E0616
/// use playmat_core::{agent::Knowledge, game::Game, rng::Rng};
///
/// fn true_state<G: Game>(known: &Knowledge<'_, G>, _: &mut Rng) -> G::State {
///     *known.state
/// }
/// ```
pub struct Knowledge<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    player: Seat,
    legal: &'a G::Legal,
}

impl<'a, G: Game> Knowledge<'a, G> {
    /// What an acting player may know of a state, and its legal actions.
    #[inline(always)]
    pub fn new(game: &'a G, state: &'a G::State, player: Seat, legal: &'a G::Legal) -> Knowledge<'a, G> {
        Knowledge { game, state, player, legal }
    }

    /// The game: its rules, content and information.
    #[inline(always)]
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// The player that must choose.
    #[inline(always)]
    pub fn player(&self) -> Seat {
        self.player
    }

    /// Its legal actions.
    #[inline(always)]
    pub fn legal(&self) -> &'a G::Legal {
        self.legal
    }

    /// Writes its observation.
    ///
    /// # Panics
    /// If `out` has not the observation's number of bytes.
    pub fn write_observation(&self, out: &mut [u8]) {
        assert_eq!(out.len(), self.game.info().observation.size(), "bytes of an observation");
        self.game.observe(self.state, self.player, out);
    }

    /// Writes its legal actions, one byte per action: 1 legal, 0 not.
    ///
    /// # Panics
    /// If `out` has not [`GameInfo::num_actions`](crate::info::GameInfo::num_actions) bytes.
    pub fn write_mask(&self, out: &mut [u8]) {
        assert_eq!(out.len(), self.game.info().num_actions, "bytes of a mask");
        self.legal.expand(out);
    }

    /// A state drawn from those consistent with what the player knows ([`Game::sample_hidden`]): what search plays on.
    pub fn sample_hidden(&self, rng: &mut Rng) -> G::State {
        self.game.sample_hidden(self.state, self.player, rng)
    }

    /// What the game's heuristic chooses ([`Game::heuristic`]).
    #[inline(always)]
    pub fn heuristic(&self, rng: &mut Rng) -> Action {
        self.game.heuristic(self.state, self.player, rng)
    }
}

impl<G: Game> Clone for Knowledge<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Game> Copy for Knowledge<'_, G> {}

// `derive` would print the state.
impl<G: Game> Debug for Knowledge<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Knowledge")
            .field("game", &G::ID)
            .field("player", &self.player)
            .field("legal", self.legal)
            .finish_non_exhaustive()
    }
}

/// The decisions of a batch that [`Agent::act_batch`] must make.
pub trait Decisions<G: Game> {
    /// Number of rows.
    fn rows(&self) -> usize;

    /// The decision of a row; `None` if no player must act there.
    fn get(&mut self, row: usize) -> Option<Decision<'_, G>>;
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
        assert_legal(self.known.legal, action);
        *self.chosen = i64::from(action.0);
    }
}

/// Stops at an agent that breaks its contract. In release builds too: rules that are given an illegal action may do anything, and the
/// test is one bit.
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

/// Plays the game's own simple rule, [`Game::heuristic`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl<G: Game> Agent<G> for Greedy {
    fn name(&self) -> &str {
        "greedy"
    }

    fn act(&self, known: &Knowledge<'_, G>, _: &mut Memory<'_>, rng: &mut Rng) -> Action {
        known.heuristic(rng)
    }
}
