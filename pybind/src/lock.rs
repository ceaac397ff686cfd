//! A lock for each object: one call at a time uses the object, and a call within a call of the same thread is refused.

use crate::errors::{Refusal, Result};
use playmat_core::error::Error;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// How long a call that holds one lock waits for another. Without any wait, several values that other threads use again and again are
/// almost never free at one instant: six environments in searches of 30 ms took up to 33 s.
const PATIENCE: Duration = Duration::from_millis(100);
/// The pause between two looks.
const PAUSE: Duration = Duration::from_micros(100);

/// A value that one call at a time uses.
pub(crate) struct Lock<T> {
    value: Mutex<T>,
    /// The thread that holds the lock; 0 for none.
    holder: AtomicUsize,
    /// The refusal of a call within a call.
    busy: &'static str,
}

/// The value during one call; the lock is free when this is dropped.
pub(crate) struct Guard<'a, T> {
    // The order of drops: first no thread is noted as the holder, then the lock is released.
    _holder: Holder<'a>,
    value: MutexGuard<'a, T>,
}

/// Forgets the holder when it is dropped.
struct Holder<'a>(&'a AtomicUsize);

/// A number of the calling thread that no other running thread has.
fn this_thread() -> usize {
    thread_local!(static PLACE: u8 = const { 0 });
    PLACE.with(|place| std::ptr::from_ref(place).addr())
}

thread_local!(static IN_FUNCTION: Cell<bool> = const { Cell::new(false) });

/// Calls a function of the caller that chooses for an agent. The batch that waits for it may be locked by another thread: a call of the function
/// that used this batch would wait for ever, so it is refused after [`PATIENCE`].
pub(crate) fn within_function<R>(call: impl FnOnce() -> R) -> R {
    /// Also after a panic.
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            IN_FUNCTION.set(self.0);
        }
    }
    let _restore = Restore(IN_FUNCTION.replace(true));
    call()
}

/// Whether a function of the caller runs that chooses for an agent.
pub(crate) fn is_within_function() -> bool {
    IN_FUNCTION.get()
}

impl<T> Lock<T> {
    pub(crate) fn new(value: T, busy: &'static str) -> Lock<T> {
        Lock { value: Mutex::new(value), holder: AtomicUsize::new(0), busy }
    }

    /// Waits for the calls of other threads. A panic in an earlier call would be a defect of ours; the value is plain data either way.
    ///
    /// # Errors
    /// [`Error::Order`] within a call of this thread, which would wait for itself: signal handlers, finalizers and methods of the caller's
    /// arrays can make such calls.
    #[inline]
    pub(crate) fn lock(&self, py: Python<'_>) -> Result<Guard<'_, T>> {
        match self.try_lock() {
            Some(guard) => Ok(guard),
            None => Ok(self.guard(self.wait(py)?)),
        }
    }

    /// The value, for a call that holds other locks; `None` if another thread holds this one for [`PATIENCE`]. Whoever holds one lock and waits
    /// for a second one can wait for ever: for a thread that has the second one and whose signal handler wants the first.
    ///
    /// # Errors
    /// Those of [`Lock::lock`].
    pub(crate) fn try_lock_for(&self, py: Python<'_>) -> Result<Option<Guard<'_, T>>> {
        for _ in 0..PATIENCE.as_micros() / PAUSE.as_micros() {
            if let Some(guard) = self.try_lock() {
                return Ok(Some(guard));
            }
            if self.is_mine() {
                return Err(Refusal::Engine(Error::Order(self.busy)));
            }
            py.detach(|| std::thread::sleep(PAUSE));
        }
        Ok(self.try_lock())
    }

    /// Waits until no call uses the value, and does not keep the lock. The caller holds no other.
    ///
    /// # Errors
    /// Those of [`Lock::lock`].
    pub(crate) fn wait_until_free(&self, py: Python<'_>) -> Result<()> {
        self.lock(py).map(drop)
    }

    /// The value if no call uses it.
    #[inline]
    pub(crate) fn try_lock(&self) -> Option<Guard<'_, T>> {
        Some(self.guard(self.try_lock_briefly()?))
    }

    /// The value if no call uses it, for a call that runs no Python before it has dropped it: no call of this thread can come in between, so
    /// the holder is not noted.
    #[inline]
    pub(crate) fn try_lock_briefly(&self) -> Option<MutexGuard<'_, T>> {
        match self.value.try_lock() {
            Ok(value) => Some(value),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    #[inline]
    fn guard<'a>(&'a self, value: MutexGuard<'a, T>) -> Guard<'a, T> {
        self.holder.store(this_thread(), Ordering::Relaxed);
        Guard { _holder: Holder(&self.holder), value }
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
        for _ in 0..PATIENCE.as_micros() / PAUSE.as_micros() {
            if let Some(value) = self.try_lock_briefly() {
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

/// Several values, each of which comes once, for a call that holds another lock too. If another thread holds one of them for [`PATIENCE`],
/// returns that lock: the caller releases its own, then waits ([`Lock::wait_until_free`]).
///
/// # Errors
/// Those of [`Lock::lock`].
pub(crate) fn try_lock_all_for<'a, T>(
    py: Python<'_>,
    all: &[&'a Lock<T>],
) -> Result<std::result::Result<Vec<Guard<'a, T>>, &'a Lock<T>>> {
    let mut guards = Vec::with_capacity(all.len());
    for lock in all {
        match lock.try_lock_for(py)? {
            Some(guard) => guards.push(guard),
            None => return Ok(Err(lock)),
        }
    }
    Ok(Ok(guards))
}

/// Several values, each of which comes once. While it waits for one, it holds others for [`PATIENCE`] at most.
///
/// # Errors
/// Those of [`Lock::lock`].
pub(crate) fn lock_all<'a, T>(py: Python<'_>, all: &[&'a Lock<T>]) -> Result<Vec<Guard<'a, T>>> {
    loop {
        match try_lock_all_for(py, all)? {
            Ok(guards) => return Ok(guards),
            Err(held) => held.wait_until_free(py)?,
        }
    }
}

impl Drop for Holder<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Guard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}
