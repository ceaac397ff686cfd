//! Every card of the library's content, by what the page says of it.

use crate::fixture::{
    Position, decider, deck, kind, legal, phase, play, play_numbers, player_state, seen, segment, survey,
    texts, zone,
};
use playmat_core::prelude::*;
use playmat_graven::state::Phase;
use serde_json::json;

fn effect() -> Position {
    Position::of(2).stage("effect").hand(0, "PHY")
}

#[test]
fn gv_r10_archer_destroys_a_human_on_a_front_line() {
    let mut env = effect().back(0, "ARC DRI").front(1, "HER OMB").back(1, "DRI").load();
    play(&mut env, &["activate ARC"]);
    // One candidate: no decision. The cost was milled.
    assert_eq!((zone(&env, 1, "discard"), deck(&env, 0)), ("HER".into(), 8));
    let env = effect().back(0, "ARC DRI").front(1, "OMB").load();
    assert!(!texts(&env).contains(&"activate ARC".into()), "no Human there (GV-R20)");
}

#[test]
fn gv_r19_blacksmith_wakes_passives_of_front_humans() {
    let draws = |front: &str, back: &str| {
        let env = Position::of(2).stage("draw").hand(0, "ARC").front(0, front).back(0, back).load();
        if phase(&env) == Phase::Draw { legal(&env).len() } else { 1 }
    };
    assert_eq!((draws("MER", ""), draws("MER", "BLA"), draws("MER BLA", "")), (1, 2, 1));
    // Active only through Hesh it adds nothing; Hesh itself works from both lines.
    assert_eq!((draws("MER BLA HES", ""), draws("MER", "HES")), (2, 2));
    let titans = Position::of(2).front(0, "VIR HER").back(0, "BLA").hand(0, "PHY").load();
    assert_eq!(survey(&titans, 0), 4, "a Blacksmith wakes no Titan");
    let titans = Position::of(2).front(0, "VIR HER").back(0, "HES").hand(0, "PHY").load();
    assert_eq!(survey(&titans, 0), 5);
}

#[test]
fn gv_q6_r11b_conscript_comes_back_once_a_turn() {
    let mut env = Position::of(2).stage("effect").back(0, "PLA*2").cards(1, "CON*3 DRI*3").load();
    play(&mut env, &["activate PLA"]);
    let back = player_state(&env, 1).discard.count(kind(&env, "CON"));
    let up = env.state().copies_on(1, 1, kind(&env, "CON"));
    let milled = back + up;
    assert_eq!(up, u8::from(milled > 0));
    // From the hand, too.
    let mut env = Position::of(2).hand(0, "SPY PHY").hand(1, "CON DRI").load();
    play(&mut env, &["play SPY to back", "choose CON"]);
    assert_eq!((zone(&env, 1, "back"), zone(&env, 1, "hand")), ("CON".into(), "DRI".into()));
    // Not when it is destroyed.
    let mut env = effect().back(0, "ARC").front(1, "CON").load();
    play(&mut env, &["activate ARC"]);
    assert_eq!(zone(&env, 1, "discard"), "CON");
}

#[test]
fn gv_r15_r10a_defector_takes_a_human_to_the_own_back_line() {
    let mut env = Position::of(2).stage("effect").hand(0, "DEF*2").front(1, "PLA GOL").load();
    play(&mut env, &["use DEF from hand"]);
    assert_eq!(
        seen(&env, None)["players"][0]["back_foreign"],
        json!([{"card": "PLA", "owner": 1, "copies": 1}])
    );
    // Once a turn; the stolen card can be used at once (GV-Q16).
    assert_eq!(texts(&env), ["pass", "activate PLA"]);
    assert_eq!(zone(&env, 0, "discard"), "DEF");
}

