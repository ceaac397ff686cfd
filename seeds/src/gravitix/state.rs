//! One episode as plain data: map, cards, ships, and a payment in course.

use super::map::{Cell, SLOTS};
use playmat_core::counts;
use playmat_core::prelude::*;
use serde::{Deserialize, Serialize};

/// Most kinds of cards.
pub const MAX_KINDS: usize = 24;
/// Players at most.
pub const MAX_PLAYERS: usize = 2;
/// Markers of a player.
pub const MARKERS: u32 = 12;

playmat_core::named! {
    /// What islands want.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[expect(missing_docs, reason = "the names are the rulebook's")]
    pub enum Resource {
        Rum = "rum",
        Fabric = "fabric",
        Gems = "gems",
    }
}

/// A pair of different resources: RF, RG, FR, FG, GR, GF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pair(pub u8);

impl Pair {
    /// Number of pairs.
    pub const NUM: usize = 6;

    /// The first and the second resource, as numbers.
    #[inline(always)]
    pub const fn split(self) -> (usize, usize) {
        let first = self.0 as usize / 2 % 3;
        let second = self.0 as usize % 2;
        (first, if second >= first { second + 1 } else { second })
    }

    /// The names of both.
    pub const fn names(self) -> [&'static str; 2] {
        let (first, second) = self.split();
        [Resource::NAMES[first], Resource::NAMES[second]]
    }

    /// All pairs.
    pub fn all() -> impl Iterator<Item = Pair> + Clone {
        (0..Pair::NUM as u8).map(Pair)
    }
}

playmat_core::named! {
    /// What an island does for whoever owns or claims it (GX-R10 to R20).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    #[expect(missing_docs, reason = "the numbered rules say what they do")]
    pub enum Ability {
        Exchange = "exchange",
        MinusOne = "minus_one",
        PlusTwoEach = "plus_two_each",
        NextMinusOne = "next_minus_one",
        NextMinusTwo = "next_minus_two",
        PlusMinus = "plus_minus",
        DoubleSail = "double_sail",
        LoseCard = "lose_card",
        SwapTwo = "swap_two",
        Wind = "wind",
        Double = "double",
    }
}

impl Ability {
    /// Its rule, R10 to R20.
    pub const fn rule(self) -> usize {
        10 + self as usize
    }
}

/// What a player's next supply will be given (GX-R6i).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pending {
    /// Nothing.
    #[default]
    None,
    /// One unit less (GX-R13).
    MinusOne,
    /// Two units of different resources less (GX-R14).
    MinusTwo,
    /// It may be doubled (GX-R20).
    Double,
}

impl Pending {
    /// The effects, without `None`, in the order of observations.
    pub const ALL: [Pending; 3] = [Pending::MinusOne, Pending::MinusTwo, Pending::Double];

    /// The ability of islands that set it.
    pub const fn ability(self) -> Option<Ability> {
        match self {
            Pending::None => None,
            Pending::MinusOne => Some(Ability::NextMinusOne),
            Pending::MinusTwo => Some(Ability::NextMinusTwo),
            Pending::Double => Some(Ability::Double),
        }
    }

    /// The effect that claiming an island with this ability sets.
    pub fn set_by(ability: Option<Ability>) -> Pending {
        let all = Pending::ALL.into_iter();
        all.clone().find(|effect| effect.ability() == ability).unwrap_or_default()
    }
}

/// Cards of one zone: how many of each kind, 64 at most.
pub type Cards = [u8; MAX_KINDS];

/// Number of cards of a zone.
pub use playmat_core::counts::size;

/// Whether a zone has no card.
#[inline(always)]
pub fn is_empty(cards: &Cards) -> bool {
    *cards == [0; MAX_KINDS]
}

/// The kinds of which a zone has a card, a bit each.
#[inline(always)]
pub fn kinds_in(cards: &Cards) -> u32 {
    counts::kinds_in(cards) as u32
}

playmat_core::named! {
    /// Where the turn stands (section "Decisions" of the rules).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Phase {
        /// A player places the ship.
        Start = "start",
        /// The turn player plays a card or takes cards.
        Turn = "turn",
        /// The turn player moves the ship.
        Move = "move",
        /// The turn player may supply the island.
        Supply = "supply",
        /// The turn player names the resource of a unit of discount.
        Discount = "discount",
        /// The turn player pays.
        Pay = "pay",
        /// The other player discards a card.
        Lose = "lose",
        /// The turn player may discard two cards.
        Swap = "swap",
        /// The turn player may move the other ship.
        Wind = "wind",
        /// The game is over.
        End = "end",
    }
}

impl Phase {
    /// The phases in which somebody decides, in the order of observations.
    pub const DECIDES: usize = 9;
}

/// A payment in course; [`Payment::NONE`] outside of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Payment {
    /// The island's slot.
    pub slot: u8,
    /// Rum, fabric, gems still to be paid.
    pub due: [u8; 3],
    /// Whether the demand was doubled (GX-R20).
    pub doubled: bool,
    /// Units of a -2 discount still to be named.
    pub pair_left: u8,
    /// Other units of discount still to be named.
    pub units_left: u8,
    /// The resource named first for a -2 discount, as number + 1, between its two units; else 0.
    pub pair_first: u8,
    /// Uses left of +1/-1 (GX-R15).
    pub shifts: u8,
    /// Uses left of Exchange (GX-R10), an announced one included.
    pub exchanges: u8,
    /// Whether a card was paid or an exchange announced.
    pub started: bool,
    /// The announced exchange.
    pub exchange: Option<Pair>,
}

