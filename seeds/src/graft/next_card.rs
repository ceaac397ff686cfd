//! What the next card would do to a row: its points and the badges it would meet.
//!
//! A count over a row grows by at most one with the next card, and whether it does depends on the type of that card, unless the
//! count names a kind. So an observation works every answer out once for each of the eight types ([`Ahead`]) and looks it up for
//! every card of a hand. Rows do not keep the answers: working them out for each placed card took 18 % of a decision without outputs.
//! If a count names the kind of a card, the card is scored without this table ([`Graft::judged_with`]).
//! Most clauses grow in the same way whatever else is in the row ([`Growth`]): their sums grow with the row ([`Sums`]). Only for
//! the others the row itself is read.
//!
//! Nothing here checks for overflow: `content.rs` refuses a content with which rows, counts or points could become too large.

use super::Graft;
use super::content::{Effect, KindData};
use super::score::{Bounds, Clause, Count, Form, Need, Region, of_kind, once, sum};
use super::state::{HIGH, Kind, MAX_BADGES, MAX_KINDS, MAX_ROW, MAX_TYPES, ONES, Row, SLOTS, Sums, bits_of};

/// What the clauses of a kind make of later cards.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Growth {
    /// By type, what every later card adds, whatever the row holds.
    later: [i16; MAX_TYPES],
    /// By type, what the card directly to the right adds to that.
    next: [i16; MAX_TYPES],
    /// By type, what a later card adds if the row has no card of its type yet.
    fresh: [i16; MAX_TYPES],
    /// By the size of the row, what the next card adds, whatever it is.
    sized: [i16; MAX_ROW],
    /// Kinds that the clauses count where later cards lie, as bits.
    names: u64,
    /// Whether some of `sized` is not 0.
    is_sized: bool,
    /// Whether some of `fresh` is not 0.
    is_fresh: bool,
    /// Clauses of which nothing of this is true: their growth depends on the row.
    open: u8,
    /// Type.
    ty: u8,
}

impl Growth {
    /// Adds what later cards of types that are not there add.
    #[inline(never)]
    fn add_fresh(&self, sums: &mut Sums, types: u64) {
        for (ty, &more) in self.fresh.iter().enumerate() {
            if ty != usize::from(self.ty) && types >> (8 * ty) & 0xff == 0 {
                sums.fresh[ty] = sums.fresh[ty].wrapping_add(more);
                sums.later[ty] = sums.later[ty].wrapping_add(more);
            }
        }
    }
}

/// Adds points by type.
#[inline(always)]
fn add(sums: &mut [i16; MAX_TYPES], more: &[i16; MAX_TYPES]) {
    // Copies: in place the compiler could not add whole vectors, as one list might overlap the other.
    let (old, more) = (*sums, *more);
    *sums = std::array::from_fn(|ty| old[ty].wrapping_add(more[ty]));
}

/// By code; nothing for 0 and for codes without a kind.
pub(super) type Growths = [Growth; 128];

/// What everybody sees of a row's last card.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Face {
    /// Its type, as bits.
    pub(super) ty: u8,
    /// Types that fulfil a `next` test of it.
    pub(super) wanted: u8,
    /// 1 for an Energy Bar.
    pub(super) bar: u8,
}

/// By code; nothing for 0 and for codes without a kind.
pub(super) type Faces = [Face; 128];

/// The faces of all kinds.
pub(super) fn faces(kinds: &[KindData]) -> Box<Faces> {
    let mut all = Box::new([Face::default(); 128]);
    for (face, card) in all[1..].iter_mut().zip(kinds) {
        let bar = u8::from(card.effect == Effect::EnergyBar);
        *face = Face { ty: 1 << (card.ty & 7), wanted: card.wanted, bar };
    }
    all
}

/// The types whose card would meet a need; a card of a type in `more` raises its count by one. Bit 0 of `holds` says whether the
/// present count meets it, bit 1 whether one more does.
#[inline(always)]
fn allowed(holds: u64, more: u8) -> u8 {
    let with = |bit: u64| (bit as u8 & 1).wrapping_neg();
    more & with(holds >> 1) | !more & with(holds)
}

