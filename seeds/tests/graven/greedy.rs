//! The greedy agent: it plays better than random play, and its choices do not depend on hidden information.

use crate::fixture::{Position, against_random, configured};
use playmat_core::game::Game;
use playmat_core::prelude::*;
use playmat_graven::Graven;
use playmat_graven::action::Choice;
use serde_json::{Value, json};

/// Its share of the victories, as each of the players in turn.
fn share(options: &Value, episodes: u64) -> f64 {
    let players = configured(options).game.players();
    let won = |player| against_random(options, player, episodes / players as u64).victories[player];
    (0..players).map(won).sum::<f64>() / players as f64
}

#[test]
fn greedy_beats_random_nine_times_in_ten() {
    let share = share(&json!({}), 200);
    assert!(share >= 0.9, "{share}");
}

#[test]
fn greedy_beats_random_with_more_players_and_random_decks() {
    assert!(share(&json!({"decks": "random"}), 100) >= 0.85);
    assert!(share(&json!({"players": 4}), 60) >= 0.6);
}

fn acts(position: &Position) -> Choice {
    let env = position.load();
    let game: &Graven = &env.configured().game;
    let player = env.current_player().unwrap();
    game.choice(game.greedy(env.state(), player, &mut Rng::from_seed(1)))
}

#[test]
fn greedy_does_not_lose_on_purpose() {
    // Three cards would empty the deck.
    assert_eq!(acts(&Position::of(2).stage("draw").deck(0, 3)), Choice::Draw(1));
    // A third Titan in the pile.
    let position =
        Position::of(2).hand(0, "NUR").back(0, "OMB").discard(0, "VIR HES").set("humans_played", 2);
    assert_eq!(acts(&position), Choice::Pass);
}

#[test]
fn greedy_takes_the_win() {
    let position = Position::of(2).stage("effect").back(0, "JES PLA").front(1, "HER").deck(1, 3);
    let kind = position.load().configured().game.kind("PLA").unwrap();
    assert_eq!(acts(&position), Choice::Activate(kind));
}
