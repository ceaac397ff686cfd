//! The conformance suite, for every number of players and each option switched, and the golden playthroughs.

use liars_dice::ENTRY;
use playmat_core::conformance;
use std::path::Path;

conformance!(conf_liars_dice, ENTRY, players = 2..=4, options = [
    default = {},
    tame = {"wild": false},
]);

/// M6: `UPDATE=1 cargo test` writes the playthroughs; review what changed.
#[test]
fn conf_m6_golden_playthroughs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    conformance::compare_golden(&ENTRY, &folder, std::env::var_os("UPDATE").is_some()).unwrap();
}
