//! The whole position as a picture: the map, and beside it the players with their cards and the list of islands.

use super::super::map::SLOTS;
use super::super::state::{MARKERS, Resource, size};
use super::cards::{self, CARD, boat, resource_appearance};
use super::{FAINT, INK, MUTED, PAPER, Scene, sea, ship_colour};
use crate::text::ability_words;
use playmat_core::prelude::*;

/// Margin, and room between map and panels.
const PAD: f64 = 26.0;
/// Width of the panels.
const PANEL: f64 = 636.0;
/// Cards beside each other, and the step from one to the next.
const PER_ROW: usize = 11;
const STEP: (f64, f64) = (CARD.0 + 7.0, CARD.1 + 9.0);
/// Height of a row of the list of islands.
const ROW: f64 = 25.0;
/// Height of the heading.
const HEADING: f64 = 96.0;

pub(super) fn draw(scene: &Scene<'_>) -> String {
    let (map_width, map_height) = sea::extent(scene);
    let players: f64 = scene.in_order().iter().map(|&player| player_height(scene, player)).sum();
    let panels = HEADING + players + 90.0 + ROW * SLOTS as f64;
    let (width, height) = (PAD + map_width + PAD + PANEL + PAD, 2.0 * PAD + map_height.max(panels));
    let mut svg = Svg::new(width, height);
    svg.rect(0.0, 0.0, width, height, PAPER, "");
    sea::draw(&mut svg, scene, (PAD - 8.0, PAD));
    let x = PAD + map_width + PAD;
    heading(&mut svg, scene, (x, PAD));
    let mut y = PAD + HEADING;
    for player in scene.in_order() {
        draw_player(&mut svg, scene, player, (x, y));
        y += player_height(scene, player);
    }
    islands(&mut svg, scene, (x, y + 8.0));
    svg.finish()
}

fn heading(svg: &mut Svg, scene: &Scene<'_>, (x, y): (f64, f64)) {
    svg.text((x, y + 24.0), 26.0, Anchor::Start, INK, true, "Gravitix");
    let game = scene.game;
    let mode = if scene.players() == 1 { "puzzle, " } else { "" };
    let hard = if game.hard { ", hard" } else { "" };
    let words = format!("{mode}{} tiles{hard}", game.map.formation.name());
    svg.text((x + PANEL, y + 24.0), 14.0, Anchor::End, MUTED, false, &words);
    let colour = if scene.is_over() { "#a87800" } else { "#1f5f86" };
    svg.fitted((x, y + 52.0), (16.0, PANEL), Anchor::Start, (colour, true), &scene.prompt());
    if let Some(words) = scene.payment_words() {
        svg.fitted((x, y + 74.0), (13.0, PANEL), Anchor::Start, (MUTED, false), &words);
    }
}

/// Rows of cards of a hand that the viewer sees.
fn rows(scene: &Scene<'_>, player: Player) -> usize {
    let kinds = |hand: &super::super::state::Cards| hand.iter().filter(|&&count| count > 0).count();
    scene.hand(player).map_or(1, |hand| kinds(hand).div_ceil(PER_ROW).max(1))
}

fn player_height(scene: &Scene<'_>, player: Player) -> f64 {
    58.0 + STEP.1 * rows(scene, player) as f64 + 16.0
}

