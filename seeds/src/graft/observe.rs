//! What a seat sees, as bytes: the layout and its only writer (GR section 7).

use super::Graft;
use super::content::{Effect, Loaded};
use super::state::{Hand, Kind, MAX_PLAYERS, Phase, Row, SHIP_CODE, SLOTS, State};
use playmat_core::prelude::*;

/// Points are shown from -32 on.
const BIAS: u8 = 32;
const POINTS: usize = 223;

/// Sizes and scales of the segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scales {
    players: usize,
    kinds: usize,
    types: usize,
    gold: usize,
    silver: usize,
    /// Most turns, N.
    turns: usize,
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
}

impl Scales {
    pub(super) fn new(content: &Loaded, players: usize, deck: usize) -> Scales {
        let copies = |k: usize| content.texts[k].copies.iter().map(|&c| usize::from(c)).sum::<usize>();
        let of = |effect: Effect| {
            let kinds = (0..content.kinds.len()).filter(|&k| content.kinds[k].effect == effect);
            kinds.map(copies).sum()
        };
        Scales {
            players,
            kinds: content.kinds.len(),
            types: content.types.len(),
            gold: content.gold,
            silver: content.badges.len() - content.gold,
            turns: deck / players,
            pile: deck.saturating_sub(5 * players),
            replants: of(Effect::Replant),
            recycles: of(Effect::Recycle),
            copies: (0..content.kinds.len()).map(copies).max().unwrap_or(1),
            value: content.badges.iter().map(|badge| usize::from(badge.high)).max().unwrap_or(1),
        }
    }
}

/// The layout for so many players and this content.
pub(super) fn layout(s: &Scales) -> Layout {
    let mut l = Layout::default();
    let (p, k, n, t) = (s.players, s.kinds, s.turns, s.types);
    l.push(
        "phase",
        &[6],
        1,
        false,
        "the decision the viewer owes: select, first, second, replant, replace, claim",
    );
    l.push("turns_left", &[1], n, true, "at most so many turns, this one included");
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
    l.push("gold", &[2, s.gold], 1, true, "badge of slots 0 and 1, one-hot");
    l.push("silver", &[3, s.silver], 1, true, "badge of slots 2, 3 and 4, one-hot");
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
fn points(value: i32) -> u8 {
    (value + i32::from(BIAS)).clamp(0, 255) as u8
}

/// Writes one part after the other into bytes that are all 0.
struct Writer<'a> {
    rest: &'a mut [u8],
}

impl<'a> Writer<'a> {
    /// The next `len` bytes.
    #[inline(always)]
    fn take(&mut self, len: usize) -> &'a mut [u8] {
        let (part, rest) = std::mem::take(&mut self.rest).split_at_mut(len);
        self.rest = rest;
        part
    }

    #[inline(always)]
    fn byte(&mut self, byte: u8) {
        self.take(1)[0] = byte;
    }

    /// The low `len` bits of each set in turn, a byte each; at most 64 in all.
    #[inline(always)]
    fn sets(&mut self, sets: impl Iterator<Item = u8>, len: usize) {
        let (mut word, mut at) = (0u64, 0);
        for set in sets {
            word |= u64::from(set) << at;
            at += len;
        }
        expand(word, self.take(at));
    }
}

/// What the writer knows of every seat before it writes the tables, which go seat by seat.
struct View<'a> {
    rows: [&'a Row; MAX_PLAYERS],
}

impl Graft {
    #[inline(always)]
    pub(super) fn write_observation(&self, state: &State, viewer: Seat, out: &mut [u8]) {
        let s = &self.scales;
        let v = viewer.index();
        out.fill(0);
        let own_row = if state.bars.contains(viewer) && state.phase == Phase::Choose {
            Some(self.own_row(state, viewer))
        } else {
            None
        };
        let mut view = View {
            rows: std::array::from_fn(|j| {
                let seat = viewer.relative(j.min(s.players - 1), s.players);
                &state.rows[seat.index()]
            }),
        };
        if let Some(row) = &own_row {
            view.rows[0] = row;
        }
        let mut w = Writer { rest: out };
        let owes = state.acting.contains(viewer);
        let first = state.cards[v][0];
        let phase = match state.phase {
            _ if !owes => 0,
            Phase::Choose if !state.bars.contains(viewer) => 1,
            Phase::Choose if first == 0 => 1 << 1,
            Phase::Choose => 1 << 2,
            Phase::Replant => 1 << 3,
            Phase::Replace => 1 << 4,
            Phase::Claim | Phase::Refill => 1 << 5,
            Phase::End => 0,
        };
        w.sets(std::iter::once(phase), 6);
        w.byte((s.turns as u8).wrapping_sub(state.turn));
        w.byte(state.pile_size);
        w.byte(u8::from(state.pile_size == 0));
        w.byte(if phase == 1 << 3 { state.picks[v] } else { 0 });
        let chosen = w.take(s.kinds + 1);
        let hand = self.own_hand(state, viewer);
        if state.phase == Phase::Choose {
            for code in state.cards[v] {
                match code {
                    0 => {}
                    SHIP_CODE => chosen[s.kinds] = 1,
                    code => chosen[Kind::of_code(code).index()] += 1,
                }
            }
        } else if state.replacements[v] != 0 {
            chosen[Kind::of_code(state.replacements[v]).index()] = 1;
        }
        let unseen = w.take(s.kinds);
        unseen.copy_from_slice(&state.secret.0[..s.kinds]);
        for &badge in &state.slots[..2] {
            w.take(s.gold)[usize::from(badge)] = 1;
        }
        for &badge in &state.slots[2..] {
            w.take(s.silver)[usize::from(badge) - s.gold] = 1;
        }
        let values: [u8; SLOTS] = std::array::from_fn(|slot| self.badge_value(state, slot));
        w.take(SLOTS).copy_from_slice(&values);
        self.write_places(state, viewer, (phase, view.rows[0]), hand.set(), &values, &mut w);
        self.write_hands(state, viewer, &hand, unseen, &mut w);
        self.write_rows(&view, &mut w);
        self.write_tables(state, viewer, &mut w);
    }

