//! The agent that searches.

use super::{Agent, Decisions, Knowledge, Memory, SearchStatistics, act_one_by_one};
use crate::bits::LegalSet;
use crate::env::ConfiguredGame;
use crate::error::{Error, Result};
use crate::game::Game;
use crate::info::RewardKind;
use crate::network::Network;
use crate::player::Action;
use crate::pool::Pool;
use crate::rng::Rng;
use crate::search::{Budget, Evaluation, Plan, Search, Settings, Together, opening};
use std::sync::Mutex;

const NOT_DECIDED: Error =
    Error::Order("the agent has no decision as this player in this episode that it finished: `act` first");

/// Microseconds that a thread stays awake after a search. Waking a sleeping thread takes as long as a search with 400 simulations of a small
/// game.
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
    /// Memory of batches, as many as threads that choose at once.
    kept: Mutex<Vec<Evaluation>>,
}

impl Mcts {
    /// A search that maximizes returns of this kind, without the network of [`Settings::policy`].
    pub fn new(settings: Settings, kind: RewardKind) -> Mcts {
        let pool = Mutex::new(Pool::new(settings.threads as usize, SPIN_US));
        Mcts { name: format!("mcts:{settings}"), settings, kind, network: None, pool, kept: Mutex::default() }
    }

    /// The search of a spec. It maximizes returns of the game's kind of reward or, if a network's values take the place of rollouts, of the
    /// kind that the network was trained on.
    ///
    /// # Errors
    /// Those of [`Network::load`].
    pub fn of<G: Game>(settings: Settings, configured: &ConfiguredGame<G>) -> Result<Mcts> {
        let network = settings.policy.as_ref().map(|path| Network::load(path, configured)).transpose()?;
        Ok(Mcts::with(settings, network, configured.reward))
    }

    /// A search with a loaded network, in a game with this kind of reward. Ignores the file name in [`Settings::policy`].
    pub(crate) fn with(settings: Settings, network: Option<Network>, pays: RewardKind) -> Mcts {
        let valued = network.as_ref().filter(|_| settings.rollout.is_none());
        let kind = valued.map_or(pays, Network::reward);
        Mcts { network, ..Mcts::new(settings, kind) }
    }

    fn plan<'a>(&'a self, keep_going: &'a (dyn Fn() -> bool + Sync)) -> Plan<'a> {
        Plan { settings: &self.settings, kind: self.kind, network: self.network.as_ref(), keep_going }
    }

    /// What it has kept in an environment.
    fn kept<'m>(&self, memory: &'m Memory<'_>) -> Option<&'m Search> {
        memory.get_existing(&self.name).filter(|search: &&Search| search.is_of(self.network.as_ref()))
    }

    /// The network and the number of simulations, if the searches of a batch share evaluations: with a network, one tree each, and equal ends.
    fn together(&self) -> Option<(&Network, u32)> {
        match (&self.network, self.settings.budget) {
            (Some(network), Budget::Simulations(number)) if self.settings.threads == 1 => {
                Some((network, number))
            }
            _ => None,
        }
    }
}

impl<G: Game> Agent<G> for Mcts {
    fn name(&self) -> &str {
        &self.name
    }

    // Searches differ in length. Those that share evaluations end together, and fewer parts share more.
    fn parts_per_thread(&self) -> usize {
        if self.together().is_some() { 2 } else { 4 }
    }

    fn prefers_batches(&self) -> bool {
        self.together().is_some()
    }

    fn act_batch(&self, decisions: &mut dyn Decisions<G>) {
        let Some((network, simulations)) = self.together() else { return act_one_by_one(self, decisions) };
        let plan = self.plan(&|| true);
        let kept = self.kept.lock().ok().and_then(|mut kept| kept.pop());
        let mut evaluation = kept.unwrap_or_default();
        let together = Together { name: &self.name, plan: &plan, network, simulations };
        together.choose(decisions, &mut evaluation);
        // A failed call of another thread has left them as they are.
        if let Ok(mut kept) = self.kept.lock() {
            kept.push(evaluation);
        }
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
        let temperature = opening::temperature(&self.settings, known, memory);
        let search = memory.get_or_reuse(&self.name, Search::default, Search::forget);
        search.go_on_with(self.network.as_ref());
        if known.legal().len() == 1 {
            search.skip(known);
            return Some(known.legal().select(0));
        }
        // Another environment may be searching; then this thread searches all trees.
        let mut lent = self.pool.try_lock().ok().filter(|_| self.settings.threads > 1);
        let plan = self.plan(keep_going);
        search.run_while(known, &plan, lent.as_deref_mut(), rng)?;
        let chosen = search.choose(temperature);
        // Every simulation tries an action at the root, so there is one.
        Some(chosen.unwrap_or_else(|| rng.pick(known.legal())))
    }

