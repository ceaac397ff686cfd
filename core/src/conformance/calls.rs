//! Batches again: refused calls (N3 to N6, N13), opponents (N12), seeds and threads (S3, S4).

use super::filling::{dirty, fill};
use super::fixture::Base;
use super::report::{Recorder, Trace};
use super::table::{act, observation_of};
use super::turns::against_first;
use super::vector::{CUT, Pair, RowView, Story, config, seeds, stories};
use crate::any::AnyGame;
use crate::error::Error;
use crate::game::Status;
use crate::info::RewardKind;
use crate::rng::{environment_root, episode_seed};
use crate::seat::Seat;
use crate::vec::{
    Actions, AnyVecEnv, Autoreset, Buffers, ObsType, OwnedBuffers, Record, Reset, Seating, Source, VecConfig,
    View,
};
use serde_json::json;

fn same(a: &OwnedBuffers, b: &OwnedBuffers) -> bool {
    format!("{a:?}") == format!("{b:?}")
}

pub(super) fn n3_disabled(fixture: &Base<'_>, rec: &mut Recorder) {
    // One decision ends every episode, also of games that can end with their first.
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
    rec.claim("N3", pair.venv.to_bytes() == before && same(&kept, &pair.out), || {
        "a refused step moved".into()
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
    rec.claim("N3", untouched, || "a masked reset starts other episodes than asked".into());
}

pub(super) fn n4_transactions(fixture: &Base<'_>, rec: &mut Recorder) {
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
            rec.claim("N4", pair.venv.to_bytes() == before, || "a refused batch moved an environment".into());
            rec.claim("N4", same(&kept, &pair.out), || "a refused batch wrote into a buffer".into());
            // N13: the batch goes on as if nothing had been asked.
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

pub(super) fn n5_wrong_lengths(fixture: &Base<'_>, rec: &mut Recorder) {
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
                out.obs_u8.extend([0; 3]);
                out.obs_f32.extend([0.0; 3]);
            }),
        ];
        for (name, spoil) in spoils {
            rec.saw("N5", 1, 0, 0);
            let mut out = dirty(&*pair.venv, 7);
            spoil(&mut out);
            let kept = out.clone();
            // Both kinds of observations of the wrong length are there; only the wanted one may be given.
            if dtype == ObsType::U8 {
                out.obs_f32.clear();
            } else {
                out.obs_u8.clear();
            }
            let shape = out.clone();
            let outcome = pair.venv.step(Actions::I64(&actions), &mut out.borrow());
            rec.claim("N5", names(&outcome, name), || format!("`{name}` of a wrong length: {outcome:?}"));
            rec.claim("N5", same(&shape, &out) && kept.player == out.player, || {
                "a refused step wrote".into()
            });
        }
        rec.claim("N5", pair.venv.to_bytes() == before, || "a refused step moved".into());
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

pub(super) fn n6_order_of_calls(fixture: &Base<'_>, rec: &mut Recorder) {
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
                    rec.claim("N6", equal, || "an asynchronous step differs from a plain one".into());
                }
                Err(error) => return rec.fail("N6", format!("step_wait: {error}")),
            }
            rec.claim("N6", !pair.venv.is_pending(), || "pending after the wait".into());
        }
    }
}

/// What a table of results must hold: counted anew from what a batch has shown, and from where its streams stand.
#[derive(Clone, Copy, Debug, Default)]
struct Recount {
    episodes: u64,
    wins: u64,
    return_sum: f64,
}

impl Recount {
    fn add(&mut self, game: &dyn AnyGame, terminated: bool, earned: f32) {
        self.episodes += 1;
        // A limit of the game's own may be judged; then it pays like an end by the rules.
        let judged = terminated || game.info().outcome_on_truncation;
        self.wins += u64::from(earned > 1e-6 && judged);
        self.return_sum += f64::from(earned);
    }

    /// Compares with a record that counts up to `more` episodes besides, of which nothing else is known.
    fn holds(&self, game: &dyn AnyGame, record: &Record, more: u64) -> bool {
        let (least, most) = game.info().return_range(game.reward());
        let [least, most] = [least, most].map(|each| self.return_sum + more as f64 * f64::from(each));
        let wins =
            game.reward() != RewardKind::Outcome || (self.wins..=self.wins + more).contains(&record.wins);
        let sum = (least.min(self.return_sum) - 1e-3..=most.max(self.return_sum) + 1e-3)
            .contains(&record.return_sum);
        (self.episodes..=self.episodes + more).contains(&record.episodes) && wins && sum
    }
}

