//! Hands and piles, stored as machine words, compared with plain lists of cards.

use crate::fixture::configured;
use playmat_core::prelude::*;
use playmat_graft::state::{Counts, Hand, Kind, MAX_HAND};
use serde_json::json;

/// The cards of a hand with their knowers.
fn list(hand: &Hand) -> Vec<(Kind, u8)> {
    hand.cards().collect()
}

#[test]
fn hands_change_as_sorted_lists_do() {
    let mut draws = Rng::from_seed(3);
    let (mut removed, mut missed) = (0, 0);
    for _ in 0..2_000 {
        let (mut hand, mut plain) = (Hand::default(), Vec::<(Kind, u8)>::new());
        // Few kinds, so that equal cards meet; the largest and the smallest are among them.
        let kinds = [Kind(0), Kind(1), Kind(30), Kind(63)];
        for _ in 0..20 {
            let kind = kinds[draws.below(4) as usize];
            let players = 1 << draws.below(5) | 1 << draws.below(5);
            match draws.below(3) {
                0 if plain.len() < MAX_HAND => {
                    let at = plain.iter().take_while(|card| card.0 <= kind).count();
                    plain.insert(at, (kind, players));
                    hand.draw(kind, players);
                }
                1 if plain.len() < MAX_HAND => {
                    let at = plain.iter().take_while(|card| card.0 < kind).count();
                    plain.insert(at, (kind, 31));
                    hand.take_back(kind, 31);
                }
                _ => {
                    match plain.iter().position(|card| card.0 == kind) {
                        Some(at) => {
                            plain.remove(at);
                            removed += 1;
                        }
                        None => missed += 1,
                    }
                    hand.remove(kind);
                }
            }
            assert_eq!(list(&hand), plain);
            assert!(hand.kinds[plain.len()..].iter().all(|kind| kind.0 == 0), "{hand:?}");
            assert!(hand.known[plain.len()..].iter().all(|&known| known == 0), "{hand:?}");
            assert_eq!(hand.set(), plain.iter().fold(0, |set, card| set | 1 << card.0.0));
            for player in Player::all(5) {
                let known = hand.known_by(player).to_le_bytes();
                let expected: Vec<u8> = plain.iter().map(|card| card.1 >> player.0 & 1).collect();
                assert_eq!(known[..plain.len()], expected);
                assert!(known[plain.len()..].iter().all(|&byte| byte == 0), "{known:?}");
            }
        }
    }
    assert!(removed > 5_000 && missed > 2_000, "{removed} cards removed, {missed} were not there");
}

#[test]
fn a_place_in_the_pile_is_the_card_that_a_walk_finds() {
    let mut draws = Rng::from_seed(4);
    let mut few = 0;
    for _ in 0..300 {
        let (kinds, most) = (1 + draws.below(64) as usize, 1 + draws.below(6));
        let mut pile = Counts::default();
        for count in &mut pile.0[..kinds] {
            *count = draws.below(most + 1) as u8;
        }
        let cards = pile.0.iter().zip(0..).flat_map(|(&count, kind)| (0..count).map(move |_| Kind(kind)));
        for (x, kind) in (0..).zip(cards) {
            assert_eq!(pile.at(x), kind);
            if pile.total() < 128 {
                assert_eq!(pile.at_of_few(pile.groups(), x as u8), kind, "place {x} of {pile:?}");
                few += 1;
            }
        }
    }
    assert!(few > 5_000, "{few}");
}

/// The generator one draw earlier.
fn before(rng: &Rng) -> Rng {
    let [a, b, c, d] = rng.words;
    let mixed = d.rotate_right(45);
    let first = a ^ mixed;
    let x = b ^ c;
    let second = x ^ x << 17 ^ x << 34 ^ x << 51;
    Rng { words: [first, second, b ^ second ^ first, mixed ^ second] }
}

#[test]
fn cards_are_dealt_as_places_are_drawn_one_by_one() {
    let game = configured(&json!({})).game.clone();
    // The upper halves of the first two numbers of this generator are 0, which are rejected as places. It is reached after some draws.
    let mut special = Rng { words: [0, 1, 0, 0] };
    let mut rngs: Vec<Rng> = (0..50).map(Rng::from_seed).collect();
    for _ in 0..25 {
        special = before(&special);
        rngs.push(special);
    }
    let mut rejected = 0;
    for start in rngs {
        let (mut rng, mut plain, mut unrejected) = (start, start, start);
        let state = game.deal(&mut rng, &mut Silent);
        let (gold, all) = (game.gold() as u32, game.badges().len() as u32);
        for n in [gold, gold - 1, all - gold, all - gold - 1, all - gold - 2] {
            plain.below(n);
        }
        let mut pile: Vec<Kind> = Vec::new();
        for (&count, kind) in game.deck().0.iter().zip(0..) {
            pile.extend((0..count).map(|_| Kind(kind)));
        }
        for hand in &state.hands[..3] {
            let mut cards: Vec<Kind> =
                (0..5).map(|_| pile.remove(plain.below(pile.len() as u32) as usize)).collect();
            cards.sort();
            assert_eq!(hand.cards().map(|card| card.0).collect::<Vec<_>>(), cards);
        }
        assert_eq!((rng, usize::from(state.pile_size)), (plain, pile.len()));
        (0..20).for_each(|_| _ = unrejected.next_u32());
        rejected += usize::from(rng != unrejected);
    }
    assert!(rejected > 15, "{rejected}");
}
