//! Environments: JSON, events, drawings, texts of actions, saves.

#![expect(unsafe_code, reason = "exported functions; all work with pointers is in ffi.rs")]

use crate::env::{PlaymatEnv, make, take};
use crate::ffi::{Out, apart, border, check_player, put_bytes, put_list, put_text, room, slice};
use crate::game::PlaymatGame;
use crate::handle::{self, EnvObject};
use crate::status::{Fault, PlaymatStatus, Result};
use playmat_core::player::Action;
use serde_json::{Value, json};
use std::ffi::c_char;

/// Writes a text of an environment.
///
/// # Safety
/// As the exported functions.
pub(crate) unsafe fn write_text(
    env: *const PlaymatEnv,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
    text: impl FnOnce(&EnvObject) -> Result<String>,
) -> PlaymatStatus {
    border(|| {
        let text = text(&*take(env)?)?;
        // SAFETY: promised by the caller.
        unsafe { put_text(&text, out, out_size, needed) }
    })
}

/// Writes bytes of an environment.
///
/// # Safety
/// As the exported functions.
unsafe fn write_bytes(
    env: *const PlaymatEnv,
    out: *mut u8,
    out_size: usize,
    needed: *mut usize,
    bytes: impl FnOnce(&EnvObject) -> Result<Vec<u8>>,
) -> PlaymatStatus {
    border(|| {
        let bytes = bytes(&*take(env)?)?;
        // SAFETY: promised by the caller.
        unsafe { put_bytes(&bytes, out, out_size, needed) }
    })
}

/// One decision of a history.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PlaymatDecision {
    /// The player who decided.
    pub player: i32,
    /// The action.
    pub action: i32,
}

/// Width and height of a picture.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PlaymatPictureSize {
    /// Pixels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// Pictures as pixels, if the library was built with them.
mod raster {
    use crate::status::Result;
    #[cfg(not(feature = "raster"))]
    use playmat_core::error::Error;

    #[cfg(feature = "raster")]
    fn own(width: u32) -> Option<u32> {
        (width != 0).then_some(width)
    }

    #[cfg(feature = "raster")]
    pub(super) fn png(svg: &str, width: u32) -> Result<Vec<u8>> {
        Ok(playmat_core::raster::png(svg, own(width))?)
    }

    #[cfg(feature = "raster")]
    pub(super) fn rgb(svg: &str, width: u32) -> Result<(u32, u32, Vec<u8>)> {
        let image = playmat_core::raster::rgb(svg, own(width))?;
        Ok((image.width as u32, image.height as u32, image.data))
    }

    #[cfg(not(feature = "raster"))]
    pub(super) fn png(_: &str, _: u32) -> Result<Vec<u8>> {
        Err(Error::MissingFeature("raster").into())
    }

    #[cfg(not(feature = "raster"))]
    pub(super) fn rgb(_: &str, _: u32) -> Result<(u32, u32, Vec<u8>)> {
        Err(Error::MissingFeature("raster").into())
    }
}

/// Writes the decisions since the deal, or since the state that was loaded, sampled or cloned with a seed.
///
/// Parameters: `env`; `out`, `out_len` room for `history_len` of PlaymatEpisode; `count` receives their number.
/// Returns: OK; BUFFER_TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_history(
    env: *const PlaymatEnv,
    out: *mut PlaymatDecision,
    out_len: usize,
    count: *mut usize,
) -> PlaymatStatus {
    border(|| {
        let env = take(env)?;
        let history = env.env.history();
        let list = history
            .iter()
            .map(|&(player, action)| PlaymatDecision { player: player.0.into(), action: action.0.into() });
        // SAFETY: promised by the caller.
        unsafe { put_list(list, out, out_len, count) }
    })
}

/// Writes state, random streams and seeds as bytes, for `playmat_env_load` of the same build, game and content. The last 84 bytes
/// hold the random streams of agents and of `playmat_env_sample_action`; the bytes before them are equal in equal positions.
///
/// Parameters: `env`; `out`, `out_size`, `needed` as for every output of bytes.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_save(
    env: *const PlaymatEnv,
    out: *mut u8,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { write_bytes(env, out, out_size, needed, |env| Ok(env.env.to_bytes())) }
}

