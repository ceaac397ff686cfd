//! Energy Bar, Recycle, Replant, Z-Coin (GR-R16 to R19, R22, Q6, Q10 to Q22).

use crate::fixture::{
    CONTENT, Position, SHIP, STOP, TAKE_BAR, act, acting, card, compost, field, hand, last_row, legal_of,
    others_play, play, points, row, seen, segment,
};
use playmat_core::prelude::Player;
use serde_json::json;

#[test]
fn gr_r16_nothing_when_played_and_minus_two_when_shipped() {
    let mut env = Position::of(3, 3).hand(0, "energy_bar sun_melon").load();
    play(&mut env, 0, "energy_bar");
    others_play(&mut env);
    assert_eq!((row(&env, 0), acting(&env)), (vec!["energy_bar".into()], vec![0, 1, 2]));
    assert_eq!(field(&env, 0, "row_score"), -2);
    assert!(legal_of(&env, 0).contains(&TAKE_BAR));
}

#[test]
fn gr_r16a_taking_back_is_as_hidden_as_the_choice() {
    let mut env = Position::of(3, 3).row(0, "comet_grape energy_bar").hand(0, "sun_melon geode").load();
    let (before, looks) = (seen(&env, Some(1)), segment(&env, 1, "rows"));
    act(&mut env, 0, TAKE_BAR);
    assert_eq!(seen(&env, Some(1)), before);
    assert_eq!(segment(&env, 1, "rows"), looks);
    assert_eq!(segment(&env, 0, "row_len")[0], 1, "for the chooser the row is without the bar");
    assert!(seen(&env, Some(0))["players"][0]["hand"].as_array().unwrap().contains(&json!("energy_bar")));
    play(&mut env, 0, "sun_melon");
    play(&mut env, 0, "geode");
    assert_eq!(seen(&env, Some(1)), before);
    others_play(&mut env);
    assert_eq!(row(&env, 0), ["comet_grape", "sun_melon", "geode"]);
}

#[test]
fn gr_r16b_q6_two_cards_in_order_and_the_ship_card_second_only() {
    let mut env = Position::of(3, 3).row(0, "energy_bar").hand(0, "honeybug packed_lunch sun_melon").load();
    act(&mut env, 0, TAKE_BAR);
    assert!(!legal_of(&env, 0).contains(&SHIP));
    play(&mut env, 0, "honeybug");
    assert!(legal_of(&env, 0).contains(&SHIP));
    // The second is placed after the first: Honeybug forbids Rations.
    play(&mut env, 0, "packed_lunch");
    others_play(&mut env);
    assert_eq!((row(&env, 0), compost(&env, 0)), (vec!["packed_lunch".into()], vec!["honeybug".into()]));
}

#[test]
fn gr_r16b_a_ship_card_after_a_first_card() {
    let mut env =
        Position::of(3, 3).row(0, "comet_grape energy_bar").hand(0, "sun_melon geode silver_fern").load();
    act(&mut env, 0, TAKE_BAR);
    play(&mut env, 0, "sun_melon");
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    assert_eq!(legal_of(&env, 0), [card(&env, "silver_fern"), card(&env, "geode"), card(&env, "energy_bar")]);
    play(&mut env, 0, "geode");
    assert_eq!(last_row(&env, 0), ["comet_grape", "sun_melon", "geode"]);
}

#[test]
fn gr_r16c_q6b_only_the_bar_at_the_end_and_only_one() {
    let mut env = Position::of(3, 3).row(0, "energy_bar energy_bar").hand(0, "sun_melon geode").load();
    act(&mut env, 0, TAKE_BAR);
    assert!(!legal_of(&env, 0).contains(&TAKE_BAR), "one bar in a turn");
    play(&mut env, 0, "sun_melon");
    play(&mut env, 0, "geode");
    others_play(&mut env);
    assert_eq!(row(&env, 0), ["energy_bar", "sun_melon", "geode"]);
    assert!(!legal_of(&env, 0).contains(&TAKE_BAR), "the lower bar was covered");
    // By Replant, and as the card of a failed ship.
    let mut env = Position::of(3, 3).hand(0, "replant").compost(0, "energy_bar").load();
    play(&mut env, 0, "replant");
    others_play(&mut env);
    play(&mut env, 0, "energy_bar");
    assert!(legal_of(&env, 0).contains(&TAKE_BAR));
    let mut env = Position::of(3, 2).row(0, "honeybug").hand(0, "energy_bar snack_pack").load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    play(&mut env, 0, "energy_bar");
    assert!(legal_of(&env, 0).contains(&TAKE_BAR));
}