#[test]
fn gv_q15_drillmaster_moves_itself_and_others() {
    let mut env = Position::of(2).stage("effect").back(0, "DRI PLA").front(0, "SCO JES").load();
    play(&mut env, &["activate DRI", "target JES on front of player 0"]);
    assert_eq!(zone(&env, 0, "back"), "DRI JES PLA");
    assert!(!texts(&env).contains(&"activate JES".into()), "no score above 0 to lower");
    let mut env = Position::of(2).stage("effect").back(0, "DRI PLA").front(0, "SCO").load();
    // A Scout moved back finds nothing: moving is not entering.
    play(&mut env, &["activate DRI", "target SCO on front of player 0"]);
    assert_eq!((phase(&env), zone(&env, 0, "back")), (Phase::Effect, "DRI PLA SCO".into()));
    let mut env = Position::of(2).stage("effect").back(0, "DRI PLA").load();
    play(&mut env, &["activate DRI", "target DRI on back of player 0"]);
    assert_eq!(zone(&env, 0, "front"), "DRI");
}

#[test]
fn gv_q13_gardener_recycles_a_set_once_a_game() {
    let mut env = effect().back(0, "GAR*2").discard(0, "ARC DRI HER*2 VIR").load();
    play(&mut env, &["activate GAR", "choose DRI"]);
    // In ascending order, so that each set is chosen once.
    assert_eq!(texts(&env), ["pass", "choose HER", "choose VIR"]);
    play(&mut env, &["choose HER", "choose HER", "choose VIR"]);
    assert_eq!((zone(&env, 0, "discard"), deck(&env, 0)), ("ARC".into(), 13));
    assert_eq!(player_state(&env, 0).used, 1 << kind(&env, "GAR"));
    assert_ne!(phase(&env), Phase::Effect, "no other Gardener can be used (GV-R11a)");
}

#[test]
fn gv_r10a_gravedigger_recovers_any_card() {
    let mut env = Position::of(2).hand(0, "GRA").discard(0, "VIR ARC").load();
    play(&mut env, &["play GRA to back"]);
    assert_eq!(texts(&env), ["pass", "choose ARC", "choose VIR"]);
    play(&mut env, &["choose VIR"]);
    assert_eq!((zone(&env, 0, "hand"), zone(&env, 0, "known_hand")), ("VIR".into(), "VIR".into()));
}

#[test]
fn gv_q12_harrier_is_mandatory_and_returns_openly() {
    let mut env = Position::of(2).hand(0, "HAR PHY").front(1, "HER OMB").load();
    play(&mut env, &["play HAR to back"]);
    assert_eq!((zone(&env, 1, "hand"), zone(&env, 1, "known_hand")), ("HER".into(), "HER".into()));
    // A card that one has borrowed goes to its owner: here one's own.
    let mut env = Position::of(2).hand(0, "HAR PHY").foreign(1, "front", "HER", 0).load();
    play(&mut env, &["play HAR to back"]);
    assert_eq!(zone(&env, 0, "hand"), "HER PHY");
}

#[test]
fn gv_r12_herald_has_a_passive_and_a_hand_effect() {
    let env = Position::of(2).front(0, "ARC DRI JES PRI HER").back(0, "HER*2").hand(0, "PHY").load();
    assert_eq!(survey(&env, 0), 5 + 4, "copies add up (GV-R19a)");
    let env = Position::of(2).front(0, "ARC DRI JES PRI").back(0, "HER*2").hand(0, "PHY").load();
    assert_eq!(survey(&env, 0), 4);
    let mut env = Position::of(2).stage("effect").hand(0, "HER DEF").front(1, "ARC").load();
    play(&mut env, &["use HER from hand"]);
    assert_eq!((survey(&env, 0), zone(&env, 0, "discard")), (2, "HER".into()));
}

#[test]
fn gv_r20_jester_needs_a_score_above_zero() {
    let env = effect().back(0, "JES PLA").load();
    assert_eq!(texts(&env), ["pass", "activate PLA"]);
    let mut env = effect().back(0, "JES PLA").front(1, "HER*3 ARC").load();
    play(&mut env, &["activate JES"]);
    assert_eq!(survey(&env, 1), 1);
}

