//! The rules of tic-tac-toe by number.

use crate::fixture::{legal, new, play, position, problems, seen};
use playmat_classics::TicTacToe;
use playmat_core::agent::Greedy;
use playmat_core::prelude::*;
use serde_json::{Value, json};

#[test]
fn tt_r1_the_board_begins_empty() {
    let env = new::<TicTacToe>(&json!({}));
    assert_eq!(seen(&env, None)["board"], json!(["...", "...", "..."]));
    assert_eq!(legal(&env), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn tt_r2_players_alternate_and_x_begins() {
    let mut env = new::<TicTacToe>(&json!({}));
    for (turn, text) in [(0, "mark A1"), (1, "mark C3"), (0, "mark C1"), (1, "mark B1")] {
        assert_eq!(env.current_player(), Some(Player(turn)));
        play(&mut env, &[text]);
    }
    assert_eq!(seen(&env, None)["board"], json!(["xox", "...", "..o"]));
}

#[test]
fn tt_r3_a_marked_cell_is_taken() {
    let mut env = new::<TicTacToe>(&json!({}));
    play(&mut env, &["mark B2"]);
    assert_eq!(legal(&env), [0, 1, 2, 3, 5, 6, 7, 8]);
    let refused = env.step(4).unwrap_err().to_string();
    assert!(refused.starts_with("illegal action 4 (\"mark B2\") for player 1; 8 legal"), "{refused}");
    assert_eq!(seen(&env, None)["board"], json!(["...", ".x.", "..."]));
}

#[test]
fn tt_r4_each_of_eight_lines_wins() {
    let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    for line in lines {
        let others: Vec<i64> = (0..9).filter(|cell| !line.contains(cell)).collect();
        let mut env = new::<TicTacToe>(&json!({}));
        for action in [line[0], others[0], line[1], others[1], line[2]] {
            assert_eq!(env.status(), Status::Running);
            env.step(action).unwrap();
        }
        assert_eq!((env.status(), env.returns()), (Status::Terminated, &[1.0, -1.0][..]), "{line:?}");
    }
}

#[test]
fn tt_r5_a_full_board_ends_the_game() {
    let mut env = new::<TicTacToe>(&json!({}));
    for action in [0, 1, 2, 4, 3, 5, 7, 6, 8] {
        assert_eq!(env.status(), Status::Running);
        env.step(action).unwrap();
    }
    assert_eq!((env.status(), env.returns()), (Status::Terminated, &[0.0, 0.0][..]));
}

#[test]
fn tt_r6_a_line_on_the_last_cell_is_a_win() {
    let mut env = new::<TicTacToe>(&json!({}));
    for action in [0, 1, 2, 3, 4, 6, 5, 7, 8] {
        env.step(action).unwrap();
    }
    assert_eq!(env.returns(), [1.0, -1.0]);
    assert_eq!(env.scores()[..2], [1, -1]);
}

#[test]
fn tt_impossible_boards_are_refused_with_reasons() {
    let board = |rows: [&str; 3], turn: Value| json!({"board": rows, "turn": turn, "winner": null});
    let refused = |state: Value| problems::<TicTacToe>(&json!({}), &state);
    assert!(refused(board(["xx.", "...", "..."], json!(0))).contains("one more"));
    assert!(refused(board(["xxx", "ooo", "..."], json!(0))).contains("after a line"));
    assert!(
        refused(board(["x..", "...", "..."], json!(0))).contains("turn: got 0; what it follows from gives 1")
    );
    let all = refused(json!({"board": ["x", 3, "..."], "turns": 0}));
    for part in ["turns: unknown field", "board[0]: expected 3", "board[1]: expected 3"] {
        assert!(all.contains(part), "{all}");
    }
    assert_eq!(refused(json!({"winner": null})), "board: missing");
    assert_eq!(refused(json!({"board": ["...", "..."]})), "board: 2 entries; a board has 3 rows");
}

#[test]
fn tt_greedy_wins_and_blocks() {
    let choice = |rows: [&str; 3], turn: u8| {
        let state = json!({"board": rows, "turn": turn, "winner": null});
        let mut env = position::<TicTacToe>(&json!({}), &state);
        env.act(&Greedy, Player(turn)).unwrap().0
    };
    assert_eq!(choice(["xx.", "oo.", "..."], 0), 2);
    assert_eq!(choice(["xx.", "o..", "..."], 1), 2);
    assert_eq!(choice(["x..", "...", "..."], 1), 4);
}
