//! Cargo cards, badges and tokens as pictures.

use super::super::content::Effect;
use super::super::state::Kind;
use super::Scene;
use playmat_core::prelude::*;

/// Background: deep space.
pub(super) const SPACE: &str = "#191b2e";
/// Panels on it.
pub(super) const PANEL: &str = "#262a44";
/// Lines and frames on it.
pub(super) const EDGE: &str = "#3d4369";
/// Text on it.
pub(super) const LIGHT: &str = "#eef0fb";
/// Lesser text on it.
pub(super) const DIM: &str = "#9ea5cc";
/// Whoever has to decide.
pub(super) const ACCENT: &str = "#59d3c4";
/// Paper of cards.
pub(super) const PAPER: &str = "#fbf7ec";
/// Text on paper.
pub(super) const INK: &str = "#2b2a33";
/// Lesser text on paper.
pub(super) const FADED: &str = "#77727a";
/// Gold badges and winners.
pub(super) const GOLD: &str = "#e7b84a";
/// Silver badges.
pub(super) const SILVER: &str = "#c3cbd8";
/// What is forbidden.
pub(super) const STOP: &str = "#d23b3b";

/// Tokens of the five players.
const TOKENS: [&str; 5] = ["#ef6f6c", "#4fa3ef", "#63c272", "#f0b54a", "#b57be0"];

pub(super) fn token(player: Player) -> &'static str {
    TOKENS[player.index() % TOKENS.len()]
}

/// Width of a letter beside the height of its font, at most for nearly all texts.
const PLAIN: f64 = 0.56;

