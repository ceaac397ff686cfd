//! Tree search: what follows from its seed, what it finds, and that it never sees the true state.

#![allow(clippy::unwrap_used, reason = "a test may stop anywhere")]

use playmat_core::agent::{Agent, Knowledge, Mcts, Memories, SearchStatistics, Spec};
use playmat_core::bits::LegalSet;
use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::game::Game;
use playmat_core::info::RewardKind;
use playmat_core::log::Silent;
use playmat_core::player::{Action, Player};
use playmat_core::pool::Pool;
use playmat_core::rng::Rng;
use playmat_core::save;
use playmat_core::search::{Budget, Candidate, Plan, Search, Settings};
use playmat_core::show::Show;
use playmat_core::toy::{Nim, Toll, TollState};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

type Legal = <Toll as Game>::Legal;

fn configured<G: Show>(players: usize) -> Arc<ConfiguredGame<G>> {
    Arc::new(ConfiguredGame::new(json!({ "players": players }).as_object().unwrap()).unwrap())
}

fn settings(text: &str) -> Settings {
    text.parse().unwrap()
}

/// What a search says about the decision of the player who must act.
fn run_search<G: Show>(env: &Env<G>, search: &mut Search, text: &str, seed: u64) -> Vec<Candidate> {
    let player = env.current_player().unwrap();
    let legal = env.legal(player);
    let known = Knowledge::new(&*env.configured().game, env.state(), player, &legal);
    let rng = &mut Rng::from_seed(seed);
    search.run(&known, &settings(text), RewardKind::Outcome, None, rng).to_vec()
}

#[test]
fn a_search_follows_from_its_seed_and_counts_its_simulations() {
    for seed in 0..20 {
        let env = Env::new(configured::<Toll>(3), seed);
        let mut search = Search::default();
        let first = run_search(&env, &mut search, "50", 1);
        assert_eq!(first.iter().map(|one| one.visits).sum::<u32>(), 50);
        assert!(first.is_sorted_by_key(|one| std::cmp::Reverse(one.visits)));
        let legal = env.legal(env.current_player().unwrap());
        assert!(first.iter().all(|one| legal.contains(one.action) && one.mean_return.abs() <= 1.0));
        assert_eq!(run_search(&env, &mut Search::default(), "50", 1), first);
        // The tree is kept: its visits count too.
        let more = run_search(&env, &mut search, "50", 2);
        assert_eq!(more.iter().map(|one| one.visits).sum::<u32>(), 100);
    }
    let env = Env::new(configured::<Toll>(3), 0);
    let all: Vec<_> = (0..20).map(|seed| run_search(&env, &mut Search::default(), "50", seed)).collect();
    assert!(all.iter().any(|one| *one != all[0]), "other seeds, other searches");
}

#[test]
fn threads_share_the_simulations_and_change_nothing() {
    let env = Env::new(configured::<Toll>(4), 3);
    let player = env.current_player().unwrap();
    let legal = env.legal(player);
    let known = Knowledge::new(&*env.configured().game, env.state(), player, &legal);
    let settings = settings("50,threads=3");
    let run = |pool: Option<&mut Pool>| {
        let (mut search, mut rng) = (Search::default(), Rng::from_seed(5));
        let found = search.run(&known, &settings, RewardKind::Outcome, pool, &mut rng).to_vec();
        (found, search.nodes())
    };
    let alone = run(None);
    assert_eq!(alone.0.iter().map(|one| one.visits).sum::<u32>(), 50);
    for _ in 0..20 {
        assert_eq!(run(Some(&mut Pool::new(3, 0))), alone);
    }
}

