//! Configured games.

#![expect(unsafe_code, reason = "exported functions; all work with pointers is in ffi.rs")]

use crate::cancel::{Cancellation, PlaymatCancel};
use crate::ffi::{
    Growing, Out, PLAYMAT_MAX_AXES, PLAYMAT_NAME_SIZE, apart, border, name, put_struct, put_text, shape,
    slice, slice_mut, text, text_or_none,
};
use crate::handle;
use crate::registered::games;
use crate::status::{Fault, PlaymatStatus, Result};
use crate::text::read_options;
use playmat_conformance::{KeepGoing, SuiteConfig};
use playmat_core::agent::Spec;
use playmat_core::any::AnyGame;
use playmat_core::info::RewardKind;
use playmat_core::options::{OptionSpec, is_content_text};
use playmat_core::registry;
use playmat_core::survey::reward_scale;
use serde_json::Value;
use std::ffi::c_char;
use std::mem::offset_of;
use std::sync::Arc;

/// A configured game, game and options: immutable, shared by any number of environments and threads.
pub struct PlaymatGame {
    _private: [u8; 0],
}

/// The numbers that are fixed for all episodes of a game; `playmat_game_describe` has the rest.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PlaymatGameInfo {
    /// Registered name.
    pub name: [c_char; PLAYMAT_NAME_SIZE],
    /// Version of the rules; changes exactly when behaviour does.
    pub version: u32,
    /// Number of players: players are 0 .. num_players - 1.
    pub num_players: u32,
    /// Smallest number of players of the game.
    pub min_players: u32,
    /// Largest number of players of the game.
    pub max_players: u32,
    /// Number of actions: actions are 0 .. num_actions - 1.
    pub num_actions: usize,
    /// Elements of one observation, bytes or floats.
    pub observation_size: usize,
    /// Number of segments, see `playmat_game_segment`.
    pub num_segments: usize,
    /// Number of action ranges, see `playmat_game_action_range`.
    pub num_action_ranges: usize,
    /// No episode has more decisions than this, all players together.
    pub max_decisions: usize,
    /// Bytes of one state in memory.
    pub state_size: usize,
    /// No return of a player is smaller.
    pub min_return: f32,
    /// No return of a player is larger.
    pub max_return: f32,
    /// Kind of reward: 0 outcome and 1 score at the end, 2 change of the score at every step.
    pub reward: i32,
    /// Number of decisions after which an episode is truncated; 0: never.
    pub max_steps: u32,
    /// 1 if the game has chance.
    pub chance: u8,
    /// 1 if the game has hidden information.
    pub hidden: u8,
    /// 1 if the game has simultaneous decisions.
    pub simultaneous: u8,
    /// 1 if every simultaneous turn is one joint action: each acting player chooses once, and nobody chooses again before all have.
    pub joint_actions: u8,
    /// 1 if the game lists all of its chance with probabilities; 0 if some of it is only sampled, and without chance.
    pub lists_chance: u8,
    /// 1 if the observations of a running episode tell the player's whole information state, earlier choices and events included.
    pub perfect_recall: u8,
    /// Always 0.
    pub reserved: [u8; 2],
}

impl Growing for PlaymatGameInfo {
    const LEAST: usize = offset_of!(PlaymatGameInfo, version);
}

/// A named part of an observation: float = (byte - bias) / scale, in [-1, 1].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PlaymatSegment {
    /// Name, unique in the observation.
    pub name: [c_char; PLAYMAT_NAME_SIZE],
    /// First element.
    pub offset: usize,
    /// Number of elements.
    pub len: usize,
    /// Shape, row-major, in the first `axes` entries.
    pub shape: [usize; PLAYMAT_MAX_AXES],
    /// Number of axes.
    pub axes: usize,
    /// Subtracted from each byte.
    pub bias: u32,
    /// Divides the difference.
    pub scale: u32,
}

impl Growing for PlaymatSegment {
    const LEAST: usize = offset_of!(PlaymatSegment, offset);
}

/// A contiguous range of actions with one meaning.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PlaymatActionRange {
    /// Name, such as "PLACE".
    pub name: [c_char; PLAYMAT_NAME_SIZE],
    /// First action.
    pub start: usize,
    /// Number of actions.
    pub len: usize,
    /// Shape, row-major, in the first `axes` entries.
    pub shape: [usize; PLAYMAT_MAX_AXES],
    /// Number of axes.
    pub axes: usize,
}

