//! The worked examples of the rules, with the numbers of kinds and actions as the rules give them.

use crate::fixture::{
    CLAIM, Position, SHIP, STOP, TAKE_BAR, act, acting, compost, field, hand, last_row, legal_of,
    others_play, play, points, row, seen, segment, two_can_ship,
};
use playmat_core::game::{Game, Status};
use playmat_core::prelude::Player;
use serde_json::json;

#[test]
fn gr_e1_r5_r6_a_forbidden_card_busts_the_row() {
    let mut env = Position::of(3, 5).row(0, "honeybug").hand(0, "packed_lunch").load();
    let before = points(&env, 0);
    act(&mut env, 0, 42);
    others_play(&mut env);
    assert_eq!(compost(&env, 0), ["honeybug"]);
    assert_eq!(row(&env, 0), ["packed_lunch"]);
    assert_eq!(field(&env, 0, "forbidden"), json!(["fungus", "ore", "ration"]));
    assert_eq!(points(&env, 0) - before, 1);
}

#[test]
fn gr_e2_r19_a_coin_lifts_what_lies_left_of_it() {
    let mut env = Position::of(3, 5).row(0, "honeybug z_coin").hand(0, "packed_lunch").load();
    act(&mut env, 0, 42);
    others_play(&mut env);
    assert_eq!(row(&env, 0), ["honeybug", "z_coin", "packed_lunch"]);
    assert_eq!(field(&env, 0, "forbidden"), json!(["fungus", "ore", "ration"]));
}

#[test]
fn gr_e3_r5a_r19_q1_restrictions_right_of_a_coin_hold_and_a_coin_is_legal() {
    let position = Position::of(3, 5).row(0, "pig_iron z_coin moonberry").hand(0, "quartz_vein z_coin");
    let mut env = position.load();
    act(&mut env, 0, 31);
    others_play(&mut env);
    assert_eq!((compost(&env, 0).len(), row(&env, 0)), (3, vec!["quartz_vein".to_string()]));
    let mut env = position.load();
    act(&mut env, 0, 26);
    others_play(&mut env);
    assert_eq!((row(&env, 0).len(), field(&env, 0, "forbidden")), (4, json!([])));
}

#[test]
fn gr_e4_r7b_r11a_q3_a_ship_that_fails() {
    let position = Position::of(3, 2).row(0, "sporebloom").hand(0, "silver_fern cloud_cabbage");
    let mut env = position.load();
    let completed = field(&env, 0, "completed");
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    assert_eq!((acting(&env), legal_of(&env, 0)), (vec![0], vec![8, 10]));
    act(&mut env, 0, 10);
    assert_eq!((compost(&env, 0), row(&env, 0)), (vec!["sporebloom".into()], vec!["cloud_cabbage".into()]));
    assert_eq!(field(&env, 0, "completed"), completed);
    assert_eq!(hand(&env, 1), ["silver_fern"]);
    assert!((0..3).all(|player| hand(&env, player).len() == 1));
    assert_eq!(acting(&env), [0, 1, 2], "no badge is offered");
    assert!(legal_of(&env, 0).contains(&SHIP));
}

#[test]
fn gr_e5_r8_r11_a_row_of_one_and_everybody_draws() {
    let mut env = Position::of(3, 2).hand(0, "sun_melon cloud_cabbage").load();
    let before = points(&env, 0);
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    assert_eq!(legal_of(&env, 0), [3, 10]);
    act(&mut env, 0, 3);
    assert_eq!((last_row(&env, 0), points(&env, 0) - before), (vec!["sun_melon".into()], 3));
    assert!((0..3).all(|player| hand(&env, player).len() == 5));
    assert!(hand(&env, 1).contains(&"cloud_cabbage".into()));
}

#[test]
fn gr_e6_r9_r10_two_first_claims_in_one_turn() {
    let mut env = two_can_ship().load();
    let before = [points(&env, 0), points(&env, 2)];
    act(&mut env, 0, SHIP);
    act(&mut env, 2, SHIP);
    others_play(&mut env);
    assert_eq!((acting(&env), legal_of(&env, 2)), (vec![2], vec![26, 37]));
    act(&mut env, 2, 26);
    assert_eq!(points(&env, 0) - before[0], 4);
    assert_eq!(points(&env, 2) - before[1], 3);
    assert_eq!(acting(&env), [0, 2]);
    for player in [0, 2] {
        assert_eq!(legal_of(&env, player), [51, 52]);
    }
    assert_eq!(segment(&env, 1, "badge_value")[4], 5);
    act(&mut env, 0, 51);
    act(&mut env, 2, 51);
    assert_eq!(points(&env, 0) - before[0], 9);
    assert_eq!(points(&env, 2) - before[1], 8);
    assert_eq!(segment(&env, 1, "badge_value")[4], 3);
}

