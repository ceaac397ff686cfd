//! Buffers for the results of a batch, filled with values that no step writes, so that unwritten elements are found.

use crate::any::AnyVecEnv;
use crate::vec::OwnedBuffers;

/// Buffers filled with values that no step writes.
pub(super) fn dirty(venv: &dyn AnyVecEnv, filling: u8) -> OwnedBuffers {
    let mut out = OwnedBuffers::new(&venv.sizes(), venv.config().dtype);
    fill(&mut out, filling);
    out
}

/// Overwrites every element of every buffer.
pub(super) fn fill(out: &mut OwnedBuffers, filling: u8) {
    let (float, int) = (1e9 + f32::from(filling), -1000 - i32::from(filling));
    for bytes in [
        &mut out.obs_u8,
        &mut out.final_obs_u8,
        &mut out.final_obs_all_u8,
        &mut out.action_mask,
        &mut out.acting,
        &mut out.terminated,
        &mut out.truncated,
        &mut out.final_mask,
        &mut out.final_acting,
    ] {
        bytes.fill(filling);
    }
    for floats in [
        &mut out.obs_f32,
        &mut out.final_obs_f32,
        &mut out.final_obs_all_f32,
        &mut out.reward,
        &mut out.episode_return,
        &mut out.learner_reward,
    ] {
        floats.fill(float);
    }
    for ints in [
        &mut out.player,
        &mut out.final_player,
        &mut out.episode_length,
        &mut out.opponent,
        &mut out.learner,
        &mut out.final_opponent,
    ] {
        ints.fill(int);
    }
    out.episode_seed.fill(u64::from(filling));
    out.final_seed.fill(u64::from(filling));
    out.drawn.fill(i64::from(int));
}