#[test]
fn gv_q6_martyr_mills_everybody_when_it_leaves_the_field() {
    let mut env = effect().back(0, "ARC").front(1, "MAR").load();
    play(&mut env, &["activate ARC"]);
    // One for the cost, two for the Martyr.
    assert_eq!((deck(&env, 0), deck(&env, 1)), (6, 7));
    // Behind, too, and sacrificed.
    let mut env = effect().back(0, "SAP").back(1, "MAR").load();
    play(&mut env, &["activate SAP"]);
    assert_eq!((deck(&env, 0), deck(&env, 1)), (7, 7));
    // Milled or discarded it does nothing.
    let mut env = effect().back(0, "PLA").cards(1, "MAR*3 DRI*3").load();
    play(&mut env, &["activate PLA"]);
    assert_eq!(deck(&env, 0), 8);
}

#[test]
fn gv_r18a_physician_brings_the_destroyed_human_back() {
    let base = effect().back(0, "ARC PLA").front(1, "HER");
    let mut env = base.clone().hand(1, "PHY DRI").load();
    play(&mut env, &["activate ARC"]);
    assert_eq!((phase(&env), decider(&env)), (Phase::Window, Some(1)));
    assert_eq!(texts(&env), ["pass", "use PHY from hand"]);
    play(&mut env, &["use PHY from hand"]);
    assert_eq!(phase(&env), Phase::Line);
    play(&mut env, &["line back"]);
    assert_eq!((zone(&env, 1, "back"), zone(&env, 1, "discard")), ("HER".into(), "PHY".into()));
    // One card for each destroyed Human: a second Physician opens no decision.
    let mut env = base.hand(1, "PHY*2").load();
    play(&mut env, &["activate ARC", "use PHY from hand", "line front"]);
    assert_eq!((phase(&env), zone(&env, 1, "hand")), (Phase::Effect, "PHY".into()));
}

#[test]
fn gv_r16_plague_doctor_pays_before_it_mills() {
    let mut env = Position::of(2).stage("effect").back(0, "PLA").deck(0, 1).deck(1, 2).load();
    play(&mut env, &["activate PLA"]);
    // The own deck is empty first.
    assert_eq!(crate::fixture::returns(&env), [-1.0, 1.0]);
    let mut env = Position::of(2).stage("effect").back(0, "PLA").deck(0, 2).deck(1, 3).load();
    play(&mut env, &["activate PLA"]);
    assert_eq!(crate::fixture::returns(&env), [1.0, -1.0]);
}

#[test]
fn gv_r11a_priest_resurrects_two_once_a_game() {
    let mut env = effect().back(0, "PRI*2").discard(0, "REI GAR VIR").load();
    play(&mut env, &["activate PRI"]);
    assert_eq!(texts(&env), ["pass", "choose GAR", "choose REI"]);
    play(&mut env, &["choose REI", "line back", "choose GAR", "line back"]);
    // Reinforcements grant nothing outside the Play Phase; the Gardener can be used at once.
    assert_eq!(zone(&env, 0, "back"), "GAR PRI*2 REI");
    assert_eq!(texts(&env), ["pass", "activate GAR"]);
    assert_eq!(env.state().extra, 0);
}

#[test]
fn gv_q7a_sapper_destroys_itself_and_a_card_behind() {
    let mut env = Position::of(2).stage("effect").back(0, "SAP*2").back(1, "GOL WAT").front(1, "ARC").load();
    play(&mut env, &["activate SAP", "target GOL on back of player 1"]);
    assert_eq!((zone(&env, 0, "discard"), zone(&env, 1, "discard")), ("SAP".into(), "GOL".into()));
    // The other copy is unspent.
    assert_eq!(texts(&env), ["pass", "activate SAP"]);
}

