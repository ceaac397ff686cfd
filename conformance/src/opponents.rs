//! Batches with opponents: results are recounted from outside (N12).

use super::filling::dirty;
use super::fixture::Fixture;
use super::pair::config;
use super::play::act;
use super::report::{Recorder, Trace};
use super::row_view::RowView;
use super::turns::against_first;
use playmat_core::any::{AnyGame, AnyVecEnv};
use playmat_core::error::Error;
use playmat_core::game::Status;
use playmat_core::info::RewardKind;
use playmat_core::player::Player;
use playmat_core::rng::{environment_root, episode_seed};
use playmat_core::vec::{Actions, Autoreset, Learners, ObsType, Record, Reset, Source, VecConfig, View};
use serde_json::json;

/// A recount of results, from the outputs of a batch and the numbers of its episodes.
#[derive(Clone, Copy, Debug, Default)]
struct Recount {
    episodes: u64,
    wins: u64,
    return_sum: f64,
}

impl Recount {
    fn add(&mut self, game: &dyn AnyGame, terminated: bool, earned: f32) {
        self.episodes += 1;
        // A game's own limit may have an outcome, like an end by the rules.
        let judged = terminated || game.info().outcome_on_truncation;
        self.wins += u64::from(earned > 1e-6 && judged);
        self.return_sum += f64::from(earned);
    }

    /// Compares with a record that counts up to `more` further episodes with unknown results.
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
struct OpponentCase {
    learners: Learners,
    pool: &'static [(&'static str, f64)],
    /// The learner, if all other players are the first opponent of the pool: then skipped episodes can be replayed.
    learner: Option<Player>,
}

pub(super) fn n12_opponents(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let players = fixture.players();
    if players < 2 {
        return rec.not_applicable("N12", "there are no opponents in a game for one");
    }
    let reward = if fixture.info().rewards.contains(&RewardKind::Outcome) { "outcome" } else { "default" };
    let Ok(game) = fixture.any(&[("reward", json!(reward))]) else { return rec.fail("N12", "does not load") };
    let both: &[(&str, f64)] = &[("random", 1.0), ("greedy", 2.0)];
    let last = Player(players as u8 - 1);
    for case in [
        OpponentCase { learners: Learners::One(Player(0)), pool: both, learner: None },
        OpponentCase { learners: Learners::Rotating, pool: both, learner: None },
        OpponentCase {
            learners: Learners::Roles(against_first(last, players)),
            pool: &[("greedy", 1.0)],
            learner: Some(last),
        },
    ] {
        n12_recount(fixture, &*game, &case, rec);
    }
}

