//! Resets: which environments of a batch start new episodes, and where these come from.

use crate::any::AnyStates;

/// Where the next episodes come from.
#[derive(Clone, Copy, Debug, Default)]
pub enum Source<'a> {
    /// The next episode of each environment's own stream. Before any seed was given, the stream of seed 0.
    #[default]
    Streams,
    /// One seed: environment i starts the stream `rng::environment_root(seed, first_env + i)`.
    Seed(u64),
    /// One seed per environment, the seed of its first episode. Draws of `sample_actions` and later episodes come from the stream
    /// `rng::environment_root(seeds[i], first_env + i)`: environments with equal seeds play only equal first episodes.
    Seeds(&'a [u64]),
    /// One saved state per environment, as bytes. The episodes continue with the saved random stream of chance. A search must not know future
    /// chance, so it passes states of a clone with a seed, or of a sample. Draws of `sample_actions`, of opponents and of later episodes come from
    /// `rng::states_root(root, i)` with the root of the state, so equal states continue differently. To continue exactly, with all streams,
    /// use [`AnyVecEnv::load_bytes`](crate::any::AnyVecEnv::load_bytes).
    States(&'a [&'a [u8]]),
    /// The same from an array of states, which needs no parsing.
    Array(&'a dyn AnyStates),
}

/// A reset: which environments, and where their next episodes come from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reset<'a> {
    /// The source of the episodes; lists have one entry per environment, also for those that are not reset.
    pub from: Source<'a>,
    /// One byte per environment, not 0 for those to reset; `None` for all.
    pub mask: Option<&'a [u8]>,
}
