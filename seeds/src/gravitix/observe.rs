//! What a seat sees, as bytes: the layout and its only writer.

use super::Gravitix;
use super::content::{COLOURS, Face, Kind};
use super::map::{Cell, FAR, MAX_CELLS, PLACES, SLOTS};
use super::state::{Ability, Pair, Pending, Phase, State, size};
use playmat_core::prelude::*;

/// Bytes of an island's row.
const ROW: usize = 36;
/// Of these the first, which never change while the game lasts: place, points, cards, demand, ability, colour.
pub(super) const FIXED: usize = PLACES + 5 + Ability::NUM + COLOURS;
/// Largest points that are shown (the segment's scale).
const MOST_POINTS: i32 = 64;

/// The layout of a configured game.
pub(super) fn layout(players: usize, kinds: &[Kind], cells: usize, options: &Options) -> Layout {
    let mut layout = Layout::default();
    let k = kinds.len();
    let alone = players == 1;
    let most = kinds.iter().map(|kind| usize::from(kind.copies)).max().unwrap_or(1) * (3 - players);
    let cards = if alone { 64 } else { 32 };
    let l = &mut layout;
    let phases = "start, turn, move, supply, discount, pay, lose, swap, wind";
    l.push(
        "phase",
        &[Phase::ASKING],
        1,
        alone,
        format!("the decision the viewer has to make: {phases}; all 0 if none"),
    );
    l.push(
        "my_turn",
        &[1],
        1,
        true,
        "whether it is the viewer's turn; at the start, whether the viewer places",
    );
    l.push("hand", &[k], most, alone, "own hand by kind");
    l.push("own_deck", &[k], most, alone, "own deck by kind; nobody knows its order");
    l.push("other_unseen", &[k], most, true, "the other's hand and deck together by kind");
    l.push("sizes", &[4], cards, true, "cards in own hand, own deck, the other's hand, the other's deck");
    l.push("stock", &[2], 12, true, "markers left: own, other");
    let scores = if alone { "islands marked" } else { "points as the game stands, at most 64: own, other" };
    l.push("scores", &[2], MOST_POINTS as usize, true, scores);
    let counted = if options.str("puzzle_counts") == "sailed" { "sailed with" } else { "discarded" };
    l.push("counted", &[1], 64, true, format!("puzzle: cards {counted} so far"));
    l.push("pending", &[2, 3], 1, true, "-1 next, -2 next, Double waiting for the next supply: own, other");
    l.push("range", &[1], 32, true, "how far the ship may move, while that is decided");
    l.push("due", &[3], 32, true, "rum, fabric, gems still to be paid in the payment in course");
    l.push("payment_doubled", &[1], 1, true, "whether the demand was doubled");
    l.push("payment_pair_left", &[1], 2, true, "units of a -2 discount still to be named");
    l.push("payment_units_left", &[1], 4, true, "other units of discount still to be named");
    l.push("payment_pair_first", &[3], 1, true, "the resource named first for a -2 discount");
    l.push("payment_uses", &[2], 4, true, "uses left of +1/-1, of Exchange");
    l.push("payment_started", &[1], 1, true, "whether a card was paid or an exchange announced");
    l.push("payment_exchange", &[Pair::NUM], 1, true, "the announced exchange: RF, RG, FR, FG, GR, GF");
    l.push("swap_left", &[1], 2, true, "cards still to be discarded for a swap");
    for i in 0..SLOTS {
        island(l, i, alone);
    }
    l.push("island_distance", &[SLOTS, SLOTS], FAR.into(), true, "steps between the islands, by slot");
    l.push("own_ship", &[cells], 1, true, "cell of the own ship");
    l.push("other_ship", &[cells], 1, true, "cell of the other ship");
    layout
}

/// The row of a slot.
fn island(l: &mut Layout, i: usize, alone: bool) {
    let mut part = |name: &str, len: usize, scale: usize, public: bool, meaning: &str| {
        l.push(format!("island{i}_{name}"), &[len], scale, public, format!("island of slot {i}: {meaning}"));
    };
    part("place", PLACES, 1, true, "where it lies in its tile, 3 strip + k");
    part("points", 1, 8, true, "points");
    part("cards", 1, 8, true, "cards that supplying it draws");
    part("demand", 3, 8, true, "rum, fabric, gems that it wants");
    part("ability", Ability::NUM, 1, true, &Ability::NAMES.join(", "));
    part("colour", COLOURS, 1, true, "its colour");
    part("own", 1, 1, true, "whether the viewer owns it");
    part("others", 1, 1, true, "whether the other owns it");
    part("doubled", 1, 1, true, "whether two markers lie on it");
    part("distance", 1, FAR.into(), true, "steps from the own ship; 64: not on the map");
    part("other_distance", 1, FAR.into(), true, "steps from the other ship; 64: not on the map");
    part("lack", 1, 24, alone, "units that the own hand lacks for it");
}

