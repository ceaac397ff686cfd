//! One episode as plain data: hands that travel, rows, composts, and the choices buffered in the running turn.

use super::badge_stages::RowStages;
use super::observe::shown;
use playmat_core::prelude::*;
use serde::{Deserialize, Serialize};
use serde_big_array::BigArray;

/// Most players.
pub const MAX_PLAYERS: usize = 5;
/// Most kinds of cargo cards.
pub const MAX_KINDS: usize = 64;
/// Most badges: sixteen of each tier.
pub const MAX_BADGES: usize = 32;
/// Most types.
pub const MAX_TYPES: usize = 8;
/// Most cards of a row, a compost, or all completed rows of a player.
pub const MAX_ROW: usize = 32;
/// Cards of a hand while an Energy Bar is in it.
pub const MAX_HAND: usize = 6;
/// Cargo cards of a full hand.
pub const HAND: usize = 5;
/// Badges in play: two gold ones, three silver ones.
pub const SLOTS: usize = 5;

/// 1 in every byte of a word, and the highest bit of every byte.
pub(super) const ONES: u64 = 0x0101_0101_0101_0101;
pub(super) const HIGH: u64 = ONES << 7;

/// Bytes of 0 or 1 as bits, the lowest byte first.
#[inline(always)]
pub(super) fn bits_of(bytes: u64) -> u8 {
    (bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// A kind of cargo card: the number of its entry in the content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Kind(pub u8);

impl Kind {
    /// The kind as an index.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize & (MAX_KINDS - 1)
    }

    /// What stands for the kind where 0 stands for no card.
    #[inline(always)]
    pub const fn code(self) -> u8 {
        self.0 + 1
    }

    /// The kind of a code that is not 0.
    #[inline(always)]
    pub const fn of_code(code: u8) -> Kind {
        Kind(code.wrapping_sub(1))
    }
}

/// The kinds of a set, ascending.
#[inline(always)]
pub(super) fn kinds_in(mut set: u64) -> impl Iterator<Item = Kind> {
    std::iter::from_fn(move || {
        let kind = (set != 0).then(|| Kind(set.trailing_zeros() as u8))?;
        set &= set.wrapping_sub(1);
        Some(kind)
    })
}

/// The code of the ship card among revealed cards. No hand or row holds it: each player always has the ship card (GR-R4).
pub const SHIP_CODE: u8 = 0xff;
/// The code of a declined claim; a claimed slot is its number plus one.
pub const DECLINE_CODE: u8 = 0xff;

/// Cards by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Counts(#[serde(with = "BigArray")] pub [u8; MAX_KINDS]);

impl Default for Counts {
    fn default() -> Self {
        Counts([0; MAX_KINDS])
    }
}

impl Counts {
    /// Adds cards.
    #[inline(always)]
    pub fn add(&mut self, cards: &Counts) {
        for (count, more) in self.0.iter_mut().zip(&cards.0) {
            *count = count.wrapping_add(*more);
        }
    }

    /// Number of cards, wrapping if a corrupted state holds more than there can be.
    pub fn total(&self) -> u32 {
        self.0.iter().map(|&count| u32::from(count)).sum()
    }

    /// The kinds that are there, as bits.
    #[inline]
    pub fn kinds(&self) -> u64 {
        let mut found = 0;
        for (at, chunk) in self.0.chunks_exact(8).enumerate() {
            let word = u64::from_le_bytes(chunk.try_into().unwrap_or_default());
            // Counts stay below 128: adding 0x7f carries into the top bit of every byte that is not 0.
            let there = word.wrapping_add(!HIGH) >> 7 & ONES;
            found |= u64::from(bits_of(there)) << (8 * at);
        }
        found
    }

    /// The kind at place `x` of the cards in ascending order of kinds; `x` is below the number of cards.
    #[inline(never)]
    pub fn at(&self, x: u32) -> Kind {
        let mut left = u64::from(x);
        for (at, chunk) in self.0.chunks_exact(8).enumerate() {
            let word = u64::from_le_bytes(chunk.try_into().unwrap_or_default());
            let here = sum(word);
            if left < here {
                return Kind((8 * at) as u8 + at_most(word.wrapping_mul(ONES), left));
            }
            left -= here;
        }
        unreachable!("x is below the number of cards")
    }

    /// Cards of the first eight kinds, of the first sixteen and so on, a byte each.
    #[inline]
    pub fn groups(&self) -> u64 {
        let groups = self.0.as_chunks::<8>().0.iter().rev();
        let each = groups.fold(0, |all, group| all << 8 | sum(u64::from_le_bytes(*group)));
        each.wrapping_mul(ONES)
    }

    /// Takes one card of a kind out of these [`Counts::groups`].
    #[inline(always)]
    pub fn take_from_groups(groups: u64, kind: Kind) -> u64 {
        groups.wrapping_sub(ONES.wrapping_shl(u32::from(kind.0) & !7))
    }

    /// [`Counts::at`] for fewer than 128 cards, with their [`Counts::groups`]: no branch, as nobody can foresee where a random
    /// place lies.
    #[inline(always)]
    pub fn at_of_few(&self, groups: u64, x: u8) -> Kind {
        let group = at_most(groups, x.into()) & 7;
        let first = group.wrapping_mul(8);
        let before = groups.wrapping_shl(8).wrapping_shr(first.into()) & 0xff;
        let word = u64::from_le_bytes(self.0.as_chunks::<8>().0[usize::from(group)]);
        let inside = at_most(word.wrapping_mul(ONES), u64::from(x).wrapping_sub(before));
        Kind(first.wrapping_add(inside))
    }
}

/// The sum of the bytes of a word.
#[inline(always)]
pub(super) fn sum(word: u64) -> u64 {
    word.wrapping_mul(ONES) >> 56
}

/// How many bytes of a word are at most `x`; all of them are below 128, and so is `x`.
#[inline(always)]
fn at_most(sums: u64, x: u64) -> u8 {
    sum(((x.wrapping_mul(ONES) | HIGH).wrapping_sub(sums) & HIGH) >> 7) as u8
}

/// The cargo cards of a hand, ascending by kind. Of equal cards the better known comes first: whoever knows a card knows
/// all equal ones before it (GR-R24), so that equal knowledge is equal bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "SavedHand", into = "SavedHand")]
pub struct Hand {
    /// Number of cards.
    pub len: u8,
    /// Their kinds; 0 beyond the end. Two places more than there are cards make it a word.
    pub kinds: [Kind; 8],
    /// For each card the players that know that it is there; 0 beyond the end.
    pub known: [u8; 8],
}

/// A [`Hand`] as it is saved.
#[derive(Serialize, Deserialize)]
struct SavedHand {
    len: u8,
    kinds: [Kind; MAX_HAND],
    known: [u8; MAX_HAND],
}

impl From<Hand> for SavedHand {
    fn from(Hand { len, kinds: [a, b, c, d, e, f, ..], known: [g, h, i, j, k, l, ..] }: Hand) -> SavedHand {
        SavedHand { len, kinds: [a, b, c, d, e, f], known: [g, h, i, j, k, l] }
    }
}

impl From<SavedHand> for Hand {
    fn from(saved: SavedHand) -> Hand {
        let ([a, b, c, d, e, f], [g, h, i, j, k, l]) = (saved.kinds, saved.known);
        let none = Kind(0);
        Hand { len: saved.len, kinds: [a, b, c, d, e, f, none, none], known: [g, h, i, j, k, l, 0, 0] }
    }
}

impl Hand {
    /// Number of cards.
    #[inline(always)]
    pub fn size(&self) -> usize {
        usize::from(self.len).min(MAX_HAND)
    }

    /// Kinds and the players that know of them.
    #[inline(always)]
    pub fn cards(&self) -> impl Iterator<Item = (Kind, u8)> + Clone + '_ {
        self.kinds.iter().copied().zip(self.known.iter().copied()).take(self.size())
    }

    /// The kinds in the hand, as bits.
    #[inline(always)]
    pub fn set(&self) -> u64 {
        // All places: a loop that ends with the hand ends where nobody can foresee it. Beyond the end there is kind 0, which is in
        // the hand only if it comes first.
        let kind = |i: usize| 1 << self.kinds[i].index();
        let others = (1..MAX_HAND).fold(0, |set, i| set | kind(i));
        others & !1 | if self.len > 0 { kind(0) } else { 0 }
    }

    /// Cards of a kind.
    pub fn count(&self, kind: Kind) -> usize {
        self.cards().filter(|card| card.0 == kind).count()
    }

    /// Kinds and knowers as words, a byte for each card. With them no branch hangs on where in a hand a card is.
    #[inline(always)]
    fn words(&self) -> [u64; 2] {
        [u64::from_le_bytes(self.kinds.map(|kind| kind.0)), u64::from_le_bytes(self.known)]
    }

    #[inline(always)]
    fn set_words(&mut self, [kinds, known]: [u64; 2]) {
        (self.kinds, self.known) = (kinds.to_le_bytes().map(Kind), known.to_le_bytes());
    }

    /// The highest bits of the bytes of the cards.
    #[inline(always)]
    fn places(&self) -> u64 {
        HIGH & !u64::MAX.wrapping_shl(u32::from(self.len).wrapping_mul(8))
    }

    /// Inserts a card behind the first `after` cards.
    #[inline(always)]
    fn insert(&mut self, after: u32, kind: Kind, known: u8) {
        let at = after.wrapping_mul(8);
        let rest = u64::MAX.wrapping_shl(at);
        let put = |word: u64, byte: u8| word & !rest | u64::from(byte).wrapping_shl(at) | (word & rest) << 8;
        let [kinds, knowers] = self.words();
        self.set_words([put(kinds, kind.0), put(knowers, known)]);
        self.len = self.len.wrapping_add(1);
    }

    /// Adds a card that fewer know of than of equal ones: one that was drawn.
    #[inline]
    pub fn draw(&mut self, kind: Kind, known: u8) {
        let up_to = (u64::from(kind.0).wrapping_mul(ONES) | HIGH).wrapping_sub(self.words()[0]);
        self.insert(sum((up_to & self.places()) >> 7) as u32, kind, known);
    }

    /// Adds a card that everybody knows of.
    pub fn take_back(&mut self, kind: Kind, everybody: u8) {
        let after = self.cards().take_while(|card| card.0 < kind).count();
        self.insert(after as u32, kind, everybody);
    }

    /// Takes the best known card of a kind out, if there is one: of a known and an unknown copy no player can tell which was played (GR-R24a).
    #[inline]
    pub fn remove(&mut self, kind: Kind) {
        let words = self.words();
        let others = (words[0] ^ u64::from(kind.0).wrapping_mul(ONES)).wrapping_add(!HIGH);
        let found = !others & self.places();
        if found == 0 {
            return;
        }
        let before = (found & found.wrapping_neg()).wrapping_sub(1) >> 7;
        self.set_words(words.map(|word| word & before | word >> 8 & !before));
        self.len -= 1;
    }

    /// By card, 1 in its byte if a player knows that it is there.
    #[inline(always)]
    pub fn known_by(&self, player: Player) -> u64 {
        let [_, known] = self.words();
        known >> (player.0 & 7) & ONES
    }

    /// By card, its kind in its byte if a player knows that it is there, and otherwise `none`.
    #[inline(always)]
    pub fn kinds_known_by(&self, player: Player, none: u8) -> u64 {
        let [kinds, _] = self.words();
        let known = self.known_by(player).wrapping_mul(0xff);
        kinds & known | u64::from(none).wrapping_mul(ONES) & !known
    }

    /// Lets a player know all cards.
    #[inline(always)]
    pub fn show_to(&mut self, player: Player) {
        let [kinds, known] = self.words();
        self.set_words([kinds, known | (self.places() >> 7) << (player.0 & 7)]);
    }

    /// Cards that a player does not know of.
    #[inline(always)]
    pub fn hidden_from(&self, player: Player) -> usize {
        self.cards().filter(|card| card.1 >> player.0 & 1 == 0).count()
    }
}

