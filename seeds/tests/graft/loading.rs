//! Positions from outside: what is refused and why, and that every position of a game is restored (GR-R23).

use crate::fixture::{
    CLAIM, NEAR, Position, SHIP, act, acting, configured, hand, legal_of, load, others_play, play, refused,
    row, seen, visit,
};
use playmat_conformance::testing::comes_back;
use playmat_conformance::testing::mutants::{Reached, Sweep};
use playmat_core::env::Env;
use playmat_core::game::{Game, Status};
use playmat_core::prelude::{Player, Show};
use playmat_graft::Graft;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A plain position that loads.
fn plain() -> Position {
    Position::of(3, 4)
        .row(0, "comet_grape")
        .hand(0, "sun_melon geode snack_pack silver_fern")
        .compost(1, "honeybug")
}

/// What is said against a plain position with one field replaced.
#[track_caller]
fn check(path: &str, value: impl Into<Value>, parts: &[&str]) {
    let said = plain().overwrite(path, value).refused();
    for part in parts {
        assert!(said.contains(part), "`{part}` is not said of {path}: {said}");
    }
}

#[test]
fn gr_r23_every_position_of_a_game_comes_back_as_it_was() {
    let mut seen = [0; 6];
    for players in 2..=5 {
        for seed in 0..12 {
            visit(&json!({"players": players}), seed, 30, |game, state| {
                comes_back(game, state);
                seen[state.phase as usize] += 1;
            });
        }
    }
    // Hands run out seldom.
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}

#[test]
fn gr_r23_a_cards_of_every_kind_are_those_of_the_deck() {
    let mut json = plain().whole();
    let (id, count) =
        json["pile"].as_object().unwrap().iter().map(|(a, b)| (a.clone(), b.clone())).next().unwrap();
    json["pile"][&id] = (count.as_i64().unwrap() - 1).into();
    assert!(refused(&json!({"players": 3}), &json).contains(&format!("cards `{id}` in all zones")));
    check("pile.energy_bar", 9, &["pile.energy_bar: 9; allowed: 0 to 2"]);
    check("pile.no_such", 1, &["pile.no_such: no card is called `no_such`"]);
}

#[test]
fn gr_r23_b_hands_pile_and_cards_out_of_the_game() {
    let mut json = plain().whole();
    let card = json["players"][2]["hand"][0].clone();
    json["players"][2]["hand"].as_array_mut().unwrap().remove(0);
    let id = card.as_str().unwrap().to_string();
    let more = json["pile"][&id].as_i64().unwrap_or(0) + 1;
    json["pile"][&id] = more.into();
    assert!(refused(&json!({"players": 3}), &json).contains("players[2].hand: hands of equal size"));
    let six: Vec<&str> = vec!["sun_melon", "geode", "snack_pack", "silver_fern", "comet_grape", "honeybug"];
    check("players.0.hand", json!(six), &["players[0].hand: 6 cards; at most 5"]);
    let mut json = plain().whole();
    let id = json["pile"].as_object().unwrap().keys().next().unwrap().clone();
    let count = json["pile"][&id].as_i64().unwrap();
    json["pile"][&id] = (count - 1).into();
    json["out"] = json!({id: 1});
    assert!(refused(&json!({"players": 3}), &json).contains("out: cards leave the game only as a rest"));
}

#[test]
fn gr_r23_c_rows_must_be_possible() {
    // The same cards the other way round: the Pear forbids what follows it.
    let good = Position::of(3, 4).row(0, "honeybug glass_pear");
    good.load();
    let bad = Position::of(3, 4).row(0, "glass_pear honeybug");
    bad.refuses("players[0].row: a card is not legal after those left of it");
    let bad = Position::of(3, 4).completed(1, "glass_pear honeybug");
    bad.refuses("players[1].completed[0]: a card is not legal");
    check("players.0.completed", json!([[]]), &["players[0].completed[0]: an empty row is never completed"]);
}

#[test]
fn gr_r23_d_everybody_has_as_many_cards_as_turns_were_played() {
    let turn = plain().whole()["turn"].as_i64().unwrap();
    check("turn", turn + 1, &["players[0].row:", "cards in row, compost and completed rows"]);
    check("turn", 18, &["turn: 18; allowed: 0 to 17"]);
    check("turn", -1, &["turn: -1; allowed: 0 to 17"]);
}

