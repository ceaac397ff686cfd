//! The cards and ready-made decks: reads and checks a content file, and makes tables by kind from it.

use super::abilities::{self, Names};
use super::cards::Card;
use super::decks;
use super::state::{Cards, DECK};
pub(super) use playmat_core::content::quoted;
use playmat_core::content::{DeTable, DeValue, Entry, Reader, optional};
use playmat_core::prelude::*;
use std::ops::Range;

/// Most Humans and Titans of a content.
const MOST: [usize; 2] = [40, 24];
/// Fewest Titans: a legal deck has three (GV-R1a).
const LEAST_TITANS: usize = 3;
/// Most ready-made decks.
const MAX_DECKS: usize = 32;
/// Longest id and name, in characters.
const MAX_TEXT: [usize; 2] = [20, 40];
/// Sources of decks that are not names of ready-made ones.
pub(super) const SOURCES: [&str; 3] = ["any", "random", "build"];

/// The contents that come with the library.
pub(super) const BUILTIN: &[(&str, &str)] = &[("graven", include_str!("../../content/graven.toml"))];
/// Their names.
pub(super) const NAMES: &[&str] = &["graven"];

/// A ready-made deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck {
    /// Its name.
    pub name: String,
    /// Its thirty cards.
    pub cards: Cards,
}

/// What a content file says, compiled.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    /// By kind: Humans, then Titans.
    pub(super) cards: Vec<Card>,
    /// Number of Humans.
    pub(super) humans: usize,
    /// In the order of the file.
    pub(super) decks: Vec<Deck>,
}

/// Names are compared without regard to case, because texts of actions are.
pub(super) fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// Reads and checks a content file.
///
/// # Errors
/// `Content` with every finding.
pub(super) fn load(content: &Content) -> Result<Compiled> {
    let file = content.parse()?;
    let top = file.get_ref();
    let mut reader = Reader::new(content);
    reader.known("", top, &["name", "title", "card", "deck"]);
    reader.game((top, &(0..0)));
    let names = names(top);
    let cards = cards(&mut reader, top, &names);
    let humans = cards.iter().filter(|card| !card.titan).count();
    if let Some(list) = optional(top, "card").filter(|list| list.get_ref().is_array() && !reader.is_full()) {
        numbers(&mut reader, &list.span(), humans, cards.len() - humans);
    }
    let decks = decks_of(&mut reader, top, &cards, humans);
    reader.finish()?;
    Ok(Compiled { cards, humans, decks })
}

/// What other cards must know of a card before it is read: its type and its timings.
fn names(top: &DeTable<'_>) -> Names {
    let mut names = Names { titans: Vec::new(), timings: Vec::new() };
    let Some(DeValue::Array(items)) = optional(top, "card").map(Spanned::get_ref) else { return names };
    for item in items.iter().take(Reader::MAX_ENTRIES) {
        let table = item.get_ref().as_table();
        let text = |table: &DeTable<'_>, name: &str| match optional(table, name).map(Spanned::get_ref) {
            Some(DeValue::String(text)) => text.to_string(),
            _ => String::new(),
        };
        names.titans.push(table.is_some_and(|table| text(table, "type") == "titan"));
        let abilities = table.and_then(|table| optional(table, "ability")).map(Spanned::get_ref);
        let list = match abilities {
            Some(DeValue::Array(items)) => items.iter().take(Reader::MAX_ENTRIES).collect(),
            _ => Vec::new(),
        };
        let when = list.iter().filter_map(|item| item.get_ref().as_table()).map(|table| text(table, "when"));
        names.timings.push(when.collect());
    }
    names
}

/// Too many or too few cards of a type.
fn numbers(reader: &mut Reader<'_>, span: &Range<usize>, humans: usize, titans: usize) {
    if !(1..=MOST[0]).contains(&humans) {
        reader.wrong(span, format!("{}; allowed: 1 to {}", count(humans as i64, "Human"), MOST[0]));
    }
    if !(LEAST_TITANS..=MOST[1]).contains(&titans) {
        let given = count(titans as i64, "Titan");
        reader.wrong(span, format!("{given}; allowed: {LEAST_TITANS} to {}", MOST[1]));
    }
    let largest = 3 * humans + titans;
    if largest < DECK as usize {
        let message = "from three copies of each Human and one of each Titan; a deck has";
        reader.wrong(span, format!("at most {} {message} {DECK}", count(largest as i64, "card")));
    }
}