/// Sums over the cards of a row that grow with each card: what they make of later cards. Adding them up again for each card that
/// is placed took 3 % of a step and 6 % of one without outputs. They follow from the cards, so they are never saved and make no
/// difference between rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    /// By type, what every later card adds.
    pub later: [i16; MAX_TYPES],
    /// By type, the part of it that only the first card of its type adds; 0 for types that are there.
    pub fresh: [i16; MAX_TYPES],
    /// Kinds that the clauses count where later cards lie, as bits.
    pub names: u64,
    /// Places of the cards that add more or less by the size of the row, as bits.
    pub sized: u32,
    /// What these cards add with the next card, whatever it is.
    pub sized_now: i16,
    /// Places of the cards of which the row must be looked at, as bits.
    pub open: u32,
    /// How far the row is on the way to each badge in play.
    pub stages: RowStages,
    /// Cards that were added up: none after loading.
    pub cards: u8,
}

impl PartialEq for Sums {
    fn eq(&self, _: &Sums) -> bool {
        true
    }
}

impl Eq for Sums {}

/// An active row with what follows from its cards: three lines of the cache, of which observations of the other players read two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[repr(C, align(64))]
#[serde(from = "SavedRow", into = "SavedRow")]
pub struct Row {
    /// Its cards by kind: observations copy them, and a lost row adds them to a compost (3 % of a step). Counted again after
    /// loading.
    pub counts: Counts,
    /// Codes of the cards from left to right; 0 beyond the end.
    pub cards: [u8; MAX_ROW],
    /// Cards of each type, a byte each.
    pub types: u64,
    /// By bit of a type, the positions whose card's type has it.
    pub type_bits: [u32; 3],
    /// Positions whose card has the type of the one before.
    pub twins: u32,
    /// The points it would score if it were completed as it is.
    pub score: i32,
    /// Number of cards.
    pub len: u8,
    /// Types that may not be placed (GR-R5a, R5b).
    pub forbidden: u8,
    /// Slots whose badge it meets as it is.
    pub met: u8,
    /// Its score as observations show it ([`shown`]).
    pub shown: u8,
    /// What its cards make of later cards.
    pub sums: Sums,
}

