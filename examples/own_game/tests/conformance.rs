//! The conformance suite, for every number of players and each option switched; and what stands beside the code: page, golden playthroughs,
//! texts. `UPDATE=1 cargo test page` writes the playthroughs and tables of `rules.md`; review them.

use liars_dice::ENTRY;
use playmat_conformance::{conformance, game_page};

game_page!(page, ENTRY);
conformance!(conf_liars_dice, ENTRY, players = 2..=4, options = [
    default = {},
    tame = {"wild": false},
]);
