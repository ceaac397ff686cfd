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
        let bit = 1 << (kind & 63);
        self.hi ^= self.lo & bit;
        self.lo ^= bit;
    }

    /// One less of a kind; there is one.
    #[inline(always)]
    pub const fn remove(&mut self, kind: u8) {
        let bit = 1 << (kind & 63);
        self.lo ^= bit;
        self.hi ^= self.lo & bit;
    }

    /// One less of a kind, if there is one: without a branch, which would depend on the data and be mispredicted.
    #[inline(always)]
    pub const fn without_one(self, kind: u8) -> Cards {
        let bit = self.kinds() & (1 << (kind & 63));
        let lo = self.lo ^ bit;
        Cards { lo, hi: self.hi ^ (lo & bit) }
    }

    /// The same with `count` copies of a kind, at most three.
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

    /// Both together; of a kind three if there are more.
    #[inline(always)]
    pub const fn plus_up_to_three(self, other: Cards) -> Cards {
        let carry = self.lo & other.lo;
        let more = (self.hi & other.hi) | (carry & (self.hi ^ other.hi));
        let sum = self.plus(other);
        Cards { lo: sum.lo | more, hi: sum.hi | more }
    }

    /// What three of each kind are more than these.
    #[inline(always)]
    pub const fn up_to_three(self) -> Cards {
        Cards { lo: !self.lo, hi: !self.hi }
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

    /// Cards of eight kinds in each byte. Nobody looks at more than 255 cards.
    #[inline(always)]
    const fn eighths(self) -> u64 {
        in_bytes(self.lo).wrapping_add(in_bytes(self.hi).wrapping_mul(2))
    }

    /// The kind of the card with exactly `rank` cards before it, in ascending order of kinds; `rank < total()`.
    ///
    /// Sums over eight kinds, then over the eight of them, all bytes of a word at once: no table, no branch on the data.
    #[inline(always)]
    pub fn nth(self, rank: u32) -> u8 {
        self.nth_of_sums(self.sums(), rank)
    }

    /// [`Cards::nth`] with the number of cards of the kinds up to each eighth one.
    #[inline(always)]
    fn nth_of_sums(self, sums: u64, rank: u32) -> u8 {
        // Of one owner there are never more than thirty.
        let number = u64::from(rank);
        let from = if sums >> 56 < 128 { first_above(sums, number) } else { first_above_any(sums, number) };
        self.nth_from(sums, rank, from)
    }

    /// [`Cards::nth_of_sums`], of which the eight kinds from `from` on have the card.
    #[inline(always)]
    fn nth_from(self, sums: u64, rank: u32, from: u32) -> u8 {
        let rank = u64::from(rank);
        let before = (sums << 8).wrapping_shr(from) & 0xff;
        let eight =
            |plane: u64| u64::from_le_bytes(playmat_core::bits::spread(plane.wrapping_shr(from) as u8));
        let sums = eight(self.lo).wrapping_add(eight(self.hi).wrapping_mul(2)).wrapping_mul(ONES);
        (from + first_above(sums, rank.wrapping_sub(before)) / 8) as u8
    }

    /// A uniformly random card, which stays; there is one.
    #[inline(always)]
    pub fn pick(self, rng: &mut Rng) -> u8 {
        let sums = self.sums();
        self.nth_of_sums(sums, rng.below((sums >> 56) as u32))
    }

    /// The number of cards of the kinds up to each eighth one, as bytes: what [`Cards::take_of_few`] keeps from card to card.
    #[inline(always)]
    pub fn sums(self) -> u64 {
        self.eighths().wrapping_mul(ONES)
    }

    /// Takes out a uniformly random card, as [`Cards::pick`] chooses it, and keeps the sums; there is one, and fewer than 128.
    #[inline(always)]
    pub fn take_of_few(&mut self, sums: &mut u64, rng: &mut Rng) -> u8 {
        let rank = rng.below((*sums >> 56) as u32);
        let kind = self.nth_from(*sums, rank, first_above(*sums, rank.into()));
        *sums = sums.wrapping_sub(ONES.wrapping_shl(u32::from(kind) & 56));
        self.remove(kind);
        kind
    }

    /// Each kind with its number of copies, ascending.
    pub fn iter(self) -> impl Iterator<Item = (u8, u8)> {
        bits(self.kinds()).map(move |kind| (kind, self.count(kind)))
    }
}

/// A one in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Numbers of set bits, byte by byte.
#[inline(always)]
const fn in_bytes(word: u64) -> u64 {
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f
}

/// The highest bit of every byte.
const TOPS: u64 = 0x8080_8080_8080_8080;

/// The first bit of the first byte above a number, of ascending bytes up to 127. The last byte is above it.
#[inline(always)]
const fn first_above(ascending: u64, number: u64) -> u32 {
    let above = (ascending | TOPS).wrapping_sub(number.wrapping_add(1).wrapping_mul(ONES));
    // The last bit, which is set anyway, tells the compiler that there is one.
    (above & TOPS | 1 << 63).trailing_zeros() & 56
}

/// [`first_above`] of ascending bytes up to 255.
#[cold]
const fn first_above_any(ascending: u64, number: u64) -> u32 {
    let mut from = 0;
    while ascending >> from & 0xff <= number {
        from += 8;
    }
    from
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
