//! The triangular sea: which triangles are cells, where islands can lie, and all distances.
//!
//! A triangle is (strip, k): strips are counted from the bottom, k from the left (GX-R1b).

use serde::{Deserialize, Serialize};

/// Tiles of a map, and so islands.
pub const SLOTS: usize = 12;
/// Whole triangles of a tile: where its island can lie, `3 strip + k` inside the tile.
pub const PLACES: usize = 12;
/// Fewest cells of a formation.
pub const MIN_CELLS: usize = 166;
/// Most cells of a formation.
pub const MAX_CELLS: usize = 174;
/// Distances from one place, by the number of a cell; [`FAR`] at all numbers that no cell has, [`Cell::NONE`] too. So long that
/// no number needs a check.
pub type Distances = [u8; 256];
/// Distance to what is not on the map.
pub const FAR: u8 = 64;

/// A cell by its number in the formation (GX-R1g).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cell(pub u8);

impl Cell {
    /// Nowhere: a ship that is not placed, or that does not exist.
    pub const NONE: Cell = Cell(255);

    /// The cell as an index.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it is a place at all.
    #[inline(always)]
    pub const fn is_some(self) -> bool {
        self.0 != Cell::NONE.0
    }
}

/// A set of cells, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellSet(pub [u64; 3]);

impl CellSet {
    /// No cell.
    pub const EMPTY: CellSet = CellSet([0; 3]);

    /// The set of one cell; empty for [`Cell::NONE`].
    #[inline(always)]
    pub const fn one(cell: Cell) -> CellSet {
        // Word by word, without a branch: a store at a variable place, read again as a vector, made the processor wait.
        let (at, bit) = (cell.0 >> 6, cell.0 & 63);
        CellSet([((at == 0) as u64) << bit, ((at == 1) as u64) << bit, ((at == 2) as u64) << bit])
    }

    /// Whether a cell is in the set.
    #[inline(always)]
    pub const fn contains(self, cell: Cell) -> bool {
        cell.0 < 192 && self.0[cell.index() >> 6] >> (cell.0 & 63) & 1 != 0
    }

    /// Cells in either.
    #[inline(always)]
    pub const fn or(self, other: CellSet) -> CellSet {
        let (a, b) = (self.0, other.0);
        CellSet([a[0] | b[0], a[1] | b[1], a[2] | b[2]])
    }

    /// Cells not in the other.
    #[inline(always)]
    pub const fn minus(self, other: CellSet) -> CellSet {
        let (a, b) = (self.0, other.0);
        CellSet([a[0] & !b[0], a[1] & !b[1], a[2] & !b[2]])
    }

    /// Number of cells.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones()
    }

    /// Whether there is none.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// The cells, ascending.
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        let bits = |(at, word): (usize, u64)| {
            (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| Cell((64 * at + bit) as u8))
        };
        self.0.into_iter().enumerate().flat_map(bits)
    }
}

playmat_core::named! {
    /// How the twelve tiles lie (GX-R1, R22).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Formation {
        /// Two columns of six rows.
        TwoBySix = "2x6",
        /// Four columns of three rows.
        FourByThree = "4x3",
        /// Three columns of four rows.
        ThreeByFour = "3x4",
    }
}

impl Formation {
    /// Columns and rows (GX-Q20).
    pub const fn size(self) -> (usize, usize) {
        match self {
            Formation::TwoBySix => (2, 6),
            Formation::FourByThree => (4, 3),
            Formation::ThreeByFour => (3, 4),
        }
    }
}

/// Everything about a formation that never changes.
#[derive(Clone, Debug)]
pub struct Map {
    /// The formation.
    pub formation: Formation,
    /// Strip and k of each cell.
    pub cells: Vec<(u8, u8)>,
    /// Cells next to each cell.
    neighbours: Vec<Vec<Cell>>,
    /// `reach + 1` discs for each cell.
    discs: Vec<CellSet>,
    /// Most steps of a disc.
    pub reach: usize,
    /// For each cell, and for nowhere.
    distances: Vec<Distances>,
    /// Cell of the island of a slot, by its place in the tile as it lies.
    islands: [[Cell; PLACES]; SLOTS],
    /// Cells of the bottom row, those nearest to the centre line first, equally near ones together (GX-R3a).
    pub starts: Vec<CellSet>,
}