#[test]
fn a_search_finds_the_winning_moves_of_nim() {
    // Whoever leaves a multiple of three stones to one opponent wins.
    let agent = "mcts:200,prior=uniform".parse::<Spec>().unwrap();
    let mut decisions = 0;
    for seed in 0..60 {
        let configured = configured::<Nim>(2);
        let agent = agent.agent(&configured).unwrap();
        let mut env = Env::new(configured, seed);
        while let Some(player) = env.current_player() {
            let stones = env.state().stones;
            let action = env.act(&*agent, player).unwrap();
            if stones % 3 != 0 {
                assert_eq!(action.0 + 1, u16::from(stones % 3), "of {stones} stones");
                decisions += 1;
            }
            env.step(action.0.into()).unwrap();
        }
    }
    assert!(decisions > 60);
}

#[test]
fn the_tree_of_one_decision_serves_the_next() {
    for seed in 0..10 {
        let mut env = Env::new(configured::<Nim>(2), seed);
        if env.state().stones < 5 {
            continue;
        }
        let mut search = Search::default();
        run_search(&env, &mut search, "100,prior=uniform", 1);
        let nodes = search.nodes();
        env.step(0).unwrap();
        env.step(0).unwrap();
        let later = run_search(&env, &mut search, "10,prior=uniform", 1);
        assert!(later.iter().map(|one| one.visits).sum::<u32>() > 10);
        assert_eq!(search.nodes(), nodes, "every position of so small a game was there");
        return;
    }
    panic!("no large pile");
}

#[test]
fn a_search_chooses_alike_in_positions_that_its_player_cannot_tell_apart() {
    let configured = configured::<Toll>(3);
    let game = &*configured.game;
    let agent = Mcts::new(settings("30"), RewardKind::Outcome);
    let (mut compared, mut different) = (0, 0);
    for seed in 0..40 {
        let mut env = Env::new(configured.clone(), seed);
        let mut draws = Rng::from_seed(seed);
        while let Some(player) = env.current_player() {
            let legal = env.legal(player);
            let act = |state| {
                let known = Knowledge::new(game, state, player, &legal);
                let mut memories = Memories::default();
                Agent::<Toll>::act(&agent, &known, &mut memories.of(player, 0), &mut Rng::from_seed(9))
            };
            let sample = game.sample_hidden(env.state(), player, &mut draws);
            assert_eq!(act(env.state()), act(&sample));
            compared += 1;
            different += u32::from(sample != *env.state());
            env.step(draws.pick(&legal).0.into()).unwrap();
        }
    }
    assert!(compared > 200 && different > 100, "{different} of {compared}");
}

#[test]
fn players_who_decide_at_once_do_not_see_each_others_choices() {
    // Player 1 searches first and last in the order of choices: its answer is the same.
    let configured = configured::<Toll>(3);
    let game = &*configured.game;
    let player = Player(1);
    for seed in 0..20 {
        let env = Env::new(configured.clone(), seed);
        let legal = env.legal(player);
        let run = |state: &TollState| {
            let known = Knowledge::new(game, state, player, &legal);
            let rng = &mut Rng::from_seed(4);
            let mut search = Search::default();
            search.run(&known, &settings("60"), RewardKind::Outcome, None, rng).to_vec()
        };
        let first = run(env.state());
        assert_eq!(first.iter().map(|one| one.visits).sum::<u32>(), 60);
        for action in 0..3 {
            let mut state = *env.state();
            let mut rng = Rng::from_seed(0);
            game.apply(&mut state, Player(0), Action(action), &mut rng, &mut Silent);
            game.apply(&mut state, Player(2), Action(action), &mut rng, &mut Silent);
            assert_eq!(run(&state), first);
        }
    }
}

#[test]
fn a_forced_action_takes_no_search() {
    let configured = configured::<Nim>(2);
    let agent = Mcts::new(settings("10000000"), RewardKind::Outcome);
    let mut env =
        (0..50).map(|seed| Env::new(configured.clone(), seed)).find(|env| env.state().stones == 1).unwrap();
    let player = env.current_player().unwrap();
    assert_eq!(env.act(&agent, player).unwrap(), Action(0));
}

