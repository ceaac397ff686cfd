//! The worked examples of the rules, RA-E1 to RA-E19.

use crate::fixture::{
    Position, decider, discards, hand, last, legal, on_bench, phase, play_numbers, player_state, seen,
    supplies,
};
use playmat_core::game::Status;
use playmat_rafts::state::Phase;
use serde_json::json;

#[test]
fn ra_e1_a_raft_stands_for_medium_and_for_one_card_only() {
    let position = Position::of(2).goals(0, &["nuclear_fuel_leak"]).bench(0, "DR alkB").hand(0, "EC");
    let env = position.clone().supplies(0, "time*2 money*2 raft").load();
    assert_eq!((phase(&env), env.scores()[0]), (Phase::Won, 100));
    let env = position.supplies(0, "time*2 money raft").load();
    assert_eq!((phase(&env), player_state(&env, 0).missing), (Phase::Main, 1));
}

#[test]
fn ra_e2_a_shield_keeps_the_time() {
    let mut env =
        Position::of(3).hand(0, "PO EC").supplies(0, "time").hand(1, "BG").supplies(1, "time").load();
    play_numbers(&mut env, &[22]);
    assert_eq!((decider(&env), legal(&env)), (Some(1), vec![28, 33]));
    play_numbers(&mut env, &[28]);
    assert_eq!((supplies(&env, 0)[0], supplies(&env, 1)[0]), (0, 1));
    assert_eq!((decider(&env), phase(&env)), (Some(0), Phase::Main));
}

#[test]
fn ra_e3_a_gene_onto_a_gene() {
    let mut env = Position::of(2).hand(0, "lux EC").bench(0, "- phaC").hand(1, "SE").load();
    play_numbers(&mut env, &[6]);
    assert_eq!((on_bench(&env, 0, 0), last(&env)), ("- lux".into(), Some("phaC".into())));
    assert_eq!((decider(&env), phase(&env)), (Some(1), Phase::Snatch));
}

#[test]
fn ra_e4_nobody_steals_a_second_raft() {
    let position = Position::of(2).hand(0, "IE EC").supplies(0, "raft").supplies(1, "raft");
    assert_eq!(legal(&position.load()), [0, 32]);
    let mut env = position.bench(1, "- lux").load();
    assert_eq!(legal(&env), [0, 18, 32]);
    play_numbers(&mut env, &[18]);
    assert_eq!(
        (phase(&env), on_bench(&env, 0, 0), on_bench(&env, 1, 0)),
        (Phase::Main, "- lux".into(), "- -".into())
    );
}

#[test]
fn ra_e5_an_exchange_with_nothing_to_choose() {
    let mut env = Position::of(3)
        .hand(0, "RX EC")
        .goals(0, &["toxic_alarm", "sun_plastic"])
        .goals(1, &["toxic_alarm", "oil_spill"])
        .goals(2, &["sun_plastic"])
        .load();
    play_numbers(&mut env, &[19]);
    assert_eq!((decider(&env), phase(&env)), (Some(0), Phase::Main));
    let goals = |player: usize| seen(&env, None)["players"][player]["goals"].clone();
    assert_eq!(goals(0), json!(["toxic_alarm", "oil_spill"]));
    assert_eq!((goals(1), goals(2)), (json!(["toxic_alarm", "sun_plastic"]), json!(["sun_plastic"])));
}

#[test]
fn ra_e6_the_own_bacterium_comes_back() {
    let mut env =
        Position::of(3).turn_of(2).bench(2, "PP alkB").hand(2, "AS SE").lab(0, "EC -", "SY -").load();
    play_numbers(&mut env, &[21]);
    assert_eq!((decider(&env), phase(&env), last(&env)), (Some(2), Phase::Main, Some("PP".into())));
    assert_eq!(discards(&env), json!({"EC": 1, "PP": 1, "SY": 1}));
    assert_eq!(legal(&env), [27, 32]);
    play_numbers(&mut env, &[27]);
    assert_eq!((on_bench(&env, 2, 0), last(&env)), ("PP alkB".into(), None));
    assert_eq!(discards(&env), json!({"EC": 1, "SY": 1}));
}

