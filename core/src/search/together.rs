//! The searches of a batch with a network of the engine: each goes on until it needs the network, which then evaluates the leaves of all of them
//! at once. Every search chooses as it does alone.

use super::evaluation::Evaluation;
use super::index::Key;
use super::walk::{Aim, Leaf, Stop, Walk};
use super::{BETWEEN_CALLS, Plan, Search, opening};
use crate::agent::{Decision, Decisions, Knowledge, Memory};
use crate::bits::LegalSet;
use crate::game::Game;
use crate::network::Network;
use crate::rng::Rng;

/// How all of the searches are made.
pub(crate) struct Together<'a> {
    /// The name of the agent, under which an environment keeps its trees.
    pub(crate) name: &'a str,
    pub(crate) plan: &'a Plan<'a>,
    pub(crate) network: &'a Network,
    /// Simulations of each search.
    pub(crate) simulations: u32,
}

/// A search under way.
struct Running<G: Game> {
    row: usize,
    /// Lent by the memory of its environment.
    search: Search,
    key: Key,
    kept_visits: u32,
    /// That of the choice.
    temperature: f32,
    rng: Rng,
    /// Simulations that have begun.
    begun: u32,
    walk: Walk<G::State>,
    /// Where its simulation waits for the network, with the first of its rows and their number.
    waits: Option<(Leaf<G::Legal>, usize, usize)>,
}

