//! Positions from JSON: all problems are reported at once, as far as one part can be read without another.

use super::fields::{Fields, Found, items, typed};
use super::{JSON_FORMAT, REWARDS, WHAT, problems_of};
use crate::env::{ConfiguredGame, Env, Snapshot, Streams};
use crate::error::{Error, Problem, Result};
use crate::game::{Game, Status};
use crate::info::RewardKind;
use crate::json::{self, hex, parse_hex};
use crate::options::shorten;
use crate::player::Players;
use crate::reward;
use crate::rng::{self, GENERATOR, Rng, Stream};
use crate::show::Show;
use serde_json::{Map, Value};
use std::sync::Arc;

/// The JSON form of a position as callers give it: `state` alone suffices.
struct Document {
    format: Option<String>,
    game: Option<String>,
    version: Option<u32>,
    content_hash: Option<Value>,
    options: Option<Map<String, Value>>,
    viewer: Option<u8>,
    to_act: Option<bool>,
    decisions: Option<u32>,
    /// Options under which the derived fields were written; those of the configured game if they are left out.
    max_steps: Option<u32>,
    reward: Option<String>,
    // Derived from the state: may be left out, and must agree.
    status: Option<Value>,
    acting: Option<Value>,
    returns: Option<Value>,
    seed: Option<u64>,
    root: Option<u64>,
    episode: Option<u64>,
    /// Number of nested samples that led to the state.
    sampled: Option<u32>,
    generator: Option<String>,
    rng: Option<[u64; 4]>,
    state: Option<Value>,
}

impl Document {
    /// Reads every field, and reports all missing, mistyped and unknown fields at once.
    fn read(json: &Value) -> (Document, Found) {
        let any = |_: &str, value: &Value, _: &mut Found| Some(value.clone());
        let mut fields = Fields::of(json);
        let document = Document {
            format: fields.may("format", typed),
            game: fields.may("game", typed),
            version: fields.may("version", typed),
            content_hash: fields.may("content_hash", any),
            options: fields.may("options", typed),
            viewer: fields.may("viewer", typed),
            status: fields.may("status", any),
            acting: fields.may("acting", any),
            to_act: fields.may("to_act", typed),
            decisions: fields.may("decisions", typed),
            max_steps: fields.may("max_steps", typed),
            reward: fields.may("reward", typed),
            returns: fields.may("returns", any),
            seed: fields.may("seed", word),
            root: fields.may("root", word),
            episode: fields.may("episode", typed),
            sampled: fields.may("sampled", typed),
            generator: fields.may("generator", typed),
            rng: fields.may("rng", words),
            state: fields.need("state", any),
        };
        (document, fields.finish())
    }
}

/// A number of 64 bits.
fn word(path: &str, value: &Value, found: &mut Found) -> Option<u64> {
    let number = parse_hex(value);
    if number.is_none() {
        let given = shorten(value);
        let message = format!("got {given}; expected a number below 2^64 or `0x` and hexadecimal digits");
        found.push(Problem::new(path, message));
    }
    number
}

/// The words of a generator, not all zero.
fn words(path: &str, value: &Value, found: &mut Found) -> Option<[u64; 4]> {
    let list = items(path, value, found, word)?;
    let words = <[u64; 4]>::try_from(list);
    match words {
        Ok(words) if words != [0; 4] => return Some(words),
        Ok(_) => found.push(Problem::new(path, "all four words are zero")),
        Err(list) => found.push(Problem::new(path, format!("has {} words; expected 4", list.len()))),
    }
    None
}

/// Reads a position from JSON. Random streams that the text does not hold (those of `sample_action` and agents, and chance if there is no
/// generator) are hashed from `seed` and from the seed in the text, if there is one.
///
/// # Errors
/// `Unreadable` (no JSON, repeated fields, with line, column and path; what one player may see), `WrongIdentity`, `InvalidState`
/// (all that is unknown, missing, mistyped or impossible, each with its path).
pub fn from_json<G: Show>(configured: &Arc<ConfiguredGame<G>>, text: &str, seed: u64) -> Result<Env<G>> {
    let whole = Value::Object(json::read_object(WHAT, text)?);
    let (document, mut problems) = Document::read(&whole);
    check_identity(configured, &document)?;
    let fresh = rng::load_seed(seed, document.seed);
    let own_seed = document.seed.unwrap_or(fresh);
    let mut rng = document.rng.map_or_else(|| rng::stream(fresh, Stream::Chance), |words| Rng { words });
    let restored = match &document.state {
        None => None,
        Some(state) => match configured.game.restore(state, &mut rng) {
            Ok(state) => Some(state),
            Err(found) => {
                problems.extend(found.into_iter().map(|problem| problem.under("state")));
                None
            }
        },
    };
    let (decisions, episode) = (document.decisions.unwrap_or(0), document.episode.unwrap_or(0));
    let Some(state) = restored else {
        problems.extend(super::beyond(configured.game.info(), decisions, episode));
        return Err(Error::impossible(problems));
    };
    let root = document.root.unwrap_or(own_seed);
    let sampled = document.sampled.unwrap_or(0);
    let first = Snapshot { state, rng, root, episode, seed: own_seed, decisions, sampled };
    problems.extend(problems_of(configured, &first));
    problems.extend(check_derived(configured, &document, &state));
    if problems.is_empty() {
        let mut env = Env::from_snapshot(configured.clone(), Arc::new(first));
        env.streams = Streams::of(fresh);
        Ok(env)
    } else {
        Err(Error::impossible(problems))
    }
}

/// Compares the derived fields of the document with those computed from its state, under the options that it names.
fn check_derived<G: Show>(
    configured: &ConfiguredGame<G>,
    document: &Document,
    state: &G::State,
) -> Vec<Problem> {
    let game = &*configured.game;
    let kind = document.reward.as_deref().map_or(Some(configured.reward), RewardKind::parse);
    let Some(kind) = kind else {
        let given = document.reward.as_deref().unwrap_or_default();
        let message = format!("got {}; allowed: {REWARDS}", shorten(&given.into()));
        return vec![Problem::new("reward", message)];
    };
    let limit = document.max_steps.unwrap_or(configured.max_steps);
    let decisions = document.decisions.unwrap_or(0);
    let cut_before = document.max_steps.filter(|&limit| limit != 0 && decisions > limit);
    let status = match game.status(state) {
        Status::Running if limit != 0 && decisions >= limit => Status::Truncated,
        own => own,
    };
    let acting = if status == Status::Running { game.acting(state) } else { Players::EMPTY };
    let paid = reward::up_to(game, kind, state, status);
    let returns: Value = paid[..game.info().players].iter().map(|&r| Value::from(f64::from(r))).collect();
    let follows = [
        ("status", &document.status, Value::from(status.name())),
        ("acting", &document.acting, acting.iter().map(|player| player.0).collect::<Vec<_>>().into()),
        ("returns", &document.returns, returns),
    ];
    let differs = follows.iter().filter_map(|(name, given, must)| difference(name, given.as_ref()?, must));
    let beyond = |limit| {
        Problem::new("decisions", format!("got {decisions}; `max_steps` {limit} ends the episode before"))
    };
    cut_before.map(beyond).into_iter().chain(differs).collect()
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

fn check_identity<G: Game>(configured: &ConfiguredGame<G>, document: &Document) -> Result<()> {
    let info = configured.game.info();
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
            "it is what one player may see; only JSON in which nothing is hidden can be loaded".to_string();
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
        let expected = configured.rule_options();
        for (name, found) in options {
            match expected.get(name) {
                // Contents are compared by their text, not by the name under which they were given.
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
