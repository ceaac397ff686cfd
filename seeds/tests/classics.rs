//! The rules of `rules/classics.md`, by number, and what must hold in every position of the five games.

#![allow(clippy::unwrap_used, reason = "a test may stop anywhere")]

use playmat_core::env::{Configured, Env};
use playmat_core::prelude::*;
use playmat_core::survey::{Player, survey};
use playmat_seeds::classics::{ConnectFour, Goofspiel, KuhnPoker, LeducPoker, TicTacToe};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn table<G: Show>(options: &Value) -> Arc<Configured<G>> {
    Arc::new(Configured::new(options.as_object().unwrap()).unwrap())
}

fn new<G: Show>(options: &Value) -> Env<G> {
    Env::new(table(options), 0)
}

/// An environment in a position given as JSON.
fn position<G: Show>(options: &Value, state: &Value) -> Env<G> {
    let table = table::<G>(options);
    let mut whole = Env::new(table.clone(), 0).to_json(None).unwrap();
    whole["state"] = state.clone();
    playmat_core::save::from_json(&table, &whole.to_string(), 5).unwrap_or_else(|e| panic!("{e}"))
}

/// Plays actions given as texts.
fn play<G: Show>(env: &mut Env<G>, texts: &[&str]) {
    for text in texts {
        let seat = env.current_player().expect("somebody acts");
        let action = env.parse_action(Some(seat), text).unwrap();
        env.step(action.0.into()).unwrap();
    }
}

/// Plays random actions to the end.
fn play_out<G: Show>(env: &mut Env<G>) {
    while let Some(seat) = env.current_player() {
        let action = env.sample_action(seat).unwrap();
        env.step(action.0.into()).unwrap();
    }
}

/// The part of the JSON that the game writes.
fn seen<G: Show>(env: &Env<G>, viewer: Option<u8>) -> Value {
    env.to_json(viewer.map(Seat)).unwrap()["state"].clone()
}

