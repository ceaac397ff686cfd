//! V9: keys of information states are equal exactly for histories that the player cannot tell apart.

use super::fixture::{Fixture, guarded};
use super::play::{step_randomly, visit};
use super::report::{Recorder, Trace};
use playmat_core::any::AnyEnv;
use playmat_core::game::Status;
use playmat_core::info::fnv1a;
use playmat_core::information::parse_key;
use playmat_core::player::{Player, Players};
use playmat_core::rng::{Rng, derive};
use std::collections::BTreeMap;

/// Runs the check.
pub(crate) fn run(fixture: &Fixture<'_>, rec: &mut Recorder) {
    for check in [v9_copies_and_samples, v9_histories, v9_every_history] {
        guarded("V9", rec, |rec| check(fixture, rec));
    }
}

/// Decisions in a history that is long.
const LONG: usize = 24;

/// The keys of all players.
fn keys(env: &dyn AnyEnv) -> Vec<u128> {
    Player::all(env.info().players).filter_map(|player| env.information_state_key(player).ok()).collect()
}

/// Copies keep all keys, a sample that of its player, and the order of the choices of a simultaneous turn changes none.
fn v9_copies_and_samples(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let mut number = 0u64;
    visit(fixture, "V9", rec, |env, rec| {
        number += 1;
        // An information state in JSON and a restored environment replay the whole history: of long ones a few are enough.
        if env.history().len() > LONG && !number.is_multiple_of(8) {
            return;
        }
        let own = keys(&**env);
        rec.claim("V9", own.len() == env.info().players, || "a player has no key".into());
        // Each player in turn.
        let one = Player((number % env.info().players as u64) as u8);
        // A key may go on from the last one. The information state in JSON has that of a whole replay.
        let replayed = |env: &dyn AnyEnv, player| {
            env.information_state(player).ok().and_then(|shown| parse_key(shown["key"].as_str()?))
        };
        let is_kept = |other: &dyn AnyEnv| {
            let key = own.get(one.index()).copied();
            other.information_state_key(one).ok() == key && replayed(other, one) == key
        };
        rec.claim("V9", is_kept(&**env), || format!("the key of player {one} changes when it is read"));
        rec.claim("V9", is_kept(&*env.clone_box()), || {
            format!("an exact copy has another key of player {one}")
        });
        rec.claim("V9", is_kept(&*env.clone_with_seed(number)), || {
            format!("a clone with a seed has another key of player {one}")
        });
        let text = env.seen_before();
        let start = env.start_bytes();
        let restored = env.game().env_with_history(&env.to_bytes(), start.as_deref(), env.history());
        if let Ok(mut restored) = restored {
            let kept = text.is_none_or(|text| restored.restore_seen_before(&text).is_ok());
            rec.claim("V9", kept && own == keys(&*restored), || {
                "an environment restored with its history has other keys".into()
            });
        }
        for player in Player::all(env.info().players) {
            rec.saw("V9", 1, 1, 0);
            rec.claim("V9", replayed(&**env, player) == own.get(player.index()).copied(), || {
                format!("the information state of player {player} has another key")
            });
            if let Ok(sample) = env.sample_hidden(player, number) {
                let key = sample.information_state_key(player).ok();
                rec.claim("V9", key == own.get(player.index()).copied(), || {
                    format!("a sample for player {player} has another key for it")
                });
            }
        }
        v9_orders(&**env, number, rec);
    });
}

/// Everybody chooses, in ascending and in descending order.
fn v9_orders(env: &dyn AnyEnv, seed: u64, rec: &mut Recorder) {
    let acting: Vec<Player> = env.acting().iter().collect();
    if acting.len() < 2 {
        return;
    }
    let mut draws = Rng::from_seed(seed);
    let mut choices = Vec::new();
    for &player in &acting {
        let legal = env.legal_actions(player).unwrap_or_default();
        if legal.is_empty() {
            return;
        }
        choices.push((player, legal[draws.below(legal.len() as u32) as usize]));
    }
    let mut after = Vec::new();
    for backwards in [false, true] {
        let mut env = env.clone_box();
        let mut order = choices.clone();
        if backwards {
            order.reverse();
        }
        let mut now = keys(&*env);
        for (place, &(player, action)) in order.iter().enumerate() {
            let before = now;
            if env.step_player(player, action.into()).is_err() {
                return;
            }
            now = keys(&*env);
            let others = before.iter().zip(&now).enumerate().filter(|(other, _)| *other != player.index());
            if place + 1 < order.len() && env.acting() != Players::EMPTY {
                rec.claim("V9", others.clone().all(|(_, (a, b))| a == b), || {
                    "a choice that others cannot see changes their keys".into()
                });
            }
            rec.claim("V9", before.get(player.index()) != now.get(player.index()), || {
                format!("a choice of player {player} does not change its key")
            });
        }
        after.push(now);
    }
    rec.claim("V9", after[0] == after[1], || {
        "the order of the choices of a simultaneous turn changes keys".into()
    });
}

/// What a player has received, computed from views and events alone, and the key for it.
#[derive(Default)]
struct Pairs {
    by_key: BTreeMap<u128, u64>,
    by_past: BTreeMap<u64, u128>,
    by_observation: BTreeMap<Vec<u8>, u128>,
}

