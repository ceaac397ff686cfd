//! The cards and the islands: reads and checks a content file, and makes tables from it.

use super::map::PLACES;
use super::state::{Ability, Cards, MAX_KINDS, Resource};
use playmat_core::content::{DeTable, Entry, Reader, same};
use playmat_core::prelude::*;
use std::ops::{Range, RangeInclusive};

/// Cards of a deck.
pub const DECK: u32 = 32;
/// Faces of a set.
pub const SET: usize = 12;
/// Names of the sets in the content.
pub const SETS: [&str; 4] = ["0", "1", "2", "3"];
/// Colours at most.
pub const COLOURS: usize = 2;
/// Faces of one colour in a set, and of one of these abilities among those that meet in one game (GX-R6h).
const MOST_OF_COLOUR: usize = 6;
const MOST_OF_ABILITY: usize = 3;
const BOUNDED: [Ability; 4] =
    [Ability::Exchange, Ability::MinusOne, Ability::PlusTwoEach, Ability::PlusMinus];
/// Longest id of a card or face and longest name, in characters.
const MAX_ID: usize = 16;
const MAX_NAME: usize = 24;

/// The contents that come with the library.
pub(super) const BUILTIN: &[(&str, &str)] = &[("gravitix", include_str!("../../content/gravitix.toml"))];
/// Their names.
pub(super) const NAMES: &[&str] = &["gravitix"];

/// A kind of card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Name.
    pub id: String,
    /// How far it sails.
    pub sail: u8,
    /// Rum, fabric, gems that it pays.
    pub values: [u8; 3],
    /// Cards of this kind in one player's deck.
    pub copies: u8,
}

impl Kind {
    /// Units in all.
    pub fn units(&self) -> u8 {
        self.values.iter().sum()
    }
}

/// What a tile shows: an island.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Face {
    /// Short name.
    pub id: String,
    /// Name.
    pub name: String,
    /// Its set, 0 to 3.
    pub set: u8,
    /// Points of its owner.
    pub points: u8,
    /// Cards that supplying it draws.
    pub cards: u8,
    /// Rum, fabric, gems that it wants.
    pub demand: [u8; 3],
    /// Where it lies on the tile, `3 strip + k`, as printed and the other way up (GX-R1f).
    pub places: [u8; 2],
    /// What it does.
    pub ability: Option<Ability>,
    /// Its colour, by number.
    pub colour: Option<u8>,
}

/// What a content file says, compiled.
#[derive(Clone, Debug)]
pub struct Set {
    /// Kinds in order.
    pub kinds: Vec<Kind>,
    /// Faces of all sets, in order of the sets.
    pub faces: Vec<Face>,
    /// Names of the colours.
    pub colours: Vec<String>,
}

/// Reads and checks a content file.
///
/// # Errors
/// `Content` with every finding.
pub(super) fn load(content: &Content) -> Result<Set> {
    let file = content.parse()?;
    let mut reader = Reader::new(content);
    let top = (file.get_ref(), &(0..0));
    reader.known("", top.0, &["name", "title", "colours", "card", "face"]);
    reader.game(top);
    let colours = read_colours(&mut reader, top.0);
    let kinds = read_kinds(&mut reader, top);
    let faces = read_faces(&mut reader, top, &colours, &kinds);
    reader.finish()?;
    let faces = faces.into_iter().map(|(_, face)| face).collect();
    Ok(Set { kinds, faces, colours })
}

fn read_colours(reader: &mut Reader<'_>, top: &DeTable<'_>) -> Vec<String> {
    let Some((_, value)) = top.iter().find(|(key, _)| key.get_ref() == "colours") else { return Vec::new() };
    let list = reader.list("`colours`: ", value).unwrap_or_default();
    let mut colours: Vec<String> = Vec::new();
    for item in list {
        let Some(name) = reader.text("`colours`: ", item) else { continue };
        check_name(reader, "colours: a name", MAX_ID, &name, &colours);
        colours.push(name.into_inner());
    }
    if colours.len() > COLOURS {
        reader.wrong(&value.span(), format!("{} colours; at most {COLOURS}", colours.len()));
    }
    colours
}

/// Checks a name: not empty, not too long, no control characters, new.
fn check_name<S: AsRef<str>>(
    reader: &mut Reader<'_>,
    what: &str,
    longest: usize,
    name: &Spanned<String>,
    before: &[S],
) {
    reader.check_name(what, name, longest);
    if before.iter().any(|other| same(other.as_ref(), name.get_ref())) {
        reader.wrong(&name.span(), format!("{what} is used above (upper and lower case are alike)"));
    }
}

