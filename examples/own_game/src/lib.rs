//! Liar's Dice: everybody hides one die and bids on what all dice show together, until somebody calls the last bidder a liar.
//!
//! The rules are in `rules.md`; the files are those of every game of playmat.

mod action;
mod conformance;
mod draw;
mod greedy;
mod json;
mod legal;
mod observe;
mod rules;
mod sample;
mod score;
mod state;
mod text;
mod validate;

pub use rules::Event;
pub use state::State;

use playmat_core::prelude::*;
use playmat_core::registry::Entry;
use serde_json::{Map, Value};
use state::{FACES, MOST_PLAYERS};

/// What the registry lists.
pub static ENTRY: Entry = Entry::of::<LiarsDice>();

/// The games of this crate: the list for Python, C and the command line.
pub static GAMES: &[&Entry] = &[&ENTRY];

/// The configured game.
#[derive(Debug)]
pub struct LiarsDice {
    info: GameInfo,
    players: usize,
    /// LD-R4: whether sixes count as every face.
    wild: bool,
}

impl Game for LiarsDice {
    const ID: &'static str = "liars_dice";
    type State = State;
    type Legal = Bits<1>;
    type Event = Event;

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::int("players", 2, MOST_PLAYERS as i64, 2, "number of players"),
            OptionSpec::bool("wild", true, "whether sixes count as every face"),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let players = options.int("players") as usize;
        Ok(LiarsDice { info: info(players), players, wild: options.bool("wild") })
    }

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn deal<L: Log<Self>>(&self, rng: &mut Rng, log: &mut L) -> State {
        rules::deal(self, rng, log)
    }

    fn acting(&self, state: &State) -> Seats {
        rules::acting(self, state)
    }

    fn status(&self, state: &State) -> Status {
        rules::status(state)
    }

    fn legal(&self, state: &State, _: Seat) -> Bits<1> {
        legal::legal(self, state)
    }

    fn apply<L: Log<Self>>(&self, state: &mut State, seat: Seat, action: Action, _: &mut Rng, log: &mut L) {
        rules::apply(self, state, seat, action, log);
    }

    fn scores(&self, state: &State) -> Scores {
        score::scores(self, state)
    }

    fn winners(&self, state: &State) -> Seats {
        score::winners(self, state)
    }

    fn observe(&self, state: &State, viewer: Seat, out: &mut [u8]) {
        observe::observe(self, state, viewer, out);
    }

    fn sample_hidden(&self, state: &State, viewer: Seat, rng: &mut Rng) -> State {
        sample::sample_hidden(self, state, viewer, rng)
    }

    fn validate(&self, state: &State) -> Vec<Problem> {
        validate::validate(self, state)
    }

    fn heuristic(&self, state: &State, seat: Seat, _: &mut Rng) -> Action {
        greedy::heuristic(self, state, seat)
    }
}

impl Show for LiarsDice {
    fn describe(&self, state: &State, viewer: Option<Seat>) -> Value {
        json::describe(self, state, viewer)
    }

    fn restore(&self, json: &Value, _: &mut Rng) -> Result<State, Vec<Problem>> {
        json::restore(self, json)
    }

    fn action_text(&self, _: Option<(&State, Seat)>, action: Action) -> String {
        text::action_text(self, action)
    }

    fn parse_action(&self, _: Option<(&State, Seat)>, text: &str) -> Option<Action> {
        text::parse_action(self, text)
    }

    fn event_json(&self, event: &Event, viewer: Option<Seat>) -> Option<Map<String, Value>> {
        text::event_json(self, event, viewer)
    }

    fn event_text(&self, event: &Map<String, Value>) -> String {
        text::event_text(event)
    }

    fn draw_text(&self, state: &State, viewer: Option<Seat>) -> String {
        draw::draw_text(self, state, viewer)
    }

    fn draw_svg(&self, state: &State, viewer: Option<Seat>) -> String {
        draw::draw_svg(self, state, viewer)
    }

    fn hooks(&self) -> Hooks<Self> {
        conformance::hooks()
    }
}

fn info(players: usize) -> GameInfo {
    let bids = players * FACES;
    GameInfo {
        id: LiarsDice::ID,
        title: "Liar's Dice",
        version: 1,
        players,
        player_range: (2, MOST_PLAYERS),
        num_actions: bids + 1,
        actions: vec![
            ActionRange {
                name: "BID",
                start: 0,
                len: bids,
                shape: vec![players, FACES],
                meaning: "so many dice, 1 more than the index, show at least this face".into(),
            },
            ActionRange {
                name: "LIAR",
                start: bids,
                len: 1,
                shape: vec![1],
                meaning: "doubt the last bid".into(),
            },
        ],
        observation: observe::layout(players),
        max_decisions: bids + 1,
        max_forced: 0,
        max_chance: players,
        chance: true,
        hidden: true,
        simultaneous: false,
        score_zero_sum: true,
        outcome_on_truncation: false,
        sharing: Sharing::Pot,
        score_range: (-(players as i32 - 1), 1),
        score_divisor: 1,
        rewards: vec![RewardKind::Outcome, RewardKind::Score, RewardKind::ScoreDelta],
        content_name: String::new(),
        content_title: String::new(),
        content_hash: 0,
    }
}
