//! The smallest and the largest final score that the rules allow, whatever the content: `return_range`.
//!
//! At the end a player owns at most N cards (GR-R4a), each in a completed row or in the compost, and at most one claim of
//! each of five badges. So no score is larger than the best set of N cards, each card with the most that it could score
//! in a row of cards of this set, or in the compost, plus the five best badges. That is a bound, not the
//! largest score: it ignores the order of the cards, their restrictions, tests that exclude each other, and the several rows that
//! several badges need. With the default content rows that can be built come to nine tenths of it.
//!
//! The score of a card depends on how many cards of each type are there. The best set is found by fixing these numbers type by
//! type, the most promising choice first. A choice is judged by what its cards score at most if the types not fixed yet are
//! as many as they can be, which is never less than what any completion of it scores: the first choice that is
//! complete is the best one. If that takes too long, the most promising choice bounds all that were not looked at.

use super::content::{Effect, KindData, Loaded};
use super::score::{Clause, Count, Region};
use super::state::{Counts, MAX_TYPES};
use std::collections::BinaryHeap;

/// Choices that are judged before the search is content with what it has.
const PATIENCE: usize = 12_000;
/// Badges in play by tier: two gold ones, three silver ones.
const IN_PLAY: [usize; 2] = [2, 3];

/// The smallest and the largest final score with a deck of which a player owns at most `cards`.
pub(super) fn score_range(loaded: &Loaded, deck: &Counts, cards: usize) -> (i32, i32) {
    let pool = Pool::new(&loaded.kinds, deck, cards);
    let (gold, silver) = loaded.badges.split_at(loaded.gold.min(loaded.badges.len()));
    let badges: i32 = [gold, silver]
        .into_iter()
        .zip(IN_PLAY)
        .map(|(tier, in_play)| {
            let mut values: Vec<i32> = tier.iter().map(|badge| badge.high.into()).collect();
            values.sort_unstable_by(|a, b| b.cmp(a));
            values.iter().take(in_play).sum::<i32>()
        })
        .sum();
    // Below the largest even if no card of a foreign content scores anything.
    let (least, most) = (pool.least(), pool.most() + badges);
    (least, most.max(least + 1))
}

/// The numbers of cards of the first types, as far as they are fixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Choice {
    /// What the set scores at most.
    most: i32,
    /// Types that are fixed.
    types: usize,
    cards: [u8; MAX_TYPES],
}

/// The types of a set, which most often is one.
fn members(set: u8) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let ty = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (ty < MAX_TYPES).then_some(ty)
    })
}

/// How many cards there can be of each type.
struct Limits {
    /// By type: the exact number where it is fixed, else the number in the deck.
    cards: [usize; MAX_TYPES],
    /// The types that are fixed, as bits.
    fixed: u8,
    /// Cards of all types that are not fixed.
    open: usize,
}

impl Limits {
    /// Most cards of some types, of which `open` are not fixed.
    fn most(&self, types: u8, open: usize) -> usize {
        let sum = |set: u8| -> usize { members(set).map(|ty| self.cards[ty]).sum() };
        sum(types & self.fixed) + sum(types & !self.fixed).min(open)
    }

    /// Most different types among some.
    fn different(&self, types: u8) -> usize {
        let there = |set: u8| members(set).filter(|&ty| self.cards[ty] > 0).count();
        there(types & self.fixed) + there(types & !self.fixed).min(self.open)
    }
}

/// The cards that a player may own.
struct Pool<'a> {
    kinds: &'a [KindData],
    deck: &'a Counts,
    /// Cards of each type in the deck.
    of_type: [usize; MAX_TYPES],
    /// Most cards that a player owns.
    size: usize,
    /// Most that a card of the compost counts (GR-R15a, R17).
    composted: i32,
}