impl Together<'_> {
    /// Chooses for all rows of a batch. Ends early, without choices, when the batch does not go on.
    pub(crate) fn choose<G: Game>(&self, decisions: &mut dyn Decisions<G>, evaluation: &mut Evaluation) {
        let mut running: Vec<Running<G>> = Vec::new();
        let (rows, most) = (decisions.rows(), self.network.rows());
        for row in 0..rows {
            if let Some(decision) = decisions.get(row) {
                running.extend(self.begin(row, decision));
            }
            if running.len() < most && row + 1 < rows {
                continue;
            }
            let goes_on = self.search(&mut running, decisions, evaluation);
            for ended in running.drain(..) {
                if let Some(decision) = decisions.get(ended.row) {
                    self.end(ended, decision, goes_on);
                }
            }
            if !goes_on {
                return;
            }
        }
    }

    /// The trees that an environment keeps.
    fn kept<'m>(&self, memory: &'m mut Memory<'_>) -> &'m mut Search {
        let kept = memory.get_or_reuse(self.name, Search::default, Search::forget);
        kept.go_on_with(Some(self.network));
        kept
    }

    /// Begins the search of a row. `None` if it has one legal action, which is then chosen.
    fn begin<G: Game>(&self, row: usize, mut decision: Decision<'_, G>) -> Option<Running<G>> {
        let known = decision.known;
        let temperature = opening::temperature(self.plan.settings, &known, &mut decision.memory);
        let kept = self.kept(&mut decision.memory);
        if known.legal().len() == 1 {
            kept.skip(&known);
            decision.choose(known.legal().select(0));
            return None;
        }
        let mut search = std::mem::take(kept);
        let (key, mut rng, kept_visits) = search.begin_one(&known, self.plan.settings, decision.rng);
        let path = std::mem::take(&mut search.trees[0].path);
        let walk = Walk::begin(&known, path, &mut rng);
        Some(Running { row, search, key, kept_visits, temperature, rng, begun: 1, walk, waits: None })
    }

    /// Ends the search of a row, and chooses if it was not stopped.
    fn end<G: Game>(&self, ended: Running<G>, mut decision: Decision<'_, G>, is_done: bool) {
        let Running { mut search, key, kept_visits, temperature, rng, walk, .. } = ended;
        search.trees[0].path = walk.path;
        let kept = self.kept(&mut decision.memory);
        *kept = search;
        if !is_done {
            return kept.forget();
        }
        kept.draws = Some(rng);
        kept.end(&decision.known, key, self.simulations, kept_visits);
        let chosen = kept.choose(temperature);
        decision.choose(chosen.expect("every simulation tries an action at the root"));
    }

    /// Makes all simulations. `false` if the batch does not go on.
    fn search<G: Game>(
        &self,
        running: &mut [Running<G>],
        decisions: &mut dyn Decisions<G>,
        evaluation: &mut Evaluation,
    ) -> bool {
        loop {
            evaluation.clear();
            let (mut all_rows, mut all_done) = (0, true);
            for one in &mut *running {
                let decision = decisions.get(one.row).expect("its row has a decision until it is chosen");
                if let Some((leaf, rows)) = self.advance(one, &decision.known, evaluation) {
                    one.waits = Some((leaf, all_rows, rows));
                    all_rows += rows;
                }
                all_done &= one.begun > self.simulations;
            }
            if all_done {
                return true;
            }
            if !decisions.goes_on() {
                return false;
            }
            evaluation.run(self.network);
        }
    }

    /// Goes on with a search until it waits for the network; returns the leaf and the number of its rows. `None` once all simulations have ended,
    /// and after a number of simulations that did not need the network, so that the caller can end the search.
    fn advance<G: Game>(
        &self,
        one: &mut Running<G>,
        known: &Knowledge<'_, G>,
        evaluation: &mut Evaluation,
    ) -> Option<(Leaf<G::Legal>, usize)> {
        let Running { search, rng, begun, walk, waits, .. } = one;
        let (game, settings, aim) = (known.game(), self.plan.settings, Aim::of(self.network, self.plan));
        let (level, tree) = (search.level, &mut search.trees[0]);
        let mut ends = match waits.take() {
            Some((leaf, at, rows)) => {
                let outputs = evaluation.outputs(self.network, at, rows);
                walk.receive(level, tree, game, settings, aim, &leaf, outputs, rng)
            }
            // The first simulation has begun, or all have ended.
            None if *begun > self.simulations => return None,
            None => false,
        };
        let mut left = BETWEEN_CALLS;
        loop {
            if ends {
                *begun += 1;
                if *begun > self.simulations {
                    return None;
                }
                *walk = Walk::begin(known, std::mem::take(&mut walk.path), rng);
                left -= 1;
                if left == 0 {
                    return None;
                }
            }
            match walk.down(level, tree, game, known.player(), settings, aim, rng) {
                Stop::End(returns) => {
                    walk.land(tree, &returns, game.info().players);
                    ends = true;
                }
                Stop::Leaf(leaf) => {
                    let all_players = aim.needs_all_players(game, settings, &leaf);
                    let rows = evaluation.push_leaf(self.network, tree, game, walk, &leaf, all_players, rng);
                    return Some((leaf, rows));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{Agent, Failure, Mcts, Memories, SearchStatistics};
    use crate::env::{ConfiguredGame, Env};
    use crate::info::RewardKind;
    use crate::toy::Toll;
    use std::sync::Arc;

    /// Environments in which an agent decides at once.
    struct Batch<'e> {
        envs: &'e [Env<Toll>],
        /// Of the decisions that are made now; of the episodes that are over the last.
        legal: Vec<<Toll as Game>::Legal>,
        memories: &'e mut [Memories],
        streams: &'e mut [Rng],
        chosen: Vec<i64>,
        /// How often it goes on.
        calls: usize,
    }

    impl<'e> Batch<'e> {
        fn new(envs: &'e [Env<Toll>], memories: &'e mut [Memories], streams: &'e mut [Rng]) -> Batch<'e> {
            let legal = |env: &Env<Toll>| env.current_player().map(|player| env.legal(player));
            let legal = envs.iter().map(|env| legal(env).unwrap_or_default()).collect();
            Batch { envs, legal, memories, streams, chosen: vec![-1; envs.len()], calls: usize::MAX }
        }
    }

    impl Decisions<Toll> for Batch<'_> {
        fn rows(&self) -> usize {
            self.envs.len()
        }

        fn get(&mut self, row: usize) -> Option<Decision<'_, Toll>> {
            let env = &self.envs[row];
            let player = env.current_player()?;
            let game = &*env.configured().game;
            Some(Decision {
                known: Knowledge::new(game, env.state(), player, &self.legal[row]),
                memory: self.memories[row].of(player, 0),
                rng: &mut self.streams[row],
                chosen: &mut self.chosen[row],
            })
        }

        fn goes_on(&mut self) -> bool {
            self.calls = self.calls.wrapping_sub(1);
            self.calls != 0
        }

        fn fail(&mut self, _: Failure) {
            unreachable!("a search does not fail")
        }
    }

    const ENVS: usize = 90;

    fn configured(players: usize) -> Arc<ConfiguredGame<Toll>> {
        let options = serde_json::json!({"players": players});
        Arc::new(ConfiguredGame::new(options.as_object().expect("an object")).expect("its options"))
    }

    fn agent(configured: &ConfiguredGame<Toll>, options: &str, greedy: bool) -> Mcts {
        with_simulations(20, configured, options, greedy)
    }

    fn with_simulations(number: u32, configured: &ConfiguredGame<Toll>, options: &str, greedy: bool) -> Mcts {
        let settings = format!("{number},policy=a.onnx{options}").parse().expect("a spec");
        Mcts::with(settings, Some(Network::random(configured, greedy, 3)), RewardKind::Outcome)
    }

    fn begin(configured: &Arc<ConfiguredGame<Toll>>) -> (Vec<Env<Toll>>, Vec<Memories>, Vec<Rng>) {
        let seeds = 0..ENVS as u64;
        let envs = seeds.clone().map(|seed| Env::new(configured.clone(), seed)).collect();
        (envs, seeds.clone().map(|_| Memories::default()).collect(), seeds.map(Rng::from_seed).collect())
    }

    /// What the searches of all rows found about the decisions that they made last.
    fn found(agent: &Mcts, envs: &[Env<Toll>], memories: &mut [Memories]) -> Vec<Option<SearchStatistics>> {
        let rows = envs.iter().zip(memories);
        rows.map(|(env, memories)| {
            let memory = memories.of(env.current_player()?, 0);
            Some(Agent::<Toll>::statistics(agent, &memory).expect("it has decided"))
        })
        .collect()
    }

    #[test]
    fn what_another_network_has_found_is_forgotten() {
        let configured = configured(2);
        // The file that the spec names has changed from one agent to the other.
        let [old, new] = [3, 4].map(|seed| {
            let settings = "40,policy=a.onnx".parse().expect("a spec");
            Mcts::with(settings, Some(Network::random(&configured, false, seed)), RewardKind::Outcome)
        });
        let (envs, mut fresh, streams) = begin(&configured);
        let choose = |agent: &Mcts, memories: &mut [Memories]| {
            let mut streams = streams.clone();
            let mut batch = Batch::new(&envs, memories, &mut streams);
            agent.act_batch(&mut batch);
            let chosen = batch.chosen;
            let found = found(agent, &envs, memories);
            (chosen, found)
        };
        let wanted = choose(&new, &mut fresh);
        let mut used: Vec<_> = fresh.iter().map(|_| Memories::default()).collect();
        let others = choose(&old, &mut used);
        assert_ne!(wanted.1, others.1);
        for (env, memories) in envs.iter().zip(&mut used) {
            let memory = memories.of(env.current_player().expect("a decision"), 0);
            assert!(Agent::<Toll>::statistics(&new, &memory).is_err(), "those of the old network");
        }
        assert_eq!(choose(&new, &mut used), wanted);
        assert_eq!(choose(&old, &mut used), others);
        for (row, env) in envs.iter().enumerate() {
            let player = env.current_player().expect("a decision");
            let legal = env.legal(player);
            let known = Knowledge::new(&*configured.game, env.state(), player, &legal);
            let memory = &mut used[row].of(player, 0);
            let chosen = new.act(&known, memory, &mut streams[row].clone());
            assert_eq!(i64::from(chosen.0), wanted.0[row]);
            assert_eq!(Agent::<Toll>::statistics(&new, memory).ok(), wanted.1[row]);
        }
    }

    #[test]
    fn searches_together_find_what_each_finds_alone() {
        for players in [2, 3] {
            let configured = configured(players);
            for (options, greedy) in [
                ("", false),
                ("", true),
                (",rollout=random", true),
                (",rollout=greedy", false),
                (",dirichlet_alpha=0.3,temperature=1", false),
                (",temperature=5,temperature_drop=1", false),
                (",prior_temperature=3,c=3,max_nodes=9", true),
            ] {
                let agent = agent(&configured, options, greedy);
                assert!(Agent::<Toll>::prefers_batches(&agent));
                let (mut envs, mut memories, mut streams) = begin(&configured);
                let (mut own_memories, mut own_streams) = (begin(&configured).1, streams.clone());
                let mut searched = 0;
                while envs.iter().any(|env| env.current_player().is_some()) {
                    let mut batch = Batch::new(&envs, &mut memories, &mut streams);
                    agent.act_batch(&mut batch);
                    let (chosen, legal) = (batch.chosen, batch.legal);
                    let mut alone = vec![-1; ENVS];
                    for (row, env) in envs.iter().enumerate() {
                        let Some(player) = env.current_player() else { continue };
                        let known = Knowledge::new(&*configured.game, env.state(), player, &legal[row]);
                        let memory = &mut own_memories[row].of(player, 0);
                        alone[row] = i64::from(agent.act(&known, memory, &mut own_streams[row]).0);
                        searched += usize::from(legal[row].len() > 1);
                    }
                    assert_eq!(chosen, alone, "{players} players{options}");
                    assert_eq!(streams, own_streams);
                    let [together, alone] =
                        [&mut memories, &mut own_memories].map(|all| found(&agent, &envs, all));
                    assert_eq!(together, alone, "{players} players{options}");
                    for (env, action) in envs.iter_mut().zip(chosen) {
                        if env.current_player().is_some() {
                            env.step(action).expect("a legal action");
                        }
                    }
                }
                assert!(searched > 2 * ENVS, "{searched}");
            }
        }
    }

    /// With one decision left no simulation needs the network once the root is in the tree.
    #[test]
    fn simulations_that_need_no_network_can_be_ended_and_go_on_where_they_stopped() {
        let configured = configured(2);
        let agent = with_simulations(1_000, &configured, "", false);
        let (mut envs, _, mut streams) = begin(&configured);
        envs.truncate(8);
        // How often the last search of all has looked whether to go on.
        let mut looked = 0;
        while envs.iter().any(|env| env.current_player().is_some()) {
            let (mut memories, mut own_memories) = (begin(&configured).1, begin(&configured).1);
            let mut own_streams = streams.clone();
            let mut batch = Batch::new(&envs, &mut memories, &mut streams);
            agent.act_batch(&mut batch);
            if batch.calls < usize::MAX {
                looked = usize::MAX - batch.calls;
            }
            let (chosen, legal) = (batch.chosen, batch.legal);
            for (row, env) in envs.iter_mut().enumerate() {
                let Some(player) = env.current_player() else { continue };
                let known = Knowledge::new(&*configured.game, env.state(), player, &legal[row]);
                let memory = &mut own_memories[row].of(player, 0);
                let alone = agent.act(&known, memory, &mut own_streams[row]);
                assert_eq!(chosen[row], i64::from(alone.0));
                env.step(chosen[row]).expect("a legal action");
            }
        }
        assert!(looked >= 1_000 / BETWEEN_CALLS as usize, "{looked}");
    }

    #[test]
    fn a_batch_that_does_not_go_on_chooses_nothing_and_keeps_no_tree() {
        let configured = configured(3);
        let agent = agent(&configured, "", false);
        let (envs, mut memories, mut streams) = begin(&configured);
        let first = {
            let (mut memories, mut streams) = (begin(&configured).1, streams.clone());
            let mut batch = Batch::new(&envs, &mut memories, &mut streams);
            agent.act_batch(&mut batch);
            let chosen = batch.chosen;
            (chosen, found(&agent, &envs, &mut memories))
        };
        let before = streams.clone();
        for calls in [1, 5, 15] {
            let mut batch = Batch { calls, ..Batch::new(&envs, &mut memories, &mut streams) };
            agent.act_batch(&mut batch);
            let forced = |row: &usize| batch.legal[*row].len() == 1;
            assert!((0..ENVS).filter(|row| !forced(row)).all(|row| batch.chosen[row] == -1));
            streams.clone_from(&before);
        }
        let mut batch = Batch::new(&envs, &mut memories, &mut streams);
        agent.act_batch(&mut batch);
        let chosen = batch.chosen;
        assert_eq!((chosen, found(&agent, &envs, &mut memories)), first, "they began anew");
    }
}
