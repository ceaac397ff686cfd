//! Sampling of hidden information (H2 to H7; H1 is checked with V7, and `twins` has more of H6).

use super::difference::json_difference;
use super::fixture::{Fixture, Position, guarded};
use super::report::Recorder;
use super::stats;
use playmat_core::any::AnyLeafSearch;
use playmat_core::error::Result;
use playmat_core::game::Status;
use playmat_core::player::Player;
use playmat_core::rng::{Rng, derive};
use playmat_core::search::Leaves;
use playmat_core::tested::{AgentKind, SIMULATIONS, State, TestedGame};
use playmat_core::vec::Rows;
use serde_json::Value;
use std::collections::BTreeMap;

/// Runs these checks.
pub(crate) fn run(fixture: &Fixture<'_>, rec: &mut Recorder) {
    for (id, check) in [
        ("H2", h2_h6_samples_are_sound as fn(&Fixture<'_>, &mut Recorder)),
        ("H3", h3_past_choices_fit),
        ("H4", h4_distribution_at_the_deal),
        ("H4", h4_enumeration),
        ("H5", h5_varies_iff_hidden),
        ("H7", h7_samples_are_played_out),
    ] {
        if fixture.wants(id) || (id == "H2" && fixture.wants("H6")) {
            guarded(id, rec, |rec| check(fixture, rec));
        }
    }
}

fn h2_h6_samples_are_sound(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let game = fixture.game;
    for position in fixture.positions("H2", 8 * fixture.config.positions) {
        rec.at(&position.trace());
        for player in fixture.each_player() {
            rec.saw("H2", 1, 1, 0);
            rec.saw("H6", 1, 1, 0);
            let mut draws = Rng::from_seed(derive(position.played.seed, position.index as u64));
            let sample = game.sample_hidden(position.state(), player, &mut draws);
            if let Some(problem) = game.validate(&sample).first() {
                rec.fail("H2", format!("a sample for player {player} is invalid: {problem}"));
            }
            let kept = game.scores(&sample) == game.scores(position.state())
                && game.status(&sample) == game.status(position.state());
            rec.claim("H2", kept, || format!("a sample for player {player} has other scores or status"));
            // The player cannot distinguish the sample from the true state: samples from both with equal draws must be equal.
            let again = Rng::from_seed(derive(position.index as u64, u64::from(player.0)));
            let from_truth = game.sample_hidden(position.state(), player, &mut again.clone());
            let from_sample = game.sample_hidden(&sample, player, &mut again.clone());
            if from_truth != from_sample {
                let (a, b) = (game.describe(&from_truth, None), game.describe(&from_sample, None));
                let at = json_difference(&a, &b).unwrap_or_else(|| "outside the JSON".into());
                rec.fail(
                    "H6",
                    format!(
                        "the sample for player {player} depends on information hidden from the player: {at}"
                    ),
                );
            }
        }
    }
}

fn h3_past_choices_fit(fixture: &Fixture<'_>, rec: &mut Recorder) {
    if !fixture.info().hidden {
        return rec.not_applicable("H3", "nothing is hidden");
    }
    let Some(consistent) = &fixture.hooks.consistent else {
        return fixture.missing("H3", "consistent", "do past choices fit a sample", rec);
    };
    for position in fixture.decisions("H3", 8 * fixture.config.positions) {
        rec.at(&position.trace());
        for player in fixture.each_player() {
            rec.saw("H3", 1, 1, 0);
            let mut draws = Rng::from_seed(derive(position.played.seed, position.index as u64));
            let sample = fixture.game.sample_hidden(position.state(), player, &mut draws);
            if let Err(message) = consistent(position.state(), player, &sample) {
                rec.fail("H3", format!("player {player}: {message}"));
            }
        }
    }
}

/// Every leaf of a JSON value with its path.
fn leaves(value: &Value, path: &mut String, out: &mut Vec<(String, String)>) {
    let length = path.len();
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                path.push('.');
                path.push_str(key);
                leaves(inner, path, out);
                path.truncate(length);
            }
        }
        Value::Array(items) => {
            out.push((format!("{path}.len"), items.len().to_string()));
            for (index, inner) in items.iter().enumerate() {
                path.push_str(&format!("[{index}]"));
                leaves(inner, path, out);
                path.truncate(length);
            }
        }
        _ => out.push((path.clone(), value.to_string())),
    }
}