#[test]
fn gr_e7_r16_taking_a_bar_back() {
    let mut env = Position::of(3, 2).row(0, "comet_grape energy_bar").hand(0, "sun_melon sporebloom").load();
    assert_eq!(legal_of(&env, 0), [3, 18, SHIP, TAKE_BAR]);
    act(&mut env, 0, 45);
    assert_eq!(legal_of(&env, 0), [3, 18, 38]);
    act(&mut env, 0, 38);
    assert_eq!(legal_of(&env, 0), [3, 18, 44]);
    act(&mut env, 0, 3);
    others_play(&mut env);
    assert_eq!(row(&env, 0), ["comet_grape", "energy_bar", "sun_melon"]);
    assert_eq!(hand(&env, 1), ["sporebloom"]);
    assert!(!legal_of(&env, 0).contains(&TAKE_BAR));
}

#[test]
fn gr_e8_r15a_r17_recycles_multiply_the_compost() {
    let mut env = Position::of(3, 3)
        .row(0, "recycle")
        .hand(0, "recycle")
        .compost(0, "moonberry comet_grape sun_melon silver_fern")
        .load();
    let others = points(&env, 0) - 4;
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    play(&mut env, 0, "recycle");
    assert_eq!(last_row(&env, 0), ["recycle", "recycle"]);
    assert_eq!(points(&env, 0) - others, 12);
}

