//! The legal actions of each phase.

use super::Graphia;
use super::board::Board;
use super::state::{Phase, State, TURNS};
use playmat_core::prelude::*;

/// The legal actions of a player who must decide. None is a pass: a player who can draw must draw (GG-R6b).
#[inline(always)]
pub(super) fn legal(game: &Graphia, state: &State, player: Player) -> Bits<10> {
    let sheet = &state.sheets[player.index()];
    let mut corners = [Board::EMPTY; TURNS];
    match (state.phase, state.pair, state.shapes[player.index()]) {
        (Phase::Shape, Some([a, b]), _) => {
            let mut legal = Bits::default();
            legal.0[0] = 1 << a.index() | 1 << b.index();
            return legal;
        }
        (Phase::Place, _, Some(kind)) => {
            let (shape, empty) = (game.shape(kind), sheet.empty().movable());
            // All turns, also of a shape that has fewer: how many it has is random, and a branch on it would be mispredicted.
            for (turn, corners) in corners.iter_mut().enumerate() {
                *corners = shape.corners(turn, state.number, &empty);
            }
        }
        (Phase::Nexus, ..) => corners[0] = sheet.empty().and(state.line()),
        _ => {}
    }
    places(game.kinds(), corners)
}

/// The actions that place a shape on these corners, by turn. The words are put together in registers: bits inserted into a set in memory are
/// stores that are read again as wider ones.
#[inline(always)]
fn places(kinds: usize, corners: [Board; TURNS]) -> Bits<10> {
    let [Board([a, b, c]), Board([d, e, f]), Board([g, h, i]), Board([j, k, l])] = corners;
    // A turn has two words and 16 bits.
    let places = [
        a,
        b,
        c | d << 16,
        d >> 48 | e << 16,
        e >> 48 | f << 16 | g << 32,
        g >> 32 | h << 32,
        h >> 32 | i << 32 | j << 48,
        j >> 16 | k << 48,
        k >> 16 | l << 48,
        0,
    ];
    // The actions of the kinds come first: 1 to 16.
    let (kinds, mut words) = (kinds as u32, [0; 10]);
    let mut below = 0u64;
    for (word, place) in words.iter_mut().zip(places) {
        *word = place.wrapping_shl(kinds) | below.wrapping_shr(64 - kinds);
        below = place;
    }
    Bits(words)
}
