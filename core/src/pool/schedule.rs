//! Decides from measured times which batches are shared among threads.

use std::time::{Duration, Instant};

/// Batches that take less time than this on one thread are not shared, even with awake workers.
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

/// Decides from measured times whether to share the next batch.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    /// Smoothed seconds of a batch on one thread and on all; 0 when unknown.
    alone: f64,
    together: f64,
    /// Number of batches on one thread before sharing is tried again, and that number of the last time.
    rest: u32,
    last_rest: u32,
    /// Number of shared batches since the last batch on one thread.
    streak: u32,
    /// When the last batch ended.
    ended: Option<Instant>,
    /// Share every batch.
    pub(super) always: bool,
}

impl Schedule {
    /// After this number of shared batches one runs on one thread, to update the comparison.
    const FRESH: u32 = 2_048;
    /// Number of shared batches before the comparison.
    const TRIAL: u32 = 32;
    /// Number of batches on one thread after the first failed trial; doubled with each further one up to the longest.
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
        // A time during which a thread lost its core says nothing about the work.
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
