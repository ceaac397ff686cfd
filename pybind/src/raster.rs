//! Pictures as arrays of pixels.

use crate::errors::Result;
use pyo3::prelude::*;

/// The pixels of an SVG document: uint8 `[H, W, 3]`.
#[cfg(feature = "raster")]
pub(crate) fn pixels<'py>(py: Python<'py>, svg: &str, width: Option<u32>) -> Result<Bound<'py, PyAny>> {
    use numpy::{PyArray1, PyArrayMethods};
    let image = py.detach(|| playmat_core::raster::rgb(svg, width))?;
    let flat = PyArray1::from_vec(py, image.data);
    Ok(flat.reshape([image.height, image.width, 3])?.into_any())
}

/// The refusal of a build without pixels.
#[cfg(not(feature = "raster"))]
pub(crate) fn pixels<'py>(py: Python<'py>, svg: &str, width: Option<u32>) -> Result<Bound<'py, PyAny>> {
    let _ = (py, svg, width);
    Err(playmat_core::error::Error::MissingFeature("raster").into())
}
