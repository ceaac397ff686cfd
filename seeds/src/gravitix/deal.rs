//! The deal: map, decks and hands.

use super::Gravitix;
use super::map::SLOTS;
use super::state::State;
use playmat_core::prelude::*;

/// Deals map and hands (GX-R1, R1a, R2), in the order that the rules name, and plays on to the first decision, the start of a ship.
#[inline]
pub(super) fn deal<L: Log<Gravitix>>(game: &Gravitix, rng: &mut Rng, log: &mut L) -> State {
    let mut state = State::EMPTY;
    if game.players == 2 {
        state.turn = game.first.unwrap_or_else(|| {
            log.chance();
            log.rule(|| "GX-Q18".into());
            Player(rng.below(2) as u8)
        });
    }
    let mut all: [u8; 2 * SLOTS] = std::array::from_fn(|face| face as u8);
    let all = &mut all[..game.faces.len()];
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
    game.lay_out(&mut state);
    log.rule(|| "GX-R1".into());
    for player in 0..game.players {
        state.decks[player] = game.deck;
        game.draw(&mut state, Player(player as u8), game.hand_sizes[player], rng, log);
    }
    log.rule(|| "GX-R2".into());
    game.play_on(&mut state, rng, log);
    state
}

impl Gravitix {
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
}
