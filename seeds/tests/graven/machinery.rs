//! Steps, queue, windows, limits, control and owners: GV-R11 to R20 and the rulings about them.

use crate::fixture::{
    Position, choices, configured, decider, deck, effects, event_names, kind, legal, phase, play,
    player_state, seen, segment, survey, texts, zone,
};
use playmat_core::prelude::*;
use playmat_graven::action::Choice;
use playmat_graven::state::Phase;
use serde_json::json;

#[test]
fn gv_r11_effects_end_when_a_card_leaves_the_back_line() {
    // A Herald behind five front Humans gives 2, until it is in front itself.
    let base = Position::of(2).stage("effect").front(0, "ARC*2 JES*2 SAP").deck(1, 15);
    let mut env = base.clone().back(0, "DRI HER").load();
    assert_eq!(survey(&env, 0), 7);
    play(&mut env, &["activate DRI", "target HER on back of player 0"]);
    assert_eq!((zone(&env, 0, "back"), survey(&env, 0)), ("DRI".into(), 6));
    // Or is destroyed, returned or taken.
    let taken = "verb = \"control\", side = \"enemy\", line = \"back\"";
    for verb in ["verb = \"destroy\"", "verb = \"return\", to = \"hand\"", taken] {
        let old = "verb = \"move\", side = \"own\"";
        let content = crate::fixture::standard().replace(old, verb);
        let base = base.clone().option("content", content).back(0, "HER").back(1, "DRI").turn_of(1);
        let mut env = base.hand(1, "DEF").load();
        assert_eq!(survey(&env, 0), 7);
        play(&mut env, &["activate DRI"]);
        if phase(&env) == Phase::Field {
            play(&mut env, &["target HER on back of player 0"]);
        }
        assert_eq!(survey(&env, 0), 5, "{verb}");
    }
}

#[test]
fn gv_r11a_q16_a_stolen_card_uses_up_the_thief() {
    let mut env = Position::of(2)
        .stage("effect")
        .foreign(0, "back", "PRI", 1)
        .back(0, "PRI JES")
        .discard(0, "ARC DRI")
        .front(1, "HER")
        .load();
    play(&mut env, &["activate PRI", "choose ARC", "line front", "pass"]);
    assert_eq!((player_state(&env, 0).used, player_state(&env, 1).used), (1 << kind(&env, "PRI"), 0));
    assert!(!texts(&env).contains(&"activate PRI".into()));
    // The stolen Martyr is its owner's when it falls.
    let mut env = Position::of(3)
        .stage("effect")
        .turn_of(1)
        .back(1, "ARC")
        .foreign(0, "front", "MAR", 2)
        .hand(1, "PHY")
        .load();
    play(&mut env, &["activate ARC"]);
    assert_eq!([deck(&env, 0), deck(&env, 1), deck(&env, 2)], [7, 6, 7]);
    assert_eq!(zone(&env, 2, "discard").matches("MAR").count(), 1);
}

#[test]
fn gv_r12a_the_card_in_hand_is_discarded_first() {
    // A third Titan of the own loses before anything is destroyed.
    let mut env = Position::of(2).stage("effect").hand(0, "BEL").discard(0, "VIR HES").front(1, "OMB").load();
    play(&mut env, &["use BEL from hand"]);
    assert_eq!(crate::fixture::returns(&env), [-1.0, 1.0]);
    assert_eq!(zone(&env, 1, "front"), "OMB");
}

#[test]
fn gv_r16_r2_losses_stop_what_is_being_resolved() {
    // Belhame destroys the third Titan of player 1: the game is over at once.
    let mut env = Position::of(2).stage("effect").hand(0, "BEL").discard(1, "VIR HES").front(1, "OMB").load();
    play(&mut env, &["use BEL from hand"]);
    assert_eq!(crate::fixture::returns(&env), [1.0, -1.0]);
}

#[test]
fn gv_r17_q8_triggers_go_first_in_first_out() {
    // Tarvok: T's Martyr first, then player 1's, although player 1's lower kind comes earlier in the alphabet.
    let mut env = Position::of(2)
        .hand(0, "TAR PHY")
        .back(0, "HER*2")
        .front(0, "MAR")
        .front(1, "CON MAR")
        .deck(0, 9)
        .deck(1, 9)
        .load();
    play(
        &mut env,
        &["invoke TAR to back", "target HER on back of player 0", "target CON on front of player 1"],
    );
    let effects: Vec<(String, u64)> = env
        .events(None)
        .unwrap()
        .iter()
        .filter(|event| event["event"] == "effect")
        .map(|event| (event["card"].as_str().unwrap().into(), event["player"].as_u64().unwrap()))
        .collect();
    assert_eq!(effects, [("MAR".into(), 0), ("MAR".into(), 1)]);
    assert_eq!((deck(&env, 0), deck(&env, 1)), (5, 5));
}

