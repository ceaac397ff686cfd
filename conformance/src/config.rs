//! The configuration of the suite: how much it plays, and what it compares with.

use super::catalogue::CHECKS;
use playmat_core::any::AnyGame;
use playmat_core::error::{Error, Result};
use playmat_core::rng::Rng;
use serde_json::{Map, Value};
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;

/// Callback that can stop the suite early.
#[derive(Clone, Default)]
pub struct KeepGoing(pub Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl KeepGoing {
    /// Whether the suite should continue; always `true` without a callback.
    pub fn check(&self) -> bool {
        self.0.as_ref().is_none_or(|ask| ask())
    }
}

impl Debug for KeepGoing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "KeepGoing(..)" } else { "KeepGoing" })
    }
}

/// The amount of work of the suite.
#[derive(Clone, Debug)]
pub struct SuiteConfig {
    /// Root of all seeds of the suite.
    pub seed: u64,
    /// Number of recorded episodes, with all positions.
    pub episodes: usize,
    /// Number of sweep episodes, which only collect statistics.
    pub sweep: usize,
    /// Total number of decisions after which the sweep ends.
    pub sweep_decisions: usize,
    /// Number of positions of an expensive check; cheap checks use more.
    pub positions: usize,
    /// Number of draws of a statistical check.
    pub samples: usize,
    /// Number of corrupted byte strings for the loader; of corrupted texts there are an eighth as many.
    pub corrupted: usize,
    /// Identifiers of the checks to run; empty: all.
    pub only: Vec<String>,
    /// M6: folder of golden playthroughs, one file `<game>_p<players>.txt` for each number of players, of games without other options.
    /// `None`: they are compared by [`golden`](super::golden) alone.
    pub golden: Option<PathBuf>,
    /// S8, S10: makes the generator that these two check; other than [`Rng`] only in mutants.
    pub draws: fn(u64) -> Box<dyn Draws>,
    /// Called before every episode and every check. After it returns `false`, nothing more is played or checked, and the report is valid
    /// only for the checks made before.
    pub keep_going: KeepGoing,
}

impl Default for SuiteConfig {
    fn default() -> Self {
        SuiteConfig {
            seed: 1,
            episodes: 6,
            sweep: 1_000,
            sweep_decisions: 60_000,
            positions: 24,
            samples: 1_500,
            corrupted: 8_000,
            only: Vec::new(),
            golden: None,
            draws: |seed| Box::new(Rng::from_seed(seed)),
            keep_going: KeepGoing::default(),
        }
    }
}

impl SuiteConfig {
    /// The default amount times `factor`, at least one of everything.
    pub fn scaled(factor: f64) -> SuiteConfig {
        let base = SuiteConfig::default();
        let times = |n: usize| ((n as f64 * factor) as usize).max(1);
        SuiteConfig {
            episodes: times(base.episodes).max(3),
            sweep: times(base.sweep),
            sweep_decisions: times(base.sweep_decisions),
            positions: times(base.positions),
            samples: times(base.samples).max(500),
            corrupted: times(base.corrupted),
            ..base
        }
    }

    /// The amount for a number of players. A position of six players has three times the observations of one of two, each is compared
    /// with samples for six, and the episode has more positions: beyond three players there are fewer of them, `3 / players` of the amount.
    /// The sweep stays whole, because rules must be seen in it.
    #[must_use]
    pub fn for_players(self, players: usize) -> SuiteConfig {
        let part = |n: usize| (3 * n / players.max(3)).max(1);
        SuiteConfig {
            episodes: part(self.episodes).max(self.episodes.min(3)),
            positions: part(self.positions),
            corrupted: part(self.corrupted),
            ..self
        }
    }

    /// Refuses unknown identifiers in `only`.
    ///
    /// # Errors
    /// `InvalidArgument`, naming the first of them and all checks.
    pub fn check_only(&self) -> Result<()> {
        let known: Vec<&str> = CHECKS.iter().map(|entry| entry.id).collect();
        match self.only.iter().find(|&id| !known.contains(&id.as_str())) {
            None => Ok(()),
            Some(id) => {
                let message = format!("got `{id}`; there is no such check; checks: {}", known.join(", "));
                Err(Error::argument("only", message))
            }
        }
    }

    /// Whether a check is selected.
    pub fn wants(&self, id: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|wanted| wanted == id)
    }
}

/// Builds the game under test, without its type; mutants are injected here.
pub type MakeGame<'a> = &'a dyn Fn(&Map<String, Value>) -> Result<Box<dyn AnyGame>>;

/// The draws that S8 and S10 check: those of [`Rng`], whose methods these are.
pub trait Draws {
    /// A uniform integer in `0..n`, `n > 0`.
    fn below(&mut self, n: u32) -> u32;
    /// Puts items into uniformly random order.
    fn shuffle(&mut self, items: &mut [u8]);
}

impl Draws for Rng {
    fn below(&mut self, n: u32) -> u32 {
        Rng::below(self, n)
    }
    fn shuffle(&mut self, items: &mut [u8]) {
        Rng::shuffle(self, items);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_players_have_fewer_positions_and_the_whole_sweep() {
        let amount = |players| {
            let SuiteConfig { episodes, sweep, positions, samples, .. } =
                SuiteConfig::default().for_players(players);
            (episodes, sweep, positions, samples)
        };
        assert_eq!([1, 2, 3].map(amount), [(6, 1_000, 24, 1_500); 3]);
        assert_eq!([amount(6), amount(8)], [(3, 1_000, 12, 1_500), (3, 1_000, 9, 1_500)]);
        assert_eq!(SuiteConfig::scaled(0.01).for_players(8).positions, 1);
    }
}
