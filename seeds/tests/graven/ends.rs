//! Losing, elimination and the end: GV-R2, Q2 to Q5a, Q13, Q18, Q20.

use crate::fixture::{
    Position, configured, decider, deck, every_position, phase, play, play_numbers, player_state, returns,
    seen, segment, texts, zone,
};
use playmat_core::env::Env;
use playmat_core::prelude::*;
use playmat_graven::state::{Cards, Phase, PlayerState};
use serde_json::json;

/// Three players; player 1 is about to be milled to nothing by Nuruk.
fn three() -> Position {
    Position::of(3).stage("effect").back(0, "NUR").hand(0, "DEF").deck(1, 5).deck(2, 20)
}

#[test]
fn gv_q5_the_cards_of_a_loser_leave_the_game() {
    let mut env = three()
        .front(1, "HER")
        .foreign(1, "front", "ARC", 0)
        .foreign(1, "back", "DRI", 2)
        .foreign(0, "back", "SAP", 1)
        .foreign(2, "front", "JES", 1)
        .discard(1, "VIR")
        .load();
    play(&mut env, &["activate NUR"]);
    assert_eq!(*player_state(&env, 1), PlayerState::EMPTY);
    assert!(env.state().field.iter().flatten().all(|line| line[1] == Cards::EMPTY));
    // Cards of others went openly to their owners' hands.
    assert_eq!((zone(&env, 0, "known_hand"), zone(&env, 2, "known_hand")), ("ARC".into(), "DRI".into()));
    assert_eq!((env.status(), env.state().in_game), (Status::Running, 0b101));
    for name in [
        "other1_front",
        "other1_unseen",
        "other1_deck_size",
        "other1_in_game",
        "other1_had_turn",
        "other1_list_open",
        "other1_modifier",
    ] {
        assert!(segment(&env, 0, name).iter().all(|&byte| byte == 0), "{name}");
    }
    // Turn order skips the loser: nothing was left to use, and player 2 decides.
    assert_eq!((env.state().turn_player, decider(&env)), (2, Some(2)));
}

#[test]
fn gv_q5_a_loss_that_ends_the_game_moves_no_card() {
    let mut env =
        Position::of(2).stage("effect").back(0, "NUR").foreign(1, "front", "ARC", 0).deck(1, 5).load();
    play(&mut env, &["activate NUR"]);
    assert_eq!(returns(&env), [1.0, -1.0]);
    assert_eq!(zone(&env, 0, "hand"), "");
    assert_eq!(seen(&env, None)["players"][1]["front_foreign"][0]["card"], "ARC");
    assert!(segment(&env, 1, "hand").iter().all(|&byte| byte == 0));
    assert_eq!(env.scores()[..2], [9, 0]);
}

#[test]
fn gv_q5a_if_t_loses_the_turn_ends_without_a_survey() {
    // The Plague Doctor's cost empties the own deck; nobody mills for the Survey.
    let mut env = Position::of(3).stage("effect").back(0, "PLA").deck(0, 1).front(1, "SAR").load();
    play(&mut env, &["activate PLA"]);
    assert_eq!((env.state().turn_player, env.state().turns), (1, 4));
    assert_eq!((deck(&env, 1), deck(&env, 2)), (9, 9));
}

#[test]
fn gv_q5a_the_rest_of_the_queue_is_resolved() {
    // T invokes: the sacrificed Titan of player 1 makes no difference, the own third Titan does: T is out, and the Titan stays
    // out of play. The Martyr of player 2 that was sacrificed, too, still mills.
    let mut env = Position::of(3)
        .hand(0, "NUR PHY")
        .foreign(0, "front", "MAR", 2)
        .foreign(0, "front", "CON", 1)
        .discard(0, "VIR HES")
        .back(0, "OMB")
        .load();
    play(&mut env, &["invoke NUR to back", "target OMB on back of player 0"]);
    assert!(!env.state().plays(0));
    assert_eq!(zone(&env, 2, "known_hand"), "MAR", "returned, not discarded");
    assert_eq!(env.state().turn_player, 1);
    let mut env = Position::of(3)
        .hand(0, "NUR PHY")
        .foreign(0, "front", "MAR", 2)
        .front(0, "JES")
        .deck(0, 1)
        .back(0, "PLA")
        .load();
    play(
        &mut env,
        &["invoke NUR to back", "target JES on front of player 0", "target MAR on front of player 0"],
    );
    // The Martyr is player 2's: everybody mills two; T has lost by that.
    assert_eq!((env.state().plays(0), deck(&env, 2)), (false, 7));
    assert_eq!(env.state().turn_player, 1);
}

#[test]
fn gv_q5a_steps_aimed_at_a_loser_are_skipped() {
    let content = crate::fixture::standard().replace(
        "do = [ { verb = \"mill\", n = 3, who = \"opponent\" } ]",
        "do = [ { verb = \"mill\", n = 9, who = \"opponent\" }, { verb = \"survey\", n = -3, who = \"opponent\" }, { verb = \"draw\", n = 1 } ]",
    );
    let mut env = Position::of(3).option("content", content).stage("effect").back(0, "PLA").deck(1, 9).load();
    play(&mut env, &["activate PLA", "player 1"]);
    assert_eq!(*player_state(&env, 1), PlayerState::EMPTY, "not even a modifier");
    assert_eq!((player_state(&env, 0).hand.total(), player_state(&env, 2).modifier), (1, 0));
}

