//! The JSON form of a state: each field is declared once. The declaration writes, reads and checks it.

use super::Gravitix;
use super::map::{Cell, SLOTS};
use super::state::{Ability, Cards, MAX_KINDS, Pair, Payment, Pending, Phase, Resource, State, Zone, size};
use playmat_core::document::{
    self, Document, Form, Names, counts, each, flag, name, number, number_or_null, one_of, redacted, with,
};
use playmat_core::prelude::*;

/// The form for a viewer; complete without one.
pub(super) fn describe(game: &Gravitix, state: &State, viewer: Option<Player>) -> Value {
    Document::write(viewer, |doc| game.declare(&mut { *state }, doc))
}

/// Reads a position and plays on until somebody must choose or the game is over.
pub(super) fn restore(game: &Gravitix, json: &Value, rng: &mut Rng) -> Result<State, Vec<Problem>> {
    let declare = |state: &mut State, doc: &mut Document<'_>| game.declare(state, doc);
    let mut state = document::restore(json, State::EMPTY, declare, |state, reading| {
        game.lay_out(state);
        if reading.is_fine() {
            reading.also(game.validate(state));
        }
    })?;
    game.play_on(&mut state, rng, &mut Silent);
    Ok(state)
}

impl Gravitix {
    /// The form of a state. A player's form says what that player has to decide. Of the other's decision it says nothing, because
    /// whoever may supply can pay.
    pub(super) fn declare(&self, state: &mut State, doc: &mut Document<'_>) {
        let players = self.players;
        let phases = Names::new("phase", Phase::ALL.map(|phase| (phase.name(), phase)));
        let ids = self.faces.iter().map(|face| face.id.as_str());
        let faces = Names::new("island of this game", ids.zip(0..));
        let kinds = Names::new("card", self.kinds.iter().map(|kind| kind.id.as_str()).zip(0..));
        let effect = |effect: &Pending| effect.ability().map_or("", Ability::name);
        let effects = Names::new("effect", Pending::ALL.iter().map(|pending| (effect(pending), *pending)));
        let cells = || (0..self.map.len() as u8).map(Cell).chain([Cell::NONE]);
        let a_cell = format!("a cell of {}, [strip, k], or null", self.map.formation.name());

        doc.field("turn", number(&mut state.turn.0, 0..=players as i64 - 1));
        let shown_to = state.actor().map_or(Visibility::Public, |actor| Zone::Decision(actor).visibility());
        let phase = name(&mut state.phase, &phases);
        doc.field("phase", redacted(phase, shown_to, doc.viewer(), || Value::Null));
        doc.each("islands", SLOTS, "slots", |slot, doc| {
            doc.field("face", name(&mut state.faces[slot], &faces));
            doc.field("turned", bit(&mut state.turned, slot));
            doc.derived("cell", || self.cell_json(state.cells[slot]));
            doc.optional("owner", owner(&mut state.owned, slot, players));
            doc.optional("doubled", bit(&mut state.doubled, slot));
        });
        let ships = each(
            &mut state.ships[..players],
            "players",
            |ship| self.cell_json(*ship),
            |ship, given, at| one_of(ship, cells(), |cell| self.cell_json(cell), &a_cell).read(given, at),
        );
        doc.field("ships", ships);
        doc.complete(|doc| {
            doc.field("hands", zone(&mut state.hands[..players], &kinds, &self.deck));
            doc.field("decks", zone(&mut state.decks[..players], &kinds, &self.deck));
            doc.field("sailed", numbers(&mut state.sailed[..players], "players", size(&self.deck).into()));
        });
        let cards = |cards: &Cards| counts(&mut { *cards }, &kinds, &self.deck, false).write();
        let sizes = |zone: &[Cards]| zone[..players].iter().map(size).collect::<Value>();
        let seen =
            |zone: Zone, viewer: Player, of: &Cards| zone.is_seen_by(Some(viewer)).then(|| cards(of)).into();
        doc.for_viewer("hand", |viewer| seen(Zone::Hand(viewer), viewer, &state.hands[viewer.index()]));
        doc.for_viewer("deck", |viewer| seen(Zone::Deck(viewer), viewer, &state.decks[viewer.index()]));
        doc.for_viewer("hand_sizes", |_| sizes(&state.hands));
        doc.for_viewer("deck_sizes", |_| sizes(&state.decks));
        if players == 1 {
            doc.for_viewer("counted", |_| self.counted(state).into());
        } else {
            doc.for_viewer("other_unseen", |viewer| {
                let other = self.opponent(viewer).index();
                let unseen = |kind: usize| state.hands[other][kind] + state.decks[other][kind];
                cards(&std::array::from_fn::<u8, MAX_KINDS, _>(unseen))
            });
        }
        doc.field("discards", zone(&mut state.discards[..players], &kinds, &self.deck));
        let pending = each(
            &mut state.pending[..players],
            "players",
            |pending| pending.ability().map(Ability::name).into(),
            |pending, given, at| match given {
                Value::Null => *pending = Pending::None,
                _ => name(pending, &effects).read(given, at),
            },
        );
        doc.field("pending", pending);
        doc.optional("range", number_or_null(&mut state.range, 0, 0..=self.map.reach as i64));
        doc.optional("swap_left", number_or_null(&mut state.swap_left, 0, 0..=2));
        let is_paying = state.payment != Payment::NONE;
        doc.object("payment", is_paying, |doc| state.payment.declare(doc));
        doc.derived("stock", || Player::all(players).map(|player| state.stock(player)).collect());
        doc.derived("scores", || self.scores(state)[..players].to_vec().into());
    }

