//! The conformance suite: the default options for every number of players, and each option switched for the fewest and the most.

use crate::files::files;
use playmat_conformance::{SuiteConfig, conformance, game_page};
use playmat_graphia::ENTRY;

game_page!(page, ENTRY, files(ENTRY.id));
conformance!(
    conf_graphia,
    ENTRY,
    players = 1..=8,
    options = [default = {}],
    config = SuiteConfig { sweep: 400, ..SuiteConfig::scaled(0.7) }
);
// Half as much of each option.
conformance!(conf_graphia_options, ENTRY, players = [1, 2, 8], options = [
    gate_group = {"nexus_gate": "group"},
    gate_both = {"nexus_gate": "both"},
    adjacency_all = {"nexus_adjacency": "all"},
    desert_pair = {"desert_scoring": "pair"},
    others_summary = {"observe_others": "summary"},
], config = SuiteConfig { sweep: 200, ..SuiteConfig::scaled(0.35) });

/// A content file of Graphia: name, copies and rows of each kind of card.
fn shapes(kinds: &[(&str, usize, &str)]) -> String {
    let mut text = String::from("name = \"graphia\"\n");
    for (id, copies, rows) in kinds {
        let rows: Vec<String> = rows.split(' ').map(|row| format!("\"{row}\"")).collect();
        let rows = rows.join(", ");
        text.push_str(&format!("[[polyomino]]\nid = \"{id}\"\ncopies = {copies}\nrows = [{rows}]\n"));
    }
    text
}

/// The single square only.
fn single_square() -> String {
    shapes(&[("dot", 2, "#")])
}

/// A deck that leaves a card over.
fn odd_deck() -> String {
    shapes(&[("dot", 1, "#"), ("bar", 3, "###"), ("hook", 1, "#. ##")])
}

/// As many kinds as there can be, up to the largest.
fn sixteen_kinds() -> String {
    let rows = [
        "#",
        "##",
        "###",
        "#. ##",
        "####",
        "## ##",
        ".#. ###",
        ".## ##.",
        "##. .##",
        "#.. ###",
        "..# ###",
        "#####",
        "## ## #.",
        "#.# ###",
        "#.. #.. ###",
        "### ###",
    ];
    let ids: Vec<String> = (0..rows.len()).map(|kind| format!("kind{kind}")).collect();
    let kinds: Vec<_> = ids.iter().zip(rows).map(|(id, rows)| (id.as_str(), 1, rows)).collect();
    shapes(&kinds)
}

macro_rules! other_content {
    ($($name:ident: $low:tt ..= $high:tt),+) => {
        $(
            conformance!($name, ENTRY, players = $low..=$high, options = [
                single_square = {"content": crate::conformance::single_square()},
                odd_deck = {"content": crate::conformance::odd_deck()},
                sixteen_kinds = {"content": crate::conformance::sixteen_kinds()},
            ], config = SuiteConfig { sweep: 60, ..SuiteConfig::scaled(0.25) });
        )+
    };
}

other_content!(conf_graphia_content_p1: 1..=1, conf_graphia_content_p2: 2..=2, conf_graphia_content_p5: 5..=5);
