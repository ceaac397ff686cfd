//! States to bytes and JSON and back. Loading validates everything; what it refuses, it refuses with all reasons.
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
//! | 36..40 | length of the body, `u32` |
//! | 40..44 | CRC-32 of bytes 0..40 and the body |
//! | 44.. | body: state, generator, seeds, counters in postcard's wire format |
//!
//! All numbers are little-endian.

use crate::env::{Configured, Env};
use crate::error::{Error, Problem, Result};
use crate::game::{Game, Status};
use crate::info::fnv1a;
use crate::reward::Rewards;
use crate::rng::{self, GENERATOR, Rng, Stream};
use crate::seat::{MAX_SEATS, Seat};
use crate::show::Show;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Version of the byte form.
pub const FORMAT: u16 = 1;
/// Name of the JSON form.
pub const JSON_FORMAT: &str = "playmat-state/1";
const MAGIC: &[u8; 4] = b"PLMT";
const HEADER: usize = 44;
const WHAT: &str = "saved state";

/// Everything of an environment but its history.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Snapshot<G: Game> {
    /// The state.
    pub state: G::State,
    /// Chance from here on.
    pub rng: Rng,
    /// Seed that later episodes are derived from.
    pub root: u64,
    /// Number of this episode among them.
    pub episode: u64,
    /// Its own seed.
    pub seed: u64,
    /// Decisions so far, of all seats.
    pub decisions: u32,
    /// Paid so far.
    pub returns: Rewards,
}

// Derived, they would be asked of the game itself.
impl<G: Game> Clone for Snapshot<G> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Game> Copy for Snapshot<G> {}

