//! What the picture marks as possible: cards of the hand, the ship card, picks from a compost, badges.

use crate::fixture::{Position, SHIP, TAKE_BAR, act, acting, others_play, play, two_badges_met};
use playmat_core::any::AnyEnv;
use playmat_core::env::Env;
use playmat_core::prelude::Seat;
use playmat_graft::Graft;

/// What a frame in the picture of a player says that it may choose, in the order of the picture.
fn marked(env: &Env<Graft>, viewer: u8) -> Vec<String> {
    let svg = env.draw_svg(Some(Seat(viewer))).unwrap();
    let framed = svg.split("<rect").filter(|piece| {
        let head = piece.split('>').next().unwrap();
        head.contains("stroke=\"#59d3c4\" stroke-width=\"3\"")
    });
    let name = |piece: &str| -> Option<String> {
        let (_, text) = piece.split_once("<text")?;
        Some(text.split_once('>')?.1.split('<').next()?.to_string())
    };
    framed.map(|piece| name(piece).expect("a frame is around a name")).collect()
}

#[test]
fn cards_that_may_come_down_without_a_bust_are_marked() {
    let env = Position::of(3, 3).row(0, "honeybug").hand(0, "packed_lunch sun_melon geode").load();
    assert_eq!(marked(&env, 0), ["Sun Melon", "Geode", "Ship cargo"]);
    let mut env = Position::of(3, 3).row(0, "honeybug").hand(0, "packed_lunch sun_melon silver_fern").load();
    act(&mut env, 0, SHIP);
    assert_eq!(marked(&env, 0), [""; 0], "it has chosen");
    others_play(&mut env);
    assert_eq!(marked(&env, 0), ["Sun Melon", "Silver Fern"]);
    assert_eq!(marked(&env, 1), [""; 0], "the choice is another's");
}

#[test]
fn a_second_card_is_marked_by_the_row_with_the_first() {
    let mut env =
        Position::of(3, 3).row(0, "comet_grape energy_bar").hand(0, "pig_iron sun_melon geode").load();
    act(&mut env, 0, TAKE_BAR);
    assert_eq!(marked(&env, 0), ["Sun Melon", "Pig Iron", "Geode", "Energy Bar"], "no ship card first");
    // Pig Iron forbids Fruit.
    play(&mut env, 0, "pig_iron");
    assert_eq!(marked(&env, 0), ["Geode", "Energy Bar", "Ship cargo"]);
}

#[test]
fn picks_are_marked_in_the_compost_and_everybody_sees_it() {
    let mut env = Position::of(3, 3)
        .row(0, "pig_iron")
        .hand(0, "replant geode quartz_vein")
        .compost(0, "quartz_vein moonberry moonberry")
        .load();
    assert!(!env.draw_svg(Some(Seat(0))).unwrap().contains("Your compost"));
    play(&mut env, 0, "replant");
    others_play(&mut env);
    assert_eq!(acting(&env), [0]);
    // One frame: the Quartz Vein of the hand cannot be picked, and Pig Iron forbids the Moonberries.
    assert_eq!(marked(&env, 0), ["Quartz Vein"]);
    let (own, other) = (env.draw_svg(Some(Seat(0))).unwrap(), env.draw_svg(Some(Seat(1))).unwrap());
    assert!(own.contains("Your compost") && own.contains("×2"), "{own}");
    assert!(other.contains("Compost of player 0") && other.contains("Moonberry"), "{other}");
    assert_eq!(marked(&env, 1), ["Quartz Vein"]);
    play(&mut env, 0, "quartz_vein");
    assert_eq!(acting(&env), [0, 1, 2], "nothing more is legal");
    assert!(!env.draw_svg(None).unwrap().contains("Compost of player"));
}

#[test]
fn badges_that_may_be_claimed_are_marked_and_named() {
    let env = two_badges_met();
    assert_eq!(marked(&env, 0), ["Bug Report", "Buried Treasure"]);
    let text = env.draw_text(Some(Seat(0))).unwrap();
    assert!(text.contains("\nClaim a badge: Bug Report, Buried Treasure\n"), "{text}");
    assert_eq!(marked(&env, 1), [""; 0]);
    assert!(env.draw_text(Some(Seat(1))).unwrap().contains("\nWaiting for the others\n"));
}
