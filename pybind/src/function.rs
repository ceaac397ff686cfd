//! Python functions as agents: `(obs [n, O], mask [n, A], player [n]) -> actions [n]`.

use crate::arrays::read_actions;
use crate::errors::Refusal;
use crate::lock::within_function;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use playmat_core::agent::{AnyAgent, Failure, Function, FunctionRows, Observations, Spec};
use playmat_core::any::AnyGame;
use playmat_core::error::Error;
use playmat_core::vec::ObsType;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;

/// A Python function that chooses.
#[derive(Debug)]
pub(crate) struct PyFunction {
    callable: Py<PyAny>,
    name: String,
    takes_greedy: bool,
}

impl PyFunction {
    /// A function under a name. It gets the greedy agent's actions as a fourth argument if it has a true attribute `takes_greedy`.
    pub(crate) fn new(callable: &Bound<'_, PyAny>, name: &str) -> PyResult<PyFunction> {
        let takes_greedy = match callable.getattr_opt("takes_greedy")? {
            Some(takes) => takes.is_truthy()?,
            None => false,
        };
        Ok(PyFunction { callable: callable.clone().unbind(), name: name.into(), takes_greedy })
    }

    fn call(
        &self,
        py: Python<'_>,
        rows: &FunctionRows<'_>,
        actions: &mut [i64],
    ) -> crate::errors::Result<()> {
        let count = rows.players.len();
        let obs = match rows.obs {
            Observations::U8(bytes) => {
                PyArray1::from_slice(py, bytes).reshape([count, bytes.len() / count])?.into_any()
            }
            Observations::F32(floats) => {
                PyArray1::from_slice(py, floats).reshape([count, floats.len() / count])?.into_any()
            }
        };
        let width = rows.action_mask.len() / count;
        let mask: Vec<bool> = rows.action_mask.iter().map(|&legal| legal != 0).collect();
        let mask: Bound<'_, PyArray2<bool>> = PyArray1::from_vec(py, mask).reshape([count, width])?;
        let players = PyArray1::from_slice(py, rows.players);
        let mut given = vec![obs, mask.into_any(), players.into_any()];
        if self.takes_greedy {
            given.push(PyArray1::from_slice(py, rows.greedy).into_any());
        }
        let result = within_function(|| self.callable.call1(py, PyTuple::new(py, given)?))?;
        let chosen = read_actions("agent", result.bind(py), &[count]).map_err(|refusal| match refusal {
            Refusal::Engine(Error::InvalidArgument { message, .. }) => {
                Error::argument("agent", format!("what `{}` returned: {message}", self.name)).into()
            }
            other => other,
        })?;
        actions.copy_from_slice(&chosen);
        Ok(())
    }
}

impl Function for PyFunction {
    fn choose(&self, rows: &FunctionRows<'_>, actions: &mut [i64]) -> Result<(), Failure> {
        match Python::try_attach(|py| self.call(py, rows, actions)) {
            Some(Ok(())) => Ok(()),
            Some(Err(Refusal::Engine(error))) => Err(Box::new(error)),
            Some(Err(other)) => Err(Box::new(PyErr::from(other))),
            // In a daemon thread that gets no further than this.
            None => Err(Box::new(PyRuntimeError::new_err("the interpreter ends"))),
        }
    }

    fn takes_greedy(&self) -> bool {
        self.takes_greedy
    }
}

/// A name for a function that names nothing else: not a spec, not a role, none of `taken`.
pub(crate) fn name_of(callable: &Bound<'_, PyAny>, taken: &dyn Fn(&str) -> bool) -> PyResult<String> {
    let text = |object: &Bound<'_, PyAny>, attribute: &str| -> Option<String> {
        object
            .getattr(attribute)
            .ok()
            .and_then(|name| name.extract().ok())
            .filter(|name: &String| !name.is_empty())
    };
    let own = text(callable, "name").or_else(|| text(callable, "__name__"));
    let name = match own {
        Some(name) => name,
        None => callable.get_type().name()?.to_string(),
    };
    let is_reserved = ["learner", "pool"].contains(&name.as_str()) || name.parse::<Spec>().is_ok();
    let name = if is_reserved { format!("{name} (function)") } else { name };
    let numbered = (2..).map(|number| format!("{name} ({number})"));
    Ok(std::iter::once(name.clone())
        .chain(numbered)
        .find(|name| !taken(name))
        .expect("there is a free number"))
}

/// The exception of a failure. `argument` names the agent in the call that failed.
pub(crate) fn refusal_of(failure: Failure, argument: &'static str) -> Refusal {
    match failure.downcast::<PyErr>() {
        Ok(error) => Refusal::Python(*error),
        Err(other) => Refusal::Engine(match other.downcast::<Error>() {
            Ok(error) => error.renamed("agent", argument),
            Err(_) => Error::argument(argument, "its function failed"),
        }),
    }
}

/// The agent of a function for a game.
pub(crate) fn agent(
    game: &dyn AnyGame,
    callable: &Bound<'_, PyAny>,
    name: &str,
    dtype: ObsType,
) -> PyResult<AnyAgent> {
    Ok(game.function_agent(name, Arc::new(PyFunction::new(callable, name)?), dtype))
}

/// The functions among the agents of a batch. Their names differ, so that results tell them apart.
#[derive(Default)]
pub(crate) struct Functions(Vec<Named>);

struct Named {
    agent: AnyAgent,
    callable: Py<PyAny>,
    dtype: ObsType,
}

impl Functions {
    /// The agent of a function, which is added if it is new.
    pub(crate) fn add(
        &mut self,
        game: &dyn AnyGame,
        callable: &Bound<'_, PyAny>,
        dtype: ObsType,
    ) -> PyResult<&AnyAgent> {
        // Equal, not the same: each look at a method of an object makes a new one.
        let is_known = |named: &Named| {
            named.dtype == dtype && named.callable.bind(callable.py()).eq(callable).unwrap_or(false)
        };
        let known = self.0.iter().position(is_known);
        let at = match known {
            Some(at) => at,
            None => {
                let name = name_of(callable, &|name| self.get(name).is_some())?;
                self.push(game, callable, &name, dtype)?;
                self.0.len() - 1
            }
        };
        Ok(&self.0[at].agent)
    }

    /// Adds a function under a name of its own.
    pub(crate) fn push(
        &mut self,
        game: &dyn AnyGame,
        callable: &Bound<'_, PyAny>,
        name: &str,
        dtype: ObsType,
    ) -> PyResult<()> {
        let agent = agent(game, callable, name, dtype)?;
        self.0.push(Named { agent, callable: callable.clone().unbind(), dtype });
        Ok(())
    }

    /// The agent of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&AnyAgent> {
        self.0.iter().map(|named| &named.agent).find(|agent| agent.name() == name)
    }

    /// The names of all functions.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.0.iter().map(|named| named.agent.name()).collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Forgets those that were added after the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Names, functions and types of observations, for pickling.
    pub(crate) fn parts<'py>(&self, py: Python<'py>) -> Vec<(String, Bound<'py, PyAny>, &'static str)> {
        let part = |named: &Named| {
            (named.agent.name().to_owned(), named.callable.bind(py).clone(), named.dtype.name())
        };
        self.0.iter().map(part).collect()
    }
}
