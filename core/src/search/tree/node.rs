//! Nodes of the tree and their edges.

use super::super::index::Key;
use crate::player::Action;

/// No action.
pub(super) const NONE: u16 = u16::MAX;

/// One player's knowledge at a decision.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Node {
    /// The two parts of its [`Key`].
    pub(super) hash: u64,
    pub(super) place: u32,
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
    /// Of the returns of the node's player. As an `f32` it would no longer grow by 1 after 2²⁴ visits.
    pub(super) sum: f64,
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
    pub(super) fn new(key: Key, first: usize) -> Node {
        Node {
            hash: key.hash,
            place: key.place,
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

    /// Counts a visit with this return. A node that cannot count further stays as it is.
    #[inline(always)]
    pub(super) fn visit(&mut self, value: f32) {
        let Some(counted) = self.visits.checked_add(1) else { return };
        self.visits = counted;
        self.sum += f64::from(value);
        let visits = counted as f32;
        (self.mean, self.root) = (self.sum as f32 / visits, visits.sqrt());
    }

    /// [`Node::visit`] and [`Edge::visit`], with one division of vectors for all quotients.
    #[inline(always)]
    pub(super) fn visit_with(&mut self, edge: &mut Edge, value: f32) {
        let (Some(counted), Some(of_edge)) = (self.visits.checked_add(1), edge.visits.checked_add(1)) else {
            self.visit(value);
            return edge.visit(value);
        };
        (self.visits, edge.visits) = (counted, of_edge);
        self.sum += f64::from(value);
        edge.sum += f64::from(value);
        let (visits, of_edge) = (counted as f32, of_edge as f32);
        let (above, below) =
            ([self.sum as f32, edge.sum as f32, 1.0, 1.0], [visits, of_edge, 1.0 + of_edge, 1.0]);
        let quotients: [f32; 4] = std::array::from_fn(|at| above[at] / below[at]);
        [self.mean, edge.mean, edge.share, _] = quotients;
        self.root = visits.sqrt();
    }
}

/// An action that was tried at a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) action: u16,
    /// The node that a simulation reached through it last; see [`Tree::find_behind`].
    pub(super) behind: u32,
    pub(super) visits: u32,
    pub(super) sum: f64,
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

    /// The same as [`Node::visit`].
    #[inline(always)]
    pub(super) fn visit(&mut self, value: f32) {
        let Some(counted) = self.visits.checked_add(1) else { return };
        self.visits = counted;
        self.sum += f64::from(value);
        let visits = counted as f32;
        (self.mean, self.share) = (self.sum as f32 / visits, 1.0 / (1.0 + visits));
    }
}

/// The bit of an action in [`Node::tried_word`]. It is read where all actions are below 64.
#[inline(always)]
pub(super) fn bit(action: Action) -> u64 {
    1 << (action.0 & 63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// A node and an edge with so many visits, which all returned `value`.
    fn visited(visits: u32, value: f32) -> (Node, Edge) {
        let (mut node, mut edge) = (Node::new(Key { hash: 0, place: 0 }, 0), Edge::new(Action(0)));
        (node.visits, node.sum) = (visits, f64::from(visits) * f64::from(value));
        (edge.visits, edge.sum) = (node.visits, node.sum);
        (node, edge)
    }

    #[test]
    fn means_of_millions_of_visits_are_right() {
        // 2²⁴ and on, where an `f32` no longer grows by 1, and up to the last visit that is counted.
        for (begin, value) in
            [((1 << 24) - 3, 1.0), ((1 << 24) - 3, -1.0), (u32::MAX - 5, 1.0), (3 << 30, 13.0)]
        {
            let (mut node, mut edge) = visited(begin, value);
            for visits in begin + 1..=begin + 5 {
                node.visit(value);
                edge.visit(value);
                assert_eq!((node.visits, node.mean), (visits, value));
                assert_eq!((edge.visits, edge.mean), (visits, value));
                let (root, share) = (f64::from(visits).sqrt(), 1.0 / (1.0 + f64::from(visits)));
                assert!((f64::from(node.root) / root - 1.0).abs() < 1e-6);
                assert!((f64::from(edge.share) / share - 1.0).abs() < 1e-6);
            }
        }
        // The other half of twice as many visits: the mean falls from 1 to 0.
        let (mut node, mut edge) = visited(1 << 24, 1.0);
        (node.visits, edge.visits) = ((1 << 25) - 1, (1 << 25) - 1);
        node.visit(0.0);
        edge.visit(0.0);
        assert_eq!((node.mean, edge.mean), (0.5, 0.5));
    }

    #[test]
    fn a_visit_of_both_is_a_visit_of_each() {
        let mut rng = Rng::from_seed(6);
        for round in 0..200 {
            let begin = if round % 2 == 0 { 0 } else { u32::MAX - rng.below(40) };
            let ((mut node, mut edge), (mut other, mut other_edge)) =
                (visited(begin, 0.5), visited(begin, 0.5));
            if round % 4 == 1 {
                // Of the two, an edge has fewer visits than its node.
                (edge.visits, other_edge.visits) = (7, 7);
            }
            for _ in 0..60 {
                let value = rng.below(1_000) as f32 / 7.0 - 50.0;
                node.visit_with(&mut edge, value);
                other.visit(value);
                other_edge.visit(value);
                let of_node = |node: Node| (node.visits, node.sum, node.mean, node.root);
                let of_edge = |edge: Edge| (edge.visits, edge.sum, edge.mean, edge.share);
                assert_eq!((of_node(node), of_edge(edge)), (of_node(other), of_edge(other_edge)));
            }
        }
    }

    #[test]
    fn visits_beyond_the_last_number_are_not_counted() {
        let (mut node, mut edge) = visited(u32::MAX - 1, 1.0);
        node.visit(1.0);
        edge.visit(1.0);
        let (last, last_edge) = (node, edge);
        for value in [1.0, -1.0, 1e28] {
            node.visit(value);
            edge.visit(value);
            assert_eq!((node.visits, node.sum, node.mean, node.root), (u32::MAX, last.sum, 1.0, last.root));
            assert_eq!((edge.visits, edge.sum, edge.mean), (u32::MAX, last_edge.sum, 1.0));
            assert_eq!(edge.share, last_edge.share);
        }
    }

    #[test]
    fn sums_of_the_largest_values_are_finite() {
        let (mut node, mut edge) = visited(u32::MAX - 1, 1e28);
        node.visit(1e28);
        edge.visit(1e28);
        assert!((node.mean / 1e28 - 1.0).abs() < 1e-6 && node.mean == edge.mean, "{}", node.mean);
    }
}