impl Growing for PlaymatActionRange {
    const LEAST: usize = offset_of!(PlaymatActionRange, start);
}

/// Writes a text of a game.
///
/// # Safety
/// As the exported functions.
unsafe fn write_text(
    game: *const PlaymatGame,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
    text: impl FnOnce(&dyn AnyGame) -> Result<String>,
) -> PlaymatStatus {
    border(|| {
        let text = text(&*handle::game("game", game)?)?;
        // SAFETY: promised by the caller.
        unsafe { put_text(&text, out, out_size, needed) }
    })
}

/// Marks a content text that could be taken for a name as a text: only names consist of one word.
fn content_text(given: &str) -> String {
    let of_a_word = |c: char| c.is_alphanumeric() || "_-./\\".contains(c);
    let is_name = !given.is_empty() && given.chars().all(of_a_word);
    if is_name || is_content_text(given) { given.to_owned() } else { format!("{given}\n") }
}

/// Creates a configured game: a registered game with its options and content.
///
/// There is no PlaymatCancel: the time is linear in the length of the texts, below 0.5 s for the longest.
///
/// Parameters: `name`, `name_len` a registered name; `options`, `options_len` a JSON object or TOML text of at most 1 MiB with
/// options of the game and the common ones (`reward`, and `max_steps`: 0 to 1,000,000 decisions), null for none: `option_specs` of
/// `playmat_game_describe` lists them all with their allowed values; `content`, `content_len` the text of a content file (TOML, at
/// most 256 KiB) that replaces the game's own, or the name of a built-in content, which is a single word; null for the default;
/// `out` receives the handle.
/// Returns: OK; UNKNOWN_GAME; INVALID_OPTION; CONTENT; UNREADABLE (options); INVALID_ARGUMENT (`content` given twice).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_game_create(
    name: *const c_char,
    name_len: usize,
    options: *const c_char,
    options_len: usize,
    content: *const c_char,
    content_len: usize,
    out: *mut *mut PlaymatGame,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let (name, options, content, out) = unsafe {
            (
                text("name", name, name_len)?,
                text_or_none("options", options, options_len)?,
                text_or_none("content", content, content_len)?,
                Out::new("out", out)?,
            )
        };
        let mut given = read_options("options", options.unwrap_or_default())?;
        if let Some(content) = content {
            if given.contains_key("content") {
                return Err(Fault::argument("content", "given twice: here and among the options"));
            }
            given.insert("content".into(), content_text(content).into());
        }
        out.set(handle::create(Arc::<dyn AnyGame>::from(registry::make(games(), name, &given)?))?);
        Ok(())
    })
}

/// Destroys a handle of a game. Environments created from the game are not affected.
///
/// Parameters: `game`, or null.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_game_destroy(game: *mut PlaymatGame) -> PlaymatStatus {
    border(|| handle::destroy_shared::<Arc<dyn AnyGame>>("game", game))
}

/// Writes the numbers that are fixed for all episodes.
///
/// Parameters: `game`; `out`, `out_size` a struct and its size, `sizeof(PlaymatGameInfo)`.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_game_info(
    game: *const PlaymatGame,
    out: *mut PlaymatGameInfo,
    out_size: usize,
) -> PlaymatStatus {
    border(|| {
        let game = handle::game("game", game)?;
        let info = game.info();
        let (min_return, max_return) = info.return_range(game.reward());
        let found = PlaymatGameInfo {
            name: name(info.id),
            version: info.version,
            num_players: info.players as u32,
            min_players: info.player_range.0 as u32,
            max_players: info.player_range.1 as u32,
            num_actions: info.num_actions,
            observation_size: info.observation.size(),
            num_segments: info.observation.segments.len(),
            num_action_ranges: info.actions.len(),
            max_decisions: info.max_decisions,
            state_size: game.state_size(),
            min_return,
            max_return,
            reward: RewardKind::ALL.iter().position(|&kind| kind == game.reward()).unwrap_or(0) as i32,
            max_steps: game.max_steps(),
            chance: info.chance.into(),
            hidden: info.hidden.into(),
            simultaneous: info.simultaneous.into(),
            joint_actions: info.joint_actions.into(),
            lists_chance: info.lists_chance.into(),
            perfect_recall: info.perfect_recall.into(),
            reserved: [0; 2],
        };
        // SAFETY: promised by the caller.
        unsafe { put_struct("out", out, out_size, &found) }
    })
}

