//! Batches against single environments, step by step: CONFORMANCE N1 to N6, N11, N12, S2 to S6, T6.

#![allow(clippy::unwrap_used, reason = "a test may stop anywhere")]

use playmat_core::agent::{Agent, AnyAgent, Greedy, Knowledge, Memories, Random};
use playmat_core::any::AnyVecEnv;
use playmat_core::bits::LegalSet;
use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::error::Error;
use playmat_core::game::{Game, Status};
use playmat_core::player::{Player, Players};
use playmat_core::rng::{self, Rng, Stream};
use playmat_core::toy::Toll;
use playmat_core::vec::{
    Actions, Autoreset, Learners, ObsType, OwnedBuffers, Reset, Role, Sizes, Source, VecConfig, VecEnv, View,
};
use serde_json::json;
use std::sync::Arc;

type Pool = Vec<(Arc<dyn Agent<Toll>>, f64)>;

fn toll(players: usize, reward: &str, max_steps: usize) -> Arc<ConfiguredGame<Toll>> {
    let options = json!({"players": players, "reward": reward, "max_steps": max_steps});
    Arc::new(ConfiguredGame::new(options.as_object().unwrap()).unwrap())
}

fn pool() -> Pool {
    vec![(Arc::new(Random), 1.0), (Arc::new(Greedy), 2.5)]
}

/// The expected outputs of one environment of a batch, computed with single environments.
struct Model {
    configured: Arc<ConfiguredGame<Toll>>,
    config: VecConfig,
    index: usize,
    root: u64,
    next: u64,
    env: Env<Toll>,
    sampler: Rng,
    agents: Rng,
    opponents: Vec<i32>,
    weights: Vec<f64>,
    last: usize,
    results: Vec<(u64, u64, u64, u64, u64, f64)>,
    // The result of the last step.
    reward: Vec<f32>,
    // Rewards from opponents' decisions before the caller's first decision.
    owed: Vec<f32>,
    ended: Option<Ended>,
}

/// The end of an episode.
#[derive(Clone, PartialEq, Debug)]
struct Ended {
    terminated: bool,
    viewer: usize,
    obs: Vec<Vec<u8>>,
    masks: Vec<Vec<u8>>,
    acting: Vec<u8>,
    returns: Vec<f32>,
    length: i32,
    seed: u64,
    opponents: Vec<i32>,
    bytes: Vec<u8>,
}

impl Model {
    fn new(
        configured: &Arc<ConfiguredGame<Toll>>,
        config: &VecConfig,
        index: usize,
        seed: u64,
        weights: &[f64],
    ) -> Model {
        let root = rng::environment_root(seed, index as u64);
        let mut model = Model {
            configured: configured.clone(),
            config: config.clone(),
            index,
            root,
            next: 0,
            env: Env::new(configured.clone(), 0),
            sampler: rng::stream(root, Stream::Sample),
            agents: rng::stream(0, Stream::Agents),
            opponents: vec![],
            weights: weights.to_vec(),
            last: 0,
            results: vec![(0, 0, 0, 0, 0, 0.0); 1 + weights.len()],
            reward: vec![0.0; configured.game.info().players],
            owed: vec![],
            ended: None,
        };
        model.begin();
        model
    }

    fn players(&self) -> usize {
        self.configured.game.info().players
    }

    fn begin(&mut self) {
        loop {
            let episode = self.next;
            let seed = rng::episode_seed(self.root, episode);
            self.next += 1;
            self.env = Env::new(self.configured.clone(), seed);
            self.agents = rng::stream(seed, Stream::Agents);
            self.opponents = (0..self.players()).map(|player| self.draw(player, episode)).collect();
            let zero = vec![0.0; self.players()];
            let paid = std::mem::replace(&mut self.reward, zero);
            self.play_opponents();
            self.owed = std::mem::replace(&mut self.reward, paid);
            if !self.over() {
                return;
            }
            // The episode is skipped, but a learner took part in it.
            self.count();
        }
    }

