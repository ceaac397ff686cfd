//! Views of numpy arrays, with checks that name the argument, what it is and what it should be. Tensors of other libraries and
//! other objects that share their memory ([`ForeignArray`]) are viewed through numpy arrays over that memory, without a copy.
//!
//! The checks read the array's own fields: rust-numpy's borrow table would cost 70 ns per array, and a single step of a small
//! game takes less. What the table guards against (two arrays of one call over the same memory) is checked here by
//! address; the caller must not write into an array in another thread during a call, as everywhere in numpy.

use crate::errors::{Result, argument};
use crate::scalars::whole_number;
use numpy::npyffi::{
    NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_WRITEABLE, NPY_TYPES, PyArrayObject_fields, npy_intp,
};
use numpy::{PY_ARRAY_API, PyArrayDescr, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyMemoryView, PyString, PyTuple};
use std::ffi::{c_int, c_long};
use std::ops::Range;

/// What the elements of an array are; everything that the engine never reads or writes is `Other`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    Other,
}

impl Element {
    /// Whether it is a type of whole numbers.
    fn is_whole(self) -> bool {
        !matches!(self, Element::Bool | Element::F32 | Element::Other)
    }

    fn of(type_num: c_int, byteorder: u8) -> Element {
        const LONG: bool = size_of::<c_long>() == 8;
        let swapped = if cfg!(target_endian = "little") { b'>' } else { b'<' };
        if byteorder == swapped {
            return Element::Other;
        }
        const fn is(kind: NPY_TYPES) -> c_int {
            kind as c_int
        }
        const BOOL: c_int = is(NPY_TYPES::NPY_BOOL);
        const BYTE: c_int = is(NPY_TYPES::NPY_BYTE);
        const UBYTE: c_int = is(NPY_TYPES::NPY_UBYTE);
        const SHORT: c_int = is(NPY_TYPES::NPY_SHORT);
        const USHORT: c_int = is(NPY_TYPES::NPY_USHORT);
        const INT: c_int = is(NPY_TYPES::NPY_INT);
        const UINT: c_int = is(NPY_TYPES::NPY_UINT);
        const SIGNED_LONG: c_int = is(NPY_TYPES::NPY_LONG);
        const UNSIGNED_LONG: c_int = is(NPY_TYPES::NPY_ULONG);
        const LONGLONG: c_int = is(NPY_TYPES::NPY_LONGLONG);
        const ULONGLONG: c_int = is(NPY_TYPES::NPY_ULONGLONG);
        const FLOAT: c_int = is(NPY_TYPES::NPY_FLOAT);
        match type_num {
            BOOL => Element::Bool,
            BYTE => Element::I8,
            UBYTE => Element::U8,
            SHORT => Element::I16,
            USHORT => Element::U16,
            INT => Element::I32,
            UINT => Element::U32,
            SIGNED_LONG if LONG => Element::I64,
            SIGNED_LONG => Element::I32,
            UNSIGNED_LONG if LONG => Element::U64,
            UNSIGNED_LONG => Element::U32,
            LONGLONG => Element::I64,
            ULONGLONG => Element::U64,
            FLOAT => Element::F32,
            _ => Element::Other,
        }
    }

    /// Bytes of one element; 0 for `Other`.
    pub(crate) fn size(self) -> usize {
        match self {
            Element::Bool | Element::I8 | Element::U8 => 1,
            Element::I16 | Element::U16 => 2,
            Element::I32 | Element::U32 | Element::F32 => 4,
            Element::I64 | Element::U64 => 8,
            Element::Other => 0,
        }
    }
}

/// An array as it lies in memory, for as long as the caller holds it.
#[derive(Clone, Copy)]
pub(crate) struct Memory<'a> {
    data: *mut u8,
    pub(crate) element: Element,
    shape: &'a [npy_intp],
    flags: c_int,
}

