//! Monte Carlo tree search for games with hidden information, chance and simultaneous turns.
//!
//! A simulation draws a determinization of what the player knows ([`Knowledge::sample_hidden`]), walks down the tree with it, adds
//! a node, plays on to the end, and adds the returns to all nodes on its way. It never sees the true state.
//!
//! A node is one player's knowledge at a decision: its key is a hash of the player's observation and legal actions. So positions that
//! the player cannot tell apart share a node, for every player and not only for the one who searches, and positions that are
//! reached in two ways share one too. In a simultaneous turn each player chooses at its own node, whatever the others have chosen.
//!
//! Selection is PUCT: the mean return of an action, scaled by the returns seen so far, plus a bonus that falls with its visits
//! and grows with its prior. Actions are tried one by one; those not tried yet count with the mean of their node.
//!
//! With a trained network ([`Settings::policy`]) a simulation ends at the node that it adds. The network's policy there gives the priors
//! of all legal actions, its value the return of the node's player: rewards of the episode so far, plus the value divided by the scale
//! of rewards in training. With two players whose returns sum to zero the other player's return is the negative of it. Otherwise the
//! network gives every player's value from that player's own observation. A network that was trained on relative rewards is searched
//! with relative returns: the player's less the mean of the others'.
//!
//! Noise ([`Settings::dirichlet_alpha`]) changes the priors of the root alone, in the search under way alone: what the tree keeps has none.
//! With a temperature ([`Settings::temperature`]) the choice is drawn. Both follow from the search's seed.
//!
//! A simulation plays to the game's own end, also beyond `max_steps`. A search cannot count towards that limit: how many decisions were made
//! in truth can tell a player what others have chosen (see [`Env::sample_hidden`](crate::env::Env::sample_hidden)), so no player knows
//! how many are left. Nor does a truncated episode have a result: training bootstraps its value, as a simulation's end does.
//!
//! [`LeafSearch`] is such a search whose network is not the engine's: it hands out the positions that the network must evaluate.

mod draw;
mod leaf;
mod noise;
mod settings;
mod tree;
mod walk;

pub use draw::choose;
pub use leaf::{AnyLeafSearch, LeafSearch, LeafSizes, Leaves};
pub(crate) use settings::hundredths;
pub use settings::{Budget, Prior, Rollout, Settings};

use crate::agent::Knowledge;
use crate::bits::LegalSet;
use crate::game::Game;
use crate::info::RewardKind;
use crate::network::Network;
use crate::pool::Pool;
use crate::rng::{Rng, derive};
use crate::seat::Action;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::{Duration, Instant};
use tree::Tree;

/// What the search found out about a legal action at the root.
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
#[derive(Clone, Debug, Default)]
pub struct Search {
    trees: Vec<Tree>,
    candidates: Vec<Candidate>,
    /// The stream of the last search, as its first tree has left it.
    draws: Option<Rng>,
}

/// How to search.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// The settings.
    pub settings: &'a Settings,
    /// The returns that it is for; with a network, [`Network::reward`].
    pub kind: RewardKind,
    /// That of [`Settings::policy`].
    pub network: Option<&'a Network>,
    /// Called now and then, by any thread of the search; `false` ends it without result.
    pub keep_going: &'a (dyn Fn() -> bool + Sync),
}

// `keep_going` is a function.
impl std::fmt::Debug for Plan<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plan")
            .field("settings", &self.settings)
            .field("kind", &self.kind)
            .field("network", &self.network)
            .finish_non_exhaustive()
    }
}

/// Simulations of a tree between two looks at [`Plan::keep_going`], which may read a clock.
const BETWEEN_LOOKS: u32 = 64;

/// When a tree has had its share of a search.
#[derive(Clone, Copy)]
enum Share {
    /// After so many simulations.
    Simulations(u32),
    /// So long after it began.
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
    /// Simulations before the next look at whether the search goes on.
    until_look: u32,
}

impl Search {
    /// Searches for the player's best action: the actions that were tried, the most visited first.
    ///
    /// With a number of simulations the result follows from `known`, what was searched before, the settings and `rng`, of
    /// which one draw is used. `pool` plays one tree per thread; without it they are searched one after the other, with equal results.
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

