//! The keyword arguments of `Game.vec_env`: from Python to JSON, and from JSON to a request.

use crate::errors::{Result, argument};
use crate::json::from_python;
use playmat_core::vec::{Request, VecConfig};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use serde_json::{Map, Value};

/// Arguments of `Game.vec_env` as JSON; names are checked where they are used.
pub(crate) fn arguments(pairs: &[(&'static str, Option<&Bound<'_, PyAny>>)]) -> Result<Value> {
    let mut map = Map::new();
    for &(name, object) in pairs {
        let value = match object {
            None => Value::Null,
            Some(object) => match sequence(object).and_then(|object| from_python(&object)) {
                Ok(value) => value,
                Err(message) if ["opponents", "roles"].contains(&name) => {
                    return argument(name, format!("{message}; wanted agents, their specs or functions"));
                }
                Err(message) => return argument(name, message),
            },
        };
        map.insert(name.into(), value);
    }
    Ok(Value::Object(map))
}

/// Any iterable but texts and dicts as a list.
fn sequence<'py>(object: &Bound<'py, PyAny>) -> std::result::Result<Bound<'py, PyAny>, String> {
    if object.is_instance_of::<PyString>() || object.is_instance_of::<PyDict>() {
        return Ok(object.clone());
    }
    match object.try_iter() {
        Ok(items) => {
            let items = items.collect::<PyResult<Vec<_>>>().map_err(|error| error.to_string())?;
            Ok(PyList::new(object.py(), items).map_err(|error| error.to_string())?.into_any())
        }
        Err(_) => Ok(object.clone()),
    }
}

/// The arguments, read.
pub(super) struct Arguments {
    pub(super) request: Request,
    /// Fields of the batch; None for the view's own.
    pub(super) fields: Option<Vec<String>>,
}

impl Arguments {
    /// Reads the arguments of a game with `players` players; `functions`: the names of functions among its agents.
    pub(super) fn read(arguments: &Value, players: usize, functions: &[&str]) -> Result<Arguments> {
        let mut given = arguments.as_object().cloned().unwrap_or_default();
        let num_envs = given.remove("num_envs").unwrap_or_default();
        let Some(num_envs) = num_envs.as_u64() else {
            return argument("num_envs", format!("got {num_envs}; allowed: 1 to {}", VecConfig::MAX_ENVS));
        };
        let fields = match given.remove("fields").unwrap_or_default() {
            Value::Null => None,
            Value::Array(names) => {
                Some(names.iter().map(|n| n.as_str().unwrap_or_default().to_owned()).collect())
            }
            other => return argument("fields", format!("got {other}; wanted names of fields")),
        };
        let num_envs = usize::try_from(num_envs).unwrap_or(usize::MAX);
        Ok(Arguments { request: Request::read_with(num_envs, &given, players, functions)?, fields })
    }
}
