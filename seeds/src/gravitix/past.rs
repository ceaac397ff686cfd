//! Where a payment can stand: every way in which discounts, shifts, sacrifices and cards can have led to it (GX-R6c to R6e).

use super::Gravitix;
use super::pay::{bits, discount, discounted};
use super::state::{Ability, Cards, Pair, Payment, State, kinds_in};
use std::collections::BTreeSet;

/// The payments that can lie between the beginning of one and what a position says of it.
pub(super) struct Past<'a> {
    game: &'a Gravitix,
    discards: &'a Cards,
    /// While discounts are named, and before the first card.
    uncovered: BTreeSet<Payment>,
    /// With cards of the kinds that are discarded, however many.
    covered: BTreeSet<Payment>,
}

impl Past<'_> {
    /// Whether some play can have led to this payment.
    pub(super) fn holds(&self, payment: &Payment) -> bool {
        let cards_lie_there = || {
            let before = |from: &&Payment| {
                from.pair_left + from.units_left == 0
                    && from.shifts == payment.shifts
                    && from.exchanges >= payment.exchanges
                    && (0..3).all(|r| from.due[r] >= payment.due[r])
            };
            self.uncovered.iter().filter(before).any(|from| self.pays(from, payment))
        };
        self.uncovered.contains(payment) || (self.covered.contains(payment) && cards_lie_there())
    }

    /// Whether some of the discarded cards lower one payment to another, each card once.
    fn pays(&self, from: &Payment, to: &Payment) -> bool {
        let mut found = BTreeSet::from([(from.due, from.exchanges)]);
        for kind in bits(kinds_in(self.discards)) {
            let values = self.game.kinds[kind].values;
            for _ in 0..self.discards[kind] {
                let more: Vec<_> = found.iter().flat_map(|&step| lowered(step, values)).collect();
                let before = found.len();
                found.extend(
                    more.into_iter()
                        .filter(|(due, uses)| *uses >= to.exchanges && (0..3).all(|r| due[r] >= to.due[r])),
                );
                if found.len() == before {
                    break;
                }
            }
        }
        found.contains(&(to.due, to.exchanges))
    }
}

/// What a card leaves due, as printed and with each exchange that it allows.
fn lowered((due, exchanges): ([u8; 3], u8), values: [u8; 3]) -> impl Iterator<Item = ([u8; 3], u8)> {
    let less = move |values: [u8; 3]| std::array::from_fn(|r| due[r].saturating_sub(values[r]));
    let pairs = Pair::all().map(Pair::split).filter(move |&(from, _)| exchanges > 0 && values[from] > 0);
    let exchanged = pairs.map(move |(from, to)| {
        let mut values = values;
        values[to] += std::mem::take(&mut values[from]);
        (less(values), exchanges - 1)
    });
    std::iter::once((less(values), exchanges)).chain(exchanged)
}

impl Gravitix {
    /// The payments of the turn player at the island of `state.payment.slot` that some play leads to and from which some play
    /// may lead to `state.payment`. What was pending before is not known any more: it is what own islands can have set. An
    /// island given up is now an unclaimed +2 island, and a card paid lies in the discards.
    pub(super) fn past_of<'a>(&'a self, state: &'a State) -> Past<'a> {
        let mut uncovered = BTreeSet::new();
        let given_up =
            self.having(state, Ability::PlusTwoEach) & !state.marked() & !(1 << state.payment.slot);
        let mut before_cards = BTreeSet::new();
        for begun in self.begun(state) {
            for payment in closed([begun], |payment| {
                bits(discounted(payment).into()).map(|resource| after_discount(payment, resource)).collect()
            }) {
                if payment.pair_left + payment.units_left > 0 {
                    uncovered.insert(payment);
                } else {
                    before_cards.insert((payment, given_up.count_ones()));
                }
            }
        }
        let before_cards = closed(before_cards, |&(payment, stores)| {
            let shifts = shifts(&payment).map(|payment| (payment, stores));
            let store = Payment { due: payment.due.map(|units| units.saturating_sub(2)), ..payment };
            shifts.chain((stores > 0).then(|| (store, stores.saturating_sub(1)))).collect()
        });
        uncovered.extend(before_cards.into_iter().map(|(payment, _)| payment));
        let least = state.payment.due;
        let discards = &state.discards[state.turn.index() & 1];
        let kinds = kinds_in(discards);
        let begun = uncovered.iter().copied().filter(|payment| payment.pair_left + payment.units_left == 0);
        let covered = closed(begun, |payment| {
            // Cards only lower what is due, so nothing below what is looked for leads to it.
            let mut after = self.paid_once(payment, kinds);
            after.retain(|after| (0..3).all(|r| after.due[r] >= least[r]));
            after
        });
        Past { game: self, discards, uncovered, covered }
    }