/// What the next card of each type would do to a row.
pub(super) struct Ahead {
    /// By type, what the row would score with it, besides what the card itself scores.
    pub(super) gain: [i32; MAX_TYPES],
    /// By slot as bytes, the sorts of cards with which the row would meet its badge.
    pub(super) met: u64,
    /// Kinds of which all this is true, as bits: those that no clause of the row and no badge counts by name.
    pub(super) plain: u64,
}

impl Ahead {
    /// The slots whose badge the row would meet with a card of a sort.
    #[inline(always)]
    pub(super) fn met_with(&self, sort: u8) -> u8 {
        bits_of(self.met >> (sort & 7) & ONES)
    }
}

/// The growth of all kinds.
pub(super) fn growths(kinds: &[KindData]) -> Box<Growths> {
    let mut all = Box::new([Growth::default(); 128]);
    for (growth, kind) in all[1..].iter_mut().zip(kinds) {
        *growth = growth_of(kind);
    }
    all
}

fn growth_of(card: &KindData) -> Growth {
    let mut growth = Growth { ty: card.ty & (MAX_TYPES as u8 - 1), ..Growth::default() };
    for (i, clause) in card.score().iter().enumerate() {
        let counts = [&clause.test, &clause.per];
        for what in counts.iter().filter(|what| what.kind != 0 && lies_later(what.region)) {
            growth.names |= 1 << Kind::of_code(what.kind).index();
        }
        // To cards that are not named, a count of one kind does not grow.
        let grows = |what: &&Count| what.kind == 0 && lies_later(what.region);
        if !counts.iter().any(grows) {
            continue;
        }
        if counts.iter().all(|what| matches!(what.region, Region::Next | Region::One)) {
            let value = |next: u64| clause.points(near(&clause.test, next), near(&clause.per, next));
            for (ty, more) in growth.next.iter_mut().enumerate() {
                *more += (value(1 << (8 * ty)) - value(0)) as i16;
            }
        } else if clause.test == Count::ONE && clause.per.region != Region::Next && !clause.per.unique {
            for (ty, more) in growth.later.iter_mut().enumerate() {
                *more += if clause.per.types >> ty & 1 != 0 { clause.points as i16 } else { 0 };
            }
        } else if clause.test == Count::ONE && clause.per.region == Region::Row && clause.per.unique {
            for (ty, more) in growth.fresh.iter_mut().enumerate() {
                *more += if clause.per.types >> ty & 1 != 0 { clause.points as i16 } else { 0 };
            }
            growth.is_fresh = true;
        } else if counts.iter().all(|what| **what == Count::ONE || is_size(what)) {
            let value = |size: usize| {
                let of = |what: &Count| if is_size(what) { size as i32 } else { 1 };
                clause.points(of(&clause.test), of(&clause.per))
            };
            for (size, more) in growth.sized.iter_mut().enumerate() {
                *more += (value(size + 1) - value(size)) as i16;
            }
            growth.is_sized = true;
        } else {
            growth.open |= 1 << i;
        }
    }
    growth
}

/// Whether a count is the number of cards of the row.
fn is_size(what: &Count) -> bool {
    what.region == Region::Row && what.kind == 0 && !what.unique && what.types == u8::MAX
}

/// Whether cards that are placed later can lie in a region.
fn lies_later(region: Region) -> bool {
    matches!(region, Region::Row | Region::Right | Region::Next)
}

/// A count over nothing but the next card, of no kind that is counted by name.
fn near(what: &Count, next: u64) -> i32 {
    match what.region {
        Region::One => 1,
        _ if what.kind != 0 => 0,
        _ => what.of(next) as i32,
    }
}

/// A count, and by type 1 in its byte where the next card makes it one more.
#[derive(Clone, Copy)]
struct Growing {
    now: u32,
    more: u64,
}

impl Growing {
    /// The count after a card of each type, as bytes; they stay below 128.
    #[inline(always)]
    fn by_type(self) -> u64 {
        u64::from(self.now).wrapping_mul(ONES).wrapping_add(self.more)
    }
}

