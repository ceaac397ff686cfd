//! The conformance suite, one line per game, and its golden files: playthroughs, counts, digests.
//!
//! `UPDATE=1 cargo test -p playmat-seeds --test conformance golden` writes the files; review what changed.

use playmat_core::any::Entry;
use playmat_core::conformance;
use playmat_core::conformance::{SuiteConfig, golden};
use playmat_core::digest;
use playmat_seeds::GAMES;
use serde_json::{Map, json};
use std::path::Path;

/// A registered game.
fn entry(name: &str) -> &'static Entry {
    GAMES.iter().find(|entry| entry.id == name).expect("the name is registered")
}

conformance!(conf_connect_four, entry("connect_four"), players = 2..=2, options = [default = {}]);
conformance!(conf_goofspiel, entry("goofspiel"), players = 2..=8, options = [
    default = {},
    two_cards = {"num_cards": 2},
    fifteen_cards = {"num_cards": 15},
    few_turns = {"num_turns": 4},
    descending = {"points_order": "descending"},
    ascending = {"points_order": "ascending"},
    difference = {"returns_type": "point_difference"},
    total = {"returns_type": "total_points"},
]);
conformance!(conf_goofspiel_hidden, entry("goofspiel"), players = 2..=2, options = [
    default = {"imp_info": true},
    descending = {"imp_info": true, "points_order": "descending", "num_cards": 4},
]);
conformance!(conf_graft, entry("graft"), players = 2..=5, options = [
    default = {},
    shippers_claim = {"end_of_game_claims": false},
    coins_restricted = {"z_coin_placement": "restricted"},
]);
conformance!(conf_graphia, entry("graphia"), players = 1..=8, options = [
    default = {},
    gate_group = {"nexus_gate": "group"},
    gate_both = {"nexus_gate": "both"},
    adjacency_all = {"nexus_adjacency": "all"},
    desert_pair = {"desert_scoring": "pair"},
    others_summary = {"observe_others": "summary"},
], config = SuiteConfig { sweep: 400, ..SuiteConfig::scaled(0.7) });

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
            conformance!($name, entry("graphia"), players = $low..=$high, options = [
                single_square = {"content": crate::single_square()},
                odd_deck = {"content": crate::odd_deck()},
                sixteen_kinds = {"content": crate::sixteen_kinds()},
            ], config = SuiteConfig { sweep: 60, ..SuiteConfig::scaled(0.25) });
        )+
    };
}

other_content!(conf_graphia_content_p1: 1..=1, conf_graphia_content_p2: 2..=2, conf_graphia_content_p5: 5..=5);