/// The opponents in a batch, and the results that can be recounted from outside.
struct Against {
    seating: Seating,
    pool: &'static [(&'static str, f64)],
    /// The learner of every episode where all other players are the first of the pool: episodes that were not shown can be played again.
    learner: Option<Seat>,
}

pub(super) fn n12_opponents(fixture: &Base<'_>, rec: &mut Recorder) {
    let players = fixture.players();
    if players < 2 {
        return rec.not_applicable("N12", "there are no opponents in a game for one");
    }
    let reward = if fixture.info().rewards.contains(&RewardKind::Outcome) { "outcome" } else { "default" };
    let Ok(game) = fixture.any(&[("reward", json!(reward))]) else { return rec.fail("N12", "does not load") };
    let both: &[(&str, f64)] = &[("random", 1.0), ("greedy", 2.0)];
    let last = Seat(players as u8 - 1);
    for against in [
        Against { seating: Seating::OneLearner(Seat(0)), pool: both, learner: None },
        Against { seating: Seating::RotatingLearner, pool: both, learner: None },
        Against {
            seating: Seating::Roles(against_first(last, players)),
            pool: &[("greedy", 1.0)],
            learner: Some(last),
        },
    ] {
        n12_against(fixture, &*game, &against, rec);
    }
}

/// Plays against opponents and counts along.
fn n12_against(fixture: &Base<'_>, game: &dyn AnyGame, against: &Against, rec: &mut Recorder) {
    let players = fixture.players();
    let longest = fixture.stories.iter().map(|(_, choices)| choices.len()).max().unwrap_or(1);
    let (n, root) = (4, 4);
    let settings = VecConfig {
        seating: against.seating.clone(),
        ..config(n, View::Seat, Autoreset::SameStep, ObsType::U8)
    };
    let mut venv = match game.vec_env(settings, against.pool) {
        Ok(venv) => venv,
        // Nobody can be trained who never decides.
        Err(Error::InvalidArgument { argument: "learner", .. }) if against.learner.is_some() => return,
        Err(error) => return rec.fail("N12", error.to_string()),
    };
    let mut out = dirty(&*venv, 0x55);
    match venv.reset(Reset { from: Source::Seed(root), mask: None }, &mut out.borrow()) {
        Ok(()) => {}
        Err(Error::InvalidArgument { argument: "learner", .. }) if against.learner.is_some() => return,
        Err(error) => return rec.fail("N12", error.to_string()),
    }
    let sizes = venv.sizes();
    let (mut total, mut counts) = (Recount::default(), vec![Recount::default(); against.pool.len()]);
    let mut sat = vec![false; against.pool.len()];
    let mut shown: Vec<u64> = Vec::new();
    let mut actions = vec![0; n];
    for _ in 0..(2 * longest + 40).min(900) {
        if total.episodes >= 12 {
            break;
        }
        let before = out.opponent.clone();
        let (seeds, learners) = (out.episode_seed.clone(), out.learner.clone());
        shown.extend(&seeds);
        let stepped = venv.sample_actions(&mut actions).is_ok()
            && venv.step(Actions::I64(&actions), &mut out.borrow()).is_ok();
        if !stepped {
            return rec.fail("N12", "a sampled step is refused");
        }
        for (env, &seed) in seeds.iter().enumerate() {
            rec.at(&Trace::start(seed));
            rec.saw("N12", 1, players, 1);
            let range = env * players..(env + 1) * players;
            let row = RowView { out: &out, env, sizes };
            let own = &before[range.clone()];
            rec.claim("N12", own.iter().filter(|&&o| o == -1).count() == 1, || {
                format!("one learner, opponents {own:?}")
            });
            let Some(learner) = own.iter().position(|&o| o == -1) else { continue };
            let reported = (learners[env], out.learner_reward[env]);
            rec.claim("N12", reported == (learner as i32, row.rewards()[learner]), || {
                format!(
                    "learner and its reward {reported:?}, the learner is {learner}, rewards {:?}",
                    row.rewards()
                )
            });
            if !row.ended() {
                let same = own == &out.opponent[range.clone()] && seed == out.episode_seed[env];
                rec.claim("N12", same, || "opponents change in the middle of an episode".into());
                let acts = usize::try_from(out.player[env]).ok();
                rec.claim("N12", acts == Some(learner), || {
                    format!("player {acts:?} is to act, the learner is {learner}")
                });
                continue;
            }
            let ended = &out.final_opponent[range.clone()];
            rec.claim("N12", own == ended, || format!("opponents {own:?}, at the end {ended:?}"));
            let (terminated, earned) = (out.terminated[env] != 0, row.returns()[learner]);
            total.add(game, terminated, earned);
            for (opponent, count) in counts.iter_mut().enumerate() {
                // Once, however many players the opponent is.
                if ended.contains(&(opponent as i32)) {
                    count.add(game, terminated, earned);
                    sat[opponent] = true;
                }
            }
        }
    }
    let seen = total.episodes;
    // Episodes that ended before the learner's decision are not returned. Their number follows from that of the running
    // one; how they ended, where everybody else is the same agent, by playing them again.
    let mut passed = 0;
    for env in 0..n {
        let Some(number) = number_of(game, &*venv, env) else {
            return rec.fail("N12", format!("the state of environment {env} is not loaded"));
        };
        let own = environment_root(root, env as u64);
        for seed in (0..number).map(|episode| episode_seed(own, episode)).filter(|seed| !shown.contains(seed))
        {
            let Some(learner) = against.learner else {
                passed += 1;
                continue;
            };
            rec.at(&Trace::start(seed));
            match without(game, seed, learner) {
                Ok(Some((terminated, earned))) => {
                    total.add(game, terminated, earned);
                    counts[0].add(game, terminated, earned);
                }
                Ok(None) => {
                    rec.fail("N12", format!("an episode in which player {learner} decides was not shown"));
                }
                Err(error) => return rec.fail("N12", error.to_string()),
            }
        }
    }
    rec.at(&Trace::start(root));
    match venv.results() {
        Err(error) => rec.fail("N12", error.to_string()),
        Ok(results) => {
            let all = total.episodes + passed == results.total.episodes;
            rec.claim("N12", all && total.holds(game, &results.total, passed), || {
                format!(
                    "results of all episodes are {:?}; counted {total:?} and {passed} more",
                    results.total
                )
            });
            for (result, count) in results.opponents.iter().zip(&counts) {
                rec.claim("N12", count.holds(game, &result.record, passed), || {
                    format!("results are {result:?}; counted {count:?} and at most {passed} more")
                });
            }
            for record in results.opponents.iter().map(|result| &result.record).chain([&results.total]) {
                let parts = record.wins + record.draws + record.losses + record.truncated;
                rec.claim("N12", parts == record.episodes, || {
                    format!("the parts of {record:?} do not add up")
                });
            }
        }
    }
    if seen >= 12 && players > 2 {
        rec.claim("N12", !sat.contains(&false), || format!("of the opponents in the pool {sat:?} played"));
    }
}

