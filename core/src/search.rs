//! Monte Carlo tree search for games with hidden information, chance and simultaneous turns.
//!
//! A simulation draws a determinization of what the player knows ([`Knowledge::sample_hidden`]), walks down the tree with it, adds
//! a node, plays on to the end, and adds the returns to all nodes on its way. It never sees the true state.
//!
//! A node is one player's knowledge at a decision: its key is a hash of the player, its observation and its legal actions
//! ([`Env::search_key`], [`Game::short_observation`]). So positions that the player cannot tell apart share a node, for every player and not only for the one who
//! searches, and positions that are reached in two ways share one too. In a simultaneous turn each player chooses at its own node,
//! whatever the others have chosen.
//!
//! A key has 64 bits. Two of n nodes of a tree have the same key by chance with a probability of about n² / 2⁶⁵: 3e-8 in the largest tree,
//! which has 2²⁰ nodes. Information states that differ only in what the player saw before share a node by design (`docs/agents.md` has how
//! many do in each game).
//!
//! Selection is PUCT: the mean return of an action, scaled by the returns seen so far, plus a bonus that falls with its visits
//! and grows with its prior. Actions are tried one by one; an action without visits counts with the mean return of its node.
//!
//! With a trained network ([`Settings::policy`]) a simulation ends at the node that it adds. The network's policy there gives the priors
//! of all legal actions, its value the return of the node's player: rewards of the episode so far, plus the value divided by the scale
//! of rewards in training. With two players whose returns sum to zero the other player's return is the negative of it. Otherwise the
//! network gives every player's value from that player's own observation. A network that was trained on relative rewards is searched
//! with relative returns: the player's less the mean of the others'. One that was trained with a bonus for winning is searched with that bonus
//! at the end of an episode, so that ends and values count the same. With [`Settings::rollout`] beside it the network gives only the priors:
//! a simulation plays on from the node that it adds, and the search maximizes the returns that the game pays.
//!
//! Noise ([`Settings::dirichlet_alpha`]) changes only the priors of the root, and only during one search: the tree does not keep it. With a
//! temperature ([`Settings::temperature`]) the choice is drawn, in all decisions or in the first ones of the episode
//! ([`Settings::temperature_drop`]). Both follow from the search's seed.
//!
//! A simulation plays to the game's own end, also beyond `max_steps`. A search cannot count towards that limit: how many decisions were made
//! in truth can tell a player what others have chosen (see [`Env::sample_hidden`](crate::env::Env::sample_hidden)), so no player knows
//! how many are left. Also, a truncated episode has no result: training bootstraps from its value.
//!
//! [`LeafSearch`] is such a search with a network outside the engine: it returns the positions that the network must evaluate.
//!
//! ```
//! use playmat_core::agent::Knowledge;
//! use playmat_core::env::{ConfiguredGame, Env};
//! use playmat_core::info::RewardKind;
//! use playmat_core::rng::Rng;
//! use playmat_core::bits::LegalSet;
//! use playmat_core::search::Search;
//! use playmat_core::player::Player;
//! use playmat_core::toy::Nim;
//! use std::sync::Arc;
//!
//! let nim = Arc::new(ConfiguredGame::<Nim>::new(&serde_json::Map::new())?);
//! let mut envs = (0..).map(|seed| Env::new(nim.clone(), seed));
//! let env = envs.find(|env| env.legal(Player(0)).len() == 2).expect("a pile of two stones or more");
//! let (player, legal) = (Player(0), env.legal(Player(0)));
//! let known = Knowledge::new(&*nim.game, env.state(), player, &legal);
//! let (mut search, mut rng) = (Search::default(), Rng::from_seed(1));
//! for found in search.run(&known, &"200".parse()?, RewardKind::Outcome, None, &mut rng) {
//!     println!("{:?}: {} visits, mean return {:.2}", found.action, found.visits, found.mean_return);
//! }
//! # assert!(search.nodes() > 0);
//! # Ok::<(), playmat_core::error::Error>(())
//! ```

