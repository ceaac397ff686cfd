//! Positions from outside: what is accepted, what follows from it, what is refused and why.

use crate::fixture::{
    Position, acting, blank, configured, full_but, legal_of, over, play, rows_of, seen, sheet,
};
use playmat_conformance::testing::mutants::{Reached, Sweep, always};
use playmat_conformance::testing::{comes_back, every_position, refused_for};
use playmat_core::env::Env;
use playmat_core::game::Status;
use playmat_core::prelude::Show;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A round in which everybody chooses a shape.
fn good() -> Position {
    Position::of(2, "Mountain", 6).pair("I", "O")
}

/// Asserts that a position is refused for these reasons, and for nothing else.
#[track_caller]
fn check(position: &Position, expected: &[&str]) {
    refused_for(&position.refused(), expected);
}

#[test]
fn gg_r21_every_position_of_a_game_comes_back_as_it_was() {
    for players in [1, 2, 5] {
        let configured = configured(&json!({"players": players}));
        every_position(&configured, 0..3, |env| comes_back(&*configured.game, env.state()));
    }
}

#[test]
fn gg_r21_phase_and_who_must_decide_follow_from_the_rest() {
    let env = good().load();
    assert_eq!((&seen(&env, None)["phase"], acting(&env)), (&json!("shape"), vec![0, 1]));
    let chosen = |choices: Value| good().set("choices", choices).load();
    let env = chosen(json!([{"shape": "I"}, {}]));
    assert_eq!((&seen(&env, None)["phase"], acting(&env)), (&json!("shape"), vec![1]));
    let env = chosen(json!([{"shape": "I"}, {"shape": "O"}]));
    assert_eq!((&seen(&env, None)["phase"], acting(&env)), (&json!("place"), vec![0, 1]));
    let place = json!({"turn": 0, "row": 6, "column": 1});
    let env = chosen(json!([{"shape": "I", "place": place}, {"shape": "O"}]));
    assert_eq!((&seen(&env, None)["phase"], acting(&env)), (&json!("place"), vec![1]));
    assert_eq!(rows_of(&env, 0), blank());
    // All choices there: the round is revealed and the next one begins.
    let env = chosen(json!([{"shape": "I", "place": place}, {"shape": "O", "place": place}]));
    assert_eq!(rows_of(&env, 0), sheet(&[('M', &[(6, 1), (6, 2), (6, 3), (6, 4)])]));
    assert_eq!(rows_of(&env, 1), sheet(&[('M', &[(6, 1), (6, 2), (7, 1), (7, 2)])]));
    assert_eq!(seen(&env, None)["round"], 6);
}

#[test]
fn gg_r21_loading_goes_on_until_somebody_must_choose() {
    // A Desolation, then the forest that is left.
    let env = Position::of(2, "Desolation", 3).load();
    assert_eq!((&seen(&env, None)["round"], &seen(&env, None)["terrain"]), (&json!(6), &json!("Forest")));
    // Forced drawings.
    let env = Position::of(1, "Nexus", 6).sheet(0, full_but(&[(6, 4)])).load();
    assert_eq!(rows_of(&env, 0), over(full_but(&[]), &[('X', &[(6, 4)])]));
    // The end.
    let env = Position::of(1, "Mountain", 6).pair("I", "O").sheet(0, full_but(&[])).load();
    assert_eq!(env.status(), Status::Terminated);
}

#[test]
fn gg_r21_the_round_stops_counting_at_9999() {
    let mut env = Position::of(1, "Nexus", 6).set("round", 9999).load();
    play(&mut env, &["nexus at (6,1)"]);
    assert_eq!(seen(&env, None)["round"], 9999);
    check(&good().set("round", 10_000), &["round: 10000; allowed: 1 to 9999"]);
    check(&good().set("round", 0), &["round: 0; allowed"]);
}

