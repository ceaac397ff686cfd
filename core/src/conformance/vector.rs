//! Section 9: vectorized environments (N1 to N6, N10 to N13), and the checks of other sections that need batches (A9, S3, S4, R8, V3, V12, K4).
//! All calls go through the type-erased interfaces, so that mutants can be injected.

use super::filling::{dirty, fill};
use super::fixture::{Base, guarded};
use super::opponents::{n12_opponents, n12_skipped_episodes};
use super::play::{act, mask_of, observation_of};
use super::report::{Recorder, Trace};
use super::turns::against_first;
use super::vector_calls::{
    n3_disabled, n4_transactions, n5_wrong_lengths, n6_order_of_calls, n10_other_threads,
    s3_streams_do_not_meet, s4_threads_and_batches, v3_floats_are_exact,
};
use crate::any::{AnyEnv, AnyGame};
use crate::error::Error;
use crate::game::Status;
use crate::info::RewardKind;
use crate::rng::{Rng, Stream, derive, environment_root, episode_seed, stream};
use crate::seat::Seat;
use crate::vec::{
    Actions, AnyVecEnv, Autoreset, ObsType, OwnedBuffers, Reset, Seating, Source, VecConfig, View,
};
use serde_json::json;

/// Runs the section.
pub(crate) fn run(fixture: &Base<'_>, rec: &mut Recorder) {
    for (ids, check) in [
        (&["N1", "R8", "K4", "V12", "N11"][..], n1_equals_singles as fn(&Base<'_>, &mut Recorder)),
        (&["A9"][..], a9_samples_as_alone),
        (&["N2", "N11"][..], n2_modes_play_equal_episodes),
        (&["N3"][..], n3_disabled),
        (&["N4", "N13"][..], n4_transactions),
        (&["N5"][..], n5_wrong_lengths),
        (&["N6"][..], n6_order_of_calls),
        (&["N10"][..], n10_other_threads),
        (&["N12"][..], n12_opponents),
        (&["N12"][..], n12_skipped_episodes),
        (&["V3"][..], v3_floats_are_exact),
        (&["S3"][..], s3_streams_do_not_meet),
        (&["S4"][..], s4_threads_and_batches),
    ] {
        if ids.iter().any(|id| fixture.wants(id)) {
            guarded(ids[0], rec, |rec| check(fixture, rec));
        }
    }
}

/// `max_steps` of the truncated variant of a game: prime, so that it falls between turns.
pub(super) const CUT: u32 = 7;

pub(super) fn config(num_envs: usize, view: View, autoreset: Autoreset, dtype: ObsType) -> VecConfig {
    VecConfig { num_envs, view, autoreset, dtype, ..VecConfig::default() }
}

pub(super) fn seeds(n: usize, salt: u64) -> Vec<u64> {
    (0..n as u64).map(|env| derive(0x76_6563 ^ salt, env)).collect()
}

/// Largest number of episodes in a row that may end before a learner's first decision.
const REPLACEMENTS: usize = 100;

/// A batch and the environments it must equal, one by one. In the single-player view their opponents are greedy.
pub(super) struct Pair {
    pub(super) venv: Box<dyn AnyVecEnv>,
    pub(super) singles: Vec<Box<dyn AnyEnv>>,
    /// Episodes begun in each row.
    pub(super) begun: Vec<u64>,
    pub(super) out: OwnedBuffers,
    pub(super) draws: Vec<Rng>,
    /// Sum of the rewards read from the buffers, per environment and player.
    pub(super) rewards: Vec<Vec<f64>>,
    /// The learner of the single-player view.
    learner: Option<Seat>,
    /// Rewards from opponents' decisions before the learner's first decision, which belong to its first step.
    opening_rewards: Vec<Vec<f32>>,
    /// The game without `max_steps`, in which truncated positions continue.
    open: Option<Box<dyn AnyGame>>,
}

impl Pair {
    pub(super) fn new(game: &dyn AnyGame, mut config: VecConfig, filling: u8) -> Result<Pair, Error> {
        let (seeds, players) = (seeds(config.num_envs, 1), game.info().players);
        let learner = (config.view == View::Seat).then(|| Seat((1 % players) as u8));
        let opponents: &[(&str, f64)] = if learner.is_some() { &[("greedy", 1.0)] } else { &[] };
        if let Some(seat) = learner {
            config.seating = Seating::Roles(against_first(seat, players));
        }
        let mut venv = game.vec_env(config, opponents)?;
        let mut out = dirty(&*venv, filling);
        venv.reset(Reset { from: Source::Seeds(&seeds), mask: None }, &mut out.borrow())?;
        let singles = seeds.iter().map(|&seed| game.env(seed)).collect();
        let begun = vec![1; seeds.len()];
        let draws = seeds.iter().map(|&seed| Rng::from_seed(seed)).collect();
        let rewards = vec![vec![0.0; players]; seeds.len()];
        let opening_rewards = vec![vec![0.0; players]; seeds.len()];
        let mut pair =
            Pair { venv, singles, begun, out, draws, rewards, learner, opening_rewards, open: None };
        (0..seeds.len()).for_each(|env| pair.first_decision(env));
        Ok(pair)
    }

    /// The seed of the episode that a row plays: its own first, then a stream hashed from that and the row's place.
    fn seed_of(&self, env: usize) -> u64 {
        let own = seeds(self.singles.len(), 1)[env];
        match self.begun[env] - 1 {
            0 => own,
            episode => episode_seed(environment_root(own, env as u64), episode),
        }
    }

    /// Starts the next episode of one environment.
    fn next_episode(&mut self, env: usize) {
        self.reset_single(env);
        self.first_decision(env);
    }

    /// Resets a single environment to the next episode of its row.
    fn reset_single(&mut self, env: usize) {
        self.begun[env] += 1;
        let seed = self.seed_of(env);
        self.singles[env].reset(Some(seed));
    }

    /// Plays on to the first decision of the caller; an episode that ends before is skipped.
    fn first_decision(&mut self, env: usize) {
        for _ in 0..REPLACEMENTS {
            self.opening_rewards[env] = self.play_opponents(env);
            if self.learner.is_none() || !self.singles[env].acting().is_empty() {
                return;
            }
            self.reset_single(env);
        }
    }

    /// Lets opponents decide until the learner of a single-player view must act; returns the rewards.
    fn play_opponents(&mut self, env: usize) -> Vec<f32> {
        let single = &mut self.singles[env];
        let mut earned = vec![0.0; single.info().players];
        let Some(learner) = self.learner else { return earned };
        while let Some(seat) = single.acting().first().filter(|&seat| seat != learner) {
            let moved = act(&mut **single, "greedy", seat);
            if moved.and_then(|action| single.step_seat(seat, action.0.into())).is_err() {
                break;
            }
            earned.iter_mut().zip(single.rewards()).for_each(|(sum, reward)| *sum += reward);
        }
        earned
    }

    /// Makes the step of the batch in one single environment.
    fn step_alone(&mut self, env: usize, actions: &[i64], alone: &mut SingleStep) -> Result<(), Error> {
        if alone.was_over {
            // next_step: the action is ignored, the next episode begins, all rewards are 0.
            self.next_episode(env);
            alone.rewards = vec![0.0; self.singles[env].info().players];
            return Ok(());
        }
        let single = &mut self.singles[env];
        let before = single.history().len();
        match actions {
            &[action] => single.step(action)?,
            actions => single.step_joint(actions)?,
        }
        alone.seat = single.history().get(before).map(|(seat, _)| *seat);
        alone.rewards = single.rewards().to_vec();
        let opening_rewards = std::mem::take(&mut self.opening_rewards[env]);
        for earned in [opening_rewards, self.play_opponents(env)] {
            alone.rewards.iter_mut().zip(earned).for_each(|(sum, reward)| *sum += reward);
        }
        Ok(())
    }

    /// Random legal actions for the lanes of one environment.
    fn actions_of(&mut self, env: usize) -> Vec<i64> {
        let (single, draws) = (&*self.singles[env], &mut self.draws[env]);
        let lanes = self.venv.sizes().lanes;
        let mut actions = vec![0; lanes];
        let acting = single.acting();
        for seat in acting.iter().take(if lanes == 1 { 1 } else { usize::MAX }) {
            let legal = single.legal_actions(seat).unwrap_or_default();
            let lane = if lanes == 1 { 0 } else { seat.index() };
            if !legal.is_empty() {
                actions[lane] = legal[draws.below(legal.len() as u32) as usize].into();
            }
        }
        actions
    }
}

/// One row of a batch's results.
pub(super) struct RowView<'o> {
    pub(super) out: &'o OwnedBuffers,
    pub(super) env: usize,
    pub(super) sizes: crate::vec::Sizes,
}

impl RowView<'_> {
    pub(super) fn part<'v, T>(&self, all: &'v [T], per_env: usize) -> &'v [T] {
        &all[self.env * per_env..(self.env + 1) * per_env]
    }
    /// Bytes of the observation of a lane; floats are converted back.
    pub(super) fn observation(&self, game: &dyn AnyGame, lane: usize) -> Vec<u8> {
        let (size, lanes) = (self.sizes.observation, self.sizes.lanes);
        if self.out.obs_f32.is_empty() {
            self.part(&self.out.obs_u8, lanes * size)[lane * size..(lane + 1) * size].to_vec()
        } else {
            back(game, &self.part(&self.out.obs_f32, lanes * size)[lane * size..(lane + 1) * size])
        }
    }
    pub(super) fn final_observation(&self, game: &dyn AnyGame, seat: usize) -> Vec<u8> {
        let (size, players) = (self.sizes.observation, self.sizes.players);
        let at = seat * size..(seat + 1) * size;
        if self.out.obs_f32.is_empty() {
            self.part(&self.out.final_obs_all_u8, players * size)[at].to_vec()
        } else {
            back(game, &self.part(&self.out.final_obs_all_f32, players * size)[at])
        }
    }
    /// `final_obs` of the only lane.
    fn last_observation(&self, game: &dyn AnyGame) -> Vec<u8> {
        let size = self.sizes.observation;
        if self.out.obs_f32.is_empty() {
            self.part(&self.out.final_obs_u8, size).to_vec()
        } else {
            back(game, self.part(&self.out.final_obs_f32, size))
        }
    }
    pub(super) fn mask(&self, lane: usize) -> &[u8] {
        let n = self.sizes.actions;
        &self.part(&self.out.action_mask, self.sizes.lanes * n)[lane * n..(lane + 1) * n]
    }
    pub(super) fn rewards(&self) -> &[f32] {
        self.part(&self.out.reward, self.sizes.players)
    }
    pub(super) fn returns(&self) -> &[f32] {
        self.part(&self.out.episode_return, self.sizes.players)
    }
    pub(super) fn ended(&self) -> bool {
        self.out.terminated[self.env] != 0 || self.out.truncated[self.env] != 0
    }
}

