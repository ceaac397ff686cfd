//! Vectorized environments: many episodes of one game, stepped together.

#![expect(unsafe_code, reason = "exported functions; all work with pointers is in ffi.rs")]

use crate::ffi::{Out, border, read_struct, slice, slice_mut, text, text_or_none};
use crate::game::PlaymatGame;
use crate::handle::{self, Taken, VecEnvObject};
use crate::status::{Fault, PlaymatStatus, Result};
use crate::text::read_options;
use crate::vec_buffers::{Kept, PlaymatBuffers, PlaymatRollout, Ranges};
use playmat_core::vec::{Actions, Buffers, Request, Reset, Source};
use std::ffi::c_char;

/// A vectorized environment. One thread at a time.
pub struct PlaymatVecEnv {
    _private: [u8; 0],
}

#[inline(always)]
pub(crate) fn take(venv: *const PlaymatVecEnv) -> Result<Taken<VecEnvObject>> {
    handle::take("venv", venv)
}

/// The caller's buffers as slices, which lie apart from each other and from all that is in `ranges`.
///
/// # Safety
/// The memory is writable during the call and nothing else touches it.
#[inline(always)]
unsafe fn checked<'a>(given: Option<&PlaymatBuffers>, ranges: &mut Ranges) -> Result<Buffers<'a>> {
    let Some(given) = given else { return Ok(Buffers::default()) };
    given.ranges(ranges)?;
    // SAFETY: promised by the caller; overlaps were just looked for.
    unsafe { given.slices() }
}

/// # Safety
/// As the exported resets.
unsafe fn reset(
    venv: *mut PlaymatVecEnv,
    from: Source<'_>,
    mask: *const u8,
    mask_len: usize,
    buffers: *const PlaymatBuffers,
    buffers_size: usize,
) -> Result<()> {
    let mut venv = take(venv)?;
    // SAFETY: promised by the caller.
    let (bytes, given) =
        unsafe { (slice("mask", mask, mask_len)?, PlaymatBuffers::read(buffers, buffers_size)?) };
    let mut ranges = Ranges::new();
    // SAFETY: promised by the caller.
    let mut out = unsafe { checked(given.as_ref(), &mut ranges)? };
    ranges.spare("mask", mask, mask_len)?;
    match &from {
        Source::Seeds(seeds) => ranges.spare("seeds", seeds.as_ptr().cast(), size_of_val(*seeds))?,
        Source::States(states) => {
            for state in *states {
                ranges.spare("states", state.as_ptr(), state.len())?;
            }
        }
        _ => {}
    }
    let mask = (!mask.is_null()).then_some(bytes);
    Ok(venv.venv.reset(Reset { from, mask }, &mut out)?)
}

/// A vectorized environment: many episodes of one game, stepped together. Its first call must be a reset.
///
/// Parameters: `game`; `num_envs` N, 1 to 16,777,216, as far as memory goes; `config`, `config_len` a JSON object or TOML text, null
/// with length 0 or PLAYMAT_NTS for the defaults, with any of the keys
///   threads    threads that step, the caller's included, 1 to 256; 1 (default) starts none
///   view       "turn" (default): one acting player per environment and step; "joint": all acting players of an environment decide in
///              the same step; "single" (or "seat"): one learner, bots are the other players
///   dtype      of observations: "u8" (default) or "f32"
///   autoreset  "same_step" (default), "next_step" or "disabled"
///   learner    the player that the caller plays, or "rotate"; without: all (in the single-player view: 0)
///   seats      instead of `learner`, one entry per player: "learner", "pool", a bot's name or an opponent's index
///   opponents  the pool for seats that the caller does not play: a bot's name, a list of names or of pairs of name and weight, or
///              an object from names to weights
///   spin_us    microseconds that a worker waits for the next step before it sleeps, 0 to 1,000,000; 50 (default)
/// `out` receives the handle, which `playmat_vec_env_destroy` ends.
/// Returns: OK; UNREADABLE (config); INVALID_ARGUMENT; INVALID_SEAT; INVALID_UTF8; INVALID_HANDLE; WRONG_HANDLE; NULL_POINTER;
/// TOO_MANY_HANDLES.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_create(
    game: *const PlaymatGame,
    num_envs: usize,
    config: *const c_char,
    config_len: usize,
    out: *mut *mut PlaymatVecEnv,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let (config, out) = unsafe {
            (text_or_none("config", config, config_len)?.unwrap_or_default(), Out::new("out", out)?)
        };
        let game = handle::game("game", game)?;
        let request = Request::read(num_envs, &read_options("config", config)?, game.info().players)?;
        let venv = game.vec_env(request.config.clone(), &request.pool())?;
        out.set(handle::create(VecEnvObject { venv, game })?);
        Ok(())
    })
}

