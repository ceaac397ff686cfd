//! What agents do in a batch: rollouts (many steps in one call, in which each task plays its own environments through all steps), the actions
//! that they choose, and what their searches found.

use crate::agent::{Agent, Decision, Decisions, Failure, Knowledge, Memories};
use crate::error::{Error, Result};
use crate::game::Game;
use crate::memory;
use crate::player::Player;
use crate::pool::{Level, dispatch};
use crate::rng::Rng;
use crate::vec::buffers::{Actions, Buffers, Rollout, Rows, Sizes};
use crate::vec::config::{Autoreset, ObsType};
use crate::vec::core::{Core, with_parts};
use crate::vec::shard::{Part, Shard};
use crate::vec::spec::VecSpec;
use crate::vec::statistics::BatchStatistics;
use crate::vec::step::{Check, Sample, play_random, step};
use crate::vec::write::WriteAll;

/// One shard with its piece of every buffer: `steps[0]` is the batch before the first step, `steps[t + 1]` what step t writes.
struct Run<'a, G: Game> {
    shard: &'a mut Shard<G>,
    steps: Vec<Buffers<'a>>,
}

impl<G: Game> Core<G> {
    /// Plays steps with an agent (`None`: random). If an agent fails, the batch and `last` are as before the call; `out` has steps that were
    /// taken back.
    pub(crate) fn rollout(
        &mut self,
        agent: Option<&dyn Agent<G>>,
        out: &mut Rollout<'_>,
        last: &mut Buffers<'_>,
    ) -> Result<()> {
        let can_fail = agent.is_some_and(Agent::can_fail);
        self.attempt(can_fail, last.reborrow(), |core, mut last| core.play_rollout(agent, out, &mut last))
    }

    fn play_rollout(
        &mut self,
        agent: Option<&dyn Agent<G>>,
        out: &mut Rollout<'_>,
        last: &mut Buffers<'_>,
    ) -> Result<()> {
        if self.spec.config.autoreset == Autoreset::Disabled {
            return Err(Error::argument(
                "autoreset",
                "got `disabled`; a rollout needs `same_step` or `next_step`",
            ));
        }
        if out.steps == 0 {
            return Err(Error::argument("steps", "got 0; a rollout has at least 1 step"));
        }
        out.check(&self.sizes, self.spec.config.dtype)?;
        last.check(&self.sizes, self.spec.config.dtype)?;
        // Memory per step while the rollout is played: the slices of the caller's buffers, for every task.
        let step = size_of::<Buffers<'_>>() * (2 + self.shards.len());
        memory::check("steps", out.steps, out.steps.checked_mul(step))?;
        if agent.is_none() && out.is_unused() && self.spec.has_fast_path() {
            return self.play_random(out.steps, last);
        }
        let steps = out.slices(last.reborrow(), &self.sizes);
        let mut runs: Vec<Run<'_, G>> = self
            .shards
            .iter_mut()
            .map(|shard| Run { shard, steps: Vec::with_capacity(steps.len()) })
            .collect();
        for mut buffers in steps {
            for run in &mut runs {
                let (mine, rest) = buffers.split_at(run.shard.slots.len(), &self.sizes);
                run.steps.push(mine);
                buffers = rest;
            }
        }
        let (spec, level) = (&self.spec, self.spec.level);
        self.broken = true;
        self.pool.each(&mut runs, |run| play(spec, level, run, agent));
        self.broken = false;
        self.drawn = false;
        if self.has_failed() {
            return Ok(());
        }
        // The last step's rewards and flags belong to both outputs.
        let (steps, sizes) = (out.steps, &self.sizes);
        copy_last(out.reward, last.reward, steps, sizes.envs * sizes.players);
        copy_last(out.terminated, last.terminated, steps, sizes.envs);
        copy_last(out.truncated, last.truncated, steps, sizes.envs);
        self.check_stuck()
    }

