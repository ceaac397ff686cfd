//! One episode as plain data: sheets, cards, the running round and the choices buffered in it.

use super::board::{Board, CELLS, Cell};
use playmat_core::prelude::*;
use serde::{Deserialize, Serialize};

/// Most kinds of shapes: the content has at most sixteen cards.
pub const MAX_KINDS: usize = 16;
/// Most polyomino cards of a content.
pub const CONTENT_CARDS: usize = 16;
/// Quarter turns of a shape.
pub const TURNS: usize = 4;
/// Placements of one shape: its turns at each corner.
pub const PLACEMENTS: usize = TURNS * CELLS;
/// Where the round stops counting.
pub const LAST_ROUND: u16 = 9999;

playmat_core::named! {
    /// What a square can be filled with, in the order of cards, planes and score lines.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[expect(missing_docs, reason = "the names are the rulebook's")]
    pub enum Terrain {
        Mountain = "Mountain",
        Forest = "Forest",
        River = "River",
        Desert = "Desert",
        Tundra = "Tundra",
        Farm = "Farm",
        Nexus = "Nexus",
        Desolation = "Desolation",
    }
}

impl Terrain {
    /// Number of terrains that are drawn as shapes and form groups: the first six.
    pub const SIX: usize = 6;

    /// Letter on a sheet.
    pub const fn letter(self) -> char {
        b"MFRDTAXO"[self.index()] as char
    }

    /// The terrain with this letter.
    pub fn from_letter(letter: char) -> Option<Terrain> {
        Terrain::ALL.into_iter().find(|t| t.letter() == letter)
    }

    /// Whether it is one of the six that are drawn as shapes.
    #[inline(always)]
    pub const fn is_six(self) -> bool {
        self.index() < Terrain::SIX
    }
}

/// A kind of shape: the number of its entry in the content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Kind(pub u8);

impl Kind {
    /// The kind as an index.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a shape goes: quarter turns clockwise and the top-left corner of its bounding box, `144*turn + cell`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Placement(pub u16);

impl Placement {
    /// A shape turned `turn` quarter turns with its corner on `cell`.
    #[inline(always)]
    pub const fn new(turn: usize, cell: Cell) -> Placement {
        Placement((CELLS * turn + cell.index()) as u16)
    }

    /// Quarter turns clockwise, 0..4.
    #[inline(always)]
    pub const fn turn(self) -> usize {
        self.0 as usize / CELLS
    }

    /// Corner of the bounding box.
    #[inline(always)]
    pub const fn cell(self) -> Cell {
        Cell((self.0 as usize % CELLS) as u8)
    }
}

/// What a sheet scores, updated with every drawing. Points are as before gating (GG-R15).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SheetScore {
    /// Terrain points of the six and of the Nexus; the desert's are 0 or negative.
    pub points: [i16; 7],
    /// Squares of the largest group of each of the six.
    pub groups: [u8; Terrain::SIX],
    /// Bit t: terrain t of the six touches a nexus.
    pub touch: u8,
    /// Empty squares.
    pub empty: u8,
    /// The current score, gates applied (GG-R20).
    pub total: i16,
}

/// One player's sheet: a set of squares for each terrain, and what it scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sheet {
    /// Squares 0..128 of each terrain.
    pub low: [[u64; 2]; Terrain::NUM],
    /// Squares 128..144 of each terrain.
    pub high: [u16; Terrain::NUM],
    /// The score so far.
    pub score: SheetScore,
}

impl Sheet {
    /// An empty sheet (GG-R1c).
    pub const fn new() -> Sheet {
        Sheet {
            low: [[0; 2]; Terrain::NUM],
            high: [0; Terrain::NUM],
            score: SheetScore { points: [0; 7], groups: [0; 6], touch: 0, empty: CELLS as u8, total: 0 },
        }
    }

    /// The squares of a terrain.
    #[inline(always)]
    pub fn plane(&self, terrain: Terrain) -> Board {
        let t = terrain.index();
        Board([self.low[t][0], self.low[t][1], u64::from(self.high[t])])
    }

    /// The squares of each terrain.
    #[inline(always)]
    pub fn planes(&self) -> impl Iterator<Item = Board> {
        self.low.iter().zip(&self.high).map(|(low, &high)| Board([low[0], low[1], high.into()]))
    }

