//! A search whose network is evaluated outside of the engine is the engine's own search, bit by bit.

use crate::fixture::configured;
use playmat_classics::TicTacToe;
use playmat_core::agent::Knowledge;
use playmat_core::bits::LegalSet;
use playmat_core::env::Env;
use playmat_core::network::Network;
use playmat_core::rng::Rng;
use playmat_core::search::{AnyLeafSearch, LeafSearch, Leaves, Search, Settings};
use playmat_core::vec::Rows;
use serde_json::json;

#[test]
fn one_leaf_at_a_time_gives_the_visits_of_the_engines_own_search() {
    let configured = configured::<TicTacToe>(&json!({}));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/networks/tic_tac_toe.onnx");
    let network = Network::load(path, &configured).unwrap();
    let settings: Settings = "60".parse().unwrap();
    let mut outside = LeafSearch::new(&configured, "mcts:60", 1, 1).unwrap();
    let sizes = outside.sizes();
    let (mut obs, mut logits, mut value) = (vec![0; sizes.observation], vec![0.0; sizes.actions], [0.0]);
    for seed in 0..20 {
        let (mut env, mut chance) = (Env::new(configured.clone(), seed), Rng::from_seed(seed));
        while let Some(player) = env.current_player() {
            let legal = env.legal(player);
            let known = Knowledge::new(&*configured.game, env.state(), player, &legal);
            let (mut inside, rng) = (Search::default(), &mut Rng::from_seed(seed + 9));
            let wanted =
                inside.run_with(&known, &settings, network.reward(), Some(&network), None, rng).to_vec();
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
            }
            let action = chance.pick(&legal);
            env.step(action.0.into()).unwrap();
        }
    }
}
