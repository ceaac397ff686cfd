//! Steps that run in the background: `VecEnv.step_async` and `VecEnv.step_wait`.

use super::{IN_USE, VecEnv, outcome};
use crate::batch::{Arena, Batch, Places};
use crate::errors::Result;
use crate::lock::is_within_function;
use playmat_core::vec::{Buffers, ObsType, Target};
use pyo3::prelude::*;
use std::sync::Arc;

/// Memory of an asynchronous step, kept alive until it is done.
struct Kept {
    places: Places,
    dtype: ObsType,
    _batch: Py<Batch>,
    _foreign: Vec<Py<PyAny>>,
    _arena: Arc<Arena>,
}

impl Target for Kept {
    fn buffers(&mut self) -> Buffers<'_> {
        self.places.buffers(self.dtype)
    }
}

impl VecEnv {
    /// [`VecEnv::step_async`].
    pub(super) fn start_step(
        &self,
        py: Python<'_>,
        actions: &Bound<'_, PyAny>,
        out: Option<&Bound<'_, PyAny>>,
    ) -> Result<()> {
        let actions = self.copy_actions(actions)?;
        let (mut places, batch, kept) = self.store.with_out(py, out, None)?;
        let mut inner = self.lock(py)?;
        places.drawn = Some(self.store.drawn[1 - inner.handed]);
        let target = Kept {
            places,
            dtype: self.config.dtype,
            _batch: batch.clone_ref(py),
            _foreign: kept,
            _arena: self.store.arena.clone(),
        };
        let venv = inner.open()?;
        py.detach(|| venv.step_async(actions, Box::new(target)))?;
        inner.pending = Some(batch);
        Ok(())
    }

    /// [`VecEnv::step_wait`].
    pub(super) fn finish_step(&self, py: Python<'_>) -> Result<Py<Batch>> {
        let mut inner = self.lock(py)?;
        let venv = inner.open()?;
        if is_within_function() {
            return Err(IN_USE.into());
        }
        let waited = py.detach(|| venv.step_wait());
        let batch = inner.pending.take();
        let result = waited.and_then(|waited| waited.result);
        outcome(&mut **inner.open()?, result, "opponents")?;
        Ok(batch.unwrap_or_else(|| self.store.batch.clone_ref(py)))
    }
}
