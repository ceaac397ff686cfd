//! One test for each numbered rule of `rules.md`, named after it.

use liars_dice::LiarsDice;
use playmat_conformance::testing::{configured, decider, load, play, refused, seen};
use playmat_core::env::Env;
use playmat_core::error::Error;
use serde_json::{Value, json};

/// A position with these dice, after these bids.
fn position(options: &Value, dice: &[u8], bids: &[&str]) -> Env<LiarsDice> {
    let players: Vec<Value> = dice.iter().map(|die| json!({ "die": die })).collect();
    let state = json!({ "called": false, "bids": bids, "players": players });
    load(&configured::<LiarsDice>(options), &state, 1)
}

/// Scores after a call.
fn called(options: &Value, dice: &[u8], bids: &[&str]) -> Vec<i32> {
    let mut env = position(options, dice, bids);
    play(&mut env, &["liar"]);
    env.scores()[..dice.len()].to_vec()
}

#[test]
fn ld_r1_only_its_owner_sees_a_die() {
    let env = position(&json!({"players": 3}), &[2, 4, 6], &[]);
    assert_eq!(seen(&env, Some(1))["players"], json!([{}, {"die": 4}, {}]));
    let game = configured::<LiarsDice>(&json!({"players": 2}));
    let problems =
        refused(&*game.game, &json!({"called": false, "bids": [], "players": [{"die": 7}, {"die": 1}]}));
    assert!(problems.starts_with("players[0].die"), "{problems}");
}

#[test]
fn ld_r2_bids_rise_and_players_take_turns() {
    let mut env = position(&json!({"players": 2}), &[1, 1], &["1 six"]);
    assert_eq!(decider(&env), Some(1));
    let lower = env.parse_action(env.current_player(), "1 five").expect("a text of an action");
    assert!(matches!(env.step(lower.0.into()), Err(Error::IllegalAction(_))));
    play(&mut env, &["2 ones"]);
    assert_eq!(decider(&env), Some(0));
}

#[test]
fn ld_r3_a_true_bid_costs_the_doubter() {
    let options = json!({"players": 3});
    assert_eq!(called(&options, &[2, 4, 4], &["2 fours"]), [1, -2, 1]);
    assert_eq!(called(&options, &[2, 4, 3], &["2 fours"]), [-2, 1, 1]);
}

#[test]
fn ld_r4_sixes_count_as_every_face() {
    assert_eq!(called(&json!({"players": 2}), &[6, 4], &["2 fours"]), [1, -1]);
    assert_eq!(called(&json!({"players": 2, "wild": false}), &[6, 4], &["2 fours"]), [-1, 1]);
}

#[test]
fn ld_r5_the_loser_pays_everybody_else() {
    assert_eq!(called(&json!({"players": 4}), &[1, 1, 1, 1], &["1 two", "4 twos"]), [1, -3, 1, 1]);
}
