//! Generalized advantage estimation for any number of players over a rollout in the turn view.
//!
//! In the turn view each row of a rollout is a decision of one player, and rewards of a player also come in rows of other players. A
//! decision of player `s` is credited with all rewards of `s` up to its own next decision, and with the value of that decision. So the rows
//! of a player form a separate trajectory, with its own sign.
//!
//! With `d` the decision of a player in row `t` and `d'` its next one in the same episode:
//!
//! ```text
//! rewards(d)   = sum of the player's rewards in rows t .. row of d' - 1        (to the end of the episode or rollout without d')
//! delta(d)     = rewards(d) + gamma * next(d) - value(d)
//! advantage(d) = delta(d) + gamma * lambda * advantage(d')                    (the last term is 0 without d')
//! return(d)    = advantage(d) + value(d)
//! next(d)      = value(d')                if there is a d'
//!                0                        if the episode was terminated after d
//!                final_value[.., player]  if it was truncated after d: truncation bootstraps, termination does not
//!                next_value[.., player]   if the rollout ended first
//! ```
//!
//! A row with both flags set is terminated: nothing follows a position in which the rules have ended the episode, even if a limit was
//! reached there. Batches never set both flags; wrappers around them may.
//!
//! So `gamma` applies once per own decision, not per row: it means the same for two players as for eight. Rewards of a player before its
//! first decision of an episode, or of the rollout, belong to no row. Players that never decide (played by agents) take no part.

use crate::error::{Error, Result};
use crate::player::MAX_PLAYERS;

/// Environments processed together: their sums stay in registers and the L1 cache, their rows are read in order.
const BLOCK: usize = 32;

/// A rollout of T rows of N environments with P players, row-major, as a turn-view batch writes it.
#[derive(Clone, Copy, Debug)]
pub struct Trajectories<'a> {
    /// T.
    pub steps: usize,
    /// N.
    pub envs: usize,
    /// P, 1 to 8.
    pub players: usize,
    /// `[T, N, P]` reward of each player in the step of row t's action.
    pub reward: &'a [f32],
    /// `[T, N]` value of row t's observation for the acting player.
    pub value: &'a [f32],
    /// `[T, N]` the acting player, below P; -1 in rows without a decision, whose outputs are 0.
    pub player: &'a [i32],
    /// `[T, N]` nonzero where the step ended the episode by the rules.
    pub terminated: &'a [u8],
    /// `[T, N]` nonzero where the step ended the episode by a limit; ignored where `terminated` is set.
    pub truncated: &'a [u8],
    /// `[N, P]` bootstrap: value of the position after the last row for each player, acting or not.
    pub next_value: &'a [f32],
    /// `[T, N, P]` value of the last position of an episode for each player; read only in truncated rows. Empty if none is.
    pub final_value: &'a [f32],
    /// Discount per own decision, 0 to 1.
    pub gamma: f32,
    /// Lambda, 0 to 1.
    pub gae_lambda: f32,
}

/// Accumulators of the backward pass over one environment's rows, per player.
#[derive(Clone, Copy)]
struct Later {
    /// Rewards since the current row.
    earned: [f32; MAX_PLAYERS],
    /// Value of the player's next decision, or its bootstrap.
    value: [f32; MAX_PLAYERS],
    /// Advantage of that decision.
    advantage: [f32; MAX_PLAYERS],
}

impl Later {
    const NOTHING: Later =
        Later { earned: [0.0; MAX_PLAYERS], value: [0.0; MAX_PLAYERS], advantage: [0.0; MAX_PLAYERS] };

    /// No rewards yet, and these bootstrap values.
    fn with_values(values: &[f32]) -> Later {
        let mut later = Later::NOTHING;
        later.value[..values.len()].copy_from_slice(values);
        later
    }
}

