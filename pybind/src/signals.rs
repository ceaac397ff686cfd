//! Ctrl-C during long calls: the interpreter checks for it a few times a second.

use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// Cuts a long call into pieces of about a twentieth of a second, by how long the last piece took: what a signal waits for.
pub(crate) struct Pieces {
    size: usize,
    /// The size of the piece that runs now: the last one of a call may be shorter.
    played: usize,
    begun: Instant,
}

impl Pieces {
    const LENGTH: Duration = Duration::from_millis(50);

    /// Begins with a piece of `size` steps: [`Pieces::size`] of an earlier call that did the same, or 1.
    pub(crate) fn new(size: usize) -> Pieces {
        Pieces { size, played: 0, begun: now() }
    }

    /// The size of the next piece.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The size of a piece that begins now, at most `left`.
    pub(crate) fn begin(&mut self, left: usize) -> usize {
        self.begun = now();
        self.played = self.size.min(left);
        self.played
    }

    /// Sizes the next piece by how long this one took; it grows at most eightfold.
    pub(crate) fn end(&mut self) {
        let lasted = self.begun.elapsed().as_nanos().max(1);
        let fits = self.played as u128 * Self::LENGTH.as_nanos() / lasted;
        let most = self.size.saturating_mul(8);
        self.size = usize::try_from(fits).unwrap_or(usize::MAX).clamp(1, most);
    }
}

#[expect(clippy::disallowed_methods, reason = "only decides when to look for signals, never what is played")]
fn now() -> Instant {
    Instant::now()
}

/// Checks for signals at most every tenth of a second.
pub(crate) struct Signals {
    last: Instant,
    caught: Option<PyErr>,
    /// Whether the interpreter ends while the call runs in a daemon thread, which gets no further than this call.
    shutting_down: bool,
}

impl Signals {
    pub(crate) fn new() -> Signals {
        Signals { last: now(), caught: None, shutting_down: false }
    }

    /// Whether to continue; called without the interpreter attached, as often as one likes.
    pub(crate) fn keeps_going(&mut self) -> bool {
        let goes_on = |signals: &Signals| signals.caught.is_none() && !signals.shutting_down;
        if goes_on(self) && self.last.elapsed() > Duration::from_millis(100) {
            // `attach` would panic when the interpreter ends.
            match Python::try_attach(|py| py.check_signals().err()) {
                Some(caught) => *self = Signals { caught, ..Signals::new() },
                None => self.shutting_down = true,
            }
        }
        goes_on(self)
    }

    /// What a signal handler raised meanwhile.
    pub(crate) fn finish(self) -> PyResult<()> {
        self.caught.map_or(Ok(()), Err)
    }
}

/// A [`Signals`] for a call with several threads. Only the one that has made it checks for signals: Python's main thread alone runs their
/// handlers.
pub(crate) struct SharedSignals {
    signals: Mutex<Signals>,
    caller: ThreadId,
    stopped: AtomicBool,
}

impl SharedSignals {
    pub(crate) fn new() -> SharedSignals {
        let caller = thread::current().id();
        SharedSignals { signals: Mutex::new(Signals::new()), caller, stopped: AtomicBool::new(false) }
    }

    /// Whether to continue; called by any thread without the interpreter attached, as often as one likes. The others hear of a signal through
    /// the thread that has made the call, which must call this until they are done.
    pub(crate) fn keeps_going(&self) -> bool {
        if thread::current().id() == self.caller
            && !self.signals.lock().unwrap_or_else(PoisonError::into_inner).keeps_going()
        {
            self.stopped.store(true, Ordering::Relaxed);
        }
        !self.stopped.load(Ordering::Relaxed)
    }

    /// What a signal handler raised meanwhile.
    pub(crate) fn finish(self) -> PyResult<()> {
        self.signals.into_inner().unwrap_or_else(PoisonError::into_inner).finish()
    }
}
