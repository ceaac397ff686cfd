//! Implements the object-safe trait of environments for [`Env`].

use super::{AnyEnv, AnyGame, AnyOutcomes};
use crate::agent::{AnyAgent, Memories, SearchStatistics};
use crate::env::{Env, Origin};
use crate::error::{Error, Problem, Result};
use crate::game::Status;
use crate::info::GameInfo;
use crate::player::{Action, Player, Players};
use crate::replay::Replay;
use crate::show::Show;
use serde_json::Value;
use std::any::Any;

fn check_viewer(info: &GameInfo, viewer: Option<Player>) -> Result<()> {
    match viewer {
        Some(player) if player.index() >= info.players => {
            Err(Error::InvalidPlayer { player: player.0.into(), players: info.players })
        }
        _ => Ok(()),
    }
}

impl<G: Show> AnyEnv for Env<G> {
    crate::forward! { Env;
        fn acting(&self) -> Players;
        fn info(&self) -> &GameInfo;
        fn status(&self) -> Status;
        fn write_mask(&self, player: Player, out: &mut [u8]) -> Result<()>;
        fn write_observation(&self, player: Player, out: &mut [u8]) -> Result<()>;
        fn returns(&self) -> &[f32];
        fn decisions(&self) -> u32;
        fn root_seed(&self) -> u64;
        fn history(&self) -> &[(Player, Action)];
        fn events(&self, viewer: Option<Player>) -> Result<Vec<Value>>;
        fn information_state(&self, player: Player) -> Result<Value>;
        fn action_help(&self, player: Player, action: i64) -> Result<String>;
        fn rewards(&self) -> &[f32];
        fn episode_seed(&self) -> u64;
        fn validate(&self) -> Vec<Problem>;
        fn to_json(&self, viewer: Option<Player>) -> Result<Value>;
        fn seen_before(&self) -> Option<String>;
        fn parse_action(&self, player: Option<Player>, text: &str) -> Result<Action>;
    }
    crate::forward! { Env;
        fn step_joint(&mut self, actions: &[i64]) -> Result<()>;
        fn step(&mut self, action: i64) -> Result<()>;
        fn step_into(&mut self, action: i64, observation: &mut [u8], mask: &mut [u8]) -> Result<Option<Player>>;
        fn restore_seen_before(&mut self, text: &str) -> Result<()>;
        fn reset(&mut self, seed: Option<u64>);
        fn step_player(&mut self, player: Player, action: i64) -> Result<()>;
        fn sample_action(&mut self, player: Player) -> Result<Action>;
        fn next_clone_seed(&mut self) -> u64;
        fn take_memories(&mut self, player: Player) -> Memories;
        fn put_memories(&mut self, taken: Memories);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
    fn game(&self) -> Box<dyn AnyGame> {
        Box::new(self.configured().clone())
    }
    fn legal_actions(&self, player: Player) -> Result<Vec<u16>> {
        check_viewer(Env::info(self), Some(player))?;
        Ok(crate::bits::LegalSet::iter(&self.legal(player)).map(|action| action.0).collect())
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
    fn act(&mut self, agent: &AnyAgent, player: Player) -> Result<Action> {
        Env::act(self, &**agent.of(self.configured())?, player)
    }
    fn act_while(
        &mut self,
        agent: &AnyAgent,
        player: Player,
        keep_going: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Action>> {
        Env::act_while(self, &**agent.of(self.configured())?, player, keep_going)
    }
    fn evaluate(&self, agent: &AnyAgent, player: Player, policy: &mut [f32]) -> Result<f32> {
        Env::evaluate(self, &**agent.of(self.configured())?, player, policy)
    }
    fn search_statistics(&mut self, agent: &AnyAgent, player: Player) -> Result<SearchStatistics> {
        Env::search_statistics(self, &**agent.of(self.configured())?, player)
    }
    fn clone_box(&self) -> Box<dyn AnyEnv> {
        Box::new(self.clone())
    }
    fn clone_with_seed(&self, seed: u64) -> Box<dyn AnyEnv> {
        Box::new(Env::clone_with_seed(self, seed))
    }
    fn sample_hidden(&self, player: Player, seed: u64) -> Result<Box<dyn AnyEnv>> {
        Ok(Box::new(Env::sample_hidden(self, player, seed)?))
    }
    fn to_bytes(&self) -> Vec<u8> {
        crate::save::to_bytes(self)
    }
    fn information_state_key(&self, player: Player) -> Result<u128> {
        Env::information_state_key(self, player)
    }
    fn search_key(&self, player: Player) -> Result<u64> {
        Env::search_key(self, player)
    }
    fn chance_outcomes(&self, action: i64) -> Result<AnyOutcomes> {
        let outcomes = Env::chance_outcomes(self, action)?;
        Ok(outcomes.into_iter().map(|(env, p)| (Box::new(env) as Box<dyn AnyEnv>, p)).collect())
    }
    fn replay(&self) -> Result<Replay> {
        crate::replay::record(self)
    }
    fn action_text(&self, player: Option<Player>, action: i64) -> Result<String> {
        Env::action_text(self, player, action)
    }
    fn draw_text(&self, viewer: Option<Player>) -> Result<String> {
        check_viewer(Env::info(self), viewer)?;
        let text = self.configured().game.draw_text(self.state(), viewer);
        let info = Env::info(self);
        Ok(if info.content_title.is_empty() { text } else { format!("{}\n{text}", info.heading()) })
    }
    fn draw_svg(&self, viewer: Option<Player>) -> Result<String> {
        check_viewer(Env::info(self), viewer)?;
        let picture = self.configured().game.draw_svg(self.state(), viewer);
        Ok(crate::svg::captioned(picture, &Env::info(self).content_title))
    }
}
