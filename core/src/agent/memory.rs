//! What agents remember of an episode, such as search trees.

use crate::player::Player;
use std::any::Any;
use std::fmt::{self, Debug};

/// The memories of all agents in one environment. Nothing is allocated until an agent keeps something.
///
/// They are copied with an environment, but are no part of a save.
#[derive(Debug, Default)]
pub struct Memories(Box<[Entry]>);

#[derive(Clone, Debug)]
struct Entry {
    agent: String,
    player: Player,
    /// The seed of its episode; `None` if that episode is over and the value is only kept for reuse.
    episode: Option<u64>,
    kept: Box<dyn Kept>,
}

/// A value of [`Memory::get`], without its type.
trait Kept: Any + Send + Sync {
    fn copy(&self) -> Box<dyn Kept>;
    fn any(&mut self) -> &mut dyn Any;
    fn any_ref(&self) -> &dyn Any;
}

impl<T: Any + Clone + Send + Sync> Kept for T {
    fn copy(&self) -> Box<dyn Kept> {
        Box::new(self.clone())
    }

    fn any(&mut self) -> &mut dyn Any {
        self
    }

    fn any_ref(&self) -> &dyn Any {
        self
    }
}

impl Clone for Box<dyn Kept> {
    fn clone(&self) -> Self {
        (**self).copy()
    }
}

impl Debug for dyn Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kept")
    }
}

impl Clone for Memories {
    fn clone(&self) -> Self {
        Memories(self.0.iter().filter(|entry| entry.episode.is_some()).cloned().collect())
    }
}

impl Memories {
    /// What agents keep as a player in the episode of a seed.
    #[inline(always)]
    pub fn of(&mut self, player: Player, episode: u64) -> Memory<'_> {
        Memory { all: self, player, episode }
    }

    /// Forgets what an agent has kept.
    pub(crate) fn forget(&mut self, agent: &str) {
        if !self.0.is_empty() {
            let mut list = std::mem::take(&mut self.0).into_vec();
            list.retain(|entry| entry.agent != agent);
            self.0 = list.into_boxed_slice();
        }
    }

    /// Takes out what agents keep as a player in the episode of a seed.
    pub(crate) fn take(&mut self, player: Player, episode: u64) -> Memories {
        let list = std::mem::take(&mut self.0).into_vec();
        let is_of = |entry: &Entry| entry.player == player && entry.episode == Some(episode);
        let (taken, left): (Vec<_>, Vec<_>) = list.into_iter().partition(is_of);
        self.0 = left.into_boxed_slice();
        Memories(taken.into_boxed_slice())
    }

    /// Puts in what was taken out elsewhere, for the episode of another seed. It replaces what the same agents keep here as the same players.
    pub(crate) fn put(&mut self, taken: Memories, episode: u64) {
        let mut list = std::mem::take(&mut self.0).into_vec();
        for mut entry in taken.0 {
            list.retain(|other| (other.player, &other.agent) != (entry.player, &entry.agent));
            entry.episode = Some(episode);
            list.push(entry);
        }
        self.0 = list.into_boxed_slice();
    }

    /// Forgets everything, because an episode starts whose seed may be that of the last one. The values of the last episode stay allocated
    /// for reuse, until an episode ends in which their agent did not use them.
    pub(crate) fn clear(&mut self) {
        if !self.0.iter().all(|entry| entry.episode.is_some()) {
            let mut list = std::mem::take(&mut self.0).into_vec();
            list.retain(|entry| entry.episode.is_some());
            self.0 = list.into_boxed_slice();
        }
        for entry in &mut self.0 {
            entry.episode = None;
        }
    }
}

/// What agents keep as one player in one episode.
#[derive(Debug)]
pub struct Memory<'a> {
    all: &'a mut Memories,
    player: Player,
    episode: u64,
}