#[test]
fn gr_r23_e_five_badges_in_order() {
    let badges = |list: [&str; 5]| json!(list);
    let order = "badges: two gold and three silver badges, each in ascending order";
    check(
        "badges",
        badges(["grand_tour", "full_manifest", "mixed_crate", "hard_currency", "even_load"]),
        &[order],
    );
    check(
        "badges",
        badges(["grand_tour", "grand_tour", "mixed_crate", "hard_currency", "even_load"]),
        &[order],
    );
    check("badges", badges(["grand_tour", "convoy", "two_by_two", "hard_currency", "even_load"]), &[order]);
    check("badges", json!(["grand_tour"]), &["badges: 1 entries for 5 slots"]);
    check(
        "badges",
        badges(["a", "convoy", "two_by_two", "hard_currency", "even_load"]),
        &["badges[0]: no badge is called `a`"],
    );
}

#[test]
fn gr_r23_f_claims() {
    let near = NEAR;
    let good =
        Position::of(3, 4).badges(near).completed(0, "pig_iron slime_mold").claim(0, "buried_treasure", 5);
    good.load();
    let met = "players[0].claims: not each badge is met by a completed row of its own";
    let bad = Position::of(3, 4).badges(near).completed(0, "sun_melon").claim(0, "buried_treasure", 5);
    bad.refuses(met);
    // One row meets both, and serves once.
    let bad = Position::of(3, 4)
        .badges(near)
        .completed(0, "slime_mold pig_iron rootling recycle")
        .claim(0, "buried_treasure", 5)
        .claim(0, "bug_report", 5);
    bad.refuses(met);
    let two = Position::of(3, 4)
        .badges(near)
        .completed(0, "slime_mold pig_iron rootling recycle")
        .completed(0, "ink_cap z_coin")
        .claim(0, "buried_treasure", 5)
        .claim(0, "bug_report", 5);
    two.load();
    let low = good.clone().overwrite("players.0.claims", json!({"buried_treasure": 3}));
    low.refuses("a badge was claimed at its low value and never at its high one");
    let odd = good.clone().overwrite("players.0.claims", json!({"buried_treasure": 4}));
    odd.refuses("players[0].claims.buried_treasure: got 4; expected 5 or 3");
    let other = good.clone().overwrite("players.0.claims", json!({"convoy": 8}));
    other.refuses("no badge in play is called `convoy`");
    good.overwrite("taken", json!([])).refuses("taken:");
}

#[test]
fn gr_r23_g_choices_that_no_hand_allows() {
    check(
        "players.0.chosen",
        json!(["honeybug"]),
        &["players[0].chosen: not a choice that this hand allows"],
    );
    check("players.0.chosen", json!(["geode", "sun_melon"]), &["players[0].chosen: 2 cards; at most 1"]);
    check("players.0.take_bar", true, &["players[0].take_bar: the row does not end in an Energy Bar"]);
    check("unfinished", json!([0, 1]), &["unfinished: the choices leave [0, 1, 2]"]);
    let bar = Position::of(3, 3)
        .row(0, "energy_bar")
        .hand(0, "sun_melon geode snack_pack")
        .overwrite("players.0.take_bar", true);
    let mut env = bar.clone().overwrite("players.0.chosen", json!(["geode"])).load();
    assert_eq!(legal_of(&env, 0), [3, 38, 39, SHIP]);
    play(&mut env, 0, "sun_melon");
    bar.clone().overwrite("players.0.chosen", json!(["ship", "geode"])).refuses("not a choice");
    bar.overwrite("players.0.chosen", json!(["geode", "geode"])).refuses("not a choice");
}

#[test]
fn gr_r23_g_somebody_has_to_decide() {
    let position = plain().overwrite("players.0.chosen", json!(["geode"]));
    let json = position.whole();
    let chosen = |player: usize| json!([json["players"][player]["hand"][0].clone()]);
    let all =
        position.clone().overwrite("players.1.chosen", chosen(1)).overwrite("players.2.chosen", chosen(2));
    all.refuses("unfinished: somebody has to decide");
    position.load();
}

/// A position inside a turn, changed and refused.
#[track_caller]
fn inside(env_json: &Value, path: &[&str], value: Value, part: &str) {
    let mut json = env_json.clone();
    let mut at = &mut json;
    for name in path {
        at = match name.parse::<usize>() {
            Ok(index) => &mut at[index],
            Err(_) => &mut at[*name],
        };
    }
    *at = value;
    json.as_object_mut().unwrap().remove("unfinished");
    let said = refused(&json!({"players": 3}), &json);
    assert!(said.contains(part), "`{part}` is not said of {path:?}: {said}");
}

