//! Cards, boats and resources.

use super::super::content::Kind;
use super::super::state::Resource;
use super::{FAINT, INK};
use playmat_core::prelude::*;

/// Width and height of a card.
pub(super) const CARD: (f64, f64) = (46.0, 62.0);

/// How a resource looks.
pub(super) struct Appearance {
    /// Its colour.
    pub(super) fill: &'static str,
    /// Its sign, a path around (0, 0).
    pub(super) sign: &'static str,
}

/// A bottle of rum, a roll of fabric, a gem.
pub(super) fn resource_appearance(resource: Resource) -> Appearance {
    match resource {
        Resource::Rum => Appearance {
            fill: "#a4532b",
            sign: "M-1.6 -6h3.2v3.4c2.4 1 2.9 2.4 2.9 4.2v4.4h-9v-4.4c0 -1.8 .5 -3.2 2.9 -4.2z",
        },
        Resource::Fabric => {
            Appearance { fill: "#8a4fb0", sign: "M-5.5 -4.5h9c2.6 0 2.6 3.4 0 3.4h-.6v7h-8.4z" }
        }
        Resource::Gems => Appearance { fill: "#12877b", sign: "M-3.4 -5h6.8l3 3.8l-6.4 7l-6.4 -7z" },
    }
}

/// A boat of a colour; its waterline lies a little below (x, y).
pub(super) fn boat(svg: &mut Svg, (x, y): (f64, f64), scale: f64, colour: &str) {
    svg.begin_style(&format!(r#"transform="translate({x:.2} {y:.2}) scale({scale})""#));
    for (d, fill, edge) in [
        ("M1 -15v15h10z", "#ffffff", colour),
        ("M-1 -12v12h-8z", "#ffffff", colour),
        ("M-13 2h26l-5 8h-16z", colour, "#ffffff"),
    ] {
        svg.path(d, fill, &format!(r#"stroke="{edge}" stroke-width="1.6" stroke-linejoin="round""#));
    }
    svg.end_group();
}

/// A card: the sail value beside a boat, three fields below, and how many there are of it.
pub(super) fn card(svg: &mut Svg, kind: &Kind, count: u8, (x, y): (f64, f64)) {
    if count > 1 {
        svg.framed((x + 3.0, y - 3.0), CARD, "#ffffff", 5.0, ("#9db2bf", 1.0));
    }
    svg.framed((x, y), CARD, "#fffdf6", 5.0, ("#7b95a4", 1.2));
    boat(svg, (x + 15.0, y + 17.5), 0.72, "#3d6f8e");
    svg.text((x + 34.0, y + 23.0), 17.0, Anchor::Middle, INK, true, &kind.sail.to_string());
    for resource in Resource::ALL {
        let (appearance, units) = (resource_appearance(resource), kind.values[resource.index()]);
        let left = x + 3.0 + 13.6 * resource.index() as f64;
        let fill = if units > 0 { appearance.fill } else { FAINT };
        svg.rect(left, y + 32.0, 12.8, 27.0, fill, r#"rx="3""#);
        if units > 0 {
            let (x, y) = (left + 6.4, y + 39.0);
            svg.begin_style(&format!(r#"transform="translate({x:.2} {y:.2}) scale(.72)""#));
            svg.path(appearance.sign, "#ffffff", "");
            svg.end_group();
            svg.text((x, y + 17.0), 11.0, Anchor::Middle, "#ffffff", true, &units.to_string());
        }
    }
    if count > 1 {
        svg.circle(x + CARD.0 - 1.0, y + 1.0, 8.5, INK, "");
        svg.text((x + CARD.0 - 1.0, y + 4.8), 10.5, Anchor::Middle, "#ffffff", true, &format!("x{count}"));
    }
}

/// A pile of cards face down, with its number.
pub(super) fn back(svg: &mut Svg, words: &str, count: u32, (x, y): (f64, f64)) {
    if count > 1 {
        svg.framed((x + 3.0, y - 3.0), CARD, "#6d93a8", 5.0, ("#ffffff", 1.4));
    }
    svg.framed((x, y), CARD, if count == 0 { FAINT } else { "#3d6f8e" }, 5.0, ("#ffffff", 1.4));
    number(svg, words, count, (x, y));
}

/// How many cards there are, on the uppermost of them.
pub(super) fn number(svg: &mut Svg, words: &str, count: u32, (x, y): (f64, f64)) {
    svg.text((x + 23.0, y + 33.0), 18.0, Anchor::Middle, "#ffffff", true, &count.to_string());
    svg.text((x + 23.0, y + 50.0), 9.5, Anchor::Middle, "#ffffff", false, words);
}
