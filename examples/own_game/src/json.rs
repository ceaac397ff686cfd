//! The JSON of a state, declared once: written for a viewer, read back and checked.

use crate::state::State;
use crate::{LiarsDice, rules, text, validate};
use playmat_core::document::{self, Document, Names, flag, name_set, number};
use playmat_core::prelude::*;

pub(crate) fn describe(game: &LiarsDice, state: &State, viewer: Option<Player>) -> Value {
    Document::write(viewer, |doc| declare(game, &mut state.clone(), doc))
}

pub(crate) fn restore(game: &LiarsDice, json: &Value, _: &mut Rng) -> Result<State, Vec<Problem>> {
    let declare = |state: &mut State, doc: &mut Document<'_>| declare(game, state, doc);
    document::restore(json, State::default(), declare, |state, reading| {
        reading.also(validate::validate(game, state));
    })
}

fn declare(game: &LiarsDice, state: &mut State, doc: &mut Document<'_>) {
    let texts: Vec<String> =
        (0..game.liar().0).map(|bid| text::action_text(game, None, Action(bid))).collect();
    let bids = Names::new("bid", texts.iter().map(String::as_str).zip(0u8..));
    doc.field("called", flag(&mut state.called));
    doc.field("bids", name_set(&mut state.bids, &bids));
    let whole = *state;
    doc.each("players", game.players, "players", |player, doc| {
        doc.zone("die", whole.die(Player(player as u8)), number(&mut state.dice[player], 1..=6));
    });
    doc.derived("turn", || rules::acting(game, &whole).first().map(|player| player.0).into());
}
