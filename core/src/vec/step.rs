//! The kernel of a step on a contiguous range of environments: check actions, apply them, reset ended episodes, write results, draw ahead.
//!
//! A step has two paths with the same results: the fast path ([`fast`]) for the configuration that training loops use most, without
//! branches on the configuration, and the general path ([`general`]) for all others. Both process the environments in blocks, each block in
//! passes, so that a block's data stays in the L1 cache and its branches stay predictable.

use crate::bits::{self, LegalSet};
use crate::error::Result;
use crate::game::{Game, Status};
use crate::info::RewardKind;
use crate::pool::{Isa, Kernel};
use crate::reward::Rewards;
use crate::rng::Rng;
use crate::seat::{Action, MAX_SEATS, Seat, Seats};
use crate::vec::Record;
use crate::vec::buffers::{Actions, Buffers, Rows};
use crate::vec::config::Autoreset;
use crate::vec::memory::filled;
use crate::vec::opponents::{Aside, Stage};
use crate::vec::spec::{Begun, EnvMeta, Slot, VecSpec, lowest};
use serde::{Deserialize, Serialize};

/// Environments per block.
const BLOCK: usize = 64;

/// States up to this many bytes are those of small games, of which a step takes few nanoseconds.
pub(crate) const SMALL_STATE: usize = 128;

/// Results of episodes for the caller, of all or of those against one opponent. Sums are exact, so their order does not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub(crate) episodes: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) truncated: u64,
    /// In units of 2^-32, as [`fixed`] makes them.
    pub(crate) return_sum: i128,
}

impl Tally {
    /// The form returned to callers.
    pub(crate) fn record(&self) -> Record {
        let Tally { episodes, wins, draws, losses, truncated, return_sum } = *self;
        let return_sum = return_sum as f64 / 4_294_967_296.0;
        Record { episodes, wins, draws, losses, truncated, return_sum }
    }
}

/// A return as a whole number of 2^-32.
pub(crate) fn fixed(value: f64) -> i128 {
    (value * 4_294_967_296.0) as i128
}

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
    pub(crate) sample: Vec<Rng>,
    pub(crate) ahead: Vec<Rng>,
    /// The checked actions of the step, per environment and lane.
    chosen: Vec<u16>,
    /// Refused rows (environment, player, action) of the last check, at most `KEPT`, and their number.
    pub(crate) refused: Vec<(usize, u8, i64)>,
    pub(crate) refused_count: usize,
    /// All episodes, then those of each opponent.
    pub(crate) tallies: Vec<Tally>,
    /// An environment in which no episode reaches a decision of a learner.
    pub(crate) stuck: Option<usize>,
    /// Scratch memory of a step: the episodes that ended in one block.
    ends: Box<[End; BLOCK]>,
    /// Whether the next step of the fast path visits the blocks in reverse order.
    backwards: bool,
    /// One observation in bytes, for conversion.
    pub(crate) scratch: Vec<u8>,
    /// Environments that wait for opponents; none between calls.
    pub(crate) aside: Aside<G::Legal>,
}

impl<G: Game> Shard<G> {
    pub(crate) fn new(
        spec: &VecSpec<G>,
        first: usize,
        slots: Vec<Slot<G::State>>,
        meta: Vec<EnvMeta>,
        sample: Vec<Rng>,
    ) -> Result<Shard<G>> {
        let (envs, lanes) = (spec.config.num_envs, slots.len() * spec.lanes);
        Ok(Shard {
            first,
            legal: filled(envs, G::Legal::default(), lanes)?,
            ahead: filled(envs, Rng::from_seed(0), sample.len())?,
            sample,
            chosen: filled(envs, 0, lanes)?,
            refused: Vec::new(),
            refused_count: 0,
            tallies: vec![Tally::default(); 1 + spec.opponents.len()],
            stuck: None,
            ends: Box::new([End::NONE; BLOCK]),
            backwards: false,
            scratch: vec![0; spec.observation],
            aside: Aside::default(),
            slots,
            meta,
        })
    }
}

/// An episode that ended in the current step.
#[derive(Clone, Copy, Debug)]
struct End {
    /// Its row.
    at: usize,
    /// The player of the caller's last decision.
    viewer: Seat,
    status: Status,
    returns: Rewards,
}