/// The entries of a list of tables.
fn entries<'t, 'i>(reader: &mut Reader<'_>, top: &'t DeTable<'i>, name: &str) -> Vec<Entry<'t, 'i>> {
    let Some(value) = optional(top, name) else { return Vec::new() };
    let items = (1..).zip(reader.list(&format!("`{name}`: "), value).unwrap_or_default());
    items.filter_map(|(number, item)| reader.entry(name, number, item)).collect()
}

fn cards(reader: &mut Reader<'_>, top: &DeTable<'_>, names: &Names) -> Vec<Card> {
    if optional(top, "card").is_none() {
        reader.wrong_file("`card` is missing");
    }
    let mut cards: Vec<Card> = Vec::new();
    for (number, mut entry) in entries(reader, top, "card").into_iter().enumerate() {
        let mut card = Card::default();
        if let Some(id) = entry.id(reader, "card") {
            reader.check_word(&format!("{}`id`", entry.place), &id, MAX_TEXT[0]);
            card.id = id.into_inner();
        }
        entry.known(reader, &["id", "name", "type", "ability"]);
        if let Some(name) = entry.text(reader, "name") {
            reader.check_line(&format!("{}`name`", entry.place), &name, MAX_TEXT[1]);
            card.name = name.into_inner();
        }
        unique(reader, &entry, &cards, &card);
        let words = [("human", false), ("titan", true)];
        let type_of = entry.field(reader, "type");
        let type_of = type_of.and_then(|value| reader.one_of(&entry.at("type"), value, &words));
        let after_titan = cards.last().is_some_and(|last| last.titan);
        // A type that was refused accuses no order of cards.
        card.titan = type_of.unwrap_or(after_titan);
        if !card.titan && after_titan {
            let at = optional(entry.table, "type").map_or(entry.span.clone(), Spanned::span);
            entry.wrong(reader, &at, "a Human after a Titan; Humans come first");
        }
        abilities::read(reader, &entry, names, number, &mut card);
        cards.push(card);
    }
    cards
}

/// Ids and names are used once; a card may have its own id as its name.
fn unique(reader: &mut Reader<'_>, entry: &Entry<'_, '_>, before: &[Card], card: &Card) {
    for (field, given) in [("id", &card.id), ("name", &card.name)] {
        let taken = |other: &Card| same(&other.id, given) || same(&other.name, given);
        if !given.is_empty() && before.iter().any(taken) {
            let at = optional(entry.table, field).map_or(0..0, Spanned::span);
            let message = "is used before (upper and lower case are alike)";
            entry.wrong(reader, &at, format_args!("`{field}` {message}"));
        }
    }
}

fn decks_of(reader: &mut Reader<'_>, top: &DeTable<'_>, cards: &[Card], humans: usize) -> Vec<Deck> {
    let list = entries(reader, top, "deck");
    if list.len() > MAX_DECKS {
        let at = optional(top, "deck").map_or(0..0, Spanned::span);
        reader.wrong(&at, format!("{} decks; at most {MAX_DECKS}", list.len()));
    }
    let mut found: Vec<Deck> = Vec::new();
    for mut entry in list {
        entry.known(reader, &["name", "cards"]);
        let mut called = String::new();
        if let Some(name) = entry.text(reader, "name") {
            called = name.get_ref().clone();
            entry.place = format!("deck `{}`: ", quoted(&called));
            reader.check_word(&format!("{}`name`", entry.place), &name, MAX_TEXT[0]);
            let reserved = SOURCES.iter().any(|word| same(word, &called));
            if reserved || found.iter().any(|deck| same(&deck.name, &called)) {
                let why = if reserved { "means something else as an option" } else { "is used before" };
                entry.wrong(reader, &name.span(), format_args!("`name` {why}"));
            }
        }
        let Some(value) = entry.field(reader, "cards") else { continue };
        let Some(table) = reader.table(&entry.at("cards"), value) else { continue };
        let mut listed = decks::Listed::default();
        for (key, value) in table {
            let inner = entry.at(&quoted(key.get_ref()));
            let Some(copies) = reader.whole(&inner, value) else { continue };
            let (given, span) = (*copies.get_ref(), key.span());
            if !(1..=99).contains(&given) {
                reader.wrong(&copies.span(), format!("{inner}{given} copies; allowed: 1 to 3"));
                continue;
            }
            if let Some(problem) = listed.add(cards, key.get_ref(), given as u32) {
                entry.wrong(reader, &span, problem);
            }
        }
        for problem in listed.problems(cards, humans) {
            entry.wrong(reader, &value.span(), problem);
        }
        found.push(Deck { name: called, cards: listed.cards() });
    }
    found
}
