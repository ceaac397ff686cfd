//! What must hold in every position of the five games, and what their greedy agents are worth.

use crate::fixture::configured;
use playmat_classics::{ConnectFour, Goofspiel, KuhnPoker, LeducPoker, TicTacToe, deal_cards, deals};
use playmat_core::agent::{Agent, Greedy, Random};
use playmat_core::env::Env;
use playmat_core::prelude::*;
use playmat_core::rng::episode_seed;
use playmat_core::survey::survey;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What must hold in any position.
fn check_position<G: Show>(env: &Env<G>, rng: &mut Rng) {
    let (game, state) = (&env.configured().game, env.state());
    assert_eq!(env.validate(), [], "{state:?}");
    let whole = game.describe(state, None);
    let mut untouched = *rng;
    let back = game.restore(&whole, &mut untouched).unwrap_or_else(|e| panic!("{whole}: {e:?}"));
    assert_eq!((back, untouched), (*state, *rng), "{whole}");
    for viewer in Seat::all(env.info().players) {
        let sample = game.sample_hidden(state, viewer, rng);
        assert_eq!(game.validate(&sample), [], "{state:?} {viewer} {sample:?}");
        let size = env.info().observation.size();
        let (mut a, mut b) = (vec![0xaa; size], vec![0x55; size]);
        game.observe(state, viewer, &mut a);
        game.observe(&sample, viewer, &mut b);
        assert_eq!(a, b, "{state:?} {viewer} {sample:?}");
        for segment in &env.info().observation.segments {
            let bytes = &a[segment.offset..segment.offset + segment.len()];
            assert!(
                bytes.iter().all(|&byte| u16::from(byte) <= segment.scale),
                "{}: {bytes:?}",
                segment.name
            );
        }
        let seen = Some(viewer);
        assert_eq!(game.describe(state, seen), game.describe(&sample, seen), "{state:?}");
        assert_eq!(game.draw_text(state, seen), game.draw_text(&sample, seen));
        assert_eq!(game.draw_svg(state, seen), game.draw_svg(&sample, seen));
        assert_eq!(game.scores(state), game.scores(&sample));
        assert!(game.draw_text(state, seen).lines().all(|line| line.chars().count() <= 100));
        for action in env.legal(viewer).iter() {
            for known in [None, Some((state, viewer))] {
                let text = game.action_text(known, action);
                assert_eq!(game.parse_action(known, &text.to_uppercase()), Some(action), "{text}");
            }
        }
    }
}

/// Random games from the first deal to the end, every position checked and every declared bound holds.
fn check_games<G: Show>(options: &Value, episodes: u64) {
    let configured = configured::<G>(options);
    let info = configured.game.info();
    assert_eq!(info.problems(), []);
    let mut rng = Rng::from_seed(3);
    for seed in 0..episodes {
        let mut env = Env::new(configured.clone(), seed);
        while let Some(seat) = env.current_player() {
            check_position(&env, &mut rng);
            let action = env.sample_action(seat).unwrap();
            env.step(action.0.into()).unwrap();
            assert!(!env.events(None).unwrap().is_empty());
        }
        check_position(&env, &mut rng);
        assert_eq!(env.status(), Status::Terminated);
        assert!(env.decisions() as usize <= info.max_decisions);
        let scores = &env.scores()[..info.players];
        assert!(scores.iter().all(|s| (info.score_range.0..=info.score_range.1).contains(s)), "{scores:?}");
        assert!(!info.score_zero_sum || scores.iter().sum::<i32>() == 0, "{scores:?}");
    }
    let survey = survey(&configured, episodes, 1, &[&Random]);
    assert!(survey.max_forced <= info.max_forced && survey.chance.max as usize <= info.max_chance);
}

