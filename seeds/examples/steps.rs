//! Plays a fixed number of steps, for tools that count instructions: the loop of `playmat bench` in Rust, on one thread.
//!
//! ```text
//! cargo build --release -p playmat-seeds --example steps
//! valgrind --tool=callgrind target/release/examples/steps GAME ENVS ROUNDS [rollout]
//! ```
//!
//! With `rollout` it plays `VecEnv.rollout("random", ROUNDS)` without outputs. The instructions of a step are the difference between two
//! counts of rounds, divided by the environments and the rounds between them.

use playmat_core::error::{Error, Result};
use playmat_core::vec::{Actions, Buffers, OwnedBuffers, Reset, Rollout, Source, VecConfig};

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

fn roll_out(name: &str, envs: usize, rounds: usize) -> Result<()> {
    let game = playmat_seeds::make(name, &serde_json::Map::new())?;
    let mut venv = game.vec_env(VecConfig { num_envs: envs, ..VecConfig::default() }, &[])?;
    let mut last = Buffers::default();
    venv.reset(Reset { from: Source::Seed(1), mask: None }, &mut last)?;
    venv.rollout(&game.agent("random")?, &mut Rollout { steps: rounds, ..Rollout::default() }, &mut last)
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, envs, rounds, run): (_, _, _, fn(&str, usize, usize) -> Result<()>) = match &arguments[..] {
        [name, envs, rounds] => (name, envs, rounds, play),
        [name, envs, rounds, what] if what == "rollout" => (name, envs, rounds, roll_out),
        _ => return Err(Error::argument("arguments", "wanted: GAME ENVS ROUNDS [rollout]")),
    };
    let number = |name, text: &str| {
        text.parse().map_err(|_| Error::argument(name, format!("got {text}; wanted a number")))
    };
    run(name, number("ENVS", envs)?, number("ROUNDS", rounds)?)
}
