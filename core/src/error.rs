//! The one error type of the engine. Every variant has a stable [`Error::code`]; bindings map codes, not texts.

use std::fmt;

/// What was refused and why. A call that returns an error has changed nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// No game of that name is registered.
    #[error("unknown game `{name}`{}; registered games: {}", nearest(name, known), known.join(", "))]
    UnknownGame {
        /// The name given.
        name: String,
        /// All registered names.
        known: Vec<String>,
    },
    /// An option does not exist, has the wrong type or is out of range.
    #[error("option `{option}` of game `{game}`: {message}")]
    InvalidOption {
        /// The game.
        game: String,
        /// The option as given.
        option: String,
        /// What is wrong and what is allowed.
        message: String,
    },
    /// A content file was refused; at most [`Error::LISTED`] findings are looked for.
    #[error("content of game `{game}` refused:{}", list(findings))]
    Content {
        /// The game.
        game: String,
        /// What is wrong, in the order of the file.
        findings: Vec<Finding>,
    },
    /// An action is not legal in this state for this player.
    #[error("{0}")]
    IllegalAction(Box<IllegalAction>),
    /// A joint step holds an illegal action; nothing was played.
    #[error("{0}")]
    IllegalJoint(Box<IllegalJoint>),
    /// Some rows of a batch hold illegal actions; no environment moved.
    #[error("{0}")]
    IllegalActions(Box<IllegalActions>),
    /// A text does not name an action.
    #[error("no action is called `{text}`{}", if allowed.is_empty() { String::new() } else { format!("; for example: {}", allowed.join(", ")) })]
    UnknownAction {
        /// The text given.
        text: String,
        /// Some texts that would be understood.
        allowed: Vec<String>,
    },
    /// The game has no player of this number.
    #[error("player {player} does not exist: the game has players 0 to {}", players - 1)]
    InvalidPlayer {
        /// The number given.
        player: i64,
        /// Number of players.
        players: usize,
    },
    /// The player has nothing to decide now. The message does not name the players that have: in a simultaneous turn this would reveal who
    /// has chosen already.
    #[error("player {player} has nothing to decide now")]
    NotActing {
        /// The player given.
        player: u8,
    },
    /// The episode is over: only `reset` and reading are possible.
    #[error("the episode is over: reset before acting again")]
    EpisodeOver,
    /// Episodes of a batch are over and autoreset is disabled; nothing was stepped.
    #[error("environments {envs:?} are over: reset them (a reset with a mask) before the next step")]
    EpisodesOver {
        /// Their indices, ascending; at most [`IllegalActions::KEPT`].
        envs: Vec<usize>,
    },
    /// Bytes or text are not what they should be: damaged, truncated, of another format.
    #[error("cannot read {what}: {message}")]
    Unreadable {
        /// "saved state", "replay", ...
        what: &'static str,
        /// Why.
        message: String,
    },
    /// A saved state or replay belongs to another game, version, content or configuration.
    #[error("{what} does not fit: {field} is `{found}`, this game has `{expected}`")]
    WrongIdentity {
        /// "saved state", "replay", ...
        what: &'static str,
        /// The field that differs.
        field: &'static str,
        /// Its value in the file.
        found: String,
        /// Its value here.
        expected: String,
    },
    /// A position breaks rules; at most [`Error::LISTED`] problems are listed. [`Error::impossible`] makes it.
    #[error("impossible state:{}", list(problems))]
    InvalidState {
        /// What is wrong.
        problems: Vec<Problem>,
    },
    /// An argument is out of range or of the wrong shape or type.
    #[error("argument `{argument}`: {message}")]
    InvalidArgument {
        /// Name of the argument.
        argument: &'static str,
        /// What is wrong and what is allowed.
        message: String,
    },
    /// A call came at the wrong time, e.g. a step while another is pending, or after close.
    #[error("{0}")]
    Order(&'static str),
    /// The outcomes of a chance event are not listed: chance is only sampled.
    #[error(
        "the chance of {what} in game `{game}` under these options is sampled: its outcomes are not listed"
    )]
    Sampled {
        /// The game.
        game: &'static str,
        /// `the deal` or `this action`.
        what: &'static str,
    },
    /// The library was built without a feature.
    #[error("this build has no `{0}` feature")]
    MissingFeature(&'static str),
}

