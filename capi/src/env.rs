//! Environments: one episode at a time.

#![expect(unsafe_code, reason = "exported functions; all work with pointers is in ffi.rs")]

use crate::ffi::{
    Growing, Out, PLAYMAT_CURRENT_PLAYER, apart, border, check_player, outside, put_list, put_struct, room,
    room_or_none, slice, text,
};
use crate::game::PlaymatGame;
use crate::handle::{self, EnvObject, Taken};
use crate::status::{PlaymatStatus, Result};
use playmat_core::any::{AnyEnv, AnyGame};
use playmat_core::game::Status;
use playmat_core::player::Player;
use std::ffi::c_char;
use std::mem::offset_of;
use std::sync::Arc;

/// An environment: a running episode with its random streams and history. One thread at a time.
pub struct PlaymatEnv {
    _private: [u8; 0],
}

/// Whether the episode is running, or how it ended.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaymatEpisodeStatus {
    /// At least one player acts.
    Running = 0,
    /// Ended by the rules.
    Terminated = 1,
    /// Truncated: ended by a limit.
    Truncated = 2,
}

/// The state of an environment's episode.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PlaymatEpisode {
    /// Whether it is running, or how it ended.
    pub status: PlaymatEpisodeStatus,
    /// The player who acts next in the turn view: of several, the lowest; -1 when the episode is over.
    pub current_player: i32,
    /// Bit p is set if player p acts now.
    pub acting: u32,
    /// Decisions of all players since the deal, also those before a load. After `playmat_env_sample_hidden` they count from 0.
    pub decisions: u32,
    /// Seed that repeats the episode with `playmat_env_create`. In a clone with a seed, a sampled state and a state loaded without a
    /// seed it is hashed from the seed of that call.
    pub seed: u64,
    /// Number of decisions that `playmat_env_history` writes.
    pub history_len: usize,
}

impl Growing for PlaymatEpisode {
    const LEAST: usize = offset_of!(PlaymatEpisode, seed);
}

impl EnvObject {
    fn new(game: Arc<dyn AnyGame>, env: Box<dyn AnyEnv>) -> EnvObject {
        let info = env.info();
        let (players, actions, observation) = (info.players, info.num_actions, info.observation.size());
        EnvObject { env, game, players, actions, observation, scratch: Vec::new() }
    }

    /// A player, or the one meant by [`PLAYMAT_CURRENT_PLAYER`].
    #[inline(always)]
    pub(crate) fn check_player(&self, player: i32) -> Result<Player> {
        if player != PLAYMAT_CURRENT_PLAYER {
            return check_player(player, self.players);
        }
        let last = || self.env.history().last().map_or(Player(0), |&(player, _)| player);
        Ok(self.env.acting().first().unwrap_or_else(last))
    }

    /// A viewer, or `None` for the complete view.
    pub(crate) fn viewer(&self, viewer: i32) -> Result<Option<Player>> {
        crate::ffi::viewer(viewer, self.players)
    }

    /// The player for whom a text is written: none after the end.
    pub(crate) fn reader(&self, player: i32) -> Result<Option<Player>> {
        if player == PLAYMAT_CURRENT_PLAYER {
            Ok(self.env.acting().first())
        } else {
            self.check_player(player).map(Some)
        }
    }
}

#[inline(always)]
pub(crate) fn take(env: *const PlaymatEnv) -> Result<Taken<EnvObject>> {
    handle::take("env", env)
}

/// Creates the handle of an environment.
pub(crate) fn make(game: Arc<dyn AnyGame>, env: Box<dyn AnyEnv>, out: Out<*mut PlaymatEnv>) -> Result<()> {
    out.set(handle::create(EnvObject::new(game, env))?);
    Ok(())
}

