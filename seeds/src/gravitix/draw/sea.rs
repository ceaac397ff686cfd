//! The map: triangles, tiles, islands, markers, ships, and where a ship can go.

use super::super::content::Face;
use super::super::map::{Cell, SLOTS};
use super::super::state::{Ability, Resource};
use super::cards::{boat, resource_appearance};
use super::{FAINT, INK, MUTED, Scene, ship_colour};
use crate::text::ability_words;
use playmat_core::prelude::*;

/// Side of a triangle, and its height.
pub(super) const SIDE: f64 = 80.0;
const HEIGHT: f64 = 69.28;
/// Room for the numbers of the strips at the left, and for those of the triangles below.
const LABELS: (f64, f64) = (26.0, 18.0);
/// Half the width and half the height of an island: two of them lie one above the other in triangles that share an edge, two
/// thirds of a strip apart.
const WIDE: f64 = 31.0;
const TALL: f64 = 22.0;
/// Half the width and the height of a harbour, where the ships lie that are on an island: beyond the tip of its triangle,
/// where no other island reaches.
const HARBOUR: (f64, f64) = (23.0, 21.0);

const SEA: [&str; 2] = ["#d3eaf4", "#c2e0ee"];
const CLOSED: &str = "#a6bfcc";
const TILE: &str = "#5f8ca3";
const SLOT: &str = "#3f6c84";
const REACH: &str = "#ffe48a";
const SAND: &str = "#f7e9c4";
/// By number of the colour.
const TINTS: [&str; 2] = ["#ffb9a6", "#a9e2c6"];

/// Width and height of the map.
pub(super) fn extent(scene: &Scene<'_>) -> (f64, f64) {
    let (columns, rows) = scene.game.map.formation.size();
    (LABELS.0 + 2.0 * columns as f64 * SIDE, (4 * rows + 2) as f64 * HEIGHT + LABELS.1)
}

/// Where a map point lies: strips upwards from 0, sides from the left.
struct Frame {
    x: f64,
    bottom: f64,
}

impl Frame {
    fn at(&self, across: f64, up: f64) -> (f64, f64) {
        (self.x + LABELS.0 + across * SIDE, self.bottom - up * HEIGHT)
    }

    /// The corners of triangle (s, k), its part left of `right` and right of `left` only.
    fn triangle(&self, s: usize, k: usize, left: f64, right: f64) -> Vec<(f64, f64)> {
        let (low, high, x) = (s as f64, s as f64 + 1.0, k as f64 / 2.0);
        let (base, tip) = if (s + k).is_multiple_of(2) { (low, high) } else { (high, low) };
        let middle = x + 0.5;
        match (left > x, right < x + 1.0) {
            (false, false) => vec![self.at(x, base), self.at(x + 1.0, base), self.at(middle, tip)],
            (false, true) => vec![self.at(x, base), self.at(middle, base), self.at(middle, tip)],
            _ => vec![self.at(middle, base), self.at(x + 1.0, base), self.at(middle, tip)],
        }
    }

    /// The middle of a cell.
    fn middle(&self, scene: &Scene<'_>, cell: Cell) -> (f64, f64) {
        let (s, k) = scene.game.map.cells[cell.index()];
        let third = if (s + k) % 2 == 0 { 1.0 / 3.0 } else { 2.0 / 3.0 };
        self.at(f64::from(k) / 2.0 + 0.5, f64::from(s) + third)
    }
}

/// Draws the map with its upper left corner at (x, y).
pub(super) fn draw(svg: &mut Svg, scene: &Scene<'_>, (x, y): (f64, f64)) {
    let frame = Frame { x, bottom: y + extent(scene).1 - LABELS.1 };
    triangles(svg, scene, &frame);
    numbers(svg, scene, &frame);
    tiles(svg, scene, &frame);
    for slot in 0..SLOTS {
        harbour(svg, scene, slot, frame.middle(scene, scene.state.cells[slot]));
    }
    for slot in 0..SLOTS {
        island(svg, scene, slot, frame.middle(scene, scene.state.cells[slot]));
    }
    slots(svg, scene, &frame);
    dots(svg, scene, &frame);
    for player in Player::all(scene.players()) {
        let cell = scene.state.ships[player.index()];
        if cell.is_some() && scene.state.slot_at(cell).is_none() {
            let (x, y) = frame.middle(scene, cell);
            // Two in one triangle are smaller, or they would lie on the islands beside it.
            let (aside, scale) = match aside(scene, player, 10.5) {
                0.0 => (0.0, 1.1),
                aside => (aside, 0.72),
            };
            boat(svg, (x + aside, y), scale, ship_colour(scene, player));
        }
    }
}