    /// What each card that the viewer may choose would lead to.
    #[inline(always)]
    fn write_places(
        &self,
        state: &State,
        viewer: Seat,
        (phase, own): (u8, &Row),
        hand: u64,
        values: &[u8; SLOTS],
        w: &mut Writer<'_>,
    ) {
        let s = &self.scales;
        let (ok, score, badge) = (w.take(s.kinds), w.take(s.kinds), w.take(s.kinds));
        score.fill(BIAS);
        let after_first;
        let (row, mut kinds) = match phase {
            0 | 32 => return,
            4 => {
                let first = Kind::of_code(state.cards[viewer.index()][0]);
                after_first = self.after(own, first, &state.slots);
                (&after_first, hand)
            }
            8 => (own, self.picks_of(state, viewer)),
            16 => (own, self.replacements_of(state, viewer)),
            _ => (own, hand),
        };
        let missing = !state.own_slots(viewer);
        while kinds != 0 {
            let kind = Kind(kinds.trailing_zeros() as u8);
            kinds &= kinds - 1;
            let next = self.after(row, kind, &state.slots);
            let at = kind.index();
            ok[at] = u8::from(self.is_legal(row, kind));
            score[at] = points(next.score);
            let mut met = next.met & missing;
            while met != 0 {
                badge[at] = badge[at].max(values[met.trailing_zeros() as usize % SLOTS]);
                met &= met - 1;
            }
        }
    }

    /// Hands as the viewer knows them; what it knows is no longer unseen.
    #[inline(always)]
    fn write_hands(&self, state: &State, viewer: Seat, own: &Hand, unseen: &mut [u8], w: &mut Writer<'_>) {
        let s = &self.scales;
        let (hands, hidden) = (w.take(s.players * s.kinds), w.take(s.players));
        let own_line = &mut hands[..s.kinds];
        for (kind, _) in own.cards() {
            own_line[kind.index()] += 1;
        }
        for (kind, _) in state.hands[viewer.index()].cards() {
            unseen[kind.index()] -= 1;
        }
        for j in 1..s.players {
            let line = &mut hands[j * s.kinds..(j + 1) * s.kinds];
            let mut unknown = 0;
            for (kind, known) in state.hands[viewer.relative(j, s.players).index()].cards() {
                let known = known >> viewer.0 & 1;
                line[kind.index()] += known;
                unseen[kind.index()] -= known;
                unknown += 1 - known;
            }
            hidden[j] = unknown;
        }
    }

    /// Active rows, viewer first.
    #[inline(always)]
    fn write_rows(&self, view: &View<'_>, w: &mut Writer<'_>) {
        let s = &self.scales;
        let rows = &view.rows[..s.players];
        let cards = w.take(s.players * s.turns);
        let counts = w.take(s.players * s.kinds);
        for (j, row) in rows.iter().enumerate() {
            cards[j * s.turns..(j + 1) * s.turns].copy_from_slice(&row.cards[..s.turns]);
            let counts = &mut counts[j * s.kinds..(j + 1) * s.kinds];
            for &code in row.codes() {
                counts[Kind::of_code(code).index()] += 1;
            }
        }
        for row in rows {
            w.byte(row.len);
        }
        w.sets(rows.iter().map(|row| row.forbidden), s.types);
        let last: [Option<Kind>; MAX_PLAYERS] = view.rows.map(Row::last);
        let last = &last[..s.players];
        w.sets(last.iter().map(|kind| kind.map_or(0, |kind| 1 << self.data(kind).ty)), s.types);
        w.sets(last.iter().map(|kind| kind.map_or(0, |kind| self.data(kind).wanted)), s.types);
        for row in rows {
            w.byte(points(row.score));
        }
        w.sets(rows.iter().map(|row| row.met), SLOTS);
        w.sets(rows.iter().map(|row| u8::from(self.ends_in_bar(row))), 1);
    }

    /// What everybody sees of every seat besides its row.
    #[inline(always)]
    fn write_tables(&self, state: &State, viewer: Seat, w: &mut Writer<'_>) {
        let s = &self.scales;
        let seats = (0..s.players).map(|j| viewer.relative(j, s.players));
        w.sets(seats.clone().map(|seat| u8::from(state.shippers.contains(seat))), 1);
        let open = state.phase != Phase::Choose;
        for seat in seats.clone() {
            w.byte(if open { state.cards[seat.index()][1] } else { 0 });
        }
        for seat in seats.clone() {
            w.take(s.kinds).copy_from_slice(&state.composts[seat.index()].0[..s.kinds]);
        }
        for seat in seats.clone() {
            w.byte(state.compost_sizes[seat.index()]);
        }
        for seat in seats.clone() {
            w.byte(state.recycles[seat.index()]);
        }
        w.sets(seats.clone().map(|seat| state.own_slots(seat)), SLOTS);
        for seat in seats {
            w.byte(points(state.points(seat)));
        }
    }
}