impl<'a> Memory<'a> {
    /// The numpy array behind an object; `None` if it is none.
    #[inline]
    pub(crate) fn of(object: &'a Bound<'_, PyAny>) -> Option<Memory<'a>> {
        let array = object.cast::<PyUntypedArray>().ok()?;
        let descr = array.dtype();
        let element = Element::of(descr.num(), descr.byteorder());
        let fields = fields(array);
        Some(Memory { data: fields.data.cast(), element, shape: shape(fields), flags: fields.flags })
    }

    /// Number of elements.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.shape.iter().map(|&n| n as usize).product()
    }

    /// The addresses it covers, if it is contiguous.
    #[inline]
    pub(crate) fn range(&self) -> Range<usize> {
        let start = self.data as usize;
        start..start + self.len() * self.element.size()
    }

    /// Whether two contiguous arrays share memory.
    #[inline]
    pub(crate) fn overlaps(&self, other: &Memory<'_>) -> bool {
        overlap(&self.range(), &other.range())
    }

    /// Whether the shape is this one.
    pub(crate) fn has_shape(&self, shape: &[usize]) -> bool {
        self.shape.len() == shape.len() && self.shape.iter().zip(shape).all(|(&a, &b)| a as usize == b)
    }

    /// What keeps an array of a type that is known from being read or written as it lies.
    #[cold]
    pub(crate) fn unfit(&self) -> &'static str {
        match self.flags & NPY_ARRAY_C_CONTIGUOUS {
            0 => {
                "the array is not C-contiguous; `numpy.ascontiguousarray`, or `.contiguous()` of a tensor, makes a copy that is"
            }
            _ => "the array is not aligned: its elements begin at odd addresses",
        }
    }

    /// Whether rows follow each other without gaps, and elements lie where the processor wants them.
    #[inline]
    pub(crate) fn is_contiguous(&self) -> bool {
        const NEEDED: c_int = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED;
        self.flags & NEEDED == NEEDED
    }

    /// Whether it may be written.
    #[inline]
    pub(crate) fn is_writable(&self) -> bool {
        self.flags & NPY_ARRAY_WRITEABLE != 0
    }

    /// The length of every axis.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        self.shape.iter().map(|&n| n as usize).collect()
    }

    /// The shape as Python prints it.
    pub(crate) fn shape_text(&self) -> String {
        shape_text(&self.sizes())
    }

    /// Start of the data.
    pub(crate) fn data(&self) -> *mut u8 {
        self.data
    }

    /// The elements of a contiguous array of one-byte type, to write into.
    ///
    /// Only for arrays that passed [`check_out`], one at a time or without overlap.
    #[inline]
    #[expect(unsafe_code, reason = "a view of the buffer of a numpy array")]
    pub(crate) fn bytes_mut(&self) -> &'a mut [u8] {
        assert!(self.is_contiguous() && self.is_writable() && self.element.size() == 1);
        // SAFETY: a contiguous, writable array of `len` one-byte elements that the caller of this binding holds for 'a; numpy moves the
        // data of a referenced array only for `resize(refcheck=False)`, whose caller answers for that. Zero-length arrays have a dangling
        // but aligned pointer.
        unsafe { std::slice::from_raw_parts_mut(self.data, self.len()) }
    }

    /// The elements of a contiguous `float32` array, to write into. See [`Memory::bytes_mut`].
    #[inline]
    #[expect(unsafe_code, reason = "a view of the buffer of a numpy array")]
    pub(crate) fn floats_mut(&self) -> &'a mut [f32] {
        assert!(self.is_contiguous() && self.is_writable() && self.element == Element::F32);
        // SAFETY: as in `bytes_mut`; the element is `f32` and the array is aligned.
        unsafe { std::slice::from_raw_parts_mut(self.data.cast(), self.len()) }
    }

    /// The bytes of a contiguous array of truth values or of bytes (signed or not), one per element.
    #[expect(unsafe_code, reason = "a view of the buffer of a numpy array")]
    pub(crate) fn truths(&self) -> Option<&'a [u8]> {
        if !matches!(self.element, Element::Bool | Element::U8 | Element::I8) || !self.is_contiguous() {
            return None;
        }
        // SAFETY: a contiguous array of `len` one-byte elements, held by the caller for 'a.
        Some(unsafe { std::slice::from_raw_parts(self.data, self.len()) })
    }

    /// The elements of a contiguous array, read as `T`; `None` if `T` is not what it holds.
    #[inline]
    #[expect(unsafe_code, reason = "a view of the buffer of a numpy array")]
    pub(crate) fn slice<T: Scalar>(&self) -> Option<&'a [T]> {
        if self.element != T::ELEMENT || !self.is_contiguous() {
            return None;
        }
        // SAFETY: a contiguous and aligned array of `len` elements of type `T`, held by the caller for 'a.
        Some(unsafe { std::slice::from_raw_parts(self.data.cast(), self.len()) })
    }

    /// The elements of a contiguous array of whole numbers; what does not fit becomes the largest number. `None` for other arrays.
    pub(crate) fn whole_numbers(&self) -> Option<Vec<i64>> {
        fn widen<T: Copy + Into<i64>>(list: &[T]) -> Vec<i64> {
            list.iter().map(|&number| number.into()).collect()
        }
        match self.element {
            Element::I8 => self.slice::<i8>().map(widen),
            Element::U8 => self.slice::<u8>().map(widen),
            Element::I16 => self.slice::<i16>().map(widen),
            Element::U16 => self.slice::<u16>().map(widen),
            Element::I32 => self.slice::<i32>().map(widen),
            Element::U32 => self.slice::<u32>().map(widen),
            Element::I64 => self.slice::<i64>().map(widen),
            Element::U64 => {
                let list = self.slice::<u64>()?.iter();
                Some(list.map(|&number| i64::try_from(number).unwrap_or(i64::MAX)).collect())
            }
            Element::Bool | Element::F32 | Element::Other => None,
        }
    }
}

