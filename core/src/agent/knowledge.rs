//! What an agent may know at a decision.

use crate::bits::LegalSet;
use crate::game::Game;
use crate::outlined;
use crate::player::{Action, Player};
use crate::rng::Rng;
use std::fmt::Debug;

/// What a player may know when it must choose.
///
/// An agent gets states from it, but only those that the game draws for what the player knows:
///
/// ```
/// use playmat_core::{agent::Knowledge, game::Game, rng::Rng};
///
/// fn consistent<G: Game>(known: &Knowledge<'_, G>, rng: &mut Rng) -> G::State {
///     known.sample_hidden(rng)
/// }
/// ```
///
/// The true state is a private field, so that an agent or a search that reads it does not compile:
///
/// ```compile_fail,E0616
/// use playmat_core::{agent::Knowledge, game::Game, rng::Rng};
///
/// fn true_state<G: Game>(known: &Knowledge<'_, G>, _: &mut Rng) -> G::State {
///     *known.state
/// }
/// ```
pub struct Knowledge<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    player: Player,
    legal: &'a G::Legal,
}

impl<'a, G: Game> Knowledge<'a, G> {
    /// What an acting player may know of a state, and its legal actions.
    #[inline(always)]
    pub fn new(game: &'a G, state: &'a G::State, player: Player, legal: &'a G::Legal) -> Knowledge<'a, G> {
        Knowledge { game, state, player, legal }
    }

    /// The game: its rules, content and information.
    #[inline(always)]
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// The player that must choose.
    #[inline(always)]
    pub fn player(&self) -> Player {
        self.player
    }

    /// Its legal actions.
    #[inline(always)]
    pub fn legal(&self) -> &'a G::Legal {
        self.legal
    }

    /// Writes its observation.
    ///
    /// # Panics
    /// If `out` has not the observation's number of bytes.
    pub fn write_observation(&self, out: &mut [u8]) {
        assert_eq!(out.len(), self.game.info().observation.size(), "bytes of an observation");
        outlined::observe_of_machine(self.game, self.state, self.player, out);
    }

    /// Its observation in two words, if the game has that form ([`Game::short_observation`]).
    #[inline(always)]
    pub(crate) fn short_observation(&self) -> Option<[u64; 2]> {
        self.game.short_observation(self.state, self.player)
    }

    /// Writes its legal actions, one byte per action: 1 legal, 0 not.
    ///
    /// # Panics
    /// If `out` has not [`GameInfo::num_actions`](crate::info::GameInfo::num_actions) bytes.
    pub fn write_mask(&self, out: &mut [u8]) {
        assert_eq!(out.len(), self.game.info().num_actions, "bytes of a mask");
        self.legal.expand(out);
    }

    /// A state drawn from those consistent with what the player knows ([`Game::sample_hidden`]): what search plays on.
    #[inline(always)]
    pub fn sample_hidden(&self, rng: &mut Rng) -> G::State {
        self.game.sample_hidden(self.state, self.player, rng)
    }

    /// The choice of the game's greedy agent ([`Game::greedy`]).
    #[inline(always)]
    pub fn greedy(&self, rng: &mut Rng) -> Action {
        outlined::greedy_of_machine(self.game, self.state, self.player, rng)
    }
}

impl<G: Game> Clone for Knowledge<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Game> Copy for Knowledge<'_, G> {}

// `derive` would print the state.
impl<G: Game> Debug for Knowledge<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Knowledge")
            .field("game", &G::ID)
            .field("player", &self.player)
            .field("legal", self.legal)
            .finish_non_exhaustive()
    }
}
