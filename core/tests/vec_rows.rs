//! Rows of a batch: random streams, failed steps, saves. CONFORMANCE S3, S4, S6, N13, C15.

#![allow(clippy::unwrap_used, reason = "a test may stop anywhere")]

use playmat_core::agent::{Agent, Knowledge, Memory};
use playmat_core::any::AnyVecEnv;
use playmat_core::bits::LegalSet;
use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::error::Error;
use playmat_core::player::{Action, Player};
use playmat_core::rng::{self, Rng};
use playmat_core::toy::Toll;
use playmat_core::vec::{
    Actions, Buffers, Learners, ObsType, OwnedBuffers, Reset, Source, Target, VecConfig, VecEnv,
};
use serde_json::json;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{ThreadId, current};

fn toll(reward: &str) -> Arc<ConfiguredGame<Toll>> {
    let options = json!({"players": 3, "reward": reward});
    Arc::new(ConfiguredGame::new(options.as_object().unwrap()).unwrap())
}

fn batch(configured: &Arc<ConfiguredGame<Toll>>, num_envs: usize) -> (VecEnv<Toll>, OwnedBuffers) {
    let config = VecConfig { num_envs, ..VecConfig::default() };
    let venv = VecEnv::new(configured.clone(), config, vec![]).unwrap();
    let out = OwnedBuffers::new(&venv.sizes(), ObsType::U8);
    (venv, out)
}

/// Plays sampled actions until every row has begun `episodes` episodes; their seeds and sampled actions by row.
fn play(venv: &mut VecEnv<Toll>, out: &mut OwnedBuffers, episodes: usize) -> Vec<(Vec<u64>, Vec<i64>)> {
    let envs = venv.sizes().envs;
    let mut rows: Vec<(Vec<u64>, Vec<i64>)> =
        out.episode_seed.iter().map(|&seed| (vec![seed], vec![])).collect();
    let mut actions = vec![0; envs];
    while rows.iter().any(|(seeds, _)| seeds.len() < episodes) {
        venv.sample_actions(&mut actions).unwrap();
        venv.step(Actions::I64(&actions), &mut out.borrow()).unwrap();
        for (env, (seeds, drawn)) in rows.iter_mut().enumerate() {
            drawn.push(actions[env]);
            if out.terminated[env] == 1 {
                seeds.push(out.episode_seed[env]);
            }
        }
    }
    rows.iter_mut().for_each(|(seeds, _)| seeds.truncate(episodes));
    rows
}

fn apart<T: PartialEq>(rows: &[T]) -> bool {
    rows.iter().enumerate().all(|(i, row)| !rows[..i].contains(row))
}

#[test]
fn conf_s3_rows_with_equal_seeds_differ_after_the_first_episode() {
    let configured = toll("outcome");
    let (mut venv, mut out) = batch(&configured, 4);
    venv.reset(Reset { from: Source::Seeds(&[5; 4]), mask: None }, &mut out.borrow()).unwrap();
    let alone = Env::new(configured.clone(), 5);
    for env in 0..4 {
        assert_eq!(venv.state(env).unwrap().state, *alone.state(), "the first episode is that of the seed");
    }
    let rows = play(&mut venv, &mut out, 4);
    for (env, (seeds, _)) in rows.iter().enumerate() {
        let root = rng::environment_root(5, env as u64);
        let later: Vec<u64> = (1..4).map(|episode| rng::episode_seed(root, episode)).collect();
        assert_eq!(seeds[0], 5);
        assert_eq!(seeds[1..], later, "row {env}");
    }
    let later: Vec<u64> = rows.iter().flat_map(|(seeds, _)| seeds[1..].to_vec()).collect();
    assert!(apart(&later), "{later:?}");
    let drawn: Vec<_> = rows.iter().map(|(_, drawn)| drawn).collect();
    assert!(apart(&drawn), "sampled actions are drawn for each row");
}

#[test]
fn conf_s4_batches_with_first_env_play_the_parts_of_one_batch() {
    let configured = toll("outcome");
    for learners in [Learners::All, Learners::Rotating] {
        let play_part = |first_env, num_envs| {
            let agent: Arc<dyn Agent<Toll>> = Arc::new(Fragile::default());
            let pool = if learners == Learners::All { vec![] } else { vec![(agent, 1.0)] };
            let config =
                VecConfig { num_envs, first_env, learners: learners.clone(), ..VecConfig::default() };
            let mut venv = VecEnv::new(configured.clone(), config, pool).unwrap();
            let mut out = OwnedBuffers::new(&venv.sizes(), ObsType::U8);
            venv.reset(Reset { from: Source::Seed(7), mask: None }, &mut out.borrow()).unwrap();
            play(&mut venv, &mut out, 4)
        };
        let whole = play_part(0, 5);
        let parts = [play_part(0, 2), play_part(2, 3)].concat();
        for (row, ((seeds, drawn), (whole_seeds, whole_drawn))) in parts.iter().zip(&whole).enumerate() {
            let common = drawn.len().min(whole_drawn.len());
            assert_eq!(seeds, whole_seeds, "row {row}, {learners:?}");
            assert_eq!(drawn[..common], whole_drawn[..common], "row {row}, {learners:?}");
        }
    }
}

