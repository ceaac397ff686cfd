//! The configuration of a batch as bindings receive it: named values, all optional.

use crate::agent::Spec;
use crate::error::{Error, Result};
use crate::player::Player;
use crate::vec::config::{Autoreset, Learners, ObsType, Role, VecConfig, View, check_weights};
use serde_json::{Map, Value};

/// A configuration and the agents that it names, checked against each other and against the number of players.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The configuration.
    pub config: VecConfig,
    /// The pool: specs of agents, with their weights in draws.
    pub opponents: Vec<(String, f64)>,
}

impl Request {
    /// The accepted names.
    pub const KEYS: [&str; 9] =
        ["threads", "view", "dtype", "autoreset", "learner", "roles", "opponents", "spin_us", "first_env"];

    /// Reads a request for `num_envs` environments of a game with `players` players. Missing and null values take the engine's defaults.
    ///
    /// - `threads`, `spin_us`, `first_env`: numbers; `view`, `dtype`, `autoreset`: words
    /// - `learner`: the player that the caller controls, or `rotate`
    /// - `roles`: instead of `learner`, one entry per player: `learner` (or null), `pool`, a spec of an agent or an opponent's index
    /// - `opponents`: the pool, a spec of an agent, a list of specs or of pairs of spec and weight, or an object from specs to weights
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] with the key and what is allowed; [`Error::InvalidPlayer`]. Opponents that control no player are refused
    /// as well.
    pub fn read(num_envs: usize, given: &Map<String, Value>, players: usize) -> Result<Request> {
        Request::read_with(num_envs, given, players, &[])
    }

    /// [`Request::read`], where agents of the host ([`Function`](crate::agent::Function)) have these names. None of them is a spec, `learner` or
    /// `pool`.
    ///
    /// # Errors
    /// Those of [`Request::read`].
    pub fn read_with(
        num_envs: usize,
        given: &Map<String, Value>,
        players: usize,
        functions: &[&str],
    ) -> Result<Request> {
        let names = Names(functions);
        if let Some(key) = given.keys().find(|key| !Request::KEYS.contains(&key.as_str())) {
            let near = crate::error::nearest(key, &Request::KEYS);
            let keys = Request::KEYS.join(", ");
            return Err(Error::argument("config", format!("no key `{key}`{near}; keys: {keys}")));
        }
        let given = Given(given);
        let default = VecConfig::default();
        let mut opponents = given.get("opponents").map_or(Ok(Vec::new()), |given| names.pool(given))?;
        let named = opponents.len();
        let config = VecConfig {
            num_envs,
            threads: given.number("threads", 1, VecConfig::MAX_THREADS, default.threads)?,
            view: given.word("view", default.view, View::parse)?,
            autoreset: given.word("autoreset", default.autoreset, Autoreset::parse)?,
            dtype: given.word("dtype", default.dtype, ObsType::parse)?,
            learners: names.learners(given.get("learner"), given.get("roles"), players, &mut opponents)?,
            spin_us: given.number("spin_us", 0, VecConfig::MAX_SPIN_US as usize, default.spin_us as usize)?
                as u32,
            first_env: given.number("first_env", 0, VecConfig::MAX_FIRST_ENV as usize, 0)? as u64,
        };
        config.check(players, opponents.len()).map_err(|error| error.renamed("learners", "roles"))?;
        if !opponents.is_empty() {
            check_weights(opponents.iter().map(|(_, weight)| *weight))
                .map_err(|error| error.renamed("weights", "opponents"))?;
        }
        if named > 0 && !config.takes_opponents() {
            let names: Vec<_> = opponents.iter().map(|(name, _)| format!("`{name}`")).collect();
            return Err(Error::argument("opponents", format!("got {}; {NEVER_PLAYS}", names.join(", "))));
        }
        Ok(Request { config, opponents })
    }

    /// The opponents as [`AnyGame::vec_env`](crate::any::AnyGame::vec_env) takes them.
    pub fn pool(&self) -> Vec<(&str, f64)> {
        self.opponents.iter().map(|(name, weight)| (name.as_str(), *weight)).collect()
    }
}

