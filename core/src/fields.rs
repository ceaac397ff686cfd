//! JSON read field by field, so that all mistyped, missing and unknown fields are reported at once.

use crate::error::{Error, Problem, nearest};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// Where problems go.
pub type Found = Vec<Problem>;

/// A value of some type; what does not fit is found, with its path.
pub fn typed<T: DeserializeOwned>(path: &str, value: &Value, found: &mut Found) -> Option<T> {
    match serde_path_to_error::deserialize(value) {
        Ok(value) => Some(value),
        Err(error) => {
            let inner = error.path().to_string();
            let inner = if inner == "." { String::new() } else { inner };
            found.push(Problem::new(inner, error.inner().to_string()).under(path));
            None
        }
    }
}

/// A list, element by element.
pub fn items<T>(
    path: &str,
    value: &Value,
    found: &mut Found,
    item: impl Fn(&str, &Value, &mut Found) -> Option<T>,
) -> Option<Vec<T>> {
    let Value::Array(list) = value else {
        found.push(Problem::new(path, format!("got {}; expected a list", crate::options::shorten(value))));
        return None;
    };
    let all: Vec<_> = list.iter().enumerate().map(|(i, v)| item(&format!("{path}[{i}]"), v, found)).collect();
    all.into_iter().collect()
}

/// A list of a number of elements, element by element.
pub fn list<T>(
    sizes: RangeInclusive<usize>,
    item: impl Fn(&str, &Value, &mut Found) -> Option<T>,
) -> impl Fn(&str, &Value, &mut Found) -> Option<Vec<T>> {
    move |path, value, found| {
        if let Some(count) = value.as_array().map(Vec::len).filter(|count| !sizes.contains(count)) {
            let (least, most) = (sizes.start(), sizes.end());
            found.push(Problem::new(path, format!("{count} entries; allowed: {least} to {most}")));
            return None;
        }
        items(path, value, found, &item)
    }
}

/// One of some words: its index.
pub fn word(words: &[String]) -> impl Fn(&str, &Value, &mut Found) -> Option<usize> {
    move |path, value, found| {
        let at = value.as_str().and_then(|text| words.iter().position(|word| word == text));
        if at.is_none() {
            found.push(Problem::new(path, format!("got {value}; allowed: {}", words.join(", "))));
        }
        at
    }
}

/// A whole number in `0..=most`.
pub fn number(most: u64) -> impl Fn(&str, &Value, &mut Found) -> Option<u64> {
    move |path, value, found| {
        let number = value.as_u64().filter(|number| *number <= most);
        if number.is_none() {
            found.push(Problem::new(path, format!("got {value}; allowed: a whole number from 0 to {most}")));
        }
        number
    }
}

/// The fields of one object.
#[derive(Debug)]
pub struct Fields<'v> {
    map: Option<&'v Map<String, Value>>,
    known: Vec<&'static str>,
    found: Found,
}

impl<'v> Fields<'v> {
    /// The fields of `value`, which must be an object.
    pub fn of(value: &'v Value) -> Fields<'v> {
        let mut found = Vec::new();
        if !value.is_object() {
            let message = format!("got {}; expected an object", crate::options::shorten(value));
            found.push(Problem::new("", message));
        }
        Fields { map: value.as_object(), known: Vec::new(), found }
    }

    /// A field that must be there, read by `read`.
    pub fn need<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&str, &Value, &mut Found) -> Option<T>,
    ) -> Option<T> {
        self.known.push(name);
        let value = self.map?.get(name);
        if value.is_none() {
            self.found.push(Problem::new(name, "missing"));
        }
        read(name, value?, &mut self.found)
    }

    /// A field that may be left out or `null`, read by `read`.
    pub fn may<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&str, &Value, &mut Found) -> Option<T>,
    ) -> Option<T> {
        self.known.push(name);
        let value = self.map?.get(name).filter(|value| !value.is_null())?;
        read(name, value, &mut self.found)
    }

    /// The state that `build` makes of what was read, if nothing was wrong with that. The fields that follow from it, `derived`, must be
    /// given, and every given field must say what the state's own form says.
    ///
    /// # Errors
    /// All problems: those found here, and those of `build`.
    pub fn state<S>(
        mut self,
        derived: &[&'static str],
        build: impl FnOnce(&mut Found) -> Option<S>,
        describe: impl FnOnce(&S) -> Value,
    ) -> Result<S, Found> {
        for name in derived {
            self.need(name, |_, _, _| Some(()));
        }
        let map = self.map;
        let (mut found, unknown) = self.finish_apart();
        let state = if found.is_empty() { build(&mut found) } else { None };
        if let (Some(state), Some(map)) = (&state, map) {
            for (name, own) in describe(state).as_object().into_iter().flatten() {
                if let Some(given) = map.get(name).filter(|given| *given != own) {
                    let message = format!("got {given}; the position has {own}");
                    found.push(Problem::new(name.as_str(), message));
                }
            }
        }
        found.extend(unknown);
        state.filter(|_| found.is_empty()).ok_or(found)
    }

    /// All problems found, unknown fields included.
    pub fn finish(self) -> Found {
        let (mut found, unknown) = self.finish_apart();
        found.extend(unknown);
        found
    }

    /// The problems of the known fields, and the unknown fields, which do not stop later checks.
    pub fn finish_apart(self) -> (Found, Found) {
        let mut unknown = Vec::new();
        let strange = |name: &&String| !self.known.contains(&name.as_str());
        for name in self.map.into_iter().flat_map(Map::keys).filter(strange).take(Error::LISTED) {
            let near = nearest(name, &self.known);
            let known = self.known.join(", ");
            unknown.push(Problem::new(name, format!("unknown field{near}; fields: {known}")));
        }
        (self.found, unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn all_problems_are_reported_at_once() {
        let value = json!({"round": "five", "rows": ["a", 2, [3]], "colour": 1});
        let mut fields = Fields::of(&value);
        assert_eq!(fields.need::<i64>("round", typed), None);
        assert_eq!(fields.need::<i64>("number", typed), None);
        assert_eq!(fields.may::<i64>("extra", typed), None);
        assert_eq!(fields.need("rows", |p, v, f| items(p, v, f, typed::<String>)), None);
        let said: Vec<_> = fields.finish().iter().map(ToString::to_string).collect();
        let parts = [
            "round: invalid type",
            "number: missing",
            "rows[1]: invalid",
            "rows[2]: invalid",
            "colour: unknown field",
        ];
        assert_eq!(said.len(), parts.len(), "{said:?}");
        assert!(said.iter().zip(parts).all(|(said, part)| said.starts_with(part)), "{said:?}");
        assert_eq!(Fields::of(&json!(3)).finish()[0].message, "got 3; expected an object");
    }
}
