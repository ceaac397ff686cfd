//! Texts of actions, the JSON form of a state, events: what people and other programs read.

use super::Gravitix;
use super::action::Choice;
use super::content::{Face, same_id};
use super::map::{Cell, SLOTS};
use super::rules::Event;
use super::state::{Ability, Cards, Pair, Payment, Pending, Phase, Resource, State, size};
use playmat_core::prelude::*;
use serde_json::{Map, Value, json};

impl Gravitix {
    /// Text of an action.
    pub(super) fn text_of(&self, action: Action) -> String {
        let id = |kind: u8| self.kinds[usize::from(kind)].id.as_str();
        match self.choice(action) {
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
                let (s, k) = self.map.cells[cell.index()];
                format!("go {s}:{k}")
            }
        }
    }

    /// The action with this text.
    pub(super) fn action_of(&self, text: &str) -> Option<Action> {
        let text = text.trim().to_lowercase();
        let kind = |id: &str| self.kinds.iter().position(|kind| same_id(&kind.id, id)).map(|kind| kind as u8);
        let choice = match text.as_str() {
            "take" => Choice::Take,
            "supply" => Choice::Supply,
            "supply double" => Choice::Double,
            "decline" => Choice::Decline,
            _ => {
                let (verb, rest) = text.split_once(' ')?;
                match verb {
                    "sail" => Choice::Sail(kind(rest)?),
                    "pay" => Choice::Pay(kind(rest)?),
                    "discard" => Choice::Discard(kind(rest)?),
                    "minus" => Choice::Minus(Resource::ALL[resource(rest)?]),
                    "shift" => Choice::Shift(pair(rest)?),
                    "exchange" => Choice::Exchange(pair(rest)?),
                    "sacrifice" => Choice::Sacrifice((0..SLOTS as u8).find(|slot| slot.to_string() == rest)?),
                    "go" => {
                        let at = self.map.cells.iter().position(|(s, k)| format!("{s}:{k}") == rest)?;
                        Choice::Go(Cell(at as u8))
                    }
                    _ => return None,
                }
            }
        };
        Some(self.action(choice))
    }

    /// Cards by id; kinds of which there is none are left out.
    fn cards_json(&self, cards: &Cards) -> Value {
        let there = self.kinds.iter().zip(cards).filter(|(_, count)| **count > 0);
        Value::Object(there.map(|(kind, &count)| (kind.id.clone(), count.into())).collect())
    }

    /// The JSON form of a state. A viewer's form says what that viewer has to decide; of others it says nothing, so
    /// that nobody learns who was asked whether to supply.
    pub(super) fn state_json(&self, state: &State, viewer: Option<Seat>) -> Value {
        let seats = 0..self.players;
        let phase = match viewer {
            Some(seat) if state.actor() != Some(seat) && state.phase != Phase::End => None,
            _ => Some(state.phase.name()),
        };
        let mut json = json!({
            "turn": state.turn,
            "phase": phase,
            "islands": (0..SLOTS).map(|slot| self.island_json(state, slot)).collect::<Vec<_>>(),
            "ships": seats.clone().map(|seat| cell_json(self, state.ships[seat])).collect::<Vec<_>>(),
        });
        let zone =
            |zone: &[Cards; 2]| -> Value { seats.clone().map(|seat| self.cards_json(&zone[seat])).collect() };
        match viewer {
            None => {
                json["hands"] = zone(&state.hands);
                json["decks"] = zone(&state.decks);
                json["sailed"] = seats.clone().map(|seat| state.sailed[seat]).collect();
            }
            Some(seat) => self.private_json(state, seat, &mut json),
        }
        json["discards"] = zone(&state.discards);
        let effect = |seat: usize| state.pending[seat].ability().map(Ability::name);
        json["pending"] = seats.clone().map(effect).collect();
        json["range"] = (state.range > 0).then_some(state.range).into();
        json["swap_left"] = (state.swap_left > 0).then_some(state.swap_left).into();
        let paying = state.payment != Payment::NONE;
        json["payment"] = if paying { payment_json(&state.payment) } else { Value::Null };
        json["stock"] = seats.clone().map(|seat| state.stock(Seat(seat as u8))).collect();
        json["scores"] = self.scores(state)[..self.players].to_vec().into();
        json
    }

    /// What one seat knows of the cards.
    fn private_json(&self, state: &State, seat: Seat, json: &mut Value) {
        let (own, other) = (seat.index() & 1, 1 - (seat.index() & 1));
        json["hand"] = self.cards_json(&state.hands[own]);
        json["deck"] = self.cards_json(&state.decks[own]);
        let count =
            |cards: &[Cards; 2]| -> Value { (0..self.players).map(|seat| size(&cards[seat])).collect() };
        json["hand_sizes"] = count(&state.hands);
        json["deck_sizes"] = count(&state.decks);
        if self.players == 2 {
            let both = std::array::from_fn(|kind| state.hands[other][kind] + state.decks[other][kind]);
            json["other_unseen"] = self.cards_json(&both);
        } else {
            json["counted"] = self.counted(state).into();
        }
    }

    fn island_json(&self, state: &State, slot: usize) -> Value {
        json!({
            "face": self.face(state, slot).id,
            "turned": state.is_turned(slot),
            "cell": cell_json(self, state.cells[slot]),
            "owner": state.owner(slot),
            "doubled": state.doubled >> slot & 1 != 0,
        })
    }

    /// One event for a viewer.
    pub(super) fn event_map(&self, event: &Event, viewer: Option<Seat>) -> Option<Map<String, Value>> {
        let id = |kind: u8| self.kinds[usize::from(kind)].id.as_str();
        let at = |cell: Cell| cell_json(self, cell);
        let value = match *event {
            Event::Placed(seat, cell) => json!({ "event": "placed", "seat": seat, "cell": at(cell) }),
            Event::Sailed { seat, kind, range } => {
                json!({ "event": "sailed", "seat": seat, "card": id(kind), "range": range })
            }
            Event::Moved(seat, from, to) => {
                json!({ "event": "moved", "seat": seat, "from": at(from), "to": at(to) })
            }
            Event::Drew(seat, kind) => {
                let shown = viewer.is_none_or(|viewer| viewer == seat);
                json!({ "event": "drew", "seat": seat, "card": shown.then(|| id(kind)) })
            }
            Event::SupplyBegan { seat, slot, doubled } => {
                json!({ "event": "supply_began", "seat": seat, "slot": slot, "doubled": doubled })
            }
            Event::Discounted(seat, resource) => {
                json!({ "event": "discounted", "seat": seat, "resource": resource.name() })
            }
            Event::Shifted(seat, pair) => {
                let (less, more) = names(pair);
                json!({ "event": "shifted", "seat": seat, "less": less, "more": more })
            }
            Event::Exchanged(seat, pair) => {
                let (from, to) = names(pair);
                json!({ "event": "exchange_announced", "seat": seat, "from": from, "to": to })
            }
            Event::GivenUp(seat, slot) => json!({ "event": "given_up", "seat": seat, "slot": slot }),
            Event::Paid(seat, kind) => json!({ "event": "paid", "seat": seat, "card": id(kind) }),
            Event::Claimed { seat, slot, doubled } => {
                json!({ "event": "claimed", "seat": seat, "slot": slot, "doubled": doubled })
            }
            Event::Discarded(seat, kind) => json!({ "event": "discarded", "seat": seat, "card": id(kind) }),
            Event::Blown(seat, from, to) => {
                json!({ "event": "blown", "seat": seat, "from": at(from), "to": at(to) })
            }
            Event::ScoreChanged { seat, from, to } => {
                json!({ "event": "score_changed", "seat": seat, "from": from, "to": to })
            }
            Event::TurnBegan(seat) => json!({ "event": "turn_began", "seat": seat }),
            Event::GameOver => json!({ "event": "game_over" }),
        };
        match value {
            Value::Object(map) => Some(map),
            _ => None,
        }
    }

    /// An event as a sentence.
    pub(super) fn sentence_of(&self, told: EventFields<'_>) -> String {
        let who = told.player("seat");
        let card = told.text("card").map_or("a card".into(), |id| format!("card {id}"));
        let at = |field: &str| match told.list(field).as_slice() {
            [strip, k] => format!("{strip}:{k}"),
            _ => "nowhere".into(),
        };
        let island = format!("the island in slot {}", told.number("slot"));
        let word = |field: &str| told.text(field).unwrap_or_default();
        let twice = if told.is("doubled") { ", doubled" } else { "" };
        sentence(&match told.event() {
            "placed" => format!("{who} places the ship at {}", at("cell")),
            "sailed" => format!("{who} plays {card} to sail up to {}", told.number("range")),
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
                let (from, to) = (told.number("from"), told.number("to"));
                format!("{who} has {}, {:+}", count(to, "point"), to - from)
            }
            "turn_began" => format!("the turn of {who} begins"),
            "game_over" => "the game is over".into(),
            _ => return playmat_core::sentences::plain(told.0),
        })
    }

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
        words.extend(face.ability.map(|ability| super::draw::ability_words(ability).to_string()));
        let colour = face.colour.and_then(|colour| self.colours.get(usize::from(colour)));
        words.extend(colour.map(|colour| {
            format!("{colour}: 1, 3, 6, 10, ... points for 1, 2, 3, 4, ... own islands of this colour")
        }));
        words.join("; ")
    }

    /// What a choice is about: its card, or the island that a ship would reach.
    pub(super) fn help_of(&self, state: &State, _: Seat, action: Action) -> String {
        match self.choice(action) {
            Choice::Sail(kind) | Choice::Pay(kind) | Choice::Discard(kind) => self.card_words(kind),
            Choice::Sacrifice(slot) => self.face_help(state, slot.into()),
            Choice::Go(cell) => {
                let slot = (0..SLOTS).find(|&slot| state.cells[slot] == cell);
                slot.map(|slot| self.face_help(state, slot)).unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    fn face_help(&self, state: &State, slot: usize) -> String {
        let face = self.face(state, slot);
        format!("{}: {}", face.name, self.face_words(face))
    }

    /// Cards and islands for people.
    pub(super) fn entries(&self) -> Vec<ContentEntry> {
        let decks = self.players.max(1) as u32 * if self.players == 1 { 2 } else { 1 };
        let cards = (0..self.kinds.len() as u8).map(|kind| ContentEntry {
            kind: "card",
            id: self.kinds[usize::from(kind)].id.clone(),
            name: self.kinds[usize::from(kind)].id.clone(),
            copies: Some(u32::from(self.kinds[usize::from(kind)].copies) * decks),
            text: self.card_words(kind),
        });
        let faces = self.faces.iter().map(|face| ContentEntry {
            kind: "island",
            id: face.id.clone(),
            name: face.name.clone(),
            copies: None,
            text: self.face_words(face),
        });
        cards.chain(faces).collect()
    }

    /// What the islands that were owned brought; a doubled one counts twice, points for colours not at all.
    pub(super) fn figures_of(&self, state: &State) -> Vec<Figure> {
        let owned = (0..SLOTS).filter_map(|slot| Some((slot, state.owner(slot)?)));
        let figure = |(slot, player): (usize, Seat)| Figure {
            table: "island at the end",
            name: self.face(state, slot).id.clone(),
            player,
            times: 1,
            points: i32::from(self.face(state, slot).points) << (state.doubled >> slot & 1),
        };
        owned.map(figure).collect()
    }
}

/// `2 rum and 1 gem`.
fn amounts(units: [u8; 3]) -> String {
    let there = Resource::ALL.iter().filter(|resource| units[resource.index()] > 0);
    and(&there.map(|resource| amount(units[resource.index()], *resource)).collect::<Vec<_>>())
}

/// `2 rum`, `1 gem`.
pub(super) fn amount(units: u8, resource: Resource) -> String {
    let name = resource.name();
    format!("{units} {}", if units == 1 { name.trim_end_matches('s') } else { name })
}

fn names(pair: Pair) -> (&'static str, &'static str) {
    let (first, second) = pair.split();
    (Resource::NAMES[first], Resource::NAMES[second])
}

/// `rum>gems`.
pub(super) fn pair_text(pair: Pair) -> String {
    let (first, second) = names(pair);
    format!("{first}>{second}")
}

fn resource(text: &str) -> Option<usize> {
    Resource::NAMES.iter().position(|&name| name == text)
}

fn pair(text: &str) -> Option<Pair> {
    let (first, second) = text.split_once('>')?;
    let (first, second) = (resource(first)?, resource(second)?);
    (first != second).then(|| Pair::of(first, second))
}

/// A cell as `[strip, k]`; nowhere is `null`.
pub(super) fn cell_json(game: &Gravitix, cell: Cell) -> Value {
    game.map.cells.get(cell.index()).map_or(Value::Null, |&(s, k)| json!([s, k]))
}

fn payment_json(payment: &Payment) -> Value {
    let first = payment.pair_first.checked_sub(1).and_then(|first| Resource::NAMES.get(usize::from(first)));
    json!({
        "slot": payment.slot,
        "due": payment.due,
        "doubled": payment.doubled,
        "pair_left": payment.pair_left,
        "units_left": payment.units_left,
        "pair_first": first,
        "shifts": payment.shifts,
        "exchanges": payment.exchanges,
        "started": payment.started,
        "exchange": payment.exchange.map(|pair| { let (from, to) = names(pair); [from, to] }),
    })
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
