//! Replays: episodes as readable JSON.

#![expect(unsafe_code, reason = "exported functions; all work with pointers is in ffi.rs")]

use crate::env::PlaymatEnv;
use crate::env_show::write_text;
use crate::ffi::{Out, border, text};
use crate::game::PlaymatGame;
use crate::handle;
use crate::registered::games;
use crate::status::PlaymatStatus;
use playmat_core::any::AnyGame;
use playmat_core::registry;
use playmat_core::replay::Replay;
use std::ffi::c_char;
use std::sync::Arc;

/// As a number of decisions: all of them.
pub const PLAYMAT_ALL_DECISIONS: usize = usize::MAX;

/// Writes the episode of an environment as a replay: game, options, content, seed and decisions, as readable JSON.
///
/// Parameters: `env`; `out`, `out_size`, `needed` as for every text output.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_replay(
    env: *const PlaymatEnv,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { write_text(env, out, out_size, needed, |env| Ok(env.env.replay()?.to_text())) }
}

/// Creates the configured game of a replay.
///
/// Parameters: `replay`, `replay_len` JSON text of at most 16 MiB; `out` receives the handle.
/// Returns: OK; UNREADABLE; WRONG_IDENTITY; UNKNOWN_GAME; INVALID_OPTION; CONTENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_game_from_replay(
    replay: *const c_char,
    replay_len: usize,
    out: *mut *mut PlaymatGame,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let (replay, out) = unsafe { (text("replay", replay, replay_len)?, Out::new("out", out)?) };
        let replay = Replay::parse(replay)?;
        let game = registry::make(games(), &replay.game, &replay.options)?;
        // Refuses another version or content before anything is built on it.
        game.env_from_replay(&replay, 0)?;
        out.set(handle::create(Arc::<dyn AnyGame>::from(game))?);
        Ok(())
    })
}

/// Counts the decisions of a replay.
///
/// Parameters: `replay`, `replay_len` JSON text; `len` receives the number of decisions.
/// Returns: OK; UNREADABLE; WRONG_IDENTITY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_replay_len(
    replay: *const c_char,
    replay_len: usize,
    len: *mut usize,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let (replay, out) = unsafe { (text("replay", replay, replay_len)?, Out::new("len", len)?) };
        out.set(Replay::parse(replay)?.decisions.len());
        Ok(())
    })
}

/// Creates the environment of a replay after its first decisions. Steps from there lead to another episode. The whole replay is played and
/// checked.
///
/// Parameters: `game` the game of the replay; `replay`, `replay_len` JSON text; `decisions` how many, PLAYMAT_ALL_DECISIONS for
/// all; `out` receives the handle.
/// Returns: OK; UNREADABLE; WRONG_IDENTITY; INVALID_ARGUMENT (decisions).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_from_replay(
    game: *const PlaymatGame,
    replay: *const c_char,
    replay_len: usize,
    decisions: usize,
    out: *mut *mut PlaymatEnv,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let (replay, out) = unsafe { (text("replay", replay, replay_len)?, Out::new("out", out)?) };
        let game = handle::game("game", game)?;
        let replay = Replay::parse(replay)?;
        let decisions = if decisions == PLAYMAT_ALL_DECISIONS { replay.decisions.len() } else { decisions };
        let env = game.env_from_replay(&replay, decisions)?;
        crate::env::make(game, env, out)
    })
}
