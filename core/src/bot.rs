//! Players that live inside the engine.

use crate::bits::LegalSet;
use crate::error::{Error, Result};
use crate::game::Game;
use crate::rng::Rng;
use crate::seat::{Action, Seat};
use std::fmt::Debug;
use std::sync::Arc;

/// A player without memory: all it knows is what its seat may know of the state.
///
/// Chance of its own comes from the generator it is given, so that its games repeat.
pub trait Bot<G: Game>: Debug + Send + Sync {
    /// Name, as in command lines and tables of results.
    fn name(&self) -> String;

    /// An action of `legal`, which is not empty.
    fn act(&self, game: &G, state: &G::State, seat: Seat, legal: &G::Legal, rng: &mut Rng) -> Action;
}

/// Plays uniformly at random.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Bot<G> for Random {
    fn name(&self) -> String {
        "random".into()
    }

    fn act(&self, _: &G, _: &G::State, _: Seat, legal: &G::Legal, rng: &mut Rng) -> Action {
        rng.pick(legal)
    }
}

/// Plays the game's own simple rule, [`Game::heuristic`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl<G: Game> Bot<G> for Greedy {
    fn name(&self) -> String {
        "greedy".into()
    }

    fn act(&self, game: &G, state: &G::State, seat: Seat, legal: &G::Legal, rng: &mut Rng) -> Action {
        let action = game.heuristic(state, seat, rng);
        // In release builds too: rules that are given an illegal action may do anything, and the test is one bit.
        assert!(legal.contains(action), "the heuristic chose an illegal action");
        action
    }
}

/// The bot with this name.
///
/// # Errors
/// [`Error::InvalidArgument`] with the names that exist.
pub fn parse<G: Game>(spec: &str) -> Result<Arc<dyn Bot<G>>> {
    match spec {
        "random" => Ok(Arc::new(Random)),
        "greedy" => Ok(Arc::new(Greedy)),
        _ => Err(Error::argument("bot", format!("got `{spec}`; allowed: `random`, `greedy`"))),
    }
}