/// A [`Row`] as it is saved.
#[derive(Serialize, Deserialize)]
struct SavedRow {
    cards: [u8; MAX_ROW],
    /// Positions of each type.
    masks: [u32; MAX_TYPES],
    types: u64,
    twins: u32,
    score: i32,
    len: u8,
    forbidden: u8,
    met: u8,
}

impl From<Row> for SavedRow {
    fn from(row: Row) -> SavedRow {
        let Row { cards, types, twins, score, len, forbidden, met, .. } = row;
        let masks = std::array::from_fn(|ty| row.positions(ty as u8));
        SavedRow { cards, masks, types, twins, score, len, forbidden, met }
    }
}

impl From<SavedRow> for Row {
    fn from(saved: SavedRow) -> Row {
        let SavedRow { cards, masks, types, twins, score, len, forbidden, met } = saved;
        let type_bits = [0, 1, 2].map(|bit| {
            let has_bit = (0..).zip(masks).filter(|(ty, _)| ty >> bit & 1 != 0);
            has_bit.fold(0, |all, (_, mask)| all | mask)
        });
        let shown = shown(score);
        let mut row =
            Row { cards, types, type_bits, twins, score, len, forbidden, met, shown, ..Row::default() };
        for &code in &cards[..row.size()] {
            row.counts.0[Kind::of_code(code).index()] += 1;
        }
        if masks != std::array::from_fn(|ty| row.positions(ty as u8)) {
            // Not the positions of any cards: there is no such slot, so the row is refused.
            row.met = u8::MAX;
        }
        row
    }
}