/// Writes the position as JSON without white space, for a host to draw.
///
/// The object has `format`, `game`, `version`, `content_hash`, `options`; `status` ("running", "terminated", "truncated"); `state`,
/// an object with everything in the game by name, redacted for the viewer: what the viewer may not know is absent, null or only
/// counted. JSON for a player also has `viewer` and `to_act` (whether the viewer must act). JSON for PLAYMAT_VIEW_ALL also has what
/// `playmat_env_from_json` needs; only this one can be loaded.
///
/// Parameters: `env`; `viewer` a player or PLAYMAT_VIEW_ALL; `out`, `out_size`, `needed` as for every text output.
/// Returns: OK; INVALID_PLAYER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_to_json(
    env: *const PlaymatEnv,
    viewer: i32,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe {
        write_text(env, out, out_size, needed, |env| Ok(env.env.to_json(env.viewer(viewer)?)?.to_string()))
    }
}

/// Writes what the last step changed as a JSON array of events in order, redacted for the viewer, for a host to animate.
///
///   {"event": "dropped", "player": 0, "cell": "D3", "text": "Player 0 drops a disc to D3.",
///    "changes": [{"op": "replace", "path": "/state/board/3", "value": "...x..."}]}
///
/// `event` is the kind, a word of the game; `player` is the one whom it is about, absent if it is not about one. Other fields
/// depend on the kind. `text` is the event as a sentence, made of its fields alone, so that it tells the viewer no more; hosts may
/// replace "player 0" by a name. `changes` is a JSON Patch (RFC 6902) with the operations "add", "remove" and "replace". All
/// patches in order turn the JSON of `playmat_env_to_json` for the same viewer before the step into the JSON after it. A last event
/// "update" without `text` has the changes that belong to no other event, such as whether the viewer must act. Events that the
/// viewer may not know of are absent.
///
/// After a reset and before the first step these are the events of the deal. Their `changes` are empty, because there is no JSON
/// before the deal. Before the first step of a state that was loaded, sampled or cloned with a seed the array is empty.
///
/// Parameters: `env`; `viewer` a player or PLAYMAT_VIEW_ALL; `out`, `out_size`, `needed` as for every text output.
/// Returns: OK; INVALID_PLAYER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_events(
    env: *const PlaymatEnv,
    viewer: i32,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe {
        write_text(env, out, out_size, needed, |env| {
            Ok(Value::Array(env.env.events(env.viewer(viewer)?)?).to_string())
        })
    }
}

/// Writes the key of a player's information state: 128 bits over everything that the player has seen and chosen since the deal.
///
/// Two histories have equal keys exactly if the player cannot tell them apart. The key is the same on every platform, in every language and
/// in every version of the library with the same version of the game. A call replays what was played since the last call for the player. Clones and
/// `playmat_env_load_with_history` from a deal keep it; `playmat_env_sample_hidden` keeps that of its player. For the other players of a
/// sample, and in a loaded state, the information state begins with what the player sees there.
///
/// Parameters: `env`; `player` any player, or PLAYMAT_CURRENT_PLAYER; `out` receives the low and the high 64 bits; `out_len` at least 2.
/// Returns: OK; INVALID_PLAYER; BUFFER_TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_information_state_key(
    env: *const PlaymatEnv,
    player: i32,
    out: *mut u64,
    out_len: usize,
) -> PlaymatStatus {
    border(|| {
        let env = take(env)?;
        let player = env.check_player(player)?;
        // SAFETY: promised by the caller.
        let out = unsafe { room("out", out, out_len, 2)? };
        let key = env.env.information_state_key(player)?;
        out.copy_from_slice(&[key as u64, (key >> 64) as u64]);
        Ok(())
    })
}

/// Writes a player's information state as a JSON object.
///
/// Its fields are `game`, `version`, `content_hash`, `options`, `player`, `key` (`0x` and 32 digits), `start` (the first view: `status`,
/// `to_act`, `state`), `seen`, a list of the player's own choices (`choice`, `text`) and of the events that the player saw, as
/// `playmat_env_events` writes them, and `now`, the present view. The `changes` of an event lead from the state after the event before to
/// the state after this one.
///
/// Parameters: `env`; `player` any player, or PLAYMAT_CURRENT_PLAYER; `out`, `out_size`, `needed` as for every text output.
/// Returns: OK; INVALID_PLAYER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_information_state(
    env: *const PlaymatEnv,
    player: i32,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe {
        write_text(env, out, out_size, needed, |env| {
            Ok(env.env.information_state(env.check_player(player)?)?.to_string())
        })
    }
}

