//! Positions that play reaches are restored exactly; positions that differ from them in one place are refused (GR-R23 b, f, g).

use crate::fixture::{
    CLAIM, CONTENT, DECLINE, NEAR, Position, SHIP, STOP, TAKE_BAR, act, acting, configured, legal_of, load,
    others_play, play, refused, seen,
};
use playmat_core::env::Env;
use playmat_core::game::Status;
use playmat_core::prelude::{Rng, Show};
use playmat_graft::Graft;
use serde_json::{Value, json};

/// The position comes back from its JSON as it was.
#[track_caller]
fn comes_back(env: &Env<Graft>) {
    let game = &env.configured().game;
    let again = game.restore(&game.describe(env.state(), None), &mut Rng::from_seed(1));
    assert_eq!(again.unwrap_or_else(|problems| panic!("{problems:?}")), *env.state());
}

/// The position as JSON with some changes, without what follows from the rest.
fn changed(env: &Env<Graft>, change: impl FnOnce(&mut Value)) -> Value {
    let mut json = seen(env, None);
    for player in json["players"].as_array_mut().unwrap() {
        for name in ["forbidden", "row_score", "row_badges", "points"] {
            player.as_object_mut().unwrap().remove(name);
        }
    }
    change(&mut json);
    json
}

/// A position that play reaches comes back, and with some changes it is refused with these words.
#[track_caller]
fn check(env: &Env<Graft>, options: &Value, words: &str, change: impl FnOnce(&mut Value)) {
    comes_back(env);
    let said = refused(options, &changed(env, change));
    assert!(said.contains(words), "`{words}` is not said: {said}");
}

/// Puts a card of the pile in the place of another one of a list.
fn swap(json: &mut Value, list: &str, out: &str, into: &str) {
    let cards = json.pointer_mut(list).unwrap().as_array_mut().unwrap();
    let place = cards.iter().position(|id| id == out).unwrap();
    cards[place] = into.into();
    for (id, more) in [(out, 1), (into, -1)] {
        json["pile"][id] = (json["pile"][id].as_i64().unwrap_or(0) + more).into();
    }
}

#[test]
fn gr_r23_b_the_first_pile_and_a_rest_have_their_size() {
    let said = Position::of(3, 3).pile(42).refused();
    assert!(said.contains("pile: more cards than the first hands leave"), "{said}");
    // Three cards for three players would have been drawn.
    let mut json = Position::of(3, 3).pile(3).whole();
    json["out"] = json["pile"].take();
    json["pile"] = json!({});
    let said = refused(&json!({"players": 3}), &json);
    assert!(said.contains("out: cards leave the game only as a rest"), "{said}");
}

#[test]
fn gr_r23_loading_makes_a_first_choice_that_is_forced() {
    let env = Position::of(3, 1)
        .row(0, "comet_grape energy_bar")
        .hand(0, "energy_bar")
        .overwrite("players.0.take_bar", true)
        .load();
    assert_eq!(legal_of(&env, 0), [38, SHIP]);
}

#[test]
fn gr_r23_g_a_player_stopped_at_a_replant_decides() {
    let position =
        Position::of(3, 3).hand(0, "replant").compost(0, "sun_melon").hand(2, "replant").compost(2, "geode");
    let mut env = position.load();
    play(&mut env, 0, "replant");
    play(&mut env, 2, "replant");
    others_play(&mut env);
    let words = "players[2].picks: its Replant has legal picks left";
    check(&env, &position.options, words, |json| json["players"][2]["picks"] = 0.into());
}

#[test]
fn gr_r23_g_after_the_replacements_only_these_replant() {
    let position = Position::of(3, 3)
        .hand(0, "replant sun_melon")
        .compost(0, "comet_grape")
        .hand(2, "replant")
        .compost(2, "geode");
    let mut env = position.load();
    act(&mut env, 0, SHIP);
    play(&mut env, 2, "replant");
    others_play(&mut env);
    act(&mut env, 2, STOP);
    play(&mut env, 0, "replant");
    assert_eq!(acting(&env), [0]);
    let words = "players[2].picks: only replacements are placed now";
    check(&env, &position.options, words, |json| json["players"][2]["picks"] = 2.into());
}

