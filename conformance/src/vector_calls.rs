//! Calls of a batch: refused ones (N3 to N6, N13), seeds (S3), threads (S4, N10) and floats (V3).

use super::difference::segment_at;
use super::episodes::{EpisodeRecord, play_episodes};
use super::filling::{dirty, fill};
use super::fixture::Fixture;
use super::pair::{CUT, Pair, config, seeds};
use super::play::observation_of;
use super::report::{Recorder, Trace};
use super::row_view::{RowView, back};
use playmat_core::any::{AnyGame, AnyVecEnv};
use playmat_core::error::Error;
use playmat_core::player::Player;
use playmat_core::vec::{
    Actions, Autoreset, Buffers, ObsType, OwnedBuffers, Reset, Rollout, Source, VecConfig, View,
};
use serde_json::json;

/// A rollout without outputs plays its environments in another order than steps do. It must leave what they leave, and write what the last of
/// them writes.
pub(super) fn n1_rollouts_equal_steps(fixture: &Fixture<'_>, rec: &mut Recorder) {
    for cut in [0, CUT] {
        for reward in &fixture.info().rewards {
            let reward = reward.name();
            let Ok(game) = fixture.any(&[("max_steps", json!(cut)), ("reward", json!(reward))]) else {
                return rec.fail("N1", format!("does not load with max_steps {cut} and reward {reward}"));
            };
            for (threads, dtype) in [(1, ObsType::U8), (3, ObsType::U8), (1, ObsType::F32)] {
                rec.saw("N1", PLAYED, 0, PLAYED);
                let name =
                    format!("rollouts with max_steps={cut} {reward} {} {threads} threads", dtype.name());
                let settings =
                    VecConfig { threads, ..config(PLAYED, View::Turn, Autoreset::SameStep, dtype) };
                match (roll_out(&*game, settings.clone()), step_on(&*game, settings)) {
                    (Ok(rolled), Ok(stepped)) => {
                        rec.claim("N1", rolled.0 == stepped.0, || format!("{name} leave other environments"));
                        rec.claim("N1", rolled.1.has_bits_of(&stepped.1), || {
                            format!("{name} write other results")
                        });
                    }
                    (Err(error), _) | (_, Err(error)) => rec.fail("N1", format!("{name}: {error}")),
                }
            }
        }
    }
}

/// Environments of a rollout: several blocks of it, the last one incomplete.
const PLAYED: usize = 150;
/// Steps of each call; the last call writes outputs.
const CALLS: [usize; 4] = [1, 30, 2, 40];

type Left = (Vec<u8>, OwnedBuffers);

fn begin(game: &dyn AnyGame, settings: VecConfig) -> Result<(Box<dyn AnyVecEnv>, OwnedBuffers), Error> {
    let mut venv = game.vec_env(settings, &[])?;
    venv.share_always();
    let out = dirty(&*venv, 0x5a);
    venv.reset(Reset { from: Source::Seed(1), mask: None }, &mut Buffers::default())?;
    Ok((venv, out))
}

fn roll_out(game: &dyn AnyGame, settings: VecConfig) -> Result<Left, Error> {
    let (mut venv, mut out) = begin(game, settings)?;
    out.drawn.clear();
    let agent = game.agent("random")?;
    for (call, steps) in CALLS.into_iter().enumerate() {
        let rollout = &mut Rollout { steps, ..Rollout::default() };
        let last = if call + 1 == CALLS.len() { out.borrow() } else { Buffers::default() };
        venv.rollout(&agent, rollout, &mut { last })?;
    }
    Ok((venv.to_bytes()?, out))
}

fn step_on(game: &dyn AnyGame, settings: VecConfig) -> Result<Left, Error> {
    let (mut venv, mut out) = begin(game, settings)?;
    out.drawn.clear();
    let mut unused = OwnedBuffers { drawn: vec![0; PLAYED], ..OwnedBuffers::default() };
    let steps: usize = CALLS.iter().sum();
    for _ in 1..steps {
        sample_and_step(&mut *venv, &mut unused)?;
    }
    sample_and_step(&mut *venv, &mut out)?;
    Ok((venv.to_bytes()?, out))
}

