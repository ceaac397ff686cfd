//! The options, each switched.

use crate::fixture::{
    Position, configured, decider, discards, every_position, hand, last, legal, on_bench, phase,
    play_numbers, player_state, seen, segment, supplies,
};
use playmat_core::env::Env;
use playmat_core::game::{Game, Status};
use playmat_core::prelude::*;
use playmat_rafts::Rafts;
use playmat_rafts::state::Phase;
use serde_json::json;

#[test]
fn ra_r1d_first_player_is_random_or_a_player() {
    for (value, allowed) in [
        (json!("random"), true),
        (json!(0), true),
        (json!(2), true),
        (json!(3), false),
        (json!("0"), false),
        (json!(-1), false),
        (json!(1.5), false),
    ] {
        let given = json!({"players": 3, "first_player": value});
        let made = playmat_core::env::ConfiguredGame::<Rafts>::new(given.as_object().unwrap());
        assert_eq!(made.is_ok(), allowed, "{value}");
        if let Err(error) = made {
            assert!(
                error.to_string().contains("first_player") && error.to_string().contains("0 to 2"),
                "{error}"
            );
        }
    }
}

#[test]
fn ra_r24_unfinished_games_can_be_shared_by_progress() {
    let base = Position::of(3)
        .hand(0, "EC BS PP SY DR LL")
        .bench(0, "LL -")
        .bench(1, "- IL10")
        .supplies(0, "time")
        .supplies(1, "money")
        .goals(0, &["probiotic"])
        .option("max_rounds", 2)
        .set("turn", 5);
    let mut env = base.clone().option("unfinished", "progress").load();
    assert!(env.info().outcome_on_truncation);
    play_numbers(&mut env, &[32]);
    assert_eq!((env.status(), env.scores()[..3].to_vec()), (Status::Truncated, vec![40, 40, 0]));
    assert_eq!(env.returns(), [0.25, 0.25, -0.5]);
    let mut env = base.load();
    assert!(!env.info().outcome_on_truncation);
    play_numbers(&mut env, &[32]);
    assert_eq!((env.status(), env.returns()), (Status::Truncated, &[0.0; 3][..]));
}

#[test]
fn ra_q1_expansion_doubles_generics() {
    let base =
        Position::of(2).hand(0, "time money medium raft EC").supplies(0, "time*2 money*2 medium*2 raft");
    let lab = base.clone().lab(0, "- -", "- -");
    assert_eq!(legal(&lab.load()), [0, 32]);
    let doubled = lab.option("expansion_doubles_generics", true);
    assert_eq!(legal(&doubled.load()), [0, 14, 15, 16, 32], "still one raft");
    let full = doubled.supplies(0, "time*4 money*4 medium*4");
    assert_eq!(legal(&full.load()), [0, 17, 32]);
    assert_eq!(
        legal(&base.option("expansion_doubles_generics", true).load()),
        [0, 32],
        "with a Lab expansion only"
    );
}

#[test]
fn ra_q2_gene_pairing_any() {
    let base = Position::of(2).goals(0, &["blood"]).hand(0, "BS").lab(0, "EC lux", "PP HBB");
    assert_eq!(player_state(&base.load(), 0).missing, 6);
    assert_eq!(player_state(&base.clone().option("gene_pairing", "any").load(), 0).missing, 5);
    let one = base.lab(0, "EC lux", "PP phaC").option("gene_pairing", "any");
    assert_eq!(player_state(&one.load(), 0).missing, 6);
}

#[test]
fn ra_q5_bioeconomy_to_the_table() {
    let base = Position::of(2).hand(0, "BE EC").option("bioeconomy_to", "table");
    let mut env = base.clone().discards("lux time", Some("time")).bench(0, "- phaC").load();
    play_numbers(&mut env, &[25, 45]);
    assert_eq!((on_bench(&env, 0, 0), last(&env)), ("- lux".into(), Some("phaC".into())));
    assert_eq!(hand(&env, 0), json!({"EC": 1}));
    // Only what can be placed; without any the card cannot be played.
    let full = base.clone().discards("lux time", None).supplies(0, "time*2");
    let mut env = full.load();
    play_numbers(&mut env, &[25]);
    assert_eq!((phase(&env), on_bench(&env, 0, 0)), (Phase::Main, "- lux".into()));
    assert_eq!(legal(&base.clone().discards("time", None).supplies(0, "time*2").load()), [0, 32]);
    // The owner of a lab names the bench, and what is displaced can be snatched.
    let mut env = base.discards("lux", None).lab(0, "- phaC", "- -").hand(1, "SE").load();
    play_numbers(&mut env, &[25]);
    assert_eq!((phase(&env), seen(&env, Some(1))["resolving"].clone()), (Phase::Bench, json!("BE")));
    play_numbers(&mut env, &[37]);
    assert_eq!((decider(&env), phase(&env)), (Some(1), Phase::Snatch));
}

