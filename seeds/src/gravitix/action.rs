//! The action space. K is the number of kinds, M the number of cells:
//! SAIL K, TAKE, SUPPLY, DOUBLE, DECLINE, PAY K, MINUS 3, SHIFT 6, EXCHANGE 6, SACRIFICE 12, DISCARD K, GO M.

use super::Gravitix;
use super::map::{Cell, MAX_CELLS, SLOTS};
use super::state::{MAX_KINDS, Pair, Resource};
use playmat_core::prelude::*;

/// What an action number means. Kinds are the numbers of their entries in the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Play a card to sail.
    Sail(u8),
    /// Take cards.
    Take,
    /// Supply the island.
    Supply,
    /// Supply it doubled.
    Double,
    /// Do not supply, swap, blow.
    Decline,
    /// Pay with a card.
    Pay(u8),
    /// One unit less of a resource.
    Minus(Resource),
    /// +1/-1: less of the first, more of the second.
    Shift(Pair),
    /// The next card's first resource counts as the second.
    Exchange(Pair),
    /// Give up the +2 island of a slot.
    Sacrifice(u8),
    /// Discard a card.
    Discard(u8),
    /// A cell: where a ship starts, moves, is blown to.
    Go(Cell),
}

/// First numbers of the ranges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    pub(super) take: usize,
    pub(super) supply: usize,
    pub(super) double: usize,
    pub(super) decline: usize,
    pub(super) pay: usize,
    pub(super) minus: usize,
    pub(super) shift: usize,
    pub(super) exchange: usize,
    pub(super) sacrifice: usize,
    pub(super) discard: usize,
    pub(super) go: usize,
    pub(super) all: usize,
}

impl Numbers {
    pub(super) const fn new(kinds: usize, cells: usize) -> Numbers {
        let minus = 2 * kinds + 4;
        Numbers {
            take: kinds,
            supply: kinds + 1,
            double: kinds + 2,
            decline: kinds + 3,
            pay: kinds + 4,
            minus,
            shift: minus + 3,
            exchange: minus + 9,
            sacrifice: minus + 15,
            discard: minus + 27,
            go: minus + 27 + kinds,
            all: minus + 27 + kinds + cells,
        }
    }
}

// Cells begin in the first or second word of a set of actions, and end in the fifth at the latest.
const _: () =
    assert!(Numbers::new(MAX_KINDS, MAX_CELLS).go < 128 && Numbers::new(MAX_KINDS, MAX_CELLS).all <= 320);

impl Gravitix {
    /// The meaning of an action number below `num_actions`.
    #[inline]
    pub fn choice(&self, action: Action) -> Choice {
        let (n, at) = (&self.numbers, action.index());
        if at >= n.go {
            Choice::Go(Cell((at - n.go) as u8))
        } else if at < n.take {
            Choice::Sail(at as u8)
        } else if at == n.take {
            Choice::Take
        } else if at == n.supply {
            Choice::Supply
        } else if at == n.double {
            Choice::Double
        } else if at == n.decline {
            Choice::Decline
        } else if at < n.minus {
            Choice::Pay((at - n.pay) as u8)
        } else if at < n.shift {
            Choice::Minus(Resource::ALL[at - n.minus])
        } else if at < n.exchange {
            Choice::Shift(Pair((at - n.shift) as u8))
        } else if at < n.sacrifice {
            Choice::Exchange(Pair((at - n.exchange) as u8))
        } else if at < n.discard {
            Choice::Sacrifice((at - n.sacrifice) as u8)
        } else {
            Choice::Discard((at - n.discard) as u8)
        }
    }

    /// The number of a choice.
    pub fn action(&self, choice: Choice) -> Action {
        let n = &self.numbers;
        let at = match choice {
            Choice::Sail(kind) => usize::from(kind),
            Choice::Take => n.take,
            Choice::Supply => n.supply,
            Choice::Double => n.double,
            Choice::Decline => n.decline,
            Choice::Pay(kind) => n.pay + usize::from(kind),
            Choice::Minus(resource) => n.minus + resource.index(),
            Choice::Shift(pair) => n.shift + usize::from(pair.0),
            Choice::Exchange(pair) => n.exchange + usize::from(pair.0),
            Choice::Sacrifice(slot) => n.sacrifice + usize::from(slot),
            Choice::Discard(kind) => n.discard + usize::from(kind),
            Choice::Go(cell) => n.go + cell.index(),
        };
        Action(at as u16)
    }

    pub(super) fn action_ranges(n: &Numbers) -> Vec<ActionRange> {
        let (kinds, cells) = (n.take, n.all - n.go);
        let pairs = "rum>fabric, rum>gems, fabric>rum, fabric>gems, gems>rum, gems>fabric";
        let shift = format!("+1/-1: one less of the first, one more of the second: {pairs}");
        let exchange = format!("the first resource of the next card counts as the second: {pairs}");
        ActionRange::tile(&[
            ("SAIL", &[kinds], "play a card of this kind and sail: its number in the content"),
            ("TAKE", &[1], "take the top two cards of the own deck"),
            ("SUPPLY", &[1], "supply the island that the ship is on"),
            ("DOUBLE", &[1], "supply it for twice the demand and twice the points"),
            ("DECLINE", &[1], "do not supply, do not swap, do not move the other ship"),
            ("PAY", &[kinds], "pay with a card of this kind"),
            ("MINUS", &[3], "a unit of discount: rum, fabric, gems"),
            ("SHIFT", &[Pair::NUM], &shift),
            ("EXCHANGE", &[Pair::NUM], &exchange),
            ("SACRIFICE", &[SLOTS], "give up the own +2 island of this slot for 2 of each less"),
            ("DISCARD", &[kinds], "discard a card of this kind"),
            ("GO", &[cells], "where a ship starts, sails to or is blown to: the cell's number"),
        ])
    }
}