impl Memory<'_> {
    /// What the agent of this name has kept; `first` makes it where it has kept nothing in this episode.
    pub fn get<T: Any + Clone + Send + Sync>(&mut self, agent: &str, first: impl FnOnce() -> T) -> &mut T {
        self.find(agent, |_| Some(first()))
    }

    /// Like [`Memory::get`], for values with buffers: `reuse` resets the value of an earlier episode.
    pub fn get_or_reuse<T: Any + Clone + Send + Sync>(
        &mut self,
        agent: &str,
        first: impl FnOnce() -> T,
        reuse: impl FnOnce(&mut T),
    ) -> &mut T {
        self.find(agent, |old| match old {
            Some(old) => {
                reuse(old);
                None
            }
            None => Some(first()),
        })
    }

    /// What the agent of this name has kept in this episode, if it is of this type.
    pub fn get_existing<T: Any>(&self, agent: &str) -> Option<&T> {
        let of = |entry: &&Entry| entry.player == self.player && entry.agent == agent;
        let entry = self.all.0.iter().find(of).filter(|entry| entry.episode == Some(self.episode))?;
        (*entry.kept).any_ref().downcast_ref()
    }

    /// `renew` receives the value of an earlier episode, if there is one. It returns a new value, or `None` if it has reset the old one.
    fn find<T: Any + Clone + Send + Sync>(
        &mut self,
        agent: &str,
        renew: impl FnOnce(Option<&mut T>) -> Option<T>,
    ) -> &mut T {
        let (player, episode) = (self.player, Some(self.episode));
        let entries = &mut self.all.0;
        let at = match entries.iter().position(|entry| entry.player == player && entry.agent == agent) {
            Some(at) => at,
            None => {
                let mut list = std::mem::take(entries).into_vec();
                list.push(Entry { agent: agent.into(), player, episode: None, kept: Box::new(()) });
                *entries = list.into_boxed_slice();
                entries.len() - 1
            }
        };
        let entry = &mut entries[at];
        if entry.episode != episode || !(*entry.kept).any().is::<T>() {
            if let Some(made) = renew((*entry.kept).any().downcast_mut()) {
                entry.kept = Box::new(made);
            }
            // Last: after a panic in `renew` the value must not count as one of this episode.
            entry.episode = episode;
        }
        (*entry.kept).any().downcast_mut().expect("it was just made where it was of another type")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_belongs_to_an_agent_a_player_and_an_episode() {
        let mut all = Memories::default();
        let count = |all: &mut Memories, agent: &str, player: u8, episode: u64| {
            let mut memory = all.of(Player(player), episode);
            let kept: &mut u32 = memory.get(agent, || 0);
            *kept += 1;
            *kept
        };
        assert_eq!([count(&mut all, "a", 0, 7), count(&mut all, "a", 0, 7)], [1, 2]);
        assert_eq!([count(&mut all, "b", 0, 7), count(&mut all, "a", 1, 7)], [1, 1]);
        let mut copy = all.clone();
        assert_eq!([count(&mut copy, "a", 0, 7), count(&mut all, "a", 0, 7)], [3, 3]);
        assert_eq!([count(&mut all, "a", 0, 8), count(&mut all, "a", 0, 8)], [1, 2]);
        assert_eq!(all.0.len(), 3, "a new episode takes the place of the last one");
        all.forget("a");
        assert_eq!((all.0.len(), count(&mut all, "b", 0, 7), count(&mut all, "a", 0, 8)), (1, 2, 1));
        all.clear();
        assert_eq!(count(&mut all, "a", 0, 8), 1);
        assert!(all.clone().0.len() < all.0.len(), "copies have only what is of the running episode");
        all.clear();
        all.clear();
        assert!(all.0.is_empty(), "what no agent uses in an episode goes");
        assert_eq!(count(&mut all, "a", 0, 8), 1);
        assert_eq!(all.of(Player(0), 8).get("a", || "text"), &"text", "another type begins anew");
        assert_eq!(all.of(Player(0), 8).get_existing("a"), Some(&"text"));
        assert_eq!(all.of(Player(0), 8).get_existing::<u32>("a"), None, "another type");
        assert_eq!(all.of(Player(0), 9).get_existing::<&str>("a"), None, "another episode");
        assert_eq!(all.of(Player(1), 8).get_existing::<&str>("a"), None, "another player");
        assert_eq!(all.of(Player(0), 8).get_existing::<&str>("b"), None, "another agent");
    }

    #[test]
    fn memories_move_to_another_episode() {
        let (mut from, mut to) = (Memories::default(), Memories::default());
        *from.of(Player(0), 7).get("a", || 0) = 5;
        *from.of(Player(1), 7).get("a", || 0) = 6;
        *from.of(Player(0), 7).get("b", || 0) = 7;
        *to.of(Player(0), 9).get("a", || 0) = 1;
        *to.of(Player(0), 9).get("c", || 0) = 2;
        to.put(from.take(Player(0), 7), 9);
        let kept = |all: &mut Memories, agent, player, episode| {
            all.of(Player(player), episode).get_existing::<i32>(agent).copied()
        };
        assert_eq!(["a", "b", "c"].map(|agent| kept(&mut to, agent, 0, 9)), [Some(5), Some(7), Some(2)]);
        assert_eq!(kept(&mut to, "a", 1, 9), None);
        assert_eq!(["a", "b"].map(|agent| kept(&mut from, agent, 0, 7)), [None; 2]);
        assert_eq!(kept(&mut from, "a", 1, 7), Some(6));
        // Of an episode that is over nothing is taken.
        to.clear();
        from.put(to.take(Player(0), 9), 7);
        assert_eq!(kept(&mut from, "a", 0, 7), None);
    }
}
