//! The observation byte by byte, and the numbers of actions.

use crate::fixture::{
    CONTENT, Position, SHIP, TAKE_BAR, act, configured, legal_of, others_play, play, seen, segment, visit,
};
use playmat_core::bits::LegalSet;
use playmat_core::game::Game;
use playmat_core::prelude::Player;
use playmat_graft::Graft;
use playmat_graft::action::Choice;
use playmat_graft::state::Kind;
use serde_json::json;

#[test]
fn segments_in_order_with_sizes_and_scales() {
    let expected = [
        ("phase", vec![6], 1),
        ("turns_left", vec![1], 18),
        ("pile", vec![1], 39),
        ("pile_empty", vec![1], 1),
        ("replant_left", vec![1], 5),
        ("chosen", vec![45], 2),
        ("unseen", vec![44], 4),
        ("gold", vec![2, 11], 1),
        ("silver", vec![3, 13], 1),
        ("badge_value", vec![5], 10),
        ("place_ok", vec![44], 1),
        ("place_score", vec![44], 223),
        ("place_badge", vec![44], 10),
        ("hands", vec![3, 44], 4),
        ("hidden", vec![3], 6),
        ("rows", vec![3, 18], 44),
        ("row_count", vec![3, 44], 4),
        ("row_len", vec![3], 18),
        ("forbidden", vec![3, 7], 1),
        ("last_type", vec![3, 7], 1),
        ("wanted", vec![3, 7], 1),
        ("row_score", vec![3], 223),
        ("row_badges", vec![3, 5], 1),
        ("bar", vec![3], 1),
        ("ship_card", vec![3], 1),
        ("waiting", vec![3], 44),
        ("compost", vec![3, 44], 4),
        ("compost_size", vec![3], 18),
        ("recycles", vec![3], 3),
        ("claimed", vec![3, 5], 1),
        ("points", vec![3], 223),
    ];
    let info = configured(&json!({})).game.info().clone();
    let found: Vec<(&str, Vec<usize>, u16)> =
        info.observation.segments.iter().map(|s| (s.name.as_str(), s.shape.clone(), s.scale)).collect();
    assert_eq!(found, expected);
    let biased = info.observation.segments.iter().filter(|s| s.bias == 32).map(|s| s.name.as_str());
    assert_eq!(biased.collect::<Vec<_>>(), ["place_score", "row_score", "points"]);
}

#[test]
fn numbers_of_actions() {
    let game = configured(&json!({})).game.clone();
    let all = [
        (0, Choice::Card(Kind(0))),
        (43, Choice::Card(Kind(43))),
        (44, Choice::Ship),
        (45, Choice::TakeBar),
        (46, Choice::Stop),
        (47, Choice::Claim(0)),
        (51, Choice::Claim(4)),
        (52, Choice::Decline),
    ];
    for (number, choice) in all {
        assert_eq!(game.action(choice).0, number);
        assert_eq!(game.choice(playmat_core::prelude::Action(number)), choice);
    }
}