/// Bytes from floats, by the layout.
pub(super) fn back(game: &dyn AnyGame, values: &[f32]) -> Vec<u8> {
    let mut bytes = vec![0; values.len()];
    for s in &game.info().observation.segments {
        for i in s.offset..s.offset + s.len() {
            bytes[i] = (values[i] * f32::from(s.scale) + f32::from(s.bias)).round() as u8;
        }
    }
    bytes
}

fn n1_equals_singles(fixture: &Base<'_>, rec: &mut Recorder) {
    let longest = fixture.histories.iter().map(|(_, choices)| choices.len()).max().unwrap_or(1);
    for &view in View::ALL {
        for &mode in Autoreset::ALL {
            for &dtype in ObsType::ALL {
                for cut in [0, CUT] {
                    // Episodes without `max_steps` are checked once per view and mode.
                    if cut == 0 && dtype == ObsType::F32 {
                        continue;
                    }
                    // Truncated episodes use `score_delta`, if the game offers it.
                    let dense = cut != 0 && fixture.info().rewards.contains(&RewardKind::ScoreDelta);
                    let reward = if dense { "score_delta" } else { "default" };
                    let Ok(game) = fixture.any(&[("max_steps", json!(cut)), ("reward", json!(reward))])
                    else {
                        return rec.fail("N1", "does not load with max_steps");
                    };
                    let steps = if cut == 0 { (longest + 10).min(400) } else { 30 };
                    let name = format!("{} {} {} max_steps={cut}", view.name(), mode.name(), dtype.name());
                    rec.at(&Trace::start(seeds(3, 1)[0]));
                    match Pair::new(&*game, config(3, view, mode, dtype), 0xaa) {
                        Ok(mut pair) => {
                            pair.open =
                                fixture.any(&[("max_steps", json!(0)), ("reward", json!(reward))]).ok();
                            guarded("N1", rec, |rec| compare_steps(&*game, pair, steps, &name, rec));
                        }
                        // In such short episodes some players never decide (decks are built first): a batch with such a learner is refused,
                        // which N12 checks.
                        Err(Error::InvalidArgument { argument: "learner", .. }) if cut != 0 => {}
                        Err(error) => rec.fail("N1", format!("{name}: {error}")),
                    }
                }
            }
        }
    }
}

