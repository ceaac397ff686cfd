//! What the greedy agent goes by, on positions where it is plain.

use crate::fixture::{Position, SHIP, STOP, TAKE_BAR, acting, card, others_play, play};
use playmat_core::agent::Greedy;
use playmat_core::env::Env;
use playmat_core::prelude::{Action, Seat};
use playmat_graft::Graft;

/// What it chooses for player 0.
fn choice(env: &mut Env<Graft>) -> Action {
    env.act(&Greedy, Seat(0)).unwrap()
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
