//! What an agent that searches found out about a decision.

use crate::player::{Action, Player};

/// What a search found at its last decision.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchStatistics {
    /// The player that decided.
    pub player: Player,
    /// The action that was chosen: with temperature 0 the most visited one.
    pub action: Action,
    /// Simulations of this search, of all threads together; 0 if only one action was legal: such a decision is not searched.
    pub simulations: u32,
    /// Visits of this decision in the trees that were kept from earlier decisions of the episode. They and `simulations` are the sum of all
    /// `visits`. (Only in a game whose observations repeat within an episode can a simulation visit a decision twice.)
    pub kept_visits: u32,
    /// Nodes in all trees, those kept from earlier decisions included.
    pub nodes: usize,
    /// The player's mean return in all visits; 0 without visits. Returns are of the kind that the search maximizes: that of the game's option
    /// `reward`, or with a network that of its training.
    pub value: f32,
    /// All legal actions, ascending.
    pub actions: Vec<ActionStatistics>,
}

/// What a search found about a legal action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActionStatistics {
    /// The action.
    pub action: Action,
    /// Simulations that chose it, those of earlier searches that came through this decision included.
    pub visits: u32,
    /// Its share in the priors, which sum to 1, with the noise of this search; the mean of all trees.
    pub prior: f32,
    /// The player's mean return in its visits; 0 without visits.
    pub mean_return: f32,
}
