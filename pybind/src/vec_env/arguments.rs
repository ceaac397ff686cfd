//! The keyword arguments of `Game.vec_env`: from Python to JSON, and from JSON to a configuration.

use crate::errors::{Result, argument};
use crate::json::from_python;
use playmat_core::seat::Seat;
use playmat_core::survey::Player;
use playmat_core::vec::{Autoreset, ObsType, Role, Seating, VecConfig, View};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use serde_json::{Map, Value};

/// Arguments of `Game.vec_env` as JSON; names are checked where they are used.
pub(crate) fn arguments(pairs: &[(&'static str, Option<&Bound<'_, PyAny>>)]) -> Result<Value> {
    let mut map = Map::new();
    for &(name, object) in pairs {
        let value = match object {
            None => Value::Null,
            Some(object) => match sequence(object).and_then(|object| from_python(&object)) {
                Ok(value) => value,
                Err(message) => return argument(name, message),
            },
        };
        map.insert(name.into(), value);
    }
    Ok(Value::Object(map))
}

/// Any iterable but texts and dicts as a list.
fn sequence<'py>(object: &Bound<'py, PyAny>) -> std::result::Result<Bound<'py, PyAny>, String> {
    if object.is_instance_of::<PyString>() || object.is_instance_of::<PyDict>() {
        return Ok(object.clone());
    }
    match object.try_iter() {
        Ok(items) => {
            let items = items.collect::<PyResult<Vec<_>>>().map_err(|error| error.to_string())?;
            Ok(PyList::new(object.py(), items).map_err(|error| error.to_string())?.into_any())
        }
        Err(_) => Ok(object.clone()),
    }
}

/// The arguments, read.
pub(super) struct Arguments {
    pub(super) config: VecConfig,
    /// Bots by name, with their weights.
    pub(super) opponents: Vec<(String, f64)>,
    /// Fields of the batch; None for the view's own.
    pub(super) fields: Option<Vec<String>>,
}

impl Arguments {
    /// What fits the game is checked with the game.
    pub(super) fn read(arguments: &Value) -> Result<Arguments> {
        let number = |name: &'static str, max: usize| -> Result<usize> {
            let value = &arguments[name];
            match value.as_u64().map(usize::try_from) {
                Some(Ok(number)) => Ok(number),
                _ => argument(name, format!("got {value}; allowed: 1 to {max}")),
            }
        };
        let word = |name: &'static str| arguments[name].as_str().unwrap_or_default();
        let table =
            Table::read(arguments.get("learner"), arguments.get("seats"), arguments.get("opponents"))?;
        let config = VecConfig {
            num_envs: number("num_envs", VecConfig::MAX_ENVS)?,
            threads: number("threads", VecConfig::MAX_THREADS)?,
            view: View::parse(word("view"))?,
            autoreset: Autoreset::parse(word("autoreset"))?,
            dtype: ObsType::parse(word("dtype"))?,
            seating: table.seating,
            spin_us: match arguments["spin_us"].as_u64().map(u32::try_from) {
                Some(Ok(spin_us)) => spin_us,
                _ => {
                    return argument(
                        "spin_us",
                        format!("got {}; allowed: 0 to {}", arguments["spin_us"], u32::MAX),
                    );
                }
            },
        };
        let fields = match &arguments["fields"] {
            Value::Null => None,
            Value::Array(names) => {
                Some(names.iter().map(|n| n.as_str().unwrap_or_default().to_owned()).collect())
            }
            other => return argument("fields", format!("got {other}; wanted names of fields")),
        };
        Ok(Arguments { config, opponents: table.opponents, fields })
    }
}

/// Who sits where, from the arguments of Python.
struct Table {
    seating: Seating,
    opponents: Vec<(String, f64)>,
}

