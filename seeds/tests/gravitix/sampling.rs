//! Samples for a player, against enumeration.

use crate::fixture::{Position, chi_square, configured, play, visit_halves};
use playmat_core::game::Game;
use playmat_core::prelude::*;
use playmat_gravitix::state::{Phase, State, size};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Hands of player 1 in samples for player 0.
fn hands(state: &State, options: &Value, count: u64) -> BTreeMap<String, u32> {
    let game = &configured(options).game;
    let mut rng = Rng::from_seed(17);
    let mut counts = BTreeMap::new();
    for _ in 0..count {
        let sample = game.sample_hidden(state, Player(0), &mut rng);
        assert_eq!(game.validate(&sample), []);
        assert_eq!((sample.hands[0], sample.decks[0]), (state.hands[0], state.decks[0]));
        let hand = game.describe(&sample, None)["hands"][1].to_string();
        *counts.entry(hand).or_insert(0) += 1;
    }
    counts
}

#[test]
fn hands_are_drawn_from_the_cards_not_discarded() {
    // Two of W, W, R, F: hands WW 1/6, WR 2/6, WF 2/6, RF 1/6.
    let position = Position::of("a").hand(1, "W R").deck(1, "W F");
    let expected: BTreeMap<String, f64> = [
        (json!({"W": 2}), 1.0 / 6.0),
        (json!({"W": 1, "R": 1}), 2.0 / 6.0),
        (json!({"W": 1, "F": 1}), 2.0 / 6.0),
        (json!({"R": 1, "F": 1}), 1.0 / 6.0),
    ]
    .into_iter()
    .map(|(hand, share)| (hand.to_string(), share))
    .collect();
    let counts = hands(&position.state(), &position.options, 6_000);
    assert_eq!(counts.len(), 4, "{counts:?}");
    // The 99.9 % point with 3 degrees of freedom.
    assert!(chi_square(&counts, &expected) < 16.3, "{counts:?}");
}

/// Player 1 stands on a0 (1/1/1) and decides whether to supply it.
fn supply_decision(hand: &str, deck: &str) -> (State, Value) {
    let position =
        Position::of("a").hand(1, hand).deck(1, deck).set("turn", 1).set("phase", "supply").ship(1, 1, 1);
    (position.state(), position.options)
}

#[test]
fn a_player_who_may_supply_can_pay() {
    // Of four cards three are in hand: R F G pays, and so do RF with G and one more; W pays nothing.
    let (state, options) = supply_decision("R F G", "RG");
    assert_eq!(state.phase, Phase::Supply);
    let expected: BTreeMap<String, f64> = [
        (json!({"R": 1, "F": 1, "G": 1}), 1.0 / 3.0),
        (json!({"R": 1, "F": 1, "RG": 1}), 1.0 / 3.0),
        (json!({"F": 1, "G": 1, "RG": 1}), 1.0 / 3.0),
    ]
    .into_iter()
    .map(|(hand, share)| (hand.to_string(), share))
    .collect();
    let counts = hands(&state, &options, 6_000);
    assert_eq!(counts.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    // The 99.9 % point with 2 degrees of freedom.
    assert!(chi_square(&counts, &expected) < 13.8, "{counts:?}");
}

/// Player 1 pays for b6 (0/1/2) and has announced that rum counts as gems; its deck holds these cards.
fn announced(hand: &str, deck: &str) -> Position {
    let payment = json!({"slot": 6, "due": [0, 1, 2], "doubled": false, "pair_left": 0, "units_left": 0,
        "pair_first": null, "shifts": 0, "exchanges": 1, "started": true, "exchange": ["rum", "gems"]});
    let position = Position::of("b").own(1, &[0]).hand(1, hand).deck(1, deck).ship(1, 13, 0);
    position.set("turn", 1).set("phase", "pay").set("payment", payment)
}

#[test]
fn whoever_announced_an_exchange_has_a_card_for_it() {
    let position = announced("RF G RR", "FG R W");
    // By hand: a card with rum, its rum as gems, and the fabric and gems of all three.
    let cards = ["RF", "G", "RR", "FG", "R", "W"];
    let count = |card: &str, letter: char| card.matches(letter).count();
    let mut expected = BTreeMap::new();
    for set in (0u32..64).filter(|set| set.count_ones() == 3) {
        let hand: Vec<&str> = (0..6).filter(|i| set >> i & 1 != 0).map(|i| cards[i]).collect();
        let sum = |letter| hand.iter().map(|card| count(card, letter)).sum::<usize>();
        if hand.iter().any(|card| {
            let rum = count(card, 'R');
            rum > 0 && sum('F') >= 1 && sum('G') + rum >= 2
        }) {
            let hand: serde_json::Map<String, Value> =
                position_order(&hand).into_iter().map(|card| (card.into(), json!(1))).collect();
            expected.insert(Value::Object(hand).to_string(), 1.0);
        }
    }
    assert_eq!(expected.len(), 14);
    expected.values_mut().for_each(|share| *share = 1.0 / 14.0);
    let counts = hands(&position.state(), &position.options, 6_000);
    assert_eq!(counts.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    // The 99.9 % point with 13 degrees of freedom.
    assert!(chi_square(&counts, &expected) < 34.5, "{counts:?}");
    // Enough to pay without an exchange is not enough.
    let said = announced("G GG FG", "R W").refused();
    assert_eq!(said, "phase: the payment cannot be completed");
}

/// Cards in the order of their kinds.
fn position_order<'a>(hand: &[&'a str]) -> Vec<&'a str> {
    ["W", "R", "G", "RF", "FG", "RR"]
        .into_iter()
        .filter_map(|id| hand.iter().copied().find(|&card| card == id))
        .collect()
}

