//! Building decks in the episode, and decks by option: GV-R1a, R1b, BUILD.

use crate::fixture::{
    configured, decider, phase, player_state, refused_options, seen, segment, standard, texts, whose,
};
use playmat_core::env::Env;
use playmat_core::prelude::*;
use playmat_graven::Graven;
use playmat_graven::state::Phase;
use serde_json::json;

fn building(options: &serde_json::Value, seed: u64) -> Env<Graven> {
    Env::new(configured(options), seed)
}

#[test]
fn gv_r1b_decks_are_built_in_thirty_rounds() {
    let mut env = building(&json!({"decks": "build"}), 5);
    let mut rounds = 0;
    while phase(&env) == Phase::Build {
        assert_eq!(env.acting().len(), 2);
        assert_eq!(player_state(&env, 0).deck.total(), rounds);
        assert_eq!(segment(&env, 0, "phase")[0], 1);
        assert_eq!(segment(&env, 1, "other1_deck_size"), [rounds as u8]);
        assert!(!env.configured().game.legal(env.state(), Player(0)).is_empty());
        for player in [Player(1), Player(0)] {
            let action = env.sample_action(player).unwrap();
            env.step_player(player, action.0.into()).unwrap();
        }
        rounds += 1;
    }
    assert_eq!(rounds, 30);
    for player in 0..2 {
        let owner = player_state(&env, player);
        let all = owner.hand.plus(owner.deck);
        assert_eq!(all.total(), 30);
        assert!(all.iter().filter(|(kind, _)| env.configured().game.is_titan(*kind)).count() >= 3);
        assert_eq!(segment(&env, 0, &format!("{}_list_open", whose(player))), [0], "built decks are hidden");
    }
}

#[test]
fn gv_r1b_a_pick_counts_when_its_round_is_complete() {
    let mut env = building(&json!({"decks": "build"}), 1);
    let before: Vec<Vec<u8>> =
        [0, 1].map(|v| crate::fixture::observed(&env.configured().game, env.state(), v)).into();
    let action = env.sample_action(Player(1)).unwrap();
    env.step_player(Player(1), action.0.into()).unwrap();
    let game = &env.configured().game;
    assert_eq!(crate::fixture::observed(game, env.state(), 0), before[0]);
    let mut own = crate::fixture::observed(game, env.state(), 1);
    assert_eq!(own[0], 0, "nothing is left to decide for player 1");
    own[0] = 1;
    assert_eq!(own, before[1]);
    assert!(seen(&env, Some(1))["players"][1].get("pick").is_none());
    assert_eq!(env.acting(), Players::one(Player(0)));
}

#[test]
fn gv_r1b_one_may_build_and_the_other_not() {
    let mut env = building(&json!({"decks": ["chapel", "build"], "first_player": 1}), 2);
    assert_eq!((env.acting(), decider(&env)), (Players::one(Player(1)), Some(1)));
    assert_eq!(player_state(&env, 0).deck.total(), 30);
    // No list is open before the deal.
    assert_eq!(segment(&env, 1, "other1_list_open"), [0]);
    assert!(segment(&env, 1, "other1_unseen").iter().all(|&count| count == 0));
    assert_eq!(segment(&env, 0, "deck").iter().sum::<u8>(), 30);
    while phase(&env) == Phase::Build {
        let action = env.sample_action(Player(1)).unwrap();
        env.step_player(Player(1), action.0.into()).unwrap();
    }
    assert_eq!((decider(&env), env.state().turn_player), (Some(1), 1));
    assert_eq!(segment(&env, 1, "other1_list_open"), [1]);
    assert_eq!(segment(&env, 0, "other1_list_open"), [0]);
    assert!(!env.configured().game.info().simultaneous);
}

#[test]
fn gv_r1a_picks_can_always_be_completed() {
    // The smallest content: two Humans and twenty-four Titans.
    let mut text = String::from("name = \"graven\"\n");
    for (number, kind) in (0..26).zip(["human"; 2].into_iter().chain(["titan"; 24])) {
        text.push_str(&format!(
            "[[card]]\nid = \"k{number}\"\nname = \"Card {number}\"\ntype = \"{kind}\"\n[[card.ability]]\nwhen = \"enter\"\ndo = [ {{ verb = \"draw\" }} ]\n"
        ));
    }
    for decks in ["build", "random"] {
        let mut env = building(&json!({"decks": decks, "content": text}), 3);
        while phase(&env) == Phase::Build {
            let player = env.current_player().unwrap();
            let action = env.sample_action(player).unwrap();
            env.step_player(player, action.0.into()).unwrap();
        }
        let owner = player_state(&env, 0);
        assert_eq!(owner.hand.plus(owner.deck).total(), 30);
    }
}

#[test]
fn gv_r1a_listed_decks_by_names_ids_and_tables() {
    let env = building(
        &json!({"decks": [
            {"Acolyte": 3, "ARC": 3, "bla": 3, "CON": 3, "DEF": 3, "DRI": 3, "GAR": 3, "GRA": 3, "HAR": 3, "NUR": 1, "VIR": 1, "Hesh": 1},
            "intrigue",
        ]}),
        4,
    );
    let list = player_state(&env, 0).list;
    assert_eq!(list.total(), 30);
    assert_eq!(list.count(env.configured().game.kind("ACO").unwrap()), 3);
    assert!(!texts(&env).is_empty());
}

#[test]
fn gv_r1b_refused_sources() {
    for (decks, part) in [
        (json!("vangard"), "did you mean `vanguard`?"),
        (json!(["ARC"]), "players 0, 1: 1 card; a deck has 30"),
        (json!(["any"]), "a list of 1 sources for 2 players; one for each is needed"),
        (json!(["any", "Siege", {"ARC": 3}]), "a list of 3 sources for 2 players"),
        (json!({"ARC": 4, "NUR": 26}), "4 copies of Archer"),
        (json!({"ARC": 0}), "0 copies of `ARC`"),
        (json!(7), "7 is no deck"),
        (json!(["any", 3]), "player 1: 3 is no deck"),
        (json!([["ARC", 5], "any"]), "player 0: 5 is no name of a card"),
    ] {
        let said = refused_options(&json!({"decks": decks}));
        assert!(said.contains(part) && said.contains("option `decks`"), "{said}");
    }
    let bare = standard().split("# Ready-made decks").next().unwrap().to_string();
    assert!(
        refused_options(&json!({"content": bare})).contains("`any`: the content has no ready-made decks")
    );
    for first in [json!(2), json!(-1), json!("me"), json!(0.5)] {
        assert!(
            refused_options(&json!({"first_player": first}))
                .contains("allowed: `random`, or a player from 0 to 1")
        );
    }
}
