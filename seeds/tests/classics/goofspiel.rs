//! The rules of goofspiel by number.

use crate::fixture::{chi_square, configured, new, play, play_out, position, problems, seen};
use playmat_classics::Goofspiel;
use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A position after these prizes and bids by player.
fn goofspiel(mut options: Value, prizes: &[u8], bids: &[&[u8]]) -> Env<Goofspiel> {
    options["players"] = json!(bids.len());
    position::<Goofspiel>(&options, &json!({"prizes": prizes, "bids": bids}))
}

#[test]
fn gs_r1_everybody_holds_every_card() {
    let env = new::<Goofspiel>(&json!({"players": 3, "num_cards": 5}));
    assert_eq!(seen(&env, None)["hands"], json!(vec![[1, 2, 3, 4, 5]; 3]));
    assert_eq!(env.acting(), Players(0b111));
}

#[test]
fn gs_r2_prizes_come_in_the_order_of_the_option() {
    for (order, expected) in [("descending", json!([4, 3, 2, 1])), ("ascending", json!([1, 2, 3, 4]))] {
        let mut env = new::<Goofspiel>(&json!({"num_cards": 4, "points_order": order}));
        play_out(&mut env);
        assert_eq!(seen(&env, None)["prizes"], expected);
    }
    let configured = configured::<Goofspiel>(&json!({"num_cards": 4}));
    let mut counts = BTreeMap::new();
    for seed in 0..24_000 {
        let mut env = Env::new(configured.clone(), seed);
        play_out(&mut env);
        *counts.entry(env.state().prizes).or_insert(0u32) += 1;
    }
    assert_eq!(counts.len(), 24);
    // 23 degrees of freedom: 49.7.
    assert!(chi_square(&counts) < 49.7, "{counts:?}");
}

#[test]
fn gs_r3_bids_stay_hidden_until_all_are_in() {
    let mut env = goofspiel(json!({"num_cards": 5}), &[3], &[&[], &[], &[]]);
    let before: Vec<Value> = (0..3).map(|player| seen(&env, Some(player))).collect();
    let observation = |env: &Env<Goofspiel>, player| {
        let mut bytes = vec![0; env.info().observation.size()];
        env.write_observation(Player(player), &mut bytes).unwrap();
        bytes
    };
    let bytes: Vec<_> = (0..3).map(|player| observation(&env, player)).collect();
    env.step_player(Player(1), 1).unwrap();
    assert_eq!(env.acting(), Players(0b101));
    for player in [0, 2] {
        assert_eq!(seen(&env, Some(player)), before[usize::from(player)]);
        assert_eq!(observation(&env, player), bytes[usize::from(player)]);
        let events = env.events(Some(Player(player))).unwrap();
        assert!(events.iter().all(|event| event["event"] != "bid"), "{events:?}");
    }
    assert_eq!(seen(&env, Some(1))["bids"], json!([[], [2], []]));
    env.step_player(Player(2), 2).unwrap();
    env.step_player(Player(0), 0).unwrap();
    assert_eq!(seen(&env, Some(0))["bids"], json!([[1], [2], [3]]));
    assert_eq!(env.scores()[..3], [0, 0, 3]);
}

#[test]
fn gs_r4_the_highest_single_bid_takes_the_prize() {
    let points = |bids: &[&[u8]]| {
        let env = goofspiel(json!({"num_cards": 5}), &[4, 2], bids);
        seen(&env, None)["points"].clone()
    };
    assert_eq!(points(&[&[3], &[2]]), json!([4, 0]));
    assert_eq!(points(&[&[2], &[3]]), json!([0, 4]));
    assert_eq!(points(&[&[5], &[5]]), json!([0, 0]));
    // The second highest bid gets nothing when the highest ones tie.
    assert_eq!(points(&[&[5], &[4], &[5]]), json!([0, 0, 0]));
    assert_eq!(points(&[&[1], &[1], &[2], &[1]]), json!([0, 0, 4, 0]));
}

