//! Whole episodes of a batch, compared between the autoreset modes (N2).

use super::filling::dirty;
use super::fixture::Fixture;
use super::pair::{CUT, config, seeds};
use super::report::{Recorder, Trace};
use super::row_view::RowView;
use playmat_core::any::AnyGame;
use playmat_core::error::Error;
use playmat_core::rng::derive;
use playmat_core::vec::{Actions, Autoreset, ObsType, Reset, Source, VecConfig, View};
use serde_json::json;

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

pub(super) fn n2_modes_play_equal_episodes(fixture: &Fixture<'_>, rec: &mut Recorder) {
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
