//! JSON values to Python objects and back.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyNone, PyString, PyTuple};
use serde_json::{Map, Value};

/// Deepest nesting that is read from Python; a list that holds itself ends there.
const DEEPEST: usize = 64;
/// Most values that are read from Python: a list that holds itself twice has more at every level.
const MOST: usize = playmat_core::json::MAX_BYTES;

/// The plain Python object of a value: None, bool, int, float, str, list, dict.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => PyNone::get(py).to_owned().into_any(),
        Value::Bool(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Value::Number(number) => {
            if let Some(n) = number.as_i64() {
                n.into_pyobject(py)?.into_any()
            } else if let Some(n) = number.as_u64() {
                n.into_pyobject(py)?.into_any()
            } else {
                PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any()
            }
        }
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(to_python(py, item)?)?;
            }
            list.into_any()
        }
        Value::Object(map) => {
            let dict = PyDict::new(py);
            for (key, item) in map {
                dict.set_item(key, to_python(py, item)?)?;
            }
            dict.into_any()
        }
    })
}

/// The value of a plain Python object; an error says in words what cannot be one.
pub(crate) fn from_python(object: &Bound<'_, PyAny>) -> Result<Value, String> {
    read(object, DEEPEST, &mut 0)
}

fn read(object: &Bound<'_, PyAny>, depth: usize, count: &mut usize) -> Result<Value, String> {
    if depth == 0 {
        return Err(format!("nested deeper than {DEEPEST} levels"));
    }
    *count += 1;
    if *count > MOST {
        return Err(format!("got more than {MOST} values"));
    }
    if object.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(truth) = object.cast::<PyBool>() {
        return Ok(truth.is_true().into());
    }
    if let Ok(text) = object.cast::<PyString>() {
        return text.to_str().map(Value::from).map_err(|error| error.to_string());
    }
    if let Ok(number) = object.cast::<PyFloat>() {
        return serde_json::Number::from_f64(number.value())
            .map(Value::Number)
            .ok_or_else(|| format!("got {}, which is no finite number", number.value()));
    }
    if let Ok(list) = object.cast::<PyList>() {
        let items = list.iter().map(|item| read(&item, depth - 1, count));
        return items.collect::<Result<_, _>>().map(Value::Array);
    }
    if let Ok(tuple) = object.cast::<PyTuple>() {
        let items = tuple.iter().map(|item| read(&item, depth - 1, count));
        return items.collect::<Result<_, _>>().map(Value::Array);
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        let mut map = Map::new();
        for (key, item) in dict.iter() {
            let key = key.cast::<PyString>().map_err(|_| "a key is not a text".to_string())?;
            map.insert(key.to_string(), read(&item, depth - 1, count)?);
        }
        return Ok(Value::Object(map));
    }
    // Whole numbers, numpy's too.
    if let Ok(number) = object.extract::<i64>() {
        return Ok(number.into());
    }
    if let Ok(number) = object.extract::<u64>() {
        return Ok(number.into());
    }
    if object.is_instance_of::<PyInt>() {
        return Err(format!("got {object}, which does not fit 64 bits"));
    }
    let kind = object.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
    Err(format!("got an object of type `{kind}`"))
}

/// A list of dicts from JSON values.
pub(crate) fn list<'py>(py: Python<'py>, values: &[Value]) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, values.iter().map(|value| to_python(py, value)).collect::<PyResult<Vec<_>>>()?)
}