/// Writes everything that is fixed for all episodes as a JSON object: titles, players, ranges of actions and segments of
/// observations with their meanings, bounds, options with their allowed values.
///
/// `content_entries` lists the cards, tiles and goals of the content: `kind`, `id`, `name`, `copies` in the game (null where they
/// depend on the episode) and `text`, what the entry is and does. `content_title` is the title that the content gives itself.
///
/// Parameters: `game`; `out`, `out_size`, `needed` as for every text output.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_game_describe(
    game: *const PlaymatGame,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { write_text(game, out, out_size, needed, |game| Ok(describe(game).to_string())) }
}

fn describe(game: &dyn AnyGame) -> Value {
    let info = game.info();
    let mut value = serde_json::to_value(info).unwrap_or_default();
    let hash = format!("0x{:016x}", info.content_hash);
    value["content_hash"] = if info.content_name.is_empty() { Value::Null } else { hash.into() };
    value["content_entries"] = serde_json::to_value(game.content_entries()).unwrap_or_default();
    value["observation_size"] = info.observation.size().into();
    value["options"] = game.options().to_json();
    value["option_specs"] = game.specs().iter().map(OptionSpec::to_json).collect();
    value["reward"] = game.reward().name().into();
    value["max_steps"] = game.max_steps().into();
    value["state_bytes"] = game.state_size().into();
    value["env_bytes"] = game.env_bytes().into();
    value
}

/// Writes a segment, a named part of the observation.
///
/// Parameters: `game`; `index` below `num_segments` of PlaymatGameInfo; `out`, `out_size` a struct and its size,
/// `sizeof(PlaymatSegment)`.
/// Returns: OK; INVALID_ARGUMENT (index).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_game_segment(
    game: *const PlaymatGame,
    index: usize,
    out: *mut PlaymatSegment,
    out_size: usize,
) -> PlaymatStatus {
    border(|| {
        let game = handle::game("game", game)?;
        let segments = &game.info().observation.segments;
        let segment = segments.get(index).ok_or_else(|| no_index(index, segments.len(), "segments"))?;
        let (shape, axes) = shape(&segment.shape);
        let found = PlaymatSegment {
            name: name(&segment.name),
            offset: segment.offset,
            len: segment.len(),
            shape,
            axes,
            bias: segment.bias.into(),
            scale: segment.scale.into(),
        };
        // SAFETY: promised by the caller.
        unsafe { put_struct("out", out, out_size, &found) }
    })
}

/// Writes a named range of actions.
///
/// Parameters: `game`; `index` below `num_action_ranges` of PlaymatGameInfo; `out`, `out_size` a struct and its size,
/// `sizeof(PlaymatActionRange)`.
/// Returns: OK; INVALID_ARGUMENT (index).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_game_action_range(
    game: *const PlaymatGame,
    index: usize,
    out: *mut PlaymatActionRange,
    out_size: usize,
) -> PlaymatStatus {
    border(|| {
        let game = handle::game("game", game)?;
        let ranges = &game.info().actions;
        let range = ranges.get(index).ok_or_else(|| no_index(index, ranges.len(), "action ranges"))?;
        let (shape, axes) = shape(&range.shape);
        let found =
            PlaymatActionRange { name: name(range.name), start: range.start, len: range.len, shape, axes };
        // SAFETY: promised by the caller.
        unsafe { put_struct("out", out, out_size, &found) }
    })
}

fn no_index(index: usize, len: usize, what: &str) -> Fault {
    Fault::argument("index", format!("got {index}; there are {len} {what}"))
}

/// Converts observations from bytes to floats in [-1, 1]: `(byte - bias) / scale` of each segment.
///
/// Parameters: `game`; `bytes`, `bytes_len` any number of observations, one after the other; `out`, `out_len` as many floats.
/// Returns: OK; INVALID_ARGUMENT (lengths, alignment, overlap).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_game_observation_f32(
    game: *const PlaymatGame,
    bytes: *const u8,
    bytes_len: usize,
    out: *mut f32,
    out_len: usize,
) -> PlaymatStatus {
    border(|| {
        let game = handle::game("game", game)?;
        let layout = &game.info().observation;
        let size = layout.size();
        if !bytes_len.is_multiple_of(size) {
            let message = format!("got {bytes_len} elements; wanted a multiple of {size}");
            return Err(Fault::argument("bytes", message));
        }
        if out_len != bytes_len {
            return Err(Fault::argument("out", format!("got {out_len} elements; wanted {bytes_len}")));
        }
        apart("out", (out.cast_const().cast(), out_len.saturating_mul(4)), "bytes", (bytes, bytes_len))?;
        // SAFETY: promised by the caller; what is written lies apart from what is read.
        let (bytes, out) = unsafe { (slice("bytes", bytes, bytes_len)?, slice_mut("out", out, out_len)?) };
        for (row, values) in bytes.chunks_exact(size).zip(out.chunks_exact_mut(size)) {
            layout.to_f32(row, values);
        }
        Ok(())
    })
}