/// Dealing and then sampling what is hidden must have the same distribution as dealing alone: before the first decision there is no
/// information that the sampler could get wrong. Compared leaf by leaf of the complete JSON. In a simultaneous turn the players before the
/// viewer have chosen in every sample, so they choose at random after the deal.
fn h4_distribution_at_the_deal(fixture: &Fixture<'_>, rec: &mut Recorder) {
    if !fixture.info().hidden {
        return rec.not_applicable("H4", "nothing is hidden");
    }
    if let Some(reason) = fixture.hooks.other_deal {
        rec.note("H4", format!("samples at the deal are not compared with deals: {reason}"));
        if fixture.hooks.determinizations.is_none() {
            fixture.missing(
                "H4",
                "determinizations",
                "all states that a player considers possible in a small position",
                rec,
            );
        }
        return;
    }
    let game = fixture.game;
    let n = fixture.config.samples;
    for player in fixture.each_player().take(2) {
        let mut draws = Rng::from_seed(derive(fixture.config.seed, 0x4834));
        let mut counts: BTreeMap<String, BTreeMap<String, (u64, u64)>> = BTreeMap::new();
        let mut anything_hidden = false;
        for number in 0..n {
            if number % 64 == 0 && !fixture.config.keep_going.check() {
                return;
            }
            rec.saw("H4", 1, 1, 0);
            let mut rng = Rng::from_seed(derive(0x4834, number as u64));
            let mut dealt = game.deal(&mut rng);
            players_before_choose(game, &mut dealt, player, &mut rng);
            let sampled = game.sample_hidden(&dealt, player, &mut draws);
            anything_hidden |= dealt != sampled;
            if number > 50 && !anything_hidden {
                break;
            }
            for (which, state) in [(0, &dealt), (1, &sampled)] {
                let mut found = Vec::new();
                leaves(&game.describe(state, None), &mut String::new(), &mut found);
                for (path, value) in found {
                    let count = counts.entry(path).or_default().entry(value).or_insert((0, 0));
                    if which == 0 {
                        count.0 += 1;
                    } else {
                        count.1 += 1;
                    }
                }
            }
        }
        for (path, values) in counts {
            let (a, b): (Vec<u64>, Vec<u64>) = values.values().copied().unzip();
            if let Err((chi, limit)) = stats::same_distribution(&a, &b) {
                let worst = values.iter().max_by_key(|(_, (x, y))| x.abs_diff(*y));
                rec.fail(
                    "H4",
                    format!(
                        "sampled for player {player}, {path} is distributed differently from deals (chi-square {chi:.1}, limit \
                         {limit:.1}); most for {worst:?} (dealt, sampled); if it has to be, the hook `other_deal` says why"
                    ),
                );
            }
        }
    }
}

/// In a simultaneous turn: the players that have chosen in the true state choose at random in the sample too, so that a step leads equally
/// far in both.
pub(super) fn choose_as_in_truth(game: &dyn TestedGame, sample: &mut State, truth: &State, rng: &mut Rng) {
    let must_act = game.acting(truth);
    for player in game.acting(sample).iter().filter(|&player| !must_act.contains(player)) {
        while game.acting(sample).contains(player) && game.acting(sample).len() > 1 {
            let action = game.legal(sample, player).pick(rng);
            game.apply(sample, player, action, &mut rng.clone());
        }
    }
}

/// In a simultaneous turn: the players before `viewer` choose at random, as in every sample for it.
pub(super) fn players_before_choose(game: &dyn TestedGame, state: &mut State, viewer: Player, rng: &mut Rng) {
    while let Some(player) = game.acting(state).first().filter(|&player| player < viewer)
        && game.acting(state).contains(viewer)
    {
        let action = game.legal(state, player).pick(rng);
        game.apply(state, player, action, &mut rng.clone());
    }
}

/// If the game lists all possible states: exactly these are sampled, with the declared probabilities.
fn h4_enumeration(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let Some(determinizations) = &fixture.hooks.determinizations else {
        let why =
            fixture.hooks.why_none("determinizations").unwrap_or("the hook `determinizations` is not given");
        return rec.note("H4", format!("positions are not enumerated: {why}"));
    };
    let (game, mut looked) = (fixture.game, 0);
    for position in fixture.decisions("H4", 20 * fixture.config.positions) {
        for player in fixture.each_player() {
            let Some(list) = determinizations(position.state(), player).filter(|list| list.len() > 1) else {
                continue;
            };
            if looked >= 12 {
                return;
            }
            looked += 1;
            rec.at(&position.trace());
            let draws = fixture.config.samples.max(20 * list.len()) as u64;
            let mut counts = vec![0u64; list.len()];
            let mut rng = Rng::from_seed(derive(position.played.seed, position.index as u64));
            for _ in 0..draws {
                rec.saw("H4", 1, 1, 0);
                let sample = game.sample_hidden(position.state(), player, &mut rng);
                match list.iter().position(|(known, _)| *known == sample) {
                    Some(at) => counts[at] += 1,
                    None => {
                        rec.fail(
                            "H4",
                            format!("a sample for player {player} is not among the possible states"),
                        );
                        break;
                    }
                }
            }
            let declared: Vec<f64> = list.iter().map(|(_, p)| *p).collect();
            if let Err((chi, limit)) = stats::fits(&counts, &declared) {
                rec.fail(
                    "H4",
                    format!(
                        "player {player}: chi-square {chi:.1}, limit {limit:.1}: {counts:?}, {declared:?}"
                    ),
                );
            }
        }
    }
    // With many players there may be too many possible states to list.
    let must = fixture.players() == fixture.info().player_range.0;
    rec.claim("H4", looked > 0 || !must, || "the hook `determinizations` listed no position".into());
    rec.note("H4", format!("{looked} views with all their possible states"));
}

