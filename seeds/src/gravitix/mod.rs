//! Gravitix: two ships on a triangular sea supply islands with rum, fabric and gems. A player sails with a card of the hand
//! or pays with it. For one player it is a puzzle: place a marker on every island with few cards. Numbered rules: `seeds/rules/gravitix.md`.

pub mod action;
mod bounds;
mod conformance;
pub mod content;
mod deal;
pub mod draw;
pub mod greedy;
mod json;
mod legal;
pub mod map;
pub mod observe;
mod payment;
pub mod rules;
mod sample;
mod score;
pub mod state;
mod text;
mod validate;

use action::Numbers;
use bounds::{Bounds, Forced};
use content::{Face, Kind};
use map::{Formation, Map};
use playmat_core::prelude::*;
use playmat_core::registry::Entry;
use state::{Ability, Cards, MAX_KINDS, State};

/// What the registry lists. A static, so that the game is compiled here and not again in every crate that names it.
pub static ENTRY: Entry = Entry::of::<Gravitix>();

pub use rules::Event;

/// Cards of a first hand: two players, one player (GX-R2, R21).
const HAND: [u8; 2] = [8, 15];

/// The configured game.
#[derive(Clone, Debug)]
pub struct Gravitix {
    info: GameInfo,
    players: usize,
    map: Map,
    kinds: Vec<Kind>,
    /// Faces that can lie on the map: those of the chosen set, or of both.
    faces: Vec<Face>,
    colours: Vec<String>,
    /// What a card of a kind pays, for sums.
    weights: [u32; MAX_KINDS],
    most_value: i16,
    /// A player's whole deck; with one player both decks together.
    deck: Cards,
    hand_sizes: [u8; 2],
    has_ability: [bool; Ability::NUM],
    has_abilities: bool,
    numbers: Numbers,
    /// What of observations never changes.
    rows: observe::Rows,
    hard: bool,
    /// Option `ships = "share"`.
    share: bool,
    /// Option `puzzle_counts = "sailed"`.
    counts_sailed: bool,
    /// The first player; `None`: drawn.
    first: Option<Player>,
}

impl Gravitix {
    /// Number of players.
    #[inline(always)]
    pub fn players(&self) -> usize {
        self.players
    }

    /// The kinds of cards, in order.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// The faces that can lie on the map.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// The face of a slot.
    pub fn face(&self, state: &State, slot: usize) -> &Face {
        &self.faces[usize::from(state.faces[slot])]
    }

    /// Names of the colours.
    pub fn colours(&self) -> &[String] {
        &self.colours
    }

    /// Cells and distances.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The cards of a player's whole deck, by kind; with one player both decks together.
    pub fn deck(&self) -> &Cards {
        &self.deck
    }
}

/// The numbers of the option `handicap` (GX-R2a).
fn handicap(options: &Options) -> Result<[u8; 2]> {
    let value = options.get("handicap");
    let list: Vec<u64> =
        value.as_array().map(|list| list.iter().filter_map(Value::as_u64).collect()).unwrap_or_default();
    let given = value.as_array().map_or(0, Vec::len);
    match list.as_slice() {
        &[a, b] if given == 2 && a <= 2 && b <= 2 && (a == 0 || b == 0) => Ok([a as u8, b as u8]),
        _ => Err(options.refuse("handicap", format!("got {value}; allowed: {HANDICAP}"))),
    }
}

const HANDICAP: &str = "a list of two numbers 0 to 2, at most one of them above 0";

/// Refuses options that mean nothing at this number of players.
fn check_players(options: &Options, players: usize) -> Result<()> {
    let specs = Gravitix::options();
    let idle: &[&str] =
        if players == 1 { &["handicap", "first_player", "ships"] } else { &["puzzle_counts"] };
    for spec in specs.iter().filter(|spec| idle.contains(&spec.name)) {
        if options.get(spec.name) != &spec.default {
            let message = format!(
                "got {}; with {players} player{} allowed: {} (it would have no meaning)",
                options.get(spec.name),
                if players == 1 { "" } else { "s" },
                spec.default
            );
            return Err(options.refuse(spec.name, message));
        }
    }
    Ok(())
}

