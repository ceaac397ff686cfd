//! Positions, plays and views that the tests share.

use playmat_conformance::testing;
use playmat_core::agent::Greedy;
use playmat_core::env::Env;
use playmat_core::prelude::*;
use playmat_gravitix::Gravitix;
use playmat_gravitix::state::State;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(crate) use crate::position::{
    Position, against_random, configured, observed, refused_options, visit_episode,
};
pub(crate) use playmat_conformance::testing::{act, chi_square, legal, legal_texts, play, seen, segment};

/// The problems of a position, one per line.
pub(crate) fn refused(game: &Gravitix, json: &Value) -> String {
    testing::refused(game, json)
}

pub(crate) type Tested = Gravitix;
pub(crate) type Play = Env<Gravitix>;

/// Cards by id.
pub(crate) type Counts = BTreeMap<String, i64>;

/// Cards named by a list of words, `RR RR F`.
pub(crate) fn cards(words: &str) -> Counts {
    let mut counts = Counts::new();
    for word in words.split_whitespace() {
        *counts.entry(word.into()).or_insert(0) += 1;
    }
    counts
}

/// The position of a rule, built up by what it needs: map a, b, c or d with everything as printed, ships far apart, player 0 to
/// play. Cards that are named nowhere are in the decks.
impl Position {
    /// Map `a`, `b`, `c` or `d`: all faces of a set in order, formation 2x6.
    pub(crate) fn of(map: &str) -> Position {
        Position::with(map, 2)
    }

    pub(crate) fn alone(map: &str) -> Position {
        Position::with(map, 1)
    }

    fn with(map: &str, players: usize) -> Position {
        let set = "abcd".find(map).unwrap().to_string();
        let islands: Vec<Value> =
            (0..12).map(|slot| json!({"face": format!("{map}{slot}"), "turned": false})).collect();
        let ships = [json!([0, 2]), json!([24, 5])];
        Position {
            json: json!({
                "turn": 0, "phase": "turn", "islands": islands, "ships": ships[..players],
                "hands": vec![json!({}); players], "decks": vec![Value::Null; players],
                "discards": vec![json!({}); players], "pending": vec![Value::Null; players], "sailed": vec![0; players],
            }),
            options: json!({"players": players, "island_set": set}),
        }
        .hand(0, "R F G")
        .hand(players - 1, "R F G")
    }

    pub(crate) fn hand(self, player: usize, words: &str) -> Position {
        self.of_player("hands", player, json!(cards(words)))
    }

    /// What the deck holds; what is left is discarded.
    pub(crate) fn deck(self, player: usize, words: &str) -> Position {
        self.of_player("decks", player, json!(cards(words)))
    }

    /// What is discarded at least.
    pub(crate) fn spent(self, player: usize, words: &str) -> Position {
        self.of_player("discards", player, json!(cards(words)))
    }

    pub(crate) fn ship(self, player: usize, s: u8, k: u8) -> Position {
        self.of_player("ships", player, json!([s, k]))
    }

    pub(crate) fn own(mut self, player: usize, slots: &[usize]) -> Position {
        for &slot in slots {
            self.json["islands"][slot]["owner"] = player.into();
        }
        self
    }

    pub(crate) fn doubled(mut self, slot: usize) -> Position {
        self.json["islands"][slot]["doubled"] = true.into();
        self
    }

    /// Another face in a slot; sets 1 and 2 then lie together.
    pub(crate) fn face(mut self, slot: usize, id: &str) -> Position {
        self.json["islands"][slot]["face"] = id.into();
        self.option("island_set", "1+2")
    }

    pub(crate) fn pending(self, player: usize, effect: &str) -> Position {
        self.of_player("pending", player, effect)
    }

    /// Player 0 has sailed with W and stands where its move ends: on the island of a slot.
    pub(crate) fn landing(self, slot: usize) -> Position {
        let game = configured(&self.options);
        let at = self.cell_of(&game.game, slot);
        let (s, k) = game.game.map().cells[at.index()];
        self.ship(0, s, k).spent(0, "W").set("phase", "move").set("range", 8).set("sailed", {
            let mut sailed = vec![1; 1];
            sailed.resize(game.game.players(), 0);
            sailed
        })
    }

    fn cell_of(&self, game: &Gravitix, slot: usize) -> playmat_gravitix::map::Cell {
        let id = self.json["islands"][slot]["face"].as_str().unwrap();
        let face = game.faces().iter().find(|face| face.id == id).unwrap();
        let turned = usize::from(self.json["islands"][slot]["turned"] == true);
        game.map().island(slot, face.places[turned])
    }