#[test]
fn gv_r17_of_one_player_by_ascending_kind() {
    // A Conscript that triggers from the field, too: chosen after the Martyr, it comes first.
    let from = "from = [ \"deck\", \"hand\" ]";
    assert!(crate::fixture::standard().contains(from));
    let content =
        crate::fixture::standard().replace(from, "from = [ \"deck\", \"hand\", \"front\", \"back\" ]");
    let mut env =
        Position::of(2).option("content", content).hand(0, "NUR DRI").front(0, "MAR").back(0, "CON").load();
    play(&mut env, &["invoke NUR to front"]);
    assert_eq!(effects(&env), ["CON 0", "MAR 0"]);
}

#[test]
fn gv_r17_windows_wait_behind_the_triggers_of_their_step() {
    let base = Position::of(3).stage("effect").back(0, "ARC PLA").front(1, "MAR").hand(1, "PHY DRI");
    let mut env = base.clone().load();
    play(&mut env, &["activate ARC"]);
    // The Martyr has milled before its owner decides.
    assert_eq!((phase(&env), decider(&env), deck(&env, 1)), (Phase::Window, Some(1), 7));
    // It may even remove the player who would decide.
    let mut env = base.deck(1, 2).load();
    play(&mut env, &["activate ARC"]);
    assert_eq!((phase(&env), env.state().plays(1)), (Phase::Effect, false));
}

#[test]
fn gv_r17a_a_used_up_trigger_is_dropped() {
    let mut env = Position::of(2).stage("effect").back(0, "PLA").cards(1, "CON*3 VIR").load();
    play(&mut env, &["activate PLA"]);
    let fallen = player_state(&env, 1).discard.count(kind(&env, "CON"));
    assert_eq!(
        u32::from(fallen) + 1,
        3 - player_state(&env, 1).deck.of(1 << kind(&env, "CON")).total()
            - player_state(&env, 1).hand.of(1 << kind(&env, "CON")).total()
    );
    assert!(env.state().queue.is_empty());
}

#[test]
fn gv_r18_r18a_only_own_humans_of_their_owner_destroyed_by_opponents() {
    let base = Position::of(2).stage("effect").hand(1, "PHY ARC").back(0, "SAP OMB");
    // A Titan: no window.
    let mut env = base.clone().back(1, "GOL").front(1, "").load();
    play(&mut env, &["activate SAP"]);
    assert_ne!(phase(&env), Phase::Window);
    // A sacrifice is no destruction, and neither is what one does oneself.
    let mut env = Position::of(2).hand(0, "NUR PHY").front(0, "HER*2").load();
    play(&mut env, &["invoke NUR to front"]);
    assert_eq!(phase(&env), Phase::Play);
    // What everybody must destroy by an opponent's effect counts.
    let mut env =
        Position::of(2).hand(0, "TAR ARC").back(0, "HER*2").front(1, "DRI").hand(1, "PHY ARC").load();
    play(&mut env, &["invoke TAR to front"]);
    let mut other =
        Position::of(2).hand(0, "TAR ARC").back(0, "HER*2").front(1, "DRI").hand(1, "PHY ARC").load();
    play(&mut other, &["invoke TAR to back"]);
    assert_eq!(phase(&env), Phase::Play, "mute on the Front Line");
    assert_eq!((phase(&other), decider(&other)), (Phase::Window, Some(1)));
}

#[test]
fn gv_r19a_copies_add_up_but_some_do_not() {
    let env = Position::of(2).back(0, "REC*3").hand(0, "ARC*3 DRI*3").load();
    assert_eq!(seen(&env, None)["plays_left"], 3);
    let env = Position::of(2).front(0, "HER*3 ARC DRI").back(0, "BLA*2").hand(0, "PHY").load();
    assert_eq!(survey(&env, 0), 5 + 6);
}

#[test]
fn gv_r20_an_effect_needs_something_to_do() {
    let env = Position::of(2)
        .stage("effect")
        .back(0, "ARC GAR PRI SAP OMB GOL DRI NUR")
        .hand(0, "DEF BEL HER")
        .load();
    // Nothing lies with the opponent or in the own pile.
    assert_eq!(texts(&env), ["pass", "activate DRI", "activate NUR", "use HER from hand"]);
}

