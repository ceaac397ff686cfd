//! Positions from outside: what is refused and why, and what is played on (GV-R1c).

use crate::fixture::{Position, configured, decider, every_position, phase, seen, texts, zone};
use playmat_conformance::testing::mutants::{Reached, Sweep, always};
use playmat_core::prelude::*;
use playmat_graven::state::Phase;
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[test]
fn gv_r1c_fewer_cards_are_fine_more_are_not() {
    assert_eq!(phase(&Position::of(2).deck(0, 3).hand(0, "ARC").load()), Phase::Play);
    Position::of(2)
        .hand(0, "ARC*2")
        .discard(0, "ARC*2")
        .refuses("players[0].deck: 4 cards `ARC`; at most 3 of one owner");
    Position::of(2).hand(0, "VIR").front(0, "VIR").refuses("2 cards `VIR`; at most 1");
    // Copies under the control of others count, too.
    Position::of(2).hand(0, "ARC*3").foreign(1, "back", "ARC", 0).refuses("4 cards `ARC`");
    let many = Position::of(2)
        .cards(0, "ACO*3 ARC*3 BLA*3 CON*3 DEF*3 DRI*3 GAR*3 GRA*3 HAR*3 HER*3")
        .hand(0, "JES");
    many.refuses("31 cards; a player owns at most 30");
}

#[test]
fn gv_r1c_whoever_has_lost_already_is_refused() {
    Position::of(2)
        .cards(1, "")
        .hand(0, "ARC")
        .refuses("players[1].deck: empty: the player has lost already");
    Position::of(2)
        .discard(1, "VIR HES SAR")
        .refuses("players[1].discard: 3 Titans: the player has lost already");
    // Of a player who is out nothing may lie there.
    Position::of(3).player(2, "in_game", false).refuses("players[2]: cards or marks of a player who is out");
    let out = || Position::of(3).hand(0, "ARC").cards(2, "").player(2, "in_game", false);
    assert_eq!(texts(&out().load()).len(), 3);
    out()
        .foreign(2, "front", "HER", 0)
        .refuses("players[2]: cards of others under the control of a player who is out");
}

#[test]
fn gv_r5_more_than_one_card_in_a_first_round_is_refused() {
    let first = |humans: usize| {
        let position = Position::of(2).hand(0, "ARC NUR").set("humans_played", humans);
        position.player(1, "had_turn", false).set("stage", "effect")
    };
    first(1).load();
    first(2).refuses("humans_played: more than one card, while somebody has had no turn");
    first(1).set("invoked", true).refuses("humans_played: more than one card");
}

#[test]
fn gv_q5a_an_effect_that_outlives_the_turn_player_comes_back() {
    // A Watchman that mills the turn player out of the game and then lets somebody else decide.
    let more = "{ verb = \"mill\", n = 9, who = \"each_opponent\" }, { verb = \"discard\", who = \"each_opponent\" }";
    let ward = "{ verb = \"ward\", n = 5 }";
    let content = crate::fixture::standard().replace(ward, &format!("{ward}, {more}"));
    let mut env = Position::of(3)
        .option("content", content)
        .stage("effect")
        .back(0, "PLA")
        .front(0, "HER")
        .hand(1, "WAT")
        .deck(2, 15)
        .hand(2, "DRI HER")
        .load();
    crate::fixture::play(&mut env, &["pass", "use WAT from hand"]);
    assert_eq!((decider(&env), texts(&env)), (Some(2), vec!["choose DRI".into(), "choose HER".into()]));
    assert_eq!(seen(&env, None)["players"][0]["in_game"], false);
    let game = &env.configured().game;
    assert_eq!(game.validate(env.state()), []);
    let back = game.restore(&game.describe(env.state(), None), &mut Rng::from_seed(1)).unwrap();
    assert_eq!(back, *env.state());
}

