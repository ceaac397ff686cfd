//! The turn: drawing, playing, invoking, the Effect Phase, the Survey, the end.

use crate::fixture::{
    Position, configured, decider, deck, effects, event_names, every_position, kind, legal, phase, play,
    play_numbers, player_state, seen, segment, survey, texts, zone,
};
use playmat_core::env::Env;
use playmat_core::prelude::*;
use playmat_graven::action::Choice;
use playmat_graven::state::{BACK, Cards, FRONT, Phase};
use serde_json::json;

#[test]
fn gv_r1_thirty_cards_seven_in_hand() {
    for players in 2..=4 {
        let env = Env::new(configured(&json!({"players": players})), 3);
        let first = decider(&env).unwrap();
        for player in 0..players {
            // The first player has drawn, too.
            let drawn = u32::from(first == player as u8);
            assert_eq!(player_state(&env, player).hand.total(), 7 + drawn);
            assert_eq!(deck(&env, player), 23 - drawn);
            assert!(
                env.configured()
                    .game
                    .decks()
                    .iter()
                    .any(|deck| deck.cards == player_state(&env, player).list)
            );
        }
    }
}

#[test]
fn gv_r1a_r1b_decks_of_every_source_are_legal() {
    for source in ["any", "random", "vanguard", "blight", "siege", "chapel", "intrigue"] {
        let configured = configured(&json!({"decks": source}));
        let mut sizes = [0; 6];
        for seed in 0..60 {
            let env = Env::new(configured.clone(), seed);
            let owner = player_state(&env, 0);
            let all = owner.hand.plus(owner.deck);
            assert_eq!(all.total(), 30);
            let titans: Vec<u8> = all
                .iter()
                .filter(|(kind, _)| configured.game.is_titan(*kind))
                .map(|(_, copies)| copies)
                .collect();
            assert!(titans.iter().all(|&copies| copies == 1));
            sizes[titans.len().min(5)] += 1;
        }
        assert_eq!(sizes[0] + sizes[1] + sizes[2], 0, "{source}: fewer than three Titans");
        let random = source == "random";
        assert_eq!(random, sizes[3] > 5 && sizes[4] > 5 && sizes[5] > 5, "{source}: {sizes:?}");
    }
}

#[test]
fn gv_r2_r2a_an_empty_deck_loses_in_the_own_turn_too() {
    let mut env =
        Position::of(2).stage("draw").deck(0, 1).hand(0, "ARC").deck(1, 5).turn_of(1).hand(1, "PHY").load();
    // Player 1 draws and passes; then player 0 draws its last card.
    play_numbers(&mut env, &[0]);
    assert_eq!((env.status(), crate::fixture::returns(&env)), (Status::Terminated, vec![-1.0, 1.0]));
}

#[test]
fn gv_r3_one_card_is_drawn_without_a_question() {
    let env = Position::of(2).stage("draw").hand(0, "ARC").load();
    assert_eq!((phase(&env), deck(&env, 0), player_state(&env, 0).hand.total()), (Phase::Play, 8, 2));
}

#[test]
fn gv_r3a_merchants_add_up_to_three() {
    let draws = |merchants: &str, hand: &str| {
        let env = Position::of(2).stage("draw").back(0, merchants).hand(0, hand).deck(0, 12).load();
        legal(&env)
    };
    assert_eq!(draws("MER", "ARC"), [2, 3]);
    assert_eq!(draws("MER*3", "ARC"), [2, 3, 4, 5]);
    assert_eq!(draws("MER*3", ""), [2, 3, 4, 5, 6, 7]);
    assert_eq!(draws("", ""), [2, 4]);
    let stolen = Position::of(2).stage("draw").back(0, "MER*3").foreign(0, "back", "MER", 1).hand(0, "ARC");
    assert_eq!(legal(&stolen.deck(0, 12).load()), [2, 3, 4, 5]);
}

