//! Where searches write the leaves that a network must evaluate.

use crate::vec::Rows;

/// Sizes of the buffers of an [`AnyLeafSearch`](crate::any::AnyLeafSearch).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafSizes {
    /// Number of searches.
    pub rows: usize,
    /// Most leaves of one search that are under way at once.
    pub leaves: usize,
    /// Rows of a leaf: 1, or one per player where the value of one player does not tell that of the others.
    pub leaf_rows: usize,
    /// Bytes of an observation.
    pub observation: usize,
    /// Number of actions.
    pub actions: usize,
}

/// Where [`AnyLeafSearch::collect`](crate::any::AnyLeafSearch::collect) writes; an empty slice skips this output.
#[derive(Debug, Default)]
pub struct Leaves<'a> {
    /// Number of rows that there is room for.
    pub rows: usize,
    /// `[rows, O]` observations.
    pub obs: Rows<'a>,
    /// `[rows, A]` legal actions of the player who must decide there, one byte per action. In the further rows of a leaf, whose logits are not
    /// read, all are 0.
    pub action_mask: &'a mut [u8],
    /// `[rows]` the player whose observation it is and whose value the network must give.
    pub player: &'a mut [i32],
    /// `[rows]` the search that it belongs to.
    pub search: &'a mut [i32],
}
