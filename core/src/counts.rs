//! Cards counted by kind, a byte for each: eight kinds are a word, whose bytes are computed at once. Nothing here is a branch on the cards,
//! which are random: in a draw of Gravitix those of a loop over the kinds were two of three mispredicted branches.
//!
//! Arrays have a multiple of eight kinds; no count is above 127.

/// A one in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The highest bit of every byte.
const TOPS: u64 = 0x8080_8080_8080_8080;

/// Bit k: the highest bit of byte k.
#[inline(always)]
pub fn tops(word: u64) -> u64 {
    (word >> 7 & ONES).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Bit k: byte k is not 0.
#[inline(always)]
pub fn not_zero(word: u64) -> u64 {
    // Adding 127 carries into the highest bit.
    tops(word.wrapping_add(127 * ONES))
}

/// Bit k: there are cards of kind k, of at most 64 kinds.
#[inline(always)]
pub fn kinds_in<const N: usize>(counts: &[u8; N]) -> u64 {
    const { assert!(N.is_multiple_of(8)) };
    let eights = (0..).step_by(8).zip(counts.as_chunks().0);
    eights.fold(0, |all, (at, &eight)| all | not_zero(u64::from_le_bytes(eight)) << at)
}

/// The number of cards, at most 255.
#[inline(always)]
pub fn size<const N: usize>(counts: &[u8; N]) -> u32 {
    const { assert!(N.is_multiple_of(8)) };
    let eights = counts.as_chunks().0.iter();
    let sum = eights.fold(0u64, |sum, &eight| sum.wrapping_add(u64::from_le_bytes(eight)));
    (sum.wrapping_mul(ONES) >> 56) as u32
}

/// The kind of the card with exactly `rank` cards before it, in ascending order of kinds, counted from the kind `first` on. There is such a card
/// among the next 24 kinds, and at most 127 cards up to the last one of its kind.
///
/// A multiplication adds up eight kinds: byte k is then the number of cards of the first k + 1 of them. Places beyond the array are read as the
/// last eight kinds, which are then not looked at.
#[inline(always)]
pub fn nth<const N: usize>(counts: &[u8; N], first: usize, rank: u32) -> u8 {
    let sums = |from: usize| {
        let eight = counts[from.min(N - 8)..].first_chunk().copied().unwrap_or_default();
        u64::from_le_bytes(eight).wrapping_mul(ONES)
    };
    let sums = [sums(first), sums(first + 8), sums(first + 16)];
    let rank = u64::from(rank);
    let (one, two) = (sums[0] >> 56, (sums[0] >> 56).wrapping_add(sums[1] >> 56));
    let (mut sum, mut before, mut from) = (sums[0], 0, first);
    (sum, before, from) = if rank >= one { (sums[1], one, first + 8) } else { (sum, before, from) };
    (sum, before, from) = if rank >= two { (sums[2], two, first + 16) } else { (sum, before, from) };
    // The top bit of a byte stays if it is above the rank. In the last one it is.
    let above = (sum | TOPS).wrapping_sub(rank.wrapping_sub(before).wrapping_add(1).wrapping_mul(ONES));
    (from + (above & TOPS | 1 << 63).trailing_zeros() as usize / 8) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Compares a draw among some kinds, and every rank, with a walk over the kinds.
    fn compare<const N: usize>(counts: &[u8; N], first: usize, kinds: usize, rng: &mut Rng) {
        let deck = &counts[first..first + kinds];
        let size = deck.iter().map(|&count| u32::from(count)).sum();
        let mut slow = *rng;
        let found = nth(counts, first, rng.below(size));
        assert_eq!(usize::from(found), first + slow.draw_kind(deck));
        assert_eq!(*rng, slow);
        let one_by_one = (0..).zip(deck).flat_map(|(k, &count)| (0..count).map(move |_| first + k));
        assert!((0..size).map(|rank| usize::from(nth(counts, first, rank))).eq(one_by_one));
    }

    #[test]
    fn cards_are_drawn_as_kinds_are_counted_one_by_one() {
        let mut rng = Rng::from_seed(7);
        // Zones of one array, from one card to 64, in few kinds and in many.
        for round in 0..2_000 {
            let (mut counts, kinds) = ([0; 24], 1 + round % 24);
            for _ in 0..1 + rng.below(64) {
                counts[(round + rng.below(kinds)) as usize % 24] += 1;
            }
            compare(&counts, 0, 24, &mut rng);
            assert_eq!(size(&counts), counts.iter().map(|&count| u32::from(count)).sum::<u32>());
            let there = (0..24).filter(|&kind| counts[kind] > 0).fold(0, |set, kind| set | 1 << kind);
            assert_eq!(kinds_in(&counts), there);
        }
        // Decks of one array: where they begin, and how many kinds they have. Of the other kinds there are as many cards as can be.
        for (first, kinds) in
            [(0, 2), (0, 14), (0, 20), (2, 4), (14, 4), (20, 4), (6, 1), (18, 13), (24, 1), (24, 16)]
        {
            for round in 0..300 {
                let mut counts = [31; 40];
                let deck = &mut counts[first..first + kinds];
                deck.fill(0);
                for _ in 0..1 + rng.below(if round % 3 == 0 { 120.min(31 * kinds as u32) } else { 3 }) {
                    let kind = rng.below(kinds as u32) as usize;
                    deck[kind] += u8::from(deck[kind] < 31);
                }
                compare(&counts, first, kinds, &mut rng);
            }
        }
    }

    #[test]
    fn the_highest_bits_are_gathered_in_order() {
        for set in 0..256u64 {
            let word = (0..8).filter(|k| set >> k & 1 != 0).fold(0, |word, k| word | 0x80 << (8 * k));
            assert_eq!((tops(word), not_zero(word >> 7)), (set, set));
        }
    }
}
