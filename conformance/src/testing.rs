//! Helpers for tests of games: configure, load a position, play by texts, look at what a viewer receives.
//!
//! Everything here panics where something fails: in a test that is the finding. Players are numbers, as tests write them.
//!
//! ```
//! use playmat_conformance::testing;
//! use playmat_core::toy::Nim;
//! use serde_json::json;
//!
//! let game = testing::configured::<Nim>(&json!({"players": 2}));
//! let mut env = testing::load(&game, &json!({"stones": 3, "turns": 1}), 5);
//! assert_eq!((testing::decider(&env), testing::legal_texts(&env)), (Some(1), vec!["take 1".into(), "take 2".into()]));
//! testing::play(&mut env, &["take 2"]);
//! assert_eq!(testing::seen(&env, Some(0)), json!({"stones": 1, "turns": 2}));
//! assert_eq!(testing::event_names(&env, None), ["took"]);
//! let problems = testing::refused(&*game.game, &json!({"stones": 6, "turns": 1}));
//! assert!(problems.starts_with("stones: no pile of 1 to"));
//! ```

pub mod contents;
pub mod mutants;
pub mod page;
pub mod rules;

pub use crate::segments::subject;
pub use contents::{changes, findings, refused_changes};
pub use rules::compare_rules;

use playmat_core::agent::{Agent, Greedy, Knowledge, Random};
use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::game::Game;
use playmat_core::prelude::*;
use playmat_core::survey::{Survey, survey};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

fn object(options: &Value) -> &Map<String, Value> {
    options.as_object().expect("options are a JSON object")
}

/// The game with these options, a JSON object.
///
/// # Panics
/// If the options are refused.
#[track_caller]
pub fn configured<G: Show>(options: &Value) -> Arc<ConfiguredGame<G>> {
    Arc::new(ConfiguredGame::new(object(options)).unwrap_or_else(|error| panic!("{error}")))
}

/// The error of refused options.
///
/// # Panics
/// If the options are accepted.
#[track_caller]
pub fn refused_options<G: Show>(options: &Value) -> String {
    match ConfiguredGame::<G>::new(object(options)) {
        Ok(_) => panic!("the options should be refused: {options}"),
        Err(error) => error.to_string(),
    }
}

/// An episode from the complete JSON of a position; `seed` starts the random stream of what follows.
///
/// # Panics
/// If the position is refused.
#[track_caller]
pub fn load<G: Show>(configured: &Arc<ConfiguredGame<G>>, state: &Value, seed: u64) -> Env<G> {
    let document = json!({ "state": state }).to_string();
    playmat_core::save::from_json(configured, &document, seed)
        .unwrap_or_else(|error| panic!("{error}\n{state}"))
}

/// The problems of a refused position, each with its path, one per line.
///
/// # Panics
/// If the position is accepted.
#[track_caller]
pub fn refused<G: Show>(game: &G, state: &Value) -> String {
    match game.restore(state, &mut Rng::from_seed(1)) {
        Ok(_) => panic!("the position should be refused: {state}"),
        Err(found) => found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    }
}

/// Asserts that [`refused`] gave these reasons, each by a part of it, and no others.
///
/// # Panics
/// If a reason is missing, or there are others.
#[track_caller]
pub fn refused_for(found: &str, reasons: &[&str]) {
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines.len(), reasons.len(), "{found}");
    for part in reasons {
        assert!(lines.iter().any(|line| line.contains(part)), "`{part}` is not said:\n{found}");
    }
}

/// Asserts that a position of play is valid and comes back from its complete JSON as it was, without a draw of chance.
///
/// # Panics
/// If it is refused, another one, or chance was drawn.
#[track_caller]
pub fn comes_back<G: Show>(game: &G, state: &G::State) {
    assert_eq!(game.validate(state), []);
    let whole = game.describe(state, None);
    let mut rng = Rng::from_seed(1);
    let back = game.restore(&whole, &mut rng).unwrap_or_else(|found| panic!("{found:?}\n{whole}"));
    assert_eq!((back, rng), (*state, Rng::from_seed(1)), "{whole}");
}

/// The cases of a table that a test writes as text, a line each: without the spaces around it. A line that begins with `|` continues the case
/// before it; empty lines, and lines that begin with `//`, are skipped.
pub fn cases(table: &str) -> Vec<String> {
    let mut cases: Vec<String> = Vec::new();
    for line in table.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")) {
        match cases.last_mut().filter(|_| line.starts_with('|')) {
            Some(case) => *case = format!("{case} {line}"),
            None => cases.push(line.into()),
        }
    }
    cases
}

