//! Options: `open_decklists`, `windows`, `search_reveals`, `first_player`.

use crate::fixture::{
    Position, choices, configured, decider, every_position, phase, play, player_state, seen, segment, texts,
    zone,
};
use playmat_core::agent::Greedy;
use playmat_core::env::Env;
use playmat_core::prelude::*;
use playmat_core::replay::record;
use playmat_core::save::{from_bytes, to_bytes};
use playmat_graven::Graven;
use playmat_graven::action::Choice;
use playmat_graven::state::Phase;
use serde_json::json;
use std::sync::Arc;

#[test]
fn gv_q14_first_player() {
    for player in 0..3u8 {
        let env = Env::new(configured(&json!({"players": 3, "first_player": player})), 1);
        assert_eq!(env.state().turn_player, player);
    }
    let random = configured(&json!({"players": 3, "first_player": "random"}));
    let mut seen = [0; 3];
    for seed in 0..60 {
        seen[usize::from(Env::new(random.clone(), seed).state().turn_player)] += 1;
    }
    assert!(seen.iter().all(|&n| n > 8), "{seen:?}");
}

#[test]
fn open_decklists_say_what_is_public() {
    let open = |decks: &str, lists: &str| {
        let env = Env::new(configured(&json!({"decks": decks, "open_decklists": lists})), 3);
        segment(&env, 0, "other1_list_open")[0]
    };
    assert_eq!([open("any", "auto"), open("chapel", "auto"), open("random", "auto")], [1, 1, 0]);
    assert_eq!([open("any", "hidden"), open("random", "open")], [0, 1]);
}

#[test]
fn a_sample_holds_the_own_source_and_no_hidden_one() {
    let hidden = configured(&json!({"decks": ["blight", "siege"], "open_decklists": "hidden"}));
    let mut env = Env::new(hidden.clone(), 3);
    for _ in 0..20 {
        let action = env.act(&Greedy, env.current_player().unwrap()).unwrap();
        env.step(action.0.into()).unwrap();
    }
    for (viewer, decks) in [(0, json!(["blight", "random"])), (1, json!(["random", "siege"]))] {
        let mut sample = env.sample_hidden(Player(viewer), 5).unwrap();
        let known = sample.configured().clone();
        assert_eq!(known.options.get("decks"), &decks);
        assert_eq!(sample.to_json(None).unwrap()["options"]["decks"], decks);
        assert_eq!(known.game.info().max_decisions, hidden.game.info().max_decisions);
        assert!(known.game.content_entries().iter().all(|entry| entry.copies.is_none()));
        // It is made once, and everything made of the sample has it.
        assert!(Arc::ptr_eq(&known, env.sample_hidden(Player(viewer), 6).unwrap().configured()));
        assert!(
            Arc::ptr_eq(&known, sample.clone_with_seed(1).configured())
                && Arc::ptr_eq(&known, sample.clone().configured())
        );
        let own = sample.sample_hidden(Player(viewer), 7).unwrap();
        assert!(Arc::ptr_eq(&known, own.configured()), "whoever knows the game samples in it");
        // Of the other player of the sample nothing is known, so of nobody.
        let other = sample.sample_hidden(Player(1 - viewer), 7).unwrap();
        assert_eq!(other.configured().options.get("decks"), &json!(["random", "random"]));
        // Saves and replays are those of that game, and the true one refuses them.
        let (bytes, replay) = (to_bytes(&sample), record(&sample).unwrap().to_text());
        let secret = ["siege", "blight"][usize::from(viewer)];
        assert!(!String::from_utf8_lossy(&bytes).contains(secret) && !replay.contains(secret));
        assert_eq!(from_bytes(&known, &bytes).unwrap().state(), sample.state());
        assert_eq!(from_bytes(&hidden, &bytes).unwrap_err().code(), "wrong_identity");
        let cards = |env: &Env<Graven>| {
            let other = player_state(env, usize::from(1 - viewer));
            other.hand.plus(other.deck)
        };
        sample.reset(Some(3));
        assert_ne!(
            cards(&sample),
            cards(&Env::new(hidden.clone(), 3)),
            "the next episode deals another deck"
        );
    }
    let open = Env::new(configured(&json!({"decks": ["blight", "siege"]})), 3);
    assert!(Arc::ptr_eq(open.configured(), open.sample_hidden(Player(0), 5).unwrap().configured()));
}

#[test]
fn hidden_lists_stay_out_of_a_players_document() {
    let document = |options: serde_json::Value| {
        let env = Env::new(configured(&options), 3);
        let player = env.to_json(Some(Player(0))).unwrap();
        (
            player["options"].get("decks").is_some(),
            env.to_json(None).unwrap()["options"].get("decks").is_some(),
        )
    };
    let listed = json!(["blight", "siege"]);
    assert_eq!(document(json!({"decks": listed, "open_decklists": "hidden"})), (false, true));
    assert_eq!(document(json!({"decks": listed})), (true, true));
}