impl Error {
    /// Most findings of a content and problems of a position that an error lists.
    pub const LISTED: usize = 20;

    /// The refusal of a position, with the first [`Error::LISTED`] of its problems.
    pub fn impossible(mut problems: Vec<Problem>) -> Error {
        problems.truncate(Error::LISTED);
        problems.shrink_to_fit();
        Error::InvalidState { problems }
    }

    /// Stable text code of the error, the same in every binding.
    pub fn code(&self) -> &'static str {
        match self {
            Error::UnknownGame { .. } => "unknown_game",
            Error::InvalidOption { .. } => "invalid_option",
            Error::Content { .. } => "content",
            Error::IllegalAction(_) | Error::IllegalJoint(_) | Error::IllegalActions(_) => "illegal_action",
            Error::UnknownAction { .. } => "unknown_action",
            Error::InvalidPlayer { .. } => "invalid_player",
            Error::NotActing { .. } => "not_acting",
            Error::EpisodeOver | Error::EpisodesOver { .. } => "episode_over",
            Error::Unreadable { .. } => "unreadable",
            Error::WrongIdentity { .. } => "wrong_identity",
            Error::InvalidState { .. } => "invalid_state",
            Error::InvalidArgument { .. } => "invalid_argument",
            Error::Order(_) => "order",
            Error::Sampled { .. } | Error::MissingFeature(_) => "missing_feature",
        }
    }

    /// Renames the argument of an `InvalidArgument` from `from` to `to`, for a caller that names it differently.
    #[must_use]
    pub fn renamed(self, from: &str, to: &'static str) -> Error {
        match self {
            Error::InvalidArgument { argument, message } if argument == from => Error::argument(to, message),
            other => other,
        }
    }

    /// A refusal of an argument.
    pub fn argument(argument: &'static str, message: impl Into<String>) -> Error {
        Error::InvalidArgument { argument, message: message.into() }
    }
}

/// Result of everything in this crate that can be refused.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// One finding in a content file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// 1-based line in the file, 0 if the finding concerns the file as a whole.
    pub line: usize,
    /// 1-based column, 0 with line 0.
    pub column: usize,
    /// What is wrong and what is allowed.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            _ => write!(f, "line {}, column {}: {}", self.line, self.column, self.message),
        }
    }
}

/// One broken rule in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where: the path in the JSON form, e.g. `sheets[0][4]`; empty for the whole.
    pub path: String,
    /// What is wrong and what is allowed.
    pub message: String,
}

/// Bytes of a path or message of a [`Problem`].
const LONGEST_TEXT: usize = 1_000;

impl Problem {
    /// A problem at a path. Of a path or message of more than 1,000 bytes, which repeats a long input, the beginning is kept.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Problem {
        let cut = |mut text: String| {
            if text.len() > LONGEST_TEXT {
                text.truncate((0..=LONGEST_TEXT).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0));
                text.push_str("...");
            }
            text
        };
        Problem { path: cut(path.into()), message: cut(message.into()) }
    }

    /// The same problem, of a value that lies at `path`.
    #[must_use]
    pub fn under(self, path: &str) -> Problem {
        let joined = path.is_empty() || self.path.is_empty() || self.path.starts_with('[');
        let dot = if joined { "" } else { "." };
        Problem::new(format!("{path}{dot}{}", self.path), self.message)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

/// Details of a refused action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalAction {
    /// The number given; it may lie outside the action space.
    pub action: i64,
    /// Its text, if it is inside.
    pub text: Option<String>,
    /// The player who must act.
    pub player: u8,
    /// Number of actions of the game.
    pub num_actions: usize,
    /// Number of legal actions of the player.
    pub legal: usize,
    /// One legal action and its text.
    pub example: Option<(u16, String)>,
}

impl fmt::Display for IllegalAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal action {}", self.action)?;
        match &self.text {
            Some(text) => write!(f, " (\"{text}\")")?,
            None => write!(f, " (actions are 0 to {})", self.num_actions - 1)?,
        }
        write!(f, " for player {}; {} legal", self.player, self.legal)?;
        if let Some((action, text)) = &self.example {
            write!(f, ", for example {action} (\"{text}\")")?;
        }
        Ok(())
    }
}

