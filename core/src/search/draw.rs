//! Chooses among the actions that a search has tried: the most visited one, or one drawn by visits.

use super::Candidate;
use crate::float;
use crate::player::Action;
use crate::rng::Rng;

/// Draws a candidate with probability in proportion to `visits^(1 / temperature)`. `candidates` has the most visited one first: with
/// temperature 0 it is chosen without a draw. `None` if there are no candidates.
pub fn choose(candidates: &[Candidate], temperature: f32, rng: &mut Rng) -> Option<Action> {
    let first = candidates.first()?;
    if temperature <= 0.0 {
        return Some(first.action);
    }
    let most = f64::from(first.visits);
    let weight = |candidate: &Candidate| {
        float::exp((float::ln(f64::from(candidate.visits) / most) / f64::from(temperature)).max(-100.0))
    };
    let sum: f64 = candidates.iter().map(weight).sum();
    let mut left = f64::from(rng.next_u32()) / 4_294_967_296.0 * sum;
    for candidate in candidates {
        let weight = weight(candidate);
        if left < weight {
            return Some(candidate.action);
        }
        left -= weight;
    }
    // Rounding can leave a small rest.
    Some(first.action)
}
