//! Writes the rows of a batch: observation, legal actions and player of each environment.

use crate::bits::LegalSet;
use crate::game::Game;
use crate::player::Player;
use crate::pool::{Isa, Kernel};
use crate::vec::buffers::{Buffers, clear};
use crate::vec::shard::{Part, Shard};
use crate::vec::spec::VecSpec;

/// Sets the rewards and flags of all rows to 0.
#[inline(always)]
pub(super) fn clear_results(out: &mut Buffers<'_>) {
    clear(out.reward);
    clear(out.learner_reward);
    clear(out.terminated);
    clear(out.truncated);
}

/// Acting players, seeds, learners and opponents of the running episodes.
#[inline(always)]
pub(crate) fn write_episode_info<G: Game, const ACTING_DONE: bool>(
    spec: &VecSpec<G>,
    shard: &Shard<G>,
    out: &mut Buffers<'_>,
    range: std::ops::Range<usize>,
) {
    if !ACTING_DONE && !out.acting.is_empty() {
        let rows =
            out.acting[range.start * spec.players..range.end * spec.players].chunks_exact_mut(spec.players);
        for (row, slot) in rows.zip(&shard.slots[range.clone()]) {
            for (k, flag) in row.iter_mut().enumerate() {
                *flag = slot.acting.0 >> k & 1;
            }
        }
    }
    if !out.episode_seed.is_empty() {
        for (seed, slot) in out.episode_seed[range.clone()].iter_mut().zip(&shard.slots[range.clone()]) {
            *seed = slot.seed;
        }
    }
    if !out.learner.is_empty() && !spec.has_opponents {
        // The same in every row: `meta` is large, and the memory that reading it moves costs more than all the rest here.
        out.learner[range.clone()].fill(if spec.players == 1 { 0 } else { -1 });
    } else if !out.learner.is_empty() {
        for (learner, meta) in out.learner[range.clone()].iter_mut().zip(&shard.meta[range.clone()]) {
            *learner = meta.learners.only().map_or(-1, |player| i32::from(player.0));
        }
    }
    if !out.opponent.is_empty() {
        let rows = &mut out.opponent[range.start * spec.players..range.end * spec.players];
        if spec.has_opponents {
            for (row, meta) in rows.chunks_exact_mut(spec.players).zip(&shard.meta[range]) {
                row.copy_from_slice(&meta.opponents[..spec.players]);
            }
        } else {
            rows.fill(-1);
        }
    }
}

/// Writes the current state of one row and stores its legal actions.
#[inline(always)]
pub(crate) fn write_row<I: Isa, G: Game>(
    isa: I,
    spec: &VecSpec<G>,
    shard: &mut Shard<G>,
    out: &mut Buffers<'_>,
    at: usize,
) {
    let Shard { slots, legal, scratch, .. } = shard;
    let (slot, legal) = (&slots[at], &mut legal[at * spec.lanes..][..spec.lanes]);
    let first = slot.acting.first();
    if let Some(player) = out.player.get_mut(at) {
        *player = first.map_or(-1, |player| i32::from(player.0));
    }
    for (lane, legal) in legal.iter_mut().enumerate() {
        let (player, acts) = match spec.joint {
            true => (Player(lane as u8), slot.acting.contains(Player(lane as u8))),
            false => (first.unwrap_or(slot.last), first.is_some()),
        };
        *legal = if acts { spec.game().legal(&slot.state, player) } else { G::Legal::default() };
        spec.observe(isa, &slot.state, player, &mut out.obs, at * spec.lanes + lane, scratch);
    }
    if !out.action_mask.is_empty() {
        let row = spec.lanes * spec.actions;
        let rows = out.action_mask[at * row..][..row].chunks_exact_mut(spec.actions);
        for (mask, legal) in rows.zip(legal.iter()) {
            legal.expand(mask);
        }
    }
}

/// Writes the current state of a shard.
pub(crate) struct WriteAll<'k, 'a, G: Game> {
    pub(crate) spec: &'k VecSpec<G>,
    pub(crate) part: &'k mut Part<'a, G>,
}

impl<G: Game> Kernel for WriteAll<'_, '_, G> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let WriteAll { spec, part: Part { shard, out, .. } } = self;
        clear_results(out);
        for at in 0..shard.slots.len() {
            write_row(isa, spec, shard, out, at);
        }
        write_episode_info::<G, false>(spec, shard, out, 0..shard.slots.len());
    }
}