/// Writes advantages and returns, `[T, N]` each; see the module for what they are. Time O(T N P), no allocation.
///
/// # Errors
/// [`Error::InvalidArgument`] naming the argument, what it is and what is allowed; nothing is written then.
pub fn gae(rollout: &Trajectories<'_>, advantages: &mut [f32], returns: &mut [f32]) -> Result<()> {
    check(rollout, advantages, returns)?;
    let Trajectories { steps, envs, players, gamma, .. } = *rollout;
    let decay = gamma * rollout.gae_lambda;
    let mut block = [Later::NOTHING; BLOCK];
    for from in (0..envs).step_by(BLOCK) {
        let count = BLOCK.min(envs - from);
        for (k, later) in block[..count].iter_mut().enumerate() {
            *later = Later::with_values(&rollout.next_value[(from + k) * players..][..players]);
        }
        for t in (0..steps).rev() {
            for (k, later) in block[..count].iter_mut().enumerate() {
                let at = t * envs + from + k;
                let row = at * players..(at + 1) * players;
                if rollout.terminated[at] != 0 {
                    *later = Later::NOTHING;
                } else if rollout.truncated[at] != 0 {
                    *later = Later::with_values(&rollout.final_value[row.clone()]);
                }
                for (earned, reward) in later.earned.iter_mut().zip(&rollout.reward[row]) {
                    *earned += reward;
                }
                let Ok(player) = usize::try_from(rollout.player[at]) else {
                    (advantages[at], returns[at]) = (0.0, 0.0);
                    continue;
                };
                let value = rollout.value[at];
                let delta = later.earned[player] + gamma * later.value[player] - value;
                let advantage = delta + decay * later.advantage[player];
                (advantages[at], returns[at]) = (advantage, advantage + value);
                later.earned[player] = 0.0;
                later.value[player] = value;
                later.advantage[player] = advantage;
            }
        }
    }
    Ok(())
}

fn check(rollout: &Trajectories<'_>, advantages: &[f32], returns: &[f32]) -> Result<()> {
    let Trajectories { steps, envs, players, .. } = *rollout;
    if !(1..=MAX_PLAYERS).contains(&players) {
        return Err(Error::argument("players", format!("got {players}; allowed: 1 to {MAX_PLAYERS}")));
    }
    for (name, number) in [("gamma", rollout.gamma), ("gae_lambda", rollout.gae_lambda)] {
        if !(0.0..=1.0).contains(&number) {
            return Err(Error::argument(name, format!("got {number}; allowed: 0 to 1")));
        }
    }
    // Each product by itself: T = 0 makes the largest of them 0 and leaves N * P as it is.
    let beyond = |name: &'static str| {
        let message = format!("got T = {steps}, N = {envs}, P = {players}; no array has that many elements");
        Error::argument(name, message)
    };
    let next = envs.checked_mul(players).ok_or_else(|| beyond("envs"))?;
    let rows = steps.checked_mul(envs).ok_or_else(|| beyond("steps"))?;
    let all = rows.checked_mul(players).ok_or_else(|| beyond("steps"))?;
    for (name, got, wanted) in [
        ("reward", rollout.reward.len(), all),
        ("value", rollout.value.len(), rows),
        ("player", rollout.player.len(), rows),
        ("terminated", rollout.terminated.len(), rows),
        ("truncated", rollout.truncated.len(), rows),
        ("next_value", rollout.next_value.len(), next),
        ("advantages", advantages.len(), rows),
        ("returns", returns.len(), rows),
    ] {
        if got != wanted {
            let shape = format!("T = {steps}, N = {envs}, P = {players}");
            return Err(Error::argument(name, format!("got {got} elements; wanted {wanted} ({shape})")));
        }
    }
    if let Some(at) = rollout.player.iter().position(|&player| player < -1 || player >= players as i32) {
        let (t, n, player) = (at / envs, at % envs, rollout.player[at]);
        let allowed = format!("-1 (no decision) to {}", players - 1);
        return Err(Error::argument("player", format!("got {player} at [{t}, {n}]; allowed: {allowed}")));
    }
    check_final_value(rollout, all)
}

/// Values of final positions are needed where an episode was truncated, and nowhere else.
fn check_final_value(rollout: &Trajectories<'_>, wanted: usize) -> Result<()> {
    let Trajectories { envs, final_value, .. } = *rollout;
    if final_value.len() == wanted {
        return Ok(());
    }
    if !final_value.is_empty() {
        let got = final_value.len();
        return Err(Error::argument("final_value", format!("got {got} elements; wanted {wanted} (or none)")));
    }
    let cut = rollout.truncated.iter().zip(rollout.terminated);
    match cut.into_iter().position(|(&truncated, &terminated)| truncated != 0 && terminated == 0) {
        None => Ok(()),
        Some(at) => {
            let (t, n) = (at / envs, at % envs);
            let message = format!("got none; the episode cut off at [{t}, {n}] needs the values of its end");
            Err(Error::argument("final_value", message))
        }
    }
}