pub(super) fn n3_disabled(fixture: &Fixture<'_>, rec: &mut Recorder) {
    // One decision ends every episode, in every game.
    let Ok(game) = fixture.any(&[("max_steps", json!(1))]) else { return rec.fail("N3", "does not load") };
    let mut pair = match Pair::new(&*game, config(3, View::Turn, Autoreset::Disabled, ObsType::U8), 0) {
        Ok(pair) => pair,
        Err(error) => return rec.fail("N3", error.to_string()),
    };
    rec.at(&Trace::start(seeds(3, 1)[0]));
    let mut actions = vec![0; 3];
    let stepped = pair.venv.sample_actions(&mut actions).is_ok()
        && pair.venv.step(Actions::I64(&actions), &mut pair.out.borrow()).is_ok();
    if !stepped {
        return rec.fail("N3", "a sampled step is refused");
    }
    rec.saw("N3", 3, 0, 3);
    rec.claim("N3", pair.out.player == [-1; 3], || {
        format!("after the end players are {:?}", pair.out.player)
    });
    let before = pair.venv.to_bytes();
    let kept = pair.out.clone();
    for actions in [vec![0i64, 0, 0], vec![-1, 5, 0]] {
        let outcome = pair.venv.step(Actions::I64(&actions), &mut pair.out.borrow());
        let refused = matches!(&outcome, Err(Error::EpisodesOver { envs }) if *envs == [0, 1, 2]);
        rec.claim("N3", refused, || format!("stepping finished environments: {outcome:?}"));
    }
    rec.claim("N3", pair.venv.to_bytes() == before && kept.has_bits_of(&pair.out), || {
        "a refused step changed the batch".into()
    });
    let reset = Reset { from: Source::Streams, mask: Some(&[0, 1, 0]) };
    if let Err(error) = pair.venv.reset(reset, &mut pair.out.borrow()) {
        return rec.fail("N3", error.to_string());
    }
    let players = &pair.out.player;
    let only = players[0] == -1 && players[1] >= 0 && players[2] == -1;
    rec.claim("N3", only, || format!("a reset of environment 1 alone leaves players {players:?}"));
    let untouched =
        pair.out.episode_seed[0] == kept.episode_seed[0] && pair.out.episode_seed[1] != kept.episode_seed[1];
    rec.claim("N3", untouched, || "a masked reset restarted the wrong environments".into());
}

pub(super) fn n4_transactions(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("N4", rec) else { return };
    for (threads, view) in [(1, View::Turn), (2, View::Turn), (1, View::Joint)] {
        let n = 5;
        let settings = VecConfig { threads, ..config(n, view, Autoreset::SameStep, ObsType::U8) };
        let mut pair = match Pair::new(&*game, settings, 0) {
            Ok(pair) => pair,
            Err(error) => return rec.fail("N4", error.to_string()),
        };
        rec.at(&Trace::start(seeds(n, 1)[0]));
        let sizes = pair.venv.sizes();
        let mut actions = vec![0i64; n * sizes.lanes];
        for step in 0..12 {
            if let Err(error) = pair.venv.sample_actions(&mut actions) {
                return rec.fail("N4", error.to_string());
            }
            let (bad, lane) = (step % n, pair.out.player[step % n].max(0) as usize % sizes.lanes);
            let row = RowView { out: &pair.out, env: bad, sizes };
            let off = (0..sizes.actions).find(|&a| row.mask(lane)[a] == 0).map_or(-1, |a| a as i64);
            let illegal = [off, -1, sizes.actions as i64, i64::MAX, 65_536][step % 5];
            let mut wrong = actions.clone();
            wrong[bad * sizes.lanes + lane] = illegal;
            rec.saw("N4", 1, 1, 1);
            rec.saw("N13", 1, 0, 1);
            fill(&mut pair.out, 0x5a);
            let kept = pair.out.clone();
            let before = pair.venv.to_bytes();
            let outcome = pair.venv.step(Actions::I64(&wrong), &mut pair.out.borrow());
            match &outcome {
                Err(Error::IllegalActions(refused)) => {
                    let named = refused.count == 1 && refused.rows.len() == 1 && refused.rows[0].0 == bad;
                    let reported = named && refused.rows[0].2 == illegal;
                    rec.claim("N4", reported, || {
                        format!("row {bad} has illegal action {illegal}; refused {:?}", refused.rows)
                    });
                }
                other => rec.fail("N4", format!("row {bad} has illegal action {illegal}: {other:?}")),
            }
            rec.claim("N4", pair.venv.to_bytes() == before, || {
                "a refused step changed an environment".into()
            });
            rec.claim("N4", kept.has_bits_of(&pair.out), || "a refused step wrote into a buffer".into());
            // N13: the batch continues as if the refused call had not been made.
            let mut twin = match Pair::new(&*game, pair.venv.config().clone(), 0) {
                Ok(twin) => twin,
                Err(error) => return rec.fail("N13", error.to_string()),
            };
            let outcome = pair.venv.step(Actions::I64(&actions), &mut pair.out.borrow());
            rec.claim("N13", outcome.is_ok(), || format!("after a refusal a legal step gives {outcome:?}"));
            if let (Ok(bytes), Ok(mine)) = (&before, pair.venv.to_bytes()) {
                let again = twin.venv.load_bytes(bytes).is_ok()
                    && twin.venv.step(Actions::I64(&actions), &mut twin.out.borrow()).is_ok()
                    && twin.venv.to_bytes() == Ok(mine);
                rec.claim("N13", again, || "a refusal left a trace in the next step".into());
            }
        }
    }
}