/// Steps the batch and the single environments together and compares all outputs.
fn compare_steps(game: &dyn AnyGame, mut pair: Pair, steps: usize, name: &str, rec: &mut Recorder) {
    let mode = pair.venv.config().autoreset;
    let n = pair.singles.len();
    for env in 0..n {
        compare_row(game, &pair, env, name, rec);
    }
    for step in 0..steps {
        let over: Vec<bool> = pair.singles.iter().map(|single| single.acting().is_empty()).collect();
        if mode == Autoreset::Disabled && over.contains(&true) {
            let mask: Vec<u8> = over.iter().map(|&over| u8::from(over)).collect();
            let reset = Reset { from: Source::Streams, mask: Some(&mask) };
            if let Err(error) = pair.venv.reset(reset, &mut pair.out.borrow()) {
                return rec.fail("N1", format!("{name}: {error}"));
            }
            (0..n).filter(|&env| over[env]).for_each(|env| pair.next_episode(env));
            (0..n).for_each(|env| compare_row(game, &pair, env, name, rec));
            continue;
        }
        let actions: Vec<i64> = (0..n).flat_map(|env| pair.actions_of(env)).collect();
        fill(&mut pair.out, if step % 2 == 0 { 0x55 } else { 0xaa });
        let filled = pair.out.clone();
        if let Err(error) = pair.venv.step(Actions::I64(&actions), &mut pair.out.borrow()) {
            return rec.fail("N1", format!("{name}: step {step}: {error}"));
        }
        let lanes = pair.venv.sizes().lanes;
        for env in 0..n {
            let trace = Trace::after(pair.singles[env].episode_seed(), pair.singles[env].history());
            rec.at(&trace);
            rec.saw("N1", 1, lanes, 1);
            rec.saw("R8", 1, lanes, 1);
            let mut alone = SingleStep { was_over: over[env], ..SingleStep::default() };
            match pair.step_alone(env, &actions[env * lanes..(env + 1) * lanes], &mut alone) {
                Ok(()) => compare_after_step(game, &mut pair, env, &alone, &filled, name, rec),
                Err(error) => {
                    let message = format!("{name}: the batch accepts, the single refuses: {error}");
                    return rec.fail("N1", message);
                }
            }
        }
    }
}

