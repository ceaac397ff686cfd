//! Drawing: which placements are legal and what they fill; Nexus and Desolation squares.

use crate::fixture::{
    Position, Rows, acting, blank, configured, event_names, full_but, legal_of, legal_texts_of, over, play,
    rows_of, score, seen, sheet, squares_of,
};
use playmat_core::env::Env;
use playmat_core::game::Game;
use playmat_core::prelude::{Player, Rng};
use playmat_graphia::Graphia;
use playmat_graphia::board::Cell;
use serde_json::json;
use std::collections::BTreeSet;

/// The default shapes as printed.
const SHAPES: [(&str, &str); 7] = [
    ("I", "####"),
    ("O", "##/##"),
    ("T", ".#./###"),
    ("S", ".##/##."),
    ("Z", "##./.##"),
    ("J", "#../###"),
    ("L", "..#/###"),
];

/// A quarter turn clockwise.
fn turned(shape: &[Vec<char>]) -> Vec<Vec<char>> {
    (0..shape[0].len()).map(|c| shape.iter().rev().map(|row| row[c]).collect()).collect()
}

/// The slow twin of the legal placements: every turn, every corner, square by square. `PLACE` numbers without the
/// kinds.
fn slow_places(shape: &str, rows: &Rows, number: usize) -> BTreeSet<u16> {
    let mut shape: Vec<Vec<char>> = shape.split('/').map(|row| row.chars().collect()).collect();
    let (mut places, mut seen) = (BTreeSet::new(), Vec::new());
    for turn in 0..4 {
        if seen.contains(&shape) {
            break;
        }
        for corner in 0..144 {
            let squares: Vec<(usize, usize)> = (0..shape.len())
                .flat_map(|r| (0..shape[0].len()).map(move |c| (r, c)))
                .filter(|&(r, c)| shape[r][c] == '#')
                .map(|(r, c)| (corner / 12 + r + 1, corner % 12 + c + 1))
                .collect();
            let open =
                |&(r, c): &(usize, usize)| r <= 12 && c <= 12 && rows[r - 1].chars().nth(c - 1) == Some('.');
            if squares.iter().all(open) && squares.iter().any(|&(r, c)| r == number || c == number) {
                places.insert((144 * turn + corner) as u16);
            }
        }
        seen.push(shape.clone());
        shape = turned(&shape);
    }
    places
}

/// The round's placements for one shape, on a sheet of one player of two, whose other sheet is the same.
fn position_for(shape: &str, rows: &Rows, number: usize) -> Option<Env<Graphia>> {
    let position = Position::of(2, "Forest", number).pair(shape, shape);
    let position = position.set("shapes_left", json!({"T": 0})).sheet(0, rows.clone()).sheet(1, rows.clone());
    // A deck of its own, in which every kind comes twice.
    let content: String = SHAPES
        .iter()
        .map(|(id, shape)| {
            let rows: Vec<_> = shape.split('/').collect();
            format!("[[polyomino]]\nid = \"{id}\"\ncopies = 2\nrows = {rows:?}\n")
        })
        .collect();
    let position = position.option("content", format!("name = \"graphia\"\n{content}"));
    let env = position.load();
    (seen(&env, None)["terrain"] == "Forest" && seen(&env, None)["phase"] == "place").then_some(env)
}

fn places(env: &Env<Graphia>) -> BTreeSet<u16> {
    legal_of(env, 0).into_iter().map(|action| action - 7).collect()
}

