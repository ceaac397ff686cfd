//! Sailing, taking, supplying or not: the turn but for payments and abilities.

use crate::fixture::{
    Position, act, due, event_names, events, legal, legal_texts, owner, phase, play, seen, sizes,
    visit_halves,
};
use playmat_core::game::{Game, Status};
use playmat_core::prelude::*;
use serde_json::json;

#[test]
fn gx_r4_turns_alternate_between_a_card_and_cards() {
    let mut env = Position::of("a").load();
    assert_eq!(legal_texts(&env), ["sail R", "sail F", "sail G", "take"]);
    play(&mut env, &["take"]);
    assert_eq!((env.current_player(), sizes(&env, 0)), (Some(Player(1)), [5, 27, 0]));
    play(&mut env, &["sail R", "go 25:5"]);
    assert_eq!((env.current_player(), sizes(&env, 1)), (Some(Player(0)), [2, 29, 1]));
}

#[test]
fn gx_r4a_q13_who_cannot_act_is_passed_over() {
    // Player 1 has neither hand nor deck: player 0 goes on alone, to the end.
    let position = Position::of("a").hand(0, "R F").deck(0, "").hand(1, "").deck(1, "");
    let mut env = position.load();
    play(&mut env, &["sail R", "go 0:2"]);
    // The last card, of a single kind, is sailed by a forced move.
    assert_eq!((env.current_player(), phase(&env)), (Some(Player(0)), "move".into()));
    play(&mut env, &["go 0:2"]);
    assert_eq!(env.status(), Status::Terminated);
    // In hard mode an empty hand is the end of one's turns, whatever the deck holds.
    let hard = position.hand(1, "").set("decks", json!([{}, null])).option("hard", true);
    let mut env = hard.load();
    assert_eq!(legal_texts(&env), ["sail R", "sail F"]);
    play(&mut env, &["sail R", "go 0:2"]);
    assert_eq!(env.current_player(), Some(Player(0)));
}

#[test]
fn gx_r5_a_card_is_discarded_and_the_ship_moves_up_to_its_sail() {
    let mut env = Position::of("a").hand(0, "RRR G").load();
    play(&mut env, &["sail RRR"]);
    assert_eq!((seen(&env, None)["range"].clone(), sizes(&env, 0)), (json!(3), [1, 30, 1]));
    let cells: Vec<String> = legal_texts(&env);
    assert_eq!(cells, ["go 0:0", "go 0:1", "go 0:2", "go 1:0", "go 1:1", "go 1:2"]);
    play(&mut env, &["go 1:0"]);
    assert_eq!(seen(&env, None)["ships"][0], json!([1, 0]));
    assert_eq!(seen(&env, None)["discards"][0], json!({"RRR": 1}));
}

#[test]
fn gx_r5a_q1_q2_e4_how_far_a_ship_goes() {
    let position = Position::of("a").hand(0, "RRFF R");
    let mut env = position.load();
    assert!(legal(&env).contains(&19));
    play(&mut env, &["sail RRFF"]);
    assert_eq!(legal(&env), [97, 98, 99, 101]);
    assert_eq!(legal_texts(&env), ["go 0:0", "go 0:1", "go 0:2", "go 1:1"]);
    let mut env = position.clone().ship(1, 0, 1).load();
    play(&mut env, &["sail RRFF"]);
    assert_eq!(legal(&env), [97, 99, 101], "the other ship is passed, not stopped on");
    let mut env = position.ship(1, 0, 1).option("ships", "share").load();
    play(&mut env, &["sail RRFF"]);
    assert_eq!(legal(&env), [97, 98, 99, 101]);
    play(&mut env, &["go 0:1"]);
    assert_eq!(seen(&env, None)["ships"], json!([[0, 1], [0, 1]]));
}

