//! What a seat sees, as bytes: the layout and its only writer (GR section 7).

use super::Graft;
use super::content::{Effect, Loaded};
use super::place::RightEnd;
use super::state::{Hand, Kind, MAX_PLAYERS, MAX_TYPES, Phase, Row, SHIP_CODE, SLOTS, State};
use playmat_core::prelude::*;

/// Points are shown from -32 on.
const BIAS: u8 = 32;
const POINTS: usize = 223;
/// Decisions that are told apart, as `phase` shows them.
const SECOND: u8 = 1 << 2;
const REPLANT: u8 = 1 << 3;
const REPLACE: u8 = 1 << 4;
const CLAIM: u8 = 1 << 5;

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
    value.wrapping_add(i32::from(BIAS)).clamp(0, 255) as u8
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

    /// The first `len` bytes of an array of which the rest is 0. What follows is still to be written, so that a store of fixed
    /// size may run over into it: a copy of variable length is a call.
    #[inline(always)]
    fn table<const N: usize>(&mut self, from: &[u8; N], len: usize) {
        match self.rest.first_chunk_mut::<N>() {
            Some(to) => *to = *from,
            None => self.rest[..len].copy_from_slice(&from[..len]),
        }
        self.take(len);
    }

    /// Bits, a byte each.
    #[inline(always)]
    fn bits(&mut self, bits: Packed) {
        expand(bits.word, self.take(bits.at as usize));
    }
}

/// Sets of a few bits, one after the other.
#[derive(Clone, Copy, Default)]
struct Packed {
    word: u64,
    at: u32,
}

impl Packed {
    #[inline(always)]
    fn add(&mut self, set: u8, len: usize) {
        self.word |= u64::from(set).wrapping_shl(self.at);
        self.at = self.at.wrapping_add(len as u32);
    }
}

/// The seats as the viewer counts them, and its own row as it sees it.
struct View<'a> {
    seats: [usize; MAX_PLAYERS],
    rows: [&'a Row; MAX_PLAYERS],
}

impl Graft {
    #[inline(always)]
    pub(super) fn write_observation(&self, state: &State, viewer: Seat, out: &mut [u8]) {
        let s = &self.scales;
        let players = s.players.min(MAX_PLAYERS);
        out.fill(0);
        let mut view = View { seats: [0; MAX_PLAYERS], rows: [&state.rows[0]; MAX_PLAYERS] };
        let mut seat = viewer.index() % MAX_PLAYERS;
        for j in 0..players {
            (view.seats[j], view.rows[j]) = (seat, &state.rows[seat]);
            seat = if seat + 1 < players { seat + 1 } else { 0 };
        }
        let seats = view.seats;
        let without_bar;
        if state.bars.contains(viewer) {
            without_bar = self.own_row(state, viewer);
            view.rows[0] = &without_bar;
        }
        let mut w = Writer { rest: out };
        let phase = self.phase_of(state, viewer);
        w.bits(Packed { word: phase.into(), at: 6 });
        w.byte((s.turns as u8).wrapping_sub(state.turn));
        w.byte(state.pile_size);
        w.byte(u8::from(state.pile_size == 0));
        w.byte(if phase == REPLANT { state.picks[viewer.index()] } else { 0 });
        let hand = self.write_chosen(state, viewer, w.take(s.kinds + 1));
        let (unseen, rest) = split(&mut w, s.kinds, &state.secret.0);
        let mut w = Writer { rest };
        for &badge in &state.slots[..2] {
            w.take(s.gold)[usize::from(badge)] = 1;
        }
        for &badge in &state.slots[2..] {
            w.take(s.silver)[usize::from(badge) - s.gold] = 1;
        }
        let mut values = [0; SLOTS];
        for (slot, value) in values.iter_mut().enumerate() {
            *value = self.badge_value(state, slot);
        }
        w.take(SLOTS).copy_from_slice(&values);
        self.write_places(state, viewer, (phase, view.rows[0]), &hand, &values, &mut w);
        self.write_hands(state, viewer, (&hand, &seats[..players]), unseen, &mut w);
        self.write_rows(&view, players, state.shippers, &mut w);
        self.write_tables(state, &seats[..players], &mut w);
    }

