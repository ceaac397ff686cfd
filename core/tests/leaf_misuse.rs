//! What a search whose network is not the engine's refuses.

#![allow(clippy::unwrap_used, reason = "a test may stop anywhere")]

use crate::leaf::{collect, game, network, policy, run};
use playmat_core::any::AnyGame;
use playmat_core::error::Error;
use playmat_core::player::Player;
use playmat_core::search::Leaves;
use playmat_core::toy::{Nim, Toll};

#[test]
fn misuse_is_refused_and_changes_nothing() {
    let game = game::<Toll>(3);
    let mut search = game.leaf_search("mcts:20", 2, 2).unwrap();
    let search = &mut *search;
    let said = |result: Result<(), Error>| result.unwrap_err().to_string();
    let not_started = "no search was started: `start` first";
    assert_eq!(said(collect(search, 12).map(drop)), not_started);
    assert_eq!(said(search.policy(&mut [0.0; 6])), not_started);
    assert_eq!(said(search.values(&mut [0.0; 2])), not_started);
    assert_eq!(said(search.actions(Some(0.0), &mut [0; 2])), not_started);
    let not_collected = "no leaves are waiting for a network: `collect` first";
    assert_eq!(said(search.feed(&[], &[])), not_collected);
    let mut env = game.env(4);
    assert_eq!(said(search.start(2, &mut *env, Player(1), true)), "argument `row`: got 2; rows are 0 to 1");
    let mut other = self::game::<Nim>(2).env(4);
    for refused in
        [said(search.check(0, &mut *other, Player(0))), said(search.start(0, &mut *other, Player(0), true))]
    {
        assert!(refused.starts_with("argument `env`: `search mcts:20` was made for `toll`"), "{refused}");
    }
    let invalid = said(search.start(0, &mut *env, Player(9), true));
    assert_eq!(invalid, "player 9 does not exist: the game has players 0 to 2");
    let before = env.to_bytes();
    search.check(0, &mut *env, Player(1)).unwrap();
    assert_eq!(env.to_bytes(), before, "a check draws nothing");

    search.start(0, &mut *env, Player(1), true).unwrap();
    assert_eq!(said(collect(search, 5).map(drop)), "argument `n`: got 5; wanted at least 6");
    let wrong = Leaves { rows: 6, action_mask: &mut [0; 5], ..Leaves::default() };
    let refused = said(search.collect(&mut { wrong }).map(drop));
    assert_eq!(refused, "argument `action_mask`: got 5 elements; wanted 36 (or none)");
    let wrong = Leaves { rows: 6, greedy: &mut [0; 5], ..Leaves::default() };
    let refused = said(search.collect(&mut { wrong }).map(drop));
    assert_eq!(refused, "argument `greedy`: got 5 elements; wanted 6 (or none)");
    let unready = "a search has not ended its first simulation: `collect` and `feed` first";
    assert_eq!(said(search.policy(&mut [0.0; 12])), unready);
    let root = collect(search, 6).unwrap();
    assert_eq!(root.player, [0], "who chooses at once with it, at a node of its own");
    assert_eq!(
        said(collect(search, 6).map(drop)),
        "the leaves collected last are waiting for a network: `feed` first"
    );
    for (logits, values, message) in [
        (&[0.0; 2][..], &[0.0][..], "argument `logits`: got 2 elements; wanted 6"),
        (&[0.0; 6], &[], "argument `values`: got 0 elements; wanted 1"),
        (&[0.0; 6], &[f32::NAN], "argument `values`: got NaN in row 0; wanted a finite number"),
        (
            &[0.0, f32::INFINITY, 0.0, 0.0, 0.0, 0.0],
            &[0.0],
            "argument `logits`: got inf for the legal action 1 in row 0; wanted a finite number",
        ),
        (
            &[0.0; 6],
            &[-3e38],
            "argument `values`: got -300000000000000000000000000000000000000 in row 0; allowed: -1e28 to 1e28",
        ),
        (
            &[0.0, 1.1e28, 0.0, 0.0, 0.0, 0.0],
            &[1e28],
            "argument `logits`: got 11000000000000000000000000000 for the legal action 1 in row 0; allowed: -1e28 to 1e28",
        ),
    ] {
        assert_eq!(said(search.feed(logits, values)), message);
    }
    assert_eq!(said(search.policy(&mut [0.0; 5])), "argument `out`: has 5 entries; expected 12");
    let (logits, values) = network(search, &root.obs);
    search.feed(&logits, &values).unwrap();
    assert_eq!(said(search.feed(&logits, &values)), not_collected);
    run(search, 6);
    assert_eq!(
        said(search.actions(Some(f32::NAN), &mut [0; 2])),
        "argument `temperature`: got NaN; allowed: 0 to 100"
    );
    let found = policy(search);
    let mut values = [9.0; 2];
    search.values(&mut values).unwrap();
    let without_search = (&found[6..], values[1].to_bits());
    assert_eq!(without_search, (&[0.0; 6][..], 0), "no search in the second row, and no -0.0");

    // The refusals have changed nothing.
    let (mut twin, mut env) = (game.leaf_search("mcts:20", 2, 2).unwrap(), game.env(4));
    twin.start(0, &mut *env, Player(1), true).unwrap();
    run(&mut *twin, 6);
    assert_eq!(policy(&mut *twin), found);
}

