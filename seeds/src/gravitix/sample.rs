//! Determinizations: the other player's cards, dealt anew between hand and deck.

use super::Gravitix;
use super::state::{Cards, MAX_KINDS, Phase, State, bits, kinds_in, size};
use playmat_core::prelude::*;

/// Draws before cards are swapped one by one.
const DRAWS: u32 = 64;

/// Keeps what is public and the viewer's own cards. The other's hand is drawn from that player's cards that are not
/// discarded, every card alike. A hand that must pay is drawn again until it can, up to 64 times, then repaired by swaps. If
/// that fails, all begins anew. The true hand is never read, but it is one of the hands that can be drawn, so this ends.
pub(super) fn sample_hidden(game: &Gravitix, state: &State, viewer: Player, rng: &mut Rng) -> State {
    let mut sample = *state;
    if game.players == 1 {
        return sample;
    }
    let other = 1 - (viewer.index() & 1);
    let mut pool: Cards = [0; MAX_KINDS];
    for (kind, count) in pool.iter_mut().enumerate() {
        *count = state.hands[other][kind] + state.decks[other][kind];
    }
    let count = size(&state.hands[other]);
    let pays = matches!(state.phase, Phase::Supply | Phase::Discount | Phase::Pay) && state.turn != viewer;
    loop {
        for _ in 0..DRAWS {
            (sample.hands[other], sample.decks[other]) = draw(&pool, count, rng);
            if !pays || game.completable(&sample, &sample.hands[other]) {
                return sample;
            }
        }
        if game.repair(&mut sample, other, rng) {
            return sample;
        }
    }
}

impl Gravitix {
    /// Swaps single cards of hand and deck as long as that lessens the units missing, one of the best swaps each time; whether
    /// the payment can then be completed.
    fn repair(&self, sample: &mut State, other: usize, rng: &mut Rng) -> bool {
        let mut lacks = self.least_missing(sample, &sample.hands[other], i16::MAX);
        while lacks > 0 {
            let (hand, deck) = (sample.hands[other], sample.decks[other]);
            let swaps = || {
                let others = move |give| bits(kinds_in(&deck)).filter(move |&get| get != give);
                bits(kinds_in(&hand)).flat_map(move |give| others(give).map(move |get| (give, get)))
            };
            let left_after = |(give, get): (usize, usize), bound| {
                let mut tried = hand;
                tried[give] -= 1;
                tried[get] += 1;
                self.least_missing(sample, &tried, bound)
            };
            let (mut best, mut count) = (lacks, 0);
            for swap in swaps() {
                let left = left_after(swap, best + 1);
                if left < best {
                    (best, count) = (left, 0);
                }
                count += u32::from(left == best);
            }
            if best == lacks {
                return false;
            }
            let mut equal = swaps().filter(|&swap| left_after(swap, best + 1) == best);
            let (give, get) = equal.nth(rng.below(count) as usize).expect("a number below the count");
            sample.hands[other][give] -= 1;
            sample.hands[other][get] += 1;
            sample.decks[other][give] += 1;
            sample.decks[other][get] -= 1;
            lacks = best;
        }
        self.completable(sample, &sample.hands[other])
    }
}

/// `count` cards of a pool, every card alike, and the rest.
fn draw(pool: &Cards, count: u32, rng: &mut Rng) -> (Cards, Cards) {
    let (mut hand, mut deck) = ([0; MAX_KINDS], *pool);
    for _ in 0..count {
        let kind = rng.draw_kind(&deck);
        deck[kind] -= 1;
        hand[kind] += 1;
    }
    (hand, deck)
}
