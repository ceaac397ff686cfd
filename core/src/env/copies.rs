//! Copies of an environment for search: clones with random streams of their own, and determinizations.

use super::{Env, Origin};
use crate::agent::Memories;
use crate::error::Result;
use crate::game::Game;
use crate::information::{Earlier, Progress};
use crate::player::{Player, Players};
use crate::rng::{self, Stream};
use crate::show::Show;
use std::sync::{Arc, OnceLock};

impl<G: Game> Env<G> {
    /// A copy for search: same state, chance from a fresh random stream, so that search cannot look ahead. The stream is hashed from `seed`
    /// and this episode's own seed: it differs from the stream of an episode dealt, loaded or sampled with `seed`, and from that of a copy
    /// of the copy.
    pub fn clone_with_seed(&self, seed: u64) -> Env<G> {
        // Its history begins here, and what agents remember stays behind.
        let mut env = Env {
            configured: self.configured.clone(),
            origin: Origin::Seed,
            history: Vec::new(),
            earlier: Earlier::of(self, Players::all(self.info().players)),
            before_copies: OnceLock::new(),
            progress: Progress::default(),
            memories: Memories::default(),
            ..*self
        };
        env.go_on_from(rng::seeded_clone_seed(seed, self.seed));
        env
    }

    /// The seed of the next clone when the caller gives none. It is derived from the number of such clones in the episode, which exact copies
    /// and [`save::to_bytes`](crate::save::to_bytes) keep.
    pub fn next_clone_seed(&mut self) -> u64 {
        self.streams.clones = self.streams.clones.wrapping_add(1);
        rng::clone_seed(self.seed, self.streams.clones.wrapping_sub(1))
    }

    fn go_on_from(&mut self, own: u64) {
        self.rng = rng::stream(own, Stream::Chance);
        self.start(own, 0, own);
        self.history.clear();
        self.last = None;
        self.origin = Origin::State(Arc::new(self.snapshot()));
    }

    /// A determinization: an environment in a state drawn from those consistent with everything that `player` knows. Chance continues from
    /// the same random stream. The history begins there.
    ///
    /// The sample depends only on what the player sees and on `seed`. So its decisions count from 0, and `max_steps` counts from there: the
    /// true number of decisions can reveal what others have chosen. An episode truncated by `max_steps` stays truncated. In a simultaneous
    /// turn the players before `player` have chosen if `player` must act, and no other player has ([`Players::chosen_in_sample`]): who has
    /// really chosen is hidden too.
    ///
    /// If options are private, the sample's game is [`ConfiguredGame::known_to`](super::ConfiguredGame::known_to) for the player; saves,
    /// loads and later deals use it.
    ///
    /// A sample of a sample has another random stream than the sample itself, also with the same player and seed: the number of nested
    /// samples, which is public, is part of its seed.
    ///
    /// # Errors
    /// `InvalidPlayer`.
    pub fn sample_hidden(&self, player: Player, seed: u64) -> Result<Env<G>>
    where
        G: Show,
    {
        self.check_player(player)?;
        let configured = self.configured.known_to(player)?;
        let first = self.snapshot().sample_hidden(&self.configured, player, seed);
        let mut env = Env::from_snapshot(configured, Arc::new(first));
        env.earlier = Earlier::of(self, Players::one(player));
        Ok(env)
    }
}
