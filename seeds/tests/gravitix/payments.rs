//! Payments: discounts, swaps, cards, and that every one can be completed.

use crate::fixture::{Position, due, legal, legal_texts, owner, phase, play, seen, segment, sizes};
use playmat_core::prelude::*;
use serde_json::json;

#[test]
fn gx_r6_r6e_q11a_e5_cards_may_waste_but_must_lower_something() {
    let mut env = Position::of("d").hand(0, "RR GG F").land(6);
    assert_eq!(legal(&env), [23, 25]);
    play(&mut env, &["supply"]);
    assert_eq!((due(&env), legal(&env)), ([2, 0, 1], vec![33, 35]));
    play(&mut env, &["pay RR"]);
    // GG is forced, a gem is lost, two cards of the island are drawn.
    assert_eq!(
        (owner(&env, 6), sizes(&env, 0)[0], seen(&env, None)["hands"][0]["F"].as_i64() >= Some(1)),
        (Some(0), 3, true)
    );
    assert_eq!(seen(&env, None)["discards"][0], json!({"W": 1, "RR": 1, "GG": 1}));
}

#[test]
fn gx_q11a_a_payment_larger_than_needed_is_legal() {
    let mut env = Position::of("a").hand(0, "R RR F G").land(0);
    play(&mut env, &["supply", "pay RR", "pay F"]);
    // G was forced; R, which would have been enough, is still in hand.
    assert_eq!(
        (owner(&env, 0), seen(&env, None)["discards"][0].clone()),
        (Some(0), json!({"W": 1, "F": 1, "G": 1, "RR": 1}))
    );
}

#[test]
fn gx_r11_r6c_q4a_e6_a_discount_goes_where_it_must() {
    let position = Position::of("c").face(0, "b2").own(0, &[0]).hand(0, "RR G F");
    let mut env = position.clone().land(8);
    assert_eq!(phase(&env), "supply");
    play(&mut env, &["supply"]);
    assert_eq!((phase(&env), due(&env), legal(&env)), ("pay".into(), [2, 0, 1], vec![29, 33]));
    // Without b2, or with somebody else's, the turn ends.
    let env = Position::of("c").hand(0, "RR G F").land(8);
    assert_eq!(env.current_player(), Some(Player(1)));
    let env = Position::of("c").face(0, "b2").own(1, &[0]).hand(0, "RR G F").land(8);
    assert_eq!(env.current_player(), Some(Player(1)));
}

#[test]
fn gx_r6c_r11a_units_are_named_one_by_one_and_lapse_at_zero() {
    // b8 wants 1/1/2. Two own -1 islands: two units, which may both go to gems.
    let position = Position::of("b").own(0, &[2, 3]).hand(0, "R F GG RR");
    let mut env = position.land(8);
    play(&mut env, &["supply"]);
    assert_eq!(
        (phase(&env), legal_texts(&env)),
        ("discount".into(), vec!["minus rum".to_string(), "minus fabric".into(), "minus gems".into()])
    );
    assert_eq!(segment(&env, 0, "payment_units_left"), [2]);
    play(&mut env, &["minus gems"]);
    assert_eq!((due(&env), segment(&env, 1, "payment_units_left")), ([1, 1, 1], vec![1]));
    play(&mut env, &["minus gems"]);
    assert_eq!((phase(&env), due(&env)), ("pay".into(), [1, 1, 0]));
    // b6 wants 0/1/2: three own units leave nothing, and the island is supplied without a card.
    let env =
        Position::of("b").own(0, &[2, 3]).pending(0, "next_minus_one").own(0, &[7]).hand(0, "").landing(6);
    let mut env = env.load();
    play(&mut env, &["go 13:0", "supply", "minus gems", "minus gems"]);
    assert_eq!(
        (owner(&env, 6), seen(&env, None)["pending"].clone()),
        (Some(0), json!(["next_minus_one", null]))
    );
}

#[test]
fn gx_q12_a_supply_may_cost_no_card() {
    // b6 wants 0/1/2: a pending -2 and one own -1; the units leave nothing to pay.
    let position = Position::of("b").own(0, &[2, 9]).pending(0, "next_minus_two").hand(0, "");
    let mut env = position.landing(6).load();
    play(&mut env, &["go 13:0"]);
    assert_eq!(legal(&env), [23, 25]);
    play(&mut env, &["supply"]);
    // Fabric then gems for the pair, gems for the last unit: all forced.
    assert_eq!((owner(&env, 6), sizes(&env, 0)[0]), (Some(0), 2));
}

