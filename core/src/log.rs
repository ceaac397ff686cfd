//! Events inside a step, for logs that record them, at no cost without one.
//!
//! Rules report events, rule numbers, forced moves and chance to a [`Log`]. Environments step with
//! [`Silent`], whose calls compile to nothing; events and coverage come from replaying a step with a log that records.

use crate::game::Game;
use std::collections::BTreeMap;

/// A listener to events inside a step.
pub trait Log<G: Game> {
    /// Whether the log records anything: guards work that only serves the log.
    const LISTENS: bool;

    /// Something that a host would animate happened; `state` is the state right after it.
    fn event(&mut self, state: &G::State, event: impl FnOnce() -> G::Event);

    /// A numbered rule, or a content entry, took effect (`"GG-R5b"`, `"shape T"`).
    fn rule(&mut self, name: impl FnOnce() -> String);

    /// The engine executed a forced move, because it was the only legal one.
    fn forced(&mut self);

    /// Chance decided something (one card, one die, one draw).
    fn chance(&mut self);
}

/// Records nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl<G: Game> Log<G> for Silent {
    const LISTENS: bool = false;

    #[inline(always)]
    fn event(&mut self, _: &G::State, _: impl FnOnce() -> G::Event) {}
    #[inline(always)]
    fn rule(&mut self, _: impl FnOnce() -> String) {}
    #[inline(always)]
    fn forced(&mut self) {}
    #[inline(always)]
    fn chance(&mut self) {}
}

/// Keeps the events of a step, each with the state right after it.
#[derive(Debug)]
pub struct Events<G: Game> {
    /// Events in order.
    pub events: Vec<(G::Event, G::State)>,
}

impl<G: Game> Default for Events<G> {
    fn default() -> Self {
        Events { events: Vec::new() }
    }
}

impl<G: Game> Log<G> for Events<G> {
    const LISTENS: bool = true;

    fn event(&mut self, state: &G::State, event: impl FnOnce() -> G::Event) {
        self.events.push((event(), *state));
    }
    fn rule(&mut self, _: impl FnOnce() -> String) {}
    fn forced(&mut self) {}
    fn chance(&mut self) {}
}

/// Counts rules, forced moves and chance.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// How often each rule or content entry took effect.
    pub rules: BTreeMap<String, u64>,
    /// Forced moves so far.
    pub forced: usize,
    /// Chance events so far.
    pub chance: usize,
}

impl Coverage {
    /// Without the type of the game, so that it is compiled once.
    fn count(&mut self, rule: String) {
        *self.rules.entry(rule).or_insert(0) += 1;
    }
}

impl<G: Game> Log<G> for Coverage {
    const LISTENS: bool = true;

    fn event(&mut self, _: &G::State, _: impl FnOnce() -> G::Event) {}
    fn rule(&mut self, name: impl FnOnce() -> String) {
        self.count(name());
    }
    fn forced(&mut self) {
        self.forced += 1;
    }
    fn chance(&mut self) {
        self.chance += 1;
    }
}
