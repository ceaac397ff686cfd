//! Positions from outside: what is wrong with a state.

use super::Gravitix;
use super::map::Cell;
use super::rules::ALL_SLOTS;
use super::state::{
    Ability, MARKERS, MAX_KINDS, Pair, Payment, Pending, Phase, Resource, State, size, slots,
};
use playmat_core::prelude::*;

impl Gravitix {
    /// Everything that is wrong with a state between two decisions.
    pub(super) fn state_problems(&self, state: &State) -> Vec<Problem> {
        let mut check = Check { game: self, state, found: Vec::new() };
        check.map();
        check.cards();
        check.players();
        // What follows needs a map and cards that are there.
        if check.found.is_empty() {
            check.markers();
            check.pending();
            check.ships();
        }
        if check.found.is_empty() {
            check.phase();
        }
        check.found
    }
}

/// Looks at a state and collects what is wrong with it. Paths are those of the JSON form.
struct Check<'a> {
    game: &'a Gravitix,
    state: &'a State,
    found: Vec<Problem>,
}

impl Check<'_> {
    fn wrong(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.found.push(Problem::new(path, message));
    }

    fn seats(&self) -> impl Iterator<Item = usize> + use<> {
        0..self.game.players
    }

    /// Faces, and what follows from them.
    fn map(&mut self) {
        let faces = self.game.faces.len();
        for (slot, &face) in self.state.faces.iter().enumerate() {
            let path = format!("islands[{slot}].face");
            if usize::from(face) >= faces {
                self.wrong(path, format!("number {face}; the chosen set has {faces}"));
            } else if let Some(first) = self.state.faces[..slot].iter().position(|&other| other == face) {
                let id = &self.game.faces[usize::from(face)].id;
                self.wrong(path, format!("`{id}` lies in slot {first} already"));
            }
        }
        if self.state.turned > ALL_SLOTS || self.state.doubled > ALL_SLOTS || self.state.marked() > ALL_SLOTS
        {
            self.wrong("islands", "something about a slot above 11");
        }
        if self.found.is_empty() {
            let mut laid = *self.state;
            self.game.lay_out(&mut laid);
            if (laid.cells, laid.between) != (self.state.cells, self.state.between) {
                self.wrong("islands", "cells or distances do not follow from the faces");
            }
        }
    }

    /// Every card of the content is in one zone.
    fn cards(&mut self) {
        let zones = [&self.state.hands, &self.state.decks, &self.state.discards];
        for seat in self.seats() {
            for kind in 0..MAX_KINDS {
                let sum: u32 = zones.iter().map(|zone| u32::from(zone[seat][kind])).sum();
                let copies = u32::from(self.game.deck[kind]);
                if sum != copies {
                    let id = self.game.kinds.get(kind).map_or("no kind", |kind| kind.id.as_str());
                    self.wrong(
                        format!("hands[{seat}]"),
                        format!(
                            "{sum} of `{id}` in hand, deck and discards of seat {seat}; there are {copies}"
                        ),
                    );
                }
            }
            let (sailed, discarded) = (u32::from(self.state.sailed[seat]), size(&self.state.discards[seat]));
            if sailed > discarded {
                let message = format!("{sailed} cards; seat {seat} has discarded {discarded}");
                self.wrong(format!("sailed[{seat}]"), message);
            }
        }
    }

    /// Nothing belongs to a seat that does not exist.
    fn players(&mut self) {
        if self.state.turn.index() >= self.game.players {
            self.wrong("turn", format!("seat {}; there are {}", self.state.turn, self.game.players));
        }
        let empty = State::EMPTY;
        let (one, state) = (self.game.players == 1, self.state);
        let idle = (state.hands[1], state.decks[1], state.discards[1])
            == (empty.hands[1], empty.decks[1], empty.discards[1])
            && (state.owned[1], state.ships[1], state.pending[1], state.sailed[1])
                == (empty.owned[1], empty.ships[1], empty.pending[1], empty.sailed[1]);
        if one && !idle {
            self.wrong("hands", "a second player has something; there is one player");
        }
    }

    /// Islands, markers, doubled ones (GX-R8, R20a).
    fn markers(&mut self) {
        let state = self.state;
        for slot in slots(state.owned[0] & state.owned[1]) {
            self.wrong(format!("islands[{slot}].owner"), "two owners; an island has one at most");
        }
        for slot in slots(state.doubled & !state.marked()) {
            self.wrong(format!("islands[{slot}].doubled"), "two markers without an owner");
        }
        if self.game.players == 1 && state.doubled != 0 {
            self.wrong("islands", "a doubled island; in the puzzle there is none");
        }
        if self.game.players == 1 && state.payment.doubled {
            self.wrong("payment.doubled", "a doubled supply; in the puzzle there is none");
        }
        for seat in self.seats() {
            let paying = self.pays_doubled(seat);
            let used = state.markers(Seat(seat as u8)) + if paying { 2 } else { 0 };
            let running = state.phase != Phase::End;
            if used > MARKERS {
                self.wrong("islands", format!("{used} markers of seat {seat}; a player has {MARKERS}"));
            } else if running && used == MARKERS && !paying {
                self.wrong("phase", format!("seat {seat} has no marker left: the game is over"));
            }
            let doubles = self.game.count(state, Seat(seat as u8), Ability::Double).into();
            let wanted = (state.owned[seat] & state.doubled).count_ones()
                + u32::from(state.pending[seat] == Pending::Double)
                + u32::from(paying);
            if wanted > doubles {
                let message = format!(
                    "{wanted} islands of seat {seat} doubled, about to be or allowed to be; it owns {doubles} with `double`"
                );
                self.wrong("islands", message);
            }
        }
        if state.phase != Phase::End && state.marked() == ALL_SLOTS {
            self.wrong("phase", "all islands are marked: the game is over");
        }
    }

    /// Whether a seat is paying a doubled supply.
    fn pays_doubled(&self, seat: usize) -> bool {
        self.is_paying() && self.state.payment.doubled && self.state.turn.index() == seat
    }

    fn is_paying(&self) -> bool {
        matches!(self.state.phase, Phase::Discount | Phase::Pay)
    }

    /// GX-R6i.
    fn pending(&mut self) {
        for seat in self.seats() {
            let effect = self.state.pending[seat];
            let Some(ability) = effect.ability() else { continue };
            let path = format!("pending[{seat}]");
            if self.game.count(self.state, Seat(seat as u8), ability) == 0 {
                self.wrong(path, format!("seat {seat} owns no island with `{}`", ability.name()));
            } else if self.game.players == 1 && effect == Pending::Double {
                self.wrong(path, "`double` does nothing in the puzzle");
            } else if self.is_paying() && self.state.turn.index() == seat {
                self.wrong(path, "the supply in course has spent it");
            }
        }
    }

    /// Ships are on cells (GX-R3, Q1).
    fn ships(&mut self) {
        let (state, start) = (self.state, self.state.phase == Phase::Start);
        for seat in self.seats() {
            let path = format!("ships[{seat}]");
            match state.ships[seat] {
                Cell::NONE if start => {}
                Cell::NONE => self.wrong(path, "not on the map; only in phase `start` a ship is not placed"),
                cell if !self.game.map.holds(cell) => {
                    self.wrong(path, format!("cell {}; there are {}", cell.0, self.game.map.len()));
                }
                cell if seat == 1 && cell == state.ships[0] && !self.game.share => {
                    self.wrong(path, "both ships on one cell, which the option `ships` forbids");
                }
                _ => {}
            }
        }
    }

    /// What holds for the phase alone.
    fn phase(&mut self) {
        let state = self.state;
        if (state.phase == Phase::Move) != (state.range > 0) {
            self.wrong("range", format!("{}; above 0 in phase `move` and 0 in others", state.range));
        }
        if (state.phase == Phase::Swap) != (state.swap_left > 0) || state.swap_left > 2 {
            self.wrong("swap_left", format!("{}; 1 or 2 in phase `swap` and 0 in others", state.swap_left));
        }
        if !self.is_paying() && state.payment != Payment::NONE {
            self.wrong("payment", "given in a phase in which nobody pays");
        }
        let seat = state.turn.index();
        match state.phase {
            Phase::Start => self.start(),
            Phase::Turn if !self.game.has_turn(state, state.turn) => {
                self.wrong("turn", format!("seat {seat} has no card to play or to take: it has no turn"));
            }
            Phase::Move => self.range(),
            Phase::Supply | Phase::Discount | Phase::Pay => self.supply(),
            Phase::Lose => {
                self.at_ability(Ability::LoseCard);
                if size(&state.hands[1 - seat]) == 0 {
                    self.wrong("phase", format!("seat {} has no card to lose", 1 - seat));
                }
            }
            Phase::Swap => {
                self.at_ability(Ability::SwapTwo);
                if size(&state.hands[seat]) < state.swap_left.into() || size(&state.decks[seat]) == 0 {
                    self.wrong("phase", "too few cards in hand or deck for a swap");
                }
            }
            Phase::Wind => self.at_ability(Ability::Wind),
            Phase::End => self.end(),
            Phase::Turn => {}
        }
    }

    /// GX-R3, R3a: only a choice between cells equally near is asked for.
    fn start(&mut self) {
        let (state, seat) = (self.state, self.state.turn.index());
        let other = self.game.opponent(state.turn).index();
        if state.ships[seat].is_some() {
            self.wrong(format!("ships[{seat}]"), "placed, although it is to be placed now");
            return;
        }
        if state.ships[other].is_some() {
            let before = State { ships: [Cell::NONE; 2], ..*state };
            if !self.game.start_cells(&before).contains(state.ships[other]) {
                self.wrong(format!("ships[{other}]"), "not on a start nearest to the centre line");
            }
        }
        let placed = state.ships[other].is_some();
        let begins = if placed { other } else { seat };
        if let Some(first) = self.game.first.filter(|&first| usize::from(first) != begins) {
            let rule = format!("by the option `first_player` player {first} places its ship first");
            if placed {
                self.wrong(
                    format!("ships[{other}]"),
                    format!("placed before the ship of player {first}; {rule}"),
                );
            } else {
                self.wrong("turn", format!("player {seat} is to place the first ship; {rule}"));
            }
        }
        if self.game.start_cells(state).len() < 2 {
            self.wrong("phase", "one start is nearest to the centre line: nothing is to be chosen");
        }
    }

    /// GX-R5a: a card that was discarded lets the ship go so far.
    fn range(&mut self) {
        let (state, seat) = (self.state, self.state.turn.index());
        let twice = u8::from(self.game.doubles_sail(state, state.turn));
        let sails = |k: usize| self.game.kinds.get(k).map_or(0, |kind| kind.sail << twice);
        if !(0..MAX_KINDS).any(|k| state.discards[seat][k] > 0 && sails(k) == state.range) {
            self.wrong("range", format!("{}; no discarded card of seat {seat} sails so far", state.range));
        }
    }

    /// The ship is at an island that can be supplied, or is being supplied.
    fn supply(&mut self) {
        let (state, seat) = (self.state, self.state.turn.index());
        let here = state.slot_at(state.ships[seat]).filter(|slot| state.marked() >> slot & 1 == 0);
        let Some(slot) = here else {
            self.wrong(
                format!("ships[{seat}]"),
                "not on an island without a marker, and so nothing to supply",
            );
            return;
        };
        if self.is_paying() {
            if usize::from(state.payment.slot) != slot {
                self.wrong(
                    "payment.slot",
                    format!("{}; the ship is at the island of slot {slot}", state.payment.slot),
                );
                return;
            }
            self.payment();
        }
        if self.found.is_empty() && !self.game.completable(state, &state.hands[seat]) {
            self.wrong("phase", "the payment cannot be completed");
        }
    }

    /// A payment that the demand and the own islands can have led to.
    fn payment(&mut self) {
        let (state, payment) = (self.state, &self.state.payment);
        let count = |ability| self.game.count(state, state.turn, ability);
        let (standing, one, two) =
            (count(Ability::MinusOne), count(Ability::NextMinusOne), count(Ability::NextMinusTwo));
        for (name, left, own) in [
            ("shifts", payment.shifts, count(Ability::PlusMinus)),
            ("exchanges", payment.exchanges, count(Ability::Exchange)),
        ] {
            if left > own {
                self.wrong(
                    format!("payment.{name}"),
                    format!("{left} uses left; {own} such islands are owned"),
                );
            }
        }
        if payment.pair_left > 2 || (payment.pair_left > 0 && two == 0) {
            self.wrong(
                "payment.pair_left",
                format!("{}; no -2 next was spent, or more than it gives", payment.pair_left),
            );
        }
        let most = standing + u8::from(payment.pair_left == 0 && one > 0);
        if payment.units_left > most || (payment.pair_left > 0 && payment.units_left != standing) {
            self.wrong(
                "payment.units_left",
                format!("{} units; the own islands give {most}", payment.units_left),
            );
        }
        let named = if payment.pair_left == 1 { 1..=2 } else { 0..=0 };
        if !named.contains(&payment.pair_first) {
            self.wrong("payment.pair_first", "named between the two units of a -2 discount, and not gems");
        }
        let units = u16::from(payment.pair_left) + u16::from(payment.units_left);
        let discounting = state.phase == Phase::Discount;
        if discounting != (units > 0) {
            self.wrong("payment.units_left", "units are left in phase `discount` and in no other");
        }
        if discounting && (payment.started || payment.exchange.is_some()) {
            self.wrong("payment.started", "discounts come before cards");
        }
        if payment.exchange.is_some_and(|pair| usize::from(pair.0) >= Pair::NUM) {
            self.wrong("payment.exchange", "no pair of resources");
        } else if let Some((_, to)) = payment.exchange.map(Pair::split)
            && (!payment.started || payment.exchanges == 0 || payment.due[to] == 0)
        {
            self.wrong("payment.exchange", "announced without a use left, a start or something due");
        }
        if self.found.is_empty() {
            self.due();
        }
    }

    /// What is due is what the demand, the discounts and the steps so far leave (GX-R6c, R14a, R15a).
    fn due(&mut self) {
        let (state, payment) = (self.state, &self.state.payment);
        let face = self.game.face(state, payment.slot.into());
        let factor = 1 + u8::from(payment.doubled);
        let base = face.demand.map(|units| i32::from(units * factor));
        let due = payment.due.map(i32::from);
        let (whole, left): (i32, i32) = (base.iter().sum(), due.iter().sum());
        if left == 0 {
            self.wrong("payment.due", "nothing is due: the island is supplied");
            return;
        }
        let shifted = i32::from(self.game.count(state, state.turn, Ability::PlusMinus) - payment.shifts);
        if state.phase == Phase::Discount && shifted > 0 {
            self.wrong("payment.shifts", "uses are spent before all discounts are named");
        }
        for resource in Resource::ALL {
            let (now, from) = (due[resource.index()], base[resource.index()]);
            if now > from + shifted {
                let message = format!("{now} {} of a demand of {from}", resource.name());
                self.wrong("payment.due", message);
            }
        }
        if !self.found.is_empty() {
            return;
        }
        let past = self.game.past_of(state);
        if past.holds(payment) {
            return;
        }
        let other = |change: &dyn Fn(u8) -> Payment| (0..4).map(change).any(|other| past.holds(&other));
        if other(&|exchanges| Payment { exchanges, ..*payment }) {
            let message = format!("{} uses left, which the cards paid cannot have left", payment.exchanges);
            self.wrong("payment.exchanges", message);
        } else if other(&|shifts| Payment { shifts, ..*payment }) {
            let message = format!("{} uses left, which does not fit what is due", payment.shifts);
            self.wrong("payment.shifts", message);
        } else {
            let message = format!("{left} units of a demand of {whole}, which no discounts and steps leave");
            self.wrong("payment.due", message);
        }
    }

    /// The once-only abilities are used where the ship is, at an island just claimed.
    fn at_ability(&mut self, ability: Ability) {
        let (state, seat) = (self.state, self.state.turn.index());
        let own = state.owned[seat] & self.game.having(state, ability);
        let here = state.slot_at(state.ships[seat]);
        if here.is_none_or(|slot| own >> slot & 1 == 0) {
            let message = format!("seat {seat} is at no own island with `{}`", ability.name());
            self.wrong("phase", message);
        }
        if self.game.players == 1 && ability != Ability::SwapTwo {
            self.wrong("phase", format!("`{}` does nothing in the puzzle", ability.name()));
        }
    }

    /// GX-R8, R21b.
    fn end(&mut self) {
        let state = self.state;
        let stuck = self.seats().all(|seat| !self.game.has_turn(state, Seat(seat as u8)));
        let used_up = self.seats().any(|seat| state.markers(Seat(seat as u8)) >= MARKERS);
        if state.marked() != ALL_SLOTS && !used_up && !stuck {
            self.wrong("phase", "`end`, but there are islands, markers and cards left");
        }
    }
}
