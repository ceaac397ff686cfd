//! The cards and the islands: reads and checks a content file, and makes tables from it.

use super::map::PLACES;
use super::state::{Ability, Cards, MAX_KINDS, Resource};
use playmat_core::content::{DeTable, DeValue, Reader, quoted};
use playmat_core::prelude::*;
use std::ops::Range;

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

/// An entry's span and what its findings begin with.
struct Place {
    span: Range<usize>,
    words: String,
}

/// Names are compared without regard to case, because texts of actions are.
pub(super) fn same_id(a: &str, b: &str) -> bool {
    a.to_lowercase() == b.to_lowercase()
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
        check_name(reader, "colours: ", "a name", MAX_ID, &name, &colours);
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
    place: &str,
    what: &str,
    longest: usize,
    name: &Spanned<String>,
    before: &[S],
) {
    let (text, span) = (name.get_ref(), name.span());
    let length = text.chars().count();
    if length == 0 {
        reader.wrong(&span, format!("{place}{what} is empty"));
    } else if length > longest {
        reader.wrong(&span, format!("{place}{what} has {length} characters; at most {longest}"));
    }
    if text.trim() != text || text.chars().any(char::is_control) {
        reader
            .wrong(&span, format!("{place}{what} begins or ends with a space or holds a control character"));
    }
    if before.iter().any(|other| same_id(other.as_ref(), text)) {
        reader.wrong(&span, format!("{place}{what} is used above (upper and lower case are alike)"));
    }
}

/// Opens entry `number` of a list: its table, and what its findings begin with.
fn open<'t, 'i>(
    reader: &mut Reader<'_>,
    what: &str,
    number: usize,
    value: &'t Spanned<DeValue<'i>>,
    known: &[&str],
) -> Option<(&'t DeTable<'i>, Place, Option<Spanned<String>>)> {
    let mut place = Place { span: value.span(), words: format!("{what} {number}: ") };
    let table = reader.table(&place.words, value)?;
    let id = reader.field(&place.words, (table, &place.span), "id");
    let id = id.and_then(|id| reader.text(&format!("{}`id`: ", place.words), id));
    if let Some(id) = &id {
        // The name, once it is known, says more than a number.
        place.words = format!("{what} `{}`: ", quoted(id.get_ref()));
    }
    reader.known(&place.words, table, known);
    Some((table, place, id))
}

