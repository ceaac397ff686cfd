//! Score lines: terrain points, gates, groups, totals.

use crate::fixture::{Position, Rows, over, play, rows, score, seen, sheet, variants};
use serde_json::json;

/// The default reading.
fn plain(rows: &Rows) -> String {
    score(&json!({}), rows)
}

/// The sheet with every gate open: a terrain's points without its gate.
fn open(rows: &Rows) -> String {
    score(&json!({"nexus_gate": "group"}), rows)
}

const FRAME: [(usize, usize); 4] = [(1, 1), (1, 12), (12, 1), (12, 12)];

#[test]
fn gg_r8_every_border_square_of_mountain_scores_once() {
    assert_eq!(open(&sheet(&[('M', &FRAME)])), "4 0 0 0 0 0 0 / 0 0 0 0 0 0 = 4");
    assert_eq!(open(&sheet(&[('M', &[(2, 2), (2, 11), (11, 6)])])), "0 0 0 0 0 0 0 / 0 0 0 0 0 0 = 0");
    let line = "M".repeat(12);
    let inner = format!("M{}M", ".".repeat(10));
    let mut border = vec![inner; 12];
    border[0] = line.clone();
    border[11] = line;
    assert_eq!(open(&border), "44 0 0 0 0 0 0 / 0 0 0 0 0 0 = 44");
}

#[test]
fn gg_r9_a_block_needs_four_forests_and_gives_two_points_once() {
    let three = [(1, 1), (2, 2), (4, 4)];
    assert!(open(&sheet(&[('F', &three)])).starts_with("0 0 "));
    let four = [(1, 1), (2, 2), (4, 4), (1, 4)];
    assert!(open(&sheet(&[('F', &four)])).starts_with("0 2 "), "not connected, and enough");
    let nine: Vec<_> = (1..=3).flat_map(|r| (1..=3).map(move |c| (r, c))).collect();
    assert!(open(&sheet(&[('F', &nine)])).starts_with("0 2 "), "more give no more");
    let split = [(4, 4), (4, 5), (5, 4), (5, 5)];
    assert!(open(&sheet(&[('F', &split)])).starts_with("0 0 "), "four blocks are never added");
}

#[test]
fn gg_q1_all_nine_blocks_are_dark() {
    for block in 0..9 {
        let (top, left) = (4 * (block / 3), 4 * (block % 3));
        let squares = [(1, 1), (1, 4), (4, 1), (4, 4)].map(|(r, c)| (top + r, left + c));
        assert!(open(&sheet(&[('F', &squares)])).starts_with("0 2 "), "block {block}");
    }
    assert!(open(&vec!["F".repeat(12); 12]).starts_with("0 18 "));
}

/// A river in all of row 6.
fn river() -> Rows {
    over(sheet(&[]), &[('R', &(1..=12).map(|c| (6, c)).collect::<Vec<_>>())])
}

#[test]
fn gg_r10_a_river_from_side_to_side_scores_twelve() {
    assert!(open(&river()).starts_with("0 0 12 "));
    let down: Vec<_> = (1..=12).map(|r| (r, 3)).collect();
    assert!(open(&sheet(&[('R', &down)])).starts_with("0 0 12 "));
    assert!(open(&over(river(), &[('.', &[(6, 12)])])).starts_with("0 0 0 "), "one short");
    let bend: Vec<_> = (1..=12).map(|r| (r, 1)).chain((2..=11).map(|c| (1, c))).collect();
    assert!(open(&sheet(&[('R', &bend)])).starts_with("0 0 12 "));
    let corner: Vec<_> = (1..=11).map(|r| (r, 1)).chain((2..=11).map(|c| (1, c))).collect();
    assert!(open(&sheet(&[('R', &corner)])).starts_with("0 0 0 "), "neighbouring sides do not count");
}

