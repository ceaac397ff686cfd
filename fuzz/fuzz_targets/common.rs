#![allow(dead_code, reason = "not every target uses all of it")]
//! What all targets share: every game at a few player counts, and playing on from a state that was accepted.

use playmat_core::any::{AnyEnv, AnyGame};
use playmat_core::game::Status;
use playmat_core::player::Player;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

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

/// Calls `read` on an input of `bytes` bytes, with a time limit for that length: what takes a hundred times as long as it should is found
/// here, long before it hangs.
pub fn in_time<T>(bytes: usize, read: impl FnOnce() -> T) -> T {
    const START: Duration = Duration::from_millis(500);
    const EACH: Duration = Duration::from_micros(10);
    let before = used();
    let result = read();
    let (spent, allowed) = (used() - before, START + EACH * bytes as u32);
    assert!(spent <= allowed, "{bytes} bytes took {spent:?}; allowed: {allowed:?}");
    result
}

/// What this thread has worked so far, where the system tells, because other work on the machine is not ours; otherwise the time.
fn used() -> Duration {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = stat.as_deref().and_then(|text| text.split(' ').next()).and_then(|text| text.parse().ok());
    spent.map_or_else(|| BEGIN.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

/// A text with a part of it repeated to about a length: what short texts are read from as quickly as from long ones is seen in
/// these. The part follows from the text.
pub fn stretched(text: &str, length: usize) -> String {
    let sum = text.bytes().fold(0usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let place = |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let from = place(sum % (text.len() + 1));
    let to = place(from + 1 + (sum >> 16) % 64);
    let part = &text[from..to];
    let times = length / part.len().max(1);
    [&text[..from], &part.repeat(times), &text[to..]].concat()
}

/// Plays random moves to the end; everything an environment offers must work at every decision.
pub fn play_on(mut env: Box<dyn AnyEnv>) {
    let info = env.info().clone();
    let mut observation = vec![0; info.observation.size()];
    let mut decisions = 0;
    loop {
        assert!(env.validate().is_empty(), "an accepted state breaks a law: {:?}", env.validate());
        for player in Player::all(info.players) {
            env.write_observation(player, &mut observation).unwrap();
        }
        if decisions % 16 == 0 {
            env.to_json(None).unwrap();
            env.draw_text(None).unwrap();
            env.sample_hidden(Player(0), decisions).unwrap();
        }
        let Some(player) = env.acting().first() else { break };
        let action = env.sample_action(player).unwrap();
        env.step(action.0.into()).unwrap();
        decisions += 1;
        assert!(decisions <= info.max_decisions as u64, "longer than the longest game");
    }
    assert_ne!(env.status(), Status::Running);
}
