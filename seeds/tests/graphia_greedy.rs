//! Graphia's greedy bot: how well it plays, and that it knows no more than its seat may know.

use playmat_core::env::{Configured, Env};
use playmat_core::game::Game;
use playmat_core::prelude::*;
use playmat_core::survey::{Player, Survey, survey};
use playmat_seeds::graphia::Graphia;
use serde_json::{Value, json};
use std::sync::Arc;

fn table(options: &Value) -> Arc<Configured<Graphia>> {
    Arc::new(Configured::new(options.as_object().unwrap()).unwrap())
}

/// Games of greedy in `seat` against random players.
fn against_random(options: &Value, seat: usize, games: u64) -> Survey {
    let table = table(options);
    let mut players = vec![Player::Random; table.game.players()];
    players[seat] = Player::Greedy;
    survey(&table, games, 11, &players)
}

#[test]
fn greedy_wins_nine_games_in_ten_from_either_seat() {
    for seat in 0..2 {
        let found = against_random(&json!({}), seat, 200);
        assert!(found.victories[seat] >= 0.9, "seat {seat}: {:?}", found.victories);
        let (own, other) = (found.scores[seat].mean, found.scores[1 - seat].mean);
        assert!(own > 90.0 && own > other + 30.0, "seat {seat}: {own} against {other}");
    }
}

#[test]
fn greedy_wins_under_every_option() {
    for options in [
        json!({"nexus_gate": "group"}),
        json!({"nexus_gate": "both"}),
        json!({"nexus_adjacency": "all"}),
        json!({"desert_scoring": "pair"}),
    ] {
        let found = against_random(&options, 1, 40);
        assert!(found.victories[1] >= 0.9, "{options}: {:?}", found.victories);
    }
}

#[test]
fn greedy_wins_at_a_table_of_eight() {
    let found = against_random(&json!({"players": 8}), 5, 20);
    assert!(found.victories[5] >= 0.9, "{:?}", found.victories);
}

/// Other worlds in which the seat sees the same.
fn check_secrecy(table: &Arc<Configured<Graphia>>, seed: u64) -> usize {
    let game = &table.game;
    let mut env = Env::new(table.clone(), seed);
    let mut hidden = 0;
    while let Some(seat) = env.current_player() {
        for asked in env.acting().iter() {
            let mine = game.heuristic(env.state(), asked, &mut Rng::from_seed(seed));
            assert!(env.legal(asked).contains(mine));
            for draw in 0..3 {
                let other = game.sample_hidden(env.state(), asked, &mut Rng::from_seed(draw));
                hidden += usize::from(other != *env.state());
                assert_eq!(game.heuristic(&other, asked, &mut Rng::from_seed(seed)), mine);
            }
        }
        let action = if env.decisions() % 2 == 0 { env.greedy_action(seat) } else { env.sample_action(seat) };
        env.step(action.unwrap().0.into()).unwrap();
    }
    hidden
}

#[test]
fn greedy_never_looks_at_hidden_choices() {
    let mut hidden = 0;
    for (players, seed) in [(2, 1), (2, 2), (3, 3), (8, 4)] {
        hidden += check_secrecy(&table(&json!({"players": players})), seed);
    }
    assert!(hidden > 200, "{hidden}");
}

#[test]
fn greedy_repeats_itself_with_the_same_generator() {
    let play = || {
        let mut env = Env::new(table(&json!({"players": 3})), 8);
        while let Some(seat) = env.current_player() {
            let action = env.greedy_action(seat).unwrap();
            env.step(action.0.into()).unwrap();
        }
        (env.history().to_vec(), *env.state())
    };
    assert_eq!(play(), play());
}
