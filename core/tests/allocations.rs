//! A search allocates nothing in a simulation, once its memory is large enough.

#![allow(clippy::unwrap_used, reason = "a test may stop anywhere")]
#![expect(unsafe_code, reason = "an allocator that counts")]

use playmat_core::agent::Knowledge;
use playmat_core::any::AnyLeafSearch;
use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::info::RewardKind;
use playmat_core::player::Player;
use playmat_core::rng::Rng;
use playmat_core::search::{LeafSearch, Leaves, Search, Settings};
use playmat_core::toy::Toll;
use playmat_core::vec::Rows;
use serde_json::json;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of this thread meanwhile.
fn allocations(work: impl FnOnce()) -> usize {
    let before = COUNT.get();
    work();
    COUNT.get() - before
}

fn env() -> Env<Toll> {
    let options = json!({ "players": 3 });
    Env::new(Arc::new(ConfiguredGame::new(options.as_object().unwrap()).unwrap()), 7)
}

#[test]
fn a_search_of_many_simulations_allocates_as_often_as_one_of_few() {
    let env = env();
    let player = env.current_player().unwrap();
    let legal = env.legal(player);
    let known = Knowledge::new(&*env.configured().game, env.state(), player, &legal);
    for options in ["", ",rollout=random,prior=uniform"] {
        let settings = |simulations: u32| format!("{simulations}{options}").parse::<Settings>().unwrap();
        let (few, many) = (settings(10), settings(2_000));
        let mut search = Search::default();
        let mut run = |settings: &Settings, seed: u64| {
            allocations(|| {
                search.run(&known, settings, RewardKind::Score, None, &mut Rng::from_seed(seed));
            })
        };
        // The same search again and again: its tree and its memory grow at first.
        for seed in 0..8 {
            run(&many, seed % 2);
        }
        let once = run(&few, 0);
        assert_eq!((once, run(&many, 1)), (once, once), "`mcts:{options}`");
    }
}

#[test]
fn leaves_are_collected_and_fed_without_allocations() {
    let mut env = env();
    let mut search = LeafSearch::new(env.configured(), "mcts:500", 1, 4).unwrap();
    let sizes = search.sizes();
    let rows = sizes.leaves * sizes.leaf_rows;
    let mut obs = vec![0; rows * sizes.observation];
    let (logits, values) = (vec![0.0; rows * sizes.actions], vec![0.25; rows]);
    let mut counts = [0; 3];
    for count in &mut counts {
        search.start(0, &mut env, Player(0), false).unwrap();
        *count = allocations(|| {
            loop {
                let mut leaves = Leaves { rows, obs: Rows::U8(&mut obs), ..Leaves::default() };
                let found = search.collect(&mut leaves).unwrap();
                if found == 0 {
                    break;
                }
                search.feed(&logits[..found * sizes.actions], &values[..found]).unwrap();
            }
        });
    }
    assert!(counts[0] > 0, "its memory grows at first");
    assert_eq!(counts[2], 0, "then it is large enough");
}
