//! What the Python module `playmat._native` is made of: checks arguments, converts them, calls the engine and maps errors. It contains no rule
//! and no default of a game. [`module!`] makes the module, with a list of games; `module/` is that of playmat.

mod agent;
mod arrays;
mod batch;
mod dlpack;
mod env;
mod errors;
mod function;
mod gae;
mod game;
mod json;
mod layout;
mod lock;
mod raster;
mod replay;
mod scalars;
mod search;
mod signals;
mod states;
mod stepper;
mod vec_env;

use playmat_core::registry;
use pyo3::prelude::*;

#[doc(hidden)]
pub use playmat_core::registry::{Entry, register};
#[doc(hidden)]
pub use pyo3;

/// All games of this module.
pub(crate) fn entries() -> &'static [&'static Entry] {
    registry::registered(&[])
}

/// Registered names of all games, in their fixed order.
#[pyfunction]
fn games() -> Vec<&'static str> {
    entries().iter().map(|entry| entry.id).collect()
}

/// An unpredictable seed from the operating system, different in a forked child and its parent.
pub(crate) fn fresh_seed(py: Python<'_>) -> PyResult<u64> {
    let bytes = py.import("os")?.call_method1("urandom", (8,))?;
    Ok(u64::from_le_bytes(bytes.extract()?))
}

/// Fills a buffer `times` times: what `playmat bench` compares the bytes written by a step with.
#[pyfunction]
fn _memset(py: Python<'_>, buffer: &Bound<'_, PyAny>, times: usize) -> errors::Result<()> {
    let mut foreign = arrays::ForeignArray::default();
    let len = arrays::Memory::of(buffer).map_or(0, |memory| memory.len());
    let memory = arrays::check_out("buffer", "", buffer, &mut foreign, &[arrays::Element::U8], &[len])?;
    let bytes = memory.bytes_mut();
    py.detach(|| {
        for time in 0..times {
            std::hint::black_box(&mut *bytes).fill(time as u8);
        }
    });
    Ok(())
}

/// Adds everything that the Python package uses to a module, for [`module!`].
///
/// # Errors
/// Those of Python.
#[doc(hidden)]
pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<agent::Agent>()?;
    module.add_class::<agent::SearchStatistics>()?;
    module.add_class::<agent::BatchStatistics>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<env::Env>()?;
    module.add_class::<layout::ActionRange>()?;
    module.add_class::<game::Game>()?;
    module.add_class::<layout::ObservationLayout>()?;
    module.add_class::<layout::Segment>()?;
    module.add_class::<replay::Replay>()?;
    module.add_class::<search::Leaves>()?;
    module.add_class::<search::Search>()?;
    module.add_class::<states::States>()?;
    module.add_class::<stepper::Stepper>()?;
    stepper::add_step(module.py())?;
    module.add_class::<vec_env::VecEnv>()?;
    module.add_function(wrap_pyfunction!(env::_restore_env, module)?)?;
    module.add_function(wrap_pyfunction!(states::_restore_states, module)?)?;
    module.add_function(wrap_pyfunction!(vec_env::_restore_vec_env, module)?)?;
    module.add_function(wrap_pyfunction!(gae::gae, module)?)?;
    module.add_function(wrap_pyfunction!(_memset, module)?)?;
    module.add_function(wrap_pyfunction!(games, module)?)?;
    // The version of the library.
    module.add("VERSION", env!("CARGO_PKG_VERSION"))
}

/// Makes a crate of type `cdylib` the module `playmat._native` with these games (`&'static [&'static Entry]`). The crate depends on this
/// one under the name `playmat_python`.
#[macro_export]
macro_rules! module {
    ($games:expr) => {
        /// The engine of playmat.
        #[$crate::pyo3::pymodule(gil_used = false)]
        #[pyo3(crate = "playmat_python::pyo3")]
        fn _native(
            module: &$crate::pyo3::Bound<'_, $crate::pyo3::types::PyModule>,
        ) -> $crate::pyo3::PyResult<()> {
            static GAMES: &[&$crate::Entry] = $games;
            $crate::register(GAMES);
            $crate::fill(module)
        }
    };
}
