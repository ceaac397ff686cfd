//! Setting up a game, and what a position is worth.

use super::Gravitix;
use super::map::SLOTS;
use super::pay::bits;
use super::rules::ALL_SLOTS;
use super::state::{State, size, slots};
use playmat_core::prelude::*;

impl Gravitix {
    /// Points of a seat as the game stands (GX-R9): islands, doubled ones twice, and colours.
    pub(super) fn points(&self, state: &State, seat: Seat) -> i32 {
        let owned = state.owned[seat.index() & 1];
        let (mut points, mut colours) = (0, [0i32; super::content::COLOURS]);
        for slot in bits(owned.into()) {
            let face = &self.faces[usize::from(state.faces[slot])];
            points += i32::from(face.points) << (state.doubled >> slot & 1);
            if let Some(colour) = face.colour {
                // GX-Q15: islands are counted, doubled or not.
                colours[usize::from(colour)] += 1;
            }
        }
        points + colours.map(|islands| islands * (islands + 1) / 2).iter().sum::<i32>()
    }

    /// Cards that count in the puzzle (GX-Q16).
    #[inline(always)]
    pub(super) fn counted(&self, state: &State) -> u32 {
        if self.counts_sailed { state.sailed[0].into() } else { size(&state.discards[0]) }
    }

    /// Cards that a seat has not used (GX-R9).
    pub(super) fn unused(&self, state: &State, seat: Seat) -> u32 {
        size(&state.hands[seat.index() & 1]) + size(&state.decks[seat.index() & 1])
    }

    /// Deals map and hands (GX-R1, R2), in the order that the rules name, and begins the placing of ships.
    pub(super) fn set_up<L: Log<Self>>(&self, rng: &mut Rng, log: &mut L) -> State {
        let mut state = State::EMPTY;
        if self.players == 2 {
            state.turn = Seat(self.first.unwrap_or_else(|| {
                log.chance();
                log.rule(|| "GX-Q18".into());
                rng.below(2) as u8
            }));
        }
        let mut all: [u8; 2 * SLOTS] = std::array::from_fn(|face| face as u8);
        let all = &mut all[..self.faces.len()];
        if all.len() > SLOTS {
            // Twelve of twenty-four: each of the first places gets one of those left.
            for place in 0..SLOTS {
                let from = place + rng.below((all.len() - place) as u32) as usize;
                all.swap(place, from);
                log.chance();
            }
        }
        rng.shuffle(&mut all[..SLOTS]);
        state.faces.copy_from_slice(&all[..SLOTS]);
        for slot in 0..SLOTS {
            log.chance();
            log.chance();
            state.turned |= (rng.below(2) as u16) << slot;
        }
        self.lay_out(&mut state);
        log.rule(|| "GX-R1".into());
        for seat in 0..self.players {
            state.decks[seat] = self.deck;
            self.draw(&mut state, Seat(seat as u8), self.hand_sizes[seat], rng, log);
        }
        log.rule(|| "GX-R2".into());
        state
    }

    /// Fills in what follows from faces and how they lie.
    pub(super) fn lay_out(&self, state: &mut State) {
        for slot in 0..SLOTS {
            let place = self.place_of(state, slot);
            state.cells[slot] = self.map.island(slot, place);
        }
        for from in 0..SLOTS {
            for to in 0..SLOTS {
                state.between[from][to] = self.map.distance(state.cells[from], state.cells[to]);
            }
        }
    }

    /// Where the island of a slot lies in its tile as it lies, `3 strip + k` (GX-R1f).
    #[inline(always)]
    pub(super) fn place_of(&self, state: &State, slot: usize) -> u8 {
        self.faces[usize::from(state.faces[slot])].places[usize::from(state.is_turned(slot))]
    }

    /// GX-R9: most points, then most unused cards, then all share. The puzzle is won when it is solved (GX-R21b).
    pub(super) fn won_by(&self, state: &State) -> Seats {
        if self.players == 1 {
            return if state.marked() == ALL_SLOTS { Seats::all(1) } else { Seats::EMPTY };
        }
        let rank = |seat: Seat| (self.points(state, seat), self.unused(state, seat));
        let best = Seat::all(2).map(rank).max();
        Seat::all(2).filter(|&seat| Some(rank(seat)) == best).collect()
    }

    /// Unclaimed slots.
    pub(super) fn unclaimed(&self, state: &State) -> impl Iterator<Item = usize> + use<> {
        slots(ALL_SLOTS & !state.marked())
    }
}