#[test]
fn bad_arguments_of_a_new_search_are_refused() {
    let game = game::<Toll>(3);
    let said = |spec: &str, rows, leaves| game.leaf_search(spec, rows, leaves).err().unwrap().to_string();
    for (spec, message) in [
        (
            "greedy",
            "got `greedy`; only `mcts` has leaves: wanted `mcts:` and a number of simulations, for example `mcts:400`",
        ),
        (
            "64",
            "got `64`; only `mcts` has leaves: wanted `mcts:` and a number of simulations, for example `mcts:400`",
        ),
        ("mcts:0", "got `0` for `simulations` of `mcts`; allowed: 1 to 10000000"),
        ("mcts:5ms", "got `mcts:5ms`; a search with leaves ends after a number of simulations"),
        (
            "mcts:5,rollout=random",
            "got `mcts:5,rollout=random`; a search with leaves has no option `rollout`; allowed: `prior_temperature`, `c`, `threads`, `dirichlet_alpha`, `dirichlet_fraction`, `temperature`, `temperature_drop`, `max_nodes`",
        ),
        (
            "mcts:5,prior=uniform",
            "got `mcts:5,prior=uniform`; a search with leaves has no option `prior`; allowed: `prior_temperature`, `c`, `threads`, `dirichlet_alpha`, `dirichlet_fraction`, `temperature`, `temperature_drop`, `max_nodes`",
        ),
        (
            "mcts:5,policy=a.onnx",
            "got `mcts:5,policy=a.onnx`; a search with leaves has no option `policy`; allowed: `prior_temperature`, `c`, `threads`, `dirichlet_alpha`, `dirichlet_fraction`, `temperature`, `temperature_drop`, `max_nodes`",
        ),
        ("mcts:5,threads=65", "got `65` for `threads` of `mcts`; allowed: 1 to 64"),
        (
            "mcts:5,temprature=1",
            "got `mcts:5,temprature=1`; a search with leaves has no option `temprature` (did you mean `temperature`?); allowed: `prior_temperature`, `c`, `threads`, `dirichlet_alpha`, `dirichlet_fraction`, `temperature`, `temperature_drop`, `max_nodes`",
        ),
        ("mcts:5,c", "got `c` after `mcts`; options are NAME=VALUE"),
    ] {
        assert_eq!(said(spec, 1, 1), format!("argument `spec`: {message}"));
    }
    // Options at their defaults are refused, too.
    for option in ["rollout=greedy", "prior=greedy"] {
        assert!(
            said(&format!("mcts:5,{option}"), 1, 1).contains("a search with leaves has no option"),
            "{option}"
        );
    }
    assert_eq!(said("mcts:5", 0, 1), "argument `rows`: got 0; allowed: 1 to 2147483647");
    assert_eq!(said("mcts:5", 1, 1025), "argument `leaves`: got 1025; allowed: 1 to 1024");
    assert!(said("mcts:5", 2_147_483_647, 1024).starts_with("argument `rows`: got 2147483647; that needs "));
    assert_eq!(game.leaf_search("mcts:5,c=2.0", 1, 1).unwrap().name(), "mcts:5,c=2");
}