/// The result of a step in a single environment.
#[derive(Default)]
struct SingleStep {
    /// Whether its episode was over before.
    was_over: bool,
    /// Who decided.
    seat: Option<Seat>,
    /// Rewards until the next decision of the caller.
    rewards: Vec<f32>,
}

/// Compares one row after a step.
fn compare_after_step(
    game: &dyn AnyGame,
    pair: &mut Pair,
    env: usize,
    alone: &SingleStep,
    filled: &OwnedBuffers,
    name: &str,
    rec: &mut Recorder,
) {
    let mode = pair.venv.config().autoreset;
    let sizes = pair.venv.sizes();
    let row = RowView { out: &pair.out, env, sizes };
    let single = &mut pair.singles[env];
    let sums = &mut pair.rewards[env];
    sums.iter_mut().zip(row.rewards()).for_each(|(sum, &reward)| *sum += f64::from(reward));
    let wrong = |what: &str| format!("{name}: environment {env}: {what}");
    // A batch computes the reward over several decisions at once; single environments sum several rounded rewards.
    let near = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-5 * a.abs().max(1.0);
    rec.claim("N1", row.rewards().iter().zip(&alone.rewards).all(near), || {
        wrong(&format!("rewards {:?}, alone {:?}", row.rewards(), alone.rewards))
    });
    let over = single.status() != Status::Running && !alone.was_over;
    let flags = (row.out.terminated[env], row.out.truncated[env]);
    let expected = match single.status() {
        Status::Terminated if over => (1, 0),
        Status::Truncated if over => (0, 1),
        _ => (0, 0),
    };
    rec.claim("N1", flags == expected, || wrong(&format!("flags {flags:?}, alone {expected:?}")));
    if over {
        rec.saw("N11", 1, 0, 1);
        let record = (row.returns().to_vec(), row.out.episode_length[env], row.out.final_seed[env]);
        let own = (single.returns().to_vec(), single.decisions() as i32, single.episode_seed());
        rec.claim("N11", record == own, || wrong(&format!("episode {record:?}, alone {own:?}")));
        let agree = sums.iter().zip(&own.0).all(|(sum, &own)| (sum - f64::from(own)).abs() < 1e-3);
        rec.claim("R8", agree, || wrong(&format!("rewards sum to {sums:?}, returns alone {:?}", own.0)));
        sums.fill(0.0);
        for seat in Seat::all(sizes.players) {
            let same = row.final_observation(game, seat.index()) == observation_of(&**single, seat);
            rec.claim("N1", same, || wrong(&format!("last observation of player {seat} differs")));
        }
        if let Some(seat) = alone.seat
            && flags.1 == 0
            && sizes.lanes == 1
        {
            final_player(game, &row, &**single, seat, &wrong, rec);
        }
        let lanes = sizes.lanes * sizes.actions;
        let mask = row.part(&row.out.final_mask, lanes);
        let next = row.part(&row.out.final_acting, sizes.players);
        if flags.0 != 0 {
            let nothing = mask.iter().chain(next).all(|&m| m == 0);
            rec.claim("N1", nothing, || wrong("a terminated episode has legal actions or acting players"));
        }
    } else {
        let kept = row.part(&row.out.episode_return, sizes.players)
            == &filled.episode_return[env * sizes.players..(env + 1) * sizes.players]
            && row.out.episode_length[env] == filled.episode_length[env]
            && row.out.final_seed[env] == filled.final_seed[env]
            && row.out.final_player[env] == filled.final_player[env];
        rec.claim("N2", kept, || wrong("`final_*` is written although nothing ended"));
    }
    if flags.1 != 0 && over {
        compare_final(game, pair, env, alone.seat, name, rec);
    }
    if over && mode == Autoreset::SameStep {
        pair.next_episode(env);
    }
    compare_row(game, pair, env, name, rec);
}

