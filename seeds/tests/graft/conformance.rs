//! The conformance suite: the default options for every number of players, and each option switched for the fewest and the most.

use crate::files::files;
use playmat_conformance::{SuiteConfig, conformance, game_page};
use playmat_graft::ENTRY;

game_page!(page, ENTRY, files(ENTRY.id));
conformance!(conf_graft, ENTRY, players = 2..=5, options = [default = {}]);
// Half as much of each option.
conformance!(conf_graft_options, ENTRY, players = [2, 5], options = [
    shippers_claim = {"end_of_game_claims": false},
    coins_restricted = {"z_coin_placement": "restricted"},
], config = SuiteConfig::scaled(0.5));
