//! The fast path of a step: turn view, no opponents, automatic reset in the same step ([`VecSpec::has_fast_path`]).
//!
//! It plays the environments in blocks, so that a block's data stays in the L1 cache, and each block in passes: apply, end, write, draw. Each
//! pass is a kernel, and thus a function of its own: in one function for all of them the compiler ran out of registers, which cost a tenth of
//! a step of the small games.

use crate::bits;
use crate::game::Game;
use crate::info::RewardKind;
use crate::log::Silent;
use crate::player::{Action, Player, Players};
use crate::pool::{Isa, Kernel, Level, dispatch};
use crate::reward;
use crate::vec::buffers::{Buffers, Rows};
use crate::vec::ends::{EndData, EndEpisodes, EndedRow, write_learner_reward, write_reward};
use crate::vec::floats::Convert;
use crate::vec::shard::Shard;
use crate::vec::slot::{EnvMeta, Slot};
use crate::vec::spec::{VecSpec, lowest};
use crate::vec::streams::{Draw, DrawInPlace};
use crate::vec::tuning::{BLOCK, LARGE_BLOCK, MEDIUM_BLOCK, MEDIUM_STATE, SMALL_STATE};
use crate::vec::write::write_episode_info;
use std::ops::Range;

/// The rows of a range of environments in an output; empty if the output is unused.
#[inline(always)]
fn part_of<'a, T>(output: &'a mut [T], range: &Range<usize>, size: usize) -> &'a mut [T] {
    output.get_mut(range.start * size..range.end * size).unwrap_or_default()
}

/// A step of one shard. `PAIR`: the game has two players.
pub(crate) fn step<G: Game, const PAIR: bool>(
    level: Level,
    spec: &VecSpec<G>,
    shard: &mut Shard<G>,
    out: &mut Buffers<'_>,
    draw: bool,
) {
    assert!(out.obs.is_empty() || !out.player.is_empty(), "rows are written with their players");
    let (observation, actions, limit) = (spec.observation, spec.actions, spec.limit);
    let envs = shard.slots.len();
    let blocks = envs.div_ceil(BLOCK);
    // Alternating order: the blocks that the last step left in the cache come first. With a fixed order, a batch slightly larger than the
    // cache would find each block just evicted.
    let backwards = shard.backwards;
    shard.backwards = !backwards;
    for block in 0..blocks {
        let block = if backwards { blocks - 1 - block } else { block };
        let from = block * BLOCK;
        let range = from..(from + BLOCK).min(envs);
        let Shard {
            first,
            slots,
            meta,
            result_counts,
            scratch,
            chosen,
            ended,
            stuck,
            legal,
            sample,
            ahead,
            ..
        } = &mut *shard;
        let (game, block) = (spec.game(), &mut slots[range.clone()]);
        let chosen = &chosen[range.clone()];
        let num_ended =
            dispatch(level, Apply::<G, PAIR> { game, limit, slots: block, chosen, ended, first: from });
        if spec.configured.reward == RewardKind::ScoreDelta {
            let meta = &mut meta[range.clone()];
            let rewards = part_of(out.reward, &range, spec.players);
            let learner_rewards = part_of(out.learner_reward, &range, 1);
            dispatch(level, PayScores { game, slots: block, meta, rewards, learner_rewards });
        }
        if num_ended > 0 {
            let data = EndData { meta, result_counts, scratch, first: *first };
            let ended = &ended[..num_ended];
            let end_episodes = EndEpisodes::<G, PAIR> { spec, slots, data, out: &mut *out, ended };
            *stuck = (*stuck).max(dispatch(level, end_episodes));
            if stuck.is_some() {
                return; // The call fails, and the batch must be reset.
            }
        }
        let (slots, legal) = (&slots[range.clone()], &mut legal[range.clone()]);
        let players = part_of(out.player, &range, 1);
        match &mut out.obs {
            Rows::U8([]) | Rows::F32([]) => {
                dispatch(level, WriteLegal::<G, PAIR> { game, slots, legal, players });
            }
            Rows::U8(obs) => {
                let rows = part_of(obs, &range, observation);
                dispatch(level, WriteRows::<G, PAIR> { game, slots, legal, players, rows, observation });
            }
            Rows::F32(obs) => {
                let at_once = scratch.len() / observation;
                let floats = part_of(obs, &range, observation).chunks_mut(at_once * observation);
                let rows =
                    slots.chunks(at_once).zip(legal.chunks_mut(at_once)).zip(players.chunks_mut(at_once));
                for (((slots, legal), players), rows) in rows.zip(floats) {
                    let bytes = &mut scratch[..rows.len()];
                    let write =
                        WriteRows::<G, PAIR> { game, slots, legal, players, rows: bytes, observation };
                    dispatch(level, write);
                    dispatch(level, Convert { floats: &spec.floats, bytes, rows });
                }
            }
        }
        let masks = part_of(out.action_mask, &range, actions);
        let acting = part_of(out.acting, &range, if PAIR { 2 } else { 0 });
        if !masks.is_empty() || !acting.is_empty() {
            dispatch(level, WriteMasks::<G> { legal, actions, masks, slots, acting });
        }
        if draw {
            let drawn = &mut out.drawn[range.clone()];
            dispatch(
                level,
                Draw { range: range.clone(), legal, actions, now: &*sample, next: &mut *ahead, drawn },
            );
        }
        write_episode_info::<G, PAIR>(spec, shard, out, range);
    }
}

