//! The tree: nodes and edges in arenas that only grow, so that a simulation allocates nothing once they are large enough.
#![expect(
    clippy::disallowed_types,
    reason = "the index is looked up and never iterated over, so its order tells nothing"
)]

use super::Settings;
use super::noise::Noise;
use crate::bits::LegalSet;
use crate::game::Game;
use crate::network::{self, Network};
use crate::player::{Action, Player};
use crate::pool::Isa;
use crate::reward::Rewards;
use crate::rng::Rng;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Node limit: a full tree stops growing, and is cleared before the next search. It takes 140 to 165 MB in the small games.
const MOST_NODES: usize = 1 << 20;
/// Room for edges at a new node; it doubles each time it is full.
const FIRST_EDGES: u16 = 2;
/// Share of the prior that the preferred action has.
const PREFERRED: f32 = 0.5;
/// No action.
const NONE: u16 = u16::MAX;

/// One player's knowledge at a decision.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Its edges are `edges[first..first + tried]`.
    first: u32,
    tried: u16,
    room: u16,
    /// The action with the largest prior, or [`NONE`].
    preferred: u16,
    /// Simulations under way that have come through it and whose returns are not known yet. Only with a network.
    flying: u16,
    visits: u32,
    /// Of the returns of the node's player.
    sum: f32,
}

/// An action that was tried at a node.
#[derive(Clone, Copy, Debug)]
struct Edge {
    action: u16,
    visits: u32,
    sum: f32,
    /// `sum / visits` (0 without visits) and `1 / (1 + visits)`. Selection reads them of every edge, and a visit changes those of one: with
    /// the divisions in selection, a simulation of tic_tac_toe took a tenth more instructions.
    mean: f32,
    share: f32,
}

impl Edge {
    fn new(action: Action) -> Edge {
        Edge { action: action.0, visits: 0, sum: 0.0, mean: 0.0, share: 1.0 }
    }

    #[inline(always)]
    fn visit(&mut self, value: f32) {
        self.visits += 1;
        self.sum += value;
        let visits = self.visits as f32;
        (self.mean, self.share) = (self.sum / visits, 1.0 / (1.0 + visits));
    }
}

/// A decision of a simulation under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    node: u32,
    /// Place among the edges of the node, or [`NONE`] where the simulation ended at it.
    edge: u16,
    player: Player,
}

/// Who decides, and what is legal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decider<'l, L> {
    pub(super) player: Player,
    pub(super) legal: &'l L,
}