#[test]
fn gv_q3_those_who_lost_last_share() {
    let mut env = Position::of(3)
        .hand(0, "NUR")
        .front(0, "MAR ARC")
        .set("humans_played", 2)
        .deck(0, 2)
        .deck(1, 1)
        .deck(2, 9)
        .load();
    play(&mut env, &["invoke NUR to front"]);
    assert_eq!((env.status(), returns(&env)), (Status::Terminated, vec![-0.5, -0.5, 1.0]));
    let mut env = Position::of(3)
        .hand(0, "NUR")
        .front(0, "MAR ARC")
        .set("humans_played", 2)
        .deck(0, 2)
        .deck(1, 1)
        .deck(2, 2)
        .load();
    play(&mut env, &["invoke NUR to front"]);
    assert_eq!(returns(&env), [0.0, 0.0, 0.0]);
    // Of those who lost before nobody shares.
    let mut env = Position::of(3)
        .player(2, "in_game", false)
        .player(2, "deck", json!({}))
        .hand(0, "NUR")
        .front(0, "MAR ARC")
        .set("humans_played", 2)
        .deck(0, 2)
        .deck(1, 1)
        .load();
    play(&mut env, &["invoke NUR to front"]);
    assert_eq!(returns(&env), [0.25, 0.25, -0.5]);
}

#[test]
fn gv_q18_titans_count_whatever_brought_them_there() {
    // Milled: three of seven cards, so now and then.
    let position =
        Position::of(2).stage("effect").back(0, "PLA").discard(1, "VIR HES").cards(1, "GOL ARC*3 DRI*3");
    let mut lost = 0;
    for seed in 0..20 {
        let mut env = position.load_with(seed);
        play(&mut env, &["activate PLA"]);
        let fallen = zone(&env, 1, "discard").contains("GOL");
        assert_eq!(env.status() == Status::Terminated, fallen);
        lost += u32::from(fallen);
    }
    assert!((1..20).contains(&lost), "{lost}");
    // Discarded.
    let mut env = Position::of(2).hand(0, "SPY PHY").hand(1, "GOL").discard(1, "VIR HES").load();
    play(&mut env, &["play SPY to back"]);
    assert_eq!((env.status(), returns(&env)), (Status::Terminated, vec![1.0, -1.0]));
}

#[test]
fn gv_q13_random_games_end_by_themselves() {
    let mut longest = 0;
    for players in 2..=4 {
        every_position(&json!({"players": players, "decks": "random"}), 0..40, |env| {
            longest = longest.max(env.state().turns);
            if env.current_player().is_none() {
                assert_eq!(env.status(), Status::Terminated);
                assert!(env.state().turns < [62, 96, 132][players - 2]);
            }
        });
    }
    assert!(longest > 10, "{longest}");
}

#[test]
fn gv_q13_max_turns_truncates_and_those_left_share() {
    let configured = configured(&json!({"max_turns": 3, "players": 3}));
    let mut env = Env::new(configured, 1);
    while env.current_player().is_some() {
        let player = env.current_player().unwrap();
        let action = env.sample_action(player).unwrap();
        env.step(action.0.into()).unwrap();
    }
    assert_eq!((env.status(), phase(&env), env.state().turns), (Status::Truncated, Phase::Cut, 3));
    assert_eq!(returns(&env), [0.0, 0.0, 0.0]);
    assert_eq!(env.state().turn_player, 2, "T stays T");
    assert_eq!(segment(&env, 0, "budget_clock"), [255]);
}

#[test]
fn gv_q13_what_goes_on_too_long_in_a_turn_is_dropped() {
    // A hand effect that recovers its own card can be used for ever.
    let content = crate::fixture::standard().replace(
        "when = \"hand\"\n  do = [ { verb = \"survey\", n = 2, who = \"you\" } ]",
        "when = \"hand\"\n  do = [ { verb = \"draw\", n = 1, who = \"opponent\" }, { verb = \"recover\", target = \"self\" } ]",
    );
    let content = content
        .replace("verb = \"draw\", n = 1, who = \"opponent\"", "verb = \"survey\", n = 1, who = \"you\"");
    let mut env =
        Position::of(2).option("content", content).stage("effect").hand(0, "HER").back(0, "PLA").load();
    let mut count = 0;
    while decider(&env) == Some(0) {
        play(&mut env, &["use HER from hand"]);
        count += 1;
    }
    assert_eq!((count, env.state().turns), (400, 3));
    assert_eq!(env.state().turn_decisions, 0);
}

#[test]
fn gv_q20_the_score_is_the_own_deck() {
    let env = Position::of(2).deck(0, 7).hand(0, "PHY").load();
    assert_eq!(env.scores()[..2], [7, 9]);
    assert!(texts(&env).len() == 3);
}

#[test]
fn gv_r2_three_own_titans_in_the_pile() {
    let mut env = Position::of(2)
        .stage("effect")
        .back(0, "SAP")
        .back(1, "GOL")
        .discard(1, "VIR HES")
        .hand(0, "PHY")
        .load();
    play_numbers(&mut env, &[96]);
    assert_eq!((env.status(), returns(&env)), (Status::Terminated, vec![1.0, -1.0]));
}
