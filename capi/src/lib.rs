//! The C ABI of playmat: `include/playmat.h` is generated from these files, in this order.
//!
//! The crate checks arguments, converts them, calls the object-safe traits of the engine and maps errors. It contains no rule and no default of
//! a game. A registered game is in every host without a change here.
//!
//! - [`status`]: what calls return, and the message of the last error of a thread
//! - [`handle`]: handles, which are numbers in the type of pointers, so that null, destroyed and foreign ones are detected
//! - [`ffi`]: all work with pointers
//! - [`game`], [`cancel`], [`env`](mod@env), [`env_show`], [`agent`], [`replay`], [`vec_env`], [`vec_state`],
//!   [`search`], [`gae`](mod@gae): the exported functions
//! - [`registered`]: which games the library has; [`library!`] for games outside playmat
//!
//! # Safety
//! The promises that a caller of any exported function makes are at the top of the header.

#![expect(clippy::missing_safety_doc, reason = "the same for all functions: the section above")]

pub mod agent;
pub mod cancel;
pub mod env;
pub mod env_show;
pub mod ffi;
pub mod gae;
pub mod game;
pub mod handle;
pub mod library;
pub mod registered;
pub mod replay;
pub mod search;
pub mod status;
pub mod text;
pub mod vec_buffers;
pub mod vec_env;
pub mod vec_state;