impl Bounds {
    /// For bytes below 128 those whose count is allowed, by their highest bit.
    #[inline(always)]
    fn hold(&self, counts: u64) -> u64 {
        // No count of a row reaches 127.
        let bytes = |bound: u8| u64::from(bound.min(127)).wrapping_mul(ONES);
        let odd = counts ^ u64::from(self.parity).wrapping_mul(ONES);
        let parity = !(odd & u64::from(self.parity_mask).wrapping_mul(ONES)) << 7;
        (counts | HIGH).wrapping_sub(bytes(self.min))
            & (bytes(self.max) | HIGH).wrapping_sub(counts)
            & parity
            & HIGH
    }
}

/// Data needed to place a card of a kind. For nearly all kinds the points at the right end of a row are one number for each value of
/// one count, because nothing lies to the right of the card. All other fields and the points of counts below 16 share one line of
/// the cache.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Placing {
    /// Bytes of the types of which cards count.
    cards: u64,
    /// Bytes of the types that count once.
    types: u64,
    /// One card of the kind, in its byte, if its own type counts once.
    unit: u64,
    /// What a row of this card alone scores.
    pub(super) alone: i16,
    /// The kind of which cards count, and the bits of their number that do: none if no kind is counted by name.
    named: Kind,
    named_bits: u8,
    /// Type.
    pub(super) ty: u8,
    /// Types that it forbids.
    pub(super) forbids: u8,
    /// What it keeps of the types that the row forbids: all of them, or none of them for a Z-Coin (GR-R19).
    pub(super) kept: u8,
    /// Points by the count: a row that takes one more card has fewer than [`MAX_ROW`].
    points: [i16; MAX_ROW],
}

/// By kind.
pub(super) type Placings = [Placing; MAX_KINDS];

impl Placing {
    /// Nothing.
    const NONE: Placing = Placing {
        cards: 0,
        types: 0,
        unit: 0,
        alone: 0,
        named: Kind(0),
        named_bits: 0,
        ty: 0,
        forbids: 0,
        kept: u8::MAX,
        points: [0; MAX_ROW],
    };

    /// Second: whether one count is all that its points follow from.
    fn of(kind: Kind, card: &KindData) -> (Placing, bool) {
        let kept = if card.effect == Effect::ZCoin { 0 } else { u8::MAX };
        let (alone, ty, forbids) = (card.alone as i16, card.ty, card.forbids);
        let mut placing = Placing { alone, ty, forbids, kept, ..Placing::NONE };
        let (mut whole, mut counted): (_, Option<&Count>) = (true, None);
        let counts = card.score().iter().flat_map(|clause| [&clause.test, &clause.per]);
        for what in counts.filter(|what| matches!(what.region, Region::Row | Region::Left)) {
            whole &= counted.is_none_or(|other| other == what);
            counted = Some(what);
        }
        // In the row the card counts itself, which makes no difference to types that are there.
        let mut itself = 0;
        if let Some(what) = counted {
            let is_row = what.region == Region::Row;
            let own_type = if is_row { card.unit & what.set } else { 0 };
            if what.kind != 0 {
                (placing.named, placing.named_bits) = (Kind::of_code(what.kind), u8::MAX);
                itself = usize::from(is_row && what.kind == kind.code());
            } else if what.unique {
                (placing.types, placing.unit) = (what.set, own_type);
            } else {
                placing.cards = what.set;
                itself = usize::from(own_type != 0);
            }
        }
        for (count, points) in placing.points.iter_mut().enumerate() {
            let value = |what: &Count| match what.region {
                Region::One => 1,
                Region::Right | Region::Next => 0,
                Region::Row | Region::Left => (count + itself) as i32,
            };
            let of = |clause: &Clause| clause.points(value(&clause.test), value(&clause.per));
            *points = card.score().iter().map(of).sum::<i32>() as i16;
        }
        (placing, whole)
    }
}

/// Second: the kinds whose points at the right end follow from one count, as bits.
pub(super) fn placings(kinds: &[KindData]) -> (Box<Placings>, u64) {
    let (mut all, mut single) = (Box::new([Placing::NONE; MAX_KINDS]), 0);
    for (at, card) in kinds.iter().enumerate() {
        let (placing, whole) = Placing::of(Kind(at as u8), card);
        all[at] = placing;
        single |= u64::from(whole) << at;
    }
    (all, single)
}

