//! JSON values in which no object has a key twice: with `#[serde(deserialize_with = "json::value")]` and its relatives.
//!
//! JSON does not define repeated keys. A reader that takes the last one may load another position than the author meant.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// An object of JSON.
pub type Object = Map<String, Value>;

/// Most bytes of a text that is one object (a position, options, a configuration): 1 MiB.
pub const MAX_BYTES: usize = 1 << 20;

/// Refuses what is longer than it can be, before it is read.
///
/// # Errors
/// `Unreadable`, naming `what` it was to be, the size and what is allowed.
pub fn check_size(what: &'static str, bytes: usize, most: usize) -> crate::error::Result<()> {
    if bytes <= most {
        return Ok(());
    }
    let message = format!("{bytes} bytes; allowed: {most}");
    Err(crate::error::Error::Unreadable { what, message })
}

/// Reads a text that is one object: what bindings without a dictionary of their own take options as.
///
/// # Errors
/// `Unreadable`, naming `what` it was to be, with path, line and column; also for more than [`MAX_BYTES`].
pub fn read_object(what: &'static str, text: &str) -> crate::error::Result<Map<String, Value>> {
    #[derive(serde::Deserialize)]
    #[serde(transparent)]
    struct Whole(#[serde(deserialize_with = "object")] Map<String, Value>);

    check_size(what, text.len(), MAX_BYTES)?;
    let mut reader = serde_json::Deserializer::from_str(text);
    let read: Result<Whole, _> = serde_path_to_error::deserialize(&mut reader);
    let refuse = |message| crate::error::Error::Unreadable { what, message };
    let map = read.map_err(|error| match error.path().to_string() {
        path if path == "." => refuse(error.inner().to_string()),
        path => refuse(format!("{path}: {}", error.inner())),
    });
    let map = map?.0;
    reader.end().map_err(|error| refuse(error.to_string()))?;
    Ok(map)
}

/// The difference of two documents as a JSON patch. Here, so that no game compiles it.
pub(crate) fn patch(from: &Value, to: &Value) -> Value {
    serde_json::to_value(json_patch::diff(from, to)).expect("a patch is plain JSON")
}

/// Any value.
pub(crate) fn value<'de, D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
    from.deserialize_any(Unique)
}

/// A value that may be left out (with `#[serde(default)]`).
pub(crate) fn value_or_none<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    value(from).map(|value| Some(value).filter(|value| !value.is_null()))
}

/// An object.
pub(crate) fn object<'de, D: Deserializer<'de>>(from: D) -> Result<Map<String, Value>, D::Error> {
    from.deserialize_map(ObjectVisitor)
}

/// Reads a value of any kind.
struct Unique;

impl<'de> DeserializeSeed<'de> for Unique {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(Unique)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Value, A::Error> {
        ObjectVisitor.visit_map(map).map(Value::Object)
    }
}

/// Reads an object.
struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Map<String, Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Map<String, Value>, A::Error> {
        let mut object = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            if object.contains_key(&key) {
                // Refused in the place of its value, so that the key is part of the path.
                map.next_value_seed(Twice)?;
            }
            let value = map.next_value_seed(Unique)?;
            object.insert(key, value);
        }
        Ok(object)
    }
}

/// The value of a key that was there before.
struct Twice;

impl<'de> DeserializeSeed<'de> for Twice {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, _: D) -> Result<(), D::Error> {
        Err(D::Error::custom("this key is there twice"))
    }
}

/// A 64-bit number as text, because readers of JSON may read numbers as 64-bit floats.
pub fn hex(number: u64) -> String {
    format!("0x{number:016x}")
}

/// Reads what [`hex`] wrote, or a number.
pub fn parse_hex(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) => u64::from_str_radix(text.strip_prefix("0x")?, 16).ok(),
        other => other.as_u64(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    struct Document {
        #[serde(deserialize_with = "value")]
        state: Value,
        #[serde(default, deserialize_with = "value_or_none")]
        options: Option<Value>,
    }

    fn read(text: &str) -> Result<Document, String> {
        let mut reader = serde_json::Deserializer::from_str(text);
        serde_path_to_error::deserialize(&mut reader)
            .map_err(|error| format!("{}: {}", error.path(), error.inner()))
    }

    #[test]
    fn values_without_repeated_keys_are_read_unchanged() {
        let text =
            r#"{"state": [null, true, -1, 18446744073709551615, 1.5, "a\nb", {"a": {"b": []}, "b": 1}]}"#;
        let whole: Value = serde_json::from_str(text).unwrap();
        let document = read(text).unwrap();
        assert_eq!((document.state, document.options), (whole["state"].clone(), None));
        assert_eq!(read(r#"{"state": 1, "options": null}"#).unwrap().options, None);
        let options = read(r#"{"state": 1, "options": {"b": 1, "a": {}}}"#).unwrap().options.unwrap();
        assert_eq!(options.to_string(), r#"{"b":1,"a":{}}"#);
    }

    #[test]
    fn a_text_that_is_one_object_is_read_whole() {
        assert_eq!(read_object("options", r#" {"b": [1], "a": {}} "#).unwrap().len(), 2);
        for (text, part) in [
            ("[1]", "expected an object"),
            ("{} {}", "trailing characters at line 1 column 4"),
            (r#"{"a": 1, "a": 2}"#, "a: this key is there twice"),
            ("", "EOF"),
        ] {
            let said = read_object("options", text).unwrap_err().to_string();
            assert!(said.starts_with("cannot read options: ") && said.contains(part), "{said}");
        }
    }

    #[test]
    fn a_text_has_a_largest_size() {
        let largest = format!("{{}}{}", " ".repeat(MAX_BYTES - 2));
        assert!(read_object("options", &largest).unwrap().is_empty());
        let said = read_object("options", &(largest + " ")).unwrap_err().to_string();
        assert_eq!(said, "cannot read options: 1048577 bytes; allowed: 1048576");
    }

    #[test]
    fn conf_c8_a_repeated_key_is_refused_with_its_path() {
        for (text, path) in [
            (r#"{"state": {"a": 1, "b": 2, "a": 1}}"#, "state.a"),
            (r#"{"state": {"rows": [[], [1, {"x": 1, "y": {}, "x": 2}]]}}"#, "state.rows[1][1].x"),
            (r#"{"state": {}, "options": {"p": 2, "p": 3}}"#, "options.p"),
        ] {
            let said = read(text).unwrap_err();
            assert!(said.starts_with(&format!("{path}: this key is there twice at line 1")), "{said}");
        }
    }
}
