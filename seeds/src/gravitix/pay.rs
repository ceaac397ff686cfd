//! Payments: which steps can still lead to an end (GX-R6h, section "Completable" of the rules).
//!
//! A payment is never broken off, so a step is legal only if it leaves a way to pay everything. The search is exact; what keeps
//! it short is that a discount or a shift lessens what is missing by one unit at most, an exchange by the largest
//! value of a card at most, and that the content has at most three islands of each such ability.

use super::Gravitix;
use super::state::{Ability, Cards, Pair, Payment, Pending, Phase, State, kinds_in};
use playmat_core::prelude::*;

/// Rum, fabric, gems.
pub(super) type Units = [i16; 3];

/// What a payer can use beside cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Means {
    /// Exchanges.
    pub(super) exchanges: u8,
    /// Shifts, +1/-1.
    pub(super) shifts: u8,
    /// Own +2 islands.
    pub(super) stores: u8,
}

/// The sum over all kinds of a value times a number of cards.
#[inline(always)]
fn units_of(values: &Cards, cards: &Cards) -> i16 {
    // At most 64 cards of 4 units: nothing wraps, and without checks these are a few vector instructions.
    let units = values.iter().zip(cards);
    units
        .fold(0u16, |sum, (&value, &count)| sum.wrapping_add(u16::from(value).wrapping_mul(u16::from(count))))
        as i16
}

/// Units missing if `sums` are paid for `due`.
#[inline(always)]
fn missing(due: Units, sums: Units) -> i16 {
    let short = |r: usize| (due[r] - sums[r]).max(0);
    short(0) + short(1) + short(2)
}

/// What is due after 2 of each less, so many times.
#[inline(always)]
fn after_stores(due: Units, stores: u8) -> Units {
    due.map(|units| (units - 2 * i16::from(stores)).max(0))
}

#[inline(always)]
fn units(due: [u8; 3]) -> Units {
    due.map(i16::from)
}

/// The resources that the next unit of discount can go to (GX-R6c, R14a), a bit each.
pub(super) fn discounted(payment: &Payment) -> u8 {
    let due = (0..3).fold(0u8, |set, r| set | u8::from(payment.due[r] > 0) << r);
    match payment.pair_left {
        0 => due,
        // The pair is named in ascending order: the first leaves a later one, the second comes after the first.
        2 if due.count_ones() >= 2 => due & !(1 << (7 - due.leading_zeros())),
        1 => due & !((1u8 << payment.pair_first) - 1),
        _ => due,
    }
}

/// Uses a unit of discount for a resource of [`discounted`].
pub(super) fn discount(payment: &mut Payment, resource: usize) {
    let several = payment.due.iter().filter(|&&units| units > 0).count() >= 2;
    payment.due[resource] -= 1;
    if payment.pair_left == 2 && several {
        payment.pair_left = 1;
        payment.pair_first = resource as u8 + 1;
    } else if payment.pair_left > 0 {
        payment.pair_left = 0;
        payment.pair_first = 0;
    } else {
        payment.units_left -= 1;
    }
}

impl Gravitix {
    /// Resource sums of cards.
    #[inline(always)]
    pub(super) fn sums(&self, cards: &Cards) -> Units {
        let [rum, fabric, gems] = &self.values;
        [units_of(rum, cards), units_of(fabric, cards), units_of(gems, cards)]
    }

    /// What a card lessens of what is due, with an exchange or without.
    #[inline(always)]
    fn paid(&self, due: Units, kind: usize, exchange: Option<Pair>) -> Units {
        let mut values = [0, 1, 2].map(|r: usize| i16::from(self.values[r][kind]));
        if let Some((from, to)) = exchange.map(Pair::split) {
            values[to] += std::mem::take(&mut values[from]);
        }
        [0, 1, 2].map(|r: usize| (due[r] - values[r]).max(0))
    }

    /// How many of a seat's islands have an ability.
    #[inline(always)]
    pub(super) fn count(&self, state: &State, seat: Seat, ability: Ability) -> u8 {
        (state.owned[seat.index() & 1] & self.having(state, ability)).count_ones() as u8
    }