#[test]
fn conf_s3_rows_with_equal_states_differ_after_the_running_episode() {
    let configured = toll("outcome");
    let mut env = Env::new(configured.clone(), 5);
    let action = env.sample_action(env.current_player().unwrap()).unwrap();
    env.step(action.0.into()).unwrap();
    let bytes = playmat_core::save::to_bytes(&env);
    let (mut venv, mut out) = batch(&configured, 4);
    let reset = Reset { from: Source::States(&[&bytes[..]; 4]), mask: None };
    venv.reset(reset, &mut out.borrow()).unwrap();
    for row in 0..4 {
        let saved = venv.state(row).unwrap();
        assert_eq!((saved.state, saved.seed, saved.decisions), (*env.state(), 5, 1));
        assert_eq!(saved.rng, venv.state(0).unwrap().rng, "chance goes on as saved");
    }
    let rows = play(&mut venv, &mut out, 3);
    let later: Vec<u64> = rows.iter().flat_map(|(seeds, _)| seeds[1..].to_vec()).collect();
    assert!(apart(&later), "{later:?}");
    let drawn: Vec<_> = rows.iter().map(|(_, drawn)| drawn).collect();
    assert!(apart(&drawn), "sampled actions are drawn for each row");
    // The episodes of a row depend on its index and state, not on the other rows.
    let (mut fewer, mut fewer_out) = batch(&configured, 2);
    let reset = Reset { from: Source::States(&[&bytes[..]; 2]), mask: None };
    fewer.reset(reset, &mut fewer_out.borrow()).unwrap();
    let again = play(&mut fewer, &mut fewer_out, 3);
    for ((seeds, drawn), (all_seeds, all_drawn)) in again.iter().zip(&rows) {
        let common = drawn.len().min(all_drawn.len());
        assert_eq!((seeds, &drawn[..common]), (all_seeds, &all_drawn[..common]));
    }
}

/// Plays the first legal action until it is set to fail.
#[derive(Debug, Default)]
struct Fragile(AtomicBool);

impl Agent<Toll> for Fragile {
    fn name(&self) -> &str {
        "fragile"
    }

    fn act(&self, known: &Knowledge<'_, Toll>, _: &mut Memory<'_>, _: &mut Rng) -> Action {
        assert!(!self.0.load(Ordering::SeqCst), "the agent fails");
        known.legal().iter().next().unwrap()
    }
}

#[test]
fn conf_n13_a_panicked_step_is_repaired_by_a_full_reset() {
    for threads in [1, 2] {
        let agent = Arc::new(Fragile::default());
        let learners = Learners::One(Player(0));
        let config = VecConfig { num_envs: 3, threads, learners, ..VecConfig::default() };
        let pool: Vec<(Arc<dyn Agent<Toll>>, f64)> = vec![(agent.clone(), 1.0)];
        let mut venv = VecEnv::new(toll("outcome"), config, pool).unwrap();
        let mut out = OwnedBuffers::new(&venv.sizes(), ObsType::U8);
        let mut actions = vec![0; 3];
        for round in 0..3 {
            agent.0.store(false, Ordering::SeqCst);
            venv.reset(Reset { from: Source::Seed(round), mask: None }, &mut out.borrow()).unwrap();
            venv.sample_actions(&mut actions).unwrap();
            venv.step(Actions::I64(&actions), &mut out.borrow()).unwrap();
            venv.sample_actions(&mut actions).unwrap();
            agent.0.store(true, Ordering::SeqCst);
            let target = Box::new(OwnedBuffers::new(&venv.sizes(), ObsType::U8));
            let failed = catch_unwind(AssertUnwindSafe(|| {
                venv.step_async(actions.clone(), target).unwrap();
                venv.step_wait()
            }));
            assert!(failed.is_err(), "the panic reaches the caller");
            assert!(!venv.is_pending());
            let half_way = |error: Error| {
                assert!(error.to_string().contains("failed half way: `reset` all"), "{error}");
            };
            for _ in 0..2 {
                half_way(venv.step_wait().unwrap_err());
                half_way(venv.step(Actions::I64(&actions), &mut out.borrow()).unwrap_err());
                half_way(venv.step_async(actions.clone(), Box::new(out.clone())).unwrap_err());
                half_way(venv.to_bytes().unwrap_err());
            }
        }
    }
}

