//! The closed grammar of scores and badges: from tables of a content file to clauses and needs.
//!
//! ```text
//! clause = { points, per = { count, in }, if = { count, in, min, max, parity }, else }
//! need   = { count | adjacent = [A, B] | most = true | run = true | twins = true, min, max, parity }
//! count  = "cards" | "unique" | [types] | { card = id }        in = "row" | "left" | "right" | "next"
//! ```

use super::content::{Names, TypeText};
use super::score::{Bounds, Clause, Count, Form, Need, Region};
use super::state::{Kind, MAX_TYPES};
use playmat_core::content::{DeTable, DeValue, Reader, optional, quoted};
use playmat_core::prelude::*;
use std::ops::Range;

/// Most clauses of a kind.
pub(super) const MAX_CLAUSES: usize = 2;
/// Most needs of a badge.
pub(super) const MAX_NEEDS: usize = 4;
/// Most points of a clause, either way.
const MAX_POINTS: i64 = 20;

/// A kind that a score names, and where.
pub(super) type Reference = (Kind, Range<usize>);

/// A clause with what only people and checks want to know.
pub(super) struct ReadClause {
    pub(super) clause: Clause,
    /// In words.
    pub(super) text: String,
    /// Types that fulfil its `next` test over a set of types.
    pub(super) wanted: u8,
    pub(super) references: Vec<Reference>,
    /// What self-play is to show: the icons of the clause.
    pub(super) icons: Vec<&'static str>,
}

/// A need with its words.
pub(super) struct ReadNeed {
    pub(super) need: Need,
    pub(super) text: String,
    pub(super) span: Range<usize>,
}

/// What is counted, before the region.
struct What {
    set: u8,
    all: bool,
    unique: bool,
    kind: Option<Kind>,
    text: String,
}

impl What {
    fn count(&self, region: Region) -> Count {
        let bytes =
            (0..MAX_TYPES).filter(|ty| self.set >> ty & 1 != 0).fold(0, |set, ty| set | 0xff << (8 * ty));
        Count {
            set: if self.all { u64::MAX } else { bytes },
            types: if self.all { u8::MAX } else { self.set },
            unique: self.unique,
            kind: self.kind.map_or(0, Kind::code),
            region,
            place: 2 * region as u8 + u8::from(self.unique),
        }
    }
}

/// A list of types as bits; findings name every unknown one.
pub(super) fn type_set(
    reader: &mut Reader<'_>,
    names: &Names<'_>,
    place: &str,
    value: &Spanned<DeValue<'_>>,
) -> Option<u8> {
    let (mut set, mut good) = (0u8, true);
    for item in reader.list(place, value)? {
        let Some(id) = reader.text(place, item) else {
            good = false;
            continue;
        };
        match names.types.iter().position(|ty| ty.id == *id.get_ref()) {
            Some(ty) if set >> ty & 1 != 0 => {
                good = false;
                reader.wrong(&id.span(), format!("{place}`{}` is there twice", quoted(id.get_ref())));
            }
            Some(ty) => set |= 1 << ty,
            None => {
                good = false;
                let known: Vec<&str> = names.types.iter().map(|ty| ty.id.as_str()).collect();
                let (given, known) = (quoted(id.get_ref()), known.join(", "));
                reader.wrong(&id.span(), format!("{place}no type is called `{given}`; types: {known}"));
            }
        }
    }
    good.then_some(set)
}

fn type_words(types: &[TypeText], set: u8) -> String {
    let names = types.iter().enumerate().filter(|(ty, _)| set >> ty & 1 != 0);
    names.map(|(_, ty)| ty.name.as_str()).collect::<Vec<_>>().join("/")
}

fn what(
    reader: &mut Reader<'_>,
    names: &Names<'_>,
    place: &str,
    value: &Spanned<DeValue<'_>>,
    references: &mut Vec<Reference>,
) -> Option<What> {
    let none = What { set: 0, all: false, unique: false, kind: None, text: String::new() };
    match value.get_ref() {
        DeValue::Array(items) => {
            if items.is_empty() {
                reader.wrong(&value.span(), format!("{place}an empty list counts nothing"));
                return None;
            }
            let set = type_set(reader, names, place, value)?;
            Some(What { set, text: type_words(names.types, set), ..none })
        }
        DeValue::Table(table) => {
            reader.known(place, table, &["card"]);
            let card = reader.field(place, (table, &value.span()), "card")?;
            let id = reader.text(place, card)?;
            let Some(kind) = names.cards.iter().position(|card| card == id.get_ref()) else {
                let given = quoted(id.get_ref());
                reader.wrong(&id.span(), format!("{place}no card is called `{given}`"));
                return None;
            };
            let kind = Kind(kind as u8);
            references.push((kind, id.span()));
            Some(What { kind: Some(kind), text: names.card_names[kind.index()].clone(), ..none })
        }
        _ => {
            let words = [("cards", false), ("unique", true)];
            let unique = reader.one_of(
                &format!("{place}a list of types, {{ card = id }}, or a word: "),
                value,
                &words,
            )?;
            let text = if unique { "types" } else { "cards" };
            Some(What { all: true, unique, text: text.into(), ..none })
        }
    }
}