#[test]
fn gr_e9_r12_q9_a_rest_that_does_not_go_round_leaves_the_game() {
    // One more copy of a plain card makes a deck of 55 for three.
    let text = crate::fixture::CONTENT.replace("id = \"sun_melon\"\nname = \"Sun Melon\"\ntype = \"fruit\"\nforbids = [\"gadget\"]\neffect = \"none\"\ncopies = [1, 0, 0]", "id = \"sun_melon\"\nname = \"Sun Melon\"\ntype = \"fruit\"\nforbids = [\"gadget\"]\neffect = \"none\"\ncopies = [2, 0, 0]");
    let mut env = Position::of(3, 3).option("content", text).pile(7).hand(0, "comet_grape").load();
    assert_eq!(env.configured().game.deck().total(), 55);
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    if acting(&env) == [0] {
        let first = legal_of(&env, 0)[0];
        act(&mut env, 0, first);
    }
    assert!((0..3).all(|player| hand(&env, player).len() == 4));
    let state = seen(&env, None);
    let out: u64 = state["out"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!((env.state().pile_size, out), (0, 1));
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    while let Some(player) = env.current_player() {
        let last = *legal_of(&env, player.0).last().unwrap();
        act(&mut env, player.0, last);
    }
    assert_eq!(env.status(), Status::Terminated);
}

#[test]
fn gr_e10_r14_q8_the_end_completes_all_rows_and_all_may_claim() {
    let mut env = Position::of(3, 2)
        .badges("grand_tour well_sorted salad_bowl menagerie buried_treasure")
        .pile(0)
        .row(0, "pig_iron")
        .hand(0, "slime_mold sporebloom")
        .row(1, "silver_fern comet_grape")
        .hand(1, "lantern_moss")
        .row(2, "salt_block")
        .hand(2, "trail_jerky")
        .load();
    let before: Vec<i32> = (0..3).map(|player| points(&env, player)).collect();
    act(&mut env, 0, SHIP);
    play(&mut env, 1, "lantern_moss");
    play(&mut env, 2, "trail_jerky");
    assert_eq!(legal_of(&env, 0), [17, 18]);
    act(&mut env, 0, 17);
    let gained = |env: &playmat_core::env::Env<_>| -> Vec<i32> {
        (0..3).map(|player| points(env, player) - before[player]).collect()
    };
    assert_eq!(gained(&env), [4, 8, 3]);
    assert_eq!((acting(&env), legal_of(&env, 0)), (vec![0], vec![51, 52]));
    act(&mut env, 0, CLAIM + 4);
    assert_eq!((gained(&env), env.status()), (vec![9, 8, 3], Status::Terminated));
}

#[test]
fn gr_e11_r20_a_row_of_five_and_of_six() {
    let cards = "star_plum honeybug creeping_vine lantern_moss geode";
    let env = Position::of(3, 5).row(0, cards).load();
    assert_eq!(env.state().rows[0].score, 14);
    let mut env = Position::of(3, 5).row(0, cards).hand(0, "z_coin").load();
    assert_eq!(segment(&env, 0, "place_score")[26], 32 + 18);
    play(&mut env, 0, "z_coin");
    others_play(&mut env);
    assert_eq!(field(&env, 0, "row_score"), 18);
}

#[test]
fn gr_e12_r15_equal_scores_and_the_smaller_compost() {
    // Final positions made up of points and composts alone.
    let game = crate::fixture::configured(&json!({})).game.clone();
    let judged = |scores: [i32; 3], composts: [u8; 3]| {
        let mut state = *Position::of(3, 5).load().state();
        state.phase = playmat_graft::state::Phase::End;
        for player in 0..3 {
            state.compost_sizes[player] = composts[player];
            state.claims[player] = [0; 5];
            state.row_points[player] = scores[player] - i32::from(composts[player]);
        }
        assert_eq!(game.scores(&state)[..3], scores);
        game.winners(&state)
    };
    assert_eq!(judged([40, 40, 31], [5, 3, 0]).iter().collect::<Vec<_>>(), [Player(1)]);
    assert_eq!(judged([40, 40, 31], [3, 3, 0]).iter().collect::<Vec<_>>(), [Player(0), Player(1)]);
}

#[test]
fn gr_e13_r18_r18a_replanting_a_replant() {
    let mut env = Position::of(3, 5)
        .row(0, "comet_grape")
        .compost(0, "replant sun_melon silver_fern sporebloom")
        .hand(0, "replant")
        .load();
    play(&mut env, 0, "replant");
    others_play(&mut env);
    assert_eq!((acting(&env), legal_of(&env, 0)), (vec![0], vec![3, 7, 8, 18, STOP]));
    assert_eq!(segment(&env, 0, "replant_left"), [2]);
    act(&mut env, 0, 7);
    assert_eq!((legal_of(&env, 0), segment(&env, 0, "replant_left")), (vec![3, 8, 18, STOP], vec![3]));
    act(&mut env, 0, 18);
    assert_eq!((legal_of(&env, 0), segment(&env, 0, "replant_left")), (vec![3, STOP], vec![2]));
    act(&mut env, 0, 3);
    assert_eq!(acting(&env), [0, 1, 2]);
    assert_eq!(row(&env, 0), ["comet_grape", "replant", "replant", "sporebloom", "sun_melon"]);
    assert_eq!((compost(&env, 0), field(&env, 0, "row_score")), (vec!["silver_fern".to_string()], json!(8)));
}

#[test]
fn gr_e14_r24_what_is_known_of_a_hand_that_travels() {
    let mut env = Position::of(3, 3).hand(0, "moonberry moonberry pig_iron").hand(1, "comet_grape").load();
    play(&mut env, 0, "pig_iron");
    act(&mut env, 1, SHIP);
    others_play(&mut env);
    if acting(&env) == [1] {
        play(&mut env, 1, "comet_grape");
    }
    let known = |env: &playmat_core::env::Env<_>, j: usize| {
        let hands = segment(env, 0, "hands");
        let line: Vec<u8> = hands[44 * j..44 * (j + 1)].to_vec();
        (line[0], line[1..].iter().all(|&count| count == 0), segment(env, 0, "hidden")[j])
    };
    assert_eq!(known(&env, 1), (2, true, 3));
    play(&mut env, 1, "moonberry");
    others_play(&mut env);
    assert_eq!(known(&env, 2), (1, true, 3));
    play(&mut env, 2, "moonberry");
    let hands = segment(&env, 0, "hands");
    assert_eq!(hands[88], 1, "a face-down card still counts as in hand");
    others_play(&mut env);
    // The hand has come home: all of it is seen, and the other two are as they were passed on.
    assert_eq!(hand(&env, 0).len(), 3);
    assert_eq!(segment(&env, 0, "hidden")[0], 0);
}
