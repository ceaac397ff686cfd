//! Tensors of other libraries as numpy arrays over the same memory.
//!
//! numpy can do this too, but it treats tensors of the older protocol version as read-only. Most versions of torch export that version, so
//! results could not be written into their tensors.

use crate::errors::{Result, argument};
use numpy::npyffi::{NPY_ARRAY_WRITEABLE, NpyTypes, get_type_object, npy_intp};
use numpy::{Element, PY_ARRAY_API, PyArrayDescr, PyArrayDescrMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ffi::{CStr, c_int, c_void};

/// Kinds of devices whose memory this processor reads and writes: its own, and pinned or managed memory of accelerators.
const READABLE: [i64; 4] = [1, 3, 11, 13];
/// The code of short floats with the exponents of `float32`.
const BFLOAT: u8 = 4;
const OLDER: &CStr = c"dltensor";
const VERSIONED: &CStr = c"dltensor_versioned";
/// The version of the protocol that is read; later ones of the same major number only add.
const MAJOR: u32 = 1;
/// More axes than numpy has; a tensor with more is none.
const MOST_AXES: c_int = 32;

/// `DLTensor` of dlpack.h.
#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device: [i32; 2],
    axes: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

/// The beginning of `DLManagedTensorVersioned`.
#[repr(C)]
struct Versioned {
    major: u32,
    minor: u32,
    manager: *mut c_void,
    deleter: *mut c_void,
    flags: u64,
    tensor: Tensor,
}

/// An array over the memory of a tensor, for as long as the array lives; `None` if the object is no tensor.
///
/// # Errors
/// `InvalidArgument` for memory that is not this processor's, tensors that are not given away, and types that numpy lacks.
pub(crate) fn array<'py>(
    name: &'static str,
    object: &Bound<'py, PyAny>,
) -> Result<Option<Bound<'py, PyAny>>> {
    let (Ok(give), Ok(device)) = (object.getattr("__dlpack__"), object.getattr("__dlpack_device__")) else {
        return Ok(None);
    };
    let kind = crate::arrays::type_text(object);
    let refused = |why: String| argument(name, format!("got {kind}{why}"));
    let device = match device.call0().and_then(|device| device.get_item(0)?.extract::<i64>()) {
        Ok(device) => device,
        Err(error) => return refused(format!(", which does not say where its memory is: {error}")),
    };
    if !READABLE.contains(&device) {
        let place =
            object.getattr("device").map_or_else(|_| format!("device type {device}"), |at| at.to_string());
        return refused(format!(" in the memory of {place}; `.cpu()` makes a copy that can be used here"));
    }
    let capsule = match ask(&give) {
        Ok(capsule) => capsule,
        Err(error) => {
            let grad = object.getattr("requires_grad").and_then(|grad| grad.is_truthy()).unwrap_or(false);
            let mended = if grad { "`.detach()` makes" } else { "`.contiguous()` or `.numpy()` make" };
            return refused(format!(
                ", which does not give away its memory: {error}; {mended} one that does"
            ));
        }
    };
    match over(&capsule) {
        Ok(array) => Ok(Some(array)),
        Err(why) => refused(why),
    }
}

/// The capsule of a tensor, in the form with a version if its library knows that.
fn ask<'py>(give: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = give.py();
    let newest = PyDict::new(py);
    newest.set_item("max_version", PyTuple::new(py, [MAJOR, 0])?)?;
    give.call((), Some(&newest)).or_else(|error| match error.is_instance_of::<PyTypeError>(py) {
        true => give.call0(),
        false => Err(error),
    })
}

/// The tensor in a capsule, and whether it may be written. A capsule that is not renamed frees its tensor when it goes itself.
#[expect(unsafe_code, reason = "the memory of another library's tensor")]
fn tensor<'a>(capsule: &'a Bound<'_, PyAny>) -> Option<(&'a Tensor, bool)> {
    let object = capsule.as_ptr();
    let at = |name: &CStr| {
        // SAFETY: we are attached to the interpreter; the type of the object and the name of the capsule are checked first.
        unsafe {
            match pyo3::ffi::PyCapsule_IsValid(object, name.as_ptr()) {
                1 => pyo3::ffi::PyCapsule_GetPointer(object, name.as_ptr()),
                _ => std::ptr::null_mut(),
            }
        }
    };
    let older = at(OLDER).cast::<Tensor>().cast_const();
    // SAFETY: a capsule of this name holds a `DLManagedTensor`, which begins with the tensor, and keeps it while it lives.
    if let Some(tensor) = unsafe { older.as_ref() } {
        return Some((tensor, true));
    }
    let versioned = at(VERSIONED).cast::<Versioned>().cast_const();
    if versioned.is_null() || !versioned.is_aligned() {
        return None;
    }
    // SAFETY: a capsule of this name holds a `DLManagedTensorVersioned`, whose version stands first in every version.
    let major = unsafe { (*versioned).major };
    if major != MAJOR {
        return None;
    }
    // SAFETY: of this version it is laid out as above.
    let managed = unsafe { &*versioned };
    Some((&managed.tensor, managed.flags & 1 == 0))
}

