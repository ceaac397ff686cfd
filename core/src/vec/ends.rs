//! What happens when an episode of a batch ends: rewards, `final_*` outputs, and the deal of the next episode.

use crate::bits::LegalSet;
use crate::game::{Game, Status};
use crate::info::RewardKind;
use crate::player::{Player, Players};
use crate::pool::{Isa, Kernel};
use crate::reward::Rewards;
use crate::vec::buffers::{Buffers, Rows, clear};
use crate::vec::result_counts::ResultCounts;
use crate::vec::slot::{Begun, EnvMeta, Slot};
use crate::vec::spec::VecSpec;

/// An episode that ended in the current step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    /// Its row.
    pub(crate) at: usize,
    /// The player of the caller's last decision.
    pub(crate) viewer: Player,
    pub(crate) status: Status,
    pub(crate) returns: Rewards,
}

/// The row and the player of an episode that ended, in one number: written for every row of a block and counted where one ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndedRow(u32);

impl EndedRow {
    pub(crate) const NONE: EndedRow = EndedRow(0);

    #[inline(always)]
    pub(crate) fn new(at: usize, viewer: Player) -> EndedRow {
        EndedRow((at as u32) << 3 | u32::from(viewer.0))
    }

    #[inline(always)]
    fn at(self) -> usize {
        (self.0 >> 3) as usize
    }

    #[inline(always)]
    fn viewer(self) -> Player {
        Player(self.0 as u8 & 7)
    }
}

/// The data besides slot and outputs that the end of an episode reads and writes.
pub(crate) struct EndData<'a> {
    pub(crate) meta: &'a mut [EnvMeta],
    pub(crate) result_counts: &'a mut [ResultCounts],
    /// One observation in bytes, for conversion.
    pub(crate) scratch: &'a mut [u8],
    /// The number of the shard's first environment.
    pub(crate) first: usize,
}

/// Ends the episodes of these rows and starts the next ones, in the fast path of a step. Returns an environment in which no episode reaches
/// a decision.
pub(crate) struct EndEpisodes<'k, 'a, G: Game, const PAIR: bool> {
    pub(crate) spec: &'k VecSpec<G>,
    pub(crate) slots: &'k mut [Slot<G::State>],
    pub(crate) data: EndData<'k>,
    pub(crate) out: &'k mut Buffers<'a>,
    pub(crate) ended: &'k [EndedRow],
}

impl<G: Game, const PAIR: bool> Kernel for EndEpisodes<'_, '_, G, PAIR> {
    type Out = Option<usize>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<usize> {
        let EndEpisodes { spec, slots, mut data, out, ended } = self;
        if PAIR && let Some(mut rows) = PairRows::of(out, slots.len(), spec) {
            return end_pair(spec, slots, &mut data, &mut rows, ended);
        }
        let mut stuck = None;
        if are_unused(out) && !spec.plays_alone() {
            for row in ended {
                stuck = stuck.max(restart(spec, &mut slots[row.at()], &mut data, row.at()));
            }
        } else {
            for &row in ended {
                stuck = stuck.max(end_one(isa, spec, slots, &mut data, out, row));
            }
        }
        stuck
    }
}

/// Whether the end of an episode writes nothing: in rollouts that only play.
#[inline(always)]
fn are_unused(out: &Buffers<'_>) -> bool {
    let floats = [&out.reward, &out.learner_reward, &out.episode_return];
    let bytes = [&out.terminated, &out.truncated, &out.final_acting, &out.final_mask];
    floats.iter().all(|output| output.is_empty())
        && bytes.iter().all(|output| output.is_empty())
        && [&out.final_obs, &out.final_obs_all].iter().all(|output| output.is_empty())
        && out.episode_length.is_empty()
        && out.final_seed.is_empty()
        && out.final_player.is_empty()
        && out.final_opponent.is_empty()
}

/// [`EndEpisodes`] for one row and any outputs.
#[inline(always)]
fn end_one<G: Game, I: Isa>(
    isa: I,
    spec: &VecSpec<G>,
    slots: &mut [Slot<G::State>],
    data: &mut EndData<'_>,
    out: &mut Buffers<'_>,
    row: EndedRow,
) -> Option<usize> {
    let (at, slot) = (row.at(), &mut slots[row.at()]);
    let (status, cut) = spec.status(slot);
    let returns = spec.end_rewards(&slot.state, status, cut);
    // Changes of the scores are paid already.
    if spec.configured.reward != RewardKind::ScoreDelta {
        write_reward(out.reward, at, spec.players, &returns);
        if spec.players == 1 {
            set(out.learner_reward, at, returns[0]);
        }
    }
    finish_episode(isa, spec, slot, data, out, &mut End { at, viewer: row.viewer(), status, returns });
    restart(spec, slot, data, at)
}

