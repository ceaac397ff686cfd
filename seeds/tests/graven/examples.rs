//! The worked examples, with the action numbers of the page.

use crate::fixture::{
    Position, configured, decider, deck, event_names, legal, phase, play_numbers, refused_options, returns,
    seen, survey, texts, zone,
};
use playmat_core::env::Env;
use playmat_core::prelude::*;
use playmat_graven::state::Phase;
use serde_json::json;

#[test]
fn gv_e1_r5_r5a_r7c_the_very_first_turn_puts_one_card_into_play() {
    let first = Position::of(2)
        .stage("play")
        .set("turn", 0)
        .hand(0, "ARC REI")
        .hand(1, "ARC REI SCO")
        .player(1, "had_turn", false);
    let mut env = first.load();
    assert_eq!(legal(&env), [0, 11, 27, 45, 61]);
    play_numbers(&mut env, &[61]);
    // The extra play is lost, the Survey of player 0 alone mills nothing, and player 1 has drawn.
    assert_eq!((decider(&env), phase(&env)), (Some(1), Phase::Play));
    assert_eq!((deck(&env, 0), deck(&env, 1)), (9, 8));
    assert_eq!(seen(&env, None)["plays_left"], 2);
    assert_eq!(zone(&env, 0, "back"), "REI");
}

#[test]
fn gv_e2_r7_those_below_the_highest_mill_the_difference() {
    let mut env = Position::of(2)
        .front(0, "ARC HER SAR")
        .front(1, "ARC HER")
        .hand(0, "PHY")
        .set("humans_played", 1)
        .load();
    assert_eq!((survey(&env, 0), survey(&env, 1)), (5, 2));
    play_numbers(&mut env, &[0]);
    assert_eq!((deck(&env, 0), deck(&env, 1)), (9, 6));
    assert_eq!(event_names(&env, None).iter().filter(|name| *name == "milled").count(), 3);
}

#[test]
fn gv_e3_r2_r7_a_loss_of_three_with_a_deck_of_three() {
    let base = Position::of(2).front(0, "SAR").hand(0, "PHY").set("humans_played", 1);
    let mut env = base.clone().deck(1, 3).load();
    play_numbers(&mut env, &[0]);
    assert_eq!((env.status(), returns(&env)), (Status::Terminated, vec![1.0, -1.0]));
    let mut env = base.deck(1, 4).load();
    play_numbers(&mut env, &[0]);
    // The next draw takes the last card.
    assert_eq!((env.status(), returns(&env)), (Status::Terminated, vec![1.0, -1.0]));
    assert!(event_names(&env, None).contains(&"drawn".to_string()));
}

#[test]
fn gv_e4_r3a_q10_numbers_that_may_be_drawn() {
    let base = Position::of(2).stage("draw");
    assert_eq!(legal(&base.clone().deck(0, 3).load()), [2, 4]);
    assert_eq!(legal(&base.clone().back(0, "MER").deck(0, 9).load()), [2, 3, 4, 5]);
    assert_eq!(legal(&base.clone().back(0, "MER").deck(0, 3).load()), [2, 3, 4]);
    let mut all = base.clone().deck(0, 3).load();
    play_numbers(&mut all, &[4]);
    assert_eq!(returns(&all), [-1.0, 1.0]);
    let mut one = base.deck(0, 3).load();
    play_numbers(&mut one, &[2]);
    assert_eq!((one.status(), deck(&one, 0)), (Status::Running, 2));
}

/// Two Humans were played; an Archer is in front, Ombrel behind, Nuruk in hand.
fn e5() -> Position {
    Position::of(2).front(0, "ARC").back(0, "OMB").hand(0, "NUR").set("humans_played", 2)
}

#[test]
fn gv_e5_r4d_the_only_sacrifice_is_executed() {
    let mut env = e5().load();
    assert_eq!(legal(&env), [0, 38, 72]);
    play_numbers(&mut env, &[38]);
    assert_eq!((zone(&env, 0, "front"), zone(&env, 0, "discard")), ("ARC NUR".into(), "OMB".into()));
    let without = e5().back(0, "").hand(0, "NUR PHY").set("humans_played", 1).load();
    assert!(!legal(&without).contains(&38) && !legal(&without).contains(&72));
}

