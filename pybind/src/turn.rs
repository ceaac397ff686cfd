//! Calls of several threads at one object take turns; a thread that is in a call and begins another one is refused.

use crate::errors::{Refusal, Result};
use playmat_core::error::Error;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

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
    // The order of drops: first nobody holds the value, then it is free.
    _held: Held<'a>,
    value: MutexGuard<'a, T>,
}

struct Held<'a>(&'a AtomicUsize);

/// A number of the calling thread that no other running thread has.
fn this_thread() -> usize {
    thread_local!(static PLACE: u8 = const { 0 });
    PLACE.with(|place| std::ptr::from_ref(place).addr())
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
        let value = match self.value.try_lock() {
            Ok(value) => value,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => self.wait(py)?,
        };
        self.holder.store(this_thread(), Ordering::Relaxed);
        Ok(Turn { _held: Held(&self.holder), value })
    }

    /// The value if no call uses it.
    pub(crate) fn try_take(&self) -> Option<Turn<'_, T>> {
        let value = self.value.try_lock().ok()?;
        self.holder.store(this_thread(), Ordering::Relaxed);
        Some(Turn { _held: Held(&self.holder), value })
    }

    #[cold]
    #[inline(never)]
    fn wait(&self, py: Python<'_>) -> Result<MutexGuard<'_, T>> {
        // Only this thread writes its number, and it reads what it has written.
        if self.holder.load(Ordering::Relaxed) == this_thread() {
            return Err(Refusal::Engine(Error::Order(self.busy)));
        }
        Ok(self.value.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner))
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
