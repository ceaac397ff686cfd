//! How people and other programs see a game: JSON, texts of actions, pictures, events.

use crate::conformance::Hooks;
use crate::error::Problem;
use crate::game::Game;
use crate::rng::Rng;
use crate::seat::{Action, Seat};
use serde_json::{Map, Value};

/// The outward side of a game. Everything takes a viewer: `None` sees all, a seat only what it may know.
pub trait Show: Game {
    /// The state as JSON with names. With `viewer: None` it is complete: [`Show::restore`] reads it back.
    /// Must also work on the states between two decisions that a [`Log`](crate::log::Log) is given.
    fn describe(&self, state: &Self::State, viewer: Option<Seat>) -> Value;

    /// Reads the complete JSON form of a position, checks everything and plays on to the next decision, like
    /// [`Game::deal`]. A state that was reached in play comes back as it was, without a draw from `rng`.
    ///
    /// # Errors
    /// All problems found, each with its path.
    fn restore(&self, json: &Value, rng: &mut Rng) -> Result<Self::State, Vec<Problem>>;

    /// Text of an action as a player of the tabletop game would say it. With a state it may be more telling (and then says
    /// nothing that `seat` does not know); without one it stands for the number alone. Both forms parse back.
    fn action_text(&self, state: Option<(&Self::State, Seat)>, action: Action) -> String;

    /// The action with this text: any form that [`Show::action_text`] gives, upper and lower case alike.
    fn parse_action(&self, state: Option<(&Self::State, Seat)>, text: &str) -> Option<Action>;

    /// One event as `{"event": name, ...}`, without what `viewer` may not know; `None` if the viewer must not
    /// even learn that it happened.
    fn event_json(&self, event: &Self::Event, viewer: Option<Seat>) -> Option<Map<String, Value>>;

    /// The table as text for a terminal: lines of at most 100 columns, no colour codes.
    fn draw_text(&self, state: &Self::State, viewer: Option<Seat>) -> String;

    /// The table as one SVG document.
    fn draw_svg(&self, state: &Self::State, viewer: Option<Seat>) -> String;

    /// Options that a seat's JSON leaves out, because under these values they tell what the seat may not know.
    fn private_options(&self) -> &'static [&'static str] {
        &[]
    }

    /// An option that may be given for each seat by itself, with the values worth playing against each other: what designers
    /// ask who beats whom.
    fn matchups(&self) -> Option<(&'static str, Vec<String>)> {
        None
    }

    /// What the game adds to the conformance suite, under its options, where no generic form of a check exists.
    fn hooks(&self) -> Hooks<Self> {
        Hooks::default()
    }
}
