//! Searches and other agents that choose for a batch: what follows from the seed, what they found, and that a stopped call changes nothing.

#![allow(clippy::unwrap_used, reason = "a test may stop anywhere")]

use playmat_core::agent::{Agent, AnyAgent, Knowledge, Mcts, Memory, SearchStatistics};
use playmat_core::any::{AnyGame, AnyVecEnv};
use playmat_core::bits::LegalSet;
use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::game::Game;
use playmat_core::info::RewardKind;
use playmat_core::player::{Action, Player};
use playmat_core::pool::Pool;
use playmat_core::rng::Rng;
use playmat_core::search::{Plan, Search, Settings};
use playmat_core::toy::Toll;
use playmat_core::vec::{
    Actions, BatchStatistics, Buffers, OwnedBuffers, Reset, Rollout, Source, VecConfig, VecEnv, View,
};
use serde_json::json;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::Instant;

fn toll() -> Arc<ConfiguredGame<Toll>> {
    Arc::new(ConfiguredGame::new(json!({ "players": 3 }).as_object().unwrap()).unwrap())
}

fn settings(text: &str) -> Settings {
    text.parse().unwrap()
}

/// Waits until `done` says so, for some seconds at most; says whether it did.
#[expect(clippy::disallowed_methods, reason = "a bound on how long a test waits")]
fn comes(done: impl Fn() -> bool) -> bool {
    let begun = Instant::now();
    while !done() && begun.elapsed().as_secs() < 10 {
        thread::yield_now();
    }
    done()
}

#[test]
fn a_stopped_batch_is_as_it_was() {
    let configured = toll();
    for threads in [1, 2] {
        let config = VecConfig { num_envs: 200, threads, ..VecConfig::default() };
        let mut venv = configured.vec_env(config, &[]).unwrap();
        venv.share_always();
        venv.reset(Reset { from: Source::Seed(7), mask: None }, &mut Buffers::default()).unwrap();
        let agent = configured.agent("mcts:200").unwrap();
        let mask: Vec<u8> = (0..200).map(|env| u8::from(env % 7 != 0)).collect();
        let (mut wanted, mut found) = (vec![0; 200], vec![9; 200]);
        let before = venv.to_bytes().unwrap();
        for limit in [0, 1, 40] {
            let calls = AtomicU32::new(0);
            let keep_going = || calls.fetch_add(1, Ordering::Relaxed) < limit;
            assert!(!venv.act_batch_while(&agent, Some(&mask), &mut found, &keep_going).unwrap());
            assert_eq!((&found[..], venv.to_bytes().unwrap()), (&[9; 200][..], before.clone()));
        }
        // Without the trees of the searches that had ended before.
        assert!(venv.act_batch_while(&agent, Some(&mask), &mut found, &|| true).unwrap());
        let after = venv.to_bytes().unwrap();
        assert_ne!(after, before);
        venv.load_bytes(&before).unwrap();
        venv.act_batch(&agent, Some(&mask), &mut wanted).unwrap();
        assert_eq!((found, venv.to_bytes().unwrap()), (wanted, after));
        let short = venv.act_batch_while(&agent, None, &mut [0; 3], &|| true).unwrap_err().to_string();
        assert_eq!(short, "argument `out`: got 3 elements; wanted 200");
    }
}

/// A search that records what it finds, in the order of its decisions.
#[derive(Debug)]
struct Recording {
    search: Mcts,
    found: Mutex<Vec<SearchStatistics>>,
}

impl Agent<Toll> for Recording {
    fn name(&self) -> &str {
        Agent::<Toll>::name(&self.search)
    }

    fn act(&self, known: &Knowledge<'_, Toll>, memory: &mut Memory<'_>, rng: &mut Rng) -> Action {
        let action = self.search.act(known, memory, rng);
        self.found.lock().unwrap().push(Agent::<Toll>::statistics(&self.search, memory).unwrap());
        action
    }
}

