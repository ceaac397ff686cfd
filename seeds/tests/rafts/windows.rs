//! Windows: who decides, in which order, and that nobody else learns of it (RA-R17 and its rulings).

use crate::fixture::{
    Position, decider, discards, event_names, every_position, last, legal, observed, on_bench, phase,
    play_numbers, player_state, seen, supplies,
};
use playmat_core::prelude::*;
use playmat_rafts::state::Phase;
use serde_json::{Value, json};

/// Player 0 displaces a gene; players 1 and 2 hold a Serendipity.
fn two_snatchers() -> Position {
    Position::of(4).hand(0, "lux EC").bench(0, "- phaC").hand(1, "SE BS").hand(2, "SE BS").hand(3, "BS")
}

#[test]
fn ra_r17_q7a_the_first_to_play_gets_the_card_and_the_others_keep_theirs() {
    let mut env = two_snatchers().load();
    play_numbers(&mut env, &[6]);
    assert_eq!((decider(&env), legal(&env)), (Some(1), vec![27, 33]));
    play_numbers(&mut env, &[27]);
    assert_eq!(
        (decider(&env), phase(&env)),
        (Some(0), Phase::Main),
        "player 2 does not decide about that card"
    );
    assert_eq!((on_bench(&env, 1, 0), player_state(&env, 2).hand[27]), ("- phaC".into(), 1));
}

#[test]
fn ra_r17a_the_shield_window_goes_from_the_left_neighbour_to_the_turn_player() {
    let shields = "BG time";
    let mut env = Position::of(4)
        .turn_of(2)
        .hand(2, "PO BG EC")
        .supplies(2, "time")
        .hand(0, shields)
        .supplies(0, "time")
        .hand(1, "BS")
        .supplies(1, "time")
        .hand(3, "BS")
        .supplies(3, "time")
        .load();
    play_numbers(&mut env, &[22]);
    // Players 3 and 1 hold no shield; player 2 is the last.
    assert_eq!((decider(&env), legal(&env)), (Some(0), vec![28, 33]));
    assert_eq!(seen(&env, Some(1))["shielded"], json!([]));
    play_numbers(&mut env, &[28]);
    // Its shield is visible to whoever decides later.
    assert_eq!((decider(&env), seen(&env, Some(2))["shielded"].clone()), (Some(2), json!([0])));
    assert_eq!(crate::fixture::segment(&env, 2, "other2_exempt"), [1]);
    play_numbers(&mut env, &[28]);
    assert_eq!([0, 1, 2, 3].map(|player| supplies(&env, player)[0]), [1, 0, 1, 0]);
    assert_eq!(seen(&env, Some(1))["shielded"], json!([]), "it holds for this window only");
}

#[test]
fn ra_r17a_r11_a_shield_needs_something_to_lose() {
    let mut env = Position::of(3)
        .hand(0, "PO EC")
        .supplies(0, "time")
        .hand(1, "BG")
        .hand(2, "BG")
        .supplies(2, "time")
        .load();
    play_numbers(&mut env, &[22]);
    assert_eq!(decider(&env), Some(2));
}

#[test]
fn ra_r17b_the_turn_player_does_not_decide_and_goes_on() {
    let mut env = Position::of(2).hand(0, "lux SE EC").bench(0, "- phaC").load();
    play_numbers(&mut env, &[6]);
    assert_eq!((decider(&env), phase(&env), legal(&env)), (Some(0), Phase::Main, vec![0, 27, 32]));
    // Each card that comes into the discards opens a window, whatever brought it there.
    let causes: [(&str, &[i64], &str); 4] = [
        ("FC EC", &[20], "medium"),
        ("AS EC", &[21], "BS"),
        ("UE EC", &[23], "money"),
        ("IE time", &[18, 70], "DR"),
    ];
    for (hand, actions, what) in causes {
        let mut env = Position::of(3)
            .hand(0, hand)
            .bench(0, "DR -")
            .bench(1, "BS lux")
            .supplies(1, "medium money")
            .hand(2, "SE")
            .goals(2, &["blood"])
            .load();
        play_numbers(&mut env, actions);
        let expected = if what == "BS" { "DR" } else { what };
        assert_eq!((decider(&env), last(&env)), (Some(2), Some(expected.into())), "{hand}");
    }
}