#[test]
fn gr_r23_g_a_ship_card_after_a_replant_needs_a_bar() {
    let position =
        Position::of(3, 3).row(0, "energy_bar").hand(0, "replant sun_melon honeyfig").compost(0, "geode");
    let mut env = position.load();
    act(&mut env, 0, TAKE_BAR);
    play(&mut env, 0, "replant");
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    assert_eq!(acting(&env), [0]);
    let words = "players[0].picks: not what the Replants of the row leave";
    check(&env, &position.options, words, |json| {
        for player in ["1", "2"] {
            json["players"][0]["known"][player] = json!([]);
        }
        let plain = json["pile"].as_object().unwrap().keys().find(|id| *id != "energy_bar").unwrap().clone();
        swap(json, "/players/0/hand", "energy_bar", &plain);
    });
}

#[test]
fn gr_r23_g_everybody_has_placed_a_card() {
    let position = Position::of(3, 3).row(0, "honeybug").hand(0, "sun_melon geode packed_lunch");
    let mut env = position.load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    let words = "players[1].row: a card was placed on it in this turn";
    check(&env, &position.options, words, |json| {
        let row = json["players"][1]["row"].take();
        json["players"][1]["row"] = json!([]);
        json["players"][1]["completed"].as_array_mut().unwrap().push(row);
    });
}

#[test]
fn gr_r23_g_a_coin_fails_to_ship_only_if_it_is_restricted() {
    let position = Position::of(3, 3)
        .badges(NEAR)
        .row(0, "moonberry")
        .hand(0, "pig_iron geode salt_block")
        .row(1, "slime_mold")
        .hand(1, "quartz_vein comet_grape sun_melon");
    let restricted = position.clone().option("z_coin_placement", "restricted");
    let mut env = position.load();
    act(&mut env, 0, SHIP);
    act(&mut env, 1, SHIP);
    others_play(&mut env);
    play(&mut env, 0, "geode");
    play(&mut env, 1, "quartz_vein");
    assert_eq!(acting(&env), [1], "player 1 may claim, player 0 has failed");
    let coin = |json: &mut Value| swap(json, "/players/0/row", "geode", "z_coin");
    check(&env, &position.options, "players[0].row: a failed ship starts a new row", coin);
    load(&restricted.options, &changed(&env, coin), 1);
}

/// The end by a ship card of player 0, which meets and claims a badge; a row of player 1 meets Bug Report.
fn end(narrow: bool) -> (Value, Env<Graft>) {
    let position = Position::of(3, 2)
        .badges(NEAR)
        .option("end_of_game_claims", !narrow)
        .pile(0)
        .row(0, "slime_mold pig_iron rootling")
        .hand(0, "recycle comet_grape")
        .row(1, "honeybug")
        .hand(1, "sorting_arm");
    let mut env = position.load();
    act(&mut env, 0, SHIP);
    play(&mut env, 1, "sorting_arm");
    others_play(&mut env);
    comes_back(&env);
    assert_eq!(legal_of(&env, 0), [CLAIM + 3, CLAIM + 4, DECLINE]);
    assert_eq!(acting(&env), if narrow { vec![0] } else { vec![0, 1] });
    act(&mut env, 0, CLAIM + 4);
    if !narrow {
        act(&mut env, 1, DECLINE);
    }
    assert_eq!(env.status(), Status::Terminated);
    (position.options, env)
}

#[test]
fn gr_r23_f_one_badge_in_a_turn() {
    let (options, env) = end(false);
    let words = "players[0].claims: two badges claimed in one turn";
    check(&env, &options, words, |json| json["players"][0]["claims"]["bug_report"] = 5.into());
}

