//! The greedy bot: the placement that is worth most now, by the score lines and by what they may become.
//!
//! It looks at its own sheet, the round's cards and the number, all of which is public, and nothing else. All that
//! can be counted square by square lies in one table that is made once for a decision; groups, blocks, crossings and
//! gates are then told from what touches the squares of a placement.

use super::Graphia;
use super::board::{Board, CELLS, Cell, SIDE};
use super::score::Scoring;
use super::state::{Kind, Phase, Placement, Sheet, State, Terrain};
use playmat_core::prelude::*;

/// Hundredths of a point.
type Worth = i32;

/// A point on a score line.
const POINT: Worth = 100;

// What cannot be read from the score lines. The values were found by playing with others.

/// Of a point behind a closed gate, in hundredths.
const CLOSED: Worth = 68;
/// An open gate lets later points through, on an empty sheet.
const GATE: Worth = 250;
/// A square next to a Nexus that has this terrain beside it already.
const SPENT_NEXUS: Worth = -18;
/// Each square of the group that a drawing makes or extends, on an empty sheet.
const GROUP_SQUARE: Worth = 18;
/// Each side of a square that lies at the edge or at a filled square: what is left stays in one piece.
const SNUG: Worth = 10;
/// A square that another terrain could grow on.
const IN_THE_WAY: Worth = -12;
/// The first, second, third and fourth forest square of a block: together the 2 points.
const BLOCK_STEPS: [Worth; 4] = [20, 50, 20, 110];
/// An empty square next to a Nexus, on an empty sheet.
const NEXUS_ROOM: Worth = 47;
/// A Nexus beside a Nexus.
const NEXUS_PAIR: Worth = -8;
/// Of the points of a crossing, in hundredths: what a river is worth that all but crosses. The more squares it lacks, the
/// less, by their square.
const CROSSING: Worth = 20;

/// Groups of a terrain that are looked at; further ones only miss an estimate.
const GROUPS: usize = 12;

impl Graphia {
    pub(super) fn greedy_action(&self, state: &State, seat: Seat, rng: &mut Rng) -> Action {
        let sheet = &state.sheets[seat.index()];
        let mut best = Best { action: Action(0), worth: Worth::MIN, ties: 0, rng };
        let terrain = state.terrain.unwrap_or(Terrain::Nexus);
        match (state.phase, state.pair, state.shapes[seat.index()]) {
            (Phase::Shape, Some(pair), _) => {
                let outlook = Outlook::new(&self.scoring, sheet, terrain);
                for kind in pair {
                    self.offer_places(state, &outlook, kind, &mut best, |_| self.shape_action(kind));
                }
            }
            (Phase::Place, _, Some(kind)) => {
                let outlook = Outlook::new(&self.scoring, sheet, terrain);
                self.offer_places(state, &outlook, kind, &mut best, |place| self.place_action(place));
            }
            _ => {
                let nexus = NexusOutlook::new(&self.scoring, sheet);
                for cell in sheet.empty().and(state.line()).iter() {
                    best.offer(nexus.worth(cell), self.place_action(Placement::new(0, cell)));
                }
            }
        }
        best.action
    }

    /// Offers every legal placement of a shape.
    #[inline(always)]
    fn offer_places(
        &self,
        state: &State,
        outlook: &Outlook,
        kind: Kind,
        best: &mut Best,
        action: impl Fn(Placement) -> Action,
    ) {
        let shape = self.shape(kind);
        for turn in 0..shape.turns {
            let offsets = &shape.orientations[turn].offsets[..shape.squares];
            for cell in shape.corners(turn, state.number, outlook.empty).iter() {
                let worth = outlook.worth(cell.index(), offsets);
                best.offer(worth, action(Placement::new(turn, cell)));
            }
        }
    }
}

/// The best action so far; equal ones are drawn from.
struct Best<'a> {
    action: Action,
    worth: Worth,
    ties: u32,
    rng: &'a mut Rng,
}

