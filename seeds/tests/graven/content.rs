//! The content file: what is refused and where, and cards of one's own.

use crate::fixture::{
    Position, configured, deck, every_position, phase, play, player_state, refused_options, segment,
    standard, texts, whose, zone,
};
use playmat_conformance::testing;
use playmat_core::game::Game;
use playmat_core::log::Silent;
use playmat_core::player::Player;
use playmat_core::rng::Rng;
use playmat_graven::Graven;
use playmat_graven::cards::Limit;
use playmat_graven::state::{BACK, Cards, FRONT, Field, Phase, Timing};
use serde_json::json;

/// Findings of a content as `line:column message`.
fn findings(content: &str) -> Vec<String> {
    let found = testing::findings::<Graven>(content, &json!({"decks": "random"}));
    found.iter().map(|found| format!("{}:{} {}", found.line, found.column, found.message)).collect()
}

/// The content of the library with one text in it replaced.
fn changed(from: &str, to: &str) -> String {
    assert!(standard().contains(from), "{from}");
    standard().replacen(from, to, 1)
}

/// The library's content with another ability of the Archer.
fn archer(ability: &str) -> String {
    let old = "  [[card.ability]]\n  when = \"activate\"\n  cost = [ { kind = \"mill\", n = 1 } ]\n  do = [ { verb = \"destroy\", side = \"enemy\", line = \"front\", type = \"human\" } ]\n";
    changed(old, ability)
}

