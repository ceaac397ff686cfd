//! Buffers of a batch in the caller's memory.

#![expect(unsafe_code, reason = "makes slices of the caller's memory")]

use crate::ffi::{Growing, read_struct};
use crate::status::{Fault, Result};
use playmat_core::vec::{Buffers, Rollout, Rows, Target};
use std::mem::offset_of;
use std::ops::Range;

/// The outputs of a step or reset. Every buffer has its complete length, or is null with length 0 to skip this output. N environments, P
/// players, A actions, O elements of an observation: see `playmat_vec_env_sizes`. Outputs marked *ended* are written only in rows with
/// `terminated` or `truncated` set; other rows keep their contents.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PlaymatBuffers {
    /// [N, O] observation of the acting player, as bytes (dtype `u8`); joint view [N, P, O], of all players.
    pub obs: *mut u8,
    /// Elements of `obs`.
    pub obs_len: usize,
    /// `obs` as floats (dtype `f32`); give one of the two.
    pub obs_f32: *mut f32,
    /// Elements of `obs_f32`.
    pub obs_f32_len: usize,
    /// [N, O] ended: last observation of `final_player`; joint view [N, P, O].
    pub final_obs: *mut u8,
    /// Elements of `final_obs`.
    pub final_obs_len: usize,
    /// `final_obs` as floats.
    pub final_obs_f32: *mut f32,
    /// Elements of `final_obs_f32`.
    pub final_obs_f32_len: usize,
    /// [N, P, O] ended: last observation of every player.
    pub final_obs_all: *mut u8,
    /// Elements of `final_obs_all`.
    pub final_obs_all_len: usize,
    /// `final_obs_all` as floats.
    pub final_obs_all_f32: *mut f32,
    /// Elements of `final_obs_all_f32`.
    pub final_obs_all_f32_len: usize,
    /// [N, A] legal action mask of the acting player: 1 legal, 0 not; joint view [N, P, A].
    pub action_mask: *mut u8,
    /// Elements of `action_mask`.
    pub action_mask_len: usize,
    /// [N] the acting player, -1 if the episode is over; in the joint view the lowest.
    pub player: *mut i32,
    /// Elements of `player`.
    pub player_len: usize,
    /// [N, P] 1 for each acting player of the caller.
    pub acting: *mut u8,
    /// Elements of `acting`.
    pub acting_len: usize,
    /// [N, P] reward of each player since the last step.
    pub reward: *mut f32,
    /// Elements of `reward`.
    pub reward_len: usize,
    /// [N] 1 if the rules ended the episode in this step.
    pub terminated: *mut u8,
    /// Elements of `terminated`.
    pub terminated_len: usize,
    /// [N] 1 if a limit ended the episode in this step.
    pub truncated: *mut u8,
    /// Elements of `truncated`.
    pub truncated_len: usize,
    /// [N] ended: the player of `final_obs` and `final_mask`. If the episode was truncated: the caller's player who would act next, of
    /// several the lowest. If it was terminated, or if opponents would act next: the player of the caller's last decision. In the single-player
    /// view always the learner.
    pub final_player: *mut i32,
    /// Elements of `final_player`.
    pub final_player_len: usize,
    /// [N, A] ended: legal action mask of `final_player` if the episode was truncated; all 0 if it was terminated, or if opponents would act
    /// next. Joint view [N, P, A], of all players of the caller.
    pub final_mask: *mut u8,
    /// Elements of `final_mask`.
    pub final_mask_len: usize,
    /// [N, P] ended: return of each player.
    pub episode_return: *mut f32,
    /// Elements of `episode_return`.
    pub episode_return_len: usize,
    /// [N] ended: decisions of all players in the episode.
    pub episode_length: *mut i32,
    /// Elements of `episode_length`.
    pub episode_length_len: usize,
    /// [N] seed of the running episode, which repeats it in `playmat_env_create`.
    pub episode_seed: *mut u64,
    /// Elements of `episode_seed`.
    pub episode_seed_len: usize,
    /// [N] ended: seed of the episode that ended.
    pub final_seed: *mut u64,
    /// Elements of `final_seed`.
    pub final_seed_len: usize,
    /// [N, P] index of the opponent that plays this player, -1 for the caller.
    pub opponent: *mut i32,
    /// Elements of `opponent`.
    pub opponent_len: usize,
    /// [N, P] ended: `opponent` of the episode that ended.
    pub final_opponent: *mut i32,
    /// Elements of `final_opponent`.
    pub final_opponent_len: usize,
    /// [N] uniformly random next actions, see `playmat_vec_env_take_drawn`; joint view [N, P].
    pub drawn: *mut i64,
    /// Elements of `drawn`.
    pub drawn_len: usize,
    /// [N, P] ended: 1 for each player, also of opponents, who would act next if the episode was truncated.
    pub final_acting: *mut u8,
    /// Elements of `final_acting`.
    pub final_acting_len: usize,
    /// [N] the learner of the running episode: the only player of the caller; -1 if the caller plays several.
    pub learner: *mut i32,
    /// Elements of `learner`.
    pub learner_len: usize,
    /// [N] reward of the learner since the last step; if the episode ended, of the learner of that episode, which is `final_player` in the
    /// single-player view. 0 if the caller plays several players.
    pub learner_reward: *mut f32,
    /// Elements of `learner_reward`.
    pub learner_reward_len: usize,
}

