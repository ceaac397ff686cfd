//! Advantages and returns over a rollout in the turn view.

#![expect(unsafe_code, reason = "exported functions; all work with pointers is in ffi.rs")]

use crate::ffi::{Growing, border, read_struct, slice, slice_mut};
use crate::status::PlaymatStatus;
use crate::vec_buffers::Ranges;
use playmat_core::gae::{Trajectories, gae};

/// T steps of N environments with P players in the turn view. Arrays are row-major and only read.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PlaymatTrajectories {
    /// T.
    pub steps: usize,
    /// N.
    pub num_envs: usize,
    /// P, 1 to 8.
    pub num_players: usize,
    /// [T, N, P] reward of each player for the action of row t.
    pub reward: *const f32,
    /// Elements of `reward`.
    pub reward_len: usize,
    /// [T, N] value of the observation for the acting player.
    pub value: *const f32,
    /// Elements of `value`.
    pub value_len: usize,
    /// [T, N] the acting player; -1 in rows without a decision, whose advantage and return are 0.
    pub player: *const i32,
    /// Elements of `player`.
    pub player_len: usize,
    /// [T, N] not 0 if the rules ended the episode in this step.
    pub terminated: *const u8,
    /// Elements of `terminated`.
    pub terminated_len: usize,
    /// [T, N] not 0 if a limit ended the episode in this step; ignored if `terminated` is set.
    pub truncated: *const u8,
    /// Elements of `truncated`.
    pub truncated_len: usize,
    /// [N, P] value of the position after the last step for each player.
    pub next_value: *const f32,
    /// Elements of `next_value`.
    pub next_value_len: usize,
    /// [T, N, P] value of the last position of the episode for each player, read only in truncated rows; null if there are none.
    pub final_value: *const f32,
    /// Elements of `final_value`.
    pub final_value_len: usize,
    /// Discount per decision of a player, 0 to 1.
    pub gamma: f32,
    /// Lambda, 0 to 1.
    pub gae_lambda: f32,
}

impl Growing for PlaymatTrajectories {
    // Discount and lambda, which have no default, come last.
    const LEAST: usize = size_of::<PlaymatTrajectories>();
}

/// Generalized advantage estimation for any number of players. Rewards of a player between two of its decisions belong to the first
/// of them, whoever acts in between. Truncation bootstraps, termination does not; a row with both flags set is terminated.
///
/// Parameters: `rollout`, `rollout_size` the steps and `sizeof(PlaymatTrajectories)`; `advantages`, `advantages_len` and `returns`,
/// `returns_len` receive [T, N] each.
/// Returns: OK; INVALID_ARGUMENT (lengths, numbers, alignment, overlap).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_gae(
    rollout: *const PlaymatTrajectories,
    rollout_size: usize,
    advantages: *mut f32,
    advantages_len: usize,
    returns: *mut f32,
    returns_len: usize,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let r = unsafe { read_struct("rollout", rollout, rollout_size)? };
        let mut ranges = Ranges::new();
        ranges.add("reward", r.reward, r.reward_len)?;
        ranges.add("value", r.value, r.value_len)?;
        ranges.add("player", r.player, r.player_len)?;
        ranges.add("terminated", r.terminated, r.terminated_len)?;
        ranges.add("truncated", r.truncated, r.truncated_len)?;
        ranges.add("next_value", r.next_value, r.next_value_len)?;
        ranges.add("final_value", r.final_value, r.final_value_len)?;
        ranges.add("advantages", advantages, advantages_len)?;
        ranges.add("returns", returns, returns_len)?;
        // SAFETY: promised by the caller; nothing overlaps.
        let (given, advantages, returns) = unsafe {
            let given = Trajectories {
                steps: r.steps,
                envs: r.num_envs,
                players: r.num_players,
                reward: slice("reward", r.reward, r.reward_len)?,
                value: slice("value", r.value, r.value_len)?,
                player: slice("player", r.player, r.player_len)?,
                terminated: slice("terminated", r.terminated, r.terminated_len)?,
                truncated: slice("truncated", r.truncated, r.truncated_len)?,
                next_value: slice("next_value", r.next_value, r.next_value_len)?,
                final_value: slice("final_value", r.final_value, r.final_value_len)?,
                gamma: r.gamma,
                gae_lambda: r.gae_lambda,
            };
            let advantages = slice_mut("advantages", advantages, advantages_len)?;
            (given, advantages, slice_mut("returns", returns, returns_len)?)
        };
        Ok(gae(&given, advantages, returns)?)
    })
}
