//! The configuration of a vectorized environment, as text.

use crate::text::read_options;
use playmat_core::error::{Error, Result};
use playmat_core::seat::Seat;
use playmat_core::survey::Player;
use playmat_core::vec::{Autoreset, ObsType, Role, Seating, VecConfig, View};
use serde_json::Value;

const KEYS: [&str; 8] = ["threads", "view", "dtype", "autoreset", "learner", "seats", "opponents", "spin_us"];

/// Reads a configuration: what is left out has the engine's default. What fits the game is checked with the game.
///
/// # Errors
/// `Unreadable`; `InvalidArgument` with the key and what is allowed.
pub(crate) fn read(num_envs: usize, text: &str) -> Result<(VecConfig, Vec<(String, f64)>)> {
    let map = read_options("config", text)?;
    if let Some(key) = map.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(Error::argument("config", format!("no key `{key}`; keys: {}", KEYS.join(", "))));
    }
    let mut config = VecConfig { num_envs, ..VecConfig::default() };
    let word = |key: &'static str, default: &'static str| match map.get(key) {
        None => Ok(default.to_owned()),
        Some(Value::String(word)) => Ok(word.clone()),
        Some(other) => Err(Error::argument(key, format!("got {other}; wanted a word"))),
    };
    config.view = View::parse(&word("view", config.view.name())?)?;
    config.dtype = ObsType::parse(&word("dtype", config.dtype.name())?)?;
    config.autoreset = Autoreset::parse(&word("autoreset", config.autoreset.name())?)?;
    let number = |key: &'static str, default: usize, max: usize| match map.get(key) {
        None => Ok(default),
        Some(value) => match value.as_u64() {
            Some(n) if n <= max as u64 => Ok(n as usize),
            _ => Err(Error::argument(key, format!("got {value}; allowed: whole numbers up to {max}"))),
        },
    };
    config.threads = number("threads", config.threads, VecConfig::MAX_THREADS)?;
    config.spin_us = number("spin_us", config.spin_us as usize, u32::MAX as usize)? as u32;
    let mut opponents = match map.get("opponents") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::String(name)) => vec![(name.clone(), 1.0)],
        Some(Value::Object(weights)) => {
            weights.iter().map(|(name, weight)| weighted(name, weight)).collect::<Result<_>>()?
        }
        Some(Value::Array(list)) => list.iter().map(opponent).collect::<Result<_>>()?,
        Some(other) => return Err(bad_opponent(other)),
    };
    let given = |key| map.get(key).filter(|value| !value.is_null());
    config.seating = match (given("learner"), given("seats")) {
        (None, None) => Seating::AllLearners,
        (Some(Value::String(word)), None) if word == "rotate" => Seating::RotatingLearner,
        (Some(Value::Number(seat)), None) => {
            // Which seats exist is checked with the game.
            let seat = seat.as_u64().and_then(|seat| u8::try_from(seat).ok());
            Seating::OneLearner(Seat(seat.unwrap_or(u8::MAX)))
        }
        (Some(other), None) => {
            return Err(Error::argument("learner", format!("got {other}; wanted a player or `rotate`")));
        }
        (None, Some(Value::Array(seats))) => {
            let pooled = seats.iter().any(|seat| seat == "pool");
            Seating::Roles(
                seats.iter().map(|seat| role(seat, &mut opponents, pooled)).collect::<Result<_>>()?,
            )
        }
        (None, Some(other)) => {
            return Err(Error::argument(
                "seats",
                format!("got {other}; wanted a list, one entry per player"),
            ));
        }
        (Some(_), Some(_)) => return Err(Error::argument("seats", "only without `learner`")),
    };
    Ok((config, opponents))
}

fn bad_opponent(got: &Value) -> Error {
    let wanted =
        "a bot's name, a list of names or of pairs of name and weight, or an object from names to weights";
    Error::argument("opponents", format!("got {got}; wanted {wanted}"))
}