/// Steps of one shard with random actions and without outputs. Environments do not depend on each other: each block plays all of its steps
/// before the next block begins, so that its states stay in the cache.
pub(crate) fn play_random<G: Game, const PAIR: bool>(
    level: Level,
    spec: &VecSpec<G>,
    shard: &mut Shard<G>,
    steps: usize,
) {
    let (game, limit, actions) = (spec.game(), spec.limit, spec.actions);
    let in_order = const { size_of::<G::State>() > SMALL_STATE && size_of::<G::State>() <= MEDIUM_STATE };
    let size = const {
        match size_of::<G::State>() {
            size if size <= SMALL_STATE => BLOCK,
            size if size <= MEDIUM_STATE => MEDIUM_BLOCK,
            _ => LARGE_BLOCK,
        }
    };
    let envs = shard.slots.len();
    let out = &mut Buffers::default();
    for from in (0..envs).step_by(size) {
        let range = from..(from + size).min(envs);
        let Shard { first, slots, meta, result_counts, scratch, chosen, ended, stuck, legal, sample, .. } =
            &mut *shard;
        let (legal, chosen) = (&mut legal[range.clone()], &mut chosen[range.clone()]);
        for _ in 0..steps {
            let (streams, drawn) = (&mut *sample, &mut *chosen);
            dispatch(level, DrawInPlace { range: range.clone(), legal, actions, streams, drawn });
            let block = &mut slots[range.clone()];
            let num_ended = if in_order {
                let order = &dispatch(level, ByAction { chosen, actions })[..block.len()];
                dispatch(
                    level,
                    ApplyInOrder::<G, PAIR> { game, limit, slots: block, chosen, order, ended, first: from },
                )
            } else {
                dispatch(level, Apply::<G, PAIR> { game, limit, slots: block, chosen, ended, first: from })
            };
            if num_ended > 0 {
                let data = EndData { meta, result_counts, scratch, first: *first };
                let ended = &ended[..num_ended];
                let end_episodes = EndEpisodes::<G, PAIR> { spec, slots, data, out: &mut *out, ended };
                *stuck = (*stuck).max(dispatch(level, end_episodes));
                if stuck.is_some() {
                    return; // The call fails, and the batch must be reset.
                }
            }
            let slots = &slots[range.clone()];
            dispatch(level, WriteLegal::<G, PAIR> { game, slots, legal, players: &mut [] });
        }
        if spec.configured.reward == RewardKind::ScoreDelta {
            let (slots, meta) = (&slots[range.clone()], &mut meta[range]);
            dispatch(level, PayScores { game, slots, meta, rewards: &mut [], learner_rewards: &mut [] });
        }
    }
}

/// Draws an action in every row of a shard, in place.
pub(crate) fn draw<G: Game>(level: Level, spec: &VecSpec<G>, shard: &mut Shard<G>) {
    let Shard { legal, sample, chosen, .. } = shard;
    for from in (0..legal.len()).step_by(BLOCK) {
        let range = from..(from + BLOCK).min(legal.len());
        let (legal, drawn) = (&legal[range.clone()], &mut chosen[range.clone()]);
        let actions = spec.actions;
        dispatch(level, DrawInPlace { range, legal, actions, streams: &mut *sample, drawn });
    }
}

/// The player of a set of one.
#[inline(always)]
fn only<const PAIR: bool>(players: Players) -> Player {
    Player(if PAIR { players.0 >> 1 & 1 } else { players.0.trailing_zeros() as u8 })
}

