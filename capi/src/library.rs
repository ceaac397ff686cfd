//! The library as a whole: versions, registered games, statuses, messages.

#![expect(unsafe_code, reason = "exported functions; all work with pointers is in ffi.rs")]

use crate::ffi::{border, put_text};
use crate::status::{Fault, PlaymatStatus, message};
use playmat_seeds::GAMES;
use std::ffi::{CStr, c_char};

/// Version of this interface: changes when a program compiled against an older header would no longer work.
pub const PLAYMAT_ABI_VERSION: u32 = 2;

/// Version of the library that this header belongs to: MAJOR.MINOR.PATCH.
pub const PLAYMAT_VERSION_MAJOR: u32 = 0;

/// Second part of that version.
pub const PLAYMAT_VERSION_MINOR: u32 = 1;

/// Third part of that version.
pub const PLAYMAT_VERSION_PATCH: u32 = 0;

/// That version as one number, for comparing: MAJOR * 1,000,000 + MINOR * 1000 + PATCH.
pub const PLAYMAT_VERSION_NUMBER: u32 = 1000;

/// The version of the interface that the library has; compare it with `PLAYMAT_ABI_VERSION` of the header you compiled with.
#[unsafe(no_mangle)]
pub extern "C" fn playmat_abi_version() -> u32 {
    PLAYMAT_ABI_VERSION
}

/// The version of the library, such as "0.1.0"; lives forever.
#[unsafe(no_mangle)]
pub extern "C" fn playmat_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("a version has no zero inside"),
        };
    VERSION.as_ptr()
}

/// The version of the library as one number, for comparing with `PLAYMAT_VERSION_NUMBER` of the header you compiled with: both are
/// MAJOR * 1,000,000 + MINOR * 1000 + PATCH.
#[unsafe(no_mangle)]
pub extern "C" fn playmat_version_number() -> u32 {
    PLAYMAT_VERSION_NUMBER
}

/// What the last refused call of this thread was refused for, in words: what was given and what is allowed. Never null; empty if
/// nothing was refused yet. It stays in one place as long as the thread lives, also for destructors of its objects and for
/// functions of `atexit`; the next refusal in the same thread writes over it: copy it to keep it. At most 8 KiB; a longer one is cut.
#[unsafe(no_mangle)]
pub extern "C" fn playmat_error_message() -> *const c_char {
    message()
}

/// The stable name of a `status`, such as "illegal_action", the same in every language; "unknown" for a number that is none.
/// Lives forever.
#[unsafe(no_mangle)]
pub extern "C" fn playmat_status_name(status: i32) -> *const c_char {
    let found = PlaymatStatus::ALL.iter().find(|&&(known, _)| known as i32 == status);
    found.map_or(c"unknown", |&(_, name)| name).as_ptr()
}

/// How many games the library has.
#[unsafe(no_mangle)]
pub extern "C" fn playmat_game_count() -> usize {
    GAMES.len()
}

/// Writes the registered name of a game, in a fixed order.
///
/// Parameters: `index` below `playmat_game_count()`; `out`, `out_size`, `needed` as at every text output.
/// Returns: OK; INVALID_ARGUMENT (index); BUFFER_TOO_SMALL; NULL_POINTER.
///
/// # Safety
/// The promises at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playmat_game_name(
    index: usize,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> PlaymatStatus {
    border(|| {
        let refuse = || Fault::argument("index", format!("got {index}; games are 0 to {}", GAMES.len() - 1));
        let entry = GAMES.get(index).ok_or_else(refuse)?;
        // SAFETY: promised by the caller.
        unsafe { put_text(entry.id, out, out_size, needed) }
    })
}