#[test]
fn the_position_as_player_0_sees_it() {
    let env = Position::of(3, 4)
        .badges("full_manifest grand_tour fruit_basket provisions mixed_crate")
        .completed(1, "moonberry comet_grape crown_pomelo")
        .claim(1, "fruit_basket", 6)
        .row(0, "star_plum")
        .hand(0, "rootling honeybug ink_cap replant")
        .row(1, "fizz_tonic snack_pack")
        .compost(2, "geode")
        .load();
    let s = |name: &str| segment(&env, 0, name);
    assert_eq!(s("phase"), [1, 0, 0, 0, 0, 0]);
    assert_eq!((s("turns_left"), s("pile_empty")), (vec![18 - env.state().turn], vec![0]));
    assert_eq!(s("pile"), [env.state().pile_size]);
    assert_eq!(
        (s("gold")[0], s("gold")[11 + 1], s("silver")[0], s("silver")[13 + 6], s("silver")[26 + 7]),
        (1, 1, 1, 1, 1)
    );
    assert_eq!(s("badge_value"), [9, 10, 4, 5, 4]);
    assert_eq!(s("rows")[..2], [4 + 1, 0]);
    assert_eq!(s("rows")[18..21], [41 + 1, 39 + 1, 0]);
    assert_eq!((s("row_len"), s("row_count")[4], s("row_count")[44 + 39]), (vec![1, 2, 0], 1, 1));
    // Star Plum forbids Fungus and wants a Critter; Fizz Tonic forbids Fruit; Snack Pack wants nothing.
    assert_eq!(s("forbidden")[..8], [0, 0, 1, 0, 0, 0, 0, 1]);
    assert_eq!(s("last_type")[..7], [1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(s("wanted")[..7], [0, 0, 0, 1, 0, 0, 0]);
    assert_eq!(s("wanted")[7..], [0; 14]);
    assert_eq!(s("row_score"), [33, 34, 32]);
    assert_eq!(s("row_badges")[5..10], [0, 0, 0, 1, 0]);
    assert_eq!((s("claimed")[5..10].to_vec(), s("compost_size")), (vec![0, 0, 1, 0, 0], vec![0, 0, 1]));
    // Rootling next to the plum: 5 + 1; Honeybug likewise 5 + 2; Ink Cap busts: 2.
    assert_eq!((s("place_ok")[20], s("place_ok")[19], s("place_ok")[14]), (1, 1, 0));
    assert_eq!((s("place_score")[20], s("place_score")[19], s("place_score")[14]), (38, 39, 34));
    assert_eq!(s("place_score")[0], 32);
    assert_eq!(s("hands")[..44].iter().sum::<u8>(), 4);
}

#[test]
fn what_a_card_would_earn_as_a_badge() {
    let env = Position::of(3, 3)
        .badges("full_manifest grand_tour fruit_basket provisions buried_treasure")
        .row(0, "energy_bar slime_mold")
        .hand(0, "snack_pack pig_iron geode")
        .load();
    let badge = segment(&env, 0, "place_badge");
    assert_eq!((badge[39], badge[27], badge[28], badge[0]), (5, 5, 5, 0));
}

#[test]
fn place_lines_of_every_position_follow_from_the_rules() {
    let mut compared = 0;
    for players in [2, 3, 5] {
        visit(&json!({"players": players}), 10 + players, 50, |game, state| {
            let Some(player) = game.acting(state).first() else { return };
            let layout = &game.info().observation;
            let mut out = vec![0; layout.size()];
            game.observe(state, player, &mut out);
            let part = |name: &str| {
                let segment = layout.segment(name).unwrap();
                out[segment.offset..segment.offset + segment.len()].to_vec()
            };
            let (ok, score, badge) = (part("place_ok"), part("place_score"), part("place_badge"));
            let n = game.turns();
            let mut cards: Vec<Kind> =
                part("rows")[..n].iter().filter(|&&code| code != 0).map(|&code| Kind(code - 1)).collect();
            let chosen = part("chosen");
            if part("phase")[2] == 1 {
                // The row after the first card.
                let first = Kind(chosen[..44].iter().position(|&count| count == 1).unwrap() as u8);
                let row = game.row(&cards, &state.slots);
                if !game.is_legal(&row, first) {
                    cards.clear();
                }
                cards.push(first);
            }
            let legal = game.legal(state, player);
            for kind in (0..44u8).map(Kind) {
                let chooser = legal.contains(playmat_core::prelude::Action(kind.0.into()));
                let row = game.row(&cards, &state.slots);
                let fits = game.is_legal(&row, kind);
                let mut after = if fits { cards.clone() } else { Vec::new() };
                after.push(kind);
                let after = game.row(&after, &state.slots);
                let worth = (0..5)
                    .filter(|&slot| after.met >> slot & 1 != 0 && state.claims[player.index()][slot] == 0)
                    .map(|slot| game.badge_value(state, slot))
                    .max()
                    .unwrap_or(0);
                let expected =
                    if chooser { (u8::from(fits), (after.score + 32) as u8, worth) } else { (0, 32, 0) };
                let at = kind.index();
                assert_eq!((ok[at], score[at], badge[at]), expected, "{kind:?} of player {player}");
                compared += usize::from(chooser);
            }
        });
    }
    assert!(compared > 400, "{compared}");
}

#[test]
fn observations_do_not_depend_on_sizes_that_the_compiler_knows() {
    let mut compared = 0;
    for (players, seed) in (2..=5).flat_map(|players| (0..6).map(move |seed| (players, seed))) {
        visit(&json!({"players": players}), 30 + seed, 20, |game, state| {
            assert!(game.has_builtin_sizes(), "the sizes in observe.rs are those of the built-in content");
            let slow = game.without_builtin_sizes();
            for player in Player::all(players) {
                let observed = |game: &Graft| {
                    let mut bytes = vec![0xaa; game.info().observation.size()];
                    game.observe(state, player, &mut bytes);
                    bytes
                };
                assert_eq!(observed(game), observed(&slow), "player {player} of {players}");
                compared += 1;
            }
        });
    }
    assert!(compared > 2_000, "{compared} observations");
}

#[test]
fn types_that_fulfil_any_test_of_the_next_card() {
    // Rootling is paid unless a Leaf or a Fungus comes next. No sets of types: Star Plum is paid unless a Honeybug comes next,
    // Fizz Tonic if nothing does.
    let text = CONTENT
        .replace(
            "if = { count = [\"fungus\"], in = \"next\", min = 1 }",
            "if = { count = [\"leaf\", \"fungus\"], in = \"next\", max = 0 }",
        )
        .replace(
            "if = { count = [\"critter\"], in = \"next\", min = 1 }",
            "if = { count = { card = \"honeybug\" }, in = \"next\", max = 0 }",
        )
        .replace(
            "if = { count = [\"gadget\"], in = \"next\", min = 1 }",
            "if = { count = \"cards\", in = \"next\", max = 0 }",
        );
    let env = Position::of(3, 4)
        .option("content", text)
        .row(0, "rootling")
        .row(1, "star_plum")
        .row(2, "fizz_tonic")
        .load();
    let wanted = segment(&env, 0, "wanted");
    assert_eq!(wanted[..7], [1, 0, 0, 1, 1, 1, 1]);
    assert_eq!(wanted[7..], [0; 14]);
}

#[test]
fn a_replacement_lies_face_down_until_all_are_in() {
    let mut env = Position::of(3, 3)
        .row(0, "honeybug")
        .hand(0, "sun_melon geode packed_lunch")
        .row(2, "pig_iron")
        .hand(2, "slime_mold silver_fern comet_grape")
        .load();
    act(&mut env, 0, SHIP);
    act(&mut env, 2, SHIP);
    others_play(&mut env);
    let (other, hidden) = (seen(&env, Some(2)), segment(&env, 2, "hidden"));
    play(&mut env, 0, "geode");
    let (chosen, own) = (segment(&env, 0, "chosen"), segment(&env, 0, "hands")[..44].to_vec());
    assert_eq!((chosen[28], chosen.iter().sum::<u8>()), (1, 1));
    assert_eq!((own[28], own.iter().sum::<u8>()), (0, 2));
    assert_eq!(seen(&env, Some(0))["players"][0]["hand"], json!(["sun_melon", "packed_lunch"]));
    assert_eq!((seen(&env, Some(2)), segment(&env, 2, "hidden")), (other, hidden));
}

#[test]
fn equal_cards_lie_face_down_as_two() {
    let mut env =
        Position::of(3, 3).row(0, "comet_grape energy_bar").hand(0, "moonberry moonberry geode").load();
    act(&mut env, 0, TAKE_BAR);
    play(&mut env, 0, "moonberry");
    play(&mut env, 0, "moonberry");
    let (chosen, own) = (segment(&env, 0, "chosen"), segment(&env, 0, "hands"));
    assert_eq!((chosen[0], chosen.iter().sum::<u8>()), (2, 2));
    assert_eq!((own[0], own[28], own[38]), (0, 1, 1));
}

#[test]
fn face_down_cards_are_the_owners_own() {
    let mut env =
        Position::of(3, 3).row(0, "comet_grape energy_bar").hand(0, "sun_melon geode snack_pack").load();
    act(&mut env, 0, TAKE_BAR);
    assert_eq!((segment(&env, 0, "bar"), segment(&env, 1, "bar")), (vec![0, 0, 0], vec![0, 0, 1]));
    assert_eq!((segment(&env, 0, "row_score")[0], segment(&env, 1, "row_score")[2]), (34, 32));
    play(&mut env, 0, "sun_melon");
    assert_eq!(segment(&env, 0, "phase"), [0, 0, 1, 0, 0, 0]);
    act(&mut env, 0, SHIP);
    let chosen = segment(&env, 0, "chosen");
    assert_eq!((chosen[3], chosen[44], chosen.iter().sum::<u8>()), (1, 1, 2));
    assert_eq!(segment(&env, 0, "row_len")[0], 1, "until the reveal the row is without the bar");
    assert!(segment(&env, 1, "chosen").iter().all(|&count| count == 0));
    others_play(&mut env);
    assert_eq!(segment(&env, 0, "ship_card"), [1, 0, 0]);
    assert_eq!(segment(&env, 2, "ship_card"), [0, 1, 0]);
    let first = legal_of(&env, 0)[0];
    assert!(env.legal(Player(1)).is_empty());
    act(&mut env, 0, first);
}