/// Plays against opponents and recounts the results.
fn n12_recount(fixture: &Fixture<'_>, game: &dyn AnyGame, case: &OpponentCase, rec: &mut Recorder) {
    let players = fixture.players();
    let longest = fixture.histories.iter().map(|(_, choices)| choices.len()).max().unwrap_or(1);
    let (n, root) = (4, 4);
    let settings = VecConfig {
        learners: case.learners.clone(),
        ..config(n, View::Single, Autoreset::SameStep, ObsType::U8)
    };
    let mut venv = match game.vec_env(settings, case.pool) {
        Ok(venv) => venv,
        // A player that never decides cannot be a learner.
        Err(Error::InvalidArgument { argument: "learner", .. }) if case.learner.is_some() => return,
        Err(error) => return rec.fail("N12", error.to_string()),
    };
    let mut out = dirty(&*venv, 0x55);
    match venv.reset(Reset { from: Source::Seed(root), mask: None }, &mut out.borrow()) {
        Ok(()) => {}
        Err(Error::InvalidArgument { argument: "learner", .. }) if case.learner.is_some() => return,
        Err(error) => return rec.fail("N12", error.to_string()),
    }
    let sizes = venv.sizes();
    let (mut total, mut counts) = (Recount::default(), vec![Recount::default(); case.pool.len()]);
    let mut sat = vec![false; case.pool.len()];
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
                    format!("player {} must act, the learner is {learner}", out.player[env])
                });
                continue;
            }
            let ended = &out.final_opponent[range.clone()];
            rec.claim("N12", own == ended, || format!("opponents {own:?}, at the end {ended:?}"));
            let (terminated, earned) = (out.terminated[env] != 0, row.returns()[learner]);
            total.add(game, terminated, earned);
            for (opponent, count) in counts.iter_mut().enumerate() {
                // Once per episode, for any number of players that the opponent controls.
                if ended.contains(&(opponent as i32)) {
                    count.add(game, terminated, earned);
                    sat[opponent] = true;
                }
            }
        }
    }
    let seen = total.episodes;
    // Episodes that ended before the learner's decision are not returned. Their number follows from that of the running one. If all other
    // players are the same agent, replaying them gives their results.
    let mut passed = 0;
    for env in 0..n {
        let Some(number) = number_of(game, &*venv, env) else {
            return rec.fail("N12", format!("the state of environment {env} is not loaded"));
        };
        let own = environment_root(root, env as u64);
        for seed in (0..number).map(|episode| episode_seed(own, episode)).filter(|seed| !shown.contains(seed))
        {
            let Some(learner) = case.learner else {
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
                    rec.fail("N12", format!("an episode in which player {learner} decides was not returned"));
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

/// The result of an episode of greedy agents without a decision of the learner: whether it terminated, and the learner's return. `None` if
/// the learner must decide.
fn without(game: &dyn AnyGame, seed: u64, learner: Player) -> Result<Option<(bool, f32)>, Error> {
    let mut single = game.env(seed);
    while let Some(player) = single.acting().first() {
        if player == learner {
            return Ok(None);
        }
        let action = act(&mut *single, "greedy", player)?;
        single.step_player(player, action.0.into())?;
    }
    Ok(Some((single.status() == Status::Terminated, single.returns()[learner.index()])))
}

/// Episodes that `max_steps` ends before the learner decides: they are skipped and counted, and a batch whose learner never decides is
/// refused.
pub(super) fn n12_skipped_episodes(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let players = fixture.players();
    if players < 2 {
        return rec.not_applicable("N12", "there are no opponents in a game for one");
    }
    let Ok(game) = fixture.any(&[("max_steps", json!(1))]) else { return rec.fail("N12", "does not load") };
    let begins = |seed| game.env(seed).acting().first();
    let learners = Player::all(players).map(Learners::One).chain([Learners::Rotating]);
    for learners in learners {
        let name = match &learners {
            Learners::One(player) => format!("learner {player}"),
            _ => "a rotating learner".into(),
        };
        let settings = VecConfig {
            learners: learners.clone(),
            ..config(3, View::Single, Autoreset::SameStep, ObsType::U8)
        };
        let mut venv = match (game.vec_env(settings, &[("random", 1.0)]), &learners) {
            (Ok(venv), _) => venv,
            (Err(Error::InvalidArgument { argument: "learner", message }), Learners::One(player)) => {
                rec.saw("N12", 1, 1, 0);
                let never = (0..100).all(|seed| begins(seed) != Some(*player));
                rec.claim("N12", never, || format!("refused although player {player} can begin: {message}"));
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
                format!("{name}: the learners do not decide; `player` is {:?}", out.player)
            });
            let stepped = venv.sample_actions(&mut actions).is_ok()
                && venv.step(Actions::I64(&actions), &mut out.borrow()).is_ok();
            if !stepped {
                return rec.fail("N12", format!("{name}: a sampled step is refused"));
            }
        }
        let begun: Option<u64> = (0..3).map(|env| number_of(&*game, &*venv, env)).sum();
        let counted = venv.results().ok().map(|results| {
            let by_opponent = results.opponents.iter().map(|result| result.record.episodes).sum::<u64>();
            (results.total.episodes, by_opponent)
        });
        let expected = begun.map(|begun| (begun, begun));
        rec.claim("N12", counted == expected && expected.is_some(), || {
            format!("{name}: {counted:?} episodes are counted in total and against the opponent, but {begun:?} were begun before the running ones")
        });
    }
}