#[test]
fn a_hand_that_is_hard_to_find_is_repaired_by_swaps() {
    // Few hands of three of these twenty-one cards have all three resources.
    let (state, options) =
        supply_decision("R F G", "W W RR RR FF FF GG GG RRR FFF GGG RRFF RRGG FFGG RF RF RRF RFF");
    let game = &configured(&options).game;
    let mut different = std::collections::BTreeSet::new();
    for seed in 0..300 {
        let sample = game.sample_hidden(&state, Player(0), &mut Rng::from_seed(seed));
        assert_eq!((game.validate(&sample), size(&sample.hands[1])), (vec![], 3));
        different.insert(sample.hands[1]);
    }
    assert!(different.len() > 5, "{}", different.len());
    // One hand alone pays 0/1/3 with one card: only the swaps find it.
    let position = Position::of("c")
        .hand(1, "FGG G")
        .deck(1, "W W R R F F RF RF RR RR FF FF RRF RFF RRR FFF RRFF")
        .set("turn", 1)
        .set("phase", "supply")
        .ship(1, 20, 0);
    let state = position.state();
    for seed in 0..100 {
        let sample =
            configured(&position.options).game.sample_hidden(&state, Player(0), &mut Rng::from_seed(seed));
        assert_eq!(sample.hands[1], state.hands[1], "no other two cards have a fabric and three gems");
    }
}

#[test]
fn in_the_course_of_a_payment_the_rest_can_be_paid() {
    let mut looked = BTreeMap::new();
    for (i, set) in ["1", "2", "1+2"].iter().cycle().take(24).enumerate() {
        visit_halves(&json!({"island_set": set}), 300 + i as u64, |env| {
            let state = env.state();
            let Some(player) = env.current_player() else { return };
            if !matches!(state.phase, Phase::Supply | Phase::Discount | Phase::Pay) {
                return;
            }
            let game = &env.configured().game;
            *looked.entry(state.phase).or_insert(0) += 1;
            for seed in 0..3 {
                let sample = game.sample_hidden(state, Player(1 - player.0), &mut Rng::from_seed(seed));
                assert_eq!(game.validate(&sample), []);
                assert!(!game.legal(&sample, player).is_empty());
            }
        });
    }
    assert!(looked.len() == 3 && looked.values().all(|&count| count > 30), "{looked:?}");
}

#[test]
fn with_one_player_nothing_is_hidden() {
    visit_halves(&json!({"players": 1, "island_set": "1+2"}), 3, |env| {
        let sample = env.configured().game.sample_hidden(env.state(), Player(0), &mut Rng::from_seed(1));
        assert_eq!(sample, *env.state());
    });
}

#[test]
fn a_sample_may_leave_one_action_to_a_decision() {
    // Player 1 is to play a card of two kinds; in the sample it may hold two alike.
    let position = Position::of("a").hand(1, "R F").deck(1, "R F").option("hard", true).set("turn", 1);
    let state = position.state();
    let game = &configured(&position.options).game;
    let single = (0..50).any(|seed| {
        let sample = game.sample_hidden(&state, Player(0), &mut Rng::from_seed(seed));
        assert_eq!((sample.phase, game.acting(&sample)), (Phase::Turn, Players::one(Player(1))));
        game.legal(&sample, Player(1)).len() == 1
    });
    assert!(single);
    let mut env = position.load();
    play(&mut env, &["sail R"]);
}
