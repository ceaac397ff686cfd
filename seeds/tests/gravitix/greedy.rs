//! Gravitix's greedy agent: how well it plays.

use crate::fixture::{against_random, configured};
use playmat_core::agent::Greedy;
use playmat_core::survey::survey;
use serde_json::json;

#[test]
fn greedy_wins_nine_games_in_ten_as_either_player() {
    for player in 0..2 {
        let found = against_random(&json!({}), player, 200);
        assert!(found.victories[player] >= 0.9, "player {player}: {:?}", found.victories);
        assert!(found.scores[player].mean > found.scores[1 - player].mean + 10.0);
    }
}

#[test]
fn greedy_wins_with_every_set_and_formation() {
    for set in ["0", "1", "2", "3", "1+2"] {
        for (formation, hard) in [("4x3", false), ("3x4", false), ("2x6", true)] {
            let options = json!({"island_set": set, "formation": formation, "hard": hard});
            let found = against_random(&options, 1, 40);
            assert!(found.victories[1] >= 0.9, "{options}: {:?}", found.victories);
        }
    }
}

#[test]
fn greedy_games_are_of_plausible_length() {
    for set in ["0", "1", "2", "3", "1+2"] {
        let found = survey(&configured(&json!({"island_set": set})), 60, 3, &[&Greedy]);
        assert!((50.0..130.0).contains(&found.decisions.mean), "{set}: {:?}", found.decisions);
        let claims: u64 =
            found.coverage.iter().filter(|(name, _)| name.starts_with("face ")).map(|(_, n)| n).sum();
        assert!(claims as f64 / 60.0 > 9.0, "{set}: {claims}");
        // Every card is used and every island supplied.
        for kind in configured(&json!({})).game.kinds() {
            assert!(found.coverage.contains_key(&format!("card {}", kind.id)), "{set}: {}", kind.id);
        }
    }
}
