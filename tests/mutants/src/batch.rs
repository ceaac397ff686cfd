//! Mutants of batches around a correct game.

use crate::around::{Around, Lies};
use playmat_core::agent::AnyAgent;
use playmat_core::any::{AnyGame, AnyStates, AnyVecEnv};
use playmat_core::error::{Error, Result};
use playmat_core::info::{GameInfo, RewardKind};
use playmat_core::player::Player;
use playmat_core::vec::{
    Actions, BatchStatistics, Buffers, EpisodeInfo, OwnedBuffers, Record, Reset, Results, Rollout, Rows,
    Sizes, Source, Target, VecConfig, Waited,
};
use std::thread::{self, ThreadId};

/// The defect of the batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// No defect: the control.
    Nothing,
    /// Autoreset drops the last reward.
    DropsLastReward,
    /// The batch is stepped before the illegal action is found.
    HalfStepped,
    /// A refused batch has written into the buffers.
    HalfWritten,
    /// Each reward is the sum of all rewards of the episode so far.
    PaysCumulative,
    /// The mask belongs to the next player.
    OtherPlayersMask,
    /// The observation belongs to the next environment.
    OtherObservation,
    /// Environment i of seed s is environment 0 of seed s + i.
    AddsSeeds,
    /// One byte of the observations is left as it was.
    StaleByte,
    /// `final_*` is written in every row.
    FinalEverywhere,
    /// Episodes are reported one decision longer.
    WrongLength,
    /// Reported opponents change in the middle of an episode.
    OpponentChanges,
    /// Results count an episode too many.
    WrongResults,
    /// An episode counts once for each of its opponents.
    CountsPerOpponent,
    /// An episode that ended before the learner's decision is not counted.
    ForgetsPassedOver,
    /// The learner's own reward is that of the player before.
    OtherLearnersReward,
    /// In a truncated episode, player and observation are those of the last decision, the mask is that of the next one.
    UnpairedFinal,
    /// A reset with a mask resets all.
    ResetsAll,
    /// The sampler draws twice.
    DrawsTwice,
    /// Several threads play another seed.
    ThreadsMatter,
    /// With several threads, rewards of environments beyond the first task are 0.
    LateRowsUnpaid,
    /// Any number of actions is accepted.
    AnyLength,
    /// `step_wait` without `step_async` succeeds.
    AnyOrder,
    /// Terminated and truncated are swapped.
    WrongFlag,
    /// In a truncated episode, `final_acting` has other players.
    WrongFinalActing,
    /// In a truncated episode, `final_mask` is all 0.
    ForgetsFinalMask,
    /// An episode that ended before the learner's decision is returned.
    ShowsPassedOver,
    /// After a refusal legal actions are refused as well.
    StaysRefused,
    /// Observations as floats keep eight bits of their significand.
    ShortFloats,
    /// Only the thread that made the batch may step it.
    BoundToThread,
}

/// A correct game with broken batches.
pub type BrokenMaker = Around<Defect>;

impl Lies for Defect {
    fn vec_env(
        game: &BrokenMaker,
        config: VecConfig,
        opponents: &[(&str, f64)],
    ) -> Result<Box<dyn AnyVecEnv>> {
        let inner = game.configured.vec_env(config, opponents)?;
        let sums = vec![0.0; inner.sizes().envs * inner.sizes().players];
        let threads = inner.config().threads;
        Ok(Box::new(BrokenBatch {
            inner,
            defect: game.defect,
            sums,
            threads,
            refused: false,
            shown: 0,
            last: Vec::new(),
            made_on: thread::current().id(),
        }))
    }
}

struct BrokenBatch {
    inner: Box<dyn AnyVecEnv>,
    defect: Defect,
    sums: Vec<f32>,
    threads: usize,
    /// Whether a step was refused.
    refused: bool,
    /// Ended episodes that were returned.
    shown: u64,
    /// The acting player before the step.
    last: Vec<i32>,
    made_on: ThreadId,
}