    /// The slots whose islands have an ability.
    #[inline(always)]
    pub(super) fn having(&self, state: &State, ability: Ability) -> u16 {
        if !self.has_ability[ability as usize] {
            return 0;
        }
        let has = |face: u8| self.faces[usize::from(face)].ability == Some(ability);
        (0..super::map::SLOTS).fold(0, |set, slot| set | u16::from(has(state.faces[slot])) << slot)
    }

    /// What a seat has for a payment that has not begun.
    fn means(&self, state: &State, seat: Seat) -> Means {
        Means {
            exchanges: self.count(state, seat, Ability::Exchange),
            shifts: self.count(state, seat, Ability::PlusMinus),
            stores: self.count(state, seat, Ability::PlusTwoEach),
        }
    }

    /// `cover`: whether cards can pay everything, with so many exchanges.
    fn cover(&self, due: Units, cards: &Cards, sums: Units, exchanges: u8) -> bool {
        let short = missing(due, sums);
        if short == 0 {
            return true;
        }
        let enough = sums[0] + sums[1] + sums[2] >= due[0] + due[1] + due[2];
        if !enough || short > i16::from(exchanges) * self.most_value {
            return false;
        }
        self.exchanged(due, cards, sums, &mut |cards, sums| self.cover(due, cards, sums, exchanges - 1))
    }

    /// Tries every exchange that puts a resource where one is short, until `go_on` is content.
    fn exchanged(
        &self,
        due: Units,
        cards: &Cards,
        sums: Units,
        go_on: &mut dyn FnMut(&Cards, Units) -> bool,
    ) -> bool {
        for kind in bits(kinds_in(cards)) {
            let mut rest = *cards;
            // A card is exchanged once: it is set aside, its resources stay.
            rest[kind] -= 1;
            for (from, to) in Pair::all().map(Pair::split) {
                let value = i16::from(self.values[from][kind]);
                if value == 0 || sums[to] >= due[to] {
                    continue;
                }
                let mut moved = sums;
                moved[from] -= value;
                moved[to] += value;
                if go_on(&rest, moved) {
                    return true;
                }
            }
        }
        false
    }

    /// `finish`: whether shifts, sacrifices, exchanges and cards can pay everything.
    fn finish(&self, due: Units, cards: &Cards, sums: Units, means: Means) -> bool {
        let left = after_stores(due, means.stores);
        if self.cover(left, cards, sums, means.exchanges) {
            return true;
        }
        let reach = i16::from(means.shifts) + i16::from(means.exchanges) * self.most_value;
        if means.shifts == 0 || missing(left, sums) > reach {
            return false;
        }
        let after = Means { shifts: means.shifts - 1, ..means };
        shifted(due).any(|due| self.finish(due, cards, sums, after))
    }

    /// Whether the units of discount can be named so that everything can be paid.
    fn discounts(&self, payment: &Payment, cards: &Cards, sums: Units, means: Means) -> bool {
        let due = units(payment.due);
        let named = payment.pair_left + payment.units_left;
        if payment.is_paid() || named == 0 {
            return payment.is_paid() || self.finish(due, cards, sums, means);
        }
        let reach = i16::from(named + means.shifts) + i16::from(means.exchanges) * self.most_value;
        let left = after_stores(due, means.stores);
        if missing(left, sums) > reach {
            return false;
        }
        bits(discounted(payment).into()).any(|resource| {
            let mut after = *payment;
            discount(&mut after, resource);
            self.discounts(&after, cards, sums, means)
        })
    }

    /// The payment that supplying the island of a slot begins with (GX-R6c).
    pub(super) fn begin_payment(&self, state: &State, seat: Seat, slot: usize, doubled: bool) -> Payment {
        let face = &self.faces[usize::from(state.faces[slot])];
        let pending = state.pending[seat.index()];
        let means = self.means(state, seat);
        Payment {
            slot: slot as u8,
            due: if doubled { face.demand.map(|units| 2 * units) } else { face.demand },
            doubled,
            pair_left: if pending == Pending::MinusTwo { 2 } else { 0 },
            units_left: self.count(state, seat, Ability::MinusOne) + u8::from(pending == Pending::MinusOne),
            shifts: means.shifts,
            exchanges: means.exchanges,
            ..Payment::NONE
        }
    }

