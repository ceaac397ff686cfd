//! How a batch is executed: on which threads, and with which instructions. Nothing here changes a result.
//!
//! [`Pool`] keeps worker threads that wait for batches. A batch is a slice of tasks; every thread has a home range of them,
//! always the same, so that its data stays in its own cache, and the caller works too. A batch has a check phase, a
//! barrier, and a step phase that runs only if every check passed. A thread that is done waits briefly and then takes
//! tasks from the other ranges. So a worker that sleeps or lost its core delays a batch by no more than the task that it holds.
//!
//! `workers` has the threads, `schedule` decides which batches they get, `isa` chooses the instructions. The `unsafe` code
//! of the pool is in `workers` and `isa`; the rest of the engine's is in `memory/free.rs`.

#[cfg(not(loom))]
mod isa;
#[cfg(feature = "threads")]
mod schedule;
#[cfg(feature = "threads")]
mod sync;
#[cfg(feature = "threads")]
mod workers;

#[cfg(not(loom))]
pub(crate) use isa::{Baseline, Isa, Kernel, Level, dispatch};

/// Threads that play batches together with their caller. The threads start with the first batch that is worth it.
pub struct Pool {
    threads: usize,
    #[cfg(feature = "threads")]
    spin: std::time::Duration,
    #[cfg(feature = "threads")]
    workers: Option<workers::Workers>,
    #[cfg(feature = "threads")]
    schedules: [schedule::Schedule; 2],
}

/// Two kinds of batches that one pool runs in turn. Each is shared or not by its own measured times.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Long,
    Short,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl Pool {
    /// A pool of `threads`, the caller's included; 1 never starts any. A worker without work stays awake for
    /// `spin_us` microseconds.
    pub fn new(threads: usize, spin_us: u32) -> Pool {
        let _ = spin_us;
        Pool {
            threads,
            #[cfg(feature = "threads")]
            spin: std::time::Duration::from_micros(spin_us.into()),
            #[cfg(feature = "threads")]
            workers: None,
            #[cfg(feature = "threads")]
            schedules: Default::default(),
        }
    }

    /// Runs `check` on every task and, if all of them say `true`, `step` on every task; returns whether they did. Measured times decide
    /// which batches are shared.
    ///
    /// A panic in a task resumes in the caller after all threads have left the batch.
    pub fn run<T: Send>(
        &mut self,
        tasks: &mut [T],
        check: impl Fn(&mut T) -> bool + Sync,
        step: impl Fn(&mut T) + Sync,
    ) -> bool {
        #[cfg(feature = "threads")]
        if self.threads > 1 && tasks.len() > 1 {
            return self.run_scheduled(Kind::Long, tasks, Some(&check), &step, None);
        }
        alone(tasks, Some(&check), &step)
    }

    /// Runs `step` on every task. The measured times of this kind of batch decide whether it is shared; then the calling thread calls
    /// `meanwhile` again and again while it waits for the others, as in [`Pool::each_meanwhile`].
    pub(crate) fn run_kind<T: Send>(
        &mut self,
        kind: Kind,
        tasks: &mut [T],
        step: impl Fn(&mut T) + Sync,
        meanwhile: impl Fn(),
    ) {
        #[cfg(feature = "threads")]
        if self.threads > 1 && tasks.len() > 1 {
            self.run_scheduled(kind, tasks, None::<&fn(&mut T) -> bool>, &step, Some(&meanwhile));
            return;
        }
        let _ = (kind, meanwhile);
        tasks.iter_mut().for_each(step);
    }

    /// Runs `step` on every task, on all threads: for rare, large work.
    pub fn each<T: Send>(&mut self, tasks: &mut [T], step: impl Fn(&mut T) + Sync) {
        self.each_with(tasks, step, None);
    }

    /// [`Pool::each`] during which the calling thread stays attentive: while it waits for the others, it calls `meanwhile` again and again,
    /// without a pause. Tasks that it plays itself must look on their own.
    pub fn each_meanwhile<T: Send>(
        &mut self,
        tasks: &mut [T],
        step: impl Fn(&mut T) + Sync,
        meanwhile: impl Fn(),
    ) {
        self.each_with(tasks, step, Some(&meanwhile));
    }

    fn each_with<T: Send>(
        &mut self,
        tasks: &mut [T],
        step: impl Fn(&mut T) + Sync,
        meanwhile: Option<&dyn Fn()>,
    ) {
        #[cfg(feature = "threads")]
        if self.threads > 1 && tasks.len() > 1 {
            self.workers().run(tasks, None::<&fn(&mut T) -> bool>, &step, meanwhile);
            return;
        }
        let _ = meanwhile;
        tasks.iter_mut().for_each(step);
    }

    /// Shares every batch from now on, even if one thread is faster: for tests and measurements.
    pub fn share_always(&mut self) {
        #[cfg(feature = "threads")]
        {
            self.schedules.iter_mut().for_each(|schedule| schedule.always = true);
        }
    }

    /// Wakes sleeping workers, because a batch is about to come.
    pub fn wake(&mut self) {
        #[cfg(feature = "threads")]
        if let Some(workers) = &self.workers
            && workers.is_here()
        {
            workers.wake();
        }
    }

    /// The threads, started if there are none in this process.
    #[cfg(feature = "threads")]
    fn workers(&mut self) -> &workers::Workers {
        match self.workers.take() {
            Some(workers) if workers.is_here() => self.workers.insert(workers),
            other => {
                if let Some(workers) = other {
                    workers.abandon();
                }
                self.workers.insert(workers::Workers::start(self.threads, self.spin))
            }
        }
    }

    #[cfg(feature = "threads")]
    fn run_scheduled<T: Send>(
        &mut self,
        kind: Kind,
        tasks: &mut [T],
        check: Option<&(impl Fn(&mut T) -> bool + Sync)>,
        step: &(impl Fn(&mut T) + Sync),
        meanwhile: Option<&dyn Fn()>,
    ) -> bool {
        let asleep = self.workers.as_ref().is_none_or(workers::Workers::is_parked);
        let begun = schedule::now();
        let together = match self.schedules[kind as usize].next(asleep, begun, self.spin) {
            schedule::Mode::Alone => false,
            schedule::Mode::AloneAndWake => {
                self.workers().wake();
                false
            }
            schedule::Mode::Together => true,
        };
        let fine = match together {
            true => self.workers().run(tasks, check, step, meanwhile),
            false => alone(tasks, check, step),
        };
        if fine {
            self.schedules[kind as usize].note(together, begun, schedule::now());
        }
        fine
    }
}

