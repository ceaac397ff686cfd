//! Graphia Genesis: a card names a terrain, two cards show shapes, a die names a line. Each player
//! draws one of the two shapes on a sheet of their own, touching that line. Numbered rules: `seeds/rules/graphia.md`.

pub mod action;
pub mod board;
mod bounds;
mod conformance;
pub mod content;
mod deal;
pub mod draw;
mod forecast;
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

use bounds::Bounds;
use content::{Shape, Shapes};
use playmat_core::prelude::*;
use playmat_core::registry::Entry;
use score::{LINES, Scoring};
use state::{Kind, MAX_KINDS, PLACEMENTS, SheetScore, State};

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
    pub fn lines(&self, score: &SheetScore) -> [i16; LINES] {
        self.scoring.lines(score)
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
        let bounds = Bounds::new(players, smallest);
        let info = GameInfo {
            title: "Graphia Genesis",
            player_range: (1, MAX_PLAYERS),
            num_actions: shapes.len() + PLACEMENTS,
            actions: Self::action_ranges(shapes.len()),
            observation: observe::layout(players, &shapes, observes_sheets),
            max_decisions: bounds.decisions,
            max_forced: bounds.forced,
            max_chance: bounds.chance,
            chance: true,
            hidden: players >= 2,
            simultaneous: players >= 2,
            score_range: scoring.range(),
            ..content.info(players)
        };
        Ok(Graphia { info, players, shapes, deck, scoring, observes_sheets })
    }

    playmat_core::game_files!(take_back_choice);
}

impl Show for Graphia {
    playmat_core::show_files!(content_entries, figures);
}
