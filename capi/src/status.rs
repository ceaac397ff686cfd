//! Status codes and the message of the last error.

use playmat_core::error::Error;
use std::cell::Cell;
use std::ffi::CStr;

/// The result of a call. Codes are never changed or reused. New ones may be added: treat an unknown one as a refusal. After everything but
/// `PLAYMAT_STATUS_OK` nothing was changed, no output was written, and `playmat_error_message` says why.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaymatStatus {
    /// The call succeeded.
    Ok = 0,
    /// A pointer is null, but must not be.
    NullPointer = 1,
    /// A handle is null, was destroyed before, or never was one.
    InvalidHandle = 2,
    /// A handle is of another kind, such as an environment instead of a game.
    WrongHandle = 3,
    /// Another thread is in a call with this handle.
    HandleInUse = 4,
    /// A buffer is too small. `needed` or `count` was written, if the function has one.
    BufferTooSmall = 5,
    /// A text is not valid UTF-8.
    InvalidUtf8 = 6,
    /// A defect of the library. Destroy the handles of the call; others continue to work.
    Panic = 7,
    /// Too many handles are alive.
    TooManyHandles = 8,
    /// `playmat_cancel_request` has ended the call.
    Cancelled = 9,
    /// No game has this name.
    UnknownGame = 100,
    /// An option does not exist, has the wrong type or is out of range.
    InvalidOption = 101,
    /// A content text was refused; the message lists at most 20 findings with line and column.
    Content = 102,
    /// An action is not legal. In a batch no environment has moved; the message lists the rows.
    IllegalAction = 103,
    /// A text does not name an action.
    UnknownAction = 104,
    /// The game has no player of this number.
    InvalidPlayer = 105,
    /// The player does not act now.
    NotActing = 106,
    /// The episode is over: only resets and reads are possible.
    EpisodeOver = 107,
    /// A saved state, JSON or replay is damaged, truncated or of another format.
    Unreadable = 108,
    /// A saved state or replay of another game, version, content or configuration.
    WrongIdentity = 109,
    /// A position breaks rules of the game; the message lists all reasons.
    InvalidState = 110,
    /// An argument is out of range or of the wrong length.
    InvalidArgument = 111,
    /// The call came at the wrong time, such as a step before the first reset or during an asynchronous step.
    Order = 112,
    /// The library was built without a feature.
    MissingFeature = 113,
}

impl PlaymatStatus {
    /// All codes with their stable names, ascending.
    pub const ALL: [(PlaymatStatus, &'static CStr); 24] = [
        (PlaymatStatus::Ok, c"ok"),
        (PlaymatStatus::NullPointer, c"null_pointer"),
        (PlaymatStatus::InvalidHandle, c"invalid_handle"),
        (PlaymatStatus::WrongHandle, c"wrong_handle"),
        (PlaymatStatus::HandleInUse, c"handle_in_use"),
        (PlaymatStatus::BufferTooSmall, c"buffer_too_small"),
        (PlaymatStatus::InvalidUtf8, c"invalid_utf8"),
        (PlaymatStatus::Panic, c"panic"),
        (PlaymatStatus::TooManyHandles, c"too_many_handles"),
        (PlaymatStatus::Cancelled, c"cancelled"),
        (PlaymatStatus::UnknownGame, c"unknown_game"),
        (PlaymatStatus::InvalidOption, c"invalid_option"),
        (PlaymatStatus::Content, c"content"),
        (PlaymatStatus::IllegalAction, c"illegal_action"),
        (PlaymatStatus::UnknownAction, c"unknown_action"),
        (PlaymatStatus::InvalidPlayer, c"invalid_player"),
        (PlaymatStatus::NotActing, c"not_acting"),
        (PlaymatStatus::EpisodeOver, c"episode_over"),
        (PlaymatStatus::Unreadable, c"unreadable"),
        (PlaymatStatus::WrongIdentity, c"wrong_identity"),
        (PlaymatStatus::InvalidState, c"invalid_state"),
        (PlaymatStatus::InvalidArgument, c"invalid_argument"),
        (PlaymatStatus::Order, c"order"),
        (PlaymatStatus::MissingFeature, c"missing_feature"),
    ];

    /// The status of an error of the engine.
    pub fn of(error: &Error) -> PlaymatStatus {
        match error {
            Error::UnknownGame { .. } => PlaymatStatus::UnknownGame,
            Error::InvalidOption { .. } => PlaymatStatus::InvalidOption,
            Error::Content { .. } => PlaymatStatus::Content,
            Error::IllegalAction(_) | Error::IllegalJoint(_) | Error::IllegalActions(_) => {
                PlaymatStatus::IllegalAction
            }
            Error::UnknownAction { .. } => PlaymatStatus::UnknownAction,
            Error::InvalidPlayer { .. } => PlaymatStatus::InvalidPlayer,
            Error::NotActing { .. } => PlaymatStatus::NotActing,
            Error::EpisodeOver | Error::EpisodesOver { .. } => PlaymatStatus::EpisodeOver,
            Error::Unreadable { .. } => PlaymatStatus::Unreadable,
            Error::WrongIdentity { .. } => PlaymatStatus::WrongIdentity,
            Error::InvalidState { .. } => PlaymatStatus::InvalidState,
            Error::InvalidArgument { .. } => PlaymatStatus::InvalidArgument,
            Error::Order(_) => PlaymatStatus::Order,
            Error::Sampled { .. } | Error::MissingFeature(_) => PlaymatStatus::MissingFeature,
        }
    }
}

/// Why a call was refused: an error of the engine, or misuse of the C API.
#[derive(Debug)]
pub enum Fault {
    /// The engine's own error.
    Engine(Error),
    /// Misuse found by this crate.
    Border(PlaymatStatus, String),
}

impl Fault {
    /// An error about an argument, in the engine's words.
    pub fn argument(argument: &str, message: impl std::fmt::Display) -> Fault {
        Fault::Border(PlaymatStatus::InvalidArgument, format!("argument `{argument}`: {message}"))
    }