/// Creates an environment and starts the episode of a seed.
///
/// Parameters: `game`; `seed` any number; `out` receives the handle.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_create(
    game: *const PlaymatGame,
    seed: u64,
    out: *mut *mut PlaymatEnv,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let out = unsafe { Out::new("out", out)? };
        let game = handle::game("game", game)?;
        let env = game.env(seed);
        make(game, env, out)
    })
}

/// Creates an environment from the bytes of `playmat_env_save`. Its history begins here. Chance, agents and
/// `playmat_env_sample_action` continue as in the saved one.
///
/// Parameters: `game`; `data`, `data_len` the bytes, at most 64 KiB; `out` receives the handle.
/// Returns: OK; UNREADABLE (damaged, truncated, extended, too long); WRONG_IDENTITY (another game, version, content,
/// configuration); INVALID_STATE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_load(
    game: *const PlaymatGame,
    data: *const u8,
    data_len: usize,
    out: *mut *mut PlaymatEnv,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let (data, out) = unsafe { (slice("data", data, data_len)?, Out::new("out", out)?) };
        let game = handle::game("game", game)?;
        let env = game.env_from_bytes(data)?;
        make(game, env, out)
    })
}

/// Creates an environment from JSON that `playmat_env_to_json` has written for PLAYMAT_VIEW_ALL; `{"state": ...}` alone suffices.
/// Its history begins here.
///
/// The random streams that the text does not hold are hashed from `seed` and the seed in the text: those of agents and of
/// `playmat_env_sample_action`, and that of chance if the text has no generator.
///
/// Parameters: `game`; `json`, `json_len` the text, at most 1 MiB; `seed` of the streams that the text does not hold; `out`
/// receives the handle.
/// Returns: OK; UNREADABLE, WRONG_IDENTITY, INVALID_STATE (each with the path of what is wrong).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_from_json(
    game: *const PlaymatGame,
    json: *const c_char,
    json_len: usize,
    seed: u64,
    out: *mut *mut PlaymatEnv,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let (json, out) = unsafe { (text("json", json, json_len)?, Out::new("out", out)?) };
        let game = handle::game("game", game)?;
        let env = game.env_from_json(json, seed)?;
        make(game, env, out)
    })
}

/// Creates an exact copy with the same future chance: to save a position and return to it. For search use
/// `playmat_env_clone_seed`.
///
/// Parameters: `env`; `out` receives the handle.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_clone(
    env: *const PlaymatEnv,
    out: *mut *mut PlaymatEnv,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let out = unsafe { Out::new("out", out)? };
        let env = take(env)?;
        make(env.game.clone(), env.env.clone_box(), out)
    })
}

/// Creates a copy for search: the same state, but other future chance, so that search cannot look ahead. The random stream is
/// hashed from `seed` and the episode's seed; it differs from that of an episode created, loaded or sampled with `seed`.
///
/// Parameters: `env`; `seed` of the future chance; `out` receives the handle.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_clone_seed(
    env: *const PlaymatEnv,
    seed: u64,
    out: *mut *mut PlaymatEnv,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let out = unsafe { Out::new("out", out)? };
        let env = take(env)?;
        make(env.game.clone(), env.env.clone_with_seed(seed), out)
    })
}

/// Creates a determinization: an environment in a state drawn from those consistent with everything that a player knows. Chance comes
/// from a random stream hashed from `seed`. PLAYMAT_CURRENT_PLAYER is the player who acts next, or after the end the one who acted last.
///
/// The sample depends only on what the player sees and on `seed`. Its decisions count from 0, and `max_steps` counts from there. It does
/// not reveal who has chosen in a simultaneous turn: while the player must act, exactly the deciding players with lower numbers have chosen
/// in the sample; otherwise no other player has. Its game is that of `env`, with private options (hidden deck lists) replaced by what the
/// player knows of them: `playmat_env_game` gives the game that loads its saves.
///
/// Parameters: `env`; `player` or PLAYMAT_CURRENT_PLAYER; `seed` of the sample and of its future chance; `out` receives the
/// handle.
/// Returns: OK; INVALID_PLAYER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_sample_hidden(
    env: *const PlaymatEnv,
    player: i32,
    seed: u64,
    out: *mut *mut PlaymatEnv,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let out = unsafe { Out::new("out", out)? };
        let env = take(env)?;
        let drawn = env.env.sample_hidden(env.check_player(player)?, seed)?;
        let private = !env.game.private_options().is_empty();
        let game = if private { Arc::from(drawn.game()) } else { env.game.clone() };
        make(game, drawn, out)
    })
}