impl End {
    const NONE: End = End { at: 0, viewer: Seat(0), status: Status::Running, returns: [0.0; MAX_SEATS] };
}

/// What a step of one shard works on.
pub(crate) struct Part<'a, G: Game> {
    pub(crate) shard: &'a mut Shard<G>,
    pub(crate) actions: Actions<'a>,
    pub(crate) out: Buffers<'a>,
}

/// Checks the actions and stores them for the step. `true` if all are legal.
pub(crate) struct Check<'k, 'a, G: Game> {
    pub(crate) spec: &'k VecSpec<G>,
    pub(crate) part: &'k mut Part<'a, G>,
}

impl<G: Game> Kernel for Check<'_, '_, G> {
    type Out = bool;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> bool {
        let Check { spec, part } = self;
        let actions = part.actions;
        match actions {
            Actions::I64(actions) => check(spec, part.shard, actions),
            Actions::I32(actions) => check(spec, part.shard, actions),
        }
    }
}

#[inline(always)]
fn check<G: Game, T: Copy + Into<i64>>(spec: &VecSpec<G>, shard: &mut Shard<G>, actions: &[T]) -> bool {
    // Without a branch or a sum that may overflow, so that compilers check several rows at once.
    let mut bad = false;
    for ((chosen, legal), &action) in shard.chosen.iter_mut().zip(&shard.legal).zip(actions) {
        let action: i64 = action.into();
        *chosen = action as u16;
        bad |= (action != i64::from(action as u16)) | !legal.contains(Action(action as u16));
    }
    shard.refused_count = 0;
    // Rows without a decision have no legal actions and count as bad: the slow check decides.
    !bad || find_illegal(spec, shard, actions)
}

#[cold]
#[inline(never)]
fn find_illegal<G: Game, T: Copy + Into<i64>>(
    spec: &VecSpec<G>,
    shard: &mut Shard<G>,
    actions: &[T],
) -> bool {
    shard.refused.clear();
    let mut refuse = |env: usize, seat: Seat, action: i64| {
        shard.refused_count += 1;
        if shard.refused.len() < crate::error::IllegalActions::KEPT {
            shard.refused.push((env, seat.0, action));
        }
    };
    for (i, slot) in shard.slots.iter().enumerate() {
        if slot.is_over() && spec.config.autoreset == Autoreset::Disabled {
            refuse(shard.first + i, slot.last, -1);
        }
        for seat in slot.acting.iter() {
            let at = i * spec.lanes + if spec.joint { seat.index() } else { 0 };
            let action: i64 = actions[at].into();
            let fits = action == i64::from(action as u16);
            if !(fits && shard.legal[at].contains(Action(action as u16))) {
                refuse(shard.first + i, seat, action);
            }
        }
    }
    shard.refused_count == 0
}

/// Plays the checked actions and writes the results.
pub(crate) struct Step<'k, 'a, G: Game> {
    pub(crate) spec: &'k VecSpec<G>,
    pub(crate) part: &'k mut Part<'a, G>,
    /// Whether to draw the next random actions.
    pub(crate) draw: bool,
}

impl<G: Game> Kernel for Step<'_, '_, G> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let Step { spec, part, draw } = self;
        let Part { shard, out, .. } = part;
        clear_results(out);
        let whole = !out.action_mask.is_empty() && !out.player.is_empty() && !out.reward.is_empty();
        match &out.obs {
            Rows::U8(obs) if whole && !obs.is_empty() && spec.has_fast_path() => {
                // Small games with two players get loops of their own: there the engine's share of a step is the larger one. Large games
                // would pay for them with code.
                let pair = spec.players == 2 && const { size_of::<G::State>() <= SMALL_STATE };
                if pair {
                    fast::<G, I, true>(spec, shard, out, isa, draw);
                } else {
                    fast::<G, I, false>(spec, shard, out, isa, draw);
                }
            }
            _ => general(spec, shard, out, isa, draw),
        }
    }
}

/// Sets the rewards and flags of all rows to 0.
#[inline(always)]
fn clear_results(out: &mut Buffers<'_>) {
    out.reward.fill(0.0);
    out.learner_reward.fill(0.0);
    out.terminated.fill(0);
    out.truncated.fill(0);
}

