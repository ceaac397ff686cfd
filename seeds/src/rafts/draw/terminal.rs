//! The position as text.

use super::super::content::GENERICS;
use super::super::state::{BACTERIUM, Deck, GENE, GoalKind, Kind};
use super::Scene;
use playmat_core::prelude::*;
use playmat_core::terminal::wrap;
use std::fmt::Write;

pub(super) fn draw(scene: &Scene<'_>) -> String {
    let mut out = String::new();
    wrap(&mut out, &format!("Rafts!  {}: {}", scene.when().to_lowercase(), scene.prompt()), "        ");
    out.push('\n');
    for seat in scene.seats() {
        player(scene, seat, &mut out);
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
            goal_line(scene, Seat(scene.state.cursor), goal, "  ", &mut out);
        }
    }
    out
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn player(scene: &Scene<'_>, seat: Seat, out: &mut String) {
    let (state, player) = (scene.state, scene.player(seat));
    let mut title = scene.name(seat);
    if state.turn_player == seat.0 && !scene.is_over() {
        title.push_str("  <- turn");
    }
    if scene.won(seat) {
        title.push_str("  * winner");
    }
    if state.shields >> seat.0 & 1 != 0 {
        title.push_str("  (shielded)");
    }
    let _ = writeln!(out, "{title}");
    for goal in super::super::Rafts::goals_of(player) {
        goal_line(scene, seat, goal, "  goal     ", out);
    }
    let benches = 1 + usize::from(player.lab);
    for (b, bench) in player.benches.iter().take(benches).enumerate() {
        let slot = |kind: Option<Kind>| match kind {
            Some(kind) => format!("{} ({})", scene.id(kind), scene.card_name(kind)),
            None => "-".into(),
        };
        let label = if player.lab { format!("bench {b}") } else { "bench".into() };
        let words = format!("  {label:<8} {} + {}", slot(bench[BACTERIUM]), slot(bench[GENE]));
        wrap(out, &words, "           ");
    }
    let supplies: Vec<String> = GENERICS
        .iter()
        .zip(player.generics)
        .filter(|(_, count)| *count > 0)
        .map(|(id, count)| format!("{id} {count}"))
        .collect();
    let supplies = if supplies.is_empty() { "-".into() } else { supplies.join(", ") };
    let _ = writeln!(out, "  supplies {supplies}");
    hand(scene, seat, out);
    out.push('\n');
}

fn goal_line(scene: &Scene<'_>, seat: Seat, goal: GoalKind, label: &str, out: &mut String) {
    let card = &scene.game.goal(goal).card;
    let lines = scene.lines(scene.player(seat), goal);
    let mut words = vec![format!("{label}{}:", card.name)];
    let missing: Vec<String> = lines
        .iter()
        .filter(|line| line.have < line.need)
        .map(|line| match line.need - line.have {
            1 => scene.id(line.kind).to_string(),
            n => format!("{n} {}", scene.id(line.kind)),
        })
        .collect();
    let wants: Vec<String> = lines
        .iter()
        .map(|line| match line.need {
            1 => scene.id(line.kind).to_string(),
            n => format!("{n} {}", scene.id(line.kind)),
        })
        .collect();
    words.push(wants.join(", ") + ";");
    if missing.is_empty() {
        words.push("achieved".into());
    } else {
        words.push(format!("missing {}", missing.join(", ")));
    }
    if lines.iter().any(|line| line.raft > 0) {
        words.push("(raft used)".into());
    }
    wrap(out, &words.join(" "), "           ");
}

fn hand(scene: &Scene<'_>, seat: Seat, out: &mut String) {
    let words = match scene.hand(seat) {
        Some(cards) => {
            let names: Vec<String> = counted(scene, &cards);
            if names.is_empty() { "-".into() } else { names.join(", ") }
        }
        None => {
            let held = scene.player(seat).held;
            let mut parts: Vec<String> = Deck::ALL
                .iter()
                .zip(held)
                .filter(|(_, held)| *held > 0)
                .map(|(deck, held)| format!("{} {held}", deck.name()))
                .collect();
            let known: Vec<Kind> = scene.backs(seat).into_iter().filter_map(|(_, kind)| kind).collect();
            if !known.is_empty() {
                parts.push(format!("among them {}", counted(scene, &known).join(" and ")));
            }
            if parts.is_empty() { "-".into() } else { parts.join(", ") }
        }
    };
    wrap(out, &format!("  hand     {words}"), "           ");
}

/// Names of cards with their numbers, equal ones together.
fn counted(scene: &Scene<'_>, cards: &[Kind]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut rest = cards;
    while let Some(&first) = rest.first() {
        let count = rest.iter().take_while(|kind| **kind == first).count();
        let card = scene.game.card(first);
        let name = if scene.game.generic(first).is_some() {
            card.name.clone()
        } else {
            format!("{} ({})", card.id, card.name)
        };
        names.push(if count > 1 { format!("{count} {name}") } else { name });
        rest = &rest[count..];
    }
    names
}

fn piles(scene: &Scene<'_>, out: &mut String) {
    let state = scene.state;
    let sizes: Vec<String> =
        Deck::ALL.iter().zip(state.sizes).map(|(deck, size)| format!("{} {size}", deck.name())).collect();
    let goals: u8 = state.goals_left.iter().sum();
    let _ = writeln!(out, "Decks     {}, goals {goals}", sizes.join(", "));
    let pile = |counts: &[u8], from: usize| -> String {
        let cards: Vec<String> = counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .map(|(k, count)| format!("{} {count}", scene.id(Kind((from + k) as u8))))
            .collect();
        if cards.is_empty() { "-".into() } else { cards.join(", ") }
    };
    let game = scene.game;
    let mut discards = format!("Discards  {}", pile(&state.discards[..game.resources()], 0));
    if let Some(last) = state.last {
        let _ = write!(discards, "; last: {}", scene.id(last));
    }
    wrap(out, &discards, "          ");
    let actions = pile(&state.played[..game.kinds() - game.resources()], game.resources());
    wrap(out, &format!("Played    {actions}"), "          ");
}
