//! The rules of Leduc poker by number.

use crate::fixture::{chi_square, configured, legal, new, play, position, problems, seen};
use playmat_classics::LeducPoker;
use playmat_core::env::Env;
use playmat_core::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

fn leduc(cards: &[&str], public: &str, first: &[&str], second: &[&str]) -> Env<LeducPoker> {
    let players = cards.len();
    let options = json!({"players": players});
    let state = json!({
        "cards": cards, "public": null, "actions": [[], []], "paid": vec![1; players],
        "playing": (0..players).collect::<Vec<_>>(), "turn": 0,
    });
    let mut env = position::<LeducPoker>(&options, &state);
    play(&mut env, first);
    if public.is_empty() {
        return env;
    }
    // The same position with the wanted public card.
    let mut state = seen(&env, None);
    state["public"] = json!(public);
    let mut env = position::<LeducPoker>(&options, &state);
    play(&mut env, second);
    env
}

#[test]
fn lp_r1_a_deck_has_two_cards_of_one_rank_more_than_players() {
    for players in 2..=8 {
        let configured = configured::<LeducPoker>(&json!({"players": players}));
        let mut cards = BTreeSet::new();
        for seed in 0..600 {
            let dealt = seen(&Env::new(configured.clone(), seed), None)["cards"].clone();
            cards.extend(dealt.as_array().unwrap().iter().map(ToString::to_string));
        }
        assert_eq!(cards.len(), 2 * (players + 1));
    }
}

#[test]
fn lp_r2_everybody_pays_one_chip_and_player_0_begins() {
    let env = new::<LeducPoker>(&json!({"players": 5}));
    assert_eq!(seen(&env, None)["paid"], json!([1, 1, 1, 1, 1]));
    assert_eq!(env.current_player(), Some(Player(0)));
}

#[test]
fn lp_r3_fold_only_when_something_is_owed_and_two_raises_at_most() {
    let mut env = leduc(&["Js", "Qs"], "", &[], &[]);
    assert_eq!(legal(&env), [1, 2]);
    play(&mut env, &["raise"]);
    assert_eq!(legal(&env), [0, 1, 2]);
    play(&mut env, &["raise"]);
    assert_eq!(legal(&env), [0, 1]);
    assert_eq!(seen(&env, None)["paid"], json!([3, 5]));
    let env = leduc(&["Js", "Qs"], "Ks", &["raise", "call"], &["raise", "raise"]);
    assert_eq!(seen(&env, None)["paid"], json!([7, 11]));
}

#[test]
fn lp_r4_a_round_closes_when_nobody_owes_a_decision() {
    let mut env = leduc(&["Ts", "Js", "Qs"], "", &["check", "check", "raise", "raise", "call"], &[]);
    assert_eq!((env.current_player(), &seen(&env, None)["public"]), (Some(Player(2)), &Value::Null));
    play(&mut env, &["call"]);
    assert_ne!(seen(&env, None)["public"], Value::Null);
}

#[test]
fn lp_r5_the_second_round_begins_with_the_lowest_player_that_plays() {
    let env = leduc(&["Ts", "Js", "Qs"], "Ks", &["check", "raise", "call", "fold"], &[]);
    assert_eq!((env.current_player(), legal(&env)), (Some(Player(1)), vec![1, 2]));
    // The public card is one of those that nobody holds, all equally likely.
    for (hands, left) in [(&["Js", "Qh"][..], 4), (&["Ts", "Js", "Qh"], 5)] {
        let before = leduc(hands, "", &vec!["check"; hands.len() - 1], &[]);
        let mut counts = BTreeMap::new();
        for seed in 0..4_000 {
            let mut env = before.clone_with_seed(seed);
            play(&mut env, &["check"]);
            *counts.entry(seen(&env, None)["public"].to_string()).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), left);
        assert!(hands.iter().all(|card| !counts.contains_key(&format!("\"{card}\""))));
        // 4 degrees of freedom: 18.5.
        assert!(chi_square(&counts) < 18.5, "{counts:?}");
    }
}

#[test]
fn lp_r6_the_last_one_in_takes_the_pot_unseen() {
    let env = leduc(&["Js", "Ks"], "", &["raise", "fold"], &[]);
    assert_eq!((env.status(), env.returns()), (Status::Terminated, &[1.0, -1.0][..]));
    assert_eq!(seen(&env, Some(1))["cards"], json!([null, "Ks"]));
}

