//! Tic-tac-toe: the smallest complete game. Read it before you add a game.
//!
//! A state is two sets of cells; everything else (whose turn, who won) follows from them, in the functions of `common/board.rs`, which
//! Connect Four has too.

use playmat_classics_common::board::{self, Board, Event, cell_name};
use playmat_classics_common::names;
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

/// TT-R2, TT-R4, TT-R5: turns, lines and the end.
impl Board for State {
    const ROWS: usize = 3;
    const COLUMNS: usize = 3;
    const GROWS_UPWARDS: bool = false;

    fn of(cells: [u64; 2]) -> State {
        State { marks: cells.map(|cells| cells as u16) }
    }

    #[inline(always)]
    fn cells(&self, player: usize) -> u64 {
        self.marks[player & 1].into()
    }

    #[inline(always)]
    fn taken(&self) -> u64 {
        (self.marks[0] | self.marks[1]).into()
    }

    #[inline(always)]
    fn holds_line(cells: u64) -> bool {
        holds_line(cells as u16)
    }
}

#[inline(always)]
fn holds_line(marks: u16) -> bool {
    HOLDS_LINE[usize::from(marks >> 6 & 7)] >> (marks & 63) & 1 != 0
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
        let meanings = [
            "cells that the viewer has marked",
            "cells that the other player has marked",
            "cells that nobody has marked",
        ];
        let info = GameInfo {
            title: "Tic-Tac-Toe",
            num_actions: 9,
            actions: ActionRange::tile(&[(
                "MARK",
                &[3, 3],
                "mark the cell in this row and column, from the top left",
            )]),
            ..board::info::<State>(Self::ID, meanings)
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
        state.acting()
    }

    #[inline(always)]
    fn status(&self, state: &State) -> Status {
        state.status()
    }

    #[inline(always)]
    fn legal(&self, state: &State, _: Player) -> Bits<1> {
        Bits([State::FULL & !state.taken()]) // TT-R3
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
        state.log_filled(|| Event::Filled(player, action.0 as u8), ["TT-R4", "TT-R5"], log);
    }

    /// TT-R6: 1 for the winner, -1 for the loser.
    #[inline(always)]
    fn scores(&self, state: &State) -> Scores {
        state.scores()
    }

    /// TT-R6: both share a draw.
    #[inline(always)]
    fn winners(&self, state: &State) -> Players {
        state.winners()
    }

    #[inline(always)]
    fn observe(&self, state: &State, viewer: Player, out: &mut [u8]) {
        let [own, other] = state.seen_by(viewer);
        let empty = State::FULL & !state.taken();
        if let Some(out) = out.first_chunk_mut::<27>() {
            expand_to(own | other << 9 | empty << 18, out);
        }
    }

    #[inline(always)]
    fn short_observation(&self, state: &State, viewer: Player) -> Option<[u64; 2]> {
        Some(state.seen_by(viewer))
    }

    #[inline(always)]
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
        let free = State::FULL as u16 & !state.taken() as u16;
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

impl Show for TicTacToe {
    fn describe(&self, state: &State, _: Option<Player>) -> Value {
        board::describe(state)
    }

    fn restore(&self, json: &Value, _: &mut Rng) -> Result<State, Vec<Problem>> {
        board::restore(json, |state| self.validate(state))
    }

    /// `A1` is the top left cell, `C1` the top right one.
    fn action_text(&self, _: Option<(&State, Player)>, action: Action) -> String {
        format!("mark {}", cell_name::<State>(action.0 as u8))
    }

    fn parse_action(&self, state: Option<(&State, Player)>, text: &str) -> Option<Action> {
        (0..9).map(Action).find(|a| self.action_text(state, *a).eq_ignore_ascii_case(text.trim()))
    }

    fn event_json(&self, event: &Event, _: Option<Player>) -> Option<Object> {
        match event {
            Event::Filled(player, cell) => {
                event!("marked", player: player, cell: cell_name::<State>(*cell))
            }
            Event::Ended(winner) => event!("ended", winner),
        }
    }

    fn event_text(&self, event: &Object) -> String {
        board::event_text(event, "marks")
    }

    fn draw_text(&self, state: &State, _: Option<Player>) -> String {
        board::draw_text(state)
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
            expected: Some(|_| names(&["TT-R1", "TT-R3", "TT-R4", "TT-R5"])),
            ..Hooks::default()
        }
    }
}
