//! The form of observations (V1 to V6, V9 to V13, V15). Hidden information is checked in `secrecy`.

use super::difference::{json_difference, observation_difference, segment_at};
use super::fixture::{Fixture, guarded};
use super::play::{mask_of, observation_of, visit};
use super::report::Recorder;
use playmat_core::any::AnyEnv;
use playmat_core::error::Error;
use playmat_core::game::Status;
use playmat_core::info::fnv1a;
use playmat_core::player::Player;
use playmat_core::rng::{Rng, derive};
use playmat_core::tested::State;
use std::collections::BTreeMap;

/// Runs these checks.
pub(crate) fn run(fixture: &Fixture<'_>, rec: &mut Recorder) {
    for (ids, check) in [
        (&["V1", "V2", "V3", "V4", "V12"][..], v1_v2_v3_v4_v12_form as fn(&Fixture<'_>, &mut Recorder)),
        (&["V9"][..], v9_perfect_recall),
        (&["V10"][..], v10_observation_holds_the_json),
        (&["V11"][..], v11_player_symmetry),
        (&["V15"][..], v15_short_observations),
        (&["V5"][..], v5_looking_changes_nothing),
        (&["V6"][..], v6_unknown_players),
        (&["V12", "V13"][..], v13_neighbours),
    ] {
        if ids.iter().any(|id| fixture.wants(id)) {
            guarded(ids[0], rec, |rec| check(fixture, rec));
        }
    }
}

fn v1_v2_v3_v4_v12_form(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let (game, info) = (fixture.game, fixture.info());
    let layout = &info.observation;
    let size = layout.size();
    let mut at = 0;
    for segment in &layout.segments {
        rec.claim("V4", segment.offset == at && !segment.is_empty(), || {
            format!(
                "segment {} of {} bytes begins at {} instead of {at}",
                segment.name,
                segment.len(),
                segment.offset
            )
        });
        at += segment.len();
    }
    rec.claim("V4", at == size, || format!("segments end at {at} of {size} bytes"));
    let (mut a, mut b, mut values) = (vec![0; size], vec![0; size], vec![0f32; size]);
    for position in fixture.positions("V1", 10 * fixture.config.positions) {
        rec.at(&position.trace());
        for player in fixture.each_player() {
            for id in ["V1", "V2", "V3", "V4", "V12"] {
                rec.saw(id, 1, 1, 0);
            }
            a.fill(0xaa);
            b.fill(0x55);
            // A slice of another length than written to would panic inside the game.
            game.observe(position.state(), player, &mut a);
            game.observe(position.state(), player, &mut b);
            if let Some(place) = observation_difference(info, &a, &b) {
                rec.fail("V12", format!("player {player}: stale byte at {place} after 0xAA and 0x55"));
            }
            layout.to_f32(&a, &mut values);
            let mut reported = false;
            for segment in &layout.segments {
                for i in segment.offset..segment.offset + segment.len() {
                    let (byte, value) = (a[i], values[i]);
                    let fine = value.is_finite() && (-1.0..=1.0).contains(&value);
                    if !reported && !fine {
                        reported = true;
                        let place = segment_at(info, i);
                        rec.fail("V2", format!("player {player}: byte {byte} at {place} is {value}"));
                        rec.fail(
                            "V4",
                            format!("player {player}: byte {byte} at {place} leaves the declared range"),
                        );
                    }
                    let back = (value * f32::from(segment.scale) + f32::from(segment.bias)).round();
                    if back != f32::from(byte) {
                        rec.fail(
                            "V3",
                            format!("byte {byte} at {} comes back as {back}", segment_at(info, i)),
                        );
                    }
                }
            }
        }
    }
}

fn v5_looking_changes_nothing(fixture: &Fixture<'_>, rec: &mut Recorder) {
    visit(fixture, "V5", rec, |env, rec| {
        let before = env.to_bytes();
        let all: Vec<Option<Player>> =
            Player::all(env.info().players).map(Some).chain(std::iter::once(None)).collect();
        for viewer in all {
            if let Some(player) = viewer {
                rec.saw("V5", 1, 1, 0);
                let (a, b) = (observation_of(&**env, player), observation_of(&**env, player));
                if let Some(at) = observation_difference(env.info(), &a, &b) {
                    rec.fail(
                        "V5",
                        format!("player {player} has two different observations of one state: {at}"),
                    );
                }
                rec.claim("V5", mask_of(&**env, player) == mask_of(&**env, player), || {
                    "two different masks in one state".into()
                });
            }
            rec.claim("V5", env.to_json(viewer) == env.to_json(viewer), || {
                "two different JSON documents in one state".into()
            });
            rec.claim("V5", env.draw_text(viewer) == env.draw_text(viewer), || {
                "two different texts in one state".into()
            });
            rec.claim("V5", env.events(viewer) == env.events(viewer), || {
                "two different lists of events".into()
            });
        }
        rec.claim("V5", env.to_bytes() == before, || "read access changed the state".into());
    });
}

fn v6_unknown_players(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let invalid = |outcome: Result<(), Error>| matches!(outcome, Err(Error::InvalidPlayer { .. }));
    visit(fixture, "V6", rec, |env, rec| {
        let before = env.to_bytes();
        let (size, actions) = (env.info().observation.size(), env.info().num_actions);
        for player in [Player(env.info().players as u8), Player(8), Player(200), Player(u8::MAX)] {
            rec.saw("V6", 1, 1, 0);
            let mut out = vec![0xaa; size.max(actions)];
            let calls = [
                ("observation", invalid(env.write_observation(player, &mut out[..size]))),
                ("mask", invalid(env.write_mask(player, &mut out[..actions]))),
                ("legal_actions", invalid(env.legal_actions(player).map(|_| ()))),
                ("to_json", invalid(env.to_json(Some(player)).map(|_| ()))),
                ("events", invalid(env.events(Some(player)).map(|_| ()))),
                ("draw_text", invalid(env.draw_text(Some(player)).map(|_| ()))),
                ("draw_svg", invalid(env.draw_svg(Some(player)).map(|_| ()))),
                ("sample_hidden", invalid(env.sample_hidden(player, 1).map(|_| ()))),
                ("step_player", env.step_player(player, 0).is_err()),
            ];
            for (call, refused) in calls {
                rec.claim("V6", refused, || format!("{call} accepts player {player}"));
            }
            rec.claim("V6", out.iter().all(|&b| b == 0xaa), || "a refused call wrote into the buffer".into());
        }
        rec.claim("V6", env.to_bytes() == before, || "a refused call changed the state".into());
    });
}

/// Keys of information states; and where the hook `perfect_recall` promises it, observations that tell all histories apart.
fn v9_perfect_recall(fixture: &Fixture<'_>, rec: &mut Recorder) {
    super::information_states::run(fixture, rec);
    if !fixture.hooks.perfect_recall {
        return;
    }
    for player in fixture.each_player() {
        let mut pasts: BTreeMap<u64, u64> = BTreeMap::new();
        for played in &fixture.recorded {
            let (mut past, mut last) = (0u64, None);
            for (index, (state, _)) in played.points.iter().enumerate() {
                let now = fnv1a(&fixture.observe(state, player));
                rec.at(&super::report::Trace {
                    seed: played.seed,
                    choices: played.choices.clone(),
                    len: index,
                });
                rec.saw("V9", 1, 1, 0);
                if last != Some(now) {
                    past = derive(past, now);
                    last = Some(now);
                }
                let known = *pasts.entry(now).or_insert(past);
                rec.claim("V9", known == past, || {
                    format!("player {player} has the same observation after another history")
                });
            }
        }
    }
}

/// Equal observations must imply equal JSON for the viewer. To find equal observations, each position is compared with its neighbours in
/// play and with samples for the other players.
fn v10_observation_holds_the_json(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let game = fixture.game;
    let redacted_json = |state: &State, player: Player| {
        let mut json = game.describe(state, Some(player));
        if let Some(remove) = &fixture.hooks.useless {
            remove(state, player, &mut json);
        }
        json
    };
    let mut seen: Vec<BTreeMap<u64, State>> = fixture.each_player().map(|_| BTreeMap::new()).collect();
    // Final positions are left out: no decision depends on them.
    for position in fixture.decisions("V10", 3 * fixture.config.positions) {
        rec.at(&position.trace());
        let mut states = vec![position.state().clone()];
        states.extend(position.next().map(|(_, _, after)| after.clone()));
        let mut draws = Rng::from_seed(derive(position.played.seed, position.index as u64));
        states.extend(
            fixture.each_player().map(|player| game.sample_hidden(position.state(), player, &mut draws)),
        );
        if let Some(player) = game.acting(position.state()).first() {
            for action in game.legal(position.state(), player).iter().take(3) {
                let (mut state, mut rng) = (position.state().clone(), position.rng());
                game.apply(&mut state, player, action, &mut rng);
                states.push(state);
            }
        }
        for player in fixture.each_player() {
            for state in states.iter().filter(|state| game.status(state) == Status::Running) {
                rec.saw("V10", 1, 1, 0);
                let key = fnv1a(&fixture.observe(state, player));
                let known = &*seen[player.index()].entry(key).or_insert_with(|| state.clone());
                if known == state {
                    continue;
                }
                if let Some(at) =
                    json_difference(&redacted_json(known, player), &redacted_json(state, player))
                {
                    rec.fail("V10", format!(
                        "player {player} has equal observations, but its JSON differs at {at}; the hook `useless` removes facts that cannot influence its decisions"
                    ));
                }
            }
        }
    }
}

fn v15_short_observations(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let game = fixture.game;
    let mut any = false;
    // By player, what short observations and hashes of observations belong to each other.
    let mut long_of: Vec<BTreeMap<Option<[u64; 2]>, u64>> = vec![BTreeMap::new(); fixture.players()];
    let mut short_of: Vec<BTreeMap<u64, Option<[u64; 2]>>> = vec![BTreeMap::new(); fixture.players()];
    for position in fixture.decisions("V15", 10 * fixture.config.positions) {
        rec.at(&position.trace());
        for player in fixture.each_player() {
            rec.saw("V15", 1, 1, 0);
            let short = game.short_observation(position.state(), player);
            any |= short.is_some();
            if any {
                let long = fnv1a(&fixture.observe(position.state(), player));
                let known = *long_of[player.index()].entry(short).or_insert(long);
                rec.claim("V15", known == long, || {
                    format!("player {player} has the short observation {short:?} of another observation")
                });
                let known = *short_of[player.index()].entry(long).or_insert(short);
                rec.claim("V15", known == short, || {
                    format!("player {player} has two short observations of one observation: {known:?} and {short:?}")
                });
            }
        }
    }
    if !any {
        rec.not_applicable("V15", "the game has no short observations");
    }
}

fn v11_player_symmetry(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(relabel) = &fixture.hooks.relabel else {
        return fixture.missing("V11", "relabel", "players permuted", rec);
    };
    let players = fixture.players();
    for position in fixture.positions("V11", 4 * fixture.config.positions) {
        rec.at(&position.trace());
        for turn in 1..players.max(2) {
            let Some(other) = relabel(position.state(), turn) else { continue };
            for player in fixture.each_player() {
                rec.saw("V11", 1, 1, 0);
                let renamed = player.relative(turn % players, players);
                let (a, b) = (fixture.observe(position.state(), player), fixture.observe(&other, renamed));
                if let Some(at) = observation_difference(fixture.info(), &a, &b) {
                    rec.fail(
                        "V11",
                        format!("player {player} permuted to {renamed} has another observation: {at}"),
                    );
                }
            }
        }
    }
}

/// Writes into the middle of a larger buffer, with two different fillings.
fn v13_neighbours(fixture: &Fixture<'_>, rec: &mut Recorder) {
    visit(fixture, "V13", rec, |env, rec| {
        let (size, actions) = (env.info().observation.size(), env.info().num_actions);
        for player in Player::all(env.info().players) {
            rec.saw("V13", 1, 1, 0);
            rec.saw("V12", 1, 1, 0);
            let mut kept: Vec<Vec<u8>> = Vec::new();
            for filling in [0xaau8, 0x55] {
                for (what, len) in [("observation", size), ("mask", actions)] {
                    let mut buffer = vec![filling; len + 64];
                    let inner = &mut buffer[32..32 + len];
                    let outcome = match what {
                        "mask" => env.write_mask(player, inner),
                        _ => env.write_observation(player, inner),
                    };
                    rec.claim("V13", outcome.is_ok(), || format!("{what} into a slice is refused"));
                    let around = buffer[..32].iter().chain(&buffer[32 + len..]);
                    rec.claim("V13", around.copied().all(|b| b == filling), || {
                        format!("{what} wrote outside of its buffer")
                    });
                    kept.push(buffer[32..32 + len].to_vec());
                }
            }
            rec.claim("V13", kept[0] == kept[2], || {
                let at = observation_difference(env.info(), &kept[0], &kept[2]).unwrap_or_default();
                format!("player {player}: old bytes of the buffer show: {at}")
            });
            rec.claim("V12", kept[0] == kept[2] && kept[1] == kept[3], || {
                format!("player {player}: old bytes of the buffer show in the observation or mask")
            });
            wrong_lengths(env, player, size, actions, rec);
        }
    });
}

fn wrong_lengths(env: &mut Box<dyn AnyEnv>, player: Player, size: usize, actions: usize, rec: &mut Recorder) {
    for len in [0, 1, size + 1, size.saturating_sub(1), actions + 1] {
        let mut buffer = vec![0xaa; len];
        if len != size {
            let refused =
                matches!(env.write_observation(player, &mut buffer), Err(Error::InvalidArgument { .. }));
            rec.claim("V13", refused, || format!("{len} bytes accepted for an observation of {size}"));
        }
        if len != actions {
            let refused = matches!(env.write_mask(player, &mut buffer), Err(Error::InvalidArgument { .. }));
            rec.claim("V13", refused, || format!("{len} bytes accepted for a mask of {actions}"));
        }
        if len != size && len != actions {
            rec.claim("V13", buffer.iter().all(|&b| b == 0xaa), || "a refused call wrote".into());
        }
    }
}
