//! The whole position as a picture: badges and pile above, a panel for every player, the viewer's hand below.

use super::super::state::{Kind, SHIP_CODE, SLOTS};
use super::Scene;
use super::cards::{
    ACCENT, DIM, EDGE, FADED, GOLD, HAND_CARD, INK, LIGHT, PANEL, PAPER, ROW_CARD, SILVER, SPACE, back, card,
    forbidden_signs, paragraph, ship, side_by_side, signs, token, type_sign,
};
use playmat_core::prelude::*;

/// Width of the picture and its margin.
const WIDTH: f64 = 1240.0;
const PAD: f64 = 24.0;
/// Where the badges begin, and their size.
const BADGES: f64 = 78.0;
const BADGE: (f64, f64) = (194.0, 134.0);
/// Where the players begin.
const TOP: f64 = BADGES + BADGE.1 + 20.0;
/// Height of a player's panel.
const PLAYER: f64 = 164.0;
/// Columns of a panel: who, row, facts of the row, compost.
const ROW_X: f64 = 176.0;
const FACTS_X: f64 = 890.0;
const ZONES_X: f64 = 1022.0;
/// Width of the facts.
const FACTS: f64 = ZONES_X - FACTS_X - 12.0;
/// Width of the completed rows.
const SHIPPED: f64 = 80.0;
/// Height of the viewer's hand, and of a compost that cards are picked from.
const HAND: f64 = HAND_CARD.height + 40.0;
const COMPOST: f64 = ROW_CARD.height + 44.0;

pub(super) fn draw(scene: &Scene<'_>) -> String {
    let players = scene.players() as f64;
    let hand_y = TOP + players * (PLAYER + 10.0) + 6.0;
    let compost_y = hand_y + if scene.viewer.is_some() { HAND } else { 0.0 };
    let replanting = scene.state.replanting();
    let height = compost_y - 6.0 + if replanting.is_some() { COMPOST } else { 0.0 } + PAD;
    let mut svg = Svg::new(WIDTH, height);
    svg.rect(0.0, 0.0, WIDTH, height, SPACE, "");
    header(&mut svg, scene);
    for slot in 0..SLOTS {
        badge(&mut svg, scene, slot, (PAD + slot as f64 * (BADGE.0 + 10.0), BADGES));
    }
    pile(&mut svg, scene, (PAD + SLOTS as f64 * (BADGE.0 + 10.0) + 16.0, BADGES));
    for (i, player) in scene.in_order().into_iter().enumerate() {
        draw_player(&mut svg, scene, player, (PAD, TOP + i as f64 * (PLAYER + 10.0)));
    }
    if let Some(viewer) = scene.viewer {
        hand(&mut svg, scene, viewer, (PAD, hand_y));
    }
    if let Some(player) = replanting {
        compost(&mut svg, scene, player, (PAD, compost_y));
    }
    svg.finish()
}

fn header(svg: &mut Svg, scene: &Scene<'_>) {
    let title = if scene.players() == 2 { "Graft (two-player variant)" } else { "Graft" };
    svg.text((PAD, 44.0), 28.0, Anchor::Start, LIGHT, true, title);
    let color = if scene.is_over() { GOLD } else { ACCENT };
    svg.fitted((PAD, 66.0), (14.0, WIDTH - 340.0), Anchor::Start, (color, true), &scene.prompt());
    svg.text((WIDTH - PAD, 44.0), 15.0, Anchor::End, LIGHT, true, &scene.turn());
    if scene.state.pile_size == 0 && !scene.is_over() {
        svg.text((WIDTH - PAD, 66.0), 13.0, Anchor::End, GOLD, true, "the next ship card ends the game");
    }
}

