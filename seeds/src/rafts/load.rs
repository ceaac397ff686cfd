//! Positions from outside: JSON to a state, played on until somebody must choose.

use super::Rafts;
use super::content::{GENERICS, same};
use super::rules::Next;
use super::state::{BACTERIUM, Deck, GENE, GoalKind, Kind, MAX_KINDS, Phase, Stage, State};
use playmat_core::fields::{Fields, Found, entries, items, typed};
use playmat_core::prelude::*;
use playmat_core::save::difference;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Counts by id.
type Counts = BTreeMap<String, i64>;

/// The JSON form of a position. What follows from the rest may be left out; given, it must agree. Cards that are mentioned
/// nowhere lie in their decks if `decks` (`goals_left`) is left out, and are out of the game if it is given.
struct Position {
    turn: Option<i64>,
    turn_player: i64,
    phase: Option<String>,
    asked: Option<i64>,
    stage: Option<String>,
    quiet_turns: Option<i64>,
    stirred: Option<bool>,
    resolving: Option<String>,
    placing: Option<String>,
    partner: Option<i64>,
    receiving: Option<String>,
    shielded: Option<Vec<i64>>,
    goals_left: Option<Counts>,
    decks: Option<DecksJson>,
    discards: Option<Counts>,
    last_discard: Option<String>,
    actions_played: Option<Counts>,
    seats: Vec<SeatJson>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DecksJson {
    actions: Option<Counts>,
    specific: Option<Counts>,
    generic: Option<Counts>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BenchJson {
    bacterium: Option<String>,
    gene: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeatJson {
    benches: Option<Vec<BenchJson>>,
    lab_expansion: Option<bool>,
    generics: Option<Counts>,
    goals: Vec<String>,
    hand: Counts,
    known_hand: Option<Counts>,
    drawn: Option<Counts>,
    missing: Option<Value>,
    completion: Option<Value>,
    hand_sizes: Option<Value>,
}

impl Position {
    /// Reads every field, and says of all of them at once what is missing, mistyped or unknown.
    fn read(json: &Value) -> Result<Position, Vec<Problem>> {
        let numbers = |path: &str, value: &Value, found: &mut Found| items(path, value, found, typed::<i64>);
        let seats =
            |path: &str, value: &Value, found: &mut Found| items(path, value, found, typed::<SeatJson>);
        let mut fields = Fields::of(json);
        let turn = fields.may("turn", typed);
        let turn_player = fields.need("turn_player", typed);
        let [phase, stage] = ["phase", "stage"].map(|name| fields.may(name, typed));
        let [asked, quiet_turns, partner] =
            ["asked", "quiet_turns", "partner"].map(|name| fields.may(name, typed));
        let stirred = fields.may("stirred", typed);
        let [resolving, placing, receiving, last_discard] =
            ["resolving", "placing", "receiving", "last_discard"].map(|name| fields.may(name, typed));
        let shielded = fields.may("shielded", numbers);
        let [goals_left, discards, actions_played] =
            ["goals_left", "discards", "actions_played"].map(|name| fields.may(name, entries));
        let decks = fields.may("decks", typed);
        let seats = fields.need("seats", seats);
        let found = fields.finish();
        let whole = || {
            Some(Position {
                turn,
                turn_player: turn_player?,
                phase,
                asked,
                stage,
                quiet_turns,
                stirred,
                resolving,
                placing,
                partner,
                receiving,
                shielded,
                goals_left,
                decks,
                discards,
                last_discard,
                actions_played,
                seats: seats?,
            })
        };
        if !found.is_empty() {
            return Err(found);
        }
        whole().ok_or(found)
    }
}

impl Rafts {
    /// Reads a position and plays on until somebody must choose or the game is over.
    pub(super) fn load_position(&self, json: &Value, rng: &mut Rng) -> Result<State, Vec<Problem>> {
        let position = Position::read(json)?;
        let mut reader = Reader { game: self, found: Vec::new() };
        let mut state = reader.read(&position);
        let mut found = reader.found;
        if found.is_empty() {
            found = self.table_problems(&state);
        }
        if found.is_empty() {
            self.derive(&mut state);
            let next = self.resume(&mut state, position.asked.is_some());
            let forced = state.phase == Phase::Bench && next != Next::Ask;
            self.phase_problems(&state, &mut found);
            self.agreement(&state, &position, &mut found);
            if found.is_empty() {
                let seat = Seat(state.cursor);
                // Equal benches leave nothing to choose.
                let next = if forced { self.place_chosen(&mut state, seat, 0, &mut Silent) } else { next };
                self.go_on(&mut state, next, rng, &mut Silent);
                return Ok(state);
            }
        }
        Err(found)
    }

    /// How play goes on from a phase; who is asked in a window, if that was not said.
    fn resume(&self, state: &mut State, asked: bool) -> Next {
        if !asked && state.phase == Phase::Snatch {
            let seats = (1..self.players).map(|place| self.after(state, place));
            if let Some(seat) = seats.into_iter().find(|&seat| self.may_snatch(state, seat)) {
                state.cursor = seat.0;
            }
        }
        if !asked && state.phase == Phase::Shield {
            let seats = (1..=self.players).map(|place| self.after(state, place));
            if let Some(seat) = seats.into_iter().find(|&seat| self.may_shield(state, seat)) {
                state.cursor = seat.0;
            }
        }
        match state.phase {
            Phase::Main | Phase::Discard => Next::Stage,
            Phase::Draw => Next::Draw,
            Phase::Shield => Next::Shield(self.place(state, Seat(state.cursor))),
            Phase::Snatch => Next::Snatch(self.place(state, Seat(state.cursor))),
            Phase::Bench if state.player(Seat(state.cursor)).chooses_bench() => Next::Ask,
            Phase::Won | Phase::Dead | Phase::Limit => Next::Ask,
            _ => Next::Choose,
        }
    }

    /// What follows from the rest and was given, and that a card being resolved has a choice.
    fn agreement(&self, state: &State, position: &Position, found: &mut Vec<Problem>) {
        if !found.is_empty() {
            return;
        }
        let own = self.state_json(state, None);
        for (at, seat) in position.seats.iter().enumerate() {
            let given = [
                ("missing", &seat.missing),
                ("completion", &seat.completion),
                ("hand_sizes", &seat.hand_sizes),
            ];
            for (name, given) in given {
                let Some(given) = given else { continue };
                let path = format!("seats[{at}].{name}");
                found.extend(difference(&path, given, &own["seats"][at][name]));
            }
        }
        let choosing = matches!(
            state.phase,
            Phase::Target | Phase::Receive | Phase::Give | Phase::Steal | Phase::Take | Phase::Goal
        );
        if choosing && self.legal_choices(state, Seat(state.cursor)).is_empty() {
            found.push(Problem::new(
                "phase",
                "the card being resolved could not be played: nothing to choose",
            ));
        }
    }
}

/// Turns the JSON form into a state and collects what is wrong with it.
struct Reader<'a> {
    game: &'a Rafts,
    found: Vec<Problem>,
}

impl Reader<'_> {
    fn wrong(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.found.push(Problem::new(path, message));
    }

    fn read(&mut self, position: &Position) -> State {
        let game = self.game;
        let mut state = game.empty_table();
        state.deck = [0; MAX_KINDS];
        state.goals_left = [0; super::state::MAX_GOALS];
        state.turn = self.number("turn", position.turn, u16::MAX.into()) as u16;
        state.quiet = self.number("quiet_turns", position.quiet_turns, 255) as u8;
        state.turn_player = self.seat("turn_player", Some(position.turn_player)).unwrap_or(0);
        state.cursor = self.seat("asked", position.asked).unwrap_or(state.turn_player);
        state.partner = self.seat("partner", position.partner);
        state.phase = self.phase(position.phase.as_deref());
        state.stage = match position.stage.as_deref() {
            None if state.phase == Phase::Discard => Stage::Discard,
            None | Some("main") => Stage::Main,
            Some("discard") => Stage::Discard,
            Some(other) => {
                self.wrong("stage", format!("`{other}`; allowed: main, discard"));
                Stage::Main
            }
        };
        state.resolving = self.kind("resolving", position.resolving.as_deref());
        state.placing = self.kind("placing", position.placing.as_deref());
        state.last = self.kind("last_discard", position.last_discard.as_deref());
        state.receiving = position.receiving.as_deref().and_then(|id| self.goal("receiving", id));
        for (i, &seat) in position.shielded.iter().flatten().enumerate() {
            let path = format!("shielded[{i}]");
            let Some(seat) = self.seat(&path, Some(seat)) else { continue };
            if state.shields >> seat & 1 != 0 {
                self.wrong(path, format!("seat {seat} is there twice"));
            }
            state.shields |= 1 << seat;
        }
        let resources = 0..game.resources;
        self.counts("discards", position.discards.as_ref(), resources, &mut state.discards, 0);
        let actions = game.resources..game.kinds;
        self.counts(
            "actions_played",
            position.actions_played.as_ref(),
            actions,
            &mut state.played,
            game.resources,
        );
        let count = position.seats.len();
        if count != game.players {
            self.wrong("seats", format!("{count} seats for {} players", game.players));
        } else {
            for (at, seat) in position.seats.iter().enumerate() {
                self.player(at, seat, &mut state);
            }
        }
        // What tables, goals and known cards come from was played.
        if position.actions_played.is_none() {
            for (action, effect) in game.effects[..game.kinds - game.resources].iter().enumerate() {
                state.played[action] = game.traces(&state, *effect).unwrap_or(0).min(255) as u8;
            }
        }
        // So was what is being resolved, with the shields against it.
        if position.actions_played.is_none()
            && let Some(action) = state.resolving.and_then(|kind| kind.index().checked_sub(game.resources))
        {
            state.played[action] = state.played[action].saturating_add(1);
            if let Some(shield) = game.shields[action] {
                let played = &mut state.played[shield.index() - game.resources];
                *played = played.saturating_add(state.shields.count_ones() as u8);
            }
        }
        if self.found.is_empty() {
            self.decks(position, &mut state);
        }
        let begun =
            !matches!(state.phase, Phase::Main | Phase::Draw | Phase::Discard) && !state.phase.is_over();
        state.stirred = position.stirred.unwrap_or(begun);
        if position.turn.is_none() && self.found.is_empty() {
            state.turn = game.least_turns(&state);
        }
        state
    }

    /// Given decks, or whatever is nowhere else.
    fn decks(&mut self, position: &Position, state: &mut State) {
        let game = self.game;
        let given = position.decks.as_ref();
        for deck in Deck::ALL {
            let (range, path) = (game.range(deck), format!("decks.{}", deck.name()));
            let counts = given.and_then(|decks| match deck {
                Deck::Actions => decks.actions.as_ref(),
                Deck::Specific => decks.specific.as_ref(),
                Deck::Generic => decks.generic.as_ref(),
            });
            if given.is_some() {
                self.counts(&path, counts, range, &mut state.deck, 0);
            } else {
                for k in range {
                    state.deck[k] = game.copies[k].saturating_sub(elsewhere(game, state, Kind(k as u8)));
                }
            }
        }
        if let Some(left) = &position.goals_left {
            let mut seen = 0;
            for (id, &count) in left {
                let path = format!("goals_left.{id}");
                let Some(goal) = self.goal(&path, id) else { continue };
                self.once(&path, &mut seen, goal.index());
                state.goals_left[goal.index()] = self.number(&path, Some(count), 31) as u8;
            }
        } else {
            for (g, left) in state.goals_left[..game.goals.len()].iter_mut().enumerate() {
                let owned = state.players.iter().filter(|player| player.goals >> g & 1 != 0).count() as u8;
                *left = game.goal_copies[g].saturating_sub(owned);
            }
        }
    }

    fn player(&mut self, at: usize, json: &SeatJson, state: &mut State) {
        let game = self.game;
        let path = |name: &str| format!("seats[{at}].{name}");
        let mut player = super::state::Player::EMPTY;
        let benches = json.benches.as_deref().unwrap_or_default();
        player.lab = json.lab_expansion.unwrap_or(benches.len() > 1);
        let most = 1 + usize::from(player.lab);
        if benches.len() > most {
            self.wrong(path("benches"), format!("{} benches; at most {most} here", benches.len()));
        }
        for (b, bench) in benches.iter().take(2).enumerate() {
            for (slot, name, id) in [(BACTERIUM, "bacterium", &bench.bacterium), (GENE, "gene", &bench.gene)]
            {
                player.benches[b][slot] = self.kind(&path(&format!("benches[{b}].{name}")), id.as_deref());
            }
        }
        let mut seen = 0;
        for (id, &count) in json.generics.iter().flatten() {
            let path = path(&format!("generics.{id}"));
            let Some(generic) = GENERICS.iter().position(|generic| same(generic, id)) else {
                self.wrong(path, format!("allowed: {}", GENERICS.join(", ")));
                continue;
            };
            self.once(&path, &mut seen, generic);
            player.generics[generic] = self.number(&path, Some(count), 31) as u8;
        }
        for (i, id) in json.goals.iter().enumerate() {
            let path = path(&format!("goals[{i}]"));
            let Some(goal) = self.goal(&path, id) else { continue };
            if player.goals >> goal.0 & 1 != 0 {
                self.wrong(path, format!("`{id}` is there twice"));
            }
            player.goals |= 1 << goal.0;
        }
        let resources = 0..game.resources;
        self.counts(&path("hand"), Some(&json.hand), 0..game.kinds, &mut player.hand, 0);
        self.counts(&path("known_hand"), json.known_hand.as_ref(), resources.clone(), &mut player.known, 0);
        if json.drawn.is_some() {
            self.counts(&path("drawn"), json.drawn.as_ref(), resources, &mut player.drawn, 0);
        } else {
            // What is in a hand and was not recovered came from the deck.
            for k in resources {
                player.drawn[k] = player.hand[k].saturating_sub(player.known[k]);
            }
        }
        state.players[at] = player;
    }

    /// Counts by id, of kinds in a range.
    fn counts(
        &mut self,
        path: &str,
        given: Option<&Counts>,
        range: std::ops::Range<usize>,
        out: &mut [u8],
        from: usize,
    ) {
        let mut seen = 0;
        for (id, &count) in given.into_iter().flatten() {
            let path = format!("{path}.{id}");
            let Some(kind) = self.game.kind(id).filter(|kind| range.contains(&kind.index())) else {
                self.wrong(path, "no such card here");
                continue;
            };
            self.once(&path, &mut seen, kind.index());
            out[kind.index() - from] = self.number(&path, Some(count), 31) as u8;
        }
    }

    /// Ids are read without regard to case: two spellings of one would count once.
    fn once(&mut self, path: &str, seen: &mut u64, index: usize) {
        if *seen >> index & 1 != 0 {
            self.wrong(path, "is there twice (upper and lower case are alike)");
        }
        *seen |= 1 << index;
    }

    fn number(&mut self, path: &str, given: Option<i64>, most: i64) -> i64 {
        let number = given.unwrap_or(0);
        if !(0..=most).contains(&number) {
            self.wrong(path, format!("{number}; allowed: 0 to {most}"));
        }
        number.clamp(0, most)
    }

    fn seat(&mut self, path: &str, given: Option<i64>) -> Option<u8> {
        let seat = given?;
        let found = (0..self.game.players as i64).contains(&seat).then_some(seat as u8);
        if found.is_none() {
            self.wrong(path, format!("{seat}; allowed: 0 to {}", self.game.players - 1));
        }
        found
    }

    fn phase(&mut self, given: Option<&str>) -> Phase {
        let Some(name) = given else { return Phase::Main };
        Phase::parse(name).unwrap_or_else(|| {
            let all = Phase::ALL.map(Phase::name).join(", ");
            self.wrong("phase", format!("no such phase; allowed: {all}"));
            Phase::Main
        })
    }

    fn kind(&mut self, path: &str, given: Option<&str>) -> Option<Kind> {
        let id = given?;
        let found = self.game.kind(id);
        if found.is_none() {
            self.wrong(path, "no such card");
        }
        found
    }

    fn goal(&mut self, path: &str, id: &str) -> Option<GoalKind> {
        let found = self.game.goal_kind(id);
        if found.is_none() {
            self.wrong(path, "no such goal");
        }
        found
    }
}

/// Copies of a kind that lie outside its deck.
fn elsewhere(game: &Rafts, state: &State, kind: Kind) -> u8 {
    let k = kind.index();
    let mut there = 0u8;
    for player in &state.players {
        let table = player.benches.iter().flatten().filter(|slot| **slot == Some(kind)).count() as u8;
        let generic = game.generic(kind).map_or(0, |generic| player.generics[generic]);
        there = there.saturating_add(player.hand[k]).saturating_add(table).saturating_add(generic);
    }
    let open = match k.checked_sub(game.resources) {
        Some(action) => state.played[action],
        None => state.discards[k].saturating_add((state.placing == Some(kind)).into()),
    };
    there.saturating_add(open)
}
