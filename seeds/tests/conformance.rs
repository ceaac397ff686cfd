//! The conformance suite, one line per game.

use playmat_core::conformance;
use playmat_seeds::graphia::Graphia;

conformance!(conf_graphia, Graphia, players = 1..=8, options = [
    default = {},
    gate_group = {"nexus_gate": "group"},
    gate_both = {"nexus_gate": "both"},
    adjacency_all = {"nexus_adjacency": "all"},
    desert_pair = {"desert_scoring": "pair"},
    others_summary = {"observe_others": "summary"},
]);
