//! The observation segment by segment, written plainly from the state, beside the engine's, whose stores are larger than the segments.

use crate::content::SMALL;
use crate::fixture::{every_position, observed};
use playmat_conformance::testing;
use playmat_core::game::Game;
use playmat_rafts::Rafts;
use playmat_rafts::state::{GoalKind, Kind, Phase, State};
use serde_json::json;

/// As many kinds of everything as a content may have.
fn large() -> String {
    let cards = |name: &str, count: usize, copies: usize| -> String {
        let card = |k| format!("{{ id = \"{name}{k}\", name = \"Number {k}\", copies = {copies} }},");
        (0..count).map(card).collect()
    };
    let losses = ["bacterium", "gene", "time", "money", "medium"].into_iter().flat_map(|what| {
        ["one", "all"].map(|who| format!("kind = \"lose\", what = \"{what}\", who = \"{who}\""))
    });
    let others = ["exchange_goal", "extra_bench", "recover", "extra_goal", "snatch"];
    let effects = others.map(|kind| format!("kind = \"{kind}\"")).into_iter().chain(losses);
    let steal = "kind = \"steal\", parts = [\"bacterium\", \"gene\", \"raft\"]".to_string();
    let action = |(k, effect): (usize, String)| {
        format!("{{ id = \"A{k}\", name = \"Act {k}\", copies = 7, effect = {{ {effect} }} }},\n")
    };
    let actions: String = effects.chain([steal]).enumerate().map(action).collect();
    let goal = |k: usize| {
        let (bacterium, gene) = (k % 8, k % 12);
        format!(
            "{{ id = \"g{k}\", name = \"Goal {k}\", bacterium = \"B{bacterium}\", gene = \"G{gene}\", medium = 2, time = 1, money = {}, copies = 3 }},\n",
            k % 3
        )
    };
    let goals: String = (0..16).map(goal).collect();
    let (bacteria, genes) = (cards("B", 8, 4), cards("G", 12, 5));
    let generic = "{ time = 25, money = 25, medium = 25, raft = 9 }";
    format!(
        "name = \"rafts\"\nbacterium = [{bacteria}]\ngene = [{genes}]\ngeneric = {generic}\naction = [{actions}]\ngoal = [{goals}]\n"
    )
}

/// One byte of `len` is 1, or none.
fn mark(len: usize, place: Option<usize>) -> Vec<u8> {
    (0..len).map(|k| u8::from(Some(k) == place)).collect()
}

/// What a segment of `len` bytes must hold.
fn expected(game: &Rafts, state: &State, viewer: usize, name: &str, len: usize) -> Vec<u8> {
    let (players, resources) = (game.players(), game.resources());
    let player_of = |j: usize| (viewer + j) % players;
    let kind = |kind: Option<Kind>| kind.map(Kind::index);
    let own = &state.players[viewer];
    if let Some((j, name)) = testing::subject(name) {
        let player = player_of(j);
        let theirs = &state.players[player];
        let bacteria = game.info().observation.segment("own_bench0_bacterium").unwrap().len();
        let gene = |bench: usize| kind(theirs.benches[bench][1]).map(|k| k - bacteria);
        return match name {
            "bench0_bacterium" => mark(len, kind(theirs.benches[0][0])),
            "bench0_gene" => mark(len, gene(0)),
            "bench1_bacterium" => mark(len, kind(theirs.benches[1][0])),
            "bench1_gene" => mark(len, gene(1)),
            "lab_expansion" => vec![theirs.lab.into()],
            "generics" => theirs.generics.to_vec(),
            "goals" => (0..len).map(|goal| (theirs.goals >> goal & 1) as u8).collect(),
            "missing" => vec![theirs.missing],
            "hand_size" => theirs.held.to_vec(),
            "known_hand" => theirs.known[..len].to_vec(),
            "exempt" => vec![state.shields >> player & 1],
            "turn_player" => vec![u8::from(usize::from(state.turn_player) == player)],
            _ => panic!("{name}"),
        };
    }
    match name {
        "phase" => {
            let decides = !state.phase.is_over() && usize::from(state.cursor) == viewer;
            mark(len, Phase::ALL.iter().position(|&phase| decides && phase == state.phase))
        }
        "hand" => own.hand[..len].to_vec(),
        "resolving" => mark(len, kind(state.resolving).map(|k| k - resources)),
        "placing" => mark(len, kind(state.placing)),
        "receiving" => mark(len, state.receiving.map(GoalKind::index)),
        "partner" => mark(
            len,
            state.partner.and_then(|other| (0..players).find(|&j| player_of(j) == usize::from(other))),
        ),
        "last_discard" => mark(len, kind(state.last)),
        "discards" => state.discards[..len].to_vec(),
        "actions_played" => state.played[..len].to_vec(),
        "deck_sizes" => state.sizes.to_vec(),
        "deck_bound" => (0..len).map(|k| bound(state, viewer, k)).collect(),
        "goals_left" => state.goals_left[..len].to_vec(),
        "clock" => vec![(255 * usize::from(state.turn) / (60 * players)) as u8],
        _ => panic!("{name}"),
    }
}

/// RA-K1: what lies neither open nor in the own hand nor openly in another one, and was in the deck and not drawn by the viewer.
fn bound(state: &State, viewer: usize, k: usize) -> u8 {
    let own = &state.players[viewer];
    let others = state.players.iter().enumerate().filter(|(player, _)| *player != viewer);
    let known: u8 = others.map(|(_, player)| player.known[k]).sum();
    (state.closed[k] - own.hand[k] - known).min(state.shuffled[k] - own.drawn[k])
}

#[test]
fn every_byte_is_as_the_segments_say_with_any_number_of_kinds() {
    let (builtin, mut seen) = (json!("rafts"), [0; 4]);
    for content in [builtin, json!(SMALL), json!(large())] {
        for players in [2, 3, 6] {
            let options = json!({"players": players, "content": content});
            every_position(&options, 0..8, |env| {
                let (game, state) = (&env.configured().game, env.state());
                for viewer in 0..players {
                    let found = observed(game, state, viewer as u8);
                    for segment in &game.info().observation.segments {
                        let bytes = &found[segment.offset..][..segment.len()];
                        let expected = expected(game, state, viewer, &segment.name, segment.len());
                        assert_eq!(bytes, expected, "{} of player {viewer}, {players} players", segment.name);
                    }
                }
                let chosen = [state.resolving, state.placing].map(|kind| kind.is_some());
                let exchange = [state.partner.is_some(), state.receiving.is_some()];
                for (seen, is_there) in seen.iter_mut().zip(chosen.into_iter().chain(exchange)) {
                    *seen += u32::from(is_there);
                }
            });
        }
    }
    assert!(seen.iter().all(|&count| count > 0), "resolving, placing, partner, receiving: {seen:?}");
}
