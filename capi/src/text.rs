//! Options as text: JSON or TOML.

use playmat_core::content::{MAX_DEPTH, first_too_deep};
use playmat_core::error::{Error, Result};
use playmat_core::json::{MAX_BYTES, check_size, read_object};
use serde_json::{Map, Value};

/// Reads an object: JSON if the first visible character is `{`, TOML otherwise; empty text has no entries.
///
/// # Errors
/// `Unreadable`, with line and column; also for more than [`MAX_BYTES`].
pub(crate) fn read_options(what: &'static str, text: &str) -> Result<Map<String, Value>> {
    if text.trim_start().starts_with('{') {
        return read_object(what, text);
    }
    check_size(what, text.len(), MAX_BYTES)?;
    if first_too_deep(text).is_some() {
        let message = format!("its lists and tables lie more than {MAX_DEPTH} deep in each other");
        return Err(Error::Unreadable { what, message });
    }
    let table: toml::Table = toml::from_str(text).map_err(|error| Error::Unreadable {
        what,
        message: format!("neither a JSON object nor TOML: {}", error.to_string().trim_end()),
    })?;
    match serde_json::to_value(table) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) | Err(_) => Err(Error::Unreadable { what, message: "a number in it is not finite".into() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_json_or_toml() {
        for text in [r#" {"players": 3, "reward": "score"}"#, "players = 3\nreward = 'score'\n"] {
            let map = read_options("options", text).unwrap();
            assert_eq!(Value::Object(map).to_string(), r#"{"players":3,"reward":"score"}"#);
        }
        assert!(read_options("options", " \n").unwrap().is_empty());
        let said = read_options("options", "players = ").unwrap_err().to_string();
        assert!(
            said.contains("neither a JSON object nor TOML: TOML parse error at line 1, column"),
            "{said}"
        );
        let said = read_options("options", "{\"a\": 1, \"a\": 2}").unwrap_err().to_string();
        assert!(said.contains("there twice at line 1"), "{said}");
        for start in ["{}", "a = 1\n"] {
            let long = format!("{start}{}", " ".repeat(MAX_BYTES + 1 - start.len()));
            let said = read_options("options", &long).unwrap_err().to_string();
            assert_eq!(said, "cannot read options: 1048577 bytes; allowed: 1048576");
        }
        for unit in ["={[a]", "={][a]", "=["] {
            let said =
                read_options("options", &format!("a{}", unit.repeat(100_000))).unwrap_err().to_string();
            assert_eq!(said, "cannot read options: its lists and tables lie more than 64 deep in each other");
        }
        assert!(read_options("options", "a = inf").is_ok_and(|map| map["a"].is_null()));
    }
}
