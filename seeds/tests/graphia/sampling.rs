//! Who knows what: samples of hidden choices against enumeration, and that nothing shows what is hidden.

use crate::fixture::{Position, act, acting, chi_square, configured, full_but, legal_of, seen, segment};
use playmat_core::env::Env;
use playmat_core::game::Game;
use playmat_core::prelude::{Action, Player, Rng, Show, Silent};
use playmat_graphia::Graphia;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Draws samples for a viewer and compares what the others have chosen there with all determinizations, as
/// `choices` of the JSON form, each with its probability.
fn check(env: &Env<Graphia>, viewer: u8, samples: &BTreeMap<String, f64>, limit: f64) {
    let game = &env.configured().game;
    let mut rng = Rng::from_seed(17);
    let mut counts = BTreeMap::new();
    for _ in 0..2_000 * samples.len() as u32 {
        let sample = game.sample_hidden(env.state(), Player(viewer), &mut rng);
        assert_eq!(game.validate(&sample), []);
        let text = game.describe(&sample, None)["choices"].to_string();
        assert!(samples.contains_key(&text), "impossible: {text}");
        *counts.entry(text).or_insert(0u32) += 1;
    }
    assert_eq!(counts.len(), samples.len(), "every determinization appears");
    let statistic = chi_square(&counts, samples);
    assert!(statistic < limit, "{statistic}: {counts:?}");
}

/// Squares for two placements of the O and one of the T.
fn small() -> Vec<(usize, usize)> {
    vec![(3, 5), (3, 6), (3, 7), (4, 6), (9, 2), (9, 3), (10, 2), (10, 3), (1, 3), (1, 4), (2, 3), (2, 4)]
}

#[test]
fn a_hidden_shape_is_either_of_the_two() {
    let position = Position::of(2, "Forest", 6).pair("I", "O");
    let mut env = position.load();
    act(&mut env, 0, "shape O");
    assert_eq!(seen(&env, None)["phase"], "shape");
    let sample = |id: &str| json!([{"shape": id, "place": null}, {"shape": null, "place": null}]).to_string();
    // The 99.9 % point of chi-square with 1 degree of freedom.
    check(&env, 1, &[(sample("I"), 0.5), (sample("O"), 0.5)].into(), 10.8);
    // To its own player nothing is hidden.
    let own = env.configured().game.sample_hidden(env.state(), Player(0), &mut Rng::from_seed(1));
    assert_eq!(own, *env.state());
}

#[test]
fn samples_do_not_show_who_has_chosen() {
    for chooses in [None, Some(0), Some(2)] {
        let mut env = Position::of(3, "Forest", 6).pair("I", "O").load();
        chooses.inspect(|&player| act(&mut env, player, "shape O"));
        for seed in 0..20 {
            let sample =
                env.configured().game.sample_hidden(env.state(), Player(1), &mut Rng::from_seed(seed));
            let chosen = sample.shapes.map(|shape| shape.is_some());
            assert_eq!((sample.acting.0, &chosen[..3]), (0b110, &[true, false, false][..]), "{chooses:?}");
        }
    }
}

#[test]
fn a_hidden_placement_is_any_of_the_shape_drawn_for_it() {
    // Line 3 meets the hole of the T, both squares of (9,3) and (1,3): one T, two O.
    let position = Position::of(2, "Forest", 3).pair("T", "O").sheet(0, full_but(&small()));
    let mut env = position.load();
    act(&mut env, 0, "shape O");
    act(&mut env, 1, "shape T");
    act(&mut env, 0, "place turned 0 at (9,2)");
    assert_eq!(acting(&env), [1]);
    let sample = |id: &str, turn: u8, row: u8, column: u8| {
        let place = json!({"turn": turn, "row": row, "column": column});
        json!([{"shape": id, "place": place}, {"shape": "T", "place": null}]).to_string()
    };
    // The shape first, then its placements: not all placements alike.
    let samples = [(sample("T", 2, 3, 5), 0.5), (sample("O", 0, 9, 2), 0.25), (sample("O", 0, 1, 3), 0.25)];
    // The 99.9 % point with 2 degrees of freedom.
    check(&env, 1, &samples.into(), 13.8);
}

#[test]
fn a_hidden_placement_of_a_forced_shape_is_any_of_that_shape() {
    let position = Position::of(2, "Forest", 3)
        .pair("T", "O")
        .sheet(0, full_but(&[(9, 2), (9, 3), (10, 2), (10, 3), (1, 3), (1, 4), (2, 3), (2, 4)]));
    let mut env = position.load();
    act(&mut env, 1, "shape T");
    act(&mut env, 0, "place turned 0 at (9,2)");
    let sample = |row: u8, column: u8| {
        let place = json!({"turn": 0, "row": row, "column": column});
        json!([{"shape": null, "place": place}, {"shape": "T", "place": null}]).to_string()
    };
    check(&env, 1, &[(sample(9, 2), 0.5), (sample(1, 3), 0.5)].into(), 10.8);
}

