//! Information states and listed outcomes of chance, by full enumeration.

use crate::fixture::{configured, new, play_out};
use playmat_classics::{ConnectFour, Goofspiel, KuhnPoker, LeducPoker, TicTacToe};
use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::prelude::*;
use playmat_core::save;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Calls `visit` with every position and the probability that chance leads there.
fn enumerate<G: Show>(game: &Arc<ConfiguredGame<G>>, visit: &mut dyn FnMut(&Env<G>, f64)) {
    fn follow<G: Show>(env: &Env<G>, probability: f64, visit: &mut dyn FnMut(&Env<G>, f64)) {
        visit(env, probability);
        let Some(player) = env.current_player() else { return };
        for action in env.legal(player).iter() {
            for (next, p) in env.chance_outcomes(action.0.into()).unwrap() {
                follow(&next, probability * p, visit);
            }
        }
    }
    for (env, p) in game.chance_outcomes().unwrap() {
        follow(&env, p, visit);
    }
}

/// The keys of the players that act, each with the facts that `known` finds in the player's JSON.
fn keys<G: Show>(options: &Value, known: fn(&Value, Player) -> String) -> BTreeMap<u128, BTreeSet<String>> {
    let mut found: BTreeMap<u128, BTreeSet<String>> = BTreeMap::new();
    enumerate(&configured::<G>(options), &mut |env, _| {
        let Some(player) = env.current_player() else { return };
        let view = env.to_json(Some(player)).unwrap();
        let key = env.information_state_key(player).unwrap();
        found.entry(key).or_default().insert(known(&view["state"], player));
    });
    found
}

/// As many keys as different facts, and one of each for the other.
fn assert_exact(found: &BTreeMap<u128, BTreeSet<String>>, count: usize) {
    assert_eq!(found.len(), count);
    assert!(found.values().all(|facts| facts.len() == 1));
    assert_eq!(found.values().flatten().collect::<BTreeSet<_>>().len(), count);
}

/// In poker the own card, the public card and the actions are everything.
fn poker(view: &Value, player: Player) -> String {
    format!("{player} {} {} {}", view["cards"][player.index()], view["public"], view["actions"])
}

#[test]
fn kuhn_poker_has_12_information_states() {
    assert_exact(&keys::<KuhnPoker>(&json!({}), poker), 12);
    // With three players 48: four cards for each of the 12 public positions.
    assert_exact(&keys::<KuhnPoker>(&json!({"players": 3}), poker), 48);
}

#[test]
fn leduc_poker_has_936_information_states() {
    assert_exact(&keys::<LeducPoker>(&json!({}), poker), 936);
}

#[test]
fn goofspiel_forgets_nothing() {
    // Prizes and past bids in order, and the own bid of this turn.
    let known = |view: &Value, player: Player| format!("{player} {view}");
    for imp_info in [false, true] {
        let options = json!({"num_cards": 3, "imp_info": imp_info});
        let found = keys::<Goofspiel>(&options, known);
        assert_exact(&found, found.len());
        // The first turn: 3 prizes for each player. The second: 2 prizes left, 3 x 3 bids; of hidden bids 3 with up to 3 results each.
        let second = if imp_info { 3 * 2 * 7 } else { 3 * 2 * 9 };
        assert_eq!(found.len(), 2 * (3 + second), "imp_info {imp_info}");
    }
}

#[test]
fn the_order_of_simultaneous_bids_does_not_show() {
    let env = new::<Goofspiel>(&json!({"players": 3, "num_cards": 5}));
    let key = |env: &Env<Goofspiel>, player| env.information_state_key(Player(player)).unwrap();
    let mut ends = BTreeSet::new();
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut env = env.clone();
        for (place, &player) in order.iter().enumerate() {
            let before: Vec<u128> = (0..3).map(|player| key(&env, player)).collect();
            env.step_player(Player(player), (player + 1).into()).unwrap();
            for other in (0..3).filter(|&other| other != player && place < 2) {
                assert_eq!(key(&env, other), before[usize::from(other)]);
            }
            assert_ne!(key(&env, player), before[usize::from(player)]);
        }
        ends.insert((0..3).map(|player| key(&env, player)).collect::<Vec<_>>());
    }
    assert_eq!(ends.len(), 1);
}