/// Destroys an environment.
///
/// Parameters: `env`, or null.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_destroy(env: *mut PlaymatEnv) -> PlaymatStatus {
    border(|| handle::destroy::<EnvObject>("env", env))
}

/// Creates a new handle of the environment's game.
///
/// Parameters: `env`; `out` receives the handle.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_game(
    env: *const PlaymatEnv,
    out: *mut *mut PlaymatGame,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let out = unsafe { Out::new("out", out)? };
        let game = take(env)?.game.clone();
        out.set(handle::create(game)?);
        Ok(())
    })
}

/// Starts the next episode of this environment's own sequence of episodes.
///
/// Parameters: `env`.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_reset(env: *mut PlaymatEnv) -> PlaymatStatus {
    border(|| {
        take(env)?.env.reset(None);
        Ok(())
    })
}

/// Starts the episode of a seed.
///
/// Parameters: `env`; `seed` any number.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_reset_seed(env: *mut PlaymatEnv, seed: u64) -> PlaymatStatus {
    border(|| {
        take(env)?.env.reset(Some(seed));
        Ok(())
    })
}

/// Writes the state of the running episode.
///
/// Parameters: `env`; `out`, `out_size` a struct and its size, `sizeof(PlaymatEpisode)`.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_episode(
    env: *const PlaymatEnv,
    out: *mut PlaymatEpisode,
    out_size: usize,
) -> PlaymatStatus {
    border(|| {
        let env = take(env)?;
        let env = &env.env;
        let status = match env.status() {
            Status::Running => PlaymatEpisodeStatus::Running,
            Status::Terminated => PlaymatEpisodeStatus::Terminated,
            Status::Truncated => PlaymatEpisodeStatus::Truncated,
        };
        let acting = env.acting();
        let found = PlaymatEpisode {
            status,
            current_player: acting.first().map_or(-1, |player| player.0.into()),
            acting: acting.0.into(),
            decisions: env.decisions(),
            seed: env.episode_seed(),
            history_len: env.history().len(),
        };
        // SAFETY: promised by the caller.
        unsafe { put_struct("out", out, out_size, &found) }
    })
}

/// Finds the player who acts next in the turn view: of several, the lowest; -1 when the episode is over.
///
/// Parameters: `env`; `player` receives the player.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_current_player(
    env: *const PlaymatEnv,
    player: *mut i32,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let out = unsafe { Out::new("player", player)? };
        out.set(take(env)?.env.acting().first().map_or(-1, |player| player.0.into()));
        Ok(())
    })
}

/// Plays an action of the current player.
///
/// Parameters: `env`; `action` a legal one.
/// Returns: OK; ILLEGAL_ACTION; EPISODE_OVER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_step(env: *mut PlaymatEnv, action: i64) -> PlaymatStatus {
    border(|| Ok(take(env)?.env.step(action)?))
}

