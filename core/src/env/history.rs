//! The history of an episode: restored after a load, and replayed for its events.

use super::{Env, Origin};
use crate::error::{Error, Result};
use crate::game::Game;
use crate::log::Log;
use crate::outlined;
use crate::player::{Action, Player};
use crate::pool::Baseline;
use crate::rng::{self, Stream};
use crate::show::Show;

impl<G: Game> Env<G> {
    /// This environment with the history that led to it: the saved state in which the history begins (`None`: the deal of its seed) and the
    /// decisions since. A save does not hold the history. The result has the history, the replay and the last step's events of the
    /// environment that was saved.
    ///
    /// # Errors
    /// `InvalidArgument` if the decisions do not lead to this state; otherwise the errors of [`save::from_bytes`](crate::save::from_bytes)
    /// for `start` and of a step for the decisions.
    pub fn with_history(&self, start: Option<&[u8]>, past: &[(Player, Action)]) -> Result<Env<G>>
    where
        G: Show,
    {
        let mut env = match start {
            None => Env::new(self.configured.clone(), self.seed),
            Some(start) => crate::save::from_bytes(&self.configured, start)?,
        };
        for &(player, action) in past {
            env.step_player(player, action.0.into())?;
        }
        (env.root, env.episode) = (self.root, self.episode);
        env.streams = self.streams;
        // What was seen before the history of `self` was seen before `start` only if they begin alike.
        env.earlier = self.earlier.clone().filter(|_| env.origin.is_state_of(&self.origin));
        env.progress.clear();
        let (found, wanted) = (env.snapshot(), self.snapshot());
        let fits = found.state == wanted.state
            && (found.rng, found.seed, found.decisions) == (wanted.rng, wanted.seed, wanted.decisions);
        if fits {
            Ok(env)
        } else {
            Err(Error::argument("history", "these decisions do not lead to the saved state"))
        }
    }

    /// Replays the last step into `log`; returns `false` before the first step of the episode.
    pub fn replay_last_step<L: Log<G>>(&self, log: &mut L) -> bool {
        let Some(last) = &self.last else { return false };
        let (mut state, mut rng) = (last.state, last.rng);
        for &(player, action) in last.choices.iter() {
            let game = &*self.configured.game;
            outlined::apply(Baseline, game, &mut state, Player(player), Action(action), &mut rng, log);
        }
        assert!(state == self.state, "a replayed step must end in the same state");
        true
    }

    /// Replays the deal into `log`; returns `false` after the first step, and for a state that was not dealt here.
    pub fn replay_deal<L: Log<G>>(&self, log: &mut L) -> bool {
        if !self.history.is_empty() || !matches!(self.origin, Origin::Seed) {
            return false;
        }
        let state = self.configured.game.deal(&mut rng::stream(self.seed, Stream::Chance), log);
        assert!(state == self.state, "a replayed deal must end in the same state");
        true
    }
}
