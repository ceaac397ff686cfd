//! Tic-tac-toe: the smallest complete game. Read it before you add a game.
//!
//! A state is two sets of cells; everything else (whose turn, who won) follows from them.

use playmat_core::fields::{Fields, Found, list};
use playmat_core::prelude::*;
use playmat_core::registry::Entry;
use serde::{Deserialize, Serialize};

/// What the registry lists: a static, so that the game is compiled here and not again in every crate that names it.
pub static ENTRY: Entry = Entry::of::<TicTacToe>();

/// The nine cells, as bits of a set: 0 1 2 in the top row, 8 at the bottom right.
const FULL: u16 = 0o777;
/// Three rows, three columns, two diagonals. An octal digit is a row.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
/// One bit for each of the 512 sets of cells: whether it holds a line.
const HOLDS_LINE: [u64; 8] = {
    let mut table = [0; 8];
    let mut marks = 0;
    while marks < 512 {
        let mut i = 0;
        while i < LINES.len() {
            if marks & LINES[i] == LINES[i] {
                table[marks as usize / 64] |= 1 << (marks % 64);
            }
            i += 1;
        }
        marks += 1;
    }
    table
};
const SIGNS: [char; 2] = ['x', 'o'];

/// The game; it has no options.
#[derive(Debug)]
pub struct TicTacToe {
    info: GameInfo,
}

/// The cells that each player has marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Sets of cells by player.
    pub marks: [u16; 2],
}

impl State {
    /// TT-R2: the players alternate, so the number of marks says whose turn it is.
    #[inline(always)]
    fn turn(&self) -> Player {
        Player((self.taken().count_ones() & 1) as u8)
    }

    #[inline(always)]
    fn taken(&self) -> u16 {
        self.marks[0] | self.marks[1]
    }

    /// TT-R4, TT-R5: only the player that moved last can have completed a line.
    #[inline(always)]
    fn is_over(&self) -> bool {
        holds_line(self.marks[usize::from(self.turn().0 ^ 1)]) | (self.taken() == FULL)
    }

    fn winner(&self) -> Option<Player> {
        Player::all(2).find(|player| holds_line(self.marks[player.index()]))
    }
}

#[inline(always)]
fn holds_line(marks: u16) -> bool {
    HOLDS_LINE[usize::from(marks >> 6 & 7)] >> (marks & 63) & 1 != 0
}

/// What hosts animate.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A player marked a cell.
    Marked(Player, Action),
    /// The game ended: the winner, or nobody.
    Ended(Option<Player>),
}

impl Game for TicTacToe {
    const ID: &'static str = "tic_tac_toe";
    const DRAWS: Draws = Draws::InDeal;
    type State = State;
    type Legal = Bits<1>;
    type Event = Event;

    fn options() -> Vec<OptionSpec> {
        vec![OptionSpec::int("players", 2, 2, 2, "number of players")]
    }

    fn new(_: &Options) -> Result<Self> {
        let mut observation = Layout::default();
        observation.push("own", &[3, 3], 1, true, "cells that the viewer has marked");
        observation.push("other", &[3, 3], 1, true, "cells that the other player has marked");
        observation.push("empty", &[3, 3], 1, true, "cells that nobody has marked");
        let info = GameInfo {
            title: "Tic-Tac-Toe",
            num_actions: 9,
            actions: ActionRange::tile(&[(
                "MARK",
                &[3, 3],
                "mark the cell in this row and column, from the top left",
            )]),
            observation,
            max_decisions: 9,
            score_zero_sum: true,
            score_range: (-1, 1),
            ..GameInfo::new(Self::ID, 2)
        };
        Ok(TicTacToe { info })
    }

    #[inline(always)]
    fn info(&self) -> &GameInfo {
        &self.info
    }

    #[inline(always)]
    fn deal<L: Log<Self>>(&self, _: &mut Rng, log: &mut L) -> State {
        log.rule(|| "TT-R1".into());
        State { marks: [0; 2] }
    }

    #[inline(always)]
    fn acting(&self, state: &State) -> Players {
        // Without a branch: the end of an episode is not predictable.
        Players(u8::from(!state.is_over()) << state.turn().0)
    }

    #[inline(always)]
    fn status(&self, state: &State) -> Status {
        if state.is_over() { Status::Terminated } else { Status::Running }
    }

    #[inline(always)]
    fn legal(&self, state: &State, _: Player) -> Bits<1> {
        Bits([u64::from(FULL & !state.taken())]) // TT-R3
    }