#[test]
fn gv_r13_q11_scout_shows_what_it_finds() {
    let base = Position::of(2).hand(0, "SCO").cards(0, "HER*2 VIR SHI*3");
    let mut env = base.clone().load();
    play(&mut env, &["play SCO to back"]);
    assert_eq!(texts(&env), ["pass", "choose HER", "choose SHI"]);
    play(&mut env, &["choose HER"]);
    assert_eq!(zone(&env, 0, "known_hand"), "HER");
    let mut env = base.option("search_reveals", false).load();
    play(&mut env, &["play SCO to back", "choose HER"]);
    assert_eq!((zone(&env, 0, "known_hand"), zone(&env, 0, "hand")), ("".into(), "HER".into()));
    let found = env.events(Some(Player(1))).unwrap();
    assert!(found.iter().any(|event| event["event"] == "found" && event["card"].is_null()));
}

#[test]
fn gv_r7b_shieldbearers_and_golvane_ward() {
    let loss = |back: &str| {
        let mut env = Position::of(2)
            .stage("effect")
            .hand(0, "DEF")
            .front(0, "SAR OMB NUR")
            .front(1, "HER")
            .back(1, back)
            .deck(1, 12)
            .load();
        play_numbers(&mut env, &[0]);
        12 - deck(&env, 1)
    };
    assert_eq!([loss(""), loss("SHI"), loss("SHI*2"), loss("GOL"), loss("GOL SHI*2")], [8, 6, 4, 3, 0]);
}

#[test]
fn gv_r11b_spy_sees_a_hand_and_takes_a_card() {
    let mut env = Position::of(2).hand(0, "SPY*2 PHY").hand(1, "DRI HER*2").load();
    play(&mut env, &["play SPY to back"]);
    assert_eq!(zone(&env, 1, "known_hand"), "DRI HER*2");
    assert_eq!(texts(&env), ["choose DRI", "choose HER"]);
    play(&mut env, &["choose HER"]);
    assert_eq!((zone(&env, 1, "known_hand"), zone(&env, 1, "discard")), ("DRI HER".into(), "HER".into()));
    // The second one of this turn does nothing (once per turn).
    play(&mut env, &["play SPY to back"]);
    assert_eq!(zone(&env, 1, "hand").matches("DRI").count(), 1);
    assert_eq!(player_state(&env, 0).used, 0, "a new turn has begun");
}

#[test]
fn gv_r19a_q12_warden_protects_others_behind() {
    let base = Position::of(2).stage("effect").back(0, "SAP").back(1, "WAR GOL").front(1, "ARC");
    let mut env = base.clone().load();
    play(&mut env, &["activate SAP"]);
    assert_eq!(zone(&env, 1, "discard"), "WAR", "the Warden alone can be chosen");
    // On the Front Line it is mute.
    let env = base.clone().back(1, "GOL PLA").front(1, "WAR").load();
    assert!(texts(&env).contains(&"activate SAP".into()));
    // Two Wardens protect neither of them.
    let mut env = base.back(1, "WAR*2 GOL").load();
    play(&mut env, &["activate SAP"]);
    assert_eq!(zone(&env, 1, "discard"), "WAR");
}

#[test]
fn gv_r18b_watchmen_decide_until_nothing_is_left() {
    let mut env = Position::of(2)
        .stage("effect")
        .hand(0, "DEF")
        .front(0, "SAR OMB")
        .front(1, "")
        .hand(1, "WAT*2")
        .turn_of(0)
        .back(0, "PLA")
        .load();
    play(&mut env, &["pass"]);
    assert_eq!((phase(&env), decider(&env), segment(&env, 0, "losses")), (Phase::Ward, Some(1), vec![0, 6]));
    assert_eq!(texts(&env), ["pass", "use WAT from hand"]);
    play(&mut env, &["use WAT from hand"]);
    assert_eq!((phase(&env), segment(&env, 1, "losses")), (Phase::Ward, vec![1, 0]));
    play(&mut env, &["pass"]);
    // One milled, one drawn.
    assert_eq!(deck(&env, 1), 7);
}

/// A Titan comes to the Back Line by sacrificing two Heralds.
fn invoke(titan: &str) -> Position {
    Position::of(2).hand(0, &format!("{titan} PHY")).back(0, "HER*2")
}

