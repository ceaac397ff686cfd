//! What a player knows: bounds of the decks, samples, and what its observation holds.

use crate::fixture::{
    Position, chi_square, configured, decider, phase, play_numbers, samples, seen, segment,
};
use playmat_core::env::Env;
use playmat_core::prelude::*;
use playmat_rafts::Rafts;
use playmat_rafts::state::{Deck, Phase, State};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// RA-K1 from what a player receives alone: events, its own JSON, and copies of the content.
struct Follower {
    viewer: u8,
    base: BTreeMap<String, i64>,
    before: Value,
}

impl Follower {
    fn new(env: &Env<Rafts>, viewer: u8) -> Follower {
        let game = &env.configured().game;
        let mut base: BTreeMap<String, i64> = game.cards()[..game.resources()]
            .iter()
            .map(|card| (card.id.clone(), card.copies.into()))
            .collect();
        let before = seen(env, Some(viewer));
        for (id, count) in before["players"][usize::from(viewer)]["hand"].as_object().unwrap() {
            if let Some(left) = base.get_mut(id) {
                *left -= count.as_i64().unwrap();
            }
        }
        Follower { viewer, base, before }
    }

    /// Follows the last step.
    fn follow(&mut self, env: &Env<Rafts>) {
        let game = &env.configured().game;
        let mut discards = self.before["discards"].clone();
        for event in env.events(Some(Player(self.viewer))).unwrap() {
            let card = event["card"].as_str().unwrap_or_default().to_string();
            let change = |discards: &mut Value, by: i64| {
                let old = discards[&card].as_i64().unwrap_or(0);
                discards[&card] = json!(old + by);
            };
            match event["event"].as_str().unwrap() {
                "discarded" if self.base.contains_key(&card) => change(&mut discards, 1),
                "snatched" | "recovered" => change(&mut discards, -1),
                "deck_renewed" => {
                    let deck = if event["deck"] == "specific" { Deck::Specific } else { Deck::Generic };
                    for k in game.range(deck) {
                        let id = &game.cards()[k].id;
                        self.base.insert(id.clone(), discards[id].as_i64().unwrap_or(0));
                        discards[id] = json!(0);
                    }
                }
                "drawn" if event["player"] == self.viewer && self.base.contains_key(&card) => {
                    *self.base.get_mut(&card).unwrap() -= 1;
                }
                _ => {}
            }
        }
        self.before = seen(env, Some(self.viewer));
    }

    /// The bound of each kind.
    fn bound(&self, env: &Env<Rafts>) -> Vec<u8> {
        let game = &env.configured().game;
        let configured = &self.before;
        let viewer = usize::from(self.viewer);
        let count = |value: &Value, id: &str| value[id].as_i64().unwrap_or(0);
        game.cards()[..game.resources()]
            .iter()
            .map(|card| {
                let id = card.id.as_str();
                let mut unseen = i64::from(card.copies) - count(&configured["discards"], id);
                unseen -= i64::from(configured["placing"] == id);
                for (player, theirs) in configured["players"].as_array().unwrap().iter().enumerate() {
                    for bench in theirs["benches"].as_array().unwrap() {
                        unseen -= i64::from(bench["bacterium"] == id) + i64::from(bench["gene"] == id);
                    }
                    unseen -= count(&theirs["generics"], id);
                    unseen -= if player == viewer {
                        count(&theirs["hand"], id)
                    } else {
                        count(&theirs["known_hand"], id)
                    };
                }
                unseen.min(self.base[id]) as u8
            })
            .collect()
    }
}

#[test]
fn ra_k1_the_bound_follows_from_what_the_player_has_seen() {
    let (mut renewed, mut below) = (0, 0);
    for (players, seed) in [(2, 1), (3, 2), (6, 3), (6, 4)] {
        let mut env = Env::new(configured(&json!({"players": players})), seed);
        let mut followers: Vec<Follower> =
            (0..players as u8).map(|player| Follower::new(&env, player)).collect();
        while let Some(player) = env.current_player() {
            for follower in &followers {
                let bound = follower.bound(&env);
                assert_eq!(segment(&env, follower.viewer, "deck_bound"), bound);
                let deck = &env.state().deck;
                assert!(bound.iter().zip(deck).all(|(bound, deck)| deck <= bound));
                below += usize::from(bound.iter().zip(deck).any(|(bound, deck)| deck < bound));
            }
            let action = env.sample_action(player).unwrap();
            env.step(action.0.into()).unwrap();
            if env.current_player().is_none() {
                break;
            }
            renewed +=
                usize::from(env.events(None).unwrap().iter().any(|event| event["event"] == "deck_renewed"));
            for follower in &mut followers {
                follower.follow(&env);
            }
        }
    }
    assert!(renewed > 1 && below > 100, "{renewed} {below}");
}

