//! The action cards one by one: RA-R7 to RA-R16 with their rulings.

use crate::fixture::{
    Position, decider, discards, event_names, exchange, hand, last, legal, on_bench, phase, play_numbers,
    player_state, seen, supplies,
};
use playmat_rafts::state::Phase;
use serde_json::json;

#[test]
fn ra_r7_espionage_takes_bacterium_gene_or_raft() {
    let position = Position::of(3).hand(0, "IE EC").bench(1, "PP lux").supplies(2, "raft time");
    let mut env = position.load();
    play_numbers(&mut env, &[18]);
    // Player 1: bacterium, gene; player 2: raft.
    assert_eq!((phase(&env), legal(&env)), (Phase::Steal, vec![70, 71, 80]));
    for (action, bench, raft) in [(70, "PP -", 0), (71, "- lux", 0), (80, "- -", 1)] {
        let mut env = position.load();
        play_numbers(&mut env, &[18, action]);
        assert_eq!((on_bench(&env, 0, 0), supplies(&env, 0)[3]), (bench.into(), raft));
        assert_eq!(discards(&env), json!({}), "a stolen card does not pass through the discards");
        assert_eq!(event_names(&env, Some(2)), ["stolen", "placed"]);
    }
    let mut env = position.load();
    play_numbers(&mut env, &[18, 80]);
    assert_eq!(supplies(&env, 2), [1, 0, 0, 0]);
}

#[test]
fn ra_r7a_a_stolen_card_is_placed_like_any_other() {
    let base = Position::of(2).hand(0, "IE time").bench(1, "PP -");
    let mut env = base.clone().bench(0, "EC -").load();
    play_numbers(&mut env, &[18]);
    assert_eq!((on_bench(&env, 0, 0), last(&env)), ("PP -".into(), Some("EC".into())));
    let mut env = base.lab(0, "EC lux", "- -").load();
    play_numbers(&mut env, &[18]);
    assert_eq!((phase(&env), legal(&env)), (Phase::Bench, vec![37, 38]));
    // Until it is placed it lies nowhere.
    let json = seen(&env, Some(1));
    assert_eq!((&json["placing"], &json["resolving"]), (&json!("PP"), &json!("IE")));
    assert_eq!(on_bench(&env, 1, 0), "- -");
    play_numbers(&mut env, &[38]);
    assert_eq!((on_bench(&env, 0, 1), discards(&env)), ("PP -".into(), json!({})));
}

#[test]
fn ra_r7b_who_has_a_raft_steals_none() {
    let env = Position::of(2).hand(0, "IE EC").supplies(0, "raft").supplies(1, "raft").load();
    assert_eq!(legal(&env), [0, 32]);
    let mut env = Position::of(2).hand(0, "IE EC").supplies(1, "raft").load();
    play_numbers(&mut env, &[18]);
    assert_eq!((supplies(&env, 0)[3], supplies(&env, 1)[3]), (1, 0));
}

#[test]
fn ra_r7c_q12a_what_cannot_be_stolen() {
    // Supplies, goals, Lab expansions, and anything of one's own.
    let env = Position::of(2)
        .hand(0, "IE EC")
        .bench(0, "EC lux")
        .lab(1, "- -", "- -")
        .supplies(1, "time*2 money*2 medium*2")
        .load();
    assert_eq!(legal(&env), [0, 32]);
    // An equal card can be stolen; of two equal benches one is offered.
    let mut env = Position::of(2).hand(0, "IE time").bench(0, "EC -").lab(1, "EC lux", "EC lux").load();
    play_numbers(&mut env, &[18]);
    assert_eq!(legal(&env), [70, 71]);
    play_numbers(&mut env, &[70]);
    assert_eq!((on_bench(&env, 0, 0), last(&env)), ("EC -".into(), Some("EC".into())));
    let mut env = Position::of(2).hand(0, "IE time").lab(1, "EC lux", "EC -").load();
    play_numbers(&mut env, &[18]);
    assert_eq!(legal(&env), [70, 71, 72]);
}

#[test]
fn ra_r8_goals_are_swapped_and_never_doubled() {
    let mut env = Position::of(2).hand(0, "RX EC").goals(0, &["blood"]).goals(1, &["oil_spill"]).load();
    play_numbers(&mut env, &[19]);
    assert_eq!(seen(&env, None)["players"][0]["goals"], json!(["oil_spill"]));
    assert_eq!(seen(&env, None)["players"][1]["goals"], json!(["blood"]));
    assert_eq!(event_names(&env, Some(1)), ["played", "targeted", "goals_exchanged"]);
    // Nobody may end with two of a kind, and like for like changes nothing (RA-Q13).
    let env = Position::of(2).hand(0, "RX EC").goals(0, &["blood"]).goals(1, &["blood"]).load();
    assert_eq!(legal(&env), [0, 32]);
    let env = Position::of(2).hand(0, "RX EC").goals(0, &["blood", "oil_spill"]).goals(1, &["blood"]).load();
    assert_eq!(legal(&env), [0, 32]);
}