    fn draw(&mut self, player: usize, episode: u64) -> i32 {
        let role = match &self.config.learners {
            Learners::All if self.config.view != View::Single || player == 0 => Role::Learner,
            Learners::All => Role::Pool,
            Learners::One(learner) if learner.index() == player => Role::Learner,
            Learners::One(_) => Role::Pool,
            Learners::Rotating if (self.index as u64 + episode) % self.players() as u64 == player as u64 => {
                Role::Learner
            }
            Learners::Rotating => Role::Pool,
            Learners::Roles(roles) => roles[player],
        };
        match role {
            Role::Learner => -1,
            Role::Opponent(index) => index as i32,
            Role::Pool => {
                let x =
                    f64::from(self.agents.next_u32()) / 4_294_967_296.0 * self.weights.iter().sum::<f64>();
                let mut sum = 0.0;
                for (k, weight) in self.weights.iter().enumerate() {
                    sum += weight;
                    if x < sum {
                        return k as i32;
                    }
                }
                unreachable!()
            }
        }
    }

    fn over(&self) -> bool {
        self.env.status() != Status::Running
    }

    fn play_opponents(&mut self) {
        while let Some(player) = self.env.current_player() {
            let opponent = self.opponents[player.index()];
            if opponent < 0 {
                return;
            }
            let legal = self.env.legal(player);
            let (game, state) = (&*self.configured.game, self.env.state());
            let agent: &dyn Agent<Toll> = if opponent == 0 { &Random } else { &Greedy };
            let known = Knowledge::new(game, state, player, &legal);
            let action = agent.act(&known, &mut Memories::default().of(player, 0), &mut self.agents);
            self.env.step(action.0.into()).unwrap();
            for (sum, reward) in self.reward.iter_mut().zip(self.env.rewards()) {
                *sum += reward;
            }
        }
    }

    /// Acting players for whom the caller must decide.
    fn callers_players(&self) -> Vec<Player> {
        let learners = self.env.acting().iter().filter(|player| self.opponents[player.index()] < 0);
        let count = if self.config.view == View::Joint { 8 } else { 1 };
        learners.take(count).collect()
    }

    fn sample(&mut self) -> Vec<i64> {
        let mut actions = vec![0; self.lanes()];
        for player in self.callers_players() {
            let lane = self.lane(player);
            actions[lane] = self.sampler.pick(&self.env.legal(player)).0.into();
        }
        actions
    }

    fn lanes(&self) -> usize {
        if self.config.view == View::Joint { self.players() } else { 1 }
    }

    fn lane(&self, player: Player) -> usize {
        if self.config.view == View::Joint { player.index() } else { 0 }
    }

    fn step(&mut self, actions: &[i64]) {
        self.reward.fill(0.0);
        self.ended = None;
        if self.over() {
            return self.begin();
        }
        self.reward.clone_from(&self.owed);
        self.owed.fill(0.0);
        let deciders = self.callers_players();
        for &player in &deciders {
            if self.over() {
                break;
            }
            self.env.step_player(player, actions[self.lane(player)]).unwrap();
            for (sum, reward) in self.reward.iter_mut().zip(self.env.rewards()) {
                *sum += reward;
            }
            self.last = player.index();
            self.play_opponents();
        }
        if self.over() {
            self.finish();
            if self.config.autoreset == Autoreset::SameStep {
                self.begin();
            }
        }
    }

    fn finish(&mut self) {
        let players = self.players();
        let terminated = self.env.status() == Status::Terminated;
        let state = self.env.state();
        // A truncated episode has an open decision, which the game gives.
        let mut masks = vec![vec![0; 6]; self.lanes()];
        let mut acting = vec![0; players];
        if self.configured.game.status(state) == Status::Running {
            let next = self.configured.game.acting(state);
            // Observation, mask and player belong to the player who would decide next, or who decided last.
            let mut deciders = next.iter().filter(|player| self.opponents[player.index()] < 0);
            self.last = deciders.next().map_or(self.last, Player::index);
            for player in next.iter() {
                acting[player.index()] = 1;
                let is_shown = match self.config.view {
                    View::Joint => self.opponents[player.index()] < 0,
                    View::Turn | View::Single => player.index() == self.last,
                };
                if is_shown {
                    self.configured.game.legal(state, player).expand(&mut masks[self.lane(player)]);
                }
            }
        }
        self.count();
        self.ended = Some(Ended {
            terminated,
            viewer: self.last,
            obs: (0..players).map(|k| self.observation(k)).collect(),
            masks,
            acting,
            returns: self.env.returns().to_vec(),
            length: self.env.decisions() as i32,
            seed: self.env.episode_seed(),
            opponents: self.opponents.clone(),
            bytes: playmat_core::save::to_bytes(&self.env),
        });
    }

