//! The games of playmat, a crate each; the small ones are in [`classics`]. The large ones have only the engine in common.
//!
//! [`GAMES`] lists them:
//!
//! ```
//! for entry in playmat_seeds::GAMES {
//!     let game = playmat_seeds::make(entry.id, &serde_json::Map::new())?;
//!     let info = game.info();
//!     println!("{}: {}, {} to {} players", entry.id, info.title, info.player_range.0, info.player_range.1);
//! }
//! # Ok::<(), playmat_core::error::Error>(())
//! ```
//!
//! `rules/<game>.md` has the rules of each game (`rules/classics.md` those of the small games).
//!
//! A thousand steps of a batch of 64 episodes, with all outputs:
//!
//! ```
//! use playmat_core::vec::{Actions, OwnedBuffers, Reset, Source, VecConfig};
//!
//! let game = playmat_seeds::make("connect_four", &serde_json::Map::new())?;
//! let mut venv = game.vec_env(VecConfig { num_envs: 64, ..VecConfig::default() }, &[])?;
//! let mut out = OwnedBuffers::new(&venv.sizes(), venv.config().dtype);
//! let mut actions = vec![0; 64];
//! venv.reset(Reset { from: Source::Seed(1), mask: None }, &mut out.borrow())?;
//! for _ in 0..1_000 {
//!     venv.sample_actions(&mut actions)?;
//!     venv.step(Actions::I64(&actions), &mut out.borrow())?;
//! }
//! # Ok::<(), playmat_core::error::Error>(())
//! ```
//!
//! An agent is named by its spec, the same text in every language. A search plays an episode against the greedy agent:
//!
//! ```
//! let game = playmat_seeds::make("connect_four", &serde_json::Map::new())?;
//! let agents = [game.agent("mcts:50")?, game.agent("greedy")?];
//! let mut env = game.env(7);
//! while let Some(player) = env.acting().first() {
//!     let action = env.act(&agents[player.index()], player)?;
//!     env.step(action.0.into())?;
//! }
//! println!("returns of both players: {:?}", env.returns());
//! # assert_eq!(env.returns().iter().sum::<f32>(), 0.0);
//! # Ok::<(), playmat_core::error::Error>(())
//! ```

pub use playmat_classics as classics;
pub use playmat_graft as graft;
pub use playmat_graphia as graphia;
pub use playmat_graven as graven;
pub use playmat_gravitix as gravitix;
pub use playmat_rafts as rafts;

use playmat_core::any::AnyGame;
use playmat_core::error::Result;
use playmat_core::registry::Entry;
use serde_json::{Map, Value};

/// The registry, one line per game: calls a macro with the id and the entry of every game. Tests of all games are named by these ids.
#[macro_export]
macro_rules! registered_games {
    ($each:ident) => {
        $each! {
            connect_four = $crate::classics::CONNECT_FOUR,
            goofspiel = $crate::classics::GOOFSPIEL,
            graft = $crate::graft::ENTRY,
            graphia = $crate::graphia::ENTRY,
            graven = $crate::graven::ENTRY,
            gravitix = $crate::gravitix::ENTRY,
            kuhn_poker = $crate::classics::KUHN_POKER,
            leduc_poker = $crate::classics::LEDUC_POKER,
            rafts = $crate::rafts::ENTRY,
            tic_tac_toe = $crate::classics::TIC_TAC_TOE,
        }
    };
}

macro_rules! entries {
    ($($id:ident = $entry:path),+ $(,)?) => { &[$(&$entry),+] };
}

/// Every game of the library.
pub static GAMES: &[&Entry] = registered_games!(entries);

/// Builds a registered game from its options, a JSON object.
///
/// # Errors
/// `UnknownGame`, `InvalidOption`, `Content`.
pub fn make(name: &str, options: &Map<String, Value>) -> Result<Box<dyn AnyGame>> {
    playmat_core::registry::make(GAMES, name, options)
}
