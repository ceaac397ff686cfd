//! A search of your own with the public interface of the engine: an agent for every game. It repeats three comparisons of `docs/`.
//!
//! ```text
//! cargo run --release -p playmat-seeds --example search_rules -- regret GAME EPISODES SIMULATIONS [greedy]
//! cargo run --release -p playmat-seeds --example search_rules -- recall GAME EPISODES SIMULATIONS [greedy]
//! cargo run --release -p playmat-seeds --example search_rules -- exploit GAME SEARCHES SIMULATIONS [greedy]
//! ```
//!
//! `regret` plays other rules of selection against PUCT, `recall` nodes that information states share against one node for each information
//! state. With `greedy` the greedy agent plays simulations to their end instead of random choices. Matches have two players, and each agent is
//! each player in half of the episodes. What is printed is the share of episodes that an agent won, a draw counting half, with its 95% interval.
//!
//! `exploit` computes the exact exploitability of the policies that draw, in goofspiel with four cards, Kuhn poker and Leduc poker, in outcomes
//! from -1 to 1. The policy in an information state is the mean of what so many searches there give: the limit of many is that of the agent,
//! which searches anew in each episode.
//!
//! The search is the engine's, without what makes that one fast: it begins each decision with an empty tree, and all actions have the same prior.

use playmat_core::agent::{Agent, AnyAgent, Knowledge, Memory};
use playmat_core::any::AnyGame;
use playmat_core::bits::LegalSet;
use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::error::{Error, Result};
use playmat_core::exploit::{Exploitability, Policy, Table, exploitability};
use playmat_core::game::Game;
use playmat_core::info::RewardKind;
use playmat_core::log::Silent;
use playmat_core::player::{Action, MAX_PLAYERS, Player, Players};
use playmat_core::reward;
use playmat_core::rng::Rng;
use playmat_core::show::Show;
use playmat_core::survey::Spread;
use playmat_seeds::classics::{ConnectFour, Goofspiel, KuhnPoker, LeducPoker};
use playmat_seeds::graft::Graft;
use playmat_seeds::graven::Graven;
use playmat_seeds::rafts::Rafts;
use serde_json::{Map, json};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::process::ExitCode;
use std::sync::Arc;

/// Factor of PUCT's bonus, the engine's default.
const EXPLORATION: f64 = 1.5;

/// How a node selects the action of a simulation.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// The largest mean value plus a bonus, which is large for actions that were rarely tried.
    Puct,
    /// Draws an action in proportion to its positive regret, or with this probability any action.
    Regret(f64),
}

/// The agent.
#[derive(Clone, Debug)]
struct OwnSearch {
    name: String,
    rule: Rule,
    simulations: u32,
    /// Whether the choice is drawn by visits (PUCT) or from the mean strategy (regret matching). Otherwise it is the likeliest one.
    draws: bool,
    /// Whether a node also holds what its player saw and chose earlier, since the root.
    recall: bool,
    /// Whether the greedy agent plays simulations to their end.
    greedy: bool,
}

/// A legal action at a node.
struct Edge {
    action: Action,
    visits: f64,
    /// Sum of the values of the simulations that chose it.
    sum: f64,
    /// Estimated sum of what this action would have gained in all simulations over the actions that they chose.
    regret: f64,
    /// Sum of the probabilities that the strategy gave it.
    strategy: f64,
}

/// What one player knows at a decision.
struct Node(Vec<Edge>);

/// A decision of a simulation: the place of the action among the edges, and the probability with which it was drawn.
struct Choice {
    player: Player,
    node: usize,
    edge: usize,
    probability: f64,
}

/// A place, drawn with a probability in proportion to its weight.
fn draw(weights: &[f64], rng: &mut Rng) -> usize {
    let mut left = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 * weights.iter().sum::<f64>();
    let place = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    // Rounding can leave a small rest.
    place.unwrap_or(weights.len() - 1)
}