/// In every view the statistics of a batch are those of its decisions, one by one. They are gone after the step, and 0 where nothing was
/// searched.
#[test]
fn statistics_of_a_batch_are_those_of_its_decisions() {
    let game = toll();
    let (envs, actions) = (40, game.game.info().num_actions);
    for (view, lanes) in [(View::Turn, 1), (View::Joint, 3)] {
        let config = VecConfig { num_envs: envs, view, ..VecConfig::default() };
        let mut venv = game.vec_env(config, &[]).unwrap();
        venv.reset(Reset { from: Source::Seed(5), mask: None }, &mut Buffers::default()).unwrap();
        let spec = "mcts:30,rollout=random,threads=2";
        let agent = game.agent(spec).unwrap();
        let search = Mcts::new(settings(&spec[5..]), RewardKind::Outcome);
        let recording = Arc::new(Recording { search, found: Mutex::default() });
        let typed: Arc<dyn Agent<Toll>> = recording.clone();
        let recorder = AnyAgent::new(typed, &game);
        let rows = envs * lanes;
        let mask: Vec<u8> = (0..envs).map(|env| u8::from(env % 5 != 0)).collect();
        let (mut found, mut searched) = (Found::new(rows, actions), 0);
        for step in 0..4 {
            let mut chosen = vec![0; rows];
            recording.found.lock().unwrap().clear();
            venv.act_batch(&recorder, Some(&mask), &mut chosen).unwrap();
            venv.search_statistics(&agent, &mut found.borrow()).unwrap();
            let recorded = std::mem::take(&mut *recording.found.lock().unwrap());
            let mut recorded = recorded.iter();
            for (row, &chosen) in chosen.iter().enumerate() {
                let mut wanted = Found::new(1, actions);
                let decided = mask[row / lanes] != 0 && {
                    let state = venv.state_bytes(row / lanes).unwrap();
                    let env = game.env_from_bytes(&state).unwrap();
                    let acting = env.acting();
                    if view == View::Joint {
                        acting.contains(Player((row % lanes) as u8))
                    } else {
                        !acting.is_empty()
                    }
                };
                if decided {
                    let one = recorded.next().expect("a decision");
                    assert_eq!(i64::from(one.action.0), chosen);
                    // A single legal action is not searched.
                    if one.simulations > 0 {
                        for one in &one.actions {
                            let at = one.action.index();
                            wanted.visits[at] = one.visits as i32;
                            (wanted.mean_return[at], wanted.prior[at]) = (one.mean_return, one.prior);
                        }
                        (wanted.value[0], wanted.simulations[0]) = (one.value, one.simulations as i32);
                        searched += 1;
                    }
                }
                let by_action = row * actions..(row + 1) * actions;
                assert_eq!(wanted.visits, found.visits[by_action.clone()], "step {step}, row {row}");
                assert_eq!(wanted.mean_return, found.mean_return[by_action.clone()]);
                assert_eq!(wanted.prior, found.prior[by_action]);
                assert_eq!(
                    (wanted.value[0], wanted.simulations[0]),
                    (found.value[row], found.simulations[row])
                );
            }
            assert!(recorded.next().is_none());
            let mut drawn = vec![0; rows];
            venv.sample_actions(&mut drawn).unwrap();
            for (drawn, &chosen) in drawn.iter_mut().zip(&chosen) {
                *drawn = if chosen < 0 { *drawn } else { chosen };
            }
            venv.step(Actions::I64(&drawn), &mut Buffers::default()).unwrap();
            // The next decisions are others.
            venv.search_statistics(&agent, &mut found.borrow()).unwrap();
            assert!(found.visits.iter().all(|&visits| visits == 0));
            assert!(found.prior.iter().chain(&found.value).all(|&number| number == 0.0));
        }
        assert!(searched > 100, "{searched}");
        let only = &mut BatchStatistics { value: &mut found.value, ..BatchStatistics::default() };
        venv.search_statistics(&agent, only).unwrap();
        let greedy = game.agent("greedy").unwrap();
        let refused = venv.search_statistics(&greedy, &mut found.borrow()).unwrap_err().to_string();
        assert!(refused.contains("got `greedy`; only a search"), "{refused}");
        let short = &mut BatchStatistics { visits: &mut [1, 1], ..BatchStatistics::default() };
        let refused = venv.search_statistics(&agent, short).unwrap_err().to_string();
        assert!(refused.starts_with("argument `visits`: got 2 elements; wanted"), "{refused}");
    }
}

