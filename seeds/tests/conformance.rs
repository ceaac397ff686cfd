//! The conformance suite, one line per game.

use playmat_core::conformance;
use playmat_core::conformance::Hooks;
use playmat_core::prelude::Seats;
use playmat_seeds::graphia::Graphia;
use playmat_seeds::graphia::state::{State, Terrain};

/// What the suite cannot know of Graphia by itself.
fn graphia() -> Hooks<Graphia> {
    Hooks {
        content: Some(|| include_str!("../content/graphia.toml")),
        expected: Some(|game| {
            let terrains = Terrain::ALL.iter().map(|terrain| format!("terrain {}", terrain.name()));
            terrains.chain(game.shapes().iter().map(|shape| format!("shape {}", shape.id))).collect()
        }),
        // The viewer's empty squares in the line: its sheet and the number say it, both of which are public.
        own_public: &["target"],
        // A choice that is made and cannot be taken back; the shape is observed as soon as it is to be placed.
        useless: &["own_choice"],
        relabel: Some(relabel),
        ..Hooks::default()
    }
}

/// With this option an observation leaves the others' sheets out on purpose; the JSON shows them.
fn summary() -> Hooks<Graphia> {
    Hooks { useless: &["own_choice", "sheets"], ..graphia() }
}

/// The same position with every seat moved on by `by`. Nothing in the game depends on where a seat sits.
fn relabel(game: &Graphia, state: &State, by: usize) -> Option<State> {
    let players = game.players();
    let seats = |of: Seats| of.iter().map(|seat| seat.relative(by, players)).collect();
    let mut moved = *state;
    for seat in 0..players {
        let to = (seat + by) % players;
        moved.sheets[to] = state.sheets[seat];
        moved.shapes[to] = state.shapes[seat];
        moved.places[to] = state.places[seat];
    }
    moved.acting = seats(state.acting);
    moved.asked = seats(state.asked);
    moved.chose = seats(state.chose);
    Some(moved)
}

conformance!(conf_graphia, Graphia, players = 1..=8, options = [
    default = {},
    gate_group = {"nexus_gate": "group"},
    gate_both = {"nexus_gate": "both"},
    adjacency_all = {"nexus_adjacency": "all"},
    desert_pair = {"desert_scoring": "pair"},
], hooks = graphia());

conformance!(conf_graphia_summary, Graphia, players = 1..=8, options = [
    others_summary = {"observe_others": "summary"},
], hooks = summary());
