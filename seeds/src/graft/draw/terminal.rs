//! The position as text.
//!
//! ```text
//! Player 0 (you): 12 points, compost 3, shipped 2 rows
//!   row   Moonberry F | Z-Coin O | Pig Iron O     = 7, forbids F, meets Hard Currency
//! ```

use super::super::state::Kind;
use super::Scene;
use playmat_core::prelude::*;
use playmat_core::terminal::wrap_parts;
use std::fmt::Write;

pub(super) fn draw(scene: &Scene<'_>) -> String {
    let mut out = String::new();
    heading(scene, &mut out);
    badges(scene, &mut out);
    for player in scene.in_order() {
        out.push('\n');
        draw_player(scene, player, &mut out);
    }
    for player in scene.in_order().into_iter().filter(|&player| scene.sees_hand(player)) {
        hand(scene, player, &mut out);
    }
    let types: Vec<String> =
        scene.game.types().iter().map(|ty| format!("{} {}", ty.letter, ty.name)).collect();
    let _ = writeln!(out);
    wrap_parts(&mut out, "Types: ", "  ", &types, ", ");
    out
}

fn heading(scene: &Scene<'_>, out: &mut String) {
    let state = scene.state;
    let title = if scene.players() == 2 { "Graft (two-player variant)" } else { "Graft" };
    let last =
        if state.pile_size == 0 && !scene.is_over() { ", the next ship card ends the game" } else { "" };
    let turn = scene.turn().to_lowercase();
    let _ = writeln!(out, "{title}  {turn}  pile {}{last}", state.pile_size);
    wrap_parts(out, "", "", &[scene.prompt()], "");
}

fn badges(scene: &Scene<'_>, out: &mut String) {
    let _ = writeln!(
        out,
        "\nBadges  (points of the first claim, then of later ones; in brackets what does not count now)"
    );
    for (slot, &badge) in scene.state.slots.iter().enumerate() {
        let (data, text) = (&scene.game.badges()[usize::from(badge)], scene.game.badge_text(badge));
        let tier = if slot < 2 { "gold" } else { "silver" };
        let value = if scene.state.taken >> slot & 1 != 0 {
            format!("({}) {}", data.high, data.low)
        } else {
            format!("{} ({})", data.high, data.low)
        };
        let claims: Vec<String> =
            scene.claimers(slot).iter().map(|(player, value)| format!("player {player}: {value}")).collect();
        let mut parts = vec![format!("{tier:6} {:18} {value:8}", text.name), text.needs.join("; ")];
        if !claims.is_empty() {
            parts.push(format!("claimed by {}", claims.join(", ")));
        }
        wrap_parts(out, "  ", "         ", &parts, "  ");
    }
}

fn draw_player(scene: &Scene<'_>, player: Player, out: &mut String) {
    let state = scene.state;
    let at = player.index();
    let crown = if scene.winners().contains(player) { "* " } else { "" };
    let mut parts = vec![
        format!("{crown}{}: {}", scene.name(player), count(state.points(player).into(), "point")),
        format!("compost {} x {}", state.compost_sizes[at], 1 + state.recycles[at]),
    ];
    let sizes: Vec<String> = state.completed_rows(player).map(|row| row.len().to_string()).collect();
    if !sizes.is_empty() {
        parts.push(format!("shipped rows of {} for {}", sizes.join("+"), state.row_points[at]));
    }
    if !scene.status(player).is_empty() {
        parts.push(scene.status(player).into());
    }
    parts.extend(scene.claim(player));
    wrap_parts(out, "", "    ", &parts, ", ");
    let row = scene.row(player);
    let card = |&code: &u8| {
        let letter = scene.letters(1 << scene.game.data(Kind::of_code(code)).ty);
        format!("{} {letter}", scene.card_name(code))
    };
    let mut cards: Vec<String> = row.codes().iter().map(card).collect();
    if cards.is_empty() {
        cards.push("-".into());
    }
    if row.len > 0 || !scene.is_over() {
        wrap_parts(out, "  row     ", "          ", &cards, " | ");
    }
    if row.len > 0 {
        let mut facts = vec![count(row.score.into(), "point")];
        if row.forbidden != 0 {
            facts.push(format!("forbids {}", scene.letters(row.forbidden)));
        }
        let met = (0..state.slots.len()).filter(|slot| row.met >> slot & 1 != 0);
        facts.extend(met.map(|slot| format!("meets {}", scene.badge_name(slot))));
        wrap_parts(out, "          = ", "            ", &facts, ", ");
    }
    if let Some(kind) = scene.waiting(player) {
        let _ = writeln!(out, "  waiting {}", scene.game.text(kind).name);
    }
    let compost = counted(scene, &state.composts[at].0);
    if !compost.is_empty() {
        wrap_parts(out, "  compost ", "          ", &compost, ", ");
    }
    let down: Vec<String> =
        scene.face_down(player).iter().map(|&code| scene.card_name(code).into()).collect();
    if !down.is_empty() {
        wrap_parts(out, "  chosen  ", "          ", &down, ", then ");
    }
    if !scene.sees_hand(player) {
        let view = scene.hand(player);
        let name = |&kind: &Kind| scene.game.text(kind).name.clone();
        let mut cards: Vec<String> = view.known.iter().map(name).collect();
        if view.hidden > 0 || cards.is_empty() {
            cards.push(format!("{} unknown", view.hidden));
        }
        wrap_parts(out, "  hand    ", "          ", &cards, ", ");
    }
}

/// Names of the cards of a zone with their number.
fn counted(scene: &Scene<'_>, counts: &[u8]) -> Vec<String> {
    let name = |(kind, &count): (usize, &u8)| {
        let name = &scene.game.text(Kind(kind as u8)).name;
        if count > 1 { format!("{name} x{count}") } else { name.clone() }
    };
    counts.iter().enumerate().filter(|(_, count)| **count > 0).map(name).collect()
}

fn hand(scene: &Scene<'_>, player: Player, out: &mut String) {
    let whose = if scene.viewer.is_some() { "Your hand".into() } else { format!("Hand of player {player}") };
    let cards = scene.hand(player).known;
    let _ = writeln!(out, "\n{whose}: the ship card and {}", cards.len());
    for same in cards.chunk_by(|a, b| a == b) {
        let (data, text) = (scene.game.data(same[0]), scene.game.text(same[0]));
        let count = if same.len() > 1 { format!("x{}", same.len()) } else { String::new() };
        let letter = scene.letters(1 << data.ty);
        let forbids = if data.forbids == 0 { "-".into() } else { scene.letters(data.forbids) };
        let rules = scene.rules_of(same[0]);
        let head = format!("  {:20} {count:2} {letter}  forbids {forbids:4} ", text.name);
        wrap_parts(out, &head, "                                      ", &rules, " and ");
    }
}
