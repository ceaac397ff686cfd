//! Forms of single values: how to write and read them.

use super::Document;
use crate::bits::{Bits, LegalSet};
use crate::error::{Problem, nearest};
use crate::options::shorten;
use crate::player::{Player, Players};
use crate::visibility::Zone;
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// Where a value is read: its path, and where problems go.
#[derive(Debug)]
pub struct At<'p> {
    path: String,
    problems: &'p mut Vec<Problem>,
}

impl<'p> At<'p> {
    pub(super) fn new(path: String, problems: &'p mut Vec<Problem>) -> At<'p> {
        At { path, problems }
    }

    /// Adds a problem with the value.
    pub fn problem(&mut self, message: impl Into<String>) {
        self.problems.push(Problem::new(self.path.clone(), message));
    }

    /// Entry `index` of a list.
    pub fn entry(&mut self, index: usize) -> At<'_> {
        At { path: format!("{}[{index}]", self.path), problems: self.problems }
    }

    /// A field of an object.
    pub fn field(&mut self, name: &str) -> At<'_> {
        At { path: format!("{}.{name}", self.path), problems: self.problems }
    }

    /// The value as a list.
    pub fn list<'v>(&mut self, given: &'v Value) -> Option<&'v [Value]> {
        self.expect(given, given.as_array().map(Vec::as_slice), "a list")
    }

    /// The value as an object.
    pub fn object<'v>(&mut self, given: &'v Value) -> Option<&'v Map<String, Value>> {
        self.expect(given, given.as_object(), "an object")
    }

    /// The value as a text.
    pub fn text<'v>(&mut self, given: &'v Value) -> Option<&'v str> {
        self.expect(given, given.as_str(), "a string")
    }

    /// The value as a flag.
    pub fn flag(&mut self, given: &Value) -> Option<bool> {
        self.expect(given, given.as_bool(), "true or false")
    }

    /// The value as a whole number in a range.
    pub fn number(&mut self, given: &Value, allowed: &RangeInclusive<i64>) -> Option<i64> {
        let number = given.as_i64().filter(|number| allowed.contains(number));
        if number.is_none() {
            let given = shorten(given);
            self.problem(format!("{given}; allowed: {} to {}", allowed.start(), allowed.end()));
        }
        number
    }

    /// The value as the name of a thing.
    pub fn name<T: Copy>(&mut self, given: &Value, names: &Names<'_, T>) -> Option<T> {
        let text = self.text(given)?;
        let found = names.find(text);
        if found.is_none() {
            let message = names.refusal(text);
            self.problem(message);
        }
        found
    }

    /// The value as an object with declared fields; whether all of them are fine.
    pub fn document(&mut self, given: &Value, declare: impl FnOnce(&mut Document<'_>)) -> bool {
        let found = Document::read_at(self.path.clone(), given, declare).finish();
        let is_fine = found.is_ok();
        self.problems.extend(found.err().into_iter().flatten());
        is_fine
    }

    fn expect<T>(&mut self, given: &Value, found: Option<T>, what: &str) -> Option<T> {
        if found.is_none() {
            self.problem(format!("got {}; expected {what}", shorten(given)));
        }
        found
    }
}

/// A value of a state, as it is written and read.
pub trait Form {
    /// Its JSON.
    fn write(&self) -> Value;

    /// Reads and stores the value; an invalid one is reported as a problem and leaves the value unchanged.
    fn read(&mut self, given: &Value, at: &mut At<'_>);
}

/// Whole numbers of states.
pub trait Integer: Copy + Into<i64> + TryFrom<i64> {}

impl<T: Copy + Into<i64> + TryFrom<i64>> Integer for T {}

/// Named things with their kind ("card"), in the order of the content.
#[derive(Clone, Debug)]
pub struct Names<'a, T> {
    what: &'static str,
    entries: Vec<(&'a str, T)>,
    ignores_case: bool,
}

impl<'a, T: Copy> Names<'a, T> {
    /// Names of things.
    pub fn new(what: &'static str, entries: impl IntoIterator<Item = (&'a str, T)>) -> Names<'a, T> {
        Names { what, entries: entries.into_iter().collect(), ignores_case: false }
    }

    /// Reading ignores upper and lower case.
    #[must_use]
    pub fn ignoring_case(self) -> Self {
        Names { ignores_case: true, ..self }
    }

    /// The thing with a name; an exact match comes first.
    pub fn find(&self, name: &str) -> Option<T> {
        let thing = |is: &dyn Fn(&str) -> bool| {
            self.entries.iter().find(|(known, _)| is(known)).map(|&(_, thing)| thing)
        };
        let alike = || thing(&|known| known.to_lowercase() == name.to_lowercase());
        thing(&|known| known == name).or_else(|| self.ignores_case.then(alike).flatten())
    }

    /// The name of a thing.
    pub fn name_of(&self, thing: T) -> &'a str
    where
        T: PartialEq,
    {
        self.entries.iter().find(|(_, known)| *known == thing).map_or("", |(name, _)| name)
    }

    /// The message for an unknown name: lists all names if they are few, else the nearest.
    pub fn refusal(&self, name: &str) -> String {
        let known: Vec<&str> = self.entries.iter().map(|(name, _)| *name).collect();
        let given: String = name.escape_debug().take(40).collect();
        let allowed =
            if known.len() > 16 { nearest(name, &known) } else { format!("; allowed: {}", known.join(", ")) };
        format!("no {} is called `{given}`{allowed}", self.what)
    }
}

