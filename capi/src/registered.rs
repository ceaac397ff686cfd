//! The games of this library: those of playmat, or those of a library outside it.

use playmat_core::registry::{self, Entry};

/// The games of playmat, if they are part of this library.
#[cfg(feature = "games")]
const OWN: &[&Entry] = playmat_seeds::GAMES;
#[cfg(not(feature = "games"))]
const OWN: &[&Entry] = &[];

/// All games of this library.
pub(crate) fn games() -> &'static [&'static Entry] {
    registry::registered(OWN)
}

#[doc(hidden)]
pub use playmat_core::registry::{Entry as __Entry, register as __register};

/// Makes a crate of type `cdylib` the C library of these games (`&'static [&'static Entry]`): it exports every function of `playmat.h`.
/// The list is registered when the library is loaded, before any call. For Linux, macOS and Windows; elsewhere, the host calls
/// [`register`](playmat_core::registry::register) first.
#[macro_export]
macro_rules! library {
    ($games:expr) => {
        const _: () = {
            extern "C" fn register() {
                static GAMES: &[&$crate::registered::__Entry] = $games;
                $crate::registered::__register(GAMES);
            }
            // SAFETY: the loader calls each function of this section once, without arguments, and this one only sets a list.
            #[used]
            #[cfg_attr(
                any(target_os = "linux", target_os = "android", target_os = "freebsd"),
                unsafe(link_section = ".init_array")
            )]
            #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
            #[cfg_attr(windows, unsafe(link_section = ".CRT$XCU"))]
            static REGISTER: extern "C" fn() = register;
        };
    };
}
