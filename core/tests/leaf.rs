//! Searches whose network is not the engine's.

#![allow(clippy::unwrap_used, reason = "a test may stop anywhere")]

use playmat_core::any::{AnyEnv, AnyGame, AnyLeafSearch};
use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::error::Error;
use playmat_core::player::Player;
use playmat_core::search::Leaves;
use playmat_core::toy::{Nim, Toll};
use playmat_core::vec::{Buffers, Reset, Rows, Source, VecConfig, View};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

pub(crate) fn game<G: playmat_core::show::Show>(players: usize) -> Arc<ConfiguredGame<G>> {
    Arc::new(ConfiguredGame::new(json!({ "players": players }).as_object().unwrap()).unwrap())
}

/// Rows of collected leaves.
pub(crate) struct Collected {
    pub(crate) obs: Vec<u8>,
    mask: Vec<u8>,
    pub(crate) player: Vec<i32>,
    search: Vec<i32>,
}

pub(crate) fn collect(search: &mut dyn AnyLeafSearch, rows: usize) -> Result<Collected, Error> {
    collect_while(search, rows, &|| true)
}

fn collect_while(
    search: &mut dyn AnyLeafSearch,
    rows: usize,
    keep_going: &(dyn Fn() -> bool + Sync),
) -> Result<Collected, Error> {
    let is_stopped = AtomicBool::new(false);
    let threads = search.name().contains("threads");
    let sizes = search.sizes();
    let mut all = Collected {
        obs: vec![9; rows * sizes.observation],
        mask: vec![9; rows * sizes.actions],
        player: vec![-9; rows],
        search: vec![-9; rows],
    };
    let out = &mut Leaves {
        rows,
        obs: Rows::U8(&mut all.obs),
        action_mask: &mut all.mask,
        player: &mut all.player,
        search: &mut all.search,
        ..Leaves::default()
    };
    let count = search.collect_while(out, &|| {
        let goes_on = keep_going();
        is_stopped.fetch_or(!goes_on, Relaxed);
        goes_on
    })?;
    let is_stopped = is_stopped.into_inner();
    assert!(!is_stopped || (count, search.waiting()) == (0, 0), "nothing is handed out");
    assert!(
        is_stopped || threads || all.player[count..].iter().all(|player| *player == -9),
        "rows beyond the last are not written"
    );
    all.obs.truncate(count * sizes.observation);
    all.mask.truncate(count * sizes.actions);
    all.player.truncate(count);
    all.search.truncate(count);
    Ok(all)
}

