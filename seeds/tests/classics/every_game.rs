//! What the greedy agents of the five games are worth, their deals, and what a survey reports of them.

use crate::fixture::configured;
use playmat_classics::{ConnectFour, Goofspiel, KuhnPoker, LeducPoker, TicTacToe};
use playmat_classics_common::{deal_cards, deals};
use playmat_conformance::testing::against_random;
use playmat_core::agent::Random;
use playmat_core::env::Env;
use playmat_core::prelude::*;
use playmat_core::rng::episode_seed;
use playmat_core::survey::survey;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Mean return of the greedy agent in `player` against random ones.
fn greedy_return<G: Show>(options: &Value, player: usize) -> f64 {
    against_random(&configured::<G>(options), player, 2_000).returns[player].mean
}

#[test]
fn greedy_beats_random() {
    // A mean outcome of 0.8 is nine victories in ten, draws counted as halves.
    for player in 0..2 {
        for (name, mean) in [
            ("tic_tac_toe", greedy_return::<TicTacToe>(&json!({}), player)),
            ("connect_four", greedy_return::<ConnectFour>(&json!({}), player)),
            ("goofspiel", greedy_return::<Goofspiel>(&json!({}), player)),
        ] {
            assert!(mean >= 0.8, "{name} player {player}: {mean}");
        }
    }
    // The cards decide most of a hand of poker: a clear gain in chips is what there is.
    for players in 2..=8 {
        for player in 0..players {
            let options = json!({"players": players});
            let kuhn = greedy_return::<KuhnPoker>(&options, player);
            let leduc = greedy_return::<LeducPoker>(&options, player);
            assert!(kuhn > 0.05 && leduc > 0.3, "{players} players, player {player}: {kuhn} {leduc}");
        }
    }
}

#[test]
fn every_deal_comes_from_exactly_one_number() {
    for (players, deck) in [(2, 3), (2, 6), (3, 4), (3, 8), (4, 10)] {
        let mut seen = std::collections::BTreeSet::new();
        for number in 0..deals(players, deck) {
            let cards = deal_cards(players, deck, number);
            let held = &cards[..players];
            assert!(held.iter().all(|&c| u32::from(c) < deck));
            assert!((0..players).all(|i| !held[..i].contains(&held[i])), "{held:?}");
            assert!(seen.insert(cards));
        }
        assert_eq!(seen.len() as u32, deals(players, deck));
    }
    assert_eq!(deals(8, 18), 1_764_322_560);
}

/// Samples are those of the list of all determinizations, drawn by one number, wherever one card is hidden.
fn check_samples<G: Show>(least: usize) {
    let configured = configured::<G>(&json!({"players": 2}));
    let game = &*configured.game;
    let list = game.hooks().determinizations.unwrap();
    let mut compared = 0;
    for seed in 0..200 {
        let mut env = Env::new(configured.clone(), seed);
        loop {
            for viewer in Player::all(2) {
                let states = list(game, env.state(), viewer).unwrap();
                let mut rng = Rng::from_seed(seed);
                let sample = game.sample_hidden(env.state(), viewer, &mut rng);
                let mut again = Rng::from_seed(seed);
                let number = if states.len() > 1 { again.below(states.len() as u32) } else { 0 };
                assert_eq!((sample, rng), (states[number as usize].0, again));
                compared += usize::from(states.len() > 1);
            }
            let Some(player) = env.current_player() else { break };
            let action = env.sample_action(player).unwrap();
            env.step(action.0.into()).unwrap();
        }
    }
    assert!(compared > least, "{compared}");
}

#[test]
fn samples_of_two_players_are_drawn_from_the_list_of_all() {
    check_samples::<KuhnPoker>(800);
    check_samples::<LeducPoker>(800);
}

/// The choices of a survey are those of the same episodes played here.
fn check_choices<G: Show>(options: &Value, seed: u64) {
    let configured = configured::<G>(options);
    let players = configured.game.info().players;
    let mut played: BTreeMap<u16, Vec<(Player, usize, f64)>> = BTreeMap::new();
    for episode in 0..50 {
        let mut env = Env::new(configured.clone(), episode_seed(seed, episode));
        let mut chosen: BTreeMap<(u16, Player), usize> = BTreeMap::new();
        while let Some(player) = env.current_player() {
            let action = env.sample_action(player).unwrap();
            *chosen.entry((action.0, player)).or_default() += 1;
            env.step(action.0.into()).unwrap();
        }
        let winners = configured.game.winners(env.state());
        for ((action, player), times) in chosen {
            let won = if winners.contains(player) { 1.0 / winners.len() as f64 } else { 0.0 };
            played.entry(action).or_default().push((player, times, won));
        }
    }
    let survey = survey(&configured, 50, seed, &[&Random]);
    assert_eq!(survey.choices.len(), played.len());
    for (choice, (action, all)) in survey.choices.iter().zip(played) {
        let times: usize = all.iter().map(|(_, times, _)| times).sum();
        assert_eq!((choice.action, choice.times, choice.players), (action, times as u64, all.len() as u64));
        let per_time = all.iter().map(|(_, times, won)| *times as f64 * won).sum::<f64>() / times as f64;
        let share = all.iter().map(|(_, _, won)| won).sum::<f64>() / all.len() as f64;
        assert!(
            (choice.per_time - per_time).abs() < 1e-9 && (choice.share - share).abs() < 1e-9,
            "{choice:?}"
        );
        assert!(choice.episodes <= choice.players && choice.players <= choice.episodes * players as u64);
    }
}

#[test]
fn surveys_report_the_returns_of_players_who_chose_an_action() {
    check_choices::<TicTacToe>(&json!({}), 3);
    check_choices::<ConnectFour>(&json!({}), 4);
    check_choices::<Goofspiel>(&json!({"players": 3, "num_cards": 4}), 5);
    check_choices::<LeducPoker>(&json!({"players": 5}), 6);
}

/// A form of an observation: what it writes for a player.
type Observe<G> = fn(&G, &<G as Game>::State, Player, &mut [u8]);

/// Compares observations of random episodes with what another form writes.
fn check_observations<G: Show>(slow: Observe<G>) {
    let configured = configured::<G>(&json!({}));
    let (game, size) = (&*configured.game, configured.game.info().observation.size());
    for seed in 0..300 {
        let mut env = Env::new(configured.clone(), seed);
        loop {
            for viewer in Player::all(2) {
                let (mut fast, mut twin) = (vec![0xaa; size], vec![0x55; size]);
                game.observe(env.state(), viewer, &mut fast);
                slow(game, env.state(), viewer, &mut twin);
                assert_eq!(fast, twin, "{}, seed {seed}, {:?}", G::ID, env.history());
            }
            let Some(player) = env.current_player() else { break };
            let action = env.sample_action(player).expect("the player must act");
            env.step(action.0.into()).expect("the action is legal");
        }
    }
}

#[test]
fn observations_of_two_players_are_those_of_the_general_form() {
    check_observations::<Goofspiel>(Goofspiel::observe_any);
    check_observations::<LeducPoker>(LeducPoker::observe_any);
}