/// Compares the player and the observation of a row that ended.
fn final_player(
    game: &dyn AnyGame,
    row: &RowView<'_>,
    single: &dyn AnyEnv,
    seat: Seat,
    wrong: &dyn Fn(&str) -> String,
    rec: &mut Recorder,
) {
    let reported = row.out.final_player[row.env];
    rec.claim("N1", reported == i32::from(seat.0), || {
        wrong(&format!("final_player {reported}, alone {seat}"))
    });
    if row.sizes.lanes == 1 {
        let same = row.last_observation(game) == observation_of(single, seat);
        rec.claim("N1", same, || wrong(&format!("final_obs is not what player {seat} sees")));
    }
}

/// Compares `final_player`, `final_obs`, `final_mask` and `final_acting` of a truncated row with the same position in a game without
/// the limit.
fn compare_final(
    game: &dyn AnyGame,
    pair: &Pair,
    env: usize,
    last: Option<Seat>,
    name: &str,
    rec: &mut Recorder,
) {
    let Some(open) = &pair.open else { return };
    let open = match open.env_from_bytes(&pair.singles[env].to_bytes()) {
        Ok(open) => open,
        Err(error) => return rec.fail("N1", format!("{name}: a truncated position is not loaded: {error}")),
    };
    let sizes = pair.venv.sizes();
    let row = RowView { out: &pair.out, env, sizes };
    let (masks, next) = (row.part(&row.out.final_mask, sizes.lanes * sizes.actions), &row.out.final_acting);
    let acting = open.acting();
    let flags: Vec<u8> = Seat::all(sizes.players).map(|seat| u8::from(acting.contains(seat))).collect();
    let next = row.part(next, sizes.players);
    rec.claim("N1", next == flags, || {
        format!("{name}: environment {env}: final_acting {next:?}, the position has {flags:?}")
    });
    // All three belong to the player who would decide next; in the single-player view to the learner.
    let viewer = pair.learner.or(acting.first()).or(last);
    if let Some(viewer) = viewer.filter(|_| sizes.lanes == 1 || !acting.is_empty()) {
        let wrong = |what: &str| format!("{name}: environment {env}: {what}");
        final_player(game, &row, &*pair.singles[env], viewer, &wrong, rec);
    }
    for (lane, mask) in masks.chunks(sizes.actions).enumerate() {
        let seat = if sizes.lanes > 1 { Some(Seat(lane as u8)) } else { viewer };
        let expected = seat.map_or_else(|| vec![0; sizes.actions], |seat| mask_of(&*open, seat));
        rec.claim("N1", mask == expected, || {
            format!(
                "{name}: environment {env}: final_mask is not the legal actions of {seat:?} in the truncated position"
            )
        });
    }
}

