//! Batches of environments: many episodes of one game, stepped together.

#![expect(unsafe_code, reason = "exported functions; all work with pointers is in ffi.rs")]

use crate::ffi::{Out, border, read_struct, slice, slice_mut, text, text_or_none};
use crate::game::PlaymatGame;
use crate::handle::{self, Taken, VecEnvObject};
use crate::status::{Fault, PlaymatStatus, Result};
use crate::text::read_options;
use crate::vec_buffers::{Kept, PlaymatBuffers, PlaymatRollout, Ranges};
use playmat_core::vec::{Actions, Buffers, Request, Reset, Source};
use std::ffi::c_char;

/// A batch of environments (a vectorized environment). One thread at a time.
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
    let done = venv.venv.reset(Reset { from, mask }, &mut out);
    Ok(done.map_err(|error| error.renamed("reset_mask", "mask"))?)
}

/// Creates a batch of environments: many episodes of one game, stepped together. Its first call must be a reset.
///
/// Keys of the configuration:
///   threads    threads that step, the caller's included, 1 to 256; 1 (default) starts none
///   view       "turn" (default): one acting player per environment and step; "joint": all acting players of an environment decide in
///              the same step; "single": one learner, opponents play the others
///   dtype      of observations: "u8" (default) or "f32"
///   autoreset  "same_step" (default), "next_step" or "disabled"
///   learner    the player that the caller plays, or "rotate"; by default all (in the single-player view: 0)
///   roles      instead of `learner`, one entry per player: "learner", "pool", an agent's spec or an opponent's index
///   opponents  the pool of agents for players that the caller does not play: a spec, a list of specs or of pairs of spec and weight, or
///              an object from names to weights
///   spin_us    microseconds that a worker waits for the next step before it sleeps, 0 to 1,000,000; default 50
///   first_env  number of the first environment, 0 to 4,294,967,296; default 0: several batches can play the parts of one, each from its
///              own number on
///
/// Parameters: `game`; `num_envs` N, 1 to 16,777,216; `config`, `config_len` a JSON object or TOML text with any of these keys,
/// null for the defaults; `out` receives the handle.
/// Returns: OK; UNREADABLE (config); INVALID_ARGUMENT; INVALID_PLAYER.
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

/// Destroys a batch of environments and its threads; waits for a running asynchronous step.
///
/// Parameters: `venv`, or null.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_destroy(venv: *mut PlaymatVecEnv) -> PlaymatStatus {
    border(|| handle::destroy::<VecEnvObject>("venv", venv))
}

/// Starts the next episode in each environment's own sequence of episodes (of seed 0 at first), and writes the batch. Environments
/// that are not reset stay as they are, with reward 0.
///
/// Parameters: `venv`; `mask`, `mask_len` one byte per environment: not 0 resets it; null resets all; `buffers` receives the batch,
/// null to skip it; `buffers_size` is `sizeof(PlaymatBuffers)`.
/// Returns: OK; INVALID_ARGUMENT (lengths, alignment, overlap); ORDER.
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

/// `playmat_vec_env_reset` with a new sequence of episodes for each environment, hashed from a seed and the index of the
/// environment.
///
/// Parameters: `seed` any number; `venv`, `mask`, `mask_len`, `buffers`, `buffers_size` as for `playmat_vec_env_reset`.
/// Returns: as `playmat_vec_env_reset`.
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

/// `playmat_vec_env_reset` with the episodes of seeds. Later episodes of an environment are hashed from its seed and its index.
///
/// Parameters: `seeds`, `seeds_len` one per environment; `venv`, `mask`, `mask_len`, `buffers`, `buffers_size` as for
/// `playmat_vec_env_reset`.
/// Returns: as `playmat_vec_env_reset`.
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

/// `playmat_vec_env_reset` from saved states. The episodes continue with the saved random stream of chance: a state draws what its own
/// episode will draw, so pass states of `playmat_env_clone_seed` or `playmat_env_sample_hidden` for a search that must not look ahead.
///
/// Parameters: `states`, `sizes`, `count` for each environment a pointer to the bytes of `playmat_env_save` or
/// `playmat_vec_env_state`, and their number; `venv`, `mask`, `mask_len`, `buffers`, `buffers_size` as for `playmat_vec_env_reset`.
/// Returns: as `playmat_vec_env_reset`; UNREADABLE; WRONG_IDENTITY; INVALID_STATE.
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

