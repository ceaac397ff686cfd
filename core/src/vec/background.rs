//! The background thread that executes asynchronous steps (`step_async`) while the caller does something else. It owns the batch during the
//! step and takes the caller's place in the thread pool.

use crate::error::{Error, Result};
use crate::game::Game;
use crate::vec::buffers::{Actions, Buffers, Target, Waited};
use crate::vec::core::Core;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};

/// A batch on its way to the thread and back. Without the type of its game, so that the thread and its channels are compiled once, not
/// once for each game (2 % of the time that a small game takes to compile).
trait Batch: Any + Send {
    fn step(&mut self, actions: &[i64], out: Buffers<'_>) -> Result<()>;
}

impl<G: Game> Batch for Core<G> {
    fn step(&mut self, actions: &[i64], out: Buffers<'_>) -> Result<()> {
        Core::step(self, Actions::I64(actions), out)
    }
}

type Job = (Box<dyn Batch>, Vec<i64>, Box<dyn Target>);
type Done = (Box<dyn Batch>, std::thread::Result<Waited>);

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
    pub(crate) fn start() -> Result<Background> {
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

    pub(crate) fn send<G: Game>(&mut self, core: Box<Core<G>>, actions: Vec<i64>, target: Box<dyn Target>) {
        let jobs = self.jobs.as_ref().expect("only taken when dropped");
        jobs.send((core, actions, target)).expect("the thread ends only when it is dropped");
    }

    /// Waits for the step; returns the batch that was sent, and the result of the step or its panic.
    pub(crate) fn receive<G: Game>(&mut self) -> Result<(Box<Core<G>>, std::thread::Result<Waited>)> {
        if !self.is_alive() {
            return Err(Error::Order("the step was started in another process, before a fork, and is lost"));
        }
        let (batch, result) = self.done.recv().expect("the thread answers every step");
        let batch: Box<dyn Any> = batch;
        Ok((batch.downcast().expect("the batch that was sent"), result))
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
