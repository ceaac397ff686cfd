//! What a player sees, as bytes: the layout and the only code that writes it. `playmat info graft` prints the layout.

use super::Graft;
use super::content::{Effect, Loaded};
use super::next_card::{RightEnd, own_points};
use super::score::{bytes_of, once, sum};
use super::state::{
    HAND, Hand, Kind, MAX_KINDS, MAX_PLAYERS, MAX_TYPES, ONES, Phase, Row, SHIP_CODE, SLOTS, State, kinds_in,
};
use playmat_core::prelude::*;
use std::hint::select_unpredictable;

/// Points are shown from -32 on.
const BIAS: u8 = 32;
const POINTS: usize = 223;
/// Decisions that `phase` distinguishes.
const SECOND: u8 = 1 << 2;
const REPLANT: u8 = 1 << 3;
const REPLACE: u8 = 1 << 4;
const CLAIM: u8 = 1 << 5;
/// Bytes for the badges of all slots, sixteen of each tier at most, in whole vectors.
const BADGES: usize = 96;

/// What the lengths of the segments follow from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sizes {
    players: usize,
    kinds: usize,
    types: usize,
    gold: usize,
    silver: usize,
    /// Most turns, N.
    turns: usize,
}

impl Sizes {
    /// The sizes of the built-in content. As the compiler knows them, it knows the place of every part of an observation. Adding places
    /// up and comparing them with the end took a sixth of a step's instructions.
    const fn builtin(players: usize) -> Sizes {
        let turns = if players == 2 { 27 } else { 18 };
        Sizes { players, kinds: 44, types: 7, gold: 11, silver: 13, turns }
    }

    /// Bytes of an observation.
    #[inline(always)]
    const fn total(self) -> usize {
        let Sizes { players, kinds, types, gold, silver, turns } = self;
        let own = 6 + 4 + (kinds + 1) + kinds + 2 * gold + 3 * silver + SLOTS + 3 * kinds;
        let each = kinds + 1 + turns + kinds + 1 + 3 * types + 1 + SLOTS + 3 + kinds + 2 + SLOTS + 1;
        own + players * each
    }
}

/// Sizes and scales of the segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scales {
    sizes: Sizes,
    /// Whether the compiler knows the sizes: those of the built-in content.
    pub(super) is_builtin: bool,
    /// The first pile, D - 5P.
    pile: usize,
    /// Copies of all Replants in the content.
    replants: usize,
    /// Copies of all Recycles in the content.
    recycles: usize,
    /// Most copies of one kind in the content.
    copies: usize,
    /// Highest value of a badge.
    value: usize,
    /// By viewer the players in the order in which it counts them, itself first.
    orders: [[u8; 8]; 8],
}

impl Scales {
    /// The same as if the compiler did not know the sizes.
    pub(super) fn of_any_content(&self) -> Scales {
        Scales { is_builtin: false, ..*self }
    }

    pub(super) fn new(content: &Loaded, players: usize, deck: usize) -> Scales {
        let copies = |k: usize| content.texts[k].copies.iter().map(|&c| usize::from(c)).sum::<usize>();
        let of = |effect: Effect| {
            let kinds = (0..content.kinds.len()).filter(|&k| content.kinds[k].effect == effect);
            kinds.map(copies).sum()
        };
        let sizes = Sizes {
            players,
            kinds: content.kinds.len(),
            types: content.types.len(),
            gold: content.gold,
            silver: content.badges.len() - content.gold,
            turns: deck / players,
        };
        Scales {
            sizes,
            is_builtin: sizes == Sizes::builtin(players),
            pile: deck.saturating_sub(5 * players),
            replants: of(Effect::Replant),
            recycles: of(Effect::Recycle),
            copies: (0..content.kinds.len()).map(copies).max().unwrap_or(1),
            value: content.badges.iter().map(|badge| usize::from(badge.high)).max().unwrap_or(1),
            orders: std::array::from_fn(|viewer| std::array::from_fn(|j| ((viewer + j) % players) as u8)),
        }
    }
}