/// The place of the largest number, drawn among equal ones.
fn largest(values: impl Iterator<Item = f64>, rng: &mut Rng) -> usize {
    let (mut best, mut most, mut equal) = (0, f64::NEG_INFINITY, 0);
    for (place, value) in values.enumerate() {
        equal = if value > most { 1 } else { equal + u32::from(value == most) };
        if value > most || (value == most && rng.below(equal) == 0) {
            (best, most) = (place, value);
        }
    }
    best
}

impl Node {
    fn new(legal: &impl LegalSet) -> Node {
        let edge = |action| Edge { action, visits: 0.0, sum: 0.0, regret: 0.0, strategy: 0.0 };
        Node(legal.iter().map(edge).collect())
    }

    /// The place and the probability of the action that a simulation chooses.
    fn select(&mut self, rule: Rule, rng: &mut Rng) -> (usize, f64) {
        let actions = self.0.len() as f64;
        match rule {
            Rule::Puct => {
                let visits: f64 = self.0.iter().map(|edge| edge.visits).sum();
                let mean = self.0.iter().map(|edge| edge.sum).sum::<f64>() / visits.max(1.0);
                let bonus = EXPLORATION * visits.sqrt() / actions;
                let value = |edge: &Edge| {
                    // An action that was not tried has the mean of the node.
                    let mean = if edge.visits == 0.0 { mean } else { edge.sum / edge.visits };
                    mean + bonus / (1.0 + edge.visits)
                };
                (largest(self.0.iter().map(value), rng), 1.0)
            }
            Rule::Regret(exploration) => {
                let positive: f64 = self.0.iter().map(|edge| edge.regret.max(0.0)).sum();
                let mut probabilities = Vec::new();
                for edge in &mut self.0 {
                    let share = if positive > 0.0 { edge.regret.max(0.0) / positive } else { 1.0 / actions };
                    edge.strategy += share;
                    probabilities.push((1.0 - exploration) * share + exploration / actions);
                }
                let place = draw(&probabilities, rng);
                (place, probabilities[place])
            }
        }
    }

    /// Adds the value of a simulation that chose the action at a place.
    fn back_up(&mut self, place: usize, probability: f64, value: f64) {
        for edge in &mut self.0 {
            edge.regret -= value;
        }
        let edge = &mut self.0[place];
        edge.visits += 1.0;
        edge.sum += value;
        // The value of the chosen action counts as often as the action is chosen rarely, that of every other one as 0: right in the mean.
        edge.regret += value / probability;
    }
}

/// The tree of one decision.
#[derive(Default)]
struct Tree {
    nodes: Vec<Node>,
    /// The number of each node, by what its player knows.
    numbers: BTreeMap<Vec<u8>, usize>,
    /// The node of the player who searches.
    root: usize,
    /// What each player knows in the simulation under way.
    known: [Vec<u8>; MAX_PLAYERS],
}

impl Tree {
    /// Plays one determinization to its end and adds its values to the nodes on its way.
    fn simulate<G: Game>(&mut self, search: &OwnSearch, known: &Knowledge<'_, G>, rng: &mut Rng) {
        let (game, searcher) = (known.game(), known.player());
        let mut state = known.sample_hidden(rng);
        // In the sample players before this one have chosen at random. In the tree they choose at their own nodes.
        for player in Player::all(searcher.index()) {
            game.take_back_choice(&mut state, player);
        }
        self.known.iter_mut().for_each(Vec::clear);
        let mut path = Vec::new();
        let (mut in_tree, mut past_root) = (true, false);
        // The players who decide at once with the one whose node is new: theirs are added too.
        let mut together: Option<Players> = None;
        loop {
            let acting = game.acting(&state);
            let Some(player) = acting.first() else { break };
            in_tree &= !past_root || together.is_none_or(|others| acting.0 & !others.0 == 0);
            let legal = game.legal(&state, player);
            let action = if in_tree {
                self.look(game, &state, player, &legal, search.recall);
                let action = if legal.len() == 1 {
                    legal.select(0)
                } else {
                    let (node, is_new) = self.node(player, &legal);
                    if is_new {
                        together = Some(acting);
                    }
                    if player == searcher && !past_root {
                        self.root = node;
                    }
                    let (edge, probability) = self.nodes[node].select(search.rule, rng);
                    path.push(Choice { player, node, edge, probability });
                    self.nodes[node].0[edge].action
                };
                if let Some(others) = &mut together {
                    others.remove(player);
                }
                past_root |= player == searcher;
                self.known[player.index()].extend(action.0.to_le_bytes());
                action
            } else if search.greedy {
                game.greedy(&state, player, rng)
            } else {
                rng.pick(&legal)
            };
            game.apply(&mut state, player, action, rng, &mut Silent);
        }
        let returns = reward::up_to(game, RewardKind::Outcome, &state, game.status(&state));
        for Choice { player, node, edge, probability } in path {
            // A victory is 1, a draw 1/2, a defeat 0.
            let value = 0.5 + 0.5 * f64::from(returns[player.index()]);
            self.nodes[node].back_up(edge, probability, value);
        }
    }