fn h5_varies_iff_hidden(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let game = fixture.game;
    let mut varied = vec![false; fixture.players()];
    for position in fixture.positions("H5", 12 * fixture.config.positions) {
        rec.at(&position.trace());
        for player in fixture.each_player() {
            rec.saw("H5", 1, 1, 0);
            let mut draws = Rng::from_seed(derive(position.played.seed, position.index as u64));
            let changed =
                (0..3).any(|_| game.sample_hidden(position.state(), player, &mut draws) != *position.state());
            varied[player.index()] |= changed || varies_after_others(fixture, &position, player);
            // If a player sees the complete state, its only sample is that state. Except in a simultaneous turn: no view shows who has
            // chosen, and a sample decides it by its own rule.
            let alone = game.acting(position.state()).iter().all(|other| other == player);
            let shown =
                game.describe(position.state(), Some(player)) == game.describe(position.state(), None);
            rec.claim("H5", !(changed && alone && shown), || {
                format!("player {player} is shown the complete state, and its sample differs")
            });
            rec.claim("H5", fixture.info().hidden || !changed, || {
                format!("no information is declared hidden, but the sample for player {player} differs")
            });
        }
    }
    if fixture.info().hidden && fixture.players() > 1 {
        for (player, &changed) in varied.iter().enumerate() {
            rec.claim("H5", changed, || {
                format!("hidden information is declared, but samples for player {player} always equal the true state")
            });
        }
    }
}

/// The same after another player of a simultaneous turn has chosen first, which the order of the turn view may not reveal.
fn varies_after_others(fixture: &Fixture<'_>, position: &Position<'_>, player: Player) -> bool {
    let game = fixture.game;
    let acting = game.acting(position.state());
    acting.contains(player)
        && acting.iter().filter(|&other| other != player).any(|other| {
            let mut draws = Rng::from_seed(derive(
                position.played.seed,
                position.index as u64 ^ u64::from(other.0) << 32,
            ));
            let (mut state, mut rng) = (position.state().clone(), position.rng());
            let action = game.legal(&state, other).pick(&mut draws);
            game.apply(&mut state, other, action, &mut rng);
            (0..3).any(|_| game.sample_hidden(&state, player, &mut draws) != state)
        })
}

fn h7_samples_are_played_out(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let (game, decision_limit) = (fixture.game, fixture.decision_limit());
    for position in fixture.decisions("H7", fixture.config.positions / 2) {
        rec.at(&position.trace());
        for player in fixture.each_player() {
            for agent in [AgentKind::Random, AgentKind::Greedy].map(|kind| game.agent(kind)) {
                let mut draws = Rng::from_seed(derive(position.played.seed, position.index as u64));
                let mut state = game.sample_hidden(position.state(), player, &mut draws);
                let mut rng = draws;
                let mut decisions = 0;
                while let Some(actor) = game.acting(&state).first() {
                    let legal = game.legal(&state, actor);
                    if legal.is_empty() || decisions > decision_limit {
                        rec.fail("H7", format!("a sample for player {player} cannot be played to the end"));
                        break;
                    }
                    let action = agent.choose(&state, actor, &mut draws);
                    if !legal.contains(action) {
                        rec.fail(
                            "H7",
                            format!("`{}` chose illegal action {action} in a sample", agent.name()),
                        );
                        break;
                    }
                    game.apply(&mut state, actor, action, &mut rng);
                    decisions += 1;
                }
                rec.saw("H7", 1, 1, decisions);
                rec.claim("H7", game.status(&state) != Status::Running, || {
                    "the episode is still running after it was played out".into()
                });
                if let Some(problem) = game.validate(&state).first() {
                    rec.fail(
                        "H7",
                        format!("a sample for player {player} ends in an invalid state: {problem}"),
                    );
                }
            }
        }
    }
    agents_know_nothing_hidden(fixture, rec);
}