#[test]
fn gx_r14_r14a_two_different_resources_in_order() {
    // b11 wants 0/4/3 and b4 1/3/1.
    let position =
        Position::of("b").own(0, &[8]).pending(0, "next_minus_two").hand(0, "RFF FFF FGG GG R F G");
    let mut env = position.clone().land(4);
    play(&mut env, &["supply"]);
    assert_eq!(
        (phase(&env), legal_texts(&env)),
        ("discount".into(), vec!["minus rum".to_string(), "minus fabric".into()])
    );
    assert_eq!(
        (segment(&env, 1, "payment_pair_left"), segment(&env, 1, "payment_pair_first")),
        (vec![2], vec![0, 0, 0])
    );
    play(&mut env, &["minus rum"]);
    assert_eq!(
        (legal_texts(&env), segment(&env, 0, "payment_pair_first")),
        (vec!["minus fabric".to_string(), "minus gems".into()], vec![1, 0, 0])
    );
    assert_eq!(segment(&env, 0, "payment_pair_left"), [1]);
    play(&mut env, &["minus gems"]);
    assert_eq!((due(&env), segment(&env, 0, "payment_pair_first")), ([0, 3, 0], vec![0, 0, 0]));
    // Two resources due: only one pair, which is executed.
    let mut env = position.clone().land(11);
    play(&mut env, &["supply"]);
    assert_eq!((phase(&env), due(&env)), ("pay".into(), [0, 3, 2]));
    // The pending effect is spent as soon as the supply begins.
    assert_eq!(env.state().pending[0], playmat_gravitix::state::Pending::None);
}

#[test]
fn gx_r14a_with_one_resource_due_only_that_one() {
    // A demand of one resource, from other content: the second unit lapses.
    let text = include_str!("../../content/gravitix.toml");
    let only = text.replace(
        r#"id = "b6", name = "Kind Shore", points = 1, cards = 2, demand = [0, 1, 2]"#,
        r#"id = "b6", name = "Kind Shore", points = 1, cards = 2, demand = [0, 0, 2]"#,
    );
    assert_ne!(text, only);
    let position =
        Position::of("b").option("content", only).own(0, &[8]).pending(0, "next_minus_two").hand(0, "G GG");
    let mut env = position.land(6);
    play(&mut env, &["supply"]);
    assert_eq!(
        (phase(&env), due(&env), legal_texts(&env)),
        ("pay".into(), [0, 0, 1], vec!["pay G".to_string(), "pay GG".into()])
    );
}

#[test]
fn gx_r13_r6i_q6_a_pending_effect_is_spent_by_the_next_supply() {
    let position = Position::of("b").own(0, &[6]).pending(0, "next_minus_one").hand(0, "R F G GG RR");
    // It outlives moves, takes and declined supplies.
    let mut env = position.clone().land(8);
    play(&mut env, &["decline", "take", "take", "take", "sail R"]);
    assert_eq!(seen(&env, None)["pending"][0], "next_minus_one");
    // The supply uses it, and the island supplied sets another.
    let mut env = position.clone().land(8);
    play(&mut env, &["supply"]);
    assert_eq!((phase(&env), due(&env)), ("discount".into(), [1, 1, 2]));
    play(&mut env, &["minus gems", "pay R", "pay F"]);
    if phase(&env) == "pay" {
        play(&mut env, &["pay G"]);
    }
    assert_eq!(
        (owner(&env, 8), seen(&env, None)["pending"].clone()),
        (Some(0), json!(["next_minus_two", null]))
    );
    // Of an island without such an ability nothing is left over.
    let position = Position::of("b").own(0, &[6]).pending(0, "next_minus_one").hand(0, "RRR F");
    let mut env = position.land(10);
    play(&mut env, &["supply", "minus rum", "pay RRR"]);
    assert_eq!((owner(&env, 10), seen(&env, None)["pending"].clone()), (Some(0), json!([null, null])));
}

#[test]
fn gx_r6d_q11_swaps_and_sacrifices_come_before_cards() {
    // b9 wants 2/3/0. Own +2 islands b4 and b5, own +1/-1 island b10.
    let position = Position::of("b").own(0, &[4, 5, 10]).hand(0, "R RF FF FFF RR");
    let mut env = position.land(9);
    play(&mut env, &["supply"]);
    let steps = legal_texts(&env);
    for step in ["pay R", "shift rum>fabric", "shift fabric>rum", "sacrifice 4", "sacrifice 5"] {
        assert!(steps.contains(&step.to_string()), "{step} of {steps:?}");
    }
    assert!(!steps.contains(&"shift gems>rum".into()), "no gems are due: {steps:?}");
    play(&mut env, &["sacrifice 5", "shift fabric>rum"]);
    assert_eq!(due(&env), [1, 0, 0]);
    let mut env = Position::of("b").own(0, &[4, 5, 10]).hand(0, "R RF FF FFF RR").land(9);
    play(&mut env, &["supply", "pay R"]);
    let later = legal_texts(&env);
    assert!(later.iter().all(|step| step.starts_with("pay ")), "{later:?}");
    assert_eq!(segment(&env, 0, "payment_uses"), [1, 0], "the use that is left is shown all the same");
    assert_eq!(segment(&env, 1, "payment_started"), [1]);
}

