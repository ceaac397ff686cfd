//! Where searches write the leaves that a network must evaluate.

use crate::vec::Rows;

/// Sizes of the buffers of an [`AnyLeafSearch`](crate::any::AnyLeafSearch).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafSizes {
    /// Number of searches.
    pub rows: usize,
    /// Most leaves of one search that are under way at once.
    pub leaves: usize,
    /// Rows of a leaf: 1, or one per player if the other players' values do not follow from one player's value.
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
    /// `[rows, A]` legal actions of the player who must decide there, one byte per action. The logits of a leaf's further rows are not read:
    /// there all bytes are 0.
    pub action_mask: &'a mut [u8],
    /// `[rows]` the player who sees the observation and whose value the network must give.
    pub player: &'a mut [i32],
    /// `[rows]` the search that it belongs to.
    pub search: &'a mut [i32],
    /// `[rows]` the action that the greedy agent would choose as the player, for networks that read it; -1 where the player has no decision.
    /// The greedy agent of some games draws, from the stream of the search: with this output a search then finds something else than
    /// without it.
    pub greedy: &'a mut [i64],
}
