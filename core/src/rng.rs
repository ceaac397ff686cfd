//! The named generator `xoshiro256++/1`, its bounded draws and shuffles, and the hashing of seeds.
//!
//! Everything here is part of the contract: the same seed gives the same numbers on every platform
//! and in every later version of the library that keeps the name. The golden vectors in the tests
//! pin it. Any distribution of the `rand` family works on [`Rng`], but the engine never uses one,
//! because their values may change between releases.
//!
//! ```
//! use playmat_core::rng::{Rng, derive};
//!
//! let mut dice = Rng::from_seed(derive(7, 0));
//! let mut again = dice;
//! let throws: Vec<u32> = (0..10).map(|_| 1 + dice.below(6)).collect();
//! assert!(throws.iter().all(|throw| (1..=6).contains(throw)));
//! assert_eq!(throws, (0..10).map(|_| 1 + again.below(6)).collect::<Vec<_>>());
//! ```

use crate::bits::LegalSet;
use crate::player::Action;
use rand_core::TryRng;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;

/// Name and version of the generator, its draws and its streams; stored in every saved state.
pub const GENERATOR: &str = "xoshiro256++/1";

/// `xoshiro256++`, 32 bytes of state, seeded from one `u64` through SplitMix64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rng {
    /// The four state words; not all zero.
    pub words: [u64; 4],
}

impl Rng {
    /// The mark that an episode draws nothing more and its generator follows from its seed. If a game draws although
    /// [`Draws`](crate::game::Draws) says that it does not, the suite finds it: an all-zero generator would make `below` loop forever instead.
    pub(crate) const UNSET: Rng = Rng { words: [u64::from_be_bytes(*b"no draws"), 0, 0, 0] };

    /// The generator for a seed.
    #[inline(always)]
    pub fn from_seed(seed: u64) -> Rng {
        let mut x = seed;
        let mut next = || {
            x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
            mix(x)
        };
        Rng { words: [next(), next(), next(), next()] }
    }

    /// The next 64 random bits.
    #[inline(always)]
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.words;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// The next 32 random bits: the upper half of [`Rng::next_u64`].
    #[inline(always)]
    pub fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    /// A uniform integer in `0..n`, `n > 0` (Lemire's multiplication with rejection on 32 bits).
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        let before = *self;
        let product = u64::from(self.next_u32()) * u64::from(n);
        if (product as u32) < n {
            let value;
            (value, *self) = below_again(before, n);
            return value;
        }
        (product >> 32) as u32
    }

    /// Puts `items` into uniformly random order (Fisher-Yates, from the last place down).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }

    /// A uniform draw from a multiset: `counts[k]` equal cards of kind `k`, at least one in total.
    ///
    /// One integer `x` in `0..sum` is drawn and the kinds are walked in ascending number.
    #[inline]
    pub fn draw_kind(&mut self, counts: &[u8]) -> usize {
        let total: u32 = counts.iter().map(|&c| u32::from(c)).sum();
        let mut x = self.below(total);
        for (kind, &count) in counts.iter().enumerate() {
            if x < u32::from(count) {
                return kind;
            }
            x -= u32::from(count);
        }
        unreachable!("x is below the sum of all counts")
    }

    /// A uniform draw from a non-empty set of legal actions.
    #[inline(always)]
    pub fn pick<L: LegalSet>(&mut self, legal: &L) -> Action {
        legal.select(self.below(legal.len()))
    }
}

/// [`Rng::below`] where the first number may have to be rejected, at most once in `2^32 / n` draws. The generator goes in and out by value:
/// behind a reference it could not stay in registers in all other draws.
#[cold]
#[inline(never)]
fn below_again(mut rng: Rng, n: u32) -> (u32, Rng) {
    let threshold = n.wrapping_neg() % n;
    loop {
        let product = u64::from(rng.next_u32()) * u64::from(n);
        if (product as u32) >= threshold {
            return ((product >> 32) as u32, rng);
        }
    }
}

impl TryRng for Rng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next_u64())
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for chunk in out.chunks_mut(8) {
            chunk.copy_from_slice(&self.next_u64().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

/// SplitMix64's finalizer: a bijection of 64 bits in which every input bit reaches every output bit.
#[inline(always)]
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Hash of a seed and an index, for streams that must never overlap by addition:
/// `mix(mix(seed + g) ^ mix(index * g + h))` with odd constants g and h.
#[inline]
pub fn derive(seed: u64, index: u64) -> u64 {
    derive_mixed(mix_seed(seed), index)
}

#[inline(always)]
fn mix_seed(seed: u64) -> u64 {
    mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15))
}

