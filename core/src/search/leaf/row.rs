//! One search of many, and the decision that it searches.

use super::super::index::Key;
use super::super::opening;
use super::super::tree::Tree;
use super::super::walk::{Aim, Leaf, Stop, Walk, greedy_action};
use super::super::{Candidate, Settings, collect_candidates};
use super::buffers::{LeafSizes, Leaves};
use crate::agent::{Agent, Decisions, Knowledge, Memory};
use crate::bits::LegalSet;
use crate::error::{Error, Result};
use crate::game::Game;
use crate::player::{Action, Player};
use crate::pool::Level;
use crate::rng::{Rng, derive};
use crate::vec::Rows;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

const NOT_SEARCHED: Error =
    Error::Order("a search has not ended its first simulation: `collect` and `feed` first");

/// One search.
#[derive(Debug)]
pub(super) struct Row<G: Game> {
    pub(super) root: Option<Root<G>>,
    /// By player: the tree, and the episode that it belongs to.
    pub(super) trees: Vec<(Tree, Arc<()>)>,
    pub(super) rng: Rng,
    /// That of the choice, unless the caller gives another.
    pub(super) temperature: f32,
    /// Simulations that have begun.
    pub(super) begun: u32,
    pub(super) flights: Vec<Flight<G>>,
    /// The leaves that wait for the network, in the order in which they were collected.
    pub(super) handed: Vec<Handed>,
    pub(super) candidates: Vec<Candidate>,
}

/// The decision that is searched. Its state is itself a determinization: nothing here knows the true one.
#[derive(Clone, Debug)]
pub(super) struct Root<G: Game> {
    pub(super) state: G::State,
    pub(super) player: Player,
    pub(super) legal: G::Legal,
    pub(super) key: Key,
}

/// A place for a simulation.
#[derive(Debug)]
pub(super) struct Flight<G: Game> {
    pub(super) phase: Phase,
    pub(super) walk: Walk<G::State>,
    /// Where it has stopped, if it waits.
    pub(super) leaf: Option<Leaf<G::Legal>>,
    /// The stream of the search when that leaf was handed out first: handed out again, the greedy agent draws the same there.
    pub(super) draws: Option<Rng>,
}

/// A leaf that was handed out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handed {
    /// The place of its simulation.
    pub(super) place: usize,
    /// Its rows.
    pub(super) at: usize,
    pub(super) rows: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// There is none.
    Free,
    /// It can go on.
    Ready,
    /// It waits for the network.
    Waiting,
}

/// An agent that records the decisions to search instead of choosing actions.
pub(super) struct Recorder<G: Game> {
    pub(super) name: String,
    /// Whether it records; otherwise it changes nothing.
    pub(super) records: bool,
    pub(super) settings: Settings,
    pub(super) recorded: Mutex<Vec<Recorded<G>>>,
}

/// A decision to search.
pub(super) struct Recorded<G: Game> {
    pub(super) state: G::State,
    pub(super) player: Player,
    pub(super) legal: G::Legal,
    /// Identified by its address, and kept by the environment as long as the episode lasts.
    pub(super) episode: Arc<()>,
    pub(super) seed: u64,
    /// That of the choice.
    pub(super) temperature: f32,
}

impl<G: Game> Recorded<G> {
    pub(super) fn new(
        known: &Knowledge<'_, G>,
        episode: Arc<()>,
        temperature: f32,
        rng: &mut Rng,
    ) -> Recorded<G> {
        // A sample of a sample is the sample that the true state gives: a search of the one is a search of the other.
        let state = known.sample_hidden(&mut Rng::from_seed(0));
        let (player, legal) = (known.player(), *known.legal());
        let seed = if legal.len() > 1 { derive(rng.next_u64(), 0) } else { 0 };
        Recorded { state, player, legal, episode, seed, temperature }
    }
}

