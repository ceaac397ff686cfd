//! The events of the deal (E1 to E3).
//!
//! There is no JSON before the deal and no sample from which the same deal could be made again, so deals are checked differently from
//! steps. Two deals with equal views for a player must give it equal events. If no two views are equal, the check looks for the
//! values of its events in the complete JSON. If a card always lies at the same place there, but often at another place in a sample, the
//! card is hidden information.

use super::difference::json_difference;
use super::fixture::{Fixture, guarded};
use super::report::{Recorder, Trace, viewer_text};
use super::sampling::players_before_choose;
use playmat_core::player::Player;
use playmat_core::rng::{Rng, Stream, derive, stream};
use playmat_core::tested::{Events, State};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Number of deals.
const DEALS: u64 = 96;
/// Environments whose events are compared with those of the game.
const ENVIRONMENTS: usize = 12;

/// Runs these checks.
pub(crate) fn run(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let mut deals = None;
    for (id, check) in [
        ("E1", e1_environments_report_the_deal as fn(&Fixture<'_>, &[Deal], &mut Recorder)),
        ("E2", e2_deal_events_reveal_no_more_than_views),
        ("E3", e3_redacted_deal_events_are_hidden),
    ] {
        if fixture.wants(id) {
            guarded(id, rec, |rec| {
                let deals = deals
                    .get_or_insert_with(|| (0..DEALS).map(|n| Deal::new(fixture, n)).collect::<Vec<_>>());
                check(fixture, deals, rec);
            });
        }
    }
}

/// An episode just dealt.
struct Deal {
    seed: u64,
    state: State,
    events: Events,
}

impl Deal {
    fn new(fixture: &Fixture<'_>, number: u64) -> Deal {
        let seed = derive(fixture.config.seed ^ 0x6465_616c, number);
        let (state, events) = fixture.game.deal_events(&mut stream(seed, Stream::Chance));
        Deal { seed, state, events }
    }

    /// The events as a viewer gets them, one by one; `None` for one that it does not get.
    fn reported(&self, fixture: &Fixture<'_>, viewer: Option<Player>) -> Vec<Option<Map<String, Value>>> {
        self.events.iter().map(|(event, _)| fixture.game.event_json(event, viewer)).collect()
    }
}

/// Before the first step an environment reports the events of its deal, with empty patches, because there is no JSON before the deal.
fn e1_environments_report_the_deal(fixture: &Fixture<'_>, deals: &[Deal], rec: &mut Recorder) {
    let Some(game) = fixture.load("E1", rec) else { return };
    for deal in &deals[..ENVIRONMENTS] {
        rec.at(&Trace::start(deal.seed));
        let env = game.env(deal.seed);
        for viewer in fixture.each_player().map(Some).chain([None]) {
            rec.saw("E1", 1, 1, 0);
            let mut expected: Vec<Value> = Vec::new();
            for mut event in deal.reported(fixture, viewer).into_iter().flatten() {
                event.insert("text".into(), fixture.game.event_text(&event).into());
                event.insert("changes".into(), json!([]));
                expected.push(Value::Object(event));
            }
            let name = viewer_text(viewer);
            match env.events(viewer) {
                Err(error) => rec.fail("E1", format!("{name}: the events of the deal: {error}")),
                Ok(reported) => {
                    if let Some(at) = json_difference(&Value::Array(expected), &Value::Array(reported)) {
                        rec.fail("E1", format!("{name}: the events of the deal differ: {at}"));
                    }
                }
            }
        }
    }
}

/// Numbers and texts in an event, except its name, by their paths.
fn leaves(event: &Map<String, Value>) -> Vec<(String, &Value)> {
    fn walk<'v>(value: &'v Value, here: String, all: &mut Vec<(String, &'v Value)>) {
        match value {
            Value::Object(map) => {
                map.iter().for_each(|(key, inner)| walk(inner, format!("{here}/{}", escaped(key)), all));
            }
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(at, inner)| walk(inner, format!("{here}/{at}"), all));
            }
            Value::Number(_) | Value::String(_) => all.push((here, value)),
            _ => {}
        }
    }
    let mut all = Vec::new();
    event.iter().filter(|(key, _)| *key != "event").for_each(|(key, value)| {
        walk(value, format!("/{}", escaped(key)), &mut all);
    });
    all
}