/// The fast path of a step (see [`VecSpec::has_fast_path`]), into complete byte buffers. `PAIR`: the game has two players.
#[inline(always)]
fn fast<G: Game, I: Isa, const PAIR: bool>(
    spec: &VecSpec<G>,
    shard: &mut Shard<G>,
    out: &mut Buffers<'_>,
    isa: I,
    draw: bool,
) {
    let envs = shard.slots.len();
    let blocks = envs.div_ceil(BLOCK);
    // Alternating order: the blocks that the last step left in the cache come first. With a fixed order, a batch slightly larger than the
    // cache would find each block just evicted.
    let backwards = shard.backwards;
    shard.backwards = !backwards;
    for block in 0..blocks {
        let block = if backwards { blocks - 1 - block } else { block };
        let from = block * BLOCK;
        let to = (from + BLOCK).min(envs);
        let Shard { first, slots, meta, tallies, scratch, chosen, ends, stuck, .. } = &mut *shard;
        let num_ended =
            apply::<G, PAIR>(spec.game(), spec.limit, &mut slots[from..to], &chosen[from..to], ends, from);
        if num_ended > 0 {
            let ends = &mut ends[..num_ended];
            pay::<G, PAIR>(spec, slots, out.reward, out.learner_reward, ends);
            finish_episodes(spec, slots, meta, tallies, scratch, out, ends);
            *stuck = (*stuck).max(restart(spec, slots, meta, tallies, ends, *first));
        }
        write_fast::<G, I, PAIR>(spec, shard, out, from..to, isa, draw);
    }
}

/// The player of a set of one.
#[inline(always)]
fn only<const PAIR: bool>(seats: Seats) -> Seat {
    Seat(if PAIR { seats.0 >> 1 & 1 } else { seats.0.trailing_zeros() as u8 })
}

// The loops below take slices and not the structs that hold them: so the compiler knows that what they write is nothing of what they read,
// and keeps the game's numbers and the slices' places in registers.

/// Applies the checked actions of a block and stores who acts next. Returns the number of `ends`: of the episodes that are over, their rows
/// and the players that ended them.
#[inline(always)]
fn apply<G: Game, const PAIR: bool>(
    game: &G,
    limit: u32,
    slots: &mut [Slot<G::State>],
    chosen: &[u16],
    ends: &mut [End; BLOCK],
    first: usize,
) -> usize {
    let mut num_ended = 0usize;
    let mut at = first;
    for (slot, &action) in slots.iter_mut().zip(chosen) {
        let viewer = only::<PAIR>(slot.acting);
        slot.decide(game, viewer, Action(action));
        let acting = game.acting(&slot.state);
        slot.acting = lowest(acting);
        // Written for every row and counted for those that ended: a branch would be missed once per episode.
        let end = &mut ends[num_ended & (BLOCK - 1)];
        (end.at, end.viewer) = (at, viewer);
        num_ended = num_ended.wrapping_add(usize::from(acting.is_empty() | (slot.length >= limit)));
        at = at.wrapping_add(1);
    }
    num_ended
}

/// Status and rewards of the episodes that ended.
#[inline(always)]
fn pay<G: Game, const PAIR: bool>(
    spec: &VecSpec<G>,
    slots: &[Slot<G::State>],
    rewards: &mut [f32],
    learner_rewards: &mut [f32],
    ends: &mut [End],
) {
    for end in &mut *ends {
        let slot = &slots[end.at];
        let (status, cut) = spec.status(slot);
        (end.status, end.returns) = (status, spec.end_rewards(&slot.state, status, cut));
        write_reward::<PAIR>(rewards, end.at, spec.players, &end.returns);
    }
    if spec.players == 1 && !learner_rewards.is_empty() {
        for end in ends {
            learner_rewards[end.at] = end.returns[0];
        }
    }
}