/// The message for an opponent that would never play.
pub(crate) const NEVER_PLAYS: &str = "it would never play: the caller plays every player, or other opponents do; use `learner`, view `single`, or `pool` among `roles`";

/// Named values; null counts as missing.
struct Given<'a>(&'a Map<String, Value>);

impl<'a> Given<'a> {
    fn get(&self, key: &str) -> Option<&'a Value> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    fn number(&self, key: &'static str, min: usize, max: usize, default: usize) -> Result<usize> {
        let Some(value) = self.get(key) else { return Ok(default) };
        let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
        number
            .filter(|number| (min..=max).contains(number))
            .ok_or_else(|| Error::argument(key, format!("got {}; allowed: {min} to {max}", shown(value))))
    }

    fn word<T>(&self, key: &'static str, default: T, parse: fn(&str) -> Result<T>) -> Result<T> {
        match self.get(key) {
            None => Ok(default),
            Some(Value::String(word)) => parse(word),
            Some(other) => Err(Error::argument(key, format!("got {}; wanted a word", shown(other)))),
        }
    }
}

/// A value in a message: words as they are, everything else as JSON.
fn shown(value: &Value) -> String {
    match value {
        Value::String(word) => format!("`{word}`"),
        other => crate::options::shorten(other),
    }
}

/// Names of functions of the host, which are agents like those that specs name.
struct Names<'a>(&'a [&'a str]);

impl Names<'_> {
    fn pool(&self, given: &Value) -> Result<Vec<(String, f64)>> {
        match given {
            Value::String(_) => Ok(vec![self.opponent(given)?]),
            Value::Object(weights) => {
                weights.iter().map(|(name, weight)| self.weighted(name, weight)).collect()
            }
            Value::Array(list) => list.iter().map(|item| self.opponent(item)).collect(),
            other => Err(no_opponent(other)),
        }
    }

    fn opponent(&self, item: &Value) -> Result<(String, f64)> {
        match item {
            Value::String(name) => Ok((self.spec(name)?, 1.0)),
            Value::Array(pair) => match &pair[..] {
                [Value::String(name), weight] => self.weighted(name, weight),
                _ => Err(no_opponent(item)),
            },
            _ => Err(no_opponent(item)),
        }
    }

    fn weighted(&self, name: &str, weight: &Value) -> Result<(String, f64)> {
        let refuse = || {
            Error::argument(
                "opponents",
                format!("got {} as the weight of `{name}`; wanted a number", shown(weight)),
            )
        };
        Ok((self.spec(name)?, weight.as_f64().ok_or_else(refuse)?))
    }

    /// The canonical name of an agent's spec, or the name of a function.
    fn spec(&self, text: &str) -> Result<String> {
        if self.0.contains(&text) {
            return Ok(text.into());
        }
        let spec = text.parse::<Spec>().map_err(|error| error.renamed("agent", "opponents"))?;
        Ok(spec.to_string())
    }

    fn learners(
        &self,
        learner: Option<&Value>,
        roles: Option<&Value>,
        players: usize,
        opponents: &mut Vec<(String, f64)>,
    ) -> Result<Learners> {
        match (learner, roles) {
            (None, None) => Ok(Learners::All),
            (Some(_), Some(_)) => Err(Error::argument("roles", "only without `learner`")),
            (Some(Value::String(word)), None) if word == "rotate" => Ok(Learners::Rotating),
            (Some(learner), None) => match learner.as_i64() {
                Some(player) if (0..players as i64).contains(&player) => {
                    Ok(Learners::One(Player(player as u8)))
                }
                Some(player) => Err(Error::InvalidPlayer { player, players }),
                None => {
                    let message = format!("got {}; wanted a player or `rotate`", shown(learner));
                    Err(Error::argument("learner", message))
                }
            },
            (None, Some(Value::Array(roles))) => {
                let pooled = roles.iter().any(|role| role == "pool");
                Ok(Learners::Roles(
                    roles.iter().map(|role| self.role(role, opponents, pooled)).collect::<Result<_>>()?,
                ))
            }
            (None, Some(other)) => Err(Error::argument(
                "roles",
                format!("got {}; wanted a list, one entry per player", shown(other)),
            )),
        }
    }

    /// The role of a player. An agent named there is added to the opponents if it is missing; the pool does not draw it then.
    fn role(&self, item: &Value, opponents: &mut Vec<(String, f64)>, pooled: bool) -> Result<Role> {
        let refuse = || {
            let agents = Spec::allowed();
            let allowed = format!("`learner`, `pool`, an agent ({agents}) or an opponent's index");
            Err(Error::argument("roles", format!("got {}; allowed: {allowed}", shown(item))))
        };
        match item {
            Value::Null => Ok(Role::Learner),
            Value::String(word) if word == "learner" => Ok(Role::Learner),
            Value::String(word) if word == "pool" => Ok(Role::Pool),
            Value::String(text) => {
                let name = match self.spec(text) {
                    Ok(name) => name,
                    // An agent with bad settings says what is wrong with them.
                    Err(error) if text.contains(':') => return Err(error.renamed("opponents", "roles")),
                    Err(_) => return refuse(),
                };
                let at = opponents.iter().position(|(known, _)| *known == name);
                Ok(Role::Opponent(at.unwrap_or_else(|| {
                    opponents.push((name, if pooled { 0.0 } else { 1.0 }));
                    opponents.len() - 1
                })))
            }
            Value::Number(index) => match index.as_u64() {
                Some(index) => Ok(Role::Opponent(usize::try_from(index).unwrap_or(usize::MAX))),
                None => refuse(),
            },
            _ => refuse(),
        }
    }
}