/// The layout for these numbers of players, cards and turns.
pub(super) fn layout(s: &Scales) -> Layout {
    let mut l = Layout::default();
    let Sizes { players: p, kinds: k, types: t, gold, silver, turns: n } = s.sizes;
    l.push(
        "phase",
        &[6],
        1,
        false,
        "the decision the viewer owes: select, first, second, replant, replace, claim",
    );
    l.push("turns_left", &[1], n, true, "the most turns that can follow, this one included");
    l.push("pile", &[1], s.pile, true, "cards in the pile");
    l.push("pile_empty", &[1], 1, true, "the next ship card ends the game");
    l.push("replant_left", &[1], s.replants + 1, false, "picks left, if the viewer is replanting");
    l.push("chosen", &[k + 1], 2, false, "own face-down cards of this turn by kind, then the ship card");
    l.push(
        "unseen",
        &[k],
        s.copies,
        false,
        "cards that the viewer has not seen anywhere: pile and unknown cards of hands",
    );
    l.push("gold", &[2, gold], 1, true, "badge of slots 0 and 1, one-hot");
    l.push("silver", &[3, silver], 1, true, "badge of slots 2, 3 and 4, one-hot");
    l.push("badge_value", &[SLOTS], s.value, true, "what a claim of this turn earns, by slot");
    l.push("place_ok", &[k], 1, false, "for kinds that the viewer may choose now: it would not bust");
    let meaning = "for the same kinds: points of the row that results, if it were completed so";
    l.push_biased("place_score", &[k], BIAS, POINTS, false, meaning);
    let meaning =
        "for the same kinds: highest value of a badge that this row meets and the viewer does not have";
    l.push("place_badge", &[k], s.value, false, meaning);
    l.push(
        "hands",
        &[p, k],
        s.copies,
        false,
        "own hand; of the others' hands the cards that the viewer knows of",
    );
    l.push("hidden", &[p], 6, false, "cards of each hand that the viewer does not know of");
    let own = "until the reveal the own row is shown without a bar taken back";
    l.push("rows", &[p, n], k, false, format!("kind + 1 of each card of the row, from the left; {own}"));
    l.push("row_count", &[p, k], s.copies, false, "cards of the row by kind");
    l.push("row_len", &[p], n, false, "cards of the row");
    l.push("forbidden", &[p, t], 1, false, "types that would bust the row");
    l.push("last_type", &[p, t], 1, false, "type of the row's last card, one-hot");
    l.push("wanted", &[p, t], 1, false, "types that would fulfil a `next` test of the row's last card");
    l.push_biased("row_score", &[p], BIAS, POINTS, false, "points of the row if it were completed as it is");
    l.push("row_badges", &[p, SLOTS], 1, false, "slots whose badge the row meets as it is");
    l.push("bar", &[p], 1, false, "the row ends in an Energy Bar");
    l.push("ship_card", &[p], 1, true, "has revealed the ship card in this turn");
    l.push("waiting", &[p], k, true, "kind + 1 of a revealed card that is not placed yet, or 0");
    l.push("compost", &[p, k], s.copies, true, "cards of the compost by kind");
    l.push("compost_size", &[p], n, true, "cards of the compost");
    l.push("recycles", &[p], s.recycles, true, "Recycles in completed rows");
    l.push("claimed", &[p, SLOTS], 1, true, "slots that the player has claimed");
    l.push_biased("points", &[p], BIAS, POINTS, true, "completed rows, badges and compost so far");
    l
}

/// Points as a byte.
#[inline(always)]
pub(super) fn points(value: i32) -> u8 {
    value.wrapping_add(i32::from(BIAS)).clamp(0, 255) as u8
}

/// The same so that no points are 0, as in an empty row.
#[inline(always)]
pub(super) fn shown(value: i32) -> u8 {
    points(value) ^ BIAS
}

/// Writes one part after the other. Stores have fixed sizes and may run over into what follows and is still to be written: a copy
/// or a fill of variable length is a call.
struct Writer<'a> {
    out: &'a mut [u8],
    at: usize,
    sizes: Sizes,
}

