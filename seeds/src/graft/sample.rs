//! Determinizations (GR-R24c): what the viewer does not know is dealt anew, and the others choose anew.

use super::Graft;
use super::state::{Counts, Hand, Phase, State};
use playmat_core::prelude::*;

/// A state drawn from those consistent with what `viewer` knows (GR-R24c).
pub(super) fn sample_hidden(game: &Graft, state: &State, viewer: Player, rng: &mut Rng) -> State {
    let mut sample = *state;
    let mut unseen = game.unseen(state, viewer);
    let mut left = unseen.total();
    let mut draw = |rng: &mut Rng| {
        let kind = unseen.at(rng.below(left));
        unseen.0[kind.index()] -= 1;
        left -= 1;
        kind
    };
    for player in Player::all(game.players) {
        let mut hand = Hand::default();
        let own = 1 << player.0;
        let before = state.hands[player.index()];
        for (kind, _) in before.cards().filter(|card| card.1 >> viewer.0 & 1 != 0) {
            hand.draw(kind, own | 1 << viewer.0);
        }
        for _ in 0..before.hidden_from(viewer) {
            hand.draw(draw(rng), own);
        }
        sample.hands[player.index()] = hand;
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
    pub(super) fn unseen(&self, state: &State, viewer: Player) -> Counts {
        let mut unseen = state.secret;
        for player in Player::all(self.players) {
            for (kind, known) in state.hands[player.index()].cards() {
                unseen.0[kind.index()] -= known >> viewer.0 & 1;
            }
        }
        unseen
    }

    /// Face-down choices of the others: while the viewer has to choose, the players before it have a choice; nobody else has.
    fn choose_anew(&self, sample: &mut State, viewer: Player, rng: &mut Rng) {
        if sample.acting.is_empty() {
            return;
        }
        let choosers = choosers(self, sample);
        let chosen = choosers.chosen_in_sample(viewer, sample.acting.contains(viewer));
        for player in choosers.iter().filter(|&player| player != viewer) {
            take_back_choice(self, sample, player);
            while chosen.contains(player) && sample.acting.contains(player) {
                let action = rng.pick(&self.legal(sample, player));
                self.choose(sample, player, action, &mut Silent);
            }
        }
    }
}

/// The players who choose face down in this phase.
fn choosers(game: &Graft, state: &State) -> Players {
    match state.phase {
        Phase::Choose => Players::all(game.players),
        Phase::Replace => state.shippers,
        Phase::Claim | Phase::Refill => {
            Player::all(game.players).filter(|player| state.offers[player.index()] != 0).collect()
        }
        Phase::Replant | Phase::End => Players::EMPTY,
    }
}

/// The player must choose again, if it chooses face down in this phase.
pub(super) fn take_back_choice(game: &Graft, state: &mut State, player: Player) {
    if state.acting.is_empty() || !choosers(game, state).contains(player) {
        return;
    }
    let at = player.index();
    (state.cards[at], state.replacements[at], state.claiming[at]) = ([0; 2], 0, 0);
    state.bars.remove(player);
    state.acting.insert(player);
}
