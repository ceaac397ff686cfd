//! Environment steps per second of every game: uniformly random legal actions, drawn and stepped, with observation,
//! mask, reward, end and automatic reset (`steps`), and what writing an observation and a mask costs beside a memset of
//! the same bytes (`rows`). `cargo bench -p playmat-seeds`; a name after `--` picks games.
//!
//! For instruction counts: `cargo bench -p playmat-seeds --no-run`, then
//! `valgrind --tool=callgrind <binary> --bench --profile-time 1 connect_four`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use playmat_core::any::{AnyEnv, AnyGame};
use playmat_core::player::Player;
use playmat_core::vec::{Actions, Buffers, OwnedBuffers, Reset, Source, VecConfig};
use playmat_seeds::GAMES;
use std::hint::black_box;

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
        out.final_obs_all.bytes = Vec::new();
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

/// Positions whose rows are written, from the middle of random games.
const POSITIONS: u64 = 64;

/// Observation and mask of one acting player, beside a memset of as many bytes.
fn rows(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rows");
    group.throughput(Throughput::Elements(POSITIONS));
    for entry in GAMES {
        let game = (entry.make)(&serde_json::Map::new()).expect("defaults fit every game");
        let info = game.info();
        let positions: Vec<_> = (0..POSITIONS).map(|seed| middle(&*game, seed)).collect();
        let (seen, legal) = (info.observation.size(), info.num_actions);
        let mut rows = vec![0_u8; positions.len() * (seen + legal)];
        group.bench_function(format!("{}/write", entry.id), |bencher| {
            bencher.iter(|| {
                for ((env, player), row) in positions.iter().zip(rows.chunks_exact_mut(seen + legal)) {
                    let (observation, mask) = row.split_at_mut(seen);
                    env.write_observation(*player, observation).expect("the length fits");
                    env.write_mask(*player, mask).expect("the length fits");
                }
            });
        });
        assert!(rows.contains(&1), "{}: nothing was written", entry.id);
        group.bench_function(format!("{}/memset", entry.id), |bencher| {
            bencher.iter(|| {
                for row in rows.chunks_exact_mut(seen + legal) {
                    row.fill(black_box(0));
                }
                black_box(&mut rows);
            });
        });
    }
    group.finish();
}

/// A position with somebody to act, some random actions into a game.
fn middle(game: &dyn AnyGame, seed: u64) -> (Box<dyn AnyEnv>, Player) {
    let mut env = game.env(seed);
    let mut player = env.acting().first().expect("a game begins with a choice");
    for _ in 0..seed % 16 {
        let action = env.sample_action(player).expect("the player acts").0.into();
        env.step_player(player, action).expect("a sampled action is legal");
        match env.acting().first() {
            Some(next) => player = next,
            None => {
                env.reset(Some(seed));
                player = env.acting().first().expect("a game begins with a choice");
            }
        }
    }
    (env, player)
}

criterion_group!(benches, steps, rows);
criterion_main!(benches);
