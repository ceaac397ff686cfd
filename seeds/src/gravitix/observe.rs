//! What a player sees, as bytes: the layout and the only code that writes it. `playmat info gravitix` prints the layout.

use super::Gravitix;
use super::content::{COLOURS, Face, Kind};
use super::map::{FAR, MAX_CELLS, MIN_CELLS, PLACES, SLOTS};
use super::state::{Ability, MAX_KINDS, Pair, Phase, State, size};
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
        &[Phase::DECIDES],
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

/// Places for the faces that can lie on a map, more than two sets have: no number of one needs a check.
const FACES: usize = 32;

/// What of the rows of islands never changes, by face.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// The first bytes of the row, of each face as printed and the other way up; 0 beyond [`FIXED`].
    fixed: [[u8; 32]; 2 * FACES],
    /// Rum, fabric, gems.
    demands: [[u8; FACES]; 3],
}

impl Rows {
    /// Of at most 24 faces.
    pub(super) fn new(faces: &[Face]) -> Rows {
        let mut rows = Rows { fixed: [[0; 32]; 2 * FACES], demands: [[0; FACES]; 3] };
        for (i, face) in faces.iter().enumerate() {
            for (turned, place) in face.places.into_iter().enumerate() {
                rows.fixed[2 * i + turned] = fixed_row(face, place);
            }
            for (demands, demand) in rows.demands.iter_mut().zip(face.demand) {
                demands[i] = demand;
            }
        }
        rows
    }

    /// Units that a hand with these sums lacks, by face.
    #[inline(always)]
    fn lacks(&self, sums: [u8; 3]) -> [u8; FACES] {
        let mut lacks = [0; FACES];
        for (demands, sum) in self.demands.iter().zip(sums) {
            for (lack, &demand) in lacks.iter_mut().zip(demands) {
                // At most 8 each.
                *lack = u8::wrapping_add(*lack, demand.saturating_sub(sum));
            }
        }
        lacks
    }
}

fn fixed_row(face: &Face, place: u8) -> [u8; 32] {
    let mut row = [0; 32];
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
}

/// Bytes before the three rows of cards: phase and turn.
const HEAD: usize = Phase::DECIDES + 1;
/// Bytes between the cards and the islands, and where some of them begin: sizes, stock, scores, counted, pending, range, due,
/// payment, swap.
const MIDDLE: usize = 35;
const PENDING: usize = 9;
const RANGE: usize = 15;
const DUE: usize = 16;
const PAYMENT: usize = 19;
const SWAP: usize = 34;

// Loops over sixteen places without checks are a few vector instructions each. Iterators over them were calls of functions without vectors.

/// For each slot a byte of 0 or 1 for each of three sets, the first lowest.
#[inline(always)]
fn marks([own, other, doubled]: [u32; 3]) -> [u32; 16] {
    let mut marks = [0; 16];
    for (slot, mark) in marks.iter_mut().enumerate() {
        *mark = (own >> slot & 1) | (other >> slot & 1) << 8 | (doubled >> slot & 1) << 16;
    }
    marks
}

/// For each slot the row of [`Rows::fixed`].
#[inline(always)]
fn lying(faces: &[u8; SLOTS], turned: u32) -> [u32; 16] {
    let (mut padded, mut rows) = ([0; 16], [0; 16]);
    padded[..SLOTS].copy_from_slice(faces);
    for (slot, row) in rows.iter_mut().enumerate() {
        *row = u32::from(padded[slot]) << 1 | (turned >> slot & 1);
    }
    rows
}

/// Sets the byte that comes `at` bytes after `from`, if there is one.
#[inline(always)]
fn mark(out: &mut [u8], from: usize, at: usize) {
    if let Some(byte) = out.get_mut(from + at) {
        *byte = 1;
    }
}

/// Clears the segments of both ships: by stores of fixed size, the last one over the end of the first. A `memset` of variable length is a call.
#[inline(always)]
fn clear_ships(out: &mut [u8]) {
    if out.len() <= 2 * MAX_CELLS
        && let Some(first) = out.first_chunk_mut::<{ 2 * MIN_CELLS }>()
    {
        *first = [0; 2 * MIN_CELLS];
        if let Some(last) = out.last_chunk_mut::<{ 2 * (MAX_CELLS - MIN_CELLS) }>() {
            *last = [0; 2 * (MAX_CELLS - MIN_CELLS)];
        }
        return;
    }
    out.fill(0);
}

/// Nothing here depends on the other's hand, on the order of a deck or on earlier decisions.
///
/// Parts have fixed lengths where the content does not rule them, so that they are a few stores each.
#[inline(always)]
pub(super) fn observe(game: &Gravitix, state: &State, viewer: Player, out: &mut [u8]) {
    let k = game.kinds.len();
    let players = [viewer.index() & 1, 1 - (viewer.index() & 1)];
    let (Some((head, rest)), true) = (out.split_first_chunk_mut::<HEAD>(), k <= MAX_KINDS) else {
        return;
    };
    *head = [0; HEAD];
    if state.actor() == Some(viewer) {
        mark(head, 0, state.phase as usize);
    }
    head[Phase::DECIDES] = u8::from(state.phase != Phase::End && state.turn == viewer);
    let Some((cards, rest)) = rest.split_at_mut_checked(3 * k) else { return };
    game.write_cards(state, players, cards, k);
    let Some((middle, rest)) = rest.split_first_chunk_mut::<MIDDLE>() else { return };
    game.write_middle(state, players, middle);
    let Some((islands, rest)) = rest.split_first_chunk_mut::<{ SLOTS * ROW }>() else { return };
    game.write_islands(state, players, islands);
    let Some((between, rest)) = rest.split_first_chunk_mut::<{ SLOTS * SLOTS }>() else { return };
    between.copy_from_slice(state.between.as_flattened());
    clear_ships(rest);
    let ships = players.map(|player| state.ships[player]);
    if ships[0].is_some() {
        mark(rest, 0, ships[0].index());
    }
    if ships[1].is_some() {
        mark(rest, game.map.len(), ships[1].index());
    }
}

