//! The position as a picture: for every player both lines, the Survey Score, deck, discard pile and hand.

use super::super::state::{BACK, Cards, FRONT, Stage};
use super::cards::{self, Appearance};
use super::{Pile, Scene};
use playmat_core::prelude::*;
use playmat_core::svg::{cut, fitted_lines, lines, text_width};

const WIDTH: f64 = 1200.0;
const PAD: f64 = 16.0;
/// Width of the column with name, score and piles.
const SIDE: f64 = 190.0;
/// Height of a line with its cards.
const ROW: f64 = 92.0;
/// Height of the strip with hand and discard pile.
const STRIP: f64 = 40.0;
const GAP: f64 = 14.0;
/// A card on a line, the room between two of them, and a card of the viewer's hand.
const SMALL: (f64, f64) = (108.0, 78.0);
const BETWEEN: f64 = 6.0;
const LARGE: (f64, f64) = (156.0, 122.0);
/// Height of the viewer's hand.
const HAND: f64 = LARGE.1 + 34.0;
/// The upper left corner and the width of a card.
type Place = ((f64, f64), f64);
/// Width of the words about what goes on.
const PROMPT: f64 = WIDTH - 2.0 * PAD - 230.0;
/// How much wider than `player 1` a name of twenty letters is: hosts write names in its place.
const LONGER_NAME: f64 = 100.0;
const PAPER: &str = "#ece7db";
const PANEL: &str = "#fbf8f0";
const INK: &str = "#2a2622";
const MUTED: &str = "#7d766b";
const FAINT: &str = "#d6cfbf";
const FRONT_TINT: &str = "#f6e3c3";
const BACK_TINT: &str = "#d8e2ee";
const GOLD: &str = "#b07a12";
const BLOOD: &str = "#a3261d";

pub(super) fn draw(scene: &Scene<'_>) -> String {
    let players = scene.downwards();
    let dealt = scene.state.stage != Stage::Build;
    let own_hand = scene.viewer.filter(|player| dealt && scene.state.plays(player.0));
    let panels: f64 = players.iter().map(|&player| panel_height(scene, player) + GAP).sum();
    let height = 52.0 + panels + if own_hand.is_some() { HAND + GAP } else { 0.0 };
    let mut svg = Svg::new(WIDTH, height);
    svg.rect(0.0, 0.0, WIDTH, height, PAPER, "");
    svg.text((PAD, 33.0), 22.0, Anchor::Start, INK, true, "Graven");
    svg.text((PAD + 92.0, 33.0), 14.0, Anchor::Start, MUTED, false, &scene.when());
    prompt(&mut svg, scene);
    let mut y = 50.0;
    for (number, player) in players.iter().enumerate() {
        // Whoever sits at the lower edge has the Back Line below, the others above: Front Lines face each other.
        let lower = number + 1 == players.len();
        draw_player(&mut svg, scene, *player, lower, y);
        y += panel_height(scene, *player) + GAP;
    }
    if let Some(player) = own_hand {
        hand(&mut svg, scene, player, y);
    }
    svg.finish()
}

/// What goes on and, below it, what must be decided.
fn prompt(svg: &mut Svg, scene: &Scene<'_>) {
    let mut line = |y: f64, size: f64, style: (&str, bool), words: &str| {
        let room = PROMPT - LONGER_NAME * words.matches("player ").count() as f64;
        svg.fitted((WIDTH - PAD, y), (size, room), Anchor::End, style, &capital(words));
    };
    match scene.decision() {
        Some(question) => {
            line(22.0, 12.5, (MUTED, false), &scene.happening());
            line(40.0, 14.0, (INK, true), &question);
        }
        None => line(33.0, 14.0, (INK, true), &scene.happening()),
    }
}

fn panel_height(scene: &Scene<'_>, player: Player) -> f64 {
    if scene.state.stage == Stage::Build || scene.is_gone(player) {
        70.0
    } else {
        2.0 * ROW + 2.0 * STRIP + 14.0
    }
}

