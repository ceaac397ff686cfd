//! JSON (C6 to C8).

use super::corrupted;
use super::difference::json_difference;
use super::fixture::{Fixture, guarded, panic_text};
use super::places::{Written, astray};
use super::play::{act, mask_of, observation_of, play_on, visit};
use super::report::Recorder;
use super::states::same_future;
use super::testing::mutants::{place_mut, places};
use playmat_core::any::AnyEnv;
use playmat_core::error::Error;
use playmat_core::player::Player;
use playmat_core::rng::Rng;
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs these checks.
pub(crate) fn run(fixture: &Fixture<'_>, rec: &mut Recorder) {
    for (id, check) in [("C6", c6_bare_states as fn(&Fixture<'_>, &mut Recorder)), ("C8", c8_changed_json)] {
        if fixture.wants(id) || (id == "C6" && fixture.wants("C7")) {
            guarded(id, rec, |rec| check(fixture, rec));
        }
    }
    if fixture.wants("C6") || fixture.wants("C7") {
        guarded("C6", rec, |rec| c6_c7_round_trip(fixture, rec));
    }
    if fixture.wants("C8") {
        guarded("C8", rec, |rec| changed_envelope(fixture, rec));
        guarded("C8", rec, |rec| corrupted::c8_texts(fixture, rec));
    }
}

fn c6_c7_round_trip(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("C6", rec) else { return };
    visit(fixture, "C6", rec, |env, rec| {
        rec.saw("C6", 1, env.info().players, 1);
        let Ok(json) = env.to_json(None) else { return rec.fail("C6", "no JSON") };
        let mut loaded = match game.env_from_json(&json.to_string(), 99) {
            Ok(loaded) => loaded,
            Err(error) => return rec.fail("C6", format!("complete JSON is refused: {error}")),
        };
        if loaded.position_bytes() != env.position_bytes() {
            let at = loaded.to_json(None).ok().and_then(|other| json_difference(&json, &other));
            rec.fail(
                "C6",
                format!("JSON comes back as another state: {}", at.unwrap_or_else(|| "not in JSON".into())),
            );
        }
        for player in Player::all(env.info().players) {
            let same = observation_of(&**env, player) == observation_of(&*loaded, player);
            rec.claim("C6", same, || format!("player {player} has another observation of the loaded state"));
            if let Ok(partial) = env.to_json(Some(player)) {
                let refused = game.env_from_json(&partial.to_string(), 1).is_err();
                rec.claim("C6", refused, || format!("the JSON of viewer {player} is loaded as a full state"));
            }
        }
        let mut original = env.clone_box();
        if let Err(message) = same_future(&mut *original, &mut *loaded.clone_box(), 6, 30) {
            rec.fail("C6", format!("future of a loaded state: {message}"));
        }
        supports_everything(&mut *loaded, rec);
    });
}

/// C7: a loaded state supports everything that a played state supports.
fn supports_everything(loaded: &mut dyn AnyEnv, rec: &mut Recorder) {
    rec.saw("C7", 1, loaded.info().players, 1);
    let clone = loaded.clone_box();
    rec.claim("C7", clone.to_bytes() == loaded.to_bytes(), || "a loaded state does not clone".into());
    rec.claim("C7", loaded.events(None).is_ok_and(|events| events.is_empty()), || {
        "a loaded state reports events from before the load".into()
    });
    for player in Player::all(loaded.info().players) {
        let sampled = loaded
            .sample_hidden(player, 4)
            .map(|mut sample| play_on(&mut *sample, &mut Rng::from_seed(4), 20));
        rec.claim("C7", matches!(sampled, Ok(Ok(_))), || {
            "a sample of a loaded state cannot be played on".into()
        });
        rec.claim("C7", loaded.draw_svg(Some(player)).is_ok(), || "a loaded state is not drawn".into());
    }
    if let Some(player) = loaded.acting().first() {
        for agent in ["random", "greedy", "mcts:4,rollout=random"] {
            let action = act(loaded, agent, player);
            let legal = action.as_ref().is_ok_and(|a| mask_of(&*loaded, player)[a.index()] == 1);
            rec.claim("C7", legal, || format!("agent `{agent}` in a loaded state: {action:?}"));
        }
    }
    let mut played = loaded.clone_box();
    let mut draws = Rng::from_seed(8);
    if let Err(message) = play_on(&mut *played, &mut draws, 10) {
        return rec.fail("C7", message);
    }
    match played.replay() {
        Err(error) => rec.fail("C7", format!("no replay from a loaded state: {error}")),
        Ok(replay) => match played.game().env_from_replay(&replay, replay.decisions.len()) {
            Err(error) => rec.fail("C7", format!("the replay from a loaded state: {error}")),
            Ok(again) => rec.claim("C7", again.position_bytes() == played.position_bytes(), || {
                "a replay from a loaded state ends in another state".into()
            }),
        },
    }
}

/// Without the envelope: `restore(describe(s)) = s` and no chance is drawn.
fn c6_bare_states(fixture: &Fixture<'_>, rec: &mut Recorder) {
    for position in fixture.positions("C6", 6 * fixture.config.positions) {
        rec.at(&position.trace());
        rec.saw("C6", 1, 0, 1);
        let json = fixture.game.describe(position.state(), None);
        let mut rng = position.rng();
        match fixture.game.restore(&json, &mut rng) {
            Err(problems) => rec.fail("C6", format!("complete JSON is refused: {}", list(&problems))),
            Ok(state) => {
                if state != *position.state() {
                    let at = json_difference(&json, &fixture.game.describe(&state, None));
                    let at = at.unwrap_or_else(|| "something that is not in the JSON".into());
                    rec.fail("C6", format!("restored as another state: {at}"));
                }
                rec.claim("C6", rng == position.rng(), || "restoring a played state draws chance".into());
            }
        }
    }
}

fn list(problems: &[playmat_core::error::Problem]) -> String {
    problems.iter().take(3).map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Something else for a place, by one of the kinds of mutation; `None` if this kind does not fit it.
fn other_value(value: &Value, kind: u32, draws: &mut Rng) -> Option<Value> {
    Some(match (kind, value) {
        (0, Value::Number(n)) => n.as_i64().map(|n| json!(n + 1))?,
        (1, Value::Number(n)) => n.as_i64().map(|n| json!(n - 1))?,
        (2, Value::Number(_)) => {
            [json!(u64::MAX), json!(-1), json!(1e300), json!(0.5), json!(255), json!(65_536)]
                [draws.below(6) as usize]
                .clone()
        }
        (2, Value::String(_)) => {
            [json!("x".repeat(5000)), json!(""), json!("\u{1f984}\u{202e}"), json!("\u{0}")]
                [draws.below(4) as usize]
                .clone()
        }
        (3, _) => [json!(null), json!([]), json!({}), json!("x"), json!(1), json!(true)]
            [draws.below(6) as usize]
            .clone(),
        (0, Value::Bool(b)) => json!(!b),
        (4, Value::Array(items)) if !items.is_empty() => {
            let mut more = items.clone();
            more.push(items[draws.below(items.len() as u32) as usize].clone());
            Value::Array(more)
        }
        (5, Value::Array(items)) if !items.is_empty() => {
            let mut fewer = items.clone();
            fewer.remove(draws.below(items.len() as u32) as usize);
            Value::Array(fewer)
        }
        (0, Value::Array(items)) if items.len() > 1 => {
            let mut same = items.clone();
            let (i, j) = (draws.below(items.len() as u32) as usize, draws.below(items.len() as u32) as usize);
            same[i] = items[j].clone();
            Value::Array(same)
        }
        (4, Value::Object(map)) => {
            let mut more = map.clone();
            more.insert("no_such_field".into(), json!(1));
            Value::Object(more)
        }
        (0, Value::String(text)) if !text.is_empty() => {
            let mut letters: Vec<char> = text.chars().collect();
            let at = draws.below(letters.len() as u32) as usize;
            letters[at] = ['A', '.', 'M', '0', '9', 'x'][draws.below(6) as usize];
            Value::String(letters.into_iter().collect())
        }
        (1, Value::String(text)) => json!(format!("{text}{text}")),
        _ => return None,
    })
}

/// Kinds of mutation: one more or another, one less or twice, huge or strange, another type, duplicate or surplus entry,
/// lost entry, deleted field.
const KINDS: u32 = 7;

/// Changes one thing anywhere; says what.
fn mutate(json: &mut Value, draws: &mut Rng) -> Option<(String, bool)> {
    let all = places(json);
    let path = all[draws.below(all.len() as u32) as usize].clone();
    let kind = draws.below(KINDS);
    mutate_at(json, &path, kind, draws)
}

/// Changes one thing at a place; says what, and whether it was the whole.
fn mutate_at(json: &mut Value, path: &[String], kind: u32, draws: &mut Rng) -> Option<(String, bool)> {
    let name = path.join(".");
    if kind == 6 {
        let (last, parent) = path.split_last()?;
        let Some(Value::Object(map)) = place_mut(json, parent) else { return None };
        map.remove(last)?;
        return Some((format!("`{name}` deleted"), parent.is_empty()));
    }
    let place = place_mut(json, path)?;
    let new = other_value(place, kind, draws)?;
    if new == *place {
        return None;
    }
    let message = format!(
        "`{name}`: {} instead of {}",
        super::difference::cut(&new.to_string()),
        super::difference::cut(&place.to_string())
    );
    *place = new;
    Some((message, path.is_empty()))
}

/// Random places of many states, and every kind of mutation at every place of a few.
fn c8_changed_json(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let mut draws = Rng::from_seed(0x4338);
    let mut found = Loaded { written: Written::states(fixture), refused: 0, played: 0 };
    for (number, position) in fixture.positions("C8", 2 * fixture.config.positions).enumerate() {
        rec.at(&position.trace());
        let original = fixture.game.describe(position.state(), None);
        for _ in 0..24 {
            let mut changed = original.clone();
            let Some((what, at_root)) = mutate(&mut changed, &mut draws) else { continue };
            changed_state(fixture, &changed, (&what, at_root), &mut draws, &mut found, rec);
        }
        if number % fixture.config.positions != fixture.config.positions / 2 {
            continue;
        }
        for (path, kind) in places(&original).iter().flat_map(|path| (0..KINDS).map(move |kind| (path, kind)))
        {
            let mut changed = original.clone();
            let Some((what, at_root)) = mutate_at(&mut changed, path, kind, &mut draws) else { continue };
            changed_state(fixture, &changed, (&what, at_root), &mut draws, &mut found, rec);
        }
    }
    rec.note("C8", format!("{} changed states refused, {} loaded and played", found.refused, found.played));
}

/// Results for changed states, and the paths that an error may name.
struct Loaded {
    written: Written,
    refused: u32,
    played: u32,
}

/// A changed state is refused with existing paths, or is valid and can be played.
fn changed_state(
    fixture: &Fixture<'_>,
    changed: &Value,
    (what, at_root): (&str, bool),
    draws: &mut Rng,
    found: &mut Loaded,
    rec: &mut Recorder,
) {
    let game = fixture.game;
    rec.saw("C8", 1, 0, 0);
    let mut rng = Rng::from_seed(draws.next_u64());
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let mut state = match game.restore(changed, &mut rng) {
            Ok(state) => state,
            Err(problems) => return Err(Ok(problems)),
        };
        if let Some(problem) = game.validate(&state).first() {
            return Err(Err(format!("is loaded, but `validate` says: {problem}")));
        }
        fixture
            .play_on(&mut state, &mut rng, 100)
            .map_err(|error| Err(format!("is loaded, but play fails: {error}")))?;
        match game.validate(&state).first() {
            Some(problem) => Err(Err(format!("is loaded, but is invalid after some moves: {problem}"))),
            None => Ok(()),
        }
    }));
    match outcome {
        Err(panic) => rec.fail("C8", format!("{what} panics: {}", panic_text(&*panic))),
        Ok(Ok(())) => found.played += 1,
        Ok(Err(Err(message))) => rec.fail("C8", format!("{what} {message}")),
        Ok(Err(Ok(problems))) => {
            found.refused += 1;
            if let Some(problem) = astray(&problems, Some(changed), &found.written) {
                rec.fail("C8", format!("{what} is refused with a path that does not exist: {problem}"));
            }
            let has_path = problems.iter().any(|p| !p.path.is_empty()) || (at_root && !problems.is_empty());
            rec.claim("C8", has_path, || format!("{what} is refused without a path: {}", list(&problems)));
        }
    }
}