impl Gravitix {
    /// Own hand, own deck, what the other has.
    #[inline(always)]
    fn write_cards(&self, state: &State, [own, other]: [usize; 2], out: &mut [u8], k: usize) {
        let (hand, deck) = (&state.hands[own], &state.decks[own]);
        let mut unseen = state.hands[other];
        for (sum, &count) in unseen.iter_mut().zip(&state.decks[other]) {
            *sum = sum.wrapping_add(count);
        }
        if let (MAX_KINDS, Some(first)) = (k + 2, out.first_chunk_mut::<{ 3 * (MAX_KINDS - 2) }>()) {
            // The number of kinds that the game is published with.
            const K: usize = MAX_KINDS - 2;
            first[..K].copy_from_slice(&hand[..K]);
            first[K..2 * K].copy_from_slice(&deck[..K]);
            first[2 * K..].copy_from_slice(&unseen[..K]);
            return;
        }
        for (row, cards) in out.chunks_exact_mut(k).zip([hand, deck, &unseen]) {
            row.copy_from_slice(&cards[..k]);
        }
    }

    #[inline(always)]
    fn write_middle(&self, state: &State, [own, other]: [usize; 2], out: &mut [u8; MIDDLE]) {
        *out = [0; MIDDLE];
        out[0] = size(&state.hands[own]) as u8;
        out[1] = size(&state.decks[own]) as u8;
        out[2] = size(&state.hands[other]) as u8;
        out[3] = size(&state.decks[other]) as u8;
        out[4] = state.stock(Player(own as u8)) as u8;
        if self.players == 1 {
            out[6] = state.marked().count_ones() as u8;
            out[8] = self.counted(state) as u8;
        } else {
            out[5] = state.stock(Player(other as u8)) as u8;
            let points = |player: usize| match state.owned[player] {
                0 => 0,
                _ => self.points(state, Player(player as u8)).min(MOST_POINTS) as u8,
            };
            out[6] = points(own);
            out[7] = points(other);
        }
        for (i, player) in [own, other].into_iter().enumerate() {
            if let Some(effect) = (state.pending[player] as usize).checked_sub(1) {
                mark(out, PENDING + 3 * i, effect);
            }
        }
        out[RANGE] = state.range;
        out[SWAP] = state.swap_left;
        if matches!(state.phase, Phase::Discount | Phase::Pay) {
            write_payment(state, out);
        }
    }

    #[inline(always)]
    fn write_islands(&self, state: &State, [own, other]: [usize; 2], out: &mut [u8; SLOTS * ROW]) {
        let [rum, fabric, gems] = self.sums(&state.hands[own]);
        let lacks = self.rows.lacks([rum.min(255) as u8, fabric.min(255) as u8, gems.min(255) as u8]);
        let marks = marks([state.owned[own].into(), state.owned[other].into(), state.doubled.into()]);
        let lying = lying(&state.faces, state.turned.into());
        let (own_away, other_away) =
            (self.map.distances_from(state.ships[own]), self.map.distances_from(state.ships[other]));
        for (slot, row) in out.as_chunks_mut::<ROW>().0.iter_mut().enumerate() {
            let face = usize::from(state.faces[slot]) % FACES;
            let cell = state.cells[slot].index();
            if let Some(fixed) = row.first_chunk_mut::<32>() {
                *fixed = self.rows.fixed[lying[slot] as usize % (2 * FACES)];
            }
            // The fourth byte of the marks is written again.
            if let Some(owners) = row[FIXED..].first_chunk_mut::<4>() {
                *owners = marks[slot].to_le_bytes();
            }
            row[FIXED + 3] = own_away[cell];
            row[FIXED + 4] = other_away[cell];
            row[FIXED + 5] = lacks[face];
        }
    }
}

/// The payment in course.
fn write_payment(state: &State, out: &mut [u8; MIDDLE]) {
    let payment = &state.payment;
    out[DUE..PAYMENT].copy_from_slice(&payment.due);
    out[PAYMENT] = payment.doubled.into();
    out[PAYMENT + 1] = payment.pair_left;
    out[PAYMENT + 2] = payment.units_left;
    if let Some(first) = payment.pair_first.checked_sub(1) {
        mark(out, PAYMENT + 3, usize::from(first));
    }
    out[PAYMENT + 6] = payment.shifts;
    out[PAYMENT + 7] = payment.exchanges;
    out[PAYMENT + 8] = payment.started.into();
    if let Some(pair) = payment.exchange {
        mark(out, PAYMENT + 9, pair.0.into());
    }
}

const _: () = assert!(FIXED + 6 == ROW && FIXED < 32 && 2 * SLOTS <= FACES && MAX_CELLS < 192);
const _: () = assert!(PENDING + 6 == RANGE && DUE + 3 == PAYMENT && PAYMENT + 9 + Pair::NUM == SWAP);