impl Growing for PlaymatBuffers {
    const LEAST: usize = offset_of!(PlaymatBuffers, obs_f32);
}

/// The outputs of `playmat_vec_env_rollout`: T steps of N environments. Every buffer has its complete length, or is null with length 0 to
/// skip this output.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PlaymatRollout {
    /// T.
    pub steps: usize,
    /// [T, N, O] observation before the action, as bytes (dtype `u8`); joint view [T, N, P, O].
    pub obs: *mut u8,
    /// Elements of `obs`.
    pub obs_len: usize,
    /// `obs` as floats (dtype `f32`); give one of the two.
    pub obs_f32: *mut f32,
    /// Elements of `obs_f32`.
    pub obs_f32_len: usize,
    /// [T, N, A] legal action mask before the action; joint view [T, N, P, A].
    pub action_mask: *mut u8,
    /// Elements of `action_mask`.
    pub action_mask_len: usize,
    /// [T, N] the acting player; -1 if the episode was over.
    pub player: *mut i32,
    /// Elements of `player`.
    pub player_len: usize,
    /// [T, N] the action; joint view [T, N, P], 0 for players who do not act.
    pub action: *mut i64,
    /// Elements of `action`.
    pub action_len: usize,
    /// [T, N, P] reward of each player for the action.
    pub reward: *mut f32,
    /// Elements of `reward`.
    pub reward_len: usize,
    /// [T, N] 1 if the rules ended the episode with the action.
    pub terminated: *mut u8,
    /// Elements of `terminated`.
    pub terminated_len: usize,
    /// [T, N] 1 if a limit ended the episode with the action.
    pub truncated: *mut u8,
    /// Elements of `truncated`.
    pub truncated_len: usize,
}

impl Growing for PlaymatRollout {
    const LEAST: usize = offset_of!(PlaymatRollout, obs_f32);
}

/// Memory ranges of one call, to find overlaps.
pub(crate) struct Ranges {
    found: [(Range<usize>, &'static str); Ranges::MOST],
    len: usize,
}

impl Ranges {
    const MOST: usize = 40;

    pub(crate) fn new() -> Ranges {
        Ranges { found: [const { (0..0, "") }; Ranges::MOST], len: 0 }
    }

    /// Adds a range; kept in order.
    #[inline(always)]
    pub(crate) fn add<T>(&mut self, name: &'static str, start: *const T, len: usize) -> Result<()> {
        if len == 0 || start.is_null() {
            return Ok(());
        }
        let range = start.addr()..start.addr().saturating_add(len.saturating_mul(size_of::<T>()));
        let mut at = self.len;
        while at > 0 && self.found[at - 1].0.start > range.start {
            at -= 1;
        }
        let before = at.checked_sub(1).map(|i| &self.found[i]).filter(|(other, _)| other.end > range.start);
        let after = self.found[at..self.len].first().filter(|(other, _)| other.start < range.end);
        if let Some((_, other)) = before.or(after) {
            return Err(Fault::argument(name, format!("overlaps `{other}`; buffers must lie apart")));
        }
        self.found[at..=self.len].rotate_right(1);
        self.found[at] = (range, name);
        self.len += 1;
        Ok(())
    }

    /// Refuses a range that overlaps one of those added; any number of others may.
    pub(crate) fn spare(&self, name: &'static str, start: *const u8, len: usize) -> Result<()> {
        let (from, to) = (start.addr(), start.addr().saturating_add(len));
        let meets = |(other, _): &&(Range<usize>, &str)| from < to && other.start < to && from < other.end;
        match self.found[..self.len].iter().find(meets) {
            None => Ok(()),
            Some((_, other)) => {
                Err(Fault::argument(other, format!("overlaps `{name}`; buffers must lie apart")))
            }
        }
    }
}

/// Adds the buffers of a struct to the ranges of a call, under the names of their fields.
macro_rules! add_all {
    ($ranges:ident, $given:ident, $($field:ident, $len:ident;)+) => {
        $($ranges.add(stringify!($field), $given.$field, $given.$len)?;)+
    };
}

/// A buffer of a struct as a slice, in functions whose callers promise the memory.
macro_rules! slice_of {
    ($given:ident, $field:ident, $len:ident) => {
        // SAFETY: the caller promises the memory, and `ranges` has found nothing that overlaps.
        unsafe { $crate::ffi::slice_mut(stringify!($field), $given.$field, $given.$len)? }
    };
}

pub(crate) use {add_all, slice_of};

/// Observations in one of two forms.
pub(crate) fn rows<'a>(name: &'static str, bytes: &'a mut [u8], floats: &'a mut [f32]) -> Result<Rows<'a>> {
    match (bytes.is_empty(), floats.is_empty()) {
        (false, false) => Err(Fault::argument(name, "given as bytes and as floats; give one of them")),
        (_, true) => Ok(Rows::U8(bytes)),
        (true, false) => Ok(Rows::F32(floats)),
    }
}

