//! Tree search: what follows from its seed, what it finds, and that it never sees the true state.

#![allow(clippy::unwrap_used, reason = "a test may stop anywhere")]

use playmat_core::agent::{Agent, Knowledge, Mcts, Memories, Spec};
use playmat_core::bits::LegalSet;
use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::game::Game;
use playmat_core::info::RewardKind;
use playmat_core::log::Silent;
use playmat_core::pool::Pool;
use playmat_core::rng::Rng;
use playmat_core::search::{Budget, Candidate, Search, Settings};
use playmat_core::seat::{Action, Seat};
use playmat_core::show::Show;
use playmat_core::toy::{Nim, Toll, TollState};
use serde_json::json;
use std::sync::Arc;

fn configured<G: Show>(players: usize) -> Arc<ConfiguredGame<G>> {
    Arc::new(ConfiguredGame::new(json!({ "players": players }).as_object().unwrap()).unwrap())
}

fn settings(text: &str) -> Settings {
    text.parse().unwrap()
}

/// What a search says about the decision of the player who must act.
fn look<G: Show>(env: &Env<G>, search: &mut Search, text: &str, seed: u64) -> Vec<Candidate> {
    let player = env.current_player().unwrap();
    let legal = env.legal(player);
    let known = Knowledge::new(&*env.configured().game, env.state(), player, &legal);
    let rng = &mut Rng::from_seed(seed);
    search.run(&known, &settings(text), RewardKind::Outcome, None, rng).to_vec()
}

#[test]
fn a_search_follows_from_its_seed_and_counts_its_simulations() {
    for seed in 0..20 {
        let env = Env::new(configured::<Toll>(3), seed);
        let mut search = Search::default();
        let first = look(&env, &mut search, "50", 1);
        assert_eq!(first.iter().map(|one| one.visits).sum::<u32>(), 50);
        assert!(first.is_sorted_by_key(|one| std::cmp::Reverse(one.visits)));
        let legal = env.legal(env.current_player().unwrap());
        assert!(first.iter().all(|one| legal.contains(one.action) && one.mean_return.abs() <= 1.0));
        assert_eq!(look(&env, &mut Search::default(), "50", 1), first);
        // The tree is kept: its visits count too.
        let more = look(&env, &mut search, "50", 2);
        assert_eq!(more.iter().map(|one| one.visits).sum::<u32>(), 100);
    }
    let env = Env::new(configured::<Toll>(3), 0);
    let all: Vec<_> = (0..20).map(|seed| look(&env, &mut Search::default(), "50", seed)).collect();
    assert!(all.iter().any(|one| *one != all[0]), "other seeds, other searches");
}

#[test]
fn threads_share_the_simulations_and_change_nothing() {
    let env = Env::new(configured::<Toll>(4), 3);
    let player = env.current_player().unwrap();
    let legal = env.legal(player);
    let known = Knowledge::new(&*env.configured().game, env.state(), player, &legal);
    let settings = settings("50,threads=3");
    let run = |pool: Option<&mut Pool>| {
        let (mut search, mut rng) = (Search::default(), Rng::from_seed(5));
        let found = search.run(&known, &settings, RewardKind::Outcome, pool, &mut rng).to_vec();
        (found, search.nodes())
    };
    let alone = run(None);
    assert_eq!(alone.0.iter().map(|one| one.visits).sum::<u32>(), 50);
    for _ in 0..20 {
        assert_eq!(run(Some(&mut Pool::new(3, 0))), alone);
    }
}

#[test]
fn a_search_finds_the_winning_moves_of_nim() {
    // Whoever leaves a multiple of three stones to one opponent wins.
    let agent = "mcts:200,prior=uniform".parse::<Spec>().unwrap();
    let mut decisions = 0;
    for seed in 0..60 {
        let configured = configured::<Nim>(2);
        let agent = agent.agent(&configured).unwrap();
        let mut env = Env::new(configured, seed);
        while let Some(player) = env.current_player() {
            let stones = env.state().stones;
            let action = env.act(&*agent, player).unwrap();
            if stones % 3 != 0 {
                assert_eq!(action.0 + 1, u16::from(stones % 3), "of {stones} stones");
                decisions += 1;
            }
            env.step(action.0.into()).unwrap();
        }
    }
    assert!(decisions > 60);
}