#[test]
fn gv_r4_two_humans_a_turn_to_either_line() {
    let mut env = Position::of(2).hand(0, "ARC GAR DRI").load();
    let all = texts(&env);
    assert!(
        ["pass", "play ARC to front", "play DRI to back"].iter().all(|text| all.contains(&(*text).into()))
    );
    play(&mut env, &["play ARC to front", "play GAR to back"]);
    assert_eq!((zone(&env, 0, "front"), zone(&env, 0, "back")), ("ARC".into(), "GAR".into()));
    // The third stays in the hand: the Effect Phase is a decision if anything can be used, here nothing can.
    assert_eq!(decider(&env), Some(1));
    assert_eq!(zone(&env, 0, "hand"), "DRI");
}

#[test]
fn gv_r4a_each_card_is_resolved_before_the_next() {
    let mut env = Position::of(2).hand(0, "SCO GRA ARC").cards(0, "HER*2 SHI*3").discard(0, "DRI GAR").load();
    play(&mut env, &["play SCO to back"]);
    assert_eq!((phase(&env), texts(&env).len()), (Phase::Card, 3));
    play(&mut env, &["choose HER"]);
    assert_eq!(phase(&env), Phase::Play);
    play(&mut env, &["play GRA to back", "choose GAR"]);
    assert_eq!(zone(&env, 0, "hand").matches("GAR").count(), 1);
}

#[test]
fn gv_r4b_plays_left_are_computed_anew() {
    // Recruiters do not add up, and count only with four cards in hand.
    let mut env = Position::of(2).back(0, "REC*2").hand(0, "ARC DRI GAR JES PRI").load();
    assert_eq!(seen(&env, None)["plays_left"], 3);
    play(&mut env, &["play ARC to front"]);
    assert_eq!(seen(&env, None)["plays_left"], 2);
    play(&mut env, &["play DRI to front"]);
    // Three cards in hand: the Recruiter is silent.
    assert_ne!(phase(&env), Phase::Play);
    let mut env = Position::of(2).hand(0, "REI*2 ARC*2 DRI").load();
    play(&mut env, &["play REI to back"]);
    assert_eq!(seen(&env, None)["plays_left"], 2);
    play(&mut env, &["play REI to front"]);
    assert_eq!(seen(&env, None)["plays_left"], 1, "Reinforcements on the Front Line are mute");
}

#[test]
fn gv_r4c_q1_one_titan_a_turn_at_any_moment() {
    let mut env = Position::of(2).hand(0, "ARC DRI NUR VIR").front(0, "HER*3").load();
    play(&mut env, &["play ARC to front", "invoke NUR to back"]);
    assert_eq!(phase(&env), Phase::Sacrifice);
    play(&mut env, &["target ARC on front of player 0"]);
    assert_eq!((zone(&env, 0, "back"), seen(&env, None)["invoked"].as_bool()), ("NUR".into(), Some(true)));
    assert!(!texts(&env).iter().any(|text| text.starts_with("invoke")));
    play(&mut env, &["play DRI to front"]);
    assert_eq!(phase(&env), Phase::Effect);
}

#[test]
fn gv_r4d_q17_what_can_be_sacrificed() {
    // An Acolyte on the Back Line counts as two, on the Front Line as one.
    let env = Position::of(2).hand(0, "NUR").back(0, "ACO").load();
    assert!(texts(&env).contains(&"invoke NUR to front".into()));
    let env = Position::of(2).hand(0, "NUR PHY").front(0, "ACO").load();
    assert!(!texts(&env).contains(&"invoke NUR to front".into()));
    let mut env = Position::of(2).hand(0, "NUR").back(0, "ACO ARC DRI").front(0, "JES").load();
    play(&mut env, &["invoke NUR to front"]);
    let targets = [
        "target JES on front of player +0",
        "target ACO on back of player +0",
        "target ARC on back of player +0",
    ];
    assert_eq!(texts(&env), targets, "the Drillmaster has no card after it");
    play(&mut env, &["target ARC on back of player 0"]);
    // Only the Drillmaster may follow: a forced move.
    assert_eq!(zone(&env, 0, "discard"), "ARC DRI");
    let mut env = Position::of(2).hand(0, "NUR").back(0, "ACO ARC DRI").front(0, "JES").load();
    play(&mut env, &["invoke NUR to front", "target ACO on back of player 0"]);
    assert_eq!((zone(&env, 0, "discard"), zone(&env, 0, "front")), ("ACO".into(), "JES NUR".into()));
}

