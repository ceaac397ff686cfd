//! The Python module `playmat._native`: checks, converts, calls the engine, maps errors. No rule and no default of a game lives
//! here.

mod arrays;
mod batch;
mod env;
mod errors;
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

/// The engine of playmat.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::env::Env;
    #[pymodule_export]
    use super::game::{ActionRange, Game, ObservationLayout, Segment};
    #[pymodule_export]
    use super::games;
    #[pymodule_export]
    use super::replay::Replay;
    #[pymodule_export]
    use super::vec_env::{_restore_vec_env, VecEnv};

    /// Version of the library.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
