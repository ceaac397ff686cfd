//! What Tic-Tac-Toe and Connect Four share: two players fill the cells of a board in turn, until a line or a full board ends the game.

use playmat_core::document::{self, At, Document, with};
use playmat_core::prelude::*;

/// The signs of the players in texts and JSON.
const SIGNS: [char; 2] = ['x', 'o'];

/// A state of such a game: two sets of cells. Everything else (whose turn, who won) follows from them.
pub trait Board: Copy {
    /// Rows of the board.
    const ROWS: usize;
    /// Columns of the board.
    const COLUMNS: usize;
    /// Whether row 0 is the lowest one.
    const GROWS_UPWARDS: bool;
    /// All cells.
    const FULL: u64 = (1 << (Self::ROWS * Self::COLUMNS)) - 1;

    /// A state with these sets of cells, by player.
    fn of(cells: [u64; 2]) -> Self;

    /// The set of cells of player 0 or 1. Bit `COLUMNS * row + column` is a cell.
    fn cells(&self, player: usize) -> u64;

    /// The cells that are not empty.
    fn taken(&self) -> u64;

    /// Whether a set of cells holds a line.
    fn holds_line(cells: u64) -> bool;

    /// The players alternate, so the number of cells says whose turn it is.
    #[inline(always)]
    fn turn(&self) -> Player {
        Player((self.taken().count_ones() & 1) as u8)
    }

    /// Only the player that moved last can have completed a line.
    #[inline(always)]
    fn is_over(&self) -> bool {
        Self::holds_line(self.cells(usize::from(self.turn().0 ^ 1))) | (self.taken() == Self::FULL)
    }

    /// The player to act; none when the game is over.
    #[inline(always)]
    fn acting(&self) -> Players {
        // Without a branch: the end of an episode is not predictable.
        Players(u8::from(!self.is_over()) << self.turn().0)
    }

    /// Whether the game is over.
    #[inline(always)]
    fn status(&self) -> Status {
        if self.is_over() { Status::Terminated } else { Status::Running }
    }

    /// The player with a line.
    fn winner(&self) -> Option<Player> {
        Player::all(2).find(|player| Self::holds_line(self.cells(player.index())))
    }

    /// 1 for the winner, -1 for the loser.
    #[inline(always)]
    fn scores(&self) -> Scores {
        let lead = i32::from(Self::holds_line(self.cells(0))) - i32::from(Self::holds_line(self.cells(1)));
        [lead, -lead, 0, 0, 0, 0, 0, 0]
    }

    /// The winner; both share a draw.
    #[inline(always)]
    fn winners(&self) -> Players {
        let won = u8::from(Self::holds_line(self.cells(0))) | u8::from(Self::holds_line(self.cells(1))) << 1;
        Players(if won == 0 { 0b11 } else { won })
    }

    /// The cells of the viewer and those of the other player.
    #[inline(always)]
    fn seen_by(&self, viewer: Player) -> [u64; 2] {
        [self.cells(usize::from(viewer.0 & 1)), self.cells(usize::from(viewer.0 & 1 ^ 1))]
    }

    /// Reports to the log that a cell was filled and, if that ended the game, its end with one of two rules: of a line, of a full board.
    #[inline(always)]
    fn log_filled<G: Game<State = Self, Event = Event>, L: Log<G>>(
        &self,
        filled: impl FnOnce() -> Event,
        [line, full]: [&str; 2],
        log: &mut L,
    ) {
        log.event(self, filled);
        if L::LISTENS && self.is_over() {
            log.rule(|| if self.winner().is_some() { line.into() } else { full.into() });
            log.event(self, || Event::Ended(self.winner()));
        }
    }

    /// The board as rows of `x`, `o` and `.`, the top row first.
    fn rows(&self) -> Vec<String> {
        let sign = |cell: usize| (0..2).find(|&s| self.cells(s) >> cell & 1 != 0).map_or('.', |s| SIGNS[s]);
        let row = |row: usize| (0..Self::COLUMNS).map(|column| sign(Self::COLUMNS * row + column)).collect();
        from_top::<Self>().map(row).collect()
    }
}

/// The numbers of the rows, the top row first.
fn from_top<B: Board>() -> impl Iterator<Item = usize> {
    (0..B::ROWS).map(|row| if B::GROWS_UPWARDS { B::ROWS - 1 - row } else { row })
}

/// What hosts animate.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A player filled a cell.
    Filled(Player, u8),
    /// The game ended: the winner, or nobody.
    Ended(Option<Player>),
}

