//! Positions from outside: from JSON to a state.

use super::Gravitix;
use super::map::{Cell, SLOTS};
use super::state::{Ability, Cards, MAX_KINDS, Pair, Payment, Pending, Phase, Resource, State};
use playmat_core::fields::{Fields, Found, entries, items, typed};
use playmat_core::prelude::*;
use playmat_core::save::difference;
use serde_json::Value;

/// Names in the JSON form that follow from the rest; given, they must agree.
const FOLLOWS: [&str; 2] = ["stock", "scores"];

impl Gravitix {
    /// Reads a position and plays on until somebody must choose or the game is over.
    pub(super) fn load_position(&self, json: &Value, rng: &mut Rng) -> Result<State, Vec<Problem>> {
        let mut reader = Reader { game: self, found: Vec::new() };
        let mut state = reader.read(json);
        if !reader.found.is_empty() {
            return Err(reader.found);
        }
        let mut problems = self.state_problems(&state);
        if problems.is_empty() {
            let own = self.state_json(&state, None);
            let given = FOLLOWS.iter().filter_map(|&name| Some((name, json.get(name)?)));
            let wrong = |(name, value): (&str, &Value)| {
                if value.is_null() { None } else { difference(name, value, &own[name]) }
            };
            problems.extend(given.filter_map(wrong));
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        self.play_on(&mut state, rng, &mut Silent);
        Ok(state)
    }
}

/// Turns the JSON form into a state and collects what is wrong with its form.
struct Reader<'a> {
    game: &'a Gravitix,
    found: Found,
}