mod draw;
mod evaluation;
mod index;
mod leaf;
mod noise;
pub(crate) mod opening;
mod settings;
mod statistics;
mod together;
mod tree;
mod walk;

pub use draw::choose;
pub(crate) use evaluation::Evaluation;
pub use leaf::{LeafSearch, LeafSizes, Leaves};
pub(crate) use settings::hundredths;
pub use settings::{Budget, Plan, Prior, Rollout, Settings};
pub(crate) use together::Together;

use crate::agent::{Knowledge, SearchStatistics};
use crate::env::Env;
use crate::error::Result;
use crate::game::Game;
use crate::info::RewardKind;
use crate::network::Network;
use crate::player::{Action, Player};
use crate::pool::{Isa, Kernel, Level, Pool, dispatch};
use crate::rng::{Rng, derive};
use index::Key;
use statistics::Last;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::{Duration, Instant};
use tree::Tree;

/// What a search found about a legal action at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The action.
    pub action: Action,
    /// Simulations that chose it, those of earlier searches of the episode that came through this position included.
    pub visits: u32,
    /// The player's mean return in them.
    pub mean_return: f32,
}

/// The trees of one player in one episode. They are kept from decision to decision.
#[derive(Clone, Debug)]
pub struct Search {
    level: Level,
    trees: Vec<Tree>,
    candidates: Vec<Candidate>,
    /// The random stream of the first tree, as the last search left it.
    draws: Option<Rng>,
    last: statistics::Last,
    /// The network that the trees were made with, as [`Network::identity`] says; 0: none.
    network: u64,
    /// Memory for the observation of the player that searches.
    observation: Vec<u8>,
}

impl Default for Search {
    fn default() -> Search {
        Search {
            level: Level::detect(),
            trees: Vec::new(),
            candidates: Vec::new(),
            draws: None,
            last: Last::default(),
            network: 0,
            observation: Vec::new(),
        }
    }
}

/// Simulations of a tree between two calls of [`Plan::keep_going`], which may read a clock.
const BETWEEN_CALLS: u32 = 64;

/// A tree's share of a search: when it ends.
#[derive(Clone, Copy)]
enum Share {
    /// After this number of simulations.
    Simulations(u32),
    /// After this time.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    For(Duration),
    /// At an instant, the same for all trees.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    Until(Instant),
}

/// One tree with its share of a search.
struct Task<'s> {
    tree: &'s mut Tree,
    rng: Rng,
    share: Share,
    level: Level,
    /// Visits of the root before this search, and simulations of this search.
    kept_visits: u32,
    simulated: u32,
}

impl Search {
    /// Searches for the player's best action. Returns the actions that were tried, the most visited first.
    ///
    /// With a number of simulations, the result follows from `known`, the earlier searches, the settings and `rng`, of which one draw is
    /// used. `pool` searches one tree per thread. Without it the trees are searched one after the other, with equal results.
    pub fn run<G: Game>(
        &mut self,
        known: &Knowledge<'_, G>,
        settings: &Settings,
        kind: RewardKind,
        pool: Option<&mut Pool>,
        rng: &mut Rng,
    ) -> &[Candidate] {
        let plan = Plan { settings, kind, network: None, keep_going: &|| true };
        self.run_while(known, &plan, pool, rng).unwrap_or_default()
    }