/// Applies the checked actions of a block and stores who acts next. Returns how many episodes are over; `ended` has their rows and
/// the players that ended them.
struct Apply<'k, G: Game, const PAIR: bool> {
    game: &'k G,
    limit: u32,
    slots: &'k mut [Slot<G::State>],
    chosen: &'k [u16],
    ended: &'k mut [EndedRow; BLOCK],
    /// The row of the block's first environment.
    first: usize,
}

impl<G: Game, const PAIR: bool> Kernel for Apply<'_, G, PAIR> {
    type Out = usize;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> usize {
        let Apply { game, limit, slots, chosen, ended, first } = self;
        apply::<G, PAIR>(game, limit, slots, chosen, ended, first)
    }
}

// Separate slice arguments tell the compiler that inputs and outputs do not alias. So it keeps the game's numbers in registers.

#[inline(always)]
fn apply<G: Game, const PAIR: bool>(
    game: &G,
    limit: u32,
    slots: &mut [Slot<G::State>],
    chosen: &[u16],
    ended: &mut [EndedRow; BLOCK],
    first: usize,
) -> usize {
    let mut num_ended = 0usize;
    let mut at = first;
    for (slot, &action) in slots.iter_mut().zip(chosen) {
        apply_one::<G, PAIR>(game, limit, slot, action, ended, &mut num_ended, at);
        at = at.wrapping_add(1);
    }
    num_ended
}

/// [`apply`] for one row.
#[inline(always)]
fn apply_one<G: Game, const PAIR: bool>(
    game: &G,
    limit: u32,
    slot: &mut Slot<G::State>,
    action: u16,
    ended: &mut [EndedRow; BLOCK],
    num_ended: &mut usize,
    at: usize,
) {
    let viewer = only::<PAIR>(slot.acting);
    game.apply(&mut slot.state, viewer, Action(action), &mut slot.rng, &mut Silent);
    slot.count_decision();
    let acting = game.acting(&slot.state);
    slot.acting = lowest(acting);
    // Written for every row and counted for those that ended: a branch would be missed once per episode.
    ended[*num_ended & (BLOCK - 1)] = EndedRow::new(at, viewer);
    *num_ended = num_ended.wrapping_add(usize::from(acting.is_empty() | (slot.length >= limit)));
}

/// The rows of a block in the order of their actions: equal decisions follow each other, and the processor predicts the branches on what was
/// decided. Environments do not depend on each other, so any order gives the same episodes.
struct ByAction<'k> {
    chosen: &'k [u16],
    /// Number of actions of the game.
    actions: usize,
}

/// Bits of a row of a block.
const ROW_BITS: u32 = MEDIUM_BLOCK.trailing_zeros();

impl Kernel for ByAction<'_> {
    type Out = [u8; MEDIUM_BLOCK];

    /// The place of a row is the number of smaller keys, of which vector code compares sixteen at once.
    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> [u8; MEDIUM_BLOCK] {
        // Action and row fit into fifteen bits: if there are many actions, those of a few neighbours count as equal.
        let shift = (usize::BITS - self.actions.leading_zeros()).saturating_sub(15 - ROW_BITS);
        let mut keys = [i16::MAX; MEDIUM_BLOCK];
        for ((key, &action), row) in keys.iter_mut().zip(self.chosen).zip(0..) {
            *key = (action >> shift << ROW_BITS) as i16 | row;
        }
        let mut places = [0i16; MEDIUM_BLOCK];
        for other in keys {
            for (place, key) in places.iter_mut().zip(keys) {
                *place = place.wrapping_add(i16::from(other < key));
            }
        }
        let mut order = [0; MEDIUM_BLOCK];
        for (place, row) in places.into_iter().zip(0..) {
            order[place as usize & (MEDIUM_BLOCK - 1)] = row;
        }
        order
    }
}

/// [`Apply`] in another order of the rows.
struct ApplyInOrder<'k, G: Game, const PAIR: bool> {
    game: &'k G,
    limit: u32,
    slots: &'k mut [Slot<G::State>],
    chosen: &'k [u16],
    order: &'k [u8],
    ended: &'k mut [EndedRow; BLOCK],
    first: usize,
}

impl<G: Game, const PAIR: bool> Kernel for ApplyInOrder<'_, G, PAIR> {
    type Out = usize;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> usize {
        let ApplyInOrder { game, limit, slots, chosen, order, ended, first } = self;
        let mut num_ended = 0;
        for row in order.iter().copied().map(usize::from) {
            let (slot, at) = (&mut slots[row], first.wrapping_add(row));
            apply_one::<G, PAIR>(game, limit, slot, chosen[row], ended, &mut num_ended, at);
        }
        num_ended
    }
}

