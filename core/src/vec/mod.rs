//! Vectorized environments: N episodes of one game, stepped together.
//!
//! [`VecEnv`] is the generic one, [`AnyVecEnv`] its object-safe face for bindings, whose methods all work on the
//! whole batch. Results are written straight into the caller's [`Buffers`]; a step is a transaction; threads and batch
//! size change nothing but the speed.

mod background;
mod buffers;
mod config;
mod core;
mod ends;
mod env;
mod fast;
pub(crate) mod memory;
mod opponents;
mod request;
mod rollout;
mod save;
mod spec;
mod step;
mod streams;
mod tally;

pub use buffers::{Actions, Buffers, OwnedBuffers, Reset, Rows, Sizes, Source, Target};
pub use config::{Autoreset, ObsType, Role, Seating, VecConfig, View};
pub use env::VecEnv;
pub(crate) use env::env_bytes;
pub use request::Request;

use crate::agent::AnyAgent;
use crate::error::Result;
use crate::info::{GameInfo, RewardKind};
use crate::seat::Seat;
use crate::states::AnyStates;

impl std::fmt::Debug for Waited {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Waited").field("result", &self.result).finish_non_exhaustive()
    }
}

/// The running episode of one environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpisodeInfo {
    /// Seed that replays it alone.
    pub seed: u64,
    /// Decisions of all players so far.
    pub length: u32,
    /// Whether it is over (only seen with next_step and disabled).
    pub over: bool,
    /// Index of the opponent that plays each player, -1 for the caller.
    pub opponents: Vec<i32>,
}

/// Ended episodes and how they ended for the caller: `episodes` is the sum of `wins`, `draws`, `losses` and `truncated`. Where the
/// caller plays several players, the best result among them counts, and the mean of their returns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Record {
    /// Ended episodes, also those that ended before the caller's first decision.
    pub episodes: u64,
    /// Of these: the learner's `outcome` was above 0.
    pub wins: u64,
    /// All players shared the victory.
    pub draws: u64,
    /// The learner did not win.
    pub losses: u64,
    /// Cut off by `max_steps`: neither won, drawn nor lost.
    pub truncated: u64,
    /// Sum of the learner's returns, in the environment's own kind of reward.
    pub return_sum: f64,
}

/// The results against one opponent: of the episodes in which it played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpponentResult {
    /// Name of the opponent.
    pub name: String,
    /// Its weight in draws from the pool.
    pub weight: f64,
    /// These episodes. One counts once, however many players the opponent was.
    pub record: Record,
}

/// The results of the ended episodes of a batch in which opponents play. Without opponents nothing is counted.
///
/// With three or more players an episode can have several opponents: it counts once in `total`, and once with each of them. So the
/// records of the opponents can add up to more than the total.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// Every episode once.
    pub total: Record,
    /// By opponent, in the order of the pool.
    pub opponents: Vec<OpponentResult>,
}

/// Where [`AnyVecEnv::rollout`] writes: T steps of N environments; an empty slice skips this output.
#[derive(Debug, Default)]
pub struct Rollout<'a> {
    /// T.
    pub steps: usize,
    /// `[T, N, O]` (joint view `[T, N, P, O]`) before the action.
    pub obs: Rows<'a>,
    /// `[T, N, A]` (joint view `[T, N, P, A]`) before the action.
    pub action_mask: &'a mut [u8],
    /// `[T, N]` the acting player; -1 if the episode was over.
    pub player: &'a mut [i32],
    /// `[T, N]` (joint view `[T, N, P]`) the action; 0 for players who do not act.
    pub action: &'a mut [i64],
    /// `[T, N, P]` reward of each player for the action.
    pub reward: &'a mut [f32],
    /// `[T, N]` whether the rules ended the episode with it.
    pub terminated: &'a mut [u8],
    /// `[T, N]` whether `max_steps` did.
    pub truncated: &'a mut [u8],
}

/// A finished asynchronous step.
pub struct Waited {
    /// The memory passed to the call.
    pub target: Box<dyn Target>,
    /// The result of the step; on an error nothing was stepped or written.
    pub result: Result<()>,
}

/// A vectorized environment of any game. Methods work on whole batches, so a dynamic call is made once per batch.
///
/// If opponents play some players, an episode can end before the caller's first decision (a limit, a quick end). Such episodes are not
/// returned; they are only counted in [`AnyVecEnv::results`], and the row continues with the next episode in which the caller decides. If a
/// thousand episodes in a row end so, [`InvalidArgument`](crate::error::Error::InvalidArgument) names the players, and all calls are refused
/// until a reset of all environments.
///
/// # Errors
/// All methods refuse wrong lengths ([`InvalidArgument`](crate::error::Error::InvalidArgument)) and, while an asynchronous step is under
/// way, everything but [`AnyVecEnv::step_wait`] ([`Order`](crate::error::Error::Order)); a refused call changes nothing.
pub trait AnyVecEnv: Send {
    /// The game.
    fn info(&self) -> &GameInfo;

    /// The configuration.
    fn config(&self) -> &VecConfig;

    /// The kind of reward.
    fn reward(&self) -> RewardKind;

    /// Number of decisions after which an episode is truncated; 0: never.
    fn max_steps(&self) -> u32;

    /// Sizes of all buffers.
    fn sizes(&self) -> Sizes;

    /// Bytes that the engine keeps for each environment: its state, random streams and seeds, legal actions, the actions of a step. Not among
    /// them: the outputs, which lie in the caller's memory; what agents remember of an episode; and for the batch as a whole some KiB for each
    /// thread, and opponents.
    fn env_bytes(&self) -> usize;

