//! Implements the object-safe trait of games for [`ConfiguredGame`].

use super::{AnyEnv, AnyGame, AnyLeafSearch, AnyOutcomes, AnyStates, AnyVecEnv};
use crate::agent::{Agent, AnyAgent, Function, FunctionAgent};
use crate::digest::Digest;
use crate::env::{ConfiguredGame, Env};
use crate::error::{Error, Result};
use crate::exploit::{Exploitability, Policy};
use crate::info::{GameInfo, RewardKind};
use crate::network::Network;
use crate::options::{OptionSpec, Options};
use crate::player::{Action, Player};
use crate::replay::Replay;
use crate::search::LeafSearch;
use crate::show::{ContentEntry, Show};
use crate::states::States;
use crate::survey::Survey;
use crate::vec::{ObsType, VecConfig, VecEnv};
use std::any::Any;
use std::sync::Arc;

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
        past: &[(Player, Action)],
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
    fn function_agent(&self, name: &str, function: Arc<dyn Function>, dtype: ObsType) -> AnyAgent {
        AnyAgent::of_function(FunctionAgent::new(name, function, dtype), self)
    }
    fn network(&self, path: &str) -> Result<Network> {
        Network::load(path, self)
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
    fn vec_env_of(&self, config: VecConfig, opponents: &[(AnyAgent, f64)]) -> Result<Box<dyn AnyVecEnv>> {
        let opponents = opponents.iter().map(|(agent, weight)| Ok((agent.of(self)?.clone(), *weight)));
        let opponents =
            opponents.collect::<Result<_>>().map_err(|error| error.renamed("agent", "opponents"))?;
        Ok(Box::new(VecEnv::new(self.clone(), config, opponents)?))
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
    fn shows_more(&self) -> &'static [&'static str] {
        self.game.hooks().shows_more
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
        keep_going: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Exploitability>> {
        crate::exploit::exploitability(self, policy, keep_going)
    }
}
