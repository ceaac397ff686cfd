//! Recorded episodes: game, configuration, where the episode began, and its decisions, as JSON.
//!
//! ```
//! use playmat_core::replay::{Replay, record, seek};
//! # use playmat_core::env::{ConfiguredGame, Env};
//! # use playmat_core::toy::Nim;
//! # use std::sync::Arc;
//! # let nim = Arc::new(ConfiguredGame::<Nim>::new(&serde_json::Map::new())?);
//! let mut env = Env::new(nim.clone(), 7);
//! while let Some(player) = env.current_player() {
//!     let action = env.sample_action(player)?;
//!     env.step(action.0.into())?;
//! }
//! let text = record(&env)?.to_text();
//! let replay = Replay::parse(&text)?;
//! let again = seek(&nim, &replay, replay.decisions.len())?;
//! assert_eq!(again.returns(), env.returns());
//! # Ok::<(), playmat_core::error::Error>(())
//! ```

use crate::content::quoted;
use crate::env::{ConfiguredGame, Env, Origin};
use crate::error::{Error, Result};
use crate::json;
use crate::json::{hex, parse_hex};
use crate::player::Player;
use crate::rng::GENERATOR;
use crate::show::Show;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Name of the JSON form.
pub const FORMAT: &str = "playmat-replay/1";
/// Most bytes of a text: 16 MiB, four times the longest episode of any game.
pub const MAX_BYTES: usize = 1 << 24;
const WHAT: &str = "replay";

/// A recorded episode. The same build and content replay it bit for bit; another version refuses it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// [`FORMAT`].
    pub format: String,
    /// Registered name of the game.
    pub game: String,
    /// Version of the game.
    pub version: u32,
    /// Hash of the content, `0x` and 16 digits.
    pub content_hash: String,
    /// Options that differ from the defaults, the text of custom content included.
    #[serde(deserialize_with = "json::object")]
    pub options: Map<String, Value>,
    /// Name and version of the generator.
    pub generator: String,
    /// The episode's seed, `0x` and 16 digits; it dealt the first state unless `start` is given.
    pub seed: String,
    /// The complete JSON of the first state, for an episode that was loaded or sampled.
    #[serde(default, deserialize_with = "json::value_or_none", skip_serializing_if = "Option::is_none")]
    pub start: Option<Value>,
    /// The decisions in order.
    pub decisions: Vec<Decision>,
    /// The result when it was recorded.
    pub result: Outcome,
}

/// One decision of a replay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The player.
    pub player: u8,
    /// The action's number.
    pub action: u16,
    /// Its text; for people, and checked if it is there.
    #[serde(default)]
    pub text: String,
}

/// The result of a recorded episode; checked when it is replayed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// `running`, `terminated` or `truncated`.
    pub status: String,
    /// Return of each player.
    pub returns: Vec<f32>,
    /// Score of each player.
    pub scores: Vec<i32>,
}

impl Replay {
    /// Reads a replay.
    ///
    /// # Errors
    /// `Unreadable` with path, line and column, or for more than [`MAX_BYTES`]; `WrongIdentity` for another format or generator.
    pub fn parse(text: &str) -> Result<Replay> {
        json::check_size(WHAT, text.len(), MAX_BYTES)?;
        let mut reader = serde_json::Deserializer::from_str(text);
        let replay: Replay = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
            Error::Unreadable { what: WHAT, message: format!("{}: {}", error.path(), error.inner()) }
        })?;
        reader.end().map_err(|error| Error::Unreadable { what: WHAT, message: error.to_string() })?;
        let wrong = |field, found: &str, expected: &str| {
            Err(Error::WrongIdentity { what: WHAT, field, found: found.into(), expected: expected.into() })
        };
        if replay.format != FORMAT {
            return wrong("format", &replay.format, FORMAT);
        }
        if replay.generator != GENERATOR {
            return wrong("generator", &replay.generator, GENERATOR);
        }
        Ok(replay)
    }

    /// The JSON text, one decision a line.
    pub fn to_text(&self) -> String {
        let mut head = serde_json::to_value(self).expect("a replay is plain JSON");
        let map = head.as_object_mut().expect("a replay is an object");
        map.shift_remove("decisions");
        let result = map.shift_remove("result").unwrap_or_default();
        let mut text = String::from("{\n");
        for (key, value) in map.iter() {
            text.push_str(&format!("  {}: {value},\n", Value::from(key.as_str())));
        }
        text.push_str(&format!("  \"result\": {result},\n  \"decisions\": [\n"));
        for (i, decision) in self.decisions.iter().enumerate() {
            let line = serde_json::to_string(decision).expect("a decision is plain JSON");
            let comma = if i + 1 < self.decisions.len() { "," } else { "" };
            text.push_str(&format!("    {line}{comma}\n"));
        }
        text.push_str("  ]\n}\n");
        text
    }

    /// The seed as a number.
    ///
    /// # Errors
    /// `Unreadable` if it is none.
    pub fn seed(&self) -> Result<u64> {
        parse_hex(&Value::from(self.seed.as_str())).ok_or_else(|| Error::Unreadable {
            what: WHAT,
            message: format!("seed: `{}` is not `0x` and hexadecimal digits", quoted(&self.seed)),
        })
    }

    /// Refuses a replay of another game, version, content or configuration.
    pub(crate) fn check_identity<G: Show>(&self, configured: &ConfiguredGame<G>) -> Result<()> {
        let info = configured.game.info();
        let pairs = [
            ("game", self.game.clone(), info.id.to_string()),
            ("version", self.version.to_string(), info.version.to_string()),
            ("content_hash", self.content_hash.clone(), hex(info.content_hash)),
        ];
        for (field, found, expected) in pairs {
            if found != expected {
                return Err(Error::WrongIdentity { what: WHAT, field, found, expected });
            }
        }
        // Contents were compared by their hash; all other options must be equal.
        for spec in configured.specs.iter().filter(|spec| spec.name != "content") {
            let found = self.options.get(spec.name).unwrap_or(&spec.default);
            let expected = configured.options.get(spec.name);
            if found != expected {
                let [found, expected] = [found, expected].map(|value| format!("{}: {value}", spec.name));
                return Err(Error::WrongIdentity { what: WHAT, field: "options", found, expected });
            }
        }
        Ok(())
    }
}

