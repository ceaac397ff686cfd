//! One test for each numbered rule.

use liars_dice::ENTRY;
use playmat_core::any::{AnyEnv, AnyGame};
use playmat_core::error::Error;
use serde_json::{Value, json};

fn game(options: &Value) -> Box<dyn AnyGame> {
    (ENTRY.make)(options.as_object().expect("an object")).expect("allowed options")
}

/// A position with these dice, after these bids.
fn position(options: &Value, dice: &[u8], bids: &[&str]) -> Box<dyn AnyEnv> {
    let players: Vec<Value> = dice.iter().map(|die| json!({ "die": die })).collect();
    let mut json = game(options).env(1).to_json(None).expect("a running episode");
    json["state"] = json!({ "called": false, "bids": bids, "players": players });
    for derived in ["status", "acting", "returns", "decisions"] {
        json.as_object_mut().and_then(|object| object.shift_remove(derived));
    }
    game(options).env_from_json(&json.to_string(), 1).expect("a position of the game")
}

fn play(env: &mut dyn AnyEnv, text: &str) {
    let player = env.acting().first();
    let action = env.parse_action(player, text).expect("a text of an action");
    env.step(action.0.into()).expect("a legal action");
}

/// Scores after a call.
fn called(options: &Value, dice: &[u8], bids: &[&str]) -> Vec<i32> {
    let mut env = position(options, dice, bids);
    play(&mut *env, "liar");
    env.scores()
}

#[test]
fn ld_r1_only_its_owner_sees_a_die() {
    let env = position(&json!({"players": 3}), &[2, 4, 6], &[]);
    let seen = env.to_json(Some(playmat_core::seat::Seat(1))).expect("a player of the game");
    assert_eq!(seen["state"]["players"], json!([{}, {"die": 4}, {}]));
}

#[test]
fn ld_r2_bids_rise_and_players_take_turns() {
    let mut env = position(&json!({"players": 2}), &[1, 1], &["1 six"]);
    assert_eq!(env.acting().first().map(|player| player.0), Some(1));
    let lower = env.parse_action(env.acting().first(), "1 five").expect("a text of an action");
    assert!(matches!(env.step(lower.0.into()), Err(Error::IllegalAction(_))));
    play(&mut *env, "2 ones");
    assert_eq!(env.acting().first().map(|player| player.0), Some(0));
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