#[test]
fn copies_keep_the_key_and_samples_that_of_their_player() {
    let mut env = new::<LeducPoker>(&json!({}));
    env.step(1).unwrap();
    let key = |env: &Env<LeducPoker>, player| env.information_state_key(Player(player)).unwrap();
    let both = [key(&env, 0), key(&env, 1)];
    assert_ne!(both[0], both[1]);
    let of = |env: &Env<LeducPoker>| [key(env, 0), key(env, 1)];
    assert_eq!(of(&env.clone()), both);
    assert_eq!(of(&env.clone_with_seed(1)), both);
    assert_eq!(of(&env.clone_with_seed(1).clone_with_seed(2)), both);
    let past = save::from_bytes(env.configured(), &save::to_bytes(&env)).unwrap();
    assert_ne!(key(&past, 0), both[0]);
    assert_eq!(of(&past.with_history(None, env.history()).unwrap()), both);
    for player in [0, 1] {
        let other = 1 - player;
        let mut sample = env.sample_hidden(Player(player), 5).unwrap();
        assert_eq!(key(&sample, player), both[usize::from(player)]);
        assert_ne!(key(&sample, other), both[usize::from(other)]);
        // Nested, and what was kept as text.
        let nested = sample.clone_with_seed(3).sample_hidden(Player(player), 7).unwrap();
        assert_eq!(key(&nested, player), both[usize::from(player)]);
        assert_eq!(key(&sample.sample_hidden(Player(other), 7).unwrap(), other), key(&sample, other));
        let mut kept = save::from_bytes(env.configured(), &save::to_bytes(&sample)).unwrap();
        assert_ne!(key(&kept, player), both[usize::from(player)]);
        kept.restore_seen_before(&sample.seen_before().unwrap()).unwrap();
        // Play goes on from it as from the true state.
        let mut truth = env.clone();
        for env in [&mut sample, &mut kept, &mut truth] {
            env.step(2).unwrap();
        }
        assert_eq!(of(&kept), of(&sample));
        assert_eq!(key(&sample, player), key(&truth, player));
    }
    assert_eq!(env.information_state_key(Player(2)).unwrap_err().code(), "invalid_player");
    assert_eq!(env.information_state(Player(9)).unwrap_err().code(), "invalid_player");
    assert_eq!(env.restore_seen_before("[3]").unwrap_err().code(), "unreadable");
}

/// Keys are part of the contract: saved tables are indexed by them.
#[test]
fn keys_are_pinned() {
    let mut env = new::<KuhnPoker>(&json!({}));
    let key = |env: &Env<KuhnPoker>, player| {
        playmat_core::information::key_text(env.information_state_key(Player(player)).unwrap())
    };
    let mut found = vec![key(&env, 0), key(&env, 1)];
    env.step(1).unwrap();
    found.push(key(&env, 1));
    assert_eq!(found, PINNED);
}

/// Also in the tests of Python, C, C++ and C#.
const PINNED: [&str; 3] = [
    "0xff60bd2911b2f4a28c1f4e976133673f",
    "0x790e53ec9f1202b406d4e761487709d4",
    "0x4877d99e0ffe27b615416fabcd306f4c",
];

