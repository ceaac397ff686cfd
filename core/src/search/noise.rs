//! Noise on the priors of a root, so that a search also tries actions of low prior.

use super::Settings;
use super::index::Key;
use crate::bits::LegalSet;
use crate::float;
use crate::player::Action;
use crate::rng::{Rng, derive};

/// No node.
const NONE: u32 = u32::MAX;

/// The noise that is mixed into the priors at the root of the search under way.
#[derive(Clone, Debug)]
pub(super) struct Noise {
    /// The root's node; [`NONE`] before it is in the tree, and without noise.
    pub(super) node: u32,
    key: Option<Key>,
    fraction: f32,
    /// Of each action; only those of legal ones are read.
    shares: Vec<f32>,
}

impl Default for Noise {
    fn default() -> Noise {
        Noise { node: NONE, key: None, fraction: 0.0, shares: Vec::new() }
    }
}

impl Noise {
    /// Removes the noise.
    pub(super) fn stop(&mut self) {
        (self.node, self.key) = (NONE, None);
    }

    /// Draws the noise of the root with this key, which may be in the tree already, for a search whose first random stream has this seed.
    pub(super) fn begin<L: LegalSet>(
        &mut self,
        settings: &Settings,
        key: Key,
        node: Option<u32>,
        legal: &L,
        seed: u64,
    ) {
        self.stop();
        if settings.dirichlet_alpha == 0 {
            return;
        }
        (self.node, self.key) = (node.unwrap_or(NONE), Some(key));
        self.fraction = settings.dirichlet_fraction as f32 / 100.0;
        let alpha = f64::from(settings.dirichlet_alpha) / 100.0;
        let drawn = dirichlet(alpha, legal.len() as usize, &mut Rng::from_seed(derive(seed, 1)));
        self.shares.clear();
        for (action, share) in legal.iter().zip(drawn) {
            self.shares.resize(action.index() + 1, 0.0);
            self.shares[action.index()] = share as f32;
        }
    }

    /// A node was added to the tree.
    #[inline(always)]
    pub(super) fn note(&mut self, key: Key, node: u32) {
        if self.key == Some(key) {
            self.node = node;
        }
    }

    /// The prior of an action of the root.
    pub(super) fn mix(&self, action: Action, prior: f32) -> f32 {
        (1.0 - self.fraction) * prior + self.fraction * self.shares[action.index()]
    }
}

/// A number above 0, at most 1.
fn uniform(rng: &mut Rng) -> f64 {
    ((rng.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64
}

/// A draw from the standard normal distribution: Marsaglia's polar method.
fn normal(rng: &mut Rng) -> f64 {
    loop {
        let (x, y) = (2.0 * uniform(rng) - 1.0, 2.0 * uniform(rng) - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * float::ln(square) / square).sqrt();
        }
    }
}

/// The logarithm of a draw from the gamma distribution (Marsaglia and Tsang, 2000): itself, it can be too small for a number.
fn log_gamma(alpha: f64, rng: &mut Rng) -> f64 {
    if alpha < 1.0 {
        return log_gamma(alpha + 1.0, rng) + float::ln(uniform(rng)) / alpha;
    }
    let d = alpha - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let root = 1.0 + c * x;
        if root <= 0.0 {
            continue;
        }
        let log = 3.0 * float::ln(root);
        if float::ln(uniform(rng)) < 0.5 * x * x + d - d * root * root * root + d * log {
            return float::ln(d) + log;
        }
    }
}

/// A draw from the symmetric Dirichlet distribution: `count` shares whose sum is 1.
fn dirichlet(alpha: f64, count: usize, rng: &mut Rng) -> Vec<f64> {
    let mut shares: Vec<f64> = (0..count).map(|_| log_gamma(alpha, rng)).collect();
    let most = shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for share in &mut shares {
        *share = float::exp((*share - most).max(-500.0));
    }
    let sum: f64 = shares.iter().sum();
    for share in &mut shares {
        *share /= sum;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_the_mean_and_the_variance_of_the_distribution() {
        for (alpha, count) in [(0.03, 5), (0.3, 2), (0.3, 7), (1.0, 4), (10.0, 3), (100.0, 4)] {
            let mut rng = Rng::from_seed(5);
            let draws = 40_000;
            let (mut sum, mut squares) = (vec![0.0; count], vec![0.0; count]);
            for _ in 0..draws {
                let shares = dirichlet(alpha, count, &mut rng);
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                for (place, share) in shares.iter().enumerate() {
                    assert!((0.0..=1.0).contains(share), "{share}");
                    sum[place] += share / f64::from(draws);
                    squares[place] += share * share / f64::from(draws);
                }
            }
            let mean = 1.0 / count as f64;
            let variance = mean * (1.0 - mean) / (count as f64 * alpha + 1.0);
            for (sum, squares) in sum.iter().zip(&squares) {
                // Five standard errors of the mean.
                let allowed = 5.0 * (variance / f64::from(draws)).sqrt();
                assert!((sum - mean).abs() < allowed, "alpha {alpha}: mean {sum}, expected {mean}");
                let found = squares - sum * sum;
                assert!((found / variance - 1.0).abs() < 0.05, "alpha {alpha}: variance {found}, {variance}");
            }
        }
    }

    #[test]
    fn the_smallest_parameter_gives_one_action_nearly_everything() {
        let mut rng = Rng::from_seed(1);
        for _ in 0..1_000 {
            let shares = dirichlet(0.01, 200, &mut rng);
            assert!(shares.iter().all(|share| share.is_finite()));
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
}
