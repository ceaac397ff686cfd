//! The episodes of a batch, and how they ended for the caller.

/// The running episode of one environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpisodeInfo {
    /// Seed that replays it alone.
    pub seed: u64,
    /// Decisions of all players so far.
    pub length: u32,
    /// Whether it is over (only seen with next_step and disabled).
    pub over: bool,
    /// Index of the opponent that plays each player, -1 for the caller.
    pub opponents: Vec<i32>,
}

/// Ended episodes and how they ended for the caller: `episodes` is the sum of `wins`, `draws`, `losses` and `truncated`. If the caller
/// controls several players, the best result among them counts, and the mean of their returns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Record {
    /// Ended episodes, also those that ended before the caller's first decision.
    pub episodes: u64,
    /// Episodes in which the learner's `outcome` was above 0.
    pub wins: u64,
    /// Episodes in which all players shared the victory.
    pub draws: u64,
    /// Episodes in which the learner did not win.
    pub losses: u64,
    /// Episodes that `max_steps` truncated: neither won, drawn nor lost.
    pub truncated: u64,
    /// Sum of the learner's returns, in the environment's own kind of reward.
    pub return_sum: f64,
}

/// The results of the episodes in which one opponent played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpponentResult {
    /// Name of the opponent.
    pub name: String,
    /// Its weight in draws from the pool.
    pub weight: f64,
    /// These episodes. An episode counts once, however many players the opponent controlled.
    pub record: Record,
}

/// The results of the ended episodes of a batch in which opponents play. Without opponents nothing is counted, and `results` refuses.
///
/// With three or more players an episode can have several opponents: it counts once in `total`, and once with each of them. So the
/// records of the opponents can add up to more than the total.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// Every episode once.
    pub total: Record,
    /// By opponent, in the order of the pool.
    pub opponents: Vec<OpponentResult>,
}
