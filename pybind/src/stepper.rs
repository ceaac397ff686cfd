//! `playmat.Stepper`: steps of one environment into two arrays that are checked once.

use crate::arrays::{CheckedArray, Memory};
use crate::env::{Env, Inner};
use crate::errors::Result;
use crate::scalars::{ACTION, Seed, Whole};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use pyo3::types::PyInt;
use pyo3::{PyTraverseError, PyVisit};
use std::ffi::{CStr, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Steps of an environment into two arrays that the caller reuses: the fastest way to play one environment. Made by `Env.stepper`.
///
/// `step` and `reset` do what `env.step_into` and `env.reset` do, but the arrays are checked once. The environment stays usable beside the
/// stepper: other changes to it reach the arrays only with the next `step`, `reset` or `write`. The stepper keeps the environment and both
/// arrays alive. It cannot be pickled or copied, because a copy would write into the same arrays.
///
/// Arrays that have become unusable are refused, as `env.step_into` refuses them: an array that was made read-only, and one with another
/// type or shape. Make the array writable again to go on. After any other change, such as a resize and back, steps work, but are as slow as
/// `step_into`: make a new stepper.
///
/// >>> import numpy, playmat
/// >>> env = playmat.Game("connect_four").env(seed=7)
/// >>> observation, mask = numpy.zeros(126, numpy.uint8), numpy.zeros(7, bool)
/// >>> stepper = env.stepper(observation, mask)
/// >>> stepper.reset(seed=7)
/// >>> while not stepper.step(int(mask.argmax())):
/// ...     pass
/// >>> env.decisions, env.terminated, int(mask.sum())
/// (19, True, 0)
#[pyclass(frozen, module = "playmat", name = "Stepper")]
pub(crate) struct Stepper {
    env: Py<Env>,
    observation: Target,
    mask: Target,
}

/// An array to write into.
struct Target {
    object: Py<PyAny>,
    /// `None` for memory of other libraries, which is checked in every call.
    checked: Option<CheckedArray>,
}

impl Target {
    fn new(object: &Bound<'_, PyAny>, memory: &Memory<'_>) -> Target {
        Target { object: object.clone().unbind(), checked: CheckedArray::new(object, memory) }
    }

    #[inline]
    fn memory<'a>(&'a self, py: Python<'a>) -> Option<Memory<'a>> {
        self.checked.as_ref()?.memory(py)
    }
}

impl Stepper {
    /// A stepper whose arrays show the present position.
    pub(crate) fn new(
        env: &Bound<'_, Env>,
        observation: &Bound<'_, PyAny>,
        mask: &Bound<'_, PyAny>,
    ) -> Result<Stepper> {
        env.get().with_targets(env.py(), observation, mask, |inner, seen, legal| {
            let stepper = Stepper {
                env: env.clone().unbind(),
                observation: Target::new(observation, seen),
                mask: Target::new(mask, legal),
            };
            env.get().write_into(inner, seen, legal)?;
            Ok(stepper)
        })
    }

    /// A call with the environment and both arrays.
    fn with_targets<T>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&Env, &mut Inner, &Memory<'_>, &Memory<'_>) -> Result<T>,
    ) -> Result<T> {
        let env = self.env.get();
        // First, because other threads can change the arrays while this one waits.
        let mut inner = env.lock(py)?;
        match (self.observation.memory(py), self.mask.memory(py)) {
            (Some(observation), Some(mask)) => call(env, &mut inner, &observation, &mask),
            _ => {
                drop(inner);
                self.with_other_targets(py, call)
            }
        }
    }

    /// The usual step: a legal action, arrays that are as they were checked, and an environment that no other call uses. Otherwise `None`,
    /// and nothing has changed.
    #[inline]
    fn step_at_once(&self, py: Python<'_>, action: i64) -> Option<bool> {
        let (observation, mask) = (self.observation.memory(py)?, self.mask.memory(py)?);
        let env = self.env.get();
        // No other Python code runs from here on.
        let mut inner = env.inner_lock().try_lock_briefly()?;
        env.play_into(&mut inner, action, &observation, &mask).ok()
    }

    /// Any step.
    #[cold]
    fn step_checked(&self, py: Python<'_>, action: Borrowed<'_, '_, PyAny>) -> Result<bool> {
        let Whole(action) = Whole::<ACTION>::extract(action)?;
        self.with_targets(py, |env, inner, observation, mask| env.play_into(inner, action, observation, mask))
    }

    /// Arrays that are not those that were checked, or that are of other libraries.
    #[cold]
    fn with_other_targets<T>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&Env, &mut Inner, &Memory<'_>, &Memory<'_>) -> Result<T>,
    ) -> Result<T> {
        let env = self.env.get();
        let (observation, mask) = (self.observation.object.bind(py), self.mask.object.bind(py));
        env.with_targets(py, observation, mask, |inner, observation, mask| {
            call(env, inner, observation, mask)
        })
    }
}