/// A key as a part of a JSON pointer.
fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// All paths of a document, as JSON pointers.
fn pointers(value: &Value, here: String, all: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, inner)| pointers(inner, format!("{here}/{}", escaped(key)), all));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, inner)| pointers(inner, format!("{here}/{at}"), all));
        }
        _ => {}
    }
    all.push(here);
}

/// Whether a number or text lies at a path or below it; also as the key of a value that is not empty.
fn lies_in(place: &Value, what: &Value) -> bool {
    match place {
        Value::Array(items) => items.iter().any(|item| lies_in(item, what)),
        Value::Object(map) => map.iter().any(|(key, inner)| {
            let there = !matches!(inner, Value::Null | Value::Bool(false)) && inner.as_u64() != Some(0);
            (there && what.as_str() == Some(key)) || lies_in(inner, what)
        }),
        other => other == what,
    }
}

/// Values in the events of many deals, by index of the event, name and path.
type Pieces = BTreeMap<(usize, String, String), Vec<(usize, Value)>>;

/// Collects the values that differ between deals.
fn pieces(deals: impl Iterator<Item = Vec<Option<Map<String, Value>>>>) -> Pieces {
    let mut all = Pieces::new();
    for (deal, reported) in deals.enumerate() {
        for (index, event) in reported.iter().enumerate() {
            let Some(event) = event else { continue };
            let name = event.get("event").and_then(Value::as_str).unwrap_or_default();
            for (path, value) in leaves(event) {
                all.entry((index, name.into(), path)).or_default().push((deal, value.clone()));
            }
        }
    }
    all.retain(|_, seen| 2 * seen.len() as u64 >= DEALS && seen.iter().any(|(_, value)| *value != seen[0].1));
    all
}

/// The same with every list sorted.
fn unordered(value: Value) -> Value {
    match value {
        Value::Array(items) => {
            let mut items: Vec<Value> = items.into_iter().map(unordered).collect();
            items.sort_by_cached_key(Value::to_string);
            Value::Array(items)
        }
        Value::Object(map) => map.into_iter().map(|(key, inner)| (key, unordered(inner))).collect(),
        other => other,
    }
}

fn e2_deal_events_reveal_no_more_than_views(fixture: &Fixture<'_>, deals: &[Deal], rec: &mut Recorder) {
    let game = fixture.game;
    let mut alike = 0;
    for viewer in fixture.each_player() {
        // In samples of a simultaneous turn the players before the viewer have chosen.
        let whole: Vec<Value> = deals
            .iter()
            .map(|deal| {
                let (mut state, mut rng) = (deal.state.clone(), Rng::from_seed(derive(deal.seed, 0x4532)));
                players_before_choose(game, &mut state, viewer, &mut rng);
                game.describe(&state, None)
            })
            .collect();
        let mut seen: BTreeMap<String, Value> = BTreeMap::new();
        let mut draws = Rng::from_seed(derive(fixture.config.seed, viewer.0.into()));
        for deal in deals {
            rec.at(&Trace::start(deal.seed));
            rec.saw("E2", 1, 1, 0);
            let view = (game.describe(&deal.state, Some(viewer)), fixture.observe(&deal.state, viewer));
            // Events may name cards in the order of the deal, although the viewer's JSON has them in another order.
            let reported = deal.reported(fixture, Some(viewer)).into_iter().flatten().map(Value::Object);
            let reported = unordered(Value::Array(reported.collect()));
            match seen.entry(format!("{view:?}")) {
                std::collections::btree_map::Entry::Vacant(place) => {
                    place.insert(reported);
                }
                std::collections::btree_map::Entry::Occupied(place) => {
                    alike += 1;
                    if let Some(at) = json_difference(place.get(), &reported) {
                        rec.fail(
                            "E2",
                            format!("viewer {viewer}: two deals look alike, their events differ: {at}"),
                        );
                    }
                }
            }
        }
        let samples: Vec<Value> = deals
            .iter()
            .map(|deal| game.describe(&game.sample_hidden(&deal.state, viewer, &mut draws), None))
            .collect();
        for ((index, name, path), reported) in
            pieces(deals.iter().map(|deal| deal.reported(fixture, Some(viewer))))
        {
            let mut places = Vec::new();
            pointers(&whole[reported[0].0], String::new(), &mut places);
            let at = |document: &Value, place: &str, value: &Value| {
                document.pointer(place).is_some_and(|inner| lies_in(inner, value))
            };
            for (deal, value) in &reported {
                places.retain(|place| at(&whole[*deal], place, value));
            }
            for place in places {
                let missing =
                    reported.iter().filter(|(deal, value)| !at(&samples[*deal], &place, value)).count();
                if 4 * missing >= reported.len() {
                    rec.at(&Trace::start(deals[reported[0].0].seed));
                    rec.fail(
                        "E2",
                        format!(
                            "viewer {viewer}, event {index} of the deal, `{name}`: `{path}` is {} in this deal and lies at \
                             `{place}` in all {} deals, but not in {missing} samples for the viewer",
                            reported[0].1,
                            reported.len()
                        ),
                    );
                    break;
                }
            }
        }
    }
    rec.note("E2", format!("{DEALS} deals; {alike} times a deal looked like an earlier one to a player"));
}