/// Metadata of such a game, without title and actions. `meanings`: of the segments `own`, `other` and `empty` of the observation.
pub fn info<B: Board>(id: &'static str, meanings: [&str; 3]) -> GameInfo {
    let mut observation = Layout::default();
    for (name, meaning) in ["own", "other", "empty"].into_iter().zip(meanings) {
        observation.push(name, &[B::ROWS, B::COLUMNS], 1, true, meaning);
    }
    GameInfo {
        observation,
        max_decisions: B::ROWS * B::COLUMNS,
        score_zero_sum: true,
        score_range: (-1, 1),
        ..GameInfo::new(id, 2)
    }
}

/// The name of a column: `A` is the left one.
pub fn column_name(column: usize) -> char {
    (b'A' + column as u8) as char
}

/// The name of a cell: its column, and its row counted from 1.
pub fn cell_name<B: Board>(cell: u8) -> String {
    format!("{}{}", column_name(usize::from(cell) % B::COLUMNS), usize::from(cell) / B::COLUMNS + 1)
}

/// The JSON of a state.
pub fn describe<B: Board>(state: &B) -> Value {
    Document::write(None, |doc| declare(&mut state.clone(), doc))
}

/// Reads the JSON of a state; `validate` checks the cells.
///
/// # Errors
/// All problems, each with its path.
pub fn restore<B: Board>(json: &Value, validate: impl FnOnce(&B) -> Vec<Problem>) -> Result<B, Vec<Problem>> {
    document::restore(json, B::of([0; 2]), declare, |state, reading| {
        if reading.is_fine() {
            reading.also(validate(state));
        }
    })
}

fn declare<B: Board>(state: &mut B, doc: &mut Document<'_>) {
    let whole = *state;
    doc.field("board", with(state, |state| state.rows().into(), read_rows));
    doc.derived("turn", || (!whole.is_over()).then(|| whole.turn().0).into());
    doc.derived("winner", || whole.winner().map(|player| player.0).into());
}

fn read_rows<B: Board>(state: &mut B, given: &Value, at: &mut At<'_>) {
    let Some(rows) = at.list(given) else { return };
    if rows.len() != B::ROWS {
        at.problem(format!("{} entries; a board has {} rows", rows.len(), B::ROWS));
        return;
    }
    let mut cells = [0; 2];
    for ((i, given), row) in rows.iter().enumerate().zip(from_top::<B>()) {
        let signs: Vec<char> = given.as_str().unwrap_or_default().chars().collect();
        if signs.len() != B::COLUMNS || !signs.iter().all(|sign| SIGNS.contains(sign) || *sign == '.') {
            at.entry(i).problem(format!("expected {} of `x`, `o`, `.`", B::COLUMNS));
            continue;
        }
        for (column, sign) in signs.iter().enumerate() {
            if let Some(player) = SIGNS.iter().position(|own| own == sign) {
                cells[player] |= 1 << (B::COLUMNS * row + column);
            }
        }
    }
    *state = B::of(cells);
}

/// The sentence of an event. `does`: what a player does to a cell.
pub fn event_text(event: &Object, does: &str) -> String {
    let fields = EventFields(event);
    sentence(&match (fields.event(), fields.text("cell"), fields.0.get("winner")) {
        ("ended", _, Some(Value::Null) | None) => "the game is a draw".into(),
        ("ended", ..) => format!("{} wins", fields.player("winner")),
        (_, Some(cell), _) => format!("{} {does} {cell}", fields.player("player")),
        _ => return playmat_core::sentences::plain(event),
    })
}

/// The position as text: the board with the names of rows and columns, and whose turn it is or how the game ended.
pub fn draw_text<B: Board>(state: &B) -> String {
    let spaced =
        |signs: &mut dyn Iterator<Item = char>| signs.map(String::from).collect::<Vec<_>>().join(" ");
    let mut text = format!("  {}\n", spaced(&mut (0..B::COLUMNS).map(column_name)));
    for (row, signs) in from_top::<B>().zip(state.rows()) {
        text.push_str(&format!("{} {}\n", row + 1, spaced(&mut signs.chars())));
    }
    text.push_str(&match (state.is_over(), state.winner()) {
        (false, _) => format!("{} to move\n", SIGNS[state.turn().index()]),
        (true, Some(player)) => format!("{} wins\n", SIGNS[player.index()]),
        (true, None) => "draw\n".into(),
    });
    text
}
