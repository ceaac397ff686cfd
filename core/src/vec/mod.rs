//! Batches of environments (vectorized environments): N episodes of one game, stepped together.
//!
//! [`VecEnv`] is the generic type, [`AnyVecEnv`](crate::any::AnyVecEnv) its object-safe trait for bindings. All methods of the trait work on the
//! whole batch. Results are written directly into the caller's [`Buffers`]. A step is a transaction: if it is refused, nothing changes. The
//! number of threads and the size of the batch change only the speed. `step.rs` says what a step does, `ends.rs` what happens when an episode ends.
//!
//! Random play in 16 environments, with the default outputs:
//!
//! ```
//! use playmat_core::any::AnyVecEnv;
//! use playmat_core::env::ConfiguredGame;
//! use playmat_core::toy::Nim;
//! use playmat_core::vec::{Actions, OwnedBuffers, Reset, Source, VecConfig, VecEnv};
//! use std::sync::Arc;
//!
//! let nim = Arc::new(ConfiguredGame::<Nim>::new(&serde_json::Map::new())?);
//! let mut venv = VecEnv::new(nim, VecConfig { num_envs: 16, ..VecConfig::default() }, vec![])?;
//! let mut out = OwnedBuffers::new(&venv.sizes(), venv.config().dtype);
//! let (mut actions, mut ended) = (vec![0; 16], 0);
//! venv.reset(Reset { from: Source::Seed(1), mask: None }, &mut out.borrow())?;
//! for _ in 0..100 {
//!     venv.sample_actions(&mut actions)?;
//!     venv.step(Actions::I64(&actions), &mut out.borrow())?;
//!     ended += out.terminated.iter().filter(|&&terminated| terminated != 0).count();
//! }
//! assert!(ended > 100, "episodes of Nim have at most six decisions");
//! # Ok::<(), playmat_core::error::Error>(())
//! ```

mod attempt;
mod background;
mod buffers;
mod config;
mod core;
mod ends;
mod env;
mod evaluation;
mod fast;
mod floats;
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
mod statistics;
mod step;
mod streams;
pub(crate) mod tuning;
mod waiting_list;
mod write;

pub use buffers::{Actions, Buffers, OwnedBuffers, OwnedRows, Rollout, Rows, Sizes, Target, Waited};
pub use config::{Autoreset, Learners, ObsType, Role, VecConfig, View};
pub use env::VecEnv;
pub(crate) use env::env_bytes;
pub use outputs::{OUTPUTS, Output, OutputAxis, OutputKind};
pub use request::Request;
pub use reset::{Reset, Source};
pub use results::{EpisodeInfo, OpponentResult, Record, Results};
pub use statistics::BatchStatistics;
