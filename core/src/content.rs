//! Content files: TOML with spans, so that every finding has a line and a column.

use crate::error::{Error, Finding, Result, nearest};
use crate::info::fnv1a;
use crate::options::{Options, is_content_text};
use std::ops::Range;

pub use toml::Spanned;
pub use toml::de::{DeTable, DeValue};

/// Longest title of a content, in characters.
const MAX_TITLE: usize = 40;

/// A content text that was asked for by name or given whole.
#[derive(Clone, Debug)]
pub struct Content {
    /// `custom` for a text that was given.
    pub name: String,
    /// TOML.
    pub text: String,
    game: &'static str,
}

impl Content {
    /// The text behind option `content`: one of `builtin` (name, text), or the text itself.
    pub fn from_options(
        game: &'static str,
        options: &Options,
        builtin: &[(&'static str, &'static str)],
    ) -> Content {
        let given = options.str("content");
        match builtin.iter().find(|(name, _)| *name == given) {
            Some((name, text)) => Content { name: (*name).into(), text: (*text).into(), game },
            None => {
                debug_assert!(is_content_text(given), "checked with the options");
                Content { name: "custom".into(), text: given.into(), game }
            }
        }
    }

    /// Hash of the text, part of the game's identity; line endings of either kind give the same.
    pub fn hash(&self) -> u64 {
        fnv1a(self.text.replace("\r\n", "\n").as_bytes())
    }

    /// What the content calls itself: its `title`, empty without one. For contents that a game has read without a finding.
    pub fn title(&self) -> String {
        let (table, _) = DeTable::parse_recoverable(&self.text);
        match optional(table.get_ref(), "title").map(Spanned::get_ref) {
            Some(DeValue::String(title)) => title.to_string(),
            _ => String::new(),
        }
    }

    /// Reads the text as TOML, value by value with their places.
    ///
    /// # Errors
    /// `Content` with everything that is no TOML.
    pub fn parse(&self) -> Result<Spanned<DeTable<'_>>> {
        let (table, errors) = DeTable::parse_recoverable(&self.text);
        if errors.is_empty() {
            return Ok(table);
        }
        let finding = |error: &toml::de::Error| match error.span() {
            Some(span) => self.finding(&span, error.message()),
            None => Finding { line: 0, column: 0, message: error.message().into() },
        };
        Err(self.refuse(errors.iter().map(finding).collect()))
    }

    /// A finding about a part of the text.
    pub fn finding(&self, span: &Range<usize>, message: impl Into<String>) -> Finding {
        let before = &self.text[..floor_char(&self.text, span.start)];
        let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        Finding { line, column, message: message.into() }
    }

    /// The refusal with all findings, in the order of the file.
    pub fn refuse(&self, mut findings: Vec<Finding>) -> Error {
        findings.sort_by_key(|f| (f.line, f.column));
        Error::Content { game: self.game.into(), findings }
    }
}

/// Takes values out of a content and collects what is wrong with them, so that all findings come at once.
#[derive(Debug)]
pub struct Reader<'c> {
    content: &'c Content,
    found: Vec<Finding>,
}

impl<'c> Reader<'c> {
    /// Nothing found so far.
    pub fn new(content: &'c Content) -> Reader<'c> {
        Reader { content, found: Vec::new() }
    }

    /// Notes a finding about a part of the text.
    pub fn wrong(&mut self, span: &Range<usize>, message: impl Into<String>) {
        self.found.push(self.content.finding(span, message));
    }

    /// Notes a finding about the file as a whole.
    pub fn wrong_file(&mut self, message: impl Into<String>) {
        self.found.push(Finding { line: 0, column: 0, message: message.into() });
    }

    /// Whether nothing was found.
    pub fn is_clean(&self) -> bool {
        self.found.is_empty()
    }

    /// Refuses every field of a table that is not `known`. `place` begins the message: what the table describes.
    pub fn known(&mut self, place: &str, table: &DeTable<'_>, known: &[&str]) {
        for name in table.keys().filter(|name| !known.contains(&name.get_ref().as_ref())) {
            let given = name.get_ref().escape_debug();
            let near = nearest(name.get_ref(), known);
            let message = format!("{place}no field is called `{given}`{near}; fields: {}", known.join(", "));
            self.wrong(&name.span(), message);
        }
    }

    /// The value of a field that must be there; if it lacks, that is found at `span`, where its table begins.
    pub fn field<'t, 'i>(
        &mut self,
        place: &str,
        (table, span): (&'t DeTable<'i>, &Range<usize>),
        name: &str,
    ) -> Option<&'t Spanned<DeValue<'i>>> {
        let found = optional(table, name);
        if found.is_none() {
            self.wrong(span, format!("{place}`{name}` is missing"));
        }
        found
    }

    fn mistyped<T>(&mut self, place: &str, value: &Spanned<DeValue<'_>>, wanted: &str) -> Option<T> {
        let found = value.get_ref().type_str();
        self.wrong(&value.span(), format!("{place}{found} instead of {wanted}"));
        None
    }

    /// A value that must be a text.
    pub fn text(&mut self, place: &str, value: &Spanned<DeValue<'_>>) -> Option<Spanned<String>> {
        match value.get_ref() {
            DeValue::String(text) => Some(Spanned::new(value.span(), text.to_string())),
            _ => self.mistyped(place, value, "a text"),
        }
    }

    /// A value that must be a whole number.
    pub fn whole(&mut self, place: &str, value: &Spanned<DeValue<'_>>) -> Option<Spanned<i64>> {
        let DeValue::Integer(number) = value.get_ref() else {
            return self.mistyped(place, value, "a whole number");
        };
        let Ok(number) = i64::from_str_radix(number.as_str(), number.radix()) else {
            self.wrong(&value.span(), format!("{place}a number beyond 64 bits"));
            return None;
        };
        Some(Spanned::new(value.span(), number))
    }

    /// A value that must be a whole number of a range, both ends included.
    pub fn whole_within(
        &mut self,
        place: &str,
        value: &Spanned<DeValue<'_>>,
        (least, most): (i64, i64),
    ) -> Option<i64> {
        let number = self.whole(place, value)?;
        let given = *number.get_ref();
        if !(least..=most).contains(&given) {
            self.wrong(&number.span(), format!("{place}{given}; allowed: {least} to {most}"));
            return None;
        }
        Some(given)
    }

    /// A value that must be a list.
    pub fn list<'t, 'i>(
        &mut self,
        place: &str,
        value: &'t Spanned<DeValue<'i>>,
    ) -> Option<&'t [Spanned<DeValue<'i>>]> {
        match value.get_ref() {
            DeValue::Array(items) => Some(items),
            _ => self.mistyped(place, value, "a list"),
        }
    }

