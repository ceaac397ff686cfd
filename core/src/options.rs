//! Configuration of a game: declared options, checked values, one canonical form.
//!
//! ```
//! use playmat_core::options::{OptionSpec, Options};
//! use serde_json::{Map, json};
//!
//! let specs = [
//!     OptionSpec::int("players", 2, 4, 2, "number of players"),
//!     OptionSpec::bool("open", false, "whether hands are seen by all"),
//! ];
//! let given = Map::from_iter([("players".to_string(), json!(3))]);
//! let options = Options::check("my_game", &specs, &given)?;
//! assert_eq!((options.int("players"), options.bool("open")), (3, false));
//!
//! let wrong = Map::from_iter([("player".to_string(), json!(3))]);
//! let message = Options::check("my_game", &specs, &wrong).expect_err("no such option").to_string();
//! assert!(message.contains("players"), "the message names the option that was meant: {message}");
//! # Ok::<(), playmat_core::error::Error>(())
//! ```

use crate::error::{Error, Result, nearest};
use crate::player::Player;
use serde_json::{Map, Value, json};

/// The values that an option accepts.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionKind {
    /// A whole number in `min..=max`.
    Int {
        /// Smallest.
        min: i64,
        /// Largest.
        max: i64,
    },
    /// True or false.
    Bool,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// The name of a content file that comes with the library, or TOML text. Python and the command line also take the path
    /// of a file, and hand its text on.
    Content(&'static [&'static str]),
    /// JSON that the game itself checks in [`Game::new`](crate::game::Game::new); the text says what is allowed.
    Json(&'static str),
}

/// One declared option.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionSpec {
    /// Name.
    pub name: &'static str,
    /// Type and range.
    pub kind: OptionKind,
    /// Value if none is given.
    pub default: Value,
    /// One sentence.
    pub doc: &'static str,
}

impl OptionSpec {
    /// A whole number.
    pub fn int(name: &'static str, min: i64, max: i64, default: i64, doc: &'static str) -> OptionSpec {
        OptionSpec { name, kind: OptionKind::Int { min, max }, default: default.into(), doc }
    }

    /// True or false.
    pub fn bool(name: &'static str, default: bool, doc: &'static str) -> OptionSpec {
        OptionSpec { name, kind: OptionKind::Bool, default: default.into(), doc }
    }

    /// One of several words; the first is the default.
    pub fn choice(name: &'static str, words: &'static [&'static str], doc: &'static str) -> OptionSpec {
        OptionSpec { name, kind: OptionKind::Choice(words), default: words[0].into(), doc }
    }

    /// Content by name or as TOML text; the first name is the default.
    pub fn content(names: &'static [&'static str]) -> OptionSpec {
        let doc = "content file that comes with the library, by name, or TOML text";
        OptionSpec { name: "content", kind: OptionKind::Content(names), default: names[0].into(), doc }
    }

    /// JSON that the game checks; `allowed` says in words what it may be.
    pub fn json(
        name: &'static str,
        allowed: &'static str,
        default: impl Into<Value>,
        doc: &'static str,
    ) -> OptionSpec {
        OptionSpec { name, kind: OptionKind::Json(allowed), default: default.into(), doc }
    }

    /// The option `first_player`, which [`Options::first_player`] reads.
    pub fn first_player(default: impl Into<Value>) -> OptionSpec {
        let doc = "who has the first turn: `random`, or a player";
        OptionSpec::json("first_player", "`random`, or a player", default, doc)
    }

    /// The values in words.
    pub fn allowed(&self) -> String {
        match &self.kind {
            OptionKind::Int { min, max } => format!("a whole number from {min} to {max}"),
            OptionKind::Bool => "true or false".into(),
            OptionKind::Choice(words) => {
                words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")
            }
            OptionKind::Content(names) => {
                let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
                format!(
                    "{}, TOML text, or (in Python, on the command line) the path of a `.toml` file",
                    names.join(", ")
                )
            }
            OptionKind::Json(text) => (*text).into(),
        }
    }

