//! Code that is compiled for more than one instruction set, and the choice between its forms at run time.
#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "run-time choice of instructions"))]

use crate::bits::{self, LegalSet};
use crate::player::Action;
use crate::rng::Rng;

/// Work that is compiled once per instruction set. `run` and everything in it that matters is `#[inline(always)]`, so
/// that it becomes part of a function which may use the set's instructions.
pub(crate) trait Kernel {
    /// Result.
    type Out;

    /// The work.
    fn run<I: Isa>(self, isa: I) -> Self::Out;
}

/// The operations for which a kernel chooses instructions by name. The compiler chooses all others.
pub(crate) trait Isa: Copy {
    /// See [`bits::select_in_word`].
    fn select_in_word(self, word: u64, rank: u32) -> u32;

    /// Runs another kernel in its form for this instruction set, as a function of its own that is not inlined.
    fn call<K: Kernel>(self, kernel: K) -> K::Out;

    /// The same draw as [`Rng::pick`].
    #[inline(always)]
    fn pick<L: LegalSet>(self, rng: &mut Rng, legal: &L) -> Action {
        self.select(legal, rng.below(legal.len()))
    }

    /// The same as [`LegalSet::select`].
    #[inline(always)]
    fn select<L: LegalSet>(self, legal: &L, rank: u32) -> Action {
        let mut rank = rank;
        if let [word] = *legal.words() {
            return Action(self.select_in_word(word, rank) as u16);
        }
        for (at, &word) in legal.words().iter().enumerate() {
            let ones = word.count_ones();
            if rank < ones {
                return Action((at as u32 * 64 + self.select_in_word(word, rank)) as u16);
            }
            rank -= ones;
        }
        unreachable!("the rank is below the number of actions")
    }
}

/// Instructions that every machine of the architecture has.
#[derive(Clone, Copy)]
pub(crate) struct Baseline;

impl Isa for Baseline {
    #[inline(always)]
    fn select_in_word(self, word: u64, rank: u32) -> u32 {
        bits::select_in_word(word, rank)
    }

    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Out {
        run_baseline(kernel)
    }
}

/// Proof that this machine has AVX2, BMI, POPCNT and LZCNT: only [`dispatch`] makes one, after looking.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Isa for Avx2 {
    #[inline(always)]
    fn select_in_word(self, word: u64, rank: u32) -> u32 {
        #[target_feature(enable = "bmi1,bmi2")]
        #[inline]
        fn select(word: u64, rank: u32) -> u32 {
            core::arch::x86_64::_pdep_u64(1 << rank, word).trailing_zeros()
        }
        // SAFETY: an `Avx2` exists only where `Level::detect` found BMI1 and BMI2.
        unsafe { select(word, rank) }
    }

    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Out {
        // SAFETY: an `Avx2` exists only where `Level::detect` found all of these features.
        unsafe { run_avx2(kernel) }
    }
}

/// The instruction set of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    wide: bool,
}

impl Level {
    /// The instructions that every machine of the architecture has.
    pub(crate) const BASELINE: Level = Level { wide: false };

    /// The best that this machine has.
    pub(crate) fn detect() -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            let wide = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("lzcnt");
            Level { wide }
        }
        #[cfg(not(target_arch = "x86_64"))]
        Level::BASELINE
    }
}

/// Runs a kernel in its form for an instruction set.
#[inline]
pub(crate) fn dispatch<K: Kernel>(level: Level, kernel: K) -> K::Out {
    #[cfg(target_arch = "x86_64")]
    if level.wide {
        // SAFETY: `wide` is private and only set by `Level::detect`, which found all of these features.
        return unsafe { run_avx2(kernel) };
    }
    let _ = level;
    run_baseline(kernel)
}

/// Not part of [`dispatch`], which is inlined: every unit of the compiler that calls it would compile the kernel again. Neither form is
/// inlined where another kernel calls it ([`Isa::call`]).
#[inline(never)]
fn run_baseline<K: Kernel>(kernel: K) -> K::Out {
    kernel.run(Baseline)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
#[inline(never)]
fn run_avx2<K: Kernel>(kernel: K) -> K::Out {
    kernel.run(Avx2(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_instruction_sets_draw_the_same() {
        struct Draws<'a>(&'a mut Rng, crate::bits::Bits<2>);
        impl Kernel for Draws<'_> {
            type Out = Vec<Action>;
            fn run<I: Isa>(self, isa: I) -> Vec<Action> {
                (0..1_000).map(|_| isa.pick(self.0, &self.1)).collect()
            }
        }
        for words in [[1, 0], [u64::MAX, 1 << 63], [0, 0x9e37_79b9_7f4a_7c15]] {
            let legal = crate::bits::Bits(words);
            let mut rng = Rng::from_seed(5);
            let slow: Vec<Action> = (0..1_000).map(|_| rng.pick(&legal)).collect();
            for level in [Level::BASELINE, Level::detect()] {
                assert_eq!(dispatch(level, Draws(&mut Rng::from_seed(5), legal)), slow);
            }
        }
    }
}