/// All cards are in sight but four of the specific deck: two in it, two in the hand of player 1.
fn four_unseen() -> Position {
    Position::of(2)
        .set("turn", 8)
        .hand(0, "time LL")
        .hand(1, "EC BS")
        .discards(
            "EC*3 BS*3 PP*4 SY*4 DR*3 LL*2 lux*3 phaC*3 alkB*3 merA*3 HBB*4 PETase*4 IL10*2 nisA*2",
            None,
        )
        .decks("", "EC BS", "")
        .set("actions_played", json!({}))
}

#[test]
fn ra_k1_samples_of_a_small_position_are_as_likely_as_dealt() {
    // EC EC BS BS: the hand has two of the four.
    let env = four_unseen().load();
    let hand = |sample: &State| format!("{} {}", sample.players[1].hand[0], sample.players[1].hand[1]);
    let found = samples(&env, 0, 6_000, hand);
    let expected: BTreeMap<String, f64> =
        [("2 0", 1.0 / 6.0), ("1 1", 4.0 / 6.0), ("0 2", 1.0 / 6.0)].map(|(k, p)| (k.into(), p)).into();
    assert_eq!(found.len(), 3, "{found:?}");
    // The 99.9 % point with 2 degrees of freedom.
    assert!(chi_square(&found, &expected) < 13.8, "{found:?}");
}

#[test]
fn ra_k1_cards_older_than_the_deck_are_in_hands() {
    // Player 1 drew nothing since the deck was renewed, so the deck holds what it was renewed with.
    let position = four_unseen().player(1, "drawn", json!({})).player(0, "drawn", json!({}));
    let env = position.load();
    assert_eq!(segment(&env, 0, "deck_bound")[..2], [1, 1]);
    let found = samples(&env, 0, 200, |sample| {
        format!("{} {}", sample.players[1].hand[0], sample.players[1].hand[1])
    });
    assert_eq!(found.into_iter().collect::<Vec<_>>(), [("1 1".into(), 200)]);
}

#[test]
fn ra_k1_recovered_cards_stay_where_they_are_known_to_be() {
    let env = four_unseen()
        .player(1, "known_hand", json!({"EC": 1}))
        .set("actions_played", json!({"BE": 1}))
        .load();
    let found = samples(&env, 0, 3_000, |sample| {
        format!("{} {}", sample.players[1].hand[0], sample.players[1].hand[1])
    });
    // One of EC BS BS for the other place.
    let expected: BTreeMap<String, f64> =
        [("2 0", 1.0 / 3.0), ("1 1", 2.0 / 3.0)].map(|(k, p)| (k.into(), p)).into();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(chi_square(&found, &expected) < 10.9, "{found:?}");
}

#[test]
fn ra_q8_the_player_who_decides_holds_the_card_in_every_sample_of_the_others() {
    let base = Position::of(3).hand(0, "lux EC").bench(0, "- phaC").hand(1, "SE IE").hand(2, "RX BS");
    let mut env = base.load();
    play_numbers(&mut env, &[6]);
    assert_eq!((decider(&env), phase(&env)), (Some(1), Phase::Snatch));
    let snatchers = samples(&env, 2, 400, |sample| (sample.players[1].hand[27] > 0).to_string());
    assert_eq!(snatchers.into_keys().collect::<Vec<_>>(), ["true"]);
    // The player itself knows its hand.
    let own = samples(&env, 1, 50, |sample| format!("{:?}", sample.players[1].hand));
    assert_eq!(own.len(), 1);
    let mut possible = base.option("windows", "possible").load();
    play_numbers(&mut possible, &[6]);
    let found = samples(&possible, 2, 400, |sample| (sample.players[1].hand[27] > 0).to_string());
    assert_eq!(found.len(), 2, "the decision reveals nothing: {found:?}");
}

/// A copy before every step makes a chain as long as the episode: neither reading nor dropping it may need a stack as deep.
#[test]
fn conf_v9_information_states_survive_a_copy_before_every_step() {
    let play = || {
        let mut env = Env::new(configured(&json!({"players": 2})), 5);
        let mut copies = 0;
        while env.status() == playmat_core::game::Status::Running {
            let player = env.current_player().unwrap();
            let keys = [0, 1].map(|player| env.information_state_key(Player(player)).unwrap());
            env = env.clone_with_seed(copies);
            if copies % 16 == 0 {
                assert_eq!([0, 1].map(|player| env.information_state_key(Player(player)).unwrap()), keys);
            }
            let action = env.sample_action(player).unwrap();
            env.step(action.0.into()).unwrap();
            copies += 1;
            if copies == 400 {
                break;
            }
        }
        copies
    };
    let small = std::thread::Builder::new().stack_size(256 << 10).spawn(play).unwrap();
    assert!(small.join().unwrap() > 100);
}
