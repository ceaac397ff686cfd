//! H6, second part: the sampler copies nothing that is hidden.
//!
//! A sampler that copies a hidden card gives equal samples for a state and for its own sample, so comparing those two finds nothing. These
//! checks make states that a player cannot distinguish in two other ways: without the sampler under test, or with its sample at an earlier
//! position. With equal draws, samples from both states must be equal: no frequencies are compared, and a correct game has no false alarms.

use super::difference::json_difference;
use super::fixture::{Fixture, Position, guarded};
use super::report::{Recorder, Trace};
use super::sampling::choose_as_in_truth;
use super::secrecy::distinguished;
use playmat_core::json::Object;
use playmat_core::player::Player;
use playmat_core::rng::{Rng, Stream, derive, stream};
use playmat_core::tested::{Event, State};
use serde_json::Value;
use std::collections::BTreeMap;

/// Runs the checks.
pub(crate) fn run(fixture: &Fixture<'_>, rec: &mut Recorder) {
    for check in [
        h6_samples_of_equal_looking_deals_are_equal as fn(&Fixture<'_>, &mut Recorder),
        h6_samples_of_twins_are_equal,
    ] {
        if fixture.wants("H6") {
            guarded("H6", rec, |rec| check(fixture, rec));
        }
    }
}

/// Deals per position of the configuration.
const DEALS: usize = 8;

/// Samples from deals that a player sees alike must be equal. In games with many cards no two deals look alike, and this finds nothing.
fn h6_samples_of_equal_looking_deals_are_equal(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let game = fixture.game;
    if !fixture.info().hidden {
        return;
    }
    let deal = |number: usize| {
        let seed = derive(fixture.config.seed, number as u64);
        let (state, events) = game.deal_events(&mut stream(seed, Stream::Chance));
        (seed, state, events)
    };
    let deals: Vec<_> = (0..DEALS * fixture.config.positions).map(deal).collect();
    let mut compared = 0;
    for viewer in fixture.each_player() {
        let mut first_with: BTreeMap<String, usize> = BTreeMap::new();
        for (at, (seed, state, events)) in deals.iter().enumerate() {
            let view = game.describe(state, Some(viewer)).to_string();
            let first = *first_with.entry(view).or_insert(at);
            let (_, other, other_events) = &deals[first];
            if state == other
                || game.acting(state) != game.acting(other)
                || received(fixture, events, state, viewer) != received(fixture, other_events, other, viewer)
                || distinguished(fixture, state, other, viewer, false).is_some()
            {
                continue;
            }
            rec.at(&Trace::after(*seed, &[]));
            rec.saw("H6", 1, 1, 0);
            compared += 1;
            let mut draws = Rng::from_seed(derive(*seed ^ 0x4836, u64::from(viewer.0)));
            let how = "another deal that looks the same to it";
            samples_must_be_equal(fixture, (state, other), viewer, &mut draws, how, rec);
        }
    }
    rec.note("H6", format!("{compared} pairs of deals that look the same to a player"));
}

/// What a player is shown of a step or a deal: views and events.
fn received(
    fixture: &Fixture<'_>,
    events: &[(Event, State)],
    end: &State,
    viewer: Player,
) -> (Vec<Value>, Vec<Object>) {
    let game = fixture.game;
    let states = events.iter().map(|(_, state)| state).chain(std::iter::once(end));
    let mut views: Vec<Value> = states.map(|state| game.describe(state, Some(viewer))).collect();
    views.dedup();
    (views, events.iter().filter_map(|(event, _)| game.event_json(event, Some(viewer))).collect())
}

/// Samples for a player with equal draws from two states that it cannot distinguish. Returns whether they are equal.
fn samples_must_be_equal(
    fixture: &Fixture<'_>,
    (truth, other): (&State, &State),
    viewer: Player,
    draws: &mut Rng,
    how: &str,
    rec: &mut Recorder,
) -> bool {
    let (game, again) = (fixture.game, Rng::from_seed(draws.next_u64()));
    let [from_truth, from_other] =
        [truth, other].map(|state| game.sample_hidden(state, viewer, &mut again.clone()));
    if from_truth == from_other {
        return true;
    }
    let (a, b) = (game.describe(&from_truth, None), game.describe(&from_other, None));
    let place = json_difference(&a, &b).unwrap_or_else(|| "outside the JSON".into());
    rec.fail(
        "H6",
        format!(
            "the sample for player {viewer} depends on information hidden from the player ({how}): {place}"
        ),
    );
    false
}

/// Steps that a twin is played on.
const STEPS_OF_A_TWIN: usize = 6;

/// A fact that the sampler copies now may have been drawn by it at an earlier position. So a sample, the twin, is played on beside the true
/// state, by the same actions with the same chance. As long as the player receives the same, samples from both must be equal whenever it
/// must act.
fn h6_samples_of_twins_are_equal(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let game = fixture.game;
    for position in fixture.decisions("H6", 4 * fixture.config.positions) {
        rec.at(&position.trace());
        for viewer in fixture.each_player() {
            let mut draws = Rng::from_seed(derive(position.played.seed ^ 0x4836, position.index as u64));
            let mut twin = game.sample_hidden(position.state(), viewer, &mut draws);
            let mut at = position;
            for _ in 0..STEPS_OF_A_TWIN {
                if twin == *at.state() || !step_of_twin(fixture, at, &mut twin, viewer, &mut draws) {
                    break;
                }
                at.index += 1;
                // Samples keep who must act and in which phase. Not every view shows that, but the view of a player who must act does.
                if !game.acting(at.state()).contains(viewer) {
                    continue;
                }
                rec.saw("H6", 1, 1, 1);
                rec.at(&at.trace());
                let how = format!(
                    "another state that it considered possible {} decisions before",
                    at.index - position.index
                );
                if !samples_must_be_equal(fixture, (at.state(), &twin), viewer, &mut draws, &how, rec) {
                    break;
                }
            }
        }
    }
}

/// Plays the next decision of a position in a state that a player cannot distinguish from it. Returns whether it still cannot.
fn step_of_twin(
    fixture: &Fixture<'_>,
    position: Position<'_>,
    twin: &mut State,
    viewer: Player,
    draws: &mut Rng,
) -> bool {
    let game = fixture.game;
    let truth = position.state();
    let Some((actor, action, _)) = position.next() else { return false };
    // In a simultaneous turn those have chosen who have in truth.
    let already = game.acting(twin);
    for player in game.acting(truth).iter().filter(|&player| !already.contains(player)) {
        game.take_back_choice(twin, player);
    }
    choose_as_in_truth(game, twin, truth, draws);
    if game.acting(twin) != game.acting(truth) || !game.legal(twin, actor).contains(action) {
        return false;
    }
    let steps = [truth, &*twin].map(|start| {
        let (mut state, mut rng) = (start.clone(), position.rng());
        let events = game.apply_events(&mut state, actor, action, &mut rng);
        (state, events)
    });
    let [(true_state, true_events), (twin_state, twin_events)] = &steps;
    twin.clone_from(twin_state);
    // A player who need not act may not see who must.
    game.acting(true_state) == game.acting(twin_state)
        && received(fixture, true_events, true_state, viewer)
            == received(fixture, twin_events, twin_state, viewer)
        && distinguished(fixture, true_state, twin_state, viewer, false).is_none()
}
