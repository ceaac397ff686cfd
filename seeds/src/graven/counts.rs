//! Multisets of cards: two bits for each kind, since nobody owns more than three copies of a card.

use playmat_core::prelude::*;
use serde::{Deserialize, Serialize};

/// Cards of one owner in one place: up to three copies of each kind, two bits for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cards {
    /// Bit k: the lower bit of the number of copies of kind k.
    pub lo: u64,
    /// Bit k: the upper bit.
    pub hi: u64,
}

impl Cards {
    /// No card.
    pub const EMPTY: Cards = Cards { lo: 0, hi: 0 };

    /// Bit k: there is a card of kind k.
    #[inline(always)]
    pub const fn kinds(self) -> u64 {
        self.lo | self.hi
    }

    /// Whether there is no card.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.kinds() == 0
    }

    /// Copies of a kind.
    #[inline(always)]
    pub const fn count(self, kind: u8) -> u8 {
        (self.lo >> kind & 1) as u8 | ((self.hi >> kind & 1) as u8) << 1
    }

    /// All cards.
    #[inline(always)]
    pub const fn total(self) -> u32 {
        self.lo.count_ones() + 2 * self.hi.count_ones()
    }

    /// The cards whose kinds are in a set.
    #[inline(always)]
    pub const fn of(self, kinds: u64) -> Cards {
        Cards { lo: self.lo & kinds, hi: self.hi & kinds }
    }

    /// One more of a kind; there are at most two.
    #[inline(always)]
    pub const fn add(&mut self, kind: u8) {
        let bit = 1 << kind;
        self.hi ^= self.lo & bit;
        self.lo ^= bit;
    }

    /// One less of a kind; there is one.
    #[inline(always)]
    pub const fn remove(&mut self, kind: u8) {
        let bit = 1 << kind;
        self.lo ^= bit;
        self.hi ^= self.lo & bit;
    }

    /// The same with so many of a kind, at most three.
    #[inline(always)]
    pub const fn with(mut self, kind: u8, count: u8) -> Cards {
        let bit = 1 << kind;
        self.lo = if count & 1 != 0 { self.lo | bit } else { self.lo & !bit };
        self.hi = if count & 2 != 0 { self.hi | bit } else { self.hi & !bit };
        self
    }

    /// Both together; no kind has more than three.
    #[inline(always)]
    pub const fn plus(self, other: Cards) -> Cards {
        Cards { lo: self.lo ^ other.lo, hi: self.hi ^ other.hi ^ (self.lo & other.lo) }
    }

    /// These without others, which are among them.
    #[inline(always)]
    pub const fn minus(self, other: Cards) -> Cards {
        Cards { lo: self.lo ^ other.lo, hi: self.hi ^ other.hi ^ (!self.lo & other.lo) }
    }

    /// Bit k: there are more of kind k than in the other.
    #[inline(always)]
    pub const fn more_than(self, other: Cards) -> u64 {
        (self.hi & !other.hi) | (!(self.hi ^ other.hi) & self.lo & !other.lo)
    }

    /// Of each kind the larger number.
    #[inline(always)]
    pub const fn most(self, other: Cards) -> Cards {
        let own = self.more_than(other);
        Cards { lo: (self.lo & own) | (other.lo & !own), hi: (self.hi & own) | (other.hi & !own) }
    }

    /// Of each kind the smaller number.
    #[inline(always)]
    pub const fn least(self, other: Cards) -> Cards {
        let own = other.more_than(self);
        Cards { lo: (self.lo & own) | (other.lo & !own), hi: (self.hi & own) | (other.hi & !own) }
    }

    /// The kind of the card with exactly `rank` cards before it, in ascending order of kinds; `rank < total()`.
    #[inline(always)]
    pub fn nth(self, rank: u32) -> u8 {
        let (mut lo, mut hi, mut rank) = (self.lo, self.hi, rank);
        let (mut at, mut width) = (0, 32);
        while width > 0 {
            let mask = (1u64 << width) - 1;
            let below = (lo & mask).count_ones() + 2 * (hi & mask).count_ones();
            let up = u32::from(rank >= below);
            rank -= below * up;
            lo >>= width * up;
            hi >>= width * up;
            at += width * up;
            width >>= 1;
        }
        at as u8
    }

    /// A uniformly random card, which stays; there is one.
    #[inline(always)]
    pub fn pick(self, rng: &mut Rng) -> u8 {
        self.nth(rng.below(self.total()))
    }

    /// Each kind with its number of copies, ascending.
    pub fn iter(self) -> impl Iterator<Item = (u8, u8)> {
        bits(self.kinds()).map(move |kind| (kind, self.count(kind)))
    }
}

/// The set bits of a word, ascending.
#[inline(always)]
pub fn bits(word: u64) -> impl Iterator<Item = u8> {
    let mut left = word;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let bit = left.trailing_zeros() as u8;
        left &= left - 1;
        Some(bit)
    })
}