impl Best<'_> {
    #[inline(always)]
    fn offer(&mut self, worth: Worth, action: Action) {
        if worth < self.worth {
            return;
        }
        if worth > self.worth {
            (self.worth, self.ties) = (worth, 0);
        }
        self.ties += 1;
        if self.ties == 1 || self.rng.below(self.ties) == 0 {
            self.action = action;
        }
    }
}

/// What a sheet makes of another drawing of one of the six.
struct Outlook<'a> {
    scoring: &'a Scoring,
    sheet: &'a Sheet,
    terrain: Terrain,
    empty: Board,
    /// Worth of each square by itself: on the terrain's own line, and otherwise.
    squares: [[i16; 2]; CELLS],
    /// Groups of the terrain: the squares next to each, and its size.
    groups: [(Board, i32); GROUPS],
    num_groups: usize,
    /// Nexus squares next to which the terrain would be new.
    new_nexus: Board,
    /// Squares whose terrain scores as soon as it is next to this one, and the worth of each.
    waiting: Board,
    waiting_worth: Worth,
    /// Forest squares in each block.
    blocks: [u8; 9],
    crossing: Option<Crossing>,
    /// 0 (full) to 100 (empty).
    room: Worth,
}

impl<'a> Outlook<'a> {
    fn new(scoring: &'a Scoring, sheet: &'a Sheet, terrain: Terrain) -> Self {
        let plane = sheet.plane(terrain);
        let empty = sheet.empty();
        let nexus = sheet.plane(Terrain::Nexus);
        let room = empty.len() as Worth * 100 / CELLS as Worth;
        let mut outlook = Outlook {
            scoring,
            sheet,
            terrain,
            empty,
            squares: [[0; 2]; CELLS],
            groups: [(Board::EMPTY, 0); GROUPS],
            num_groups: 0,
            new_nexus: nexus.minus(scoring.near(plane)),
            waiting: Board::EMPTY,
            waiting_worth: 0,
            blocks: [0; 9],
            crossing: None,
            room,
        };
        outlook.find_groups(plane);
        outlook.weigh_lines(plane);
        // Squares next to a Nexus that has this terrain already had better be another's.
        let spent = scoring.near(nexus.and(scoring.near(plane)));
        outlook.weigh(spent, 1, SPENT_NEXUS);
        // Room to grow for the other terrains.
        for other in Terrain::ALL[..Terrain::SIX].iter().filter(|&&other| other != terrain) {
            outlook.weigh(sheet.plane(*other).beside(), 1, IN_THE_WAY);
        }
        let filled = Board::ALL.minus(empty);
        let left = Board::column(1).or(filled.minus(Board::column(12)).up(1));
        let right = Board::column(12).or(filled.minus(Board::column(1)).down(1));
        let above = Board::row(1).or(filled.up(12));
        let below = Board::row(12).or(filled.down(12));
        for side in [left, right, above, below] {
            outlook.weigh(side, 1, SNUG);
        }
        outlook
    }

    fn find_groups(&mut self, plane: Board) {
        let mut left = plane;
        while let Some(cell) = left.first() {
            if self.num_groups == GROUPS {
                break;
            }
            let group = Board::one(cell).flood(left);
            left = left.minus(group);
            self.groups[self.num_groups] = (group.beside(), group.len() as i32);
            self.num_groups += 1;
        }
    }

    /// Adds a worth to every empty square of a set.
    #[inline(always)]
    fn weigh(&mut self, set: Board, line: usize, worth: Worth) {
        let set = set.and(self.empty);
        for (word, base) in set.0.into_iter().zip([0, 64, 128]) {
            let mut word = word;
            while word != 0 {
                self.squares[base + word.trailing_zeros() as usize][line] += worth as i16;
                word &= word - 1;
            }
        }
    }

