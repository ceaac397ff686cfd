//! A lock for each object: calls of several threads take turns, and a call within a call of the same thread is refused.

use crate::errors::{Refusal, Result};
use playmat_core::error::Error;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// How long a call that holds one value waits for another. Without any wait, several values that other threads use again and again are
/// almost never free at one instant: six environments in searches of 30 ms took up to 33 s.
const SOON: Duration = Duration::from_millis(100);
/// The pause between two looks.
const PAUSE: Duration = Duration::from_micros(100);

/// What calls use in turn.
pub(crate) struct Turns<T> {
    value: Mutex<T>,
    /// The thread whose turn it is; 0 for nobody.
    holder: AtomicUsize,
    /// The refusal of a call within a call.
    busy: &'static str,
}

/// The value during one call.
pub(crate) struct Turn<'a, T> {
    // The order of drops: first no thread holds the value, then the lock is released.
    _held: Held<'a>,
    value: MutexGuard<'a, T>,
}

struct Held<'a>(&'a AtomicUsize);

/// A number of the calling thread that no other running thread has.
fn this_thread() -> usize {
    thread_local!(static PLACE: u8 = const { 0 });
    PLACE.with(|place| std::ptr::from_ref(place).addr())
}

thread_local!(static IN_FUNCTION: Cell<bool> = const { Cell::new(false) });

/// Calls a function of the caller that chooses for an agent. The batch that waits for it may be in use by another thread: a call of the function
/// that used this batch would wait for ever, so it is refused when it has waited for [`SOON`].
pub(crate) fn within_function<R>(call: impl FnOnce() -> R) -> R {
    let before = IN_FUNCTION.replace(true);
    let result = call();
    IN_FUNCTION.set(before);
    result
}

impl<T> Turns<T> {
    pub(crate) fn new(value: T, busy: &'static str) -> Turns<T> {
        Turns { value: Mutex::new(value), holder: AtomicUsize::new(0), busy }
    }

    /// Waits for the calls of other threads. A panic in an earlier call would be a defect of ours; the value is plain data either way.
    ///
    /// # Errors
    /// [`Error::Order`] within a call of this thread, which would wait for itself: signal handlers, finalizers and methods of the caller's
    /// arrays can make such calls.
    #[inline]
    pub(crate) fn take(&self, py: Python<'_>) -> Result<Turn<'_, T>> {
        match self.try_take() {
            Some(turn) => Ok(turn),
            None => Ok(self.held(self.wait(py)?)),
        }
    }

    /// The value, for a call that holds others; `None` if another thread uses it for [`SOON`]. Whoever holds one value and waits for a second
    /// one can wait for ever: for a thread that has the second one and whose signal handler wants the first.
    ///
    /// # Errors
    /// Those of [`Turns::take`].
    pub(crate) fn take_soon(&self, py: Python<'_>) -> Result<Option<Turn<'_, T>>> {
        for _ in 0..SOON.as_micros() / PAUSE.as_micros() {
            if let Some(turn) = self.try_take() {
                return Ok(Some(turn));
            }
            if self.is_mine() {
                return Err(Refusal::Engine(Error::Order(self.busy)));
            }
            py.detach(|| std::thread::sleep(PAUSE));
        }
        Ok(self.try_take())
    }

    /// Waits until no call uses the value, and does not take it. The caller holds nothing else.
    ///
    /// # Errors
    /// Those of [`Turns::take`].
    pub(crate) fn pass(&self, py: Python<'_>) -> Result<()> {
        self.take(py).map(drop)
    }

    /// The value if no call uses it.
    #[inline]
    pub(crate) fn try_take(&self) -> Option<Turn<'_, T>> {
        Some(self.held(self.try_take_briefly()?))
    }

    /// The value if no call uses it, for a call that runs no Python before it has dropped it: no call of this thread can come in between, so
    /// the holder is not noted.
    #[inline]
    pub(crate) fn try_take_briefly(&self) -> Option<MutexGuard<'_, T>> {
        match self.value.try_lock() {
            Ok(value) => Some(value),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    #[inline]
    fn held<'a>(&'a self, value: MutexGuard<'a, T>) -> Turn<'a, T> {
        self.holder.store(this_thread(), Ordering::Relaxed);
        Turn { _held: Held(&self.holder), value }
    }

    #[cold]
    #[inline(never)]
    fn wait(&self, py: Python<'_>) -> Result<MutexGuard<'_, T>> {
        if self.is_mine() {
            return Err(Refusal::Engine(Error::Order(self.busy)));
        }
        if IN_FUNCTION.get() {
            return self.wait_briefly(py);
        }
        Ok(self.value.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner))
    }

    /// For a function that chooses for an agent.
    #[cold]
    fn wait_briefly(&self, py: Python<'_>) -> Result<MutexGuard<'_, T>> {
        for _ in 0..SOON.as_micros() / PAUSE.as_micros() {
            if let Some(value) = self.try_take_briefly() {
                return Ok(value);
            }
            py.detach(|| std::thread::sleep(PAUSE));
        }
        Err(Refusal::Engine(Error::Order(self.busy)))
    }

    /// Whether a call of this thread uses the value. Only this thread writes its number, and it reads what it has written.
    fn is_mine(&self) -> bool {
        self.holder.load(Ordering::Relaxed) == this_thread()
    }
}

/// Several values, each of which comes once, for a call that also holds what it must not wait with; or the first of them that another
/// thread uses for [`SOON`], for which the caller waits ([`Turns::pass`]) when it holds nothing.
///
/// # Errors
/// Those of [`Turns::take`].
pub(crate) fn take_all_soon<'a, T>(
    py: Python<'_>,
    all: &[&'a Turns<T>],
) -> Result<std::result::Result<Vec<Turn<'a, T>>, &'a Turns<T>>> {
    let mut held = Vec::with_capacity(all.len());
    for turns in all {
        match turns.take_soon(py)? {
            Some(turn) => held.push(turn),
            None => return Ok(Err(turns)),
        }
    }
    Ok(Ok(held))
}

/// Several values, each of which comes once. It holds some no longer than [`SOON`] while it waits for another.
///
/// # Errors
/// Those of [`Turns::take`].
pub(crate) fn take_all<'a, T>(py: Python<'_>, all: &[&'a Turns<T>]) -> Result<Vec<Turn<'a, T>>> {
    loop {
        match take_all_soon(py, all)? {
            Ok(held) => return Ok(held),
            Err(used) => used.pass(py)?,
        }
    }
}

impl Drop for Held<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

impl<T> Deref for Turn<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Turn<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}
