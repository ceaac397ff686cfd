//! Batches of environments: sizes, observations, saves, opponents and results.

#![expect(unsafe_code, reason = "exported functions; all work with pointers is in ffi.rs")]

use crate::ffi::{
    Growing, Out, border, check_player, put_bytes, put_struct, put_text, slice, slice_mut, text,
};
use crate::game::PlaymatGame;
use crate::handle::{self, VecEnvObject};
use crate::status::{PlaymatStatus, Result};
use crate::vec_env::{PlaymatVecEnv, take};
use playmat_core::vec::{OpponentResult, Record, Results, Rows};
use serde_json::{Map, Value, json};
use std::ffi::c_char;
use std::mem::offset_of;

/// Most players of any game.
pub const PLAYMAT_MAX_PLAYERS: usize = 8;

/// The sizes from which the lengths of all buffers of a batch follow.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PlaymatSizes {
    /// N, environments.
    pub num_envs: usize,
    /// P, players.
    pub num_players: usize,
    /// A, actions.
    pub num_actions: usize,
    /// O, elements of an observation.
    pub observation_size: usize,
    /// Actions of an environment in a step, each with an observation and a mask: P in the joint view, otherwise 1.
    pub actions_per_env: usize,
}

impl Growing for PlaymatSizes {
    const LEAST: usize = offset_of!(PlaymatSizes, num_actions);
}

/// The running episode of one environment of a batch.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PlaymatVecEpisode {
    /// Seed that repeats it in `playmat_env_create`.
    pub seed: u64,
    /// Decisions of all players so far.
    pub length: u32,
    /// 1 if it is over (only with autoreset "next_step" and "disabled").
    pub over: u32,
    /// Index of the opponent that plays each player; -1 for the caller and beyond the players.
    pub opponents: [i32; PLAYMAT_MAX_PLAYERS],
}

impl Growing for PlaymatVecEpisode {
    const LEAST: usize = offset_of!(PlaymatVecEpisode, opponents);
}

/// Adds the counts of a record.
fn counts(mut table: Map<String, Value>, record: &Record) -> Map<String, Value> {
    let Record { episodes, wins, draws, losses, truncated, return_sum } = *record;
    for (name, count) in [
        ("episodes", episodes),
        ("wins", wins),
        ("draws", draws),
        ("losses", losses),
        ("truncated", truncated),
    ] {
        table.insert(name.into(), count.into());
    }
    table.insert("return_sum".into(), return_sum.into());
    table
}

/// Writes a text of a batch of environments.
///
/// # Safety
/// As the exported functions.
unsafe fn write_text(
    venv: *const PlaymatVecEnv,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
    text: impl FnOnce(&VecEnvObject) -> Result<String>,
) -> PlaymatStatus {
    border(|| {
        let text = text(&*take(venv)?)?;
        // SAFETY: promised by the caller.
        unsafe { put_text(&text, out, out_size, needed) }
    })
}

/// Writes bytes of a batch of environments.
///
/// # Safety
/// As the exported functions.
unsafe fn write_bytes(
    venv: *const PlaymatVecEnv,
    out: *mut u8,
    out_size: usize,
    needed: *mut usize,
    bytes: impl FnOnce(&VecEnvObject) -> Result<Vec<u8>>,
) -> PlaymatStatus {
    border(|| {
        let bytes = bytes(&*take(venv)?)?;
        // SAFETY: promised by the caller.
        unsafe { put_bytes(&bytes, out, out_size, needed) }
    })
}

/// Writes the observations of one player, or of all players, in every environment.
///
/// # Safety
/// As the exported functions.
unsafe fn observe<'a, T: Copy + 'a>(
    venv: *mut PlaymatVecEnv,
    player: Option<i32>,
    out: *mut T,
    out_len: usize,
    rows: fn(&'a mut [T]) -> Rows<'a>,
) -> PlaymatStatus {
    border(|| {
        let mut venv = take(venv)?;
        let players = venv.game.info().players;
        let player = player.map(|player| check_player(player, players)).transpose()?;
        // SAFETY: promised by the caller.
        let out = rows(unsafe { slice_mut("out", out, out_len)? });
        match player {
            Some(player) => venv.venv.observe(player, out)?,
            None => venv.venv.observe_all(out)?,
        }
        Ok(())
    })
}

/// Creates a new handle of the environments' game.
///
/// Parameters: `venv`; `out` receives the handle.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_game(
    venv: *const PlaymatVecEnv,
    out: *mut *mut PlaymatGame,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let out = unsafe { Out::new("out", out)? };
        let game = take(venv)?.game.clone();
        out.set(handle::create(game)?);
        Ok(())
    })
}