#[test]
fn gs_r5_the_last_cards_play_themselves() {
    let mut env = goofspiel(json!({"num_cards": 3}), &[1, 2], &[&[1], &[2]]);
    play(&mut env, &["bid 2", "bid 3"]);
    assert_eq!(env.status(), Status::Terminated);
    let state = seen(&env, None);
    assert_eq!(state["bids"], json!([[1, 2, 3], [2, 3, 1]]));
    assert_eq!((&state["prizes"], &state["points"]), (&json!([1, 2, 3]), &json!([3, 3])));
    assert_eq!(env.decisions(), 2);
    let mut log = playmat_core::log::Coverage::default();
    env.replay_last_step(&mut log);
    assert_eq!((log.forced, log.chance), (2, 0));
}

#[test]
fn gs_r6_a_limit_of_turns_ends_the_game_early() {
    let mut env = new::<Goofspiel>(&json!({"num_cards": 6, "num_turns": 2}));
    play_out(&mut env);
    assert_eq!(env.decisions(), 4);
    assert_eq!(seen(&env, None)["hands"][0].as_array().unwrap().len(), 4);
    // As many turns as cards is no limit: the last cards play themselves.
    let mut env = new::<Goofspiel>(&json!({"num_cards": 6, "num_turns": 15}));
    play_out(&mut env);
    assert_eq!(env.decisions(), 10);
}

#[test]
fn gs_r7_most_points_win_and_the_option_decides_what_is_paid() {
    let end = |options: Value, bids: &[&[u8]]| goofspiel(options, &[1, 2, 3, 4], bids).returns().to_vec();
    let position = |returns: &str, players: usize| {
        // The last bid of a two-turn game is played, so that its reward is paid.
        let options = json!({"num_cards": 4, "num_turns": 2, "returns_type": returns});
        let bids: &[&[u8]] = &[&[3], &[1], &[1]];
        let mut env = goofspiel(options, &[3, 2], &bids[..players]);
        play(&mut env, &["bid 1", "bid 4", "bid 2"][..players]);
        env.returns().to_vec()
    };
    assert_eq!(position("win_loss", 2), [1.0, -1.0]);
    assert_eq!(position("total_points", 2), [3.0, 2.0]);
    assert_eq!(position("point_difference", 2), [0.5, -0.5]);
    assert_eq!(position("win_loss", 3), [1.0, -0.5, -0.5]);
    assert_eq!(position("total_points", 3), [3.0, 2.0, 0.0]);
    assert_eq!(position("point_difference", 3), [4.0 / 3.0, 1.0 / 3.0, -5.0 / 3.0]);
    // Two of three with three points each: the victory is shared, and so is what it costs.
    let options = json!({"num_cards": 4, "num_turns": 3});
    let mut env = goofspiel(options, &[3, 1, 2], &[&[4, 1], &[1, 4], &[2, 3]]);
    play(&mut env, &["bid 2", "bid 3", "bid 1"]);
    assert_eq!((env.returns(), &env.scores()[..3]), (&[0.5, 0.5, -1.0][..], &[3, 3, 0][..]));
    // A position that is over when it is loaded has paid nothing yet.
    assert_eq!(end(json!({"num_cards": 4}), &[&[1, 2, 3, 4], &[1, 2, 3, 4]]), [0.0, 0.0]);
}

#[test]
fn gs_r8_hidden_bids_show_only_who_took_what() {
    let env = goofspiel(json!({"num_cards": 4, "imp_info": true}), &[3, 2, 1], &[&[2, 3], &[1, 4]]);
    let state = seen(&env, Some(0));
    assert_eq!(state["bids"], json!([[2, 3], [null, null]]));
    assert_eq!(state["hands"], json!([[1, 4], null]));
    assert_eq!((&state["takers"], &state["points"]), (&json!([0, 1]), &json!([3, 2])));
    let refused =
        ConfiguredGame::<Goofspiel>::new(json!({"imp_info": true, "players": 3}).as_object().unwrap());
    assert!(refused.unwrap_err().to_string().contains("allowed: false, or 2 players"));
}