/// Id and fields of an entry; the id is new.
fn read_id(
    reader: &mut Reader<'_>,
    entry: &mut Entry<'_, '_>,
    what: &str,
    ids: &mut Vec<String>,
    known: &[&str],
) -> String {
    let id = entry.id(reader, what);
    entry.known(reader, known);
    let Some(id) = id else { return String::new() };
    check_name(reader, &format!("{}`id`", entry.place), MAX_ID, &id, ids);
    ids.push(id.get_ref().clone());
    id.into_inner()
}

/// A whole number of a field in a range.
fn whole(
    reader: &mut Reader<'_>,
    entry: &Entry<'_, '_>,
    name: &str,
    allowed: RangeInclusive<i64>,
) -> Option<u8> {
    Some(entry.whole(reader, name, allowed)?.0 as u8)
}

/// A list of `N` whole numbers, each in the range of its place.
fn numbers<const N: usize>(
    reader: &mut Reader<'_>,
    entry: &Entry<'_, '_>,
    name: &str,
    most: [i64; N],
) -> Option<([u8; N], Vec<Range<usize>>, Range<usize>)> {
    let value = entry.field(reader, name)?;
    let words = entry.at(name);
    let list = reader.list(&words, value)?;
    if list.len() != N {
        reader.wrong(&value.span(), format!("{words}{} numbers; there are {N}", list.len()));
        return None;
    }
    let (mut out, mut spans, mut whole) = ([0; N], Vec::new(), true);
    for (i, item) in list.iter().enumerate() {
        spans.push(item.span());
        let Some(given) = reader.whole(&words, item) else {
            whole = false;
            continue;
        };
        let given = *given.get_ref();
        if !(0..=most[i]).contains(&given) {
            reader.wrong(&item.span(), format!("{words}{given}; allowed: 0 to {}", most[i]));
        }
        out[i] = given.clamp(0, most[i]) as u8;
    }
    whole.then(|| (out, spans, value.span()))
}

fn read_kinds(reader: &mut Reader<'_>, top: (&DeTable<'_>, &Range<usize>)) -> Vec<Kind> {
    let Some(value) = reader.field("", top, "card") else { return Vec::new() };
    let Some(list) = reader.list("`card`: ", value) else { return Vec::new() };
    let known = ["id", "sail", "rum", "fabric", "gems", "copies"];
    let (mut kinds, mut ids): (Vec<Kind>, Vec<String>) = (Vec::new(), Vec::new());
    for (number, item) in (1..).zip(list) {
        let Some(mut entry) = reader.entry("card", number, item) else { continue };
        let id = read_id(reader, &mut entry, "card", &mut ids, &known);
        let sail = whole(reader, &entry, "sail", 1..=15);
        let values = Resource::NAMES.map(|name| match entry.has(name) {
            true => whole(reader, &entry, name, 0..=4),
            false => Some(0),
        });
        let copies = whole(reader, &entry, "copies", 1..=8);
        let (Some(sail), [Some(rum), Some(fabric), Some(gems)]) = (sail, values) else { continue };
        let values = [rum, fabric, gems];
        if values.iter().all(|&value| value > 0) {
            entry.wrong(reader, &entry.span, "three resources; a card has at most two");
        }
        let alike = kinds.iter().find(|kind| (kind.sail, kind.values) == (sail, values));
        if let Some(other) = alike {
            entry.wrong(reader, &entry.span, format_args!("the same values as `{}`", other.id));
        }
        kinds.push(Kind { id, sail, values, copies: copies.unwrap_or(0) });
    }
    if list.is_empty() || list.len() > MAX_KINDS {
        reader.wrong(&value.span(), format!("{} kinds of cards; allowed: 1 to {MAX_KINDS}", list.len()));
    }
    let cards: u32 = kinds.iter().map(|kind| u32::from(kind.copies)).sum();
    if cards != DECK && kinds.len() == list.len() {
        reader.wrong(&value.span(), format!("{cards} cards; a deck has {DECK}"));
    }
    kinds
}

/// The faces that are whole, sorted by set, and everything that is wrong with any.
fn read_faces<'t, 'i>(
    reader: &mut Reader<'_>,
    top: (&'t DeTable<'i>, &Range<usize>),
    colours: &[String],
    kinds: &[Kind],
) -> Vec<(Entry<'t, 'i>, Face)> {
    let Some(value) = reader.field("", top, "face") else { return Vec::new() };
    let Some(list) = reader.list("`face`: ", value) else { return Vec::new() };
    let colours: Vec<&str> = colours.iter().map(String::as_str).collect();
    let mut deck = [0; 3];
    for kind in kinds {
        for (sum, value) in deck.iter_mut().zip(kind.values) {
            *sum += u32::from(value) * u32::from(kind.copies);
        }
    }
    let (mut faces, mut ids, mut names) = (Vec::new(), Vec::new(), Vec::new());
    let known = ["set", "id", "name", "points", "cards", "demand", "at", "ability", "colour"];
    for (number, item) in (1..).zip(list) {
        let Some(mut entry) = reader.entry("face", number, item) else { continue };
        let id = read_id(reader, &mut entry, "face", &mut ids, &known);
        let face = read_face(reader, &entry, &colours, &mut names, &deck);
        faces.extend(face.map(|face| (entry, Face { id, ..face })));
    }
    faces.sort_by_key(|(_, face)| face.set);
    check_sets(reader, &value.span(), &faces, &colours, faces.len() == list.len());
    faces
}