#[test]
fn gv_e6_r2a_q2_one_may_invoke_into_the_own_loss() {
    let mut env = e5().discard(0, "VIR HES").load();
    assert_eq!(legal(&env), [0, 38, 72]);
    play_numbers(&mut env, &[38]);
    assert_eq!(returns(&env), [-1.0, 1.0]);
    assert_eq!((zone(&env, 0, "hand"), zone(&env, 0, "front")), ("NUR".into(), "ARC".into()));
    assert!(event_names(&env, None).contains(&"lost".to_string()));
}

#[test]
fn gv_e7_r7b_q3_losses_are_milled_together() {
    let mut env = Position::of(3)
        .stage("effect")
        .front(0, "HER*3 OMB")
        .front(1, "HER")
        .front(2, "HER*2")
        .hand(0, "DEF")
        .deck(1, 5)
        .deck(2, 4)
        .load();
    play_numbers(&mut env, &[0]);
    assert_eq!((env.status(), returns(&env)), (Status::Terminated, vec![1.0, -0.5, -0.5]));
    let lost = env.events(None).unwrap();
    assert_eq!(lost.iter().filter(|event| event["event"] == "lost").count(), 2);
}

#[test]
fn gv_e8_q3_r17_both_decks_empty_in_one_step_is_a_draw() {
    let mut env = Position::of(2)
        .front(0, "MAR ARC")
        .hand(0, "NUR")
        .deck(0, 2)
        .deck(1, 1)
        .set("humans_played", 2)
        .load();
    play_numbers(&mut env, &[38]);
    assert_eq!((env.status(), returns(&env)), (Status::Terminated, vec![0.0, 0.0]));
    assert_eq!(zone(&env, 0, "front"), "NUR");
    assert_eq!(env.configured().game.winners(env.state()).len(), 2);
}

#[test]
fn gv_e9_r15_r18a_r20_a_stolen_card_goes_to_its_owner() {
    let mut env = Position::of(2)
        .stage("effect")
        .back(0, "SAP")
        .back(1, "GOL")
        .foreign(1, "back", "DRI", 0)
        .hand(1, "PHY")
        .load();
    play_numbers(&mut env, &[96]);
    assert_eq!(legal(&env), [289, 310]);
    play_numbers(&mut env, &[289]);
    assert_eq!(zone(&env, 0, "discard"), "DRI SAP");
    // The Physician of player 1 opened no decision: it did not own the Drillmaster.
    assert_ne!(phase(&env), Phase::Window);
    assert_eq!(zone(&env, 1, "hand").split(' ').filter(|id| *id == "PHY").count(), 1);
}

#[test]
fn gv_e10_r1a_cards_that_can_be_picked() {
    let building = |deck: &str| {
        let position = Position {
            json: json!({"turn_player": 0, "stage": "build", "players": [{"deck": crate::fixture::counts(deck)}, {"deck": crate::fixture::counts(deck)}]}),
            options: json!({"decks": "build"}),
        };
        legal(&position.load())
    };
    let humans = "ACO*3 ARC*3 BLA*3 CON*3 DEF*3 DRI*3 GAR*3 GRA*3";
    assert_eq!(building(&format!("{humans} HAR*3")), (170..180).collect::<Vec<u16>>());
    let nine: Vec<u16> = (170..180).filter(|a| *a != 146 + 28).collect();
    assert_eq!(building(&format!("{humans} HAR*3 NUR")), nine);
    let others: Vec<u16> = (154..170).chain(172..180).collect();
    assert_eq!(building(&format!("{humans} HAR BEL CAT")), others);
}

