//! The agent that searches.

use super::{Agent, Knowledge, Memory, SearchStatistics};
use crate::bits::LegalSet;
use crate::env::ConfiguredGame;
use crate::error::{Error, Result};
use crate::game::Game;
use crate::info::RewardKind;
use crate::network::Network;
use crate::pool::Pool;
use crate::rng::Rng;
use crate::search::{Plan, Search, Settings};
use crate::seat::Action;
use std::sync::Mutex;

const NOT_DECIDED: Error =
    Error::Order("the agent has no decision as this player in this episode that it finished: `act` first");

/// Microseconds that a thread stays awake after a search, for the next one: to wake a sleeping one takes as long as a search of 400 simulations
/// of a small game.
const SPIN_US: u32 = 50;

/// Plays the action that a tree search visits most, or draws one by its visits ([`Search`]). Its memory keeps the trees of the episode.
#[derive(Debug)]
pub struct Mcts {
    name: String,
    settings: Settings,
    kind: RewardKind,
    network: Option<Network>,
    /// Lent to one search at a time.
    pool: Mutex<Pool>,
}

impl Mcts {
    /// A search for the returns that this kind of reward pays, without the network of [`Settings::policy`].
    pub fn new(settings: Settings, kind: RewardKind) -> Mcts {
        let pool = Mutex::new(Pool::new(settings.threads as usize, SPIN_US));
        Mcts { name: format!("mcts:{settings}"), settings, kind, network: None, pool }
    }

    /// The search of a spec: for the returns that the game's kind of reward pays, or, with a policy, for those that its network was
    /// trained on.
    ///
    /// # Errors
    /// Those of [`Network::load`].
    pub fn of<G: Game>(settings: Settings, configured: &ConfiguredGame<G>) -> Result<Mcts> {
        let network = settings.policy.as_ref().map(|path| Network::load(path, configured)).transpose()?;
        let kind = network.as_ref().map_or(configured.reward, Network::reward);
        Ok(Mcts { network, ..Mcts::new(settings, kind) })
    }
}

impl Mcts {
    /// The search with a network that is there already, whatever [`Settings::policy`] calls it.
    pub(crate) fn with(settings: Settings, network: Network) -> Mcts {
        let kind = network.reward();
        Mcts { network: Some(network), ..Mcts::new(settings, kind) }
    }
}

impl<G: Game> Agent<G> for Mcts {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&self, known: &Knowledge<'_, G>, memory: &mut Memory<'_>, rng: &mut Rng) -> Action {
        self.act_while(known, memory, rng, &|| true).expect("nobody has stopped it")
    }

    fn act_while(
        &self,
        known: &Knowledge<'_, G>,
        memory: &mut Memory<'_>,
        rng: &mut Rng,
        keep_going: &(dyn Fn() -> bool + Sync),
    ) -> Option<Action> {
        let search = memory.get_or_reuse(&self.name, Search::default, Search::forget);
        if known.legal().len() == 1 {
            search.skip(known);
            return Some(known.legal().select(0));
        }
        // Another environment may be searching; then this thread searches all trees.
        let mut lent = self.pool.try_lock().ok().filter(|_| self.settings.threads > 1);
        let plan =
            Plan { settings: &self.settings, kind: self.kind, network: self.network.as_ref(), keep_going };
        search.run_while(known, &plan, lent.as_deref_mut(), rng)?;
        let chosen = search.choose(self.settings.temperature as f32 / 100.0);
        // Every simulation tries an action at the root, so there is one.
        Some(chosen.unwrap_or_else(|| rng.pick(known.legal())))
    }

    fn statistics(&self, memory: &Memory<'_>) -> Result<SearchStatistics> {
        let search: Option<&Search> = memory.look(&self.name);
        search.and_then(Search::statistics).ok_or(NOT_DECIDED)
    }
}