#[test]
fn gs_r8_samples_are_uniform_over_consistent_histories() {
    // Enumerated: the other player's orders of 3 of 5 cards, higher than 2, lower than 4, equal to 3.
    let options = json!({"num_cards": 5, "imp_info": true});
    let env = goofspiel(options.clone(), &[1, 2, 3, 4], &[&[2, 4, 3], &[5, 1, 3]]);
    let count = |env: &Env<Goofspiel>, viewer: u8, draws: u32| {
        let mut rng = Rng::from_seed(4);
        let mut counts = BTreeMap::new();
        for _ in 0..draws {
            let sample = env.configured().game.sample_hidden(env.state(), Player(viewer), &mut rng);
            let other = usize::from(1 - viewer);
            *counts.entry((sample.bids[other], sample.hands[other])).or_insert(0u32) += 1;
        }
        counts
    };
    let expected = |own: &[u64], buffered: bool| {
        let truth = [5u64, 1, 3];
        let mut set = BTreeSet::new();
        let fits = |sequence: &[u64]| {
            sequence.iter().zip(own).zip(truth).all(|((x, own), real)| x.cmp(own) == real.cmp(own))
        };
        for code in 0..625u64 {
            let all = [code % 5 + 1, code / 5 % 5 + 1, code / 25 % 5 + 1, code / 125 + 1];
            let sequence = &all[..if buffered { 4 } else { 3 }];
            let distinct = sequence.iter().collect::<BTreeSet<_>>().len() == sequence.len();
            if distinct && fits(&sequence[..3]) {
                set.insert(sequence.iter().rev().fold(0, |word, x| word << 4 | x));
            }
        }
        set
    };
    let counts = count(&env, 0, 4_000);
    let found: BTreeSet<u64> = counts.keys().map(|(bids, _)| *bids).collect();
    assert_eq!(found, expected(&[2, 4, 3], false));
    // 99.9 % point for 3 degrees of freedom: 16.3.
    assert!(counts.len() == 4 && chi_square(&counts) < 16.3, "{counts:?}");
    // While player 1 must bid, player 0 has bid, in every sample for player 1: any card that is left.
    let env = goofspiel(options, &[1, 2, 3, 4], &[&[5, 1, 3, 2], &[2, 4, 3]]);
    let counts = count(&env, 1, 8_000);
    let found: BTreeSet<u64> = counts.keys().map(|(bids, _)| *bids).collect();
    assert_eq!(found, expected(&[2, 4, 3], true));
    // 7 degrees of freedom: 24.3.
    assert!(counts.len() == 8 && chi_square(&counts) < 24.3, "{counts:?}");
}

#[test]
fn gs_impossible_positions_are_refused_with_reasons() {
    let options = json!({"num_cards": 3});
    let refused = |prizes: Value, bids: Value| {
        let mut state = seen(&new::<Goofspiel>(&options), None);
        state["prizes"] = prizes;
        state["bids"] = bids;
        problems::<Goofspiel>(&options, &state)
    };
    assert!(refused(json!([1, 1]), json!([[1], [2]])).contains("prizes[1]: 1 cannot be turned up"));
    assert!(refused(json!([1, 2]), json!([[1, 1], [2]])).contains("bids[0][1]: card 1 is not in hand"));
    assert!(refused(json!([1, 2]), json!([[1], []])).contains("prizes[1]: turned up before"));
    assert!(refused(json!([1]), json!([[1, 2], [2]])).contains("bids[0]: more bids"));
    assert!(refused(json!([9]), json!([[], []])).contains("prizes[0]: 9; allowed: 1 to 3"));
    assert!(
        refused(json!([1, 2]), json!([[1], [2]])).contains("points[1]: got 0; what it follows from gives 1")
    );
}

/// Nobody can win every prize: hands are equal, so whoever outbids the others with all other cards loses one prize.
#[test]
fn gs_r5_declared_scores_are_reached() {
    let all: (&str, u8, &[[i64; 2]]) = ("ascending", 0, &[[1, 4], [2, 1], [3, 2]]);
    let some: (&str, u8, &[[i64; 2]]) = ("descending", 3, &[[4, 3], [3, 2], [2, 1]]);
    for ((order, turns, bids), returns, most) in [
        (all, "total_points", 9),
        (all, "point_difference", 8),
        (some, "total_points", 9),
        (some, "point_difference", 9),
    ] {
        let options =
            json!({"num_cards": 4, "num_turns": turns, "points_order": order, "returns_type": returns});
        let mut env = new::<Goofspiel>(&options);
        for bid in bids {
            env.step_joint(&bid.map(|card| card - 1)).unwrap();
        }
        assert_eq!((env.status(), env.scores()[0]), (Status::Terminated, most), "{options}");
        assert_eq!(env.info().score_range.1, most, "{options}");
        assert!(returns == "total_points" || env.info().score_range.0 == env.scores()[1], "{options}");
    }
}