#[test]
fn gr_r16d_a_bar_taken_back_leaves_nothing_behind() {
    // A bar that forbids Fruit: once it is taken back, Fruit may come.
    let text = CONTENT.replace(
        "type = \"ration\"\nforbids = []\neffect = \"energy_bar\"",
        "type = \"ration\"\nforbids = [\"fruit\"]\neffect = \"energy_bar\"",
    );
    let mut env = Position::of(3, 3)
        .option("content", text)
        .row(0, "silver_fern energy_bar")
        .hand(0, "sun_melon comet_grape geode")
        .load();
    assert_eq!(segment(&env, 0, "forbidden")[0], 1);
    act(&mut env, 0, TAKE_BAR);
    assert_eq!(segment(&env, 0, "forbidden")[0], 0);
    play(&mut env, 0, "sun_melon");
    play(&mut env, 0, "comet_grape");
    others_play(&mut env);
    assert_eq!(row(&env, 0), ["silver_fern", "sun_melon", "comet_grape"]);
    assert_eq!(compost(&env, 0), [""; 0]);
    assert_eq!(hand(&env, 1), ["geode", "energy_bar"], "not replayed, it is passed with the hand");
}

#[test]
fn gr_r17_q18_recycles_count_the_compost_at_the_end() {
    let mut env =
        Position::of(3, 5).row(0, "recycle").compost(0, "sun_melon").hand(0, "geode honeybug").load();
    let before = points(&env, 0);
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    play(&mut env, 0, "honeybug");
    // Honeybug scores 0 without Fruit; the compost of one counts two now.
    assert_eq!(points(&env, 0) - before, 1);
    // A bust later adds two for each card.
    let mut env = Position::of(3, 5).completed(0, "recycle").row(0, "honeybug").hand(0, "snack_pack").load();
    let before = points(&env, 0);
    play(&mut env, 0, "snack_pack");
    others_play(&mut env);
    assert_eq!(points(&env, 0) - before, 2);
}

#[test]
fn gr_r17_a_recycle_that_is_not_shipped_does_nothing() {
    let env = Position::of(3, 5).row(0, "recycle").compost(0, "recycle sun_melon").load();
    let state = env.state();
    assert_eq!((state.compost_points(playmat_core::prelude::Player(0)), state.recycles[0]), (2, 0));
}

#[test]
fn gr_r18_q14_up_to_two_cards_in_any_order_and_stopping_early() {
    let position = Position::of(3, 5).row(0, "comet_grape").hand(0, "replant").compost(0, "sun_melon geode");
    let mut env = position.load();
    play(&mut env, 0, "replant");
    others_play(&mut env);
    play(&mut env, 0, "geode");
    play(&mut env, 0, "sun_melon");
    assert_eq!(row(&env, 0), ["comet_grape", "replant", "geode", "sun_melon"]);
    let mut env = position.load();
    play(&mut env, 0, "replant");
    others_play(&mut env);
    act(&mut env, 0, STOP);
    assert_eq!((row(&env, 0).len(), acting(&env)), (2, vec![0, 1, 2]));
}

#[test]
fn gr_r18_effects_of_picks_happen_at_once() {
    // A picked Z-Coin lifts what forbids the next pick.
    let mut env =
        Position::of(3, 5).row(0, "pig_iron").hand(0, "replant").compost(0, "z_coin sun_melon").load();
    play(&mut env, 0, "replant");
    others_play(&mut env);
    assert_eq!(legal_of(&env, 0), [card(&env, "z_coin"), STOP]);
    play(&mut env, 0, "z_coin");
    assert_eq!(legal_of(&env, 0), [card(&env, "sun_melon"), STOP]);
}

