//! Colours and signs: every terrain differs from every other in lightness or sign, not in hue alone.

use super::super::board::{Board, Cell, SIDE};
use super::super::state::Terrain;
use std::fmt::Write;

/// Side of a square in the units in which sheets and signs are drawn.
pub(super) const UNIT: usize = 20;

pub(super) const PAPER: &str = "#faf8f3";
pub(super) const CARD: &str = "#fff";
pub(super) const INK: &str = "#2b2a28";
pub(super) const MUTED: &str = "#7b756a";
/// Numbers that count nothing.
pub(super) const FADED: &str = "#b3ac9e";
/// Lines.
pub(super) const FAINT: &str = "#d8d2c5";
/// The rolled line and what can be done now.
pub(super) const ACCENT: &str = "#c2255c";
/// Empty squares of the rolled line.
pub(super) const ACCENT_PALE: &str = "#f9e1ea";
/// Under a number whose gate is open.
pub(super) const NEXUS_PALE: &str = "#ebe4f6";
/// The winner.
pub(super) const GOLD: &str = "#b8860b";
pub(super) const GOLD_PALE: &str = "#fbf0cf";

/// How a sign is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    /// Filled.
    Fill,
    /// As lines of this width, in tenths of a unit.
    Lines(u8),
}

/// Looks of a terrain.
pub(super) struct Appearance {
    /// Colour of its squares.
    pub(super) fill: &'static str,
    /// Colour of its sign.
    pub(super) ink: &'static str,
    /// Its sign, relative to the top-left corner of a square of [`UNIT`].
    pub(super) sign: &'static str,
    pub(super) paint: Paint,
}

pub(super) fn appearance(terrain: Terrain) -> Appearance {
    let (fill, ink, sign, paint) = match terrain {
        // Two peaks.
        Terrain::Mountain => ("#8d8a94", "#f4f2f6", "m2.5 15.5l6-10 3.7 6 2-3 4.3 7z", Paint::Fill),
        // A fir.
        Terrain::Forest => (
            "#3d7a57",
            "#d3ead9",
            "m10 3l4.6 6h-2.3l3.6 4.8h-4.7v3.2h-2.4v-3.2h-4.7l3.6-4.8h-2.3z",
            Paint::Fill,
        ),
        // Two waves that run on into the next square.
        Terrain::River => {
            ("#3c86c8", "#dcedfb", "m0 7q5-4.4 10 0t10 0m-20 6.5q5-4.4 10 0t10 0", Paint::Lines(15))
        }
        // Grains of sand.
        Terrain::Desert => (
            "#edcf78",
            "#9a7420",
            "m4.5 5h.1m6.4 1.6h.1m5.4-2h.1m-10 6h.1m6.8.4h.1m-9.1 5h.1m6.4-.6h.1m5.4.6h.1",
            Paint::Lines(22),
        ),
        // A snow crystal.
        Terrain::Tundra => ("#d5e6ee", "#5d8296", "m10 4v12m-5.2-9l10.4 6m0-6l-10.4 6", Paint::Lines(15)),
        // Furrows that run on into the next square.
        Terrain::Farm => ("#dd9450", "#7c4313", "m3.33 0v20m6.67-20v20m6.67-20v20", Paint::Lines(14)),
        // A star.
        Terrain::Nexus => (
            "#5f4099",
            "#ffe9a8",
            "m10 2.5q1 6.5 7.5 7.5q-6.5 1-7.5 7.5q-1-6.5-7.5-7.5q6.5-1 7.5-7.5z",
            Paint::Fill,
        ),
        // A cross.
        Terrain::Desolation => ("#33302e", "#a39b90", "m5.5 5.5l9 9m0-9l-9 9", Paint::Lines(20)),
    };
    Appearance { fill, ink, sign, paint }
}

impl Appearance {
    /// The `d` of this sign on each of the squares.
    pub(super) fn signs(&self, squares: Board) -> String {
        let mut d = String::new();
        for cell in squares.iter() {
            let (x, y) = (UNIT * (cell.column() - 1), UNIT * (cell.row() - 1));
            let _ = write!(d, "M{x} {y}{}", self.sign);
        }
        d
    }

    /// Fill colour and attributes for a path of signs.
    pub(super) fn sign_style(&self) -> (&'static str, String) {
        match self.paint {
            Paint::Fill => (self.ink, String::new()),
            Paint::Lines(tenths) => {
                let width = f64::from(tenths) / 10.0;
                ("none", format!(r#"stroke="{}" stroke-width="{width}" stroke-linecap="round""#, self.ink))
            }
        }
    }
}

/// Runs of neighbours that `hold` in a row or column: where each begins, from 0, and its length.
fn runs(hold: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let all: Vec<usize> = (0..SIDE).collect();
    let runs = all.chunk_by(|&a, &b| hold(a) == hold(b));
    runs.filter(|run| hold(run[0])).map(|run| (run[0], run.len())).collect()
}

/// The `d` of an area: a bar for each run of squares in a row.
pub fn area(squares: Board) -> String {
    let mut d = String::new();
    for row in 0..SIDE {
        for (from, length) in runs(|column| squares.contains(Cell::at(row + 1, column + 1))) {
            let (x, y, w) = (UNIT * from, UNIT * row, UNIT * length);
            let _ = write!(d, "M{x} {y}h{w}v{UNIT}h-{w}z");
        }
    }
    d
}

/// The `d` of all edges between squares that `differ`, given as (row, column) from 0; beyond the sheet is `None`.
pub(super) fn edges(differ: impl Fn(Option<(usize, usize)>, Option<(usize, usize)>) -> bool) -> String {
    let mut d = String::new();
    for (line, upright) in (0..=SIDE).flat_map(|line| [(line, false), (line, true)]) {
        let square = |along: usize, side: usize| {
            let across = (line + side).checked_sub(1).filter(|&across| across < SIDE)?;
            Some(if upright { (along, across) } else { (across, along) })
        };
        for (from, length) in runs(|along| differ(square(along, 0), square(along, 1))) {
            let (a, b, length) = (UNIT * line, UNIT * from, UNIT * length);
            let _ = if upright { write!(d, "M{a} {b}v{length}") } else { write!(d, "M{b} {a}h{length}") };
        }
    }
    d
}

/// The `d` of the outline of a set of squares.
pub fn outline(squares: Board) -> String {
    let has = |at: Option<(usize, usize)>| at.is_some_and(|(r, c)| squares.contains(Cell::at(r + 1, c + 1)));
    edges(|a, b| has(a) != has(b))
}
