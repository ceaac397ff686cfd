//! The library as a whole: versions, registered games, statuses, messages.

#![expect(unsafe_code, reason = "exported functions; all work with pointers is in ffi.rs")]

use crate::ffi::{border, put_text};
use crate::registered::games;
use crate::status::{Fault, PlaymatStatus, message};
use std::ffi::{CStr, c_char};

/// Version of this interface; changes when programs compiled with an older header would no longer work.
pub const PLAYMAT_ABI_VERSION: u32 = 5;

/// Version of the library of this header: MAJOR.MINOR.PATCH.
pub const PLAYMAT_VERSION_MAJOR: u32 = 0;

/// Second part of that version.
pub const PLAYMAT_VERSION_MINOR: u32 = 1;

/// Third part of that version.
pub const PLAYMAT_VERSION_PATCH: u32 = 0;

/// That version as one number: MAJOR * 1,000,000 + MINOR * 1000 + PATCH.
pub const PLAYMAT_VERSION_NUMBER: u32 = 1000;

/// The version of the interface that the library has; compare it with `PLAYMAT_ABI_VERSION` of the header you compiled with.
#[unsafe(no_mangle)]
pub extern "C" fn playmat_abi_version() -> u32 {
    PLAYMAT_ABI_VERSION
}

/// The version of the library, such as "0.1.0". The text is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn playmat_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("a version has no zero inside"),
        };
    VERSION.as_ptr()
}

/// The version of the library as one number; compare it with `PLAYMAT_VERSION_NUMBER` of the header you compiled with.
#[unsafe(no_mangle)]
pub extern "C" fn playmat_version_number() -> u32 {
    PLAYMAT_VERSION_NUMBER
}

/// The message of the last refused call of this thread: what was given and what is allowed. It is never null, and empty if no call
/// was refused yet.
///
/// The pointer stays the same as long as the thread lives, also in destructors of the thread's objects and in functions of
/// `atexit`. The next refused call of the thread overwrites the text: copy it to keep it. Messages longer than 8 KiB are cut.
#[unsafe(no_mangle)]
pub extern "C" fn playmat_error_message() -> *const c_char {
    message()
}

/// The stable name of a `status`, such as "illegal_action", the same in every language; "unknown" for other numbers. The text is
/// never freed.
#[unsafe(no_mangle)]
pub extern "C" fn playmat_status_name(status: i32) -> *const c_char {
    let found = PlaymatStatus::ALL.iter().find(|&&(known, _)| known as i32 == status);
    found.map_or(c"unknown", |&(_, name)| name).as_ptr()
}

/// The number of games in the library.
#[unsafe(no_mangle)]
pub extern "C" fn playmat_game_count() -> usize {
    games().len()
}

/// Writes the registered name of a game. The order of the games is fixed.
///
/// Parameters: `index` below `playmat_game_count()`; `out`, `out_size`, `needed` as for every text output.
/// Returns: OK; INVALID_ARGUMENT (index).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_game_name(
    index: usize,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    border(|| {
        let refuse =
            || Fault::argument("index", format!("got {index}; games are 0 to {}", games().len() - 1));
        let entry = games().get(index).ok_or_else(refuse)?;
        // SAFETY: promised by the caller.
        unsafe { put_text(entry.id, out, out_size, needed) }
    })
}