#[test]
fn gr_r23_g_replanting_that_cannot_have_come_about() {
    let mut env =
        Position::of(3, 5).row(0, "comet_grape").hand(0, "replant").compost(0, "sun_melon geode").load();
    play(&mut env, 0, "replant");
    others_play(&mut env);
    let json = seen(&env, None);
    load(&json!({}), &json, 1);
    inside(
        &json,
        &["players", "0", "picks"],
        json!(3),
        "players[0].picks: not what the Replants of the row leave",
    );
    inside(&json, &["players", "0", "picks"], json!(0), "phase: nobody has replant picks left");
    inside(&json, &["players", "1", "picks"], json!(2), "players[1].picks");
    inside(&json, &["phase"], json!("claim"), "phase: replant picks are left");
    inside(&json, &["phase"], json!("choose"), "phase: replant picks are left");
    inside(&json, &["players", "0", "waiting"], json!("geode"), "cards `geode` in all zones");
    inside(&json, &["shippers"], json!([1]), "players[1].");
}

#[test]
fn gr_r23_g_replacing_and_claiming_that_cannot_have_come_about() {
    let mut env =
        Position::of(3, 3).badges(NEAR).row(0, "pig_iron").hand(0, "slime_mold comet_grape ink_cap").load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    let json = seen(&env, None);
    load(&json!({}), &json, 1);
    inside(
        &json,
        &["players", "0", "replacement"],
        json!("comet_grape"),
        "players[0].replacement: not a card that may take the place",
    );
    inside(&json, &["shippers"], json!([]), "players[0].");
    inside(&json, &["shipped"], json!([0]), "shipped: a player who has placed no replacement");
    play(&mut env, 0, "slime_mold");
    let json = seen(&env, None);
    load(&json!({}), &json, 1);
    inside(&json, &["shipped"], json!([]), "unfinished");
    inside(&json, &["players", "0", "claim"], json!("bug_report"), "unfinished");
    inside(&json, &["phase"], json!("replant"), "phase: nobody has replant picks left");
    inside(&json, &["phase"], json!("end"), "pile: the game ends with an empty pile");
    inside(&json, &["phase"], json!("refill"), "players[1].hand: all hands are empty in this phase");
}

/// The last turn of a game: player 0 has shipped a pair that meets Buried Treasure, player 1 has failed to ship and keeps Silver
/// Fern; the rows of the others meet no badge.
fn last_turn(options: &Value) -> Env<Graft> {
    let mut position = Position::of(3, 2)
        .badges(NEAR)
        .pile(0)
        .row(0, "pig_iron")
        .hand(0, "slime_mold sporebloom")
        .row(1, "truffle")
        .hand(1, "silver_fern lantern_moss")
        .row(2, "sun_melon")
        .hand(2, "honeybug moonberry");
    for (name, value) in options.as_object().unwrap() {
        position = position.option(name, value.clone());
    }
    let mut env = position.load();
    act(&mut env, 0, SHIP);
    act(&mut env, 1, SHIP);
    play(&mut env, 2, "honeybug");
    play(&mut env, 0, "slime_mold");
    play(&mut env, 1, "silver_fern");
    assert_eq!(acting(&env), [0], "player 0 may claim");
    env
}

#[test]
fn gr_r23_f_g_a_claim_of_the_last_turn_is_met_by_the_last_row() {
    let mut env = last_turn(&json!({}));
    act(&mut env, 0, CLAIM + 4);
    assert_eq!(env.status(), Status::Terminated);
    let json = seen(&env, None);
    assert_eq!(json["taken"], json!([]), "claimed in this turn");
    load(&json!({}), &json, 1);
    // The pair lies in an earlier row, and what was completed last meets nothing: claimed before, it is taken.
    let mut json = json;
    let rows = json["players"][0]["completed"].as_array_mut().unwrap();
    rows.rotate_right(1);
    let with = |json: &Value, taken: Value| {
        let mut json = json.clone();
        json["taken"] = taken;
        json
    };
    load(&json!({}), &with(&json, json!(["buried_treasure"])), 1);
    let said = refused(&json!({}), &with(&json, json!([])));
    assert!(
        said.contains("players[0].claims: not each badge is met by a completed row of its own"),
        "{said}"
    );
    // The last row meets it, and it was claimed before: only the low value can come of that row.
    rows_back(&mut json);
    let said = refused(&json!({}), &with(&json, json!(["buried_treasure"])));
    assert!(said.contains("players[0].claims: not each badge"), "{said}");
}

/// The first completed row of player 0 to the end.
fn rows_back(json: &mut Value) {
    json["players"][0]["completed"].as_array_mut().unwrap().rotate_left(1);
}