pub(super) fn n5_wrong_lengths(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("N5", rec) else { return };
    for &dtype in ObsType::ALL {
        let mut pair = match Pair::new(&*game, config(2, View::Turn, Autoreset::SameStep, dtype), 0) {
            Ok(pair) => pair,
            Err(error) => return rec.fail("N5", error.to_string()),
        };
        let mut actions = vec![0; 2];
        let _ = pair.venv.sample_actions(&mut actions);
        let before = pair.venv.to_bytes();
        let names = |outcome: &Result<(), Error>, name: &str| matches!(outcome, Err(Error::InvalidArgument { argument, .. }) if *argument == name);
        for wrong in [vec![], vec![0], vec![0; 3]] {
            rec.saw("N5", 1, 0, 0);
            let outcome = pair.venv.step(Actions::I64(&wrong), &mut pair.out.borrow());
            rec.claim("N5", names(&outcome, "actions"), || {
                format!("{} actions for 2: {outcome:?}", wrong.len())
            });
        }
        type Spoil = fn(&mut OwnedBuffers);
        let spoils: [(&str, Spoil); 6] = [
            ("action_mask", |out| out.action_mask.push(0)),
            ("player", |out| out.player.push(0)),
            ("reward", |out| out.reward.truncate(1)),
            ("terminated", |out| out.terminated.push(0)),
            ("episode_seed", |out| out.episode_seed.push(0)),
            ("obs", |out| {
                out.obs.bytes.extend([0; 3]);
                out.obs.floats.extend([0.0; 3]);
            }),
        ];
        for (name, spoil) in spoils {
            rec.saw("N5", 1, 0, 0);
            let mut out = dirty(&*pair.venv, 7);
            spoil(&mut out);
            let kept = out.clone();
            // Only the observations of the configured element type may be given.
            if dtype == ObsType::U8 {
                out.obs.floats.clear();
            } else {
                out.obs.bytes.clear();
            }
            let shape = out.clone();
            let outcome = pair.venv.step(Actions::I64(&actions), &mut out.borrow());
            rec.claim("N5", names(&outcome, name), || format!("`{name}` of a wrong length: {outcome:?}"));
            rec.claim("N5", shape.has_bits_of(&out) && kept.player == out.player, || {
                "a refused step wrote".into()
            });
        }
        rec.claim("N5", pair.venv.to_bytes() == before, || "a refused step changed the batch".into());
        let other = if dtype == ObsType::U8 { ObsType::F32 } else { ObsType::U8 };
        let mut out = OwnedBuffers::new(&pair.venv.sizes(), other);
        let outcome = pair.venv.step(Actions::I64(&actions), &mut out.borrow());
        rec.claim("N5", names(&outcome, "obs"), || format!("observations of another type: {outcome:?}"));
        let outcome = pair.venv.step(Actions::I64(&actions), &mut Buffers::default());
        rec.claim("N5", outcome.is_ok(), || format!("a step without any buffer: {outcome:?}"));
        let few = [1u64];
        let outcome =
            pair.venv.reset(Reset { from: Source::Seeds(&few), mask: None }, &mut pair.out.borrow());
        rec.claim("N5", names(&outcome, "seeds"), || format!("one seed for two environments: {outcome:?}"));
        let mask = [1u8; 3];
        let outcome =
            pair.venv.reset(Reset { from: Source::Streams, mask: Some(&mask) }, &mut pair.out.borrow());
        rec.claim("N5", names(&outcome, "reset_mask"), || format!("a mask of three for two: {outcome:?}"));
    }
    for (num_envs, threads) in [(0, 1), (1, 0), (usize::MAX, 1), (1, 100_000)] {
        rec.saw("N5", 1, 0, 0);
        let outcome = game.vec_env(VecConfig { num_envs, threads, ..VecConfig::default() }, &[]);
        rec.claim("N5", outcome.is_err(), || {
            format!("{num_envs} environments, {threads} threads are accepted")
        });
    }
}

