//! Arguments that are one number or text, or a list of them: read with the argument's name in every refusal.

use crate::arrays::type_text;
use crate::errors::{Result, argument};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBool, PyInt, PyMemoryView, PyString};

/// The arguments that are one number or truth value; [`Whole`], [`Count`], [`Real`] and [`Flag`] name one by its place here.
const NAMES: [&str; 21] = [
    "action",
    "player",
    "viewer",
    "decisions",
    "env",
    "width",
    "steps",
    "episodes",
    "episodes",
    "rows",
    "leaves",
    "n",
    "repeats",
    "decisions",
    "temperature",
    "gamma",
    "gae_lambda",
    "keep",
    "greedy",
    "relative",
    "exact",
];
pub(crate) const ACTION: usize = 0;
pub(crate) const PLAYER: usize = 1;
pub(crate) const VIEWER: usize = 2;
pub(crate) const DECISIONS: usize = 3;
pub(crate) const ENV: usize = 4;
pub(crate) const WIDTH: usize = 5;
pub(crate) const STEPS: usize = 6;
pub(crate) const EPISODES: usize = 7;
/// Episodes of which there must be one at least.
pub(crate) const MEASURED: usize = 8;
pub(crate) const ROWS: usize = 9;
pub(crate) const LEAVES: usize = 10;
pub(crate) const ROOM: usize = 11;
pub(crate) const REPEATS: usize = 12;
/// Decisions of which there must be one at least.
pub(crate) const CHOICES: usize = 13;
pub(crate) const TEMPERATURE: usize = 14;
pub(crate) const GAMMA: usize = 15;
pub(crate) const GAE_LAMBDA: usize = 16;
pub(crate) const KEEP: usize = 17;
pub(crate) const GREEDY: usize = 18;
pub(crate) const RELATIVE: usize = 19;
pub(crate) const EXACT: usize = 20;

/// A whole number as Python gives it for the argument `NAMES[N]`; what does not fit 64 bits becomes the nearest that does, which no
/// action or player is. Truth values are none.
#[derive(Clone, Copy)]
pub(crate) struct Whole<const N: usize>(pub(crate) i64);

impl<'a, 'py, const N: usize> FromPyObject<'a, 'py> for Whole<N> {
    type Error = PyErr;

    #[inline]
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Whole<N>> {
        if object.is_exact_instance_of::<PyInt>()
            && let Ok(number) = object.extract::<i64>()
        {
            return Ok(Whole(number));
        }
        Ok(Whole(whole_number(NAMES[N], &object)?))
    }
}

/// A number of things, or the place of one, for the argument `NAMES[N]`.
#[derive(Clone, Copy)]
pub(crate) struct Count<const N: usize>(pub(crate) usize);

impl<'a, 'py, const N: usize> FromPyObject<'a, 'py> for Count<N> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Count<N>> {
        let number = whole_number(NAMES[N], &object)?;
        // A rollout has a last step, which the batch after it shows; a picture has a pixel, a measurement an episode, searches a row.
        let least = usize::from(matches!(N, STEPS | WIDTH | MEASURED | CHOICES | ROWS | LEAVES));
        match usize::try_from(number) {
            Ok(number) if number >= least => Ok(Count(number)),
            _ => {
                let refused: Result<_> = argument(NAMES[N], format!("got {number}; wanted {least} or more"));
                Ok(refused?)
            }
        }
    }
}

/// A number for the argument `NAMES[N]`.
#[derive(Clone, Copy)]
pub(crate) struct Real<const N: usize>(pub(crate) f32);

impl<'a, 'py, const N: usize> FromPyObject<'a, 'py> for Real<N> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Real<N>> {
        Ok(Real(number(NAMES[N], &object)? as f32))
    }
}

/// A truth value for the argument `NAMES[N]`: a `bool`, numpy's too.
#[derive(Clone, Copy)]
pub(crate) struct Flag<const N: usize>(pub(crate) bool);

impl<'a, 'py, const N: usize> FromPyObject<'a, 'py> for Flag<N> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Flag<N>> {
        match object.extract::<bool>() {
            Ok(value) => Ok(Flag(value)),
            Err(_) => {
                let kind = type_text(&object);
                let refused: Result<_> =
                    argument(NAMES[N], format!("got an object of type {kind}; wanted True or False"));
                Ok(refused?)
            }
        }
    }
}

/// A whole number of any type but `bool`, for an argument, or inside a list for one.
pub(crate) fn whole_number(name: &'static str, object: &Bound<'_, PyAny>) -> Result<i64> {
    if !object.is_instance_of::<PyBool>() {
        if let Ok(number) = object.extract::<i64>() {
            return Ok(number);
        }
        if object.is_instance_of::<PyInt>() {
            return Ok(if object.lt(0)? { i64::MIN } else { i64::MAX });
        }
    }
    argument(name, format!("got an object of type {}; wanted a whole number", type_text(object)))
}

