//! Tests of the engine through its public interface, with toy games.

mod agent;
mod functions;
mod gae;
mod leaf;
mod outputs;
mod search;
mod search_batches;
mod states;
mod vec;
mod vec_rows;
