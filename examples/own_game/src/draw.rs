//! What a picture shows.

use crate::state::State;
use crate::{LiarsDice, rules, score, text};
use playmat_core::prelude::*;
use playmat_core::terminal::wrap;

pub(crate) fn draw_text(game: &LiarsDice, state: &State, viewer: Option<Player>) -> String {
    let mut out = String::from("Liar's Dice\n");
    for line in lines(game, state, viewer) {
        out.push_str(&line);
        out.push('\n');
    }
    wrap(&mut out, &bids(game, state), "  ");
    out
}

pub(crate) fn draw_svg(game: &LiarsDice, state: &State, viewer: Option<Player>) -> String {
    let (width, height) = (420.0, 40.0 * game.players as f64 + 60.0);
    let mut svg = Svg::new(width, height);
    svg.rect(0.0, 0.0, width, height, "#2f6b4f", "");
    for (row, line) in lines(game, state, viewer).iter().enumerate() {
        svg.text((20.0, 36.0 + 40.0 * row as f64), 16.0, Anchor::Start, "#fff", true, line);
    }
    let last = state.last_bid().map_or("no bid".into(), |bid| text::action_text(game, None, bid));
    svg.text((20.0, height - 20.0), 16.0, Anchor::Start, "#ffe08a", false, &format!("last bid: {last}"));
    svg.finish()
}

/// A line for each player.
fn lines(game: &LiarsDice, state: &State, viewer: Option<Player>) -> Vec<String> {
    let acting = rules::acting(game, state);
    let scores = score::scores(game, state);
    let line = |player: Player| {
        let mark = if acting.contains(player) { '>' } else { ' ' };
        let seen = state.die(player).is_seen_by(viewer);
        let die = if seen { state.dice[player.index()].to_string() } else { "?".into() };
        let score = if state.called { format!(" {:+}", scores[player.index()]) } else { String::new() };
        format!("{mark} player {player} [{die}]{score}")
    };
    Player::all(game.players).map(line).collect()
}

/// All bids, the last one last.
fn bids(game: &LiarsDice, state: &State) -> String {
    let made = (0..game.liar().0).filter(|bid| state.bids >> bid & 1 != 0);
    let texts: Vec<String> = made.map(|bid| text::action_text(game, None, Action(bid))).collect();
    let end = if state.called { "; doubted" } else { "" };
    if texts.is_empty() { "no bids".into() } else { format!("bids: {}{end}", texts.join(", ")) }
}
