//! Setup and the order of a turn (GR-R1 to R4, R11, R12, Q7, Q9, Q15, Q20).

use crate::fixture::{
    NEAR, Position, SHIP, TAKE_BAR, act, acting, card, configured, event_names, hand, legal_of, others_play,
    play, row, seen, segment, story, visit,
};
use playmat_core::any::AnyEnv;
use playmat_core::bits::LegalSet;
use playmat_core::env::Env;
use playmat_core::game::Game;
use playmat_core::prelude::{Action, Player, Rng, Show, Silent};
use playmat_graft::Graft;
use playmat_graft::rules::Event;
use playmat_graft::state::Phase;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn gr_r1_marked_cards_are_out_with_fewer_players() {
    for (players, deck, moonberries, turns) in [(3, 54, 2, 18), (4, 72, 3, 18), (5, 90, 4, 18)] {
        let game = configured(&json!({"players": players})).game.clone();
        assert_eq!((game.deck().total(), game.deck().0[0], game.turns()), (deck, moonberries, turns));
    }
}

#[test]
fn gr_r1a_two_players_are_a_variant_and_say_so() {
    let two = configured(&json!({"players": 2}));
    assert_eq!((two.game.deck().total(), two.game.turns()), (54, 27));
    assert!(two.game.info().title.contains("variant"));
    let env = Env::new(two, 1);
    assert!(env.draw_text(None).unwrap().contains("two-player variant"));
    assert!(env.draw_svg(None).unwrap().contains("two-player variant"));
}

#[test]
fn gr_r2_r2a_badges_in_order_and_five_cards_each() {
    let mut seen_badges = BTreeMap::new();
    for seed in 0..400 {
        let env = Env::new(configured(&json!({"players": 5})), seed);
        let slots = env.state().slots;
        assert!(
            slots[0] < slots[1]
                && slots[1] < 11
                && 11 <= slots[2]
                && slots[2] < slots[3]
                && slots[3] < slots[4]
        );
        for badge in slots {
            *seen_badges.entry(badge).or_insert(0) += 1;
        }
        assert!((0..5).all(|player| hand(&env, player).len() == 5));
        assert_eq!(env.state().pile_size, 65);
    }
    // Gold 800 / 11, silver 1200 / 13: the 99.9 % points for 10 and 12 degrees of freedom are 29.6 and 32.9.
    let chi = |from: u8, to: u8, mean: f64| -> f64 {
        (from..to).map(|b| (f64::from(*seen_badges.get(&b).unwrap_or(&0)) - mean).powi(2) / mean).sum()
    };
    assert!(chi(0, 11, 800.0 / 11.0) < 29.6 && chi(11, 24, 1200.0 / 13.0) < 32.9);
}

#[test]
fn gr_r2b_five_badges_at_most_once_each() {
    let configured = configured(&json!({}));
    let (mut claims, mut twice) = (0, 0);
    for seed in 0..60 {
        let mut claimed = BTreeSet::new();
        for (event, state) in story(&configured, seed, 80) {
            let Event::Claimed { player, slot, badge, .. } = event else { continue };
            assert_eq!(state.slots[usize::from(slot)], badge);
            assert!(claimed.insert((player.0, badge)), "player {player} claims badge {badge} twice");
            claims += 1;
        }
        twice +=
            (0..3).filter(|&player| claimed.iter().filter(|claim| claim.0 == player).count() > 1).count();
    }
    assert!(claims > 60 && twice > 10, "{claims} claims, {twice} players with several");
}

#[test]
fn gr_r3_cards_are_revealed_together_and_hands_go_to_the_left() {
    let mut env = Position::of(3, 3).hand(0, "sun_melon geode").hand(1, "snack_pack").load();
    let before: Vec<Vec<String>> = (0..3).map(|player| hand(&env, player)).collect();
    play(&mut env, 0, "sun_melon");
    assert_eq!(row(&env, 0), [""; 0], "nothing is shown before all have chosen");
    assert!(event_names(&env, Some(1)).is_empty());
    play(&mut env, 1, "snack_pack");
    others_play(&mut env);
    for (player, mut left) in before.into_iter().enumerate() {
        let played = row(&env, player)[0].clone();
        left.remove(left.iter().position(|id| *id == played).unwrap());
        assert_eq!(hand(&env, (player + 1) % 3), left);
    }
}

