//! Positions, plays and views that the tests share.

use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::game::Game;
use playmat_core::log::Events;
use playmat_core::prelude::*;
use playmat_core::testing;
use playmat_graft::Graft;
use playmat_graft::content::Effect;
use playmat_graft::rules::Event;
use playmat_graft::state::{Kind, State};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) use playmat_core::testing::{acting, event_names, legal_of, seen, segment};

pub(crate) fn configured(options: &Value) -> Arc<ConfiguredGame<Graft>> {
    testing::configured(options)
}

/// The text of the default content.
pub(crate) const CONTENT: &str = include_str!("../../content/graft.toml");
/// Actions beyond the 44 kinds.
pub(crate) const SHIP: u16 = 44;
pub(crate) const TAKE_BAR: u16 = 45;
pub(crate) const STOP: u16 = 46;
pub(crate) const CLAIM: u16 = 47;
pub(crate) const DECLINE: u16 = 52;

/// A player of a position: what matters of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    hand: Vec<String>,
    row: Vec<String>,
    compost: Vec<String>,
    completed: Vec<Vec<String>>,
    claims: BTreeMap<String, u8>,
    known: BTreeMap<String, Vec<String>>,
}

/// The start of a turn, built up by what it needs; the rest is filled up so that GR-R23 allows it: hands with plain cards,
/// what the players own with completed rows of one plain card, the pile with what is left.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    pub(crate) options: Value,
    badges: Vec<String>,
    places: Vec<Place>,
    hand: usize,
    pile: Option<usize>,
    extra: Vec<(String, Value)>,
}

/// Ids of a list of them, divided by spaces.
pub(crate) fn ids(text: &str) -> Vec<String> {
    text.split_whitespace().map(String::from).collect()
}

impl Position {
    /// `players` players, each with a hand of `hand` cards; badges that short rows do not meet.
    pub(crate) fn of(players: usize, hand: usize) -> Position {
        Position {
            options: json!({"players": players}),
            badges: ids("full_manifest grand_tour mixed_crate hard_currency even_load"),
            places: vec![Place::default(); players],
            hand,
            pile: None,
            extra: Vec::new(),
        }
    }

    pub(crate) fn badges(mut self, badges: &str) -> Position {
        self.badges = ids(badges);
        self
    }

    pub(crate) fn hand(mut self, seat: usize, cards: &str) -> Position {
        self.places[seat].hand = ids(cards);
        self
    }

    pub(crate) fn row(mut self, seat: usize, cards: &str) -> Position {
        self.places[seat].row = ids(cards);
        self
    }

    pub(crate) fn compost(mut self, seat: usize, cards: &str) -> Position {
        self.places[seat].compost = ids(cards);
        self
    }

    pub(crate) fn completed(mut self, seat: usize, cards: &str) -> Position {
        self.places[seat].completed.push(ids(cards));
        self
    }

    pub(crate) fn claim(mut self, seat: usize, badge: &str, value: u8) -> Position {
        self.places[seat].claims.insert(badge.into(), value);
        self
    }

    /// Cards of the hand of `seat` that `viewer` knows of.
    pub(crate) fn known(mut self, seat: usize, viewer: usize, cards: &str) -> Position {
        self.places[seat].known.insert(viewer.to_string(), ids(cards));
        self
    }

    pub(crate) fn pile(mut self, cards: usize) -> Position {
        self.pile = Some(cards);
        self
    }

    pub(crate) fn option(mut self, name: &str, value: impl Into<Value>) -> Position {
        self.options[name] = value.into();
        self
    }

    /// Another field of the whole or, as `players.0.name`, of a player.
    pub(crate) fn set(mut self, path: &str, value: impl Into<Value>) -> Position {
        self.extra.push((path.into(), value.into()));
        self
    }

