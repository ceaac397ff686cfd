//! Threads and atomics: the standard library's, or those of the model checker.

#[cfg(loom)]
pub(super) use loom::{
    sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicUsize, Ordering},
    sync::{Arc, Mutex},
    thread::{JoinHandle, Thread, park, yield_now},
};
#[cfg(not(loom))]
pub(super) use std::{
    sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicUsize, Ordering},
    sync::{Arc, Mutex},
    thread::{JoinHandle, Thread, park, yield_now},
};

/// The pause of a thread between two polls of a counter.
pub(super) fn relax() {
    #[cfg(not(loom))]
    std::hint::spin_loop();
    #[cfg(loom)]
    yield_now();
}

/// Starts a thread; nothing if the system refuses it.
#[cfg(not(loom))]
pub(super) fn spawn(name: String, work: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
    std::thread::Builder::new().name(name).spawn(work).ok()
}

/// The same for the model checker, whose threads have no names.
#[cfg(loom)]
pub(super) fn spawn(_: String, work: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
    Some(loom::thread::spawn(work))
}