fn problems<G: Show>(options: &Value, state: &Value) -> String {
    let found = table::<G>(options).game.restore(state, &mut Rng::from_seed(1)).unwrap_err();
    found.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn legal<G: Show>(env: &Env<G>) -> Vec<u16> {
    env.legal(env.current_player().unwrap()).iter().map(|action| action.0).collect()
}

/// Pearson's statistic of counts that should be equal.
fn chi_square<K>(counts: &BTreeMap<K, u32>) -> f64 {
    let mean = counts.values().sum::<u32>() as f64 / counts.len() as f64;
    counts.values().map(|&n| (f64::from(n) - mean).powi(2) / mean).sum()
}

/// What must hold in any position.
fn check_position<G: Show>(env: &Env<G>, rng: &mut Rng) {
    let (game, state) = (&env.table().game, env.state());
    assert_eq!(env.validate(), [], "{state:?}");
    let whole = game.describe(state, None);
    let mut untouched = *rng;
    let back = game.restore(&whole, &mut untouched).unwrap_or_else(|e| panic!("{whole}: {e:?}"));
    assert_eq!((back, untouched), (*state, *rng), "{whole}");
    for viewer in Seat::all(env.info().players) {
        let sample = game.sample_hidden(state, viewer, rng);
        assert_eq!(game.validate(&sample), [], "{state:?} {viewer} {sample:?}");
        let size = env.info().observation.size();
        let (mut a, mut b) = (vec![0xaa; size], vec![0x55; size]);
        game.observe(state, viewer, &mut a);
        game.observe(&sample, viewer, &mut b);
        assert_eq!(a, b, "{state:?} {viewer} {sample:?}");
        for segment in &env.info().observation.segments {
            let bytes = &a[segment.offset..segment.offset + segment.len()];
            assert!(
                bytes.iter().all(|&byte| u16::from(byte) <= segment.scale),
                "{}: {bytes:?}",
                segment.name
            );
        }
        let seen = Some(viewer);
        assert_eq!(game.describe(state, seen), game.describe(&sample, seen), "{state:?}");
        assert_eq!(game.draw_text(state, seen), game.draw_text(&sample, seen));
        assert_eq!(game.draw_svg(state, seen), game.draw_svg(&sample, seen));
        assert_eq!(game.scores(state), game.scores(&sample));
        assert!(game.draw_text(state, seen).lines().all(|line| line.chars().count() <= 100));
        for action in env.legal(viewer).iter() {
            for known in [None, Some((state, viewer))] {
                let text = game.action_text(known, action);
                assert_eq!(game.parse_action(known, &text.to_uppercase()), Some(action), "{text}");
            }
        }
    }
}

/// Random games from the first deal to the end, every position checked and every declared bound kept.
fn check_games<G: Show>(options: &Value, episodes: u64) {
    let table = table::<G>(options);
    let info = table.game.info();
    assert_eq!(info.problems(), []);
    let mut rng = Rng::from_seed(3);
    for seed in 0..episodes {
        let mut env = Env::new(table.clone(), seed);
        while let Some(seat) = env.current_player() {
            check_position(&env, &mut rng);
            let action = env.sample_action(seat).unwrap();
            env.step(action.0.into()).unwrap();
            assert!(!env.events(None).unwrap().is_empty());
        }
        check_position(&env, &mut rng);
        assert_eq!(env.status(), Status::Terminated);
        assert!(env.decisions() as usize <= info.max_decisions);
        let scores = &env.scores()[..info.players];
        assert!(scores.iter().all(|s| (info.score_range.0..=info.score_range.1).contains(s)), "{scores:?}");
        assert!(!info.score_zero_sum || scores.iter().sum::<i32>() == 0, "{scores:?}");
    }
    let survey = survey(&table, episodes, 1, &[Player::Random]);
    assert!(survey.max_forced <= info.max_forced && survey.chance.max as usize <= info.max_chance);
}

#[test]
fn every_position_of_every_game_holds_together() {
    check_games::<TicTacToe>(&json!({}), 60);
    check_games::<ConnectFour>(&json!({}), 20);
    for players in 2..=8 {
        check_games::<KuhnPoker>(&json!({"players": players}), 20);
        check_games::<LeducPoker>(&json!({"players": players}), 10);
        check_games::<Goofspiel>(&json!({"players": players}), 2);
        check_games::<Goofspiel>(&json!({"players": players, "num_cards": 4, "num_turns": 3}), 5);
    }
    for order in ["descending", "ascending"] {
        for returns in ["point_difference", "total_points"] {
            for cards in [2, 5, 15] {
                let options = json!({"points_order": order, "returns_type": returns, "num_cards": cards});
                check_games::<Goofspiel>(&options, 3);
            }
        }
    }
    for turns in [0, 4, 15] {
        check_games::<Goofspiel>(&json!({"imp_info": true, "num_turns": turns}), 10);
        check_games::<Goofspiel>(&json!({"imp_info": true, "num_cards": 5, "num_turns": turns}), 40);
    }
}

/// Mean return of the greedy bot in `seat` against random ones.
fn greedy_return<G: Show>(options: &Value, seat: usize) -> f64 {
    let table = table::<G>(options);
    let mut players = vec![Player::Random; table.game.info().players];
    players[seat] = Player::Greedy;
    survey(&table, 2_000, 7, &players).returns[seat].mean
}

#[test]
fn greedy_beats_random() {
    // A mean outcome of 0.8 is nine victories in ten, draws counted as halves.
    for seat in 0..2 {
        for (name, mean) in [
            ("tic_tac_toe", greedy_return::<TicTacToe>(&json!({}), seat)),
            ("connect_four", greedy_return::<ConnectFour>(&json!({}), seat)),
            ("goofspiel", greedy_return::<Goofspiel>(&json!({}), seat)),
        ] {
            assert!(mean >= 0.8, "{name} seat {seat}: {mean}");
        }
    }
    // The cards decide most of a hand of poker: a clear gain in chips is what there is.
    for players in 2..=8 {
        for seat in 0..players {
            let options = json!({"players": players});
            let kuhn = greedy_return::<KuhnPoker>(&options, seat);
            let leduc = greedy_return::<LeducPoker>(&options, seat);
            assert!(kuhn > 0.05 && leduc > 0.3, "{players} players, seat {seat}: {kuhn} {leduc}");
        }
    }
}

// Tic-tac-toe.

#[test]
fn tt_r1_the_board_begins_empty() {
    let env = new::<TicTacToe>(&json!({}));
    assert_eq!(seen(&env, None)["board"], json!(["...", "...", "..."]));
    assert_eq!(legal(&env), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn tt_r2_seats_alternate_and_x_begins() {
    let mut env = new::<TicTacToe>(&json!({}));
    for (turn, text) in [(0, "mark A1"), (1, "mark C3"), (0, "mark C1"), (1, "mark B1")] {
        assert_eq!(env.current_player(), Some(Seat(turn)));
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
    assert!(refused.starts_with("illegal action 4 (\"mark B2\") for seat 1; 8 legal"), "{refused}");
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
    assert!(refused(board(["x..", "...", "..."], json!(0))).contains("turn: got 0; the position has 1"));
    let all = refused(json!({"board": ["x", 3, "..."], "turns": 0}));
    for part in ["turns: no such field", "turn: is missing", "board[0]", "board[1]"] {
        assert!(all.contains(part), "{all}");
    }
}

#[test]
fn tt_greedy_wins_and_blocks() {
    let choice = |rows: [&str; 3], turn: u8| {
        let state = json!({"board": rows, "turn": turn, "winner": null});
        let mut env = position::<TicTacToe>(&json!({}), &state);
        env.greedy_action(Seat(turn)).unwrap().0
    };
    assert_eq!(choice(["xx.", "oo.", "..."], 0), 2);
    assert_eq!(choice(["xx.", "o..", "..."], 1), 2);
    assert_eq!(choice(["x..", "...", "..."], 1), 4);
}

// Connect Four.

#[test]
fn cf_r1_r2_seats_alternate_on_an_empty_board() {
    let mut env = new::<ConnectFour>(&json!({}));
    assert_eq!(seen(&env, None)["board"], json!(vec!["......."; 6]));
    for turn in [0, 1, 0, 1] {
        assert_eq!(env.current_player(), Some(Seat(turn)));
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
    let game = table::<ConnectFour>(&json!({})).game.clone();
    let wins = |discs: u64| {
        let state = playmat_seeds::classics::connect_four::State { discs: [discs, 0] };
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
    assert_eq!(env.greedy_action(Seat(1)).unwrap().0, 0, "blocks");
    play(&mut env, &["drop in B"]);
    assert_eq!(env.greedy_action(Seat(0)).unwrap().0, 0, "wins");
}

// Kuhn poker.

fn kuhn(cards: &[&str], actions: &[&str]) -> Env<KuhnPoker> {
    let players = cards.len();
    let state = json!({"cards": cards, "actions": [], "paid": vec![1; players], "turn": 0});
    let mut env = position::<KuhnPoker>(&json!({"players": players}), &state);
    play(&mut env, actions);
    env
}

#[test]
fn kp_r1_every_deal_is_equally_likely() {
    for (players, deals, limit) in [(2, 6, 20.5), (3, 24, 49.7)] {
        let table = table::<KuhnPoker>(&json!({"players": players}));
        let mut counts = BTreeMap::new();
        for seed in 0..deals * 1_000 {
            let cards = seen(&Env::new(table.clone(), seed), None)["cards"].to_string();
            *counts.entry(cards).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len() as u64, deals);
        // The 99.9 % points of chi-square with 5 and 23 degrees of freedom.
        assert!(chi_square(&counts) < limit, "{counts:?}");
    }
}

#[test]
fn kp_r2_both_actions_are_always_legal() {
    for actions in [&[][..], &["pass"], &["bet"], &["pass", "bet"]] {
        assert_eq!(legal(&kuhn(&["J", "Q"], actions)), [0, 1]);
    }
}

#[test]
fn kp_r3_without_a_bet_everybody_decides_once() {
    let env = kuhn(&["J", "Q"], &["pass", "pass"]);
    assert_eq!((env.status(), env.returns()), (Status::Terminated, &[-1.0, 1.0][..]));
    let env = kuhn(&["T", "K", "J"], &["pass", "pass", "pass"]);
    assert_eq!(env.returns(), [-1.0, 2.0, -1.0]);
}

#[test]
fn kp_r4_after_a_bet_everybody_else_decides_once_more() {
    let mut env = kuhn(&["T", "K", "J"], &["pass", "bet"]);
    assert_eq!(env.current_player(), Some(Seat(2)));
    play(&mut env, &["fold"]);
    assert_eq!(env.current_player(), Some(Seat(0)));
    play(&mut env, &["call"]);
    assert_eq!((env.status(), env.returns()), (Status::Terminated, &[-2.0, 3.0, -1.0][..]));
}

#[test]
fn kp_r5_the_highest_card_among_those_who_bet_takes_the_pot() {
    assert_eq!(kuhn(&["J", "K"], &["bet", "pass"]).returns(), [1.0, -1.0]);
    assert_eq!(kuhn(&["J", "K"], &["bet", "bet"]).returns(), [-2.0, 2.0]);
    assert_eq!(kuhn(&["K", "J"], &["pass", "bet", "call"]).returns(), [2.0, -2.0]);
    let env = kuhn(&["K", "J", "Q"], &["pass", "bet", "call", "fold"]);
    assert_eq!(env.returns(), [-1.0, -2.0, 3.0]);
    assert_eq!(seen(&env, Some(1))["cards"], json!([null, "J", "Q"]), "who folded does not show");
    assert_eq!(seen(&kuhn(&["J", "K"], &["bet", "pass"]), Some(1))["cards"], json!([null, "K"]));
}

#[test]
fn kp_r6_the_score_is_paid_at_the_end_only() {
    let mut env = kuhn(&["J", "K"], &["bet"]);
    assert_eq!(env.scores()[..2], [0, 0]);
    play(&mut env, &["call"]);
    assert_eq!(env.scores()[..2], [-2, 2]);
}

#[test]
fn kp_r7_every_information_set_has_its_own_observation() {
    let mut sets = BTreeMap::new();
    let ranks = ["J", "Q", "K"];
    for (a, b) in (0..3).flat_map(|a| (0..3).map(move |b| (a, b))).filter(|(a, b)| a != b) {
        for actions in [&[][..], &["pass"], &["bet"], &["pass", "bet"]] {
            let env = kuhn(&[ranks[a], ranks[b]], actions);
            let seat = env.current_player().unwrap();
            let mut bytes = [0; 11];
            env.write_observation(seat, &mut bytes).unwrap();
            let known = format!("{seat} {} {actions:?}", [ranks[a], ranks[b]][seat.index()]);
            assert_eq!(sets.entry(bytes).or_insert_with(|| known.clone()), &known);
        }
    }
    assert_eq!(sets.len(), 12);
}

#[test]
fn kp_impossible_hands_are_refused_with_reasons() {
    let refused = |cards: Value, actions: Value, paid: Value, turn: Value| {
        let state = json!({"cards": cards, "actions": actions, "paid": paid, "turn": turn});
        problems::<KuhnPoker>(&json!({}), &state)
    };
    let all = refused(json!(["J", "J"]), json!(["bet"]), json!([1, 1]), json!(1));
    assert!(all.contains("cards[1]") && all.contains("paid: got [1,1]; the position has [2,1]"), "{all}");
    let all = refused(json!(["J", "Q"]), json!(["pass", "pass", "bet"]), json!([1, 1]), json!(1));
    assert!(all.contains("after the end"), "{all}");
    assert!(refused(json!(["J", null]), json!([]), json!([1, 1]), json!(0)).contains("cards[1]: got null"));
}

#[test]
fn kp_samples_are_uniform_over_consistent_deals() {
    let env = kuhn(&["T", "K", "J"], &["pass", "bet"]);
    let mut rng = Rng::from_seed(2);
    let mut counts = BTreeMap::new();
    for _ in 0..6_000 {
        let sample = env.table().game.sample_hidden(env.state(), Seat(1), &mut rng);
        *counts.entry(sample.cards).or_insert(0) += 1;
    }
    // The king stays with seat 1; three ranks for two seats. 5 degrees of freedom: 20.5.
    assert_eq!(counts.len(), 6);
    assert!(counts.keys().all(|cards| cards >> 4 & 15 == 3) && chi_square(&counts) < 20.5, "{counts:?}");
}

// Leduc poker.

fn leduc(cards: &[&str], public: &str, first: &[&str], second: &[&str]) -> Env<LeducPoker> {
    let players = cards.len();
    let options = json!({"players": players});
    let state = json!({
        "cards": cards, "public": null, "actions": [[], []], "paid": vec![1; players],
        "playing": (0..players).collect::<Vec<_>>(), "turn": 0,
    });
    let mut env = position::<LeducPoker>(&options, &state);
    play(&mut env, first);
    if public.is_empty() {
        return env;
    }
    // The same position with the wanted public card.
    let mut state = seen(&env, None);
    state["public"] = json!(public);
    let mut env = position::<LeducPoker>(&options, &state);
    play(&mut env, second);
    env
}

#[test]
fn lp_r1_a_deck_has_two_cards_of_one_rank_more_than_players() {
    for players in 2..=8 {
        let table = table::<LeducPoker>(&json!({"players": players}));
        let mut cards = BTreeSet::new();
        for seed in 0..600 {
            let dealt = seen(&Env::new(table.clone(), seed), None)["cards"].clone();
            cards.extend(dealt.as_array().unwrap().iter().map(ToString::to_string));
        }
        assert_eq!(cards.len(), 2 * (players + 1));
    }
}

#[test]
fn lp_r2_everybody_pays_one_chip_and_seat_0_begins() {
    let env = new::<LeducPoker>(&json!({"players": 5}));
    assert_eq!(seen(&env, None)["paid"], json!([1, 1, 1, 1, 1]));
    assert_eq!(env.current_player(), Some(Seat(0)));
}

#[test]
fn lp_r3_fold_only_when_something_is_owed_and_two_raises_at_most() {
    let mut env = leduc(&["Js", "Qs"], "", &[], &[]);
    assert_eq!(legal(&env), [1, 2]);
    play(&mut env, &["raise"]);
    assert_eq!(legal(&env), [0, 1, 2]);
    play(&mut env, &["raise"]);
    assert_eq!(legal(&env), [0, 1]);
    assert_eq!(seen(&env, None)["paid"], json!([3, 5]));
    let env = leduc(&["Js", "Qs"], "Ks", &["raise", "call"], &["raise", "raise"]);
    assert_eq!(seen(&env, None)["paid"], json!([7, 11]));
}

#[test]
fn lp_r4_a_round_closes_when_nobody_owes_a_decision() {
    let mut env = leduc(&["Ts", "Js", "Qs"], "", &["check", "check", "raise", "raise", "call"], &[]);
    assert_eq!((env.current_player(), &seen(&env, None)["public"]), (Some(Seat(2)), &Value::Null));
    play(&mut env, &["call"]);
    assert_ne!(seen(&env, None)["public"], Value::Null);
}

#[test]
fn lp_r5_the_second_round_begins_with_the_lowest_seat_that_plays() {
    let env = leduc(&["Ts", "Js", "Qs"], "Ks", &["check", "raise", "call", "fold"], &[]);
    assert_eq!((env.current_player(), legal(&env)), (Some(Seat(1)), vec![1, 2]));
    // The public card is one of those that nobody holds, all equally likely.
    for (hands, left) in [(&["Js", "Qh"][..], 4), (&["Ts", "Js", "Qh"], 5)] {
        let before = leduc(hands, "", &vec!["check"; hands.len() - 1], &[]);
        let mut counts = BTreeMap::new();
        for seed in 0..4_000 {
            let mut env = before.fork(seed);
            play(&mut env, &["check"]);
            *counts.entry(seen(&env, None)["public"].to_string()).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), left);
        assert!(hands.iter().all(|card| !counts.contains_key(&format!("\"{card}\""))));
        // 4 degrees of freedom: 18.5.
        assert!(chi_square(&counts) < 18.5, "{counts:?}");
    }
}

#[test]
fn lp_r6_the_last_one_in_takes_the_pot_unseen() {
    let env = leduc(&["Js", "Ks"], "", &["raise", "fold"], &[]);
    assert_eq!((env.status(), env.returns()), (Status::Terminated, &[1.0, -1.0][..]));
    assert_eq!(seen(&env, Some(1))["cards"], json!([null, "Ks"]));
}

#[test]
fn lp_r7_pair_then_rank() {
    let checks = ["check", "check"];
    assert_eq!(leduc(&["Js", "Ks"], "Jh", &checks, &checks).returns(), [1.0, -1.0]);
    assert_eq!(leduc(&["Js", "Ks"], "Qh", &checks, &checks).returns(), [-1.0, 1.0]);
    let env = leduc(&["Js", "Qs"], "Jh", &["raise", "call"], &["raise", "raise", "call"]);
    assert_eq!(env.returns(), [11.0, -11.0]);
    assert_eq!(seen(&env, Some(1))["cards"], json!(["Js", "Qs"]));
}

#[test]
fn lp_r8_equal_ranks_share_also_an_odd_pot() {
    let checks = ["check", "check"];
    assert_eq!(leduc(&["Js", "Jh"], "Qh", &checks, &["raise", "call"]).returns(), [0.0, 0.0]);
    // Tables of three count half chips: here nine chips for two, below seven.
    let env = leduc(&["Ks", "Kh", "Ts"], "Qh", &["raise", "call", "call"], &["check"; 3]);
    assert_eq!(env.returns(), [3.0, 3.0, -6.0]);
    let env = leduc(&["Ks", "Kh", "Ts"], "Qh", &["raise", "call", "fold"], &checks);
    assert_eq!(env.returns(), [1.0, 1.0, -2.0]);
}

#[test]
fn lp_r9_a_fold_shows_in_everybodys_observation() {
    let before = leduc(&["Ts", "Js", "Qs"], "", &["raise"], &[]);
    let mut after = before.clone();
    play(&mut after, &["fold"]);
    for seat in Seat::all(3) {
        let (mut a, mut b) = ([0; 47], [0; 47]);
        before.write_observation(seat, &mut a).unwrap();
        after.write_observation(seat, &mut b).unwrap();
        assert_ne!(a, b);
    }
}

#[test]
fn lp_impossible_hands_are_refused_with_reasons() {
    let refused = |cards: Value, public: Value, actions: Value| {
        let state = json!({
            "cards": cards, "public": public, "actions": actions, "paid": [1, 1], "playing": [0, 1], "turn": 0,
        });
        problems::<LeducPoker>(&json!({}), &state)
    };
    let checks = json!([["call", "call"], []]);
    assert!(refused(json!(["Js", "Qs"]), json!("Js"), checks.clone()).contains("public: the same card"));
    assert!(
        refused(json!(["Js", "Qs"]), json!("Ks"), json!([["call"], []])).contains("before the first round")
    );
    assert!(
        refused(json!(["Js", "Qs"]), Value::Null, json!([["fold"], []])).contains("actions[0][0]: not legal")
    );
    assert!(
        refused(json!(["Js", "Qs"]), Value::Null, json!([[], ["call"]])).contains("actions[1][0]: nobody")
    );
    assert!(
        refused(json!(["Js", "As"]), Value::Null, checks).contains("cards[1]: got \"As\"; allowed: Js, Jh")
    );
}

#[test]
fn lp_a_position_without_its_public_card_gets_one() {
    let state = json!({
        "cards": ["Js", "Qs"], "public": null, "actions": [["call", "call"], []], "paid": [1, 1],
        "playing": [0, 1], "turn": null,
    });
    let env = position::<LeducPoker>(&json!({}), &state);
    assert_eq!(env.current_player(), Some(Seat(0)));
    assert_ne!(seen(&env, None)["public"], Value::Null);
}

#[test]
fn lp_samples_are_uniform_over_consistent_deals() {
    let env = leduc(&["Js", "Qs"], "Kh", &["check", "check"], &[]);
    let mut rng = Rng::from_seed(2);
    let mut counts = BTreeMap::new();
    for _ in 0..4_000 {
        let sample = env.table().game.sample_hidden(env.state(), Seat(0), &mut rng);
        *counts.entry(sample.cards[1]).or_insert(0) += 1;
    }
    // 3 degrees of freedom: 16.3.
    assert_eq!(counts.keys().copied().collect::<Vec<u8>>(), [1, 2, 3, 4]);
    assert!(chi_square(&counts) < 16.3, "{counts:?}");
}

// Goofspiel.

/// A table after these prizes and bids by seat. What follows from them is taken from the refusal that names it.
fn goofspiel(mut options: Value, prizes: &[u8], bids: &[&[u8]]) -> Env<Goofspiel> {
    options["players"] = json!(bids.len());
    let mut state = seen(&new::<Goofspiel>(&options), None);
    state["prizes"] = json!(prizes);
    state["bids"] = json!(bids);
    if let Err(found) = table::<Goofspiel>(&options).game.restore(&state, &mut Rng::from_seed(1)) {
        for problem in found {
            let (_, value) =
                problem.message.split_once("the position has ").unwrap_or_else(|| panic!("{problem}"));
            state[problem.path.as_str()] = serde_json::from_str(value).unwrap();
        }
    }
    position::<Goofspiel>(&options, &state)
}

#[test]
fn gs_r1_everybody_holds_every_card() {
    let env = new::<Goofspiel>(&json!({"players": 3, "num_cards": 5}));
    assert_eq!(seen(&env, None)["hands"], json!(vec![[1, 2, 3, 4, 5]; 3]));
    assert_eq!(env.acting(), Seats(0b111));
}

#[test]
fn gs_r2_prizes_come_in_the_order_of_the_option() {
    for (order, expected) in [("descending", json!([4, 3, 2, 1])), ("ascending", json!([1, 2, 3, 4]))] {
        let mut env = new::<Goofspiel>(&json!({"num_cards": 4, "points_order": order}));
        play_out(&mut env);
        assert_eq!(seen(&env, None)["prizes"], expected);
    }
    let table = table::<Goofspiel>(&json!({"num_cards": 4}));
    let mut counts = BTreeMap::new();
    for seed in 0..24_000 {
        let mut env = Env::new(table.clone(), seed);
        play_out(&mut env);
        *counts.entry(env.state().prizes).or_insert(0u32) += 1;
    }
    assert_eq!(counts.len(), 24);
    // 23 degrees of freedom: 49.7.
    assert!(chi_square(&counts) < 49.7, "{counts:?}");
}

#[test]
fn gs_r3_bids_stay_hidden_until_all_are_in() {
    let mut env = goofspiel(json!({"num_cards": 5}), &[3], &[&[], &[], &[]]);
    let before: Vec<Value> = (0..3).map(|seat| seen(&env, Some(seat))).collect();
    let observation = |env: &Env<Goofspiel>, seat| {
        let mut bytes = vec![0; env.info().observation.size()];
        env.write_observation(Seat(seat), &mut bytes).unwrap();
        bytes
    };
    let bytes: Vec<_> = (0..3).map(|seat| observation(&env, seat)).collect();
    env.step_seat(Seat(1), 1).unwrap();
    assert_eq!(env.acting(), Seats(0b101));
    for seat in [0, 2] {
        assert_eq!(seen(&env, Some(seat)), before[usize::from(seat)]);
        assert_eq!(observation(&env, seat), bytes[usize::from(seat)]);
        let events = env.events(Some(Seat(seat))).unwrap();
        assert!(events.iter().all(|event| event["event"] != "bid"), "{events:?}");
    }
    assert_eq!(seen(&env, Some(1))["bids"], json!([[], [2], []]));
    env.step_seat(Seat(2), 2).unwrap();
    env.step_seat(Seat(0), 0).unwrap();
    assert_eq!(seen(&env, Some(0))["bids"], json!([[1], [2], [3]]));
    assert_eq!(env.scores()[..3], [0, 0, 3]);
}

#[test]
fn gs_r4_the_highest_single_bid_takes_the_prize() {
    let points = |bids: &[&[u8]]| {
        let env = goofspiel(json!({"num_cards": 5}), &[4, 2], bids);
        seen(&env, None)["points"].clone()
    };
    assert_eq!(points(&[&[3], &[2]]), json!([4, 0]));
    assert_eq!(points(&[&[2], &[3]]), json!([0, 4]));
    assert_eq!(points(&[&[5], &[5]]), json!([0, 0]));
    // The second highest bid gets nothing when the highest ones tie.
    assert_eq!(points(&[&[5], &[4], &[5]]), json!([0, 0, 0]));
    assert_eq!(points(&[&[1], &[1], &[2], &[1]]), json!([0, 0, 4, 0]));
}

#[test]
fn gs_r5_the_last_cards_play_themselves() {
    let mut env = goofspiel(json!({"num_cards": 3}), &[1, 2], &[&[1], &[2]]);
    play(&mut env, &["bid 2", "bid 3"]);
    assert_eq!(env.status(), Status::Terminated);
    let state = seen(&env, None);
    assert_eq!(state["bids"], json!([[1, 2, 3], [2, 3, 1]]));
    assert_eq!((&state["prizes"], &state["points"]), (&json!([1, 2, 3]), &json!([3, 3])));
    assert_eq!(env.decisions(), 2);
    let mut log = playmat_core::log::Coverage::default();
    env.retell(&mut log);
    assert_eq!((log.forced, log.chance), (2, 0));
}

#[test]
fn gs_r6_a_limit_of_turns_ends_the_game_early() {
    let mut env = new::<Goofspiel>(&json!({"num_cards": 6, "num_turns": 2}));
    play_out(&mut env);
    assert_eq!(env.decisions(), 4);
    assert_eq!(seen(&env, None)["hands"][0].as_array().unwrap().len(), 4);
    // As many turns as cards is no limit: the last cards play themselves.
    let mut env = new::<Goofspiel>(&json!({"num_cards": 6, "num_turns": 15}));
    play_out(&mut env);
    assert_eq!(env.decisions(), 10);
}

#[test]
fn gs_r7_most_points_win_and_the_option_decides_what_is_paid() {
    let end = |options: Value, bids: &[&[u8]]| goofspiel(options, &[1, 2, 3, 4], bids).returns().to_vec();
    let position = |returns: &str, seats: usize| {
        // The last bid of a two-turn game is played, so that its reward is paid.
        let options = json!({"num_cards": 4, "num_turns": 2, "returns_type": returns});
        let bids: &[&[u8]] = &[&[3], &[1], &[1]];
        let mut env = goofspiel(options, &[3, 2], &bids[..seats]);
        play(&mut env, &["bid 1", "bid 4", "bid 2"][..seats]);
        env.returns().to_vec()
    };
    assert_eq!(position("win_loss", 2), [1.0, -1.0]);
    assert_eq!(position("total_points", 2), [3.0, 2.0]);
    assert_eq!(position("point_difference", 2), [1.0, -1.0]);
    assert_eq!(position("win_loss", 3), [1.0, -0.5, -0.5]);
    assert_eq!(position("total_points", 3), [3.0, 2.0, 0.0]);
    assert_eq!(position("point_difference", 3), [4.0, 1.0, -5.0]);
    // A position that is over when it is loaded has paid nothing yet.
    assert_eq!(end(json!({"num_cards": 4}), &[&[1, 2, 3, 4], &[1, 2, 3, 4]]), [0.0, 0.0]);
}

#[test]
fn gs_r8_hidden_bids_show_only_who_took_what() {
    let env = goofspiel(json!({"num_cards": 4, "imp_info": true}), &[3, 2, 1], &[&[2, 3], &[1, 4]]);
    let state = seen(&env, Some(0));
    assert_eq!(state["bids"], json!([[2, 3], [null, null]]));
    assert_eq!(state["hands"], json!([[1, 4], null]));
    assert_eq!((&state["takers"], &state["points"]), (&json!([0, 1]), &json!([3, 2])));
    let refused = Configured::<Goofspiel>::new(json!({"imp_info": true, "players": 3}).as_object().unwrap());
    assert!(refused.unwrap_err().to_string().contains("allowed: false, or 2 players"));
}

#[test]
fn gs_r8_samples_are_uniform_over_consistent_histories() {
    // Enumerated: the other seat's orders of 3 of 5 cards, higher than 2, lower than 4, equal to 3.
    let options = json!({"num_cards": 5, "imp_info": true});
    let env = goofspiel(options.clone(), &[1, 2, 3, 4], &[&[2, 4, 3], &[5, 1, 3]]);
    let count = |env: &Env<Goofspiel>, draws: u32| {
        let mut rng = Rng::from_seed(4);
        let mut counts = BTreeMap::new();
        for _ in 0..draws {
            let sample = env.table().game.sample_hidden(env.state(), Seat(0), &mut rng);
            *counts.entry((sample.bids[1], sample.hands[1])).or_insert(0u32) += 1;
        }
        counts
    };
    let expected = |own: &[u64], buffered: bool| {
        let truth = [5u64, 1, 3];
        let mut set = BTreeSet::new();
        let fits = |sequence: &[u64]| {
            sequence.iter().zip(own).zip(truth).all(|((x, own), real)| x.cmp(own) == real.cmp(own))
        };
        for code in 0..625u64 {
            let all = [code % 5 + 1, code / 5 % 5 + 1, code / 25 % 5 + 1, code / 125 + 1];
            let sequence = &all[..if buffered { 4 } else { 3 }];
            let distinct = sequence.iter().collect::<BTreeSet<_>>().len() == sequence.len();
            if distinct && fits(&sequence[..3]) {
                set.insert(sequence.iter().rev().fold(0, |word, x| word << 4 | x));
            }
        }
        set
    };
    let counts = count(&env, 4_000);
    let found: BTreeSet<u64> = counts.keys().map(|(bids, _)| *bids).collect();
    assert_eq!(found, expected(&[2, 4, 3], false));
    // 99.9 % point for 3 degrees of freedom: 16.3.
    assert!(counts.len() == 4 && chi_square(&counts) < 16.3, "{counts:?}");
    // With a buffered bid, which may be any card that is left.
    let env = goofspiel(options, &[1, 2, 3, 4], &[&[2, 4, 3], &[5, 1, 3, 2]]);
    let counts = count(&env, 8_000);
    let found: BTreeSet<u64> = counts.keys().map(|(bids, _)| *bids).collect();
    assert_eq!(found, expected(&[2, 4, 3], true));
    // 7 degrees of freedom: 24.3.
    assert!(counts.len() == 8 && chi_square(&counts) < 24.3, "{counts:?}");
}

#[test]
fn gs_impossible_tables_are_refused_with_reasons() {
    let options = json!({"num_cards": 3});
    let refused = |prizes: Value, bids: Value| {
        let mut state = seen(&new::<Goofspiel>(&options), None);
        state["prizes"] = prizes;
        state["bids"] = bids;
        problems::<Goofspiel>(&options, &state)
    };
    assert!(refused(json!([1, 1]), json!([[1], [2]])).contains("prizes[1]: 1 cannot be turned up"));
    assert!(refused(json!([1, 2]), json!([[1, 1], [2]])).contains("bids[0][1]: card 1 is not in hand"));
    assert!(refused(json!([1, 2]), json!([[1], []])).contains("prizes[1]: turned up before"));
    assert!(refused(json!([1]), json!([[1, 2], [2]])).contains("bids[0]: more bids"));
    assert!(refused(json!([9]), json!([[], []])).contains("prizes[0]: got 9"));
    assert!(refused(json!([1, 2]), json!([[1], [2]])).contains("points: got [0,0]; the position has [0,1]"));
}
