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

/// Smoothed seconds of a batch; 0 when unknown.
#[derive(Clone, Copy, Debug, Default)]
struct Mean(f64);

impl Mean {
    fn add(&mut self, took: f64) {
        // A time during which a thread lost its core says nothing about the work.
        self.0 = if self.0 == 0.0 { took } else { self.0 + (took.min(4.0 * self.0) - self.0) / 16.0 };
    }
}

/// Decides from measured times whether to share the next batch.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    alone: Mean,
    together: Mean,
    /// Number of batches on one thread before sharing is tried again.
    rest: u32,
    /// That number after the last failed trial.
    last_rest: u32,
    /// Whether the last batch was shared, and the number of batches like it in a row.
    shared: bool,
    streak: u32,
    /// When the last batch ended.
    ended: Option<Instant>,
    /// Share every batch.
    pub(super) always: bool,
}

impl Schedule {
    /// After this number of shared batches, and as many times more as they are quicker, some run on one thread, to update the comparison.
    const FRESH: u32 = 2_048;
    /// Number of shared batches before the comparison.
    const TRIAL: u32 = 32;
    /// Numbers of cold batches, the first ones after a change, which are not measured: their environments come from another thread's cache, and workers may have to start.
    const COLD_ALONE: u32 = 2;
    const COLD_SHARED: u32 = 8;
    /// Number of batches on one thread that update the comparison, the [`Schedule::COLD_ALONE`] included.
    const SAMPLE: u32 = 6;
    /// Number of batches on one thread after the first failed trial; doubled with each further one up to the longest.
    const REST: u32 = 64;
    const LONGEST_REST: u32 = 8_192;

    pub(super) fn next(&mut self, asleep: bool, now: Instant, spin: Duration) -> Mode {
        if cfg!(loom) || self.always {
            return Mode::Together;
        }
        if self.shared && self.rest == 0 && self.streak >= self.fresh() {
            self.rest = Self::SAMPLE;
        }
        if self.rest > 0 {
            self.rest -= 1;
            return Mode::Alone;
        }
        if self.alone.0 < WORTH_SHARING {
            return Mode::Alone;
        }
        if asleep && self.alone.0 < WORTH_WAKING {
            let hurried = self.ended.is_some_and(|ended| now.saturating_duration_since(ended) < spin);
            return if hurried { Mode::AloneAndWake } else { Mode::Alone };
        }
        Mode::Together
    }

    /// Number of shared batches before a sample on one thread.
    fn fresh(&self) -> u32 {
        Self::FRESH * (self.alone.0 / self.together.0).clamp(1.0, 16.0) as u32
    }

    pub(super) fn note(&mut self, shared: bool, begun: Instant, ended: Instant) {
        self.ended = Some(ended);
        if shared != self.shared {
            (self.shared, self.streak) = (shared, 0);
        }
        self.streak = self.streak.saturating_add(1);
        let (mean, cold) = match shared {
            true => (&mut self.together, Self::COLD_SHARED),
            false => (&mut self.alone, Self::COLD_ALONE),
        };
        if self.streak <= cold {
            return;
        }
        mean.add(ended.saturating_duration_since(begun).as_secs_f64());
        if !shared {
            return;
        }
        if self.streak >= Self::TRIAL && self.together.0 > self.alone.0 {
            self.last_rest = (2 * self.last_rest).clamp(Self::REST, Self::LONGEST_REST);
            self.rest = self.last_rest;
            self.together = Mean::default();
        } else if self.streak >= 8 * Self::TRIAL {
            self.last_rest = 0;
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    const SPIN: Duration = Duration::from_micros(50);

    /// Plays batches on a machine whose times are given: microseconds of a batch alone and shared, by the number of batches since the last change
    /// of mode. Workers sleep when they had nothing to do for `SPIN`. Returns how many batches were shared.
    fn play(schedule: &mut Schedule, batches: u32, time: impl Fn(bool, u32) -> u64) -> u32 {
        let mut at = now();
        let (mut shared, mut last, mut streak, mut awake) = (0, None, 0, at + SPIN);
        for _ in 0..batches {
            let mode = schedule.next(at > awake, at, SPIN);
            let together = mode == Mode::Together;
            streak = if last == Some(together) { streak + 1 } else { 0 };
            last = Some(together);
            let end = at + Duration::from_micros(time(together, streak));
            schedule.note(together, at, end);
            at = end;
            if mode != Mode::Alone {
                awake = at + SPIN;
            }
            shared += u32::from(together);
        }
        shared
    }

    #[test]
    fn shares_if_that_is_faster_even_if_it_begins_slowly() {
        let mut schedule = Schedule::default();
        // The first shared batch starts the threads, and those after it fetch the environments. The first ones alone fetch them back.
        let shared = play(&mut schedule, 100_000, |together, streak| match (together, streak) {
            (true, 0) => 300,
            (true, 1..8) => 30,
            (true, _) => 9,
            (false, 0..2) => 30,
            (false, _) => 16,
        });
        assert!(shared > 99_000, "{shared}");
    }

    #[test]
    fn plays_alone_if_that_is_faster_and_tries_again_ever_more_rarely() {
        let mut schedule = Schedule::default();
        let shared = play(&mut schedule, 100_000, |together, _| if together { 20 } else { 16 });
        assert!((32..700).contains(&shared), "{shared}");
        // A core became free.
        let shared = play(&mut schedule, 100_000, |together, _| if together { 9 } else { 16 });
        assert!(shared > 90_000, "{shared}");
    }

    #[test]
    fn goes_back_to_one_thread_when_sharing_becomes_slower() {
        let mut schedule = Schedule::default();
        play(&mut schedule, 10_000, |together, _| if together { 9 } else { 16 });
        let shared = play(&mut schedule, 10_000, |together, _| if together { 40 } else { 16 });
        assert!(shared < 1_000, "{shared}");
    }

    #[test]
    fn samples_find_that_one_thread_became_faster() {
        let mut schedule = Schedule::default();
        let shared = play(&mut schedule, 10_000, |together, _| if together { 9 } else { 16 });
        assert!(shared > 9_500, "{shared}");
        // Shared batches take as long as before, so that only batches on one thread tell.
        let shared = play(&mut schedule, 100_000, |together, _| if together { 9 } else { 5 });
        assert!(shared < 30_000, "{shared}");
    }

    #[test]
    fn samples_are_rare_where_sharing_pays_most() {
        let mut schedule = Schedule::default();
        let shared = play(&mut schedule, 100_000, |together, _| if together { 100 } else { 1_000 });
        assert!(shared > 99_900, "{shared}");
    }

    #[test]
    fn short_batches_are_not_shared_and_do_not_wake_workers() {
        let mut schedule = Schedule::default();
        assert_eq!(play(&mut schedule, 1_000, |_, _| 3), 0);
        let mut schedule = Schedule::default();
        play(&mut schedule, 10, |_, _| 16);
        let ended = schedule.ended.expect("batches were played");
        assert_eq!(schedule.next(true, ended + Duration::from_micros(1), SPIN), Mode::AloneAndWake);
        assert_eq!(schedule.next(true, ended + SPIN, SPIN), Mode::Alone);
        assert_eq!(schedule.next(false, ended + SPIN, SPIN), Mode::Together);
    }
}
