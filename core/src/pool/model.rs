//! The pool under the model checker: every order in which its threads can meet, up to a bound on switches.
//!
//! `make test-loom` runs it. Tasks are loom's cells, so that two threads in one task, or a task that is read before its
//! writer has left it, are found.
#![expect(unsafe_code, reason = "cells whose use the model checker watches")]

use super::Pool;
use loom::cell::UnsafeCell;
use loom::model::Builder;
use loom::sync::atomic::{AtomicUsize, Ordering};

/// Largest number of preemptive thread switches.
const SWITCHES: usize = 3;

fn check(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(SWITCHES);
    builder.check(model);
}

fn add(task: &mut UnsafeCell<u8>) {
    // SAFETY: the closure's pointer is used inside it alone, and the model checker reports any other access meanwhile.
    task.with_mut(|value| unsafe { *value += 1 });
}

fn value(task: &UnsafeCell<u8>) -> u8 {
    // SAFETY: as above; no other thread uses the task after the batch.
    task.with(|value| unsafe { *value })
}

#[test]
fn every_task_runs_once_in_each_phase() {
    check(|| {
        let mut pool = Pool::new(2, 0);
        let mut tasks = [UnsafeCell::new(0), UnsafeCell::new(0)];
        let fine = pool.run(
            &mut tasks,
            |task| {
                add(task);
                true
            },
            add,
        );
        assert!(fine);
        assert!(tasks.iter().all(|task| value(task) == 2));
    });
}

#[test]
fn no_step_after_a_failed_check() {
    check(|| {
        let mut pool = Pool::new(2, 0);
        let checks = AtomicUsize::new(0);
        let mut tasks = [UnsafeCell::new(0), UnsafeCell::new(1)];
        let fine = pool.run(
            &mut tasks,
            |task| {
                checks.fetch_add(1, Ordering::Relaxed);
                value(task) == 0
            },
            add,
        );
        assert!(!fine);
        assert_eq!((value(&tasks[0]), value(&tasks[1])), (0, 1));
        assert_eq!(checks.load(Ordering::Relaxed), 2);
    });
}

#[test]
fn a_second_batch_finds_the_workers_again() {
    check(|| {
        let mut pool = Pool::new(2, 0);
        let mut tasks = [UnsafeCell::new(0), UnsafeCell::new(0)];
        pool.each(&mut tasks, add);
        pool.each(&mut tasks, add);
        assert!(tasks.iter().all(|task| value(task) == 2));
    });
}

#[test]
fn an_idle_pool_is_dropped() {
    check(|| {
        let mut pool = Pool::new(2, 0);
        let mut tasks = [UnsafeCell::new(0), UnsafeCell::new(0)];
        pool.each(&mut tasks, add);
        pool.wake();
        drop(pool);
    });
}
