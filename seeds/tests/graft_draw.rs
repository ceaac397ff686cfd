//! How Graft's table looks, and that a picture shows a viewer nothing that is hidden.

use playmat_core::any::AnyEnv;
use playmat_core::env::{Configured, Env};
use playmat_core::prelude::Seat;
use playmat_graft::Graft;
use playmat_graft::state::Phase;
use serde_json::{Value, json};
use std::sync::Arc;

fn configured(options: &Value) -> Arc<Configured<Graft>> {
    Arc::new(Configured::new(options.as_object().expect("options are an object")).expect("good options"))
}

/// A game with the greedy bot and some random choices, up to the first position that `stop` likes.
fn reach(options: &Value, seed: u64, stop: impl Fn(&Env<Graft>) -> bool) -> Env<Graft> {
    let mut env = Env::new(configured(options), seed);
    while !stop(&env) {
        let Some(seat) = env.current_player() else { panic!("no such position in this game") };
        let action =
            if env.decisions().is_multiple_of(4) { env.sample_action(seat) } else { env.greedy_action(seat) };
        env.step(action.expect("the seat is asked").0.into()).expect("bots play legally");
    }
    env
}

/// Three players in the middle of a game; seat 1 has a row and has chosen its card, seat 2 is asked.
fn middle() -> Env<Graft> {
    reach(&json!({}), 3, |env| {
        env.state().turn >= 7 && env.current_player() == Some(Seat(2)) && env.state().rows[1].len > 2
    })
}

fn end() -> Env<Graft> {
    reach(&json!({"players": 5}), 2, |env| env.state().phase == Phase::End)
}

#[test]
fn text_of_a_running_turn() {
    insta::assert_snapshot!("graft_text_seat_1", middle().draw_text(Some(Seat(1))).expect("a seat"));
}

#[test]
fn text_of_the_end() {
    insta::assert_snapshot!("graft_text_end", end().draw_text(None).expect("all is open"));
}

#[test]
fn picture_of_a_running_turn() {
    insta::assert_snapshot!("graft_svg_seat_1", middle().draw_svg(Some(Seat(1))).expect("a seat"));
}

#[test]
fn picture_of_the_end() {
    insta::assert_snapshot!("graft_svg_end", end().draw_svg(None).expect("all is open"));
}

/// Every position of a game, mostly with the greedy bot.
fn play(options: &Value, seed: u64, mut look: impl FnMut(&Env<Graft>)) {
    let mut env = Env::new(configured(options), seed);
    look(&env);
    while let Some(seat) = env.current_player() {
        let action =
            if env.decisions().is_multiple_of(3) { env.sample_action(seat) } else { env.greedy_action(seat) };
        env.step(action.expect("the seat is asked").0.into()).expect("bots play legally");
        look(&env);
    }
}

#[test]
fn a_viewer_sees_nothing_hidden() {
    let (mut compared, mut told) = (0, 0);
    for (players, seed) in [(2, 1), (3, 2), (5, 3)] {
        play(&json!({"players": players}), seed, |env| {
            for seat in Seat::all(players) {
                let other = env.sample_hidden(seat, 7 + u64::from(env.decisions())).expect("a seat");
                if other.state() == env.state() {
                    continue;
                }
                compared += 1;
                assert_eq!(env.draw_text(Some(seat)), other.draw_text(Some(seat)));
                assert_eq!(env.draw_svg(Some(seat)), other.draw_svg(Some(seat)));
                // All open, the two do look different: there was something to hide.
                told += usize::from(env.draw_svg(None) != other.draw_svg(None));
            }
        });
    }
    assert!(compared > 300 && told > compared / 2, "{compared} {told}");
}

/// A content of long names and signs that mean something in XML.
fn strange() -> String {
    let text = include_str!("../content/graft.toml");
    text.replace("name = \"Moonberry\"", "name = \"<a name & more! of 24 x>\"")
        .replace("name = \"Full Manifest\"", "name = \"]]> & \\\"the longest\\\" one\"")
        .replace("id = \"fruit\"", "id = \"obst\"")
        .replace("\"fruit\"", "\"obst\"")
}

#[test]
fn text_is_at_most_a_hundred_columns_wide() {
    for players in 2..=5 {
        play(&json!({"players": players, "content": strange()}), 5, |env| {
            for viewer in [None, Some(Seat(0)), Some(Seat(players as u8 - 1))] {
                for line in env.draw_text(viewer).expect("a seat").lines() {
                    assert!(line.chars().count() <= 100, "{line}");
                    assert_eq!(line.trim_end(), line);
                }
            }
        });
    }
}

#[test]
fn names_from_content_cannot_break_the_picture() {
    let mut shown = 0;
    play(&json!({"content": strange()}), 1, |env| {
        let svg = env.draw_svg(None).expect("all is open");
        assert!(!svg.contains("<a name") && !svg.contains("& more"), "{svg}");
        shown += usize::from(svg.contains("&lt;a name"));
    });
    assert!(shown > 0);
}

#[test]
fn pictures_can_share_a_page() {
    for players in 2..=5 {
        play(&json!({"players": players}), 9, |env| {
            for viewer in [None, Some(Seat(0))] {
                let svg = env.draw_svg(viewer).expect("a seat");
                assert!(![" id=", "url(", "href"].iter().any(|name| svg.contains(name)), "ids could collide");
                assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
                assert!(svg.len() < 60_000 * players, "{} bytes", svg.len());
            }
        });
    }
}