/// The document around the state: never a panic, and errors of the three kinds alone.
fn changed_envelope(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("C8", rec) else { return };
    let mut draws = Rng::from_seed(0x4339);
    let Ok(original) = game.env(3).to_json(None) else { return rec.fail("C8", "no JSON") };
    let mut written = Written::default();
    written.add(&original);
    for _ in 0..120 {
        let mut changed = original.clone();
        let state = changed.as_object_mut().and_then(|map| map.shift_remove("state")).unwrap_or_default();
        let Some((what, _)) = mutate(&mut changed, &mut draws) else { continue };
        if let Some(map) = changed.as_object_mut() {
            map.entry("state").or_insert(state);
        }
        rec.saw("C8", 1, 0, 0);
        let outcome =
            catch_unwind(AssertUnwindSafe(|| game.env_from_json(&changed.to_string(), 1).map(|_| ())));
        match outcome {
            Err(panic) => rec.fail("C8", format!("envelope {what} panics: {}", panic_text(&*panic))),
            Ok(Err(Error::InvalidState { problems })) => {
                if let Some(problem) = astray(&problems, Some(&changed), &written) {
                    let message =
                        format!("envelope {what} is refused with a path that does not exist: {problem}");
                    rec.fail("C8", message);
                }
            }
            Ok(Ok(()) | Err(Error::Unreadable { .. } | Error::WrongIdentity { .. })) => {}
            Ok(Err(error)) => rec.fail("C8", format!("envelope {what} is refused as: {error}")),
        }
    }
    for name in ["status", "acting", "returns"] {
        let mut changed = original.clone();
        changed[name] = match &original[name] {
            Value::String(_) => json!("terminated"),
            Value::Array(players) if name == "acting" => json!(players.iter().skip(1).collect::<Vec<_>>()),
            _ => json!(vec![0.25; fixture.players()]),
        };
        rec.saw("C8", 1, 0, 0);
        match game.env_from_json(&changed.to_string(), 1) {
            Err(Error::InvalidState { problems }) => {
                let has_path = problems.iter().any(|problem| problem.path.starts_with(name));
                rec.claim("C8", has_path, || {
                    format!("a changed `{name}` is refused as: {}", list(&problems))
                });
            }
            Err(error) => rec.fail("C8", format!("a changed `{name}` is refused as: {error}")),
            Ok(_) => {
                rec.fail("C8", format!("a changed `{name}`, which is derived from the state, is loaded"));
            }
        }
    }
    for text in ["", "null", "{", "[]", "{}", "\u{0}", "{\"state\":null}", "1e999", "\"\\ud800\""] {
        rec.claim("C8", game.env_from_json(text, 1).is_err(), || format!("`{text}` is loaded"));
    }
}