#[inline(always)]
fn derive_mixed(a: u64, index: u64) -> u64 {
    let b = mix(index.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0xd1b5_4a32_d192_ed03));
    mix(a ^ b.rotate_left(32))
}

/// The independent random streams of an episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Chance of the game itself: `Rng::from_seed(episode_seed)`.
    Chance,
    /// Uniform draws from the legal actions (`sample_actions`).
    Sample,
    /// Decisions of agents, and draws of opponents.
    Agents,
}

// A user's seed is hashed with its purpose, so that equal seeds for two purposes never give equal numbers. Only the deal uses the seed
// itself: the seed of an episode replays it.
const SAMPLE: u64 = u64::from_be_bytes(*b"\0\0sample");
// The letters are part of the generator's version: other letters would give other numbers.
const AGENTS: u64 = u64::from_be_bytes(*b"\0\0\0\0bots");
const ENV: u64 = u64::from_be_bytes(*b"\0\0\0\0\0env");
const STATES: u64 = u64::from_be_bytes(*b"\0\0states");
const CLONE: u64 = u64::from_be_bytes(*b"\0\0\0clone");
// Of clones whose seed the caller gives.
const SEEDED_CLONE: u64 = u64::from_be_bytes(*b"\0\0\0\0fork");
const LOAD: u64 = u64::from_be_bytes(*b"\0\0\0\0load");
const LACKS: u64 = u64::from_be_bytes(*b"\0\0\0lacks");
const HIDDEN: u64 = u64::from_be_bytes(*b"\0\0hidden");

/// The seeds of the episodes of an environment: its root, and the half of [`episode_seed`]'s hash that all of them share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EpisodeSeeds {
    root: u64,
    mixed: u64,
}

impl EpisodeSeeds {
    #[inline]
    pub(crate) fn new(root: u64) -> EpisodeSeeds {
        EpisodeSeeds { root, mixed: mix_seed(root) }
    }

    /// The root of the environment.
    #[inline]
    pub(crate) fn root(self) -> u64 {
        self.root
    }

    /// [`episode_seed`] of an episode.
    #[inline(always)]
    pub(crate) fn seed(self, episode: u64) -> u64 {
        derive_mixed(self.mixed, episode)
    }
}

/// The generator of a stream of the episode with this seed.
#[inline]
pub fn stream(episode_seed: u64, stream: Stream) -> Rng {
    Rng::from_seed(match stream {
        Stream::Chance => episode_seed,
        Stream::Sample => derive(episode_seed, SAMPLE),
        Stream::Agents => derive(episode_seed, AGENTS),
    })
}

/// The root of environment `index` in a batch of environments that was reset with `seed`: a common seed, or one per environment. The index
/// is always part of the hash, so that environments with equal seeds do not repeat each other.
#[inline]
pub fn environment_root(seed: u64, index: u64) -> u64 {
    derive(derive(seed, ENV), index)
}

/// The root of environment `index` in a batch of environments that continues from a state with this root.
#[inline]
pub fn states_root(root: u64, index: u64) -> u64 {
    derive(derive(root, STATES), index)
}

/// The seed of episode `episode` of an environment: the root's hash with the number of the episode.
///
/// A single environment, and an environment of a batch with its own seed, play that seed itself as episode 0.
#[inline]
pub fn episode_seed(root: u64, episode: u64) -> u64 {
    derive(root, episode)
}

/// The seed of clone `number` of an environment when the caller gives none: every clone has its own stream, different from that of the
/// episode.
#[inline]
pub fn clone_seed(episode_seed: u64, number: u64) -> u64 {
    derive(derive(episode_seed, CLONE), number)
}

/// The seed of a clone made with `seed` of an episode: a clone of the clone with the same seed has another one.
#[inline]
pub fn seeded_clone_seed(seed: u64, episode_seed: u64) -> u64 {
    derive(derive(seed, SEEDED_CLONE), episode_seed)
}

/// The seed of the random streams that a loaded JSON text lacks; the text's own seed, if it has one, is part of it. Another hash than for
/// the root, because without a seed in the text it is the root of later episodes.
#[inline]
pub fn load_seed(seed: u64, own: Option<u64>) -> u64 {
    own.map_or_else(|| derive(seed, LOAD), |own| derive(derive(seed, LACKS), own))
}