/// GG-Q4, GG-Q20, GG-R10a.
#[test]
fn gg_r10a_q4_q20_any_group_bends_and_twelve_only_once() {
    // The crossing is 12 squares, another group 14.
    let other: Vec<_> = (1..=7).flat_map(|c| [(1, c), (2, c)]).collect();
    let text = open(&over(river(), &[('R', &other)]));
    assert!(text.starts_with("0 0 12 "), "{text}");
    let both = over(river(), &[('R', &(1..=12).map(|r| (r, 8)).collect::<Vec<_>>())]);
    assert!(open(&both).starts_with("0 0 12 "), "both ways");
    let steps: Vec<_> = (1..=11).flat_map(|i| [(i, i), (i, i + 1)]).chain([(12, 12)]).collect();
    assert!(open(&sheet(&[('R', &steps)])).starts_with("0 0 12 "), "stairs");
    let corners: Vec<_> = (1..=12).map(|i| (i, i)).collect();
    assert!(open(&sheet(&[('R', &corners)])).starts_with("0 0 0 "), "corners do not connect");
}

#[test]
fn gg_r11_a_desert_next_to_tundra_loses_a_point() {
    let text = plain(&sheet(&[('D', &[(5, 5), (5, 6), (8, 8)]), ('T', &[(5, 7), (9, 9)])]));
    assert_eq!(text, "0 0 0 -1 0 0 0 / 0 0 0 2 1 0 = 2");
}

#[test]
fn gg_r12_a_tundra_next_to_mountains_scores_once() {
    let text = open(&sheet(&[('T', &[(5, 5), (5, 6), (2, 2)]), ('M', &[(4, 5), (6, 5), (5, 4), (3, 3)])]));
    assert!(text.starts_with("0 0 0 0 1 0 0 "), "{text}");
}

#[test]
fn gg_r13_a_farm_next_to_rivers_scores_once() {
    let text = open(&sheet(&[('A', &[(5, 5), (5, 6), (2, 2)]), ('R', &[(4, 5), (6, 5), (5, 4), (3, 3)])]));
    assert!(text.starts_with("0 0 0 0 0 1 0 "), "{text}");
}

#[test]
fn gg_r14_e8_each_nexus_scores_its_different_neighbours() {
    let around: &[(char, &[(usize, usize)])] =
        &[('X', &[(2, 3)]), ('F', &[(1, 3), (2, 4)]), ('O', &[(2, 2)]), ('R', &[(3, 3)])];
    assert!(plain(&sheet(around)).starts_with("0 0 0 0 0 0 2 "));
    // One forest serves two; a Nexus beside a Nexus gives nothing.
    let text = plain(&sheet(&[('X', &[(5, 5), (5, 7), (4, 7)]), ('F', &[(5, 6)])]));
    assert!(text.starts_with("0 0 0 0 0 0 2 "), "{text}");
}

#[test]
fn gg_r15_a_terrain_that_touches_no_nexus_scores_no_points() {
    let farms: &[(char, &[(usize, usize)])] = &[('A', &[(5, 5), (5, 6)]), ('R', &[(4, 5), (4, 6)])];
    assert_eq!(plain(&sheet(farms)), "0 0 0 0 0 0 0 / 0 0 2 0 0 2 = 4");
    assert_eq!(plain(&over(sheet(farms), &[('X', &[(6, 6)])])), "0 0 0 0 0 2 1 / 0 0 2 0 0 2 = 7");
    assert_eq!(plain(&over(sheet(farms), &[('X', &[(3, 6)])])), "0 0 0 0 0 0 1 / 0 0 2 0 0 2 = 5");
}

/// GG-Q19.
#[test]
fn gg_r15a_q19_one_square_anywhere_opens_the_gate() {
    // The mountain beside the Nexus scores nothing itself and is in no large group.
    let squares: &[(char, &[(usize, usize)])] = &[('M', &[(1, 5), (1, 6), (7, 7)]), ('X', &[(7, 8)])];
    assert_eq!(plain(&sheet(squares)), "2 0 0 0 0 0 1 / 2 0 0 0 0 0 = 5");
}

#[test]
fn gg_r15b_q2_e9_which_lines_the_gate_closes() {
    let four = [(1, 1), (1, 2), (1, 3), (1, 4)];
    let (without, with) = (sheet(&[('M', &four)]), sheet(&[('M', &four), ('X', &[(2, 1)])]));
    for (gate, closed) in [("terrain", "0 / 4"), ("group", "4 / 0"), ("both", "0 / 0")] {
        let options = json!({"nexus_gate": gate});
        let (points, group) = closed.split_once(" / ").unwrap();
        let total = points.parse::<i32>().unwrap() + group.parse::<i32>().unwrap();
        let expected = format!("{points} 0 0 0 0 0 0 / {group} 0 0 0 0 0 = {total}");
        assert_eq!(score(&options, &without), expected, "{gate}");
        assert_eq!(score(&options, &with), "4 0 0 0 0 0 1 / 4 0 0 0 0 0 = 9", "{gate}");
    }
}

