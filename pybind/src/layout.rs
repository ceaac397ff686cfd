//! What the numbers of actions and the bytes of observations mean.

use crate::arrays::{Element, ForeignArray, check_out, element_text, hint, type_text, zeros};
use crate::errors::{Refusal, Result, argument};
use playmat_core::info::{self, Layout};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyEllipsis, PySlice, PyString, PyTuple};

/// A contiguous range of actions with one meaning.
#[pyclass(frozen, module = "playmat", name = "ActionRange")]
pub(crate) struct ActionRange {
    inner: info::ActionRange,
}

impl ActionRange {
    pub(crate) fn new(inner: info::ActionRange) -> ActionRange {
        ActionRange { inner }
    }
}

#[pymethods]
impl ActionRange {
    /// Name, e.g. `PLACE`.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name
    }

    /// First action.
    #[getter]
    fn start(&self) -> usize {
        self.inner.start
    }

    /// How the range is indexed, outermost first; the product is the number of actions.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.inner.shape)
    }

    /// What its actions mean.
    #[getter]
    fn meaning(&self) -> &str {
        &self.inner.meaning
    }

    fn __len__(&self) -> usize {
        self.inner.len
    }

    fn __contains__(&self, action: i64) -> bool {
        let range = self.inner.start..self.inner.start + self.inner.len;
        usize::try_from(action).is_ok_and(|action| range.contains(&action))
    }

    fn __repr__(&self) -> String {
        let shape = crate::arrays::shape_text(&self.inner.shape);
        format!("ActionRange(name='{}', start={}, shape={shape})", self.inner.name, self.inner.start)
    }
}

/// One named part of an observation: `value = (byte - bias) / scale`, in [-1, 1].
#[pyclass(frozen, module = "playmat", name = "Segment")]
pub(crate) struct Segment {
    inner: info::Segment,
}

#[pymethods]
impl Segment {
    /// Name, unique in the layout.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.name
    }

    /// First byte.
    #[getter]
    fn offset(&self) -> usize {
        self.inner.offset
    }

    /// Shape, row-major; the product is the number of bytes.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.inner.shape)
    }

    /// Subtracted from the byte.
    #[getter]
    fn bias(&self) -> u8 {
        self.inner.bias
    }

    /// Divides the difference.
    #[getter]
    fn scale(&self) -> u16 {
        self.inner.scale
    }

    /// What the segment shows.
    #[getter]
    fn meaning(&self) -> &str {
        &self.inner.meaning
    }

    /// Whether every viewer of the same state reads the same facts here (players rotated).
    #[getter]
    fn public(&self) -> bool {
        self.inner.public
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    fn __repr__(&self) -> String {
        let s = &self.inner;
        let shape = crate::arrays::shape_text(&s.shape);
        format!(
            "Segment(name='{}', offset={}, shape={shape}, bias={}, scale={})",
            s.name, s.offset, s.bias, s.scale
        )
    }
}

/// The segments of an observation: a sequence, also indexed by name.
#[pyclass(frozen, module = "playmat", name = "ObservationLayout", sequence)]
pub(crate) struct ObservationLayout {
    layout: Layout,
    segments: Vec<Py<Segment>>,
}

impl ObservationLayout {
    pub(crate) fn new(py: Python<'_>, layout: &Layout) -> PyResult<Py<ObservationLayout>> {
        let segments = layout.segments.iter().map(|segment| Py::new(py, Segment { inner: segment.clone() }));
        let segments = segments.collect::<PyResult<Vec<_>>>()?;
        Py::new(py, ObservationLayout { layout: layout.clone(), segments })
    }

    fn last_axis(&self, obs: &Bound<'_, PyAny>) -> Result<Vec<usize>> {
        let Ok(shape) = obs.getattr("shape").and_then(|shape| shape.extract::<Vec<usize>>()) else {
            return argument("obs", format!("got {}; wanted an array", type_text(obs)));
        };
        self.with_last_axis(shape)
    }

    fn with_last_axis(&self, shape: Vec<usize>) -> Result<Vec<usize>> {
        let size = self.layout.size();
        if shape.last() != Some(&size) {
            let message = format!("got shape {}; wanted (..., {size})", crate::arrays::shape_text(&shape));
            return argument("obs", message);
        }
        Ok(shape)
    }
}

#[pymethods]
impl ObservationLayout {
    fn __len__(&self) -> usize {
        self.segments.len()
    }