/// Starts the next episodes where the last ones ended. Returns an environment in which no episode reaches a decision.
#[inline(always)]
fn restart<G: Game>(
    spec: &VecSpec<G>,
    slots: &mut [Slot<G::State>],
    meta: &mut [EnvMeta],
    tallies: &mut [Tally],
    ends: &[End],
    first: usize,
) -> Option<usize> {
    // Seeds and generators first: pure arithmetic that the processor overlaps.
    for end in ends {
        let slot = &mut slots[end.at];
        (slot.seed, slot.rng) = spec.next_episode(&meta[end.at]);
    }
    let mut stuck = None;
    for end in ends {
        let env = first.wrapping_add(end.at);
        if spec.begin_seeded(&mut slots[end.at], &mut meta[end.at], env, tallies) == Begun::Never {
            stuck = stuck.max(Some(env));
        }
    }
    stuck
}

/// Who acts, the legal actions and the observations of a block.
#[inline(always)]
fn write_rows<G: Game, const PAIR: bool>(
    game: &G,
    slots: &[Slot<G::State>],
    kept: &mut [G::Legal],
    players: &mut [i32],
    observations: &mut [u8],
    size: usize,
) {
    let rows = observations.chunks_exact_mut(size).zip(players);
    for ((slot, kept), (row, player)) in slots.iter().zip(kept).zip(rows) {
        let seat = only::<PAIR>(slot.acting);
        *kept = game.legal(&slot.state, seat);
        *player = i32::from(seat.0);
        game.observe(&slot.state, seat, row);
    }
}

#[inline(always)]
fn write_fast<G: Game, I: Isa, const PAIR: bool>(
    spec: &VecSpec<G>,
    shard: &mut Shard<G>,
    out: &mut Buffers<'_>,
    range: std::ops::Range<usize>,
    isa: I,
    draw: bool,
) {
    let (observation, actions) = (spec.observation, spec.actions);
    let Rows::U8(obs) = &mut out.obs else { return };
    let rows = &mut obs[range.start * observation..range.end * observation];
    let (slots, kept) = (&shard.slots[range.clone()], &mut shard.legal[range.clone()]);
    let players = &mut out.player[range.clone()];
    write_rows::<G, PAIR>(spec.game(), slots, kept, players, rows, observation);
    let masks = &mut out.action_mask[range.start * actions..range.end * actions];
    bits::expand_rows(&shard.legal[range.clone()], actions, masks);
    if draw {
        let (now, next) = (&shard.sample[range.clone()], &mut shard.ahead[range.clone()]);
        draw_rows(&shard.legal[range.clone()], now, next, &mut out.drawn[range.clone()], isa);
    }
    if PAIR && !out.acting.is_empty() {
        // From the players, which lie side by side: that is vector code.
        let rows = out.acting[range.start * 2..range.end * 2].as_chunks_mut::<2>().0;
        for (row, &player) in rows.iter_mut().zip(&out.player[range.clone()]) {
            *row = (1u16 << (8 * (player & 1))).to_le_bytes();
        }
    }
    write_episode_info::<G, PAIR>(spec, shard, out, range);
}