#[test]
fn gv_r12_belhame_makes_opponents_discard_and_hunts_titans() {
    let mut env = invoke("BEL").hand(1, "DRI HER").load();
    play(&mut env, &["invoke BEL to back"]);
    assert_eq!((phase(&env), decider(&env)), (Phase::Card, Some(1)));
    play(&mut env, &["choose DRI"]);
    assert_eq!((zone(&env, 1, "discard"), zone(&env, 1, "hand")), ("DRI".into(), "HER".into()));
    let mut env = Position::of(2)
        .stage("effect")
        .hand(0, "BEL")
        .back(0, "DRI")
        .front(1, "HES ARC")
        .back(1, "VIR")
        .load();
    play(&mut env, &["use BEL from hand"]);
    assert_eq!(texts(&env), ["target HES on front of player +1", "target VIR on back of player +1"]);
    play(&mut env, &["target VIR on back of player 1"]);
    assert_eq!(zone(&env, 0, "discard"), "BEL");
}

#[test]
fn gv_r10_cathmor_resurrects_up_to_three() {
    let mut env = invoke("CAT").discard(0, "ARC").load();
    play(&mut env, &["invoke CAT to back", "choose ARC", "line front", "choose HER", "line front"]);
    assert_eq!((phase(&env), texts(&env)), (Phase::Card, vec!["pass".into(), "choose HER".into()]));
    play(&mut env, &["pass"]);
    assert_eq!(zone(&env, 0, "front"), "ARC HER");
}

#[test]
fn gv_r10a_golvane_sends_a_card_back_to_its_deck() {
    let mut env = effect().back(0, "GOL").front(1, "HER").back(1, "VIR").load();
    play(&mut env, &["activate GOL", "target VIR on back of player 1"]);
    // Then player 1 drew a card.
    assert_eq!(player_state(&env, 1).deck.total() + player_state(&env, 1).hand.total(), 10);
    assert_eq!(env.state().visible(1).total(), 1);
    assert_eq!(zone(&env, 1, "back"), "");
}

#[test]
fn gv_r20_hesh_finds_humans_with_a_passive() {
    let mut env = invoke("HES").cards(0, "ARC MER SHI*2 VIR GRA").load();
    play(&mut env, &["invoke HES to back"]);
    assert_eq!(texts(&env), ["pass", "choose MER", "choose SHI"]);
    // On the Front Line it enters mute, but its passive is active.
    let mut env = invoke("HES").front(0, "VIR MER").load();
    play(&mut env, &["invoke HES to front", "target HER on back of player 0"]);
    assert_eq!((phase(&env), survey(&env, 0)), (Phase::Play, 3 + 3 + 1 + 1));
}

#[test]
fn gv_r16_nuruk_mills_all_opponents_at_once() {
    let mut env = Position::of(3).stage("effect").back(0, "NUR").hand(0, "PHY").deck(1, 5).deck(2, 4).load();
    play(&mut env, &["activate NUR"]);
    assert_eq!(crate::fixture::returns(&env), [1.0, -0.5, -0.5]);
}

#[test]
fn gv_r10_ombrel_destroys_humans_on_either_line() {
    let mut env = effect().back(0, "OMB").front(1, "HER").back(1, "DRI VIR").load();
    play(&mut env, &["activate OMB"]);
    assert_eq!(texts(&env), ["target HER on front of player +1", "target DRI on back of player +1"]);
}

