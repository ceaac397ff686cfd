//! Samples for a player, against enumeration on small positions (GV-K2).

use crate::fixture::{
    Position, chi_square, configured, decider, every_position, kind, phase, play, player_state, samples,
};
use playmat_core::env::Env;
use playmat_core::game::Game;
use playmat_core::prelude::*;
use playmat_graven::Graven;
use playmat_graven::state::{Cards, Phase, State};
use serde_json::json;
use std::collections::BTreeMap;

fn text(game: &Graven, cards: Cards) -> String {
    let words = cards.iter().map(|(kind, n)| format!("{}{n}", game.card(kind).id));
    words.collect::<Vec<_>>().join(" ")
}

/// Every way to choose `hand` of the cards, each copy by itself, with its share.
fn hands(cards: &[&str], hand: usize) -> BTreeMap<String, f64> {
    let mut all: BTreeMap<String, f64> = BTreeMap::new();
    let mut count = 0.0;
    for set in 0u32..1 << cards.len() {
        if set.count_ones() as usize != hand {
            continue;
        }
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for (_, id) in cards.iter().enumerate().filter(|(i, _)| set >> i & 1 != 0) {
            *counts.entry(id).or_insert(0) += 1;
        }
        let key: Vec<String> = counts.iter().map(|(id, n)| format!("{id}{n}")).collect();
        *all.entry(key.join(" ")).or_insert(0.0) += 1.0;
        count += 1.0;
    }
    all.values_mut().for_each(|share| *share /= count);
    all
}

#[test]
fn gv_k2_open_lists_are_sampled_as_they_are_dealt() {
    // Player 1: three cards in hand, two in the deck, of ARC ARC DRI HER JES.
    let env =
        Position::of(2).hand(0, "PHY").hand(1, "ARC*2 DRI").cards(1, "HER JES").discard(1, "HER").load();
    let game = env.configured().game.clone();
    let found = samples(&env, 0, 8_000, |sample| text(&game, sample.players[1].hand));
    let expected = hands(&["ARC", "ARC", "DRI", "HER", "JES"], 3);
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    // The 99.9 % point with at most 6 degrees of freedom.
    assert_eq!(expected.len(), 7);
    assert!(chi_square(&found, &expected) < 22.5, "{found:?}");
}

#[test]
fn gv_k2_known_cards_stay_in_the_hand() {
    let env = Position::of(2)
        .hand(0, "PHY")
        .hand(1, "ARC*2 DRI")
        .player(1, "known_hand", json!({"ARC": 1}))
        .cards(1, "HER JES")
        .load();
    let game = env.configured().game.clone();
    let rest = |sample: &State| {
        let mut hand = sample.players[1].hand;
        hand.remove(kind(&env, "ARC"));
        text(&game, hand)
    };
    let found = samples(&env, 0, 6_000, rest);
    let expected = hands(&["ARC", "DRI", "HER", "JES"], 2);
    assert_eq!(found.len(), expected.len());
    assert!(chi_square(&found, &expected) < 20.5, "{found:?}");
}

#[test]
fn gv_k2_a_player_who_decides_in_a_window_holds_a_card_for_it() {
    let base = Position::of(3)
        .stage("effect")
        .back(0, "ARC PLA")
        .front(1, "HER")
        .hand(1, "PHY DRI")
        .cards(1, "PHY JES*2 MER SHI");
    let mut env = base.clone().load();
    play(&mut env, &["activate ARC"]);
    assert_eq!((phase(&env), decider(&env)), (Phase::Window, Some(1)));
    let game = env.configured().game.clone();
    let physician = kind(&env, "PHY");
    // One of the two Physicians is there; the other place has one of the remaining six.
    let found = samples(&env, 2, 6_000, |sample| text(&game, sample.players[1].hand));
    let expected: BTreeMap<String, f64> =
        [("DRI1 PHY1", 1.0), ("PHY2", 1.0), ("JES1 PHY1", 2.0), ("MER1 PHY1", 1.0), ("PHY1 SHI1", 1.0)]
            .map(|(key, n)| (key.into(), n / 6.0))
            .into();
    assert_eq!(found.len(), 5, "{found:?}");
    assert!(chi_square(&found, &expected) < 18.5, "{found:?}");
    // The player itself knows its hand; under `possible` the decision reveals nothing.
    assert_eq!(samples(&env, 1, 50, |sample| text(&game, sample.players[1].hand)).len(), 1);
    let mut env = base.option("windows", "possible").load();
    play(&mut env, &["activate ARC"]);
    let without = samples(&env, 2, 500, |sample| sample.players[1].hand.count(physician).to_string());
    assert!(without.contains_key("0"), "{without:?}");
}

#[test]
fn gv_k2_whoever_searches_has_something_to_find() {
    let mut env =
        Position::of(2).option("open_decklists", "hidden").hand(0, "SCO PHY").cards(0, "VIR HES ARC").load();
    play(&mut env, &["play SCO to back"]);
    assert_eq!(phase(&env), Phase::Card);
    let game = env.configured().game.clone();
    let humans = |sample: &State| {
        let deck = sample.players[0].deck;
        deck.iter().any(|(kind, _)| !game.is_titan(kind)).to_string()
    };
    assert_eq!(samples(&env, 1, 400, humans).into_keys().collect::<Vec<_>>(), ["true"]);
}

