//! Errors of the engine as exceptions: one match, classes from `playmat.errors`.

use playmat_core::error::Error;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyModule};

static CLASSES: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// `playmat.errors`.
pub(crate) fn module(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    CLASSES
        .get_or_try_init(py, || Ok::<_, PyErr>(PyModule::import(py, "playmat.errors")?.unbind()))
        .map(|module| module.bind(py))
}

/// A refusal on its way out of a method: the engine's or Python's own.
pub(crate) enum Refusal {
    /// Mapped to the class of its code.
    Engine(Error),
    /// The same, with the place among the arguments that it is about.
    At(String, Error),
    /// As it is.
    Python(PyErr),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Refusal::Engine(error)
    }
}

impl From<std::convert::Infallible> for Refusal {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}

impl From<PyErr> for Refusal {
    fn from(error: PyErr) -> Self {
        Refusal::Python(error)
    }
}

impl<'a, 'py> From<pyo3::CastError<'a, 'py>> for Refusal {
    fn from(error: pyo3::CastError<'a, 'py>) -> Self {
        Refusal::Python(error.into())
    }
}

impl From<Refusal> for PyErr {
    #[cold]
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Engine(error) => {
                Python::attach(|py| raise(py, "", &error).unwrap_or_else(|failed| failed))
            }
            Refusal::At(place, error) => {
                Python::attach(|py| raise(py, &format!("{place}: "), &error).unwrap_or_else(|failed| failed))
            }
            Refusal::Python(error) => error,
        }
    }
}

/// Result of everything that Python calls.
pub(crate) type Result<T, E = Refusal> = std::result::Result<T, E>;

/// The refusal of an argument.
pub(crate) fn argument<T>(name: &'static str, message: impl Into<String>) -> Result<T> {
    Err(Refusal::Engine(Error::argument(name, message)))
}

/// The text of an error. Numbers beyond 64 bits arrive as the nearest that fit, and games in saves as their hashes.
fn message(error: &Error) -> String {
    if let Error::WrongIdentity { what, field: "game", found, expected } = error {
        let (found, expected) = (game_name(found), game_name(expected));
        return format!("{what} does not fit: it is of game `{found}`, this game is `{expected}`");
    }
    let text = error.to_string();
    match error {
        Error::IllegalAction(_)
        | Error::IllegalJoint(_)
        | Error::IllegalActions(_)
        | Error::InvalidPlayer { .. }
        | Error::InvalidArgument { .. } => {
            let (least, most) = (i64::MIN.to_string(), i64::MAX.to_string());
            text.replace(&least, &format!("{least} or less")).replace(&most, &format!("{most} or more"))
        }
        _ => text,
    }
}

/// The registered game with this hash, if the text is one.
fn game_name(hash: &str) -> &str {
    let hashed = |id: &str| format!("{:016x}", playmat_core::info::fnv1a(id.as_bytes()));
    crate::entries().iter().map(|entry| entry.id).find(|id| hashed(id) == hash).unwrap_or(hash)
}

/// The exception of an error, with its details as attributes; `place` goes before the message.
fn raise(py: Python<'_>, place: &str, error: &Error) -> PyResult<PyErr> {
    let details = PyDict::new(py);
    let module = module(py)?;
    let class = match error {
        Error::UnknownGame { name, known } => {
            details.set_item("name", name)?;
            details.set_item("known", known)?;
            "UnknownGame"
        }
        Error::InvalidOption { game, option, message } => {
            details.set_item("game", game)?;
            details.set_item("option", option)?;
            details.set_item("reason", message)?;
            "InvalidOption"
        }
        Error::Content { game, findings } => {
            let class = module.getattr("Finding")?;
            let list = findings.iter().map(|f| class.call1((f.line, f.column, &f.message)));
            details.set_item("game", game)?;
            details.set_item("findings", list.collect::<PyResult<Vec<_>>>()?)?;
            "ContentError"
        }
        Error::IllegalAction(one) => {
            details.set_item("action", one.action)?;
            details.set_item("text", &one.text)?;
            details.set_item("player", one.player)?;
            details.set_item("num_actions", one.num_actions)?;
            details.set_item("legal", one.legal)?;
            details.set_item("example", one.example.clone())?;
            "IllegalAction"
        }
        Error::IllegalJoint(joint) => {
            let class = module.getattr("Row")?;
            let list = joint.entries.iter().map(|(player, action, _)| class.call1((0, *player, *action)));
            details.set_item("rows", list.collect::<PyResult<Vec<_>>>()?)?;
            details.set_item("count", joint.entries.len())?;
            details.set_item("num_actions", joint.num_actions)?;
            "IllegalAction"
        }
        Error::IllegalActions(many) => {
            let class = module.getattr("Row")?;
            let list = many.rows.iter().map(|&(env, player, action)| class.call1((env, player, action)));
            details.set_item("rows", list.collect::<PyResult<Vec<_>>>()?)?;
            details.set_item("count", many.count)?;
            "IllegalAction"
        }
        Error::UnknownAction { text, allowed } => {
            details.set_item("text", text)?;
            details.set_item("allowed", allowed)?;
            "UnknownAction"
        }
        Error::InvalidPlayer { player, players } => {
            details.set_item("player", player)?;
            details.set_item("num_players", players)?;
            "InvalidPlayer"
        }
        Error::NotActing { player } => {
            details.set_item("player", player)?;
            "NotActing"
        }
        Error::EpisodeOver => "EpisodeOver",
        Error::EpisodesOver { envs } => {
            details.set_item("envs", envs)?;
            "EpisodeOver"
        }
        Error::Unreadable { what, message } => {
            details.set_item("what", what)?;
            details.set_item("reason", message)?;
            "Unreadable"
        }
        Error::WrongIdentity { what, field, found, expected } => {
            details.set_item("what", what)?;
            details.set_item("field", field)?;
            let is_game = *field == "game";
            details.set_item("found", if is_game { game_name(found) } else { found })?;
            details.set_item("expected", if is_game { game_name(expected) } else { expected })?;
            "WrongIdentity"
        }
        Error::InvalidState { problems } => {
            details.set_item("problems", problem_list(py, problems)?)?;
            "InvalidState"
        }
        Error::InvalidArgument { argument, message } => {
            details.set_item("argument", argument)?;
            details.set_item("reason", message)?;
            "InvalidArgument"
        }
        Error::Order(_) => "OrderError",
        Error::Sampled { .. } => {
            details.set_item("feature", "chance_outcomes")?;
            "MissingFeature"
        }
        Error::MissingFeature(feature) => {
            details.set_item("feature", feature)?;
            "MissingFeature"
        }
    };
    let exception = module.getattr(class)?.call1((format!("{place}{}", message(error)),))?;
    exception.getattr("__dict__")?.cast::<PyDict>()?.update(details.as_mapping())?;
    Ok(PyErr::from_value(exception))
}

/// Problems of a position as `playmat.errors.Problem`.
pub(crate) fn problem_list<'py>(
    py: Python<'py>,
    problems: &[playmat_core::error::Problem],
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let class = module(py)?.getattr("Problem")?;
    problems.iter().map(|problem| class.call1((&problem.path, &problem.message))).collect()
}
