//! How a position looks, and that it shows a viewer nothing that is hidden.

use crate::fixture::{Position, configured, every_position, play};
use playmat_core::env::Env;
use playmat_core::prelude::*;
use playmat_graven::Graven;
use serde_json::json;

/// Two players in the middle of a game; player 1 may answer the loss of a Herald.
fn window() -> Env<Graven> {
    let mut env = Position::of(2)
        .stage("effect")
        .set("turn", 8)
        .set("activations", json!({"JES": 1}))
        .hand(0, "DEF WAT SCO REI")
        .front(0, "HER*2 MER VIR")
        .foreign(0, "front", "JES", 1)
        .back(0, "ARC*2 BLA HES")
        .discard(0, "PLA CON*2 OMB GRA")
        .deck(0, 9)
        .hand(1, "PHY*2 DRI")
        .player(1, "known_hand", json!({"DRI": 1}))
        .front(1, "HER*3 ARC NUR")
        .back(1, "PLA*2 SAP")
        .discard(1, "VIR GAR MAR*2 SPY")
        .player(1, "modifier", -3)
        .load();
    play(&mut env, &["activate ARC", "target HER on front of player 1"]);
    env
}

/// Three players at the end.
fn end() -> Env<Graven> {
    let mut env = Position::of(3)
        .stage("effect")
        .back(0, "NUR PLA*2")
        .front(0, "ARC HER*2")
        .hand(0, "PHY")
        .deck(1, 5)
        .deck(2, 4)
        .front(2, "SHI*2")
        .discard(2, "VIR HES")
        .load();
    play(&mut env, &["activate NUR"]);
    env
}

crate::outline::snapshots! {
    text_of_a_window: "text_window_player_1" = text(window(), Some(1));
    text_of_the_end: "text_end" = text(end(), None);
    picture_of_a_window: "svg_window_player_0" = picture(window(), Some(0));
    picture_of_the_end: "svg_end" = picture(end(), None);
}

#[test]
fn used_up_limits_are_listed_once() {
    let env = Position::of(2)
        .stage("effect")
        .hand(0, "PHY")
        .back(0, "PLA*2 GAR")
        .foreign(0, "back", "PLA", 1)
        .player(0, "used", json!(["GAR"]))
        .set("activations", json!({"PLA": 1}))
        .set("spent", json!({"PLA": 1}))
        .load();
    let text = env.configured().game.draw_text(env.state(), None);
    assert!(text.contains("2 Plague Doctor (1 used), Plague Doctor of player 1\n"), "{text}");
    assert!(text.contains("  used up  Gardener\n"), "{text}");
    let svg = env.configured().game.draw_svg(env.state(), None);
    assert!(svg.contains("used up: GAR") && svg.matches("1 used").count() == 1, "{svg}");
}

#[test]
fn picks_are_shown_to_who_makes_them() {
    let mut env = Env::new(configured(&json!({"decks": "build"})), 1);
    for (player, action) in [(0, 146), (1, 147), (0, 146), (1, 148)] {
        env.step_player(Player(player), action).unwrap();
    }
    let text = |viewer| env.configured().game.draw_text(env.state(), Some(Player(viewer)));
    assert!(
        text(0).contains("2 of 30 cards picked: 2 Acolyte\n") && !text(0).contains("Archer"),
        "{}",
        text(0)
    );
    assert!(text(1).contains("2 of 30 cards picked: Archer, Blacksmith\n"), "{}", text(1));
    let svg = |viewer| env.configured().game.draw_svg(env.state(), Some(Player(viewer)));
    assert!(svg(0).contains("ACO x2") && !svg(0).contains("ARC") && !svg(0).contains("Your hand"));
}

#[test]
fn cards_say_all_that_they_do() {
    // Words that were left out once: from where, if, with what, to where, on either line.
    let strange = "when = \"activate\"\n  if = { stat = \"gap\", min = 2 }\n  do = [ { verb = \"search\", has = \"window\" } ]";
    let old = "when = \"activate\"\n  do = [ { verb = \"move\", side = \"own\" } ]";
    let content = crate::fixture::standard().replace(old, strange);
    for (card, words) in [
        ("DRI", "search Human with window if|2+ behind in the Survey"),
        ("MAR", "destroyed or sacrificed|all: mill 2"),
        ("CON", "milled or discarded|resurrect it to the back (1 a|turn)"),
        ("DEF", "take enemy front Human to|your back (1 a turn)"),
        ("HES", "front passives are active (on|either line)"),
        ("HES", "search up to 1 Human with|passive"),
        ("PHY", "hand, own Human destroyed|resurrect it"),
    ] {
        let env = Position::of(2).option("content", content.clone()).hand(0, card).load();
        let svg = env.configured().game.draw_svg(env.state(), Some(Player(0)));
        for part in words.split('|') {
            assert!(svg.contains(&format!(">{part}<")), "{card}: {part}\n{svg}");
        }
    }
}

/// A number of an SVG tag.
fn number(tag: &str, name: &str) -> f64 {
    let at =
        tag.find(&format!(" {name}=\"")).unwrap_or_else(|| panic!("no {name} in {tag}")) + name.len() + 3;
    tag[at..].split('"').next().unwrap().parse().unwrap()
}