/// What an argument that is no numpy array lends for a call: an array over the memory of a tensor (DLPack) or of anything else with
/// the buffer protocol.
#[derive(Default)]
pub(crate) struct ForeignArray<'py>(Option<Bound<'py, PyAny>>);

impl<'py> ForeignArray<'py> {
    /// The memory of an argument; `None` if it has none of this kind. Its memory stays while this does.
    ///
    /// # Errors
    /// `InvalidArgument` for a tensor that is elsewhere or not given away.
    #[inline]
    pub(crate) fn memory<'a>(
        &'a mut self,
        name: &'static str,
        object: &'a Bound<'py, PyAny>,
    ) -> Result<Option<Memory<'a>>> {
        match Memory::of(object) {
            Some(memory) => Ok(Some(memory)),
            None if self.0.is_some() => Ok(self.0.as_ref().and_then(Memory::of)),
            None => self.borrow(name, object),
        }
    }

    /// Asks another library for its array: Python code, which [`ForeignArray::memory`] does not run afterwards.
    ///
    /// # Errors
    /// As of [`ForeignArray::memory`].
    #[inline]
    pub(crate) fn prepare(&mut self, name: &'static str, object: &Bound<'py, PyAny>) -> Result<()> {
        if object.cast::<PyUntypedArray>().is_err() {
            self.borrow(name, object)?;
        }
        Ok(())
    }

    #[cold]
    fn borrow(&mut self, name: &'static str, object: &Bound<'py, PyAny>) -> Result<Option<Memory<'_>>> {
        let plain = object.is_none()
            || object.is_instance_of::<PyList>()
            || object.is_instance_of::<PyTuple>()
            || object.is_instance_of::<PyInt>()
            || object.is_instance_of::<PyFloat>()
            || object.is_instance_of::<PyString>()
            || object.is_instance_of::<PyDict>();
        if plain {
            return Ok(None);
        }
        self.0 = match crate::dlpack::array(name, object)? {
            Some(array) => Some(array),
            None => PyMemoryView::from(object).ok().and_then(|view| {
                // Through the view, because numpy takes bytes for a text.
                PyModule::import(object.py(), "numpy")
                    .and_then(|numpy| numpy.call_method1("asarray", (view,)))
                    .ok()
            }),
        };
        Ok(self.0.as_ref().and_then(Memory::of))
    }

    /// What keeps the memory, for longer than the call.
    pub(crate) fn keep(self) -> Option<Py<PyAny>> {
        self.0.map(Bound::unbind)
    }
}