#[test]
fn hidden_nexus_squares_of_two_players_are_independent() {
    let rows = full_but(&[(6, 1), (6, 2), (6, 3)]);
    let two = full_but(&[(6, 8), (9, 6)]);
    let mut env = Position::of(3, "Nexus", 6).sheet(0, rows).sheet(1, two).load();
    act(&mut env, 0, "nexus at (6,2)");
    act(&mut env, 1, "nexus at (9,6)");
    let place =
        |row: u8, column: u8| json!({"shape": null, "place": {"turn": 0, "row": row, "column": column}});
    let samples: BTreeMap<String, f64> = [(6, 1), (6, 2), (6, 3)]
        .into_iter()
        .flat_map(|a| [(6, 8), (9, 6)].map(|b| (a, b)))
        .map(|(a, b)| {
            (json!([place(a.0, a.1), place(b.0, b.1), {"shape": null, "place": null}]).to_string(), 1.0 / 6.0)
        })
        .collect();
    // The 99.9 % point with 5 degrees of freedom.
    check(&env, 2, &samples, 20.5);
}

#[test]
fn what_is_public_is_never_drawn_anew() {
    // A forced Nexus square and a forced drawing.
    let mut env = Position::of(3, "Nexus", 6).sheet(1, full_but(&[(6, 4)])).load();
    act(&mut env, 2, "nexus at (6,2)");
    let game = env.configured().game.clone();
    for seed in 0..50 {
        let sample = game.sample_hidden(env.state(), Player(0), &mut Rng::from_seed(seed));
        assert_eq!(sample.places[1], env.state().places[1]);
    }
    let hole = [(6, 4), (6, 5), (6, 6), (6, 7)];
    let env = Position::of(2, "Farm", 6).pair("I", "O").sheet(1, full_but(&hole)).load();
    for seed in 0..50 {
        assert_eq!(game.sample_hidden(env.state(), Player(0), &mut Rng::from_seed(seed)), *env.state());
    }
}

#[test]
fn gg_q25_who_must_decide_never_depends_on_hidden_choices() {
    // Each choice of shapes, played to its placements: the players who must decide are the same in all of them.
    let configured = configured(&json!({"players": 2}));
    let game = &configured.game;
    let mut compared = 0;
    for seed in 0..30 {
        let mut env = Env::new(configured.clone(), seed);
        while let Some(player) = env.current_player() {
            if env.state().chose.len() == 2 && seen(&env, None)["phase"] == "shape" && env.acting().len() == 2
            {
                let shapes = legal_of(&env, 0);
                let deciders = |a: u16, b: u16| {
                    let mut state = *env.state();
                    let mut rng = Rng::from_seed(1);
                    game.apply(&mut state, Player(0), Action(a), &mut rng, &mut Silent);
                    game.apply(&mut state, Player(1), Action(b), &mut rng, &mut Silent);
                    (game.acting(&state), state.phase)
                };
                let samples: Vec<_> =
                    shapes.iter().flat_map(|&a| shapes.iter().map(move |&b| deciders(a, b))).collect();
                assert!(samples.windows(2).all(|pair| pair[0] == pair[1]), "{samples:?}");
                compared += 1;
            }
            let action = env.sample_action(player).unwrap();
            env.step(action.0.into()).unwrap();
        }
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn numbers_beyond_their_scale_are_cut() {
    // A chessboard of deserts and tundras: a point is lost at each of 264 edges, but for the 8 of four squares left open.
    let chess =
        |row: usize| (0..12).map(|column| if (row + column).is_multiple_of(2) { 'T' } else { 'D' }).collect();
    let mut rows: Vec<String> = (0..12).map(chess).collect();
    rows[0].replace_range(..4, "....");
    let env = Position::of(2, "Farm", 1)
        .pair("I", "O")
        .option("desert_scoring", "pair")
        .sheet(0, rows)
        .set("round", 300)
        .load();
    // Two groups of one square.
    assert_eq!(env.scores()[0], 2 - 256);
    assert_eq!(segment(&env, 0, "own_lines"), [0, 0, 0, 144, 0, 0, 0, 0, 0, 0, 1, 1, 0]);
    assert_eq!(segment(&env, 1, "other1_lines"), segment(&env, 0, "own_lines"));
    assert_eq!(segment(&env, 1, "round"), [255]);
}

/// What a viewer receives from an environment, by name and player. `update` stands for what has no event of its own.
fn reported(env: &Env<Graphia>, viewer: Option<Player>) -> Vec<(String, Value)> {
    let events = env.events(viewer).expect("the player exists");
    let reported =
        events.iter().map(|e| (e["event"].as_str().unwrap_or("").to_string(), e["player"].clone()));
    reported.filter(|(name, _)| name != "update").collect()
}

#[test]
fn everybody_receives_every_event_but_the_choices_of_others() {
    let mut kinds = BTreeSet::new();
    for seed in 0..10 {
        let mut env = Env::new(configured(&json!({"players": 2})), seed);
        while let Some(player) = env.current_player() {
            let action = env.sample_action(player).expect("the player acts");
            env.step(action.0.into()).expect("it is legal");
            for viewer in Player::all(2) {
                let mut expected = reported(&env, None);
                expected.retain(|(name, player)| !name.ends_with("_chosen") || *player == json!(viewer.0));
                assert_eq!(reported(&env, Some(viewer)), expected);
                kinds.extend(expected.into_iter().map(|(name, _)| name));
            }
        }
    }
    for name in ["shape_forced", "skipped", "drawn", "desolation", "score_changed", "deck_renewed"] {
        assert!(kinds.contains(name), "{name} never happened");
    }
}

#[test]
fn observation_sizes_by_players_and_option() {
    for players in 1..=8usize {
        for (others, each) in [("full", 1172), ("summary", 20)] {
            let options: Value = json!({"players": players, "observe_others": others});
            assert_eq!(configured(&options).game.info().observation.size(), 1381 + each * (players - 1));
        }
    }
}
