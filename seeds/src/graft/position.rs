//! Positions from outside: the complete JSON form back to a state (GR-R23).

use super::Graft;
use super::content::Effect;
use super::state::{Counts, DECLINE_CODE, HAND, Hand, Kind, MAX_ROW, Phase, SHIP_CODE, SLOTS, State};
use super::text::{NO_CLAIM, SHIP_ID};
use playmat_core::fields::{Fields, Found, entries, items, typed};
use playmat_core::prelude::*;
use playmat_core::save::difference;
use serde_json::Value;
use std::collections::BTreeMap;

/// The JSON form of a position. What follows from the rest may be left out; given, it must agree.
struct Position {
    turn: i64,
    phase: Option<String>,
    badges: Vec<String>,
    taken: Option<Vec<String>>,
    pile: BTreeMap<String, i64>,
    out: BTreeMap<String, i64>,
    seats: Vec<SeatJson>,
    shippers: Vec<i64>,
    shipped: Vec<i64>,
    replaced: Option<bool>,
    unfinished: Option<Vec<i64>>,
}

/// One seat of it.
struct SeatJson {
    hand: Vec<String>,
    known: BTreeMap<String, Vec<String>>,
    row: Vec<String>,
    compost: BTreeMap<String, i64>,
    completed: Vec<Vec<String>>,
    claims: BTreeMap<String, i64>,
    waiting: Option<String>,
    picks: i64,
    take_bar: bool,
    chosen: Vec<String>,
    replacement: Option<String>,
    claim: Option<String>,
    derived: [(&'static str, Option<Value>); 4],
}

fn names(path: &str, value: &Value, found: &mut Found) -> Option<Vec<String>> {
    items(path, value, found, typed::<String>)
}

fn numbers(path: &str, value: &Value, found: &mut Found) -> Option<Vec<i64>> {
    items(path, value, found, typed::<i64>)
}

impl Position {
    /// Reads every field, and says of all of them at once what is missing, mistyped or unknown.
    fn read(json: &Value) -> Result<Position, Vec<Problem>> {
        let mut fields = Fields::of(json);
        let turn = fields.need("turn", typed);
        let phase = fields.may("phase", typed);
        let badges = fields.need("badges", names);
        let taken = fields.may("taken", names);
        let pile = fields.need("pile", entries);
        let out = fields.may("out", entries);
        let seats = fields.need("seats", |path, value, found| items(path, value, found, SeatJson::read));
        let shippers = fields.may("shippers", numbers);
        let shipped = fields.may("shipped", numbers);
        let replaced = fields.may("replaced", typed);
        let unfinished = fields.may("unfinished", numbers);
        let found = fields.finish();
        if !found.is_empty() {
            return Err(found);
        }
        let whole = || {
            Some(Position {
                turn: turn?,
                phase,
                badges: badges?,
                taken,
                pile: pile?,
                out: out.unwrap_or_default(),
                seats: seats?,
                shippers: shippers.unwrap_or_default(),
                shipped: shipped.unwrap_or_default(),
                replaced,
                unfinished,
            })
        };
        whole().ok_or(found)
    }
}

impl SeatJson {
    fn read(path: &str, value: &Value, found: &mut Found) -> Option<SeatJson> {
        let mut fields = Fields::of(value);
        let hand = fields.need("hand", names);
        let known = fields.may("known", entries);
        let row = fields.need("row", names);
        let compost = fields.need("compost", entries);
        let completed = fields.need("completed", |p, v, f| items(p, v, f, names));
        let claims = fields.may("claims", entries);
        let waiting = fields.may("waiting", typed);
        let picks = fields.may("picks", typed);
        let take_bar = fields.may("take_bar", typed);
        let chosen = fields.may("chosen", names);
        let replacement = fields.may("replacement", typed);
        let claim = fields.may("claim", typed);
        let derived =
            ["forbidden", "row_score", "row_badges", "points"].map(|name| (name, fields.may(name, typed)));
        let own = fields.finish();
        let good = own.is_empty();
        found.extend(own.into_iter().map(|problem| {
            let path = if problem.path.is_empty() { path.into() } else { format!("{path}.{}", problem.path) };
            Problem::new(path, problem.message)
        }));
        if !good {
            return None;
        }
        Some(SeatJson {
            hand: hand?,
            known: known.unwrap_or_default(),
            row: row?,
            compost: compost?,
            completed: completed?,
            claims: claims.unwrap_or_default(),
            waiting,
            picks: picks.unwrap_or(0),
            take_bar: take_bar.unwrap_or(false),
            chosen: chosen.unwrap_or_default(),
            replacement,
            claim,
            derived,
        })
    }
}

impl Graft {
    /// Reads a position and plays on until somebody must choose or the game is over.
    pub(super) fn load_position(&self, json: &Value, rng: &mut Rng) -> Result<State, Vec<Problem>> {
        let position = Position::read(json)?;
        let mut reader = Reader { game: self, found: Vec::new() };
        let mut state = reader.read(&position);
        if reader.found.is_empty() {
            reader.found = self.state_problems(&state);
        }
        if !reader.found.is_empty() {
            return Err(reader.found);
        }
        let own = self.state_json(&state, None);
        let mut problems = Vec::new();
        for (i, seat) in position.seats.iter().enumerate() {
            for (name, given) in &seat.derived {
                if let Some(given) = given {
                    problems.extend(difference(
                        &format!("seats[{i}].{name}"),
                        given,
                        &own["seats"][i][*name],
                    ));
                }
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        if position.unfinished.is_none() {
            self.force_open(&mut state);
            self.play_on(&mut state, rng, &mut Silent);
        }
        Ok(state)
    }

    /// Forced moves of a position that does not say who is still asked.
    fn force_open(&self, state: &mut State) {
        if state.phase == Phase::Replace {
            self.force_replacements(state, &mut Silent);
        }
        for seat in Seat::all(self.players) {
            let first = state.phase == Phase::Choose
                && state.bars.contains(seat)
                && state.cards[seat.index()][0] == 0;
            if first {
                self.force_first(state, seat, &mut Silent);
            }
        }
    }
}

/// Turns the JSON form into a state and collects what is wrong with its words and numbers.
struct Reader<'a> {
    game: &'a Graft,
    found: Vec<Problem>,
}

impl Reader<'_> {
    fn wrong(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.found.push(Problem::new(path, message));
    }

    fn kind(&mut self, path: &str, id: &str) -> Option<Kind> {
        let kind = self.game.kind_of(id);
        if kind.is_none() {
            let given: String = id.escape_debug().take(40).collect();
            self.wrong(path, format!("no card is called `{given}`"));
        }
        kind
    }

    fn code(&mut self, path: &str, id: &str) -> u8 {
        self.kind(path, id).map_or(0, Kind::code)
    }

    fn counts(&mut self, path: &str, given: &BTreeMap<String, i64>) -> Counts {
        let mut counts = Counts::default();
        for (id, &count) in given {
            let path = format!("{path}.{id}");
            let Some(kind) = self.kind(&path, id) else { continue };
            let most = i64::from(self.game.deck().0[kind.index()]);
            if !(0..=most).contains(&count) {
                self.wrong(path, format!("{count} cards; allowed: 0 to {most}"));
                continue;
            }
            counts.0[kind.index()] = count as u8;
        }
        counts
    }

    /// A list of cards as codes.
    fn codes(&mut self, path: &str, ids: &[String], most: usize) -> Vec<u8> {
        if ids.len() > most {
            self.wrong(path, format!("{} cards; at most {most}", ids.len()));
            return Vec::new();
        }
        ids.iter().enumerate().map(|(i, id)| self.code(&format!("{path}[{i}]"), id)).collect()
    }

    fn seats(&mut self, path: &str, given: &[i64]) -> Seats {
        let mut seats = Seats::EMPTY;
        for (i, &seat) in given.iter().enumerate() {
            let path = format!("{path}[{i}]");
            match u8::try_from(seat).ok().map(Seat).filter(|seat| seat.index() < self.game.players()) {
                None => self.wrong(path, format!("{seat} is no seat of this table")),
                Some(seat) if seats.contains(seat) => self.wrong(path, format!("seat {seat} is there twice")),
                Some(seat) => seats.insert(seat),
            }
        }
        seats
    }

    fn slot(&mut self, path: &str, state: &State, id: &str) -> Option<usize> {
        let badge = self.game.badge_of(id);
        let slot = badge.and_then(|badge| state.slots.iter().position(|&slot| slot == badge));
        if slot.is_none() {
            let given: String = id.escape_debug().take(40).collect();
            self.wrong(path, format!("no badge in play is called `{given}`"));
        }
        slot
    }

    fn read(&mut self, position: &Position) -> State {
        let players = self.game.players();
        let mut state = State::default();
        let last = self.game.turns() as i64 - 1;
        if !(0..=last).contains(&position.turn) {
            self.wrong("turn", format!("{}; allowed: 0 to {last}", position.turn));
        }
        state.turn = position.turn.clamp(0, last) as u8;
        self.slots(&position.badges, &mut state);
        if let Some(name) = &position.phase {
            match Phase::ALL.into_iter().find(|phase| phase.name() == name) {
                Some(phase) => state.phase = phase,
                None => {
                    let known = Phase::ALL.map(Phase::name).join(", ");
                    let given: String = name.escape_debug().take(40).collect();
                    self.wrong("phase", format!("no phase is called `{given}`; allowed: {known}"));
                }
            }
        }
        state.pile = self.counts("pile", &position.pile);
        state.out = self.counts("out", &position.out);
        state.shippers = self.seats("shippers", &position.shippers);
        state.shipped = self.seats("shipped", &position.shipped);
        let late = matches!(state.phase, Phase::Claim | Phase::Refill | Phase::End);
        if position.replaced.unwrap_or(late && !state.shippers.is_empty()) {
            if state.shippers.is_empty() {
                self.wrong("replaced", "nobody has revealed a ship card");
            }
            state.replaced = state.shippers;
        }
        if position.seats.len() != players {
            self.wrong("seats", format!("{} seats for {players} players", position.seats.len()));
        }
        if !self.found.is_empty() {
            return state;
        }
        for (i, seat) in position.seats.iter().enumerate() {
            self.seat(i, seat, &mut state);
        }
        match &position.taken {
            None => state.taken = state.claimed_slots(players),
            Some(ids) => {
                for (i, id) in ids.iter().enumerate() {
                    let path = format!("taken[{i}]");
                    let Some(slot) = self.slot(&path, &state, id) else { continue };
                    if state.taken >> slot & 1 != 0 {
                        self.wrong(path, "is there twice");
                    }
                    state.taken |= 1 << slot;
                }
            }
        }
        if self.found.is_empty() {
            self.derive(position, &mut state);
        }
        state
    }

    fn slots(&mut self, badges: &[String], state: &mut State) {
        if badges.len() != SLOTS {
            self.wrong("badges", format!("{} badges; {SLOTS} are in play", badges.len()));
        }
        for (i, (slot, id)) in state.slots.iter_mut().zip(badges).enumerate() {
            match self.game.badge_of(id) {
                Some(badge) => *slot = badge,
                None => {
                    let given: String = id.escape_debug().take(40).collect();
                    self.found
                        .push(Problem::new(format!("badges[{i}]"), format!("no badge is called `{given}`")));
                }
            }
        }
    }

    fn seat(&mut self, i: usize, json: &SeatJson, state: &mut State) {
        let at = |field: &str| format!("seats[{i}].{field}");
        let seat = Seat(i as u8);
        self.hand(i, json, state);
        let codes = self.codes(&at("row"), &json.row, self.game.turns().min(MAX_ROW));
        state.rows[i] =
            if codes.contains(&0) { Default::default() } else { self.game.row_of(&codes, &state.slots) };
        state.composts[i] = self.counts(&at("compost"), &json.compost);
        state.compost_sizes[i] = state.composts[i].total().min(255) as u8;
        self.completed(i, json, state);
        for (id, &value) in &json.claims {
            let path = format!("{}.{id}", at("claims"));
            let Some(slot) = self.slot(&path, state, id) else { continue };
            let badge = &self.game.badges()[usize::from(state.slots[slot])];
            if value != i64::from(badge.high) && value != i64::from(badge.low) {
                self.wrong(path, format!("{value}; allowed: {} or {}", badge.high, badge.low));
                continue;
            }
            state.claims[i][slot] = value as u8;
        }
        if let Some(id) = &json.waiting {
            state.cards[i][1] = self.code(&at("waiting"), id);
            if state.phase == Phase::Choose {
                self.wrong(at("waiting"), "nothing is revealed yet");
            }
        }
        if !(0..64).contains(&json.picks) {
            self.wrong(at("picks"), format!("{}; allowed: 0 to 63", json.picks));
        }
        state.picks[i] = json.picks.clamp(0, 63) as u8;
        if json.take_bar {
            state.bars.insert(seat);
        }
        self.chosen(i, json, state);
        if let Some(id) = &json.replacement {
            state.replacements[i] = self.code(&at("replacement"), id);
        }
        match json.claim.as_deref() {
            None => {}
            Some(NO_CLAIM) => state.claiming[i] = DECLINE_CODE,
            Some(id) => {
                state.claiming[i] = self.slot(&at("claim"), state, id).map_or(0, |slot| slot as u8 + 1);
            }
        }
    }

    fn hand(&mut self, i: usize, json: &SeatJson, state: &mut State) {
        let path = format!("seats[{i}].hand");
        let codes = self.codes(&path, &json.hand, HAND);
        let mut kinds: Vec<Kind> = codes.into_iter().filter(|&code| code != 0).map(Kind::of_code).collect();
        kinds.sort_unstable();
        let mut hand = Hand::default();
        for &kind in &kinds {
            hand.draw(kind, 1 << i);
        }
        for (name, ids) in &json.known {
            let path = format!("seats[{i}].known.{name}");
            let viewer =
                Seat::all(self.game.players()).find(|seat| seat.to_string() == *name && seat.index() != i);
            let Some(viewer) = viewer else {
                self.wrong(path, "names no other seat of this table");
                continue;
            };
            let mut left = kinds.clone();
            for (j, id) in ids.iter().enumerate() {
                let path = format!("{path}[{j}]");
                let Some(kind) = self.kind(&path, id) else { continue };
                match left.iter().position(|&held| held == kind) {
                    None => self.wrong(path, format!("`{id}` is not in the hand so often")),
                    Some(place) => {
                        left.remove(place);
                        // The best known card of the kind that this seat does not know yet.
                        let card = (0..hand.size())
                            .find(|&c| hand.kinds[c] == kind && hand.known[c] >> viewer.0 & 1 == 0);
                        card.into_iter().for_each(|c| hand.known[c] |= 1 << viewer.0);
                    }
                }
            }
        }
        state.hands[i] = hand;
    }

    fn completed(&mut self, i: usize, json: &SeatJson, state: &mut State) {
        let most = self.game.turns().min(MAX_ROW);
        let mut from = 0;
        for (j, ids) in json.completed.iter().enumerate() {
            let path = format!("seats[{i}].completed[{j}]");
            let codes = self.codes(&path, ids, most.saturating_sub(from));
            if ids.is_empty() {
                self.wrong(path, "an empty row is never completed");
            }
            if codes.is_empty() || codes.contains(&0) {
                continue;
            }
            state.completed[i][from..from + codes.len()].copy_from_slice(&codes);
            from += codes.len();
            state.ends[i] |= 1 << (from - 1);
            state.row_points[i] += self.game.row_of(&codes, &state.slots).score;
            let recycle = |code: &&u8| self.game.data(Kind::of_code(**code)).effect == Effect::Recycle;
            state.recycles[i] += codes.iter().filter(recycle).count() as u8;
        }
    }

    fn chosen(&mut self, i: usize, json: &SeatJson, state: &mut State) {
        let path = format!("seats[{i}].chosen");
        let most = 1 + usize::from(json.take_bar);
        if json.chosen.len() > most {
            return self.wrong(path, format!("{} cards; at most {most}", json.chosen.len()));
        }
        if !json.chosen.is_empty() && state.phase != Phase::Choose {
            return self.wrong(path, "nothing lies face down in this phase");
        }
        for (j, id) in json.chosen.iter().enumerate() {
            let path = format!("{path}[{j}]");
            let code = if id == SHIP_ID { SHIP_CODE } else { self.code(&path, id) };
            state.cards[i][j] = code;
        }
    }

    /// What follows from the rest: sizes, badges on offer, who is still asked.
    fn derive(&mut self, position: &Position, state: &mut State) {
        let game = self.game;
        state.pile_size = state.pile.total().min(255) as u8;
        let mut secret = [0u32; super::state::MAX_KINDS];
        for (kind, count) in secret.iter_mut().enumerate() {
            *count = u32::from(state.pile.0[kind]) + u32::from(state.out.0[kind]);
        }
        for hand in &state.hands[..game.players()] {
            for (kind, _) in hand.cards() {
                secret[kind.index()] += 1;
            }
        }
        state.secret = Counts(secret.map(|count| count.min(255) as u8));
        let all = Seat::all(game.players());
        let ending = state.is_ending();
        for seat in all.clone() {
            let at = seat.index();
            let closed = match state.phase {
                Phase::Claim if ending => game.claims_at_end || state.shipped.contains(seat),
                Phase::Claim => state.shipped.contains(seat),
                Phase::Refill => !state.shipped.contains(seat),
                _ => false,
            };
            if closed && let Some(last) = state.completed_rows(seat).last() {
                state.offers[at] = game.row_of(last, &state.slots).met & !state.own_slots(seat);
            }
        }
        state.acting = match state.phase {
            Phase::Choose => all
                .filter(|&seat| state.cards[seat.index()][usize::from(state.bars.contains(seat))] == 0)
                .collect(),
            Phase::Replant => state.replanting().into_iter().collect(),
            Phase::Replace => all
                .filter(|seat| state.replacements[seat.index()] == 0 && state.shippers.contains(*seat))
                .collect(),
            Phase::Claim | Phase::Refill => all
                .filter(|seat| state.offers[seat.index()] != 0 && state.claiming[seat.index()] == 0)
                .collect(),
            Phase::End => Seats::EMPTY,
        };
        if let Some(given) = &position.unfinished {
            let given = self.seats("unfinished", given);
            if self.found.is_empty() && given != state.acting {
                let owing: Vec<u8> = state.acting.iter().map(|seat| seat.0).collect();
                self.wrong("unfinished", format!("the choices leave {owing:?}"));
            }
        }
    }
}