/// Plays actions by their texts, each by the player that must decide; in a simultaneous turn by the lowest one.
///
/// # Panics
/// If a text is no legal action.
#[track_caller]
pub fn play<G: Show>(env: &mut Env<G>, texts: &[&str]) {
    for text in texts {
        let player = env.current_player().expect("somebody must decide");
        act(env, player.0, text);
    }
}

/// One action of a player by its text.
///
/// # Panics
/// If the text is no legal action of the player.
#[track_caller]
pub fn act<G: Show>(env: &mut Env<G>, player: u8, text: &str) {
    let action = env.parse_action(Some(Player(player)), text).unwrap_or_else(|error| panic!("{error}"));
    let played = env.step_player(Player(player), action.0.into());
    played.unwrap_or_else(|error| panic!("{text}: {error}"));
}

/// Plays actions by their numbers, each by the player that must decide.
///
/// # Panics
/// If an action is illegal.
#[track_caller]
pub fn play_numbers<G: Show>(env: &mut Env<G>, actions: &[i64]) {
    for &action in actions {
        env.step(action).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// The number of the player that must decide, the lowest one in a simultaneous turn; `None` if the episode is over.
pub fn decider<G: Show>(env: &Env<G>) -> Option<u8> {
    env.current_player().map(|player| player.0)
}

/// Numbers of all players that must decide.
pub fn acting<G: Show>(env: &Env<G>) -> Vec<u8> {
    env.acting().iter().map(|player| player.0).collect()
}

/// Legal actions of the player that must decide, as numbers.
///
/// # Panics
/// If the episode is over.
#[track_caller]
pub fn legal<G: Show>(env: &Env<G>) -> Vec<u16> {
    legal_of(env, decider(env).expect("somebody must decide"))
}

/// Legal actions of a player, as numbers.
pub fn legal_of<G: Show>(env: &Env<G>, player: u8) -> Vec<u16> {
    env.legal(Player(player)).iter().map(|action| action.0).collect()
}

/// Legal actions of the player that must decide, as texts in its position.
///
/// # Panics
/// If the episode is over.
#[track_caller]
pub fn legal_texts<G: Show>(env: &Env<G>) -> Vec<String> {
    legal_texts_of(env, decider(env).expect("somebody must decide"))
}

/// Legal actions of a player, as texts in its position.
pub fn legal_texts_of<G: Show>(env: &Env<G>, player: u8) -> Vec<String> {
    let text =
        |action: Action| env.configured().game.action_text(Some((env.state(), Player(player))), action);
    env.legal(Player(player)).iter().map(text).collect()
}

/// The JSON of the state, redacted for a viewer; complete for `None`.
///
/// # Panics
/// If the environment writes none.
#[track_caller]
pub fn seen<G: Show>(env: &Env<G>, viewer: Option<u8>) -> Value {
    let mut document = env.to_json(viewer.map(Player)).unwrap_or_else(|error| panic!("{error}"));
    document["state"].take()
}

/// Names of the game's own events of the last step as a viewer receives them. The engine's `update` is not among them: it stands
/// for changes without an event.
///
/// # Panics
/// If the environment has no events.
#[track_caller]
pub fn event_names<G: Show>(env: &Env<G>, viewer: Option<u8>) -> Vec<String> {
    let events = env.events(viewer.map(Player)).unwrap_or_else(|error| panic!("{error}"));
    let names = events.iter().filter_map(|event| event["event"].as_str());
    names.filter(|name| *name != "update").map(String::from).collect()
}

/// What a player observes in a state.
pub fn observed<G: Game>(game: &G, state: &G::State, player: u8) -> Vec<u8> {
    let mut out = vec![0xaa; game.info().observation.size()];
    game.observe(state, Player(player), &mut out);
    out
}

/// The segment of that name of what a player observes.
///
/// # Panics
/// If no segment has the name.
#[track_caller]
pub fn segment<G: Show>(env: &Env<G>, player: u8, name: &str) -> Vec<u8> {
    let game = &env.configured().game;
    let segment = game.info().observation.segment(name);
    let segment = segment.unwrap_or_else(|| panic!("no segment is called {name}"));
    observed(&**game, env.state(), player)[segment.offset..segment.offset + segment.len()].to_vec()
}

/// Plays random episodes and shows every position before its decision, and the last one.
///
/// # Panics
/// If an episode cannot be played.
pub fn every_position<G: Show>(
    configured: &Arc<ConfiguredGame<G>>,
    seeds: Range<u64>,
    mut visit: impl FnMut(&Env<G>),
) {
    for seed in seeds {
        visit_episode(configured, seed, 0, &mut visit);
    }
}

/// Episodes of the greedy agent as `player` against random ones.
pub fn against_random<G: Show>(configured: &Arc<ConfiguredGame<G>>, player: usize, episodes: u64) -> Survey {
    let mut agents: Vec<&dyn Agent<_>> = vec![&Random; configured.game.info().players];
    agents[player] = &Greedy;
    survey(configured, episodes, 11, &agents)
}

/// Plays an episode in which `greedy` of three choices in a row are greedy (0 to 3) and the others random, shows every position before its
/// decision and the last one, and returns that.
///
/// # Panics
/// If the episode cannot be played.
pub fn visit_episode<G: Show>(
    configured: &Arc<ConfiguredGame<G>>,
    seed: u64,
    greedy: u32,
    mut visit: impl FnMut(&Env<G>),
) -> Env<G> {
    let mut env = Env::new(configured.clone(), seed);
    loop {
        visit(&env);
        let Some(player) = env.current_player() else { return env };
        let is_random = env.decisions() % 3 < 3 - greedy;
        let action = if is_random { env.sample_action(player) } else { env.act(&Greedy, player) };
        let played = action.and_then(|action| env.step_player(player, action.0.into()));
        played.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}

/// The greedy agent's decision, which a slow twin of the agent must make too, with as many random numbers, and so must the agent in the
/// instructions of this machine. The random stream is then where they left it.
///
/// # Panics
/// If they differ.
#[track_caller]
pub fn greedy_as<G: Show>(
    game: &G,
    state: &G::State,
    player: Player,
    rng: &mut Rng,
    twin: impl FnOnce(&G::State, Player, &mut Rng) -> Action,
) -> Action {
    let (mut slow, mut of_machine) = (*rng, *rng);
    let chosen = game.greedy(state, player, rng);
    assert_eq!((twin(state, player, &mut slow), slow), (chosen, *rng), "{state:?}");
    let legal = game.legal(state, player);
    let known = Knowledge::new(game, state, player, &legal);
    assert_eq!((known.greedy(&mut of_machine), of_machine), (chosen, *rng), "{state:?}");
    chosen
}

/// Compares the greedy agent with a slow twin ([`greedy_as`]) in decisions of play in which every third choice is random. Shows each state with
/// the player who decided, and whether the agent drew.
///
/// # Panics
/// If they differ.
#[track_caller]
pub fn greedy_in_play<G: Show>(
    game: &G,
    seed: u64,
    decisions: u32,
    mut twin: impl FnMut(&G::State, Player, &mut Rng) -> Action,
    mut show: impl FnMut(&G::State, Player, bool),
) {
    let mut rng = Rng::from_seed(seed);
    let mut state = game.deal(&mut rng, &mut Silent);
    for _ in 0..decisions {
        let Some(player) = game.acting(&state).first() else {
            state = game.deal(&mut rng, &mut Silent);
            continue;
        };
        let before = rng;
        let chosen = greedy_as(game, &state, player, &mut rng, &mut twin);
        show(&state, player, rng != before);
        let is_random = rng.below(3) == 0;
        let action = if is_random { rng.pick(&game.legal(&state, player)) } else { chosen };
        game.apply(&mut state, player, action, &mut rng, &mut Silent);
    }
}

/// Counts by id from a text: `ARC HER*3`.
///
/// # Panics
/// If a count is no number.
#[track_caller]
pub fn counts(text: &str) -> Value {
    let mut map = Map::new();
    for word in text.split_whitespace() {
        let (id, count) = word.split_once('*').unwrap_or((word, "1"));
        let count: i64 = count.parse().unwrap_or_else(|_| panic!("`{word}` has no count"));
        map.insert(id.into(), count.into());
    }
    map.into()
}

/// Pearson's chi-squared statistic of counts against the expected share of each.
pub fn chi_square<K: Ord>(counts: &BTreeMap<K, u32>, expected: &BTreeMap<K, f64>) -> f64 {
    let total = f64::from(counts.values().sum::<u32>());
    expected
        .iter()
        .map(|(key, share)| {
            let (seen, mean) = (f64::from(counts.get(key).copied().unwrap_or(0)), share * total);
            (seen - mean).powi(2) / mean
        })
        .sum()
}
