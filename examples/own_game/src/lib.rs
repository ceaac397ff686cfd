//! Liar's Dice: each player hides one die. The players bid on what all dice show together, until one calls the last bidder a liar.
//!
//! The rules are in `rules.md`; the files are those of every game of playmat.

mod action;
mod conformance;
mod deal;
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
use state::{FACES, MAX_PLAYERS};

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
            OptionSpec::int("players", 2, MAX_PLAYERS as i64, 2, "number of players"),
            OptionSpec::bool("wild", true, "whether sixes count as every face"),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let players = options.int("players") as usize;
        Ok(LiarsDice { info: info(players), players, wild: options.bool("wild") })
    }

    playmat_core::game_files!();
}

impl Show for LiarsDice {
    playmat_core::show_files!();
}

fn info(players: usize) -> GameInfo {
    let bids = players * FACES;
    GameInfo {
        title: "Liar's Dice",
        player_range: (2, MAX_PLAYERS),
        num_actions: bids + 1,
        actions: ActionRange::tile(&[
            ("BID", &[players, FACES], "this number of dice (the index plus 1) show at least this face"),
            ("LIAR", &[1], "doubt the last bid"),
        ]),
        observation: observe::layout(players),
        max_decisions: bids + 1,
        max_chance: players,
        chance: true,
        hidden: true,
        score_zero_sum: true,
        score_range: (-(players as i32 - 1), 1),
        ..GameInfo::new(LiarsDice::ID, players)
    }
}
