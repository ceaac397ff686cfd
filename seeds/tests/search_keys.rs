//! The keys of the nodes of searches: different inputs of the hash have different keys. Also counts how many information states share a node.
//!
//! `SEARCH_NODES=3000 cargo test --release --workspace --exclude 'playmat-python*' --test search_keys -- --nocapture` prints the table of
//! `docs/agents.md`.

#![allow(clippy::unwrap_used, reason = "a test may stop anywhere")]
#![allow(clippy::print_stdout, reason = "it prints a table")]

use playmat_core::any::{AnyEnv, AnyGame};
use playmat_core::player::Player;
use playmat_core::rng::{Rng, derive};
use std::collections::{BTreeMap, BTreeSet};

/// Nodes of a game without `SEARCH_NODES`.
const NODES: usize = 1_000;
/// Simulations of a search.
const SIMULATIONS: u64 = 200;
/// Factor of the bonus for actions that were rarely tried.
const EXPLORATION: f64 = 1.5;

/// What a node's key is a hash of: the player, its legal actions, its observation.
type Content = (u8, Vec<u16>, Vec<u8>);

/// What is known about the key of a node.
struct Node {
    content: Content,
    /// By action: simulations that chose it, sum of their returns.
    tried: BTreeMap<u16, (f64, f64)>,
    /// Keys of the information states of its player in which simulations came here.
    states: BTreeSet<u128>,
}

#[derive(Default)]
struct Found {
    searches: u64,
    nodes: usize,
    /// Information states in all of the nodes, and in those that have several.
    states: usize,
    merging: usize,
    merged: usize,
    /// By key, over all searches.
    contents: BTreeMap<u64, Content>,
}

fn content(env: &dyn AnyEnv, player: Player) -> Content {
    let mut observation = vec![0; env.info().observation.size()];
    env.write_observation(player, &mut observation).unwrap();
    (player.0, env.legal_actions(player).unwrap(), observation)
}

/// The action that is tried next: each once, then by the upper bounds of their returns.
fn select(node: &Node, (lowest, highest): (f64, f64), rng: &mut Rng) -> u16 {
    let legal = &node.content.1;
    let untried: Vec<u16> = legal.iter().copied().filter(|action| !node.tried.contains_key(action)).collect();
    if !untried.is_empty() {
        return untried[rng.below(untried.len() as u32) as usize];
    }
    let all: f64 = node.tried.values().map(|(visits, _)| visits).sum();
    let bound = |(visits, sum): (f64, f64)| {
        let mean = (sum / visits - lowest) / (highest - lowest).max(1e-9);
        mean + EXPLORATION * (all.ln() / visits).sqrt()
    };
    *node.tried.iter().max_by(|a, b| bound(*a.1).total_cmp(&bound(*b.1))).unwrap().0
}

/// A search of the player who acts in a position, as the engine's: determinizations, a tree of what players know, a random end. It is written
/// again over environments, because only their positions have the information states. Those of other players than the one who searches
/// begin where the search does.
fn search(root: &dyn AnyEnv, seed: u64, found: &mut Found) {
    let Some(player) = root.acting().first() else { return };
    let mut rng = Rng::from_seed(seed);
    let mut tree: BTreeMap<u64, Node> = BTreeMap::new();
    let mut nodes: BTreeMap<u128, u64> = BTreeMap::new();
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    for number in 0..SIMULATIONS {
        let mut env = root.sample_hidden(player, derive(seed, number)).unwrap();
        let mut path = Vec::new();
        while let Some(player) = env.acting().first() {
            let legal = env.legal_actions(player).unwrap();
            let mut action = legal[rng.below(legal.len() as u32) as usize];
            if legal.len() > 1 {
                let (key, content) = (env.search_key(player).unwrap(), content(&*env, player));
                let state = env.information_state_key(player).unwrap();
                let added = !tree.contains_key(&key);
                let node = tree.entry(key).or_insert_with(|| Node {
                    content: content.clone(),
                    tried: BTreeMap::new(),
                    states: BTreeSet::new(),
                });
                assert_eq!(node.content, content, "two nodes have the key {key:016x}");
                node.states.insert(state);
                // What a player knows decides what it sees and may do.
                assert_eq!(*nodes.entry(state).or_insert(key), key, "an information state has two nodes");
                action = select(node, (lowest, highest), &mut rng);
                path.push((key, player, action));
                if added {
                    env.step_player(player, action.into()).unwrap();
                    break;
                }
            }
            env.step_player(player, action.into()).unwrap();
        }
        while let Some(player) = env.acting().first() {
            let action = env.sample_action(player).unwrap();
            env.step_player(player, action.0.into()).unwrap();
        }
        let returns = env.returns();
        for (key, player, action) in path {
            let value = f64::from(returns[player.index()]);
            (lowest, highest) = (lowest.min(value), highest.max(value));
            let tried = tree.get_mut(&key).unwrap().tried.entry(action).or_insert((0.0, 0.0));
            *tried = (tried.0 + 1.0, tried.1 + value);
        }
    }
    found.searches += 1;
    found.nodes += tree.len();
    for (key, node) in tree {
        found.states += node.states.len();
        if node.states.len() > 1 {
            found.merging += 1;
            found.merged += node.states.len();
        }
        let content = found.contents.entry(key).or_insert_with(|| node.content.clone());
        assert_eq!(*content, node.content, "two nodes have the key {key:016x}");
    }
}

/// Searches decisions of episodes of random play until they have `nodes` nodes.
fn searched(game: &dyn AnyGame, nodes: usize) -> Found {
    let mut found = Found::default();
    for seed in 0.. {
        let (mut env, mut rng) = (game.env(seed), Rng::from_seed(seed));
        while let Some(player) = env.acting().first() {
            if found.nodes >= nodes {
                return found;
            }
            // In long episodes not every decision.
            if rng.below(4) == 0 {
                search(&*env, derive(seed, env.history().len() as u64), &mut found);
            }
            let action = env.sample_action(player).unwrap();
            env.step_player(player, action.0.into()).unwrap();
        }
    }
    found
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test reads it, the engine does not")]
fn keys_tell_nodes_apart_and_information_states_share_them() {
    let given = std::env::var("SEARCH_NODES").ok();
    let nodes = given.map_or(NODES, |given| given.parse().expect("a number of nodes"));
    println!(
        "| game | searches | nodes | information states | nodes with several states | share of the states in them |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    for entry in playmat_seeds::GAMES {
        let game = playmat_seeds::make(entry.id, &Default::default()).unwrap();
        let found = searched(&*game, nodes);
        let Found { searches, nodes: all, states, merging, merged, contents } = &found;
        let share = 100.0 * *merged as f64 / *states as f64;
        println!("| {} | {searches} | {all} | {states} | {merging} | {share:.1}% |", entry.id);
        assert!(*all >= nodes && *states >= *all && contents.len() > 5, "{}", entry.id);
        // Nor has what a key is a hash of two keys.
        assert_eq!(contents.values().collect::<BTreeSet<_>>().len(), contents.len(), "{}", entry.id);
    }
}
