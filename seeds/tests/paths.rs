//! What a refusal of a position names: every path is a place of the document that was given, or of the one that the game writes.

#![allow(clippy::unwrap_used, reason = "a test may stop anywhere")]

use playmat_core::any::{AnyEnv, AnyGame};
use playmat_core::error::{Error, Problem};
use playmat_core::rng::Rng;
use playmat_core::save::{body_of, with_body};
use playmat_core::survey::Player;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Positions of each game, and changes of each as text and as bytes.
const POSITIONS: usize = 14;
const CHANGES: usize = 500;
/// The games whose refusals are compared.
const COMPARED: [&str; 1] = ["graft"];

/// `seats[0].row` as `/seats/0/row`.
fn pointer(path: &str) -> String {
    let steps = path.replace('[', ".").replace(']', "");
    if steps.is_empty() { String::new() } else { format!("/{}", steps.replace('.', "/")) }
}

/// Paths of all places of a value.
fn places(value: &Value, here: &str, all: &mut Vec<String>) {
    all.push(here.to_string());
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                places(inner, &format!("{here}/{key}"), all);
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, inner)| places(inner, &format!("{here}/{i}"), all));
        }
        _ => {}
    }
}

/// Changes one place, or takes a field away.
fn change(json: &mut Value, draws: &mut Rng) {
    let mut all = Vec::new();
    places(json, "", &mut all);
    let at = all[draws.below(all.len() as u32) as usize].clone();
    let others: Vec<Value> = all.iter().filter_map(|path| json.pointer(path).cloned()).collect();
    let (parent, last) = at.rsplit_once('/').unwrap_or(("", ""));
    match draws.below(5) {
        0 if !last.is_empty() => {
            if let Some(Value::Object(map)) = json.pointer_mut(parent) {
                map.shift_remove(last);
                return;
            }
        }
        1 => {
            // What stands elsewhere has the right form more often.
            *json.pointer_mut(&at).unwrap() = others[draws.below(others.len() as u32) as usize].clone();
            return;
        }
        _ => {}
    }
    let place = json.pointer_mut(&at).unwrap();
    *place = match place {
        Value::Number(n) => json!(n.as_i64().unwrap_or(0) + i64::from(draws.below(5)) - 2),
        Value::Bool(b) => json!(!*b),
        Value::Array(items) if !items.is_empty() => {
            let (i, j) = (draws.below(items.len() as u32) as usize, draws.below(items.len() as u32) as usize);
            let mut items = items.clone();
            if draws.below(2) == 0 {
                drop(items.remove(i));
            } else {
                items.swap(i, j);
            }
            Value::Array(items)
        }
        _ => [json!(null), json!([]), json!({}), json!("x"), json!(1), json!(true)][draws.below(6) as usize]
            .clone(),
    };
}

/// Collects the paths that lead nowhere. `is_text`: the documents hold all that was read.
fn check(
    game: &str,
    problems: &[Problem],
    documents: &[&Value],
    is_text: bool,
    astray: &mut BTreeSet<String>,
) {
    for Problem { path, message } in problems {
        // Not a place of the state: what the engine says of the document around it.
        let there = |document: &&Value| {
            let state = &document["state"];
            // A state from bytes can have a longer list than the document at hand: its last place is then the list's.
            let list = path.rsplit_once('[').map_or(path.as_str(), |(list, _)| list);
            let paths = [path.as_str(), if is_text { path } else { list }];
            paths.iter().any(|path| {
                state.pointer(&pointer(path)).is_some() || document.pointer(&pointer(path)).is_some()
            })
        };
        if !documents.iter().any(there) {
            let steps: String = path.chars().map(|c| if c.is_ascii_digit() { 'i' } else { c }).collect();
            astray.insert(format!("{game}: {steps}: {message:.60}"));
        }
    }
}

/// Positions of all stages.
fn positions(game: &dyn AnyGame, seed: u64) -> Vec<Box<dyn AnyEnv>> {
    let mut env = game.env(seed);
    let mut all = vec![env.clone_box()];
    while let Some(seat) = env.acting().first() {
        let greedy = env.decisions().is_multiple_of(2);
        let action =
            if greedy { env.bot_action(seat, Player::Greedy) } else { env.sample_action(seat) }.unwrap();
        env.step_seat(seat, action.0.into()).unwrap();
        all.push(env.clone_box());
    }
    let every = all.len().div_ceil(POSITIONS);
    let last = all.last().unwrap().clone_box();
    all.into_iter().step_by(every).chain([last]).collect()
}

#[test]
fn refusals_name_places_that_exist() {
    let mut astray = BTreeSet::new();
    let (mut refused, mut draws) = (0, Rng::from_seed(0x7061_7468));
    for id in COMPARED {
        let game = playmat_seeds::make(id, &Default::default()).unwrap();
        for env in positions(&*game, 3) {
            let original = env.to_json(None).unwrap();
            for _ in 0..CHANGES {
                let mut changed = original.clone();
                change(&mut changed["state"], &mut draws);
                if let Err(Error::InvalidState { problems }) = game.env_from_json(&changed.to_string(), 1) {
                    refused += 1;
                    check(id, &problems, &[&changed, &original], true, &mut astray);
                }
                // Bytes reach what no text can say.
                let save = env.to_bytes();
                let mut body = body_of(&save).to_vec();
                let at = draws.below(body.len() as u32) as usize;
                body[at] = draws.below(256) as u8;
                if let Err(Error::InvalidState { problems }) = game.env_from_bytes(&with_body(&save, &body)) {
                    refused += 1;
                    check(id, &problems, &[&original], false, &mut astray);
                }
            }
        }
    }
    assert!(refused > 2_000, "{refused}");
    let list: Vec<String> = astray.into_iter().collect();
    assert!(list.is_empty(), "{} paths lead nowhere:\n{}", list.len(), list.join("\n"));
}
