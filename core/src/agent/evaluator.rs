//! What an agent says about a decision beside its choice: a policy and a value.

use super::{Agent, Knowledge};
use crate::error::{Error, Result};
use crate::game::Game;
use crate::rng::Rng;

/// Tells the policy and the value of decisions, for many rows at once.
pub trait Evaluator<G: Game>: Send + Sync {
    /// Bytes of a row.
    fn row_size(&self) -> usize;

    /// Rows that are evaluated together in the least time.
    fn rows(&self) -> usize;

    /// Writes the row of a decision. Draws from `rng` what the agent would draw if it chose.
    fn read(&self, known: &Knowledge<'_, G>, rng: &mut Rng, row: &mut [u8]);

    /// The logits `[rows, A]` and the values of rows. A value is the return that the player can expect, in the units of the game's rewards.
    fn evaluate(&self, rows: &[u8], logits: &mut [f32], values: &mut [f32]);

    /// Writes the probability of each action from its logit, 0 for illegal ones: with the agent's temperature or, if that is 0, with 1.
    fn write_policy(&self, logits: &[f32], legal: &G::Legal, out: &mut [f32]);
}

/// The evaluator of an agent.
///
/// # Errors
/// [`Error::InvalidArgument`] of `agent` if it has none.
pub(crate) fn evaluator_of<G: Game>(agent: &dyn Agent<G>) -> Result<&dyn Evaluator<G>> {
    agent.evaluator().ok_or_else(|| {
        let name = agent.name();
        let message =
            format!("got `{name}`; only a network, for example `policy.onnx`, has a policy and a value");
        Error::argument("agent", message)
    })
}
