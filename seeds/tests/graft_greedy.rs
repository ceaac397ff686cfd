//! Graft's greedy agent: how well it plays, and that it knows no more than its player may know.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the finding")]

use playmat_core::agent::Greedy;
use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::survey::Survey;
use playmat_core::testing;
use playmat_graft::Graft;
use playmat_graft::action::Choice;
use playmat_graft::state::Phase;
use serde_json::{Value, json};
use std::sync::Arc;

fn configured(options: &Value) -> Arc<ConfiguredGame<Graft>> {
    testing::configured(options)
}

/// Games of greedy in `seat` against random players.
fn against_random(options: &Value, seat: usize, games: u64) -> Survey {
    testing::against_random(&configured(options), seat, games)
}

#[test]
fn greedy_wins_nine_games_in_ten_as_every_player() {
    for seat in 0..3 {
        let found = against_random(&json!({}), seat, 150);
        assert!(found.victories[seat] >= 0.9, "player {seat}: {:?}", found.victories);
    }
    for seat in 0..2 {
        let found = against_random(&json!({"players": 2}), seat, 150);
        assert!(found.victories[seat] >= 0.9, "player {seat}: {:?}", found.victories);
    }
}

#[test]
fn greedy_wins_with_many_players_and_under_every_option() {
    for options in [
        json!({"players": 5}),
        json!({"players": 4, "end_of_game_claims": false}),
        json!({"z_coin_placement": "restricted"}),
    ] {
        let found = against_random(&options, 1, 60);
        assert!(found.victories[1] >= 0.9, "{options}: {:?}", found.victories);
    }
}

#[test]
fn greedy_claims_the_highest_badge_and_replaces_without_a_bust() {
    let configured = configured(&json!({}));
    let (mut claims, mut replaced) = (0, 0);
    for seed in 0..60 {
        let mut env = Env::new(configured.clone(), seed);
        while let Some(seat) = env.current_player() {
            let action = env.act(&Greedy, seat).unwrap();
            let state = *env.state();
            match (state.phase, configured.game.choice(action)) {
                (Phase::Claim | Phase::Refill, Choice::Claim(slot)) => {
                    let value = |slot: usize| configured.game.badge_value(&state, slot);
                    let open = (0..5).filter(|slot| state.offers[seat.index()] >> slot & 1 != 0);
                    assert_eq!(open.map(value).max(), Some(value(slot.into())));
                    claims += 1;
                }
                (Phase::Claim | Phase::Refill, _) => panic!("it declines a badge"),
                (Phase::Replace, Choice::Card(kind)) => {
                    assert!(configured.game.is_legal(&state.rows[seat.index()], kind));
                    replaced += 1;
                }
                _ => {}
            }
            env.step(action.0.into()).unwrap();
        }
    }
    assert!(claims > 60 && replaced > 100, "{claims} {replaced}");
}
