//! Content files: TOML with spans, so that every finding has a line and a column.
//!
//! Reading takes time linear in the length of the text, for any text: the length and lists are limited, and reading ends at
//! [`Error::LISTED`] findings.

use crate::error::{Error, Finding, Result, nearest};
use crate::info::{GameInfo, fnv1a};
use crate::options::{Options, is_content_text};
use std::ops::Range;
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

mod entry;

pub use entry::{Entry, same};
pub use toml::Spanned;
pub use toml::de::{DeTable, DeValue};

/// Longest title of a content, in characters.
const MAX_TITLE: usize = 40;

/// A content text, selected by name or given as text.
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
                assert!(is_content_text(given), "checked with the options");
                Content { name: "custom".into(), text: given.into(), game }
            }
        }
    }

    /// Hash of the text, part of the game's identity; line endings of either kind give the same.
    pub fn hash(&self) -> u64 {
        fnv1a(self.text.replace("\r\n", "\n").as_bytes())
    }

    /// Most bytes of a text: 256 KiB, nearly twenty times the longest content that comes with the library.
    pub const MAX_BYTES: usize = 1 << 18;

    /// The `title` of the content, empty without one. For contents that a game has read without a finding.
    pub fn title(&self) -> String {
        let Ok(table) = DeTable::parse(&self.text) else { return String::new() };
        match optional(table.get_ref(), "title").map(Spanned::get_ref) {
            Some(DeValue::String(title)) => title.to_string(),
            _ => String::new(),
        }
    }

    /// [`GameInfo::new`] with this content.
    pub fn info(&self, players: usize) -> GameInfo {
        GameInfo {
            content_name: self.name.clone(),
            content_title: self.title(),
            content_hash: self.hash(),
            ..GameInfo::new(self.game, players)
        }
    }

    /// Reads the text as TOML, value by value with their places.
    ///
    /// # Errors
    /// `Content` with the first place at which the text is no TOML, after every key that is there twice before it: what follows a
    /// missing bracket is read wrongly, and findings about it would mislead. `Content` as well for a text of more than
    /// [`Content::MAX_BYTES`].
    pub fn parse(&self) -> Result<Spanned<DeTable<'_>>> {
        let length = self.text.len();
        if length > Content::MAX_BYTES {
            let message = format!("the text has {length} bytes; allowed: {}", Content::MAX_BYTES);
            return Err(self.refuse(vec![(None, message)]));
        }
        if let Some(at) = first_too_deep(&self.text) {
            let message = format!("lists and tables lie more than {MAX_DEPTH} deep in each other");
            return Err(self.refuse(vec![(Some(at), message)]));
        }
        let (table, mut errors) = DeTable::parse_recoverable(&self.text);
        if errors.is_empty() {
            return Ok(table);
        }
        // Errors without a span last. The only one, excessive nesting, follows from others.
        errors.sort_by_key(|error| error.span().map_or(usize::MAX, |span| span.start));
        let mut found = Vec::new();
        for error in errors.iter().take(Error::LISTED) {
            let start = error.span().map(|span| span.start);
            let twice = error.message() == "duplicate key";
            let open = start.filter(|_| !twice).and_then(|at| self.still_open(at)).unwrap_or_default();
            if !twice {
                // The text before it on the same line is misread too: `[type]]` is no second table `type`.
                let line =
                    start.and_then(|at| self.text[..floor_char(&self.text, at)].rfind('\n')).unwrap_or(0);
                found.retain(|(before, _): &(Option<usize>, String)| {
                    start.is_none() || before.is_some_and(|before| before < line)
                });
            }
            found.push((start, format!("{}{open}", error.message())));
            if !twice {
                break;
            }
        }
        Err(self.refuse(found))
    }

    /// Where a list or table that is open at a place was opened, if on an earlier line: that is where its bracket is missing.
    fn still_open(&self, at: usize) -> Option<String> {
        let text = &self.text[..floor_char(&self.text, at)];
        let opened = *open_brackets(text).last()?;
        text[opened..].contains('\n').then(|| {
            let what = if text[opened..].starts_with('[') { "list" } else { "table" };
            let Finding { line, column, .. } = self.findings(vec![(Some(opened), String::new())]).remove(0);
            format!("; a {what} is still open here, opened in line {line}, column {column}")
        })
    }

    /// The refusal with all findings, each with the byte that it is about, in the order of the file; those without one first.
    fn refuse(&self, found: Vec<(Option<usize>, String)>) -> Error {
        Error::Content { game: self.game.into(), findings: self.findings(found) }
    }

    /// Lines and columns, in one pass over the text.
    fn findings(&self, mut found: Vec<(Option<usize>, String)>) -> Vec<Finding> {
        found.sort_by_key(|(start, _)| *start);
        let (mut line, mut line_start, mut at) = (1, 0, 0);
        let place = |(start, message): (Option<usize>, String)| {
            let Some(start) = start else { return Finding { line: 0, column: 0, message } };
            let start = floor_char(&self.text, start);
            let between = &self.text.as_bytes()[at..start];
            line += between.iter().filter(|&&b| b == b'\n').count();
            line_start = between.iter().rposition(|&b| b == b'\n').map_or(line_start, |last| at + last + 1);
            at = start;
            Finding { line, column: self.text[line_start..start].chars().count() + 1, message }
        };
        found.into_iter().map(place).collect()
    }
}

