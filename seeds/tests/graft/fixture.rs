//! Positions, plays and views that the tests share.

use playmat_conformance::testing;
use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::game::Game;
use playmat_core::log::Events;
use playmat_core::prelude::*;
use playmat_graft::Graft;
use playmat_graft::content::Effect;
use playmat_graft::rules::Event;
use playmat_graft::state::{Kind, State};
use serde_json::{Value, json};
use std::collections::BTreeMap;

use crate::position::field_at;
pub(crate) use crate::position::{Position, configured, visit_episode};
pub(crate) use playmat_conformance::testing::{acting, event_names, legal_of, seen, segment};

pub(crate) type Tested = Graft;

/// The text of the default content.
pub(crate) const CONTENT: &str = include_str!("../../content/graft.toml");
/// Actions beyond the 44 kinds.
pub(crate) const SHIP: u16 = 44;
pub(crate) const TAKE_BAR: u16 = 45;
pub(crate) const STOP: u16 = 46;
pub(crate) const CLAIM: u16 = 47;
pub(crate) const DECLINE: u16 = 52;

/// Ids of a list of them, divided by spaces.
pub(crate) fn ids(text: &str) -> Vec<String> {
    text.split_whitespace().map(String::from).collect()
}

/// The start of a turn, built up by what it needs; the rest is filled up so that GR-R23 allows it: hands with plain cards,
/// what the players own with completed rows of one plain card, the pile with what is left.
impl Position {
    /// `players` players, each with a hand of `hand` cards; badges that short rows do not meet.
    pub(crate) fn of(players: usize, hand: usize) -> Position {
        let player =
            json!({"hand": [], "known": {}, "row": [], "compost": [], "completed": [], "claims": {}});
        let badges = ids("full_manifest grand_tour mixed_crate hard_currency even_load");
        Position {
            json: json!({"badges": badges, "pile": null, "players": vec![player; players], "hand_size": hand, "overwritten": []}),
            options: json!({"players": players}),
        }
    }

    pub(crate) fn badges(self, badges: &str) -> Position {
        self.set("badges", ids(badges))
    }

    pub(crate) fn hand(self, player: usize, cards: &str) -> Position {
        self.set(&format!("players.{player}.hand"), ids(cards))
    }

    pub(crate) fn row(self, player: usize, cards: &str) -> Position {
        self.set(&format!("players.{player}.row"), ids(cards))
    }

    pub(crate) fn compost(self, player: usize, cards: &str) -> Position {
        self.set(&format!("players.{player}.compost"), ids(cards))
    }

    pub(crate) fn completed(mut self, player: usize, cards: &str) -> Position {
        push(&mut self.json["players"][player]["completed"], ids(cards));
        self
    }

    pub(crate) fn claim(self, player: usize, badge: &str, value: u8) -> Position {
        self.set(&format!("players.{player}.claims.{badge}"), value)
    }

    /// Cards of the hand of `player` that `viewer` knows of.
    pub(crate) fn known(mut self, player: usize, viewer: usize, cards: &str) -> Position {
        self.json["players"][player]["known"][viewer.to_string()] = ids(cards).into();
        self
    }

    pub(crate) fn pile(self, cards: usize) -> Position {
        self.set("pile", cards)
    }

    /// Another value for a field of the whole position, whatever follows from it.
    pub(crate) fn overwrite(mut self, path: &str, value: impl Into<Value>) -> Position {
        push(&mut self.json["overwritten"], json!([path, value.into()]));
        self
    }

