//! The rules of Graft by number, as `rules/graft.md` lists them, and what must hold in every position.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the finding")]

mod ahead;
mod bounds;
mod claims;
mod conformance;
mod content;
#[path = "../common/drawing.rs"]
mod drawn;
mod effects;
mod ends;
mod examples;
#[path = "../common/files.rs"]
mod files;
mod fixture;
mod greedy;
mod hands;
mod loading;
mod observing;
#[path = "../common/outline.rs"]
mod outline;
mod pictures;
#[path = "../common/position.rs"]
mod position;
mod reaching;
mod reference;
mod rows;
mod sampling;
mod scoring;
mod secrecy;
mod turns;