/// Plays an action of the current player and writes the observation and action mask of the player who acts next. It replaces four
/// calls in a fast loop: `playmat_env_step`, `playmat_env_current_player`, `playmat_env_observation` and `playmat_env_action_mask`.
///
/// After the end of the episode the observation is that of the player who acted last, and the mask is all 0.
///
/// Parameters: `env`; `action` a legal one; `observation`, `observation_len` at least `observation_size` bytes, null with length 0
/// to skip; `mask`, `mask_len` at least `num_actions` bytes, null with length 0 to skip; `next` receives the player who acts next,
/// -1 after the end; null to skip.
/// Returns: OK; ILLEGAL_ACTION; EPISODE_OVER; BUFFER_TOO_SMALL; INVALID_ARGUMENT (overlap).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_step_into(
    env: *mut PlaymatEnv,
    action: i64,
    observation: *mut u8,
    observation_len: usize,
    mask: *mut u8,
    mask_len: usize,
    next: *mut i32,
) -> PlaymatStatus {
    border(|| {
        let mut env = take(env)?;
        let seen = (observation.cast_const(), observation_len.min(env.observation));
        apart("mask", (mask, mask_len.min(env.actions)), "observation", seen)?;
        // SAFETY: promised by the caller; what is written lies apart.
        let (seen, legal, out) = unsafe {
            let seen = room_or_none("observation", observation, observation_len, env.observation)?;
            let legal = room_or_none("mask", mask, mask_len, env.actions)?;
            (seen, legal, Out::or_none(next))
        };
        outside("next", next, "observation", (observation, seen.len()))?;
        outside("next", next, "mask", (mask, legal.len()))?;
        let next = env.env.step_into(action, seen, legal)?;
        if let Some(out) = out {
            out.set(next.map_or(-1, |player| player.0.into()));
        }
        Ok(())
    })
}

/// Plays an action of any acting player. Simultaneous actions may come in any order.
///
/// Parameters: `env`; `player` or PLAYMAT_CURRENT_PLAYER; `action` a legal one of that player.
/// Returns: OK; ILLEGAL_ACTION; NOT_ACTING; INVALID_PLAYER; EPISODE_OVER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_step_player(
    env: *mut PlaymatEnv,
    player: i32,
    action: i64,
) -> PlaymatStatus {
    border(|| {
        let mut env = take(env)?;
        let player = env.check_player(player)?;
        Ok(env.env.step_player(player, action)?)
    })
}

/// Plays the actions of all acting players at once.
///
/// Parameters: `env`; `actions`, `actions_len` one per player; entries of players who do not act are ignored.
/// Returns: OK; ILLEGAL_ACTION; EPISODE_OVER; INVALID_ARGUMENT (length).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_step_joint(
    env: *mut PlaymatEnv,
    actions: *const i64,
    actions_len: usize,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let actions = unsafe { slice("actions", actions, actions_len)? };
        Ok(take(env)?.env.step_joint(actions)?)
    })
}

/// Writes the legal action mask of a player, one byte per action: 1 legal, 0 not; all 0 for a player who does not act.
///
/// Parameters: `env`; `player` or PLAYMAT_CURRENT_PLAYER; `out`, `out_len` at least `num_actions` bytes.
/// Returns: OK; INVALID_PLAYER; BUFFER_TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_action_mask(
    env: *const PlaymatEnv,
    player: i32,
    out: *mut u8,
    out_len: usize,
) -> PlaymatStatus {
    border(|| {
        let env = take(env)?;
        // SAFETY: promised by the caller.
        let out = unsafe { room("out", out, out_len, env.actions)? };
        Ok(env.env.write_mask(env.check_player(player)?, out)?)
    })
}

/// Writes the legal actions of a player in ascending order; none for a player who does not act.
///
/// Parameters: `env`; `player` or PLAYMAT_CURRENT_PLAYER; `out`, `out_len` room for the actions (`num_actions` always suffices);
/// `count` receives their number.
/// Returns: OK; INVALID_PLAYER; BUFFER_TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_legal_actions(
    env: *const PlaymatEnv,
    player: i32,
    out: *mut i64,
    out_len: usize,
    count: *mut usize,
) -> PlaymatStatus {
    border(|| {
        let env = take(env)?;
        let legal = env.env.legal_actions(env.check_player(player)?)?;
        // SAFETY: promised by the caller.
        unsafe { put_list(legal.iter().map(|&action| action.into()), out, out_len, count) }
    })
}

