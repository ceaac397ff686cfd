//! The deal and the draws: everything that chance decides (GR-R1, R2, R12).

use super::Graft;
use super::rules::Event;
use super::state::{Counts, HAND, MAX_PLAYERS, State};
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
    state.acting = Players::all(game.players);
    log.event(&state, || Event::TurnBegan(0));
    state
}

impl Graft {
    /// Each player draws `count` cards (GR-R12).
    fn deal_cards<L: Log<Self>>(&self, state: &mut State, count: usize, rng: &mut Rng, log: &mut L) {
        // All numbers first: the generator, the pile and a hand have no room in the registers together.
        let mut places = [0; MAX_PLAYERS * HAND];
        let places = &mut places[..self.players * count];
        draw_places(places, state.pile_size, rng);
        let (mut groups, mut left) = (state.pile.groups(), state.pile_size);
        let mut rest = places.iter();
        for player in Player::all(self.players) {
            let mut hand = state.hands[player.index()];
            for &place in rest.by_ref().take(count) {
                let kind = if left < 128 {
                    state.pile.at_of_few(groups, place)
                } else {
                    state.pile.at(place.into())
                };
                groups = Counts::take_from_groups(groups, kind);
                state.pile.0[kind.index()] -= 1;
                left = left.wrapping_sub(1);
                hand.draw(kind, 1 << (player.0 & 7));
                log.chance();
                if L::LISTENS {
                    (state.hands[player.index()], state.pile_size) = (hand, left);
                    log.event(state, || Event::Drew(player, kind));
                }
            }
            state.hands[player.index()] = hand;
        }
        state.pile_size = left;
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

/// Draws a place for each card in what is left of a pile of `size` cards, as [`Rng::below`] does.
#[inline(always)]
fn draw_places(places: &mut [u8], size: u8, rng: &mut Rng) {
    let (mut own, mut left, mut maybe_rejected) = (*rng, u32::from(size), false);
    for place in &mut *places {
        let product = u64::from(own.next_u32()).wrapping_mul(left.into());
        *place = (product >> 32) as u8;
        maybe_rejected |= (product as u32) < left;
        left = left.wrapping_sub(1);
    }
    if maybe_rejected {
        return draw_places_again(places, size, rng);
    }
    *rng = own;
}

/// [`draw_places`] where a number may have to be rejected: apart from the loop, in which the generator stays in registers.
#[cold]
#[inline(never)]
fn draw_places_again(places: &mut [u8], size: u8, rng: &mut Rng) {
    for (place, left) in places.iter_mut().zip((0..=size).rev()) {
        *place = rng.below(left.into()) as u8;
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