struct With<'a, T: ?Sized, W, R> {
    value: &'a mut T,
    write: W,
    read: R,
}

impl<T: ?Sized, W: Fn(&T) -> Value, R: FnMut(&mut T, &Value, &mut At<'_>)> Form for With<'_, T, W, R> {
    fn write(&self) -> Value {
        (self.write)(self.value)
    }

    fn read(&mut self, given: &Value, at: &mut At<'_>) {
        (self.read)(self.value, given, at);
    }
}

/// A value with its own form.
pub fn with<'a, T: ?Sized>(
    value: &'a mut T,
    write: impl Fn(&T) -> Value + 'a,
    read: impl FnMut(&mut T, &Value, &mut At<'_>) + 'a,
) -> impl Form + 'a {
    With { value, write, read }
}

struct Redacted<F, I> {
    form: F,
    is_seen: bool,
    instead: I,
}

impl<F: Form, I: Fn() -> Value> Form for Redacted<F, I> {
    fn write(&self) -> Value {
        if self.is_seen { self.form.write() } else { (self.instead)() }
    }

    fn read(&mut self, given: &Value, at: &mut At<'_>) {
        self.form.read(given, at);
    }
}

/// What lies in a zone, and what a viewer who does not see the zone is shown in its place: `null`, a count, the cards known.
pub fn redacted(
    form: impl Form,
    zone: impl Zone,
    viewer: Option<Player>,
    instead: impl Fn() -> Value,
) -> impl Form {
    Redacted { form, is_seen: zone.is_seen_by(viewer), instead }
}

/// A list with a fixed number of values, each with its own form (`what`: "players").
pub fn each<'a, T>(
    values: &'a mut [T],
    what: &'a str,
    write: impl Fn(&T) -> Value + 'a,
    mut read: impl FnMut(&mut T, &Value, &mut At<'_>) + 'a,
) -> impl Form + 'a {
    let write = move |values: &[T]| values.iter().map(&write).collect();
    with(values, write, move |values, given, at| {
        let Some(list) = at.list(given) else { return };
        if list.len() != values.len() {
            at.problem(format!("{} entries for {} {what}", list.len(), values.len()));
        }
        for (i, (value, given)) in values.iter_mut().zip(list).enumerate() {
            read(value, given, &mut at.entry(i));
        }
    })
}

/// A whole number.
pub fn number<T: Integer>(value: &mut T, allowed: RangeInclusive<i64>) -> impl Form + '_ {
    with(
        value,
        |value| (*value).into().into(),
        move |value, given, at| {
            if let Some(number) = at.number(given, &allowed).and_then(|number| T::try_from(number).ok()) {
                *value = number;
            }
        },
    )
}

/// A whole number, or `null` for the value that means none.
pub fn number_or_null<T: Integer + PartialEq>(
    value: &mut T,
    none: T,
    allowed: RangeInclusive<i64>,
) -> impl Form + '_ {
    with(
        value,
        move |value| if *value == none { Value::Null } else { (*value).into().into() },
        move |value, given, at| {
            if given.is_null() {
                *value = none;
            } else {
                number(value, allowed.clone()).read(given, at);
            }
        },
    )
}

/// A flag.
pub fn flag(value: &mut bool) -> impl Form + '_ {
    with(
        value,
        |value| (*value).into(),
        |value, given, at| {
            if let Some(flag) = at.flag(given) {
                *value = flag;
            }
        },
    )
}

/// The name of a thing.
pub fn name<'a, T: Copy + PartialEq>(value: &'a mut T, names: &'a Names<'a, T>) -> impl Form + 'a {
    with(
        value,
        |value| names.name_of(*value).into(),
        |value, given, at| {
            if let Some(thing) = at.name(given, names) {
                *value = thing;
            }
        },
    )
}

/// The name of a thing, or `null`.
pub fn name_or_null<'a, T: Copy + PartialEq>(
    value: &'a mut Option<T>,
    names: &'a Names<'a, T>,
) -> impl Form + 'a {
    with(
        value,
        |value| value.map(|thing| names.name_of(thing)).into(),
        |value, given, at| {
            if given.is_null() {
                *value = None;
            } else if let Some(thing) = at.name(given, names) {
                *value = Some(thing);
            }
        },
    )
}