impl Payment {
    /// No payment.
    pub const NONE: Payment = Payment {
        slot: 0,
        due: [0; 3],
        doubled: false,
        pair_left: 0,
        units_left: 0,
        pair_first: 0,
        shifts: 0,
        exchanges: 0,
        started: false,
        exchange: None,
    };

    /// Whether nothing is due any more.
    #[inline(always)]
    pub fn is_paid(&self) -> bool {
        self.due == [0; 3]
    }
}

/// An episode. With one player the second place of every pair is as in [`State::EMPTY`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Hands by player: known to their owners.
    pub hands: [Cards; MAX_PLAYERS],
    /// Decks by player: what they consist of is known to their owners, their order to nobody.
    pub decks: [Cards; MAX_PLAYERS],
    /// Discards by player: out of the game, open.
    pub discards: [Cards; MAX_PLAYERS],
    /// Faces by slot.
    pub faces: [u8; SLOTS],
    /// Slots whose tile lies the other way up, a bit each.
    pub turned: u16,
    /// Slots with a marker of each player.
    pub owned: [u16; MAX_PLAYERS],
    /// Slots with two markers.
    pub doubled: u16,
    /// Where the ships are.
    pub ships: [Cell; MAX_PLAYERS],
    /// Effects that wait for the next supply.
    pub pending: [Pending; MAX_PLAYERS],
    /// Cards sailed with.
    pub sailed: [u8; MAX_PLAYERS],
    /// The turn player; in [`Phase::Start`] who places.
    pub turn: Player,
    /// Where the turn stands.
    pub phase: Phase,
    /// In [`Phase::Move`] how far the ship may go, else 0.
    pub range: u8,
    /// In [`Phase::Swap`] the cards still to be discarded, else 0.
    pub swap_left: u8,
    /// The payment in [`Phase::Discount`] and [`Phase::Pay`].
    pub payment: Payment,
    /// Cells of the islands by slot. Follows from faces and how they lie; stored because every observation needs it.
    pub cells: [Cell; SLOTS],
    /// Distances between the islands. Follows too.
    pub between: [[u8; SLOTS]; SLOTS],
}

impl State {
    /// Nothing has been dealt.
    pub const EMPTY: State = State {
        hands: [[0; MAX_KINDS]; MAX_PLAYERS],
        decks: [[0; MAX_KINDS]; MAX_PLAYERS],
        discards: [[0; MAX_KINDS]; MAX_PLAYERS],
        faces: [0; SLOTS],
        turned: 0,
        owned: [0; MAX_PLAYERS],
        doubled: 0,
        ships: [Cell::NONE; MAX_PLAYERS],
        pending: [Pending::None; MAX_PLAYERS],
        sailed: [0; MAX_PLAYERS],
        turn: Player(0),
        phase: Phase::Start,
        range: 0,
        swap_left: 0,
        payment: Payment::NONE,
        cells: [Cell::NONE; SLOTS],
        between: [[0; SLOTS]; SLOTS],
    };

    /// Slots with a marker.
    #[inline(always)]
    pub fn marked(&self) -> u16 {
        self.owned[0] | self.owned[1]
    }

    /// Markers that a player has on the map.
    #[inline(always)]
    pub fn markers(&self, player: Player) -> u32 {
        let owned = self.owned[player.index() & 1];
        owned.count_ones() + (owned & self.doubled).count_ones()
    }

    /// Markers that a player has left.
    #[inline(always)]
    pub fn stock(&self, player: Player) -> u32 {
        MARKERS.saturating_sub(self.markers(player))
    }

    /// The owner of a slot's island.
    pub fn owner(&self, slot: usize) -> Option<Player> {
        (0..MAX_PLAYERS)
            .find(|&player| self.owned[player] >> slot & 1 != 0)
            .map(|player| Player(player as u8))
    }

    /// The slot whose island lies on a cell.
    #[inline(always)]
    pub fn slot_at(&self, cell: Cell) -> Option<usize> {
        self.cells.iter().position(|&at| at == cell)
    }

    /// Whether a tile lies the other way up.
    #[inline(always)]
    pub fn is_turned(&self, slot: usize) -> bool {
        self.turned >> slot & 1 != 0
    }

    /// Who has to decide: the turn player, but for a card that the other one loses (GX-R17).
    #[inline(always)]
    pub fn actor(&self) -> Option<Player> {
        match self.phase {
            Phase::End => None,
            Phase::Lose => Some(Player(1 - (self.turn.0 & 1))),
            _ => Some(self.turn),
        }
    }
}

/// What is not public; everything else is. The one place that says who may know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// Kinds in a hand, and the cards drawn to it.
    Hand(Player),
    /// Kinds in a deck. Its owner knows them from the own hand and discards.
    Deck(Player),
    /// What a player must decide.
    Decision(Player),
}

impl playmat_core::visibility::Zone for Zone {
    fn visibility(self) -> Visibility {
        match self {
            Zone::Hand(player) | Zone::Deck(player) | Zone::Decision(player) => Visibility::Owner(player),
        }
    }
}

/// The set bits of a word, ascending.
#[inline(always)]
pub fn bits(mut word: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let bit = word.trailing_zeros() as usize;
        word &= word - 1;
        Some(bit)
    })
}
