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
            Refusal::Engine(error) => Python::attach(|py| raise(py, &error).unwrap_or_else(|failed| failed)),
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

/// The exception of an error, with its details as attributes.
fn raise(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
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
            details.set_item("player", one.seat)?;
            details.set_item("num_actions", one.num_actions)?;
            details.set_item("legal", one.legal)?;
            details.set_item("example", one.example.clone())?;
            "IllegalAction"
        }
        Error::IllegalActions(many) => {
            let class = module.getattr("Row")?;
            let list = many.rows.iter().map(|&(env, seat, action)| class.call1((env, seat, action)));
            details.set_item("rows", list.collect::<PyResult<Vec<_>>>()?)?;
            details.set_item("count", many.count)?;
            "IllegalAction"
        }
        Error::UnknownAction { text, allowed } => {
            details.set_item("text", text)?;
            details.set_item("allowed", allowed)?;
            "UnknownAction"
        }
        Error::InvalidSeat { seat, players } => {
            details.set_item("player", seat)?;
            details.set_item("num_players", players)?;
            "InvalidSeat"
        }
        Error::NotActing { seat, acting } => {
            let acting: Vec<u32> = acting.iter().map(|&seat| seat.into()).collect();
            details.set_item("player", seat)?;
            details.set_item("acting", acting)?;
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
            details.set_item("found", found)?;
            details.set_item("expected", expected)?;
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
        Error::MissingFeature(feature) => {
            details.set_item("feature", feature)?;
            "MissingFeature"
        }
    };
    let exception = module.getattr(class)?.call1((error.to_string(),))?;
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