/// The number of the running episode in the stream of an environment.
fn number_of(game: &dyn AnyGame, venv: &dyn AnyVecEnv, env: usize) -> Option<u64> {
    let json = game.env_from_bytes(&venv.state_bytes(env).ok()?).ok()?.to_json(None).ok()?;
    json["episode"].as_u64()
}

/// How an episode of heuristics ends without a decision of the learner: whether by the rules, and what the learner is paid. `None` if the
/// learner comes to decide.
fn without(game: &dyn AnyGame, seed: u64, learner: Seat) -> Result<Option<(bool, f32)>, Error> {
    let mut single = game.env(seed);
    while let Some(seat) = single.acting().first() {
        if seat == learner {
            return Ok(None);
        }
        let action = act(&mut *single, "greedy", seat)?;
        single.step_seat(seat, action.0.into())?;
    }
    Ok(Some((single.status() == Status::Terminated, single.returns()[learner.index()])))
}

/// Where a limit ends episodes before the learner decides: nobody is shown them, they count, and a table at which the learner
/// never decides is refused.
pub(super) fn n12_passed_over(fixture: &Base<'_>, rec: &mut Recorder) {
    let players = fixture.players();
    if players < 2 {
        return rec.not_applicable("N12", "there are no opponents in a game for one");
    }
    let Ok(game) = fixture.any(&[("max_steps", json!(1))]) else { return rec.fail("N12", "does not load") };
    let begins = |seed| game.env(seed).acting().first();
    let learners = Seat::all(players).map(Seating::OneLearner).chain([Seating::RotatingLearner]);
    for seating in learners {
        let settings =
            VecConfig { seating: seating.clone(), ..config(3, View::Seat, Autoreset::SameStep, ObsType::U8) };
        let mut venv = match (game.vec_env(settings, &[("random", 1.0)]), &seating) {
            (Ok(venv), _) => venv,
            (Err(Error::InvalidArgument { argument: "learner", message }), Seating::OneLearner(seat)) => {
                rec.saw("N12", 1, 1, 0);
                let never = (0..100).all(|seed| begins(seed) != Some(*seat));
                rec.claim("N12", never, || format!("refused although seat {seat} can begin: {message}"));
                continue;
            }
            (Err(error), _) => return rec.fail("N12", error.to_string()),
        };
        let mut out = dirty(&*venv, 0x55);
        let mut actions = vec![0; 3];
        let reset = venv.reset(Reset { from: Source::Seed(9), mask: None }, &mut out.borrow());
        if let Err(error) = reset {
            return rec.fail("N12", error.to_string());
        }
        for _ in 0..6 {
            rec.saw("N12", 3, players, 3);
            let decides = (0..3).all(|env| {
                let row = RowView { out: &out, env, sizes: venv.sizes() };
                let learner = row.part(&out.opponent, players).iter().position(|&o| o == -1);
                usize::try_from(out.player[env]).ok() == learner && row.mask(0).contains(&1)
            });
            rec.claim("N12", decides, || {
                format!("{seating:?}: players {:?} have nothing to decide", out.player)
            });
            let stepped = venv.sample_actions(&mut actions).is_ok()
                && venv.step(Actions::I64(&actions), &mut out.borrow()).is_ok();
            if !stepped {
                return rec.fail("N12", format!("{seating:?}: a sampled step is refused"));
            }
        }
        let begun: Option<u64> = (0..3).map(|env| number_of(&*game, &*venv, env)).sum();
        let counted = venv.results().ok().map(|results| {
            let by_opponent = results.opponents.iter().map(|result| result.record.episodes).sum::<u64>();
            (results.total.episodes, by_opponent)
        });
        let expected = begun.map(|begun| (begun, begun));
        rec.claim("N12", counted == expected && expected.is_some(), || {
            format!("{seating:?}: {counted:?} episodes are counted in all and against the opponent, {begun:?} were begun before these")
        });
    }
}

