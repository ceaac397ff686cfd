//! Constants that tune the speed of a step of a batch.

/// Environments per block.
pub(crate) const BLOCK: usize = 128;

/// States up to this many bytes are those of small games, of which a step takes few nanoseconds.
pub(crate) const SMALL_STATE: usize = 128;

/// States up to this many bytes are not large: so many of them stay in the L1 cache that rollouts without outputs play them in the order of their
/// actions.
pub(crate) const MEDIUM_STATE: usize = 1024;

/// Environments with such states that play many steps before the next ones do, in rollouts without outputs.
pub(crate) const MEDIUM_BLOCK: usize = 64;

/// The same of larger states.
pub(crate) const LARGE_BLOCK: usize = 32;

/// Bytes of the observations that are written before they are converted: they and the floats stay in the L1 cache.
pub(crate) const SCRATCH: usize = 4096;
