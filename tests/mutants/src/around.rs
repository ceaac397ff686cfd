//! A correct game that returns broken environments or batches: the shared part of all mutants around a game.

use playmat_conformance::{Report, SuiteConfig, run_on};
use playmat_core::agent::{AnyAgent, Function};
use playmat_core::any::{AnyEnv, AnyGame, AnyLeafSearch, AnyOutcomes, AnyStates, AnyVecEnv};
use playmat_core::digest::Digest;
use playmat_core::env::ConfiguredGame;
use playmat_core::error::Result;
use playmat_core::exploit::{Exploitability, Policy};
use playmat_core::info::{GameInfo, RewardKind};
use playmat_core::network::Network;
use playmat_core::options::{OptionSpec, Options};
use playmat_core::player::{Action, Player};
use playmat_core::replay::Replay;
use playmat_core::show::ContentEntry;
use playmat_core::survey::Survey;
use playmat_core::tested::Tested;
use playmat_core::toy::Toll;
use playmat_core::vec::{ObsType, VecConfig};
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// A family of defects; methods that are not overridden are correct.
pub trait Lies: Copy + Debug + Send + Sync + 'static {
    /// See [`AnyGame::env`].
    fn env(game: &Around<Self>, seed: u64) -> Box<dyn AnyEnv> {
        game.configured.env(seed)
    }
    /// See [`AnyGame::env_from_bytes`].
    fn env_from_bytes(game: &Around<Self>, bytes: &[u8]) -> Result<Box<dyn AnyEnv>> {
        game.configured.env_from_bytes(bytes)
    }
    /// See [`AnyGame::env_from_json`].
    fn env_from_json(game: &Around<Self>, text: &str, seed: u64) -> Result<Box<dyn AnyEnv>> {
        game.configured.env_from_json(text, seed)
    }
    /// See [`AnyGame::env_from_replay`].
    fn env_from_replay(game: &Around<Self>, replay: &Replay, decisions: usize) -> Result<Box<dyn AnyEnv>> {
        game.configured.env_from_replay(replay, decisions)
    }
    /// See [`AnyGame::chance_outcomes`].
    fn chance_outcomes(game: &Around<Self>) -> Result<AnyOutcomes> {
        AnyGame::chance_outcomes(&game.configured)
    }
    /// Number of episodes that a digest of `episodes` episodes uses.
    fn digest_episodes(_: &Around<Self>, episodes: u64) -> u64 {
        episodes
    }
    /// See [`AnyGame::vec_env`].
    fn vec_env(
        game: &Around<Self>,
        config: VecConfig,
        opponents: &[(&str, f64)],
    ) -> Result<Box<dyn AnyVecEnv>> {
        game.configured.vec_env(config, opponents)
    }
}

/// A correct game with a defect around it.
#[derive(Clone, Debug)]
pub struct Around<L> {
    /// The game.
    pub configured: Arc<ConfiguredGame<Toll>>,
    /// The defect.
    pub defect: L,
}

impl<L: Lies> Around<L> {
    /// The suite's report on the game with the defect.
    pub fn conformance(&self, config: &SuiteConfig) -> Report {
        run_on(&Tested::new(&self.configured), config, &|given| {
            Ok(Box::new(Around { configured: Arc::new(ConfiguredGame::new(given)?), defect: self.defect }))
        })
    }
}

impl<L: Lies> AnyGame for Around<L> {
    playmat_core::forward! { (self.configured);
        fn max_steps(&self) -> u32;
        fn action_text(&self, action: i64) -> Result<String>;
        fn state_size(&self) -> usize;
        fn env_bytes(&self) -> usize;
        fn exploitability_while(&self, policy: &Policy, keep_going: &(dyn Fn() -> bool + Sync)) -> Result<Option<Exploitability>>;
        fn specs(&self) -> &[OptionSpec];
        fn reward(&self) -> RewardKind;
        fn agent(&self, spec: &str) -> Result<AnyAgent>;
        fn function_agent(&self, name: &str, function: Arc<dyn Function>, dtype: ObsType) -> AnyAgent;
        fn vec_env_of(&self, config: VecConfig, opponents: &[(AnyAgent, f64)]) -> Result<Box<dyn AnyVecEnv>>;
        fn network(&self, path: &str) -> Result<Network>;
        fn private_options(&self) -> &'static [&'static str];
        fn excuses(&self) -> Vec<(&'static str, &'static str)>;
        fn shows_more(&self) -> &'static [&'static str];
        fn parse_action(&self, text: &str) -> Result<Action>;
        fn survey_while(&self, episodes: u64, seed: u64, agents: &[AnyAgent], keep_going: &mut dyn FnMut() -> bool) -> Result<Survey>;
        fn options(&self) -> &Options;
        fn content_entries(&self) -> Vec<ContentEntry>;
        fn states(&self, envs: &[&dyn AnyEnv]) -> Result<Box<dyn AnyStates>>;
        fn leaf_search(&self, spec: &str, rows: usize, leaves: usize) -> Result<Box<dyn AnyLeafSearch>>;
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
    fn info(&self) -> &GameInfo {
        self.configured.info()
    }
    fn env(&self, seed: u64) -> Box<dyn AnyEnv> {
        L::env(self, seed)
    }
    fn env_from_bytes(&self, bytes: &[u8]) -> Result<Box<dyn AnyEnv>> {
        L::env_from_bytes(self, bytes)
    }
    fn env_with_history(
        &self,
        bytes: &[u8],
        start: Option<&[u8]>,
        past: &[(Player, Action)],
    ) -> Result<Box<dyn AnyEnv>> {
        self.configured.env_with_history(bytes, start, past)
    }
    fn env_from_json(&self, text: &str, seed: u64) -> Result<Box<dyn AnyEnv>> {
        L::env_from_json(self, text, seed)
    }
    fn env_from_replay(&self, replay: &Replay, decisions: usize) -> Result<Box<dyn AnyEnv>> {
        L::env_from_replay(self, replay, decisions)
    }
    fn vec_env(&self, config: VecConfig, opponents: &[(&str, f64)]) -> Result<Box<dyn AnyVecEnv>> {
        L::vec_env(self, config, opponents)
    }
    fn digest_while(&self, episodes: u64, keep_going: &mut dyn FnMut() -> bool) -> Digest {
        self.configured.digest_while(L::digest_episodes(self, episodes), keep_going)
    }
    fn chance_outcomes(&self) -> Result<AnyOutcomes> {
        L::chance_outcomes(self)
    }
}