/// A numpy array that passed [`check_out`], for calls that use it again and again: a look at its fields says whether it is still the
/// same. Reading the type, shape and flags of two arrays anew costs more than the step of a small game.
///
/// The fields must be read in every call, because numpy can change them while others hold the array: `flags.writeable`, assignments to
/// `dtype` and `shape`, and `resize(refcheck=False)`, which moves the data even under a buffer export.
pub(crate) struct CheckedArray {
    array: Py<PyUntypedArray>,
    data: usize,
    descr: Py<PyArrayDescr>,
    flags: c_int,
    element: Element,
    len: usize,
}

impl CheckedArray {
    /// An array of one axis; `None` if the object is of another library, which can move its memory unnoticed.
    pub(crate) fn new(object: &Bound<'_, PyAny>, checked: &Memory<'_>) -> Option<CheckedArray> {
        let array = object.cast::<PyUntypedArray>().ok()?;
        Some(CheckedArray {
            array: array.clone().unbind(),
            data: checked.data.addr(),
            descr: array.dtype().unbind(),
            flags: checked.flags,
            element: checked.element,
            len: checked.len(),
        })
    }

    /// The array, for the garbage collector.
    pub(crate) fn array(&self) -> &Py<PyUntypedArray> {
        &self.array
    }

    /// Its memory; `None` if the array has changed, so that it must be checked again.
    #[inline]
    pub(crate) fn memory<'a>(&'a self, py: Python<'a>) -> Option<Memory<'a>> {
        let fields = fields(self.array.bind(py));
        let shape = shape(fields);
        let same = fields.data.addr() == self.data
            && fields.descr.addr() == self.descr.as_ptr().addr()
            && fields.flags == self.flags
            && matches!(*shape, [len] if len as usize == self.len);
        same.then_some(Memory { data: fields.data.cast(), element: self.element, shape, flags: self.flags })
    }
}

/// Rust types of array elements, all of them valid for every bit pattern.
pub(crate) trait Scalar: Copy {
    /// The element type.
    const ELEMENT: Element;
}

macro_rules! scalars {
    ($($rust:ty: $element:ident),+) => {
        $(impl Scalar for $rust { const ELEMENT: Element = Element::$element; })+
    };
}
scalars!(i8: I8, u8: U8, i16: I16, u16: U16, i32: I32, u32: U32, i64: I64, u64: U64, f32: F32);

/// Whether two address ranges share a byte.
#[inline]
pub(crate) fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

#[inline]
#[expect(unsafe_code, reason = "the fields of a numpy array")]
fn fields<'a>(array: &'a Bound<'_, PyUntypedArray>) -> &'a PyArrayObject_fields {
    // SAFETY: the object is a numpy array, held for 'a, and we are attached to the interpreter.
    unsafe { &*numpy::npyffi::_PyArray_GET_ITEM_DATA(array.as_array_ptr()) }
}

#[inline]
#[expect(unsafe_code, reason = "the fields of a numpy array")]
fn shape(fields: &PyArrayObject_fields) -> &[npy_intp] {
    if fields.nd == 0 {
        return &[];
    }
    // SAFETY: `dimensions` points to `nd` numbers that live as long as the array.
    unsafe { std::slice::from_raw_parts(fields.dimensions, fields.nd as usize) }
}