    #[inline(always)]
    fn apply<L: Log<Self>>(
        &self,
        state: &mut State,
        player: Player,
        action: Action,
        _: &mut Rng,
        log: &mut L,
    ) {
        // Both sets in one word: two stores of 2 bytes followed by a load of 4 would stall.
        let [x, o] = state.marks;
        let marks = u32::from(x) | u32::from(o) << 16 | 1 << ((action.0 & 15) + 16 * u16::from(player.0 & 1));
        state.marks = [marks as u16, (marks >> 16) as u16];
        log.rule(|| "TT-R3".into());
        log.event(state, || Event::Marked(player, action));
        if L::LISTENS && state.is_over() {
            log.rule(|| if state.winner().is_some() { "TT-R4".into() } else { "TT-R5".into() });
            log.event(state, || Event::Ended(state.winner()));
        }
    }

    /// TT-R6: 1 for the winner, -1 for the loser.
    #[inline(always)]
    fn scores(&self, state: &State) -> Scores {
        let lead = i32::from(holds_line(state.marks[0])) - i32::from(holds_line(state.marks[1]));
        [lead, -lead, 0, 0, 0, 0, 0, 0]
    }

    /// TT-R6: both share a draw.
    #[inline(always)]
    fn winners(&self, state: &State) -> Players {
        let lines = state.marks.map(|marks| u8::from(holds_line(marks)));
        let won = lines[0] | lines[1] << 1;
        Players(if won == 0 { 0b11 } else { won })
    }

    #[inline(always)]
    fn observe(&self, state: &State, viewer: Player, out: &mut [u8]) {
        let own = u64::from(state.marks[usize::from(viewer.0 & 1)]);
        let other = u64::from(state.marks[usize::from(viewer.0 & 1 ^ 1)]);
        let empty = u64::from(FULL & !state.taken());
        if let Some(out) = out.first_chunk_mut::<27>() {
            expand_to(own | other << 9 | empty << 18, out);
        }
    }

    #[inline(always)]
    fn short_observation(&self, state: &State, viewer: Player) -> Option<[u64; 2]> {
        Some([
            state.marks[usize::from(viewer.0 & 1)].into(),
            state.marks[usize::from(viewer.0 & 1 ^ 1)].into(),
        ])
    }

    fn sample_hidden(&self, state: &State, _: Player, _: &mut Rng) -> State {
        *state
    }

    fn validate(&self, state: &State) -> Vec<Problem> {
        let [x, o] = state.marks;
        let mut problems = Vec::new();
        if (x | o) & !FULL != 0 || x & o != 0 {
            problems.push(Problem::new("board", "marks overlap or lie outside the nine cells"));
        }
        let lead = x.count_ones().wrapping_sub(o.count_ones());
        if lead > 1 {
            problems.push(Problem::new("board", "x must have as many marks as o, or one more"));
        }
        if (holds_line(x) && (holds_line(o) || lead != 1)) || (holds_line(o) && lead != 0) {
            problems.push(Problem::new("board", "play went on after a line"));
        }
        problems
    }

    /// Completes a line, else blocks one, else takes the centre, a corner, any cell.
    fn greedy(&self, state: &State, player: Player, rng: &mut Rng) -> Action {
        let free = FULL & !state.taken();
        let completes = |marks: u16| {
            (0..9)
                .filter(|cell| free >> cell & 1 != 0 && holds_line(marks | 1 << cell))
                .fold(0, |set, c| set | 1 << c)
        };
        let (own, other) = (state.marks[player.index()], state.marks[player.index() ^ 1]);
        let wishes = [completes(own), completes(other), 0o020, 0o505, FULL].map(|wish: u16| wish & free);
        let best = wishes.into_iter().find(|wish| *wish != 0).unwrap_or(free);
        rng.pick(&Bits([u64::from(best)]))
    }
}

/// `A1` is the top left cell, `C1` the top right one.
fn cell_name(cell: u16) -> String {
    format!("{}{}", (b'A' + (cell % 3) as u8) as char, cell / 3 + 1)
}

impl State {
    /// The board as three rows of `x`, `o` and `.`.
    fn rows(&self) -> Vec<String> {
        let sign = |cell: u16| (0..2).find(|&s| self.marks[s] >> cell & 1 != 0).map_or('.', |s| SIGNS[s]);
        (0..3).map(|row| (0..3).map(|column| sign(3 * row + column)).collect()).collect()
    }
}

