//! Chance: what is drawn, from what, how often.

use crate::fixture::{Position, chi_square, configured, play, seen, sheet};
use playmat_core::env::Env;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Plays a round 3000 times and counts what the next one shows.
fn count(
    position: &Position,
    texts: &[&str],
    shown: impl Fn(&Value) -> Option<String>,
) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    let first = position.load();
    for seed in 0..3_000 {
        let mut env: Env<_> = first.clone_with_seed(seed);
        play(&mut env, texts);
        if let Some(key) = shown(&seen(&env, None)) {
            *counts.entry(key).or_insert(0) += 1;
        }
    }
    counts
}

#[test]
fn gg_r2_terrains_are_drawn_alike_from_those_left() {
    let position = Position::of(1, "Nexus", 4).set("terrain_left", json!(["River", "Farm", "Tundra"]));
    let counts = count(&position, &["nexus at (4,4)"], |state| Some(state["terrain"].to_string()));
    let expected = ["\"River\"", "\"Farm\"", "\"Tundra\""].map(|name| (name.to_string(), 1.0 / 3.0)).into();
    assert_eq!(counts.len(), 3);
    assert!(chi_square(&counts, &expected) < 13.8, "{counts:?}");
}

#[test]
fn gg_r3c_the_die_shows_one_to_twelve() {
    let position = Position::of(1, "Nexus", 4);
    let counts = count(&position, &["nexus at (4,4)"], |state| Some(state["number"].to_string()));
    let expected = (1..=12).map(|n| (n.to_string(), 1.0 / 12.0)).collect();
    assert_eq!(counts.len(), 12);
    assert!(chi_square(&counts, &expected) < 31.3, "{counts:?}");
}

#[test]
fn gg_r2_pairs_come_by_copies() {
    // From a full deck each of the 28 pairs of cards is equally likely.
    let position = Position::of(1, "Nexus", 4);
    let counts = count(&position, &["nexus at (4,4)"], |state| Some(state["pair"].to_string()));
    let kinds = [("I", 1), ("O", 1), ("T", 2), ("S", 1), ("Z", 1), ("J", 1), ("L", 1)];
    let mut expected = BTreeMap::new();
    for (i, (a, x)) in kinds.iter().enumerate() {
        for (b, y) in &kinds[i..] {
            let ways = if a == b { x * (x - 1) / 2 } else { x * y };
            if ways > 0 {
                expected.insert(json!([a, b]).to_string(), f64::from(ways) / 28.0);
            }
        }
    }
    assert_eq!((expected.len(), counts.len()), (22, 22));
    // The 99.9 % point with 21 degrees of freedom.
    assert!(chi_square(&counts, &expected) < 46.8, "{counts:?}");
    let with_t: u32 = counts.iter().filter(|(pair, _)| pair.contains('T')).map(|(_, n)| n).sum();
    assert!((f64::from(with_t) / 3_000.0 - 13.0 / 28.0).abs() < 0.03, "{with_t}");
}

#[test]
fn gg_r5b_numbers_of_desolations_are_drawn_alike_from_the_unused() {
    let used: Vec<_> = (1..=9).collect();
    let diagonal: Vec<_> = (1..=9).map(|n| (n, n)).collect();
    let position = Position::of(1, "Nexus", 4)
        .set("terrain_left", json!(["Desolation"]))
        .set("desolations_used", used)
        .sheet(0, sheet(&[('O', &diagonal)]));
    // Now and then another Desolation follows at once.
    let last = |state: &Value| {
        let used = state["desolations_used"].as_array()?;
        (used.len() == 10).then(|| used[9].to_string())
    };
    let counts = count(&position, &["nexus at (4,5)"], last);
    let expected = [10, 11, 12].map(|n: u8| (n.to_string(), 1.0 / 3.0)).into();
    assert_eq!(counts.len(), 3);
    assert!(chi_square(&counts, &expected) < 13.8, "{counts:?}");
}

#[test]
fn a_terrain_starts_every_game_alike() {
    let configured = configured(&json!({"players": 1}));
    let mut counts = BTreeMap::new();
    for seed in 0..4_000 {
        let state = seen(&Env::new(configured.clone(), seed), None);
        if state["round"] == 1 {
            *counts.entry(state["terrain"].to_string()).or_insert(0) += 1;
        }
    }
    let expected: BTreeMap<_, _> = counts.keys().map(|name| (name.clone(), 1.0 / 7.0)).collect();
    assert_eq!(counts.len(), 7, "a Desolation is over before anybody decides");
    // The 99.9 % point with 6 degrees of freedom.
    assert!(chi_square(&counts, &expected) < 22.5, "{counts:?}");
}
