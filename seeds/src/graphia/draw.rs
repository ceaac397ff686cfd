//! The table as text and as a picture.

use super::Graphia;
use super::board::Cell;
use super::state::{Phase, State};
use playmat_core::prelude::*;

/// The letter of a square.
fn letter(state: &State, seat: Seat, row: usize, column: usize) -> char {
    state.sheets[seat.index()].at(Cell::at(row, column)).map_or('.', |terrain| terrain.letter())
}

/// The round in one line.
fn headline(game: &Graphia, state: &State) -> String {
    let terrain = state.terrain.map_or("-", |terrain| terrain.name());
    let pair = state
        .pair
        .map_or(String::new(), |[a, b]| format!(", shapes {} and {}", game.shape(a).id, game.shape(b).id));
    let number = if state.number == 0 { String::new() } else { format!(", line {}", state.number) };
    let over = if state.phase == Phase::End { ", game over" } else { "" };
    format!("Round {}: {terrain}{pair}{number}{over}", state.round)
}

/// The sheets, three beside each other.
pub(super) fn text(game: &Graphia, state: &State, viewer: Option<Seat>) -> String {
    let mut out = headline(game, state);
    out.push('\n');
    let used: Vec<String> =
        (1..=12).filter(|n| state.used >> (n - 1) & 1 != 0).map(|n| n.to_string()).collect();
    if !used.is_empty() {
        out.push_str(&format!("Desolations used: {}\n", used.join(" ")));
    }
    let seats: Vec<Seat> = Seat::all(game.players()).collect();
    for group in seats.chunks(3) {
        out.push('\n');
        for &seat in group {
            let you = if viewer == Some(seat) { " (you)" } else { "" };
            let title = format!("Player {seat}{you}: {}", state.sheets[seat.index()].tally.total);
            out.push_str(&format!("{title:<32}"));
        }
        out = out.trim_end().to_string() + "\n";
        for row in 1..=12 {
            for &seat in group {
                let squares: Vec<String> =
                    (1..=12).map(|column| letter(state, seat, row, column).to_string()).collect();
                out.push_str(&format!("{row:>2} {}      ", squares.join(" ")));
            }
            out = out.trim_end().to_string() + "\n";
        }
    }
    out
}

/// The sheets beside each other.
pub(super) fn svg(game: &Graphia, state: &State, _viewer: Option<Seat>) -> String {
    let players = game.players();
    let mut svg = Svg::new(260.0 * players as f64 + 20.0, 310.0);
    svg.text((20.0, 24.0), 14.0, Anchor::Start, "#222", true, &headline(game, state));
    for seat in Seat::all(players) {
        svg.begin_group(20.0 + 260.0 * f64::from(seat.0), 44.0);
        let total = state.sheets[seat.index()].tally.total;
        svg.text((0.0, 10.0), 12.0, Anchor::Start, "#222", false, &format!("Player {seat}: {total}"));
        for row in 1..=12 {
            for column in 1..=12 {
                let (x, y) = (20.0 * (column - 1) as f64, 20.0 * row as f64);
                svg.rect(x, y, 20.0, 20.0, "#fff", r##"stroke="#999""##);
                let letter = letter(state, seat, row, column).to_string();
                svg.text((x + 10.0, y + 14.0), 12.0, Anchor::Middle, "#222", false, &letter);
            }
        }
        svg.end_group();
    }
    svg.finish()
}
