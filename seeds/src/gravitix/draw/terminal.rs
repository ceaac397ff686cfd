//! The position as text. A strip of triangles is a line of text; north is up.
//!
//! ```text
//!  2  /    \  + /    \  3.@/
//! ```
//!
//! In a triangle: the slot of an island, its owner (`.` nobody, `a` player 0, `b` player 1, capital if doubled), the ship on
//! it (`@` player 0, `&` player 1, `#` both), `+` where a ship can go. `xx` is half a triangle: closed. Below stand the k of the triangles. The list
//! gives the steps from each ship.

use super::super::map::{Cell, SLOTS};
use super::super::state::{Cards, size};
use super::Scene;
use crate::text::ability_words;
use playmat_core::prelude::*;
use playmat_core::terminal::{COLUMNS, wrap, wrap_parts};
use std::fmt::Write;

/// Signs of the ships, of both on one cell, and of the markers.
const SHIPS: [char; 2] = ['@', '&'];
const BOTH: char = '#';
const MARKERS: [char; 2] = ['a', 'b'];

pub(super) fn draw(scene: &Scene<'_>) -> String {
    let mut out = String::new();
    let game = scene.game;
    let mode = if scene.players() == 1 { ", puzzle" } else { "" };
    let hard = if game.hard { ", hard" } else { "" };
    let _ = writeln!(out, "Gravitix {}{mode}{hard}", game.map.formation.name());
    for words in [Some(scene.prompt()), scene.payment_words()].into_iter().flatten() {
        wrap(&mut out, &words, "      ");
    }
    out.push('\n');
    sea(scene, &mut out);
    out.push('\n');
    islands(scene, &mut out);
    out.push('\n');
    for player in scene.in_order() {
        draw_player(scene, player, &mut out);
    }
    out
}