fn no_opponent(got: &Value) -> Error {
    let wanted =
        "a spec of an agent, a list of specs or of pairs of spec and weight, or specs with their weights";
    Error::argument("opponents", format!("got {}; wanted {wanted}", shown(got)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(num_envs: usize, given: &Value) -> Result<Request> {
        Request::read(num_envs, given.as_object().expect("an object"), 2)
    }

    #[test]
    fn missing_keys_take_the_defaults() {
        for given in [json!({}), json!({"threads": null, "view": null, "opponents": null, "roles": null})] {
            let request = read(4, &given).unwrap();
            let config = VecConfig { num_envs: 4, ..VecConfig::default() };
            assert_eq!(request, Request { config, opponents: Vec::new() });
        }
    }

    #[test]
    fn every_key_is_read() {
        let given = json!({
            "threads": 2, "view": "single", "dtype": "f32", "autoreset": "disabled", "roles": ["greedy", "learner"],
            "opponents": [["random", 2]], "spin_us": 7, "first_env": 9,
        });
        assert_eq!(given.as_object().unwrap().len() + 1, Request::KEYS.len());
        let request = read(3, &given).unwrap();
        let wanted = VecConfig {
            num_envs: 3,
            threads: 2,
            view: View::Single,
            autoreset: Autoreset::Disabled,
            dtype: ObsType::F32,
            learners: Learners::Roles(vec![Role::Opponent(1), Role::Learner]),
            spin_us: 7,
            first_env: 9,
        };
        assert_eq!(request.config, wanted);
        assert_eq!(request.pool(), [("random", 2.0), ("greedy", 1.0)]);
        for (name, view) in [("single", View::Single), ("joint", View::Joint), ("turn", View::Turn)] {
            assert_eq!(View::parse(name), Ok(view));
            assert_eq!(view.name(), name);
        }
        let learners = |given: Value| read(1, &given).unwrap().config.learners;
        assert_eq!(learners(json!({"learner": 1, "opponents": "random"})), Learners::One(Player(1)));
        assert_eq!(learners(json!({"learner": "rotate", "opponents": {"greedy": 0.5}})), Learners::Rotating);
        let named = read(1, &json!({"roles": [null, "pool"], "opponents": ["random"]})).unwrap();
        assert_eq!(named.config.learners, Learners::Roles(vec![Role::Learner, Role::Pool]));
    }

    #[test]
    fn a_game_for_one_player_accepts_opponents() {
        let one = |given: Value| Request::read(4, given.as_object().unwrap(), 1);
        let pool = json!({"view": "single", "opponents": ["random", ["greedy", 2]]});
        let request = one(pool).unwrap();
        assert_eq!(request.pool(), [("random", 1.0), ("greedy", 2.0)]);
        assert!(!request.config.draws_opponents(1));
        for given in [
            json!({"learner": 0, "opponents": "greedy"}),
            json!({"learner": "rotate", "opponents": "greedy"}),
        ] {
            one(given).unwrap();
        }
        let said = one(json!({"opponents": "greedy"})).unwrap_err().to_string();
        assert!(said.contains("the caller plays every player"), "{said}");
        let said = one(json!({"view": "single", "opponents": ["wise"]})).unwrap_err().to_string();
        assert!(said.contains("argument `opponents`: got `wise`; allowed: `random`, `greedy`"), "{said}");
    }

    #[test]
    fn element_types_have_numpy_names_too() {
        for (name, dtype) in
            [("u8", ObsType::U8), ("uint8", ObsType::U8), ("f32", ObsType::F32), ("float32", ObsType::F32)]
        {
            assert_eq!(read(1, &json!({ "dtype": name })).unwrap().config.dtype, dtype);
        }
        let said = read(1, &json!({"dtype": "float64"})).unwrap_err().to_string();
        assert!(said.ends_with("got `float64`; allowed: `u8` or `uint8`, `f32` or `float32`"), "{said}");
    }

    #[test]
    fn errors_name_the_key_and_the_value() {
        for (given, message) in [
            (json!({"thread": 2}), "no key `thread` (did you mean `threads`?); keys: threads, view"),
            (json!({"threads": -1}), "argument `threads`: got -1; allowed: 1 to 256"),
            (json!({"threads": 257}), "argument `threads`: got 257; allowed: 1 to 256"),
            (json!({"spin_us": 1.5}), "argument `spin_us`: got 1.5; allowed: 0 to"),
            (json!({"spin_us": 1_000_001}), "argument `spin_us`: got 1000001; allowed: 0 to 1000000"),
            (json!({"first_env": -1}), "argument `first_env`: got -1; allowed: 0 to 4294967296"),
            (json!({"view": 3}), "argument `view`: got 3; wanted a word"),
            (json!({"view": "turns"}), "argument `view`: got `turns`; allowed: `turn`"),
            (json!({"learner": 0, "roles": []}), "argument `roles`: only without `learner`"),
            (json!({"learner": "me"}), "argument `learner`: got `me`; wanted a player or `rotate`"),
            (json!({"learner": -1}), "player -1 does not exist: the game has players 0 to 1"),
            (json!({"learner": 0}), "argument `opponents`: got none; at least one is needed"),
            (json!({"roles": ["wise"]}), "argument `roles`: got `wise`; allowed: `learner`"),
            (json!({"roles": ["mcts:0"]}), "argument `roles`: got `0` for `simulations` of `mcts`"),
            (json!({"roles": [-1]}), "argument `roles`: got -1; allowed: `learner`"),
            (json!({"roles": ["learner"]}), "argument `roles`: got 1 roles; the game has 2 players"),
            (json!({"roles": ["learner", 0]}), "argument `roles`: got opponent 0; there are 0"),
            (json!({"roles": 3}), "argument `roles`: got 3; wanted a list"),
            (
                json!({"learner": 0, "opponents": {"random": "x"}}),
                "got `x` as the weight of `random`; wanted a number",
            ),
            (
                json!({"learner": 0, "opponents": {"random": -1}}),
                "argument `opponents`: got [-1.0]; weights are",
            ),
            (
                json!({"learner": 0, "opponents": ["wise"]}),
                "argument `opponents`: got `wise`; allowed: `random`",
            ),
            (json!({"opponents": 3}), "argument `opponents`: got 3; wanted a spec of an agent"),
            (
                json!({"opponents": [["random"]]}),
                "argument `opponents`: got [\"random\"]; wanted a spec of an agent",
            ),
            (
                json!({"opponents": ["random"]}),
                "argument `opponents`: got `random`; it would never play: the caller plays every player",
            ),
        ] {
            let said = read(4, &given).unwrap_err().to_string();
            assert!(said.contains(message), "{given}: {said}");
        }
        let said = read(0, &json!({})).unwrap_err().to_string();
        assert!(said.contains("argument `num_envs`: got 0; allowed: 1 to"), "{said}");
    }
}
