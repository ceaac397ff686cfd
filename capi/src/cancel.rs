//! Cancelling long calls: a flag that the host sets from another thread.

#![expect(unsafe_code, reason = "exported functions; all work with pointers is in ffi.rs")]

use crate::ffi::{Out, border};
use crate::handle;
use crate::status::{Fault, PlaymatStatus, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that ends long calls early: digests, surveys, the conformance suite. Pass it to such a call and request it from another
/// thread. It may be used by any threads and any number of calls at once.
pub struct PlaymatCancel {
    _private: [u8; 0],
}

/// What a handle of a cancel flag stands for.
pub(crate) type Flag = Arc<AtomicBool>;

/// One call's look at a flag.
pub(crate) struct Watch {
    flag: Option<Flag>,
    stopped: AtomicBool,
}

impl Watch {
    /// A look at the flag of a handle; null is never requested.
    ///
    /// # Errors
    /// `InvalidHandle`, `WrongHandle`.
    pub(crate) fn of(cancel: *const PlaymatCancel) -> Result<Watch> {
        let flag = (!cancel.is_null()).then(|| handle::share::<Flag>("cancel", cancel)).transpose()?;
        Ok(Watch { flag, stopped: AtomicBool::new(false) })
    }

    /// Whether the call goes on. A flag that is requested after the last question ends nothing.
    pub(crate) fn goes_on(&self) -> bool {
        let requested = self.flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        if requested {
            self.stopped.store(true, Ordering::Relaxed);
        }
        !requested
    }

    /// Refuses what was ended early.
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

/// A flag that nothing has requested yet.
///
/// Parameters: `out` receives the handle, which `playmat_cancel_destroy` ends.
/// Returns: OK; NULL_POINTER; TOO_MANY_HANDLES.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_cancel_create(out: *mut *mut PlaymatCancel) -> PlaymatStatus {
    border(|| {
        // SAFETY: promised by the caller.
        let out = unsafe { Out::new("out", out)? };
        out.set(handle::create(Flag::default())?);
        Ok(())
    })
}

/// Requests that all calls with this flag end, those to come included. They return CANCELLED soon: before the next episode or check.
/// Any thread may call this at any time; a request is never taken back.
///
/// Parameters: `cancel`.
/// Returns: OK; INVALID_HANDLE; WRONG_HANDLE.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_cancel_request(cancel: *const PlaymatCancel) -> PlaymatStatus {
    border(|| {
        handle::share::<Flag>("cancel", cancel)?.store(true, Ordering::Relaxed);
        Ok(())
    })
}

/// Whether the end of calls with this flag was requested: 1 or 0.
///
/// Parameters: `cancel`; `requested` receives 1 or 0.
/// Returns: OK; INVALID_HANDLE; WRONG_HANDLE; NULL_POINTER.
///
/// # Safety
/// The promises at the top of the header.
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

/// Ends a handle of a flag; calls that have begun with it keep what they need. Null is nothing to destroy.
///
/// Parameters: `cancel`.
/// Returns: OK; INVALID_HANDLE; WRONG_HANDLE.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_cancel_destroy(cancel: *mut PlaymatCancel) -> PlaymatStatus {
    border(|| handle::destroy_shared::<Flag>("cancel", cancel))
}
