//! Advantages and returns over a rollout in the turn view.

#![expect(unsafe_code, reason = "exported functions; all work with pointers is in ffi.rs")]

use crate::ffi::{Growing, border, read_struct, slice, slice_mut};
use crate::status::PlaymatStatus;
use crate::vec_buffers::Ranges;
use playmat_core::gae::{Trajectories, gae};

/// A rollout of T rows of N environments with P players, as steps in the turn view write it. Arrays are row-major and only read.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PlaymatTrajectories {
    /// T.
    pub steps: usize,
    /// N.
    pub envs: usize,
    /// P, 1 to 8.
    pub players: usize,
    /// [T, N, P] what each player earned by the step that row t's action made.
    pub reward: *const f32,
    /// Elements of `reward`.
    pub reward_len: usize,
    /// [T, N] value of row t's observation for the player who acts there.
    pub value: *const f32,
    /// Elements of `value`.
    pub value_len: usize,
    /// [T, N] the player who acts; -1 in rows without a decision, which get 0.
    pub player: *const i32,
    /// Elements of `player`.
    pub player_len: usize,
    /// [T, N] not 0 where the step ended the episode by the rules.
    pub terminated: *const u8,
    /// Elements of `terminated`.
    pub terminated_len: usize,
    /// [T, N] not 0 where the step ended the episode by a limit; not looked at where `terminated` is set.
    pub truncated: *const u8,
    /// Elements of `truncated`.
    pub truncated_len: usize,
    /// [N, P] value of the position after the last row for each player.
    pub next_value: *const f32,
    /// Elements of `next_value`.
    pub next_value_len: usize,
    /// [T, N, P] value of the last position of an episode for each player, read only in truncated rows; null if none is.
    pub final_value: *const f32,
    /// Elements of `final_value`.
    pub final_value_len: usize,
    /// Discount per decision of a player, 0 to 1.
    pub gamma: f32,
    /// Lambda, 0 to 1.
    pub lam: f32,
}

impl Growing for PlaymatTrajectories {
    // Discount and lambda, which have no default, come last.
    const LEAST: usize = size_of::<PlaymatTrajectories>();
}

/// Generalized advantage estimation for any number of players: what a player earns between two decisions of its own belongs to the
/// first of them, with its own sign, whoever plays in between. Truncation bootstraps, termination does not; a row with both flags set is
/// terminated.
///
/// Parameters: `rollout` what was played, `rollout_size` is `sizeof(PlaymatTrajectories)`; `advantages`, `advantages_len` and
/// `returns`, `returns_len` [T, N] each, apart from each other and from what is read.
/// Returns: OK; INVALID_ARGUMENT (lengths, numbers, alignment, overlap); NULL_POINTER.
///
/// # Safety
/// The promises at the top of the header.
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
                envs: r.envs,
                players: r.players,
                reward: slice("reward", r.reward, r.reward_len)?,
                value: slice("value", r.value, r.value_len)?,
                player: slice("player", r.player, r.player_len)?,
                terminated: slice("terminated", r.terminated, r.terminated_len)?,
                truncated: slice("truncated", r.truncated, r.truncated_len)?,
                next_value: slice("next_value", r.next_value, r.next_value_len)?,
                final_value: slice("final_value", r.final_value, r.final_value_len)?,
                gamma: r.gamma,
                lambda: r.lam,
            };
            let advantages = slice_mut("advantages", advantages, advantages_len)?;
            (given, advantages, slice_mut("returns", returns, returns_len)?)
        };
        Ok(gae(&given, advantages, returns)?)
    })
}