#[test]
fn gr_r18b_q14_q17_no_legal_card_no_question() {
    // Pig Iron forbids Fruit, and Fruit is all there is.
    let mut env = Position::of(3, 5).row(0, "pig_iron").hand(0, "replant").compost(0, "sun_melon").load();
    play(&mut env, 0, "replant");
    others_play(&mut env);
    assert_eq!((acting(&env), compost(&env, 0).len()), (vec![0, 1, 2], 1));
    // With a legal card beside it, only that one is offered.
    let mut env =
        Position::of(3, 5).row(0, "pig_iron").hand(0, "replant").compost(0, "sun_melon geode").load();
    play(&mut env, 0, "replant");
    others_play(&mut env);
    assert_eq!(legal_of(&env, 0), [card(&env, "geode"), STOP]);
}

#[test]
fn gr_r18c_a_replant_that_busts_takes_from_the_row_just_lost() {
    let mut env = Position::of(3, 5).row(0, "sun_melon sporebloom").hand(0, "replant").load();
    play(&mut env, 0, "replant");
    others_play(&mut env);
    assert_eq!(legal_of(&env, 0), [3, 18, STOP]);
    play(&mut env, 0, "sun_melon");
    act(&mut env, 0, STOP);
    assert_eq!(
        (row(&env, 0), compost(&env, 0)),
        (vec!["replant".into(), "sun_melon".into()], vec!["sporebloom".into()])
    );
}

#[test]
fn gr_r18d_a_replant_that_replaces_the_ship_card_belongs_to_the_row() {
    let mut env =
        Position::of(3, 5).row(0, "sun_melon").hand(0, "replant geode").compost(0, "comet_grape").load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    play(&mut env, 0, "replant");
    assert_eq!(seen(&env, None)["phase"], "replant");
    play(&mut env, 0, "comet_grape");
    assert_eq!(last_row(&env, 0), ["sun_melon", "replant", "comet_grape"]);
}

#[test]
fn gr_r18e_q21_picks_bind_the_card_that_waits() {
    let mut env = Position::of(3, 3)
        .row(0, "energy_bar")
        .hand(0, "replant sun_melon geode")
        .compost(0, "pig_iron snack_pack")
        .load();
    act(&mut env, 0, TAKE_BAR);
    play(&mut env, 0, "replant");
    play(&mut env, 0, "sun_melon");
    others_play(&mut env);
    assert_eq!(acting(&env), [0]);
    assert_eq!(segment(&env, 1, "waiting")[2], 3 + 1, "the second card is open and waits");
    assert_eq!(field(&env, 0, "waiting"), "sun_melon");
    // Pig Iron forbids Fruit: the Sun Melon busts, and starts a new row in the same turn.
    play(&mut env, 0, "pig_iron");
    act(&mut env, 0, STOP);
    assert_eq!(row(&env, 0), ["sun_melon"]);
    assert_eq!(compost(&env, 0), ["pig_iron", "replant", "snack_pack"]);
}

#[test]
fn gr_r18e_a_second_replant_waits_for_the_first() {
    let mut env = Position::of(3, 3)
        .row(0, "energy_bar")
        .hand(0, "replant replant")
        .compost(0, "sun_melon comet_grape geode")
        .load();
    act(&mut env, 0, TAKE_BAR);
    play(&mut env, 0, "replant");
    play(&mut env, 0, "replant");
    others_play(&mut env);
    play(&mut env, 0, "sun_melon");
    act(&mut env, 0, STOP);
    assert_eq!((acting(&env), segment(&env, 0, "replant_left")), (vec![0], vec![2]));
    play(&mut env, 0, "comet_grape");
    act(&mut env, 0, STOP);
    assert_eq!(row(&env, 0), ["replant", "sun_melon", "replant", "comet_grape"]);
}

#[test]
fn gr_r19_r19a_a_coin_is_legal_and_its_own_restrictions_hold() {
    // A Z-Coin that forbids Leaf.
    let text =
        CONTENT.replace("forbids = []\neffect = \"z_coin\"", "forbids = [\"leaf\"]\neffect = \"z_coin\"");
    let mut env =
        Position::of(3, 5).option("content", text).row(0, "moonberry pack_mule").hand(0, "z_coin").load();
    assert_eq!(field(&env, 0, "forbidden"), json!(["fruit", "leaf", "ore", "ration"]));
    play(&mut env, 0, "z_coin");
    others_play(&mut env);
    assert_eq!((row(&env, 0).len(), field(&env, 0, "forbidden")), (3, json!(["leaf"])));
}

