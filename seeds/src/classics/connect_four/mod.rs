//! Connect Four: seven columns, six rows, two sets of cells.
//!
//! Bit `7 * row + column` is a cell, row 0 at the bottom. The observation has the same order, so a set of
//! cells is one of its planes without any conversion.

use playmat_classics_common::board::{self, Board, Event, cell_name, column_name};
use playmat_classics_common::names;
use playmat_core::prelude::*;
use playmat_core::registry::Entry;
use serde::{Deserialize, Serialize};

/// What the registry lists: a static, so that the game is compiled here and not again in every crate that names it.
pub static ENTRY: Entry = Entry::of::<ConnectFour>();

const COLUMNS: usize = 7;
const ROWS: usize = 6;
const CELLS: usize = COLUMNS * ROWS;
/// The observation's bit with which its last 64 begin.
const HIGH: usize = 3 * CELLS - 64;
const FULL: u64 = State::FULL;
const BOTTOM: u64 = 0b111_1111;
/// The cells of column 0.
const COLUMN: u64 = 0x08_1020_4081;
/// Columns 0 to 3, where a line to the right begins; columns 3 to 6, where one to the left does.
const LEFT_FOUR: u64 = COLUMN * 0b000_1111;
const RIGHT_FOUR: u64 = COLUMN * 0b111_1000;

/// The game; it has no options.
#[derive(Debug)]
pub struct ConnectFour {
    info: GameInfo,
}

/// The cells that each player has filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Sets of cells by player.
    pub discs: [u64; 2],
}

impl State {
    /// CF-R3: the cell into which a disc would fall, in every column that has room.
    #[inline(always)]
    fn landing(&self) -> u64 {
        let taken = self.taken();
        (taken << COLUMNS | BOTTOM) & !taken & FULL
    }
}

/// CF-R2, CF-R4, CF-R5: turns, lines and the end.
impl Board for State {
    const ROWS: usize = ROWS;
    const COLUMNS: usize = COLUMNS;
    const GROWS_UPWARDS: bool = true;

    fn of(discs: [u64; 2]) -> State {
        State { discs }
    }

    #[inline(always)]
    fn cells(&self, player: usize) -> u64 {
        self.discs[player & 1]
    }

    #[inline(always)]
    fn taken(&self) -> u64 {
        self.discs[0] | self.discs[1]
    }

    #[inline(always)]
    fn holds_line(cells: u64) -> bool {
        holds_line(cells)
    }
}

/// Four in a row: upwards, to the right, along both diagonals. A row has no border bit, so the lines that would
/// wrap around are cut off by where they begin.
#[inline(always)]
fn holds_line(discs: u64) -> bool {
    let four = |step: u32| {
        let two = discs & discs >> step;
        two & two >> (2 * step)
    };
    four(7) | (four(1) | four(8)) & LEFT_FOUR | four(6) & RIGHT_FOUR != 0
}

impl Game for ConnectFour {
    const ID: &'static str = "connect_four";
    const DRAWS: Draws = Draws::InDeal;
    type State = State;
    type Legal = Bits<1>;
    type Event = Event;

    fn options() -> Vec<OptionSpec> {
        vec![OptionSpec::int("players", 2, 2, 2, "number of players")]
    }

    fn new(_: &Options) -> Result<Self> {
        let meanings = [
            "discs of the viewer, bottom row first",
            "discs of the other player, bottom row first",
            "empty cells, bottom row first",
        ];
        let info = GameInfo {
            title: "Connect Four",
            num_actions: COLUMNS,
            actions: ActionRange::tile(&[(
                "DROP",
                &[COLUMNS],
                "drop a disc into this column, from the left",
            )]),
            ..board::info::<State>(Self::ID, meanings)
        };
        Ok(ConnectFour { info })
    }

    #[inline(always)]
    fn info(&self) -> &GameInfo {
        &self.info
    }

    #[inline(always)]
    fn deal<L: Log<Self>>(&self, _: &mut Rng, log: &mut L) -> State {
        log.rule(|| "CF-R1".into());
        State { discs: [0; 2] }
    }

    #[inline(always)]
    fn acting(&self, state: &State) -> Players {
        state.acting()
    }

    #[inline(always)]
    fn status(&self, state: &State) -> Status {
        state.status()
    }

    /// CF-R3: a column takes a disc as long as its top cell is empty.
    #[inline(always)]
    fn legal(&self, state: &State, _: Player) -> Bits<1> {
        Bits([!(state.taken() >> (CELLS - COLUMNS)) & BOTTOM])
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
        let cell = state.landing() & COLUMN << (action.0 & 7);
        // Both sets, without an index: so they stay in registers until the end of the step.
        let [x, o] = state.discs;
        let second = 0u64.wrapping_sub(u64::from(player.0 & 1));
        state.discs = [x | cell & !second, o | cell & second];
        log.rule(|| "CF-R3".into());
        state.log_filled(|| Event::Filled(player, cell.trailing_zeros() as u8), ["CF-R4", "CF-R5"], log);
    }

    /// CF-R6: 1 for the winner, -1 for the loser.
    #[inline(always)]
    fn scores(&self, state: &State) -> Scores {
        state.scores()
    }

    /// CF-R6: both share a draw.
    #[inline(always)]
    fn winners(&self, state: &State) -> Players {
        state.winners()
    }

