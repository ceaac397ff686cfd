//! The random streams of `sample_actions`, one per environment. Their layout lets vector code advance several streams at once.

use crate::bits::LegalSet;
use crate::error::Result;
use crate::memory::filled;
use crate::player::Action;
use crate::pool::{Isa, Kernel};
use crate::rng::Rng;
use crate::vec::tuning::BLOCK;
use std::ops::Range;

/// One stream per environment of a shard, word by word.
#[derive(Clone, Debug)]
pub(crate) struct Streams([Vec<u64>; 4]);

impl Streams {
    /// Streams for `len` environments of a batch of `envs`.
    pub(crate) fn new(envs: usize, len: usize) -> Result<Streams> {
        let [a, b, c, d] = Rng::from_seed(0).words.map(|word| filled(envs, word, len));
        Ok(Streams([a?, b?, c?, d?]))
    }

    /// Takes the streams from `at` on out.
    pub(crate) fn split_off(&mut self, at: usize) -> Streams {
        Streams(self.0.each_mut().map(|words| words.split_off(at)))
    }

    /// The stream of an environment.
    #[inline(always)]
    pub(crate) fn get(&self, at: usize) -> Rng {
        let [a, b, c, d] = &self.0;
        Rng { words: [a[at], b[at], c[at], d[at]] }
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, at: usize, rng: Rng) {
        for (words, word) in self.0.iter_mut().zip(rng.words) {
            words[at] = word;
        }
    }
}

/// Draws a legal action in every row of a block, all of which have one. The draws are those of [`Rng::pick`].
pub(crate) struct Draw<'k, L: LegalSet> {
    /// The block's environments in the shard.
    pub(crate) range: Range<usize>,
    pub(crate) legal: &'k [L],
    /// Number of actions of the game.
    pub(crate) actions: usize,
    pub(crate) now: &'k Streams,
    /// Receives the advanced streams.
    pub(crate) next: &'k mut Streams,
    pub(crate) drawn: &'k mut [i64],
}

impl<L: LegalSet> Kernel for Draw<'_, L> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let Draw { range, legal, actions, now, next, drawn } = self;
        let mut bits = [0; BLOCK];
        let bits = &mut bits[..range.len()];
        {
            let [a, b, c, d] = &now.0;
            let [e, f, g, h] = &mut next.0;
            let range = || range.clone();
            let (e, f, g, h) = (&mut e[range()], &mut f[range()], &mut g[range()], &mut h[range()]);
            advance(&a[range()], &b[range()], &c[range()], &d[range()], e, f, g, h, bits);
        }
        let maybe_rejected = select_actions(isa, legal, actions.div_ceil(64), bits, drawn);
        if maybe_rejected {
            for (at, (legal, drawn)) in range.zip(legal.iter().zip(drawn)) {
                let mut rng = now.get(at);
                *drawn = i64::from(isa.pick(&mut rng, legal).0);
                next.set(at, rng);
            }
        }
    }
}

/// [`Draw`] that keeps nothing to take back: the streams advance in place, and the actions are those of the next step.
pub(crate) struct DrawInPlace<'k, L: LegalSet> {
    /// The block's environments in the shard.
    pub(crate) range: Range<usize>,
    pub(crate) legal: &'k [L],
    /// Number of actions of the game.
    pub(crate) actions: usize,
    pub(crate) streams: &'k mut Streams,
    pub(crate) drawn: &'k mut [u16],
}

impl<L: LegalSet> Kernel for DrawInPlace<'_, L> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let DrawInPlace { range, legal, actions, streams, drawn } = self;
        let mut bits = [0; BLOCK];
        let bits = &mut bits[..range.len()];
        {
            let [a, b, c, d] = &mut streams.0;
            let range = || range.clone();
            advance_in_place(&mut a[range()], &mut b[range()], &mut c[range()], &mut d[range()], bits);
        }
        if select_actions(isa, legal, actions.div_ceil(64), bits, drawn) {
            for ((at, &bits), (legal, drawn)) in range.zip(&*bits).zip(legal.iter().zip(drawn)) {
                let mut rng = streams.get(at);
                *drawn = legal.select(below_after(bits, &mut rng, legal.len())).0;
                streams.set(at, rng);
            }
        }
    }
}