/// How deeply lists and tables of a TOML text may lie in each other.
pub const MAX_DEPTH: usize = 64;

/// The byte of the first bracket of a TOML text that lies in [`MAX_DEPTH`] others. Such a text must not reach the parser: that counts
/// depth too, but loses count where brackets do not match, and then uses up the stack.
pub fn first_too_deep(text: &str) -> Option<usize> {
    let mut too_deep = None;
    walk_brackets(text, |at, open| {
        too_deep = (open.len() >= MAX_DEPTH).then_some(at);
        too_deep.is_none()
    });
    too_deep
}

/// The places of all brackets that a beginning of TOML text leaves open.
fn open_brackets(text: &str) -> Vec<usize> {
    walk_brackets(text, |_, _| true)
}

/// The places of the brackets that are open at the end of a text, or before the opening bracket at which `go_on` says no. A bracket
/// closes the last one if that is of its kind, and none otherwise.
fn walk_brackets(text: &str, mut go_on: impl FnMut(usize, &[usize]) -> bool) -> Vec<usize> {
    let kind = |at: usize| text.as_bytes()[at];
    let mut open: Vec<usize> = Vec::new();
    for token in Source::new(text).lex() {
        let at = token.span().start();
        match token.kind() {
            TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket => {
                if !go_on(at, &open) {
                    break;
                }
                open.push(at);
            }
            TokenKind::RightSquareBracket => drop(open.pop_if(|last| kind(*last) == b'[')),
            TokenKind::RightCurlyBracket => drop(open.pop_if(|last| kind(*last) == b'{')),
            _ => {}
        }
    }
    open
}

/// A text of a content for a message: no line breaks, at most 40 characters.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String = text.escape_debug().take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push_str("...");
    }
    shown
}

/// Takes values out of a content and collects what is wrong with them, so that all findings come at once.
///
/// After [`Error::LISTED`] findings it returns nothing more, and reading ends.
#[derive(Debug)]
pub struct Reader<'c> {
    content: &'c Content,
    found: Vec<(Option<usize>, String)>,
}

impl<'c> Reader<'c> {
    /// Most entries of any list. What a game does with an entry may look at all others.
    pub const MAX_ENTRIES: usize = 256;

    /// Nothing found so far.
    pub fn new(content: &'c Content) -> Reader<'c> {
        Reader { content, found: Vec::new() }
    }

    /// Notes a finding about a part of the text.
    pub fn wrong(&mut self, span: &Range<usize>, message: impl Into<String>) {
        self.note(Some(span.start), message.into());
    }

    /// Notes a finding about the file as a whole.
    pub fn wrong_file(&mut self, message: impl Into<String>) {
        self.note(None, message.into());
    }

    fn note(&mut self, start: Option<usize>, message: String) {
        if !self.is_full() {
            self.found.push((start, message));
        }
    }

    /// Whether [`Error::LISTED`] findings were made: reading stops.
    pub fn is_full(&self) -> bool {
        self.found.len() >= Error::LISTED
    }

    /// Whether nothing was found.
    pub fn is_clean(&self) -> bool {
        self.found.is_empty()
    }

    /// Refuses every field of a table that is not `known`. `place` begins the message: what the table describes.
    pub fn known(&mut self, place: &str, table: &DeTable<'_>, known: &[&str]) {
        for name in table.keys().filter(|name| !known.contains(&name.get_ref().as_ref())) {
            if self.is_full() {
                return;
            }
            let given = quoted(name.get_ref());
            let near = nearest(name.get_ref(), known);
            let message = format!("{place}no field is called `{given}`{near}; fields: {}", known.join(", "));
            self.wrong(&name.span(), message);
        }
    }

    /// The value of a required field; a missing field is reported at `span`, where its table begins.
    pub fn field<'t, 'i>(
        &mut self,
        place: &str,
        (table, span): (&'t DeTable<'i>, &Range<usize>),
        name: &str,
    ) -> Option<&'t Spanned<DeValue<'i>>> {
        if self.is_full() {
            return None;
        }
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
            _ if self.is_full() => None,
            DeValue::String(text) => Some(Spanned::new(value.span(), text.to_string())),
            _ => self.mistyped(place, value, "a text"),
        }
    }