    /// Like [`Search::run`], with a network, and can be ended early. Then it returns `None` and forgets all earlier searches: later choices
    /// must not depend on when it was ended.
    pub fn run_while<G: Game>(
        &mut self,
        known: &Knowledge<'_, G>,
        plan: &Plan<'_>,
        pool: Option<&mut Pool>,
        rng: &mut Rng,
    ) -> Option<&[Candidate]> {
        let settings = plan.settings;
        let threads = settings.threads.max(1);
        self.trees.resize_with(threads as usize, Tree::default);
        let seed = rng.next_u64();
        let first = derive(seed, 0);
        let key = index::key_of(known, &mut self.observation);
        let stopped = AtomicBool::new(false);
        let level = self.level;
        let share = Share::of(settings.budget, threads, pool.is_some());
        let mut tasks: Vec<Task<'_>> = (0..threads)
            .zip(&mut self.trees)
            .map(|(thread, tree)| Task {
                tree,
                rng: Rng::from_seed(derive(seed, thread.into())),
                share: share(thread),
                level,
                kept_visits: 0,
                simulated: 0,
            })
            .collect();
        let work = |task: &mut Task<'_>| {
            task.kept_visits = task.tree.prepare(settings, key, known.legal(), first);
            task.work(known, plan, &stopped);
        };
        match pool {
            Some(pool) => pool.each_meanwhile(&mut tasks, work, || {
                goes_on(plan, &stopped);
            }),
            None => tasks.iter_mut().for_each(work),
        }
        let draws = tasks.first().map(|task| task.rng);
        let kept_visits = sum(tasks.iter().map(|task| task.kept_visits));
        let simulations = sum(tasks.iter().map(|task| task.simulated));
        drop(tasks);
        if stopped.into_inner() {
            self.forget();
            return None;
        }
        self.draws = draws;
        self.end(known, key, simulations, kept_visits);
        Some(&self.candidates)
    }

    /// Begins a search with one tree, as [`Search::run_while`] does. Returns the key of the root, the stream of its simulations, and the visits of
    /// the root in earlier searches.
    fn begin_one<G: Game>(
        &mut self,
        known: &Knowledge<'_, G>,
        settings: &Settings,
        rng: &mut Rng,
    ) -> (Key, Rng, u32) {
        self.trees.resize_with(1, Tree::default);
        let first = derive(rng.next_u64(), 0);
        let key = index::key_of(known, &mut self.observation);
        let kept_visits = self.trees[0].prepare(settings, key, known.legal(), first);
        (key, Rng::from_seed(first), kept_visits)
    }

    /// Collects what the simulations of a search have found.
    fn end<G: Game>(&mut self, known: &Knowledge<'_, G>, key: Key, simulations: u32, kept_visits: u32) {
        collect_candidates(&self.trees, key, &mut self.candidates);
        self.last.searched(known, key, simulations, kept_visits);
    }

    /// Forgets everything; buffers stay allocated.
    pub fn forget(&mut self) {
        self.trees.iter_mut().for_each(Tree::forget);
        self.candidates.clear();
        self.draws = None;
        self.last.forget();
    }

    /// Chooses among the actions that the last search has tried: see [`Settings::temperature`].
    pub fn choose(&mut self, temperature: f32) -> Option<Action> {
        let chosen = choose(&self.candidates, temperature, self.draws.as_mut()?);
        self.last.chosen = chosen;
        chosen
    }

    /// Forgets what was found with another network: the file that a spec names can have changed meanwhile.
    pub(crate) fn go_on_with(&mut self, network: Option<&Network>) {
        if !self.is_of(network) {
            self.forget();
            self.network = network.map_or(0, Network::identity);
        }
    }

    /// Whether the trees were made with this network.
    pub(crate) fn is_of(&self, network: Option<&Network>) -> bool {
        self.network == network.map_or(0, Network::identity)
    }

    /// Records a decision with one legal action, which was not searched, for [`Search::statistics`].
    pub fn skip<G: Game>(&mut self, known: &Knowledge<'_, G>) {
        self.last.skipped(known);
    }

    /// What the search found at the last decision that was chosen ([`Search::choose`]) or skipped ([`Search::skip`]). `None` before the first
    /// such decision and after [`Search::forget`].
    pub fn statistics(&self) -> Option<SearchStatistics> {
        self.last.statistics(&self.trees, &self.candidates)
    }

    /// [`Search::statistics`] if they are of this decision, and it was searched.
    pub fn statistics_at<G: Game>(&self, known: &Knowledge<'_, G>) -> Option<SearchStatistics> {
        // The last decision with one legal action has no key.
        let key = self.last.key()?;
        (key == index::key_of(known, &mut Vec::new())).then(|| self.statistics()).flatten()
    }

    /// Number of nodes in all trees.
    pub fn nodes(&self) -> usize {
        self.trees.iter().map(Tree::nodes).sum()
    }
}