    /// A rollout of random play without outputs, on the fast path.
    fn play_random(&mut self, steps: usize, last: &mut Buffers<'_>) -> Result<()> {
        let last = Buffers { drawn: &mut [], ..last.reborrow() };
        let (spec, level, pool) = (&self.spec, self.spec.level, &mut self.pool);
        self.broken = true;
        with_parts(&mut self.shards, Actions::I64(&[]), last, &self.sizes, |parts| {
            pool.each(parts, |part| {
                if let Some(part) = part {
                    play_random(level, spec, part, steps);
                }
            });
        });
        self.broken = false;
        self.drawn = false;
        self.check_stuck()
    }

    /// Writes the actions of an agent in every row, or in those of the environments in `mask` and -1 in the others. The calling thread calls
    /// `meanwhile` while it waits for others.
    pub(crate) fn act_batch(
        &mut self,
        agent: &dyn Agent<G>,
        mask: Option<&[u8]>,
        out: &mut [i64],
        meanwhile: impl Fn(),
    ) -> Result<()> {
        self.ready()?;
        self.check_out(out)?;
        if let Some(mask) = mask
            && mask.len() != self.sizes.envs
        {
            let (got, wanted) = (mask.len(), self.sizes.envs);
            return Err(Error::argument("mask", format!("got {got} entries; wanted {wanted}")));
        }
        // An agent may draw from the streams that the draws ahead were made from.
        self.drawn = false;
        let spec = &self.spec;
        let mut rest = out;
        let mut parts: Vec<(&mut Shard<G>, &mut [i64])> = Vec::with_capacity(self.shards.len());
        for shard in &mut self.shards {
            let (mine, others) = rest.split_at_mut(shard.slots.len() * spec.lanes);
            parts.push((shard, mine));
            rest = others;
        }
        self.broken = true;
        let work = |(shard, actions): &mut (&mut Shard<G>, &mut [i64])| {
            let mask = mask.map(|mask| &mask[shard.first..][..shard.slots.len()]);
            choose(spec, shard, agent, mask, actions);
        };
        self.pool.each_meanwhile(&mut parts, work, meanwhile);
        self.broken = false;
        self.collect_failure()
    }