#[test]
fn gv_k2_hidden_lists_are_completed_within_the_rules() {
    // Thirty cards, two Titans seen: every completion has at least one more.
    let options = json!({"decks": "random"});
    let mut titans = BTreeMap::new();
    let mut checked = 0;
    every_position(&options, 0..6, |env| {
        let game = &env.configured().game;
        let mut rng = Rng::from_seed(u64::from(env.decisions()));
        for viewer in 0..2u8 {
            let sample = game.sample_hidden(env.state(), Player(viewer), &mut rng);
            let other = 1 - viewer;
            let player = sample.player(other);
            let all = player.hand.plus(player.deck).plus(player.discard).plus(sample.fielded(other));
            assert_eq!(all.total(), 30);
            let count: u32 =
                all.iter().filter(|(kind, _)| game.is_titan(*kind)).map(|(_, n)| u32::from(n)).sum();
            assert!(count >= 3);
            assert_eq!(sample.player(viewer), env.state().player(viewer));
            *titans.entry(count).or_insert(0) += 1;
            checked += 1;
        }
    });
    assert!(checked > 400 && titans.len() > 3, "{titans:?}");
}

#[test]
fn gv_k2_hidden_lists_are_completed_uniformly() {
    // A content of one hidden card: three in the deck, of what R1a leaves of five Humans and the Titans.
    let env = Position::of(2)
        .option("open_decklists", "hidden")
        .hand(0, "PHY")
        .hand(1, "ARC")
        .cards(1, "DRI")
        .discard(1, "ACO*3 ARC*2 BLA*3 CON*3 DEF*3 DRI*2 GAR*3 GRA*3 HAR*2")
        .load();
    // 26 cards of player 1 in all; HAR and JES and others may be where nobody sees them, uniformly by copies.
    let jester = kind(&env, "JES");
    let found = samples(&env, 0, 6_000, |sample| {
        let player = sample.player(1);
        player.hand.plus(player.deck).count(jester).to_string()
    });
    // Two of 82 - 24 = 58 copies that are left, three of them Jesters.
    let n = 58.0;
    let none = (55.0 / n) * (54.0 / (n - 1.0));
    let two = (3.0 / n) * (2.0 / (n - 1.0));
    let expected: BTreeMap<String, f64> =
        [("0", none), ("1", 1.0 - none - two), ("2", two)].map(|(key, p)| (key.into(), p)).into();
    assert!(chi_square(&found, &expected) < 13.9, "{found:?} {expected:?}");
}

#[test]
fn gv_k2_decks_being_built_are_random_legal_picks() {
    let mut env = Env::new(configured(&json!({"decks": ["build", "build", "siege"], "players": 3})), 3);
    for _ in 0..40 {
        let player = env.acting().first().unwrap();
        let action = env.sample_action(player).unwrap();
        env.step_player(player, action.0.into()).unwrap();
    }
    // Player 0 has picked in this round, player 1 has not; in samples for player 0 nobody else has.
    let game = &env.configured().game;
    let mut rng = Rng::from_seed(1);
    let mut varied = 0;
    for _ in 0..40 {
        let sample = game.sample_hidden(env.state(), Player(1), &mut rng);
        assert_eq!(game.validate(&sample), []);
        assert_eq!(game.acting(&sample).iter().collect::<Vec<_>>(), [Player(1)]);
        let other = game.sample_hidden(env.state(), Player(0), &mut rng);
        assert_eq!((game.acting(&other), other.player(0)), (env.acting(), player_state(&env, 0)));
        assert_eq!(sample.player(1), player_state(&env, 1));
        assert_eq!(sample.player(0).deck.total(), player_state(&env, 0).deck.total());
        assert_eq!(sample.player(2).deck.total(), 30);
        varied += usize::from(
            sample.player(0) != player_state(&env, 0) && sample.player(2) != player_state(&env, 2),
        );
    }
    assert!(varied > 35, "{varied}");
}

#[test]
fn gv_k2_samples_keep_what_is_public() {
    let mut varied = 0;
    every_position(&json!({"players": 3}), 5..9, |env| {
        let game = &env.configured().game;
        for viewer in 0..3u8 {
            let mut rng = Rng::from_seed(env.decisions().into());
            let mut sample = game.sample_hidden(env.state(), Player(viewer), &mut rng);
            varied += usize::from(sample != *env.state());
            for player in 0..3usize {
                let truth = player_state(env, player);
                let hidden = &mut sample.players[player];
                assert_eq!(
                    (hidden.hand.total(), hidden.deck.total()),
                    (truth.hand.total(), truth.deck.total())
                );
                (hidden.hand, hidden.deck) = (truth.hand, truth.deck);
            }
            assert_eq!(sample, *env.state());
        }
    });
    assert!(varied > 300, "{varied}");
}