#[test]
fn gr_r3a_q7_the_steps_of_a_turn_come_in_their_order() {
    // Player 0 stops at a Replant, player 1 busts, player 2 ships and claims.
    let mut env = Position::of(3, 3)
        .badges(NEAR)
        .hand(0, "replant")
        .compost(0, "sun_melon")
        .row(1, "honeybug")
        .hand(1, "snack_pack")
        .row(2, "pig_iron")
        .hand(2, "slime_mold comet_grape silver_fern")
        .load();
    play(&mut env, 0, "replant");
    play(&mut env, 1, "snack_pack");
    act(&mut env, 2, SHIP);
    assert_eq!(acting(&env), [0], "replant picks come before the replacement");
    let reported = event_names(&env, Some(1));
    let names: Vec<&str> = reported.iter().map(String::as_str).collect();
    assert_eq!(names, ["revealed", "revealed", "revealed", "placed", "busted", "placed"]);
    play(&mut env, 0, "sun_melon");
    assert_eq!((acting(&env), seen(&env, None)["phase"].clone()), (vec![2], json!("replace")));
    play(&mut env, 2, "slime_mold");
    assert_eq!((acting(&env), seen(&env, None)["phase"].clone()), (vec![2], json!("claim")));
    act(&mut env, 2, crate::fixture::CLAIM + 4);
    let reported: Vec<String> =
        event_names(&env, Some(0)).into_iter().filter(|name| name != "drew" && name != "update").collect();
    assert_eq!(reported, ["claimed", "hands_passed", "turn_began"]);
}

#[test]
fn gr_r3a_stopped_players_pick_from_the_lowest_on() {
    let mut env = Position::of(3, 3)
        .hand(0, "replant")
        .compost(0, "sun_melon")
        .hand(2, "replant")
        .compost(2, "geode")
        .load();
    play(&mut env, 0, "replant");
    play(&mut env, 2, "replant");
    others_play(&mut env);
    assert_eq!(acting(&env), [0]);
    assert_eq!(row(&env, 2), ["replant"], "it waits, placed and open");
    let picks = |player| segment(&env, player, "replant_left");
    assert_eq!((picks(0), picks(2)), (vec![2], vec![0]), "picks are shown to whoever makes them");
    act(&mut env, 0, crate::fixture::STOP);
    assert_eq!(acting(&env), [2]);
    play(&mut env, 2, "geode");
    assert_eq!((row(&env, 0).len(), row(&env, 2).len()), (1, 2));
}

#[test]
fn gr_r4_r4a_every_hand_loses_one_card_a_turn_and_no_ship_card() {
    let mut turns = 0;
    for (players, seed) in [(2, 1), (3, 2), (4, 3), (5, 4)] {
        let mut before: Option<(u8, usize, usize)> = None;
        visit(&json!({"players": players}), seed, 40, |game, state| {
            if state.phase != Phase::Choose || state.acting.len() != players || !state.bars.is_empty() {
                return;
            }
            let size = state.hands[0].size();
            assert!((1..=5).contains(&size) && state.hands[..players].iter().all(|hand| hand.size() == size));
            assert!(Player::all(players).all(|player| {
                let legal = game.legal(state, player);
                playmat_core::bits::LegalSet::contains(&legal, playmat_core::prelude::Action(SHIP))
            }));
            let cards = size * players + usize::from(state.pile_size);
            if let Some((turn, cards_before, _)) = before.filter(|b| b.0 != state.turn) {
                assert_eq!((turn + 1, cards_before - players), (state.turn, cards));
                turns += 1;
            }
            before = Some((state.turn, cards, size));
        });
    }
    assert!(turns > 50);
}

#[test]
fn gr_r11_everybody_draws_to_five_after_receiving() {
    let mut env = Position::of(4, 2).hand(0, "sun_melon comet_grape").load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    play(&mut env, 0, "sun_melon");
    assert!((0..4).all(|player| hand(&env, player).len() == 5));
    let mut env = Position::of(4, 2).load();
    others_play(&mut env);
    assert!((0..4).all(|player| hand(&env, player).len() == 1), "nobody shipped, nobody draws");
}