/// Owned memory of [`BatchStatistics`], full of numbers.
struct Found {
    visits: Vec<i32>,
    mean_return: Vec<f32>,
    prior: Vec<f32>,
    value: Vec<f32>,
    simulations: Vec<i32>,
}

impl Found {
    fn new(rows: usize, actions: usize) -> Found {
        let (by_action, zeros) = (vec![0.0; rows * actions], vec![0; rows * actions]);
        let (value, simulations) = (vec![0.0; rows], vec![0; rows]);
        Found { visits: zeros, mean_return: by_action.clone(), prior: by_action, value, simulations }
    }

    fn borrow(&mut self) -> BatchStatistics<'_> {
        self.visits.fill(7);
        self.prior.fill(7.0);
        BatchStatistics {
            visits: &mut self.visits,
            mean_return: &mut self.mean_return,
            prior: &mut self.prior,
            value: &mut self.value,
            simulations: &mut self.simulations,
        }
    }
}

#[test]
fn noise_and_temperature_in_batches_follow_from_the_seed() {
    let configured = toll();
    // Each row: as an opponent, in `act_batch`, and in a rollout.
    let play = |spec: &str, threads: usize, seed: u64| {
        let agent = configured.agent(spec).unwrap();
        let config = VecConfig { num_envs: 192, threads, view: View::Single, ..VecConfig::default() };
        let mut venv = configured.vec_env(config, &[(spec, 1.0)]).unwrap();
        venv.share_always();
        venv.reset(Reset { from: Source::Seed(seed), mask: None }, &mut Buffers::default()).unwrap();
        let mut actions = vec![0; 192];
        venv.sample_actions(&mut actions).unwrap();
        venv.step(Actions::I64(&actions), &mut Buffers::default()).unwrap();
        let stepped = venv.to_bytes().unwrap();
        venv.act_batch(&agent, None, &mut actions).unwrap();
        let mut rolled = vec![0; 2 * 192];
        let out = &mut Rollout { steps: 2, action: &mut rolled, ..Rollout::default() };
        venv.rollout(&agent, out, &mut Buffers::default()).unwrap();
        (stepped, actions, rolled, venv.to_bytes().unwrap())
    };
    let noisy = "mcts:6,prior=uniform,dirichlet_alpha=0.1,dirichlet_fraction=1,c=50";
    let drawn = "mcts:6,prior=uniform,temperature=1";
    let plain = play("mcts:6,prior=uniform,c=50", 1, 7);
    for spec in [noisy, drawn] {
        let one = play(spec, 1, 7);
        assert_eq!(play(spec, 1, 7), one, "{spec}: the same seed");
        assert_eq!(play(spec, 2, 7), one, "{spec}: two threads");
        let other = play(spec, 1, 8);
        assert!(one.1 != other.1 && one.2 != other.2, "{spec}: another seed");
        assert!(one.0 != plain.0 && one.1 != plain.1 && one.2 != plain.2, "{spec}: it decides something");
    }
}

#[test]
fn the_calling_thread_can_stop_searches_of_others() {
    let env = Env::new(toll(), 5);
    let player = env.current_player().unwrap();
    let legal = env.legal(player);
    let known = Knowledge::new(&*env.configured().game, env.state(), player, &legal);
    // One call by each thread, after which the calling one has nothing left to search.
    let settings = settings("130,threads=2");
    let (caller, mut pool) = (thread::current().id(), Pool::new(2, 0));
    let (inside, calls, stopped) = (AtomicBool::new(false), AtomicU32::new(0), AtomicBool::new(false));
    let keep_going = || {
        if thread::current().id() != caller {
            inside.store(true, Ordering::SeqCst);
            return !comes(|| stopped.load(Ordering::SeqCst));
        }
        let begun = calls.fetch_add(1, Ordering::SeqCst) == 0;
        if begun {
            assert!(comes(|| inside.load(Ordering::SeqCst)), "the other thread searches");
        } else {
            stopped.store(true, Ordering::SeqCst);
        }
        begun
    };
    let plan =
        Plan { settings: &settings, kind: RewardKind::Outcome, network: None, keep_going: &keep_going };
    let mut search = Search::default();
    assert_eq!(search.run_while(&known, &plan, Some(&mut pool), &mut Rng::from_seed(1)), None);
    assert_eq!(search.nodes(), 0);
}