/// A network: numbers from -1 to 1 that follow from a row.
fn numbers(row: &[u8], count: usize) -> impl Iterator<Item = f32> {
    let hash = row.iter().fold(7u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    (0..count as u64).map(move |k| {
        let mixed = (hash ^ (k << 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        mixed as f32 / 8_388_608.0 - 1.0
    })
}

pub(crate) fn network(search: &dyn AnyLeafSearch, obs: &[u8]) -> (Vec<f32>, Vec<f32>) {
    let sizes = search.sizes();
    let rows = || obs.chunks_exact(sizes.observation);
    let logits = rows().flat_map(|row| numbers(row, sizes.actions)).collect();
    (logits, rows().flat_map(|row| numbers(row, sizes.actions + 1).last()).collect())
}

/// Searches to the end; returns the number of rows evaluated.
pub(crate) fn run(search: &mut dyn AnyLeafSearch, room: usize) -> usize {
    let mut evaluated = 0;
    loop {
        let leaves = collect(search, room).unwrap();
        assert_eq!(search.waiting(), leaves.player.len());
        if leaves.player.is_empty() {
            return evaluated;
        }
        evaluated += leaves.player.len();
        let (logits, values) = network(search, &leaves.obs);
        search.feed(&logits, &values).unwrap();
    }
}

pub(crate) fn policy(search: &mut dyn AnyLeafSearch) -> Vec<f32> {
    let sizes = search.sizes();
    let mut policy = vec![9.0; sizes.rows * sizes.actions];
    search.policy(&mut policy).unwrap();
    policy
}

fn start(search: &mut dyn AnyLeafSearch, row: usize, env: &mut dyn AnyEnv) {
    let player = env.acting().first().unwrap();
    search.start(row, env, player, true).unwrap();
}

#[test]
fn what_is_found_depends_neither_on_the_room_nor_on_the_other_rows() {
    let game = game::<Toll>(3);
    let needed = |leaves: usize| leaves * 3;
    for leaves in [1, 2, 7] {
        let alone: Vec<Vec<f32>> = (0..5)
            .map(|seed| {
                let mut search = game.leaf_search("mcts:40", 1, leaves).unwrap();
                assert_eq!(search.sizes().leaf_rows, 3, "no value tells those of two others");
                start(&mut *search, 0, &mut *game.env(seed));
                assert!(run(&mut *search, needed(leaves)) >= 40);
                policy(&mut *search)
            })
            .collect();
        assert!(alone.iter().any(|one| *one != alone[0]));
        for room in [needed(leaves), needed(leaves) + 1, 1000] {
            let mut search = game.leaf_search("mcts:40", 5, leaves).unwrap();
            for seed in 0..5 {
                start(&mut *search, seed, &mut *game.env(seed as u64));
            }
            run(&mut *search, room);
            assert_eq!(policy(&mut *search), alone.concat(), "{leaves} leaves, room for {room}");
        }
    }
}

/// Every row that is handed out, every output of it, and what is found in the end.
#[test]
fn threads_change_no_row_and_no_result() {
    const ROWS: usize = 11;
    let game = game::<Toll>(3);
    // Searches of several lengths, rows without a search between them, and room for some searches or for all.
    for (leaves, room) in [(1, 3), (1, 10), (3, 40), (3, 400)] {
        let all = |spec: &str| {
            let mut search = game.leaf_search(spec, ROWS, leaves).unwrap();
            search.share_always();
            for row in (0..ROWS).filter(|row| row % 4 != 2) {
                let mut env = game.env(row as u64);
                for _ in 0..row % 5 {
                    let player = env.acting().first().unwrap();
                    let action = env.sample_action(player).unwrap();
                    env.step(action.0.into()).unwrap();
                }
                start(&mut *search, row, &mut *env);
            }
            let sizes = search.sizes();
            let mut log: Vec<f32> = Vec::new();
            loop {
                let mut obs = vec![9.0; room * sizes.observation];
                let mut mask = vec![9; room * sizes.actions];
                let (mut player, mut of, mut greedy) = (vec![9; room], vec![9; room], vec![9; room]);
                let mut leaves = Leaves {
                    rows: room,
                    obs: Rows::F32(&mut obs),
                    action_mask: &mut mask,
                    player: &mut player,
                    search: &mut of,
                    greedy: &mut greedy,
                };
                let count = search.collect(&mut leaves).unwrap();
                if count == 0 {
                    break;
                }
                let seen = &obs[..count * sizes.observation];
                log.push(count as f32);
                log.extend(seen);
                log.extend(mask[..count * sizes.actions].iter().map(|byte| f32::from(*byte)));
                log.extend(player[..count].iter().chain(&of[..count]).map(|number| *number as f32));
                log.extend(greedy[..count].iter().map(|action| *action as f32));
                let bytes: Vec<u8> = seen.iter().map(|number| (number * 9.0) as u8).collect();
                let (logits, values) = network(&*search, &bytes);
                // A refused call changes nothing.
                let mut wrong = logits.clone();
                let legal = mask.iter().position(|byte| *byte == 1).unwrap();
                wrong[legal] = f32::NAN;
                let message = search.feed(&wrong, &values).unwrap_err().to_string();
                assert!(message.contains(&format!("in row {}; wanted", legal / sizes.actions)), "{message}");
                search.feed(&logits, &values).unwrap();
            }
            let mut actions = vec![9; ROWS];
            search.actions(Some(1.0), &mut actions).unwrap();
            (log, policy(&mut *search), actions)
        };
        let alone = all("mcts:30");
        for threads in [2, 3, 8] {
            assert!(
                all(&format!("mcts:30,threads={threads}")) == alone,
                "{leaves} leaves, {threads} threads"
            );
        }
    }
}

#[test]
fn every_simulation_counts_once_and_a_leaf_is_evaluated_once() {
    for leaves in [1, 3, 8] {
        let game = game::<Nim>(2);
        let mut search = playmat_core::search::LeafSearch::new(&game, "mcts:64", 1, leaves).unwrap();
        let mut env =
            (0..).map(|seed| Env::new(game.clone(), seed)).find(|env| env.state().stones == 6).unwrap();
        start(&mut search, 0, &mut env);
        let mut seen = std::collections::BTreeSet::new();
        loop {
            let found = collect(&mut search, leaves).unwrap();
            if found.player.is_empty() {
                break;
            }
            assert!(found.player.len() <= leaves);
            let (logits, values) = network(&search, &found.obs);
            for (row, player) in found.obs.chunks_exact(search.sizes().observation).zip(&found.player) {
                assert!(seen.insert((row.to_vec(), *player)), "evaluated twice");
            }
            search.feed(&logits, &values).unwrap();
        }
        let found = search.candidates(0).unwrap();
        assert_eq!(found.iter().map(|one| one.visits).sum::<u32>(), 64);
        assert!(found.is_sorted_by_key(|one| std::cmp::Reverse(one.visits)));
        let (best, shares) = (found[0], policy(&mut search));
        assert_eq!(shares[best.action.index()], best.visits as f32 / 64.0);
        let (mut action, mut value) = ([9], [9.0]);
        search.actions(Some(0.0), &mut action).unwrap();
        search.values(&mut value).unwrap();
        assert_eq!(action[0], i64::from(best.action.0));
        assert!(value[0].abs() <= 1.0);
    }
}

#[test]
fn several_leaves_at_once_spread() {
    let game = game::<Nim>(2);
    let mut env = (0..).map(|seed| Env::new(game.clone(), seed)).find(|env| env.state().stones == 6).unwrap();
    let mut search = game.leaf_search("mcts:100", 1, 4).unwrap();
    start(&mut *search, 0, &mut env);
    let root = collect(&mut *search, 4).unwrap();
    assert_eq!(root.player, [0], "nothing else can be searched before the root");
    search.feed(&[0.0; 2], &[0.0]).unwrap();
    let leaves = collect(&mut *search, 4).unwrap();
    assert_eq!(leaves.player, [1, 1], "one behind each action; two simulations wait for the same");
    search.feed(&[0.0; 4], &[0.0; 2]).unwrap();
    assert!(collect(&mut *search, 4).unwrap().player.len() > 2, "those two go on");
}

#[test]
fn drawn_actions_follow_the_visits() {
    let game = game::<Nim>(2);
    let mut env = (0..).map(|seed| Env::new(game.clone(), seed)).find(|env| env.state().stones == 6).unwrap();
    let mut search = game.leaf_search("mcts:60", 1, 1).unwrap();
    start(&mut *search, 0, &mut env);
    run(&mut *search, 1);
    let shares = policy(&mut *search);
    for temperature in [0.5_f32, 1.0, 2.0] {
        let weights: Vec<f32> = shares.iter().map(|share| share.powf(1.0 / temperature)).collect();
        let (mut counts, mut action) = ([0.0f32; 2], [0]);
        for _ in 0..20_000 {
            search.actions(Some(temperature), &mut action).unwrap();
            counts[action[0] as usize] += 1.0 / 20_000.0;
        }
        for (count, weight) in counts.iter().zip(&weights) {
            let wanted = weight / weights.iter().sum::<f32>();
            assert!((count - wanted).abs() < 0.02, "temperature {temperature}: {counts:?}, {weights:?}");
        }
    }
}

#[test]
fn options_of_the_root_hold_in_every_row() {
    let game = game::<Nim>(2);
    let mut env = (0..).map(|seed| Env::new(game.clone(), seed)).find(|env| env.state().stones == 6).unwrap();
    let mut noisy =
        game.leaf_search("mcts:200,c=100,dirichlet_alpha=0.1,dirichlet_fraction=1", 64, 3).unwrap();
    let mut plain = game.leaf_search("mcts:200,c=100,temperature=0.5", 64, 3).unwrap();
    for row in 0..64 {
        start(&mut *noisy, row, &mut env);
        start(&mut *plain, row, &mut env);
    }
    run(&mut *noisy, 1_000);
    run(&mut *plain, 1_000);
    let shares = policy(&mut *plain);
    assert!(
        shares.iter().all(|share| (share - shares[0]).abs() < 0.1 || (1.0 - share - shares[0]).abs() < 0.1)
    );
    let shares = policy(&mut *noisy);
    let first: Vec<f32> = shares.chunks(2).map(|row| row[0]).collect();
    assert!(first.iter().filter(|share| **share > 0.8).count() > 10, "{first:?}");
    assert!(first.iter().filter(|share| **share < 0.2).count() > 10, "{first:?}");
}

/// In some episodes the choices of a search with leaves, and those of one that draws all of them or none.
#[test]
fn the_temperature_drops_after_the_first_decisions_of_each_player() {
    let game = game::<Toll>(3);
    let (mut drawn, mut later) = (0, 0);
    for seed in 0..20 {
        let specs = ["mcts:20,temperature=100,temperature_drop=2", "mcts:20"];
        let mut searches = specs.map(|spec| game.leaf_search(spec, 1, 1).unwrap());
        let mut envs = [game.env(seed), game.env(seed)];
        let mut decisions = [0; 3];
        while let Some(player) = envs[0].acting().first() {
            let number = &mut decisions[player.index()];
            *number += 1;
            let mut chosen = [[9]; 2];
            for ((search, env), chosen) in searches.iter_mut().zip(&mut envs).zip(&mut chosen) {
                // A search that is started again is of the same decision.
                for _ in 0..2 {
                    start(&mut **search, 0, &mut **env);
                }
                run(&mut **search, 3);
                let drops = search.name().contains("drop");
                let temperature = if *number <= 2 { 100.0 } else { 0.0 };
                search.actions((!drops).then_some(temperature), chosen).unwrap();
            }
            assert_eq!(chosen[0], chosen[1], "decision {number} of player {player}");
            // The caller's temperature is used as it is.
            let mut best = [9];
            searches[0].actions(Some(0.0), &mut best).unwrap();
            if *number <= 2 {
                drawn += u32::from(best != chosen[0]);
            } else {
                later += 1;
            }
            envs.iter_mut().for_each(|env| env.step(chosen[0][0]).unwrap());
        }
    }
    assert!(drawn > 20 && later > 20, "{drawn} drawn, {later} later");
}

#[test]
fn a_tree_is_kept_while_its_episode_lasts() {
    let game = game::<Nim>(2);
    let seed = (0..).find(|seed| Env::new(game.clone(), *seed).state().stones == 6).unwrap();
    let (mut env, mut search) = (game.env(seed), game.leaf_search("mcts:100", 1, 1).unwrap());
    start(&mut *search, 0, &mut *env);
    let first = run(&mut *search, 1);
    env.step(0).unwrap();
    env.step(0).unwrap();
    start(&mut *search, 0, &mut *env);
    let kept = run(&mut *search, 1);
    assert!(kept < first / 2, "{kept} leaves after {first}");
    search.start(0, &mut *env, Player(0), false).unwrap();
    assert!(run(&mut *search, 1) > kept, "`keep` is off");
    env.reset(Some(seed));
    start(&mut *search, 0, &mut *env);
    assert_eq!(run(&mut *search, 1), first, "another episode, also with the same seed");
}

#[test]
fn a_batch_starts_a_search_in_every_row_of_its_mask() {
    let game = game::<Toll>(3);
    for (view, lanes) in [(View::Turn, 1), (View::Joint, 3)] {
        let config = VecConfig { num_envs: 70, view, threads: 2, ..VecConfig::default() };
        let mut venv = game.vec_env(config, &[]).unwrap();
        venv.share_always();
        let reset = Reset { from: Source::Seed(3), mask: None };
        let mut mask = vec![0; 70 * lanes * game.info().num_actions];
        venv.reset(reset, &mut Buffers { action_mask: &mut mask, ..Buffers::default() }).unwrap();
        let mut search = game.leaf_search("mcts:8", 70 * lanes, 2).unwrap();
        let mut found = Vec::new();
        for _ in 0..2 {
            let saved = venv.to_bytes().unwrap();
            search.start_batch(&mut *venv, None, false).unwrap();
            run(&mut *search, 100);
            found.push(policy(&mut *search));
            venv.load_bytes(&saved).unwrap();
        }
        assert_eq!(found[0], found[1], "the streams of the batch decide");
        for (row, mask) in found[0].chunks(game.info().num_actions).zip(mask.chunks(game.info().num_actions))
        {
            assert!(row.iter().zip(mask).all(|(share, legal)| *share == 0.0 || *legal == 1));
            assert_eq!(row.iter().sum::<f32>(), f32::from(u8::from(mask.contains(&1))));
        }
        // Every third environment: what is found there is what is found without a mask.
        let chosen: Vec<u8> = (0..70).map(|env| u8::from(env % 3 == 0)).collect();
        let saved = venv.to_bytes().unwrap();
        let mut some = game.leaf_search("mcts:8", 70 * lanes, 2).unwrap();
        some.start_batch(&mut *venv, Some(&chosen), false).unwrap();
        run(&mut *some, 100);
        venv.load_bytes(&saved).unwrap();
        let (actions, shares) = (game.info().num_actions, policy(&mut *some));
        let (mut visits, mut means) = (vec![9; shares.len()], vec![9.0; shares.len()]);
        let (mut priors, mut values) = (vec![9.0; shares.len()], vec![9.0; 70 * lanes]);
        some.visits(&mut visits).unwrap();
        some.mean_returns(&mut means).unwrap();
        some.priors(&mut priors).unwrap();
        some.values(&mut values).unwrap();
        for (row, value) in values.into_iter().enumerate() {
            let own = row * actions..(row + 1) * actions;
            let (visits, prior) = (&visits[own.clone()], priors[own.clone()].iter().sum::<f32>());
            let searched = chosen[row / lanes] == 1 && mask[own.clone()].contains(&1);
            assert!((prior - f32::from(u8::from(searched))).abs() < 1e-5);
            let wanted = if searched { &found[0][own.clone()] } else { &vec![0.0; actions] };
            assert_eq!(shares[own.clone()], wanted[..]);
            let all: i32 = visits.iter().sum();
            let several = mask[own.clone()].iter().filter(|legal| **legal == 1).count() > 1;
            assert_eq!(all, if searched && several { 8 } else { 0 });
            let sum: f32 = visits.iter().zip(&means[own]).map(|(visits, mean)| *visits as f32 * mean).sum();
            assert!((sum / all.max(1) as f32 - value).abs() < 1e-4);
        }
        let mut actions = vec![0; 70 * lanes];
        search.actions(Some(0.0), &mut actions).unwrap();
        venv.step(playmat_core::vec::Actions::I64(&actions), &mut Buffers::default()).unwrap();
    }
    let mut search = game.leaf_search("mcts:8", 3, 1).unwrap();
    let mut venv = game.vec_env(VecConfig { num_envs: 4, ..VecConfig::default() }, &[]).unwrap();
    let said = |search: &mut dyn AnyLeafSearch, venv: &mut dyn playmat_core::any::AnyVecEnv| {
        search.start_batch(venv, None, true).unwrap_err().to_string()
    };
    assert_eq!(said(&mut *search, &mut *venv), "argument `venv`: got a batch with 4 rows; wanted 3");
    let mut venv = game.vec_env(VecConfig { num_envs: 3, ..VecConfig::default() }, &[]).unwrap();
    assert_eq!(said(&mut *search, &mut *venv), "nothing was reset yet: `reset` first");
    let mut other =
        self::game::<Nim>(2).vec_env(VecConfig { num_envs: 3, ..VecConfig::default() }, &[]).unwrap();
    other.reset(Reset { from: Source::Seed(3), mask: None }, &mut Buffers::default()).unwrap();
    assert!(said(&mut *search, &mut *other).starts_with("argument `venv`: `search mcts:8` was made for "));
}

#[test]
fn the_largest_values_leave_all_numbers_finite() {
    let game = game::<Toll>(3);
    let (mut search, mut env) = (game.leaf_search("mcts:60", 1, 2).unwrap(), game.env(4));
    search.start(0, &mut *env, Player(1), true).unwrap();
    let search = &mut *search;
    loop {
        let rows = collect(search, 6).unwrap().player.len();
        if rows == 0 {
            break;
        }
        let largest = |at: usize| if at.is_multiple_of(2) { 1e28 } else { -1e28 };
        let logits: Vec<f32> = (0..rows * 6).map(largest).collect();
        let values: Vec<f32> = (0..rows).map(largest).collect();
        search.feed(&logits, &values).unwrap();
    }
    let (mut means, mut values, mut priors) = ([0.0; 6], [0.0], [0.0; 6]);
    search.mean_returns(&mut means).unwrap();
    search.values(&mut values).unwrap();
    search.priors(&mut priors).unwrap();
    assert!(means.iter().chain(&values).chain(&priors).all(|number| number.is_finite()));
    assert!(means.iter().any(|mean| mean.abs() > 1e26), "{means:?}");
    assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{priors:?}");
}

#[test]
fn a_start_takes_back_what_was_collected() {
    let game = game::<Toll>(3);
    let find = |interrupted: bool| {
        let (mut search, mut envs) = (game.leaf_search("mcts:30", 2, 3).unwrap(), [game.env(1), game.env(2)]);
        start(&mut *search, 0, &mut *envs[0]);
        for _ in 0..4 {
            let leaves = collect(&mut *search, 18).unwrap();
            let (logits, values) = network(&*search, &leaves.obs);
            search.feed(&logits, &values).unwrap();
        }
        if interrupted {
            collect(&mut *search, 18).unwrap();
            // No call continues before every simulation has a leaf to evaluate.
            assert_eq!(search.waiting(), 9);
        }
        start(&mut *search, 1, &mut *envs[1]);
        assert_eq!(search.waiting(), 0);
        if interrupted {
            let stopped = &mut Leaves { rows: 18, ..Leaves::default() };
            assert_eq!(search.collect_while(stopped, &|| false).unwrap(), 0);
        }
        run(&mut *search, 18);
        policy(&mut *search)
    };
    assert_eq!(find(true), find(false));
}

#[test]
fn a_cancelled_collect_that_goes_on_finds_what_an_undisturbed_one_does() {
    let game = game::<Toll>(3);
    for (spec, leaves) in [
        ("mcts:40", 1),
        ("mcts:40", 4),
        ("mcts:40,dirichlet_alpha=0.3,temperature=1", 3),
        ("mcts:40,threads=3", 2),
    ] {
        let find = |most: u32| {
            let mut search = game.leaf_search(spec, 3, leaves).unwrap();
            search.share_always();
            for seed in 0..3 {
                start(&mut *search, seed, &mut *game.env(seed as u64));
            }
            let (room, mut cancelled) = (leaves * 9, 0);
            loop {
                let mut found = None;
                // Cancelled before any simulation, after one, and so on.
                for looks in 0..most {
                    let (begun, is_stopped) = (AtomicU32::new(0), AtomicBool::new(false));
                    let some = collect_while(&mut *search, room, &|| {
                        let goes_on = begun.fetch_add(1, Relaxed) < looks;
                        is_stopped.fetch_or(!goes_on, Relaxed);
                        goes_on
                    });
                    let is_stopped = is_stopped.into_inner();
                    cancelled += u32::from(is_stopped);
                    if !is_stopped {
                        found = some.ok();
                        break;
                    }
                }
                let found = found.unwrap_or_else(|| collect(&mut *search, room).unwrap());
                if found.player.is_empty() {
                    break;
                }
                let (logits, values) = network(&*search, &found.obs);
                search.feed(&logits, &values).unwrap();
            }
            let mut actions = vec![9; 3];
            search.actions(None, &mut actions).unwrap();
            (policy(&mut *search), actions, cancelled)
        };
        let (policy, actions, _) = find(0);
        for most in [1, 2, 5] {
            let (found, chosen, cancelled) = find(most);
            assert_eq!((found, chosen), (policy.clone(), actions.clone()), "{spec}, {leaves} leaves");
            assert!(cancelled > 10, "{cancelled} times");
        }
    }
}

/// The thread that has made the call looks whether to go on also while another one plays: only there signals are seen.
#[test]
fn the_caller_of_threads_looks_while_another_one_plays() {
    let game = game::<Nim>(2);
    let mut search = game.leaf_search("mcts:1000000,threads=2", 2, 1).unwrap();
    search.share_always();
    // The first row has no search: there the caller is done at once. The other one soon knows all nodes, and then plays all simulations in one call.
    start(&mut *search, 1, &mut *game.env(1));
    let (caller, looked) = (std::thread::current().id(), AtomicBool::new(false));
    for _ in 0..100_000 {
        let (others, own, stopped) = (AtomicBool::new(false), AtomicU32::new(0), AtomicBool::new(false));
        let found = collect_while(&mut *search, 2, &|| {
            if std::thread::current().id() != caller {
                others.store(true, Relaxed);
                return true;
            }
            looked.fetch_or(others.load(Relaxed), Relaxed);
            // It may play the search itself: then another call tries again.
            let goes_on = !looked.load(Relaxed) && own.fetch_add(1, Relaxed) < 1000;
            stopped.fetch_or(!goes_on, Relaxed);
            goes_on
        });
        if looked.load(Relaxed) {
            return;
        }
        let found = found.unwrap();
        assert!(
            stopped.into_inner() || !found.player.is_empty(),
            "the search is over, and the caller has not looked"
        );
        if !found.player.is_empty() {
            let (logits, values) = network(&*search, &found.obs);
            search.feed(&logits, &values).unwrap();
        }
    }
    panic!("no thread but the caller's has played");
}
