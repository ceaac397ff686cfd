//! How a batch is executed: on which threads, and with which instructions. Nothing here changes a result.
//!
//! [`Pool`] keeps worker threads that wait for batches. A batch is a slice of tasks; every thread has a home range of them,
//! always the same, so that its data stays in its own cache, and the caller works too. A batch has a check phase, a
//! barrier, and a step phase that runs only if every check passed. A thread that is done waits a little and then takes
//! tasks from the other ranges: a worker that sleeps or lost its core delays a batch by no more than the task it holds.
//!
//! This is the only file of the engine with `unsafe` code: a batch lives on its caller's stack and workers reach it through
//! a pointer, and [`dispatch`] enters code that was compiled for a wider instruction set.
#![expect(unsafe_code, reason = "scoped work on persistent threads, and run-time choice of instructions")]

use crate::bits::{self, LegalSet};
use crate::rng::Rng;
use crate::seat::Action;

/// Work that is compiled once per instruction set. `run` and everything in it that matters is `#[inline(always)]`, so
/// that it becomes part of a function which may use the set's instructions.
pub(crate) trait Kernel {
    /// Result.
    type Out;

    /// The work.
    fn run<I: Isa>(self, isa: I) -> Self::Out;
}

/// What a kernel wants from the instruction set by name; the rest the compiler finds.
pub(crate) trait Isa: Copy {
    /// See [`bits::select_in_word`].
    fn select_in_word(self, word: u64, rank: u32) -> u32;

    /// The same draw as [`Rng::pick`].
    #[inline(always)]
    fn pick<L: LegalSet>(self, rng: &mut Rng, legal: &L) -> Action {
        let mut rank = rng.below(legal.len());
        for (at, &word) in legal.words().iter().enumerate() {
            let ones = word.count_ones();
            if rank < ones {
                return Action((at as u32 * 64 + self.select_in_word(word, rank)) as u16);
            }
            rank -= ones;
        }
        unreachable!("the rank is below the number of actions")
    }
}

/// Instructions that every machine of the architecture has.
#[derive(Clone, Copy)]
struct Baseline;

impl Isa for Baseline {
    #[inline(always)]
    fn select_in_word(self, word: u64, rank: u32) -> u32 {
        bits::select_in_word(word, rank)
    }
}

/// Proof that this machine has AVX2, BMI, POPCNT and LZCNT: only [`dispatch`] makes one, after looking.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Isa for Avx2 {
    #[inline(always)]
    fn select_in_word(self, word: u64, rank: u32) -> u32 {
        #[target_feature(enable = "bmi1,bmi2")]
        #[inline]
        fn select(word: u64, rank: u32) -> u32 {
            core::arch::x86_64::_pdep_u64(1 << rank, word).trailing_zeros()
        }
        // SAFETY: an `Avx2` exists only where `Level::detect` found BMI1 and BMI2.
        unsafe { select(word, rank) }
    }
}

/// The instruction set of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    wide: bool,
}

impl Level {
    /// What every machine of the architecture has.
    pub(crate) const BASELINE: Level = Level { wide: false };

    /// The best that this machine has.
    pub(crate) fn detect() -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            let wide = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("lzcnt");
            Level { wide }
        }
        #[cfg(not(target_arch = "x86_64"))]
        Level::BASELINE
    }
}

