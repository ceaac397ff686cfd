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
fn the_observation_holds_what_the_rules_page_lists() {
    let position = Position::of("c")
        .own(0, &[10, 0])
        .own(1, &[4])
        .doubled(0)
        .hand(0, "RR GG RRFF")
        .hand(1, "W R F G")
        .spent(1, "FF")
        .ship(0, 7, 4)
        .ship(1, 8, 1);
    let mut env = position.load();
    assert_eq!(segment(&env, 0, "phase"), [0, 1, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!((segment(&env, 0, "my_turn"), segment(&env, 1, "my_turn")), (vec![1], vec![0]));
    assert_eq!(segment(&env, 1, "phase"), [0; 9]);
    let hand = segment(&env, 0, "hand");
    assert_eq!((hand.len(), hand[7], hand[9], hand[19], hand.iter().sum::<u8>()), (22, 1, 1, 1, 3));
    assert_eq!(
        (
            segment(&env, 0, "own_deck")[7],
            segment(&env, 0, "own_deck").iter().map(|&b| u32::from(b)).sum::<u32>()
        ),
        (1, 29)
    );
    assert_eq!(
        (
            segment(&env, 0, "other_unseen")[8],
            segment(&env, 0, "other_unseen").iter().map(|&b| u32::from(b)).sum::<u32>()
        ),
        (1, 31)
    );
    assert_eq!(
        (segment(&env, 0, "sizes"), segment(&env, 1, "sizes")),
        (vec![3, 29, 4, 27], vec![4, 27, 3, 29])
    );
    assert_eq!((segment(&env, 0, "stock"), segment(&env, 1, "stock")), (vec![9, 11], vec![11, 9]));
    assert_eq!((segment(&env, 0, "scores"), segment(&env, 1, "scores")), (vec![5, 2], vec![2, 5]));
    assert_eq!(
        (segment(&env, 0, "counted"), segment(&env, 0, "range"), segment(&env, 0, "due")),
        (vec![0], vec![0], vec![0; 3])
    );
    assert_eq!(segment(&env, 0, "pending"), [0; 6]);
    // Island c0: on (0,1), 2 points, 2 cards, 1/1/2, Double sail, own and doubled.
    assert_eq!(segment(&env, 0, "island0_place"), [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!((segment(&env, 0, "island0_points"), segment(&env, 0, "island0_cards")), (vec![2], vec![2]));
    assert_eq!(segment(&env, 0, "island0_demand"), [1, 1, 2]);
    assert_eq!(segment(&env, 0, "island0_ability"), [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
    assert_eq!(
        (
            segment(&env, 0, "island0_own"),
            segment(&env, 0, "island0_others"),
            segment(&env, 0, "island0_doubled")
        ),
        (vec![1], vec![0], vec![1])
    );
    assert_eq!((segment(&env, 1, "island0_own"), segment(&env, 1, "island0_others")), (vec![0], vec![1]));
    assert_eq!((segment(&env, 0, "island4_own"), segment(&env, 0, "island4_others")), (vec![0], vec![1]));
    // The own ship lies on c3 (7,4), the other next to c4 (8,0).
    assert_eq!(
        (segment(&env, 0, "island3_distance"), segment(&env, 1, "island3_other_distance")),
        (vec![0], vec![0])
    );
    assert_eq!(
        (segment(&env, 0, "island4_other_distance"), segment(&env, 1, "island4_distance")),
        (vec![1], vec![1])
    );
    // Own sums: rum 4, fabric 2, gems 2. c9 wants 2/4/1, c11 4/0/2, c8 3/0/1.
    assert_eq!(
        (
            segment(&env, 0, "island9_lack"),
            segment(&env, 0, "island11_lack"),
            segment(&env, 0, "island8_lack")
        ),
        (vec![2], vec![0], vec![0])
    );
    assert_eq!(segment(&env, 1, "island9_lack"), [1 + 3]);
    let ship = segment(&env, 0, "own_ship");
    assert_eq!((ship.len(), ship.iter().sum::<u8>(), segment(&env, 1, "other_ship") == ship), (166, 1, true));
    play(&mut env, &["sail RR"]);
    assert_eq!((segment(&env, 0, "range"), segment(&env, 1, "range")), (vec![5], vec![5]));
    play(&mut env, &["go 7:4"]);
    assert_eq!((segment(&env, 0, "range"), phase(&env)), (vec![0], "supply".into()));
}

#[test]
fn the_observation_holds_effects_payments_and_swaps() {
    let position = Position::of("c")
        .face(0, "b6")
        .own(1, &[0])
        .pending(1, "next_minus_one")
        .own(0, &[10])
        .pending(0, "double")
        .hand(0, "RR GG GG RF");
    let mut env = position.land(3);
    assert_eq!(
        segment(&env, 0, "pending"),
        [0, 0, 1, 1, 0, 0],
        "-1 next, -2 next, Double: own, then the other's"
    );
    assert_eq!(segment(&env, 1, "pending"), [1, 0, 0, 0, 0, 1]);
    play(&mut env, &["supply double"]);
    for viewer in 0..2 {
        assert_eq!(
            (segment(&env, viewer, "due"), segment(&env, viewer, "payment_doubled")),
            (vec![2, 0, 4], vec![1])
        );
        assert_eq!(segment(&env, viewer, "payment_started"), [0]);
    }
    assert_eq!(segment(&env, 0, "pending"), [0, 0, 0, 1, 0, 0], "spent as the supply begins");
    play(&mut env, &["pay GG"]);
    assert_eq!((segment(&env, 1, "due"), segment(&env, 1, "payment_started")), (vec![2, 0, 2], vec![1]));
    let position = Position::of("b").own(0, &[9]).pending(0, "next_minus_two");
    assert_eq!(segment(&position.load(), 0, "pending"), [0, 1, 0, 0, 0, 0]);
    // c6 wants 2/1/0 and swaps two cards.
    let mut env = Position::of("c").hand(0, "RRF W G").land(6);
    play(&mut env, &["supply"]);
    assert_eq!((segment(&env, 0, "swap_left"), segment(&env, 1, "swap_left")), (vec![2], vec![2]));
    play(&mut env, &["discard W"]);
    assert_eq!((segment(&env, 0, "swap_left"), segment(&env, 1, "swap_left")), (vec![1], vec![1]));
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

#[test]
fn with_one_player_the_parts_of_the_other_are_empty() {
    let env = Position::alone("d").own(0, &[0, 6]).load();
    assert_eq!(
        (segment(&env, 0, "other_unseen"), segment(&env, 0, "sizes")),
        (vec![0; 22], vec![3, 61, 0, 0])
    );
    assert_eq!((segment(&env, 0, "stock"), segment(&env, 0, "scores")), (vec![10, 0], vec![2, 0]));
    assert_eq!(
        (segment(&env, 0, "island5_other_distance"), segment(&env, 0, "other_ship")),
        (vec![64], vec![0; 166])
    );
    assert_eq!(segment(&env, 0, "island0_colour"), [1, 0]);
    assert_eq!(segment(&env, 0, "island6_colour"), [0, 1]);
}

#[test]
fn after_the_end_nobody_decides() {
    let mut env = Position::of("a").hand(0, "R").deck(0, "").hand(1, "").deck(1, "").load();
    play(&mut env, &["go 0:2"]);
    for viewer in 0..2 {
        assert_eq!((segment(&env, viewer, "phase"), segment(&env, viewer, "my_turn")), (vec![0; 9], vec![0]));
    }
}