    /// The segments in order.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let segments = self.segments.iter().map(|segment| segment.clone_ref(py));
        Ok(PyTuple::new(py, segments)?.try_iter()?.into_any())
    }

    /// The segment with this index or name.
    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> Result<Py<Segment>> {
        if let Ok(name) = key.cast::<PyString>() {
            let name = name.to_str()?;
            let at = self.layout.segments.iter().position(|segment| segment.name == name);
            return match at {
                Some(at) => Ok(self.segments[at].clone_ref(py)),
                None => {
                    let message = format!("no segment `{name}`; segments: {}", self.names().join(", "));
                    Err(Refusal::Python(pyo3::exceptions::PyKeyError::new_err(message)))
                }
            };
        }
        let index: isize = key.extract()?;
        let len = self.segments.len() as isize;
        let index = if index < 0 { index + len } else { index };
        match usize::try_from(index).ok().and_then(|index| self.segments.get(index)) {
            Some(segment) => Ok(segment.clone_ref(py)),
            None => Err(Refusal::Python(pyo3::exceptions::PyIndexError::new_err("no such segment"))),
        }
    }

    /// Number of bytes of an observation.
    #[getter]
    fn size(&self) -> usize {
        self.layout.size()
    }

    /// Names of the segments.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.layout.segments.iter().map(|segment| segment.name.as_str()).collect()
    }

    /// Named, shaped views of observations, without a copy.
    ///
    /// Args:
    ///     obs: Array of shape `(..., O)`, any dtype; also anything with `shape`, slicing and `reshape`, e.g. a tensor.
    ///
    /// Returns:
    ///     A dict from name to a view of shape `(..., *segment.shape)`.
    fn split<'py>(&self, py: Python<'py>, obs: &Bound<'py, PyAny>) -> Result<Bound<'py, PyDict>> {
        let shape = self.last_axis(obs)?;
        let lead = &shape[..shape.len() - 1];
        let parts = PyDict::new(py);
        for segment in &self.layout.segments {
            let (start, end) = (segment.offset as isize, (segment.offset + segment.len()) as isize);
            let slice = PySlice::new(py, start, end, 1);
            let Ok(part) = obs.get_item((PyEllipsis::get(py), slice)) else {
                let kind = type_text(obs);
                return argument("obs", format!("got {kind}; wanted an array that takes `obs[..., a:b]`"));
            };
            let full: Vec<usize> = lead.iter().chain(&segment.shape).copied().collect();
            parts.set_item(&segment.name, part.call_method1("reshape", (PyTuple::new(py, full)?,))?)?;
        }
        Ok(parts)
    }

    /// The `float32` form of observations: `(byte - bias) / scale`, every value in [-1, 1].
    ///
    /// Args:
    ///     obs: uint8 array of shape `(..., O)`, C-contiguous.
    ///     out: float32 array of the same shape to write into; otherwise a new one.
    ///
    /// Returns:
    ///     The float32 array.
    #[pyo3(signature = (obs, out=None))]
    fn to_f32<'py>(
        &self,
        py: Python<'py>,
        obs: &Bound<'py, PyAny>,
        out: Option<Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyAny>> {
        let (mut foreign, mut foreign_out) = (ForeignArray::default(), ForeignArray::default());
        let memory = foreign.memory("obs", obs)?;
        let shape = match memory {
            Some(memory) => self.with_last_axis(memory.sizes())?,
            None => self.last_axis(obs)?,
        };
        let memory = match memory {
            Some(memory) if memory.element == Element::U8 => memory,
            other => {
                let (kind, hint) = (element_text(other, obs), hint(obs, Element::U8));
                return argument("obs", format!("got elements of type {kind}; wanted uint8{hint}"));
            }
        };
        let Some(bytes) = memory.slice::<u8>() else { return argument("obs", memory.unfit()) };
        let out = match out {
            Some(out) => out,
            None => zeros::<f32>(py, &shape)?,
        };
        let target = check_out("out", "", &out, &mut foreign_out, &[Element::F32], &shape)?;
        if memory.overlaps(&target) {
            return argument("out", "shares memory with `obs`");
        }
        let size = self.layout.size();
        for (row, values) in bytes.chunks_exact(size).zip(target.floats_mut().chunks_exact_mut(size)) {
            self.layout.to_f32(row, values);
        }
        Ok(out)
    }

    fn __repr__(&self) -> String {
        let names: Vec<_> =
            self.layout.segments.iter().map(|s| format!("{} {:?}", s.name, s.shape)).collect();
        format!("ObservationLayout({} bytes: {})", self.layout.size(), names.join(", "))
    }
}