/// A shape as Python prints it.
pub(crate) fn shape_text(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!("({})", shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// A new C-contiguous array of zeros.
///
/// # Errors
/// `MemoryError` if there is no memory for it. The constructors of rust-numpy would panic.
#[expect(unsafe_code, reason = "the call of numpy that says whether there was memory")]
pub(crate) fn zeros<'py, T: numpy::Element>(py: Python<'py>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    let refuse = || {
        let (shape, dtype) = (shape_text(shape), numpy::dtype::<T>(py));
        PyMemoryError::new_err(format!("an array of shape {shape} and type {dtype} does not fit into memory"))
    };
    let dims: std::result::Result<Vec<npy_intp>, _> = shape.iter().map(|&n| npy_intp::try_from(n)).collect();
    let mut dims = dims.map_err(|_| refuse())?;
    // SAFETY: we are attached to the interpreter; `dims` holds as many sizes as are announced; the reference to the dtype is
    // given away; the result is a new reference, or null with an exception set.
    let array = unsafe {
        let dtype = numpy::dtype::<T>(py).into_dtype_ptr();
        let made = PY_ARRAY_API.PyArray_Zeros(py, dims.len() as c_int, dims.as_mut_ptr(), dtype, 0);
        Bound::from_owned_ptr_or_opt(py, made)
    };
    array.ok_or_else(|| {
        drop(PyErr::take(py));
        refuse()
    })
}

/// Name of an object's type or, for an array, its dtype.
pub(crate) fn type_text(object: &Bound<'_, PyAny>) -> String {
    let dtype = object.cast::<PyUntypedArray>().map(|array| array.dtype().to_string());
    dtype.unwrap_or_else(|_| object.get_type().name().map_or_else(|_| "?".into(), |name| format!("`{name}`")))
}

/// What makes an argument with elements of this type of it, where something simple does: the end of a message.
#[cold]
pub(crate) fn hint(object: &Bound<'_, PyAny>, wanted: Element) -> String {
    let name = dtype_name(wanted);
    let has = |name: &str| object.hasattr(name).unwrap_or(false);
    let cast = format!("`.astype('{name}')` makes a copy of that type");
    if let Ok(array) = object.cast::<PyUntypedArray>() {
        let swapped = if cfg!(target_endian = "little") { b'>' } else { b'<' };
        return match array.dtype().byteorder() == swapped {
            true => format!("; its bytes are in the order of other machines, {cast}"),
            false => format!("; {cast}"),
        };
    }
    let library = object.get_type().module().map(|module| module.to_string()).unwrap_or_default();
    let lends = has("__dlpack__") || PyMemoryView::from(object).is_ok();
    if library == "torch" || library.starts_with("torch.") {
        match wanted {
            Element::F32 => "; `.float()` makes a copy of that type".into(),
            _ => format!("; `.to(torch.{name})` makes a copy of that type"),
        }
    } else if lends && has("astype") {
        format!("; {cast}")
    } else if lends {
        format!("; `numpy.asarray(...).astype('{name}')` makes an array of that type")
    } else if has("numpy") {
        "; `.numpy()` makes an array of it".into()
    } else if has("__array__") {
        "; `numpy.asarray` makes an array of it".into()
    } else if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        format!("; `numpy.asarray(..., '{name}')` makes an array of it")
    } else {
        String::new()
    }
}

/// An array to write into: one of the element types, the shape, contiguous, writable.
#[inline]
pub(crate) fn check_out<'a, 'py>(
    name: &'static str,
    field: &str,
    object: &'a Bound<'py, PyAny>,
    foreign: &'a mut ForeignArray<'py>,
    elements: &[Element],
    shape: &[usize],
) -> Result<Memory<'a>> {
    match foreign.memory(name, object)? {
        Some(memory)
            if elements.contains(&memory.element)
                && memory.has_shape(shape)
                && memory.is_contiguous()
                && memory.is_writable() =>
        {
            Ok(memory)
        }
        found => refuse_out(name, field, object, found, elements, shape),
    }
}

