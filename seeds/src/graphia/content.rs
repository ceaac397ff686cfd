//! The shapes: reads and checks a content file, and makes tables of placements from it.

use super::board::{Board, Movable, SIDE};
use super::state::{CONTENT_CARDS, Kind, MAX_KINDS, TURNS};
use playmat_core::content::{DeTable, Entry, Reader, same};
use playmat_core::prelude::*;
use std::ops::Range;

/// Most squares of a shape.
pub const MAX_SQUARES: usize = 6;
/// Longest name of a shape, in characters.
const MAX_ID: usize = 16;

/// The contents that come with the library.
pub(super) const BUILTIN: &[(&str, &str)] = &[("graphia", include_str!("../../content/graphia.toml"))];
/// Their names.
pub(super) const NAMES: &[&str] = &["graphia"];

/// A shape of the file as far as its types are right.
struct Given<'t, 'i> {
    entry: Entry<'t, 'i>,
    id: Option<Spanned<String>>,
    copies: Option<Spanned<i64>>,
    rows: Option<(Range<usize>, Vec<Spanned<String>>)>,
}

/// A shape in one of its turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orientation {
    /// Squares relative to the corner of the bounding box, as cell numbers, ascending; the first [`Shape::squares`] count.
    pub offsets: [u8; MAX_SQUARES],
    /// Rows of the bounding box.
    pub height: u8,
    /// Columns of the bounding box.
    pub width: u8,
    /// `corners[n - 1]`: the corners that keep the shape on the sheet and put a square of it into line n.
    pub corners: [Board; SIDE],
}

impl Orientation {
    const NONE: Orientation =
        Orientation { offsets: [0; MAX_SQUARES], height: 0, width: 0, corners: [Board::EMPTY; SIDE] };
}

/// A kind of polyomino card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Name.
    pub id: String,
    /// Cards of this kind.
    pub copies: u8,
    /// Number of squares.
    pub squares: usize,
    /// Number of distinct turns: 1, 2 or 4.
    pub turns: usize,
    /// The shape turned 0, 90, 180, 270 degrees clockwise; beyond the first [`Shape::turns`] without corners.
    pub orientations: [Orientation; TURNS],
}

impl Shape {
    /// The corners where the shape, turned `turn` times, can be drawn on the `empty` squares with a square in
    /// line `number` (GG-R3a, R3b, R3c). There is no other condition (GG-R3d).
    #[inline(always)]
    pub fn corners(&self, turn: usize, number: u8, empty: &Movable) -> Board {
        let orientation = &self.orientations[turn];
        let [a, b, c] = orientation.corners[usize::from(number) - 1].0;
        let mut corners = [a, b, c, 0];
        for &offset in &orientation.offsets[..self.squares] {
            let moved = empty.down(u32::from(offset));
            for (corners, moved) in corners.iter_mut().zip(moved) {
                *corners &= moved;
            }
        }
        let [a, b, c, _] = corners;
        Board([a, b, c])
    }

    /// Whether the shape can be drawn at all (GG-R6a).
    #[inline(always)]
    pub fn fits(&self, number: u8, empty: &Movable) -> bool {
        (0..self.turns).any(|turn| !self.corners(turn, number, empty).is_empty())
    }

    /// The squares covered by the shape with its corner on cell 0, turned `turn` times.
    #[inline(always)]
    pub(super) fn offsets(&self, turn: usize) -> &[u8] {
        &self.orientations[turn].offsets[..self.squares]
    }

    /// The squares covered by the shape with its corner on cell 0, turned `turn` times, moved to `cell`.
    #[inline(always)]
    pub fn squares_at(&self, turn: usize, cell: usize) -> Board {
        let mut squares = Board::EMPTY;
        for &offset in &self.orientations[turn].offsets[..self.squares] {
            let at = cell + usize::from(offset);
            squares.0[at >> 6] |= 1 << (at & 63);
        }
        squares
    }
}

/// What a content file says, compiled.
#[derive(Clone, Debug)]
pub(super) struct Shapes {
    /// By kind.
    pub(super) shapes: Vec<Shape>,
    /// Cards of each kind.
    pub(super) deck: [u8; MAX_KINDS],
    /// Squares of the smallest shape.
    pub(super) smallest: usize,
}

/// The kind with this name, upper and lower case alike.
pub(super) fn kind(shapes: &[Shape], id: &str) -> Option<Kind> {
    shapes.iter().position(|shape| same(&shape.id, id)).map(|k| Kind(k as u8))
}