/// Chooses when another thread chooses too, or, on other threads than the caller, when it is stopped.
#[derive(Debug)]
struct Waits {
    caller: ThreadId,
    others: AtomicU32,
    is_done: AtomicBool,
}

impl Agent<Toll> for Waits {
    fn name(&self) -> &str {
        "waits"
    }

    fn act(&self, known: &Knowledge<'_, Toll>, _: &mut Memory<'_>, _: &mut Rng) -> Action {
        known.legal().select(0)
    }

    fn act_while(
        &self,
        known: &Knowledge<'_, Toll>,
        memory: &mut Memory<'_>,
        rng: &mut Rng,
        keep_going: &(dyn Fn() -> bool + Sync),
    ) -> Option<Action> {
        if thread::current().id() == self.caller {
            assert!(comes(|| self.others.load(Ordering::SeqCst) > 0), "the other thread chooses");
            self.is_done.store(true, Ordering::SeqCst);
        } else {
            self.others.fetch_add(1, Ordering::SeqCst);
            if comes(|| !keep_going()) {
                return None;
            }
        }
        Some(self.act(known, memory, rng))
    }
}

#[test]
fn the_calling_thread_can_stop_the_choices_of_others() {
    let configured = toll();
    let config = VecConfig { num_envs: 192, threads: 2, ..VecConfig::default() };
    let mut venv = configured.vec_env(config, &[]).unwrap();
    venv.reset(Reset { from: Source::Seed(7), mask: None }, &mut Buffers::default()).unwrap();
    let before = venv.to_bytes().unwrap();
    let caller = thread::current().id();
    let waits = Arc::new(Waits { caller, others: AtomicU32::new(0), is_done: AtomicBool::new(false) });
    let agent = AnyAgent::new(waits.clone(), &configured);
    // A row for each thread; the calling one must stop when it has nothing left to choose.
    let mask: Vec<u8> = (0..192).map(|env| u8::from(env == 0 || env == 191)).collect();
    let stopped = AtomicBool::new(false);
    let keep_going = || {
        if thread::current().id() == caller && waits.is_done.load(Ordering::SeqCst) {
            stopped.store(true, Ordering::SeqCst);
        }
        !stopped.load(Ordering::SeqCst)
    };
    let mut found = vec![9; 192];
    assert!(!venv.act_batch_while(&agent, Some(&mask), &mut found, &keep_going).unwrap());
    assert_eq!((found, venv.to_bytes().unwrap()), (vec![9; 192], before));
}

/// Counts its choices, and never looks whether to go on.
#[derive(Debug, Default)]
struct Deaf(AtomicU32);

impl Agent<Toll> for Deaf {
    fn name(&self) -> &str {
        "deaf"
    }

    fn act(&self, known: &Knowledge<'_, Toll>, _: &mut Memory<'_>, _: &mut Rng) -> Action {
        self.0.fetch_add(1, Ordering::Relaxed);
        known.legal().select(0)
    }
}

#[test]
fn a_batch_stops_between_two_choices() {
    let configured = toll();
    let config = VecConfig { num_envs: 60, ..VecConfig::default() };
    let mut venv = configured.vec_env(config, &[]).unwrap();
    venv.reset(Reset { from: Source::Seed(7), mask: None }, &mut Buffers::default()).unwrap();
    for limit in [0, 1, 7, 59] {
        let deaf = Arc::new(Deaf::default());
        let agent = AnyAgent::new(deaf.clone(), &configured);
        let calls = AtomicU32::new(0);
        let keep_going = || calls.fetch_add(1, Ordering::Relaxed) < limit;
        assert!(!venv.act_batch_while(&agent, None, &mut [0; 60], &keep_going).unwrap());
        assert_eq!(deaf.0.load(Ordering::Relaxed), limit, "a choice after each call");
    }
}

