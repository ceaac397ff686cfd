//! The table as text.

use super::super::state::{BACK, FRONT, Stage};
use super::{Pile, Table};
use playmat_core::prelude::*;
use playmat_core::terminal::wrap;
use std::fmt::Write;

pub(super) fn draw(table: &Table<'_>) -> String {
    let mut out = String::new();
    wrap(&mut out, &format!("Graven  {}: {}", table.when().to_lowercase(), table.prompt()), "        ");
    out.push('\n');
    for seat in table.seats() {
        player(table, seat, &mut out);
    }
    if !table.state.queue.is_empty() {
        let names: Vec<&str> = table.state.queue.iter().map(|entry| table.card_name(entry.kind)).collect();
        wrap(&mut out, &format!("Waiting   {}", names.join(", ")), "          ");
    }
    out
}

fn player(table: &Table<'_>, seat: Seat, out: &mut String) {
    let (s, player) = (table.state, table.player(seat));
    let mut title = table.name(seat);
    if s.turn_player == seat.0 && !table.is_over() && s.stage != Stage::Build {
        title.push_str("  <- turn");
    }
    if table.won(seat) {
        title.push_str("  * winner");
    }
    if !s.plays(seat.0) {
        let _ = writeln!(out, "{title}  lost\n");
        if !table.is_over() {
            return;
        }
    } else {
        let _ = writeln!(out, "{title}");
    }
    if s.stage == Stage::Build {
        let picks =
            table.picks(seat).map(|cards| format!(": {}", counted(table, cards.iter().collect()).join(", ")));
        let picked = format!("  deck     {} of 30 cards picked", player.deck.total());
        wrap(out, &format!("{picked}{}", picks.unwrap_or_default()), "           ");
        out.push('\n');
        return;
    }
    let mut survey = format!("  survey   {}", table.game.survey_score(s, seat.0));
    if player.modifier != 0 {
        let _ = write!(survey, " ({:+} this turn)", player.modifier);
    }
    if player.loss > 0 {
        let _ = write!(survey, "; mills {}", player.loss);
    }
    let _ = writeln!(out, "{survey}");
    if let Some(left) = table.left(seat) {
        let _ = writeln!(out, "  to play  {left}");
    }
    for (line, name) in [(FRONT, "front"), (BACK, "back")] {
        let piles: Vec<String> = table.line(seat, line).iter().map(|pile| words(table, pile)).collect();
        wrap(out, &format!("  {name:<8} {}", or_dash(&piles)), "           ");
    }
    let hand = match table.hand(seat) {
        Some(cards) => or_dash(&counted(table, cards.iter().collect())),
        None if player.known.is_empty() => cards(player.hand.total()),
        None => {
            let known = counted(table, player.known.iter().collect()).join(", ");
            format!("{}, among them {known}", cards(player.hand.total()))
        }
    };
    wrap(out, &format!("  hand     {hand}"), "           ");
    let deck = table.deck(seat).map(|cards| counted(table, table.titans_first(cards)).join(", "));
    let deck = deck.map_or(String::new(), |list| format!(": {list}"));
    wrap(out, &format!("  deck     {}{deck}", cards(player.deck.total())), "           ");
    let titans = player.discard.of(table.game.titan_kinds).total();
    let piled = or_dash(&counted(table, table.titans_first(player.discard)));
    let fallen = if titans > 0 { format!("[{titans} of 3 Titans] ") } else { String::new() };
    wrap(out, &format!("  discard  {fallen}{piled}"), "           ");
    let used: Vec<&str> = table.used_up(seat).map(|kind| table.card_name(kind)).collect();
    if !used.is_empty() {
        wrap(out, &format!("  used up  {}", used.join(", ")), "           ");
    }
    out.push('\n');
}

/// A pile of a line: `2 Archer (used)`.
fn words(table: &Table<'_>, pile: &Pile) -> String {
    let mut text = counted_one(table, pile.kind, pile.copies);
    if let Some(owner) = pile.lent_by {
        let _ = write!(text, " of player {owner}");
    }
    match pile.spent {
        0 => {}
        n if n == pile.copies => text.push_str(" (used)"),
        n => {
            let _ = write!(text, " ({n} used)");
        }
    }
    text
}

fn counted_one(table: &Table<'_>, kind: u8, copies: u8) -> String {
    let star = if table.game.is_titan(kind) { "*" } else { "" };
    let name = table.card_name(kind);
    if copies > 1 { format!("{copies} {name}{star}") } else { format!("{name}{star}") }
}

fn counted(table: &Table<'_>, cards: Vec<(u8, u8)>) -> Vec<String> {
    cards.into_iter().map(|(kind, copies)| counted_one(table, kind, copies)).collect()
}

fn cards(count: u32) -> String {
    if count == 1 { "1 card".into() } else { format!("{count} cards") }
}

fn or_dash(words: &[String]) -> String {
    if words.is_empty() { "-".into() } else { words.join(", ") }
}