#[test]
fn gr_r23_g_who_has_failed_to_ship_at_the_end_and_may_claim() {
    for phase in ["claim", "end"] {
        let mut env = last_turn(&json!({"end_of_game_claims": false}));
        if phase == "end" {
            act(&mut env, 0, CLAIM + 4);
        }
        let options = json!({"end_of_game_claims": false});
        let json = seen(&env, None);
        assert_eq!((json["phase"].clone(), json["shipped"].clone()), (json!(phase), json!([0])));
        load(&options, &json, 1);
        // Player 0 shipped: its row holds two cards without a Replant, so it cannot be a failed ship.
        let mut wrong = json.clone();
        wrong["shipped"] = json!([]);
        wrong["players"][0]["claims"] = json!({});
        wrong.as_object_mut().unwrap().remove("unfinished");
        let said = refused(&options, &wrong);
        let failed =
            "players[0].completed: a failed ship starts a new row, and the old one is in the compost";
        assert!(said.contains(failed), "{phase}: {said}");
        // Player 1 failed. With nothing in its compost that forbids Silver Fern it cannot have.
        let mut wrong = json.clone();
        let player = &mut wrong["players"][1];
        assert_eq!(player["compost"], json!({"truffle": 1}));
        let last = player["completed"].as_array().unwrap().len() - 2;
        let other = player["completed"][last][0].take();
        player["completed"][last][0] = json!("truffle");
        player["compost"] = json!({other.as_str().unwrap(): 1});
        let said = refused(&options, &wrong);
        assert!(said.contains(&failed.replace("[0]", "[1]")), "{phase}: {said}");
        // It has shipped nothing, so it has claimed nothing in this turn.
        if phase == "end" {
            let mut wrong = json.clone();
            wrong["players"][2]["claims"] = json!({"buried_treasure": 5});
            let said = refused(&options, &wrong);
            assert!(said.contains("players[2].claims: not each badge"), "{said}");
        }
    }
}

#[test]
fn gr_r23_h_what_is_known_must_be_in_the_hand() {
    let good = Position::of(3, 3).hand(1, "moonberry moonberry geode").known(1, 0, "moonberry geode");
    let env = good.load();
    assert_eq!(seen(&env, Some(0))["players"][1]["known"], json!(["moonberry", "geode"]));
    assert_eq!(seen(&env, Some(2))["players"][1]["known"], json!([]), "nothing said: it knows nothing");
    let bad = Position::of(3, 3).hand(1, "moonberry geode sun_melon").known(1, 0, "moonberry moonberry");
    bad.refuses("players[1].known.0[1]: `moonberry` is not in the hand so often");
    let bad = good.overwrite("players.1.known", json!({"1": ["geode"]}));
    bad.refuses("players[1].known.1: names no other player");
}

#[test]
fn gr_r23_loading_goes_on_until_somebody_must_choose() {
    // A ship card with one possible replacement: nobody decides, and the turn goes on.
    let mut env = Position::of(3, 2).row(0, "honeybug").hand(0, "sun_melon geode").load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    let mut json = seen(&env, None);
    assert_eq!((json["phase"].clone(), acting(&env)), (json!("replace"), vec![0]));
    // The Geode changes places with a Ration of the pile.
    json["players"][0]["hand"] = json!(["sun_melon", "packed_lunch"]);
    json["pile"]["geode"] = 1.into();
    json["pile"].as_object_mut().unwrap().remove("packed_lunch");
    let chooser = load(&json!({}), &json, 1);
    assert_eq!(
        (acting(&chooser), legal_of(&chooser, 0)),
        (vec![0], vec![3]),
        "the player whom the document names must decide"
    );
    json.as_object_mut().unwrap().remove("unfinished");
    let went_on = load(&json!({}), &json, 1);
    assert_eq!((acting(&went_on), hand(&went_on, 0).len()), (vec![0, 1, 2], 5));
    assert!(row(&went_on, 0).is_empty());
}