impl BrokenBatch {
    /// Applies the defect to the outputs.
    fn distort(&mut self, out: &mut Buffers<'_>, stale: Option<u8>) {
        if let (Defect::ShortFloats, Rows::F32(obs)) = (self.defect, &mut out.obs) {
            obs.iter_mut().for_each(|value| *value = f32::from_bits(value.to_bits() & 0xffff_0000));
        }
        let Sizes { envs, players, actions, observation, lanes } = self.inner.sizes();
        for env in 0..envs {
            let row = env * players..(env + 1) * players;
            let flags = (out.terminated.get(env).copied(), out.truncated.get(env).copied());
            let ended = flags.0 == Some(1) || flags.1 == Some(1);
            match self.defect {
                Defect::DropsLastReward if ended && !out.reward.is_empty() => out.reward[row].fill(0.0),
                Defect::PaysCumulative if !out.reward.is_empty() => {
                    for (sum, reward) in self.sums[row.clone()].iter_mut().zip(&mut out.reward[row]) {
                        *sum += *reward;
                        *reward = *sum;
                        if ended {
                            *sum = 0.0;
                        }
                    }
                }
                Defect::OtherPlayersMask if lanes == 1 && out.player.get(env).is_some_and(|&p| p >= 0) => {
                    out.action_mask[env * actions..(env + 1) * actions].fill(0);
                }
                Defect::OtherObservation if env == 0 && lanes == 1 && envs > 1 => {
                    if let Rows::U8(obs) = &mut out.obs
                        && !obs.is_empty()
                    {
                        obs.copy_within(observation..2 * observation, 0);
                    }
                }
                Defect::StaleByte if env == 0 => {
                    if let (Rows::U8(obs), Some(stale)) = (&mut out.obs, stale) {
                        obs[16] = stale;
                    }
                }
                Defect::FinalEverywhere if !ended && !out.final_seed.is_empty() => out.final_seed[env] = 3,
                Defect::WrongLength if ended && !out.episode_length.is_empty() => {
                    out.episode_length[env] += 1;
                }
                Defect::OpponentChanges if !ended && !out.opponent.is_empty() => {
                    let row = &mut out.opponent[row];
                    row.iter_mut().filter(|o| **o >= 0).for_each(|o| *o = 1 - *o);
                }
                Defect::LateRowsUnpaid if env >= 64 && self.threads > 1 && !out.reward.is_empty() => {
                    out.reward[row].fill(0.0);
                }
                Defect::WrongFinalActing if flags.1 == Some(1) && !out.final_acting.is_empty() => {
                    out.final_acting[row].iter_mut().for_each(|flag| *flag = 1 - *flag);
                }
                Defect::ForgetsFinalMask if flags.1 == Some(1) && !out.final_mask.is_empty() => {
                    out.final_mask[env * lanes * actions..][..lanes * actions].fill(0);
                }
                Defect::UnpairedFinal if lanes == 1 && flags.1 == Some(1) && !out.final_player.is_empty() => {
                    out.final_player[env] = self.last[env];
                }
                Defect::OtherLearnersReward if !out.learner_reward.is_empty() && !out.reward.is_empty() => {
                    let before = (out.learner[env].max(0) as usize + players - 1) % players;
                    out.learner_reward[env] = out.reward[row][before];
                }
                Defect::ShowsPassedOver if self.inner.max_steps() == 1 && !out.player.is_empty() => {
                    out.player[env] = -1;
                }
                Defect::WrongFlag if ended && !out.truncated.is_empty() => {
                    std::mem::swap(&mut out.terminated[env], &mut out.truncated[env]);
                }
                _ => {}
            }
        }
    }

    /// Steps with legal actions although the step was refused.
    fn move_anyway(&mut self, out: &mut Buffers<'_>) -> Result<()> {
        let sizes = self.inner.sizes();
        let mut legal = vec![0; sizes.envs * sizes.lanes];
        self.inner.sample_actions(&mut legal)?;
        match self.defect {
            Defect::HalfStepped => self.inner.step(Actions::I64(&legal), &mut Buffers::default()),
            _ => {
                out.player.fill(9);
                Ok(())
            }
        }
    }
}

