//! Bots: players that live inside the engine.

#![expect(unsafe_code, reason = "exported functions; all work with pointers is in ffi.rs")]

use crate::env::{PlaymatEnv, take};
use crate::ffi::{Out, border, text};
use crate::handle;
use crate::status::PlaymatStatus;
use playmat_core::survey::Player;
use std::ffi::c_char;

/// A bot. One thread at a time.
pub struct PlaymatBot {
    _private: [u8; 0],
}

/// Builds a bot.
///
/// Parameters: `name`, `name_len` "random" or "greedy" (the game's own heuristic); `out` receives the handle, which
/// `playmat_bot_destroy` ends.
/// Returns: OK; INVALID_ARGUMENT (name); INVALID_UTF8; NULL_POINTER; TOO_MANY_HANDLES.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_bot_create(
    name: *const c_char,
    name_len: usize,
    out: *mut *mut PlaymatBot,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let (name, out) = unsafe { (text("name", name, name_len)?, Out::new("out", out)?) };
        out.set(handle::create(Player::parse(name)?)?);
        Ok(())
    })
}

/// Ends a bot. Null is nothing to destroy.
///
/// Parameters: `bot`.
/// Returns: OK; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_bot_destroy(bot: *mut PlaymatBot) -> PlaymatStatus {
    border(|| handle::destroy::<Player>("bot", bot))
}

/// The action that a bot chooses for a player who must act. It sees what the player may see; chance of its own comes from the
/// episode's seed, so that its games repeat. The episode itself does not move.
///
/// Parameters: `bot`; `env`; `player` or PLAYMAT_CURRENT_PLAYER; `action` receives its number.
/// Returns: OK; EPISODE_OVER; NOT_ACTING; INVALID_SEAT; INVALID_HANDLE; WRONG_HANDLE; HANDLE_IN_USE; NULL_POINTER.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_bot_action(
    bot: *const PlaymatBot,
    env: *mut PlaymatEnv,
    player: i32,
    action: *mut i64,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let out = unsafe { Out::new("action", action)? };
        let bot = *handle::take::<Player>("bot", bot)?;
        let mut env = take(env)?;
        let seat = env.seat(player)?;
        out.set(env.env.bot_action(seat, bot)?.0.into());
        Ok(())
    })
}
