//! What is wrong with a state from outside.

use crate::LiarsDice;
use crate::state::State;
use playmat_core::prelude::*;

pub(crate) fn validate(game: &LiarsDice, state: &State) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (player, &die) in state.dice.iter().enumerate() {
        if player < game.players && !(1..=6).contains(&die) {
            problems.push(Problem::new(format!("players[{player}].die"), format!("{die}; allowed: 1 to 6")));
        } else if player >= game.players && die != 0 {
            problems.push(Problem::new("players", "a player that does not exist has a die"));
        }
    }
    if state.bids >> game.liar().0 != 0 {
        problems.push(Problem::new("bids", "a bid on more dice than there are"));
    }
    if state.called && state.bids == 0 {
        problems.push(Problem::new("called", "nobody has bid anything that can be doubted"));
    }
    problems
}
