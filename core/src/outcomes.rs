//! Explicit chance: every outcome of a deal or an action, with its probability, for games that list them.
//!
//! A game lists states ([`Game::deal_outcomes`], [`Game::outcomes`]). An outcome here is an environment (or a position) that is played by
//! the game's own `deal` and `apply` with a random stream that leads to that state, found by trying streams. So its history, its events and
//! its replay are those of play, and an outcome that play does not give is detected.
//!
//! ```
//! # use playmat_core::env::{ConfiguredGame, Env};
//! # use playmat_core::toy::Toll;
//! # use std::sync::Arc;
//! # let toll = Arc::new(ConfiguredGame::<Toll>::new(&serde_json::Map::new())?);
//! let deals = toll.chance_outcomes()?;
//! let total: f64 = deals.iter().map(|(_, probability)| probability).sum();
//! assert!((total - 1.0).abs() < 1e-9);
//! # Ok::<(), playmat_core::error::Error>(())
//! ```

use crate::env::{ConfiguredGame, Env};
use crate::error::{Error, Problem, Result};
use crate::game::{Game, Outcomes};
use crate::log::Silent;
use crate::outlined;
use crate::player::{Action, Player};
use crate::pool::Baseline;
use crate::rng::{self, Rng, Stream};
use crate::show::Show;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Seeds with which `play` leads to each listed state, in the order of the list. `stream` makes a generator from a seed.
///
/// # Errors
/// `InvalidState` if the game lists other states than `play` gives: a defect of the game.
pub(crate) fn seeds<G: Game>(
    listed: &Outcomes<G::State>,
    stream: impl Fn(u64) -> Rng,
    play: impl Fn(&mut Rng) -> G::State,
) -> Result<Vec<u64>> {
    if listed.len() == 1 {
        return Ok(vec![0]);
    }
    let bytes = |state: &G::State| postcard::to_allocvec(state).map_err(|_| defect("a state has no bytes"));
    let places = listed.iter().map(|(state, _)| bytes(state)).collect::<Result<_>>()?;
    let least = listed.iter().fold(1.0f64, |least, (_, p)| least.min(*p)).max(1e-9);
    seeds_of_bytes(places, least, &|seed| bytes(&play(&mut stream(seed))))
}

/// [`seeds`] of states as bytes. Without the type of the game, so that it is compiled once. `least` is the smallest probability.
fn seeds_of_bytes(
    listed: Vec<Vec<u8>>,
    least: f64,
    draw: &dyn Fn(u64) -> Result<Vec<u8>>,
) -> Result<Vec<u64>> {
    let mut found = vec![0; listed.len()];
    // After `most` draws an outcome is missing with a probability below 1e-11.
    let most = ((listed.len() as f64).ln() + 26.0) / least;
    let mut missing: BTreeMap<Vec<u8>, usize> = listed.into_iter().zip(0..).collect();
    let known: BTreeSet<Vec<u8>> = missing.keys().cloned().collect();
    for seed in 0..most as u64 {
        let state = draw(seed)?;
        match missing.remove(&state) {
            Some(place) => found[place] = seed,
            None if !known.contains(&state) => {
                return Err(defect("chance leads to an outcome that is not listed"));
            }
            None => {}
        }
        if missing.is_empty() {
            return Ok(found);
        }
    }
    Err(defect("chance does not lead to a listed outcome"))
}

fn defect(message: &str) -> Error {
    Error::impossible(vec![Problem::new("", format!("{message}: a defect of the game"))])
}

impl<G: Game> ConfiguredGame<G> {
    /// Every deal with its probability: environments in their first position, whose episode seeds deal it.
    ///
    /// # Errors
    /// `Sampled` if the game does not list them.
    pub fn chance_outcomes(self: &Arc<Self>) -> Result<Vec<(Env<G>, f64)>> {
        let listed = self.game.deal_outcomes().ok_or(Error::Sampled { game: G::ID, what: "the deal" })?;
        let stream = |seed| rng::stream(seed, Stream::Chance);
        let seeds = seeds::<G>(&listed, stream, |rng| self.game.deal(rng, &mut Silent))?;
        Ok(seeds.into_iter().zip(&listed).map(|(seed, (_, p))| (Env::new(self.clone(), seed), *p)).collect())
    }
}

impl<G: Show> Env<G> {
    /// Every outcome of an action of the current player with its probability: [clones](Env::clone_with_seed) that have made it. An action without
    /// chance has one outcome. The players' information states go on in them.
    ///
    /// # Errors
    /// `EpisodeOver`, `IllegalAction`; `Sampled` if the game does not list the outcomes.
    pub fn chance_outcomes(&self, action: i64) -> Result<Vec<(Env<G>, f64)>> {
        let (player, action) = self.check_current(action)?;
        let game = &self.configured().game;
        let listed = game
            .outcomes(self.state(), player, action)
            .ok_or(Error::Sampled { game: G::ID, what: "this action" })?;
        let stream = |seed| rng::stream(rng::seeded_clone_seed(seed, self.episode_seed()), Stream::Chance);
        let seeds = seeds::<G>(&listed, stream, |rng| after(&**game, self.state(), player, action, rng))?;
        let env = |seed: u64| {
            let mut env = self.clone_with_seed(seed);
            env.step(action.0.into())?;
            Ok(env)
        };
        seeds.into_iter().zip(&listed).map(|(seed, (_, p))| Ok((env(seed)?, *p))).collect()
    }
}

/// The state after an action.
pub(crate) fn after<G: Game>(
    game: &G,
    state: &G::State,
    player: Player,
    action: Action,
    rng: &mut Rng,
) -> G::State {
    let mut next = *state;
    outlined::apply(Baseline, game, &mut next, player, action, rng, &mut Silent);
    next
}
