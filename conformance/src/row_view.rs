//! One row of a batch's outputs.

use playmat_core::any::AnyGame;
use playmat_core::vec::OwnedBuffers;

/// One row of a batch's results.
pub(super) struct RowView<'o> {
    pub(super) out: &'o OwnedBuffers,
    pub(super) env: usize,
    pub(super) sizes: playmat_core::vec::Sizes,
}

impl RowView<'_> {
    pub(super) fn part<'v, T>(&self, all: &'v [T], per_env: usize) -> &'v [T] {
        &all[self.env * per_env..(self.env + 1) * per_env]
    }
    /// Bytes of the observation of a lane; floats are converted back.
    pub(super) fn observation(&self, game: &dyn AnyGame, lane: usize) -> Vec<u8> {
        let (size, lanes) = (self.sizes.observation, self.sizes.lanes);
        if self.out.obs.floats.is_empty() {
            self.part(&self.out.obs.bytes, lanes * size)[lane * size..(lane + 1) * size].to_vec()
        } else {
            back(game, &self.part(&self.out.obs.floats, lanes * size)[lane * size..(lane + 1) * size])
        }
    }
    pub(super) fn final_observation(&self, game: &dyn AnyGame, player: usize) -> Vec<u8> {
        let (size, players) = (self.sizes.observation, self.sizes.players);
        let at = player * size..(player + 1) * size;
        if self.out.obs.floats.is_empty() {
            self.part(&self.out.final_obs_all.bytes, players * size)[at].to_vec()
        } else {
            back(game, &self.part(&self.out.final_obs_all.floats, players * size)[at])
        }
    }
    /// `final_obs` of the only lane.
    pub(super) fn last_observation(&self, game: &dyn AnyGame) -> Vec<u8> {
        let size = self.sizes.observation;
        if self.out.obs.floats.is_empty() {
            self.part(&self.out.final_obs.bytes, size).to_vec()
        } else {
            back(game, self.part(&self.out.final_obs.floats, size))
        }
    }
    pub(super) fn mask(&self, lane: usize) -> &[u8] {
        let n = self.sizes.actions;
        &self.part(&self.out.action_mask, self.sizes.lanes * n)[lane * n..(lane + 1) * n]
    }
    pub(super) fn rewards(&self) -> &[f32] {
        self.part(&self.out.reward, self.sizes.players)
    }
    pub(super) fn returns(&self) -> &[f32] {
        self.part(&self.out.episode_return, self.sizes.players)
    }
    pub(super) fn ended(&self) -> bool {
        self.out.terminated[self.env] != 0 || self.out.truncated[self.env] != 0
    }
}

/// Bytes from floats, by the layout.
pub(super) fn back(game: &dyn AnyGame, values: &[f32]) -> Vec<u8> {
    let mut bytes = vec![0; values.len()];
    for s in &game.info().observation.segments {
        for i in s.offset..s.offset + s.len() {
            bytes[i] = (values[i] * f32::from(s.scale) + f32::from(s.bias)).round() as u8;
        }
    }
    bytes
}