conformance!(conf_gravitix, entry("gravitix"), players = 1..=2, options = [
    default = {},
    islands_1 = {"island_set": "1"},
    islands_2 = {"island_set": "2"},
    islands_3 = {"island_set": "3"},
    islands_1_and_2 = {"island_set": "1+2"},
    columns_4 = {"formation": "4x3"},
    columns_3 = {"formation": "3x4"},
    hard = {"hard": true},
], config = SuiteConfig { sweep: 400, ..SuiteConfig::scaled(0.7) });
conformance!(conf_gravitix_alone, entry("gravitix"), players = 1..=1, options = [
    sailed = {"puzzle_counts": "sailed", "island_set": "2"},
], config = SuiteConfig::scaled(0.5));
conformance!(conf_gravitix_together, entry("gravitix"), players = 2..=2, options = [
    share = {"ships": "share", "formation": "3x4", "island_set": "1+2"},
    handicap = {"handicap": [0, 2], "first_player": 1},
    random_first = {"first_player": "random"},
], config = SuiteConfig::scaled(0.5));
conformance!(conf_graven, entry("graven"), players = 2..=4, options = [
    default = {},
    random_decks = {"decks": "random"},
    built_decks = {"decks": "build"},
    hidden_lists = {"open_decklists": "hidden"},
    open_lists = {"decks": "random", "open_decklists": "open"},
    windows_possible = {"windows": "possible"},
    all_possible = {"decks": "random", "windows": "possible", "search_reveals": false},
    hidden_searches = {"search_reveals": false, "decks": "random", "first_player": "random"},
    few_turns = {"max_turns": 7},
], config = SuiteConfig { sweep: 100, ..SuiteConfig::scaled(0.5) });
conformance!(conf_graven_seats, entry("graven"), players = 2..=2, options = [
    named = {"decks": ["blight", "siege"], "first_player": 1},
    one_builder = {"decks": ["build", "siege"]},
], config = SuiteConfig { sweep: 100, ..SuiteConfig::scaled(0.5) });
conformance!(conf_kuhn_poker, entry("kuhn_poker"), players = 2..=8, options = [default = {}]);
conformance!(conf_leduc_poker, entry("leduc_poker"), players = 2..=8, options = [default = {}]);
conformance!(conf_rafts, entry("rafts"), players = 2..=6, options = [
    default = {},
    first_player = {"first_player": 1},
    few_rounds = {"max_rounds": 9},
    progress = {"unfinished": "progress", "max_rounds": 9},
    claims = {"auto_claim": false},
    any_pairing = {"gene_pairing": "any"},
    double_generics = {"expansion_doubles_generics": true},
    windows_possible = {"windows": "possible"},
    any_moment = {"serendipity_timing": "any_moment"},
    to_table = {"bioeconomy_to": "table"},
    blank_sabotage = {"blank_sabotage": true},
    discard_at_end = {"discard_at_end": true},
    all = {"windows": "possible", "serendipity_timing": "any_moment", "bioeconomy_to": "table",
           "blank_sabotage": true, "discard_at_end": true, "auto_claim": false,
           "gene_pairing": "any", "expansion_doubles_generics": true},
], config = SuiteConfig { sweep: 100, ..SuiteConfig::scaled(0.5) });
// Twelve goals and a rare chain of cards: what takes effect shows in more games than the other checks need.
conformance!(
    conf_rafts_rules,
    entry("rafts"),
    players = 2..=6,
    options = [default = {}],
    config = SuiteConfig {
        sweep: 600,
        sweep_decisions: 200_000,
        only: ["M8", "T7"].map(String::from).into(),
        ..SuiteConfig::scaled(0.1)
    }
);
conformance!(conf_tic_tac_toe, entry("tic_tac_toe"), players = 2..=2, options = [default = {}]);

/// Whether files are to be written instead of compared.
fn update() -> bool {
    std::env::var_os("UPDATE").is_some()
}

#[test]
fn every_game_has_a_line() {
    let lines = include_str!("conformance.rs");
    for game in GAMES {
        assert!(lines.contains(&format!("entry(\"{}\"), players", game.id)), "no line for {}", game.id);
    }
}

/// Every check that needs a hook has it, or the game says why there is none.
#[test]
fn every_hook_is_given_or_has_a_reason() {
    let config = SuiteConfig {
        only: ["A10", "H3", "H4", "M7", "M8", "V11"].map(String::from).to_vec(),
        ..SuiteConfig::scaled(0.01)
    };
    for entry in GAMES {
        for given in digest::configurations(entry).expect("defaults are allowed") {
            let report = (entry.make)(&given).expect("allowed options").conformance(&config);
            let missing: Vec<_> = report.checks.iter().filter(|check| check.not_given.is_some()).collect();
            assert!(missing.is_empty(), "{} {given:?}: {missing:?}", entry.id);
        }
    }
}

/// M6: a playthrough for every game and number of players.
#[test]
fn conf_m6_golden_playthroughs() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let wrong: Vec<String> =
        GAMES.iter().filter_map(|entry| golden::compare_all(entry, &dir, update()).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// S9: the table of digests that is shipped with the Python package and compared there by `playmat digest`.
#[test]
fn conf_s9_digests() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/playmat/digests.json");
    let mut games = Map::new();
    for entry in GAMES {
        let (mut version, mut digests) = (0, Map::new());
        for given in digest::configurations(entry).expect("defaults are allowed") {
            let game = (entry.make)(&given).expect("allowed options");
            version = game.info().version;
            digests.insert(digest::name_of(&given), game.digest(DIGEST_EPISODES).to_string().into());
        }
        games.insert(entry.id.into(), json!({ "version": version, "digests": digests }));
    }
    let table = json!({ "episodes": DIGEST_EPISODES, "games": games });
    let text = serde_json::to_string_pretty(&table).expect("plain JSON") + "\n";
    golden::against_file(&file, &text, update()).unwrap_or_else(|error| panic!("{error}"));
}

/// Episodes that each digest of the table runs over.
const DIGEST_EPISODES: u64 = 20;