fn weighted(name: &str, weight: &Value) -> Result<(String, f64)> {
    let weight = weight.as_f64();
    let refuse = || Error::argument("opponents", format!("the weight of `{name}` is not a number"));
    Ok((name.to_owned(), weight.ok_or_else(refuse)?))
}

fn opponent(item: &Value) -> Result<(String, f64)> {
    match item {
        Value::String(name) => Ok((name.clone(), 1.0)),
        Value::Array(pair) => match &pair[..] {
            [Value::String(name), weight] => weighted(name, weight),
            _ => Err(bad_opponent(item)),
        },
        _ => Err(bad_opponent(item)),
    }
}

/// The role of a seat. A bot that is named there joins the opponents if it is not among them; the pool does not draw it then.
fn role(item: &Value, opponents: &mut Vec<(String, f64)>, pooled: bool) -> Result<Role> {
    let refuse = || {
        let allowed = "`learner`, `pool`, a bot's name or an opponent's index";
        Err(Error::argument("seats", format!("got {item}; allowed: {allowed}")))
    };
    match item {
        Value::String(word) if word == "learner" => Ok(Role::Learner),
        Value::String(word) if word == "pool" => Ok(Role::Pool),
        Value::String(name) if Player::parse(name).is_ok() => {
            let at = opponents.iter().position(|(known, _)| known == name);
            Ok(Role::Opponent(at.unwrap_or_else(|| {
                opponents.push((name.clone(), if pooled { 0.0 } else { 1.0 }));
                opponents.len() - 1
            })))
        }
        Value::Number(index) => match index.as_u64() {
            Some(index) => Ok(Role::Opponent(index as usize)),
            None => refuse(),
        },
        _ => refuse(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> String {
        read(4, text).unwrap_err().to_string()
    }

    #[test]
    fn what_is_left_out_has_the_defaults() {
        let (config, opponents) = read(4, "").unwrap();
        assert_eq!((config, opponents.len()), (VecConfig { num_envs: 4, ..VecConfig::default() }, 0));
    }

    #[test]
    fn every_key_is_read() {
        let text = r#"{"threads": 2, "view": "seat", "dtype": "f32", "autoreset": "disabled", "seats": ["greedy", "learner"],
            "opponents": [["random", 2]], "spin_us": 7}"#;
        let (config, opponents) = read(3, text).unwrap();
        let wanted = VecConfig {
            num_envs: 3,
            threads: 2,
            view: View::Seat,
            autoreset: Autoreset::Disabled,
            dtype: ObsType::F32,
            seating: Seating::Roles(vec![Role::Opponent(1), Role::Learner]),
            spin_us: 7,
        };
        assert_eq!(config, wanted);
        assert_eq!(opponents, [("random".to_owned(), 2.0), ("greedy".to_owned(), 1.0)]);
        assert_eq!(read(1, "learner = 1").unwrap().0.seating, Seating::OneLearner(Seat(1)));
        assert_eq!(read(1, "learner = 'rotate'").unwrap().0.seating, Seating::RotatingLearner);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            (r#"{"thread": 2}"#, "no key `thread`; keys: threads, view"),
            (r#"{"threads": -1}"#, "argument `threads`: got -1; allowed"),
            (r#"{"view": 3}"#, "argument `view`: got 3; wanted a word"),
            (r#"{"view": "turns"}"#, "got `turns`; allowed: `turn`"),
            (r#"{"learner": 0, "seats": []}"#, "only without `learner`"),
            (r#"{"seats": ["wise"]}"#, "got \"wise\"; allowed: `learner`"),
            (r#"{"opponents": {"random": "x"}}"#, "the weight of `random` is not a number"),
            (r#"{"opponents": 3}"#, "got 3; wanted a bot's name"),
        ] {
            assert!(said(text).contains(part), "{text}: {}", said(text));
        }
    }
}