#[test]
fn gg_r21_what_follows_may_be_given_and_must_agree() {
    let whole = seen(&good().load(), None);
    let again = Position { json: whole.clone(), options: json!({"players": 2}) };
    assert_eq!(seen(&again.load(), None), whole);
    let wrong = |name: &str, value: Value, part: &str| {
        check(&good().set(name, value), &[&format!("{part}: leave it out, or give that")]);
    };
    wrong("phase", json!("nexus"), "phase: got \"nexus\"; what it follows from gives \"shape\"");
    wrong("deciders", json!([1]), "deciders: got [1]; what it follows from gives [0,1]");
    good().set("scores", json!([])).refuses("scores: got []; what it follows from gives [");
    // Of a long value the first place that differs is reported.
    let mut scores = whole["scores"].clone();
    scores[1]["total"] = json!(7);
    wrong("scores", scores, "scores[1].total: got 7; what it follows from gives 0");
}

#[test]
fn gg_r22_sheets_rows_and_letters() {
    check(&good().set("sheets", json!([blank()])), &["sheets: 1 entries for 2 players"]);
    check(&good().set("sheets", json!([blank(), blank(), blank()])), &["sheets: 3 entries"]);
    check(&good().sheet(1, vec![".".repeat(12); 11]), &["sheets[1]: 11 rows"]);
    check(&good().sheet(1, vec![".".repeat(12); 13]), &["sheets[1]: 13 rows"]);
    let mut rows = blank();
    rows[4] = ".".repeat(13);
    rows[6] = "....?..m....".into();
    let found =
        ["sheets[0][4]: 13 letters", "sheets[0][6]: `?` in column 5", "sheets[0][6]: `m` in column 8"];
    check(&good().sheet(0, rows), &found);
}

#[test]
fn gg_r22_desolations_off_the_diagonal_or_not_where_the_numbers_say() {
    let off = sheet(&[('O', &[(3, 4)])]);
    check(&good().sheet(0, off), &["sheets[0]: a Desolation at (3,4), off the diagonal"]);
    let unused = sheet(&[('O', &[(3, 3)])]);
    check(&good().sheet(1, unused.clone()), &["sheets[1]: a Desolation at (3,3) although 3 is not used"]);
    let missing = good().set("desolations_used", json!([3])).sheet(1, unused);
    check(&missing, &["sheets[0]: no Desolation at (3,3) although 3 is used"]);
}

#[test]
fn gg_r22_used_numbers_out_of_range_or_repeated() {
    let filled = sheet(&[('O', &[(3, 3)])]);
    let position = good().sheet(0, filled.clone()).sheet(1, filled);
    check(
        &position.clone().set("desolations_used", json!([3, 0, 13])),
        &["[1]: 0; allowed", "[2]: 13; allowed"],
    );
    check(&position.set("desolations_used", json!([3, 3])), &["desolations_used[1]: 3 is there twice"]);
}

#[test]
fn gg_r22_a_number_where_one_is_rolled_and_nowhere_else() {
    check(&good().set("number", Value::Null), &["number: missing"]);
    check(&good().set("number", 13), &["number: 13; allowed: 1 to 12"]);
    check(&good().set("number", 0), &["number: 0; allowed: 1 to 12"]);
    let diagonal: Vec<_> = (1..=12).map(|n| (n, n)).collect();
    let all = Position::of(1, "Desolation", 4)
        .sheet(0, sheet(&[('O', &diagonal)]))
        .set("desolations_used", json!((1..=12).collect::<Vec<_>>()));
    check(&all, &["number: nothing is rolled"]);
    check(&Position::of(1, "Desolation", Value::Null), &["number: missing"]);
}

#[test]
fn gg_r22_the_rounds_terrain_is_not_left_and_none_is_there_twice() {
    check(&good().set("terrain_left", json!(["Mountain"])), &["terrain_left: Mountain is this round's"]);
    check(
        &good().set("terrain_left", json!(["Farm", "Farm"])),
        &["terrain_left[1]: \"Farm\" is there twice"],
    );
    check(&good().set("terrain_left", json!(["farm"])), &["terrain_left[0]: no terrain is called `farm`"]);
    check(&good().set("terrain", "Sea"), &["terrain: no terrain is called `Sea`"]);
}