impl AnyVecEnv for BrokenBatch {
    playmat_core::forward! { (self.inner);
        fn max_steps(&self) -> u32;
        fn episode(&self, env: usize) -> Result<EpisodeInfo>;
        fn info(&self) -> &GameInfo;
        fn reward(&self) -> RewardKind;
        fn sizes(&self) -> Sizes;
        fn env_bytes(&self) -> usize;
        fn is_pending(&self) -> bool;
        fn state_bytes(&self, env: usize) -> Result<Vec<u8>>;
        fn config(&self) -> &VecConfig;
        fn states(&self) -> Result<Box<dyn AnyStates>>;
        fn to_bytes(&self) -> Result<Vec<u8>>;
    }
    playmat_core::forward! { (self.inner);
        fn share_always(&mut self);
        fn add_opponent(&mut self, agent: &AnyAgent, weight: f64) -> Result<usize>;
        fn step_async(&mut self, actions: Vec<i64>, target: Box<dyn Target>) -> Result<()>;
        fn act_batch(&mut self, agent: &AnyAgent, mask: Option<&[u8]>, out: &mut [i64]) -> Result<()>;
        fn act_batch_while(&mut self, agent: &AnyAgent, mask: Option<&[u8]>, out: &mut [i64], keep_going: &(dyn Fn() -> bool + Sync)) -> Result<bool>;
        fn evaluate(&mut self, agent: &AnyAgent, policy: &mut [f32], value: &mut [f32]) -> Result<()>;
        fn search_statistics(&mut self, agent: &AnyAgent, out: &mut BatchStatistics<'_>) -> Result<()>;
        fn prepare(&mut self);
        fn observe(&mut self, player: Player, out: Rows<'_>) -> Result<()>;
        fn rollout(&mut self, agent: &AnyAgent, out: &mut Rollout<'_>, last: &mut Buffers<'_>) -> Result<()>;
        fn load_bytes(&mut self, bytes: &[u8]) -> Result<()>;
        fn set_weights(&mut self, weights: &[f64]) -> Result<()>;
        fn reset_results(&mut self) -> Result<()>;
        fn show(&mut self, out: &mut Buffers<'_>) -> Result<()>;
        fn take_drawn(&mut self) -> bool;
        fn observe_all(&mut self, out: Rows<'_>) -> Result<()>;
    }

    fn reset(&mut self, reset: Reset<'_>, out: &mut Buffers<'_>) -> Result<()> {
        let added: Vec<u64> = match reset.from {
            Source::Seed(seed) => {
                (0..self.inner.sizes().envs as u64).map(|env| seed.wrapping_add(env)).collect()
            }
            Source::Seeds(seeds) => seeds.iter().map(|seed| seed ^ 1).collect(),
            _ => Vec::new(),
        };
        let reset = match (self.defect, reset.from) {
            (Defect::AddsSeeds, Source::Seed(_)) => Reset { from: Source::Seeds(&added), ..reset },
            (Defect::ThreadsMatter, Source::Seeds(_)) if self.threads > 1 => {
                Reset { from: Source::Seeds(&added), ..reset }
            }
            (Defect::ResetsAll, _) => Reset { mask: None, ..reset },
            _ => reset,
        };
        self.sums.fill(0.0);
        self.inner.reset(reset, out)?;
        self.last = out.player.to_vec();
        if matches!(self.defect, Defect::OtherPlayersMask | Defect::OtherObservation) {
            self.distort(out, None);
        }
        Ok(())
    }
    fn step(&mut self, actions: Actions<'_>, out: &mut Buffers<'_>) -> Result<()> {
        let sizes = self.inner.sizes();
        if self.defect == Defect::AnyLength && actions.len() != sizes.envs * sizes.lanes {
            return Ok(());
        }
        if self.defect == Defect::StaysRefused && self.refused {
            return Err(Error::Order("something was refused before"));
        }
        if self.defect == Defect::BoundToThread && thread::current().id() != self.made_on {
            return Err(Error::Order("another thread made this batch"));
        }
        let stale = match &out.obs {
            Rows::U8(obs) => obs.get(16).copied(),
            Rows::F32(_) => None,
        };
        match self.inner.step(actions, out) {
            Ok(()) => {
                self.shown +=
                    out.terminated.iter().chain(out.truncated.iter()).map(|&f| u64::from(f)).sum::<u64>();
                self.distort(out, stale);
                self.last = out.player.to_vec();
                Ok(())
            }
            Err(error) => {
                let refused = matches!(error, Error::IllegalActions(_));
                self.refused |= refused;
                if refused && matches!(self.defect, Defect::HalfStepped | Defect::HalfWritten) {
                    self.move_anyway(out)?;
                }
                Err(error)
            }
        }
    }
    fn step_wait(&mut self) -> Result<Waited> {
        if self.defect == Defect::AnyOrder && !self.inner.is_pending() {
            return Ok(Waited { target: Box::new(OwnedBuffers::default()), result: Ok(()) });
        }
        self.inner.step_wait()
    }
    fn sample_actions(&mut self, out: &mut [i64]) -> Result<()> {
        if self.defect == Defect::DrawsTwice {
            self.inner.sample_actions(out)?;
        }
        self.inner.sample_actions(out)
    }
    fn results(&self) -> Result<Results> {
        let mut results = self.inner.results()?;
        match self.defect {
            Defect::WrongResults => {
                results.opponents.iter_mut().for_each(|result| result.record.episodes += 1);
            }
            Defect::CountsPerOpponent => {
                let other_players = self.inner.sizes().players as u64 - 1;
                let Record { episodes, wins, draws, losses, truncated, .. } = &mut results.total;
                [episodes, wins, draws, losses, truncated].into_iter().for_each(|n| *n *= other_players);
                results.total.return_sum *= other_players as f64;
            }
            Defect::ForgetsPassedOver => {
                let passed = results.total.episodes.saturating_sub(self.shown);
                results.total.episodes -= passed;
                results.total.truncated = results.total.truncated.saturating_sub(passed);
            }
            _ => {}
        }
        Ok(results)
    }
}
