//! A part of a batch: what one task of the pool owns.

use crate::agent::Failure;
use crate::error::Result;
use crate::game::Game;
use crate::memory::filled;
use crate::vec::buffers::{Actions, Buffers};
use crate::vec::config::ObsType;
use crate::vec::ends::EndedRow;
use crate::vec::result_counts::ResultCounts;
use crate::vec::slot::{EnvMeta, Slot};
use crate::vec::spec::VecSpec;
use crate::vec::streams::Streams;
use crate::vec::tuning::{BLOCK, SCRATCH};
use crate::vec::waiting_list::WaitingList;

/// A contiguous range of environments: what one task of the pool owns.
#[derive(Debug)]
pub(crate) struct Shard<G: Game> {
    /// Index of its first environment.
    pub(crate) first: usize,
    pub(crate) slots: Vec<Slot<G::State>>,
    pub(crate) meta: Vec<EnvMeta>,
    /// Legal actions per environment and lane, used to check actions.
    pub(crate) legal: Vec<G::Legal>,
    /// Streams of `sample_actions`, and the same streams after the draws made ahead.
    pub(crate) sample: Streams,
    pub(crate) ahead: Streams,
    /// The checked actions of the step, per environment and lane.
    pub(crate) chosen: Vec<u16>,
    /// Refused rows (environment, player, action) of the last check, at most `KEPT`, and their number.
    pub(crate) refused: Vec<(usize, u8, i64)>,
    pub(crate) refused_count: usize,
    /// All episodes, then those of each opponent.
    pub(crate) result_counts: Vec<ResultCounts>,
    /// An environment in which no episode reaches a decision of a learner.
    pub(crate) stuck: Option<usize>,
    /// Why an agent has not chosen in the running call.
    pub(crate) failure: Option<Failure>,
    /// Scratch memory of a step: the episodes that ended in one block.
    pub(crate) ended: Box<[EndedRow; BLOCK]>,
    /// Whether the next step of the fast path visits the blocks in reverse order.
    pub(crate) backwards: bool,
    /// Observations in bytes, for conversion: one, or as many as are converted at once.
    pub(crate) scratch: Vec<u8>,
    /// Environments that wait for opponents; none between calls.
    pub(crate) waiting_list: WaitingList<G::Legal>,
}

impl<G: Game> Shard<G> {
    pub(crate) fn new(
        spec: &VecSpec<G>,
        first: usize,
        slots: Vec<Slot<G::State>>,
        meta: Vec<EnvMeta>,
    ) -> Result<Shard<G>> {
        let (envs, lanes) = (spec.config.num_envs, slots.len() * spec.lanes);
        Ok(Shard {
            first,
            legal: filled(envs, G::Legal::default(), lanes)?,
            sample: Streams::new(envs, slots.len())?,
            ahead: Streams::new(envs, slots.len())?,
            chosen: filled(envs, 0, lanes)?,
            refused: Vec::new(),
            refused_count: 0,
            result_counts: vec![ResultCounts::default(); 1 + spec.opponents.len()],
            stuck: None,
            failure: None,
            ended: Box::new([EndedRow::NONE; BLOCK]),
            backwards: false,
            scratch: vec![0; spec.observation * rows_at_once(spec)],
            waiting_list: WaitingList::default(),
            slots,
            meta,
        })
    }

    /// Takes the environments from `at` on out, between two calls. Results that were counted stay here.
    ///
    /// # Errors
    /// Those of memory.
    pub(crate) fn split_off(&mut self, spec: &VecSpec<G>, at: usize) -> Result<Shard<G>> {
        let mut rest = Shard::new(spec, self.first + at, Vec::new(), Vec::new())?;
        rest.slots = self.slots.split_off(at);
        rest.meta = self.meta.split_off(at);
        rest.legal = self.legal.split_off(at * spec.lanes);
        rest.chosen = self.chosen.split_off(at * spec.lanes);
        rest.sample = self.sample.split_off(at);
        rest.ahead = self.ahead.split_off(at);
        Ok(rest)
    }

    /// The draws made ahead were taken: the streams after them are the current ones.
    pub(crate) fn take_drawn(&mut self) {
        std::mem::swap(&mut self.sample, &mut self.ahead);
    }
}

/// The data that a step of one shard reads and writes.
pub(crate) struct Part<'a, G: Game> {
    pub(crate) shard: &'a mut Shard<G>,
    pub(crate) actions: Actions<'a>,
    pub(crate) out: Buffers<'a>,
}

/// How many observations are written before they are converted.
fn rows_at_once<G: Game>(spec: &VecSpec<G>) -> usize {
    match spec.config.dtype {
        ObsType::U8 => 1,
        ObsType::F32 => (SCRATCH / spec.observation.max(1)).clamp(1, BLOCK),
    }
}
