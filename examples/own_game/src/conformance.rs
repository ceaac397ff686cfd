//! Facts for the conformance suite that it cannot derive from play.

use crate::state::State;
use crate::{LiarsDice, sample};
use playmat_core::hooks::same;
use playmat_core::prelude::*;

pub(crate) fn hooks(_: &LiarsDice) -> Hooks<LiarsDice> {
    Hooks {
        none: &[("relabel", "player 0 always bids first: no position has its players renamed")],
        expected: Some(expected),
        // Random play shows it.
        idle: &[(
            "LD-R4",
            "of two greedy players, the one that doubts has no six, and a bidder with a six bids sixes",
        )],
        duplicates: Some(|_, _, _, _, _| false),
        consistent: Some(consistent),
        determinizations: Some(sample::determinizations),
        // The first axis is the number of dice of a bid: as many as players, who have one die each.
        not_by_player: &["bids"],
        perfect_recall: true,
        ..Hooks::default()
    }
}

fn expected(game: &LiarsDice) -> Vec<String> {
    let rules = ["LD-R1", "LD-R2", "LD-R3", "LD-R5"];
    rules.into_iter().chain(game.wild.then_some("LD-R4")).map(String::from).collect()
}

fn consistent(_: &LiarsDice, state: &State, viewer: Player, sample: &State) -> Result<(), String> {
    let known = |state: &State| (state.bids, state.called, state.dice[viewer.index()]);
    same("the bids, whether the last one was doubted, and the own die", state, sample, known)
}