pub(super) fn n6_order_of_calls(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("N6", rec) else { return };
    let order = |outcome: &Result<(), Error>| matches!(outcome, Err(Error::Order(_)));
    for threads in [1, 2] {
        let settings = VecConfig { threads, ..config(3, View::Turn, Autoreset::SameStep, ObsType::U8) };
        rec.saw("N6", 1, 0, 0);
        rec.at(&Trace::start(seeds(3, 1)[0]));
        if let Ok(mut fresh) = game.vec_env(settings.clone(), &[]) {
            let mut out = dirty(&*fresh, 0);
            let outcome = fresh.step(Actions::I64(&[0; 3]), &mut out.borrow());
            rec.claim("N6", order(&outcome), || format!("a step before the first reset: {outcome:?}"));
            let outcome = fresh.step_wait().map(|_| ());
            rec.claim("N6", order(&outcome), || format!("step_wait without step_async: {outcome:?}"));
        }
        let (mut pair, mut twin) =
            match (Pair::new(&*game, settings.clone(), 0), Pair::new(&*game, settings.clone(), 0)) {
                (Ok(pair), Ok(twin)) => (pair, twin),
                (Err(error), _) | (_, Err(error)) => return rec.fail("N6", error.to_string()),
            };
        for _ in 0..10 {
            let mut actions = vec![0; 3];
            let drawn = pair.venv.sample_actions(&mut actions).is_ok()
                && twin.venv.sample_actions(&mut actions).is_ok();
            let target = Box::new(dirty(&*pair.venv, 0));
            if let Err(error) = pair.venv.step_async(actions.clone(), target) {
                return rec.fail("N6", format!("step_async: {error}, drawn {drawn}"));
            }
            rec.claim("N6", pair.venv.is_pending(), || "a started step is not pending".into());
            let again = pair.venv.step_async(actions.clone(), Box::new(dirty(&*twin.venv, 0)));
            rec.claim("N6", order(&again), || format!("step_async twice: {again:?}"));
            let reset = pair.venv.reset(Reset::default(), &mut pair.out.borrow());
            rec.claim("N6", order(&reset), || format!("reset while pending: {reset:?}"));
            let mut more = vec![0; 3];
            let sample = pair.venv.sample_actions(&mut more);
            rec.claim("N6", order(&sample), || format!("sample_actions while pending: {sample:?}"));
            match pair.venv.step_wait() {
                Ok(mut waited) => {
                    rec.claim("N6", waited.result.is_ok(), || format!("the step gave {:?}", waited.result));
                    let stepped = twin.venv.step(Actions::I64(&actions), &mut twin.out.borrow());
                    let players = waited.target.buffers().player.to_vec();
                    let equal = stepped.is_ok()
                        && players == twin.out.player
                        && pair.venv.to_bytes() == twin.venv.to_bytes();
                    rec.claim("N6", equal, || "an asynchronous step differs from a synchronous one".into());
                }
                Err(error) => return rec.fail("N6", format!("step_wait: {error}")),
            }
            rec.claim("N6", !pair.venv.is_pending(), || "pending after the wait".into());
        }
    }
}

