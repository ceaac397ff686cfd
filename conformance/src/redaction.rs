//! What is redacted in events is hidden from the player (E3).
//!
//! E1 applies the patches of events to a viewer's JSON, and a change that no event names arrives as `update`. So E1 does not notice an
//! event that the game forgets to report. E3 does. If a kind of event is left out or shortened for a viewer, there must be a
//! determinization of that viewer in which the complete event differs or does not happen.

use super::fixture::{Fixture, Position, guarded};
use super::report::{Recorder, Trace};
use super::sampling::choose_as_in_truth;
use playmat_core::player::{Action, Player};
use playmat_core::rng::{Rng, derive};
use playmat_core::tested::{Events, State};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Number of redactions without a reason after which a kind of event fails.
const ENOUGH: usize = 8;
/// Number of samples per redaction.
const SAMPLES: usize = 6;
/// Number of choices of the acting player per sample.
const CHOICES: usize = 6;

/// Runs these checks.
pub(crate) fn run(fixture: &Fixture<'_>, rec: &mut Recorder) {
    if fixture.wants("E3") {
        guarded("E3", rec, |rec| e3_what_is_redacted_is_hidden(fixture, rec));
    }
}

/// A kind of event that was redacted so far.
#[derive(Default)]
struct Kind {
    /// Whether the full event would have revealed hidden information.
    hidden: bool,
    without_reason: usize,
    example: Option<(Trace, String)>,
}

/// A step that was made.
struct Step {
    after: State,
    events: Events,
}

impl Step {
    fn of(fixture: &Fixture<'_>, state: &State, (actor, action): (Player, Action), mut rng: Rng) -> Step {
        let mut after = state.clone();
        let events = fixture.game.apply_events(&mut after, actor, action, &mut rng);
        Step { after, events }
    }

    /// Its events as a viewer gets them.
    fn reported(&self, fixture: &Fixture<'_>, viewer: Option<Player>) -> Vec<Map<String, Value>> {
        self.events.iter().filter_map(|(event, _)| fixture.game.event_json(event, viewer)).collect()
    }
}

fn e3_what_is_redacted_is_hidden(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let game = fixture.game;
    let mut kinds: BTreeMap<String, Kind> = BTreeMap::new();
    for position in fixture.decisions("E3", 40 * fixture.config.positions) {
        let Some((actor, action, _)) = position.next() else { continue };
        rec.at(&position.trace());
        let step = Step::of(fixture, position.state(), (actor, action), position.rng());
        for viewer in fixture.each_player() {
            rec.saw("E3", 1, 1, 1);
            for (event, _) in &step.events {
                let Some(whole) = game.event_json(event, None) else { continue };
                let reported = game.event_json(event, Some(viewer));
                if reported.as_ref() == Some(&whole) {
                    continue;
                }
                let name = whole.get("event").and_then(Value::as_str).unwrap_or_default();
                let kind = kinds.entry(name.into()).or_default();
                if kind.hidden || kind.without_reason > 4 * ENOUGH {
                    continue;
                }
                if is_hidden(fixture, &position, viewer, &step, &whole) {
                    kind.hidden = true;
                    continue;
                }
                kind.without_reason += 1;
                kind.example.get_or_insert_with(|| {
                    let reported =
                        reported.map_or("nothing".into(), |reported| Value::Object(reported).to_string());
                    (position.trace(), format!("viewer {viewer} gets {reported} of {}", Value::Object(whole)))
                });
            }
        }
    }
    for (name, kind) in kinds {
        if let Some((_, reason)) = fixture.hooks.redacted.iter().find(|(kept, _)| *kept == name) {
            rec.note("E3", format!("`{name}` is redacted: {reason}"));
            continue;
        }
        match kind.example {
            Some((trace, example)) if !kind.hidden && kind.without_reason >= ENOUGH => {
                rec.at(&trace);
                rec.fail(
                    "E3",
                    format!(
                        "{example}, but no redaction of `{name}` hid any information; if samples that show why are too \
                         rare to be found, give the reason in the hook `redacted`"
                    ),
                );
            }
            _ if kind.hidden => rec.note("E3", format!("`{name}` is redacted where it is hidden")),
            _ => rec.note(
                "E3",
                format!(
                    "`{name}` was redacted too seldom to tell whether it is hidden; the hook `redacted` can give the reason"
                ),
            ),
        }
    }
}

/// Whether an event of a step is hidden from a player that sees the rest of the step.
fn is_hidden(
    fixture: &Fixture<'_>,
    position: &Position<'_>,
    viewer: Player,
    step: &Step,
    event: &Map<String, Value>,
) -> bool {
    let game = fixture.game;
    let Some((actor, action, _)) = position.next() else { return false };
    let (after, reported) = (game.describe(&step.after, Some(viewer)), step.reported(fixture, Some(viewer)));
    // The viewer cannot tell that there was a step.
    if actor != viewer && reported.is_empty() && game.describe(position.state(), Some(viewer)) == after {
        return true;
    }
    let mut draws =
        Rng::from_seed(derive(position.played.seed, (position.index as u64) << 8 | u64::from(viewer.0)));
    for number in 0..SAMPLES {
        // Chance in the step is hidden too, from the second sample on.
        let mut sample = game.sample_hidden(position.state(), viewer, &mut draws);
        choose_as_in_truth(game, &mut sample, position.state(), &mut draws);
        if !game.acting(&sample).contains(actor) {
            continue;
        }
        let rng = if number == 0 { position.rng() } else { Rng::from_seed(draws.next_u64()) };
        // The true choice first, because its visible effects are equal.
        let mut choices = fixture.legal(&sample, actor);
        choices.sort_by_key(|&choice| choice != action);
        if actor == viewer {
            choices.retain(|&choice| choice == action);
        }
        for number in 0..CHOICES.min(choices.len()) {
            let at = if number == 0 { 0 } else { draws.below(choices.len() as u32) as usize };
            let choice = choices.swap_remove(at);
            let other = Step::of(fixture, &sample, (actor, choice), rng);
            if !other.reported(fixture, None).contains(event)
                && other.reported(fixture, Some(viewer)) == reported
                && game.describe(&other.after, Some(viewer)) == after
            {
                return true;
            }
        }
    }
    false
}
