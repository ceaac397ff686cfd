//! Samples for a player (GR-R24c), against enumeration, and that nothing hidden shows.

use crate::fixture::{
    CLAIM, DECLINE, Position, SHIP, TAKE_BAR, act, acting, card, hand, legal_of, others_play, play, seen,
    two_can_ship, visit,
};
use playmat_core::env::Env;
use playmat_core::game::Game;
use playmat_core::prelude::{Player, Rng, Show};
use playmat_graft::Graft;
use playmat_graft::state::State;
use serde_json::json;
use std::collections::BTreeMap;

fn checked_sample(env: &Env<Graft>, viewer: u8, rng: &mut Rng) -> State {
    let sample = env.configured().game.sample_hidden(env.state(), Player(viewer), rng);
    assert_eq!(env.configured().game.validate(&sample), []);
    sample
}

/// Pearson's statistic of samples against the probabilities of what `name` says of them.
fn check(
    env: &Env<Graft>,
    viewer: u8,
    samples: &BTreeMap<String, f64>,
    limit: f64,
    name: impl Fn(&State) -> String,
) {
    let mut rng = Rng::from_seed(23);
    let draws = 1500 * samples.len() as u32;
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..draws {
        *counts.entry(name(&checked_sample(env, viewer, &mut rng))).or_insert(0) += 1;
    }
    assert!(counts.keys().all(|key| samples.contains_key(key)), "{counts:?} {samples:?}");
    let chi: f64 = samples
        .iter()
        .map(|(key, p)| {
            (f64::from(*counts.get(key).unwrap_or(&0)) - p * f64::from(draws)).powi(2)
                / (p * f64::from(draws))
        })
        .sum();
    assert!(chi < limit, "{chi}: {counts:?} {samples:?}");
}

/// Three players at the end of the pile; player 0 knows all but one card of each other hand.
fn late() -> Position {
    Position::of(3, 2)
        .pile(3)
        .hand(0, "sun_melon geode")
        .hand(1, "moonberry honeybug")
        .hand(2, "ink_cap honeybug")
        .known(1, 0, "moonberry")
        .known(2, 0, "ink_cap")
}

#[test]
fn gr_r24c_every_deal_of_what_is_unseen_comes_as_often_as_it_should() {
    let env = late().load();
    let game = env.configured().game.clone();
    // Five unseen cards: two Honeybugs and a pile of three, in the two hidden places.
    let state = seen(&env, None);
    let mut unseen: Vec<String> = vec!["honeybug".into(), "honeybug".into()];
    for (id, count) in state["pile"].as_object().unwrap() {
        unseen.extend(vec![id.clone(); count.as_u64().unwrap() as usize]);
    }
    assert_eq!(unseen.len(), 5);
    let mut samples: BTreeMap<String, f64> = BTreeMap::new();
    for a in 0..5 {
        for b in (0..5).filter(|&b| b != a) {
            *samples.entry(format!("{} {}", unseen[a], unseen[b])).or_insert(0.0) += 1.0 / 20.0;
        }
    }
    let other = |sample: &State, at: usize, known: &str| -> String {
        let mut ids: Vec<&str> = sample.hands[at].cards().map(|card| game.text(card.0).id.as_str()).collect();
        ids.remove(ids.iter().position(|&id| id == known).expect("what is known stays"));
        ids[0].into()
    };
    // The 99.9 % point for up to 12 degrees of freedom is 32.9.
    check(&env, 0, &samples, 32.9, |sample| {
        format!("{} {}", other(sample, 1, "moonberry"), other(sample, 2, "ink_cap"))
    });
}