/// What a search whose network stands outside hands out, and the mean return of each action and its visits: the network's numbers follow from
/// what it is shown.
fn fed(search: &mut dyn AnyLeafSearch) -> Result<(Vec<u8>, Vec<f32>, Vec<i32>)> {
    let sizes = search.sizes();
    let rows = sizes.leaves * sizes.leaf_rows;
    let (mut seen, mut obs) = (Vec::new(), vec![0; rows * sizes.observation]);
    let mut greedy = vec![0; rows];
    loop {
        let obs_rows = Rows::U8(&mut obs);
        let leaves = &mut Leaves { rows, obs: obs_rows, greedy: &mut greedy, ..Leaves::default() };
        let count = search.collect(leaves)?;
        if count == 0 {
            let (mut returns, mut visits) = (vec![0.0; sizes.actions], vec![0; sizes.actions]);
            search.mean_returns(&mut returns)?;
            search.visits(&mut visits)?;
            return Ok((seen, returns, visits));
        }
        let obs = &obs[..count * sizes.observation];
        seen.extend_from_slice(obs);
        seen.extend(greedy[..count].iter().flat_map(|action| action.to_ne_bytes()));
        let mut draws = Rng::from_seed(playmat_core::info::fnv1a(obs));
        let mut number = || draws.next_u32() as f32 / 4_294_967_296.0;
        let logits: Vec<f32> = (0..count * sizes.actions).map(|_| number()).collect();
        let values: Vec<f32> = (0..count).map(|_| number()).collect();
        search.feed(&logits, &values)?;
    }
}

/// An agent knows only what its player may know: in states that the player cannot distinguish it chooses equally. Everything fails once at most, so
/// that the failures that the report keeps tell which agents do. Networks come first.
fn agents_know_nothing_hidden(fixture: &Fixture<'_>, rec: &mut Recorder) {
    let game = fixture.game;
    // Agents that play a file know what it is evaluated on; these have no file.
    let own = [
        AgentKind::Network,
        AgentKind::Random,
        AgentKind::Greedy,
        AgentKind::NetworkWithGreedy,
        AgentKind::SearchWithValue,
        AgentKind::SearchWithPolicy,
        AgentKind::SearchWithGreedy,
        AgentKind::Search,
    ]
    .map(|kind| game.agent(kind));
    let mut failed: Vec<&str> = Vec::new();
    for (at, position) in fixture.decisions("H7", 8 * fixture.config.positions).enumerate() {
        // A search plays several episodes for a choice.
        let agents = if at % 8 == 0 { &own[..] } else { &own[..3] };
        let acting: Vec<Player> = game.acting(position.state()).iter().collect();
        rec.at(&position.trace());
        for player in acting {
            let mut draws = Rng::from_seed(derive(position.played.seed, position.index as u64));
            let sampled = game.sample_hidden(position.state(), player, &mut draws);
            if !game.acting(&sampled).contains(player) {
                continue;
            }
            if at % 8 == 0 {
                let legal = game.legal(position.state(), player);
                let states = [position.state(), &sampled];
                let simulations = "simulations";
                // A single action is not searched.
                if !failed.contains(&simulations) && legal.len() > 1 {
                    let [a, b] = states.map(|state| game.search(state, player));
                    let visits: u32 = a.iter().map(|candidate| candidate.visits).sum();
                    if visits != SIMULATIONS {
                        failed.push(simulations);
                        let message =
                            format!("{visits} of {SIMULATIONS} simulations try an action of player {player}");
                        rec.fail("H7", message);
                    } else if a != b {
                        failed.push(simulations);
                        let message = "finds other returns depending on information hidden from it";
                        rec.fail("H7", format!("a search as player {player} {message}"));
                    }
                }
                let found = |state| game.leaf_search(state, player).and_then(|mut search| fed(&mut *search));
                let [a, b] = states.map(found);
                let leaves = "the leaves of a search";
                if !failed.contains(&leaves) && (a.is_err() || a != b) {
                    failed.push(leaves);
                    let message = format!("{leaves} as player {player} depend on information hidden from it");
                    rec.fail("H7", message);
                }
            }
            for agent in agents {
                let name = agent.name();
                if failed.contains(&name) {
                    continue;
                }
                let choose = |state| agent.choose(state, player, &mut Rng::from_seed(7));
                let (a, b) = (choose(position.state()), choose(&sampled));
                if a != b {
                    failed.push(name);
                    let how = "depending on information hidden from it";
                    rec.fail("H7", format!("`{name}` as player {player} chooses {a} or {b}, {how}"));
                }
            }
        }
    }
}