#[test]
fn lp_r7_pair_then_rank() {
    let checks = ["check", "check"];
    assert_eq!(leduc(&["Js", "Ks"], "Jh", &checks, &checks).returns(), [1.0, -1.0]);
    assert_eq!(leduc(&["Js", "Ks"], "Qh", &checks, &checks).returns(), [-1.0, 1.0]);
    let env = leduc(&["Js", "Qs"], "Jh", &["raise", "call"], &["raise", "raise", "call"]);
    assert_eq!(env.returns(), [11.0, -11.0]);
    assert_eq!(seen(&env, Some(1))["cards"], json!(["Js", "Qs"]));
}

#[test]
fn lp_r8_equal_ranks_share_also_an_odd_pot() {
    let checks = ["check", "check"];
    assert_eq!(leduc(&["Js", "Jh"], "Qh", &checks, &["raise", "call"]).returns(), [0.0, 0.0]);
    // Three players count half chips and pay chips: here nine chips for two, below seven.
    let env = leduc(&["Ks", "Kh", "Ts"], "Qh", &["raise", "call", "call"], &["check"; 3]);
    assert_eq!((env.returns(), &env.scores()[..3]), (&[1.5, 1.5, -3.0][..], &[3, 3, -6][..]));
    let env = leduc(&["Ks", "Kh", "Ts"], "Qh", &["raise", "call", "fold"], &checks);
    assert_eq!((env.returns(), &env.scores()[..3]), (&[0.5, 0.5, -1.0][..], &[1, 1, -2][..]));
    assert_eq!(env.info().return_range(RewardKind::Score), (-13.0, 26.0));
}

#[test]
fn lp_r9_a_fold_shows_in_everybodys_observation() {
    let before = leduc(&["Ts", "Js", "Qs"], "", &["raise"], &[]);
    let mut after = before.clone();
    play(&mut after, &["fold"]);
    for player in Player::all(3) {
        let (mut a, mut b) = ([0; 47], [0; 47]);
        before.write_observation(player, &mut a).unwrap();
        after.write_observation(player, &mut b).unwrap();
        assert_ne!(a, b);
    }
}

#[test]
fn lp_impossible_hands_are_refused_with_reasons() {
    let refused = |cards: Value, public: Value, actions: Value| {
        let state = json!({
            "cards": cards, "public": public, "actions": actions, "paid": [1, 1], "playing": [0, 1], "turn": 0,
        });
        problems::<LeducPoker>(&json!({}), &state)
    };
    let checks = json!([["call", "call"], []]);
    assert!(refused(json!(["Js", "Qs"]), json!("Js"), checks.clone()).contains("public: the same card"));
    assert!(
        refused(json!(["Js", "Qs"]), json!("Ks"), json!([["call"], []])).contains("before the first round")
    );
    assert!(
        refused(json!(["Js", "Qs"]), Value::Null, json!([["fold"], []])).contains("actions[0][0]: not legal")
    );
    assert!(
        refused(json!(["Js", "Qs"]), Value::Null, json!([[], ["call"]])).contains("actions[1][0]: nobody")
    );
    assert!(
        refused(json!(["Js", "As"]), Value::Null, checks)
            .contains("cards[1]: no card is called `As`; allowed: Js, Jh")
    );
}

#[test]
fn lp_a_position_without_its_public_card_gets_one() {
    let state = json!({
        "cards": ["Js", "Qs"], "public": null, "actions": [["call", "call"], []], "paid": [1, 1],
        "playing": [0, 1], "turn": null,
    });
    let env = position::<LeducPoker>(&json!({}), &state);
    assert_eq!(env.current_player(), Some(Player(0)));
    assert_ne!(seen(&env, None)["public"], Value::Null);
}

#[test]
fn lp_samples_are_uniform_over_consistent_deals() {
    let env = leduc(&["Js", "Qs"], "Kh", &["check", "check"], &[]);
    let mut rng = Rng::from_seed(2);
    let mut counts = BTreeMap::new();
    for _ in 0..4_000 {
        let sample = env.configured().game.sample_hidden(env.state(), Player(0), &mut rng);
        *counts.entry(sample.cards[1]).or_insert(0) += 1;
    }
    // 3 degrees of freedom: 16.3.
    assert_eq!(counts.keys().copied().collect::<Vec<u8>>(), [1, 2, 3, 4]);
    assert!(chi_square(&counts) < 16.3, "{counts:?}");
}

#[test]
fn a_public_event_has_the_same_sentence_for_all() {
    let game = (playmat_classics::LEDUC_POKER.make)(&Default::default()).unwrap();
    let mut env = game.env(1);
    env.step(1).unwrap();
    let of = |viewer: u8| -> Vec<String> {
        let events = env.events(Some(Player(viewer))).unwrap();
        events.iter().filter_map(|event| event["text"].as_str().map(String::from)).collect()
    };
    assert_eq!(of(0), of(1), "public");
}
