//! The rules of Gravitix by number, as `rules/gravitix.md` lists them, and what must hold in every position.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the finding")]

mod abilities;
mod bounds;
mod conformance;
mod content;
#[path = "../common/drawing.rs"]
mod drawn;
mod ends;
#[path = "../common/files.rs"]
mod files;
mod fixture;
mod greedy;
mod loading;
mod map;
mod observing;
#[path = "../common/outline.rs"]
mod outline;
mod payment_reference;
mod payments;
mod pictures;
#[path = "../common/position.rs"]
mod position;
mod puzzle;
mod reference;
mod sampling;
mod secrecy;
mod turns;
