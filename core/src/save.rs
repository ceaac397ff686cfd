//! States to bytes and JSON and back. Loading validates everything; an error lists all reasons.
//!
//! # The byte form (stable within one `FORMAT`)
//! | bytes | what |
//! |---|---|
//! | 0..4 | magic `PLMT` |
//! | 4..6 | format, `u16` |
//! | 6..8 | reserved, 0 |
//! | 8..16 | FNV-1a of the game's name |
//! | 16..20 | version of the game, `u32` |
//! | 20..28 | hash of its content |
//! | 28..36 | hash of its options |
//! | 36..40 | length of the options, `u32` |
//! | 40..44 | length of the body, `u32` |
//! | 44..48 | CRC-32 of bytes 0..44, the options and the body |
//! | 48.. | options that influence play, as JSON in the order of their declaration |
//! | then | body: state, generator, seeds, number of decisions in postcard's wire format |
//!
//! This is the position: environments in equal positions have equal bytes here ([`position`]). The last [`STREAMS`] bytes follow:
//! | bytes | what |
//! |---|---|
//! | 0..4 | magic `PLMS` |
//! | 4..36 | generator of `sample_action`, four words |
//! | 36..68 | generator of the agents, four words |
//! | 68..76 | clones made in the episode without a seed, `u64` |
//! | 76..80 | nested samples that led to the state, `u32` |
//! | 80..84 | CRC-32 of bytes 0..80 and of the position's checksum |
//!
//! All numbers are little-endian. Format 1 had no options, only their hash. A save without streams, or with shorter ones, is from an older
//! build and is refused.
//!
//! ```
//! use playmat_core::save;
//! # use playmat_core::env::{ConfiguredGame, Env};
//! # use playmat_core::toy::Nim;
//! # use std::sync::Arc;
//! # let nim = Arc::new(ConfiguredGame::<Nim>::new(&serde_json::Map::new())?);
//! let mut env = Env::new(nim.clone(), 7);
//! let bytes = save::to_bytes(&env);
//! let mut again = save::from_bytes(&nim, &bytes)?;
//! assert_eq!(again.state(), env.state());
//! // A changed byte is found.
//! let mut damaged = bytes.clone();
//! *damaged.last_mut().expect("a saved state has bytes") ^= 1;
//! assert!(save::from_bytes(&nim, &damaged).is_err());
//! # Ok::<(), playmat_core::error::Error>(())
//! ```

mod fields;
mod read;
#[cfg(test)]
mod tests;

pub use read::{difference, from_json};

use crate::env::{ConfiguredGame, Env, Snapshot, Streams};
use crate::error::{Error, Problem, Result};
use crate::game::{Game, Status};
use crate::info::{GameInfo, fnv1a};
use crate::json::{self, hex};
use crate::player::{Player, Players};
use crate::reward::Rewards;
use crate::rng::{GENERATOR, Rng};
use crate::show::Show;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Version of the byte form.
pub const FORMAT: u16 = 2;
/// Largest number of an episode in its stream.
pub const MAX_EPISODE: u64 = i64::MAX as u64;
/// Name of the JSON form.
pub const JSON_FORMAT: &str = "playmat-state/1";
/// Bytes of the streams at the end of the byte form.
pub const STREAMS: usize = 84;
/// Bytes of them before their checksum.
const SUMMED: usize = STREAMS - 4;
/// Most bytes of a saved episode, and of each environment of a saved batch: 64 KiB. States have a few KiB.
pub const MAX_BYTES: usize = 1 << 16;
const MAGIC: &[u8; 4] = b"PLMT";
const STREAMS_MAGIC: &[u8; 4] = b"PLMS";
const HEADER: usize = 48;
const WHAT: &str = "saved state";
/// The kinds of reward, for a message.
const REWARDS: &str = "`outcome`, `score`, `score_delta`";

