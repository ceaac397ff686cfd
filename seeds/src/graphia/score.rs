//! The score of a sheet: computed from scratch, and updated after each drawing.

use super::Graphia;
use super::board::Board;
use super::state::{Sheet, SheetScore, State, Terrain};
use playmat_core::prelude::*;

/// Score lines: terrain points of M F R D T A X, then largest groups of M F R D T A.
pub const LINES: usize = 13;
/// Lines that are terrain points.
pub const POINT_LINES: usize = 7;

const M: usize = Terrain::Mountain.index();
const F: usize = Terrain::Forest.index();
const R: usize = Terrain::River.index();
const D: usize = Terrain::Desert.index();
const T: usize = Terrain::Tundra.index();
const A: usize = Terrain::Farm.index();
const X: usize = Terrain::Nexus.index();

/// Points of a river that crosses the sheet (GG-R10).
pub(super) const RIVER_POINTS: i16 = 12;

/// Lines that count whatever a terrain touches: the desert's and the Nexus points (GG-R16).
const FREE_POINTS: u32 = 1 << D | 1 << X;
const ALL_SIX: u32 = (1 << Terrain::SIX) - 1;

/// The totals of the sheets.
#[inline]
pub(super) fn scores(_: &Graphia, state: &State) -> Scores {
    state.sheets.map(|sheet| sheet.score.total.into())
}

/// All with the highest total.
pub(super) fn winners(game: &Graphia, state: &State) -> Players {
    let scores = scores(game, state);
    let best = scores[..game.players].iter().max().copied().unwrap_or(0);
    Player::all(game.players).filter(|player| scores[player.index()] == best).collect()
}

/// How the options read the scoring rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scoring {
    /// Option `nexus_gate` (GG-Q2): an untouched terrain scores no terrain points.
    pub gates_terrain: bool,
    /// Option `nexus_gate`: an untouched terrain scores no group.
    pub gates_groups: bool,
    /// Option `nexus_adjacency = "all"` (GG-Q18): a Nexus has eight neighbours.
    pub diagonal: bool,
    /// Option `desert_scoring = "pair"` (GG-Q3): every desert-tundra edge costs a point.
    pub desert_pairs: bool,
}

impl Scoring {
    pub(super) fn from_options(options: &Options) -> Scoring {
        let gate = options.str("nexus_gate");
        Scoring {
            gates_terrain: gate != "group",
            gates_groups: gate != "terrain",
            diagonal: options.str("nexus_adjacency") == "all",
            desert_pairs: options.str("desert_scoring") == "pair",
        }
    }

    /// The squares on which a Nexus would be next to one of these (GG-Q18).
    #[inline(always)]
    pub fn near(&self, squares: Board) -> Board {
        if self.diagonal { squares.around() } else { squares.beside() }
    }

    /// Bit i is set if score line i counts, for the terrains that touch a nexus (GG-R15, R16).
    #[inline(always)]
    pub fn open(&self, touch: u8) -> u32 {
        let touch = u32::from(touch);
        let points = if self.gates_terrain { touch | FREE_POINTS } else { ALL_SIX | FREE_POINTS };
        let groups = if self.gates_groups { touch } else { ALL_SIX };
        points | groups << POINT_LINES
    }

    /// The score lines as they count under the options.
    #[inline(always)]
    pub fn lines(&self, score: &SheetScore) -> [i16; LINES] {
        let open = self.open(score.touch);
        let mut lines = [0; LINES];
        lines[..POINT_LINES].copy_from_slice(&score.points);
        for (line, &group) in lines[POINT_LINES..].iter_mut().zip(&score.groups) {
            *line = i16::from(group);
        }
        for (i, line) in lines.iter_mut().enumerate() {
            // All ones or all zeros: no branch.
            *line &= -((open >> i & 1) as i16);
        }
        lines
    }

    /// The total of the lines (GG-R18).
    #[inline(always)]
    fn total(&self, score: &SheetScore) -> i16 {
        self.lines(score).iter().sum()
    }

    /// Desert points, 0 or negative (GG-R11).
    #[inline(always)]
    fn desert(&self, deserts: Board, tundras: Board) -> i16 {
        if self.desert_pairs {
            // An edge is found from its left or upper square: once.
            let right = |a: Board, b: Board| a.minus(Board::column(12)).up(1).and(b).len();
            let below = |a: Board, b: Board| a.up(12).and(b).len();
            let pairs = right(deserts, tundras)
                + right(tundras, deserts)
                + below(deserts, tundras)
                + below(tundras, deserts);
            -(pairs as i16)
        } else {
            -(deserts.and(tundras.beside()).len() as i16)
        }
    }

