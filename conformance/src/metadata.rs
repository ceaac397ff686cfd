//! Game and metadata (M1 to M8). Each compares a declaration with play.

use super::fixture::Fixture;
use super::golden;
use super::report::{Recorder, Trace};
use playmat_core::any::AnyGame;
use playmat_core::error::Error;
use playmat_core::options::OptionKind;
use playmat_core::player::Players;
use playmat_core::rng::{Rng, derive};
use serde_json::{Map, Value, json};
use std::ops::RangeInclusive;

/// Runs these checks.
pub(crate) fn run(fixture: &Fixture<'_>, rec: &mut Recorder) {
    rec.at(&Trace::start(fixture.config.seed));
    if fixture.wants("M1") {
        m1_allowed_options_load(fixture, rec);
        m1_other_options_are_refused(fixture, rec);
    }
    if fixture.wants("M2") {
        m2_all_player_counts_play(fixture, rec);
    }
    if fixture.wants("M3") {
        rec.saw("M3", 1, 0, 0);
        for problem in fixture.info().problems() {
            rec.fail("M3", problem.to_string());
        }
    }
    if fixture.wants("M4") {
        m4_sizes_are_constant(fixture, rec);
    }
    if fixture.wants("M5") {
        m5_answers_agree_with_play(fixture, rec);
    }
    if fixture.wants("M6") {
        m6_golden_playthrough(fixture, rec);
    }
    if fixture.wants("M7") {
        m7_content_is_identity(fixture, rec);
    }
    if fixture.wants("M8") {
        m8_rules_are_reached(fixture, rec);
    }
}

/// The playthrough of this game and number of players equals the one kept in the folder of golden playthroughs.
fn m6_golden_playthrough(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(folder) = &fixture.config.golden else {
        return rec.not_applicable("M6", "the suite was given no folder of golden playthroughs");
    };
    let Some(game) = fixture.load("M6", rec) else { return };
    rec.saw("M6", 1, 0, 0);
    if let Err(difference) = golden::compare(&*game, folder, false) {
        rec.fail("M6", difference);
    }
}

/// The game with an option changed. If it is refused, options that exclude it according to the game take their defaults, and any allowed
/// number of players if `players` is one of them; the reason is noted.
fn changed(
    fixture: &Fixture<'_>,
    id: &'static str,
    name: &str,
    value: &Value,
    rec: &mut Recorder,
) -> Result<Box<dyn AnyGame>, Error> {
    let near = fixture.options_with(&[(name, value.clone())]);
    let refusal = match fixture.game.with_options(&near) {
        Ok(configured) => return Ok(configured),
        Err(refusal) => refusal,
    };
    let mut given = near;
    let mut reasons = Vec::new();
    // The number of players is an engine option and needs no reason of the game.
    let outcome = ("players", "reward", "a single player has no opponent to win against");
    for &(one, other, reason) in fixture.hooks.apart.iter().chain([&outcome]) {
        let partner = if one == name { other } else { one };
        if (one == name || other == name) && given.remove(partner).is_some() {
            reasons.push((partner, reason));
        }
    }
    if reasons.is_empty() {
        return Err(refusal);
    }
    let (low, high) = fixture.info().player_range;
    let counts = if given.contains_key("players") { low..=low } else { low..=high };
    let loaded = std::iter::once(None).chain(counts.map(Some)).find_map(|players| {
        let mut given = given.clone();
        if let Some(players) = players {
            given.entry("players").or_insert(json!(players));
        }
        fixture.game.with_options(&given).ok()
    });
    for (partner, reason) in reasons {
        rec.note(id, format!("not every `{name}` is allowed with every `{partner}`: {reason}"));
    }
    loaded.ok_or(refusal)
}

fn m1_allowed_options_load(fixture: &Fixture<'_>, rec: &mut Recorder) {
    if let Err(error) = fixture.game.with_options(&Map::new()) {
        rec.fail("M1", format!("does not load with its defaults: {error}"));
    }
    for spec in fixture.specs() {
        for value in spec.samples() {
            rec.saw("M1", 1, 0, 0);
            let outcome = changed(fixture, "M1", spec.name, &value, rec).map(|_| ());
            let refusable = spec.name == "reward"
                && !fixture.info().rewards.iter().any(|kind| Some(kind.name()) == value.as_str())
                && value != "default";
            match outcome {
                Err(Error::InvalidOption { option, .. }) if refusable && option == "reward" => {}
                Err(error) => rec.fail("M1", format!("allowed {}={value} is refused: {error}", spec.name)),
                Ok(()) => {}
            }
        }
    }
}