impl Streams {
    /// The bytes after a position with this checksum and `sampled` nested samples.
    fn to_bytes(self, sampled: u32, checksum: [u8; 4]) -> [u8; STREAMS] {
        let mut bytes = [0; STREAMS];
        bytes[..4].copy_from_slice(STREAMS_MAGIC);
        for (place, word) in
            bytes[4..68].chunks_exact_mut(8).zip(self.sample.words.iter().chain(&self.agents.words))
        {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes[68..76].copy_from_slice(&self.clones.to_le_bytes());
        bytes[76..SUMMED].copy_from_slice(&sampled.to_le_bytes());
        let sum = streams_checksum(&bytes[..SUMMED], checksum);
        bytes[SUMMED..].copy_from_slice(&sum);
        bytes
    }

    /// Reads what [`Streams::to_bytes`] wrote.
    fn read(bytes: &[u8; STREAMS], checksum: [u8; 4]) -> std::result::Result<(Streams, u32), String> {
        if &bytes[..4] != STREAMS_MAGIC {
            return Err(format!("its last {STREAMS} bytes do not begin with `PLMS`"));
        }
        if bytes[SUMMED..] != streams_checksum(&bytes[..SUMMED], checksum) {
            return Err("the checksum of its streams is wrong: bytes were changed".into());
        }
        let word = |k: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[4 + 8 * k..][..8]);
            u64::from_le_bytes(word)
        };
        let [sample, agents] = [0, 4].map(|first| Rng { words: std::array::from_fn(|k| word(first + k)) });
        if [sample, agents].iter().any(|rng| rng.words == [0; 4]) {
            return Err("all four words of a stream are zero".into());
        }
        let sampled = u32::from_le_bytes(*bytes[..SUMMED].last_chunk().expect("there are more"));
        Ok((Streams { sample, agents, clones: word(8) }, sampled))
    }
}

fn streams_checksum(streams: &[u8], position: [u8; 4]) -> [u8; 4] {
    let mut crc = crc32fast::Hasher::new();
    crc.update(streams);
    crc.update(&position);
    crc.finalize().to_le_bytes()
}

