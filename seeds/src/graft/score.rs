//! What rows are worth: clauses and needs compiled to small numbers, evaluated on packed counts and position masks.
//!
//! A row keeps its cards of each type as the eight bytes of one word. A region (left of a card, right of it, the next card,
//! the whole row) is such a word too, so a count is a mask, a multiplication and a shift. Here rows are judged whole, card by
//! card; what the next card changes is in `next_card`.

use super::Graft;
use super::next_card::Placing;
use super::observe::shown;
use super::state::{HIGH, Kind, MAX_TYPES, ONES, Row, SLOTS, State, Sums};
use playmat_core::prelude::*;

/// Where a count is taken (GR-R20l).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Region {
    /// The whole row, the card itself included.
    Row,
    /// Left of the card.
    Left,
    /// Right of the card.
    Right,
    /// The one card to its right, or nothing.
    Next,
    /// No region: always 1.
    One,
}

/// What is counted, and where: `COUNT` of the content's grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Bytes of the types that count.
    pub set: u64,
    /// The same types as bits.
    pub types: u8,
    /// Whether different types are counted instead of cards.
    pub unique: bool,
    /// Code of the kind that is counted, 0 if types are.
    pub kind: u8,
    /// Where.
    pub region: Region,
    /// Twice the region, and one more if different types are counted.
    pub place: u8,
}

impl Count {
    /// The count that is always 1.
    pub const ONE: Count =
        Count { set: u64::MAX, types: u8::MAX, unique: false, kind: 0, region: Region::One, place: 8 };

    /// The value of a word of counts by type.
    #[inline(always)]
    pub(super) fn of(&self, word: u64) -> u32 {
        sum(if self.unique { once(word) } else { word } & self.set)
    }
}

/// The sum of the bytes of a word of counts.
#[inline(always)]
pub(super) fn sum(word: u64) -> u32 {
    (word.wrapping_mul(ONES) >> 56) as u32
}

/// Each type of a word of counts once.
#[inline(always)]
pub(super) fn once(word: u64) -> u64 {
    // Counts stay below 128.
    word.wrapping_add(!HIGH) >> 7 & ONES
}

/// Bounds on a count: `min`, `max`, `parity`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Smallest.
    pub min: u8,
    /// Largest.
    pub max: u8,
    /// 1 if the last bit matters.
    pub parity_mask: u8,
    /// What the last bit must be then.
    pub parity: u8,
}

impl Bounds {
    /// Everything is allowed.
    pub const ANY: Bounds = Bounds { min: 0, max: u8::MAX, parity_mask: 0, parity: 0 };

    /// Whether a count is allowed.
    #[inline(always)]
    pub fn holds(&self, count: i32) -> bool {
        (count >= i32::from(self.min))
            & (count <= i32::from(self.max))
            & (count & i32::from(self.parity_mask) == i32::from(self.parity))
    }

    /// The counts below 64 that are allowed, as bits. No count of a row is larger.
    pub(super) fn counts(&self) -> u64 {
        (0..64).filter(|&count| self.holds(count)).fold(0, |set, count| set | 1 << count)
    }
}

/// `points x count if test else other`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Points for each that is counted.
    pub points: i32,
    /// What multiplies them.
    pub per: Count,
    /// What is tested.
    pub test: Count,
    /// What the test allows.
    pub bounds: Bounds,
    /// Points if the test fails.
    pub other: i32,
}

/// What a need of a badge looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A count over the row.
    Count(Count),
    /// Neighbouring pairs with one card of each set of types, either way round.
    Adjacent(u8, u8),
    /// The size of the largest type.
    Most,
    /// The longest stretch of neighbours of one type.
    Run,
    /// Neighbouring pairs of one type.
    Twins,
}

/// Bits as bytes of 0 or 1.
#[inline(always)]
pub(super) fn bytes_of(bits: u8) -> u64 {
    once(u64::from(bits).wrapping_mul(ONES) & 0x8040_2010_0804_0201)
}

impl Clause {
    /// Points for these counts.
    #[inline(always)]
    pub(super) fn points(&self, test: i32, times: i32) -> i32 {
        // No branch: what a clause comes to is as good as random.
        let holds = i32::from(self.bounds.holds(test)).wrapping_neg();
        self.points.wrapping_mul(times) & holds | self.other & !holds
    }
}

/// One need of a badge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// What it looks at.
    pub form: Form,
    /// What it allows.
    pub bounds: Bounds,
    /// The same as bits ([`Bounds::counts`]).
    pub counts: u64,
}

impl Need {
    pub(super) fn new(form: Form, bounds: Bounds) -> Need {
        Need { form, bounds, counts: bounds.counts() }
    }
}

/// Cards of one kind among codes.
pub(super) fn of_kind(codes: &[u8], code: u8) -> u32 {
    codes.iter().filter(|&&other| other == code).count() as u32
}

