//! The rules of Graven by number, as `rules/graven.md` lists them, and what must hold in every position.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the finding")]

mod against_reference;
mod build;
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
mod machinery;
#[path = "../common/names.rs"]
mod names;
mod options;
mod order;
#[path = "../common/outline.rs"]
mod outline;
mod pictures;
#[path = "../common/position.rs"]
mod position;
mod reference;
mod sampling;
mod secrecy;
mod turns;