/// A text, for an argument.
pub(crate) fn text<'a>(name: &'static str, object: &'a Bound<'_, PyAny>) -> Result<&'a str> {
    match object.cast::<PyString>() {
        Ok(text) => text.to_str().or_else(|_| {
            let shown = object.repr().and_then(|shown| shown.extract::<String>()).unwrap_or_default();
            argument(name, format!("got {shown}, which holds an unpaired surrogate; wanted a text"))
        }),
        Err(_) => argument(name, format!("got an object of type {}; wanted a text", type_text(object))),
    }
}

/// The items of an argument that must be a list of something.
pub(crate) fn list<'py>(
    name: &'static str,
    object: &Bound<'py, PyAny>,
    wanted: &str,
) -> Result<Vec<Bound<'py, PyAny>>> {
    let items = if object.is_instance_of::<PyString>() {
        None
    } else {
        object.try_iter().ok().and_then(|items| items.collect::<PyResult<Vec<_>>>().ok())
    };
    let refuse = || argument(name, format!("got an object of type {}; wanted {wanted}", type_text(object)));
    items.map_or_else(refuse, Ok)
}

/// An argument that must be a list of texts.
pub(crate) fn texts(name: &'static str, object: &Bound<'_, PyAny>) -> Result<Vec<String>> {
    list(name, object, "a list of texts")?.iter().map(|item| Ok(text(name, item)?.to_owned())).collect()
}

/// An argument that must be a number.
pub(crate) fn number(name: &'static str, object: &Bound<'_, PyAny>) -> Result<f64> {
    object
        .extract::<f64>()
        .or_else(|_| argument(name, format!("got an object of type {}; wanted a number", type_text(object))))
}

/// An argument that must be a list of numbers.
pub(crate) fn numbers(name: &'static str, object: &Bound<'_, PyAny>) -> Result<Vec<f64>> {
    list(name, object, "a list of numbers")?.iter().map(|item| number(name, item)).collect()
}

/// An argument that must be bytes, or something else that lends its bytes.
pub(crate) fn bytes(name: &'static str, object: &Bound<'_, PyAny>) -> Result<PyBackedBytes> {
    if let Ok(bytes) = object.extract::<PyBackedBytes>() {
        return Ok(bytes);
    }
    let copied = PyMemoryView::from(object).and_then(|view| {
        let bytes = view.call_method0("tobytes")?;
        bytes.extract::<PyBackedBytes>().map_err(PyErr::from)
    });
    copied.or_else(|_| argument(name, format!("got an object of type {}; wanted bytes", type_text(object))))
}

/// A seed: a whole number from 0 to 2**64 - 1.
#[derive(Clone, Copy)]
pub(crate) struct Seed(pub(crate) u64);

impl<'a, 'py> FromPyObject<'a, 'py> for Seed {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Seed> {
        match object.extract::<u64>() {
            Ok(seed) if !object.is_instance_of::<PyBool>() => Ok(Seed(seed)),
            _ => {
                let message = format!("got {}; {SEEDS}", Seed::shown(&object));
                let refused: Result<Seed> = argument("seed", message);
                Ok(refused?)
            }
        }
    }
}

/// What a seed can be.
pub(crate) const SEEDS: &str = "allowed: whole numbers, 0 to 2**64 - 1";

impl Seed {
    /// What was given in the place of a seed: whole numbers, numpy's too, as they are.
    #[cold]
    pub(crate) fn shown(object: &Bound<'_, PyAny>) -> String {
        let number = match object.is_instance_of::<PyBool>() {
            true => None,
            false => object.call_method0("__index__").ok(),
        };
        match number {
            Some(number) => number.to_string().chars().take(40).collect(),
            None => format!("an object of type {}", type_text(object)),
        }
    }
}

/// The name of an element type, of an argument that is a text or what numpy makes a type of.
pub(crate) fn dtype_text(name: &'static str, object: &Bound<'_, PyAny>) -> Result<String> {
    if object.is_instance_of::<PyString>() {
        return Ok(text(name, object)?.to_owned());
    }
    let dtype = PyModule::import(object.py(), "numpy")?.call_method1("dtype", (object,));
    // `None` is a type for numpy, and types in the byte order of other machines have the name of those in this one's.
    match dtype.and_then(|dtype| Ok((dtype.getattr("isnative")?.is_truthy()?, dtype))) {
        Ok((true, dtype)) if !object.is_none() => Ok(dtype.getattr("name")?.extract()?),
        Ok((false, dtype)) => Ok(dtype.to_string()),
        _ => argument(
            name,
            format!("got an object of type {}; wanted a text or a type of numpy", type_text(object)),
        ),
    }
}