    /// The whole position as JSON.
    pub(crate) fn json(&self) -> Value {
        let game = configured(&self.options).game.clone();
        let players = game.players();
        let mut left: BTreeMap<String, usize> = (0..game.kinds() as u8)
            .map(|kind| (game.text(Kind(kind)).id.clone(), game.deck().0[usize::from(kind)].into()))
            .collect();
        let deck: usize = left.values().sum();
        let named = self.places.iter().flat_map(|place| {
            let own = place.hand.iter().chain(&place.row).chain(&place.compost);
            own.chain(place.completed.iter().flatten())
        });
        for id in named {
            let count = left.get_mut(id).unwrap_or_else(|| panic!("no card is called {id}"));
            *count = count.checked_sub(1).unwrap_or_else(|| panic!("too many {id}"));
        }
        let owned = |place: &Place| {
            place.row.len() + place.compost.len() + place.completed.iter().map(Vec::len).sum::<usize>()
        };
        let most = self.places.iter().map(owned).max().unwrap();
        let turn = match self.pile {
            Some(pile) => (deck - pile) / players - self.hand,
            None => most.max(5 - self.hand),
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
        let mut places = self.places.clone();
        for place in places.iter_mut().rev() {
            while place.hand.len() < self.hand {
                place.hand.push(next(&mut left, self.pile.is_some()));
            }
        }
        let mut seats = Vec::new();
        for mut place in places {
            while owned(&place) < turn {
                place.completed.push(vec![next(&mut left, false)]);
            }
            let mut compost: BTreeMap<&String, u32> = BTreeMap::new();
            place.compost.iter().for_each(|id| *compost.entry(id).or_insert(0) += 1);
            seats.push(json!({
                "hand": place.hand, "known": place.known, "row": place.row, "compost": compost,
                "completed": place.completed, "claims": place.claims,
            }));
        }
        left.retain(|_, count| *count > 0);
        let mut json = json!({"turn": turn, "badges": self.badges, "pile": left, "players": seats});
        for (path, value) in &self.extra {
            let mut at = &mut json;
            for name in path.split('.') {
                at = match name.parse::<usize>() {
                    Ok(index) => &mut at[index],
                    Err(_) => &mut at[name],
                };
            }
            *at = value.clone();
        }
        json
    }

    pub(crate) fn load(&self) -> Env<Graft> {
        self.load_with(5)
    }

    /// Loads with the chance of this seed.
    pub(crate) fn load_with(&self, seed: u64) -> Env<Graft> {
        load(&self.options, &self.json(), seed)
    }

    /// What is said against it, each with its path, a line each.
    pub(crate) fn refused(&self) -> String {
        refused(&self.options, &self.json())
    }
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
pub(crate) fn act(env: &mut Env<Graft>, seat: u8, action: u16) {
    if let Err(error) = env.step_player(Seat(seat), action.into()) {
        panic!("player {seat}, action {action}: {error}");
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
pub(crate) fn play(env: &mut Env<Graft>, seat: u8, id: &str) {
    let action = card(env, id);
    act(env, seat, action);
}

/// Everybody who still owes a face-down choice plays the first card that does not bust, or else the first card.
pub(crate) fn others_play(env: &mut Env<Graft>) {
    let acting: Vec<Seat> = env.acting().iter().collect();
    for seat in acting {
        let game = env.configured().game.clone();
        let row = env.state().rows[seat.index()];
        let cards = env.legal(seat).iter().filter(|action| action.0 < SHIP).collect::<Vec<_>>();
        let safe = cards.iter().find(|action| game.is_legal(&row, Kind(action.0 as u8)));
        act(env, seat.0, safe.unwrap_or(&cards[0]).0);
    }
}

/// A field of a player in the complete JSON.
pub(crate) fn field(env: &Env<Graft>, seat: usize, name: &str) -> Value {
    seen(env, None)["players"][seat][name].clone()
}

pub(crate) fn row(env: &Env<Graft>, seat: usize) -> Vec<String> {
    serde_json::from_value(field(env, seat, "row")).unwrap()
}

pub(crate) fn hand(env: &Env<Graft>, seat: usize) -> Vec<String> {
    serde_json::from_value(field(env, seat, "hand")).unwrap()
}

/// Ids of the compost, with repetitions, ascending by id.
pub(crate) fn compost(env: &Env<Graft>, seat: usize) -> Vec<String> {
    let counts: BTreeMap<String, usize> = serde_json::from_value(field(env, seat, "compost")).unwrap();
    counts.into_iter().flat_map(|(id, count)| vec![id; count]).collect()
}

/// The completed row that came last.
pub(crate) fn last_row(env: &Env<Graft>, seat: usize) -> Vec<String> {
    let rows: Vec<Vec<String>> = serde_json::from_value(field(env, seat, "completed")).unwrap();
    rows.last().cloned().unwrap_or_default()
}

pub(crate) fn points(env: &Env<Graft>, seat: usize) -> i32 {
    env.scores()[seat]
}

/// Everything that happens in a game by the suite's mix of players, each with the state right after it.
pub(crate) fn story(configured: &ConfiguredGame<Graft>, seed: u64, greedy: u32) -> Vec<(Event, State)> {
    let (mut rng, mut log) = (Rng::from_seed(seed), Events::default());
    let mut draws = Rng::from_seed(seed ^ 0xabcd);
    let mut state = configured.game.deal(&mut rng, &mut log);
    while let Some(seat) = configured.game.acting(&state).first() {
        let action = if draws.below(100) < greedy {
            configured.game.greedy(&state, seat, &mut draws)
        } else {
            draws.pick(&configured.game.legal(&state, seat))
        };
        configured.game.apply(&mut state, seat, action, &mut rng, &mut log);
    }
    log.events
}

/// Plays an episode and shows every position between two decisions.
pub(crate) fn visit(options: &Value, seed: u64, greedy: u32, mut check: impl FnMut(&Graft, &State)) {
    let configured = configured(options);
    let game = &*configured.game;
    let (mut rng, mut draws) = (Rng::from_seed(seed), Rng::from_seed(seed ^ 0x5eed));
    let mut state = game.deal(&mut rng, &mut Silent);
    check(game, &state);
    while let Some(seat) = game.acting(&state).first() {
        let action = if draws.below(100) < greedy {
            game.greedy(&state, seat, &mut draws)
        } else {
            draws.pick(&game.legal(&state, seat))
        };
        game.apply(&mut state, seat, action, &mut rng, &mut Silent);
        check(game, &state);
    }
}