#[test]
fn gg_r22_more_cards_than_the_content_has() {
    check(&good().set("shapes_left", json!({"T": 3})), &["shapes_left.T: 3; allowed: 0 to 2"]);
    check(&good().set("shapes_left", json!({"I": 1})), &["shapes_left.I: 1 cards left; allowed: 0 to 0"]);
    check(&good().set("shapes_left", json!({"Z": -1})), &["shapes_left.Z: -1; allowed: 0 to "]);
    check(&good().set("shapes_left", json!({"Q": 1})), &["shapes_left.Q: no shape is called `Q`"]);
    check(&good().pair("T", "T").set("shapes_left", json!({"T": 1})), &["shapes_left.T: 1 cards left"]);
    let twice = "pair: `S` is shown twice; the content has 1 card";
    let shown = good().pair("S", "S");
    check(&shown, &[twice]);
    check(&shown.clone().set("shapes_left", json!({"S": 0})), &[twice]);
    let left = "shapes_left.S: 1 cards left; allowed: 0 to 0 (1 in the content, 2 shown)";
    check(&shown.set("shapes_left", json!({"S": 1})), &[twice, left]);
}

#[test]
fn gg_r22_a_pair_in_a_polyomino_round_and_nowhere_else() {
    check(&good().set("pair", Value::Null), &["pair: missing"]);
    check(&good().set("pair", json!(["I"])), &["pair: 1 shapes; two are shown"]);
    check(&good().pair("I", "W"), &["pair[1]: no shape is called `W`"]);
    check(&Position::of(1, "Nexus", 4).pair("I", "O"), &["pair: no shapes are shown"]);
    check(&Position::of(1, "Desolation", 4).pair("I", "O"), &["pair: no shapes are shown"]);
}

#[test]
fn gg_r22_a_desolation_round_whose_number_was_used() {
    let position = Position::of(1, "Desolation", 4)
        .sheet(0, sheet(&[('O', &[(4, 4)])]))
        .set("desolations_used", json!([4]));
    check(&position, &["number: 4 was used by an earlier Desolation"]);
}

#[test]
fn gg_r22_choices_that_are_not_legal() {
    let with = |choices: Value| good().set("choices", choices);
    let place = |row: u8, column: u8| json!({"turn": 0, "row": row, "column": column});
    check(&with(json!([{}])), &["choices: 1 entries for 2 players"]);
    check(&with(json!([{"shape": "T"}, {}])), &["choices[0].shape: `T` is not shown; allowed: `I`, `O`"]);
    check(&with(json!([{}, {"shape": "Y"}])), &["choices[1].shape: no shape is called `Y`"]);
    let early = with(json!([{"shape": "I", "place": place(6, 1)}, {}]));
    check(&early, &["choices[0].place: a player still has to choose a shape"]);
    let illegal = with(json!([{"shape": "I", "place": place(8, 1)}, {"shape": "O"}]));
    check(&illegal, &["choices[0].place: not a legal placement"]);
    let wild = json!({"turn": 4, "row": 0, "column": 13});
    let ranges = ["place.turn: 4; allowed: 0 to 3", "place.row: 0; allowed", "place.column: 13; allowed"];
    check(&with(json!([{"shape": "I", "place": wild}, {"shape": "O"}])), &ranges);
}

#[test]
fn gg_r22_choices_of_players_who_have_none() {
    let place = json!({"turn": 0, "row": 6, "column": 1});
    let nexus = Position::of(2, "Nexus", 6).set("choices", json!([{"shape": "I"}, {}]));
    check(&nexus, &["choices[0].shape: player 0 has no shape to choose"]);
    let skips = good().sheet(1, full_but(&[])).set("choices", json!([{}, {"shape": "I"}]));
    check(&skips, &["choices[1].shape: player 1 has no shape to choose"]);
    let forced = Position::of(2, "Nexus", 6)
        .sheet(1, full_but(&[(6, 1)]))
        .set("choices", json!([{}, {"place": place}]));
    check(&forced, &["choices[1].place: player 1 has no placement to choose"]);
    let without = good().set("choices", json!([{"shape": "I"}, {"place": place}]));
    check(&without, &["choices[1].place: a player still has to choose a shape"]);
}