/// `Stepper.step`. pyo3 has no methods of one argument by position (`METH_O`): it would look the argument up by its name, and
/// increment its own counter of attached threads, which costs as much as the step of a small game (see [`add_step`]).
const STEP: &CStr = c"step";
const STEP_DOC: &CStr = c"step($self, action, /)\n--\n\n\
Plays one decision, and writes the observation and the mask of the next current player: `env.step_into`.\n\n\
Args:\n    action: The action of the current player.\n\n\
Returns:\n    Whether the episode is over: then the arrays hold the view of the player who acted last, and a mask that is all 0.\n\n\
Raises:\n    IllegalAction, EpisodeOver, InvalidArgument: Nothing changed, nothing written.";

/// Adds [`STEP`] to the class.
///
/// # Errors
/// Those of Python.
#[expect(unsafe_code, reason = "a method in the fastest form that Python has")]
pub(crate) fn add_step(py: Python<'_>) -> PyResult<()> {
    let class = py.get_type::<Stepper>();
    let definition = Box::new(ffi::PyMethodDef {
        ml_name: STEP.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunction: step },
        ml_flags: ffi::METH_O,
        ml_doc: STEP_DOC.as_ptr(),
    });
    // SAFETY: the definition lives as long as the process; the result is a new reference, or null with an exception set. Python calls such
    // a method with instances of the class only.
    let method = unsafe {
        Bound::from_owned_ptr_or_err(py, ffi::PyDescr_NewMethod(class.as_type_ptr(), Box::leak(definition)))?
    };
    class.setattr("step", method)
}

/// # Safety
/// `stepper` is a `Stepper`, `action` an object, and this thread is attached to the interpreter.
#[expect(unsafe_code, reason = "a method in the fastest form that Python has")]
unsafe extern "C" fn step(stepper: *mut ffi::PyObject, action: *mut ffi::PyObject) -> *mut ffi::PyObject {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: this thread is attached, and Python holds both objects during the call.
        let (stepper, action) = unsafe {
            let py = Python::assume_attached();
            (Borrowed::from_ptr(py, stepper), Borrowed::from_ptr(py, action))
        };
        // SAFETY: the class was checked, and nothing inherits from it.
        let stepper = unsafe { stepper.cast_unchecked::<Stepper>() }.get();
        match whole(action).and_then(|number| stepper.step_at_once(action.py(), number)) {
            Some(over) => Ok(over),
            None => Python::attach(|py| stepper.step_checked(py, action)).map_err(PyErr::from),
        }
    }));
    let error = match outcome {
        Ok(Ok(over)) => {
            // SAFETY: this thread is attached.
            return unsafe { ffi::Py_NewRef(if over { ffi::Py_True() } else { ffi::Py_False() }) };
        }
        Ok(Err(refusal)) => refusal,
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            PanicException::new_err((text.unwrap_or_else(|| "panic from Rust code".into()),))
        }
    };
    Python::attach(|py| error.restore(py));
    std::ptr::null_mut()
}

/// An exact `int` of 64 bits.
#[inline]
#[expect(unsafe_code, reason = "the call of Python that needs no exception for large numbers")]
fn whole(object: Borrowed<'_, '_, PyAny>) -> Option<i64> {
    if !object.is_exact_instance_of::<PyInt>() {
        return None;
    }
    let mut overflow: c_int = 0;
    // SAFETY: this thread is attached, and the object is an `int`: there is no exception.
    let number = unsafe { ffi::PyLong_AsLongLongAndOverflow(object.as_ptr(), &raw mut overflow) };
    (overflow == 0).then_some(number)
}

#[pymethods]
impl Stepper {
    /// The environment.
    #[getter]
    fn env(&self, py: Python<'_>) -> Py<Env> {
        self.env.clone_ref(py)
    }

    /// The array of observations, as it was given.
    #[getter]
    fn observation(&self, py: Python<'_>) -> Py<PyAny> {
        self.observation.object.clone_ref(py)
    }

    /// The array of action masks, as it was given.
    #[getter]
    fn mask(&self, py: Python<'_>) -> Py<PyAny> {
        self.mask.object.clone_ref(py)
    }

    /// Starts an episode, and writes its first observation and mask.
    ///
    /// Args:
    ///     seed: As in `env.reset`: of the episode; without, the next of the environment's own stream.
    ///
    /// Raises:
    ///     InvalidArgument: Nothing changed, nothing written.
    #[pyo3(signature = (seed=None))]
    fn reset(&self, py: Python<'_>, seed: Option<Seed>) -> Result<()> {
        self.with_targets(py, |env, inner, observation, mask| {
            inner.env.reset(seed.map(|seed| seed.0));
            env.write_into(inner, observation, mask)
        })
    }

    /// Writes the observation and the mask of the present position, for a program that has also changed the environment elsewhere.
    ///
    /// Raises:
    ///     InvalidArgument: Nothing written.
    fn write(&self, py: Python<'_>) -> Result<()> {
        self.with_targets(py, Env::write_into)
    }

    fn __reduce__(&self) -> PyResult<()> {
        let message = "a `playmat.Stepper` cannot be pickled or copied: pickle or copy `stepper.env`, and call `stepper` of it";
        Err(PyTypeError::new_err(message))
    }

    /// For cycles through the arrays, which can have attributes.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.env)?;
        for target in [&self.observation, &self.mask] {
            visit.call(&target.object)?;
            visit.call(target.checked.as_ref().map(CheckedArray::array))?;
        }
        Ok(())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<playmat.Stepper of {}>", self.env.bind(py).repr()?))
    }
}
