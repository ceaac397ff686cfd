//! Payments: their steps, and which steps can still lead to an end (GX-R6h).
//!
//! A payment is never abandoned, so a step is legal only if everything can still be paid after it. The search is exact. It is
//! short, because a discount or a shift reduces the missing units by one at most, an exchange by the largest value of a
//! card at most, and because the content has at most three islands of each such ability.

use super::Gravitix;
use super::content::Kind;
use super::map::SLOTS;
use super::state::{Ability, Cards, MAX_KINDS, Pair, Payment, Pending, Phase, State, bits, kinds_in};
use playmat_core::prelude::*;

/// Rum, fabric, gems.
pub(super) type Units = [i16; 3];

/// Bits of each resource in a sum of all three: of all cards that a zone can hold, each with the largest value, it has 256.
const WEIGHT_BITS: u32 = 10;

/// What the cards of each kind pay, the three resources in one number, so that one sum adds up all of them.
pub(super) fn weights(kinds: &[Kind]) -> [u32; MAX_KINDS] {
    let mut weights = [0; MAX_KINDS];
    for (weight, kind) in weights.iter_mut().zip(kinds) {
        *weight = kind.values.iter().rev().fold(0, |weight, &value| weight << WEIGHT_BITS | u32::from(value));
    }
    weights
}

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

/// Units missing if `sums` are paid for `due`.
#[inline(always)]
fn missing(due: Units, sums: Units) -> i16 {
    let short = |r: usize| (due[r] - sums[r]).max(0);
    short(0) + short(1) + short(2)
}

/// What is due after `stores` discounts of 2 of each resource.
#[inline(always)]
pub(super) fn after_stores(due: Units, stores: u8) -> Units {
    due.map(|units| (units - 2 * i16::from(stores)).max(0))
}

#[inline(always)]
pub(super) fn units(due: [u8; 3]) -> Units {
    due.map(i16::from)
}

/// What is due after one shift (GX-R15a).
#[inline(always)]
pub(super) fn shift(due: Units, pair: Pair) -> Units {
    let (less, more) = pair.split();
    let mut after = due;
    after[less] -= 1;
    after[more] += 1;
    after
}

impl Payment {
    /// Units of discount still to be named.
    #[inline(always)]
    pub(super) fn unnamed(&self) -> u8 {
        self.pair_left + self.units_left
    }

    /// The resources that the next unit of discount can go to (GX-R6c, R14a), a bit each.
    pub(super) fn discounted(&self) -> u32 {
        let due = (0..3).fold(0u8, |set, r| set | u8::from(self.due[r] > 0) << r);
        let resources = match self.pair_left {
            // The pair is named in ascending order: the first leaves a later one, the second comes after the first.
            2 if due.count_ones() >= 2 => due & !(1 << (7 - due.leading_zeros())),
            1 => due & !((1u8 << self.pair_first) - 1),
            // Several single units may go to the same resource (GX-R11a).
            _ => due,
        };
        resources.into()
    }

    /// After a unit of discount for a resource of [`Payment::discounted`].
    pub(super) fn discount(mut self, resource: usize) -> Payment {
        let several = self.due.iter().filter(|&&units| units > 0).count() >= 2;
        self.due[resource] -= 1;
        if self.pair_left == 2 && several {
            self.pair_left = 1;
            self.pair_first = resource as u8 + 1;
        } else if self.pair_left > 0 {
            self.pair_left = 0;
            self.pair_first = 0;
        } else {
            self.units_left -= 1;
        }
        self
    }

    /// After +1/-1 (GX-R15a).
    pub(super) fn shift(mut self, pair: Pair) -> Payment {
        let (less, more) = pair.split();
        self.due[less] -= 1;
        self.due[more] += 1;
        self.shifts -= 1;
        self
    }

    /// After a +2 island was given up (GX-R12a).
    pub(super) fn give_up(self) -> Payment {
        Payment { due: self.due.map(|units| units.saturating_sub(2)), ..self }
    }

    /// After an exchange was announced (GX-R10).
    pub(super) fn announce(self, pair: Pair) -> Payment {
        Payment { exchange: Some(pair), started: true, ..self }
    }

    /// After a card that pays these units (GX-R6e): what exceeds the demand is lost (GX-R6a).
    pub(super) fn pay(mut self, mut values: [u8; 3]) -> Payment {
        if let Some((from, to)) = self.exchange.take().map(Pair::split) {
            // GX-R10a: the whole amount, and the other resources as printed.
            values[to] += std::mem::take(&mut values[from]);
            self.exchanges -= 1;
        }
        for (due, value) in self.due.iter_mut().zip(values) {
            *due = due.saturating_sub(value);
        }
        self.started = true;
        self
    }
}