#[test]
fn gx_r15_r15a_one_less_and_one_more() {
    // b0 wants 2/1/1; the hand has fabric in plenty and lacks rum.
    let position = Position::of("b").own(0, &[10]).hand(0, "R FF G");
    let mut env = position.clone().land(0);
    play(&mut env, &["supply"]);
    // Only a shift can mend it: rum for fabric, and all the rest of the cards pay.
    assert_eq!((phase(&env), due(&env)), ("pay".into(), [1, 2, 1]));
    assert_eq!(legal_texts(&env), ["pay R", "pay G", "pay FF"]);
    let env = position.own(1, &[10]).land(0);
    assert_eq!(env.current_player(), Some(Player(1)));
    // More of a resource that was not due: b9 wants 2/3/0, and gems are at hand.
    let mut env = Position::of("b").own(0, &[10]).hand(0, "R FFF G").land(9);
    play(&mut env, &["supply"]);
    assert_eq!(due(&env), [1, 3, 1]);
    // Each of two such islands once.
    let mut env = Position::of("b").own(0, &[10, 11]).hand(0, "FFF F G").land(9);
    play(&mut env, &["supply"]);
    assert_eq!((phase(&env), segment(&env, 0, "payment_uses")), ("pay".into(), vec![2, 0]));
}

#[test]
fn gx_r10_r10a_r6h_e13_exchange_is_announced_and_its_card_forced() {
    let mut env = Position::of("b").own(0, &[0]).hand(0, "RF G").land(6);
    play(&mut env, &["supply"]);
    assert_eq!(legal(&env), [29, 58]);
    play(&mut env, &["exchange rum>gems"]);
    // RF pays fabric 1 and gems 1, then G: both forced.
    assert_eq!(
        (owner(&env, 6), seen(&env, None)["discards"][0].clone()),
        (Some(0), json!({"W": 1, "RF": 1, "G": 1}))
    );
}

#[test]
fn gx_r10a_q22_the_whole_amount_counts_as_another() {
    // c8 wants 3/0/1. RR counted as gems pays it all, but the rum is short then; FFG counted as rum pays 2 rum and the gem.
    let position = Position::of("c").face(0, "b0").own(0, &[0]).hand(0, "FFG R W");
    let mut env = position.land(8);
    play(&mut env, &["supply"]);
    assert_eq!(legal_texts(&env), ["pay R", "exchange fabric>rum"]);
    play(&mut env, &["exchange fabric>rum"]);
    assert_eq!(
        (owner(&env, 8), sizes(&env, 0)[0]),
        (Some(0), 3),
        "FFG and R paid, both forced; two cards drawn"
    );
    // One use for each own island, and only one for each card.
    let mut env = Position::of("b").own(0, &[0]).hand(0, "RR FF G RF").land(10);
    play(&mut env, &["supply", "exchange fabric>rum"]);
    assert_eq!(
        (segment(&env, 1, "payment_exchange"), segment(&env, 1, "payment_uses")),
        (vec![0, 0, 1, 0, 0, 0], vec![0, 1])
    );
    assert!(
        legal_texts(&env).iter().all(|step| ["pay FF", "pay RF"].contains(&step.as_str())),
        "{:?}",
        legal_texts(&env)
    );
    play(&mut env, &["pay FF"]);
    assert_eq!(segment(&env, 1, "payment_uses"), [0, 0]);
    assert!(legal_texts(&env).iter().all(|step| !step.starts_with("exchange")));
}

#[test]
fn gx_r10a_what_is_exchanged_no_longer_counts_as_printed() {
    // b8 wants 1/1/2: the rum of RF counted as gems pays no rum.
    let mut env = Position::of("b").own(0, &[0]).hand(0, "RF R G F").land(8);
    play(&mut env, &["supply", "exchange rum>gems"]);
    assert_eq!(legal_texts(&env), ["pay R", "pay RF"]);
    play(&mut env, &["pay RF", "pay R"]);
    // Fabric and a gem were paid, then rum; the other gem is forced.
    assert_eq!(
        (owner(&env, 8), seen(&env, None)["discards"][0].clone()),
        (Some(0), json!({"W": 1, "R": 1, "G": 1, "RF": 1}))
    );
    let mut env = Position::of("b").own(0, &[0]).hand(0, "RF R RR G").land(8);
    play(&mut env, &["supply", "exchange rum>gems", "pay RF"]);
    assert_eq!(
        (due(&env), legal_texts(&env)),
        ([1, 0, 1], vec!["pay R".to_string(), "pay G".into(), "pay RR".into()])
    );
}