/// Header fields that must agree, with the name of each.
pub(crate) fn identity<G: Game>(table: &Configured<G>) -> [(&'static str, u64); 4] {
    let info = table.game.info();
    [
        ("game", fnv1a(info.id.as_bytes())),
        ("version", info.version.into()),
        ("content", info.content_hash),
        ("options", table.options_hash),
    ]
}

/// The byte form of an environment: state, generator, seeds, counters; not its history.
pub fn to_bytes<G: Game>(env: &Env<G>) -> Vec<u8> {
    let body = postcard::to_allocvec(&env.snapshot()).expect("plain data of bounded size always encodes");
    let [game, version, content, options] = identity(&env.table).map(|(_, value)| value);
    let mut bytes = Vec::with_capacity(HEADER + body.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&FORMAT.to_le_bytes());
    bytes.extend_from_slice(&[0, 0]);
    bytes.extend_from_slice(&game.to_le_bytes());
    bytes.extend_from_slice(&(version as u32).to_le_bytes());
    bytes.extend_from_slice(&content.to_le_bytes());
    bytes.extend_from_slice(&options.to_le_bytes());
    bytes.extend_from_slice(&(body.len() as u32).to_le_bytes());
    let checksum = checksum(&bytes, &body);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes.extend_from_slice(&body);
    bytes
}

/// CRC-32 of a header without its checksum, and a body.
fn checksum(header: &[u8], body: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(header);
    crc.update(body);
    crc.finalize()
}

/// Reads the byte form back.
///
/// # Errors
/// `Unreadable` (damaged, truncated, extended, another format), `WrongIdentity` (another game, version, content or
/// configuration), `InvalidState` (all problems).
pub fn from_bytes<G: Game>(table: &Arc<Configured<G>>, bytes: &[u8]) -> Result<Env<G>> {
    let unreadable = |message: String| Error::Unreadable { what: WHAT, message };
    if bytes.len() < HEADER {
        return Err(unreadable(format!("{} bytes are fewer than the header's {HEADER}", bytes.len())));
    }
    let (header, body) = bytes.split_at(HEADER);
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
    let found = [number(8, 16), number(16, 20), number(20, 28), number(28, 36)];
    for ((field, expected), found) in identity(table).into_iter().zip(found) {
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
    if number(36, 40) != body.len() as u64 {
        return Err(unreadable(format!("{} bytes of body; the header says {}", body.len(), number(36, 40))));
    }
    if number(40, 44) != u64::from(checksum(&header[..40], body)) {
        return Err(unreadable("the checksum is wrong: bytes were changed".into()));
    }
    let (body, rest) =
        postcard::take_from_bytes::<Snapshot<G>>(body).map_err(|error| unreadable(error.to_string()))?;
    if !rest.is_empty() {
        return Err(unreadable(format!("{} bytes too many", rest.len())));
    }
    finish(table, &body)
}

/// Checks a decoded body and makes an environment of it.
fn finish<G: Game>(table: &Arc<Configured<G>>, body: &Snapshot<G>) -> Result<Env<G>> {
    let info = table.game.info();
    let mut problems = table.game.validate(&body.state);
    if body.rng.words == [0; 4] {
        problems.push(Problem::new("rng", "all four words are zero"));
    }
    if body.decisions as usize > info.max_decisions {
        problems.push(Problem::new("decisions", format!("above the longest game, {}", info.max_decisions)));
    }
    if body.returns.iter().enumerate().any(|(i, r)| !r.is_finite() || (i >= info.players && *r != 0.0)) {
        problems.push(Problem::new("returns", "not a finite number, or paid to a seat that does not exist"));
    }
    if problems.is_empty()
        && (table.game.status(&body.state) == Status::Running) == table.game.acting(&body.state).is_empty()
    {
        problems.push(Problem::new(
            "",
            "nobody is to act although the episode runs, or somebody although it is over",
        ));
    }
    if !problems.is_empty() {
        return Err(Error::InvalidState { problems });
    }
    Ok(Env::from_snapshot(table.clone(), Arc::new(*body)))
}

/// The JSON document of an environment, for one viewer or complete.
pub(crate) fn document<G: Show>(env: &Env<G>, viewer: Option<Seat>) -> Value {
    document_of(env, viewer, &env.state, &env.rng, env.status, env.decisions, &env.returns)
}

/// The same as it was before the last step.
pub(crate) fn document_before<G: Show>(env: &Env<G>, viewer: Option<Seat>) -> Value {
    let last = env.last.as_ref().expect("only asked after a step");
    document_of(env, viewer, &last.state, &last.rng, last.status, last.decisions, &last.returns)
}

fn document_of<G: Show>(
    env: &Env<G>,
    viewer: Option<Seat>,
    state: &G::State,
    rng: &Rng,
    status: Status,
    decisions: u32,
    returns: &Rewards,
) -> Value {
    let game = &env.table.game;
    let info = game.info();
    let mut document = json!({
        "format": JSON_FORMAT,
        "game": info.id,
        "version": info.version,
        "content_hash": hex(info.content_hash),
        "options": rule_options(&env.table),
        "viewer": viewer.map(|seat| seat.0),
        "status": status_name(status),
    });
    let acting = if status == Status::Running { game.acting(state) } else { crate::seat::Seats::EMPTY };
    match viewer {
        // Who else is to act, how many decisions were made and every seed can tell something hidden.
        Some(seat) => document["to_act"] = acting.contains(seat).into(),
        None => {
            document["acting"] = acting.iter().map(|seat| seat.0).collect::<Vec<_>>().into();
            document["decisions"] = decisions.into();
            document["returns"] =
                returns[..info.players].iter().map(|&r| Value::from(f64::from(r))).collect();
            document["seed"] = hex(env.seed).into();
            document["root"] = hex(env.root).into();
            document["episode"] = env.episode.into();
            document["generator"] = GENERATOR.into();
            document["rng"] = rng.words.iter().map(|&word| Value::from(hex(word))).collect();
        }
    }
    document["state"] = game.describe(state, viewer);
    document
}

/// The options that decide how the game plays, without content text (its hash stands beside them).
pub(crate) fn rule_options<G: Game>(table: &Configured<G>) -> Value {
    let mut options = table.options.to_json();
    if let Some(map) = options.as_object_mut() {
        map.remove("reward");
        map.remove("max_steps");
        if map.contains_key("content") {
            map.insert("content".into(), table.game.info().content_name.clone().into());
        }
    }
    options
}

pub(crate) fn status_name(status: Status) -> &'static str {
    match status {
        Status::Running => "running",
        Status::Terminated => "terminated",
        Status::Truncated => "truncated",
    }
}

pub(crate) fn hex(number: u64) -> String {
    format!("0x{number:016x}")
}

pub(crate) fn parse_hex(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) => u64::from_str_radix(text.strip_prefix("0x")?, 16).ok(),
        other => other.as_u64(),
    }
}

/// The JSON form of a position as it may be given from outside: `state` alone suffices.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    format: Option<String>,
    #[serde(default)]
    game: Option<String>,
    #[serde(default)]
    version: Option<u32>,
    #[serde(default)]
    content_hash: Option<Value>,
    #[serde(default)]
    options: Option<Map<String, Value>>,
    #[serde(default)]
    viewer: Option<u8>,
    // What follows from the state is accepted and recomputed.
    #[serde(default, rename = "status")]
    _status: Option<String>,
    #[serde(default, rename = "acting")]
    _acting: Option<Vec<u8>>,
    #[serde(default)]
    to_act: Option<bool>,
    #[serde(default)]
    decisions: Option<u32>,
    #[serde(default)]
    returns: Option<Vec<f32>>,
    #[serde(default)]
    seed: Option<Value>,
    #[serde(default)]
    root: Option<Value>,
    #[serde(default)]
    episode: Option<u64>,
    #[serde(default)]
    generator: Option<String>,
    #[serde(default)]
    rng: Option<[Value; 4]>,
    state: Value,
}

