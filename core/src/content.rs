//! Content files: TOML with spans, so that every finding has a line and a column.

use crate::error::{Error, Finding, Result};
use crate::info::fnv1a;
use crate::options::{Options, is_content_text};
use serde::de::DeserializeOwned;
use std::ops::Range;

pub use toml::Spanned;

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

    /// Hash of the text, part of the game's identity.
    pub fn hash(&self) -> u64 {
        fnv1a(self.text.as_bytes())
    }

    /// Reads the text into a type that denies unknown fields.
    ///
    /// # Errors
    /// `Content` with the first thing that does not fit the type, at its line and column.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        toml::from_str(&self.text).map_err(|error| {
            let finding = match error.span() {
                Some(span) => self.finding(&span, error.message()),
                None => Finding { line: 0, column: 0, message: error.message().into() },
            };
            self.refuse(vec![finding])
        })
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

fn floor_char(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}
