//! The threads of a [`Pool`](crate::pool::Pool), and how a batch reaches them.
//!
//! A batch lies on its caller's stack, and workers reach it through a pointer. Each worker has an atomic state ([`WorkerState`]), which
//! controls this access: a worker enters the batch only by changing its state from `NOTIFIED` to `RUNNING`, and the caller does not leave
//! the batch while a worker is `RUNNING`.
#![expect(unsafe_code, reason = "scoped work on persistent threads")]

use crate::pool::sync::{
    Arc, AtomicBool, AtomicPtr, AtomicU8, AtomicUsize, JoinHandle, Mutex, Ordering, Thread, park, relax,
    spawn, yield_now,
};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;
#[cfg(not(loom))]
use std::time::Instant;

/// Values of a [`WorkerState`].
mod state {
    /// The worker polls its state.
    pub(super) const POLLING: u8 = 0;
    /// The worker is parked until it is unparked.
    pub(super) const PARKED: u8 = 1;
    /// There is a batch, which the worker may enter.
    pub(super) const NOTIFIED: u8 = 2;
    /// The worker is in the batch, which must stay alive.
    pub(super) const RUNNING: u8 = 3;
    /// The pool is dropped: the worker ends.
    pub(super) const EXIT: u8 = 4;
}

/// Phases of a batch.
const CHECK: usize = 0;
const STEP: usize = 1;

/// Number of polls of a counter before a thread takes a task from another thread's range: a few microseconds.
#[cfg(not(loom))]
const PATIENCE: u32 = 300;
#[cfg(loom)]
const PATIENCE: u32 = 0;
/// Number of polls before the thread yields its core.
const YIELD_AFTER: u32 = 1_000;

/// Counters of one thread's range, in a cache line of their own.
#[repr(align(128))]
struct Range {
    /// Number of tasks of the range that were taken, by phase; may exceed the length.
    taken: [AtomicUsize; 2],
    /// Tasks of the range that are done, by phase.
    done: [AtomicUsize; 2],
}

/// What a worker does now, one of the constants of [`state`], in a cache line of its own.
#[repr(align(128))]
struct WorkerState(AtomicU8);

/// What caller and workers share.
struct Shared {
    /// One per thread; the caller's is the first.
    ranges: Vec<Range>,
    /// One per worker.
    states: Vec<WorkerState>,
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
    // SAFETY: in range and not used by another thread, as promised by the caller.
    let task = unsafe { &mut *batch.tasks.add(index) };
    if phase == CHECK {
        return batch.check.is_none_or(|check| check(task));
    }
    (batch.step)(task);
    true
}

/// What a thread does while it waits for the others: nothing, or for the caller a function.
struct Idle<'a>(Option<&'a dyn Fn()>);

impl Idle<'_> {
    /// Calls the function, until it panics, and yields the core. No panic may leave the batch while others are inside.
    fn give_way(&mut self, shared: &Shared) {
        if let Some(meanwhile) = self.0
            && let Err(panic) = catch_unwind(AssertUnwindSafe(meanwhile))
        {
            self.0 = None;
            shared.note(panic);
        }
        yield_now();
    }
}

impl Shared {
    /// First task of a thread's range; the end is the first one of the next.
    fn first(&self, thread: usize, tasks: usize) -> usize {
        thread * tasks / self.ranges.len()
    }

    /// Runs one task and counts it, even if it panics.
    fn run_one(&self, job: &Job, phase: usize, owner: usize, index: usize) {
        // SAFETY: the caller of `work` vouches for the job. The task was taken by adding to its range's counter, which
        // gives every index of a phase to one thread; the phases of a task are ordered by the barrier between them.
        let result = catch_unwind(AssertUnwindSafe(|| unsafe { (job.run)(job.data, phase, index) }));
        match result {
            Ok(true) => {}
            Ok(false) => self.failed.store(true, Ordering::Relaxed),
            Err(panic) => self.note(panic),
        }
        self.ranges[owner].done[phase].fetch_add(1, Ordering::Release);
    }