impl Row {
    /// No cards. A constant: the compiler writes it at once, where it puts default values together field by field and copies them.
    pub const EMPTY: Row = Row {
        counts: Counts([0; MAX_KINDS]),
        cards: [0; MAX_ROW],
        types: 0,
        type_bits: [0; 3],
        twins: 0,
        score: 0,
        len: 0,
        forbidden: 0,
        met: 0,
        shown: 0,
        sums: Sums {
            later: [0; MAX_TYPES],
            fresh: [0; MAX_TYPES],
            names: 0,
            sized: 0,
            sized_now: 0,
            open: 0,
            stages: RowStages::NONE,
            cards: 0,
        },
    };

    /// Number of cards.
    #[inline(always)]
    pub fn size(&self) -> usize {
        usize::from(self.len).min(MAX_ROW)
    }

    /// Codes of the cards.
    #[inline(always)]
    pub fn codes(&self) -> &[u8] {
        &self.cards[..self.size()]
    }

    /// Code of the last card, 0 if there is none.
    #[inline(always)]
    pub fn last_code(&self) -> u8 {
        // Beyond the end there are only zeros, also round the corner.
        self.cards[usize::from(self.len).wrapping_sub(1) % MAX_ROW]
    }

    /// Positions whose card has a type.
    #[inline(always)]
    pub fn positions(&self, ty: u8) -> u32 {
        // All places beyond the end have type 0.
        !self.other_positions(ty) & !(u64::MAX << self.size()) as u32
    }

