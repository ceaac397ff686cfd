//! The whole position as a picture: cards and decks above, sheets and the score table below.

use super::super::board::SIDE;
use super::super::score::{LINES, POINT_LINES};
use super::super::state::{Kind, Terrain};
use super::icons::{
    ACCENT, CARD, FADED, FAINT, GOLD, GOLD_PALE, INK, MUTED, NEXUS_PALE, PAPER, UNIT, appearance,
};
use super::sheet::{self, Size};
use super::{Line, Scene, line_terrain};
use playmat_core::prelude::*;

/// Margin of the picture.
const PAD: f64 = 28.0;
/// Between sheets and beside the score table.
const GUTTER: f64 = 28.0;
/// Where sheets and table begin.
const TOP: f64 = 148.0;
/// Narrowest picture: cards and decks beside each other.
const MIN_WIDTH: f64 = 940.0;

/// Where everything lies: one large sheet or none, a block of equal sheets, the table.
struct Layout {
    /// The viewer's sheet.
    own: Option<Size>,
    /// The other sheets, and how many are beside each other.
    rest: Size,
    columns: usize,
    /// Width of a player's column in the score table.
    score_column: f64,
}

impl Layout {
    fn new(scene: &Scene<'_>) -> Layout {
        let players = scene.players();
        let (own, cell, columns) = match (scene.viewer, players) {
            (_, 1) => (None, 46.0, 1),
            (Some(_), 2) => (Some(38.0), 28.0, 1),
            (Some(_), 3) => (Some(38.0), 16.0, 1),
            (Some(_), 4 | 5) => (Some(38.0), 16.0, 2),
            (Some(_), 6 | 7) => (Some(42.0), 13.0, 2),
            (Some(_), _) => (Some(42.0), 13.0, 3),
            (None, 2) => (None, 36.0, 2),
            (None, 3) => (None, 26.0, 3),
            (None, 4) => (None, 26.0, 2),
            (None, 5 | 6) => (None, 24.0, 3),
            (None, _) => (None, 24.0, 4),
        };
        let score_column = match players {
            1 => 84.0,
            2 => 64.0,
            3 | 4 => 52.0,
            _ => 42.0,
        };
        Layout { own: own.map(|cell| Size { cell }), rest: Size { cell }, columns, score_column }
    }

    fn own_width(&self) -> f64 {
        self.own.map_or(0.0, |own| own.width() + GUTTER)
    }

    /// Number of sheets in the block.
    fn rest_count(&self, players: usize) -> usize {
        players - usize::from(self.own.is_some())
    }

    fn rest_width(&self) -> f64 {
        self.columns as f64 * (self.rest.width() + GUTTER)
    }

    fn rest_height(&self, players: usize) -> f64 {
        let rows = self.rest_count(players).div_ceil(self.columns) as f64;
        rows * self.rest.height() + (rows - 1.0) * ROW_GAP
    }
}

/// Between two rows of sheets.
const ROW_GAP: f64 = 14.0;
/// Label column of the score table.
const LABELS: f64 = 196.0;
/// Row of the score table.
const ROW: f64 = 25.0;
/// Height of the score table.
const TABLE: f64 = 30.0 + 2.0 * 28.0 + LINES as f64 * ROW + 38.0 + LEGEND;
/// Of this the explanation of gates.
const LEGEND: f64 = 32.0;

pub(super) fn draw(scene: &Scene<'_>) -> String {
    let layout = Layout::new(scene);
    let players = scene.players();
    let score_width = LABELS + layout.score_column * players as f64;
    let table_x = PAD + layout.own_width() + layout.rest_width();
    let width = (table_x + score_width + PAD).max(MIN_WIDTH);
    let table_x = width - PAD - score_width;
    let body = layout.rest_height(players).max(layout.own.map_or(0.0, Size::height)).max(TABLE);
    let mut svg = Svg::new(width, TOP + body + PAD);
    svg.rect(0.0, 0.0, width, TOP + body + PAD, PAPER, "");
    let decks_x = if score_width < 400.0 { table_x } else { width - PAD - 280.0 };
    header(&mut svg, scene, width, decks_x);
    let order = scene.in_order();
    let mut rest = order.as_slice();
    if let Some(own) = layout.own {
        sheet::draw(&mut svg, scene, order[0], own, (PAD, TOP));
        rest = &order[1..];
    }
    for (i, &player) in rest.iter().enumerate() {
        let (row, column) = ((i / layout.columns) as f64, (i % layout.columns) as f64);
        let x = PAD + layout.own_width() + column * (layout.rest.width() + GUTTER);
        sheet::draw(&mut svg, scene, player, layout.rest, (x, TOP + row * (layout.rest.height() + ROW_GAP)));
    }
    scores(&mut svg, scene, &order, (table_x, TOP), layout.score_column);
    svg.finish()
}