/// A whole number of a field in a range; `missing` stands for a field that may be left out.
fn number(
    reader: &mut Reader<'_>,
    (table, place): (&DeTable<'_>, &Place),
    name: &str,
    allowed: std::ops::RangeInclusive<i64>,
    missing: Option<u8>,
) -> Option<(u8, Range<usize>)> {
    let there = table.iter().any(|(key, _)| key.get_ref() == name);
    if let (false, Some(value)) = (there, missing) {
        return Some((value, place.span.clone()));
    }
    let value = reader.field(&place.words, (table, &place.span), name)?;
    let value = reader.whole(&format!("{}`{name}`: ", place.words), value)?;
    let (given, span) = (*value.get_ref(), value.span());
    if !allowed.contains(&given) {
        let (low, high) = (allowed.start(), allowed.end());
        reader.wrong(&span, format!("{}`{name}` is {given}; allowed: {low} to {high}", place.words));
    }
    Some((given.clamp(*allowed.start(), *allowed.end()) as u8, span))
}

/// A list of `N` whole numbers, each in the range of its place.
fn numbers<const N: usize>(
    reader: &mut Reader<'_>,
    (table, place): (&DeTable<'_>, &Place),
    name: &str,
    most: [i64; N],
) -> Option<([u8; N], Vec<Range<usize>>, Range<usize>)> {
    let value = reader.field(&place.words, (table, &place.span), name)?;
    let words = format!("{}`{name}`: ", place.words);
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
    for (i, entry) in list.iter().enumerate() {
        let Some((table, place, id)) = open(reader, "card", i + 1, entry, &known) else { continue };
        if let Some(id) = &id {
            check_name(reader, &place.words, "`id`", MAX_ID, id, &ids);
            ids.push(id.get_ref().clone());
        }
        let fields = (table, &place);
        let sail = number(reader, fields, "sail", 1..=15, None);
        let values = Resource::NAMES.map(|name| number(reader, fields, name, 0..=4, Some(0)));
        let copies = number(reader, fields, "copies", 1..=8, None);
        let (Some((sail, _)), [Some(rum), Some(fabric), Some(gems)]) = (sail, values) else { continue };
        let values = [rum.0, fabric.0, gems.0];
        if values.iter().all(|&value| value > 0) {
            let words = &place.words;
            reader.wrong(&place.span, format!("{words}three resources; a card has at most two"));
        }
        let alike = kinds.iter().find(|kind| (kind.sail, kind.values) == (sail, values));
        if let Some(other) = alike {
            reader.wrong(&place.span, format!("{}the same values as `{}`", place.words, other.id));
        }
        let id = id.map_or_else(String::new, Spanned::into_inner);
        kinds.push(Kind { id, sail, values, copies: copies.map_or(0, |(copies, _)| copies) });
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

/// One of a list of names, if the field is there.
fn named(
    reader: &mut Reader<'_>,
    (table, place): (&DeTable<'_>, &Place),
    name: &str,
    names: &[&str],
) -> Option<(usize, Range<usize>)> {
    let value = table.iter().find(|(key, _)| key.get_ref() == name)?.1;
    let text = reader.text(&format!("{}`{name}`: ", place.words), value)?;
    let at = names.iter().position(|known| known == text.get_ref());
    if at.is_none() {
        let (given, allowed) = (quoted(text.get_ref()), names.join(", "));
        let allowed = if names.is_empty() { "none" } else { &allowed };
        reader.wrong(&text.span(), format!("{}`{name}` is `{given}`; allowed: {allowed}", place.words));
    }
    Some((at?, text.span()))
}

/// The faces that are whole, sorted by set, and everything that is wrong with any.
fn read_faces(
    reader: &mut Reader<'_>,
    top: (&DeTable<'_>, &Range<usize>),
    colours: &[String],
    kinds: &[Kind],
) -> Vec<(Place, Face)> {
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
    for (i, entry) in list.iter().enumerate() {
        let known = ["set", "id", "name", "points", "cards", "demand", "at", "ability", "colour"];
        let Some((table, place, id)) = open(reader, "face", i + 1, entry, &known) else { continue };
        if let Some(id) = &id {
            check_name(reader, &place.words, "`id`", MAX_ID, id, &ids);
            ids.push(id.get_ref().clone());
        }
        let face = read_face(reader, (table, &place), &colours, &mut names, &deck);
        faces.extend(
            face.map(|face| (place, Face { id: id.map_or_else(String::new, Spanned::into_inner), ..face })),
        );
    }
    faces.sort_by_key(|(_, face)| face.set);
    check_sets(reader, &value.span(), &faces, &colours, faces.len() == list.len());
    faces
}

/// One face but for its id.
fn read_face(
    reader: &mut Reader<'_>,
    fields: (&DeTable<'_>, &Place),
    colours: &[&str],
    names: &mut Vec<String>,
    deck: &[u32; 3],
) -> Option<Face> {
    let (table, place) = fields;
    reader.field(&place.words, (table, &place.span), "set");
    let set = named(reader, fields, "set", &SETS);
    let name = reader.field(&place.words, (table, &place.span), "name");
    let name = name.and_then(|name| reader.text(&format!("{}`name`: ", place.words), name));
    if let Some(name) = &name {
        check_name(reader, &place.words, "`name`", MAX_NAME, name, names);
        names.push(name.get_ref().clone());
    }
    let points = number(reader, fields, "points", 0..=8, None);
    let cards = number(reader, fields, "cards", 0..=8, None);
    let demand = numbers(reader, fields, "demand", [8; 3]);
    if let Some((demand, spans, span)) = &demand {
        if *demand == [0; 3] {
            reader.wrong(span, format!("{}`demand` is 0/0/0; an island wants something", place.words));
        }
        for resource in Resource::ALL {
            let (wanted, held) = (demand[resource.index()], deck[resource.index()]);
            // Without a card that could be read nothing is known of the deck.
            if u32::from(wanted) > held && *deck != [0; 3] {
                let message = format!("{wanted} {} are more than the {held} of a deck", resource.name());
                reader.wrong(&spans[resource.index()], format!("{}`demand`: {message}", place.words));
            }
        }
    }
    let at = numbers(reader, fields, "at", [3, 2]);
    let ability = named(reader, fields, "ability", &Ability::NAMES);
    if let (Some((0, _)), Some((_, span))) = (&set, &ability) {
        reader.wrong(span, format!("{}an ability in set 0, which has none", place.words));
    }
    let colour = named(reader, fields, "colour", colours);
    let strange = table.iter().any(|(key, _)| key.get_ref() == "colour") && colour.is_none();
    let ([s, k], ..) = at.filter(|_| !strange)?;
    let place = 3 * s + k;
    Some(Face {
        id: String::new(),
        name: name?.into_inner(),
        set: set?.0 as u8,
        points: points?.0,
        cards: cards?.0,
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
    faces: &[(Place, Face)],
    colours: &[&str],
    complete: bool,
) {
    for (number, name) in SETS.iter().enumerate() {
        let set: Vec<&(Place, Face)> =
            faces.iter().filter(|(_, face)| usize::from(face.set) == number).collect();
        if complete && set.len() != SET {
            reader.wrong(span, format!("set {name} has {} faces; there are {SET}", set.len()));
        }
        let coloured = set.iter().any(|(_, face)| face.colour.is_some());
        for (place, _) in set.iter().filter(|(_, face)| coloured && face.colour.is_none()) {
            reader.wrong(&place.span, format!("{}no colour; set {name} has colours", place.words));
        }
        for (colour, word) in colours.iter().enumerate() {
            let mut of_colour = set.iter().filter(|(_, face)| face.colour.map(usize::from) == Some(colour));
            if let Some((place, _)) = of_colour.nth(MOST_OF_COLOUR) {
                let message = format!("more than {MOST_OF_COLOUR} faces of set {name} are {word}");
                reader.wrong(&place.span, format!("{}{message}", place.words));
            }
        }
    }
    // Sets 1 and 2 may lie together.
    for (sets, words) in [(&[0][..], "set 0"), (&[1, 2], "sets 1 and 2 together"), (&[3], "set 3")] {
        for ability in BOUNDED {
            let mut having =
                faces.iter().filter(|(_, face)| sets.contains(&face.set) && face.ability == Some(ability));
            if let Some((place, _)) = having.nth(MOST_OF_ABILITY) {
                let message =
                    format!("more than {MOST_OF_ABILITY} faces of {words} have `{}`", ability.name());
                reader.wrong(&place.span, format!("{}{message}", place.words));
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
