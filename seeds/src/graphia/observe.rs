//! What a player sees, as bytes: the layout and the only code that writes it. `playmat info graphia` prints the layout.

use super::Graphia;
use super::board::{Board, CELLS};
use super::content::Shape;
use super::score::{LINES, POINT_LINES, Scoring};
use super::state::{Phase, Sheet, SheetScore, State, Terrain};
use playmat_core::bits::spread;
use playmat_core::prelude::*;

/// Names and meanings of the parts that every player has.
const LINES_MEANING: &str = "current score lines: terrain points M F R D T A X (D: the points lost), \
                             largest groups M F R D T A, as they count under the options, cut to 144";
const SHEET_MEANING: &str = "a plane for each terrain: M F R D T A X O";
const TOUCH_MEANING: &str = "whether M F R D T A touch a nexus";

/// The layout for this number of players.
pub(super) fn layout(players: usize, shapes: &[Shape], sheets: bool) -> Layout {
    let mut layout = Layout::default();
    let k = shapes.len();
    let most = shapes.iter().map(|shape| usize::from(shape.copies)).max().unwrap_or(1);
    let alone = players == 1;
    let l = &mut layout;
    l.push("phase", &[3], 1, alone, "the decision the viewer owes: shape, place, nexus; all 0 if none");
    l.push("own_sheet", &[8, 12, 12], 1, true, SHEET_MEANING);
    l.push("target", &[12, 12], 1, true, "own empty squares in the row and the column of the number rolled");
    l.push("terrain", &[8], 1, true, "this round's terrain: M F R D T A X O");
    l.push("shapes_shown", &[k], 2, true, "copies of each shape in the pair");
    l.push("shape_chosen", &[k], 1, alone, "own shape, chosen or forced, while shapes are placed");
    l.push("die", &[12], 1, true, "the number rolled");
    l.push("terrain_left", &[8], 1, true, "terrain cards not yet turned in this cycle");
    l.push("shapes_left", &[k], most, true, "polyomino cards of each shape not yet turned in this cycle");
    l.push("desolations_used", &[12], 1, true, "numbers used by Desolations");
    l.push("round", &[1], 255, true, "the round, at most 255");
    l.push("own_lines", &[LINES], CELLS, true, LINES_MEANING);
    l.push("own_touch", &[6], 1, true, TOUCH_MEANING);
    l.push("own_empty", &[1], CELLS, true, "empty squares");
    for j in 1..players {
        let whose = format!("of the player {j} places clockwise");
        if sheets {
            let meaning = format!("sheet {whose}, {SHEET_MEANING}");
            l.push(format!("other{j}_sheet"), &[8, 12, 12], 1, true, meaning);
        }
        l.push(format!("other{j}_lines"), &[LINES], CELLS, true, format!("{whose}: {LINES_MEANING}"));
        l.push(format!("other{j}_touch"), &[6], 1, true, format!("{whose}: {TOUCH_MEANING}"));
        l.push(format!("other{j}_empty"), &[1], CELLS, true, format!("{whose}: empty squares"));
    }
    layout
}

/// Bytes of a score: its lines, what touches a nexus, empty squares.
const SCORE: usize = LINES + Terrain::SIX + 1;

/// Writes one part after the other. Short parts are stores of fixed size, which run over into the parts after them, to be written next: a copy of
/// variable length is a call.
struct Writer<'a> {
    rest: &'a mut [u8],
    expander: Expander,
}