#[test]
fn gg_r16_lost_desert_points_and_nexus_points_are_never_gated() {
    let squares: &[(char, &[(usize, usize)])] = &[('D', &[(5, 5)]), ('T', &[(5, 6)]), ('X', &[(5, 7)])];
    for gate in ["terrain", "group", "both"] {
        let text = score(&json!({"nexus_gate": gate}), &sheet(squares));
        assert!(text.starts_with("0 0 0 -1 0 0 1 / "), "{gate}: {text}");
    }
}

#[test]
fn gg_r11_r16_q3_e7_deserts_count_once_or_by_pairs() {
    let one: &[(char, &[(usize, usize)])] = &[('D', &[(1, 1), (1, 3)]), ('T', &[(1, 2)])];
    let two = over(sheet(one), &[('T', &[(2, 1)])]);
    for (scoring, first, second) in [("square", "-2", "-2"), ("pair", "-2", "-3")] {
        let options = json!({"desert_scoring": scoring});
        assert!(score(&options, &sheet(one)).starts_with(&format!("0 0 0 {first} ")), "{scoring}");
        assert!(score(&options, &two).starts_with(&format!("0 0 0 {second} ")), "{scoring}");
    }
}

#[test]
fn gg_r17_the_largest_group_of_each_of_the_six() {
    let text = plain(&sheet(&[
        ('F', &[(1, 1), (1, 2), (2, 2), (5, 5), (5, 6), (5, 7), (9, 9)]),
        ('T', &[(11, 11), (12, 12)]),
        ('X', &[(7, 1), (7, 2)]),
        ('O', &[(3, 3), (4, 4)]),
    ]));
    assert_eq!(text, "0 0 0 0 0 0 0 / 0 3 0 0 1 0 = 4");
}

/// The board that meets the printed score sheet.
const SAMPLE: &str = "TFDMMMDDDAMM FDDDDDDDDRRA FDOFDDT..... RRRRRRRRRRRR AADMMMMAXFRR AAXMMOMFFFMR \
                      DAADMTXAFFMR .RAAARROFFAF .TAAATRTTFFF FRAFAAAMTTMM FFFFFRDMTTTT DF.MMRRRMMMM";

#[test]
fn gg_r18_e10_the_sample_adds_up_to_132() {
    for options in variants() {
        let text = score(&options, &rows(SAMPLE));
        if options["nexus_adjacency"] == "all" {
            assert_eq!(text, "12 6 12 -2 8 11 11 / 8 12 16 15 8 16 = 133");
        } else {
            assert_eq!(text, "12 6 12 -2 8 11 10 / 8 12 16 15 8 16 = 132", "{options}");
        }
    }
}

#[test]
fn gg_r18a_a_total_can_be_negative() {
    // Chequered deserts and tundras: every desert loses, no group is larger than one.
    let board: Rows =
        (0..12).map(|r| (0..12).map(|c| if (r + c) % 2 == 0 { 'D' } else { 'T' }).collect()).collect();
    assert_eq!(plain(&board), "0 0 0 -72 0 0 0 / 0 0 0 1 1 0 = -70");
    let pairs = score(&json!({"desert_scoring": "pair"}), &board);
    assert_eq!(pairs, "0 0 0 -264 0 0 0 / 0 0 0 1 1 0 = -262");
}

#[test]
fn gg_r19_a_desolation_scores_nothing_and_helps_nobody() {
    assert_eq!(plain(&sheet(&[('O', &[(1, 1), (2, 2)])])), "0 0 0 0 0 0 0 / 0 0 0 0 0 0 = 0");
    // In the way of the river, beside a Nexus, in a block.
    let text = open(&over(river(), &[('O', &[(6, 6)]), ('X', &[(5, 6)])]));
    assert!(text.starts_with("0 0 0 0 0 0 0 / "), "{text}");
}

