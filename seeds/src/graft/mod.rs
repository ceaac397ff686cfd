//! Graft: all players choose a card in secret, all cards are revealed, and the hands are passed on. Cards build a row. A card that
//! the row forbids busts it. A row scores when it is shipped. Numbered rules: `seeds/rules/graft.md`.

pub mod action;
mod badge_search;
pub mod badge_stages;
mod bounds;
mod conformance;
pub mod content;
mod deal;
pub mod draw;
pub mod greedy;
mod json;
mod legal;
mod next_card;
pub mod observe;
pub mod rules;
mod sample;
pub mod score;
mod score_grammar;
mod score_range;
pub mod state;
pub mod text;
mod validate;

use bounds::Bounds;
use content::{BadgeData, BadgeText, Effect, KindData, KindText, TypeText};
use playmat_core::prelude::*;
use playmat_core::registry::Entry;
use state::{Counts, HAND, Kind, MAX_BADGES, MAX_TYPES, Row, State};

/// What the registry lists. A static, so that the game is compiled here and not again in every crate that names it.
pub static ENTRY: Entry = Entry::of::<Graft>();

pub use rules::Event;

/// The configured game.
#[derive(Clone, Debug)]
pub struct Graft {
    info: GameInfo,
    players: usize,
    types: Vec<TypeText>,
    cards: Vec<KindData>,
    growths: Box<next_card::Growths>,
    faces: Box<next_card::Faces>,
    placings: Box<next_card::Placings>,
    /// Kinds whose points at the right end follow from one count, as bits.
    single: u64,
    one_cards: Box<observe::OneCards>,
    texts: Vec<KindText>,
    badges: Vec<BadgeData>,
    stages: badge_stages::Stages,
    /// By badge, no shorter row meets it, nor an empty one.
    least: [u8; MAX_BADGES],
    /// By badge, its high and its low value: an entry for every byte, so that none is compared with the end.
    values: Box<[[u8; 2]; 256]>,
    /// By badge, the kinds that meet it in a row of one, as bits.
    met_by_one: [u64; MAX_BADGES],
    /// The kinds that meet any badge in a row of one, as bits.
    alone_meet: u64,
    badge_texts: Vec<BadgeText>,
    /// Number of gold badges, which come first.
    gold: usize,
    /// The cards of this player count.
    deck: Counts,
    deck_size: usize,
    /// By set of types the kinds of these, as bits.
    kinds_of_types: Box<[u64; 1 << MAX_TYPES]>,
    /// Kinds that are legal whatever a row forbids, as bits: the Z-Coins, with the option `z_coin_placement = "always"`.
    legal_coins: u64,
    /// Kinds of Recycles, as bits.
    recycles: u64,
    /// Kinds of Replants, as bits.
    replants: u64,
    /// Option `end_of_game_claims`.
    claims_at_end: bool,
    scales: observe::Scales,
}

impl Graft {
    /// Number of players.
    #[inline(always)]
    pub fn players(&self) -> usize {
        self.players
    }

    /// Number of kinds of cargo cards.
    #[inline(always)]
    pub fn kinds(&self) -> usize {
        self.cards.len()
    }

    /// The types in the order of their bits.
    pub fn types(&self) -> &[TypeText] {
        &self.types
    }

    /// A kind as the rules need it.
    #[inline(always)]
    pub fn data(&self, kind: Kind) -> &KindData {
        &self.cards[kind.index()]
    }

    /// A kind as people need it.
    pub fn text(&self, kind: Kind) -> &KindText {
        &self.texts[kind.index()]
    }

    /// The badges, gold ones first.
    pub fn badges(&self) -> &[BadgeData] {
        &self.badges
    }

    /// A badge as people need it.
    pub fn badge_text(&self, badge: u8) -> &BadgeText {
        &self.badge_texts[usize::from(badge)]
    }

    /// Number of gold badges of the content.
    pub fn gold(&self) -> usize {
        self.gold
    }

    /// The cards of this player count.
    pub fn deck(&self) -> &Counts {
        &self.deck
    }

    /// Most turns of a game: the cards of the deck that each player gets.
    #[inline(always)]
    pub fn turns(&self) -> usize {
        self.deck_size / self.players
    }

    /// Whether the compiler knows the sizes of observations: for contents with the sizes of the built-in one.
    pub fn has_builtin_sizes(&self) -> bool {
        self.scales.is_builtin
    }

    /// The same game, with observations written as for contents of other sizes: the slow twin.
    pub fn without_builtin_sizes(&self) -> Graft {
        Graft { scales: self.scales.of_any_content(), ..self.clone() }
    }