/// Acting players, seeds, learners and opponents of the running episodes.
#[inline(always)]
fn write_episode_info<G: Game, const ACTING_DONE: bool>(
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
            *learner = meta.learners.only().map_or(-1, |seat| i32::from(seat.0));
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

#[inline(always)]
fn write_reward<const PAIR: bool>(rows: &mut [f32], at: usize, players: usize, reward: &Rewards) {
    if PAIR || players == 2 {
        // Two players, the usual case, by two stores: a copy of variable length is a call.
        if let Some(row) = rows.as_chunks_mut::<2>().0.get_mut(at) {
            *row = [reward[0], reward[1]];
        }
    } else if let Some(row) = rows.get_mut(at * players..(at + 1) * players) {
        row.copy_from_slice(&reward[..players]);
    }
}

/// Writes the reward of the learner; 0 if the caller controls several players.
#[inline(always)]
fn write_learner_reward(rows: &mut [f32], at: usize, learners: Seats, reward: &Rewards) {
    if let Some(row) = rows.get_mut(at) {
        *row = learners.only().map_or(0.0, |seat| reward[seat.index()]);
    }
}

/// Writes the final outputs of the episodes in `ends`. Under truncation `viewer` becomes the player of `final_obs`, `final_mask` and
/// `final_player`.
///
/// Output by output, not row by row: which outputs there are is then looked up once and not in every row.
#[inline(always)]
fn finish_episodes<G: Game>(
    spec: &VecSpec<G>,
    slots: &[Slot<G::State>],
    meta: &[EnvMeta],
    tallies: &mut [Tally],
    scratch: &mut [u8],
    out: &mut Buffers<'_>,
    ends: &mut [End],
) {
    let players = spec.players;
    let mut truncated = false;
    for end in &*ends {
        truncated |= end.status == Status::Truncated;
    }
    if truncated {
        find_viewers(spec, slots, meta, ends);
    }
    fill_ends(out.terminated, ends, |end| u8::from(end.status == Status::Terminated));
    if players == 2 {
        fill_ends(out.episode_return.as_chunks_mut().0, ends, |end| [end.returns[0], end.returns[1]]);
    } else if !out.episode_return.is_empty() {
        for end in &*ends {
            write_reward::<false>(out.episode_return, end.at, players, &end.returns);
        }
    }
    let longest = spec.longest;
    fill_ends(out.episode_length, ends, |end| slots[end.at].length.min(longest) as i32);
    fill_ends(out.final_seed, ends, |end| slots[end.at].seed);
    fill_ends(out.final_player, ends, |end| i32::from(end.viewer.0));
    if !spec.has_opponents && players == 2 {
        fill_ends(out.final_opponent.as_chunks_mut().0, ends, |_| [-1; 2]);
    } else if !out.final_opponent.is_empty() {
        for end in &*ends {
            let row = &mut out.final_opponent[end.at * players..][..players];
            if spec.has_opponents {
                row.copy_from_slice(&meta[end.at].opponents[..players]);
            } else {
                row.fill(-1);
            }
        }
    }
    let all_viewers = |spec: &VecSpec<G>, at: usize, rows: &mut Rows<'_>, scratch: &mut [u8]| {
        for seat in Seat::all(players) {
            spec.observe_outlined(&slots[at].state, seat, rows, at * players + seat.index(), scratch);
        }
    };
    for end in &*ends {
        if spec.joint {
            all_viewers(spec, end.at, &mut out.final_obs, scratch);
        } else {
            spec.observe_outlined(&slots[end.at].state, end.viewer, &mut out.final_obs, end.at, scratch);
        }
    }
    if !out.final_obs_all.is_empty() {
        for end in &*ends {
            all_viewers(spec, end.at, &mut out.final_obs_all, scratch);
        }
    }
    clear_ends(out.final_mask, ends, spec.lanes * spec.actions);
    clear_ends(out.final_acting, ends, players);
    if truncated {
        finish_truncated(spec, slots, meta, out, ends);
    }
    if spec.has_opponents || spec.plays_alone() {
        for end in &*ends {
            tally(spec, &slots[end.at], &meta[end.at], tallies, end.status, &end.returns);
        }
    }
}

/// Writes an output in the rows of `ends`, if it is used.
#[inline(always)]
fn fill_ends<T>(rows: &mut [T], ends: &[End], value: impl Fn(&End) -> T) {
    if !rows.is_empty() {
        for end in ends {
            rows[end.at] = value(end);
        }
    }
}

/// Writes zeros into the rows of `ends`, of `size` bytes each: short ones by two stores of fixed size that overlap, because a call of
/// `memset` costs more.
#[inline(always)]
fn clear_ends(rows: &mut [u8], ends: &[End], size: usize) {
    #[inline(always)]
    fn twice<const N: usize>(rows: &mut [u8], ends: &[End], size: usize) {
        for end in ends {
            let row = &mut rows[end.at * size..][..size];
            if let Some(head) = row.first_chunk_mut::<N>() {
                *head = [0; N];
            }
            if let Some(tail) = row.last_chunk_mut::<N>() {
                *tail = [0; N];
            }
        }
    }
    match size {
        _ if rows.is_empty() => {}
        1 => twice::<1>(rows, ends, size),
        2..=4 => twice::<2>(rows, ends, size),
        5..=8 => twice::<4>(rows, ends, size),
        9..=16 => twice::<8>(rows, ends, size),
        17..=32 => twice::<16>(rows, ends, size),
        _ => ends.iter().for_each(|end| rows[end.at * size..][..size].fill(0)),
    }
}

