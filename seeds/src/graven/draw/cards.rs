//! Colours and words of cards.

use super::super::Graven;
use super::super::cards::ModKind;
use super::super::state::Timing;
use playmat_core::prelude::*;

/// What a card looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Appearance {
    /// Strong colour.
    pub(super) colour: &'static str,
    /// Pale colour.
    pub(super) pale: &'static str,
    /// Word for its type.
    pub(super) label: &'static str,
}

/// Violet for Titans; Humans by what they mostly do: red if they are used each turn, green for passives, blue when they enter,
/// ochre from the hand or the pile.
pub(super) fn appearance(game: &Graven, kind: u8) -> Appearance {
    let card = game.card(kind);
    let (colour, pale) = if card.titan {
        ("#4a2f6b", "#e6ddf2")
    } else if card.ability(Timing::Activate).is_some() {
        ("#a2432b", "#f7e2db")
    } else if card.ability(Timing::Enter).is_some() {
        ("#2d6395", "#dfebf6")
    } else if card.mods.iter().any(|entry| entry.kind != ModKind::Sacrifice) {
        ("#3c7a4b", "#e0f0e2")
    } else {
        ("#8f6a17", "#f5eacb")
    };
    Appearance { colour, pale, label: if card.titan { "Titan" } else { "Human" } }
}

/// All abilities in one text.
pub(super) fn summary(game: &Graven, kind: u8) -> String {
    let all = super::words::abilities(game, kind);
    all.iter().map(|(when, what)| format!("{when}: {what}")).collect::<Vec<_>>().join(". ")
}

/// Marks for what a card counts in the Survey, leftward from a point.
pub(super) fn points(svg: &mut Svg, count: u32, colour: &str, (x, y): (f64, f64)) {
    for n in 0..count {
        svg.circle(x - 10.0 * f64::from(n), y, 4.0, colour, "");
    }
}