const REGIONS: [(&str, Region); 4] =
    [("row", Region::Row), ("left", Region::Left), ("right", Region::Right), ("next", Region::Next)];

fn region_words(region: Region) -> &'static str {
    match region {
        Region::Row | Region::One => "",
        Region::Left => " left",
        Region::Right => " right",
        Region::Next => " next",
    }
}

/// `count` and `in` of a table.
fn count(
    reader: &mut Reader<'_>,
    names: &Names<'_>,
    place: &str,
    fields: (&DeTable<'_>, &Range<usize>),
    references: &mut Vec<Reference>,
) -> Option<(What, Region)> {
    let region =
        optional(fields.0, "in").map(|value| reader.one_of(&format!("{place}`in`: "), value, &REGIONS));
    let given = reader.field(place, fields, "count")?;
    let what = what(reader, names, &format!("{place}`count`: "), given, references)?;
    Some((what, region.unwrap_or(Some(Region::Row))?))
}

/// `min`, `max`, `parity` of a table, and their words.
fn bounds(
    reader: &mut Reader<'_>,
    place: &str,
    (table, span): (&DeTable<'_>, &Range<usize>),
) -> Option<(Bounds, String)> {
    let limit = |reader: &mut Reader<'_>, name: &str| match optional(table, name) {
        None => Some(None),
        Some(value) => reader
            .whole_within(&format!("{place}`{name}`: "), value, (0, 255))
            .map(|n| Some((n as u8, value.span()))),
    };
    let (min, max) = (limit(reader, "min"), limit(reader, "max"));
    let parity = match optional(table, "parity") {
        None => Some(None),
        Some(value) => {
            reader.one_of(&format!("{place}`parity`: "), value, &[("even", 0u8), ("odd", 1)]).map(Some)
        }
    };
    let (min, max, parity) = (min?, max?, parity?);
    if min.is_none() && max.is_none() && parity.is_none() {
        reader.wrong(span, format!("{place}neither `min` nor `max` nor `parity`: it always holds"));
        return None;
    }
    let (low, high) = (min.as_ref().map_or(0, |m| m.0), max.as_ref().map_or(u8::MAX, |m| m.0));
    if low > high {
        let at = min.or(max).map_or(span.clone(), |m| m.1);
        reader.wrong(&at, format!("{place}`min` is {low}, above `max`, which is {high}"));
        return None;
    }
    let bounds =
        Bounds { min: low, max: high, parity_mask: u8::from(parity.is_some()), parity: parity.unwrap_or(0) };
    let mut words = match (low, high) {
        (0, u8::MAX) => String::new(),
        (low, high) if low == high => format!(" = {low}"),
        (low, u8::MAX) => format!(" >= {low}"),
        (0, high) => format!(" <= {high}"),
        (low, high) => format!(" {low} to {high}"),
    };
    if let Some(parity) = parity {
        words.push_str(if parity == 0 { " even" } else { " odd" });
    }
    Some((bounds, words))
}

/// The list `score` of a card.
pub(super) fn clauses(
    reader: &mut Reader<'_>,
    names: &Names<'_>,
    place: &str,
    value: &Spanned<DeValue<'_>>,
) -> Option<Vec<ReadClause>> {
    let place = format!("{place}`score`: ");
    let items = reader.list(&place, value)?;
    if items.len() > MAX_CLAUSES {
        reader.wrong(&value.span(), format!("{place}{} clauses; at most {MAX_CLAUSES}", items.len()));
    }
    let all: Vec<_> = items.iter().map(|item| clause(reader, names, &place, item)).collect();
    all.into_iter().collect()
}

fn clause(
    reader: &mut Reader<'_>,
    names: &Names<'_>,
    place: &str,
    value: &Spanned<DeValue<'_>>,
) -> Option<ReadClause> {
    let table = reader.table(place, value)?;
    reader.known(place, table, &["points", "per", "if", "else"]);
    let range = (-MAX_POINTS, MAX_POINTS);
    let points = reader.field(place, (table, &value.span()), "points");
    let points = points.and_then(|value| reader.whole_within(&format!("{place}`points`: "), value, range));
    let other =
        optional(table, "else").map(|value| reader.whole_within(&format!("{place}`else`: "), value, range));
    let (mut references, mut icons) = (Vec::new(), vec!["points"]);
    let per = optional(table, "per").map(|value| {
        let place = format!("{place}`per`: ");
        let table = reader.table(&place, value)?;
        reader.known(&place, table, &["count", "in"]);
        count(reader, names, &place, (table, &value.span()), &mut references)
    });
    let test = optional(table, "if").map(|value| {
        let place = format!("{place}`if`: ");
        let table = reader.table(&place, value)?;
        reader.known(&place, table, &["count", "in", "min", "max", "parity"]);
        let fields = (table, &value.span());
        let counted = count(reader, names, &place, fields, &mut references);
        let bounds = bounds(reader, &place, fields);
        Some((counted?, bounds?))
    });
    if test.is_none() && other.is_some() {
        reader.wrong(&value.span(), format!("{place}`else` without `if`"));
        return None;
    }
    let (points, other) = (points? as i32, other.unwrap_or(Some(0))? as i32);
    let mut clause = Clause { points, per: Count::ONE, test: Count::ONE, bounds: Bounds::ANY, other };
    let (mut text, mut wanted) = (points.to_string(), 0);
    if let Some(per) = per {
        let (what, region) = per?;
        clause.per = what.count(region);
        text = format!("{points} x {}{}", what.text, region_words(region));
        icons.push("multiply");
        note_icons(&what, region, &mut icons);
    }
    if let Some(test) = test {
        let ((what, region), (bounds, words)) = test?;
        (clause.test, clause.bounds) = (what.count(region), bounds);
        let one = region == Region::Next && words == " >= 1";
        text = match one {
            true => format!("{text} if next is {}", what.text),
            false => format!("{text} if {}{}{words}", what.text, region_words(region)),
        };
        if clause.other != 0 {
            text.push_str(&format!(", else {}", clause.other));
            icons.push("or");
        }
        if bounds.parity_mask != 0 {
            icons.push("even");
        }
        if what.kind.is_some() {
            icons.push("if");
        }
        note_icons(&what, region, &mut icons);
        if region == Region::Next && what.kind.is_none() && !what.all {
            let fulfils = |ty: &usize| bounds.holds(i32::from(what.set >> ty & 1));
            wanted = (0..names.types.len()).filter(fulfils).fold(0, |set, ty| set | 1 << ty);
        }
    }
    icons.sort_unstable();
    icons.dedup();
    Some(ReadClause { clause, text, wanted, references, icons })
}

/// The icons of the rulebook's list that a count is made of.
fn note_icons(what: &What, region: Region, icons: &mut Vec<&'static str>) {
    icons.push(match (what.kind, what.unique, what.all) {
        (Some(_), ..) => "specific card",
        (_, true, _) => "unique",
        (_, _, true) => "cards",
        _ => "types",
    });
    match region {
        Region::Left => icons.push("left"),
        Region::Right => icons.push("right"),
        Region::Next => icons.push("next"),
        Region::Row | Region::One => {}
    }
}

/// The list `needs` of a badge.
pub(super) fn needs(
    reader: &mut Reader<'_>,
    names: &Names<'_>,
    place: &str,
    value: &Spanned<DeValue<'_>>,
) -> Option<Vec<ReadNeed>> {
    let place = format!("{place}`needs`: ");
    let items = reader.list(&place, value)?;
    if items.is_empty() || items.len() > MAX_NEEDS {
        reader.wrong(&value.span(), format!("{place}{} needs; allowed: 1 to {MAX_NEEDS}", items.len()));
    }
    let all: Vec<_> = items.iter().map(|item| need(reader, names, &place, item)).collect();
    all.into_iter().collect()
}

const FORMS: [&str; 5] = ["count", "adjacent", "most", "run", "twins"];

fn need(
    reader: &mut Reader<'_>,
    names: &Names<'_>,
    place: &str,
    value: &Spanned<DeValue<'_>>,
) -> Option<ReadNeed> {
    let table = reader.table(place, value)?;
    let span = value.span();
    reader.known(place, table, &["count", "adjacent", "most", "run", "twins", "min", "max", "parity"]);
    let given: Vec<&str> = FORMS.into_iter().filter(|form| optional(table, form).is_some()).collect();
    let [form] = given.as_slice() else {
        let found = if given.is_empty() { "none".into() } else { given.join(" and ") };
        reader.wrong(&span, format!("{place}{found} of {}; one is needed", FORMS.join(", ")));
        return None;
    };
    let bounds = bounds(reader, place, (table, &span));
    let field = optional(table, form)?;
    let inner = format!("{place}`{form}`: ");
    let (form, text) = match *form {
        "count" => {
            let what = what(reader, names, &inner, field, &mut Vec::new())?;
            (Form::Count(what.count(Region::Row)), what.text)
        }
        "adjacent" => {
            let sets = reader.list(&inner, field)?;
            let [a, b] = sets else {
                reader.wrong(&field.span(), format!("{inner}{} lists of types; two are needed", sets.len()));
                return None;
            };
            let sets = [a, b].map(|set| type_set(reader, names, &inner, set));
            let (a, b) = (sets[0]?, sets[1]?);
            if a == 0 || b == 0 {
                reader.wrong(&field.span(), format!("{inner}an empty list counts nothing"));
                return None;
            }
            let words = format!("{} next to {}", type_words(names.types, a), type_words(names.types, b));
            (Form::Adjacent(a, b), words)
        }
        name => {
            if !matches!(field.get_ref(), DeValue::Boolean(true)) {
                reader.wrong(&field.span(), format!("{inner}only `true` is allowed"));
                return None;
            }
            match name {
                "most" => (Form::Most, "of one type".into()),
                "run" => (Form::Run, "of one type in a line".into()),
                _ => (Form::Twins, "neighbouring pairs of one type".into()),
            }
        }
    };
    let (bounds, words) = bounds?;
    Some(ReadNeed { need: Need::new(form, bounds), text: format!("{text}{words}"), span })
}