    /// Counts the episode, which is over, once for all and once for each opponent in it: the best of the learners and the mean of
    /// their returns.
    fn count(&mut self) {
        let players = self.players();
        let terminated = self.env.status() == Status::Terminated;
        let state = self.env.state();
        let winners = if terminated { self.configured.game.winners(state) } else { Players::EMPTY };
        let learners: Vec<usize> = (0..players).filter(|&k| self.opponents[k] < 0).collect();
        let won = learners.iter().any(|&learner| winners.contains(Player(learner as u8)));
        let mean = learners.iter().map(|&learner| f64::from(self.env.returns()[learner])).sum::<f64>()
            / learners.len() as f64;
        let playing = self.opponents.iter().filter(|&&opponent| opponent >= 0);
        let rows: std::collections::BTreeSet<usize> =
            playing.flat_map(|&opponent| [0, 1 + opponent as usize]).collect();
        for row in rows {
            let row = &mut self.results[row];
            row.0 += 1;
            row.1 += u64::from(terminated && won && winners.len() < players);
            row.2 += u64::from(terminated && winners.len() == players);
            row.3 += u64::from(terminated && !won);
            row.4 += u64::from(!terminated);
            row.5 += mean;
        }
    }

    fn observation(&self, player: usize) -> Vec<u8> {
        let mut out = vec![0xaa; self.configured.game.info().observation.size()];
        self.env.write_observation(Player(player as u8), &mut out).unwrap();
        out
    }
}

/// Observations as floats.
fn floats(configured: &ConfiguredGame<Toll>, bytes: &[u8]) -> Vec<f32> {
    let layout = &configured.game.info().observation;
    let mut out = vec![0.0; bytes.len()];
    for (row, out) in bytes.chunks(layout.size()).zip(out.chunks_mut(layout.size())) {
        layout.to_f32(row, out);
    }
    out
}

fn check_obs(
    configured: &ConfiguredGame<Toll>,
    bytes: &[u8],
    got_u8: &[u8],
    got_f32: &[f32],
    at: usize,
    what: &str,
) {
    let range = at * bytes.len()..(at + 1) * bytes.len();
    if got_f32.is_empty() {
        assert_eq!(&got_u8[range], bytes, "{what}");
    } else {
        assert_eq!(&got_f32[range], floats(configured, bytes), "{what}");
    }
}

/// Compares every buffer with the models.
fn compare(models: &[Model], out: &OwnedBuffers, sizes: &Sizes) {
    let (players, actions) = (sizes.players, sizes.actions);
    for (i, model) in models.iter().enumerate() {
        let what = format!("env {i}, {:?}", model.config);
        let deciders = model.callers_players();
        let configured = &model.configured;
        assert_eq!(out.player[i], deciders.first().map_or(-1, |player| i32::from(player.0)), "{what}");
        for k in 0..players {
            let acts = deciders.contains(&Player(k as u8));
            assert_eq!(out.acting[i * players + k] == 1, acts, "{what}");
        }
        for lane in 0..sizes.lanes {
            let joint = model.config.view == View::Joint;
            let viewer =
                if joint { lane } else { deciders.first().map_or(model.last, |player| player.index()) };
            let row = i * sizes.lanes + lane;
            check_obs(configured, &model.observation(viewer), &out.obs.bytes, &out.obs.floats, row, &what);
            let player = Player(viewer as u8);
            let mut mask = vec![0; actions];
            if deciders.contains(&player) {
                model.env.legal(player).expand(&mut mask);
            }
            assert_eq!(&out.action_mask[row * actions..][..actions], mask, "{what}");
        }
        let row = i * players..(i + 1) * players;
        assert_eq!(out.reward[row.clone()], model.reward, "{what}");
        assert_eq!(out.episode_seed[i], model.env.episode_seed(), "{what}");
        assert_eq!(out.opponent[row.clone()], model.opponents, "{what}");
        let only = |opponents: &[i32]| match opponents.iter().filter(|&&opponent| opponent < 0).count() {
            1 => opponents.iter().position(|&opponent| opponent < 0),
            _ => None,
        };
        assert_eq!(out.learner[i], only(&model.opponents).map_or(-1, |learner| learner as i32), "{what}");
        let paid = only(model.ended.as_ref().map_or(&model.opponents, |end| &end.opponents));
        assert_eq!(out.learner_reward[i], paid.map_or(0.0, |learner| model.reward[learner]), "{what}");
        let flags = (out.terminated[i], out.truncated[i]);
        let Some(end) = &model.ended else {
            assert_eq!(flags, (0, 0), "{what}");
            continue;
        };
        assert_eq!(flags, (u8::from(end.terminated), u8::from(!end.terminated)), "{what}");
        assert_eq!(out.final_player[i], end.viewer as i32, "{what}");
        assert_eq!(out.episode_return[row.clone()], end.returns, "{what}");
        assert_eq!(out.episode_length[i], end.length, "{what}");
        assert_eq!(out.final_seed[i], end.seed, "{what}");
        assert_eq!(out.final_acting[row.clone()], end.acting, "{what}");
        assert_eq!(out.final_opponent[row], end.opponents, "{what}");
        for lane in 0..sizes.lanes {
            let viewer = if sizes.lanes == 1 { end.viewer } else { lane };
            let row = i * sizes.lanes + lane;
            check_obs(configured, &end.obs[viewer], &out.final_obs.bytes, &out.final_obs.floats, row, &what);
            assert_eq!(&out.final_mask[row * actions..][..actions], end.masks[lane], "{what}");
        }
        for (k, obs) in end.obs.iter().enumerate() {
            let row = i * players + k;
            check_obs(configured, obs, &out.final_obs_all.bytes, &out.final_obs_all.floats, row, &what);
        }
    }
}

