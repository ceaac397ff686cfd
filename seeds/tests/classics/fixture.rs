//! Positions and plays for the tests of the classics.

use playmat_conformance::testing::{load, refused};
use playmat_core::env::Env;
use playmat_core::prelude::*;
use std::collections::BTreeMap;

pub(crate) use playmat_conformance::testing::{configured, legal, legal_of, play, seen};

/// An environment at the start of the episode of seed 0.
pub(crate) fn new<G: Show>(options: &Value) -> Env<G> {
    Env::new(configured(options), 0)
}

/// An environment in a position given as JSON.
pub(crate) fn position<G: Show>(options: &Value, state: &Value) -> Env<G> {
    load(&configured(options), state, 5)
}

/// Plays random actions to the end.
pub(crate) fn play_out<G: Show>(env: &mut Env<G>) {
    while let Some(player) = env.current_player() {
        let action = env.sample_action(player).unwrap();
        env.step(action.0.into()).unwrap();
    }
}

/// Why a state given as JSON is refused.
pub(crate) fn problems<G: Show>(options: &Value, state: &Value) -> String {
    refused(&*configured::<G>(options).game, state).replace('\n', "; ")
}

/// Pearson's statistic of counts that should be equal.
pub(crate) fn chi_square<K>(counts: &BTreeMap<K, u32>) -> f64 {
    let mean = counts.values().sum::<u32>() as f64 / counts.len() as f64;
    counts.values().map(|&n| (f64::from(n) - mean).powi(2) / mean).sum()
}