#[test]
fn a_search_by_time_returns_a_legal_action() {
    for budget in [Budget::Milliseconds(1), Budget::Milliseconds(30)] {
        for threads in [1, 3] {
            let settings = Settings { threads, ..Settings::new(budget) };
            let agent = Mcts::new(settings, RewardKind::Score);
            let mut env = Env::new(configured::<Toll>(4), 1);
            for _ in 0..6 {
                let player = env.current_player().unwrap();
                let action = env.act(&agent, player).unwrap();
                env.step(action.0.into()).unwrap();
            }
        }
    }
}

#[test]
fn every_simulation_tries_an_action_at_the_root() {
    for seed in 0..200 {
        let configured = configured::<Toll>(4);
        let env = Env::new(configured.clone(), seed);
        for player in env.acting().iter() {
            let legal = env.legal(player);
            let known = Knowledge::new(&*configured.game, env.state(), player, &legal);
            let rng = &mut Rng::from_seed(seed);
            let mut search = Search::default();
            let found = search.run(&known, &settings("7,threads=3"), RewardKind::Outcome, None, rng);
            assert_eq!(found.iter().map(|one| one.visits).sum::<u32>(), 7, "player {player}");
        }
    }
}

/// Nim with six stones: two actions, of which the search's player wins with the second.
fn six_stones() -> Env<Nim> {
    let configured = configured::<Nim>(2);
    (0..).map(|seed| Env::new(configured.clone(), seed)).find(|env| env.state().stones == 6).unwrap()
}

#[test]
fn noise_decides_what_a_search_tries_where_nothing_else_does() {
    let env = six_stones();
    // The bonus outweighs the returns, so that visits follow the priors.
    let tops = |options: &str| -> Vec<(Action, u32)> {
        let found = |seed| {
            run_search(&env, &mut Search::default(), &format!("400,prior=uniform,c=100{options}"), seed)[0]
        };
        (0..300).map(|seed| (found(seed).action, found(seed).visits)).collect()
    };
    let even = tops("");
    assert!(even.iter().all(|(_, visits)| *visits < 220), "equal priors, equal visits");
    let noisy = tops(",dirichlet_alpha=0.1,dirichlet_fraction=1");
    let first = noisy.iter().filter(|(action, _)| *action == Action(0)).count();
    assert!((100..200).contains(&first), "{first} of 300: each action has the same chance");
    let strong = noisy.iter().filter(|(_, visits)| *visits > 300).count();
    assert!(strong > 200, "{strong} of 300: small parameters favour one action");
    let quarter = tops(",dirichlet_alpha=0.1");
    assert!(quarter.iter().all(|(_, visits)| *visits < 275), "a quarter of the prior");
    assert!(quarter.iter().any(|(_, visits)| *visits > 240));
}

#[test]
fn noise_is_of_one_search_and_not_kept_in_the_tree() {
    let env = six_stones();
    let noisy = "400,prior=uniform,c=100,dirichlet_alpha=0.1,dirichlet_fraction=1";
    let mut search = Search::default();
    let first = run_search(&env, &mut search, noisy, 3);
    let before = |action| first.iter().find(|one| one.action == action).map_or(0, |one| one.visits);
    let more = run_search(&env, &mut search, "100,prior=uniform,c=100", 4);
    // The visits that the noise has not given are made up for.
    let less = first.last().unwrap();
    assert!(less.visits < 100, "{first:?}");
    let now = more.iter().find(|one| one.action == less.action).unwrap().visits;
    assert!(now - before(less.action) > 90, "{first:?}, {more:?}");
}

