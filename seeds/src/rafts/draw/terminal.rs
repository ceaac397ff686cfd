//! The position as text.

use super::super::content::GENERICS;
use super::super::state::{BACTERIUM, Deck, GENE, GoalKind, Kind};
use super::{Line, Scene};
use playmat_core::prelude::*;
use playmat_core::terminal::wrap;
use std::fmt::Write;

pub(super) fn draw(scene: &Scene<'_>) -> String {
    let mut out = String::new();
    wrap(&mut out, &format!("Rafts!  {}: {}", scene.when().to_lowercase(), scene.prompt()), "        ");
    out.push('\n');
    for player in scene.in_order() {
        draw_player(scene, player, &mut out);
    }
    for (kind, word) in scene.under_way() {
        let card = counted(scene, &[kind]).join("");
        wrap(&mut out, &format!("{:<9} {card}", capital(word)), "          ");
    }
    piles(scene, &mut out);
    let offered = scene.offered_goals();
    if !offered.is_empty() {
        out.push_str("Goals to choose from\n");
        for goal in offered {
            goal_line(scene, Player(scene.state.cursor), goal, "  ", &mut out);
        }
    }
    out
}

fn draw_player(scene: &Scene<'_>, player: Player, out: &mut String) {
    let (state, own) = (scene.state, scene.player(player));
    let turn = if state.turn_player == player.0 && !scene.is_over() { "  <- turn" } else { "" };
    let won = if scene.won(player) { "  * winner" } else { "" };
    let shielded = if state.shields >> player.0 & 1 != 0 { "  (shielded)" } else { "" };
    let _ = writeln!(out, "{}{turn}{won}{shielded}", scene.name(player));
    for goal in super::super::Rafts::goals_of(own) {
        goal_line(scene, player, goal, "  goal     ", out);
    }
    let benches = 1 + usize::from(own.lab);
    for (b, bench) in own.benches.iter().take(benches).enumerate() {
        let slot = |kind: Option<Kind>| kind.map_or_else(|| "-".into(), |kind| scene.game.full(kind));
        let label = if own.lab { format!("bench {b}") } else { "bench".into() };
        let words = format!("  {label:<8} {} + {}", slot(bench[BACTERIUM]), slot(bench[GENE]));
        wrap(out, &words, "           ");
    }
    let supplies = numbers(GENERICS.into_iter().zip(own.generics));
    let _ = writeln!(out, "  supplies {}", listed(&supplies, "-"));
    hand(scene, player, out);
    out.push('\n');
}

fn goal_line(scene: &Scene<'_>, player: Player, goal: GoalKind, label: &str, out: &mut String) {
    let card = &scene.game.goal(goal).card;
    let lines = scene.lines(scene.player(player), goal);
    let copies = |line: &Line, number: u8| match number {
        1 => scene.id(line.kind).to_string(),
        n => format!("{n} {}", scene.id(line.kind)),
    };
    let wants: Vec<String> = lines.iter().map(|line| copies(line, line.need)).collect();
    let missing = lines.iter().filter(|line| line.have < line.need);
    let missing: Vec<String> = missing.map(|line| copies(line, line.need - line.have)).collect();
    let lacks =
        if missing.is_empty() { "achieved".into() } else { format!("missing {}", missing.join(", ")) };
    let raft = if lines.iter().any(|line| line.raft > 0) { " (raft used)" } else { "" };
    wrap(out, &format!("{label}{}: {}; {lacks}{raft}", card.name, wants.join(", ")), "           ");
}

fn hand(scene: &Scene<'_>, player: Player, out: &mut String) {
    let words = match scene.hand(player) {
        Some(cards) => counted(scene, &cards),
        None => {
            let mut parts = numbers(Deck::ALL.map(Deck::name).into_iter().zip(scene.player(player).held));
            let known: Vec<Kind> = scene.backs(player).into_iter().filter_map(|(_, kind)| kind).collect();
            if !known.is_empty() {
                parts.push(format!("among them {}", counted(scene, &known).join(" and ")));
            }
            parts
        }
    };
    wrap(out, &format!("  hand     {}", listed(&words, "-")), "           ");
}

/// `time 2`, for everything that there is any of.
fn numbers<'a>(of: impl Iterator<Item = (&'a str, u8)>) -> Vec<String> {
    of.filter(|(_, number)| *number > 0).map(|(name, number)| format!("{name} {number}")).collect()
}

/// Names of cards with their numbers, equal ones together.
fn counted(scene: &Scene<'_>, cards: &[Kind]) -> Vec<String> {
    let name = |same: &[Kind]| {
        let (card, generic) = (scene.game.card(same[0]), scene.game.generic(same[0]).is_some());
        let name = if generic { card.name.clone() } else { scene.game.full(same[0]) };
        if same.len() > 1 { format!("{} {name}", same.len()) } else { name }
    };
    cards.chunk_by(|a, b| a == b).map(name).collect()
}

fn piles(scene: &Scene<'_>, out: &mut String) {
    let state = scene.state;
    let sizes: Vec<String> =
        Deck::ALL.iter().zip(state.sizes).map(|(deck, size)| format!("{} {size}", deck.name())).collect();
    let goals: u8 = state.goals_left.iter().sum();
    let _ = writeln!(out, "Decks     {}, goals {goals}", sizes.join(", "));
    let pile = |counts: &[u8], from: usize| {
        let ids = (from..from + counts.len()).map(|kind| scene.id(Kind(kind as u8)));
        listed(&numbers(ids.zip(counts.iter().copied())), "-")
    };
    let game = scene.game;
    let last = state.last.map_or_else(String::new, |kind| format!("; last: {}", scene.id(kind)));
    wrap(out, &format!("Discards  {}{last}", pile(&state.discards[..game.resources()], 0)), "          ");
    let actions = pile(&state.played[..game.kinds() - game.resources()], game.resources());
    wrap(out, &format!("Played    {actions}"), "          ");
}