#[test]
fn gr_r23_g_how_a_game_ends() {
    let (options, env) = end(false);
    check(&env, &options, "shippers: the game ends with a ship card or without cards", |json| {
        (json["shippers"], json["shipped"], json["replaced"]) = (json!([]), json!([]), false.into());
    });
    let words = "players[2].completed: everybody has completed a row at the end";
    check(&env, &options, words, |json| {
        let rows = json["players"][2]["completed"].take();
        for id in rows.as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap()) {
            let count = &mut json["players"][2]["compost"][id.as_str().unwrap()];
            *count = (count.as_i64().unwrap_or(0) + 1).into();
        }
        json["players"][2]["completed"] = json!([]);
    });
}

#[test]
fn gr_r23_q8_a_claim_at_the_end_that_the_option_excludes() {
    let ends = [end(false), end(true)];
    let words = "players[1].claims: not each badge is met by a completed row of its own";
    // For the first time, and after player 0 has claimed it in an earlier turn.
    let first: fn(&mut Value) = |json| json["players"][1]["claims"] = json!({"bug_report": 5});
    let late: fn(&mut Value) = |json| {
        json["players"][0]["claims"] = json!({"bug_report": 5});
        json["taken"] = json!(["bug_report"]);
        // Its last row and one before change places, so that it can have claimed with that one.
        let rows = json["players"][0]["completed"].as_array_mut().unwrap();
        let last = rows.len() - 1;
        rows.swap(0, last);
        json["players"][1]["claims"] = json!({"bug_report": 3});
    };
    for change in [first, late] {
        let [(wide, env), (narrow, narrow_env)] = &ends;
        load(wide, &changed(env, change), 1);
        check(narrow_env, narrow, words, change);
    }
}

/// Player 0 ships and claims one of two badges at the end of the pile, a rest of which is too small to go round: all hands run
/// out, and player 1 may claim, but player 0 not once more.
fn rest(narrow: bool) -> (Value, Env<Graft>) {
    let position = Position::of(3, 1)
        .option("content", CONTENT.replacen("copies = [1, 0, 0]", "copies = [2, 0, 0]", 1))
        .option("end_of_game_claims", !narrow)
        .badges(NEAR)
        .pile(1)
        .row(0, "slime_mold pig_iron rootling")
        .hand(0, "recycle")
        .row(1, "ink_cap")
        .hand(1, "z_coin");
    let mut env = position.load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    comes_back(&env);
    act(&mut env, 0, CLAIM + 4);
    assert_eq!((env.state().phase.name(), acting(&env)), ("refill", vec![1]));
    (position.options, env)
}

#[test]
fn gr_r23_g_hands_that_run_out_in_a_turn_with_a_ship_card() {
    for narrow in [false, true] {
        let (options, mut env) = rest(narrow);
        let words = "pile: the turn would have ended otherwise with such a pile";
        check(&env, &options, words, |json| {
            json["pile"] = json["out"].take();
            json["out"] = json!({});
        });
        // The option is about the end by a ship card; this end is another one.
        act(&mut env, 1, CLAIM + 4);
        assert_eq!(env.status(), Status::Terminated);
        comes_back(&env);
    }
    // A ship card that failed: on an empty pile it would have ended the game.
    let position = Position::of(3, 1)
        .badges(NEAR)
        .pile(3)
        .row(0, "honeybug")
        .hand(0, "packed_lunch")
        .row(1, "rootling")
        .hand(1, "recycle");
    let mut env = position.load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    assert_eq!((env.state().phase.name(), acting(&env)), ("refill", vec![1]));
    let words = "pile: the turn would have ended otherwise with such a pile";
    check(&env, &position.options, words, |json| {
        let pile = json["pile"].take();
        let cards = pile.as_object().unwrap().iter();
        let cards: Vec<&String> =
            cards.flat_map(|(id, count)| vec![id; count.as_u64().unwrap() as usize]).collect();
        for (player, id) in cards.into_iter().enumerate() {
            json["players"][player]["completed"].as_array_mut().unwrap().insert(0, json!([id]));
        }
        json["pile"] = json!({});
        json["turn"] = (json["turn"].as_i64().unwrap() + 1).into();
    });
    assert_eq!(configured(&position.options).game.turns(), 18);
}
