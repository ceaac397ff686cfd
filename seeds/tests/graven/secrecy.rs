//! What each player is shown: observation, JSON, events; and what stays hidden.

use crate::fixture::{
    Position, configured, every_position, kind, observed, ones, play, play_numbers, player_state, seen,
    segment, whose,
};
use playmat_core::any::AnyEnv;
use playmat_core::env::Env;
use playmat_core::prelude::*;
use playmat_graven::state::bits;
use serde_json::json;
use std::collections::BTreeSet;

#[test]
fn gv_k1_segments_stand_where_the_page_says() {
    let configured = configured(&json!({"players": 3}));
    let layout = &configured.game.info().observation;
    let at = |name: &str| {
        let segment = layout.segment(name).unwrap_or_else(|| panic!("{name}"));
        (segment.offset, segment.len(), segment.scale)
    };
    assert_eq!(
        [at("phase"), at("source"), at("timing"), at("stage")],
        [(0, 13, 1), (13, 34, 1), (47, 5, 1), (52, 4, 1)]
    );
    assert_eq!([at("remaining"), at("subject"), at("subject_line")], [(56, 1, 9), (57, 34, 1), (91, 2, 1)]);
    assert_eq!([at("subject_player"), at("losses"), at("queued")], [(93, 3, 1), (96, 3, 30), (99, 34, 9)]);
    assert_eq!([at("hand"), at("deck"), at("ready")], [(133, 34, 3), (167, 34, 3), (201, 34, 3)]);
    assert_eq!(at("budget_plays_left"), (235, 1, 8));
    assert_eq!(at("budget_clock"), (238, 1, 255));
    let player = 239;
    assert_eq!([at("own_front"), at("own_used")], [(player, 34, 9), (player + 8 * 34, 34, 1)]);
    assert_eq!([at("own_deck_size"), at("own_list_open")], [(player + 306, 1, 30), (player + 314, 1, 1)]);
    assert_eq!([at("other2_front"), at("other2_list_open")], [(player + 630, 34, 9), (1183, 1, 1)]);
    let modifier = layout.segment("other1_modifier").unwrap();
    assert_eq!((modifier.bias, modifier.scale), (32, 32));
}

#[test]
fn gv_k1_the_observation_is_the_position_as_the_player_sees_it() {
    let old = "verb = \"survey\", n = 2, who = \"you\"";
    let content =
        crate::fixture::standard().replace(old, "verb = \"survey\", n = -8, who = \"each_opponent\"");
    let env = Position::of(3)
        .option("content", content)
        .turn_of(1)
        .stage("effect")
        .hand(1, "PHY DEF*2")
        .front(0, "HER*2")
        .foreign(0, "front", "HER", 2)
        .back(1, "PLA*2 GAR")
        .foreign(1, "back", "PLA", 0)
        .discard(2, "VIR ARC*2")
        .hand(2, "JES WAT")
        .player(2, "known_hand", json!({"JES": 1}))
        .player(1, "used", json!(["GAR"]))
        .player(0, "modifier", -40)
        .set("activations", json!({"PLA": 1}))
        .set("spent", json!({"PLA": 1}))
        .set("turn", 94)
        .load();
    let k = |id: &str| usize::from(kind(&env, id));
    assert_eq!((ones(&segment(&env, 1, "phase")), ones(&segment(&env, 0, "phase"))), (vec![4], vec![]));
    assert_eq!((segment(&env, 1, "hand")[k("DEF")], segment(&env, 1, "hand")[k("PHY")]), (2, 1));
    // Two of three Plague Doctors are unspent; the Gardener's limit is used up.
    assert_eq!((segment(&env, 0, "ready")[k("PLA")], segment(&env, 0, "ready")[k("GAR")]), (2, 0));
    assert_eq!(segment(&env, 2, "budget_clock"), [119]);
    // Player 0 as itself, as the next but one of player 1, as the next of player 2.
    for (viewer, place) in [(0, 0), (1, 2), (2, 1)] {
        let of = |name: &str| segment(&env, viewer, &format!("{}_{name}", whose(place)));
        assert_eq!((of("front")[k("HER")], of("front_foreign")[k("HER")]), (3, 1));
        assert_eq!((of("lent")[k("PLA")], of("survey"), of("modifier")), (1, vec![0], vec![0]));
    }
    let of = |name: &str| segment(&env, 0, &format!("other2_{name}"));
    assert_eq!((of("discard")[k("ARC")], of("titans"), of("lent")[k("HER")]), (2, vec![1], 1));
    assert_eq!((of("known_hand")[k("JES")], of("hand_size"), of("list_open")), (1, vec![2], vec![1]));
    // The Watchman is in the list and nobody sees it; the Jester is known.
    assert_eq!((of("unseen")[k("WAT")], of("unseen")[k("JES")]), (1, 0));
    let of = |name: &str| segment(&env, 0, &format!("other1_{name}"));
    assert_eq!((of("back")[k("PLA")], of("back_foreign")[k("PLA")], of("used")[k("GAR")]), (3, 1, 1));
    assert_eq!((of("is_turn"), of("had_turn"), of("in_game")), (vec![1], vec![1], vec![1]));
}