    /// The points that the terrain's squares win or lose one by one.
    fn weigh_lines(&mut self, plane: Board) {
        let sheet = self.sheet;
        let at = |terrain: Terrain| sheet.plane(terrain);
        match self.terrain {
            Terrain::Mountain => {
                self.weigh(Board::BORDER, 0, POINT);
                self.waiting = at(Terrain::Tundra).minus(plane.beside());
                self.waiting_worth = gated(self.scoring, sheet, Terrain::Tundra);
            }
            Terrain::Forest => {
                for (count, block) in self.blocks.iter_mut().zip(Board::BLOCKS) {
                    *count = plane.and(block).len() as u8;
                }
            }
            Terrain::River => {
                self.waiting = at(Terrain::Farm).minus(plane.beside());
                self.waiting_worth = gated(self.scoring, sheet, Terrain::Farm);
                if sheet.tally.points[Terrain::River.index()] == 0 {
                    self.crossing = Some(Crossing::new(plane, self.empty));
                }
            }
            Terrain::Desert => {
                // With pairs a square may lose more than one point: good enough for what is avoided anyway.
                self.weigh(at(Terrain::Tundra).beside(), 1, -POINT);
            }
            Terrain::Tundra => {
                self.weigh(at(Terrain::Mountain).beside(), 0, POINT);
                self.waiting = at(Terrain::Desert).minus(plane.beside());
                self.waiting_worth = -POINT;
            }
            Terrain::Farm => self.weigh(at(Terrain::River).beside(), 0, POINT),
            Terrain::Nexus | Terrain::Desolation => {}
        }
    }

    /// Worth of the squares at these offsets from a corner.
    #[inline(always)]
    fn worth(&self, corner: usize, offsets: &[u8]) -> Worth {
        let t = self.terrain.index();
        let mut squares = Board::EMPTY;
        let (mut line, mut worth) = (0, 0);
        let mut blocks = self.blocks;
        for &offset in offsets {
            let cell = corner + usize::from(offset);
            squares.0[cell >> 6] |= 1 << (cell & 63);
            let [own, other] = self.squares[cell];
            line += Worth::from(own);
            worth += Worth::from(other);
            if self.terrain == Terrain::Forest {
                let block = &mut blocks[cell / SIDE / 4 * 3 + cell % SIDE / 4];
                line += BLOCK_STEPS.get(usize::from(*block)).unwrap_or(&0);
                *block += 1;
            }
        }
        if !self.waiting.is_empty() {
            let met = squares.beside().and(self.waiting).len() as Worth;
            worth += met * self.waiting_worth;
        }
        if let Some(crossing) = &self.crossing {
            line += crossing.gain(squares);
        }
        let tally = &self.sheet.tally;
        let touched = tally.touch >> t & 1 != 0;
        let mut opens = false;
        if !self.new_nexus.is_empty() {
            let met = self.scoring.near(squares).and(self.new_nexus).len() as Worth;
            worth += met * POINT;
            opens = met != 0 && !touched;
        }
        let mut size = offsets.len() as i32;
        for (beside, group) in &self.groups[..self.num_groups] {
            if beside.meets(squares) {
                size += group;
            }
        }
        let largest = i32::from(tally.groups[t]);
        let gain = (size - largest).max(0) * POINT;
        // A second group may still be joined to the largest one.
        worth += size * GROUP_SQUARE * self.room / 100;
        let open = touched || opens;
        let factor = |gates: bool| if open || !gates { 100 } else { CLOSED };
        worth += line * factor(self.scoring.gates_terrain && self.terrain != Terrain::Desert) / 100;
        worth += gain * factor(self.scoring.gates_groups) / 100;
        if opens {
            worth += open_worth(self.scoring, self.sheet, self.terrain, self.room);
        }
        worth
    }
}

/// What a point of a terrain is worth: all of it once its gate is open.
fn gated(scoring: &Scoring, sheet: &Sheet, terrain: Terrain) -> Worth {
    let open = !scoring.gates_terrain || sheet.tally.touch >> terrain.index() & 1 != 0;
    if open { POINT } else { POINT * CLOSED / 100 }
}

/// What it is worth to open the gate of a terrain: its points count, and so will later ones.
fn open_worth(scoring: &Scoring, sheet: &Sheet, terrain: Terrain, room: Worth) -> Worth {
    let t = terrain.index();
    let mut worth = 0;
    if scoring.gates_terrain && terrain != Terrain::Desert {
        worth += Worth::from(sheet.tally.points[t]) * (100 - CLOSED) + GATE * room / 100;
    }
    if scoring.gates_groups {
        worth += Worth::from(sheet.tally.groups[t]) * (100 - CLOSED) + GATE * room / 100;
    }
    worth
}