/// Runs a kernel in its form for an instruction set.
#[inline]
pub(crate) fn dispatch<K: Kernel>(level: Level, kernel: K) -> K::Out {
    #[cfg(target_arch = "x86_64")]
    if level.wide {
        // SAFETY: `wide` is private and only set by `Level::detect`, which found all of these features.
        return unsafe { run_avx2(kernel) };
    }
    let _ = level;
    kernel.run(Baseline)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Out {
    kernel.run(Avx2(()))
}

/// Threads that play batches together with their caller. The threads start with the first batch that is worth it.
pub struct Pool {
    threads: usize,
    #[cfg(feature = "threads")]
    spin: std::time::Duration,
    #[cfg(feature = "threads")]
    crew: Option<crew::Crew>,
    #[cfg(feature = "threads")]
    pace: crew::Pace,
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
            crew: None,
            #[cfg(feature = "threads")]
            pace: crew::Pace::default(),
        }
    }

    /// Runs `check` on every task and, if all of them say `true`, `step` on every task; returns whether they did. What is
    /// worth sharing is found out by measuring.
    ///
    /// A panic in a task goes on in the caller when all threads have left the batch.
    pub fn run<T: Send>(
        &mut self,
        tasks: &mut [T],
        check: impl Fn(&mut T) -> bool + Sync,
        step: impl Fn(&mut T) + Sync,
    ) -> bool {
        #[cfg(feature = "threads")]
        if self.threads > 1 && tasks.len() > 1 {
            return self.run_paced(tasks, &check, &step);
        }
        alone(tasks, check, step)
    }

    /// Runs `step` on every task, on all threads: for rare, large work.
    pub fn each<T: Send>(&mut self, tasks: &mut [T], step: impl Fn(&mut T) + Sync) {
        #[cfg(feature = "threads")]
        if self.threads > 1 && tasks.len() > 1 {
            self.crew().run(tasks, None::<&fn(&mut T) -> bool>, &step);
            return;
        }
        tasks.iter_mut().for_each(step);
    }

    /// Shares every batch from now on, worth it or not: for tests and measurements.
    pub fn share_always(&mut self) {
        #[cfg(feature = "threads")]
        {
            self.pace.always = true;
        }
    }

    /// Wakes sleeping workers, because a batch is about to come.
    pub fn wake(&mut self) {
        #[cfg(feature = "threads")]
        if let Some(crew) = &self.crew
            && crew.is_here()
        {
            crew.wake();
        }
    }

    /// The threads, started if there are none in this process.
    #[cfg(feature = "threads")]
    fn crew(&mut self) -> &crew::Crew {
        match self.crew.take() {
            Some(crew) if crew.is_here() => self.crew.insert(crew),
            other => {
                if let Some(crew) = other {
                    crew.abandon();
                }
                self.crew.insert(crew::Crew::start(self.threads, self.spin))
            }
        }
    }

    #[cfg(feature = "threads")]
    fn run_paced<T: Send>(
        &mut self,
        tasks: &mut [T],
        check: &(impl Fn(&mut T) -> bool + Sync),
        step: &(impl Fn(&mut T) + Sync),
    ) -> bool {
        let asleep = self.crew.as_ref().is_none_or(crew::Crew::is_asleep);
        let begun = crew::now();
        let together = match self.pace.next(asleep, begun, self.spin) {
            crew::Mode::Alone => false,
            crew::Mode::AloneAndWake => {
                self.crew().wake();
                false
            }
            crew::Mode::Together => true,
        };
        let fine = match together {
            true => self.crew().run(tasks, Some(check), step),
            false => alone(tasks, check, step),
        };
        if fine {
            self.pace.note(together, begun, crew::now());
        }
        fine
    }
}

#[cfg(feature = "threads")]
impl Drop for Pool {
    fn drop(&mut self) {
        match self.crew.take() {
            Some(crew) if crew.is_here() => crew.dismiss(),
            Some(crew) => crew.abandon(),
            None => {}
        }
    }
}

/// A batch on the caller's thread.
fn alone<T>(tasks: &mut [T], check: impl Fn(&mut T) -> bool, step: impl Fn(&mut T)) -> bool {
    let mut fine = true;
    for task in tasks.iter_mut() {
        fine &= check(task);
    }
    if fine {
        tasks.iter_mut().for_each(step);
    }
    fine
}

/// The threads of a [`Pool`].
#[cfg(feature = "threads")]
mod crew {
    use std::any::Any;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::time::{Duration, Instant};
    use sync::{Arc, AtomicBool, AtomicPtr, AtomicU8, AtomicUsize, JoinHandle, Mutex, Ordering, Thread};

    #[cfg(not(loom))]
    mod sync {
        pub(super) use std::sync::Arc;
        pub(super) use std::sync::Mutex;
        pub(super) use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicUsize, Ordering};
        pub(super) use std::thread::{JoinHandle, Thread, park, yield_now};

