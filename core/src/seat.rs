//! Players, sets of players and actions: one newtype per meaning, so that they cannot be mixed up.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Largest number of players of any game; arrays indexed by player have this length.
pub const MAX_SEATS: usize = 8;

/// A player, numbered from 0 in turn order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// The player as an index into arrays of length [`MAX_SEATS`].
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The player `j` places clockwise from this one, of `players` players.
    #[inline(always)]
    pub fn relative(self, j: usize, players: usize) -> Seat {
        let k = self.index() + j;
        Seat((if k >= players { k - players } else { k }) as u8)
    }

    /// All players 0..`players`, ascending.
    pub fn all(players: usize) -> impl Iterator<Item = Seat> + Clone {
        (0..players as u8).map(Seat)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seats(pub u8);

impl Seats {
    /// No player.
    pub const EMPTY: Seats = Seats(0);

    /// Players 0..players.
    #[inline(always)]
    pub fn all(players: usize) -> Seats {
        Seats(((1u16 << players) - 1) as u8)
    }

    /// The set of one player.
    #[inline(always)]
    pub fn one(player: Seat) -> Seats {
        Seats(1 << player.0)
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

    /// Whether `player` is in the set; false for a player beyond [`MAX_SEATS`].
    #[inline(always)]
    pub fn contains(self, player: Seat) -> bool {
        player.0 < 8 && self.0 >> player.0 & 1 != 0
    }

    /// Adds a player.
    #[inline(always)]
    pub fn insert(&mut self, player: Seat) {
        self.0 |= 1 << player.0;
    }

    /// Removes a player.
    #[inline(always)]
    pub fn remove(&mut self, player: Seat) {
        self.0 &= !(1 << player.0);
    }

    /// The lowest player: the one that acts in the turn view.
    #[inline(always)]
    pub fn first(self) -> Option<Seat> {
        (self.0 != 0).then(|| Seat(self.0.trailing_zeros() as u8))
    }

    /// The player, if there is exactly one.
    #[inline(always)]
    pub fn only(self) -> Option<Seat> {
        (self.len() == 1).then(|| Seat(self.0.trailing_zeros() as u8))
    }

    /// Of these players, who decide simultaneously: the others that have already chosen in every sample for `viewer`.
    ///
    /// While the viewer must act, the players before it have chosen and those after it have not, as in the turn view. Once the viewer has
    /// chosen, or if it does not decide here, no other player has. So a sample does not reveal who has really chosen.
    #[inline]
    pub fn chosen_in_sample(self, viewer: Seat, viewer_must_act: bool) -> Seats {
        let before = (1 << viewer.0) - 1;
        Seats(if viewer_must_act { self.0 & before } else { 0 })
    }

    /// The players, ascending.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let seat = Seat(left.trailing_zeros() as u8);
            left &= left - 1;
            Some(seat)
        })
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        let mut set = Seats::EMPTY;
        for seat in seats {
            set.insert(seat);
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