/// Compares a row with a position: players, masks, observations, seed.
fn compare_row(game: &dyn AnyGame, pair: &Pair, env: usize, name: &str, rec: &mut Recorder) {
    let sizes = pair.venv.sizes();
    let row = RowView { out: &pair.out, env, sizes };
    let single = &*pair.singles[env];
    let wrong = |what: String| format!("{name}: environment {env}: {what}");
    let acting = single.acting();
    let player = acting.first().map_or(-1, |seat| i32::from(seat.0));
    rec.saw("K4", 1, sizes.lanes, 1);
    rec.saw("V12", 1, sizes.lanes, 0);
    rec.claim("N1", row.out.player[env] == player, || {
        wrong(format!("player {}, alone {player}", row.out.player[env]))
    });
    let seed = row.out.episode_seed[env];
    rec.claim("N1", seed == single.episode_seed(), || wrong("another seed is reported".into()));
    for lane in 0..sizes.lanes {
        let seat = if sizes.lanes == 1 { acting.first() } else { Some(Seat(lane as u8)) };
        let Some(seat) = seat else {
            rec.claim("N1", row.mask(lane).iter().all(|&m| m == 0), || {
                wrong("an ended row has legal actions".into())
            });
            continue;
        };
        if sizes.lanes == 1 || !acting.is_empty() {
            rec.claim("K4", row.mask(lane) == mask_of(single, seat), || {
                let of = Seat::all(sizes.players).find(|&other| row.mask(lane) == mask_of(single, other));
                wrong(format!("the mask is not that of player {seat} (it is that of {of:?})"))
            });
        }
        let (shown, own) = (row.observation(game, lane), observation_of(single, seat));
        if shown != own {
            let of = Seat::all(sizes.players).find(|&other| shown == observation_of(single, other));
            let at = super::difference::observation_difference(game.info(), &own, &shown).unwrap_or_default();
            let stale = shown.iter().zip(&own).any(|(&s, &o)| s != o && (s == 0xaa || s == 0x55));
            let id = if stale { "V12" } else { "K4" };
            rec.fail(
                id,
                wrong(format!("observation of player {seat} differs at {at} (it is that of {of:?})")),
            );
        }
    }
    let acts: Vec<u8> = Seat::all(sizes.players).map(|seat| u8::from(acting.contains(seat))).collect();
    let shown = row.part(&row.out.acting, sizes.players);
    let fits = if sizes.lanes == 1 {
        shown.iter().map(|&a| usize::from(a)).sum::<usize>() == usize::from(player >= 0)
            && (player < 0 || shown[player as usize] == 1)
    } else {
        shown == acts
    };
    rec.claim("N1", fits || shown == acts, || wrong(format!("acting {shown:?}, alone {acts:?}")));
}