impl<G: Game> Env<G> {
    /// The key of the node of a player's decision in every search: a hash of 64 bits. Positions with the same key are one node (see
    /// [`search`](crate::search)). Decisions with one legal action have no node. Keys may change with the version of this library.
    ///
    /// # Errors
    /// `EpisodeOver`, `InvalidPlayer`, `NotActing`.
    pub fn search_key(&self, player: Player) -> Result<u64> {
        self.check_acting(player)?;
        let legal = self.legal(player);
        Ok(Tree::default().key(&*self.configured().game, self.state(), player, &legal).hash)
    }
}

/// [`Env::search_key`] of many decisions.
pub(crate) struct Keys(Tree);

impl Keys {
    pub(crate) fn new() -> Keys {
        Keys(Tree::default())
    }

    /// The key of a decision of an acting player; all are of one game.
    pub(crate) fn of<G: Game>(&mut self, game: &G, state: &G::State, player: Player) -> u64 {
        self.0.key(game, state, player, &game.legal(state, player)).hash
    }
}

/// A sum that stops at the largest number.
fn sum(numbers: impl Iterator<Item = u32>) -> u32 {
    numbers.fold(0, u32::saturating_add)
}

/// The mean return of all simulations: 0 without any.
fn mean_of_all(candidates: &[Candidate]) -> f32 {
    let of_one = |one: &Candidate| f64::from(one.visits) * f64::from(one.mean_return);
    // A sum of nothing is -0.0.
    let sum = 0.0 + candidates.iter().map(of_one).sum::<f64>();
    (sum / all_visits(candidates).max(1) as f64) as f32
}

/// Visits of all actions.
fn all_visits(candidates: &[Candidate]) -> u64 {
    candidates.iter().map(|candidate| u64::from(candidate.visits)).sum()
}

/// The actions that trees have tried at the node of a key, the most visited first.
fn collect_candidates(trees: &[Tree], key: Key, candidates: &mut Vec<Candidate>) {
    candidates.clear();
    for (at, tree) in trees.iter().enumerate() {
        for (action, visits, sum) in tree.tried(key) {
            // The first tree that has tried it adds up those of all trees.
            let of_action = |tree: &Tree| tree.tried(key).find(|&(other, ..)| other == action);
            if trees[..at].iter().any(|tree| of_action(tree).is_some()) {
                continue;
            }
            let (mut all_visits, mut all) = (u64::from(visits), sum);
            for (_, visits, sum) in trees[at + 1..].iter().filter_map(of_action) {
                all_visits += u64::from(visits);
                all += sum;
            }
            let (visits, mean_return) =
                (u32::try_from(all_visits).unwrap_or(u32::MAX), all as f32 / all_visits as f32);
            candidates.push(Candidate { action, visits, mean_return });
        }
    }
    candidates.sort_unstable_by(|a, b| {
        (b.visits.cmp(&a.visits)).then(b.mean_return.total_cmp(&a.mean_return)).then(a.action.cmp(&b.action))
    });
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[expect(clippy::disallowed_methods, reason = "a budget of time is the caller's wish")]
fn now() -> Instant {
    Instant::now()
}

impl Share {
    /// Each thread's share of a budget. If the threads work `together`, a time passes for all of them at once.
    fn of(budget: Budget, threads: u32, together: bool) -> impl Fn(u32) -> Share {
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        let began = now();
        move |thread| match budget {
            Budget::Simulations(all) => Share::Simulations(all / threads + u32::from(thread < all % threads)),
            #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
            Budget::Milliseconds(all) => {
                let all = Duration::from_millis(all.into());
                if together { Share::Until(began + all) } else { Share::For(all / threads) }
            }
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Budget::Milliseconds(_) => {
                let _ = together;
                unreachable!("`Settings` refuses it where there is no clock")
            }
        }
    }
}

impl Task<'_> {
    /// Simulates until its share is used up (of a time at least once), or until the search is stopped.
    fn work<G: Game>(&mut self, known: &Knowledge<'_, G>, plan: &Plan<'_>, stopped: &AtomicBool) {
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        let end = match self.share {
            Share::Simulations(_) => None,
            Share::For(time) => Some(now() + time),
            Share::Until(end) => Some(end),
        };
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        if let Some(end) = end {
            let (mut number, mut uncalled, mut before) = (1, 0, now());
            loop {
                self.simulate(known, plan, number);
                let after = now();
                if after >= end {
                    return;
                }
                uncalled += number;
                if uncalled >= BETWEEN_CALLS {
                    uncalled = 0;
                    if !goes_on(plan, stopped) {
                        return;
                    }
                }
                number = between_reads(number, after - before);
                before = after;
            }
        }
        if let Share::Simulations(mut left) = self.share {
            while left > 0 {
                let number = left.min(BETWEEN_CALLS);
                self.simulate(known, plan, number);
                left -= number;
                if left > 0 && !goes_on(plan, stopped) {
                    return;
                }
            }
        }
    }

    fn simulate<G: Game>(&mut self, known: &Knowledge<'_, G>, plan: &Plan<'_>, number: u32) {
        self.simulated = self.simulated.saturating_add(number);
        match plan.network {
            None => {
                dispatch(
                    self.level,
                    Simulations { tree: self.tree, known, plan, rng: &mut self.rng, number },
                );
            }
            Some(network) => {
                for _ in 0..number {
                    walk::simulate_with(self.level, self.tree, known, plan, network, &mut self.rng);
                }
            }
        }
    }
}