/// What a Nexus is worth on each square.
struct NexusOutlook<'a> {
    scoring: &'a Scoring,
    sheet: &'a Sheet,
    empty: Board,
    room: Worth,
    /// By terrain of the six: the squares next to it, and what it gains by the Nexus' opening its gate.
    near: [Board; Terrain::SIX],
    opens: [Worth; Terrain::SIX],
}

impl<'a> NexusOutlook<'a> {
    fn new(scoring: &'a Scoring, sheet: &'a Sheet) -> Self {
        let empty = sheet.empty();
        let room = empty.len() as Worth * 100 / CELLS as Worth;
        let mut near = [Board::EMPTY; Terrain::SIX];
        let mut opens = [0; Terrain::SIX];
        for t in 0..Terrain::SIX {
            near[t] = scoring.near(sheet.plane(Terrain::ALL[t]));
            if sheet.tally.touch >> t & 1 == 0 {
                opens[t] = open_worth(scoring, sheet, Terrain::ALL[t], room);
            }
        }
        NexusOutlook { scoring, sheet, empty, room, near, opens }
    }

    #[inline(always)]
    fn worth(&self, cell: Cell) -> Worth {
        let mut worth = 0;
        for (near, opens) in self.near.iter().zip(self.opens) {
            if near.contains(cell) {
                worth += POINT + opens;
            }
        }
        let around = self.scoring.near(Board::one(cell));
        // What is empty around it may be filled with terrains that it has not.
        worth += around.and(self.empty).len() as Worth * NEXUS_ROOM * self.room / 100;
        worth + around.and(self.sheet.plane(Terrain::Nexus)).len() as Worth * NEXUS_PAIR
    }
}

/// How far the river is from crossing: the squares that are missing on the best way.
struct Crossing {
    /// `reached[side][d]`: squares to which at most `d` empty squares lead from that side, their own included.
    reached: [[Board; SIDE + 1]; 4],
    /// Missing squares now; `SIDE + 1` if no way is as short as that.
    missing: usize,
}

impl Crossing {
    fn new(river: Board, empty: Board) -> Crossing {
        let sides = [Board::row(1), Board::row(SIDE), Board::column(1), Board::column(SIDE)];
        let mut reached = [[Board::EMPTY; SIDE + 1]; 4];
        for (reached, side) in reached.iter_mut().zip(sides) {
            reached[0] = side.and(river).flood(river);
            let mut now = reached[0];
            for d in 1..=SIDE {
                let step = if d == 1 { now.beside().or(side) } else { now.beside() };
                let wide = now.or(step.and(empty));
                now = wide.or(wide.beside().and(river).flood(river));
                reached[d] = now;
            }
        }
        let mut crossing = Crossing { reached, missing: SIDE + 1 };
        for (from, to) in [(0, 1), (2, 3)] {
            let missing = (0..=SIDE).find(|&d| crossing.reached[from][d].meets(sides[to]));
            crossing.missing = crossing.missing.min(missing.unwrap_or(SIDE + 1));
        }
        crossing
    }

    /// What the river gains by these squares.
    #[inline(always)]
    fn gain(&self, squares: Board) -> Worth {
        let mut missing = self.missing;
        for pair in [[0, 1], [2, 3]] {
            // The way enters the squares, which cost nothing any more, and leaves them.
            let ways = pair.map(|side| (1..=SIDE).find(|&d| self.reached[side][d].meets(squares)));
            if let [Some(a), Some(b)] = ways {
                missing = missing.min(a + b - 2);
            }
        }
        chance_of(missing) - chance_of(self.missing)
    }
}

/// What a river is worth that lacks so many squares to cross.
#[inline(always)]
fn chance_of(missing: usize) -> Worth {
    let left = (SIDE + 1 - missing) as Worth;
    if missing == 0 { 12 * POINT } else { 12 * POINT * left * left / 169 * CROSSING / 100 }
}
