//! Agents: what they may know and keep, one at a time and in batches.

#![allow(clippy::unwrap_used, reason = "a test may stop anywhere")]

use playmat_core::agent::{Agent, AnyAgent, Decisions, Greedy, Knowledge, Memory};
use playmat_core::any::{AnyGame, AnyVecEnv};
use playmat_core::bits::LegalSet;
use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::error::Result;
use playmat_core::game::Game;
use playmat_core::player::{Action, Player};
use playmat_core::rng::Rng;
use playmat_core::show::Show;
use playmat_core::toy::{Nim, Toll};
use playmat_core::vec::{
    Actions, Autoreset, Learners, OwnedBuffers, Reset, Role, Source, VecConfig, VecEnv, View,
};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

fn toll(players: usize) -> Arc<ConfiguredGame<Toll>> {
    Arc::new(ConfiguredGame::new(json!({ "players": players }).as_object().unwrap()).unwrap())
}

/// Counts the decisions of a player in its memory, and plays at random.
#[derive(Debug, Default)]
struct Counts(Mutex<Vec<(Player, u32)>>);

impl Agent<Toll> for Counts {
    fn name(&self) -> &str {
        "counts"
    }

    fn act(&self, known: &Knowledge<'_, Toll>, memory: &mut Memory<'_>, rng: &mut Rng) -> Action {
        let made = memory.get("counts", || 0u32);
        *made += 1;
        self.0.lock().unwrap().push((known.player(), *made));
        rng.pick(known.legal())
    }
}

impl Counts {
    fn take(&self) -> Vec<(Player, u32)> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// Plays an episode to its end and checks that each player counts its own decisions from 1.
fn counted(env: &mut Env<Toll>, agent: &Counts, mut made: BTreeMap<Player, u32>) {
    while let Some(player) = env.current_player() {
        let action = env.act(agent, player).unwrap();
        *made.entry(player).or_default() += 1;
        assert_eq!(agent.take(), [(player, made[&player])]);
        env.step(action.0.into()).unwrap();
    }
}

#[test]
fn a_memory_lasts_an_episode_and_is_copied_with_its_environment() {
    let agent = Counts::default();
    let mut env = Env::new(toll(3), 4);
    counted(&mut env, &agent, BTreeMap::new());
    // A second reset to the same seed is another episode.
    env.reset(Some(4));
    let first = env.current_player().unwrap();
    env.act(&agent, first).unwrap();
    assert_eq!(agent.take(), [(first, 1)]);
    let (mut copy, mut clone) = (env.clone(), env.clone_with_seed(1));
    counted(&mut copy, &agent, BTreeMap::from([(first, 1)]));
    counted(&mut clone, &agent, BTreeMap::new());
    counted(&mut env, &agent, BTreeMap::from([(first, 1)]));
    env.reset(None);
    counted(&mut env, &agent, BTreeMap::new());
}

#[test]
fn opponents_and_labels_have_memories_too() {
    for (threads, view) in [(1, View::Turn), (2, View::Turn), (1, View::Joint)] {
        let agent = Arc::new(Counts::default());
        let learners = Learners::Roles(vec![Role::Learner, Role::Opponent(0), Role::Learner]);
        let config = VecConfig { num_envs: 1, threads, view, learners, ..VecConfig::default() };
        let opponents: Vec<(Arc<dyn Agent<Toll>>, f64)> = vec![(agent.clone(), 1.0)];
        let mut venv = VecEnv::new(toll(3), config, opponents).unwrap();
        let mut out = OwnedBuffers::new(&venv.sizes(), venv.config().dtype);
        let mut actions = vec![0; venv.sizes().envs * venv.sizes().lanes];
        // The same seed twice.
        for _ in 0..2 {
            venv.reset(Reset { from: Source::Seed(3), mask: None }, &mut out.borrow()).unwrap();
            let (mut made, mut most) = (0, 0);
            for _ in 0..60 {
                for (player, count) in agent.take() {
                    assert_eq!(player, Player(1));
                    assert!(count == made + 1 || count == 1, "{count} after {made}");
                    (made, most) = (count, most.max(count));
                }
                venv.sample_actions(&mut actions).unwrap();
                venv.step(Actions::I64(&actions), &mut out.borrow()).unwrap();
            }
            assert!(most > 1);
            agent.take();
            // The rows are of players other than the opponent.
            let labels = AnyAgent::new(agent.clone(), venv.configured());
            for calls in 1..4 {
                venv.act_batch(&labels, None, &mut actions).unwrap();
                let counts = agent.take();
                assert!(
                    !counts.is_empty()
                        && counts.iter().all(|&(player, count)| player != Player(1) && count == calls)
                );
            }
        }
    }
}

/// The second legal action if there is one, which it finds for the whole batch at once.
#[derive(Debug)]
struct Second;

impl<G: Game> Agent<G> for Second {
    fn name(&self) -> &str {
        "second"
    }

