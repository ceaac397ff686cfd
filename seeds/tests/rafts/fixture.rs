//! Positions, plays and looks that the tests share.

use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::prelude::*;
use playmat_rafts::Rafts;
use playmat_rafts::state::{Phase, Player, State};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A goal for each player that nothing in the tests achieves by accident.
const GOALS: [&str; 6] = ["preservative", "probiotic", "bottles", "rice_paddies", "blood", "sun_plastic"];

pub(crate) fn configured(options: &Value) -> Arc<ConfiguredGame<Rafts>> {
    Arc::new(ConfiguredGame::new(options.as_object().unwrap()).unwrap_or_else(|error| panic!("{error}")))
}

/// Counts from a text: `EC time*2`.
pub(crate) fn counts(text: &str) -> Value {
    let mut map = Map::new();
    for word in text.split_whitespace() {
        let (id, count) = word.split_once('*').unwrap_or((word, "1"));
        map.insert(id.into(), count.parse::<i64>().unwrap().into());
    }
    map.into()
}

/// A position, built up by what a test needs. Cards not mentioned lie in their decks, unless decks are given.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    pub(crate) json: Value,
    pub(crate) options: Value,
}

impl Position {
    /// Empty tables and hands in the main phase of player 0.
    pub(crate) fn of(players: usize) -> Position {
        let seat = |at: usize| json!({"goals": [GOALS[at]], "hand": {}, "benches": [{"bacterium": null, "gene": null}], "generics": {}});
        Position {
            json: json!({"turn_player": 0, "turn": 3, "seats": (0..players).map(seat).collect::<Vec<_>>()}),
            options: json!({"players": players}),
        }
    }

    pub(crate) fn set(mut self, name: &str, value: impl Into<Value>) -> Position {
        self.json[name] = value.into();
        self
    }

    pub(crate) fn option(mut self, name: &str, value: impl Into<Value>) -> Position {
        self.options[name] = value.into();
        self
    }

    /// Something of a player.
    pub(crate) fn player(mut self, seat: usize, name: &str, value: impl Into<Value>) -> Position {
        self.json["seats"][seat][name] = value.into();
        self
    }

    pub(crate) fn turn_of(self, seat: usize) -> Position {
        self.set("turn_player", seat)
    }

    pub(crate) fn hand(self, seat: usize, cards: &str) -> Position {
        self.player(seat, "hand", counts(cards))
    }

    pub(crate) fn supplies(self, seat: usize, cards: &str) -> Position {
        self.player(seat, "generics", counts(cards))
    }

    pub(crate) fn goals(self, seat: usize, goals: &[&str]) -> Position {
        self.player(seat, "goals", goals.to_vec())
    }

    /// Bench 0: `EC lux`, `-` for an empty slot.
    pub(crate) fn bench(self, seat: usize, cards: &str) -> Position {
        self.player(seat, "benches", json!([bench(cards)]))
    }

    /// Both benches of a player with a Lab expansion.
    pub(crate) fn lab(self, seat: usize, first: &str, second: &str) -> Position {
        self.player(seat, "lab_expansion", true).player(seat, "benches", json!([bench(first), bench(second)]))
    }

    pub(crate) fn discards(self, cards: &str, last: Option<&str>) -> Position {
        self.set("discards", counts(cards)).set("last_discard", last)
    }

    /// These decks; all other cards are out of the game.
    pub(crate) fn decks(self, actions: &str, specific: &str, generic: &str) -> Position {
        let decks =
            json!({"actions": counts(actions), "specific": counts(specific), "generic": counts(generic)});
        self.set("decks", decks)
    }

    pub(crate) fn load(&self) -> Env<Rafts> {
        let document = json!({"state": self.json}).to_string();
        playmat_core::save::from_json(&configured(&self.options), &document, 5)
            .unwrap_or_else(|error| panic!("{error}\n{}", self.json))
    }

    /// What is said against it, each with its path, a line each.
    pub(crate) fn refused(&self) -> String {
        let found = configured(&self.options).game.restore(&self.json, &mut Rng::from_seed(1));
        let found = found.expect_err("the position should be refused");
        found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }
}

fn bench(cards: &str) -> Value {
    let names: Vec<Option<&str>> =
        cards.split(' ').map(|name| Some(name).filter(|name| *name != "-")).collect();
    json!({"bacterium": names[0], "gene": names[1]})
}

