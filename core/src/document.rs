//! The JSON form of a state, declared once: the same lines write it for a viewer, read it back and name what is wrong.
//!
//! A game has one function `declare(&self, state: &mut State, doc: &mut Document)` that names each field with a [`Form`]:
//!
//! ```
//! use playmat_core::document::{Document, Names, counts, number};
//! use playmat_core::player::Player;
//! use playmat_core::visibility::Visibility;
//! use serde_json::json;
//!
//! #[derive(Clone, Copy, Default)]
//! struct State { round: u8, hand: [u8; 2] }
//!
//! fn declare(state: &mut State, doc: &mut Document<'_>) {
//!     doc.field("round", number(&mut state.round, 1..=9));
//!     let cards = Names::new("card", [("ace", 0), ("king", 1)]);
//!     doc.zone("hand", Visibility::Owner(Player(0)), counts(&mut state.hand, &cards, &[4, 4], false));
//! }
//!
//! let state = State { round: 2, hand: [1, 0] };
//! let write = |viewer| Document::write(viewer, |doc| declare(&mut state.clone(), doc));
//! assert_eq!(write(None), json!({"round": 2, "hand": {"ace": 1}}));
//! assert_eq!(write(Some(Player(1))), json!({"round": 2}));
//!
//! let mut read = State::default();
//! let given = json!({"round": 12, "hand": {"queen": 1}});
//! let reading = Document::read(&given, |doc| declare(&mut read, doc));
//! let problems: Vec<_> = reading.finish().unwrap_err().iter().map(ToString::to_string).collect();
//! assert_eq!(problems[0], "round: 12; allowed: 1 to 9");
//! assert_eq!(problems[1], "hand.queen: no card is called `queen`; allowed: ace, king");
//! ```
//!
//! Fields are read in the order in which they are declared, so a form may depend on what was read before it.

mod form;

pub use form::{
    At, Form, Integer, Names, counts, each, flag, name, name_bits, name_or_null, name_set, number,
    number_or_null, number_set, one_of, players, redacted, with,
};

use crate::error::{Error, Problem, nearest};
use crate::player::Player;
use crate::save::difference;
use crate::visibility::{Visibility, Zone};
use serde_json::{Map, Value};

/// One object of the form, being written or read.
#[derive(Debug)]
pub struct Document<'v> {
    viewer: Option<Player>,
    /// Fields written so far.
    written: Map<String, Value>,
    /// The object that is read; `None` while writing, and where there is no object to read.
    given: Option<&'v Map<String, Value>>,
    is_reading: bool,
    path: String,
    known: Vec<&'static str>,
    found: Reading<'v>,
}

/// What reading a document has found.
#[derive(Debug, Default)]
pub struct Reading<'v> {
    problems: Vec<Problem>,
    unknown: Vec<Problem>,
    derived: Vec<(String, &'v Value)>,
}

