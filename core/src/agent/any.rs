//! Object-safe agents: [`AnyAgent`] does not name the type of its game.

use super::function::{Failure, Failures, FunctionAgent};
use super::{Agent, Spec};
use crate::env::ConfiguredGame;
use crate::error::{Error, Result};
use crate::game::Game;
use std::any::Any;
use std::fmt::{self, Debug};
use std::sync::Arc;

/// An agent for a configured game: what bindings and tools hold. Made by [`AnyGame::agent`](crate::any::AnyGame::agent), used by
/// [`AnyEnv::act`](crate::any::AnyEnv::act) and by batches ([`AnyVecEnv`](crate::any::AnyVecEnv)). Copies are cheap and share the agent.
#[derive(Clone)]
pub struct AnyAgent {
    name: Arc<str>,
    game: &'static str,
    options: Arc<str>,
    content: u64,
    /// An `Arc<dyn Agent<G>>` of the game's type.
    typed: Arc<dyn Any + Send + Sync>,
    /// Of an agent that can fail outside of batches.
    failures: Option<Failures>,
}

impl AnyAgent {
    /// An agent for a configured game.
    pub fn new<G: Game>(agent: Arc<dyn Agent<G>>, configured: &ConfiguredGame<G>) -> AnyAgent {
        AnyAgent {
            name: agent.name().into(),
            game: G::ID,
            options: configured.options_text.as_str().into(),
            content: configured.game.info().content_hash,
            typed: Arc::new(agent),
            failures: None,
        }
    }

    /// The agent of a function of the host.
    pub fn of_function<G: Game>(agent: FunctionAgent, configured: &ConfiguredGame<G>) -> AnyAgent {
        let failures = Some(agent.failures.clone());
        let agent: Arc<dyn Agent<G>> = Arc::new(agent);
        AnyAgent { failures, ..AnyAgent::new(agent, configured) }
    }

    /// Whether its choices can fail: it is a function of the host.
    pub fn can_fail(&self) -> bool {
        self.failures.is_some()
    }

    /// Whether [`AnyAgent::take_failure`] returns a failure.
    pub fn has_failed(&self) -> bool {
        self.failures.as_ref().is_some_and(Failures::has_one)
    }

    /// Why its function failed when it chose outside of a batch on this thread, once. In batches: [`AnyVecEnv::take_failure`](crate::any::AnyVecEnv::take_failure).
    pub fn take_failure(&self) -> Option<Failure> {
        self.failures.as_ref()?.take()
    }

    /// The agent that a spec names.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] of `agent`.
    pub fn parse<G: Game>(spec: &str, configured: &ConfiguredGame<G>) -> Result<AnyAgent> {
        Ok(AnyAgent::new(spec.parse::<Spec>()?.agent(configured)?, configured))
    }

    /// Its spec text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The agent, for an environment of a configured game.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] of `agent` if that is not the game that the agent was made for.
    pub(crate) fn of<G: Game>(&self, configured: &ConfiguredGame<G>) -> Result<&Arc<dyn Agent<G>>> {
        let same =
            *self.options == *configured.options_text && self.content == configured.game.info().content_hash;
        match self.typed.downcast_ref() {
            Some(agent) if same => Ok(agent),
            _ => Err(self.foreign(G::ID, &configured.options_text)),
        }
    }

    #[cold]
    fn foreign(&self, game: &str, options: &str) -> Error {
        let AnyAgent { name, game: own_game, options: own, .. } = self;
        let message = match (*own_game == game, **own == *options) {
            (true, true) => format!("`{name}` was made for `{game}` with another content"),
            (true, false) => {
                format!("`{name}` was made for `{game}` with {own}; this environment has {options}")
            }
            (false, _) => format!("`{name}` was made for `{own_game}`; this environment plays `{game}`"),
        };
        Error::argument("agent", message)
    }
}

impl Debug for AnyAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyAgent({} for {})", self.name, self.game)
    }
}
