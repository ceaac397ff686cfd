//! Games and environments without their types: what bindings, registries and tools hold.
//!
//! Dispatch happens once per call of a whole environment or batch, never inside one.

use crate::agent::{Agent, AnyAgent, Spec};
use crate::digest::Digest;
use crate::env::{ConfiguredGame, Env, Origin};
use crate::error::{Error, Problem, Result};
use crate::exploit::{Exploitability, Policy};
use crate::game::Status;
use crate::info::{GameInfo, RewardKind};
use crate::options::{OptionSpec, Options};
use crate::replay::Replay;
use crate::search::{AnyLeafSearch, LeafSearch};
use crate::seat::{Action, Seat, Seats};
use crate::show::{ContentEntry, Show};
use crate::states::{AnyStates, States};
use crate::survey::Survey;
use crate::vec::{AnyVecEnv, VecConfig, VecEnv};
use serde_json::Value;
use std::any::Any;
use std::sync::Arc;

/// A configured game.
pub trait AnyGame: Send + Sync {
    /// Itself as `Any`, for downcasts.
    fn as_any(&self) -> &dyn Any;
    /// What is fixed for all episodes.
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
        past: &[(Seat, Action)],
    ) -> Result<Box<dyn AnyEnv>>;
    /// An environment from JSON. Errors: [`save::from_json`](crate::save::from_json).
    fn env_from_json(&self, text: &str, seed: u64) -> Result<Box<dyn AnyEnv>>;
    /// A replay at a decision. Errors: [`replay::seek`](crate::replay::seek).
    fn env_from_replay(&self, replay: &Replay, decisions: usize) -> Result<Box<dyn AnyEnv>>;
    /// The agent that a spec names. Errors: [`AnyAgent::parse`].
    fn agent(&self, spec: &str) -> Result<AnyAgent>;
    /// Searches whose network is evaluated outside of the engine. Errors: [`LeafSearch::new`].
    fn leaf_search(&self, spec: &str, rows: usize, leaves: usize) -> Result<Box<dyn AnyLeafSearch>>;
    /// The states of environments. Errors: [`Error::InvalidArgument`] of `envs` if one is of another configured game.
    fn states(&self, envs: &[&dyn AnyEnv]) -> Result<Box<dyn AnyStates>>;
    /// A vectorized environment; opponents are specs of agents with their weights. Errors: [`VecEnv::new`].
    fn vec_env(&self, config: VecConfig, opponents: &[(&str, f64)]) -> Result<Box<dyn AnyVecEnv>>;
    /// See [`Show::private_options`].
    fn private_options(&self) -> &'static [&'static str];
    /// See [`Show::content_entries`].
    fn content_entries(&self) -> Vec<ContentEntry>;
    /// See [`Hooks::excuses`](crate::hooks::Hooks::excuses).
    fn excuses(&self) -> Vec<(&'static str, &'static str)>;
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
        keep_going: &mut dyn FnMut() -> bool,
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
    fn acting(&self) -> Seats;
    /// See [`Env::step`].
    fn step(&mut self, action: i64) -> Result<()>;
    /// See [`Env::step_seat`].
    fn step_seat(&mut self, seat: Seat, action: i64) -> Result<()>;
    /// See [`Env::step_into`]. The default does the same in several calls.
    fn step_into(&mut self, action: i64, observation: &mut [u8], mask: &mut [u8]) -> Result<Option<Seat>> {
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
    fn write_mask(&self, seat: Seat, out: &mut [u8]) -> Result<()>;
    /// Legal actions of a player, ascending; empty if the player need not act.
    fn legal_actions(&self, seat: Seat) -> Result<Vec<u16>>;
    /// See [`Env::write_observation`].
    fn write_observation(&self, seat: Seat, out: &mut [u8]) -> Result<()>;
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
    fn history(&self) -> &[(Seat, Action)];
    /// See [`Env::sample_action`].
    fn sample_action(&mut self, seat: Seat) -> Result<Action>;
    /// See [`Env::act`]. Errors: also `InvalidArgument` of `agent` if it was made for another game.
    fn act(&mut self, agent: &AnyAgent, player: Seat) -> Result<Action>;
    /// See [`Env::act_while`]. Errors: as [`AnyEnv::act`].
    fn act_while(
        &mut self,
        agent: &AnyAgent,
        player: Seat,
        keep_going: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Action>>;
    /// An exact copy that draws the same chance: for saving a position and returning to it. For search, use [`AnyEnv::fork`].
    fn clone_box(&self) -> Box<dyn AnyEnv>;
    /// See [`Env::fork`].
    fn fork(&self, seed: u64) -> Box<dyn AnyEnv>;
    /// See [`Env::next_clone_seed`].
    fn next_clone_seed(&mut self) -> u64;
    /// See [`Env::sample_hidden`].
    fn sample_hidden(&self, player: Seat, seed: u64) -> Result<Box<dyn AnyEnv>>;
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
    fn to_json(&self, viewer: Option<Seat>) -> Result<Value>;
    /// See [`Env::events`].
    fn events(&self, viewer: Option<Seat>) -> Result<Vec<Value>>;
    /// See [`Env::information_state_key`].
    fn information_state_key(&self, player: Seat) -> Result<u128>;
    /// See [`Env::information_state`].
    fn information_state(&self, player: Seat) -> Result<Value>;
    /// See [`Env::seen_before`].
    fn seen_before(&self) -> Option<String>;
    /// See [`Env::restore_seen_before`].
    fn restore_seen_before(&mut self, text: &str) -> Result<()>;
    /// See [`Env::chance_outcomes`].
    fn chance_outcomes(&self, action: i64) -> Result<AnyOutcomes>;
    /// See [`replay::record`](crate::replay::record).
    fn replay(&self) -> Result<Replay>;
    /// See [`Env::action_text`].
    fn action_text(&self, seat: Option<Seat>, action: i64) -> Result<String>;
    /// See [`Env::action_help`].
    fn action_help(&self, seat: Seat, action: i64) -> Result<String>;
    /// See [`Env::parse_action`].
    fn parse_action(&self, seat: Option<Seat>, text: &str) -> Result<Action>;
    /// See [`Show::draw_text`]; the title of the content comes first.
    fn draw_text(&self, viewer: Option<Seat>) -> Result<String>;
    /// See [`Show::draw_svg`]; the title of the content stands in the upper left corner.
    fn draw_svg(&self, viewer: Option<Seat>) -> Result<String>;
}

fn check_viewer(info: &GameInfo, viewer: Option<Seat>) -> Result<()> {
    match viewer {
        Some(seat) if seat.index() >= info.players => {
            Err(Error::InvalidPlayer { player: seat.0.into(), players: info.players })
        }
        _ => Ok(()),
    }
}

impl<G: Show> AnyGame for Arc<ConfiguredGame<G>> {
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn info(&self) -> &GameInfo {
        self.game.info()
    }
    fn specs(&self) -> &[OptionSpec] {
        &self.specs
    }
    fn options(&self) -> &Options {
        &self.options
    }
    fn reward(&self) -> RewardKind {
        self.reward
    }
    fn max_steps(&self) -> u32 {
        self.max_steps
    }
    fn env(&self, seed: u64) -> Box<dyn AnyEnv> {
        Box::new(Env::new(self.clone(), seed))
    }
    fn env_from_bytes(&self, bytes: &[u8]) -> Result<Box<dyn AnyEnv>> {
        Ok(Box::new(crate::save::from_bytes(self, bytes)?))
    }
    fn env_with_history(
        &self,
        bytes: &[u8],
        start: Option<&[u8]>,
        past: &[(Seat, Action)],
    ) -> Result<Box<dyn AnyEnv>> {
        Ok(Box::new(crate::save::from_bytes(self, bytes)?.with_history(start, past)?))
    }
    fn env_from_json(&self, text: &str, seed: u64) -> Result<Box<dyn AnyEnv>> {
        Ok(Box::new(crate::save::from_json(self, text, seed)?))
    }
    fn env_from_replay(&self, replay: &Replay, decisions: usize) -> Result<Box<dyn AnyEnv>> {
        replay.check_identity(self)?;
        Ok(Box::new(crate::replay::seek(self, replay, decisions)?))
    }
    fn agent(&self, spec: &str) -> Result<AnyAgent> {
        AnyAgent::parse(spec, self)
    }
    fn leaf_search(&self, spec: &str, rows: usize, leaves: usize) -> Result<Box<dyn AnyLeafSearch>> {
        Ok(Box::new(LeafSearch::new(self, spec, rows, leaves)?))
    }
    fn states(&self, envs: &[&dyn AnyEnv]) -> Result<Box<dyn AnyStates>> {
        let state = |at: usize| {
            let env: Option<&Env<G>> = envs[at].as_any().downcast_ref();
            let found = match env.map(|env| (env, &**env.configured())) {
                None => format!("`{}`", envs[at].info().id),
                Some((_, other)) if other.options_text != self.options_text => {
                    format!("`{}` with {}", G::ID, other.options_text)
                }
                Some((_, other)) if other.game.info().content_hash != self.game.info().content_hash => {
                    format!("`{}` with another content", G::ID)
                }
                Some((env, _)) => return Ok(env.snapshot()),
            };
            let wanted = format!("`{}` with {}", G::ID, self.options_text);
            Err(Error::argument("envs", format!("number {at} plays {found}; wanted {wanted}")))
        };
        Ok(Box::new(States::of(self, envs.len(), state)?))
    }
    fn vec_env(&self, config: VecConfig, opponents: &[(&str, f64)]) -> Result<Box<dyn AnyVecEnv>> {
        let opponents =
            opponents.iter().map(|&(spec, weight)| Ok((spec.parse::<Spec>()?.agent(self)?, weight)));
        Ok(Box::new(VecEnv::new(self.clone(), config, opponents.collect::<Result<_>>()?)?))
    }
    fn private_options(&self) -> &'static [&'static str] {
        self.game.private_options()
    }
    fn content_entries(&self) -> Vec<ContentEntry> {
        self.game.content_entries()
    }
    fn excuses(&self) -> Vec<(&'static str, &'static str)> {
        self.game.hooks().excuses().collect()
    }
    fn action_text(&self, action: i64) -> Result<String> {
        Ok(self.game.action_text(None, self.game.info().check_action(action)?))
    }
    fn parse_action(&self, text: &str) -> Result<Action> {
        let found = self.game.parse_action(None, text);
        found.filter(|action| action.index() < self.game.info().num_actions).ok_or_else(|| {
            Error::UnknownAction {
                text: text.chars().take(60).collect(),
                allowed: (0..2).map(|a| self.game.action_text(None, Action(a))).collect(),
            }
        })
    }
    fn digest_while(&self, episodes: u64, keep_going: &mut dyn FnMut() -> bool) -> Digest {
        crate::digest::digest_while(self, episodes, keep_going)
    }
    fn survey_while(
        &self,
        episodes: u64,
        seed: u64,
        agents: &[AnyAgent],
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Survey> {
        let typed =
            agents.iter().map(|agent| Ok(&**agent.of(self)?)).collect::<Result<Vec<&dyn Agent<G>>>>()?;
        Ok(crate::survey::survey_while(self, episodes, seed, &typed, keep_going))
    }
    fn env_bytes(&self) -> usize {
        crate::vec::env_bytes::<G>(1)
    }
    fn state_size(&self) -> usize {
        size_of::<G::State>()
    }
    fn chance_outcomes(&self) -> Result<AnyOutcomes> {
        let outcomes = ConfiguredGame::chance_outcomes(self)?;
        Ok(outcomes.into_iter().map(|(env, p)| (Box::new(env) as Box<dyn AnyEnv>, p)).collect())
    }
    fn exploitability_while(
        &self,
        policy: &Policy,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Exploitability>> {
        crate::exploit::exploitability(self, policy, keep_going)
    }
}

impl<G: Show> AnyEnv for Env<G> {
    crate::forward! { Env;
        fn acting(&self) -> Seats;
        fn info(&self) -> &GameInfo;
        fn status(&self) -> Status;
        fn write_mask(&self, seat: Seat, out: &mut [u8]) -> Result<()>;
        fn write_observation(&self, seat: Seat, out: &mut [u8]) -> Result<()>;
        fn returns(&self) -> &[f32];
        fn decisions(&self) -> u32;
        fn root_seed(&self) -> u64;
        fn history(&self) -> &[(Seat, Action)];
        fn events(&self, viewer: Option<Seat>) -> Result<Vec<Value>>;
        fn information_state(&self, player: Seat) -> Result<Value>;
        fn action_help(&self, seat: Seat, action: i64) -> Result<String>;
        fn rewards(&self) -> &[f32];
        fn episode_seed(&self) -> u64;
        fn validate(&self) -> Vec<Problem>;
        fn to_json(&self, viewer: Option<Seat>) -> Result<Value>;
        fn seen_before(&self) -> Option<String>;
        fn parse_action(&self, seat: Option<Seat>, text: &str) -> Result<Action>;
    }
    crate::forward! { Env;
        fn step_joint(&mut self, actions: &[i64]) -> Result<()>;
        fn step(&mut self, action: i64) -> Result<()>;
        fn step_into(&mut self, action: i64, observation: &mut [u8], mask: &mut [u8]) -> Result<Option<Seat>>;
        fn restore_seen_before(&mut self, text: &str) -> Result<()>;
        fn reset(&mut self, seed: Option<u64>);
        fn step_seat(&mut self, seat: Seat, action: i64) -> Result<()>;
        fn sample_action(&mut self, seat: Seat) -> Result<Action>;
        fn next_clone_seed(&mut self) -> u64;
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
    fn game(&self) -> Box<dyn AnyGame> {
        Box::new(self.configured().clone())
    }
    fn legal_actions(&self, seat: Seat) -> Result<Vec<u16>> {
        check_viewer(Env::info(self), Some(seat))?;
        Ok(crate::bits::LegalSet::iter(&self.legal(seat)).map(|action| action.0).collect())
    }
    fn scores(&self) -> Vec<i32> {
        Env::scores(self)[..Env::info(self).players].to_vec()
    }
    fn is_from_seed(&self) -> bool {
        matches!(self.origin(), Origin::Seed)
    }
    fn start_bytes(&self) -> Option<Vec<u8>> {
        match self.origin() {
            Origin::Seed => None,
            Origin::State(first) => {
                Some(crate::save::to_bytes(&Env::from_snapshot(self.configured().clone(), first.clone())))
            }
        }
    }
    fn act(&mut self, agent: &AnyAgent, player: Seat) -> Result<Action> {
        Env::act(self, &**agent.of(self.configured())?, player)
    }
    fn act_while(
        &mut self,
        agent: &AnyAgent,
        player: Seat,
        keep_going: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Action>> {
        Env::act_while(self, &**agent.of(self.configured())?, player, keep_going)
    }
    fn clone_box(&self) -> Box<dyn AnyEnv> {
        Box::new(self.clone())
    }
    fn fork(&self, seed: u64) -> Box<dyn AnyEnv> {
        Box::new(Env::fork(self, seed))
    }
    fn sample_hidden(&self, player: Seat, seed: u64) -> Result<Box<dyn AnyEnv>> {
        Ok(Box::new(Env::sample_hidden(self, player, seed)?))
    }
    fn to_bytes(&self) -> Vec<u8> {
        crate::save::to_bytes(self)
    }
    fn information_state_key(&self, player: Seat) -> Result<u128> {
        Env::information_state_key(self, player)
    }
    fn chance_outcomes(&self, action: i64) -> Result<AnyOutcomes> {
        let outcomes = Env::chance_outcomes(self, action)?;
        Ok(outcomes.into_iter().map(|(env, p)| (Box::new(env) as Box<dyn AnyEnv>, p)).collect())
    }
    fn replay(&self) -> Result<Replay> {
        crate::replay::record(self)
    }
    fn action_text(&self, seat: Option<Seat>, action: i64) -> Result<String> {
        Env::action_text(self, seat, action)
    }
    fn draw_text(&self, viewer: Option<Seat>) -> Result<String> {
        check_viewer(Env::info(self), viewer)?;
        let text = self.configured().game.draw_text(self.state(), viewer);
        let info = Env::info(self);
        Ok(if info.content_title.is_empty() { text } else { format!("{}\n{text}", info.heading()) })
    }
    fn draw_svg(&self, viewer: Option<Seat>) -> Result<String> {
        check_viewer(Env::info(self), viewer)?;
        let picture = self.configured().game.draw_svg(self.state(), viewer);
        Ok(crate::svg::captioned(picture, &Env::info(self).content_title))
    }
}
