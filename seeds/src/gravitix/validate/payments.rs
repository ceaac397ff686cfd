//! Which payments play can have led to: every way in which discounts, shifts, islands given up and cards can have been used (GX-R6c to
//! R6e).

use crate::Gravitix;
use crate::state::{Ability, Cards, Pair, Payment, Pending, State, bits, kinds_in};
use playmat_core::document::Document;
use playmat_core::prelude::*;
use std::collections::BTreeSet;

/// Most values that a refusal names.
const NAMED: usize = 4;

/// The payments that can lie between the beginning of one and what a position says of it.
struct History<'a> {
    game: &'a Gravitix,
    discards: &'a Cards,
    begun: [Option<Payment>; 3],
    /// While discounts are named, and before the first card.
    before_cards: BTreeSet<Payment>,
    /// With cards of the kinds that are discarded, however many.
    with_cards: BTreeSet<Payment>,
}

impl Gravitix {
    /// What is wrong with a payment that no play leads to: fields that have another value in a payment that is otherwise the same.
    pub(super) fn payment_problems(&self, state: &State) -> Vec<Problem> {
        let history = self.payment_history(state);
        if history.allows(&state.payment) {
            return Vec::new();
        }
        let form = |payment: &Payment| Document::write(None, |doc| { *payment }.declare(doc));
        let given = form(&state.payment);
        let fields = || given.as_object().into_iter().flatten();
        let near = |other: &Payment| {
            let json = form(other);
            let mut changed = fields().filter(|(field, value)| **value != json[*field]);
            let (field, _) = changed.next()?;
            (changed.next().is_none() && !other.is_paid() && history.allows(other))
                .then(|| (field, json[field].clone()))
        };
        let near: Vec<(&String, Value)> =
            history.before_cards.union(&history.with_cards).filter_map(near).collect();
        let mut found = Vec::new();
        for (field, value) in fields() {
            let others = near.iter().filter(|(changed, _)| *changed == field).take(NAMED);
            let others: Vec<String> = others.map(|(_, other)| other.to_string()).collect();
            if !others.is_empty() {
                let message = format!(
                    "{value}, to which no play leads; with the rest of the payment it can be {}",
                    others.join(" or ")
                );
                found.push(Problem::new(format!("payment.{field}"), message));
            }
        }
        if found.is_empty() {
            let begun: Vec<String> =
                history.begun.iter().flatten().map(|begun| form(begun).to_string()).collect();
            let message = format!("no discounts, steps and cards lead to it from {}", begun.join(" or "));
            found.push(Problem::new("payment", message));
        }
        found
    }

    /// The payments of the turn player at the island of `state.payment.slot` that some play leads to and from which some play
    /// may lead to `state.payment`. What was pending before is not known any more: it is what own islands can have set. An
    /// island given up is now an unclaimed +2 island, and a card paid lies in the discards.
    fn payment_history<'a>(&'a self, state: &'a State) -> History<'a> {
        let slot = state.payment.slot;
        let begun = self.begun(state);
        let named = closed(begun.into_iter().flatten(), |payment| match payment.unnamed() {
            0 => Vec::new(),
            _ => bits(payment.discounted()).map(|resource| payment.discount(resource)).collect(),
        });
        let given_up = self.having(state, Ability::PlusTwoEach) & !state.marked() & !(1 << slot);
        let (naming, named): (BTreeSet<_>, BTreeSet<_>) =
            named.into_iter().partition(|payment| payment.unnamed() > 0);
        let named = named.into_iter().map(|payment| (payment, given_up.count_ones()));
        let ready = closed(named, |&(payment, stores)| {
            let shifted = Pair::all().filter(|pair| payment.shifts > 0 && payment.due[pair.split().0] > 0);
            let shifted = shifted.map(|pair| (payment.shift(pair), stores));
            shifted.chain((stores > 0).then(|| (payment.give_up(), stores - 1))).collect()
        });
        let ready: BTreeSet<Payment> = ready.into_iter().map(|(payment, _)| payment).collect();
        let discards = &state.discards[state.turn.index() & 1];
        let with_cards = closed(ready.iter().copied(), |payment| {
            // Cards only lower what is due, so nothing below what is looked for leads to it.
            let mut after = self.after_card(payment, kinds_in(discards));
            after.retain(|after| after.can_come_to(&state.payment));
            after
        });
        History {
            game: self,
            discards,
            begun,
            before_cards: naming.into_iter().chain(ready).collect(),
            with_cards,
        }
    }

    /// Payments as they begin, for every effect that can have been pending (GX-R6c, R6i).
    fn begun(&self, state: &State) -> [Option<Payment>; 3] {
        let Payment { slot, doubled, .. } = state.payment;
        [Pending::None, Pending::MinusOne, Pending::MinusTwo].map(|pending| {
            let can_be = |ability| !doubled && self.count(state, state.turn, ability) > 0;
            let before = State { pending: [pending; 2], ..*state };
            pending
                .ability()
                .is_none_or(can_be)
                .then(|| self.begin_payment(&before, state.turn, slot.into(), doubled))
        })
    }

    /// After an exchange was announced, or after one card of these kinds.
    fn after_card(&self, payment: &Payment, kinds: u32) -> Vec<Payment> {
        let mut after = Vec::new();
        if payment.exchange.is_none() && payment.exchanges > 0 {
            let needed = Pair::all().filter(|pair| payment.due[pair.split().1] > 0);
            after.extend(needed.map(|pair| payment.announce(pair)));
        }
        let values = bits(kinds).map(|kind| self.kinds[kind].values);
        let exchanged =
            values.filter(|values| payment.exchange.is_none_or(|pair| values[pair.split().0] > 0));
        let paid = exchanged.map(|values| payment.pay(values));
        after.extend(paid.filter(|paid| paid.due != payment.due));
        after
    }
}

impl History<'_> {
    /// Whether some play can have led to this payment.
    fn allows(&self, payment: &Payment) -> bool {
        let before = |from: &&Payment| {
            from.unnamed() == 0 && from.shifts == payment.shifts && from.can_come_to(payment)
        };
        let is_paid_with_discards =
            || self.before_cards.iter().filter(before).any(|from| self.pays(from, payment));
        self.before_cards.contains(payment) || (self.with_cards.contains(payment) && is_paid_with_discards())
    }

    /// Whether some of the discarded cards lower one payment to another, each card once.
    fn pays(&self, from: &Payment, to: &Payment) -> bool {
        let mut found = BTreeSet::from([Payment { started: true, ..*from }]);
        for kind in bits(kinds_in(self.discards)) {
            let values = self.game.kinds[kind].values;
            let paid = |payment: &Payment| {
                let payment = *payment;
                let pairs =
                    Pair::all().filter(move |pair| payment.exchanges > 0 && values[pair.split().0] > 0);
                let exchanged = pairs.map(move |pair| payment.announce(pair).pay(values));
                std::iter::once(payment.pay(values)).chain(exchanged)
            };
            for _ in 0..self.discards[kind] {
                let before = found.len();
                let more: Vec<_> = found.iter().flat_map(paid).filter(|paid| paid.can_come_to(to)).collect();
                found.extend(more);
                if found.len() == before {
                    break;
                }
            }
        }
        found.iter().any(|found| (found.due, found.exchanges) == (to.due, to.exchanges))
    }
}

impl Payment {
    /// Whether nothing forbids that cards lead to this payment: they only lower what is due and the exchanges left.
    fn can_come_to(&self, to: &Payment) -> bool {
        self.exchanges >= to.exchanges && self.due.iter().zip(to.due).all(|(due, to)| *due >= to)
    }
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