    /// Positions that do not have a card of a type, as far as there are cards.
    #[inline(always)]
    pub(super) fn other_positions(&self, ty: u8) -> u32 {
        let has_bit = |bit: usize| u32::from(ty >> bit & 1).wrapping_neg();
        let [a, b, c] = self.type_bits;
        a ^ has_bit(0) | b ^ has_bit(1) | c ^ has_bit(2)
    }

    /// Cards of a kind.
    #[inline(always)]
    pub fn count(&self, kind: Kind) -> u32 {
        self.counts.0[kind.index()].into()
    }

    /// The last card.
    #[inline(always)]
    pub fn last(&self) -> Option<Kind> {
        self.codes().last().map(|&code| Kind::of_code(code))
    }
}

playmat_core::named! {
    /// Where the turn stands.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Phase {
        /// Face-down choices: SELECT, FIRST and SECOND of every player.
        #[default]
        Choose = "choose",
        /// Cards were revealed; one player picks from its compost.
        Replant = "replant",
        /// Whoever revealed the ship card chooses what takes its place.
        Replace = "replace",
        /// Whoever completed a row may claim a badge.
        Claim = "claim",
        /// The same after all rows were completed because all hands are empty (GR-R13).
        Refill = "refill",
        /// The game is over.
        End = "end",
    }
}

/// An episode. Places of arrays beyond the players hold the default values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Hands by the player that holds them now. Until the reveal face-down cards are still in them.
    pub hands: [Hand; MAX_PLAYERS],
    /// Active rows by player. Until the reveal a bar taken back is still in its row.
    pub rows: [Row; MAX_PLAYERS],
    /// Composts by player.
    pub composts: [Counts; MAX_PLAYERS],
    /// By player, the cards of all completed rows in order, as codes.
    pub completed: [[u8; MAX_ROW]; MAX_PLAYERS],
    /// By player, the positions in `completed` at which a row ends.
    pub ends: [u32; MAX_PLAYERS],
    /// By player, the points of the completed rows.
    pub row_points: [i32; MAX_PLAYERS],
    /// By player, Recycles in completed rows.
    pub recycles: [u8; MAX_PLAYERS],
    /// By player, cards in the compost.
    pub compost_sizes: [u8; MAX_PLAYERS],
    /// The undrawn cards.
    pub pile: Counts,
    /// Cards that left the game unseen (GR-R12).
    pub out: Counts,
    /// Cards that lie nowhere in the open: those of the pile, of the hands and out of the game.
    pub secret: Counts,
    /// Cards in the pile.
    pub pile_size: u8,
    /// The badge in each slot.
    pub slots: [u8; SLOTS],
    /// Slots whose badge was claimed in an earlier turn.
    pub taken: u8,
    /// By player and slot, the value of the badge that was claimed, 0 if none was: the tokens cannot run out and are not counted (GR-R2b).
    pub claims: [[u8; SLOTS]; MAX_PLAYERS],
    /// Turns played before this one.
    pub turn: u8,
    /// Where the turn stands.
    pub phase: Phase,
    /// Players that still owe a decision.
    pub acting: Players,
    /// Players that took the bar back; empty after the reveal.
    pub bars: Players,
    /// By player the codes of the two chosen cards: face down in [`Phase::Choose`], later those revealed and not yet placed.
    pub cards: [[u8; 2]; MAX_PLAYERS],
    /// Players that revealed the ship card in this turn.
    pub shippers: Players,
    /// Of these, the players whose replacement was placed.
    pub replaced: Players,
    /// Players that completed a row by the ship card in this turn; a failed ship does not count (GR-R11a).
    pub shipped: Players,
    /// By player the code of the replacement, hidden from others until all are placed.
    pub replacements: [u8; MAX_PLAYERS],
    /// By player the replant picks left (GR-R18a); not 0 only for players that stopped.
    pub picks: [u8; MAX_PLAYERS],
    /// By player the slots that the player may claim now.
    pub offers: [u8; MAX_PLAYERS],
    /// By player the chosen claim, hidden from others until all are in: a slot plus one, [`DECLINE_CODE`] or 0.
    pub claiming: [u8; MAX_PLAYERS],
}

