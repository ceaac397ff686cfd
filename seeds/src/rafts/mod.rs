//! Rafts!: researchers race to assemble the bacterium, the gene and the supplies that their goal needs, with sabotage
//! and four kinds of reaction cards. Numbered rules: `seeds/rules/rafts.md`.

pub mod action;
mod bounds;
mod conformance;
pub mod content;
mod deal;
pub mod draw;
pub mod effects;
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

use action::Offsets;
use bounds::Bounds;
use content::{Card, GoalCard, Needs};
use effects::Effect;
use legal::Plays;
use observe::Sizes;
use playmat_core::content::same;
use playmat_core::prelude::*;
use playmat_core::registry::Entry;
use state::{Deck, GoalKind, Kind, MAX_ACTIONS, MAX_GOALS, MAX_KINDS, MAX_PLAYERS, State};
use std::ops::Range;

/// What the registry lists. A static, so that the game is compiled here and not again in every crate that names it.
pub static ENTRY: Entry = Entry::of::<Rafts>();

pub use rules::Event;

/// The configured game.
#[derive(Clone, Debug)]
pub struct Rafts {
    info: GameInfo,
    players: usize,
    cards: Vec<Card>,
    goals: Vec<GoalCard>,
    /// Number of bacteria; with genes; with generics: resources; with actions: all kinds.
    bacteria: usize,
    specific: usize,
    resources: usize,
    kinds: usize,
    /// The first kind of each deck.
    first_of: [usize; 3],
    /// Copies by kind, and of the goals.
    copies: [u8; MAX_KINDS],
    goal_copies: [u8; MAX_GOALS],
    needs: [Needs; MAX_GOALS],
    effects: [Effect; MAX_ACTIONS],
    plays: Plays,
    /// By action: the shield against it.
    shields: [Option<Kind>; MAX_ACTIONS],
    snatch: Option<Kind>,
    lab: Option<Kind>,
    at: Offsets,
    sizes: Sizes,
    options: Choices,
}

/// What the options decide.
#[derive(Clone, Copy, Debug)]
struct Choices {
    /// Player of the first turn; random if none.
    first: Option<Player>,
    /// RA-R24: turns after which the episode is cut off.
    turns: u16,
    progress: bool,
    auto_claim: bool,
    any_pairing: bool,
    double_generics: bool,
    /// `windows = "possible"`.
    all_decide: bool,
    any_moment: bool,
    to_table: bool,
    blank_sabotage: bool,
    discards: bool,
}

impl Choices {
    fn from_options(options: &Options, players: usize) -> Result<Choices> {
        Ok(Choices {
            first: options.first_player(players)?,
            turns: (players as i64 * options.int("max_rounds")) as u16,
            progress: options.str("unfinished") == "progress",
            auto_claim: options.bool("auto_claim"),
            any_pairing: options.str("gene_pairing") == "any",
            double_generics: options.bool("expansion_doubles_generics"),
            all_decide: options.str("windows") == "possible",
            any_moment: options.str("serendipity_timing") == "any_moment",
            to_table: options.str("bioeconomy_to") == "table",
            blank_sabotage: options.bool("blank_sabotage"),
            discards: options.bool("discard_at_end"),
        })
    }
}

impl Rafts {
    /// Number of players.
    #[inline(always)]
    pub fn players(&self) -> usize {
        self.players
    }

    /// Number of kinds of cards.
    #[inline(always)]
    pub fn kinds(&self) -> usize {
        self.kinds
    }

    /// Number of resource kinds.
    #[inline(always)]
    pub fn resources(&self) -> usize {
        self.resources
    }

    /// Cards by kind.
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// Goals by kind.
    pub fn goals(&self) -> &[GoalCard] {
        &self.goals
    }

    /// The card of a kind.
    pub fn card(&self, kind: Kind) -> &Card {
        &self.cards[kind.index()]
    }

    /// The goal of a kind.
    pub fn goal(&self, goal: GoalKind) -> &GoalCard {
        &self.goals[goal.index()]
    }

    /// The kind with this id, upper and lower case alike.
    pub fn kind(&self, id: &str) -> Option<Kind> {
        self.cards.iter().position(|card| same(&card.id, id)).map(|at| Kind(at as u8))
    }

    /// The goal kind with this id, upper and lower case alike.
    pub fn goal_kind(&self, id: &str) -> Option<GoalKind> {
        self.goals.iter().position(|goal| same(&goal.card.id, id)).map(|at| GoalKind(at as u8))
    }

    /// What an action card does.
    #[inline(always)]
    pub fn effect(&self, kind: Kind) -> Option<Effect> {
        kind.index().checked_sub(self.resources).map(|action| self.effects[action])
    }

    /// Kinds of a deck.
    #[inline(always)]
    pub fn range(&self, deck: Deck) -> Range<usize> {
        match deck {
            Deck::Actions => self.resources..self.kinds,
            Deck::Specific => 0..self.specific,
            Deck::Generic => self.specific..self.resources,
        }
    }

    /// The deck that a kind belongs to.
    #[inline(always)]
    pub fn deck_of(&self, kind: Kind) -> Deck {
        match kind.index() {
            k if k < self.specific => Deck::Specific,
            k if k < self.resources => Deck::Generic,
            _ => Deck::Actions,
        }
    }

