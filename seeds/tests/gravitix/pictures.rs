//! How a position of Gravitix looks, and that a picture shows a viewer nothing that is hidden.

use crate::drawn;
use crate::fixture::{configured, visit_episode};
use crate::outline::{outline, snapshots, text};
use playmat_core::env::Env;
use playmat_core::prelude::{Player, Show, Status};
use playmat_gravitix::Gravitix;
use serde_json::{Value, json};

/// The first position in this phase after so many decisions.
fn position(options: &Value, seed: u64, phase: &str, after: u32) -> Env<Gravitix> {
    let mut found = None;
    visit_episode(options, seed, 3, |env| {
        let json = env.configured().game.describe(env.state(), None);
        if found.is_none() && env.decisions() >= after && json["phase"] == phase {
            found = Some(env.clone());
        }
    });
    found.expect("the phase comes")
}

/// The end of an episode on a wide map.
fn end() -> Env<Gravitix> {
    let env = visit_episode(&json!({"formation": "4x3", "island_set": "3"}), 5, 3, |_| {});
    assert_eq!(env.status(), Status::Terminated);
    env
}

fn payment() -> Env<Gravitix> {
    position(&json!({"players": 1, "island_set": "1", "formation": "3x4"}), 2, "pay", 40)
}

fn svg(env: &Env<Gravitix>, viewer: Option<u8>) -> String {
    env.configured().game.draw_svg(env.state(), viewer.map(Player))
}

snapshots! {
    text_of_a_move_seen_by_one: "gravitix_text_move" = text(position(&json!({}), 3, "move", 20), Some(0));
    text_of_the_end_of_a_wide_map: "gravitix_text_end" = text(end(), None);
    picture_of_a_payment_in_the_puzzle: "gravitix_svg_puzzle" = picture(payment(), Some(0));
}

