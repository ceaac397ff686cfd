//! Tree searches whose network the caller evaluates.

#![expect(unsafe_code, reason = "exported functions; all work with pointers is in ffi.rs")]

use crate::cancel::{Cancellation, PlaymatCancel};
use crate::env::{PlaymatEnv, take};
use crate::ffi::{Growing, Out, border, put_struct, put_text, read_struct, slice, slice_mut, text};
use crate::game::PlaymatGame;
use crate::handle::{self, SearchObject, Taken, VecEnvObject};
use crate::status::{PlaymatStatus, Result};
use crate::vec_buffers::{Ranges, buffers};
use crate::vec_env::PlaymatVecEnv;
use playmat_core::any::AnyLeafSearch;
use playmat_core::search::Leaves;
use playmat_core::vec::Rows;
use std::ffi::c_char;
use std::mem::offset_of;

/// As a temperature: the one of the search's spec, 0 without.
pub const PLAYMAT_SPEC_TEMPERATURE: i32 = -1;

/// Tree searches, one per row, whose network the caller evaluates. One thread at a time.
pub struct PlaymatSearch {
    _private: [u8; 0],
}

/// The sizes from which the lengths of all buffers of a search follow.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PlaymatSearchSizes {
    /// Number of searches.
    pub rows: usize,
    /// Most leaves of one search that are under way at once.
    pub leaves: usize,
    /// Rows of a leaf: 1, or P if the other players' values do not follow from one player's value: with three or more players, or if
    /// returns do not sum to zero.
    pub leaf_rows: usize,
    /// O, elements of an observation.
    pub observation_size: usize,
    /// A, actions.
    pub num_actions: usize,
}

impl Growing for PlaymatSearchSizes {
    const LEAST: usize = offset_of!(PlaymatSearchSizes, observation_size);
}

/// Where `playmat_search_collect` writes n rows. Every buffer has its complete length, or is null with length 0 to skip this output.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PlaymatLeaves {
    /// n, number of rows of the buffers: at least `leaves * leaf_rows` of PlaymatSearchSizes; `rows` times as many hold all searches.
    pub rows: usize,
    /// [n, O] observation, as bytes.
    pub obs: *mut u8,
    /// Elements of `obs`.
    pub obs_len: usize,
    /// `obs` as floats; give one of the two.
    pub obs_f32: *mut f32,
    /// Elements of `obs_f32`.
    pub obs_f32_len: usize,
    /// [n, A] legal action mask: 1 legal, 0 not. The logits of a leaf's further rows are not read: there all are 0.
    pub action_mask: *mut u8,
    /// Elements of `action_mask`.
    pub action_mask_len: usize,
    /// [n] the player who sees the observation and whose value the network must give.
    pub player: *mut i32,
    /// Elements of `player`.
    pub player_len: usize,
    /// [n] the search that it belongs to.
    pub search: *mut i32,
    /// Elements of `search`.
    pub search_len: usize,
    /// [n] the action that the greedy agent would choose as the player, for networks that read it; -1 where the player has no decision. The
    /// greedy agent of some games draws, from the stream of the search: with this output a search then finds something else than without it.
    pub greedy: *mut i64,
    /// Elements of `greedy`.
    pub greedy_len: usize,
}

impl Growing for PlaymatLeaves {
    const LEAST: usize = offset_of!(PlaymatLeaves, obs_f32);
}

buffers! {
    PlaymatLeaves as Leaves { rows } named ""
    observations { obs, obs_len, obs_f32, obs_f32_len; }
    others {
        action_mask, action_mask_len;
        player, player_len;
        search, search_len;
        greedy, greedy_len;
    }
}

fn searches(search: *const PlaymatSearch) -> Result<Taken<SearchObject>> {
    handle::take("search", search)
}

/// Writes results of all searches into the caller's memory.
///
/// # Safety
/// `out` is null or has `out_len` writable elements, which nothing else touches meanwhile.
unsafe fn write_results<T: Copy>(
    search: *mut PlaymatSearch,
    out: *mut T,
    out_len: usize,
    write: impl FnOnce(&mut dyn AnyLeafSearch, &mut [T]) -> playmat_core::error::Result<()>,
) -> PlaymatStatus {
    border(|| {
        let mut search = searches(search)?;
        // SAFETY: promised by the caller.
        let out = unsafe { slice_mut("out", out, out_len)? };
        Ok(write(&mut *search.search, out)?)
    })
}

