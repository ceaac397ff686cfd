//! The whole position as a picture: piles above, a panel for each player, the viewer's hand below.

use super::super::Rafts;
use super::super::state::{BACTERIUM, Deck, GENE, GoalKind, Kind, MEDIUM, MONEY, RAFT, TIME};
use super::Scene;
use super::icons::{
    ACCENT, CARD, DONE, FAINT, GOLD, GOLD_PALE, INK, MUTED, PANEL, PAPER, Sign, appearance, back, is_fast,
    lightning, sign, words,
};
use playmat_core::prelude::*;
use playmat_core::svg::{cut, fitted_lines, lines, text_width};

/// Margin of the picture, and between panels.
const PAD: f64 = 22.0;
const GAP: f64 = 16.0;
/// Width and height of a player's panel.
const PANEL_SIZE: (f64, f64) = (592.0, 244.0);
/// Width of the words about what goes on.
const PROMPT: f64 = 2.0 * PANEL_SIZE.0 + GAP - 260.0;
/// How much wider than `player 1` a name of twenty letters is: hosts write names in its place.
const LONGER_NAME: f64 = 110.0;
/// Where the decks begin. Left edge of the discards and of the action cards used, and the first line of each.
const DECKS: f64 = 64.0;
const DISCARDS: (f64, f64) = (PAD + 424.0, DECKS + 20.0);
const USED: (f64, f64) = (PAD + 112.0, DECKS + 118.0);
/// From one line of labels to the next.
const LINE: f64 = 24.0;
/// A card of the viewer's hand.
const HAND_CARD: (f64, f64) = (112.0, 132.0);
/// Strip below the panels that the hand takes.
const HAND_HEIGHT: f64 = HAND_CARD.1 + 44.0;

pub(super) fn draw(scene: &Scene<'_>) -> String {
    let players = scene.in_order();
    let rows = players.len().div_ceil(2) as f64;
    let width = 2.0 * PAD + 2.0 * PANEL_SIZE.0 + GAP;
    let hand = if scene.viewer.is_some() { HAND_HEIGHT } else { 0.0 };
    let piled = Piles::new(scene, width - PAD);
    let top = piled.bottom() + 14.0;
    let height = top + rows * (PANEL_SIZE.1 + GAP) + hand + PAD - GAP;
    let mut svg = Svg::new(width, height);
    svg.rect(0.0, 0.0, width, height, PAPER, "");
    header(&mut svg, scene, width);
    piles(&mut svg, scene, &piled, width);
    for (i, &player) in players.iter().enumerate() {
        let (row, column) = ((i / 2) as f64, (i % 2) as f64);
        let at = (PAD + column * (PANEL_SIZE.0 + GAP), top + row * (PANEL_SIZE.1 + GAP));
        panel(&mut svg, scene, player, at);
    }
    if let Some(viewer) = scene.viewer {
        own_hand(&mut svg, scene, viewer, top + rows * (PANEL_SIZE.1 + GAP));
    }
    svg.finish()
}

fn header(svg: &mut Svg, scene: &Scene<'_>, width: f64) {
    svg.text((PAD, 44.0), 30.0, Anchor::Start, INK, true, "Rafts!");
    svg.text((PAD + 112.0, 44.0), 14.0, Anchor::Start, MUTED, false, &scene.when());
    let colour = if scene.is_over() { GOLD } else { ACCENT };
    let prompt = scene.prompt();
    let names = prompt.matches("layer ").count() as f64;
    let font = (15.0, PROMPT - LONGER_NAME * names);
    svg.fitted((width - PAD, 44.0), font, Anchor::End, (colour, true), &prompt);
}

/// A label with a number: kind, text, where it is.
struct Chip {
    kind: Kind,
    text: String,
    at: (f64, f64),
    width: f64,
}

/// Labels of the discards and, below all of them, of the action cards used.
struct Piles {
    /// Left edge of the discards.
    left: f64,
    discards: Vec<Chip>,
    used: Vec<Chip>,
    used_from: f64,
}

impl Piles {
    fn new(scene: &Scene<'_>, right: f64) -> Piles {
        let (state, game) = (scene.state, scene.game);
        let actions = game.kinds() - game.resources();
        let left = DISCARDS.0 + 98.0 * scene.under_way().count() as f64;
        let discards =
            chips(game, &counts(&state.discards[..game.resources()], 0), (left, DISCARDS.1), right);
        let used_from = discards.last().map_or(USED.1, |chip| USED.1.max(chip.at.1 + LINE));
        let played = counts(&state.played[..actions], game.resources());
        Piles { left, discards, used: chips(game, &played, (USED.0, used_from), right), used_from }
    }