    fn act(&self, known: &Knowledge<'_, G>, _: &mut Memory<'_>, _: &mut Rng) -> Action {
        known.legal().iter().nth(1).unwrap_or_else(|| known.legal().iter().next().unwrap())
    }

    fn act_batch(&self, decisions: &mut dyn Decisions<G>) {
        // Like a network: first all observations, then all choices.
        let mut masks = Vec::new();
        for row in 0..decisions.rows() {
            masks.push(decisions.get(row).map(|decision| {
                let info = decision.known.game().info();
                let (mut mask, mut seen) = (vec![7; info.num_actions], vec![7; info.observation.size()]);
                decision.known.write_mask(&mut mask);
                decision.known.write_observation(&mut seen);
                (mask, seen)
            }));
        }
        for (row, (mask, _)) in masks.iter().enumerate().filter_map(|(row, mask)| Some((row, mask.as_ref()?)))
        {
            let legal: Vec<u16> = (0..).zip(mask).filter(|&(_, &byte)| byte == 1).map(|(at, _)| at).collect();
            let action = Action(*legal.get(1).unwrap_or(&legal[0]));
            decisions.get(row).unwrap().choose(action);
        }
    }
}

#[test]
fn act_batch_chooses_like_act() {
    for view in [View::Turn, View::Joint] {
        let config = VecConfig { num_envs: 200, threads: 2, view, ..VecConfig::default() };
        let configured = toll(3);
        let mut venv = VecEnv::new(configured.clone(), config, vec![]).unwrap();
        venv.share_always();
        let mut out = OwnedBuffers::new(&venv.sizes(), venv.config().dtype);
        venv.reset(Reset { from: Source::Seed(3), mask: None }, &mut out.borrow()).unwrap();
        let lanes = venv.sizes().lanes;
        let mut actions = vec![9; 200 * lanes];
        for _ in 0..20 {
            for spec in ["second", "greedy"] {
                let agent: Arc<dyn Agent<Toll>> =
                    if spec == "second" { Arc::new(Second) } else { Arc::new(Greedy) };
                venv.act_batch(&AnyAgent::new(agent.clone(), &configured), None, &mut actions).unwrap();
                for env in 0..200 {
                    let bytes = venv.state_bytes(env).unwrap();
                    let mut single = playmat_core::save::from_bytes(&configured, &bytes).unwrap();
                    for lane in 0..lanes {
                        let player =
                            if lanes == 1 { single.current_player() } else { Some(Player(lane as u8)) };
                        let wanted = player.map_or(Ok(Action(0)), |player| single.act(&*agent, player));
                        let wanted = wanted.unwrap_or(Action(0));
                        assert_eq!(actions[env * lanes + lane], i64::from(wanted.0), "{spec} {env} {lane}");
                    }
                }
            }
            venv.step(Actions::I64(&actions), &mut out.borrow()).unwrap();
        }
    }
}

#[test]
fn act_batch_decides_for_the_chosen_environments_alone() {
    for (view, name) in [(View::Turn, "second"), (View::Joint, "random"), (View::Turn, "random")] {
        let config = VecConfig { num_envs: 150, threads: 2, view, ..VecConfig::default() };
        let configured = toll(3);
        let mut batches = [(); 2].map(|()| VecEnv::new(configured.clone(), config.clone(), vec![]).unwrap());
        let lanes = batches[0].sizes().lanes;
        let agent = match name {
            "second" => AnyAgent::new(Arc::new(Second) as Arc<dyn Agent<Toll>>, &configured),
            _ => AnyAgent::parse(name, &configured).unwrap(),
        };
        let mut actions = [(); 3].map(|()| vec![7; 150 * lanes]);
        for venv in &mut batches {
            venv.reset(Reset { from: Source::Seed(3), mask: None }, &mut Default::default()).unwrap();
        }
        let [venv, twin] = &mut batches;
        for turn in 0..20 {
            let only: Vec<u8> = (0..150).map(|env| u8::from((env + turn) % 3 == 0)).collect();
            let others: Vec<u8> = only.iter().map(|&chosen| 1 - chosen).collect();
            let [all, some, rest] = &mut actions;
            twin.act_batch(&agent, None, all).unwrap();
            venv.act_batch(&agent, Some(&only), some).unwrap();
            venv.act_batch(&agent, Some(&others), rest).unwrap();
            for (at, &wanted) in all.iter().enumerate() {
                let is_chosen = only[at / lanes] != 0;
                let got = (some[at], rest[at]);
                assert_eq!(got, if is_chosen { (wanted, -1) } else { (-1, wanted) }, "{name}, row {at}");
            }
            // Streams were used once each.
            venv.step(Actions::I64(all), &mut Default::default()).unwrap();
            twin.step(Actions::I64(all), &mut Default::default()).unwrap();
            assert_eq!(venv.to_bytes().unwrap(), twin.to_bytes().unwrap());
        }
        let said = venv.act_batch(&agent, Some(&[1; 149]), &mut actions[0]).unwrap_err().to_string();
        assert_eq!(said, "argument `mask`: got 149 entries; wanted 150");
    }
}

#[test]
fn an_agent_of_another_game_is_refused() {
    let (two, three) = (toll(2), toll(3));
    let nim = Arc::new(ConfiguredGame::<Nim>::new(&Default::default()).unwrap());
    let agent = AnyGame::agent(&three, "greedy").unwrap();
    assert_eq!((agent.name(), format!("{agent:?}").as_str()), ("greedy", "AnyAgent(greedy for toll)"));
    let act = |game: &dyn AnyGame| {
        let mut env = game.env(1);
        let player = env.acting().first().unwrap();
        let before = env.to_bytes();
        let said = env.act(&agent, player).map_err(|error| error.to_string());
        assert!(said.is_ok() || env.to_bytes() == before);
        said.map(|_| ())
    };
    // Another object of the same game is accepted, also with another kind of reward.
    let options = json!({"players": 3, "reward": "score", "max_steps": 9});
    let again = Arc::new(ConfiguredGame::<Toll>::new(options.as_object().unwrap()).unwrap());
    assert_eq!([act(&three), act(&again)], [Ok(()), Ok(())]);
    let said = act(&two).unwrap_err();
    assert!(said.starts_with("argument `agent`: `greedy` was made for `toll` with {\"players\":3"), "{said}");
    assert!(said.contains("; this environment has {\"players\":2"), "{said}");
    let said = act(&nim).unwrap_err();
    assert_eq!(said, "argument `agent`: `greedy` was made for `toll`; this environment plays `nim`");
    let mut venv = two.vec_env(VecConfig::default(), &[]).unwrap();
    let mut out = OwnedBuffers::new(&venv.sizes(), venv.config().dtype);
    venv.reset(Reset::default(), &mut out.borrow()).unwrap();
    let before = venv.to_bytes().unwrap();
    let refused = [
        venv.act_batch(&agent, None, &mut [0]).unwrap_err(),
        venv.add_opponent(&agent, 1.0).unwrap_err(),
        two.survey(1, 0, std::slice::from_ref(&agent)).unwrap_err(),
    ];
    assert!(refused.iter().all(|error| error.to_string().contains("was made for")), "{refused:?}");
    assert_eq!(venv.to_bytes().unwrap(), before);
    let own = two.agent("random").unwrap();
    assert_eq!(
        venv.act_batch(&own, None, &mut [0, 0]).unwrap_err().to_string(),
        "argument `out`: got 2 elements; wanted 1"
    );
    assert_eq!(
        two.agent("gredy").unwrap_err().to_string(),
        "argument `agent`: got `gredy` (did you mean `greedy`?); allowed: `random`, `greedy`, `mcts:400`, `mcts:50ms`, `FILE.onnx`"
    );
}

/// Always chooses an illegal action.
#[derive(Debug)]
struct Cheats;

impl Agent<Toll> for Cheats {
    fn name(&self) -> &str {
        "cheats"
    }