/// How far right of the middle a ship is drawn: both are beside it if they share a cell.
fn aside(scene: &Scene<'_>, player: Player, step: f64) -> f64 {
    let [a, b] = scene.state.ships;
    if scene.players() == 2 && a == b { step * (2.0 * f64::from(player.0) - 1.0) } else { 0.0 }
}

/// The ships on the island of a slot, beside its upper or lower edge.
fn harbour(svg: &mut Svg, scene: &Scene<'_>, slot: usize, (x, y): (f64, f64)) {
    let cell = scene.state.cells[slot];
    let here = || Player::all(scene.players()).filter(|player| scene.state.ships[player.index()] == cell);
    if here().next().is_none() {
        return;
    }
    let (s, k) = scene.game.map.cells[cell.index()];
    let (wide, high) = HARBOUR;
    // A part of it lies under the island.
    let (top, waterline) = if (s + k) % 2 == 0 {
        (y - TALL - high, y - TALL - high / 2.0 + 1.0)
    } else {
        (y + TALL - 8.0, y + TALL + high / 2.0 + 1.0)
    };
    svg.framed((x - wide, top), (2.0 * wide, high + 8.0), "#ffffff", 7.0, (INK, 1.4));
    for player in here() {
        boat(svg, (x + aside(scene, player, 10.5), waterline), 0.72, ship_colour(scene, player));
    }
}