/// Player 0 of three may exchange a goal, with player 1 alone.
pub(crate) fn exchange() -> Position {
    Position::of(3)
        .hand(0, "RX EC")
        .goals(0, &["blood", "oil_spill"])
        .goals(1, &["bottles", "probiotic"])
        .goals(2, &["blood"])
}

/// Plays actions by number, each by the player that must decide.
pub(crate) fn go(env: &mut Env<Rafts>, actions: &[i64]) {
    for &action in actions {
        env.step(action).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// The player that must decide.
pub(crate) fn decider(env: &Env<Rafts>) -> Option<u8> {
    env.current_player().map(|seat| seat.0)
}

/// Legal actions of the player that must decide, as numbers.
pub(crate) fn legal(env: &Env<Rafts>) -> Vec<u16> {
    env.legal(env.current_player().unwrap()).iter().map(|action| action.0).collect()
}

/// The phase.
pub(crate) fn phase(env: &Env<Rafts>) -> Phase {
    env.state().phase
}

pub(crate) fn player(env: &Env<Rafts>, seat: usize) -> &Player {
    &env.state().players[seat]
}

/// The part of the JSON that the game writes.
pub(crate) fn seen(env: &Env<Rafts>, viewer: Option<u8>) -> Value {
    env.to_json(viewer.map(Seat)).unwrap()["state"].clone()
}

/// Bacterium and gene of a bench, `-` for an empty slot.
pub(crate) fn on_bench(env: &Env<Rafts>, seat: usize, bench: usize) -> String {
    let bench = &seen(env, None)["seats"][seat]["benches"][bench];
    let name = |slot: &str| bench[slot].as_str().unwrap_or("-").to_string();
    format!("{} {}", name("bacterium"), name("gene"))
}

/// Time, money, medium, rafts on a table.
pub(crate) fn supplies(env: &Env<Rafts>, seat: usize) -> [u8; 4] {
    player(env, seat).generics
}

/// What lies in the discards.
pub(crate) fn discards(env: &Env<Rafts>) -> Value {
    seen(env, None)["discards"].clone()
}

/// The last discard.
pub(crate) fn last(env: &Env<Rafts>) -> Option<String> {
    seen(env, None)["last_discard"].as_str().map(String::from)
}

/// The hand of a player.
pub(crate) fn hand(env: &Env<Rafts>, seat: usize) -> Value {
    seen(env, None)["seats"][seat]["hand"].clone()
}

/// Names of the events of the last step as a viewer receives them.
pub(crate) fn events(env: &Env<Rafts>, viewer: Option<u8>) -> Vec<String> {
    let events = env.events(viewer.map(Seat)).unwrap();
    let names = events.iter().map(|event| event["event"].as_str().unwrap().to_string());
    // The engine adds what no event of the game says.
    names.filter(|name| name != "update").collect()
}

/// What a player observes.
pub(crate) fn observed(game: &Rafts, state: &State, viewer: u8) -> Vec<u8> {
    let mut out = vec![0xaa; game.info().observation.size()];
    game.observe(state, Seat(viewer), &mut out);
    out
}

/// A named part of what a player observes.
pub(crate) fn part(env: &Env<Rafts>, viewer: u8, name: &str) -> Vec<u8> {
    let game = &env.configured().game;
    let bytes = observed(game, env.state(), viewer);
    let layout = &game.info().observation;
    let segment = layout.segment(name).unwrap_or_else(|| panic!("no segment is called {name}"));
    bytes[segment.offset..segment.offset + segment.len()].to_vec()
}

/// Plays random games and shows every position before its decision, and the last one.
pub(crate) fn every_position(
    options: &Value,
    seeds: std::ops::Range<u64>,
    mut look: impl FnMut(&Env<Rafts>),
) {
    let configured = configured(options);
    for seed in seeds {
        let mut env = Env::new(configured.clone(), seed);
        loop {
            look(&env);
            let Some(seat) = env.current_player() else { break };
            let action = env.sample_action(seat).unwrap();
            env.step(action.0.into()).unwrap();
        }
    }
}

/// Pearson's statistic of counts against what is expected of each.
pub(crate) fn chi_square<K: Ord>(counts: &BTreeMap<K, u32>, expected: &BTreeMap<K, f64>) -> f64 {
    let total = f64::from(counts.values().sum::<u32>());
    expected
        .iter()
        .map(|(key, share)| {
            let (seen, mean) = (f64::from(counts.get(key).copied().unwrap_or(0)), share * total);
            (seen - mean).powi(2) / mean
        })
        .sum()
}
