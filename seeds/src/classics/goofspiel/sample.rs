//! Determinizations for a bidder.

use super::{Goofspiel, State, place};
use playmat_core::hooks::same;
use playmat_core::prelude::*;

/// A state drawn uniformly from those consistent with what `viewer` knows.
///
/// With open bids only the buffered bids of others are hidden: each is any card of that hand. With hidden bids the
/// other player's whole sequence is drawn, uniformly over all sequences that lead to the same takers.
pub(super) fn sample(game: &Goofspiel, state: &State, viewer: Player, rng: &mut Rng) -> State {
    let mut sample = *state;
    let bidders = if state.waiting == 0 { Players::EMPTY } else { Players::all(game.players) };
    let have_bid = bidders.chosen_in_sample(viewer, state.waiting >> viewer.0 & 1 != 0);
    for player in Player::all(game.players).filter(|player| *player != viewer) {
        let i = player.index();
        let mut hand = state.public_hand(i);
        if game.imp_info {
            // The last card, played by itself, follows from the others; drawing it with them keeps the law uniform.
            let bids = consistent_bids(game, state, viewer, rng);
            sample.bids[i] = bids;
            hand = (0..state.turn)
                .fold(game.fresh.hands[i], |hand, turn| hand & !(1 << (place(bids, turn) - 1)));
        } else {
            sample.bids[i] &= !(15 << ((4 * u32::from(state.turn)) & 63));
        }
        sample.hands[i] = hand;
        sample.waiting |= bidders.0 & 1 << i;
        if have_bid.contains(player) {
            let value = rng.pick(&Bits([hand.into()])).0 as u8 + 1;
            sample.bid(i, value);
        }
    }
    sample
}

/// Whether a sample has the past of the true state, as far as `viewer` knows it: the prizes and who took each of them, with
/// open bids every bid, and whether the viewer has bid.
pub(super) fn consistent(
    game: &Goofspiel,
    state: &State,
    viewer: Player,
    sample: &State,
) -> Result<(), String> {
    for turn in 0..state.turn {
        let taken = |of: &State| (game.taker(of, turn).map(|player| player.0), place(of.prizes, turn));
        same(format_args!("who took which prize in turn {turn}"), state, sample, taken)?;
    }
    for player in Player::all(game.players) {
        let i = player.index();
        let past = |state: &State| state.bids[i] & ((1 << (4 * u32::from(state.turn))) - 1);
        if game.past_zone(player).is_seen_by(Some(viewer)) {
            same(format_args!("bids of player {player}, which all have seen"), state, sample, past)?;
        }
    }
    let own = |state: &State| (state.buffered(viewer.index()), state.waiting >> viewer.0 & 1);
    same("the own bid", state, sample, own)
}

/// What the result of a past turn says about the other player's card. Indexed by the viewer's card of that turn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BidConstraint {
    /// The viewer's card was never bid.
    None,
    /// The other card was lower, equal, or higher, in this turn.
    Lower(u8),
    Equal(u8),
    Higher(u8),
}

/// Counts of completions by card, cards in the pool, turns that wait: at most 15!, far below 2^64.
type Table = [[[u64; 17]; 17]; 17];

/// The other player's past bids, uniformly drawn from the sequences that explain who took what.
///
/// Cards are walked upwards. A card may stay unused, fill one of the turns that wait for a card higher than one passed
/// already, or go into a pool from which turns that need a lower card than the present one take. Every assignment
/// arises in exactly one way, so that counting ways from each point on gives exact probabilities.
fn consistent_bids(game: &Goofspiel, state: &State, viewer: Player, rng: &mut Rng) -> u64 {
    let mut past = [BidConstraint::None; 16];
    for turn in 0..state.turn {
        let card = usize::from(place(state.bids[viewer.index()], turn));
        past[card] = match game.taker(state, turn) {
            None => BidConstraint::Equal(turn),
            Some(player) if player == viewer => BidConstraint::Lower(turn),
            Some(_) => BidConstraint::Higher(turn),
        };
    }
    let ways = count(game.cards, &past);
    let (mut pool, mut open) = (List::<u8, 16>::default(), List::<u8, 16>::default());
    let mut bids = 0u64;
    let mut give = |turn: u8, card: usize| bids |= (card as u64) << (4 * u32::from(turn));
    for card in 1..=game.cards {
        if let BidConstraint::Lower(turn) = past[card] {
            give(turn, pool.swap_remove(rng.below(pool.len() as u32) as usize).into());
        }
        if let BidConstraint::Equal(turn) = past[card] {
            give(turn, card);
        } else {
            let (i, j) = (pool.len(), open.len());
            let next = |i: usize, j: usize| {
                ways[card + 1][i][if matches!(past[card], BidConstraint::Higher(_)) { j + 1 } else { j }]
            };
            let (unused, pooled) = (next(i, j), next(i + 1, j));
            let filled = if j > 0 { j as u64 * next(i, j - 1) } else { 0 };
            let draw = below(rng, unused + pooled + filled);
            if draw < pooled {
                pool.push(card as u8);
            } else if draw < pooled + filled {
                give(open.swap_remove(rng.below(j as u32) as usize), card);
            }
        }
        if let BidConstraint::Higher(turn) = past[card] {
            open.push(turn);
        }
    }
    bids
}

/// `ways[card][i][j]`: in how many ways the cards from this one up complete a pool of `i` cards and `j` open turns.
fn count(cards: usize, past: &[BidConstraint; 16]) -> Table {
    let mut ways: Table = [[[0; 17]; 17]; 17];
    ways[cards + 1][0][0] = 1;
    for card in (1..=cards).rev() {
        for i in 0..=cards {
            for j in 0..=cards {
                // A turn that needs a lower card takes any of the pool first.
                let (takes, i_left) = match past[card] {
                    BidConstraint::Lower(_) if i == 0 => continue,
                    BidConstraint::Lower(_) => (i as u64, i - 1),
                    _ => (1, i),
                };
                let opens = usize::from(matches!(past[card], BidConstraint::Higher(_)));
                let next = |i: usize, j: usize| ways[card + 1][i.min(16)][(j + opens).min(16)];
                let mut sum = next(i_left, j);
                if !matches!(past[card], BidConstraint::Equal(_)) {
                    sum += next(i_left + 1, j);
                    if j > 0 {
                        sum += j as u64 * next(i_left, j - 1);
                    }
                }
                ways[card][i][j] = takes * sum;
            }
        }
    }
    ways
}

/// A uniform integer in `0..n`, by rejection of the numbers beyond the next power of two.
fn below(rng: &mut Rng, n: u64) -> u64 {
    let mask = n.next_power_of_two() - 1;
    loop {
        let number = rng.next_u64() & mask;
        if number < n {
            return number;
        }
    }
}