/// Starts the next episode. Returns the environment if no episode reaches a decision in it.
#[inline(always)]
fn restart<G: Game>(
    spec: &VecSpec<G>,
    slot: &mut Slot<G::State>,
    data: &mut EndData<'_>,
    at: usize,
) -> Option<usize> {
    let env = data.first.wrapping_add(at);
    let begun = spec.begin(slot, &mut data.meta[at], env, data.result_counts);
    (begun == Begun::Never).then_some(env)
}

/// All outputs that the end of an episode of a two-player game writes, of equal length.
struct PairRows<'a> {
    reward: &'a mut [[f32; 2]],
    terminated: &'a mut [u8],
    truncated: &'a mut [u8],
    episode_return: &'a mut [[f32; 2]],
    episode_length: &'a mut [i32],
    final_seed: &'a mut [u64],
    final_player: &'a mut [i32],
    final_opponent: &'a mut [[i32; 2]],
    final_acting: &'a mut [[u8; 2]],
    final_obs: &'a mut [u8],
    final_mask: &'a mut [u8],
}

impl<'a> PairRows<'a> {
    /// `None` if one of them is unused, more outputs than these are used, or rewards are not those of the end.
    #[inline(always)]
    fn of<G: Game>(out: &'a mut Buffers<'_>, rows: usize, spec: &VecSpec<G>) -> Option<PairRows<'a>> {
        let Rows::U8(final_obs) = &mut out.final_obs else { return None };
        if !out.final_obs_all.is_empty() || spec.configured.reward == RewardKind::ScoreDelta {
            return None;
        }
        Some(PairRows {
            reward: out.reward.as_chunks_mut().0.get_mut(..rows)?,
            terminated: out.terminated.get_mut(..rows)?,
            truncated: out.truncated.get_mut(..rows)?,
            episode_return: out.episode_return.as_chunks_mut().0.get_mut(..rows)?,
            episode_length: out.episode_length.get_mut(..rows)?,
            final_seed: out.final_seed.get_mut(..rows)?,
            final_player: out.final_player.get_mut(..rows)?,
            final_opponent: out.final_opponent.as_chunks_mut().0.get_mut(..rows)?,
            final_acting: out.final_acting.as_chunks_mut().0.get_mut(..rows)?,
            final_obs: final_obs.get_mut(..rows * spec.observation)?,
            final_mask: out.final_mask.get_mut(..rows * spec.actions)?,
        })
    }
}

/// [`EndEpisodes`] of small two-player games, in one loop over the rows. There the ends of episodes are up to half of the work. One loop for
/// each output took twice as long: each has few rows, and the processor mispredicts its exit.
#[inline(always)]
fn end_pair<G: Game>(
    spec: &VecSpec<G>,
    slots: &mut [Slot<G::State>],
    data: &mut EndData<'_>,
    rows: &mut PairRows<'_>,
    ended: &[EndedRow],
) -> Option<usize> {
    let (observation, actions, longest) = (spec.observation, spec.actions, spec.longest);
    let num_rows = slots.len();
    let mut stuck = None;
    for &row in ended {
        let (at, mut viewer) = (row.at(), row.viewer());
        // Never: it spares the bounds checks below.
        if at >= num_rows {
            break;
        }
        let slot = &mut slots[at];
        let (status, cut) = spec.status(slot);
        let returns = spec.end_rewards(&slot.state, status, cut);
        let returns = [returns[0], returns[1]];
        rows.reward[at] = returns;
        rows.episode_return[at] = returns;
        rows.terminated[at] = u8::from(status == Status::Terminated);
        rows.truncated[at] = u8::from(status == Status::Truncated);
        rows.episode_length[at] = slot.length.min(longest) as i32;
        rows.final_seed[at] = slot.seed;
        rows.final_opponent[at] = [-1; 2];
        rows.final_acting[at] = [0; 2];
        let mask = &mut rows.final_mask[at * actions..][..actions];
        G::Legal::default().expand(mask);
        if status == Status::Truncated {
            let meta = &data.meta[at];
            viewer = final_viewer(spec, slot, meta, viewer);
            write_cut(spec, slot, meta, viewer, mask, &mut rows.final_acting[at]);
        }
        rows.final_player[at] = i32::from(viewer.0);
        spec.game().observe(&slot.state, viewer, &mut rows.final_obs[at * observation..][..observation]);
        stuck = stuck.max(restart(spec, slot, data, at));
    }
    stuck
}