#[test]
fn ra_r8a_q13_who_plays_the_card_chooses_everything() {
    let mut env = exchange().load();
    play_numbers(&mut env, &[19]);
    // Player 2 has nothing that player 0 may receive: player 1 is the partner without a word.
    assert_eq!((decider(&env), phase(&env), legal(&env)), (Some(0), Phase::Receive, vec![57 + 8, 57 + 10]));
    assert_eq!(seen(&env, Some(2))["partner"], 1);
    play_numbers(&mut env, &[57 + 10]);
    assert_eq!((phase(&env), legal(&env)), (Phase::Give, vec![57 + 1, 57 + 5]));
    assert_eq!(seen(&env, Some(2))["receiving"], "probiotic");
    play_numbers(&mut env, &[57 + 5]);
    assert_eq!(seen(&env, None)["players"][0]["goals"], json!(["blood", "probiotic"]));
    assert_eq!(seen(&env, None)["players"][1]["goals"], json!(["oil_spill", "bottles"]));
}

#[test]
fn ra_r8a_two_partners_are_a_choice() {
    let mut env = Position::of(4).hand(0, "RX EC").goals(3, &["preservative"]).load();
    play_numbers(&mut env, &[19]);
    // Player 3 has the goal of player 0.
    assert_eq!((phase(&env), legal(&env)), (Phase::Target, vec![69, 75]));
    play_numbers(&mut env, &[75]);
    assert_eq!(seen(&env, None)["players"][0]["goals"], json!(["bottles"]));
}

#[test]
fn ra_r9_contamination_takes_one_medium_of_one_opponent() {
    let mut env = Position::of(3)
        .hand(0, "FC EC")
        .supplies(0, "medium")
        .supplies(1, "medium*2")
        .supplies(2, "medium time")
        .load();
    play_numbers(&mut env, &[20]);
    assert_eq!((phase(&env), legal(&env)), (Phase::Target, vec![69, 75]));
    play_numbers(&mut env, &[69]);
    assert_eq!([0, 1, 2].map(|player| supplies(&env, player)[2]), [1, 1, 1]);
    assert_eq!((discards(&env), last(&env)), (json!({"medium": 1}), Some("medium".into())));
    // One possible victim is a forced move; without any the card cannot be played.
    let mut env = Position::of(3).hand(0, "FC EC").supplies(2, "medium").load();
    play_numbers(&mut env, &[20]);
    assert_eq!((decider(&env), phase(&env), supplies(&env, 2)[2]), (Some(0), Phase::Main, 0));
    assert_eq!(legal(&Position::of(3).hand(0, "FC EC").supplies(0, "medium").load()), [0, 32]);
}

#[test]
fn ra_r10_q10_a_spill_takes_all_bacteria_and_no_gene() {
    let mut env = Position::of(3).hand(0, "AS EC").bench(0, "EC lux").lab(1, "BS phaC", "PP -").load();
    play_numbers(&mut env, &[21]);
    assert_eq!(
        [on_bench(&env, 0, 0), on_bench(&env, 1, 0), on_bench(&env, 1, 1)],
        ["- lux", "- phaC", "- -"]
    );
    assert_eq!(discards(&env), json!({"EC": 1, "BS": 1, "PP": 1}));
}

#[test]
fn ra_r10_q10_one_shield_saves_both_bacteria() {
    let mut env = Position::of(2).hand(0, "AS EC").lab(1, "BS phaC", "PP -").hand(1, "AR*2 EC").load();
    play_numbers(&mut env, &[21]);
    assert_eq!(legal(&env), [29, 33]);
    play_numbers(&mut env, &[29]);
    // Nobody decides about the second one.
    assert_eq!((decider(&env), phase(&env)), (Some(0), Phase::Main));
    assert_eq!((on_bench(&env, 1, 0), on_bench(&env, 1, 1)), ("BS phaC".into(), "PP -".into()));
}

#[test]
fn ra_r11_r11a_outages_and_expenses_take_one_of_everybody() {
    for (card, generic, id) in [(22, 0, "time"), (23, 1, "money")] {
        let mut env = Position::of(3)
            .hand(0, "PO UE EC")
            .supplies(0, "time money")
            .supplies(1, "time*2 money*2")
            .load();
        play_numbers(&mut env, &[card]);
        assert_eq!([0, 1, 2].map(|player| supplies(&env, player)[generic]), [0, 1, 0]);
        assert_eq!([0, 1].map(|player| supplies(&env, player)[1 - generic]), [1, 2]);
        assert_eq!((discards(&env), last(&env)), (json!({id: 2}), Some(id.into())));
    }
}

