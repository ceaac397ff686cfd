//! Actions and events in words.

use crate::LiarsDice;
use crate::action::Bid;
use crate::rules::Event;
use playmat_core::prelude::*;
use serde_json::{Map, Value, json};

const LIAR: &str = "liar";
const FACE_NAMES: [&str; 6] = ["one", "two", "three", "four", "five", "six"];

pub(crate) fn action_text(game: &LiarsDice, action: Action) -> String {
    if action == game.liar() {
        return LIAR.into();
    }
    let bid = Bid::of(action);
    let ending = match (bid.dice, bid.face) {
        (1, _) => "",
        (_, 6) => "es",
        _ => "s",
    };
    format!("{} {}{ending}", bid.dice, FACE_NAMES[usize::from(bid.face - 1)])
}

pub(crate) fn parse_action(game: &LiarsDice, text: &str) -> Option<Action> {
    (0..=game.liar().0).map(Action).find(|&action| action_text(game, action).eq_ignore_ascii_case(text))
}

pub(crate) fn event_json(
    game: &LiarsDice,
    event: &Event,
    viewer: Option<Seat>,
) -> Option<Map<String, Value>> {
    let value = match *event {
        Event::Rolled(player, die) => {
            let seen = viewer.is_none_or(|viewer| viewer == player);
            json!({"event": "rolled", "seat": player, "die": seen.then_some(die)})
        }
        Event::Bid(player, action) => {
            json!({"event": "bid", "seat": player, "bid": action_text(game, action)})
        }
        Event::Called(player) => json!({"event": "called", "seat": player}),
        Event::Lost(player) => json!({"event": "lost", "seat": player}),
    };
    value.as_object().cloned()
}

pub(crate) fn event_text(event: &Map<String, Value>) -> String {
    let fields = EventFields(event);
    let who = fields.player("seat");
    sentence(&match fields.event() {
        "rolled" if event["die"].is_null() => format!("{who} rolls a die"),
        "rolled" => format!("{who} rolls {}", fields.number("die")),
        "bid" => format!("{who} bids {}", fields.text("bid").unwrap_or_default()),
        "called" => format!("{who} calls the last bidder a liar"),
        "lost" => format!("{who} loses"),
        _ => return playmat_core::sentences::plain(event),
    })
}