#[test]
fn ra_e7_a_full_hand_draws_nothing() {
    let mut env = Position::of(2).hand(0, "EC BS PP SY DR LL").hand(1, "EC").load();
    let decks = env.state().sizes;
    play_numbers(&mut env, &[32]);
    assert_eq!((decider(&env), phase(&env), env.state().sizes), (Some(1), Phase::Main, decks));
}

#[test]
fn ra_e8_four_draws_each_deck_named_after_the_card_before() {
    let mut env = Position::of(2).hand(0, "EC BS").hand(1, "EC").load();
    play_numbers(&mut env, &[32]);
    for (drawn, deck) in [34, 35, 36, 35].into_iter().enumerate() {
        assert_eq!((decider(&env), legal(&env)), (Some(0), vec![34, 35, 36]));
        assert_eq!(usize::from(player_state(&env, 0).hand_size()), 2 + drawn);
        play_numbers(&mut env, &[deck]);
    }
    assert_eq!((player_state(&env, 0).held, decider(&env)), ([1, 4, 1], Some(1)));
}

#[test]
fn ra_e9_discards_become_the_deck_when_a_card_is_wanted() {
    let mut env = Position::of(2)
        .set("phase", "draw")
        .hand(0, "EC BS SY DR")
        .hand(1, "EC")
        .discards("PP*2", Some("PP"))
        .decks("", "", "time")
        .load();
    assert_eq!(legal(&env), [35, 36]);
    play_numbers(&mut env, &[35]);
    assert_eq!((last(&env), discards(&env)), (None, json!({})));
    assert_eq!((hand(&env, 0)["PP"].clone(), env.state().sizes), (json!(1), [0, 1, 1]));
    assert_eq!(legal(&env), [35, 36]);
}

#[test]
fn ra_e10_no_victory_in_the_turn_of_another() {
    let mut env = Position::of(2)
        .hand(0, "nisA EC")
        .bench(0, "- lux")
        .hand(1, "SE BS")
        .goals(1, &["toxic_alarm"])
        .bench(1, "EC -")
        .supplies(1, "time money medium*2")
        .decks("", "", "")
        .load();
    play_numbers(&mut env, &[13, 27]);
    assert_eq!((player_state(&env, 1).missing, env.status(), decider(&env)), (0, Status::Running, Some(0)));
    play_numbers(&mut env, &[32]);
    assert_eq!((phase(&env), env.scores()[1]), (Phase::Won, 100));
}

#[test]
fn ra_e11_what_can_be_played() {
    let env = Position::of(4).hand(0, "EC time*2 PO BG SE").supplies(0, "time*2").load();
    assert_eq!(legal(&env), [0, 22, 32]);
}

#[test]
fn ra_e12_a_chain_of_serendipities() {
    let mut env = Position::of(3)
        .hand(0, "BS time")
        .bench(0, "EC -")
        .hand(1, "SE")
        .hand(2, "SE")
        .bench(2, "DR -")
        .load();
    play_numbers(&mut env, &[1]);
    assert_eq!((decider(&env), legal(&env)), (Some(1), vec![27, 33]));
    play_numbers(&mut env, &[33]);
    assert_eq!((decider(&env), legal(&env)), (Some(2), vec![27, 33]));
    play_numbers(&mut env, &[27]);
    assert_eq!(
        (on_bench(&env, 2, 0), last(&env), decider(&env)),
        ("EC -".into(), Some("DR".into()), Some(1))
    );
    play_numbers(&mut env, &[33]);
    assert_eq!((decider(&env), phase(&env), discards(&env)), (Some(0), Phase::Main, json!({"DR": 1})));
    assert_eq!(last(&env), Some("DR".into()));
}

#[test]
fn ra_e13_shields_are_decided_from_the_left_the_turn_player_last() {
    let mut env = Position::of(3)
        .turn_of(1)
        .hand(0, "BG")
        .supplies(0, "time")
        .hand(1, "PO BG EC")
        .supplies(1, "time*2")
        .load();
    play_numbers(&mut env, &[22]);
    assert_eq!(decider(&env), Some(0));
    play_numbers(&mut env, &[28]);
    assert_eq!((decider(&env), legal(&env)), (Some(1), vec![28, 33]));
    play_numbers(&mut env, &[33]);
    assert_eq!([0, 1, 2].map(|player| supplies(&env, player)[0]), [1, 1, 0]);
    assert_eq!((discards(&env), last(&env)), (json!({"time": 1}), Some("time".into())));
}

