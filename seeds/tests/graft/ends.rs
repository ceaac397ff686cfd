//! Hands that run out, both ends of the game, the final score (GR-R13 to R15, Q10, Q16).

use crate::fixture::{
    Position, SHIP, act, compost, configured, hand, last_row, others_play, play, points, row, segment, visit,
};
use playmat_core::env::Env;
use playmat_core::game::{Game, Status};
use playmat_graft::state::Phase;
use serde_json::json;

#[test]
fn gr_r13_all_rows_are_completed_and_all_draw() {
    let mut env = Position::of(3, 1)
        .row(0, "comet_grape silver_fern")
        .hand(0, "sun_melon")
        .row(1, "snack_pack")
        .hand(1, "geode")
        .load();
    let before: Vec<i32> = (0..3).map(|player| points(&env, player)).collect();
    others_play(&mut env);
    assert_eq!(last_row(&env, 0), ["comet_grape", "silver_fern", "sun_melon"]);
    assert!((0..3).all(|player| row(&env, player).is_empty() && hand(&env, player).len() == 5));
    assert_eq!(points(&env, 0) - before[0], 7);
    // Snack Pack and Geode, two cards: 1 + 4.
    assert_eq!(points(&env, 1) - before[1], 5);
    assert_eq!(segment(&env, 0, "ship_card"), [0, 0, 0]);
}

#[test]
fn gr_r13a_q10_with_an_empty_pile_the_game_ends_after_it() {
    let mut env = Position::of(3, 1).pile(0).row(0, "comet_grape").hand(0, "sun_melon").load();
    others_play(&mut env);
    assert_eq!(
        (env.status(), last_row(&env, 0)),
        (Status::Terminated, vec!["comet_grape".into(), "sun_melon".into()])
    );
    assert_eq!(segment(&env, 0, "turns_left"), [1], "a finished game stays in its last turn");
}

#[test]
fn gr_r13a_a_pile_too_small_to_go_round_ends_the_game() {
    let text = crate::fixture::CONTENT.replacen("copies = [1, 0, 0]", "copies = [2, 0, 0]", 1);
    let mut env = Position::of(3, 1).option("content", text).pile(1).load();
    others_play(&mut env);
    assert_eq!((env.status(), env.state().out.total()), (Status::Terminated, 1));
}

#[test]
fn gr_r14_a_ship_card_on_an_empty_pile_ends_the_game() {
    let mut env = Position::of(3, 3).pile(0).row(1, "comet_grape").hand(0, "sun_melon geode").load();
    assert_eq!(segment(&env, 2, "pile_empty"), [1]);
    others_play(&mut env);
    assert_eq!(env.status(), Status::Running, "without a ship card it goes on");
    let mut env = Position::of(3, 3).pile(0).row(1, "comet_grape").hand(0, "sun_melon geode").load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    play(&mut env, 0, "sun_melon");
    assert_eq!(env.status(), Status::Terminated);
    assert!((0..3).all(|player| row(&env, player).is_empty()));
    assert_eq!(last_row(&env, 1)[0], "comet_grape");
    assert_eq!(segment(&env, 2, "ship_card"), [0, 1, 0]);
}

#[test]
fn gr_r14a_q16_a_failed_ship_ends_the_game_too() {
    let mut env =
        Position::of(3, 3).pile(0).row(0, "honeybug").hand(0, "packed_lunch snack_pack energy_bar").load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    play(&mut env, 0, "packed_lunch");
    assert_eq!((env.status(), last_row(&env, 0)), (Status::Terminated, vec!["packed_lunch".into()]));
    assert_eq!(compost(&env, 0), ["honeybug"]);
}

#[test]
fn gr_r14_a_pile_that_empties_in_this_turn_does_not_end_it() {
    let mut env = Position::of(3, 3).pile(9).hand(0, "sun_melon geode").load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    play(&mut env, 0, "sun_melon");
    assert_eq!((env.status(), env.state().pile_size), (Status::Running, 0));
}

#[test]
fn gr_r15b_points_of_completed_rows_never_change_and_may_be_negative() {
    let env = Position::of(3, 4).completed(0, "energy_bar").load();
    assert_eq!(env.state().row_points[0], -2);
    assert_eq!(segment(&env, 0, "points")[0], 30);
    for seed in 0..6 {
        let mut before: Vec<(Vec<u8>, i32)> = vec![(Vec::new(), 0); 3];
        visit(&json!({}), seed, 40, |_, state| {
            for (player, (rows, points)) in before.iter_mut().enumerate() {
                let length = state.completed_len(playmat_core::prelude::Player(player as u8));
                let now = state.completed[player][..length].to_vec();
                assert!(now.starts_with(rows));
                if now == *rows {
                    assert_eq!(state.row_points[player], *points);
                }
                (*rows, *points) = (now, state.row_points[player]);
            }
        });
    }
}

#[test]
fn games_end_within_their_turns_and_bounds() {
    for (players, turns, bound, bytes) in
        [(2, 27, 278, 695), (3, 18, 278, 867), (4, 18, 375, 1057), (5, 18, 474, 1247)]
    {
        let configured = configured(&json!({"players": players}));
        assert_eq!((configured.game.turns(), configured.game.info().max_decisions), (turns, bound));
        assert_eq!(
            (configured.game.info().observation.size(), configured.game.info().num_actions),
            (bytes, 53)
        );
        let mut decisions = 0;
        for seed in 0..200 {
            let mut env = Env::new(configured.clone(), seed);
            while let Some(player) = env.current_player() {
                let action = env.sample_action(player).unwrap();
                env.step(action.0.into()).unwrap();
                decisions += 1;
            }
            assert_eq!(env.state().phase, Phase::End);
            assert!(usize::from(env.state().turn) < turns && usize::from(env.state().turn) + 1 >= turns - 4);
        }
        // About 64, 59, 77 and 94 decisions of uniformly random play.
        let mean = f64::from(decisions) / 200.0;
        let expected = [64.0, 59.0, 77.0, 94.0][players - 2];
        assert!((mean - expected).abs() < 2.0, "{players}: {mean}");
    }
}
