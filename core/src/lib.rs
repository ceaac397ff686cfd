//! The engine of playmat: it plays, saves, batches and checks games. It contains no game.
//!
//! A game implements [`Game`](game::Game) (rules) and [`Show`](show::Show) (how people see it). The engine makes the rest of it. This
//! plays an episode of a small game for tests and examples ([`toy`]) at random:
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
//!
//! # Modules by purpose
//!
//! | to | modules |
//! |---|---|
//! | write a game | [`game`], [`show`], [`info`], [`options`], [`log`](mod@log), [`visibility`], [`hooks`], [`game_files!`], [`show_files!`]; [`prelude`] has the names that a game needs |
//! | hold a state | [`player`], [`bits`], [`list`](mod@list), [`counts`], [`rng`]; [`named!`] declares an enum whose values have names |
//! | read content files | [`content`], [`fields`] |
//! | write JSON and sentences | [`document`](mod@document), [`json`], [`sentences`] |
//! | draw | [`scene!`], [`svg`], [`terminal`], `raster` (feature `raster`) |
//! | play one episode | [`env`](mod@env), [`reward`], [`replay`], [`save`] |
//! | play many episodes | [`vec`](mod@vec), [`pool`], [`gae`] |
//! | choose actions | [`agent`], [`search`], [`network`], [`states`] |
//! | solve a small game | [`information`], [`outcomes`], [`exploit`] |
//! | check a game | [`digest`]; the crate `playmat-conformance` has the conformance suite and helpers for tests of games |
//! | measure a game | [`survey`], [`bench`](mod@bench) |
//! | bind the engine to a language | [`any`], [`registry`], [`error`](mod@error) |
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `threads` | yes | a pool of worker threads, used with `threads` above 1. Without it, that work runs on the calling thread |
//! | `onnx` | yes | trained networks as agents ([`network`]). Without it their specs are refused. It adds no crate |
//! | `raster` | no | pictures as pixels (`raster::rgb`, `raster::png`). It adds the crate `resvg` and a small font |

pub mod agent;
pub mod any;
pub mod bench;
pub mod bits;
pub mod content;
pub mod counts;
pub mod digest;
pub mod document;
pub mod env;
pub mod error;
pub mod exploit;
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
mod named;
pub mod network;
pub mod options;
pub mod outcomes;
mod outlined;
pub mod player;
pub mod pool;
#[cfg(feature = "raster")]
pub mod raster;
pub mod registry;
pub mod replay;
pub mod reward;
pub mod rng;
pub mod save;
pub mod search;
pub mod sentences;
pub mod show;
pub mod states;
pub mod survey;
pub mod svg;
pub mod terminal;
#[doc(hidden)]
pub mod tested;
#[doc(hidden)]
pub mod toy;
pub mod vec;
pub mod visibility;

/// The names that a game imports.
pub mod prelude {
    pub use crate::bits::{Bits, Expander, LegalSet, expand, expand_to};
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
    pub use crate::player::{Action, MAX_PLAYERS, Player, Players};
    pub use crate::rng::Rng;
    pub use crate::sentences::{EventFields, and, capital, count, listed, sentence};
    pub use crate::show::{ContentEntry, Figure, Show, player_name, players_from};
    pub use crate::svg::{Anchor, Svg};
    pub use crate::visibility::{Visibility, Zone as _};
    pub use serde_json::{Value, json};
}
