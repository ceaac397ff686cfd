//! Arrays of states of one game, for searches that are written outside of the engine: thousands of determinizations without an environment
//! for each of them.
//!
//! ```
//! use playmat_core::registry::Entry;
//! use playmat_core::toy::Toll;
//!
//! let game = (Entry::of::<Toll>().make)(&serde_json::Map::new())?;
//! let env = game.env(7);
//! let player = env.acting().first().expect("an episode begins with a decision");
//! // A thousand determinizations for one player.
//! let copies = game.states(&[&*env])?.repeat(1000)?;
//! let seeds: Vec<u64> = (0..1000).collect();
//! let samples = copies.sample_hidden(&[player; 1000], &seeds)?;
//! assert_eq!(samples.len(), 1000);
//! # Ok::<(), playmat_core::error::Error>(())
//! ```

use crate::any::{AnyEnv, AnyGame, AnyStates};
use crate::env::Snapshot;
use crate::env::{ConfiguredGame, Env};
use crate::error::{Error, Result};
use crate::game::{Game, Status};
use crate::info::GameInfo;
use crate::memory;
use crate::player::Player;
use crate::rng::{self, Stream};
use crate::search::Keys;
use crate::show::Show;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// States of one configured game, one after the other in memory. It never changes: every operation makes a new array.
///
/// A state is what [`save::position`](crate::save::position) holds: the position, the random stream of chance, seeds and the number of
/// decisions; and how many nested samples led to it. A whole save also has the streams of sampled actions and of agents and the number of
/// clones, which begin anew in an environment that begins in a state. Neither has a history.
pub struct States<G: Game> {
    configured: Arc<ConfiguredGame<G>>,
    states: Vec<Snapshot<G>>,
}

impl<G: Game> Snapshot<G> {
    /// The state of [`Env::clone_with_seed`].
    fn clone_with_seed(&self, seed: u64) -> Snapshot<G> {
        let own = rng::seeded_clone_seed(seed, self.seed);
        Snapshot { rng: rng::stream(own, Stream::Chance), root: own, episode: 0, seed: own, ..*self }
    }

    /// The state of [`Env::sample_hidden`], for a player of the game.
    pub(crate) fn sample_hidden(
        &self,
        configured: &ConfiguredGame<G>,
        player: Player,
        seed: u64,
    ) -> Snapshot<G> {
        let own = rng::hidden_seed(seed, player.0, self.sampled);
        let mut draws = rng::stream(own, Stream::Chance);
        let state = configured.game.sample_hidden(&self.state, player, &mut draws);
        let decisions = if self.is_cut(configured) { configured.max_steps } else { 0 };
        let sampled = self.sampled.saturating_add(1);
        Snapshot { state, rng: draws, root: own, episode: 0, seed: own, decisions, sampled }
    }

    /// Whether `max_steps` has ended the episode.
    fn is_cut(&self, configured: &ConfiguredGame<G>) -> bool {
        let limit = configured.max_steps;
        limit != 0 && self.decisions >= limit && configured.game.status(&self.state) == Status::Running
    }
}

