//! The rules of `rules/classics.md`, by number, and what must hold in every position of the five games.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the finding")]

mod conformance;
mod connect_four;
mod every_game;
mod exploit;
#[path = "../common/files.rs"]
mod files;
mod fixture;
mod goofspiel;
mod information;
mod kuhn_poker;
mod leaves;
mod leduc_poker;
mod reference;
mod tic_tac_toe;
