//! Turn structure (T1 to T10).

use super::difference::{json_difference, observation_difference, text_difference};
use super::fixture::{Fixture, Position, guarded};
use super::play::act;
use super::report::{Recorder, Trace, player_text};
use playmat_core::any::{AnyEnv, AnyGame};
use playmat_core::error::Error;
use playmat_core::game::Status;
use playmat_core::info::{RewardKind, fnv1a};
use playmat_core::player::{Action, Player, Players};
use playmat_core::rng::{Rng, derive};
use playmat_core::tested::{State, TestedGame};
use playmat_core::vec::{Actions, Autoreset, Learners, OwnedBuffers, Reset, Role, Source, VecConfig, View};
use serde_json::json;

/// Runs these checks.
pub(crate) fn run(fixture: &Fixture<'_>, rec: &mut Recorder) {
    for (id, check) in [
        ("T1", t1_t2_acting_players as fn(&Fixture<'_>, &mut Recorder)),
        ("T4", t4_any_order),
        ("T5", t5_buffered_choices_are_secret),
        ("T7", t7_bounds_hold),
        ("T8", t8_asking_is_public),
        ("T9", t9_truncation),
        ("T10", t10_choices_are_taken_back),
        ("T3", t3_others_have_no_actions),
        ("T6", t6_joint_equals_turn),
        ("T6", t6_single_player_view_equals_turn_view),
    ] {
        if fixture.wants(id) || (id == "T1" && fixture.wants("T2")) {
            guarded(id, rec, |rec| check(fixture, rec));
        }
    }
}

fn t1_t2_acting_players(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let (game, players) = (fixture.game, fixture.players());
    for position in fixture.positions("T1", 40 * fixture.config.positions) {
        rec.at(&position.trace());
        let (acting, status) = (game.acting(position.state()), game.status(position.state()));
        rec.saw("T1", 1, players, 0);
        rec.claim("T1", acting.0 & !Players::all(players).0 == 0, || {
            format!("{} must act in a game for {players}", player_text(acting.iter()))
        });
        rec.claim("T1", (status == Status::Running) != acting.is_empty(), || {
            format!("status {status:?}, and {} must act", player_text(acting.iter()))
        });
        for player in acting.iter() {
            let legal = game.legal(position.state(), player);
            rec.saw("T2", 1, 1, legal.len());
            rec.claim("T2", !legal.is_empty(), || {
                format!("player {player} must act but has no legal action")
            });
        }
    }
    for played in &fixture.recorded {
        let last = played.points.last().map(|point| game.status(&point.0));
        rec.at(&Trace { seed: played.seed, choices: played.choices.clone(), len: played.choices.len() });
        rec.claim("T1", last != Some(Status::Running), || {
            format!("the episode was not over after {} decisions", played.choices.len())
        });
    }
}

/// Through the environment, which accepts players that need not act.
fn t3_others_have_no_actions(fixture: &Fixture<'_>, rec: &mut Recorder) {
    super::play::visit(fixture, "T3", rec, |env, rec| {
        let acting = env.acting();
        let mut mask = vec![0xaa; env.info().num_actions];
        for player in Player::all(env.info().players).filter(|&player| !acting.contains(player)) {
            rec.saw("T3", 1, 1, 0);
            let list = env.legal_actions(player).unwrap_or_default();
            rec.claim("T3", list.is_empty(), || {
                format!("player {player} need not act, but has legal actions: {list:?}")
            });
            if let Err(error) = env.write_mask(player, &mut mask) {
                rec.fail("T3", error.to_string());
            }
            rec.claim("T3", mask.iter().all(|&m| m == 0), || {
                format!("player {player} need not act, but its mask is not zero")
            });
        }
        // In a game whose players all act all the time there is no such player.
        if acting.len() == env.info().players {
            rec.saw("T3", 1, 1, 0);
        }
    });
}

/// Positions where several players act at once.
fn simultaneous<'l>(fixture: &'l Fixture<'_>, id: &str, n: usize) -> Vec<Position<'l>> {
    let positions = fixture.decisions(id, 200 * fixture.config.positions);
    let mut found: Vec<_> =
        positions.into_iter().filter(|position| fixture.game.acting(position.state()).len() > 1).collect();
    let step = (found.len() / n.max(1)).max(1);
    found = found.into_iter().step_by(step).take(n).collect();
    found
}

fn t4_any_order(fixture: &Fixture<'_>, rec: &mut Recorder) {
    if !fixture.info().simultaneous {
        return rec.not_applicable("T4", "the game declares no simultaneous turns");
    }
    let game = fixture.game;
    for position in simultaneous(fixture, "T4", 4 * fixture.config.positions) {
        rec.at(&position.trace());
        let acting: Vec<Player> = game.acting(position.state()).iter().collect();
        let mut draws = Rng::from_seed(derive(position.played.seed, position.index as u64));
        let mut choices: Vec<(Player, Action)> = acting
            .iter()
            .map(|&player| (player, game.legal(position.state(), player).pick(&mut draws)))
            .collect();
        rec.saw("T4", 1, acting.len(), acting.len());
        let (first, first_rng) = in_order(fixture, &position, &choices, rec);
        for _ in 0..3 {
            draws.shuffle(&mut choices);
            let (other, other_rng) = in_order(fixture, &position, &choices, rec);
            rec.claim("T4", first == other && first_rng == other_rng, || {
                let what = if first == other { "generators" } else { "states" };
                let (a, b) = (game.describe(&first, None), game.describe(&other, None));
                let at = json_difference(&a, &b).unwrap_or_else(|| "outside the JSON".into());
                let order: Vec<String> =
                    choices.iter().map(|(player, a)| format!("{a} by player {player}")).collect();
                format!("choices in another order, {}, give other {what}: {at}", order.join(", "))
            });
        }
    }
}

fn t10_choices_are_taken_back(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let (game, players) = (fixture.game, fixture.players());
    let without = |state: &State, player: Player| {
        let mut state = state.clone();
        game.take_back_choice(&mut state, player);
        state
    };
    for position in fixture.positions("T10", 4 * fixture.config.positions) {
        rec.at(&position.trace());
        rec.saw("T10", 1, players, 0);
        for player in Player::all(players) {
            let state = without(position.state(), player);
            // A choice that is made in parts may be half made, so its player may be acting already.
            let chooses_again = game.acting(&state).contains(player) && fixture.info().simultaneous;
            rec.claim("T10", state == *position.state() || chooses_again, || {
                format!("player {player} takes something back and need not choose again")
            });
        }
    }
    if !fixture.info().simultaneous {
        return;
    }
    for position in simultaneous(fixture, "T10", 4 * fixture.config.positions) {
        rec.at(&position.trace());
        let together = game.acting(position.state());
        let base = together.iter().fold(position.state().clone(), |state, player| without(&state, player));
        for player in together.iter() {
            let mut draws = Rng::from_seed(derive(position.played.seed, position.index as u64));
            let (mut state, mut rng) = (base.clone(), position.rng());
            let mut choices = 0;
            while game.acting(&state).contains(player) && game.acting(&state).len() > 1 && choices < 8 {
                let action = game.legal(&state, player).pick(&mut draws);
                game.apply(&mut state, player, action, &mut rng);
                choices += 1;
                rec.saw("T10", 1, 1, 1);
                rec.claim("T10", without(&state, player) == base, || {
                    let (a, b) = (game.describe(&without(&state, player), None), game.describe(&base, None));
                    let at = json_difference(&a, &b).unwrap_or_else(|| "outside the JSON".into());
                    format!("after player {player} chose {action} and took it back: {at}")
                });
                for other in together.iter().filter(|&other| other != player) {
                    rec.claim("T10", without(&state, other) == state, || {
                        format!("player {other} has not chosen and takes something back")
                    });
                }
            }
        }
    }
}

/// Applies the choices in order and checks that no choice changes the decision of another player.
fn in_order(
    fixture: &Fixture<'_>,
    position: &Position<'_>,
    choices: &[(Player, Action)],
    rec: &mut Recorder,
) -> (State, Rng) {
    let (game, mut state, mut rng) = (fixture.game, position.state().clone(), position.rng());
    for &(player, action) in choices {
        let still = game.acting(&state).contains(player);
        if !still || !game.legal(&state, player).contains(action) {
            rec.fail("T4", format!("after others chose, player {player} can no longer choose {action}"));
            break;
        }
        game.apply(&mut state, player, action, &mut rng);
    }
    (state, rng)
}

fn t5_buffered_choices_are_secret(fixture: &Fixture<'_>, rec: &mut Recorder) {
    if !fixture.info().simultaneous {
        return rec.not_applicable("T5", "the game declares no simultaneous turns");
    }
    let game = fixture.game;
    for position in simultaneous(fixture, "T5", 2 * fixture.config.positions) {
        rec.at(&position.trace());
        let before = position.state();
        let together = game.acting(before);
        for player in together.iter() {
            let mut draws = Rng::from_seed(derive(position.played.seed, position.index as u64));
            let action = game.legal(before, player).pick(&mut draws);
            let (mut after, mut rng) = (before.clone(), position.rng());
            game.apply(&mut after, player, action, &mut rng);
            rec.claim("T5", rng == position.rng(), || {
                format!("chance was used when player {player} chose {action}")
            });
            let waiting = Players(together.0 & game.acting(&after).0 & !Players::one(player).0);
            for other in waiting.iter() {
                rec.saw("T5", 1, 1, 1);
                if let Some(message) = sees_change(fixture, before, &after, other) {
                    rec.fail(
                        "T5",
                        format!("player {player} chose {action} secretly; player {other} sees {message}"),
                    );
                }
            }
        }
    }
}

/// A difference between what a player receives in two states, except pictures.
fn sees_change(fixture: &Fixture<'_>, a: &State, b: &State, player: Player) -> Option<String> {
    let game = fixture.game;
    if let Some(at) =
        observation_difference(fixture.info(), &fixture.observe(a, player), &fixture.observe(b, player))
    {
        return Some(format!("observation {at}"));
    }
    if fixture.legal(a, player) != fixture.legal(b, player) {
        return Some("another mask".into());
    }
    if let Some(at) = json_difference(&game.describe(a, Some(player)), &game.describe(b, Some(player))) {
        return Some(format!("JSON {at}"));
    }
    let (x, y) = (game.draw_text(a, Some(player)), game.draw_text(b, Some(player)));
    if x != y {
        return Some(format!("text {}", text_difference(&x, &y)));
    }
    (game.draw_svg(a, Some(player)) != game.draw_svg(b, Some(player))).then(|| "another picture".into())
}

/// Plays one episode in both views with choices that depend only on the player's observation.
fn t6_joint_equals_turn(fixture: &Fixture<'_>, rec: &mut Recorder) {
    for number in 0..3 {
        let seed = derive(fixture.config.seed ^ 0x5436, number);
        rec.at(&Trace::start(seed));
        let Some(game) = fixture.load("T6", rec) else { return };
        let mut turn = game.env(seed);
        let mut joint = game.env(seed);
        let decision_limit = fixture.decision_limit();
        let mut made = vec![0u64; fixture.players()];
        while let Some(player) = turn.acting().first() {
            if turn.history().len() > decision_limit {
                break;
            }
            let action = by_sight(&*turn, player, made[player.index()]);
            made[player.index()] += 1;
            if let Err(error) = turn.step_player(player, action) {
                return rec.fail("T6", format!("turn view: {error}"));
            }
        }
        made.fill(0);
        while !joint.acting().is_empty() {
            if joint.history().len() > decision_limit {
                break;
            }
            let mut actions = vec![-1; fixture.players()];
            for player in joint.acting().iter() {
                actions[player.index()] = by_sight(&*joint, player, made[player.index()]);
                made[player.index()] += 1;
            }
            if let Err(error) = joint.step_joint(&actions) {
                return rec.fail("T6", format!("joint view: {error}"));
            }
        }
        rec.at(&Trace::after(seed, turn.history()));
        rec.saw("T6", 1, fixture.players(), turn.history().len());
        rec.claim("T6", turn.returns() == joint.returns(), || {
            format!("returns {:?} in the turn view, {:?} in the joint view", turn.returns(), joint.returns())
        });
        rec.claim("T6", turn.position_bytes() == joint.position_bytes(), || {
            let (a, b) = (turn.to_json(None), joint.to_json(None));
            let at = a.ok().zip(b.ok()).and_then(|(a, b)| json_difference(&a, &b));
            format!("joint view ends in another state: {}", at.unwrap_or_else(|| "outside the JSON".into()))
        });
    }
}

/// Number of episodes begun for each one that is compared: in some the learner never decides.
const TRIES: u64 = 20;

/// The learner decides by its observation, the others are greedy: inside the engine, or called one by one. Agents of an environment and of
/// a batch draw from equal streams, so greedy agents that draw are compared too.
fn t6_single_player_view_equals_turn_view(fixture: &Fixture<'_>, rec: &mut Recorder) {
    if fixture.players() < 2 {
        return;
    }
    let Some(game) = fixture.load("T6", rec) else { return };
    let mut compared = 0;
    for number in 0..3 * TRIES {
        if compared == 3 {
            break;
        }
        let seed = derive(fixture.config.seed ^ 0x54_3653, number);
        let learner = Player((compared % fixture.players()) as u8);
        rec.at(&Trace::start(seed));
        let mut turn = game.env(seed);
        let mut made = 0;
        while let Some(player) = turn.acting().first() {
            if turn.history().len() > fixture.decision_limit() {
                return;
            }
            let action = if player == learner {
                made += 1;
                by_sight(&*turn, player, made)
            } else {
                act(&mut *turn, "greedy", player).map_or(-1, |action| i64::from(action.0))
            };
            if let Err(error) = turn.step_player(player, action) {
                return rec.fail("T6", format!("turn view: {error}"));
            }
        }
        // A batch does not return episodes without a decision of the learner; N12 counts those.
        if made == 0 {
            continue;
        }
        compared += 1;
        rec.at(&Trace::after(seed, turn.history()));
        rec.saw("T6", 1, 1, turn.history().len());
        match seat_view(&*game, learner, seed, fixture.decision_limit()) {
            Err(message) => rec.fail("T6", format!("single-player view: {message}")),
            Ok((bytes, returns)) => {
                rec.claim("T6", returns == turn.returns(), || {
                    format!(
                        "the single-player view of {learner} returns {returns:?}, the turn view {:?}",
                        turn.returns()
                    )
                });
                // A batch numbers its episodes differently; all other data must be equal.
                let own = |env: &dyn AnyEnv| {
                    let json = env.to_json(None).unwrap_or_default();
                    json!(["state", "rng", "seed", "decisions", "returns"].map(|field| json[field].clone()))
                };
                match game.env_from_bytes(&bytes) {
                    Ok(ended) => {
                        if let Some(at) = json_difference(&own(&*ended), &own(&*turn)) {
                            rec.fail(
                                "T6",
                                format!("the single-player view of {learner} ends in another state: {at}"),
                            );
                        }
                    }
                    Err(error) => rec.fail("T6", format!("single-player view: {error}")),
                }
            }
        }
    }
}

/// The final bytes and the returns of an episode in the single-player view.
fn seat_view(
    game: &dyn AnyGame,
    learner: Player,
    seed: u64,
    limit: usize,
) -> Result<(Vec<u8>, Vec<f32>), String> {
    let config = VecConfig {
        num_envs: 1,
        view: View::Single,
        // There is no draw from a pool, so the agent stream begins with the first decision.
        learners: Learners::Roles(against_first(learner, game.info().players)),
        autoreset: Autoreset::Disabled,
        ..VecConfig::default()
    };
    let text = |error: Error| error.to_string();
    let mut venv = game.vec_env(config, &[("greedy", 1.0)]).map_err(text)?;
    let mut out = OwnedBuffers::new(&venv.sizes(), venv.config().dtype);
    let start = Reset { from: Source::Seeds(&[seed]), mask: None };
    venv.reset(start, &mut out.borrow()).map_err(text)?;
    for made in 1..limit as u64 {
        if out.player[0] < 0 {
            let returns = out.episode_return.clone();
            return venv.state_bytes(0).map(|bytes| (bytes, returns)).map_err(text);
        }
        let legal: Vec<i64> =
            (0..out.action_mask.len()).filter(|&a| out.action_mask[a] == 1).map(|a| a as i64).collect();
        let action = choice(&out.obs.bytes, learner, made, &legal);
        venv.step(Actions::I64(&[action]), &mut out.borrow()).map_err(text)?;
    }
    Err(format!("not over after {limit} decisions"))
}

/// One learner; the first opponent controls every other player.
pub(super) fn against_first(learner: Player, players: usize) -> Vec<Role> {
    Player::all(players)
        .map(|player| if player == learner { Role::Learner } else { Role::Opponent(0) })
        .collect()
}

fn by_sight(env: &dyn AnyEnv, player: Player, decision: u64) -> i64 {
    let legal = env.legal_actions(player).unwrap_or_default();
    let mut observation = vec![0; env.info().observation.size()];
    if env.write_observation(player, &mut observation).is_err() || legal.is_empty() {
        return -1;
    }
    let legal: Vec<i64> = legal.into_iter().map(i64::from).collect();
    choice(&observation, player, decision, &legal)
}

/// A choice that depends only on the player's observation and the number of its decisions.
fn choice(observation: &[u8], player: Player, decision: u64, legal: &[i64]) -> i64 {
    if legal.is_empty() {
        return -1;
    }
    let at = derive(fnv1a(observation), derive(decision, u64::from(player.0))) % legal.len() as u64;
    legal[at as usize]
}

fn t7_bounds_hold(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let (info, sweep) = (fixture.info(), &fixture.sweep);
    rec.saw("T7", sweep.decisions, sweep.decisions, sweep.decisions);
    for (what, seen, bound) in [
        ("decisions", &sweep.longest, info.max_decisions),
        ("chance events", &sweep.chance, info.max_chance),
        ("forced moves between two decisions", &sweep.forced, info.max_forced),
    ] {
        rec.at(&seen.trace);
        rec.claim("T7", seen.value <= bound, || format!("{} {what}, declared at most {bound}", seen.value));
        rec.note("T7", format!("at most {} {what} seen, {bound} declared", seen.value));
    }
    // A game whose deal draws reports that, too.
    rec.claim("T7", !info.chance || sweep.chance.value > 0, || {
        "the game has chance, and no `log.chance()` was called".into()
    });
    for played in &fixture.recorded {
        rec.at(&Trace { seed: played.seed, choices: played.choices.clone(), len: played.choices.len() });
        rec.claim("T7", played.choices.len() <= info.max_decisions, || {
            format!("{} decisions, declared at most {}", played.choices.len(), info.max_decisions)
        });
    }
}

/// In every state that a player considers possible the same players act, so the acting players reveal nothing.
fn t8_asking_is_public(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let game = fixture.game;
    if !fixture.info().hidden {
        return rec.not_applicable("T8", "nothing is hidden");
    }
    for position in fixture.decisions("T8", 12 * fixture.config.positions) {
        rec.at(&position.trace());
        let acting = game.acting(position.state());
        let deciders = deciders_at_once(game, &position);
        let mut draws = Rng::from_seed(derive(position.played.seed, position.index as u64));
        for viewer in fixture.each_player() {
            rec.saw("T8", 1, 1, 0);
            let sample = game.sample_hidden(position.state(), viewer, &mut draws);
            let other = game.acting(&sample);
            let own = acting.contains(viewer) == other.contains(viewer);
            rec.claim("T8", own, || {
                format!("whether player {viewer} must act depends on information hidden from it")
            });
            // In a sample of a simultaneous turn only the players before a viewer that must act have chosen.
            let chosen = deciders.chosen_in_sample(viewer, acting.contains(viewer)).0;
            let (least, most) =
                (acting.0 & !chosen, (acting.0 | deciders.0 & !Players::one(viewer).0) & !chosen);
            let fits = other.0 & least == least && other.0 & !most == 0;
            if !fits && own && fixture.hooks.private_turns.is_none() {
                rec.fail(
                    "T8",
                    format!(
                        "{} must act; in a sample for player {viewer} {} would; if the rules want it so, the hook \
                         `private_turns` says why",
                        player_text(acting.iter()),
                        player_text(other.iter())
                    ),
                );
            }
        }
    }
    if let Some(reason) = fixture.hooks.private_turns {
        rec.note("T8", format!("the other acting players may depend on hidden information: {reason}"));
    }
}

/// The acting players, and those that have just chosen in the same simultaneous turn.
fn deciders_at_once(game: &dyn TestedGame, position: &Position<'_>) -> Players {
    let mut deciders = game.acting(position.state());
    for index in (0..position.index).rev() {
        let (before, chooser) =
            (game.acting(&position.played.points[index].0), position.played.choices[index].0);
        if before != Players(deciders.0 | Players::one(chooser).0) {
            break;
        }
        deciders = before;
    }
    deciders
}

/// Truncates an episode with `max_steps`, and checks episodes that the game truncates.
fn t9_truncation(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let longest = fixture.recorded.iter().map(|played| played.choices.len()).max().unwrap_or(0);
    let limit = (longest / 2).max(1);
    for kind in fixture.info().rewards.clone() {
        let changes = [("max_steps", json!(limit)), ("reward", json!(kind.name()))];
        let game = match fixture.any(&changes) {
            Ok(game) => game,
            Err(error) => return rec.fail("T9", format!("does not load with max_steps={limit}: {error}")),
        };
        for played in &fixture.recorded {
            let mut env = game.env(played.seed);
            for &(player, action) in played.choices.iter().take(limit) {
                rec.at(&Trace::after(played.seed, env.history()));
                if let Err(error) = env.step_player(player, action.0.into()) {
                    return rec.fail("T9", format!("before the limit: {error}"));
                }
                rec.saw("T9", 1, 0, 1);
            }
            rec.at(&Trace::after(played.seed, env.history()));
            let cut = played.choices.len() > limit;
            let own_end = played.points.get(limit).map(|point| fixture.game.status(&point.0));
            let expected = match own_end {
                Some(Status::Running) | None if cut => Status::Truncated,
                Some(status) => status,
                None => {
                    played.points.last().map_or(Status::Terminated, |point| fixture.game.status(&point.0))
                }
            };
            rec.claim("T9", env.status() == expected, || {
                format!("{:?} after {} decisions with max_steps={limit}", env.status(), env.history().len())
            });
            if cut {
                rec.claim("T9", env.acting().is_empty(), || {
                    "a player must act in a truncated episode".into()
                });
                rec.claim(
                    "T9",
                    kind != RewardKind::Outcome || env.returns().iter().all(|&r| r == 0.0),
                    || format!("a truncated episode has outcome {:?}", env.returns()),
                );
            }
        }
    }
    for (trace, _, status, winners) in &fixture.sweep.ends {
        if *status == Status::Truncated && !fixture.info().outcome_on_truncation {
            rec.at(trace);
            rec.claim("T9", winners.is_empty(), || "truncated with winners".into());
        }
    }
}
