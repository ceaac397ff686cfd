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

/// What goes through all buffers of a struct: each with the field of its length, and observations as bytes and as floats.
macro_rules! buffers {
    (
        $given:ident as $made:ident { $($same:ident),* } named $prefix:literal
        observations { $($rows:ident, $rows_len:ident, $floats:ident, $floats_len:ident;)+ }
        others { $($name:ident, $len:ident;)+ }
    ) => {
        impl $given {
            /// Adds the ranges that are written.
            #[inline(always)]
            pub(crate) fn ranges(&self, ranges: &mut $crate::vec_buffers::Ranges) -> $crate::status::Result<()> {
                $(
                    ranges.add(concat!($prefix, stringify!($rows)), self.$rows, self.$rows_len)?;
                    ranges.add(concat!($prefix, stringify!($floats)), self.$floats, self.$floats_len)?;
                )+
                $(ranges.add(concat!($prefix, stringify!($name)), self.$name, self.$len)?;)+
                Ok(())
            }

            /// The buffers as slices.
            ///
            /// # Safety
            /// The memory is writable as long as the slices live, nothing else touches it, and `ranges` found no overlap.
            #[inline(always)]
            pub(crate) unsafe fn slices<'a>(&self) -> $crate::status::Result<$made<'a>> {
                use $crate::ffi::slice_mut;
                // SAFETY: as promised.
                unsafe {
                    Ok($made {
                        $($same: self.$same,)*
                        $($rows: $crate::vec_buffers::rows(
                            stringify!($rows),
                            slice_mut(stringify!($rows), self.$rows, self.$rows_len)?,
                            slice_mut(stringify!($floats), self.$floats, self.$floats_len)?,
                        )?,)+
                        $($name: slice_mut(stringify!($name), self.$name, self.$len)?,)+
                    })
                }
            }
        }
    };
}

pub(crate) use buffers;

/// Observations in one of two forms.
pub(crate) fn rows<'a>(name: &'static str, bytes: &'a mut [u8], floats: &'a mut [f32]) -> Result<Rows<'a>> {
    match (bytes.is_empty(), floats.is_empty()) {
        (false, false) => Err(Fault::argument(name, "given as bytes and as floats; give one of them")),
        (_, true) => Ok(Rows::U8(bytes)),
        (true, false) => Ok(Rows::F32(floats)),
    }
}

buffers! {
    PlaymatBuffers as Buffers {} named ""
    observations {
        obs, obs_len, obs_f32, obs_f32_len;
        final_obs, final_obs_len, final_obs_f32, final_obs_f32_len;
        final_obs_all, final_obs_all_len, final_obs_all_f32, final_obs_all_f32_len;
    }
    others {
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
}

impl PlaymatBuffers {
    /// Skips all outputs.
    // SAFETY: null pointers and lengths of 0.
    pub(crate) const NONE: PlaymatBuffers = unsafe { std::mem::zeroed() };

    /// The struct of the caller; null skips all outputs.
    ///
    /// # Safety
    /// `place` is null or has `size` readable bytes.
    pub(crate) unsafe fn read(place: *const PlaymatBuffers, size: usize) -> Result<Option<PlaymatBuffers>> {
        // SAFETY: as promised; it holds numbers and pointers.
        if place.is_null() { Ok(None) } else { unsafe { read_struct("buffers", place, size) }.map(Some) }
    }
}

// Named apart from the buffers of the batch after the rollout.
buffers! {
    PlaymatRollout as Rollout { steps } named "rollout."
    observations { obs, obs_len, obs_f32, obs_f32_len; }
    others {
        action_mask, action_mask_len;
        player, player_len;
        action, action_len;
        reward, reward_len;
        terminated, terminated_len;
        truncated, truncated_len;
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
