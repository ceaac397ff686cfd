//! Replays: episodes as readable JSON.

#![expect(unsafe_code, reason = "exported functions; all work with pointers is in ffi.rs")]

use crate::env::PlaymatEnv;
use crate::env_show::tell;
use crate::ffi::{Out, border, text};
use crate::game::PlaymatGame;
use crate::handle;
use crate::status::PlaymatStatus;
use playmat_core::any::AnyGame;
use playmat_core::replay::Replay;
use std::ffi::c_char;
use std::sync::Arc;

/// In place of a number of decisions: all of them.
pub const PLAYMAT_ALL_DECISIONS: usize = usize::MAX;

/// Writes the episode of an environment as a replay: game, options, content, seed and decisions, as readable JSON.
///
/// Parameters: `env`; `out`, `out_size`, `needed` as at every text output.
/// Returns: OK; BUFFER_TOO_SMALL; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_replay(
    env: *const PlaymatEnv,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { tell(env, out, out_size, needed, |env| Ok(env.env.replay()?.to_text())) }
}

/// Builds the game of a replay, with its options and content.
///
/// Parameters: `replay`, `replay_len` JSON text of at most 16 MiB; `out` receives the handle, which `playmat_game_destroy` ends.
/// Returns: OK; UNREADABLE; WRONG_IDENTITY; UNKNOWN_GAME; INVALID_OPTION; CONTENT; INVALID_UTF8; NULL_POINTER; TOO_MANY_HANDLES.
///
/// # Safety
/// The promises at the top of the header.
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
        let game = playmat_seeds::make(&replay.game, &replay.options)?;
        // Refuses another version or content before anything is built on it.
        game.env_from_replay(&replay, 0)?;
        out.set(handle::create(Arc::<dyn AnyGame>::from(game))?);
        Ok(())
    })
}

/// The number of decisions of a replay.
///
/// Parameters: `replay`, `replay_len` JSON text and its length in bytes; `len` receives the number of decisions.
/// Returns: OK; UNREADABLE; WRONG_IDENTITY; INVALID_UTF8; NULL_POINTER.
///
/// # Safety
/// The promises at the top of the header.
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

/// The environment of a replay after its first decisions; playing on from there is a fork. The whole replay is played and checked.
///
/// Parameters: `game` the game of the replay; `replay`, `replay_len` JSON text; `decisions` how many, PLAYMAT_ALL_DECISIONS for
/// all; `out` receives the handle, which `playmat_env_destroy` ends.
/// Returns: OK; UNREADABLE; WRONG_IDENTITY; INVALID_ARGUMENT (decisions); INVALID_UTF8; INVALID_HANDLE; WRONG_HANDLE;
/// NULL_POINTER; TOO_MANY_HANDLES.
///
/// # Safety
/// The promises at the top of the header.
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
