//! The greedy agent: it makes the drawing after which its sheet scores most; of several best ones, it draws one at random.
//!
//! It reads only its own sheet, the round's cards and the number, all of which are public. Before it chooses a shape it compares
//! the drawings of both shapes.

use super::Graphia;
use super::board::Board;
use super::forecast::Forecast;
use super::state::{Phase, Placement, Sheet, State, Terrain};
use playmat_core::prelude::*;

/// The action that the greedy agent chooses.
#[inline(always)]
pub(super) fn greedy(game: &Graphia, state: &State, player: Player, rng: &mut Rng) -> Action {
    let sheet = &state.sheets[player.index()];
    let mut best = Best { action: Action(0), score: i32::MIN, ties: 0, rng };
    let kinds = match (state.phase, state.pair, state.shapes[player.index()]) {
        (Phase::Shape, Some(pair), _) => pair.map(Some),
        (Phase::Place, _, Some(kind)) => [Some(kind), None],
        _ => {
            for cell in sheet.empty().and(state.line()).iter() {
                let score = game.scoring.with_nexus(sheet, Board::one(cell));
                best.offer(score.total.into(), game.place_action(Placement::new(0, cell)));
            }
            return best.action;
        }
    };
    let terrain = state.terrain.unwrap_or(Terrain::Nexus);
    let (forecast, empty) = (Forecast::new(&game.scoring, sheet, terrain), sheet.empty().movable());
    for kind in kinds.into_iter().flatten() {
        let shape = game.shape(kind);
        for turn in 0..shape.turns {
            let offsets = shape.offsets(turn);
            for cell in shape.corners(turn, state.number, &empty).iter() {
                let total = if forecast.is_complete() {
                    forecast.total(offsets, cell)
                } else {
                    total_with(game, sheet, terrain, shape.squares_at(turn, cell.index()))
                };
                let place = Placement::new(turn, cell);
                let places = state.phase == Phase::Place;
                best.offer(total, if places { game.place_action(place) } else { game.shape_action(kind) });
            }
        }
    }
    best.action
}

/// The best action so far; equal ones are drawn from.
struct Best<'a> {
    action: Action,
    score: i32,
    ties: u32,
    rng: &'a mut Rng,
}

impl Best<'_> {
    #[inline(always)]
    fn offer(&mut self, score: i32, action: Action) {
        if score < self.score {
            return;
        }
        if score > self.score {
            (self.score, self.ties) = (score, 0);
        }
        self.ties += 1;
        if self.ties == 1 || self.rng.below(self.ties) == 0 {
            self.action = action;
        }
    }
}

/// The total of a sheet with a shape, where a [`Forecast`] is not complete.
#[cold]
fn total_with(game: &Graphia, sheet: &Sheet, terrain: Terrain, squares: Board) -> i32 {
    let mut after = *sheet;
    game.scoring.draw_shape(&mut after, terrain, squares);
    after.score.total.into()
}
