//! A batch of decisions that can end early, when the caller cancels it.

use super::{Agent, Decision, Decisions, Failure, Knowledge, Memory};
use crate::bits::LegalSet;
use crate::game::Game;
use crate::player::Action;
use crate::rng::Rng;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// An agent that can be stopped. From then on it plays the first legal action, and its choices must not be used.
pub(crate) struct Until<'a, G: Game> {
    agent: &'a dyn Agent<G>,
    keep_going: &'a (dyn Fn() -> bool + Sync),
    stopped: AtomicBool,
}

impl<'a, G: Game> Until<'a, G> {
    pub(crate) fn new(agent: &'a dyn Agent<G>, keep_going: &'a (dyn Fn() -> bool + Sync)) -> Until<'a, G> {
        Until { agent, keep_going, stopped: AtomicBool::new(false) }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Looks whether to go on.
    pub(crate) fn goes_on(&self) -> bool {
        if !self.is_stopped() && !(self.keep_going)() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        !self.is_stopped()
    }
}

// `keep_going` is a function.
impl<G: Game> fmt::Debug for Until<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Until").field("agent", &self.agent).finish_non_exhaustive()
    }
}

impl<G: Game> Agent<G> for Until<'_, G> {
    fn name(&self) -> &str {
        self.agent.name()
    }

    fn act(&self, known: &Knowledge<'_, G>, memory: &mut Memory<'_>, rng: &mut Rng) -> Action {
        let chosen = match self.is_stopped() {
            true => None,
            false => self.agent.act_while(known, memory, rng, &|| self.goes_on()),
        };
        chosen.unwrap_or_else(|| known.legal().select(0))
    }

    fn can_fail(&self) -> bool {
        self.agent.can_fail()
    }

    fn act_batch(&self, decisions: &mut dyn Decisions<G>) {
        if self.agent.prefers_batches() {
            if self.goes_on() {
                self.agent.act_batch(&mut DecisionsUntil { until: self, decisions });
            }
            return;
        }
        for row in 0..decisions.rows() {
            if let Some(mut decision) = decisions.get(row) {
                // Before each choice: it can be a search too short to look by itself, or take an agent of the host's own long.
                if !self.goes_on() {
                    return;
                }
                let action = self.act(&decision.known, &mut decision.memory, decision.rng);
                decision.choose(action);
            }
        }
    }
}

/// The decisions of a batch until its agent is stopped.
struct DecisionsUntil<'a, 'u, G: Game> {
    until: &'a Until<'u, G>,
    decisions: &'a mut dyn Decisions<G>,
}

impl<G: Game> Decisions<G> for DecisionsUntil<'_, '_, G> {
    fn rows(&self) -> usize {
        self.decisions.rows()
    }

    fn get(&mut self, row: usize) -> Option<Decision<'_, G>> {
        self.decisions.get(row)
    }

    fn goes_on(&mut self) -> bool {
        self.until.goes_on()
    }

    fn fail(&mut self, failure: Failure) {
        self.decisions.fail(failure);
    }
}
