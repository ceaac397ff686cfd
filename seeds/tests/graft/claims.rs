//! Badges: who may claim what, when, and for how much (GR-R9, R10, R21, Q8, Q11, Q19).

use crate::fixture::{
    CLAIM, DECLINE, NEAR, Position, SHIP, act, acting, field, legal_of, others_play, play, points, segment,
    two_badges_met, two_can_ship,
};
use playmat_core::game::Status;
use playmat_core::prelude::Player;
use serde_json::json;

#[test]
fn gr_r9_one_badge_even_if_several_are_met() {
    let mut env = two_badges_met();
    assert_eq!(legal_of(&env, 0), [CLAIM + 3, CLAIM + 4, DECLINE]);
    act(&mut env, 0, CLAIM + 3);
    assert_eq!((acting(&env), field(&env, 0, "claims")), (vec![0, 1, 2], json!({"bug_report": 5})));
}

#[test]
fn gr_r9_never_a_badge_that_the_player_has() {
    let mut env = Position::of(3, 3)
        .badges(NEAR)
        .completed(0, "slime_mold z_coin")
        .claim(0, "buried_treasure", 5)
        .row(0, "pig_iron")
        .hand(0, "truffle comet_grape ink_cap")
        .load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    play(&mut env, 0, "truffle");
    assert_eq!(acting(&env), [0, 1, 2], "nothing to claim: no decision");
    assert_eq!(segment(&env, 0, "claimed")[..5], [0, 0, 0, 0, 1]);
}

#[test]
fn gr_r10_high_in_the_turn_of_the_first_claim_and_low_later() {
    let mut env = Position::of(3, 3)
        .badges(NEAR)
        .completed(1, "slime_mold z_coin")
        .claim(1, "buried_treasure", 5)
        .row(0, "pig_iron")
        .hand(0, "truffle comet_grape ink_cap")
        .load();
    assert_eq!(segment(&env, 0, "badge_value"), [9, 10, 4, 5, 3]);
    let before = points(&env, 0);
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    play(&mut env, 0, "truffle");
    act(&mut env, 0, CLAIM + 4);
    // Pig Iron 3, Truffle 1 without a Rootling, the badge 3.
    assert_eq!(points(&env, 0) - before, 7);
    assert_eq!(field(&env, 0, "claims"), json!({"buried_treasure": 3}));
}

#[test]
fn gr_q11_a_badge_need_not_be_claimed() {
    let mut env =
        Position::of(3, 3).badges(NEAR).row(0, "pig_iron").hand(0, "truffle comet_grape ink_cap").load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    play(&mut env, 0, "truffle");
    act(&mut env, 0, DECLINE);
    assert_eq!((field(&env, 0, "claims"), acting(&env)), (json!({}), vec![0, 1, 2]));
}

#[test]
fn gr_q8_who_claims_at_the_end_and_the_narrower_option() {
    // Player 1 does not ship; its row meets Bug Report when the end completes it.
    let position = Position::of(3, 2)
        .badges(NEAR)
        .pile(0)
        .row(0, "pig_iron")
        .hand(0, "sun_melon comet_grape")
        .row(1, "rootling")
        .hand(1, "recycle");
    for (all_may, chooser) in [(true, vec![1]), (false, vec![])] {
        let mut env = position.clone().option("end_of_game_claims", all_may).load();
        act(&mut env, 0, SHIP);
        play(&mut env, 1, "recycle");
        others_play(&mut env);
        if acting(&env) == [0] {
            let first = legal_of(&env, 0)[0];
            act(&mut env, 0, first);
        }
        assert_eq!(acting(&env), chooser, "{all_may}");
        if all_may {
            act(&mut env, 1, CLAIM + 3);
        }
        assert_eq!(env.status(), Status::Terminated);
    }
}

#[test]
fn gr_q8_who_ships_at_the_end_claims_under_either_option() {
    let position = Position::of(3, 2)
        .badges(NEAR)
        .pile(0)
        .row(0, "pig_iron")
        .hand(0, "slime_mold comet_grape")
        .row(1, "rootling")
        .hand(1, "recycle");
    for (all_may, chooser) in [(true, vec![0, 1]), (false, vec![0])] {
        let mut env = position.clone().option("end_of_game_claims", all_may).load();
        act(&mut env, 0, SHIP);
        play(&mut env, 1, "recycle");
        others_play(&mut env);
        // Pig Iron forbids the Comet Grape: the Slime Mold is a forced move.
        assert_eq!((acting(&env), legal_of(&env, 0)), (chooser, vec![CLAIM + 4, DECLINE]), "{all_may}");
    }
}

#[test]
fn events_name_the_badge_that_is_claimed() {
    let mut env =
        Position::of(3, 3).badges(NEAR).row(0, "pig_iron").hand(0, "truffle comet_grape ink_cap").load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    play(&mut env, 0, "truffle");
    act(&mut env, 0, CLAIM + 4);
    for (viewer, name) in [(1, "claimed"), (0, "claim_chosen")] {
        let reported = env.events(Some(Player(viewer))).unwrap();
        let claim = reported.iter().find(|event| event["event"] == name).unwrap();
        assert_eq!((&claim["badge"], &claim["slot"]), (&json!("buried_treasure"), &json!(4)));
    }
}

#[test]
fn gr_q8_an_option_for_the_end_leaves_empty_hands_alone() {
    let position = Position::of(3, 1).badges(NEAR).row(1, "rootling").hand(1, "recycle");
    for all_may in [true, false] {
        let mut env = position.clone().option("end_of_game_claims", all_may).load();
        others_play(&mut env);
        assert_eq!((acting(&env), legal_of(&env, 1)), (vec![1], vec![CLAIM + 3, DECLINE]), "{all_may}");
    }
}

#[test]
fn gr_q19_claims_of_one_turn_are_all_first() {
    // Player 0 ships and claims; a rest of the pile too small to go round makes all hands run out in the same turn, and
    // player 1 claims the same badge then.
    let text = crate::fixture::CONTENT.replacen("copies = [1, 0, 0]", "copies = [2, 0, 0]", 1);
    let mut env = Position::of(3, 1)
        .option("content", text)
        .badges(NEAR)
        .pile(1)
        .row(0, "pig_iron")
        .hand(0, "truffle")
        .row(1, "ink_cap")
        .hand(1, "z_coin")
        .load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    assert_eq!((acting(&env), legal_of(&env, 0)), (vec![0], vec![CLAIM + 4, DECLINE]));
    act(&mut env, 0, CLAIM + 4);
    assert_eq!(env.state().phase.name(), "refill");
    assert_eq!((acting(&env), segment(&env, 1, "badge_value")[4]), (vec![1], 5));
    act(&mut env, 1, CLAIM + 4);
    assert_eq!(
        (field(&env, 0, "claims"), field(&env, 1, "claims")),
        (json!({"buried_treasure": 5}), json!({"buried_treasure": 5}))
    );
    assert_eq!(env.status(), Status::Terminated, "nothing is left to draw");
}

#[test]
fn claims_are_hidden_until_all_are_in() {
    let mut env = two_can_ship().load();
    act(&mut env, 0, SHIP);
    act(&mut env, 2, SHIP);
    others_play(&mut env);
    play(&mut env, 2, "z_coin");
    let before = crate::fixture::seen(&env, Some(2));
    act(&mut env, 0, CLAIM + 4);
    assert_eq!(crate::fixture::seen(&env, Some(2)), before);
    assert!(crate::fixture::event_names(&env, Some(2)).is_empty());
}