    /// Whether a seat can supply the island of a slot with these cards.
    #[inline]
    pub(super) fn can_supply(
        &self,
        state: &State,
        seat: Seat,
        slot: usize,
        doubled: bool,
        cards: &Cards,
    ) -> bool {
        let sums = self.sums(cards);
        if !self.has_abilities {
            let demand = self.faces[usize::from(state.faces[slot])].demand;
            return missing(units(demand), sums) == 0;
        }
        let payment = self.begin_payment(state, seat, slot, doubled);
        self.discounts(&payment, cards, sums, self.means(state, seat))
    }

    /// Whether a doubled supply may be offered (GX-R20a).
    pub(super) fn can_double(&self, state: &State, slot: usize) -> bool {
        let seat = state.turn;
        let cards = &state.hands[seat.index()];
        state.pending[seat.index()] == Pending::Double
            && state.stock(seat) >= 2
            && self.can_supply(state, seat, slot, true, cards)
    }

    /// What is left of the means of the payment in course.
    fn means_left(&self, state: &State) -> Means {
        let payment = &state.payment;
        let stores = if payment.started { 0 } else { self.count(state, state.turn, Ability::PlusTwoEach) };
        let shifts = if payment.started { 0 } else { payment.shifts };
        Means { exchanges: payment.exchanges, shifts, stores }
    }

    /// Whether the payment that is offered or in course can be completed with these cards.
    pub(super) fn completable(&self, state: &State, cards: &Cards) -> bool {
        let payment = &state.payment;
        let sums = self.sums(cards);
        match state.phase {
            Phase::Supply => match state.slot_at(state.ships[state.turn.index() & 1]) {
                Some(slot) => self.can_supply(state, state.turn, slot, false, cards),
                None => false,
            },
            Phase::Discount => self.discounts(payment, cards, sums, self.means_left(state)),
            _ => match payment.exchange {
                Some(_) => bits(kinds_in(cards)).any(|kind| self.can_pay(payment, cards, sums, kind)),
                None => self.finish(units(payment.due), cards, sums, self.means_left(state)),
            },
        }
    }

    /// Whether this card may be paid now: it lowers what is due, and the rest can be paid.
    fn can_pay(&self, payment: &Payment, cards: &Cards, sums: Units, kind: usize) -> bool {
        let due = units(payment.due);
        let after = self.paid(due, kind, payment.exchange);
        let from = payment.exchange.map_or(0, |pair| pair.split().0);
        if after == due || (payment.exchange.is_some() && self.values[from][kind] == 0) {
            return false;
        }
        let mut rest = *cards;
        rest[kind] -= 1;
        let sums = self.without(sums, kind);
        let exchanges = payment.exchanges - u8::from(payment.exchange.is_some());
        self.cover(after, &rest, sums, exchanges)
    }

    /// The sums without a card.
    #[inline(always)]
    fn without(&self, sums: Units, kind: usize) -> Units {
        [0, 1, 2].map(|r: usize| sums[r] - i16::from(self.values[r][kind]))
    }

    /// The legal steps in [`Phase::Pay`].
    pub(super) fn legal_payments(&self, state: &State, legal: &mut Bits<5>) {
        let (payment, n) = (&state.payment, &self.numbers);
        let cards = &state.hands[state.turn.index() & 1];
        let (sums, due) = (self.sums(cards), units(payment.due));
        for kind in bits(kinds_in(cards)) {
            if self.can_pay(payment, cards, sums, kind) {
                legal.insert(n.pay + kind);
            }
        }
        if payment.exchange.is_some() {
            return;
        }
        if payment.exchanges > 0 {
            for pair in Pair::all().filter(|pair| due[pair.split().1] > 0) {
                let announced = Payment { exchange: Some(pair), ..*payment };
                if bits(kinds_in(cards)).any(|kind| self.can_pay(&announced, cards, sums, kind)) {
                    legal.insert(n.exchange + usize::from(pair.0));
                }
            }
        }
        if payment.started {
            return;
        }
        let means = self.means_left(state);
        if payment.shifts > 0 {
            let after = Means { shifts: means.shifts - 1, ..means };
            for pair in Pair::all().filter(|pair| due[pair.split().0] > 0) {
                if self.finish(shift(due, pair), cards, sums, after) {
                    legal.insert(n.shift + usize::from(pair.0));
                }
            }
        }
        if means.stores > 0 {
            let after = Means { stores: means.stores - 1, ..means };
            if self.finish(after_stores(due, 1), cards, sums, after) {
                let own = state.owned[state.turn.index() & 1] & self.having(state, Ability::PlusTwoEach);
                legal.insert_word(n.sacrifice, own.into());
            }
        }
    }

