//! The rules of Graphia by number, as `rules/graphia.md` lists them, and what must hold in every position.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the finding")]

mod chance;
mod conformance;
mod content;
mod drawing;
mod fixture;
mod loading;
mod play;
mod round;
mod sampling;
mod scoring;
mod states;