/// The viewers of truncated episodes.
#[cold]
#[inline(never)]
fn find_viewers<G: Game>(spec: &VecSpec<G>, slots: &[Slot<G::State>], meta: &[EnvMeta], ends: &mut [End]) {
    for end in ends.iter_mut().filter(|end| end.status == Status::Truncated) {
        end.viewer = final_viewer(spec, &slots[end.at], &meta[end.at], end.viewer);
    }
}

/// The outputs that only truncated episodes have.
#[cold]
#[inline(never)]
fn finish_truncated<G: Game>(
    spec: &VecSpec<G>,
    slots: &[Slot<G::State>],
    meta: &[EnvMeta],
    out: &mut Buffers<'_>,
    ends: &[End],
) {
    for end in ends.iter().filter(|end| end.status == Status::Truncated) {
        let (at, slot, meta) = (end.at, &slots[end.at], &meta[end.at]);
        if let Some(flag) = out.truncated.get_mut(at) {
            *flag = 1;
        }
        if !out.final_mask.is_empty() {
            let size = spec.lanes * spec.actions;
            final_mask(spec, slot, meta, end.viewer, &mut out.final_mask[at * size..][..size]);
        }
        if !out.final_acting.is_empty() {
            let seats = acting_after_cut(spec, slot);
            let row = &mut out.final_acting[at * spec.players..][..spec.players];
            for (k, flag) in row.iter_mut().enumerate() {
                *flag = seats.0 >> k & 1;
            }
        }
    }
}

/// The player that the caller would decide for next in a truncated episode: of several the lowest; if none, `last`.
#[cold]
fn final_viewer<G: Game>(spec: &VecSpec<G>, slot: &Slot<G::State>, meta: &EnvMeta, last: Seat) -> Seat {
    Seats(acting_after_cut(spec, slot).0 & meta.learners.0).first().unwrap_or(last)
}

/// The players that would decide next in an episode that `max_steps` truncated; empty if the game's own limit ended it.
#[cold]
fn acting_after_cut<G: Game>(spec: &VecSpec<G>, slot: &Slot<G::State>) -> Seats {
    match spec.game().status(&slot.state) {
        Status::Running => spec.game().acting(&slot.state),
        _ => Seats::EMPTY,
    }
}

/// Legal actions in a truncated episode: of `viewer`, in the joint view of all players that the caller would decide for.
#[cold]
fn final_mask<G: Game>(
    spec: &VecSpec<G>,
    slot: &Slot<G::State>,
    meta: &EnvMeta,
    viewer: Seat,
    mask: &mut [u8],
) {
    let rows = if spec.joint { meta.learners.0 } else { 1 << viewer.0 };
    for seat in Seats(acting_after_cut(spec, slot).0 & rows).iter() {
        let lane = if spec.joint { seat.index() } else { 0 };
        let legal = spec.game().legal(&slot.state, seat);
        legal.expand(&mut mask[lane * spec.actions..][..spec.actions]);
    }
}

/// Counts an ended episode once, and once for each opponent that played in it. Of several learners the best result counts, and
/// the mean of their returns.
pub(crate) fn tally<G: Game>(
    spec: &VecSpec<G>,
    slot: &Slot<G::State>,
    meta: &EnvMeta,
    tallies: &mut [Tally],
    status: Status,
    returns: &Rewards,
) {
    let cut = status == Status::Truncated
        && (spec.game().status(&slot.state) == Status::Running || !spec.game().info().outcome_on_truncation);
    let outcome = if cut { [0.0; MAX_SEATS] } else { spec.outcome(spec.game().winners(&slot.state)) };
    let best = meta.learners.iter().map(|seat| outcome[seat.index()]).fold(f32::NEG_INFINITY, f32::max);
    let sum: i128 = meta.learners.iter().map(|seat| fixed(returns[seat.index()].into())).sum();
    let mean = sum / meta.learners.len() as i128;
    let count = |tally: &mut Tally| {
        tally.episodes += 1;
        tally.return_sum += mean;
        let end = match best {
            _ if cut => &mut tally.truncated,
            value if value > 0.0 => &mut tally.wins,
            value if value < 0.0 => &mut tally.losses,
            _ => &mut tally.draws,
        };
        *end += 1;
    };
    let Some((total, by_opponent)) = tallies.split_first_mut() else { return };
    count(total);
    let opponents = &meta.opponents[..spec.players];
    for (k, &opponent) in opponents.iter().enumerate() {
        // An opponent that controls several players has played one episode.
        if opponent >= 0 && !opponents[..k].contains(&opponent) {
            count(&mut by_opponent[opponent as usize]);
        }
    }
}

