//! Computes the statistics of a search's last decision.

use super::index::Key;
use super::tree::Tree;
use super::{Candidate, mean_of_all};
use crate::agent::{ActionStatistics, Knowledge, SearchStatistics};
use crate::bits::LegalSet;
use crate::game::Game;
use crate::player::{Action, Player};

/// The last decision of a search. Its statistics are computed when a user reads them.
#[derive(Clone, Debug, Default)]
pub(super) struct Last {
    player: Option<Player>,
    /// `None` if it was not searched.
    key: Option<Key>,
    legal: Vec<Action>,
    simulations: u32,
    kept_visits: u32,
    /// `None` until it is chosen.
    pub(super) chosen: Option<Action>,
}

impl Last {
    pub(super) fn forget(&mut self) {
        self.chosen = None;
    }

    fn begin<G: Game>(&mut self, known: &Knowledge<'_, G>) {
        self.player = Some(known.player());
        self.legal.clear();
        self.legal.extend(known.legal().iter());
        (self.key, self.simulations, self.kept_visits, self.chosen) = (None, 0, 0, None);
    }

    /// The key of the last decision; `None` if it was not searched.
    pub(super) fn key(&self) -> Option<Key> {
        self.key
    }

    /// A decision was searched.
    pub(super) fn searched<G: Game>(
        &mut self,
        known: &Knowledge<'_, G>,
        key: Key,
        simulations: u32,
        kept_visits: u32,
    ) {
        self.begin(known);
        (self.key, self.simulations, self.kept_visits) = (Some(key), simulations, kept_visits);
    }

    /// A decision with one legal action was not searched.
    pub(super) fn skipped<G: Game>(&mut self, known: &Knowledge<'_, G>) {
        self.begin(known);
        self.chosen = self.legal.first().copied();
    }

    pub(super) fn statistics(&self, trees: &[Tree], candidates: &[Candidate]) -> Option<SearchStatistics> {
        let (player, action) = (self.player?, self.chosen?);
        // Those of an earlier decision say nothing about one that was not searched.
        let candidates = if self.key.is_some() { candidates } else { &[] };
        let prior = |action| {
            let of_tree = |tree: &Tree| tree.prior(self.key?, action, self.legal.len());
            let (sum, count) =
                trees.iter().filter_map(of_tree).fold((0.0, 0), |(sum, n), p| (sum + p, n + 1));
            if count == 0 { 1.0 / self.legal.len() as f32 } else { sum / count as f32 }
        };
        let of_action = |&action: &Action| {
            let found = candidates.iter().find(|candidate| candidate.action == action);
            let (visits, mean_return) = found.map_or((0, 0.0), |found| (found.visits, found.mean_return));
            ActionStatistics { action, visits, prior: prior(action), mean_return }
        };
        Some(SearchStatistics {
            player,
            action,
            simulations: self.simulations,
            kept_visits: self.kept_visits,
            nodes: trees.iter().map(Tree::nodes).sum(),
            value: mean_of_all(candidates),
            actions: self.legal.iter().map(of_action).collect(),
        })
    }
}
