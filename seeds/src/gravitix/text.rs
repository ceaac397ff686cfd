//! Texts of actions, events, cards and islands.

use super::Gravitix;
use super::action::Choice;
use super::content::Face;
use super::map::{Cell, SLOTS};
use super::rules::Event;
use super::state::{Ability, Pair, Pending, Resource, State, Zone};
use playmat_core::prelude::*;

/// Text of an action.
pub(super) fn action_text(game: &Gravitix, _: Option<(&State, Player)>, action: Action) -> String {
    let id = |kind: u8| game.kinds[usize::from(kind)].id.as_str();
    match game.choice(action) {
        Choice::Sail(kind) => format!("sail {}", id(kind)),
        Choice::Take => "take".into(),
        Choice::Supply => "supply".into(),
        Choice::Double => "supply double".into(),
        Choice::Decline => "decline".into(),
        Choice::Pay(kind) => format!("pay {}", id(kind)),
        Choice::Minus(resource) => format!("minus {}", resource.name()),
        Choice::Shift(pair) => format!("shift {}", pair_text(pair)),
        Choice::Exchange(pair) => format!("exchange {}", pair_text(pair)),
        Choice::Sacrifice(slot) => format!("sacrifice {slot}"),
        Choice::Discard(kind) => format!("discard {}", id(kind)),
        Choice::Go(cell) => {
            let (s, k) = game.map.cells[cell.index()];
            format!("go {s}:{k}")
        }
    }
}

/// One event for a viewer.
pub(super) fn event_json(game: &Gravitix, event: &Event, viewer: Option<Player>) -> Option<Object> {
    let id = |kind: u8| game.kinds[usize::from(kind)].id.as_str();
    let at = |cell: Cell| game.cell_json(cell);
    match *event {
        Event::Placed(player, cell) => event!("placed", player: player, cell: at(cell)),
        Event::Sailed { player, kind, range } => event!("sailed", player: player, card: id(kind), range),
        Event::Moved(player, from, to) => event!("moved", player: player, from: at(from), to: at(to)),
        Event::Drew(player, kind) => {
            let card = Zone::Hand(player).is_seen_by(viewer).then(|| id(kind));
            event!("drew", player: player, card)
        }
        Event::SupplyBegan { player, slot, doubled } => event!("supply_began", player: player, slot, doubled),
        Event::Discounted(player, resource) => {
            event!("discounted", player: player, resource: resource.name())
        }
        Event::Shifted(player, pair) => {
            let [less, more] = pair.names();
            event!("shifted", player: player, less, more)
        }
        Event::Exchanged(player, pair) => {
            let [from, to] = pair.names();
            event!("exchange_announced", player: player, from, to)
        }
        Event::GivenUp(player, slot) => event!("given_up", player: player, slot),
        Event::Paid(player, kind) => event!("paid", player: player, card: id(kind)),
        Event::Claimed { player, slot, doubled } => event!("claimed", player: player, slot, doubled),
        Event::Discarded(player, kind) => event!("discarded", player: player, card: id(kind)),
        Event::Blown(player, from, to) => event!("blown", player: player, from: at(from), to: at(to)),
        Event::ScoreChanged { player, from, to } => event!("score_changed", player: player, from, to),
        Event::TurnBegan(player) => event!("turn_began", player: player),
        Event::GameOver => event!("game_over"),
    }
}

/// An event as a sentence.
pub(super) fn event_text(_: &Gravitix, fields: EventFields<'_>) -> String {
    let who = fields.player("player");
    let card = fields.text("card").map_or("a card".into(), |id| format!("card {id}"));
    let at = |field: &str| match fields.list(field).as_slice() {
        [strip, k] => format!("{strip}:{k}"),
        _ => "nowhere".into(),
    };
    let island = format!("the island in slot {}", fields.number("slot"));
    let word = |field: &str| fields.text(field).unwrap_or_default();
    let twice = if fields.is("doubled") { ", doubled" } else { "" };
    sentence(&match fields.event() {
        "placed" => format!("{who} places the ship at {}", at("cell")),
        "sailed" => format!("{who} plays {card} to sail up to {}", fields.number("range")),
        "moved" => format!("{who} sails from {} to {}", at("from"), at("to")),
        "drew" => format!("{who} draws {card}"),
        "supply_began" => format!("{who} begins to supply {island}{twice}"),
        "discounted" => format!("{who} owes 1 {} less", word("resource")),
        "shifted" => format!("{who} owes 1 {} less and 1 {} more", word("less"), word("more")),
        "exchange_announced" => {
            format!("the next card of {who} pays {} as {}", word("from"), word("to"))
        }
        "given_up" => format!("{who} gives {island} up"),
        "paid" => format!("{who} pays {card}"),
        "claimed" => format!("{who} claims {island}{twice}"),
        "discarded" => format!("{who} discards {card}"),
        "blown" => format!("the wind blows {who} from {} to {}", at("from"), at("to")),
        "score_changed" => {
            let (from, to) = (fields.number("from"), fields.number("to"));
            format!("{who} has {}, {:+}", count(to, "point"), to - from)
        }
        "turn_began" => format!("the turn of {who} begins"),
        "game_over" => "the game is over".into(),
        _ => return playmat_core::sentences::plain(fields.0),
    })
}

