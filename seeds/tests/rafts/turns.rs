//! Setup, turn and table: RA-R1 to RA-R6 with their rulings.

use crate::fixture::{
    Position, chi_square, configured, decider, discards, event_names, every_position, last, legal, on_bench,
    phase, play_numbers, player_state, seen, segment, supplies,
};
use playmat_core::env::Env;
use playmat_core::prelude::*;
use playmat_rafts::state::Phase;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn ra_r1_r1a_r1b_the_deal() {
    for players in 2..=6 {
        let configured = configured(&json!({"players": players}));
        let env = Env::new(configured, 11);
        for player in 0..players {
            let own = player_state(&env, player);
            assert_eq!((own.held, own.goal_count()), ([2, 2, 2], 1));
            assert_eq!(own.benches, [[None; 2]; 2]);
            assert_eq!(own.generics, [0; 4]);
            // Nobody else sees the hand.
            let other = Player(((player + 1) % players) as u8);
            assert!(seen(&env, Some(other.0))["players"][player]["hand"].is_null());
            assert!(!seen(&env, Some(player as u8))["players"][player]["hand"].is_null());
        }
        assert_eq!(env.state().sizes, [48 - 2 * players as u8; 3]);
        assert_eq!(env.state().goals_left.iter().sum::<u8>(), 24 - players as u8);
    }
}

#[test]
fn ra_r1c_q17_goals_are_open_and_two_players_may_have_the_same() {
    let configured = configured(&json!({"players": 6}));
    let mut shared = 0;
    for seed in 0..40 {
        let env = Env::new(configured.clone(), seed);
        let goals: Vec<_> =
            (0..6).map(|player| seen(&env, Some(0))["players"][player]["goals"][0].clone()).collect();
        assert!(goals.iter().all(serde_json::Value::is_string));
        let kinds: BTreeSet<String> = goals.iter().map(ToString::to_string).collect();
        shared += usize::from(kinds.len() < 6);
    }
    assert!(shared > 10 && shared < 40, "{shared}");
    // The ban on repeated goals is one player's.
    let message = Position::of(2).goals(0, &["blood", "blood"]).hand(0, "EC").refused();
    assert!(message.contains("players[0].goals[1]: \"blood\" is there twice"), "{message}");
}

#[test]
fn ra_r1d_the_first_turn_is_anybodys_and_turns_pass_clockwise() {
    let random = configured(&json!({"players": 4}));
    let mut first: BTreeMap<u8, u32> = BTreeMap::new();
    for seed in 0..2_000 {
        *first.entry(Env::new(random.clone(), seed).state().turn_player).or_insert(0) += 1;
    }
    let expected: BTreeMap<u8, f64> = (0..4).map(|player| (player, 0.25)).collect();
    // The 99.9 % point with 3 degrees of freedom.
    assert!(first.len() == 4 && chi_square(&first, &expected) < 16.3, "{first:?}");
    let env = Env::new(configured(&json!({"players": 4, "first_player": 2})), 3);
    assert_eq!(env.state().turn_player, 2);
    let mut before = None;
    every_position(&json!({"players": 3, "max_rounds": 5}), 0..2, |env| {
        let (turn, player) = (env.state().turn, env.state().turn_player);
        if let Some((last_turn, last_player)) = before
            && turn == last_turn + 1
            && !env.state().phase.is_over()
        {
            assert_eq!(player, (last_player + 1) % 3);
        }
        before = Some((turn, player));
    });
}

#[test]
fn ra_r2_r2a_cards_are_played_one_by_one_and_then_drawn_up_to_six() {
    let mut env = Position::of(2).hand(0, "EC time money lux").hand(1, "EC").load();
    for card in [0, 14, 15, 6] {
        assert_eq!((decider(&env), phase(&env)), (Some(0), Phase::Main));
        play_numbers(&mut env, &[card]);
    }
    // The hand is empty: the main phase is over without a word.
    assert_eq!(phase(&env), Phase::Draw);
    assert_eq!((on_bench(&env, 0, 0), supplies(&env, 0)), ("EC lux".into(), [1, 1, 0, 0]));
    play_numbers(&mut env, &[34, 34, 35, 35, 36, 36]);
    assert_eq!((decider(&env), player_state(&env, 0).held), (Some(1), [2, 2, 2]));
    // None at all may be played, too.
    let mut env = Position::of(2).hand(0, "EC time").hand(1, "EC").load();
    play_numbers(&mut env, &[32]);
    assert_eq!(phase(&env), Phase::Draw);
}

#[test]
fn ra_r2b_resources_come_to_the_own_table_only() {
    let mut env = Position::of(2).hand(0, "EC time lux").load();
    play_numbers(&mut env, &[0, 14]);
    assert_eq!((on_bench(&env, 0, 0), on_bench(&env, 1, 0)), ("EC -".into(), "- -".into()));
    assert_eq!((supplies(&env, 0)[0], supplies(&env, 1)[0]), (1, 0));
}

