//! The rules of Rafts! by number, as `rules/rafts.md` lists them, and what must hold in every position.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the finding")]

mod against_reference;
mod cards;
mod conformance;
mod content;
#[path = "../common/drawing.rs"]
mod drawn;
mod ends;
mod examples;
#[path = "../common/files.rs"]
mod files;
mod fixture;
mod greedy;
mod loading;
#[path = "../common/names.rs"]
mod names;
mod observing;
mod options;
#[path = "../common/outline.rs"]
mod outline;
mod pictures;
#[path = "../common/position.rs"]
mod position;
mod reference;
mod sampling;
mod turns;
mod windows;