/// Reads a position from JSON. Without a generator in it, chance comes from the stream of `seed`.
///
/// # Errors
/// `Unreadable` (no JSON, unknown or mistyped fields, with line, column and path), `WrongIdentity`, `InvalidState`.
pub fn from_json<G: Show>(table: &Arc<Configured<G>>, text: &str, seed: u64) -> Result<Env<G>> {
    let unreadable = |message: String| Error::Unreadable { what: WHAT, message };
    let mut reader = serde_json::Deserializer::from_str(text);
    let document: Document = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        unreadable(if path == "." { error.inner().to_string() } else { format!("{path}: {}", error.inner()) })
    })?;
    reader.end().map_err(|error| unreadable(error.to_string()))?;
    check_identity(table, &document)?;
    let number = |field: &str, value: &Option<Value>, default: u64| match value {
        None => Ok(default),
        Some(value) => parse_hex(value).ok_or_else(|| {
            let given = crate::options::shorten(value);
            unreadable(format!(
                "{field}: got {given}; expected a number below 2^64 or `0x` and hexadecimal digits"
            ))
        }),
    };
    let own_seed = number("seed", &document.seed, seed)?;
    let root = number("root", &document.root, own_seed)?;
    let mut rng = rng::stream(own_seed, Stream::Chance);
    if let Some(words) = &document.rng {
        for (word, (i, value)) in rng.words.iter_mut().zip(words.iter().enumerate()) {
            *word = number(&format!("rng[{i}]"), &Some(value.clone()), 0)?;
        }
    }
    if rng.words == [0; 4] {
        return Err(Error::InvalidState { problems: vec![Problem::new("rng", "all four words are zero")] });
    }
    let mut returns = [0.0; MAX_SEATS];
    if let Some(given) = &document.returns {
        crate::env::check_len("returns", given.len(), table.game.info().players)
            .map_err(|error| unreadable(error.to_string()))?;
        returns[..given.len()].copy_from_slice(given);
    }
    let under = |problems: Vec<Problem>| Error::InvalidState {
        problems: problems
            .into_iter()
            .map(|p| {
                let path = match p.path.as_str() {
                    "" => "state".into(),
                    path if path.starts_with('[') => format!("state{path}"),
                    path => format!("state.{path}"),
                };
                Problem::new(path, p.message)
            })
            .collect(),
    };
    let state = table.game.restore(&document.state, &mut rng).map_err(under)?;
    let episode = document.episode.unwrap_or(0);
    let decisions = document.decisions.unwrap_or(0);
    finish(table, &Snapshot { state, rng, root, episode, seed: own_seed, decisions, returns })
}

fn check_identity<G: Game>(table: &Configured<G>, document: &Document) -> Result<()> {
    let info = table.game.info();
    let wrong = |field: &'static str, found: &dyn std::fmt::Display, expected: &dyn std::fmt::Display| {
        Err(Error::WrongIdentity {
            what: WHAT,
            field,
            found: found.to_string(),
            expected: expected.to_string(),
        })
    };
    if let Some(format) = &document.format
        && format != JSON_FORMAT
    {
        return wrong("format", format, &JSON_FORMAT);
    }
    if document.viewer.is_some() || document.to_act.is_some() {
        let message =
            "it is what one player may see, not a complete state: save with `viewer` none".to_string();
        return Err(Error::Unreadable { what: WHAT, message });
    }
    if let Some(game) = &document.game
        && game != info.id
    {
        return wrong("game", game, &info.id);
    }
    if let Some(version) = document.version
        && version != info.version
    {
        return wrong("version", &version, &info.version);
    }
    if let Some(hash) = &document.content_hash
        && parse_hex(hash) != Some(info.content_hash)
    {
        return wrong("content_hash", hash, &hex(info.content_hash));
    }
    if let Some(generator) = &document.generator
        && generator != GENERATOR
    {
        return wrong("generator", generator, &GENERATOR);
    }
    if let Some(options) = &document.options {
        let expected = rule_options(table);
        for (name, found) in options {
            match expected.get(name) {
                Some(value) if value == found => {}
                Some(value) => {
                    return wrong("options", &format!("{name}: {found}"), &format!("{name}: {value}"));
                }
                None => return wrong("options", name, &"no such option"),
            }
        }
    }
    Ok(())
}