#[test]
fn ra_e14_a_stolen_bacterium_displaces_the_own_one() {
    let mut env = Position::of(4)
        .turn_of(3)
        .hand(3, "IE time")
        .bench(3, "EC -")
        .bench(1, "PP -")
        .hand(1, "SE")
        .bench(0, "- lux")
        .load();
    play_numbers(&mut env, &[18]);
    assert_eq!(legal(&env), [71, 76]);
    play_numbers(&mut env, &[76]);
    assert_eq!((on_bench(&env, 3, 0), on_bench(&env, 1, 0)), ("PP -".into(), "- -".into()));
    assert_eq!((decider(&env), legal(&env), last(&env)), (Some(1), vec![27, 33], Some("EC".into())));
    play_numbers(&mut env, &[27]);
    assert_eq!(on_bench(&env, 1, 0), "EC -");
}

#[test]
fn ra_e15_a_gene_completes_the_bench_it_is_put_on() {
    let position = Position::of(2)
        .hand(0, "lux")
        .goals(0, &["toxic_alarm", "frying_oil"])
        .lab(0, "EC phaC", "SY lux")
        .supplies(0, "time*2 money*2 medium*2");
    let mut env = position.load();
    assert_eq!((phase(&env), player_state(&env, 0).missing), (Phase::Main, 1));
    play_numbers(&mut env, &[6]);
    assert_eq!(legal(&env), [37, 38]);
    play_numbers(&mut env, &[37]);
    assert_eq!((phase(&env), discards(&env)), (Phase::Won, json!({"phaC": 1})));
    assert_eq!(phase(&position.option("gene_pairing", "any").load()), Phase::Won);
}

#[test]
fn ra_e16_a_recovered_card_is_known_and_playable() {
    let mut env = Position::of(2).hand(0, "BE").discards("lux*2 EC time", Some("lux")).load();
    play_numbers(&mut env, &[25]);
    assert_eq!(legal(&env), [39, 45, 53]);
    play_numbers(&mut env, &[45]);
    assert_eq!(seen(&env, Some(1))["players"][0]["known_hand"], json!({"lux": 1}));
    assert_eq!((discards(&env), last(&env)), (json!({"EC": 1, "lux": 1, "time": 1}), None));
    assert_eq!(legal(&env), [6, 32]);
}

#[test]
fn ra_e17_funding_chooses_from_what_is_left() {
    let mut env = Position::of(2)
        .hand(0, "EF*2 EC")
        .goals(0, &["nuclear_fuel_leak"])
        .goals(1, &["nuclear_fuel_leak", "rice_paddies"])
        .load();
    play_numbers(&mut env, &[26]);
    assert_eq!(legal(&env), [57, 58, 59, 60, 61, 62, 63, 65, 66, 67, 68]);
    play_numbers(&mut env, &[65]);
    assert_eq!((player_state(&env, 0).goals, legal(&env)), (1 << 7 | 1 << 8, vec![0, 32]));
}

#[test]
fn ra_e18_two_hands_without_a_playable_card() {
    let env = Position::of(2)
        .hand(0, "time*4 BG*2")
        .supplies(0, "time*2")
        .hand(1, "medium*3 raft SV*2")
        .supplies(1, "medium*2 raft")
        .load();
    assert_eq!((phase(&env), env.status()), (Phase::Dead, Status::Terminated));
    assert_eq!((env.returns(), env.state().turn_player), (&[0.0, 0.0][..], 1));
}

#[test]
fn ra_e19_missing_and_completion() {
    let position = Position::of(2).hand(0, "EC").bench(0, "BS -").supplies(0, "time money*2 raft");
    let env = position.clone().goals(0, &["bottles"]).load();
    assert_eq!((player_state(&env, 0).missing, env.scores()[0]), (2, 71));
    let both = position.clone().goals(0, &["bottles", "probiotic"]).load();
    assert_eq!((player_state(&both, 0).missing, both.scores()[0]), (2, 71));
    let env = position.goals(0, &["probiotic"]).load();
    assert_eq!((player_state(&env, 0).missing, env.scores()[0]), (2, 60));
}