#[test]
fn gv_k1_effects_in_course_are_open() {
    let mut env = Position::of(3)
        .stage("effect")
        .back(0, "PLA PRI")
        .discard(0, "ARC DRI")
        .front(1, "HER")
        .hand(0, "PHY")
        .load();
    play(&mut env, &["activate PLA"]);
    let k = |id: &str| usize::from(kind(&env, id));
    for viewer in 0..3 {
        assert_eq!(ones(&segment(&env, viewer, "source")), [k("PLA")]);
        assert_eq!(
            (ones(&segment(&env, viewer, "timing")), ones(&segment(&env, viewer, "stage"))),
            (vec![1], vec![1])
        );
        assert_eq!(segment(&env, viewer, "remaining"), [0], "0 in PLAYER");
    }
    play(&mut env, &["player 2"]);
    play(&mut env, &["activate PRI"]);
    assert_eq!(segment(&env, 1, "remaining"), [2]);
    play(&mut env, &["choose DRI"]);
    // LINE: the kind that it is about lies on no field.
    let k = |id: &str| usize::from(kind(&env, id));
    assert_eq!(
        (ones(&segment(&env, 1, "subject")), ones(&segment(&env, 1, "subject_line"))),
        (vec![k("DRI")], vec![])
    );
    assert_eq!((segment(&env, 1, "remaining"), ones(&segment(&env, 0, "phase"))), (vec![2], vec![12]));
}

#[test]
fn gv_k1_hands_and_decks_are_their_owners() {
    let env = Env::new(configured(&json!({"players": 3})), 4);
    for viewer in 0..3u8 {
        let json = seen(&env, Some(viewer));
        for player in 0..3u8 {
            let entry = &json["players"][usize::from(player)];
            assert_eq!(entry["hand"].is_object(), player == viewer);
            assert_eq!(entry["deck"].is_object(), player == viewer);
            assert_eq!(entry["hand_size"], player_state(&env, player.into()).hand.total());
        }
        assert!(json.get("questions").is_none() && json.get("current_player").is_none());
    }
}

#[test]
fn gv_q8_names_of_drawn_cards_are_their_owners() {
    let mut drawn = 0;
    every_position(&json!({}), 0..4, |env| {
        if env.decisions() == 0 {
            return;
        }
        for viewer in 0..2u8 {
            for event in env.events(Some(Player(viewer))).unwrap() {
                if event["event"] == "drawn" {
                    assert_eq!(event["card"].is_string(), event["player"] == viewer);
                    drawn += 1;
                }
            }
        }
    });
    assert!(drawn > 40, "{drawn}");
}

#[test]
fn gv_q9_nothing_of_passes_or_questions_is_seen() {
    // The same position, reached with and without a decision of player 1 before.
    let base = Position::of(3).stage("effect").back(0, "ARC*2").front(1, "HER JES").deck(0, 12);
    let after = |hand: &str| {
        let mut env = base.clone().hand(1, hand).load();
        play(&mut env, &["activate ARC", "target HER on front of player 1"]);
        if env.current_player() == Some(Player(1)) {
            play(&mut env, &["pass"]);
        }
        env
    };
    let (decider, not) = (after("PHY"), after("DRI"));
    let game = &decider.configured().game;
    let differs = |viewer: u8| {
        let (a, b) = (observed(game, decider.state(), viewer), observed(game, not.state(), viewer));
        let differ: Vec<usize> = (0..a.len()).filter(|&i| a[i] != b[i]).collect();
        let segment = |i: usize| {
            let all = &game.info().observation.segments;
            all.iter().find(|s| (s.offset..s.offset + s.len()).contains(&i)).unwrap().name.clone()
        };
        differ.into_iter().map(segment).collect::<BTreeSet<_>>()
    };
    // The lists differ by the card itself; nothing else does.
    assert_eq!(differs(0), ["other1_unseen".to_string()].into());
    assert_eq!(differs(2), ["other2_unseen".to_string()].into());
}

#[test]
fn used_marks_are_of_both_limits() {
    let mut env = Position::of(2)
        .stage("effect")
        .hand(0, "DEF*2")
        .back(0, "GAR PLA")
        .discard(0, "ARC")
        .front(1, "HER*2")
        .load();
    play(&mut env, &["use DEF from hand", "activate GAR", "choose ARC"]);
    let marks: Vec<u8> = bits(player_state(&env, 0).used).collect();
    assert_eq!(marks.len(), 2, "{marks:?}");
    assert_eq!(ones(&segment(&env, 1, "other1_used")).len(), 2);
    while env.state().turn_player == 0 {
        play_numbers(&mut env, &[0]);
    }
    assert_eq!(bits(player_state(&env, 0).used).collect::<Vec<_>>(), [kind(&env, "GAR")]);
}

#[test]
fn in_a_sentence_a_redacted_card_is_a_card() {
    let game = (playmat_graven::ENTRY.make)(&Default::default()).unwrap();
    let agent = game.agent("greedy").unwrap();
    let mut env = game.env(1);
    // The draw of a turn is its player's.
    let drawn = |viewer: Option<Player>, env: &dyn AnyEnv| -> Option<String> {
        let events = env.events(viewer).unwrap();
        let drawn = events.into_iter().find(|event| event["event"] == "drawn")?;
        drawn["text"].as_str().map(String::from)
    };
    while drawn(None, &*env).is_none() {
        let player = env.acting().first().unwrap();
        let action = env.act(&agent, player).unwrap();
        env.step(action.0.into()).unwrap();
    }
    let texts: BTreeSet<String> =
        [Some(Player(0)), Some(Player(1))].iter().map(|viewer| drawn(*viewer, &*env).unwrap()).collect();
    assert_eq!(texts.iter().filter(|text| text.ends_with("draws a card.")).count(), 1, "{texts:?}");
    assert_eq!(texts.len(), 2, "{texts:?}");
}