impl Gravitix {
    /// Resource sums of cards.
    #[inline(always)]
    pub(super) fn sums(&self, cards: &Cards) -> Units {
        // At most 64 cards of 4 units: nothing wraps, and without checks these are a few vector instructions.
        let mut sum = 0u32;
        for (weight, &count) in self.weights.iter().zip(cards) {
            sum = sum.wrapping_add(weight.wrapping_mul(count.into()));
        }
        let of = |resource: u32| (sum >> (WEIGHT_BITS * resource) & ((1 << WEIGHT_BITS) - 1)) as i16;
        [of(0), of(1), of(2)]
    }

    /// How many of a player's islands have an ability.
    #[inline(always)]
    pub(super) fn count(&self, state: &State, player: Player, ability: Ability) -> u8 {
        (state.owned[player.index() & 1] & self.having(state, ability)).count_ones() as u8
    }

    /// The slots whose islands have an ability.
    #[inline(always)]
    pub(super) fn having(&self, state: &State, ability: Ability) -> u16 {
        if !self.has_ability[ability as usize] {
            return 0;
        }
        let has = |face: u8| self.faces[usize::from(face)].ability == Some(ability);
        (0..SLOTS).fold(0, |set, slot| set | u16::from(has(state.faces[slot])) << slot)
    }

    /// What a player has for a payment that has not begun.
    fn means(&self, state: &State, player: Player) -> Means {
        Means {
            exchanges: self.count(state, player, Ability::Exchange),
            shifts: self.count(state, player, Ability::PlusMinus),
            stores: self.count(state, player, Ability::PlusTwoEach),
        }
    }

    /// What is left of the means of the payment in course.
    pub(super) fn means_left(&self, state: &State) -> Means {
        let payment = &state.payment;
        let stores = if payment.started { 0 } else { self.count(state, state.turn, Ability::PlusTwoEach) };
        let shifts = if payment.started { 0 } else { payment.shifts };
        Means { exchanges: payment.exchanges, shifts, stores }
    }

    /// The payment that supplying the island of a slot begins with (GX-R6c).
    pub(super) fn begin_payment(&self, state: &State, player: Player, slot: usize, doubled: bool) -> Payment {
        let demand = self.face(state, slot).demand;
        let pending = state.pending[player.index()];
        let means = self.means(state, player);
        Payment {
            slot: slot as u8,
            due: if doubled { demand.map(|units| 2 * units) } else { demand },
            doubled,
            pair_left: if pending == Pending::MinusTwo { 2 } else { 0 },
            units_left: self.count(state, player, Ability::MinusOne) + u8::from(pending == Pending::MinusOne),
            shifts: means.shifts,
            exchanges: means.exchanges,
            ..Payment::NONE
        }
    }

    /// Whether a player can supply the island of a slot with these cards.
    #[inline]
    pub(super) fn can_supply(
        &self,
        state: &State,
        player: Player,
        slot: usize,
        doubled: bool,
        cards: &Cards,
    ) -> bool {
        let sums = self.sums(cards);
        if !self.has_abilities {
            return missing(units(self.face(state, slot).demand), sums) == 0;
        }
        let payment = self.begin_payment(state, player, slot, doubled);
        self.least_after_discounts(&payment, cards, sums, self.means(state, player), 1) == 0
    }

    /// Whether a doubled supply may be offered (GX-R20a).
    pub(super) fn can_double(&self, state: &State, slot: usize) -> bool {
        let player = state.turn;
        let cards = &state.hands[player.index()];
        state.pending[player.index()] == Pending::Double
            && state.stock(player) >= 2
            && self.can_supply(state, player, slot, true, cards)
    }

    /// Whether this card may be paid now: it lowers what is due, and the rest can be paid.
    pub(super) fn can_pay(&self, payment: &Payment, cards: &Cards, sums: Units, kind: usize) -> bool {
        let values = self.kinds[kind].values;
        let is_exchanged = payment.exchange.is_none_or(|pair| values[pair.split().0] > 0);
        is_exchanged
            && payment.pay(values).due != payment.due
            && self.least_after_card(payment, cards, sums, kind, 1) == 0
    }

    /// Whether the payment that is offered or in course can be completed with these cards.
    pub(super) fn completable(&self, state: &State, cards: &Cards) -> bool {
        self.least_missing(state, cards, 1) == 0
    }