    /// The declaration as JSON, for hosts that show or build forms from it.
    pub fn to_json(&self) -> Value {
        let (kind, range) = match &self.kind {
            OptionKind::Int { min, max } => ("int", json!([min, max])),
            OptionKind::Bool => ("bool", Value::Null),
            OptionKind::Choice(words) => ("choice", json!(words)),
            OptionKind::Content(names) => ("content", json!(names)),
            OptionKind::Json(_) => ("json", Value::Null),
        };
        json!({
            "name": self.name, "kind": kind, "range": range, "default": self.default, "allowed": self.allowed(),
            "doc": self.doc,
        })
    }

    /// Every value worth testing: all words, both booleans, the ends of a range.
    pub fn samples(&self) -> Vec<Value> {
        match &self.kind {
            OptionKind::Int { min, max } if max - min < 16 => (*min..=*max).map(Value::from).collect(),
            OptionKind::Int { min, max } => vec![(*min).into(), (*max).into()],
            OptionKind::Bool => vec![false.into(), true.into()],
            OptionKind::Choice(words) => words.iter().map(|&w| w.into()).collect(),
            OptionKind::Content(names) => names.iter().map(|&n| n.into()).collect(),
            OptionKind::Json(_) => vec![self.default.clone()],
        }
    }

    fn check(&self, value: &Value) -> Result<(), String> {
        let fits = match &self.kind {
            OptionKind::Int { min, max } => value.as_i64().is_some_and(|x| (*min..=*max).contains(&x)),
            OptionKind::Bool => value.is_boolean(),
            OptionKind::Choice(words) => value.as_str().is_some_and(|w| words.contains(&w)),
            OptionKind::Content(names) => {
                value.as_str().is_some_and(|t| names.contains(&t) || is_content_text(t))
            }
            OptionKind::Json(_) => true,
        };
        if fits {
            return Ok(());
        }
        let near = match (&self.kind, value) {
            (OptionKind::Content(_), Value::String(given)) if given.contains(['/', '\\']) => {
                ", which is neither a name nor TOML text, and as a path it does not end in `.toml`".into()
            }
            (OptionKind::Choice(words) | OptionKind::Content(words), Value::String(given)) => {
                nearest(given, words)
            }
            _ => String::new(),
        };
        Err(format!("got {}{near}; allowed: {}", shorten(value), self.allowed()))
    }
}

/// Content names are single words; anything with a line break or an equals sign is TOML text.
pub fn is_content_text(text: &str) -> bool {
    text.contains('\n') || text.contains('=')
}

/// A JSON value for a message, cut to 60 characters.
pub(crate) fn shorten(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}

/// Checked options of one game, every declared one present, in the order of declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    game: &'static str,
    values: Map<String, Value>,
}

impl Options {
    /// Checks `given` (a JSON object) against the declarations and fills in defaults.
    ///
    /// # Errors
    /// [`Error::InvalidOption`], naming the option, the value and what is allowed; if several are wrong, the others stand in
    /// the message too, a line each.
    pub fn check(game: &'static str, specs: &[OptionSpec], given: &Map<String, Value>) -> Result<Options> {
        let mut wrong: Vec<(&str, String)> = Vec::new();
        let unknown = given.keys().filter(|&name| !specs.iter().any(|spec| spec.name == name));
        for name in unknown.take(Error::LISTED) {
            let known: Vec<&str> = specs.iter().map(|spec| spec.name).collect();
            let near = nearest(name, &known);
            wrong.push((name, format!("no such option{near}; options: {}", known.join(", "))));
        }
        let mut values = Map::new();
        for spec in specs {
            let value = given.get(spec.name).unwrap_or(&spec.default);
            wrong.extend(spec.check(value).err().map(|message| (spec.name, message)));
            values.insert(spec.name.into(), value.clone());
        }
        let mut wrong = wrong.into_iter();
        let Some((option, mut message)) = wrong.next() else { return Ok(Options { game, values }) };
        for (other, more) in wrong {
            message.push_str(&format!("\n  and option `{other}`: {more}"));
        }
        Err(Error::InvalidOption { game: game.into(), option: option.into(), message })
    }