#[test]
fn every_tree_of_a_search_has_the_same_noise() {
    let env = six_stones();
    let options = "prior=uniform,c=100,dirichlet_alpha=0.1,dirichlet_fraction=1";
    for seed in 0..50 {
        let one = run_search(&env, &mut Search::default(), &format!("200,{options}"), seed);
        let four = run_search(&env, &mut Search::default(), &format!("800,{options},threads=4"), seed);
        assert_eq!(four.iter().map(|one| one.visits).sum::<u32>(), 800);
        assert_eq!(one[0].action, four[0].action);
        let shares = [one[0].visits as f32 / 200.0, four[0].visits as f32 / 800.0];
        assert!((shares[0] - shares[1]).abs() < 0.05, "{shares:?}");
    }
}

#[test]
fn a_temperature_draws_actions_by_their_visits() {
    let env = six_stones();
    let player = env.current_player().unwrap();
    let agent = |text: &str| Mcts::new(settings(text), RewardKind::Outcome);
    let choose = |agent: &Mcts, seed: u64| {
        let legal = env.legal(player);
        let known = Knowledge::new(&*env.configured().game, env.state(), player, &legal);
        agent.act(&known, &mut Memories::default().of(player, 0), &mut Rng::from_seed(seed))
    };
    for temperature in [0.5, 1.0, 2.0] {
        let drawing = agent(&format!("40,prior=uniform,temperature={temperature}"));
        let (mut drawn, mut wanted) = (0.0, 0.0);
        for seed in 0..2_000 {
            let action = choose(&drawing, seed);
            assert_eq!(choose(&drawing, seed), action, "it follows from the seed");
            drawn += f64::from(action.0) / 2_000.0;
            let found = run_search(&env, &mut Search::default(), "40,prior=uniform", seed);
            let weight = |action| {
                let visits =
                    found.iter().find(|one| one.action == Action(action)).map_or(0, |one| one.visits);
                f64::from(visits).powf(1.0 / temperature)
            };
            wanted += weight(1) / (weight(0) + weight(1)) / 2_000.0;
        }
        assert!((drawn - wanted).abs() < 0.04, "temperature {temperature}: {drawn}, {wanted}");
        assert!(wanted < 0.99, "temperature {temperature}: another action is drawn, too");
    }
    let (plain, zero) = (agent("40,prior=uniform"), agent("40,prior=uniform,temperature=0"));
    for seed in 0..100 {
        let best = run_search(&env, &mut Search::default(), "40,prior=uniform", seed)[0].action;
        assert_eq!([choose(&plain, seed), choose(&zero, seed)], [best; 2]);
    }
}

#[test]
fn the_temperature_drops_after_the_first_decisions_of_each_player() {
    let specs = ["100,temperature=100,temperature_drop=2", "100,temperature=100", "100"];
    let [drops, draws, plays_best] = specs.map(|text| Mcts::new(settings(text), RewardKind::Outcome));
    // Decisions by whether they are of the opening and whether the draw has mattered.
    let mut counts = [[0; 2]; 2];
    for seed in 0..60 {
        let mut env = Env::new(configured::<Toll>(3), seed);
        let (mut memories, mut chance) = ([(); 3].map(|()| Memories::default()), Rng::from_seed(seed));
        let mut decisions = [0; 3];
        while let Some(player) = env.current_player() {
            let legal = env.legal(player);
            let known = Knowledge::new(&*env.configured().game, env.state(), player, &legal);
            let number = &mut decisions[player.index()];
            *number += 1;
            let agent_seed = seed * 1_000 + u64::from(chance.below(1_000));
            let mut choose = |agent: usize, times| {
                let mut chosen = Action(0);
                for _ in 0..times {
                    let memory = &mut memories[agent].of(player, 0);
                    let agent = [&drops, &draws, &plays_best][agent];
                    // Neither a search that is stopped nor one that is made again is another decision.
                    if legal.len() > 1 {
                        assert_eq!(agent.act_while(&known, memory, &mut Rng::from_seed(1), &|| false), None);
                    }
                    chosen = agent.act(&known, memory, &mut Rng::from_seed(agent_seed));
                }
                chosen
            };
            let [dropped, drawn, best] = [0, 1, 2].map(|agent| choose(agent, 2));
            let is_opening = *number <= 2;
            assert_eq!(dropped, if is_opening { drawn } else { best }, "decision {number} of {player}");
            counts[usize::from(is_opening)][usize::from(drawn != best)] += 1;
            env.step(chance.pick(&legal).0.into()).unwrap();
        }
    }
    assert!(counts.as_flattened().iter().all(|count| *count > 10), "{counts:?}");
}