// `derive` would print states.
impl<G: Game> fmt::Debug for Recorder<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<G: Game> Recorder<G> {
    pub(super) fn new(settings: &Settings, records: bool) -> Arc<Recorder<G>> {
        let name = format!("search mcts:{settings}");
        Arc::new(Recorder { name, records, settings: settings.clone(), recorded: Mutex::default() })
    }

    /// Records a decision; returns the number of recorded ones.
    pub(super) fn record(&self, known: &Knowledge<'_, G>, memory: &mut Memory<'_>, rng: &mut Rng) -> usize {
        let temperature = opening::temperature(&self.settings, known, memory);
        let episode: &mut Arc<()> = memory.get(&self.name, Arc::default);
        let decision = Recorded::new(known, episode.clone(), temperature, rng);
        let mut recorded = self.recorded.lock().unwrap_or_else(PoisonError::into_inner);
        recorded.push(decision);
        recorded.len()
    }

    pub(super) fn take(&self) -> Vec<Recorded<G>> {
        std::mem::take(&mut *self.recorded.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<G: Game> Agent<G> for Recorder<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&self, known: &Knowledge<'_, G>, memory: &mut Memory<'_>, rng: &mut Rng) -> Action {
        if self.records {
            self.record(known, memory, rng);
        }
        known.legal().select(0)
    }

    fn act_batch(&self, decisions: &mut dyn Decisions<G>) {
        for row in 0..decisions.rows() {
            if let Some(mut decision) = decisions.get(row) {
                let number = self.record(&decision.known, &mut decision.memory, decision.rng);
                *decision.chosen = number as i64;
            }
        }
    }
}

impl<G: Game> Root<G> {
    pub(super) fn known<'a>(&'a self, game: &'a G) -> Knowledge<'a, G> {
        Knowledge::new(game, &self.state, self.player, &self.legal)
    }
}

impl<G: Game> Row<G> {
    pub(super) fn new() -> Row<G> {
        Row {
            root: None,
            trees: Vec::new(),
            rng: Rng::from_seed(0),
            temperature: 0.0,
            begun: 0,
            flights: Vec::new(),
            handed: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// Simulations under way end without result.
    pub(super) fn stop(&mut self) {
        self.withdraw();
        let Some(root) = &self.root else { return };
        let tree = &mut self.trees[root.player.index()].0;
        for flight in &mut self.flights {
            if flight.phase != Phase::Free {
                tree.leave(&flight.walk.path);
                flight.phase = Phase::Free;
            }
        }
    }

    /// Begins another search, or none.
    pub(super) fn start(
        &mut self,
        scope: &Scope<'_, G>,
        decision: Option<Recorded<G>>,
        leaves: usize,
        keep: bool,
    ) {
        let game = scope.game;
        self.stop();
        self.root = None;
        let Some(recorded) = decision else { return };
        let Recorded { state, player, legal, episode, seed, temperature } = recorded;
        if self.trees.is_empty() {
            let players = game.info().players;
            self.trees.resize_with(players, || (Tree::default(), Arc::new(())));
        }
        let (tree, of) = &mut self.trees[player.index()];
        if !keep || !Arc::ptr_eq(of, &episode) {
            tree.forget();
            *of = episode;
        }
        let key = tree.key(game, &state, player, &legal);
        tree.prepare(scope.settings, key, &legal, seed);
        (self.rng, self.begun, self.temperature) = (Rng::from_seed(seed), 0, temperature);
        let root = self.root.insert(Root { state, player, legal, key });
        if self.flights.is_empty() {
            let walk = Walk::begin(&root.known(game), Vec::new(), &mut Rng::from_seed(0));
            self.flights.resize_with(leaves, || Flight {
                phase: Phase::Free,
                walk: walk.clone(),
                leaf: None,
                draws: None,
            });
        }
    }

    /// Goes on with every simulation, and begins new ones, until each waits or all are done. Writes the leaves that must be evaluated; `number`
    /// is that of the search.
    pub(super) fn collect(
        &mut self,
        scope: &Scope<'_, G>,
        number: usize,
        out: &mut Leaves<'_>,
        keep_going: &dyn Fn() -> bool,
    ) {
        let mut at = 0;
        let Some(root) = &self.root else { return };
        if root.legal.len() == 1 {
            return;
        }
        let (game, tree) = (scope.game, &mut self.trees[root.player.index()].0);
        for place in 0..self.flights.len() {
            loop {
                let flight = &mut self.flights[place];
                if flight.phase == Phase::Free {
                    if self.begun == scope.simulations {
                        break;
                    }
                    if !keep_going() {
                        return;
                    }
                    self.begun += 1;
                    (flight.phase, flight.draws) = (Phase::Ready, None);
                    let path = std::mem::take(&mut flight.walk.path);
                    flight.walk = Walk::begin(&root.known(game), path, &mut self.rng);
                }
                let (settings, aim) = (scope.settings, scope.aim);
                match flight.walk.down(scope.level, tree, game, root.player, settings, aim, &mut self.rng) {
                    Stop::End(returns) => {
                        flight.walk.land(tree, &returns, game.info().players);
                        flight.phase = Phase::Free;
                    }
                    Stop::Leaf(leaf) => {
                        let same = |other: &Flight<G>| {
                            other.phase == Phase::Waiting
                                && other.leaf.as_ref().is_some_and(|other| other.key == leaf.key)
                        };
                        // It stays ready where another simulation waits for the same evaluation.
                        if !self.flights.iter().any(same) {
                            let flight = &mut self.flights[place];
                            (flight.phase, flight.leaf) = (Phase::Waiting, Some(leaf));
                            let first = flight.draws.is_none();
                            let mut rng = *flight.draws.get_or_insert(self.rng);
                            let rows =
                                scope.write(out, at, number, tree, &flight.walk.state, &leaf, &mut rng);
                            self.handed.push(Handed { place, at, rows });
                            at += rows;
                            if first {
                                self.rng = rng;
                            }
                        }
                        break;
                    }
                }
            }
        }
    }

    /// Says that the first of the rows just written is row `first` of all; returns their number.
    pub(super) fn count_from(&mut self, first: usize) -> usize {
        self.handed.iter_mut().for_each(|handed| handed.at += first);
        self.handed.iter().map(|handed| handed.rows).sum()
    }

    /// The first row and the legal actions of each leaf that waits for the network.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (usize, G::Legal)> {
        self.handed
            .iter()
            .filter_map(|handed| Some((handed.at, self.flights[handed.place].leaf.as_ref()?.legal)))
    }

    /// Leaves that were handed out are collected anew.
    pub(super) fn withdraw(&mut self) {
        for handed in self.handed.drain(..) {
            let phase = &mut self.flights[handed.place].phase;
            if *phase == Phase::Waiting {
                *phase = Phase::Ready;
            }
        }
    }

    /// Takes the logits and the values of the leaves that were handed out; the arguments have those of all searches.
    pub(super) fn feed(&mut self, scope: &Scope<'_, G>, logits: &[f32], values: &[f32]) {
        let actions = scope.game.info().num_actions;
        // A panic leaves none of them: what was fed is not fed again.
        let mut handed = std::mem::take(&mut self.handed);
        for Handed { place, at, rows } in handed.drain(..) {
            self.feed_leaf(scope, place, &logits[at * actions..][..actions], &values[at..at + rows]);
        }
        self.handed = handed;
    }

    fn feed_leaf(&mut self, scope: &Scope<'_, G>, place: usize, logits: &[f32], values: &[f32]) {
        let root = self.root.as_ref().expect("a leaf has a search");
        let (game, tree) = (scope.game, &mut self.trees[root.player.index()].0);
        let flight = &mut self.flights[place];
        let leaf = flight.leaf.expect("it waits at a leaf");
        flight.draws = None;
        let Scope { level, settings, aim, .. } = *scope;
        let outputs = (logits, values);
        let ends = flight.walk.receive(level, tree, game, settings, aim, &leaf, outputs, &mut self.rng);
        flight.phase = if ends { Phase::Free } else { Phase::Ready };
    }

    /// What the search found about the actions of the root; `None` without a root that can be searched.
    pub(super) fn candidates(&mut self) -> Result<Option<&[Candidate]>> {
        let Some(root) = self.root.as_ref().filter(|root| root.legal.len() > 1) else { return Ok(None) };
        let tree = &self.trees[root.player.index()].0;
        collect_candidates(std::slice::from_ref(tree), root.key, &mut self.candidates);
        if self.candidates.is_empty() { Err(NOT_SEARCHED) } else { Ok(Some(&self.candidates)) }
    }

    /// Calls `out` with each legal action of the root and its prior.
    pub(super) fn priors(&self, mut out: impl FnMut(Action, f32)) {
        let Some(root) = &self.root else { return };
        let (tree, count) = (&self.trees[root.player.index()].0, root.legal.len());
        for action in root.legal.iter() {
            // A single action is not searched.
            out(
                action,
                if count == 1 { 1.0 } else { tree.prior(root.key, action, count as usize).unwrap_or(0.0) },
            );
        }
    }

    /// The only legal action, if there is only one.
    pub(super) fn forced(&self) -> Option<Action> {
        self.root.as_ref().filter(|root| root.legal.len() == 1).map(|root| root.legal.select(0))
    }
}

/// Data that all simulations share.
pub(super) struct Scope<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) settings: &'a Settings,
    pub(super) aim: Aim,
    pub(super) simulations: u32,
    pub(super) sizes: LeafSizes,
    /// The instructions that simulations use.
    pub(super) level: Level,
}