#[test]
fn the_content_of_the_library_is_the_page() {
    assert_eq!(findings(standard()), Vec::<String>::new());
    let game = &configured(&json!({})).game;
    let ids: Vec<&str> = game.cards().iter().map(|card| card.id.as_str()).collect();
    assert_eq!(
        ids.join(" "),
        "ACO ARC BLA CON DEF DRI GAR GRA HAR HER JES MAR MER PHY PLA PRI REC REI SAP SCO SHI SPY WAR WAT BEL CAT GOL HES NUR OMB SAR TAR VIR YSM"
    );
    let having = |timing: Timing| {
        let with = game.cards().iter().filter(|card| card.ability(timing).is_some());
        with.map(|card| card.id.as_str()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(having(Timing::Enter), "GRA HAR REI SCO SPY BEL CAT HES SAR TAR YSM");
    assert_eq!(having(Timing::Activate), "ARC DRI GAR JES PLA PRI SAP GOL NUR OMB");
    assert_eq!(having(Timing::Hand), "DEF HER BEL");
    assert_eq!(having(Timing::Window), "PHY WAT");
    assert_eq!(having(Timing::Discarded), "CON MAR SAR");
    let passive: Vec<&str> =
        game.cards().iter().filter(|card| !card.mods.is_empty()).map(|card| card.id.as_str()).collect();
    assert_eq!(passive.join(" "), "ACO BLA HER MER REC SHI WAR GOL HES VIR");
    let names: Vec<&str> = game.decks().iter().map(|deck| deck.name.as_str()).collect();
    assert_eq!(names, ["vanguard", "blight", "siege", "chapel", "intrigue"]);
    let all = game.decks().iter().fold(0, |all, deck| all | deck.cards.kinds());
    assert_eq!(all.count_ones(), 34, "every card is in a deck");
}

#[test]
fn everything_wrong_is_reported_with_line_and_column() {
    let options = json!({"decks": "random"});
    let refused = |content: &str, table: &str| testing::refused_changes::<Graven>(content, &options, table);
    refused(
        &archer("  [[card.ability]]\n  ABILITY\n"),
        r#"
        ABILITY | when = ^"sometimes" \n do = [ { verb = "draw" } ] | `sometimes`; allowed: passive, enter
        [[card.ability]]\n  ABILITY | ^[[card.ability]] \n when = "enter" | enter: `do` is missing
        ABILITY | when = "enter" \n do = ^[] | `do`: 0 steps; allowed: 1 to 3
        ABILITY | when = "enter" \n do = [ { verb = ^"drow" } ] | `drow` (did you mean `draw`?)
        ABILITY | when = "enter" \n do = [ { verb = "draw", n = ^10 } ] | 10; allowed: 1 to 9
        ABILITY | when = "enter" \n do = [ { verb = "draw", n = ^0 } ] | 0; allowed: 1 to 9
        ABILITY | when = "enter" \n do = [ { verb = "survey", n = ^-10 } ] | -10; allowed: -9 to 9
        ABILITY | when = "enter" \n do = [ { verb = "survey", n = ^0 } ] | survey: `n`: 0 changes nothing; allowed: -9 to -1, 1 to 9
        ABILITY | when = "passive" \n mods = [ { mod = "survey", n = ^0 } ] | survey: `n`: 0 changes nothing; allowed: -9 to -1, 1 to 9
        ABILITY | when = "activate" \n if = { stat = "deck", min = ^31 } \n do = [ { verb = "draw" } ] | `if`: `min`: 31; allowed: 0 to 30
        ABILITY | when = "activate" \n if = { stat = "hand", max = ^31 } \n do = [ { verb = "draw" } ] | `if`: `max`: 31; allowed: 0 to 30
        ABILITY | when = "discarded" \n from = [ "deck", "hand", ^"deck" ] \n do = [ { verb = "draw" } ] | `from`: `deck` twice
        ABILITY | when = "enter" \n do = [ { verb = "search", type = "titan", has = ^"window" } ]
            | search: no card of the content is one that could be found
        ABILITY | when = "enter" \n do = [ { verb = "draw", ^line = "front" } ] | no field is called `line`
        ABILITY | when = "enter" \n ^from = [ "hand" ] \n do = [ { verb = "draw" } ] | no field is called `from`
        ABILITY | when = "activate" \n ^may = true \n do = [ { verb = "draw" } ] | no field is called `may`
        [[card.ability]]\n  ABILITY | ^[[card.ability]] \n when = "discarded" \n do = [ { verb = "draw" } ] | `from` is missing
        [[card.ability]]\n  ABILITY | ^[[card.ability]] \n when = "window" \n do = [ { verb = "draw" } ] | `event` is missing
        ABILITY | when = "enter" \n limit = ^"week" \n do = [ { verb = "draw" } ] | `week`; allowed: turn, game
        ABILITY | when = "enter" \n cost = [ { kind = ^"destroy_self" } ] \n do = [ { verb = "draw" } ] | `destroy_self` is a cost of `activate` alone
        ABILITY | when = "activate" \n do = [ ^{ verb = "recycle" } ] | need `limit = "game"`
        ABILITY | when = "activate" \n limit = "turn" \n do = [ ^{ verb = "return", to = "deck" } ] | need `limit = "game"`
        ABILITY | when = "activate" \n do = [ ^{ verb = "return" } ] | `to` is missing
        ABILITY | when = "activate" \n do = [ ^{ verb = "ward" } ] | only in a `survey_loss` window
        ABILITY | when = "activate" \n do = [ { verb = "resurrect", target = ^"that" } ] | `that` is the Human of a `destroyed` window
        ABILITY | when = "discarded" \n from = [ "deck" ] \n do = [ { verb = "resurrect", target = "self", up_to = ^true } ]
            | `up_to` has no place where `target` leaves no choice
        ABILITY | when = "activate" \n do = [ { verb = "discard", who = "opponent", by = ^"you" } ] | `by = "you"` needs a `reveal` as the step before
        ABILITY | when = "activate" \n do = [ ^{ verb = "reveal" } ] | `who` must be `opponent`
        ABILITY | when = "activate" \n do = [ { verb = "destroy", who = "opponent", side = ^"own" } ] | `side` has no place beside `who`
        ABILITY | when = "activate" \n do = [ { verb = "destroy", who = "opponent", by = ^"random" } ] | `random`; allowed: holder
        ABILITY | when = "passive" \n mods = [ { mod = "draw", if = { stat = ^"gap", min = 1 } } ] | `gap` depends on passives
        ABILITY | when = "passive" \n mods = ^[] | 0 entries; allowed: 1 to 8
        ABILITY | when = "passive" \n ^limit = "turn" \n mods = [ { mod = "draw" } ] | no field is called `limit`
        ABILITY | when = "passive" \n mods = [ { mod = "sacrifice", n = ^3 } ] | 3; allowed: 2 to 2
        ABILITY | when = "activate" \n if = ^{ stat = "hand" } \n do = [ { verb = "draw" } ] | neither `min` nor `max`
        ABILITY | when = "activate" \n if = ^{ stat = "hand", min = 3, max = 2 } \n do = [ { verb = "draw" } ] | `min` is 3, above `max`, 2
        ABILITY | when = "enter" \n do = [ { verb = "draw" } ] \n [[card.ability]] \n when = ^"enter" \n do = [ { verb = "draw" } ]
            | a second ability with `when = "enter"`
        ABILITY | when = "enter" \n limit = "turn" \n do = [ { verb = "draw" } ] \n [[card.ability]] \n when = "hand" \n limit = ^"game" \n do = [ { verb = "draw" } ]
            | a second ability with a limit
        "#,
    );
    refused(
        standard(),
        r#"
        id = "ARC" | id = ^"aco" | `id` is used before
        id = "ARC" | id = ^"a b" | `id` must be 1 to 20 letters
        name = "Archer" | name = ^"Acolyte" | `name` is used before
        type = "human" | type = ^"beast" | `beast`; allowed: human, titan
        name = "graven" | name = ^"gravel" | a content of this game is called `graven`
        name = "vanguard" | name = ^"any" | means something else as an option
        REI = 3 | ^REJ = 3 | no card is called `REJ` (did you mean `REC`?)
        "#,
    );
    // Where they are said of another place than the one that was changed.
    let cases = [
        (archer(""), "no `ability`: every card has an effect"),
        (changed("type = \"human\"", "type = \"titan\""), "a Human after a Titan"),
        (changed("name = \"vanguard\"", "name = \"siege\""), "`name` is used before"),
        (changed("REI = 3", "REI = 4"), "4 copies of Reinforcements; at most 3 of a Human"),
        (changed("HES = 1, OMB = 1, VIR = 1", "HES = 1, OMB = 1, REI = 1"), ""),
        (
            changed("HES = 1, OMB = 1, VIR = 1", "HES = 1, OMB = 1, PLA = 1"),
            "2 Titans; at least 3 of different names",
        ),
        (changed("HES = 1, OMB = 1, VIR = 1", "HES = 1, OMB = 1"), "29 cards; a deck has 30"),
    ];
    for (content, part) in cases {
        let found = findings(&content);
        assert!(!found.is_empty(), "{part}: nothing was found");
        assert!(found.iter().any(|finding| finding.contains(part)) || part.is_empty(), "{part}: {found:?}");
        if !part.is_empty() {
            assert!(found.iter().all(|finding| !finding.starts_with("0:")), "{found:?}");
        }
    }
}

#[test]
fn findings_stand_at_their_place() {
    let content = archer("  [[card.ability]]\n  when = \"enter\"\n  do = [ { verb = \"draw\", n = 12 } ]\n");
    let line = content.lines().position(|line| line.contains("n = 12")).unwrap() + 1;
    let column = content.lines().nth(line - 1).unwrap().find("12").unwrap() + 1;
    assert_eq!(
        findings(&content),
        [format!("{line}:{column} card `ARC`: enter: draw: `n`: 12; allowed: 1 to 9")]
    );
    let place = |content: &str, text: &str| {
        let line = content.lines().position(|line| line.contains(text)).unwrap();
        format!("{}:{}", line + 1, content.lines().nth(line).unwrap().rfind(text).unwrap() + 1)
    };
    let content = archer(
        "  [[card.ability]]\n  when = \"discarded\"\n  from = [ \"hand\", \"back\", \"hand\" ]\n  do = [ { verb = \"draw\" } ]\n",
    );
    let at = place(&content, "\"hand\" ]");
    assert_eq!(findings(&content), [format!("{at} card `ARC`: discarded: `from`: `hand` twice")]);
    let content = archer(
        "  [[card.ability]]\n  when = \"enter\"\n  do = [ { verb = \"search\", n = 2, type = \"titan\", has = \"window\" } ]\n",
    );
    let at = place(&content, "\"window\" } ]");
    let message = "enter: search: no card of the content is one that could be found";
    assert_eq!(findings(&content), [format!("{at} card `ARC`: {message}")]);
    // Several at once, in the order of the file.
    let two = content.replace("kind = \"destroy_self\"", "kind = \"destroy\"");
    assert_eq!(findings(&two).len(), 2);
}

/// A content of these numbers of Humans and Titans, all of which draw a card when they enter.
fn file(humans: usize, titans: usize) -> String {
    let card = |number: usize, kind: &str| {
        format!(
            "[[card]]\nid = \"k{number}\"\nname = \"Card {number}\"\ntype = \"{kind}\"\n[[card.ability]]\nwhen = \"enter\"\ndo = [ {{ verb = \"draw\" }} ]\n"
        )
    };
    let mut text = String::from("name = \"graven\"\n");
    (0..humans).for_each(|number| text.push_str(&card(number, "human")));
    (humans..humans + titans).for_each(|number| text.push_str(&card(number, "titan")));
    text
}

#[test]
fn observed_counts_are_those_of_the_state_for_any_number_of_kinds() {
    // Segments are written in pieces that depend on the number of kinds: 12, 31, 32, 36, 37, 64 and the 34 of the library.
    let contents = [(9, 3), (28, 3), (29, 3), (33, 3), (34, 3), (40, 24)].map(|(h, t)| file(h, t));
    let mut seen = [false; 3];
    for content in contents.iter().map(String::as_str).chain([standard()]) {
        let options = json!({"content": content, "decks": "random", "players": 3});
        every_position(&options, 0..4, |env| {
            let (game, s) = (&env.configured().game, env.state());
            assert_eq!(Field::from(*s.field), s.field, "derived values follow from the places");
            // Nothing is shown of players who are out of the game.
            let counts = |player: usize, count: &dyn Fn(u8) -> u8| -> Vec<u8> {
                let kinds = 0..game.cards().len() as u8;
                kinds.map(|kind| if s.plays(player as u8) { count(kind) } else { 0 }).collect()
            };
            let on = |player: usize, line: usize, kind: u8, of: &dyn Fn(usize) -> bool| -> u8 {
                (0..3).filter(|&owner| of(owner)).map(|owner| s.field[player][line][owner].count(kind)).sum()
            };
            let all = |_: usize| true;
            let t = usize::from(s.turn_player);
            for viewer in 0..3 {
                let own = &s.players[viewer];
                assert_eq!(segment(env, viewer as u8, "hand"), counts(viewer, &|kind| own.hand.count(kind)));
                assert_eq!(segment(env, viewer as u8, "deck"), counts(viewer, &|kind| own.deck.count(kind)));
                let ready = counts(t, &|kind| {
                    let Some(ability) = game.card(kind).ability(Timing::Activate) else { return 0 };
                    if ability.limit != Limit::None && s.players[t].used >> kind & 1 != 0 {
                        return 0;
                    }
                    let left = on(t, BACK, kind, &all) - s.spent.count(kind);
                    left.min(3 - s.activations.count(kind))
                });
                assert_eq!(segment(env, viewer as u8, "ready"), ready);
                seen[0] |= ready.iter().any(|&copies| copies > 0);
                for player in 0..3 {
                    let theirs = &s.players[player];
                    let block = |name: &str| {
                        segment(env, viewer as u8, &format!("{}_{name}", whose((player + 3 - viewer) % 3)))
                    };
                    for (line, name) in [(FRONT, "front"), (BACK, "back")] {
                        let foreign = format!("{name}_foreign");
                        assert_eq!(block(name), counts(player, &|kind| on(player, line, kind, &all)));
                        let others = |owner: usize| owner != player;
                        assert_eq!(block(&foreign), counts(player, &|kind| on(player, line, kind, &others)));
                        seen[1] |= block(&foreign).iter().any(|&copies| copies > 0);
                    }
                    let lent = counts(player, &|kind| {
                        let others = (0..3).filter(|&other| other != player);
                        others.flat_map(|other| s.field[other]).map(|line| line[player].count(kind)).sum()
                    });
                    assert_eq!(block("lent"), lent);
                    assert_eq!(block("discard"), counts(player, &|kind| theirs.discard.count(kind)));
                    assert_eq!(block("known_hand"), counts(player, &|kind| theirs.known.count(kind)));
                    assert_eq!(block("used"), counts(player, &|kind| (theirs.used >> kind & 1) as u8));
                    seen[2] |= theirs.used != 0;
                }
            }
        });
    }
    assert_eq!(seen, [true; 3], "activations left, lent cards and used limits came up");
}

#[test]
fn observations_do_not_depend_on_sizes_that_the_compiler_knows() {
    let (mut compared, mut lent) = (0, 0);
    for (players, decks) in [(2, "any"), (3, "random"), (4, "random"), (2, "build")] {
        every_position(&json!({"decks": decks, "players": players}), 0..6, |env| {
            let (game, s) = (&env.configured().game, env.state());
            assert!(game.has_builtin_sizes(), "the sizes in observe.rs are those of the built-in content");
            let slow = game.without_builtin_sizes();
            for player in Player::all(players) {
                let observed = |game: &Graven| {
                    let mut bytes = vec![0xaa; game.info().observation.size()];
                    game.observe(s, player, &mut bytes);
                    bytes
                };
                assert_eq!(observed(game), observed(&slow), "player {player} of {players}");
                compared += 1;
                lent += usize::from(s.any_lent());
            }
        });
    }
    assert!(compared > 2_000 && lent > 100, "{compared} observations, {lent} with lent cards");
}

#[test]
fn the_clock_is_a_share_of_all_turns() {
    for most in [1u16, 2, 3, 7, 50, 127, 128, 199, 200, 255, 256, 365, 511, 997, 999, 1000] {
        let game = &configured(&json!({"max_turns": most})).game;
        let mut state = game.deal(&mut Rng::from_seed(1), &mut Silent);
        let layout = &game.info().observation;
        let (clock, mut bytes) = (layout.segment("budget_clock").unwrap().offset, vec![0; layout.size()]);
        for turns in 0..=most {
            state.turns = turns;
            game.observe(&state, Player(0), &mut bytes);
            assert_eq!(u32::from(bytes[clock]), 255 * u32::from(turns) / u32::from(most));
        }
    }
}

#[test]
fn cards_are_drawn_as_kinds_are_counted_one_by_one() {
    let mut rng = Rng::from_seed(7);
    for round in 0..2_000 {
        // From a card to all that a content allows: above 127 cards there is a form for more.
        let mask = (0..round % 5).fold(u64::MAX, |mask, _| mask & rng.next_u64());
        let cards = Cards { lo: rng.next_u64(), hi: rng.next_u64() }.of(mask | 1 << (round % 64)).with(9, 1);
        let counts = |cards: Cards| (0..64).map(|kind| cards.count(kind)).collect::<Vec<u8>>();
        let mut slow = rng;
        assert_eq!(usize::from(cards.pick(&mut rng)), slow.draw_kind(&counts(cards)));
        assert_eq!(rng, slow);
        // Several cards, with sums that are kept from card to card.
        let mut rest = cards.of(rng.next_u64() & rng.next_u64());
        let (mut sums, mut left) = (rest.sums(), rest);
        while rest.total() < 128 && !rest.is_empty() {
            let mut slow = rng;
            let kind = left.pick(&mut slow);
            left.remove(kind);
            assert_eq!(rest.take_of_few(&mut sums, &mut rng), kind);
            assert_eq!((rest, sums, rng), (left, left.sums(), slow));
        }
        let without = |kind: u8| cards.with(kind, cards.count(kind).saturating_sub(1));
        (0..64).for_each(|kind| assert_eq!(cards.without_one(kind), without(kind)));
    }
}

#[test]
fn too_few_and_too_many_cards() {
    for (humans, titans, part) in [
        (0, 3, "0 Humans; allowed: 1 to 40"),
        (41, 3, "41 Humans; allowed: 1 to 40"),
        (10, 2, "2 Titans; allowed: 3 to 24"),
        (10, 1, "1 Titan; allowed: 3 to 24"),
        (0, 1, "at most 1 card from"),
        (10, 25, "25 Titans; allowed: 3 to 24"),
        (8, 5, "at most 29 cards"),
    ] {
        let found = findings(&file(humans, titans));
        assert!(found.iter().any(|finding| finding.contains(part)), "{part}: {found:?}");
    }
    assert_eq!(findings(&file(9, 3)), Vec::<String>::new());
    assert_eq!(findings(&file(40, 24)), Vec::<String>::new());
    let largest = configured(&json!({"content": file(40, 24), "decks": "random", "players": 4}));
    assert_eq!(largest.game.info().num_actions, 10 + 5 * 64 + 4 + 2 * 4 * 64);
    assert_eq!(largest.game.info().observation.size(), 29 + 6 * 64 + 8 + 4 * (9 * 64 + 9));
    assert!(refused_options(&json!({"content": file(9, 3)})).contains("no ready-made decks"));
}

#[test]
fn a_card_of_ones_own_needs_no_rust() {
    let content = archer(
        "  [[card.ability]]\n  when = \"activate\"\n  limit = \"turn\"\n  if = { stat = \"gap\", min = 2 }\n  cost = [ { kind = \"discard\", n = 1 }, { kind = \"mill\", n = 1 }, { kind = \"destroy_self\" } ]\n  do = [ { verb = \"destroy\", who = \"each_opponent\", n = 2, line = \"front\" }, { verb = \"return\", to = \"hand\", side = \"any\", up_to = true }, { verb = \"draw\", n = 2, who = \"each_player\" } ]\n",
    );
    let base =
        Position::of(2).option("content", content).stage("effect").back(0, "ARC DRI").hand(0, "PHY WAT");
    // The condition does not hold.
    assert!(!texts(&base.clone().front(1, "HER").load()).contains(&"activate ARC".into()));
    let mut env = base.front(1, "HER*2 JES").load();
    play(&mut env, &["activate ARC"]);
    assert_eq!((phase(&env), texts(&env)), (Phase::Card, vec!["choose PHY".into(), "choose WAT".into()]));
    play(&mut env, &["choose PHY"]);
    let pile = zone(&env, 0, "discard");
    assert!(pile.contains("ARC") && pile.contains("PHY") && deck(&env, 0) == 8, "{pile}");
    assert_eq!((phase(&env), env.current_player().unwrap().0), (Phase::Field, 1));
    play(&mut env, &["target HER on front of player 1", "target JES on front of player 1"]);
    assert_eq!(texts(&env), ["pass", "target DRI on back of player +0", "target HER on front of player +1"]);
    play(&mut env, &["target DRI on back of player 0"]);
    assert_eq!((deck(&env, 0), player_state(&env, 0).hand.total()), (6, 4));
}

#[test]
fn cards_of_ones_own_with_every_verb() {
    // Sees a hand and discards two cards of it, with a search by timing, a fixed line and a self-target.
    let content = archer(
        "  [[card.ability]]\n  when = \"enter\"\n  may = true\n  cost = [ { kind = \"discard\" } ]\n  do = [ { verb = \"reveal\", who = \"opponent\" }, { verb = \"discard\", who = \"opponent\", by = \"you\", n = 2 }, { verb = \"search\", has = \"discarded\", n = 2 } ]\n  [[card.ability]]\n  when = \"discarded\"\n  from = \"hand\"\n  do = [ { verb = \"resurrect\", target = \"self\" }, { verb = \"control\", side = \"enemy\", to = \"front\" }, { verb = \"move\", side = \"own\", n = 1 } ]\n",
    );
    let mut env = Position::of(2)
        .option("content", content)
        .hand(0, "ARC*2 PHY")
        .cards(0, "CON MAR SAR DRI*3")
        .hand(1, "HER*2 JES")
        .front(1, "WAR")
        .load();
    play(&mut env, &["play ARC to back"]);
    assert_eq!(phase(&env), Phase::May);
    play(&mut env, &["yes", "choose ARC", "choose HER", "choose JES"]);
    assert_eq!(texts(&env), ["choose CON", "choose MAR", "choose SAR"]);
    play(&mut env, &["choose CON", "choose SAR"]);
    // Now the discarded copy: it comes back to a line, takes the Warden, and something moves.
    assert_eq!(phase(&env), Phase::Line);
    play(&mut env, &["line back"]);
    assert_eq!(phase(&env), Phase::Field);
    assert_eq!(env.state().copies_on(0, 0, env.configured().game.kind("WAR").unwrap()), 1);
    play(&mut env, &["target WAR on front of player 0"]);
    assert_eq!(zone(&env, 0, "back"), "ARC*2");
    // Entering by being resurrected, the second Archer opens a decision again.
    assert_eq!(phase(&env), Phase::May);
}

#[test]
fn a_refused_type_accuses_no_other_card() {
    // Of a Titan in the middle of the others: it is neither a Human after a Titan, nor are there too few Titans.
    let found =
        findings(&changed("name = \"Cathmor\"\ntype = \"titan\"", "name = \"Cathmor\"\ntype = \"titen\""));
    assert!(found.len() == 1 && found[0].contains("`type`"), "{found:#?}");
}