    /// The decision that a seat owes, one-hot in the order of `phase`; 0 if it owes none.
    #[inline(always)]
    fn phase_of(&self, state: &State, viewer: Seat) -> u8 {
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

    /// The viewer's face-down cards. Returns its hand without them, with a bar that it has taken back.
    #[inline(always)]
    fn write_chosen(&self, state: &State, viewer: Seat, chosen: &mut [u8]) -> Hand {
        let v = viewer.index();
        let face_down =
            if state.phase == Phase::Choose { state.cards[v] } else { [state.replacements[v], 0] };
        if face_down[0] == 0 && !state.bars.contains(viewer) {
            return state.hands[v];
        }
        for code in face_down {
            match code {
                0 => {}
                SHIP_CODE => chosen[self.scales.kinds] = 1,
                code => chosen[Kind::of_code(code).index()] += 1,
            }
        }
        self.own_hand(state, viewer)
    }

    /// What each card that the viewer may choose would lead to.
    #[inline(always)]
    fn write_places(
        &self,
        state: &State,
        viewer: Seat,
        (phase, own): (u8, &Row),
        hand: &Hand,
        values: &[u8; SLOTS],
        w: &mut Writer<'_>,
    ) {
        let s = &self.scales;
        let (ok, score, badge) = (w.take(s.kinds), w.take(s.kinds), w.take(s.kinds));
        score.fill(BIAS);
        let after_first;
        let (row, mut kinds) = match phase {
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
        let (missing, legal) = (!state.own_slots(viewer), self.legal_kinds(row));
        // Cards that bust and cards that no clause or badge names: what they come to is known.
        let known = row.ahead.plain | !legal;
        let end = RightEnd::of(row);
        while kinds != 0 {
            let kind = Kind(kinds.trailing_zeros() as u8);
            kinds &= kinds - 1;
            let (card, at) = (self.data(kind), kind.index());
            let fits = legal >> at & 1 != 0;
            let (total, met) = if known >> at & 1 != 0 {
                let ty = usize::from(card.ty) % MAX_TYPES;
                let on_row = row.score.wrapping_add(row.ahead.gain[ty]);
                let on_row = on_row.wrapping_add(end.points(card, kind.code(), row));
                if fits {
                    (on_row, row.ahead.met[ty])
                } else {
                    (card.alone, self.met_alone(kind, &state.slots))
                }
            } else {
                self.judged_with(row, kind, &state.slots)
            };
            ok[at] = u8::from(fits);
            score[at] = points(total);
            let mut met = met & missing;
            while met != 0 {
                badge[at] = badge[at].max(values[met.trailing_zeros() as usize % SLOTS]);
                met &= met - 1;
            }
        }
    }

    /// Hands as the viewer knows them; what it knows is no longer unseen.
    #[inline(always)]
    fn write_hands(
        &self,
        state: &State,
        viewer: Seat,
        (own, seats): (&Hand, &[usize]),
        unseen: &mut [u8],
        w: &mut Writer<'_>,
    ) {
        let kinds = self.scales.kinds;
        let (hands, hidden) = (w.take(seats.len() * kinds), w.take(seats.len()));
        let line = &mut hands[..kinds];
        for i in 0..own.size() {
            let kind = own.kinds[i].index();
            line[kind] = line[kind].wrapping_add(1);
        }
        let held = &state.hands[viewer.index()];
        for i in 0..held.size() {
            let kind = held.kinds[i].index();
            unseen[kind] = unseen[kind].wrapping_sub(1);
        }
        for (j, &seat) in seats.iter().enumerate().skip(1) {
            let hand = &state.hands[seat];
            let line = &mut hands[j * kinds..][..kinds];
            let mut unknown = hand.len;
            for i in 0..hand.size() {
                // Most cards are not known: whoever has had them in hand saw them.
                if hand.known[i] >> (viewer.0 & 7) & 1 != 0 {
                    let kind = hand.kinds[i].index();
                    line[kind] = line[kind].wrapping_add(1);
                    unseen[kind] = unseen[kind].wrapping_sub(1);
                    unknown = unknown.wrapping_sub(1);
                }
            }
            hidden[j] = unknown;
        }
    }

    /// Active rows, viewer first, and who has revealed the ship card.
    #[inline(always)]
    fn write_rows(&self, view: &View<'_>, players: usize, shippers: Seats, w: &mut Writer<'_>) {
        let s = &self.scales;
        let rows = &view.rows[..players];
        for row in rows {
            w.table(&row.cards, s.turns);
        }
        for row in rows {
            let counts = w.take(s.kinds);
            for &code in row.codes() {
                let kind = Kind::of_code(code).index();
                counts[kind] = counts[kind].wrapping_add(1);
            }
        }
        for row in rows {
            w.byte(row.len);
        }
        let (mut forbidden, mut last, mut wanted) = (Packed::default(), Packed::default(), Packed::default());
        let (mut met, mut bar, mut ship) = (Packed::default(), Packed::default(), Packed::default());
        for (j, row) in rows.iter().enumerate() {
            let (mut ty, mut fulfils, mut is_bar) = (0, 0, 0);
            if let Some(kind) = row.last() {
                let card = self.data(kind);
                (ty, fulfils) = (1 << (card.ty & 7), card.wanted);
                is_bar = u8::from(card.effect == Effect::EnergyBar);
            }
            forbidden.add(row.forbidden, s.types);
            last.add(ty, s.types);
            wanted.add(fulfils, s.types);
            met.add(row.met, SLOTS);
            bar.add(is_bar, 1);
            ship.add(shippers.0 >> (view.seats[j] & 7) & 1, 1);
        }
        w.bits(forbidden);
        w.bits(last);
        w.bits(wanted);
        for row in rows {
            w.byte(points(row.score));
        }
        // `row_badges`, `bar` and `ship_card` lie one after the other.
        met.word |= bar.word << met.at | ship.word << (met.at + bar.at);
        met.at += bar.at + ship.at;
        w.bits(met);
    }

    /// What everybody sees of every seat besides its row.
    #[inline(always)]
    fn write_tables(&self, state: &State, seats: &[usize], w: &mut Writer<'_>) {
        let open = state.phase != Phase::Choose;
        for &seat in seats {
            w.byte(if open { state.cards[seat][1] } else { 0 });
        }
        for &seat in seats {
            w.table(&state.composts[seat].0, self.scales.kinds);
        }
        for &seat in seats {
            w.byte(state.compost_sizes[seat]);
        }
        for &seat in seats {
            w.byte(state.recycles[seat]);
        }
        let mut own = Packed::default();
        for &seat in seats {
            own.add(state.own_slots(Seat(seat as u8)), SLOTS);
        }
        w.bits(own);
        for &seat in seats {
            w.byte(points(state.points(Seat(seat as u8))));
        }
    }
}

/// Writes a table and gives back its bytes and those after it, apart.
#[inline(always)]
fn split<'a, const N: usize>(w: &mut Writer<'a>, len: usize, from: &[u8; N]) -> (&'a mut [u8], &'a mut [u8]) {
    let all = std::mem::take(&mut w.rest);
    Writer { rest: &mut *all }.table(from, len);
    all.split_at_mut(len)
}
