//! Who receives what: observation, and that nobody learns who decided.

use crate::fixture::{Position, act, configured, events, observed, phase, play, seen, segment};
use playmat_core::prelude::*;
use serde_json::{Value, json};

/// Everything that a player receives: its events without the numbers that the engine adds, its JSON, observation, text, picture.
fn received(env: &crate::fixture::Play, viewer: u8) -> (Value, Vec<u8>, String, String) {
    let game = &env.configured().game;
    let player = Some(Player(viewer));
    (
        seen(env, Some(viewer)),
        observed(game, env.state(), viewer),
        game.draw_text(env.state(), player),
        game.draw_svg(env.state(), player),
    )
}

/// The game's own events, as a viewer receives them.
fn reported(env: &crate::fixture::Play, viewer: u8) -> Vec<Value> {
    let own = events(env, Some(viewer)).into_iter();
    own.filter(|event| event["event"] != "update").collect()
}

#[test]
fn gx_r6b_declined_and_impossible_supplies_look_alike() {
    // Two hands of player 0 on a0 (1/1/1), one of which could pay.
    let rich = Position::of("a").hand(0, "R F G");
    let poor = Position::of("a").hand(0, "R F RF");
    let (mut rich, mut poor) = (rich.landing(0).load(), poor.landing(0).load());
    assert_eq!(received(&rich, 1), received(&poor, 1));
    act(&mut rich, 0, "go 1:1");
    act(&mut poor, 0, "go 1:1");
    assert_eq!((phase(&rich), phase(&poor)), ("supply".into(), "turn".into()));
    let mut first = reported(&rich, 1);
    assert!(seen(&rich, Some(1))["phase"].is_null() && segment(&rich, 1, "phase") == [0; 9]);
    act(&mut rich, 0, "decline");
    first.extend(reported(&rich, 1));
    assert_eq!(first, reported(&poor, 1), "the same events, one after the other");
    assert_eq!(received(&rich, 1), received(&poor, 1));
}

#[test]
fn gx_r17a_a_forced_discard_looks_like_a_chosen_one() {
    // Player 1 has one kind, or two and discards that one.
    let position = Position::of("c").hand(0, "RRR G");
    let mut forced = position.clone().hand(1, "F F").land(8);
    let mut chosen = position.hand(1, "F R").land(8);
    play(&mut forced, &["supply", "pay RRR"]);
    play(&mut chosen, &["supply", "pay RRR"]);
    let mut events = reported(&chosen, 0);
    assert_eq!(phase(&chosen), "lose");
    assert!(seen(&chosen, Some(0))["phase"].is_null());
    act(&mut chosen, 1, "discard F");
    events.extend(reported(&chosen, 0));
    assert_eq!(events, reported(&forced, 0));
    assert_eq!(received(&chosen, 0), received(&forced, 0));
}

#[test]
fn points_above_the_scale_are_shown_as_its_end() {
    let rich = (0..8).fold(include_str!("../../content/gravitix.toml").to_string(), |text, points| {
        text.replace(&format!(", points = {points}, "), ", points = 8, ")
    });
    let env =
        Position::of("a").option("content", rich).own(0, &(0..9).collect::<Vec<_>>()).own(1, &[9]).load();
    assert_eq!((env.scores()[..2].to_vec(), segment(&env, 0, "scores")), (vec![72, 8], vec![64, 8]));
}

#[test]
fn places_of_the_observation() {
    // Offsets of the rules' table, in every formation and number of players.
    for players in [1, 2] {
        for (formation, cells, whole) in [("2x6", 166, 1019), ("4x3", 174, 1035), ("3x4", 172, 1031)] {
            let configured = configured(&json!({"players": players, "formation": formation}));
            let layout = &configured.game.info().observation;
            let at = |name: &str| {
                layout.segment(name).map(|segment| (segment.offset, segment.len(), segment.scale))
            };
            let most = if players == 1 { 4 } else { 2 };
            for (name, place) in [
                ("phase", (0, 9, 1)),
                ("my_turn", (9, 1, 1)),
                ("hand", (10, 22, most)),
                ("own_deck", (32, 22, most)),
                ("other_unseen", (54, 22, most)),
                ("sizes", (76, 4, 32 * (3 - players as u16))),
                ("stock", (80, 2, 12)),
                ("scores", (82, 2, 64)),
                ("counted", (84, 1, 64)),
                ("pending", (85, 6, 1)),
                ("range", (91, 1, 32)),
                ("due", (92, 3, 32)),
                ("payment_doubled", (95, 1, 1)),
                ("payment_pair_left", (96, 1, 2)),
                ("payment_units_left", (97, 1, 4)),
                ("payment_pair_first", (98, 3, 1)),
                ("payment_uses", (101, 2, 4)),
                ("payment_started", (103, 1, 1)),
                ("payment_exchange", (104, 6, 1)),
                ("swap_left", (110, 1, 2)),
                ("island0_place", (111, 12, 1)),
                ("island0_points", (123, 1, 8)),
                ("island0_demand", (125, 3, 8)),
                ("island0_ability", (128, 11, 1)),
                ("island0_colour", (139, 2, 1)),
                ("island0_lack", (146, 1, 24)),
                ("island11_place", (111 + 36 * 11, 12, 1)),
                ("island_distance", (543, 144, 64)),
                ("own_ship", (687, cells, 1)),
                ("other_ship", (687 + cells, cells, 1)),
            ] {
                assert_eq!(at(name), Some(place), "{name}, {formation}");
            }
            assert_eq!((layout.size(), configured.game.info().num_actions), (whole, 97 + cells));
        }
    }
}
