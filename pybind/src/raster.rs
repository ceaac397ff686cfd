//! Pictures as arrays of pixels.

use crate::errors::Result;
use playmat_core::error::Error;
use pyo3::prelude::*;

/// The pixels of an SVG document: uint8 `[H, W, 3]`.
pub(crate) fn pixels<'py>(py: Python<'py>, svg: &str, width: Option<u32>) -> Result<Bound<'py, PyAny>> {
    let _ = (py, svg, width);
    Err(Error::MissingFeature("raster").into())
}
