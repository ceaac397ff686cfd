//! The position as text.
//!
//! ```text
//!                     1 1 1
//!    1 2 3 4 5 6 7 8 9 0 1 2
//!   +-------+-----v-+-------+
//!  1|M M . .|. . . + .|. . . .|
//! ```
//!
//! Capital letters are drawn squares, small letters a choice not revealed yet, `+` squares of the rolled line that
//! can be drawn on, `.` other empty squares; `v` and `>` point at the rolled line.

use super::super::board::{Cell, SIDE};
use super::super::score::{LINES, POINT_LINES};
use super::super::state::Terrain;
use super::{Line, Scene, line_terrain};
use playmat_core::prelude::*;
use playmat_core::terminal::wrap_parts;
use std::fmt::Write;

/// Sheets beside each other.
const PER_ROW: usize = 3;
/// Columns of a drawn sheet.
const WIDTH: usize = 27;
/// Columns between two sheets.
const GAP: &str = "     ";

pub(super) fn draw(scene: &Scene<'_>) -> String {
    let mut out = String::new();
    heading(scene, &mut out);
    for players in scene.in_order().chunks(PER_ROW) {
        out.push('\n');
        let sheets: Vec<_> = players.iter().map(|&player| sheet(scene, player)).collect();
        for i in 0..sheets[0].len() {
            let row: Vec<_> = sheets.iter().map(|sheet| format!("{:WIDTH$}", sheet[i])).collect();
            out.push_str(row.join(GAP).trim_end());
            out.push('\n');
        }
    }
    out.push('\n');
    scores(scene, &mut out);
    out
}

fn heading(scene: &Scene<'_>, out: &mut String) {
    let state = scene.state;
    let mut round = vec!["Graphia Genesis ".into(), format!("round {} ", state.round)];
    let terrain = scene.terrain().map_or("-", Terrain::name);
    round.push(match *scene.pair() {
        [a, b] if a != b => {
            format!("{terrain}: {} or {} ", scene.game.shape(a).id, scene.game.shape(b).id)
        }
        [a, _] => format!("{terrain}: {} ", scene.game.shape(a).id),
        _ => format!("{terrain} "),
    });
    if state.number != 0 {
        round.push(format!("rolled {}", state.number));
    }
    wrap_parts(out, "", "  ", &round, " ");
    let _ = writeln!(out, "{}", scene.prompt());
    for shape in shapes_shown(scene) {
        let _ = writeln!(out, "{}", shape.trim_end());
    }
    let mut left = vec!["Terrains left:".into()];
    let terrains = Terrain::ALL.into_iter();
    left.extend(terrains.map(|t| {
        if state.terrains_left >> t.index() & 1 != 0 { t.letter().to_string() } else { "-".into() }
    }));
    left.push("  shapes left:".into());
    let cards = scene.game.shapes().iter().zip(&state.shapes_left);
    let shapes: Vec<_> = cards
        .filter(|(_, count)| **count > 0)
        .map(|(shape, &count)| if count == 1 { shape.id.clone() } else { format!("{} x{count}", shape.id) })
        .collect();
    left.extend(some_or_none(shapes));
    left.push("  Desolations:".into());
    let used = (1..=SIDE).filter(|n| state.used >> (n - 1) & 1 != 0).map(|n| n.to_string()).collect();
    left.extend(some_or_none(used));
    wrap_parts(out, "", "  ", &left, " ");
}

fn some_or_none(list: Vec<String>) -> Vec<String> {
    if list.is_empty() { vec!["none".into()] } else { list }
}

/// The cards shown, drawn beside each other.
fn shapes_shown(scene: &Scene<'_>) -> Vec<String> {
    let mut pair = scene.pair().to_vec();
    pair.dedup();
    let height = pair.iter().map(|&kind| scene.game.shape(kind).orientations[0].height).max().unwrap_or(0);
    let mut rows = vec![String::new(); height.into()];
    for &kind in &pair {
        let shape = scene.game.shape(kind);
        let turned = &shape.orientations[0];
        for (r, row) in rows.iter_mut().enumerate() {
            let label = if r == 0 { shape.id.as_str() } else { "" };
            let _ = write!(row, "  {label:>w$} ", w = shape.id.chars().count());
            for c in 0..usize::from(turned.width) {
                let filled = turned.offsets[..shape.squares].contains(&((SIDE * r + c) as u8));
                row.push_str(if filled { "[]" } else { "  " });
            }
            row.push_str("  ");
        }
    }
    rows
}

