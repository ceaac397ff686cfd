//! The JSON around a state read field by field, so that all mistyped, missing and unknown fields are reported at once.

use crate::error::{Error, Problem, nearest};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Where problems go.
pub(super) type Found = Vec<Problem>;

/// A value of some type; what does not fit is found, with its path.
pub(super) fn typed<T: DeserializeOwned>(path: &str, value: &Value, found: &mut Found) -> Option<T> {
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
pub(super) fn items<T>(
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

/// The fields of one object.
#[derive(Debug)]
pub(super) struct Fields<'v> {
    map: Option<&'v Map<String, Value>>,
    known: Vec<&'static str>,
    found: Found,
}

impl<'v> Fields<'v> {
    /// The fields of `value`, which must be an object.
    pub(super) fn of(value: &'v Value) -> Fields<'v> {
        let mut found = Vec::new();
        if !value.is_object() {
            let message = format!("got {}; expected an object", crate::options::shorten(value));
            found.push(Problem::new("", message));
        }
        Fields { map: value.as_object(), known: Vec::new(), found }
    }

    /// A field that must be there, read by `read`.
    pub(super) fn need<T>(
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
    pub(super) fn may<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&str, &Value, &mut Found) -> Option<T>,
    ) -> Option<T> {
        self.known.push(name);
        let value = self.map?.get(name).filter(|value| !value.is_null())?;
        read(name, value, &mut self.found)
    }

    /// All problems found, unknown fields included.
    pub(super) fn finish(mut self) -> Found {
        let strange = |name: &&String| !self.known.contains(&name.as_str());
        for name in self.map.into_iter().flat_map(Map::keys).filter(strange).take(Error::LISTED) {
            let near = nearest(name, &self.known);
            let known = self.known.join(", ");
            self.found.push(Problem::new(name, format!("unknown field{near}; fields: {known}")));
        }
        self.found
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