impl Map {
    /// The tables of a formation, with discs up to `reach` steps (at least 2, for the wind).
    pub fn new(formation: Formation, reach: usize) -> Map {
        let (columns, rows) = formation.size();
        let reach = reach.max(2);
        let cells: Vec<(u8, u8)> = (0..(4 * rows + 2) as u8)
            .flat_map(|s| (0..(4 * columns) as u8).map(move |k| (s, k)))
            .filter(|&(s, k)| is_cell(columns, rows, s.into(), k.into()))
            .collect();
        let number =
            |s: usize, k: usize| cells.iter().position(|&at| at == (s as u8, k as u8)).map(|n| Cell(n as u8));
        let neighbours: Vec<Vec<Cell>> = cells
            .iter()
            .map(|&(s, k)| {
                let (s, k) = (usize::from(s), usize::from(k));
                let upright = (s + k) % 2 == 0;
                let beyond = if upright { s.checked_sub(1) } else { Some(s + 1) };
                let beside = [k.checked_sub(1), Some(k + 1)].map(|k| Some((s, k?)));
                let near = beside.into_iter().chain([beyond.map(|s| (s, k))]).flatten();
                near.filter_map(|(s, k)| number(s, k)).collect()
            })
            .collect();
        let mut map = Map {
            formation,
            neighbours,
            discs: Vec::new(),
            reach,
            distances: vec![[FAR; 256]; cells.len() + 1],
            islands: [[Cell::NONE; PLACES]; SLOTS],
            starts: starts(columns, &cells),
            cells,
        };
        for slot in 0..SLOTS {
            let (row, column) = (slot / columns, slot % columns);
            for place in 0..PLACES {
                let (s, k) = (4 * row + 2 * (column % 2) + place / 3, 4 * column + place % 3);
                map.islands[slot][place] = map.cell(s, k).unwrap_or(Cell::NONE);
            }
        }
        map.search();
        map
    }

    /// Breadth-first search from all cells at once, a bit for each cell reached: what is within r + 1 steps of a cell is within
    /// r steps of it or of a neighbour.
    fn search(&mut self) {
        let count = self.cells.len();
        self.discs = vec![CellSet::EMPTY; count * (self.reach + 1)];
        let mut before = vec![CellSet::EMPTY; count];
        let mut within: Vec<CellSet> = (0..count).map(|cell| CellSet::one(Cell(cell as u8))).collect();
        for radius in 0.. {
            let mut grows = false;
            for (cell, (reached, before)) in within.iter().zip(&before).enumerate() {
                if radius <= self.reach {
                    self.discs[cell * (self.reach + 1) + radius] = *reached;
                }
                for at in reached.minus(*before).iter() {
                    self.distances[cell][at.index()] = radius as u8;
                    grows = true;
                }
            }
            if !grows && radius > self.reach {
                return;
            }
            let near = |cell: usize| self.neighbours[cell].iter().map(|near| within[near.index()]);
            let next = (0..count).map(|cell| near(cell).fold(within[cell], CellSet::or)).collect();
            before = std::mem::replace(&mut within, next);
        }
    }

    /// Number of cells.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is no cell; never so.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The cell at strip s, k.
    pub fn cell(&self, s: usize, k: usize) -> Option<Cell> {
        let at = self.cells.iter().position(|&(x, y)| (usize::from(x), usize::from(y)) == (s, k))?;
        Some(Cell(at as u8))
    }

    /// Whether a number is that of a cell.
    #[inline(always)]
    pub fn holds(&self, cell: Cell) -> bool {
        cell.index() < self.cells.len()
    }

    /// The cells next to a cell.
    pub fn neighbours(&self, cell: Cell) -> &[Cell] {
        &self.neighbours[cell.index()]
    }

    /// Fewest steps from one cell to another (GX-R1h); [`FAR`] if either is [`Cell::NONE`].
    #[inline(always)]
    pub fn distance(&self, from: Cell, to: Cell) -> u8 {
        self.distances_from(from)[to.index()]
    }

    /// [`Map::distance`] from one cell to all.
    #[inline(always)]
    pub fn distances_from(&self, from: Cell) -> &Distances {
        &self.distances[from.index().min(self.cells.len())]
    }

    /// All cells within `radius` steps, the cell itself included; `radius` up to the reach of the table.
    #[inline(always)]
    pub fn disc(&self, cell: Cell, radius: u8) -> CellSet {
        self.discs[cell.index() * (self.reach + 1) + usize::from(radius).min(self.reach)]
    }

    /// Where the island of a slot lies, by its place in the tile as it lies (GX-R1d, R1f).
    #[inline(always)]
    pub fn island(&self, slot: usize, place: u8) -> Cell {
        self.islands[slot][usize::from(place)]
    }
}

/// Whether a column has a tile in a strip (GX-R1d).
fn covers(rows: usize, column: usize, strip: usize) -> bool {
    let bottom = 2 * (column % 2);
    (bottom..bottom + 4 * rows).contains(&strip)
}

/// GX-R1c, R1e: one of the three whole triangles of a tile's strip, or two halves that meet.
fn is_cell(columns: usize, rows: usize, strip: usize, k: usize) -> bool {
    let column = k / 4;
    let right = k % 4 != 3 || (column + 1 < columns && covers(rows, column + 1, strip));
    covers(rows, column, strip) && right
}

/// GX-R3a: the middle of a cell lies at k/2 + 1/2, the centre line at the number of columns.
fn starts(columns: usize, cells: &[(u8, u8)]) -> Vec<CellSet> {
    let mut rings: Vec<(usize, CellSet)> = Vec::new();
    for (number, &(_, k)) in cells.iter().enumerate().filter(|(_, (s, _))| *s == 0) {
        let away = (usize::from(k) + 1).abs_diff(2 * columns);
        let cell = CellSet::one(Cell(number as u8));
        match rings.iter_mut().find(|(ring, _)| *ring == away) {
            Some((_, ring)) => *ring = ring.or(cell),
            None => rings.push((away, cell)),
        }
    }
    rings.sort_by_key(|(away, _)| *away);
    rings.into_iter().map(|(_, ring)| ring).collect()
}
