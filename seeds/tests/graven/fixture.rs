//! Positions, plays and views that the tests share.

use playmat_core::env::Env;
use playmat_core::prelude::*;
use playmat_graven::Graven;
use playmat_graven::action::Choice;
use playmat_graven::state::{Phase, PlayerState};
use serde_json::{Map, Value, json};

pub(crate) use crate::position::{
    Position, against_random, configured, every_position, observed, refused_options, samples,
};
pub(crate) use playmat_conformance::testing::{
    chi_square, counts, decider, event_names, legal, play, play_numbers, seen, segment,
};

pub(crate) type Tested = Graven;

/// Humans that decks are filled with: whatever they do when milled is nothing.
const FILLER: [&str; 9] = ["MER", "SHI", "WAR", "REC", "BLA", "ACO", "GRA", "SCO", "REI"];

/// The content of the library.
pub(crate) fn standard() -> &'static str {
    include_str!("../../content/graven.toml")
}

/// A position, built up by what a test needs.
impl Position {
    /// Everybody has had a turn, nothing lies anywhere but nine cards in each deck; it is the Play Phase of player 0.
    pub(crate) fn of(players: usize) -> Position {
        let player = || json!({"hand": {}, "front": {}, "back": {}, "discard": {}});
        let mut position = Position {
            json: json!({"turn_player": 0, "stage": "play", "players": (0..players).map(|_| player()).collect::<Vec<_>>()}),
            options: json!({"players": players}),
        };
        for player in 0..players {
            position = position.deck(player, 9);
        }
        position
    }

    /// Something of a player.
    pub(crate) fn player(mut self, player: usize, name: &str, value: impl Into<Value>) -> Position {
        self.json["players"][player][name] = value.into();
        self
    }

    pub(crate) fn stage(self, stage: &str) -> Position {
        self.set("stage", stage)
    }

    pub(crate) fn turn_of(self, player: usize) -> Position {
        self.set("turn_player", player)
    }

    pub(crate) fn hand(self, player: usize, cards: &str) -> Position {
        self.player(player, "hand", counts(cards))
    }

    pub(crate) fn front(self, player: usize, cards: &str) -> Position {
        self.player(player, "front", counts(cards))
    }

    pub(crate) fn back(self, player: usize, cards: &str) -> Position {
        self.player(player, "back", counts(cards))
    }

    pub(crate) fn discard(self, player: usize, cards: &str) -> Position {
        self.player(player, "discard", counts(cards))
    }

    /// The deck holds exactly these.
    pub(crate) fn cards(self, player: usize, cards: &str) -> Position {
        self.player(player, "deck", counts(cards))
    }

    /// A deck of `size` Humans that do nothing when milled. The position chooses which ones when everything else is known.
    pub(crate) fn deck(self, player: usize, size: usize) -> Position {
        self.player(player, "deck", size)
    }

    /// A card on a player's line that another owns.
    pub(crate) fn foreign(mut self, player: usize, line: &str, card: &str, owner: usize) -> Position {
        let list = &mut self.json["players"][player][format!("{line}_foreign")];
        if list.is_null() {
            *list = json!([]);
        }
        list.as_array_mut().unwrap().push(json!({"card": card, "owner": owner}));
        self
    }

    /// The position with its decks filled.
    pub(crate) fn whole(&self) -> Value {
        let mut json = self.json.clone();
        let players = json["players"].as_array().unwrap().clone();
        for (at, player) in players.iter().enumerate() {
            let Some(mut size) = player["deck"].as_u64() else { continue };
            let mut deck = Map::new();
            for id in FILLER {
                let in_zones: u64 = ["hand", "front", "back", "discard"]
                    .iter()
                    .filter_map(|zone| player[*zone][id].as_u64())
                    .sum();
                let lent = players
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
            json["players"][at]["deck"] = deck.into();
        }
        json
    }
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

pub(crate) fn player_state(env: &Env<Graven>, player: usize) -> &PlayerState {
    &env.state().players[player]
}

/// Cards of a zone of a player as a text: `ARC HER*3`.
pub(crate) fn zone(env: &Env<Graven>, player: usize, zone: &str) -> String {
    let json = &seen(env, None)["players"][player][zone];
    let word = |(id, count): (&String, &Value)| match count.as_u64() {
        Some(1) => id.clone(),
        _ => format!("{id}*{count}"),
    };
    json.as_object().unwrap().iter().map(word).collect::<Vec<_>>().join(" ")
}

/// How the names of the segments about the player `place` places clockwise begin.
pub(crate) fn whose(place: usize) -> String {
    if place == 0 { "own".into() } else { format!("other{place}") }
}

/// Cards in the deck of a player.
pub(crate) fn deck(env: &Env<Graven>, player: usize) -> u32 {
    player_state(env, player).deck.total()
}

/// Survey Score of a player.
pub(crate) fn survey(env: &Env<Graven>, player: usize) -> i64 {
    seen(env, None)["players"][player]["survey"].as_i64().unwrap()
}

/// Returns of all players.
pub(crate) fn returns(env: &Env<Graven>) -> Vec<f32> {
    env.returns().to_vec()
}

/// Effects that began in the last step, in their order: card and player.
pub(crate) fn effects(env: &Env<Graven>) -> Vec<String> {
    let events = env.events(None).unwrap();
    let effects = events.iter().filter(|event| event["event"] == "effect");
    effects.map(|event| format!("{} {}", event["card"].as_str().unwrap(), event["player"])).collect()
}

/// Places of a part that are not 0.
pub(crate) fn ones(bytes: &[u8]) -> Vec<usize> {
    (0..bytes.len()).filter(|&i| bytes[i] != 0).collect()
}

/// The number of a card.
pub(crate) fn kind(env: &Env<Graven>, id: &str) -> u8 {
    env.configured().game.kind(id).unwrap()
}
