//! The greedy agent: how well it plays, and what it does in plain cases.

use crate::fixture::{Position, against_random, configured, decider, phase, play_numbers};
use playmat_core::agent::Greedy;
use playmat_core::env::Env;
use playmat_rafts::Rafts;
use playmat_rafts::state::Phase;
use serde_json::json;

/// The text of what the agent does.
fn choice(env: &mut Env<Rafts>) -> String {
    let player = env.current_player().unwrap();
    let action = env.act(&Greedy, player).unwrap();
    env.action_text(None, action.0.into()).unwrap()
}

#[test]
fn greedy_beats_random() {
    for player in 0..2 {
        let found = against_random(&json!({"players": 2}), player, 200);
        assert!(found.victories[player] > 0.9, "player {player}: {:?}", found.victories);
    }
}

#[test]
fn greedy_games_are_as_long_as_those_of_a_simple_player() {
    // Turns in the median for 2 to 6 players, as the rules file expects of one that keeps what it needs.
    for (players, turns) in [(2, 12), (3, 13), (4, 15), (5, 17), (6, 19)] {
        let configured = configured(&json!({"players": players}));
        let mut lengths: Vec<u16> = (0..101)
            .map(|seed| {
                let mut env = Env::new(configured.clone(), seed);
                while let Some(player) = env.current_player() {
                    let action = env.act(&Greedy, player).unwrap();
                    env.step(action.0.into()).unwrap();
                }
                env.state().turn
            })
            .collect();
        lengths.sort_unstable();
        let median = lengths[50];
        assert!(
            median.abs_diff(turns) <= turns / 2,
            "{players} players: {median} turns, expected about {turns}"
        );
    }
}

#[test]
fn it_completes_a_goal_that_it_holds() {
    let mut env = Position::of(2)
        .goals(0, &["probiotic"])
        .hand(0, "LL IL10 time money medium PO")
        .supplies(1, "time")
        .load();
    for _ in 0..5 {
        let player = env.current_player().unwrap();
        let action = env.act(&Greedy, player).unwrap();
        env.step(action.0.into()).unwrap();
    }
    assert_eq!(phase(&env), Phase::Won);
}

#[test]
fn it_keeps_what_it_needs_until_everything_is_there() {
    let mut env = Position::of(2).goals(0, &["probiotic"]).hand(0, "LL IL10").hand(1, "EC").load();
    assert_eq!(choice(&mut env), "end turn");
    play_numbers(&mut env, &[32]);
    assert_eq!(choice(&mut env), "draw generic");
}

#[test]
fn it_shields_and_snatches_what_helps() {
    let mut env = Position::of(2).hand(0, "PO EC").supplies(1, "time").hand(1, "BG").load();
    play_numbers(&mut env, &[22]);
    assert_eq!((decider(&env), choice(&mut env)), (Some(1), "play BG".into()));
    let window = |goal: &str| {
        let mut env =
            Position::of(2).hand(0, "lux EC").bench(0, "- IL10").hand(1, "SE BS").goals(1, &[goal]).load();
        play_numbers(&mut env, &[6]);
        choice(&mut env)
    };
    assert_eq!(window("probiotic"), "play SE");
    assert_eq!(window("blood"), "pass");
}