/// Draws the position as text for a terminal.
///
/// Parameters: `env`; `viewer` a player or PLAYMAT_VIEW_ALL; `out`, `out_size`, `needed` as for every text output.
/// Returns: OK; INVALID_PLAYER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_draw_text(
    env: *const PlaymatEnv,
    viewer: i32,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { write_text(env, out, out_size, needed, |env| Ok(env.env.draw_text(env.viewer(viewer)?)?)) }
}

/// Draws the position as an SVG image.
///
/// Parameters: `env`; `viewer` a player or PLAYMAT_VIEW_ALL; `out`, `out_size`, `needed` as for every text output.
/// Returns: OK; INVALID_PLAYER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_draw_svg(
    env: *const PlaymatEnv,
    viewer: i32,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { write_text(env, out, out_size, needed, |env| Ok(env.env.draw_svg(env.viewer(viewer)?)?)) }
}

/// Draws the position as a PNG image.
///
/// Every call draws again: give enough room at once (256 KiB is for most games at their default width).
///
/// Parameters: `env`; `viewer` a player or PLAYMAT_VIEW_ALL; `width` in pixels, 1 to 16,384, 0 for the default; `out`, `out_size`,
/// `needed` as for every output of bytes.
/// Returns: OK; INVALID_PLAYER; INVALID_ARGUMENT (width, or too little memory for it); MISSING_FEATURE (a library built without
/// `raster`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_draw_png(
    env: *const PlaymatEnv,
    viewer: i32,
    width: u32,
    out: *mut u8,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe {
        write_bytes(env, out, out_size, needed, |env| {
            raster::png(&env.env.draw_svg(env.viewer(viewer)?)?, width)
        })
    }
}

/// Draws the position as pixels: red, green and blue, a byte each, row by row from the top.
///
/// Every call draws again. Pictures of the same game, options and width have the same size.
///
/// Parameters: `env`; `viewer` a player or PLAYMAT_VIEW_ALL; `width` in pixels, 1 to 16,384, 0 for the default; `pixels`,
/// `pixels_size`, `needed` as for every output of bytes: 3 * width * height; `size` receives width and height, also with
/// BUFFER_TOO_SMALL.
/// Returns: OK; INVALID_PLAYER; INVALID_ARGUMENT (width, or too little memory for it); MISSING_FEATURE (a library built without
/// `raster`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_draw_rgb(
    env: *const PlaymatEnv,
    viewer: i32,
    width: u32,
    pixels: *mut u8,
    pixels_size: usize,
    needed: *mut usize,
    size: *mut PlaymatPictureSize,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let out = unsafe { Out::new("size", size)? };
        let place = (size.cast_const().cast(), size_of::<PlaymatPictureSize>());
        apart("size", place, "pixels", (pixels, pixels_size))?;
        apart("size", place, "needed", (needed.cast_const().cast(), size_of::<usize>()))?;
        let env = take(env)?;
        let (width, height, data) = raster::rgb(&env.env.draw_svg(env.viewer(viewer)?)?, width)?;
        // SAFETY: promised by the caller.
        let done = unsafe { put_bytes(&data, pixels, pixels_size, needed) };
        if !matches!(done, Err(Fault::Border(PlaymatStatus::NullPointer, _))) {
            out.set(PlaymatPictureSize { width, height });
        }
        done
    })
}

/// Writes the text of an action in this position.
///
/// Parameters: `env`; `player` for whom, or PLAYMAT_CURRENT_PLAYER; `action` below the number of actions; `out`, `out_size`,
/// `needed` as for every text output.
/// Returns: OK; INVALID_ARGUMENT (action); INVALID_PLAYER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_action_text(
    env: *const PlaymatEnv,
    player: i32,
    action: i64,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe {
        write_text(env, out, out_size, needed, |env| Ok(env.env.action_text(env.reader(player)?, action)?))
    }
}