    /// Where the line below the piles is.
    fn bottom(&self) -> f64 {
        self.used.last().map_or(self.used_from, |chip| chip.at.1) + 40.0
    }
}

/// Decks, the last discard, what lies in the discards and which actions were used.
fn piles(svg: &mut Svg, scene: &Scene<'_>, piled: &Piles, width: f64) {
    let (state, game) = (scene.state, scene.game);
    let mut x = PAD;
    let decks = Deck::ALL.map(|deck| (back(deck), state.sizes[deck.index()], deck.name()));
    let goals = (("#4d5660", Sign::Goal), state.goals_left.iter().sum(), "goals");
    for (emblem, size, name) in decks.into_iter().chain([goals]) {
        stack(svg, emblem, (x, DECKS), size);
        svg.text((x + 29.0, DECKS + 100.0), 11.0, Anchor::Middle, MUTED, false, name);
        x += 76.0;
    }
    x += 12.0;
    match state.last {
        Some(kind) => small_card(svg, game, kind, (x, DECKS), (86.0, 80.0)),
        None => svg.dashed((x, DECKS), (86.0, 80.0), 7.0, FAINT),
    }
    svg.text((x + 43.0, DECKS + 100.0), 11.0, Anchor::Middle, MUTED, false, "last discard");
    // A card that is being resolved or placed lies nowhere else: beside the piles.
    for (kind, word) in scene.under_way() {
        x += 98.0;
        small_card(svg, game, kind, (x, DECKS), (86.0, 80.0));
        svg.framed((x - 3.0, DECKS - 3.0), (92.0, 86.0), "none", 9.0, (ACCENT, 2.5));
        svg.text((x + 43.0, DECKS + 100.0), 11.0, Anchor::Middle, ACCENT, true, word);
    }
    svg.text((piled.left, DECKS + 12.0), 11.0, Anchor::Start, MUTED, true, "Discards");
    draw_chips(svg, game, &piled.discards, (piled.left, DISCARDS.1));
    svg.text((PAD, piled.used_from + 14.0), 11.0, Anchor::Start, MUTED, true, "Action cards used");
    draw_chips(svg, game, &piled.used, (USED.0, piled.used_from));
    let line = piled.bottom();
    svg.line((PAD, line), (width - PAD, line), FAINT, 1.0);
}

fn counts(counts: &[u8], from: usize) -> Vec<(Kind, u8)> {
    let kinds = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    kinds.map(|(k, &count)| (Kind((from + k) as u8), count)).collect()
}

/// What a card is called where there is little room: `E. coli`, `alkB`, `money`, `Power outage`.
fn label(game: &Rafts, kind: Kind) -> String {
    let card = game.card(kind);
    let (name, width) = if game.effect(kind).is_some() {
        (card.name.clone(), 132.0)
    } else if game.generic(kind).is_none() && game.slot(kind) == BACTERIUM {
        (short(&card.name, (11.0, true), 80.0), 96.0)
    } else {
        (card.id.clone(), 76.0)
    };
    cut(&name, (11.0, true), width)
}

/// Places of small labels with numbers, in rows up to `right`.
fn chips(game: &Rafts, cards: &[(Kind, u8)], (left, top): (f64, f64), right: f64) -> Vec<Chip> {
    let (mut x, mut y) = (left, top);
    let mut chips = Vec::new();
    for &(kind, count) in cards {
        let text = format!("{} {count}", label(game, kind));
        let width = 32.0 + text_width(&text, 11.0, true);
        if x + width > right {
            (x, y) = (left, y + LINE);
        }
        chips.push(Chip { kind, text, at: (x, y), width });
        x += width + 6.0;
    }
    chips
}