#[test]
fn ra_r2c_action_cards_are_used_up_even_if_all_are_shielded() {
    let mut env = Position::of(2).hand(0, "PO EC").hand(1, "BG EC").supplies(1, "time").load();
    play_numbers(&mut env, &[22, 28]);
    assert_eq!(seen(&env, Some(0))["actions_played"], json!({"PO": 1, "BG": 1}));
    assert_eq!((supplies(&env, 1)[0], discards(&env)), (1, json!({})));
    // A Lab expansion lies on the table and is counted among them.
    let mut env = Position::of(2).hand(0, "LE EC").load();
    play_numbers(&mut env, &[24]);
    assert_eq!(seen(&env, None)["actions_played"], json!({"LE": 1}));
    assert!(player_state(&env, 0).lab);
}

#[test]
fn ra_r2d_q14_decks_are_named_one_by_one_never_the_goals() {
    let mut env = Position::of(2).hand(0, "EC").hand(1, "EC").load();
    play_numbers(&mut env, &[32]);
    assert_eq!(legal(&env), [34, 35, 36]);
    for deck in [35, 35, 34, 36, 36] {
        let before = player_state(&env, 0).held;
        play_numbers(&mut env, &[deck]);
        let after = player_state(&env, 0).held;
        assert_eq!(after[usize::from(deck as u8 - 34)], before[usize::from(deck as u8 - 34)] + 1);
        // Its owner sees which card, the others which deck.
        let reported = env.events(Some(Player(0))).unwrap();
        let others = env.events(Some(Player(1))).unwrap();
        let find =
            |events: &[serde_json::Value]| events.iter().find(|e| e["event"] == "drawn").cloned().unwrap();
        assert!(find(&reported)["card"].is_string() && find(&others)["card"].is_null());
        assert_eq!(find(&reported)["deck"], find(&others)["deck"]);
    }
    assert_eq!(decider(&env), Some(1));
}

#[test]
fn ra_r2e_drawing_is_not_optional_and_six_are_the_most() {
    let mut least = 6;
    every_position(&json!({"players": 3}), 0..6, |env| {
        for player in 0..3 {
            assert!(player_state(env, player).hand_size() <= 6);
        }
        if phase(env) == Phase::Draw {
            assert!(player_state(env, env.state().turn_player.into()).hand_size() < 6);
            assert!(legal(env).iter().all(|a| (34..37).contains(a)), "nothing else is legal while drawing");
            least = least.min(player_state(env, env.state().turn_player.into()).hand_size());
        }
    });
    assert!(least < 4);
    let message = Position::of(2).hand(0, "EC*3 time*4").refused();
    assert!(message.contains("players[0].hand: 7 cards; allowed: 0 to 6"), "{message}");
}

#[test]
fn ra_r2f_no_deck_no_card() {
    let mut env = Position::of(2).hand(0, "EC BS").hand(1, "EC").decks("IE", "", "").load();
    play_numbers(&mut env, &[32]);
    // One deck has one card: nothing to name, then nothing to draw.
    assert_eq!((player_state(&env, 0).held, decider(&env)), ([1, 2, 0], Some(1)));
    assert_eq!(event_names(&env, None), ["drawn", "turn_began"]);
}

#[test]
fn ra_r2g_r3_cards_leave_a_hand_by_being_played_only() {
    // Whatever others do, a hand only changes by its owner's play or draw.
    let mut before: Option<([[u8; 40]; 3], Option<u8>)> = None;
    every_position(&json!({"players": 3}), 20..24, |env| {
        let hands = [0, 1, 2].map(|player| player_state(env, player).hand);
        if let (Some((old, Some(actor))), true) = (before, env.decisions() > 0) {
            for player in (0..3).filter(|player| *player != usize::from(actor)) {
                let fewer = (0..40).any(|k| hands[player][k] < old[player][k]);
                assert!(!fewer, "player {player} lost a card by an action of player {actor}");
            }
        }
        before = Some((hands, decider(env)));
    });
    // Resources in hand count for nothing.
    let env = Position::of(2).goals(0, &["probiotic"]).hand(0, "LL IL10 time money medium EC").load();
    assert_eq!((player_state(&env, 0).missing, env.scores()[0]), (5, 0));
}

#[test]
fn ra_r2h_fast_cards_used_in_others_turns_are_replaced_in_the_own_draw_phase() {
    let mut env = Position::of(2).hand(0, "lux EC").bench(0, "- phaC").hand(1, "SE BS").load();
    play_numbers(&mut env, &[6, 27]);
    assert_eq!((player_state(&env, 1).hand_size(), decider(&env)), (1, Some(0)));
    play_numbers(&mut env, &[32, 35, 35, 35, 35, 35]);
    // Player 1 begins with the card it has left.
    assert_eq!((decider(&env), phase(&env), player_state(&env, 1).hand_size()), (Some(1), Phase::Main, 1));
    play_numbers(&mut env, &[32]);
    assert_eq!(phase(&env), Phase::Draw);
}