/// One sheet as lines of equal meaning: title, column numbers, frame and rows.
fn sheet(scene: &Scene<'_>, player: Player) -> Vec<String> {
    let number = if scene.is_over() { 0 } else { usize::from(scene.state.number) };
    let (ghost, targets) = (scene.ghost(player), scene.targets(player));
    let mut lines = vec![title(scene, player)];
    if !scene.is_over() {
        lines.push(scene.status(player));
    }
    lines.push(format!("{:21}1 1 1", ""));
    lines.push("   1 2 3 4 5 6 7 8 9 0 1 2".into());
    lines.push(frame(number));
    for row in 1..=SIDE {
        let mut line = format!("{row:2}");
        line.push(if row == number { '>' } else { '|' });
        for column in 1..=SIDE {
            let cell = Cell::at(row, column);
            let letter = match (scene.sheet(player).at(cell), scene.terrain()) {
                (Some(terrain), _) => terrain.letter(),
                (None, Some(terrain)) if ghost.contains(cell) => terrain.letter().to_ascii_lowercase(),
                _ if targets.contains(cell) => '+',
                _ => '.',
            };
            line.push(letter);
            line.push(match column {
                SIDE if row == number => '<',
                4 | 8 | SIDE => '|',
                _ => ' ',
            });
        }
        lines.push(line);
        if row % 4 == 0 {
            lines.push(frame(if row == SIDE { number } else { 0 }));
        }
    }
    lines
}

fn frame(number: usize) -> String {
    let mut line = String::from("  +-------+-------+-------+");
    if number != 0 {
        let at = 3 + 2 * (number - 1);
        line.replace_range(at..=at, "v");
    }
    line
}

fn title(scene: &Scene<'_>, player: Player) -> String {
    let total = scene.total(player);
    let crown = if scene.winners().contains(player) { "  * winner" } else { "" };
    format!("{}: {total}{crown}", scene.name(player))
}

/// The score lines of all players in columns; in brackets lines that a closed gate sets to 0.
fn scores(scene: &Scene<'_>, out: &mut String) {
    let players = scene.in_order();
    let all: Vec<[Line; LINES]> = players.iter().map(|&player| scene.lines(player)).collect();
    let row = |out: &mut String, label: &str, cells: Vec<String>| {
        let mut line = format!("{label:<16}");
        for cell in cells {
            let _ = write!(line, "{cell:>9}");
        }
        let _ = writeln!(out, "{}", line.trim_end());
    };
    row(out, "Score", players.iter().map(|player| format!("Player {player} ")).collect());
    for i in 0..LINES {
        match i {
            0 => out.push_str("Terrain points\n"),
            POINT_LINES => out.push_str("Largest groups\n"),
            _ => {}
        }
        let terrain = line_terrain(i).0;
        let label = format!("  {} {}", terrain.letter(), terrain.name());
        row(out, &label, all.iter().map(|lines| cell(lines[i])).collect());
    }
    row(out, "Total", players.iter().map(|&player| format!("{} ", scene.total(player))).collect());
    legend(scene, &all, out);
}

/// What the signs mean that this picture has.
fn legend(scene: &Scene<'_>, all: &[[Line; LINES]], out: &mut String) {
    let players = scene.in_order();
    let closed = all.iter().flatten().any(|line| !line.open && line.value != 0);
    let signs = [
        (scene.state.used != 0, "O Desolation"),
        (players.iter().any(|&player| !scene.targets(player).is_empty()), "+ can be drawn on"),
        (players.iter().any(|&player| !scene.ghost(player).is_empty()), "small letters: to be drawn"),
        (closed, "(n): not counted, touches no nexus"),
    ];
    let parts: Vec<_> = signs.into_iter().filter(|sign| sign.0).map(|sign| sign.1).collect();
    if !parts.is_empty() {
        let _ = writeln!(out, "\n{}", parts.join(";  "));
    }
}

fn cell(line: Line) -> String {
    match (line.open, line.value) {
        (true, value) => format!("{value} "),
        (false, 0) => "- ".into(),
        (false, value) => format!("({value})"),
    }
}
