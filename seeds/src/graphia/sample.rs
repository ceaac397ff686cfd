//! Determinizations ("Who knows what" of the rules page): other players' choices of the running round, drawn anew.

use super::Graphia;
use super::state::{Phase, State};
use playmat_core::prelude::*;

/// Other players' choices of the running round, drawn anew from what they could have chosen.
pub(super) fn sample_hidden(game: &Graphia, state: &State, viewer: Player, rng: &mut Rng) -> State {
    let mut sample = *state;
    let chosen = state.deciders.chosen_in_sample(viewer, state.acting.contains(viewer));
    for player in Player::all(game.players).filter(|&player| player != viewer) {
        let at = player.index();
        if state.phase == Phase::Place
            && let (true, Some(pair)) = (state.chose.contains(player), state.pair)
        {
            sample.shapes[at] = Some(pair[rng.below(2) as usize]);
        }
        // Only players who decide hide something: single placements without a decision are public.
        if !state.deciders.contains(player) {
            continue;
        }
        take_back_choice(game, &mut sample, player);
        if chosen.contains(player) {
            let action = rng.pick(&game.legal(&sample, player));
            game.choose(&mut sample, player, game.choice(action), &mut Silent);
        }
    }
    sample
}

/// The player must choose again, if it decides in this phase.
pub(super) fn take_back_choice(_: &Graphia, state: &mut State, player: Player) {
    if !state.deciders.contains(player) {
        return;
    }
    match state.phase {
        Phase::Shape => state.shapes[player.index()] = None,
        _ => state.places[player.index()] = None,
    }
    state.acting.insert(player);
}