fn m1_other_options_are_refused(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let mut wrong: Vec<(&str, Value)> = vec![("no_such_option", json!(1)), ("Players", json!(2))];
    for spec in fixture.specs() {
        let values = match &spec.kind {
            OptionKind::Int { min, max } => {
                vec![json!(min - 1), json!(max + 1), json!("2"), json!(2.5), json!(null), json!([2])]
            }
            OptionKind::Bool => vec![json!("true"), json!(1), json!(null)],
            OptionKind::Choice(_) => vec![json!("no such word"), json!(""), json!(3), json!(null), json!({})],
            OptionKind::Content(_) => {
                vec![
                    json!("no_such_content"),
                    json!(7),
                    json!("= broken"),
                    json!("x = 1\n"),
                    json!("\n\u{0}\n"),
                ]
            }
            // Only the game knows the allowed values; it must not panic on any value.
            OptionKind::Json(_) => Vec::new(),
        };
        wrong.extend(values.into_iter().map(|value| (spec.name, value)));
    }
    for (name, value) in wrong {
        rec.saw("M1", 1, 0, 0);
        match fixture.game.with_options(&fixture.options_with(&[(name, value.clone())])) {
            Ok(_) => rec.fail("M1", format!("{name}={value} is not refused")),
            Err(Error::InvalidOption { option, .. }) if option == name => {}
            Err(Error::Content { findings, .. }) if name == "content" => {
                rec.claim("M1", !findings.is_empty(), || {
                    format!("{name}={value} is refused without a finding")
                });
            }
            Err(error) => rec.fail("M1", format!("{name}={value} is refused without naming it: {error}")),
        }
    }
    for spec in fixture.specs() {
        if let OptionKind::Json(_) = spec.kind {
            for value in [json!(null), json!(17), json!("x"), json!([[]]), json!({"a": [null]})] {
                let _ = fixture.game.with_options(&fixture.options_with(&[(spec.name, value)]));
            }
        }
    }
}

fn m2_all_player_counts_play(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let (low, high) = fixture.info().player_range;
    for players in low..=high {
        let configured = match changed(fixture, "M2", "players", &json!(players), rec) {
            Ok(configured) => configured,
            Err(error) => {
                rec.fail("M2", format!("{players} players are declared and refused: {error}"));
                continue;
            }
        };
        let info = configured.info();
        rec.claim("M2", info.players == players, || {
            format!("requested {players} players, the game has {}", info.players)
        });
        let limit = info.max_decisions.saturating_mul(2).saturating_add(100);
        let mut env = configured.env(derive(fixture.config.seed, 0x4d32 + players as u64));
        while let Some(player) = env.acting().first() {
            if env.decisions() as usize > limit {
                rec.fail("M2", format!("{players} players: not over after {limit} decisions"));
                break;
            }
            let Ok(action) = env.sample_action(player) else { break };
            if let Err(error) = env.step(action.0.into()) {
                rec.fail("M2", format!("{players} players: {error}"));
                break;
            }
        }
        rec.saw("M2", 1, players, env.decisions() as usize);
    }
}

fn m4_sizes_are_constant(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let before = fixture.info().clone();
    let twin = match fixture.game.with_options(&fixture.options_with(&[])) {
        Ok(twin) => twin,
        Err(error) => return rec.fail("M4", format!("does not load a second time: {error}")),
    };
    rec.claim("M4", *twin.info() == before, || "a second object has other information".into());
    if let Ok(any) = fixture.any(&[]) {
        rec.claim("M4", *any.info() == before, || "the erased game has other information".into());
    }
    for position in fixture.positions("M4", fixture.config.positions) {
        rec.at(&position.trace());
        let (mut state, mut rng) = (position.state().clone(), position.rng());
        if let Err(message) = fixture.play_on(&mut state, &mut rng, 5) {
            rec.fail("M4", message);
        }
        rec.saw("M4", 1, 0, 0);
        rec.claim("M4", *fixture.info() == before, || "the information changed while playing".into());
    }
    rec.claim("M4", fixture.game.id() == before.id, || {
        format!("registered as `{}`, but its `GameInfo` has `{}`", fixture.game.id(), before.id)
    });
}