/// Details of a refused joint step. All players may see them, so they depend on the call alone: they do not tell who must act, what is
/// legal, or who has chosen already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalJoint {
    /// Player, number given and its text. Lists the entries outside the action space, which have no text; if there are none, all entries.
    pub entries: Vec<(u8, i64, Option<String>)>,
    /// Number of actions of the game.
    pub num_actions: usize,
}

impl fmt::Display for IllegalJoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("illegal joint action: every player who must decide needs a legal action; got")?;
        for (k, (player, action, text)) in self.entries.iter().enumerate() {
            let comma = if k == 0 { "" } else { "," };
            match text {
                Some(text) => write!(f, "{comma} {action} (\"{text}\") for player {player}")?,
                None => write!(f, "{comma} {action} for player {player}")?,
            }
        }
        match self.entries.iter().any(|(_, _, text)| text.is_none()) {
            true => write!(f, " (actions are 0 to {})", self.num_actions - 1),
            false => Ok(()),
        }
    }
}

/// The rows of a batch that were refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalActions {
    /// Environment, player and action of each refused row, ascending; at most [`IllegalActions::KEPT`].
    pub rows: Vec<(usize, u8, i64)>,
    /// Number of refused rows in all.
    pub count: usize,
}

impl IllegalActions {
    /// Refused rows that are listed.
    pub const KEPT: usize = 20;
}

impl fmt::Display for IllegalActions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal actions in {} of the rows, nothing was stepped:", self.count)?;
        for (env, player, action) in &self.rows {
            write!(f, " [env {env}, player {player}, action {action}]")?;
        }
        if self.count > self.rows.len() {
            write!(f, " and {} more", self.count - self.rows.len())?;
        }
        Ok(())
    }
}

/// The items, a line each, and whether there may be more.
fn list<T: fmt::Display>(items: &[T]) -> String {
    let mut text: String = items.iter().map(|item| format!("\n  {item}")).collect();
    if items.len() >= Error::LISTED {
        text.push_str(&format!("\n  at most {} are listed: there may be more", Error::LISTED));
    }
    text
}

/// ` (did you mean ...?)` if a known name is near.
pub fn nearest<S: AsRef<str>>(given: &str, known: &[S]) -> String {
    let farthest = |name: &str| (name.len() / 3).max(1);
    let length = given.chars().take(128).count();
    known
        .iter()
        .map(AsRef::as_ref)
        // The difference in length is a lower bound of the distance: most names need no more.
        .filter(|name| name.chars().count().abs_diff(length) <= farthest(name))
        .map(|name| (distance(given, name), name))
        .filter(|&(distance, name)| distance <= farthest(name))
        .min()
        .map_or_else(String::new, |(_, name)| format!(" (did you mean `{name}`?)"))
}

/// Levenshtein distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(64).enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let up = row[j + 1];
            row[j + 1] = (corner + usize::from(x != *y)).min(up + 1).min(row[j] + 1);
            corner = up;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_keeps_the_beginning_of_a_long_input() {
        let problem = Problem::new("\u{e9}".repeat(3_000), "x".repeat(5_000_000)).under("envs[3]");
        assert!(problem.path.starts_with("envs[3].\u{e9}") && problem.path.ends_with("\u{e9}..."));
        assert!(problem.path.len() <= 1_020 && problem.message.len() == 1_003, "{}", problem.path.len());
    }

    #[test]
    fn messages_name_the_thing_and_what_is_allowed() {
        let error =
            Error::UnknownGame { name: "grafia".into(), known: vec!["graft".into(), "graphia".into()] };
        assert_eq!(
            error.to_string(),
            "unknown game `grafia` (did you mean `graphia`?); registered games: graft, graphia"
        );
        let error = IllegalAction {
            action: 57,
            text: Some("place at B4".into()),
            player: 1,
            num_actions: 60,
            legal: 12,
            example: Some((3, "place at C4".into())),
        };
        assert_eq!(
            error.to_string(),
            "illegal action 57 (\"place at B4\") for player 1; 12 legal, for example 3 (\"place at C4\")"
        );
    }
}