#[test]
fn gv_r17a_saroun_may_come_back_for_a_card() {
    let mut env = invoke("SAR").hand(1, "DRI HER ARC").load();
    play(&mut env, &["invoke SAR to back"]);
    // Two drawn, two of the opponent's discarded at random.
    assert_eq!(
        (deck(&env, 0), player_state(&env, 1).hand.total(), player_state(&env, 1).discard.total()),
        (7, 1, 2)
    );
    let base = effect().back(0, "SAP").back(1, "SAR");
    let mut env = base.clone().hand(1, "DRI HER").load();
    play(&mut env, &["activate SAP"]);
    assert_eq!((phase(&env), decider(&env)), (Phase::May, Some(1)));
    assert_eq!(texts(&env), ["pass", "yes"]);
    play(&mut env, &["yes", "choose DRI"]);
    assert_eq!((zone(&env, 1, "discard"), zone(&env, 1, "known_hand")), ("DRI".into(), "SAR".into()));
    // Without a card to discard nobody decides.
    let mut env = base.clone().load();
    play(&mut env, &["activate SAP"]);
    assert_eq!(zone(&env, 1, "discard"), "SAR");
    // Of the Front Line, too.
    let mut env = Position::of(2).stage("effect").hand(0, "BEL").front(1, "SAR").hand(1, "DRI HER").load();
    play(&mut env, &["use BEL from hand"]);
    assert_eq!((phase(&env), decider(&env)), (Phase::May, Some(1)));
    let mut env = base.hand(1, "DRI HER").load();
    play(&mut env, &["activate SAP", "pass"]);
    assert_eq!((zone(&env, 1, "discard"), phase(&env)), ("SAR".into(), Phase::Play));
}

#[test]
fn gv_r16_r17_tarvok_everybody_chooses_own_front_cards() {
    let mut env = Position::of(3)
        .hand(0, "TAR PHY")
        .back(0, "HER*2")
        .front(0, "ARC DRI JES")
        .front(1, "WAR")
        .front(2, "HER VIR SHI")
        .load();
    play(&mut env, &["invoke TAR to back", "target HER on back of player 0"]);
    assert_eq!((decider(&env), phase(&env)), (Some(0), Phase::Field));
    assert_eq!(segment(&env, 1, "remaining"), [2]);
    play(&mut env, &["target JES on front of player 0", "target ARC on front of player 0"]);
    // Player 1 had a single card: a forced move.
    assert_eq!((decider(&env), zone(&env, 1, "discard")), (Some(2), "WAR".into()));
    assert_eq!(
        texts(&env),
        [
            "target HER on front of player +0",
            "target SHI on front of player +0",
            "target VIR on front of player +0"
        ]
    );
    play(&mut env, &["target VIR on front of player 2", "target HER on front of player 2"]);
    assert_eq!((zone(&env, 2, "front"), zone(&env, 0, "front")), ("SHI".into(), "DRI".into()));
}

#[test]
fn gv_r7a_vireth_counts_front_humans_up_to_five() {
    let score =
        |front: &str| survey(&Position::of(2).front(0, front).back(0, "VIR").hand(0, "PHY").load(), 0);
    assert_eq!([score("ARC*2"), score("ARC*3 DRI*2"), score("ARC*3 DRI*3")], [4, 10, 11]);
}

#[test]
fn gv_r15_ysmere_takes_a_card_to_the_same_line() {
    let mut env = invoke("YSM").front(1, "HER").back(1, "GOL").load();
    play(&mut env, &["invoke YSM to back", "target GOL on back of player 1"]);
    assert_eq!(
        seen(&env, None)["players"][0]["back_foreign"],
        json!([{"card": "GOL", "owner": 1, "copies": 1}])
    );
    let mut env = invoke("YSM").front(1, "HER").back(1, "GOL").load();
    play(&mut env, &["invoke YSM to back", "target HER on front of player 1"]);
    assert_eq!(
        seen(&env, None)["players"][0]["front_foreign"],
        json!([{"card": "HER", "owner": 1, "copies": 1}])
    );
}

#[test]
fn gv_r9_r9a_front_line_cards_are_mute() {
    let env = Position::of(2).stage("effect").front(0, "PLA ARC").back(0, "JES").front(1, "HER").load();
    assert_eq!(texts(&env), ["pass", "activate JES"]);
    // Entering the Front Line triggers nothing.
    let mut env = Position::of(2).hand(0, "SCO PHY ARC").load();
    play(&mut env, &["play SCO to front"]);
    assert_eq!(phase(&env), Phase::Play);
}