#[test]
fn the_tree_of_one_decision_serves_the_next() {
    for seed in 0..10 {
        let mut env = Env::new(configured::<Nim>(2), seed);
        if env.state().stones < 5 {
            continue;
        }
        let mut search = Search::default();
        look(&env, &mut search, "100,prior=uniform", 1);
        let nodes = search.nodes();
        env.step(0).unwrap();
        env.step(0).unwrap();
        let later = look(&env, &mut search, "10,prior=uniform", 1);
        assert!(later.iter().map(|one| one.visits).sum::<u32>() > 10);
        assert_eq!(search.nodes(), nodes, "every position of so small a game was there");
        return;
    }
    panic!("no large pile");
}

#[test]
fn a_search_chooses_alike_in_positions_that_its_player_cannot_tell_apart() {
    let configured = configured::<Toll>(3);
    let game = &*configured.game;
    let agent = Mcts::new(settings("30"), RewardKind::Outcome);
    let (mut compared, mut different) = (0, 0);
    for seed in 0..40 {
        let mut env = Env::new(configured.clone(), seed);
        let mut draws = Rng::from_seed(seed);
        while let Some(player) = env.current_player() {
            let legal = env.legal(player);
            let act = |state| {
                let known = Knowledge::new(game, state, player, &legal);
                let mut memories = Memories::default();
                Agent::<Toll>::act(&agent, &known, &mut memories.of(player, 0), &mut Rng::from_seed(9))
            };
            let sample = game.sample_hidden(env.state(), player, &mut draws);
            assert_eq!(act(env.state()), act(&sample));
            compared += 1;
            different += u32::from(sample != *env.state());
            env.step(draws.pick(&legal).0.into()).unwrap();
        }
    }
    assert!(compared > 200 && different > 100, "{different} of {compared}");
}

#[test]
fn players_who_decide_at_once_do_not_see_each_others_choices() {
    // Player 1 searches first and last in the order of choices: its answer is the same.
    let configured = configured::<Toll>(3);
    let game = &*configured.game;
    let player = Seat(1);
    for seed in 0..20 {
        let env = Env::new(configured.clone(), seed);
        let legal = env.legal(player);
        let run = |state: &TollState| {
            let known = Knowledge::new(game, state, player, &legal);
            let rng = &mut Rng::from_seed(4);
            let mut search = Search::default();
            search.run(&known, &settings("60"), RewardKind::Outcome, None, rng).to_vec()
        };
        let first = run(env.state());
        assert_eq!(first.iter().map(|one| one.visits).sum::<u32>(), 60);
        for action in 0..3 {
            let mut state = *env.state();
            let mut rng = Rng::from_seed(0);
            game.apply(&mut state, Seat(0), Action(action), &mut rng, &mut Silent);
            game.apply(&mut state, Seat(2), Action(action), &mut rng, &mut Silent);
            assert_eq!(run(&state), first);
        }
    }
}

#[test]
fn a_forced_action_takes_no_search() {
    let configured = configured::<Nim>(2);
    let agent = Mcts::new(settings("10000000"), RewardKind::Outcome);
    let mut env =
        (0..50).map(|seed| Env::new(configured.clone(), seed)).find(|env| env.state().stones == 1).unwrap();
    let player = env.current_player().unwrap();
    assert_eq!(env.act(&agent, player).unwrap(), Action(0));
}

#[test]
fn a_search_by_time_returns_a_legal_action() {
    for budget in [Budget::Milliseconds(1), Budget::Milliseconds(30)] {
        for threads in [1, 3] {
            let settings = Settings { threads, ..Settings::new(budget) };
            let agent = Mcts::new(settings, RewardKind::Score);
            let mut env = Env::new(configured::<Toll>(4), 1);
            for _ in 0..6 {
                let player = env.current_player().unwrap();
                let action = env.act(&agent, player).unwrap();
                env.step(action.0.into()).unwrap();
            }
        }
    }
}

#[test]
fn every_simulation_tries_an_action_at_the_root() {
    for seed in 0..200 {
        let configured = configured::<Toll>(4);
        let env = Env::new(configured.clone(), seed);
        for player in env.acting().iter() {
            let legal = env.legal(player);
            let known = Knowledge::new(&*configured.game, env.state(), player, &legal);
            let rng = &mut Rng::from_seed(seed);
            let mut search = Search::default();
            let found = search.run(&known, &settings("7,threads=3"), RewardKind::Outcome, None, rng);
            assert_eq!(found.iter().map(|one| one.visits).sum::<u32>(), 7, "player {player}");
        }
    }
}
