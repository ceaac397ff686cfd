//! What a network says about the pending decisions of a batch: its policy and its values.

use crate::agent::{Agent, Evaluator, Knowledge, evaluator_of};
use crate::error::{Error, Result};
use crate::game::Game;
use crate::vec::core::Core;
use crate::vec::shard::Shard;
use crate::vec::spec::VecSpec;

/// The rows of a shard and where they go.
struct Part<'a, G: Game> {
    shard: &'a Shard<G>,
    policy: &'a mut [f32],
    value: &'a mut [f32],
}

impl<G: Game> Core<G> {
    /// See [`AnyVecEnv::evaluate`](crate::any::AnyVecEnv::evaluate).
    pub(crate) fn evaluate(
        &mut self,
        agent: &dyn Agent<G>,
        policy: &mut [f32],
        value: &mut [f32],
    ) -> Result<()> {
        self.ready()?;
        let network = evaluator_of(agent)?;
        let (rows, actions) = (self.sizes.envs * self.sizes.lanes, self.sizes.actions);
        for (name, got, wanted) in [("policy", policy.len(), rows * actions), ("value", value.len(), rows)] {
            if got != 0 && got != wanted {
                let message = format!("got {got} elements; wanted {wanted}, or none to skip it");
                return Err(Error::argument(name, message));
            }
        }
        let (spec, mut policies, mut values) = (&self.spec, policy, value);
        let mut parts: Vec<Part<'_, G>> = Vec::with_capacity(self.shards.len());
        for shard in &self.shards {
            let rows = shard.slots.len() * spec.lanes;
            let (policy, other_policies) = policies.split_at_mut((rows * actions).min(policies.len()));
            let (value, other_values) = values.split_at_mut(rows.min(values.len()));
            parts.push(Part { shard, policy, value });
            (policies, values) = (other_policies, other_values);
        }
        self.pool.each(&mut parts, |part| evaluate(spec, network, part, actions));
        Ok(())
    }
}

/// Rows of a shard that are evaluated together.
struct Chunk {
    rows: Vec<usize>,
    inputs: Vec<u8>,
    logits: Vec<f32>,
    values: Vec<f32>,
}

/// Evaluates the rows of a shard, as many together as take the least time.
fn evaluate<G: Game>(spec: &VecSpec<G>, network: &dyn Evaluator<G>, part: &mut Part<'_, G>, actions: usize) {
    part.policy.fill(0.0);
    part.value.fill(0.0);
    let (together, size) = (network.rows(), network.row_size());
    let mut chunk = Chunk {
        rows: Vec::with_capacity(together),
        inputs: vec![0; together * size],
        logits: vec![0.0; together * actions],
        values: vec![0.0; together],
    };
    let shard = part.shard;
    for (at, slot) in shard.slots.iter().enumerate() {
        // As if the agent chose for the players of the environment in this order.
        let mut draws = shard.sample.get(at);
        let players = slot.acting.iter().take(if spec.joint { usize::MAX } else { 1 });
        for player in players {
            let row = at * spec.lanes + if spec.joint { player.index() } else { 0 };
            let known = Knowledge::new(spec.game(), &slot.state, player, &shard.legal[row]);
            network.read(&known, &mut draws, &mut chunk.inputs[chunk.rows.len() * size..][..size]);
            chunk.rows.push(row);
            if chunk.rows.len() == together {
                write(network, &mut chunk, part);
            }
        }
    }
    write(network, &mut chunk, part);
}

/// Evaluates the rows of a chunk and empties it.
fn write<G: Game>(network: &dyn Evaluator<G>, chunk: &mut Chunk, part: &mut Part<'_, G>) {
    let Chunk { rows, inputs, logits, values } = chunk;
    let (count, actions) = (rows.len(), logits.len() / values.len());
    let (logits, values) = (&mut logits[..count * actions], &mut values[..count]);
    network.evaluate(&inputs[..count * network.row_size()], logits, values);
    for ((row, logits), expected) in rows.drain(..).zip(logits.chunks_exact(actions)).zip(values) {
        if let Some(policy) = part.policy.chunks_exact_mut(actions).nth(row) {
            network.write_policy(logits, &part.shard.legal[row], policy);
        }
        if let Some(value) = part.value.get_mut(row) {
            *value = *expected;
        }
    }
}