    /// Writes what the searches of an agent found about the pending decisions.
    pub(crate) fn search_statistics(
        &mut self,
        agent: &dyn Agent<G>,
        out: &mut BatchStatistics<'_>,
    ) -> Result<()> {
        self.ready()?;
        out.check(self.sizes.envs * self.sizes.lanes, self.sizes.actions)?;
        // Refuses an agent that does not search, also where no player acts.
        match agent.statistics(&Memories::default().of(Player(0), 0)) {
            Ok(_) | Err(Error::Order(_)) => {}
            Err(error) => return Err(error),
        }
        out.clear();
        let (spec, lanes, actions) = (&self.spec, self.sizes.lanes, self.sizes.actions);
        for shard in &mut self.shards {
            for at in 0..shard.slots.len() {
                let slot = &shard.slots[at];
                for player in slot.acting.iter() {
                    let lane = if spec.joint { player.index() } else { 0 };
                    let legal = &shard.legal[at * lanes + lane];
                    let known = Knowledge::new(spec.game(), &slot.state, player, legal);
                    let memory = shard.meta[at].memories.of(player, slot.seed);
                    if let Some(found) = agent.statistics_at(&known, &memory)? {
                        out.write((shard.first + at) * lanes + lane, actions, &found);
                    }
                    if !spec.joint {
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}

fn copy_last<T: Copy>(from: &[T], to: &mut [T], steps: usize, size: usize) {
    if !from.is_empty() && !to.is_empty() {
        to.copy_from_slice(&from[(steps - 1) * size..]);
    }
}

/// Plays one shard through all steps, all environments in each. [`play_random`] does the same without outputs, in another order.
fn play<G: Game>(spec: &VecSpec<G>, level: Level, run: &mut Run<'_, G>, agent: Option<&dyn Agent<G>>) {
    let Run { shard, steps } = run;
    let mut own = vec![0; shard.slots.len() * spec.lanes];
    let mut out = std::mem::take(&mut steps[0]);
    let mut kept = std::mem::take(&mut out.drawn);
    if !out.is_empty() {
        dispatch(level, WriteAll { spec, part: &mut Part { shard, actions: Actions::I64(&[]), out } });
    }
    // Random actions come with the step before them, which draws them while it has the legal actions at hand.
    let mut ahead = vec![0; if agent.is_none() { own.len() } else { 0 }];
    let mut drawn = false;
    let last = steps.len() - 2;
    for (t, out) in steps[1..].iter_mut().enumerate() {
        let mut out = std::mem::take(out);
        let next = std::mem::take(&mut out.drawn);
        let actions = if kept.is_empty() { &mut own[..] } else { kept };
        match agent {
            None => {
                match drawn {
                    true => actions.copy_from_slice(&ahead),
                    false => dispatch(level, Sample { spec, shard, out: &mut *actions }),
                }
                shard.take_drawn();
            }
            Some(agent) => choose(spec, shard, agent, None, actions),
        }
        if shard.failure.is_some() {
            break;
        }
        drawn = agent.is_none() && t < last;
        let out = Buffers { drawn: &mut ahead, ..out };
        let mut part = Part { shard: &mut **shard, actions: Actions::I64(actions), out };
        let legal = dispatch(level, Check { spec, part: &mut part });
        assert!(legal, "agents choose legal actions");
        step(level, spec, &mut part, drawn);
        if shard.stuck.is_some() || shard.failure.is_some() {
            break;
        }
        kept = next;
    }
}

/// The pending decisions of a shard: a row per environment and lane.
struct ShardDecisions<'a, G: Game> {
    spec: &'a VecSpec<G>,
    shard: &'a mut Shard<G>,
    /// Environments that are decided for; all without.
    mask: Option<&'a [u8]>,
    actions: &'a mut [i64],
    /// The environment of the last decision and its stream, which the agent may still draw from.
    borrowed: Option<(usize, Rng)>,
}

impl<G: Game> ShardDecisions<'_, G> {
    /// Takes the borrowed stream back.
    fn take_back(&mut self) {
        if let Some((at, rng)) = self.borrowed.take() {
            self.shard.sample.set(at, rng);
        }
    }
}

impl<G: Game> Drop for ShardDecisions<'_, G> {
    fn drop(&mut self) {
        self.take_back();
    }
}

impl<G: Game> Decisions<G> for ShardDecisions<'_, G> {
    fn rows(&self) -> usize {
        self.actions.len()
    }

    fn get(&mut self, row: usize) -> Option<Decision<'_, G>> {
        self.take_back();
        let Shard { slots, meta, legal, sample, .. } = &mut *self.shard;
        let (at, lane) =
            if self.spec.joint { (row / self.spec.lanes, row % self.spec.lanes) } else { (row, 0) };
        if self.mask.is_some_and(|mask| mask[at] == 0) {
            return None;
        }
        let slot = &slots[at];
        let player = if self.spec.joint { Player(lane as u8) } else { slot.acting.first()? };
        if !slot.acting.contains(player) {
            return None;
        }
        let (_, rng) = self.borrowed.insert((at, sample.get(at)));
        Some(Decision {
            known: Knowledge::new(self.spec.game(), &slot.state, player, &legal[row]),
            memory: meta[at].memories.of(player, slot.seed),
            rng,
            chosen: &mut self.actions[row],
        })
    }

    fn fail(&mut self, failure: Failure) {
        self.shard.failure = Some(failure);
    }
}

/// The actions of an agent for every player that must choose, in the environments in `mask`.
fn choose<G: Game>(
    spec: &VecSpec<G>,
    shard: &mut Shard<G>,
    agent: &dyn Agent<G>,
    mask: Option<&[u8]>,
    actions: &mut [i64],
) {
    match mask {
        None => actions.fill(0),
        Some(mask) => {
            for (actions, &is_chosen) in actions.chunks_exact_mut(spec.lanes).zip(mask) {
                actions.fill(if is_chosen == 0 { -1 } else { 0 });
            }
        }
    }
    agent.act_batch(&mut ShardDecisions { spec, shard, mask, actions, borrowed: None });
}