    /// Starts new episodes and writes the whole batch: environments that are not reset stay as they are, with reward 0.
    fn reset(&mut self, reset: Reset<'_>, out: &mut Buffers<'_>) -> Result<()>;

    /// Plays one step of every environment.
    ///
    /// # Errors
    /// [`IllegalActions`](crate::error::Error::IllegalActions) lists the rows with an illegal action,
    /// [`EpisodesOver`](crate::error::Error::EpisodesOver) those that must be reset first (`disabled`). No environment was stepped and no
    /// buffer written.
    fn step(&mut self, actions: Actions<'_>, out: &mut Buffers<'_>) -> Result<()>;

    /// Starts a step on a background thread and returns. The first call starts that thread, also if `threads` is 1. The caller does not
    /// work on this step.
    fn step_async(&mut self, actions: Vec<i64>, target: Box<dyn Target>) -> Result<()>;

    /// Waits for the step that was started. If the step panicked (a failing agent), the panic resumes here, once; afterwards all calls are
    /// refused until a reset of all environments, as after a synchronous step that panicked.
    fn step_wait(&mut self) -> Result<Waited>;

    /// Whether a step was started and not yet waited for.
    fn is_pending(&self) -> bool;

    /// Writes the batch without a step: observations, masks, players, seeds; rewards and flags are 0.
    fn show(&mut self, out: &mut Buffers<'_>) -> Result<()>;

    /// Draws a uniform legal action for every row of the mask, from each environment's own stream; 0 for
    /// rows without legal actions.
    fn sample_actions(&mut self, out: &mut [i64]) -> Result<()>;

    /// The action that an agent chooses in every row of the mask, 0 for rows without legal actions: labels for imitation learning,
    /// independent of who plays. With `mask`, one truth value per environment, nothing is computed for the others, whose rows become -1.
    /// Agents that draw do so from the streams of [`AnyVecEnv::sample_actions`]: stepping with these actions is a
    /// [`rollout`](AnyVecEnv::rollout) of one step.
    fn act_batch(&mut self, agent: &AnyAgent, mask: Option<&[u8]>, out: &mut [i64]) -> Result<()>;

    /// [`AnyVecEnv::act_batch`] that can be ended early: it calls `keep_going` now and then, from all threads that choose and from the
    /// calling one until they are done, and returns `false` soon after one of these calls has returned `false`. Then nothing was written
    /// and the batch is as before, except that the agent has forgotten what it kept of the running episodes. "random" and "greedy" are
    /// never ended; a network not while it evaluates, and other agents not within a choice if they do not look
    /// ([`Agent::act_while`](crate::agent::Agent::act_while)).
    fn act_batch_while(
        &mut self,
        agent: &AnyAgent,
        mask: Option<&[u8]>,
        out: &mut [i64],
        keep_going: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool>;

    /// Whether the last step has already drawn the actions that [`AnyVecEnv::sample_actions`] would draw now, and written them into its
    /// `drawn` buffer; if so, this call consumes these draws.
    ///
    /// After a use of either method, the next step draws ahead in its own pass, where it costs least. Draws that are not consumed leave no
    /// trace: the next step or sample gives the same numbers as without them.
    fn take_drawn(&mut self) -> bool;

    /// Wakes sleeping workers before a step.
    fn prepare(&mut self);

    /// Shares every batch among the threads, even if one thread is faster: for tests and measurements. Results are the same.
    fn share_always(&mut self);

    /// Observations of one player in all environments, `[N, O]`, acting or not.
    fn observe(&mut self, seat: Seat, out: Rows<'_>) -> Result<()>;

    /// Observations of all players, `[N, P, O]`.
    fn observe_all(&mut self, out: Rows<'_>) -> Result<()>;

    /// Plays `out.steps` steps with an agent for all players of the caller, and leaves the
    /// batch after them in `last`. `random` takes the same actions as `step(sample_actions())` would.
    fn rollout(&mut self, agent: &AnyAgent, out: &mut Rollout<'_>, last: &mut Buffers<'_>) -> Result<()>;

    /// The running episode of one environment.
    fn episode(&self, env: usize) -> Result<EpisodeInfo>;

    /// The state of one environment as bytes, readable by [`Source::States`] and by single environments.
    fn state_bytes(&self, env: usize) -> Result<Vec<u8>>;

    /// The states of all environments, as an array.
    fn states(&self) -> Result<Box<dyn AnyStates>>;

    /// Everything about all environments (states, streams, episodes, results by opponent), for pickling. Not the configuration,
    /// nor the weights of opponents, nor what the last step wrote.
    fn to_bytes(&self) -> Result<Vec<u8>>;

    /// Continues from [`AnyVecEnv::to_bytes`] of an environment with the same game, configuration and opponents.
    fn load_bytes(&mut self, bytes: &[u8]) -> Result<()>;

    /// Appends an opponent to the pool; returns its index. It is drawn from the next episodes on; refused if no player is drawn from the
    /// pool.
    fn add_opponent(&mut self, agent: &AnyAgent, weight: f64) -> Result<usize>;

    /// Sets the weights of all opponents, for the next episodes; finite, not negative, not all 0.
    fn set_weights(&mut self, weights: &[f64]) -> Result<()>;

    /// Results of the ended episodes since the last [`AnyVecEnv::reset_results`], of all and by opponent.
    fn results(&self) -> Result<Results>;

    /// Sets all results to 0.
    fn reset_results(&mut self) -> Result<()>;
}