fn header(svg: &mut Svg, scene: &Scene<'_>, width: f64, decks_x: f64) {
    svg.text((PAD, 58.0), 24.0, Anchor::Start, INK, true, "Graphia Genesis");
    svg.text((PAD, 84.0), 14.0, Anchor::Start, MUTED, false, &format!("Round {}", scene.state.round));
    let colour = if scene.is_over() { GOLD } else { ACCENT };
    svg.text((PAD, 106.0), 14.0, Anchor::Start, colour, true, &scene.prompt());
    cards(svg, scene, (PAD + 262.0, 28.0));
    decks(svg, scene, decks_x);
    svg.line((PAD, 132.0), (width - PAD, 132.0), FAINT, 1.0);
}

/// Width and height of a card.
const CARD_SIZE: (f64, f64) = (66.0, 88.0);

/// Terrain, pair and die of the round.
fn cards(svg: &mut Svg, scene: &Scene<'_>, (mut x, y): (f64, f64)) {
    if let Some(terrain) = scene.terrain() {
        terrain_card(svg, terrain, (x, y));
        x += CARD_SIZE.0 + 12.0;
    }
    let own = scene.viewer.and_then(|player| scene.shape(player));
    let mut marked = false;
    for &kind in scene.pair() {
        // Of two equal cards the first is the chosen one.
        let chosen = own == Some(kind) && !marked;
        marked |= chosen;
        shape_card(svg, scene, kind, chosen, own.is_some() && !chosen, (x, y));
        x += CARD_SIZE.0 + 12.0;
    }
    if scene.state.number != 0 {
        die(svg, scene.state.number, (x + 44.0, y + 44.0));
    }
}