    fn act(&self, known: &Knowledge<'_, Toll>, _: &mut Memory<'_>, _: &mut Rng) -> Action {
        assert!(format!("{known:?}").starts_with("Knowledge { game: \"toll\", player: Player("));
        assert!(!format!("{known:?}").contains("card"), "the state is not shown");
        Action(999)
    }
}

#[test]
fn illegal_choices_of_agents_are_never_applied() {
    let configured = toll(2);
    let mut env = Env::new(configured.clone(), 0);
    let said = env.act(&Cheats, Player(0)).unwrap_err().to_string();
    assert_eq!(said, "argument `agent`: `cheats` chose action 999, which is not legal");
    assert_eq!(env.act(&Greedy, Player(5)).unwrap_err().code(), "invalid_player");
    let failed = std::panic::catch_unwind(|| {
        let config = VecConfig { learners: Learners::One(Player(1)), ..VecConfig::default() };
        let opponents: Vec<(Arc<dyn Agent<Toll>>, f64)> = vec![(Arc::new(Cheats), 1.0)];
        let mut venv = VecEnv::new(configured, config, opponents).unwrap();
        let mut out = OwnedBuffers::new(&venv.sizes(), venv.config().dtype);
        let _ = venv.reset(Reset::default(), &mut out.borrow());
    });
    assert!(failed.is_err());
}

/// Chooses by what it sees, by the number of its decisions and by chance: for each environment alone, or for many at once.
#[derive(Debug)]
struct Ponders {
    name: &'static str,
    together: bool,
    /// Rows of every batch, if it chooses for many.
    batches: Mutex<Vec<usize>>,
}

impl<G: Game> Agent<G> for Ponders {
    fn name(&self) -> &str {
        self.name
    }

