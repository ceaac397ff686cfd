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

impl Leaves<'_> {
    /// `rows` of the rows from `at` on.
    pub(super) fn part(&mut self, at: usize, rows: usize, sizes: &LeafSizes) -> Leaves<'_> {
        let whole = Leaves {
            rows: self.rows,
            obs: self.obs.reborrow(),
            action_mask: self.action_mask,
            player: self.player,
            search: self.search,
            greedy: self.greedy,
        };
        whole.split_at(at, sizes).1.split_at(rows, sizes).0
    }

    /// Moves `rows` rows from `from` to `to`.
    pub(super) fn shift(&mut self, from: usize, to: usize, rows: usize, sizes: &LeafSizes) {
        fn shift<T: Copy>(all: &mut [T], width: usize, from: usize, to: usize, rows: usize) {
            if !all.is_empty() {
                all.copy_within(from * width..(from + rows) * width, to * width);
            }
        }
        match &mut self.obs {
            Rows::U8(bytes) => shift(bytes, sizes.observation, from, to, rows),
            Rows::F32(floats) => shift(floats, sizes.observation, from, to, rows),
        }
        shift(self.action_mask, sizes.actions, from, to, rows);
        shift(self.player, 1, from, to, rows);
        shift(self.search, 1, from, to, rows);
        shift(self.greedy, 1, from, to, rows);
    }
}

impl<'a> Leaves<'a> {
    /// The first `at` rows and the rest.
    pub(super) fn split_at(self, at: usize, sizes: &LeafSizes) -> (Leaves<'a>, Leaves<'a>) {
        fn split<T>(all: &mut [T], at: usize) -> (&mut [T], &mut [T]) {
            all.split_at_mut(at.min(all.len()))
        }
        let of_obs = (at * sizes.observation).min(self.obs.len());
        let (obs, more_obs) = self.obs.split_at(of_obs);
        let (action_mask, more_mask) = split(self.action_mask, at * sizes.actions);
        let (player, more_players) = split(self.player, at);
        let (search, more_searches) = split(self.search, at);
        let (greedy, more_greedy) = split(self.greedy, at);
        (
            Leaves { rows: at, obs, action_mask, player, search, greedy },
            Leaves {
                rows: self.rows - at,
                obs: more_obs,
                action_mask: more_mask,
                player: more_players,
                search: more_searches,
                greedy: more_greedy,
            },
        )
    }
}