/// Plays one step of every environment. If it is refused, no environment has moved.
///
/// Parameters: `venv`; `actions`, `actions_len` one per environment (joint view: per environment and player); entries of players
/// who do not act are ignored; `buffers` receives the batch, null to skip it; `buffers_size` is `sizeof(PlaymatBuffers)`.
/// Returns: OK; ILLEGAL_ACTION (the message lists environments, players, actions); EPISODE_OVER (autoreset "disabled");
/// INVALID_ARGUMENT (lengths, alignment, overlap); ORDER.
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

/// `playmat_vec_env_step` with actions of 32 bits.
///
/// Parameters: `venv`, `actions`, `actions_len`, `buffers`, `buffers_size` as for `playmat_vec_env_step`.
/// Returns: as `playmat_vec_env_step`.
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

/// Starts `playmat_vec_env_step` on a thread of its own and returns. The first call starts that thread, also if `threads` is 1.
///
/// The actions are copied. The step writes the buffers until `playmat_vec_env_step_wait` or `playmat_vec_env_destroy` returns: do
/// not touch or free them before.
///
/// Parameters: `venv`, `actions`, `actions_len`, `buffers`, `buffers_size` as for `playmat_vec_env_step`.
/// Returns: OK; INVALID_ARGUMENT (lengths, alignment, overlap); ORDER. The wait returns what the step refuses.
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

/// Waits for the end of the asynchronous step. Then its buffers are written and belong to the caller again.
///
/// Parameters: `venv`.
/// Returns: as `playmat_vec_env_step`; ORDER (no step was started).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_step_wait(venv: *mut PlaymatVecEnv) -> PlaymatStatus {
    border(|| Ok(take(venv)?.venv.step_wait()?.result?))
}

/// Whether an asynchronous step was started and not waited for.
///
/// Parameters: `venv`; `pending` receives 1 or 0.
/// Returns: OK.
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

/// Writes the batch without a step; rewards and flags are 0.
///
/// Parameters: `venv`; `buffers` receives the batch, null to skip it; `buffers_size` is `sizeof(PlaymatBuffers)`.
/// Returns: OK; INVALID_ARGUMENT (lengths, alignment, overlap); ORDER.
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

/// Draws a uniformly random legal action for every row of the action mask, from each environment's own random stream; 0 for rows
/// without legal actions.
///
/// Parameters: `venv`; `out`, `out_len` as many as a step takes.
/// Returns: OK; INVALID_ARGUMENT (length); ORDER.
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

/// Takes the actions that the last step has already drawn into its `drawn` buffer: those that `playmat_vec_env_sample_actions`
/// would draw now. If `taken` is 0, call that function.
///
/// After a use of either function, the next step draws ahead in the same pass, which is faster. Actions that are not taken change
/// nothing.
///
/// Parameters: `venv`; `taken` receives 1 or 0.
/// Returns: OK.
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

/// Wakes sleeping worker threads before a step.
///
/// Parameters: `venv`.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_prepare(venv: *mut PlaymatVecEnv) -> PlaymatStatus {
    border(|| {
        take(venv)?.venv.prepare();
        Ok(())
    })
}

/// Plays T steps with an agent for all players of the caller.
///
/// Parameters: `venv`; `agent`, `agent_len` a spec; `rollout`, `rollout_size` T, at least 1, with the buffers of its steps,
/// and `sizeof(PlaymatRollout)`; `buffers` receives the batch after them, null to skip it; `buffers_size` is
/// `sizeof(PlaymatBuffers)`.
/// Returns: OK; INVALID_ARGUMENT (agent, steps, lengths, alignment, overlap); ORDER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_rollout(
    venv: *mut PlaymatVecEnv,
    agent: *const c_char,
    agent_len: usize,
    rollout: *const PlaymatRollout,
    rollout_size: usize,
    buffers: *const PlaymatBuffers,
    buffers_size: usize,
) -> PlaymatStatus {
    border(|| {
        let mut venv = take(venv)?;
        // SAFETY: promised by the caller.
        let (agent, given, last) = unsafe {
            (
                text("agent", agent, agent_len)?,
                read_struct("rollout", rollout, rollout_size)?,
                PlaymatBuffers::read(buffers, buffers_size)?,
            )
        };
        let mut ranges = Ranges::new();
        given.ranges(&mut ranges)?;
        // SAFETY: promised by the caller.
        let (mut last, mut out) = unsafe { (checked(last.as_ref(), &mut ranges)?, given.slices()?) };
        let agent = venv.game.agent(agent)?;
        Ok(venv.venv.rollout(&agent, &mut out, &mut last)?)
    })
}
