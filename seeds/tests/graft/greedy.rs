//! What the greedy agent chooses in clear positions, and how well it plays.

use crate::fixture::{Position, SHIP, STOP, TAKE_BAR, acting, card, configured, others_play, play};
use playmat_conformance::testing::against_random;
use playmat_core::agent::Greedy;
use playmat_core::env::Env;
use playmat_core::prelude::{Action, Player};
use playmat_graft::Graft;
use playmat_graft::action::Choice;
use playmat_graft::state::Phase;
use serde_json::json;

/// What it chooses for player 0.
fn choice(env: &mut Env<Graft>) -> Action {
    env.act(&Greedy, Player(0)).unwrap()
}

#[test]
fn it_takes_a_bar_back_if_two_cards_do_more_than_one() {
    // Without the bar Silver Fern, Lantern Moss and Cloud Cabbage come to 2 + 4 + 3; with it and one card to 4 at most.
    let position = Position::of(3, 2).row(0, "silver_fern energy_bar").hand(0, "lantern_moss cloud_cabbage");
    assert_eq!(choice(&mut position.load()), Action(TAKE_BAR));
    // Both cards bust what lies under the bar, and the second one the first: one card is better.
    let position = Position::of(3, 2)
        .row(0, "cloud_cabbage silver_fern lantern_moss creeping_vine energy_bar")
        .hand(0, "recycle twin_gyro");
    assert_ne!(choice(&mut position.load()), Action(TAKE_BAR));
}

#[test]
fn it_replants_what_is_worth_more_than_in_the_compost() {
    let mut env = Position::of(3, 5)
        .row(0, "comet_grape")
        .hand(0, "replant")
        .compost(0, "sun_melon energy_bar swarm_mite")
        .load();
    play(&mut env, 0, "replant");
    others_play(&mut env);
    assert_eq!(acting(&env), [0]);
    let melon = card(&env, "sun_melon");
    assert_eq!(choice(&mut env), Action(melon));
    play(&mut env, 0, "sun_melon");
    // The bar would cost two points, and the mite be worth nothing at the end of the row.
    assert_eq!(choice(&mut env), Action(STOP));
}

#[test]
fn it_ships_when_hardly_anything_may_follow() {
    // Only Ore and Rations may follow; with the Quartz Vein the row is worth 3 + 1 + 4.
    let position = Position::of(3, 2).row(0, "cloud_cabbage star_core").hand(0, "pig_iron quartz_vein");
    assert_eq!(choice(&mut position.load()), Action(SHIP));
    // Nothing is forbidden, and every card makes the row worth more.
    let position = Position::of(3, 2).row(0, "silver_fern lantern_moss").hand(0, "creeping_vine comet_grape");
    assert_ne!(choice(&mut position.load()), Action(SHIP));
}

#[test]
fn greedy_wins_nine_games_in_ten_as_every_player() {
    for player in 0..3 {
        let found = against_random(&configured(&json!({})), player, 150);
        assert!(found.victories[player] >= 0.9, "player {player}: {:?}", found.victories);
    }
    for player in 0..2 {
        let found = against_random(&configured(&json!({"players": 2})), player, 150);
        assert!(found.victories[player] >= 0.9, "player {player}: {:?}", found.victories);
    }
}

#[test]
fn greedy_wins_with_many_players_and_under_every_option() {
    for options in [
        json!({"players": 5}),
        json!({"players": 4, "end_of_game_claims": false}),
        json!({"z_coin_placement": "restricted"}),
    ] {
        let found = against_random(&configured(&options), 1, 60);
        assert!(found.victories[1] >= 0.9, "{options}: {:?}", found.victories);
    }
}

#[test]
fn greedy_claims_the_highest_badge_and_replaces_without_a_bust() {
    let configured = configured(&json!({}));
    let (mut claims, mut replaced) = (0, 0);
    for seed in 0..60 {
        let mut env = Env::new(configured.clone(), seed);
        while let Some(player) = env.current_player() {
            let action = env.act(&Greedy, player).unwrap();
            let state = *env.state();
            match (state.phase, configured.game.choice(action)) {
                (Phase::Claim | Phase::Refill, Choice::Claim(slot)) => {
                    let value = |slot: usize| configured.game.badge_value(&state, slot);
                    let open = (0..5).filter(|slot| state.offers[player.index()] >> slot & 1 != 0);
                    assert_eq!(open.map(value).max(), Some(value(slot.into())));
                    claims += 1;
                }
                (Phase::Claim | Phase::Refill, _) => panic!("it declines a badge"),
                (Phase::Replace, Choice::Card(kind)) => {
                    assert!(configured.game.is_legal(&state.rows[player.index()], kind));
                    replaced += 1;
                }
                _ => {}
            }
            env.step(action.0.into()).unwrap();
        }
    }
    assert!(claims > 60 && replaced > 100, "{claims} {replaced}");
}
