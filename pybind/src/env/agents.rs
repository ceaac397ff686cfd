//! What agents choose in an environment, and what they say about it.

use super::Env;
use crate::errors::Result;
use crate::function::refusal_of;
use crate::scalars::{PLAYER, Whole};
use crate::signals::SharedSignals;
use playmat_core::agent::{AnyAgent, SearchStatistics};
use playmat_core::error::Error;
use pyo3::prelude::*;

impl Env {
    /// What an agent chooses for a player (without: for the current one).
    pub(crate) fn act(&self, py: Python<'_>, agent: &AnyAgent, player: Option<Whole<PLAYER>>) -> Result<u16> {
        let mut inner = self.lock(py)?;
        let player = self.player_or_default(&inner, player)?;
        let env = &mut inner.env;
        let signals = SharedSignals::new();
        let chosen = py.detach(|| env.act_while(agent, player, &|| signals.keeps_going()))?;
        signals.finish()?;
        match chosen {
            Some(action) => Ok(action.0),
            None => Err(match agent.take_failure() {
                Some(failure) => refusal_of(failure, "agent"),
                None => Error::argument("agent", "its function failed").into(),
            }),
        }
    }

    /// The policy of a network's agent for a player (without: for the current one) into `policy`; returns the value.
    pub(crate) fn evaluate(
        &self,
        py: Python<'_>,
        agent: &AnyAgent,
        player: Option<Whole<PLAYER>>,
        policy: &mut [f32],
    ) -> Result<f32> {
        let inner = self.lock(py)?;
        let player = self.player_or_default(&inner, player)?;
        let env = &inner.env;
        Ok(py.detach(|| env.evaluate(agent, player, policy))?)
    }

    /// What an agent's search found out about its last decision for a player (without: for the current one).
    pub(crate) fn search_statistics(
        &self,
        py: Python<'_>,
        agent: &AnyAgent,
        player: Option<Whole<PLAYER>>,
    ) -> Result<SearchStatistics> {
        let mut inner = self.lock(py)?;
        let player = self.player_or_default(&inner, player)?;
        Ok(inner.env.search_statistics(agent, player)?)
    }
}