    /// The node of what a player knows, and whether it was added now.
    fn node(&mut self, player: Player, legal: &impl LegalSet) -> (usize, bool) {
        let known = &self.known[player.index()];
        if let Some(&node) = self.numbers.get(known) {
            return (node, false);
        }
        self.numbers.insert(known.clone(), self.nodes.len());
        self.nodes.push(Node::new(legal));
        (self.nodes.len() - 1, true)
    }

    /// Writes down what a player knows: itself, its legal actions, its observation; with perfect recall after what it knew before.
    fn look<G: Game>(&mut self, game: &G, state: &G::State, player: Player, legal: &G::Legal, recall: bool) {
        let info = game.info();
        let known = &mut self.known[player.index()];
        if !recall {
            known.clear();
        }
        known.push(player.0);
        let mask = known.len();
        known.resize(mask + info.num_actions + info.observation.size(), 0);
        let (mask, observation) = known[mask..].split_at_mut(info.num_actions);
        legal.expand(mask);
        game.observe(state, player, observation);
    }
}

impl<G: Game> Agent<G> for OwnSearch {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&self, known: &Knowledge<'_, G>, _: &mut Memory<'_>, rng: &mut Rng) -> Action {
        if known.legal().len() == 1 {
            return known.legal().select(0);
        }
        let (actions, weights): (Vec<_>, Vec<_>) = self.weights(known, rng).into_iter().unzip();
        let place = if self.draws { draw(&weights, rng) } else { largest(weights.into_iter(), rng) };
        actions[place]
    }
}

impl OwnSearch {
    /// Searches a decision with several legal actions: each action with its share in the choice, times a number.
    fn weights<G: Game>(&self, known: &Knowledge<'_, G>, rng: &mut Rng) -> Vec<(Action, f64)> {
        let mut tree = Tree::default();
        (0..self.simulations).for_each(|_| tree.simulate(self, known, rng));
        let weight = |edge: &Edge| match self.rule {
            Rule::Puct => edge.visits,
            Rule::Regret(_) => edge.strategy,
        };
        tree.nodes[tree.root].0.iter().map(|edge| (edge.action, weight(edge))).collect()
    }

    /// Adds the policy in all information states that follow from a position.
    fn policy<G: Show>(&self, env: &Env<G>, searches: u32, table: &mut Table) -> Result<()> {
        let Some(player) = env.current_player() else { return Ok(()) };
        let (legal, key) = (env.legal(player), env.information_state_key(player)?);
        if let Entry::Vacant(place) = table.entry(key) {
            let game = &*env.configured().game;
            let mut policy = vec![0.0; game.info().num_actions];
            if legal.len() == 1 {
                policy[legal.select(0).index()] = 1.0;
            } else {
                let known = Knowledge::new(game, env.state(), player, &legal);
                // Every information state has a stream of its own.
                let mut rng = Rng::from_seed(key as u64);
                for _ in 0..searches {
                    let weights = self.weights(&known, &mut rng);
                    let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
                    for (action, weight) in weights {
                        policy[action.index()] += weight / sum / f64::from(searches);
                    }
                }
            }
            place.insert(policy);
        }
        for action in legal.iter() {
            for (next, _) in env.chance_outcomes(action.0.into())? {
                self.policy(&next, searches, table)?;
            }
        }
        Ok(())
    }