#[test]
fn searches_with_other_specs_count_the_same_decisions_for_the_temperature_drop() {
    let specs = ["9,temperature=100,temperature_drop=5", "80,temperature=100,temperature_drop=1", "80"];
    let [first, drops, plays_best] = specs.map(|text| Mcts::new(settings(text), RewardKind::Outcome));
    let (mut drawn, mut second) = (0, 0);
    for seed in 0..50 {
        let mut env = Env::new(configured::<Toll>(2), seed);
        let (mut memories, mut decided) = (Memories::default(), [false; 2]);
        while let Some(player) = env.current_player() {
            let legal = env.legal(player);
            let known = Knowledge::new(&*env.configured().game, env.state(), player, &legal);
            let act = |agent: &Mcts, memories: &mut Memories| {
                agent.act(&known, &mut memories.of(player, 0), &mut Rng::from_seed(seed))
            };
            let best = act(&plays_best, &mut Memories::default());
            if !decided[player.index()] {
                drawn += u32::from(act(&drops, &mut Memories::default()) != best);
                act(&first, &mut memories);
                decided[player.index()] = true;
            } else {
                assert_eq!(
                    act(&drops, &mut memories),
                    best,
                    "its second decision, the first one of this search"
                );
                second += 1;
                break;
            }
            env.step(legal.select(0).0.into()).unwrap();
        }
    }
    assert!(drawn > 10 && second > 10, "{drawn}, {second}");
}

#[test]
fn a_decision_with_one_legal_action_counts_for_the_temperature_drop() {
    let specs = ["20,temperature=100,temperature_drop=1", "20,temperature=100", "20"];
    let [drops, draws, plays_best] = specs.map(|text| Mcts::new(settings(text), RewardKind::Outcome));
    let mut differ = 0;
    for seed in 0..50 {
        let env = Env::new(configured::<Toll>(3), seed);
        let player = env.current_player().unwrap();
        let legal = env.legal(player);
        let mut forced = Legal::default();
        forced.insert(legal.select(0).index());
        let act = |agent: &Mcts, legal: &Legal, memories: &mut Memories| {
            let known = Knowledge::new(&*env.configured().game, env.state(), player, legal);
            agent.act(&known, &mut memories.of(player, 0), &mut Rng::from_seed(5))
        };
        let choose = |agent: &Mcts| act(agent, &legal, &mut Memories::default());
        let [dropped, drawn, best] = [choose(&drops), choose(&draws), choose(&plays_best)];
        assert_eq!(dropped, drawn, "its first decision");
        let mut memories = Memories::default();
        act(&drops, &forced, &mut memories);
        assert_eq!(act(&drops, &legal, &mut memories), best, "its second decision");
        differ += u32::from(drawn != best);
    }
    assert!(differ > 10, "{differ}");
}