fn draw_player(svg: &mut Svg, scene: &Scene<'_>, player: Player, (x, y): (f64, f64)) {
    let (state, colour) = (scene.state, ship_colour(scene, player));
    let height = player_height(scene, player) - 12.0;
    let acts = !scene.is_over() && state.turn == player;
    let edge = if acts { (colour, 2.4) } else { (FAINT, 1.2) };
    svg.framed((x, y), (PANEL, height), "#ffffff", 10.0, edge);
    boat(svg, (x + 26.0, y + 26.0), 1.1, colour);
    svg.text((x + 48.0, y + 30.0), 15.0, Anchor::Start, INK, true, &scene.called(player));
    let score = if scene.players() == 1 && !scene.is_over() { "islands" } else { "points" };
    let words = format!("{} {score}", scene.score(player));
    svg.text((x + 236.0, y + 30.0), 17.0, Anchor::End, colour, true, &words);
    let left = state.stock(player);
    for marker in 0..MARKERS {
        let fill = if marker < left { colour } else { FAINT };
        svg.rect(x + 252.0 + 12.0 * f64::from(marker), y + 18.0, 9.5, 9.5, fill, r#"rx="2""#);
    }
    let discarded = size(&state.discards[player.index()]);
    let words = format!("{left} left, {discarded} discarded");
    svg.text((x + 402.0, y + 28.0), 12.0, Anchor::Start, MUTED, false, &words);
    let pending = scene.pending(player);
    if !pending.is_empty() {
        svg.rect(x + PANEL - 112.0, y + 13.0, 98.0, 22.0, "#fff1c2", r#"rx="11""#);
        svg.text((x + PANEL - 63.0, y + 28.5), 12.0, Anchor::Middle, "#7a5a00", true, pending);
    } else if scene.players() == 1 {
        let words = format!("{} counted", count(scene.game.counted(state).into(), "card"));
        svg.text((x + PANEL - 14.0, y + 28.0), 12.0, Anchor::End, MUTED, false, &words);
    }
    hand(svg, scene, player, (x + 16.0, y + 50.0));
}

/// The deck face down, then the hand: open to who may see it.
fn hand(svg: &mut Svg, scene: &Scene<'_>, player: Player, (x, y): (f64, f64)) {
    cards::back(svg, "deck", scene.deck_size(player), (x, y));
    let Some(hand) = scene.hand(player) else {
        let count = scene.hand_size(player);
        for card in 0..count.min(9) {
            let at = (x + STEP.0 + 12.0 + 14.0 * f64::from(card), y);
            svg.framed(at, CARD, "#3d6f8e", 5.0, ("#ffffff", 1.4));
            if card + 1 == count.min(9) {
                cards::number(svg, "hand", count, at);
            }
        }
        return;
    };
    let there = scene.game.kinds.iter().zip(hand).filter(|(_, count)| **count > 0);
    for (i, (kind, &count)) in there.enumerate() {
        let (row, column) = ((i / PER_ROW) as f64, (i % PER_ROW) as f64);
        cards::card(svg, kind, count, (x + STEP.0 + 12.0 + column * (STEP.0 - 3.5), y + row * STEP.1));
    }
}

/// Where the columns of the list of islands stand, from the panel's left: the first resource and the step to the next, points,
/// cards, steps of the first ship and from one ship to the next, what it does.
const DEMAND: (f64, f64) = (256.0, 32.0);
const POINTS: f64 = 374.0;
const CARDS: f64 = 420.0;
const STEPS: (f64, f64) = (466.0, 32.0);
const DOES: f64 = 528.0;

/// The islands by slot, so that everything on the map can be read at leisure.
fn islands(svg: &mut Svg, scene: &Scene<'_>, (x, y): (f64, f64)) {
    for (at, words) in [(10.0, "slot"), (60.0, "island"), (DOES, "does")] {
        svg.text((x + at, y + 12.0), 11.5, Anchor::Start, MUTED, false, words);
    }
    for (at, words) in [(POINTS, "points"), (CARDS, "cards")] {
        svg.text((x + at, y + 12.0), 11.5, Anchor::Middle, MUTED, false, words);
    }
    for resource in Resource::ALL {
        sign(svg, resource, (x + DEMAND.0 + DEMAND.1 * resource.index() as f64, y + 8.0));
    }
    for player in Player::all(scene.players()) {
        let at = x + STEPS.0 + STEPS.1 * f64::from(player.0);
        boat(svg, (at, y + 9.5), 0.55, ship_colour(scene, player));
    }
    for slot in 0..SLOTS {
        let (face, y) = (scene.face(slot), y + 20.0 + ROW * slot as f64);
        if slot % 2 == 0 {
            svg.rect(x, y, PANEL, ROW, "#eaf3f7", r#"rx="5""#);
        }
        let base = y + 17.0;
        svg.text((x + 30.0, base), 12.5, Anchor::End, MUTED, false, &slot.to_string());
        if let Some(player) = scene.state.owner(slot) {
            for marker in 0..if scene.is_doubled(slot) { 2 } else { 1 } {
                let at = (x + 36.0 + 5.0 * f64::from(marker), y + 8.0 - 3.0 * f64::from(marker));
                svg.framed(at, (10.0, 10.0), ship_colour(scene, player), 2.0, ("#ffffff", 1.0));
            }
        }
        svg.fitted((x + 60.0, base), (13.0, DEMAND.0 - 78.0), Anchor::Start, (INK, true), &face.name);
        for resource in Resource::ALL {
            let units = face.demand[resource.index()];
            let colour = if units == 0 { FAINT } else { resource_appearance(resource).fill };
            let at = x + DEMAND.0 + DEMAND.1 * resource.index() as f64;
            svg.text((at, base), 13.5, Anchor::Middle, colour, true, &units.to_string());
        }
        svg.text((x + POINTS, base), 13.5, Anchor::Middle, INK, true, &face.points.to_string());
        svg.text((x + CARDS, base), 13.5, Anchor::Middle, INK, true, &face.cards.to_string());
        for player in Player::all(scene.players()) {
            let at = x + STEPS.0 + STEPS.1 * f64::from(player.0);
            let steps = scene.steps(player, slot).map_or_else(|| "-".into(), |steps| steps.to_string());
            svg.text((at, base), 12.5, Anchor::Middle, ship_colour(scene, player), false, &steps);
        }
        let colour = face.colour.map(|colour| scene.game.colours[usize::from(colour)].as_str());
        let does: Vec<&str> = face.ability.map(ability_words).into_iter().chain(colour).collect();
        svg.fitted((x + DOES, base), (12.5, PANEL - DOES), Anchor::Start, (INK, false), &does.join(", "));
    }
    legend(svg, scene, (x, y + 20.0 + ROW * SLOTS as f64 + 22.0));
}

/// The sign of a resource around a point.
fn sign(svg: &mut Svg, resource: Resource, (x, y): (f64, f64)) {
    let appearance = resource_appearance(resource);
    svg.begin_style(&format!(r#"transform="translate({x:.2} {y:.2})""#));
    svg.path(appearance.sign, appearance.fill, "");
    svg.end_group();
}

/// What the signs mean.
fn legend(svg: &mut Svg, scene: &Scene<'_>, (x, y): (f64, f64)) {
    let mut at = x + 16.0;
    for resource in Resource::ALL {
        sign(svg, resource, (at, y));
        svg.text((at + 11.0, y + 4.0), 11.5, Anchor::Start, MUTED, false, resource.name());
        at += 62.0;
    }
    boat(svg, (at + 4.0, y + 1.0), 0.55, MUTED);
    let ships = if scene.players() == 1 { "steps to sail" } else { "steps of each ship" };
    svg.text((at + 16.0, y + 4.0), 11.5, Anchor::Start, MUTED, false, ships);
    let words = "islands on the map: points left, cards to draw right";
    svg.text((x + PANEL, y + 4.0), 11.5, Anchor::End, MUTED, false, words);
    let words = "cell 12:3 is strip 12 from the bottom, in it triangle 3 from the left";
    svg.text((x + PANEL, y + 22.0), 11.5, Anchor::End, MUTED, false, words);
}
