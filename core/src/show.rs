//! How people and other programs see a game: JSON, texts of actions, pictures, events.

use crate::error::Problem;
use crate::game::Game;
use crate::hooks::Hooks;
use crate::player::{Action, Player};
use crate::rng::Rng;
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

impl ContentEntry {
    /// An entry: what it is, id, name, copies and text.
    pub fn new(kind: &'static str, id: &str, name: &str, copies: Option<u32>, text: String) -> ContentEntry {
        ContentEntry { kind, id: id.into(), name: name.into(), copies, text }
    }
}

/// The points of one thing for one player at the end of an episode: a terrain, an owned island.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The table of the balance report.
    pub table: &'static str,
    /// The thing: a row of that table.
    pub name: String,
    /// Its owner.
    pub player: Player,
    /// How many of it.
    pub times: u32,
    /// The points of all of them together.
    pub points: i32,
}

impl Figure {
    /// One thing of a table, once: its name, its owner and its points.
    pub fn new(table: &'static str, name: &str, player: Player, points: i32) -> Figure {
        Figure { table, name: name.into(), player, times: 1, points }
    }
}

/// All players in the order in which a drawing shows them: the viewer first, then clockwise; from player 0 without a viewer.
pub fn players_from(viewer: Option<Player>, players: usize) -> Vec<Player> {
    let first = viewer.unwrap_or(Player(0));
    (0..players).map(|j| first.relative(j, players)).collect()
}

/// `Player 2`, and `Player 2 (you)` for the viewer.
pub fn player_name(player: Player, viewer: Option<Player>) -> String {
    let you = if viewer == Some(player) { " (you)" } else { "" };
    format!("Player {player}{you}")
}

/// The presentation of a game. All methods take a viewer: `None` sees everything, a player only what it may know.
pub trait Show: Game {
    /// The state as JSON with names, redacted for the viewer. With `viewer: None` it is complete, and [`Show::restore`] reads it back. Must
    /// also work on the states between two decisions that a [`Log`](crate::log::Log) is given.
    fn describe(&self, state: &Self::State, viewer: Option<Player>) -> Value;

    /// Reads the complete JSON form of a position, checks everything and plays on to the next decision, like [`Game::deal`]. A state
    /// reached in play is restored exactly, without a draw from `rng`.
    ///
    /// # Errors
    /// All problems found, each with its path.
    fn restore(&self, json: &Value, rng: &mut Rng) -> Result<Self::State, Vec<Problem>>;

    /// Text of an action as a player of the tabletop game would say it. With a state and a player it may be more specific, but reveals
    /// nothing that this player does not know. Without them it depends on the action number alone. Both forms parse back.
    fn action_text(&self, state: Option<(&Self::State, Player)>, action: Action) -> String;

    /// The action with this text: any form that [`Show::action_text`] gives, upper and lower case alike. With a state also that form
    /// without words in brackets, which repeat a name, if only one action has it: `play ARC` for `play ARC (Archer)`. Compares the texts of all
    /// actions.
    fn parse_action(&self, state: Option<(&Self::State, Player)>, text: &str) -> Option<Action> {
        let plain = |text: &str| {
            let words: Vec<&str> = text.split_whitespace().collect();
            words.join(" ").replace(", ", ",").to_lowercase()
        };
        let text = plain(text);
        let seen = |action| self.action_text(state, action);
        let all = || (0..self.info().num_actions as u16).map(Action);
        all()
            .find(|&action| plain(&seen(action)) == text)
            .or_else(|| all().find(|&action| plain(&self.action_text(None, action)) == text))
            .or_else(|| {
                let mut short = all().filter(|&action| plain(&without_brackets(&seen(action))) == text);
                short.next().filter(|_| short.next().is_none())
            })
    }

    /// One event as `{"event": name, ...}`, without what `viewer` may not know; `None` if the viewer must not learn that it happened. There is
    /// no state here: where the event's fields do not tell who sees them, the event holds the players who do
    /// ([`Visibility::Players`](crate::visibility::Visibility::Players)).
    fn event_json(&self, event: &Self::Event, viewer: Option<Player>) -> Option<Map<String, Value>>;

    /// One event as a sentence for players (`Player 1 draws a card.`). `event` is what [`Show::event_json`] made for a viewer: the
    /// sentence cannot say more. Players are called `player N`, which a host replaces by their names.
    fn event_text(&self, event: &Map<String, Value>) -> String {
        crate::sentences::plain(event)
    }

    /// What a legal action would do, as far as `player` knows: the text of its card, whether it busts. Empty if the action's own text
    /// is enough.
    fn action_help(&self, state: &Self::State, player: Player, action: Action) -> String {
        let _ = (state, player, action);
        String::new()
    }

    /// The cards, tiles and goals of the content, with what they do.
    fn content_entries(&self) -> Vec<ContentEntry> {
        Vec::new()
    }

    /// The points of parts of a finished episode for each player, for the balance report.
    fn figures(&self, state: &Self::State) -> Vec<Figure> {
        let _ = state;
        Vec::new()
    }

    /// The position as text for a terminal: lines of at most 100 columns, no colour codes.
    fn draw_text(&self, state: &Self::State, viewer: Option<Player>) -> String;

    /// The position as one SVG document.
    fn draw_svg(&self, state: &Self::State, viewer: Option<Player>) -> String;

    /// Private options: a player's JSON leaves them out, because their values reveal what the player may not know. Nothing else that a
    /// player receives may depend on them either.
    fn private_options(&self) -> &'static [&'static str] {
        &[]
    }

    /// What a player knows of a private option with this value; a sample for that player has it in place of the value. `None`: the declared
    /// default. A state of this game must be a state of that one, with the same actions, observation, bounds and private options.
    fn option_known_to(&self, name: &str, value: &Value, player: Player) -> Option<Value> {
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

/// A text without its parts ` (Archer)`. Other brackets, which no space precedes or no letter follows, belong to it.
fn without_brackets(text: &str) -> String {
    let mut parts = text.split(" (");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.split_once(')') {
            Some((name, rest)) if name.starts_with(char::is_alphabetic) => out.push_str(rest),
            _ => out = format!("{out} ({part}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_with_names_can_be_left_out() {
        let short = |text| without_brackets(text);
        assert_eq!(short("target ARC (Archer) on front of player 1"), "target ARC on front of player 1");
        assert_eq!(short("steal gene 0: lux (light) from"), "steal gene 0: lux from");
        assert_eq!(short("place T turned 0 at (3,3)"), "place T turned 0 at (3,3)");
        assert_eq!(short("play A (open"), "play A (open");
    }

    #[test]
    fn the_viewer_is_first_and_called_you() {
        assert_eq!(players_from(Some(Player(2)), 4), [2, 3, 0, 1].map(Player));
        assert_eq!(players_from(None, 2), [0, 1].map(Player));
        assert_eq!(player_name(Player(1), Some(Player(1))), "Player 1 (you)");
        assert_eq!(player_name(Player(1), None), "Player 1");
    }
}
