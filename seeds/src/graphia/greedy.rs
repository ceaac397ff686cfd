//! The greedy agent: it makes the drawing after which its sheet scores most; of several best ones, it draws one at random.
//!
//! It reads only its own sheet, the round's cards and the number, all of which are public. Before it chooses a shape it compares
//! the drawings of both shapes.

use super::Graphia;
use super::board::Board;
use super::state::{Kind, Phase, Placement, Sheet, State, Terrain};
use playmat_core::prelude::*;

/// The action that the greedy agent chooses.
pub(super) fn greedy(game: &Graphia, state: &State, player: Player, rng: &mut Rng) -> Action {
    let sheet = &state.sheets[player.index()];
    let mut best = Best { action: Action(0), score: i16::MIN, ties: 0, rng };
    match (state.phase, state.pair, state.shapes[player.index()]) {
        (Phase::Shape, Some(pair), _) => {
            for kind in pair {
                game.offer_places(state, player, kind, &mut best, |_| game.shape_action(kind));
            }
        }
        (Phase::Place, _, Some(kind)) => {
            game.offer_places(state, player, kind, &mut best, |place| game.place_action(place));
        }
        _ => {
            for cell in sheet.empty().and(state.line()).iter() {
                let mut after = *sheet;
                game.scoring.draw_nexus(&mut after, Board::one(cell));
                best.offer(after.score.total, game.place_action(Placement::new(0, cell)));
            }
        }
    }
    best.action
}

impl Graphia {
    /// Offers every legal placement of a shape.
    #[inline(always)]
    fn offer_places(
        &self,
        state: &State,
        player: Player,
        kind: Kind,
        best: &mut Best<'_>,
        action: impl Fn(Placement) -> Action,
    ) {
        let sheet = &state.sheets[player.index()];
        let terrain = state.terrain.unwrap_or(Terrain::Nexus);
        let (shape, empty) = (self.shape(kind), sheet.empty().movable());
        for turn in 0..shape.turns {
            for cell in shape.corners(turn, state.number, &empty).iter() {
                let place = Placement::new(turn, cell);
                let mut after = *sheet;
                draw(self, &mut after, terrain, shape.squares_at(turn, cell.index()));
                best.offer(after.score.total, action(place));
            }
        }
    }
}

/// The best action so far; equal ones are drawn from.
struct Best<'a> {
    action: Action,
    score: i16,
    ties: u32,
    rng: &'a mut Rng,
}

impl Best<'_> {
    #[inline(always)]
    fn offer(&mut self, score: i16, action: Action) {
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

/// [`Scoring::draw_shape`](super::score::Scoring::draw_shape) as a function of its own: inlined at both of its calls here, a search with greedy
/// rollouts took 7 % more time.
#[inline(never)]
fn draw(game: &Graphia, sheet: &mut Sheet, terrain: Terrain, squares: Board) {
    game.scoring.draw_shape(sheet, terrain, squares);
}