/// The points as the game stands.
#[inline]
pub(super) fn scores(game: &Graft, state: &State) -> Scores {
    let mut scores = Scores::default();
    for player in Player::all(game.players) {
        scores[player.index()] = state.points(player);
    }
    scores
}

/// GR-R15: the highest score, then the smallest compost, then all who are still equal.
pub(super) fn winners(game: &Graft, state: &State) -> Players {
    let rank = |player: Player| (state.points(player), -i32::from(state.compost_sizes[player.index()]));
    let best = Player::all(game.players).map(rank).max();
    Player::all(game.players).filter(|&player| Some(rank(player)) == best).collect()
}

impl Graft {
    /// Puts a card at the right end, without score and badges.
    #[inline(always)]
    fn append(&self, row: &mut Row, kind: Kind, card: &Placing) {
        let at = row.size() & 31;
        let ty = card.ty & (MAX_TYPES as u8 - 1);
        row.cards[at] = kind.code();
        row.counts.0[kind.index()] = row.counts.0[kind.index()].wrapping_add(1);
        row.twins |= !row.other_positions(ty) << 1 & 1 << at;
        row.type_bits = std::array::from_fn(|bit| row.type_bits[bit] | u32::from(ty >> bit & 1) << at);
        row.types = row.types.wrapping_add(1 << (8 * ty));
        row.forbidden = row.forbidden & card.kept | card.forbids;
        row.len = row.len.wrapping_add(1);
    }

    /// Puts a card at the right end of a row that is not empty and that it is legal on.
    #[inline]
    pub(super) fn push(&self, row: &mut Row, kind: Kind, slots: &[u8; SLOTS]) {
        // A row that was loaded has no sums yet.
        if row.sums.cards != row.len {
            row.sums = self.sums(row, slots);
        }
        let card = &self.placings[kind.index()];
        let score = self.score_with(row, kind, card);
        self.add_to(&mut row.sums, kind, row.types, row.len);
        (row.sums.stages, row.met) = self.stages.after(row.sums.stages, kind);
        self.append(row, kind, card);
        row.sums.sized_now = self.sized_gain(row, row.sums.sized);
        row.score = score.unwrap_or_else(|| self.points_of(row));
        row.shown = shown(row.score);
        if row.sums.stages.unknown != 0 {
            row.met |= self.met_by(row, slots, row.sums.stages.unknown);
        }
    }

    /// Makes a row one of one card.
    #[inline]
    pub(super) fn begin_row(&self, row: &mut Row, kind: Kind, slots: &[u8; SLOTS]) {
        *row = Row::EMPTY;
        let card = &self.placings[kind.index()];
        self.append(row, kind, card);
        self.add_to(&mut row.sums, kind, 0, 0);
        row.sums.sized_now = self.sized_alone(kind);
        (row.sums.stages, row.met) = self.stages.begun(slots, kind);
        row.score = card.alone.into();
        row.shown = shown(row.score);
        if row.sums.stages.unknown != 0 {
            row.met = self.met_alone(kind, slots);
        }
    }

    /// The row after a card was placed on it: longer by one, or that card alone if it busts (GR-R6).
    #[inline]
    pub fn after(&self, row: &Row, kind: Kind, slots: &[u8; SLOTS]) -> Row {
        let mut next = *row;
        if row.len == 0 || !self.is_legal(row, kind) {
            self.begin_row(&mut next, kind, slots);
        } else {
            self.push(&mut next, kind, slots);
        }
        next
    }

    /// Points and slots of a row with one more card, worked out from nothing but its cards.
    #[inline(never)]
    pub(super) fn judged_with(&self, row: &Row, kind: Kind, slots: &[u8; SLOTS]) -> (i32, u8) {
        let mut row = Row { sums: Sums::default(), ..*row };
        self.append(&mut row, kind, &self.placings[kind.index()]);
        (self.points_of(&row), self.met_by(&row, slots, u8::MAX))
    }

    /// The points of a row as it is, card by card and by position (GR-R20, R20m).
    fn points_of(&self, row: &Row) -> i32 {
        let (mut left, mut points) = (0u64, 0i32);
        for (at, &code) in row.codes().iter().enumerate() {
            points = points.wrapping_add(self.points_at(row, at, left));
            left = left.wrapping_add(self.data(Kind::of_code(code)).unit);
        }
        points
    }

    /// The points of the card at a place of a row, `left` being the counts of the cards before it.
    #[inline(always)]
    fn points_at(&self, row: &Row, at: usize, left: u64) -> i32 {
        let codes = row.codes();
        let card = self.data(Kind::of_code(codes[at]));
        let count = |what: &Count| {
            let (cards, part) = match what.region {
                Region::Row => (row.types, codes),
                Region::Left => (left, &codes[..at]),
                Region::Right => (row.types.wrapping_sub(left).wrapping_sub(card.unit), &codes[at + 1..]),
                Region::Next => {
                    let next = &codes[at + 1..codes.len().min(at + 2)];
                    (next.first().map_or(0, |&code| self.data(Kind::of_code(code)).unit), next)
                }
                Region::One => return 1,
            };
            if what.kind == 0 { what.of(cards) as i32 } else { of_kind(part, what.kind) as i32 }
        };
        let points = card.score().iter().map(|clause| clause.points(count(&clause.test), count(&clause.per)));
        points.fold(0, i32::wrapping_add)
    }