/// Ends a vectorized environment and its threads, after a step that is under way. Null is nothing to destroy.
///
/// Parameters: `venv`.
/// Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_destroy(venv: *mut PlaymatVecEnv) -> PlaymatStatus {
    border(|| handle::destroy::<VecEnvObject>("venv", venv))
}

/// Starts the next episode of each environment's own stream of episodes (of seed 0 at first).
///
/// Parameters: `venv`; `mask`, `mask_len` one byte per environment, not 0 for those to reset, null for all; `buffers` where
/// results go, null for none; `buffers_size` is `sizeof(PlaymatBuffers)`. Environments that were not reset are shown as they
/// stand, with reward 0.
/// Returns: OK; INVALID_ARGUMENT (lengths, alignment, overlap); ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_reset(
    venv: *mut PlaymatVecEnv,
    mask: *const u8,
    mask_len: usize,
    buffers: *const PlaymatBuffers,
    buffers_size: usize,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        unsafe { reset(venv, Source::Streams, mask, mask_len, buffers, buffers_size) }
    })
}

/// Starts new episodes: environment i starts a stream of its own, hashed from the seed and i.
///
/// Parameters: `venv`; `seed` any number; `mask`, `mask_len` one byte per environment, not 0 for those to reset, null for all;
/// `buffers` where results go, null for none; `buffers_size` is `sizeof(PlaymatBuffers)`. Environments that were not reset are
/// shown as they stand, with reward 0.
/// Returns: OK; INVALID_ARGUMENT (lengths, alignment, overlap); ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_reset_seed(
    venv: *mut PlaymatVecEnv,
    seed: u64,
    mask: *const u8,
    mask_len: usize,
    buffers: *const PlaymatBuffers,
    buffers_size: usize,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        unsafe { reset(venv, Source::Seed(seed), mask, mask_len, buffers, buffers_size) }
    })
}

/// Starts the episodes of seeds, one per environment. What comes after them is hashed from the environment's own seed and i.
///
/// Parameters: `venv`; `seeds`, `seeds_len` one per environment; `mask`, `mask_len` one byte per environment, not 0 for those to
/// reset, null for all; `buffers` where results go, null for none; `buffers_size` is `sizeof(PlaymatBuffers)`. Environments that
/// were not reset are shown as they stand, with reward 0.
/// Returns: OK; INVALID_ARGUMENT (lengths, alignment, overlap); ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_reset_seeds(
    venv: *mut PlaymatVecEnv,
    seeds: *const u64,
    seeds_len: usize,
    mask: *const u8,
    mask_len: usize,
    buffers: *const PlaymatBuffers,
    buffers_size: usize,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let seeds = unsafe { slice("seeds", seeds, seeds_len)? };
        // SAFETY: promised by the caller.
        unsafe { reset(venv, Source::Seeds(seeds), mask, mask_len, buffers, buffers_size) }
    })
}

/// Goes on from saved states, one per environment.
///
/// Parameters: `venv`; `states` pointers to the bytes of `playmat_env_save` or `playmat_vec_env_state`; `sizes` how many bytes
/// each has; `count` of both, the number of environments; `mask`, `mask_len` one byte per environment, not 0 for those to reset,
/// null for all; `buffers` where results go, null for none; `buffers_size` is `sizeof(PlaymatBuffers)`. Environments that were
/// not reset are shown as they stand, with reward 0.
/// Returns: OK; INVALID_ARGUMENT (lengths, alignment, overlap); UNREADABLE; WRONG_IDENTITY; INVALID_STATE; ORDER; INVALID_HANDLE;
/// WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_reset_states(
    venv: *mut PlaymatVecEnv,
    states: *const *const u8,
    sizes: *const usize,
    count: usize,
    mask: *const u8,
    mask_len: usize,
    buffers: *const PlaymatBuffers,
    buffers_size: usize,
) -> PlaymatStatus {
    border(|| {
        let envs = take(venv)?.venv.sizes().envs;
        if count != envs {
            return Err(Fault::argument("states", format!("got {count} entries; wanted {envs}")));
        }
        // SAFETY: promised by the caller.
        let (starts, sizes) = unsafe { (slice("states", states, count)?, slice("sizes", sizes, count)?) };
        let mut states = Vec::with_capacity(count);
        for (&start, &size) in starts.iter().zip(sizes) {
            // SAFETY: promised by the caller.
            states.push(unsafe { slice("states", start, size)? });
        }
        // SAFETY: promised by the caller.
        unsafe { reset(venv, Source::States(&states), mask, mask_len, buffers, buffers_size) }
    })
}