fn make(configured: &Arc<ConfiguredGame<Toll>>, config: &VecConfig) -> (VecEnv<Toll>, OwnedBuffers) {
    let mut venv = VecEnv::new(configured.clone(), config.clone(), pool()).unwrap();
    // Without this, batches this small would not be shared.
    venv.share_always();
    if config.num_envs % 2 == 1 {
        venv.use_baseline_instructions();
    }
    let out = OwnedBuffers::new(&venv.sizes(), config.dtype);
    (venv, out)
}

/// Plays a batch and its models side by side.
fn side_by_side(configured: &Arc<ConfiguredGame<Toll>>, config: &VecConfig, steps: usize) -> (usize, usize) {
    let (mut venv, mut out) = make(configured, config);
    let sizes = venv.sizes();
    let weights = [1.0, 2.5];
    let mut models: Vec<Model> =
        (0..config.num_envs).map(|i| Model::new(configured, config, i, 11, &weights)).collect();
    venv.reset(Reset { from: Source::Seed(11), mask: None }, &mut out.borrow()).unwrap();
    models.iter_mut().for_each(|model| model.reward.fill(0.0));
    compare(&models, &out, &sizes);
    let (mut terminated, mut truncated) = (0, 0);
    for _ in 0..steps {
        let mut actions = vec![-7; sizes.envs * sizes.lanes];
        if !venv.take_drawn() {
            venv.sample_actions(&mut actions).unwrap();
        } else {
            actions.copy_from_slice(&out.drawn);
        }
        let own: Vec<i64> = models.iter_mut().flat_map(Model::sample).collect();
        assert_eq!(actions, own, "conf_a9: batch sampler = single sampler");
        venv.step(Actions::I64(&actions), &mut out.borrow()).unwrap();
        for (model, actions) in models.iter_mut().zip(actions.chunks(sizes.lanes)) {
            model.step(actions);
        }
        compare(&models, &out, &sizes);
        terminated += out.terminated.iter().filter(|&&x| x == 1).count();
        truncated += out.truncated.iter().filter(|&&x| x == 1).count();
        if config.autoreset == Autoreset::Disabled {
            let over: Vec<u8> = models.iter().map(|model| u8::from(model.over())).collect();
            if over.contains(&1) {
                refuses_what_is_over(&mut venv, &mut out, &actions, &over);
                let reset = Reset { from: Source::Streams, mask: Some(&over) };
                venv.reset(reset, &mut out.borrow()).unwrap();
                for model in &mut models {
                    if model.over() {
                        model.begin();
                    }
                    model.reward.fill(0.0);
                    model.ended = None;
                }
                compare(&models, &out, &sizes);
            }
        }
    }
    check_results(&venv, &models);
    (terminated, truncated)
}

/// N3: stepping a finished environment is refused by index, and nothing is written.
fn refuses_what_is_over(venv: &mut VecEnv<Toll>, out: &mut OwnedBuffers, actions: &[i64], over: &[u8]) {
    let before = format!("{out:?}");
    let wanted: Vec<usize> = (0..over.len()).filter(|&i| over[i] == 1).take(20).collect();
    match venv.step(Actions::I64(actions), &mut out.borrow()) {
        Err(Error::EpisodesOver { envs }) => {
            assert!(envs.iter().all(|env| over[*env] == 1) && !envs.is_empty());
        }
        other => panic!("{other:?} instead of {wanted:?}"),
    }
    assert_eq!(format!("{out:?}"), before);
}

