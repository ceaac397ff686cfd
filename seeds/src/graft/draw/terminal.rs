//! The table as text.
//!
//! ```text
//! Player 0 (you): 12 points, compost 3, shipped 2 rows
//!   row   Moonberry F | Z-Coin O | Pig Iron O     = 7, forbids F, meets Hard Currency
//! ```

use super::super::state::Kind;
use super::Table;
use playmat_core::prelude::*;
use playmat_core::terminal::wrap_parts;
use std::fmt::Write;

pub(super) fn draw(table: &Table<'_>) -> String {
    let mut out = String::new();
    heading(table, &mut out);
    badges(table, &mut out);
    for seat in table.seats() {
        out.push('\n');
        player(table, seat, &mut out);
    }
    for seat in table.seats().into_iter().filter(|&seat| table.sees(seat)) {
        hand(table, seat, &mut out);
    }
    let types: Vec<String> =
        table.game.types().iter().map(|ty| format!("{} {}", ty.letter, ty.name)).collect();
    let _ = writeln!(out);
    wrap_parts(&mut out, "Types: ", "  ", &types, ", ");
    out
}

fn heading(table: &Table<'_>, out: &mut String) {
    let state = table.state;
    let title = if table.players() == 2 { "Graft (two-player variant)" } else { "Graft" };
    let last =
        if state.pile_size == 0 && !table.is_over() { ", the next ship card ends the game" } else { "" };
    let turn = table.turn().to_lowercase();
    let _ = writeln!(out, "{title}  {turn}  pile {}{last}", state.pile_size);
    wrap_parts(out, "", "", &[table.prompt()], "");
}

fn badges(table: &Table<'_>, out: &mut String) {
    let _ = writeln!(
        out,
        "\nBadges  (points of the first claim, then of later ones; in brackets what does not count now)"
    );
    for (slot, &badge) in table.state.slots.iter().enumerate() {
        let (data, text) = (&table.game.badges()[usize::from(badge)], table.game.badge_text(badge));
        let tier = if slot < 2 { "gold" } else { "silver" };
        let value = if table.state.taken >> slot & 1 != 0 {
            format!("({}) {}", data.high, data.low)
        } else {
            format!("{} ({})", data.high, data.low)
        };
        let claims: Vec<String> =
            table.claimers(slot).iter().map(|(seat, value)| format!("player {seat}: {value}")).collect();
        let mut parts = vec![format!("{tier:6} {:18} {value:8}", text.name), text.needs.join("; ")];
        if !claims.is_empty() {
            parts.push(format!("claimed by {}", claims.join(", ")));
        }
        wrap_parts(out, "  ", "         ", &parts, "  ");
    }
}

fn player(table: &Table<'_>, seat: Seat, out: &mut String) {
    let state = table.state;
    let at = seat.index();
    let rows: Vec<&[u8]> = state.completed_rows(seat).collect();
    let crown = if table.winners.contains(seat) { "* " } else { "" };
    let mut parts =
        vec![format!("{crown}{}: {}", table.name(seat), count(state.points(seat).into(), "point"))];
    parts.push(format!("compost {} x {}", state.compost_sizes[at], 1 + state.recycles[at]));
    let sizes: Vec<String> = rows.iter().map(|row| row.len().to_string()).collect();
    if !sizes.is_empty() {
        parts.push(format!("shipped rows of {} for {}", sizes.join("+"), state.row_points[at]));
    }
    if !table.status(seat).is_empty() {
        parts.push(table.status(seat).into());
    }
    parts.extend(table.claim(seat));
    wrap_parts(out, "", "    ", &parts, ", ");
    let row = table.row(seat);
    let mut cards: Vec<String> = row
        .codes()
        .iter()
        .map(|&code| {
            let kind = Kind::of_code(code);
            format!("{} {}", table.card_name(code), table.letters(1 << table.game.data(kind).ty))
        })
        .collect();
    if cards.is_empty() {
        cards.push("-".into());
    }
    if row.len > 0 || !table.is_over() {
        wrap_parts(out, "  row     ", "          ", &cards, " | ");
    }
    if row.len > 0 {
        let mut facts = vec![count(row.score.into(), "point")];
        if row.forbidden != 0 {
            facts.push(format!("forbids {}", table.letters(row.forbidden)));
        }
        let met = (0..state.slots.len()).filter(|slot| row.met >> slot & 1 != 0);
        facts.extend(met.map(|slot| format!("meets {}", table.badge_name(slot))));
        wrap_parts(out, "          = ", "            ", &facts, ", ");
    }
    if let Some(kind) = table.waiting(seat) {
        let _ = writeln!(out, "  waiting {}", table.game.text(kind).name);
    }
    let compost = counted(table, &state.composts[at].0);
    if !compost.is_empty() {
        wrap_parts(out, "  compost ", "          ", &compost, ", ");
    }
    let down: Vec<String> = table.face_down(seat).iter().map(|&code| table.card_name(code).into()).collect();
    if !down.is_empty() {
        wrap_parts(out, "  chosen  ", "          ", &down, ", then ");
    }
    if !table.sees(seat) {
        let view = table.hand(seat);
        let mut cards: Vec<String> =
            view.known.iter().map(|&kind| table.game.text(kind).name.clone()).collect();
        if view.hidden > 0 || cards.is_empty() {
            cards.push(format!("{} unknown", view.hidden));
        }
        wrap_parts(out, "  hand    ", "          ", &cards, ", ");
    }
}

/// Names of the cards of a zone with their number.
fn counted(table: &Table<'_>, counts: &[u8]) -> Vec<String> {
    let there = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    there
        .map(|(kind, &count)| {
            let name = &table.game.text(Kind(kind as u8)).name;
            if count > 1 { format!("{name} x{count}") } else { name.clone() }
        })
        .collect()
}

fn hand(table: &Table<'_>, seat: Seat, out: &mut String) {
    let whose = if table.viewer.is_some() { "Your hand".into() } else { format!("Hand of player {seat}") };
    let mut cards = table.hand(seat).known;
    cards.dedup();
    let all = table.hand(seat).known;
    let _ = writeln!(out, "\n{whose}: the ship card and {}", all.len());
    for kind in cards {
        let (data, text) = (table.game.data(kind), table.game.text(kind));
        let count = all.iter().filter(|&&other| other == kind).count();
        let count = if count > 1 { format!("x{count}") } else { String::new() };
        let letter = table.letters(1 << data.ty);
        let forbids = if data.forbids == 0 { "-".into() } else { table.letters(data.forbids) };
        let rules = table.rules_of(kind);
        let head = format!("  {:20} {count:2} {letter}  forbids {forbids:4} ", text.name);
        wrap_parts(out, &head, "                                      ", &rules, " and ");
    }
}