/// The general path of a step: any configuration, any buffers.
#[inline(always)]
fn general<G: Game, I: Isa>(
    spec: &VecSpec<G>,
    shard: &mut Shard<G>,
    out: &mut Buffers<'_>,
    isa: I,
    draw: bool,
) {
    let mut rows = 0..shard.slots.len();
    loop {
        // Each environment once, and then those that were put aside, so that the game's code is here once.
        let (at, mut stage) = match rows.next() {
            Some(at) if shard.slots[at].is_over() => (at, Stage::Deal), // next_step
            Some(at) => (at, Stage::Step { open: shard.slots[at].acting, viewer: shard.slots[at].last }),
            None => match shard.next_aside(spec) {
                Some(next) => next,
                None => break,
            },
        };
        let (slot, meta) = (&mut shard.slots[at], &mut shard.meta[at]);
        if let Stage::Step { open, viewer } = &mut stage {
            let chosen = &shard.chosen[at * spec.lanes..];
            let (status, reward) = match play(spec, slot, meta, chosen, open, viewer) {
                Ok(played) => played,
                Err(waits) => {
                    shard.put_aside(spec, at, waits, stage);
                    continue;
                }
            };
            write_reward::<false>(out.reward, at, spec.players, &reward);
            write_learner_reward(out.learner_reward, at, meta.learners, &reward);
            if status != Status::Running {
                let returns = match spec.configured.reward {
                    RewardKind::ScoreDelta => spec.returns(slot, status, false),
                    _ => reward,
                };
                let mut ends = [End { at, viewer: *viewer, status, returns }];
                let Shard { slots, meta, tallies, scratch, .. } = &mut *shard;
                finish_episodes(spec, slots, meta, tallies, scratch, out, &mut ends);
                if spec.config.autoreset == Autoreset::SameStep {
                    stage = Stage::Deal;
                } else {
                    let slot = &mut slots[at];
                    (slot.acting, slot.last) = (Seats::EMPTY, ends[0].viewer);
                }
            }
        }
        let (slot, meta) = (&mut shard.slots[at], &mut shard.meta[at]);
        let (env, tallies) = (shard.first + at, &mut shard.tallies);
        let begun = match stage {
            Stage::Step { .. } => Begun::Learner,
            Stage::Deal => spec.begin(slot, meta, env, tallies),
            Stage::Begin { skipped } => spec.find_decision(slot, meta, env, tallies, skipped),
        };
        if !shard.note(spec, at, begun) {
            continue;
        }
        write_row(spec, shard, out, at);
    }
    if draw {
        draw_ahead(spec, shard, out.drawn, isa);
    }
    write_episode_info::<G, false>(spec, shard, out, 0..shard.slots.len());
}

/// Applies the decisions of `open` players and then those of opponents, up to the next decision of a learner. `viewer` becomes the player of
/// the caller's last decision. Returns the status of the episode and the rewards, or the player whose opponent the environment waits for.
#[inline(always)]
fn play<G: Game>(
    spec: &VecSpec<G>,
    slot: &mut Slot<G::State>,
    meta: &mut EnvMeta,
    chosen: &[u16],
    open: &mut Seats,
    viewer: &mut Seat,
) -> Result<(Status, Rewards), Seat> {
    let (status, cut) = loop {
        let (status, cut) = spec.status(slot);
        if status != Status::Running {
            break (status, cut);
        }
        let acting = spec.game().acting(&slot.state);
        if acting.is_empty() {
            break (status, cut);
        }
        // A player that acts again must not block the choices of higher players. Once those are applied, players decide in ascending order,
        // as in the turn view: opponents after a learner wait for it.
        let learners = if spec.has_opponents { meta.learners } else { Seats(u8::MAX) };
        let waits = acting.0 & open.0 == 0 && acting.first().is_some_and(|seat| learners.contains(seat));
        let playable = if waits { Seats::EMPTY } else { Seats(acting.0 & (open.0 | !learners.0)) };
        let Some(seat) = playable.first() else {
            slot.acting = spec.caller_decides(acting, learners);
            break (status, cut);
        };
        if learners.contains(seat) {
            open.remove(seat);
            *viewer = seat;
            let lane = if spec.joint { seat.index() } else { 0 };
            spec.decide(slot, seat, Action(chosen[lane]));
        } else if !spec.play_opponent(slot, meta, seat) {
            return Err(seat);
        }
    };
    let reward = match spec.configured.reward {
        RewardKind::ScoreDelta => {
            let reward = spec.score_delta(&meta.delta_base, &slot.state);
            meta.delta_base = spec.delta_base(&slot.state);
            reward
        }
        _ if status == Status::Running => [0.0; MAX_SEATS],
        _ => spec.end_rewards(&slot.state, status, cut),
    };
    Ok((status, reward))
}

