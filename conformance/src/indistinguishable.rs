//! The outputs and samples for a player depend only on its view (H8, V14, and the error messages of V7).
//!
//! Resampling alone does not prove this, because what a sampler copies from the true state is the same in every sample. So the checks build pairs
//! of environments that a player cannot distinguish and that differ in hidden data: seeds, number of the episode, number of decisions,
//! future chance, history, buffered choices of others, private options.

use super::difference::{json_difference, observation_difference, text_difference};
use super::fixture::{Fixture, guarded};
use super::play::{act, mask_of, observation_of, visit};
use super::report::Recorder;
use playmat_core::any::{AnyEnv, AnyGame};
use playmat_core::error::Error;
use playmat_core::json::hex;
use playmat_core::player::Player;
use playmat_core::rng::{Rng, derive};
use serde_json::{Map, Value};

/// Runs these checks.
pub(crate) fn run(fixture: &Fixture<'_>, rec: &mut Recorder) {
    for (id, check) in [
        ("V7", v7_refusals_reveal_no_buffered_choice as fn(&Fixture<'_>, &mut Recorder)),
        ("V14", v14_outputs_depend_on_no_hidden_information),
        ("H8", h8_samples_depend_on_the_view_alone),
    ] {
        if fixture.wants(id) {
            guarded(id, rec, |rec| check(fixture, rec));
        }
    }
}

/// Two environments that a player cannot distinguish, and how they differ.
type Indistinguishable = (&'static str, Box<dyn AnyEnv>, Box<dyn AnyEnv>);

/// The same position with another past: seeds, number of the episode and of decisions, and with `chance` another random stream.
fn with_other_past(env: &dyn AnyEnv, chance: bool) -> Result<Box<dyn AnyEnv>, String> {
    let game = env.game();
    let mut json = env.to_json(None).map_err(|error| error.to_string())?;
    let word = |k| Value::from(hex(derive(0x7477_696e, k)));
    (json["seed"], json["root"], json["episode"]) = (word(0), word(1), 77.into());
    if game.max_steps() == 0 {
        // As if another history had led here.
        let (made, most) = (env.decisions() as usize, env.info().max_decisions);
        json["decisions"] = if made < most { made + 1 } else { made.saturating_sub(1) }.into();
    }
    if chance {
        json["rng"] = (2..6).map(word).collect();
    }
    game.env_from_json(&json.to_string(), 1).map_err(|error| error.to_string())
}

/// The same position in a game with other private options.
fn with_other_private(
    fixture: &Fixture<'_>,
    env: &dyn AnyEnv,
    changes: &Map<String, Value>,
) -> Result<Box<dyn AnyEnv>, String> {
    let changes: Vec<(&str, Value)> =
        changes.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let game = fixture.any(&changes).map_err(|error| error.to_string())?;
    let mut json = env.to_json(None).map_err(|error| error.to_string())?;
    json.as_object_mut().map(|document| document.shift_remove("options"));
    game.env_from_json(&json.to_string(), 1).map_err(|error| error.to_string())
}

/// Everything that a player receives of a position, by name.
fn received(env: &mut dyn AnyEnv, player: Player) -> Vec<(&'static str, String)> {
    let text = |result: playmat_core::error::Result<String>| result.unwrap_or_else(|error| error.to_string());
    let legal = env.legal_actions(player).unwrap_or_default();
    let actions = legal.iter().map(|&action| text(env.action_text(Some(player), action.into())));
    vec![
        ("observation", format!("{:?}", observation_of(env, player))),
        ("mask", format!("{:?}", mask_of(env, player))),
        ("text", text(env.draw_text(Some(player)))),
        ("picture", text(env.draw_svg(Some(player)))),
        ("texts of actions", actions.collect::<Vec<_>>().join("; ")),
        ("scores and returns", format!("{:?} {:?}", env.scores(), env.returns())),
        ("JSON", text(env.to_json(Some(player)).map(|json| json.to_string()))),
        ("refusals", refusals(env, player).join("; ")),
    ]
}

/// The error messages of a player's illegal calls.
pub(super) fn refusals(env: &mut dyn AnyEnv, player: Player) -> Vec<String> {
    let mask = mask_of(env, player);
    let illegal = (0..mask.len()).filter(|&action| mask[action] == 0).map(|action| action as i64);
    let mut messages: Vec<String> = illegal
        .step_by((mask.len() / 16).max(1))
        .chain([-1, mask.len() as i64])
        .map(|action| said(env.clone_box().step_player(player, action)))
        .collect();
    messages.push(said(env.parse_action(Some(player), "no such action").map(|_| ())));
    if !env.acting().contains(player) {
        let mut idle = env.clone_box();
        messages.push(said(idle.sample_action(player).map(|_| ())));
        messages.push(said(act(&mut *idle, "greedy", player).map(|_| ())));
    }
    messages
}

fn said(outcome: playmat_core::error::Result<()>) -> String {
    outcome.err().map(|error| error.to_string()).unwrap_or_default()
}

/// Where the error messages of equal joint steps differ, also after one of the players has chosen. All players see them.
pub(super) fn joint_refusals_differ(a: &dyn AnyEnv, b: &dyn AnyEnv) -> Option<String> {
    let (players, actions) = (a.info().players, a.info().num_actions as i64);
    let first = |player| a.legal_actions(player).ok()?.first().copied();
    let later = a.acting().iter().filter_map(|player| after(a, player, first(player)?));
    let others: Vec<Box<dyn AnyEnv>> = later.chain([b.clone_box()]).collect();
    [-1, 0, actions / 3, actions / 2, actions - 1, actions].into_iter().find_map(|action| {
        let refusal = |env: &dyn AnyEnv| match env.clone_box().step_joint(&vec![action; players]) {
            Err(Error::IllegalJoint(refusal)) => Some(refusal.to_string()),
            _ => None,
        };
        let x = refusal(a)?;
        let y = others.iter().filter_map(|other| refusal(&**other)).find(|y| *y != x)?;
        Some(format!("in the refusal of a joint step: `{x}` and `{y}`"))
    })
}

/// The first difference between what a player receives in two environments.
fn received_difference(a: &mut dyn AnyEnv, b: &mut dyn AnyEnv, player: Player) -> Option<String> {
    let pairs = received(a, player).into_iter().zip(received(b, player));
    for ((what, x), (_, y)) in pairs {
        if x != y {
            return Some(format!("the {what}, {}", text_difference(&x, &y)));
        }
    }
    None
}

/// Whether a player has the same view of both, and the acting players are equal.
fn same_view_and_turn(a: &dyn AnyEnv, b: &dyn AnyEnv, player: Player) -> bool {
    a.acting() == b.acting() && same_view(a, b, player)
}

fn same_view(a: &dyn AnyEnv, b: &dyn AnyEnv, player: Player) -> bool {
    observation_difference(a.info(), &observation_of(a, player), &observation_of(b, player)).is_none()
        && mask_of(a, player) == mask_of(b, player)
        && a.to_json(Some(player)) == b.to_json(Some(player))
}

/// A copy after an action; `None` if it is refused.
fn after(env: &dyn AnyEnv, player: Player, action: u16) -> Option<Box<dyn AnyEnv>> {
    let mut next = env.clone_box();
    next.step_player(player, action.into()).is_ok().then_some(next)
}

/// A copy after random decisions of a player until it has none left, at most a few: a buffered choice may take several.
fn chosen(env: &dyn AnyEnv, player: Player, draws: &mut Rng) -> Option<Box<dyn AnyEnv>> {
    let mut next = env.clone_box();
    for _ in 0..6 {
        let legal = next.legal_actions(player).ok()?;
        if legal.is_empty() {
            break;
        }
        next.step_player(player, legal[draws.below(legal.len() as u32) as usize].into()).ok()?;
    }
    Some(next)
}

/// Pairs that differ in the choice of another player, or in chance that the viewer did not see.
fn pairs_by_play(env: &dyn AnyEnv, viewer: Player, draws: &mut Rng) -> Vec<Indistinguishable> {
    let mut pairs: Vec<Indistinguishable> = Vec::new();
    let other = with_other_past(env, true);
    for actor in env.acting().iter() {
        let legal = env.legal_actions(actor).unwrap_or_default();
        if legal.is_empty() {
            continue;
        }
        if actor != viewer
            && let (Some(a), Some(b)) = (chosen(env, actor, draws), chosen(env, actor, draws))
        {
            let at_once = a.acting().len() < env.acting().len() && a.acting().0 & !env.acting().0 == 0;
            if at_once && !a.acting().is_empty() && same_view(env, &*a, viewer) {
                pairs.push(("whether another player has chosen", env.clone_box(), a.clone_box()));
            }
            if same_view_and_turn(&*a, &*b, viewer) {
                pairs.push(("another choice of another player", a, b));
            }
        }
        let action = legal[draws.below(legal.len() as u32) as usize];
        if let Ok(other) = &other
            && let (Some(a), Some(b)) = (after(env, actor, action), after(&**other, actor, action))
            && same_view_and_turn(&*a, &*b, viewer)
        {
            pairs.push(("other chance in the step before", a, b));
        }
    }
    pairs
}

/// The same with 0 nested samples, because the number of nested samples is public.
fn as_played(env: &dyn AnyEnv) -> playmat_core::error::Result<Box<dyn AnyEnv>> {
    env.game().env_from_bytes(&playmat_core::save::as_played(&env.to_bytes()))
}

/// Where the samples for a player from two environments differ.
fn samples_differ(a: &dyn AnyEnv, b: &dyn AnyEnv, viewer: Player, seed: u64) -> Option<String> {
    let (a, b) = match (a.sample_hidden(viewer, seed), b.sample_hidden(viewer, seed)) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(error), _) | (_, Err(error)) => return Some(error.to_string()),
    };
    let document = |env: &dyn AnyEnv| env.to_json(None).unwrap_or_default();
    if let Some(at) = json_difference(&document(&*a), &document(&*b)) {
        return Some(at);
    }
    let rest = |env: &dyn AnyEnv| {
        let replay = env.replay().map(|replay| replay.to_text()).unwrap_or_default();
        let counted = (env.decisions(), env.episode_seed(), env.is_from_seed(), env.history().len());
        let paid = (env.rewards().to_vec(), env.returns().to_vec());
        (env.to_bytes(), env.start_bytes(), counted, paid, replay)
    };
    if rest(&*a) != rest(&*b) {
        return Some("outside the JSON".into());
    }
    games_differ(&*a.game(), &*b.game())
}

/// Where the games of two samples differ, in their data and in their deals.
fn games_differ(a: &dyn AnyGame, b: &dyn AnyGame) -> Option<String> {
    if a.options() != b.options() {
        let (x, y) = (a.options().to_json(), b.options().to_json());
        return Some(format!("in the options of its game, {}", json_difference(&x, &y).unwrap_or_default()));
    }
    if a.content_entries() != b.content_entries() {
        return Some("in the content entries of its game".into());
    }
    let dealt = |game: &dyn AnyGame| game.env(9).to_bytes();
    (dealt(a) != dealt(b)).then(|| "in what its game deals".into())
}

/// In a simultaneous turn, error messages for a player do not reveal whether another player has chosen.
fn v7_refusals_reveal_no_buffered_choice(fixture: &Fixture<'_>, rec: &mut Recorder) {
    visit(fixture, "V7", rec, |env, rec| {
        let first = |env: &dyn AnyEnv, player| env.legal_actions(player).ok()?.first().copied();
        for viewer in env.acting().iter() {
            let chosen = first(&**env, viewer).and_then(|action| after(&**env, viewer, action));
            for mut before in [env.clone_box()].into_iter().chain(chosen) {
                for other in before.acting().iter().filter(|&other| other != viewer) {
                    let next = first(&*before, other).and_then(|action| after(&*before, other, action));
                    let Some(mut next) = next.filter(|next| same_view(&*before, &**next, viewer)) else {
                        continue;
                    };
                    rec.saw("V7", 1, 1, 0);
                    let (x, y) = (refusals(&mut *before, viewer), refusals(&mut *next, viewer));
                    if let Some((x, y)) = x.iter().zip(&y).find(|(x, y)| x != y) {
                        let message = format!(
                            "player {viewer} can tell whether player {other} has chosen: `{x}` and `{y}`"
                        );
                        rec.fail("V7", message);
                    }
                }
            }
        }
    });
}

/// Outputs for a player do not depend on seeds, future chance, number of decisions and history.
fn v14_outputs_depend_on_no_hidden_information(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let mut draws = Rng::from_seed(0x56_3134);
    visit(fixture, "V14", rec, |env, rec| {
        let (other, mut same_chance) = match (with_other_past(&**env, true), with_other_past(&**env, false)) {
            (Ok(other), Ok(same)) => (other, same),
            (Err(error), _) | (_, Err(error)) => return rec.fail("V14", error),
        };
        let mut other = other;
        let differs = |a: &mut dyn AnyEnv, b: &mut dyn AnyEnv, rec: &mut Recorder| {
            for player in Player::all(a.info().players) {
                rec.saw("V14", 1, 1, 0);
                if let Some(at) = received_difference(a, b, player) {
                    rec.fail("V14", format!("player {player} receives hidden information: {at}"));
                }
            }
        };
        differs(&mut **env, &mut *other, rec);
        for (player, changes) in &fixture.other_private {
            rec.saw("V14", 1, 1, 0);
            match with_other_private(fixture, &**env, changes) {
                Ok(mut other) => {
                    if let Some(at) = received_difference(&mut **env, &mut *other, *player) {
                        rec.fail(
                            "V14",
                            format!("player {player} can tell the values of private options: {at}"),
                        );
                    }
                }
                Err(error) => rec.fail("V14", error),
            }
        }
        // The events of the same step.
        let mut stepped = env.clone_box();
        let Some(actor) = env.acting().first() else { return };
        let legal = env.legal_actions(actor).unwrap_or_default();
        let action = legal[draws.below(legal.len().max(1) as u32) as usize];
        if stepped.step_player(actor, action.into()).is_err()
            || same_chance.step_player(actor, action.into()).is_err()
        {
            return rec.fail("V14", format!("action {action} of player {actor} is refused"));
        }
        differs(&mut *stepped, &mut *same_chance, rec);
        for player in Player::all(env.info().players) {
            let events = |env: &dyn AnyEnv| env.events(Some(player)).map(Value::Array).unwrap_or_default();
            if let Some(at) = json_difference(&events(&*stepped), &events(&*same_chance)) {
                rec.fail("V14", format!("player {player} receives hidden information: events differ: {at}"));
            }
        }
    });
}

/// Samples for a player are equal from all environments that it cannot distinguish: the sampler copies no hidden information.
fn h8_samples_depend_on_the_view_alone(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let mut draws = Rng::from_seed(0x4838);
    visit(fixture, "H8", rec, |env, rec| {
        let other = match with_other_past(&**env, true) {
            Ok(other) => other,
            Err(error) => return rec.fail("H8", error),
        };
        for viewer in Player::all(env.info().players) {
            let sample = match env.sample_hidden(viewer, 12).and_then(|sample| as_played(&*sample)) {
                Ok(sample) => sample,
                Err(error) => return rec.fail("H8", error.to_string()),
            };
            let mut twins: Vec<Indistinguishable> = vec![
                ("other seeds, chance and number of decisions", env.clone_box(), other.clone_box()),
                ("a sample drawn for it", env.clone_box(), sample),
            ];
            twins.extend(pairs_by_play(&**env, viewer, &mut draws));
            for (_, changes) in fixture.other_private.iter().filter(|(player, _)| *player == viewer) {
                match with_other_private(fixture, &**env, changes) {
                    Ok(other) => twins.push(("private options", env.clone_box(), other)),
                    Err(error) => return rec.fail("H8", error),
                }
            }
            for (what, a, b) in twins {
                rec.saw("H8", 1, 1, 0);
                if let Some(at) = samples_differ(&*a, &*b, viewer, 11) {
                    let message = format!(
                        "the sample for player {viewer} depends on information hidden from the player ({what}): {at}"
                    );
                    rec.fail("H8", message);
                }
            }
        }
    });
}
