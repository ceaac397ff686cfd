//! The engine of playmat: it plays, saves, batches and checks games. It contains no game.
//!
//! A game implements [`Game`](game::Game) (rules) and [`Show`](show::Show) (how people see it). The engine makes the rest of it: single
//! episodes ([`Env`](env::Env)), batches ([`vec`](mod@vec)), agents ([`agent`]), saves, replays and the conformance suite. [`toy`] has small games for
//! tests and examples. An episode of one of them, played at random:
//!
//! ```
//! use playmat_core::env::{ConfiguredGame, Env};
//! use playmat_core::toy::Nim;
//! use std::sync::Arc;
//!
//! let nim = Arc::new(ConfiguredGame::<Nim>::new(&serde_json::Map::new())?);
//! let mut env = Env::new(nim, 7);
//! while let Some(player) = env.current_player() {
//!     let action = env.sample_action(player)?;
//!     env.step(action.0.into())?;
//! }
//! assert_eq!(env.returns().iter().sum::<f32>(), 0.0);
//! # Ok::<(), playmat_core::error::Error>(())
//! ```

pub mod agent;
pub mod any;
pub mod bench;
pub mod bits;
pub mod conformance;
pub mod content;
pub mod digest;
pub mod document;
pub mod env;
pub mod error;
pub mod exploit;
pub mod fields;
mod files;
mod float;
pub mod gae;
pub mod game;
pub mod hooks;
pub mod info;
pub mod information;
pub mod json;
pub mod list;
pub mod log;
mod memory;
pub mod network;
pub mod options;
pub mod outcomes;
pub mod pool;
#[cfg(feature = "raster")]
pub mod raster;
pub mod registry;
pub mod replay;
pub mod reward;
pub mod rng;
pub mod save;
pub mod search;
pub mod seat;
pub mod sentences;
pub mod show;
pub mod states;
pub mod survey;
pub mod svg;
pub mod terminal;
pub mod testing;
#[doc(hidden)]
pub mod toy;
pub mod vec;
pub mod visibility;

/// What a game's folder imports.
pub mod prelude {
    pub use crate::bits::{Bits, LegalSet, expand, expand_to};
    pub use crate::content::{Content, Spanned};
    pub use crate::error::{Error, Finding, Problem, Result};
    pub use crate::event;
    pub use crate::game::{Draws, Game, MOST_OUTCOMES, Outcomes, Scores, Status};
    pub use crate::hooks::{Determinizations, Hooks};
    pub use crate::info::{ActionRange, GameInfo, Layout, RewardKind, Sharing};
    pub use crate::json::Object;
    pub use crate::list::List;
    pub use crate::log::{Log, Silent};
    pub use crate::options::{OptionSpec, Options};
    pub use crate::rng::Rng;
    pub use crate::seat::{Action, MAX_SEATS, Seat, Seats};
    pub use crate::sentences::{EventFields, and, capital, count, listed, sentence};
    pub use crate::show::{ContentEntry, Figure, Show, player_name, seats_from};
    pub use crate::svg::{Anchor, Svg};
    pub use crate::visibility::{Visibility, Zone as _};
    pub use serde_json::{Value, json};
}