fn m5_answers_agree_with_play(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let (info, sweep) = (fixture.info(), &fixture.sweep);
    rec.saw("M5", sweep.episodes, 0, sweep.decisions);
    let hidden = hidden_seen(fixture, rec);
    let facts = [
        ("chance", info.chance, chance_seen(fixture, rec) || sweep.chance.value > 0),
        ("simultaneous", info.simultaneous, sweep.most_acting > 1),
        ("hidden", info.hidden, hidden),
    ];
    rec.at(&Trace::start(fixture.config.seed));
    for (name, declared, seen) in facts {
        match (declared, seen) {
            (false, true) => rec.fail("M5", format!("{name} is declared false and was seen")),
            (true, false) => match fixture.hooks.unseen.iter().find(|(n, _)| *n == name) {
                Some((_, reason)) => rec.note("M5", format!("{name} is declared and not seen: {reason}")),
                None => rec.fail("M5", format!("{name} is declared true and was never seen; if play need not show it, put it into the hook `unseen`, with the reason")),
            },
            _ => {}
        }
    }
    if info.joint_actions {
        joint_actions_hold(fixture, rec);
    }
    rec.at(&Trace::start(fixture.config.seed));
    if info.score_zero_sum && sweep.other_sum > 0 {
        rec.at(&sweep.other_sum_at);
        rec.fail("M5", "scores are declared zero-sum and did not sum to zero");
    }
    if !info.score_zero_sum && sweep.other_sum == 0 && sweep.zero_sum > 0 {
        rec.note("M5", "scores are not declared zero-sum, but every sum was zero");
    }
    rec.note(
        "M5",
        format!(
            "{} episodes, {} decisions, longest {}",
            sweep.episodes, sweep.decisions, sweep.longest.value
        ),
    );
}

/// A choice in a simultaneous turn takes its player, and nobody else, out of those who act.
fn joint_actions_hold(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let game = fixture.game;
    for position in fixture.decisions("M5", 8 * fixture.config.positions) {
        rec.at(&position.trace());
        let acting = game.acting(position.state());
        if acting.len() < 2 {
            continue;
        }
        let mut draws = Rng::from_seed(position.index as u64);
        for player in acting.iter() {
            let (mut state, mut rng) = (position.state().clone(), position.rng());
            let action = game.legal(&state, player).pick(&mut draws);
            game.apply(&mut state, player, action, &mut rng);
            let left = Players(acting.0 & !Players::one(player).0);
            rec.claim("M5", game.acting(&state) == left, || {
                format!(
                    "joint_actions is declared, and after a choice of player {player} not just the others act"
                )
            });
        }
    }
}

/// Whether other generators give another state.
fn chance_seen(fixture: &Fixture<'_>, rec: &mut Recorder) -> bool {
    let deal = |seed| fixture.game.deal(&mut Rng::from_seed(seed));
    let first = deal(0);
    if (1..20).any(|seed| deal(seed) != first) {
        return true;
    }
    fixture.decisions("M5", 4 * fixture.config.positions).any(|position| {
        rec.at(&position.trace());
        let Some((player, action, after)) = position.next() else { return false };
        (0..4).any(|seed| {
            let mut state = position.state().clone();
            fixture.game.apply(&mut state, player, action, &mut Rng::from_seed(seed));
            state != *after
        })
    })
}

/// Whether some player does not see the complete state.
fn hidden_seen(fixture: &Fixture<'_>, rec: &mut Recorder) -> bool {
    let mut buffered = fixture.decisions("M5", 8 * fixture.config.positions);
    buffered.any(|position| {
        rec.at(&position.trace());
        rec.saw("M5", 1, fixture.players(), 0);
        fixture.each_player().any(|player| {
            let mut draws = Rng::from_seed(position.index as u64);
            (0..4).any(|_| {
                fixture.game.sample_hidden(position.state(), player, &mut draws) != *position.state()
            })
        })
    })
}

/// Changed contents that M7 tries: six for each position of the other checks, within these bounds. Making a game can take milliseconds.
const CHANGED_CONTENTS: RangeInclusive<usize> = 24..=160;