/// Writes what a legal action would do, as far as the player knows: the text of its card, whether it busts. The text is empty for
/// actions that need no explanation and for actions that are not legal now.
///
/// Parameters: `env`; `player` for whom, or PLAYMAT_CURRENT_PLAYER; `action` below the number of actions; `out`, `out_size`,
/// `needed` as for every text output.
/// Returns: OK; INVALID_ARGUMENT (action); INVALID_PLAYER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_action_help(
    env: *const PlaymatEnv,
    player: i32,
    action: i64,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe {
        write_text(env, out, out_size, needed, |env| {
            Ok(env.env.action_help(env.check_player(player)?, action)?)
        })
    }
}

/// Finds the action with a text in this position.
///
/// Parameters: `env`; `player` for whom, or PLAYMAT_CURRENT_PLAYER; `text`, `text_len` as `playmat_env_action_text` writes it;
/// `action` receives the action.
/// Returns: OK; UNKNOWN_ACTION; INVALID_PLAYER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_parse_action(
    env: *const PlaymatEnv,
    player: i32,
    text: *const c_char,
    text_len: usize,
    action: *mut i64,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let (text, out) = unsafe { (crate::ffi::text("text", text, text_len)?, Out::new("action", action)?) };
        let env = take(env)?;
        out.set(env.env.parse_action(env.reader(player)?, text)?.0.into());
        Ok(())
    })
}

/// Writes what is wrong with the state as a JSON array of objects with `path` and `message`. It is empty in every state that play
/// reaches.
///
/// Parameters: `env`; `out`, `out_size`, `needed` as for every text output.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_validate(
    env: *const PlaymatEnv,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    let list = |env: &EnvObject| {
        let problems = env.env.validate();
        let list: Value = problems.iter().map(|p| json!({"path": p.path, "message": p.message})).collect();
        Ok(list.to_string())
    };
    // SAFETY: promised by the caller.
    unsafe { write_text(env, out, out_size, needed, list) }
}

/// Writes the bytes of the state with which the history begins, for `playmat_env_load_with_history`. There are none if the history
/// begins with the deal of the episode's seed.
///
/// Parameters: `env`; `out`, `out_size`, `needed` as for every output of bytes.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_start(
    env: *const PlaymatEnv,
    out: *mut u8,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { write_bytes(env, out, out_size, needed, |env| Ok(env.env.start_bytes().unwrap_or_default())) }
}

/// Creates an environment from the bytes of `playmat_env_save` and the decisions before it, so that its history, its replay and the
/// events of its last step are those of the saved one.
///
/// Parameters: `game`; `data`, `data_len` the bytes of `playmat_env_save`; `start`, `start_len` the bytes of `playmat_env_start`;
/// `history`, `history_len` the decisions of `playmat_env_history`; `out` receives the handle.
/// Returns: OK; UNREADABLE; WRONG_IDENTITY; INVALID_STATE; INVALID_ARGUMENT (the decisions do not lead to the state);
/// ILLEGAL_ACTION; NOT_ACTING; INVALID_PLAYER; EPISODE_OVER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_load_with_history(
    game: *const PlaymatGame,
    data: *const u8,
    data_len: usize,
    start: *const u8,
    start_len: usize,
    history: *const PlaymatDecision,
    history_len: usize,
    out: *mut *mut PlaymatEnv,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let (data, start, history, out) = unsafe {
            (
                slice("data", data, data_len)?,
                slice("start", start, start_len)?,
                slice("history", history, history_len)?,
                Out::new("out", out)?,
            )
        };
        let game = handle::game("game", game)?;
        let players = game.info().players;
        let mut decisions = Vec::new();
        for decision in history {
            let Ok(action) = u16::try_from(decision.action) else {
                return Err(Fault::argument(
                    "history",
                    format!("no action has the number {}", decision.action),
                ));
            };
            decisions.push((check_player(decision.player, players)?, Action(action)));
        }
        let start = (!start.is_empty()).then_some(start);
        let env = game.env_with_history(data, start, &decisions)?;
        make(game, env, out)
    })
}
