//! The rules of Gravitix by number, as `rules/gravitix.md` lists them, and what must hold in every position.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the finding")]

mod abilities;
mod bounds;
mod conformance;
mod content;
mod end;
mod fixture;
mod loading;
mod map;
mod payments;
mod puzzle;
mod reference;
mod sampling;
mod secrecy;
mod turns;
