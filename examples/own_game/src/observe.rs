//! Layout and bytes of an observation.

use crate::LiarsDice;
use crate::state::{FACES, State};
use playmat_core::prelude::*;

pub(crate) fn layout(players: usize) -> Layout {
    let mut layout = Layout::default();
    layout.push("player", &[players], 1, false, "one-hot: the viewer; player 0 bids first");
    layout.push("die", &[FACES], 1, false, "one-hot: the viewer's die");
    layout.push("bids", &[players, FACES], 1, true, "the bids so far, by number of dice and face");
    layout.push("called", &[1], 1, true, "whether the last bid was doubted");
    layout.push(
        "dice",
        &[players, FACES],
        1,
        true,
        "one-hot by player, the viewer first: its die, once a bid was doubted",
    );
    layout
}

pub(crate) fn observe(game: &LiarsDice, state: &State, viewer: Player, out: &mut [u8]) {
    let players = game.players;
    let (player, out) = out.split_at_mut(players);
    let (die, out) = out.split_at_mut(FACES);
    let (bids, out) = out.split_at_mut(players * FACES);
    let (called, dice) = out.split_at_mut(1);
    expand(1 << viewer.index(), player);
    expand(1 << (state.dice[viewer.index()] - 1), die);
    expand(state.bids.into(), bids);
    called[0] = state.called.into();
    dice.fill(0);
    // The dice that everybody sees, which is more than what this viewer sees.
    for owner in Player::all(players)
        .filter(|&owner| Player::all(players).all(|any| state.die(owner).is_seen_by(Some(any))))
    {
        // As other segments about players, in all games: the viewer first.
        let row = (owner.index() + players - viewer.index()) % players;
        dice[row * FACES + usize::from(state.dice[owner.index()] - 1)] = 1;
    }
}