/// The strips from the top down.
fn sea(scene: &Scene<'_>, out: &mut String) {
    let map = &scene.game.map;
    let (columns, rows) = map.formation.size();
    let reachable = scene.reachable();
    for s in (0..4 * rows + 2).rev() {
        let mut line = format!("{s:3} ");
        let mut before = false;
        for k in 0..4 * columns {
            let cell = map.cell(s, k);
            let half = cell.is_none() && is_half(scene, s, k);
            let edge = if (s + k) % 2 == 0 { '/' } else { '\\' };
            line.push(if cell.is_some() || half || before { edge } else { ' ' });
            line.push_str(&cell.map_or_else(
                || if half { " xx ".into() } else { "    ".into() },
                |cell| inside(scene, cell, reachable.contains(cell)),
            ));
            before = cell.is_some() || half;
        }
        if before {
            line.push(if (s + 4 * columns) % 2 == 0 { '/' } else { '\\' });
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    let ruler: String = (0..4 * columns - 1).map(|k| format!("{k:4} ")).collect();
    let _ = writeln!(out, "  k {}", ruler.trim_end());
    let owners = match scene.players() {
        1 => "(. none, a you)",
        _ => "(. none, a of @, b of &, A or B: two markers)",
    };
    let _ = writeln!(out, "\nIn a triangle: slot and owner of its island {owners}, ship.");
    if scene.game.share {
        let _ = writeln!(out, "{BOTH} is both ships.");
    }
    let _ = writeln!(
        out,
        "+ is in reach, xx is closed. A cell is strip:k, 2:1 in strip 2 the triangle above the 1."
    );
}

/// Whether half of a triangle at a border between columns is there.
fn is_half(scene: &Scene<'_>, s: usize, k: usize) -> bool {
    k % 4 == 3 && [k - 1, k + 1].iter().any(|&k| scene.game.map.cell(s, k).is_some())
}

/// Four signs for a cell.
fn inside(scene: &Scene<'_>, cell: Cell, reachable: bool) -> String {
    let state = scene.state;
    let slot = state.slot_at(cell);
    let mut text = slot.map_or_else(|| "   ".into(), |slot| format!("{slot:2}{}", marker(scene, slot)));
    let ships: Vec<usize> = (0..scene.players()).filter(|&player| state.ships[player] == cell).collect();
    text.push(match *ships.as_slice() {
        [] if reachable => '+',
        [] => ' ',
        [ship] => SHIPS[ship],
        _ => BOTH,
    });
    text
}

fn marker(scene: &Scene<'_>, slot: usize) -> char {
    match scene.state.owner(slot) {
        None => '.',
        Some(player) if scene.is_doubled(slot) => MARKERS[player.index()].to_ascii_uppercase(),
        Some(player) => MARKERS[player.index()],
    }
}

fn islands(scene: &Scene<'_>, out: &mut String) {
    let ships: Vec<Player> = (0..scene.players()).map(|player| Player(player as u8)).collect();
    let signs: String = ships.iter().map(|player| format!("{:>4}", SHIPS[player.index()])).collect();
    let _ =
        writeln!(out, "slot  island                    cell{signs}  points  cards  rum fabric gems  does");
    for slot in 0..SLOTS {
        let face = scene.face(slot);
        let (s, k) = scene.game.map.cells[scene.state.cells[slot].index()];
        let [r, f, g] = face.demand;
        let colour = face.colour.map(|colour| scene.game.colours[usize::from(colour)].as_str());
        let steps = ships.iter().map(|&player| scene.steps(player, slot));
        let steps: String =
            steps.map(|steps| format!("{:>4}", steps.map_or("-".into(), |n| n.to_string()))).collect();
        let does: Vec<&str> = face.ability.map(ability_words).into_iter().chain(colour).collect();
        let line = format!(
            "{slot:3} {} {:24} {:>6}{steps} {:6} {:6} {r:5} {f:5} {g:5}  ",
            marker(scene, slot),
            face.name.chars().take(24).collect::<String>(),
            format!("{s}:{k}"),
            face.points,
            face.cards,
        );
        let does = does.join(", ");
        // Names of colours of other contents may be long.
        let fits = line.chars().count() + does.chars().count() <= COLUMNS;
        let _ = writeln!(out, "{}", if fits { format!("{line}{does}") } else { line }.trim_end());
        if !fits {
            let _ = writeln!(out, "      {does}");
        }
    }
}

fn draw_player(scene: &Scene<'_>, player: Player, out: &mut String) {
    let state = scene.state;
    let cards = scene.hand_size(player);
    let score = if scene.players() == 1 && !scene.is_over() { "island" } else { "point" };
    let mut words = vec![
        format!("{} {}:", SHIPS[player.index()], scene.called(player)),
        format!("{},", count(scene.score(player).into(), score)),
        format!("{} left,", count(state.stock(player).into(), "marker")),
        format!("hand {cards},"),
        format!("deck {},", scene.deck_size(player)),
        format!("{} discarded", size(&state.discards[player.index()])),
    ];
    if scene.players() == 1 {
        words.push(format!("({} counted)", count(scene.game.counted(state).into(), "card")));
    }
    if !scene.pending(player).is_empty() {
        words.push(format!("[{}]", scene.pending(player)));
    }
    wrap_parts(out, "", "      ", &words, " ");
    if let Some(hand) = scene.hand(player) {
        wrap_parts(out, "   hand (sail): ", "      ", &cards_words(scene, hand), " ");
    }
}

/// Cards with sail value and resources: `2x RF(6)`.
fn cards_words(scene: &Scene<'_>, cards: &Cards) -> Vec<String> {
    let mut words = Vec::new();
    for (kind, &count) in scene.game.kinds.iter().zip(cards).filter(|(_, count)| **count > 0) {
        let times = if count > 1 { format!("{count}x ") } else { String::new() };
        let letters = ["R", "F", "G"].iter().zip(kind.values);
        let plain: String = letters.map(|(letter, units)| letter.repeat(units.into())).collect();
        // Names of other contents need not say what a card pays.
        let pays = if plain == kind.id || plain.is_empty() { String::new() } else { format!("={plain}") };
        words.push(format!("{times}{}{pays}({})", kind.id, kind.sail));
    }
    if words.is_empty() { vec!["none".into()] } else { words }
}