    /// A cell as `[strip, k]`; nowhere is `null`.
    pub(super) fn cell_json(&self, cell: Cell) -> Value {
        self.map.cells.get(cell.index()).map_or(Value::Null, |at| json!(at))
    }
}

impl Payment {
    /// Its fields.
    pub(super) fn declare(&mut self, doc: &mut Document<'_>) {
        let resources = Names::new("resource", Resource::NAMES.into_iter().zip(1..));
        let exchanges = [None].into_iter().chain(Pair::all().map(Some));
        let exchange = |pair: Option<Pair>| json!(pair.map(Pair::names));
        let islands = SLOTS as i64;
        doc.field("slot", number(&mut self.slot, 0..=islands - 1));
        doc.field("due", numbers(&mut self.due, "resources", u8::MAX.into()));
        doc.field("doubled", flag(&mut self.doubled));
        doc.field("pair_left", number(&mut self.pair_left, 0..=2));
        doc.field("units_left", number(&mut self.units_left, 0..=islands));
        let pair_first = with(
            &mut self.pair_first,
            |&first| (first > 0).then(|| resources.name_of(first)).into(),
            |first, given, at| name(first, &resources).read(given, at),
        );
        doc.optional("pair_first", pair_first);
        doc.field("shifts", number(&mut self.shifts, 0..=islands));
        doc.field("exchanges", number(&mut self.exchanges, 0..=islands));
        doc.field("started", flag(&mut self.started));
        let what = "two different resources";
        doc.optional("exchange", one_of(&mut self.exchange, exchanges, exchange, what));
    }
}

/// Whether a slot belongs to a set.
fn bit(set: &mut u16, slot: usize) -> impl Form + '_ {
    with(
        set,
        move |set| (set >> slot & 1 != 0).into(),
        move |set, given, at| {
            if let Some(is_in) = at.flag(given) {
                *set = *set & !(1 << slot) | u16::from(is_in) << slot;
            }
        },
    )
}

/// Who owns the island of a slot.
fn owner(owned: &mut [u16], slot: usize, players: usize) -> impl Form + '_ {
    with(
        owned,
        move |owned| owned.iter().position(|set| set >> slot & 1 != 0).into(),
        move |owned, given, at| {
            if let Some(player) = at.number(given, &(0..=players as i64 - 1)) {
                owned[player as usize] |= 1 << slot;
            }
        },
    )
}

/// Cards of each player by id; kinds of which there is none are left out.
fn zone<'a>(zone: &'a mut [Cards], kinds: &'a Names<'a, usize>, deck: &'a Cards) -> impl Form + 'a {
    each(
        zone,
        "players",
        |cards| counts(&mut { *cards }, kinds, deck, false).write(),
        |cards, given, at| counts(cards, kinds, deck, false).read(given, at),
    )
}

/// A list of numbers, each at most `most`.
fn numbers<'a>(values: &'a mut [u8], what: &'a str, most: i64) -> impl Form + 'a {
    each(
        values,
        what,
        |value| (*value).into(),
        move |value, given, at| number(value, 0..=most).read(given, at),
    )
}
