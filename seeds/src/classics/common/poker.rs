//! What Kuhn poker and Leduc poker share: the JSON of hands and decisions, and sentences.

use playmat_core::document::{At, Form, Names, each};
use playmat_core::prelude::*;

/// The card of each player with who sees it. A viewer who does not see a card is shown `null` in its place.
pub fn hands<'a>(
    cards: &'a mut [(u8, Visibility)],
    names: &'a Names<'a, u8>,
    viewer: Option<Player>,
) -> impl Form + 'a {
    let write =
        move |(card, zone): &(u8, Visibility)| zone.is_seen_by(viewer).then(|| names.name_of(*card)).into();
    each(cards, "players", write, |(card, _), given, at| {
        if let Some(read) = at.name(given, names) {
            *card = read;
        }
    })
}

/// The JSON of decisions: a list of words.
pub fn write_decisions(actions: &[u16], words: &Names<'_, u16>) -> Value {
    actions.iter().map(|&action| words.name_of(action)).collect()
}

/// Reads what [`write_decisions`] writes, at most `most` decisions.
pub fn read_decisions(
    actions: &mut Vec<u16>,
    words: &Names<'_, u16>,
    most: usize,
    given: &Value,
    at: &mut At<'_>,
) {
    let Some(list) = at.list(given) else { return };
    if list.len() > most {
        at.problem(format!("{} decisions; allowed: at most {most}", list.len()));
        return;
    }
    *actions = list.iter().enumerate().filter_map(|(i, word)| at.entry(i).name(word, words)).collect();
}

/// The sentence of an event that both games have: a player is dealt a card or shows it. `None` for another event.
pub fn event_text(event: &Object) -> Option<String> {
    let fields = EventFields(event);
    let who = fields.player("player");
    match (fields.event(), fields.text("card")) {
        ("dealt", Some(card)) => Some(format!("{who} is dealt {card}")),
        ("dealt", None) => Some(format!("{who} is dealt a card")),
        ("revealed", card) => Some(format!("{who} shows {}", card.unwrap_or_default())),
        _ => None,
    }
}
