//! Positions from outside: what is accepted, what follows from it, what is refused and why.

use crate::fixture::{
    Position, configured, decider, every_position, legal, phase, play_numbers, player_state, seen,
};
use playmat_conformance::testing::mutants::{Reached, Sweep};
use playmat_core::game::Game;
use playmat_core::prelude::*;
use playmat_rafts::state::{Kind, Phase, State};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn good() -> Position {
    Position::of(2).hand(0, "EC IE").hand(1, "BS")
}

#[test]
fn what_is_not_said_follows() {
    let env = good().load();
    // Cards mentioned nowhere lie in their decks.
    assert_eq!((env.state().deck[0], env.state().deck[1], env.state().sizes), (4, 4, [47, 46, 48]));
    assert_eq!((phase(&env), decider(&env), player_state(&env, 0).drawn[0]), (Phase::Main, Some(0), 1));
    // Of given decks they do not.
    let env = good().decks("PO", "lux*2", "").load();
    assert_eq!(env.state().sizes, [1, 2, 0]);
    // A Lab expansion on a table is among the played actions.
    let env = good().lab(1, "- -", "- -").load();
    assert_eq!(seen(&env, None)["actions_played"], json!({"LE": 1}));
}

#[test]
fn loading_plays_on_until_somebody_must_choose() {
    // Nothing to choose for: END_TURN, and a draw phase.
    let env = Position::of(2).hand(0, "BG").hand(1, "BS").load();
    assert_eq!((phase(&env), decider(&env)), (Phase::Draw, Some(0)));
    // A window goes on with the next player who can.
    let window =
        Position::of(3).hand(0, "EC").hand(2, "SE").discards("lux", Some("lux")).set("phase", "snatch");
    let env = window.load();
    assert_eq!((phase(&env), decider(&env)), (Phase::Snatch, Some(2)));
    window.set("current_player", 1).refuses("phase: `snatch` does not fit who decides");
    // A card being resolved with a single choice.
    let env = Position::of(2)
        .hand(0, "EC")
        .set("phase", "take")
        .set("resolving", "BE")
        .discards("lux", None)
        .load();
    assert_eq!((phase(&env), player_state(&env, 0).hand[6]), (Phase::Main, 1));
    // Equal benches.
    let env =
        Position::of(2).hand(0, "BS").lab(0, "- -", "- -").set("phase", "bench").set("placing", "EC").load();
    assert_eq!(player_state(&env, 0).benches[0][0], Some(Kind(0)));
    // A shield window in its middle.
    let mut env = Position::of(3)
        .hand(0, "EC")
        .set("phase", "shield")
        .set("resolving", "PO")
        .set("shielded", json!([1]))
        .set("current_player", 2)
        .supplies(1, "time")
        .supplies(2, "time")
        .hand(2, "BG")
        .load();
    assert_eq!((decider(&env), legal(&env)), (Some(2), vec![28, 33]));
    play_numbers(&mut env, &[33]);
    assert_eq!([1, 2].map(|player| player_state(&env, player).generics[0]), [1, 0]);
}

#[test]
fn too_many_cards_are_refused_too_few_are_not() {
    good().hand(1, "EC*5").refuses("decks.specific.EC: 6 cards `EC`; the content has 5");
    good()
        .bench(0, "DR -")
        .bench(1, "DR -")
        .discards("DR*2", None)
        .refuses("4 cards `DR`; the content has 3");
    good().decks("IE*6", "", "").refuses("7 cards `IE`; the content has 6");
    good().set("actions_played", json!({"IE": 6})).refuses("7 cards `IE`");
    good()
        .goals(0, &["blood"])
        .goals(1, &["blood"])
        .set("goals_left", json!({"blood": 1}))
        .refuses("3 goals `blood`");
    good()
        .lab(1, "- -", "- -")
        .set("actions_played", json!({}))
        .refuses("actions_played: `LE` was used 0 times, but 1 Lab expansions lie on tables");
    good()
        .player(1, "drawn", json!({"DR": 3}))
        .decks("", "DR", "")
        .refuses("players[1].drawn.DR: 3 cards `DR` drawn since the last shuffle; 0 lie outside the deck");
    good().decks("", "", "").set("goals_left", json!({})).load();
}