impl State {
    /// The player whose replant picks are due.
    #[inline(always)]
    pub fn replanting(&self) -> Option<Player> {
        self.picks.iter().position(|&picks| picks != 0).map(|player| Player(player as u8))
    }

    /// Whether the game ends this turn because a ship card was revealed with an empty pile (GR-R14), even if the ship failed (GR-R14a).
    #[inline(always)]
    pub fn is_ending(&self) -> bool {
        !self.shippers.is_empty() && self.pile_size == 0
    }

    /// Badge points of a player.
    #[inline(always)]
    pub fn badge_points(&self, player: Player) -> i32 {
        sum(self.claims_word(player)) as i32
    }

    /// Compost points of a player (GR-R15a).
    #[inline(always)]
    pub fn compost_points(&self, player: Player) -> i32 {
        i32::from(self.compost_sizes[player.index()])
            .wrapping_mul(1 + i32::from(self.recycles[player.index()]))
    }

    /// Points of a player so far (GR-R15); cards in hands and in the pile do not count (GR-R15b).
    #[inline(always)]
    pub fn points(&self, player: Player) -> i32 {
        self.points_with(player, self.claims_word(player))
    }

    /// The same, with the player's claims as the bytes of a word.
    #[inline(always)]
    pub(super) fn points_with(&self, player: Player, claims: u64) -> i32 {
        let rows = self.row_points[player.index()];
        // Five values of at most 50: their sum is a byte.
        rows.wrapping_add(sum(claims) as i32).wrapping_add(self.compost_points(player))
    }

    /// Slots that a player has claimed.
    #[inline(always)]
    pub fn own_slots(&self, player: Player) -> u8 {
        // Values stay below 128.
        let there = self.claims_word(player).wrapping_add(0x7f_7f7f_7f7f) >> 7 & 0x01_0101_0101;
        bits_of(there)
    }

    /// The claims of a player as the bytes of a word.
    #[inline(always)]
    pub(super) fn claims_word(&self, player: Player) -> u64 {
        let [a, b, c, d, e] = self.claims[player.index()];
        u64::from(u32::from_le_bytes([a, b, c, d])) | u64::from(e) << 32
    }

    /// Slots that anybody has claimed.
    pub fn claimed_slots(&self, players: usize) -> u8 {
        Player::all(players).fold(0, |set, player| set | self.own_slots(player))
    }

    /// Number of cards in completed rows of a player.
    #[inline(always)]
    pub fn completed_len(&self, player: Player) -> usize {
        32 - self.ends[player.index()].leading_zeros() as usize
    }

    /// The completed rows of a player, as codes, in order.
    pub fn completed_rows(&self, player: Player) -> impl Iterator<Item = &[u8]> {
        let (cards, ends) = (&self.completed[player.index()], self.ends[player.index()]);
        let mut from = 0;
        (0..MAX_ROW).filter(move |at| ends >> at & 1 != 0).map(move |at| {
            let row = &cards[from..=at];
            from = at + 1;
            row
        })
    }
}

/// What is not public; everything else is. The one place that says who may know it (GR-R24). Hands that were passed on are known in part,
/// card by card: see [`Hand::known`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// Cards in a hand, and the cards drawn to it.
    Hand(Player),
    /// What a player has chosen until all reveal: cards, a replacement, a claim, a bar taken back.
    Choice(Player),
}

impl playmat_core::visibility::Zone for Zone {
    fn visibility(self) -> Visibility {
        match self {
            Zone::Hand(player) | Zone::Choice(player) => Visibility::Owner(player),
        }
    }
}