impl PlaymatBuffers {
    /// Skips all outputs.
    pub(crate) const NONE: PlaymatBuffers = PlaymatBuffers {
        obs: std::ptr::null_mut(),
        obs_len: 0,
        obs_f32: std::ptr::null_mut(),
        obs_f32_len: 0,
        final_obs: std::ptr::null_mut(),
        final_obs_len: 0,
        final_obs_f32: std::ptr::null_mut(),
        final_obs_f32_len: 0,
        final_obs_all: std::ptr::null_mut(),
        final_obs_all_len: 0,
        final_obs_all_f32: std::ptr::null_mut(),
        final_obs_all_f32_len: 0,
        action_mask: std::ptr::null_mut(),
        action_mask_len: 0,
        player: std::ptr::null_mut(),
        player_len: 0,
        acting: std::ptr::null_mut(),
        acting_len: 0,
        reward: std::ptr::null_mut(),
        reward_len: 0,
        terminated: std::ptr::null_mut(),
        terminated_len: 0,
        truncated: std::ptr::null_mut(),
        truncated_len: 0,
        final_player: std::ptr::null_mut(),
        final_player_len: 0,
        final_mask: std::ptr::null_mut(),
        final_mask_len: 0,
        episode_return: std::ptr::null_mut(),
        episode_return_len: 0,
        episode_length: std::ptr::null_mut(),
        episode_length_len: 0,
        episode_seed: std::ptr::null_mut(),
        episode_seed_len: 0,
        final_seed: std::ptr::null_mut(),
        final_seed_len: 0,
        opponent: std::ptr::null_mut(),
        opponent_len: 0,
        final_opponent: std::ptr::null_mut(),
        final_opponent_len: 0,
        drawn: std::ptr::null_mut(),
        drawn_len: 0,
        final_acting: std::ptr::null_mut(),
        final_acting_len: 0,
        learner: std::ptr::null_mut(),
        learner_len: 0,
        learner_reward: std::ptr::null_mut(),
        learner_reward_len: 0,
    };

    /// The struct of the caller; null skips all outputs.
    ///
    /// # Safety
    /// `place` is null or has `size` readable bytes.
    pub(crate) unsafe fn read(place: *const PlaymatBuffers, size: usize) -> Result<Option<PlaymatBuffers>> {
        // SAFETY: as promised; it holds numbers and pointers.
        if place.is_null() { Ok(None) } else { unsafe { read_struct("buffers", place, size) }.map(Some) }
    }

    /// Adds the ranges that are written.
    #[inline(always)]
    pub(crate) fn ranges(&self, ranges: &mut Ranges) -> Result<()> {
        add_all! { ranges, self,
            obs, obs_len;
            obs_f32, obs_f32_len;
            final_obs, final_obs_len;
            final_obs_f32, final_obs_f32_len;
            final_obs_all, final_obs_all_len;
            final_obs_all_f32, final_obs_all_f32_len;
            action_mask, action_mask_len;
            player, player_len;
            acting, acting_len;
            reward, reward_len;
            terminated, terminated_len;
            truncated, truncated_len;
            final_player, final_player_len;
            final_mask, final_mask_len;
            episode_return, episode_return_len;
            episode_length, episode_length_len;
            episode_seed, episode_seed_len;
            final_seed, final_seed_len;
            opponent, opponent_len;
            final_opponent, final_opponent_len;
            drawn, drawn_len;
            final_acting, final_acting_len;
            learner, learner_len;
            learner_reward, learner_reward_len;
        }
        Ok(())
    }

