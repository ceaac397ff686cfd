//! One player's sheet as a picture.

use super::super::board::{Board, Cell, SIDE};
use super::super::state::Terrain;
use super::icons::{ACCENT, ACCENT_PALE, CARD, GOLD, INK, MUTED, UNIT, appearance, area, edges, outline};
use super::picture::signed;
use super::{Doing, Scene};
use playmat_core::prelude::*;

/// Measures of a sheet with squares of a given size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Size {
    /// Side of a square.
    pub(super) cell: f64,
}

impl Size {
    /// Height of the title above.
    const TITLE: f64 = 26.0;

    fn is_large(self) -> bool {
        self.cell >= 24.0
    }

    /// Room for the numbers of rows and columns.
    fn margin(self) -> f64 {
        if self.is_large() { 22.0 } else { 14.0 }
    }

    pub(super) fn width(self) -> f64 {
        self.margin() + SIDE as f64 * self.cell
    }

    pub(super) fn height(self) -> f64 {
        Size::TITLE + self.width()
    }
}

/// Draws the sheet of `player` with its title; the top-left corner is at (x, y).
pub(super) fn draw(svg: &mut Svg, scene: &Scene<'_>, player: Player, size: Size, (x, y): (f64, f64)) {
    svg.begin_group(x, y);
    title(svg, scene, player, size);
    svg.begin_group(size.margin(), Size::TITLE + size.margin());
    let number = if scene.is_over() { 0 } else { usize::from(scene.state.number) };
    numbers(svg, number, size);
    let scale = size.cell / UNIT as f64;
    svg.begin_style(&format!(r#"transform="scale({scale})""#));
    ground(svg, scene, player);
    terrains(svg, scene, player);
    grid(svg);
    line_and_ghost(svg, scene, player);
    svg.end_group();
    svg.end_group();
    svg.end_group();
}

fn title(svg: &mut Svg, scene: &Scene<'_>, player: Player, size: Size) {
    let font = if size.is_large() { 16.0 } else { 13.0 };
    let (left, right, base) = (size.margin(), size.width(), 17.0);
    let winner = scene.winners().contains(player);
    let colour = if winner { GOLD } else { INK };
    let star = if winner { "★ " } else { "" };
    let (name, total) = (format!("{star}{}", scene.name(player)), signed(scene.total(player)));
    svg.text((left, base), font, Anchor::Start, colour, true, &name);
    svg.text((right, base), font, Anchor::End, colour, true, &total);
    let doing = scene.doing(player);
    if doing != Doing::Done {
        let colour = if matches!(doing, Doing::Places | Doing::ChoosesShape) { ACCENT } else { MUTED };
        let status = scene.status(player);
        // In the middle between name and total, smaller if they leave little.
        let wide = |text: &str| 0.62 * font * text.chars().count() as f64;
        let (from, to) = (left + wide(&name) + 6.0, right - wide(&total) - 6.0);
        let size = ((to - from) / (0.54 * status.chars().count() as f64)).min(font - 3.0);
        svg.text(((from + to) / 2.0, base), size, Anchor::Middle, colour, false, &status);
    }
}

fn numbers(svg: &mut Svg, rolled: usize, size: Size) {
    let font = if size.is_large() { 12.0 } else { 8.5 };
    let off = size.margin() / 2.0;
    for n in 1..=SIDE {
        let middle = (n as f64 - 0.5) * size.cell;
        for (x, y) in [(middle, -off), (-off, middle)] {
            let colour = if n == rolled { CARD } else { MUTED };
            if n == rolled {
                svg.circle(x, y, font * 0.78, ACCENT, "");
            }
            svg.text((x, y + font * 0.36), font, Anchor::Middle, colour, n == rolled, &n.to_string());
        }
    }
}

/// Paper and the empty squares of the rolled line. The nine blocks are alike: lines part them.
fn ground(svg: &mut Svg, scene: &Scene<'_>, player: Player) {
    svg.path(&area(Board::ALL), CARD, "");
    let line = scene.line().and(scene.sheet(player).empty());
    if !line.is_empty() {
        svg.path(&area(line), ACCENT_PALE, "");
    }
}

/// The drawn squares, and those about to be drawn.
fn terrains(svg: &mut Svg, scene: &Scene<'_>, player: Player) {
    let sheet = scene.sheet(player);
    for terrain in Terrain::ALL {
        paint(svg, terrain, sheet.plane(terrain));
    }
    // A gap of paper between different terrains: a group is one piece.
    let at = |square: Option<(usize, usize)>| square.and_then(|(r, c)| sheet.at(Cell::at(r + 1, c + 1)));
    let borders = edges(|a, b| at(a) != at(b));
    svg.path(&borders, "none", &format!(r#"stroke="{CARD}" stroke-width="1.6" stroke-linecap="square""#));
    let ghost = scene.ghost(player);
    if let Some(terrain) = scene.terrain().filter(|_| !ghost.is_empty()) {
        svg.begin_style(r#"opacity=".55""#);
        paint(svg, terrain, ghost);
        svg.end_group();
    }
}

fn paint(svg: &mut Svg, terrain: Terrain, squares: Board) {
    if squares.is_empty() {
        return;
    }
    let appearance = appearance(terrain);
    svg.path(&area(squares), appearance.fill, "");
    let (fill, style) = appearance.sign_style();
    svg.path(&appearance.signs(squares), fill, &style);
}

/// Squares thin, the nine blocks and the frame strong.
fn grid(svg: &mut Svg) {
    let side = UNIT * SIDE;
    let lines = |step: usize| -> String {
        (0..=SIDE).step_by(step).map(|i| format!("M0 {0}h{side}M{0} 0v{side}", UNIT * i)).collect()
    };
    svg.path(&lines(1), "none", &format!(r#"stroke="{INK}" stroke-opacity=".13" stroke-width=".6""#));
    svg.path(&lines(4), "none", &format!(r#"stroke="{INK}" stroke-width="1.1" stroke-linecap="square""#));
}

/// The rolled line around, targets in it, and the outline of what is about to be drawn.
fn line_and_ghost(svg: &mut Svg, scene: &Scene<'_>, player: Player) {
    let line = scene.line();
    if !line.is_empty() {
        let style = format!(r#"stroke="{ACCENT}" stroke-width="1.5" stroke-linecap="square""#);
        svg.path(&outline(line), "none", &style);
    }
    // On the others' small sheets dots would only be noise.
    let targets = if scene.sees(player) { scene.targets(player) } else { Board::EMPTY };
    if !targets.is_empty() {
        let dots: String = targets
            .iter()
            .map(|cell| format!("M{} {}h.1", UNIT * cell.column() - UNIT / 2, UNIT * cell.row() - UNIT / 2))
            .collect();
        svg.path(&dots, "none", &format!(r#"stroke="{ACCENT}" stroke-width="5" stroke-linecap="round""#));
    }
    let ghost = scene.ghost(player);
    if !ghost.is_empty() {
        let style = format!(r#"stroke="{INK}" stroke-width="1.8" stroke-dasharray="4 2.66""#);
        svg.path(&outline(ghost), "none", &style);
    }
}
