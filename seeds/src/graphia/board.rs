//! Sets of squares of a sheet: 144 bits, square (r, c) at bit `12*(r-1) + (c-1)`.

/// Squares of a row or column.
pub const SIDE: usize = 12;
/// Squares of a sheet.
pub const CELLS: usize = SIDE * SIDE;

/// A square, `12*(row-1) + (column-1)`, 0..144.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell(pub u8);

impl Cell {
    /// The square in this row and column, both 1..=12.
    #[inline(always)]
    pub const fn at(row: usize, column: usize) -> Cell {
        Cell((SIDE * (row - 1) + (column - 1)) as u8)
    }

    /// Row, 1..=12.
    pub const fn row(self) -> usize {
        self.0 as usize / SIDE + 1
    }

    /// Column, 1..=12.
    pub const fn column(self) -> usize {
        self.0 as usize % SIDE + 1
    }

    /// The square as an index.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of squares in four words, of which the last one is 0: vector code moves all of them at once.
#[derive(Clone, Copy, Debug)]
pub struct Movable {
    words: [u64; 4],
    /// The word above each, one bit up.
    above: [u64; 4],
}

impl Movable {
    /// See [`Board::down`].
    #[inline(always)]
    pub fn down(&self, by: u32) -> [u64; 4] {
        let mut moved = [0; 4];
        for (moved, (word, above)) in moved.iter_mut().zip(self.words.into_iter().zip(self.above)) {
            *moved = word.wrapping_shr(by) | above.wrapping_shl(63 ^ by);
        }
        moved
    }
}

/// A set of squares. The upper 48 bits of the last word are always 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Board(pub [u64; 3]);

/// Bits of the last word that are squares.
const TOP: u64 = 0xffff;

impl Board {
    /// No square.
    pub const EMPTY: Board = Board([0; 3]);
    /// Every square.
    pub const ALL: Board = Board([u64::MAX, u64::MAX, TOP]);
    /// Row 1, row 12, column 1 and column 12: 44 squares (GG-R8).
    pub const BORDER: Board = Board::row(1).or(Board::row(12)).or(Board::column(1)).or(Board::column(12));
    /// Every square but column 1: what a step to the right can reach.
    const NOT_FIRST: Board = Board::ALL.minus(Board::column(1));
    /// Every square but column 12.
    const NOT_LAST: Board = Board::ALL.minus(Board::column(12));
    /// The nine blocks of 4 x 4, row by row (GG-R9, GG-Q1).
    pub const BLOCKS: [Board; 9] = Board::blocks();
    /// `LINES[n - 1]` is line n: the 23 squares of row n and column n.
    pub const LINES: [Board; SIDE] = Board::lines();

    /// The squares of a row, 1..=12.
    pub const fn row(row: usize) -> Board {
        let mut set = Board::EMPTY;
        let mut column = 1;
        while column <= SIDE {
            set = set.with(Cell::at(row, column));
            column += 1;
        }
        set
    }

    /// The squares of a column, 1..=12.
    pub const fn column(column: usize) -> Board {
        let mut set = Board::EMPTY;
        let mut row = 1;
        while row <= SIDE {
            set = set.with(Cell::at(row, column));
            row += 1;
        }
        set
    }

    const fn lines() -> [Board; SIDE] {
        let mut lines = [Board::EMPTY; SIDE];
        let mut n = 1;
        while n <= SIDE {
            lines[n - 1] = Board::row(n).or(Board::column(n));
            n += 1;
        }
        lines
    }

    const fn blocks() -> [Board; 9] {
        let mut blocks = [Board::EMPTY; 9];
        let mut cell = 0;
        while cell < CELLS {
            let block = cell / SIDE / 4 * 3 + cell % SIDE / 4;
            blocks[block] = blocks[block].with(Cell(cell as u8));
            cell += 1;
        }
        blocks
    }

    /// The set of one square.
    #[inline(always)]
    pub const fn one(cell: Cell) -> Board {
        Board::EMPTY.with(cell)
    }

    /// This set and one square.
    #[inline(always)]
    #[must_use]
    pub const fn with(mut self, cell: Cell) -> Board {
        self.0[cell.index() >> 6] |= 1 << (cell.index() & 63);
        self
    }

    /// Squares in either set.
    #[inline(always)]
    #[must_use]
    pub const fn or(self, other: Board) -> Board {
        let (a, b) = (self.0, other.0);
        Board([a[0] | b[0], a[1] | b[1], a[2] | b[2]])
    }

    /// Squares in both sets.
    #[inline(always)]
    #[must_use]
    pub const fn and(self, other: Board) -> Board {
        let (a, b) = (self.0, other.0);
        Board([a[0] & b[0], a[1] & b[1], a[2] & b[2]])
    }

    /// Squares of this set that are not in the other.
    #[inline(always)]
    #[must_use]
    pub const fn minus(self, other: Board) -> Board {
        let (a, b) = (self.0, other.0);
        Board([a[0] & !b[0], a[1] & !b[1], a[2] & !b[2]])
    }

    /// Whether no square is in the set.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// Whether the sets share a square.
    #[inline(always)]
    pub const fn meets(self, other: Board) -> bool {
        !self.and(other).is_empty()
    }

