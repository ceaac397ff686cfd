//! What a second thread gains in a tree search: the first decision of an episode with 400 and with 4,000 simulations and random rollouts, one
//! search with one tree (`one`), one with two trees on two threads (`threads=2`), and two searches at once on two threads
//! (`side by side`), which share nothing. `cargo bench -p playmat-seeds --bench searches -- kuhn_poker` picks a game.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use playmat_core::any::AnyGame;
use playmat_seeds::GAMES;
use std::time::{Duration, Instant};

/// Time of `count` searches, each of a new episode.
#[expect(clippy::disallowed_methods, reason = "a measurement; nothing that is played depends on it")]
fn time(game: &dyn AnyGame, spec: &str, count: u64) -> Duration {
    let agent = game.agent(spec).expect("a spec of a search");
    let mut env = game.env(0);
    let begun = Instant::now();
    for seed in 0..count {
        env.reset(Some(seed));
        let player = env.acting().first().expect("a game begins with a choice");
        env.act(&agent, player).expect("a player acts");
    }
    begun.elapsed()
}

fn searches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("searches");
    group.sample_size(10);
    for entry in GAMES {
        let game = (entry.make)(&serde_json::Map::new()).expect("defaults fit every game");
        for simulations in [400, 4_000] {
            let spec = format!("mcts:{simulations},rollout=random,prior=uniform");
            let name = |what: &str| format!("{}/{simulations}/{what}", entry.id);
            group.throughput(Throughput::Elements(simulations));
            group.bench_function(name("one"), |bencher| {
                bencher.iter_custom(|count| time(&*game, &spec, count));
            });
            let shared = format!("{spec},threads=2");
            group.bench_function(name("threads=2"), |bencher| {
                bencher.iter_custom(|count| time(&*game, &shared, count));
            });
            group.throughput(Throughput::Elements(2 * simulations));
            group.bench_function(name("side by side"), |bencher| {
                bencher.iter_custom(|count| {
                    std::thread::scope(|scope| {
                        let other = scope.spawn(|| time(&*game, &spec, count));
                        let own = time(&*game, &spec, count);
                        own.max(other.join().expect("it searches"))
                    })
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, searches);
criterion_main!(benches);
