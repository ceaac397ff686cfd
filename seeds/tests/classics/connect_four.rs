//! The rules of Connect Four by number.

use crate::fixture::{configured, legal, new, play, position, problems, seen};
use playmat_classics::ConnectFour;
use playmat_core::agent::Greedy;
use playmat_core::prelude::*;
use serde_json::{Value, json};

#[test]
fn cf_r1_r2_players_alternate_on_an_empty_board() {
    let mut env = new::<ConnectFour>(&json!({}));
    assert_eq!(seen(&env, None)["board"], json!(vec!["......."; 6]));
    for turn in [0, 1, 0, 1] {
        assert_eq!(env.current_player(), Some(Player(turn)));
        play(&mut env, &["drop in D"]);
    }
}

#[test]
fn cf_r3_discs_fall_and_a_full_column_takes_none() {
    let mut env = new::<ConnectFour>(&json!({}));
    play(&mut env, &["drop in C"; 6]);
    assert_eq!(legal(&env), [0, 1, 3, 4, 5, 6]);
    let rows = &seen(&env, None)["board"];
    assert_eq!(rows, &json!(["..o....", "..x....", "..o....", "..x....", "..o....", "..x...."]));
}

/// The slow twin of the line search: walks from every cell in four directions.
fn has_four(discs: u64) -> bool {
    let holds = |row: i32, column: i32| {
        (0..6).contains(&row) && (0..7).contains(&column) && discs >> (7 * row + column) & 1 != 0
    };
    let steps = [(0, 1), (1, 0), (1, 1), (1, -1)];
    (0..6)
        .any(|r| (0..7).any(|c| steps.iter().any(|&(dr, dc)| (0..4).all(|i| holds(r + i * dr, c + i * dc)))))
}

#[test]
fn cf_r4_exactly_the_lines_of_four_win() {
    let game = configured::<ConnectFour>(&json!({})).game.clone();
    let wins = |discs: u64| {
        let state = playmat_classics::connect_four::State { discs: [discs, 0] };
        game.scores(&state)[0] == 1
    };
    // Every four cells in equal steps, of which 69 are lines and the others wrap around a border.
    let mut lines = 0;
    for cells in (0..42u64).flat_map(|from| [1, 6, 7, 8].map(|step| [0, 1, 2, 3].map(|i| from + i * step))) {
        if cells[3] < 42 {
            let discs = cells.iter().fold(0, |set, cell| set | 1 << cell);
            assert_eq!(wins(discs), has_four(discs), "{cells:?}");
            lines += u32::from(has_four(discs));
        }
    }
    assert_eq!(lines, 69);
    let mut rng = Rng::from_seed(5);
    for _ in 0..200_000 {
        let discs = ((rng.next_u64() & rng.next_u64()) | (rng.next_u64() & rng.next_u64())) & ((1 << 42) - 1);
        assert_eq!(wins(discs), has_four(discs), "{discs:b}");
    }
}

#[test]
fn cf_r5_a_full_board_ends_the_game() {
    let full = ["xoxoxo.", "xoxoxox", "oxoxoxo", "oxoxoxo", "xoxoxox", "xoxoxox"];
    let state = json!({"board": full, "turn": 1, "winner": null});
    let mut env = position::<ConnectFour>(&json!({}), &state);
    play(&mut env, &["drop in G"]);
    assert_eq!((env.status(), env.returns()), (Status::Terminated, &[0.0, 0.0][..]));
}

#[test]
fn cf_r6_a_line_pays_one() {
    let mut env = new::<ConnectFour>(&json!({}));
    play(&mut env, &["drop in A", "drop in B", "drop in A", "drop in B", "drop in A", "drop in B"]);
    assert_eq!((env.status(), env.scores()[..2].to_vec()), (Status::Running, vec![0, 0]));
    play(&mut env, &["drop in A"]);
    assert_eq!((env.status(), env.returns()), (Status::Terminated, &[1.0, -1.0][..]));
    assert_eq!(env.scores()[..2], [1, -1]);
}

#[test]
fn cf_impossible_boards_are_refused_with_reasons() {
    let refused = |rows: [&str; 6], turn: Value, winner: Value| {
        problems::<ConnectFour>(&json!({}), &json!({"board": rows, "turn": turn, "winner": winner}))
    };
    let e = ".......";
    assert!(refused([e, e, e, e, "x......", e], json!(1), Value::Null).contains("hangs above"));
    assert!(refused([e, e, e, e, e, "xx....."], json!(0), Value::Null).contains("one more"));
    assert!(refused([e, e, e, e, "oooo...", "xxxx..."], Value::Null, json!(0)).contains("after a line"));
    // Two lines of x that share no disc: one of them was there before the last move.
    let rows = [e, e, e, "oxxxx..", "xoooxo.", "xxxxooo"];
    assert!(refused(rows, Value::Null, json!(0)).contains("the last one"));
}

#[test]
fn cf_greedy_wins_blocks_and_gives_nothing_away() {
    let mut env = new::<ConnectFour>(&json!({}));
    play(&mut env, &["drop in A", "drop in B", "drop in A", "drop in B", "drop in A"]);
    assert_eq!(env.act(&Greedy, Player(1)).unwrap().0, 0, "blocks");
    play(&mut env, &["drop in B"]);
    assert_eq!(env.act(&Greedy, Player(0)).unwrap().0, 0, "wins");
}