    /// Number of squares.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones()
    }

    /// Whether the square is in the set.
    #[inline(always)]
    pub const fn contains(self, cell: Cell) -> bool {
        self.0[cell.index() >> 6] >> (cell.index() & 63) & 1 != 0
    }

    /// The lowest square.
    #[inline(always)]
    pub const fn first(self) -> Option<Cell> {
        let mut word = 0;
        while word < 3 {
            if self.0[word] != 0 {
                return Some(Cell((64 * word) as u8 + self.0[word].trailing_zeros() as u8));
            }
            word += 1;
        }
        None
    }

    /// The squares, ascending.
    #[inline(always)]
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        let ([mut word, mut next, mut last], mut first) = (self.0, 0);
        std::iter::from_fn(move || {
            while word == 0 {
                if next | last == 0 {
                    return None;
                }
                (word, next, last, first) = (next, last, 0, first + 64);
            }
            let cell = Cell(first + word.trailing_zeros() as u8);
            word &= word - 1;
            Some(cell)
        })
    }

    /// This set in the form that moves faster, by numbers that the compiler does not know.
    #[inline(always)]
    pub const fn movable(self) -> Movable {
        let [a, b, c] = self.0;
        Movable { words: [a, b, c, 0], above: [b << 1, c << 1, 0, 0] }
    }

    /// Every square moved `by` numbers down, `by < 64`; squares that fall below 0 vanish.
    #[inline(always)]
    #[must_use]
    pub const fn down(self, by: u32) -> Board {
        let w = self.0;
        // Two shifts so that `by == 0` needs no branch: a shift by 64 would be one by 0.
        let carry = 63 ^ by;
        Board([
            w[0].wrapping_shr(by) | (w[1] << 1).wrapping_shl(carry),
            w[1].wrapping_shr(by) | (w[2] << 1).wrapping_shl(carry),
            w[2].wrapping_shr(by),
        ])
    }

    /// Every square moved `by` numbers up, `by < 64`; squares that pass the last one vanish.
    #[inline(always)]
    #[must_use]
    pub const fn up(self, by: u32) -> Board {
        let w = self.0;
        let carry = 63 ^ by;
        Board([
            w[0].wrapping_shl(by),
            w[1].wrapping_shl(by) | (w[0] >> 1).wrapping_shr(carry),
            (w[2].wrapping_shl(by) | (w[1] >> 1).wrapping_shr(carry)) & TOP,
        ])
    }

    /// The squares one step away from these: to the right, to the left, down and up.
    #[inline(always)]
    #[must_use]
    pub const fn steps(self) -> [Board; 4] {
        let (right, left) = (self.and(Board::NOT_LAST).up(1), self.and(Board::NOT_FIRST).down(1));
        [right, left, self.up(SIDE as u32), self.down(SIDE as u32)]
    }

    /// The squares that share an edge with one of these. Some of these may be among them.
    #[inline(always)]
    #[must_use]
    pub const fn beside(self) -> Board {
        let [right, left, below, above] = self.steps();
        right.or(left).or(below).or(above)
    }

    /// The squares that share an edge or a corner with one of these, and these.
    #[inline(always)]
    #[must_use]
    pub const fn around(self) -> Board {
        let rows = self.or(self.and(Board::NOT_LAST).up(1)).or(self.and(Board::NOT_FIRST).down(1));
        rows.or(rows.up(SIDE as u32)).or(rows.down(SIDE as u32))
    }

    /// All squares of `within` that are connected by edges with these, which are squares of `within`.
    #[inline]
    #[must_use]
    pub const fn flood(self, within: Board) -> Board {
        let mut reached = self;
        loop {
            // Sideways first and then up and down from there: a bend is taken in one round.
            let sides = reached.and(Board::NOT_LAST).up(1).or(reached.and(Board::NOT_FIRST).down(1));
            let wide = reached.or(sides.and(within));
            let grown = wide.or(wide.up(SIDE as u32).or(wide.down(SIDE as u32)).and(within));
            if grown.minus(reached).is_empty() {
                return reached;
            }
            reached = grown;
        }
    }

    /// Squares of the largest part connected by edges.
    #[inline]
    pub const fn largest_group(self) -> u32 {
        let (mut left, mut largest) = (self, 0);
        // A group larger than what is left cannot be beaten any more.
        while left.len() > largest {
            let Some(cell) = left.first() else { break };
            let group = Board::one(cell).flood(left);
            left = left.minus(group);
            if group.len() > largest {
                largest = group.len();
            }
        }
        largest
    }

    /// Whether this connected set crosses the sheet: row 1 and row 12, or column 1 and column 12 (GG-R10).
    #[inline(always)]
    pub const fn crosses(self) -> bool {
        const ROWS: (Board, Board) = (Board::row(1), Board::row(SIDE));
        const COLUMNS: (Board, Board) = (Board::column(1), Board::column(SIDE));
        self.meets(ROWS.0) && self.meets(ROWS.1) || self.meets(COLUMNS.0) && self.meets(COLUMNS.1)
    }
}