#[test]
fn every_position_of_every_game_holds_together() {
    check_games::<TicTacToe>(&json!({}), 60);
    check_games::<ConnectFour>(&json!({}), 20);
    for players in 2..=8 {
        check_games::<KuhnPoker>(&json!({"players": players}), 20);
        check_games::<LeducPoker>(&json!({"players": players}), 10);
        check_games::<Goofspiel>(&json!({"players": players}), 2);
        check_games::<Goofspiel>(&json!({"players": players, "num_cards": 4, "num_turns": 3}), 5);
    }
    for order in ["descending", "ascending"] {
        for returns in ["point_difference", "total_points"] {
            for cards in [2, 5, 15] {
                let options = json!({"points_order": order, "returns_type": returns, "num_cards": cards});
                check_games::<Goofspiel>(&options, 3);
            }
        }
    }
    for turns in [0, 4, 15] {
        check_games::<Goofspiel>(&json!({"imp_info": true, "num_turns": turns}), 10);
        check_games::<Goofspiel>(&json!({"imp_info": true, "num_cards": 5, "num_turns": turns}), 40);
    }
}

/// Mean return of the greedy agent in `seat` against random ones.
fn greedy_return<G: Show>(options: &Value, seat: usize) -> f64 {
    let configured = configured::<G>(options);
    let mut agents: Vec<&dyn Agent<_>> = vec![&Random; configured.game.info().players];
    agents[seat] = &Greedy;
    survey(&configured, 2_000, 7, &agents).returns[seat].mean
}

#[test]
fn greedy_beats_random() {
    // A mean outcome of 0.8 is nine victories in ten, draws counted as halves.
    for seat in 0..2 {
        for (name, mean) in [
            ("tic_tac_toe", greedy_return::<TicTacToe>(&json!({}), seat)),
            ("connect_four", greedy_return::<ConnectFour>(&json!({}), seat)),
            ("goofspiel", greedy_return::<Goofspiel>(&json!({}), seat)),
        ] {
            assert!(mean >= 0.8, "{name} player {seat}: {mean}");
        }
    }
    // The cards decide most of a hand of poker: a clear gain in chips is what there is.
    for players in 2..=8 {
        for seat in 0..players {
            let options = json!({"players": players});
            let kuhn = greedy_return::<KuhnPoker>(&options, seat);
            let leduc = greedy_return::<LeducPoker>(&options, seat);
            assert!(kuhn > 0.05 && leduc > 0.3, "{players} players, player {seat}: {kuhn} {leduc}");
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

/// The choices of a survey are those of the same episodes played here.
fn check_choices<G: Show>(options: &Value, seed: u64) {
    let configured = configured::<G>(options);
    let players = configured.game.info().players;
    let mut played: BTreeMap<u16, Vec<(Seat, usize, f64)>> = BTreeMap::new();
    for episode in 0..50 {
        let mut env = Env::new(configured.clone(), episode_seed(seed, episode));
        let mut chosen: BTreeMap<(u16, Seat), usize> = BTreeMap::new();
        while let Some(seat) = env.current_player() {
            let action = env.sample_action(seat).unwrap();
            *chosen.entry((action.0, seat)).or_default() += 1;
            env.step(action.0.into()).unwrap();
        }
        let winners = configured.game.winners(env.state());
        for ((action, seat), times) in chosen {
            let won = if winners.contains(seat) { 1.0 / winners.len() as f64 } else { 0.0 };
            played.entry(action).or_default().push((seat, times, won));
        }
    }
    let survey = survey(&configured, 50, seed, &[&Random]);
    assert_eq!(survey.choices.len(), played.len());
    for (choice, (action, all)) in survey.choices.iter().zip(played) {
        let times: usize = all.iter().map(|(_, times, _)| times).sum();
        assert_eq!((choice.action, choice.times, choice.seats), (action, times as u64, all.len() as u64));
        let per_time = all.iter().map(|(_, times, won)| *times as f64 * won).sum::<f64>() / times as f64;
        let share = all.iter().map(|(_, _, won)| won).sum::<f64>() / all.len() as f64;
        assert!(
            (choice.per_time - per_time).abs() < 1e-9 && (choice.share - share).abs() < 1e-9,
            "{choice:?}"
        );
        assert!(choice.episodes <= choice.seats && choice.seats <= choice.episodes * players as u64);
    }
}

#[test]
fn surveys_report_the_returns_of_players_who_chose_an_action() {
    check_choices::<TicTacToe>(&json!({}), 3);
    check_choices::<ConnectFour>(&json!({}), 4);
    check_choices::<Goofspiel>(&json!({"players": 3, "num_cards": 4}), 5);
    check_choices::<LeducPoker>(&json!({"players": 5}), 6);
}
