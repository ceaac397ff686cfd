//! The rules of Kuhn poker by number.

use crate::fixture::{chi_square, configured, legal, play, position, problems, seen};
use playmat_classics::KuhnPoker;
use playmat_core::env::Env;
use playmat_core::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn kuhn(cards: &[&str], actions: &[&str]) -> Env<KuhnPoker> {
    let players = cards.len();
    let state = json!({"cards": cards, "actions": [], "paid": vec![1; players], "turn": 0});
    let mut env = position::<KuhnPoker>(&json!({"players": players}), &state);
    play(&mut env, actions);
    env
}

#[test]
fn kp_r1_every_deal_is_equally_likely() {
    for (players, deals, limit) in [(2, 6, 20.5), (3, 24, 49.7)] {
        let configured = configured::<KuhnPoker>(&json!({"players": players}));
        let mut counts = BTreeMap::new();
        for seed in 0..deals * 1_000 {
            let cards = seen(&Env::new(configured.clone(), seed), None)["cards"].to_string();
            *counts.entry(cards).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len() as u64, deals);
        // The 99.9 % points of chi-square with 5 and 23 degrees of freedom.
        assert!(chi_square(&counts) < limit, "{counts:?}");
    }
}

#[test]
fn kp_r2_both_actions_are_always_legal() {
    for actions in [&[][..], &["pass"], &["bet"], &["pass", "bet"]] {
        assert_eq!(legal(&kuhn(&["J", "Q"], actions)), [0, 1]);
    }
}

#[test]
fn kp_r3_without_a_bet_everybody_decides_once() {
    let env = kuhn(&["J", "Q"], &["pass", "pass"]);
    assert_eq!((env.status(), env.returns()), (Status::Terminated, &[-1.0, 1.0][..]));
    let env = kuhn(&["T", "K", "J"], &["pass", "pass", "pass"]);
    assert_eq!(env.returns(), [-1.0, 2.0, -1.0]);
}

#[test]
fn kp_r4_after_a_bet_everybody_else_decides_once_more() {
    let mut env = kuhn(&["T", "K", "J"], &["pass", "bet"]);
    assert_eq!(env.current_player(), Some(Player(2)));
    play(&mut env, &["fold"]);
    assert_eq!(env.current_player(), Some(Player(0)));
    play(&mut env, &["call"]);
    assert_eq!((env.status(), env.returns()), (Status::Terminated, &[-2.0, 3.0, -1.0][..]));
}

#[test]
fn kp_r5_the_highest_card_among_those_who_bet_takes_the_pot() {
    assert_eq!(kuhn(&["J", "K"], &["bet", "pass"]).returns(), [1.0, -1.0]);
    assert_eq!(kuhn(&["J", "K"], &["bet", "bet"]).returns(), [-2.0, 2.0]);
    assert_eq!(kuhn(&["K", "J"], &["pass", "bet", "call"]).returns(), [2.0, -2.0]);
    let env = kuhn(&["K", "J", "Q"], &["pass", "bet", "call", "fold"]);
    assert_eq!(env.returns(), [-1.0, -2.0, 3.0]);
    assert_eq!(seen(&env, Some(1))["cards"], json!([null, "J", "Q"]), "who folded does not show");
    assert_eq!(seen(&kuhn(&["J", "K"], &["bet", "pass"]), Some(1))["cards"], json!([null, "K"]));
}

#[test]
fn kp_r6_the_score_is_paid_at_the_end_only() {
    let mut env = kuhn(&["J", "K"], &["bet"]);
    assert_eq!(env.scores()[..2], [0, 0]);
    play(&mut env, &["call"]);
    assert_eq!(env.scores()[..2], [-2, 2]);
}

#[test]
fn kp_r7_every_information_set_has_its_own_observation() {
    let mut sets = BTreeMap::new();
    let ranks = ["J", "Q", "K"];
    for (a, b) in (0..3).flat_map(|a| (0..3).map(move |b| (a, b))).filter(|(a, b)| a != b) {
        for actions in [&[][..], &["pass"], &["bet"], &["pass", "bet"]] {
            let env = kuhn(&[ranks[a], ranks[b]], actions);
            let player = env.current_player().unwrap();
            let mut bytes = [0; 11];
            env.write_observation(player, &mut bytes).unwrap();
            let known = format!("{player} {} {actions:?}", [ranks[a], ranks[b]][player.index()]);
            assert_eq!(sets.entry(bytes).or_insert_with(|| known.clone()), &known);
        }
    }
    assert_eq!(sets.len(), 12);
}

#[test]
fn kp_impossible_hands_are_refused_with_reasons() {
    let refused = |cards: Value, actions: Value, paid: Value, turn: Value| {
        let state = json!({"cards": cards, "actions": actions, "paid": paid, "turn": turn});
        problems::<KuhnPoker>(&json!({}), &state)
    };
    let all = refused(json!(["J", "J"]), json!(["bet"]), json!([1, 1]), json!(1));
    assert_eq!(all, "cards[1]: another player has the only card of this rank");
    let all = refused(json!(["J", "Q"]), json!(["bet"]), json!([1, 1]), json!(1));
    assert!(all.starts_with("paid[0]: got 1; what it follows from gives 2"), "{all}");
    let all = refused(json!(["J", "Q"]), json!(["pass", "pass", "bet"]), json!([1, 1]), json!(1));
    assert!(all.contains("after the end"), "{all}");
    assert!(refused(json!(["J", null]), json!([]), json!([1, 1]), json!(0)).contains("cards[1]: got null"));
}

#[test]
fn kp_samples_are_uniform_over_consistent_deals() {
    let env = kuhn(&["T", "K", "J"], &["pass", "bet"]);
    let mut rng = Rng::from_seed(2);
    let mut counts = BTreeMap::new();
    for _ in 0..6_000 {
        let sample = env.configured().game.sample_hidden(env.state(), Player(1), &mut rng);
        *counts.entry(sample.cards).or_insert(0) += 1;
    }
    // The king stays with player 1; three ranks for two players. 5 degrees of freedom: 20.5.
    assert_eq!(counts.len(), 6);
    assert!(counts.keys().all(|cards| cards >> 4 & 15 == 3) && chi_square(&counts) < 20.5, "{counts:?}");
}