/// A batch that moves to another thread for each call, and is dropped there, plays what one plays that stays.
pub(super) fn n10_other_threads(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("N10", rec) else { return };
    for threads in [1, 2] {
        let settings = VecConfig { threads, ..config(3, View::Turn, Autoreset::SameStep, ObsType::U8) };
        rec.at(&Trace::start(seeds(3, 1)[0]));
        let (mut stays, mut moves) =
            match (Pair::new(&*game, settings.clone(), 0), Pair::new(&*game, settings.clone(), 0)) {
                (Ok(stays), Ok(moves)) => (stays, moves),
                (Err(error), _) | (_, Err(error)) => return rec.fail("N10", error.to_string()),
            };
        for _ in 0..10 {
            rec.saw("N10", 3, 0, 3);
            if let Err(error) = sample_and_step(&mut *stays.venv, &mut stays.out) {
                return rec.fail("N10", error.to_string());
            }
            let (venv, out) = (&mut *moves.venv, &mut moves.out);
            match elsewhere(|| sample_and_step(venv, out)) {
                Some(Ok(())) => {}
                Some(Err(error)) => return rec.fail("N10", format!("on another thread: {error}")),
                None => return rec.fail("N10", "a call on another thread panics"),
            }
            let equal = stays.out.has_bits_of(&moves.out) && stays.venv.to_bytes() == moves.venv.to_bytes();
            rec.claim("N10", equal, || "a step on another thread differs".into());
        }
        // Started here, received there.
        let mut actions = vec![0; 3];
        let started = moves
            .venv
            .sample_actions(&mut actions)
            .and_then(|()| moves.venv.step_async(actions, Box::new(dirty(&*moves.venv, 0))));
        let venv = &mut *moves.venv;
        let waited =
            started.and_then(|()| elsewhere(|| venv.step_wait()).unwrap_or(Err(Error::Order("it panics"))));
        let stepped = sample_and_step(&mut *stays.venv, &mut stays.out);
        let equal = waited.is_ok_and(|waited| waited.result.is_ok())
            && stepped.is_ok()
            && stays.venv.to_bytes() == moves.venv.to_bytes();
        rec.claim("N10", equal, || "a step that is received on another thread differs".into());
        let venv = moves.venv;
        rec.claim("N10", elsewhere(|| drop(venv)).is_some(), || {
            "a batch does not end on another thread".into()
        });
    }
}

/// The result of a call on another thread; `None` if it panics.
fn elsewhere<R: Send>(call: impl FnOnce() -> R + Send) -> Option<R> {
    std::thread::scope(|scope| scope.spawn(call).join().ok())
}

/// Two batches that differ in the type of their observations alone: each float is the one that its byte stands for.
pub(super) fn v3_floats_are_exact(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("V3", rec) else { return };
    let layout = &fixture.info().observation;
    let batch = |dtype| Pair::new(&*game, config(3, View::Turn, Autoreset::SameStep, dtype), 0);
    let (mut bytes, mut floats) = match (batch(ObsType::U8), batch(ObsType::F32)) {
        (Ok(bytes), Ok(floats)) => (bytes, floats),
        (Err(error), _) | (_, Err(error)) => return rec.fail("V3", error.to_string()),
    };
    rec.at(&Trace::start(seeds(3, 1)[0]));
    for _ in 0..20 {
        for pair in [&mut bytes, &mut floats] {
            if let Err(error) = sample_and_step(&mut *pair.venv, &mut pair.out) {
                return rec.fail("V3", error.to_string());
            }
        }
        rec.saw("V3", 3, 3, 3);
        let rows = bytes.out.obs.bytes.chunks_exact(layout.size());
        for (row, values) in rows.zip(floats.out.obs.floats.chunks_exact(layout.size())) {
            let mut exact = vec![0.0; row.len()];
            layout.to_f32(row, &mut exact);
            let wrong = (0..row.len()).find(|&at| exact[at].to_bits() != values[at].to_bits());
            if let Some(at) = wrong {
                let place = segment_at(fixture.info(), at);
                rec.fail(
                    "V3",
                    format!("byte {} at {place} is {} instead of {}", row[at], values[at], exact[at]),
                );
            }
            rec.claim("V3", back(&*game, values) == row, || "the floats give other bytes back".into());
        }
    }
}