    /// [`Search::run`] with a network, and with a way to end it early. Then it returns `None` and has forgotten what earlier searches have
    /// found: what was searched by the time of the request must not decide what is chosen later.
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
        let key = {
            let tree = &mut self.trees[0];
            tree.key(known.game(), known.player(), known.legal(), |out| known.write_observation(out))
        };
        let stopped = AtomicBool::new(false);
        let share = Share::of(settings.budget, threads, pool.is_some());
        let mut tasks: Vec<Task<'_>> = (0..threads)
            .zip(&mut self.trees)
            .map(|(thread, tree)| Task {
                tree,
                rng: Rng::from_seed(derive(seed, thread.into())),
                share: share(thread),
                until_look: BETWEEN_LOOKS,
            })
            .collect();
        let work = |task: &mut Task<'_>| {
            task.tree.make_room();
            task.tree.begin(settings, key, known.legal(), first);
            task.work(known, plan, &stopped);
        };
        match pool {
            Some(pool) => pool.each(&mut tasks, work),
            None => tasks.iter_mut().for_each(work),
        }
        self.draws = tasks.first().map(|task| task.rng);
        if stopped.into_inner() {
            *self = Search::default();
            return None;
        }
        let has_root = self.trees.iter().any(|tree| tree.find(key).is_some());
        debug_assert!(has_root || known.legal().len() == 1, "every simulation goes through the root");
        collect_candidates(&self.trees, key, &mut self.candidates);
        Some(&self.candidates)
    }

    /// The choice among what the last search has found: see [`Settings::temperature`].
    pub fn choose(&mut self, temperature: f32) -> Option<Action> {
        choose(&self.candidates, temperature, self.draws.as_mut()?)
    }

    /// Number of nodes in all trees.
    pub fn nodes(&self) -> usize {
        self.trees.iter().map(Tree::nodes).sum()
    }
}

/// What trees have tried at the node of a key, the most visited first.
fn collect_candidates(trees: &[Tree], key: u64, candidates: &mut Vec<Candidate>) {
    candidates.clear();
    for tree in trees {
        for (action, visits, sum) in tree.tried(key) {
            match candidates.iter_mut().find(|candidate| candidate.action == action) {
                Some(found) => {
                    // Sums until all trees are added.
                    found.visits += visits;
                    found.mean_return += sum;
                }
                None => candidates.push(Candidate { action, visits, mean_return: sum }),
            }
        }
    }
    for candidate in &mut *candidates {
        candidate.mean_return /= candidate.visits as f32;
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
    /// What each of some threads gets of a budget. Time passes for all of them at once if they work `together`.
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
    /// Simulates until its share is used up, at least once if that is a time, or until a search is stopped.
    fn work<G: Game>(&mut self, known: &Knowledge<'_, G>, plan: &Plan<'_>, stopped: &AtomicBool) {
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        let end = match self.share {
            Share::Simulations(_) => None,
            Share::For(time) => Some(now() + time),
            Share::Until(end) => Some(end),
        };
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        if let Some(end) = end {
            loop {
                self.simulate(known, plan);
                if !self.goes_on(plan, stopped) || now() >= end {
                    return;
                }
            }
        }
        if let Share::Simulations(number) = self.share {
            for _ in 0..number {
                if !self.goes_on(plan, stopped) {
                    return;
                }
                self.simulate(known, plan);
            }
        }
    }

    /// Whether no tree of the search was stopped.
    #[inline(always)]
    fn goes_on(&mut self, plan: &Plan<'_>, stopped: &AtomicBool) -> bool {
        self.until_look -= 1;
        self.until_look > 0 || self.look(plan, stopped)
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self, plan: &Plan<'_>, stopped: &AtomicBool) -> bool {
        self.until_look = BETWEEN_LOOKS;
        if !stopped.load(Ordering::Relaxed) && !(plan.keep_going)() {
            stopped.store(true, Ordering::Relaxed);
        }
        !stopped.load(Ordering::Relaxed)
    }

    fn simulate<G: Game>(&mut self, known: &Knowledge<'_, G>, plan: &Plan<'_>) {
        match plan.network {
            None => walk::simulate(self.tree, known, plan.settings, plan.kind, &mut self.rng),
            Some(network) => walk::simulate_with(self.tree, known, plan.settings, network, &mut self.rng),
        }
    }
}