/// One of some values with their own form; `what`: their kind ("a cell of the map").
pub fn one_of<'a, T: Copy>(
    value: &'a mut T,
    all: impl IntoIterator<Item = T> + Clone + 'a,
    write: impl Fn(T) -> Value + Copy + 'a,
    what: &'a str,
) -> impl Form + 'a {
    with(
        value,
        move |value| write(*value),
        move |value, given, at| {
            let found = all.clone().into_iter().find(|&one| write(one) == *given);
            if let Some(one) = at.expect(given, found, what) {
                *value = one;
            }
        },
    )
}

/// A set of numbers from 0, its places.
trait Places: Sized {
    /// The places in the set, ascending.
    fn places(&self) -> Vec<u32>;

    /// The set of these places; `None` if one is too large.
    fn of(places: &[u32]) -> Option<Self>;
}

impl<B: Integer> Places for B {
    fn places(&self) -> Vec<u32> {
        let bits: i64 = (*self).into();
        (0..i64::BITS).filter(|bit| bits >> bit & 1 != 0).collect()
    }

    fn of(places: &[u32]) -> Option<Self> {
        B::try_from(places.iter().fold(0, |bits, place| bits | 1i64 << place)).ok()
    }
}

impl<const W: usize> Places for Bits<W> {
    fn places(&self) -> Vec<u32> {
        self.iter().map(|place| place.0.into()).collect()
    }

    fn of(places: &[u32]) -> Option<Self> {
        let mut set = Bits::default();
        places.iter().for_each(|&place| set.insert(place as usize));
        Some(set)
    }
}

/// A set as a list without repetition; each entry is a place. `read` reads the place of an entry, `write` writes it.
fn set<'a, S: Places>(
    value: &'a mut S,
    write: impl Fn(u32) -> Value + 'a,
    read: impl Fn(&Value, &mut At<'_>) -> Option<u32> + 'a,
) -> impl Form + 'a {
    let write = move |value: &S| value.places().into_iter().map(&write).collect();
    with(value, write, move |value, given, at| {
        let Some(list) = at.list(given) else { return };
        let mut places = Vec::new();
        for (i, given) in list.iter().enumerate() {
            let mut at = at.entry(i);
            let Some(place) = read(given, &mut at) else { continue };
            if places.contains(&place) {
                at.problem(format!("{} is there twice", shorten(given)));
            } else {
                places.push(place);
            }
        }
        if let Some(read) = S::of(&places) {
            *value = read;
        }
    })
}

/// A set of things, as a list of names: bit `i` is the thing `i` of `names`.
pub fn name_set<'a, B: Integer>(value: &'a mut B, names: &'a Names<'a, u8>) -> impl Form + 'a {
    set(value, |bit| names.name_of(bit as u8).into(), |given, at| at.name(given, names).map(u32::from))
}

/// A set of up to `W * 64` things, as a list of names: place `i` of the set is the thing `i` of `names`.
///
/// # Panics
/// If a thing that is read has no place in the set.
pub fn name_bits<'a, const W: usize>(value: &'a mut Bits<W>, names: &'a Names<'a, u16>) -> impl Form + 'a {
    set(value, |place| names.name_of(place as u16).into(), |given, at| at.name(given, names).map(u32::from))
}

/// A set of whole numbers, as a list: bit `i` is the smallest number plus `i`.
pub fn number_set<B: Integer>(value: &mut B, allowed: RangeInclusive<i64>) -> impl Form + '_ {
    let smallest = *allowed.start();
    set(
        value,
        move |bit| (i64::from(bit) + smallest).into(),
        move |given, at| at.number(given, &allowed).map(|number| (number - smallest) as u32),
    )
}

/// A set of players, as a list.
pub fn players(value: &mut Players, num_players: usize) -> impl Form + '_ {
    number_set(&mut value.0, 0..=num_players as i64 - 1)
}

/// Counts of things, as an object from names to counts; `most`: the largest count of each. Writes all things, or only those with a count
/// above 0.
pub fn counts<'a>(
    value: &'a mut [u8],
    names: &'a Names<'a, usize>,
    most: &'a [u8],
    writes_zeros: bool,
) -> impl Form + 'a {
    let write = move |value: &[u8]| {
        let there = names.entries.iter().filter(|(_, i)| writes_zeros || value[*i] != 0);
        there.map(|&(name, i)| (name.to_string(), Value::from(value[i]))).collect::<Map<_, _>>().into()
    };
    with(value, write, move |value, given, at| {
        let Some(map) = at.object(given) else { return };
        value.fill(0);
        let mut seen = 0u64;
        for (id, count) in map {
            let mut at = at.field(id);
            let Some(index) = names.find(id) else {
                at.problem(names.refusal(id));
                continue;
            };
            if seen >> index & 1 != 0 {
                at.problem("is there twice: upper and lower case are alike");
            }
            seen |= 1 << index;
            if let Some(count) = at.number(count, &(0..=most[index].into())) {
                value[index] = count as u8;
            }
        }
    })
}