/// An array over the tensor of a capsule, which becomes its base; or what is wrong with it.
#[expect(unsafe_code, reason = "the memory of another library's tensor")]
fn over<'py>(capsule: &Bound<'py, PyAny>) -> std::result::Result<Bound<'py, PyAny>, String> {
    let py = capsule.py();
    let Some((tensor, writable)) = tensor(capsule) else {
        return Err(", whose `__dlpack__` returns no tensor of a version that is known here".into());
    };
    let Some(element) = element(py, tensor) else {
        let (code, bits, lanes) = (tensor.code, tensor.bits, tensor.lanes);
        let mended = if code == BFLOAT { "; `.float()` makes a copy of a type that it has" } else { "" };
        return Err(format!(
            " with elements of DLPack type {code} of {bits} bits in {lanes} lanes, which numpy lacks{mended}"
        ));
    };
    let axes: c_int = tensor.axes;
    if !(0..=MOST_AXES).contains(&axes) || (axes > 0 && tensor.shape.is_null()) {
        return Err(format!(" with {axes} axes"));
    }
    let list = |from: *const i64| -> Vec<npy_intp> {
        // SAFETY: the tensor has `axes` sizes, and `axes` strides unless it has none.
        (0..axes as usize).map(|axis| unsafe { *from.add(axis) } as npy_intp).collect()
    };
    let mut shape = list(tensor.shape);
    let size = element.itemsize() as npy_intp;
    let strides: Option<Vec<npy_intp>> = match tensor.strides.is_null() || axes == 0 {
        // Without strides it is contiguous.
        true => {
            let mut stride = Some(size);
            let mut strides: Vec<Option<npy_intp>> = Vec::new();
            for &length in shape.iter().rev() {
                strides.push(stride);
                stride = stride.and_then(|stride| stride.checked_mul(length.max(1)));
            }
            strides.into_iter().rev().collect()
        }
        false => list(tensor.strides).into_iter().map(|stride| stride.checked_mul(size)).collect(),
    };
    let Some(mut strides) = strides.filter(|_| shape.iter().all(|&length| length >= 0)) else {
        return Err(format!(" of shape {shape:?}"));
    };
    let data = tensor.data.cast::<u8>().wrapping_add(tensor.byte_offset as usize);
    let flags = if writable { NPY_ARRAY_WRITEABLE } else { 0 };
    // SAFETY: we are attached to the interpreter; sizes and strides are as many as announced, and describe the tensor's memory, which
    // the capsule keeps; the reference to the type and the one to the capsule are given away; the results are new references or null
    // with an exception set.
    let array = unsafe {
        let kind = get_type_object(py, NpyTypes::PyArray_Type);
        let (shape, strides) = (shape.as_mut_ptr(), strides.as_mut_ptr());
        let none = std::ptr::null_mut();
        let descr = element.into_dtype_ptr();
        let made = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            kind,
            descr,
            axes,
            shape,
            strides,
            data.cast(),
            flags,
            none,
        );
        let made = Bound::from_owned_ptr_or_opt(py, made);
        made.filter(|made| {
            PY_ARRAY_API.PyArray_SetBaseObject(py, made.as_ptr().cast(), capsule.clone().into_ptr()) == 0
        })
    };
    array.ok_or_else(|| match PyErr::take(py) {
        Some(error) => format!(", of which numpy makes no array: {error}"),
        None => ", of which numpy makes no array".into(),
    })
}

/// The type of a tensor's elements in numpy.
fn element<'py>(py: Python<'py>, tensor: &Tensor) -> Option<Bound<'py, PyArrayDescr>> {
    fn of<T: Element>(py: Python<'_>) -> Option<Bound<'_, PyArrayDescr>> {
        Some(numpy::dtype::<T>(py))
    }
    match (tensor.code, tensor.bits, tensor.lanes) {
        (0, 8, 1) => of::<i8>(py),
        (0, 16, 1) => of::<i16>(py),
        (0, 32, 1) => of::<i32>(py),
        (0, 64, 1) => of::<i64>(py),
        (1, 8, 1) => of::<u8>(py),
        (1, 16, 1) => of::<u16>(py),
        (1, 32, 1) => of::<u32>(py),
        (1, 64, 1) => of::<u64>(py),
        // Without a type in Rust; taken nowhere, but named by its type where it is refused.
        (2, 16, 1) => PyArrayDescr::new(py, "float16").ok(),
        (2, 32, 1) => of::<f32>(py),
        (2, 64, 1) => of::<f64>(py),
        (6, 8, 1) => of::<bool>(py),
        _ => None,
    }
}