/// Records what an environment has played since its deal or load.
///
/// # Errors
/// Only if the environment cannot be replayed from the start of its history, which would be a defect.
pub fn record<G: Show>(env: &Env<G>) -> Result<Replay> {
    let configured = env.configured();
    let info = env.info();
    let mut origin = begin(configured, env);
    let start = match env.origin() {
        Origin::Seed => None,
        Origin::State(_) => Some(origin.to_json(None)?),
    };
    let mut decisions = Vec::with_capacity(env.history().len());
    for &(player, action) in env.history() {
        let text = origin.action_text(Some(player), action.0.into())?;
        decisions.push(Decision { player: player.0, action: action.0, text });
        origin.step_player(player, action.0.into())?;
    }
    let mut options = configured.options.non_default(&configured.specs);
    Ok(Replay {
        format: FORMAT.into(),
        game: info.id.into(),
        version: info.version,
        content_hash: hex(info.content_hash),
        options: std::mem::take(options.as_object_mut().expect("options are an object")),
        generator: GENERATOR.into(),
        seed: hex(env.episode_seed()),
        start,
        decisions,
        result: Outcome {
            status: env.status().name().into(),
            returns: env.returns().to_vec(),
            scores: env.scores()[..info.players].to_vec(),
        },
    })
}

/// The environment at the start of its history.
fn begin<G: Show>(configured: &Arc<ConfiguredGame<G>>, env: &Env<G>) -> Env<G> {
    match env.origin() {
        Origin::Seed => Env::new(configured.clone(), env.episode_seed()),
        Origin::State(first) => Env::from_snapshot(configured.clone(), first.clone()),
    }
}

/// The environment of a replay after its first `decisions` decisions; playing on from there makes another episode. The whole replay is
/// played and checked for any `decisions`, so that its texts and its result are verified.
///
/// # Errors
/// `WrongIdentity`; `InvalidArgument` if the replay is shorter; `Unreadable` if a decision was not legal where it stands, has
/// another text, or the end is not as recorded.
pub fn seek<G: Show>(
    configured: &Arc<ConfiguredGame<G>>,
    replay: &Replay,
    decisions: usize,
) -> Result<Env<G>> {
    if decisions > replay.decisions.len() {
        let message = format!("got {decisions}; the replay has {} decisions", replay.decisions.len());
        return Err(Error::argument("decisions", message));
    }
    let mut env = match &replay.start {
        None => Env::new(configured.clone(), replay.seed()?),
        Some(start) => crate::save::from_json(configured, &start.to_string(), replay.seed()?)?,
    };
    let mut found = None;
    for (i, decision) in replay.decisions.iter().enumerate() {
        if i == decisions {
            found = Some(env.clone());
        }
        play(&mut env, decision).map_err(|message| Error::Unreadable {
            what: WHAT,
            message: format!("decisions[{i}]{message}"),
        })?;
    }
    check_result(&env, &replay.result)?;
    Ok(found.unwrap_or(env))
}

