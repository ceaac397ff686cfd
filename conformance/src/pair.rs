//! A batch beside the environments that it must equal.

use super::filling::dirty;
use super::play::act;
use super::turns::against_first;
use playmat_core::any::{AnyEnv, AnyGame, AnyVecEnv};
use playmat_core::error::Error;
use playmat_core::player::Player;
use playmat_core::rng::{Rng, derive, environment_root, episode_seed};
use playmat_core::vec::{Autoreset, Learners, ObsType, OwnedBuffers, Reset, Source, VecConfig, View};

/// `max_steps` of the truncated variant of a game: prime, so that it falls between turns.
pub(super) const CUT: u32 = 7;

pub(super) fn config(num_envs: usize, view: View, autoreset: Autoreset, dtype: ObsType) -> VecConfig {
    VecConfig { num_envs, view, autoreset, dtype, ..VecConfig::default() }
}

pub(super) fn seeds(n: usize, salt: u64) -> Vec<u64> {
    (0..n as u64).map(|env| derive(0x76_6563 ^ salt, env)).collect()
}

/// Largest number of episodes in a row that may end before a learner's first decision.
const REPLACEMENTS: usize = 100;

/// A batch and the environments it must equal, one by one. In the single-player view their opponents are greedy.
pub(super) struct Pair {
    pub(super) venv: Box<dyn AnyVecEnv>,
    pub(super) singles: Vec<Box<dyn AnyEnv>>,
    /// Episodes begun in each row.
    pub(super) begun: Vec<u64>,
    pub(super) out: OwnedBuffers,
    pub(super) draws: Vec<Rng>,
    /// Sum of the rewards read from the buffers, per environment and player.
    pub(super) rewards: Vec<Vec<f64>>,
    /// The learner of the single-player view.
    pub(super) learner: Option<Player>,
    /// Rewards from opponents' decisions before the learner's first decision, which belong to its first step.
    opening_rewards: Vec<Vec<f32>>,
    /// The game without `max_steps`, in which truncated positions continue.
    pub(super) open: Option<Box<dyn AnyGame>>,
}

impl Pair {
    pub(super) fn new(game: &dyn AnyGame, mut config: VecConfig, filling: u8) -> Result<Pair, Error> {
        let (seeds, players) = (seeds(config.num_envs, 1), game.info().players);
        let learner = (config.view == View::Single).then(|| Player((1 % players) as u8));
        let opponents: &[(&str, f64)] = if learner.is_some() { &[("greedy", 1.0)] } else { &[] };
        if let Some(player) = learner {
            config.learners = Learners::Roles(against_first(player, players));
        }
        let mut venv = game.vec_env(config, opponents)?;
        let mut out = dirty(&*venv, filling);
        venv.reset(Reset { from: Source::Seeds(&seeds), mask: None }, &mut out.borrow())?;
        let singles = seeds.iter().map(|&seed| game.env(seed)).collect();
        let begun = vec![1; seeds.len()];
        let draws = seeds.iter().map(|&seed| Rng::from_seed(seed)).collect();
        let rewards = vec![vec![0.0; players]; seeds.len()];
        let opening_rewards = vec![vec![0.0; players]; seeds.len()];
        let mut pair =
            Pair { venv, singles, begun, out, draws, rewards, learner, opening_rewards, open: None };
        (0..seeds.len()).for_each(|env| pair.first_decision(env));
        Ok(pair)
    }

    /// The seed of the episode that a row plays: its own first, then a stream hashed from that and the row's place.
    pub(super) fn seed_of(&self, env: usize) -> u64 {
        let own = seeds(self.singles.len(), 1)[env];
        match self.begun[env] - 1 {
            0 => own,
            episode => episode_seed(environment_root(own, env as u64), episode),
        }
    }

    /// Starts the next episode of one environment.
    pub(super) fn next_episode(&mut self, env: usize) {
        self.reset_single(env);
        self.first_decision(env);
    }

    /// Resets a single environment to the next episode of its row.
    fn reset_single(&mut self, env: usize) {
        self.begun[env] += 1;
        let seed = self.seed_of(env);
        self.singles[env].reset(Some(seed));
    }

    /// Plays on to the first decision of the caller; an episode that ends before is skipped.
    fn first_decision(&mut self, env: usize) {
        for _ in 0..REPLACEMENTS {
            self.opening_rewards[env] = self.play_opponents(env);
            if self.learner.is_none() || !self.singles[env].acting().is_empty() {
                return;
            }
            self.reset_single(env);
        }
    }

    /// Lets opponents decide until the learner of a single-player view must act; returns the rewards.
    fn play_opponents(&mut self, env: usize) -> Vec<f32> {
        let single = &mut self.singles[env];
        let mut earned = vec![0.0; single.info().players];
        let Some(learner) = self.learner else { return earned };
        while let Some(player) = single.acting().first().filter(|&player| player != learner) {
            let moved = act(&mut **single, "greedy", player);
            if moved.and_then(|action| single.step_player(player, action.0.into())).is_err() {
                break;
            }
            earned.iter_mut().zip(single.rewards()).for_each(|(sum, reward)| *sum += reward);
        }
        earned
    }

    /// Makes the step of the batch in one single environment.
    pub(super) fn step_alone(
        &mut self,
        env: usize,
        actions: &[i64],
        alone: &mut SingleStep,
    ) -> Result<(), Error> {
        if alone.was_over {
            // next_step: the action is ignored, the next episode begins, all rewards are 0.
            self.next_episode(env);
            alone.rewards = vec![0.0; self.singles[env].info().players];
            return Ok(());
        }
        let single = &mut self.singles[env];
        let before = single.history().len();
        match actions {
            &[action] => single.step(action)?,
            actions => single.step_joint(actions)?,
        }
        alone.player = single.history().get(before).map(|(player, _)| *player);
        alone.rewards = single.rewards().to_vec();
        let opening_rewards = std::mem::take(&mut self.opening_rewards[env]);
        for earned in [opening_rewards, self.play_opponents(env)] {
            alone.rewards.iter_mut().zip(earned).for_each(|(sum, reward)| *sum += reward);
        }
        Ok(())
    }

    /// Random legal actions for the lanes of one environment.
    pub(super) fn actions_of(&mut self, env: usize) -> Vec<i64> {
        let (single, draws) = (&*self.singles[env], &mut self.draws[env]);
        let lanes = self.venv.sizes().lanes;
        let mut actions = vec![0; lanes];
        let acting = single.acting();
        for player in acting.iter().take(if lanes == 1 { 1 } else { usize::MAX }) {
            let legal = single.legal_actions(player).unwrap_or_default();
            let lane = if lanes == 1 { 0 } else { player.index() };
            if !legal.is_empty() {
                actions[lane] = legal[draws.below(legal.len() as u32) as usize].into();
            }
        }
        actions
    }
}

/// The result of a step in a single environment.
#[derive(Default)]
pub(super) struct SingleStep {
    /// Whether its episode was over before.
    pub(super) was_over: bool,
    /// Who decided.
    pub(super) player: Option<Player>,
    /// Rewards until the next decision of the caller.
    pub(super) rewards: Vec<f32>,
}