#[test]
fn the_json_leads_from_the_first_view_to_the_last() {
    let mut env = new::<LeducPoker>(&json!({}));
    play_out(&mut env);
    for player in [Player(0), Player(1)] {
        let information = env.information_state(player).unwrap();
        let written = playmat_core::information::key_text(env.information_state_key(player).unwrap());
        assert_eq!(information["key"], json!(written));
        let choices: Vec<u64> = information["seen"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|entry| entry["choice"].as_u64())
            .collect();
        let made: Vec<u64> = env
            .history()
            .iter()
            .filter(|(other, _)| *other == player)
            .map(|(_, action)| action.0.into())
            .collect();
        assert_eq!(choices, made);
        let last = env.to_json(Some(player)).unwrap();
        assert_eq!(
            (&information["now"]["status"], &information["now"]["state"]),
            (&last["status"], &last["state"])
        );
        assert_eq!(information["start"]["to_act"], json!(player == Player(0)));
    }
}

#[test]
fn listed_outcomes_are_those_of_play() {
    // A game without chance has one deal, and an action one outcome.
    for count in [
        configured::<TicTacToe>(&json!({})).chance_outcomes().unwrap().len(),
        configured::<ConnectFour>(&json!({})).chance_outcomes().unwrap().len(),
        configured::<Goofspiel>(&json!({"points_order": "descending"})).chance_outcomes().unwrap().len(),
    ] {
        assert_eq!(count, 1);
    }
    let deals = configured::<KuhnPoker>(&json!({})).chance_outcomes().unwrap();
    let cards: BTreeSet<String> =
        deals.iter().map(|(env, _)| env.to_json(None).unwrap()["state"]["cards"].to_string()).collect();
    assert_eq!((deals.len(), cards.len()), (6, 6));
    assert!(deals.iter().all(|(_, p)| *p == 1.0 / 6.0));
    // The deal is that of the environment's own seed.
    for (env, _) in &deals {
        let again = Env::new(env.configured().clone(), env.episode_seed());
        assert_eq!(again.state(), env.state());
    }
    // Two checks: the public card.
    let mut env = new::<LeducPoker>(&json!({}));
    let quiet = env.chance_outcomes(1).unwrap();
    assert_eq!((quiet.len(), quiet[0].1), (1, 1.0));
    env.step(1).unwrap();
    let opened = env.chance_outcomes(1).unwrap();
    let publics: BTreeSet<u8> = opened.iter().map(|(env, _)| env.state().public).collect();
    assert_eq!((opened.len(), publics.len()), (4, 4));
    assert_eq!(opened.iter().map(|(_, p)| p).sum::<f64>(), 1.0);
    for (next, _) in &opened {
        assert!(next.events(None).unwrap().iter().any(|event| event["event"] == "opened"));
    }
    assert_eq!(env.chance_outcomes(0).unwrap_err().code(), "illegal_action");
    assert_eq!(env.decisions(), 1);
    // Goofspiel turns up a prize after the last bid.
    let mut env = new::<Goofspiel>(&json!({"num_cards": 5}));
    assert_eq!(env.configured().chance_outcomes().unwrap().len(), 5);
    assert_eq!(env.chance_outcomes(2).unwrap().len(), 1);
    env.step(2).unwrap();
    assert_eq!(env.chance_outcomes(3).unwrap().len(), 4);
    // Too many to list: 9!.
    let many = configured::<KuhnPoker>(&json!({"players": 8})).chance_outcomes().unwrap_err();
    assert_eq!(many.code(), "missing_feature");
    assert!(many.to_string().contains("is sampled"), "{many}");
}

#[test]
fn chance_sums_to_one_in_a_whole_game() {
    let mut ends = 0.0;
    enumerate(&configured::<LeducPoker>(&json!({})), &mut |env, p| {
        // One line of play: everybody always calls.
        if env.status() != Status::Running && env.history_is_calls() {
            ends += p;
        }
    });
    assert!((ends - 1.0).abs() < 1e-12, "{ends}");
}

trait Calls {
    fn history_is_calls(&self) -> bool;
}

impl Calls for Env<LeducPoker> {
    fn history_is_calls(&self) -> bool {
        let actions = &self.to_json(None).unwrap()["state"]["actions"];
        *actions == json!([["call", "call"], ["call", "call"]])
    }
}