    #[inline(always)]
    fn observe(&self, state: &State, viewer: Player, out: &mut [u8]) {
        let [own, other] = state.seen_by(viewer);
        let empty = FULL & !state.taken();
        // Three planes of 42 bits lie across two words, which share two bits: all stores are whole vectors.
        if let Some(low) = out.first_chunk_mut::<64>() {
            expand_to(own | other << CELLS, low);
        }
        if let Some(high) = out.last_chunk_mut::<64>() {
            expand_to(other >> (HIGH - CELLS) | empty << (2 * CELLS - HIGH), high);
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
        let [x, o] = state.discs;
        let taken = x | o;
        let mut problems = Vec::new();
        if taken & !FULL != 0 || x & o != 0 {
            problems.push(Problem::new("board", "discs overlap or lie outside the 42 cells"));
        }
        if taken & !(taken << COLUMNS | BOTTOM) & FULL != 0 {
            problems.push(Problem::new("board", "a disc hangs above an empty cell"));
        }
        let lead = x.count_ones().wrapping_sub(o.count_ones());
        if lead > 1 {
            problems.push(Problem::new("board", "x must have as many discs as o, or one more"));
        }
        let (x_won, o_won) = (holds_line(x), holds_line(o));
        if (x_won && (o_won || lead != 1)) || (o_won && lead != 0) {
            problems.push(Problem::new("board", "play went on after a line"));
        }
        // Some disc on top of a column must be the last one, and before it there was no line.
        let tops = taken & !(taken >> COLUMNS) & if lead == 1 { x } else { o };
        let last = |cell: &usize| {
            tops >> cell & 1 != 0 && !holds_line(x & !(1 << cell)) && !holds_line(o & !(1 << cell))
        };
        if taken != 0 && !(0..CELLS).any(|cell| last(&cell)) {
            problems.push(Problem::new("board", "no disc can have been the last one"));
        }
        problems
    }

    /// Completes a line, else blocks one, else prefers columns near the centre that do not let the other player win above.
    fn greedy(&self, state: &State, player: Player, rng: &mut Rng) -> Action {
        let (own, other) = (state.discs[player.index()], state.discs[player.index() ^ 1]);
        let landing = state.landing();
        let among = |accepts: &dyn Fn(u64) -> bool| {
            (0..COLUMNS).filter(|c| accepts(landing & COLUMN << c)).fold(0u64, |set, c| set | 1 << c)
        };
        let open = self.legal(state, player).0[0];
        let wins = among(&|cell| cell != 0 && holds_line(own | cell));
        let blocks = among(&|cell| cell != 0 && holds_line(other | cell));
        let safe = among(&|cell| cell != 0 && !holds_line(other | cell << COLUMNS & FULL));
        let rings = [0b000_1000, 0b001_0100, 0b010_0010, 0b100_0001];
        let wishes = [wins, blocks].into_iter().chain(rings.map(|ring| ring & safe)).chain([safe, open]);
        let best = wishes.map(|wish| wish & open).find(|wish| *wish != 0).unwrap_or(open);
        rng.pick(&Bits([best]))
    }
}

impl Show for ConnectFour {
    fn describe(&self, state: &State, _: Option<Player>) -> Value {
        board::describe(state)
    }

    fn restore(&self, json: &Value, _: &mut Rng) -> Result<State, Vec<Problem>> {
        board::restore(json, |state| self.validate(state))
    }

    fn action_text(&self, _: Option<(&State, Player)>, action: Action) -> String {
        format!("drop in {}", column_name(action.index()))
    }

    fn parse_action(&self, state: Option<(&State, Player)>, text: &str) -> Option<Action> {
        (0..COLUMNS as u16)
            .map(Action)
            .find(|a| self.action_text(state, *a).eq_ignore_ascii_case(text.trim()))
    }

    /// `D1` is the bottom cell of the fourth column.
    fn event_json(&self, event: &Event, _: Option<Player>) -> Option<Object> {
        match event {
            Event::Filled(player, cell) => {
                event!("dropped", player: player, cell: cell_name::<State>(*cell))
            }
            Event::Ended(winner) => event!("ended", winner),
        }
    }

    fn event_text(&self, event: &Object) -> String {
        board::event_text(event, "drops a disc to")
    }

    fn draw_text(&self, state: &State, _: Option<Player>) -> String {
        board::draw_text(state)
    }

    fn draw_svg(&self, state: &State, _: Option<Player>) -> String {
        let mut svg = Svg::new(360.0, 330.0);
        svg.rect(0.0, 0.0, 360.0, 330.0, "#fffdf6", "");
        svg.rect(5.0, 10.0, 350.0, 300.0, "#2e5fb3", r#"rx="12""#);
        for cell in 0..CELLS {
            let (x, y) = (30.0 + 50.0 * (cell % COLUMNS) as f64, 285.0 - 50.0 * (cell / COLUMNS) as f64);
            let fill = match (state.discs[0] >> cell & 1, state.discs[1] >> cell & 1) {
                (1, _) => "#d8462f",
                (_, 1) => "#f2c230",
                _ => "#fffdf6",
            };
            svg.circle(x, y, 20.0, fill, r##"stroke="#1d3f7a" stroke-width="2""##);
        }
        for column in 0..COLUMNS {
            let name = column_name(column).to_string();
            svg.text((30.0 + 50.0 * column as f64, 326.0), 13.0, Anchor::Middle, "#444", false, &name);
        }
        svg.finish()
    }

    fn hooks(&self) -> Hooks<Self> {
        Hooks {
            none: &[("relabel", "player 0 always drops first: no position has its players renamed")],
            expected: Some(|_| names(&["CF-R1", "CF-R3", "CF-R4", "CF-R5"])),
            ..Hooks::default()
        }
    }
}
