//! How Gravitix's table looks, and that a picture shows a viewer nothing that is hidden.

use playmat_core::env::{Configured, Env};
use playmat_core::game::Game;
use playmat_core::prelude::{Rng, Seat, Show, Status};
use playmat_gravitix::Gravitix;
use serde_json::{Value, json};
use std::sync::Arc;

fn configured(options: &Value) -> Arc<Configured<Gravitix>> {
    let Value::Object(options) = options else { panic!("options are an object") };
    Arc::new(Configured::new(options).expect("good options"))
}

/// Plays greedily and shows every position.
fn play(options: &Value, seed: u64, mut show: impl FnMut(&Env<Gravitix>)) -> Env<Gravitix> {
    let mut env = Env::new(configured(options), seed);
    while let Some(seat) = env.current_player() {
        show(&env);
        let action = env.greedy_action(seat).expect("the current player acts");
        env.step(action.0.into()).expect("bots play legal actions");
    }
    show(&env);
    env
}

/// The first position in this phase after so many decisions.
fn position(options: &Value, seed: u64, phase: &str, after: u32) -> Env<Gravitix> {
    let mut found = None;
    play(options, seed, |env| {
        let json = env.table().game.describe(env.state(), None);
        if found.is_none() && env.decisions() >= after && json["phase"] == phase {
            found = Some(env.clone());
        }
    });
    found.expect("the phase comes")
}

fn text(env: &Env<Gravitix>, viewer: Option<u8>) -> String {
    env.table().game.draw_text(env.state(), viewer.map(Seat))
}

fn svg(env: &Env<Gravitix>, viewer: Option<u8>) -> String {
    env.table().game.draw_svg(env.state(), viewer.map(Seat))
}

#[test]
fn text_of_a_move_seen_by_one() {
    insta::assert_snapshot!("gravitix_text_move", text(&position(&json!({}), 3, "move", 20), Some(0)));
}

#[test]
fn text_of_the_end_of_a_wide_map() {
    let env = play(&json!({"formation": "4x3", "island_set": "3"}), 5, |_| {});
    assert_eq!(env.status(), Status::Terminated);
    insta::assert_snapshot!("gravitix_text_end", text(&env, None));
}

#[test]
fn gx_r23_picture_of_a_move_seen_by_one() {
    let env = position(&json!({"island_set": "1+2"}), 3, "move", 30);
    let picture = svg(&env, Some(0));
    // The first player's ship is blue, boats and dots are there.
    assert!(picture.contains("#2468d2") && picture.contains("<circle"));
    insta::assert_snapshot!("gravitix_svg_move", picture);
}

#[test]
fn picture_of_a_payment_in_the_puzzle() {
    let env = position(&json!({"players": 1, "island_set": "1", "formation": "3x4"}), 2, "pay", 40);
    insta::assert_snapshot!("gravitix_svg_puzzle", svg(&env, Some(0)));
}

