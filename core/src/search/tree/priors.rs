//! The tree of a search with a network, whose policy gives every edge a prior.

use super::super::index::Key;
use super::node::{Edge, NONE, Node};
use super::{Choice, Tree};
use crate::bits::LegalSet;
use crate::network;
use crate::player::{Action, Player};

impl Tree {
    /// Adds a node whose legal actions have the priors that follow from logits, divided by `temperature`. The simulation of this
    /// path counts it as a visit.
    pub(in crate::search) fn add_with<L: LegalSet>(
        &mut self,
        path: &mut Vec<Choice>,
        key: Key,
        player: Player,
        legal: &L,
        logits: &[f32],
        temperature: f32,
    ) {
        network::policy(logits, legal, temperature, &mut self.policy);
        let (first, tried) = (self.edges.len(), legal.len() as u16);
        let room = tried.next_multiple_of(2);
        self.edges.extend(legal.iter().map(Edge::new));
        self.edges.resize(first + usize::from(room), Edge::UNUSED);
        self.priors.extend_from_slice(&self.policy);
        self.priors.resize(self.edges.len(), 0.0);
        self.flying.resize(self.edges.len(), 0);
        let node = self.enter(
            key,
            Node {
                tried_word: legal.words()[0],
                tried,
                room,
                flying: 1,
                first_prior: 1.0 / f32::from(tried),
                prior: 1.0 / f32::from(tried),
                ..Node::new(key, first)
            },
        );
        path.push(Choice { node, edge: NONE, player });
    }

    /// Chooses an action at a node that has priors, by PUCT; the lowest of several equal ones. Until their returns are known, other
    /// simulations under way count as lost (a virtual loss), so that they spread.
    pub(in crate::search) fn select_with(
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
        let (offset, scale) = (self.offset, self.scale);
        let mean = |sum: f64, visits: u32| (sum as f32 / visits.max(1) as f32 - offset) * scale;
        // The visits of the first simulation, which adds the root and chooses there, are counted at its end.
        let bonus = exploration * (node.visits.saturating_add(others.into()).max(1) as f32).sqrt();
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
                    known *= visits as f32 / visits.saturating_add(flying) as f32;
                }
                visits = visits.saturating_add(flying);
            }
            let value = known + bonus * prior / (1.0 + visits as f32);
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
    pub(in crate::search) fn leave(&mut self, path: &[Choice]) {
        for choice in path {
            let node = &mut self.nodes[choice.node as usize];
            node.flying -= 1;
            if choice.edge != NONE {
                self.flying[node.first as usize + usize::from(choice.edge)] -= 1;
            }
        }
    }
}
