//! The conformance suite: the default options for every number of players, and each option switched for the fewest and the most.

use crate::files::files;
use playmat_conformance::{SuiteConfig, conformance, game_page};
use playmat_rafts::ENTRY;

game_page!(page, ENTRY, files(ENTRY.id));
conformance!(
    conf_rafts,
    ENTRY,
    players = 2..=6,
    options = [default = {}],
    config = SuiteConfig { sweep: 100, ..SuiteConfig::scaled(0.5) }
);
// Half as much of each option.
conformance!(conf_rafts_options, ENTRY, players = [2, 6], options = [
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
], config = SuiteConfig { sweep: 100, ..SuiteConfig::scaled(0.25) });
// Twelve goals and a rare chain of cards: what takes effect shows in more games than the other checks need.
conformance!(
    conf_rafts_rules,
    ENTRY,
    players = 2..=6,
    options = [default = {}],
    config = SuiteConfig {
        sweep: 600,
        sweep_decisions: 200_000,
        only: ["M8", "T7"].map(String::from).into(),
        ..SuiteConfig::scaled(0.1)
    }
);