/// Pays the change of the scores of a block, for the reward kind `score_delta`.
struct PayScores<'k, G: Game> {
    game: &'k G,
    slots: &'k [Slot<G::State>],
    meta: &'k mut [EnvMeta],
    rewards: &'k mut [f32],
    learner_rewards: &'k mut [f32],
}

impl<G: Game> Kernel for PayScores<'_, G> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        let PayScores { game, slots, meta, rewards, learner_rewards } = self;
        let info = game.info();
        for (at, (slot, meta)) in slots.iter().zip(meta).enumerate() {
            let scores = game.scores(&slot.state);
            let reward = reward::of_scores(info, &meta.delta_base, &scores);
            meta.delta_base = scores;
            write_reward(rewards, at, info.players, &reward);
            write_learner_reward(learner_rewards, at, meta.learners, &reward);
        }
    }
}

/// Who acts, the legal actions and the observations of a block.
struct WriteRows<'k, G: Game, const PAIR: bool> {
    game: &'k G,
    slots: &'k [Slot<G::State>],
    legal: &'k mut [G::Legal],
    players: &'k mut [i32],
    rows: &'k mut [u8],
    /// Bytes of a row.
    observation: usize,
}

impl<G: Game, const PAIR: bool> Kernel for WriteRows<'_, G, PAIR> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        let WriteRows { game, slots, legal, players, rows, observation } = self;
        write_rows::<G, PAIR>(game, slots, legal, players, rows, observation);
    }
}

#[inline(always)]
fn write_rows<G: Game, const PAIR: bool>(
    game: &G,
    slots: &[Slot<G::State>],
    legal: &mut [G::Legal],
    players: &mut [i32],
    rows: &mut [u8],
    observation: usize,
) {
    let rows = rows.chunks_exact_mut(observation).zip(players);
    for ((slot, legal), (row, number)) in slots.iter().zip(legal).zip(rows) {
        let player = only::<PAIR>(slot.acting);
        *legal = game.legal(&slot.state, player);
        *number = i32::from(player.0);
        game.observe(&slot.state, player, row);
    }
}

/// [`WriteRows`] without observations: who acts, if that is used, and the legal actions.
struct WriteLegal<'k, G: Game, const PAIR: bool> {
    game: &'k G,
    slots: &'k [Slot<G::State>],
    legal: &'k mut [G::Legal],
    players: &'k mut [i32],
}

impl<G: Game, const PAIR: bool> Kernel for WriteLegal<'_, G, PAIR> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        write_legal::<G, PAIR>(self.game, self.slots, self.legal);
        for (player, slot) in self.players.iter_mut().zip(self.slots) {
            *player = i32::from(only::<PAIR>(slot.acting).0);
        }
    }
}

#[inline(always)]
fn write_legal<G: Game, const PAIR: bool>(game: &G, slots: &[Slot<G::State>], legal: &mut [G::Legal]) {
    for (slot, legal) in slots.iter().zip(legal) {
        *legal = game.legal(&slot.state, only::<PAIR>(slot.acting));
    }
}

/// The legal action masks of a block and, in games of two players, who acts: each if it is used.
struct WriteMasks<'k, G: Game> {
    legal: &'k [G::Legal],
    actions: usize,
    masks: &'k mut [u8],
    slots: &'k [Slot<G::State>],
    /// A row of two per player.
    acting: &'k mut [u8],
}

impl<G: Game> Kernel for WriteMasks<'_, G> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        if !self.masks.is_empty() {
            bits::expand_rows(self.legal, self.actions, self.masks);
        }
        for (row, slot) in self.acting.as_chunks_mut::<2>().0.iter_mut().zip(self.slots) {
            *row = [slot.acting.0 & 1, slot.acting.0 >> 1];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_by_action_are_those_of_a_stable_sort() {
        let mut rng = crate::rng::Rng::from_seed(1);
        for (actions, alike) in
            [(1, 1), (9, 1), (81, 1), (511, 1), (512, 2), (1023, 2), (1024, 4), (65_535, 128)]
        {
            for rows in 1..=MEDIUM_BLOCK {
                let chosen: Vec<u16> = (0..rows).map(|_| rng.below(actions) as u16).collect();
                let mut sorted: Vec<u8> = (0..rows as u8).collect();
                sorted.sort_by_key(|&row| chosen[usize::from(row)] / alike);
                for level in [Level::BASELINE, Level::detect()] {
                    let kernel = ByAction { chosen: &chosen, actions: actions as usize };
                    assert_eq!(dispatch(level, kernel)[..rows], sorted, "{actions} actions");
                }
            }
        }
    }
}