#[inline(always)]
pub(crate) fn write_reward(rows: &mut [f32], at: usize, players: usize, reward: &Rewards) {
    if players == 2 {
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
pub(crate) fn write_learner_reward(rows: &mut [f32], at: usize, learners: Players, reward: &Rewards) {
    if let Some(row) = rows.get_mut(at) {
        *row = learners.only().map_or(0.0, |player| reward[player.index()]);
    }
}

/// Writes the final outputs of an episode. Under truncation `viewer` becomes the player of `final_obs`, `final_mask` and `final_player`.
#[inline(always)]
pub(crate) fn finish_episode<G: Game, I: Isa>(
    isa: I,
    spec: &VecSpec<G>,
    slot: &Slot<G::State>,
    data: &mut EndData<'_>,
    out: &mut Buffers<'_>,
    end: &mut End,
) {
    let (players, at, meta) = (spec.players, end.at, &data.meta[end.at]);
    if end.status == Status::Truncated {
        end.viewer = final_viewer(spec, slot, meta, end.viewer);
    }
    set(out.terminated, at, u8::from(end.status == Status::Terminated));
    set(out.truncated, at, u8::from(end.status == Status::Truncated));
    write_reward(out.episode_return, at, players, &end.returns);
    set(out.episode_length, at, slot.length.min(spec.longest) as i32);
    set(out.final_seed, at, slot.seed);
    set(out.final_player, at, i32::from(end.viewer.0));
    if let Some(row) = out.final_opponent.get_mut(at * players..(at + 1) * players) {
        if spec.has_opponents {
            row.copy_from_slice(&meta.opponents[..players]);
        } else {
            row.fill(-1);
        }
    }
    let mut all_viewers = |rows: &mut Rows<'_>| {
        for player in Player::all(players) {
            let row = at * players + player.index();
            spec.observe(isa, &slot.state, player, rows, row, data.scratch);
        }
    };
    all_viewers(&mut out.final_obs_all);
    if spec.joint {
        all_viewers(&mut out.final_obs);
    } else {
        spec.observe(isa, &slot.state, end.viewer, &mut out.final_obs, at, data.scratch);
    }
    let size = spec.lanes * spec.actions;
    let mask = out.final_mask.get_mut(at * size..(at + 1) * size).unwrap_or_default();
    let acting = out.final_acting.get_mut(at * players..(at + 1) * players).unwrap_or_default();
    clear(mask);
    clear(acting);
    if end.status == Status::Truncated {
        write_cut(spec, slot, meta, end.viewer, mask, acting);
    }
    if spec.counts_results() {
        spec.count_results(slot, meta, data.result_counts, end.status, &end.returns);
    }
}

/// Writes an entry of an output, if it is used.
#[inline(always)]
fn set<T>(rows: &mut [T], at: usize, value: T) {
    if let Some(entry) = rows.get_mut(at) {
        *entry = value;
    }
}

/// Writes who would decide next in a truncated episode, and the legal actions: those of `viewer`, or in the joint view those of all players
/// that the caller would decide for. Before the call both rows must be all 0, or empty if unused.
#[cold]
#[inline(never)]
fn write_cut<G: Game>(
    spec: &VecSpec<G>,
    slot: &Slot<G::State>,
    meta: &EnvMeta,
    viewer: Player,
    mask: &mut [u8],
    acting: &mut [u8],
) {
    let next = acting_after_cut(spec, slot);
    for (k, flag) in acting.iter_mut().enumerate() {
        *flag = next.0 >> k & 1;
    }
    let rows = if spec.joint { meta.learners.0 } else { 1 << viewer.0 };
    for player in Players(next.0 & rows).iter() {
        let lane = if spec.joint { player.index() } else { 0 };
        let legal = spec.game().legal(&slot.state, player);
        legal.expand(mask.get_mut(lane * spec.actions..(lane + 1) * spec.actions).unwrap_or_default());
    }
}

/// The player that the caller would decide for next in a truncated episode: of several the lowest; if none, `last`.
#[cold]
#[inline(never)]
fn final_viewer<G: Game>(spec: &VecSpec<G>, slot: &Slot<G::State>, meta: &EnvMeta, last: Player) -> Player {
    Players(acting_after_cut(spec, slot).0 & meta.learners.0).first().unwrap_or(last)
}

/// The players that would decide next in an episode that `max_steps` truncated; empty if the game's own limit ended it.
#[cold]
fn acting_after_cut<G: Game>(spec: &VecSpec<G>, slot: &Slot<G::State>) -> Players {
    match spec.game().status(&slot.state) {
        Status::Running => spec.game().acting(&slot.state),
        _ => Players::EMPTY,
    }
}
