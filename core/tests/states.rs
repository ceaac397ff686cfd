//! Arrays of states: what they hold is what environments and saves hold.

#![allow(clippy::unwrap_used, reason = "a test may stop anywhere")]

use playmat_core::any::{AnyEnv, AnyGame, AnyStates, AnyVecEnv};
use playmat_core::env::ConfiguredGame;
use playmat_core::error::Error;
use playmat_core::game::Status;
use playmat_core::player::Player;
use playmat_core::show::Show;
use playmat_core::toy::{Nim, Toll};
use playmat_core::vec::{Actions, Buffers, Reset, Source, VecConfig, View};
use serde_json::json;
use std::sync::Arc;

fn toll(max_steps: u32) -> Arc<ConfiguredGame<Toll>> {
    let options = json!({"players": 3, "max_steps": max_steps});
    Arc::new(ConfiguredGame::new(options.as_object().unwrap()).unwrap())
}

/// Environments some decisions into their episodes.
fn played<G: Show>(game: &Arc<ConfiguredGame<G>>, count: u64) -> Vec<Box<dyn AnyEnv>> {
    let play = |seed| {
        let mut env = game.env(seed);
        for _ in 0..seed % 5 {
            let Some(player) = env.acting().first() else { break };
            let action = env.sample_action(player).unwrap();
            env.step(action.0.into()).unwrap();
        }
        env
    };
    (0..count).map(play).collect()
}

fn array<G: Show>(game: &Arc<ConfiguredGame<G>>, envs: &[Box<dyn AnyEnv>]) -> Box<dyn AnyStates> {
    game.states(&envs.iter().map(|env| &**env).collect::<Vec<_>>()).unwrap()
}

/// Everything about a state: the save of an environment that begins in it.
fn bytes(states: &dyn AnyStates) -> Vec<Vec<u8>> {
    (0..states.len()).map(|at| states.env(at).unwrap().to_bytes()).collect()
}

/// A save of an environment whose streams begin with its seed, as they do after a load.
fn begun(game: &dyn AnyGame, env: &dyn AnyEnv) -> Vec<u8> {
    game.states(&[env]).unwrap().env(0).unwrap().to_bytes()
}

fn batch(game: &dyn AnyGame, num_envs: usize, threads: usize, view: View) -> Box<dyn AnyVecEnv> {
    game.vec_env(VecConfig { num_envs, threads, view, ..VecConfig::default() }, &[]).unwrap()
}

#[test]
fn an_array_holds_the_states_of_its_environments() {
    let game = toll(0);
    let envs = played(&game, 12);
    let states = array(&game, &envs);
    assert_eq!((states.len(), states.is_empty(), states.info().id), (12, false, "toll"));
    for (at, env) in envs.iter().enumerate() {
        let copy = states.env(at).unwrap();
        assert_eq!(copy.position_bytes(), env.position_bytes());
        assert_eq!((copy.decisions(), copy.episode_seed()), (env.decisions(), env.episode_seed()));
        assert_eq!(copy.returns(), env.returns());
        assert_eq!(states.current_players()[at], env.acting().first());
    }
    let all = bytes(&*states);
    assert_eq!(bytes(&*states.select(&[3, 0, 3]).unwrap()), [&all[3], &all[0], &all[3]].map(Clone::clone));
    assert_eq!(
        bytes(&*states.repeat(2).unwrap())[..4],
        [&all[0], &all[0], &all[1], &all[1]].map(Clone::clone)
    );
    assert!(states.repeat(0).unwrap().is_empty() && states.select(&[]).unwrap().is_empty());
    assert_eq!(bytes(&*states), all, "nothing changes an array");
}

#[test]
fn samples_and_clones_are_those_of_environments() {
    for max_steps in [0, 2] {
        let game = toll(max_steps);
        let envs = played(&game, 20);
        let states = array(&game, &envs);
        let players: Vec<Player> = (0..20).map(|at| Player(at % 3)).collect();
        let seeds: Vec<u64> = (100..120).collect();
        let samples = states.sample_hidden(&players, &seeds).unwrap();
        let clones = states.clone_with_seeds(&seeds).unwrap();
        let again = samples.sample_hidden(&players, &seeds).unwrap();
        for (at, env) in envs.iter().enumerate() {
            let sample = env.sample_hidden(players[at], seeds[at]).unwrap();
            assert_eq!(samples.env(at).unwrap().to_bytes(), begun(&game, &*sample), "sample {at}");
            let clone = env.clone_with_seed(seeds[at]);
            assert_eq!(clones.env(at).unwrap().to_bytes(), begun(&game, &*clone), "clone {at}");
            let nested = sample.sample_hidden(players[at], seeds[at]).unwrap();
            assert_eq!(again.env(at).unwrap().to_bytes(), begun(&game, &*nested), "sample of a sample {at}");
            assert_eq!(samples.current_players()[at].is_none(), env.acting().is_empty());
        }
        assert!(max_steps == 0 || samples.current_players().contains(&None), "truncated ones stay so");
    }
}

