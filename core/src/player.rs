//! Players, sets of players and actions: one newtype per meaning, so that they cannot be mixed up.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Largest number of players of any game; arrays indexed by player have this length.
pub const MAX_PLAYERS: usize = 8;

/// A player, numbered from 0 in turn order; the default is player 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Player(pub u8);

impl Player {
    /// The player as an index into arrays of length [`MAX_PLAYERS`].
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The player `j` places clockwise from this one, of `players` players.
    #[inline(always)]
    pub fn relative(self, j: usize, players: usize) -> Player {
        let k = self.index() + j;
        Player((if k >= players { k - players } else { k }) as u8)
    }

    /// All players 0..`players`, ascending.
    pub fn all(players: usize) -> impl Iterator<Item = Player> + Clone {
        (0..players as u8).map(Player)
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Players(pub u8);

impl Players {
    /// No player.
    pub const EMPTY: Players = Players(0);

    /// Players 0..players.
    #[inline(always)]
    pub fn all(players: usize) -> Players {
        Players(((1u16 << players) - 1) as u8)
    }

    /// The set of one player.
    #[inline(always)]
    pub fn one(player: Player) -> Players {
        Players(1 << player.0)
    }

    /// Whether no player is in the set.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of players.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether `player` is in the set; false for a player beyond [`MAX_PLAYERS`].
    #[inline(always)]
    pub fn contains(self, player: Player) -> bool {
        player.0 < 8 && self.0 >> player.0 & 1 != 0
    }

    /// Adds a player.
    #[inline(always)]
    pub fn insert(&mut self, player: Player) {
        self.0 |= 1 << player.0;
    }

    /// Removes a player.
    #[inline(always)]
    pub fn remove(&mut self, player: Player) {
        self.0 &= !(1 << player.0);
    }

    /// The lowest player: the one that acts in the turn view.
    #[inline(always)]
    pub fn first(self) -> Option<Player> {
        (self.0 != 0).then(|| Player(self.0.trailing_zeros() as u8))
    }

    /// The player, if there is exactly one.
    #[inline(always)]
    pub fn only(self) -> Option<Player> {
        (self.len() == 1).then(|| Player(self.0.trailing_zeros() as u8))
    }

    /// Of these players, who decide simultaneously: the others that have already chosen in every sample for `viewer`.
    ///
    /// While the viewer must act, the players before it have chosen and those after it have not, as in the turn view. Once the viewer has
    /// chosen, or if it does not decide here, no other player has. So a sample does not reveal who has really chosen.
    #[inline]
    pub fn chosen_in_sample(self, viewer: Player, viewer_must_act: bool) -> Players {
        let before = (1 << viewer.0) - 1;
        Players(if viewer_must_act { self.0 & before } else { 0 })
    }

    /// The players `by` places clockwise from these, of `players` players.
    pub fn turned(self, by: usize, players: usize) -> Players {
        self.iter().map(|player| player.relative(by % players, players)).collect()
    }

    /// The players, ascending.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Player> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let player = Player(left.trailing_zeros() as u8);
            left &= left - 1;
            Some(player)
        })
    }
}

/// Entries by player, each moved to the player `by` places clockwise, of `players` players. Entries beyond the last player stay.
pub fn turned<T: Copy, const N: usize>(entries: &[T; N], by: usize, players: usize) -> [T; N] {
    let mut turned = *entries;
    for player in Player::all(players) {
        turned[player.relative(by % players, players).index()] = entries[player.index()];
    }
    turned
}

impl FromIterator<Player> for Players {
    fn from_iter<I: IntoIterator<Item = Player>>(players: I) -> Self {
        let mut set = Players::EMPTY;
        for player in players {
            set.insert(player);
        }
        set
    }
}

/// An index into a game's action space, `0..num_actions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Action(pub u16);

impl Action {
    /// The action as an index.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_moves_every_player_by_the_same_number_of_places() {
        assert_eq!(Players(0b0101).turned(1, 3), Players(0b0011));
        assert_eq!(Players(0b0101).turned(4, 3), Players(0b0011));
        assert_eq!(Players(0b0110).turned(0, 3), Players(0b0110));
        assert_eq!(turned(&[1, 2, 3, 9], 1, 3), [3, 1, 2, 9]);
        assert_eq!(turned(&[1, 2, 3, 9], 5, 3), [2, 3, 1, 9]);
    }
}