#[cold]
fn refuse_out<'a>(
    name: &'static str,
    field: &str,
    object: &Bound<'_, PyAny>,
    found: Option<Memory<'a>>,
    elements: &[Element],
    shape: &[usize],
) -> Result<Memory<'a>> {
    let what = if field.is_empty() { String::new() } else { format!("`{field}`: ") };
    let wanted = dtype_names(elements);
    let memory = match found {
        Some(memory) if elements.contains(&memory.element) => memory,
        _ => {
            let (kind, hint) = (element_text(found, object), hint(object, elements[0]));
            return argument(name, format!("{what}got elements of type {kind}; wanted {wanted}{hint}"));
        }
    };
    let message = if !memory.has_shape(shape) {
        format!("{what}got shape {}; wanted {}", memory.shape_text(), shape_text(shape))
    } else if !memory.is_contiguous() {
        format!("{what}{}", memory.unfit())
    } else {
        format!("{what}the array is read-only")
    };
    argument(name, message)
}

/// The type of the elements that were found, or of the object that has none.
#[cold]
pub(crate) fn element_text(found: Option<Memory<'_>>, object: &Bound<'_, PyAny>) -> String {
    match found {
        Some(memory) if memory.element != Element::Other => dtype_name(memory.element).into(),
        // As numpy and tensors, memory views, and arrays of the standard library call it.
        _ => ["dtype", "format", "typecode"]
            .iter()
            .find_map(|name| object.getattr(name).ok())
            .map_or_else(|| type_text(object), |kind| kind.to_string()),
    }
}

/// Names of element types in numpy, one of which is wanted.
pub(crate) fn dtype_names(elements: &[Element]) -> String {
    elements.iter().map(|&element| dtype_name(element)).collect::<Vec<_>>().join(" or ")
}

/// Name of an element type in numpy.
pub(crate) fn dtype_name(element: Element) -> &'static str {
    match element {
        Element::Bool => "bool",
        Element::I8 => "int8",
        Element::U8 => "uint8",
        Element::I16 => "int16",
        Element::U16 => "uint16",
        Element::I32 => "int32",
        Element::U32 => "uint32",
        Element::I64 => "int64",
        Element::U64 => "uint64",
        Element::F32 => "float32",
        Element::Other => "other",
    }
}

/// Actions as an array of whole numbers, or anything that iterates over them, as `i64`.
pub(crate) fn read_actions(
    name: &'static str,
    object: &Bound<'_, PyAny>,
    shape: &[usize],
) -> Result<Vec<i64>> {
    let mut foreign = ForeignArray::default();
    let Some(memory) = foreign.memory(name, object)? else {
        return read_sequence(name, object, shape);
    };
    if !memory.element.is_whole() {
        let (kind, hint) = (element_text(Some(memory), object), hint(object, Element::I64));
        return argument(name, format!("got elements of type {kind}; wanted whole numbers{hint}"));
    }
    if !memory.has_shape(shape) {
        let message = format!("got shape {}; wanted {}", memory.shape_text(), shape_text(shape));
        return argument(name, message);
    }
    match memory.whole_numbers() {
        Some(list) => Ok(list),
        None => argument(name, memory.unfit()),
    }
}

/// Nested or flat lists of whole numbers of a shape.
fn read_sequence(name: &'static str, object: &Bound<'_, PyAny>, shape: &[usize]) -> Result<Vec<i64>> {
    let message = |got: String| format!("got {got}; wanted whole numbers of shape {}", shape_text(shape));
    let Some((&len, rest)) = shape.split_first() else { return argument(name, "nothing fits") };
    let Ok(items) = object.extract::<Vec<Bound<'_, PyAny>>>() else {
        return argument(name, message(type_text(object)) + &hint(object, Element::I64));
    };
    if items.len() != len {
        return argument(name, message(format!("{} entries", items.len())));
    }
    let mut list = Vec::with_capacity(len);
    for item in &items {
        if rest.is_empty() {
            list.push(whole_number(name, item)?);
        } else {
            list.extend(read_sequence(name, item, rest)?);
        }
    }
    Ok(list)
}