fn triangles(svg: &mut Svg, scene: &Scene<'_>, frame: &Frame) {
    let map = &scene.game.map;
    let (columns, rows) = map.formation.size();
    let reachable = scene.reachable();
    svg.begin_style(r##"stroke="#ffffff" stroke-width="1.2" stroke-linejoin="round""##);
    for s in 0..4 * rows + 2 {
        // Halves at the borders of tiles first: where two meet, the whole triangle covers them.
        for column in 0..columns {
            if map.cell(s, 4 * column + 1).is_none() {
                continue;
            }
            let (left, right) = (2.0 * column as f64, 2.0 * column as f64 + 2.0);
            if column > 0 {
                svg.polygon(&frame.triangle(s, 4 * column - 1, left, f64::MAX), CLOSED, "");
            } else {
                // The half left of the first column has no number of its own.
                let (base, tip) =
                    if s % 2 == 1 { (s as f64, s as f64 + 1.0) } else { (s as f64 + 1.0, s as f64) };
                svg.polygon(&[frame.at(0.0, base), frame.at(0.5, base), frame.at(0.0, tip)], CLOSED, "");
            }
            svg.polygon(&frame.triangle(s, 4 * column + 3, 0.0, right), CLOSED, "");
        }
    }
    for (i, &(s, k)) in map.cells.iter().enumerate() {
        let fill = if reachable.contains(Cell(i as u8)) { REACH } else { SEA[usize::from((s + k) % 2)] };
        svg.polygon(&frame.triangle(s.into(), k.into(), 0.0, f64::MAX), fill, "");
    }
    svg.end_group();
}

/// The numbers that name a cell: of the strips at the left, of the triangles of a strip below.
fn numbers(svg: &mut Svg, scene: &Scene<'_>, frame: &Frame) {
    let (columns, rows) = scene.game.map.formation.size();
    for s in 0..4 * rows + 2 {
        let (x, y) = frame.at(0.0, s as f64 + 0.5);
        svg.text((x - 7.0, y + 4.0), 10.5, Anchor::End, MUTED, false, &s.to_string());
    }
    for k in 0..4 * columns - 1 {
        let (x, y) = frame.at(k as f64 / 2.0 + 0.5, 0.0);
        svg.text((x, y + 14.0), 10.5, Anchor::Middle, MUTED, false, &k.to_string());
    }
}

/// The upper left corner of the tile in a slot.
fn corner(scene: &Scene<'_>, frame: &Frame, slot: usize) -> (f64, f64) {
    let (columns, _) = scene.game.map.formation.size();
    let (row, column) = (slot / columns, slot % columns);
    frame.at(2.0 * column as f64, (4 * row + 2 * (column % 2)) as f64 + 4.0)
}

/// Outlines of the tiles.
fn tiles(svg: &mut Svg, scene: &Scene<'_>, frame: &Frame) {
    let style = format!(r#"stroke="{TILE}" stroke-width="1.6""#);
    for slot in 0..SLOTS {
        let (x, y) = corner(scene, frame, slot);
        svg.rect(x, y, 2.0 * SIDE, 4.0 * HEIGHT, "none", &style);
    }
}

/// The numbers of the slots: at the foot of the uppermost strip, where no island reaches.
fn slots(svg: &mut Svg, scene: &Scene<'_>, frame: &Frame) {
    for slot in 0..SLOTS {
        let (x, y) = corner(scene, frame, slot);
        svg.text((x + 3.0, y + HEIGHT - 4.0), 10.5, Anchor::Start, SLOT, true, &slot.to_string());
    }
}

/// The dots that show a tile's set at its lower right (GX-R23), one above the other beside whatever island lies there.
fn dots(svg: &mut Svg, scene: &Scene<'_>, frame: &Frame) {
    let style = format!(r#"stroke="{TILE}" stroke-width="1""#);
    for slot in 0..SLOTS {
        let (x, y) = corner(scene, frame, slot);
        for dot in 0..scene.face(slot).set {
            let up = 8.0 + 9.0 * f64::from(dot);
            svg.circle(x + 2.0 * SIDE - 5.0, y + 4.0 * HEIGHT - up, 3.2, "#ffffff", &style);
        }
    }
}

/// A few signs for an ability.
fn sign(ability: Ability) -> &'static str {
    match ability {
        Ability::Exchange => "A > B",
        Ability::MinusOne => "-1",
        Ability::PlusTwoEach => "+2 each",
        Ability::DoubleSail => "sail x2",
        Ability::SwapTwo => "swap 2",
        Ability::Double => "next x2",
        other => ability_words(other),
    }
}

/// The island of a slot: points upper left, cards upper right, demand below, markers on top.
fn island(svg: &mut Svg, scene: &Scene<'_>, slot: usize, (x, y): (f64, f64)) {
    let face = scene.face(slot);
    let owner = scene.state.owner(slot);
    let edge = owner.map_or(("#b79a5c", 1.4), |player| (ship_colour(scene, player), 3.0));
    let fill = face.colour.map_or(SAND, |colour| TINTS[usize::from(colour)]);
    svg.framed((x - WIDE, y - TALL), (2.0 * WIDE, 2.0 * TALL), fill, 15.0, edge);
    // Three lines with an ability, two without.
    let [first, second] = if face.ability.is_some() { [y - 8.0, y + 2.0] } else { [y - 4.0, y + 9.5] };
    svg.text((x - WIDE + 7.0, first), 13.5, Anchor::Start, INK, true, &face.points.to_string());
    cards_sign(svg, face, (x + WIDE - 15.5, first - 5.0));
    demand(svg, face.demand, (x, second));
    if let Some(player) = owner {
        // Between the points and the cards.
        let count = if scene.is_doubled(slot) { 2 } else { 1 };
        for marker in 0..count {
            let at = x - 2.5 - 5.0 * f64::from(count) + 10.0 * f64::from(marker);
            svg.framed((at, first - 10.5), (10.0, 11.0), ship_colour(scene, player), 2.0, ("#ffffff", 1.0));
        }
    }
    if let Some(ability) = face.ability {
        let text = sign(ability);
        let half = 2.7 * text.chars().count() as f64 + 4.0;
        svg.rect(x - half, y + TALL - 11.5, 2.0 * half, 10.5, INK, r#"rx="5""#);
        svg.text((x, y + TALL - 3.2), 8.5, Anchor::Middle, "#ffffff", true, text);
    }
}

/// How many cards an island grants: a number on a little card.
fn cards_sign(svg: &mut Svg, face: &Face, (x, y): (f64, f64)) {
    svg.framed((x - 5.5, y - 7.0), (12.0, 14.0), "#ffffff", 2.0, ("#8a7a55", 1.0));
    svg.text((x + 0.5, y + 4.0), 11.0, Anchor::Middle, INK, true, &face.cards.to_string());
}

/// Three amounts beside each other, each on its colour; nothing where none is wanted.
pub(super) fn demand(svg: &mut Svg, units: [u8; 3], (x, y): (f64, f64)) {
    for resource in Resource::ALL {
        let at = x + 17.0 * (resource.index() as f64 - 1.0);
        let (count, appearance) = (units[resource.index()], resource_appearance(resource));
        if count == 0 {
            svg.circle(at, y, 2.0, FAINT, "");
            continue;
        }
        svg.circle(at, y, 7.6, appearance.fill, "");
        svg.text((at, y + 3.8), 10.5, Anchor::Middle, "#ffffff", true, &count.to_string());
    }
}