#[test]
fn ra_r4_a_taken_slot_is_cleared_first_for_an_equal_card_too() {
    let mut env = Position::of(2).hand(0, "EC*2 BS lux").load();
    play_numbers(&mut env, &[0]);
    assert_eq!((last(&env), on_bench(&env, 0, 0)), (None, "EC -".into()));
    play_numbers(&mut env, &[0]);
    assert_eq!((last(&env), on_bench(&env, 0, 0)), (Some("EC".into()), "EC -".into()));
    play_numbers(&mut env, &[1]);
    assert_eq!((discards(&env), on_bench(&env, 0, 0)), (json!({"EC": 2}), "BS -".into()));
    assert_eq!(event_names(&env, Some(1)), ["played", "discarded", "placed"]);
}

#[test]
fn ra_r4a_q3a_the_slots_of_a_bench_are_independent() {
    let mut env = Position::of(2).hand(0, "lux AS EC").bench(0, "BS -").load();
    play_numbers(&mut env, &[6, 21]);
    assert_eq!(on_bench(&env, 0, 0), "- lux");
    // A second gene beside one bacterium needs a second bench.
    let mut env = Position::of(2).hand(0, "lux EC").lab(0, "EC phaC", "- -").load();
    play_numbers(&mut env, &[6, 38]);
    assert_eq!((on_bench(&env, 0, 0), on_bench(&env, 0, 1)), ("EC phaC".into(), "- lux".into()));
}

#[test]
fn ra_r5_r5a_q3_generics_over_their_limit_cannot_be_played() {
    let hand = "time money medium raft EC";
    let env = Position::of(2).hand(0, hand).supplies(0, "time*2 money medium*2 raft").load();
    assert_eq!(legal(&env), [0, 15, 32]);
    let env = Position::of(2).hand(0, hand).supplies(0, "time money*2 medium").load();
    assert_eq!(legal(&env), [0, 14, 16, 17, 32]);
    // Nothing is replaced, and the raft does not count against the others.
    let mut env = Position::of(2).hand(0, "raft EC").supplies(0, "time*2 money*2 medium*2").load();
    play_numbers(&mut env, &[17]);
    assert_eq!((supplies(&env, 0), discards(&env)), ([2, 2, 2, 1], json!({})));
    let message = Position::of(2).hand(0, "EC").supplies(0, "time*3 raft*2").refused();
    assert!(message.contains("generics.time: 3; allowed: 0 to 2"), "{message}");
    assert!(message.contains("generics.raft: 2; allowed: 0 to 1"), "{message}");
}

#[test]
fn ra_r6_a_raft_helps_with_any_generic_and_never_with_the_rest() {
    let base = Position::of(2).goals(0, &["probiotic"]).hand(0, "EC");
    for two in ["time money", "time medium", "money medium"] {
        let with = base.clone().bench(0, "LL IL10").supplies(0, &format!("{two} raft")).load();
        assert_eq!(phase(&with), Phase::Won, "{two}");
        let without = base.clone().bench(0, "LL IL10").supplies(0, two).load();
        assert_eq!(player_state(&without, 0).missing, 1, "{two}");
    }
    for bench in ["LL -", "- IL10"] {
        let env = base.clone().bench(0, bench).supplies(0, "time money medium raft").load();
        assert_eq!(player_state(&env, 0).missing, 1);
    }
}

#[test]
fn ra_r6a_q19_no_loss_takes_a_raft() {
    for card in [20, 21, 22, 23] {
        let mut env = Position::of(2)
            .hand(0, "FC AS PO UE EC")
            .bench(1, "EC -")
            .supplies(1, "time money medium raft")
            .supplies(0, "raft")
            .load();
        play_numbers(&mut env, &[card]);
        assert_eq!((supplies(&env, 0)[3], supplies(&env, 1)[3]), (1, 1));
        assert!(discards(&env)["raft"].is_null());
    }
    // Only the house rule of discarding brings one into the discards.
    let mut rafts = 0;
    every_position(&json!({"players": 3}), 0..8, |env| rafts += usize::from(env.state().discards[17] > 0));
    assert_eq!(rafts, 0);
    every_position(&json!({"players": 3, "discard_at_end": true}), 0..8, |env| {
        rafts += usize::from(env.state().discards[17] > 0);
    });
    assert!(rafts > 0);
}

#[test]
fn ra_r19_goals_stay_open_and_are_never_discarded() {
    every_position(&json!({"players": 3}), 40..44, |env| {
        let owned: u32 = (0..3).map(|player| player_state(env, player).goal_count()).sum();
        assert_eq!(owned + u32::from(env.state().goals_left.iter().sum::<u8>()), 24);
        for player in 0..3 {
            assert!((1..=2).contains(&player_state(env, player).goal_count()));
            let seen = segment(env, (player as u8 + 1) % 3, "other2_goals");
            let bits = (0..12).filter(|g| seen[*g] == 1).fold(0u16, |set, g| set | 1 << g);
            assert_eq!(bits, player_state(env, player).goals);
        }
    });
}
