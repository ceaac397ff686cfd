//! What each of some cards would do to a row: its points and the badges it would meet.
//!
//! A count over a row grows by at most one with the next card, and whether it does depends on the type of that card or on its
//! kind. So what a row counts is worked out once ([`Growing`]), and then for several cards side by side. Nothing here checks
//! for overflow: rows, counts and points are bounded by the content (GR section 8), and plain arithmetic on all cards at once is
//! what makes it quick.

use super::Graft;
use super::content::KindData;
use super::score::{Clause, Count, Form, LOW, Need, ONES, Region, of_kind, present};
use super::state::{Kind, MAX_TYPES, Row, SLOTS};

/// Cards that are looked at side by side: a hand and more.
pub(super) const LANES: usize = 8;

/// All types, as bits.
const ALL: u32 = u8::MAX as u32;

/// Cards that may come to the right end of a row, as columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cards<const N: usize> {
    types: [u32; N],
    codes: [u32; N],
}

/// A count on a row, and the cards that make it one more.
#[derive(Clone, Copy, Debug, Default)]
struct Growing {
    now: i32,
    /// Types of these cards, as bits.
    types: u32,
    /// Code of the kind of these cards, 0 if their types decide.
    code: u32,
}

impl Growing {
    /// The count after card `i`.
    #[inline(always)]
    fn with<const N: usize>(&self, cards: &Cards<N>, i: usize) -> i32 {
        let grows = self.types.wrapping_shr(cards.types[i]) & 1 | u32::from(self.code == cards.codes[i]);
        self.now.wrapping_add(grows as i32)
    }
}

/// Counts by type around a card, and the types of a next card that would make them more: for every [`Region`] the cards, and
/// then each type once. Sixteen places, so that a masked index needs no check.
struct Around {
    words: [u64; 16],
    open: [u32; 16],
}

/// Each type of a word of counts by type once.
#[inline(always)]
fn once(word: u64) -> u64 {
    word.wrapping_add(LOW) >> 7 & ONES
}

impl Around {
    /// Of a row with these cards; nothing yet of the single cards.
    #[inline(always)]
    fn of(types: u64) -> Around {
        let mut around = Around { words: [0; 16], open: [0; 16] };
        around.set(Region::Row, types, ALL);
        around.set(Region::One, 1, 0);
        around
    }

    /// Counts of a region; `open` if the next card will be in it.
    #[inline(always)]
    fn set(&mut self, region: Region, word: u64, open: u32) {
        let at = region as usize * 2;
        (self.words[at], self.open[at]) = (word, open);
        (self.words[at + 1], self.open[at + 1]) = (once(word), open & !present(word));
    }

    /// A count of types.
    #[inline(always)]
    fn count(&self, what: &Count) -> i32 {
        ((self.words[usize::from(what.place & 15)] & what.set).wrapping_mul(ONES) >> 56) as i32
    }

    /// The same, with the types that make it one more.
    #[inline(always)]
    fn growing(&self, what: &Count) -> Growing {
        let open = self.open[usize::from(what.place & 15)];
        Growing { now: self.count(what), types: u32::from(what.types) & open, code: 0 }
    }
}

/// A count of one kind at a card of a row.
fn growing_kind(what: &Count, codes: &[u8], at: usize) -> Growing {
    let (part, open) = match what.region {
        Region::Row => (codes, true),
        Region::Left => (&codes[..at], false),
        Region::Right => (&codes[at + 1..], true),
        Region::Next => (&codes[at + 1..codes.len().min(at + 2)], at + 1 == codes.len()),
        Region::One => return Growing { now: 1, ..Growing::default() },
    };
    let code = if open { u32::from(what.kind) } else { 0 };
    Growing { now: of_kind(part, what.kind) as i32, types: 0, code }
}

impl Clause {
    /// Points for these counts.
    #[inline(always)]
    fn points(&self, test: i32, times: i32) -> i32 {
        if self.bounds.holds(test) { self.points.wrapping_mul(times) } else { self.other }
    }
}

/// What a card scores at the right end of a row that it is put on.
#[inline(always)]
pub(super) fn own_points(card: &KindData, code: u8, row: &Row) -> i32 {
    let mut around = Around::of(row.types.wrapping_add(card.unit));
    around.set(Region::Left, row.types, 0);
    let of = |what: &Count| if what.kind == 0 { around.count(what) } else { own_kind(what, code, row) };
    let mut points = 0i32;
    for clause in card.score() {
        points = points.wrapping_add(clause.points(of(&clause.test), of(&clause.per)));
    }
    points
}

