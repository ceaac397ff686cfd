//! Calls in which an agent can fail ([`Agent::can_fail`](crate::agent::Agent::can_fail)): after a failure the batch is as before the call.

use crate::agent::Memories;
use crate::error::{Error, Result};
use crate::game::Game;
use crate::vec::buffers::Buffers;
use crate::vec::core::Core;
use crate::vec::result_counts::ResultCounts;
use crate::vec::shard::Shard;
use crate::vec::slot::{EnvMeta, Slot};
use crate::vec::streams::Streams;

/// What a call can change in a batch.
struct Kept<G: Game> {
    shards: Vec<KeptShard<G>>,
    started: bool,
    broken: bool,
    sampling: bool,
    drawn: bool,
    taken: bool,
}

struct KeptShard<G: Game> {
    slots: Vec<Slot<G::State>>,
    /// Without the memories of agents: search trees are large.
    meta: Vec<EnvMeta>,
    legal: Vec<G::Legal>,
    sample: Streams,
    ahead: Streams,
    result_counts: Vec<ResultCounts>,
    backwards: bool,
}

impl<G: Game> KeptShard<G> {
    fn of(shard: &Shard<G>) -> KeptShard<G> {
        KeptShard {
            slots: shard.slots.clone(),
            meta: shard.meta.iter().map(EnvMeta::without_memories).collect(),
            legal: shard.legal.clone(),
            sample: shard.sample.clone(),
            ahead: shard.ahead.clone(),
            result_counts: shard.result_counts.clone(),
            backwards: shard.backwards,
        }
    }

    fn restore(self, shard: &mut Shard<G>) {
        let KeptShard { slots, meta, legal, sample, ahead, result_counts, backwards } = self;
        (shard.slots, shard.meta, shard.legal) = (slots, meta, legal);
        (shard.sample, shard.ahead, shard.result_counts) = (sample, ahead, result_counts);
        (shard.backwards, shard.stuck, shard.failure) = (backwards, None, None);
        shard.waiting_list.clear();
    }
}

impl EnvMeta {
    /// A copy in which agents have forgotten the episode.
    fn without_memories(&self) -> EnvMeta {
        let EnvMeta { seeds, next, sampled, delta_base, agents, memories: _, opponents, learners } = *self;
        EnvMeta {
            seeds,
            next,
            sampled,
            delta_base,
            agents,
            memories: Memories::default(),
            opponents,
            learners,
        }
    }
}

impl<G: Game> Core<G> {
    /// Makes a call that writes results into `out`. If an agent fails in it, everything is as before, but other agents have forgotten what they
    /// kept of the running episodes. `agent_can_fail`: whether an agent of the call can fail, beside the opponents.
    ///
    /// # Errors
    /// Those of the call; [`Error::InvalidArgument`] of `agent` after a failure.
    #[inline(always)]
    pub(super) fn attempt(
        &mut self,
        agent_can_fail: bool,
        out: Buffers<'_>,
        call: impl FnOnce(&mut Core<G>, Buffers<'_>) -> Result<()>,
    ) -> Result<()> {
        match self.can_fail || agent_can_fail {
            false => call(self, out),
            true => self.attempt_with_copy(out, call),
        }
    }

    #[cold]
    #[inline(never)]
    fn attempt_with_copy(
        &mut self,
        mut out: Buffers<'_>,
        call: impl FnOnce(&mut Core<G>, Buffers<'_>) -> Result<()>,
    ) -> Result<()> {
        // What a call left that panicked, or whose failure nobody has taken.
        self.failure = None;
        self.shards.iter_mut().for_each(|shard| shard.failure = None);
        // Checked by the call; before that, lengths may be wrong.
        let before = out.copied();
        let kept = Kept {
            shards: self.shards.iter().map(KeptShard::of).collect(),
            started: self.started,
            broken: self.broken,
            sampling: self.sampling,
            drawn: self.drawn,
            taken: self.taken,
        };
        let result = call(self, out.reborrow());
        let failed = self.collect_failure();
        if failed.is_ok() {
            return result;
        }
        let Kept { shards, started, broken, sampling, drawn, taken } = kept;
        for (shard, kept) in self.shards.iter_mut().zip(shards) {
            kept.restore(shard);
        }
        (self.started, self.broken, self.sampling) = (started, broken, sampling);
        (self.drawn, self.taken) = (drawn, taken);
        out.write(&before);
        failed
    }

    /// Whether an agent has failed in the running call.
    pub(super) fn has_failed(&self) -> bool {
        self.shards.iter().any(|shard| shard.failure.is_some())
    }

    /// Takes the failures of the running call out of the shards, and keeps one of them for the host.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] of `agent` if there is one.
    pub(super) fn collect_failure(&mut self) -> Result<()> {
        // The first shard's, so that the error does not depend on which thread was quicker.
        let mut failures = self.shards.iter_mut().filter_map(|shard| shard.failure.take());
        let Some(first) = failures.next() else { return Ok(()) };
        failures.for_each(drop);
        self.failure = Some(first);
        Err(Error::argument("agent", "its function failed"))
    }
}
