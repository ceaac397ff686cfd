//! The inputs of a network of the engine at the leaves of simulations, and its outputs.

use super::tree::Tree;
use super::walk::{Leaf, Walk, greedy_action};
use crate::game::Game;
use crate::network::Network;
use crate::player::Player;
use crate::rng::Rng;

/// Rows of a network's inputs, and the outputs of its last evaluation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evaluation {
    inputs: Vec<u8>,
    logits: Vec<f32>,
    values: Vec<f32>,
}

impl Evaluation {
    /// Removes all inputs. The outputs stay.
    pub(super) fn clear(&mut self) {
        self.inputs.clear();
    }

    /// Adds the inputs of a leaf: a row of its player, whose observation the tree has kept, and with `all_players` one of each other player.
    /// Returns the number of rows.
    #[expect(clippy::too_many_arguments, reason = "what rows are made of")]
    pub(super) fn push_leaf<G: Game>(
        &mut self,
        network: &Network,
        tree: &mut Tree,
        game: &G,
        walk: &Walk<G::State>,
        leaf: &Leaf<G::Legal>,
        all_players: bool,
        rng: &mut Rng,
    ) -> usize {
        self.push_player(network, tree, game, walk, leaf.player, rng);
        if !all_players {
            return 1;
        }
        let players = game.info().players;
        for player in Player::all(players).filter(|player| *player != leaf.player) {
            tree.see(game, &walk.state, player);
            self.push_player(network, tree, game, walk, player, rng);
        }
        players
    }

    /// Adds the row of a player, whose observation the tree has kept.
    fn push_player<G: Game>(
        &mut self,
        network: &Network,
        tree: &Tree,
        game: &G,
        walk: &Walk<G::State>,
        player: Player,
        rng: &mut Rng,
    ) {
        let (start, seen) = (self.inputs.len(), tree.seen());
        self.inputs.resize(start + network.input_size(), 0);
        let row = &mut self.inputs[start..];
        row[..seen.len()].copy_from_slice(seen);
        if network.takes_greedy() {
            network.write_greedy(row, greedy_action(game, &walk.state, player, rng));
        }
    }

    /// Evaluates all inputs.
    pub(super) fn run(&mut self, network: &Network) {
        let rows = self.inputs.len() / network.input_size();
        self.logits.resize(rows * network.actions(), 0.0);
        self.values.resize(rows, 0.0);
        network.evaluate(&self.inputs, &mut self.logits, &mut self.values);
    }

    /// The logits of row `at`, and the values of `rows` rows from there on.
    pub(super) fn outputs(&self, network: &Network, at: usize, rows: usize) -> (&[f32], &[f32]) {
        let actions = network.actions();
        (&self.logits[at * actions..][..actions], &self.values[at..at + rows])
    }
}
