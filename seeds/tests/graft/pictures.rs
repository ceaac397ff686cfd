//! How a position of Graft looks, and that a picture shows a viewer nothing that is hidden.

use crate::drawn;
use crate::fixture::{
    Position, SHIP, TAKE_BAR, act, acting, configured, others_play, play, two_badges_met, visit_episode,
};
use crate::outline::snapshots;
use playmat_core::agent::Greedy;
use playmat_core::any::AnyEnv;
use playmat_core::env::Env;
use playmat_core::game::Status;
use playmat_core::prelude::Player;
use playmat_graft::Graft;
use playmat_graft::state::{Kind, Phase};
use serde_json::{Value, json};

/// A game with the greedy agent and some random choices, up to the first position that `stop` likes.
fn reach(options: &Value, seed: u64, stop: impl Fn(&Env<Graft>) -> bool) -> Env<Graft> {
    let mut env = Env::new(configured(options), seed);
    while !stop(&env) {
        let Some(player) = env.current_player() else { panic!("no such position in this game") };
        let action = if env.decisions().is_multiple_of(4) {
            env.sample_action(player)
        } else {
            env.act(&Greedy, player)
        };
        env.step(action.expect("the player must decide").0.into()).expect("the action is legal");
    }
    env
}

/// Three players in the middle of a game; player 1 has a row and has chosen its card, player 2 must decide.
fn middle() -> Env<Graft> {
    reach(&json!({}), 3, |env| {
        env.state().turn >= 7 && env.current_player() == Some(Player(2)) && env.state().rows[1].len > 2
    })
}

fn end() -> Env<Graft> {
    reach(&json!({"players": 5}), 2, |env| env.state().phase == Phase::End)
}

snapshots! {
    text_of_a_running_turn: "graft_text_player_1" = text(middle(), Some(1));
    text_of_the_end: "graft_text_end" = text(end(), None);
    picture_of_a_running_turn: "graft_svg_player_1" = picture(middle(), Some(1));
    picture_of_the_end: "graft_svg_end" = picture(end(), None);
}

/// A content of long names and signs that mean something in XML.
fn strange() -> String {
    let text = include_str!("../../content/graft.toml");
    text.replace("name = \"Moonberry\"", "name = \"<a name & more! of 24 x>\"")
        .replace("name = \"Full Manifest\"", "name = \"]]> & \\\"the longest\\\" one\"")
        .replace("id = \"fruit\"", "id = \"obst\"")
        .replace("\"fruit\"", "\"obst\"")
}

/// A content in which every name is as long as it may be.
fn long_names() -> String {
    let mut number = 0;
    let rename = |line: &str| {
        let is_name = line.starts_with("name = ") && line != "name = \"graft\"";
        number += u32::from(is_name);
        if is_name { format!("name = \"A name of {number:03} long words\"") } else { line.into() }
    };
    include_str!("../../content/graft.toml").lines().map(rename).collect::<Vec<_>>().join("\n")
}

#[test]
fn names_from_content_cannot_break_the_picture() {
    let mut shown = 0;
    visit_episode(&json!({"content": strange()}), 1, 2, |env| {
        let svg = env.draw_svg(None).expect("all is open");
        assert!(!svg.contains("<a name") && !svg.contains("& more"), "{svg}");
        shown += usize::from(svg.contains("&lt;a name"));
    });
    assert!(shown > 0);
}

