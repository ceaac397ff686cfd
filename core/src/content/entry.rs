//! Entries of the lists of a content, and rules for their ids and names.

use super::{DeTable, DeValue, Reader, Spanned, optional, quoted};
use std::ops::{Range, RangeInclusive};

/// Whether two names are the same to people: upper and lower case are alike, because texts of actions are.
pub fn same(a: &str, b: &str) -> bool {
    a.to_lowercase() == b.to_lowercase()
}

/// A table of a content, with the words that begin every finding about it: `card 3: `, and ``card `ace`: `` once its id is read.
#[derive(Clone, Debug)]
pub struct Entry<'t, 'i> {
    /// Its fields.
    pub table: &'t DeTable<'i>,
    /// Where it stands.
    pub span: Range<usize>,
    /// What findings begin with.
    pub place: String,
}

impl<'t, 'i> Entry<'t, 'i> {
    /// What findings about the value of a field begin with.
    pub fn at(&self, field: &str) -> String {
        format!("{}`{field}`: ", self.place)
    }

    /// Notes a finding about a part of the entry.
    pub fn wrong(&self, reader: &mut Reader<'_>, span: &Range<usize>, message: impl std::fmt::Display) {
        reader.wrong(span, format!("{}{message}", self.place));
    }

    /// Refuses every field that is not `known`.
    pub fn known(&self, reader: &mut Reader<'_>, known: &[&str]) {
        reader.known(&self.place, self.table, known);
    }

    /// Whether a field is there.
    pub fn has(&self, field: &str) -> bool {
        optional(self.table, field).is_some()
    }

    /// The value of a field that must be there.
    pub fn field(&self, reader: &mut Reader<'_>, field: &str) -> Option<&'t Spanned<DeValue<'i>>> {
        reader.field(&self.place, (self.table, &self.span), field)
    }

    /// The text of a field that must be there.
    pub fn text(&self, reader: &mut Reader<'_>, field: &str) -> Option<Spanned<String>> {
        let value = self.field(reader, field)?;
        reader.text(&self.at(field), value)
    }

    /// The `id`, by which findings call the entry from now on: it says more than a number.
    pub fn id(&mut self, reader: &mut Reader<'_>, what: &str) -> Option<Spanned<String>> {
        let id = self.text(reader, "id")?;
        self.place = format!("{what} `{}`: ", quoted(id.get_ref()));
        Some(id)
    }

    /// The whole number of a field that must be there, and where it stands. Of a number outside the range, which is found, the nearest one
    /// inside, so that reading can go on.
    pub fn whole(
        &self,
        reader: &mut Reader<'_>,
        field: &str,
        allowed: RangeInclusive<i64>,
    ) -> Option<(i64, Range<usize>)> {
        let value = self.field(reader, field)?;
        let number = reader.whole(&self.at(field), value)?;
        let (given, span, least, most) = (*number.get_ref(), number.span(), *allowed.start(), *allowed.end());
        if !allowed.contains(&given) {
            self.wrong(reader, &span, format_args!("`{field}` is {given}; allowed: {least} to {most}"));
        }
        Some((given.clamp(least, most), span))
    }

    /// Which of some words the text of a field is that must be there, and where it stands.
    pub fn word(
        &self,
        reader: &mut Reader<'_>,
        field: &str,
        words: &[&str],
    ) -> Option<(usize, Range<usize>)> {
        let text = self.text(reader, field)?;
        let at = words.iter().position(|word| word == text.get_ref());
        if at.is_none() {
            let (given, allowed) = (quoted(text.get_ref()), words.join(", "));
            let allowed = if words.is_empty() { "none" } else { &allowed };
            self.wrong(reader, &text.span(), format_args!("`{field}` is `{given}`; allowed: {allowed}"));
        }
        Some((at?, text.span()))
    }
}