/// N12: results equal a recount.
fn check_results(venv: &VecEnv<Toll>, models: &[Model]) {
    let results = match venv.results() {
        Ok(results) => results,
        Err(error) => {
            assert!(models.iter().all(|model| model.opponents.iter().all(|&opponent| opponent < 0)));
            return assert!(
                error.to_string().starts_with("argument `opponents`: none play in this batch"),
                "{error}"
            );
        }
    };
    let records = std::iter::once(results.total).chain(results.opponents.iter().map(|result| result.record));
    for (k, result) in records.enumerate() {
        let sum = models.iter().map(|model| model.results[k]).fold((0, 0, 0, 0, 0, 0.0), |a, b| {
            (a.0 + b.0, a.1 + b.1, a.2 + b.2, a.3 + b.3, a.4 + b.4, a.5 + b.5)
        });
        let got = (result.episodes, result.wins, result.draws, result.losses, result.truncated);
        assert_eq!(got, (sum.0, sum.1, sum.2, sum.3, sum.4));
        assert!((result.return_sum - sum.5).abs() < 1e-3, "{} {}", result.return_sum, sum.5);
    }
}

fn learner_cases(players: usize, view: View) -> Vec<Learners> {
    let mut all = vec![Learners::All];
    if view == View::Single {
        all.extend([Learners::One(Player(1)), Learners::Rotating]);
    }
    let mut roles = vec![Role::Learner; players];
    roles[0] = Role::Opponent(1);
    if view == View::Single {
        roles[2..].fill(Role::Pool);
    } else if players > 2 {
        roles[2] = Role::Pool;
    }
    all.push(Learners::Roles(roles));
    all
}

#[test]
fn conf_n1_n2_n11_n12_batch_equals_single_environments() {
    let (mut terminated, mut truncated, mut configurations) = (0, 0, 0);
    for players in 2..=4 {
        for &view in View::ALL {
            for learners in learner_cases(players, view) {
                for &autoreset in Autoreset::ALL {
                    for (reward, limit, dtype, threads, num_envs) in [
                        ("outcome", 0, ObsType::U8, 1, 5),
                        ("outcome", 5, ObsType::F32, 2, 130),
                        ("score", 3, ObsType::U8, 1, 258),
                        ("outcome", 3, ObsType::U8, 3, 200),
                        ("score_delta", 4, ObsType::U8, 3, 200),
                        ("score_delta", 0, ObsType::F32, 1, 3),
                    ] {
                        let learners = learners.clone();
                        let config = VecConfig {
                            num_envs,
                            threads,
                            view,
                            autoreset,
                            dtype,
                            learners,
                            ..VecConfig::default()
                        };
                        let ends = side_by_side(&toll(players, reward, limit), &config, 25);
                        terminated += ends.0;
                        truncated += ends.1;
                        configurations += 1;
                    }
                }
            }
        }
    }
    println!("{configurations} configurations, {terminated} terminated, {truncated} truncated");
    assert!(configurations > 100 && terminated > 10_000 && truncated > 10_000);
}