impl<G: Game> States<G> {
    /// An array of `len` copies of states. Memory is reserved once, for as many as there are; if there is not enough, the argument of the
    /// caller with its value is refused.
    fn collect(
        configured: &Arc<ConfiguredGame<G>>,
        (argument, value): (&'static str, usize),
        len: Option<usize>,
        made: impl Iterator<Item = Result<Snapshot<G>>>,
    ) -> Result<States<G>> {
        let mut states = memory::reserved(argument, value, len)?;
        for state in made {
            states.push(state?);
        }
        assert_eq!(Some(states.len()), len, "reserved for exactly these");
        Ok(States { configured: configured.clone(), states })
    }

    /// `len` copies of states, each made by its number.
    pub(crate) fn of(
        configured: &Arc<ConfiguredGame<G>>,
        len: usize,
        state: impl FnMut(usize) -> Result<Snapshot<G>>,
    ) -> Result<States<G>> {
        States::collect(configured, ("states", len), Some(len), (0..len).map(state))
    }

    /// The states, for environments and arrays of a configured game.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] of `states` if they are of another game.
    pub(crate) fn read<'a>(
        states: &'a dyn AnyStates,
        configured: &ConfiguredGame<G>,
    ) -> Result<&'a [Snapshot<G>]> {
        let found: Option<&States<G>> = states.as_any().downcast_ref();
        let fits = |own: &&States<G>| {
            own.configured.options_text == configured.options_text
                && own.configured.game.info().content_hash == configured.game.info().content_hash
        };
        let said = |own: &str| {
            let wanted = format!("`{}` with {}", G::ID, configured.options_text);
            Error::argument("states", format!("they are of {own}; wanted states of {wanted}"))
        };
        match found {
            Some(own) if fits(&own) => Ok(&own.states),
            Some(own) if own.configured.options_text == configured.options_text => {
                Err(said(&format!("`{}` with another content", G::ID)))
            }
            Some(own) => Err(said(&format!("`{}` with {}", G::ID, own.configured.options_text))),
            None => Err(said(&format!("`{}`", states.info().id))),
        }
    }

    fn one(&self, index: usize) -> Result<&Snapshot<G>> {
        self.states.get(index).ok_or_else(|| {
            let message = match self.states.len() {
                0 => format!("got {index}; there are no states"),
                len => format!("got {index}; states are 0 to {}", len - 1),
            };
            Error::argument("index", message)
        })
    }

    fn check_list(&self, name: &'static str, len: usize) -> Result<()> {
        let wanted = self.states.len();
        if len == wanted {
            return Ok(());
        }
        Err(Error::argument(name, format!("got {len} entries; wanted {wanted}, one per state")))
    }
}

// `derive` would print states.
impl<G: Game> fmt::Debug for States<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("States")
            .field("game", &G::ID)
            .field("len", &self.states.len())
            .finish_non_exhaustive()
    }
}

