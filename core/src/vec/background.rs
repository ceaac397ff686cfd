//! The background thread that executes asynchronous steps (`step_async`) while the caller does something else. It owns the batch during the
//! step and takes the caller's place in the thread pool.

use crate::error::{Error, Result};
use crate::game::Game;
use crate::vec::buffers::{Actions, Buffers, Target, Waited};
use crate::vec::core::Core;
use std::any::Any;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};

/// A batch on its way to the thread and back. Without the type of its game, so that the thread and its channels are compiled once, not
/// once for each game (2 % of the time that a small game takes to compile).
pub(crate) trait Batch: Any + Send {
    fn step(&mut self, actions: &[i64], out: Buffers<'_>) -> Result<()>;
}

impl<G: Game> Batch for Core<G> {
    fn step(&mut self, actions: &[i64], out: Buffers<'_>) -> Result<()> {
        Core::step(self, Actions::I64(actions), out)
    }
}

type Job = (Box<dyn Batch>, Vec<i64>, Box<dyn Target>);
type Done = (Box<dyn Batch>, std::thread::Result<Waited>);

/// The thread as a batch sees it: behind a pointer, so that no game compiles how its channels are dropped.
pub(crate) trait Thread: Debug + Send {
    /// Whether the thread lives in this process.
    fn is_alive(&self) -> bool;

    /// Detaches a thread that belongs to another process.
    fn abandon(self: Box<Self>);

    fn send(&mut self, batch: Box<dyn Batch>, actions: Vec<i64>, target: Box<dyn Target>);

    /// Waits for the step; returns the batch that was sent, and the result of the step or its panic.
    fn receive(&mut self) -> Result<Done>;
}

/// The batch that was sent.
pub(crate) fn returned<G: Game>(batch: Box<dyn Batch>) -> Box<Core<G>> {
    let batch: Box<dyn Any> = batch;
    batch.downcast().expect("the batch that was sent")
}

/// A thread that owns the whole batch during a step.
#[derive(Debug)]
pub(crate) struct Background {
    jobs: Option<Sender<Job>>,
    done: Receiver<Done>,
    thread: Option<JoinHandle<()>>,
    /// The process that the thread lives in.
    process: u32,
}

impl Background {
    /// Starts the thread.
    pub(crate) fn start() -> Result<Box<dyn Thread>> {
        let (jobs, inbox) = channel::<Job>();
        let (outbox, done) = channel();
        let thread = Builder::new().name("playmat-async".into()).spawn(move || {
            for (mut batch, actions, mut target) in inbox {
                let result = catch_unwind(AssertUnwindSafe(|| {
                    let result = batch.step(&actions, target.buffers());
                    Waited { target, result }
                }));
                if outbox.send((batch, result)).is_err() {
                    return;
                }
            }
        });
        let thread = thread.map_err(|_| Error::Order("the system refuses to start another thread"))?;
        Ok(Box::new(Background { jobs: Some(jobs), done, thread: Some(thread), process: std::process::id() }))
    }
}

impl Thread for Background {
    fn is_alive(&self) -> bool {
        self.process == std::process::id()
    }

    fn abandon(mut self: Box<Self>) {
        std::mem::forget(self.thread.take());
    }

    fn send(&mut self, batch: Box<dyn Batch>, actions: Vec<i64>, target: Box<dyn Target>) {
        let jobs = self.jobs.as_ref().expect("only taken when dropped");
        jobs.send((batch, actions, target)).expect("the thread ends only when it is dropped");
    }

    fn receive(&mut self) -> Result<Done> {
        if !self.is_alive() {
            return Err(Error::Order("the step was started in another process, before a fork, and is lost"));
        }
        Ok(self.done.recv().expect("the thread answers every step"))
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        let alive = self.is_alive();
        drop(self.jobs.take());
        match self.thread.take() {
            Some(thread) if alive => drop(thread.join()),
            thread => std::mem::forget(thread),
        }
    }
}