/// What a row counts for a card that comes to its right end.
pub(super) struct RightEnd<'r> {
    /// Cards by type.
    cards: u64,
    /// 1 for each type that is there.
    types: u64,
    row: &'r Row,
}

impl RightEnd<'_> {
    #[inline(always)]
    pub(super) fn of(row: &Row) -> RightEnd<'_> {
        RightEnd { cards: row.types, types: once(row.types), row }
    }

    /// What a card of [`Graft::single`] scores there.
    #[inline(always)]
    pub(super) fn points_of(&self, card: &Placing) -> i32 {
        let count = sum(self.cards & card.cards | self.types & card.types | card.unit);
        let named = self.row.counts.0[card.named.index()] & card.named_bits;
        card.points[count.wrapping_add(named.into()) as usize % MAX_ROW].into()
    }
}

/// The same of any card, count by count.
#[inline(never)]
pub(super) fn own_points(card: &KindData, code: u8, row: &Row) -> i32 {
    let of = |what: &Count| {
        let (cards, copies) = match what.region {
            Region::Row => (row.types.wrapping_add(card.unit), u32::from(what.kind == code)),
            Region::Left => (row.types, 0),
            Region::Right | Region::Next => return 0,
            Region::One => return 1,
        };
        let count = if what.kind == 0 { what.of(cards) } else { of_kind(row.codes(), what.kind) + copies };
        count as i32
    };
    card.score().iter().map(|clause| clause.points(of(&clause.test), of(&clause.per))).sum()
}

impl Graft {
    /// Points of a row, its sums being known, with one more card; `None` if a clause of the row counts the kind by name.
    #[inline(always)]
    pub(super) fn score_with(&self, row: &Row, kind: Kind, card: &Placing) -> Option<i32> {
        let own = if self.single >> kind.index() & 1 != 0 {
            RightEnd::of(row).points_of(card)
        } else {
            own_points(self.data(kind), kind.code(), row)
        };
        let gain = self.gain(row, &row.sums, usize::from(card.ty) % MAX_TYPES);
        (row.sums.names >> kind.index() & 1 == 0).then(|| row.score.wrapping_add(gain).wrapping_add(own))
    }

    /// Slots whose badge a row of one card meets.
    #[inline(always)]
    pub(super) fn met_alone(&self, kind: Kind, slots: &[u8; SLOTS]) -> u8 {
        let meets = |badge: u8| self.met_by_one[usize::from(badge) % MAX_BADGES] >> kind.index() & 1;
        slots.iter().rev().fold(0, |met, &badge| met << 1 | meets(badge) as u8)
    }

    /// The sums over the cards of a row.
    pub(super) fn sums(&self, row: &Row, slots: &[u8; SLOTS]) -> Sums {
        let mut sums = Sums { stages: self.stages.first(slots), ..Sums::default() };
        let mut types = 0;
        for (&code, at) in row.codes().iter().zip(0..) {
            let kind = Kind::of_code(code);
            self.add_to(&mut sums, kind, types, at);
            sums.stages = self.stages.after(sums.stages, kind).0;
            types = types.wrapping_add(self.data(kind).unit);
        }
        sums.sized_now = self.sized_gain(row, sums.sized);
        sums
    }

    /// Adds a card at a place to the sums over the cards before it, which are of these types. Stages are apart.
    #[inline(always)]
    pub(super) fn add_to(&self, sums: &mut Sums, kind: Kind, types: u64, at: u8) {
        let growth = &self.growths[usize::from(kind.code() & 127)];
        add(&mut sums.later, &growth.later);
        // From now on its type is there.
        let ty = usize::from(growth.ty) % MAX_TYPES;
        let fresh = std::mem::take(&mut sums.fresh[ty]);
        sums.later[ty] = sums.later[ty].wrapping_sub(fresh);
        if growth.is_fresh {
            growth.add_fresh(sums, types);
        }
        sums.names |= growth.names;
        sums.sized |= u32::from(growth.is_sized) << (at & 31);
        sums.open |= u32::from(growth.open != 0) << (at & 31);
        sums.cards = at.wrapping_add(1);
    }

