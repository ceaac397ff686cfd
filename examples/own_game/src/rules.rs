//! The course of an episode: bids, the call.

use crate::action::Bid;
use crate::state::State;
use crate::{LiarsDice, score};
use playmat_core::prelude::*;

/// What hosts animate.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A player rolled its die.
    Rolled(Player, u8),
    /// A player bid.
    Bid(Player, Action),
    /// A player called the last bidder a liar: all dice are shown.
    Called(Player),
    /// A player lost: the bidder or the doubter.
    Lost(Player),
}

pub(crate) fn acting(game: &LiarsDice, state: &State) -> Players {
    if state.called { Players::EMPTY } else { Players::one(state.turn(game.players)) }
}

pub(crate) fn status(_: &LiarsDice, state: &State) -> Status {
    if state.called { Status::Terminated } else { Status::Running }
}

pub(crate) fn apply<L: Log<LiarsDice>>(
    game: &LiarsDice,
    state: &mut State,
    player: Player,
    action: Action,
    _: &mut Rng,
    log: &mut L,
) {
    if action != game.liar() {
        state.bids |= 1 << action.0;
        log.rule(|| "LD-R2".into());
        log.event(state, || Event::Bid(player, action));
        return;
    }
    state.called = true;
    log.rule(|| "LD-R3".into());
    log.event(state, || Event::Called(player));
    let bid = state.last_bid().map(Bid::of);
    if bid.is_some_and(|bid| game.wild && bid.face != 6) && state.dice.contains(&6) {
        log.rule(|| "LD-R4".into());
    }
    log.rule(|| "LD-R5".into());
    let loser = score::loser(game, state);
    log.event(state, || Event::Lost(loser));
}