impl Reader<'_> {
    fn wrong(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.found.push(Problem::new(path, message));
    }

    /// Reads every field and says of all of them at once what is missing, mistyped, unknown or not of this game.
    fn read(&mut self, json: &Value) -> State {
        let mut fields = Fields::of(json);
        let values = |path: &str, value: &Value, found: &mut Found| {
            items(path, value, found, |_, value, _| Some(value.clone()))
        };
        let cards = |path: &str, value: &Value, found: &mut Found| items(path, value, found, entries::<i64>);
        let turn = fields.need("turn", typed::<u8>);
        let phase = fields.need("phase", typed::<String>);
        let islands = fields.need("islands", values);
        let ships = fields.need("ships", values);
        let zones = ["hands", "decks", "discards"].map(|name| (name, fields.need(name, cards)));
        let pending = fields.need("pending", values);
        let sailed = fields.need("sailed", |p, v, found| items(p, v, found, typed::<u8>));
        let range = fields.may("range", typed::<u8>);
        let swap_left = fields.may("swap_left", typed::<u8>);
        let payment = fields.may("payment", |_, value, _| Some(value.clone()));
        for name in FOLLOWS {
            fields.may(name, |_, value, _| Some(value.clone()));
        }
        self.found = fields.finish();
        let mut state = State::EMPTY;
        state.turn = Seat(turn.unwrap_or(0));
        state.phase = phase.and_then(|name| self.phase(&name)).unwrap_or(Phase::Turn);
        if let Some(islands) = islands {
            self.islands(&islands, &mut state);
        }
        for ((name, given), zone) in
            zones.into_iter().zip([&mut state.hands, &mut state.decks, &mut state.discards])
        {
            for (seat, entries) in self.by_seat(name, given).iter().enumerate() {
                zone[seat] = self.cards(&format!("{name}[{seat}]"), entries);
            }
        }
        for (seat, value) in self.by_seat("ships", ships).iter().enumerate() {
            state.ships[seat] = self.cell(&format!("ships[{seat}]"), value);
        }
        for (seat, value) in self.by_seat("pending", pending).iter().enumerate() {
            state.pending[seat] = self.effect(&format!("pending[{seat}]"), value);
        }
        for (seat, sailed) in self.by_seat("sailed", sailed).into_iter().enumerate() {
            state.sailed[seat] = sailed;
        }
        state.range = range.unwrap_or(0);
        state.swap_left = swap_left.unwrap_or(0);
        if let Some(payment) = payment {
            state.payment = self.payment(&payment);
        }
        if self.found.is_empty() {
            self.game.lay_out(&mut state);
        }
        state
    }

    /// A list with a value for each player; of any other length nothing is read.
    fn by_seat<T>(&mut self, name: &str, given: Option<Vec<T>>) -> Vec<T> {
        let (given, players) = (given.unwrap_or_default(), self.game.players);
        if given.len() == players {
            return given;
        }
        if !self.found.iter().any(|problem| problem.path.starts_with(name)) {
            let plural = if players == 1 { "" } else { "s" };
            self.wrong(name, format!("{} values for {players} player{plural}", given.len()));
        }
        Vec::new()
    }

    fn one_of(&mut self, path: &str, given: &str, names: &[&str]) -> Option<usize> {
        let at = names.iter().position(|&name| name == given);
        if at.is_none() {
            let given: String = given.escape_debug().take(40).collect();
            self.wrong(path, format!("`{given}`; allowed: {}", names.join(", ")));
        }
        at
    }

    fn phase(&mut self, name: &str) -> Option<Phase> {
        self.one_of("phase", name, &Phase::NAMES).map(|at| Phase::ALL[at])
    }

    fn effect(&mut self, path: &str, value: &Value) -> Pending {
        if value.is_null() {
            return Pending::None;
        }
        let names = Pending::ALL.map(|effect| effect.ability().map_or("", Ability::name));
        match value.as_str() {
            Some(name) => self.one_of(path, name, &names).map_or(Pending::None, |at| Pending::ALL[at]),
            None => {
                self.wrong(path, format!("expected null or one of {}", names.join(", ")));
                Pending::None
            }
        }
    }

    /// A cell as `[strip, k]`; `null` is nowhere.
    fn cell(&mut self, path: &str, value: &Value) -> Cell {
        if value.is_null() {
            return Cell::NONE;
        }
        let Some([s, k]) = typed::<[u8; 2]>(path, value, &mut self.found) else { return Cell::NONE };
        match self.game.map.cell(s.into(), k.into()) {
            Some(cell) => cell,
            None => {
                let name = self.game.map.formation.name();
                self.wrong(path, format!("strip {s}, k {k} is no cell of {name}"));
                Cell::NONE
            }
        }
    }

    fn cards(&mut self, path: &str, given: &std::collections::BTreeMap<String, i64>) -> Cards {
        let mut cards = [0; MAX_KINDS];
        for (id, &count) in given {
            let Some(kind) = self.game.kinds.iter().position(|kind| &kind.id == id) else {
                let ids: Vec<&str> = self.game.kinds.iter().map(|kind| kind.id.as_str()).collect();
                self.wrong(format!("{path}.{id}"), format!("no such card; allowed: {}", ids.join(", ")));
                continue;
            };
            let copies = i64::from(self.game.deck[kind]);
            if !(0..=copies).contains(&count) {
                self.wrong(format!("{path}.{id}"), format!("{count}; allowed: 0 to {copies}"));
            }
            cards[kind] = count.clamp(0, copies) as u8;
        }
        cards
    }

    fn islands(&mut self, given: &[Value], state: &mut State) {
        if given.len() != SLOTS {
            self.wrong("islands", format!("{} islands; a map has {SLOTS}", given.len()));
        }
        let ids: Vec<String> = self.game.faces.iter().map(|face| face.id.clone()).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        for (slot, value) in given.iter().enumerate().take(SLOTS) {
            let path = format!("islands[{slot}]");
            let mut fields = Fields::of(value);
            let face = fields.need("face", typed::<String>);
            let turned = fields.need("turned", typed::<bool>);
            let owner = fields.may("owner", typed::<u8>);
            let doubled = fields.may("doubled", typed::<bool>);
            let cell = fields.may("cell", |_, value, _| Some(value.clone()));
            let inner = fields.finish();
            self.found.extend(inner.into_iter().map(|problem| problem.under(&path)));
            let face = face.and_then(|id| self.one_of(&format!("{path}.face"), &id, &ids));
            let (Some(face), Some(turned)) = (face, turned) else { continue };
            state.faces[slot] = face as u8;
            state.turned |= u16::from(turned) << slot;
            state.doubled |= u16::from(doubled.unwrap_or(false)) << slot;
            match owner {
                Some(seat) if usize::from(seat) < self.game.players => {
                    state.owned[usize::from(seat)] |= 1 << slot;
                }
                Some(seat) => {
                    self.wrong(
                        format!("{path}.owner"),
                        format!("seat {seat}; there are {}", self.game.players),
                    );
                }
                None => {}
            }
            let at = self.game.map.island(slot, self.game.place_of(state, slot));
            let must = super::text::cell_json(self.game, at);
            self.found.extend(cell.and_then(|cell| difference(&format!("{path}.cell"), &cell, &must)));
        }
    }

    fn payment(&mut self, value: &Value) -> Payment {
        let mut fields = Fields::of(value);
        let slot = fields.need("slot", typed::<u8>);
        let due = fields.need("due", typed::<[u8; 3]>);
        let doubled = fields.need("doubled", typed::<bool>);
        let [pair_left, units_left, shifts, exchanges] =
            ["pair_left", "units_left", "shifts", "exchanges"].map(|name| fields.need(name, typed::<u8>));
        let pair_first = fields.may("pair_first", typed::<String>);
        let started = fields.need("started", typed::<bool>);
        let exchange = fields.may("exchange", typed::<[String; 2]>);
        let inner = fields.finish();
        self.found.extend(inner.into_iter().map(|problem| problem.under("payment")));
        let mut resource = |path: &str, name: &str| self.one_of(path, name, &Resource::NAMES);
        let first = pair_first.and_then(|name| resource("payment.pair_first", &name));
        let pair = exchange.and_then(|[from, to]| {
            Some((resource("payment.exchange[0]", &from)?, resource("payment.exchange[1]", &to)?))
        });
        if pair.is_some_and(|(from, to)| from == to) {
            self.wrong("payment.exchange", "the same resource twice");
        }
        Payment {
            slot: slot.unwrap_or(0),
            due: due.unwrap_or([0; 3]),
            doubled: doubled.unwrap_or(false),
            pair_left: pair_left.unwrap_or(0),
            units_left: units_left.unwrap_or(0),
            pair_first: first.map_or(0, |first| first as u8 + 1),
            shifts: shifts.unwrap_or(0),
            exchanges: exchanges.unwrap_or(0),
            started: started.unwrap_or(false),
            exchange: pair.filter(|(from, to)| from != to).map(|(from, to)| Pair::of(from, to)),
        }
    }
}
