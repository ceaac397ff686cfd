//! Graven: a deck duel on two lines. Cards on the Front Line count in the Survey but have no effects. Cards on the Back Line
//! have effects but do not count. Numbered rules: `seeds/rules/graven.md`.

mod abilities;
pub mod action;
mod bounds;
mod card_text;
pub mod cards;
mod conformance;
pub mod content;
mod deal;
mod decks;
pub mod draw;
mod effects;
pub mod greedy;
mod json;
mod legal;
mod multiset;
pub mod observe;
mod passives;
pub mod rules;
mod sample;
mod score;
pub mod state;
mod steps;
pub mod text;
mod validate;

use action::{Choice, Offsets};
use bounds::Bounds;
use cards::{Ability, Card, Limit, Mod, ModKind, Moment, Origin};
use content::Deck;
use decks::Source;
use observe::View;
use playmat_core::prelude::*;
use playmat_core::registry::Entry;
use rules::LEGAL_WORDS;
use state::{DECK, MAX_PLAYERS, State, Timing};

/// What the registry lists. A static, so that the game is compiled here and not again in every crate that names it.
pub static ENTRY: Entry = Entry::of::<Graven>();

pub use rules::Event;

/// The configured game.
#[derive(Clone, Debug)]
pub struct Graven {
    info: GameInfo,
    players: usize,
    cards: Vec<Card>,
    decks: Vec<Deck>,
    sources: [Source; MAX_PLAYERS],
    /// Bit s: the deck of player s is built in the episode; its list is known to all.
    builders: u8,
    open: u8,
    /// Kinds: all, Humans, Titans.
    all: u64,
    human_kinds: u64,
    titan_kinds: u64,
    /// Kinds with an effect of a timing; of a window; with a limit.
    timed: [u64; 5],
    windows: [u64; Moment::SurveyLoss as usize + 1],
    limited: [u64; 5],
    /// Kinds whose limit is the game.
    per_game: u64,
    /// Kinds that trigger when they are sent to the discard pile, by where they come from.
    from: [u64; 4],
    /// Kinds with a passive: any, of a kind, active on either line.
    passive: u64,
    with: [u64; ModKind::NUM],
    either: u64,
    /// Turns of all players together that an episode can have: cards run out, or the option cuts it off.
    most_turns: u16,
    at: Offsets,
    /// By action number.
    choices: Vec<Choice>,
    view: View,
    options: Choices,
}

/// What the options decide, decks aside.
#[derive(Clone, Copy, Debug)]
struct Choices {
    /// Player of the first turn; random if none.
    first: Option<u8>,
    /// `windows = "possible"`.
    all_decide: bool,
    shows_search: bool,
    max_turns: u16,
    /// Whether the option hides deck lists that are not random.
    hides_lists: bool,
}

impl Choices {
    fn from_options(options: &Options, players: usize) -> Result<Choices> {
        Ok(Choices {
            first: options.first_player(players)?.map(|player| player.0),
            all_decide: options.str("windows") == "possible",
            shows_search: options.bool("search_reveals"),
            max_turns: options.int("max_turns") as u16,
            hides_lists: options.str("open_decklists") == "hidden",
        })
    }
}

impl Graven {
    /// Number of players.
    #[inline(always)]
    pub fn players(&self) -> usize {
        self.players
    }

    /// Cards by kind: Humans, then Titans.
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// The ready-made decks.
    pub fn decks(&self) -> &[Deck] {
        &self.decks
    }

    /// The card of a kind.
    #[inline(always)]
    pub fn card(&self, kind: u8) -> &Card {
        &self.cards[usize::from(kind)]
    }

    /// The effect of a kind of card with a timing.
    #[inline(always)]
    fn ability(&self, kind: u8, timing: Timing) -> Option<&Ability> {
        self.card(kind).ability(timing)
    }

    /// The kind with this id, upper and lower case alike.
    pub fn kind(&self, id: &str) -> Option<u8> {
        self.cards.iter().position(|card| content::same(&card.id, id)).map(|kind| kind as u8)
    }

    /// Whether a kind is a Titan.
    #[inline(always)]
    pub fn is_titan(&self, kind: u8) -> bool {
        self.titan_kinds >> (kind & 63) & 1 != 0
    }

    /// Whether the deck list of a player is known to all.
    #[inline(always)]
    pub fn is_open(&self, player: u8) -> bool {
        self.open >> (player & 7) & 1 != 0
    }

    /// Whether the compiler knows the sizes of observations: for contents with as many kinds as the built-in one.
    pub fn has_builtin_sizes(&self) -> bool {
        self.view.is_builtin
    }

    /// The same game, with observations written as for contents of other sizes: the slow twin.
    pub fn without_builtin_sizes(&self) -> Graven {
        let mut slow = self.clone();
        slow.view.is_builtin = false;
        slow
    }
}

