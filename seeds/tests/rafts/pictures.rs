//! How a position looks, and that it shows a viewer nothing that is hidden.

use crate::fixture::{Position, configured, every_position, exchange, play_numbers};
use playmat_core::env::Env;
use playmat_core::prelude::*;
use playmat_rafts::Rafts;
use serde_json::json;

/// Three players in the middle of a game: player 1 spills antibiotics.
fn spill() -> Env<Rafts> {
    let mut env = Position::of(3)
        .turn_of(1)
        .set("turn", 16)
        .hand(0, "lux AR BG time raft PP")
        .goals(0, &["toxic_alarm", "frying_oil"])
        .lab(0, "EC -", "PP phaC")
        .supplies(0, "time money*2 medium raft")
        .hand(1, "AS HBB medium UE")
        .goals(1, &["blood"])
        .bench(1, "- HBB")
        .supplies(1, "time*2 money medium*2")
        .hand(2, "SE DR money*2 FC")
        .goals(2, &["nuclear_fuel_leak"])
        .bench(2, "DR merA")
        .supplies(2, "medium*2")
        .player(2, "known_hand", json!({"DR": 1}))
        .discards("EC*2 BS LL lux phaC nisA time*4 money*3 medium", Some("BS"))
        .set(
            "actions_played",
            json!({"IE": 3, "RX": 1, "PO": 2, "UE": 1, "LE": 1, "BE": 1, "EF": 1, "SV": 1}),
        )
        .load();
    play_numbers(&mut env, &[21]);
    env
}

/// Two players at the end.
fn victory() -> Env<Rafts> {
    Position::of(2)
        .hand(0, "EC PO")
        .goals(0, &["oil_spill"])
        .bench(0, "PP alkB")
        .supplies(0, "time money medium raft")
        .hand(1, "SE BG lux time")
        .load()
}

crate::outline::snapshots! {
    text_of_a_window: "text_spill_player_0" = text(spill(), Some(0));
    text_of_the_end: "text_victory" = text(victory(), None);
    picture_of_a_window: "svg_spill_player_0" = picture(spill(), Some(0));
    picture_of_the_end: "svg_victory" = picture(victory(), None);
}

/// Signs that mean something in XML, and the longest names.
fn long_names() -> String {
    include_str!("../../content/rafts.toml")
        .replace("Escherichia coli", "<a & b>")
        .replace("Industrial espionage", "Forty letters are a lot for a small card")
        .replace("Blood for donations", "A goal with a name of forty letters fits")
        .replace("human beta-globin", "a gene whose name is forty letters long!")
}

#[test]
fn names_from_content_cannot_break_the_picture() {
    let mut escaped = 0;
    every_position(&json!({"players": 3, "content": long_names()}), 5..6, |env| {
        let svg = env.configured().game.draw_svg(env.state(), None);
        assert!(!svg.contains("<a &"), "{svg}");
        escaped += usize::from(svg.contains("&lt;a &amp; b&gt;"));
    });
    assert!(escaped > 0);
}

#[test]
fn what_lies_nowhere_for_the_moment_is_named_to_all() {
    let draw = |env: &Env<Rafts>, player: u8| {
        let game = &env.configured().game;
        (game.draw_text(env.state(), Some(Player(player))), game.draw_svg(env.state(), Some(Player(player))))
    };
    // A card on its way to a bench has left hand, discards and tables.
    let mut env = Position::of(3).hand(0, "lux IE").lab(0, "EC phaC", "SY -").bench(1, "PP -").load();
    play_numbers(&mut env, &[6]);
    let (text, svg) = draw(&env, 1);
    assert!(text.contains(": lux is being placed") && svg.contains("lux is being placed"), "{text}");
    play_numbers(&mut env, &[38, 18]);
    assert!(draw(&env, 2).0.contains("Industrial espionage: Pseudomonas putida is being placed"));
    // Partner and goal of an exchange.
    let mut env = exchange().load();
    play_numbers(&mut env, &[19]);
    assert!(draw(&env, 0).0.contains("Choose the goal you receive from player 1"));
    assert!(draw(&env, 2).0.contains("Research exchange with player 1\n"), "{}", draw(&env, 2).0);
    play_numbers(&mut env, &[57 + 10]);
    assert!(draw(&env, 0).0.contains("Choose the goal you give for Soothing probiotic"));
    assert!(draw(&env, 2).0.contains("Research exchange with player 1 for Soothing probiotic"));
}