/// Writes the text of an action without a position.
///
/// Parameters: `game`; `action` below the number of actions; `out`, `out_size`, `needed` as for every text output.
/// Returns: OK; INVALID_ARGUMENT (action).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_game_action_text(
    game: *const PlaymatGame,
    action: i64,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe { write_text(game, out, out_size, needed, |game| Ok(game.action_text(action)?)) }
}

/// Finds the action with a text, without a position.
///
/// Parameters: `game`; `text`, `text_len` as `playmat_game_action_text` writes it; `action` receives the action.
/// Returns: OK; UNKNOWN_ACTION.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_game_parse_action(
    game: *const PlaymatGame,
    text: *const c_char,
    text_len: usize,
    action: *mut i64,
) -> PlaymatStatus {
    border(|| {
        let game = handle::game("game", game)?;
        // SAFETY: promised by the caller.
        let (text, out) = unsafe { (crate::ffi::text("text", text, text_len)?, Out::new("action", action)?) };
        out.set(game.parse_action(text)?.0.into());
        Ok(())
    })
}

/// Writes checksums of observations, masks, rewards and states of the episodes of seeds 0 .. episodes - 1, as text such as
/// "27033950-e9f381ab-41b11855-d4d65bab". They are equal on every machine and in every language.
///
/// Parameters: `game`; `episodes` at most 1,000,000; `cancel` or null; `out`, `out_size`, `needed` as for every text output (36
/// bytes).
/// Returns: OK; CANCELLED; INVALID_ARGUMENT (episodes).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_game_digest(
    game: *const PlaymatGame,
    episodes: u64,
    cancel: *const PlaymatCancel,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    // SAFETY: promised by the caller.
    unsafe {
        write_text(game, out, out_size, needed, |game| {
            check_episodes(episodes, 0, MOST_PLAYED)?;
            let cancel = Cancellation::of(cancel)?;
            let digest = game.digest_while(episodes, &mut || cancel.keeps_going());
            cancel.finish("the digest")?;
            Ok(digest.to_string())
        })
    }
}

/// Most episodes of a digest, a survey or a reward scale.
const MOST_PLAYED: u64 = 1_000_000;

fn check_episodes(episodes: u64, least: u64, most: u64) -> Result<()> {
    if !(least..=most).contains(&episodes) {
        return Err(Fault::argument("episodes", format!("got {episodes}; allowed: {least} to {most}")));
    }
    Ok(())
}

/// Most episodes of the conformance suite.
const MOST_CHECKED: u64 = 1000;

/// Runs the engine's conformance suite on the game and writes its report as a JSON object: whether it `passed`, and for each check
/// its counts and failures. Use it to check games with a content of your own.
///
/// It takes seconds to minutes, and a second call runs everything again: give enough room at once (1 MiB is).
///
/// Parameters: `game`; `seed` of the whole suite, 1 by default in the other languages; `episodes` of which every position is
/// checked, at most 1000, 0 for the default; `only`, `only_len` identifiers of checks separated by commas, such as "T1,S3", null or
/// empty for all; `cancel` or null; `out`, `out_size`, `needed` as for every text output.
/// Returns: OK (also if checks failed); CANCELLED; INVALID_ARGUMENT (episodes; an unknown check: the message lists all).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_game_conformance(
    game: *const PlaymatGame,
    seed: u64,
    episodes: usize,
    only: *const c_char,
    only_len: usize,
    cancel: *const PlaymatCancel,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    let check = |game: &dyn AnyGame| {
        check_episodes(episodes as u64, 0, MOST_CHECKED)?;
        // SAFETY: promised by the caller.
        let only = unsafe { text_or_none("only", only, only_len)? };
        let names = only.filter(|names| !names.trim().is_empty()).into_iter();
        let names = names.flat_map(|names| names.split(',')).map(|name| name.trim().to_owned());
        let mut config = SuiteConfig { seed, only: names.collect(), ..SuiteConfig::default() };
        config.check_only()?;
        if episodes != 0 {
            (config.episodes, config.sweep) = (episodes, episodes * 64);
        }
        let cancel = Arc::new(Cancellation::of(cancel)?);
        let flag = cancel.clone();
        config.keep_going = KeepGoing(Some(Arc::new(move || flag.keeps_going())));
        let report = playmat_conformance::check(games(), game, &config)?;
        cancel.finish("the suite")?;
        let mut value = serde_json::to_value(&report).unwrap_or_default();
        value["passed"] = report.passed().into();
        Ok(value.to_string())
    };
    // SAFETY: promised by the caller.
    unsafe { write_text(game, out, out_size, needed, check) }
}