    /// The meaning of a text that must be one of these words.
    pub fn one_of<T: Copy>(
        &mut self,
        place: &str,
        value: &Spanned<DeValue<'_>>,
        words: &[(&str, T)],
    ) -> Option<T> {
        let text = self.text(place, value)?;
        let found = words.iter().find(|(word, _)| word == text.get_ref());
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let (given, near) = (quoted(text.get_ref()), nearest(text.get_ref(), &known));
            self.wrong(&text.span(), format!("{place}`{given}`{near}; allowed: {}", known.join(", ")));
        }
        found.map(|found| found.1)
    }

    /// A value that must be a whole number.
    pub fn whole(&mut self, place: &str, value: &Spanned<DeValue<'_>>) -> Option<Spanned<i64>> {
        if self.is_full() {
            return None;
        }
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

    /// A value that must be a list, of at most [`Reader::MAX_ENTRIES`] entries.
    pub fn list<'t, 'i>(
        &mut self,
        place: &str,
        value: &'t Spanned<DeValue<'i>>,
    ) -> Option<&'t [Spanned<DeValue<'i>>]> {
        match value.get_ref() {
            _ if self.is_full() => None,
            DeValue::Array(items) if items.len() > Reader::MAX_ENTRIES => {
                let message =
                    format!("{place}{} entries; no list has more than {}", items.len(), Reader::MAX_ENTRIES);
                self.wrong(&value.span(), message);
                None
            }
            DeValue::Array(items) => Some(items),
            _ => self.mistyped(place, value, "a list"),
        }
    }

    /// A value that must be a table.
    pub fn table<'t, 'i>(&mut self, place: &str, value: &'t Spanned<DeValue<'i>>) -> Option<&'t DeTable<'i>> {
        match value.get_ref() {
            _ if self.is_full() => None,
            DeValue::Table(table) => Some(table),
            _ => self.mistyped(place, value, "a table"),
        }
    }

    /// The fields that every content has: `name`, the game that it is for, and, optionally, `title`.
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
            let given = quoted(name.get_ref());
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

    /// What is found while a text is read as TOML: line, column, message.
    fn unread(text: &str) -> Vec<(usize, usize, String)> {
        let Err(Error::Content { findings, .. }) = content(text).parse() else { panic!("it is TOML") };
        findings.into_iter().map(|found| (found.line, found.column, found.message)).collect()
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
    fn a_missing_bracket_is_one_finding_with_its_opening_place() {
        let broken =
            "name = \"[#\" # {\na = [\n  1, 2, '['\n\n[[card]]\nid = \"x\"\n[[card]]\nid = [\"y\"]\n";
        let found = unread(broken);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((4..=6).contains(&found[0].0), "{found:?}");
        assert!(found[0].2.ends_with("; a list is still open here, opened in line 2, column 5"), "{found:?}");
        // What is left of a header without one bracket is no second table of the name.
        let found = unread("[[card]]\nid = 1\n[card]]\nid = 2\n[[card]]\n");
        assert!(found.len() == 1 && found[0].0 == 3 && found[0].2 != "duplicate key", "{found:?}");
        let found = unread("a = 1\nb = = 2\nc = }\nd = [1, \n");
        assert!(found.len() == 1 && found[0].0 == 2 && !found[0].2.contains("open"), "{found:?}");
    }

    #[test]
    fn repeated_keys_are_all_found_until_the_text_is_no_toml() {
        let found = unread("b = 1\nb = 2\nc = 1\n  c = 2\nd = \nb = 3\n");
        let places: Vec<_> = found.iter().map(|found| (found.0, found.1)).collect();
        assert_eq!(places, [(2, 1), (4, 3), (5, 5)], "{found:?}");
        assert!(found[0].2 == "duplicate key" && found[1].2 == "duplicate key", "{found:?}");
        assert_eq!(unread(&"x=1\n".repeat(60_000)).len(), Error::LISTED);
    }

    #[test]
    fn deep_texts_are_refused_before_they_use_up_the_stack() {
        let small_stack = std::thread::Builder::new().stack_size(256 << 10);
        let hostile = || {
            // The parser loses count of the depth in the first three.
            for unit in ["={[a]", "={][a]", "=[{[", "=[", "={a", "[", "{", "=[{a=["] {
                for times in [MAX_DEPTH, 200, 5_000, 20_000] {
                    let text = format!("a=1\nb{}", unit.repeat(times));
                    let found = unread(&text[..text.len().min(Content::MAX_BYTES)]);
                    assert!(found[0].0 >= 1 && found.len() == 1, "{unit}: {found:?}");
                }
            }
            let nested = |depth: usize| format!("a={}{}", "[".repeat(depth), "]".repeat(depth));
            content(&nested(MAX_DEPTH)).parse().expect("TOML");
            let found = unread(&nested(MAX_DEPTH + 1));
            let message = "lists and tables lie more than 64 deep in each other";
            assert_eq!(found, [(1, MAX_DEPTH + 3, message.into())]);
            // Brackets in strings and comments do not count, nor do closed ones.
            let flat =
                format!("a = '{}' # {}\nb = [{}]\n", "[".repeat(99), "{".repeat(99), "[],{},".repeat(99));
            content(&flat).parse().expect("TOML");
        };
        small_stack.spawn(hostile).expect("a thread").join().expect("no panic");
    }

    #[test]
    fn a_text_has_a_largest_size() {
        let largest = format!("#{}", " ".repeat(Content::MAX_BYTES - 1));
        content(&largest).parse().unwrap();
        let found = unread(&(largest + " "));
        assert_eq!(found, [(0, 0, "the text has 262145 bytes; allowed: 262144".into())]);
    }

    #[test]
    fn reading_stops_after_twenty_findings_and_lists_are_bounded() {
        let text = format!("strange = 1\nlist = [{}]\n{}", "1,".repeat(300), "x = 1\n".repeat(30));
        let text = text.replace("x = 1", "[[entry]]");
        let content = content(&text);
        let file = content.parse().unwrap();
        let mut reader = Reader::new(&content);
        let list = optional(file.get_ref(), "list").unwrap();
        assert!(reader.list("`list`: ", list).is_none());
        assert_eq!(reader.found[0].1, "`list`: 300 entries; no list has more than 256");
        let entries = reader.list("", optional(file.get_ref(), "entry").unwrap()).unwrap();
        for entry in entries {
            let Some(table) = reader.table("", entry) else { break };
            reader.field("", (table, &entry.span()), "id");
        }
        assert!(reader.is_full() && reader.table("", &entries[0]).is_none());
        assert!(reader.field("", (file.get_ref(), &(0..0)), "name").is_none());
        reader.known("", file.get_ref(), &[]);
        let error = reader.finish().unwrap_err();
        assert!(error.to_string().ends_with("at most 20 are listed: there may be more"), "{error}");
        let Error::Content { findings, .. } = error else { panic!("{error}") };
        assert_eq!(findings.len(), Error::LISTED);
        let lines: Vec<usize> = findings.iter().map(|finding| finding.line).collect();
        assert_eq!(lines, (2..22).collect::<Vec<_>>(), "in the order of the file");
    }

    #[test]
    fn places_count_characters_from_the_line_they_are_in() {
        let text = "ab\n\u{e4}\u{f6} c\n";
        let found =
            content(text).findings(vec![(Some(8), "c".into()), (None, "file".into()), (Some(0), "a".into())]);
        let places: Vec<_> =
            found.iter().map(|found| (found.line, found.column, found.message.as_str())).collect();
        assert_eq!(places, [(0, 0, "file"), (1, 1, "a"), (2, 4, "c")]);
    }
}
