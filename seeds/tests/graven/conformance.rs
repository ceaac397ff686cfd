//! The conformance suite: the default options for every number of players, and each option switched for the fewest and the most.

use crate::files::files;
use playmat_conformance::{SuiteConfig, conformance, game_page};
use playmat_graven::ENTRY;

game_page!(page, ENTRY, files(ENTRY.id));
conformance!(
    conf_graven,
    ENTRY,
    players = 2..=4,
    options = [default = {}],
    config = SuiteConfig { sweep: 100, ..SuiteConfig::scaled(0.5) }
);
// Less of each option.
conformance!(conf_graven_options, ENTRY, players = [2, 4], options = [
    random_decks = {"decks": "random"},
    built_decks = {"decks": "build"},
    hidden_lists = {"open_decklists": "hidden"},
    open_lists = {"decks": "random", "open_decklists": "open"},
    windows_possible = {"windows": "possible"},
    all_possible = {"decks": "random", "windows": "possible", "search_reveals": false},
    hidden_searches = {"search_reveals": false, "decks": "random", "first_player": "random"},
    few_turns = {"max_turns": 7},
], config = SuiteConfig { sweep: 100, ..SuiteConfig::scaled(0.35) });
conformance!(conf_graven_players, ENTRY, players = 2..=2, options = [
    named = {"decks": ["blight", "siege"], "first_player": 1},
    one_builder = {"decks": ["build", "siege"]},
    hidden_decks = {"decks": ["blight", "siege"], "open_decklists": "hidden"},
    hidden_builder = {"decks": ["blight", "build"], "open_decklists": "hidden"},
], config = SuiteConfig { sweep: 100, ..SuiteConfig::scaled(0.35) });