impl Writer<'_> {
    /// The next `len` bytes: the first ones of an array.
    #[inline(always)]
    fn array<const N: usize>(&mut self, from: &[u8; N], len: usize) {
        let rest = &mut self.out[self.at..];
        match rest.first_chunk_mut::<N>() {
            Some(to) => *to = *from,
            None => copy_short(&mut rest[..len], from),
        }
        self.at = self.at.wrapping_add(len);
    }

    /// The next `len` bytes, at most eight: the lowest ones of a word.
    #[inline(always)]
    fn word(&mut self, word: u64, len: usize) {
        self.array(&word.to_le_bytes(), len);
    }

    /// The next `len` bytes, at most 64: bits, a byte each.
    #[inline(always)]
    fn bits(&mut self, word: u64, len: usize) {
        let rest = &mut self.out[self.at..];
        self.at = self.at.wrapping_add(len);
        if len <= 32
            && let Some(to) = rest.first_chunk_mut::<32>()
        {
            return expand_to(word, to);
        }
        match rest.first_chunk_mut::<64>() {
            Some(to) => expand_to(word, to),
            None => expand(word, &mut rest[..len]),
        }
    }
}

/// Copies bytes, up to 64, without running over.
#[inline(always)]
fn copy(to: &mut [u8], from: &[u8; MAX_KINDS]) {
    let len = to.len();
    match (to.split_first_chunk_mut::<32>(), from.get(len.wrapping_sub(32)..)) {
        (Some(_), Some(tail)) => {
            to[..32].copy_from_slice(&from[..32]);
            if let (Some(to), Some(tail)) = (to.last_chunk_mut::<32>(), tail.first_chunk::<32>()) {
                *to = *tail;
            }
        }
        _ => copy_short(to, from),
    }
}

/// Near the end of the observation; apart from the stores of fixed size, which the compiler would make one call with this one.
#[cold]
#[inline(never)]
fn copy_short(to: &mut [u8], from: &[u8]) {
    to.copy_from_slice(&from[..to.len()]);
}

/// `P` players as the viewer counts them: their number is known to the compiler, which unrolls the loops over them (3 % of a step).
struct View<const P: usize> {
    viewer: Player,
    /// The players, the viewer first.
    players: [usize; P],
}

impl<const P: usize> View<P> {
    #[inline(always)]
    fn new(scales: &Scales, viewer: Player) -> View<P> {
        let order = &scales.orders[viewer.index() & 7];
        View { viewer, players: std::array::from_fn(|j| usize::from(order[j & 7])) }
    }

    /// A bit per player, the viewer's first.
    #[inline(always)]
    fn turned_bits(&self, bits: u8) -> u64 {
        let (all, first) = (P as u32, u32::from(self.viewer.0));
        let bits = u64::from(bits);
        let turned = bits.wrapping_shr(first) | bits.wrapping_shl(all.wrapping_sub(first));
        turned & !u64::MAX.wrapping_shl(all)
    }
}

/// What stands for a card that the viewer does not know.
const NO_KIND: u8 = MAX_KINDS as u8;

/// By kind one card of it, and nothing for [`NO_KIND`] and beyond. Aligned, as each is then in one line of the cache.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct OneCards([[u8; MAX_KINDS]; 2 * MAX_KINDS]);

impl OneCards {
    pub(super) fn new() -> Box<OneCards> {
        let of = |kind| std::array::from_fn(|at| u8::from(at == kind));
        Box::new(OneCards(std::array::from_fn(of)))
    }
}

/// Adds cards.
#[inline(always)]
fn add(line: &mut [u8; MAX_KINDS], cards: &[u8; MAX_KINDS]) {
    for (count, &more) in line.iter_mut().zip(cards) {
        *count = count.wrapping_add(more);
    }
}

/// A byte in the place of player `j` of a word with a byte per player.
#[inline(always)]
fn placed(byte: u8, j: usize) -> u64 {
    u64::from(byte).wrapping_shl((j as u32).wrapping_mul(8))
}

/// Writes what `viewer` knows: every byte of `out`.
#[inline(always)]
pub(super) fn observe(game: &Graft, state: &State, viewer: Player, out: &mut [u8]) {
    let scales = &game.scales;
    match (scales.is_builtin, scales.sizes.players) {
        (true, 3) => write::<3>(game, const { Sizes::builtin(3) }, state, viewer, out),
        (true, 2) => write::<2>(game, const { Sizes::builtin(2) }, state, viewer, out),
        (true, 4) => write::<4>(game, const { Sizes::builtin(4) }, state, viewer, out),
        (true, _) => write::<MAX_PLAYERS>(game, const { Sizes::builtin(MAX_PLAYERS) }, state, viewer, out),
        _ => write_any(game, state, viewer, out),
    }
}