#[test]
fn arrays_are_joined_and_overwritten() {
    let game = toll(0);
    let (first, second) = (array(&game, &played(&game, 5)), array(&game, &played(&game, 9)));
    let joined = first.concatenate(&[&*second, &*first]).unwrap();
    let all = [bytes(&*first), bytes(&*second), bytes(&*first)].concat();
    assert_eq!(bytes(&*joined), all);
    assert_eq!(bytes(&*first.concatenate(&[]).unwrap()), bytes(&*first));
    let put = joined.put(&[0, 18, 3, 3], &*second.select(&[6, 7, 6, 8]).unwrap()).unwrap();
    let mut wanted = all;
    for (place, state) in [(0, 6), (18, 7), (3, 8)] {
        wanted[place] = bytes(&*second)[state].clone();
    }
    assert_eq!(
        (bytes(&*put), bytes(&*first.put(&[], &*first.select(&[]).unwrap()).unwrap())),
        (wanted, bytes(&*first))
    );
    let said = |result: Result<Box<dyn AnyStates>, Error>| result.unwrap_err().to_string();
    assert_eq!(
        said(first.put(&[5], &*first.select(&[0]).unwrap())),
        "argument `index`: got 5; states are 0 to 4"
    );
    assert_eq!(said(first.put(&[1], &*first)), "argument `states`: got 5 states; wanted 1, one per index");
    let other: Arc<ConfiguredGame<Nim>> = Arc::new(ConfiguredGame::new(&serde_json::Map::new()).unwrap());
    let other = array(&other, &played(&other, 1));
    for refused in [said(first.concatenate(&[&*second, &*other])), said(first.put(&[0], &*other))] {
        assert!(
            refused.starts_with("argument `states`: they are of `nim`; wanted states of `toll` with {"),
            "{refused}"
        );
    }
}

#[test]
fn a_batch_continues_from_an_array_as_from_saves() {
    let game = toll(0);
    for (threads, view) in [(1, View::Turn), (3, View::Joint)] {
        let mut venvs = [0, 1].map(|_| batch(&game, 200, threads, view));
        for venv in &mut venvs {
            venv.share_always();
            venv.reset(Reset { from: Source::Seed(4), mask: None }, &mut Buffers::default()).unwrap();
        }
        let states = venvs[0].states().unwrap();
        assert_eq!(states.len(), 200);
        let saved: Vec<Vec<u8>> = (0..200).map(|env| venvs[0].state_bytes(env).unwrap()).collect();
        let saved: Vec<&[u8]> = saved.iter().map(Vec::as_slice).collect();
        let lanes = venvs[0].sizes().lanes;
        let mut actions = vec![0; 200 * lanes];
        for venv in &mut venvs {
            for _ in 0..3 {
                venv.sample_actions(&mut actions).unwrap();
                venv.step(Actions::I64(&actions), &mut Buffers::default()).unwrap();
            }
        }
        let mask: Vec<u8> = (0..200).map(|env| u8::from(env % 3 != 0)).collect();
        for mask in [Some(&mask[..]), None] {
            venvs[0].reset(Reset { from: Source::Array(&*states), mask }, &mut Buffers::default()).unwrap();
            venvs[1].reset(Reset { from: Source::States(&saved), mask }, &mut Buffers::default()).unwrap();
            assert_eq!(venvs[0].to_bytes().unwrap(), venvs[1].to_bytes().unwrap());
        }
    }
}

#[test]
fn states_go_on_under_another_limit() {
    let (short, long) = (toll(3), toll(0));
    let mut envs: Vec<_> = (0..3u64).map(|seed| short.env(seed)).collect();
    // None, one and three decisions: the limit has ended the last episode.
    for (env, decisions) in envs.iter_mut().zip([0, 1, 3]) {
        for _ in 0..decisions {
            let player = env.acting().first().unwrap();
            let action = env.sample_action(player).unwrap();
            env.step_player(player, action.0.into()).unwrap();
        }
    }
    assert_eq!(envs[2].status(), Status::Truncated);
    let states = array(&short, &envs);
    let reset = |game: &dyn AnyGame, states: &dyn AnyStates| {
        let mut venv = batch(game, 3, 1, View::Turn);
        let result = venv.reset(Reset { from: Source::Array(states), mask: None }, &mut Buffers::default());
        result.map(|()| venv).map_err(|error| error.to_string())
    };
    assert_eq!(states.current_players()[2], None, "under the limit of their game");
    let refused = reset(&short, &*states).err().unwrap();
    assert_eq!(refused, "argument `states`: the episode of environment 2 is over");
    // In a longer episode they go on, as their saves do, and the decisions so far count.
    let venv = reset(&long, &*states).unwrap();
    let saves: Vec<_> = envs.iter().map(|env| env.to_bytes()).collect();
    let saves: Vec<&[u8]> = saves.iter().map(Vec::as_slice).collect();
    let mut twin = batch(&long, 3, 1, View::Turn);
    twin.reset(Reset { from: Source::States(&saves), mask: None }, &mut Buffers::default()).unwrap();
    assert_eq!(venv.to_bytes().unwrap(), twin.to_bytes().unwrap());
    assert_eq!([0, 1, 2].map(|env| venv.episode(env).unwrap().length), [0, 1, 3]);
    assert!(venv.states().unwrap().current_players().iter().all(Option::is_some));
    // And those of a longer game end at the limit of a shorter one.
    let now = venv.states().unwrap();
    assert_eq!(reset(&short, &*now).err().unwrap(), refused);
    let mut venv = reset(&short, &*now.select(&[1, 1, 1]).unwrap()).unwrap();
    for left in [1, 0] {
        let (mut actions, mut truncated) = (vec![0; 3], vec![9; 3]);
        venv.sample_actions(&mut actions).unwrap();
        let out = &mut Buffers { truncated: &mut truncated, ..Buffers::default() };
        venv.step(Actions::I64(&actions), out).unwrap();
        assert_eq!(truncated, [u8::from(left == 0); 3]);
    }
}

