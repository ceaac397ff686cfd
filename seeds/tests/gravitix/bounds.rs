//! The largest score and the longest chain of forced moves that the metadata promises.

use crate::fixture::{Play, Position, configured, play, variants};
use playmat_core::game::{Game, Status};
use playmat_core::log::Coverage;
use playmat_core::prelude::*;
use serde_json::{Value, json};

fn range(options: &Value) -> (i32, i32) {
    configured(options).game.info().score_range
}

#[test]
fn the_largest_score_of_a_set_can_be_had() {
    // Set 0: all islands; the last one, a0, is claimed here.
    let mut env = Position::of("a").own(0, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]).hand(0, "RF G").land(0);
    play(&mut env, &["supply", "pay RF"]);
    assert_eq!((env.status(), env.scores()[0]), (Status::Terminated, 32));
    assert_eq!(range(&json!({"island_set": "0"})), (0, 32));
    // Set 3: both colours as well.
    let mut env = Position::of("d").own(0, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]).hand(0, "RF G").land(0);
    play(&mut env, &["supply", "pay RF"]);
    assert_eq!((env.status(), env.scores()[0]), (Status::Terminated, 62));
    assert_eq!(range(&json!({"island_set": "3"})), (0, 62));
    // Set 2: twelve markers on ten islands, two of the dearest doubled; c8 and c6 are left to the other player.
    let own = [1, 2, 3, 4, 5, 7, 9, 10, 11];
    let mut env = Position::of("c").own(0, &own).doubled(2).doubled(7).hand(0, "RF GG").land(0);
    play(&mut env, &["supply", "pay RF"]);
    assert_eq!((env.status(), env.scores()[0]), (Status::Terminated, 36));
    assert_eq!(range(&json!({"island_set": "2"})), (0, 36));
    assert_eq!(range(&json!({"island_set": "1"})), (0, 29));
}

/// The forced moves after the last of these actions.
fn chain(mut env: Play, texts: &[&str]) -> usize {
    let (last, before) = texts.split_last().expect("an action");
    play(&mut env, before);
    let player = env.current_player().expect("somebody acts");
    let action = env.parse_action(Some(player), last).unwrap_or_else(|error| panic!("{error}"));
    let (mut state, mut coverage) = (*env.state(), Coverage::default());
    env.configured().game.apply(&mut state, player, action, &mut Rng::from_seed(1), &mut coverage);
    coverage.forced
}

fn reported(options: &Value) -> usize {
    configured(options).game.info().max_forced
}

#[test]
fn the_longest_chain_of_forced_moves_can_be_had() {
    // Two cards of a kind are the last that pay; the other player has to take, and the only card left is sailed with.
    let two = |map, hand| Position::of(map).hand(0, hand).deck(0, "").hand(1, "").deck(1, "R");
    let set = |set: &str, players: usize| json!({"island_set": set, "players": players});
    assert_eq!(chain(two("a", "RF F F W").land(3), &["supply", "pay RF"]), 4);
    assert_eq!(reported(&set("0", 2)), 4);
    assert_eq!(chain(two("d", "GG F F W").land(1), &["supply", "pay GG"]), 4);
    assert_eq!(reported(&set("3", 2)), 4);
    // The other player loses its only card before.
    assert_eq!(chain(two("c", "RG R R W").hand(1, "G").land(8), &["supply", "pay RG"]), 5);
    assert_eq!(reported(&set("2", 2)), 5);
    // Hard: nobody takes.
    assert_eq!(chain(two("a", "RF F F W").option("hard", true).land(3), &["supply", "pay RF"]), 3);
    assert_eq!(reported(&json!({"island_set": "0", "hard": true})), 3);
    // The puzzle has twice as many cards of a kind.
    let one = |map, hand| Position::alone(map).hand(0, hand).deck(0, "");
    assert_eq!(chain(one("a", "RGG F F F F W").land(9), &["supply", "pay RGG"]), 5);
    assert_eq!(chain(one("c", "RRG F F F F W").land(9), &["supply", "pay RRG"]), 5);
    assert_eq!(chain(one("d", "RG F F F F W").land(10), &["supply", "pay RG"]), 5);
    assert!(["0", "2", "3"].iter().all(|number| reported(&set(number, 1)) == 5));
    // Abilities: what discounts, shifts, an island given up and exchanges exclude of each other the bound only half knows.
    let all = two("b", "FF FF W").own(0, &[2, 9, 10, 11]).pending(0, "next_minus_two");
    assert_eq!((chain(all.land(7), &["supply"]), reported(&set("1", 2))), (9, 12));
}