/// Creates searches, all in rows without a search.
///
/// Searches as in AlphaZero: `playmat_search_start` begins one in a row; then repeat `playmat_search_collect`, which writes the positions that
/// the network must evaluate, of all rows at once, and `playmat_search_feed`, which takes logits and values, until nothing is
/// collected. Then `playmat_search_policy`, `playmat_search_values` and `playmat_search_actions` return the results.
///
/// Specs: "mcts:64", 64 simulations for each action, with the options `prior_temperature`, `c`, `dirichlet_alpha`, `dirichlet_fraction`,
/// `temperature`, `temperature_drop` and `max_nodes` of `playmat_agent_create`, and `threads`: with "mcts:64,threads=2" two threads share the
/// searches in `playmat_search_collect` and `playmat_search_feed`, and what the searches find stays the same. With 1 leaf at a time a search finds what the agent
/// "mcts:64,policy=policy.onnx" does with the same network and the same seed. With more, simulations under way count as lost (a virtual
/// loss).
///
/// Parameters: `game`; `spec`, `spec_len` the spec; `rows` 1 to 2,147,483,647, number of searches; `leaves` 1 to 1024, leaves of one search
/// that are under way at once; `out` receives the handle.
/// Returns: OK; INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_search_create(
    game: *const PlaymatGame,
    spec: *const c_char,
    spec_len: usize,
    rows: usize,
    leaves: usize,
    out: *mut *mut PlaymatSearch,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let (spec, out) = unsafe { (text("spec", spec, spec_len)?, Out::new("out", out)?) };
        let search = handle::game("game", game)?.leaf_search(spec, rows, leaves)?;
        out.set(handle::create(SearchObject { search })?);
        Ok(())
    })
}

/// Destroys searches.
///
/// Parameters: `search`, or null.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_search_destroy(search: *mut PlaymatSearch) -> PlaymatStatus {
    border(|| handle::destroy::<SearchObject>("search", search))
}

/// Writes the spec.
///
/// Parameters: `search`; `out`, `out_size`, `needed` as for every text output.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_search_name(
    search: *const PlaymatSearch,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    border(|| {
        let search = searches(search)?;
        // SAFETY: promised by the caller.
        unsafe { put_text(search.search.name(), out, out_size, needed) }
    })
}

/// Writes the sizes from which the lengths of all buffers follow.
///
/// Parameters: `search`; `out`, `out_size` a struct and its size, `sizeof(PlaymatSearchSizes)`.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_search_sizes(
    search: *const PlaymatSearch,
    out: *mut PlaymatSearchSizes,
    out_size: usize,
) -> PlaymatStatus {
    border(|| {
        let sizes = searches(search)?.search.sizes();
        let found = PlaymatSearchSizes {
            rows: sizes.rows,
            leaves: sizes.leaves,
            leaf_rows: sizes.leaf_rows,
            observation_size: sizes.observation,
            num_actions: sizes.actions,
        };
        // SAFETY: promised by the caller.
        unsafe { put_struct("out", out, out_size, &found) }
    })
}

/// Begins a search in a row, for an acting player of an environment. It draws its seed from the environment's random stream, as an agent
/// does, so that it repeats; nothing else of the environment changes, and the search knows only what the player knows. A search under way
/// in the row ends without result; leaves that were collected and not fed are collected anew.
///
/// Parameters: `search`; `row`; `env` of the search's game; `player` or PLAYMAT_CURRENT_PLAYER; `keep` not 0 keeps the player's tree if the
/// row has searched the same episode before: its visits then count too.
/// Returns: OK; INVALID_ARGUMENT (row; env: of another game); EPISODE_OVER; NOT_ACTING; INVALID_PLAYER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_search_start(
    search: *mut PlaymatSearch,
    row: usize,
    env: *mut PlaymatEnv,
    player: i32,
    keep: u8,
) -> PlaymatStatus {
    border(|| {
        let mut search = searches(search)?;
        let mut env = take(env)?;
        let player = env.check_player(player)?;
        Ok(search.search.start(row, &mut *env.env, player, keep != 0)?)
    })
}

