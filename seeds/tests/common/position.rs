//! Positions that tests build up, of the game that the fixture calls `Tested`.

#![allow(dead_code, reason = "each game uses a part")]

use crate::fixture::Tested;
use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::prelude::*;
use playmat_core::testing;
use std::ops::Range;
use std::sync::Arc;

pub(crate) fn configured(options: &Value) -> Arc<ConfiguredGame<Tested>> {
    testing::configured(options)
}

/// Every position of random episodes.
pub(crate) fn every_position(options: &Value, seeds: Range<u64>, visit: impl FnMut(&Env<Tested>)) {
    testing::every_position(&configured(options), seeds, visit);
}

/// A position, built up by what a test needs; the fixture has more of these methods, and `whole`: the JSON that is loaded.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    pub(crate) json: Value,
    pub(crate) options: Value,
}

impl Position {
    pub(crate) fn set(mut self, name: &str, value: impl Into<Value>) -> Position {
        self.json[name] = value.into();
        self
    }

    pub(crate) fn option(mut self, name: &str, value: impl Into<Value>) -> Position {
        self.options[name] = value.into();
        self
    }

    /// Something of a player: the entry of a list.
    pub(crate) fn of_player(mut self, list: &str, player: usize, value: impl Into<Value>) -> Position {
        self.json[list][player] = value.into();
        self
    }

    pub(crate) fn load(&self) -> Env<Tested> {
        self.load_with(5)
    }

    /// Loads with the chance of this seed.
    pub(crate) fn load_with(&self, seed: u64) -> Env<Tested> {
        testing::load(&configured(&self.options), &self.whole(), seed)
    }

    /// What is said against it, each with its path, a line each.
    pub(crate) fn refused(&self) -> String {
        testing::refused(&*configured(&self.options).game, &self.whole())
    }
}
