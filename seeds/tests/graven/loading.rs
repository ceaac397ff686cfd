//! Positions from outside: what is refused and why, and what is played on (GV-R1c).

use crate::lab::{Position, asked, every_position, phase, seen, table, texts, zone};
use playmat_core::prelude::*;
use playmat_graven::state::Phase;
use serde_json::{Value, json};

#[test]
fn gv_r1c_fewer_cards_are_fine_more_are_not() {
    assert_eq!(phase(&Position::of(2).deck(0, 3).hand(0, "ARC").load()), Phase::Play);
    let said = Position::of(2).hand(0, "ARC*2").discard(0, "ARC*2").refused();
    assert!(said.contains("seats[0].deck: 4 cards `ARC`; at most 3 of one owner"), "{said}");
    let said = Position::of(2).hand(0, "VIR").front(0, "VIR").refused();
    assert!(said.contains("2 cards `VIR`; at most 1"), "{said}");
    // Copies under the control of others count, too.
    let said = Position::of(2).hand(0, "ARC*3").foreign(1, "back", "ARC", 0).refused();
    assert!(said.contains("4 cards `ARC`"), "{said}");
    let many = Position::of(2)
        .cards(0, "ACO*3 ARC*3 BLA*3 CON*3 DEF*3 DRI*3 GAR*3 GRA*3 HAR*3 HER*3")
        .hand(0, "JES");
    assert!(many.refused().contains("31 cards; a player owns at most 30"));
}

#[test]
fn gv_r1c_whoever_has_lost_already_is_refused() {
    let said = Position::of(2).cards(1, "").hand(0, "ARC").refused();
    assert!(said.contains("seats[1].deck: empty: the player has lost already"), "{said}");
    let said = Position::of(2).discard(1, "VIR HES SAR").refused();
    assert!(said.contains("seats[1].discard: 3 Titans: the player has lost already"), "{said}");
    // Of a player who is out nothing may lie there.
    let said = Position::of(3).seat(2, "in_game", false).refused();
    assert!(said.contains("seats[2]: cards or marks of a player who is out"), "{said}");
    let out = || Position::of(3).hand(0, "ARC").cards(2, "").seat(2, "in_game", false);
    assert_eq!(texts(&out().load()).len(), 3);
    let said = out().foreign(2, "front", "HER", 0).refused();
    assert!(said.contains("seats[2]: cards of others under the control of a player who is out"), "{said}");
}

#[test]
fn gv_r5_more_than_one_card_in_a_first_round_is_refused() {
    let first = |humans: usize| {
        let position = Position::of(2).set("turn", 1).hand(0, "ARC NUR").set("humans_played", humans);
        position.seat(1, "had_turn", false).set("stage", "effect")
    };
    first(1).load();
    let said = first(2).refused();
    assert!(said.contains("humans_played: more than one card, while somebody has had no turn"), "{said}");
    let said = first(1).set("invoked", true).refused();
    assert!(said.contains("humans_played: more than one card"), "{said}");
}

#[test]
fn gv_q5a_an_effect_that_outlives_the_turn_player_comes_back() {
    // A Watchman that mills the turn player out of the game and then asks somebody else.
    let more = "{ verb = \"mill\", n = 9, who = \"each_opponent\" }, { verb = \"discard\", who = \"each_opponent\" }";
    let ward = "{ verb = \"ward\", n = 5 }";
    let content = crate::lab::standard().replace(ward, &format!("{ward}, {more}"));
    let mut env = Position::of(3)
        .option("content", content)
        .stage("effect")
        .back(0, "PLA")
        .front(0, "HER")
        .hand(1, "WAT")
        .deck(2, 15)
        .hand(2, "DRI HER")
        .load();
    crate::lab::say(&mut env, &["pass", "use WAT from hand"]);
    assert_eq!((asked(&env), texts(&env)), (Some(2), vec!["choose DRI".into(), "choose HER".into()]));
    assert_eq!(seen(&env, None)["seats"][0]["in_game"], false);
    let game = &env.table().game;
    assert_eq!(game.validate(env.state()), []);
    let back = game.restore(&game.describe(env.state(), None), &mut Rng::from_seed(1)).unwrap();
    assert_eq!(back, *env.state());
}

#[test]
fn gv_r1c_loading_plays_on_to_a_choice() {
    // Nothing in hand, nothing to use: the turn passes through.
    let env = Position::of(2).hand(1, "ARC").load();
    assert_eq!((asked(&env), env.state().turns), (Some(1), 6));
    // A trigger that waits is resolved.
    let env = Position::of(2)
        .hand(0, "ARC")
        .set("queue", json!([{"seat": 1, "card": "CON", "timing": "discarded"}]))
        .discard(1, "CON")
        .load();
    assert_eq!(zone(&env, 1, "back"), "CON");
}