#[test]
fn gr_r19a_a_coin_is_offered_wherever_legal_cards_are() {
    // Moonberry forbids Ore, which the Z-Coin is.
    for (placement, coin) in [("always", true), ("restricted", false)] {
        let position = Position::of(3, 5).option("z_coin_placement", placement).row(0, "moonberry");
        let ship = position.clone().hand(0, "z_coin pig_iron geode sun_melon silver_fern");
        let mut env = ship.load();
        assert_eq!(segment(&env, 0, "place_ok")[26], u8::from(coin), "{placement}");
        act(&mut env, 0, SHIP);
        others_play(&mut env);
        assert_eq!(legal_of(&env, 0), if coin { vec![3, 8, 26] } else { vec![3, 8] }, "{placement}");
        let mut env = position.hand(0, "replant").compost(0, "z_coin pig_iron sun_melon").load();
        play(&mut env, 0, "replant");
        others_play(&mut env);
        assert_eq!(legal_of(&env, 0), if coin { vec![3, 26, STOP] } else { vec![3, STOP] }, "{placement}");
    }
}

#[test]
fn gr_r22_several_kinds_may_share_an_effect() {
    let text = CONTENT.replace(
        "forbids = []\neffect = \"none\"\ncopies = [1, 0, 0]\nscore = [{ points = 5, if = { count = \"cards\", min = 5, max = 5 }, else = 1 }]",
        "forbids = [\"ore\"]\neffect = \"energy_bar\"\ncopies = [1, 0, 0]\nscore = [{ points = 1 }, { points = 2 }]",
    );
    let mut env = Position::of(3, 3)
        .option("content", text.clone())
        .row(0, "comet_grape snack_pack")
        .hand(0, "sun_melon")
        .load();
    assert_eq!(field(&env, 0, "row_score"), 5, "a card with an effect scores like any other");
    assert!(legal_of(&env, 0).contains(&TAKE_BAR));
    act(&mut env, 0, TAKE_BAR);
    assert!(legal_of(&env, 0).contains(&card(&env, "snack_pack")));
    // Of two kinds of bars in the hand, both known to all, the event names the one that was taken back.
    let mut env = Position::of(3, 2)
        .option("content", text)
        .row(0, "sun_melon snack_pack")
        .hand(0, "energy_bar sorting_arm")
        .known(0, 1, "energy_bar")
        .known(0, 2, "energy_bar")
        .load();
    act(&mut env, 0, TAKE_BAR);
    play(&mut env, 0, "sorting_arm");
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    let reported = env.events(Some(Player(1))).unwrap();
    let taken: Vec<_> = reported.iter().filter(|event| event["event"] == "bar_taken").collect();
    assert_eq!((taken.len(), &taken[0]["card"]), (1, &json!("snack_pack")));
}

#[test]
fn gr_q6a_bars_leave_hands_equal() {
    let mut env = Position::of(3, 3).row(0, "energy_bar").hand(0, "sun_melon geode").load();
    act(&mut env, 0, TAKE_BAR);
    play(&mut env, 0, "sun_melon");
    play(&mut env, 0, "energy_bar");
    others_play(&mut env);
    assert!((0..3).all(|player| hand(&env, player).len() == 2));
}

#[test]
fn gr_q22_taking_back_needs_no_other_card() {
    let mut env = Position::of(3, 1).row(0, "comet_grape energy_bar").hand(0, "sun_melon").load();
    assert!(legal_of(&env, 0).contains(&TAKE_BAR));
    act(&mut env, 0, TAKE_BAR);
    play(&mut env, 0, "energy_bar");
    assert_eq!(legal_of(&env, 0), [3, SHIP]);
}

#[test]
fn a_first_card_of_one_kind_is_a_forced_move() {
    let mut env = Position::of(3, 1).row(0, "comet_grape energy_bar").hand(0, "energy_bar").load();
    act(&mut env, 0, TAKE_BAR);
    assert_eq!(
        legal_of(&env, 0),
        [card(&env, "energy_bar"), SHIP],
        "the first is an Energy Bar whatever is chosen"
    );
    assert_eq!(segment(&env, 0, "phase"), [0, 0, 1, 0, 0, 0]);
}