/// Keys are hashes already.
#[derive(Clone, Copy, Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only keys are hashed");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// A search tree with the buffers of its simulations.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    index: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// With a network: the prior of each edge, and its simulations under way. All legal actions of a node are edges from its beginning.
    priors: Vec<f32>,
    flying: Vec<u16>,
    /// The decisions of the simulation under way, if there is only one.
    pub(super) path: Vec<Choice>,
    observation: Vec<u8>,
    /// The observation with the greedy agent's action, for a network that takes it.
    input: Vec<u8>,
    /// The network's last logits, and the policy that follows from them.
    logits: Vec<f32>,
    policy: Vec<f32>,
    noise: Noise,
    /// The smallest and the largest return so far.
    lowest: f32,
    highest: f32,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree {
            index: HashMap::default(),
            nodes: Vec::new(),
            edges: Vec::new(),
            priors: Vec::new(),
            flying: Vec::new(),
            path: Vec::new(),
            observation: Vec::new(),
            input: Vec::new(),
            logits: Vec::new(),
            policy: Vec::new(),
            noise: Noise::default(),
            lowest: f32::INFINITY,
            highest: f32::NEG_INFINITY,
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
        self.nodes.len() >= MOST_NODES
    }

    /// Forgets everything if the tree is full.
    pub(super) fn make_room(&mut self) {
        if self.is_full() {
            self.forget();
        }
    }

    /// Forgets everything; buffers stay allocated.
    pub(super) fn forget(&mut self) {
        self.index.clear();
        self.nodes.clear();
        self.edges.clear();
        self.priors.clear();
        self.flying.clear();
        self.observation.clear();
        self.noise.stop();
        (self.lowest, self.highest) = (f32::INFINITY, f32::NEG_INFINITY);
    }

    /// Prepares a search of a root, whose first random stream has this seed: draws the noise of the settings.
    pub(super) fn begin<L: LegalSet>(&mut self, settings: &Settings, key: u64, legal: &L, seed: u64) {
        let node = self.find(key);
        self.noise.begin(settings, key, node, legal, seed);
    }

    /// The key of what a player knows: a hash of the player, its legal actions and its observation, which `observe` writes.
    #[inline(always)]
    pub(super) fn key<G: Game>(
        &mut self,
        game: &G,
        player: Player,
        legal: &G::Legal,
        observe: impl FnOnce(&mut [u8]),
    ) -> u64 {
        self.see(game, observe);
        // A player changes many bits, so that it cannot be confused with one more or fewer legal action.
        let player = (1 + u64::from(player.0)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let seed = legal
            .words()
            .iter()
            .fold(player, |hash, &word| (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29));
        xxh3_64_with_seed(&self.observation, seed)
    }

    /// Keeps an observation, which `observe` writes.
    #[inline(always)]
    pub(super) fn see<G: Game>(&mut self, game: &G, observe: impl FnOnce(&mut [u8])) {
        // A tree serves one game.
        if self.observation.is_empty() {
            self.observation.resize(game.info().observation.size(), 0);
        }
        observe(&mut self.observation);
    }

    /// The observation that was kept last.
    pub(super) fn seen(&self) -> &[u8] {
        &self.observation
    }

    /// The value of the observation that was kept last. `greedy` is the action of the greedy agent, if the network takes that and the
    /// player has a decision. The logits are kept too.
    pub(super) fn evaluate(&mut self, network: &Network, greedy: Option<Action>) -> f32 {
        let mut value = [0.0];
        self.logits.resize(network.actions(), 0.0);
        let mut input = &self.observation;
        if network.takes_greedy() {
            self.input.resize(network.input_size(), 0);
            self.input[..self.observation.len()].copy_from_slice(&self.observation);
            network.write_greedy(&mut self.input, greedy);
            input = &self.input;
        }
        network.evaluate(input, &mut self.logits, &mut value);
        value[0]
    }

    /// Keeps logits that were computed elsewhere.
    pub(super) fn keep_logits(&mut self, logits: &[f32]) {
        self.logits.clear();
        self.logits.extend_from_slice(logits);
    }

    /// The node of a key.
    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        self.index.get(&key).copied()
    }

    /// Adds a node and chooses its first action: the preferred one, or a random one.
    #[inline(always)]
    pub(super) fn add<I: Isa, L: LegalSet>(
        &mut self,
        isa: I,
        path: &mut Vec<Choice>,
        key: u64,
        Decider { player, legal }: Decider<'_, L>,
        preferred: Option<Action>,
        rng: &mut Rng,
    ) -> Action {
        let node = self.nodes.len() as u32;
        self.index.insert(key, node);
        self.noise.note(key, node);
        let first = self.edges.len() as u32;
        self.edges.resize(self.edges.len() + usize::from(FIRST_EDGES), Edge::new(Action(NONE)));
        let preferred = preferred.map_or(NONE, |action| action.0);
        self.nodes.push(Node {
            first,
            tried: 0,
            room: FIRST_EDGES,
            preferred,
            flying: 0,
            visits: 0,
            sum: 0.0,
        });
        let action = if preferred == NONE { isa.pick(rng, legal) } else { Action(preferred) };
        self.try_action(path, node, player, action)
    }

    /// Adds a node whose legal actions have the priors that follow from the logits kept last. The simulation of this path counts it as a
    /// visit.
    pub(super) fn add_with<L: LegalSet>(
        &mut self,
        path: &mut Vec<Choice>,
        key: u64,
        player: Player,
        legal: &L,
    ) {
        let node = self.nodes.len() as u32;
        self.index.insert(key, node);
        self.noise.note(key, node);
        network::policy(&self.logits, legal, 1.0, &mut self.policy);
        let (first, tried) = (self.edges.len() as u32, legal.len() as u16);
        self.edges.extend(legal.iter().map(Edge::new));
        self.priors.extend_from_slice(&self.policy);
        self.flying.resize(self.edges.len(), 0);
        let preferred = NONE;
        self.nodes.push(Node { first, tried, room: tried, preferred, flying: 1, visits: 0, sum: 0.0 });
        path.push(Choice { node, edge: NONE, player });
    }

    /// Chooses an action at a node that has priors, by PUCT; the lowest of several equal ones. Until their returns are known, other
    /// simulations under way count as lost (a virtual loss), so that they spread.
    pub(super) fn select_with(
        &mut self,
        path: &mut Vec<Choice>,
        at: u32,
        player: Player,
        exploration: f32,
    ) -> Action {
        let node = self.nodes[at as usize];
        // The node that this simulation added has its visit already.
        let own = path.last_mut().filter(|last| last.node == at && last.edge == NONE);
        let others = node.flying - u16::from(own.is_some());
        let range = self.highest - self.lowest;
        let scale = if range > 0.0 { 1.0 / range } else { 0.0 };
        let lowest = if range > 0.0 { self.lowest } else { 0.0 };
        let mean = |sum: f32, visits: u32| (sum / visits.max(1) as f32 - lowest) * scale;
        // The visits of the first simulation, which adds the root and chooses there, are counted at its end.
        let bonus = exploration * ((node.visits + u32::from(others)).max(1) as f32).sqrt();
        let first = node.first as usize;
        let edges = &self.edges[first..][..usize::from(node.tried)];
        let noisy = at == self.noise.node;
        let (mut best, mut best_value) = (0, f32::NEG_INFINITY);
        for (place, (edge, &prior)) in edges.iter().zip(&self.priors[first..]).enumerate() {
            let prior = if noisy { self.noise.mix(Action(edge.action), prior) } else { prior };
            let mut known =
                if edge.visits > 0 { mean(edge.sum, edge.visits) } else { mean(node.sum, node.visits) };
            let mut visits = edge.visits;
            if others > 0 {
                let flying = u32::from(self.flying[first + place]);
                if flying > 0 {
                    known *= visits as f32 / (visits + flying) as f32;
                }
                visits += flying;
            }
            let value = known + bonus * prior / (1 + visits) as f32;
            if value > best_value {
                (best, best_value) = (place, value);
            }
        }
        let action = Action(edges[best].action);
        self.flying[first + best] += 1;
        match own {
            Some(own) => own.edge = best as u16,
            None => {
                self.nodes[at as usize].flying += 1;
                path.push(Choice { node: at, edge: best as u16, player });
            }
        }
        action
    }

    /// The simulation of this path is no longer under way.
    pub(super) fn leave(&mut self, path: &[Choice]) {
        for choice in path {
            let node = &mut self.nodes[choice.node as usize];
            node.flying -= 1;
            if choice.edge != NONE {
                self.flying[node.first as usize + usize::from(choice.edge)] -= 1;
            }
        }
    }

    /// Adds an edge for an action and chooses it.
    fn try_action(&mut self, path: &mut Vec<Choice>, at: u32, player: Player, action: Action) -> Action {
        let node = &mut self.nodes[at as usize];
        if node.tried == node.room {
            // The edges move to the end of the arena, where there is room for twice as many.
            let first = node.first as usize;
            let moved = self.edges.len();
            self.edges.extend_from_within(first..first + usize::from(node.tried));
            node.room = node.room.saturating_mul(2);
            self.edges.resize(moved + usize::from(node.room), Edge::new(Action(NONE)));
            node.first = moved as u32;
        }
        let edge = node.tried;
        node.tried += 1;
        self.edges[node.first as usize + usize::from(edge)] = Edge::new(action);
        path.push(Choice { node: at, edge, player });
        action
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
    ) -> Action {
        if at == self.noise.node {
            return self.select_noisy(path, at, player, legal, exploration);
        }
        let node = self.nodes[at as usize];
        let range = self.highest - self.lowest;
        let scale = if range > 0.0 { 1.0 / range } else { 0.0 };
        let lowest = if range > 0.0 { self.lowest } else { 0.0 };
        // A node that was added in this very simulation has no visit yet.
        let mean = |sum: f32, visits: u32| (sum / visits.max(1) as f32 - lowest) * scale;
        let actions = legal.len();
        let (favourite, each) = if node.preferred == NONE {
            (0.0, 1.0 / actions as f32)
        } else {
            (PREFERRED, (1.0 - PREFERRED) / (actions - 1).max(1) as f32)
        };
        let bonus = exploration * (node.visits as f32).sqrt();
        let (favourite, each) = (bonus * favourite, bonus * each);
        let tried = &self.edges[node.first as usize..][..usize::from(node.tried)];
        let (mut best, mut best_value) = (0, f32::NEG_INFINITY);
        for (place, edge) in tried.iter().enumerate() {
            let bonus = if edge.action == node.preferred { favourite } else { each };
            let value = (edge.mean - lowest) * scale + bonus * edge.share;
            if value > best_value {
                (best, best_value) = (place, value);
            }
        }
        if u32::from(node.tried) < actions && mean(node.sum, node.visits) + each > best_value {
            let mut untried = *legal;
            for edge in tried {
                untried.remove(Action(edge.action));
            }
            let action = isa.pick(rng, &untried);
            return self.try_action(path, at, player, action);
        }
        let action = Action(tried[best].action);
        path.push(Choice { node: at, edge: best as u16, player });
        action
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
    ) -> Action {
        let node = self.nodes[at as usize];
        let range = self.highest - self.lowest;
        let (lowest, scale) = if range > 0.0 { (self.lowest, 1.0 / range) } else { (0.0, 0.0) };
        let mean = |sum: f32, visits: u32| (sum / visits.max(1) as f32 - lowest) * scale;
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
            let value = mean(edge.sum, edge.visits) + bonus * prior(action) / (1 + edge.visits) as f32;
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
        match place {
            Some(place) => path.push(Choice { node: at, edge: place as u16, player }),
            None => return self.try_action(path, at, player, action),
        }
        action
    }

    /// Adds the returns of a simulation to all its decisions.
    #[inline(always)]
    pub(super) fn back_up(&mut self, path: &[Choice], returns: &Rewards, players: usize) {
        for &value in &returns[..players] {
            self.lowest = self.lowest.min(value);
            self.highest = self.highest.max(value);
        }
        for choice in path {
            let value = returns[choice.player.index()];
            let node = &mut self.nodes[choice.node as usize];
            node.visits += 1;
            node.sum += value;
            if choice.edge == NONE {
                continue;
            }
            self.edges[node.first as usize + usize::from(choice.edge)].visit(value);
        }
    }

    /// The prior that the last search gave an action at its root, where `legal` actions are legal; noise included. `None` if the tree has no
    /// node with this key.
    pub(super) fn prior(&self, key: u64, action: Action, legal: usize) -> Option<f32> {
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

    /// The actions that were tried at the node of a key: action, visits, sum of returns.
    pub(super) fn tried(&self, key: u64) -> impl Iterator<Item = (Action, u32, f32)> {
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
    use crate::bits::Bits;
    use crate::env::ConfiguredGame;
    use crate::toy::Nim;

    /// One observation, other players and other legal actions: also sets that differ in the lowest bits, as players do.
    #[test]
    fn a_player_is_no_legal_action_more_or_less() {
        let game = ConfiguredGame::<Nim>::new(&serde_json::Map::new()).unwrap().game;
        let mut keys = std::collections::BTreeSet::new();
        for player in 0..4 {
            for legal in 0..8 {
                let legal = Bits([legal]);
                keys.insert(Tree::default().key::<Nim>(&game, Player(player), &legal, |out| out.fill(0)));
            }
        }
        assert_eq!(keys.len(), 32);
    }
}
