//! What a player sees, as bytes: the layout and the only code that writes it. `playmat info graphia` prints the layout.

use super::Graphia;
use super::board::{Board, CELLS};
use super::content::Shape;
use super::score::LINES;
use super::state::{Phase, Sheet, SheetScore, State, Terrain};
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

    /// The low `len` bits of `word`, a byte each.
    #[inline(always)]
    fn bits(&mut self, word: u64, len: usize) {
        expand(word, self.take(len));
    }

    /// A set of squares, a byte each.
    #[inline(always)]
    fn board(&mut self, squares: Board) {
        let out = self.take(CELLS);
        expand(squares.0[0], &mut out[..64]);
        expand(squares.0[1], &mut out[64..128]);
        expand(squares.0[2], &mut out[128..]);
    }

    #[inline(always)]
    fn sheet(&mut self, sheet: &Sheet) {
        for terrain in Terrain::ALL {
            self.board(sheet.plane(terrain));
        }
    }

    #[inline(always)]
    fn score(&mut self, lines: &[i16; LINES], score: &SheetScore) {
        let out = self.take(LINES);
        for (byte, &line) in out.iter_mut().zip(lines) {
            // Only the desert's line is ever negative: it holds the points lost.
            *byte = line.unsigned_abs().min(CELLS as u16) as u8;
        }
        self.bits(score.touch.into(), Terrain::SIX);
        self.take(1)[0] = score.empty;
    }
}

/// Writes what `viewer` knows: every byte of `out`.
#[inline(always)]
pub(super) fn observe(game: &Graphia, state: &State, viewer: Player, out: &mut [u8]) {
    let k = game.kinds();
    let sheet = &state.sheets[viewer.index()];
    let mut w = Writer { rest: out };
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
    let shown = w.take(k);
    shown.fill(0);
    for kind in state.pair.into_iter().flatten() {
        shown[kind.index()] += 1;
    }
    let chosen = w.take(k);
    chosen.fill(0);
    if let (Phase::Place, Some(kind)) = (state.phase, state.shapes[viewer.index()]) {
        chosen[kind.index()] = 1;
    }
    w.bits((1 << state.number) >> 1, 12);
    w.bits(state.terrains_left.into(), 8);
    w.take(k).copy_from_slice(&state.shapes_left[..k]);
    w.bits(state.used.into(), 12);
    w.take(1)[0] = state.round.min(255) as u8;
    w.score(&game.scoring.lines(&sheet.score), &sheet.score);
    for j in 1..game.players {
        let sheet = &state.sheets[viewer.relative(j, game.players).index()];
        if game.observes_sheets {
            w.sheet(sheet);
        }
        w.score(&game.scoring.lines(&sheet.score), &sheet.score);
    }
}