    fn statistics(&self, memory: &Memory<'_>) -> Result<SearchStatistics> {
        self.kept(memory).and_then(Search::statistics).ok_or(NOT_DECIDED)
    }

    fn statistics_at(
        &self,
        known: &Knowledge<'_, G>,
        memory: &Memory<'_>,
    ) -> Result<Option<SearchStatistics>> {
        Ok(self.kept(memory).and_then(|search| search.statistics_at(known)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Memories;
    use crate::env::Env;
    use crate::toy::Toll;
    use std::sync::Arc;

    /// What searches with one simulation find out at the first decision of each of some episodes.
    fn first_decisions(options: &str, pays: RewardKind) -> Vec<SearchStatistics> {
        let configured = ConfiguredGame::<Toll>::new(&serde_json::Map::new()).expect("its defaults");
        let configured = Arc::new(configured);
        let settings: Settings = format!("1,policy=a.onnx{options}").parse().expect("a spec");
        let network = Network::random(&configured, false, 3);
        assert_eq!(network.reward(), RewardKind::Outcome);
        let agent = Mcts::with(settings, Some(network), pays);
        let found = (0..60).map(|seed| {
            let env = Env::new(configured.clone(), seed);
            let player = env.current_player().expect("an episode begins with bids");
            let legal = env.legal(player);
            let known = Knowledge::new(&*configured.game, env.state(), player, &legal);
            let (mut memories, mut rng) = (Memories::default(), Rng::from_seed(seed));
            Agent::<Toll>::act(&agent, &known, &mut memories.of(player, 0), &mut rng);
            Agent::<Toll>::statistics(&agent, &memories.of(player, 0)).expect("it has decided")
        });
        found.collect()
    }

    #[test]
    fn rollouts_beside_a_network_are_for_what_the_game_pays_and_have_its_priors() {
        let all = [RewardKind::Score, RewardKind::Outcome];
        let [values, same] = all.map(|pays| first_decisions("", pays));
        assert_eq!(
            values, same,
            "without rollouts a search is for the returns that the network was trained on"
        );
        for options in [",rollout=greedy", ",rollout=random"] {
            let [scores, outcomes] = all.map(|pays| first_decisions(options, pays));
            // Scores of Toll are coins: whole numbers, and most often other ones than -1, 0 and 1.
            assert!(scores.iter().all(|found| found.value.fract() == 0.0), "{options}");
            assert!(scores.iter().filter(|found| found.value.abs() > 1.0).count() > 10, "{options}");
            assert!(outcomes.iter().all(|found| [-1.0, 0.0, 1.0].contains(&found.value)), "{options}");
            assert!(
                values.iter().all(|found| ![-1.0, 0.0, 1.0].contains(&found.value)),
                "values of the network"
            );
            let priors =
                |found: &SearchStatistics| found.actions.iter().map(|one| one.prior).collect::<Vec<_>>();
            for (rolled, valued) in outcomes.iter().zip(&values) {
                assert_eq!(priors(rolled), priors(valued), "{options}");
            }
        }
        // A softmax of logits divided by 2 has the roots of the probabilities, times a number.
        let even = first_decisions(",prior_temperature=2", RewardKind::Outcome);
        for (even, sharp) in even.iter().zip(&values) {
            let sum: f32 = sharp.actions.iter().map(|one| one.prior.sqrt()).sum();
            for (even, sharp) in even.actions.iter().zip(&sharp.actions) {
                assert!((even.prior - sharp.prior.sqrt() / sum).abs() < 1e-6, "{even:?} {sharp:?}");
            }
        }
        assert!(even.iter().zip(&values).any(|(even, sharp)| even.actions != sharp.actions));
        assert_ne!(
            first_decisions(",rollout=greedy", RewardKind::Score),
            first_decisions(",rollout=random", RewardKind::Score)
        );
    }
}