/// Searches, as far as a batch can tell: while `meets` is set, each choice waits until two threads have chosen.
#[derive(Debug, Default)]
struct Meets {
    meets: AtomicBool,
    chosen: Mutex<Vec<ThreadId>>,
}

impl Agent<Toll> for Meets {
    fn name(&self) -> &str {
        "meets"
    }

    fn parts_per_thread(&self) -> usize {
        4
    }

    fn act(&self, known: &Knowledge<'_, Toll>, _: &mut Memory<'_>, rng: &mut Rng) -> Action {
        let met = || self.chosen.lock().unwrap().iter().any(|one| *one != thread::current().id());
        if self.meets.load(Ordering::SeqCst) {
            self.chosen.lock().unwrap().push(thread::current().id());
            assert!(comes(met), "another thread chooses too");
        }
        rng.pick(known.legal())
    }
}

#[test]
fn searches_in_few_environments_use_all_threads() {
    let configured = toll();
    for as_opponent in [false, true] {
        let meets = Arc::new(Meets::default());
        let few = VecConfig { num_envs: 6, threads: 2, ..VecConfig::default() };
        let (config, opponents): (_, Vec<(Arc<dyn Agent<Toll>>, f64)>) = match as_opponent {
            false => (few, Vec::new()),
            true => (VecConfig { view: View::Single, ..few }, vec![(meets.clone(), 1.0)]),
        };
        let mut venv = VecEnv::new(configured.clone(), config, opponents).unwrap();
        venv.reset(Reset { from: Source::Seed(7), mask: None }, &mut Buffers::default()).unwrap();
        let mut actions = vec![0; 6];
        meets.meets.store(true, Ordering::SeqCst);
        if as_opponent {
            venv.sample_actions(&mut actions).unwrap();
            // The first step too.
            venv.step(Actions::I64(&actions), &mut Buffers::default()).unwrap();
        } else {
            let agent = AnyAgent::new(meets.clone(), &configured);
            venv.act_batch(&agent, None, &mut actions).unwrap();
        }
        assert!(meets.chosen.lock().unwrap().len() > 1);
    }
}

#[test]
fn what_a_batch_plays_does_not_depend_on_how_it_is_split() {
    let configured = toll();
    let played = |threads, view| {
        let config = VecConfig { num_envs: 21, threads, view, ..VecConfig::default() };
        let opponents: &[(&str, f64)] = if view == View::Single { &[("mcts:6", 1.0)] } else { &[] };
        let mut venv = configured.vec_env(config, opponents).unwrap();
        let mut out = OwnedBuffers::new(&venv.sizes(), venv.config().dtype);
        venv.reset(Reset { from: Source::Seed(7), mask: None }, &mut out.borrow()).unwrap();
        let agent = configured.agent("mcts:8").unwrap();
        let mut actions = vec![0; out.action_mask.len() / configured.game.info().num_actions];
        let mut all = Vec::new();
        for step in 0..40 {
            // Draws made ahead are of the old parts; the agent splits them in the middle of an episode.
            match step {
                9..20 => venv.act_batch(&agent, None, &mut actions).unwrap(),
                _ => venv.sample_actions(&mut actions).unwrap(),
            }
            venv.step(Actions::I64(&actions), &mut out.borrow()).unwrap();
            all.push((actions.clone(), out.obs.bytes.clone(), out.episode_return.clone()));
        }
        (all, venv.to_bytes().unwrap(), format!("{:?}", venv.results()))
    };
    for view in [View::Turn, View::Joint, View::Single] {
        assert!(played(1, view) == played(2, view), "{view:?}");
    }
}