#[test]
fn gg_r22_all_reasons_come_at_once() {
    let position = good()
        .set("round", -1)
        .set("number", 99)
        .set("terrain_left", json!(["Mountain"]))
        .set("shapes_left", json!({"T": 9}))
        .set("sheets", json!([blank()]));
    check(&position, &["round:", "number:", "terrain_left:", "shapes_left.T:", "sheets:"]);
    // Wrong types and names are reported with their path.
    good().set("round", "five").refuses("round: \"five\"; allowed: 1 to 9999");
    good().set("rounds", 5).refuses("rounds: unknown field (did you mean `round`?)");
    // A name that does not exist hides nothing else, neither what the cards nor what the laws of the game say.
    check(&good().set("rounds", 5).set("round", -1), &["rounds: unknown", "round: "]);
    check(
        &good().set("rounds", 5).set("shapes_left", json!({"T": 9})),
        &["rounds: unknown", "shapes_left.T:"],
    );
    let mut position =
        good().set("round", "five").set("number", json!([])).set("terrain_left", json!(["Farm", 3]));
    position.json.as_object_mut().unwrap().shift_remove("sheets");
    let parts = [
        "round: \"five\"; allowed",
        "number: []; allowed",
        "terrain_left[1]: got 3; expected a string",
        "sheets: missing",
    ];
    check(&position, &parts);
}

/// GG-R22a.
#[test]
fn gg_r22a_constructed_positions_load() {
    // A sheet that no cards can have made: round 1 with a full board of one terrain, on one sheet only.
    let env = good().set("round", 1).sheet(0, vec!["X".repeat(12); 12]).load();
    assert_eq!(acting(&env), [1]);
    // Shapes that no polyomino makes, a cycle that does not fit the round.
    let env = good().sheet(0, sheet(&[('R', &[(1, 1), (3, 3)])])).set("terrain_left", json!([])).load();
    assert_eq!(acting(&env), [0, 1]);
    assert!(legal_of(&env, 0) == [0, 1]);
}

/// Places whose mutants can be accepted. Everywhere else every mutant is refused.
const REACHED: &[Reached] = &[
    ("round", always, CONSTRUCTED),
    ("terrain", always, CONSTRUCTED),
    ("terrain_left", always, CONSTRUCTED),
    ("terrain_left[]", always, CONSTRUCTED),
    ("number", always, CONSTRUCTED),
    ("pair[]", always, CONSTRUCTED),
    ("shapes_left", always, CONSTRUCTED),
    ("shapes_left.*", always, CONSTRUCTED),
    ("sheets[][]", always, CONSTRUCTED),
    ("choices[].shape", always, "the other shape may have been chosen"),
    ("choices[].place.turn", always, "another legal placement may have been chosen"),
    ("choices[].place.row", always, "another legal placement may have been chosen"),
    ("choices[].place.column", always, "another legal placement may have been chosen"),
];
/// GG-R22a.
const CONSTRUCTED: &str = "constructed positions load: neither rounds nor sheets need to have come from play";

#[test]
fn gg_r22_positions_that_differ_in_one_place_are_refused_or_reached() {
    let words = [
        "Mountain",
        "Farm",
        "Nexus",
        "Desolation",
        "I",
        "O",
        "place",
        "shape",
        "............",
        "O...........",
    ];
    let (mut sweep, mut seen) = (Sweep::new(&["shapes_left"], &words), BTreeSet::new());
    for players in [1, 2, 4] {
        let configured = configured(&json!({"players": players}));
        for seed in 0..4 {
            let mut env = Env::new(configured.clone(), seed);
            loop {
                let s = env.state();
                // The first of each kind of moment.
                let terrain = s.terrain.map(playmat_graphia::state::Terrain::is_six);
                let moment = (
                    players,
                    s.phase as u8,
                    terrain,
                    s.deciders.len(),
                    s.acting.len(),
                    s.used.count_ones().min(2),
                );
                if seen.insert(moment) {
                    let mut json = configured.game.describe(s, None);
                    // What follows would refuse every change.
                    for name in ["phase", "deciders", "scores"] {
                        json.as_object_mut().unwrap().remove(name);
                    }
                    sweep.try_mutants(&*configured.game, &json);
                }
                let Some(player) = env.current_player() else { break };
                let action = env.sample_action(player).unwrap();
                env.step_player(player, action.0.into()).unwrap();
            }
        }
    }
    sweep.finish(REACHED, 10_000);
}
