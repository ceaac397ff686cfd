//! Batches of environments (vectorized environments): N episodes of one game, stepped together.
//!
//! [`VecEnv`] is the generic type, [`AnyVecEnv`](crate::any::AnyVecEnv) its object-safe trait for bindings. All methods of the trait work on the
//! whole batch. Results are written directly into the caller's [`Buffers`]. A step is a transaction: if it is refused, nothing changes. The
//! number of threads and the size of the batch change only the speed. `step.rs` says what a step does, `ends.rs` what happens when an episode ends.

mod background;
mod buffers;
mod config;
mod core;
mod ends;
mod env;
mod fast;
mod opponents;
mod outputs;
mod request;
mod reset;
mod result_counts;
mod results;
mod rollout;
mod save;
mod shard;
mod slot;
mod spec;
mod step;
mod streams;
mod tuning;
mod waiting_list;
mod write;

pub use buffers::{Actions, Buffers, OwnedBuffers, OwnedRows, Rollout, Rows, Sizes, Target, Waited};
pub use config::{Autoreset, ObsType, Role, Seating, VecConfig, View};
pub use env::VecEnv;
pub(crate) use env::env_bytes;
pub use outputs::{OUTPUTS, Output, OutputAxis, OutputKind};
pub use request::Request;
pub use reset::{Reset, Source};
pub use results::{EpisodeInfo, OpponentResult, Record, Results};