impl Reader<'_> {
    /// Entry `number`, from 1, of a list of `what`, if it is a table.
    pub fn entry<'t, 'i>(
        &mut self,
        what: &str,
        number: usize,
        value: &'t Spanned<DeValue<'i>>,
    ) -> Option<Entry<'t, 'i>> {
        let place = format!("{what} {number}: ");
        let table = self.table(&place, value)?;
        Some(Entry { table, span: value.span(), place })
    }

    /// Checks a name that people read; `what` begins each finding about it: ``card `ace`: `id` ``.
    pub fn check_name(&mut self, what: &str, name: &Spanned<String>, longest: usize) {
        let (text, span) = (name.get_ref(), name.span());
        let length = text.chars().count();
        if length == 0 {
            self.wrong(&span, format!("{what} is empty"));
        } else if length > longest {
            self.wrong(&span, format!("{what} has {length} characters; at most {longest}"));
        }
        self.check_margins(what, name);
    }

    /// Of a name: no spaces around it, no control characters.
    pub fn check_margins(&mut self, what: &str, name: &Spanned<String>) {
        let text = name.get_ref();
        if text.trim() != text || text.chars().any(char::is_control) {
            let message = "begins or ends with a space or holds a control character";
            self.wrong(&name.span(), format!("{what} {message}"));
        }
    }

    /// Checks an id that people type: letters and digits of ASCII, `_`, `-` and `.`.
    pub fn check_word(&mut self, what: &str, id: &Spanned<String>, longest: usize) {
        let given = id.get_ref();
        let fits = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        if given.is_empty() || given.chars().count() > longest || !given.chars().all(fits) {
            let message = "letters, digits, `_`, `-` and `.` of ASCII";
            self.wrong(&id.span(), format!("{what} must be 1 to {longest} {message}"));
        }
    }

    /// Checks a name beside an id of [`Reader::check_word`], in one finding.
    pub fn check_line(&mut self, what: &str, name: &Spanned<String>, longest: usize) {
        let given = name.get_ref();
        let fits = (1..=longest).contains(&given.chars().count());
        if !fits || given.trim() != given || given.contains(char::is_control) {
            let message = "characters without spaces around them";
            self.wrong(&name.span(), format!("{what} must be 1 to {longest} {message}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Content;
    use crate::error::Error;

    /// What is found while `read` reads the entries of `card` of a text.
    fn found(text: &str, mut read: impl FnMut(&mut Reader<'_>, Entry<'_, '_>)) -> Vec<String> {
        let content = Content { name: "custom".into(), text: text.into(), game: "g" };
        let file = content.parse().expect("TOML");
        let mut reader = Reader::new(&content);
        let value = reader.field("", (file.get_ref(), &(0..0)), "card").expect("a list");
        for (number, item) in (1..).zip(reader.list("", value).expect("a list")) {
            let Some(entry) = reader.entry("card", number, item) else { continue };
            read(&mut reader, entry);
        }
        let Err(Error::Content { findings, .. }) = reader.finish() else { return Vec::new() };
        findings
            .into_iter()
            .map(|found| format!("{}:{} {}", found.line, found.column, found.message))
            .collect()
    }

    #[test]
    fn an_entry_is_called_by_its_number_and_then_by_its_id() {
        let text = "card = [\n3,\n{ copies = 12, suit = \"x\" },\n{ id = \"ace\", copies = 2, suit = \"hearts\" },\n]\n";
        let mut read = Vec::new();
        let said = found(text, |reader, mut entry| {
            entry.id(reader, "card");
            let copies = entry.whole(reader, "copies", 1..=9).map(|(copies, _)| copies);
            let suit = entry.word(reader, "suit", &["hearts", "spades"]).map(|(suit, _)| suit);
            entry.known(reader, &["id", "copies"]);
            read.push((copies, suit, entry.has("id")));
        });
        assert_eq!(read, [(Some(9), None, false), (Some(2), Some(0), true)]);
        let expected = [
            "2:1 card 1: integer instead of a table",
            "3:1 card 2: `id` is missing",
            "3:12 card 2: `copies` is 12; allowed: 1 to 9",
            "3:16 card 2: no field is called `suit`; fields: id, copies",
            "3:23 card 2: `suit` is `x`; allowed: hearts, spades",
            "4:27 card `ace`: no field is called `suit`; fields: id, copies",
        ];
        assert_eq!(said, expected);
    }

    #[test]
    fn ids_and_names_have_rules() {
        let said = |check: fn(&mut Reader<'_>, &Spanned<String>), id: &str| {
            let text = format!("[[card]]\nid = {id:?}\n");
            let check = |reader: &mut Reader<'_>, entry: Entry<'_, '_>| {
                let id = entry.text(reader, "id").expect("a text");
                check(reader, &id);
            };
            found(&text, check).join("; ")
        };
        let name = |id: &str| said(|reader, id| reader.check_name("it", id, 4), id);
        assert_eq!([name("ace"), name("")], ["", "2:6 it is empty"]);
        assert_eq!(name("joker"), "2:6 it has 5 characters; at most 4");
        assert_eq!(name(" a"), "2:6 it begins or ends with a space or holds a control character");
        let word = |id: &str| said(|reader, id| reader.check_word("it", id, 4), id);
        let message = "2:6 it must be 1 to 4 letters, digits, `_`, `-` and `.` of ASCII";
        assert_eq!(["a_1.", "", "jokers", "é"].map(word), ["", message, message, message]);
        let line = |id: &str| said(|reader, id| reader.check_line("it", id, 4), id);
        let message = "2:6 it must be 1 to 4 characters without spaces around them";
        assert_eq!(["a é", "", "jokers", "a "].map(line), ["", message, message, message]);
        assert!(same("Éa", "éA") && !same("a", "b"));
    }
}