/// Buffers of a step that record which threads request them.
struct RecordedTarget(OwnedBuffers, Arc<Mutex<Vec<ThreadId>>>);

impl Target for RecordedTarget {
    fn buffers(&mut self) -> Buffers<'_> {
        self.1.lock().unwrap().push(current().id());
        self.0.borrow()
    }
}

#[test]
fn an_asynchronous_step_runs_on_another_thread_for_any_number_of_threads() {
    for threads in [1, 2] {
        let config = VecConfig { num_envs: 3, threads, ..VecConfig::default() };
        let mut venv = VecEnv::new(toll("outcome"), config, Vec::new()).unwrap();
        let mut out = OwnedBuffers::new(&venv.sizes(), ObsType::U8);
        venv.reset(Reset { from: Source::Seed(1), mask: None }, &mut out.borrow()).unwrap();
        let mut actions = vec![0; 3];
        venv.sample_actions(&mut actions).unwrap();
        let callers = Arc::new(Mutex::new(Vec::new()));
        let target = RecordedTarget(OwnedBuffers::new(&venv.sizes(), ObsType::U8), callers.clone());
        venv.step_async(actions, Box::new(target)).unwrap();
        assert!(venv.is_pending());
        venv.step_wait().unwrap().result.unwrap();
        // Requested here before the step starts; written on the other thread.
        let callers = callers.lock().unwrap();
        assert_eq!(callers.len(), 2);
        assert!(callers[0] == current().id() && callers[1] != current().id(), "threads = {threads}");
    }
}

/// Rewards and returns row by row, until every row has ended an episode.
fn paid(venv: &mut VecEnv<Toll>, out: &mut OwnedBuffers) -> Vec<(Vec<f32>, Vec<f32>)> {
    let (envs, players) = (venv.sizes().envs, venv.sizes().players);
    let (mut actions, mut written, mut ended) = (vec![0; envs], vec![], vec![false; envs]);
    while ended.contains(&false) {
        venv.sample_actions(&mut actions).unwrap();
        venv.step(Actions::I64(&actions), &mut out.borrow()).unwrap();
        for (env, ended) in ended.iter_mut().enumerate() {
            if out.terminated[env] == 1 {
                *ended = true;
                let row = env * players..(env + 1) * players;
                written.push((out.reward[row.clone()].to_vec(), out.episode_return[row].to_vec()));
            }
        }
        written.push((out.reward.clone(), vec![]));
    }
    written
}

/// A batch with opponents and this kind of reward, after `steps` steps. Opponents pay their bids before the learner's first decision.
fn with_opponents(reward: &str, player: u8, steps: usize) -> (VecEnv<Toll>, OwnedBuffers) {
    let config = VecConfig { num_envs: 40, learners: Learners::One(Player(player)), ..VecConfig::default() };
    let pool: Vec<(Arc<dyn Agent<Toll>>, f64)> = vec![(Arc::new(Fragile::default()), 1.0)];
    let mut venv = VecEnv::new(toll(reward), config, pool).unwrap();
    let mut out = OwnedBuffers::new(&venv.sizes(), ObsType::U8);
    venv.reset(Reset { from: Source::Seed(3), mask: None }, &mut out.borrow()).unwrap();
    let mut actions = vec![0; 40];
    for _ in 0..steps {
        venv.sample_actions(&mut actions).unwrap();
        venv.step(Actions::I64(&actions), &mut out.borrow()).unwrap();
    }
    (venv, out)
}

#[test]
fn conf_c15_a_loaded_batch_has_the_rewards_of_the_saved_one() {
    for reward in ["outcome", "score", "score_delta"] {
        for player in 0..3 {
            for steps in 0..4 {
                let (mut venv, mut out) = with_opponents(reward, player, steps);
                let bytes = venv.to_bytes().unwrap();
                let (mut loaded, mut loaded_out) = with_opponents(reward, player, 5 - steps);
                loaded.load_bytes(&bytes).unwrap();
                assert_eq!(loaded.to_bytes().unwrap(), bytes);
                assert_eq!(paid(&mut loaded, &mut loaded_out), paid(&mut venv, &mut out), "{reward}");
            }
        }
    }
}

#[test]
fn conf_c15_a_batch_is_not_loaded_with_another_kind_of_reward() {
    for (saved, loading) in [("score_delta", "outcome"), ("outcome", "score_delta"), ("score", "outcome")] {
        let bytes = with_opponents(saved, 0, 2).0.to_bytes().unwrap();
        let (mut venv, _) = with_opponents(loading, 0, 1);
        let before = venv.to_bytes().unwrap();
        let said = venv.load_bytes(&bytes).unwrap_err().to_string();
        let expected = format!("reward is `{saved}`, this game has `{loading}`");
        assert!(said.contains(&expected), "{said}");
        assert_eq!(venv.to_bytes().unwrap(), before);
    }
}