#[test]
fn tables_and_hands_that_cannot_be() {
    good().bench(0, "lux -").refuses("players[0].benches[0].bacterium: no bacterium");
    good().bench(0, "- EC").refuses("players[0].benches[0].gene: no gene");
    good()
        .lab(1, "EC -", "BS -")
        .player(1, "lab_expansion", false)
        .refuses("players[1].benches: 2 benches; allowed: 1 without a Lab expansion");
    good().refuses_each(
        r#"
        players.1.generics = {"money": 3} | players[1].generics.money: 3; allowed: 0 to 2
        players.1.generics = {"gold": 1} | players[1].generics.gold: no generic is called `gold`; allowed: time, money, medium, raft
        players.1.goals = [] | players[1].goals: 0 goals; allowed: 1 or 2
        players.1.goals = ["blood", "bottles", "probiotic"] | players[1].goals: 3 goals
        players.1.goals = ["bloods"] | players[1].goals[0]: no goal is called `bloods`; allowed:
        players.1.known_hand = {"EC": 1} | players[1].known_hand: more known cards
        players.1.hand = {"XX": 1} | players[1].hand.XX: no card is called `XX`
        "#,
    );
    good().discards("IE", None).refuses("discards.IE: no resource is called `IE`");
    good().discards("EC", Some("BS")).refuses("last_discard: `BS` is not in the discards");
    good().refuses_each(
        r#"
        turn_player = 2 | turn_player: 2; allowed: 0 to 1
        turn = -1 | turn: -1; allowed
        players = [] | players: 0 entries for 2 players
        colour = 1 | colour: unknown field
        "#,
    );
}

#[test]
fn two_spellings_of_an_id_are_one_card_named_twice() {
    let twice = "is there twice: upper and lower case are alike";
    good().hand(0, "EC ec").refuses(&format!("players[0].hand.ec: {twice}"));
    good().supplies(1, "time TIME").refuses(&format!("players[1].generics.TIME: {twice}"));
    good().discards("lux Lux", None).refuses(&format!("discards.Lux: {twice}"));
    good().decks("", "lux LUX", "").refuses(&format!("decks.specific.LUX: {twice}"));
    good().set("goals_left", json!({"blood": 1, "BLOOD": 1})).refuses(&format!("goals_left.BLOOD: {twice}"));
    // One spelling is as good as another.
    let env = good().hand(0, "ec ie").supplies(0, "Time*2").load();
    assert_eq!((player_state(&env, 0).hand[0], player_state(&env, 0).generics[0]), (1, 2));
}

#[test]
fn phases_that_do_not_fit() {
    good().refuses_each(
        r#"
        phase = "sleep" | phase: no phase is called `sleep`; allowed: main, shield
        phase = "steal" | phase: `steal` does not fit
        phase = "steal"; resolving = "IE" | phase: the card being resolved could not be played
        phase = "take"; resolving = "EC" | resolving: no action card is called `EC`
        resolving = "IE" | phase: `main` does not fit
        phase = "bench"; placing = "time" | phase: `bench` does not fit
        partner = 1 | partner: missing in an exchange, or given in another phase
        receiving = "blood" | receiving: missing when a goal is given
        shielded = [1] | shielded: players are exempt in a shield window only
        phase = "won" | phase: the turn player has achieved no goal
        phase = "dead" | turn: 3 turns, 0 of them quiet: that is not `dead`
        "#,
    );
    let dead = good().set("phase", "dead").set("quiet_turns", 2).decks("", "", "");
    // Hands that could play are what others imagine.
    dead.clone().hand(0, "EC").load();
    dead.set("stirred", true).refuses("stirred: no turn is under way");
    good().set("quiet_turns", 3).refuses("quiet_turns: 3; allowed: 0 to 2");
    good().set("stage", "discard").refuses("stage: `discard` needs the option");
    good().set("phase", "discard").refuses("stage: `discard` needs the option");
    let shield = good().set("phase", "shield").set("resolving", "PO").hand(1, "BG").supplies(1, "time");
    shield.load();
    shield
        .clone()
        .set("shielded", json!([0]))
        .refuses("shielded: player 0 does not come before the player who decides");
    shield.set("stirred", false).refuses("stirred: a card was played in this turn");
}