/// Begins a search in every row, for the rows of a batch's action mask (joint view: N * P of them). Rows in which no player acts have no
/// search.
///
/// Parameters: `search`; `venv` of the search's game, with as many rows; `mask`, `mask_len` one byte per environment: where it is 0 there is no
/// search; null for all; `keep` as for `playmat_search_start`.
/// Returns: OK; INVALID_ARGUMENT (venv: of another game; another number of rows; mask: length); ORDER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_search_start_batch(
    search: *mut PlaymatSearch,
    venv: *mut PlaymatVecEnv,
    mask: *const u8,
    mask_len: usize,
    keep: u8,
) -> PlaymatStatus {
    border(|| {
        let mut search = searches(search)?;
        let mut venv = handle::take::<VecEnvObject>("venv", venv)?;
        // SAFETY: promised by the caller.
        let bytes = unsafe { slice("mask", mask, mask_len)? };
        let mask = (!mask.is_null()).then_some(bytes);
        Ok(search.search.start_batch(&mut *venv.venv, mask, keep != 0)?)
    })
}

/// Ends the search of a row without result. The row has no search until the next start.
///
/// Parameters: `search`; `row`.
/// Returns: OK; INVALID_ARGUMENT (row).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_search_stop(search: *mut PlaymatSearch, row: usize) -> PlaymatStatus {
    border(|| Ok(searches(search)?.search.stop(row)?))
}

/// Simulates until every search waits for the network, or is done, or there is no room for the leaves of another search. What a search
/// finds depends neither on the room nor on the other searches.
///
/// Parameters: `search`; `leaves`, `leaves_size` room for rows, and `sizeof(PlaymatLeaves)`; `cancel` or null; `count` receives the number
/// of rows, the first ones of the buffers: 0 when all searches are done. With several threads, rows beyond may be written too.
/// Returns: OK; INVALID_ARGUMENT (rows, lengths, alignment, overlap); ORDER (nothing was started; the last rows were not fed); CANCELLED:
/// nothing was written; the next call continues.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_search_collect(
    search: *mut PlaymatSearch,
    leaves: *const PlaymatLeaves,
    leaves_size: usize,
    cancel: *const PlaymatCancel,
    count: *mut usize,
) -> PlaymatStatus {
    border(|| {
        let mut search = searches(search)?;
        let mut ranges = Ranges::new();
        ranges.add("count", count, 1)?;
        // SAFETY: promised by the caller; overlaps are looked for.
        let (mut leaves, out) = unsafe {
            let given: PlaymatLeaves = read_struct("leaves", leaves, leaves_size)?;
            given.ranges(&mut ranges)?;
            (given.slices()?, Out::new("count", count)?)
        };
        if cancel.is_null() {
            out.set(search.search.collect(&mut leaves)?);
            return Ok(());
        }
        // A cancelled call has written nothing: the rows are copied when all are there.
        let cancel = Cancellation::of(cancel)?;
        let (mut bytes, mut floats) = (Vec::new(), Vec::new());
        match &leaves.obs {
            Rows::U8(given) => bytes.resize(given.len(), 0),
            Rows::F32(given) => floats.resize(given.len(), 0.0),
        }
        let mut mask = leaves.action_mask.to_vec();
        let (mut player, mut of) = (leaves.player.to_vec(), leaves.search.to_vec());
        let mut greedy = leaves.greedy.to_vec();
        let mut own = Leaves {
            rows: leaves.rows,
            obs: if floats.is_empty() { Rows::U8(&mut bytes) } else { Rows::F32(&mut floats) },
            action_mask: &mut mask,
            player: &mut player,
            search: &mut of,
            greedy: &mut greedy,
        };
        let found = search.search.collect_while(&mut own, &|| cancel.keeps_going())?;
        cancel.finish("the search")?;
        let sizes = search.search.sizes();
        let copied = found * sizes.observation;
        match &mut leaves.obs {
            Rows::U8(to) if !to.is_empty() => to[..copied].copy_from_slice(&bytes[..copied]),
            Rows::F32(to) if !to.is_empty() => to[..copied].copy_from_slice(&floats[..copied]),
            _ => {}
        }
        leaves.action_mask.copy_from_slice(&mask);
        leaves.player.copy_from_slice(&player);
        leaves.search.copy_from_slice(&of);
        leaves.greedy.copy_from_slice(&greedy);
        out.set(found);
        Ok(())
    })
}

/// Writes the number of rows that were collected and not yet fed.
///
/// Parameters: `search`; `waiting` receives the number.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_search_waiting(
    search: *const PlaymatSearch,
    waiting: *mut usize,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let out = unsafe { Out::new("waiting", waiting)? };
        out.set(searches(search)?.search.waiting());
        Ok(())
    })
}

