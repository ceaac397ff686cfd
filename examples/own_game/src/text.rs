//! Actions and events in words.

use crate::LiarsDice;
use crate::action::Bid;
use crate::rules::Event;
use crate::state::State;
use playmat_core::prelude::*;

const LIAR: &str = "liar";
const FACE_NAMES: [&str; 6] = ["one", "two", "three", "four", "five", "six"];

pub(crate) fn action_text(game: &LiarsDice, _: Option<(&State, Player)>, action: Action) -> String {
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

pub(crate) fn event_json(game: &LiarsDice, event: &Event, viewer: Option<Player>) -> Option<Object> {
    match *event {
        Event::Rolled(player, die) => {
            // Dice are rolled before any bid is doubted.
            event!("rolled", player: player, die: Visibility::Owner(player).is_seen_by(viewer).then_some(die))
        }
        Event::Bid(player, action) => event!("bid", player: player, bid: action_text(game, None, action)),
        Event::Called(player) => event!("called", player: player),
        Event::Lost(player) => event!("lost", player: player),
    }
}

pub(crate) fn event_text(_: &LiarsDice, fields: EventFields<'_>) -> String {
    let who = fields.player("player");
    sentence(&match fields.event() {
        "rolled" if fields.0["die"].is_null() => format!("{who} rolls a die"),
        "rolled" => format!("{who} rolls {}", fields.number("die")),
        "bid" => format!("{who} bids {}", fields.text("bid").unwrap_or_default()),
        "called" => format!("{who} calls the last bidder a liar"),
        "lost" => format!("{who} loses"),
        _ => return playmat_core::sentences::plain(fields.0),
    })
}