    /// The legal units of discount in [`Phase::Discount`].
    pub(super) fn legal_discounts(&self, state: &State, legal: &mut Bits<5>) {
        let cards = &state.hands[state.turn.index() & 1];
        let (sums, means) = (self.sums(cards), self.means_left(state));
        for resource in bits(discounted(&state.payment).into()) {
            let mut after = state.payment;
            discount(&mut after, resource);
            if self.discounts(&after, cards, sums, means) {
                legal.insert(self.numbers.minus + resource);
            }
        }
    }

    /// The fewest units that these cards leave missing in the payment offered or in course, over all choices: 0 if and only if
    /// it can be completed.
    pub(super) fn least_missing(&self, state: &State, cards: &Cards) -> i16 {
        let sums = self.sums(cards);
        match state.phase {
            Phase::Supply => {
                let Some(slot) = state.slot_at(state.ships[state.turn.index() & 1]) else { return i16::MAX };
                let payment = self.begin_payment(state, state.turn, slot, false);
                self.least_after_discounts(&payment, cards, sums, self.means(state, state.turn))
            }
            Phase::Discount => {
                self.least_after_discounts(&state.payment, cards, sums, self.means_left(state))
            }
            _ => match state.payment.exchange {
                Some(pair) => self.least_after_card(&state.payment, pair, cards, sums),
                None => {
                    self.least_after_shifts(units(state.payment.due), cards, sums, self.means_left(state))
                }
            },
        }
    }

    fn least_after_discounts(&self, payment: &Payment, cards: &Cards, sums: Units, means: Means) -> i16 {
        if payment.is_paid() || payment.pair_left + payment.units_left == 0 {
            return self.least_after_shifts(units(payment.due), cards, sums, means);
        }
        let least = bits(discounted(payment).into()).map(|resource| {
            let mut after = *payment;
            discount(&mut after, resource);
            self.least_after_discounts(&after, cards, sums, means)
        });
        least.min().unwrap_or(0)
    }

    fn least_after_shifts(&self, due: Units, cards: &Cards, sums: Units, means: Means) -> i16 {
        let mut least =
            self.least_after_exchanges(after_stores(due, means.stores), cards, sums, means.exchanges);
        if least > 0 && means.shifts > 0 {
            let after = Means { shifts: means.shifts - 1, ..means };
            for due in shifted(due) {
                least = least.min(self.least_after_shifts(due, cards, sums, after));
            }
        }
        least
    }

    fn least_after_exchanges(&self, due: Units, cards: &Cards, sums: Units, exchanges: u8) -> i16 {
        let mut least = missing(due, sums);
        if least > 0 && exchanges > 0 {
            self.exchanged(due, cards, sums, &mut |cards, sums| {
                least = least.min(self.least_after_exchanges(due, cards, sums, exchanges - 1));
                least == 0
            });
        }
        least
    }

    fn least_after_card(&self, payment: &Payment, pair: Pair, cards: &Cards, sums: Units) -> i16 {
        let due = units(payment.due);
        let with = bits(kinds_in(cards)).filter(|&kind| self.values[pair.split().0][kind] > 0);
        let least = with.map(|kind| {
            let mut rest = *cards;
            rest[kind] -= 1;
            let after = self.paid(due, kind, Some(pair));
            self.least_after_exchanges(
                after,
                &rest,
                self.without(sums, kind),
                payment.exchanges.saturating_sub(1),
            )
        });
        // Without a card for the exchange, that card is missing beside everything else.
        least.min().unwrap_or(due.iter().sum::<i16>() + 1)
    }
}

/// What is due after one shift, for every legal one (GX-R15a).
fn shifted(due: Units) -> impl Iterator<Item = Units> {
    Pair::all().filter(move |pair| due[pair.split().0] > 0).map(move |pair| shift(due, pair))
}

#[inline(always)]
fn shift(due: Units, pair: Pair) -> Units {
    let (less, more) = pair.split();
    let mut after = due;
    after[less] -= 1;
    after[more] += 1;
    after
}

/// The set bits of a word, ascending.
#[inline(always)]
pub(super) fn bits(mut word: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let bit = word.trailing_zeros() as usize;
        word &= word - 1;
        Some(bit)
    })
}
