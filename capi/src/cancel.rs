//! Cancelling long calls: a flag that the host sets from another thread.

#![expect(unsafe_code, reason = "exported functions; all work with pointers is in ffi.rs")]

use crate::ffi::{Out, border};
use crate::handle;
use crate::status::{Fault, PlaymatStatus, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that ends long calls: agents and searches, digests, surveys, reward scales, the conformance suite. Pass it to such calls, and call
/// `playmat_cancel_request` from another thread. Any number of threads and calls may use it at once.
pub struct PlaymatCancel {
    _private: [u8; 0],
}

/// The object of a cancel flag's handle.
pub(crate) type Flag = Arc<AtomicBool>;

/// The flag during one call.
pub(crate) struct Cancellation {
    flag: Option<Flag>,
    stopped: AtomicBool,
}

impl Cancellation {
    /// The flag of a handle; null is never requested.
    ///
    /// # Errors
    /// `InvalidHandle`, `WrongHandle`.
    pub(crate) fn of(cancel: *const PlaymatCancel) -> Result<Cancellation> {
        let flag = (!cancel.is_null()).then(|| handle::share::<Flag>("cancel", cancel)).transpose()?;
        Ok(Cancellation { flag, stopped: AtomicBool::new(false) })
    }

    /// Whether the call continues. A request after the last check ends nothing.
    pub(crate) fn keeps_going(&self) -> bool {
        let requested = self.flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        if requested {
            self.stopped.store(true, Ordering::Relaxed);
        }
        !requested
    }

    /// Refuses a call that was ended.
    ///
    /// # Errors
    /// `Cancelled`.
    pub(crate) fn finish(&self, what: &str) -> Result<()> {
        if !self.stopped.load(Ordering::Relaxed) {
            return Ok(());
        }
        let message = format!("{what} was cancelled; nothing was written");
        Err(Fault::Border(PlaymatStatus::Cancelled, message))
    }
}

/// Creates a cancel flag.
///
/// Parameters: `out` receives the handle.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_cancel_create(out: *mut *mut PlaymatCancel) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let out = unsafe { Out::new("out", out)? };
        out.set(handle::create(Flag::default())?);
        Ok(())
    })
}

/// Requests that all calls with this flag end, running and later ones. They return CANCELLED before their next episode or check,
/// agents and searches after some simulations.
/// Any thread may call this at any time. A request cannot be taken back.
///
/// Parameters: `cancel`.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_cancel_request(cancel: *const PlaymatCancel) -> PlaymatStatus {
    border(|| {
        handle::share::<Flag>("cancel", cancel)?.store(true, Ordering::Relaxed);
        Ok(())
    })
}

/// Whether `playmat_cancel_request` was called.
///
/// Parameters: `cancel`; `requested` receives 1 or 0.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_cancel_is_requested(
    cancel: *const PlaymatCancel,
    requested: *mut u8,
) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let out = unsafe { Out::new("requested", requested)? };
        out.set(handle::share::<Flag>("cancel", cancel)?.load(Ordering::Relaxed).into());
        Ok(())
    })
}

/// Destroys a cancel flag. Calls that have begun with it can no longer be cancelled, but end with CANCELLED if that was requested
/// before.
///
/// Parameters: `cancel`, or null.
/// Returns: OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_cancel_destroy(cancel: *mut PlaymatCancel) -> PlaymatStatus {
    border(|| handle::destroy_shared::<Flag>("cancel", cancel))
}