/// The seed of a sample for a player. `sampled` counts the nested samples that led to the state that it is drawn from: 0 for a played one.
/// Nothing else of the episode is part of it, because the player does not know the episode's seed.
#[inline]
pub fn hidden_seed(seed: u64, player: u8, sampled: u32) -> u64 {
    derive(derive(seed, HIDDEN), u64::from(sampled) << 8 | u64::from(player))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::SeedableRng;

    #[test]
    fn conf_s10_first_numbers_are_as_documented() {
        let mut rng = Rng::from_seed(7);
        let first: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        let mut other = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(7);
        let theirs: Vec<u64> = (0..3).map(|_| rand_core::Rng::next_u64(&mut other)).collect();
        assert_eq!(first, theirs);
        let mut rng = Rng::from_seed(7);
        assert_eq!((0..12).map(|_| rng.below(12)).collect::<Vec<_>>(), PINNED_BELOW_12);
        let mut order = [0, 1, 2, 3, 4, 5, 6, 7];
        Rng::from_seed(7).shuffle(&mut order);
        assert_eq!(order, PINNED_SHUFFLE);
        assert_eq!([derive(1, 0), environment_root(7, 1), episode_seed(7, 1)], PINNED_STREAMS);
    }

    const PINNED_BELOW_12: [u32; 12] = [0, 2, 8, 5, 11, 5, 8, 3, 11, 0, 1, 2];
    const PINNED_SHUFFLE: [i32; 8] = [7, 5, 6, 3, 2, 4, 1, 0];
    const PINNED_STREAMS: [u64; 3] = [0xeecf0852a7c5df38, 0x9a930e9185b57200, 0xfd39d3049ffa01ad];

    #[test]
    fn conf_s3_streams_do_not_meet_by_addition() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..64 {
            for env in 0..64 {
                let root = environment_root(seed, env);
                for episode in 0..8 {
                    assert!(seen.insert(episode_seed(root, episode)), "seed {seed} env {env} repeats");
                }
            }
        }
    }

    #[test]
    fn conf_s11_clones_have_separate_streams() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..64 {
            assert!(seen.insert(seed) && seen.insert(derive(seed, CLONE)));
            assert!(seen.insert(load_seed(seed, None)), "load of seed {seed}");
            for number in 0..32u8 {
                let player = number;
                let number = u64::from(number);
                let all = [
                    ("episode", episode_seed(seed, number)),
                    ("copy", clone_seed(seed, number)),
                    ("environment", environment_root(seed, number)),
                    ("state in environment", states_root(seed, number)),
                    ("clone with seed, of", seeded_clone_seed(seed, number)),
                    ("load of", load_seed(seed, Some(number))),
                    ("sample for player", hidden_seed(seed, player, 0)),
                    ("sample of a sample for player", hidden_seed(seed, player, 1)),
                    ("sample in a row of length", hidden_seed(seed, 0, u32::from(player) + 2)),
                ];
                for (what, one) in all {
                    assert!(seen.insert(one), "{what} {number} of seed {seed}");
                }
            }
        }
    }

    #[test]
    fn conf_s8_draws_and_shuffles_are_uniform() {
        let mut rng = Rng::from_seed(1);
        let mut counts = [0u32; 12];
        for _ in 0..120_000 {
            counts[rng.below(12) as usize] += 1;
        }
        // 11 degrees of freedom: the 99.9 % point of chi-square is 31.3.
        let chi: f64 = counts.iter().map(|&c| (f64::from(c) - 1e4).powi(2) / 1e4).sum();
        assert!(chi < 31.3, "chi-square {chi}");
        let mut orders = std::collections::BTreeMap::new();
        for _ in 0..24_000 {
            let mut items = [0u8, 1, 2, 3];
            rng.shuffle(&mut items);
            *orders.entry(items).or_insert(0u32) += 1;
        }
        assert_eq!(orders.len(), 24);
        // 23 degrees of freedom: 49.7.
        let chi: f64 = orders.values().map(|&c| (f64::from(c) - 1e3).powi(2) / 1e3).sum();
        assert!(chi < 49.7, "chi-square {chi}");
    }

    #[test]
    fn draw_kind_follows_the_counts() {
        let mut rng = Rng::from_seed(3);
        let mut counts = [0u32; 4];
        for _ in 0..40_000 {
            counts[rng.draw_kind(&[1, 0, 2, 1])] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!(counts[2].abs_diff(20_000) < 500 && counts[0].abs_diff(10_000) < 500);
    }

    #[test]
    fn below_rejects_as_its_definition_does() {
        for n in [3, (1 << 31) + 1, 3 << 30, u32::MAX] {
            // The upper halves of the first generator's two first numbers are 0, which three values reject.
            let mut rng = if n == 3 { Rng { words: [0, 1, 0, 0] } } else { Rng::from_seed(5) };
            let mut slow = rng;
            for _ in 0..1_000 {
                let wanted = loop {
                    let product = u64::from(slow.next_u32()) * u64::from(n);
                    if product as u32 >= n.wrapping_neg() % n {
                        break (product >> 32) as u32;
                    }
                };
                assert_eq!((rng.below(n), rng), (wanted, slow));
            }
        }
    }
}
