//! Four checksums that tell in a second whether an installation plays correctly.
//!
//! Episodes of seeds 0, 1, 2, ... are played with actions from [`Env::sample_action`](crate::env::Env::sample_action) by the
//! lowest acting player. CRC-32 (ISO-HDLC, as in zlib) runs over, in this order at every decision and once at the end:
//! the observations of all players (bytes); then, while running, the legal action mask of the acting player (one byte
//! per action); the rewards of the step before (`f32`, little-endian, all players; nothing before the first
//! step); the saved state ([`save`](crate::save)) without the 84 bytes of streams at its end. Any binding can compute it with its own
//! calls.
//!
//! ```
//! use playmat_core::digest::digest;
//! # use playmat_core::env::{ConfiguredGame, Env};
//! # use playmat_core::toy::Nim;
//! # use std::sync::Arc;
//! # let nim = Arc::new(ConfiguredGame::<Nim>::new(&serde_json::Map::new())?);
//! assert_eq!(digest(&nim, 10), digest(&nim, 10), "the same everywhere: compare it between machines and languages");
//! # Ok::<(), playmat_core::error::Error>(())
//! ```

use crate::env::{ConfiguredGame, Env};
use crate::player::Player;
use crate::show::Show;
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;

/// Checksums of the same episodes; equal everywhere or something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Digest {
    /// CRC-32 of all observations.
    pub observations: u32,
    /// CRC-32 of all masks.
    pub masks: u32,
    /// CRC-32 of all rewards.
    pub rewards: u32,
    /// CRC-32 of all saved states.
    pub states: u32,
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}-{:08x}-{:08x}-{:08x}", self.observations, self.masks, self.rewards, self.states)
    }
}

/// The digest of the first `episodes` seeds.
pub fn digest<G: Show>(configured: &Arc<ConfiguredGame<G>>, episodes: u64) -> Digest {
    digest_while(configured, episodes, &mut || true)
}

/// The digest of the first `episodes` seeds. Calls `keep_going` before every episode and stops early when it returns `false`.
pub fn digest_while<G: Show>(
    configured: &Arc<ConfiguredGame<G>>,
    episodes: u64,
    keep_going: &mut dyn FnMut() -> bool,
) -> Digest {
    let mut sums: [crc32fast::Hasher; 4] = Default::default();
    let info = configured.game.info();
    let mut observation = vec![0; info.observation.size()];
    let mut mask = vec![0; info.num_actions];
    for seed in 0..episodes {
        if !keep_going() {
            break;
        }
        let mut env = Env::new(configured.clone(), seed);
        loop {
            for player in Player::all(info.players) {
                env.write_observation(player, &mut observation)
                    .expect("a player of the game, and its number of bytes");
                sums[0].update(&observation);
            }
            if env.decisions() > 0 {
                for reward in env.rewards() {
                    sums[2].update(&reward.to_le_bytes());
                }
            }
            sums[3].update(&crate::save::position_of(&env));
            let Some(player) = env.current_player() else { break };
            crate::bits::LegalSet::expand(&env.legal(player), &mut mask);
            sums[1].update(&mask);
            let action = env.sample_action(player).expect("the current player acts");
            env.step(action.0.into()).expect("a sampled action is legal");
        }
    }
    let [observations, masks, rewards, states] = sums.map(crc32fast::Hasher::finalize);
    Digest { observations, masks, rewards, states }
}

/// A configuration in one line, as the command line takes it: `players=2,nexus_gate=group`. Words that read as a number or as other
/// JSON are in quotes: `island_set="1"`.
pub fn name_of(configuration: &Map<String, Value>) -> String {
    let plain = |word: &str| serde_json::from_str::<Value>(word).is_err();
    let word = |value: &Value| match value.as_str() {
        Some(word) if plain(word) => word.to_string(),
        _ => value.to_string(),
    };
    let parts = configuration.iter().map(|(name, value)| format!("{name}={}", word(value)));
    parts.collect::<Vec<_>>().join(",")
}
