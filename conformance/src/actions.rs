//! Actions and masks (A1 to A8, A11). The sampler of batches (A9) is in `vector`.

use super::fixture::{Fixture, guarded, panic_text};
use super::play::{act, mask_of, visit};
use super::report::Recorder;
use super::stats;
use playmat_core::any::AnyEnv;
use playmat_core::error::Error;
use playmat_core::player::{Action, Player};
use playmat_core::rng::{Rng, derive};
use playmat_core::tested::State;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs these checks.
pub(crate) fn run(fixture: &Fixture<'_>, rec: &mut Recorder) {
    for (ids, check) in [
        (&["A1", "A2", "A3"][..], a1_a2_a3_mask_list_and_tests as fn(&Fixture<'_>, &mut Recorder)),
        (&["A4"][..], a4_legal_actions_apply),
        (&["A6"][..], a6_texts),
        (&["A6"][..], a6_texts_without_a_state),
        (&["A7"][..], a7_ranges_tile),
        (&["A11"][..], a11_duplicates),
        (&["A1", "A2", "A3"][..], a1_a3_environment),
        (&["A4"][..], a4_others_are_refused),
        (&["A5"][..], a5_after_the_end),
        (&["A8"][..], a8_uniform_sampler),
    ] {
        if ids.iter().any(|id| fixture.wants(id)) {
            guarded(ids[0], rec, |rec| check(fixture, rec));
        }
    }
}

fn a1_a2_a3_mask_list_and_tests(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let n = fixture.info().num_actions;
    for position in fixture.decisions("A1", 10 * fixture.config.positions) {
        rec.at(&position.trace());
        for player in fixture.game.acting(position.state()).iter() {
            let legal = fixture.game.legal(position.state(), player);
            let list: Vec<usize> = legal.iter().map(Action::index).collect();
            rec.saw("A2", 1, 1, list.len());
            rec.claim("A2", list.windows(2).all(|pair| pair[0] < pair[1]), || format!("legal list {list:?}"));
            rec.claim("A1", list.iter().all(|&a| a < n), || format!("of {n} actions {list:?} are legal"));
            rec.claim("A3", list.len() == legal.len(), || {
                format!("{} actions are counted, {} listed", legal.len(), list.len())
            });
            let beyond = [n as u16, u16::MAX, u16::MAX - 1, n.next_multiple_of(64) as u16];
            for action in beyond.into_iter().filter(|&a| usize::from(a) >= n) {
                rec.claim("A3", !fixture.game.is_legal(position.state(), player, Action(action)), || {
                    format!("action {action} of {n} is legal")
                });
            }
        }
    }
}

/// The same in the environment, which writes the mask.
fn a1_a3_environment(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let n = fixture.info().num_actions;
    visit(fixture, "A1", rec, |env, rec| {
        for player in env.acting().iter() {
            let (list, mask) = (env.legal_actions(player).unwrap_or_default(), mask_of(&**env, player));
            rec.saw("A1", 1, 1, list.len());
            rec.saw("A3", 1, 1, mask.len());
            rec.claim("A1", mask.len() == n, || format!("{} mask bytes for {n} actions", mask.len()));
            rec.claim("A1", mask.iter().all(|&m| m <= 1), || "a mask byte is neither 0 nor 1".into());
            rec.claim("A2", list.windows(2).all(|pair| pair[0] < pair[1]), || format!("legal list {list:?}"));
            let ones: Vec<u16> = (0..mask.len()).filter(|&a| mask[a] == 1).map(|a| a as u16).collect();
            if ones != list {
                let lacking = list.iter().find(|a| !ones.contains(a));
                let extra = ones.iter().find(|a| !list.contains(a));
                rec.fail(
                    "A3",
                    format!("mask and list differ: the mask lacks {lacking:?} and has {extra:?} in addition"),
                );
            }
        }
    });
}

/// On states without an environment, where one copy per action is cheap.
fn a4_legal_actions_apply(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let game = fixture.game;
    for position in fixture.decisions("A4", fixture.config.positions) {
        rec.at(&position.trace());
        for player in game.acting(position.state()).iter() {
            for action in game.legal(position.state(), player).iter() {
                rec.saw("A4", 1, 1, 1);
                let (mut state, mut rng) = (position.state().clone(), position.rng());
                let outcome = catch_unwind(AssertUnwindSafe(|| {
                    game.apply(&mut state, player, action, &mut rng);
                    game.validate(&state)
                }));
                match outcome {
                    Err(panic) => {
                        let why = panic_text(&*panic);
                        rec.fail("A4", format!("legal action {action} of player {player} panicked: {why}"));
                    }
                    Ok(problems) => {
                        if let Some(problem) = problems.first() {
                            rec.fail("A4", format!("legal action {action} of player {player} led to an invalid state: {problem}"));
                        }
                    }
                }
            }
        }
    }
}

/// In the environment: every action in the mask is accepted, every other action is refused and changes nothing.
fn a4_others_are_refused(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let mut draws = Rng::from_seed(0x4134);
    visit(fixture, "A4", rec, |env, rec| {
        let n = env.info().num_actions as i64;
        let acting = env.acting();
        for player in acting.iter() {
            let mask = mask_of(&**env, player);
            let (mut legal, mut other): (Vec<i64>, Vec<i64>) =
                (0..mask.len() as i64).partition(|&a| mask[a as usize] != 0);
            draws.shuffle(&mut legal);
            draws.shuffle(&mut other);
            other.truncate(12);
            let wrapped = legal.first().map_or(0, |&a| a + 65_536);
            other.extend([-1, n, n + 1, 65_535.max(n), wrapped, wrapped - 131_072, i64::MAX, i64::MIN]);
            let first = acting.first() == Some(player);
            for action in other {
                rec.saw("A4", 1, 1, 1);
                refused_without_a_trace(env, player, action, first, rec);
            }
            for &action in legal.iter().take(6) {
                rec.saw("A4", 1, 1, 1);
                if let Err(error) = env.clone_box().step_player(player, action) {
                    rec.fail(
                        "A4",
                        format!(
                            "action {action} of player {player} is legal by the mask but refused: {error}"
                        ),
                    );
                }
            }
        }
        for player in Player::all(env.info().players).filter(|&player| !acting.contains(player)) {
            let before = env.to_bytes();
            let refused = env.step_player(player, 0).is_err();
            rec.claim("A4", refused, || format!("player {player} need not act, but its action is accepted"));
            rec.claim("A4", env.to_bytes() == before, || {
                "a refused action of a player that need not act changed the state".into()
            });
        }
    });
}

fn refused_without_a_trace(
    env: &mut Box<dyn AnyEnv>,
    player: Player,
    action: i64,
    first: bool,
    rec: &mut Recorder,
) {
    let (before, decisions) = (env.to_bytes(), env.history().len());
    let mut tried = env.clone_box();
    let outcome = if first { tried.step(action) } else { tried.step_player(player, action) };
    match outcome {
        Ok(()) => rec.fail("A4", format!("action {action} of player {player} is not legal and was applied")),
        Err(Error::IllegalAction(refusal)) => {
            rec.claim("A4", refusal.action == action && refusal.player == player.0, || {
                format!("action {action} of player {player} refused as {refusal}")
            });
        }
        Err(error) => rec.fail("A4", format!("action {action} of player {player} refused as: {error}")),
    }
    let same = tried.to_bytes() == before && tried.history().len() == decisions;
    rec.claim("A4", same, || format!("refused action {action} of player {player} changed the state"));
    rec.claim("A4", env.to_bytes() == before, || "a refusal in a clone changed the original".into());
}

fn a5_after_the_end(fixture: &Fixture<'_>, rec: &mut Recorder) {
    visit(fixture, "A5", rec, |env, rec| {
        if !env.acting().is_empty() {
            return;
        }
        rec.saw("A5", 1, 0, 0);
        let before = env.to_bytes();
        let (rewards, returns) = (env.rewards().to_vec(), env.returns().to_vec());
        let players = env.info().players;
        let over = |outcome: Result<(), Error>| matches!(outcome, Err(Error::EpisodeOver));
        for action in [0, 1, -1, i64::MAX] {
            rec.claim("A5", over(env.step(action)), || format!("step({action}) is not refused as over"));
        }
        let joint = vec![0; players];
        rec.claim("A5", over(env.step_joint(&joint)), || "step_joint is not refused as over".into());
        for player in Player::all(players) {
            rec.claim("A5", over(env.step_player(player, 0)), || {
                format!("player {player} is not refused as over")
            });
            rec.claim("A5", over(env.sample_action(player).map(|_| ())), || "sampling is not refused".into());
            let agent = act(&mut **env, "greedy", player).map(|_| ());
            rec.claim("A5", over(agent), || "`act` of an agent is not refused as over".into());
            rec.claim("A5", mask_of(&**env, player).iter().all(|&m| m == 0), || "a mask is not empty".into());
        }
        rec.claim("A5", env.to_bytes() == before, || "a refused operation changed the finished state".into());
        let unpaid = env.rewards() == rewards && env.returns() == returns;
        rec.claim("A5", unpaid, || "a refused operation changed the rewards".into());
    });
}

/// Texts that no action may have.
const GARBAGE: [&str; 9] = [
    "",
    " ",
    "no such action",
    "\u{0}",
    "place at",
    "-1",
    "99999999999999999999",
    "\u{1f984} \u{fe0f}",
    "(((((((",
];

/// Most actions of a player that A6 parses in one position.
const PARSED: usize = 50;

fn a6_texts(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let game = fixture.game;
    for (number, position) in fixture.decisions("A6", 2 * fixture.config.positions).enumerate() {
        rec.at(&position.trace());
        for player in game.acting(position.state()).iter() {
            let seen = Some((position.state(), player));
            let mut texts = BTreeMap::new();
            let legal = game.legal(position.state(), player);
            // Parsing may compare with the texts of all legal actions: of many actions, each position parses some.
            let every = legal.iter().count().div_ceil(PARSED);
            for (at, action) in legal.iter().enumerate() {
                rec.saw("A6", 1, 1, 1);
                let text = game.action_text(seen, action);
                let forms = || {
                    [text.clone(), text.to_uppercase(), text.to_lowercase(), game.action_text(None, action)]
                };
                for form in forms().into_iter().filter(|_| (at + number).is_multiple_of(every)) {
                    let back = game.parse_action(seen, &form);
                    rec.claim("A6", back == Some(action), || {
                        format!("`{form}` of action {action}, player {player}, is parsed as {back:?}")
                    });
                }
                if let Some(other) = texts.insert(text.clone(), action) {
                    rec.fail(
                        "A6",
                        format!("actions {other} and {action} of player {player} are both `{text}`"),
                    );
                }
            }
            for text in GARBAGE {
                let back = game.parse_action(seen, text);
                rec.claim("A6", back.is_none(), || {
                    format!("`{}` is parsed as {back:?}", text.escape_debug())
                });
            }
        }
    }
}

fn a6_texts_without_a_state(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let game = fixture.game;
    let mut texts = BTreeMap::new();
    for action in (0..fixture.info().num_actions).map(|a| Action(a as u16)) {
        let text = game.action_text(None, action);
        for form in [text.clone(), text.to_uppercase()] {
            let back = game.parse_action(None, &form);
            rec.claim("A6", back == Some(action), || {
                format!("`{form}` of action {action} is parsed as {back:?}")
            });
        }
        if let Some(other) = texts.insert(text.clone(), action) {
            rec.fail("A6", format!("actions {other} and {action} are both `{text}`"));
        }
    }
    for text in GARBAGE {
        let back = game.parse_action(None, text);
        rec.claim("A6", back.is_none(), || format!("`{}` is parsed as {back:?}", text.escape_debug()));
    }
    // Shortened and extended texts may parse or not, but must not panic or give an action outside the action space.
    for text in texts.keys().take(40) {
        let half: String = text.chars().take(text.chars().count() / 2).collect();
        for garbled in [half, format!("{text}{text}"), format!(" {text}"), text.replace(['1', '0'], "999999")]
        {
            let back = game.parse_action(None, &garbled);
            let inside = back.is_none_or(|action| action.index() < fixture.info().num_actions);
            rec.claim("A6", inside, || format!("`{garbled}` is parsed as {back:?}"));
        }
    }
}

fn a7_ranges_tile(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let info = fixture.info();
    for action in 0..info.num_actions {
        rec.saw("A7", 1, 0, 1);
        let holders: Vec<_> =
            info.actions.iter().filter(|r| (r.start..r.start + r.len).contains(&action)).collect();
        rec.claim("A7", holders.len() == 1, || format!("action {action} lies in {} ranges", holders.len()));
    }
    rec.claim("A7", info.action_range(info.num_actions).is_none(), || {
        "a range reaches beyond the space".into()
    });
    let mut names: Vec<_> = info.actions.iter().map(|range| range.name).collect();
    names.sort_unstable();
    rec.claim("A7", names.windows(2).all(|pair| pair[0] != pair[1]), || format!("range names {names:?}"));
    rec.claim("A7", fixture.game.legal_places() >= info.num_actions, || {
        format!("{} actions do not fit the legal set", info.num_actions)
    });
}

fn a8_uniform_sampler(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let mut left = 4;
    visit(fixture, "A8", rec, |env, rec| {
        let Some(player) = env.acting().first() else { return };
        let legal = env.legal_actions(player).unwrap_or_default();
        let draws = fixture.config.samples.max(20 * legal.len());
        if left == 0 || legal.len() < 2 || draws > 20 * fixture.config.samples {
            return;
        }
        left -= 1;
        let mut counts = vec![0; legal.len()];
        // One environment draws repeatedly; its stream advances, its state does not change.
        let mut drawn = env.clone_with_seed(derive(7, left));
        let mut twin = env.clone_with_seed(derive(7, left));
        let before = drawn.position_bytes();
        for _ in 0..draws {
            let (Ok(action), Ok(again)) = (drawn.sample_action(player), twin.sample_action(player)) else {
                return rec.fail("A8", "sampling is refused");
            };
            rec.claim("A8", action == again, || "equal streams draw different actions".into());
            match legal.binary_search(&action.0) {
                Ok(at) => counts[at] += 1,
                Err(_) => rec.fail("A8", format!("illegal action {action} was drawn")),
            }
        }
        rec.saw("A8", 1, 1, draws);
        rec.claim("A8", drawn.position_bytes() == before, || "drawing an action changed the state".into());
        let share = vec![1.0 / legal.len() as f64; legal.len()];
        if let Err((chi, limit)) = stats::fits(&counts, &share) {
            rec.fail("A8", format!("chi-square {chi:.1}, limit {limit:.1}: {counts:?}"));
        }
    });
    if left == 4 {
        rec.not_applicable("A8", "no position offers between 2 and a few thousand actions");
    }
}

/// A report, and a failure only where the game lists which duplicates it allows.
fn a11_duplicates(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let game = fixture.game;
    let mut pairs = 0;
    for position in fixture.decisions("A11", fixture.config.positions) {
        rec.at(&position.trace());
        for player in game.acting(position.state()).iter() {
            let mut seen: Vec<(Action, State)> = Vec::new();
            for action in game.legal(position.state(), player).iter().take(80) {
                rec.saw("A11", 1, 1, 1);
                let (mut state, mut rng) = (position.state().clone(), position.rng());
                game.apply(&mut state, player, action, &mut rng);
                let twin = seen.iter().find(|(_, other)| *other == state).map(|(a, _)| *a);
                seen.push((action, state));
                let Some(twin) = twin else { continue };
                pairs += 1;
                let text = |a| game.action_text(Some((position.state(), player)), a);
                match &fixture.hooks.duplicates {
                    Some(listed) if !listed(position.state(), player, twin, action) => {
                        rec.fail(
                            "A11",
                            format!(
                                "actions {twin} (`{}`) and {action} (`{}`) of player {player} have the same effect, and the hook `duplicates` does \
                                 not name them",
                                text(twin),
                                text(action)
                            ),
                        );
                    }
                    Some(_) => {}
                    None => {
                        rec.note(
                            "A11",
                            format!("`{}` and `{}` have the same effect", text(twin), text(action)),
                        );
                    }
                }
            }
        }
    }
    rec.note("A11", format!("{pairs} pairs of legal actions with equal effect"));
}
