//! Functions of the host as agents: they choose as agents of the engine do, and after a failure everything is as before the call.

#![allow(clippy::unwrap_used, reason = "a test may stop anywhere")]

use playmat_core::agent::{
    Agent, AnyAgent, Failure, Function, FunctionRows, Knowledge, Memory, Observations,
};
use playmat_core::any::{AnyGame, AnyVecEnv};
use playmat_core::bits::LegalSet;
use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::error::Error;
use playmat_core::player::Action;
use playmat_core::rng::Rng;
use playmat_core::toy::Toll;
use playmat_core::vec::{
    Actions, Learners, ObsType, OwnedBuffers, Request, Reset, Role, Rollout, Source, VecConfig, VecEnv, View,
};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// Plays the highest legal action, as a function; or fails.
#[derive(Debug, Default)]
struct Highest {
    dtype: ObsType,
    /// 0: plays. 1: fails with a number. 2: chooses an illegal action in the last row.
    fails: AtomicI64,
}

impl Function for Highest {
    fn choose(&self, rows: &FunctionRows<'_>, actions: &mut [i64]) -> Result<(), Failure> {
        let width = rows.action_mask.len() / actions.len();
        assert_eq!(rows.players.len(), actions.len());
        let observed = match (rows.obs, self.dtype) {
            (Observations::U8(bytes), ObsType::U8) => bytes.len(),
            (Observations::F32(floats), ObsType::F32) => floats.len(),
            other => panic!("{other:?}"),
        };
        assert_eq!(observed % actions.len(), 0);
        for (action, mask) in actions.iter_mut().zip(rows.action_mask.chunks_exact(width)) {
            assert!(mask.iter().filter(|&&legal| legal != 0).count() > 1, "there is a choice");
            *action = mask.iter().rposition(|&legal| legal != 0).unwrap() as i64;
        }
        match self.fails.load(Ordering::Relaxed) {
            1 => Err(Box::new(77_u32)),
            2 => {
                *actions.last_mut().unwrap() = width as i64;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// The same as an agent of the engine.
#[derive(Debug)]
struct HighestAgent;

impl Agent<Toll> for HighestAgent {
    fn name(&self) -> &str {
        "highest"
    }

    fn act(&self, known: &Knowledge<'_, Toll>, _: &mut Memory<'_>, _: &mut Rng) -> Action {
        known.legal().select(known.legal().len() - 1)
    }
}

fn toll() -> Arc<ConfiguredGame<Toll>> {
    let options = json!({"players": 3, "max_steps": 14});
    Arc::new(ConfiguredGame::new(options.as_object().unwrap()).unwrap())
}

fn batch(agent: &AnyAgent, view: View, threads: usize) -> Box<dyn AnyVecEnv> {
    let config =
        VecConfig { num_envs: 150, threads, view, learners: Learners::Rotating, ..VecConfig::default() };
    let random = toll().agent("random").unwrap();
    toll().vec_env_of(config, &[(agent.clone(), 2.0), (random, 1.0)]).unwrap()
}

/// All outputs of a batch, with its saved bytes.
fn seen(venv: &mut dyn AnyVecEnv, out: &OwnedBuffers) -> (OwnedBuffers, Vec<u8>) {
    (out.clone(), venv.to_bytes().unwrap())
}

#[test]
fn a_function_plays_as_an_agent_of_the_engine() {
    for (view, threads, dtype) in
        [(View::Single, 1, ObsType::U8), (View::Turn, 2, ObsType::F32), (View::Joint, 2, ObsType::U8)]
    {
        let function =
            toll().function_agent("highest", Arc::new(Highest { dtype, ..Highest::default() }), dtype);
        let own = AnyAgent::new::<Toll>(Arc::new(HighestAgent), &toll());
        let mut all = [&function, &own].map(|agent| batch(agent, view, threads));
        let found = all.each_mut().map(|venv| {
            let mut out = OwnedBuffers::new(&venv.sizes(), ObsType::U8);
            let mut actions = vec![0; 150 * venv.sizes().lanes];
            venv.reset(Reset { from: Source::Seed(5), mask: None }, &mut out.borrow()).unwrap();
            for _ in 0..60 {
                venv.sample_actions(&mut actions).unwrap();
                venv.step(Actions::I64(&actions), &mut out.borrow()).unwrap();
            }
            seen(&mut **venv, &out)
        });
        assert!(found[0] == found[1], "{view:?}");
        assert!(all[0].results().unwrap().opponents[0].record.episodes > 100);
    }
}

#[test]
fn after_a_failure_everything_is_as_before() {
    for (view, threads) in [(View::Single, 1), (View::Turn, 2), (View::Joint, 1), (View::Single, 2)] {
        let highest = Arc::new(Highest::default());
        let function = toll().function_agent("highest", highest.clone(), ObsType::U8);
        let mut venv = batch(&function, view, threads);
        let mut out = OwnedBuffers::new(&venv.sizes(), ObsType::U8);
        let mut actions = vec![0; 150 * venv.sizes().lanes];
        let reset = |venv: &mut dyn AnyVecEnv, out: &mut OwnedBuffers, from| {
            venv.reset(Reset { from, mask: None }, &mut out.borrow())
        };
        highest.fails.store(1, Ordering::Relaxed);
        assert!(reset(&mut *venv, &mut out, Source::Seed(5)).is_err());
        assert!(matches!(venv.to_bytes(), Err(Error::Order(_))), "nothing was reset yet");
        highest.fails.store(0, Ordering::Relaxed);
        reset(&mut *venv, &mut out, Source::Seed(5)).unwrap();
        for step in 0..20 {
            venv.sample_actions(&mut actions).unwrap();
            let before = seen(&mut *venv, &out);
            for (fails, call) in [(1, 0), (2, 0), (1, 1), (2, 1), (1, 2), (2, 2)] {
                highest.fails.store(fails, Ordering::Relaxed);
                let result = match call {
                    0 => venv.step(Actions::I64(&actions), &mut out.borrow()),
                    1 => reset(&mut *venv, &mut out, Source::Streams),
                    _ => {
                        let random = toll().agent("random").unwrap();
                        let mut rollout = Rollout { steps: 9, ..Rollout::default() };
                        venv.rollout(&random, &mut rollout, &mut out.borrow())
                    }
                };
                assert!(result.is_err(), "{view:?} {step} {call}");
                let failure = venv.take_failure().unwrap();
                if fails == 1 {
                    assert_eq!(failure.downcast_ref(), Some(&77_u32));
                } else {
                    let said = failure.downcast_ref::<Error>().unwrap().to_string();
                    assert!(
                        said.starts_with("argument `agent`: `highest` chose illegal actions in 1 of"),
                        "{said}"
                    );
                }
                assert!(venv.take_failure().is_none(), "only once");
                assert!(seen(&mut *venv, &out) == before, "{view:?} {step} {call}");
            }
            highest.fails.store(0, Ordering::Relaxed);
            venv.step(Actions::I64(&actions), &mut out.borrow()).unwrap();
        }
    }
}

#[test]
fn decisions_outside_of_opponents_fail_alone() {
    let highest = Arc::new(Highest::default());
    let game = toll();
    let function = game.function_agent("highest", highest.clone(), ObsType::U8);
    let mut env = Env::new(game.clone(), 3);
    let player = env.current_player().unwrap();
    let mut any = game.env(3);
    let chosen = any.act_while(&function, player, &|| true).unwrap().unwrap();
    assert_eq!(chosen, env.act(&HighestAgent, player).unwrap());
    assert!(function.can_fail() && !function.has_failed() && function.take_failure().is_none());
    highest.fails.store(1, Ordering::Relaxed);
    assert_eq!(any.act_while(&function, player, &|| true).unwrap(), None);
    assert!(function.has_failed());
    assert_eq!(function.take_failure().unwrap().downcast_ref(), Some(&77_u32));
    assert!(!function.has_failed());

    let mut venv =
        VecEnv::new(game.clone(), VecConfig { num_envs: 9, ..VecConfig::default() }, vec![]).unwrap();
    let mut out = OwnedBuffers::new(&venv.sizes(), ObsType::U8);
    venv.reset(Reset { from: Source::Seed(1), mask: None }, &mut out.borrow()).unwrap();
    let mut actions = [-7; 9];
    let before = venv.to_bytes().unwrap();
    assert!(venv.act_batch_while(&function, None, &mut actions, &|| true).is_err());
    assert!(venv.take_failure().is_some() && actions == [-7; 9] && venv.to_bytes().unwrap() == before);
    let mut rollout = Rollout { steps: 3, ..Rollout::default() };
    assert!(venv.rollout(&function, &mut rollout, &mut out.borrow()).is_err());
    assert_eq!(venv.to_bytes().unwrap(), before);
    highest.fails.store(0, Ordering::Relaxed);
    assert!(venv.act_batch_while(&function, None, &mut actions, &|| true).unwrap());
    assert!(actions.iter().all(|&action| action >= 0));
}

#[test]
fn requests_know_functions_by_name() {
    let given =
        json!({"view": "single", "roles": ["learner", "mine", "pool"], "opponents": [["mine", 2], "random"]});
    let given = given.as_object().unwrap();
    let request = Request::read_with(4, given, 3, &["mine"]).unwrap();
    assert_eq!(request.pool(), [("mine", 2.0), ("random", 1.0)]);
    let roles = vec![Role::Learner, Role::Opponent(0), Role::Pool];
    assert_eq!(request.config.learners, Learners::Roles(roles));
    assert!(Request::read(4, given, 3).unwrap_err().to_string().contains("got `mine`"));
}