#[test]
fn a_stopped_search_leaves_the_environment_as_it_was() {
    for threads in [1, 3] {
        let configured = configured::<Toll>(3);
        let agent = |simulations: u32| {
            let text = format!("{simulations},threads={threads}");
            Mcts::new(settings(&text), RewardKind::Outcome)
        };
        let (endless, short) = (agent(10_000_000), agent(600));
        let mut env = Env::new(configured.clone(), 5);
        let player = env.current_player().unwrap();
        env.act(&short, player).unwrap();
        let (before, mut twin) = (save::to_bytes(&env), env.clone());
        for limit in [0, 3] {
            let calls = AtomicU32::new(0);
            let keep_going = || calls.fetch_add(1, Ordering::Relaxed) < limit;
            assert_eq!(env.act_while(&endless, player, &keep_going).unwrap(), None);
            let calls = calls.into_inner();
            assert!((limit + 1..=limit + threads).contains(&calls), "{calls} calls, {threads} trees");
            assert_eq!(save::to_bytes(&env), before, "its streams too");
        }
        assert_eq!(env.act(&short, player).unwrap(), twin.act(&short, player).unwrap(), "another agent");
        // The agent that was stopped has forgotten the tree of its first search, as after a load.
        let before = save::to_bytes(&env);
        assert_eq!(env.act_while(&short, player, &|| false).unwrap(), None);
        assert_eq!(save::to_bytes(&env), before);
        let mut loaded = save::from_bytes(&configured, &before).unwrap();
        for _ in 0..3 {
            let goes_on = env.act_while(&short, player, &|| true).unwrap();
            assert_eq!(goes_on, Some(loaded.act(&short, player).unwrap()));
            assert_eq!(save::to_bytes(&env), save::to_bytes(&loaded));
        }
    }
}

#[test]
fn a_stopped_search_has_no_nodes() {
    let env = Env::new(configured::<Toll>(3), 5);
    let mut search = Search::default();
    run_search(&env, &mut search, "50", 1);
    assert!(search.nodes() > 0);
    let player = env.current_player().unwrap();
    let legal = env.legal(player);
    let known = Knowledge::new(&*env.configured().game, env.state(), player, &legal);
    for text in ["100", "60000ms"] {
        let (settings, kind) = (settings(text), RewardKind::Outcome);
        let plan = Plan { settings: &settings, kind, network: None, keep_going: &|| false };
        assert_eq!(search.run_while(&known, &plan, None, &mut Rng::from_seed(1)), None);
        assert_eq!((search.nodes(), search.choose(0.0)), (0, None));
    }
    assert_eq!(run_search(&env, &mut search, "50", 1), run_search(&env, &mut Search::default(), "50", 1));
}

/// What a search found out about the decision that it chose last must agree with itself.
fn check_statistics(found: &SearchStatistics, legal: &[Action], chosen: Action) {
    let actions: Vec<Action> = found.actions.iter().map(|one| one.action).collect();
    assert_eq!((actions.as_slice(), found.action), (legal, chosen));
    let visits: u32 = found.actions.iter().map(|one| one.visits).sum();
    assert_eq!(visits, found.simulations + found.kept_visits);
    let most = found.actions.iter().map(|one| one.visits).max().unwrap();
    let of_chosen = found.actions.iter().find(|one| one.action == chosen).unwrap();
    assert_eq!(of_chosen.visits, most, "the most visited action is chosen");
    let priors: f32 = found.actions.iter().map(|one| one.prior).sum();
    assert!((priors - 1.0).abs() < 1e-5, "{priors}");
    let sum: f32 = found.actions.iter().map(|one| one.visits as f32 * one.mean_return).sum();
    assert!((found.value - sum / visits.max(1) as f32).abs() < 1e-5);
}

/// Visits that were kept, and decisions with one legal action, in all statistics of some episodes.
fn episodes_with_statistics<G: Show>(players: usize) -> (u32, u32) {
    let (mut kept, mut forced) = (0, 0);
    for options in ["", ",rollout=random,prior=uniform", ",threads=3", ",dirichlet_alpha=0.3"] {
        let configured = configured::<G>(players);
        let agent = format!("mcts:50{options}").parse::<Spec>().unwrap().agent(&configured).unwrap();
        for seed in 0..10 {
            let mut env = Env::new(configured.clone(), seed);
            while let Some(player) = env.current_player() {
                let legal: Vec<Action> = env.legal(player).iter().collect();
                let chosen = env.act(&*agent, player).unwrap();
                let found = env.search_statistics(&*agent, player).unwrap();
                check_statistics(&found, &legal, chosen);
                assert_eq!(found.player, player);
                assert_eq!(found.simulations, if legal.len() > 1 { 50 } else { 0 });
                assert!(found.nodes > 0 || found.simulations == 0);
                kept += found.kept_visits;
                forced += u32::from(legal.len() == 1);
                env.step(chosen.0.into()).unwrap();
                let after = env.search_statistics(&*agent, player).unwrap();
                assert_eq!(after, found, "the last decision is that of the player, whoever acts now");
            }
        }
    }
    (kept, forced)
}