    fn act(&self, known: &Knowledge<'_, G>, memory: &mut Memory<'_>, rng: &mut Rng) -> Action {
        let made = memory.get(self.name, || 0u32);
        *made += 1;
        let mut seen = vec![0; known.game().info().observation.size()];
        known.write_observation(&mut seen);
        let sum = seen.iter().map(|&byte| u32::from(byte)).sum::<u32>() + *made + self.name.len() as u32;
        let legal = known.legal();
        // Chance is used where there is a choice only: an agent that chooses for many is not called otherwise.
        let drawn = if legal.len() == 1 { 0 } else { rng.next_u32() >> 30 };
        legal.select((sum + drawn) % legal.len())
    }

    fn prefers_batches(&self) -> bool {
        self.together
    }

    fn act_batch(&self, decisions: &mut dyn Decisions<G>) {
        assert!(self.together, "an opponent that chooses alone is not called for a batch");
        let rows = decisions.rows();
        self.batches.lock().unwrap().push(rows);
        // In an order of its own.
        for row in (0..rows).rev() {
            let mut decision = decisions.get(row).unwrap();
            let action = self.act(&decision.known, &mut decision.memory, decision.rng);
            decision.choose(action);
        }
    }
}

/// Everything that 30 steps, resets and continued states give with opponents that choose alone, or together.
fn played<G: Show>(
    configured: &Arc<ConfiguredGame<G>>,
    config: &VecConfig,
    together: bool,
) -> Vec<(String, Result<Vec<u8>>)> {
    let agents = ["pondering", "wondering"]
        .map(|name| Arc::new(Ponders { name, together, batches: Mutex::default() }) as Arc<dyn Agent<G>>);
    let [first, second] = agents;
    let opponents = vec![(first, 1.0), (Arc::new(Greedy) as _, 1.0), (second, 0.5)];
    let mut venv = match VecEnv::new(configured.clone(), config.clone(), opponents) {
        Ok(venv) => venv,
        Err(error) => return vec![(error.to_string(), Ok(Vec::new()))],
    };
    venv.share_always();
    let mut out = OwnedBuffers::new(&venv.sizes(), venv.config().dtype);
    let mut actions = vec![0; venv.sizes().envs * venv.sizes().lanes];
    let mut all = Vec::new();
    let envs = config.num_envs;
    for turn in 0..30 {
        let done = if turn == 0 {
            venv.reset(Reset { from: Source::Seed(5), mask: None }, &mut out.borrow())
        } else if turn % 10 == 9 {
            let mask: Vec<u8> = (0..envs).map(|env| u8::from(env % 3 == 0)).collect();
            venv.reset(Reset { from: Source::Streams, mask: Some(&mask) }, &mut out.borrow())
        } else if turn == 15 {
            let states: Vec<_> = (0..envs).map(|env| venv.state_bytes(env).unwrap()).collect();
            let states: Vec<&[u8]> = states.iter().map(Vec::as_slice).collect();
            let over = (0..envs).any(|env| venv.episode(env).unwrap().over);
            let from = if over { Source::Seed(6) } else { Source::States(&states) };
            venv.reset(Reset { from, mask: None }, &mut out.borrow())
        } else {
            let sampled = venv.sample_actions(&mut actions);
            sampled.and_then(|()| venv.step(Actions::I64(&actions), &mut out.borrow()))
        };
        let shown = format!("{done:?} {out:?} {:?}", venv.results());
        if venv.config().autoreset == Autoreset::Disabled && done.is_ok() {
            let over: Vec<u8> = (0..envs).map(|env| u8::from(venv.episode(env).unwrap().over)).collect();
            let from = Source::Streams;
            venv.reset(Reset { from, mask: Some(&over) }, &mut out.borrow()).unwrap();
        }
        all.push((shown, venv.to_bytes()));
    }
    all
}

#[test]
fn opponents_choose_together_as_alone() {
    let mut ended = 0;
    for (players, max_steps, reward) in
        [(2, 0, "score"), (3, 0, "score_delta"), (4, 5, "outcome"), (2, 2, "outcome")]
    {
        let options = json!({ "players": players, "max_steps": max_steps, "reward": reward });
        let configured = Arc::new(ConfiguredGame::<Toll>::new(options.as_object().unwrap()).unwrap());
        let mut roles = vec![Role::Pool; players];
        roles[players - 1] = Role::Learner;
        roles[0] = Role::Opponent(0);
        if players == 4 {
            roles[2] = Role::Learner;
        }
        for (view, learners) in [
            (View::Turn, Learners::Roles(roles.clone())),
            (View::Joint, Learners::Roles(roles)),
            (View::Single, Learners::Rotating),
            (View::Turn, Learners::One(Player(1))),
        ] {
            for (autoreset, threads) in [
                (Autoreset::SameStep, 1),
                (Autoreset::SameStep, 3),
                (Autoreset::NextStep, 2),
                (Autoreset::Disabled, 1),
            ] {
                if view == View::Single && threads == 3 {
                    continue;
                }
                let config = VecConfig {
                    num_envs: 70,
                    threads,
                    view,
                    autoreset,
                    learners: learners.clone(),
                    ..VecConfig::default()
                };
                let (alone, together) =
                    (played(&configured, &config, false), played(&configured, &config, true));
                assert!(alone == together, "{players} players, {config:?}");
                ended += usize::from(alone.len() > 1);
            }
        }
    }
    assert!(ended > 50, "{ended} of the configurations have learners that decide");
}

#[test]
fn an_opponent_that_chooses_together_is_given_all_environments_that_wait() {
    let agent = Arc::new(Ponders { name: "pondering", together: true, batches: Mutex::default() });
    let opponents: Vec<(Arc<dyn Agent<Toll>>, f64)> = vec![(agent.clone(), 1.0)];
    let learners = Learners::One(Player(1));
    let config = VecConfig { num_envs: 50, learners, ..VecConfig::default() };
    let mut venv = VecEnv::new(toll(2), config, opponents).unwrap();
    venv.reset(Reset { from: Source::Seed(5), mask: None }, &mut Default::default()).unwrap();
    // The first bids, before those of the learner.
    assert_eq!(agent.batches.lock().unwrap()[..], [50]);
}

/// Fails at the third batch.
#[derive(Debug, Default)]
struct Fails(Mutex<u32>);

impl Agent<Toll> for Fails {
    fn name(&self) -> &str {
        "fails"
    }

