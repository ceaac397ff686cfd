//! The legal actions of each phase.

use super::Gravitix;
use super::map::CellSet;
use super::payment::{Means, units};
use super::state::{Ability, Pair, Payment, Phase, State, bits, is_empty, kinds_in};
use playmat_core::prelude::*;

/// The legal actions of the player who must decide.
#[inline(always)]
pub(super) fn legal(game: &Gravitix, state: &State, _: Player) -> Bits<5> {
    let mut legal = Bits::default();
    match state.phase {
        Phase::Turn => {
            legal.0[0] = u64::from(kinds_in(&state.hands[state.turn.index() & 1]))
                | u64::from(game.may_take(state, state.turn)) << (game.numbers.take & 63);
        }
        Phase::Move => game.insert_cells(&mut legal, game.reach(state, state.range)),
        _ => game.legal_rarely(state, &mut legal),
    }
    legal
}

impl Gravitix {
    /// Whether a player can act at all (GX-R4a, Q13).
    #[inline(always)]
    pub(super) fn has_turn(&self, state: &State, player: Player) -> bool {
        let i = player.index() & 1;
        !is_empty(&state.hands[i]) || (!self.hard && !is_empty(&state.decks[i]))
    }

    /// Whether a player may take cards (GX-R7, R22).
    #[inline(always)]
    pub(super) fn may_take(&self, state: &State, player: Player) -> bool {
        !self.hard && !is_empty(&state.decks[player.index() & 1])
    }

    /// Where the ship that is to be placed may start (GX-R3, R3a).
    pub(super) fn start_cells(&self, state: &State) -> CellSet {
        let taken =
            state.cells.iter().chain(&state.ships).fold(CellSet::EMPTY, |set, &at| set.or(CellSet::one(at)));
        let free = self.map.starts.iter().map(|ring| ring.minus(taken));
        free.into_iter().find(|ring| !ring.is_empty()).unwrap_or(CellSet::EMPTY)
    }

    /// Where the turn player's ship may go (GX-R5a, Q1, Q2).
    #[inline(always)]
    pub(super) fn reach(&self, state: &State, range: u8) -> CellSet {
        let player = state.turn.index() & 1;
        let disc = self.map.disc(state.ships[player], range);
        if self.share { disc } else { disc.minus(CellSet::one(state.ships[1 - player])) }
    }

    /// Where the wind may take the other ship (GX-R19a).
    pub(super) fn leeward(&self, state: &State) -> CellSet {
        let player = state.turn.index() & 1;
        let at = state.ships[1 - player];
        let disc = self.map.disc(at, 2).minus(CellSet::one(at));
        if self.share { disc } else { disc.minus(CellSet::one(state.ships[player])) }
    }

    #[inline(always)]
    fn insert_cells(&self, legal: &mut Bits<5>, CellSet([a, b, c]): CellSet) {
        let (at, shift) = (self.numbers.go >> 6, self.numbers.go & 63);
        // Word by word, without the checks of `insert_word`.
        if let Some(words) = legal.0.get_mut(at..).and_then(|words| words.first_chunk_mut::<4>()) {
            let over = |word: u64| word >> 1 >> (63 - shift);
            words[0] |= a << shift;
            words[1] |= over(a) | b << shift;
            words[2] |= over(b) | c << shift;
            words[3] |= over(c);
        }
    }

    /// The phases that come once in a while.
    fn legal_rarely(&self, state: &State, legal: &mut Bits<5>) {
        let n = &self.numbers;
        let player = state.turn.index() & 1;
        match state.phase {
            Phase::Start => self.insert_cells(legal, self.start_cells(state)),
            Phase::Supply => {
                legal.insert(n.supply);
                legal.insert(n.decline);
                let slot = state.slot_at(state.ships[player]);
                if slot.is_some_and(|slot| self.can_double(state, slot)) {
                    legal.insert(n.double);
                }
            }
            Phase::Discount => self.legal_discounts(state, legal),
            Phase::Pay => self.legal_payments(state, legal),
            Phase::Lose => legal.insert_word(n.discard, kinds_in(&state.hands[1 - player]).into()),
            Phase::Swap => {
                legal.insert_word(n.discard, kinds_in(&state.hands[player]).into());
                if state.swap_left == 2 {
                    legal.insert(n.decline);
                }
            }
            Phase::Wind => {
                self.insert_cells(legal, self.leeward(state));
                legal.insert(n.decline);
            }
            Phase::Turn | Phase::Move | Phase::End => {}
        }
    }

    /// The legal units of discount.
    fn legal_discounts(&self, state: &State, legal: &mut Bits<5>) {
        let cards = &state.hands[state.turn.index() & 1];
        let (sums, means) = (self.sums(cards), self.means_left(state));
        for resource in bits(state.payment.discounted()) {
            let after = state.payment.discount(resource);
            if self.least_after_discounts(&after, cards, sums, means, 1) == 0 {
                legal.insert(self.numbers.minus + resource);
            }
        }
    }

    /// The legal steps of a payment after its discounts.
    fn legal_payments(&self, state: &State, legal: &mut Bits<5>) {
        let (payment, n) = (&state.payment, &self.numbers);
        let cards = &state.hands[state.turn.index() & 1];
        let sums = self.sums(cards);
        let can_pay = |payment: &Payment, kind: &usize| self.can_pay(payment, cards, sums, *kind);
        for kind in bits(kinds_in(cards)).filter(|kind| can_pay(payment, kind)) {
            legal.insert(n.pay + kind);
        }
        if payment.exchange.is_some() {
            return;
        }
        if payment.exchanges > 0 {
            for pair in Pair::all().filter(|pair| payment.due[pair.split().1] > 0) {
                let announced = payment.announce(pair);
                if bits(kinds_in(cards)).any(|kind| can_pay(&announced, &kind)) {
                    legal.insert(n.exchange + usize::from(pair.0));
                }
            }
        }
        if payment.started {
            return;
        }
        let means = self.means_left(state);
        let ends = |payment: Payment, means: Means| {
            self.least_after_shifts(units(payment.due), cards, sums, means, 1) == 0
        };
        if means.shifts > 0 {
            let after = Means { shifts: means.shifts - 1, ..means };
            for pair in Pair::all().filter(|pair| payment.due[pair.split().0] > 0) {
                if ends(payment.shift(pair), after) {
                    legal.insert(n.shift + usize::from(pair.0));
                }
            }
        }
        if means.stores > 0 && ends(payment.give_up(), Means { stores: means.stores - 1, ..means }) {
            let own = state.owned[state.turn.index() & 1] & self.having(state, Ability::PlusTwoEach);
            legal.insert_word(n.sacrifice, own.into());
        }
    }
}
