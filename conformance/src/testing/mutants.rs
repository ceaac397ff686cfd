//! Positions that differ from a valid one in a single place: every number slightly and much larger or smaller, every boolean negated,
//! every word replaced, every list and map shorter, longer and with a repeated entry. A game must refuse each, or play it to the end.

use playmat_core::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;

/// A place of which mutants are accepted, what must hold of them, and why play reaches such a position.
pub type Reached = (&'static str, fn(&Value) -> bool, &'static str);

/// A condition that holds in every position.
pub fn always(_: &Value) -> bool {
    true
}

/// All mutants of many positions are refused, or accepted, valid, and played to the end.
#[derive(Debug)]
pub struct Sweep<'a> {
    /// The fields that count by id.
    maps: &'a [&'a str],
    /// What is put in place of every text.
    words: &'a [&'a str],
    tried: usize,
    /// The first mutant of each place and change that was accepted.
    accepted: BTreeMap<(String, &'static str), Value>,
}

impl<'a> Sweep<'a> {
    /// No mutant was tried. `maps` are the fields that count by id, `words` replace every text.
    pub fn new(maps: &'a [&'a str], words: &'a [&'a str]) -> Sweep<'a> {
        Sweep { maps, words, tried: 0, accepted: BTreeMap::new() }
    }

    /// Tries all mutants of a position.
    ///
    /// # Panics
    /// If an accepted mutant is invalid or does not end.
    pub fn try_mutants<G: Show>(&mut self, game: &G, json: &Value) {
        for Mutant { place, change, json } in mutants(json, self.maps, self.words) {
            self.tried += 1;
            let mut rng = Rng::from_seed(self.tried as u64);
            let Ok(mut state) = game.restore(&json, &mut rng) else { continue };
            assert_eq!(game.validate(&state), [], "{place} {change}: {json}");
            let mut left = game.info().max_decisions;
            while let Some(player) = game.acting(&state).first() {
                let action = rng.pick(&game.legal(&state, player));
                game.apply(&mut state, player, action, &mut rng, &mut Silent);
                assert!(left > 0, "{place} {change}: no end: {json}");
                left -= 1;
            }
            assert_ne!(game.status(&state), Status::Running, "{place} {change}: {json}");
            assert_eq!(game.validate(&state), [], "{place} {change}, at the end: {json}");
            self.accepted.entry((place, change)).or_insert(json);
        }
    }

    /// Everything accepted has a reason in `reached`, every reason was needed, and more than `least` mutants were tried.
    ///
    /// # Panics
    /// If one of these does not hold.
    pub fn finish(&self, reached: &[Reached], least: usize) {
        let reason = |place: &str| reached.iter().find(|(known, ..)| *known == place);
        let strangers: Vec<String> = self
            .accepted
            .iter()
            .filter(|((place, _), json)| reason(place).is_none_or(|(_, fits, _)| !fits(json)))
            .map(|((place, change), json)| format!("{place} {change}: {json}"))
            .collect();
        assert!(strangers.is_empty(), "{}", strangers.join("\n"));
        let places = reached.iter().map(|(place, ..)| *place);
        let unused: Vec<_> =
            places.filter(|place| !self.accepted.keys().any(|(name, _)| name == place)).collect();
        assert!(unused.is_empty(), "{unused:?}");
        assert!(self.tried > least, "{}", self.tried);
    }
}

/// A changed position: its place, what was done there, and the whole.
struct Mutant {
    /// The place without numbers and ids, so that alike places are one: `players[].hand.*`.
    place: String,
    /// What was done: `+1`, `shorter`, ...
    change: &'static str,
    json: Value,
}

/// All mutants of a position.
fn mutants(json: &Value, maps: &[&str], words: &[&str]) -> Vec<Mutant> {
    let mut found = Vec::new();
    for path in places(json).into_iter().filter(|path| !path.is_empty()) {
        let mut json = json.clone();
        let value = place_mut(&mut json, &path).expect("the place is there").clone();
        for (change, other) in changes(&value, &path, maps, words) {
            *place_mut(&mut json, &path).expect("the place is there") = other;
            found.push(Mutant { place: place(&path, maps), change, json: json.clone() });
        }
    }
    found
}

/// All places of a JSON value, as paths of keys and indices; the whole first.
pub(crate) fn places(value: &Value) -> Vec<Vec<String>> {
    let inside: Vec<(String, &Value)> = match value {
        Value::Object(map) => map.iter().map(|(key, inner)| (key.clone(), inner)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(at, inner)| (at.to_string(), inner)).collect(),
        _ => Vec::new(),
    };
    let mut all = vec![Vec::new()];
    for (key, inner) in inside {
        all.extend(places(inner).into_iter().map(|path| [vec![key.clone()], path].concat()));
    }
    all
}

/// The value at a place; `None` if there is none.
pub(crate) fn place_mut<'v>(value: &'v mut Value, path: &[String]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |at, key| match at {
        Value::Object(map) => map.get_mut(key),
        Value::Array(items) => items.get_mut(key.parse::<usize>().ok()?),
        _ => None,
    })
}

fn place(path: &[String], maps: &[&str]) -> String {
    let mut place = String::new();
    for (at, name) in path.iter().enumerate() {
        let in_map = at > 0 && maps.contains(&path[at - 1].as_str());
        if name.parse::<usize>().is_ok() {
            place.push_str("[]");
        } else {
            place.push_str(if at > 0 { "." } else { "" });
            place.push_str(if in_map { "*" } else { name });
        }
    }
    place
}

fn changes(value: &Value, path: &[String], maps: &[&str], words: &[&str]) -> Vec<(&'static str, Value)> {
    match value {
        Value::Number(number) => {
            let n = number.as_i64().expect("whole numbers alone");
            vec![("+1", (n + 1).into()), ("-1", (n - 1).into()), ("+1000", (n + 1000).into())]
        }
        Value::Bool(truth) => vec![("turned", (!truth).into())],
        Value::String(text) => {
            words.iter().filter(|word| *word != text).map(|word| ("another", (*word).into())).collect()
        }
        Value::Array(list) => {
            let mut all = Vec::new();
            if let (Some(first), Some(last)) = (list.first(), list.last()) {
                let with = |more: &Value| list.iter().chain([more]).cloned().collect();
                all.push(("shorter", Value::Array(list[..list.len() - 1].to_vec())));
                all.push(("twice", Value::Array(with(first))));
                all.push(("longer", Value::Array(with(last))));
            } else {
                all.push(("longer", Value::Array(vec![0.into()])));
                all.extend(words.iter().map(|word| ("longer", Value::Array(vec![(*word).into()]))));
            }
            all
        }
        Value::Object(map) if maps.contains(&path[path.len() - 1].as_str()) => {
            let mut all: Vec<(&str, Value)> = Vec::new();
            if let Some(id) = map.keys().next() {
                let mut fewer = map.clone();
                fewer.remove(id);
                all.push(("shorter", fewer.into()));
            }
            for word in words.iter().filter(|word| !map.contains_key(**word)) {
                let mut more = map.clone();
                more.insert((*word).into(), 1.into());
                all.push(("longer", more.into()));
            }
            all
        }
        Value::Object(_) | Value::Null => Vec::new(),
    }
}