impl Game for Gravitix {
    const ID: &'static str = "gravitix";
    type State = State;
    type Legal = Bits<5>;
    type Event = Event;

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::int("players", 1, 2, 2, "number of players; one player: the puzzle"),
            OptionSpec::content(content::NAMES),
            OptionSpec::choice(
                "island_set",
                &["0", "1", "2", "3", "1+2"],
                "the islands that are played with",
            ),
            OptionSpec::choice(
                "formation",
                &Formation::NAMES,
                "columns and rows of tiles; the wider, the calmer",
            ),
            OptionSpec::bool("hard", false, "hard mode: cards cannot be taken"),
            OptionSpec::json(
                "handicap",
                HANDICAP,
                json!([0, 0]),
                "cards that each player begins with beyond the eight",
            ),
            OptionSpec::first_player(0),
            OptionSpec::choice("ships", &["apart", "share"], "whether two ships may be on one cell"),
            OptionSpec::choice(
                "puzzle_counts",
                &["discarded", "sailed"],
                "the cards that count against a solved puzzle: all discarded, or those sailed with",
            ),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let players = options.int("players") as usize;
        check_players(options, players)?;
        let handicap = handicap(options)?;
        let content = Content::from_options(Self::ID, options, content::BUILTIN);
        let content::Set { kinds, faces: all, colours } = content::load(&content)?;
        let sets: &[u8] = match options.str("island_set") {
            "1" => &[1],
            "2" => &[2],
            "3" => &[3],
            "1+2" => &[1, 2],
            _ => &[0],
        };
        let faces: Vec<Face> = all.iter().filter(|face| sets.contains(&face.set)).cloned().collect();
        let has_ability = Ability::ALL.map(|ability| faces.iter().any(|face| face.ability == Some(ability)));
        let sail = kinds.iter().map(|kind| usize::from(kind.sail)).max().unwrap_or(1);
        let doubles = has_ability[Ability::DoubleSail as usize];
        let formation =
            Formation::NAMES.iter().position(|&name| name == options.str("formation")).unwrap_or(0);
        let map = Map::new(Formation::ALL[formation], if doubles { 2 * sail } else { sail });
        let numbers = Numbers::new(kinds.len(), map.len());
        let share = options.str("ships") == "share";
        let bounds = Bounds::new(players, &all);
        let hard = options.bool("hard");
        let forced = Forced { players, kinds: &kinds, faces: &faces, hard, share };
        // GX-R21: both decks as one.
        let copies = if players == 1 { 2 } else { 1 };
        let info = GameInfo {
            title: "Gravitix",
            player_range: (1, 2),
            num_actions: numbers.all,
            actions: Self::action_ranges(&numbers),
            observation: observe::layout(players, &kinds, map.len(), options),
            max_decisions: bounds.decisions,
            max_forced: forced.longest(),
            max_chance: bounds.chance,
            chance: true,
            hidden: players == 2,
            score_range: (0, score::most_points(&faces, players)),
            ..content.info(players)
        };
        Ok(Gravitix {
            info,
            players,
            map,
            rows: observe::Rows::new(&faces),
            most_value: kinds.iter().flat_map(|kind| kind.values).max().unwrap_or(0).into(),
            deck: content::deck(&kinds).map(|count| count * copies),
            hand_sizes: if players == 1 { [HAND[1], 0] } else { handicap.map(|more| HAND[0] + more) },
            has_abilities: has_ability.contains(&true),
            has_ability,
            weights: payment::weights(&kinds),
            kinds,
            faces,
            colours,
            numbers,
            hard: options.bool("hard"),
            share,
            counts_sailed: options.str("puzzle_counts") == "sailed",
            first: options.first_player(players)?,
        })
    }

    playmat_core::game_files!();
}

impl Show for Gravitix {
    playmat_core::show_files!(content_entries, action_help, figures);
}
