//! Results of episodes, counted for the caller.

use crate::game::{Game, Status};
use crate::reward::Rewards;
use crate::seat::MAX_SEATS;
use crate::vec::Record;
use crate::vec::spec::{EnvMeta, Slot, VecSpec};
use serde::{Deserialize, Serialize};

/// Results of episodes for the caller, of all or of those against one opponent. Sums are exact, so their order does not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub(crate) episodes: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) truncated: u64,
    /// In units of 2^-32, as [`fixed`] makes them.
    pub(crate) return_sum: i128,
}

impl Tally {
    /// The form returned to callers.
    pub(crate) fn record(&self) -> Record {
        let Tally { episodes, wins, draws, losses, truncated, return_sum } = *self;
        let return_sum = return_sum as f64 / 4_294_967_296.0;
        Record { episodes, wins, draws, losses, truncated, return_sum }
    }
}

/// A return as a whole number of 2^-32.
pub(crate) fn fixed(value: f64) -> i128 {
    (value * 4_294_967_296.0) as i128
}

/// Counts an ended episode once, and once for each opponent that played in it. Of several learners the best result counts, and
/// the mean of their returns.
pub(crate) fn tally<G: Game>(
    spec: &VecSpec<G>,
    slot: &Slot<G::State>,
    meta: &EnvMeta,
    tallies: &mut [Tally],
    status: Status,
    returns: &Rewards,
) {
    let cut = status == Status::Truncated
        && (spec.game().status(&slot.state) == Status::Running || !spec.game().info().outcome_on_truncation);
    let outcome = if cut { [0.0; MAX_SEATS] } else { spec.outcome(spec.game().winners(&slot.state)) };
    let best = meta.learners.iter().map(|seat| outcome[seat.index()]).fold(f32::NEG_INFINITY, f32::max);
    let sum: i128 = meta.learners.iter().map(|seat| fixed(returns[seat.index()].into())).sum();
    let mean = sum / meta.learners.len() as i128;
    let count = |tally: &mut Tally| {
        tally.episodes += 1;
        tally.return_sum += mean;
        let end = match best {
            _ if cut => &mut tally.truncated,
            value if value > 0.0 => &mut tally.wins,
            value if value < 0.0 => &mut tally.losses,
            _ => &mut tally.draws,
        };
        *end += 1;
    };
    let Some((total, by_opponent)) = tallies.split_first_mut() else { return };
    count(total);
    let opponents = &meta.opponents[..spec.players];
    for (k, &opponent) in opponents.iter().enumerate() {
        // An opponent that controls several players has played one episode.
        if opponent >= 0 && !opponents[..k].contains(&opponent) {
            count(&mut by_opponent[opponent as usize]);
        }
    }
}
