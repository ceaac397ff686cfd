//! The Python module `playmat._native`: checks, converts, calls the engine, maps errors. No rule and no default of a game lives
//! here.

mod agent;
mod arrays;
mod batch;
mod dlpack;
mod env;
mod errors;
mod gae;
mod game;
mod json;
mod raster;
mod replay;
mod vec_env;
mod watch;

use pyo3::prelude::*;

/// Registered names of all games, in their fixed order.
#[pyfunction]
fn games() -> Vec<&'static str> {
    playmat_seeds::GAMES.iter().map(|entry| entry.id).collect()
}

/// An unpredictable seed from the operating system, different in a forked child and its parent.
pub(crate) fn fresh_seed(py: Python<'_>) -> PyResult<u64> {
    let bytes = py.import("os")?.call_method1("urandom", (8,))?;
    Ok(u64::from_le_bytes(bytes.extract()?))
}

/// Fills a buffer `times` times: what `playmat bench` compares the bytes written by a step with.
#[pyfunction]
fn _memset(py: Python<'_>, buffer: &Bound<'_, PyAny>, times: usize) -> errors::Result<()> {
    let mut lent = arrays::Lent::default();
    let len = arrays::Memory::of(buffer).map_or(0, |memory| memory.len());
    let memory = arrays::check_out("buffer", "", buffer, &mut lent, &[arrays::Element::U8], &[len])?;
    let bytes = memory.bytes_mut();
    py.detach(|| {
        for time in 0..times {
            std::hint::black_box(&mut *bytes).fill(time as u8);
        }
    });
    Ok(())
}

/// The engine of playmat.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::agent::Agent;
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::env::{_restore_env, Env};
    #[pymodule_export]
    use super::gae::gae;
    #[pymodule_export]
    use super::game::{ActionRange, Game, ObservationLayout, Segment};
    #[pymodule_export]
    use super::replay::Replay;
    #[pymodule_export]
    use super::vec_env::{_restore_vec_env, VecEnv};
    #[pymodule_export]
    use super::{_memset, games};

    /// Version of the library.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
