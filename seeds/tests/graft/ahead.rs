//! What is looked up of the next card (`Sums`, `Ahead`) against rows that are judged card by card, with the built-in content and with
//! random contents: for each content that the loader accepts, both results must be equal.

use crate::fixture::{CONTENT, configured, visit};
use crate::reference::Reference;
use playmat_core::env::ConfiguredGame;
use playmat_core::prelude::*;
use playmat_graft::Graft;
use playmat_graft::state::{Kind, Row, State, Sums};
use serde_json::json;
use std::fmt::Write;

/// One of some words.
fn one<'w>(draws: &mut Rng, words: &[&'w str]) -> &'w str {
    words[draws.below(words.len() as u32) as usize]
}

/// A list of some types, each with a chance of one in `n`; at least one.
fn some_types(draws: &mut Rng, types: u32, n: u32) -> String {
    let first = draws.below(types);
    let list: Vec<String> =
        (0..types).filter(|&ty| ty == first || draws.below(n) == 0).map(|ty| format!("\"t{ty}\"")).collect();
    format!("[{}]", list.join(", "))
}

/// `count = ...`; kinds are named up to `kinds`, so that scores do not name each other in a circle.
fn count(draws: &mut Rng, types: u32, kinds: u32) -> String {
    match draws.below(8) {
        0 | 1 => "count = \"cards\"".into(),
        2 | 3 => "count = \"unique\"".into(),
        4 if kinds > 0 => format!("count = {{ card = \"k{}\" }}", draws.below(kinds)),
        _ => format!("count = {}", some_types(draws, types, 3)),
    }
}

fn bounds(draws: &mut Rng, most: u32) -> String {
    let low = draws.below(most);
    match draws.below(6) {
        0 => format!("max = {low}"),
        1 => format!("min = {low}, max = {}", low + draws.below(4)),
        2 => "parity = \"even\"".into(),
        3 => "parity = \"odd\"".into(),
        _ => format!("min = {}", low.max(1)),
    }
}

fn clause(draws: &mut Rng, types: u32, kinds: u32) -> String {
    let mut text = format!("points = {}", draws.below(41) as i32 - 20);
    let place = |draws: &mut Rng| one(draws, &["row", "row", "left", "right", "next"]);
    if draws.below(3) > 0 {
        let _ = write!(text, ", per = {{ {}, in = \"{}\" }}", count(draws, types, kinds), place(draws));
    }
    if draws.below(2) > 0 {
        let (what, bounds) = (count(draws, types, kinds), bounds(draws, 5));
        let _ = write!(text, ", if = {{ {what}, in = \"{}\", {bounds} }}", place(draws));
        if draws.below(2) > 0 {
            let _ = write!(text, ", else = {}", draws.below(41) as i32 - 20);
        }
    }
    format!("{{ {text} }}")
}

/// A need that short rows can meet, as a rule.
fn need(draws: &mut Rng, types: u32, kinds: u32) -> String {
    let text = match draws.below(8) {
        0 => format!("adjacent = [{}, {}]", some_types(draws, types, 3), some_types(draws, types, 3)),
        1 => "most = true".into(),
        2 => "run = true".into(),
        3 => "twins = true".into(),
        _ => count(draws, types, kinds),
    };
    format!("{{ {text}, {} }}", bounds(draws, 4))
}

/// A content of any size. Not every one is accepted: a badge may be out of reach.
fn content(draws: &mut Rng) -> String {
    let (types, kinds) = (2 + draws.below(7), 15 + draws.below(17));
    let mut text = String::from("name = \"graft\"\n");
    for ty in 0..types {
        let _ = writeln!(
            text,
            "[[type]]\nid = \"t{ty}\"\nname = \"Type {ty}\"\nletter = \"{ty}\"\ncolor = \"#808080\""
        );
    }
    for kind in 0..kinds {
        let effect = one(draws, &["none", "none", "none", "energy_bar", "recycle", "replant", "z_coin"]);
        let forbids = if draws.below(3) == 0 { some_types(draws, types, 6) } else { "[]".into() };
        let clauses: Vec<String> = (0..draws.below(3)).map(|_| clause(draws, types, kind + 1)).collect();
        let _ = writeln!(
            text,
            "[[card]]\nid = \"k{kind}\"\nname = \"Kind {kind}\"\ntype = \"t{}\"",
            draws.below(types)
        );
        let _ =
            writeln!(text, "forbids = {forbids}\neffect = \"{effect}\"\nscore = [{}]", clauses.join(", "));
        let _ = writeln!(text, "copies = [{}, {}, {}]", 1 + draws.below(2), draws.below(2), draws.below(2));
    }
    for badge in 0..9 {
        let tier = if badge < 4 { "gold" } else { "silver" };
        let needs: Vec<String> = (0..1 + draws.below(2)).map(|_| need(draws, types, kinds)).collect();
        let high = 2 + draws.below(49);
        let _ = writeln!(text, "[[badge]]\nid = \"b{badge}\"\nname = \"Badge {badge}\"\ntier = \"{tier}\"");
        let _ = writeln!(
            text,
            "high = {high}\nlow = {}\nneeds = [{}]",
            1 + draws.below(high - 1),
            needs.join(", ")
        );
    }
    text
}