fn a9_samples_as_alone(fixture: &Base<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("A9", rec) else { return };
    let steps = fixture.histories.iter().map(|(_, choices)| choices.len()).max().unwrap_or(1).min(200) + 5;
    for threads in [1, 2] {
        let config = VecConfig { threads, ..config(4, View::Turn, Autoreset::SameStep, ObsType::U8) };
        let mut pair = match Pair::new(&*game, config, 0) {
            Ok(pair) => pair,
            Err(error) => return rec.fail("A9", error.to_string()),
        };
        let roots = (0u64..).zip(seeds(4, 1)).map(|(env, seed)| environment_root(seed, env));
        let mut streams: Vec<Rng> = roots.map(|root| stream(root, Stream::Sample)).collect();
        let alone = |pair: &Pair, env| stream(pair.seed_of(env), Stream::Sample);
        let mut own: Vec<Rng> = (0..4).map(|env| alone(&pair, env)).collect();
        let mut actions = vec![0; 4];
        for _ in 0..steps {
            if let Err(error) = pair.venv.sample_actions(&mut actions) {
                return rec.fail("A9", error.to_string());
            }
            for env in 0..4 {
                let single = &mut pair.singles[env];
                rec.at(&Trace::after(single.episode_seed(), single.history()));
                rec.saw("A9", 1, 1, 1);
                let Some(seat) = single.acting().first() else { continue };
                let legal = single.legal_actions(seat).unwrap_or_default();
                let expected = i64::from(legal[streams[env].below(legal.len() as u32) as usize]);
                rec.claim("A9", actions[env] == expected, || {
                    format!(
                        "environment {env}, {threads} threads: drew {}, its stream gives {expected}",
                        actions[env]
                    )
                });
                // `sample_action` draws in the same way, from the stream of its episode.
                let expected = legal[own[env].below(legal.len() as u32) as usize];
                let drawn = single.sample_action(seat).map(|action| action.0);
                rec.claim("A9", drawn == Ok(expected), || {
                    format!("the environment alone drew {drawn:?}, its stream gives {expected}")
                });
                if single.step(actions[env]).is_err() {
                    return rec.fail("A9", format!("illegal action {} was drawn", actions[env]));
                }
                if single.acting().is_empty() {
                    pair.next_episode(env);
                    own[env] = alone(&pair, env);
                }
            }
            if let Err(error) = pair.venv.step(Actions::I64(&actions), &mut pair.out.borrow()) {
                return rec.fail("A9", error.to_string());
            }
        }
    }
}

/// One episode of one environment under an autoreset mode.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct EpisodeRecord {
    seed: u64,
    steps: Vec<(i32, i64, Vec<f32>)>,
    terminated: bool,
    returns: Vec<f32>,
    length: i32,
}