#[test]
fn gx_q4_an_ability_helps_from_the_next_payment_on_and_stays() {
    // b2, -1, wants 1/2/2 whole: its own ability does not touch its own payment.
    let mut env = Position::of("b").hand(0, "R FF GG").land(2);
    play(&mut env, &["supply"]);
    assert_eq!((phase(&env), due(&env)), ("pay".into(), [1, 2, 2]));
    play(&mut env, &["pay R", "pay FF"]);
    assert_eq!(owner(&env, 2), Some(0));
    // Afterwards every payment has it.
    for slot in [4, 8] {
        let mut env = Position::of("b").own(0, &[2]).hand(0, "R FFF GG RF").land(slot);
        play(&mut env, &["supply"]);
        assert_eq!((phase(&env), segment(&env, 0, "payment_units_left")), ("discount".into(), vec![1]));
    }
}

#[test]
fn gx_r12_r6f_q5_e7_an_island_given_up_pays_for_another() {
    let mut env = Position::of("b").own(0, &[4]).hand(0, "W").ship(0, 4, 1).load();
    play(&mut env, &["sail W", "go 4:1"]);
    assert_eq!(legal(&env), [23, 25]);
    let before = env.scores()[0];
    play(&mut env, &["supply"]);
    assert_eq!((owner(&env, 2), owner(&env, 4)), (Some(0), None));
    assert_eq!((before, env.scores()[0]), (2, 2));
    assert_eq!(sizes(&env, 0)[0], 1, "the card of b2");
}

#[test]
fn gx_r12a_a_given_up_island_is_as_new_for_anybody() {
    // b10 wants 3/1/0: giving up b4 leaves 1/0/0.
    let mut env = Position::of("b").own(0, &[4, 5]).hand(0, "R RR").hand(1, "R FFF G W").land(10);
    play(&mut env, &["supply", "sacrifice 4"]);
    assert_eq!((due(&env), owner(&env, 4), env.state().stock(Player(0))), ([1, 0, 0], None, 11));
    play(&mut env, &["pay R"]);
    assert_eq!(owner(&env, 10), Some(0));
    // Player 1 sails there (b4 lies on (8,2)), pays the whole demand and gets its cards.
    let mut env = Position::of("b").own(0, &[5, 10]).hand(1, "R FFF G W").set("turn", 1).ship(1, 8, 2).load();
    play(&mut env, &["sail W", "go 8:2", "supply", "pay R", "pay FFF"]);
    assert_eq!((owner(&env, 4), sizes(&env, 1)[0]), (Some(1), 2));
    // And so may the former owner.
    let mut env = Position::of("b").own(0, &[5, 10]).hand(0, "R FFF G").land(4);
    play(&mut env, &["supply", "pay R", "pay FFF"]);
    assert_eq!((owner(&env, 4), sizes(&env, 0)[0]), (Some(0), 2));
}

#[test]
fn gx_r12a_both_markers_of_a_doubled_island_return() {
    // An own Double island lets one island be doubled: b4.
    let position = Position::of("b").face(0, "c10").own(0, &[0, 4]).doubled(4).hand(0, "R RR");
    let mut env = position.land(10);
    assert_eq!(env.state().stock(Player(0)), 9);
    // Without fabric in hand nothing else is possible: it is executed.
    play(&mut env, &["supply"]);
    assert_eq!((env.state().stock(Player(0)), env.state().doubled), (11, 0));
}

#[test]
fn gx_r6h_a_payment_in_course_always_has_a_step_and_reaches_its_end() {
    let mut payments = 0;
    for (i, options) in crate::fixture::variants().iter().enumerate() {
        crate::fixture::visit_halves(options, 100 + i as u64, |env| {
            let phase = env.state().phase;
            use playmat_gravitix::state::Phase;
            if !matches!(phase, Phase::Supply | Phase::Discount | Phase::Pay) {
                return;
            }
            payments += 1;
            // Whatever is chosen: the first step, the last, or any.
            for pick in 0..3 {
                let mut copy = env.clone();
                let (player, slot) = (
                    copy.current_player().unwrap(),
                    copy.state().slot_at(copy.state().ships[copy.state().turn.index()]).unwrap(),
                );
                let mut draws = Rng::from_seed(pick);
                if phase == Phase::Supply {
                    play(&mut copy, &["supply"]);
                }
                while matches!(copy.state().phase, Phase::Discount | Phase::Pay)
                    && copy.state().turn == player
                    && copy.state().owner(slot).is_none()
                {
                    let all: Vec<_> = copy.legal(player).iter().collect();
                    let chosen = match pick {
                        0 => all[0],
                        1 => all[all.len() - 1],
                        _ => all[draws.below(all.len() as u32) as usize],
                    };
                    copy.step(chosen.0.into()).unwrap();
                }
                assert_eq!(copy.state().owner(slot), Some(player));
            }
        });
    }
    assert!(payments > 300, "{payments}");
}