    fn act(&self, known: &Knowledge<'_, Toll>, _: &mut Memory<'_>, _: &mut Rng) -> Action {
        known.legal().select(0)
    }

    fn prefers_batches(&self) -> bool {
        true
    }

    fn act_batch(&self, decisions: &mut dyn Decisions<Toll>) {
        let calls = *self.0.lock().unwrap();
        *self.0.lock().unwrap() = calls + 1;
        for row in 0..decisions.rows() {
            let decision = decisions.get(row).unwrap();
            assert!(calls != 2 || row < 3, "the third batch");
            let first = decision.known.legal().select(0);
            decision.choose(first);
        }
    }
}

#[test]
fn environments_that_waited_when_an_opponent_failed_start_anew() {
    let batch = |agent: &Arc<Fails>| {
        let opponents: Vec<(Arc<dyn Agent<Toll>>, f64)> = vec![(agent.clone(), 1.0)];
        let config = VecConfig { num_envs: 8, learners: Learners::One(Player(1)), ..VecConfig::default() };
        VecEnv::new(toll(3), config, opponents).unwrap()
    };
    let agent = Arc::new(Fails::default());
    let mut venv = batch(&agent);
    let mut out = OwnedBuffers::new(&venv.sizes(), venv.config().dtype);
    let mut actions = vec![0; 8];
    let seed = Reset { from: Source::Seed(1), mask: None };
    let mut steps = 0;
    let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        venv.reset(seed, &mut out.borrow()).unwrap();
        while steps < 50 {
            steps += 1;
            venv.sample_actions(&mut actions).unwrap();
            venv.step(Actions::I64(&actions), &mut out.borrow()).unwrap();
        }
    }));
    assert!(failed.is_err());
    let said = venv.step(Actions::I64(&actions), &mut out.borrow()).unwrap_err().to_string();
    assert!(said.contains("`reset` all environments first"), "{said}");
    let mut other = batch(&agent);
    let mut wanted = OwnedBuffers::new(&other.sizes(), other.config().dtype);
    for (venv, out) in [(&mut venv, &mut out), (&mut other, &mut wanted)] {
        venv.reset(seed, &mut out.borrow()).unwrap();
        actions.fill(0);
        for _ in 0..20 {
            venv.sample_actions(&mut actions).unwrap();
            venv.step(Actions::I64(&actions), &mut out.borrow()).unwrap();
        }
    }
    assert_eq!(venv.to_bytes().unwrap(), other.to_bytes().unwrap());
    assert_eq!((out.obs.bytes, out.reward), (wanted.obs.bytes, wanted.reward));
}