fn draw_player(svg: &mut Svg, scene: &Scene<'_>, player: Player, lower: bool, y: f64) {
    let height = panel_height(scene, player);
    let s = scene.state;
    let turn = s.turn_player == player.0 && !scene.is_over() && s.stage != Stage::Build;
    let edge = if turn || scene.won(player) { GOLD } else { FAINT };
    let thick = if turn { 2.5 } else { 1.2 };
    svg.framed((PAD, y), (WIDTH - 2.0 * PAD, height), PANEL, 10.0, (edge, thick));
    let x = PAD + 14.0;
    svg.text((x, y + 24.0), 15.0, Anchor::Start, INK, true, &format!("Player {player}"));
    let status = match (s.plays(player.0), scene.won(player), turn) {
        (_, true, _) => Some(("winner", GOLD)),
        (false, ..) => Some(("lost", BLOOD)),
        (_, _, true) => Some(("turn", GOLD)),
        _ => None,
    };
    let you = (scene.viewer == Some(player)).then_some(("you", MUTED));
    let mut right = x + SIDE - 10.0;
    for (word, colour) in status.into_iter().chain(you) {
        right -= pill(svg, word, colour, (right, y + 46.0)) + 6.0;
    }
    if s.stage == Stage::Build {
        let picked = format!("{} of 30 cards picked", scene.player(player).deck.total());
        svg.text((x, y + 50.0), 13.0, Anchor::Start, MUTED, false, &picked);
        if let Some(picks) = scene.picks(player) {
            chips(svg, scene, &picks.iter().collect::<Vec<_>>(), (x + SIDE, y + 24.0), WIDTH - PAD - 12.0);
        }
        return;
    }
    if scene.is_gone(player) {
        return svg.text((x, y + 50.0), 13.0, Anchor::Start, MUTED, false, "out of the game");
    }
    score(svg, scene, player, (x, y + 34.0));
    piles(svg, scene, player, (x, y + 136.0));
    let used: Vec<&str> = scene.used_up(player).map(|kind| scene.game.id(kind)).collect();
    if !used.is_empty() {
        let (words, room) = (format!("used up: {}", used.join(" ")), SIDE - 6.0);
        let (font, parts) = fitted_lines(&words, (11.0, false), room, 2);
        for (n, part) in parts.iter().enumerate() {
            let at = (x, y + height - 27.0 + 14.0 * n as f64);
            svg.text(at, font, Anchor::Start, BLOOD, false, part);
        }
    }
    let left = PAD + SIDE + 18.0;
    let rows = if lower { [FRONT, BACK] } else { [BACK, FRONT] };
    for (at, line) in rows.into_iter().enumerate() {
        row(svg, scene, player, line, (left, y + 8.0 + at as f64 * (ROW + 3.0)));
    }
    strip(svg, scene, player, (left, y + 2.0 * ROW + 17.0));
}