#[test]
fn moments_that_cannot_be() {
    // A hand of six has not just played a card, discarded one or snatched one.
    let take = |hand| {
        let take = Position::of(2).hand(0, hand).set("phase", "take").set("resolving", "BE");
        take.discards("lux EC", None)
    };
    take("BS PP DR LL SY alkB").refuses("players[0].hand: 6 cards; a card was played before `take`");
    take("BS PP DR LL SY").load();
    let snatch = |timing| {
        let snatch = Position::of(2).option("serendipity_timing", timing).hand(0, "BS PP DR LL SY alkB");
        snatch.hand(1, "SE").discards("lux", Some("lux")).set("phase", "snatch").set("current_player", 1)
    };
    snatch("on_discard").refuses("players[0].hand: 6 cards; a card was played before `snatch`");
    snatch("any_moment").load();
    // Serendipity has taken the last discard.
    let bench =
        Position::of(2).lab(0, "EC -", "BS -").hand(0, "PP").set("phase", "bench").set("placing", "DR");
    let bench = bench.set("resolving", "SE").set("actions_played", json!({"LE": 1, "SE": 1}));
    bench
        .clone()
        .discards("lux", Some("lux"))
        .refuses("last_discard: the last discard has just been snatched");
    bench.discards("lux", None).load();
    // What comes back from the discards goes to the table.
    let known = Position::of(2).hand(0, "EC").player(0, "known_hand", json!({"EC": 1}));
    known.clone().option("bioeconomy_to", "table").refuses("players[0].known_hand: no card comes openly");
    known.option("bioeconomy_to", "hand").load();
    // Turns go round from the first player.
    let turn = |first| Position::of(3).hand(0, "EC").option("first_player", first);
    turn(1).refuses("turn_player: player 1 has turn 3 after player 1 has begun");
    turn(0).load();
}

#[test]
fn what_follows_may_be_given_and_must_agree() {
    let whole = seen(&good().load(), None);
    let again = Position { json: whole.clone(), options: json!({"players": 2}) };
    assert_eq!(seen(&again.load(), None), whole);
    good().player(0, "missing", 1).refuses("players[0].missing: got 1; what it follows from gives 5");
    good()
        .player(0, "hand_sizes", json!({"actions": 1, "specific": 1, "generic": 1}))
        .refuses("players[0].hand_sizes.generic");
}