/// # Safety
/// As the exported steps.
#[inline(always)]
unsafe fn step<'a, T: Copy + 'a>(
    venv: *mut PlaymatVecEnv,
    actions: *const T,
    actions_len: usize,
    of: fn(&'a [T]) -> Actions<'a>,
    buffers: *const PlaymatBuffers,
    buffers_size: usize,
) -> PlaymatStatus {
    border(|| {
        let mut venv = take(venv)?;
        // SAFETY: promised by the caller.
        let (read, given) = unsafe {
            (slice("actions", actions, actions_len)?, PlaymatBuffers::read(buffers, buffers_size)?)
        };
        let mut ranges = Ranges::new();
        ranges.add("actions", actions, actions_len)?;
        // SAFETY: promised by the caller.
        let mut out = unsafe { checked(given.as_ref(), &mut ranges)? };
        Ok(venv.venv.step(of(read), &mut out)?)
    })
}

/// Plays one step of every environment: all or, on an error, none of them.
///
/// Parameters: `venv`; `actions`, `actions_len` one per environment (joint view: per environment and player); entries of those
/// who do not act are ignored; `buffers` where results go, null for none; `buffers_size` is `sizeof(PlaymatBuffers)`.
/// Returns: OK; ILLEGAL_ACTION (the message lists environments, players, actions); EPISODE_OVER (autoreset "disabled");
/// INVALID_ARGUMENT (lengths, alignment, overlap); ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_step(
    venv: *mut PlaymatVecEnv,
    actions: *const i64,
    actions_len: usize,
    buffers: *const PlaymatBuffers,
    buffers_size: usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { step(venv, actions, actions_len, Actions::I64, buffers, buffers_size) }
}

/// Plays one step of every environment: all or, on an error, none of them.
///
/// Parameters: `venv`; `actions`, `actions_len` one per environment (joint view: per environment and player); entries of those
/// who do not act are ignored; `buffers` where results go, null for none; `buffers_size` is `sizeof(PlaymatBuffers)`.
/// Returns: OK; ILLEGAL_ACTION (the message lists environments, players, actions); EPISODE_OVER (autoreset "disabled");
/// INVALID_ARGUMENT (lengths, alignment, overlap); ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_step_i32(
    venv: *mut PlaymatVecEnv,
    actions: *const i32,
    actions_len: usize,
    buffers: *const PlaymatBuffers,
    buffers_size: usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { step(venv, actions, actions_len, Actions::I32, buffers, buffers_size) }
}

/// Starts a step that goes on while the caller does something else, on a thread of its own, which the first call starts: also
/// where `threads` is 1.
///
/// Parameters: `venv`; `actions`, `actions_len` one per environment (joint view: per environment and player); entries of those
/// who do not act are ignored; they are copied. The buffers belong to the step until `playmat_vec_env_step_wait` or
/// `playmat_vec_env_destroy` returns; `buffers` where results go, null for none; `buffers_size` is `sizeof(PlaymatBuffers)`.
/// Returns: OK; INVALID_ARGUMENT (lengths, alignment, overlap); ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
/// An illegal action is reported by the wait.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_step_async(
    venv: *mut PlaymatVecEnv,
    actions: *const i64,
    actions_len: usize,
    buffers: *const PlaymatBuffers,
    buffers_size: usize,
) -> PlaymatStatus {
    border(|| {
        let mut venv = take(venv)?;
        // SAFETY: promised by the caller.
        let (actions, given) = unsafe {
            (slice("actions", actions, actions_len)?, PlaymatBuffers::read(buffers, buffers_size)?)
        };
        let sizes = venv.venv.sizes();
        let wanted = sizes.envs * sizes.lanes;
        if actions.len() != wanted {
            return Err(Fault::argument(
                "actions",
                format!("got {} actions; wanted {wanted}", actions.len()),
            ));
        }
        let given = given.unwrap_or(PlaymatBuffers::NONE);
        // SAFETY: promised by the caller.
        unsafe { checked(Some(&given), &mut Ranges::new())? };
        Ok(venv.venv.step_async(actions.to_vec(), Box::new(Kept(given)))?)
    })
}

/// Waits for the step that was started: its buffers are written and the caller's again.
///
/// Parameters: `venv`.
/// Returns: what the step would have returned; ORDER (none was started); INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_step_wait(venv: *mut PlaymatVecEnv) -> PlaymatStatus {
    border(|| Ok(take(venv)?.venv.step_wait()?.result?))
}

/// Whether a step was started and not yet waited for: 1 or 0.
///
/// Parameters: `venv`; `pending` receives 1 or 0.
/// Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_is_pending(
    venv: *const PlaymatVecEnv,
    pending: *mut u8,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let out = unsafe { Out::new("pending", pending)? };
        out.set(take(venv)?.venv.is_pending().into());
        Ok(())
    })
}