fn draw_chips(svg: &mut Svg, game: &Rafts, chips: &[Chip], (left, top): (f64, f64)) {
    if chips.is_empty() {
        svg.text((left, top + 14.0), 11.0, Anchor::Start, MUTED, false, "none");
    }
    for Chip { kind, text, at: (x, y), width } in chips {
        let appearance = appearance(game, *kind);
        svg.rect(*x, *y, *width, 20.0, appearance.pale, r#"rx="10""#);
        sign(svg, appearance.sign, appearance.colour, 12.0, (x + 12.0, y + 10.0));
        svg.text((x + 23.0, y + 14.0), 11.0, Anchor::Start, appearance.colour, true, text);
    }
}

/// A deck face down with the number of its cards.
fn stack(svg: &mut Svg, (colour, emblem): (&str, Sign), (x, y): (f64, f64), size: u8) {
    if size == 0 {
        svg.dashed((x, y), (58.0, 80.0), 7.0, FAINT);
    } else {
        let depth = (f64::from(size) / 12.0).ceil().min(4.0);
        for i in (0..=depth as u8).rev() {
            let off = 1.6 * f64::from(i);
            svg.framed((x + off, y + off), (58.0, 80.0), colour, 7.0, (CARD, 1.0));
        }
        sign(svg, emblem, "#ffffff", 22.0, (x + 29.0, y + 26.0));
    }
    let ink = if size == 0 { MUTED } else { "#ffffff" };
    svg.text((x + 29.0, y + 66.0), 19.0, Anchor::Middle, ink, true, &size.to_string());
}

/// A player's table.
fn panel(svg: &mut Svg, scene: &Scene<'_>, player: Player, (x, y): (f64, f64)) {
    let (state, own) = (scene.state, scene.player(player));
    let turn = state.turn_player == player.0 && !scene.is_over();
    let won = scene.won(player);
    let (fill, edge) = match (won, turn) {
        (true, _) => (GOLD_PALE, (GOLD, 3.0)),
        (_, true) => (PANEL, (ACCENT, 2.0)),
        _ => (PANEL, (FAINT, 1.2)),
    };
    svg.framed((x, y), PANEL_SIZE, fill, 12.0, edge);
    svg.text((x + 16.0, y + 26.0), 15.0, Anchor::Start, INK, true, &scene.name(player));
    let notes = [
        (won, "wins", GOLD),
        (turn, "turn", ACCENT),
        (state.shields >> player.0 & 1 != 0, "shielded", DONE),
        (scene.shows_decision(player) && !turn, "decides", ACCENT),
    ];
    let mut right = x + PANEL_SIZE.0 - 16.0;
    for (_, note, colour) in notes.into_iter().filter(|note| note.0) {
        let width = 16.0 + text_width(note, 11.5, true);
        svg.rect(right - width, y + 12.0, width, 20.0, colour, r#"rx="10""#);
        svg.text((right - width / 2.0, y + 26.0), 11.5, Anchor::Middle, CARD, true, note);
        right -= width + 6.0;
    }
    for (i, goal) in Rafts::goals_of(own).enumerate() {
        goal_card(svg, scene, player, goal, (x + 14.0 + 170.0 * i as f64, y + 40.0));
    }
    let left = x + 362.0;
    for b in 0..1 + usize::from(own.lab) {
        bench(svg, scene, player, b, (left, y + 40.0 + 62.0 * b as f64));
    }
    supplies(svg, scene, player, (left, y + 166.0));
    backs(svg, scene, player, (x + 16.0, y + 200.0));
}

/// A goal with everything that it needs, ticked off as it lies there.
fn goal_card(svg: &mut Svg, scene: &Scene<'_>, player: Player, goal: GoalKind, (x, y): (f64, f64)) {
    const WIDTH: f64 = 162.0;
    let game = scene.game;
    let rows = scene.lines(scene.player(player), goal);
    let complete = rows.iter().all(|row| row.have == row.need);
    let colour = if complete { DONE } else { "#4d5660" };
    svg.framed((x, y), (WIDTH, 150.0), CARD, 9.0, (colour, 1.4));
    svg.band((x, y), (WIDTH, 36.0), 9.0, colour);
    let room = WIDTH - 20.0;
    let (font, title) = fitted_lines(&game.goal(goal).card.name, (11.5, true), room, 2);
    let first = if title.len() > 1 { y + 15.0 } else { y + 22.0 };
    for (i, line) in title.iter().enumerate() {
        let at = (x + WIDTH / 2.0, first + 14.0 * i as f64);
        svg.text(at, font, Anchor::Middle, CARD, true, line);
    }
    for (i, row) in rows.iter().enumerate() {
        let line = y + 53.0 + 21.0 * i as f64;
        let appearance = appearance(game, row.kind);
        let done = row.have == row.need;
        sign(svg, appearance.sign, appearance.colour, 14.0, (x + 15.0, line - 4.0));
        let ink = if done { MUTED } else { INK };
        // Up to the boxes.
        let room = WIDTH - 42.0 - 17.0 * f64::from(row.need);
        let name = if game.slot(row.kind) == GENE && game.generic(row.kind).is_none() {
            game.card(row.kind).id.clone()
        } else {
            short(scene.card_name(row.kind), (11.0, !done), room)
        };
        let (font, name) = fitted_lines(&name, (11.0, !done), room, 1);
        svg.text((x + 28.0, line), font, Anchor::Start, ink, !done, &name.concat());
        for n in 0..row.need {
            let at = (x + WIDTH - 22.0 - 17.0 * f64::from(row.need - 1 - n), line - 10.5);
            tick(svg, n < row.have, n + row.raft >= row.have, at);
        }
    }
}

/// A box, ticked if the card lies there; a raft in it says so.
fn tick(svg: &mut Svg, there: bool, raft: bool, (x, y): (f64, f64)) {
    let (fill, edge) = if there { (DONE, DONE) } else { (CARD, "#a3a6aa") };
    svg.framed((x, y), (13.0, 13.0), fill, 3.0, (edge, 1.2));
    if there && raft {
        sign(svg, Sign::Raft, CARD, 10.0, (x + 6.5, y + 6.5));
    } else if there {
        let d = format!("M{} {}l2.500 3 4.500-6", x + 3.0, y + 6.5);
        svg.path(&d, "none", &format!(r#"stroke="{CARD}" stroke-width="2""#));
    }
}

/// A bench with its two slots.
fn bench(svg: &mut Svg, scene: &Scene<'_>, player: Player, b: usize, (x, y): (f64, f64)) {
    let own = scene.player(player);
    for (slot, name) in [(BACTERIUM, "bacterium"), (GENE, "gene")] {
        let at = x + 110.0 * slot as f64;
        match own.benches[b][slot] {
            Some(kind) => small_card(svg, scene.game, kind, (at, y), (104.0, 50.0)),
            None => {
                svg.dashed((at, y), (104.0, 50.0), 7.0, FAINT);
                svg.text((at + 52.0, y + 29.0), 10.5, Anchor::Middle, MUTED, false, name);
            }
        }
    }
    // The bench that both stand on.
    svg.line((x - 4.0, y + 54.0), (x + 218.0, y + 54.0), "#8d8878", 2.5);
}

/// Time, money and medium up to their limit, and the raft.
fn supplies(svg: &mut Svg, scene: &Scene<'_>, player: Player, (x, y): (f64, f64)) {
    let (game, own) = (scene.game, scene.player(player));
    let limit = game.limit(own);
    let slots = 3.0 * f64::from(limit) + 1.0;
    let step = (214.0 - 18.0) / slots;
    let size = (step - 3.0).min(26.0);
    let mut at = x;
    for generic in [TIME, MONEY, MEDIUM, RAFT] {
        let most = if generic == RAFT { 1 } else { limit };
        let appearance = appearance(game, Kind((game.specific + generic) as u8));
        for n in 0..most {
            let there = n < own.generics[generic];
            let colour = if there { appearance.colour } else { FAINT };
            if there {
                svg.framed((at, y), (size, size), appearance.pale, 6.0, (colour, 1.4));
            } else {
                let style = format!(r#"rx="6" stroke="{FAINT}" stroke-width="1.2" stroke-dasharray="3 3""#);
                svg.rect(at, y, size, size, "none", &style);
            }
            sign(svg, appearance.sign, colour, size * 0.66, (at + size / 2.0, y + size / 2.0));
            at += step;
        }
        at += 6.0;
    }
}

/// A hand as others see it: backs by deck, recovered cards open; all open without a viewer.
fn backs(svg: &mut Svg, scene: &Scene<'_>, player: Player, (x, y): (f64, f64)) {
    svg.text((x, y + 20.0), 11.0, Anchor::Start, MUTED, false, "hand");
    let room = PANEL_SIZE.0 - 68.0;
    let mut at = x + 36.0;
    if let Some(cards) = scene.hand(player).filter(|_| scene.viewer != Some(player)) {
        let step = (room / cards.len().max(1) as f64).min(87.0);
        for (i, kind) in cards.into_iter().enumerate() {
            open_card(svg, scene.game, kind, (at + step * i as f64, y), step - 5.0);
        }
        return;
    }
    let cards = scene.backs(player);
    let known = cards.iter().filter(|(_, known)| known.is_some()).count();
    let step = ((room - 29.0 * (cards.len() - known) as f64) / known.max(1) as f64).min(67.0);
    for (deck, known) in cards {
        if let Some(kind) = known {
            open_card(svg, scene.game, kind, (at, y), step - 5.0);
            at += step;
            continue;
        }
        let (colour, emblem) = back(deck);
        svg.rect(at, y, 24.0, 32.0, colour, r#"rx="4""#);
        sign(svg, emblem, CARD, 12.0, (at + 12.0, y + 16.0));
        at += 29.0;
    }
}

/// A card of a hand by its id.
fn open_card(svg: &mut Svg, game: &Rafts, kind: Kind, (x, y): (f64, f64), width: f64) {
    let (appearance, id) = (appearance(game, kind), &game.card(kind).id);
    svg.framed((x, y), (width, 32.0), appearance.pale, 5.0, (appearance.colour, 1.2));
    sign(svg, appearance.sign, appearance.colour, 14.0, (x + 12.0, y + 16.0));
    svg.fitted((x + 23.0, y + 20.0), (11.0, width - 27.0), Anchor::Start, (appearance.colour, true), id);
}

/// A card with its sign beside its name.
fn small_card(svg: &mut Svg, game: &Rafts, kind: Kind, (x, y): (f64, f64), (width, height): (f64, f64)) {
    let appearance = appearance(game, kind);
    svg.framed((x, y), (width, height), appearance.pale, 7.0, (appearance.colour, 1.4));
    let card = game.card(kind);
    let gene = game.generic(kind).is_none() && game.slot(kind) == GENE && game.effect(kind).is_none();
    let title = if gene { &card.id } else { &card.name };
    let (size, top, rows) = if height > 60.0 { (28.0, 10.0, 2) } else { (20.0, 6.0, 1) };
    sign(svg, appearance.sign, appearance.colour, size, (x + width / 2.0, y + top + size / 2.0));
    let (font, room) = ((10.5, true), width - 10.0);
    let title =
        if lines(title, font, room, rows + 1).len() > rows { short(title, font, 0.0) } else { title.clone() };
    let (font, shown) = fitted_lines(&title, font, room, rows);
    for (i, line) in shown.iter().enumerate() {
        let baseline = y + height - 8.0 - 12.0 * (shown.len() - 1 - i) as f64;
        svg.text((x + width / 2.0, baseline), font, Anchor::Middle, appearance.colour, true, line);
    }
}

/// The viewer's cards, large.
fn own_hand(svg: &mut Svg, scene: &Scene<'_>, player: Player, y: f64) {
    svg.text((PAD, y + 20.0), 13.0, Anchor::Start, INK, true, "Your hand");
    let cards = scene.hand(player).unwrap_or_default();
    let room = 2.0 * PANEL_SIZE.0 + GAP - 96.0;
    let step = ((room + 12.0) / cards.len().max(1) as f64).min(HAND_CARD.0 + 12.0);
    for (i, kind) in cards.into_iter().enumerate() {
        hand_card(svg, scene.game, kind, ((PAD + 96.0 + step * i as f64, y + 6.0), step - 12.0));
    }
}

fn hand_card(svg: &mut Svg, game: &Rafts, kind: Kind, ((x, y), width): ((f64, f64), f64)) {
    let appearance = appearance(game, kind);
    svg.framed((x, y), (width, HAND_CARD.1), CARD, 9.0, (appearance.colour, 1.8));
    svg.band((x, y), (width, 20.0), 9.0, appearance.colour);
    svg.text((x + width / 2.0, y + 14.5), 10.5, Anchor::Middle, CARD, true, appearance.label);
    if is_fast(game, kind) {
        lightning(svg, (x + width - 18.0, y + 3.0), 14.0, "#ffd54a");
    }
    svg.circle(x + width / 2.0, y + 47.0, 21.0, appearance.pale, "");
    sign(svg, appearance.sign, appearance.colour, 26.0, (x + width / 2.0, y + 47.0));
    let card = game.card(kind);
    let effect = words(game, kind);
    let gene = effect.is_empty() && game.generic(kind).is_none() && game.slot(kind) == GENE;
    let room = width - 10.0;
    let (font, title) = fitted_lines(if gene { &card.id } else { &card.name }, (11.0, true), room, 2);
    let (mut line, middle) = (y + 83.0, x + width / 2.0);
    for part in &title {
        svg.text((middle, line), font, Anchor::Middle, INK, true, part);
        line += 13.0;
    }
    let below: Vec<_> = match &effect[..] {
        [] if gene => vec![fitted_lines(&card.name, (10.0, false), room, 2)],
        [words] => vec![fitted_lines(words, (10.0, false), room, 2)],
        _ => effect.iter().map(|words| fitted_lines(words, (10.0, false), room, 1)).collect(),
    };
    for (font, part) in below.iter().flat_map(|(font, parts)| parts.iter().map(move |part| (font, part))) {
        svg.text((middle, line + 2.0), *font, Anchor::Middle, MUTED, false, part);
        line += 12.0;
    }
}

/// A name of two words as biologists shorten it, `E. coli`, if it is wider than this.
fn short(name: &str, (size, bold): (f64, bool), width: f64) -> String {
    match name.split_once(' ') {
        Some((first, rest)) if text_width(name, size, bold) > width => {
            format!("{}. {rest}", first.chars().take(1).collect::<String>())
        }
        _ => name.into(),
    }
}
