//! Graphia Genesis: a card names a terrain, two cards show shapes, a die names a line; everybody draws one of
//! the two shapes on the own sheet, touching that line. Numbered rules: `seeds/rules/graphia.md`.

pub mod action;
pub mod board;
mod conformance;
pub mod content;
pub mod draw;
pub mod greedy;
mod json;
mod legal;
pub mod observe;
pub mod rules;
mod sample;
pub mod score;
pub mod state;
mod text;
mod validate;

use content::{Shape, Shapes};
use playmat_core::prelude::*;
use playmat_core::registry::Entry;
use score::{LINES, Scoring};
use serde_json::{Map, Value};
use state::{Kind, MAX_KINDS, PLACEMENTS, State, Tally};

/// What the registry lists. A static, so that the game is compiled here and not again in every crate that names it.
pub static ENTRY: Entry = Entry::of::<Graphia>();

pub use rules::Event;

/// The configured game.
#[derive(Clone, Debug)]
pub struct Graphia {
    info: GameInfo,
    players: usize,
    shapes: Vec<Shape>,
    deck: [u8; MAX_KINDS],
    scoring: Scoring,
    /// Option `observe_others = "full"`.
    observes_sheets: bool,
}

impl Graphia {
    /// Number of players.
    #[inline(always)]
    pub fn players(&self) -> usize {
        self.players
    }

    /// Number of kinds of shapes.
    #[inline(always)]
    pub fn kinds(&self) -> usize {
        self.shapes.len()
    }

    /// The shapes by kind.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// The shape of a kind.
    #[inline(always)]
    pub fn shape(&self, kind: Kind) -> &Shape {
        &self.shapes[kind.index()]
    }

    /// The kind with this name, upper and lower case alike.
    pub fn kind(&self, id: &str) -> Option<Kind> {
        content::kind(&self.shapes, id)
    }

    /// Cards of each kind in the whole polyomino deck.
    pub fn deck(&self) -> &[u8; MAX_KINDS] {
        &self.deck
    }

    /// How the options read the scoring rules.
    pub fn scoring(&self) -> &Scoring {
        &self.scoring
    }

    /// The score lines of a sheet as they count under the options: terrain points M F R D T A X, then groups
    /// M F R D T A.
    pub fn lines(&self, tally: &Tally) -> [i16; LINES] {
        self.scoring.lines(tally)
    }
}

impl Game for Graphia {
    const ID: &'static str = "graphia";
    type State = State;
    type Legal = Bits<10>;
    type Event = Event;

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::int("players", 1, 8, 2, "number of players"),
            OptionSpec::content(content::NAMES),
            OptionSpec::choice(
                "nexus_gate",
                &["terrain", "group", "both"],
                "which lines of a terrain that touches no nexus become 0: its terrain points, its largest group, both",
            ),
            OptionSpec::choice(
                "nexus_adjacency",
                &["orthogonal", "all"],
                "what is next to a Nexus: the four squares that share an edge, or all eight around it",
            ),
            OptionSpec::choice(
                "desert_scoring",
                &["square", "pair"],
                "-1 for every desert next to a tundra, or for every pair of such neighbours",
            ),
            OptionSpec::choice(
                "observe_others",
                &["full", "summary"],
                "what an observation holds of the others: sheets and score lines, or score lines only",
            ),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let content = Content::from_options(Self::ID, options, content::BUILTIN);
        let Shapes { shapes, deck, smallest } = content::load(&content)?;
        let players = options.int("players") as usize;
        let scoring = Scoring::from_options(options);
        let observes_sheets = options.str("observe_others") == "full";
        let bounds = rules::Bounds::new(players, smallest);
        let info = GameInfo {
            id: Self::ID,
            title: "Graphia Genesis",
            version: 1,
            players,
            player_range: (1, MAX_SEATS),
            num_actions: shapes.len() + PLACEMENTS,
            actions: Self::action_ranges(shapes.len()),
            observation: observe::layout(players, &shapes, observes_sheets),
            max_decisions: bounds.decisions,
            max_forced: bounds.forced,
            max_chance: bounds.chance,
            chance: true,
            hidden: players >= 2,
            simultaneous: players >= 2,
            score_zero_sum: false,
            outcome_on_truncation: false,
            sharing: Sharing::Pot,
            score_range: scoring.range(),
            score_divisor: 1,
            rewards: if players == 1 {
                vec![RewardKind::Score, RewardKind::ScoreDelta]
            } else {
                vec![RewardKind::Outcome, RewardKind::Score, RewardKind::ScoreDelta]
            },
            content_hash: content.hash(),
            content_title: content.title(),
            content_name: content.name,
        };
        Ok(Graphia { info, players, shapes, deck, scoring, observes_sheets })
    }

    #[inline]
    fn info(&self) -> &GameInfo {
        &self.info
    }

    #[inline]
    fn deal<L: Log<Self>>(&self, rng: &mut Rng, log: &mut L) -> State {
        rules::deal(self, rng, log)
    }

    #[inline(always)]
    fn acting(&self, state: &State) -> Seats {
        rules::acting(state)
    }

    #[inline(always)]
    fn status(&self, state: &State) -> Status {
        rules::status(state)
    }

    #[inline]
    fn legal(&self, state: &State, seat: Seat) -> Bits<10> {
        legal::legal(self, state, seat)
    }

    #[inline]
    fn apply<L: Log<Self>>(&self, state: &mut State, seat: Seat, action: Action, rng: &mut Rng, log: &mut L) {
        rules::apply(self, state, seat, action, rng, log);
    }

    #[inline]
    fn scores(&self, state: &State) -> Scores {
        score::scores(state)
    }

    fn winners(&self, state: &State) -> Seats {
        score::winners(self, state)
    }

    #[inline]
    fn observe(&self, state: &State, viewer: Seat, out: &mut [u8]) {
        observe::observe(self, state, viewer, out);
    }

    fn take_back_choice(&self, state: &mut State, player: Seat) {
        sample::take_back_choice(state, player);
    }

    fn sample_hidden(&self, state: &State, viewer: Seat, rng: &mut Rng) -> State {
        sample::sample_hidden(self, state, viewer, rng)
    }

    fn validate(&self, state: &State) -> Vec<Problem> {
        validate::validate(self, state)
    }

    fn heuristic(&self, state: &State, seat: Seat, rng: &mut Rng) -> Action {
        greedy::heuristic(self, state, seat, rng)
    }
}

impl Show for Graphia {
    fn describe(&self, state: &State, viewer: Option<Seat>) -> Value {
        json::describe(self, state, viewer)
    }

    fn restore(&self, json: &Value, rng: &mut Rng) -> Result<State, Vec<Problem>> {
        json::restore(self, json, rng)
    }

    fn action_text(&self, state: Option<(&State, Seat)>, action: Action) -> String {
        text::action_text(self, state, action)
    }

    fn parse_action(&self, state: Option<(&State, Seat)>, text: &str) -> Option<Action> {
        text::parse_action(self, state, text)
    }

    fn event_json(&self, event: &Event, viewer: Option<Seat>) -> Option<Map<String, Value>> {
        text::event_json(self, event, viewer)
    }

    fn event_text(&self, event: &Map<String, Value>) -> String {
        text::event_text(EventFields(event))
    }

    fn content_entries(&self) -> Vec<ContentEntry> {
        text::content_entries(self)
    }

    fn figures(&self, state: &State) -> Vec<Figure> {
        text::figures(self, state)
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