/// Positions that hold as much as possible: long rows, many short completed rows, badges met and claimed.
fn crowded() -> Vec<Env<Graft>> {
    let load = |options: &Value, state: &Value| {
        let document = json!({"state": state}).to_string();
        playmat_core::save::from_json(&configured(options), &document, 5)
            .unwrap_or_else(|error| panic!("{error}"))
    };
    let cards = |game: &Graft, used: &[&str]| -> Vec<String> {
        let kinds = (0..game.kinds() as u8).map(Kind);
        let all = kinds.flat_map(|kind| {
            let (id, copies) = (game.text(kind).id.clone(), game.deck().0[kind.index()]);
            let used = used.iter().filter(|other| **other == id).count();
            std::iter::repeat_n(id, usize::from(copies) - used)
        });
        all.collect()
    };
    let mut found = Vec::new();
    for players in [2, 3] {
        let options = json!({"players": players});
        let game = configured(&options).game.clone();
        // A row that meets all five badges, as long as it can be.
        let row = "glass_pear sleepgrass twin_gyro comet_grape cloud_cabbage packed_lunch moonberry z_coin honeybug \
                   moonberry honeyfig honeybug sun_melon crown_pomelo creeping_vine pack_mule";
        let row: Vec<&str> = row.split_whitespace().collect();
        let mut rest = cards(&game, &row).into_iter();
        let mut entries = vec![json!({"hand": [], "row": row, "compost": {}, "completed": []})];
        for _ in 1..players {
            let completed: Vec<Vec<String>> = rest.by_ref().take(row.len()).map(|id| vec![id]).collect();
            entries.push(json!({"hand": [], "row": [], "compost": {}, "completed": completed}));
        }
        let hand = if players == 2 { 5 } else { 2 };
        for player in &mut entries {
            player["hand"] = rest.by_ref().take(hand).collect();
        }
        let mut pile = serde_json::Map::new();
        for id in rest {
            let count = pile.get(&id).and_then(Value::as_i64).unwrap_or(0) + 1;
            pile.insert(id, count.into());
        }
        let badges = ["full_manifest", "grand_tour", "orchard_floor", "mixed_crate", "hard_currency"];
        let mut badges: Vec<&str> = badges.to_vec();
        badges.sort_by_key(|id| (0u8..).find(|&badge| game.badge_text(badge).id == **id));
        let state = json!({"turn": row.len(), "badges": badges, "pile": pile, "players": entries});
        found.push(load(&options, &state));
    }
    found
}

#[test]
fn drawings_keep_their_form_whatever_the_names() {
    let mut texts: usize = crowded().iter().map(drawn::check).sum();
    let contents = [None, Some(strange()), Some(long_names())];
    for (players, content) in
        (2..=5).flat_map(|players| contents.iter().map(move |content| (players, content)))
    {
        let options = match content {
            Some(text) => json!({"players": players, "content": text}),
            None => json!({"players": players}),
        };
        visit_episode(&options, 5, 2, |env| {
            if env.decisions() % 31 == 0 || env.status() != Status::Running {
                texts += drawn::check(env);
            }
        });
    }
    assert!(texts > 5000, "{texts}");
}

#[test]
fn every_met_badge_and_every_shipped_row_is_drawn() {
    for env in crowded() {
        let svg = env.draw_svg(Some(Player(0))).expect("a player");
        let state = env.state();
        assert_eq!(state.rows[0].met, 0b11111, "the row meets all badges");
        for &badge in &state.slots {
            let name = format!(">{}<", env.configured().game.badge_text(badge).name);
            assert_eq!(svg.matches(&name).count(), 2, "{name}: the badge and the row that meets it");
        }
        // Each completed row has a band of its own, no two at one place.
        let bands: Vec<&str> =
            svg.lines().filter(|line| line.contains(r##"height="12" fill="#3d4369" rx="6""##)).collect();
        let rows: usize =
            (0..env.configured().game.players()).map(|player| state.ends[player].count_ones() as usize).sum();
        assert!(rows >= 16, "{rows}");
        let places: std::collections::BTreeSet<&&str> = bands.iter().collect();
        assert_eq!((bands.len(), places.len()), (rows, rows));
    }
}

#[test]
fn a_finished_game_promises_no_more_turns() {
    let env = end();
    for drawn in [env.draw_text(None), env.draw_svg(None)] {
        let drawn = drawn.expect("all is open");
        assert!(!drawn.contains("at most") && !drawn.contains("new row"), "{drawn}");
    }
}

/// What a frame in the picture of a player says that it may choose, in the order of the picture.
fn marked(env: &Env<Graft>, viewer: u8) -> Vec<String> {
    let svg = env.draw_svg(Some(Player(viewer))).unwrap();
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
    assert!(!env.draw_svg(Some(Player(0))).unwrap().contains("Your compost"));
    play(&mut env, 0, "replant");
    others_play(&mut env);
    assert_eq!(acting(&env), [0]);
    // One frame: the Quartz Vein of the hand cannot be picked, and Pig Iron forbids the Moonberries.
    assert_eq!(marked(&env, 0), ["Quartz Vein"]);
    let (own, other) = (env.draw_svg(Some(Player(0))).unwrap(), env.draw_svg(Some(Player(1))).unwrap());
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
    let text = env.draw_text(Some(Player(0))).unwrap();
    assert!(text.contains("\nClaim a badge: Bug Report, Buried Treasure\n"), "{text}");
    assert_eq!(marked(&env, 1), [""; 0]);
    assert!(env.draw_text(Some(Player(1))).unwrap().contains("\nWaiting for the others\n"));
}
