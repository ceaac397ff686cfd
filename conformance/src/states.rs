//! Clones, bytes, replays, validity (C1 to C5, C9 to C14; C15 is with the rewards).

use super::corrupted;
use super::difference::json_difference;
use super::fixture::{Fixture, guarded};
use super::places::{Written, astray};
use super::play::{act, mask_of, observation_of, play_on, step_randomly, visit};
use super::report::{Recorder, Trace};
use playmat_core::any::AnyEnv;
use playmat_core::error::Error;
use playmat_core::player::Player;
use playmat_core::rng::{Rng, derive};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs these checks.
pub(crate) fn run(fixture: &Fixture<'_>, rec: &mut Recorder) {
    for (ids, check) in [
        (&["C9"][..], corrupted::c9_bodies as fn(&Fixture<'_>, &mut Recorder)),
        (&["C9"][..], c9_changed_values),
        (&["C14"][..], c14_every_state_is_valid),
        (&["C1", "C2"][..], c1_c2_clones_are_equal),
        (&["C3"][..], c3_old_clones_stay),
        (&["C4"][..], c4_fresh_stream_looks_the_same),
        (&["C5"][..], c5_bytes_round_trip),
        (&["C9"][..], c9_changed_bytes),
        (&["C10", "C11"][..], c10_c11_replay),
        (&["C12"][..], c12_other_releases),
    ] {
        if ids.iter().any(|id| fixture.wants(id)) {
            guarded(ids[0], rec, |rec| check(fixture, rec));
        }
    }
}

/// All outputs of an environment in one byte string.
pub(crate) fn everything(env: &dyn AnyEnv) -> Vec<u8> {
    let mut all = env.position_bytes();
    for player in Player::all(env.info().players) {
        all.extend(observation_of(env, player));
        all.extend(mask_of(env, player));
    }
    all.extend(env.rewards().iter().flat_map(|r| r.to_le_bytes()));
    all.extend(env.returns().iter().flat_map(|r| r.to_le_bytes()));
    all.extend(env.draw_text(None).unwrap_or_default().bytes());
    all
}

/// Plays the same random steps in two environments; returns the first difference.
pub(crate) fn same_future(
    a: &mut dyn AnyEnv,
    b: &mut dyn AnyEnv,
    seed: u64,
    limit: usize,
) -> Result<usize, String> {
    let (mut draws, mut twin) = (Rng::from_seed(seed), Rng::from_seed(seed));
    for step in 0..limit {
        let one = play_on(a, &mut draws, 1).map_err(|error| format!("first, step {step}: {error}"))?;
        let two = play_on(b, &mut twin, 1).map_err(|error| format!("second, step {step}: {error}"))?;
        if one != two || a.position_bytes() != b.position_bytes() {
            let at = a.to_json(None).ok().zip(b.to_json(None).ok());
            let at = at.and_then(|(x, y)| json_difference(&x, &y)).unwrap_or_default();
            return Err(format!("after {step} equal steps they differ: {at}"));
        }
        if one == 0 {
            return Ok(step);
        }
    }
    Ok(limit)
}

fn c1_c2_clones_are_equal(fixture: &Fixture<'_>, rec: &mut Recorder) {
    visit(fixture, "C1", rec, |env, rec| {
        rec.saw("C1", 1, env.info().players, 0);
        let mut clone = env.clone_box();
        rec.claim("C1", everything(&**env) == everything(&*clone), || "a clone is not equal".into());
        rec.claim("C1", env.history() == clone.history(), || "a clone has another history".into());
        rec.claim("C1", env.to_json(None) == clone.to_json(None), || "a clone has another JSON".into());
        let mut other = env.clone_box();
        match same_future(&mut *clone, &mut *other, 2, 8) {
            Ok(steps) => rec.saw("C2", 1, 0, steps),
            Err(message) => rec.fail("C2", format!("two clones under the same actions: {message}")),
        }
        let same = everything(&*clone) == everything(&*other);
        rec.claim("C2", same, || "two clones under the same actions end differently".into());
    });
}

/// Clones from every part of the episode are compared again at its end.
fn c3_old_clones_stay(fixture: &Fixture<'_>, rec: &mut Recorder) {
    for number in 0..2 {
        let seed = derive(fixture.config.seed ^ 0x4333, number);
        rec.at(&Trace::start(seed));
        let Some(game) = fixture.load("C3", rec) else { return };
        let mut env = game.env(seed);
        let mut draws = Rng::from_seed(seed);
        let mut kept: Vec<(usize, Box<dyn AnyEnv>, Vec<u8>)> = Vec::new();
        let every = (fixture.histories.first().map_or(1, |(_, choices)| choices.len())
            / fixture.config.positions)
            .max(1);
        while let Some(player) = env.acting().first() {
            let at = env.history().len();
            if at > fixture.decision_limit() {
                break;
            }
            if at.is_multiple_of(every) {
                let bytes = everything(&*env);
                let mut other = env.clone_box();
                if let Err(message) = play_on(&mut *other, &mut draws, 6) {
                    rec.at(&Trace::after(seed, env.history()));
                    rec.fail("C3", message);
                }
                let same = everything(&*env) == bytes;
                rec.claim("C3", same, || {
                    format!("acting on a clone after {at} decisions changed the original")
                });
                kept.push((at, env.clone_box(), bytes));
            }
            if !step_randomly("C3", &mut *env, player, &mut draws, rec) {
                return;
            }
            rec.saw("C3", 1, 0, 1);
        }
        rec.at(&Trace::after(seed, env.history()));
        for (at, old, bytes) in &kept {
            rec.claim("C3", everything(&**old) == *bytes, || {
                format!("the clone made after {at} decisions changed while others were played on")
            });
        }
    }
}

fn c4_fresh_stream_looks_the_same(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let mut parted = 0;
    visit(fixture, "C4", rec, |env, rec| {
        rec.saw("C4", 1, env.info().players, 0);
        for seed in 0..2 {
            let mut seeded = env.clone_with_seed(seed);
            for player in Player::all(env.info().players) {
                let same = observation_of(&**env, player) == observation_of(&*seeded, player)
                    && mask_of(&**env, player) == mask_of(&*seeded, player)
                    && env.to_json(Some(player)) == seeded.to_json(Some(player));
                rec.claim("C4", same, || {
                    format!("player {player} can distinguish a clone with a seed from the original")
                });
            }
            let mut clone = env.clone_box();
            let mut draws = Rng::from_seed(seed);
            let mut twin = draws;
            let played =
                play_on(&mut *seeded, &mut draws, 24).is_ok() && play_on(&mut *clone, &mut twin, 24).is_ok();
            let json = |env: &dyn AnyEnv| env.to_json(None).map(|json| json["state"].clone()).ok();
            parted += usize::from(played && json(&*seeded) != json(&*clone));
        }
    });
    let random_moves_matter = fixture.sweep.chance.value > 0 && fixture.later_chance;
    rec.claim("C4", parted > 0 || !random_moves_matter, || {
        "clones with a seed always have the same chance as the original".into()
    });
}

fn c5_bytes_round_trip(fixture: &Fixture<'_>, rec: &mut Recorder) {
    for number in 0..2 {
        let seed = derive(fixture.config.seed ^ 0x4335, number);
        rec.at(&Trace::start(seed));
        let Some(game) = fixture.load("C5", rec) else { return };
        let mut env = game.env(seed);
        let mut draws = Rng::from_seed(seed);
        loop {
            let at = env.history().len();
            let end = env.acting().is_empty();
            if at < 10 || at.is_power_of_two() || end {
                rec.at(&Trace::after(seed, env.history()));
                rec.saw("C5", 1, env.info().players, at.min(1));
                // The streams of samples and agents are no longer at the start of the episode's streams.
                if let Some(player) = env.acting().first() {
                    let _ = (env.sample_action(player), act(&mut *env, "greedy", player));
                }
                match game.env_from_bytes(&env.to_bytes()) {
                    Err(error) => rec.fail("C5", format!("bytes after {at} decisions are refused: {error}")),
                    Ok(mut loaded) => {
                        rec.claim("C5", loaded.to_bytes() == env.to_bytes(), || {
                            "bytes are not the same".into()
                        });
                        let seen =
                            |env: &dyn AnyEnv| (env.to_json(None), env.returns().to_vec(), env.decisions());
                        rec.claim("C5", seen(&*loaded) == seen(&*env), || {
                            "JSON, returns or decisions are not the same".into()
                        });
                        let mut original = env.clone_box();
                        if let Some(player) = env.acting().first() {
                            let drawn = |env: &mut dyn AnyEnv| {
                                let chosen: Vec<_> = (0..4).map(|_| act(env, "greedy", player)).collect();
                                (chosen, (0..8).map(|_| env.sample_action(player)).collect::<Vec<_>>())
                            };
                            rec.claim("C5", drawn(&mut *original) == drawn(&mut *loaded), || {
                                "samples and agents do not continue as before".into()
                            });
                        }
                        if let Err(message) = same_future(&mut *original, &mut *loaded, 5, 40) {
                            rec.fail("C5", format!("loaded after {at} decisions: {message}"));
                        }
                        original.reset(None);
                        loaded.reset(None);
                        rec.claim("C5", original.to_bytes() == loaded.to_bytes(), || {
                            "the next episodes are not the same".into()
                        });
                    }
                }
            }
            let Some(player) = env.acting().first() else { break };
            if at > fixture.decision_limit() || !step_randomly("C5", &mut *env, player, &mut draws, rec) {
                return;
            }
        }
    }
}

fn c9_changed_bytes(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("C9", rec) else { return };
    let mut draws = Rng::from_seed(0x4339);
    visit(fixture, "C9", rec, |env, rec| {
        let bytes = env.to_bytes();
        let mut tries: Vec<(String, Vec<u8>)> = Vec::new();
        for _ in 0..12 {
            let cut = draws.below(bytes.len() as u32) as usize;
            tries.push((format!("the first {cut} bytes"), bytes[..cut].to_vec()));
        }
        tries.push(("one byte more".into(), [bytes.as_slice(), &[0]].concat()));
        tries.push(("twice".into(), [bytes.as_slice(), bytes.as_slice()].concat()));
        for _ in 0..24 {
            let (at, bit) = (draws.below(bytes.len() as u32) as usize, draws.below(8));
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << bit;
            tries.push((format!("bit {bit} of byte {at} flipped"), flipped));
        }
        for len in [0, 1, 47, 48, 49, bytes.len()] {
            tries.push((format!("{len} random bytes"), (0..len).map(|_| draws.next_u32() as u8).collect()));
        }
        for (what, changed) in tries {
            rec.saw("C9", 1, 0, 0);
            match game.env_from_bytes(&changed) {
                Ok(_) => rec.fail("C9", format!("{what}: not refused")),
                Err(Error::Unreadable { .. } | Error::WrongIdentity { .. } | Error::InvalidState { .. }) => {}
                Err(error) => rec.fail("C9", format!("{what}: refused as {error}")),
            }
        }
    });
}

/// Behind the checksum: the values of a state changed in its own bytes. What loads must be playable.
fn c9_changed_values(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let mut draws = Rng::from_seed(0x4340);
    let written = Written::states(fixture);
    for position in fixture.positions("C9", fixture.config.positions) {
        rec.at(&position.trace());
        let bytes = fixture.game.to_bytes(position.state());
        for _ in 0..24 {
            rec.saw("C9", 1, 0, 0);
            let mut changed = bytes.clone();
            for _ in 0..=draws.below(2) {
                let at = draws.below(changed.len().max(1) as u32) as usize;
                changed[at] = match draws.below(3) {
                    0 => changed[at] ^ (1 << draws.below(8)),
                    1 => draws.next_u32() as u8,
                    _ => changed[at].wrapping_add(1),
                };
            }
            let Some(mut state) = fixture.game.read(&changed) else { continue };
            let problems = fixture.game.validate(&state);
            let own = || catch_unwind(AssertUnwindSafe(|| fixture.game.describe(&state, None))).ok();
            if astray(&problems, None, &written).is_some()
                && let Some(problem) = astray(&problems, own().as_ref(), &written)
            {
                rec.fail("C9", format!("`validate` names a path that does not exist: {problem}"));
            }
            if !problems.is_empty() {
                continue;
            }
            let mut rng = Rng::from_seed(draws.next_u64());
            let outcome = catch_unwind(AssertUnwindSafe(|| fixture.play_on(&mut state, &mut rng, 100)));
            match outcome {
                Ok(Ok(_)) => {}
                Ok(Err(message)) => {
                    rec.fail("C9", format!("a changed state passes `validate`, then: {message}"));
                }
                Err(panic) => {
                    let why = super::fixture::panic_text(&*panic);
                    rec.fail("C9", format!("a changed state passes `validate`, then play panics: {why}"));
                }
            }
        }
    }
}

fn c10_c11_replay(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("C10", rec) else { return };
    for number in 0..2 {
        let seed = derive(fixture.config.seed ^ 0x4310, number);
        rec.at(&Trace::start(seed));
        let mut env = game.env(seed);
        let mut draws = Rng::from_seed(seed);
        let mut digests = vec![env.position_bytes()];
        let mut applied = Vec::new();
        while let Some(player) = env.acting().first() {
            if applied.len() > fixture.decision_limit()
                || !step_randomly("C10", &mut *env, player, &mut draws, rec)
            {
                return;
            }
            applied.extend(env.history().last().copied());
            digests.push(env.position_bytes());
        }
        rec.at(&Trace::after(seed, &applied));
        rec.saw("C11", 1, 0, applied.len());
        rec.claim("C11", env.history() == applied, || "the history is not what was applied".into());
        rec.claim("C11", env.decisions() as usize == applied.len(), || {
            format!("{} decisions counted, {} applied", env.decisions(), applied.len())
        });
        let replay = match env.replay() {
            Ok(replay) => replay,
            Err(error) => return rec.fail("C10", format!("no replay: {error}")),
        };
        let listed: Vec<_> = replay.decisions.iter().map(|d| (d.player, d.action)).collect();
        let same = listed.iter().copied().eq(applied.iter().map(|(player, action)| (player.0, action.0)));
        rec.claim("C11", same, || "the replay lists other actions than were applied".into());
        let text = replay.to_text();
        match playmat_core::replay::Replay::parse(&text) {
            Ok(read) => rec.claim("C10", read == replay, || "a replay does not survive its text".into()),
            Err(error) => rec.fail("C10", format!("a replay's text is refused: {error}")),
        }
        let step = (digests.len() / fixture.config.positions).max(1);
        for prefix in (0..digests.len()).step_by(step).chain([digests.len() - 1]) {
            rec.saw("C10", 1, 0, prefix);
            match game.env_from_replay(&replay, prefix) {
                Err(error) => rec.fail("C10", format!("prefix of {prefix}: {error}")),
                Ok(past) => rec.claim("C10", past.position_bytes() == digests[prefix], || {
                    format!("{prefix} actions again give another state")
                }),
            }
        }
        let beyond = game.env_from_replay(&replay, digests.len()).is_err();
        rec.claim("C10", beyond, || "a decision after the replay's end is not refused".into());
    }
}

fn c12_other_releases(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("C12", rec) else { return };
    let mut env = game.env(1);
    let _ = play_on(&mut *env, &mut Rng::from_seed(1), 3);
    let Ok(replay) = env.replay() else { return rec.fail("C12", "no replay") };
    let refused_for =
        |changed: &playmat_core::replay::Replay, field: &str| match game.env_from_replay(changed, 0) {
            Err(Error::WrongIdentity { field: named, .. }) => named == field,
            _ => false,
        };
    rec.saw("C12", 3, 0, 0);
    let version = playmat_core::replay::Replay { version: replay.version + 1, ..replay.clone() };
    rec.claim("C12", refused_for(&version, "version"), || {
        "another version is not refused with the field `version`".into()
    });
    let content =
        playmat_core::replay::Replay { content_hash: "0x0000000000000001".into(), ..replay.clone() };
    rec.claim("C12", refused_for(&content, "content_hash"), || {
        "other content is not refused with the field `content_hash`".into()
    });
    let other = playmat_core::replay::Replay { game: "another".into(), ..replay };
    rec.claim("C12", refused_for(&other, "game"), || {
        "another game is not refused with the field `game`".into()
    });
}

fn c14_every_state_is_valid(fixture: &Fixture<'_>, rec: &mut Recorder) {
    for position in fixture.positions("C14", 60 * fixture.config.positions) {
        rec.at(&position.trace());
        rec.saw("C14", 1, 0, 0);
        if let Some(problem) = fixture.game.validate(position.state()).first() {
            rec.fail("C14", format!("a state reached in play is invalid: {problem}"));
        }
    }
}