impl Table {
    fn read(learner: Option<&Value>, seats: Option<&Value>, opponents: Option<&Value>) -> Result<Table> {
        let mut list = Vec::new();
        match opponents {
            None | Some(Value::Null) => {}
            Some(Value::String(name)) => list.push((name.clone(), 1.0)),
            Some(Value::Object(map)) => {
                for (name, weight) in map {
                    list.push((name.clone(), weight.as_f64().unwrap_or(f64::NAN)));
                }
            }
            Some(Value::Array(items)) => {
                for item in items {
                    list.push(opponent(item)?);
                }
            }
            Some(other) => return refuse_opponents(other),
        }
        let seating = match (learner, seats) {
            (None | Some(Value::Null), None | Some(Value::Null)) => Seating::AllLearners,
            (Some(learner), None | Some(Value::Null)) => match learner {
                Value::String(word) if word == "rotate" => Seating::RotatingLearner,
                Value::Number(seat) => {
                    let seat = seat.as_i64().unwrap_or(-1);
                    // Which seats exist is checked with the game.
                    Seating::OneLearner(Seat(u8::try_from(seat).unwrap_or(u8::MAX)))
                }
                other => return argument("learner", format!("got {other}; wanted a player or `rotate`")),
            },
            (None | Some(Value::Null), Some(Value::Array(items))) => {
                let pooled = items.iter().any(|item| item == "pool");
                Seating::Roles(items.iter().map(|item| role(item, &mut list, pooled)).collect::<Result<_>>()?)
            }
            (Some(_), Some(_)) => return argument("seats", "only without `learner`"),
            (_, Some(other)) => {
                return argument("seats", format!("got {other}; wanted one entry per player"));
            }
        };
        Ok(Table { seating, opponents: list })
    }
}

fn refuse_opponents<T>(got: &Value) -> Result<T> {
    let wanted = "bots by name, pairs of name and weight, or a dict from names to weights";
    argument("opponents", format!("got {got}; wanted {wanted}"))
}

fn opponent(item: &Value) -> Result<(String, f64)> {
    match item {
        Value::String(name) => Ok((name.clone(), 1.0)),
        Value::Array(pair) => match &pair[..] {
            [Value::String(name), weight] if weight.is_number() => {
                Ok((name.clone(), weight.as_f64().unwrap_or(f64::NAN)))
            }
            _ => refuse_opponents(item),
        },
        _ => refuse_opponents(item),
    }
}

/// The role of a seat. A bot that is named there joins the opponents if it is not among them; the pool does not draw it then.
fn role(item: &Value, opponents: &mut Vec<(String, f64)>, pooled: bool) -> Result<Role> {
    match item {
        Value::Null => Ok(Role::Learner),
        Value::String(word) if word == "learner" => Ok(Role::Learner),
        Value::String(word) if word == "pool" => Ok(Role::Pool),
        Value::String(name) => {
            if Player::parse(name).is_err() {
                let allowed = "`learner`, `pool`, `random`, `greedy` or an opponent's index";
                return argument("seats", format!("got `{name}`; allowed: {allowed}"));
            }
            let at = opponents.iter().position(|(known, _)| known == name);
            Ok(Role::Opponent(at.unwrap_or_else(|| {
                opponents.push((name.clone(), if pooled { 0.0 } else { 1.0 }));
                opponents.len() - 1
            })))
        }
        Value::Number(index) => Ok(Role::Opponent(index.as_u64().map_or(usize::MAX, |i| i as usize))),
        other => {
            argument("seats", format!("got {other}; wanted `learner`, `pool`, a bot or an opponent's index"))
        }
    }
}

/// Why an opponent is refused that would never play.
pub(super) const NO_SEAT: &str = "the caller plays all seats, or other opponents do: `learner`, `view=\"seat\"` or a `pool` \
    among `seats` gives it one";

/// Whether any seat is played by opponents drawn from the pool.
pub(super) fn draws_opponents(config: &VecConfig, players: usize) -> bool {
    players > 1
        && match &config.seating {
            Seating::AllLearners => config.view == View::Seat,
            Seating::OneLearner(_) | Seating::RotatingLearner => true,
            Seating::Roles(roles) => roles.contains(&Role::Pool),
        }
}

/// Refuses opponents that no seat is played by.
pub(super) fn check_opponents(arguments: &Value, config: &VecConfig, players: usize) -> Result<()> {
    let given = match &arguments["opponents"] {
        Value::Null => false,
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
        _ => true,
    };
    let named = matches!(&config.seating, Seating::Roles(roles) if roles.iter().any(|role| matches!(role, Role::Opponent(_))));
    if given && !named && !draws_opponents(config, players) {
        return argument("opponents", format!("got {}; {NO_SEAT}", arguments["opponents"]));
    }
    Ok(())
}
