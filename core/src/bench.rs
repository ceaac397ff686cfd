//! Benchmark of the loop that users write: draw uniformly random legal actions and step.

use crate::any::AnyVecEnv;
use crate::error::Result;
use crate::vec::{Actions, Buffers, OwnedBuffers, Reset, Source};
use serde::Serialize;
use std::hint::black_box;
use std::time::Instant;

/// The result of a benchmark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Measured {
    /// Environment steps per second, the draw of the action included.
    pub steps_per_second: f64,
    /// Nanoseconds per environment step.
    pub nanoseconds: f64,
    /// Environment steps that were made.
    pub steps: u64,
    /// Episodes that ended in them.
    pub episodes: u64,
    /// Bytes of observation and mask per environment step.
    pub bytes: f64,
    /// Bytes per second that these make.
    pub bytes_per_second: f64,
    /// Bytes per second of a memset of the same buffers on one thread.
    pub memset_bytes_per_second: f64,
}

#[expect(clippy::disallowed_methods, reason = "a measurement; nothing that is played depends on it")]
fn now() -> Instant {
    Instant::now()
}

/// Steps the batch with `sample_actions` for about `seconds`, after a tenth of that to warm up. Every action and
/// the results that a training loop reads are written to buffers of this function.
///
/// # Errors
/// `Order` while an asynchronous step is under way.
pub fn measure(venv: &mut dyn AnyVecEnv, seconds: f64) -> Result<Measured> {
    let sizes = venv.sizes();
    let mut out = OwnedBuffers::new(&sizes, venv.config().dtype);
    // As in the Python package, buffers that this configuration never fills are left out.
    out.final_obs_all.bytes = Vec::new();
    out.final_obs_all.floats = Vec::new();
    out.acting = if sizes.lanes == 1 { Vec::new() } else { out.acting };
    venv.reset(Reset { from: Source::Seed(1), mask: None }, &mut out.borrow())?;
    let mut actions = vec![0; sizes.envs * sizes.lanes];
    let mut spare = actions.clone();
    let (mut steps, mut episodes) = (0u64, 0u64);
    let mut begun = now();
    let mut warm = false;
    loop {
        for _ in 0..16 {
            if venv.take_drawn() {
                std::mem::swap(&mut actions, &mut spare);
            } else {
                venv.sample_actions(&mut actions)?;
            }
            let mut buffers = Buffers { drawn: &mut spare, ..out.borrow() };
            venv.step(Actions::I64(&actions), &mut buffers)?;
            steps += sizes.envs as u64;
        }
        episodes += 16 * out.terminated.iter().map(|&ended| u64::from(ended)).sum::<u64>();
        let passed = now().duration_since(begun).as_secs_f64();
        if !warm && passed > seconds / 10.0 {
            (warm, steps, episodes, begun) = (true, 0, 0, now());
        } else if warm && passed > seconds {
            let bytes = (sizes.lanes
                * (out.obs.bytes.len() + 4 * out.obs.floats.len() + out.action_mask.len()))
                as f64
                / (sizes.envs * sizes.lanes) as f64;
            return Ok(Measured {
                steps_per_second: steps as f64 / passed,
                nanoseconds: passed / steps as f64 * 1e9,
                steps,
                episodes,
                bytes,
                bytes_per_second: steps as f64 / passed * bytes,
                memset_bytes_per_second: memset(&mut out, seconds / 10.0),
            });
        }
    }
}

/// Bytes per second of filling the observations and masks with one value.
fn memset(out: &mut OwnedBuffers, seconds: f64) -> f64 {
    let begun = now();
    let mut bytes = 0;
    loop {
        for value in 0..16u8 {
            out.obs.bytes.fill(black_box(value));
            out.obs.floats.fill(black_box(f32::from(value)));
            out.action_mask.fill(black_box(value));
            black_box(&mut *out);
            bytes += out.obs.bytes.len() + 4 * out.obs.floats.len() + out.action_mask.len();
        }
        let passed = now().duration_since(begun).as_secs_f64();
        if passed > seconds {
            return bytes as f64 / passed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::ConfiguredGame;
    use crate::toy::Toll;
    use crate::vec::{VecConfig, VecEnv};
    use std::sync::Arc;

    #[test]
    fn the_benchmark_counts_steps_and_episodes() {
        let configured = Arc::new(ConfiguredGame::<Toll>::new(&serde_json::Map::new()).unwrap());
        let config = VecConfig { num_envs: 32, ..VecConfig::default() };
        let mut venv = VecEnv::new(configured, config, vec![]).unwrap();
        let measured = measure(&mut venv, 0.01).unwrap();
        assert!(measured.steps > 0 && measured.steps.is_multiple_of(32) && measured.episodes > 0);
        assert_eq!(measured.bytes, f64::from(18 + 8 * 2 + 6));
    }
}