/// Writes the current state of one row and stores its legal actions.
#[inline(always)]
pub(crate) fn write_row<G: Game>(spec: &VecSpec<G>, shard: &mut Shard<G>, out: &mut Buffers<'_>, at: usize) {
    let Shard { slots, legal, scratch, .. } = shard;
    let (slot, legal) = (&slots[at], &mut legal[at * spec.lanes..][..spec.lanes]);
    let first = slot.acting.first();
    if let Some(player) = out.player.get_mut(at) {
        *player = first.map_or(-1, |seat| i32::from(seat.0));
    }
    // One loop for both views: each call of `observe` inlines the game's code once more.
    for (lane, legal) in legal.iter_mut().enumerate() {
        let (seat, acts) = match spec.joint {
            true => (Seat(lane as u8), slot.acting.contains(Seat(lane as u8))),
            false => (first.unwrap_or(slot.last), first.is_some()),
        };
        *legal = if acts { spec.game().legal(&slot.state, seat) } else { G::Legal::default() };
        spec.observe(&slot.state, seat, &mut out.obs, at * spec.lanes + lane, scratch);
    }
    if !out.action_mask.is_empty() {
        let row = spec.lanes * spec.actions;
        let rows = out.action_mask[at * row..][..row].chunks_exact_mut(spec.actions);
        for (mask, legal) in rows.zip(legal.iter()) {
            legal.expand(mask);
        }
    }
}

/// Draws a legal action in every row; there is one.
#[inline(always)]
fn draw_rows<L: LegalSet, I: Isa>(legal: &[L], now: &[Rng], next: &mut [Rng], drawn: &mut [i64], isa: I) {
    for ((legal, drawn), (now, next)) in legal.iter().zip(drawn).zip(now.iter().zip(next)) {
        let mut rng = *now;
        *drawn = i64::from(isa.pick(&mut rng, legal).0);
        *next = rng;
    }
}

/// Draws from the streams into `drawn`; stores the advanced streams separately.
#[inline(always)]
fn draw_ahead<G: Game, I: Isa>(spec: &VecSpec<G>, shard: &mut Shard<G>, drawn: &mut [i64], isa: I) {
    let streams = shard.sample.iter().zip(&mut shard.ahead);
    let rows = shard.legal.chunks_exact(spec.lanes).zip(drawn.chunks_exact_mut(spec.lanes));
    for ((now, next), (legal, drawn)) in streams.zip(rows) {
        let mut rng = *now;
        for (legal, drawn) in legal.iter().zip(drawn) {
            *drawn = match legal.is_empty() {
                true => 0,
                false => i64::from(isa.pick(&mut rng, legal).0),
            };
        }
        *next = rng;
    }
}

/// Draws a uniform legal action per row.
pub(crate) struct Sample<'k, G: Game> {
    pub(crate) spec: &'k VecSpec<G>,
    pub(crate) shard: &'k mut Shard<G>,
    pub(crate) out: &'k mut [i64],
}

impl<G: Game> Kernel for Sample<'_, G> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        draw_ahead(self.spec, self.shard, self.out, isa);
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
    fn run<I: Isa>(self, _: I) {
        let WriteAll { spec, part: Part { shard, out, .. } } = self;
        clear_results(out);
        for at in 0..shard.slots.len() {
            write_row(spec, shard, out, at);
        }
        write_episode_info::<G, false>(spec, shard, out, 0..shard.slots.len());
    }
}