/// A row of the board as sets of cells by player.
fn read_row(path: &str, value: &Value, found: &mut Found) -> Option<[u16; 2]> {
    let row: Vec<char> = value.as_str().unwrap_or_default().chars().collect();
    if row.len() != 3 || !row.iter().all(|sign| SIGNS.contains(sign) || *sign == '.') {
        found.push(Problem::new(path, "expected three of `x`, `o`, `.`"));
        return None;
    }
    Some(SIGNS.map(|mine| (0..3).filter(|&j| row[j] == mine).fold(0, |set, j| set | 1 << j)))
}

impl Show for TicTacToe {
    fn describe(&self, state: &State, _: Option<Player>) -> Value {
        json!({
            "board": state.rows(),
            "turn": (!state.is_over()).then(|| state.turn().0),
            "winner": state.winner().map(|player| player.0),
        })
    }

    fn restore(&self, json: &Value, _: &mut Rng) -> Result<State, Vec<Problem>> {
        let mut fields = Fields::of(json);
        let rows = fields.need("board", list(3..=3, read_row)).unwrap_or_default();
        let build = |found: &mut Found| {
            let mut state = State { marks: [0; 2] };
            for (i, row) in rows.iter().enumerate() {
                state.marks = [0, 1].map(|player| state.marks[player] | row[player] << (3 * i));
            }
            found.extend(self.validate(&state));
            Some(state)
        };
        fields.state(&["turn", "winner"], build, |state| self.describe(state, None))
    }

    fn action_text(&self, _: Option<(&State, Player)>, action: Action) -> String {
        format!("mark {}", cell_name(action.0))
    }

    fn parse_action(&self, state: Option<(&State, Player)>, text: &str) -> Option<Action> {
        (0..9).map(Action).find(|a| self.action_text(state, *a).eq_ignore_ascii_case(text.trim()))
    }

    fn event_json(&self, event: &Event, _: Option<Player>) -> Option<Object> {
        match event {
            Event::Marked(player, cell) => event!("marked", player: player, cell: cell_name(cell.0)),
            Event::Ended(winner) => event!("ended", winner),
        }
    }

    fn event_text(&self, event: &Object) -> String {
        let fields = EventFields(event);
        let who = fields.player("player");
        sentence(&match fields.event() {
            "marked" => format!("{who} marks {}", fields.text("cell").unwrap_or_default()),
            "ended" => match fields.0.get("winner") {
                Some(Value::Null) | None => "the game is a draw".into(),
                Some(_) => format!("{} wins", fields.player("winner")),
            },
            _ => return playmat_core::sentences::plain(event),
        })
    }

    fn draw_text(&self, state: &State, _: Option<Player>) -> String {
        let mut text = String::from("  A B C\n");
        for (i, row) in state.rows().iter().enumerate() {
            let cells: Vec<String> = row.chars().map(String::from).collect();
            text.push_str(&format!("{} {}\n", i + 1, cells.join(" ")));
        }
        text.push_str(&match (state.is_over(), state.winner()) {
            (false, _) => format!("{} to move\n", SIGNS[state.turn().index()]),
            (true, Some(player)) => format!("{} wins\n", SIGNS[player.index()]),
            (true, None) => "draw\n".into(),
        });
        text
    }

    fn draw_svg(&self, state: &State, _: Option<Player>) -> String {
        let mut svg = Svg::new(240.0, 240.0);
        svg.rect(0.0, 0.0, 240.0, 240.0, "#fffdf6", "");
        for at in [90.0, 150.0] {
            svg.line((at, 30.0), (at, 210.0), "#555", 3.0);
            svg.line((30.0, at), (210.0, at), "#555", 3.0);
        }
        for cell in 0..9u16 {
            let (x, y) = (60.0 + 60.0 * f64::from(cell % 3), 60.0 + 60.0 * f64::from(cell / 3));
            if state.marks[0] >> cell & 1 != 0 {
                svg.line((x - 18.0, y - 18.0), (x + 18.0, y + 18.0), "#b3402e", 6.0);
                svg.line((x - 18.0, y + 18.0), (x + 18.0, y - 18.0), "#b3402e", 6.0);
            } else if state.marks[1] >> cell & 1 != 0 {
                svg.circle(x, y, 19.0, "none", r##"stroke="#2e5fb3" stroke-width="6""##);
            }
        }
        svg.finish()
    }

    fn hooks(&self) -> Hooks<Self> {
        Hooks {
            none: &[("relabel", "player 0 always marks first: no position has its players renamed")],
            idle: &[("TT-R4", "greedy agents never lose against each other")],
            expected: Some(|_| ["TT-R1", "TT-R3", "TT-R4", "TT-R5"].map(String::from).to_vec()),
            ..Hooks::default()
        }
    }
}