#[test]
fn ra_q12_blank_sabotage() {
    let base = Position::of(3).hand(0, "FC AS PO UE EC").option("blank_sabotage", true);
    assert_eq!(legal(&base.load()), [0, 20, 21, 22, 23, 32]);
    for card in [20, 21, 22, 23] {
        let mut env = base.load();
        play_numbers(&mut env, &[card]);
        assert_eq!((decider(&env), phase(&env), discards(&env)), (Some(0), Phase::Main, json!({})));
    }
    // A contamination must hit somebody if it can.
    let mut env = base.supplies(1, "medium").supplies(2, "medium").load();
    play_numbers(&mut env, &[20]);
    assert_eq!(legal(&env), [69, 75]);
}

#[test]
fn ra_r2g_q15_discard_at_end() {
    let base = Position::of(2).option("discard_at_end", true).hand(0, "EC BG time").hand(1, "SE BS");
    let mut env = base.load();
    play_numbers(&mut env, &[32]);
    let first = 69 + 6;
    assert_eq!((phase(&env), legal(&env)), (Phase::Discard, vec![33, first, first + 14, first + 28]));
    // A resource becomes the last discard and can be snatched; an action joins the played ones.
    play_numbers(&mut env, &[i64::from(first)]);
    assert_eq!((decider(&env), phase(&env), last(&env)), (Some(1), Phase::Snatch, Some("EC".into())));
    play_numbers(&mut env, &[27]);
    assert_eq!((decider(&env), phase(&env), on_bench(&env, 1, 0)), (Some(0), Phase::Discard, "EC -".into()));
    play_numbers(&mut env, &[i64::from(first) + 28]);
    assert_eq!(seen(&env, None)["actions_played"], json!({"SE": 1, "BG": 1}));
    play_numbers(&mut env, &[33]);
    assert_eq!(phase(&env), Phase::Draw);
    // A player with an empty hand does not decide.
    let mut env = base.load();
    play_numbers(&mut env, &[32, i64::from(first), 33, i64::from(first) + 14, 33, i64::from(first) + 28]);
    assert_eq!((phase(&env), player_state(&env, 0).hand_size()), (Phase::Draw, 0));
}

#[test]
fn ra_r2g_a_recovered_card_that_is_discarded_is_known_no_more() {
    let mut env = Position::of(2)
        .option("discard_at_end", true)
        .hand(0, "time*2 EC")
        .player(0, "known_hand", json!({"time": 1}))
        .set("phase", "discard")
        .load();
    play_numbers(&mut env, &[75 + 14]);
    assert_eq!((player_state(&env, 0).known[14], player_state(&env, 0).hand[14]), (0, 1));
}

#[test]
fn ra_q7b_any_moment_opens_windows_after_every_play_and_before_every_turn() {
    let base = Position::of(3)
        .option("serendipity_timing", "any_moment")
        .hand(0, "time money EC")
        .hand(1, "SE BS")
        .hand(2, "BS");
    let mut env = base.discards("lux", Some("lux")).load();
    play_numbers(&mut env, &[14]);
    assert_eq!(
        (decider(&env), phase(&env)),
        (Some(1), Phase::Snatch),
        "no card was discarded, and there is one"
    );
    play_numbers(&mut env, &[33, 15]);
    assert_eq!(decider(&env), Some(1));
    play_numbers(&mut env, &[33, 32, 34, 34, 34, 34, 34]);
    // Player 1's own turn: players 2 and 0 would decide before it. Neither holds the card, unless it was drawn.
    let holder = player_state(&env, 0).hand[27] > 0;
    assert_eq!((env.state().turn_player, decider(&env)), (1, Some(if holder { 0 } else { 1 })));
    let mut env = Position::of(2)
        .option("serendipity_timing", "any_moment")
        .set("phase", "draw")
        .hand(0, "SE EC BS PP SY")
        .hand(1, "BS")
        .discards("lux", Some("lux"))
        .load();
    play_numbers(&mut env, &[35]);
    assert_eq!((decider(&env), phase(&env), env.state().turn_player), (Some(0), Phase::Snatch, 1));
    play_numbers(&mut env, &[27]);
    assert_eq!((decider(&env), phase(&env), on_bench(&env, 0, 0)), (Some(1), Phase::Main, "- lux".into()));
}