#[test]
fn what_is_left_to_play_stands_between_score_and_deck() {
    for players in 2..=4 {
        let env = Env::new(configured(&json!({ "players": players })), 1);
        let svg = env.configured().game.draw_svg(env.state(), Some(Player(0)));
        let tags: Vec<&str> = svg.lines().collect();
        let at = tags.iter().position(|tag| tag.contains(" left</text>")).expect("it is somebody's turn");
        let (baseline, size) = (number(tags[at], "y"), number(tags[at], "font-size"));
        let circle = tags[..at].iter().rfind(|tag| tag.starts_with("<circle")).unwrap();
        let deck = tags[at..].iter().find(|tag| tag.starts_with("<rect")).unwrap();
        assert!(baseline - size > number(circle, "cy") + number(circle, "r") + 2.0, "{circle} {}", tags[at]);
        assert!(baseline + 0.3 * size < number(deck, "y") - 2.0, "{} {deck}", tags[at]);
    }
}

/// The content with the longest names that the loader accepts, and with the longest ids.
fn long() -> String {
    let mut content = crate::fixture::standard().to_string();
    for card in configured(&json!({})).game.cards() {
        let name = format!("{} of the innermost northern marches ......", card.name);
        let name: String = name.chars().take(40).collect();
        let id = format!("{:_<20}", card.id);
        content = content
            .replace(&format!("name = \"{}\"", card.name), &format!("name = \"{}\"", name.trim()))
            .replace(&format!("id = \"{}\"", card.id), &format!("id = \"{id}\""))
            .replace(&format!(" {} = ", card.id), &format!(" {id} = "));
    }
    content
}

/// A player with many kinds of cards on each line and in the hand.
fn crowded() -> Env<Graven> {
    Position::of(2)
        .stage("effect")
        .front(0, "ACO*2 ARC BLA CON DEF DRI GAR GRA HAR HER")
        .foreign(0, "front", "MER", 1)
        .back(0, "MER NUR PHY PLA PRI REC REI SAP")
        .foreign(0, "back", "ARC", 1)
        .hand(0, "SCO SHI*2 SPY WAR WAT OMB YSM JES")
        .cards(0, "MAR")
        .deck(1, 5)
        .load()
}

#[test]
fn drawings_keep_their_form_whatever_the_names() {
    let mut texts = 0;
    let mut check = |env: &Env<Graven>| {
        texts += crate::drawn::check(env);
        for viewer in [None, Some(Player(0))] {
            let svg = env.configured().game.draw_svg(env.state(), viewer);
            crate::drawn::boxes::texts_are_apart(&crate::names::named(&svg));
        }
    };
    for env in [window(), end(), crowded()] {
        check(&env);
    }
    for options in [
        json!({"players": 2}),
        json!({"players": 4, "decks": "random"}),
        json!({"players": 3, "decks": "build"}),
        json!({"players": 2, "content": long()}),
        json!({"players": 4, "content": long(), "decks": "random"}),
    ] {
        every_position(&options, 0..3, |env| {
            if env.decisions() % 31 == 0 || env.status() != Status::Running {
                check(env);
            }
        });
    }
    assert!(texts > 5000, "{texts}");
}

#[test]
fn who_is_out_takes_a_low_panel() {
    let (mut least, mut most) = (f64::MAX, 0.0_f64);
    every_position(&json!({"players": 4}), 0..2, |env| {
        let svg = env.configured().game.draw_svg(env.state(), None);
        let height = number(svg.lines().next().unwrap(), "height");
        let out = svg.matches(">out of the game<").count();
        if out == 0 {
            most = most.max(height);
        } else {
            // A panel is 278 high, that of a player who is out 70.
            assert_eq!(height, 52.0 + 4.0 * 14.0 + 278.0 * (4 - out) as f64 + 70.0 * out as f64);
            least = least.min(height);
        }
    });
    assert!(least < most, "{least} {most}");
}

#[test]
fn what_is_left_to_play_and_to_draw_is_shown() {
    let env = Position::of(2).hand(0, "ARC NUR").front(0, "HER*2").set("humans_played", 1).load();
    let game = &env.configured().game;
    let text = |viewer: u8| game.draw_text(env.state(), Some(Player(viewer)));
    let svg = |viewer: u8| game.draw_svg(env.state(), Some(Player(viewer)));
    for viewer in [0, 1] {
        assert!(text(viewer).contains("  to play  1 Human, 1 Titan left\n"), "{}", text(viewer));
        assert!(svg(viewer).contains(">1 Human, 1 Titan left<"));
    }
    // A deck is listed for its owner alone, Titans first, as in a discard pile.
    let env = Position::of(2).hand(0, "ARC").cards(0, "MER*2 VIR").cards(1, "PHY*3 DRI HES").load();
    let text = |viewer: u8| game.draw_text(env.state(), Some(Player(viewer)));
    assert!(text(0).contains("  deck     3 cards: Vireth*, 2 Merchant\n"), "{}", text(0));
    assert!(text(0).contains("  deck     5 cards\n") && !text(1).contains("Vireth"), "{}", text(1));
    assert!(game.draw_svg(env.state(), Some(Player(0))).contains(">VIR<"));
    assert!(!game.draw_svg(env.state(), Some(Player(1))).contains(">VIR<"));
}

#[test]
fn titans_of_a_long_discard_pile_come_first() {
    let pile = "ACO*3 ARC*3 BLA*2 DEF*2 DRI*2 GAR GRA HAR HER JES MAR MER VIR OMB";
    let env = Position::of(2).hand(0, "SHI").deck(1, 3).discard(1, pile).load();
    let svg = env.configured().game.draw_svg(env.state(), Some(Player(0)));
    let (_, shown) = svg.split_once(">discard<").unwrap();
    let first = shown.split(">").find(|part| part.starts_with("OMB") || part.starts_with("ACO")).unwrap();
    assert!(first.starts_with("OMB"), "{first}");
    let text = env.configured().game.draw_text(env.state(), Some(Player(0)));
    assert!(text.contains("  discard  [2 of 3 Titans] Ombrel*, Vireth*, 3 Acolyte"), "{text}");
}
