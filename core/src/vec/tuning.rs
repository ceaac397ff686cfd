//! Constants that tune the speed of a step of a batch.

/// Environments per block.
pub(crate) const BLOCK: usize = 128;

/// States up to this many bytes are those of small games, of which a step takes few nanoseconds.
pub(crate) const SMALL_STATE: usize = 128;
