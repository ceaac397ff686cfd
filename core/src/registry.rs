//! The list of games: what a library registers, and how a game is built by name.
//!
//! ```
//! use playmat_core::registry::{Entry, make};
//! use playmat_core::toy::Nim;
//! use serde_json::{Map, json};
//!
//! static GAMES: &[&Entry] = &[&Entry::of::<Nim>()];
//!
//! let nim = make(GAMES, "nim", &Map::from_iter([("players".to_string(), json!(4))]))?;
//! assert_eq!(nim.info().players, 4);
//! assert!(make(GAMES, "chess", &Map::new()).is_err());
//! # Ok::<(), playmat_core::error::Error>(())
//! ```

use crate::any::AnyGame;
use crate::env::ConfiguredGame;
use crate::error::{Error, Result};
use crate::options::{OptionKind, OptionSpec};
use crate::show::Show;
use crate::tested::{Tested, TestedGame};
use serde_json::{Map, Value};
use std::sync::{Arc, OnceLock};

/// Builds a game from its options, a JSON object.
pub type Maker = fn(&Map<String, Value>) -> Result<Box<dyn AnyGame>>;

/// A registered game: how to describe and build it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Registered name.
    pub id: &'static str,
    /// Its options, the common ones included.
    pub specs: fn() -> Vec<OptionSpec>,
    /// Builds it.
    pub make: Maker,
    /// A game that this entry built, as the conformance suite sees it; `None` for another game.
    #[doc(hidden)]
    pub tested: fn(&dyn AnyGame) -> Option<Box<dyn TestedGame>>,
}

impl Entry {
    /// The entry of a game.
    pub const fn of<G: Show>() -> Entry {
        Entry {
            id: G::ID,
            specs: ConfiguredGame::<G>::specs,
            make: |given| Ok(Box::new(Arc::new(ConfiguredGame::<G>::new(given)?)) as Box<dyn AnyGame>),
            tested: |game| {
                let game = game.as_any().downcast_ref::<Arc<ConfiguredGame<G>>>()?;
                Some(Box::new(Tested::new(game)))
            },
        }
    }

    /// The configurations of a game in the table of digests: its smallest, default and largest number of players; with the default number
    /// every other value of every other option (the ends of a range), and every kind of reward. A value that is refused with the default
    /// number of players is played with the first number that accepts it.
    ///
    /// # Errors
    /// Those of building the game with its defaults.
    pub fn configurations(&self) -> Result<Vec<Map<String, Value>>> {
        let default = (self.make)(&Map::new())?;
        let info = default.info();
        let (low, high) = info.player_range;
        let mut counts = vec![low, info.players, high];
        counts.sort_unstable();
        counts.dedup();
        let with = |players: usize, other: Option<(&str, &Value)>| {
            let mut given = Map::new();
            given.insert("players".into(), players.into());
            given.extend(other.map(|(name, value)| (name.into(), value.clone())));
            given
        };
        let mut all: Vec<_> = counts.into_iter().map(|players| with(players, None)).collect();
        for spec in default.specs().iter().filter(|spec| !["players", "max_steps"].contains(&spec.name)) {
            let mut values = spec.samples();
            if matches!(spec.kind, OptionKind::Int { .. }) {
                values = values.first().into_iter().chain(values.last()).cloned().collect();
            }
            let is_default = |value: &Value| *value == spec.default || *value == default.reward().name();
            for value in values.iter().filter(|value| !is_default(value)) {
                let given = |players| with(players, Some((spec.name, value)));
                let counts = std::iter::once(info.players).chain(low..=high);
                all.extend(counts.map(given).find(|given| (self.make)(given).is_ok()));
            }
        }
        Ok(all)
    }
}

/// The list that [`register`] was given.
static REGISTERED: OnceLock<&'static [&'static Entry]> = OnceLock::new();

/// Sets the games of this process for the Python module and the C library, which otherwise have those of playmat. For a library of games
/// outside playmat, which calls it before anything else: `playmat_python::module!` and `playmat::library!` do. Only the first call counts.
pub fn register(entries: &'static [&'static Entry]) {
    let _ = REGISTERED.set(entries);
}

/// The games that [`register`] set, or `own`.
pub fn registered(own: &'static [&'static Entry]) -> &'static [&'static Entry] {
    REGISTERED.get().copied().unwrap_or(own)
}

/// A game that one of the entries built, as the conformance suite sees it.
///
/// # Errors
/// `UnknownGame` for a game of another registry.
#[doc(hidden)]
pub fn tested(entries: &[&Entry], game: &dyn AnyGame) -> Result<Box<dyn TestedGame>> {
    let tested = entries.iter().find_map(|entry| (entry.tested)(game));
    tested.ok_or_else(|| unknown(entries, game.info().id))
}

fn unknown(entries: &[&Entry], name: &str) -> Error {
    let known = entries.iter().map(|entry| entry.id.to_string()).collect();
    Error::UnknownGame { name: name.chars().take(60).collect(), known }
}

/// Builds the game called `name` from a list of entries.
///
/// # Errors
/// `UnknownGame`, `InvalidOption`, `Content`.
pub fn make(entries: &[&Entry], name: &str, options: &Map<String, Value>) -> Result<Box<dyn AnyGame>> {
    match entries.iter().find(|entry| entry.id == name) {
        Some(entry) => (entry.make)(options),
        None => Err(unknown(entries, name)),
    }
}