/// Writes the configuration as a JSON object with `num_envs`, `threads`, `view`, `dtype`, `autoreset`, `spin_us` and `first_env`.
///
/// Parameters: `venv`; `out`, `out_size`, `needed` as for every text output.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_describe(
    venv: *const PlaymatVecEnv,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    let describe = |venv: &VecEnvObject| {
        let c = venv.venv.config();
        let value = json!({
            "num_envs": c.num_envs, "threads": c.threads, "view": c.view.name(), "dtype": c.dtype.name(),
            "autoreset": c.autoreset.name(), "spin_us": c.spin_us, "first_env": c.first_env,
        });
        Ok(value.to_string())
    };
    // SAFETY: promised by the caller.
    unsafe { write_text(venv, out, out_size, needed, describe) }
}

/// Writes the sizes from which the lengths of all buffers follow.
///
/// Parameters: `venv`; `out`, `out_size` a struct and its size, `sizeof(PlaymatSizes)`.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_sizes(
    venv: *const PlaymatVecEnv,
    out: *mut PlaymatSizes,
    out_size: usize,
) -> PlaymatStatus {
    border(|| {
        let sizes = take(venv)?.venv.sizes();
        let found = PlaymatSizes {
            num_envs: sizes.envs,
            num_players: sizes.players,
            num_actions: sizes.actions,
            observation_size: sizes.observation,
            actions_per_env: sizes.lanes,
        };
        // SAFETY: promised by the caller.
        unsafe { put_struct("out", out, out_size, &found) }
    })
}

/// Writes the observation of one player in every environment, acting or not: [N, O] (dtype `u8`).
///
/// Parameters: `venv`; `player`; `out`, `out_len` exactly N * O bytes.
/// Returns: OK; INVALID_PLAYER; INVALID_ARGUMENT (length, dtype); ORDER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_observe(
    venv: *mut PlaymatVecEnv,
    player: i32,
    out: *mut u8,
    out_len: usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { observe(venv, Some(player), out, out_len, Rows::U8) }
}

/// Writes the observations of all players in every environment: [N, P, O] (dtype `u8`).
///
/// Parameters: `venv`; `out`, `out_len` exactly N * P * O bytes.
/// Returns: OK; INVALID_ARGUMENT (length, dtype); ORDER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_observe_all(
    venv: *mut PlaymatVecEnv,
    out: *mut u8,
    out_len: usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { observe(venv, None, out, out_len, Rows::U8) }
}

/// `playmat_vec_env_observe` with floats (dtype `f32`).
///
/// Parameters: `venv`; `player`; `out`, `out_len` exactly N * O floats.
/// Returns: OK; INVALID_PLAYER; INVALID_ARGUMENT (length, dtype); ORDER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_observe_f32(
    venv: *mut PlaymatVecEnv,
    player: i32,
    out: *mut f32,
    out_len: usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { observe(venv, Some(player), out, out_len, Rows::F32) }
}

/// `playmat_vec_env_observe_all` with floats (dtype `f32`).
///
/// Parameters: `venv`; `out`, `out_len` exactly N * P * O floats.
/// Returns: OK; INVALID_ARGUMENT (length, dtype); ORDER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_observe_all_f32(
    venv: *mut PlaymatVecEnv,
    out: *mut f32,
    out_len: usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { observe(venv, None, out, out_len, Rows::F32) }
}

/// Writes the state of the running episode of one environment.
///
/// Parameters: `venv`; `env` its index; `out`, `out_size` a struct and its size, `sizeof(PlaymatVecEpisode)`.
/// Returns: OK; INVALID_ARGUMENT (env); ORDER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_episode(
    venv: *const PlaymatVecEnv,
    env: usize,
    out: *mut PlaymatVecEpisode,
    out_size: usize,
) -> PlaymatStatus {
    border(|| {
        let episode = take(venv)?.venv.episode(env)?;
        let mut opponents = [-1; PLAYMAT_MAX_PLAYERS];
        for (to, &from) in opponents.iter_mut().zip(&episode.opponents) {
            *to = from;
        }
        let found = PlaymatVecEpisode {
            seed: episode.seed,
            length: episode.length,
            over: episode.over.into(),
            opponents,
        };
        // SAFETY: promised by the caller.
        unsafe { put_struct("out", out, out_size, &found) }
    })
}

