//! Ctrl-C during long calls: the interpreter is asked a few times a second whether it wants to interrupt.

use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// Asks for signals at most every tenth of a second.
pub(crate) struct Watch {
    last: Instant,
    caught: Option<PyErr>,
}

impl Watch {
    #[expect(
        clippy::disallowed_methods,
        reason = "only decides when to look for signals, never what is played"
    )]
    pub(crate) fn new() -> Watch {
        Watch { last: Instant::now(), caught: None }
    }

    /// Whether to go on; called without the interpreter attached, as often as one likes.
    pub(crate) fn goes_on(&mut self) -> bool {
        if self.caught.is_none() && self.last.elapsed() > Duration::from_millis(100) {
            self.caught = Python::attach(|py| py.check_signals().err());
            *self = Watch { caught: self.caught.take(), ..Watch::new() };
        }
        self.caught.is_none()
    }

    /// What a signal handler raised meanwhile.
    pub(crate) fn finish(self) -> PyResult<()> {
        self.caught.map_or(Ok(()), Err)
    }
}
