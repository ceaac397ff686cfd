//! Positions, plays and looks that the tests share.

use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::prelude::*;
use playmat_graven::Graven;
use playmat_graven::action::Choice;
use playmat_graven::state::{Phase, Player, State};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Humans that decks are filled with: whatever they do when milled is nothing.
const FILLER: [&str; 9] = ["MER", "SHI", "WAR", "REC", "BLA", "ACO", "GRA", "SCO", "REI"];

pub(crate) fn configured(options: &Value) -> Arc<ConfiguredGame<Graven>> {
    Arc::new(ConfiguredGame::new(options.as_object().unwrap()).unwrap_or_else(|error| panic!("{error}")))
}

/// What is said against options.
pub(crate) fn refused(options: &Value) -> String {
    let configured: Result<ConfiguredGame<Graven>> = ConfiguredGame::new(options.as_object().unwrap());
    match configured {
        Ok(_) => panic!("the options should be refused"),
        Err(error) => error.to_string(),
    }
}

/// The content of the library.
pub(crate) fn standard() -> &'static str {
    include_str!("../../content/graven.toml")
}

/// Counts from a text: `ARC HER*3`.
pub(crate) fn counts(text: &str) -> Value {
    let mut map = Map::new();
    for word in text.split_whitespace() {
        let (id, count) = word.split_once('*').unwrap_or((word, "1"));
        map.insert(id.into(), count.parse::<i64>().unwrap().into());
    }
    map.into()
}

/// A position, built up by what a test needs.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    pub(crate) json: Value,
    pub(crate) options: Value,
}