fn terrain_card(svg: &mut Svg, terrain: Terrain, (x, y): (f64, f64)) {
    let appearance = appearance(terrain);
    svg.rect(x, y, CARD_SIZE.0, CARD_SIZE.1, appearance.fill, r#"rx="7""#);
    svg.begin_style(&format!(r#"transform="translate({} {}) scale(2)""#, x + 13.0, y + 14.0));
    let (fill, style) = appearance.sign_style();
    svg.path(&format!("M0 0{}", appearance.sign), fill, &style);
    svg.end_group();
    svg.text((x + 33.0, y + 76.0), 11.5, Anchor::Middle, appearance.ink, true, terrain.name());
}

fn shape_card(svg: &mut Svg, scene: &Scene<'_>, kind: Kind, chosen: bool, dim: bool, (x, y): (f64, f64)) {
    if dim {
        svg.begin_style(r#"opacity=".45""#);
    }
    svg.framed((x, y), CARD_SIZE, CARD, 7.0, if chosen { (ACCENT, 2.5) } else { (FAINT, 1.2) });
    let fill = scene.terrain().map_or(MUTED, |terrain| appearance(terrain).fill);
    polyomino(svg, scene, kind, 13.0, fill, (x + 33.0, y + 36.0));
    let colour = if chosen { ACCENT } else { INK };
    let id = &scene.game.shape(kind).id;
    // Names of other contents may be long.
    let font = (90.0 / id.chars().count() as f64).min(11.5);
    svg.text((x + 33.0, y + 76.0), font, Anchor::Middle, colour, true, id);
    if dim {
        svg.end_group();
    }
}

/// A shape around a point, at most 4 squares of `cell` wide and high.
fn polyomino(svg: &mut Svg, scene: &Scene<'_>, kind: Kind, cell: f64, fill: &str, (x, y): (f64, f64)) {
    let shape = scene.game.shape(kind);
    let turned = &shape.orientations[0];
    let (height, width) = (f64::from(turned.height), f64::from(turned.width));
    let cell = cell.min(4.0 * cell / height.max(width));
    let d: String = turned.offsets[..shape.squares]
        .iter()
        .map(|&offset| {
            let (r, c) = (f64::from(offset / SIDE as u8), f64::from(offset % SIDE as u8));
            let (x, y) = (x + (c - width / 2.0) * cell, y + (r - height / 2.0) * cell);
            let side = cell - 1.0;
            format!("M{x:.1} {y:.1}h{side:.1}v{side:.1}h-{side:.1}z")
        })
        .collect();
    svg.path(&d, fill, "");
}

/// A die with twelve sides, seen from above.
fn die(svg: &mut Svg, number: u8, (x, y): (f64, f64)) {
    let corner = |radius: f64, turn: f64| {
        let angle = (turn / 10.0 - 0.25) * std::f64::consts::TAU;
        (x + radius * angle.cos(), y + radius * angle.sin())
    };
    let around: Vec<_> = (0..10).map(|i| corner(42.0, f64::from(i))).collect();
    let face: Vec<_> = (0..5).map(|i| corner(28.0, f64::from(2 * i))).collect();
    svg.polygon(&around, ACCENT, "");
    for i in 0..5 {
        svg.line(face[i], around[2 * i], CARD, 1.0);
    }
    svg.polygon(&face, "none", &format!(r#"stroke="{CARD}" stroke-width="1""#));
    svg.text((x, y + 9.0), 26.0, Anchor::Middle, CARD, true, &number.to_string());
}

/// What is left in both decks, and the numbers that Desolations used.
fn decks(svg: &mut Svg, scene: &Scene<'_>, x: f64) {
    let label = |svg: &mut Svg, y: f64, text: &str| {
        svg.text((x, y + 4.0), 11.0, Anchor::Start, MUTED, false, text);
    };
    label(svg, 40.0, "Terrains left");
    for (i, terrain) in Terrain::ALL.into_iter().enumerate() {
        let left = scene.state.terrains_left >> terrain.index() & 1 != 0;
        swatch(svg, terrain, left, 20.0, (x + 88.0 + 24.0 * i as f64, 30.0));
    }
    label(svg, 72.0, "Shapes left");
    shapes_left(svg, scene, (x + 88.0, 72.0));
    label(svg, 104.0, "Desolations");
    for n in 1..=SIDE {
        let used = scene.state.used >> (n - 1) & 1 != 0;
        let at = (x + 95.0 + 16.4 * (n - 1) as f64, 104.0);
        let colour = if used {
            svg.circle(at.0, at.1, 8.0, appearance(Terrain::Desolation).fill, "");
            CARD
        } else {
            MUTED
        };
        svg.text((at.0, at.1 + 3.4), 9.5, Anchor::Middle, colour, used, &n.to_string());
    }
}

/// The cards left in the polyomino deck; those gone are pale.
fn shapes_left(svg: &mut Svg, scene: &Scene<'_>, (x, y): (f64, f64)) {
    let deck: Vec<(Kind, bool)> = (0..scene.game.kinds())
        .flat_map(|k| {
            let (all, left) = (scene.game.deck()[k], scene.state.shapes_left[k]);
            (0..all).map(move |i| (Kind(k as u8), i < left))
        })
        .collect();
    let step = 192.0 / deck.len().max(1) as f64;
    for (i, &(kind, left)) in deck.iter().enumerate() {
        let colour = if left { INK } else { FAINT };
        let at = (x + (i as f64 + 0.5) * step, y);
        polyomino(svg, scene, kind, (step / 4.4).min(5.0), colour, at);
    }
}

/// A small square of a terrain with its sign; pale if it is `bright` no more.
fn swatch(svg: &mut Svg, terrain: Terrain, bright: bool, side: f64, (x, y): (f64, f64)) {
    let appearance = appearance(terrain);
    let pale = if bright { "" } else { r#" opacity=".18""# };
    let scale = side / UNIT as f64;
    svg.begin_style(&format!(r#"transform="translate({x} {y}) scale({scale})"{pale}"#));
    svg.rect(0.0, 0.0, 20.0, 20.0, appearance.fill, r#"rx="3""#);
    let (fill, style) = appearance.sign_style();
    svg.path(&format!("M0 0{}", appearance.sign), fill, &style);
    svg.end_group();
}

/// What a score line counts, for people who look something up.
fn hint(line: usize) -> &'static str {
    match line {
        0 => "on the border",
        1 => "2 per block of 4",
        2 => "12 if it crosses",
        3 => "−1 next to tundra",
        4 => "next to mountain",
        5 => "next to river",
        6 => "terrains around",
        _ => "",
    }
}

/// The score sheet of everybody.
fn scores(svg: &mut Svg, scene: &Scene<'_>, order: &[Player], (x, y): (f64, f64), column: f64) {
    svg.begin_group(x, y);
    let width = LABELS + column * order.len() as f64;
    let right = |i: usize| LABELS + column * (i as f64 + 1.0) - 18.0;
    svg.rect(0.0, 0.0, width, TABLE, CARD, &format!(r#"rx="8" stroke="{FAINT}""#));
    for (i, &player) in order.iter().enumerate() {
        if scene.winners().contains(player) {
            let x = LABELS + column * i as f64;
            svg.rect(x + 2.0, 2.0, column - 4.0, TABLE - LEGEND - 4.0, GOLD_PALE, r#"rx="6""#);
        }
    }
    svg.text((14.0, 20.0), 12.0, Anchor::Start, INK, true, "Score");
    for (i, player) in order.iter().enumerate() {
        let name = if column > 70.0 { format!("Player {player}") } else { format!("P{player}") };
        svg.text((right(i), 20.0), 12.0, Anchor::End, INK, true, &name);
    }
    let all: Vec<[Line; LINES]> = order.iter().map(|&player| scene.lines(player)).collect();
    let mut at = 30.0;
    for i in 0..LINES {
        if i == 0 || i == POINT_LINES {
            let text = if i == 0 { "Terrain points" } else { "Largest groups" };
            svg.text((14.0, at + 18.0), 11.0, Anchor::Start, MUTED, false, text);
            svg.line((14.0, at + 25.0), (width - 16.0, at + 25.0), FAINT, 1.0);
            at += 28.0;
        }
        let (terrain, group) = line_terrain(i);
        swatch(svg, terrain, true, 17.0, (14.0, at + 4.0));
        svg.text((38.0, at + 17.0), 12.5, Anchor::Start, INK, false, terrain.name());
        if !group {
            svg.text((LABELS - 8.0, at + 17.0), 10.0, Anchor::End, MUTED, false, hint(i));
        }
        for (s, lines) in all.iter().enumerate() {
            value(svg, lines[i], (right(s), at + 17.0));
        }
        at += ROW;
    }
    svg.line((14.0, at + 5.0), (width - 16.0, at + 5.0), INK, 1.0);
    svg.text((14.0, at + 26.0), 14.0, Anchor::Start, INK, true, "Total");
    for (i, &player) in order.iter().enumerate() {
        let colour = if scene.winners().contains(player) { GOLD } else { INK };
        svg.text((right(i), at + 26.0), 16.0, Anchor::End, colour, true, &signed(scene.total(player)));
    }
    legend(svg, at + 38.0);
    svg.end_group();
}

/// What is behind a number, or around it.
fn legend(svg: &mut Svg, y: f64) {
    svg.rect(14.0, y, 18.0, 14.0, NEXUS_PALE, r#"rx="7""#);
    svg.text((38.0, y + 11.0), 10.5, Anchor::Start, MUTED, false, "touches a nexus");
    svg.text((138.0, y + 11.0), 11.5, Anchor::Middle, FADED, false, "(4)");
    svg.text((151.0, y + 11.0), 10.5, Anchor::Start, MUTED, false, "does not: not counted");
}

/// A number with a proper minus sign.
pub(super) fn signed(value: i16) -> String {
    value.to_string().replace('-', "−")
}

/// A number of the score table: with a bed if its gate is open, in brackets if it is closed.
fn value(svg: &mut Svg, line: Line, (x, y): (f64, f64)) {
    let digits = signed(line.value);
    let length = 8.0 * digits.chars().count() as f64;
    if line.gated && line.open {
        svg.rect(x - length - 6.0, y - 13.0, length + 12.0, 18.0, NEXUS_PALE, r#"rx="9""#);
    }
    let closed = !line.open && line.value != 0;
    // The bracket stands to the right of the column of digits.
    let (x, digits) = if closed { (x + 4.5, format!("({digits})")) } else { (x, digits) };
    let colour = if line.open && line.value != 0 { INK } else { FADED };
    svg.text((x, y), 12.5, Anchor::End, colour, false, &digits);
}