    /// Replaces the squares of a terrain.
    #[inline(always)]
    pub fn set_plane(&mut self, terrain: Terrain, squares: Board) {
        let t = terrain.index();
        self.low[t] = [squares.0[0], squares.0[1]];
        self.high[t] = squares.0[2] as u16;
    }

    /// The squares that are filled.
    #[inline(always)]
    pub fn filled(&self) -> Board {
        let (mut low, mut high) = ([0; 2], 0);
        for t in 0..Terrain::NUM {
            low[0] |= self.low[t][0];
            low[1] |= self.low[t][1];
            high |= self.high[t];
        }
        Board([low[0], low[1], u64::from(high)])
    }

    /// The squares that are empty.
    #[inline(always)]
    pub fn empty(&self) -> Board {
        Board::ALL.minus(self.filled())
    }

    /// What lies on a square.
    pub fn at(&self, cell: Cell) -> Option<Terrain> {
        Terrain::ALL.into_iter().find(|&t| self.plane(t).contains(cell))
    }
}

playmat_core::named! {
    /// Where the round stands.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Phase {
        /// Between two rounds, or cards are being turned: never when somebody must decide.
        Start = "start",
        /// Players choose a shape of the pair.
        Shape = "shape",
        /// Players place their shape.
        Place = "place",
        /// Players place a Nexus.
        Nexus = "nexus",
        /// The game is over.
        End = "end",
    }
}

/// An episode. Places of arrays beyond the players are as in [`State::new`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Sheets by player.
    pub sheets: [Sheet; MAX_PLAYERS],
    /// Shape of each player in this round, chosen or forced; hidden from the others if chosen.
    pub shapes: [Option<Kind>; MAX_PLAYERS],
    /// Placement of each player in this round, chosen or forced, not yet drawn; hidden from the others if chosen.
    pub places: [Option<Placement>; MAX_PLAYERS],
    /// Polyomino cards not yet turned in this cycle, by kind, the pair excluded.
    pub shapes_left: [u8; MAX_KINDS],
    /// Round, 1-based; stops counting at [`LAST_ROUND`].
    pub round: u16,
    /// Numbers used by Desolations: bit n - 1 for number n.
    pub used: u16,
    /// Terrain cards not yet turned in this cycle, this round's excluded: bit t for terrain t.
    pub terrains_left: u8,
    /// This round's terrain; `None` only before the first round.
    pub terrain: Option<Terrain>,
    /// The pair of this round, lower kind first; `None` in Nexus and Desolation rounds.
    pub pair: Option<[Kind; 2]>,
    /// The number rolled in this round, 1..=12; 0 if none.
    pub number: u8,
    /// Where the round stands.
    pub phase: Phase,
    /// Players that still owe a decision in this phase.
    pub acting: Players,
    /// Players who decide in this phase, also those who have chosen: public, as everything is that this follows from.
    pub deciders: Players,
    /// Players who decided about the shape in this round: public too.
    pub chose: Players,
}

impl State {
    /// Empty sheets for `players` players, nothing turned, the given cards in the polyomino deck.
    pub fn new(players: usize, shapes_left: [u8; MAX_KINDS]) -> State {
        let mut sheets = [Sheet::default(); MAX_PLAYERS];
        sheets[..players].fill(Sheet::new());
        State {
            sheets,
            shapes: [None; MAX_PLAYERS],
            places: [None; MAX_PLAYERS],
            shapes_left,
            round: 0,
            used: 0,
            terrains_left: u8::MAX,
            terrain: None,
            pair: None,
            number: 0,
            phase: Phase::Start,
            acting: Players::EMPTY,
            deciders: Players::EMPTY,
            chose: Players::EMPTY,
        }
    }

    /// Line n of the number rolled; no square if none is.
    #[inline(always)]
    pub fn line(&self) -> Board {
        if self.number == 0 { Board::EMPTY } else { Board::LINES[usize::from(self.number) - 1] }
    }
}

/// What is not public; everything else is. The one place that says who may know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// The shape and the placement that a player has chosen, until all draw.
    Choice(Player),
}

impl playmat_core::visibility::Zone for Zone {
    fn visibility(self) -> Visibility {
        let Zone::Choice(player) = self;
        Visibility::Owner(player)
    }
}
