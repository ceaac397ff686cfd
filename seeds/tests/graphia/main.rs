//! The rules of Graphia by number, as `rules/graphia.md` lists them, and what must hold in every position.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the finding")]

mod chance;
mod conformance;
mod content;
#[path = "../common/drawing.rs"]
mod drawn;
#[path = "../common/files.rs"]
mod files;
mod fixture;
mod greedy;
mod loading;
mod observing;
#[path = "../common/outline.rs"]
mod outline;
mod pictures;
mod placements;
mod play;
#[path = "../common/position.rs"]
mod position;
mod sampling;
mod scoring;
mod states;
mod turns;