#[test]
fn a_ship_with_nowhere_to_go_stays_without_a_decision() {
    // A card that sails one step, from other content; the only cell next to (0,2) is the other ship's.
    let text = include_str!("../../content/gravitix.toml");
    let slow = text.replace(r#"id = "RRFF", sail = 2"#, r#"id = "RRFF", sail = 1"#);
    assert_ne!(text, slow);
    let position = Position::of("a").option("content", slow).ship(1, 0, 1).hand(0, "RRFF R");
    let mut env = position.load();
    play(&mut env, &["sail RRFF"]);
    assert_eq!(
        (env.current_player(), seen(&env, None)["ships"][0].clone()),
        (Some(Player(1)), json!([0, 2]))
    );
    let mut env = position.option("ships", "share").load();
    play(&mut env, &["sail RRFF"]);
    assert_eq!(legal_texts(&env), ["go 0:1", "go 0:2"]);
}

#[test]
fn gx_q1_islands_are_passed_and_stopped_on_claimed_or_not() {
    let mut env = Position::of("a").own(1, &[0]).hand(0, "RRFF R").load();
    play(&mut env, &["sail RRFF", "go 1:1"]);
    assert_eq!(
        (env.current_player(), seen(&env, None)["ships"][0].clone()),
        (Some(Player(1)), json!([1, 1]))
    );
    // The start in the corner is not a prison: (0,1) is the other ship's.
    let mut env = Position::of("a").ship(1, 0, 1).hand(0, "RR G").load();
    play(&mut env, &["sail RR"]);
    assert!(legal_texts(&env).contains(&"go 2:1".into()), "{:?}", legal_texts(&env));
}

#[test]
fn gx_q2_staying_is_landing() {
    let position = Position::of("a").ship(0, 1, 1).hand(0, "R F G W");
    let mut env = position.load();
    play(&mut env, &["sail W", "go 1:1"]);
    assert_eq!((phase(&env), sizes(&env, 0)), ("supply".into(), [3, 28, 1]));
    play(&mut env, &["supply", "pay R", "pay F"]);
    assert_eq!(owner(&env, 0), Some(0), "the last card was forced");
}

#[test]
fn gx_r6_q25_supplying_is_offered_where_the_move_ends_and_may_be_declined() {
    let position = Position::of("a").hand(0, "R F G RR");
    let mut env = position.clone().land(0);
    assert_eq!(
        (phase(&env), legal_texts(&env)),
        ("supply".into(), vec!["supply".to_string(), "decline".into()])
    );
    play(&mut env, &["decline"]);
    assert_eq!((env.current_player(), owner(&env, 0), sizes(&env, 0)[0]), (Some(Player(1)), None, 4));
    // Later, after another move that ends there.
    play(&mut env, &["take", "sail RR", "go 1:1"]);
    assert_eq!(phase(&env), "supply");
    // A claimed island is not offered, nor one that the ship only passes.
    let env = position.clone().own(1, &[0]).land(0);
    assert_eq!(env.current_player(), Some(Player(1)));
    let mut env = position.load();
    play(&mut env, &["sail RR", "go 2:1"]);
    assert_eq!(env.current_player(), Some(Player(1)));
    let mut env = Position::of("a").hand(0, "R F G").land(0);
    play(&mut env, &["supply", "pay R", "pay F"]);
    assert_eq!((owner(&env, 0), sizes(&env, 0)), (Some(0), [2, 26, 4]), "two cards of the island were drawn");
}

#[test]
fn gx_r6a_the_card_sailed_with_pays_nothing() {
    // a0 wants 1/1/1: without the G that was sailed with it cannot be paid.
    let mut env = Position::of("a").ship(0, 1, 1).hand(0, "R F G").load();
    play(&mut env, &["sail G", "go 1:1"]);
    assert_eq!(env.current_player(), Some(Player(1)));
}

#[test]
fn gx_r6b_what_cannot_be_paid_whole_is_not_offered() {
    let env = Position::of("a").hand(0, "R F RRFF").land(0);
    assert_eq!((env.current_player(), owner(&env, 0)), (Some(Player(1)), None));
    let env = Position::of("a").hand(0, "R F RRFF G").land(0);
    assert_eq!(phase(&env), "supply");
}

#[test]
fn gx_r7_two_cards_or_the_last_one() {
    let mut env = Position::of("a").load();
    play(&mut env, &["take"]);
    assert_eq!(sizes(&env, 0), [5, 27, 0]);
    let drawn = events(&env, None).iter().filter(|event| event["event"] == "drew").count();
    assert_eq!(drawn, 2);
}

#[test]
fn gx_r7_q13_e9_short_decks_and_empty_hands() {
    let mut env = Position::of("a").deck(0, "GG").load();
    play(&mut env, &["take"]);
    assert_eq!(sizes(&env, 0), [4, 0, 28], "a deck of one card");
    let env = Position::of("a").deck(0, "").load();
    assert_eq!(legal_texts(&env), ["sail R", "sail F", "sail G"], "an empty deck");
    let env = Position::of("a").hand(0, "GG GG").deck(0, "").load();
    assert_eq!((phase(&env), seen(&env, None)["range"].clone()), ("move".into(), json!(5)), "one kind");
    let env = Position::of("a").hand(0, "").load();
    assert_eq!(
        (env.current_player(), sizes(&env, 0)),
        (Some(Player(1)), [2, 30, 0]),
        "taken by a forced move"
    );
    Position::of("a")
        .hand(0, "")
        .option("hard", true)
        .refuses("turn: player 0 has no card to play or to take");
    let env = Position::of("a").hand(0, "").option("hard", true).set("turn", 1).load();
    assert_eq!(env.current_player(), Some(Player(1)));
}

#[test]
fn gx_r22_hard_mode_takes_no_cards() {
    let env = Position::of("a").option("hard", true).load();
    assert_eq!(legal_texts(&env), ["sail R", "sail F", "sail G"]);
    // Cards are drawn for islands all the same.
    let mut env = Position::of("a").option("hard", true).land(0);
    play(&mut env, &["supply", "pay R", "pay F"]);
    assert_eq!(sizes(&env, 0)[0], 2);
}

#[test]
fn gx_q23_draws_are_hidden_and_discards_open() {
    let mut env = Position::of("a").load();
    play(&mut env, &["take"]);
    let shown = |viewer| -> Vec<bool> {
        let drawn = events(&env, viewer).into_iter().filter(|event| event["event"] == "drew");
        drawn.map(|event| event["card"].is_string()).collect()
    };
    assert_eq!((shown(None), shown(Some(0)), shown(Some(1))), (vec![true; 2], vec![true; 2], vec![false; 2]));
    let mut env = Position::of("a").load();
    play(&mut env, &["sail R"]);
    let sailed = json!({"event": "sailed", "player": 0, "card": "R", "range": 7});
    assert_eq!(events(&env, Some(1))[0], sailed);
    assert_eq!(seen(&env, Some(1))["discards"], json!([{"R": 1}, {}]));
}

#[test]
fn gx_q24_one_mode_of_play() {
    // Nothing but the options of the rules: a word for another mode is refused.
    let said = crate::fixture::refused_options(&json!({"mode": "advanced"}));
    assert!(said.contains("no such option"), "{said}");
}

#[test]
fn every_decision_has_two_choices_and_every_turn_one_player() {
    let mut decisions = 0;
    for (i, options) in crate::fixture::variants().iter().enumerate() {
        visit_halves(options, i as u64, |env| {
            let Some(player) = env.current_player() else { return };
            decisions += 1;
            assert!(env.legal(player).len() >= 2, "{options}: {}", seen(env, None));
            assert_eq!(env.acting().len(), 1);
            assert_eq!(env.configured().game.validate(env.state()), []);
        });
    }
    assert!(decisions > 1_500, "{decisions}");
}

#[test]
fn events_report_a_whole_turn() {
    let mut env = Position::of("a").hand(0, "R F G RR").land(0);
    assert_eq!(event_names(&env, None), ["moved", "update"]);
    act(&mut env, 0, "supply");
    assert_eq!((event_names(&env, None)[0].clone(), due(&env)), ("supply_began".into(), [1, 1, 1]));
    play(&mut env, &["pay F", "pay G"]);
    assert_eq!(event_names(&env, None), ["paid", "update"]);
    act(&mut env, 0, "pay RR");
    assert_eq!(
        event_names(&env, None),
        ["paid", "claimed", "score_changed", "drew", "drew", "turn_began", "update"]
    );
}

#[test]
fn events_say_what_was_done() {
    // The first of the game's own events after an action.
    let first = |env: &crate::fixture::Play| events(env, Some(1))[0].clone();
    // b9 wants 2/3/0.
    let mut env = Position::of("b").own(0, &[4, 10]).hand(0, "R RF FF FFF RR").land(9);
    play(&mut env, &["supply"]);
    let began = json!({"event": "supply_began", "player": 0, "slot": 9, "doubled": false});
    assert_eq!(first(&env), began);
    play(&mut env, &["shift fabric>rum"]);
    assert_eq!(first(&env), json!({"event": "shifted", "player": 0, "less": "fabric", "more": "rum"}));
    play(&mut env, &["sacrifice 4"]);
    assert_eq!(first(&env), json!({"event": "given_up", "player": 0, "slot": 4}));
    play(&mut env, &["pay R"]);
    assert_eq!(first(&env), json!({"event": "paid", "player": 0, "card": "R"}));
    let claimed = events(&env, Some(1)).into_iter().find(|event| event["event"] == "claimed");
    assert_eq!(claimed, Some(json!({"event": "claimed", "player": 0, "slot": 9, "doubled": false})));
    let mut env = Position::of("b").own(0, &[2, 3]).hand(0, "R F GG RR").land(8);
    play(&mut env, &["supply", "minus gems"]);
    assert_eq!(first(&env), json!({"event": "discounted", "player": 0, "resource": "gems"}));
    let mut env = Position::of("b").own(0, &[0]).hand(0, "RR FF G RF").land(10);
    play(&mut env, &["supply", "exchange fabric>rum"]);
    let announced = json!({"event": "exchange_announced", "player": 0, "from": "fabric", "to": "rum"});
    assert_eq!(first(&env), announced);
    // c3 wants 1/0/2; doubled, then Wind.
    let position = Position::of("c").own(0, &[10]).pending(0, "double");
    let mut env = position.hand(0, "RR GG GG R").ship(1, 24, 5).land(3);
    play(&mut env, &["supply double"]);
    assert_eq!(first(&env), json!({"event": "supply_began", "player": 0, "slot": 3, "doubled": true}));
    play(&mut env, &["pay RR"]);
    let events_now = events(&env, Some(1));
    let of = |name: &str| events_now.iter().find(|event| event["event"] == name).cloned();
    assert_eq!(of("claimed"), Some(json!({"event": "claimed", "player": 0, "slot": 3, "doubled": true})));
    assert_eq!(of("score_changed"), Some(json!({"event": "score_changed", "player": 0, "from": 1, "to": 5})));
    play(&mut env, &["go 25:5"]);
    assert_eq!(first(&env), json!({"event": "blown", "player": 1, "from": [24, 5], "to": [25, 5]}));
    assert_eq!(events(&env, Some(0))[1], json!({"event": "turn_began", "player": 1}));
    // c8 wants 3/0/1 and costs the other a card.
    let mut env = Position::of("c").hand(0, "RRR G").hand(1, "R F GG").land(8);
    play(&mut env, &["supply", "pay RRR"]);
    act(&mut env, 1, "discard F");
    assert_eq!(first(&env), json!({"event": "discarded", "player": 1, "card": "F"}));
}