/// [`Rng::below`] with `first` as its first number, which was drawn already.
fn below_after(first: u32, rng: &mut Rng, n: u32) -> u32 {
    let product = u64::from(first) * u64::from(n);
    let is_rejected = (product as u32) < n.wrapping_neg() % n;
    if is_rejected { rng.below(n) } else { (product >> 32) as u32 }
}

/// [`Rng::next_u32`] of every stream: vector code, for what is half of the work of a draw.
#[expect(
    clippy::too_many_arguments,
    reason = "only as arguments of their own do slices not overlap for the compiler"
)]
#[inline(always)]
fn advance(
    now0: &[u64],
    now1: &[u64],
    now2: &[u64],
    now3: &[u64],
    next0: &mut [u64],
    next1: &mut [u64],
    next2: &mut [u64],
    next3: &mut [u64],
    bits: &mut [u32],
) {
    let now = now0.iter().zip(now1).zip(now2.iter().zip(now3));
    let next = next0.iter_mut().zip(next1).zip(next2.iter_mut().zip(next3));
    for ((((a, b), (c, d)), ((e, f), (g, h))), bits) in now.zip(next).zip(bits) {
        let mut rng = Rng { words: [*a, *b, *c, *d] };
        *bits = rng.next_u32();
        [*e, *f, *g, *h] = rng.words;
    }
}

/// [`advance`] with one array for each word.
#[inline(always)]
fn advance_in_place(
    words0: &mut [u64],
    words1: &mut [u64],
    words2: &mut [u64],
    words3: &mut [u64],
    bits: &mut [u32],
) {
    let words = words0.iter_mut().zip(words1).zip(words2.iter_mut().zip(words3));
    for (((a, b), (c, d)), bits) in words.zip(bits) {
        let mut rng = Rng { words: [*a, *b, *c, *d] };
        *bits = rng.next_u32();
        [*a, *b, *c, *d] = rng.words;
    }
}

/// The actions that these numbers choose. True if [`Rng::below`] may reject one of them, at most once in `2^32 / n` draws.
#[inline(always)]
fn select_actions<L: LegalSet, I: Isa, T: From<u16>>(
    isa: I,
    legal: &[L],
    words: usize,
    bits: &[u32],
    drawn: &mut [T],
) -> bool {
    let mut maybe_rejected = false;
    for (drawn, (legal, &bits)) in drawn.iter_mut().zip(legal.iter().zip(bits)) {
        let few = few_words(legal, words);
        let n = few.map_or_else(|| legal.len(), count);
        let product = u64::from(bits) * u64::from(n);
        maybe_rejected |= (product as u32) < n;
        let rank = (product >> 32) as u32;
        let action = few.map_or_else(|| isa.select(legal, rank), |few| select_in_few(isa, few, rank));
        *drawn = action.0.into();
    }
    maybe_rejected
}

/// Words of a whole set in which an action is found without a branch on the word, which is random.
const SMALL_SET: usize = 10;
/// The same of a larger set, which has room for the actions of the largest content: most games use a part of it.
const FEW_WORDS: usize = 6;

/// The words that are used, if they are few. The compiler knows how many it gets: all of a small set, or [`FEW_WORDS`].
#[inline(always)]
fn few_words<L: LegalSet>(legal: &L, used: usize) -> Option<&[u64]> {
    let words = legal.words();
    if words.len() <= SMALL_SET {
        return Some(words);
    }
    words.get(..FEW_WORDS).filter(|_| used <= FEW_WORDS)
}