/// Writes the batch as it stands; rewards and flags are 0.
///
/// Parameters: `venv`; `buffers` where results go, null for none; `buffers_size` is `sizeof(PlaymatBuffers)`.
/// Returns: OK; INVALID_ARGUMENT; ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_show(
    venv: *mut PlaymatVecEnv,
    buffers: *const PlaymatBuffers,
    buffers_size: usize,
) -> PlaymatStatus {
    border(|| {
        let mut venv = take(venv)?;
        // SAFETY: promised by the caller.
        let given = unsafe { PlaymatBuffers::read(buffers, buffers_size)? };
        // SAFETY: promised by the caller.
        let mut out = unsafe { checked(given.as_ref(), &mut Ranges::new())? };
        Ok(venv.venv.show(&mut out)?)
    })
}

/// Draws a uniform legal action for every row of the mask, from each environment's own stream; 0 where nobody acts.
///
/// Parameters: `venv`; `out`, `out_len` as many as a step takes.
/// Returns: OK; INVALID_ARGUMENT (length); ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_sample_actions(
    venv: *mut PlaymatVecEnv,
    out: *mut i64,
    out_len: usize,
) -> PlaymatStatus {
    border(|| {
        let mut venv = take(venv)?;
        // SAFETY: promised by the caller.
        let out = unsafe { slice_mut("out", out, out_len)? };
        Ok(venv.venv.sample_actions(out)?)
    })
}

/// What a bot would do in every row of the mask, 0 where nobody acts: labels for imitation, whoever plays.
///
/// A step with these actions plays as a rollout of one step with the bot does.
///
/// Parameters: `venv`; `bot`, `bot_len` a bot's name; `out`, `out_len` as many as a step takes.
/// Returns: OK; INVALID_ARGUMENT (bot, length); INVALID_UTF8; ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_bot_actions(
    venv: *mut PlaymatVecEnv,
    bot: *const c_char,
    bot_len: usize,
    out: *mut i64,
    out_len: usize,
) -> PlaymatStatus {
    border(|| {
        let mut venv = take(venv)?;
        // SAFETY: promised by the caller.
        let (bot, out) = unsafe { (text("bot", bot, bot_len)?, slice_mut("out", out, out_len)?) };
        Ok(venv.venv.bot_actions(bot, out)?)
    })
}

/// Whether the last step has already drawn what `playmat_vec_env_sample_actions` would draw now, and written it into its `drawn`
/// buffer: 1 or 0. If 1, these draws are hereby taken and need not be sampled. After a use of either function, the next step draws
/// ahead in its own pass, where it costs least; draws that are not taken leave no trace.
///
/// Parameters: `venv`; `taken` receives 1 or 0.
/// Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_take_drawn(
    venv: *mut PlaymatVecEnv,
    taken: *mut u8,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let out = unsafe { Out::new("taken", taken)? };
        out.set(take(venv)?.venv.take_drawn().into());
        Ok(())
    })
}

/// Wakes sleeping threads because a step is about to come.
///
/// Parameters: `venv`.
/// Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_prepare(venv: *mut PlaymatVecEnv) -> PlaymatStatus {
    border(|| {
        take(venv)?.venv.prepare();
        Ok(())
    })
}

/// Plays T steps with a bot for all players that the caller would play.
///
/// Parameters: `venv`; `policy`, `policy_len` a bot's name; `rollout` T, at least 1, and where the steps go, `rollout_size` is
/// `sizeof(PlaymatRollout)`; `buffers` where the batch after them goes, null for nowhere; `buffers_size` is
/// `sizeof(PlaymatBuffers)`.
/// Returns: OK; INVALID_ARGUMENT; INVALID_UTF8; ORDER; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_rollout(
    venv: *mut PlaymatVecEnv,
    policy: *const c_char,
    policy_len: usize,
    rollout: *const PlaymatRollout,
    rollout_size: usize,
    buffers: *const PlaymatBuffers,
    buffers_size: usize,
) -> PlaymatStatus {
    border(|| {
        let mut venv = take(venv)?;
        // SAFETY: promised by the caller.
        let (policy, given, last) = unsafe {
            (
                text("policy", policy, policy_len)?,
                read_struct("rollout", rollout, rollout_size)?,
                PlaymatBuffers::read(buffers, buffers_size)?,
            )
        };
        let mut ranges = Ranges::new();
        given.ranges(&mut ranges)?;
        // SAFETY: promised by the caller.
        let (mut last, mut out) = unsafe { (checked(last.as_ref(), &mut ranges)?, given.slices()?) };
        Ok(venv.venv.rollout(policy, &mut out, &mut last)?)
    })
}
