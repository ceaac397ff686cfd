//! How far rows are on the way to badges, as numbers: what a badge can still make of a row is a stage, and with each card the stage
//! changes by a table. Nearly every badge has few stages. A badge with too many, or that names a kind for which there is no room, has stage 0,
//! [`UNKNOWN`]: its needs are looked at one by one.
//!
//! The needs of badges in play differ in number and form, so walking through them at each placed card and in each observation took branches
//! that depend on chance: a tenth of a step's instructions, and more of its time. The twin of the tables is `Graft::met_by`.

use super::badge_search::{Trail, placed, settled, value};
use super::content::{BadgeData, KindData};
use super::score::{Form, Need};
use super::state::{Kind, MAX_BADGES, MAX_KINDS, MAX_TYPES, SLOTS};
use std::collections::BTreeMap;

/// The stage of every row if the badge has none.
const UNKNOWN: u16 = 0;
/// Most stages of one badge and of all badges together.
const MOST: usize = 160;
const ALL: usize = 2048;
/// The bit of a stage in which the row meets the badge.
const MEETS: u16 = 1 << 15;
/// Sorts of cards: a sort for each type, and one for each kind that badges count by name, as far as there is room.
const SORTS: usize = 8;

/// The stages of all badges.
#[derive(Clone, Debug)]
pub(super) struct Stages {
    /// By stage and sort of the next card the stage that follows, with [`MEETS`] if the row then meets the badge.
    next: Box<[[u16; SORTS]; ALL]>,
    /// By stage the sorts of cards with which it would.
    ahead: Box<[u8; ALL]>,
    /// By badge the stage of an empty row.
    first: [u16; MAX_BADGES],
    /// By badge and sort of the first card of a row the stage that follows.
    second: Box<[[u16; SORTS]; MAX_BADGES]>,
    /// By kind its sort.
    sorts: [u8; MAX_KINDS],
    /// By sort the type of its cards.
    types: [u8; SORTS],
}

/// The stages of a row, by slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowStages {
    stages: [u16; SLOTS],
    /// Slots whose badge has no stages.
    pub unknown: u8,
}

impl RowStages {
    /// Those of a row without sums.
    pub const NONE: RowStages = RowStages { stages: [UNKNOWN; SLOTS], unknown: 0 };
}

/// The slots whose badge a row in these stages meets.
#[inline(always)]
fn met(stages: [u16; SLOTS]) -> u8 {
    (0..SLOTS).fold(0, |set, slot| set | ((stages[slot] & MEETS) >> (15 - slot)) as u8)
}

/// The slots whose badge has no stages.
#[inline(always)]
fn unknown(stages: [u16; SLOTS]) -> u8 {
    (0..SLOTS).fold(0, |set, slot| set | u8::from(stages[slot] == UNKNOWN) << slot)
}

impl Stages {
    pub(super) fn new(kinds: &[KindData], badges: &[BadgeData]) -> Stages {
        let mut all = Stages {
            next: Box::new([[UNKNOWN; SORTS]; ALL]),
            ahead: Box::new([0; ALL]),
            first: [UNKNOWN; MAX_BADGES],
            second: Box::new([[UNKNOWN; SORTS]; MAX_BADGES]),
            sorts: [0; MAX_KINDS],
            types: std::array::from_fn(|ty| ty as u8),
        };
        let mut sorts = kinds.iter().map(|kind| usize::from(kind.ty) + 1).max().unwrap_or(0);
        for (sort, kind) in all.sorts.iter_mut().zip(kinds) {
            *sort = kind.ty & (MAX_TYPES as u8 - 1);
        }
        let named = |badge: &BadgeData| {
            let code = |need: &Need| if let Form::Count(what) = need.form { what.kind } else { 0 };
            badge.needs().iter().map(code).filter(|&code| code != 0).map(Kind::of_code).collect::<Vec<_>>()
        };
        for kind in badges.iter().flat_map(named) {
            let ty = kinds[kind.index()].ty;
            if sorts < SORTS && all.sorts[kind.index()] == ty {
                (all.sorts[kind.index()], all.types[sorts]) = (sorts as u8, ty);
                sorts += 1;
            }
        }
        let alike: Vec<Option<(usize, &KindData)>> = (0..SORTS as u8)
            .map(|sort| kinds.iter().enumerate().find(|(at, _)| all.sorts[*at] == sort))
            .collect();
        let mut from = 1;
        for (at, badge) in badges.iter().enumerate() {
            let has_sort = |kind: &Kind| all.sorts[kind.index()] != kinds[kind.index()].ty;
            if named(badge).iter().all(has_sort)
                && let Some(found) = stages_of(badge.needs(), &alike)
                && from + found.len() <= ALL
            {
                all.add(from, &found);
                (all.first[at], all.second[at]) = (from as u16, all.next[from]);
                from += found.len();
            }
        }
        all
    }