/// Cuts a slice into `count` rows of `size`, or as many empty ones.
fn rows<T>(mut slice: &mut [T], count: usize, size: usize) -> Vec<&mut [T]> {
    let size = if slice.is_empty() { 0 } else { size };
    let mut rows = Vec::with_capacity(count);
    for _ in 0..count {
        let (row, rest) = std::mem::take(&mut slice).split_at_mut(size);
        rows.push(row);
        slice = rest;
    }
    rows
}

impl Rollout<'_> {
    /// Whether all outputs are unused.
    fn is_unused(&self) -> bool {
        self.obs.is_empty()
            && [&self.action_mask, &self.terminated, &self.truncated].iter().all(|output| output.is_empty())
            && self.player.is_empty()
            && self.action.is_empty()
            && self.reward.is_empty()
    }

    fn check(&self, sizes: &Sizes, dtype: ObsType) -> Result<()> {
        let (steps, rows) = (self.steps, sizes.envs * sizes.lanes);
        for (name, got, wanted) in [
            ("obs", self.obs.len(), rows * sizes.observation),
            ("action_mask", self.action_mask.len(), rows * sizes.actions),
            ("player", self.player.len(), sizes.envs),
            ("action", self.action.len(), rows),
            ("reward", self.reward.len(), sizes.envs * sizes.players),
            ("terminated", self.terminated.len(), sizes.envs),
            ("truncated", self.truncated.len(), sizes.envs),
        ] {
            if got != 0 && Some(got) != wanted.checked_mul(steps) {
                let message = format!("got {got} elements; wanted {steps} times {wanted} (or none)");
                return Err(Error::argument(name, message));
            }
        }
        if let Some(got) = self.obs.dtype()
            && got != dtype
        {
            let (got, wanted) = (got.name(), dtype.name());
            return Err(Error::argument("obs", format!("got elements of type {got}; wanted {wanted}")));
        }
        Ok(())
    }

    /// Buffers for the batch before the first step and for each step: `steps + 1`, the last of them `last`. Rewards and flags go to the
    /// rollout if it has slices for them.
    fn slices<'b>(&'b mut self, last: Buffers<'b>, sizes: &Sizes) -> Vec<Buffers<'b>> {
        let (steps, lanes) = (self.steps, sizes.envs * sizes.lanes);
        let mut all: Vec<Buffers<'b>> = (0..steps).map(|_| Buffers::default()).collect();
        let row = lanes * sizes.observation;
        match self.obs.reborrow() {
            Rows::U8(slice) => {
                for (buffers, row) in all.iter_mut().zip(rows(slice, steps, row)) {
                    buffers.obs = Rows::U8(row);
                }
            }
            Rows::F32(slice) => {
                for (buffers, row) in all.iter_mut().zip(rows(slice, steps, row)) {
                    buffers.obs = Rows::F32(row);
                }
            }
        }
        let masks = rows(self.action_mask, steps, lanes * sizes.actions);
        let players = rows(self.player, steps, sizes.envs).into_iter();
        let actions = rows(self.action, steps, lanes);
        for (buffers, ((mask, player), action)) in
            all.iter_mut().zip(masks.into_iter().zip(players).zip(actions))
        {
            (buffers.action_mask, buffers.player, buffers.drawn) = (mask, player, action);
        }
        all.push(Buffers { drawn: &mut [], ..last });
        let rewards = rows(self.reward, steps, sizes.envs * sizes.players);
        let terminated = rows(self.terminated, steps, sizes.envs).into_iter();
        let truncated = rows(self.truncated, steps, sizes.envs);
        let flags = terminated.zip(truncated);
        for (buffers, (reward, (terminated, truncated))) in
            all[1..].iter_mut().zip(rewards.into_iter().zip(flags))
        {
            if !reward.is_empty() {
                buffers.reward = reward;
            }
            if !terminated.is_empty() {
                buffers.terminated = terminated;
            }
            if !truncated.is_empty() {
                buffers.truncated = truncated;
            }
        }
        all
    }
}
