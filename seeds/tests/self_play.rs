//! A few hundred random episodes of every game, with the least and the most players, saved and loaded on the way and at the end.
//! The release profile has overflow checks; `cargo test --profile checked -p playmat-seeds --test self_play` adds debug assertions, and
//! compiles all games once more.

#![allow(clippy::unwrap_used, reason = "a test may stop anywhere")]

use playmat_core::any::{AnyEnv, AnyGame};
use serde_json::json;

/// Episodes of each configured game.
const EPISODES: u64 = 200;

/// Loads the position from bytes, which it returns, and from JSON, whose state must be the same: its past is not in it.
fn loads(game: &dyn AnyGame, env: &dyn AnyEnv, what: &str) -> Box<dyn AnyEnv> {
    let saved = env.to_bytes();
    let again = game.env_from_bytes(&saved).unwrap();
    assert_eq!(again.to_bytes(), saved, "{what}");
    let json = env.to_json(None).unwrap();
    let loaded = game.env_from_json(&json.to_string(), 1).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(loaded.to_json(None).unwrap()["state"], json["state"], "{what}");
    assert!(env.validate().is_empty(), "{what}");
    again
}

fn play(game: &dyn AnyGame) {
    let info = game.info();
    let (mut observation, mut mask) = (vec![0; info.observation.size()], vec![0; info.num_actions]);
    for seed in 0..EPISODES {
        let mut env = game.env(seed);
        // Another decision in each episode: the first one, the last one and those between them.
        let at = seed as u32 % 50;
        while let Some(player) = env.acting().first() {
            if env.decisions() == at {
                // Play goes on from what was loaded.
                env = loads(game, &*env, &format!("{}, seed {seed}, decision {at}", info.id));
            }
            env.write_observation(player, &mut observation).unwrap();
            env.write_mask(player, &mut mask).unwrap();
            let action = env.sample_action(player).unwrap();
            assert_eq!(mask[action.index()], 1);
            env.step(action.0.into()).unwrap();
        }
        loads(game, &*env, &format!("{}, seed {seed}, its end", info.id));
        assert!(env.decisions() as usize <= info.max_decisions);
    }
}

/// The least and the most players of a registered game.
fn both(name: &str) {
    let default = playmat_seeds::make(name, &Default::default()).unwrap();
    let (least, most) = default.info().player_range;
    if least == most {
        return play(&*default);
    }
    for players in [least, most] {
        play(&*playmat_seeds::make(name, json!({ "players": players }).as_object().unwrap()).unwrap());
    }
}

macro_rules! games {
    ($($name:ident = $entry:path),+ $(,)?) => {
        $(
            #[test]
            fn $name() {
                both(stringify!($name));
            }
        )+
    };
}

playmat_seeds::registered_games!(games);
