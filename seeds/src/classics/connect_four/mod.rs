//! Connect Four: seven columns, six rows, two sets of cells.
//!
//! Bit `7 * row + column` is a cell, row 0 at the bottom. The observation has the same order, so a set of
//! cells is one of its planes without any conversion.

use playmat_classics_common::names;
use playmat_core::fields::{Fields, Found, list};
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
const FULL: u64 = (1 << CELLS) - 1;
const BOTTOM: u64 = 0b111_1111;
/// The cells of column 0.
const COLUMN: u64 = 0x08_1020_4081;
/// Columns 0 to 3, where a line to the right begins; columns 3 to 6, where one to the left does.
const LEFT_FOUR: u64 = COLUMN * 0b000_1111;
const RIGHT_FOUR: u64 = COLUMN * 0b111_1000;
const SIGNS: [char; 2] = ['x', 'o'];

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
    /// CF-R2: the players alternate, so the number of discs says whose turn it is.
    #[inline(always)]
    fn turn(&self) -> Player {
        Player((self.taken().count_ones() & 1) as u8)
    }

    #[inline(always)]
    fn taken(&self) -> u64 {
        self.discs[0] | self.discs[1]
    }

    /// CF-R4, CF-R5: only the player that moved last can have completed a line.
    #[inline(always)]
    fn is_over(&self) -> bool {
        holds_line(self.discs[usize::from(self.turn().0 ^ 1)]) | (self.taken() == FULL)
    }

    /// CF-R3: the cell into which a disc would fall, in every column that has room.
    #[inline(always)]
    fn landing(&self) -> u64 {
        let taken = self.taken();
        (taken << COLUMNS | BOTTOM) & !taken & FULL
    }

    fn winner(&self) -> Option<Player> {
        Player::all(2).find(|player| holds_line(self.discs[player.index()]))
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

/// What hosts animate.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A player's disc fell into a cell.
    Dropped(Player, u8),
    /// The game ended: the winner, or nobody.
    Ended(Option<Player>),
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
        let mut observation = Layout::default();
        let shape = [ROWS, COLUMNS];
        observation.push("own", &shape, 1, true, "discs of the viewer, bottom row first");
        observation.push("other", &shape, 1, true, "discs of the other player, bottom row first");
        observation.push("empty", &shape, 1, true, "empty cells, bottom row first");
        let info = GameInfo {
            title: "Connect Four",
            num_actions: COLUMNS,
            actions: ActionRange::tile(&[(
                "DROP",
                &[COLUMNS],
                "drop a disc into this column, from the left",
            )]),
            observation,
            max_decisions: CELLS,
            score_zero_sum: true,
            score_range: (-1, 1),
            ..GameInfo::new(Self::ID, 2)
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
        // Without a branch: the end of an episode is not predictable.
        Players(u8::from(!state.is_over()) << state.turn().0)
    }

    #[inline(always)]
    fn status(&self, state: &State) -> Status {
        if state.is_over() { Status::Terminated } else { Status::Running }
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
        log.event(state, || Event::Dropped(player, cell.trailing_zeros() as u8));
        if L::LISTENS && state.is_over() {
            log.rule(|| if state.winner().is_some() { "CF-R4".into() } else { "CF-R5".into() });
            log.event(state, || Event::Ended(state.winner()));
        }
    }

    /// CF-R6: 1 for the winner, -1 for the loser.
    #[inline(always)]
    fn scores(&self, state: &State) -> Scores {
        let lead = i32::from(holds_line(state.discs[0])) - i32::from(holds_line(state.discs[1]));
        [lead, -lead, 0, 0, 0, 0, 0, 0]
    }

    /// CF-R6: both share a draw.
    #[inline(always)]
    fn winners(&self, state: &State) -> Players {
        let lines = state.discs.map(|discs| u8::from(holds_line(discs)));
        let won = lines[0] | lines[1] << 1;
        Players(if won == 0 { 0b11 } else { won })
    }

    #[inline(always)]
    fn observe(&self, state: &State, viewer: Player, out: &mut [u8]) {
        let own = state.discs[usize::from(viewer.0 & 1)];
        let other = state.discs[usize::from(viewer.0 & 1 ^ 1)];
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
        Some([state.discs[usize::from(viewer.0 & 1)], state.discs[usize::from(viewer.0 & 1 ^ 1)]])
    }

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

/// `D1` is the bottom cell of the fourth column.
fn cell_name(cell: u8) -> String {
    format!("{}{}", (b'A' + cell % COLUMNS as u8) as char, cell / COLUMNS as u8 + 1)
}

impl State {
    /// The board as six rows of `x`, `o` and `.`, top row first.
    fn rows(&self) -> Vec<String> {
        let sign = |cell: usize| (0..2).find(|&s| self.discs[s] >> cell & 1 != 0).map_or('.', |s| SIGNS[s]);
        (0..ROWS).rev().map(|row| (0..COLUMNS).map(|column| sign(COLUMNS * row + column)).collect()).collect()
    }
}

impl Show for ConnectFour {
    fn describe(&self, state: &State, _: Option<Player>) -> Value {
        json!({
            "board": state.rows(),
            "turn": (!state.is_over()).then(|| state.turn().0),
            "winner": state.winner().map(|player| player.0),
        })
    }

    fn restore(&self, json: &Value, _: &mut Rng) -> Result<State, Vec<Problem>> {
        let mut fields = Fields::of(json);
        let row = |path: &str, row: &Value, found: &mut Found| {
            let row: Vec<char> = row.as_str().unwrap_or("").chars().collect();
            if row.len() != COLUMNS || !row.iter().all(|c| ['x', 'o', '.'].contains(c)) {
                found.push(Problem::new(path, "expected seven of `x`, `o`, `.`"));
                return None;
            }
            Some(row)
        };
        let rows = fields.need("board", list(ROWS..=ROWS, row)).unwrap_or_default();
        let build = |found: &mut Found| {
            let mut state = State { discs: [0; 2] };
            for (i, sign) in rows.iter().rev().flatten().enumerate() {
                if let Some(player) = SIGNS.iter().position(|s| s == sign) {
                    state.discs[player] |= 1 << i;
                }
            }
            found.extend(self.validate(&state));
            Some(state)
        };
        fields.state(&["turn", "winner"], build, |state| self.describe(state, None))
    }

    fn action_text(&self, _: Option<(&State, Player)>, action: Action) -> String {
        format!("drop in {}", (b'A' + action.0 as u8) as char)
    }

    fn parse_action(&self, state: Option<(&State, Player)>, text: &str) -> Option<Action> {
        (0..COLUMNS as u16)
            .map(Action)
            .find(|a| self.action_text(state, *a).eq_ignore_ascii_case(text.trim()))
    }

    fn event_json(&self, event: &Event, _: Option<Player>) -> Option<Object> {
        match event {
            Event::Dropped(player, cell) => event!("dropped", player: player, cell: cell_name(*cell)),
            Event::Ended(winner) => event!("ended", winner),
        }
    }

    fn event_text(&self, event: &Object) -> String {
        let fields = EventFields(event);
        let who = fields.player("player");
        sentence(&match fields.event() {
            "dropped" => format!("{who} drops a disc to {}", fields.text("cell").unwrap_or_default()),
            "ended" => match fields.0.get("winner") {
                Some(Value::Null) | None => "the game is a draw".into(),
                Some(_) => format!("{} wins", fields.player("winner")),
            },
            _ => return playmat_core::sentences::plain(event),
        })
    }

    fn draw_text(&self, state: &State, _: Option<Player>) -> String {
        let mut text = String::from("  A B C D E F G\n");
        for (i, row) in state.rows().iter().enumerate() {
            let cells: Vec<String> = row.chars().map(String::from).collect();
            text.push_str(&format!("{} {}\n", ROWS - i, cells.join(" ")));
        }
        text.push_str(&match (state.is_over(), state.winner()) {
            (false, _) => format!("{} to move\n", SIGNS[state.turn().index()]),
            (true, Some(player)) => format!("{} wins\n", SIGNS[player.index()]),
            (true, None) => "draw\n".into(),
        });
        text
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
            let name = ((b'A' + column as u8) as char).to_string();
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