    /// The points of each card of a row.
    pub(super) fn points_by_card(&self, row: &Row) -> Vec<i32> {
        let mut left = 0u64;
        let points = row.codes().iter().enumerate().map(|(at, &code)| {
            let points = self.points_at(row, at, left);
            left = left.wrapping_add(self.data(Kind::of_code(code)).unit);
            points
        });
        points.collect()
    }

    /// Those of some slots whose badge a row meets as it is (GR-R21), need by need.
    #[inline(never)]
    fn met_by(&self, row: &Row, slots: &[u8; SLOTS], some: u8) -> u8 {
        let (mut near, mut met) = (self.near(row.len, slots) & u32::from(some), 0);
        while near != 0 {
            let slot = near.trailing_zeros() as usize % SLOTS;
            near &= near - 1;
            let mut needs = self.badges[usize::from(slots[slot])].needs().iter();
            let meets = needs.all(|need| need.counts.wrapping_shr(self.need_value(row, need)) & 1 != 0);
            met |= u8::from(meets) << slot;
        }
        met
    }

    /// A row of these cards with what follows from them, whether or not it can be built; `slots` are the badges in play.
    pub fn row(&self, cards: &[Kind], slots: &[u8; SLOTS]) -> Row {
        let codes: Vec<u8> = cards.iter().map(|kind| kind.code()).collect();
        self.row_of(&codes, slots)
    }

    /// A row of these codes; they need not be legal.
    pub(super) fn row_of(&self, codes: &[u8], slots: &[u8; SLOTS]) -> Row {
        let mut row = Row::default();
        row.sums.stages = self.stages.first(slots);
        for (&code, at) in codes.iter().zip(0..) {
            let kind = Kind::of_code(code);
            self.add_to(&mut row.sums, kind, row.types, at);
            row.sums.stages = self.stages.after(row.sums.stages, kind).0;
            self.append(&mut row, kind, &self.placings[kind.index()]);
        }
        row.sums.sized_now = self.sized_gain(&row, row.sums.sized);
        row.score = self.points_of(&row);
        row.shown = shown(row.score);
        row.met = self.met_by(&row, slots, u8::MAX);
        row
    }

    /// The row without its last card (GR-R16d).
    pub(super) fn without_last(&self, row: &Row, slots: &[u8; SLOTS]) -> Row {
        let codes = row.codes();
        self.row_of(&codes[..codes.len().saturating_sub(1)], slots)
    }

    /// What a need looks at (GR-R21a).
    #[inline(always)]
    pub(super) fn need_value(&self, row: &Row, need: &Need) -> u32 {
        match need.form {
            Form::Count(what) if what.kind != 0 => row.count(Kind::of_code(what.kind)),
            Form::Count(what) => what.of(row.types),
            shape => shape_value(row, shape),
        }
    }

    /// What a claim of a slot's badge would earn in this turn (GR-R10).
    #[inline(always)]
    pub fn badge_value(&self, state: &State, slot: usize) -> u8 {
        self.values[usize::from(state.slots[slot])][usize::from(state.taken >> slot & 1)]
    }

    /// The row of a player as the player itself sees it: without a bar that it has taken back (GR-R16a).
    #[inline(always)]
    pub(super) fn own_row(&self, state: &State, player: Player) -> Row {
        let row = &state.rows[player.index()];
        if state.bars.contains(player) { self.without_last(row, &state.slots) } else { *row }
    }
}

/// What a need looks at that is about more than numbers of cards. A function of its own: in a loop the compiler would work out all of
/// it for every need.
#[inline(never)]
fn shape_value(row: &Row, shape: Form) -> u32 {
    match shape {
        Form::Count(_) => 0,
        Form::Adjacent(a, b) => {
            let union = |mut set: u8| {
                let mut mask = 0;
                while set != 0 {
                    mask |= row.positions(set.trailing_zeros() as u8);
                    set &= set - 1;
                }
                mask
            };
            let (a, b) = (union(a), union(b));
            (a & b >> 1 | b & a >> 1).count_ones()
        }
        Form::Most => {
            (0..MAX_TYPES as u32).map(|ty| (row.types >> (8 * ty) & 0xff) as u32).max().unwrap_or(0)
        }
        Form::Run => {
            let (mut stretch, mut rest) = (u32::from(row.len > 0), row.twins);
            while rest != 0 {
                rest &= rest << 1;
                stretch += 1;
            }
            stretch
        }
        Form::Twins => row.twins.count_ones(),
    }
}
