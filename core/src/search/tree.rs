//! The tree: nodes and edges in arenas that only grow, so that a simulation allocates nothing once they are large enough.

mod node;
mod priors;

use super::Settings;
use super::evaluation::Evaluation;
use super::index::{Index, Key, seed};
use super::noise::Noise;
use crate::bits::{Bits, LegalSet};
use crate::game::Game;
use crate::outlined;
use crate::player::{Action, Player};
use crate::pool::Isa;
use crate::reward::Rewards;
use crate::rng::Rng;
use node::{Edge, NONE, Node, bit};
use std::hint::select_unpredictable;

/// Room for edges at a new node; it doubles each time it is full. Even: selection compares edges in pairs.
const FIRST_EDGES: u16 = 2;
/// A node with at most so many legal actions has room for all of them from its third edge on.
const FEW_ACTIONS: u32 = 16;
/// No node.
const NO_NODE: u32 = u32::MAX;
/// Share of the prior that the preferred action has.
const PREFERRED: f32 = 0.5;

/// A decision of a simulation under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    node: u32,
    /// Place among the edges of the node, or [`NONE`] where the simulation ended at it.
    edge: u16,
    player: Player,
}

/// What a simulation has chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    pub(super) action: Action,
    /// The place of its edge among all edges.
    pub(super) edge: usize,
}

/// Who decides, and what is legal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decider<'l, L> {
    pub(super) player: Player,
    pub(super) legal: &'l L,
}

/// A search tree with the buffers of its simulations.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    index: Index,
    nodes: Vec<Node>,
    /// Limit of their number.
    most_nodes: usize,
    edges: Vec<Edge>,
    /// With a network: the prior of each edge, and its simulations under way. All legal actions of a node are edges from its beginning.
    priors: Vec<f32>,
    flying: Vec<u16>,
    /// The decisions of the simulation under way, if there is only one.
    pub(super) path: Vec<Choice>,
    observation: Vec<u8>,
    /// Memory of a search with a network: its last evaluation, and the policy that follows from logits.
    pub(super) evaluation: Evaluation,
    policy: Vec<f32>,
    noise: Noise,
    /// The key of the root of the search under way, and its node: [`NO_NODE`] before it is in the tree.
    root_key: Option<Key>,
    root: u32,
    /// The smallest and the largest return so far.
    lowest: f32,
    highest: f32,
    /// Selection counts a mean return as `(mean - offset) * scale`, which is in 0 to 1, or 0 as long as all returns were equal.
    offset: f32,
    scale: f32,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree {
            index: Index::default(),
            nodes: Vec::new(),
            most_nodes: usize::MAX,
            edges: Vec::new(),
            priors: Vec::new(),
            flying: Vec::new(),
            path: Vec::new(),
            observation: Vec::new(),
            evaluation: Evaluation::default(),
            policy: Vec::new(),
            noise: Noise::default(),
            root_key: None,
            root: NO_NODE,
            lowest: f32::INFINITY,
            highest: f32::NEG_INFINITY,
            offset: 0.0,
            scale: 0.0,
        }
    }
}

