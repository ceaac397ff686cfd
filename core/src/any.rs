//! Object-safe traits of games and environments, for bindings, registries and tools: they do not name the type of the game.
//!
//! Dynamic dispatch happens once per call of a whole environment or batch, never inside one.

mod env;
mod game;

use crate::agent::{AnyAgent, Failure, Function, Memories, SearchStatistics};
use crate::digest::Digest;
#[cfg(doc)]
use crate::env::{ConfiguredGame, Env};
#[cfg(doc)]
use crate::error::Error;
use crate::error::{Problem, Result};
use crate::exploit::{Exploitability, Policy};
use crate::game::Status;
use crate::info::{GameInfo, RewardKind};
use crate::network::Network;
use crate::options::{OptionSpec, Options};
use crate::player::{Action, Player, Players};
use crate::replay::Replay;
use crate::search::{LeafSizes, Leaves};
use crate::show::ContentEntry;
#[cfg(doc)]
use crate::show::Show;
use crate::survey::Survey;
use crate::vec::{
    Actions, BatchStatistics, Buffers, EpisodeInfo, ObsType, Reset, Results, Rollout, Rows, Sizes, Target,
    VecConfig, Waited,
};
use serde_json::Value;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A configured game.
pub trait AnyGame: Send + Sync {
    /// Itself as `Any`, for downcasts.
    fn as_any(&self) -> &dyn Any;
    /// The facts that are the same in all episodes.
    fn info(&self) -> &GameInfo;
    /// Declared options, the engine's common ones included.
    fn specs(&self) -> &[OptionSpec];
    /// All options with their values.
    fn options(&self) -> &Options;
    /// The kind of reward.
    fn reward(&self) -> RewardKind;
    /// Number of decisions after which an episode is truncated; 0: never.
    fn max_steps(&self) -> u32;
    /// An environment playing the episode of `seed`.
    fn env(&self, seed: u64) -> Box<dyn AnyEnv>;
    /// An environment from its byte form. Errors: [`save::from_bytes`](crate::save::from_bytes).
    fn env_from_bytes(&self, bytes: &[u8]) -> Result<Box<dyn AnyEnv>>;
    /// An environment from its byte form and its history. Errors: [`save::from_bytes`](crate::save::from_bytes), [`Env::with_history`].
    fn env_with_history(
        &self,
        bytes: &[u8],
        start: Option<&[u8]>,
        past: &[(Player, Action)],
    ) -> Result<Box<dyn AnyEnv>>;
    /// An environment from JSON. Errors: [`save::from_json`](crate::save::from_json).
    fn env_from_json(&self, text: &str, seed: u64) -> Result<Box<dyn AnyEnv>>;
    /// A replay at a decision. Errors: [`replay::seek`](crate::replay::seek).
    fn env_from_replay(&self, replay: &Replay, decisions: usize) -> Result<Box<dyn AnyEnv>>;
    /// The agent that a spec names. Errors: [`AnyAgent::parse`].
    fn agent(&self, spec: &str) -> Result<AnyAgent>;
    /// The agent of a function of the host: [`FunctionAgent::new`](crate::agent::FunctionAgent::new).
    fn function_agent(&self, name: &str, function: Arc<dyn Function>, dtype: ObsType) -> AnyAgent;
    /// The network of a file. Errors: [`Network::load`].
    fn network(&self, path: &str) -> Result<Network>;
    /// Searches whose network is evaluated outside of the engine. Errors: [`LeafSearch::new`](crate::search::LeafSearch::new).
    fn leaf_search(&self, spec: &str, rows: usize, leaves: usize) -> Result<Box<dyn AnyLeafSearch>>;
    /// The states of environments. Errors: [`Error::InvalidArgument`] of `envs` if one is of another configured game.
    fn states(&self, envs: &[&dyn AnyEnv]) -> Result<Box<dyn AnyStates>>;
    /// A batch of environments; opponents are specs of agents with their weights. Errors: [`VecEnv::new`](crate::vec::VecEnv::new).
    fn vec_env(&self, config: VecConfig, opponents: &[(&str, f64)]) -> Result<Box<dyn AnyVecEnv>> {
        let agent = |&(spec, weight): &(&str, f64)| Ok((self.agent(spec)?, weight));
        let opponents: Result<Vec<_>> = opponents.iter().map(agent).collect();
        self.vec_env_of(config, &opponents.map_err(|error| error.renamed("agent", "opponents"))?)
    }
    /// A batch of environments; opponents are agents of this game with their weights. Errors: [`VecEnv::new`](crate::vec::VecEnv::new).
    fn vec_env_of(&self, config: VecConfig, opponents: &[(AnyAgent, f64)]) -> Result<Box<dyn AnyVecEnv>>;
    /// See [`Show::private_options`].
    fn private_options(&self) -> &'static [&'static str];
    /// See [`Show::content_entries`].
    fn content_entries(&self) -> Vec<ContentEntry>;
    /// See [`Hooks::excuses`](crate::hooks::Hooks::excuses).
    fn excuses(&self) -> Vec<(&'static str, &'static str)>;
    /// See [`Hooks::shows_more`](crate::hooks::Hooks::shows_more).
    fn shows_more(&self) -> &'static [&'static str];
    /// Text of an action without a position.
    fn action_text(&self, action: i64) -> Result<String>;
    /// The action with this text, without a position.
    fn parse_action(&self, text: &str) -> Result<Action>;
    /// Checksums of the first `episodes` seeds. Calls `keep_going` before every episode and stops early when it returns `false`.
    fn digest_while(&self, episodes: u64, keep_going: &mut dyn FnMut() -> bool) -> Digest;
    /// Statistics of self-play with one agent per player; the last agent also plays for the players after it. Calls `keep_going` before
    /// every episode and stops early when it returns `false`.
    fn survey_while(
        &self,
        episodes: u64,
        seed: u64,
        agents: &[AnyAgent],
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Survey>;
    /// Checksums of the first `episodes` seeds.
    fn digest(&self, episodes: u64) -> Digest {
        self.digest_while(episodes, &mut || true)
    }
    /// Statistics of self-play. Errors: [`AnyGame::survey_while`].
    fn survey(&self, episodes: u64, seed: u64, agents: &[AnyAgent]) -> Result<Survey> {
        self.survey_while(episodes, seed, agents, &mut || true)
    }
    /// Bytes of one state in memory.
    fn state_size(&self) -> usize;
    /// Bytes that the engine keeps for each environment of a batch in the turn view or the single-player view, the state included. See
    /// [`AnyVecEnv::env_bytes`].
    fn env_bytes(&self) -> usize;
    /// See [`ConfiguredGame::chance_outcomes`].
    fn chance_outcomes(&self) -> Result<AnyOutcomes>;
    /// See [`exploit::exploitability`](crate::exploit::exploitability).
    fn exploitability_while(
        &self,
        policy: &Policy,
        keep_going: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Exploitability>>;
}

/// Outcomes of chance, each with its probability.
pub type AnyOutcomes = Vec<(Box<dyn AnyEnv>, f64)>;

/// One environment. `Box<dyn AnyEnv>` clones with [`AnyEnv::clone_box`].
pub trait AnyEnv: Send + Sync {
    /// Itself as `Any`, for downcasts.
    fn as_any(&self) -> &dyn Any;
    /// Its game.
    fn game(&self) -> Box<dyn AnyGame>;
    /// See [`Env::info`].
    fn info(&self) -> &GameInfo;
    /// See [`Env::reset`].
    fn reset(&mut self, seed: Option<u64>);
    /// See [`Env::status`].
    fn status(&self) -> Status;
    /// See [`Env::acting`].
    fn acting(&self) -> Players;
    /// See [`Env::step`].
    fn step(&mut self, action: i64) -> Result<()>;
    /// See [`Env::step_player`].
    fn step_player(&mut self, player: Player, action: i64) -> Result<()>;
    /// See [`Env::step_into`]. The default does the same in several calls.
    fn step_into(&mut self, action: i64, observation: &mut [u8], mask: &mut [u8]) -> Result<Option<Player>> {
        let info = self.info();
        for (name, len, wanted) in [
            ("observation", observation.len(), info.observation.size()),
            ("mask", mask.len(), info.num_actions),
        ] {
            crate::env::check_len(name, len, if len == 0 { 0 } else { wanted })?;
        }
        let before = self.acting().first();
        self.step(action)?;
        let next = self.acting().first();
        if let Some(viewer) = next.or(before) {
            if !observation.is_empty() {
                self.write_observation(viewer, observation)?;
            }
            if !mask.is_empty() {
                self.write_mask(viewer, mask)?;
            }
        }
        Ok(next)
    }
    /// See [`Env::step_joint`].
    fn step_joint(&mut self, actions: &[i64]) -> Result<()>;
    /// See [`Env::write_mask`].
    fn write_mask(&self, player: Player, out: &mut [u8]) -> Result<()>;
    /// Legal actions of a player, ascending; empty if the player need not act.
    fn legal_actions(&self, player: Player) -> Result<Vec<u16>>;
    /// See [`Env::write_observation`].
    fn write_observation(&self, player: Player, out: &mut [u8]) -> Result<()>;
    /// See [`Env::rewards`].
    fn rewards(&self) -> &[f32];
    /// See [`Env::returns`].
    fn returns(&self) -> &[f32];
    /// Current scores by player.
    fn scores(&self) -> Vec<i32>;
    /// See [`Env::decisions`].
    fn decisions(&self) -> u32;
    /// See [`Env::episode_seed`].
    fn episode_seed(&self) -> u64;
    /// See [`Env::root_seed`].
    fn root_seed(&self) -> u64;
    /// Whether the history begins at the deal of the episode's seed, or at a loaded state.
    fn is_from_seed(&self) -> bool;
    /// The byte form of the state that the history begins at; `None` if that is the deal of the episode's seed.
    fn start_bytes(&self) -> Option<Vec<u8>>;
    /// See [`Env::history`].
    fn history(&self) -> &[(Player, Action)];
    /// See [`Env::sample_action`].
    fn sample_action(&mut self, player: Player) -> Result<Action>;
    /// See [`Env::act`]. Errors: also `InvalidArgument` of `agent` if it was made for another game.
    fn act(&mut self, agent: &AnyAgent, player: Player) -> Result<Action>;
    /// See [`Env::act_while`]. Errors: as [`AnyEnv::act`].
    fn act_while(
        &mut self,
        agent: &AnyAgent,
        player: Player,
        keep_going: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Action>>;
    /// See [`Env::take_memories`].
    fn take_memories(&mut self, player: Player) -> Memories;
    /// See [`Env::put_memories`].
    fn put_memories(&mut self, taken: Memories);
    /// See [`Env::evaluate`]. Errors: also `InvalidArgument` of `agent` if it was made for another game.
    fn evaluate(&self, agent: &AnyAgent, player: Player, policy: &mut [f32]) -> Result<f32>;
    /// See [`Env::search_statistics`]. Errors: also `InvalidArgument` of `agent` if it was made for another game.
    fn search_statistics(&mut self, agent: &AnyAgent, player: Player) -> Result<SearchStatistics>;
    /// An exact copy that draws the same chance: for saving a position and returning to it. For search, use [`AnyEnv::clone_with_seed`].
    fn clone_box(&self) -> Box<dyn AnyEnv>;
    /// See [`Env::clone_with_seed`].
    fn clone_with_seed(&self, seed: u64) -> Box<dyn AnyEnv>;
    /// See [`Env::next_clone_seed`].
    fn next_clone_seed(&mut self) -> u64;
    /// See [`Env::sample_hidden`].
    fn sample_hidden(&self, player: Player, seed: u64) -> Result<Box<dyn AnyEnv>>;
    /// See [`Env::validate`].
    fn validate(&self) -> Vec<Problem>;
    /// See [`save::to_bytes`](crate::save::to_bytes).
    fn to_bytes(&self) -> Vec<u8>;
    /// See [`save::position`](crate::save::position).
    fn position_bytes(&self) -> Vec<u8> {
        let mut bytes = self.to_bytes();
        bytes.truncate(crate::save::position(&bytes).len());
        bytes
    }
    /// See [`Env::to_json`].
    fn to_json(&self, viewer: Option<Player>) -> Result<Value>;
    /// See [`Env::events`].
    fn events(&self, viewer: Option<Player>) -> Result<Vec<Value>>;
    /// See [`Env::information_state_key`].
    fn information_state_key(&self, player: Player) -> Result<u128>;
    /// See [`Env::search_key`].
    fn search_key(&self, player: Player) -> Result<u64>;
    /// See [`Env::information_state`].
    fn information_state(&self, player: Player) -> Result<Value>;
    /// See [`Env::seen_before`].
    fn seen_before(&self) -> Option<String>;
    /// See [`Env::restore_seen_before`].
    fn restore_seen_before(&mut self, text: &str) -> Result<()>;
    /// See [`Env::chance_outcomes`].
    fn chance_outcomes(&self, action: i64) -> Result<AnyOutcomes>;
    /// See [`replay::record`](crate::replay::record).
    fn replay(&self) -> Result<Replay>;
    /// See [`Env::action_text`].
    fn action_text(&self, player: Option<Player>, action: i64) -> Result<String>;
    /// See [`Env::action_help`].
    fn action_help(&self, player: Player, action: i64) -> Result<String>;
    /// See [`Env::parse_action`].
    fn parse_action(&self, player: Option<Player>, text: &str) -> Result<Action>;
    /// See [`Show::draw_text`]; the title of the content comes first.
    fn draw_text(&self, viewer: Option<Player>) -> Result<String>;
    /// See [`Show::draw_svg`]; the title of the content stands in the upper left corner.
    fn draw_svg(&self, viewer: Option<Player>) -> Result<String>;
}

/// [`States`](crate::states::States) without the type of their game. Made by [`AnyGame::states`] and [`AnyVecEnv::states`], taken by
/// resets ([`Source::Array`](crate::vec::Source::Array)).
///
/// # Errors
/// Methods that make an array refuse one that does not fit into memory ([`InvalidArgument`](Error::InvalidArgument)).
pub trait AnyStates: fmt::Debug + Send + Sync {
    /// Itself as `Any`, for downcasts.
    fn as_any(&self) -> &dyn Any;

    /// Their game.
    fn game(&self) -> Box<dyn AnyGame>;

    /// The game's information.
    fn info(&self) -> &GameInfo;

    /// Number of states.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of one of them in memory.
    fn state_size(&self) -> usize;

    /// An environment in one of them.
    ///
    /// # Errors
    /// [`InvalidArgument`](Error::InvalidArgument) of `index`.
    fn env(&self, index: usize) -> Result<Box<dyn AnyEnv>>;

    /// The states of these indices, in this order; an index may come more than once.
    ///
    /// # Errors
    /// [`InvalidArgument`](Error::InvalidArgument) of `index`.
    fn select(&self, indices: &[usize]) -> Result<Box<dyn AnyStates>>;

    /// These states, followed by those of other arrays.
    ///
    /// # Errors
    /// [`InvalidArgument`](Error::InvalidArgument) of `states` if some are of another game, or need more memory than there is.
    fn concatenate(&self, others: &[&dyn AnyStates]) -> Result<Box<dyn AnyStates>>;

    /// These states with others at some places: at the place `indices[i]` is `states[i]`, and of a place that comes twice the last one.
    ///
    /// # Errors
    /// [`InvalidArgument`](Error::InvalidArgument) of `index`; of `states` if they are of another game, or not one for each index.
    fn put(&self, indices: &[usize], states: &dyn AnyStates) -> Result<Box<dyn AnyStates>>;

    /// Each state `times` times in a row.
    ///
    /// # Errors
    /// [`InvalidArgument`](Error::InvalidArgument) of `times` if that needs more memory than there is.
    fn repeat(&self, times: usize) -> Result<Box<dyn AnyStates>>;

    /// The current player of each state, `None` where the episode is over.
    fn current_players(&self) -> Vec<Option<Player>>;

    /// [`Env::search_key`] of the current player of each state; 0 where the episode is over.
    fn search_keys(&self) -> Vec<u64>;

    /// [`Env::clone_with_seed`] of each state with its seed.
    ///
    /// # Errors
    /// [`InvalidArgument`](Error::InvalidArgument) of `seed` if there is not one for each.
    fn clone_with_seeds(&self, seeds: &[u64]) -> Result<Box<dyn AnyStates>>;

    /// [`Env::sample_hidden`] of each state with its player and its seed.
    ///
    /// # Errors
    /// [`InvalidArgument`](Error::InvalidArgument) of `player` and `seed` if there is not one for each; of `player` if options are private,
    /// and the players are not all the same: their samples are of different games. [`InvalidPlayer`](Error::InvalidPlayer).
    fn sample_hidden(&self, players: &[Player], seeds: &[u64]) -> Result<Box<dyn AnyStates>>;
}

/// Tree searches, one per row, whose leaves are evaluated outside of the engine.
///
/// [`start`](AnyLeafSearch::start) begins them. Then [`collect`](AnyLeafSearch::collect) writes the leaves that a network must evaluate, and
/// [`feed`](AnyLeafSearch::feed) takes what it says, until `collect` returns 0. Then [`policy`](AnyLeafSearch::policy) and the others tell
/// what was found.
///
/// # Errors
/// A refused call changes nothing. All methods refuse slices of a wrong length ([`InvalidArgument`](Error::InvalidArgument)) and calls at the
/// wrong time ([`Order`](Error::Order)).
pub trait AnyLeafSearch: Send {
    /// The settings, as text.
    fn name(&self) -> &str;

    /// Sizes of all buffers.
    fn sizes(&self) -> LeafSizes;

    /// Begins a search in row `row`, for a player that must act in an environment. The search draws its seed from the
    /// environment's stream of agents. It keeps the tree of the player from the last decision, if the row has searched that episode before
    /// and `keep` is set. Leaves of this and all other rows that were collected and not fed are collected anew.
    ///
    /// # Errors
    /// Those of [`Env::act`](crate::env::Env::act); of `row` if there is no such row.
    fn start(&mut self, row: usize, env: &mut dyn AnyEnv, player: Player, keep: bool) -> Result<()>;

    /// Ends the search of row `row`: there is none until the next start.
    ///
    /// # Errors
    /// Of `row` if there is no such row.
    fn stop(&mut self, row: usize) -> Result<()>;

    /// Whether [`AnyLeafSearch::start`] would refuse.
    ///
    /// # Errors
    /// Those of [`AnyLeafSearch::start`].
    fn check(&self, row: usize, env: &mut dyn AnyEnv, player: Player) -> Result<()>;

    /// Begins a search in every row, for the rows of a batch's mask. Rows in which no player acts have no search, and with `mask`, one truth value
    /// per environment, nor have those of the other environments. The searches draw their seeds from the streams that
    /// [`AnyVecEnv::act_batch`] draws from.
    ///
    /// # Errors
    /// Those of [`AnyVecEnv::act_batch`]; of `venv` if the batch has another number of rows.
    fn start_batch(&mut self, venv: &mut dyn AnyVecEnv, mask: Option<&[u8]>, keep: bool) -> Result<()>;

    /// Simulates until every search waits for a network or is done, or `out` is full. Returns the number of rows written: 0 when all searches
    /// are done. What a search finds depends neither on the room in `out` nor on the threads of the spec; with several threads, rows beyond
    /// those may be written too. Calls `keep_going` before every simulation, on the thread that plays it, and stops early when it returns `false`: then
    /// nothing is handed out, and the next call goes on.
    ///
    /// # Errors
    /// Of `n` if there is no room for the leaves of one search.
    fn collect_while(
        &mut self,
        out: &mut Leaves<'_>,
        keep_going: &(dyn Fn() -> bool + Sync),
    ) -> Result<usize>;

    /// [`AnyLeafSearch::collect_while`] to the end.
    ///
    /// # Errors
    /// Those of [`AnyLeafSearch::collect_while`].
    fn collect(&mut self, out: &mut Leaves<'_>) -> Result<usize> {
        self.collect_while(out, &|| true)
    }

    /// Number of rows that wait for a network.
    fn waiting(&self) -> usize;

    /// Shares all work among the threads of the spec from now on, even if one thread is faster: for tests and measurements.
    fn share_always(&mut self);

    /// Takes logits `[n, A]` and values `[n]` of the rows that were collected last, the values as they are. A value is the sum of the rewards that the row's player
    /// has still to expect, of the kind that the game pays. Logits of illegal actions are not read.
    ///
    /// # Errors
    /// Of `logits` or `values` if one that is read is not a number from -1e28 to 1e28.
    fn feed(&mut self, logits: &[f32], values: &[f32]) -> Result<()>;

    /// Writes `[rows, A]`: the share of each action in the simulations from the root, those of earlier searches that came through it
    /// included. 1 for a single legal action, which is not searched; all 0 where there is no search.
    fn policy(&mut self, out: &mut [f32]) -> Result<()>;

    /// Writes `[rows]`: the mean return of the searching player in them; 0 where nothing was searched.
    fn values(&mut self, out: &mut [f32]) -> Result<()>;

    /// Writes `[rows, A]`: the number of simulations from the root that chose each action, those of earlier searches that came through it
    /// included; 0 where nothing was searched.
    fn visits(&mut self, out: &mut [i32]) -> Result<()>;

    /// Writes `[rows, A]`: the mean return of the searching player in the simulations that chose each action; 0 for an action that none chose.
    fn mean_returns(&mut self, out: &mut [f32]) -> Result<()>;

    /// Writes `[rows, A]`: the prior of each action at the root, with the noise; 1 for a single legal action, 0 for illegal ones and where there is
    /// no search.
    fn priors(&mut self, out: &mut [f32]) -> Result<()>;

    /// Writes `[rows]`: an action that each search chooses, 0 where there is none. With temperature 0 the most visited one, of several the one with
    /// the highest mean return; otherwise one drawn in proportion to `visits^(1 / temperature)`, from the search's own stream. `None`: in each row
    /// the temperature of the settings, as [`Settings::temperature_drop`](crate::search::Settings::temperature_drop) has it there.
    ///
    /// # Errors
    /// Of `temperature` if it is not 0 to 100.
    fn actions(&mut self, temperature: Option<f32>, out: &mut [i64]) -> Result<()>;
}

/// A batch of environments of any game. Methods work on whole batches, so a dynamic call is made once per batch.
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

    /// Writes the policy of a network's agent in every row of the action mask, `policy` `[rows, A]`, and the return that the network expects
    /// for the player, `value` `[rows]`, as [`Env::evaluate`] does. Either may be empty, which skips it. Rows without legal actions are 0.
    ///
    /// # Errors
    /// Of `agent` if it plays no network, or was made for another game; of `policy` and `value` for another length.
    fn evaluate(&mut self, agent: &AnyAgent, policy: &mut [f32], value: &mut [f32]) -> Result<()>;

    /// Writes what an agent's searches found about the decisions of the batch that they chose for last: after [`AnyVecEnv::act_batch`] and before
    /// the step.
    ///
    /// # Errors
    /// Of `agent` if it does not search, or was made for another game.
    fn search_statistics(&mut self, agent: &AnyAgent, out: &mut BatchStatistics<'_>) -> Result<()>;

    /// Whether the last step has already drawn the actions that [`AnyVecEnv::sample_actions`] would draw now, and written them into its
    /// `drawn` buffer; if so, this call consumes these draws.
    ///
    /// After a use of either method, the next step draws ahead in its own pass, where it costs least. Draws that are not consumed leave no
    /// trace: the next step or sample gives the same numbers as without them.
    fn take_drawn(&mut self) -> bool;

    /// Why an agent has not chosen in the call that was refused last, once: what a function of the host returned
    /// ([`Function`]), or an [`Error`] of `agent` if it chose an illegal action.
    fn take_failure(&mut self) -> Option<Failure> {
        None
    }

    /// Wakes sleeping workers before a step.
    fn prepare(&mut self);

    /// Shares every batch among the threads, even if one thread is faster: for tests and measurements. Results are the same.
    fn share_always(&mut self);

    /// Observations of one player in all environments, `[N, O]`, acting or not.
    fn observe(&mut self, player: Player, out: Rows<'_>) -> Result<()>;

    /// Observations of all players, `[N, P, O]`.
    fn observe_all(&mut self, out: Rows<'_>) -> Result<()>;

    /// Plays `out.steps` steps with an agent for all players of the caller, and leaves the
    /// batch after them in `last`. `random` takes the same actions as `step(sample_actions())` would.
    fn rollout(&mut self, agent: &AnyAgent, out: &mut Rollout<'_>, last: &mut Buffers<'_>) -> Result<()>;

    /// The running episode of one environment.
    fn episode(&self, env: usize) -> Result<EpisodeInfo>;

    /// The state of one environment as bytes, readable by [`Source::States`](crate::vec::Source::States) and by single environments.
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
    ///
    /// # Errors
    /// `InvalidArgument` of `opponents` where none play: then nothing is counted, except in the single-player view of a game for one;
    /// `Order` while a step runs in the background.
    fn results(&self) -> Result<Results>;

    /// Sets all results to 0.
    fn reset_results(&mut self) -> Result<()>;
}