#[test]
fn statistics_tell_what_a_search_found_about_its_last_decision() {
    let (kept, _) = episodes_with_statistics::<Toll>(3);
    assert!(kept > 0);
    let (kept, forced) = episodes_with_statistics::<Nim>(2);
    assert!(kept > 0 && forced > 0, "{kept} {forced}");
}

#[test]
fn priors_of_statistics_are_those_of_the_settings() {
    let configured = configured::<Nim>(2);
    let priors = |options: &str| -> Vec<f32> {
        let agent = format!("mcts:40{options}").parse::<Spec>().unwrap().agent(&configured).unwrap();
        let mut env = Env::new(configured.clone(), 1);
        env.act(&*agent, Player(0)).unwrap();
        let found = env.search_statistics(&*agent, Player(0)).unwrap();
        found.actions.iter().map(|one| one.prior).collect()
    };
    let uniform = priors(",prior=uniform");
    assert!(uniform.len() > 1 && uniform.iter().all(|prior| *prior == 1.0 / uniform.len() as f32));
    let mut greedy = priors("");
    greedy.sort_by(f32::total_cmp);
    assert_eq!(greedy.pop(), Some(0.5));
    assert!(greedy.iter().all(|prior| *prior == 0.5 / greedy.len() as f32));
    let noisy = priors(",prior=uniform,dirichlet_alpha=1,dirichlet_fraction=1");
    assert!(noisy.iter().any(|prior| *prior != noisy[0]), "the noise is in them: {noisy:?}");
}

#[test]
fn statistics_without_a_search_are_refused_with_the_reason() {
    let configured = configured::<Toll>(3);
    let agent = |spec: &str| spec.parse::<Spec>().unwrap().agent(&configured).unwrap();
    let mut env = Env::new(configured.clone(), 1);
    let said = |env: &mut Env<Toll>, spec: &str, player: u8| {
        env.search_statistics(&*agent(spec), Player(player)).unwrap_err().to_string()
    };
    for spec in ["random", "greedy"] {
        let message = format!("got `{spec}`; only a search, for example `mcts:400`, has statistics");
        assert_eq!(said(&mut env, spec, 0), format!("argument `agent`: {message}"));
    }
    let none = "the agent has no decision as this player in this episode that it finished: `act` first";
    let player = env.current_player().unwrap();
    assert!(said(&mut env, "mcts:20", player.0).contains(none), "{}", said(&mut env, "mcts:20", player.0));
    env.act(&*agent("mcts:20"), player).unwrap();
    env.search_statistics(&*agent("mcts:20"), player).unwrap();
    // Another player, other settings, another episode.
    assert!(said(&mut env, "mcts:20", (player.0 + 1) % 3).contains(none));
    assert!(said(&mut env, "mcts:21", player.0).contains(none));
    assert!(said(&mut env, "mcts:20", 3).contains("player 3"));
    env.reset(Some(1));
    assert!(said(&mut env, "mcts:20", player.0).contains(none));
    // A search that was ended early has found nothing.
    let searching = agent("mcts:2000");
    env.act(&*searching, player).unwrap();
    let looks = AtomicU32::new(0);
    let ended = env.act_while(&*searching, player, &|| looks.fetch_add(1, Ordering::Relaxed) < 2);
    assert_eq!(ended, Ok(None));
    assert!(said(&mut env, "mcts:2000", player.0).contains(none));
}
