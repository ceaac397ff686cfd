//! What the searches of an agent found out about the pending decisions of a batch.

use crate::agent::SearchStatistics;
use crate::error::{Error, Result};

/// Buffers for what searches found about the pending decisions of a batch: one row per row of the action mask. Each buffer has all its
/// elements or is empty, which skips it.
///
/// A row is 0 where the agent has not searched the pending decision: no player acts, one action is legal, or the agent has not chosen there in
/// the running episode.
#[derive(Debug, Default)]
pub struct BatchStatistics<'a> {
    /// `[rows, A]`: simulations that chose the action, those of earlier searches of the episode that came through the decision included.
    pub visits: &'a mut [i32],
    /// `[rows, A]`: the player's mean return in them; 0 without visits.
    pub mean_return: &'a mut [f32],
    /// `[rows, A]`: the share of the action in the priors, which sum to 1 over the legal actions, with the noise of the search.
    pub prior: &'a mut [f32],
    /// `[rows]`: the player's mean return in all visits.
    pub value: &'a mut [f32],
    /// `[rows]`: simulations of the last search, of all threads together.
    pub simulations: &'a mut [i32],
}

impl BatchStatistics<'_> {
    pub(crate) fn check(&self, rows: usize, actions: usize) -> Result<()> {
        for (name, got, wanted) in [
            ("visits", self.visits.len(), rows * actions),
            ("mean_return", self.mean_return.len(), rows * actions),
            ("prior", self.prior.len(), rows * actions),
            ("value", self.value.len(), rows),
            ("simulations", self.simulations.len(), rows),
        ] {
            if got != 0 && got != wanted {
                return Err(Error::argument(
                    name,
                    format!("got {got} elements; wanted {wanted}, or none to skip it"),
                ));
            }
        }
        Ok(())
    }

    pub(crate) fn clear(&mut self) {
        self.visits.fill(0);
        self.mean_return.fill(0.0);
        self.prior.fill(0.0);
        self.value.fill(0.0);
        self.simulations.fill(0);
    }

    /// Writes a row, which is 0.
    pub(crate) fn write(&mut self, row: usize, actions: usize, found: &SearchStatistics) {
        for one in &found.actions {
            let at = row * actions + one.action.index();
            put(self.visits, at, i32::try_from(one.visits).unwrap_or(i32::MAX));
            put(self.mean_return, at, one.mean_return);
            put(self.prior, at, one.prior);
        }
        put(self.value, row, found.value);
        put(self.simulations, row, i32::try_from(found.simulations).unwrap_or(i32::MAX));
    }
}

/// Writes an element of a buffer that may be empty.
fn put<T>(out: &mut [T], at: usize, value: T) {
    if let Some(place) = out.get_mut(at) {
        *place = value;
    }
}