#[test]
fn ra_r11b_q12_cards_that_would_do_nothing_cannot_be_played() {
    let hand = "FC AS PO UE EC";
    assert_eq!(legal(&Position::of(2).hand(0, hand).load()), [0, 32]);
    let own = Position::of(2).hand(0, hand).bench(0, "EC -").supplies(0, "time money medium").load();
    assert_eq!(legal(&own), [0, 21, 22, 23, 32], "one's own count, but for the contamination");
    let other = Position::of(2).hand(0, hand).bench(1, "EC -").supplies(1, "time money medium").load();
    assert_eq!(legal(&other), [0, 20, 21, 22, 23, 32]);
    // Shields are disregarded.
    let mut env = Position::of(2).hand(0, "PO EC").supplies(1, "time").hand(1, "BG").load();
    play_numbers(&mut env, &[22, 28]);
    assert_eq!(supplies(&env, 1)[0], 1);
}

#[test]
fn ra_r12_r12a_q4_one_lab_expansion_for_good() {
    let mut env = Position::of(2).hand(0, "LE*2 EC AS").bench(0, "EC lux").load();
    play_numbers(&mut env, &[24]);
    assert_eq!(legal(&env), [0, 21, 32], "a second one is not playable");
    play_numbers(&mut env, &[0, 38, 21]);
    assert!(player_state(&env, 0).lab, "losing cards costs no bench");
    assert_eq!((on_bench(&env, 0, 0), on_bench(&env, 0, 1)), ("- lux".into(), "- -".into()));
    assert_eq!(event_names(&env, Some(1)).iter().filter(|name| *name == "discarded").count(), 2);
}

#[test]
fn ra_r12b_the_owner_chooses_the_bench_taken_or_not() {
    let base = Position::of(2).hand(0, "BS EC");
    let mut env = base.clone().lab(0, "EC lux", "- -").load();
    play_numbers(&mut env, &[1]);
    assert_eq!((phase(&env), legal(&env)), (Phase::Bench, vec![37, 38]));
    play_numbers(&mut env, &[37]);
    assert_eq!((on_bench(&env, 0, 0), last(&env)), ("BS lux".into(), Some("EC".into())));
    // Equal benches leave nothing to choose.
    for benches in [("- -", "- -"), ("EC lux", "EC lux")] {
        let mut env = base.clone().lab(0, benches.0, benches.1).load();
        play_numbers(&mut env, &[1]);
        assert_eq!(phase(&env), Phase::Main);
        assert!(on_bench(&env, 0, 0).starts_with("BS"));
    }
    // The same with a bacterium equal to the one that lies there.
    let mut env = base.lab(0, "EC lux", "EC -").load();
    play_numbers(&mut env, &[0]);
    assert_eq!(legal(&env), [37, 38]);
}

#[test]
fn ra_r13_q5_bioeconomy_takes_a_resource_into_the_hand() {
    let base = Position::of(2).hand(0, "BE EC");
    assert_eq!(legal(&base.load()), [0, 32], "nothing to take");
    let mut env = base.discards("lux time*2", Some("time")).load();
    play_numbers(&mut env, &[25]);
    assert_eq!(legal(&env), [45, 53]);
    play_numbers(&mut env, &[45]);
    // Not placed, and the last discard stays what it was.
    assert_eq!((on_bench(&env, 0, 0), last(&env)), ("- -".into(), Some("time".into())));
    assert_eq!(hand(&env, 0), json!({"EC": 1, "lux": 1}));
    assert_eq!(legal(&env), [0, 6, 32], "it may be played in the same turn");
    assert_eq!(event_names(&env, Some(1)), ["recovered"]);
}

#[test]
fn ra_r14_funding_adds_a_second_goal() {
    let mut env = Position::of(2).hand(0, "EF EC").goals(1, &["blood"]).load();
    play_numbers(&mut env, &[26, 57 + 1]);
    assert_eq!(seen(&env, Some(1))["players"][0]["goals"], json!(["blood", "preservative"]));
    assert_eq!(env.state().goals_left[1], 0);
    // With two goals it is not playable, nor if nothing is left to choose.
    assert_eq!(legal(&Position::of(2).hand(0, "EF EC").goals(0, &["blood", "bottles"]).load()), [0, 32]);
    let none = Position::of(2).hand(0, "EF EC").set("goals_left", json!({"preservative": 1})).load();
    assert_eq!(legal(&none), [0, 32]);
    let one = Position::of(2).hand(0, "EF EC").set("goals_left", json!({"blood": 1})).load();
    assert_eq!(legal(&one), [0, 26, 32]);
}