/// One face but for its id.
fn read_face(
    reader: &mut Reader<'_>,
    entry: &Entry<'_, '_>,
    colours: &[&str],
    names: &mut Vec<String>,
    deck: &[u32; 3],
) -> Option<Face> {
    let set = entry.word(reader, "set", &SETS);
    let name = entry.text(reader, "name");
    if let Some(name) = &name {
        check_name(reader, &format!("{}`name`", entry.place), MAX_NAME, name, names);
        names.push(name.get_ref().clone());
    }
    let points = whole(reader, entry, "points", 0..=8);
    let cards = whole(reader, entry, "cards", 0..=8);
    let demand = numbers(reader, entry, "demand", [8; 3]);
    if let Some((demand, spans, span)) = &demand {
        if *demand == [0; 3] {
            entry.wrong(reader, span, "`demand` is 0/0/0; an island wants something");
        }
        for resource in Resource::ALL {
            let (wanted, held) = (demand[resource.index()], deck[resource.index()]);
            // Without a card that could be read nothing is known of the deck.
            if u32::from(wanted) > held && *deck != [0; 3] {
                let message = format!("{wanted} {} are more than the {held} of a deck", resource.name());
                entry.wrong(reader, &spans[resource.index()], format_args!("`demand`: {message}"));
            }
        }
    }
    let at = numbers(reader, entry, "at", [3, 2]);
    let named = |reader: &mut Reader<'_>, name, names: &[&str]| {
        entry.has(name).then(|| entry.word(reader, name, names)).flatten()
    };
    let ability = named(reader, "ability", &Ability::NAMES);
    if let (Some((0, _)), Some((_, span))) = (&set, &ability) {
        entry.wrong(reader, span, "an ability in set 0, which has none");
    }
    let colour = named(reader, "colour", colours);
    let strange = entry.has("colour") && colour.is_none();
    let ([s, k], ..) = at.filter(|_| !strange)?;
    let place = 3 * s + k;
    Some(Face {
        id: String::new(),
        name: name?.into_inner(),
        set: set?.0 as u8,
        points: points?,
        cards: cards?,
        demand: demand?.0,
        places: [place, (PLACES - 1) as u8 - place],
        ability: ability.map(|(at, _)| Ability::ALL[at]),
        colour: colour.map(|(at, _)| at as u8),
    })
}

/// What holds for a set as a whole; counts only if every face could be read.
fn check_sets(
    reader: &mut Reader<'_>,
    span: &Range<usize>,
    faces: &[(Entry<'_, '_>, Face)],
    colours: &[&str],
    complete: bool,
) {
    for (number, name) in SETS.iter().enumerate() {
        let set: Vec<_> = faces.iter().filter(|(_, face)| usize::from(face.set) == number).collect();
        if complete && set.len() != SET {
            reader.wrong(span, format!("set {name} has {} faces; there are {SET}", set.len()));
        }
        let coloured = set.iter().any(|(_, face)| face.colour.is_some());
        for (entry, _) in set.iter().filter(|(_, face)| coloured && face.colour.is_none()) {
            entry.wrong(reader, &entry.span, format_args!("no colour; set {name} has colours"));
        }
        for (colour, word) in colours.iter().enumerate() {
            let mut of_colour = set.iter().filter(|(_, face)| face.colour.map(usize::from) == Some(colour));
            if let Some((entry, _)) = of_colour.nth(MOST_OF_COLOUR) {
                let message = format!("more than {MOST_OF_COLOUR} faces of set {name} are {word}");
                entry.wrong(reader, &entry.span, message);
            }
        }
    }
    // Sets 1 and 2 may lie together.
    for (sets, words) in [(&[0][..], "set 0"), (&[1, 2], "sets 1 and 2 together"), (&[3], "set 3")] {
        for ability in BOUNDED {
            let mut having =
                faces.iter().filter(|(_, face)| sets.contains(&face.set) && face.ability == Some(ability));
            if let Some((entry, _)) = having.nth(MOST_OF_ABILITY) {
                let message =
                    format!("more than {MOST_OF_ABILITY} faces of {words} have `{}`", ability.name());
                entry.wrong(reader, &entry.span, message);
            }
        }
    }
}

/// The cards of one deck, by kind.
pub(super) fn deck(kinds: &[Kind]) -> Cards {
    let mut deck = [0; MAX_KINDS];
    for (count, kind) in deck.iter_mut().zip(kinds) {
        *count = kind.copies;
    }
    deck
}