/// A step with actions that the batch draws itself.
fn sample_and_step(venv: &mut dyn AnyVecEnv, out: &mut OwnedBuffers) -> Result<(), Error> {
    let mut actions = vec![0; venv.sizes().envs * venv.sizes().lanes];
    venv.sample_actions(&mut actions)?;
    venv.step(Actions::I64(&actions), &mut out.borrow())
}

pub(super) fn s3_streams_do_not_meet(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("S3", rec) else { return };
    let n = 6;
    let mut seen: Vec<(u64, usize, u64)> = Vec::new();
    let mut shown: Vec<Vec<u8>> = Vec::new();
    for seed in 7..12u64 {
        let settings = config(n, View::Turn, Autoreset::SameStep, ObsType::U8);
        let mut venv = match game.vec_env(settings, &[]) {
            Ok(venv) => venv,
            Err(error) => return rec.fail("S3", error.to_string()),
        };
        let mut out = dirty(&*venv, 0);
        if let Err(error) = venv.reset(Reset { from: Source::Seed(seed), mask: None }, &mut out.borrow()) {
            return rec.fail("S3", error.to_string());
        }
        for env in 0..n {
            rec.saw("S3", 1, 0, 0);
            let own = out.episode_seed[env];
            rec.at(&Trace::start(own));
            if let Some((s, e, _)) = seen.iter().find(|(.., other)| *other == own) {
                rec.fail("S3", format!("environment {env} of seed {seed} plays environment {e} of seed {s}"));
            }
            seen.push((seed, env, own));
            let alone = game.env(own);
            let player = Player(out.player[env].max(0) as u8);
            let row = RowView { out: &out, env, sizes: venv.sizes() };
            let same = row.observation(&*game, 0) == observation_of(&*alone, player);
            rec.claim("S3", same, || {
                format!("environment {env} of seed {seed} does not play the seed it reports")
            });
            shown.push(playmat_core::save::position(&venv.state_bytes(env).unwrap_or_default()).to_vec());
        }
    }
    let distinct = {
        let mut sorted = shown.clone();
        sorted.sort_unstable();
        sorted.dedup();
        sorted.len()
    };
    rec.claim("S3", distinct == shown.len(), || {
        format!("of {} environments with different seeds only {distinct} have different states", shown.len())
    });
}

/// Number of environments of a batch with several tasks, so that several threads really step it.
const MANY: usize = 130;

/// Every environment plays the same episodes for any number of threads and environments. Even small batches are shared among the threads.
pub(super) fn s4_threads_and_batches(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Ok(game) = fixture.any(&[("max_steps", json!(CUT))]) else { return rec.fail("S4", "does not load") };
    let play = |num_envs: usize, threads: usize| {
        let settings =
            VecConfig { threads, ..config(num_envs, View::Turn, Autoreset::SameStep, ObsType::U8) };
        play_episodes(&*game, settings, 3, 40)
    };
    let base = match play(MANY, 1) {
        Ok(base) => base,
        Err(error) => return rec.fail("S4", error.to_string()),
    };
    for (num_envs, threads) in [(1, 1), (2, 2), (7, 3), (MANY, 2), (MANY, 3)] {
        rec.saw("S4", num_envs, 0, base.iter().take(num_envs).map(Vec::len).sum());
        match play(num_envs, threads) {
            Ok(reported) => {
                let alike =
                    |(a, b): (&Vec<EpisodeRecord>, &Vec<EpisodeRecord>)| a.iter().zip(b).all(|(x, y)| x == y);
                let other = reported.iter().zip(&base).position(|pair| !alike(pair));
                rec.claim("S4", other.is_none(), || {
                    format!("{num_envs} environments on {threads} threads: {other:?} plays differently")
                });
            }
            Err(error) => rec.fail("S4", error.to_string()),
        }
    }
}
