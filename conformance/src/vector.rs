//! Batches of environments (N1 to N6, N10 to N13), and the checks of other files that need batches (A9, S3, S4, R8, V3, V12, K4).
//! All calls go through the type-erased interfaces, so that mutants can be injected.

use super::episodes::n2_modes_play_equal_episodes;
use super::filling::fill;
use super::fixture::{Fixture, guarded};
use super::opponents::{n12_opponents, n12_skipped_episodes};
use super::pair::{CUT, Pair, SingleStep, config, seeds};
use super::play::{mask_of, observation_of};
use super::report::{Recorder, Trace, player_text};
use super::row_view::RowView;
use super::vector_calls::{
    n1_rollouts_equal_steps, n3_disabled, n4_transactions, n5_wrong_lengths, n6_order_of_calls,
    n10_other_threads, s3_streams_do_not_meet, s4_threads_and_batches, v3_floats_are_exact,
};
use playmat_core::any::{AnyEnv, AnyGame};
use playmat_core::error::Error;
use playmat_core::game::Status;
use playmat_core::info::RewardKind;
use playmat_core::player::Player;
use playmat_core::rng::{Rng, Stream, environment_root, stream};
use playmat_core::vec::{Actions, Autoreset, ObsType, OwnedBuffers, Reset, Source, VecConfig, View};
use serde_json::json;

/// Runs these checks.
pub(crate) fn run(fixture: &Fixture<'_>, rec: &mut Recorder) {
    for (ids, check) in [
        (&["N1", "R8", "K4", "V12", "N11"][..], n1_equals_singles as fn(&Fixture<'_>, &mut Recorder)),
        (&["N1"][..], n1_rollouts_equal_steps),
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

fn n1_equals_singles(fixture: &Fixture<'_>, rec: &mut Recorder) {
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
        for player in Player::all(sizes.players) {
            let same = row.final_observation(game, player.index()) == observation_of(&**single, player);
            rec.claim("N1", same, || wrong(&format!("last observation of player {player} differs")));
        }
        if let Some(player) = alone.player
            && flags.1 == 0
            && sizes.lanes == 1
        {
            final_player(game, &row, &**single, player, &wrong, rec);
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
        compare_final(game, pair, env, alone.player, name, rec);
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
    player: Player,
    wrong: &dyn Fn(&str) -> String,
    rec: &mut Recorder,
) {
    let reported = row.out.final_player[row.env];
    rec.claim("N1", reported == i32::from(player.0), || {
        wrong(&format!("final_player {reported}, alone {player}"))
    });
    if row.sizes.lanes == 1 {
        let same = row.last_observation(game) == observation_of(single, player);
        rec.claim("N1", same, || wrong(&format!("final_obs is not what player {player} sees")));
    }
}

/// Compares `final_player`, `final_obs`, `final_mask` and `final_acting` of a truncated row with the same position in a game without
/// the limit.
fn compare_final(
    game: &dyn AnyGame,
    pair: &Pair,
    env: usize,
    last: Option<Player>,
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
    let flags: Vec<u8> = Player::all(sizes.players).map(|player| u8::from(acting.contains(player))).collect();
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
        let player = if sizes.lanes > 1 { Some(Player(lane as u8)) } else { viewer };
        let expected = player.map_or_else(|| vec![0; sizes.actions], |player| mask_of(&*open, player));
        rec.claim("N1", mask == expected, || {
            format!(
                "{name}: environment {env}: final_mask is not the legal actions of {} in the truncated position",
                player_text(player)
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
    let player = acting.first().map_or(-1, |player| i32::from(player.0));
    rec.saw("K4", 1, sizes.lanes, 1);
    rec.saw("V12", 1, sizes.lanes, 0);
    rec.claim("N1", row.out.player[env] == player, || {
        wrong(format!("player {}, alone {player}", row.out.player[env]))
    });
    let seed = row.out.episode_seed[env];
    rec.claim("N1", seed == single.episode_seed(), || wrong("another seed is reported".into()));
    for lane in 0..sizes.lanes {
        let player = if sizes.lanes == 1 { acting.first() } else { Some(Player(lane as u8)) };
        let Some(player) = player else {
            rec.claim("N1", row.mask(lane).iter().all(|&m| m == 0), || {
                wrong("an ended row has legal actions".into())
            });
            continue;
        };
        if sizes.lanes == 1 || !acting.is_empty() {
            rec.claim("K4", row.mask(lane) == mask_of(single, player), || {
                let of = Player::all(sizes.players).find(|&other| row.mask(lane) == mask_of(single, other));
                wrong(format!("the mask is not that of player {player} (it is that of {})", player_text(of)))
            });
        }
        let (shown, own) = (row.observation(game, lane), observation_of(single, player));
        if shown != own {
            let of = Player::all(sizes.players).find(|&other| shown == observation_of(single, other));
            let at = super::difference::observation_difference(game.info(), &own, &shown).unwrap_or_default();
            let stale = shown.iter().zip(&own).any(|(&s, &o)| s != o && (s == 0xaa || s == 0x55));
            let id = if stale { "V12" } else { "K4" };
            rec.fail(
                id,
                wrong(format!(
                    "observation of player {player} differs at {at} (it is that of {})",
                    player_text(of)
                )),
            );
        }
    }
    let acts: Vec<u8> = Player::all(sizes.players).map(|player| u8::from(acting.contains(player))).collect();
    let shown = row.part(&row.out.acting, sizes.players);
    let fits = if sizes.lanes == 1 {
        shown.iter().map(|&a| usize::from(a)).sum::<usize>() == usize::from(player >= 0)
            && (player < 0 || shown[player as usize] == 1)
    } else {
        shown == acts
    };
    rec.claim("N1", fits || shown == acts, || wrong(format!("acting {shown:?}, alone {acts:?}")));
}

fn a9_samples_as_alone(fixture: &Fixture<'_>, rec: &mut Recorder) {
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
                let Some(player) = single.acting().first() else { continue };
                let legal = single.legal_actions(player).unwrap_or_default();
                let expected = i64::from(legal[streams[env].below(legal.len() as u32) as usize]);
                rec.claim("A9", actions[env] == expected, || {
                    format!(
                        "environment {env}, {threads} threads: drew {}, its stream gives {expected}",
                        actions[env]
                    )
                });
                // `sample_action` draws in the same way, from the stream of its episode.
                let expected = legal[own[env].below(legal.len() as u32) as usize];
                let drawn = single.sample_action(player).map(|action| action.0);
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
