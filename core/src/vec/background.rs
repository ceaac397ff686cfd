//! The background thread that executes asynchronous steps (`step_async`) while the caller does something else. It owns the batch during the
//! step and takes the caller's place in the thread pool.

use crate::error::{Error, Result};
use crate::game::Game;
use crate::vec::buffers::{Actions, Target, Waited};
use crate::vec::core::Core;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};

type Job<G> = (Box<Core<G>>, Vec<i64>, Box<dyn Target>);
pub(crate) type Done<G> = (Box<Core<G>>, std::thread::Result<Waited>);

/// A thread that owns the whole batch during a step.
#[derive(Debug)]
pub(crate) struct Background<G: Game> {
    jobs: Option<Sender<Job<G>>>,
    done: Receiver<Done<G>>,
    thread: Option<JoinHandle<()>>,
    /// The process that the thread lives in.
    process: u32,
}

impl<G: Game> Background<G> {
    /// Starts the thread.
    pub(crate) fn start() -> Result<Background<G>> {
        let (jobs, inbox) = channel::<Job<G>>();
        let (outbox, done) = channel();
        let thread = Builder::new().name("playmat-async".into()).spawn(move || {
            for (mut core, actions, mut target) in inbox {
                let result = catch_unwind(AssertUnwindSafe(|| {
                    let result = core.step(Actions::I64(&actions), target.buffers());
                    Waited { target, result }
                }));
                if outbox.send((core, result)).is_err() {
                    return;
                }
            }
        });
        let thread = thread.map_err(|_| Error::Order("the system refuses to start another thread"))?;
        Ok(Background { jobs: Some(jobs), done, thread: Some(thread), process: std::process::id() })
    }

    /// Whether the thread lives in this process.
    pub(crate) fn is_alive(&self) -> bool {
        self.process == std::process::id()
    }

    /// Detaches a thread that belongs to another process.
    pub(crate) fn abandon(mut self) {
        std::mem::forget(self.thread.take());
    }

    pub(crate) fn send(&mut self, core: Box<Core<G>>, actions: Vec<i64>, target: Box<dyn Target>) {
        let jobs = self.jobs.as_ref().expect("only taken when dropped");
        jobs.send((core, actions, target)).expect("the thread ends only when it is dropped");
    }

    /// Waits for the step; returns the batch, and the result of the step or its panic.
    pub(crate) fn receive(&mut self) -> Result<Done<G>> {
        if !self.is_alive() {
            return Err(Error::Order("the step was started in another process, before a fork, and is lost"));
        }
        Ok(self.done.recv().expect("the thread answers every step"))
    }
}

impl<G: Game> Drop for Background<G> {
    fn drop(&mut self) {
        let alive = self.is_alive();
        drop(self.jobs.take());
        match self.thread.take() {
            Some(thread) if alive => drop(thread.join()),
            thread => std::mem::forget(thread),
        }
    }
}
