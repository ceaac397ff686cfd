//! Sentences for events: from the redacted fields of an event to a sentence in the words of players.
//!
//! A sentence is made from the redacted event alone, so it cannot reveal more than the event.

use crate::json::Object;
use serde_json::Value;

/// An event's fields, read for a sentence.
#[derive(Clone, Copy, Debug)]
pub struct EventFields<'e>(pub &'e Object);

impl<'e> EventFields<'e> {
    /// The kind of the event.
    pub fn event(self) -> &'e str {
        self.text("event").unwrap_or_default()
    }

    /// A field that is a text; `None` where it is redacted or missing.
    pub fn text(self, field: &str) -> Option<&'e str> {
        self.0.get(field)?.as_str()
    }

    /// A field that is a whole number, 0 where it is redacted or missing.
    pub fn number(self, field: &str) -> i64 {
        self.0.get(field).and_then(Value::as_i64).unwrap_or_default()
    }

    /// A field that is a list of texts or numbers, each as a text; what is redacted is left out.
    pub fn list(self, field: &str) -> Vec<String> {
        let items = self.0.get(field).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let text = |item: &Value| match item {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        };
        items.iter().filter_map(text).collect()
    }

    /// A field that is a flag.
    pub fn is(self, field: &str) -> bool {
        self.0.get(field).and_then(Value::as_bool).unwrap_or_default()
    }

    /// A field that is a player: `player 1`.
    pub fn player(self, field: &str) -> String {
        format!("player {}", self.number(field))
    }

    /// A field that is a list of players: `player 0 and player 2`.
    pub fn players(self, field: &str) -> String {
        and(&self.list(field).iter().map(|player| format!("player {player}")).collect::<Vec<_>>())
    }
}

/// An event by its name and its fields, as [`Show::event_json`](crate::show::Show::event_json) gives it: see [`event!`](crate::event).
pub fn event<const N: usize>(name: &str, fields: [(&str, Value); N]) -> Option<Object> {
    let all = [("event", name.into())].into_iter().chain(fields);
    Some(all.map(|(name, value)| (name.to_string(), value)).collect())
}

/// An event by its name and its fields: `event!("drew", player: player, card: id(kind))`. A field without a value is the variable of its name.
#[macro_export]
macro_rules! event {
    ($name:literal $(, $field:ident $(: $value:expr)?)*) => {
        $crate::sentences::event($name, [$((stringify!($field), $crate::event!(@ $field $($value)?)),)*])
    };
    (@ $field:ident) => {
        $crate::prelude::json!($field)
    };
    (@ $field:ident $value:expr) => {
        $crate::prelude::json!($value)
    };
}

/// `a, b and c`.
pub fn and(items: &[String]) -> String {
    match items {
        [] => "nothing".into(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// `a, b`; another word where there is nothing.
pub fn listed(items: &[String], none: &str) -> String {
    if items.is_empty() { none.into() } else { items.join(", ") }
}

/// `1 card`, `2 cards`.
pub fn count(number: i64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// With a capital letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// With a capital letter and a full stop.
pub fn sentence(text: &str) -> String {
    format!("{}.", capital(text))
}

/// The fallback sentence of an event: its kind and its fields.
pub fn plain(event: &Object) -> String {
    let fields = event.iter().filter(|(name, value)| *name != "event" && !value.is_null());
    let words = fields.map(|(name, value)| match (name.as_str(), value) {
        ("player", value) => format!("player {value}"),
        ("players", _) => EventFields(event).players("players"),
        (name, Value::String(text)) => format!("{} {text}", name.replace('_', " ")),
        (name, Value::Array(_)) => {
            format!("{} {}", name.replace('_', " "), and(&EventFields(event).list(name)))
        }
        (name, value) => format!("{} {value}", name.replace('_', " ")),
    });
    let words: Vec<String> = words.collect();
    let kind = EventFields(event).event().replace('_', " ");
    if words.is_empty() { sentence(&kind) } else { sentence(&format!("{kind}: {}", words.join(", "))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn text_of(value: &Value) -> String {
        plain(value.as_object().expect("an event"))
    }

    #[test]
    fn an_event_without_a_sentence_lists_its_fields() {
        assert_eq!(text_of(&json!({"event": "game_over"})), "Game over.");
        let event =
            json!({"event": "card_drawn", "player": 1, "card": null, "from": "pile", "of": [1, 2, 3]});
        assert_eq!(text_of(&event), "Card drawn: player 1, from pile, of 1, 2 and 3.");
        assert_eq!(text_of(&json!({"event": "won", "players": [0, 2]})), "Won: player 0 and player 2.");
    }

    #[test]
    fn numbers_have_their_plural() {
        assert_eq!([count(1, "card"), count(0, "card")], ["1 card", "0 cards"]);
        assert_eq!(and(&[]), "nothing");
        assert_eq!([listed(&[], "-"), listed(&["a".into(), "b".into()], "-")], ["-", "a, b"]);
    }
}