/// Number of actions in the words that are used.
#[inline(always)]
fn count(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

/// The same as [`LegalSet::select`], for `rank` below the number of actions.
#[inline(always)]
fn select_in_few<I: Isa>(isa: I, words: &[u64], rank: u32) -> Action {
    if let [word] = *words {
        return Action(isa.select_in_word(word, rank) as u16);
    }
    let (mut at, mut before, mut sum) = (0, 0, 0u32);
    // What is in none of the others is in the last one.
    for word in &words[..words.len() - 1] {
        sum = sum.wrapping_add(word.count_ones());
        let passed = sum <= rank;
        at += usize::from(passed);
        before = if passed { sum } else { before };
    }
    let word = words.get(at).copied().unwrap_or_default();
    Action((64 * at) as u16 + isa.select_in_word(word, rank.wrapping_sub(before)) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Bits;
    use crate::pool::{Level, dispatch};

    /// Draws of blocks of sets that use their first words alone.
    fn compare<const W: usize>(actions: usize) {
        for level in [Level::BASELINE, Level::detect()] {
            let len = 29;
            let (mut now, mut next) = (Streams::new(len, len).unwrap(), Streams::new(len, len).unwrap());
            let mut single: Vec<Rng> = (0..len as u64).map(Rng::from_seed).collect();
            (0..len).for_each(|at| now.set(at, single[at]));
            for round in 0..200 {
                // One word in three is empty: the first ones, too.
                let word = |rng: &Rng, at: usize| match (at + round) % 3 {
                    _ if 64 * at >= actions => 0,
                    0 => 0,
                    _ => rng.words[at % 4] & rng.words[(at + round) % 4] | 1 << ((at + round) % 64),
                };
                let legal: Vec<Bits<W>> =
                    single.iter().map(|rng| Bits(std::array::from_fn(|at| word(rng, at)))).collect();
                let mut drawn = vec![0; len];
                for range in [0..16, 16..len] {
                    let (legal, drawn) = (&legal[range.clone()], &mut drawn[range.clone()]);
                    dispatch(level, Draw { range, legal, actions, now: &now, next: &mut next, drawn });
                }
                let mut chosen = vec![0; len];
                for range in [0..16, 16..len] {
                    let (legal, drawn) = (&legal[range.clone()], &mut chosen[range.clone()]);
                    dispatch(level, DrawInPlace { range, legal, actions, streams: &mut now, drawn });
                }
                for at in 0..len {
                    let action = single[at].pick(&legal[at]).0;
                    assert_eq!((drawn[at], chosen[at]), (i64::from(action), action));
                    assert_eq!((now.get(at), next.get(at)), (single[at], single[at]));
                }
            }
        }
    }

    #[test]
    fn blocks_draw_what_single_generators_draw() {
        compare::<2>(128);
        compare::<5>(311);
        compare::<6>(384);
        compare::<10>(583);
        compare::<14>(130);
        compare::<14>(384);
        compare::<14>(385);
        compare::<14>(896);
    }

    #[test]
    fn a_block_with_a_rejected_number_draws_again() {
        // The upper halves of its first two numbers are 0, which three actions reject.
        let special = Rng { words: [0, 1, 0, 0] };
        for level in [Level::BASELINE, Level::detect()] {
            let (mut now, mut next) = (Streams::new(5, 5).unwrap(), Streams::new(5, 5).unwrap());
            now.set(3, special);
            let (legal, mut drawn) = ([Bits([0b111u64]); 5], [0; 5]);
            let drawn = &mut drawn;
            dispatch(
                level,
                Draw { range: 0..5, legal: &legal, actions: 3, now: &now, next: &mut next, drawn },
            );
            let (mut streams, mut chosen) = (now.clone(), [0; 5]);
            let drawn_in_place = &mut chosen;
            dispatch(
                level,
                DrawInPlace {
                    range: 0..5,
                    legal: &legal,
                    actions: 3,
                    streams: &mut streams,
                    drawn: drawn_in_place,
                },
            );
            for at in 0..5 {
                let mut single = now.get(at);
                let action = single.pick(&legal[at]).0;
                assert_eq!((drawn[at], chosen[at]), (i64::from(action), action));
                assert_eq!((next.get(at), streams.get(at)), (single, single));
            }
            let mut once = special;
            once.next_u32();
            assert_ne!(next.get(3), once, "a number was rejected");
        }
    }
}