/// [`observe`] for contents of other sizes. A function of its own: inlined with the forms above it would double the code of a batch.
#[inline(never)]
fn write_any(game: &Graft, state: &State, viewer: Player, out: &mut [u8]) {
    let s = game.scales.sizes;
    match s.players {
        2 => write::<2>(game, s, state, viewer, out),
        3 => write::<3>(game, s, state, viewer, out),
        4 => write::<4>(game, s, state, viewer, out),
        _ => write::<MAX_PLAYERS>(game, s, state, viewer, out),
    }
}

/// Writes the observation of `P` players.
#[inline(always)]
fn write<const P: usize>(game: &Graft, s: Sizes, state: &State, viewer: Player, out: &mut [u8]) {
    let out = &mut out[..s.total()];
    // Active rows as the viewer sees them.
    let without_bar;
    let mut rows = &state.rows;
    if state.bars.contains(viewer) {
        without_bar = game.rows_without_bar(state, viewer);
        rows = &without_bar;
    }
    let mut w = Writer { out, at: 0, sizes: s };
    let phase = game.phase_of(state, viewer);
    let turns_left = (s.turns as u8).wrapping_sub(state.turn);
    w.word(bytes_of(phase) | placed(turns_left, 6) | placed(state.pile_size, 7), 8);
    let picks = if phase == REPLANT { state.picks[viewer.index()] } else { 0 };
    w.word(placed(u8::from(state.pile_size == 0), 0) | placed(picks, 1), 2);
    let chosen_hand = game.write_chosen(state, viewer, &mut w);
    let hand = chosen_hand.as_ref().unwrap_or(&state.hands[viewer.index()]);
    let unseen = w.at;
    w.at = unseen.wrapping_add(s.kinds);
    let values = game.write_badges(state, &mut w);
    game.write_places(state, viewer, (phase, &rows[viewer.index()]), hand, values, &mut w);
    let own = (chosen_hand.as_ref(), unseen);
    let view = View::<P>::new(&game.scales, viewer);
    game.write_hands(state, &view, own, &mut w);
    game.write_rows(&view.players.map(|player| &rows[player]), &view, state.shippers, &mut w);
    game.write_open_zones(state, &view, &mut w);
}

impl Graft {
    /// The badges in play and what they are worth, a byte each.
    #[inline(always)]
    fn write_badges(&self, state: &State, w: &mut Writer<'_>) -> u64 {
        let (from, s) = (w.at, w.sizes);
        w.array(&[0; BADGES], 2 * s.gold + 3 * s.silver);
        let mut values = 0;
        for (slot, &badge) in state.slots.iter().enumerate() {
            // The numbers of silver badges go on after the gold ones.
            let line = if slot < 2 { s.gold * slot } else { s.gold + s.silver * (slot - 2) };
            w.out[from.wrapping_add(line).wrapping_add(badge.into())] = 1;
            values |= placed(self.badge_value(state, slot), slot);
        }
        w.word(values, SLOTS);
        values
    }

    /// The active rows without a bar that a player has taken back.
    #[inline(never)]
    fn rows_without_bar(&self, state: &State, player: Player) -> [Row; MAX_PLAYERS] {
        let mut rows = state.rows;
        rows[player.index()] = self.own_row(state, player);
        rows
    }

    /// The decision that a player owes, one-hot in the order of `phase`; 0 if it owes none.
    #[inline(always)]
    fn phase_of(&self, state: &State, viewer: Player) -> u8 {
        if !state.acting.contains(viewer) {
            return 0;
        }
        match state.phase {
            Phase::Choose if !state.bars.contains(viewer) => 1,
            Phase::Choose if state.cards[viewer.index()][0] == 0 => 1 << 1,
            Phase::Choose => SECOND,
            Phase::Replant => REPLANT,
            Phase::Replace => REPLACE,
            Phase::Claim | Phase::Refill => CLAIM,
            Phase::End => 0,
        }
    }