    /// A value that must be a table.
    pub fn table<'t, 'i>(&mut self, place: &str, value: &'t Spanned<DeValue<'i>>) -> Option<&'t DeTable<'i>> {
        match value.get_ref() {
            DeValue::Table(table) => Some(table),
            _ => self.mistyped(place, value, "a table"),
        }
    }

    /// The fields that every content has: `name`, the game that it is for, and, if it likes, `title`, what it calls itself.
    pub fn game(&mut self, table: (&DeTable<'_>, &Range<usize>)) {
        if let Some(title) = optional(table.0, "title").and_then(|title| self.text("`title`: ", title)) {
            let given = title.get_ref();
            let fits = (1..=MAX_TITLE).contains(&given.chars().count());
            if !fits || given.trim() != given || given.contains(char::is_control) {
                let message = "characters in one line, without spaces around them";
                self.wrong(&title.span(), format!("`title` must be 1 to {MAX_TITLE} {message}"));
            }
        }
        let Some(value) = self.field("", table, "name") else { return };
        let game = self.content.game;
        if let Some(name) = self.text("`name`: ", value)
            && name.get_ref() != game
        {
            let given = name.get_ref().escape_debug().take(60).collect::<String>();
            self.wrong(
                &name.span(),
                format!("`name` is `{given}`; a content of this game is called `{game}`"),
            );
        }
    }

    /// The refusal with all findings.
    ///
    /// # Errors
    /// `Content`, if anything was found.
    pub fn finish(self) -> Result<()> {
        if self.found.is_empty() { Ok(()) } else { Err(self.content.refuse(self.found)) }
    }
}

/// The value of a field that may be missing.
pub fn optional<'t, 'i>(table: &'t DeTable<'i>, name: &str) -> Option<&'t Spanned<DeValue<'i>>> {
    table.iter().find(|(key, _)| key.get_ref() == name).map(|(_, value)| value)
}

fn floor_char(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(text: &str) -> Content {
        Content { name: "custom".into(), text: text.into(), game: "g" }
    }

    #[test]
    fn line_endings_do_not_change_the_hash() {
        let hash = |text: &str| content(text).hash();
        assert_eq!(hash("a = 1\r\nb = 2\r\n"), hash("a = 1\nb = 2\n"));
        assert_ne!(hash("a = 1\n\nb = 2\n"), hash("a = 1\nb = 2\n"));
    }

    #[test]
    fn a_content_may_have_a_title_and_a_bad_one_is_found() {
        let found = |text: &str| {
            let content = content(text);
            let file = content.parse().expect("TOML");
            let mut reader = Reader::new(&content);
            reader.game((file.get_ref(), &(0..0)));
            (content.title(), reader.finish().err().map(|error| error.to_string()).unwrap_or_default())
        };
        assert_eq!(found("name = \"g\""), (String::new(), String::new()));
        assert_eq!(found("name = \"g\"\ntitle = \"Night\""), ("Night".into(), String::new()));
        for title in ["\"\"", "\" Night\"", "\"a\\nb\"", &format!("\"{}\"", "x".repeat(MAX_TITLE + 1))] {
            let (_, message) = found(&format!("name = \"g\"\ntitle = {title}"));
            assert!(message.contains("`title` must be 1 to 40 characters"), "{title}: {message}");
        }
        assert!(found("name = \"g\"\ntitle = 3").1.contains("integer instead of a text"));
    }

    #[test]
    fn everything_that_is_no_toml_is_found() {
        let Err(Error::Content { findings, .. }) = content("a = \nb = 1\nb = 2\nc = [1, \n").parse() else {
            panic!("it is no TOML");
        };
        let lines: Vec<_> = findings.iter().map(|finding| finding.line).collect();
        assert!(lines.contains(&1) && lines.contains(&3), "{findings:?}");
    }
}
