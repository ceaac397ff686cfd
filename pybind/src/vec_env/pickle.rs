//! A batch of environments in a pickle.

use super::VecEnv;
use crate::errors::{Result, argument};
use crate::function::Functions;
use crate::game::Game;
use crate::json::{from_python, to_python};
use playmat_core::error::Error;
use playmat_core::vec::ObsType;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};
use serde_json::{Value, json};

impl VecEnv {
    /// What `__reduce__` returns: the function that rebuilds it, and its arguments.
    pub(super) fn reduce<'py>(&self, py: Python<'py>) -> Result<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let mut arguments = self.arguments.clone();
        let (data, seed, functions) = {
            let mut inner = self.lock(py)?;
            let seed = inner.seed;
            let venv = inner.open()?;
            if venv.is_pending() {
                return Err(Error::Order("a step is under way: `step_wait` first").into());
            }
            // Refused where no opponents play.
            let opponents = venv.results().map_or_else(|_| Vec::new(), |results| results.opponents);
            let pool: Vec<Value> = opponents.iter().map(|r| json!([r.name, r.weight])).collect();
            arguments["opponents"] = pool.into();
            // Nothing was reset yet: there is nothing to carry over.
            let data = venv.to_bytes().ok().map(|bytes| PyBytes::new(py, &bytes));
            (data, seed, inner.functions.parts(py))
        };
        let restore = PyModule::import(py, "playmat._native")?.getattr("_restore_vec_env")?;
        let arguments = to_python(py, &arguments)?;
        Ok((
            restore,
            (self.game.clone_ref(py), arguments, data, seed, functions).into_pyobject(py)?.into_any(),
        ))
    }
}

/// Rebuilds a pickled environment.
#[pyfunction]
#[pyo3(signature = (game, arguments, data, seed, parts=Vec::new()))]
pub(crate) fn _restore_vec_env(
    py: Python<'_>,
    game: Py<Game>,
    arguments: &Bound<'_, PyDict>,
    data: Option<PyBackedBytes>,
    seed: Option<u64>,
    parts: Vec<(String, Bound<'_, PyAny>, String)>,
) -> Result<VecEnv> {
    let Ok(arguments) = from_python(arguments.as_any()) else {
        return argument("arguments", "not those of a batch of environments");
    };
    let mut functions = Functions::default();
    for (name, callable, dtype) in parts {
        functions.push(&*game.get().inner, &callable, &name, ObsType::parse(&dtype)?)?;
    }
    let venv = VecEnv::make(py, game, arguments, functions)?;
    if let Some(data) = data {
        venv.load(py, &data, seed)?;
    }
    Ok(venv)
}