#[test]
fn gv_r1c_loading_plays_on_to_a_choice() {
    // Nothing in hand, nothing to use: the turn passes through.
    let env = Position::of(2).hand(1, "ARC").load();
    assert_eq!((decider(&env), env.state().turns), (Some(1), 3));
    // A trigger that waits is resolved.
    let env = Position::of(2)
        .hand(0, "ARC")
        .set("humans_played", 1)
        .set("queue", json!([{"player": 1, "card": "CON", "timing": "discarded"}]))
        .discard(1, "CON")
        .load();
    assert_eq!(zone(&env, 1, "back"), "CON");
}

#[test]
fn every_impossible_field_is_refused_with_its_path() {
    let base = || Position::of(2).hand(0, "ARC NUR").front(0, "HER*2").back(0, "PLA");
    base().refuses_each(
        r#"
        turn_player = 2 | turn_player: 2; allowed: 0 to 1
        turn = 200 | turn: 200; the episode ends after 200
        turn = 198 | turn: 198; every turn draws a card: allowed: at most 62
        stage = "dusk" | stage: no stage is called `dusk`; allowed: build, draw
        phase = "field" | phase: the decision is `play`
        colour = 1 | colour: unknown field
        players.0.hand = {"XYZ": 1} | players[0].hand.XYZ: no card is called `XYZ`
        players.0.hand = {"ARC": 4} | players[0].hand.ARC: 4; allowed: 0 to 3
        players.0.known_hand = {"ARC": 2} | players[0].known_hand: more known cards
        players.0.used = ["ARC"] | players[0].used: a card whose effect has no limit
        players.0.list = {"ARC": 1} | players[0].list: not the player's cards
        players.0.loss = 3 | players[0].loss: a loss outside the Survey
        players.0.pick = "ARC" | players[0].pick: decks are built before the deal
        players.0.had_turn = false | players[0].had_turn: the turn player has had a turn
        players.0.survey = 7 | players[0].survey
        players.0.hand_size = 7 | players[0].hand_size
        plays_left = 5 | plays_left
        spent = {"PLA": 1} | spent: more copies than were activated
        activations = {"PLA": 1} | activations: effects are activated in the Effect Phase
        stage = "draw"; humans_played = 1 | humans_played: nothing is played before
        stage = "build" | stage:
        window = {"player": 0, "card": "VIR"} | window: no such player, or no Human
        queue = [{"player": 0, "card": "ARC", "timing": "enter"}] | queue[0]: a card without that effect
        invoking = {"card": "VIR", "line": "front", "first": null} | invoking: no Titan known in the hand
        effect = {"player": 0, "card": "VIR", "timing": "enter", "stage": "step1"} | effect: the card has no such effect
        effect = {"player": 0, "card": "PLA", "timing": "activate", "stage": "step1"} | effect: does not fit the phase of the turn
        stage = "effect"; effect = {"player": 0, "card": "PLA", "timing": "activate", "stage": "step2"} | effect.stage: no such cost or step
        subject = {"card": "ARC"} | effect: one of `effect`, `invoking`
        players = [] | players: 0 entries for 2 players
        phase = "over" | phase: does not fit who is in the game
        winners = [0] | winners: nobody has won
        winners = [0, 0] | winners[1]: 0 is there twice
        humans_played = 200 | humans_played: 200; at most 3 with 0 extra plays
        humans_played = 4 | humans_played: 4; at most 3 with 0 extra plays
        extra_plays = 1 | extra_plays: 1; effects can have granted at most 0
        humans_played = 1; extra_plays = 4 | extra_plays: 4; effects can have granted at most 3
        humans_played = 60; extra_plays = 60; invoked = true | extra_plays: 60; effects can have granted at most 5
        turn = 5 | turn: 5 turns have ended and player 0 has a turn
        turn = 0; players.1.had_turn = true | turn: 0 turns have ended
        players.1.had_turn = false | players[0].front: not empty, although nothing has happened
        questions = 2 | questions: 2; at most 1 in this turn so far
        stage = "draw"; questions = 1 | questions: 1; at most 0 in this turn so far
        current_player = 1 | current_player: player 0 must decide
        queue = [{"player": 1, "card": "CON", "timing": "discarded"}] | stage: an effect or trigger
        humans_played = 1; queue = [{"player": 1, "card": "CON", "timing": "discarded"}]; phase = "play" | phase: nobody must decide yet
        players.0.hand = {"ARC": 1, "arc": 1} | players[0].hand.arc: is there twice
        players.1.used = ["GAR", "GAR"] | players[1].used[1]: is there twice
        players.1.used = ["SPY"] | players[1].used: `SPY` cannot have been used in this turn by now
        players.0.modifier = 2 | players[0].modifier: 2; effects of this turn give 0 to 0
        stage = "effect"; players.0.modifier = 3 | players[0].modifier: 3; effects of this turn give 0 to 800 in steps of 2
        stage = "effect"; players.1.modifier = -3 | players[1].modifier: -3; effects of this turn give 0 to 0
        stage = "effect"; activations = {"GAR": 1} | activations.GAR: 1; its limit allows one, which is then among `used`
        stage = "effect"; players.0.back = {"SAP": 2}; activations = {"SAP": 1}; spent = {"SAP": 1}
            | spent.SAP: a copy that is activated is destroyed, not spent
        "#,
    );
    base().foreign(0, "back", "DRI", 0).refuses("players[0].back_foreign[0]: the owner is another player");
}