impl<'v> Document<'v> {
    fn new(viewer: Option<Player>, is_reading: bool, path: String) -> Document<'v> {
        Document {
            viewer,
            written: Map::new(),
            given: None,
            is_reading,
            path,
            known: Vec::new(),
            found: Reading::default(),
        }
    }

    /// The form as `viewer` may see it; complete for `None`.
    pub fn write(viewer: Option<Player>, declare: impl FnOnce(&mut Document<'_>)) -> Value {
        let mut document = Document::new(viewer, false, String::new());
        declare(&mut document);
        Value::Object(document.written)
    }

    /// Reads a complete form. What was wrong is in the result; fields without a fault have been stored.
    pub fn read(json: &'v Value, declare: impl FnOnce(&mut Document<'v>)) -> Reading<'v> {
        Document::read_at(String::new(), json, declare)
    }

    fn read_at(path: String, json: &'v Value, declare: impl FnOnce(&mut Document<'v>)) -> Reading<'v> {
        let mut document = Document::new(None, true, path);
        document.given = json.as_object();
        if document.given.is_some() {
            declare(&mut document);
        } else {
            document.problem("", format!("got {}; expected an object", crate::options::shorten(json)));
        }
        document.leave()
    }

    /// Whether the document is read: for what a declaration must do only then.
    pub fn is_reading(&self) -> bool {
        self.is_reading
    }

    /// Who the document is written for; `None`: complete.
    pub fn viewer(&self) -> Option<Player> {
        self.viewer
    }

    /// Adds a problem with a field of this object, or with the object itself (`""`).
    pub fn problem(&mut self, field: &str, message: impl Into<String>) {
        let path = self.path_of(field);
        self.found.problems.push(Problem::new(path, message));
    }

    /// A field that all see and that must be given.
    pub fn field(&mut self, name: &'static str, form: impl Form) {
        self.zone(name, Visibility::Public, form);
    }

    /// A field that all see; left out or `null`, the value stays what it is. Returns whether it was given.
    pub fn optional(&mut self, name: &'static str, form: impl Form) -> bool {
        self.optional_zone(name, Visibility::Public, form)
    }

    /// A field that only some see; it must be given.
    pub fn zone(&mut self, name: &'static str, zone: impl Zone, mut form: impl Form) {
        self.entry(name, zone.is_seen_by(self.viewer), true, &mut form);
    }

    /// A field that only some see; left out or `null`, the value stays what it is. Returns whether it was given.
    pub fn optional_zone(&mut self, name: &'static str, zone: impl Zone, mut form: impl Form) -> bool {
        self.entry(name, zone.is_seen_by(self.viewer), false, &mut form)
    }

    fn entry(&mut self, name: &'static str, is_seen: bool, is_needed: bool, form: &mut dyn Form) -> bool {
        if !self.is_reading {
            if is_seen {
                self.written.insert(name.into(), form.write());
            }
            return false;
        }
        let value = self.look_up(name, is_needed).filter(|value| is_needed || !value.is_null());
        if let Some(value) = value {
            form.read(value, &mut At::new(self.path_of(name), &mut self.found.problems));
        }
        value.is_some()
    }

    /// A field that follows from the others: it may be left out; given, it must be what the state that was read would write.
    pub fn derived(&mut self, name: &'static str, value: impl FnOnce() -> Value) {
        self.derived_zone(name, Visibility::Public, value);
    }

    /// A derived field that only some see.
    pub fn derived_zone(&mut self, name: &'static str, zone: impl Zone, value: impl FnOnce() -> Value) {
        if self.is_reading {
            if let Some(value) = self.look_up(name, false).filter(|value| !value.is_null()) {
                self.found.derived.push((self.path_of(name), value));
            }
        } else if zone.is_seen_by(self.viewer) {
            self.written.insert(name.into(), value());
        }
    }

    /// Fields that only the complete form has.
    pub fn complete(&mut self, declare: impl FnOnce(&mut Document<'v>)) {
        if self.viewer.is_none() {
            declare(self);
        }
    }

    /// A field that only a viewer's form has; the complete form holds the same in other fields.
    pub fn for_viewer(&mut self, name: &'static str, value: impl FnOnce(Player) -> Value) {
        if let Some(viewer) = self.viewer {
            self.written.insert(name.into(), value(viewer));
        }
    }

    /// An object that is there or `null`. Reading, `is_present` says nothing: the result is whether an object was given, and the state's
    /// value is to be created before `declare` fills it; with neither an object nor `null` given it is `false`.
    pub fn object(
        &mut self,
        name: &'static str,
        is_present: bool,
        declare: impl FnOnce(&mut Document<'v>),
    ) -> bool {
        if !self.is_reading {
            let value = if is_present { self.write_inner(declare) } else { Value::Null };
            self.written.insert(name.into(), value);
            return is_present;
        }
        match self.look_up(name, false).filter(|value| !value.is_null()) {
            Some(value) => {
                self.read_inner(self.path_of(name), value, declare);
                true
            }
            None => false,
        }
    }

    /// A list with one object for each of `count` things (`what`: "players"); it must be given and have as many entries.
    pub fn each(
        &mut self,
        name: &'static str,
        count: usize,
        what: &str,
        mut declare: impl FnMut(usize, &mut Document<'v>),
    ) {
        self.each_or_none(name, count, what, true, &mut declare);
    }

    /// A list with one object for each of `count` things. It may be left out; given, it must have as many entries.
    pub fn optional_each(
        &mut self,
        name: &'static str,
        count: usize,
        what: &str,
        mut declare: impl FnMut(usize, &mut Document<'v>),
    ) {
        self.each_or_none(name, count, what, false, &mut declare);
    }

    fn each_or_none(
        &mut self,
        name: &'static str,
        count: usize,
        what: &str,
        is_needed: bool,
        declare: &mut dyn FnMut(usize, &mut Document<'v>),
    ) {
        if !self.is_reading {
            let items = (0..count).map(|i| self.write_inner(|doc| declare(i, doc)));
            let items: Value = items.collect::<Vec<_>>().into();
            self.written.insert(name.into(), items);
            return;
        }
        let Some(value) = self.look_up(name, is_needed).filter(|value| is_needed || !value.is_null()) else {
            return;
        };
        let path = self.path_of(name);
        let list = At::new(path.clone(), &mut self.found.problems).list(value);
        let Some(list) = list else { return };
        if list.len() != count {
            self.problem(name, format!("{} entries for {count} {what}", list.len()));
        }
        for (i, value) in list.iter().enumerate().take(count) {
            self.read_inner(format!("{path}[{i}]"), value, |doc| declare(i, doc));
        }
    }

    /// A list of up to `most` objects, in a list of the state: `declare` is called with each item, new ones made by `item`.
    pub fn list<T>(
        &mut self,
        name: &'static str,
        items: &mut Vec<T>,
        most: usize,
        mut item: impl FnMut() -> T,
        mut declare: impl FnMut(&mut T, &mut Document<'v>),
    ) {
        if !self.is_reading {
            let written: Vec<Value> =
                items.iter_mut().map(|item| self.write_inner(|doc| declare(item, doc))).collect();
            self.written.insert(name.into(), written.into());
            return;
        }
        let Some(value) = self.look_up(name, false).filter(|value| !value.is_null()) else { return };
        let path = self.path_of(name);
        let Some(list) = At::new(path.clone(), &mut self.found.problems).list(value) else { return };
        if list.len() > most {
            self.problem(name, format!("{} entries; allowed: at most {most}", list.len()));
            return;
        }
        items.clear();
        for (i, value) in list.iter().enumerate() {
            let mut new = item();
            self.read_inner(format!("{path}[{i}]"), value, |doc| declare(&mut new, doc));
            items.push(new);
        }
    }

    fn write_inner(&self, declare: impl FnOnce(&mut Document<'v>)) -> Value {
        let mut inner = Document::new(self.viewer, false, String::new());
        declare(&mut inner);
        Value::Object(inner.written)
    }

    fn read_inner(&mut self, path: String, value: &'v Value, declare: impl FnOnce(&mut Document<'v>)) {
        let found = Document::read_at(path, value, declare);
        self.found.problems.extend(found.problems);
        self.found.unknown.extend(found.unknown);
        self.found.derived.extend(found.derived);
    }

    fn leave(mut self) -> Reading<'v> {
        let strange = |name: &&String| !self.known.contains(&name.as_str());
        for name in self.given.into_iter().flat_map(Map::keys).filter(strange).take(Error::LISTED) {
            let (near, known) = (nearest(name, &self.known), self.known.join(", "));
            let problem = Problem::new(self.path_of(name), format!("unknown field{near}; fields: {known}"));
            self.found.unknown.push(problem);
        }
        self.found
    }

    /// A field of the object that is read.
    fn look_up(&mut self, name: &'static str, is_needed: bool) -> Option<&'v Value> {
        self.known.push(name);
        let value = self.given?.get(name);
        if value.is_none() && is_needed {
            // An object that a form writes as `null` has no such place: what it lacks is its own problem.
            match self.path.as_str() {
                "" => self.problem(name, "missing"),
                _ => self.problem("", format!("`{name}` is missing")),
            }
        }
        value
    }

    fn path_of(&self, field: &str) -> String {
        match (self.path.as_str(), field) {
            ("", field) => field.into(),
            (path, "") => path.into(),
            (path, field) => format!("{path}.{field}"),
        }
    }
}

/// The state of a complete form: `declare` reads it into `state`, and `check` fills in what was left out and adds the problems of the rules,
/// with [`Reading::also`]. If nothing is wrong, derived fields that were given must be those that the state would write.
///
/// ```
/// use playmat_core::document::{Document, number, restore};
/// use playmat_core::error::Problem;
/// use serde_json::json;
///
/// fn declare(state: &mut [u8; 2], doc: &mut Document<'_>) {
///     let [black, white] = *state;
///     doc.field("black", number(&mut state[0], 0..=9));
///     doc.field("white", number(&mut state[1], 0..=9));
///     doc.derived("stones", || (black + white).into());
/// }
///
/// let read = |json| {
///     restore(&json, [0; 2], declare, |state, reading| {
///         reading.also((state[0] < state[1]).then(|| Problem::new("white", "more than black has")));
///     })
/// };
/// assert_eq!(read(json!({"black": 3, "white": 2})), Ok([3, 2]));
/// let said = |json| read(json).unwrap_err()[0].to_string();
/// assert_eq!(said(json!({"black": 3, "white": 4})), "white: more than black has");
/// let wrong = said(json!({"black": 3, "white": 2, "stones": 6}));
/// assert_eq!(wrong, "stones: got 6; what it follows from gives 5: leave it out, or give that");
/// ```
///
/// # Errors
/// All problems, each with its path.
pub fn restore<S: Clone>(
    json: &Value,
    mut state: S,
    mut declare: impl FnMut(&mut S, &mut Document<'_>),
    check: impl FnOnce(&mut S, &mut Reading<'_>),
) -> Result<S, Vec<Problem>> {
    let mut reading = Document::read(json, |doc| declare(&mut state, doc));
    check(&mut state, &mut reading);
    if reading.is_fine() {
        reading.compare(&Document::write(None, |doc| declare(&mut state.clone(), doc)));
    }
    reading.finish()?;
    Ok(state)
}

impl Reading<'_> {
    /// Whether every field that was given is known and fine so far.
    pub fn is_fine(&self) -> bool {
        self.problems.is_empty()
    }

    /// Adds problems of rules, but those of fields that have one already: they follow from it.
    pub fn also(&mut self, problems: impl IntoIterator<Item = Problem>) {
        let had: Vec<String> = self.problems.iter().map(|problem| problem.path.clone()).collect();
        let inside = |path: &str, field: &str| {
            let rest = path.strip_prefix(field);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let follows = |problem: &Problem| {
            had.iter().any(|had| inside(had, &problem.path) || inside(&problem.path, had))
        };
        self.problems.extend(problems.into_iter().filter(|problem| !follows(problem)));
    }

    /// Compares the derived fields that were given with the complete form of the state that was read.
    pub fn compare(&mut self, own: &Value) {
        for (path, given) in &self.derived {
            let place = format!("/{}", path.replace(['.', '['], "/").replace(']', ""));
            let own = own.pointer(&place).unwrap_or(&Value::Null);
            self.problems.extend(difference(path, given, own));
        }
    }

    /// Nothing, or everything that was found, fields that do not exist last.
    ///
    /// # Errors
    /// All problems, each with its path.
    pub fn finish(mut self) -> Result<(), Vec<Problem>> {
        self.problems.append(&mut self.unknown);
        if self.problems.is_empty() { Ok(()) } else { Err(self.problems) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Bits;
    use serde_json::json;

    /// A state with every kind of field.
    #[derive(Clone, Debug, Default, PartialEq)]
    struct State {
        turn: u8,
        hands: [[u8; 2]; 2],
        pending: Option<u8>,
        queue: Vec<u8>,
        corner: (u8, u8),
    }

    fn declare(state: &mut State, doc: &mut Document<'_>) {
        let cards = Names::new("card", [("ace", 0), ("king", 1)]);
        let whole = state.clone();
        doc.field("turn", number(&mut state.turn, 0..=9));
        doc.each("players", 2, "players", |i, doc| {
            let own = Visibility::Owner(Player(i as u8));
            doc.zone("hand", own, counts(&mut state.hands[i], &cards, &[4, 4], false));
            doc.derived("hand_size", || whole.hands[i].iter().sum::<u8>().into());
            doc.derived_zone("best", own, || (whole.hands[i][0] > 0).into());
        });
        let mut amount = whole.pending.unwrap_or_default();
        if doc
            .object("pending", whole.pending.is_some(), |doc| doc.field("amount", number(&mut amount, 1..=3)))
        {
            state.pending = Some(amount);
        }
        doc.list("queue", &mut state.queue, 3, || 0, |entry, doc| doc.field("of", number(entry, 0..=5)));
        let corners = [(0, 0), (0, 1), (1, 0)];
        doc.optional("corner", one_of(&mut state.corner, corners, |(x, y)| json!([x, y]), "a corner"));
        doc.for_viewer("you", |viewer| viewer.0.into());
    }

    fn state() -> State {
        State { turn: 3, hands: [[1, 2], [0, 4]], pending: Some(2), queue: vec![5, 0], corner: (0, 1) }
    }

    fn written(viewer: Option<Player>) -> Value {
        Document::write(viewer, |doc| declare(&mut state(), doc))
    }

    /// What is wrong with a document.
    fn refused(json: &Value) -> Vec<String> {
        let read = restore(json, State::default(), declare, |_, _| {});
        read.err().into_iter().flatten().map(|problem| problem.to_string()).collect()
    }

    #[test]
    fn a_written_document_is_read_back() {
        let read = restore(&written(None), State::default(), declare, |_, _| {});
        assert_eq!(read, Ok(state()));
        let plain = json!({"turn": 0, "players": [{"hand": {}}, {"hand": {}}], "pending": null});
        assert_eq!(
            refused(&plain),
            Vec::<String>::new(),
            "derived fields, lists and objects may be left out"
        );
    }

    #[test]
    fn an_optional_field_returns_whether_it_was_given() {
        let given = |doc: &mut Document<'_>| {
            ["round", "turn", "pass", "draw"].map(|name| doc.optional(name, number(&mut 1u8, 0..=9)))
        };
        let json = json!({"round": 1, "turn": null, "draw": 10});
        let mut found = [false; 4];
        let reading = Document::read(&json, |doc| found = given(doc));
        assert_eq!((found, reading.finish().unwrap_err().len()), ([true, false, false, true], 1));
        Document::write(None, |doc| found = given(doc));
        assert_eq!(found, [false; 4], "nothing is given while writing");
    }

    #[test]
    fn a_set_is_a_list_without_repetition() {
        let names: Vec<String> = (0..130).map(|i| format!("tile{i}")).collect();
        let (few, many) = (names[..3].iter().map(String::as_str), names.iter().map(String::as_str));
        let (few, many) = (Names::new("tile", few.zip(0u8..)), Names::new("tile", many.zip(0u16..)));
        let declare = |small: &mut u8, large: &mut Bits<3>, numbers: &mut i64, doc: &mut Document<'_>| {
            doc.field("small", name_set(small, &few));
            doc.field("large", name_bits(large, &many));
            doc.field("numbers", number_set(numbers, 2..=63));
        };
        let (mut small, mut large, mut numbers) = (0b101, Bits([1 << 63 | 1, 1, 2]), 1 << 61 | 1);
        let written = Document::write(None, |doc| declare(&mut small, &mut large, &mut numbers, doc));
        assert_eq!(
            written,
            json!({
                "small": ["tile0", "tile2"],
                "large": ["tile0", "tile63", "tile64", "tile129"],
                "numbers": [2, 63],
            })
        );
        let (mut a, mut b, mut c) = (0, Bits::default(), 0);
        Document::read(&written, |doc| declare(&mut a, &mut b, &mut c, doc)).finish().unwrap();
        assert_eq!((a, b, c), (small, large, numbers));
        let given = json!({
            "small": ["tile1", "tile3"],
            "large": ["tile129", "tile130", 7, "tile129"],
            "numbers": [2, 64, 2],
        });
        let found = Document::read(&given, |doc| declare(&mut a, &mut b, &mut c, doc)).finish().unwrap_err();
        let found: Vec<_> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found[..1], ["small[1]: no tile is called `tile3`; allowed: tile0, tile1, tile2"]);
        assert!(
            found[1].starts_with("large[1]: no tile is called `tile130` (did you mean `"),
            "{}",
            found[1]
        );
        let rest = [
            "large[2]: got 7; expected a string",
            "large[3]: \"tile129\" is there twice",
            "numbers[1]: 64; allowed: 2 to 63",
            "numbers[2]: 2 is there twice",
        ];
        assert_eq!(found[2..], rest);
    }

    #[test]
    fn a_viewer_sees_public_zones_and_its_own() {
        let seen = written(Some(Player(1)));
        assert_eq!(seen["players"][0], json!({"hand_size": 3}));
        assert_eq!(seen["players"][1], json!({"hand": {"king": 4}, "hand_size": 4, "best": false}));
        assert_eq!((&seen["you"], written(None).get("you")), (&json!(1), None));
    }

    #[test]
    fn every_problem_is_reported_with_its_path() {
        for (place, value, expected) in [
            ("/turn", json!(10), "turn: 10; allowed: 0 to 9"),
            ("/players", json!([]), "players: 0 entries for 2 players"),
            ("/players/0/hand", json!({"queen": 1}), "players[0].hand.queen: no card is called `queen`"),
            ("/players/0/hand", json!({"ace": 5}), "players[0].hand.ace: 5; allowed: 0 to 4"),
            ("/players/1", json!({"hand_size": 1}), "players[1]: `hand` is missing"),
            ("/players/1/hand_size", json!(7), "players[1].hand_size: got 7; what it follows from gives 4"),
            ("/pending", json!(1), "pending: got 1; expected an object"),
            ("/pending/amount", json!(0), "pending.amount: 0; allowed: 1 to 3"),
            ("/queue", json!([{}, {}, {}, {}]), "queue: 4 entries; allowed: at most 3"),
            ("/queue/1/of", json!(6), "queue[1].of: 6; allowed: 0 to 5"),
            ("/corner", json!([1, 1]), "corner: got [1,1]; expected a corner"),
            (
                "/players/0",
                json!({"hand": {}, "hands": 1}),
                "players[0].hands: unknown field (did you mean `hand`?)",
            ),
        ] {
            let mut json = written(None);
            *json.pointer_mut(place).unwrap() = value;
            let found = refused(&json);
            assert!(found.iter().any(|said| said.starts_with(expected)), "{expected}: {found:?}");
        }
        assert_eq!(refused(&json!(3)), ["got 3; expected an object"]);
    }

    #[test]
    fn rule_problems_of_invalid_fields_are_left_out() {
        let mut state = State::default();
        let json = json!({"turn": 10, "players": [{"hand": {}}, {"hand": {}}]});
        let mut reading = Document::read(&json, |doc| declare(&mut state, doc));
        reading.also([Problem::new("turn", "too late"), Problem::new("queue", "too short")]);
        let found: Vec<_> = reading.finish().unwrap_err().into_iter().map(|problem| problem.path).collect();
        assert_eq!(found, ["turn", "queue"]);
    }
}