/// Lets agents play against each other and writes statistics of the episodes as a JSON object: decisions, scores, wins by player, how
/// often each rule, content entry and range of actions occurred, how often each action was chosen and the results of its
/// choosers.
///
/// A second call plays everything again: give enough room at once (64 KiB and 256 bytes for each action of the game are).
///
/// Parameters: `game`; `episodes` at most 1,000,000; `seed` from which the episodes' seeds are hashed; `agents`, `agents_len` specs
/// separated by commas (a piece such as "threads=2" is an option of the spec before it), at most one per player: the last one also plays
/// for the players after it; `cancel` or null; `out`, `out_size`, `needed` as for every text output.
/// Returns: OK; CANCELLED; INVALID_ARGUMENT (episodes; agents: unknown, or more than players).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_game_survey(
    game: *const PlaymatGame,
    episodes: u64,
    seed: u64,
    agents: *const c_char,
    agents_len: usize,
    cancel: *const PlaymatCancel,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    let survey = |game: &dyn AnyGame| {
        // SAFETY: promised by the caller.
        let agents = unsafe { text("agents", agents, agents_len)? };
        check_episodes(episodes, 0, MOST_PLAYED)?;
        let agents = Spec::split(agents).iter().map(|spec| game.agent(spec)).collect::<Result<Vec<_>, _>>();
        let agents = agents.map_err(|error| error.renamed("agent", "agents"))?;
        let num_players = game.info().players;
        if agents.len() > num_players {
            return Err(Fault::argument(
                "agents",
                format!("got {}; the game has {num_players} players", agents.len()),
            ));
        }
        let cancel = Cancellation::of(cancel)?;
        let survey = game.survey_while(episodes, seed, &agents, &mut || cancel.keeps_going())?;
        cancel.finish("the survey")?;
        Ok(serde_json::to_value(survey).unwrap_or_default().to_string())
    };
    // SAFETY: promised by the caller.
    unsafe { write_text(game, out, out_size, needed, survey) }
}

/// Measures the factor on rewards that gives the returns of play a standard deviation of 1; the factor is 1 if all returns are
/// equal.
///
/// `min_return` and `max_return` of PlaymatGameInfo hold for every episode, so that they can be far wider than what play reaches.
/// The factor is measured: the agents "random" and "greedy" play every other episode, each for all players, and the deviation is that
/// of all players' returns around their common mean. The same game, `episodes` and `seed` give the same factor in every language.
///
/// Parameters: `game`; `episodes` 1 to 1,000,000, 256 by default in the other languages: the relative error of the factor is about
/// 1 / sqrt(2 * episodes * players); `seed` from which the episodes' seeds are hashed; `relative` not 0 for a learner that is
/// rewarded with its return less the mean of the others' returns; `cancel` or null; `scale` receives the factor, above 0.
/// Returns: OK; CANCELLED; INVALID_ARGUMENT (episodes).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_game_reward_scale(
    game: *const PlaymatGame,
    episodes: u64,
    seed: u64,
    relative: u8,
    cancel: *const PlaymatCancel,
    scale: *mut f64,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let out = unsafe { Out::new("scale", scale)? };
        let game = handle::game("game", game)?;
        check_episodes(episodes, 1, MOST_PLAYED)?;
        let cancel = Cancellation::of(cancel)?;
        let scale = reward_scale(&*game, episodes, seed, relative != 0, &mut || cancel.keeps_going());
        cancel.finish("the measurement")?;
        out.set(scale);
        Ok(())
    })
}