impl Game for Graven {
    const ID: &'static str = "graven";
    type State = State;
    type Legal = Bits<LEGAL_WORDS>;
    type Event = Event;

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::int("players", 2, MAX_PLAYERS as i64, 2, "number of players"),
            OptionSpec::json(
                "decks",
                "the name of a ready-made deck, `any`, `random`, `build`, a list of 30 cards, a table of cards and copies, or a list of these with one for each player",
                "any",
                "where decks come from: ready-made (`any`: one of them at random), random, built in the episode, or listed",
            ),
            OptionSpec::first_player(0),
            OptionSpec::choice(
                "open_decklists",
                &["auto", "open", "hidden"],
                "whether deck lists are public from the deal on; auto: ready-made and listed ones are, random and built ones are not",
            ),
            OptionSpec::choice(
                "windows",
                &["holders", "possible"],
                "who decides about effects from the hand: only players who hold one that fits, or every player who could hold one",
            ),
            OptionSpec::bool("search_reveals", true, "whether a card found in a deck is shown"),
            OptionSpec::content(content::NAMES),
            OptionSpec::int(
                "max_turns",
                1,
                1000,
                200,
                "turns of all players together after which the episode is cut off",
            ),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let players = options.int("players") as usize;
        let choices = Choices::from_options(options, players)?;
        let content = Content::from_options(Self::ID, options, content::BUILTIN);
        let content::Compiled { cards, humans, decks } = content::load(&content)?;
        let list = decks::sources(options, players, &cards, humans, &decks)?;
        let mut sources = [Source::Any; MAX_PLAYERS];
        sources[..players].copy_from_slice(&list);
        let (mut builders, mut open) = (0, 0);
        for (player, source) in list.iter().enumerate() {
            builders |= u8::from(*source == Source::Build) << player;
            let listed = matches!(source, Source::Fixed(_) | Source::Any);
            let is_open = match options.str("open_decklists") {
                "auto" => listed,
                word => word == "open",
            };
            open |= u8::from(is_open) << player;
        }
        let at = Offsets::new(cards.len(), players);
        let view = View::new(players, cards.len(), choices.max_turns);
        let bounds = Bounds::new(&cards, players, choices.max_turns.into(), builders);
        let info = GameInfo {
            title: "Graven",
            version: 2,
            player_range: (2, MAX_PLAYERS),
            num_actions: at.end,
            actions: Self::action_ranges(cards.len(), players),
            observation: view.layout.clone(),
            max_decisions: bounds.decisions,
            max_forced: bounds.forced,
            max_chance: bounds.chance,
            chance: true,
            hidden: true,
            simultaneous: builders.count_ones() > 1,
            outcome_on_truncation: true,
            score_range: (0, DECK as i32),
            rewards: vec![RewardKind::Outcome, RewardKind::Score],
            ..content.info(players)
        };
        let kinds = |is_so: &dyn Fn(&Card) -> bool| -> u64 {
            (0..).zip(&cards).filter(|(_, card)| is_so(card)).fold(0, |set, (kind, _)| set | 1 << kind)
        };
        let with_ability = |timing: Timing, is_so: &dyn Fn(&Ability) -> bool| {
            kinds(&|card| card.ability(timing).is_some_and(is_so))
        };
        let with_mod = |is_so: &dyn Fn(&Mod) -> bool| kinds(&|card| card.mods.iter().any(is_so));
        Ok(Graven {
            info,
            players,
            sources,
            builders,
            open,
            all: kinds(&|_| true),
            human_kinds: kinds(&|card| !card.titan),
            titan_kinds: kinds(&|card| card.titan),
            timed: Timing::ALL.map(|timing| with_ability(timing, &|_| true)),
            windows: [Moment::Destroyed, Moment::SurveyLoss]
                .map(|moment| with_ability(Timing::Window, &|ability| ability.event == moment)),
            limited: Timing::ALL.map(|timing| with_ability(timing, &|ability| ability.limit != Limit::None)),
            per_game: kinds(&|card| card.abilities.iter().flatten().any(|a| a.limit == Limit::Game)),
            from: Origin::ALL.map(|from| with_ability(Timing::Discarded, &|a| a.from >> from as u8 & 1 != 0)),
            passive: with_mod(&|_| true),
            with: ModKind::ALL.map(|kind| with_mod(&|entry| entry.kind == kind)),
            either: with_mod(&|entry| entry.either),
            most_turns: bounds.turns as u16,
            choices: at.choices(players),
            at,
            view,
            options: choices,
            cards,
            decks,
        })
    }

    playmat_core::game_files!(take_back_choice);
}

impl Show for Graven {
    playmat_core::show_files!(content_entries, action_help);

    fn matchups(&self) -> Option<(&'static str, Vec<String>)> {
        decks::matchups(self)
    }

    fn private_options(&self) -> &'static [&'static str] {
        decks::private_options(self)
    }

    fn option_known_to(&self, _: &str, value: &Value, player: Player) -> Option<Value> {
        decks::option_known_to(self, value, player)
    }
}
