//! Counts the results of episodes for the caller (`results`).

use crate::vec::results::Record;
use serde::{Deserialize, Serialize};

/// Results of episodes for the caller, of all or of those against one opponent. Sums are exact, so their order does not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ResultCounts {
    pub(crate) episodes: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) truncated: u64,
    /// In units of 2^-32, as [`fixed`] makes them.
    pub(crate) return_sum: i128,
}

impl ResultCounts {
    /// The form returned to callers.
    pub(crate) fn record(&self) -> Record {
        let ResultCounts { episodes, wins, draws, losses, truncated, return_sum } = *self;
        let return_sum = return_sum as f64 / 4_294_967_296.0;
        Record { episodes, wins, draws, losses, truncated, return_sum }
    }
}

/// A return as a whole number of 2^-32.
pub(crate) fn fixed(value: f64) -> i128 {
    (value * 4_294_967_296.0) as i128
}