/// Writes the observation of a player as bytes. If a limit has truncated the episode, it shows the position in which play would
/// continue.
///
/// Parameters: `env`; `player` any player at any time, or PLAYMAT_CURRENT_PLAYER; `out`, `out_len` at least `observation_size`
/// bytes.
/// Returns: OK; INVALID_PLAYER; BUFFER_TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_observation(
    env: *const PlaymatEnv,
    player: i32,
    out: *mut u8,
    out_len: usize,
) -> PlaymatStatus {
    border(|| {
        let env = take(env)?;
        // SAFETY: promised by the caller.
        let out = unsafe { room("out", out, out_len, env.observation)? };
        Ok(env.env.write_observation(env.check_player(player)?, out)?)
    })
}

/// Writes the observation of a player as floats in [-1, 1]: `(byte - bias) / scale` of each segment.
///
/// Parameters: `env`; `player` any player at any time, or PLAYMAT_CURRENT_PLAYER; `out`, `out_len` at least `observation_size`
/// floats.
/// Returns: OK; INVALID_PLAYER; BUFFER_TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_observation_f32(
    env: *const PlaymatEnv,
    player: i32,
    out: *mut f32,
    out_len: usize,
) -> PlaymatStatus {
    border(|| {
        let mut env = take(env)?;
        // SAFETY: promised by the caller.
        let out = unsafe { room("out", out, out_len, env.observation)? };
        let player = env.check_player(player)?;
        let EnvObject { env, observation, scratch, .. } = &mut *env;
        scratch.resize(*observation, 0);
        env.write_observation(player, scratch)?;
        env.info().observation.to_f32(scratch, out);
        Ok(())
    })
}

/// Writes the reward of each player for the last step.
///
/// Parameters: `env`; `out`, `out_len` at least one entry per player.
/// Returns: OK; BUFFER_TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_rewards(
    env: *const PlaymatEnv,
    out: *mut f32,
    out_len: usize,
) -> PlaymatStatus {
    border(|| {
        let env = take(env)?;
        // SAFETY: promised by the caller.
        let out = unsafe { room("out", out, out_len, env.players)? };
        out.copy_from_slice(env.env.rewards());
        Ok(())
    })
}

/// Writes the return of each player so far: the sum of the rewards of this episode.
///
/// Parameters: `env`; `out`, `out_len` at least one entry per player.
/// Returns: OK; BUFFER_TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_returns(
    env: *const PlaymatEnv,
    out: *mut f32,
    out_len: usize,
) -> PlaymatStatus {
    border(|| {
        let env = take(env)?;
        // SAFETY: promised by the caller.
        let out = unsafe { room("out", out, out_len, env.players)? };
        out.copy_from_slice(env.env.returns());
        Ok(())
    })
}

/// Writes the current score of each player in points of the game.
///
/// Parameters: `env`; `out`, `out_len` at least one entry per player.
/// Returns: OK; BUFFER_TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_scores(
    env: *const PlaymatEnv,
    out: *mut i32,
    out_len: usize,
) -> PlaymatStatus {
    border(|| {
        let env = take(env)?;
        // SAFETY: promised by the caller.
        let out = unsafe { room("out", out, out_len, env.players)? };
        out.copy_from_slice(&env.env.scores());
        Ok(())
    })
}

/// Draws a uniformly random legal action of an acting player, from a random stream of the episode that nothing else uses.
///
/// Parameters: `env`; `player` or PLAYMAT_CURRENT_PLAYER; `action` receives the action.
/// Returns: OK; EPISODE_OVER; NOT_ACTING; INVALID_PLAYER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_env_sample_action(
    env: *mut PlaymatEnv,
    player: i32,
    action: *mut i64,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let out = unsafe { Out::new("action", action)? };
        let mut env = take(env)?;
        let player = env.check_player(player)?;
        out.set(env.env.sample_action(player)?.0.into());
        Ok(())
    })
}
