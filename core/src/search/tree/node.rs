//! Nodes of the tree and their edges.

use crate::player::Action;

/// No action.
pub(super) const NONE: u16 = u16::MAX;

/// One player's knowledge at a decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) key: u64,
    /// The actions below 64 that were tried, as bits.
    pub(super) tried_word: u64,
    /// Its edges are `edges[first..first + tried]`, then unused ones up to its room.
    pub(super) first: u32,
    pub(super) tried: u16,
    pub(super) room: u16,
    /// The action with the largest prior, or [`NONE`].
    pub(super) preferred: u16,
    /// Simulations under way that have come through it and whose returns are not known yet. Only with a network.
    pub(super) flying: u16,
    pub(super) visits: u32,
    /// Of the returns of the node's player.
    pub(super) sum: f32,
    /// `sum / visits` (0 without visits) and the square root of the visits. They change at the end of a simulation, where nothing waits for
    /// them.
    pub(super) mean: f32,
    pub(super) root: f32,
    /// Without a network: the prior of the first edge's action, which is the preferred one if there is one, and of every other action.
    pub(super) first_prior: f32,
    pub(super) prior: f32,
}

impl Node {
    /// A node without edges.
    pub(super) fn new(key: u64, first: usize) -> Node {
        Node {
            key,
            tried_word: 0,
            first: first as u32,
            tried: 0,
            room: 0,
            preferred: NONE,
            flying: 0,
            visits: 0,
            sum: 0.0,
            mean: 0.0,
            root: 0.0,
            first_prior: 0.0,
            prior: 0.0,
        }
    }

    #[inline(always)]
    pub(super) fn visit(&mut self, value: f32) {
        self.visits += 1;
        self.sum += value;
        let visits = self.visits as f32;
        (self.mean, self.root) = (self.sum / visits, visits.sqrt());
    }
}

/// An action that was tried at a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) action: u16,
    /// The node that a simulation reached through it last; see [`Tree::find_behind`].
    pub(super) behind: u32,
    pub(super) visits: u32,
    pub(super) sum: f32,
    /// `sum / visits` (0 without visits) and `1 / (1 + visits)`. Selection reads them of every edge, and a visit changes those of one: with
    /// the divisions in selection, a simulation of tic_tac_toe took a tenth more instructions.
    pub(super) mean: f32,
    pub(super) share: f32,
}

impl Edge {
    /// Behind the edges of a node: its value is negative infinity, or no number, and neither is chosen.
    pub(super) const UNUSED: Edge = Edge { mean: f32::NEG_INFINITY, share: 0.0, ..Edge::new(Action(NONE)) };

    pub(super) const fn new(action: Action) -> Edge {
        Edge { action: action.0, behind: u32::MAX, visits: 0, sum: 0.0, mean: 0.0, share: 1.0 }
    }

    #[inline(always)]
    pub(super) fn visit(&mut self, value: f32) {
        self.visits += 1;
        self.sum += value;
        let visits = self.visits as f32;
        (self.mean, self.share) = (self.sum / visits, 1.0 / (1.0 + visits));
    }
}

/// The bit of an action in [`Node::tried_word`]. It is read where all actions are below 64.
#[inline(always)]
pub(super) fn bit(action: Action) -> u64 {
    1 << (action.0 & 63)
}