    /// The exploitability in a game whose type may be `G`.
    fn exploited<G: Show>(&self, game: &dyn AnyGame, searches: u32) -> Option<Result<Exploitability>> {
        let configured: &Arc<ConfiguredGame<G>> = game.as_any().downcast_ref()?;
        let found = configured.chance_outcomes().and_then(|deals| {
            let mut table = Table::default();
            deals.iter().try_for_each(|(env, _)| self.policy(env, searches, &mut table))?;
            exploitability(configured, &Policy::Table(table), &|| true)
        });
        Some(found.map(|found| found.expect("nothing stops it")))
    }

    /// The agent for a game whose type may be `G`.
    fn of<G: Game>(&self, game: &dyn AnyGame) -> Option<AnyAgent> {
        let configured: &Arc<ConfiguredGame<G>> = game.as_any().downcast_ref()?;
        Some(AnyAgent::new(Arc::new(self.clone()), configured))
    }

    /// The agent for a game. The search is compiled for each type here.
    fn any(&self, game: &dyn AnyGame) -> Result<AnyAgent> {
        let found = self.of::<ConnectFour>(game).or_else(|| self.of::<Goofspiel>(game));
        let found = found.or_else(|| self.of::<Graft>(game)).or_else(|| self.of::<Graven>(game));
        let found = found.or_else(|| self.of::<Rafts>(game));
        let wanted = "wanted: connect_four, goofspiel, graft, graven, rafts";
        found.ok_or_else(|| Error::argument("GAME", format!("got `{}`; {wanted}", game.info().id)))
    }
}

/// The results of the first agent: 1 for a victory, 1/2 for a draw, 0 for a defeat.
fn play(game: &dyn AnyGame, agents: [&AnyAgent; 2], episodes: u64) -> Result<Spread> {
    let mut results = Spread::default();
    for seed in 0..episodes {
        let mut env = game.env(seed);
        let first = (seed % 2) as usize;
        while let Some(player) = env.acting().first() {
            let action = env.act(agents[player.index() ^ first], player)?;
            env.step_player(player, action.0.into())?;
        }
        results.add(0.5 + 0.5 * f64::from(env.returns()[first]));
    }
    Ok(results)
}

/// The exploitability of the agents that draw.
fn exploit(
    name: &str,
    searches: u32,
    simulations: u32,
    greedy: bool,
    report: &mut dyn FnMut(&str, f64),
) -> Result<()> {
    let mut options = Map::from_iter([("reward".into(), json!("outcome"))]);
    if name == "goofspiel" {
        options.insert("num_cards".into(), json!(4));
    }
    let game = playmat_seeds::make(name, &options)?;
    for (name, rule) in [
        ("regret matching, exploration 0.1, drawn", Rule::Regret(0.1)),
        ("regret matching, exploration 0.3, drawn", Rule::Regret(0.3)),
        ("PUCT, drawn by visits", Rule::Puct),
    ] {
        let search = OwnSearch { name: name.into(), rule, simulations, draws: true, recall: false, greedy };
        let found = search.exploited::<Goofspiel>(&*game, searches);
        let found = found.or_else(|| search.exploited::<KuhnPoker>(&*game, searches));
        let found = found.or_else(|| search.exploited::<LeducPoker>(&*game, searches));
        let wanted = "wanted: goofspiel, kuhn_poker, leduc_poker";
        let refused = || Err(Error::argument("GAME", format!("got `{}`; {wanted}", game.info().id)));
        report(name, found.unwrap_or_else(refused)?.exploitability);
    }
    Ok(())
}