/// Plays one decision; says what is wrong with it.
fn play<G: Show>(env: &mut Env<G>, decision: &Decision) -> Result<(), String> {
    let player = Player(decision.player);
    let before = (!decision.text.is_empty()).then(|| env.action_text(Some(player), decision.action.into()));
    env.step_player(player, decision.action.into()).map_err(|error| format!(": {error}"))?;
    match before {
        Some(Ok(text)) if text != decision.text => {
            let given: String = decision.text.chars().take(60).collect();
            Err(format!(".text: got `{given}`; action {} is `{text}`", decision.action))
        }
        _ => Ok(()),
    }
}

/// Compares the result of a replay with what replaying gives.
fn check_result<G: Show>(env: &Env<G>, result: &Outcome) -> Result<()> {
    let given = [
        ("status", Value::from(result.status.as_str())),
        ("returns", result.returns.iter().map(|&paid| Value::from(f64::from(paid))).collect()),
        ("scores", result.scores.clone().into()),
    ];
    let must: [Value; 3] = [
        env.status().name().into(),
        env.returns().iter().map(|&paid| Value::from(f64::from(paid))).collect(),
        env.scores()[..env.info().players].to_vec().into(),
    ];
    for ((name, given), must) in given.iter().zip(&must) {
        if let Some(problem) = crate::save::difference(&format!("result.{name}"), given, must) {
            return Err(Error::Unreadable { what: WHAT, message: problem.to_string() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::Toll;
    use serde_json::json;

    fn toll(options: &Value) -> Arc<ConfiguredGame<Toll>> {
        Arc::new(ConfiguredGame::new(options.as_object().expect("an object")).expect("allowed options"))
    }

    fn recorded() -> (Arc<ConfiguredGame<Toll>>, Replay) {
        let configured = toll(&json!({}));
        let mut env = Env::new(configured.clone(), 5);
        while let Some(player) = env.current_player() {
            let action = env.sample_action(player).unwrap();
            env.step(action.0.into()).unwrap();
        }
        (configured, record(&env).unwrap())
    }

    /// The error of a changed replay, which is the same at every decision.
    #[track_caller]
    fn check(change: impl Fn(&mut Replay), part: &str) {
        let (configured, mut replay) = recorded();
        seek(&configured, &replay, 0).unwrap();
        change(&mut replay);
        for place in [0, 1, replay.decisions.len()] {
            let said = seek(&configured, &replay, place).unwrap_err().to_string();
            assert!(said.contains(part), "at {place}: {said}");
        }
    }

    #[test]
    fn conf_c10_a_changed_result_is_refused_at_every_decision() {
        check(|replay| replay.result.returns = vec![1.0, 1.0], "result.returns[");
        check(|replay| replay.result.returns.clear(), "result.returns: got []");
        check(|replay| replay.result.scores[1] += 1, "result.scores[1]: got");
        check(|replay| replay.result.status = "running".into(), "result.status: got \"running\"");
    }

    #[test]
    fn conf_c10_decisions_must_be_legal_with_matching_texts() {
        check(|replay| replay.decisions[1].text = "win".into(), "decisions[1].text: got `win`; action ");
        check(|replay| replay.decisions[1].action = 60_000, "decisions[1]: illegal action 60000");
        let (configured, mut replay) = recorded();
        replay.decisions.iter_mut().for_each(|decision| decision.text.clear());
        seek(&configured, &replay, 1).unwrap();
    }

    #[test]
    fn a_text_has_a_largest_size_and_nothing_after_it() {
        let text = recorded().1.to_text();
        let largest = format!("{text}{}", " ".repeat(MAX_BYTES - text.len()));
        Replay::parse(&largest).unwrap();
        let said = Replay::parse(&(largest + " ")).unwrap_err().to_string();
        assert_eq!(said, "cannot read replay: 16777217 bytes; allowed: 16777216");
        let said = Replay::parse(&(text + "{}")).unwrap_err().to_string();
        assert!(said.contains("trailing characters at line"), "{said}");
    }

    #[test]
    fn conf_c8_a_repeated_key_is_refused() {
        let (configured, _) = recorded();
        let env = Env::new(configured, 5).clone_with_seed(6);
        let text = record(&env).unwrap().to_text();
        for (from, to, path) in [
            (r#""state":{"#, r#""state":{"turn":0,"#, "start.state.turn: this key"),
            (r#""options": {"#, r#""options": {"players":2,"players":2"#, "options.players: this key"),
        ] {
            assert!(text.contains(from), "{text}");
            let said = Replay::parse(&text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(said.contains(&format!("replay: {path} is there twice")), "{said}");
        }
    }

    #[test]
    fn conf_c12_a_replay_of_other_options_is_refused() {
        let (_, replay) = recorded();
        let other = toll(&json!({"reward": "score"}));
        let said = replay.check_identity(&other).unwrap_err().to_string();
        assert!(
            said.contains("options is `reward: \"default\"`, this game has `reward: \"score\"`"),
            "{said}"
        );
    }
}