/// What a choice is about: its card, or the island that a ship would reach.
pub(super) fn action_help(game: &Gravitix, state: &State, _: Player, action: Action) -> String {
    match game.choice(action) {
        Choice::Sail(kind) | Choice::Pay(kind) | Choice::Discard(kind) => game.card_words(kind),
        Choice::Sacrifice(slot) => game.face_help(state, slot.into()),
        Choice::Go(cell) => {
            let slot = (0..SLOTS).find(|&slot| state.cells[slot] == cell);
            slot.map(|slot| game.face_help(state, slot)).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// Cards and islands for people.
pub(super) fn content_entries(game: &Gravitix) -> Vec<ContentEntry> {
    let decks = game.players.max(1) as u32 * if game.players == 1 { 2 } else { 1 };
    let cards = game.kinds.iter().enumerate().map(|(at, kind)| {
        let copies = Some(u32::from(kind.copies) * decks);
        ContentEntry::new("card", &kind.id, &kind.id, copies, game.card_words(at as u8))
    });
    let face = |face: &Face| ContentEntry::new("island", &face.id, &face.name, None, game.face_words(face));
    let faces = game.faces.iter().map(face);
    cards.chain(faces).collect()
}

/// What the islands that were owned brought; a doubled one counts twice, points for colours not at all.
pub(super) fn figures(game: &Gravitix, state: &State) -> Vec<Figure> {
    let owned = (0..SLOTS).filter_map(|slot| Some((slot, state.owner(slot)?)));
    let figure = |(slot, player): (usize, Player)| {
        let (face, doubled) = (game.face(state, slot), state.doubled >> slot & 1);
        Figure::new("island at the end", &face.id, player, i32::from(face.points) << doubled)
    };
    owned.map(figure).collect()
}

impl Gravitix {
    /// A card in words.
    fn card_words(&self, kind: u8) -> String {
        let kind = &self.kinds[usize::from(kind)];
        format!("sails up to {}, pays {}", kind.sail, amounts(kind.values))
    }

    /// An island in words.
    fn face_words(&self, face: &Face) -> String {
        let mut words = vec![
            format!("set {}", face.set),
            count(face.points.into(), "point"),
            format!("draws {}", count(face.cards.into(), "card")),
            format!("wants {}", amounts(face.demand)),
        ];
        words.extend(face.ability.map(|ability| ability_words(ability).to_string()));
        let colour = face.colour.and_then(|colour| self.colours.get(usize::from(colour)));
        words.extend(colour.map(|colour| {
            format!("{colour}: 1, 3, 6, 10, ... points for 1, 2, 3, 4, ... own islands of this colour")
        }));
        words.join("; ")
    }

    fn face_help(&self, state: &State, slot: usize) -> String {
        let face = self.face(state, slot);
        format!("{}: {}", face.name, self.face_words(face))
    }
}

/// `2 rum and 1 gem`.
fn amounts(units: [u8; 3]) -> String {
    and(&amounts_of(units))
}

/// Amounts of the resources that there are any of.
pub(super) fn amounts_of(units: [u8; 3]) -> Vec<String> {
    let there = Resource::ALL.iter().filter(|resource| units[resource.index()] > 0);
    there.map(|resource| amount(units[resource.index()], *resource)).collect()
}

/// `2 rum`, `1 gem`.
fn amount(units: u8, resource: Resource) -> String {
    let name = resource.name();
    format!("{units} {}", if units == 1 { name.trim_end_matches('s') } else { name })
}

/// `rum>gems`.
pub(super) fn pair_text(pair: Pair) -> String {
    pair.names().join(">")
}

/// An effect in words.
pub(super) fn effect_words(effect: Pending) -> &'static str {
    match effect {
        Pending::None => "",
        Pending::MinusOne => "-1 next",
        Pending::MinusTwo => "-2 next",
        Pending::Double => "double next",
    }
}

/// What an island does, in a few words.
pub(super) fn ability_words(ability: Ability) -> &'static str {
    match ability {
        Ability::Exchange => "exchange",
        Ability::MinusOne => "-1 resource",
        Ability::PlusTwoEach => "+2 each, once",
        Ability::NextMinusOne => "-1 next",
        Ability::NextMinusTwo => "-2 next",
        Ability::PlusMinus => "+1/-1",
        Ability::DoubleSail => "double sail",
        Ability::LoseCard => "-1 card",
        Ability::SwapTwo => "swap 2 cards",
        Ability::Wind => "wind",
        Ability::Double => "double next",
    }
}
