//! Rewards and ends of episodes (R1 to R9, C15), for every kind of reward that the game offers.

use super::fixture::{Fixture, guarded};
use super::play::step_randomly;
use super::report::{Recorder, Trace, player_text};
use playmat_core::any::{AnyEnv, AnyGame};
use playmat_core::game::Status;
use playmat_core::info::RewardKind;
use playmat_core::player::Players;
use playmat_core::rng::{Rng, derive};
use serde_json::json;

/// Runs these checks.
pub(crate) fn run(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let other_victory = fixture.hooks.other_victory;
    let ids = ["R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9"];
    if ids.iter().any(|id| fixture.wants(id)) {
        guarded("R2", rec, |rec| all_kinds(fixture, rec));
        guarded("R7", rec, |rec| r7_winners_have_the_best_score(fixture, other_victory, rec));
        guarded("R3", rec, |rec| r3_final_scores_in_range(fixture, rec));
    }
    if fixture.wants("C15") {
        guarded("C15", rec, |rec| c15_loaded_under_another_kind(fixture, rec));
    }
    if fixture.wants("R8") && !ids[..7].iter().any(|id| fixture.wants(id)) {
        rec.note("R8", "checked together with R2");
    }
}

/// The rewards of an episode, per player.
struct Paid {
    kind: RewardKind,
    sums: Vec<f64>,
    scores: Vec<i32>,
    divisor: u16,
}

fn all_kinds(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let episodes = fixture.histories.len().max(2) as u64;
    for number in 0..episodes {
        let seed = derive(fixture.config.seed ^ 0x52, number);
        let mut paid = Vec::new();
        for kind in fixture.info().rewards.clone() {
            rec.at(&Trace::start(seed));
            match fixture.any(&[("reward", json!(kind.name()))]) {
                Ok(game) => paid.extend(play(&*game, seed, kind, fixture.decision_limit(), rec)),
                Err(error) => rec.fail("R1", format!("reward {} does not load: {error}", kind.name())),
            }
        }
        compare_kinds(&paid, rec);
    }
}

/// Plays an episode and runs the checks of one kind of reward.
fn play(
    game: &dyn AnyGame,
    seed: u64,
    kind: RewardKind,
    decision_limit: usize,
    rec: &mut Recorder,
) -> Option<Paid> {
    let players = game.info().players;
    let (low, high) = game.info().return_range(kind);
    let zero_sum = kind == RewardKind::Outcome || game.info().score_zero_sum;
    let mut env = game.env(seed);
    let mut draws = Rng::from_seed(seed);
    let mut sums = vec![0f64; players];
    rec.claim("R2", env.rewards().iter().chain(env.returns()).all(|&r| r == 0.0), || {
        "there are rewards before the first step".into()
    });
    while let Some(player) = env.acting().first() {
        if env.history().len() > decision_limit || !step_randomly("R2", &mut *env, player, &mut draws, rec) {
            return None;
        }
        rec.at(&Trace::after(seed, env.history()));
        for id in ["R1", "R2", "R3", "R4", "R5", "R6", "R8"] {
            rec.saw(id, 1, players, 1);
        }
        let (rewards, returns) = (env.rewards().to_vec(), env.returns().to_vec());
        let sizes = [rewards.len(), returns.len(), env.scores().len()];
        rec.claim("R1", sizes == [players; 3], || {
            format!("{sizes:?} rewards, returns, scores for {players} players")
        });
        rec.claim("R6", rewards.iter().chain(&returns).all(|r| r.is_finite()), || {
            format!("rewards {rewards:?}, returns {returns:?}")
        });
        for (sum, &reward) in sums.iter_mut().zip(&rewards) {
            *sum += f64::from(reward);
        }
        let agree = sums.iter().zip(&returns).all(|(sum, &r)| (sum - f64::from(r)).abs() < 1e-3);
        rec.claim("R2", agree, || {
            format!("{}: rewards sum to {sums:?}, returns are {returns:?}", kind.name())
        });
        let over = env.status() != Status::Running;
        if kind != RewardKind::ScoreDelta {
            rec.claim("R5", over || rewards.iter().all(|&r| r == 0.0), || {
                format!("{} pays {rewards:?} before the end", kind.name())
            });
        }
        if over || kind == RewardKind::Outcome {
            let inside = returns.iter().all(|&r| (low..=high).contains(&r));
            rec.claim("R3", inside, || {
                format!("{}: returns {returns:?} outside [{low}, {high}]", kind.name())
            });
        }
        if zero_sum && (over || kind == RewardKind::Outcome) {
            let sum: f64 = returns.iter().map(|&r| f64::from(r)).sum();
            rec.claim("R4", sum.abs() < 1e-4, || {
                format!("{}: returns {returns:?} sum to {sum}", kind.name())
            });
        }
    }
    // The returns are the sum of the rewards, summed here.
    let agree = sums.iter().zip(env.returns()).all(|(sum, &r)| (sum - f64::from(r)).abs() < 1e-3);
    rec.claim("R8", agree, || {
        format!("{}: rewards sum to {sums:?}, returns {:?}", kind.name(), env.returns())
    });
    let scores = env.scores();
    nothing_after_the_end(&mut *env, rec);
    Some(Paid { kind, sums, scores, divisor: game.info().score_divisor })
}

fn nothing_after_the_end(env: &mut dyn AnyEnv, rec: &mut Recorder) {
    rec.saw("R9", 1, 0, 0);
    let returns = env.returns().to_vec();
    let refused = env.step(0).is_err();
    rec.claim("R9", refused && env.returns() == returns, || "a step after the end has rewards".into());
    env.reset(None);
    let nothing = env.rewards().iter().chain(env.returns()).all(|&r| r == 0.0);
    rec.claim("R9", nothing, || "a new episode begins with rewards".into());
}