#[test]
fn gv_r4d_two_copies_are_a_pair() {
    let mut env = Position::of(2).hand(0, "NUR").front(0, "ARC*2").load();
    play(&mut env, &["invoke NUR to front"]);
    assert_eq!(zone(&env, 0, "discard"), "ARC*2");
}

#[test]
fn gv_r4d_r16_all_chosen_cards_leave_together() {
    // In two steps the Martyr in front, chosen first, would come first; in one T's own does.
    let mut env = Position::of(2)
        .hand(0, "NUR")
        .foreign(0, "front", "MAR", 1)
        .back(0, "MAR")
        .set("humans_played", 2)
        .load();
    play(&mut env, &["invoke NUR to back"]);
    let names = event_names(&env, None);
    let at = |name: &str| names.iter().position(|event| event == name).unwrap();
    assert!(at("sacrificed") < at("invoked") && at("invoked") < at("effect"), "{names:?}");
    assert_eq!(effects(&env), ["MAR 0", "MAR 1"]);
}

#[test]
fn gv_r5_a_titan_may_be_the_one_card() {
    // In the second turn of three: before the first nothing lies on a field.
    let first = |hand: &str| {
        let position = Position::of(3).turn_of(1).player(2, "had_turn", false);
        position.hand(1, hand).front(1, "HER OMB").load()
    };
    let mut env = first("ARC NUR");
    assert_eq!(seen(&env, None)["restricted"], true);
    play(&mut env, &["invoke NUR to front"]);
    assert_eq!((phase(&env), decider(&env)), (Phase::Draw, Some(2)), "the Archer cannot be played any more");
    let mut env = first("ARC NUR");
    play(&mut env, &["play ARC to front"]);
    assert_eq!(decider(&env), Some(2));
    // With three players the second is restricted, too, and the third is not.
    let second = Position::of(3).turn_of(1).player(2, "had_turn", false).hand(1, "ARC DRI");
    assert_eq!(seen(&second.load(), None)["plays_left"], 1);
    let third = Position::of(3).turn_of(2).hand(2, "ARC DRI");
    assert_eq!(seen(&third.load(), None)["plays_left"], 2);
}

#[test]
fn gv_r5_recruiters_do_not_lift_the_limit() {
    let second = Position::of(3).turn_of(1).player(2, "had_turn", false);
    let env = second.back(1, "REC").hand(1, "ARC*2 DRI JES").load();
    assert_eq!(
        (seen(&env, None)["plays_left"].as_u64(), segment(&env, 1, "budget_plays_left")),
        (Some(1), vec![1])
    );
}

#[test]
fn gv_r6_effects_in_any_order() {
    let mut env = Position::of(2).stage("effect").back(0, "JES PLA").hand(0, "HER").front(1, "ARC*2").load();
    assert_eq!(texts(&env), ["pass", "activate JES", "activate PLA", "use HER from hand"]);
    play(&mut env, &["use HER from hand", "activate JES", "activate PLA"]);
    // Scores: 2 and 0; nothing is left, and player 1 mills 2 after 3.
    assert_eq!(decider(&env), Some(1));
    assert_eq!(deck(&env, 1), 9 - 3 - 2);
    assert_eq!(deck(&env, 0), 8);
}

