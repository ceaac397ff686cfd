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
//! | 44.. | body: state, generator, seeds, number of decisions in postcard's wire format |
//!
//! All numbers are little-endian.

use crate::env::{Configured, Env};
use crate::error::{Error, Problem, Result};
use crate::game::{Game, Status};
use crate::info::{RewardKind, fnv1a};
use crate::json;
use crate::options::shorten;
use crate::reward::{self, Rewards};
use crate::rng::{self, GENERATOR, Rng, Stream};
use crate::seat::{Seat, Seats};
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
/// The kinds of reward, for a message.
const REWARDS: &str = "`outcome`, `score`, `score_delta`";

/// Everything of an environment but its history. What was paid so far is not among it, because it follows from the state and the
/// kind of reward that it is loaded under.
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
    let mut problems = table.game.validate(&body.state);
    if body.rng.words == [0; 4] {
        problems.push(Problem::new("rng", "all four words are zero"));
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
    let acting = if status == Status::Running { game.acting(state) } else { Seats::EMPTY };
    match viewer {
        // Who else is to act, how many decisions were made and every seed can tell something hidden.
        Some(seat) => document["to_act"] = acting.contains(seat).into(),
        None => {
            document["acting"] = acting.iter().map(|seat| seat.0).collect::<Vec<_>>().into();
            document["decisions"] = decisions.into();
            document["max_steps"] = env.table.max_steps.into();
            document["reward"] = env.table.reward.name().into();
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
    #[serde(default, deserialize_with = "json::object_or_none")]
    options: Option<Map<String, Value>>,
    #[serde(default)]
    viewer: Option<u8>,
    #[serde(default)]
    to_act: Option<bool>,
    #[serde(default)]
    decisions: Option<u32>,
    /// Options that what follows from the state was told under; the table's if they are left out.
    #[serde(default)]
    max_steps: Option<u32>,
    #[serde(default)]
    reward: Option<String>,
    // What follows from the state: may be left out, and must agree.
    #[serde(default)]
    status: Option<Value>,
    #[serde(default)]
    acting: Option<Value>,
    #[serde(default)]
    returns: Option<Value>,
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
    #[serde(deserialize_with = "json::value")]
    state: Value,
}

/// Reads a position from JSON. Without a generator in it, chance comes from the stream of `seed`.
///
/// # Errors
/// `Unreadable` (no JSON, unknown, mistyped or repeated fields, with line, column and path), `WrongIdentity`, `InvalidState`.
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
            let given = shorten(value);
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
    let first = Snapshot { state, rng, root, episode, seed: own_seed, decisions };
    let env = finish(table, &first)?;
    let problems = check_derived(table, &document, &state);
    if problems.is_empty() { Ok(env) } else { Err(Error::InvalidState { problems }) }
}

/// Compares what the document says of its state with what follows from it, under the options that it names.
fn check_derived<G: Show>(table: &Configured<G>, document: &Document, state: &G::State) -> Vec<Problem> {
    let game = &*table.game;
    let kind = document.reward.as_deref().map_or(Some(table.reward), RewardKind::parse);
    let Some(kind) = kind else {
        let given = document.reward.as_deref().unwrap_or_default();
        let message = format!("got {}; allowed: {REWARDS}", shorten(&given.into()));
        return vec![Problem::new("reward", message)];
    };
    let limit = document.max_steps.unwrap_or(table.max_steps);
    let status = match game.status(state) {
        Status::Running if limit != 0 && document.decisions.unwrap_or(0) >= limit => Status::Truncated,
        own => own,
    };
    let acting = if status == Status::Running { game.acting(state) } else { Seats::EMPTY };
    let paid = reward::up_to(game, kind, state, status);
    let returns: Value = paid[..game.info().players].iter().map(|&r| Value::from(f64::from(r))).collect();
    let follows = [
        ("status", &document.status, Value::from(status_name(status))),
        ("acting", &document.acting, acting.iter().map(|seat| seat.0).collect::<Vec<_>>().into()),
        ("returns", &document.returns, returns),
    ];
    follows.into_iter().filter_map(|(name, given, must)| difference(name, given.as_ref()?, &must)).collect()
}

/// Where a value that follows from others is not what it must be: the path of the first difference. Numbers agree as
/// 32-bit floats, so that `1` and `1.0` are alike.
pub fn difference(path: &str, given: &Value, must: &Value) -> Option<Problem> {
    match (given, must) {
        (Value::Array(given), Value::Array(must)) if given.len() == must.len() => {
            let mut pairs = given.iter().zip(must).enumerate();
            pairs.find_map(|(i, (given, must))| difference(&format!("{path}[{i}]"), given, must))
        }
        (Value::Object(given), Value::Object(must)) => {
            let other = given.keys().find(|key| !must.contains_key(*key));
            let strange = |key: &String| Problem::new(format!("{path}.{key}"), "no such field");
            let inner = |(key, must): (&String, &Value)| {
                let path = format!("{path}.{key}");
                difference(&path, given.get(key).unwrap_or(&Value::Null), must)
            };
            must.iter().find_map(inner).or_else(|| other.map(strange))
        }
        (Value::Number(given), Value::Number(must)) if same_number(given, must) => None,
        _ if given == must => None,
        _ => {
            let (given, must) = (shorten(given), shorten(must));
            let message =
                format!("got {given}; what it follows from gives {must}: leave it out, or give that");
            Some(Problem::new(path, message))
        }
    }
}

fn same_number(a: &serde_json::Number, b: &serde_json::Number) -> bool {
    let whole = !a.is_f64() && !b.is_f64();
    a == b || (!whole && a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| a as f32 == b as f32))
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
                // Contents are told apart by what they hold, not by how they were given.
                Some(_) if name == "content" && document.content_hash.is_some() => {}
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::Toll;

    fn table(options: &Value) -> Arc<Configured<Toll>> {
        Arc::new(Configured::new(options.as_object().expect("an object")).expect("allowed options"))
    }

    /// An episode under a kind of reward, after so many random decisions.
    fn played(kind: &str, decisions: usize) -> Env<Toll> {
        let mut env = Env::new(table(&json!({"reward": kind})), 7);
        for _ in 0..decisions {
            let Some(seat) = env.current_player() else { break };
            let action = env.sample_action(seat).unwrap();
            env.step(action.0.into()).unwrap();
        }
        env
    }

    const KINDS: [&str; 3] = ["outcome", "score", "score_delta"];

    #[test]
    fn conf_c15_what_was_paid_follows_the_reward_that_a_state_is_loaded_under() {
        let mut told = 0;
        for (from, to) in KINDS.iter().flat_map(|from| KINDS.iter().map(move |to| (from, to))) {
            for decisions in [0, 3, 8, 1000] {
                let (saved, truth) = (played(from, decisions), played(to, decisions));
                told += usize::from(saved.returns() != truth.returns());
                let bytes = from_bytes(truth.table(), &to_bytes(&saved)).unwrap();
                let text = saved.to_json(None).unwrap().to_string();
                let json = from_json(truth.table(), &text, 0).unwrap();
                for mut loaded in [bytes, json] {
                    assert_eq!(loaded.returns(), truth.returns(), "{from} as {to} after {decisions}");
                    let mut truth = truth.clone();
                    while let Some(seat) = truth.current_player() {
                        let action = truth.sample_action(seat).unwrap();
                        truth.step(action.0.into()).unwrap();
                        loaded.step(action.0.into()).unwrap();
                    }
                    assert_eq!(loaded.returns(), truth.returns(), "{from} as {to} at the end");
                }
            }
        }
        assert!(told > 4, "{told}: the kinds must differ for this to say anything");
    }

    /// The refusal of a document with one value changed.
    fn refusal(env: &Env<Toll>, name: &str, value: Value) -> String {
        let mut json = env.to_json(None).unwrap();
        json[name] = value;
        from_json(env.table(), &json.to_string(), 0).unwrap_err().to_string()
    }

    #[test]
    fn conf_c8_what_follows_must_agree() {
        let env = played("score_delta", 1000);
        assert_eq!(env.status(), Status::Terminated);
        let returns = env.returns().to_vec();
        let must = |text: &str| format!("what it follows from gives {text}: leave it out, or give that");
        assert!(
            refusal(&env, "status", "running".into())
                .contains(&format!("status: got \"running\"; {}", must("\"terminated\"")))
        );
        assert!(refusal(&env, "acting", json!([0])).contains(&format!("acting: got [0]; {}", must("[]"))));
        let mut other = returns.clone();
        other[1] += 1.0;
        let said = refusal(&env, "returns", json!(other));
        assert!(
            said.contains("returns[1]: got") && said.contains(&must(&format!("{:.1}", returns[1]))),
            "{said}"
        );
        assert!(refusal(&env, "returns", json!([1])).contains("returns: got [1]"));
        assert!(refusal(&env, "returns", json!("many")).contains("returns: got \"many\""));
        assert!(refusal(&env, "reward", json!("outcome")).contains("returns[0]: got"));
        assert!(
            refusal(&env, "reward", json!("money")).contains("reward: got \"money\"; allowed: `outcome`")
        );
        // All of them at once, and none of them.
        let mut json = env.to_json(None).unwrap();
        (json["status"], json["acting"], json["returns"]) = (json!(1), json!(1), json!(1));
        let said = from_json(env.table(), &json.to_string(), 0).unwrap_err().to_string();
        assert_eq!(said.lines().count(), 4, "{said}");
        for name in ["status", "acting", "returns", "reward", "max_steps"] {
            json.as_object_mut().unwrap().shift_remove(name);
        }
        let loaded = from_json(env.table(), &json.to_string(), 0).unwrap();
        assert_eq!((loaded.status(), loaded.returns()), (env.status(), env.returns()));
    }

    #[test]
    fn conf_c8_a_key_that_is_there_twice_is_refused() {
        let env = played("score", 2);
        let text = env.to_json(None).unwrap().to_string();
        let state = env.to_json(None).unwrap()["state"].to_string();
        let doubled = |from: &str, to: &str| {
            assert!(text.contains(from), "{text}");
            from_json(env.table(), &text.replacen(from, to, 1), 0).unwrap_err().to_string()
        };
        let said = doubled(r#""state":{"#, r#""state":{"turn":0,"#);
        assert!(said.contains("saved state: state.turn: this key is there twice"), "{said}");
        let said = doubled(r#""options":{"#, r#""options":{"players":2,"#);
        assert!(said.contains("saved state: options.players: this key is there twice"), "{said}");
        let said = doubled(r#""seed":"#, &format!(r#""state":{state},"seed":"#));
        assert!(said.contains("duplicate field `state`"), "{said}");
    }

    #[test]
    fn conf_c6_a_cut_episode_is_loaded_into_a_longer_game() {
        let short = table(&json!({"max_steps": 2}));
        let mut env = Env::new(short.clone(), 7);
        while let Some(seat) = env.current_player() {
            let action = env.sample_action(seat).unwrap();
            env.step(action.0.into()).unwrap();
        }
        let text = env.to_json(None).unwrap().to_string();
        assert_eq!(from_json(&short, &text, 0).unwrap().status(), Status::Truncated);
        assert_eq!(from_json(&table(&json!({})), &text, 0).unwrap().status(), Status::Running);
        assert!(refusal(&env, "max_steps", 0.into()).contains("status: got \"truncated\""));
    }
}