/// The sign of a type: a disc of its colour with a picture, or its letter if the content is another's.
pub(super) fn type_sign(svg: &mut Svg, scene: &Scene<'_>, ty: usize, (x, y): (f64, f64), radius: f64) {
    let Some(ty) = scene.game.types().get(ty) else { return };
    svg.circle(x, y, radius, &ty.color, "");
    match picture_of(&ty.id) {
        Some(d) => {
            let scale = radius / 10.0;
            svg.begin_style(&format!(r#"transform="translate({x:.2} {y:.2}) scale({scale:.3})""#));
            svg.path(d, "#ffffff", r##"fill-rule="evenodd""##);
            svg.end_group();
        }
        None => {
            let letter = ty.letter.to_string();
            svg.text((x, y + radius * 0.42), radius * 1.2, Anchor::Middle, "#ffffff", true, &letter);
        }
    }
}

/// A picture in a circle of radius 10 around (0, 0).
fn picture_of(ty: &str) -> Option<&'static str> {
    Some(match ty {
        // A berry with a stalk.
        "fruit" => {
            "M0 -2.5C3.5 -5 7 -2.5 6 2C5.2 5.5 2.5 7 0 6C-2.5 7 -5.2 5.5 -6 2C-7 -2.5 -3.5 -5 0 -2.5ZM-.6 -3.2L.3 -7.5L1.8 -7L.8 -3Z"
        }
        "leaf" => "M-5.5 5.5C-6.5 -2 -1.5 -6.5 6.5 -6.5C6.5 1.5 2 6.5 -3.4 5L2 -1.8L1 -2.6L-4.6 6.6Z",
        // A cap on a stem.
        "fungus" => "M-7 .5C-6.5 -4.5 -3.5 -7 0 -7C3.5 -7 6.5 -4.5 7 .5ZM-2 1.8H2L2.8 6.5H-2.8Z",
        // A body with eyes and legs.
        "critter" => {
            "M0 -5C3.2 -5 4.6 -2.2 4.6 1C4.6 4.4 2.6 6.2 0 6.2C-2.6 6.2 -4.6 4.4 -4.6 1C-4.6 -2.2 -3.2 -5 0 -5ZM-2 -2.6A1 1 0 1 0 -2 -.6A1 1 0 1 0 -2 -2.6ZM2 -2.6A1 1 0 1 0 2 -.6A1 1 0 1 0 2 -2.6ZM-4.4 -1.5L-7.4 -3.6L-7 -4.4L-3.8 -2.6ZM4.4 -1.5L7.4 -3.6L7 -4.4L3.8 -2.6ZM-4.7 2L-7.8 3.6L-7.4 4.4L-4.4 3.2ZM4.7 2L7.8 3.6L7.4 4.4L4.4 3.2Z"
        }
        // A cut stone.
        "ore" => "M-3.8 -5H3.8L7 -1.2L0 6.8L-7 -1.2ZM-3.4 -1L0 4.4L3.4 -1Z",
        // A cog.
        "gadget" => {
            "M-1.4 -7H1.4L1.9 -4.9L3.6 -4.1L5.5 -5.2L7.2 -2.8L5.6 -1.4V1.4L7.2 2.8L5.5 5.2L3.6 4.1L1.9 4.9L1.4 7H-1.4L-1.9 4.9L-3.6 4.1L-5.5 5.2L-7.2 2.8L-5.6 1.4V-1.4L-7.2 -2.8L-5.5 -5.2L-3.6 -4.1L-1.9 -4.9ZM0 -2.4A2.4 2.4 0 1 0 0 2.4A2.4 2.4 0 1 0 0 -2.4Z"
        }
        // A tin with a lid.
        "ration" => "M-5 -4H5V6H-5ZM-5.8 -6.4H5.8V-4.8H-5.8ZM-3.2 -1.2H3.2V2.6H-3.2Z",
        _ => return None,
    })
}

/// The picture of a type, large and pale, where a card has room.
fn watermark(svg: &mut Svg, scene: &Scene<'_>, ty: usize, (x, y): (f64, f64), radius: f64) {
    let Some(ty) = scene.game.types().get(ty) else { return };
    let Some(d) = picture_of(&ty.id) else { return };
    let scale = radius / 7.0;
    svg.begin_style(&format!(r#"transform="translate({x:.1} {y:.1}) scale({scale:.2})" opacity=".3""#));
    svg.path(d, &ty.color, r##"fill-rule="evenodd""##);
    svg.end_group();
}

/// The same, crossed out.
fn forbidden_sign(svg: &mut Svg, scene: &Scene<'_>, ty: usize, (x, y): (f64, f64), radius: f64) {
    type_sign(svg, scene, ty, (x, y), radius);
    let d = radius * 0.72;
    svg.circle(x, y, radius, "none", &format!(r##"stroke="{STOP}" stroke-width="{:.2}""##, radius * 0.24));
    svg.line((x - d, y - d), (x + d, y + d), STOP, radius * 0.24);
}

/// The signs of a set of types, crossed out, from (x, y) on in steps of (dx, dy).
pub(super) fn forbidden_signs(
    svg: &mut Svg,
    scene: &Scene<'_>,
    set: u8,
    (mut x, mut y): (f64, f64),
    radius: f64,
    (dx, dy): (f64, f64),
) {
    for ty in (0..8).filter(|ty| set >> ty & 1 != 0) {
        forbidden_sign(svg, scene, ty, (x, y), radius);
        (x, y) = (x + dx, y + dy);
    }
}

/// Measures of a card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Size {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Font of the name.
    pub(super) font: f64,
}

/// A card of a row: what matters stands at its left edge, so that cards may overlap.
pub(super) const ROW_CARD: Size = Size { width: 104.0, height: 104.0, font: 11.0 };
/// A card of the viewer's hand.
pub(super) const HAND_CARD: Size = Size { width: 146.0, height: 186.0, font: 14.5 };

/// The edge of a card: strong if it can be chosen.
fn edge(marked: bool) -> (&'static str, f64) {
    if marked { (ACCENT, 3.0) } else { ("#14162a", 1.0) }
}

/// Draws a card with its top-left corner at (x, y).
pub(super) fn card(
    svg: &mut Svg,
    scene: &Scene<'_>,
    kind: Kind,
    size: Size,
    (x, y): (f64, f64),
    marked: bool,
) {
    let (data, text) = (scene.game.data(kind), scene.game.text(kind));
    let color = scene.game.types().get(usize::from(data.ty)).map_or(EDGE, |ty| ty.color.as_str());
    let Size { width, height, font } = size;
    svg.framed((x, y), (width, height), PAPER, 8.0, edge(marked));
    let strip = font * 2.3;
    let across = strip - 8.0;
    let d = format!(
        "M{:.1} {y:.1}h{across:.1}v{height:.1}h-{across:.1}a8 8 0 0 1 -8 -8v-{:.1}a8 8 0 0 1 8 -8z",
        x + 8.0,
        height - 16.0
    );
    svg.path(&d, color, r##"fill-opacity=".22""##);
    let radius = font * 0.92;
    type_sign(svg, scene, data.ty.into(), (x + strip / 2.0, y + radius + 5.0), radius);
    // All of them above the lower edge, however many there are.
    let first = 3.0 * radius + 9.0;
    let count = f64::from(data.forbids.count_ones());
    let step = (radius * 1.75).min((height - 2.0 * radius - 13.0) / count.max(1.0));
    let at = (x + strip / 2.0, y + first - radius * 0.875 + step / 2.0);
    forbidden_signs(svg, scene, data.forbids, at, step * 0.445, (0.0, step));
    let left = x + strip + 5.0;
    let room = width - strip - 10.0;
    let lines = name(svg, &text.name, (left, y + font + 4.0), font, room);
    let rules: Vec<String> = scene.rules_of(kind).iter().map(|rule| signs(rule)).collect();
    let top = y + font * (1.25 + 1.12 * lines as f64);
    let labelled = data.effect != Effect::None && size.height >= HAND_CARD.height;
    let foot = y + height - if labelled { font * 1.5 } else { font * 0.3 };
    let end = paragraph(svg, (left, top), (room, foot - top), (font * 0.88, INK), &rules);
    // What the rules leave of the card, if it is enough for a picture.
    let radius = ((foot - end) / 2.0 - 3.0).min(height * 0.19).min(room / 2.0);
    if radius >= 9.0 {
        watermark(svg, scene, data.ty.into(), (x + (strip + width) / 2.0, foot - radius - 2.0), radius);
    }
    if labelled {
        let label = data.effect.name().replace('_', " ");
        svg.text((x + width - 8.0, y + height - 8.0), font * 0.8, Anchor::End, FADED, false, &label);
    }
}

/// A card of which little is seen because many lie in the row: its signs, and its name along the right edge.
fn slim(svg: &mut Svg, scene: &Scene<'_>, kind: Kind, (x, y): (f64, f64), width: f64, marked: bool) {
    let (data, text) = (scene.game.data(kind), scene.game.text(kind));
    let color = scene.game.types().get(usize::from(data.ty)).map_or(EDGE, |ty| ty.color.as_str());
    let height = ROW_CARD.height;
    svg.framed((x, y), (width, height), PAPER, 5.0, edge(marked));
    let strip = (width - 13.0).min(24.0);
    svg.rect(x, y, strip, height, color, r##"rx="5" fill-opacity=".22""##);
    let radius = (strip / 2.0 - 1.0).min(10.0);
    type_sign(svg, scene, data.ty.into(), (x + strip / 2.0, y + radius + 4.0), radius);
    let count = f64::from(data.forbids.count_ones());
    let step = (radius * 1.9).min((height - 2.0 * radius - 10.0) / count.max(1.0));
    let first = (x + strip / 2.0, y + 2.0 * radius + 6.0 + step / 2.0);
    forbidden_signs(svg, scene, data.forbids, first, step * 0.445, (0.0, step));
    let (right, foot) = (x + strip + (width - strip) / 2.0 + 3.6, y + height - 5.0);
    svg.begin_style(&format!(r#"transform="translate({right:.2} {foot:.2}) rotate(-90)""#));
    svg.fitted((0.0, 0.0), (10.5, height - 10.0), Anchor::Start, (INK, true), &text.name);
    svg.end_group();
}

/// Cards side by side within a width, slim ones if they are many. `marked` are kinds as bits, `counts` stand on cards that
/// there are several of.
pub(super) fn side_by_side(
    svg: &mut Svg,
    scene: &Scene<'_>,
    cards: &[(Kind, u8)],
    ((x, y), room): ((f64, f64), f64),
    marked: u64,
) {
    let step = ((room + 4.0) / cards.len().max(1) as f64).min(ROW_CARD.width + 4.0);
    for (i, &(kind, count)) in cards.iter().enumerate() {
        let (at, marked) = ((x + step * i as f64, y), marked >> kind.index() & 1 != 0);
        let width = step - 4.0;
        if width >= 84.0 {
            card(svg, scene, kind, Size { width, ..ROW_CARD }, at, marked);
        } else {
            slim(svg, scene, kind, at, width, marked);
        }
        if count > 1 {
            let place = (at.0 + 12.0_f64.min(width / 3.0), at.1 + ROW_CARD.height - 6.0);
            svg.text(place, 12.0, Anchor::Middle, INK, true, &format!("×{count}"));
        }
    }
}

/// Comparisons as one sign each, on one line with the number after them, as is the number after "else".
pub(super) fn signs(text: &str) -> String {
    let signs = text.replace(">= ", "≥\u{a0}").replace("<= ", "≤\u{a0}").replace("= ", "=\u{a0}");
    signs.replace(" x ", " × ").replace(", else ", ", else\u{a0}")
}

/// A name over one or two lines; returns how many.
fn name(svg: &mut Svg, name: &str, (x, y): (f64, f64), font: f64, room: f64) -> usize {
    let mut lines = broken(name, room / (font * PLAIN));
    if lines.len() > 2 {
        let rest = lines.split_off(1);
        lines.push(rest.join(" "));
    }
    for (i, line) in lines.iter().enumerate() {
        svg.fitted((x, y + 1.12 * font * i as f64), (font, room), Anchor::Start, (INK, true), line);
    }
    lines.len()
}

/// Texts one under the other, in a smaller font if they would leave their room. Returns where they end.
pub(super) fn paragraph(
    svg: &mut Svg,
    (x, y): (f64, f64),
    (width, height): (f64, f64),
    (font, fill): (f64, &str),
    texts: &[String],
) -> f64 {
    let lines = |font: f64| -> Vec<String> {
        texts.iter().flat_map(|text| broken(text, width / (font * PLAIN))).collect()
    };
    let mut size = font;
    while size > 3.0 && lines(size).len() as f64 * size * 1.2 > height {
        size -= 0.5;
    }
    let lines = lines(size);
    for (i, line) in lines.iter().enumerate() {
        let base = y + size * (1.0 + 1.2 * i as f64);
        svg.fitted((x, base), (size, width), Anchor::Start, (fill, false), line);
    }
    y + size * 1.2 * lines.len() as f64
}

/// A text in lines of about `letters` letters, broken at spaces and after slashes.
pub(super) fn broken(text: &str, letters: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        for (i, piece) in word.split_inclusive('/').enumerate() {
            let gap = if i == 0 { " " } else { "" };
            match lines.last_mut() {
                Some(line)
                    if (line.chars().count() + gap.len() + piece.chars().count()) as f64 <= letters =>
                {
                    line.push_str(gap);
                    line.push_str(piece);
                }
                _ => lines.push(piece.into()),
            }
        }
    }
    lines
}

/// The back of a card.
pub(super) fn back(svg: &mut Svg, (x, y): (f64, f64), (width, height): (f64, f64)) {
    let style = format!(r##"rx="{:.1}" stroke="#14162a" stroke-width="1""##, width * 0.1);
    svg.rect(x, y, width, height, "#4a4f86", &style);
    let (cx, cy, r) = (x + width / 2.0, y + height / 2.0, width * 0.26);
    svg.circle(cx, cy, r, "none", &format!(r##"stroke="#8f95cf" stroke-width="{:.1}""##, width * 0.05));
    let (left, half, lift, all) = (cx - 1.7 * r, 1.7 * r, 1.1 * r, 3.4 * r);
    let d = format!("M{left:.1} {cy:.1}q{half:.1} -{lift:.1} {all:.1} 0q-{half:.1} {lift:.1} -{all:.1} 0z");
    svg.path(&d, "none", &format!(r##"stroke="#8f95cf" stroke-width="{:.1}""##, width * 0.04));
}

/// A ship card: a rocket.
pub(super) fn ship(svg: &mut Svg, (x, y): (f64, f64), size: Size, marked: bool) {
    svg.framed((x, y), (size.width, size.height), "#30375f", 8.0, edge(marked));
    let scale = size.height / 186.0;
    let (middle, up) = (x + size.width / 2.0, y + size.height * 0.42);
    svg.begin_style(&format!(r#"transform="translate({middle:.1} {up:.1}) scale({scale:.3})""#));
    svg.path("M0 -52C16 -38 20 -14 16 18H-16C-20 -14 -16 -38 0 -52Z", PAPER, "");
    svg.circle(0.0, -16.0, 7.5, ACCENT, r##"stroke="#30375f" stroke-width="2.5""##);
    svg.path("M16 0L30 22L15 20ZM-16 0L-30 22L-15 20Z", "#ef6f6c", "");
    svg.path("M-9 22H9L0 44Z", GOLD, "");
    svg.end_group();
    let at = (middle, y + size.height - 14.0 * scale);
    svg.text(at, 15.0 * scale, Anchor::Middle, LIGHT, true, "Ship cargo");
}
