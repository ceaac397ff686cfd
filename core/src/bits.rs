//! Bit sets for legal actions and boards, and their expansion into bytes of 0 and 1.
//!
//! A mask exists twice: as bits, which the engine uses (one test checks an action, one popcount draws a uniform one), and as bytes
//! in the caller's buffer. The caller may overwrite these bytes; the engine never reads them.
//!
//! ```
//! use playmat_core::bits::{Bits, LegalSet};
//! use playmat_core::player::Action;
//!
//! let mut legal = Bits::<2>::default();
//! [3, 70].into_iter().for_each(|action| legal.insert(action));
//! assert_eq!((legal.len(), legal.select(1)), (2, Action(70)));
//! assert!(legal.contains(Action(3)) && !legal.contains(Action(4)));
//! ```

use crate::player::Action;
use serde::{Deserialize, Serialize};
use serde_big_array::BigArray;

/// A set of legal actions with `W * 64` places; games choose `W` so that all their actions fit. A state may hold sets of other things in it,
/// too: its bytes have the `W` words, and [`name_bits`](crate::document::name_bits) is the form of their JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bits<const W: usize>(#[serde(with = "BigArray")] pub [u64; W]);

impl<const W: usize> Default for Bits<W> {
    #[inline(always)]
    fn default() -> Self {
        Bits([0; W])
    }
}

impl<const W: usize> Bits<W> {
    /// Adds the action with this index.
    #[inline(always)]
    pub fn insert(&mut self, index: usize) {
        self.0[index >> 6] |= 1 << (index & 63);
    }

    /// Adds all actions `offset + i` for which bit `i` of `word` is set.
    #[inline(always)]
    pub fn insert_word(&mut self, offset: usize, word: u64) {
        let (at, shift) = (offset >> 6, offset & 63);
        self.0[at] |= word << shift;
        if shift != 0 && at + 1 < W {
            self.0[at + 1] |= word >> (64 - shift);
        }
    }
}

/// A set of legal actions, with the operations that the engine needs. [`Bits`] implements it.
pub trait LegalSet: Copy + Default + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    /// The words, lowest actions first.
    fn words(&self) -> &[u64];

    /// Whether `action` is in the set; false for any action beyond its places.
    fn contains(&self, action: Action) -> bool;

    /// Number of actions.
    #[inline(always)]
    fn len(&self) -> u32 {
        self.words().iter().map(|word| word.count_ones()).sum()
    }

    /// Whether there is none.
    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    /// The action with exactly `rank` smaller ones in the set; `rank < len()`.
    #[inline(always)]
    fn select(&self, rank: u32) -> Action {
        let mut rank = rank;
        for (at, &word) in self.words().iter().enumerate() {
            let ones = word.count_ones();
            if rank < ones {
                return Action((at as u32 * 64 + select_in_word(word, rank)) as u16);
            }
            rank -= ones;
        }
        unreachable!("select: rank must be below the number of actions")
    }

    /// The actions, ascending.
    fn iter(&self) -> impl Iterator<Item = Action> {
        self.words().iter().enumerate().flat_map(|(at, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                if left == 0 {
                    return None;
                }
                let bit = left.trailing_zeros();
                left &= left - 1;
                Some(Action((at as u32 * 64 + bit) as u16))
            })
        })
    }

    /// Takes an action out; nothing changes if it is not in the set.
    fn remove(&mut self, action: Action);

    /// Writes one byte per action, 1 if it is in the set and 0 if not; `out` has one byte per action.
    #[inline(always)]
    fn expand(&self, out: &mut [u8]) {
        if const { one_word::<Self>() } && out.len() <= 64 {
            return expand(self.words()[0], out);
        }
        expand_words(self.words(), NIBBLE, out);
    }
}

impl<const W: usize> LegalSet for Bits<W> {
    #[inline(always)]
    fn words(&self) -> &[u64] {
        &self.0
    }

    #[inline(always)]
    fn contains(&self, action: Action) -> bool {
        let (at, bit) = (action.index() >> 6, action.index() & 63);
        if W == 1 {
            // Without a branch: vector code checks several sets at once.
            return (self.0[0] >> bit & 1 != 0) & (at == 0);
        }
        self.0.get(at).is_some_and(|word| word >> bit & 1 != 0)
    }

    #[inline(always)]
    fn remove(&mut self, action: Action) {
        if let Some(word) = self.0.get_mut(action.index() >> 6) {
            *word &= !(1 << (action.index() & 63));
        }
    }
}

