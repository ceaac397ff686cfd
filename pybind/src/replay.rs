//! `playmat.Replay`: a recorded episode.

use crate::env::Env;
use crate::errors::{Refusal, Result, argument};
use crate::game::{Game, read_file};
use crate::json::to_python;
use crate::scalars::{DECISIONS, Whole};
use playmat_core::error::Error;
use playmat_core::replay;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

/// A recorded episode: game, options, where it began, its decisions. As JSON it is a readable file.
///
/// Args:
///     text: The JSON text of a replay, at most 16 MiB.
///
/// Raises:
///     Unreadable: Not a replay, with the path and line of what is wrong; a decision that is not legal where it stands or has another
///         text; an end that is not the recorded one. The whole recording is played and compared here, once for all.
///     WrongIdentity: Recorded by another version, content or generator.
///     UnknownGame, InvalidOption, ContentError: Its game cannot be built here.
///
/// >>> import playmat
/// >>> env = playmat.Game("tic_tac_toe").env(seed=1)
/// >>> for action in (4, 0, 8):
/// ...     env.step(action)
/// >>> replay = env.replay()
/// >>> replay.decisions
/// [(0, 4, 'mark B2'), (1, 0, 'mark A1'), (0, 8, 'mark C3')]
/// >>> replay.env(1).legal_actions()
/// [0, 1, 2, 3, 5, 6, 7, 8]
/// >>> playmat.Replay(replay.to_json()) == replay
/// True
#[pyclass(frozen, module = "playmat", name = "Replay")]
pub(crate) struct Replay {
    game: Py<Game>,
    inner: replay::Replay,
}

impl Replay {
    pub(crate) fn of(game: Py<Game>, inner: replay::Replay) -> Replay {
        Replay { game, inner }
    }

    fn parse(py: Python<'_>, text: &str) -> Result<Replay> {
        let inner = replay::Replay::parse(text)?;
        let game = Game::make(&inner.game, &inner.options)?;
        // Refuses another version or content before anything is played.
        game.inner.env_from_replay(&inner, 0)?;
        Ok(Replay { game: Py::new(py, game)?, inner })
    }

    /// How many decisions are meant: negative counts from the end.
    fn place(&self, decisions: Option<Whole<DECISIONS>>) -> Result<usize> {
        let len = self.inner.decisions.len() as i64;
        let Some(Whole(given)) = decisions else { return Ok(len as usize) };
        let place = if given < 0 { given.saturating_add(len) } else { given };
        if !(0..=len).contains(&place) {
            return argument("decisions", format!("got {given}; the replay has {len} decisions"));
        }
        Ok(place as usize)
    }
}

/// What the system says of a file, as Python says it: with the file's name.
fn file_error(error: &std::io::Error, path: &Path) -> PyErr {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    PyOSError::new_err((error.raw_os_error(), text.to_owned(), path.display().to_string()))
}

#[pymethods]
impl Replay {
    #[new]
    fn new(text: &Bound<'_, PyAny>) -> Result<Replay> {
        Replay::parse(text.py(), crate::scalars::text("text", text)?)
    }

    /// Reads a file written by `save`.
    #[staticmethod]
    #[expect(clippy::needless_pass_by_value, reason = "what Python's paths convert to")]
    fn load(py: Python<'_>, path: PathBuf) -> Result<Replay> {
        let text = read_file(&path, replay::MAX_BYTES).map_err(|error| match error.raw_os_error() {
            Some(_) => file_error(&error, &path).into(),
            None => {
                let message = format!("`{}`: {error}", path.display());
                Refusal::Engine(Error::Unreadable { what: "replay", message })
            }
        })?;
        match String::from_utf8(text) {
            Ok(text) => Replay::parse(py, &text),
            Err(_) => {
                let message = format!("`{}` is not a text in UTF-8", path.display());
                Err(Error::Unreadable { what: "replay", message }.into())
            }
        }
    }

    /// Writes the JSON text to a file.
    #[expect(clippy::needless_pass_by_value, reason = "what Python's paths convert to")]
    fn save(&self, path: PathBuf) -> Result<()> {
        Ok(std::fs::write(&path, self.inner.to_text()).map_err(|error| file_error(&error, &path))?)
    }

    /// The JSON text, one decision a line.
    fn to_json(&self) -> String {
        self.inner.to_text()
    }

    /// The game, with the options of the recording.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// Seed of the episode. It dealt the first state unless there is a `start`.
    #[getter]
    fn seed(&self) -> Result<u64> {
        Ok(self.inner.seed()?)
    }

    /// The complete state that the recording begins with, as a dict, for what was loaded, sampled or copied with chance of its own;
    /// None if it begins with the deal of the seed.
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.inner.start.as_ref().map(|start| to_python(py, start)).transpose()
    }

    /// The decisions since then, as `(player, action, text)`.
    #[getter]
    fn decisions(&self) -> Vec<(u32, u16, &str)> {
        self.inner.decisions.iter().map(|d| (d.player.into(), d.action, d.text.as_str())).collect()
    }

    /// How it stood when it was recorded: a dict with `status`, `returns`, `scores`.
    #[getter]
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &serde_json::to_value(&self.inner.result).unwrap_or_default())
    }

    fn __len__(&self) -> usize {
        self.inner.decisions.len()
    }

    /// The environment after the first `decisions` decisions (without: after all; negative: from the end). Playing on from there is
    /// another episode; with the recorded actions it is the recorded episode.
    ///
    /// Raises:
    ///     InvalidArgument: There are fewer decisions.
    #[pyo3(signature = (decisions=None))]
    fn env(&self, py: Python<'_>, decisions: Option<Whole<DECISIONS>>) -> Result<Env> {
        let env = self.game.get().inner.env_from_replay(&self.inner, self.place(decisions)?)?;
        Ok(Env::of(self.game.clone_ref(py), env))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Replay>().is_ok_and(|other| other.get().inner == self.inner)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().to_json(),))
    }

    fn __repr__(&self) -> String {
        format!(
            "<playmat.Replay of '{}', {} decisions, {}>",
            self.inner.game,
            self.inner.decisions.len(),
            self.inner.result.status
        )
    }
}