impl<G: Show> AnyStates for States<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn game(&self) -> Box<dyn AnyGame> {
        Box::new(self.configured.clone())
    }

    fn info(&self) -> &GameInfo {
        self.configured.game.info()
    }

    fn len(&self) -> usize {
        self.states.len()
    }

    fn state_size(&self) -> usize {
        size_of::<Snapshot<G>>()
    }

    fn env(&self, index: usize) -> Result<Box<dyn AnyEnv>> {
        Ok(Box::new(Env::from_snapshot(self.configured.clone(), Arc::new(*self.one(index)?))))
    }

    fn select(&self, indices: &[usize]) -> Result<Box<dyn AnyStates>> {
        let picked = indices.iter().map(|&index| self.one(index).copied());
        let len = indices.len();
        Ok(Box::new(States::collect(&self.configured, ("states", len), Some(len), picked)?))
    }

    fn concatenate(&self, others: &[&dyn AnyStates]) -> Result<Box<dyn AnyStates>> {
        let lists = others.iter().map(|&other| States::read(other, &self.configured));
        let lists: Vec<&[Snapshot<G>]> = lists.collect::<Result<_>>()?;
        let len = lists.iter().map(|list| list.len()).fold(self.states.len(), usize::saturating_add);
        let all = self.states.iter().chain(lists.into_iter().flatten()).map(|state| Ok(*state));
        Ok(Box::new(States::collect(&self.configured, ("states", len), Some(len), all)?))
    }

    fn put(&self, indices: &[usize], states: &dyn AnyStates) -> Result<Box<dyn AnyStates>> {
        let new = States::read(states, &self.configured)?;
        if new.len() != indices.len() {
            let message = format!("got {} states; wanted {}, one per index", new.len(), indices.len());
            return Err(Error::argument("states", message));
        }
        indices.iter().try_for_each(|&index| self.one(index).map(drop))?;
        let len = self.states.len();
        let all = self.states.iter().map(|state| Ok(*state));
        let mut all = States::collect(&self.configured, ("states", len), Some(len), all)?;
        for (&index, state) in indices.iter().zip(new) {
            all.states[index] = *state;
        }
        Ok(Box::new(all))
    }

    fn repeat(&self, times: usize) -> Result<Box<dyn AnyStates>> {
        let len = self.states.len().checked_mul(times);
        let repeated = self.states.iter().flat_map(|state| std::iter::repeat_n(Ok(*state), times));
        Ok(Box::new(States::collect(&self.configured, ("times", times), len, repeated)?))
    }

    fn current_players(&self) -> Vec<Option<Player>> {
        let game = &*self.configured.game;
        let of = |state: &Snapshot<G>| {
            let acting = game.acting(&state.state).first();
            acting.filter(|_| game.status(&state.state) == Status::Running && !state.is_cut(&self.configured))
        };
        self.states.iter().map(of).collect()
    }

    fn search_keys(&self) -> Vec<u64> {
        let mut keys = Keys::new();
        let mut key = |(state, player): (&Snapshot<G>, Option<Player>)| {
            player.map_or(0, |player| keys.of(&*self.configured.game, &state.state, player))
        };
        self.states.iter().zip(self.current_players()).map(&mut key).collect()
    }

    fn clone_with_seeds(&self, seeds: &[u64]) -> Result<Box<dyn AnyStates>> {
        self.check_list("seed", seeds.len())?;
        let clones = self.states.iter().zip(seeds).map(|(state, &seed)| Ok(state.clone_with_seed(seed)));
        let len = seeds.len();
        Ok(Box::new(States::collect(&self.configured, ("states", len), Some(len), clones)?))
    }

    fn sample_hidden(&self, players: &[Player], seeds: &[u64]) -> Result<Box<dyn AnyStates>> {
        self.check_list("player", players.len())?;
        self.check_list("seed", seeds.len())?;
        let own = &self.configured;
        let number = own.game.info().players;
        if let Some(bad) = players.iter().find(|player| player.index() >= number) {
            return Err(Error::InvalidPlayer { player: bad.0.into(), players: number });
        }
        let mut known = own.clone();
        if let Some((&first, others)) = players.split_first() {
            known = own.known_to(first)?;
            if let Some(other) = others.iter().find(|other| **other != first)
                && !own.game.private_options().is_empty()
            {
                let message = format!(
                    "got {first} and {other}; options are private, so that samples for different players are of different games: sample \
                     for one player at a time"
                );
                return Err(Error::argument("player", message));
            }
        }
        let samples = self.states.iter().zip(players.iter().zip(seeds));
        let samples = samples.map(|(state, (&player, &seed))| Ok(state.sample_hidden(own, player, seed)));
        let len = seeds.len();
        Ok(Box::new(States::collect(&known, ("states", len), Some(len), samples)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::Nim;
    use serde_json::json;

    #[test]
    fn no_array_takes_more_memory_than_its_states_need() {
        let options = json!({"players": 2});
        let game = Arc::new(ConfiguredGame::<Nim>::new(options.as_object().unwrap()).unwrap());
        let envs: Vec<_> = (0..5).map(|seed| game.env(seed)).collect();
        let states = game.states(&envs.iter().map(|env| &**env).collect::<Vec<_>>()).unwrap();
        for (array, len) in [
            (states.repeat(3).unwrap(), 15),
            (states.select(&[0, 4, 4]).unwrap(), 3),
            (states.clone_with_seeds(&[1; 5]).unwrap(), 5),
            (states.sample_hidden(&[Player(0); 5], &[1; 5]).unwrap(), 5),
            (states, 5),
        ] {
            let own: &States<Nim> = array.as_any().downcast_ref().unwrap();
            assert_eq!((own.states.len(), own.states.capacity()), (len, len));
        }
    }
}