/// What is redacted in an event of the deal must not be in the viewer's own JSON, in every deal at the same place.
fn e3_redacted_deal_events_are_hidden(fixture: &Fixture<'_>, deals: &[Deal], rec: &mut Recorder) {
    let game = fixture.game;
    for viewer in fixture.each_player() {
        let views: Vec<Value> = deals.iter().map(|deal| game.describe(&deal.state, Some(viewer))).collect();
        let mut reported = Vec::new();
        for deal in deals {
            rec.saw("E3", 1, 1, 0);
            reported.push(deal.reported(fixture, Some(viewer)));
        }
        let all = pieces(deals.iter().map(|deal| deal.reported(fixture, None)));
        // By event: the number of varying values that are redacted, and those of them that the viewer's JSON shows.
        let mut redacted: BTreeMap<(usize, String), (usize, Vec<String>, bool)> = BTreeMap::new();
        for ((index, name, path), seen) in all {
            let reported_to = |deal: usize| reported[deal].get(index).and_then(Option::as_ref);
            let tells = |(deal, value): &(usize, Value)| {
                reported_to(*deal).is_some_and(|event| leaves(event).contains(&(path.clone(), value)))
            };
            if seen.iter().any(tells) {
                continue;
            }
            let mut places = Vec::new();
            pointers(&views[seen[0].0], String::new(), &mut places);
            places
                .retain(|place| seen.iter().all(|(deal, value)| views[*deal].pointer(place) == Some(value)));
            let silent = seen.iter().all(|(deal, _)| reported_to(*deal).is_none());
            let entry = redacted.entry((index, name)).or_insert((0, Vec::new(), silent));
            entry.0 += 1;
            entry.1.extend(places.first().map(|place| format!("`{path}` stands at `{place}`")));
        }
        for ((index, name), (pieces, shown, silent)) in redacted {
            // One hidden value is a sufficient reason to leave out the whole event.
            let without_reason = if silent { shown.len() == pieces } else { !shown.is_empty() };
            if without_reason && !fixture.hooks.redacted.iter().any(|(kept, _)| *kept == name) {
                rec.at(&Trace::start(deals[0].seed));
                rec.fail(
                    "E3",
                    format!(
                        "event {index} of the deal, `{name}`, is redacted for viewer {viewer}, whose JSON shows it at {}; if it is \
                         hidden for another reason, name it in the hook `redacted`",
                        shown.join(", ")
                    ),
                );
            }
        }
    }
}