impl<'a, G: Game> Scope<'a, G> {
    pub(super) fn new(
        game: &'a G,
        settings: &'a Settings,
        aim: Aim,
        simulations: u32,
        sizes: LeafSizes,
    ) -> Scope<'a, G> {
        Scope { game, settings, aim, simulations, sizes, level: Level::detect() }
    }

    /// Writes the rows of a leaf from row `at` on; returns how many. The root needs no values: it has one row.
    #[expect(clippy::too_many_arguments, reason = "what a row of each output is made of")]
    fn write(
        &self,
        out: &mut Leaves<'_>,
        at: usize,
        number: usize,
        tree: &mut Tree,
        state: &G::State,
        leaf: &Leaf<G::Legal>,
        rng: &mut Rng,
    ) -> usize {
        let (game, LeafSizes { leaf_rows, observation, actions, .. }) = (self.game, self.sizes);
        let rows = if leaf.is_root { 1 } else { leaf_rows };
        let others = Player::all(game.info().players).filter(|player| *player != leaf.player).take(rows - 1);
        for (extra, player) in std::iter::once(leaf.player).chain(others).enumerate() {
            let at = at + extra;
            if extra > 0 {
                tree.see(game, state, player);
            }
            let seen = at * observation..(at + 1) * observation;
            match &mut out.obs {
                rows if rows.is_empty() => {}
                Rows::U8(bytes) => bytes[seen].copy_from_slice(tree.seen()),
                Rows::F32(floats) => game.info().observation.to_f32(tree.seen(), &mut floats[seen]),
            }
            if !out.action_mask.is_empty() {
                let mask = &mut out.action_mask[at * actions..][..actions];
                if extra == 0 { leaf.legal.expand(mask) } else { mask.fill(0) }
            }
            for (column, value) in
                [(&mut *out.player, i32::from(player.0)), (&mut *out.search, number as i32)]
            {
                if let Some(entry) = column.get_mut(at) {
                    *entry = value;
                }
            }
            if let Some(entry) = out.greedy.get_mut(at) {
                let chosen = greedy_action(game, state, player, rng);
                *entry = chosen.map_or(-1, |action| action.0.into());
            }
        }
        rows
    }
}