/// A count of one kind at a card that is put on a row.
fn own_kind(what: &Count, code: u8, row: &Row) -> i32 {
    let before = of_kind(row.codes(), what.kind) as i32;
    match what.region {
        Region::Row => before + i32::from(what.kind == code),
        Region::Left => before,
        Region::Right | Region::Next => 0,
        Region::One => 1,
    }
}

impl Graft {
    /// Some kinds as columns; columns beyond them hold kind 0.
    #[inline(always)]
    pub(super) fn columns<const N: usize>(&self, kinds: &[Kind]) -> Cards<N> {
        let mut cards = Cards { types: [0; N], codes: [1; N] };
        for (i, &kind) in kinds.iter().enumerate().take(N) {
            (cards.types[i], cards.codes[i]) = (self.data(kind).ty.into(), kind.code().into());
        }
        cards
    }

    /// What the cards of a row would score if one of these came to its right end, that card itself left out.
    #[inline(always)]
    pub(super) fn points_with<const N: usize>(&self, row: &Row, cards: &Cards<N>) -> [i32; N] {
        let mut points = [0i32; N];
        let codes = row.codes();
        let mut around = Around::of(row.types);
        let mut left = 0u64;
        for at in 0..codes.len() {
            let card = self.data(Kind::of_code(codes[at]));
            let last = at + 1 == codes.len();
            let next = if last { 0 } else { self.data(Kind::of_code(codes[at + 1])).unit };
            around.set(Region::Left, left, 0);
            around.set(Region::Right, row.types.wrapping_sub(left).wrapping_sub(card.unit), ALL);
            around.set(Region::Next, next, if last { ALL } else { 0 });
            for clause in card.score() {
                let growing = |what: &Count| {
                    if what.kind == 0 { around.growing(what) } else { growing_kind(what, codes, at) }
                };
                let (test, per) = (growing(&clause.test), growing(&clause.per));
                for (i, points) in points.iter_mut().enumerate() {
                    *points = points.wrapping_add(clause.points(test.with(cards, i), per.with(cards, i)));
                }
            }
            left = left.wrapping_add(card.unit);
        }
        points
    }

    /// Of some slots, those whose badge a row would meet if one of these cards came to its right end.
    #[inline(always)]
    pub(super) fn met_with<const N: usize>(
        &self,
        row: &Row,
        cards: &Cards<N>,
        slots: &[u8; SLOTS],
        wanted: u8,
    ) -> [u8; N] {
        let mut met = [0u8; N];
        for (slot, &badge) in slots.iter().enumerate() {
            let badge = usize::from(badge) & 31;
            if wanted >> slot & 1 != 0 && self.least[badge] <= row.len.wrapping_add(1) {
                let all = self.meeting(row, cards, self.badges[badge].needs());
                for (met, all) in met.iter_mut().zip(all) {
                    *met |= (all as u8) << slot;
                }
            }
        }
        met
    }

    /// By card, 1 if the row would meet all needs with it.
    #[inline(always)]
    fn meeting<const N: usize>(&self, row: &Row, cards: &Cards<N>, needs: &[Need]) -> [u32; N] {
        let mut all = [1u32; N];
        for need in needs {
            let growing = self.need_growing(row, need);
            for (i, all) in all.iter_mut().enumerate() {
                *all &= u32::from(need.bounds.holds(growing.with(cards, i)));
            }
        }
        all
    }

    /// What a need looks at, with the next card.
    #[inline(always)]
    fn need_growing(&self, row: &Row, need: &Need) -> Growing {
        let last = row.last().map_or(0, |kind| 1u32 << self.data(kind).ty);
        let (types, code) = match need.form {
            Form::Count(what) if what.kind != 0 => (0, u32::from(what.kind)),
            Form::Count(what) => (u32::from(what.types) & !(present(row.types) & what.unique as u32), 0),
            Form::Adjacent(a, b) => {
                let (a, b) = (u32::from(a), u32::from(b));
                (if last & a != 0 { b } else { 0 } | if last & b != 0 { a } else { 0 }, 0)
            }
            Form::Most => {
                let count = |ty: usize| row.types >> (8 * ty) & 0xff;
                let most = (0..MAX_TYPES).map(count).max().unwrap_or(0);
                ((0..MAX_TYPES).filter(|&ty| count(ty) == most).fold(0, |set, ty| set | 1 << ty), 0)
            }
            Form::Run if row.len == 0 => (ALL, 0),
            Form::Run => {
                // The stretch at the end is one more than the twins there.
                let end = (row.twins << (32 - u32::from(row.len))).leading_ones() + 1;
                (if end == self.need_value(row, need) { last } else { 0 }, 0)
            }
            Form::Twins => (last, 0),
        };
        Growing { now: self.need_value(row, need) as i32, types, code }
    }
}