#[test]
fn gv_r20_no_score_falls_below_zero_and_plays_need_the_play_phase() {
    let content =
        crate::fixture::standard().replace("n = 2, who = \"you\"", "n = -2, who = \"you\"").replace(
            "when = \"enter\"\n  do = [ { verb = \"plays\"",
            "when = \"activate\"\n  do = [ { verb = \"plays\"",
        );
    let base = Position::of(2).option("content", content).stage("effect").hand(0, "HER").back(0, "PLA REI");
    assert_eq!(texts(&base.clone().load()), ["pass", "activate PLA"]);
    // With a score of 1 there is something to lower; Reinforcements still grant nothing.
    let env = base.front(0, "ARC").load();
    assert_eq!(texts(&env), ["pass", "activate PLA", "use HER from hand"]);
}

#[test]
fn gv_r20_only_opponents_to_whom_a_step_could_do_something_are_offered() {
    let base = Position::of(4).back(0, "JES SPY PLA").front(1, "ARC").front(2, "ARC").front(3, "ARC");
    // A player who has had no turn, or has no Survey Score, has nothing to lower.
    let third = Position::of(4).turn_of(2).stage("effect").back(2, "JES SPY PLA").hand(2, "PHY");
    let third = third.front(0, "ARC").front(1, "ARC").front(3, "ARC");
    let effect = third.player(3, "had_turn", false);
    let mut env = effect.clone().load();
    play(&mut env, &["activate JES"]);
    assert_eq!((phase(&env), texts(&env)), (Phase::Player, vec!["player +2".into(), "player +3".into()]));
    let mut env = effect.front(1, "").load();
    play(&mut env, &["activate JES"]);
    assert_eq!([0, 1, 3].map(|player| player_state(&env, player).modifier), [-3, 0, 0]);
    // A hand that can be seen is not empty; the card is taken from the same one.
    let mut env = base.hand(0, "SPY PHY").hand(1, "ARC").hand(3, "DRI JES").load();
    play(&mut env, &["play SPY to back"]);
    assert_eq!(texts(&env), ["player +1", "player +3"]);
    play(&mut env, &["player 3"]);
    assert_eq!((phase(&env), texts(&env)), (Phase::Card, vec!["choose DRI".into(), "choose JES".into()]));
    play(&mut env, &["choose DRI"]);
    assert_eq!((zone(&env, 1, "known_hand"), zone(&env, 3, "discard")), (String::new(), "DRI".into()));
}

#[test]
fn gv_q4_a_deck_is_emptied_not_overdrawn() {
    let mut env = Position::of(3).stage("effect").back(0, "NUR").hand(0, "PHY").deck(1, 3).load();
    play(&mut env, &["activate NUR"]);
    assert!(!env.state().plays(1) && env.state().plays(2));
    assert_eq!(env.events(None).unwrap().iter().filter(|event| event["event"] == "milled").count(), 3 + 5);
    // Saroun draws two of one.
    let mut env = Position::of(3).hand(0, "SAR").back(0, "HER*2").deck(0, 1).load();
    play(&mut env, &["invoke SAR to back"]);
    assert!(!env.state().plays(0));
    let drawn = env.events(None).unwrap();
    assert_eq!(drawn.iter().filter(|e| e["event"] == "drawn" && e["player"] == 0).count(), 1);
}

#[test]
fn gv_q7_once_for_each_copy_from_the_turn_it_comes() {
    let mut env = Position::of(2).hand(0, "PLA*2 DRI").deck(0, 12).deck(1, 20).load();
    play(&mut env, &["play PLA to back", "play PLA to back"]);
    assert_eq!(phase(&env), Phase::Effect);
    play(&mut env, &["activate PLA", "activate PLA"]);
    assert_eq!(decider(&env), Some(1));
    assert_eq!(deck(&env, 1), 20 - 6);
}

#[test]
fn gv_q7a_spent_copies_leave_first_and_arrivals_are_unspent() {
    // Two Plague Doctors, one spent; the Drillmaster moves one away: the spent one.
    let base = Position::of(2).stage("effect").back(0, "DRI PLA*2").deck(0, 12).deck(1, 20);
    let mut env = base.clone().load();
    play(&mut env, &["activate PLA"]);
    assert_eq!(segment(&env, 1, "ready")[usize::from(kind(&env, "PLA"))], 1);
    play(&mut env, &["activate DRI", "target PLA on back of player 0"]);
    assert_eq!(segment(&env, 1, "ready")[usize::from(kind(&env, "PLA"))], 1);
    assert_eq!(texts(&env), ["pass", "activate PLA"]);
    // At most three activations of a name, however many copies come.
    let mut env = base.back(0, "PLA*3").foreign(0, "back", "PLA", 1).load();
    play(&mut env, &["activate PLA", "activate PLA", "activate PLA"]);
    assert_ne!(decider(&env), Some(0), "a fourth copy cannot be used");
}