#[test]
fn ra_q8_with_possible_whoever_could_hold_the_card_decides() {
    let base = Position::of(4)
        .option("windows", "possible")
        .hand(0, "lux EC")
        .bench(0, "- phaC")
        .hand(1, "IE BS")
        .hand(2, "time BS")
        .hand(3, "SE");
    let mut env = base.load();
    play_numbers(&mut env, &[6]);
    // Player 2 has no action card: everybody knows that it cannot.
    assert_eq!((decider(&env), legal(&env)), (Some(1), vec![33]));
    play_numbers(&mut env, &[33]);
    assert_eq!((decider(&env), legal(&env)), (Some(3), vec![27, 33]));
    play_numbers(&mut env, &[33]);
    assert_eq!(phase(&env), Phase::Main);
    // With all copies used nobody decides.
    let mut env = base.hand(3, "IE").set("actions_played", json!({"SE": 4})).load();
    play_numbers(&mut env, &[6]);
    assert_eq!((decider(&env), phase(&env)), (Some(0), Phase::Main));
    // Shields: whoever would lose a card.
    let mut env = Position::of(3)
        .option("windows", "possible")
        .hand(0, "PO EC BG")
        .supplies(0, "time")
        .hand(1, "IE")
        .supplies(1, "time")
        .hand(2, "IE")
        .load();
    play_numbers(&mut env, &[22]);
    assert_eq!((decider(&env), legal(&env)), (Some(1), vec![33]));
    play_numbers(&mut env, &[33]);
    assert_eq!((decider(&env), legal(&env)), (Some(0), vec![28, 33]));
}

#[test]
fn ra_q8_with_possible_the_end_of_a_turn_is_a_decision_too() {
    let base = Position::of(2).hand(0, "BG time").supplies(0, "time*2").hand(1, "EC");
    assert_eq!((decider(&base.load()), phase(&base.load())), (Some(0), Phase::Draw));
    let mut env = base.clone().option("windows", "possible").load();
    assert_eq!((phase(&env), legal(&env)), (Phase::Main, vec![32]));
    play_numbers(&mut env, &[32]);
    assert_eq!(phase(&env), Phase::Draw);
    // An empty hand is public.
    assert_eq!(phase(&base.hand(0, "").option("windows", "possible").load()), Phase::Draw);
}

#[test]
fn ra_r23_q8_single_answers_keep_a_turn_quiet() {
    let env = Position::of(2)
        .option("windows", "possible")
        .hand(0, "time*4 BG*2")
        .supplies(0, "time*2")
        .hand(1, "medium*3 raft SV*2")
        .supplies(1, "medium*2 raft")
        .load();
    let mut env = env;
    assert_eq!(legal(&env), [32]);
    play_numbers(&mut env, &[32, 32]);
    assert_eq!(phase(&env), Phase::Dead);
}

#[test]
fn ra_q8_holders_has_no_single_answers_and_possible_reveals_nothing_by_its_order() {
    every_position(&json!({"players": 3}), 0..4, |env| {
        assert!(env.current_player().is_none() || legal(env).len() > 1);
    });
    // Under `possible` the player who decides is the same in every sample for an onlooker.
    let mut compared = 0;
    every_position(&json!({"players": 3, "windows": "possible"}), 0..5, |env| {
        if !matches!(phase(env), Phase::Shield | Phase::Snatch) {
            return;
        }
        let game = &env.configured().game;
        for viewer in 0..3 {
            let mut rng = Rng::from_seed(env.decisions().into());
            let sample = game.sample_hidden(env.state(), Player(viewer), &mut rng);
            let after = |state: &playmat_rafts::state::State| {
                let (mut state, mut rng) = (*state, Rng::from_seed(1));
                let player = Player(state.cursor);
                game.apply(&mut state, player, Action(33), &mut rng, &mut Silent);
                (state.cursor, state.phase)
            };
            assert_eq!(after(env.state()), after(&sample));
            compared += 1;
        }
    });
    assert!(compared > 100, "{compared}");
}

#[test]
fn options_change_what_they_say_and_nothing_else() {
    let sizes = |options: serde_json::Value| {
        let info = configured(&options).game.info().clone();
        (info.num_actions, info.observation.size())
    };
    assert_eq!(sizes(json!({})), (81, 379));
    assert_eq!(sizes(json!({"discard_at_end": true})), (112, 379));
    for option in ["expansion_doubles_generics", "blank_sabotage"] {
        let env = Env::new(configured(&json!({option: true})), 3);
        let plain = Env::new(configured(&json!({})), 3);
        assert_eq!(env.state(), plain.state(), "the same deal");
    }
    assert_eq!(segment(&Env::new(configured(&json!({})), 1), 0, "clock"), [0]);
    assert_eq!(supplies(&Env::new(configured(&json!({})), 1), 0), [0; 4]);
}