/// Simulations until the clock is read again, where `number` simulations took this time: about 20 µs, so that a read costs little beside them
/// and a search ends in time.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn between_reads(number: u32, took: Duration) -> u32 {
    match took.as_micros() {
        0..10 => (2 * number).min(4 * BETWEEN_CALLS),
        10..40 => number,
        40.. => (number / 2).max(1),
    }
}

/// Whether no tree of the search was stopped.
fn goes_on(plan: &Plan<'_>, stopped: &AtomicBool) -> bool {
    if !stopped.load(Ordering::Relaxed) && !(plan.keep_going)() {
        stopped.store(true, Ordering::Relaxed);
    }
    !stopped.load(Ordering::Relaxed)
}

/// A number of simulations, compiled for the instructions of this machine: random rollouts draw from sets of legal actions, which takes two
/// instructions with BMI2 instead of forty.
struct Simulations<'t, 'a, G: Game> {
    tree: &'t mut Tree,
    known: &'t Knowledge<'a, G>,
    plan: &'t Plan<'t>,
    rng: &'t mut Rng,
    number: u32,
}

impl<G: Game> Kernel for Simulations<'_, '_, G> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        // A copy, which can stay in registers.
        let mut rng = *self.rng;
        for _ in 0..self.number {
            walk::simulate(isa, self.tree, self.known, self.plan.settings, self.plan.kind, &mut rng);
        }
        *self.rng = rng;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::LegalSet;
    use crate::env::ConfiguredGame;
    use crate::network::Network;
    use crate::toy::{Nim, Toll};
    use std::sync::Arc;

    /// What a search finds out about all decisions of some episodes.
    fn all(
        search: &mut Search,
        settings: &str,
        network: Option<&Network>,
        pool: &mut Option<Pool>,
    ) -> Vec<Vec<Candidate>> {
        let configured = configured();
        let settings: Settings = settings.parse().expect("a spec");
        let plan = Plan { settings: &settings, kind: RewardKind::Outcome, network, keep_going: &|| true };
        let mut found = Vec::new();
        for seed in 0..8 {
            let mut env = Env::new(configured.clone(), seed);
            search.forget();
            while let Some(player) = env.current_player() {
                let legal = env.legal(player);
                let known = Knowledge::new(&*env.configured().game, env.state(), player, &legal);
                let mut rng = Rng::from_seed(seed);
                let candidates = search.run_while(&known, &plan, pool.as_mut(), &mut rng).expect("goes on");
                let action = candidates.first().map_or(legal.select(0), |best| best.action);
                found.push(candidates.to_vec());
                env.step(i64::from(action.0)).expect("a legal action");
            }
        }
        found
    }

    fn configured() -> Arc<ConfiguredGame<Toll>> {
        Arc::new(ConfiguredGame::new(&serde_json::Map::new()).expect("its defaults"))
    }

    #[test]
    fn all_instruction_sets_and_used_memory_search_alike() {
        let [network, with_greedy] = [false, true].map(|greedy| Network::random(&configured(), greedy, 3));
        let mut results = Vec::new();
        for (settings, network) in [
            ("80,rollout=random,prior=uniform", None),
            ("80,policy=a.onnx", Some(&network)),
            ("80,policy=a.onnx,prior_temperature=4", Some(&network)),
            ("80,policy=a.onnx,rollout=random", Some(&network)),
            ("80,policy=a.onnx,rollout=greedy", Some(&network)),
            ("80,policy=b.onnx", Some(&with_greedy)),
        ] {
            let mut wide = Search::default();
            let first = all(&mut wide, settings, network, &mut None);
            assert!(first.iter().any(|found| found.len() > 1), "there was something to search");
            let mut baseline = Search { level: Level::BASELINE, ..Search::default() };
            assert_eq!(all(&mut baseline, settings, network, &mut None), first, "{settings}");
            let again = all(&mut wide, settings, network, &mut None);
            assert_eq!(again, first, "{settings}: the memory of a search that has forgotten");
            results.push(first);
        }
        for (at, first) in results.iter().enumerate() {
            assert!(!results[..at].contains(first), "these settings search in different ways");
        }
    }

    /// A root that has as many visits as can be counted is searched on, and its statistics stay finite and right.
    #[test]
    fn a_root_with_the_most_visits_is_searched_on() {
        let network = Network::random(&configured(), false, 3);
        for (settings, network) in [
            ("50,rollout=random,prior=uniform,threads=2", None),
            ("50,rollout=random,dirichlet_alpha=0.3,threads=2", None),
            ("50,policy=a.onnx,threads=2", Some(&network)),
        ] {
            let settings: Settings = settings.parse().expect("a spec");
            let plan = Plan { settings: &settings, kind: RewardKind::Outcome, network, keep_going: &|| true };
            let env = Env::new(configured(), 1);
            let player = env.current_player().expect("it begins with bids");
            let legal = env.legal(player);
            let known = Knowledge::new(&*env.configured().game, env.state(), player, &legal);
            let (mut search, mut rng) = (Search::default(), Rng::from_seed(1));
            search.run_while(&known, &plan, None, &mut rng).expect("goes on");
            let key = index::key_of(&known, &mut Vec::new());
            search.trees.iter_mut().for_each(|tree| tree.fill(key));
            let mut before = Vec::new();
            collect_candidates(&search.trees, key, &mut before);
            let found = search.run_while(&known, &plan, None, &mut rng).expect("goes on");
            assert!(found.iter().any(|one| one.visits == u32::MAX), "{found:?}");
            for one in &before {
                let after = found.iter().find(|after| after.action == one.action).expect("it was tried");
                assert!((after.mean_return - one.mean_return).abs() < 1e-4, "{before:?} {found:?}");
            }
            let means = before.iter().map(|one| one.mean_return);
            let (lowest, highest) = (means.clone().fold(9.0, f32::min), means.fold(-9.0, f32::max));
            search.choose(0.0);
            let statistics = search.statistics().expect("it was chosen");
            assert_eq!(statistics.kept_visits, u32::MAX);
            assert!((lowest..=highest).contains(&statistics.value), "{statistics:?}");
        }
    }

    /// Simulations begin at the root, which is known, as they do where it is looked up like any other node.
    #[test]
    fn a_known_root_is_the_one_that_is_looked_up() {
        let configured = Arc::new(ConfiguredGame::<Nim>::new(&serde_json::Map::new()).expect("its defaults"));
        let settings: Settings = "100,rollout=random,prior=uniform".parse().expect("a spec");
        let plan =
            Plan { settings: &settings, kind: RewardKind::Outcome, network: None, keep_going: &|| true };
        let mut searched = 0;
        for seed in 0..40 {
            let env = Env::new(configured.clone(), seed);
            let player = env.current_player().expect("it begins with a decision");
            let legal = env.legal(player);
            let known = Knowledge::new(&*configured.game, env.state(), player, &legal);
            let key = index::key_of(&known, &mut Vec::new());
            let search = |looked_up: bool| {
                let (mut tree, mut rng) = (Tree::default(), Rng::from_seed(seed));
                tree.prepare(&settings, key, &legal, 1);
                for _ in 0..100 {
                    if looked_up {
                        tree.forget_root();
                    }
                    let (tree, rng) = (&mut tree, &mut rng);
                    let simulations = Simulations { tree, known: &known, plan: &plan, rng, number: 1 };
                    dispatch(Level::detect(), simulations);
                }
                assert_eq!(tree.root().is_some(), !looked_up && legal.len() > 1);
                let tried: Vec<_> = tree.tried(key).collect();
                (tried, tree.nodes(), rng)
            };
            let found = search(false);
            assert_eq!(found, search(true), "seed {seed}");
            searched += found.0.len();
        }
        assert!(searched > 60, "{searched}");
    }

    /// Without a new node a simulation still goes through the nodes that there are: their visits grow.
    #[test]
    fn simulations_of_a_full_tree_go_through_its_nodes() {
        let network = Network::random(&configured(), false, 3);
        for (options, network) in
            [(",rollout=random,prior=uniform", None), ("", None), (",policy=a.onnx", Some(&network))]
        {
            // A decision at which the tree needs more than 20 nodes.
            let mut env = Env::new(configured(), 1);
            while env.current_player() == Some(Player(0)) {
                env.step(i64::from(env.legal(Player(0)).select(0).0)).expect("a legal action");
            }
            let player = env.current_player().expect("it goes on");
            let legal = env.legal(player);
            let known = Knowledge::new(&*env.configured().game, env.state(), player, &legal);
            let visits = |simulations: u32| {
                let settings: Settings =
                    format!("{simulations}{options},max_nodes=20").parse().expect("a spec");
                let plan =
                    Plan { settings: &settings, kind: RewardKind::Outcome, network, keep_going: &|| true };
                let mut search = Search::default();
                search.run_while(&known, &plan, None, &mut Rng::from_seed(1)).expect("goes on");
                assert_eq!(search.nodes(), 20);
                let all = search.trees[0].all_visits();
                let found = &search.candidates;
                assert_eq!(found.iter().map(|one| one.visits).sum::<u32>(), simulations);
                // Of all nodes but the root.
                all - u64::from(simulations)
            };
            let (few, many) = (visits(2_000), visits(4_000));
            assert!(many > few + 1_900, "{options}: {few} and {many} visits beside the root");
        }
    }

    #[test]
    fn the_clock_is_read_every_20_microseconds() {
        for (nanoseconds, expected) in
            [(50, 200..=256), (1_000, 10..=40), (30_000, 1..=1), (9_000_000, 1..=1)]
        {
            let mut number = 1;
            for _ in 0..20 {
                number = between_reads(number, Duration::from_nanos(nanoseconds * u64::from(number)));
            }
            assert!(expected.contains(&number), "{nanoseconds} ns: {number}");
            // Simulations that have become slower.
            let mut number = 256;
            for _ in 0..10 {
                number = between_reads(number, Duration::from_nanos(nanoseconds * u64::from(number)));
            }
            assert!(expected.contains(&number), "{nanoseconds} ns: {number}");
        }
    }

    #[test]
    fn threads_share_the_rollouts_beside_a_network_and_change_nothing() {
        let network = Network::random(&configured(), false, 3);
        let settings = "80,policy=a.onnx,rollout=random,threads=3";
        let alone = all(&mut Search::default(), settings, Some(&network), &mut None);
        for _ in 0..5 {
            let pool = &mut Some(Pool::new(3, 0));
            assert_eq!(all(&mut Search::default(), settings, Some(&network), pool), alone);
        }
    }
}
