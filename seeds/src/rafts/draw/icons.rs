//! Colours and signs of the cards: every category has its colour, every kind of effect its sign.

use super::super::Rafts;
use super::super::effects::{Effect, Loss, Part};
use super::super::state::{BACTERIUM, Deck, Kind, MEDIUM, MONEY, RAFT, TIME};
use playmat_core::prelude::*;

pub(super) const PAPER: &str = "#f6f4ee";
pub(super) const PANEL: &str = "#fffdf8";
pub(super) const INK: &str = "#26292c";
pub(super) const MUTED: &str = "#74777b";
pub(super) const FAINT: &str = "#d9d5ca";
pub(super) const ACCENT: &str = "#b3261e";
pub(super) const GOLD: &str = "#a87400";
pub(super) const GOLD_PALE: &str = "#fdf1cd";
pub(super) const DONE: &str = "#2e7d4f";
pub(super) const CARD: &str = "#ffffff";

/// Side of the box that signs are drawn in.
const BOX: f64 = 24.0;

/// What a card looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Appearance {
    /// Strong colour.
    pub(super) colour: &'static str,
    /// Pale colour.
    pub(super) pale: &'static str,
    /// Sign.
    pub(super) sign: Sign,
    /// Word for the category.
    pub(super) label: &'static str,
}

/// A sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Bacterium,
    Gene,
    Time,
    Money,
    Medium,
    Raft,
    Steal,
    Exchange,
    Bench,
    Recover,
    Goal,
    Snatch,
    Shield,
    /// Something is lost.
    Lost(Loss),
}

const GREEN: (&str, &str) = ("#2e7d4f", "#e2f1e6");
const BLUE: (&str, &str) = ("#2764a8", "#e1ecf8");
const AMBER: (&str, &str) = ("#a66a00", "#fbeed3");
const RED: (&str, &str) = ("#b3261e", "#fae3e0");
const VIOLET: (&str, &str) = ("#6b3fa0", "#eee5f7");

/// Green for bacteria, blue for genes, amber for generics, red for sabotage, violet for improvement.
pub(super) fn appearance(game: &Rafts, kind: Kind) -> Appearance {
    let ((colour, pale), sign, label) = match (game.effect(kind), game.generic(kind)) {
        (None, None) if game.slot(kind) == BACTERIUM => (GREEN, Sign::Bacterium, "bacterium"),
        (None, None) => (BLUE, Sign::Gene, "gene"),
        (None, Some(TIME)) => (AMBER, Sign::Time, "supply"),
        (None, Some(MONEY)) => (AMBER, Sign::Money, "supply"),
        (None, Some(MEDIUM)) => (AMBER, Sign::Medium, "supply"),
        (None, Some(_)) => (AMBER, Sign::Raft, "wildcard"),
        (Some(effect), _) => match effect {
            Effect::Steal(_) => (RED, Sign::Steal, "sabotage"),
            Effect::Exchange => (RED, Sign::Exchange, "sabotage"),
            Effect::Lose { what, .. } => (RED, Sign::Lost(what), "sabotage"),
            Effect::ExtraBench => (VIOLET, Sign::Bench, "improvement"),
            Effect::Recover => (VIOLET, Sign::Recover, "improvement"),
            Effect::ExtraGoal => (VIOLET, Sign::Goal, "improvement"),
            Effect::Snatch => (VIOLET, Sign::Snatch, "fast"),
            Effect::Shield { .. } => (VIOLET, Sign::Shield, "fast"),
        },
    };
    Appearance { colour, pale, sign, label }
}

/// Whether a card can be played in others' turns.
pub(super) fn is_fast(game: &Rafts, kind: Kind) -> bool {
    matches!(game.effect(kind), Some(Effect::Snatch | Effect::Shield { .. }))
}

/// What the card does, in a few words: in one line that may be broken, or in two.
pub(super) fn words(game: &Rafts, kind: Kind) -> Vec<String> {
    let lines: &[&str] = match game.effect(kind) {
        None => return Vec::new(),
        Some(Effect::Steal(parts)) => {
            let all: Vec<&str> =
                Part::ALL.into_iter().filter(|part| parts & part.bit() != 0).map(Part::name).collect();
            return vec!["steal a".into(), all.join(", ")];
        }
        Some(Effect::Lose { what, all }) => {
            let who = if all { "all lose" } else { "one other loses" };
            let what = match what {
                Loss::Specific(BACTERIUM) => "their bacteria".into(),
                Loss::Specific(_) => "their genes".into(),
                Loss::Generic(_) => format!("one {}", what.name()),
            };
            return vec![who.into(), what];
        }
        Some(Effect::Exchange) => &["swap a goal"],
        Some(Effect::ExtraBench) => &["a second bench"],
        Some(Effect::Recover) => &["take from", "the discards"],
        Some(Effect::ExtraGoal) => &["a second goal"],
        Some(Effect::Snatch) => &["take the last", "discard"],
        Some(Effect::Shield { against }) => return vec![format!("against {}", game.card(against).name)],
    };
    lines.iter().map(ToString::to_string).collect()
}