    /// Payments as they begin, for every effect that can have been pending (GX-R6c, R6i).
    fn begun(&self, state: &State) -> Vec<Payment> {
        let (slot, doubled) = (state.payment.slot.into(), state.payment.doubled);
        let plain =
            self.begin_payment(&State { pending: Default::default(), ..*state }, state.turn, slot, doubled);
        let mut begun = vec![plain];
        if !doubled && self.count(state, state.turn, Ability::NextMinusOne) > 0 {
            begun.push(Payment { units_left: plain.units_left + 1, ..plain });
        }
        if !doubled && self.count(state, state.turn, Ability::NextMinusTwo) > 0 {
            begun.push(Payment { pair_left: 2, ..plain });
        }
        begun
    }

    /// After an exchange was announced or one card of these kinds was paid.
    fn paid_once(&self, payment: &Payment, kinds: u32) -> Vec<Payment> {
        let mut after = Vec::new();
        if payment.exchange.is_none() && payment.exchanges > 0 {
            let needed = Pair::all().filter(|pair| payment.due[pair.split().1] > 0);
            after.extend(needed.map(|pair| Payment { started: true, exchange: Some(pair), ..*payment }));
        }
        for kind in bits(kinds) {
            let mut values = self.kinds[kind].values;
            let mut exchanges = payment.exchanges;
            if let Some((from, to)) = payment.exchange.map(Pair::split) {
                if values[from] == 0 {
                    continue;
                }
                values[to] += std::mem::take(&mut values[from]);
                exchanges -= 1;
            }
            let due = std::array::from_fn(|r| payment.due[r].saturating_sub(values[r]));
            if due != payment.due {
                after.push(Payment { due, exchanges, started: true, exchange: None, ..*payment });
            }
        }
        after
    }
}

fn after_discount(payment: &Payment, resource: usize) -> Payment {
    let mut after = *payment;
    if after.pair_left + after.units_left > 0 {
        discount(&mut after, resource);
    }
    after
}

/// After one +1/-1 (GX-R15a).
fn shifts(payment: &Payment) -> impl Iterator<Item = Payment> + use<> {
    let payment = *payment;
    Pair::all().map(Pair::split).filter(move |&(less, _)| payment.shifts > 0 && payment.due[less] > 0).map(
        move |(less, more)| {
            let mut after = Payment { shifts: payment.shifts - 1, ..payment };
            after.due[less] -= 1;
            after.due[more] += 1;
            after
        },
    )
}

/// Everything that steps lead to, the beginnings included.
fn closed<T: Ord + Copy>(from: impl IntoIterator<Item = T>, steps: impl Fn(&T) -> Vec<T>) -> BTreeSet<T> {
    let mut found: BTreeSet<T> = from.into_iter().collect();
    let mut open: Vec<T> = found.iter().copied().collect();
    while let Some(next) = open.pop() {
        open.extend(steps(&next).into_iter().filter(|&after| found.insert(after)));
    }
    found
}
