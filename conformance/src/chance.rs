//! Chance and seeds (S1, S2, S4 to S12). The checks of batches (S3, the rest of S4) are in `vector`, S7 is in `outcomes`.

use super::difference::json_difference;
use super::fixture::{Fixture, guarded};
use super::play::{act, observation_of, play_on, step_randomly};
use super::report::{Recorder, Trace};
use super::states::everything;
use super::stats;
use playmat_core::any::{AnyEnv, AnyGame};
use playmat_core::env::Streams;
use playmat_core::error::Result;
use playmat_core::info::fnv1a;
use playmat_core::player::Player;
use playmat_core::rng::{Rng, Stream, derive, stream};
use playmat_core::save::streams_of;
use playmat_core::vec::{OwnedBuffers, Reset, Source, VecConfig, View};
use serde_json::Value;
use std::collections::BTreeMap;

/// Runs these checks.
pub(crate) fn run(fixture: &Fixture<'_>, rec: &mut Recorder) {
    if fixture.wants("S1") {
        guarded("S1", rec, |rec| s1_same_again(fixture, rec));
    }
    for (id, check) in [
        ("S2", s2_others_differ as fn(&Fixture<'_>, &mut Recorder)),
        ("S4", s4_others_do_not_disturb),
        ("S4", s4_looking_does_not_disturb),
        ("S5", s5_reset),
        ("S6", s6_own_seed_replays),
        ("S8", s8_uniform),
        ("S9", s9_digest_again),
        ("S10", s10_pinned),
        ("S11", s11_no_foresight),
        ("S12", s12_streams_are_apart),
    ] {
        if fixture.wants(id) {
            guarded(id, rec, |rec| check(fixture, rec));
        }
    }
    if fixture.wants("S7") {
        guarded("S7", rec, |rec| super::outcomes::run(fixture, rec));
    }
}

fn s1_same_again(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("S1", rec) else { return };
    for played in &fixture.recorded {
        let (mut rng, mut index) = (stream(played.seed, Stream::Chance), 0);
        let mut state = fixture.game.deal(&mut rng);
        let mut env = game.env(played.seed);
        for (point, &(player, action)) in played.points.iter().zip(played.choices.iter()) {
            rec.at(&Trace { seed: played.seed, choices: played.choices.clone(), len: index });
            rec.saw("S1", 1, 0, 1);
            let same = state == point.0 && rng == point.1;
            rec.claim("S1", same, || "the same seed and actions give another state".into());
            fixture.game.apply(&mut state, player, action, &mut rng);
            if let Err(error) = env.step_player(player, action.0.into()) {
                return rec.fail("S1", format!("the environment refuses a recorded action: {error}"));
            }
            index += 1;
        }
        rec.at(&Trace { seed: played.seed, choices: played.choices.clone(), len: index });
        let same = played.points.last().is_some_and(|point| state == point.0 && rng == point.1);
        rec.claim("S1", same, || "the end differs".into());
        let json = env.to_json(None).map(|json| json["state"].clone()).unwrap_or_default();
        if let Some(at) = json_difference(&fixture.game.describe(&state, None), &json) {
            rec.fail("S1", format!("the environment ends in another state: {at}"));
        }
    }
}

fn s2_others_differ(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("S2", rec) else { return };
    let deal_is_random = fixture.random_deal;
    let mut env = game.env(fixture.config.seed);
    rec.at(&Trace::start(fixture.config.seed));
    let mut seeds = vec![env.episode_seed()];
    let (mut deals, mut futures) = (vec![state_of(&*env)], vec![future_of(&*env)]);
    for _ in 0..11 {
        env.reset(None);
        rec.saw("S2", 1, 0, 0);
        seeds.push(env.episode_seed());
        deals.push(state_of(&*env));
        futures.push(future_of(&*env));
    }
    let mut sorted = seeds.clone();
    sorted.sort_unstable();
    sorted.dedup();
    rec.claim("S2", sorted.len() == seeds.len(), || format!("episode seeds repeat: {seeds:x?}"));
    let spread = |list: &[u64]| list.iter().any(|&one| one != list[0]);
    if deal_is_random {
        rec.claim("S2", spread(&deals), || "twelve episodes begin with the same deal".into());
        let fresh: Vec<u64> = (0..12).map(|seed| state_of(&*game.env(seed))).collect();
        rec.claim("S2", spread(&fresh), || "seeds 0 to 11 give the same deal".into());
    }
    if fixture.info().chance && fixture.later_chance {
        rec.claim("S2", spread(&futures), || "chance is the same in twelve episodes".into());
    }
    // A few deals may repeat by accident, but not all of them.
    if deal_is_random && deals.iter().zip(&deals[1..]).all(|(a, b)| a == b) {
        rec.fail("S2", "every episode repeats the one before");
    }
    let rng_words = |env: &dyn AnyEnv| env.to_json(None).map(|json| json["rng"].clone()).unwrap_or_default();
    let mut env = game.env(5);
    let mut streams = vec![rng_words(&*env)];
    for _ in 0..3 {
        env.reset(None);
        streams.push(rng_words(&*env));
    }
    let repeats = (1..streams.len()).any(|i| streams[..i].contains(&streams[i]));
    rec.claim("S2", !repeats, || "a later episode has the chance of an earlier one".into());
}

fn state_of(env: &dyn AnyEnv) -> u64 {
    env.to_json(None).map_or(0, |json| fnv1a(json["state"].to_string().as_bytes()))
}

fn future_of(env: &dyn AnyEnv) -> u64 {
    let mut env = env.clone_box();
    // Enough steps for games in which all players build a deck before the first card is drawn.
    let _ = play_on(&mut *env, &mut Rng::from_seed(3), 160);
    state_of(&*env)
}

/// Plays an episode and returns a hash of all outputs at every decision.
fn state_hashes(env: &mut dyn AnyEnv, seed: u64, limit: usize) -> Vec<u64> {
    let mut draws = Rng::from_seed(seed);
    let mut story = vec![fnv1a(&everything(env))];
    while story.len() <= limit && play_on(env, &mut draws, 1) == Ok(1) {
        story.push(fnv1a(&everything(env)));
    }
    story
}

/// Environments that exist at the same time, are made in another order, or belong to another game object.
fn s4_others_do_not_disturb(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("S4", rec) else { return };
    let limit = 60;
    let seeds = [11u64, 12, 13];
    let alone: Vec<Vec<u64>> =
        seeds.iter().map(|&seed| state_hashes(&mut *game.env(seed), seed, limit)).collect();
    let Some(other) = fixture.load("S4", rec) else { return };
    let mut envs: Vec<Box<dyn AnyEnv>> =
        seeds.iter().rev().map(|&seed| if seed == 12 { other.env(seed) } else { game.env(seed) }).collect();
    envs.reverse();
    let mut draws: Vec<Rng> = seeds.iter().map(|&seed| Rng::from_seed(seed)).collect();
    let mut fingerprints: Vec<Vec<u64>> = envs.iter().map(|env| vec![fnv1a(&everything(&**env))]).collect();
    for _ in 0..limit {
        for i in 0..envs.len() {
            if play_on(&mut *envs[i], &mut draws[i], 1) == Ok(1) {
                rec.saw("S4", 1, 0, 1);
                fingerprints[i].push(fnv1a(&everything(&*envs[i])));
            }
        }
    }
    for ((seed, a), (b, env)) in seeds.iter().zip(&alone).zip(fingerprints.iter().zip(&envs)) {
        let at = a.iter().zip(b).take_while(|(x, y)| x == y).count();
        rec.at(&Trace::after(*seed, &env.history()[..at.min(env.history().len())]));
        rec.claim("S4", a == b, || {
            format!("the episode differs after {at} decisions when other environments exist")
        });
    }
    // Two threads at once, on one object of the game.
    let twins: Vec<Vec<u64>> = std::thread::scope(|scope| {
        let game = &game;
        let running: Vec<_> = seeds
            .iter()
            .map(|&seed| scope.spawn(move || state_hashes(&mut *game.env(seed), seed, limit)))
            .collect();
        running.into_iter().map(|thread| thread.join().unwrap_or_default()).collect()
    });
    rec.at(&Trace::start(seeds[0]));
    rec.claim("S4", twins == alone, || "episodes played in parallel threads differ".into());
}

/// Drawing, asking agents, sampling hidden states, exact clones and clones with a seed leave no trace in what follows.
fn s4_looking_does_not_disturb(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("S4", rec) else { return };
    let (limit, seed) = (40, derive(fixture.config.seed, 0x5334));
    let alone = state_hashes(&mut *game.env(seed), seed, limit);
    let mut env = game.env(seed);
    let mut draws = Rng::from_seed(seed);
    let mut story = vec![fnv1a(&everything(&*env))];
    while let Some(player) = env.acting().first() {
        if story.len() > limit {
            break;
        }
        rec.at(&Trace::after(seed, env.history()));
        rec.saw("S4", 1, 1, 1);
        let _ = (env.draw_svg(None), env.draw_text(Some(player)), env.events(None), env.replay());
        let _ = (env.sample_action(player), act(&mut *env, "greedy", player));
        let _ = env.step_player(player, -5);
        for viewer in Player::all(env.info().players) {
            if let Ok(mut sample) = env.sample_hidden(viewer, 1) {
                let _ = play_on(&mut *sample, &mut Rng::from_seed(2), 3);
            }
        }
        let _ = play_on(&mut *env.clone_box(), &mut Rng::from_seed(4), 3);
        let _ = play_on(&mut *env.clone_with_seed(5), &mut Rng::from_seed(5), 3);
        if !step_randomly("S4", &mut *env, player, &mut draws, rec) {
            return;
        }
        story.push(fnv1a(&everything(&*env)));
    }
    let at = alone.iter().zip(&story).take_while(|(x, y)| x == y).count();
    rec.claim("S4", alone == story, || format!("read access changed the game after {at} decisions"));
}

fn s5_reset(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("S5", rec) else { return };
    for seed in [0, 1, u64::MAX] {
        rec.at(&Trace::start(seed));
        rec.saw("S5", 1, 0, 0);
        let fresh = game.env(seed).to_bytes();
        let mut env = game.env(99);
        let _ = play_on(&mut *env, &mut Rng::from_seed(1), 7);
        env.reset(Some(seed));
        rec.claim("S5", env.to_bytes() == fresh, || {
            "a reset with a seed differs from a new environment with that seed".into()
        });
        rec.claim("S5", env.history().is_empty() && env.decisions() == 0, || {
            "the history is not cleared by a reset".into()
        });
        // Without a seed: the next episode of the stream, independent of the decisions before.
        let (mut lazy, mut busy) = (game.env(seed), game.env(seed));
        let _ = play_on(&mut *busy, &mut Rng::from_seed(2), 30);
        for _ in 0..3 {
            lazy.reset(None);
            busy.reset(None);
            rec.claim("S5", lazy.to_bytes() == busy.to_bytes(), || {
                "the decisions of an episode change the next episode".into()
            });
            rec.claim("S5", lazy.episode_seed() != seed, || "the second episode equals the first".into());
        }
    }
}

fn s6_own_seed_replays(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("S6", rec) else { return };
    let mut env = game.env(derive(fixture.config.seed, 0x5336));
    for _ in 0..3 {
        env.reset(None);
        let own = env.episode_seed();
        rec.at(&Trace::start(own));
        let mut alone = game.env(own);
        rec.claim("S6", state_of(&*env) == state_of(&*alone), || {
            "the reported seed deals something else".into()
        });
        let mut draws = Rng::from_seed(own);
        let _ = play_on(&mut *env, &mut draws, fixture.decision_limit());
        for &(player, action) in env.history() {
            rec.saw("S6", 1, 0, 1);
            if let Err(error) = alone.step_player(player, action.0.into()) {
                return rec.fail("S6", format!("the reported seed plays another episode: {error}"));
            }
        }
        let same = state_of(&*env) == state_of(&*alone) && env.returns() == alone.returns();
        rec.claim("S6", same, || "the reported seed ends in another state".into());
    }
}

fn s8_uniform(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let n = fixture.config.samples.max(500) as u64 * 4;
    let mut rng = (fixture.config.draws)(fixture.config.seed ^ 0x5338);
    for sides in [2u32, 6, 12, 40] {
        let mut counts = vec![0u64; sides as usize];
        for _ in 0..n {
            rec.saw("S8", 1, 0, 0);
            counts[rng.below(sides) as usize] += 1;
        }
        let share = vec![1.0 / f64::from(sides); sides as usize];
        if let Err((chi, limit)) = stats::fits(&counts, &share) {
            rec.fail("S8", format!("a die of {sides}: chi-square {chi:.1}, limit {limit:.1}"));
        }
    }
    let mut orders: BTreeMap<[u8; 4], u64> = BTreeMap::new();
    for _ in 0..n {
        let mut items = [0, 1, 2, 3];
        rng.shuffle(&mut items);
        *orders.entry(items).or_insert(0) += 1;
    }
    let counts: Vec<u64> = orders.values().copied().collect();
    let uniform = counts.len() == 24 && stats::fits(&counts, &[1.0 / 24.0; 24]).is_ok();
    rec.claim("S8", uniform, || format!("orders of four cards: {counts:?}"));
}

fn s9_digest_again(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let (Some(game), Some(again)) = (fixture.load("S9", rec), fixture.load("S9", rec)) else { return };
    rec.saw("S9", 2, 0, 0);
    let digest = game.digest(2);
    rec.claim("S9", digest == again.digest(2), || "two objects of one game have different digests".into());
    rec.claim("S9", digest == game.digest(2), || "the digest changes from call to call".into());
    rec.note("S9", format!("digest of 2 episodes {digest}"));
}

fn s10_pinned(fixture: &Fixture<'_>, rec: &mut Recorder) {
    rec.saw("S10", 1, 0, 0);
    let mut rng = (fixture.config.draws)(7);
    let below: Vec<u32> = (0..12).map(|_| rng.below(12)).collect();
    rec.claim("S10", below == [0, 2, 8, 5, 11, 5, 8, 3, 11, 0, 1, 2], || format!("seed 7 draws {below:?}"));
    let mut items = [0, 1, 2, 3, 4, 5, 6, 7];
    (fixture.config.draws)(7).shuffle(&mut items);
    rec.claim("S10", items == [7, 5, 6, 3, 2, 4, 1, 0], || format!("seed 7 shuffles to {items:?}"));
    rec.claim("S10", derive(1, 0) == 0xeecf_0852_a7c5_df38, || "seeds are hashed differently".into());
}

/// The state after a few fixed decisions.
fn outlook(env: &dyn AnyEnv, steps: usize) -> Option<u64> {
    let mut env = env.clone_box();
    for _ in 0..steps {
        let Some(player) = env.acting().first() else { break };
        let legal = env.legal_actions(player).ok()?;
        env.step_player(player, (*legal.last()?).into()).ok()?;
    }
    let seen: Vec<u8> =
        Player::all(env.info().players).flat_map(|player| observation_of(&*env, player)).collect();
    Some(fnv1a(&seen))
}

/// True futures and the futures that search sees: over many seeds they must agree no more often than by chance.
fn s11_no_foresight(fixture: &Fixture<'_>, rec: &mut Recorder) {
    if !fixture.info().chance || !fixture.later_chance {
        return rec.not_applicable("S11", "no chance after the deal");
    }
    let Some(game) = fixture.load("S11", rec) else { return };
    let mut found = 0;
    let mut draws = Rng::from_seed(0x53_3131);
    for number in 0..6 * fixture.config.positions {
        if found >= 3 || fixture.histories.is_empty() {
            break;
        }
        let (seed, choices) = &fixture.histories[number % fixture.histories.len()];
        let len = draws.below(choices.len().max(1) as u32) as usize;
        let trace = Trace { seed: *seed, choices: choices.clone(), len };
        rec.at(&trace);
        let Some(env) = replayed(&*game, &trace, rec) else { return };
        // With one legal action a search has nothing to find.
        let Some(player) = env.acting().first() else { continue };
        if !env.legal_actions(player).is_ok_and(|legal| legal.len() > 1) {
            continue;
        }
        for steps in [1, 2, 4] {
            let outlook_of =
                |seed: u64| with_chance(&*game, &*env, seed).and_then(|changed| outlook(&*changed, steps));
            let first = outlook_of(0);
            let differs = (1..12).any(|seed| outlook_of(seed) != first);
            if first.is_none() || !differs {
                continue;
            }
            found += 1;
            foresight_at(fixture, &*game, &*env, player, steps, rec);
            searches_see_no_future(&*game, &*env, player, rec);
            break;
        }
    }
}

fn replayed(game: &dyn AnyGame, trace: &Trace, rec: &mut Recorder) -> Option<Box<dyn AnyEnv>> {
    let mut env = game.env(trace.seed);
    for &(player, action) in &trace.choices[..trace.len] {
        if let Err(error) = env.step_player(player, action.0.into()) {
            rec.fail("S11", format!("the environment refuses a recorded action: {error}"));
            return None;
        }
    }
    Some(env)
}

/// The same position with other future chance, made without the functions under test.
fn with_chance(game: &dyn AnyGame, env: &dyn AnyEnv, seed: u64) -> Option<Box<dyn AnyEnv>> {
    let mut json = env.to_json(None).ok()?;
    let words = Rng::from_seed(derive(0x53_3131, seed)).words;
    json["rng"] = words.iter().map(|word| Value::from(format!("0x{word:016x}"))).collect();
    game.env_from_json(&json.to_string(), 1).ok()
}

fn foresight_at(
    fixture: &Fixture<'_>,
    game: &dyn AnyGame,
    env: &dyn AnyEnv,
    viewer: Player,
    steps: usize,
    rec: &mut Recorder,
) {
    let n = (fixture.config.samples / 10).max(60) as u64;
    let (mut clones, mut samples) = (Vec::new(), Vec::new());
    for seed in 0..n {
        let Some(changed) = with_chance(game, env, seed) else {
            return rec.fail("S11", "the chance of the position cannot be changed");
        };
        rec.saw("S11", 1, 0, 0);
        let plan = derive(0xf0, seed);
        let truth = outlook(&*changed, steps);
        if let (Some(truth), Some(seen)) = (truth, outlook(&*changed.clone_with_seed(plan), steps)) {
            clones.push((truth, seen));
        }
        if let (Some(truth), Ok(sampled)) = (truth, changed.sample_hidden(viewer, plan)) {
            samples.extend(outlook(&*sampled, steps).map(|seen| (truth, seen)));
        }
    }
    for (what, pairs) in [("a clone with a seed", &clones), ("a sample", &samples)] {
        if let Err((agreed, expected)) = stats::independent(pairs) {
            rec.fail(
                "S11",
                format!(
                    "{what} agreed with the true future {agreed} of {} times, {expected:.1} expected",
                    pairs.len()
                ),
            );
        }
    }
}

/// A search draws from the stream of agents, so whatever chance will do, it finds the same and chooses the same action.
fn searches_see_no_future(game: &dyn AnyGame, env: &dyn AnyEnv, player: Player, rec: &mut Recorder) {
    let found_with = |seed: u64| -> Result<_> {
        let Some(mut changed) = with_chance(game, env, seed) else {
            return Ok(None);
        };
        let agent = game.agent("mcts:8,rollout=random")?;
        let action = changed.act(&agent, player)?;
        let found = changed.search_statistics(&agent, player)?;
        Ok(Some((action, found.value, found.actions)))
    };
    let mut first = None;
    for seed in 0..12 {
        rec.saw("S11", 1, 0, 0);
        let found = match found_with(seed) {
            Ok(Some(found)) => found,
            Ok(None) => return rec.fail("S11", "the chance of the position cannot be changed"),
            Err(error) => return rec.fail("S11", format!("a search as player {player}: {error}")),
        };
        if *first.get_or_insert_with(|| found.clone()) != found {
            let message = format!("what a search as player {player} finds depends on the chance to come");
            return rec.fail("S11", message);
        }
    }
}

/// Numbers of a stream that are compared: more than a deal draws.
const WINDOW: usize = 1024;

/// Every way to make a stream from a user's seed, with the same seed: no two give the same 64-bit number. So no stream continues or repeats
/// another one, at any position.
fn s12_streams_are_apart(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("S12", rec) else { return };
    for seed in [0, 1, derive(fixture.config.seed, 0x53_3132), u64::MAX] {
        rec.at(&Trace::start(seed));
        let found = match ways(&*game, seed) {
            Ok(found) => found,
            Err(error) => return rec.fail("S12", error.to_string()),
        };
        let mut seen: BTreeMap<u64, usize> = BTreeMap::new();
        for (number, (name, rng)) in found.iter().enumerate() {
            rec.saw("S12", 1, 0, 0);
            let mut rng = *rng;
            for _ in 0..WINDOW {
                let first = *seen.entry(rng.next_u64()).or_insert(number);
                if first != number {
                    rec.fail(
                        "S12",
                        format!("with seed {seed}, {name} has the same numbers as {}", found[first].0),
                    );
                    break;
                }
            }
        }
    }
}

/// The streams that a seed starts, by name.
fn ways(game: &dyn AnyGame, seed: u64) -> Result<Vec<(String, Rng)>> {
    let mut all: Vec<(String, Rng)> = Vec::new();
    let dealt = game.env(seed);
    // From the first number of the stream: the deal has already drawn some.
    all.push(("the deal".into(), stream(seed, Stream::Chance)));
    let mut keep = |name: &str, env: &dyn AnyEnv, chance: bool, agents: bool, later: bool| {
        let Streams { sample, agents: theirs, .. } = streams_of(&env.to_bytes());
        let mut next = env.clone_box();
        next.reset(None);
        let words = |env: &dyn AnyEnv| {
            let json = env.to_json(None).unwrap_or_default();
            Rng {
                words: std::array::from_fn(|k| playmat_core::json::parse_hex(&json["rng"][k]).unwrap_or(0)),
            }
        };
        if chance {
            all.push((name.into(), words(env)));
        }
        if agents {
            all.push((format!("agents of {name}"), theirs));
        }
        all.push((format!("sample_action of {name}"), sample));
        if later {
            all.push((format!("the episode after {name}"), words(&*next)));
        }
    };
    keep("the deal", &*dealt, false, true, true);
    let mut text = dealt.to_json(None)?;
    let mut without = |names: &[&str]| {
        for name in names {
            text.as_object_mut().and_then(|map| map.shift_remove(*name));
        }
        text.to_string()
    };
    // The seed and root in the text still determine the next episode: that of the deal.
    let bare = game.env_from_json(&without(&["rng"]), seed)?;
    keep("a load with the deal's seed", &*bare, true, true, false);
    let loaded = game.env_from_json(&without(&["seed", "root", "episode"]), seed)?;
    keep("a load", &*loaded, true, true, true);
    let clone = dealt.clone_with_seed(seed);
    keep("a clone", &*clone, true, true, true);
    keep("a clone of the clone", &*clone.clone_with_seed(seed), true, true, true);
    keep("a clone of the load", &*loaded.clone_with_seed(seed), true, true, true);
    for player in Player::all(game.info().players) {
        let sampled = dealt.sample_hidden(player, seed)?;
        keep(&format!("a sample for player {player}"), &*sampled, true, true, true);
        keep(
            &format!("a clone of the sample for player {player}"),
            &*sampled.clone_with_seed(seed),
            true,
            true,
            true,
        );
        // Search in a sample that samples again must not get the chance of that sample, saved or not.
        let known = sampled.game();
        let nested = known.env_from_bytes(&sampled.to_bytes())?.sample_hidden(player, seed)?;
        keep(&format!("a sample of the sample for player {player}"), &*nested, true, true, true);
        let deeper =
            known.env_from_json(&nested.to_json(None)?.to_string(), seed)?.sample_hidden(player, seed)?;
        keep(&format!("a sample of the nested sample for player {player}"), &*deeper, true, true, true);
    }
    let bound = game.info().players > 1;
    let view = if bound { View::Single } else { View::Turn };
    let config = VecConfig { num_envs: 2, view, ..VecConfig::default() };
    let opponents: &[(&str, f64)] = if bound { &[("random", 1.0)] } else { &[] };
    let saved = dealt.to_bytes();
    let sources = [
        ("a batch", Source::Seed(seed), true),
        ("a batch that goes on from the deal", Source::States(&[&saved, &saved]), false),
    ];
    for (name, from, chance) in sources {
        let mut venv = game.vec_env(config.clone(), opponents)?;
        let mut out = OwnedBuffers::new(&venv.sizes(), venv.config().dtype);
        venv.reset(Reset { from, mask: None }, &mut out.borrow())?;
        for row in 0..2 {
            let env = game.env_from_bytes(&venv.state_bytes(row)?)?;
            keep(&format!("row {row} of {name}"), &*env, chance, bound, true);
        }
    }
    Ok(all)
}