#[test]
fn a_player_who_chooses_a_goal_reads_what_it_needs() {
    let mut env = Position::of(2).hand(0, "EF EC").goals(0, &["blood"]).bench(0, "LL -").load();
    play_numbers(&mut env, &[26]);
    let text = |viewer| env.configured().game.draw_text(env.state(), viewer);
    let line = "  Soothing probiotic: LL, IL10, time, money, medium; missing IL10, time, money, medium\n";
    assert!(text(Some(Player(0))).contains(line) && text(None).contains(line), "{}", text(None));
    assert!(!text(Some(Player(0))).contains("\n  Blood for donations"), "it is owned");
    assert!(!text(Some(Player(1))).contains("Goals to choose from"));
}

#[test]
fn words_say_what_must_be_decided() {
    let env = spill();
    let game = &env.configured().game;
    let mine = game.draw_text(env.state(), Some(Player(0)));
    assert!(mine.contains("Antibiotic spill: protect yourself?"), "{mine}");
    let others = game.draw_text(env.state(), Some(Player(2)));
    assert!(others.contains("Antibiotic spill is being resolved") && !others.contains("protect"), "{others}");
    assert!(
        configured(&json!({}))
            .game
            .draw_text(Env::new(configured(&json!({})), 1).state(), None)
            .contains("Play a card")
    );
}

/// The content with the longest names that the loader accepts, and with the longest ids of genes.
fn long() -> String {
    let game = &configured(&json!({})).game;
    let mut content = include_str!("../../content/rafts.toml").to_string();
    let names =
        game.cards().iter().map(|card| &card.name).chain(game.goals().iter().map(|goal| &goal.card.name));
    for name in names {
        let long: String =
            format!("{name} of the innermost northern marshes ......").chars().take(40).collect();
        content = content.replace(&format!("name = \"{name}\""), &format!("name = \"{}\"", long.trim()));
    }
    for id in ["HBB", "phaC", "merA", "lux"] {
        content = content.replace(&format!("\"{id}\""), &format!("\"{id:_<20}\""));
    }
    content
}

#[test]
fn drawings_keep_their_form_whatever_the_names() {
    let mut texts = 0;
    let mut check = |env: &Env<Rafts>| {
        texts += crate::drawn::check(env);
        for viewer in [None, Some(Player(0))] {
            let svg = env.configured().game.draw_svg(env.state(), viewer);
            crate::drawn::boxes::texts_are_apart(&crate::names::named(&svg));
        }
    };
    for env in [spill(), victory()] {
        check(&env);
    }
    // All cards that there are, in one hand or another.
    let hands = "EC BS PP SY LL DR|AR BG SV IE RX UE|FC PO LE BE EF AS";
    let hands = hands.split('|').enumerate();
    check(&hands.fold(Position::of(3), |position, (player, cards)| position.hand(player, cards)).load());
    for options in [
        json!({"players": 2}),
        json!({"players": 6, "expansion_doubles_generics": true}),
        json!({"players": 3, "discard_at_end": true}),
        json!({"players": 2, "content": long()}),
        json!({"players": 6, "content": long()}),
    ] {
        every_position(&options, 0..2, |env| {
            if env.decisions() % 151 == 0 || env.status() != Status::Running {
                check(env);
            }
        });
    }
    assert!(texts > 5000, "{texts}");
}

#[test]
fn cards_under_way_are_drawn() {
    // Espionage has taken a gene, and the owner of two benches says where it goes.
    let mut env = Position::of(2).hand(0, "IE EC").lab(0, "EC -", "PP phaC").bench(1, "- merA").load();
    let espionage = env.configured().game.parse_action(None, "play IE").unwrap();
    play_numbers(&mut env, &[espionage.0.into()]);
    for viewer in [0, 1] {
        let text = env.configured().game.draw_text(env.state(), Some(Player(viewer)));
        assert!(text.contains("In play   IE (Industrial espionage)\n"), "{text}");
        assert!(text.contains("To place  merA (mercuric reductase)\n"), "{text}");
        let svg = env.configured().game.draw_svg(env.state(), Some(Player(viewer)));
        assert!(svg.contains(">in play<") && svg.contains(">to place<"), "{svg}");
    }
}