/// Reads and checks a content file.
///
/// # Errors
/// `Content` with every finding.
pub(super) fn load(content: &Content) -> Result<Shapes> {
    let file = content.parse()?;
    let mut reader = Reader::new(content);
    let entries = read_entries(&mut reader, &file);
    let mut shapes: Vec<(Shape, Grid)> = Vec::new();
    let (mut ids, mut cards): (Vec<&str>, _) = (Vec::new(), 0);
    for Given { entry, id, copies, rows } in &entries {
        if let Some(id) = id {
            reader.check_name(&format!("{}`id`", entry.place), id, MAX_ID);
            if ids.iter().any(|other| same(other, id.get_ref())) {
                let message = "`id` is used by an entry above (upper and lower case are alike)";
                entry.wrong(&mut reader, &id.span(), message);
            }
            ids.push(id.get_ref().as_str());
        }
        let mut refuse = |span: Range<usize>, message: String| entry.wrong(&mut reader, &span, message);
        let copies = copies.as_ref().map_or(1, |copies| check_copies(copies, &mut cards, &mut refuse));
        let Some((span, rows)) = rows else { continue };
        let Some(grid) = check_rows(rows, span, &mut refuse) else { continue };
        if let Some((other, _)) = shapes.iter().find(|(_, other)| (0..4).any(|t| other.turned(t) == grid)) {
            refuse(entry.span.clone(), format!("the same shape as `{}` up to turning", other.id));
        }
        let id = id.as_ref().map_or("", |id| id.get_ref());
        shapes.push((compile(id, copies, &grid), grid));
    }
    if cards < 2 && reader.is_clean() {
        let message = format!("{cards} cards in all; a pair needs at least 2");
        match entries.first().and_then(|given| Some((&given.entry, given.copies.as_ref()?))) {
            Some((entry, copies)) => entry.wrong(&mut reader, &copies.span(), message),
            None => reader.wrong_file(message),
        }
    }
    reader.finish()?;
    let shapes: Vec<Shape> = shapes.into_iter().map(|(shape, _)| shape).collect();
    let mut deck = [0; MAX_KINDS];
    for (count, shape) in deck.iter_mut().zip(&shapes) {
        *count = shape.copies;
    }
    let smallest = shapes.iter().map(|shape| shape.squares).min().unwrap_or(1);
    Ok(Shapes { shapes, deck, smallest })
}

/// The shapes of a file.
fn read_entries<'t, 'i>(reader: &mut Reader<'_>, file: &'t Spanned<DeTable<'i>>) -> Vec<Given<'t, 'i>> {
    let top = (file.get_ref(), &(0..0));
    reader.known("", top.0, &["name", "title", "polyomino"]);
    reader.game(top);
    let list = reader.field("", top, "polyomino");
    let list = list.and_then(|list| reader.list("`polyomino`: ", list)).unwrap_or_default();
    let mut entries = Vec::new();
    for (number, value) in (1..).zip(list) {
        let Some(mut entry) = reader.entry("polyomino", number, value) else { continue };
        let id = entry.id(reader, "polyomino");
        entry.known(reader, &["id", "copies", "rows"]);
        let copies = entry.field(reader, "copies");
        let copies = copies.and_then(|copies| reader.whole(&entry.at("copies"), copies));
        let rows = read_rows(reader, &entry);
        entries.push(Given { entry, id, copies, rows });
    }
    entries
}

/// The rows of an entry, if all are texts.
fn read_rows(reader: &mut Reader<'_>, entry: &Entry<'_, '_>) -> Option<(Range<usize>, Vec<Spanned<String>>)> {
    let value = entry.field(reader, "rows")?;
    let place = entry.at("rows");
    let items = reader.list(&place, value)?;
    let rows: Vec<_> = items.iter().map(|row| reader.text(&place, row)).collect();
    Some((value.span(), rows.into_iter().collect::<Option<_>>()?))
}

/// The cards of an entry; counts them.
fn check_copies(given: &Spanned<i64>, cards: &mut i64, refuse: &mut impl FnMut(Range<usize>, String)) -> u8 {
    let (copies, most) = (*given.get_ref(), CONTENT_CARDS as i64);
    if !(1..=most).contains(&copies) {
        refuse(given.span(), format!("`copies` is {copies}; allowed: 1 to {most}"));
    } else if *cards <= most && *cards + copies > most {
        let sum = *cards + copies;
        refuse(given.span(), format!("{sum} cards up to here; at most {most} in all"));
    }
    *cards = cards.saturating_add(copies.clamp(0, most + 1));
    copies.clamp(1, most) as u8
}