/// The same episodes with every kind of reward: saves of one are loaded with every other.
fn c15_loaded_under_another_kind(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let kinds = fixture.info().rewards.clone();
    for number in 0..2 {
        let seed = derive(fixture.config.seed ^ 0x4350, number);
        rec.at(&Trace::start(seed));
        let games: Result<Vec<_>, _> =
            kinds.iter().map(|kind| fixture.any(&[("reward", json!(kind.name()))])).collect();
        let games = match games {
            Ok(games) => games,
            Err(error) => return rec.fail("C15", format!("does not load: {error}")),
        };
        let mut envs: Vec<_> = games.iter().map(|game| game.env(seed)).collect();
        let mut draws = Rng::from_seed(seed);
        for at in 0..fixture.decision_limit() {
            let player = envs[0].acting().first();
            rec.at(&Trace::after(seed, envs[0].history()));
            if at.is_power_of_two() || player.is_none() {
                load_under_all(&games, &envs, rec);
            }
            let Some(player) = player else { break };
            let legal = envs[0].legal_actions(player).unwrap_or_default();
            if legal.is_empty() {
                return rec.fail("C15", format!("player {player} must act but has no legal action"));
            }
            let action = legal[draws.below(legal.len() as u32) as usize];
            if let Some(error) = envs.iter_mut().find_map(|env| env.step_player(player, action.into()).err())
            {
                return rec.fail("C15", format!("action {action} is refused under one kind: {error}"));
            }
        }
    }
}

fn load_under_all(games: &[Box<dyn AnyGame>], envs: &[Box<dyn AnyEnv>], rec: &mut Recorder) {
    for from in envs {
        let json = from.to_json(None).map(|json| json.to_string()).unwrap_or_default();
        for (game, truth) in games.iter().zip(envs) {
            rec.saw("C15", 1, game.info().players, 0);
            let loaded =
                [("bytes", game.env_from_bytes(&from.to_bytes())), ("JSON", game.env_from_json(&json, 0))];
            for (form, loaded) in loaded {
                let kind = game.reward().name();
                match loaded {
                    Err(error) => rec.fail("C15", format!("{form} under {kind}: {error}")),
                    Ok(loaded) => rec.claim("C15", loaded.returns() == truth.returns(), || {
                        let (got, must) = (loaded.returns(), truth.returns());
                        format!("{form} loaded under {kind}: returns {got:?}, played {must:?}")
                    }),
                }
            }
        }
    }
}

fn compare_kinds(paid: &[Paid], rec: &mut Recorder) {
    let find = |kind| paid.iter().find(|one| one.kind == kind);
    for one in paid {
        if one.kind == RewardKind::Outcome {
            continue;
        }
        rec.saw("R7", 1, one.sums.len(), 1);
        let agree = one
            .sums
            .iter()
            .zip(&one.scores)
            .all(|(sum, &score)| (sum - f64::from(score) / f64::from(one.divisor)).abs() < 1e-3);
        rec.claim("R7", agree, || {
            let (kind, divisor) = (one.kind.name(), one.divisor);
            format!("{kind} rewards sum to {:?}, scores {:?} divided by {divisor}", one.sums, one.scores)
        });
    }
    if let (Some(score), Some(delta)) = (find(RewardKind::Score), find(RewardKind::ScoreDelta)) {
        rec.claim("R7", score.scores == delta.scores, || "the kind of reward changes the scores".into());
    }
}

fn r7_winners_have_the_best_score(fixture: &Fixture<'_>, other_victory: Option<&str>, rec: &mut Recorder) {
    let players = fixture.players();
    for (trace, scores, status, winners) in &fixture.sweep.ends {
        let judged = *status == Status::Terminated || fixture.info().outcome_on_truncation;
        if players < 2 || !judged {
            rec.saw("R7", 1, players, 1);
            continue;
        }
        rec.at(trace);
        rec.saw("R7", 1, players, 1);
        rec.claim("R7", winners.0 & !Players::all(players).0 == 0, || {
            format!("{} won in a game for {players}", player_text(winners.iter()))
        });
        let best = scores[..players].iter().max().copied().unwrap_or(0);
        let all_best = winners.iter().all(|player| scores[player.index()] == best);
        if other_victory.is_none() {
            rec.claim("R7", all_best, || {
                format!(
                    "{} won with scores {:?}; if the best score need not win, give the reason in the hook `other_victory`",
                    player_text(winners.iter()),
                    &scores[..players]
                )
            });
            rec.claim("R7", !winners.is_empty(), || "a judged episode without a winner".into());
        }
    }
    if let Some(reason) = other_victory {
        rec.note("R7", format!("the best score need not win: {reason}"));
    }
}

fn r3_final_scores_in_range(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let ((low, high), players) = (fixture.info().score_range, fixture.players());
    let (mut least, mut most) = (i32::MAX, i32::MIN);
    for (trace, scores, ..) in &fixture.sweep.ends {
        rec.at(trace);
        rec.saw("R3", 1, players, 1);
        for &score in &scores[..players] {
            (least, most) = (least.min(score), most.max(score));
            rec.claim("R3", (low..=high).contains(&score), || {
                format!("final score {score} outside {low}..={high}")
            });
        }
        let beyond = scores[players..].iter().all(|&score| score == 0);
        rec.claim("R1", beyond, || format!("scores of players that do not exist: {scores:?}"));
    }
    rec.note("R3", format!("final scores {least} to {most} seen, {low} to {high} declared"));
}
