#![allow(dead_code, reason = "not every target uses all of it")]
//! What all targets share: every game at a few player counts, and playing on from a state that was accepted.

use playmat_core::any::{AnyEnv, AnyGame};
use playmat_core::game::Status;
use playmat_core::seat::Seat;
use std::sync::OnceLock;

/// Every registered game, at its smallest, default and largest number of players.
pub fn games() -> &'static [Box<dyn AnyGame>] {
    static GAMES: OnceLock<Vec<Box<dyn AnyGame>>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let mut games = Vec::new();
        for entry in playmat_seeds::GAMES {
            let default = playmat_seeds::make(entry.id, &Default::default()).unwrap();
            let (min, max) = default.info().player_range;
            for players in [min, max] {
                let given = serde_json::json!({ "players": players });
                if let Ok(game) = playmat_seeds::make(entry.id, given.as_object().unwrap()) {
                    games.push(game);
                }
            }
            games.push(default);
        }
        games
    })
}

/// Plays random moves to the end; everything an environment offers must work at every decision.
pub fn play_on(mut env: Box<dyn AnyEnv>) {
    let info = env.info().clone();
    let mut observation = vec![0; info.observation.size()];
    let mut decisions = 0;
    loop {
        assert!(env.validate().is_empty(), "an accepted state breaks a law: {:?}", env.validate());
        for seat in Seat::all(info.players) {
            env.write_observation(seat, &mut observation).unwrap();
        }
        if decisions % 16 == 0 {
            env.to_json(None).unwrap();
            env.draw_text(None).unwrap();
            env.sample_hidden(Seat(0), decisions).unwrap();
        }
        let Some(seat) = env.acting().first() else { break };
        let action = env.sample_action(seat).unwrap();
        env.step(action.0.into()).unwrap();
        decisions += 1;
        assert!(decisions <= info.max_decisions as u64, "longer than the longest game");
    }
    assert_ne!(env.status(), Status::Running);
}