impl Position {
    /// Everybody has had a turn, nothing lies anywhere but nine cards in each deck; it is the Play Phase of player 0.
    pub(crate) fn of(players: usize) -> Position {
        let seat = || json!({"hand": {}, "front": {}, "back": {}, "discard": {}});
        let mut position = Position {
            json: json!({"turn_player": 0, "stage": "play", "seats": (0..players).map(|_| seat()).collect::<Vec<_>>()}),
            options: json!({"players": players}),
        };
        for seat in 0..players {
            position = position.deck(seat, 9);
        }
        position
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

    pub(crate) fn stage(self, stage: &str) -> Position {
        self.set("stage", stage)
    }

    pub(crate) fn turn_of(self, seat: usize) -> Position {
        self.set("turn_player", seat)
    }

    pub(crate) fn hand(self, seat: usize, cards: &str) -> Position {
        self.player(seat, "hand", counts(cards))
    }

    pub(crate) fn front(self, seat: usize, cards: &str) -> Position {
        self.player(seat, "front", counts(cards))
    }

    pub(crate) fn back(self, seat: usize, cards: &str) -> Position {
        self.player(seat, "back", counts(cards))
    }

    pub(crate) fn discard(self, seat: usize, cards: &str) -> Position {
        self.player(seat, "discard", counts(cards))
    }

    /// The deck holds exactly these.
    pub(crate) fn cards(self, seat: usize, cards: &str) -> Position {
        self.player(seat, "deck", counts(cards))
    }

    /// So many Humans that do nothing when milled; which, is settled when everything else is known.
    pub(crate) fn deck(self, seat: usize, size: usize) -> Position {
        self.player(seat, "deck", size)
    }

    /// A card on a player's line that another owns.
    pub(crate) fn foreign(mut self, seat: usize, line: &str, card: &str, owner: usize) -> Position {
        let list = &mut self.json["seats"][seat][format!("{line}_foreign")];
        if list.is_null() {
            *list = json!([]);
        }
        list.as_array_mut().unwrap().push(json!({"card": card, "owner": owner}));
        self
    }

    /// The position with its decks filled.
    pub(crate) fn whole(&self) -> Value {
        let mut json = self.json.clone();
        let seats = json["seats"].as_array().unwrap().clone();
        for (at, seat) in seats.iter().enumerate() {
            let Some(mut size) = seat["deck"].as_u64() else { continue };
            let mut deck = Map::new();
            for id in FILLER {
                let in_zones: u64 = ["hand", "front", "back", "discard"]
                    .iter()
                    .filter_map(|zone| seat[*zone][id].as_u64())
                    .sum();
                let lent = seats
                    .iter()
                    .flat_map(|other| ["front_foreign", "back_foreign"].map(|name| other[name].clone()));
                let lent: usize = lent
                    .filter_map(|list| list.as_array().cloned())
                    .flatten()
                    .filter(|card| card["card"] == id && card["owner"] == at)
                    .count();
                let free = 3u64.saturating_sub(in_zones + lent as u64).min(size);
                if free > 0 {
                    deck.insert(id.into(), free.into());
                    size -= free;
                }
            }
            assert_eq!(size, 0, "not enough cards for the deck of player {at}");
            json["seats"][at]["deck"] = deck.into();
        }
        json
    }

    pub(crate) fn load(&self) -> Env<Graven> {
        self.load_with(5)
    }

    /// With a seed of its own for what chance decides from here on.
    pub(crate) fn load_with(&self, seed: u64) -> Env<Graven> {
        let document = json!({"state": self.whole()}).to_string();
        playmat_core::save::from_json(&configured(&self.options), &document, seed)
            .unwrap_or_else(|error| panic!("{error}\n{}", self.json))
    }

    /// What is said against it, each with its path, a line each.
    pub(crate) fn refused(&self) -> String {
        let found = configured(&self.options).game.restore(&self.whole(), &mut Rng::from_seed(1));
        let found = found.expect_err("the position should be refused");
        found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }
}

/// Plays actions by number, each by the player that must decide.
pub(crate) fn go(env: &mut Env<Graven>, actions: &[i64]) {
    for &action in actions {
        env.step(action).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Plays actions by their texts, each by the player that must decide.
pub(crate) fn say(env: &mut Env<Graven>, texts: &[&str]) {
    for text in texts {
        let seat = env.current_player().unwrap();
        let game = &env.configured().game;
        let action = game.parse_action(Some((env.state(), seat)), text);
        let action = action.unwrap_or_else(|| panic!("`{text}` is no action"));
        env.step(action.0.into()).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

/// The player that must decide.
pub(crate) fn decider(env: &Env<Graven>) -> Option<u8> {
    env.current_player().map(|seat| seat.0)
}

/// Legal actions of the player that must decide, as numbers.
pub(crate) fn legal(env: &Env<Graven>) -> Vec<u16> {
    env.legal(env.current_player().unwrap()).iter().map(|action| action.0).collect()
}

/// Legal actions of the player that must decide, as texts without names.
pub(crate) fn texts(env: &Env<Graven>) -> Vec<String> {
    let game = &env.configured().game;
    legal(env).iter().map(|&action| game.action_text(None, Action(action))).collect()
}

/// What the legal actions mean.
pub(crate) fn choices(env: &Env<Graven>) -> Vec<Choice> {
    legal(env).iter().map(|&action| env.configured().game.choice(Action(action))).collect()
}

pub(crate) fn phase(env: &Env<Graven>) -> Phase {
    env.state().phase
}

pub(crate) fn player(env: &Env<Graven>, seat: usize) -> &Player {
    &env.state().players[seat]
}

/// The part of the JSON that the game writes.
pub(crate) fn seen(env: &Env<Graven>, viewer: Option<u8>) -> Value {
    env.to_json(viewer.map(Seat)).unwrap()["state"].clone()
}

/// Cards of a zone of a player as a text: `ARC HER*3`.
pub(crate) fn zone(env: &Env<Graven>, seat: usize, zone: &str) -> String {
    let json = &seen(env, None)["seats"][seat][zone];
    let word = |(id, count): (&String, &Value)| match count.as_u64() {
        Some(1) => id.clone(),
        _ => format!("{id}*{count}"),
    };
    json.as_object().unwrap().iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Cards in the deck of a player.
pub(crate) fn deck(env: &Env<Graven>, seat: usize) -> u32 {
    player(env, seat).deck.total()
}

/// Survey Score of a player.
pub(crate) fn survey(env: &Env<Graven>, seat: usize) -> i64 {
    seen(env, None)["seats"][seat]["survey"].as_i64().unwrap()
}

/// Returns of all players.
pub(crate) fn returns(env: &Env<Graven>) -> Vec<f32> {
    env.returns().to_vec()
}

/// Names of the events of the last step as a viewer receives them.
pub(crate) fn events(env: &Env<Graven>, viewer: Option<u8>) -> Vec<String> {
    let events = env.events(viewer.map(Seat)).unwrap();
    let names = events.iter().map(|event| event["event"].as_str().unwrap().to_string());
    // The engine adds what no event of the game says.
    names.filter(|name| name != "update").collect()
}

/// Effects that began in the last step, in their order: card and player.
pub(crate) fn effects(env: &Env<Graven>) -> Vec<String> {
    let events = env.events(None).unwrap();
    let effects = events.iter().filter(|event| event["event"] == "effect");
    effects.map(|event| format!("{} {}", event["card"].as_str().unwrap(), event["seat"])).collect()
}

/// What a player observes.
pub(crate) fn observed(game: &Graven, state: &State, viewer: u8) -> Vec<u8> {
    let mut out = vec![0xaa; game.info().observation.size()];
    game.observe(state, Seat(viewer), &mut out);
    out
}

/// A named part of what a player observes.
pub(crate) fn part(env: &Env<Graven>, viewer: u8, name: &str) -> Vec<u8> {
    let game = &env.configured().game;
    let bytes = observed(game, env.state(), viewer);
    let layout = &game.info().observation;
    let segment = layout.segment(name).unwrap_or_else(|| panic!("no segment is called {name}"));
    bytes[segment.offset..segment.offset + segment.len()].to_vec()
}

/// Places of a part that are not 0.
pub(crate) fn ones(bytes: &[u8]) -> Vec<usize> {
    (0..bytes.len()).filter(|&i| bytes[i] != 0).collect()
}

/// The number of a card.
pub(crate) fn kind(env: &Env<Graven>, id: &str) -> u8 {
    env.configured().game.kind(id).unwrap()
}

/// Plays random games and shows every position before its decision, and the last one.
pub(crate) fn every_position(
    options: &Value,
    seeds: std::ops::Range<u64>,
    mut look: impl FnMut(&Env<Graven>),
) {
    let configured = configured(options);
    for seed in seeds {
        let mut env = Env::new(configured.clone(), seed);
        loop {
            look(&env);
            let Some(seat) = env.current_player() else { break };
            let action = env.sample_action(seat).unwrap();
            env.step_seat(seat, action.0.into()).unwrap();
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