/// Back of a card: its deck's colour and sign.
pub(super) fn back(deck: Deck) -> (&'static str, Sign) {
    match deck {
        Deck::Actions => ("#8a4b9a", Sign::Snatch),
        Deck::Specific => ("#3b7f86", Sign::Gene),
        Deck::Generic => ("#b98420", Sign::Medium),
    }
}

/// Lines of a sign, in a box of 24, and circles (x, y, radius) of it.
fn shape(sign: Sign) -> (&'static str, &'static [(f64, f64, f64)]) {
    match sign {
        // A rod with flagella.
        Sign::Bacterium => (
            "M9 7h8a5 5 0 0 1 0 10h-8a5 5 0 0 1 0-10zM4 10q-3-3-4 1M4 14q-3-1-4 3M10 11v.1M14 13v.1M17 10.500v.1",
            &[],
        ),
        // A double helix.
        Sign::Gene => (
            "M8 1c0 6 8 6 8 11s-8 5-8 11M16 1c0 6-8 6-8 11s8 5 8 11M9 4h6M9 20h6M10.500 9h3M10.500 15h3",
            &[],
        ),
        Sign::Time => ("M12 6v6l4 3", &[(12.0, 12.0, 9.5)]),
        // A coin.
        Sign::Money => ("M15.500 8a5 5 0 1 0 0 8M7 11h6M7 13.500h5", &[(12.0, 12.0, 9.5)]),
        // A flask.
        Sign::Medium => {
            ("M9 2h6M10 2v7l-5.500 10a2 2 0 0 0 2 3h11a2 2 0 0 0 2-3l-5.500-10v-7M7.500 15h9", &[])
        }
        // A membrane of lipids with a raft in it.
        Sign::Raft => (
            "M4 7v10M8 7v10M12 5v14M16 5v14M20 7v10M10 3h8M10 21h8",
            &[
                (4.0, 5.0, 1.8),
                (8.0, 5.0, 1.8),
                (20.0, 5.0, 1.8),
                (4.0, 19.0, 1.8),
                (8.0, 19.0, 1.8),
                (20.0, 19.0, 1.8),
            ],
        ),
        // An eye.
        Sign::Steal => ("M1 12q11-12 22 0q-11 12-22 0z", &[(12.0, 12.0, 3.5)]),
        Sign::Exchange => ("M3 8h16l-5-5M21 16h-16l5 5", &[]),
        Sign::Bench => ("M2 11h20M5 11v10M19 11v10M12 1v7M8.500 4.500h7", &[]),
        Sign::Recover => ("M5 8a8.500 8.500 0 1 1-1 6M4 2v6h6", &[]),
        Sign::Goal => ("M6 23v-21h13l-4 4.500 4 4.500h-13", &[]),
        // A clover.
        Sign::Snatch => {
            ("M12 12q1 7 5 10", &[(8.2, 8.2, 4.0), (15.8, 8.2, 4.0), (8.2, 15.2, 4.0), (15.8, 15.2, 4.0)])
        }
        Sign::Shield => ("M12 1l9 3.500v7c0 6-4 9-9 11.500c-5-2.500-9-5.500-9-11.500v-7zM8 12l3 3 5-6", &[]),
        Sign::Lost(_) => ("M2 22l20-20", &[]),
    }
}

/// Draws a sign of this size around a point.
pub(super) fn sign(svg: &mut Svg, sign: Sign, colour: &str, size: f64, (x, y): (f64, f64)) {
    let scale = size / BOX;
    svg.begin_style(&format!(
        r#"transform="translate({:.2} {:.2}) scale({scale:.3})" fill="none" stroke="{colour}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round""#,
        x - size / 2.0,
        y - size / 2.0
    ));
    if let Sign::Lost(what) = sign {
        let lost = match what {
            Loss::Specific(BACTERIUM) => Sign::Bacterium,
            Loss::Specific(_) => Sign::Gene,
            Loss::Generic(TIME) => Sign::Time,
            Loss::Generic(MONEY) => Sign::Money,
            Loss::Generic(RAFT) => Sign::Raft,
            Loss::Generic(_) => Sign::Medium,
        };
        strokes(svg, lost);
    }
    strokes(svg, sign);
    svg.end_group();
}

fn strokes(svg: &mut Svg, sign: Sign) {
    let (path, circles) = shape(sign);
    svg.path(path, "none", "");
    for &(x, y, radius) in circles {
        svg.circle(x, y, radius, "none", "");
    }
}

/// The lightning of fast cards.
pub(super) fn lightning(svg: &mut Svg, (x, y): (f64, f64), size: f64, colour: &str) {
    let points = [(0.55, 0.0), (0.1, 0.58), (0.45, 0.58), (0.3, 1.0), (0.9, 0.38), (0.52, 0.38), (0.75, 0.0)];
    let points: Vec<_> = points.iter().map(|(a, b)| (x + a * size, y + b * size)).collect();
    svg.polygon(&points, colour, "");
}
