//! Determinizations.

use crate::LiarsDice;
use crate::state::{FACES, State};
use playmat_core::prelude::*;

/// Exact for the deal: each die that the viewer does not see is rolled again.
pub(crate) fn sample_hidden(game: &LiarsDice, state: &State, viewer: Player, rng: &mut Rng) -> State {
    let mut sample = *state;
    for owner in hidden(game, state, viewer) {
        sample.dice[owner.index()] = rng.below(FACES as u32) as u8 + 1;
    }
    sample
}

/// All states that the viewer considers possible; each is equally likely.
pub(crate) fn determinizations(
    game: &LiarsDice,
    state: &State,
    viewer: Player,
) -> Option<Determinizations<State>> {
    let mut states = vec![*state];
    for owner in hidden(game, state, viewer) {
        let with_die = |state: &State| {
            let state = *state;
            (1..=FACES as u8).map(move |die| {
                let mut other = state;
                other.dice[owner.index()] = die;
                other
            })
        };
        states = states.iter().flat_map(with_die).collect();
    }
    let p = 1.0 / states.len() as f64;
    Some(states.into_iter().map(|state| (state, p)).collect())
}

/// The players whose dice the viewer does not see.
fn hidden(game: &LiarsDice, state: &State, viewer: Player) -> Vec<Player> {
    Player::all(game.players).filter(|&owner| !state.die(owner).is_seen_by(Some(viewer))).collect()
}
