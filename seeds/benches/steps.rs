//! Environment steps per second of every game: uniformly random legal actions, drawn and stepped, with observation,
//! mask, reward, end and automatic reset. `cargo bench -p playmat-seeds`; a name after `--` picks games.
//!
//! For instruction counts: `cargo bench -p playmat-seeds --no-run`, then
//! `valgrind --tool=callgrind <binary> --bench --profile-time 1 connect_four`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use playmat_core::vec::{Actions, Buffers, OwnedBuffers, Reset, Source, VecConfig};
use playmat_seeds::GAMES;

/// Environments of a batch, and batches of one measured iteration.
const ENVS: usize = 1024;
const ROUNDS: usize = 16;

fn steps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("steps");
    group.throughput(Throughput::Elements((ENVS * ROUNDS) as u64));
    for entry in GAMES {
        let game = (entry.make)(&serde_json::Map::new()).expect("defaults fit every game");
        let config = VecConfig { num_envs: ENVS, ..VecConfig::default() };
        let mut venv = game.vec_env(config, &[]).expect("a plain batch fits every game");
        let sizes = venv.sizes();
        let mut out = OwnedBuffers::new(&sizes, venv.config().dtype);
        out.final_obs_all_u8 = Vec::new();
        out.acting = Vec::new();
        venv.reset(Reset { from: Source::Seed(1), mask: None }, &mut out.borrow()).expect("a seed fits");
        let mut actions = vec![0; ENVS];
        let mut drawn = vec![0; ENVS];
        group.bench_function(entry.id, |bencher| {
            bencher.iter(|| {
                for _ in 0..ROUNDS {
                    if venv.take_drawn() {
                        std::mem::swap(&mut actions, &mut drawn);
                    } else {
                        venv.sample_actions(&mut actions).expect("every row has a legal action");
                    }
                    let mut buffers = Buffers { drawn: &mut drawn, ..out.borrow() };
                    venv.step(Actions::I64(&actions), &mut buffers).expect("the actions are legal");
                }
            });
        });
        // The bench checks its own answer: a batch that plays has rows, masks and an end now and then.
        assert!(out.action_mask.contains(&1), "{}: nothing was played", entry.id);
    }
    group.finish();
}

criterion_group!(benches, steps);
criterion_main!(benches);
