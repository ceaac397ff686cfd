//! Positions that tests build up, of the game that the fixture calls `Tested`.

#![allow(dead_code, reason = "each game uses a part")]

use crate::fixture::Tested;
use playmat_conformance::testing;
use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::game::Game;
use playmat_core::prelude::*;
use playmat_core::survey::Survey;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

type State = <Tested as Game>::State;

pub(crate) fn configured(options: &Value) -> Arc<ConfiguredGame<Tested>> {
    testing::configured(options)
}

/// Every position of random episodes.
pub(crate) fn every_position(options: &Value, seeds: Range<u64>, visit: impl FnMut(&Env<Tested>)) {
    testing::every_position(&configured(options), seeds, visit);
}

/// Visits every position of an episode in which `greedy` of every three choices are greedy, and returns the episode.
pub(crate) fn visit_episode(
    options: &Value,
    seed: u64,
    greedy: u32,
    visit: impl FnMut(&Env<Tested>),
) -> Env<Tested> {
    testing::visit_episode(&configured(options), seed, greedy, visit)
}

/// The error of refused options.
#[track_caller]
pub(crate) fn refused_options(options: &Value) -> String {
    testing::refused_options::<Tested>(options)
}

/// What a player observes.
pub(crate) fn observed(game: &Tested, state: &State, player: u8) -> Vec<u8> {
    testing::observed(game, state, player)
}

/// Episodes of the greedy agent as `player` against random ones.
pub(crate) fn against_random(options: &Value, player: usize, episodes: u64) -> Survey {
    testing::against_random(&configured(options), player, episodes)
}

/// How often a viewer's samples have each key; all of them are valid, and the viewer observes the same in them.
pub(crate) fn samples(
    env: &Env<Tested>,
    viewer: u8,
    count: u64,
    key: impl Fn(&State) -> String,
) -> BTreeMap<String, u32> {
    let game = &env.configured().game;
    let mut rng = Rng::from_seed(3);
    let mut found = BTreeMap::new();
    for _ in 0..count {
        let sample = game.sample_hidden(env.state(), Player(viewer), &mut rng);
        assert_eq!(game.validate(&sample), []);
        assert_eq!(observed(game, &sample, viewer), observed(game, env.state(), viewer));
        *found.entry(key(&sample)).or_insert(0) += 1;
    }
    found
}

/// A position, built up by what a test needs; the fixture has more of these methods, and `whole`: the JSON that is loaded.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    pub(crate) json: Value,
    pub(crate) options: Value,
}

impl Position {
    /// A field or, as `players.0.name`, one inside others.
    pub(crate) fn set(mut self, path: &str, value: impl Into<Value>) -> Position {
        *field_at(&mut self.json, path) = value.into();
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

    /// Asserts that it is refused, and that a reason holds this part.
    #[track_caller]
    pub(crate) fn refuses(&self, part: &str) {
        let found = self.refused();
        assert!(found.lines().any(|line| line.contains(part)), "`{part}` is not said:\n{found}");
    }

    /// Asserts this of the position with the changes of each case of a table ([`testing::cases`]): paths of [`Position::set`] with JSON,
    /// `players.0.hand = {"EC": 4}; turn = 2 | what is said`.
    #[track_caller]
    pub(crate) fn refuses_each(&self, table: &str) {
        for case in testing::cases(table) {
            let (changes, part) = case.split_once(" | ").unwrap_or_else(|| panic!("no ` | `: {case}"));
            let changed = changes.split("; ").fold(self.clone(), |position, change| {
                let (path, json) = change.split_once(" = ").unwrap_or_else(|| panic!("no ` = `: {case}"));
                let json: Value =
                    serde_json::from_str(json).unwrap_or_else(|error| panic!("{case}: {error}"));
                position.set(path, json)
            });
            let found = changed.refused();
            assert!(found.lines().any(|line| line.contains(part)), "{case}\nis not said:\n{found}");
        }
    }
}

/// The field of a path, `players.0.name`.
pub(crate) fn field_at<'a>(json: &'a mut Value, path: &str) -> &'a mut Value {
    path.split('.').fold(json, |at, name| match name.parse::<usize>() {
        Ok(index) => &mut at[index],
        Err(_) => &mut at[name],
    })
}
