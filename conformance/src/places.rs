//! Paths of JSON documents: every path that an error names must exist (C8, C9).

use super::fixture::Fixture;
use playmat_core::error::Problem;
use serde_json::Value;
use std::collections::BTreeMap;

/// The form of the documents that were added: all fields, and how many entries lists and maps have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Written {
    fields: BTreeMap<String, Written>,
    /// Whether another document had other fields here: a map, whose keys are names that only the game knows.
    is_map: bool,
    /// Whether an object was added here.
    is_object: bool,
    /// The form of all items of the lists here, and the smallest and largest number of them.
    items: Option<(Box<Written>, usize, usize)>,
}

impl Written {
    /// The form of the states of many positions.
    pub(crate) fn states(fixture: &Fixture<'_>) -> Written {
        let mut written = Written::default();
        for position in fixture.positions("places", 20 * fixture.config.positions) {
            written.add(&fixture.game.describe(position.state(), None));
        }
        written
    }

    /// The form of documents that hold this in a field.
    pub(crate) fn within(self, field: &str) -> Written {
        Written { fields: [(field.into(), self)].into(), ..Written::default() }
    }

    /// Adds a document.
    pub(crate) fn add(&mut self, value: &Value) {
        match value {
            Value::Object(map) => {
                let same =
                    map.len() == self.fields.len() && map.keys().all(|key| self.fields.contains_key(key));
                self.is_map |= self.is_object && !same;
                self.is_object = true;
                for (key, inner) in map {
                    self.fields.entry(key.clone()).or_default().add(inner);
                }
            }
            Value::Array(list) => {
                let (inner, least, most) = self.items.get_or_insert((Box::default(), list.len(), list.len()));
                (*least, *most) = ((*least).min(list.len()), (*most).max(list.len()));
                list.iter().for_each(|item| inner.add(item));
            }
            _ => {}
        }
    }

    /// Whether a document of this form can have the place. In a list or map of varying size every entry can be there; the fields of
    /// the whole are those that were added.
    fn has(&self, path: &str) -> bool {
        self.leads(path, true)
    }

    fn leads(&self, path: &str, is_whole: bool) -> bool {
        if path.is_empty() {
            return true;
        }
        if let (Some((index, rest)), Some((inner, least, most))) = (index(path), &self.items) {
            return (index < *most || least < most) && after(rest, |rest| inner.leads(rest, false));
        }
        let field = |(key, inner): (&String, &Written)| {
            path.strip_prefix(key).is_some_and(|rest| after(rest, |rest| inner.leads(rest, false)))
        };
        let any_key = self.is_map && !is_whole && !path.contains(['.', '[']);
        any_key || self.fields.iter().any(field)
    }
}

/// `[3].x` as 3 and `.x`.
fn index(path: &str) -> Option<(usize, &str)> {
    let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
    Some((index.parse().ok()?, rest))
}

/// What follows a step of a path: nothing, an index, or a dot with a name.
fn after(rest: &str, leads: impl FnOnce(&str) -> bool) -> bool {
    match rest.strip_prefix('.') {
        Some(name) => !name.is_empty() && !name.starts_with('[') && leads(name),
        None => (rest.is_empty() || rest.starts_with('[')) && leads(rest),
    }
}

/// Whether a path exists in a document. Keys may contain dots.
fn has_place(document: &Value, path: &str) -> bool {
    match document {
        _ if path.is_empty() => true,
        Value::Object(map) => map.iter().any(|(key, inner)| {
            path.strip_prefix(key).is_some_and(|rest| after(rest, |rest| has_place(inner, rest)))
        }),
        Value::Array(list) => index(path).is_some_and(|(index, rest)| {
            list.get(index).is_some_and(|inner| after(rest, |rest| has_place(inner, rest)))
        }),
        _ => false,
    }
}

/// The first problem whose path exists neither in the given document (bytes are none) nor in those that the game writes.
pub(crate) fn astray<'p>(
    problems: &'p [Problem],
    given: Option<&Value>,
    written: &Written,
) -> Option<&'p Problem> {
    problems.iter().find(|problem| {
        let path = problem.path.as_str();
        !written.has(path) && !given.is_some_and(|given| has_place(given, path))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn existing_and_missing_paths_differ() {
        let document = json!({"a": {"b.c": [1, [2, {"d": null}]]}, "e": 1});
        for path in ["", "a", "a.b.c", "a.b.c[1]", "a.b.c[1][1].d", "e"] {
            assert!(has_place(&document, path), "{path}");
        }
        for path in
            ["b", "a.", "a.b", "a[0]", "a.b.c[2]", "a.b.c.[0]", "a.b.c[1]d", "e.f", ".", "[0]", "a..b"]
        {
            assert!(!has_place(&document, path), "{path}");
        }
    }

    #[test]
    fn lists_of_varying_size_can_have_more_entries() {
        let mut written = Written::default();
        written
            .add(&json!({"players": [{"hand": {"x": 1}, "row": [1]}, {"hand": {}, "row": []}], "gone": 1}));
        written
            .add(&json!({"players": [{"hand": {"y": 1}, "row": []}, {"hand": {}, "row": []}], "pair": null}));
        let document = written.clone().within("state");
        assert!(document.has("state.players[1]") && !document.has("players[1]"));
        for path in ["", "gone", "pair", "players[1].hand.z", "players[0].row[7]", "players[1].hand.x"] {
            assert!(written.has(path), "{path}");
        }
        for path in
            ["hand", "ward", "players[2]", "players[0].hands", "players.hand", "players[0].hand.z.a", "pair."]
        {
            assert!(!written.has(path), "{path}");
        }
    }
}
