//! Positions, plays and views that the tests share.

use playmat_core::env::Env;
use playmat_rafts::Rafts;
use playmat_rafts::state::{Phase, PlayerState};
use serde_json::{Value, json};

pub(crate) use crate::position::{Position, against_random, configured, every_position, observed, samples};
pub(crate) use playmat_conformance::testing::{
    chi_square, counts, decider, event_names, legal, play_numbers, seen, segment,
};

pub(crate) type Tested = Rafts;

/// A goal for each player that nothing in the tests achieves by accident.
const GOALS: [&str; 6] = ["preservative", "probiotic", "bottles", "rice_paddies", "blood", "sun_plastic"];

/// A position, built up by what a test needs. Cards not mentioned lie in their decks, unless decks are given.
impl Position {
    /// Empty tables and hands in the main phase of player 0.
    pub(crate) fn of(players: usize) -> Position {
        let player = |at: usize| json!({"goals": [GOALS[at]], "hand": {}, "benches": [{"bacterium": null, "gene": null}], "generics": {}});
        Position {
            json: json!({"turn_player": 0, "turn": 3, "players": (0..players).map(player).collect::<Vec<_>>()}),
            options: json!({"players": players}),
        }
    }

    /// Something of a player.
    pub(crate) fn player(mut self, player: usize, name: &str, value: impl Into<Value>) -> Position {
        self.json["players"][player][name] = value.into();
        self
    }

    pub(crate) fn turn_of(self, player: usize) -> Position {
        self.set("turn_player", player)
    }

    pub(crate) fn hand(self, player: usize, cards: &str) -> Position {
        self.player(player, "hand", counts(cards))
    }

    pub(crate) fn supplies(self, player: usize, cards: &str) -> Position {
        self.player(player, "generics", counts(cards))
    }

    pub(crate) fn goals(self, player: usize, goals: &[&str]) -> Position {
        self.player(player, "goals", goals.to_vec())
    }

    /// Bench 0: `EC lux`, `-` for an empty slot.
    pub(crate) fn bench(self, player: usize, cards: &str) -> Position {
        self.player(player, "benches", json!([bench(cards)]))
    }

    /// Both benches of a player with a Lab expansion.
    pub(crate) fn lab(self, player: usize, first: &str, second: &str) -> Position {
        self.player(player, "lab_expansion", true).player(
            player,
            "benches",
            json!([bench(first), bench(second)]),
        )
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

    /// As it is given.
    pub(crate) fn whole(&self) -> Value {
        self.json.clone()
    }
}

fn bench(cards: &str) -> Value {
    let names: Vec<Option<&str>> =
        cards.split(' ').map(|name| Some(name).filter(|name| *name != "-")).collect();
    json!({"bacterium": names[0], "gene": names[1]})
}

/// PlayerState 0 of three may exchange a goal, with player 1 alone.
pub(crate) fn exchange() -> Position {
    Position::of(3)
        .hand(0, "RX EC")
        .goals(0, &["blood", "oil_spill"])
        .goals(1, &["bottles", "probiotic"])
        .goals(2, &["blood"])
}

/// The phase.
pub(crate) fn phase(env: &Env<Rafts>) -> Phase {
    env.state().phase
}

pub(crate) fn player_state(env: &Env<Rafts>, player: usize) -> &PlayerState {
    &env.state().players[player]
}

/// Bacterium and gene of a bench, `-` for an empty slot.
pub(crate) fn on_bench(env: &Env<Rafts>, player: usize, bench: usize) -> String {
    let bench = &seen(env, None)["players"][player]["benches"][bench];
    let name = |slot: &str| bench[slot].as_str().unwrap_or("-").to_string();
    format!("{} {}", name("bacterium"), name("gene"))
}

/// Time, money, medium, rafts on a table.
pub(crate) fn supplies(env: &Env<Rafts>, player: usize) -> [u8; 4] {
    player_state(env, player).generics
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
pub(crate) fn hand(env: &Env<Rafts>, player: usize) -> Value {
    seen(env, None)["players"][player]["hand"].clone()
}