#[test]
fn what_is_not_mentioned_is_empty() {
    let env = Position::of(3).hand(0, "ARC").load();
    let json = seen(&env, None);
    assert_eq!(json["players"][2]["front"], Value::Object(Default::default()));
    assert_eq!(texts(&env), ["pass", "play ARC to front", "play ARC to back"]);
}

#[test]
fn a_hidden_list_is_at_least_what_is_visible() {
    let hidden = Position::of(2).option("open_decklists", "hidden").hand(0, "ARC").discard(1, "HER*2");
    let env = hidden.clone().load();
    assert_eq!((zone(&env, 1, "list"), zone(&env, 0, "list")), ("HER*2".into(), String::new()));
    let said = hidden.player(1, "list", json!({"HER": 1})).refused();
    assert!(said.contains("players[1].list: fewer than are visible"), "{said}");
}

#[test]
fn gv_r1c_a_game_that_ended_in_a_window_comes_back() {
    let content = crate::fixture::standard().replace(
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
    crate::fixture::play(&mut env, &["pass", "use WAT from hand"]);
    assert_eq!((env.status(), crate::fixture::returns(&env)), (Status::Terminated, vec![-1.0, 1.0]));
    let game = &env.configured().game;
    assert_eq!(game.validate(env.state()), []);
    let back = game.restore(&game.describe(env.state(), None), &mut Rng::from_seed(1)).unwrap();
    assert_eq!(back, *env.state());
}

/// A Survey: player 1 leads, player 0 has used a Watchman, player 2 must decide.
fn survey() -> Position {
    let position = Position::of(3).stage("survey").set("current_player", 2).hand(0, "WAT").discard(0, "WAT");
    let position = position.front(1, "SAR HER*3 REC").front(2, "ARC").hand(2, "WAT SHI").back(0, "SHI");
    position.player(0, "loss", 0).player(2, "loss", 6)
}

#[test]
fn gv_r7b_losses_follow_from_scores() {
    // Player 0 has 0 against 7, less 2 by the Shieldbearer, less 5 by the Watchman that lies in the pile.
    let said = survey().player(1, "loss", 1).refused();
    assert!(said.contains("players[1].loss: 1; scores and wards give 0"), "{said}");
    for (player, loss, what) in [
        (0, 1, "1; scores and wards give 5, less what the windows took off"),
        (0, 6, "6; scores and wards give 5"),
        (2, 5, "5; scores and wards give 6"),
        (2, 0, "0; scores and wards give 6"),
    ] {
        let said = survey().player(player, "loss", loss).refused();
        assert!(said.contains(&format!("players[{player}].loss: {what}")), "{said}");
    }
    // It has used the Watchman, or not; the windows go on with player 2.
    for loss in [0, 5] {
        let next = if loss == 0 { 2 } else { 0 };
        let env = survey().player(0, "loss", loss).set("current_player", next).load();
        assert_eq!((phase(&env), decider(&env)), (Phase::Ward, Some(next)));
    }
}

#[test]
fn gv_q5_what_a_loser_owned_has_left_the_game() {
    let out = || Position::of(3).hand(0, "ARC").cards(2, "").player(2, "in_game", false);
    let said = out().foreign(0, "front", "HER", 2).refused();
    assert!(said.contains("players[2]: cards or marks of a player who is out"), "{said}");
    // Whoever is out at the end has lost by the own cards.
    let over = || Position::of(2).player(1, "in_game", false).set("phase", "over").set("winners", json!([0]));
    let said = over().refused();
    assert!(said.contains("players[1]: out of the game with a deck and fewer than three Titans"), "{said}");
    over().cards(1, "").load();
    over().discard(1, "VIR HES SAR").load();
    let said = over().cards(1, "").set("winners", json!([1])).refused();
    assert!(said.contains("phase: does not fit"), "{said}");
}

#[test]
fn turns_and_who_has_had_one_follow_from_each_other() {
    // Left out, the number of turns is the least that fits, and in the first round it says who has had a turn.
    for (position, turns, had) in [
        (Position::of(2).hand(0, "ARC"), 2, 0b11),
        (Position::of(3).turn_of(1).hand(1, "ARC"), 4, 0b111),
        (Position::of(3).turn_of(1).hand(1, "ARC").player(2, "had_turn", false), 1, 0b011),
        (Position::of(3).turn_of(1).hand(1, "ARC").set("turn", 1), 1, 0b011),
        (Position::of(3).turn_of(2).hand(2, "ARC").option("first_player", 2), 3, 0b111),
        (Position::of(3).turn_of(2).hand(2, "ARC").option("first_player", "random").set("turn", 1), 1, 0b110),
    ] {
        let env = position.load();
        assert_eq!((env.state().turns, env.state().had_turn), (turns, had), "{}", position.json);
    }
    // With player 1 out, which had turns, either number of turns is possible later.
    let out = |turn: u64| {
        let position = Position::of(3).hand(0, "ARC").cards(1, "").player(1, "in_game", false);
        position.set("turn", turn)
    };
    for turn in [3, 5, 6] {
        out(turn).load();
    }
    out(4).refuses("turn: 4 turns have ended");
    assert!(out(2).refused().contains("turn: 2 turns have ended"), "player 2 has had one, too, and player 1");
    out(2).player(1, "had_turn", false).load();
}

/// All of them. Everywhere else every mutant is refused.
const REACHED: &[Reached] = &[
    ("activations", always, ACTIVATED),
    ("activations.*", always, ACTIVATED),
    ("current_player", |json| json["stage"] == "survey", "the windows of the Survey stand at another player"),
    ("effect.card", always, "another card has an effect with the same question"),
    ("effect.left", always, "of several cards another number is already chosen"),
    ("effect.opponent", always, "another opponent was chosen"),
    (
        "extra_plays",
        |json| json["extra_plays"].as_i64() <= Some(5),
        "another number of Reinforcements entered",
    ),
    (
        "humans_played",
        |json| json["humans_played"].as_i64() <= json["extra_plays"].as_i64().map(|extra| 3 + extra),
        "another number of Humans was played",
    ),
    ("invoked", always, "the invocation of the turn is still left, or was used"),
    ("invoking.line", always, "the Titan was named for the other line"),
    ("questions", |json| json["questions"].as_i64() <= Some(400), "more or fewer decisions in this turn"),
    ("queue", always, TRIGGERS),
    ("queue[].card", always, TRIGGERS),
    ("queue[].player", always, TRIGGERS),
    ("players[].back", always, CARDS),
    ("players[].back.*", always, CARDS),
    ("players[].back_foreign", always, CARDS),
    ("players[].back_foreign[].card", always, CARDS),
    ("players[].deck", always, CARDS),
    ("players[].deck.*", always, CARDS),
    ("players[].discard", always, CARDS),
    ("players[].discard.*", always, CARDS),
    ("players[].front", always, CARDS),
    ("players[].front.*", always, CARDS),
    ("players[].front_foreign", always, CARDS),
    ("players[].front_foreign[].card", always, CARDS),
    ("players[].had_turn", somebody_is_out, "lost before or after the first own turn"),
    ("players[].hand", always, CARDS),
    ("players[].hand.*", always, CARDS),
    (
        "players[].known_hand",
        always,
        "a card of the hand was returned, recovered, found or revealed, or was not",
    ),
    (
        "players[].known_hand.*",
        always,
        "a card of the hand was returned, recovered, found or revealed, or was not",
    ),
    ("players[].list", always, "more or fewer hidden copies were once seen together"),
    ("players[].list.*", always, "more or fewer hidden copies were once seen together"),
    ("players[].used", always, "another limit was used up"),
    ("players[].used[]", always, "another limit was used up"),
    ("spent", always, "the copy used has left, and another has come"),
    ("spent.*", always, "the copy used has left, and another has come"),
    ("stage", always, "the same cards in the next phase, or the one before"),
    ("subject.card", always, "another card was chosen"),
    ("turn", somebody_is_out, "lost earlier or later"),
    ("turn_player", somebody_is_out, "lost earlier or later, so that the turn came to another"),
    (
        "window.card",
        always,
        "another Human was destroyed; it may have left the discard pile by a trigger since",
    ),
];
const CARDS: &str = "GV-R1c: cards may be missing, and others may have been dealt, drawn, played and milled";
const ACTIVATED: &str = "more or fewer copies were activated, and have left";
const TRIGGERS: &str = "more or fewer cards triggered, or another's";

fn somebody_is_out(json: &Value) -> bool {
    json["players"].as_array().unwrap().iter().any(|own| own["in_game"] == false)
}

#[test]
fn gv_r1c_positions_that_differ_in_one_place_are_refused_or_reached() {
    let maps = ["hand", "deck", "discard", "front", "back", "known_hand", "list", "spent", "activations"];
    let words =
        ["ARC", "CON", "GAR", "SPY", "NUR", "play", "effect", "survey", "enter", "step1", "front", "back"];
    let (mut sweep, mut seen) = (Sweep::new(&maps, &words), BTreeSet::new());
    for options in [
        json!({"decks": "random"}),
        json!({"players": 3}),
        json!({"players": 4, "windows": "possible", "decks": "random"}),
        json!({"decks": ["build", "random"], "open_decklists": "hidden"}),
    ] {
        let game = &configured(&options).game;
        every_position(&options, 0..20, |env| {
            let s = env.state();
            // The first of each kind of moment.
            let effect = s.effect.map(|effect| (effect.kind, effect.timing as u8, effect.stage));
            let foreign = s
                .field
                .iter()
                .enumerate()
                .any(|(at, lines)| (0..4).any(|owner| owner != at && !lines[0][owner].is_empty()));
            let moment = (s.phase as u8, s.stage as u8, effect, s.invoked, s.in_game, foreign);
            if !seen.insert(moment) {
                return;
            }
            let mut json = game.describe(s, None);
            for name in ["plays_left", "invocation_left", "restricted", "phase"] {
                json.as_object_mut().unwrap().remove(name);
            }
            if !s.phase.is_over() || s.phase == Phase::Cut {
                // Sizes, scores and open lists follow, and would refuse every change of a card.
                for player in json["players"].as_array_mut().unwrap() {
                    for name in ["hand_size", "deck_size", "survey", "list"] {
                        player.as_object_mut().unwrap().remove(name);
                    }
                }
            }
            if s.phase.is_over() {
                json["phase"] = s.phase.name().into();
            }
            sweep.try_mutants(&**game, &json);
        });
    }
    sweep.finish(REACHED, 20_000);
}