/// Writes the state of one environment as bytes, for `playmat_env_load` and `playmat_vec_env_reset_states`.
///
/// Parameters: `venv`; `env` its index; `out`, `out_size`, `needed` as for every output of bytes.
/// Returns: OK; INVALID_ARGUMENT (env); ORDER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_state(
    venv: *const PlaymatVecEnv,
    env: usize,
    out: *mut u8,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { write_bytes(venv, out, out_size, needed, |venv| Ok(venv.venv.state_bytes(env)?)) }
}

/// Writes all environments as bytes for `playmat_vec_env_load`: states, random streams, episodes, results by opponent. The
/// configuration, the weights of opponents and the outputs of the last step are not saved.
///
/// Parameters: `venv`; `out`, `out_size`, `needed` as for every output of bytes.
/// Returns: OK; ORDER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_save(
    venv: *const PlaymatVecEnv,
    out: *mut u8,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { write_bytes(venv, out, out_size, needed, |venv| Ok(venv.venv.to_bytes()?)) }
}

/// Loads the bytes of `playmat_vec_env_save` of a batch of environments with the same game, configuration and opponents. Then
/// `playmat_vec_env_show` writes the batch.
///
/// Parameters: `venv`; `data`, `data_len` the bytes, at most 64 KiB for each environment and as much for the batch.
/// Returns: OK; UNREADABLE; WRONG_IDENTITY; INVALID_STATE; ORDER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_load(
    venv: *mut PlaymatVecEnv,
    data: *const u8,
    data_len: usize,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let data = unsafe { slice("data", data, data_len)? };
        Ok(take(venv)?.venv.load_bytes(data)?)
    })
}

/// Adds an agent to the pool of opponents. It plays from the next episodes on.
///
/// Parameters: `venv`; `agent`, `agent_len` its spec; `weight` its weight in draws; `index` receives its index in the pool.
/// Returns: OK; INVALID_ARGUMENT; ORDER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_add_opponent(
    venv: *mut PlaymatVecEnv,
    agent: *const c_char,
    agent_len: usize,
    weight: f64,
    index: *mut usize,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let (agent, out) = unsafe { (text("agent", agent, agent_len)?, Out::new("index", index)?) };
        let mut venv = take(venv)?;
        let agent = venv.game.agent(agent)?;
        out.set(venv.venv.add_opponent(&agent, weight)?);
        Ok(())
    })
}

/// Sets the weights of all opponents for the next episodes.
///
/// Parameters: `venv`; `weights`, `weights_len` one per opponent: finite, not negative, not all 0.
/// Returns: OK; INVALID_ARGUMENT; ORDER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_set_weights(
    venv: *mut PlaymatVecEnv,
    weights: *const f64,
    weights_len: usize,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let weights = unsafe { slice("weights", weights, weights_len)? };
        Ok(take(venv)?.venv.set_weights(weights)?)
    })
}

/// Writes the results of the ended episodes in which opponents play as a JSON object: `episodes`, `wins`, `draws`, `losses`,
/// `truncated`, `return_sum`, and `opponents`, an array of objects with `name`, `weight` and the same counts for that opponent.
///
/// Each episode counts once in the total and once for each of its opponents, so that the counts of opponents can add up to more
/// than the total. If the caller plays several players, the best result among them counts, and the mean of their returns.
///
/// Nothing is counted in a batch without opponents, except in the single-player view of a game for one. There the outputs of steps
/// have the results: `episode_return` of the rows in which an episode ended.
///
/// Parameters: `venv`; `out`, `out_size`, `needed` as for every text output.
/// Returns: OK; ORDER; INVALID_ARGUMENT (no opponents play).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_results(
    venv: *const PlaymatVecEnv,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    let table = |venv: &VecEnvObject| {
        let Results { total, opponents } = venv.venv.results()?;
        let mut table = counts(Map::new(), &total);
        let entry = |opponent: &OpponentResult| {
            let mut entry = Map::new();
            entry.insert("name".into(), opponent.name.as_str().into());
            entry.insert("weight".into(), opponent.weight.into());
            Value::Object(counts(entry, &opponent.record))
        };
        table.insert("opponents".into(), opponents.iter().map(entry).collect());
        Ok(Value::Object(table).to_string())
    };
    // SAFETY: promised by the caller.
    unsafe { write_text(venv, out, out_size, needed, table) }
}

/// Sets all results to 0.
///
/// Parameters: `venv`.
/// Returns: OK; ORDER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_vec_env_reset_results(venv: *mut PlaymatVecEnv) -> PlaymatStatus {
    border(|| Ok(take(venv)?.venv.reset_results()?))
}
