//! Hooks of Toll for the conformance suite: permuted players, all possible states of a small position, consistency of samples.

use super::{CARDS, Phase, Toll, TollState};
use crate::player::turned;
use crate::prelude::*;

/// Hooks of this game; public for games that wrap it.
impl Toll {
    /// The same position with player `s` renamed to `s + turn`.
    pub fn relabelled(&self, state: &TollState, turn: usize) -> TollState {
        let players = self.players();
        let moved = |entries| turned(entries, turn, players);
        TollState {
            phase: state.phase,
            card: moved(&state.card),
            aside: moved(&state.aside),
            deck: state.deck,
            coins: moved(&state.coins),
            bid: moved(&state.bid),
            chosen: state.chosen.turned(turn, players),
            raises: moved(&state.raises),
            turns: moved(&state.turns),
            inside: state.inside.turned(turn, players),
            turn: Player(state.turn).relative(turn % players, players).0,
        }
    }

    /// During the bids, all states that `viewer` considers possible, with equal probabilities.
    pub fn determinizations(&self, state: &TollState, viewer: Player) -> Option<Determinizations<TollState>> {
        if state.phase != Phase::Bids {
            return None;
        }
        let have_bid = Players::all(self.players()).chosen_in_sample(viewer, !state.chosen.contains(viewer));
        let own = Players(state.chosen.0 & Players::one(viewer).0);
        let chosen = Players(own.0 | have_bid.0);
        let mut samples = vec![TollState { deck: 0, chosen, ..*state }];
        for player in Player::all(self.players()).filter(|&player| player != viewer) {
            let k = player.index();
            let has_bid = have_bid.contains(player);
            let bids = if has_bid { 0..3 } else { 0..1 };
            let ways = |sample: &TollState| -> Vec<TollState> {
                // Cards given to players before this one, and the viewer's, are taken.
                let taken = Player::all(self.players()).filter(|&s| s == viewer || s < player);
                let taken = taken.fold(0u8, |set, s| set | 1 << sample.card[s.index()]);
                let free = (0..CARDS as u8).filter(|card| taken >> card & 1 == 0);
                let both = free.flat_map(|card| bids.clone().map(move |bid| (card, bid)));
                let with = |(card, bid)| {
                    let mut other = *sample;
                    (other.card[k], other.bid[k]) = (card, bid);
                    other
                };
                both.map(with).collect()
            };
            samples = samples.iter().flat_map(ways).collect();
        }
        let p = 1.0 / samples.len() as f64;
        let all = (1u8 << CARDS) - 1;
        let rest = |sample: &TollState| {
            Player::all(self.players()).fold(all, |set, player| set & !(1 << sample.card[player.index()]))
        };
        Some(samples.into_iter().map(|sample| (TollState { deck: rest(&sample), ..sample }, p)).collect())
    }

    /// Checks that the sample has the same public history.
    ///
    /// # Errors
    /// A message if it differs.
    pub fn consistent(&self, state: &TollState, viewer: Player, sample: &TollState) -> Result<(), String> {
        let seen = |s: &TollState| {
            let aside = s.aside.map(u8::count_ones);
            (s.chosen.contains(viewer), s.coins, s.raises, s.turns, s.inside.0, s.turn, aside)
        };
        crate::hooks::same("what others did", state, sample, seen)
    }
}
