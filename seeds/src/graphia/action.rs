//! The action space: SHAPE(k) in `0..K`, then PLACE(t, cell) at `K + 144 t + cell`.

use super::Graphia;
use super::state::{Kind, Placement};
use playmat_core::prelude::*;

/// What an action number means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Draw this shape of the pair.
    Shape(Kind),
    /// Draw the shape, or a Nexus (turn 0), here.
    Place(Placement),
}

impl Graphia {
    /// The meaning of an action number below `num_actions`.
    #[inline(always)]
    pub fn choice(&self, action: Action) -> Choice {
        match action.index().checked_sub(self.kinds()) {
            None => Choice::Shape(Kind(action.0 as u8)),
            Some(place) => Choice::Place(Placement(place as u16)),
        }
    }

    /// The number of SHAPE(k).
    #[inline(always)]
    pub fn shape_action(&self, kind: Kind) -> Action {
        Action(kind.0.into())
    }

    /// The number of PLACE(t, cell).
    #[inline(always)]
    pub fn place_action(&self, place: Placement) -> Action {
        Action(self.kinds() as u16 + place.0)
    }

    pub(super) fn action_ranges(kinds: usize) -> Vec<ActionRange> {
        let place = "the shape turned by quarter turns clockwise (the first index), the top-left corner of its bounding box on this square; \
                     a Nexus: not turned, on this square";
        ActionRange::tile(&[
            ("SHAPE", &[kinds], "draw this shape of the pair: its number in the content"),
            ("PLACE", &[4, 12, 12], place),
        ])
    }
}
