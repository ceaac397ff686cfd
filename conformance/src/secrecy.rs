//! No hidden information reaches a player (V7), public segments are public (V8), events are complete (E1) and
//! redacted (E2).

use super::difference::{json_difference, observation_difference, text_difference};
use super::fixture::{Fixture, guarded};
use super::indistinguishable::{joint_refusals_differ, refusals};
use super::play::{mask_of, observation_of, visit};
use super::report::{Recorder, viewer_text};
use super::sampling::choose_as_in_truth;
use super::segments::subject;
use playmat_core::any::AnyEnv;
use playmat_core::info::{GameInfo, Segment};
use playmat_core::player::{Action, Player};
use playmat_core::rng::{Rng, derive};
use playmat_core::tested::{Event, Events, State};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Runs these checks.
pub(crate) fn run(fixture: &Fixture<'_>, rec: &mut Recorder) {
    for (id, check) in [
        ("V7", v7_resampling_shows_nothing as fn(&Fixture<'_>, &mut Recorder)),
        ("V8", v8_public_is_public),
        ("E2", e2_events_are_redacted),
        ("E2", e2_chance_is_redacted),
        ("V7", v7_environment_reveals_nothing),
        ("E1", e1_patches_give_the_next_json),
    ] {
        if fixture.wants(id) || (id == "V7" && fixture.wants("H1")) {
            guarded(id, rec, |rec| check(fixture, rec));
        }
    }
}

/// A difference between what a player receives in two states that it must not be able to distinguish.
pub(crate) fn distinguished(
    fixture: &Fixture<'_>,
    a: &State,
    b: &State,
    player: Player,
    thorough: bool,
) -> Option<String> {
    let (game, info) = (fixture.game, fixture.info());
    if let Some(at) = observation_difference(info, &fixture.observe(a, player), &fixture.observe(b, player)) {
        return Some(format!("in the observation at {at}"));
    }
    let (x, y) = (fixture.legal(a, player), fixture.legal(b, player));
    if x != y {
        return Some(format!("in the legal actions: {x:?} and {y:?}"));
    }
    if let Some(at) = json_difference(&game.describe(a, Some(player)), &game.describe(b, Some(player))) {
        return Some(format!("in the JSON at {at}"));
    }
    if game.status(a) != game.status(b) || game.scores(a) != game.scores(b) {
        return Some("in status or scores".into());
    }
    if !thorough {
        return None;
    }
    let (x, y) = (game.draw_text(a, Some(player)), game.draw_text(b, Some(player)));
    if x != y {
        return Some(format!("in the text {}", text_difference(&x, &y)));
    }
    let (x, y) = (game.draw_svg(a, Some(player)), game.draw_svg(b, Some(player)));
    if x != y {
        return Some(format!("in the picture {}", text_difference(&x, &y)));
    }
    // Texts of illegal actions appear in error messages.
    for action in (0..info.num_actions).map(|a| Action(a as u16)) {
        let (x, y) =
            (game.action_text(Some((a, player)), action), game.action_text(Some((b, player)), action));
        if x != y {
            return Some(format!("in the text of action {action}: `{x}` and `{y}`"));
        }
    }
    None
}

fn v7_resampling_shows_nothing(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let game = fixture.game;
    for (number, position) in fixture.positions("V7", 8 * fixture.config.positions).enumerate() {
        rec.at(&position.trace());
        let thorough = number % 8 == 0;
        let is_decision = !game.acting(position.state()).is_empty();
        for player in fixture.each_player() {
            let mut draws = Rng::from_seed(derive(position.played.seed, position.index as u64));
            let tries = if thorough { 1 } else { 2 };
            for _ in 0..tries {
                rec.saw("V7", 1, 1, 0);
                rec.saw("H1", usize::from(is_decision), usize::from(is_decision), 0);
                let sample = game.sample_hidden(position.state(), player, &mut draws);
                if let Some(message) = distinguished(fixture, position.state(), &sample, player, thorough) {
                    rec.fail(
                        "V7",
                        format!(
                            "player {player} can distinguish a state that it should consider possible {message}"
                        ),
                    );
                    rec.claim("H1", !is_decision, || format!("player {player}: {message}"));
                }
            }
        }
    }
}

/// The same through the environment, error messages included.
fn v7_environment_reveals_nothing(fixture: &Fixture<'_>, rec: &mut Recorder) {
    visit(fixture, "V7", rec, |env, rec| {
        for player in Player::all(env.info().players) {
            rec.saw("V7", 1, 1, 0);
            let mut other = match env.sample_hidden(player, derive(3, u64::from(player.0))) {
                Ok(other) => other,
                Err(error) => return rec.fail("V7", error.to_string()),
            };
            if let Some(message) = environments_differ(&mut **env, &mut *other, player) {
                rec.fail(
                    "V7",
                    format!(
                        "player {player} can distinguish a state that it should consider possible {message}"
                    ),
                );
            }
        }
    });
}

fn environments_differ(a: &mut dyn AnyEnv, b: &mut dyn AnyEnv, player: Player) -> Option<String> {
    if let Some(at) = observation_difference(a.info(), &observation_of(a, player), &observation_of(b, player))
    {
        return Some(format!("in the observation at {at}"));
    }
    if mask_of(a, player) != mask_of(b, player) {
        return Some("in the mask".into());
    }
    let (x, y) = (a.to_json(Some(player)).unwrap_or_default(), b.to_json(Some(player)).unwrap_or_default());
    if let Some(at) = json_difference(&x, &y) {
        return Some(format!("in the JSON at {at}"));
    }
    let (x, y) =
        (a.draw_text(Some(player)).unwrap_or_default(), b.draw_text(Some(player)).unwrap_or_default());
    if x != y {
        return Some(format!("in the text {}", text_difference(&x, &y)));
    }
    if a.scores() != b.scores() || a.returns() != b.returns() {
        return Some("in scores or returns".into());
    }
    let (x, y) = (refusals(a, player), refusals(b, player));
    if let Some((x, y)) = x.iter().zip(&y).find(|(x, y)| x != y) {
        return Some(format!("in the message of a refusal: `{x}` and `{y}`"));
    }
    joint_refusals_differ(a, b)
}

/// How the bytes of a public segment may depend on the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turning {
    /// Not at all.
    Equal,
    /// This axis counts all players from the viewer on.
    Players(usize),
    /// This axis counts the other players from the viewer on.
    Others(usize),
    /// Both axes count all players from the viewer on: who has seen whose card.
    Pairs(usize, usize),
    /// A value `c + k` names the player k places after the viewer; others are equal.
    Value(u8),
}

/// The segment in which player `w` reads what player `v` reads in `segment`.
fn counterpart<'i>(info: &'i GameInfo, segment: &'i Segment, v: usize, w: usize) -> Option<&'i Segment> {
    let Some((place, rest)) = subject(&segment.name) else { return Some(segment) };
    let place = (place + v + info.players - w) % info.players;
    info.observation
        .segments
        .iter()
        .find(|other| subject(&other.name) == Some((place, rest)) && other.len() == segment.len())
}

impl Turning {
    /// The forms that a segment of `players` players may have. `elsewhere` has the number of players and the shape of the same segment in
    /// games of other numbers of players. An axis whose length follows these numbers counts players, so it must turn with the viewer, and
    /// no other axis may. Without another number, any axis of a fitting length may turn.
    fn all(segment: &Segment, players: usize, elsewhere: &[(usize, &[usize])]) -> Vec<Turning> {
        let shape = &segment.shape;
        let fitting = |less: usize| -> Vec<usize> {
            let fits = |axis: usize, (players, shape): (usize, &[usize])| shape[axis] + less == players;
            (0..shape.len())
                .filter(|&axis| {
                    fits(axis, (players, shape)) && elsewhere.iter().all(|&other| fits(axis, other))
                })
                .collect()
        };
        let (axes, others) = (fitting(0), fitting(1));
        if subject(&segment.name).is_none() && !elsewhere.is_empty() {
            match (&axes[..], &others[..]) {
                ([], []) => return vec![Turning::Equal, Turning::Value(0), Turning::Value(1)],
                (&[axis], []) => return vec![Turning::Players(axis)],
                (&[first, second], []) => return vec![Turning::Pairs(first, second)],
                ([], &[axis]) => return vec![Turning::Others(axis)],
                _ => {}
            }
        }
        let mut all = vec![Turning::Equal];
        all.extend(axes.iter().map(|&axis| Turning::Players(axis)));
        // With two players an axis of the only other one has nothing in common with that of the other viewer: every two views would pass.
        all.extend(others.iter().filter(|_| players > 2).map(|&axis| Turning::Others(axis)));
        for (at, &first) in axes.iter().enumerate() {
            all.extend(axes[at + 1..].iter().map(|&second| Turning::Pairs(first, second)));
        }
        all.extend([Turning::Value(0), Turning::Value(1)]);
        all
    }

    /// Whether `v` and `w` read the same facts.
    fn holds(self, shape: &[usize], players: usize, (v, a): (usize, &[u8]), (w, b): (usize, &[u8])) -> bool {
        let along = |axis: usize, skip: usize| {
            let inner: usize = shape[axis + 1..].iter().product();
            let length = shape[axis];
            (0..a.len()).all(|i| {
                let place = i / inner % length + skip;
                let player = (place + v) % players;
                let other = (player + players - w) % players;
                if other < skip {
                    return true;
                }
                let base = i - (place - skip) * inner;
                a[i] == b[base + (other - skip) * inner]
            })
        };
        match self {
            Turning::Equal => a == b,
            Turning::Players(axis) => along(axis, 0),
            Turning::Others(axis) => along(axis, 1),
            Turning::Pairs(first, second) => (0..a.len()).all(|i| {
                let place = [first, second].iter().fold(i, |place, &axis| {
                    let inner: usize = shape[axis + 1..].iter().product();
                    let here = i / inner % players;
                    place - here * inner + (here + v + players - w) % players * inner
                });
                a[i] == b[place]
            }),
            Turning::Value(first) => a.iter().zip(b).all(|(&x, &y)| {
                let named = |z: u8, viewer: usize| {
                    let inside = z >= first && usize::from(z - first) < players;
                    inside.then(|| (usize::from(z - first) + viewer) % players)
                };
                match (named(x, v), named(y, w)) {
                    (Some(s), Some(t)) => s == t,
                    (None, None) => x == y,
                    _ => false,
                }
            }),
        }
    }
}

/// What the game says of itself with two other numbers of players, if it allows them with its options.
fn with_other_counts(fixture: &Fixture<'_>) -> Vec<GameInfo> {
    let (low, high) = fixture.info().player_range;
    let others = (low..=high).filter(|&players| players > 1 && players != fixture.info().players);
    let made = |players: usize| {
        let other = fixture.game.with_options(&fixture.options_with(&[("players", json!(players))]));
        other.ok().map(|other| other.info().clone())
    };
    others.filter_map(made).take(2).collect()
}

fn v8_public_is_public(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let (game, info) = (fixture.game, fixture.info());
    let players = info.players;
    let public: Vec<&Segment> = info.observation.segments.iter().filter(|s| s.public).collect();
    let private = info.observation.segments.len() - public.len();
    rec.claim("V8", (private > 0) == info.hidden, || {
        format!("{private} private segments, but hidden is declared {}", info.hidden)
    });
    let elsewhere = with_other_counts(fixture);
    let forms = |segment: &Segment| {
        let mut shapes: Vec<(usize, &[usize])> = Vec::new();
        let by_player = !fixture.hooks.not_by_player.contains(&segment.name.as_str());
        for info in elsewhere.iter().filter(|_| by_player) {
            let same = info.observation.segments.iter().find(|other| other.name == segment.name);
            if let Some(same) = same.filter(|same| same.shape.len() == segment.shape.len()) {
                shapes.push((info.players, &same.shape));
            }
        }
        Turning::all(segment, players, &shapes)
    };
    let mut possible: BTreeMap<&str, Vec<Turning>> =
        public.iter().map(|s| (s.name.as_str(), forms(s))).collect();
    let own = |segment: &Segment| (fixture.hooks.is_own_public)(&segment.name);
    for position in fixture.positions("V8", 6 * fixture.config.positions) {
        rec.at(&position.trace());
        let views: Vec<Vec<u8>> =
            fixture.each_player().map(|player| fixture.observe(position.state(), player)).collect();
        for v in 0..players {
            for w in (0..players).filter(|&w| w != v) {
                for segment in public.iter().filter(|segment| !own(segment)) {
                    let Some(other) = counterpart(info, segment, v, w) else { continue };
                    let a = &views[v][segment.offset..segment.offset + segment.len()];
                    let b = &views[w][other.offset..other.offset + other.len()];
                    let left = possible.get_mut(segment.name.as_str()).expect("filled for all");
                    if left.is_empty() {
                        continue;
                    }
                    left.retain(|turning| turning.holds(&segment.shape, players, (v, a), (w, b)));
                    if left.is_empty() {
                        rec.fail(
                            "V8",
                            format!(
                                "public segment {} shows different facts to players {v} and {w}: {a:?} {b:?}; an axis that follows the \
                                 number of players begins with the viewer, unless the hook `not_by_player` names the segment; if it \
                                 is the viewer's own side of public facts, the hook `own_public` names it",
                                segment.name
                            ),
                        );
                    }
                }
            }
        }
        // Public segments must be equal in every state that any player considers possible.
        let mut draws = Rng::from_seed(derive(position.played.seed, position.index as u64));
        for player in fixture.each_player() {
            rec.saw("V8", 1, 1, 0);
            let sample = game.sample_hidden(position.state(), player, &mut draws);
            for viewer in fixture.each_player() {
                let view = fixture.observe(&sample, viewer);
                for segment in &public {
                    let range = segment.offset..segment.offset + segment.len();
                    rec.claim("V8", view[range.clone()] == views[viewer.index()][range], || {
                        format!(
                            "public segment {} of player {viewer} shows what player {player} cannot know",
                            segment.name
                        )
                    });
                }
            }
        }
    }
}

/// Applies a patch of `add`, `remove`, `replace`, `move`, `copy`, `test` operations.
fn patched(document: &Value, changes: &Value) -> Result<Value, String> {
    let patch: json_patch::Patch =
        serde_json::from_value(changes.clone()).map_err(|error| error.to_string())?;
    let mut next = document.clone();
    json_patch::patch(&mut next, &patch).map_err(|error| error.to_string())?;
    Ok(next)
}

fn e1_patches_give_the_next_json(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let mut draws = Rng::from_seed(0x4531);
    visit(fixture, "E1", rec, |env, rec| {
        let Some(actor) = env.acting().first() else { return };
        let legal = env.legal_actions(actor).unwrap_or_default();
        let mut after = env.clone_box();
        let action = legal[draws.below(legal.len().max(1) as u32) as usize];
        if let Err(error) = after.step_player(actor, action.into()) {
            return rec.fail("E1", error.to_string());
        }
        let viewers = Player::all(env.info().players).map(Some).chain(std::iter::once(None));
        for viewer in viewers {
            rec.saw("E1", 1, 1, 1);
            let (Ok(before), Ok(goal), Ok(events)) =
                (env.to_json(viewer), after.to_json(viewer), after.events(viewer))
            else {
                return rec.fail("E1", "JSON or events are refused");
            };
            let mut document = before;
            for event in &events {
                let named = event.get("event").is_some_and(Value::is_string);
                rec.claim("E1", named, || format!("an event without a name: {event}"));
                match patched(&document, event.get("changes").unwrap_or(&Value::Null)) {
                    Ok(next) => document = next,
                    Err(error) => {
                        return rec.fail("E1", format!("{}: {event}: {error}", viewer_text(viewer)));
                    }
                }
            }
            if let Some(at) = json_difference(&document, &goal) {
                rec.fail(
                    "E1",
                    format!("{}: the patches of the events give another JSON: {at}", viewer_text(viewer)),
                );
            }
        }
    });
}

/// Generators that a step is played again with.
const STREAMS: usize = 64;

/// Replays the step of a position with other chance: as long as everything that a player receives is equal, its events must be equal. The
/// check below uses one generator for both states, so it cannot find events that reveal chance.
fn e2_chance_is_redacted(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let game = fixture.game;
    for position in fixture.decisions("E2", 6 * fixture.config.positions) {
        let Some((actor, action, _)) = position.next() else { continue };
        rec.at(&position.trace());
        let played = |mut rng: Rng| {
            let mut state = position.state().clone();
            let events = game.apply_events(&mut state, actor, action, &mut rng);
            (state, events, rng)
        };
        let truth = played(position.rng());
        // A step without chance is always the same.
        if truth.2 == position.rng() {
            continue;
        }
        let redacted = |events: &[(Event, State)], viewer| {
            let list = events.iter().filter_map(|(event, _)| game.event_json(event, Some(viewer)));
            Value::Array(list.map(Value::Object).collect())
        };
        let mut draws = Rng::from_seed(derive(position.played.seed ^ 0x4532, position.index as u64));
        for _ in 0..STREAMS {
            let other = played(Rng::from_seed(draws.next_u64()));
            for viewer in fixture.each_player() {
                rec.saw("E2", 1, 1, 1);
                let (a, b) = (redacted(&truth.1, viewer), redacted(&other.1, viewer));
                // Most chance that is reported to a player is in its view too.
                if a == b || distinguished(fixture, &truth.0, &other.0, viewer, false).is_some() {
                    continue;
                }
                let views = |(state, events): (&State, &[(Event, State)])| {
                    let states = events.iter().map(|(_, state)| state).chain(std::iter::once(state));
                    let mut views: Vec<Value> =
                        states.map(|state| game.describe(state, Some(viewer))).collect();
                    views.dedup();
                    views
                };
                let same = views((&truth.0, &truth.1)) == views((&other.0, &other.1))
                    && distinguished(fixture, &truth.0, &other.0, viewer, true).is_none();
                if let Some(at) = json_difference(&a, &b).filter(|_| same) {
                    rec.fail(
                        "E2",
                        format!(
                            "viewer {viewer}, action {action} of player {actor}: events reveal chance that no view shows: {at}"
                        ),
                    );
                }
            }
        }
    }
}

/// Makes the same choice in two states that a player cannot distinguish: as long as its views are equal, its events must be equal.
fn e2_events_are_redacted(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let game = fixture.game;
    for position in fixture.decisions("E2", 6 * fixture.config.positions) {
        let Some((actor, action, _)) = position.next() else { continue };
        rec.at(&position.trace());
        let mut draws = Rng::from_seed(derive(position.played.seed, position.index as u64));
        for viewer in fixture.each_player() {
            rec.saw("E2", 1, 1, 1);
            let mut sample = game.sample_hidden(position.state(), viewer, &mut draws);
            choose_as_in_truth(game, &mut sample, position.state(), &mut draws);
            let possible =
                game.acting(&sample).contains(actor) && game.legal(&sample, actor).contains(action);
            if !possible {
                continue;
            }
            let steps = [position.state().clone(), sample].map(|start| {
                let (mut state, mut rng) = (start, position.rng());
                let events = game.apply_events(&mut state, actor, action, &mut rng);
                (state, events)
            });
            let views = |side: &(State, Events)| -> Vec<Value> {
                let states = side.1.iter().map(|(_, state)| state).chain(std::iter::once(&side.0));
                let mut views: Vec<Value> = states.map(|state| game.describe(state, Some(viewer))).collect();
                views.dedup();
                views
            };
            if views(&steps[0]) != views(&steps[1]) {
                continue;
            }
            let events = |side: &(State, Events)| -> Vec<Value> {
                let list = side.1.iter().filter_map(|(event, _)| game.event_json(event, Some(viewer)));
                list.map(Value::Object).collect()
            };
            let (a, b) = (events(&steps[0]), events(&steps[1]));
            if let Some(at) = json_difference(&Value::Array(a), &Value::Array(b)) {
                rec.fail(
                    "E2",
                    format!("viewer {viewer}, action {action} of player {actor}: events differ: {at}"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A public segment `seen` of this shape.
    fn seen(shape: &[usize]) -> Segment {
        Segment {
            name: "seen".into(),
            offset: 0,
            shape: shape.to_vec(),
            bias: 0,
            scale: 1,
            meaning: String::new(),
            public: true,
        }
    }

    /// The forms that are left after the views of all players were compared.
    fn left(segment: &Segment, elsewhere: &[(usize, &[usize])], views: &[Vec<u8>]) -> Vec<Turning> {
        let players = views.len();
        let mut possible = Turning::all(segment, players, elsewhere);
        for v in 0..players {
            for w in (0..players).filter(|&w| w != v) {
                possible
                    .retain(|turning| turning.holds(&segment.shape, players, (v, &views[v]), (w, &views[w])));
            }
        }
        possible
    }

    #[test]
    fn a_matrix_of_players_turns_with_the_viewer() {
        for players in 2..=3 {
            let segment = seen(&[2, players, players]);
            // Facts about ordered pairs of players, as each viewer counts players from itself on.
            let size = players * players;
            let view = |viewer: usize, rows_only: bool| -> Vec<u8> {
                let fact = |page: usize, a: usize, b: usize| (page * size + a * players + b) as u8;
                let column = if rows_only { 0 } else { viewer };
                let place = |i: usize| (i / size, (i / players + viewer) % players, (i + column) % players);
                (0..2 * size).map(place).map(|(page, a, b)| fact(page, a, b)).collect()
            };
            let views: Vec<_> = (0..players).map(|viewer| view(viewer, false)).collect();
            assert_eq!(left(&segment, &[], &views), [Turning::Pairs(1, 2)]);
            let more = [2, players + 1, players + 1];
            let elsewhere: &[(usize, &[usize])] = &[(players + 1, &more)];
            assert_eq!(left(&segment, elsewhere, &views), [Turning::Pairs(1, 2)]);
            // Another player's facts.
            let mut wrong = views.clone();
            wrong[1].swap(0, 1);
            assert_eq!(left(&segment, &[], &wrong), []);
            // Columns that do not turn: only the shape with more players shows that they are players.
            let wrong: Vec<_> = (0..players).map(|viewer| view(viewer, true)).collect();
            assert_eq!(left(&segment, &[], &wrong), [Turning::Players(1)]);
            assert_eq!(left(&segment, elsewhere, &wrong), []);
        }
    }

    #[test]
    fn the_own_side_of_a_public_fact_is_found_with_two_players() {
        let views = [vec![4], vec![9]];
        assert_eq!(left(&seen(&[1]), &[], &views), []);
        assert_eq!(left(&seen(&[1]), &[(3, &[1])], &views), []);
        // With three players the axis has two entries: it is about the others, and two viewers have nothing to compare.
        assert_eq!(left(&seen(&[1]), &[(3, &[2])], &views), [Turning::Others(0)]);
    }

    #[test]
    fn an_axis_of_players_must_turn() {
        let absolute = [vec![1, 0], vec![1, 0]];
        assert_eq!(left(&seen(&[2]), &[], &absolute), [Turning::Equal]);
        assert_eq!(left(&seen(&[2]), &[(3, &[3])], &absolute), []);
        // Two lines, whatever the number of players.
        assert_eq!(left(&seen(&[2]), &[(3, &[2])], &absolute), [Turning::Equal]);
        let turned = [vec![2, 0], vec![0, 2]];
        assert_eq!(left(&seen(&[2]), &[(3, &[3])], &turned), [Turning::Players(0)]);
        assert_eq!(left(&seen(&[2]), &[(3, &[2])], &turned), []);
    }
}