#[test]
fn ra_r17c_q9_a_displaced_card_opens_the_next_window_for_everybody() {
    let mut env = two_snatchers().bench(1, "- HBB").hand(1, "SE*2 BS").load();
    play_numbers(&mut env, &[6, 33]);
    assert_eq!(decider(&env), Some(2));
    // Player 2 displaces nothing: the chain is over.
    play_numbers(&mut env, &[27]);
    assert_eq!((decider(&env), phase(&env)), (Some(0), Phase::Main));
    // Player 1 snatches, displaces its own, and decides again, before player 2, who has not decided yet.
    let mut env = two_snatchers().bench(1, "- HBB").hand(1, "SE*2 BS").load();
    play_numbers(&mut env, &[6, 27]);
    assert_eq!((decider(&env), last(&env)), (Some(1), Some("HBB".into())));
    play_numbers(&mut env, &[27]);
    assert_eq!(
        (on_bench(&env, 1, 0), last(&env), decider(&env)),
        ("- HBB".into(), Some("phaC".into()), Some(2))
    );
    play_numbers(&mut env, &[33]);
    assert_eq!((decider(&env), discards(&env)), (Some(0), json!({"phaC": 1})));
}

#[test]
fn ra_r17c_a_player_who_passed_decides_about_the_next_card() {
    let mut env = two_snatchers().bench(2, "- HBB").load();
    play_numbers(&mut env, &[6, 33, 27]);
    assert_eq!((decider(&env), last(&env)), (Some(1), Some("HBB".into())));
}

#[test]
fn ra_r17d_only_holders_that_can_place_decide() {
    let base = Position::of(3).hand(0, "FC EC").supplies(1, "medium*2");
    let mut env = base.clone().hand(1, "SE").hand(2, "SE").supplies(2, "medium*2").load();
    play_numbers(&mut env, &[20, 69]);
    // Player 1 has room again, player 2 has none.
    assert_eq!(decider(&env), Some(1));
    play_numbers(&mut env, &[33]);
    assert_eq!(decider(&env), Some(0));
    let mut env = base.hand(1, "BS").hand(2, "BG").load();
    play_numbers(&mut env, &[20]);
    assert_eq!(decider(&env), Some(0));
}

#[test]
fn ra_r17b_r12b_a_card_of_either_bench_can_be_snatched() {
    for (bench, displaced) in [(37, "EC"), (38, "PP")] {
        let mut env = Position::of(2).hand(0, "BS time").lab(0, "EC lux", "PP -").hand(1, "SE").load();
        play_numbers(&mut env, &[1, bench]);
        assert_eq!(
            (decider(&env), phase(&env), last(&env)),
            (Some(1), Phase::Snatch, Some(displaced.into()))
        );
        play_numbers(&mut env, &[27]);
        assert_eq!((on_bench(&env, 1, 0), discards(&env)), (format!("{displaced} -"), json!({})));
    }
}

/// Everything that a player receives of a position.
fn view(env: &playmat_core::env::Env<playmat_rafts::Rafts>, player: u8) -> (Vec<u8>, Value, String, String) {
    let game = &env.configured().game;
    let state = env.state();
    (
        observed(game, state, player),
        game.describe(state, Some(Player(player))),
        game.draw_text(state, Some(Player(player))),
        game.draw_svg(state, Some(Player(player))),
    )
}

#[test]
fn ra_r17e_q8_nothing_shows_that_somebody_decided_or_passed() {
    // The same position with and without Serendipities in other hands: players who do not decide see no difference.
    let with = two_snatchers();
    let without = two_snatchers().hand(1, "IE BS").hand(2, "IE BS");
    let (mut with_windows, mut without_windows) = (with.load(), without.load());
    play_numbers(&mut with_windows, &[6]);
    play_numbers(&mut without_windows, &[6]);
    assert_eq!((decider(&with_windows), decider(&without_windows)), (Some(1), Some(0)));
    assert_eq!(view(&with_windows, 3), view(&without_windows, 3));
    assert_eq!(event_names(&with_windows, Some(3)), event_names(&without_windows, Some(3)));
    let open = view(&with_windows, 3);
    for waiting in [2, 0] {
        play_numbers(&mut with_windows, &[33]);
        assert_eq!((decider(&with_windows), view(&with_windows, 3)), (Some(waiting), open.clone()));
        assert_eq!(event_names(&with_windows, Some(3)), Vec::<String>::new(), "a pass is no event");
    }
    // The same in a shield window: player 2 sees what it saw before player 1 passed.
    let shields =
        Position::of(4).hand(0, "PO EC").supplies(0, "time").supplies(1, "time").supplies(3, "time");
    let mut env = shields.hand(1, "BG").hand(3, "BG").hand(2, "BS").load();
    play_numbers(&mut env, &[22]);
    let before = view(&env, 2);
    play_numbers(&mut env, &[33]);
    assert_eq!((decider(&env), view(&env, 2)), (Some(3), before));
}