    /// The whole JSON, every card in some zone.
    pub(crate) fn whole(&self) -> Value {
        let game = configured(&self.options);
        let mut json = self.json.clone();
        for player in 0..self.options["players"].as_u64().unwrap() as usize {
            let mut rest: Counts = game
                .game
                .kinds()
                .iter()
                .zip(game.game.deck())
                .map(|(kind, &count)| (kind.id.clone(), count.into()))
                .collect();
            for zone in ["hands", "decks", "discards"] {
                for (id, count) in json[zone][player].as_object().into_iter().flatten() {
                    *rest.entry(id.clone()).or_insert(0) -= count.as_i64().unwrap_or(0);
                }
            }
            rest.retain(|_, count| *count > 0);
            let target = if json["decks"][player].is_null() { "decks" } else { "discards" };
            for (id, count) in rest {
                let before = json[target][player].get(&id).and_then(Value::as_i64).unwrap_or(0);
                json[target][player][id] = (before + count).into();
            }
        }
        json
    }

    /// The state as given, before anything forced is executed.
    pub(crate) fn state(&self) -> State {
        *self.load().state()
    }

    /// Loads, and ends the move on the island of a slot.
    pub(crate) fn land(self, slot: usize) -> Play {
        self.spent(0, "W").land_spent(slot)
    }

    /// The same with the discards as they are.
    pub(crate) fn land_spent(self, slot: usize) -> Play {
        let at = self.cell_of(&configured(&self.options).game, slot);
        let discards = self.json["discards"][0].clone();
        let mut position = self.landing(slot);
        position.json["discards"][0] = discards;
        let mut env = position.load();
        let (s, k) = env.configured().game.map().cells[at.index()];
        act(&mut env, 0, &format!("go {s}:{k}"));
        env
    }
}

/// The phase of the decision that is open.
pub(crate) fn phase(env: &Play) -> String {
    seen(env, None)["phase"].as_str().unwrap().into()
}

/// What is still due.
pub(crate) fn due(env: &Play) -> [u8; 3] {
    env.state().payment.due
}

/// The owner of a slot's island.
pub(crate) fn owner(env: &Play, slot: usize) -> Option<u8> {
    env.state().owner(slot).map(|player| player.0)
}

/// Number of cards in the zones of a player: hand, deck, discards.
pub(crate) fn sizes(env: &Play, player: usize) -> [u32; 3] {
    let state = env.state();
    [state.hands[player], state.decks[player], state.discards[player]]
        .map(|zone| zone.iter().map(|&count| u32::from(count)).sum())
}

/// Events of the last step for a viewer, without their patches.
pub(crate) fn events(env: &Play, viewer: Option<u8>) -> Vec<Value> {
    let mut events = env.events(viewer.map(Player)).unwrap();
    for event in &mut events {
        let fields = event.as_object_mut().unwrap();
        fields.remove("changes");
        fields.remove("text");
    }
    events
}

/// Names of the events of the last step, the engine's `update` included.
pub(crate) fn event_names(env: &Play, viewer: Option<u8>) -> Vec<String> {
    events(env, viewer).iter().map(|event| event["event"].as_str().unwrap().into()).collect()
}

/// Options of every kind, two players and one.
pub(crate) fn variants() -> Vec<Value> {
    let mut all = Vec::new();
    for players in [1, 2] {
        for set in ["0", "1", "2", "3", "1+2"] {
            for (formation, hard) in [("2x6", false), ("4x3", true), ("3x4", false)] {
                all.push(
                    json!({"players": players, "island_set": set, "formation": formation, "hard": hard}),
                );
            }
        }
    }
    all
}

/// Plays an episode, half of the choices greedy and half random, and calls `visit` at every position. The positions matter:
/// `loading.rs` knows which changes of them play can reach.
pub(crate) fn visit_halves(options: &Value, seed: u64, mut visit: impl FnMut(&Play)) -> Play {
    let mut env = Env::new(configured(options), seed);
    let mut draws = Rng::from_seed(seed);
    while let Some(player) = env.current_player() {
        visit(&env);
        let action = if draws.below(2) == 0 { env.act(&Greedy, player) } else { env.sample_action(player) };
        env.step(action.unwrap().0.into()).unwrap();
    }
    visit(&env);
    env
}