pub(super) fn s3_streams_do_not_meet(fixture: &Base<'_>, rec: &mut Recorder) {
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
            let seat = Seat(out.player[env].max(0) as u8);
            let row = RowView { out: &out, env, sizes: venv.sizes() };
            let same = row.observation(&*game, 0) == observation_of(&*alone, seat);
            rec.claim("S3", same, || {
                format!("environment {env} of seed {seed} does not play the seed it reports")
            });
            shown.push(crate::save::position(&venv.state_bytes(env).unwrap_or_default()).to_vec());
        }
    }
    let distinct = {
        let mut sorted = shown.clone();
        sorted.sort_unstable();
        sorted.dedup();
        sorted.len()
    };
    rec.claim("S3", distinct == shown.len(), || {
        format!("of {} environments with different seeds only {distinct} have their own state", shown.len())
    });
}

/// Environments of a batch that is more than one task, so that several threads really play it.
const MANY: usize = 130;

/// One thread or several, few environments or many: every environment tells the same stories. Batches are shared among the
/// threads however small they are.
pub(super) fn s4_threads_and_batches(fixture: &Base<'_>, rec: &mut Recorder) {
    let Ok(game) = fixture.any(&[("max_steps", json!(CUT))]) else { return rec.fail("S4", "does not load") };
    let tell = |num_envs: usize, threads: usize| {
        let settings =
            VecConfig { threads, ..config(num_envs, View::Turn, Autoreset::SameStep, ObsType::U8) };
        stories(&*game, settings, 3, 40)
    };
    let base = match tell(MANY, 1) {
        Ok(base) => base,
        Err(error) => return rec.fail("S4", error.to_string()),
    };
    for (num_envs, threads) in [(1, 1), (2, 2), (7, 3), (MANY, 2), (MANY, 3)] {
        rec.saw("S4", num_envs, 0, base.iter().take(num_envs).map(Vec::len).sum());
        match tell(num_envs, threads) {
            Ok(reported) => {
                let alike = |(a, b): (&Vec<Story>, &Vec<Story>)| a.iter().zip(b).all(|(x, y)| x == y);
                let other = reported.iter().zip(&base).position(|pair| !alike(pair));
                rec.claim("S4", other.is_none(), || {
                    format!("{num_envs} environments on {threads} threads: {other:?} plays otherwise")
                });
            }
            Err(error) => rec.fail("S4", error.to_string()),
        }
    }
}