/// What of an island's row never changes, as printed and the other way up.
pub(super) fn fixed_rows(face: &Face) -> [[u8; FIXED]; 2] {
    face.places.map(|place| {
        let mut row = [0; FIXED];
        row[usize::from(place)] = 1;
        row[PLACES] = face.points;
        row[PLACES + 1] = face.cards;
        row[PLACES + 2..PLACES + 5].copy_from_slice(&face.demand);
        if let Some(ability) = face.ability {
            row[PLACES + 5 + ability as usize] = 1;
        }
        if let Some(colour) = face.colour {
            row[PLACES + 5 + Ability::NUM + usize::from(colour)] = 1;
        }
        row
    })
}

/// Writes one part after the other.
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

    /// The next bytes, so many as there are.
    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.take(N).copy_from_slice(&bytes);
    }

    /// A place among `len`, if there is one.
    #[inline(always)]
    fn one_hot(&mut self, at: Option<usize>, len: usize) {
        let out = self.take(len);
        out.fill(0);
        if let Some(byte) = at.and_then(|at| out.get_mut(at)) {
            *byte = 1;
        }
    }
}

impl Gravitix {
    /// Nothing here depends on the other's hand, on the order of a deck or on what was asked before.
    #[inline(always)]
    pub(super) fn write_observation(&self, state: &State, viewer: Seat, out: &mut [u8]) {
        let k = self.kinds.len();
        let (own, other) = (viewer.index() & 1, 1 - (viewer.index() & 1));
        let mut w = Writer { rest: out };
        let asked = state.actor() == Some(viewer);
        w.one_hot(asked.then_some(state.phase as usize), Phase::ASKING);
        w.put([u8::from(state.phase != Phase::End && state.turn == viewer)]);
        let (hand, deck) = (&state.hands[own], &state.decks[own]);
        w.take(k).copy_from_slice(&hand[..k]);
        w.take(k).copy_from_slice(&deck[..k]);
        let unseen: [u8; super::state::MAX_KINDS] =
            std::array::from_fn(|kind| state.hands[other][kind].wrapping_add(state.decks[other][kind]));
        w.take(k).copy_from_slice(&unseen[..k]);
        let sizes = [hand, deck, &state.hands[other], &state.decks[other]];
        w.put(sizes.map(|cards| size(cards) as u8));
        let there = u8::from(self.players == 2);
        w.put([state.stock(viewer) as u8, state.stock(Seat(other as u8)) as u8 * there]);
        self.write_scores(state, [own, other], &mut w);
        for seat in [own, other] {
            let effect = Pending::ALL.iter().position(|&effect| effect == state.pending[seat]);
            w.one_hot(effect, 3);
        }
        w.put([state.range]);
        let payment = &state.payment;
        w.put(payment.due);
        w.put([payment.doubled.into(), payment.pair_left, payment.units_left]);
        w.one_hot(payment.pair_first.checked_sub(1).map(usize::from), 3);
        w.put([payment.shifts, payment.exchanges, payment.started.into()]);
        w.one_hot(payment.exchange.map(|pair| pair.0.into()), Pair::NUM);
        w.put([state.swap_left]);
        self.write_islands(state, [own, other], &mut w);
        for row in &state.between {
            w.put(*row);
        }
        let cells = self.map.len();
        for seat in [own, other] {
            let ship = state.ships[seat];
            w.one_hot((ship != Cell::NONE).then_some(ship.index()), cells);
        }
    }

    #[inline(always)]
    fn write_scores(&self, state: &State, [own, other]: [usize; 2], w: &mut Writer<'_>) {
        if self.players == 1 {
            w.put([state.marked().count_ones() as u8, 0, self.counted(state) as u8]);
            return;
        }
        let points = |seat: usize| {
            if state.owned[seat] == 0 {
                0
            } else {
                self.points(state, Seat(seat as u8)).min(MOST_POINTS) as u8
            }
        };
        w.put([points(own), points(other), 0]);
    }

    #[inline(always)]
    fn write_islands(&self, state: &State, [own, other]: [usize; 2], w: &mut Writer<'_>) {
        let sums = self.sums(&state.hands[own]);
        let out = w.take(SLOTS * ROW);
        for (slot, row) in out.as_chunks_mut::<ROW>().0.iter_mut().enumerate() {
            let fixed = &self.rows[usize::from(state.faces[slot])][usize::from(state.is_turned(slot))];
            row[..FIXED].copy_from_slice(fixed);
            let bit = |set: u16| (set >> slot & 1) as u8;
            let lack = |r: usize| (i16::from(fixed[PLACES + 2 + r]) - sums[r]).max(0) as u8;
            let cell = state.cells[slot];
            row[FIXED] = bit(state.owned[own]);
            row[FIXED + 1] = bit(state.owned[other]);
            row[FIXED + 2] = bit(state.doubled);
            row[FIXED + 3] = self.map.distance(state.ships[own], cell);
            row[FIXED + 4] = self.map.distance(state.ships[other], cell);
            row[FIXED + 5] = lack(0) + lack(1) + lack(2);
        }
    }
}

const _: () = assert!(FIXED + 6 == ROW && MAX_CELLS < 192);