#[test]
fn gg_r20_the_current_score_changes_at_a_reveal_only() {
    let mut env = Position::of(2, "Mountain", 1).pair("I", "O").load();
    assert_eq!(env.scores()[..2], [0, 0]);
    play(&mut env, &["shape I", "shape I", "place turned 0 at (1,1)"]);
    assert_eq!(env.scores()[..2], [0, 0], "the other has not drawn yet");
    play(&mut env, &["place turned 1 at (1,12)"]);
    assert_eq!(env.scores()[..2], [4, 4]);
    assert_eq!(seen(&env, None)["scores"][0]["points"]["Mountain"], 0, "gated");
}

#[test]
fn gg_r10_r15_e6_river_gate_and_desolation() {
    let row: Vec<_> = (1..=12).filter(|&c| c != 6).map(|c| (6, c)).collect();
    let base = sheet(&[('R', &row), ('O', &[(6, 6)]), ('X', &[(7, 1)])]);
    assert_eq!(plain(&base), "0 0 0 0 0 0 1 / 0 0 6 0 0 0 = 7");
    let round = over(base, &[('R', &[(5, 5), (5, 6), (5, 7)])]);
    assert_eq!(plain(&round), "0 0 12 0 0 0 1 / 0 0 14 0 0 0 = 27");
    assert_eq!(plain(&over(round, &[('.', &[(7, 1)])])), "0 0 0 0 0 0 0 / 0 0 14 0 0 0 = 14");
}

#[test]
fn gg_r15_q2_e15_three_readings_of_the_gate() {
    let board = rows(
        "MMMMTT...... X...TT...... FFFF........ .......A.... RRRRRRRRRRRR AAA..D...... .....DTXD... \
         ............ ............ ............ ............ ............",
    );
    let with = |gate: &str| score(&json!({"nexus_gate": gate}), &board);
    assert_eq!(with("terrain"), "4 2 0 -1 1 0 4 / 4 4 12 2 4 3 = 39");
    assert_eq!(with("group"), "4 2 12 -1 1 4 4 / 4 4 0 2 4 0 = 40");
    assert_eq!(with("both"), "4 2 0 -1 1 0 4 / 4 4 0 2 4 0 = 24");
}

#[test]
fn gg_r14_q18_e16_diagonal_neighbours_of_a_nexus() {
    let board = sheet(&[
        ('X', &[(4, 5)]),
        ('M', &[(3, 5), (4, 6), (4, 7)]),
        ('F', &[(3, 4)]),
        ('T', &[(3, 6)]),
        ('R', &[(5, 4), (6, 4)]),
        ('D', &[(5, 6), (5, 7)]),
        ('O', &[(5, 5)]),
    ]);
    assert_eq!(plain(&board), "0 0 0 0 0 0 1 / 2 1 2 2 1 0 = 9");
    assert_eq!(score(&json!({"nexus_adjacency": "all"}), &board), "0 0 0 0 1 0 5 / 2 1 2 2 1 0 = 14");
}

/// GG-Q27.
#[test]
fn gg_q27_what_can_be_restored_of_the_printed_boards_fits_the_rules() {
    // Five Nexus squares with the terrains printed around them: 1, 2, 2, 2, 2.
    let nexus = sheet(&[
        ('X', &[(2, 2), (2, 6), (2, 10), (6, 3), (6, 9)]),
        ('M', &[(1, 2)]),
        ('F', &[(1, 6), (2, 9), (5, 3)]),
        ('R', &[(3, 6), (3, 10), (5, 9)]),
        ('D', &[(7, 3), (6, 10)]),
    ]);
    assert!(plain(&nexus).split(" / ").next().unwrap().ends_with(" 9"));
    // One contact with a tundra more makes the 10 that were scored, and opens the tundra's gate.
    let scored = over(nexus, &[('T', &[(2, 1)])]);
    assert!(plain(&scored).split(" / ").next().unwrap().ends_with(" 10"));
    // A river of 16 squares that steps down one row near its end crosses.
    let river: Vec<_> =
        (1..=10).map(|c| (4, c)).chain([(5, 10), (5, 11), (5, 12), (6, 11), (6, 12), (7, 12)]).collect();
    let text = open(&sheet(&[('R', &river), ('X', &[(3, 1)])]));
    assert!(text.starts_with("0 0 12 ") && text.contains("/ 0 0 16 "), "{text}");
}
