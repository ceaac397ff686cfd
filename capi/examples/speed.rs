//! `speed GAME N ROUNDS`: what `tests/c/speed.c` measures from C, measured from Rust over the same object-safe traits.

use playmat_core::any::AnyGame;
use playmat_core::vec::{Actions, ObsType, OwnedBuffers, Reset, Source, VecConfig};
use std::time::{Duration, Instant};

#[expect(clippy::disallowed_methods, reason = "it measures time")]
fn now() -> Instant {
    Instant::now()
}

/// A step with its mask and observation: in one call, or in four.
fn single(game: &dyn AnyGame, at_once: bool) -> f64 {
    let info = game.info();
    let (mut observation, mut mask) = (vec![0; info.observation.size()], vec![0; info.num_actions]);
    let mut env = game.env(1);
    let mut actions = Vec::new();
    while let Some(player) = env.acting().first() {
        let action = env.sample_action(player).expect("the player acts").0.into();
        env.step(action).expect("a sampled action is legal");
        actions.push(action);
    }
    let mut round = || {
        let (mut spent, mut steps) = (Duration::ZERO, 0);
        while steps < 20_000 {
            env.reset(Some(1));
            let start = now();
            for &action in &actions {
                if at_once {
                    env.step_into(action, &mut observation, &mut mask).expect("legal before, legal now");
                    continue;
                }
                env.step(action).expect("legal before, legal now");
                let player = env.acting().first().unwrap_or(playmat_core::player::Player(0));
                env.write_mask(player, &mut mask).expect("the length fits");
                env.write_observation(player, &mut observation).expect("the length fits");
            }
            spent += start.elapsed();
            steps += actions.len();
        }
        spent.as_secs_f64() * 1e9 / steps as f64
    };
    // The best of many: what else the machine does can only add.
    (0..40).map(|_| round()).fold(f64::INFINITY, f64::min)
}

fn batch(game: &dyn AnyGame, envs: usize) -> f64 {
    let mut venv = game.vec_env(VecConfig { num_envs: envs, ..VecConfig::default() }, &[]).expect("allowed");
    let mut out = OwnedBuffers::new(&venv.sizes(), ObsType::U8);
    out.final_obs_all.bytes.clear();
    let mut actions = vec![0; envs];
    venv.reset(Reset { from: Source::Seed(1), mask: None }, &mut out.borrow()).expect("allowed");
    let (start, mut steps) = (now(), 0);
    while start.elapsed() < Duration::from_millis(500) {
        for _ in 0..64 {
            if venv.take_drawn() {
                std::mem::swap(&mut actions, &mut out.drawn);
            } else {
                venv.sample_actions(&mut actions).expect("the length fits");
            }
            venv.step(Actions::I64(&actions), &mut out.borrow()).expect("sampled actions are legal");
        }
        steps += 64 * envs;
    }
    steps as f64 / start.elapsed().as_secs_f64() / 1e6
}

#[expect(clippy::print_stdout, reason = "a tool for a person")]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, envs, rounds] = &arguments[..] else {
        println!("usage: speed GAME N ROUNDS");
        return;
    };
    let game = playmat_seeds::make(name, &serde_json::Map::new()).expect("a registered game");
    let (envs, rounds) = (envs.parse().expect("a number"), rounds.parse().expect("a number"));
    for _ in 0..rounds {
        let (at_once, apart) = (single(&*game, true), single(&*game, false));
        println!(
            "Rust {name}: single {at_once:.1} ns ({apart:.1} in single calls), batch {:.2} M steps/s",
            batch(&*game, envs)
        );
    }
}
