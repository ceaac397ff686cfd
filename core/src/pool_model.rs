//! Root of the crate `playmat-pool-model` (`core/model`): the pool of threads alone, compiled with `--cfg loom`. So `make test-loom` does
//! not compile the engine and its tests, which took two thirds of its time. Without `--cfg loom` the crate is empty.
#![cfg(loom)]
#![allow(dead_code, reason = "the model checks what all kinds of batches share; the engine uses the others")]

pub mod pool;
