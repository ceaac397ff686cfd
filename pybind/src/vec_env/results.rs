//! The results of a batch as a dict.

use crate::errors::Result;
use playmat_core::vec::{Record, Results};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// What `VecEnv.results` returns.
pub(super) fn dict(py: Python<'_>, results: Results) -> Result<Bound<'_, PyDict>> {
    let Results { total, opponents } = results;
    let list = PyList::empty(py);
    for opponent in opponents {
        let dict = PyDict::new(py);
        dict.set_item("name", opponent.name)?;
        dict.set_item("weight", opponent.weight)?;
        counts(&dict, &opponent.record)?;
        list.append(dict)?;
    }
    let dict = PyDict::new(py);
    counts(&dict, &total)?;
    dict.set_item("opponents", list)?;
    Ok(dict)
}

/// Writes the counts of a record into a dict.
fn counts(dict: &Bound<'_, PyDict>, record: &Record) -> PyResult<()> {
    let Record { episodes, wins, draws, losses, truncated, return_sum } = *record;
    for (name, count) in [
        ("episodes", episodes),
        ("wins", wins),
        ("draws", draws),
        ("losses", losses),
        ("truncated", truncated),
    ] {
        dict.set_item(name, count)?;
    }
    dict.set_item("return_sum", return_sum)
}