/// Position of the set bit with `rank` set bits below it; `rank < word.count_ones()`.
#[inline(always)]
pub fn select_in_word(word: u64, rank: u32) -> u32 {
    // Halving on popcounts: no table, no branch that depends on data more than six times.
    let (mut rank, mut word, mut at) = (rank, word, 0);
    let mut width = 32;
    while width > 0 {
        let low = (word & ((1u64 << width) - 1)).count_ones();
        let up = u32::from(rank >= low);
        rank -= low * up;
        word >>= width * up;
        at += width * up;
        width >>= 1;
    }
    at
}

/// Eight bits to eight bytes of 0 or 1, lowest bit first in memory.
#[inline(always)]
pub fn spread(byte: u8) -> [u8; 8] {
    // The byte is put into all eight, each keeps its own bit, and adding 0x7f carries any bit to the top. Only
    // the first step multiplies, and only by a broadcast, so that compilers turn runs of it into vector code.
    let own = u64::from(byte).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    (own.wrapping_add(0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101).to_le_bytes()
}

/// The lowest four bits.
const NIBBLE: u32 = 15;

/// Four bits for each of `LANES` words of four bytes of 0 or 1, lowest bit first in memory; `out` has `4 * LANES` bytes.
///
/// `low` is [`NIBBLE`]. A multiplication puts four copies of the nibble a byte less a bit apart, so that bit k of the nibble is the lowest of
/// byte k. With vectors of 32-bit lanes that is a shift, a mask, a multiplication and a mask for all lanes at once.
#[inline(always)]
fn spread_nibbles<const LANES: usize>(bits: u32, low: u32, out: &mut [u8]) {
    for (lane, bytes) in out.chunks_exact_mut(4).enumerate().take(LANES) {
        let nibble = bits >> (4 * lane) & low;
        bytes.copy_from_slice(&(nibble.wrapping_mul(0x0020_4081) & 0x0101_0101).to_le_bytes());
    }
}

/// Writes bit `i` of `word` as byte `i` of `out`, for `out.len() <= 64` bytes.
///
/// The rest after whole pieces is written by stores of fixed size that overlap the last piece, because a copy of variable length is a call
/// that costs more than all other work.
#[inline(always)]
pub fn expand(word: u64, out: &mut [u8]) {
    expand_with(word, NIBBLE, out);
}

/// [`expand`]; `low` is [`NIBBLE`].
#[inline(always)]
fn expand_with(word: u64, low: u32, out: &mut [u8]) {
    assert!(out.len() <= 64, "a word has 64 bits");
    let len = out.len();
    if let Some(out) = out.first_chunk_mut::<64>() {
        return spread_to(word, low, out);
    }
    if let Some(head) = out.first_chunk_mut::<32>() {
        spread_to(word, low, head);
        if let Some(tail) = out.last_chunk_mut::<32>() {
            spread_to(word >> (len.wrapping_sub(32) & 63), low, tail);
        }
    } else if let Some(head) = out.first_chunk_mut::<16>() {
        spread_to(word, low, head);
        if let Some(tail) = out.last_chunk_mut::<16>() {
            spread_to(word >> (len.wrapping_sub(16) & 63), low, tail);
        }
    } else if let Some(head) = out.first_chunk_mut::<8>() {
        spread_to(word, low, head);
        if let Some(tail) = out.last_chunk_mut::<8>() {
            spread_to(word >> (len & 7), low, tail);
        }
    } else {
        expand_few(word, out);
    }
}

/// [`expand`] of several words; `low` is [`NIBBLE`].
#[inline(always)]
fn expand_words(words: &[u64], low: u32, out: &mut [u8]) {
    let (whole, rest) = out.as_chunks_mut::<64>();
    let last = words.get(whole.len());
    for (chunk, &word) in whole.iter_mut().zip(words) {
        spread_to(word, low, chunk);
    }
    if let (false, Some(&word)) = (rest.is_empty(), last) {
        expand_with(word, low, rest);
    }
}

/// [`expand`] for fewer than eight bytes.
#[inline(always)]
fn expand_few(word: u64, out: &mut [u8]) {
    let len = out.len();
    let bytes = u64::from_le_bytes(spread(word as u8));
    if let Some(head) = out.first_chunk_mut::<4>() {
        *head = (bytes as u32).to_le_bytes();
        if let Some(tail) = out.last_chunk_mut::<4>() {
            *tail = ((bytes >> (8 * (len & 3))) as u32).to_le_bytes();
        }
    } else if let Some(head) = out.first_chunk_mut::<2>() {
        *head = (bytes as u16).to_le_bytes();
        if let Some(tail) = out.last_chunk_mut::<2>() {
            *tail = ((bytes >> (8 * (len & 1))) as u16).to_le_bytes();
        }
    } else if let Some(only) = out.first_mut() {
        *only = bytes as u8;
    }
}

/// [`expand`] and [`expand_to`] for rows of many words.
///
/// If the compiler knew the mask of a nibble, it would shift the last lane of each vector apart: half as many instructions again. It is
/// hidden where an `Expander` is made, which costs as much as the lanes of one word: make one for a row, not one for a word.
#[derive(Clone, Copy, Debug)]
pub struct Expander {
    low: u32,
}

impl Default for Expander {
    #[inline(always)]
    fn default() -> Expander {
        Expander { low: std::hint::black_box(NIBBLE) }
    }
}

impl Expander {
    /// See [`expand`].
    #[inline(always)]
    pub fn expand(self, word: u64, out: &mut [u8]) {
        expand_with(word, self.low, out);
    }

    /// See [`expand_to`].
    #[inline(always)]
    pub fn expand_to<const N: usize>(self, word: u64, out: &mut [u8; N]) {
        spread_to(word, self.low, out);
    }
}

/// Expands every set into a row of `size` bytes of `out`.
///
/// Rows of up to 32 bytes are written by one store of fixed size, which runs over into the rows after it and is overwritten by theirs. Only the
/// last rows are written exactly.
#[inline(always)]
pub(crate) fn expand_rows<L: LegalSet>(sets: &[L], size: usize, out: &mut [u8]) {
    match size {
        _ if const { !one_word::<L>() } => {
            let Expander { low } = Expander::default();
            for (set, row) in sets.iter().zip(out.chunks_exact_mut(size)) {
                expand_words(set.words(), low, row);
            }
        }
        2 => exact::<L, 2>(sets, out),
        3 => exact::<L, 3>(sets, out),
        0..=8 => overrun::<L, 8>(sets, size, out),
        9..=16 => overrun::<L, 16>(sets, size, out),
        17..=32 => overrun::<L, 32>(sets, size, out),
        _ => overrun::<L, 64>(sets, size, out),
    }
}

/// Whether all actions fit into one word.
const fn one_word<L>() -> bool {
    size_of::<L>() == size_of::<u64>()
}

/// Rows of two or three bytes, of games with hardly a choice: vector code for several rows.
#[inline(always)]
fn exact<L: LegalSet, const N: usize>(sets: &[L], out: &mut [u8]) {
    for (set, row) in sets.iter().zip(out.as_chunks_mut::<N>().0) {
        let word = set.words()[0];
        *row = std::array::from_fn(|i| (word >> i & 1) as u8);
    }
}

#[inline(always)]
fn overrun<L: LegalSet, const N: usize>(sets: &[L], size: usize, out: &mut [u8]) {
    let mut rest = out;
    for set in sets {
        let word = set.words()[0];
        match rest.first_chunk_mut::<N>() {
            Some(piece) => expand_to(word, piece),
            None => expand(word, rest.get_mut(..size).unwrap_or_default()),
        }
        rest = rest.get_mut(size..).unwrap_or_default();
    }
}

/// [`expand`] for a number of bytes that is known when the program is compiled: 8 to 64.
#[inline(always)]
pub fn expand_to<const N: usize>(word: u64, out: &mut [u8; N]) {
    spread_to(word, NIBBLE, out);
}

/// [`expand_to`]; `low` is [`NIBBLE`].
#[inline(always)]
fn spread_to<const N: usize>(word: u64, low: u32, out: &mut [u8; N]) {
    const { assert!(N >= 8 && N <= 64) };
    if N < 16 {
        out[..8].copy_from_slice(&spread(word as u8));
        if N > 8 {
            out[N - 8..].copy_from_slice(&spread((word >> (N - 8)) as u8));
        }
        return;
    }
    // Whole vectors, and a last one that overlaps them: fewer instructions than what is left over in smaller and smaller pieces.
    if N < 32 {
        spread_nibbles::<4>(word as u32, low, &mut out[..16]);
        if N > 16 {
            spread_nibbles::<4>((word >> (N - 16)) as u32, low, &mut out[N - 16..]);
        }
    } else {
        spread_nibbles::<8>(word as u32, low, &mut out[..32]);
        if N > 32 {
            spread_nibbles::<8>((word >> (N - 32)) as u32, low, &mut out[N - 32..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expand_equals_bit_by_bit() {
        let word = 0x9e37_79b9_7f4a_7c15u64;
        for len in 0..=64 {
            let mut out = vec![0xaa; len];
            expand(word, &mut out);
            let slow: Vec<u8> = (0..len).map(|i| (word >> i & 1) as u8).collect();
            assert_eq!(out, slow);
            out.fill(0xaa);
            Expander::default().expand(word, &mut out);
            assert_eq!(out, slow);
        }
        fn fixed<const N: usize>(word: u64) {
            let (mut fast, mut slow) = ([0xaa; N], [0x55; N]);
            expand_to(word, &mut fast);
            slow.iter_mut().enumerate().for_each(|(i, byte)| *byte = (word >> i & 1) as u8);
            assert_eq!(fast, slow);
            fast.fill(0xaa);
            Expander::default().expand_to(word, &mut fast);
            assert_eq!(fast, slow);
        }
        fixed::<8>(word);
        fixed::<11>(word);
        fixed::<15>(word);
        fixed::<16>(word);
        fixed::<17>(word);
        fixed::<18>(word);
        fixed::<27>(word);
        fixed::<30>(word);
        fixed::<31>(word);
        fixed::<32>(word);
        fixed::<33>(word);
        fixed::<52>(word);
        fixed::<62>(word);
        fixed::<63>(word);
        fixed::<64>(word);
    }

    #[test]
    fn expand_rows_equals_row_by_row() {
        fn check<const W: usize>(sizes: std::ops::RangeInclusive<usize>) {
            let mut rng = crate::rng::Rng::from_seed(9);
            let sets: Vec<Bits<W>> = (0..70).map(|_| Bits(std::array::from_fn(|_| rng.next_u64()))).collect();
            for size in sizes {
                for rows in [0, 1, 2, 5, 64, 70] {
                    let mut out = vec![0xaa; rows * size];
                    expand_rows(&sets[..rows], size, &mut out);
                    let mut slow = vec![0x55; rows * size];
                    for (set, row) in sets.iter().zip(slow.chunks_exact_mut(size)) {
                        for (i, byte) in row.iter_mut().enumerate() {
                            *byte = u8::from(set.contains(Action(i as u16)));
                        }
                    }
                    assert_eq!(out, slow, "{rows} rows of {size}");
                }
            }
        }
        check::<1>(1..=64);
        check::<2>(65..=128);
        check::<5>(255..=320);
    }

    #[test]
    fn select_equals_scan() {
        for word in [1u64, 0x8000_0000_0000_0001, u64::MAX, 0x9e37_79b9_7f4a_7c15] {
            let places: Vec<u32> = (0..64).filter(|i| word >> i & 1 != 0).collect();
            for (rank, &place) in places.iter().enumerate() {
                assert_eq!(select_in_word(word, rank as u32), place);
            }
        }
        let mut set = Bits::<3>::default();
        for i in [0, 63, 64, 100, 191] {
            set.insert(i);
        }
        let list: Vec<u16> = set.iter().map(|a| a.0).collect();
        assert_eq!(list, [0, 63, 64, 100, 191]);
        assert_eq!((0..5).map(|r| set.select(r).0).collect::<Vec<_>>(), list);
        assert!(!set.contains(Action(192)) && !set.contains(Action(u16::MAX)));
        for action in [63, 100, 100, 7, 192, u16::MAX] {
            set.remove(Action(action));
        }
        assert_eq!(set.iter().map(|a| a.0).collect::<Vec<_>>(), [0, 64, 191]);
    }

    #[test]
    fn the_bytes_of_a_set_are_those_of_its_words() {
        fn check<const W: usize>(words: [u64; W], bytes: &[u8]) {
            assert_eq!(postcard::to_allocvec(&Bits(words)).unwrap(), bytes);
            assert_eq!(postcard::from_bytes(bytes), Ok(Bits(words)));
            assert!(postcard::from_bytes::<Bits<W>>(&bytes[1..]).is_err(), "a byte is missing");
        }
        check([5], &[5]);
        check([1, 0, 300], &[1, 0, 0xac, 2]);
        check([7; 40], &[7; 40]);
    }

    #[test]
    fn insert_word_crosses_borders() {
        let mut set = Bits::<2>::default();
        set.insert_word(60, 0b1011_0001);
        assert_eq!(set.iter().map(|a| a.0).collect::<Vec<_>>(), [60, 64, 65, 67]);
    }
}