    /// The player of the option `first_player`; `None` if it is drawn.
    ///
    /// # Errors
    /// `InvalidOption` for anything but `random` and a player.
    pub fn first_player(&self, players: usize) -> Result<Option<Player>> {
        let first = self.get("first_player");
        let player = first.as_u64().filter(|&player| (player as usize) < players);
        if player.is_none() && first.as_str() != Some("random") {
            let message = format!("got {first}; allowed: `random`, or a player from 0 to {}", players - 1);
            return Err(self.refuse("first_player", message));
        }
        Ok(player.map(|player| Player(player as u8)))
    }

    /// The error for a value that only the game itself can check.
    pub fn refuse(&self, option: &str, message: impl Into<String>) -> Error {
        Error::InvalidOption { game: self.game.into(), option: option.into(), message: message.into() }
    }

    /// Value of a declared option.
    ///
    /// # Panics
    /// If the game did not declare it.
    pub fn get(&self, name: &str) -> &Value {
        self.values.get(name).expect("the game reads only options that it declares")
    }

    /// Value of a declared whole number.
    ///
    /// # Panics
    /// If the game did not declare it as one.
    pub fn int(&self, name: &str) -> i64 {
        self.get(name).as_i64().expect("the game reads options by their declared type")
    }

    /// Value of a declared boolean.
    ///
    /// # Panics
    /// If the game did not declare it as one.
    pub fn bool(&self, name: &str) -> bool {
        self.get(name).as_bool().expect("the game reads options by their declared type")
    }

    /// Value of a declared word or text.
    ///
    /// # Panics
    /// If the game did not declare it as one.
    pub fn str(&self, name: &str) -> &str {
        self.get(name).as_str().expect("the game reads options by their declared type")
    }

    /// All values by name, in the order of declaration.
    pub fn values(&self) -> &Map<String, Value> {
        &self.values
    }

    /// All values by name as JSON.
    pub fn to_json(&self) -> Value {
        Value::Object(self.values.clone())
    }

    /// The values that differ from the declared defaults.
    pub fn non_default(&self, specs: &[OptionSpec]) -> Value {
        let mut map = Map::new();
        for spec in specs {
            if self.values.get(spec.name) != Some(&spec.default) {
                map.insert(spec.name.into(), self.get(spec.name).clone());
            }
        }
        json!(map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn specs() -> Vec<OptionSpec> {
        vec![
            OptionSpec::int("players", 1, 8, 2, "players"),
            OptionSpec::choice("gate", &["terrain", "group"], "gate"),
        ]
    }

    fn message(given: &Value) -> String {
        Options::check("g", &specs(), given.as_object().unwrap()).unwrap_err().to_string()
    }

    #[test]
    fn conf_m1_options_are_refused_by_name() {
        assert_eq!(
            message(&json!({"players": 9})),
            "option `players` of game `g`: got 9; allowed: a whole number from 1 to 8"
        );
        assert!(message(&json!({"players": "2"})).contains("got \"2\""));
        assert!(message(&json!({"players": 2.5})).contains("got 2.5"));
        assert!(message(&json!({"player": 2})).contains("did you mean `players`?"));
        assert!(message(&json!({"gate": "terain"})).contains("did you mean `terrain`?"));
        let all = message(&json!({"gate": 1, "players": 9, "colour": 2, "size": 3}));
        let parts = [
            "`colour` of game",
            "and option `size`: no such",
            "and option `players`: got 9",
            "and option `gate`: got 1",
        ];
        assert!(parts.iter().all(|part| all.contains(part)) && all.lines().count() == 4, "{all}");
        let ok = Options::check("g", &specs(), json!({"players": 3}).as_object().unwrap()).unwrap();
        let content = Options::check(
            "g",
            &[OptionSpec::content(&["g"])],
            json!({"content": "/tmp"}).as_object().unwrap(),
        );
        let said = content.unwrap_err().to_string();
        assert!(
            said.contains("got \"/tmp\", which is neither a name nor TOML text")
                && said.contains("the path of a `.toml` file"),
            "{said}"
        );
        assert_eq!(ok.to_json().to_string(), r#"{"players":3,"gate":"terrain"}"#);
        assert_eq!(ok.non_default(&specs()).to_string(), r#"{"players":3}"#);
    }
}