    /// The whole position as JSON.
    pub(crate) fn whole(&self) -> Value {
        let game = configured(&self.options).game.clone();
        let players = game.players();
        let mut json = self.json.clone();
        let size = json.as_object_mut().unwrap().remove("hand_size").unwrap().as_u64().unwrap() as usize;
        let overwritten = json.as_object_mut().unwrap().remove("overwritten").unwrap();
        let pile = json["pile"].take().as_u64().map(|cards| cards as usize);
        let mut left: BTreeMap<String, usize> = (0..game.kinds() as u8)
            .map(|kind| (game.text(Kind(kind)).id.clone(), game.deck().0[usize::from(kind)].into()))
            .collect();
        let deck: usize = left.values().sum();
        let owned = |player: &Value| -> Vec<Value> {
            let rows =
                player["completed"].as_array().unwrap().iter().chain([&player["row"], &player["compost"]]);
            rows.flat_map(|row| row.as_array().unwrap().clone()).collect()
        };
        let entries = json["players"].as_array().unwrap();
        for id in entries
            .iter()
            .flat_map(|player| [owned(player), player["hand"].as_array().unwrap().clone()].concat())
        {
            let count =
                left.get_mut(id.as_str().unwrap()).unwrap_or_else(|| panic!("no card is called {id}"));
            *count = count.checked_sub(1).unwrap_or_else(|| panic!("too many {id}"));
        }
        let turn = match pile {
            Some(pile) => (deck - pile) / players - size,
            None => entries.iter().map(|player| owned(player).len()).max().unwrap().max(5 - size),
        };
        // Plain cards first and Recycles last; hands of the last players take the Recycles if the pile cannot.
        let rank = |kind: &Kind| match game.data(*kind).effect {
            Effect::None => 0,
            Effect::Recycle => 2,
            _ => 1,
        };
        let mut order: Vec<Kind> = (0..game.kinds() as u8).map(Kind).collect();
        order.sort_by_key(rank);
        let next = |left: &mut BTreeMap<String, usize>, recycles: bool| {
            let free = |kind: &&Kind| left[&game.text(**kind).id] > 0;
            let recycle = order.iter().rev().find(|kind| recycles && rank(kind) == 2 && free(kind));
            let kind = recycle.or_else(|| order.iter().find(free)).expect("cards are left");
            let id = game.text(*kind).id.clone();
            *left.get_mut(&id).unwrap() -= 1;
            id
        };
        let entries = json["players"].as_array_mut().unwrap();
        for player in entries.iter_mut().rev() {
            while player["hand"].as_array().unwrap().len() < size {
                push(&mut player["hand"], next(&mut left, pile.is_some()));
            }
        }
        for player in entries {
            while owned(player).len() < turn {
                push(&mut player["completed"], vec![next(&mut left, false)]);
            }
            let mut compost: BTreeMap<String, u32> = BTreeMap::new();
            for id in player["compost"].as_array().unwrap() {
                *compost.entry(id.as_str().unwrap().into()).or_insert(0) += 1;
            }
            player["compost"] = json!(compost);
        }
        left.retain(|_, count| *count > 0);
        json["pile"] = json!(left);
        json["turn"] = turn.into();
        for entry in overwritten.as_array().unwrap() {
            *field_at(&mut json, entry[0].as_str().unwrap()) = entry[1].clone();
        }
        json
    }
}

fn push(list: &mut Value, entry: impl Into<Value>) {
    list.as_array_mut().unwrap().push(entry.into());
}

pub(crate) fn load(options: &Value, state: &Value, seed: u64) -> Env<Graft> {
    testing::load(&configured(options), state, seed)
}

pub(crate) fn refused(options: &Value, state: &Value) -> String {
    testing::refused(&*configured(options).game, state)
}

/// Badges of which buried_treasure (slot 4) and bug_report (slot 3) are met by two cards.
pub(crate) const NEAR: &str = "full_manifest grand_tour mixed_crate bug_report buried_treasure";

/// Players 0 and 2 of three can ship; then 0 meets buried_treasure, 2 meets bug_report or the same.
pub(crate) fn two_can_ship() -> Position {
    Position::of(3, 2)
        .badges(NEAR)
        .row(0, "pig_iron")
        .hand(0, "slime_mold comet_grape")
        .row(2, "ink_cap")
        .hand(2, "z_coin beacon")
}

/// Player 0 has shipped a row that meets two badges (Ore next to Fungus, Critter next to Gadget), and may claim one.
pub(crate) fn two_badges_met() -> Env<Graft> {
    let mut env = Position::of(3, 3)
        .badges(NEAR)
        .row(0, "slime_mold pig_iron rootling")
        .hand(0, "recycle comet_grape silver_fern")
        .load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    play(&mut env, 0, "recycle");
    env
}