    /// All players, as bits.
    #[inline(always)]
    fn everybody(&self) -> u8 {
        Players::all(self.players).0
    }
}

impl Game for Graft {
    const ID: &'static str = "graft";
    type State = State;
    type Legal = Bits<2>;
    type Event = Event;

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::int("players", 2, 5, 3, "number of players; two are a variant"),
            OptionSpec::content(content::NAMES),
            OptionSpec::bool(
                "end_of_game_claims",
                true,
                "whether everybody whose row the end of the game completes may claim a badge, or only whoever shipped",
            ),
            OptionSpec::choice(
                "z_coin_placement",
                &["always", "restricted"],
                "whether a Z-Coin may be placed whatever the row forbids, or busts like any card",
            ),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let content = Content::from_options(Self::ID, options, content::BUILTIN);
        let loaded = content::load(&content)?;
        let players = options.int("players") as usize;
        let deck = loaded.deck(players);
        let deck_size = deck.total() as usize;
        let mut kinds_of_types = Box::new([0; 1 << MAX_TYPES]);
        let (mut coins, mut recycles, mut replants) = (0, 0, 0);
        let (mut least, mut values) = ([u8::MAX; MAX_BADGES], Box::new([[0; 2]; 256]));
        for ((least, values), badge) in least.iter_mut().zip(&mut *values).zip(&loaded.badges) {
            (*least, *values) = (badge.least.max(1), [badge.high, badge.low]);
        }
        for (kind, data) in loaded.kinds.iter().enumerate() {
            for (_, kinds) in kinds_of_types.iter_mut().enumerate().filter(|(set, _)| set >> data.ty & 1 != 0)
            {
                *kinds |= 1 << kind;
            }
            coins |= u64::from(data.effect == Effect::ZCoin) << kind;
            recycles |= u64::from(data.effect == Effect::Recycle) << kind;
            replants |= u64::from(data.effect == Effect::Replant) << kind;
        }
        let scales = observe::Scales::new(&loaded, players, deck_size);
        let kinds = loaded.kinds.iter().zip(&deck.0).filter(|(kind, _)| kind.effect == Effect::Replant);
        let bounds = Bounds::new(players, deck_size, kinds.map(|(_, &copies)| usize::from(copies)).sum());
        let info = GameInfo {
            title: if players == 2 { "Graft (two-player variant)" } else { "Graft" },
            player_range: (2, state::MAX_PLAYERS),
            num_actions: loaded.kinds.len() + action::OTHERS,
            actions: Self::action_ranges(loaded.kinds.len()),
            observation: observe::layout(&scales),
            max_decisions: bounds.decisions,
            max_forced: bounds.forced,
            max_chance: bounds.chance,
            chance: true,
            hidden: true,
            simultaneous: true,
            score_range: score_range::score_range(&loaded, &deck, deck_size / players),
            ..content.info(players)
        };
        let (placings, single) = next_card::placings(&loaded.kinds);
        let mut game = Graft {
            info,
            players,
            types: loaded.types,
            growths: next_card::growths(&loaded.kinds),
            faces: next_card::faces(&loaded.kinds),
            placings,
            single,
            one_cards: observe::OneCards::new(),
            stages: badge_stages::Stages::new(&loaded.kinds, &loaded.badges),
            cards: loaded.kinds,
            texts: loaded.texts,
            badges: loaded.badges,
            least,
            values,
            met_by_one: [0; MAX_BADGES],
            alone_meet: 0,
            badge_texts: loaded.badge_texts,
            gold: loaded.gold,
            deck,
            deck_size,
            kinds_of_types,
            legal_coins: if options.str("z_coin_placement") == "always" { coins } else { 0 },
            recycles,
            replants,
            claims_at_end: options.bool("end_of_game_claims"),
            scales,
        };
        for badge in 0..game.badges.len() {
            let slots = [badge as u8; state::SLOTS];
            let meets = |kind: &usize| game.judged_with(&Row::default(), Kind(*kind as u8), &slots).1 != 0;
            game.met_by_one[badge] = (0..game.kinds()).filter(meets).fold(0, |set, kind| set | 1 << kind);
            game.alone_meet |= game.met_by_one[badge];
        }
        assert!(deck_size >= HAND * players, "checked with the content");
        Ok(game)
    }

    playmat_core::game_files!(take_back_choice);
}

impl Show for Graft {
    playmat_core::show_files!(content_entries, action_help, figures);
}
