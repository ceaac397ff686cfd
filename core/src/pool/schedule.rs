//! Which batches are worth sharing: learned from how long they took.

use std::time::{Duration, Instant};

/// Batches that take less than this on one thread are not worth waking anybody's attention.
const WORTH_SHARING: f64 = 4e-6;
/// Batches that take less than this are not worth waking a sleeping worker.
const WORTH_WAKING: f64 = 60e-6;

/// How to play the next batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// On the caller's thread.
    Alone,
    /// The same, but the workers shall be awake for the batch after it.
    AloneAndWake,
    /// On all threads.
    Together,
}

/// The clock of [`Schedule`].
#[expect(clippy::disallowed_methods, reason = "decides on which thread work is done, never what comes out")]
pub(super) fn now() -> Instant {
    Instant::now()
}

/// Learns from what batches took whether the next one is worth sharing.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    /// Smoothed seconds of a batch on one thread and on all; 0 when unknown.
    alone: f64,
    together: f64,
    /// Batches to play alone before the others are tried (again), and how long that was the last time.
    rest: u32,
    last_rest: u32,
    /// Batches played together since one was last played alone.
    streak: u32,
    /// When the last batch ended.
    ended: Option<Instant>,
    /// Share every batch.
    pub(super) always: bool,
}

impl Schedule {
    /// After so many shared batches one is played alone, to keep the comparison fresh.
    const FRESH: u32 = 2_048;
    /// Shared batches before they are judged.
    const TRIAL: u32 = 32;
    /// Batches alone after the first lost trial; doubled with each further one up to the longest.
    const REST: u32 = 64;
    const LONGEST_REST: u32 = 8_192;

    pub(super) fn next(&mut self, asleep: bool, now: Instant, spin: Duration) -> Mode {
        if cfg!(loom) || self.always {
            return Mode::Together;
        }
        if self.rest > 0 {
            self.rest -= 1;
            return Mode::Alone;
        }
        if self.alone == 0.0 || self.alone < WORTH_SHARING || self.streak >= Self::FRESH {
            return Mode::Alone;
        }
        if asleep && self.alone < WORTH_WAKING {
            let hurried = self.ended.is_some_and(|ended| now.saturating_duration_since(ended) < spin);
            return if hurried { Mode::AloneAndWake } else { Mode::Alone };
        }
        Mode::Together
    }

    pub(super) fn note(&mut self, together: bool, begun: Instant, ended: Instant) {
        let took = ended.saturating_duration_since(begun).as_secs_f64();
        self.ended = Some(ended);
        let mean = if together { &mut self.together } else { &mut self.alone };
        // A thread that lost its core for a while says nothing about the work.
        *mean = if *mean == 0.0 { took } else { *mean + (took.min(4.0 * *mean) - *mean) / 16.0 };
        if !together {
            self.streak = 0;
            return;
        }
        self.streak += 1;
        if self.streak >= Self::TRIAL && self.together > self.alone {
            self.last_rest = (2 * self.last_rest).clamp(Self::REST, Self::LONGEST_REST);
            self.rest = self.last_rest;
            self.together = 0.0;
        } else if self.streak >= 8 * Self::TRIAL {
            self.last_rest = 0;
        }
    }
}