#[test]
fn hidden_lists_show_the_most_ever_visible() {
    let base = Position::of(2)
        .option("open_decklists", "hidden")
        .hand(0, "GRA SCO")
        .discard(0, "HER*2")
        .cards(0, "ARC*3");
    let mut env = base.load();
    assert_eq!(zone(&env, 0, "list"), "HER*2");
    play(&mut env, &["play GRA to back", "choose HER"]);
    assert_eq!(zone(&env, 0, "list"), "GRA HER*2");
    play(&mut env, &["play SCO to back", "choose ARC"]);
    assert_eq!(zone(&env, 0, "list"), "ARC GRA HER*2 SCO");
    let mut checked = 0;
    every_position(&json!({"decks": "random"}), 0..10, |env| {
        for player in 0..2u8 {
            let (list, s) = (player_state(env, player.into()).list, env.state());
            assert_eq!(s.visible(player).more_than(list), 0);
            checked += 1;
        }
    });
    assert!(checked > 300);
}

#[test]
fn gv_q9a_in_possible_windows_whoever_could_hold_a_card_decides() {
    // Player 1's list is open and holds a Physician that nobody sees: it decides, whatever it has.
    let base = Position::of(2)
        .option("windows", "possible")
        .stage("effect")
        .back(0, "ARC PLA")
        .front(1, "HER")
        .hand(1, "DRI")
        .hand(0, "PHY");
    let mut env = base.clone().cards(1, "PHY MER*3 SHI*3").load();
    play(&mut env, &["activate ARC"]);
    assert_eq!((phase(&env), decider(&env), texts(&env)), (Phase::Window, Some(1), vec!["pass".to_string()]));
    // Without one among the unseen cards it is not.
    let mut env = base.clone().load();
    play(&mut env, &["activate ARC"]);
    assert_ne!(phase(&env), Phase::Window);
    // Nor with an empty hand.
    let mut env = base.clone().hand(1, "").cards(1, "PHY MER*3 SHI*3").load();
    play(&mut env, &["activate ARC"]);
    assert_ne!(phase(&env), Phase::Window);
    // A hidden list could hold it as long as R1a leaves a copy.
    let mut env = base.clone().option("open_decklists", "hidden").load();
    play(&mut env, &["activate ARC"]);
    assert_eq!(phase(&env), Phase::Window);
    let mut env = base.option("open_decklists", "hidden").discard(1, "PHY*3").load();
    play(&mut env, &["activate ARC"]);
    assert_ne!(phase(&env), Phase::Window);
}

#[test]
fn gv_q9a_possible_windows_are_decisions_with_pass_alone() {
    let mut env = Position::of(2).option("windows", "possible").hand(0, "PHY NUR").hand(1, "PHY").load();
    assert_eq!(choices(&env)[0], Choice::Pass);
    play(&mut env, &["pass"]);
    // EFFECT is a decision with a card in hand, although nothing can be used.
    assert_eq!((phase(&env), texts(&env)), (Phase::Effect, vec!["pass".to_string()]));
    play(&mut env, &["pass"]);
    assert_eq!((decider(&env), phase(&env)), (Some(1), Phase::Play));
    // A search that finds nothing is a decision, and a card of a hand of two.
    let mut env = Position::of(2).option("windows", "possible").hand(0, "SCO PHY").cards(0, "VIR HES").load();
    play(&mut env, &["play SCO to back"]);
    assert_eq!((phase(&env), texts(&env)), (Phase::Card, vec!["pass".to_string()]));
    let mut env = Position::of(2)
        .option("windows", "possible")
        .hand(0, "BEL PHY")
        .back(0, "HER*2")
        .hand(1, "DRI*2")
        .load();
    play(&mut env, &["invoke BEL to back"]);
    assert_eq!(
        (phase(&env), decider(&env), texts(&env)),
        (Phase::Card, Some(1), vec!["choose DRI".to_string()])
    );
}

#[test]
fn gv_q11_unshown_searches_leave_no_record() {
    let mut env = Position::of(2)
        .option("search_reveals", false)
        .option("open_decklists", "hidden")
        .hand(0, "SCO PHY")
        .cards(0, "HER*2 ARC")
        .load();
    play(&mut env, &["play SCO to back", "choose HER"]);
    assert_eq!((zone(&env, 0, "list"), zone(&env, 0, "known_hand")), ("SCO".into(), String::new()));
    assert!(seen(&env, Some(1))["players"][0]["hand"].is_null());
}