/// A word in a rounded box that ends at x. Returns its width.
fn pill(svg: &mut Svg, word: &str, colour: &str, (x, y): (f64, f64)) -> f64 {
    let width = 14.0 + text_width(word, 11.0, true);
    svg.rect(x - width, y - 12.0, width, 18.0, colour, r#"rx="9""#);
    svg.text((x - width / 2.0, y + 1.0), 11.0, Anchor::Middle, "#fff", true, word);
    width
}

/// The Survey Score, what changed it and what it costs.
fn score(svg: &mut Svg, scene: &Scene<'_>, player: Player, (x, y): (f64, f64)) {
    let own = scene.player(player);
    let score = scene.game.survey_score(scene.state, player.0);
    svg.circle(x + 30.0, y + 34.0, 28.0, FRONT_TINT, &format!(r#"stroke="{GOLD}" stroke-width="2""#));
    svg.text((x + 30.0, y + 43.0), 26.0, Anchor::Middle, INK, true, &score.to_string());
    svg.text((x + 70.0, y + 34.0), 12.0, Anchor::Start, MUTED, false, "Survey Score");
    if own.modifier != 0 {
        let text = format!("{:+} this turn", own.modifier);
        svg.text((x + 70.0, y + 50.0), 12.0, Anchor::Start, INK, true, &text);
    }
    if own.loss > 0 {
        let text = format!("mills {}", own.loss);
        svg.text((x + 70.0, y + 66.0), 12.0, Anchor::Start, BLOOD, true, &text);
    }
    if let Some(left) = scene.left(player) {
        svg.text((x, y + 84.0), 12.0, Anchor::Start, GOLD, true, &left);
    }
}

/// Deck, discard pile, and how many Titans lie in it.
fn piles(svg: &mut Svg, scene: &Scene<'_>, player: Player, (x, y): (f64, f64)) {
    let own = scene.player(player);
    let piles = [("deck", own.deck.total()), ("discard", own.discard.total())];
    for (at, (label, count)) in piles.into_iter().enumerate() {
        let left = x + 62.0 * at as f64;
        for lift in (0..(count.min(9) / 3)).rev() {
            let shift = 2.0 * f64::from(lift);
            svg.framed((left - shift, y - shift), (42.0, 56.0), "#c9bfa9", 5.0, ("#fff", 1.0));
        }
        let (fill, style) = match (at, count) {
            (_, 0) => ("none", format!(r#"rx="5" stroke="{FAINT}" stroke-dasharray="4 3""#)),
            (0, _) => ("#4b3f54", r##"rx="5" stroke="#332a3a" stroke-width="1""##.into()),
            _ => ("#e6ddca", format!(r#"rx="5" stroke="{MUTED}""#)),
        };
        svg.rect(left, y, 42.0, 56.0, fill, &style);
        let ink = if at == 0 && count > 0 { "#fff" } else { INK };
        svg.text((left + 21.0, y + 35.0), 19.0, Anchor::Middle, ink, true, &count.to_string());
        svg.text((left + 21.0, y + 71.0), 11.0, Anchor::Middle, MUTED, false, label);
    }
    let titans = own.discard.of(scene.game.titan_kinds).total();
    for n in 0..3 {
        let (cx, cy) = (x + 142.0, y + 8.0 + 20.0 * f64::from(n));
        let (fill, edge) = if n < titans { (BLOOD, BLOOD) } else { ("none", MUTED) };
        let points = [(cx, cy - 9.0), (cx + 9.0, cy), (cx, cy + 9.0), (cx - 9.0, cy)];
        svg.polygon(&points, fill, &format!(r#"stroke="{edge}" stroke-width="1.4""#));
    }
    svg.text((x + 142.0, y + 71.0), 11.0, Anchor::Middle, MUTED, false, "Titans");
}

/// The back of a card.
fn back(svg: &mut Svg, (x, y): (f64, f64), (width, height): (f64, f64)) {
    svg.framed((x, y), (width, height), "#4b3f54", 5.0, ("#332a3a", 1.0));
    let (cx, cy, r) = (x + width / 2.0, y + height / 2.0, width.min(height) / 3.2);
    let points = [(cx, cy - r), (cx + r * 0.7, cy), (cx, cy + r), (cx - r * 0.7, cy)];
    svg.polygon(&points, "none", r##"stroke="#c8a24a" stroke-width="1.2""##);
}

/// A line with its cards.
fn row(svg: &mut Svg, scene: &Scene<'_>, player: Player, line: usize, (x, y): (f64, f64)) {
    let width = WIDTH - PAD - 12.0 - x;
    let (tint, name, what) = match line {
        FRONT => (FRONT_TINT, "FRONT LINE", "counted"),
        _ => (BACK_TINT, "BACK LINE", "effects"),
    };
    svg.rect(x, y, width, ROW, tint, r#"rx="7" fill-opacity="0.55""#);
    svg.begin_style(&format!(r#"transform="translate({:.1} {:.1}) rotate(-90)""#, x + 13.0, y + ROW / 2.0));
    svg.text((0.0, 0.0), 9.5, Anchor::Middle, MUTED, true, name);
    svg.text((0.0, 11.0), 9.0, Anchor::Middle, MUTED, false, what);
    svg.end_group();
    let piles = scene.line(player, line);
    // Cards lie side by side, and are narrower when there are many.
    let step = ((width - 42.0 + BETWEEN) / piles.len().max(1) as f64).min(SMALL.0 + BETWEEN);
    for (at, pile) in piles.iter().enumerate() {
        small_card(svg, scene, pile, line, ((x + 32.0 + step * at as f64, y + 7.0), step - BETWEEN));
    }
}

/// A card without words: its head, and its copies beneath, a little aside. Small on a line, large in the viewer's hand.
fn blank(
    svg: &mut Svg,
    appearance: &Appearance,
    copies: u8,
    (x, y): (f64, f64),
    (width, height): (f64, f64),
) {
    let is_large = height == LARGE.1;
    let (radius, step, thick, head) = if is_large { (8.0, 4.0, 1.8, 24.0) } else { (6.0, 3.0, 1.4, 19.0) };
    let beneath = format!(r#"rx="{radius}" stroke="{}""#, appearance.colour);
    for n in (1..copies).rev() {
        let shift = step * f64::from(n);
        svg.rect(x + shift, y - shift, width, height, appearance.pale, &beneath);
    }
    svg.framed((x, y), (width, height), "#fffdf8", radius, (appearance.colour, thick));
    svg.band((x, y), (width, head), 6.0, appearance.colour);
}

fn small_card(svg: &mut Svg, scene: &Scene<'_>, pile: &Pile, line: usize, ((x, y), width): Place) {
    let game = scene.game;
    let appearance = cards::appearance(game, pile.kind);
    let (height, room) = (SMALL.1, width - 10.0);
    blank(svg, &appearance, pile.copies.min(4), (x, y), (width, height));
    let copies = if pile.copies > 1 { format!("{}x ", pile.copies) } else { String::new() };
    let name = format!("{copies}{}", scene.card_name(pile.kind));
    let (font, name) = fitted_lines(&name, (11.0, true), room, 1);
    svg.text((x + 6.0, y + 13.5), font, Anchor::Start, "#fff", true, &name.concat());
    let muted = line == FRONT && !pile.speaks;
    let ink = if muted { "#a49b8b" } else { INK };
    let words = cards::summary(game, pile.kind);
    let rows = if pile.lent_by.is_some() { 2 } else { 3 };
    paragraph(svg, ((x + 6.0, y + 32.0), 11.0), (9.0, room), ink, &lines(&words, (9.0, false), room, rows));
    if line == FRONT {
        let points = if game.is_titan(pile.kind) { 3 } else { 1 };
        let first = x + 9.0 + 10.0 * f64::from(points - 1);
        cards::points(svg, points, GOLD, (first, y + height - 9.0));
    }
    if pile.spent > 0 {
        let text = if pile.spent == pile.copies { "used".into() } else { format!("{} used", pile.spent) };
        svg.text((x + 6.0, y + height - 6.0), 9.5, Anchor::Start, BLOOD, true, &text);
    }
    if let Some(owner) = pile.lent_by {
        svg.rect(x, y + height - 31.0, width, 14.0, BLOOD, "");
        // A narrow card has no room for a name.
        let text = if width < SMALL.0 { format!("of P{owner}") } else { format!("of player {owner}") };
        svg.text((x + 4.0, y + height - 21.0), 8.0, Anchor::Start, "#fff", true, &text);
    }
}

/// Lines of a text, each cut to the width.
fn paragraph(
    svg: &mut Svg,
    ((x, y), step): ((f64, f64), f64),
    (size, width): (f64, f64),
    ink: &str,
    lines: &[String],
) {
    for (n, line) in lines.iter().enumerate() {
        let line = cut(line, (size, false), width);
        svg.text((x, y + step * n as f64), size, Anchor::Start, ink, false, &line);
    }
}

/// Hand as others see it, and the discard pile card by card.
fn strip(svg: &mut Svg, scene: &Scene<'_>, player: Player, (x, y): (f64, f64)) {
    let own = scene.player(player);
    svg.text((x, y + 19.0), 11.0, Anchor::Start, MUTED, false, "hand");
    let mut at = x + 34.0;
    // The viewer's own hand lies in large below, as long as the viewer plays.
    let below = scene.viewer == Some(player) && scene.state.plays(player.0);
    let open = if below { None } else { scene.hand(player) };
    let shown = open.unwrap_or(own.known);
    let hidden = own.hand.total() - shown.total();
    if below {
        let text = format!("{}, below", count(own.hand.total().into(), "card"));
        svg.text((at, y + 19.0), 11.0, Anchor::Start, INK, true, &text);
        at += 96.0;
    } else {
        at = chips(svg, scene, &shown.iter().collect::<Vec<_>>(), (at, y + 4.0), x + 420.0);
        let step = if hidden > 8 { 100.0 / f64::from(hidden) } else { 14.0 };
        for n in 0..hidden {
            back(svg, (at + step * f64::from(n), y + 2.0), (18.0, 25.0));
        }
        if hidden > 0 {
            at += step * f64::from(hidden - 1) + 24.0;
            svg.text((at, y + 19.0), 11.0, Anchor::Start, INK, true, &hidden.to_string());
            at += 22.0;
        }
    }
    // What is left in the deck, for who knows it.
    if let Some(deck) = scene.deck(player) {
        svg.text((at + 8.0, y + 19.0), 11.0, Anchor::Start, MUTED, false, "deck");
        chips(svg, scene, &scene.titans_first(deck), (at + 40.0, y + 4.0), WIDTH - PAD - 12.0);
    }
    svg.text((x, y + 49.0), 11.0, Anchor::Start, MUTED, false, "discard");
    let fallen = scene.titans_first(own.discard);
    chips(svg, scene, &fallen, (x + 46.0, y + 34.0), WIDTH - PAD - 12.0);
}

/// Small marks of cards by their ids; where the next would begin. What does not fit is given as a number.
fn chips(svg: &mut Svg, scene: &Scene<'_>, cards: &[(u8, u8)], (x, y): (f64, f64), end: f64) -> f64 {
    let mut at = x;
    let mut left: u32 = cards.iter().map(|(_, copies)| u32::from(*copies)).sum();
    for &(kind, copies) in cards {
        let id = cut(&scene.game.card(kind).id, (10.5, true), 48.0);
        let text = if copies > 1 { format!("{id} x{copies}") } else { id };
        let width = 10.0 + text_width(&text, 10.5, true);
        if at + width + 40.0 > end && left > u32::from(copies) {
            svg.text((at + 2.0, y + 15.0), 11.0, Anchor::Start, MUTED, true, &format!("+{left}"));
            return at + 34.0;
        }
        let appearance = cards::appearance(scene.game, kind);
        let (fill, ink) = if scene.game.is_titan(kind) {
            (appearance.colour, "#fff")
        } else {
            (appearance.pale, appearance.colour)
        };
        svg.rect(at, y, width, 21.0, fill, &format!(r#"rx="5" stroke="{}""#, appearance.colour));
        svg.text((at + width / 2.0, y + 14.5), 10.5, Anchor::Middle, ink, true, &text);
        at += width + 5.0;
        left -= u32::from(copies);
    }
    at + 4.0
}

/// The viewer's cards, large.
fn hand(svg: &mut Svg, scene: &Scene<'_>, player: Player, y: f64) {
    svg.text((PAD, y + 16.0), 13.0, Anchor::Start, INK, true, "Your hand");
    let cards = scene.hand(player).unwrap_or(Cards::EMPTY);
    let kinds = f64::from(cards.kinds().count_ones().max(1));
    let step = ((WIDTH - 2.0 * PAD + 10.0) / kinds).min(LARGE.0 + 10.0);
    for (at, (kind, copies)) in cards.iter().enumerate() {
        hand_card(svg, scene, (kind, copies), ((PAD + step * at as f64, y + 26.0), step - 10.0));
    }
}

fn hand_card(svg: &mut Svg, scene: &Scene<'_>, (kind, copies): (u8, u8), ((x, y), width): Place) {
    let appearance = cards::appearance(scene.game, kind);
    let (height, room) = (LARGE.1, width - 14.0);
    blank(svg, &appearance, copies, (x, y), (width, height));
    let number = if copies > 1 { format!("x{copies}") } else { String::new() };
    if copies > 1 {
        svg.text((x + width - 7.0, y + 17.0), 12.5, Anchor::End, "#fff", true, &number);
    }
    let left = room - 1.3 * text_width(&number, 12.5, true);
    let (font, name) = fitted_lines(scene.card_name(kind), (12.5, true), left, 1);
    svg.text((x + 8.0, y + 17.0), font, Anchor::Start, "#fff", true, &name.concat());
    let mut line = y + 40.0;
    let abilities = super::words::abilities(scene.game, kind);
    let rows = if abilities.len() > 1 { 2 } else { 5 };
    for (when, what) in abilities.iter().take(2) {
        svg.fitted((x + 8.0, line), (9.5, room), Anchor::Start, (appearance.colour, true), when);
        let what = lines(what, (10.0, false), room, rows);
        paragraph(svg, ((x + 8.0, line + 12.0), 12.0), (10.0, room), INK, &what);
        line += 15.0 + 12.0 * what.len() as f64;
    }
    svg.text((x + 8.0, y + height - 7.0), 9.5, Anchor::Start, MUTED, false, appearance.label);
    let points = if scene.game.is_titan(kind) { 3 } else { 1 };
    cards::points(svg, points, GOLD, (x + width - 10.0, y + height - 10.0));
}