#[test]
fn gg_r3_r3b_legal_placements_are_those_found_square_by_square() {
    let mut rng = Rng::from_seed(4);
    let mut compared = 0;
    for round in 0..30 {
        // More and more squares filled.
        let taken: Vec<(usize, usize)> =
            (0..144).filter(|_| rng.below(60) < round).map(|cell| (cell / 12 + 1, cell % 12 + 1)).collect();
        let rows = sheet(&[('M', &taken)]);
        let number = 1 + rng.below(12) as usize;
        for (id, shape) in SHAPES {
            let slow = slow_places(shape, &rows, number);
            // With fewer than two nobody decides.
            if slow.len() >= 2 {
                let env = position_for(id, &rows, number).expect("somebody must decide");
                assert_eq!(places(&env), slow, "{id} {number} {rows:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn gg_r3_each_player_fills_the_squares_with_the_rounds_terrain() {
    let mut env = Position::of(2, "Tundra", 4).pair("I", "O").load();
    play(&mut env, &["shape O", "shape O", "place turned 0 at (3,7)", "place turned 0 at (4,4)"]);
    assert_eq!(rows_of(&env, 0), sheet(&[('T', &[(3, 7), (3, 8), (4, 7), (4, 8)])]));
    assert_eq!(rows_of(&env, 1), sheet(&[('T', &[(4, 4), (4, 5), (5, 4), (5, 5)])]));
}

/// GG-Q15.
#[test]
fn gg_r3a_q15_shapes_turn_but_never_flip() {
    // A hole that only an L fits, as it is in one of its turns.
    let hole = [(5, 5), (6, 5), (7, 5), (7, 6)];
    let load = |first: &str, second: &str| {
        Position::of(1, "Forest", 6)
            .pair(first, second)
            .sheet(0, full_but(&hole))
            .set("terrain_left", json!([]))
            .load()
    };
    assert_eq!(squares_of(&rows_of(&load("J", "L"), 0), 'F'), hole);
    assert!(seen(&load("J", "S"), None)["phase"] == "end");
    // All four turns of the T on the empty sheet.
    let env = position_for("T", &blank(), 6).unwrap();
    for turn in 0..4 {
        assert!(places(&env).iter().any(|place| place / 144 == turn), "turn {turn}");
    }
}

/// GG-R3b.
#[test]
fn gg_r3b_squares_lie_on_the_sheet_and_were_empty() {
    let env = position_for("I", &blank(), 1).unwrap();
    assert!(legal_texts_of(&env, 0).contains(&"place I turned 0 at (1,9) as Forest".into()));
    assert!(!legal_texts_of(&env, 0).iter().any(|text| text.contains("turned 0 at (1,10)")));
    let env = position_for("I", &sheet(&[('M', &[(1, 12)])]), 1).unwrap();
    assert!(!legal_texts_of(&env, 0).iter().any(|text| text.contains("turned 0 at (1,9)")));
}

#[test]
fn gg_r3c_one_square_in_the_row_or_the_column_suffices() {
    let env = position_for("O", &blank(), 7).unwrap();
    let texts = legal_texts_of(&env, 0);
    let has = |square: &str| texts.contains(&format!("place O turned 0 at {square} as Forest"));
    assert!(has("(6,1)") && has("(7,1)") && has("(1,6)") && has("(1,7)"));
    assert!(!has("(8,1)") && !has("(5,1)") && !has("(1,8)") && !has("(5,5)"));
}

/// GG-Q16, GG-R3d.
#[test]
fn gg_r3d_q16_drawings_need_not_touch_anything() {
    let mut env = Position::of(1, "Forest", 12).pair("O", "O").option("content", TWO_OF_EACH).load();
    play(&mut env, &["place turned 0 at (11,1)"]);
    assert_eq!(squares_of(&rows_of(&env, 0), 'F').len(), 4);
    let far = Position::of(1, "Forest", 12)
        .pair("O", "O")
        .option("content", TWO_OF_EACH)
        .sheet(0, sheet(&[('F', &[(1, 1)]), ('M', &[(1, 5)])]))
        .load();
    assert_eq!(legal_texts_of(&far, 0).len(), 21, "as many as on an empty sheet");
}

/// Two kinds, two cards each.
const TWO_OF_EACH: &str = "name = \"graphia\"\n\
    [[polyomino]]\nid = \"O\"\ncopies = 2\nrows = [\"##\", \"##\"]\n\
    [[polyomino]]\nid = \"I\"\ncopies = 2\nrows = [\"####\"]\n";

#[test]
fn gg_r3e_players_choose_different_shapes_of_the_pair() {
    let mut env = Position::of(2, "Farm", 5).pair("I", "O").load();
    play(&mut env, &["shape I", "shape O", "place turned 0 at (5,1)", "place turned 0 at (5,1)"]);
    assert_eq!(squares_of(&rows_of(&env, 0), 'A'), [(5, 1), (5, 2), (5, 3), (5, 4)]);
    assert_eq!(squares_of(&rows_of(&env, 1), 'A'), [(5, 1), (5, 2), (6, 1), (6, 2)]);
}

/// GG-R3f.
#[test]
fn gg_r3f_what_is_drawn_stays() {
    let configured = configured(&json!({"players": 2}));
    for seed in 0..5 {
        let mut env = Env::new(configured.clone(), seed);
        let mut before = [blank(), blank()];
        while let Some(player) = env.current_player() {
            let action = env.sample_action(player).unwrap();
            env.step(action.0.into()).unwrap();
            for (player, before) in before.iter_mut().enumerate() {
                let now = rows_of(&env, player);
                for (old, new) in before.join("").chars().zip(now.join("").chars()) {
                    assert!(old == '.' || old == new || new == 'O', "{old} became {new}");
                }
                *before = now;
            }
        }
    }
}

/// GG-Q17.
#[test]
fn gg_r4_q17_a_nexus_goes_on_any_empty_square_of_the_line() {
    let ground = sheet(&[('M', &[(4, 1), (9, 4)])]);
    let mut env = Position::of(1, "Nexus", 4).sheet(0, ground.clone()).load();
    let expected: BTreeSet<String> = (1..=12)
        .flat_map(|i| [format!("nexus at (4,{i})"), format!("nexus at ({i},4)")])
        .filter(|text| !["nexus at (4,1)", "nexus at (9,4)"].contains(&text.as_str()))
        .collect();
    assert_eq!(legal_texts_of(&env, 0).into_iter().collect::<BTreeSet<_>>(), expected);
    play(&mut env, &["nexus at (12,4)"]);
    assert_eq!(rows_of(&env, 0), over(ground, &[('X', &[(12, 4)])]));
}

/// GG-Q8.
#[test]
fn gg_r5_q8_a_desolation_lies_on_every_sheet_and_nobody_decides() {
    let env = Position::of(3, "Desolation", 7)
        .sheet(1, sheet(&[('F', &[(7, 7), (7, 8)])]))
        .sheet(2, sheet(&[('X', &[(7, 7)])]))
        .load();
    assert_eq!(seen(&env, None)["terrain"], "Forest", "the next round");
    assert_eq!(rows_of(&env, 0), sheet(&[('O', &[(7, 7)])]));
    assert_eq!(rows_of(&env, 1), sheet(&[('O', &[(7, 7)]), ('F', &[(7, 8)])]));
    assert_eq!(rows_of(&env, 2), sheet(&[('O', &[(7, 7)])]));
}

#[test]
fn gg_r5a_desolations_lie_on_the_diagonal() {
    for n in 1..=12 {
        let env = Position::of(1, "Desolation", n).load();
        assert_eq!(squares_of(&rows_of(&env, 0), 'O'), [(n, n)]);
        assert_eq!(seen(&env, None)["desolations_used"], json!([n]));
    }
}

/// GG-Q21.
#[test]
fn gg_r5b_q21_a_number_is_new_only_if_no_desolation_used_it() {
    // Eleven are used; the twelfth was rolled in the running round, for a mountain.
    let used: Vec<usize> = (1..=12).filter(|&n| n != 7).collect();
    let diagonal: Vec<_> = used.iter().map(|&n| (n, n)).collect();
    for seed in 0..10 {
        let mut env = Position::of(1, "Mountain", 7)
            .pair("I", "I")
            .option("content", TWO_OF_EACH)
            .set("desolations_used", used.clone())
            .set("terrain_left", json!(["Desolation"]))
            .sheet(0, sheet(&[('O', &diagonal)]))
            .load_with(seed);
        play(&mut env, &["place turned 0 at (7,8)"]);
        assert_eq!(squares_of(&rows_of(&env, 0), 'O').len(), 12);
        assert_eq!(seen(&env, None)["desolations_used"], json!((1..=12).collect::<Vec<_>>()));
    }
}

#[test]
fn gg_r5c_e4_what_was_overwritten_counts_for_nothing() {
    // Before: mountain through (5,5) alone, forest through both.
    let before = sheet(&[('X', &[(5, 5), (9, 9)]), ('M', &[(1, 1), (5, 6)]), ('F', &[(5, 4), (9, 8)])]);
    assert_eq!(score(&json!({}), &before), "1 0 0 0 0 0 3 / 1 1 0 0 0 0 = 6");
    let env = Position::of(1, "Desolation", 5).sheet(0, before).load();
    let scores = &seen(&env, None)["scores"][0];
    assert_eq!(scores["touches_nexus"], json!(["Forest"]));
    assert_eq!((&scores["points"]["Nexus"], &scores["points"]["Mountain"]), (&json!(1), &json!(0)));
    // A square of the six: the crossing, the group, the farm next to it.
    let river: Vec<_> = (1..=12).map(|c| (6, c)).collect();
    let board = sheet(&[('R', &river), ('A', &[(5, 6)]), ('X', &[(7, 6)])]);
    let options = json!({"nexus_gate": "group"});
    assert_eq!(score(&options, &board), "0 0 12 0 0 1 1 / 0 0 12 0 0 0 = 26");
    let env = Position::of(1, "Desolation", 6).option("nexus_gate", "group").sheet(0, board).load();
    assert_eq!(env.scores()[0], 0);
}

#[test]
fn gg_r5d_an_empty_square_is_filled_and_never_drawn_over() {
    let mut env = Position::of(1, "Desolation", 3).set("terrain_left", json!(["Nexus"])).load();
    assert_eq!(seen(&env, None)["scores"][0]["empty"], 143);
    let first = legal_texts_of(&env, 0)[0].clone();
    play(&mut env, &[&first]);
    let env = position_for("I", &blank(), 3).unwrap();
    assert_eq!(legal_texts_of(&env, 0).len(), 84);
    let blocked = Position::of(2, "Forest", 3)
        .pair("I", "I")
        .option("content", TWO_OF_EACH)
        .set("desolations_used", json!([3]))
        .sheet(0, sheet(&[('O', &[(3, 3)])]))
        .sheet(1, sheet(&[('O', &[(3, 3)])]))
        .load();
    // Two times three placements go through (3,3): lying and standing.
    assert_eq!(legal_texts_of(&blocked, 0).len(), 84 - 6);
}

#[test]
fn gg_e1_the_i_on_line_seven() {
    let env = position_for("I", &blank(), 7).unwrap();
    let places = places(&env);
    assert_eq!(places.len(), 106);
    assert_eq!(places.iter().filter(|&&place| place < 144).count(), 53);
    assert_eq!(places.iter().filter(|&&place| (72..84).contains(&place)).count(), 9, "in row 7");
}

#[test]
fn gg_e2_the_o_on_line_one() {
    let places = places(&position_for("O", &blank(), 1).unwrap());
    assert_eq!(places.len(), 21);
    assert_eq!(places.iter().filter(|&&place| place < 12).count(), 11);
    assert_eq!(places.iter().filter(|&&place| place % 12 == 0).count(), 11);
}

#[test]
fn gg_r3_e12_placements_on_an_empty_sheet_by_number() {
    let counts = [
        [40, 21, 80, 40, 40, 80, 80],
        [62, 40, 152, 76, 76, 152, 152],
        [84, 40, 188, 94, 94, 188, 188],
        [106, 40, 188, 94, 94, 188, 188],
    ];
    for n in 1..=12usize {
        let row = counts[(n.min(13 - n) - 1).min(3)];
        for ((id, _), count) in SHAPES.iter().zip(row) {
            assert_eq!(places(&position_for(id, &blank(), n).unwrap()).len(), count, "{id} {n}");
        }
    }
    // Over all numbers every placement of a shape is legal at least once: 2097 in all.
    let all: usize = SHAPES
        .iter()
        .map(|(id, _)| {
            let of_number = |n| places(&position_for(id, &blank(), n).unwrap());
            (1..=12).flat_map(of_number).collect::<BTreeSet<_>>().len()
        })
        .sum();
    assert_eq!(all, 2097);
}

#[test]
fn gg_e13_action_numbers_and_the_squares_they_fill() {
    let mut env = Position::of(1, "Forest", 6).pair("T", "T").load();
    assert!(legal_of(&env, 0).contains(&501));
    assert_eq!(env.action_text(Some(Player(0)), 501).unwrap(), "place T turned 3 at (6,3) as Forest");
    env.step(501).unwrap();
    assert_eq!(squares_of(&rows_of(&env, 0), 'F'), [(6, 4), (7, 3), (7, 4), (8, 4)]);
    let mut env = Position::of(1, "Forest", 9).pair("L", "I").load();
    play(&mut env, &["shape L"]);
    env.step(380).unwrap();
    assert_eq!(squares_of(&rows_of(&env, 0), 'F'), [(8, 2), (8, 3), (8, 4), (9, 2)]);
    let mut env = Position::of(1, "Nexus", 4).load();
    env.step(54).unwrap();
    assert_eq!(squares_of(&rows_of(&env, 0), 'X'), [(4, 12)]);
    assert_eq!(env.info().num_actions, 583);
}

/// The four squares that are left.
const LEFT: [(usize, usize); 4] = [(3, 5), (3, 6), (3, 7), (4, 6)];

#[test]
fn gg_r6_r7_e14_the_last_four_squares() {
    for n in 1..=12 {
        let env = Position::of(1, "Mountain", n).pair("T", "S").sheet(0, full_but(&LEFT)).load();
        let drawn = squares_of(&rows_of(&env, 0), 'M');
        if (3..=7).contains(&n) {
            assert_eq!(drawn, LEFT, "{n}");
        } else {
            assert!(drawn.is_empty(), "{n}");
            assert_eq!(squares_of(&rows_of(&env, 0), '.'), LEFT);
        }
        assert!(acting(&env).is_empty(), "the game is over");
    }
}

#[test]
fn gg_e17_a_single_placement_of_a_chosen_shape_is_a_decision_among_several() {
    let open: Vec<_> = LEFT.into_iter().chain([(9, 2), (9, 3), (10, 2), (10, 3)]).collect();
    let load = |players: usize| {
        let mut position = Position::of(players, "Forest", 3).pair("T", "O");
        for player in 0..players {
            position = position.sheet(player, full_but(&open));
        }
        position.load()
    };
    let mut alone = load(1);
    assert_eq!(legal_of(&alone, 0), [1, 2]);
    play(&mut alone, &["shape T"]);
    assert_eq!(event_names(&alone, None)[..2], ["shape_chosen", "drawn"]);
    assert_eq!(squares_of(&rows_of(&alone, 0), 'F'), LEFT);
    let mut two = load(2);
    assert_eq!(legal_of(&two, 0), [1, 2]);
    play(&mut two, &["shape T", "shape O"]);
    assert_eq!(acting(&two), [0, 1]);
    assert_eq!((legal_of(&two, 0), legal_of(&two, 1)), (vec![323], vec![104]));
}

#[test]
fn every_placement_fills_exactly_the_squares_of_its_shape() {
    let configured = configured(&json!({"players": 1}));
    for (kind, shape) in configured.game.shapes().iter().enumerate() {
        assert_eq!((shape.id.as_str(), shape.squares), (SHAPES[kind].0, 4));
        let mut grid: Vec<Vec<char>> = SHAPES[kind].1.split('/').map(|row| row.chars().collect()).collect();
        for turn in 0..shape.turns {
            let cells: Vec<usize> = shape.squares_at(turn, 0).iter().map(Cell::index).collect();
            let expected: Vec<usize> = (0..grid.len())
                .flat_map(|r| (0..grid[0].len()).map(move |c| (r, c)))
                .filter(|&(r, c)| grid[r][c] == '#')
                .map(|(r, c)| 12 * r + c)
                .collect();
            assert_eq!(cells, expected, "{} {turn}", shape.id);
            grid = turned(&grid);
        }
    }
    assert_eq!(configured.game.info().num_actions, 7 + 576);
}