#[test]
fn states_from_bytes_are_checked_alike() {
    let env = good().load();
    let game = &env.configured().game;
    let wrong = |change: &dyn Fn(&mut State)| {
        let mut state = *env.state();
        change(&mut state);
        let found = game.validate(&state);
        assert!(!found.is_empty());
        found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    assert!(wrong(&|state| state.sizes[0] += 1).contains("decks: `sizes` does not follow"));
    assert!(wrong(&|state| state.closed[0] += 1).contains("discards: `closed` does not follow"));
    assert!(wrong(&|state| state.shuffled[0] -= 1).contains("decks: `shuffled` does not follow"));
    assert!(wrong(&|state| state.players[0].missing = 0).contains("`holds`, `held` or `missing`"));
    assert!(wrong(&|state| state.players[1].holds = 0).contains("players[1]"));
    assert!(wrong(&|state| state.players[2].generics[0] = 1).contains("players: player 2 does not exist"));
    assert!(wrong(&|state| state.cursor = 7).contains("current_player: 7; allowed: 0 to 1"));
    assert!(wrong(&|state| state.cursor = 1).contains("phase"));
    assert!(wrong(&|state| state.last = Some(Kind(99))).contains("last_discard"));
    assert!(wrong(&|state| state.players[0].goals = 1 << 15).contains("goals"));
    assert!(wrong(&|state| state.discards[20] = 1).contains("discards: `discards` does not follow"));
    // A goal that was achieved would have been claimed.
    let claim = Position::of(2)
        .option("auto_claim", false)
        .goals(0, &["probiotic"])
        .bench(0, "LL IL10")
        .supplies(0, "time money medium")
        .hand(0, "EC")
        .load();
    let auto = configured(&json!({"players": 2}));
    assert!(auto.game.validate(claim.state())[0].message.contains("nothing is left to decide"));
}

#[test]
fn used_cards_have_left_something_behind() {
    let known = || good().player(0, "known_hand", json!({"EC": 1}));
    known()
        .set("actions_played", json!({}))
        .refuses("actions_played: `BE` was used 0 times, but 1 cards are known");
    let two = || good().goals(1, &["blood", "bottles"]);
    two()
        .set("actions_played", json!({}))
        .refuses("actions_played: `EF` was used 0 times, but 1 players have");
    good()
        .set("actions_played", json!({"EF": 1}))
        .refuses("actions_played: `EF` was used 1 times, but 0 players");
    good()
        .set("actions_played", json!({"LE": 1}))
        .refuses("actions_played: `LE` was used 1 times, but 0 Lab");
    good()
        .set("actions_played", json!({"SV": 1}))
        .refuses("actions_played: `SV` was used 1 times, but `UE`, which it answers, 0 times");
    // A card that was recovered may have been played again; with the house rule every card may have been discarded.
    good().set("actions_played", json!({"BE": 2})).load();
    good().set("actions_played", json!({"EF": 1, "LE": 1, "SV": 1})).option("discard_at_end", true).load();
    // Left out, it follows.
    for (position, used) in [(known(), json!({"BE": 1})), (two(), json!({"EF": 1}))] {
        assert_eq!(seen(&position.load(), None)["actions_played"], used);
    }
    good()
        .player(1, "drawn", json!({"DR": 3}))
        .hand(1, "DR")
        .refuses("players[1].drawn.DR: 3 cards `DR` drawn since the last shuffle; 1 lie outside the deck");
}

#[test]
fn turns_that_cannot_be() {
    let after_the_deal = "turn: 0; quiet turns and the cards drawn and played take at least 1";
    good().bench(1, "EC -").set("turn", 0).refuses(after_the_deal);
    good().hand(0, "EC*3").set("turn", 0).refuses(after_the_deal);
    good().set("turn", 0).load();
    // After a quiet turn the hand is full, if there is something to draw.
    let quiet = || good().set("quiet_turns", 1);
    quiet().refuses("players[1].hand: 1 cards after a quiet turn");
    quiet().hand(1, "BS*2 PP*2 DR*2").load();
    quiet().decks("", "", "").load();
    let dead = good().set("phase", "dead").set("quiet_turns", 2);
    dead.refuses("players[0].hand: 2 cards after a quiet turn");
    let six = good().hand(0, "EC IE BS PP DR LL").set("stirred", true);
    six.refuses("stirred: nothing was played in this turn from a hand of six");
    six.player(0, "known_hand", json!({"LL": 1})).load();
    // Left out, the number of turns is the least that fits.
    let turn = |position: Position| {
        let mut position = position;
        position.json.as_object_mut().unwrap().remove("turn");
        position.load().state().turn
    };
    assert_eq!([turn(good()), turn(good().bench(1, "EC -"))], [0, 1]);
    assert_eq!(turn(good().option("first_player", 1).bench(1, "EC -")), 1);
    assert_eq!(turn(good().option("first_player", 0).bench(1, "EC -")), 2);
}

/// RA-R2, R2e: a turn moves at most a hand of six to the tables, discards and played actions, and draws at most as many.
#[test]
fn turns_too_few_for_the_cards() {
    let refuses = |position: &Position, least: u16| {
        let turn = i64::from(least) - 1;
        let message =
            format!("turn: {turn}; quiet turns and the cards drawn and played take at least {least}");
        position.clone().set("turn", turn).refuses(&message);
        let env = position.clone().set("turn", least).load();
        assert_eq!(env.state().turn, least);
        // Left out, it is the least.
        assert_eq!(position.clone().set("turn", Value::Null).load().state().turn, least);
    };
    // Wherever they lie.
    let seven = good().discards("EC*3 lux*2", None).bench(1, "BS -").supplies(0, "time");
    refuses(&seven, 2);
    refuses(&good().discards("EC*3 lux*3 merA*3 alkB*3", None).set("actions_played", json!({"FC": 1})), 3);
    // Five of the seven left the hand in the turn under way, which had six cards.
    refuses(&seven.clone().hand(0, "IE").set("stirred", true), 1);
    // Only fast cards are played in the turns of others.
    refuses(&seven.clone().set("actions_played", json!({"SE": 3})), 2);
    // Full hands: twelve cards of one deck, of which four were dealt.
    refuses(&good().hand(0, "EC*2 PP*2 DR*2").hand(1, "BS*2 SY*2 LL*2"), 2);
    // Nothing is drawn in a quiet turn.
    let quiet = good().hand(0, "EC*2 PP*2 DR*2").hand(1, "BS*2 SY*2 LL*2").set("quiet_turns", 1);
    refuses(&quiet, 3);
    // What was drawn in the draw phase under way: four of the hand.
    let draw = good().hand(0, "EC*3 PP").hand(1, "BS*2 SY*2 LL*2").set("phase", "draw");
    refuses(&draw, 1);
    refuses(&draw.set("stirred", true).set("decks", Value::Null), 1);
}

/// Why a mutant in a place is accepted, and what holds of all that are. Everywhere else every mutant is refused.
const REACHED: &[Reached] = &[
    ("actions_played", is_conserved, USED),
    ("actions_played.*", is_conserved, USED),
    ("current_player", is_window, "another player decides"),
    ("decks.actions", is_conserved, CARDS),
    ("decks.actions.*", is_conserved, CARDS),
    ("decks.generic", is_conserved, CARDS),
    ("decks.generic.*", is_conserved, CARDS),
    ("decks.specific", is_conserved, CARDS),
    ("decks.specific.*", is_conserved, CARDS),
    ("discards", is_conserved, CARDS),
    ("discards.*", is_conserved, CARDS),
    ("goals_left", is_conserved, CARDS),
    ("goals_left.*", is_conserved, CARDS),
    ("last_discard", is_conserved, "the cards came to the discards in another order"),
    (
        "partner",
        |json| json["phase"] == "receive" && json["partner"] != json["turn_player"],
        "another partner was chosen",
    ),
    ("phase", fits_phase, "the same cards before or after a decision"),
    (
        "quiet_turns",
        |json| json["stirred"] == true || json["quiet_turns"] != 0 || json["turn"] != 0,
        "turns before this one were quiet or not",
    ),
    ("resolving", fits_phase, "another card has the same question"),
    ("players[].benches", is_conserved, CARDS),
    ("players[].drawn", is_conserved, DRAWN),
    ("players[].drawn.*", is_conserved, DRAWN),
    ("players[].generics", is_conserved, CARDS),
    ("players[].generics.*", is_conserved, CARDS),
    ("players[].goals", discards, "the funding was discarded with the house rule"),
    ("players[].hand", is_conserved, CARDS),
    ("players[].hand.*", is_conserved, CARDS),
    ("players[].known_hand", is_conserved, KNOWN),
    ("players[].known_hand.*", is_conserved, KNOWN),
    (
        "players[].lab_expansion",
        is_conserved,
        "the Lab expansion was used or, with the house rule, discarded",
    ),
    (
        "shielded",
        |json| json["phase"] == "shield",
        "a player before the one who decides was exempt or passed",
    ),
    ("stage", discards, "the discard was made in the main phase or after it"),
    ("stirred", is_conserved, "cards were drawn or played in this turn, or not"),
    (
        "turn",
        |json| is_conserved(json) && is_first_player_random(json),
        "with a random first player any number of turns may have ended in which the cards could be drawn and played",
    ),
    (
        "turn_player",
        |json| (is_window(json) || json["current_player"].is_null()) && is_first_player_random(json),
        "with a random first player it may be anybody's turn, if another player or nobody decides",
    ),
];
const USED: &str = "cards may be missing, and others may have been used";
const CARDS: &str = "cards may be missing, and others may have been dealt, drawn and played";
const DRAWN: &str = "cards were drawn before or after the last shuffle";
const KNOWN: &str = "a card of the hand was recovered, or another of its kind played";

/// Positions of players of the house rule `discard_at_end`, who are four in these games.
fn discards(json: &Value) -> bool {
    entries(json).len() == 4
}

/// The option `first_player` is set in the games of three.
fn is_first_player_random(json: &Value) -> bool {
    entries(json).len() != 3
}

/// Somebody else than the turn player may decide.
fn is_window(json: &Value) -> bool {
    ["snatch", "shield", "bench"].iter().any(|phase| json["phase"] == **phase)
}

/// The card being resolved decides the phase.
fn fits_phase(json: &Value) -> bool {
    let allowed: &[&str] = match json["phase"].as_str().unwrap() {
        "main" | "discard" | "draw" | "snatch" | "won" | "dead" | "limit" => &[""],
        "shield" => &["AS", "PO", "UE"],
        "bench" => &["", "IE", "SE", "BE"],
        "target" => &["RX", "FC"],
        "receive" | "give" => &["RX"],
        "steal" => &["IE"],
        "take" => &["BE"],
        _ => &["EF"],
    };
    allowed.contains(&json["resolving"].as_str().unwrap_or_default())
}

fn entries(json: &Value) -> &Vec<Value> {
    json["players"].as_array().unwrap()
}

/// No card is there more often than in the content, no more cards have been drawn and played than the turns allow, and used cards have
/// left behind no more than they can.
fn is_conserved(json: &Value) -> bool {
    let game = &configured(&json!({"players": 2})).game;
    let count = |map: &Value, id: &str| map[id].as_i64().unwrap_or(0);
    let sum = |of: &dyn Fn(&Value) -> i64| entries(json).iter().map(of).sum::<i64>();
    let (players, moves) = (entries(json).len() as i64, 6 * (json["turn"].as_i64().unwrap() + 1));
    let (mut fits, mut played, mut drawn) = (true, 0, [0; 3]);
    for (k, card) in game.cards().iter().enumerate() {
        let id = card.id.as_str();
        let benches = |own: &Value| {
            let benches = own["benches"].as_array().unwrap().iter();
            benches
                .flat_map(|bench| [&bench["bacterium"], &bench["gene"]])
                .filter(|slot| **slot == id)
                .count()
        };
        let tables = sum(&|own| count(&own["generics"], id) + benches(own) as i64);
        let placing = i64::from(json["placing"] == id);
        let open = tables + placing + count(&json["discards"], id) + count(&json["actions_played"], id);
        let outside = open + sum(&|own| count(&own["hand"], id));
        let deck = game.deck_of(Kind(k as u8));
        fits &= outside + count(&json["decks"][deck.name()], id) <= card.copies.into();
        fits &= sum(&|own| count(&own["drawn"], id)) <= outside;
        fits &= entries(json).iter().all(|own| count(&own["known_hand"], id) <= count(&own["hand"], id));
        fits &= json["last_discard"] != id || count(&json["discards"], id) > 0;
        played += if ["SE", "BG", "AR", "SV"].contains(&id) { 0 } else { open };
        drawn[deck.index()] += outside;
    }
    for goal in game.goals() {
        let id = goal.card.id.as_str();
        let owned =
            sum(&|own| own["goals"].as_array().unwrap().iter().filter(|goal| **goal == id).count() as i64);
        fits &= owned + count(&json["goals_left"], id) <= goal.card.copies.into();
    }
    let size =
        |zone: &Value| zone.as_object().unwrap().values().map(|count| count.as_i64().unwrap()).sum::<i64>();
    fits &= entries(json).iter().all(|own| size(&own["hand"]) <= 6);
    let used = &json["actions_played"];
    fits &= sum(&|own| i64::from(own["lab_expansion"] == true)) <= count(used, "LE");
    fits &= sum(&|own| own["goals"].as_array().unwrap().len() as i64 - 1) <= count(used, "EF");
    fits &= sum(&|own| size(&own["known_hand"])) <= count(used, "BE");
    let beyond_the_deal: i64 = drawn.iter().map(|cards| (cards - 2 * players).max(0)).sum();
    fits && played <= moves && beyond_the_deal <= moves
}

#[test]
fn positions_that_differ_in_one_place_are_refused_or_reached() {
    let maps = [
        "hand",
        "known_hand",
        "drawn",
        "generics",
        "goals_left",
        "discards",
        "actions_played",
        "actions",
        "specific",
        "generic",
    ];
    let words = ["EC", "lux", "time", "raft", "IE", "BE", "EF", "blood", "main", "discard", "snatch", "take"];
    let (mut sweep, mut seen) = (Sweep::new(&maps, &words), BTreeSet::new());
    for options in [
        json!({"players": 2}),
        json!({"players": 3, "first_player": 1, "auto_claim": false}),
        json!({"players": 4, "windows": "possible", "serendipity_timing": "any_moment", "discard_at_end": true}),
        json!({"players": 2, "bioeconomy_to": "table", "max_rounds": 9}),
    ] {
        let game = &configured(&options).game;
        every_position(&options, 0..8, |env| {
            let s = env.state();
            // The first of each kind of moment.
            let known = s.players.iter().any(|player| player.known.iter().any(|&count| count > 0));
            let two = s.players.iter().any(|player| player.goal_count() > 1);
            let moment = (options.to_string(), s.phase as u8, s.stirred, s.quiet, s.resolving, known, two);
            if !seen.insert(moment) {
                return;
            }
            let mut json = game.describe(s, None);
            // Half of them with so few turns that every card played and every quiet turn needs another.
            if seen.len() % 2 == 0 {
                json["turn"] = Value::Null;
                json = game.describe(&game.restore(&json, &mut Rng::from_seed(1)).unwrap(), None);
            }
            // Sizes and progress follow, and would refuse every change of a card.
            for player in json["players"].as_array_mut().unwrap() {
                for name in ["hand_sizes", "missing", "completion"] {
                    player.as_object_mut().unwrap().remove(name);
                }
            }
            sweep.try_mutants(&**game, &json);
        });
    }
    sweep.finish(REACHED, 20_000);
}