/// What a comparison finds.
enum Found<'a> {
    /// Two agents and the results of the first one.
    Match(&'a str, &'a str, Spread),
    /// An agent and its exploitability.
    Exploited(&'a str, f64),
}

/// Calls `report` with everything that a comparison finds.
fn compare(arguments: &[&str], report: &mut dyn FnMut(Found<'_>)) -> Result<()> {
    let (comparison, name, episodes, simulations, greedy) = match *arguments {
        [comparison, name, episodes, simulations] => (comparison, name, episodes, simulations, false),
        [comparison, name, episodes, simulations, "greedy"] => {
            (comparison, name, episodes, simulations, true)
        }
        _ => {
            return Err(Error::argument(
                "arguments",
                "wanted: regret|recall GAME EPISODES SIMULATIONS [greedy], or exploit GAME SEARCHES SIMULATIONS [greedy]",
            ));
        }
    };
    let number = |name, text: &str| match text.parse::<u32>() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(Error::argument(name, format!("got `{text}`; wanted a whole number from 1"))),
    };
    let what = if comparison == "exploit" { "SEARCHES" } else { "EPISODES" };
    let (episodes, simulations) = (number(what, episodes)?, number("SIMULATIONS", simulations)?);
    if comparison == "exploit" {
        return exploit(name, episodes, simulations, greedy, &mut |agent, found| {
            report(Found::Exploited(agent, found));
        });
    }
    let options = Map::from_iter([("players".into(), json!(2)), ("reward".into(), json!("outcome"))]);
    let game = playmat_seeds::make(name, &options)?;
    let search = |name: &str, rule, draws, recall| {
        OwnSearch { name: name.into(), rule, simulations, draws, recall, greedy }.any(&*game)
    };
    // The last agent plays against each of the others.
    let agents = match comparison {
        "regret" => vec![
            search("regret matching, exploration 0.1, drawn", Rule::Regret(0.1), true, false)?,
            search("regret matching, exploration 0.1, likeliest", Rule::Regret(0.1), false, false)?,
            search("regret matching, exploration 0.3, drawn", Rule::Regret(0.3), true, false)?,
            search("PUCT, drawn by visits", Rule::Puct, true, false)?,
            search("PUCT, most visited", Rule::Puct, false, false)?,
        ],
        "recall" => vec![
            search("shared nodes", Rule::Puct, false, false)?,
            search("perfect recall", Rule::Puct, false, true)?,
        ],
        _ => {
            return Err(Error::argument(
                "comparison",
                format!("got `{comparison}`; wanted: regret, recall, exploit"),
            ));
        }
    };
    if let [agents @ .., other] = &agents[..] {
        for agent in agents {
            let results = play(&*game, [agent, other], episodes.into())?;
            report(Found::Match(agent.name(), other.name(), results));
        }
    }
    Ok(())
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "the table, or why there is none")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let compared = compare(&arguments, &mut |found| match found {
        Found::Match(agent, other, results) => {
            let (share, deviation) = (100.0 * results.mean, 100.0 * results.deviation);
            let interval = 1.96 * deviation / (results.count as f64).sqrt();
            println!("{agent} against {other}: {share:.1}% ± {interval:.1} of {} episodes", results.count);
        }
        Found::Exploited(agent, exploitability) => println!("{agent}: exploitability {exploitability:.4}"),
    });
    match compared {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("search_rules: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use playmat_core::bits::Bits;

    /// A comparison with few episodes: the results of each match.
    fn compared(comparison: &str, game: &str) -> Vec<Spread> {
        let mut found = Vec::new();
        let mut add = |one: Found<'_>| match one {
            Found::Match(_, _, results) => found.push(results),
            Found::Exploited(..) => unreachable!("matches are played"),
        };
        compare(&[comparison, game, "4", "20"], &mut add).unwrap();
        assert!(found.iter().all(|results| results.count == 4));
        found
    }

    #[test]
    fn both_comparisons_play_every_game_and_can_be_repeated() {
        for game in ["connect_four", "goofspiel", "graft", "graven", "rafts"] {
            assert_eq!((compared("regret", game).len(), compared("recall", game).len()), (4, 1), "{game}");
        }
        assert_eq!(compared("regret", "goofspiel"), compared("regret", "goofspiel"));
    }

    #[test]
    fn a_search_beats_random_play() {
        for (rule, recall) in [(Rule::Puct, false), (Rule::Puct, true), (Rule::Regret(0.1), false)] {
            let game = playmat_seeds::make("connect_four", &Map::new()).unwrap();
            let name = "own".to_string();
            let search = OwnSearch { name, rule, simulations: 100, draws: false, recall, greedy: false };
            let agents = [&search.any(&*game).unwrap(), &game.agent("random").unwrap()];
            assert!(play(&*game, agents, 20).unwrap().mean > 0.8, "{rule:?} {recall}");
        }
    }

    #[test]
    fn policies_that_draw_are_exploited_less_the_longer_they_search() {
        let exploited = |game: &str, simulations: &str| {
            let mut found = Vec::new();
            let mut add = |one: Found<'_>| {
                if let Found::Exploited(_, exploitability) = one {
                    found.push(exploitability);
                }
            };
            compare(&["exploit", game, "20", simulations], &mut add).unwrap();
            found
        };
        let (short, long) = (exploited("kuhn_poker", "2"), exploited("kuhn_poker", "1000"));
        assert_eq!((short.len(), long.len()), (3, 3));
        for (short, long) in short.iter().zip(&long) {
            assert!(*long > 0.0 && long < short, "{long} {short}");
        }
        assert_eq!(exploited("kuhn_poker", "2"), short);
    }

    /// Rock, paper, scissors, where a victory of the rock counts double: the equilibrium plays paper in half of the episodes.
    #[test]
    fn the_mean_strategy_of_regret_matching_is_near_the_equilibrium() {
        let values = [[0.5, 0.25, 1.0], [0.75, 0.5, 0.25], [0.0, 0.75, 0.5]];
        let mut rng = Rng::from_seed(1);
        let mut nodes = [Node::new(&Bits([7])), Node::new(&Bits([7]))];
        for _ in 0..100_000 {
            let [a, b] = nodes.each_mut().map(|node| node.select(Rule::Regret(0.1), &mut rng));
            nodes[0].back_up(a.0, a.1, values[a.0][b.0]);
            nodes[1].back_up(b.0, b.1, values[b.0][a.0]);
        }
        for (edge, share) in nodes.iter().flat_map(|node| node.0.iter().zip([0.25, 0.5, 0.25])) {
            assert!((edge.strategy / 100_000.0 - share).abs() < 0.05, "{} {share}", edge.strategy);
        }
    }

    #[test]
    fn wrong_arguments_are_refused() {
        for (arguments, found) in [
            (
                "",
                "wanted: regret|recall GAME EPISODES SIMULATIONS [greedy], or exploit GAME SEARCHES SIMULATIONS [greedy]",
            ),
            ("best goofspiel 1 1", "got `best`; wanted: regret, recall, exploit"),
            ("exploit tic_tac_toe 1 1", "got `tic_tac_toe`; wanted: goofspiel, kuhn_poker, leduc_poker"),
            ("regret goofspiel 0 1", "EPISODES"),
            ("exploit goofspiel 0 1", "SEARCHES"),
            ("regret goofspiel 1 x", "SIMULATIONS"),
            ("regret kuhn_poker 1 1", "connect_four, goofspiel, graft, graven, rafts"),
            ("regret chess 1 1", "chess"),
        ] {
            let arguments: Vec<&str> = arguments.split_whitespace().collect();
            let error = compare(&arguments, &mut |_| ()).unwrap_err().to_string();
            assert!(error.contains(found), "{error}");
        }
    }
}
