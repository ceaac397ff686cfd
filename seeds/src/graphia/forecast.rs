//! What a sheet scores after a shape is drawn, for every place at once: the greedy agent compares them all.
//!
//! [`Scoring::draw_shape`] looks at the whole sheet for each place. A [`Forecast`] looks at it once, and notes what each square would bring.
//! A place then brings what its few squares bring together.

use super::board::{Board, CELLS, Cell, SIDE};
use super::score::{POINT_LINES, RIVER_POINTS, Scoring};
use super::state::{Sheet, Terrain};

/// What a square would bring to a terrain.
#[derive(Clone, Copy)]
struct Square {
    /// What the square touches, a bit for each: groups of the terrain, Nexus squares, squares of another terrain, and borders of the sheet.
    touches: u64,
    /// Squares that pay the terrain, and edges from [`EDGES`] on; in a forest one square of its block.
    pays: u64,
}

/// The bits of row 1, row 12, column 1 and column 12; those below are for [`Forecast::note`].
const BORDERS: [u32; 4] = [60, 61, 62, 63];
/// The first bit of the number of edges between desert and tundra (GG-Q3).
const EDGES: u32 = 32;

/// Bits of the number of squares in a block.
const BLOCK_BITS: usize = 7;
/// A block of four squares has the highest of its bits (GG-R9): its number begins with this.
const NO_SQUARES: u64 = (1 << (BLOCK_BITS - 1)) - 4;
/// The highest bits of all blocks.
const FULL_BLOCKS: u64 = {
    let (mut bits, mut block) = (0, 0);
    while block < Board::BLOCKS.len() {
        bits |= 1 << (BLOCK_BITS * (block + 1) - 1);
        block += 1;
    }
    bits
};

/// What the squares of every sheet bring to a terrain.
const fn squares(terrain: Terrain) -> [Square; CELLS] {
    let mut squares = [Square { touches: 0, pays: 0 }; CELLS];
    let mut at = 0;
    while at < CELLS {
        let (row, column) = (at / SIDE, at % SIDE);
        let lies_on = [row == 0, row == SIDE - 1, column == 0, column == SIDE - 1];
        let mut border = 0;
        while border < BORDERS.len() {
            squares[at].touches |= (lies_on[border] as u64) << BORDERS[border];
            border += 1;
        }
        squares[at].pays = match terrain {
            Terrain::Forest => 1 << (BLOCK_BITS * (row / 4 * 3 + column / 4)),
            Terrain::Mountain => Board::BORDER.contains(Cell(at as u8)) as u64,
            _ => 0,
        };
        at += 1;
    }
    squares
}

static OF_FOREST: [Square; CELLS] = squares(Terrain::Forest);
static OF_MOUNTAIN: [Square; CELLS] = squares(Terrain::Mountain);
static OF_OTHERS: [Square; CELLS] = squares(Terrain::River);

/// A sheet before a shape is drawn in one terrain.
pub(super) struct Forecast {
    squares: [Square; CELLS],
    /// By bit: the squares of a group of the terrain, and its borders.
    groups: [u64; BORDERS[0] as usize],
    /// The next bit that is free; there may be more to note than there are bits.
    next: u32,
    is_complete: bool,
    /// The bits of groups; of Nexus squares that do not touch the terrain; of squares of another terrain that would be paid for if they did.
    group_bits: u64,
    nexus_bits: u64,
    other_bits: u64,
    terrain: Terrain,
    /// The lines of the sheet but the two of the terrain, together.
    rest: i32,
    /// Terrain points and largest group of the terrain, and whether they count if it touches no Nexus.
    points: i32,
    largest: u32,
    is_free: [bool; 2],
    touches_nexus: bool,
    /// What a square that pays the terrain adds to its points, and what one of another terrain adds to that one's.
    each: i32,
    each_other: i32,
    /// Squares of the blocks, for a forest.
    blocks: u64,
}

