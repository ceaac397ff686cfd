//! The agent that searches.

use super::{Agent, Knowledge, Memory};
use crate::bits::LegalSet;
use crate::game::Game;
use crate::info::RewardKind;
use crate::pool::Pool;
use crate::rng::Rng;
use crate::search::{Search, Settings};
use crate::seat::Action;
use std::sync::Mutex;

/// Plays the action that a tree search visits most ([`Search`]). Its memory keeps the trees of the episode.
#[derive(Debug)]
pub struct Mcts {
    name: String,
    settings: Settings,
    kind: RewardKind,
    /// Lent to one search at a time.
    pool: Mutex<Pool>,
}

impl Mcts {
    /// A search for the returns that this kind of reward pays. It plays on to the game's own end, also beyond `max_steps`.
    pub fn new(settings: Settings, kind: RewardKind) -> Mcts {
        let pool = Mutex::new(Pool::new(settings.threads as usize, 0));
        Mcts { name: format!("mcts:{settings}"), settings, kind, pool }
    }
}

impl<G: Game> Agent<G> for Mcts {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&self, known: &Knowledge<'_, G>, memory: &mut Memory<'_>, rng: &mut Rng) -> Action {
        if known.legal().len() == 1 {
            return known.legal().select(0);
        }
        // Another environment may be searching; then this thread searches all trees.
        let mut lent = self.pool.try_lock().ok().filter(|_| self.settings.threads > 1);
        let search = memory.get(&self.name, Search::default);
        let found = search.run(known, &self.settings, self.kind, lent.as_deref_mut(), rng);
        // Every simulation tries an action at the root, so there is one.
        found.first().map_or_else(|| rng.pick(known.legal()), |best| best.action)
    }
}
