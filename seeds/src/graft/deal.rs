//! The deal and the draws: everything that chance decides (GR-R1, R2, R12).

use super::Graft;
use super::rules::Event;
use super::state::{HAND, State};
use playmat_core::prelude::*;

/// Badges and hands (GR-R1, R2).
pub(super) fn deal<L: Log<Graft>>(game: &Graft, rng: &mut Rng, log: &mut L) -> State {
    let mut state =
        State { pile: game.deck, secret: game.deck, pile_size: game.deck_size as u8, ..State::default() };
    log.rule(|| if game.players == 2 { "GR-R1a".into() } else { "GR-R1".into() });
    log.rule(|| "GR-R2".into());
    let (gold, all) = (game.gold as u32, game.badges.len() as u32);
    draw_badges(&mut state.slots[..2], 0, gold, rng, log);
    draw_badges(&mut state.slots[2..], gold, all, rng, log);
    game.deal_cards(&mut state, HAND, rng, log);
    state.acting = Seats::all(game.players);
    log.event(&state, || Event::TurnBegan(0));
    state
}

impl Graft {
    /// Each player draws `count` cards (GR-R12).
    fn deal_cards<L: Log<Self>>(&self, state: &mut State, count: usize, rng: &mut Rng, log: &mut L) {
        let mut groups = state.pile.groups();
        for seat in Seat::all(self.players) {
            for _ in 0..count {
                let place = rng.below(state.pile_size.into());
                let few = state.pile_size < 128;
                let kind = if few { state.pile.at_of_few(groups, place) } else { state.pile.at(place) };
                groups = groups.wrapping_sub(1 << (8 * (kind.index() / 8)));
                state.pile.0[kind.index()] -= 1;
                state.pile_size -= 1;
                state.hands[seat.index()].draw(kind, 1 << seat.0);
                log.chance();
                log.event(state, || Event::Drew(seat, kind));
            }
        }
    }

    /// GR-R12: everybody draws as many cards; what is too little to go round leaves the game.
    pub(super) fn draw_up<L: Log<Self>>(&self, state: &mut State, rng: &mut Rng, log: &mut L) {
        let wanted = HAND - state.hands[0].size().min(HAND);
        let count = wanted.min(usize::from(state.pile_size) / self.players);
        self.deal_cards(state, count, rng, log);
        if count < wanted && state.pile_size > 0 {
            let left = state.pile_size;
            state.out = state.pile;
            state.pile = Default::default();
            state.pile_size = 0;
            log.rule(|| "GR-Q9".into());
            log.event(state, || Event::LeftOut(left));
        }
        if count > 0 {
            log.rule(|| "GR-R12".into());
        }
    }
}

/// Some of the badges `from..to`, ascending (GR-R2a).
fn draw_badges<L: Log<Graft>>(slots: &mut [u8], from: u32, to: u32, rng: &mut Rng, log: &mut L) {
    let mut drawn = 0u64;
    for i in 0..slots.len() as u32 {
        // The x-th badge that was not drawn yet.
        let x = rng.below(to - from - i);
        let rest = !drawn & ((1u64 << to) - (1u64 << from));
        drawn |= 1 << playmat_core::bits::select_in_word(rest, x);
        log.chance();
    }
    for slot in slots {
        *slot = drawn.trailing_zeros() as u8;
        drawn &= drawn - 1;
    }
}