/// Header fields that must agree, with the name of each.
pub(crate) fn identity<G: Game>(configured: &ConfiguredGame<G>) -> [(&'static str, u64); 4] {
    let info = configured.game.info();
    [
        ("game", fnv1a(info.id.as_bytes())),
        ("version", info.version.into()),
        ("content", info.content_hash),
        ("options", configured.options_hash),
    ]
}

/// The byte form of an environment: its position (state, generator, seeds, counters), the streams of `sample_action` and of agents, and the
/// counts from which clones and samples derive their streams; not its history.
pub fn to_bytes<G: Game>(env: &Env<G>) -> Vec<u8> {
    let mut bytes = position_of(env);
    bytes.extend_from_slice(&env.streams.to_bytes(env.sampled, checksum_of(&bytes)));
    bytes
}

/// The bytes of [`to_bytes`] without the streams: equal for environments in equal positions, whatever their random streams of samples and
/// agents.
pub fn position(saved: &[u8]) -> &[u8] {
    &saved[..saved.len().saturating_sub(STREAMS)]
}

/// The streams in what [`to_bytes`] wrote.
#[doc(hidden)]
pub fn streams_of(saved: &[u8]) -> Streams {
    let streams = saved.last_chunk().expect("a save is longer than its streams");
    let position = checksum_of(position(saved));
    Streams::read(streams, position).expect("as it was written").0
}

/// The same save with 0 nested samples.
#[doc(hidden)]
pub fn as_played(saved: &[u8]) -> Vec<u8> {
    let mut bytes = position(saved).to_vec();
    let streams = streams_of(saved).to_bytes(0, checksum_of(&bytes));
    bytes.extend_from_slice(&streams);
    bytes
}

/// The bytes of a position.
pub(crate) fn position_of<G: Game>(env: &Env<G>) -> Vec<u8> {
    let body = postcard::to_allocvec(&env.snapshot()).expect("plain data of bounded size always encodes");
    let [game, version, content, options] = identity(&env.configured).map(|(_, value)| value);
    let text = env.configured.options_text.as_bytes();
    let mut bytes = Vec::with_capacity(HEADER + text.len() + body.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&FORMAT.to_le_bytes());
    bytes.extend_from_slice(&[0, 0]);
    bytes.extend_from_slice(&game.to_le_bytes());
    bytes.extend_from_slice(&(version as u32).to_le_bytes());
    bytes.extend_from_slice(&content.to_le_bytes());
    bytes.extend_from_slice(&options.to_le_bytes());
    bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
    close(bytes, text, &body)
}

/// Closes a header with the length of a body and the checksum, and appends options and body.
fn close(mut header: Vec<u8>, options: &[u8], body: &[u8]) -> Vec<u8> {
    header.extend_from_slice(&(body.len() as u32).to_le_bytes());
    let checksum = checksum(&header, options, body);
    header.extend_from_slice(&checksum.to_le_bytes());
    header.extend_from_slice(options);
    header.extend_from_slice(body);
    header
}

/// CRC-32 of a header without its checksum, options and a body.
fn checksum(header: &[u8], options: &[u8], body: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(header);
    crc.update(options);
    crc.update(body);
    crc.finalize()
}

/// The checksum in the header of a position.
fn checksum_of(position: &[u8]) -> [u8; 4] {
    position[44..48].try_into().expect("four bytes")
}

/// Header with options, and body, of what [`to_bytes`] wrote.
fn body_at(saved: &[u8]) -> usize {
    let length: [u8; 4] = saved[36..40].try_into().expect("four bytes");
    HEADER + u32::from_le_bytes(length) as usize
}

/// The body of what [`to_bytes`] wrote.
pub fn body_of(saved: &[u8]) -> &[u8] {
    &position(saved)[body_at(saved)..]
}

/// The bytes of [`to_bytes`] with another body, and with a length and checksum that fit it: for suites and fuzzers.
pub fn with_body(saved: &[u8], body: &[u8]) -> Vec<u8> {
    let mut bytes = close(saved[..40].to_vec(), &saved[HEADER..body_at(saved)], body);
    let mut streams = [0; STREAMS];
    streams.copy_from_slice(&saved[saved.len() - STREAMS..]);
    let sum = streams_checksum(&streams[..SUMMED], checksum_of(&bytes));
    streams[SUMMED..].copy_from_slice(&sum);
    bytes.extend_from_slice(&streams);
    bytes
}

/// Reads the byte form back.
///
/// # Errors
/// `Unreadable` (damaged, truncated, extended, longer than [`MAX_BYTES`], another format), `WrongIdentity` (another game, version, content or
/// configuration), `InvalidState` (all problems).
pub fn from_bytes<G: Game>(configured: &Arc<ConfiguredGame<G>>, bytes: &[u8]) -> Result<Env<G>> {
    let unreadable = |message: String| Error::Unreadable { what: WHAT, message };
    json::check_size(WHAT, bytes.len(), MAX_BYTES)?;
    if bytes.len() < HEADER {
        return Err(unreadable(format!("{} bytes are fewer than the header's {HEADER}", bytes.len())));
    }
    let (header, rest) = bytes.split_at(HEADER);
    if &header[..4] != MAGIC {
        return Err(unreadable("it does not begin with `PLMT`".into()));
    }
    let number = |from: usize, to: usize| {
        let mut value = [0; 8];
        value[..to - from].copy_from_slice(&header[from..to]);
        u64::from_le_bytes(value)
    };
    if number(4, 6) != u64::from(FORMAT) || number(6, 8) != 0 {
        return Err(unreadable(format!(
            "format {}.{}; this build reads format {FORMAT}.0",
            number(4, 6),
            number(6, 8)
        )));
    }
    let found = [number(8, 16), number(16, 20), number(20, 28)];
    for ((field, expected), found) in identity(configured).into_iter().zip(found) {
        if found != expected {
            let show = |n: u64| if field == "version" { n.to_string() } else { format!("{n:016x}") };
            return Err(Error::WrongIdentity {
                what: WHAT,
                field,
                found: show(found),
                expected: show(expected),
            });
        }
    }
    let said = number(36, 40) + number(40, 44);
    if rest.len() as u64 == said {
        return Err(unreadable(format!(
            "it ends without the {STREAMS} bytes of streams: an older build saved it"
        )));
    }
    let Some((body, streams)) =
        rest.split_last_chunk::<STREAMS>().filter(|(body, _)| body.len() as u64 == said)
    else {
        let got = rest.len();
        return Err(unreadable(format!(
            "{got} bytes after the header, which says {said} of options and body, before {STREAMS} of streams"
        )));
    };
    let (options, body) = body.split_at(number(36, 40) as usize);
    if number(44, 48) != u64::from(checksum(&header[..44], options, body)) {
        return Err(unreadable("the checksum is wrong: bytes were changed".into()));
    }
    let (streams, sampled) = Streams::read(streams, checksum_of(header)).map_err(unreadable)?;
    check_options(WHAT, configured, number(28, 36), options)?;
    let (mut body, rest) =
        postcard::take_from_bytes::<Snapshot<G>>(body).map_err(|error| unreadable(error.to_string()))?;
    body.sampled = sampled;
    if !rest.is_empty() {
        return Err(unreadable(format!("{} bytes too many", rest.len())));
    }
    let mut env = finish(configured, &body)?;
    env.streams = streams;
    Ok(env)
}

/// Refuses options that differ from those of the configured game, with name and values. `hash` and `text` are the saved ones.
pub(crate) fn check_options<G: Game>(
    what: &'static str,
    configured: &ConfiguredGame<G>,
    hash: u64,
    text: &[u8],
) -> Result<()> {
    if (hash, text) == (configured.options_hash, configured.options_text.as_bytes()) {
        return Ok(());
    }
    Err(option_difference(what, &configured.own_options(), text))
}

/// What [`check_options`] refuses. Without the type of the game, so that it is compiled once.
fn option_difference(what: &'static str, expected: &Map<String, Value>, text: &[u8]) -> Error {
    let unreadable = |message: &str| Error::Unreadable { what, message: message.into() };
    let Ok(found) = serde_json::from_slice::<Map<String, Value>>(text) else {
        return unreadable("its options are no JSON object");
    };
    for name in expected.keys().chain(found.keys()) {
        let (found, expected) = (found.get(name), expected.get(name));
        if found != expected {
            let show = |value: Option<&Value>| match value {
                Some(value) => format!("{name}: {value}"),
                None => format!("no {name}"),
            };
            return Error::WrongIdentity {
                what,
                field: "options",
                found: show(found),
                expected: show(expected),
            };
        }
    }
    unreadable("its options and their hash disagree")
}

/// Validates a decoded body and builds an environment from it.
fn finish<G: Game>(configured: &Arc<ConfiguredGame<G>>, body: &Snapshot<G>) -> Result<Env<G>> {
    let problems = problems_of(configured, body);
    if !problems.is_empty() {
        return Err(Error::impossible(problems));
    }
    Ok(Env::from_snapshot(configured.clone(), Arc::new(*body)))
}

/// Everything that is wrong with a saved episode.
fn problems_of<G: Game>(configured: &ConfiguredGame<G>, body: &Snapshot<G>) -> Vec<Problem> {
    let mut problems: Vec<Problem> =
        configured.game.validate(&body.state).into_iter().map(|problem| problem.under("state")).collect();
    let sound = problems.is_empty();
    if body.rng.words == [0; 4] {
        problems.push(Problem::new("rng", "all four words are zero"));
    }
    problems.extend(beyond(configured.game.info(), body.decisions, body.episode));
    if sound
        && (configured.game.status(&body.state) == Status::Running)
            == configured.game.acting(&body.state).is_empty()
    {
        problems.push(Problem::new(
            "state",
            "no player must act although the episode runs, or a player must act although it is over",
        ));
    }
    problems
}

/// Problems of counts that no episode of the game reaches.
pub(crate) fn beyond(info: &GameInfo, decisions: u32, episode: u64) -> Vec<Problem> {
    let mut problems = Vec::new();
    if decisions as usize > info.max_decisions {
        let message = format!("got {decisions}; no episode has more than {}", info.max_decisions);
        problems.push(Problem::new("decisions", message));
    }
    if episode > MAX_EPISODE {
        problems.push(Problem::new("episode", format!("got {episode}; allowed: 0 to {MAX_EPISODE}")));
    }
    problems
}

/// The JSON document of an environment, for one viewer or complete.
pub(crate) fn document<G: Show>(env: &Env<G>, viewer: Option<Player>) -> Value {
    document_of(env, viewer, &env.state, &env.rng, env.status, env.decisions, &env.returns)
}

/// The same as it was before the last step.
pub(crate) fn document_before<G: Show>(env: &Env<G>, viewer: Option<Player>) -> Value {
    let last = env.last.as_ref().expect("only called after a step");
    document_of(env, viewer, &last.state, &last.rng, last.status, last.decisions, &last.returns)
}

fn document_of<G: Show>(
    env: &Env<G>,
    viewer: Option<Player>,
    state: &G::State,
    rng: &Rng,
    status: Status,
    decisions: u32,
    returns: &Rewards,
) -> Value {
    let game = &env.configured.game;
    let info = game.info();
    let mut document = json!({
        "format": JSON_FORMAT,
        "game": info.id,
        "version": info.version,
        "content_hash": hex(info.content_hash),
        "options": env.configured.rule_options(),
        "viewer": viewer.map(|player| player.0),
        "status": status.name(),
    });
    let acting = if status == Status::Running { game.acting(state) } else { Players::EMPTY };
    match viewer {
        // The other acting players, the number of decisions and every seed can reveal hidden information.
        Some(player) => {
            document["to_act"] = acting.contains(player).into();
            if let Some(options) = document["options"].as_object_mut() {
                options.retain(|name, _| !game.private_options().contains(&name.as_str()));
            }
        }
        None => {
            document["acting"] = acting.iter().map(|player| player.0).collect::<Vec<_>>().into();
            document["decisions"] = decisions.into();
            document["max_steps"] = env.configured.max_steps.into();
            document["reward"] = env.configured.reward.name().into();
            document["returns"] =
                returns[..info.players].iter().map(|&r| Value::from(f64::from(r))).collect();
            document["seed"] = hex(env.seed).into();
            document["root"] = hex(env.root).into();
            document["episode"] = env.episode.into();
            // A played state has no such field.
            if env.sampled != 0 {
                document["sampled"] = env.sampled.into();
            }
            document["generator"] = GENERATOR.into();
            document["rng"] = rng.words.iter().map(|&word| Value::from(hex(word))).collect();
        }
    }
    document["state"] = game.describe(state, viewer);
    document
}
