//! The greedy agent: it sails to the best island that it can reach and pay now, else towards one that it can pay, and takes cards
//! otherwise.
//!
//! It reads its own cards and public information, and plans only up to the next island.

use super::Gravitix;
use super::action::Choice;
use super::legal::legal;
use super::map::{Cell, CellSet};
use super::rules::ALL_SLOTS;
use super::state::{Cards, Phase, Resource, State, bits, kinds_in};
use playmat_core::prelude::*;

/// The action that the greedy agent chooses.
pub(super) fn greedy(game: &Gravitix, state: &State, player: Player, _: &mut Rng) -> Action {
    let legal = legal(game, state, player);
    let choices = || legal.iter().map(|action| game.choice(action));
    let choice = match state.phase {
        Phase::Turn => game.greedy_turn(state, player),
        Phase::Move => game.greedy_move(state, player),
        Phase::Supply => {
            Some(if legal.contains(game.action(Choice::Double)) { Choice::Double } else { Choice::Supply })
        }
        Phase::Discount => choices().max_by_key(|&choice| game.scarcity(state, player, choice)),
        Phase::Pay => choices().min_by_key(|&choice| game.waste(state, choice)),
        Phase::Lose => choices().min_by_key(|&choice| game.units_of(choice)),
        Phase::Swap => game.greedy_swap(state, player),
        Phase::Wind => choices().max_by_key(|&choice| game.exile(state, choice)),
        Phase::Start | Phase::End => None,
    };
    let action = choice.map(|choice| game.action(choice)).filter(|&action| legal.contains(action));
    action.unwrap_or_else(|| legal.select(0))
}

impl Gravitix {
    /// What supplying an island would bring now: points, then cards.
    fn worth(&self, state: &State, player: Player, slot: usize) -> (i32, u8) {
        let mut after = *state;
        after.owned[player.index() & 1] |= 1 << slot;
        let points = self.points(&after, player) - self.points(state, player);
        (points, self.face(state, slot).cards)
    }

    /// The best island that can be reached with some card and paid with the others; among cards the one that pays least.
    fn greedy_turn(&self, state: &State, player: Player) -> Option<Choice> {
        let hand = &state.hands[player.index() & 1];
        let mut best = None;
        for kind in bits(kinds_in(hand)) {
            let mut rest = *hand;
            rest[kind] -= 1;
            let cells =
                self.reach(state, self.kinds[kind].sail << u8::from(self.doubles_sail(state, player)));
            let cheap = -i32::from(self.kinds[kind].units());
            for slot in self.payable(state, player, &rest).filter(|&slot| cells.contains(state.cells[slot])) {
                best = best.max(Some((self.worth(state, player, slot), cheap, kind)));
            }
        }
        if let Some((.., kind)) = best {
            return Some(Choice::Sail(kind as u8));
        }
        // Of the cards that pay least the one that sails farthest: towards an island that the others can pay.
        let least = bits(kinds_in(hand))
            .min_by_key(|&kind| (self.kinds[kind].units(), std::cmp::Reverse(self.kinds[kind].sail)));
        let take = self.may_take(state, player);
        let sail = least.filter(|&kind| {
            let mut rest = *hand;
            rest[kind] -= 1;
            !take || self.payable(state, player, &rest).next().is_some()
        });
        Some(sail.map_or(Choice::Take, |kind| Choice::Sail(kind as u8)))
    }

    /// Unclaimed islands that can be supplied with these cards.
    fn payable(&self, state: &State, player: Player, cards: &Cards) -> impl Iterator<Item = usize> {
        self.unclaimed(state).filter(move |&slot| self.can_supply(state, player, slot, false, cards))
    }

    /// To the best island that can be paid; if none is in reach, towards the nearest that can, or lacks least.
    fn greedy_move(&self, state: &State, player: Player) -> Option<Choice> {
        let hand = &state.hands[player.index() & 1];
        let cells = self.reach(state, state.range);
        let near = self.payable(state, player, hand).filter(|&slot| cells.contains(state.cells[slot]));
        if let Some(slot) = near.max_by_key(|&slot| self.worth(state, player, slot)) {
            return Some(Choice::Go(state.cells[slot]));
        }
        let sums = self.sums(hand);
        let lack = |slot: usize| {
            let demand = self.face(state, slot).demand;
            (0..3).map(|r: usize| (i16::from(demand[r]) - sums[r]).max(0)).sum::<i16>()
        };
        let ship = state.ships[player.index() & 1];
        let goal = self.unclaimed(state).min_by_key(|&slot| {
            let pays = self.can_supply(state, player, slot, false, hand);
            (!pays, if pays { 0 } else { lack(slot) }, self.map.distance(ship, state.cells[slot]))
        })?;
        self.nearest(cells, state.cells[goal]).map(Choice::Go)
    }

    /// The cell of a set that is nearest to another.
    fn nearest(&self, cells: CellSet, goal: Cell) -> Option<Cell> {
        cells.iter().min_by_key(|&cell| self.map.distance(cell, goal))
    }

    /// How short the hand is of the resource of a discount.
    fn scarcity(&self, state: &State, player: Player, choice: Choice) -> i16 {
        let sums = self.sums(&state.hands[player.index() & 1]);
        match choice {
            Choice::Minus(resource) => {
                i16::from(state.payment.due[resource.index()]) - sums[resource.index()]
            }
            _ => i16::MIN,
        }
    }

    /// Cards before anything else, those that waste least first, of these the largest; an island is given up last.
    fn waste(&self, state: &State, choice: Choice) -> (u8, u8, i16) {
        match choice {
            Choice::Pay(kind) => {
                let values = self.kinds[usize::from(kind)].values;
                let used = |r: Resource| values[r.index()].min(state.payment.due[r.index()]);
                let used: u8 = Resource::ALL.map(used).iter().sum();
                (0, values.iter().sum::<u8>().saturating_sub(used), -i16::from(used))
            }
            Choice::Exchange(_) => (1, 0, 0),
            Choice::Shift(_) => (2, 0, 0),
            _ => (3, 0, 0),
        }
    }

    /// Units of the card that a choice discards.
    fn units_of(&self, choice: Choice) -> u8 {
        match choice {
            Choice::Discard(kind) => self.kinds[usize::from(kind)].units(),
            _ => u8::MAX,
        }
    }

    /// Two cards of one unit or none are worth swapping.
    fn greedy_swap(&self, state: &State, player: Player) -> Option<Choice> {
        let hand = &state.hands[player.index() & 1];
        let poor = |kind: &usize| self.kinds[*kind].units() <= 1;
        let count: u8 = bits(kinds_in(hand)).filter(poor).map(|kind| hand[kind]).sum();
        let least = bits(kinds_in(hand)).min_by_key(|&kind| self.kinds[kind].units());
        match least {
            Some(kind) if count >= state.swap_left => Some(Choice::Discard(kind as u8)),
            _ => Some(Choice::Decline),
        }
    }

    /// How far the other ship would be from its nearest unclaimed island.
    fn exile(&self, state: &State, choice: Choice) -> u8 {
        let cell = match choice {
            Choice::Go(cell) => cell,
            _ => state.ships[1 - (state.turn.index() & 1)],
        };
        self.unclaimed(state).map(|slot| self.map.distance(cell, state.cells[slot])).min().unwrap_or(0)
    }

    /// Unclaimed slots.
    fn unclaimed(&self, state: &State) -> impl Iterator<Item = usize> + use<> {
        bits((ALL_SLOTS & !state.marked()).into())
    }
}