    /// What the next card would do to a row.
    #[inline(always)]
    pub(super) fn look_ahead(&self, row: &Row, slots: &[u8; SLOTS]) -> Ahead {
        // A row that was loaded has no sums yet.
        let again;
        let mut sums = &row.sums;
        if sums.cards != row.len {
            again = self.sums(row, slots);
            sums = &again;
        }
        let stages = if row.len == 0 { self.stages.first(slots) } else { sums.stages };
        let (mut met, mut named) = (self.stages.ahead(stages), 0);
        if stages.unknown != 0 {
            let (more, names) = self.met_ahead(row, slots, stages.unknown);
            met |= self.stages.by_sort(more);
            named = names;
        }
        Ahead { gain: self.gains(row, sums), met, plain: !(sums.names | named) }
    }

    /// By type of the next card, the points of a row with it, without those of the card itself: vector code for all types at once.
    #[inline(always)]
    fn gains(&self, row: &Row, sums: &Sums) -> [i32; MAX_TYPES] {
        let last = &self.growths[usize::from(row.last_code() & 127)];
        let mut more = sums.later;
        add(&mut more, &last.next);
        let all = row.score.wrapping_add(sums.sized_now.into());
        let mut gains = more.map(|more| all.wrapping_add(more.into()));
        if sums.open != 0 {
            for (gain, open) in gains.iter_mut().zip(self.open_gains(row, sums.open)) {
                *gain = gain.wrapping_add(open);
            }
        }
        gains
    }

    /// What the cards at some places of a row add with one more card, whatever it is.
    #[inline(always)]
    pub(super) fn sized_gain(&self, row: &Row, mut places: u32) -> i16 {
        let mut gain = 0i16;
        while places != 0 {
            let card =
                &self.growths[usize::from(row.cards[places.trailing_zeros() as usize % MAX_ROW] & 127)];
            gain = gain.wrapping_add(card.sized[usize::from(row.len) % MAX_ROW]);
            places &= places - 1;
        }
        gain
    }

    /// The same of a row of one card.
    #[inline(always)]
    pub(super) fn sized_alone(&self, kind: Kind) -> i16 {
        self.growths[usize::from(kind.code() & 127)].sized[1]
    }

    /// The gain of the next card's type.
    #[inline(always)]
    fn gain(&self, row: &Row, sums: &Sums, ty: usize) -> i32 {
        let last = &self.growths[usize::from(row.last_code() & 127)];
        let more = sums.later[ty].wrapping_add(last.next[ty]);
        let open = if sums.open == 0 { 0 } else { self.open_gains(row, sums.open)[ty] };
        i32::from(sums.sized_now).wrapping_add(more.into()).wrapping_add(open)
    }

    /// What the open clauses of the cards at some places add with the next card, by type.
    #[cold]
    #[inline(never)]
    fn open_gains(&self, row: &Row, mut places: u32) -> [i32; MAX_TYPES] {
        let mut gain = [0; MAX_TYPES];
        while places != 0 {
            self.add_open(row, places.trailing_zeros() as usize, &mut gain);
            places &= places - 1;
        }
        gain
    }

    /// What the open clauses of a card add with the next card, by type.
    fn add_open(&self, row: &Row, at: usize, gain: &mut [i32; MAX_TYPES]) {
        let kind = Kind::of_code(row.cards[at % MAX_ROW]);
        let (card, open) = (self.data(kind), self.growths[usize::from(kind.code() & 127)].open);
        for (_, clause) in card.score().iter().enumerate().filter(|(i, _)| open >> i & 1 != 0) {
            let (test, times) = (self.growing(&clause.test, row, at), self.growing(&clause.per, row, at));
            let now = clause.points(test.now as i32, times.now as i32);
            let holds = clause.bounds.hold(test.by_type()).to_le_bytes();
            for ((gain, holds), times) in gain.iter_mut().zip(holds).zip(times.by_type().to_le_bytes()) {
                let then = if holds != 0 { clause.points.wrapping_mul(times.into()) } else { clause.other };
                *gain = gain.wrapping_add(then.wrapping_sub(now));
            }
        }
    }