#[test]
fn gx_r23_picture_of_a_move_seen_by_one() {
    let env = position(&json!({"island_set": "1+2"}), 3, "move", 30);
    let picture = svg(&env, Some(0));
    // The first player's ship is blue, boats and dots are there.
    assert!(picture.contains("#2468d2") && picture.contains("<circle"));
    insta::assert_snapshot!("gravitix_svg_move", outline(&picture));
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
        let islands = of(r#"width="62" height="44""#, ["x", "y", "width", "height"]);
        let slots =
            of(r##"font-size="10.5" text-anchor="start" fill="#3f6c84""##, ["x", "y", "none", "none"]);
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
        assert!(picture.find(r#"r="3.2""#) > Some(last(r#"width="62" height="44""#)));
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
            let (s, at) = env.configured().game.map().cells[ship.index()];
            assert_eq!((strip, k), (s.into(), at.into()), "{words}");
        }
    }
}

#[test]
fn gx_r23_every_island_shows_points_cards_and_demand() {
    let env = Env::new(configured(&json!({"island_set": "3"})), 1);
    let (picture, words) = (svg(&env, None), text(&env, None));
    for face in env.configured().game.faces() {
        assert!(words.contains(&face.name), "{}", face.name);
        assert!(picture.contains(&format!(">{}<", face.name)));
    }
    // Twelve points in bold of size 13.5 and twelve little cards with their numbers.
    assert_eq!(picture.matches(r##"font-size="13.5" text-anchor="start" fill="#1d2b34""##).count(), 12);
    assert_eq!(picture.matches(r#"width="12" height="14""#).count(), 12);
}

#[test]
fn reachable_cells_are_marked() {
    for formation in ["2x6", "4x3", "3x4"] {
        let env = position(&json!({"formation": formation}), 7, "move", 0);
        let player = env.current_player().expect("somebody acts");
        let cells = env.legal(player).0.iter().map(|word| word.count_ones()).sum::<u32>() as usize;
        assert_eq!(svg(&env, None).matches(r##"fill="#ffe48a""##).count(), cells);
        // The ship's own cell shows the ship instead of the sign.
        let words = text(&env, None);
        let (sea, _) = words.split_once("\n  k ").expect("the numbers of the triangles stand below the sea");
        assert_eq!(sea.matches('+').count(), cells - 1, "{words}");
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
    let text = include_str!("../../content/gravitix.toml")
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

/// Both ships on one cell: that of each island, and one at sea.
fn both_ships(set: &str, formation: &str, seed: u64) -> Vec<Env<Gravitix>> {
    let options = json!({"ships": "share", "island_set": set, "formation": formation});
    let env = Env::new(configured(&options), seed);
    let state = env.configured().game.describe(env.state(), None);
    let islands: Vec<Value> = (0..12).map(|slot| state["islands"][slot]["cell"].clone()).collect();
    let sea = [json!([3, 1])];
    let places = islands.iter().chain(&sea);
    places
        .map(|cell| {
            let mut moved = state.clone();
            moved["ships"] = json!([cell, cell]);
            let document = json!({"state": moved}).to_string();
            playmat_core::save::from_json(env.configured(), &document, 1)
                .unwrap_or_else(|error| panic!("{error}"))
        })
        .collect()
}

#[test]
fn two_ships_hide_neither_slot_nor_owner_in_the_text() {
    for env in both_ships("2", "2x6", 4) {
        let words = text(&env, None);
        let (sea, _) = words.split_once("\n  k ").expect("the numbers of the triangles stand below the sea");
        for slot in 0..12 {
            assert!(sea.contains(&format!("{slot:2}.")), "slot {slot}:\n{words}");
        }
        assert_eq!((sea.matches('#').count(), sea.matches(['@', '&']).count()), (1, 0), "{words}");
        assert!(words.contains("# is both ships"), "{words}");
    }
}

/// Boxes of boats and of what islands show, and whether they cover each other.
#[test]
fn ships_hide_nothing_of_an_island() {
    let positions = [("1", "2x6"), ("2", "4x3"), ("3", "4x3")].into_iter().zip(0..);
    for env in positions.flat_map(|((set, formation), seed)| both_ships(set, formation, seed)) {
        let picture = svg(&env, None);
        // The map comes before the heading.
        let (map, _) = picture.split_once(">Gravitix<").expect("a heading");
        let mut boats = Vec::new();
        for line in map.lines().filter(|line| line.contains("rotate") || line.contains(") scale(")) {
            let numbers: Vec<f64> =
                line.split(['(', ')', ' ']).filter_map(|word| word.parse().ok()).collect();
            let [x, y, scale] = numbers[..] else { panic!("{line}") };
            boats.push([x - 13.0 * scale, y - 15.0 * scale, x + 13.0 * scale, y + 10.0 * scale]);
        }
        assert_eq!(boats.len(), 2);
        let [a, b] = [boats[0], boats[1]];
        assert!(a[2] <= b[0] || b[2] <= a[0], "the ships cover each other");
        for line in map.lines().filter(|line| line.ends_with("</text>")) {
            let of = |name: &str| attribute(line, name).expect("a place");
            let (x, y, size) = (of("x"), of("y"), of("font-size"));
            let letters = line
                .split_once('>')
                .and_then(|rest| rest.1.split_once('<'))
                .expect("words")
                .0
                .chars()
                .count();
            // Half a unit of room less than boxes: neither sails nor digits fill theirs.
            let half = 0.3 * size * letters as f64 - 0.5;
            let left = match () {
                () if line.contains(r#""start""#) => x + 0.5,
                () if line.contains(r#""end""#) => x - 2.0 * half - 0.5,
                () => x - half,
            };
            for boat in &boats {
                let apart = boat[2] <= left
                    || left + 2.0 * half <= boat[0]
                    || boat[3] <= y - 0.75 * size
                    || y <= boat[1];
                assert!(apart, "a ship at {boat:?} covers {line}");
            }
        }
    }
}

#[test]
fn no_island_covers_another_with_its_ability() {
    for (seed, formation) in ["2x6", "4x3", "3x4"].iter().cycle().take(60).enumerate() {
        let env = Env::new(configured(&json!({"island_set": "1+2", "formation": formation})), seed as u64);
        let picture = svg(&env, None);
        let lines = picture.lines().filter(|line| line.contains(r#"width="62" height="44""#));
        let places: Vec<[f64; 2]> =
            lines.map(|line| ["x", "y"].map(|name| attribute(line, name).expect("a place"))).collect();
        assert_eq!(places.len(), 12);
        for (i, a) in places.iter().enumerate() {
            for b in &places[i + 1..] {
                assert!((a[0] - b[0]).abs() >= 62.0 || (a[1] - b[1]).abs() >= 44.0, "{formation}, {seed}");
            }
            // The label lies within the island.
            let label = |line: &&str| {
                let at = ["x", "y"].map(|name| attribute(line, name).unwrap_or(-1.0));
                at[0] >= a[0] && at[0] <= a[0] + 62.0 && at[1] >= a[1] && at[1] + 10.5 <= a[1] + 44.0
            };
            assert_eq!(
                picture.lines().filter(|line| line.contains(r#"height="10.5""#)).filter(label).count(),
                1
            );
        }
    }
}

#[test]
fn drawings_keep_their_form_whatever_the_names() {
    let mut texts: usize = both_ships("2", "4x3", 3).iter().map(drawn::check).sum();
    let mut options = variants().to_vec();
    options.push(json!({"content": long(), "island_set": "1", "players": 1}));
    options.push(json!({"content": long(), "island_set": "1+2", "formation": "4x3"}));
    options.push(json!({"content": long(), "island_set": "3", "ships": "share"}));
    for options in options {
        visit_episode(&options, 2, 3, |env| {
            if env.decisions() % 19 == 0 || env.status() != Status::Running {
                texts += drawn::check(env);
            }
        });
    }
    assert!(texts > 5000, "{texts}");
}

/// The longest names there can be.
fn long() -> String {
    let text = include_str!("../../content/gravitix.toml");
    let names =
        ["Pelican Rock", "Barter Bay", "Balance Rock", "Coral Gate", "Jade Pool"].map(|name| (name, 24));
    [("coral", 16), ("jade", 16)].into_iter().chain(names).fold(text.to_string(), |text, (name, length)| {
        text.replace(&format!("\"{name}\""), &format!("\"{name:-<length$}\""))
    })
}