/// A badge with its needs, its two values and, below, the tokens of who has claimed it with what it earned.
fn badge(svg: &mut Svg, scene: &Scene<'_>, slot: usize, (x, y): (f64, f64)) {
    let id = scene.state.slots[slot];
    let (data, text) = (&scene.game.badges()[usize::from(id)], scene.game.badge_text(id));
    let color = if slot < 2 { GOLD } else { SILVER };
    svg.rect(x, y, BADGE.0, BADGE.1, color, r##"rx="10""##);
    svg.rect(x + 4.0, y + 4.0, BADGE.0 - 8.0, BADGE.1 - 8.0, PAPER, r##"rx="7""##);
    if scene.may_claim(slot) {
        let size = (BADGE.0 + 6.0, BADGE.1 + 6.0);
        svg.framed((x - 3.0, y - 3.0), size, "none", 12.0, (ACCENT, 3.0));
    }
    svg.fitted((x + 14.0, y + 25.0), (14.0, BADGE.0 - 28.0), Anchor::Start, (INK, true), &text.name);
    let needs: Vec<String> = text.needs.iter().map(|need| signs(need)).collect();
    paragraph(svg, (x + 14.0, y + 33.0), (BADGE.0 - 64.0, 66.0), (11.5, FADED), &needs);
    let claims = scene.claimers(slot);
    let taken = scene.state.taken >> slot & 1 != 0;
    for (value, cy, open) in [(data.high, y + 46.0, !taken), (data.low, y + 88.0, taken)] {
        let cx = x + BADGE.0 - 28.0;
        let (fill, ink) = if open { (color, INK) } else { ("#e9e3d3", FADED) };
        svg.circle(cx, cy, 17.0, fill, "");
        svg.text((cx, cy + 6.0), 16.0, Anchor::Middle, ink, true, &value.to_string());
    }
    for (i, &(player, value)) in claims.iter().enumerate() {
        let at = (x + 22.0 + 34.0 * i as f64, y + BADGE.1 - 18.0);
        chip(svg, player, at, 8.0);
        svg.text((at.0 + 10.0, at.1 + 4.0), 11.0, Anchor::Start, INK, true, &value.to_string());
    }
}

/// The token of a player.
fn chip(svg: &mut Svg, player: Player, (x, y): (f64, f64), radius: f64) {
    svg.circle(x, y, radius, token(player), r##"stroke="#14162a" stroke-width="1""##);
    svg.text((x, y + radius * 0.4), radius * 1.15, Anchor::Middle, "#14162a", true, &player.to_string());
}

fn pile(svg: &mut Svg, scene: &Scene<'_>, (x, y): (f64, f64)) {
    let size = (72.0, 100.0);
    let count = scene.state.pile_size;
    for i in 0..count.div_ceil(12).min(4) {
        back(svg, (x + 3.0 * f64::from(i), y + 6.0 - 2.0 * f64::from(i)), size);
    }
    if count == 0 {
        svg.dashed((x, y + 6.0), size, 7.0, EDGE);
    }
    svg.text((x + 92.0, y + 58.0), 24.0, Anchor::Start, LIGHT, true, &count.to_string());
    svg.text((x + 92.0, y + 76.0), 12.0, Anchor::Start, DIM, false, "in the pile");
}

fn draw_player(svg: &mut Svg, scene: &Scene<'_>, player: Player, (x, y): (f64, f64)) {
    let winner = scene.winners().contains(player);
    let decides = scene.viewer == Some(player) && scene.state.acting.contains(player)
        || scene.state.replanting() == Some(player);
    let edge = match (winner, decides) {
        (true, _) => (GOLD, 2.5),
        (_, true) => (ACCENT, 2.5),
        _ => (EDGE, 1.0),
    };
    svg.framed((x, y), (WIDTH - 2.0 * PAD, PLAYER), PANEL, 12.0, edge);
    chip(svg, player, (x + 26.0, y + 30.0), 14.0);
    let star = if winner { "★ " } else { "" };
    let name = format!("{star}{}", scene.name(player));
    svg.fitted((x + 48.0, y + 35.0), (15.0, ROW_X - 56.0), Anchor::Start, (LIGHT, true), &name);
    let points = scene.state.points(player).to_string();
    svg.text((x + 16.0, y + 82.0), 34.0, Anchor::Start, if winner { GOLD } else { LIGHT }, true, &points);
    let wide = 16.0 + 22.0 * points.chars().count() as f64;
    svg.text((x + wide + 6.0, y + 82.0), 13.0, Anchor::Start, DIM, false, "points");
    let status = scene.status(player);
    svg.fitted((x + 16.0, y + 106.0), (12.5, ROW_X - 30.0), Anchor::Start, (ACCENT, true), status);
    if let Some(claim) = scene.claim(player) {
        svg.fitted((x + 16.0, y + 124.0), (12.0, ROW_X - 30.0), Anchor::Start, (ACCENT, false), &claim);
    }
    own_badges(svg, scene, player, (x + 16.0, y + 146.0));
    row(svg, scene, player, (x + ROW_X, y + 14.0));
    facts(svg, scene, player, (x + FACTS_X, y + 14.0));
    zones(svg, scene, player, (x + ZONES_X, y + 14.0));
}

/// What a player has claimed, as medals.
fn own_badges(svg: &mut Svg, scene: &Scene<'_>, player: Player, (x, y): (f64, f64)) {
    let mut at = x + 9.0;
    let claims = scene.state.claims[player.index()].iter().enumerate();
    for (slot, &value) in claims.filter(|(_, value)| **value != 0) {
        svg.circle(at, y - 3.0, 10.0, if slot < 2 { GOLD } else { SILVER }, "");
        svg.text((at, y + 1.0), 11.0, Anchor::Middle, INK, true, &value.to_string());
        at += 24.0;
    }
}

/// The active row, its cards slim if they are many, and what lies beside it.
fn row(svg: &mut Svg, scene: &Scene<'_>, player: Player, (x, y): (f64, f64)) {
    let row = scene.row(player);
    let down = scene.face_down(player);
    let waiting = scene.waiting(player);
    // A hidden choice of another player is not shown, not even that it has been made.
    let beside = (down.len() + usize::from(waiting.is_some())) as f64;
    let room = FACTS_X - ROW_X - 16.0 - beside * 62.0;
    let cards: Vec<(Kind, u8)> = row.codes().iter().map(|&code| (Kind::of_code(code), 1)).collect();
    if cards.is_empty() && !scene.is_over() {
        svg.dashed((x, y), (ROW_CARD.width, ROW_CARD.height), 8.0, EDGE);
        svg.text((x + ROW_CARD.width / 2.0, y + 56.0), 12.0, Anchor::Middle, DIM, false, "new row");
    }
    side_by_side(svg, scene, &cards, ((x, y), room), 0);
    let mut at = x + FACTS_X - ROW_X - 16.0 - beside * 62.0 + 6.0;
    for code in down {
        back(svg, (at, y + 4.0), (54.0, 76.0));
        let name = if code == SHIP_CODE { "Ship" } else { scene.card_name(code) };
        svg.fitted((at + 27.0, y + 96.0), (10.5, 58.0), Anchor::Middle, (ACCENT, true), name);
        at += 62.0;
    }
    if let Some(kind) = waiting {
        svg.framed((at, y + 4.0), (54.0, 76.0), PAPER, 6.0, (ACCENT, 2.0));
        type_sign(svg, scene, scene.game.data(kind).ty.into(), (at + 27.0, y + 34.0), 13.0);
        let name = &scene.game.text(kind).name;
        svg.fitted((at + 27.0, y + 66.0), (9.5, 50.0), Anchor::Middle, (INK, true), name);
        svg.text((at + 27.0, y + 96.0), 10.5, Anchor::Middle, ACCENT, true, "waiting");
    }
    others_hand(svg, scene, player, (x, y + ROW_CARD.height + 12.0));
}

/// What is known of the hand of another player, or the open hand if all is open.
fn others_hand(svg: &mut Svg, scene: &Scene<'_>, player: Player, (x, y): (f64, f64)) {
    if scene.viewer == Some(player) {
        return;
    }
    let view = scene.hand(player);
    let cards = view.known.len() as f64;
    if cards == 0.0 && view.hidden == 0 {
        return;
    }
    svg.text((x, y + 15.0), 11.5, Anchor::Start, DIM, false, "hand");
    let mut at = x + 36.0;
    let room = FACTS_X - ROW_X - 16.0 - 36.0 - 24.0 * view.hidden as f64;
    let step = (room / cards.max(1.0)).min(128.0);
    for &kind in &view.known {
        svg.rect(at, y, step - 4.0, 22.0, PAPER, r##"rx="5""##);
        type_sign(svg, scene, scene.game.data(kind).ty.into(), (at + 12.0, y + 11.0), 8.0);
        let name = &scene.game.text(kind).name;
        svg.fitted((at + 24.0, y + 15.0), (11.0, step - 32.0), Anchor::Start, (INK, false), name);
        at += step;
    }
    for _ in 0..view.hidden {
        back(svg, (at, y - 2.0), (20.0, 27.0));
        at += 24.0;
    }
}

/// Running score of the row, what it forbids, which badges it meets.
fn facts(svg: &mut Svg, scene: &Scene<'_>, player: Player, (x, y): (f64, f64)) {
    let row = scene.row(player);
    if row.len == 0 {
        return;
    }
    let score = format!("= {}", row.score);
    svg.text((x, y + 26.0), 28.0, Anchor::Start, LIGHT, true, &score);
    let wide = 18.0 * score.chars().count() as f64;
    let size = format!("row of {}", row.len);
    svg.fitted((x + wide + 6.0, y + 26.0), (11.0, FACTS - wide - 6.0), Anchor::Start, (DIM, false), &size);
    // All signs in one line, and below it a line for each badge in play.
    let step = (FACTS / f64::from(row.forbidden.count_ones().max(1))).min(25.0);
    forbidden_signs(svg, scene, row.forbidden, (x + step * 0.45, y + 48.0), step * 0.43, (step, 0.0));
    let met = (0..SLOTS).filter(|slot| row.met >> slot & 1 != 0);
    for (i, slot) in met.enumerate() {
        let cy = y + 78.0 + 14.5 * i as f64;
        svg.circle(x + 5.0, cy - 4.0, 5.0, if slot < 2 { GOLD } else { SILVER }, "");
        let name = scene.badge_name(slot);
        svg.fitted((x + 14.0, cy), (11.0, FACTS - 14.0), Anchor::Start, (LIGHT, false), name);
    }
}

/// Compost and completed rows.
fn zones(svg: &mut Svg, scene: &Scene<'_>, player: Player, (x, y): (f64, f64)) {
    let state = scene.state;
    let size = state.compost_sizes[player.index()];
    let factor = 1 + state.recycles[player.index()];
    svg.text((x, y + 10.0), 11.5, Anchor::Start, DIM, false, "compost");
    svg.text((x, y + 34.0), 22.0, Anchor::Start, LIGHT, true, &size.to_string());
    if factor > 1 {
        svg.text((x + 32.0, y + 34.0), 13.0, Anchor::Start, "#63c272", true, &format!("x {factor}"));
    }
    let mut at = 0usize;
    for (kind, &count) in state.composts[player.index()].0.iter().enumerate() {
        for _ in 0..count {
            let (column, line) = ((at % 6) as f64, (at / 6) as f64);
            let ty = scene.game.data(Kind(kind as u8)).ty;
            type_sign(svg, scene, ty.into(), (x + 5.0 + 11.5 * column, y + 48.0 + 11.5 * line), 5.0);
            at += 1;
        }
    }
    let x = x + 82.0;
    svg.text((x, y + 10.0), 11.5, Anchor::Start, DIM, false, "shipped");
    svg.text((x, y + 34.0), 22.0, Anchor::Start, LIGHT, true, &state.row_points[player.index()].to_string());
    // Rows one after the other, as many in a line as there is room for, each on a band of its own.
    let rows: Vec<&[u8]> = state.completed_rows(player).collect();
    let (step, gap) = (10.5, 6.0);
    let (mut line, mut across, mut places) = (0usize, 0.0, Vec::new());
    for row in &rows {
        let wide = (step * row.len() as f64).min(SHIPPED);
        if across > 0.0 && across + wide > SHIPPED {
            (line, across) = (line + 1, 0.0);
        }
        places.push((line, across, wide));
        across += wide + gap;
    }
    let down = (100.0 / (line + 1) as f64).min(13.0);
    for (row, (line, across, wide)) in rows.into_iter().zip(places) {
        let (x, y) = (x + across, y + 48.0 + down * line as f64);
        svg.rect(x - 1.0, y - 6.0, wide + 2.0, 12.0, EDGE, r#"rx="6""#);
        let step = wide / row.len() as f64;
        for (j, &code) in row.iter().enumerate() {
            let ty = scene.game.data(Kind::of_code(code)).ty;
            let radius = 5.0_f64.min(step * 0.47);
            type_sign(svg, scene, ty.into(), (x + step * (j as f64 + 0.5), y), radius);
        }
    }
}

/// The viewer's own hand with its ship card.
fn hand(svg: &mut Svg, scene: &Scene<'_>, viewer: Player, (x, y): (f64, f64)) {
    svg.text((x, y + 16.0), 14.0, Anchor::Start, LIGHT, true, "Your hand");
    let playable = scene.playable(viewer);
    let mut at = x;
    for kind in scene.hand(viewer).known {
        card(svg, scene, kind, HAND_CARD, (at, y + 26.0), playable >> kind.index() & 1 != 0);
        at += HAND_CARD.width + 12.0;
    }
    let shipping = scene.face_down(viewer).contains(&SHIP_CODE) || scene.state.shippers.contains(viewer);
    if !shipping {
        ship(svg, (at, y + 26.0), HAND_CARD, scene.may_ship(viewer));
    }
}

/// The compost of the player that replants, a card for each kind: composts are open, and a pick is chosen by name.
fn compost(svg: &mut Svg, scene: &Scene<'_>, player: Player, (x, y): (f64, f64)) {
    let whose = if scene.viewer == Some(player) {
        "Your compost".into()
    } else {
        format!("Compost of player {player}")
    };
    svg.text((x, y + 16.0), 14.0, Anchor::Start, LIGHT, true, &whose);
    let counts = &scene.state.composts[player.index()].0;
    let kinds = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let cards: Vec<(Kind, u8)> = kinds.map(|(kind, &count)| (Kind(kind as u8), count)).collect();
    let legal = scene.game.picks_of(scene.state, player);
    side_by_side(svg, scene, &cards, ((x, y + 26.0), WIDTH - 2.0 * PAD), legal);
}