impl Pairs {
    fn add(&mut self, player: Player, key: u128, past: u64, rec: &mut Recorder) {
        rec.saw("V9", 1, 1, 0);
        rec.claim("V9", *self.by_key.entry(key).or_insert(past) == past, || {
            format!("player {player} has the same key after a history that it can tell apart")
        });
        rec.claim("V9", *self.by_past.entry(past).or_insert(key) == key, || {
            format!("player {player} has two keys for histories that it cannot tell apart")
        });
    }

    /// In a game that declares perfect recall, an observation belongs to one information state.
    fn add_observation(&mut self, env: &dyn AnyEnv, player: Player, key: u128, rec: &mut Recorder) {
        if !env.info().perfect_recall || env.status() != Status::Running {
            return;
        }
        let mut observation = vec![0; env.info().observation.size()];
        if let Err(error) = env.write_observation(player, &mut observation) {
            return rec.fail("V9", error.to_string());
        }
        rec.claim("V9", *self.by_observation.entry(observation).or_insert(key) == key, || {
            format!(
                "perfect_recall is declared, and two information states of player {player} have one observation"
            )
        });
    }
}

/// The hash of what each player received at the deal.
fn first(env: &dyn AnyEnv) -> Vec<u64> {
    let received = |player| {
        let view = env.to_json(Some(player)).map(|json| json.to_string()).unwrap_or_default();
        derive(fnv1a(view.as_bytes()), events_hash(env, player).unwrap_or_default())
    };
    Player::all(env.info().players).map(received).collect()
}

/// The hash of the events of the last step that a player sees, if it sees any.
fn events_hash(env: &dyn AnyEnv, player: Player) -> Option<u64> {
    let events = env.events(Some(player)).ok().filter(|events| !events.is_empty())?;
    let text: Vec<String> = events.iter().map(ToString::to_string).collect();
    Some(fnv1a(text.join("\n").as_bytes()))
}

/// The same after a step of a player.
fn next(env: &dyn AnyEnv, pasts: &[u64], actor: Player, action: u16) -> Vec<u64> {
    let received = |(player, &past): (Player, &u64)| {
        let past = if player == actor { derive(past, u64::from(action) + 1) } else { past };
        events_hash(env, player).map_or(past, |shown| derive(past, shown))
    };
    Player::all(env.info().players).zip(pasts).map(received).collect()
}

/// Random episodes: keys follow what the players receive, and never come back.
fn v9_histories(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("V9", rec) else { return };
    let mut pairs: Vec<Pairs> = fixture.each_player().map(|_| Pairs::default()).collect();
    let mut left = 12 * fixture.config.positions;
    for number in 0..8 {
        let seed = derive(fixture.config.seed ^ 0x5639, number);
        let (mut env, mut draws) = (game.env(seed), Rng::from_seed(seed));
        let mut pasts = first(&*env);
        let mut gone: Vec<Vec<u128>> = vec![Vec::new(); fixture.players()];
        while left > 0 && env.history().len() <= LONG && fixture.config.keep_going.check() {
            left -= 1;
            rec.at(&Trace::after(seed, env.history()));
            for (player, key) in fixture.each_player().zip(keys(&*env)) {
                let gone = &mut gone[player.index()];
                pairs[player.index()].add(player, key, pasts[player.index()], rec);
                pairs[player.index()].add_observation(&*env, player, key, rec);
                if gone.last() != Some(&key) {
                    rec.claim("V9", !gone.contains(&key), || {
                        format!("an earlier key of player {player} comes back")
                    });
                    gone.push(key);
                }
            }
            let Some(player) = env.acting().first() else { break };
            if !step_randomly("V9", &mut *env, player, &mut draws, rec) {
                return;
            }
            let action = env.history().last().map_or(0, |(_, action)| action.0);
            pasts = next(&*env, &pasts, player, action);
        }
    }
}

/// All histories of a game whose chance is listed, as far as the amount of work allows.
fn v9_every_history(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(game) = fixture.load("V9", rec) else { return };
    let Ok(deals) = game.chance_outcomes() else { return };
    let mut pairs: Vec<Pairs> = fixture.each_player().map(|_| Pairs::default()).collect();
    let every = 60 * fixture.config.positions;
    let (mut waiting, mut seen) = (Vec::new(), 0);
    for (env, _) in deals.into_iter().take(every / 4) {
        let pasts = first(&*env);
        waiting.push((env, pasts));
    }
    // From the deals in turn, so that none is left out, and down to the end of the first histories.
    while let Some((env, pasts)) = waiting.pop() {
        seen += 1;
        if seen > every || !fixture.config.keep_going.check() {
            break;
        }
        rec.at(&Trace::after(env.episode_seed(), env.history()));
        for (player, key) in fixture.each_player().zip(keys(&*env)) {
            pairs[player.index()].add(player, key, pasts[player.index()], rec);
            pairs[player.index()].add_observation(&*env, player, key, rec);
        }
        let Some(player) = env.acting().first() else { continue };
        for action in env.legal_actions(player).unwrap_or_default() {
            for (env, _) in env.chance_outcomes(action.into()).unwrap_or_default() {
                let pasts = next(&*env, &pasts, player, action);
                waiting.push((env, pasts));
            }
        }
    }
    let whole = if waiting.is_empty() { "all" } else { "the first" };
    rec.note("V9", format!("{whole} {} positions of listed chance", seen.min(every)));
}