    /// A count at a card of a row.
    #[inline]
    fn growing(&self, what: &Count, row: &Row, at: usize) -> Growing {
        let codes = row.codes();
        let unit = |code: &u8| self.data(Kind::of_code(*code)).unit;
        let (part, open) = match what.region {
            Region::Row => (codes, true),
            Region::Left => (&codes[..at], false),
            Region::Right => (&codes[at + 1..], true),
            Region::Next => (&codes[at + 1..codes.len().min(at + 2)], at + 1 == codes.len()),
            Region::One => return Growing { now: 1, more: 0 },
        };
        if what.kind != 0 {
            return Growing { now: of_kind(part, what.kind), more: 0 };
        }
        let cards = match what.region {
            Region::Row => row.types,
            _ => part.iter().map(unit).fold(0, u64::wrapping_add),
        };
        let known = if what.unique { once(cards) } else { 0 };
        Growing { now: what.of(cards), more: if open { what.set & ONES & !known } else { 0 } }
    }

    /// First: by slot as bytes, for the slots of `some`, the types with which a row would meet its badge. Second: the kinds that need a
    /// separate check, because a reachable badge counts them by name.
    #[inline(never)]
    fn met_ahead(&self, row: &Row, slots: &[u8; SLOTS], some: u8) -> (u64, u64) {
        let types = once(row.types);
        let there = bits_of(types);
        let (mut met, mut names) = (0, 0);
        let mut near = self.near(row.len.wrapping_add(1), slots) & u32::from(some);
        while near != 0 {
            let slot = near.trailing_zeros() as usize % SLOTS;
            near &= near - 1;
            let mut all = u8::MAX;
            for need in self.badges[usize::from(slots[slot])].needs() {
                // The count, and the types of which a card makes it one more.
                let (now, more) = match need.form {
                    // What most needs count, without a branch between them.
                    Form::Count(what) if what.kind == 0 => {
                        let (word, once) = if what.unique { (types, there) } else { (row.types, 0) };
                        (sum(word & what.set), what.types & !once)
                    }
                    Form::Count(what) => {
                        let kind = Kind::of_code(what.kind);
                        names |= 1 << kind.index();
                        (row.count(kind), 0)
                    }
                    _ => self.shape_growing(row, need),
                };
                all &= allowed(need.counts.wrapping_shr(now), more);
            }
            met |= u64::from(all) << (8 * slot);
        }
        (met, names)
    }

    /// The slots whose badge a row of `len` cards can meet.
    #[inline]
    pub(super) fn near(&self, len: u8, slots: &[u8; SLOTS]) -> u32 {
        let least = |badge: u8| self.least[usize::from(badge) % MAX_BADGES];
        slots.iter().rev().fold(0, |near, &badge| near << 1 | u32::from(least(badge) <= len))
    }

    /// What a need looks at that is about more than numbers of cards, and the types of which a card makes it one more. A function
    /// of its own, as `shape_value` is.
    #[inline(never)]
    fn shape_growing(&self, row: &Row, need: &Need) -> (u32, u8) {
        let now = self.need_value(row, need);
        let last = self.faces[usize::from(row.last_code() & 127)].ty;
        let more = match need.form {
            Form::Count(_) => 0,
            Form::Adjacent(a, b) => {
                let beside = |one: u8, other: u8| if last & one != 0 { other } else { 0 };
                beside(a, b) | beside(b, a)
            }
            // Types as large as the largest: their difference to it is 0.
            Form::Most => !bits_of(once(u64::from(now).wrapping_mul(ONES).wrapping_sub(row.types))),
            Form::Run if row.len == 0 => u8::MAX,
            Form::Run => {
                // The stretch at the end is one more than the twins there.
                let end = row.twins.wrapping_shl(32u32.wrapping_sub(row.len.into())).leading_ones() + 1;
                if end == now { last } else { 0 }
            }
            Form::Twins => last,
        };
        (now, more)
    }
}