    /// Adds the stages of a badge, which are numbered from `from` on.
    fn add(&mut self, from: usize, found: &[(bool, [usize; SORTS])]) {
        for (at, (_, next)) in found.iter().enumerate() {
            let stage = |next: usize| (from + next) as u16 | if found[next].0 { MEETS } else { 0 };
            self.next[from + at] = next.map(stage);
            let meeting = |sort: &usize| found[next[*sort]].0;
            self.ahead[from + at] = (0..SORTS).filter(meeting).fold(0, |set, sort| set | 1 << sort);
        }
    }

    /// The sort of a kind.
    #[inline(always)]
    pub(super) fn sort(&self, kind: Kind) -> u8 {
        self.sorts[kind.index()]
    }

    /// The stages of an empty row.
    #[inline(always)]
    pub(super) fn first(&self, slots: &[u8; SLOTS]) -> RowStages {
        let stages = slots.map(|badge| self.first[usize::from(badge) % MAX_BADGES]);
        RowStages { stages, unknown: unknown(stages) }
    }

    /// The stages after one more card, and the slots whose badge the row then meets, as far as stages tell.
    #[inline(always)]
    pub(super) fn after(&self, row: RowStages, kind: Kind) -> (RowStages, u8) {
        let sort = usize::from(self.sort(kind)) % SORTS;
        let stages = row.stages.map(|stage| self.next[usize::from(stage) % ALL][sort]);
        (RowStages { stages, ..row }, met(stages))
    }

    /// The same of an empty row.
    #[inline(always)]
    pub(super) fn begun(&self, slots: &[u8; SLOTS], kind: Kind) -> (RowStages, u8) {
        let sort = usize::from(self.sort(kind)) % SORTS;
        let stages = slots.map(|badge| self.second[usize::from(badge) % MAX_BADGES][sort]);
        (RowStages { stages, unknown: unknown(stages) }, met(stages))
    }

    /// By slot as bytes, the sorts of cards with which a row would meet its badge, as far as stages tell.
    #[inline(always)]
    pub(super) fn ahead(&self, row: RowStages) -> u64 {
        let ahead = row.stages.map(|stage| u64::from(self.ahead[usize::from(stage) % ALL]));
        (0..SLOTS).fold(0, |all, slot| all | ahead[slot] << (8 * slot))
    }

    /// The same bits for sorts as for their types.
    pub(super) fn by_sort(&self, types: u64) -> u64 {
        let of = |sort: usize| types >> self.types[sort] & 0x01_0101_0101;
        (0..SORTS).fold(0, |all, sort| all | of(sort) << sort)
    }
}

/// By stage, the empty row first, whether the needs are met, and by sort the number of the next stage. `None` if there are too many.
fn stages_of(needs: &[Need], alike: &[Option<(usize, &KindData)>]) -> Option<Vec<(bool, [usize; SORTS])>> {
    let mut trails = vec![Some(Trail::default())];
    let mut numbers = BTreeMap::from([(trails[0], 0)]);
    let mut found = Vec::new();
    while found.len() < trails.len() {
        let here = found.len();
        let mut next = [here; SORTS];
        for (next, kind) in next.iter_mut().zip(alike) {
            if let (Some(trail), Some((at, data))) = (trails[here], kind) {
                let after = settled(&placed(&trail, *at, data, false, needs), needs);
                *next = *numbers.entry(after).or_insert(trails.len());
                if *next == trails.len() {
                    trails.push(after);
                }
            }
        }
        if trails.len() > MOST {
            return None;
        }
        // An empty row meets nothing.
        let meets = |(i, need): (usize, &Need)| {
            trails[here].is_some_and(|trail| need.bounds.holds(value(&trail, i, need) as i32))
        };
        found.push((here > 0 && needs.iter().enumerate().all(meets), next));
    }
    Some(found)
}