    /// The viewer's face-down cards. Returns its hand without them, with a bar that it has taken back, if that is not the hand that
    /// it holds.
    #[inline(always)]
    fn write_chosen(&self, state: &State, viewer: Player, w: &mut Writer<'_>) -> Option<Hand> {
        let (v, from, s) = (viewer.index(), w.at, w.sizes);
        w.array(&[0; MAX_KINDS + 1], s.kinds + 1);
        let face_down =
            if state.phase == Phase::Choose { state.cards[v] } else { [state.replacements[v], 0] };
        if face_down[0] == 0 && !state.bars.contains(viewer) {
            return None;
        }
        for code in face_down {
            match code {
                0 => {}
                SHIP_CODE => w.out[from + s.kinds] = 1,
                code => w.out[from + Kind::of_code(code).index()] += 1,
            }
        }
        Some(self.own_hand(state, viewer))
    }

    /// What each card that the viewer may choose would lead to.
    #[inline(always)]
    fn write_places(
        &self,
        state: &State,
        viewer: Player,
        (phase, own): (u8, &Row),
        hand: &Hand,
        values: u64,
        w: &mut Writer<'_>,
    ) {
        let (lines, s) = (w.at, w.sizes);
        w.array(&[0; MAX_KINDS], s.kinds);
        w.array(&[BIAS; MAX_KINDS], s.kinds);
        w.array(&[0; MAX_KINDS], s.kinds);
        let (ok, score, badge) = (lines, lines + s.kinds, lines + 2 * s.kinds);
        let out = &mut w.out[..];
        let after_first;
        let (row, kinds) = match phase {
            0 | CLAIM => return,
            SECOND => {
                let first = Kind::of_code(state.cards[viewer.index()][0]);
                after_first = self.after(own, first, &state.slots);
                (&after_first, hand.set())
            }
            REPLANT => (own, self.picks_of(state, viewer)),
            REPLACE => (own, self.replacements_of(state, viewer)),
            _ => (own, hand.set()),
        };
        let ahead = self.look_ahead(row, &state.slots);
        let (missing, legal) = (!state.own_slots(viewer), self.legal_kinds(row));
        let values = values.to_le_bytes();
        let write_badge = |out: &mut [u8], at: usize, met: u8| {
            let mut met = met & missing;
            while met != 0 {
                out[badge + at] = out[badge + at].max(values[met.trailing_zeros() as usize % SLOTS]);
                met &= met - 1;
            }
        };
        // Whether a card busts is no branch, as nobody can foresee it. Cards that a clause or badge names, or that count more than one
        // thing, come afterwards.
        let (end, fit) = (RightEnd::of(row), kinds & legal);
        let easy = ahead.plain & self.single;
        for kind in kinds_in(kinds & (easy | !legal)) {
            let card = &self.placings[kind.index()];
            let on_row = ahead.gain[usize::from(card.ty) % MAX_TYPES].wrapping_add(end.points_of(card));
            let fits = (legal >> kind.index()) as u8 & 1;
            out[ok + kind.index()] = fits;
            // As a choice by a mask the compiler made it a branch.
            out[score + kind.index()] = points(select_unpredictable(fits != 0, on_row, card.alone.into()));
        }
        for kind in kinds_in(fit & ahead.plain & !self.single) {
            let card = self.data(kind);
            let on_row = ahead.gain[usize::from(card.ty) % MAX_TYPES];
            out[ok + kind.index()] = 1;
            out[score + kind.index()] = points(on_row.wrapping_add(own_points(card, kind.code(), row)));
        }
        // Mostly no badge is near.
        if ahead.met != 0 {
            for kind in kinds_in(fit & ahead.plain) {
                write_badge(out, kind.index(), ahead.met_with(self.stages.sort(kind)));
            }
        }
        for kind in kinds_in(kinds & !legal & self.alone_meet) {
            write_badge(out, kind.index(), self.met_alone(kind, &state.slots));
        }
        for kind in kinds_in(fit & !ahead.plain) {
            let (total, met) = self.judged_with(row, kind, &state.slots);
            out[ok + kind.index()] = 1;
            out[score + kind.index()] = points(total);
            write_badge(out, kind.index(), met);
        }
    }

