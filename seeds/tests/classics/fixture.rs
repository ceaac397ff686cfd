//! Positions and plays for the tests of the classics.

use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A game with its options.
pub(crate) fn configured<G: Show>(options: &Value) -> Arc<ConfiguredGame<G>> {
    Arc::new(ConfiguredGame::new(options.as_object().unwrap()).unwrap())
}

/// An environment at the start of the episode of seed 0.
pub(crate) fn new<G: Show>(options: &Value) -> Env<G> {
    Env::new(configured(options), 0)
}

/// An environment in a position given as JSON.
pub(crate) fn position<G: Show>(options: &Value, state: &Value) -> Env<G> {
    let configured = configured::<G>(options);
    let mut whole = Env::new(configured.clone(), 0).to_json(None).unwrap();
    whole["state"] = state.clone();
    // They follow from the state, and would say what held in the one before.
    for name in ["status", "acting", "returns"] {
        whole.as_object_mut().unwrap().remove(name);
    }
    playmat_core::save::from_json(&configured, &whole.to_string(), 5).unwrap_or_else(|e| panic!("{e}"))
}

/// Plays actions given as texts.
pub(crate) fn play<G: Show>(env: &mut Env<G>, texts: &[&str]) {
    for text in texts {
        let seat = env.current_player().expect("somebody acts");
        let action = env.parse_action(Some(seat), text).unwrap();
        env.step(action.0.into()).unwrap();
    }
}

/// Plays random actions to the end.
pub(crate) fn play_out<G: Show>(env: &mut Env<G>) {
    while let Some(seat) = env.current_player() {
        let action = env.sample_action(seat).unwrap();
        env.step(action.0.into()).unwrap();
    }
}

/// The part of the JSON that the game writes.
pub(crate) fn seen<G: Show>(env: &Env<G>, viewer: Option<u8>) -> Value {
    env.to_json(viewer.map(Seat)).unwrap()["state"].clone()
}

/// Why a state given as JSON is refused.
pub(crate) fn problems<G: Show>(options: &Value, state: &Value) -> String {
    let found = configured::<G>(options).game.restore(state, &mut Rng::from_seed(1)).unwrap_err();
    found.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// The actions of the player whose turn it is.
pub(crate) fn legal<G: Show>(env: &Env<G>) -> Vec<u16> {
    env.legal(env.current_player().unwrap()).iter().map(|action| action.0).collect()
}

/// Pearson's statistic of counts that should be equal.
pub(crate) fn chi_square<K>(counts: &BTreeMap<K, u32>) -> f64 {
    let mean = counts.values().sum::<u32>() as f64 / counts.len() as f64;
    counts.values().map(|&n| (f64::from(n) - mean).powi(2) / mean).sum()
}