#[test]
fn gr_r24c_choices_of_players_before_are_drawn_step_by_step() {
    let mut env = Position::of(2, 2)
        .row(0, "comet_grape energy_bar")
        .hand(0, "sun_melon geode")
        .known(0, 1, "sun_melon geode")
        .load();
    play(&mut env, 0, "geode");
    // Player 1 decides; of player 0 it knows the hand. Four first actions, then the steps of a turn with two cards.
    let mut samples = BTreeMap::new();
    for action in ["sun_melon", "geode", "ship"] {
        samples.insert(format!("{action} "), 0.25);
    }
    for first in ["sun_melon", "geode", "energy_bar"] {
        for second in
            ["sun_melon", "geode", "energy_bar", "ship"].into_iter().filter(|&second| second != first)
        {
            samples.insert(format!("{first} {second} bar"), 0.25 / 9.0);
        }
    }
    let game = env.configured().game.clone();
    check(&env, 1, &samples, 32.9, |sample| {
        let json = game.describe(sample, None)["players"][0].clone();
        let bar = if json["take_bar"] == true { " bar" } else { "" };
        let chosen: Vec<&str> =
            json["chosen"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
        if bar.is_empty() { format!("{} ", chosen[0]) } else { format!("{}{bar}", chosen.join(" ")) }
    });
}

#[test]
fn gr_r24c_players_before_the_viewer_have_chosen_while_it_must_choose() {
    let mut env = Position::of(4, 3).row(2, "energy_bar").load();
    others_first(&mut env, 3);
    act(&mut env, 2, TAKE_BAR);
    others_first(&mut env, 0);
    assert_eq!(acting(&env), [1, 2]);
    let mut rng = Rng::from_seed(3);
    for _ in 0..40 {
        let sample = checked_sample(&env, 1, &mut rng);
        // Player 0 comes before and has chosen; players 2 and 3 have not, from SELECT on.
        assert_eq!(sample.acting.iter().map(|player| player.0).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(sample.cards[0] != [0; 2] && sample.cards[2] == [0; 2] && !sample.bars.contains(Player(2)));
        // Player 3 has chosen: in its samples nobody else has.
        let own = checked_sample(&env, 3, &mut rng);
        assert_eq!((own.acting.0, own.cards[3]), (0b0111, env.state().cards[3]));
        let own = checked_sample(&env, 2, &mut rng);
        assert_eq!(
            (own.acting.0, own.bars.contains(Player(2))),
            (0b1100, env.state().bars.contains(Player(2)))
        );
    }
}

#[test]
fn gr_r24c_claims_that_were_made_stay_hidden() {
    let mut env = two_can_ship().load();
    act(&mut env, 0, SHIP);
    act(&mut env, 2, SHIP);
    others_play(&mut env);
    play(&mut env, 2, "z_coin");
    let start = env.clone();
    act(&mut env, 0, DECLINE);
    // Player 2 must choose: player 0, which comes before it, has claimed slot 4 or nothing.
    let samples: BTreeMap<String, f64> = [("5".into(), 0.5), ("255".into(), 0.5)].into();
    check(&env, 2, &samples, 10.8, |sample| sample.claiming[0].to_string());
    // Player 1 decides nothing and does not know who has chosen.
    let mut rng = Rng::from_seed(3);
    let sample = checked_sample(&env, 1, &mut rng);
    assert_eq!((sample.acting.0, sample.claiming), (0b101, [0; 5]));
    // Player 0 must choose: player 2, which comes after it, has not chosen yet.
    let mut env = start;
    act(&mut env, 2, CLAIM + 4);
    for viewer in [0, 1] {
        let sample = checked_sample(&env, viewer, &mut rng);
        assert_eq!((sample.acting.0, sample.claiming), (0b101, [0; 5]), "viewer {viewer}");
    }
    assert_eq!(checked_sample(&env, 2, &mut rng).claiming, env.state().claiming);
}

#[test]
fn gr_r24c_cards_out_of_the_game_are_dealt_anew_too() {
    // One card left the game unseen; the hands of the others are unknown to player 0.
    let text = crate::fixture::CONTENT.replacen("copies = [1, 0, 0]", "copies = [2, 0, 0]", 1);
    let position = Position::of(3, 2).option("content", text).pile(1);
    let mut json = position.whole();
    json["out"] = json["pile"].take();
    json["pile"] = json!({});
    let env = crate::fixture::load(&position.options, &json, 5);
    let unseen = seen(&env, Some(0))["unseen"].clone();
    let samples: BTreeMap<String, f64> = unseen
        .as_object()
        .unwrap()
        .iter()
        .map(|(id, copies)| (id.clone(), copies.as_f64().unwrap() / 5.0))
        .collect();
    assert!(samples.len() > 1 && (samples.values().sum::<f64>() - 1.0).abs() < 1e-9, "{samples:?}");
    let game = env.configured().game.clone();
    // The 99.9 % point for at most 4 degrees of freedom is 18.5.
    check(&env, 0, &samples, 18.5, |sample| {
        let out = game.describe(sample, None)["out"].clone();
        assert_eq!(out.as_object().unwrap().len(), 1);
        out.as_object().unwrap().keys().next().unwrap().clone()
    });
}

/// A player chooses its first card.
fn others_first(env: &mut Env<Graft>, player: u8) {
    let first = legal_of(env, player)[0];
    act(env, player, first);
}

#[test]
fn gr_r24c_a_player_may_decide_in_a_sample_though_one_card_is_possible() {
    let mut env = Position::of(3, 2)
        .row(0, "honeybug")
        .hand(0, "sun_melon packed_lunch")
        .row(1, "comet_grape")
        .hand(1, "geode silver_fern")
        .load();
    act(&mut env, 0, SHIP);
    act(&mut env, 1, SHIP);
    others_play(&mut env);
    // Player 0 had no decision: one card is legal. Nobody else knows that, so it has to choose in samples for player 2.
    assert_eq!(acting(&env), [1]);
    let mut rng = Rng::from_seed(8);
    for _ in 0..60 {
        assert_eq!(checked_sample(&env, 2, &mut rng).acting.0, 0b11);
        assert_eq!(checked_sample(&env, 1, &mut rng).acting, env.acting());
        let sample = checked_sample(&env, 0, &mut rng);
        assert_eq!((sample.acting, sample.replacements[0]), (env.acting(), env.state().replacements[0]));
        let game = &env.configured().game;
        let legal = game.legal(&sample, Player(1));
        assert!(!playmat_core::bits::LegalSet::is_empty(&legal));
    }
}

#[test]
fn gr_r24c_others_know_nothing_certain_in_a_sample() {
    visit(&json!({"players": 4}), 6, 40, |game, state| {
        let mut rng = Rng::from_seed(1);
        let sample = game.sample_hidden(state, Player(2), &mut rng);
        for holder in 0..4usize {
            for (_, known) in sample.hands[holder].cards() {
                assert_eq!(known & !(1 << holder) & !(1 << 2), 0);
            }
        }
    });
}

#[test]
fn gr_r24c_what_a_player_receives_is_the_same_in_every_sample() {
    let mut compared = 0;
    for players in 2..=5usize {
        for seed in 0..4 {
            let options = json!({"players": players});
            visit(&options, seed, 40, |game, state| {
                for viewer in Player::all(players) {
                    let sample =
                        game.sample_hidden(state, viewer, &mut Rng::from_seed(seed ^ u64::from(viewer.0)));
                    let (mut a, mut b) =
                        (vec![0; game.info().observation.size()], vec![1; game.info().observation.size()]);
                    game.observe(state, viewer, &mut a);
                    game.observe(&sample, viewer, &mut b);
                    assert_eq!(a, b);
                    assert_eq!(game.describe(state, Some(viewer)), game.describe(&sample, Some(viewer)));
                    assert_eq!(game.draw_text(state, Some(viewer)), game.draw_text(&sample, Some(viewer)));
                    assert_eq!(game.acting(state).contains(viewer), game.acting(&sample).contains(viewer));
                    if game.acting(state).contains(viewer) {
                        assert_eq!(game.legal(state, viewer), game.legal(&sample, viewer));
                    }
                    compared += usize::from(sample != *state);
                }
            });
        }
    }
    assert!(compared > 3000, "{compared}");
}

#[test]
fn samples_of_samples_and_their_json_come_back() {
    visit(&json!({}), 12, 50, |game, state| {
        let mut rng = Rng::from_seed(5);
        let sample = game.sample_hidden(state, Player(1), &mut rng);
        let again = game
            .restore(&game.describe(&sample, None), &mut rng)
            .unwrap_or_else(|problems| panic!("{problems:?}"));
        assert_eq!(again, sample);
    });
}

#[test]
fn a_forced_replacement_is_no_event_of_others() {
    let mut env = Position::of(3, 2).row(0, "honeybug").hand(0, "sun_melon packed_lunch").load();
    act(&mut env, 0, SHIP);
    others_play(&mut env);
    let reported = crate::fixture::event_names(&env, Some(1));
    assert!(!reported.contains(&"replacement_chosen".to_string()), "{reported:?}");
    assert!(crate::fixture::event_names(&env, Some(0)).contains(&"replacement_chosen".to_string()));
    assert_eq!((card(&env, "sun_melon"), hand(&env, 1).len()), (3, 5));
}
