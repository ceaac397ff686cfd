//! Bots: agents of the engine.

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

/// Creates a bot.
///
/// Parameters: `name`, `name_len` "random" or "greedy" (the game's own heuristic); `out` receives the handle.
/// Returns: OK; INVALID_ARGUMENT (name).
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

/// Destroys a bot.
///
/// Parameters: `bot`, or null.
/// Returns: OK.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_bot_destroy(bot: *mut PlaymatBot) -> PlaymatStatus {
    border(|| handle::destroy::<Player>("bot", bot))
}

/// Chooses an action for an acting player; the environment does not step. The bot knows what the player may know. Its random stream
/// comes from the episode's seed, so that its choices repeat.
///
/// Parameters: `bot`; `env`; `player` or PLAYMAT_CURRENT_PLAYER; `action` receives the action.
/// Returns: OK; EPISODE_OVER; NOT_ACTING; INVALID_PLAYER.
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