#[test]
fn every_impossible_field_is_refused_with_its_path() {
    let base = || Position::of(2).hand(0, "ARC NUR").front(0, "HER*2").back(0, "PLA");
    let cases: Vec<(Position, &str)> = vec![
        (base().set("turn_player", 2), "turn_player: 2; allowed: 0 to 1"),
        (base().set("turn", 200), "turn: 200; the episode ends after 200"),
        (base().set("stage", "dusk"), "stage: got `dusk`; allowed: build, draw"),
        (base().set("phase", "field"), "phase: `play` is asked"),
        (base().set("colour", 1), "colour: unknown field"),
        (base().seat(0, "hand", json!({"XYZ": 1})), "seats[0].hand.XYZ: no such card"),
        (base().seat(0, "hand", json!({"ARC": 4})), "seats[0].hand.ARC: 4; allowed: 0 to 3"),
        (base().seat(0, "known_hand", json!({"ARC": 2})), "seats[0].known_hand: more known cards"),
        (base().seat(0, "used", json!(["ARC"])), "seats[0].used: a card whose effect has no limit"),
        (base().seat(0, "list", json!({"ARC": 1})), "seats[0].list: not the player's cards"),
        (base().seat(0, "loss", 3), "seats[0].loss: a loss outside the Survey"),
        (base().seat(0, "pick", "ARC"), "seats[0].pick: decks are built before the deal"),
        (base().seat(0, "had_turn", false), "seats: the turn player has had a turn"),
        (base().seat(0, "survey", 7), "seats[0].survey"),
        (base().seat(0, "hand_size", 7), "seats[0].hand_size"),
        (base().set("plays_left", 5), "plays_left"),
        (base().set("spent", json!({"PLA": 1})), "spent: more copies than were activated"),
        (
            base().set("activations", json!({"PLA": 1})),
            "activations: effects are activated in the Effect Phase",
        ),
        (base().stage("draw").set("humans_played", 1), "humans_played: nothing is played before"),
        (base().stage("build"), "stage: "),
        (base().set("window", json!({"seat": 0, "card": "VIR"})), "window: no such seat, or no Human"),
        (
            base().set("queue", json!([{"seat": 0, "card": "ARC", "timing": "enter"}])),
            "queue[0]: a card without that effect",
        ),
        (
            base().set("invoking", json!({"card": "VIR", "line": "front", "first": null})),
            "invoking: no Titan known in the hand",
        ),
        (
            base().set("effect", json!({"seat": 0, "card": "VIR", "timing": "enter", "stage": "step1"})),
            "effect: the card has no such effect",
        ),
        (
            base().set("effect", json!({"seat": 0, "card": "PLA", "timing": "activate", "stage": "step1"})),
            "effect: does not fit the phase of the turn",
        ),
        (
            base()
                .stage("effect")
                .set("effect", json!({"seat": 0, "card": "PLA", "timing": "activate", "stage": "step2"})),
            "effect.stage: no such cost or step",
        ),
        (base().set("subject", json!({"card": "ARC"})), "effect: one of `effect`, `invoking`"),
        (base().set("seats", json!([])), "seats: 0 seats for 2 players"),
        (base().foreign(0, "back", "DRI", 0), "seats[0].back_foreign[0]: the owner is another player"),
        (base().set("phase", "over"), "phase: does not fit who is in the game"),
    ];
    for (position, part) in cases {
        let said = position.refused();
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn positions_of_played_games_come_back_as_they_were() {
    let mut inside = 0;
    for options in [
        json!({"decks": "random"}),
        json!({"players": 3}),
        json!({"players": 4, "windows": "possible", "decks": "random"}),
        json!({"decks": ["build", "random"]}),
    ] {
        let game = &table(&options).game;
        every_position(&options, 0..6, |env| {
            let json = game.describe(env.state(), None);
            let mut rng = Rng::from_seed(1);
            let back = game.restore(&json, &mut rng).unwrap_or_else(|found| panic!("{found:?}\n{json}"));
            assert_eq!(back, *env.state());
            assert_eq!(rng, Rng::from_seed(1), "nothing was drawn");
            inside += usize::from(env.state().effect.is_some() || env.state().invoking.is_some());
        });
    }
    assert!(inside > 50, "{inside}");
}

#[test]
fn what_is_not_mentioned_is_empty() {
    let env = Position::of(3).hand(0, "ARC").load();
    let json = seen(&env, None);
    assert_eq!(json["seats"][2]["front"], Value::Object(Default::default()));
    assert_eq!(texts(&env), ["pass", "play ARC to front", "play ARC to back"]);
}

#[test]
fn a_hidden_list_is_at_least_what_is_visible() {
    let hidden = Position::of(2).option("open_decklists", "hidden").hand(0, "ARC").discard(1, "HER*2");
    let env = hidden.clone().load();
    assert_eq!((zone(&env, 1, "list"), zone(&env, 0, "list")), ("HER*2".into(), String::new()));
    let said = hidden.seat(1, "list", json!({"HER": 1})).refused();
    assert!(said.contains("seats[1].list: fewer than are visible"), "{said}");
}

#[test]
fn gv_r1c_a_game_that_ended_in_a_window_comes_back() {
    let content = crate::lab::standard().replace(
        "do = [ { verb = \"ward\", n = 5 } ]",
        "do = [ { verb = \"ward\", n = 5 }, { verb = \"mill\", n = 9, who = \"each_opponent\" } ]",
    );
    let mut env = Position::of(2)
        .option("content", content)
        .stage("effect")
        .back(0, "PLA")
        .front(0, "HER")
        .hand(1, "WAT")
        .load();
    crate::lab::say(&mut env, &["pass", "use WAT from hand"]);
    assert_eq!((env.status(), crate::lab::returns(&env)), (Status::Terminated, vec![-1.0, 1.0]));
    let game = &env.table().game;
    assert_eq!(game.validate(env.state()), []);
    let back = game.restore(&game.describe(env.state(), None), &mut Rng::from_seed(1)).unwrap();
    assert_eq!(back, *env.state());
}