/// One action of a player by its number.
#[track_caller]
pub(crate) fn act(env: &mut Env<Graft>, player: u8, action: u16) {
    if let Err(error) = env.step_player(Player(player), action.into()) {
        panic!("player {player}, action {action}: {error}");
    }
}

/// The number of CARD(kind).
pub(crate) fn card(env: &Env<Graft>, id: &str) -> u16 {
    let game = &env.configured().game;
    let kind = (0..game.kinds()).find(|&kind| game.text(Kind(kind as u8)).id == id);
    kind.unwrap_or_else(|| panic!("no card is called {id}")) as u16
}

/// A card by its id.
#[track_caller]
pub(crate) fn play(env: &mut Env<Graft>, player: u8, id: &str) {
    let action = card(env, id);
    act(env, player, action);
}

/// Everybody who still owes a face-down choice plays the first card that does not bust, or else the first card.
pub(crate) fn others_play(env: &mut Env<Graft>) {
    let acting: Vec<Player> = env.acting().iter().collect();
    for player in acting {
        let game = env.configured().game.clone();
        let row = env.state().rows[player.index()];
        let cards = env.legal(player).iter().filter(|action| action.0 < SHIP).collect::<Vec<_>>();
        let safe = cards.iter().find(|action| game.is_legal(&row, Kind(action.0 as u8)));
        act(env, player.0, safe.unwrap_or(&cards[0]).0);
    }
}

/// A field of a player in the complete JSON.
pub(crate) fn field(env: &Env<Graft>, player: usize, name: &str) -> Value {
    seen(env, None)["players"][player][name].clone()
}

pub(crate) fn row(env: &Env<Graft>, player: usize) -> Vec<String> {
    serde_json::from_value(field(env, player, "row")).unwrap()
}

pub(crate) fn hand(env: &Env<Graft>, player: usize) -> Vec<String> {
    serde_json::from_value(field(env, player, "hand")).unwrap()
}

/// Ids of the compost, with repetitions, ascending by id.
pub(crate) fn compost(env: &Env<Graft>, player: usize) -> Vec<String> {
    let counts: BTreeMap<String, usize> = serde_json::from_value(field(env, player, "compost")).unwrap();
    counts.into_iter().flat_map(|(id, count)| vec![id; count]).collect()
}

/// The completed row that came last.
pub(crate) fn last_row(env: &Env<Graft>, player: usize) -> Vec<String> {
    let rows: Vec<Vec<String>> = serde_json::from_value(field(env, player, "completed")).unwrap();
    rows.last().cloned().unwrap_or_default()
}

pub(crate) fn points(env: &Env<Graft>, player: usize) -> i32 {
    env.scores()[player]
}

/// Everything that happens in a game by the suite's mix of players, each with the state right after it.
pub(crate) fn story(configured: &ConfiguredGame<Graft>, seed: u64, greedy: u32) -> Vec<(Event, State)> {
    let (mut rng, mut log) = (Rng::from_seed(seed), Events::default());
    let mut draws = Rng::from_seed(seed ^ 0xabcd);
    let mut state = configured.game.deal(&mut rng, &mut log);
    while let Some(player) = configured.game.acting(&state).first() {
        let action = if draws.below(100) < greedy {
            configured.game.greedy(&state, player, &mut draws)
        } else {
            draws.pick(&configured.game.legal(&state, player))
        };
        configured.game.apply(&mut state, player, action, &mut rng, &mut log);
    }
    log.events
}

/// Plays an episode and shows every position between two decisions. The positions matter: `loading.rs` knows which changes of
/// them play can reach.
pub(crate) fn visit(options: &Value, seed: u64, greedy: u32, mut check: impl FnMut(&Graft, &State)) {
    let configured = configured(options);
    let game = &*configured.game;
    let (mut rng, mut draws) = (Rng::from_seed(seed), Rng::from_seed(seed ^ 0x5eed));
    let mut state = game.deal(&mut rng, &mut Silent);
    check(game, &state);
    while let Some(player) = game.acting(&state).first() {
        let action = if draws.below(100) < greedy {
            game.greedy(&state, player, &mut draws)
        } else {
            draws.pick(&game.legal(&state, player))
        };
        game.apply(&mut state, player, action, &mut rng, &mut Silent);
        check(game, &state);
    }
}