#[test]
fn gv_q19_r15_the_owner_is_named_if_it_can_matter() {
    let base = Position::of(3)
        .stage("effect")
        .back(0, "ARC DRI")
        .front(1, "HER")
        .foreign(1, "front", "HER", 0)
        .foreign(1, "front", "HER", 2);
    let mut env = base.load();
    play(&mut env, &["activate ARC"]);
    assert_eq!(phase(&env), Phase::Owner);
    assert_eq!(choices(&env), [Choice::Player(0), Choice::Player(1), Choice::Player(2)]);
    let herald = usize::from(kind(&env, "HER"));
    assert_eq!(segment(&env, 2, "subject")[herald], 1);
    assert_eq!(
        (segment(&env, 2, "subject_line"), segment(&env, 2, "subject_player")),
        (vec![1, 0], vec![0, 0, 1])
    );
    assert_eq!((segment(&env, 0, "remaining"), segment(&env, 0, "stage")), (vec![1], vec![0, 1, 0, 0]));
    play(&mut env, &["player 2"]);
    assert_eq!(zone(&env, 2, "discard"), "HER");
}

#[test]
fn gv_q19_r4d_owners_of_sacrifices() {
    let mut env = Position::of(2)
        .hand(0, "NUR PHY")
        .front(0, "HER")
        .foreign(0, "front", "HER", 1)
        .back(0, "DRI")
        .load();
    // Nothing else can come first: only whose Herald is a decision.
    play(&mut env, &["invoke NUR to back"]);
    assert_eq!((phase(&env), legal(&env)), (Phase::Owner, vec![180, 181]));
    play(&mut env, &["player 1"]);
    // No smaller index may follow: of the Heralds the own one lies before.
    assert_eq!((zone(&env, 1, "discard"), zone(&env, 0, "discard")), ("HER".into(), "DRI".into()));
}

#[test]
fn gv_q9_windows_show_nothing_to_others() {
    let mut env =
        Position::of(3).stage("effect").back(0, "ARC PLA").front(1, "HER").hand(1, "PHY DRI").load();
    play(&mut env, &["activate ARC"]);
    assert_eq!((phase(&env), decider(&env)), (Phase::Window, Some(1)));
    for viewer in [0, 2] {
        assert_eq!(segment(&env, viewer, "phase"), [0; 13]);
        assert!(segment(&env, viewer, "subject").iter().all(|&byte| byte == 0));
        assert!(seen(&env, Some(viewer))["phase"].is_null());
        assert!(!env.configured().game.draw_text(env.state(), Some(Player(viewer))).contains("answer"));
    }
    assert_eq!(segment(&env, 1, "subject")[usize::from(kind(&env, "HER"))], 1);
    let before: Vec<Vec<u8>> =
        [0, 2].map(|viewer| crate::fixture::observed(&env.configured().game, env.state(), viewer)).into();
    assert_eq!(before[0].len(), 1184);
    play(&mut env, &["pass"]);
    assert_eq!(event_names(&env, Some(2)), Vec::<String>::new());
}

#[test]
fn gv_r17_the_queue_is_bounded() {
    // A content whose Humans mill each other for ever would not end without the bound.
    let content = crate::fixture::standard().replace(
        "when = \"discarded\"\n  from = [ \"front\", \"back\" ]\n  do = [ { verb = \"mill\", n = 2, who = \"each_player\" } ]",
        "when = \"discarded\"\n  from = [ \"front\", \"back\", \"hand\", \"deck\" ]\n  do = [ { verb = \"discard\", n = 1, who = \"each_player\", by = \"random\" }, { verb = \"recover\", target = \"self\" } ]",
    );
    let mut env = Position::of(2)
        .option("content", content)
        .stage("effect")
        .back(0, "ARC PLA")
        .front(1, "MAR")
        .hand(0, "MAR")
        .hand(1, "MAR")
        .load();
    // Each Martyr discarded brings itself back and makes the others discard theirs.
    play(&mut env, &["activate ARC"]);
    let effects = env.events(None).unwrap().iter().filter(|event| event["event"] == "effect").count();
    assert!((60..=66).contains(&effects), "{effects}");
    assert_eq!(env.configured().game.validate(env.state()), []);
    assert!(configured(&json!({})).game.validate(env.state()).is_empty());
}