#[test]
fn gv_e11_r1a_every_fault_of_a_listed_deck_is_reported() {
    let mut cards = vec!["ARC"; 4];
    cards.extend(["NUR", "NUR", "Archr"]);
    for id in ["BLA", "CON", "DEF", "DRI", "GAR", "GRA", "HAR"] {
        cards.extend([id, id, id]);
    }
    cards.push("HER");
    assert_eq!(cards.len(), 29);
    let said = refused_options(&json!({"decks": [cards, "vanguard"]}));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 5, "{said}");
    for (line, part) in lines.iter().zip([
        "player 0: no card is called `Archr` (did you mean `Archer`?)",
        "player 0: 29 cards; a deck has 30",
        "player 0: 4 copies of Archer; at most 3 of a Human",
        "player 0: 2 copies of Nuruk; at most 1 of a Titan",
        "player 0: 1 Titan; at least 3 of different names",
    ]) {
        assert!(line.contains(part), "{line}: {part}");
    }
}

#[test]
fn gv_e12_r19_r7a_passives_on_the_front_line() {
    let base = |titan: &str, back: &str| {
        Position::of(2)
            .front(0, &format!("MER SHI VIR HER*2 {titan}"))
            .back(0, back)
            .front(1, "")
            .stage("draw")
            .hand(0, "ARC")
            .load()
    };
    // Survey Score, ward against a loss of 20, draws beyond one.
    let found = |env: &Env<playmat_graven::Graven>| (survey(env, 0), texts(env).len() - 1);
    // With a single number the draw is executed, and the Play Phase is the decision.
    let forced = |env: &Env<playmat_graven::Graven>| (survey(env, 0), phase(env));
    assert_eq!(found(&base("HES", "")), (14, 1));
    assert_eq!(found(&base("GOL", "BLA")), (10, 1));
    assert_eq!(found(&base("GOL", "HES")), (14, 1));
    assert_eq!(forced(&base("GOL", "")), (10, Phase::Play));
}

#[test]
fn gv_e12_r7b_wards_on_the_front_line() {
    let loss = |titan: &str, back: &str| {
        let mut env = Position::of(2)
            .front(0, &format!("MER SHI VIR HER*2 {titan}"))
            .back(0, back)
            .front(1, "ARC*3 DEF*3 DRI*3 GAR*3 SAR OMB NUR")
            .deck(0, 20)
            .stage("effect")
            .hand(0, "DEF")
            .load();
        let before = i64::from(deck(&env, 0));
        let gap = survey(&env, 1) - survey(&env, 0);
        play_numbers(&mut env, &[0]);
        gap - (before - i64::from(deck(&env, 0)))
    };
    assert_eq!([loss("HES", ""), loss("GOL", "BLA"), loss("GOL", "HES"), loss("GOL", "")], [2, 2, 7, 0]);
}

#[test]
fn gv_e13_r2a_r17a_conscripts_milled_by_a_survey() {
    let base = Position::of(2).stage("effect").cards(1, "CON*3");
    // Nothing can be used: the position plays on through the Survey.
    let lost = base.clone().front(0, "SAR").load();
    assert_eq!((lost.status(), returns(&lost)), (Status::Terminated, vec![1.0, -1.0]));
    assert_eq!((zone(&lost, 1, "back"), zone(&lost, 1, "discard")), ("".into(), "CON*3".into()));
    let env = base.front(0, "ARC HER").load();
    // Two are milled; one comes back, the other stays, once per turn.
    assert_eq!((zone(&env, 1, "back"), zone(&env, 1, "discard")), ("CON".into(), "CON".into()));
}

#[test]
fn gv_e14_r4d_r15a_q2_the_third_titan_of_its_owner() {
    let mut env = Position::of(2)
        .front(0, "ARC")
        .foreign(0, "front", "GOL", 1)
        .hand(0, "NUR")
        .discard(1, "VIR HES")
        .set("humans_played", 2)
        .load();
    play_numbers(&mut env, &[38]);
    assert_eq!((env.status(), returns(&env)), (Status::Terminated, vec![1.0, -1.0]));
    assert_eq!(zone(&env, 1, "discard"), "GOL HES VIR");
    assert!(configured(&json!({})).game.info().num_actions == 318);
}