#[test]
fn bad_arguments_are_refused() {
    let game = toll(0);
    let envs = played(&game, 4);
    let states = array(&game, &envs);
    let said = |result: Result<Box<dyn AnyStates>, Error>| result.unwrap_err().to_string();
    assert_eq!(states.env(4).err().unwrap().to_string(), "argument `index`: got 4; states are 0 to 3");
    assert_eq!(said(states.select(&[0, 9])), "argument `index`: got 9; states are 0 to 3");
    let none = states.select(&[]).unwrap();
    assert_eq!(none.env(0).err().unwrap().to_string(), "argument `index`: got 0; there are no states");
    assert_eq!(
        said(states.clone_with_seeds(&[1])),
        "argument `seed`: got 1 entries; wanted 4, one per state"
    );
    let short = said(states.sample_hidden(&[Player(0)], &[1; 4]));
    assert_eq!(short, "argument `player`: got 1 entries; wanted 4, one per state");
    let missing = said(states.sample_hidden(&[Player(0), Player(3), Player(0), Player(0)], &[1; 4]));
    assert_eq!(missing, "player 3 does not exist: the game has players 0 to 2");
    let huge = said(states.repeat(usize::MAX / 2));
    let half = usize::MAX / 2;
    assert_eq!(huge, format!("argument `times`: got {half}; that needs more memory than can be addressed"));
    let huge = said(states.repeat(1 << 45));
    assert!(huge.starts_with("argument `times`: got 35184372088832; that needs "), "{huge}");

    let two = Arc::new(ConfiguredGame::<Toll>::new(json!({"players": 2}).as_object().unwrap()).unwrap());
    let nim = Arc::new(ConfiguredGame::<Nim>::new(json!({"players": 2}).as_object().unwrap()).unwrap());
    let refused = said(game.states(&[&*envs[0], &*two.env(1)]));
    assert!(refused.starts_with("argument `envs`: number 1 plays `toll` with {"), "{refused}");
    assert!(refused.contains("; wanted `toll` with {"), "{refused}");
    let refused = said(game.states(&[&*nim.env(1)]));
    assert!(refused.starts_with("argument `envs`: number 0 plays `nim`; wanted `toll` with {"), "{refused}");

    let mut venv = batch(&game, 4, 1, View::Turn);
    assert_eq!(said(venv.states()), "nothing was reset yet: `reset` first");
    let mut reset = |states: &dyn AnyStates| {
        venv.reset(Reset { from: Source::Array(states), mask: None }, &mut Buffers::default())
            .map_err(|error| error.to_string())
    };
    reset(&*states).unwrap();
    let refused = reset(&*two.states(&[]).unwrap()).unwrap_err();
    assert!(refused.starts_with("argument `states`: they are of `toll` with {"), "{refused}");
    assert!(refused.contains("; wanted states of `toll` with {"), "{refused}");
    let refused = reset(&*nim.states(&[]).unwrap()).unwrap_err();
    assert!(refused.starts_with("argument `states`: they are of `nim`; wanted states of"), "{refused}");
    let refused = reset(&*states.select(&[0]).unwrap()).unwrap_err();
    assert_eq!(refused, "argument `states`: got 1 entries; wanted 4");
    let mut over = game.env(9);
    while let Some(player) = over.acting().first() {
        let action = over.sample_action(player).unwrap();
        over.step_player(player, action.0.into()).unwrap();
    }
    let ended = game.states(&[&*envs[0], &*over, &*envs[1], &*envs[2]]).unwrap();
    assert_eq!(ended.current_players()[1], None);
    assert_eq!(reset(&*ended).unwrap_err(), "argument `states`: the episode of environment 1 is over");
}
