//! The roll: everything that chance decides.

use crate::LiarsDice;
use crate::rules::Event;
use crate::state::{FACES, State};
use playmat_core::prelude::*;

/// LD-R1: everybody rolls a die that only its owner sees.
pub(crate) fn deal<L: Log<LiarsDice>>(game: &LiarsDice, rng: &mut Rng, log: &mut L) -> State {
    let mut state = State::default();
    log.rule(|| "LD-R1".into());
    for player in Player::all(game.players) {
        let die = rng.below(FACES as u32) as u8 + 1;
        log.chance();
        state.dice[player.index()] = die;
        log.event(&state, || Event::Rolled(player, die));
    }
    state
}