impl Pool<'_> {
    fn new<'a>(kinds: &'a [KindData], deck: &'a Counts, size: usize) -> Pool<'a> {
        let (mut of_type, mut recycles) = ([0; MAX_TYPES], 0);
        for (kind, &copies) in kinds.iter().zip(&deck.0) {
            of_type[usize::from(kind.ty) % MAX_TYPES] += usize::from(copies);
            recycles += if kind.effect == Effect::Recycle { i32::from(copies) } else { 0 };
        }
        Pool { kinds, deck, of_type, size, composted: 1 + recycles }
    }

    /// Every card that costs points, in a row.
    fn least(&self) -> i32 {
        let limits = self.limits(&Choice::default());
        let mut costs: Vec<i32> = Vec::new();
        for (number, (kind, &copies)) in self.kinds.iter().zip(&self.deck.0).enumerate() {
            let scores =
                kind.score().iter().map(|clause| self.clause(clause, number, &limits).0).sum::<i32>();
            costs.extend(std::iter::repeat_n(scores.min(0), copies.into()));
        }
        costs.sort_unstable();
        costs.iter().take(self.size).sum()
    }

    fn most(&self) -> i32 {
        // Types without cards and numbers that the other types cannot fill up are passed over.
        let last = (0..MAX_TYPES).rev().find(|&ty| self.of_type[ty] > 0).map_or(0, |ty| ty + 1);
        let mut open = BinaryHeap::from([self.judged(Choice::default())]);
        let mut judged = 0;
        while let Some(choice) = open.pop() {
            if choice.types == last || judged > PATIENCE {
                return choice.most;
            }
            let left = self.size - choice.cards.iter().map(|&cards| usize::from(cards)).sum::<usize>();
            let later: usize = self.of_type[choice.types + 1..].iter().sum();
            for cards in left.saturating_sub(later)..=left.min(self.of_type[choice.types]) {
                let mut next = Choice { types: choice.types + 1, ..choice };
                next.cards[choice.types] = cards as u8;
                open.push(self.judged(next));
                judged += 1;
            }
        }
        0
    }

    fn limits(&self, choice: &Choice) -> Limits {
        let mut limits = Limits { cards: self.of_type, fixed: 0, open: self.size };
        for (ty, &cards) in choice.cards.iter().enumerate().take(choice.types) {
            limits.cards[ty] = cards.into();
            limits.fixed |= 1 << ty;
            limits.open -= usize::from(cards);
        }
        limits
    }

    /// The choice with what its cards score at most.
    fn judged(&self, choice: Choice) -> Choice {
        let limits = self.limits(&choice);
        // The value above type and copies in one number: numbers are sorted in a third of the time of tuples.
        let mut values = [0i64; super::state::MAX_KINDS];
        let mut len = 0;
        for (number, (kind, &copies)) in self.kinds.iter().zip(&self.deck.0).enumerate() {
            if copies > 0 && limits.cards[usize::from(kind.ty) % MAX_TYPES] > 0 {
                let scores = kind.score().iter().map(|clause| self.clause(clause, number, &limits).1);
                let value = i64::from(scores.sum::<i32>().max(self.composted));
                values[len] = value << 16 | i64::from(kind.ty) << 8 | i64::from(copies);
                len += 1;
            }
        }
        let values = &mut values[..len];
        values.sort_unstable();
        let (mut cards, mut open, mut most) = (limits.cards, limits.open, 0);
        for &packed in values.iter().rev() {
            let (value, ty, copies) = ((packed >> 16) as i32, packed >> 8 & 0xff, packed as u8);
            let ty = ty as usize % MAX_TYPES;
            let mut taken = cards[ty].min(copies.into());
            if limits.fixed >> ty & 1 == 0 {
                taken = taken.min(open);
                open -= taken;
            }
            cards[ty] -= taken;
            most += value * taken as i32;
        }
        Choice { most, ..choice }
    }

    /// The fewest and the most points of a clause of a card, within limits.
    fn clause(&self, clause: &Clause, kind: usize, limits: &Limits) -> (i32, i32) {
        let (from, to) = self.count(&clause.test, kind, limits);
        if clause.per == clause.test {
            let each = (from..=to).map(|count| clause.points(count, count));
            return each.fold((i32::MAX, i32::MIN), |(min, max), points| (min.min(points), max.max(points)));
        }
        let (low, high) = self.count(&clause.per, kind, limits);
        let (mut least, mut most) = (i32::MAX, i32::MIN);
        if (from..=to).any(|count| clause.bounds.holds(count)) {
            least = (clause.points * low).min(clause.points * high);
            most = (clause.points * low).max(clause.points * high);
        }
        if (from..=to).any(|count| !clause.bounds.holds(count)) {
            least = least.min(clause.other);
            most = most.max(clause.other);
        }
        (least, most)
    }

    /// The fewest and the most that a count can be at a card, within limits.
    fn count(&self, what: &Count, kind: usize, limits: &Limits) -> (i32, i32) {
        // That of a clause that counts nothing: most of them.
        if what.region == Region::One {
            return (1, 1);
        }
        let card = &self.kinds[kind];
        let own = 1u8 << (card.ty & 7);
        // Whether the card itself is one of those counted.
        let itself = if what.kind == 0 { what.types & own != 0 } else { usize::from(what.kind) == kind + 1 };
        let all = if what.kind != 0 {
            usize::from(self.deck.0[usize::from(what.kind) - 1]).min(self.size)
        } else if what.unique {
            limits.different(what.types).min(self.size)
        } else {
            // A card of another type takes one of the places that are open.
            let takes_place = !itself && limits.fixed & own == 0;
            limits.most(what.types, limits.open.saturating_sub(takes_place.into())).min(self.size)
        };
        let others = if itself && !what.unique { all.saturating_sub(1) } else { all };
        let others = others.min(self.size.saturating_sub(1)) as i32;
        match what.region {
            Region::One => (1, 1),
            Region::Row => (i32::from(itself), (all as i32).max(i32::from(itself))),
            Region::Left | Region::Right => (0, others),
            Region::Next => (0, others.min(1)),
        }
    }
}
