//! Determinizations (GR-R24c): what the viewer does not know is dealt anew, and the others choose anew.

use super::Graft;
use super::state::{Counts, Hand, Phase, State};
use playmat_core::prelude::*;

/// A state drawn from those consistent with what `viewer` knows (GR-R24c).
pub(super) fn sample_hidden(game: &Graft, state: &State, viewer: Seat, rng: &mut Rng) -> State {
    let mut sample = *state;
    let mut unseen = game.unseen(state, viewer);
    let mut left = unseen.total();
    let mut draw = |rng: &mut Rng| {
        let kind = unseen.at(rng.below(left));
        unseen.0[kind.index()] -= 1;
        left -= 1;
        kind
    };
    for seat in Seat::all(game.players) {
        let mut hand = Hand::default();
        let own = 1 << seat.0;
        let before = state.hands[seat.index()];
        for (kind, _) in before.cards().filter(|card| card.1 >> viewer.0 & 1 != 0) {
            hand.draw(kind, own | 1 << viewer.0);
        }
        for _ in 0..before.hidden_from(viewer) {
            hand.draw(draw(rng), own);
        }
        sample.hands[seat.index()] = hand;
    }
    sample.out = Counts::default();
    for _ in 0..state.out.total() {
        sample.out.0[draw(rng).index()] += 1;
    }
    sample.pile = unseen;
    game.choose_anew(&mut sample, viewer, rng);
    sample
}

impl Graft {
    /// Cards that `viewer` has not seen anywhere (GR-R24b): those of the pile, those out of the game, and the hidden ones of
    /// the other hands.
    pub(super) fn unseen(&self, state: &State, viewer: Seat) -> Counts {
        let mut unseen = state.secret;
        for seat in Seat::all(self.players) {
            for (kind, known) in state.hands[seat.index()].cards() {
                unseen.0[kind.index()] -= known >> viewer.0 & 1;
            }
        }
        unseen
    }

    /// Face-down choices of the others: while the viewer has to choose, the players before it have a choice; nobody else has.
    fn choose_anew(&self, sample: &mut State, viewer: Seat, rng: &mut Rng) {
        if sample.acting.is_empty() {
            return;
        }
        let choosers = choosers(self, sample);
        let chosen = choosers.chosen_in_sample(viewer, sample.acting.contains(viewer));
        for seat in choosers.iter().filter(|&seat| seat != viewer) {
            take_back_choice(self, sample, seat);
            while chosen.contains(seat) && sample.acting.contains(seat) {
                let action = rng.pick(&self.legal(sample, seat));
                self.choose(sample, seat, action, &mut Silent);
            }
        }
    }
}

/// The players who choose face down in this phase.
fn choosers(game: &Graft, state: &State) -> Seats {
    match state.phase {
        Phase::Choose => Seats::all(game.players),
        Phase::Replace => state.shippers,
        Phase::Claim | Phase::Refill => {
            Seat::all(game.players).filter(|seat| state.offers[seat.index()] != 0).collect()
        }
        Phase::Replant | Phase::End => Seats::EMPTY,
    }
}

/// The player must choose again, if it chooses face down in this phase.
pub(super) fn take_back_choice(game: &Graft, state: &mut State, player: Seat) {
    if state.acting.is_empty() || !choosers(game, state).contains(player) {
        return;
    }
    let at = player.index();
    (state.cards[at], state.replacements[at], state.claiming[at]) = ([0; 2], 0, 0);
    state.bars.remove(player);
    state.acting.insert(player);
}