    /// The buffers as slices.
    ///
    /// # Safety
    /// The memory is writable as long as the slices live, nothing else touches it, and [`PlaymatBuffers::ranges`] found no overlap.
    #[inline(always)]
    pub(crate) unsafe fn slices<'a>(&self) -> Result<Buffers<'a>> {
        Ok(Buffers {
            obs: rows("obs", slice_of!(self, obs, obs_len), slice_of!(self, obs_f32, obs_f32_len))?,
            final_obs: rows(
                "final_obs",
                slice_of!(self, final_obs, final_obs_len),
                slice_of!(self, final_obs_f32, final_obs_f32_len),
            )?,
            final_obs_all: rows(
                "final_obs_all",
                slice_of!(self, final_obs_all, final_obs_all_len),
                slice_of!(self, final_obs_all_f32, final_obs_all_f32_len),
            )?,
            action_mask: slice_of!(self, action_mask, action_mask_len),
            player: slice_of!(self, player, player_len),
            acting: slice_of!(self, acting, acting_len),
            reward: slice_of!(self, reward, reward_len),
            terminated: slice_of!(self, terminated, terminated_len),
            truncated: slice_of!(self, truncated, truncated_len),
            final_player: slice_of!(self, final_player, final_player_len),
            final_mask: slice_of!(self, final_mask, final_mask_len),
            episode_return: slice_of!(self, episode_return, episode_return_len),
            episode_length: slice_of!(self, episode_length, episode_length_len),
            episode_seed: slice_of!(self, episode_seed, episode_seed_len),
            final_seed: slice_of!(self, final_seed, final_seed_len),
            opponent: slice_of!(self, opponent, opponent_len),
            final_opponent: slice_of!(self, final_opponent, final_opponent_len),
            drawn: slice_of!(self, drawn, drawn_len),
            final_acting: slice_of!(self, final_acting, final_acting_len),
            learner: slice_of!(self, learner, learner_len),
            learner_reward: slice_of!(self, learner_reward, learner_reward_len),
        })
    }
}

impl PlaymatRollout {
    /// Adds the ranges that are written.
    pub(crate) fn ranges(&self, ranges: &mut Ranges) -> Result<()> {
        // Named apart from the buffers of the batch after the rollout.
        ranges.add("rollout.obs", self.obs, self.obs_len)?;
        ranges.add("rollout.obs_f32", self.obs_f32, self.obs_f32_len)?;
        ranges.add("rollout.action_mask", self.action_mask, self.action_mask_len)?;
        ranges.add("rollout.player", self.player, self.player_len)?;
        ranges.add("rollout.action", self.action, self.action_len)?;
        ranges.add("rollout.reward", self.reward, self.reward_len)?;
        ranges.add("rollout.terminated", self.terminated, self.terminated_len)?;
        ranges.add("rollout.truncated", self.truncated, self.truncated_len)?;
        Ok(())
    }

    /// The buffers as slices.
    ///
    /// # Safety
    /// As [`PlaymatBuffers::slices`].
    pub(crate) unsafe fn slices<'a>(&self) -> Result<Rollout<'a>> {
        Ok(Rollout {
            steps: self.steps,
            obs: rows("obs", slice_of!(self, obs, obs_len), slice_of!(self, obs_f32, obs_f32_len))?,
            action_mask: slice_of!(self, action_mask, action_mask_len),
            player: slice_of!(self, player, player_len),
            action: slice_of!(self, action, action_len),
            reward: slice_of!(self, reward, reward_len),
            terminated: slice_of!(self, terminated, terminated_len),
            truncated: slice_of!(self, truncated, truncated_len),
        })
    }
}

/// The buffers of an asynchronous step: they belong to it until the wait.
pub(crate) struct Kept(pub(crate) PlaymatBuffers);

// SAFETY: pointers to memory that the caller of `playmat_vec_env_step_async` leaves alone until `playmat_vec_env_step_wait` or
// `playmat_vec_env_destroy`.
unsafe impl Send for Kept {}

impl Target for Kept {
    fn buffers(&mut self) -> Buffers<'_> {
        // SAFETY: promised by the caller, and checked for overlaps and alignment when the step was started.
        unsafe { self.0.slices() }.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps_are_found_in_any_order() {
        let memory = [0u8; 64];
        let at = |from: usize| memory[from..].as_ptr();
        for (ranges, overlap) in [
            (vec![(0, 8), (8, 8), (16, 1)], false),
            (vec![(16, 1), (0, 8), (8, 8)], false),
            (vec![(0, 9), (8, 8)], true),
            (vec![(8, 8), (0, 9)], true),
            (vec![(0, 4), (20, 4), (2, 30)], true),
            (vec![(0, 32), (4, 4)], true),
            (vec![(4, 4), (0, 32)], true),
            (vec![(4, 4), (4, 0)], false),
        ] {
            let mut found = Ranges::new();
            let all = ranges.iter().all(|&(from, len)| found.add("buffer", at(from), len).is_ok());
            assert_eq!(!all, overlap, "{ranges:?}");
        }
        let mut found = Ranges::new();
        found.add("obs", at(8), 8).unwrap();
        for (from, len, overlap) in
            [(0, 8, false), (0, 9, true), (9, 1, true), (15, 9, true), (16, 9, false), (9, 0, false)]
        {
            assert_eq!(found.spare("states", at(from), len).is_err(), overlap, "{from} {len}");
        }
    }
}