    /// Hands as the viewer knows them; what it knows is no longer unseen. `own` is its hand where it is not the one that it holds.
    #[inline(always)]
    fn write_hands<const P: usize>(
        &self,
        state: &State,
        view: &View<P>,
        (own, unseen): (Option<&Hand>, usize),
        w: &mut Writer<'_>,
    ) {
        let kinds = w.sizes.kinds;
        let lines = w.at;
        let mut secret = state.secret.0;
        let mut hidden = 0;
        for (j, &player) in view.players.iter().enumerate() {
            let hand = &state.hands[player];
            // A vector for each card: counted in memory, byte by byte, a line would have to wait for its own stores. Between decisions
            // a hand has at most five cards; beyond its end nothing is known.
            let cards = hand.kinds_known_by(view.viewer, NO_KIND);
            let mut line = [0; MAX_KINDS];
            for i in 0..HAND {
                add(&mut line, &self.one_cards.0[usize::from((cards >> (8 * i)) as u8) % (2 * MAX_KINDS)]);
            }
            for (left, &known) in secret.iter_mut().zip(&line) {
                *left = left.wrapping_sub(known);
            }
            w.array(&line, kinds);
            hidden |= placed(hand.len.wrapping_sub(sum(hand.known_by(view.viewer)) as u8), j);
        }
        if let Some(own) = own {
            let line = &mut w.out[lines..][..kinds];
            line.fill(0);
            for (kind, _) in own.cards() {
                line[kind.index()] = line[kind.index()].wrapping_add(1);
            }
        }
        w.word(hidden, P);
        copy(&mut w.out[unseen..lines][..kinds], &secret);
    }

    /// Active rows, viewer first, and who has revealed the ship card.
    #[inline(always)]
    fn write_rows<const P: usize>(
        &self,
        rows: &[&Row; P],
        view: &View<P>,
        shippers: Players,
        w: &mut Writer<'_>,
    ) {
        let s = w.sizes;
        for row in rows {
            w.array(&row.cards, s.turns);
        }
        for row in rows {
            w.array(&row.counts.0, s.kinds);
        }
        let (mut lens, mut scores, mut marks) = (0, 0, 0);
        let (mut forbidden, mut last, mut wanted) = (0, 0, 0);
        for (j, row) in rows.iter().enumerate() {
            let card = &self.faces[usize::from(row.last_code() & 127)];
            let types = s.types.wrapping_mul(j) as u32;
            let put = |set: u8, at: u32| u64::from(set).wrapping_shl(at);
            lens |= placed(row.len, j);
            scores |= placed(row.shown, j);
            forbidden |= put(row.forbidden, types);
            last |= put(card.ty, types);
            wanted |= put(card.wanted, types);
            marks |= put(row.met, (SLOTS * j) as u32) | put(card.bar, (SLOTS * P + j) as u32);
        }
        w.word(lens, P);
        // Three lines after each other: at once if they are short enough.
        let len = P.wrapping_mul(s.types);
        let after = |set: u64, lines: usize| set.wrapping_shl(len.wrapping_mul(lines) as u32);
        if len <= 64 / 3 {
            w.bits(forbidden | after(last, 1) | after(wanted, 2), 3 * len);
        } else {
            w.bits(forbidden, len);
            w.bits(last, len);
            w.bits(wanted, len);
        }
        w.word(scores ^ u64::from(BIAS).wrapping_mul(ONES), P);
        let ships = view.turned_bits(shippers.0);
        w.bits(marks | ships << ((SLOTS + 1) * P), (SLOTS + 2) * P);
    }

    /// What everybody sees of every player besides its row.
    #[inline(always)]
    fn write_open_zones<const P: usize>(&self, state: &State, view: &View<P>, w: &mut Writer<'_>) {
        let s = w.sizes;
        let mut waiting = 0;
        if state.phase != Phase::Choose {
            for (j, &player) in view.players.iter().enumerate() {
                waiting |= placed(state.cards[player][1], j);
            }
        }
        w.word(waiting, P);
        for &player in &view.players {
            w.array(&state.composts[player].0, s.kinds);
        }
        let (mut sizes, mut recycles, mut claimed, mut all) = (0, 0, [0; P], [0; P]);
        for (j, &player) in view.players.iter().enumerate() {
            let at = Player(player as u8);
            let claims = state.claims_word(at);
            sizes |= placed(state.compost_sizes[player], j);
            recycles |= placed(state.recycles[player], j);
            (claimed[j], all[j]) = (once(claims), points(state.points_with(at, claims)));
        }
        w.word(sizes, P);
        w.word(recycles, P);
        for slots in claimed {
            w.word(slots, SLOTS);
        }
        // The end of the observation: nothing may run over here.
        w.array(&all, P);
    }
}
