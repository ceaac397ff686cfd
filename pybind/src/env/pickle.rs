//! An environment in a pickle.

use super::Env;
use crate::errors::Result;
use crate::game::Game;
use playmat_core::player::{Action, Player};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

impl Env {
    /// What `__reduce__` returns: the function that rebuilds it, and its arguments.
    pub(super) fn reduce<'py>(&self, py: Python<'py>) -> Result<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let restore = PyModule::import(py, "playmat._native")?.getattr("_restore_env")?;
        let (data, start, history, before) = {
            let inner = self.lock(py)?;
            let history: Vec<(u8, u16)> =
                inner.env.history().iter().map(|&(player, action)| (player.0, action.0)).collect();
            (inner.env.to_bytes(), inner.env.start_bytes(), history, inner.env.seen_before())
        };
        let (data, start) = (PyBytes::new(py, &data), start.map(|start| PyBytes::new(py, &start)));
        Ok((restore, (self.game.clone_ref(py), data, start, history, before).into_pyobject(py)?.into_any()))
    }
}

/// Rebuilds a pickled environment.
#[pyfunction]
#[pyo3(signature = (game, data, start, history, before=None))]
#[expect(clippy::needless_pass_by_value, reason = "hold what Python gives")]
pub(crate) fn _restore_env(
    py: Python<'_>,
    game: Py<Game>,
    data: PyBackedBytes,
    start: Option<PyBackedBytes>,
    history: Vec<(u8, u16)>,
    before: Option<String>,
) -> Result<Env> {
    let past: Vec<(Player, Action)> =
        history.into_iter().map(|(player, action)| (Player(player), Action(action))).collect();
    let mut inner = game.get().inner.env_with_history(&data, start.as_deref(), &past)?;
    if let Some(before) = before {
        inner.restore_seen_before(&before)?;
    }
    Ok(Env::of(game.clone_ref(py), inner))
}