#[test]
fn gr_r12_everybody_draws_as_many() {
    // Three cards for three hands that lack three each.
    let mut env = Position::of(3, 3).pile(3).hand(0, "sun_melon comet_grape").load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    play(&mut env, 0, "sun_melon");
    assert_eq!((env.state().pile_size, env.state().out.total()), (0, 0));
    assert!((0..3).all(|player| hand(&env, player).len() == 3));
}

#[test]
fn gr_r12_a_rest_stays_in_the_pile_as_long_as_hands_are_filled() {
    // 55 cards for three: nine of ten fill the hands, and the one that is left is still to be drawn.
    let text = crate::fixture::CONTENT.replacen("copies = [1, 0, 0]", "copies = [2, 0, 0]", 1);
    let mut env = Position::of(3, 3).option("content", text).pile(10).hand(0, "sun_melon comet_grape").load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    play(&mut env, 0, "sun_melon");
    assert!((0..3).all(|player| hand(&env, player).len() == 5));
    assert_eq!((env.state().pile_size, env.state().out.total()), (1, 0));
}

#[test]
fn gr_r12_a_draw_is_uniform_over_the_pile() {
    let position = Position::of(3, 4).pile(3).hand(0, "sun_melon comet_grape");
    let (json, game) = (position.whole(), configured(&json!({})).game.clone());
    let pile: BTreeMap<String, u32> = serde_json::from_value(json["pile"].clone()).unwrap();
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let env = position.load();
    let (start, melon) = (*env.state(), playmat_core::prelude::Action(card(&env, "sun_melon")));
    for seed in 0..3000 {
        let (mut state, mut rng) = (start, Rng::from_seed(seed));
        game.apply(&mut state, Player(0), playmat_core::prelude::Action(SHIP), &mut rng, &mut Silent);
        for player in [1, 2] {
            let action =
                playmat_core::bits::LegalSet::iter(&game.legal(&state, Player(player))).next().unwrap();
            game.apply(&mut state, Player(player), action, &mut rng, &mut Silent);
        }
        let before = state.hands;
        game.apply(&mut state, Player(0), melon, &mut rng, &mut Silent);
        // Player 1 draws second.
        let drawn = (0..game.kinds() as u8).map(playmat_graft::state::Kind).find(|&kind| {
            let passed = before[0].count(kind) - usize::from(game.text(kind).id == "sun_melon");
            state.hands[1].count(kind) > passed
        });
        *counts.entry(game.text(drawn.unwrap()).id.clone()).or_insert(0) += 1;
    }
    let chi: f64 = pile
        .iter()
        .map(|(id, &copies)| {
            let mean = 3000.0 * f64::from(copies) / 3.0;
            (f64::from(*counts.get(id).unwrap_or(&0)) - mean).powi(2) / mean
        })
        .sum();
    // The 99.9 % point for at most 2 degrees of freedom is 13.8.
    assert!(chi < 13.8 && counts.keys().all(|id| pile.contains_key(id)), "{chi} {counts:?} {pile:?}");
}

#[test]
fn gr_q9_the_rest_does_not_occur_with_the_default_content() {
    for players in 2..=5 {
        let configured = configured(&json!({"players": players}));
        for seed in 0..6 {
            let story = story(&configured, seed, 20);
            assert!(!story.iter().any(|(event, _)| matches!(event, Event::LeftOut(_))));
        }
    }
}

#[test]
fn gr_q15_drawing_comes_before_the_rule_for_empty_hands() {
    let mut env = Position::of(3, 1).row(1, "comet_grape").hand(0, "sun_melon").load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    assert_eq!(seen(&env, None)["phase"], "choose");
    assert!((0..3).all(|player| hand(&env, player).len() == 5));
    assert!(row(&env, 1).len() == 2, "rows of the others stay");
}

#[test]
fn gr_q20_two_players_swap_hands() {
    let mut env = Position::of(2, 3)
        .hand(0, "sun_melon comet_grape geode")
        .hand(1, "snack_pack silver_fern shell_crab")
        .load();
    play(&mut env, 0, "geode");
    play(&mut env, 1, "snack_pack");
    assert_eq!(hand(&env, 0), ["silver_fern", "shell_crab"]);
    assert_eq!(hand(&env, 1), ["comet_grape", "sun_melon"]);
}

