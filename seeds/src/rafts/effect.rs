//! What action cards do, as the content names it.

use super::state::{BACTERIUM, GENE, Kind};

/// What can be stolen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A bacterium.
    Bacterium,
    /// A gene.
    Gene,
    /// The Lipid Raft.
    Raft,
}

impl Part {
    /// All.
    pub const ALL: [Part; 3] = [Part::Bacterium, Part::Gene, Part::Raft];

    /// Its bit in [`Effect::Steal`].
    #[inline(always)]
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// Name in the content.
    pub const fn name(self) -> &'static str {
        ["bacterium", "gene", "raft"][self as usize]
    }
}

/// What a player loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// All bacteria or all genes: the slot of a bench.
    Specific(usize),
    /// One time, money or medium: its place among the generics.
    Generic(usize),
}

impl Loss {
    /// Name in the content.
    pub const fn name(self) -> &'static str {
        match self {
            Loss::Specific(BACTERIUM) => "bacterium",
            Loss::Specific(GENE) => "gene",
            Loss::Specific(_) => "",
            Loss::Generic(generic) => super::content::GENERICS[generic],
        }
    }
}

/// What an action card does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// RA-R7: take one of these parts (a bit for each [`Part`]) from another table.
    Steal(u8),
    /// RA-R8: swap a goal.
    Exchange,
    /// RA-R9..R11: one other player, or all, lose something.
    Lose {
        /// What.
        what: Loss,
        /// All players, or one other.
        all: bool,
    },
    /// RA-R12: a second bench.
    ExtraBench,
    /// RA-R13: take a card of the discards.
    Recover,
    /// RA-R14: a second goal.
    ExtraGoal,
    /// RA-R15, fast: take the last discard to the table.
    Snatch,
    /// RA-R16, fast: be exempt from one card.
    Shield {
        /// The card that it answers.
        against: Kind,
    },
}

impl Effect {
    /// Whether a content may not have both: the same kind of effect, and of those that take the same loss.
    pub(super) fn is_like(self, other: Effect) -> bool {
        match (self, other) {
            (Effect::Lose { .. }, _) => self == other,
            _ => std::mem::discriminant(&self) == std::mem::discriminant(&other),
        }
    }
}
