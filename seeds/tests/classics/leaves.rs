//! A search whose network is evaluated outside of the engine is the engine's own search, bit by bit.

use crate::fixture::configured;
use playmat_classics::TicTacToe;
use playmat_core::agent::Knowledge;
use playmat_core::any::AnyLeafSearch;
use playmat_core::bits::LegalSet;
use playmat_core::env::{ConfiguredGame, Env};
use playmat_core::network::Network;
use playmat_core::rng::Rng;
use playmat_core::search::{LeafSearch, Leaves, Plan, Search, Settings};
use playmat_core::vec::Rows;
use serde_json::json;
use std::sync::Arc;

#[test]
fn one_leaf_at_a_time_gives_the_visits_of_the_engines_own_search() {
    let configured = configured::<TicTacToe>(&json!({}));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/networks/tic_tac_toe.onnx");
    let network = Network::load(path, &configured).unwrap();
    for options in [
        "",
        ",dirichlet_alpha=0.3,temperature=1",
        ",dirichlet_alpha=1,dirichlet_fraction=0.9",
        ",prior_temperature=2.5",
    ] {
        compare(&configured, &network, options);
    }
}

fn compare(configured: &Arc<ConfiguredGame<TicTacToe>>, network: &Network, options: &str) {
    let settings: Settings = format!("60,policy=a.onnx{options}").parse().unwrap();
    let keep_going = &|| true;
    let plan = Plan { settings: &settings, kind: network.reward(), network: Some(network), keep_going };
    let temperature = settings.temperature as f32 / 100.0;
    let mut outside = LeafSearch::new(configured, &format!("mcts:60{options}"), 1, 1).unwrap();
    let sizes = outside.sizes();
    let (mut obs, mut logits, mut value) = (vec![0; sizes.observation], vec![0.0; sizes.actions], [0.0]);
    for seed in 0..20 {
        let (mut env, mut chance) = (Env::new(configured.clone(), seed), Rng::from_seed(seed));
        while let Some(player) = env.current_player() {
            let legal = env.legal(player);
            let known = Knowledge::new(&*configured.game, env.state(), player, &legal);
            let (mut inside, rng) = (Search::default(), &mut Rng::from_seed(seed + 9));
            let wanted = inside.run_while(&known, &plan, None, rng).unwrap().to_vec();
            outside.search(0, &known, &mut Rng::from_seed(seed + 9)).unwrap();
            while outside
                .collect(&mut Leaves { rows: 1, obs: Rows::U8(&mut obs), ..Leaves::default() })
                .unwrap()
                > 0
            {
                network.evaluate(&obs, &mut logits, &mut value);
                let scaled = value.map(|value| value / network.reward_scale());
                outside.feed(&logits, &scaled).unwrap();
            }
            if legal.len() > 1 {
                assert_eq!(outside.candidates(0).unwrap(), wanted);
                let mut chosen = [0];
                outside.actions(None, &mut chosen).unwrap();
                assert_eq!(Some(chosen[0]), inside.choose(temperature).map(|action| action.0.into()));
            }
            let action = chance.pick(&legal);
            env.step(action.0.into()).unwrap();
        }
    }
}
