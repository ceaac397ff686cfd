//! Generators with one defect: bounded draws or shuffles that are not uniform, and other numbers than documented.

use playmat_conformance::Draws;
use playmat_core::rng::Rng;

/// The defect of the generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// No defect: the control.
    Nothing,
    /// A draw is the remainder of the next power of two: the first numbers are twice as likely.
    Remainder,
    /// A shuffle swaps every place with any place, which makes some orders more likely.
    SwapsAnywhere,
    /// A shuffle leaves no item where it was.
    MovesEverything,
    /// The first number is left out.
    SkipsOne,
    /// A uniform shuffle from the first place up instead of from the last place down.
    ShufflesUpward,
}

impl Defect {
    /// What makes the generator for a seed.
    pub fn maker(self) -> fn(u64) -> Box<dyn Draws> {
        macro_rules! makers {
            ($($defect:ident)*) => {
                match self {
                    $(Defect::$defect => |seed| Box::new(BrokenDraws::new(seed, Defect::$defect)),)*
                }
            };
        }
        makers!(Nothing Remainder SwapsAnywhere MovesEverything SkipsOne ShufflesUpward)
    }
}

/// A generator with a defect.
#[derive(Debug)]
pub struct BrokenDraws {
    rng: Rng,
    defect: Defect,
}

impl BrokenDraws {
    /// The generator for a seed.
    pub fn new(seed: u64, defect: Defect) -> BrokenDraws {
        let mut rng = Rng::from_seed(seed);
        if defect == Defect::SkipsOne {
            rng.next_u64();
        }
        BrokenDraws { rng, defect }
    }

    fn place(&mut self, from: usize, to: usize) -> usize {
        from + self.rng.below((to - from) as u32) as usize
    }
}

impl Draws for BrokenDraws {
    fn below(&mut self, n: u32) -> u32 {
        match self.defect {
            Defect::Remainder => self.rng.next_u32() % n.next_power_of_two() % n,
            _ => self.rng.below(n),
        }
    }

    fn shuffle(&mut self, items: &mut [u8]) {
        let len = items.len();
        match self.defect {
            Defect::SwapsAnywhere => (0..len).for_each(|at| items.swap(at, self.place(0, len))),
            Defect::MovesEverything => (1..len).rev().for_each(|at| items.swap(at, self.place(0, at))),
            Defect::ShufflesUpward => (0..len).for_each(|at| items.swap(at, self.place(at, len))),
            _ => self.rng.shuffle(items),
        }
    }
}
