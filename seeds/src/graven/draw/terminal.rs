//! The position as text.

use super::super::state::{BACK, FRONT, Stage};
use super::{Pile, Scene};
use playmat_core::prelude::*;
use playmat_core::terminal::wrap;
use std::fmt::Write;

pub(super) fn draw(scene: &Scene<'_>) -> String {
    let mut out = String::new();
    wrap(&mut out, &format!("Graven  {}: {}", scene.when().to_lowercase(), scene.prompt()), "        ");
    out.push('\n');
    for player in scene.downwards() {
        draw_player(scene, player, &mut out);
    }
    if !scene.state.queue.is_empty() {
        let names: Vec<&str> = scene.state.queue.iter().map(|entry| scene.card_name(entry.kind)).collect();
        wrap(&mut out, &format!("Waiting   {}", names.join(", ")), "          ");
    }
    out
}

fn draw_player(scene: &Scene<'_>, player: Player, out: &mut String) {
    let (s, own) = (scene.state, scene.player(player));
    let turns = s.turn_player == player.0 && !scene.is_over() && s.stage != Stage::Build;
    let turn = if turns { "  <- turn" } else { "" };
    let won = if scene.won(player) { "  * winner" } else { "" };
    let lost = if s.plays(player.0) { "" } else { "  lost\n" };
    let _ = writeln!(out, "{}{turn}{won}{lost}", scene.name(player));
    if !s.plays(player.0) && !scene.is_over() {
        return;
    }
    if s.stage == Stage::Build {
        let picks = scene
            .picks(player)
            .map(|cards| format!(": {}", counted(scene, cards.iter().collect()).join(", ")));
        let picked = format!("  deck     {} of 30 cards picked", own.deck.total());
        wrap(out, &format!("{picked}{}", picks.unwrap_or_default()), "           ");
        out.push('\n');
        return;
    }
    let mut survey = format!("  survey   {}", scene.game.survey_score(s, player.0));
    if own.modifier != 0 {
        let _ = write!(survey, " ({:+} this turn)", own.modifier);
    }
    if own.loss > 0 {
        let _ = write!(survey, "; mills {}", own.loss);
    }
    let _ = writeln!(out, "{survey}");
    if let Some(left) = scene.left(player) {
        let _ = writeln!(out, "  to play  {left}");
    }
    for (line, name) in [(FRONT, "front"), (BACK, "back")] {
        let piles: Vec<String> = scene.line(player, line).iter().map(|pile| words(scene, pile)).collect();
        wrap(out, &format!("  {name:<8} {}", listed(&piles, "-")), "           ");
    }
    let hand = match scene.hand(player) {
        Some(cards) => listed(&counted(scene, cards.iter().collect()), "-"),
        None if own.known.is_empty() => count(own.hand.total().into(), "card"),
        None => {
            let known = counted(scene, own.known.iter().collect()).join(", ");
            format!("{}, among them {known}", count(own.hand.total().into(), "card"))
        }
    };
    wrap(out, &format!("  hand     {hand}"), "           ");
    let deck = scene.deck(player).map(|cards| counted(scene, scene.titans_first(cards)).join(", "));
    let deck = deck.map_or(String::new(), |list| format!(": {list}"));
    wrap(out, &format!("  deck     {}{deck}", count(own.deck.total().into(), "card")), "           ");
    let titans = own.discard.of(scene.game.titan_kinds).total();
    let piled = listed(&counted(scene, scene.titans_first(own.discard)), "-");
    let fallen = if titans > 0 { format!("[{titans} of 3 Titans] ") } else { String::new() };
    wrap(out, &format!("  discard  {fallen}{piled}"), "           ");
    let used: Vec<&str> = scene.used_up(player).map(|kind| scene.card_name(kind)).collect();
    if !used.is_empty() {
        wrap(out, &format!("  used up  {}", used.join(", ")), "           ");
    }
    out.push('\n');
}

/// A pile of a line: `2 Archer (used)`.
fn words(scene: &Scene<'_>, pile: &Pile) -> String {
    let mut text = counted_one(scene, pile.kind, pile.copies);
    if let Some(owner) = pile.lent_by {
        let _ = write!(text, " of player {owner}");
    }
    if pile.spent > 0 {
        let some = if pile.spent < pile.copies { format!("{} ", pile.spent) } else { String::new() };
        let _ = write!(text, " ({some}used)");
    }
    text
}

fn counted_one(scene: &Scene<'_>, kind: u8, copies: u8) -> String {
    let star = if scene.game.is_titan(kind) { "*" } else { "" };
    let name = scene.card_name(kind);
    if copies > 1 { format!("{copies} {name}{star}") } else { format!("{name}{star}") }
}

fn counted(scene: &Scene<'_>, cards: Vec<(u8, u8)>) -> Vec<String> {
    cards.into_iter().map(|(kind, copies)| counted_one(scene, kind, copies)).collect()
}