    fn parts(self) -> (PlaymatStatus, String) {
        match self {
            Fault::Engine(Error::InvalidArgument { argument, message }) => {
                Fault::argument(argument, signed(message)).parts()
            }
            Fault::Engine(error) => (PlaymatStatus::of(&error), error.to_string()),
            Fault::Border(status, message) => (status, message),
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Engine(error)
    }
}

/// A refusal of a size beyond `isize::MAX` with the negative number from which the host's language made it: -1 is easier to understand than
/// 18446744073709551615.
fn signed(message: String) -> String {
    let Some(rest) = message.strip_prefix("got ") else { return message };
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    match rest[..digits].parse::<usize>() {
        Ok(size) if size > isize::MAX as usize => format!("got {}{}", size.cast_signed(), &rest[digits..]),
        _ => message,
    }
}

/// Result of the inside of an exported function.
pub type Result<T, E = Fault> = std::result::Result<T, E>;

/// Bytes of a message, its terminating zero included. Small enough for threads with the smallest stacks, which systems take this from.
const MESSAGE_SIZE: usize = 1 << 13;

thread_local! {
    /// In one place for as long as the thread lives: a pointer from before a call shows the message of that call.
    /// Without a destructor, so that it is also there for calls from destructors of the thread's other objects and from `atexit`,
    /// and so that a thread with an error does not keep the library loaded.
    static MESSAGE: [Cell<u8>; MESSAGE_SIZE] = const { [const { Cell::new(0) }; MESSAGE_SIZE] };
}

/// Keeps the message of a refusal for this thread and returns its status.
#[cold]
pub(crate) fn refuse(fault: Fault) -> PlaymatStatus {
    let (status, message) = fault.parts();
    keep(&message);
    status
}

/// Keeps a message for this thread, cut at a character to what fits.
#[cold]
pub(crate) fn keep(message: &str) {
    let mut end = message.len().min(MESSAGE_SIZE - 1);
    while !message.is_char_boundary(end) {
        end -= 1;
    }
    let bytes = message.as_bytes()[..end].iter().map(|&byte| if byte == 0 { b'?' } else { byte });
    let _ = MESSAGE.try_with(|kept| {
        for (to, byte) in kept.iter().zip(bytes.chain([0])) {
            to.set(byte);
        }
    });
}

/// The message of the last refusal in this thread.
pub(crate) fn message() -> *const std::ffi::c_char {
    MESSAGE.try_with(|kept| kept.as_ptr().cast()).unwrap_or(c"".as_ptr())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_were_negative_are_shown_so() {
        let said = |message: String| Fault::Engine(Error::argument("row", message)).parts().1;
        for (size, shown) in
            [(usize::MAX, "-1"), (usize::MAX - 4, "-5"), (1 << (usize::BITS - 1), &isize::MIN.to_string())]
        {
            assert_eq!(
                said(format!("got {size}; rows are 0 to 3")),
                format!("argument `row`: got {shown}; rows are 0 to 3")
            );
        }
        for message in [
            "got 7; rows are 0 to 3",
            "got 99999999999999999999; wanted 1",
            "got `mcts:18446744073709551615`",
            "got ",
            "none",
        ] {
            assert_eq!(said(message.to_owned()), format!("argument `row`: {message}"));
        }
        assert_eq!(said(format!("got {}", isize::MAX)), format!("argument `row`: got {}", isize::MAX));
    }

    fn last() -> &'static str {
        // SAFETY: a text of this thread, which no other test runs in.
        #[expect(unsafe_code, reason = "reads what C reads")]
        unsafe { CStr::from_ptr(message()) }.to_str().expect("UTF-8")
    }

    #[test]
    fn a_message_stays_in_its_place() {
        let place = message();
        assert_eq!(last(), "");
        keep("first, and long");
        keep("a\0b");
        assert_eq!((message(), last()), (place, "a?b"));
        keep(&"é".repeat(MESSAGE_SIZE));
        assert_eq!((last().len(), last().chars().last()), (MESSAGE_SIZE - 2, Some('é')));
    }
}