macro_rules! unused {
    ({ $($shown:tt)* } { $($ahead:tt)* }) => {
        unused! { @all $($shown)* $($ahead)* }
    };
    (@all $($(#[$doc:meta])* $name:ident: $kind:ident [$($axis:ident),*];)+) => {
        /// Every output, and what makes it unused.
        const UNUSED: &[fn(&mut OwnedBuffers)] = &[$(|out| out.$name.clear()),+];
    };
}

playmat_core::batch_outputs!(unused);

/// The paths of a step depend on which outputs are used: none writes another value than the others.
#[test]
fn conf_n1_an_unused_output_changes_no_other() {
    let all = UNUSED.len();
    let pairs = (0..all).flat_map(|a| (a..all).map(move |b| vec![a, b]));
    let alone = (0..all).map(|used| (0..all).filter(|&k| k != used).collect());
    let cases: Vec<Vec<usize>> = pairs.chain(alone).chain([(0..all).collect()]).collect();
    for (players, max_steps, dtype, threads) in
        [(2, 0, ObsType::U8, 1), (2, 3, ObsType::U8, 3), (3, 3, ObsType::U8, 1), (2, 3, ObsType::F32, 1)]
    {
        let configured = toll(players, "score", max_steps);
        // Two blocks of the fast path and a part of one.
        let config = VecConfig { num_envs: 300, threads, dtype, ..VecConfig::default() };
        let play = |unused: &[usize]| {
            let mut venv = VecEnv::new(configured.clone(), config.clone(), vec![]).unwrap();
            venv.share_always();
            let mut out = OwnedBuffers::new(&venv.sizes(), dtype);
            unused.iter().for_each(|&k| UNUSED[k](&mut out));
            venv.reset(Reset { from: Source::Seed(5), mask: None }, &mut out.borrow()).unwrap();
            let (mut actions, mut seen) = (vec![0; 300], Vec::new());
            for _ in 0..8 {
                venv.sample_actions(&mut actions).unwrap();
                venv.step(Actions::I64(&actions), &mut out.borrow()).unwrap();
                seen.push((actions.clone(), out.clone()));
            }
            (seen, venv.to_bytes().unwrap())
        };
        let (whole, bytes) = play(&[]);
        for unused in &cases {
            let (seen, own) = play(unused);
            for ((actions, out), (all_actions, all_out)) in seen.iter().zip(&whole) {
                let mut wanted = all_out.clone();
                unused.iter().for_each(|&k| UNUSED[k](&mut wanted));
                assert!(actions == all_actions && *out == wanted, "{players} players, unused {unused:?}");
            }
            assert!(own == bytes, "{players} players, unused {unused:?}");
        }
    }
}

/// A shard applies `take_drawn` only in its next step. Until then, everything that reads or moves the streams must find them as if a call
/// had drawn the actions.
#[test]
fn conf_a9_taken_draws_leave_the_streams_of_a_call() {
    // Shared batches, and batches of several threads that one thread plays.
    for (threads, shared) in [(1, true), (2, true), (5, true), (2, false)] {
        let config = VecConfig { num_envs: 700, threads, ..VecConfig::default() };
        let configured = toll(3, "score", 5);
        let play = |ahead: bool| {
            let mut venv = VecEnv::new(configured.clone(), config.clone(), vec![]).unwrap();
            if shared {
                venv.share_always();
            }
            let mut out = OwnedBuffers::new(&venv.sizes(), config.dtype);
            if !ahead {
                out.drawn.clear();
            }
            venv.reset(Reset { from: Source::Seed(3), mask: None }, &mut out.borrow()).unwrap();
            let mut actions = vec![0; 700];
            venv.sample_actions(&mut actions).unwrap();
            for _ in 0..4 {
                venv.step(Actions::I64(&actions), &mut out.borrow()).unwrap();
                assert_eq!(venv.take_drawn(), ahead);
                match ahead {
                    true => actions.copy_from_slice(&out.drawn),
                    false => venv.sample_actions(&mut actions).unwrap(),
                }
            }
            (venv, out, actions)
        };
        let after = |what: &dyn Fn(&mut VecEnv<Toll>, &mut OwnedBuffers) -> Vec<i64>| {
            let [ahead, called] = [true, false].map(|ahead| {
                let (mut venv, mut out, actions) = play(ahead);
                let got = what(&mut venv, &mut out);
                (actions, got, venv.to_bytes().unwrap(), venv.state_bytes(699).unwrap())
            });
            assert!(ahead == called, "{threads} threads");
        };
        after(&|_, _| vec![]);
        after(&|venv, _| {
            let mut actions = vec![0; 700];
            venv.sample_actions(&mut actions).unwrap();
            actions
        });
        after(&|venv, _| {
            let random = AnyAgent::new(Arc::new(Random), &configured);
            let mut actions = vec![0; 700];
            assert!(venv.act_batch_while(&random, None, &mut actions, &|| true).unwrap());
            actions
        });
        after(&|venv, out| {
            assert!(venv.step(Actions::I64(&[99; 700]), &mut out.borrow()).is_err());
            vec![]
        });
        after(&|venv, out| {
            let reset = Reset { from: Source::Streams, mask: Some(&[1; 700]) };
            venv.reset(reset, &mut out.borrow()).unwrap();
            vec![]
        });
        after(&|venv, _| {
            let bytes = venv.to_bytes().unwrap();
            venv.load_bytes(&bytes).unwrap();
            vec![]
        });
    }
}