#[test]
fn gv_r7a_scores_are_never_below_zero() {
    let mut env = Position::of(2).stage("effect").back(0, "JES PLA").front(1, "ARC").load();
    play(&mut env, &["activate JES"]);
    assert_eq!((survey(&env, 1), player_state(&env, 1).modifier), (0, -3));
    assert_eq!(segment(&env, 0, "other1_modifier"), [29]);
}

#[test]
fn gv_r7a_what_one_controls_counts() {
    let env = Position::of(2).front(0, "ARC").foreign(0, "front", "GOL", 1).hand(0, "PHY").load();
    assert_eq!((survey(&env, 0), survey(&env, 1)), (4, 0));
}

#[test]
fn gv_r7b_everybody_mills_the_own_loss() {
    let mut env =
        Position::of(3).stage("effect").front(0, "SAR").front(2, "ARC").back(1, "SHI").hand(0, "DEF").load();
    play_numbers(&mut env, &[0]);
    assert_eq!([deck(&env, 0), deck(&env, 1), deck(&env, 2)], [9, 9 - 1, 9 - 2]);
}

#[test]
fn gv_r7b_losses_are_fixed_at_the_start() {
    // A Watchman that destroys what counted: the loss of four stays, less its own ward of one.
    let ward = "do = [ { verb = \"ward\", n = 5 } ]";
    let strike = "do = [ { verb = \"destroy\", side = \"enemy\", line = \"front\", type = \"titan\" }, { verb = \"ward\" } ]";
    assert!(crate::fixture::standard().contains(ward));
    let mut env = Position::of(2)
        .option("content", crate::fixture::standard().replace(ward, strike))
        .stage("effect")
        .front(0, "OMB ARC")
        .hand(1, "WAT DRI")
        .load();
    assert_eq!((phase(&env), player_state(&env, 1).loss), (Phase::Ward, 4));
    play(&mut env, &["use WAT from hand"]);
    // Three milled, one drawn.
    assert_eq!((survey(&env, 0), deck(&env, 1)), (1, 9 - 3 - 1));
}

#[test]
fn gv_r7c_who_has_had_no_turn_neither_counts_nor_mills() {
    let mut env = Position::of(3)
        .turn_of(1)
        .stage("effect")
        .front(0, "SAR")
        .front(2, "OMB NUR")
        .back(1, "PLA")
        .player(2, "had_turn", false)
        .load();
    play(&mut env, &["pass"]);
    assert_eq!([deck(&env, 0), deck(&env, 2)], [9, 9]);
    assert_eq!(deck(&env, 1), 9 - 3);
    // Effects hit such a player.
    let second = Position::of(3).turn_of(1).stage("effect").back(1, "PLA");
    let mut env = second.player(2, "had_turn", false).load();
    play(&mut env, &["activate PLA", "player 2"]);
    assert_eq!(deck(&env, 2), 6);
}

#[test]
fn gv_r8_q14_modifiers_vanish_and_the_next_player_has_its_turn() {
    let mut env =
        Position::of(3).stage("effect").turn_of(2).back(2, "JES").hand(2, "HER DEF").front(0, "ARC*3").load();
    play(&mut env, &["use HER from hand", "activate JES"]);
    assert_eq!((player_state(&env, 2).modifier, player_state(&env, 0).modifier), (2, -3));
    play(&mut env, &["pass"]);
    assert_eq!(decider(&env), Some(0));
    assert!(env.state().players.iter().all(|player| player.modifier == 0));
    assert_eq!(env.state().turns, 3);
}

#[test]
fn gv_r13_nothing_puts_a_card_at_a_known_place() {
    // A recycled card is milled as often as each of the three others, whatever came last.
    let position =
        Position::of(2).stage("effect").back(0, "GAR PLA").discard(0, "ARC").cards(0, "DRI*3").hand(0, "DEF");
    let mut milled = 0;
    for seed in 0..200 {
        let mut env = position.load_with(seed);
        play(&mut env, &["activate GAR", "choose ARC", "activate PLA"]);
        milled += player_state(&env, 0).discard.count(kind(&env, "ARC"));
    }
    // 50 of 200 are expected, with a deviation of 6.1.
    assert!((30..=70).contains(&milled), "{milled}");
}