#[test]
fn gx_r23_sets_are_shown_as_white_dots() {
    // Each tile has as many dots as its set says: none, 12, 24, 36 of radius 3.2.
    for (set, dots) in [("0", 0), ("1", 12), ("2", 24), ("3", 36)] {
        let env = Env::new(configured(&json!({"island_set": set})), 1);
        assert_eq!(svg(&env, None).matches(r#"r="3.2""#).count(), dots);
    }
}

/// The value of an attribute in a line of the picture.
fn attribute(line: &str, name: &str) -> Option<f64> {
    let (_, rest) = line.split_once(&format!(" {name}=\""))?;
    rest.split_once('"')?.0.parse().ok()
}

#[test]
fn islands_hide_neither_slots_nor_dots() {
    for (seed, formation) in ["2x6", "4x3", "3x4"].iter().cycle().take(30).enumerate() {
        let env = Env::new(configured(&json!({"island_set": "3", "formation": formation})), seed as u64);
        let picture = svg(&env, None);
        let of = |sign: &str, names: [&str; 4]| -> Vec<[f64; 4]> {
            let lines = picture.lines().filter(|line| line.contains(sign));
            lines.map(|line| names.map(|name| attribute(line, name).unwrap_or(0.0))).collect()
        };
        let islands = of(r#"width="60" height="38""#, ["x", "y", "width", "height"]);
        let slots =
            of(r##"font-size="10.5" text-anchor="start" fill="#5f8ca3""##, ["x", "y", "none", "none"]);
        let dots = of(r#"r="3.2""#, ["cx", "cy", "none", "none"]);
        assert_eq!((islands.len(), slots.len(), dots.len()), (12, 12, 36));
        let hides = |[left, top, right, bottom]: [f64; 4]| {
            islands.iter().any(|[x, y, width, height]| {
                left < x + width && *x < right && top < y + height && *y < bottom
            })
        };
        // Two digits of a slot.
        assert!(!slots.iter().any(|[x, y, ..]| hides([*x, y - 8.0, x + 13.0, *y])), "{formation}, {seed}");
        // Dots are drawn over an island's edge, 4 wide, and over nothing else of it.
        let edge = |[x, y, ..]: &[f64; 4]| hides([x + 4.0 - 3.2, y - 3.2, x + 3.2, y + 3.2]);
        assert!(!dots.iter().any(edge), "{formation}, {seed}");
        let last = |sign: &str| picture.rfind(sign).expect("drawn");
        assert!(picture.find(r#"r="3.2""#) > Some(last(r#"width="60" height="38""#)));
    }
}

#[test]
fn cells_can_be_named_from_the_text() {
    // The k under a cell of the lowest strip is the one that its action names.
    for formation in ["2x6", "4x3", "3x4"] {
        let env = position(&json!({"formation": formation}), 7, "move", 0);
        let words = text(&env, None);
        let lines: Vec<&str> = words.lines().collect();
        let ruler = lines.iter().position(|line| line.starts_with("  k ")).expect("a line of numbers");
        for (i, line) in lines[..ruler].iter().enumerate().filter(|(_, line)| line.contains('@')) {
            let strip = ruler - 1 - i;
            let column = line.chars().position(|c| c == '@').expect("the ship");
            // Four signs for a triangle after its edge; the ship is the last of them.
            let k: usize =
                lines[ruler][column - 3..lines[ruler].len().min(column + 1)].trim().parse().expect("a k");
            let ship = env.state().ships[0];
            let (s, at) = env.table().game.map().cells[ship.index()];
            assert_eq!((strip, k), (s.into(), at.into()), "{words}");
        }
    }
}

#[test]
fn gx_r23_every_island_shows_points_cards_and_demand() {
    let env = Env::new(configured(&json!({"island_set": "3"})), 1);
    let (picture, words) = (svg(&env, None), text(&env, None));
    for face in env.table().game.faces() {
        assert!(words.contains(&face.name), "{}", face.name);
        assert!(picture.contains(&format!(">{}<", face.name)));
    }
    // Twelve points in bold of size 14 and twelve little cards with their numbers.
    assert_eq!(picture.matches(r#"font-size="14" text-anchor="start""#).count(), 12);
    assert_eq!(picture.matches(r#"width="12" height="14""#).count(), 12);
}

#[test]
fn reachable_cells_are_marked() {
    for formation in ["2x6", "4x3", "3x4"] {
        let env = position(&json!({"formation": formation}), 7, "move", 0);
        let seat = env.current_player().expect("somebody acts");
        let cells = env.legal(seat).0.iter().map(|word| word.count_ones()).sum::<u32>() as usize;
        assert_eq!(svg(&env, None).matches(r##"fill="#ffe48a""##).count(), cells);
        // The ship's own cell shows the ship instead of the sign.
        let words = text(&env, None);
        let (sea, _) = words.split_once("\n  k ").expect("the numbers of the triangles stand below the sea");
        assert_eq!(sea.matches('+').count(), cells - 1, "{words}");
    }
}

#[test]
fn nothing_hidden_is_drawn() {
    for (seed, set) in ["0", "1+2", "3"].iter().enumerate() {
        play(&json!({"island_set": set}), seed as u64, |env| {
            if env.decisions() % 5 != 0 {
                return;
            }
            let game = &env.table().game;
            for viewer in [Seat(0), Seat(1)] {
                let world = game.sample_hidden(env.state(), viewer, &mut Rng::from_seed(9));
                assert_eq!(game.draw_svg(&world, Some(viewer)), game.draw_svg(env.state(), Some(viewer)));
                assert_eq!(game.draw_text(&world, Some(viewer)), game.draw_text(env.state(), Some(viewer)));
            }
        });
    }
}

#[test]
fn lines_fit_a_terminal() {
    for options in variants() {
        play(&options, 2, |env| {
            if env.decisions() % 9 != 0 {
                return;
            }
            for viewer in [None, Some(0)] {
                for line in text(env, viewer).lines() {
                    assert!(line.chars().count() <= 100, "{line}");
                    assert_eq!(line.trim_end(), line);
                }
            }
        });
    }
}

#[test]
fn pictures_can_share_a_page() {
    for options in variants() {
        let mut largest = 0;
        play(&options, 9, |env| {
            if env.decisions() % 9 != 0 {
                return;
            }
            for viewer in [None, Some(0)] {
                let picture = svg(env, viewer);
                let refers = [" id=", "url(", "href"].iter().any(|name| picture.contains(name));
                assert!(!refers, "ids of two documents could collide");
                assert_eq!(picture.matches("<g").count(), picture.matches("</g>").count());
                largest = largest.max(picture.len());
            }
        });
        assert!(largest < 120_000, "{options}: {largest} bytes");
    }
}

fn variants() -> [Value; 5] {
    [
        json!({}),
        json!({"island_set": "1+2", "formation": "4x3"}),
        json!({"island_set": "3", "formation": "3x4", "hard": true}),
        json!({"players": 1, "island_set": "2"}),
        json!({"ships": "share", "island_set": "2"}),
    ]
}

#[test]
fn names_from_content_cannot_break_the_picture() {
    let text = include_str!("../content/gravitix.toml")
        .replace("\"Pelican Rock\"", "\"<a> & ]]> 'more'\"")
        .replace("id = \"RRR\"", "id = \"<& x>\"");
    let env = Env::new(configured(&json!({"content": text})), 1);
    let picture = svg(&env, None);
    assert!(!picture.contains("<a>") && picture.contains("&lt;a&gt; &amp; ]]&gt;"), "{picture}");
    for action in 0..env.info().num_actions as i64 {
        let words = env.action_text(None, action).expect("in range");
        assert_eq!(env.parse_action(None, &words.to_uppercase()).expect("parses").0, action as u16);
    }
}