fn m7_content_is_identity(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let has_content = fixture.specs().iter().any(|spec| matches!(spec.kind, OptionKind::Content(_)));
    if !has_content {
        rec.claim("M7", fixture.info().content_hash == 0, || "no content, but a content hash".into());
        return rec.not_applicable("M7", "the game has no content file");
    }
    rec.claim("M7", fixture.info().content_hash != 0, || "there is content and the hash is 0".into());
    let Some(text) = fixture.hooks.content else {
        return fixture.missing("M7", "content", "text of the default content", rec);
    };
    let Ok(plain) = fixture.any(&[("content", text().into())]) else {
        return rec.fail("M7", "the default content does not load as text");
    };
    match fixture.any(&[("content", format!("{}\n# changed\n", text()).into())]) {
        Ok(other) => other_content(&*plain, &*other, "an additional comment", rec),
        Err(error) => rec.fail("M7", format!("content with an additional comment does not load: {error}")),
    }
    // Another content: any number of the file changed by one.
    let mut loaded = 0;
    let changes = changed_numbers(text());
    let tried = (6 * fixture.config.positions).clamp(*CHANGED_CONTENTS.start(), *CHANGED_CONTENTS.end());
    let every = changes.len().div_ceil(tried);
    for (changed, what) in changes.into_iter().step_by(every.max(1)) {
        if !fixture.config.keep_going.check() {
            return;
        }
        if let Ok(other) = fixture.any(&[("content", changed.into())]) {
            loaded += 1;
            other_content(&*plain, &*other, &what, rec);
        }
    }
    rec.claim("M7", loaded > 0, || "no number of the content can be changed by one".into());
    rec.note("M7", format!("{loaded} contents with one changed number"));
}

/// The text with each number outside of comments and quotes changed by one, and a description.
fn changed_numbers(text: &str) -> Vec<(String, String)> {
    let (mut changes, mut at) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let (mut quoted, mut from) = (false, None);
        for (place, letter) in line.char_indices().chain([(line.len(), '\n')]) {
            if letter == '"' {
                quoted = !quoted;
            }
            if !quoted && letter.is_ascii_digit() {
                from = from.or(Some(place));
                continue;
            }
            if let Some(digits) = from.take()
                && let Ok(number) = line[digits..place].parse::<i64>()
            {
                for other in [number + 1, number - 1] {
                    let (before, after) = (&text[..at + digits], &text[at + place..]);
                    changes
                        .push((format!("{before}{other}{after}"), format!("{other} in `{}`", line.trim())));
                }
            }
            if !quoted && letter == '#' {
                break;
            }
        }
        at += line.len();
    }
    changes
}

/// A save with one content is refused with another, with that reason.
fn other_content(plain: &dyn AnyGame, other: &dyn AnyGame, what: &str, rec: &mut Recorder) {
    rec.saw("M7", 1, 0, 0);
    rec.claim("M7", plain.info().content_hash != other.info().content_hash, || {
        format!("a changed content ({what}) has the same hash")
    });
    let env = plain.env(1);
    let json = env.to_json(None).map(|json| json.to_string()).unwrap_or_default();
    let replayed = env.replay().and_then(|replay| other.env_from_replay(&replay, 0));
    for (form, outcome) in [
        ("a state", other.env_from_bytes(&env.to_bytes())),
        ("JSON", other.env_from_json(&json, 1)),
        ("a replay", replayed),
    ] {
        match outcome {
            Err(Error::WrongIdentity { field: "content" | "content_hash", .. }) => {}
            Err(error) => {
                rec.fail(
                    "M7",
                    format!("{form} of other content ({what}) is refused with another error: {error}"),
                );
            }
            Ok(_) => rec.fail("M7", format!("{form} of other content ({what}) is loaded")),
        }
    }
}

/// Number of episodes after which every expected rule must have taken effect.
const MANY: usize = 300;

fn m8_rules_are_reached(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let rules = &fixture.sweep.rules;
    rec.note(
        "M8",
        format!("{} rules and entries took effect in {} episodes", rules.len(), fixture.sweep.episodes),
    );
    let Some(expected) = &fixture.hooks.expected else {
        return fixture.missing("M8", "expected", "names that coverage must show", rec);
    };
    rec.saw("M8", fixture.sweep.episodes, 0, fixture.sweep.decisions);
    let mut missing = Vec::new();
    for name in expected() {
        let reached = rules.contains_key(&name);
        match fixture.hooks.unreached.iter().find(|(listed, _)| *listed == name) {
            Some((_, reason)) if !reached => rec.note("M8", format!("{name} is not reached: {reason}")),
            None if !reached => missing.push(name),
            _ => {}
        }
    }
    rec.at(&Trace::start(fixture.config.seed));
    let message = format!(
        "never took effect: {}; put names that play need not reach into the hook `unreached`, with the reason",
        missing.join(", ")
    );
    if fixture.config.sweep >= MANY && !missing.is_empty() {
        rec.fail("M8", message);
    } else if !missing.is_empty() {
        rec.note("M8", format!("{message}; with {MANY} episodes this would be a failure"));
    }
}