#[test]
fn events_say_how_much() {
    let text = crate::fixture::CONTENT.replacen("copies = [1, 0, 0]", "copies = [2, 0, 0]", 1);
    let mut env = Position::of(3, 3)
        .option("content", text)
        .pile(7)
        .hand(0, "sun_melon comet_grape")
        .row(1, "honeybug silver_fern")
        .hand(1, "snack_pack")
        .load();
    let reported = |env: &Env<Graft>, name: &str, field: &str| {
        let events = env.events(Some(Player(2))).unwrap();
        let found: Vec<_> = events.iter().filter(|event| event["event"] == name).collect();
        assert_eq!(found.len(), 1, "{events:?}");
        found[0][field].clone()
    };
    act(&mut env, 0, SHIP);
    play(&mut env, 1, "snack_pack");
    others_play(&mut env);
    assert_eq!(reported(&env, "busted", "cards"), 2);
    play(&mut env, 0, "sun_melon");
    assert_eq!(reported(&env, "completed", "points"), 3);
    assert_eq!(reported(&env, "left_out", "cards"), 1);
    assert_eq!(reported(&env, "turn_began", "turn"), env.state().turn);
}

/// Texts of the legal actions of a player, each of which parses back.
fn texts(env: &Env<Graft>, player: u8) -> Vec<String> {
    let game = &env.configured().game;
    let at = Some((env.state(), Player(player)));
    let text = |action: Action| {
        let text = game.action_text(at, action);
        assert_eq!(game.parse_action(at, &text), Some(action), "{text}");
        assert_eq!(game.parse_action(at, &text.to_uppercase()), Some(action), "{text}");
        text
    };
    env.legal(Player(player)).iter().map(text).collect()
}

#[test]
fn texts_of_actions_say_what_a_card_is_chosen_for() {
    let mut env = Position::of(3, 3)
        .badges(NEAR)
        .row(0, "pig_iron energy_bar")
        .hand(0, "replant slime_mold geode")
        .compost(0, "snack_pack")
        .load();
    let named = ["play Replant", "play Slime Mold", "play Geode", "play the ship card", "take the bar back"];
    assert_eq!(texts(&env, 0), named);
    act(&mut env, 0, TAKE_BAR);
    assert_eq!(texts(&env, 0), ["first Replant", "first Slime Mold", "first Geode", "first Energy Bar"]);
    play(&mut env, 0, "replant");
    assert_eq!(
        texts(&env, 0),
        ["second Slime Mold", "second Geode", "second Energy Bar", "play the ship card"]
    );
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    assert_eq!(texts(&env, 0), ["replant Snack Pack", "stop replanting"]);
    act(&mut env, 0, crate::fixture::STOP);
    assert_eq!(texts(&env, 0), ["ship Slime Mold", "ship Geode", "ship Energy Bar"]);
    let mut env =
        Position::of(3, 3).badges(NEAR).row(0, "pig_iron").hand(0, "truffle comet_grape ink_cap").load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    play(&mut env, 0, "truffle");
    assert_eq!(texts(&env, 0), ["claim Buried Treasure", "claim nothing"]);
}

#[test]
fn choices_of_a_two_card_turn_are_made_by_one_player_in_a_row() {
    let mut env = Position::of(3, 3).row(0, "comet_grape energy_bar").load();
    act(&mut env, 0, TAKE_BAR);
    assert_eq!(env.current_player(), Some(Player(0)));
    let first = legal_of(&env, 0)[0];
    act(&mut env, 0, first);
    assert_eq!(env.current_player(), Some(Player(0)));
    act(&mut env, 0, SHIP);
    assert_eq!(acting(&env), [1, 2]);
}

#[test]
fn help_is_for_legal_actions_of_whoever_acts() {
    let game = (playmat_graft::ENTRY.make)(&Default::default()).unwrap();
    let env = game.env(3);
    let legal = env.legal_actions(Player(0)).unwrap();
    assert!(legal.iter().all(|&action| !env.action_help(Player(0), action.into()).unwrap().is_empty()));
    let other =
        (0..game.info().num_actions as i64).find(|&action| !legal.contains(&(action as u16))).unwrap();
    assert_eq!(env.action_help(Player(0), other).unwrap(), "", "it is not legal");
    assert!(env.action_help(Player(7), 0).is_err() && env.action_help(Player(0), 9999).is_err());
}
