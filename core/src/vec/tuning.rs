//! Constants that tune the speed of a step of a batch.

/// Environments per block.
pub(crate) const BLOCK: usize = 128;

/// States up to this many bytes are those of small games, of which a step takes few nanoseconds.
pub(crate) const SMALL_STATE: usize = 128;

/// Environments with larger states that play many steps before the next ones do, in rollouts without outputs.
pub(crate) const LARGE_BLOCK: usize = 32;

/// Bytes of the observations that are written before they are converted: they and the floats stay in the L1 cache.
pub(crate) const SCRATCH: usize = 4096;
