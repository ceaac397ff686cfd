//! Plays a fixed number of steps, for tools that count instructions: the loop of `playmat bench` in Rust, on one thread.
//!
//! ```text
//! cargo build --release -p playmat-seeds --example steps
//! valgrind --tool=callgrind target/release/examples/steps GAME ENVS ROUNDS
//! ```
//!
//! The instructions of a step are the difference between two counts of rounds, divided by the environments and the rounds between them.

use playmat_core::error::{Error, Result};
use playmat_core::vec::{Actions, OwnedBuffers, Reset, Source, VecConfig};

fn play(name: &str, envs: usize, rounds: usize) -> Result<()> {
    let game = playmat_seeds::make(name, &serde_json::Map::new())?;
    let mut venv = game.vec_env(VecConfig { num_envs: envs, ..VecConfig::default() }, &[])?;
    let mut out = OwnedBuffers::new(&venv.sizes(), venv.config().dtype);
    // As in Python, which gets the last observations of all players on demand.
    out.final_obs_all.bytes.clear();
    let mut actions = vec![0; envs];
    venv.reset(Reset { from: Source::Seed(1), mask: None }, &mut out.borrow())?;
    for _ in 0..rounds {
        if venv.take_drawn() {
            std::mem::swap(&mut actions, &mut out.drawn);
        } else {
            venv.sample_actions(&mut actions)?;
        }
        venv.step(Actions::I64(&actions), &mut out.borrow())?;
    }
    Ok(())
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, envs, rounds] = &arguments[..] else {
        return Err(Error::argument("arguments", "wanted: GAME ENVS ROUNDS"));
    };
    let number = |name, text: &str| {
        text.parse().map_err(|_| Error::argument(name, format!("got {text}; wanted a number")))
    };
    play(name, number("ENVS", envs)?, number("ROUNDS", rounds)?)
}