#[test]
fn ra_r15_r15a_serendipity_in_the_own_main_phase() {
    let base = Position::of(2).hand(0, "SE EC");
    assert_eq!(legal(&base.load()), [0, 32], "no last discard");
    let no_last = base.clone().discards("time", None);
    assert_eq!(legal(&no_last.load()), [0, 32], "the pile has cards, and none of them is the last one");
    // Generics below their limit only; a raft without a raft; bacteria and genes always.
    let time = base.clone().discards("time", Some("time"));
    assert_eq!(legal(&time.load()), [0, 27, 32]);
    assert_eq!(legal(&time.supplies(0, "time*2").load()), [0, 32]);
    let raft = base.clone().discards("raft", Some("raft"));
    assert_eq!(legal(&raft.load()), [0, 27, 32]);
    assert_eq!(legal(&raft.supplies(0, "raft").load()), [0, 32]);
    let mut env = base.discards("lux*2", Some("lux")).bench(0, "- phaC").load();
    play_numbers(&mut env, &[27]);
    assert_eq!((on_bench(&env, 0, 0), last(&env)), ("- lux".into(), Some("phaC".into())));
    assert_eq!(discards(&env), json!({"lux": 1, "phaC": 1}));
    // A card that the same player discarded.
    let mut env = Position::of(2).hand(0, "SE BS EC").bench(0, "EC -").load();
    play_numbers(&mut env, &[1, 27]);
    assert_eq!((on_bench(&env, 0, 0), discards(&env)), ("EC -".into(), json!({"BS": 1})));
}

#[test]
fn ra_r15_the_owner_of_a_lab_chooses_the_bench_of_a_snatched_card() {
    let mut env =
        Position::of(2).hand(0, "BS time").bench(0, "EC -").hand(1, "SE").lab(1, "PP lux", "- -").load();
    play_numbers(&mut env, &[1, 27]);
    assert_eq!((decider(&env), phase(&env), legal(&env)), (Some(1), Phase::Bench, vec![37, 38]));
    assert_eq!(seen(&env, Some(0))["resolving"], "SE");
    play_numbers(&mut env, &[38]);
    assert_eq!((on_bench(&env, 1, 1), decider(&env)), ("EC -".into(), Some(0)));
}

#[test]
fn ra_r16_shields_answer_their_own_sabotage_only() {
    let hand = "BG AR SV EC";
    assert_eq!(legal(&Position::of(2).hand(0, hand).load()), [0, 32], "never in the main phase");
    for (card, shield) in [(21, 29), (22, 28), (23, 30)] {
        let mut env = Position::of(2)
            .hand(0, "AS PO UE EC")
            .hand(1, hand)
            .bench(1, "EC -")
            .supplies(1, "time money medium")
            .bench(0, "BS -")
            .supplies(0, "time money")
            .load();
        play_numbers(&mut env, &[card]);
        assert_eq!((decider(&env), legal(&env)), (Some(1), vec![shield, 33]));
        play_numbers(&mut env, &[shield.into()]);
        assert_eq!((on_bench(&env, 1, 0), supplies(&env, 1)), ("EC -".into(), [1, 1, 1, 0]));
        let own = (on_bench(&env, 0, 0), supplies(&env, 0));
        assert_ne!(own, ("BS -".into(), [1, 1, 0, 0]), "nobody else is exempt");
    }
    // A contamination has no answer.
    let mut env = Position::of(2).hand(0, "FC EC").hand(1, hand).supplies(1, "medium").load();
    play_numbers(&mut env, &[20]);
    assert_eq!((decider(&env), supplies(&env, 1)[2]), (Some(0), 0));
}

#[test]
fn ra_r16_the_turn_player_may_shield_its_own_loss() {
    let mut env = Position::of(2).hand(0, "PO BG EC").supplies(0, "time").supplies(1, "time").load();
    play_numbers(&mut env, &[22]);
    assert_eq!((decider(&env), legal(&env)), (Some(0), vec![28, 33]));
    play_numbers(&mut env, &[28]);
    assert_eq!([0, 1].map(|player| supplies(&env, player)[0]), [1, 0]);
}

#[test]
fn ra_q18_a_choice_once_made_leads_to_an_end() {
    // Whatever is chosen, the next decision has an answer.
    crate::fixture::every_position(&json!({"players": 4}), 70..76, |env| {
        if env.current_player().is_some() {
            assert!(legal(env).len() > 1, "{:?} {:?}", phase(env), legal(env));
        }
    });
}