impl Forecast {
    /// Looks at a sheet.
    #[inline(always)]
    pub(super) fn new(scoring: &Scoring, sheet: &Sheet, terrain: Terrain) -> Forecast {
        let (t, score) = (terrain.index(), &sheet.score);
        let (plane, empty) = (sheet.plane(terrain), sheet.empty());
        let lines = scoring.lines(score);
        let (open, closed) = (scoring.open(score.touch), scoring.open(0));
        let squares = match terrain {
            Terrain::Forest => &OF_FOREST,
            Terrain::Mountain => &OF_MOUNTAIN,
            _ => &OF_OTHERS,
        };
        let mut forecast = Forecast {
            squares: *squares,
            groups: [0; BORDERS[0] as usize],
            next: 0,
            is_complete: true,
            group_bits: 0,
            nexus_bits: 0,
            other_bits: 0,
            terrain,
            rest: (score.total - lines[t] - lines[POINT_LINES + t]).into(),
            points: score.points[t].into(),
            largest: score.groups[t].into(),
            is_free: [t, POINT_LINES + t].map(|line| closed >> line & 1 != 0),
            touches_nexus: score.touch >> t & 1 != 0,
            each: if terrain == Terrain::Desert { -1 } else { 1 },
            each_other: 0,
            blocks: 0,
        };
        let mut left = plane;
        while let Some(first) = left.first() {
            let group = Board::one(first).flood(left);
            left = left.minus(group);
            let around = group.beside().and(empty);
            if !around.is_empty() {
                let borders = if terrain == Terrain::River { borders_of(group) } else { 0 };
                if let Some(noted) = forecast.groups.get_mut(forecast.next as usize) {
                    *noted = u64::from(group.len()) | borders;
                }
                forecast.note(around);
            }
        }
        forecast.group_bits = forecast.noted();
        for nexus in sheet.plane(Terrain::Nexus).minus(scoring.near(plane)).iter() {
            forecast.note(scoring.near(Board::one(nexus)).and(empty));
        }
        forecast.nexus_bits = forecast.noted() & !forecast.group_bits;
        let line_counts = |line: Terrain| (open >> line.index() & 1) as i32;
        let (others, each_other) = match terrain {
            Terrain::Mountain => (sheet.plane(Terrain::Tundra), line_counts(Terrain::Tundra)),
            Terrain::River => (sheet.plane(Terrain::Farm), line_counts(Terrain::Farm)),
            Terrain::Tundra if !scoring.desert_pairs => (sheet.plane(Terrain::Desert), -1),
            Terrain::Tundra => (Board::EMPTY, -1),
            _ => (Board::EMPTY, 0),
        };
        forecast.each_other = each_other;
        for other in others.minus(plane.beside()).iter() {
            forecast.note(Board::one(other).beside().and(empty));
        }
        forecast.other_bits = forecast.noted() & !forecast.group_bits & !forecast.nexus_bits;
        match terrain {
            Terrain::Forest => {
                for (block, squares) in Board::BLOCKS.iter().enumerate() {
                    let count = u64::from(plane.and(*squares).len());
                    forecast.blocks |= (NO_SQUARES + count) << (BLOCK_BITS * block);
                }
            }
            Terrain::Desert if scoring.desert_pairs => {
                for squares in sheet.plane(Terrain::Tundra).steps() {
                    forecast.pay(squares.and(empty), 1);
                }
            }
            Terrain::Desert => forecast.pay(sheet.plane(Terrain::Tundra).beside().and(empty), 1),
            Terrain::Tundra => {
                forecast.pay(sheet.plane(Terrain::Mountain).beside().and(empty), 1);
                if scoring.desert_pairs {
                    for squares in sheet.plane(Terrain::Desert).steps() {
                        forecast.pay(squares.and(empty), 1 << EDGES);
                    }
                }
            }
            Terrain::Farm => forecast.pay(sheet.plane(Terrain::River).beside().and(empty), 1),
            _ => {}
        }
        forecast
    }

    /// Whether everything is noted: there are fewer bits than a sheet can have groups.
    #[inline(always)]
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Gives the next bit to something that these squares touch.
    #[inline(always)]
    fn note(&mut self, squares: Board) {
        if self.next == BORDERS[0] {
            self.is_complete = false;
            return;
        }
        for cell in squares.iter() {
            self.squares[cell.index()].touches |= 1 << self.next;
        }
        self.next += 1;
    }

    /// The bits that are given away.
    #[inline(always)]
    fn noted(&self) -> u64 {
        (1 << self.next) - 1
    }

    /// Each of these squares is paid for.
    #[inline(always)]
    fn pay(&mut self, squares: Board, by: u64) {
        for cell in squares.iter() {
            self.squares[cell.index()].pays += by;
        }
    }

    /// The total of the sheet with a shape of these squares: the numbers of its squares, if its corner is on square 0, and its corner.
    ///
    /// Sums wrap, because checks of them would be a fifth of this.
    #[inline(always)]
    pub(super) fn total(&self, offsets: &[u8], corner: Cell) -> i32 {
        let (mut touches, mut pays) = (0, self.blocks);
        let mut add = |offset: u8| {
            let square = &self.squares[corner.index() + usize::from(offset)];
            touches |= square.touches;
            pays = pays.wrapping_add(square.pays);
        };
        match *offsets {
            // All shapes of the library: a loop of unknown length takes twice as long.
            [a, b, c, d] => {
                add(a);
                add(b);
                add(c);
                add(d);
            }
            _ => offsets.iter().for_each(|&offset| add(offset)),
        }
        let (mut size, mut borders) = (offsets.len() as u32, touches);
        let mut groups = touches & self.group_bits;
        while groups != 0 {
            let group = self.groups[groups.trailing_zeros() as usize];
            size = size.wrapping_add((group & 0xff) as u32);
            borders |= group;
            groups &= groups - 1;
        }
        let nexus = (touches & self.nexus_bits).count_ones() as i32;
        let others = (touches & self.other_bits).count_ones() as i32;
        let (points, others) = match self.terrain {
            Terrain::Forest => (2 * (pays & FULL_BLOCKS).count_ones() as i32, 0),
            Terrain::River if crosses(borders) => (RIVER_POINTS.into(), others),
            _ => {
                let points = self.each.wrapping_mul(pays as i32);
                (self.points.wrapping_add(points), others.wrapping_add((pays >> EDGES) as i32))
            }
        };
        let [points_count, group_counts] = self.is_free.map(|free| free | self.touches_nexus | (nexus > 0));
        let points = if points_count { points } else { 0 };
        let largest = if group_counts { self.largest.max(size) as i32 } else { 0 };
        let others = self.each_other.wrapping_mul(others);
        [points, largest, nexus, others].into_iter().fold(self.rest, i32::wrapping_add)
    }
}

/// The bits of the borders that a group lies on.
#[inline(always)]
fn borders_of(group: Board) -> u64 {
    const SIDES: [Board; 4] = [Board::row(1), Board::row(SIDE), Board::column(1), Board::column(SIDE)];
    let bits = SIDES.iter().zip(BORDERS).map(|(&side, bit)| u64::from(group.meets(side)) << bit);
    bits.sum()
}

/// Whether a connected set with these borders crosses the sheet (GG-R10).
#[inline(always)]
fn crosses(borders: u64) -> bool {
    const ROWS: u64 = 1 << BORDERS[0] | 1 << BORDERS[1];
    const COLUMNS: u64 = 1 << BORDERS[2] | 1 << BORDERS[3];
    borders & ROWS == ROWS || borders & COLUMNS == COLUMNS
}