/// Takes the network's logits and values for the n rows that were collected last.
///
/// Parameters: `search`; `logits`, `logits_len` [n, A], whose softmax over the legal actions is the prior (those of illegal actions are not
/// read); `values`, `values_len` [n], the sum of the rewards that the row's player can still expect, of the kind that the game pays.
/// Returns: OK; INVALID_ARGUMENT (lengths; a number that is read is not within -1e28 to 1e28); ORDER (nothing waits).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_search_feed(
    search: *mut PlaymatSearch,
    logits: *const f32,
    logits_len: usize,
    values: *const f32,
    values_len: usize,
) -> PlaymatStatus {
    border(|| {
        let mut search = searches(search)?;
        // SAFETY: promised by the caller.
        let (logits, values) =
            unsafe { (slice("logits", logits, logits_len)?, slice("values", values, values_len)?) };
        Ok(search.search.feed(logits, values)?)
    })
}

/// Writes the share of each action in the simulations of each search, the target of a policy in AlphaZero: 1 for a single legal action,
/// which is not searched; all 0 in rows without a search.
///
/// Parameters: `search`; `out`, `out_len` [rows, A].
/// Returns: OK; INVALID_ARGUMENT (length); ORDER (a search has not ended its first simulation).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_search_policy(
    search: *mut PlaymatSearch,
    out: *mut f32,
    out_len: usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { write_results(search, out, out_len, |search, out| search.policy(out)) }
}

/// Writes the mean return of the searching player in the simulations of each search; 0 where nothing was searched.
///
/// Parameters: `search`; `out`, `out_len` [rows].
/// Returns: OK; INVALID_ARGUMENT (length); ORDER (a search has not ended its first simulation).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_search_values(
    search: *mut PlaymatSearch,
    out: *mut f32,
    out_len: usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { write_results(search, out, out_len, |search, out| search.values(out)) }
}

/// Writes how many simulations from the root of each search chose each action, those of earlier searches that came through it included; 0
/// for a single legal action, which is not searched, and in rows without a search.
///
/// Parameters: `search`; `out`, `out_len` [rows, A].
/// Returns: OK; INVALID_ARGUMENT (length); ORDER (a search has not ended its first simulation).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_search_visits(
    search: *mut PlaymatSearch,
    out: *mut i32,
    out_len: usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { write_results(search, out, out_len, |search, out| search.visits(out)) }
}

/// Writes the mean return of the searching player in the simulations that chose each action; 0 for an action that none chose.
///
/// Parameters: `search`; `out`, `out_len` [rows, A].
/// Returns: OK; INVALID_ARGUMENT (length); ORDER (a search has not ended its first simulation).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_search_mean_returns(
    search: *mut PlaymatSearch,
    out: *mut f32,
    out_len: usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { write_results(search, out, out_len, |search, out| search.mean_returns(out)) }
}

/// Writes the prior of each action at the root of each search, with the noise; 1 for a single legal action, 0 for illegal ones and in rows without
/// a search.
///
/// Parameters: `search`; `out`, `out_len` [rows, A].
/// Returns: OK; INVALID_ARGUMENT (length); ORDER (a search has not ended its first simulation).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_search_priors(
    search: *mut PlaymatSearch,
    out: *mut f32,
    out_len: usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { write_results(search, out, out_len, |search, out| search.priors(out)) }
}

/// Writes an action for every row, 0 where there is no search.
///
/// Parameters: `search`; `temperature` 0: the most visited action, of several the one with the highest mean return; otherwise actions are
/// drawn in proportion to visits^(1 / temperature), from the search's own random stream, at most 100; PLAYMAT_SPEC_TEMPERATURE for that of
/// the spec, in each row as its `temperature_drop` has it there; `out`, `out_len` [rows].
/// Returns: OK; INVALID_ARGUMENT (temperature, length); ORDER (a search has not ended its first simulation).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_search_actions(
    search: *mut PlaymatSearch,
    temperature: f32,
    out: *mut i64,
    out_len: usize,
) -> PlaymatStatus {
    let write = |search: &mut dyn AnyLeafSearch, out: &mut [i64]| {
        let given = temperature != PLAYMAT_SPEC_TEMPERATURE as f32;
        search.actions(given.then_some(temperature), out)
    };
    // SAFETY: promised by the caller.
    unsafe { write_results(search, out, out_len, write) }
}