    /// Keeps a panic for the caller, in which it resumes when all threads have left the batch.
    fn note(&self, panic: Box<dyn Any + Send>) {
        self.failed.store(true, Ordering::Relaxed);
        if let Ok(mut first) = self.panic.lock() {
            first.get_or_insert(panic);
        }
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

    /// Works on a phase until all its tasks are done (`wait`) or at least taken.
    fn work_phase(&self, job: &Job, phase: usize, me: usize, wait: bool, idle: &mut Idle<'_>) {
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
                if looks > YIELD_AFTER { idle.give_way(self) } else { relax() }
            }
        }
        // Waits for tasks of the own range that other threads took.
        while wait && !self.state_of(job, phase, me).0 {
            looks = looks.saturating_add(1);
            if looks > YIELD_AFTER { idle.give_way(self) } else { relax() }
        }
    }

    /// One thread's part of a batch. The caller's returns when everything is done.
    ///
    /// # Safety
    /// The job is live and stays so until this returns.
    unsafe fn work(&self, job: &Job, me: usize, idle: &mut Idle<'_>) {
        if job.first == CHECK {
            self.work_phase(job, CHECK, me, true, idle);
            if self.failed.load(Ordering::Relaxed) {
                return;
            }
        }
        self.work_phase(job, STEP, me, me == 0, idle);
    }

    /// The main loop of a worker.
    fn live(&self, worker: usize, spin: Duration) {
        let state = &self.states[worker].0;
        loop {
            self.wait_at(state, spin);
            match state.compare_exchange(
                state::NOTIFIED,
                state::RUNNING,
                Ordering::Acquire,
                Ordering::Acquire,
            ) {
                Ok(_) => {
                    // SAFETY: set before the worker was notified, and the caller does not let the job go while this
                    // worker is running.
                    unsafe { self.work(&*self.job.load(Ordering::Relaxed), worker + 1, &mut Idle(None)) };
                    // Unless the pool is being dropped, which cannot be during a batch.
                    state.store(state::POLLING, Ordering::Release);
                }
                Err(state::EXIT) => return,
                // The caller withdrew the batch before it was entered.
                Err(_) => {}
            }
        }
    }

    /// Returns when the worker is or was notified, or the pool is dropped.
    #[cfg(not(loom))]
    #[expect(clippy::disallowed_methods, reason = "decides how long a thread stays awake, and nothing else")]
    fn wait_at(&self, state: &AtomicU8, spin: Duration) {
        let mut since = None;
        loop {
            for _ in 0..64 {
                if state.load(Ordering::Relaxed) >= state::NOTIFIED {
                    return;
                }
                relax();
            }
            let now = Instant::now();
            if now.duration_since(*since.get_or_insert(now)) < spin {
                continue;
            }
            if state
                .compare_exchange(state::POLLING, state::PARKED, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
            {
                while state.load(Ordering::Relaxed) == state::PARKED {
                    park();
                }
                since = None;
            }
        }
    }

    /// The same for the model checker, which has no time to spin.
    #[cfg(loom)]
    fn wait_at(&self, state: &AtomicU8, _: Duration) {
        while state.load(Ordering::Relaxed) < state::NOTIFIED {
            if state
                .compare_exchange(state::POLLING, state::PARKED, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
            {
                while state.load(Ordering::Relaxed) == state::PARKED {
                    park();
                }
            }
        }
    }
}

/// Threads that were started, and what they share.
pub(super) struct Workers {
    shared: Arc<Shared>,
    handles: Vec<JoinHandle<()>>,
    /// The process they live in.
    process: u32,
}

impl Workers {
    pub(super) fn start(threads: usize, spin: Duration) -> Workers {
        let range = || Range {
            taken: [AtomicUsize::new(0), AtomicUsize::new(0)],
            done: [AtomicUsize::new(0), AtomicUsize::new(0)],
        };
        let shared = Arc::new(Shared {
            ranges: (0..threads).map(|_| range()).collect(),
            states: (1..threads).map(|_| WorkerState(AtomicU8::new(state::POLLING))).collect(),
            job: AtomicPtr::new(std::ptr::null_mut()),
            failed: AtomicBool::new(false),
            panic: Mutex::new(None),
        });
        // If the system refuses a thread, the other threads take its tasks.
        let handles = (0..threads - 1).map_while(|worker| {
            let shared = shared.clone();
            spawn(format!("playmat-{}", worker + 1), move || shared.live(worker, spin))
        });
        Workers { handles: handles.collect(), shared, process: std::process::id() }
    }

    /// Whether the threads live in this process.
    pub(super) fn is_here(&self) -> bool {
        self.process == std::process::id()
    }

    /// Plays a batch on all threads. Without `check` there is no check phase. The caller calls `meanwhile` while it waits for the workers.
    pub(super) fn run<T: Send, C: Fn(&mut T) -> bool + Sync, S: Fn(&mut T) + Sync>(
        &self,
        tasks: &mut [T],
        check: Option<&C>,
        step: &S,
        meanwhile: Option<&dyn Fn()>,
    ) -> bool {
        let first = if check.is_some() { CHECK } else { STEP };
        let batch = Batch { tasks: tasks.as_mut_ptr(), check, step };
        let job = Job {
            run: run_task::<T, C, S>,
            data: std::ptr::from_ref(&batch).cast(),
            tasks: tasks.len(),
            first,
        };
        self.notify(&job);
        // SAFETY: the job outlives the call.
        unsafe { self.shared.work(&job, 0, &mut Idle(meanwhile)) };
        self.withdraw();
        let panic = self.shared.panic.lock().ok().and_then(|mut panic| panic.take());
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
        !self.shared.failed.load(Ordering::Relaxed)
    }

    fn thread(&self, worker: usize) -> &Thread {
        self.handles[worker].thread()
    }

    /// Notifies all workers of a job.
    fn notify(&self, job: &Job) {
        for range in &self.shared.ranges {
            for phase in [CHECK, STEP] {
                range.taken[phase].store(0, Ordering::Relaxed);
                range.done[phase].store(0, Ordering::Relaxed);
            }
        }
        self.shared.failed.store(false, Ordering::Relaxed);
        self.shared.job.store(std::ptr::from_ref(job).cast_mut(), Ordering::Relaxed);
        for worker in 0..self.handles.len() {
            if self.shared.states[worker].0.swap(state::NOTIFIED, Ordering::Release) == state::PARKED {
                self.thread(worker).unpark();
            }
        }
    }

    /// Returns when no worker is in the job and none can enter it.
    fn withdraw(&self) {
        for worker in 0..self.handles.len() {
            let state = &self.shared.states[worker].0;
            let mut looks = 0u32;
            while state
                .compare_exchange(state::NOTIFIED, state::POLLING, Ordering::Acquire, Ordering::Acquire)
                .is_err_and(|now| now == state::RUNNING)
            {
                looks += 1;
                if looks > YIELD_AFTER { yield_now() } else { relax() }
            }
        }
    }

    /// Whether any worker is parked.
    pub(super) fn is_parked(&self) -> bool {
        self.shared.states.iter().any(|worker| worker.0.load(Ordering::Relaxed) == state::PARKED)
    }

    /// Unparks the workers that are parked.
    pub(super) fn wake(&self) {
        for worker in 0..self.handles.len() {
            let state = &self.shared.states[worker].0;
            if state
                .compare_exchange(state::PARKED, state::POLLING, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
            {
                self.thread(worker).unpark();
            }
        }
    }

    /// Ends the threads.
    pub(super) fn dismiss(self) {
        for worker in 0..self.handles.len() {
            // A swap: it reads the worker's last write in every order that the model checker explores.
            self.shared.states[worker].0.swap(state::EXIT, Ordering::Relaxed);
            self.thread(worker).unpark();
        }
        for handle in self.handles {
            // A worker catches what its tasks throw.
            drop(handle.join());
        }
    }

    /// Detaches threads that belong to the parent process of a fork.
    pub(super) fn abandon(self) {
        std::mem::forget(self);
    }
}
