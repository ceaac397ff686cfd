//! The conformance suite, for every number of players and each option switched.

use crate::files::files;
use playmat_conformance::{SuiteConfig, conformance, game_page};
use playmat_gravitix::ENTRY;

game_page!(page, ENTRY, files(ENTRY.id));
conformance!(
    conf_gravitix,
    ENTRY,
    players = 1..=2,
    options = [default = {}],
    config = SuiteConfig { sweep: 400, ..SuiteConfig::scaled(0.7) }
);
// Half as much of each option.
conformance!(conf_gravitix_options, ENTRY, players = 1..=2, options = [
    islands_1 = {"island_set": "1"},
    islands_2 = {"island_set": "2"},
    islands_3 = {"island_set": "3"},
    islands_1_and_2 = {"island_set": "1+2"},
    columns_4 = {"formation": "4x3"},
    columns_3 = {"formation": "3x4"},
    hard = {"hard": true},
], config = SuiteConfig { sweep: 200, ..SuiteConfig::scaled(0.35) });
conformance!(conf_gravitix_alone, ENTRY, players = 1..=1, options = [
    sailed = {"puzzle_counts": "sailed", "island_set": "2"},
], config = SuiteConfig::scaled(0.35));
conformance!(conf_gravitix_together, ENTRY, players = 2..=2, options = [
    share = {"ships": "share", "formation": "3x4", "island_set": "1+2"},
    handicap = {"handicap": [0, 2], "first_player": 1},
    random_first = {"first_player": "random"},
], config = SuiteConfig::scaled(0.35));