impl Tree {
    /// Number of nodes.
    pub(super) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the tree has as many nodes as it may have.
    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() >= self.most_nodes
    }

    /// Forgets everything; buffers stay allocated.
    pub(super) fn forget(&mut self) {
        self.index.clear(self.nodes.iter().map(|node| node.place));
        self.nodes.clear();
        self.edges.clear();
        self.priors.clear();
        self.flying.clear();
        self.observation.clear();
        self.noise.stop();
        self.root = NO_NODE;
        (self.lowest, self.highest) = (f32::INFINITY, f32::NEG_INFINITY);
        (self.offset, self.scale) = (0.0, 0.0);
    }

    /// Prepares a search of a root, whose first random stream has this seed: forgets everything if the tree is full, and draws the noise of the
    /// settings. Returns the visits of the root in earlier searches.
    pub(super) fn prepare<L: LegalSet>(
        &mut self,
        settings: &Settings,
        key: Key,
        legal: &L,
        seed: u64,
    ) -> u32 {
        self.most_nodes = settings.max_nodes as usize;
        if self.is_full() {
            self.forget();
        }
        let kept_visits = self.tried(key).fold(0, |sum: u32, (_, visits, _)| sum.saturating_add(visits));
        let node = self.find(key);
        (self.root_key, self.root) = (Some(key), node.unwrap_or(NO_NODE));
        self.noise.begin(settings, key, node, legal, seed);
        kept_visits
    }

    /// The node of the root of the search under way, if it is in the tree.
    #[inline(always)]
    pub(super) fn root(&self) -> Option<u32> {
        (self.root != NO_NODE).then_some(self.root)
    }

    /// The key of what a player knows: a hash of the player, its legal actions and its observation.
    #[inline(always)]
    pub(super) fn key<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        legal: &G::Legal,
    ) -> Key {
        let seed = seed(player, legal);
        match game.short_observation(state, player) {
            Some(short) => Key::of_short(seed, short),
            None => Key::of_observation(seed, self.see(game, state, player)),
        }
    }

    /// Keeps the observation of a player, and returns it.
    #[inline(always)]
    pub(super) fn see<G: Game>(&mut self, game: &G, state: &G::State, player: Player) -> &[u8] {
        // A tree serves one game.
        if self.observation.is_empty() {
            self.observation.resize(game.info().observation.size(), 0);
        }
        outlined::observe_of_machine(game, state, player, &mut self.observation);
        &self.observation
    }

    /// The observation that was kept last.
    pub(super) fn seen(&self) -> &[u8] {
        &self.observation
    }

    /// The node of a key.
    #[inline(always)]
    pub(super) fn find(&self, key: Key) -> Option<u32> {
        self.index.find(key, |node| self.nodes[node as usize].hash)
    }

    /// The node of a key, after a simulation has chosen `edge` (of no edge: any number that is too large). If everything follows from the
    /// decisions, it is the node that the edge led to before, and the processor, which foresees that, goes on there before it knows the key.
    #[inline(always)]
    pub(super) fn find_behind(&mut self, edge: usize, key: Key) -> Option<u32> {
        let behind = self.edges.get(edge).map_or(u32::MAX, |edge| edge.behind);
        if self.nodes.get(behind as usize).is_some_and(|node| node.hash == key.hash) {
            return Some(behind);
        }
        let found = self.find(key);
        if let Some(edge) = self.edges.get_mut(edge) {
            // A node that is not found is the next to be added.
            edge.behind = found.unwrap_or(self.nodes.len() as u32);
        }
        found
    }

    /// Adds a node and chooses its first action: the preferred one, or a random one.
    #[inline(always)]
    pub(super) fn add<I: Isa, L: LegalSet>(
        &mut self,
        isa: I,
        path: &mut Vec<Choice>,
        key: Key,
        Decider { player, legal }: Decider<'_, L>,
        preferred: Option<Action>,
        rng: &mut Rng,
    ) -> Chosen {
        let actions = legal.len();
        let (preferred, first_prior, prior) = match preferred {
            Some(action) => (action.0, PREFERRED, (1.0 - PREFERRED) / (actions - 1).max(1) as f32),
            None => (NONE, 1.0 / actions as f32, 1.0 / actions as f32),
        };
        let action = if preferred == NONE { isa.pick(rng, legal) } else { Action(preferred) };
        let edge = self.edges.len();
        let node = self.enter(
            key,
            Node {
                tried_word: bit(action),
                tried: 1,
                room: FIRST_EDGES,
                preferred,
                first_prior,
                prior,
                ..Node::new(key, edge)
            },
        );
        self.edges.extend_from_slice(&[Edge::new(action), Edge::UNUSED]);
        path.push(Choice { node, edge: 0, player });
        Chosen { action, edge }
    }

    /// Adds a node.
    #[inline(always)]
    fn enter(&mut self, key: Key, node: Node) -> u32 {
        let number = self.nodes.len() as u32;
        self.index.insert(key.place, number, |node| self.nodes[node as usize].place);
        if self.root_key == Some(key) {
            self.root = number;
        }
        self.noise.note(key, number);
        self.nodes.push(node);
        number
    }

    /// Adds an edge for an action, one of so many legal `actions`, and chooses it.
    fn try_action(
        &mut self,
        path: &mut Vec<Choice>,
        at: u32,
        player: Player,
        action: Action,
        actions: u32,
    ) -> Chosen {
        let node = &mut self.nodes[at as usize];
        if node.tried == node.room {
            // The edges move to the end of the arena, where there is room for all actions if they are few, otherwise for twice as many.
            let first = node.first as usize;
            let moved = self.edges.len();
            self.edges.extend_from_within(first..first + usize::from(node.tried));
            let all = if actions <= FEW_ACTIONS { actions.next_multiple_of(2) as u16 } else { 0 };
            node.room = node.room.saturating_mul(2).max(all);
            self.edges.resize(moved + usize::from(node.room), Edge::UNUSED);
            node.first = moved as u32;
        }
        let (place, edge) = (node.tried, node.first as usize + usize::from(node.tried));
        node.tried += 1;
        node.tried_word |= bit(action);
        self.edges[edge] = Edge::new(action);
        path.push(Choice { node: at, edge: place, player });
        Chosen { action, edge }
    }

    /// Chooses an action at a node by PUCT.
    #[inline(always)]
    pub(super) fn select<I: Isa, L: LegalSet>(
        &mut self,
        isa: I,
        path: &mut Vec<Choice>,
        at: u32,
        Decider { player, legal }: Decider<'_, L>,
        exploration: f32,
        rng: &mut Rng,
    ) -> Chosen {
        if at == self.noise.node {
            return self.select_noisy(path, at, player, legal, exploration);
        }
        let node = &self.nodes[at as usize];
        let (offset, scale) = (self.offset, self.scale);
        let bonus = exploration * node.root;
        let each = bonus * node.prior;
        let value = |edge: &Edge, bonus: f32| (edge.mean - offset) * scale + bonus * edge.share;
        // In pairs, and without a branch for the better one: how many edges there are, and which is the best, is not predictable. The last
        // pair may have an unused edge.
        let room = &self.edges[node.first as usize..][..usize::from(node.room)];
        let pairs = room.as_chunks::<2>().0.iter().take(usize::from(node.tried).div_ceil(2));
        let (mut best, mut best_value, mut first_bonus) = (0, f32::NEG_INFINITY, bonus * node.first_prior);
        for (at, [first, second]) in pairs.enumerate() {
            let (first, second) = (value(first, first_bonus), value(second, each));
            let place = select_unpredictable(second > first, 2 * at + 1, 2 * at);
            let better = if second > first { second } else { first };
            best = select_unpredictable(better > best_value, place, best);
            best_value = if better > best_value { better } else { best_value };
            first_bonus = each;
        }
        if u32::from(node.tried) < legal.len() && (node.mean - offset) * scale + each > best_value {
            let action = if let [word] = *legal.words() {
                isa.pick(rng, &Bits([word & !node.tried_word]))
            } else {
                let mut untried = *legal;
                for edge in &room[..usize::from(node.tried)] {
                    untried.remove(Action(edge.action));
                }
                isa.pick(rng, &untried)
            };
            return self.try_action(path, at, player, action, legal.len());
        }
        let (action, edge) = (Action(room[best].action), node.first as usize + best);
        path.push(Choice { node: at, edge: best as u16, player });
        Chosen { action, edge }
    }

    /// [`Tree::select`] at a root with noise, where also each untried action has its own prior.
    #[cold]
    #[inline(never)]
    fn select_noisy<L: LegalSet>(
        &mut self,
        path: &mut Vec<Choice>,
        at: u32,
        player: Player,
        legal: &L,
        exploration: f32,
    ) -> Chosen {
        let node = self.nodes[at as usize];
        let (offset, scale) = (self.offset, self.scale);
        let mean = |sum: f64, visits: u32| (sum as f32 / visits.max(1) as f32 - offset) * scale;
        let bonus = exploration * (node.visits as f32).sqrt();
        let actions = legal.len();
        let prior = |action: Action| {
            let plain = match node.preferred {
                NONE => 1.0 / actions as f32,
                preferred if preferred == action.0 => PREFERRED,
                _ => (1.0 - PREFERRED) / (actions - 1).max(1) as f32,
            };
            self.noise.mix(action, plain)
        };
        let tried = &self.edges[node.first as usize..][..usize::from(node.tried)];
        // The place of the best among the edges, if it was tried.
        let (mut best, mut best_value) = ((None, Action(NONE)), f32::NEG_INFINITY);
        let mut untried = *legal;
        for (place, edge) in tried.iter().enumerate() {
            let action = Action(edge.action);
            untried.remove(action);
            let value = mean(edge.sum, edge.visits) + bonus * prior(action) / (1.0 + edge.visits as f32);
            if value > best_value {
                (best, best_value) = ((Some(place), action), value);
            }
        }
        for action in untried.iter() {
            let value = mean(node.sum, node.visits) + bonus * prior(action);
            if value > best_value {
                (best, best_value) = ((None, action), value);
            }
        }
        let (place, action) = best;
        let Some(place) = place else { return self.try_action(path, at, player, action, actions) };
        path.push(Choice { node: at, edge: place as u16, player });
        Chosen { action, edge: node.first as usize + place }
    }

    /// Adds the returns of a simulation to all its decisions.
    #[inline(always)]
    pub(super) fn back_up(&mut self, path: &[Choice], returns: &Rewards, players: usize) {
        let (lowest, highest) = (self.lowest, self.highest);
        if returns[..players].iter().fold(false, |new, &value| new | (value < lowest) | (value > highest)) {
            self.widen(&returns[..players]);
        }
        for choice in path {
            let value = returns[choice.player.index() & 7];
            let node = &mut self.nodes[choice.node as usize];
            if choice.edge == NONE {
                node.visit(value);
            } else {
                node.visit_with(&mut self.edges[node.first as usize + usize::from(choice.edge)], value);
            }
        }
    }

    /// Counts a return that is smaller or larger than all before.
    #[cold]
    #[inline(never)]
    fn widen(&mut self, returns: &[f32]) {
        for &value in returns {
            self.lowest = self.lowest.min(value);
            self.highest = self.highest.max(value);
        }
        if self.highest > self.lowest {
            // Returns may differ by so little that the quotient is infinite.
            let scale = (1.0 / (self.highest - self.lowest)).min(f32::MAX);
            (self.offset, self.scale) = (self.lowest, scale);
        }
    }

    /// The prior that the last search gave an action at its root, where `legal` actions are legal; noise included. `None` if the tree has no
    /// node with this key.
    pub(super) fn prior(&self, key: Key, action: Action, legal: usize) -> Option<f32> {
        let at = self.find(key)?;
        let node = self.nodes[at as usize];
        let prior = if self.priors.is_empty() {
            match node.preferred {
                NONE => 1.0 / legal as f32,
                preferred if preferred == action.0 => PREFERRED,
                _ => (1.0 - PREFERRED) / (legal - 1).max(1) as f32,
            }
        } else {
            let first = node.first as usize;
            let edges = &self.edges[first..][..usize::from(node.tried)];
            let place = edges.iter().position(|edge| edge.action == action.0)?;
            self.priors[first + place]
        };
        Some(if at == self.noise.node { self.noise.mix(action, prior) } else { prior })
    }

    /// The visits of all nodes.
    #[cfg(test)]
    pub(super) fn all_visits(&self) -> u64 {
        self.nodes.iter().map(|node| u64::from(node.visits)).sum()
    }

    /// The root is looked up again.
    #[cfg(test)]
    pub(super) fn forget_root(&mut self) {
        (self.root_key, self.root) = (None, NO_NODE);
    }

    /// As if the node of a key and all of its actions had been visited so often that the visits can hardly be counted.
    #[cfg(test)]
    pub(super) fn fill(&mut self, key: Key) {
        let at = self.find(key).expect("a node");
        let node = &mut self.nodes[at as usize];
        let fill = |visits: &mut u32, sum: &mut f64| {
            *sum *= f64::from(u32::MAX - 7) / f64::from((*visits).max(1));
            *visits = u32::MAX - 7;
        };
        fill(&mut node.visits, &mut node.sum);
        for edge in &mut self.edges[node.first as usize..][..usize::from(node.tried)] {
            fill(&mut edge.visits, &mut edge.sum);
        }
    }

    /// The actions that were tried at the node of a key: action, visits, sum of returns.
    pub(super) fn tried(&self, key: Key) -> impl Iterator<Item = (Action, u32, f64)> {
        let edges = self.find(key).map_or(&[][..], |node| {
            let node = &self.nodes[node as usize];
            &self.edges[node.first as usize..][..usize::from(node.tried)]
        });
        let chosen = edges.iter().filter(|edge| edge.visits > 0);
        chosen.map(|edge| (Action(edge.action), edge.visits, edge.sum))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::{Kernel, Level, dispatch};

    /// The best of several edges and the draw among untried actions, as in a plain loop.
    #[test]
    fn selection_is_that_of_a_plain_loop() {
        struct Select<'t>(&'t mut Tree, Bits<1>, &'t mut Rng);
        impl Kernel for Select<'_> {
            type Out = Action;
            fn run<I: Isa>(self, isa: I) -> Action {
                let Select(tree, legal, rng) = self;
                let decider = Decider { player: Player(0), legal: &legal };
                tree.select(isa, &mut Vec::new(), 0, decider, 1.5, rng).action
            }
        }
        struct Add<'t>(&'t mut Tree, Bits<1>, Option<Action>, &'t mut Rng);
        impl Kernel for Add<'_> {
            type Out = ();
            fn run<I: Isa>(self, isa: I) {
                let Add(tree, legal, preferred, rng) = self;
                let decider = Decider { player: Player(0), legal: &legal };
                tree.add(isa, &mut Vec::new(), Key { hash: 7, place: 7 }, decider, preferred, rng);
            }
        }
        let mut rng = Rng::from_seed(3);
        let (mut all_tried, mut new) = (0, 0);
        for _ in 0..20_000 {
            let mut tree = Tree { offset: -1.0, scale: 0.5 * rng.below(2) as f32, ..Tree::default() };
            let legal = Bits([rng.next_u64() & rng.next_u64() & rng.next_u64() | 6]);
            let preferred = (rng.below(2) == 0).then(|| legal.select(0));
            let tried = 1 + rng.below(legal.len());
            dispatch(Level::detect(), Add(&mut tree, legal, preferred, &mut rng));
            let mut untried = legal;
            untried.remove(Action(tree.edges[0].action));
            for _ in 1..tried {
                let action = rng.pick(&untried);
                untried.remove(action);
                tree.try_action(&mut Vec::new(), 0, Player(0), action, legal.len());
            }
            // Few different values: many are equal.
            let node = &mut tree.nodes[0];
            let edges = &mut tree.edges[node.first as usize..][..tried as usize];
            for edge in &mut *edges {
                (0..rng.below(3)).for_each(|_| edge.visit(rng.below(3) as f32 - 1.0));
            }
            (0..1 + rng.below(5)).for_each(|_| node.visit(rng.below(3) as f32 - 1.0));

            let bonus = 1.5 * (node.visits as f32).sqrt();
            let actions = legal.len() as f32;
            let each =
                if preferred.is_some() { bonus * (0.5 / (actions - 1.0)) } else { bonus * (1.0 / actions) };
            let (mut best, mut best_value) = (NONE, f32::NEG_INFINITY);
            for edge in edges {
                let bonus = if preferred == Some(Action(edge.action)) { bonus * 0.5 } else { each };
                let value = (edge.sum as f32 / edge.visits.max(1) as f32 + 1.0) * tree.scale
                    + bonus * (1.0 / (1 + edge.visits) as f32);
                if value > best_value {
                    (best, best_value) = (edge.action, value);
                }
            }
            let value = (node.sum as f32 / node.visits as f32 + 1.0) * tree.scale + each;
            let mut draws = rng;
            let expected = if !untried.is_empty() && value > best_value {
                new += 1;
                draws.pick(&untried)
            } else {
                all_tried += 1;
                Action(best)
            };
            assert_eq!(dispatch(Level::detect(), Select(&mut tree, legal, &mut rng)), expected);
            assert_eq!(rng, draws);
        }
        assert!(all_tried > 1_000 && new > 1_000, "{all_tried} {new}");
    }

    #[test]
    fn the_node_behind_an_edge_is_that_of_the_key() {
        let (mut tree, mut rng) = (Tree::default(), Rng::from_seed(4));
        tree.edges.resize(5, Edge::new(Action(0)));
        for _ in 0..5_000 {
            let (edge, hash) = (rng.below(6) as usize, rng.below(30).into());
            let key = Key { hash, place: (hash as u32) << 27 };
            let found = tree.find(key);
            assert_eq!(tree.find_behind(edge, key), found);
            if found.is_none() && rng.below(4) == 0 {
                tree.enter(key, Node::new(key, 0));
            }
        }
        assert_eq!(tree.nodes(), 30);
    }
}
