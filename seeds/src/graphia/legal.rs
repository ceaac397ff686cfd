//! The legal actions of each phase.

use super::Graphia;
use super::board::{Board, Cell};
use super::state::{Phase, Placement, State};
use playmat_core::prelude::*;

/// The legal actions of a player who must decide. None is a pass: a player who can draw must draw (GG-R6b).
#[inline]
pub(super) fn legal(game: &Graphia, state: &State, player: Player) -> Bits<10> {
    let mut legal = Bits::default();
    let sheet = &state.sheets[player.index()];
    match (state.phase, state.pair, state.shapes[player.index()]) {
        (Phase::Shape, Some(pair), _) => {
            for kind in pair {
                legal.insert(kind.index());
            }
        }
        (Phase::Place, _, Some(kind)) => {
            let (shape, empty) = (game.shape(kind), sheet.empty());
            for turn in 0..shape.turns {
                let corners = shape.corners(turn, state.number, empty);
                game.insert_places(&mut legal, turn, corners);
            }
        }
        (Phase::Nexus, ..) => game.insert_places(&mut legal, 0, sheet.empty().and(state.line())),
        _ => {}
    }
    legal
}

impl Graphia {
    #[inline(always)]
    fn insert_places(&self, legal: &mut Bits<10>, turn: usize, corners: Board) {
        let offset = self.place_action(Placement::new(turn, Cell(0))).index();
        for (word, at) in corners.0.into_iter().zip([0, 64, 128]) {
            legal.insert_word(offset + at, word);
        }
    }
}