    /// The place of a generic among the four; `None` for other cards.
    #[inline(always)]
    pub fn generic(&self, kind: Kind) -> Option<usize> {
        kind.index().checked_sub(self.specific).filter(|&at| at < 4)
    }

    /// Slot of a bench that a bacterium or gene lies in.
    #[inline(always)]
    pub fn slot(&self, kind: Kind) -> usize {
        usize::from(kind.index() >= self.bacteria)
    }

    /// Players from the left neighbour of the turn player on: 1 is the next, `players` the turn player.
    #[inline(always)]
    fn after(&self, state: &State, place: u8) -> Player {
        state.active().relative(place.into(), self.players)
    }

    /// How many places a player sits clockwise of the turn player, 1 to `players`.
    #[inline(always)]
    fn place(&self, state: &State, player: Player) -> u8 {
        let (player, active) = (player.0, state.turn_player);
        if player > active { player - active } else { self.players as u8 - active + player }
    }
}

impl Game for Rafts {
    const ID: &'static str = "rafts";
    type State = State;
    type Legal = Bits<3>;
    type Event = Event;

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::int("players", 2, MAX_PLAYERS as i64, 3, "number of players"),
            OptionSpec::first_player("random"),
            OptionSpec::content(content::NAMES),
            OptionSpec::int(
                "max_rounds",
                1,
                1000,
                60,
                "turns of each player after which the episode is cut off",
            ),
            OptionSpec::choice(
                "unfinished",
                &["draw", "progress"],
                "without a winner: nobody wins, or those with the highest completion share the win",
            ),
            OptionSpec::bool("auto_claim", true, "whether victory is claimed as soon as it can be"),
            OptionSpec::choice(
                "gene_pairing",
                &["bench", "any"],
                "whether a goal's bacterium and gene must lie on the same bench, or any own ones count",
            ),
            OptionSpec::bool(
                "expansion_doubles_generics",
                false,
                "whether a Lab expansion also allows 4 instead of 2 time, money and medium",
            ),
            OptionSpec::choice(
                "windows",
                &["holders", "possible"],
                "who decides about fast cards: only players who hold one that fits, or every player who could hold one",
            ),
            OptionSpec::choice(
                "serendipity_timing",
                &["on_discard", "any_moment"],
                "when the others may snatch: after a play that discarded a card, or after every play and before every turn",
            ),
            OptionSpec::choice("bioeconomy_to", &["hand", "table"], "where a recovered card goes"),
            OptionSpec::bool(
                "blank_sabotage",
                false,
                "whether cards that make players lose something may be played when nobody has any",
            ),
            OptionSpec::bool("discard_at_end", false, "house rule: cards may be discarded before drawing"),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let players = options.int("players") as usize;
        let choices = Choices::from_options(options, players)?;
        let content = Content::from_options(Self::ID, options, content::BUILTIN);
        let content::Cards { cards, specific: [bacteria, genes], effects, goals } = content::load(&content)?;
        let (specific, resources, kinds) = (bacteria + genes, bacteria + genes + 4, cards.len());
        let at = Offsets::new(kinds, resources, goals.len(), players, choices.discards);
        let bounds = Bounds::new(&cards, &effects, resources, players, &choices);
        let info = GameInfo {
            title: "Rafts!",
            player_range: (2, MAX_PLAYERS),
            num_actions: at.end,
            actions: Self::action_ranges(&at, players),
            observation: observe::layout(players, [bacteria, genes], &cards, &goals),
            max_decisions: bounds.decisions,
            max_forced: bounds.forced,
            max_chance: bounds.chance,
            chance: true,
            hidden: true,
            outcome_on_truncation: choices.progress,
            score_range: (0, 100),
            score_divisor: 100,
            ..content.info(players)
        };
        let mut game = Rafts {
            info,
            players,
            bacteria,
            specific,
            resources,
            kinds,
            first_of: [resources, 0, specific],
            copies: [0; MAX_KINDS],
            goal_copies: [0; MAX_GOALS],
            needs: [goals[0].needs; MAX_GOALS],
            effects: [Effect::Snatch; MAX_ACTIONS],
            plays: Plays::new(&effects, [specific, resources], &at, &choices),
            shields: [None; MAX_ACTIONS],
            snatch: None,
            lab: None,
            at,
            sizes: Sizes { players, specific, resources, kinds, goals: goals.len() },
            options: choices,
            cards,
            goals,
        };
        game.fill_tables(&effects);
        Ok(game)
    }

    playmat_core::game_files!();
}

impl Rafts {
    fn fill_tables(&mut self, effects: &[Effect]) {
        for (copies, card) in self.copies.iter_mut().zip(&self.cards) {
            *copies = card.copies;
        }
        for (i, goal) in self.goals.iter().enumerate() {
            (self.goal_copies[i], self.needs[i]) = (goal.card.copies, goal.needs);
        }
        for (action, &effect) in effects.iter().enumerate() {
            self.effects[action] = effect;
            let kind = Some(Kind((self.resources + action) as u8));
            match effect {
                Effect::Snatch => self.snatch = kind,
                Effect::ExtraBench => self.lab = kind,
                Effect::Shield { against } => self.shields[against.index() - self.resources] = kind,
                _ => {}
            }
        }
    }
}

impl Show for Rafts {
    playmat_core::show_files!(content_entries, action_help, figures);
}