    /// The fewest units that these cards leave missing in the payment offered or in course, over all choices: 0 if and only if
    /// it can be completed. Like the searches below, it looks only for values below `bound`, and returns `bound` if there is none.
    pub(super) fn least_missing(&self, state: &State, cards: &Cards, bound: i16) -> i16 {
        let (payment, sums) = (&state.payment, self.sums(cards));
        match (state.phase, payment.exchange) {
            (Phase::Supply, _) => {
                let Some(slot) = state.slot_at(state.ships[state.turn.index() & 1]) else { return bound };
                let payment = self.begin_payment(state, state.turn, slot, false);
                self.least_after_discounts(&payment, cards, sums, self.means(state, state.turn), bound)
            }
            (_, Some(pair)) => {
                let with = |kind: &usize| self.kinds[*kind].values[pair.split().0] > 0;
                let least = bits(kinds_in(cards)).filter(with);
                let least = least.map(|kind| self.least_after_card(payment, cards, sums, kind, bound)).min();
                // Without a card for the exchange, that card is missing beside everything else.
                least.unwrap_or(units(payment.due).iter().sum::<i16>() + 1).min(bound)
            }
            _ => self.least_after_discounts(payment, cards, sums, self.means_left(state), bound),
        }
    }

    /// The units of discount are named, then what may come before the cards.
    pub(super) fn least_after_discounts(
        &self,
        payment: &Payment,
        cards: &Cards,
        sums: Units,
        means: Means,
        bound: i16,
    ) -> i16 {
        let (due, unnamed) = (units(payment.due), payment.unnamed());
        if payment.is_paid() || unnamed == 0 {
            return self.least_after_shifts(due, cards, sums, means, bound);
        }
        let reach = i16::from(unnamed + means.shifts) + i16::from(means.exchanges) * self.most_value;
        if missing(after_stores(due, means.stores), sums) - reach >= bound {
            return bound;
        }
        bits(payment.discounted()).fold(bound, |least, resource| match least {
            0 => 0,
            _ => self.least_after_discounts(&payment.discount(resource), cards, sums, means, least),
        })
    }

    /// Islands are given up and shifts are used, then cards are paid.
    pub(super) fn least_after_shifts(
        &self,
        due: Units,
        cards: &Cards,
        sums: Units,
        means: Means,
        bound: i16,
    ) -> i16 {
        let left = after_stores(due, means.stores);
        let least = self.least_after_exchanges(left, cards, sums, means.exchanges, bound);
        let reach = i16::from(means.shifts) + i16::from(means.exchanges) * self.most_value;
        if means.shifts == 0 || missing(left, sums) - reach >= least {
            return least;
        }
        let after = Means { shifts: means.shifts - 1, ..means };
        let pairs = Pair::all().filter(|pair| due[pair.split().0] > 0);
        pairs.fold(least, |least, pair| match least {
            0 => 0,
            _ => self.least_after_shifts(shift(due, pair), cards, sums, after, least),
        })
    }

    /// This card is paid, then others.
    fn least_after_card(
        &self,
        payment: &Payment,
        cards: &Cards,
        sums: Units,
        kind: usize,
        bound: i16,
    ) -> i16 {
        let values = self.kinds[kind].values;
        let after = payment.pay(values);
        let mut rest = *cards;
        rest[kind] -= 1;
        let sums = [0, 1, 2].map(|r: usize| sums[r] - i16::from(values[r]));
        self.least_after_exchanges(units(after.due), &rest, sums, after.exchanges, bound)
    }

    /// All cards are paid, some of them exchanged.
    fn least_after_exchanges(
        &self,
        due: Units,
        cards: &Cards,
        sums: Units,
        exchanges: u8,
        bound: i16,
    ) -> i16 {
        let short = missing(due, sums);
        let mut least = short.min(bound);
        if least == 0 || exchanges == 0 {
            return least;
        }
        let lacking = due.iter().sum::<i16>() - sums.iter().sum::<i16>();
        if lacking.max(short - i16::from(exchanges) * self.most_value) >= least {
            return least;
        }
        for kind in bits(kinds_in(cards)) {
            let mut rest = *cards;
            // A card is exchanged once: it is set aside, its resources stay.
            rest[kind] -= 1;
            for (from, to) in Pair::all().map(Pair::split) {
                let value = i16::from(self.kinds[kind].values[from]);
                if value == 0 || sums[to] >= due[to] {
                    continue;
                }
                let mut moved = sums;
                moved[from] -= value;
                moved[to] += value;
                least = self.least_after_exchanges(due, &rest, moved, exchanges - 1, least);
                if least == 0 {
                    return 0;
                }
            }
        }
        least
    }
}