#[test]
fn gv_r14_hands_and_lines_have_no_limit() {
    let many = "CON*3 DRI*3 GAR*3 JES*3 PHY*3 PLA*3 PRI*3 SAP*3";
    let mut env = Position::of(2).front(0, many).hand(0, "ARC NUR").deck(0, 4).load();
    play(&mut env, &["play ARC to front"]);
    assert_eq!((survey(&env, 0), env.state().number_on(0, FRONT, u64::MAX)), (25, 25));
    let mut env = Position::of(2).back(0, many).hand(0, "ARC NUR").deck(0, 4).load();
    play(&mut env, &["play ARC to back"]);
    assert_eq!(env.state().number_on(0, BACK, u64::MAX), 25);
    // A hand grows, and nothing is discarded at the end of the turn.
    let mut env = Position::of(2).stage("draw").hand(0, many).deck(0, 5).load();
    assert_eq!((phase(&env), player_state(&env, 0).hand.total()), (Phase::Play, 25));
    play(&mut env, &["pass"]);
    assert_eq!((env.state().turn_player, player_state(&env, 0).hand.total()), (1, 25));
}

#[test]
fn gv_r4_every_played_game_keeps_the_counts() {
    let mut positions = 0;
    for options in [json!({"decks": "random"}), json!({"players": 4})] {
        every_position(&options, 0..12, |env| {
            positions += 1;
            let (s, game) = (env.state(), &env.configured().game);
            assert_eq!(game.validate(s), []);
            for player in (0..game.players()).filter(|&player| s.plays(player as u8)) {
                let own = &s.players[player];
                let all = own.hand.plus(own.deck).plus(own.discard).plus(s.fielded(player as u8));
                assert_eq!(all.total(), 30, "no card is lost or made");
                assert!(own.known.more_than(own.hand) == 0);
            }
            assert!(s.line(0, FRONT)[3].is_empty() || game.players() == 4);
        });
    }
    assert!(positions > 500, "{positions}");
}

#[test]
fn the_numbers_of_actions_are_those_of_the_page() {
    for (players, actions, bytes) in [(2, 318, 867), (3, 387, 1184), (4, 456, 1501)] {
        let configured = configured(&json!({"players": players}));
        let info = configured.game.info();
        assert_eq!((info.num_actions, info.observation.size()), (actions, bytes));
        assert_eq!(info.max_decisions, [24_800, 38_400, 52_800][players - 2]);
        for a in 0..actions {
            assert_eq!(configured.game.action(configured.game.choice(Action(a as u16))), Action(a as u16));
        }
        assert_eq!(configured.game.action(Choice::Player(0)).index(), 180);
        assert_eq!(configured.game.action(Choice::Field(1, 1, 5)).index(), 180 + players + 68 + 34 + 5);
    }
}

#[test]
fn a_rank_names_the_card_that_walking_the_kinds_finds() {
    for seed in 0..200 {
        let mut rng = Rng::from_seed(seed);
        let thin = if seed % 3 == 0 { u64::MAX } else { rng.next_u64() & rng.next_u64() };
        let cards = Cards { lo: rng.next_u64() & thin, hi: rng.next_u64() & thin };
        let walk: Vec<u8> = cards.iter().flat_map(|(kind, n)| std::iter::repeat_n(kind, n.into())).collect();
        assert_eq!(walk.len() as u32, cards.total());
        for (rank, &kind) in walk.iter().enumerate() {
            assert_eq!(cards.nth(rank as u32), kind, "{cards:?} {rank}");
        }
    }
}
