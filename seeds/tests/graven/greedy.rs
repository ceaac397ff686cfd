//! The greedy agent: it plays better than random play, and its choices do not depend on hidden information.

use crate::against_reference::{other_content, thieves};
use crate::fixture::{against_random, configured, standard};
use crate::reference::Reference;
use playmat_conformance::testing::greedy_in_play;
use playmat_core::game::Game;
use playmat_core::prelude::*;
use playmat_graven::Graven;
use playmat_graven::action::Choice;
use playmat_graven::state::{Phase, State};
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

/// The greedy agent as a recursion over what the reference says of the JSON form of positions.
struct Plain<'a> {
    game: &'a Graven,
    reference: Reference,
}

impl Plain<'_> {
    fn decide(&self, state: &State, player: Player, rng: &mut Rng) -> Action {
        let legal = self.game.legal(state, player);
        if legal.len() == 1 {
            return legal.select(0);
        }
        let sample = self.game.sample_hidden(state, player, rng);
        self.best(&sample, player, 4, rng).1
    }

    fn best(&self, state: &State, player: Player, depth: u32, rng: &mut Rng) -> (i64, Action) {
        let (mut best, mut ties) = ((i64::MIN, Action(0)), 0);
        for action in self.game.legal(state, player).iter() {
            let value = self.value_of(state, player, action, depth, rng);
            if value > best.0 {
                (best, ties) = ((value, action), 0);
            }
            if value == best.0 {
                ties += 1;
                if rng.below(ties) == 0 {
                    best.1 = action;
                }
            }
        }
        best
    }

    fn value_of(&self, state: &State, player: Player, action: Action, depth: u32, rng: &mut Rng) -> i64 {
        if matches!(state.phase, Phase::Play | Phase::Effect) && self.game.choice(action) == Choice::Pass {
            return self.value(state, player);
        }
        let mut after = *state;
        self.game.apply(&mut after, player, action, rng, &mut Silent);
        let inside = !matches!(after.phase, Phase::Play | Phase::Effect | Phase::Draw | Phase::Ward);
        if depth > 1 && inside && self.game.acting(&after).contains(player) {
            return self.best(&after, player, depth - 1, rng).0;
        }
        self.value(&after, player)
    }

    fn value(&self, state: &State, player: Player) -> i64 {
        if state.phase == Phase::Over || !state.plays(player.0) {
            let won = Players(state.winners).contains(player);
            return if won { 100_000 / i64::from(state.winners.count_ones()) } else { -100_000 };
        }
        let json = self.game.describe(state, None);
        let others: Vec<i64> = Player::all(self.game.players())
            .filter(|&other| other != player && state.plays(other.0))
            .map(|other| self.reference.strength(&json, other.index()))
            .collect();
        let sum: i64 = others.iter().sum();
        self.reference.strength(&json, player.index()) - sum / others.len().max(1) as i64
    }
}

#[test]
fn greedy_decides_and_draws_as_a_recursion_over_the_reference() {
    let mut decisions = 0;
    let other = other_content();
    for (number, options) in [
        json!({}),
        json!({"decks": "random", "players": 3}),
        json!({"decks": thieves(), "players": 2}),
        json!({"decks": thieves(), "players": 4}),
        json!({"decks": "random", "content": other}),
        json!({"decks": "random", "content": other, "players": 4, "windows": "possible"}),
    ]
    .iter()
    .enumerate()
    {
        let game = &*configured(options).game;
        let content = options["content"].as_str().unwrap_or(standard());
        let plain = Plain { game, reference: Reference::new(content, "") };
        let twin = |state: &State, player, rng: &mut Rng| plain.decide(state, player, rng);
        greedy_in_play(game, number as u64, 150, twin, |_, _, drew| decisions += u32::from(drew));
    }
    assert!(decisions > 500, "{decisions}");
}