/// Plays until every environment has finished `episodes` episodes.
pub(super) fn play_episodes(
    game: &dyn AnyGame,
    config: VecConfig,
    episodes: usize,
    limit: usize,
) -> Result<Vec<Vec<EpisodeRecord>>, Error> {
    let n = config.num_envs;
    let mode = config.autoreset;
    let mut venv = game.vec_env(config, &[])?;
    venv.share_always();
    let mut out = dirty(&*venv, 0x55);
    let seeds = seeds(n, 2);
    venv.reset(Reset { from: Source::Seeds(&seeds), mask: None }, &mut out.borrow())?;
    let mut records: Vec<Vec<EpisodeRecord>> = vec![Vec::new(); n];
    let mut running: Vec<EpisodeRecord> =
        (0..n).map(|env| EpisodeRecord { seed: out.episode_seed[env], ..EpisodeRecord::default() }).collect();
    let sizes = venv.sizes();
    for _ in 0..limit {
        if records.iter().all(|list| list.len() >= episodes) {
            break;
        }
        let over: Vec<u8> = out.player.iter().map(|&player| u8::from(player < 0)).collect();
        if mode == Autoreset::Disabled && over.contains(&1) {
            venv.reset(Reset { from: Source::Streams, mask: Some(&over) }, &mut out.borrow())?;
            for env in (0..n).filter(|&env| over[env] != 0) {
                running[env] = EpisodeRecord { seed: out.episode_seed[env], ..EpisodeRecord::default() };
            }
            continue;
        }
        let mut actions = vec![0i64; n];
        for env in 0..n {
            let row = RowView { out: &out, env, sizes };
            let legal: Vec<i64> =
                (0..sizes.actions as i64).filter(|&a| row.mask(0)[a as usize] == 1).collect();
            // The choice depends on the episode and its length alone, so that all modes choose equally.
            let pick = derive(running[env].seed, running[env].steps.len() as u64);
            actions[env] = if legal.is_empty() { -7 } else { legal[(pick % legal.len() as u64) as usize] };
        }
        let players = out.player.clone();
        venv.step(Actions::I64(&actions), &mut out.borrow())?;
        for env in 0..n {
            let row = RowView { out: &out, env, sizes };
            if over[env] != 0 {
                // next_step began an episode; this step must have no rewards.
                running[env] = EpisodeRecord { seed: out.episode_seed[env], ..EpisodeRecord::default() };
                if row.rewards().iter().any(|&r| r != 0.0) {
                    running[env].steps.push((-2, 0, row.rewards().to_vec()));
                }
                continue;
            }
            running[env].steps.push((players[env], actions[env], row.rewards().to_vec()));
            if row.ended() {
                let mut record = std::mem::take(&mut running[env]);
                record.terminated = out.terminated[env] != 0;
                record.returns = row.returns().to_vec();
                record.length = out.episode_length[env];
                records[env].push(record);
                running[env] = EpisodeRecord { seed: out.episode_seed[env], ..EpisodeRecord::default() };
            }
        }
    }
    Ok(records)
}

fn n2_modes_play_equal_episodes(fixture: &Base<'_>, rec: &mut Recorder) {
    let longest = fixture.histories.iter().map(|(_, choices)| choices.len()).max().unwrap_or(1);
    for (cut, episodes) in [(0, 2), (CUT, 4)] {
        let Ok(game) = fixture.any(&[("max_steps", json!(cut))]) else {
            return rec.fail("N2", "does not load");
        };
        let limit = if cut == 0 { 3 * longest + 20 } else { 60 };
        let play = |mode| play_episodes(&*game, config(3, View::Turn, mode, ObsType::U8), episodes, limit);
        let records = match (play(Autoreset::SameStep), play(Autoreset::NextStep), play(Autoreset::Disabled))
        {
            (Ok(a), Ok(b), Ok(c)) => [a, b, c],
            (Err(error), ..) | (_, Err(error), _) | (.., Err(error)) => {
                return rec.fail("N2", error.to_string());
            }
        };
        for env in 0..3 {
            for episode in 0..episodes {
                let Some(first) = records[0][env].get(episode) else { continue };
                rec.at(&Trace::start(first.seed));
                rec.saw("N2", 1, 0, first.steps.len());
                rec.saw("N11", 1, 0, first.steps.len());
                for (mode, other) in [("next_step", &records[1]), ("disabled", &records[2])] {
                    let same = other[env].get(episode).is_none_or(|record| record == first);
                    rec.claim("N2", same, || {
                        format!(
                            "environment {env}, episode {episode}: same_step plays {first:?}, {mode} {:?}",
                            other[env].get(episode)
                        )
                    });
                }
                for list in &records {
                    let Some(record) = list[env].get(episode) else { continue };
                    let mut sums = vec![0f32; record.returns.len()];
                    for (_, _, rewards) in &record.steps {
                        sums.iter_mut().zip(rewards).for_each(|(sum, reward)| *sum += reward);
                    }
                    let equal = sums.iter().zip(&record.returns).all(|(a, b)| (a - b).abs() < 1e-3);
                    rec.claim("N2", equal, || {
                        format!("rewards sum to {sums:?}, returns are {:?}", record.returns)
                    });
                    rec.claim("N11", record.length as usize == record.steps.len(), || {
                        format!("length {} for {} decisions", record.length, record.steps.len())
                    });
                }
            }
        }
    }
}
