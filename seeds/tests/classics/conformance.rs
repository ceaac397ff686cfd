//! The conformance suite: the default options for every number of players, and each option switched for the fewest and the most.

use crate::files::files;
use playmat_classics::{CONNECT_FOUR, GOOFSPIEL, KUHN_POKER, LEDUC_POKER, TIC_TAC_TOE};
use playmat_conformance::{SuiteConfig, conformance, game_page};

game_page!(page_connect_four, CONNECT_FOUR, files(CONNECT_FOUR.id));
game_page!(page_goofspiel, GOOFSPIEL, files(GOOFSPIEL.id));
game_page!(page_kuhn_poker, KUHN_POKER, files(KUHN_POKER.id));
game_page!(page_leduc_poker, LEDUC_POKER, files(LEDUC_POKER.id));
game_page!(page_tic_tac_toe, TIC_TAC_TOE, files(TIC_TAC_TOE.id));
conformance!(conf_connect_four, CONNECT_FOUR, players = 2..=2, options = [default = {}]);
conformance!(conf_goofspiel, GOOFSPIEL, players = 2..=8, options = [default = {}]);
// Half as much of each option.
conformance!(conf_goofspiel_options, GOOFSPIEL, players = [2, 8], options = [
    two_cards = {"num_cards": 2},
    fifteen_cards = {"num_cards": 15},
    few_turns = {"num_turns": 4},
    descending = {"points_order": "descending"},
    ascending = {"points_order": "ascending"},
    difference = {"returns_type": "point_difference"},
    total = {"returns_type": "total_points"},
], config = SuiteConfig::scaled(0.5));
conformance!(conf_goofspiel_hidden, GOOFSPIEL, players = 2..=2, options = [
    default = {"imp_info": true},
    descending = {"imp_info": true, "points_order": "descending", "num_cards": 4},
]);
conformance!(conf_kuhn_poker, KUHN_POKER, players = 2..=8, options = [default = {}]);
conformance!(conf_leduc_poker, LEDUC_POKER, players = 2..=8, options = [default = {}]);
conformance!(conf_tic_tac_toe, TIC_TAC_TOE, players = 2..=2, options = [default = {}]);