        pub(super) fn relax() {
            std::hint::spin_loop();
        }

        pub(super) fn spawn(name: String, work: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
            std::thread::Builder::new().name(name).spawn(work).ok()
        }
    }

    #[cfg(loom)]
    mod sync {
        pub(super) use loom::sync::Arc;
        pub(super) use loom::sync::Mutex;
        pub(super) use loom::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicUsize, Ordering};
        pub(super) use loom::thread::{JoinHandle, Thread, park, yield_now};

        pub(super) fn relax() {
            loom::thread::yield_now();
        }

        pub(super) fn spawn(_: String, work: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
            Some(loom::thread::spawn(work))
        }
    }

    /// States of a worker's door, the only thing through which a batch reaches it.
    mod door {
        /// The worker looks at its door in a loop.
        pub(super) const AWAKE: u8 = 0;
        /// The worker sleeps until it is woken.
        pub(super) const ASLEEP: u8 = 1;
        /// A batch is there to be entered.
        pub(super) const OPEN: u8 = 2;
        /// The worker is in the batch, which must not go away.
        pub(super) const INSIDE: u8 = 3;
        /// The pool is dropped.
        pub(super) const EXIT: u8 = 4;
    }

    /// Phases of a batch.
    const CHECK: usize = 0;
    const STEP: usize = 1;

    /// Looks at a counter before the first task is taken from somebody else's range: a few microseconds.
    #[cfg(not(loom))]
    const PATIENCE: u32 = 300;
    #[cfg(loom)]
    const PATIENCE: u32 = 0;
    /// Looks before the thread lets others have its core.
    const YIELD_AFTER: u32 = 1_000;
    /// Batches that take less than this on one thread are not worth waking anybody's attention.
    const WORTH_SHARING: f64 = 4e-6;
    /// Batches that take less than this are not worth waking a sleeping worker.
    const WORTH_WAKING: f64 = 60e-6;

    /// Counters of one thread's range, in a cache line of their own.
    #[repr(align(128))]
    struct Range {
        /// Tasks of the range that somebody took, by phase; may run past the end.
        taken: [AtomicUsize; 2],
        /// Tasks of the range that are done, by phase.
        done: [AtomicUsize; 2],
    }

    /// A worker's door, in a cache line of its own.
    #[repr(align(128))]
    struct Door {
        state: AtomicU8,
    }

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

    /// The clock of [`Pace`].
    #[expect(
        clippy::disallowed_methods,
        reason = "decides on which thread work is done, never what comes out"
    )]
    pub(super) fn now() -> Instant {
        Instant::now()
    }

    /// Learns from what batches took whether the next one is worth sharing.
    #[derive(Debug, Default)]
    pub(super) struct Pace {
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

    impl Pace {
        /// After so many shared batches one is played alone, to keep the comparison fresh.
        const FRESH: u32 = 2_048;
        /// Shared batches before they are judged.
        const TRIAL: u32 = 32;
        /// Batches alone after the first lost trial; doubled with each further one up to the longest.
        const REST: u32 = 64;
        const LONGEST_REST: u32 = 8_192;

        pub(super) fn next(&mut self, asleep: bool, now: Instant, spin: Duration) -> Mode {
            if cfg!(loom) {
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

    /// What caller and workers share.
    struct Shared {
        /// One per thread; the caller's is the first.
        ranges: Vec<Range>,
        /// One per worker.
        doors: Vec<Door>,
        /// The batch; valid for a worker that is inside.
        job: AtomicPtr<Job>,
        /// A check failed or something panicked: there is no step phase.
        failed: AtomicBool,
        /// The first panic of the batch.
        panic: Mutex<Option<Box<dyn Any + Send>>>,
    }

    /// A batch without its types. Lives on the caller's stack.
    struct Job {
        /// Runs a phase of the task with this index; false if a check failed.
        run: unsafe fn(*const (), usize, usize) -> bool,
        data: *const (),
        tasks: usize,
        /// The first phase: `STEP` if there is nothing to check.
        first: usize,
    }

    /// A batch with its types, behind `Job::data`.
    struct Batch<'a, T, C, S> {
        tasks: *mut T,
        check: Option<&'a C>,
        step: &'a S,
    }

    /// # Safety
    /// `data` points to a live `Batch<T, C, S>` of more than `index` tasks; no other thread runs a phase of this task meanwhile.
    unsafe fn run_task<T, C: Fn(&mut T) -> bool, S: Fn(&mut T)>(
        data: *const (),
        phase: usize,
        index: usize,
    ) -> bool {
        // SAFETY: promised by the caller; the batch itself is only read.
        let batch = unsafe { &*data.cast::<Batch<'_, T, C, S>>() };
        // SAFETY: in range and not used by anybody else, as promised by the caller.
        let task = unsafe { &mut *batch.tasks.add(index) };
        if phase == CHECK {
            return batch.check.is_none_or(|check| check(task));
        }
        (batch.step)(task);
        true
    }

    impl Shared {
        /// First task of a thread's range; the end is the first one of the next.
        fn first(&self, thread: usize, tasks: usize) -> usize {
            thread * tasks / self.ranges.len()
        }

        /// Runs one task and counts it, whatever happens in it.
        fn run_one(&self, job: &Job, phase: usize, owner: usize, index: usize) {
            // SAFETY: the caller of `work` vouches for the job. The task was taken by adding to its range's counter, which
            // gives every index of a phase to one thread; the phases of a task are ordered by the barrier between them.
            let result = catch_unwind(AssertUnwindSafe(|| unsafe { (job.run)(job.data, phase, index) }));
            match result {
                Ok(true) => {}
                Ok(false) => self.failed.store(true, Ordering::Relaxed),
                Err(panic) => {
                    self.failed.store(true, Ordering::Relaxed);
                    if let Ok(mut first) = self.panic.lock() {
                        first.get_or_insert(panic);
                    }
                }
            }
            self.ranges[owner].done[phase].fetch_add(1, Ordering::Release);
        }

        /// Takes tasks of a range until there are none.
        fn work_range(&self, job: &Job, phase: usize, owner: usize, most: usize) {
            let (first, end) = (self.first(owner, job.tasks), self.first(owner + 1, job.tasks));
            for _ in 0..most {
                let index = first + self.ranges[owner].taken[phase].fetch_add(1, Ordering::Relaxed);
                if index >= end {
                    return;
                }
                self.run_one(job, phase, owner, index);
            }
        }

        /// Whether all tasks of a range are done, and whether all are taken.
        fn state_of(&self, job: &Job, phase: usize, owner: usize) -> (bool, bool) {
            let tasks = self.first(owner + 1, job.tasks) - self.first(owner, job.tasks);
            let done = self.ranges[owner].done[phase].load(Ordering::Acquire) >= tasks;
            (done, done || self.ranges[owner].taken[phase].load(Ordering::Relaxed) >= tasks)
        }

        /// Works on a phase until all its tasks are done (`wait`) or at least taken by somebody.
        fn work_phase(&self, job: &Job, phase: usize, me: usize, wait: bool) {
            self.work_range(job, phase, me, usize::MAX);
            let threads = self.ranges.len();
            let mut looks = 0u32;
            for owner in (1..threads).map(|k| (me + k) % threads) {
                loop {
                    let (done, taken) = self.state_of(job, phase, owner);
                    if done || (taken && !wait) {
                        break;
                    }
                    if !taken && looks >= PATIENCE {
                        self.work_range(job, phase, owner, 1);
                        continue;
                    }
                    looks = looks.saturating_add(1);
                    if looks > YIELD_AFTER { sync::yield_now() } else { sync::relax() }
                }
            }
            // Tasks of the own range that somebody else took.
            while wait && !self.state_of(job, phase, me).0 {
                looks = looks.saturating_add(1);
                if looks > YIELD_AFTER { sync::yield_now() } else { sync::relax() }
            }
        }

        /// One thread's part of a batch. The caller's returns when everything is done.
        ///
        /// # Safety
        /// The job is live and stays so until this returns.
        unsafe fn work(&self, job: &Job, me: usize) {
            if job.first == CHECK {
                self.work_phase(job, CHECK, me, true);
                if self.failed.load(Ordering::Relaxed) {
                    return;
                }
            }
            self.work_phase(job, STEP, me, me == 0);
        }

        /// The life of a worker.
        fn live(&self, worker: usize, spin: Duration) {
            let state = &self.doors[worker].state;
            loop {
                self.wait_at(state, spin);
                match state.compare_exchange(door::OPEN, door::INSIDE, Ordering::Acquire, Ordering::Acquire) {
                    Ok(_) => {
                        // SAFETY: set before the door was opened, and the caller does not let the job go while
                        // the door says that this worker is inside.
                        unsafe { self.work(&*self.job.load(Ordering::Relaxed), worker + 1) };
                        // Unless the pool is being dropped, which cannot be during a batch.
                        state.store(door::AWAKE, Ordering::Release);
                    }
                    Err(door::EXIT) => return,
                    // Closed again before it was entered.
                    Err(_) => {}
                }
            }
        }

        /// Returns when the door is open, or the pool dropped, or the door was so for a moment.
        #[cfg(not(loom))]
        #[expect(
            clippy::disallowed_methods,
            reason = "decides how long a thread stays awake, and nothing else"
        )]
        fn wait_at(&self, state: &AtomicU8, spin: Duration) {
            let mut since = None;
            loop {
                for _ in 0..64 {
                    if state.load(Ordering::Relaxed) >= door::OPEN {
                        return;
                    }
                    sync::relax();
                }
                let now = Instant::now();
                if now.duration_since(*since.get_or_insert(now)) < spin {
                    continue;
                }
                if state
                    .compare_exchange(door::AWAKE, door::ASLEEP, Ordering::Relaxed, Ordering::Relaxed)
                    .is_ok()
                {
                    while state.load(Ordering::Relaxed) == door::ASLEEP {
                        sync::park();
                    }
                    since = None;
                }
            }
        }

        /// The same for the model checker, which has no time to spin.
        #[cfg(loom)]
        fn wait_at(&self, state: &AtomicU8, _: Duration) {
            while state.load(Ordering::Relaxed) < door::OPEN {
                if state
                    .compare_exchange(door::AWAKE, door::ASLEEP, Ordering::Relaxed, Ordering::Relaxed)
                    .is_ok()
                {
                    while state.load(Ordering::Relaxed) == door::ASLEEP {
                        sync::park();
                    }
                }
            }
        }
    }

    /// Threads that were started, and what they share.
    pub(super) struct Crew {
        shared: Arc<Shared>,
        handles: Vec<JoinHandle<()>>,
        /// The process they live in.
        process: u32,
    }

    impl Crew {
        pub(super) fn start(threads: usize, spin: Duration) -> Crew {
            let range = || Range {
                taken: [AtomicUsize::new(0), AtomicUsize::new(0)],
                done: [AtomicUsize::new(0), AtomicUsize::new(0)],
            };
            let shared = Arc::new(Shared {
                ranges: (0..threads).map(|_| range()).collect(),
                doors: (1..threads).map(|_| Door { state: AtomicU8::new(door::AWAKE) }).collect(),
                job: AtomicPtr::new(std::ptr::null_mut()),
                failed: AtomicBool::new(false),
                panic: Mutex::new(None),
            });
            // A thread that the system refuses is not missed: its tasks are taken by the others.
            let handles = (0..threads - 1).map_while(|worker| {
                let shared = shared.clone();
                sync::spawn(format!("playmat-{}", worker + 1), move || shared.live(worker, spin))
            });
            Crew { handles: handles.collect(), shared, process: std::process::id() }
        }

        /// Whether the threads live in this process.
        pub(super) fn is_here(&self) -> bool {
            self.process == std::process::id()
        }

        /// Plays a batch on all threads. Without `check` there is no check phase.
        pub(super) fn run<T: Send, C: Fn(&mut T) -> bool + Sync, S: Fn(&mut T) + Sync>(
            &self,
            tasks: &mut [T],
            check: Option<&C>,
            step: &S,
        ) -> bool {
            let first = if check.is_some() { CHECK } else { STEP };
            let batch = Batch { tasks: tasks.as_mut_ptr(), check, step };
            let job = Job {
                run: run_task::<T, C, S>,
                data: std::ptr::from_ref(&batch).cast(),
                tasks: tasks.len(),
                first,
            };
            self.open(&job);
            // SAFETY: the job outlives the call.
            unsafe { self.shared.work(&job, 0) };
            self.close();
            let panic = self.shared.panic.lock().ok().and_then(|mut panic| panic.take());
            if let Some(panic) = panic {
                resume_unwind(panic);
            }
            !self.shared.failed.load(Ordering::Relaxed)
        }

        fn thread(&self, worker: usize) -> &Thread {
            self.handles[worker].thread()
        }

        /// Shows a job to all workers.
        fn open(&self, job: &Job) {
            for range in &self.shared.ranges {
                for phase in [CHECK, STEP] {
                    range.taken[phase].store(0, Ordering::Relaxed);
                    range.done[phase].store(0, Ordering::Relaxed);
                }
            }
            self.shared.failed.store(false, Ordering::Relaxed);
            self.shared.job.store(std::ptr::from_ref(job).cast_mut(), Ordering::Relaxed);
            for worker in 0..self.handles.len() {
                if self.shared.doors[worker].state.swap(door::OPEN, Ordering::Release) == door::ASLEEP {
                    self.thread(worker).unpark();
                }
            }
        }

        /// Returns when no worker is in the job or can come in any more.
        fn close(&self) {
            for worker in 0..self.handles.len() {
                let state = &self.shared.doors[worker].state;
                let mut looks = 0u32;
                while state
                    .compare_exchange(door::OPEN, door::AWAKE, Ordering::Acquire, Ordering::Acquire)
                    .is_err_and(|now| now == door::INSIDE)
                {
                    looks += 1;
                    if looks > YIELD_AFTER { sync::yield_now() } else { sync::relax() }
                }
            }
        }

        /// Whether any worker sleeps.
        pub(super) fn is_asleep(&self) -> bool {
            self.shared.doors.iter().any(|door| door.state.load(Ordering::Relaxed) == door::ASLEEP)
        }

        /// Wakes those that sleep.
        pub(super) fn wake(&self) {
            for worker in 0..self.handles.len() {
                let state = &self.shared.doors[worker].state;
                if state
                    .compare_exchange(door::ASLEEP, door::AWAKE, Ordering::Relaxed, Ordering::Relaxed)
                    .is_ok()
                {
                    self.thread(worker).unpark();
                }
            }
        }

        /// Ends the threads.
        pub(super) fn dismiss(self) {
            for worker in 0..self.handles.len() {
                // A swap: it follows what the worker wrote last, in every order that the checker can think of.
                self.shared.doors[worker].state.swap(door::EXIT, Ordering::Relaxed);
                self.thread(worker).unpark();
            }
            for handle in self.handles {
                // A worker catches what its tasks throw.
                drop(handle.join());
            }
        }

        /// Lets go of threads that live in another process, of which this one is a fork.
        pub(super) fn abandon(self) {
            std::mem::forget(self);
        }
    }
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
    fn a_panic_reaches_the_caller_and_the_pool_goes_on() {
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

    #[test]
    fn both_instruction_sets_draw_the_same() {
        struct Draws<'a>(&'a mut Rng, crate::bits::Bits<2>);
        impl Kernel for Draws<'_> {
            type Out = Vec<Action>;
            fn run<I: Isa>(self, isa: I) -> Vec<Action> {
                (0..1_000).map(|_| isa.pick(self.0, &self.1)).collect()
            }
        }
        for words in [[1, 0], [u64::MAX, 1 << 63], [0, 0x9e37_79b9_7f4a_7c15]] {
            let legal = crate::bits::Bits(words);
            let mut rng = Rng::from_seed(5);
            let slow: Vec<Action> = (0..1_000).map(|_| rng.pick(&legal)).collect();
            for level in [Level::BASELINE, Level::detect()] {
                assert_eq!(dispatch(level, Draws(&mut Rng::from_seed(5), legal)), slow);
            }
        }
    }
}