/// The built-in content and some others that the loader accepts.
fn contents(others: usize) -> Vec<String> {
    let mut draws = Rng::from_seed(20);
    let mut all = vec![CONTENT.to_string()];
    for _ in 0..100 * others {
        let text = content(&mut draws);
        let options = json!({"content": text});
        if ConfiguredGame::<Graft>::new(options.as_object().unwrap()).is_ok() {
            all.push(text);
        }
        if all.len() > others {
            return all;
        }
    }
    panic!("only {} contents were accepted", all.len());
}

/// Different badges, gold ones first.
fn slots(game: &Graft, draws: &mut Rng) -> [u8; 5] {
    let (gold, all) = (game.gold() as u32, game.badges().len() as u32);
    loop {
        let drawn = [0, 1, 2, 3, 4].map(|slot| {
            let (from, to) = if slot < 2 { (0, gold) } else { (gold, all) };
            (from + draws.below(to - from)) as u8
        });
        if drawn.is_sorted_by(|a, b| a < b) {
            return drawn;
        }
    }
}

#[test]
fn gr_r20_r21_the_next_card_does_what_the_longer_row_comes_to() {
    let (mut looked_up, mut by_name, mut met, mut busts) = (0, 0, 0, 0);
    for (i, text) in contents(30).iter().enumerate() {
        let (reference, mut draws) = (Reference::new(text, ""), Rng::from_seed(i as u64));
        let coins = ["always", "restricted"][i % 2];
        let game = configured(&json!({"content": text, "z_coin_placement": coins})).game.clone();
        for round in 0..200 {
            let slots = slots(&game, &mut draws);
            let longest = if round % 10 == 0 { 31 } else { 9 };
            let length = draws.below(longest + 1).min(game.turns() as u32 - 1);
            // Few kinds make rows of few types.
            let width = 1 + draws.below(game.kinds() as u32);
            let mut cards: Vec<usize> = (0..length).map(|_| draws.below(width) as usize).collect();
            let kinds = |cards: &[usize]| cards.iter().map(|&kind| Kind(kind as u8)).collect::<Vec<_>>();
            let row = game.row(&kinds(&cards), &slots);
            for next in 0..game.kinds() {
                let kind = Kind(next as u8);
                let placed = game.after(&row, kind, &slots);
                let named = row.sums.names >> next & 1 != 0;
                *(if named { &mut by_name } else { &mut looked_up }) += 1;
                let fits = game.is_legal(&row, kind);
                busts += usize::from(!fits);
                if fits {
                    cards.push(next);
                } else {
                    cards = vec![next];
                }
                assert_eq!(placed, game.row(&kinds(&cards), &slots), "{cards:?} in\n{text}");
                assert_eq!(i64::from(placed.score), reference.score(&cards), "{cards:?} in\n{text}");
                for (slot, &badge) in slots.iter().enumerate() {
                    let meets = reference.meets(&cards, badge.into());
                    assert_eq!(placed.met >> slot & 1 != 0, meets, "slot {slot}, {cards:?} in\n{text}");
                    met += usize::from(meets);
                }
                cards = row.codes().iter().map(|&code| usize::from(code) - 1).collect();
            }
        }
    }
    assert!(looked_up > 70_000 && by_name > 2_000, "{looked_up} looked up, {by_name} by name");
    assert!(met > 20_000 && busts > 20_000, "{met} badges, {busts} busts");
}

#[test]
fn observations_do_not_depend_on_what_is_looked_up() {
    let (mut compared, mut known) = (0, 0);
    for (i, text) in contents(8).iter().enumerate() {
        for players in 2..=5 {
            let options = json!({"content": text, "players": players});
            visit(&options, 40 + i as u64, 20, |game, state| {
                let mut bare: State = *state;
                for row in &mut bare.rows {
                    row.sums = Sums::default();
                }
                known += state.rows[..players].iter().filter(|row| row.sums.cards != 0).count();
                for player in Player::all(players) {
                    let observed = |state: &State| {
                        let mut bytes = vec![0; game.info().observation.size()];
                        game.observe(state, player, &mut bytes);
                        bytes
                    };
                    assert_eq!(observed(state), observed(&bare), "player {player} of\n{text}");
                    compared += 1;
                }
            });
        }
    }
    assert!(compared > 5_000 && known > 5_000, "{compared} observations, {known} rows with sums");
}

#[test]
fn rows_in_play_know_what_lies_ahead() {
    let mut rows = 0;
    for players in 2..=5 {
        visit(&json!({"players": players}), 7, 30, |game, state| {
            for row in &state.rows[..players] {
                let cards: Vec<Kind> = row.codes().iter().map(|&code| Kind(code - 1)).collect();
                let again: Row = game.row(&cards, &state.slots);
                // The stages of an empty row are not read.
                let parts = |Sums { later, fresh, names, sized, sized_now, open, stages, cards }: Sums| {
                    (later, fresh, names, (sized, sized_now), open, (cards > 0).then_some(stages), cards)
                };
                assert_eq!(parts(row.sums), parts(again.sums));
                assert_eq!(row.sums.cards, row.len, "{row:?}");
                rows += 1;
            }
        });
    }
    assert!(rows > 500, "{rows}");
}

#[test]
fn all_built_in_badges_but_one_have_stages() {
    let game = configured(&json!({})).game.clone();
    let has_stages = |badge: u8| game.row(&[Kind(0)], &[badge; 5]).sums.stages.unknown == 0;
    let without = (0..game.badges().len() as u8).filter(|&badge| !has_stages(badge));
    assert_eq!(without.map(|badge| &game.badge_text(badge).id).collect::<Vec<_>>(), ["monoculture"]);
}