/// The squares of an entry, if its rows make a shape.
fn check_rows(
    rows: &[Spanned<String>],
    span: &Range<usize>,
    refuse: &mut impl FnMut(Range<usize>, String),
) -> Option<Grid> {
    let mut good = true;
    let mut wrong = |span: Range<usize>, message: String| {
        good = false;
        refuse(span, message);
    };
    let width = rows.first().map_or(0, |row| row.get_ref().chars().count());
    for row in rows {
        if let Some(c) = row.get_ref().chars().find(|c| !matches!(c, '#' | '.')) {
            wrong(row.span(), format!("`{}` in a row; allowed: `#` and `.`", c.escape_debug()));
        }
        let length = row.get_ref().chars().count();
        if length != width {
            wrong(row.span(), format!("a row of {length} beside rows of {width}; all are equally long"));
        }
    }
    if !good {
        return None;
    }
    let squares: Vec<(usize, usize)> = rows
        .iter()
        .enumerate()
        .flat_map(|(r, row)| row.get_ref().chars().enumerate().map(move |(c, x)| (r, c, x)))
        .filter(|&(_, _, x)| x == '#')
        .map(|(r, c, _)| (r, c))
        .collect();
    let (count, span) = (squares.len(), span.clone());
    if count == 0 || count > MAX_SQUARES {
        refuse(span, format!("{count} squares; allowed: 1 to {MAX_SQUARES}"));
        return None;
    }
    let grid = Grid { height: rows.len(), width, squares };
    let bare = |outer: &dyn Fn(usize, usize) -> bool| !grid.squares.iter().any(|&(r, c)| outer(r, c));
    let sides: [(&str, &dyn Fn(usize, usize) -> bool); 4] = [
        ("first row", &|r, _| r == 0),
        ("last row", &|r, _| r + 1 == grid.height),
        ("first column", &|_, c| c == 0),
        ("last column", &|_, c| c + 1 == grid.width),
    ];
    for (name, outer) in sides {
        if bare(outer) {
            good = false;
            refuse(span.clone(), format!("the {name} is empty"));
        }
    }
    if !grid.is_connected() {
        good = false;
        refuse(span, "the squares are not connected by edges".into());
    }
    good.then_some(grid)
}

/// Squares in a box, (row, column) from 0, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Grid {
    height: usize,
    width: usize,
    squares: Vec<(usize, usize)>,
}

impl Grid {
    /// Turned by `turns` quarter turns clockwise.
    fn turned(&self, turns: usize) -> Grid {
        let mut grid = self.clone();
        for _ in 0..turns {
            let mut squares: Vec<_> = grid.squares.iter().map(|&(r, c)| (c, grid.height - 1 - r)).collect();
            squares.sort_unstable();
            grid = Grid { height: grid.width, width: grid.height, squares };
        }
        grid
    }

    fn is_connected(&self) -> bool {
        let mut reached = vec![self.squares[0]];
        let mut at = 0;
        while let Some(&(r, c)) = reached.get(at) {
            at += 1;
            let beside = self.squares.iter().filter(|&&(x, y)| r.abs_diff(x) + c.abs_diff(y) == 1);
            for &square in beside {
                if !reached.contains(&square) {
                    reached.push(square);
                }
            }
        }
        reached.len() == self.squares.len()
    }
}

fn compile(id: &str, copies: u8, grid: &Grid) -> Shape {
    let turns = (1..4).find(|&t| grid.turned(t) == *grid).unwrap_or(4);
    let mut orientations = [Orientation::NONE; TURNS];
    for (turn, orientation) in orientations.iter_mut().enumerate().take(turns) {
        *orientation = orient(&grid.turned(turn));
    }
    Shape { id: id.into(), copies, squares: grid.squares.len(), turns, orientations }
}

fn orient(grid: &Grid) -> Orientation {
    let mut offsets = [0; MAX_SQUARES];
    for (offset, &(r, c)) in offsets.iter_mut().zip(&grid.squares) {
        *offset = (SIDE * r + c) as u8;
    }
    let mut corners = [Board::EMPTY; SIDE];
    for row in 0..=SIDE - grid.height {
        for column in 0..=SIDE - grid.width {
            let corner = SIDE * row + column;
            for &(r, c) in &grid.squares {
                for line in [row + r, column + c] {
                    corners[line].0[corner >> 6] |= 1 << (corner & 63);
                }
            }
        }
    }
    Orientation { offsets, height: grid.height as u8, width: grid.width as u8, corners }
}