#[test]
fn gr_r23_all_reasons_come_at_once() {
    let json = json!({"turn": "x", "badges": 3, "players": [{"hand": []}], "colour": 1});
    let said = refused(&json!({}), &json);
    for part in [
        "turn:",
        "badges:",
        "pile: missing",
        "players[0]: `row` is missing",
        "players[0]: `compost` is missing",
        "colour: unknown field",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn what_follows_may_be_given_and_must_agree() {
    let env = plain().load();
    let json = seen(&env, None);
    inside(&json, &["players", "0", "points"], json!(99), "players[0].points");
    inside(&json, &["players", "0", "row_score"], json!(99), "players[0].row_score");
    inside(&json, &["players", "0", "forbidden"], json!(["ore"]), "players[0].forbidden");
}

#[test]
fn a_finished_game_is_loaded_as_one() {
    let mut env = Position::of(3, 1).pile(0).load();
    others_play(&mut env);
    assert_eq!(env.status(), Status::Terminated);
    let again = load(&json!({}), &seen(&env, None), 1);
    assert_eq!((again.status(), again.state()), (Status::Terminated, env.state()));
    assert_eq!(
        configured(&json!({})).game.winners(again.state()),
        env.configured().game.winners(env.state())
    );
    assert!(!env.configured().game.winners(env.state()).contains(Player(5)));
}

/// Places whose mutants can be accepted. Everywhere else every mutant is refused.
const REACHED: &[Reached] = &[
    ("phase", fits_both, "at the border of two phases the cards fit both"),
    ("players[].chosen", chooses, "a player may have chosen or not"),
    ("players[].chosen[]", chooses, "another card of the hand may have been chosen"),
    ("players[].known[]", knows, "what is known comes from turns that a position does not hold"),
    ("players[].known[][]", knows, "what is known comes from turns that a position does not hold"),
    ("players[].take_bar", chooses, "a player with a bar on the row may take it back or not"),
];

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect()
}

/// Nobody has replant picks left, and nothing waits or lies face down: only who shipped and who claims distinguishes such phases.
fn fits_both(json: &Value) -> bool {
    let mut players = json["players"].as_array().unwrap().iter();
    players.all(|player| player["picks"] == 0 && player["waiting"].is_null() && player["chosen"] == json!([]))
}

/// Before the reveal everybody has chosen at most one card of the hand, or two with the bar at the end of the row.
fn chooses(json: &Value) -> bool {
    let fits = |player: &Value| {
        let (hand, mut chosen) = (texts(&player["hand"]), texts(&player["chosen"]));
        let has_bar = player["take_bar"] == true;
        let is_bar = |id: &&str| *id == "energy_bar";
        let mut held: Vec<&str> = hand.into_iter().chain(has_bar.then_some("energy_bar")).collect();
        chosen.retain(|id| *id != "ship");
        let are_held = chosen.iter().all(|id| {
            let place = held.iter().position(|held| held == id);
            place.map(|place| held.remove(place)).is_some()
        });
        let ends_in_bar = texts(&player["row"]).last().is_some_and(is_bar);
        are_held && (!has_bar || ends_in_bar) && texts(&player["chosen"]).len() <= 1 + usize::from(has_bar)
    };
    json["phase"] == "choose" && json["players"].as_array().unwrap().iter().all(fits)
}

/// What another player knows of a hand is in it.
fn knows(json: &Value) -> bool {
    let fits = |player: &Value| {
        let count = |list: &Value, id: &str| texts(list).into_iter().filter(|other| *other == id).count();
        let is_held =
            |list: &Value| texts(list).iter().all(|id| count(list, id) <= count(&player["hand"], id));
        player["known"].as_object().unwrap().values().all(is_held)
    };
    json["players"].as_array().unwrap().iter().all(fits)
}

#[test]
fn gr_r23_positions_that_differ_in_one_place_are_refused_or_reached() {
    let maps = ["pile", "out", "compost", "claims"];
    let words =
        ["comet_grape", "sun_melon", "energy_bar", "honeybug", "geode", "ship", "choose", "replace", "claim"];
    let (mut sweep, mut seen) = (Sweep::new(&maps, &words), BTreeSet::new());
    for players in [2, 3, 5] {
        for seed in 0..6 {
            visit(&json!({"players": players}), seed, 30, |game, s| {
                // The first of each kind of moment.
                let claims = s.claims.iter().flatten().filter(|&&value| value != 0).count().min(2);
                let bars = s.bars.len().min(1);
                let chosen = s.acting.len() < players;
                let moment = (
                    players,
                    s.phase as u8,
                    s.shippers.len(),
                    s.shipped.len(),
                    s.replaced.len(),
                    claims,
                    bars,
                    chosen,
                );
                if !seen.insert(moment) {
                    return;
                }
                let mut json = game.describe(s, None);
                // What follows would refuse every change.
                for name in ["shippers", "shipped", "replaced", "unfinished"] {
                    json.as_object_mut().unwrap().remove(name);
                }
                for player in json["players"].as_array_mut().unwrap() {
                    for name in ["forbidden", "row_score", "row_badges", "points"] {
                        player.as_object_mut().unwrap().remove(name);
                    }
                }
                sweep.try_mutants(game, &json);
            });
        }
    }
    sweep.finish(REACHED, 20_000);
}