    /// Smallest and largest total that any sheet can have.
    ///
    /// Lower bound: minus the number of deserts next to a tundra. With t tundras these are at most the smaller of 4 t (neighbours of
    /// tundras) and 144 - t (all other squares). With `pair`: minus the 264 edges of the sheet, as on a chessboard.
    ///
    /// Upper bound, the largest over all numbers n of Nexus squares, as the sum of
    /// - the points of the forest and of the river, once each;
    /// - 2 for each of the other 144 - n squares: a point of its terrain and one in its group;
    /// - the smaller of 4 n (points for each Nexus; with `all` 6 n, one for each terrain) and 4 (8) for each of the other squares.
    pub(super) fn range(&self) -> (i32, i32) {
        let (each, neighbours) = if self.diagonal { (6, 8) } else { (4, 4) };
        let most = |n: i32| (each * n).min(neighbours * (144 - n)) + 2 * (144 - n);
        let most = (0..=144).map(most).max().unwrap_or(0);
        let deserts = (0..=144).map(|tundras: i32| (4 * tundras).min(144 - tundras)).max().unwrap_or(0);
        (if self.desert_pairs { -264 } else { -deserts }, most + 18 + i32::from(RIVER_POINTS))
    }

    /// The numbers of the rules that decide a final score.
    pub(super) fn rules(&self, score: &SheetScore) -> Vec<&'static str> {
        let points = score.points;
        let closed = !score.touch;
        let gated = [M, F, R, T, A].into_iter().any(|t| points[t] != 0 && closed >> t & 1 != 0);
        let fired = [
            ("GG-R8", points[M] != 0),
            ("GG-R9", points[F] != 0),
            ("GG-R10", points[R] != 0),
            ("GG-R11", points[D] != 0),
            ("GG-R12", points[T] != 0),
            ("GG-R13", points[A] != 0),
            ("GG-R14", points[X] != 0),
            ("GG-R15", self.gates_terrain && gated),
            ("GG-R15a", score.touch != 0),
            ("GG-R15b", !self.gates_groups && closed & ALL_SIX as u8 != 0),
            ("GG-R16", points[D] != 0 && closed >> D & 1 != 0),
            ("GG-R17", score.groups.iter().any(|&group| group != 0)),
            ("GG-R18", true),
            ("GG-R18a", score.total < 0),
        ];
        fired.into_iter().filter(|&(_, fires)| fires).map(|(rule, _)| rule).collect()
    }

    /// Everything from nothing.
    pub fn score(&self, sheet: &Sheet) -> SheetScore {
        let planes = Terrain::ALL.map(|t| sheet.plane(t));
        let mut score = SheetScore { empty: sheet.empty().len() as u8, ..SheetScore::default() };
        let nexus = planes[X];
        for (t, plane) in planes[..Terrain::SIX].iter().enumerate() {
            score.groups[t] = plane.largest_group() as u8;
            let near = self.near(*plane).and(nexus);
            score.touch |= u8::from(!near.is_empty()) << t;
            score.points[X] += near.len() as i16;
        }
        score.points[M] = planes[M].and(Board::BORDER).len() as i16;
        score.points[F] = forest(planes[F]);
        score.points[R] = if has_crossing(planes[R]) { RIVER_POINTS } else { 0 };
        score.points[D] = self.desert(planes[D], planes[T]);
        score.points[T] = planes[T].and(planes[M].beside()).len() as i16;
        score.points[A] = planes[A].and(planes[R].beside()).len() as i16;
        score.total = self.total(&score);
        score
    }

    /// Fills empty squares with one of the six and brings the score up to date; the squares are connected.
    #[inline(always)]
    pub fn draw_shape(&self, sheet: &mut Sheet, terrain: Terrain, squares: Board) {
        let before = sheet.plane(terrain);
        let plane = before.or(squares);
        sheet.set_plane(terrain, plane);
        let nexus = sheet.plane(Terrain::Nexus);
        let t = terrain.index();
        let mut score = sheet.score;
        score.empty -= squares.len() as u8;
        // Only what was drawn can have joined groups, and only its group can have grown or come to cross.
        let group = squares.flood(plane);
        score.groups[t] = score.groups[t].max(group.len() as u8);
        self.relate(sheet, terrain, plane, &mut score);
        if terrain == Terrain::River && group.crosses() {
            score.points[R] = RIVER_POINTS;
        }
        let near = self.near(plane).and(nexus);
        let had = self.near(before).and(nexus);
        score.points[X] += near.len() as i16 - had.len() as i16;
        score.touch |= u8::from(!near.is_empty()) << t;
        score.total = self.total(&score);
        sheet.score = score;
    }

    /// The terrain points that depend on the squares of one terrain, `plane`, river crossings and Nexus apart.
    #[inline(always)]
    fn relate(&self, sheet: &Sheet, terrain: Terrain, plane: Board, score: &mut SheetScore) {
        let next_to = |a: Board, b: Board| a.and(b.beside()).len() as i16;
        match terrain {
            Terrain::Mountain => {
                score.points[M] = plane.and(Board::BORDER).len() as i16;
                score.points[T] = next_to(sheet.plane(Terrain::Tundra), plane);
            }
            Terrain::Forest => score.points[F] = forest(plane),
            Terrain::River => score.points[A] = next_to(sheet.plane(Terrain::Farm), plane),
            Terrain::Desert => score.points[D] = self.desert(plane, sheet.plane(Terrain::Tundra)),
            Terrain::Tundra => {
                score.points[T] = next_to(plane, sheet.plane(Terrain::Mountain));
                score.points[D] = self.desert(sheet.plane(Terrain::Desert), plane);
            }
            Terrain::Farm => score.points[A] = next_to(plane, sheet.plane(Terrain::River)),
            Terrain::Nexus | Terrain::Desolation => {}
        }
    }

    /// Fills one empty square with a Nexus and brings the score up to date.
    #[inline(always)]
    pub fn draw_nexus(&self, sheet: &mut Sheet, square: Board) {
        sheet.score = self.with_nexus(sheet, square);
        sheet.set_plane(Terrain::Nexus, sheet.plane(Terrain::Nexus).or(square));
    }

    /// The score of a sheet with a Nexus on one empty square.
    #[inline(always)]
    pub(super) fn with_nexus(&self, sheet: &Sheet, square: Board) -> SheetScore {
        let mut score = sheet.score;
        score.empty -= square.len() as u8;
        let near = self.near(square);
        for t in 0..Terrain::SIX {
            let meets = sheet.plane(Terrain::ALL[t]).meets(near);
            score.points[X] += i16::from(meets);
            score.touch |= u8::from(meets) << t;
        }
        score.total = self.total(&score);
        score
    }

    /// Fills one square with a Desolation, whatever was there, and brings the score up to date (GG-R5, R5c, R5d).
    #[inline]
    pub fn desolate(&self, sheet: &mut Sheet, square: Board) {
        let lost = Terrain::ALL.into_iter().find(|&t| sheet.plane(t).meets(square));
        sheet.set_plane(Terrain::Desolation, sheet.plane(Terrain::Desolation).or(square));
        match lost {
            None => sheet.score.empty -= 1,
            Some(Terrain::Desolation) => {}
            Some(terrain) => {
                // Nothing else takes a drawn square away (GG-R3f).
                sheet.set_plane(terrain, sheet.plane(terrain).minus(square));
                if terrain == Terrain::Nexus {
                    self.lose_nexus(sheet);
                } else {
                    self.lose_square(sheet, terrain, square);
                }
                sheet.score.total = self.total(&sheet.score);
            }
        }
    }

    /// After a Nexus was overwritten: its points, and the gates that it alone held open.
    fn lose_nexus(&self, sheet: &mut Sheet) {
        let nexus = sheet.plane(Terrain::Nexus);
        let (mut points, mut touch) = (0, 0);
        for t in 0..Terrain::SIX {
            let near = self.near(sheet.plane(Terrain::ALL[t])).and(nexus);
            points += near.len() as i16;
            touch |= u8::from(!near.is_empty()) << t;
        }
        sheet.score.points[X] = points;
        sheet.score.touch = touch;
    }

    /// After a square of one of the six was overwritten.
    fn lose_square(&self, sheet: &mut Sheet, terrain: Terrain, square: Board) {
        let t = terrain.index();
        let plane = sheet.plane(terrain);
        let nexus = sheet.plane(Terrain::Nexus);
        let mut score = sheet.score;
        // A smaller group that breaks apart leaves the largest as it is.
        if square.flood(plane.or(square)).len() == u32::from(score.groups[t]) {
            score.groups[t] = plane.largest_group() as u8;
        }
        self.relate(sheet, terrain, plane, &mut score);
        if terrain == Terrain::River && score.points[R] != 0 && !has_crossing(plane) {
            score.points[R] = 0;
        }
        let near = self.near(plane).and(nexus);
        let had = self.near(plane.or(square)).and(nexus);
        score.points[X] += near.len() as i16 - had.len() as i16;
        if near.is_empty() {
            score.touch &= !(1 << t);
        }
        sheet.score = score;
    }
}

/// Forest points: 2 for each block with at least 4 (GG-R9).
#[inline(always)]
fn forest(plane: Board) -> i16 {
    Board::BLOCKS.iter().map(|&block| if plane.and(block).len() >= 4 { 2 } else { 0 }).sum()
}

/// Whether some group crosses (GG-R10, R10a). A crossing group starts in row 1 or column 1.
fn has_crossing(plane: Board) -> bool {
    let mut starts = plane.and(Board::row(1).or(Board::column(1)));
    while let Some(cell) = starts.first() {
        let group = Board::one(cell).flood(plane);
        if group.crosses() {
            return true;
        }
        starts = starts.minus(group);
    }
    false
}
