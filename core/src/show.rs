//! How people and other programs see a game: JSON, texts of actions, pictures, events.

use crate::error::Problem;
use crate::game::Game;
use crate::hooks::Hooks;
use crate::rng::Rng;
use crate::seat::{Action, Seat};
use serde::Serialize;
use serde_json::{Map, Value};

/// A card, tile, shape or goal of the content, described for people: the text of `help`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ContentEntry {
    /// What it is: `card`, `badge`, `goal`.
    pub kind: &'static str,
    /// Its id in content, JSON and rule coverage.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Copies in the game under its options, all players together; `None` where that depends on the episode or is hidden.
    pub copies: Option<u32>,
    /// What it is and does, in words.
    pub text: String,
}

/// What one thing was worth to one player at the end of an episode: points of a terrain, an owned island.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The table of the balance report.
    pub table: &'static str,
    /// The thing: a row of that table.
    pub name: String,
    /// Its owner.
    pub player: Seat,
    /// How many of it.
    pub times: u32,
    /// The points of all of them together.
    pub points: i32,
}

/// The presentation of a game. All methods take a viewer: `None` sees everything, a player only what it may know.
pub trait Show: Game {
    /// The state as JSON with names, redacted for the viewer. With `viewer: None` it is complete, and [`Show::restore`] reads it back. Must
    /// also work on the states between two decisions that a [`Log`](crate::log::Log) is given.
    fn describe(&self, state: &Self::State, viewer: Option<Seat>) -> Value;

    /// Reads the complete JSON form of a position, checks everything and plays on to the next decision, like [`Game::deal`]. A state
    /// reached in play is restored exactly, without a draw from `rng`.
    ///
    /// # Errors
    /// All problems found, each with its path.
    fn restore(&self, json: &Value, rng: &mut Rng) -> Result<Self::State, Vec<Problem>>;

    /// Text of an action as a player of the tabletop game would say it. With a state it may be more specific (but reveals nothing that
    /// player `seat` does not know); without one it depends on the action number alone. Both forms parse back.
    fn action_text(&self, state: Option<(&Self::State, Seat)>, action: Action) -> String;

    /// The action with this text: any form that [`Show::action_text`] gives, upper and lower case alike.
    fn parse_action(&self, state: Option<(&Self::State, Seat)>, text: &str) -> Option<Action>;

    /// One event as `{"event": name, ...}`, without what `viewer` may not know; `None` if the viewer must not learn that it happened.
    fn event_json(&self, event: &Self::Event, viewer: Option<Seat>) -> Option<Map<String, Value>>;

    /// One event as a sentence for players (`Player 1 draws a card.`). `event` is what [`Show::event_json`] made for a viewer: the
    /// sentence cannot say more. Players are called `player N`, which a host replaces by their names.
    fn event_text(&self, event: &Map<String, Value>) -> String {
        crate::sentences::plain(event)
    }

    /// What a legal action would do, as far as player `seat` knows: the text of its card, whether it busts. Empty if the action's own text
    /// is enough.
    fn action_help(&self, state: &Self::State, seat: Seat, action: Action) -> String {
        let _ = (state, seat, action);
        String::new()
    }

    /// The cards, tiles and goals of the content, with what they do.
    fn content_entries(&self) -> Vec<ContentEntry> {
        Vec::new()
    }

    /// What the parts of a finished episode were worth to its players; for the balance report.
    fn figures(&self, state: &Self::State) -> Vec<Figure> {
        let _ = state;
        Vec::new()
    }

    /// The position as text for a terminal: lines of at most 100 columns, no colour codes.
    fn draw_text(&self, state: &Self::State, viewer: Option<Seat>) -> String;

    /// The position as one SVG document.
    fn draw_svg(&self, state: &Self::State, viewer: Option<Seat>) -> String;

    /// Private options: a player's JSON leaves them out, because their values reveal what the player may not know. Nothing else that a
    /// player receives may depend on them either.
    fn private_options(&self) -> &'static [&'static str] {
        &[]
    }

    /// What a player knows of a private option with this value; a sample for that player has it in place of the value. `None`: the declared
    /// default. A state of this game must be a state of that one, with the same actions, observation, bounds and private options.
    fn option_known_to(&self, name: &str, value: &Value, player: Seat) -> Option<Value> {
        let _ = (name, value, player);
        None
    }

    /// An option with one value per player, and the values worth playing against each other in the balance report.
    fn matchups(&self) -> Option<(&'static str, Vec<String>)> {
        None
    }

    /// The game's hooks for the conformance suite, under its options, where a check has no generic form.
    fn hooks(&self) -> Hooks<Self> {
        Hooks::default()
    }
}