#[test]
fn ra_r17e_views_depend_on_no_cursor() {
    let mut compared = 0;
    every_position(&json!({"players": 4}), 0..6, |env| {
        let state = env.state();
        if !matches!(state.phase, Phase::Shield | Phase::Snatch) {
            return;
        }
        let game = &env.configured().game;
        for other in 0..4 {
            let mut moved = *state;
            moved.cursor = other;
            for viewer in (0..4).filter(|viewer| *viewer != other && *viewer != state.cursor) {
                assert_eq!(observed(game, state, viewer), observed(game, &moved, viewer));
                let player = Some(Player(viewer));
                assert_eq!(game.describe(state, player), game.describe(&moved, player));
                assert_eq!(game.draw_text(state, player), game.draw_text(&moved, player));
                assert_eq!(game.draw_svg(state, player), game.draw_svg(&moved, player));
                compared += 1;
            }
        }
    });
    assert!(compared > 30, "{compared}");
}

#[test]
fn ra_r17f_there_are_no_other_windows() {
    // None in the draw phase, none between the choices of one play, none against a victory.
    let mut env = Position::of(2).hand(0, "EC").hand(1, "SE BG AR SV").discards("lux", Some("lux")).load();
    play_numbers(&mut env, &[32, 35]);
    assert_eq!((decider(&env), phase(&env)), (Some(0), Phase::Draw));
    let mut env = Position::of(2)
        .hand(0, "IE time")
        .bench(0, "BS -")
        .bench(1, "PP lux")
        .hand(1, "SE")
        .discards("merA", Some("merA"))
        .load();
    play_numbers(&mut env, &[18]);
    assert_eq!((decider(&env), phase(&env)), (Some(0), Phase::Steal));
    let win = Position::of(2)
        .hand(0, "IL10 EC")
        .goals(0, &["probiotic"])
        .bench(0, "LL nisA")
        .supplies(0, "time money medium")
        .hand(1, "EC BG AR SV");
    let mut env = win.load();
    play_numbers(&mut env, &[12]);
    assert_eq!(phase(&env), Phase::Won);
    // Whoever could snatch, and has sabotage besides, cannot answer it either.
    let mut env = win
        .bench(0, "LL IL10")
        .supplies(0, "time money")
        .hand(0, "medium EC")
        .hand(1, "SE IE AS")
        .discards("lux", Some("lux"))
        .load();
    play_numbers(&mut env, &[16]);
    assert_eq!(phase(&env), Phase::Won);
}

#[test]
fn ra_r17b_the_window_comes_before_the_victory_check() {
    // The displaced gene is offered first; the turn player wins when the main phase goes on.
    let mut env = Position::of(2)
        .hand(0, "IL10 EC")
        .goals(0, &["probiotic"])
        .bench(0, "LL nisA")
        .supplies(0, "time money medium")
        .hand(1, "SE BG")
        .load();
    play_numbers(&mut env, &[12]);
    assert_eq!((decider(&env), phase(&env)), (Some(1), Phase::Snatch));
    play_numbers(&mut env, &[33]);
    assert_eq!(phase(&env), Phase::Won);
}

#[test]
fn ra_q7_r22_losses_follow_the_order_of_players() {
    // The last one of a spill is the turn player's: bench 0 before bench 1.
    let mut env = Position::of(3)
        .turn_of(1)
        .hand(1, "AS time")
        .lab(1, "EC -", "BS -")
        .bench(0, "PP -")
        .bench(2, "DR -")
        .load();
    play_numbers(&mut env, &[21]);
    let reported: Vec<Value> = env
        .events(Some(Player(0)))
        .unwrap()
        .into_iter()
        .filter(|event| event["event"] == "discarded")
        .map(|event| json!([event["player"], event["card"]]))
        .collect();
    assert_eq!(reported, [json!([2, "DR"]), json!([0, "PP"]), json!([1, "EC"]), json!([1, "BS"])]);
    assert_eq!(last(&env), Some("BS".into()));
}

#[test]
fn ra_q7b_no_window_without_a_card_that_went_to_the_discards() {
    let mut env = Position::of(2).hand(0, "lux time EC").hand(1, "SE").discards("phaC", Some("phaC")).load();
    play_numbers(&mut env, &[6, 14]);
    assert_eq!((decider(&env), phase(&env)), (Some(0), Phase::Main));
}