fn add(cards: &mut serde_json::Map<String, Value>, id: String) {
    let count = cards.get(&id).and_then(Value::as_i64).unwrap_or(0) + 1;
    cards.insert(id, count.into());
}

/// Plays on at random and returns the longest chain of forced moves and the largest score.
fn longest(options: &Value, json: &Value, seed: u64) -> Option<(usize, i32)> {
    let game = configured(options).game.clone();
    let mut rng = Rng::from_seed(seed);
    let mut draws = Rng::from_seed(seed ^ 0xf0);
    let mut state = game.restore(json, &mut rng).ok()?;
    let (mut coverage, mut most, mut score) = (Coverage::default(), 0, 0);
    while let Some(player) = game.acting(&state).first() {
        let legal = game.legal(&state, player);
        // Islands are supplied whenever they can be: payments are where chains are.
        let supply =
            legal.iter().find(|&action| game.action_text(Some((&state, player)), action) == "supply");
        let action = supply.filter(|_| draws.below(8) > 0).unwrap_or_else(|| draws.pick(&legal));
        let before = coverage.forced;
        game.apply(&mut state, player, action, &mut rng, &mut coverage);
        most = most.max(coverage.forced - before);
        score = score.max(game.scores(&state)[0]).max(game.scores(&state)[1]);
    }
    Some((most, score))
}

#[test]
fn no_chain_of_forced_moves_exceeds_the_bound() {
    let mut seen = 0;
    for (number, options) in variants().iter().enumerate() {
        let game = configured(options).game.clone();
        let (bound, (_, best)) = (game.info().max_forced, game.info().score_range);
        let players = game.players();
        for seed in 0..40u64 {
            // A position with few cards: ships anywhere, hands and decks of a few cards, some islands owned.
            let mut draws = Rng::from_seed(seed * 100 + number as u64);
            let mut rng = Rng::from_seed(seed);
            let mut json = game.describe(&game.deal(&mut rng, &mut Silent), None);
            // What follows from the rest would have to agree.
            let own =
                ["turn", "phase", "islands", "ships", "hands", "decks", "discards", "pending", "sailed"];
            json.as_object_mut().unwrap().retain(|name, _| own.contains(&name.as_str()));
            let kinds: Vec<String> = game.kinds().iter().map(|kind| kind.id.clone()).collect();
            for player in 0..players {
                let mut left: Vec<String> = Vec::new();
                for (kind, &count) in kinds.iter().zip(game.deck()) {
                    left.extend(std::iter::repeat_n(kind.clone(), count.into()));
                }
                for zone in ["hands", "decks"] {
                    let mut cards = serde_json::Map::new();
                    for _ in 0..draws.below(6) {
                        let id = left.swap_remove(draws.below(left.len() as u32) as usize);
                        add(&mut cards, id);
                    }
                    json[zone][player] = cards.into();
                }
                let mut cards = serde_json::Map::new();
                for id in left {
                    add(&mut cards, id);
                }
                json["discards"][player] = cards.into();
                json["ships"][player] = json["islands"][draws.below(12) as usize]["cell"].clone();
            }
            for slot in 0..12 {
                json["islands"][slot]["owner"] = match draws.below(3) {
                    0 => Value::Null,
                    n => json!((n as usize - 1) % players),
                };
            }
            json["phase"] = "turn".into();
            if let Some((chain, score)) = longest(options, &json, seed) {
                assert!(chain <= bound, "{options}, seed {seed}: {chain} forced moves, the bound is {bound}");
                assert!(score <= best, "{options}, seed {seed}: {score} points, the bound is {best}");
                seen = seen.max(chain);
            }
        }
    }
    assert!(seen >= 3, "chains of {seen} at most: nothing was tried");
}