#[cfg(feature = "threads")]
impl Drop for Pool {
    fn drop(&mut self) {
        match self.workers.take() {
            Some(workers) if workers.is_here() => workers.dismiss(),
            Some(workers) => workers.abandon(),
            None => {}
        }
    }
}

/// A batch on the caller's thread.
fn alone<T>(tasks: &mut [T], check: Option<&impl Fn(&mut T) -> bool>, step: &impl Fn(&mut T)) -> bool {
    let mut fine = true;
    if let Some(check) = check {
        for task in tasks.iter_mut() {
            fine &= check(task);
        }
    }
    if fine {
        tasks.iter_mut().for_each(step);
    }
    fine
}

#[cfg(all(test, loom, feature = "threads"))]
mod model;

#[cfg(all(test, not(loom), feature = "threads"))]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn pool(threads: usize) -> Pool {
        let mut pool = Pool::new(threads, 20);
        pool.share_always();
        pool
    }

    #[test]
    fn share_always_applies_from_the_first_batch() {
        let mut pool = pool(2);
        assert!(pool.run(&mut [0, 0], |_| true, |task| *task += 1));
        assert!(pool.workers.is_some());
    }

    #[test]
    fn every_task_runs_once_in_each_phase() {
        for threads in [1, 2, 3, 8] {
            let mut pool = pool(threads);
            for tasks in [1, 2, 3, 7, 64] {
                for _ in 0..200 {
                    let mut counts = vec![(0, 0); tasks];
                    let fine = pool.run(
                        &mut counts,
                        |count| {
                            count.0 += 1;
                            true
                        },
                        |count| {
                            assert_eq!(*count, (1, 0));
                            count.1 += 1;
                        },
                    );
                    assert!(fine && counts.iter().all(|count| *count == (1, 1)));
                }
            }
        }
    }

    #[test]
    fn no_step_before_every_check_and_none_after_a_failed_one() {
        for threads in [1, 2, 8] {
            let mut pool = pool(threads);
            for round in 0..300 {
                let checks = AtomicUsize::new(0);
                let mut tasks: Vec<usize> = (0..13).collect();
                let fine = pool.run(
                    &mut tasks,
                    |task| {
                        checks.fetch_add(1, Ordering::SeqCst);
                        *task != round
                    },
                    |task| {
                        assert_eq!(checks.load(Ordering::SeqCst), 13);
                        *task += 100;
                    },
                );
                assert_eq!(fine, round >= 13);
                assert!(tasks.iter().enumerate().all(|(i, task)| *task == if fine { i + 100 } else { i }));
            }
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_pool_stays_usable() {
        for threads in [1, 2, 4] {
            let mut pool = pool(threads);
            for bad in 0..9 {
                for phase in 0..2 {
                    let mut tasks: Vec<usize> = (0..9).collect();
                    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                        let check = |task: &mut usize| {
                            assert!(phase != 0 || *task != bad, "planted");
                            true
                        };
                        pool.run(&mut tasks, check, |task| assert!(phase != 1 || *task != bad, "planted"))
                    }));
                    assert!(result.is_err());
                }
                let mut tasks = vec![0; 9];
                pool.each(&mut tasks, |task| *task += 1);
                assert_eq!(tasks, [1; 9]);
            }
        }
    }

    /// Waits until `done` says so, for some seconds at most; says whether it did.
    #[expect(clippy::disallowed_methods, reason = "a bound on how long a test waits")]
    fn comes(done: impl Fn() -> bool) -> bool {
        let begun = std::time::Instant::now();
        while !done() && begun.elapsed().as_secs() < 10 {
            std::thread::yield_now();
        }
        done()
    }

    #[test]
    fn the_caller_looks_while_it_waits() {
        let caller = std::thread::current().id();
        for threads in [2, 3] {
            let mut pool = pool(threads);
            let (begun, looked) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let mut ended = [false; 3];
            let step = |ended: &mut bool| {
                begun.fetch_add(1, Ordering::SeqCst);
                *ended = match std::thread::current().id() == caller {
                    // Some other thread has a task, too.
                    true => comes(|| begun.load(Ordering::SeqCst) > 1),
                    false => comes(|| looked.load(Ordering::SeqCst) > 2),
                };
            };
            pool.each_meanwhile(&mut ended, step, || {
                assert_eq!(std::thread::current().id(), caller);
                looked.fetch_add(1, Ordering::SeqCst);
            });
            assert_eq!(ended, [true; 3], "{threads} threads");
        }
    }

    #[test]
    fn a_panic_while_the_caller_waits_comes_after_the_batch() {
        let caller = std::thread::current().id();
        let mut pool = pool(2);
        let (begun, looked) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let mut ended = [false; 2];
        let step = |ended: &mut bool| {
            begun.fetch_add(1, Ordering::SeqCst);
            *ended = match std::thread::current().id() == caller {
                true => comes(|| begun.load(Ordering::SeqCst) > 1),
                false => comes(|| looked.load(Ordering::SeqCst) > 0),
            };
        };
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            pool.each_meanwhile(&mut ended, step, || {
                looked.fetch_add(1, Ordering::SeqCst);
                panic!("planted");
            });
        }));
        assert!(result.is_err());
        assert_eq!((ended, looked.into_inner()), ([true; 2], 1), "called once");
        let mut tasks = vec![0; 9];
        pool.each(&mut tasks, |task| *task += 1);
        assert_eq!(tasks, [1; 9]);
    }

    #[test]
    fn sleeping_workers_wake_and_idle_pools_drop() {
        let mut pool = pool(3);
        for wait in [0, 1, 5] {
            let mut tasks = vec![0u64; 12];
            pool.each(&mut tasks, |task| *task += 1);
            assert_eq!(tasks, [1; 12]);
            std::thread::sleep(std::time::Duration::from_millis(wait));
            pool.wake();
        }
        drop(pool);
        drop(Pool::new(4, 50));
    }
}