impl<'a> Writer<'a> {
    /// The next `len` bytes.
    #[inline(always)]
    fn take(&mut self, len: usize) -> &'a mut [u8] {
        let (part, rest) = std::mem::take(&mut self.rest).split_at_mut(len);
        self.rest = rest;
        part
    }

    /// The low `len` bits of `word`, a byte each; `len <= 32`, and the other bits are 0.
    #[inline(always)]
    fn bits(&mut self, word: u64, len: usize) -> &'a mut [u8] {
        match self.rest.first_chunk_mut::<32>() {
            Some(out) => self.expander.expand_to(word, out),
            None => self.expander.expand(word, &mut self.rest[..len]),
        }
        self.take(len)
    }

    /// A set of squares, a byte each.
    #[inline(always)]
    fn board(&mut self, squares: Board) {
        let (words, last) = self.take(CELLS).as_chunks_mut::<64>();
        for (out, word) in words.iter_mut().zip(squares.0) {
            self.expander.expand_to(word, out);
        }
        self.expander.expand(squares.0[2], last);
    }

    #[inline(always)]
    fn sheet(&mut self, sheet: &Sheet) {
        for squares in sheet.planes() {
            self.board(squares);
        }
    }

    #[inline(always)]
    fn score(&mut self, scoring: &Scoring, score: &SheetScore) {
        let out = self.take(SCORE);
        let mut put = |at: usize, word: u64| out[at..at + 8].copy_from_slice(&word.to_le_bytes());
        let open = scoring.open(score.touch);
        // Only the desert's points are ever negative: the row holds the points lost.
        let four = |at: usize| {
            let byte = |i: usize| score.points[at + i].unsigned_abs().min(CELLS as u16) as u8;
            u64::from(u32::from_le_bytes(std::array::from_fn(byte)))
        };
        // Seven of them are two overlapping fours: vectors.
        put(0, (four(0) | four(POINT_LINES - 4) << (8 * (POINT_LINES - 4))) & masks(open));
        let [a, b, c, d, e, f] = score.groups;
        let groups = u64::from_le_bytes([a, b, c, d, e, f, 0, 0]) & masks(open >> POINT_LINES);
        put(POINT_LINES, groups);
        let touch = u64::from_le_bytes(spread(score.touch));
        put(LINES - 1, groups >> (8 * (Terrain::SIX - 1)) | touch << 8 | u64::from(score.empty) << 56);
    }
}

/// A byte of ones for each of the lowest eight bits that is set.
#[inline(always)]
fn masks(bits: u32) -> u64 {
    let ones = u64::from_le_bytes(spread(bits as u8));
    (ones << 8).wrapping_sub(ones)
}

/// Writes what `viewer` knows: every byte of `out`.
#[inline(always)]
pub(super) fn observe(game: &Graphia, state: &State, viewer: Player, out: &mut [u8]) {
    let k = game.kinds();
    let sheet = &state.sheets[viewer.index()];
    let mut w = Writer { rest: out, expander: Expander::default() };
    let owes = state.acting.contains(viewer);
    let phase = match state.phase {
        Phase::Shape => 0b001,
        Phase::Place => 0b010,
        Phase::Nexus => 0b100,
        Phase::Start | Phase::End => 0,
    };
    w.bits(if owes { phase } else { 0 }, 3);
    w.sheet(sheet);
    w.board(sheet.empty().and(state.line()));
    w.bits(state.terrain.map_or(0, |terrain| 1 << terrain.index()), 8);
    let ([a, b], shown) = (state.pair.unwrap_or_default(), u8::from(state.pair.is_some()));
    let copies = w.bits(u64::from(shown) << b.0, k);
    copies[a.index()] = shown + (shown & u8::from(a == b));
    let chosen = if state.phase == Phase::Place { state.shapes[viewer.index()] } else { None };
    w.bits(u64::from(chosen.is_some()) << chosen.unwrap_or_default().0, k);
    w.bits((1 << state.number) >> 1 | u64::from(state.terrains_left) << 12, 12 + 8);
    *w.rest.first_chunk_mut().expect("parts of fixed size follow") = state.shapes_left;
    w.take(k);
    w.bits(state.used.into(), 12);
    w.take(1)[0] = state.round.min(255) as u8;
    w.score(&game.scoring, &sheet.score);
    for j in 1..game.players {
        let sheet = &state.sheets[viewer.relative(j, game.players).index()];
        if game.observes_sheets {
            w.sheet(sheet);
        }
        w.score(&game.scoring, &sheet.score);
    }
}
