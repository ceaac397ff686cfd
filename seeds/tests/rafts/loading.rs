//! Positions from outside: what is accepted, what follows from it, what is refused and why.

use crate::fixture::{Position, asked, every_position, go, legal, phase, player, seen, table};
use crate::mutants::{Reached, Sweep, always};
use playmat_core::env::Env;
use playmat_core::game::Game;
use playmat_core::prelude::*;
use playmat_rafts::state::{Kind, Phase, State};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Asserts that a position is refused for these reasons.
#[track_caller]
fn check(position: &Position, expected: &[&str]) {
    let found = position.refused();
    for part in expected {
        assert!(found.lines().any(|line| line.contains(part)), "`{part}` is not said:\n{found}");
    }
}

fn good() -> Position {
    Position::of(2).hand(0, "EC IE").hand(1, "BS")
}

#[test]
fn every_position_of_a_game_comes_back_as_it_was() {
    let variants = [
        json!({"players": 2}),
        json!({"players": 4, "windows": "possible", "serendipity_timing": "any_moment", "discard_at_end": true}),
    ];
    for options in variants {
        let table = table(&options);
        for seed in 0..3 {
            let mut env = Env::new(table.clone(), seed);
            loop {
                let whole = table.game.describe(env.state(), None);
                let mut rng = Rng::from_seed(1);
                let back = table.game.restore(&whole, &mut rng).unwrap();
                assert_eq!((back, rng), (*env.state(), Rng::from_seed(1)), "{whole}");
                assert_eq!(table.game.validate(env.state()), []);
                let Some(seat) = env.current_player() else { break };
                let action = env.sample_action(seat).unwrap();
                env.step(action.0.into()).unwrap();
            }
        }
    }
}

#[test]
fn what_is_not_said_follows() {
    let env = good().load();
    // Cards mentioned nowhere lie in their decks.
    assert_eq!((env.state().deck[0], env.state().deck[1], env.state().sizes), (4, 4, [47, 46, 48]));
    assert_eq!((phase(&env), asked(&env), player(&env, 0).drawn[0]), (Phase::Main, Some(0), 1));
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
    assert_eq!((phase(&env), asked(&env)), (Phase::Draw, Some(0)));
    // A window asks the next who can.
    let window =
        Position::of(3).hand(0, "EC").hand(2, "SE").discards("lux", Some("lux")).set("phase", "snatch");
    let env = window.load();
    assert_eq!((phase(&env), asked(&env)), (Phase::Snatch, Some(2)));
    check(&window.set("asked", 1), &["phase: `snatch` does not fit who is asked"]);
    // A card being resolved with a single choice.
    let env = Position::of(2)
        .hand(0, "EC")
        .set("phase", "take")
        .set("resolving", "BE")
        .discards("lux", None)
        .load();
    assert_eq!((phase(&env), player(&env, 0).hand[6]), (Phase::Main, 1));
    // Equal benches.
    let env =
        Position::of(2).hand(0, "BS").lab(0, "- -", "- -").set("phase", "bench").set("placing", "EC").load();
    assert_eq!(player(&env, 0).benches[0][0], Some(Kind(0)));
    // A shield window in its middle.
    let mut env = Position::of(3)
        .hand(0, "EC")
        .set("phase", "shield")
        .set("resolving", "PO")
        .set("shielded", json!([1]))
        .set("asked", 2)
        .supplies(1, "time")
        .supplies(2, "time")
        .hand(2, "BG")
        .load();
    assert_eq!((asked(&env), legal(&env)), (Some(2), vec![28, 33]));
    go(&mut env, &[33]);
    assert_eq!([1, 2].map(|seat| player(&env, seat).generics[0]), [1, 0]);
}

#[test]
fn too_many_cards_are_refused_too_few_are_not() {
    check(&good().hand(1, "EC*5"), &["decks.specific.EC: 6 cards `EC`; the content has 5"]);
    check(
        &good().bench(0, "DR -").bench(1, "DR -").discards("DR*2", None),
        &["4 cards `DR`; the content has 3"],
    );
    check(&good().decks("IE*6", "", ""), &["7 cards `IE`; the content has 6"]);
    check(&good().set("actions_played", json!({"IE": 6})), &["7 cards `IE`"]);
    check(
        &good().goals(0, &["blood"]).goals(1, &["blood"]).set("goals_left", json!({"blood": 1})),
        &["3 goals `blood`"],
    );
    check(
        &good().lab(1, "- -", "- -").set("actions_played", json!({})),
        &["actions_played: `LE` was used 0 times, but 1 Lab expansions lie on tables"],
    );
    check(
        &good().seat(1, "drawn", json!({"DR": 3})).decks("", "DR", ""),
        &["4 cards `DR` in the deck and drawn"],
    );
    good().decks("", "", "").set("goals_left", json!({})).load();
}

#[test]
fn tables_and_hands_that_cannot_be() {
    check(&good().bench(0, "lux -"), &["seats[0].benches[0].bacterium: no bacterium"]);
    check(&good().bench(0, "- EC"), &["seats[0].benches[0].gene: no gene"]);
    check(
        &good().lab(1, "EC -", "BS -").seat(1, "lab_expansion", false),
        &["seats[1].benches: 2 benches; at most 1 here"],
    );
    check(&good().supplies(1, "money*3"), &["seats[1].generics.money: 3; at most 2"]);
    check(&good().supplies(1, "gold"), &["seats[1].generics.gold: allowed: time, money, medium, raft"]);
    check(&good().goals(1, &[]), &["seats[1].goals: 0 goals; one or two"]);
    check(&good().goals(1, &["blood", "bottles", "probiotic"]), &["seats[1].goals: 3 goals"]);
    check(&good().goals(1, &["bloods"]), &["seats[1].goals[0]: no such goal"]);
    check(&good().seat(1, "known_hand", json!({"EC": 1})), &["seats[1].known_hand: more known cards"]);
    check(&good().hand(1, "XX"), &["seats[1].hand.XX: no such card here"]);
    check(&good().discards("IE", None), &["discards.IE: no such card here"]);
    check(&good().discards("EC", Some("BS")), &["last_discard: `BS` is not in the discards"]);
    check(&good().set("turn_player", 2), &["turn_player: 2; allowed: 0 to 1"]);
    check(&good().set("turn", -1), &["turn: -1; allowed"]);
    check(&good().set("seats", json!([])), &["seats: 0 seats for 2 players"]);
    check(&good().set("colour", 1), &["colour: unknown field"]);
}

#[test]
fn two_spellings_of_an_id_are_one_card_named_twice() {
    let twice = "is there twice (upper and lower case are alike)";
    check(&good().hand(0, "EC ec"), &[&format!("seats[0].hand.ec: {twice}")]);
    check(&good().supplies(1, "time TIME"), &[&format!("seats[1].generics.time: {twice}")]);
    check(&good().discards("lux Lux", None), &[&format!("discards.lux: {twice}")]);
    check(&good().decks("", "lux LUX", ""), &[&format!("decks.specific.lux: {twice}")]);
    check(
        &good().set("goals_left", json!({"blood": 1, "BLOOD": 1})),
        &[&format!("goals_left.blood: {twice}")],
    );
    // One spelling is as good as another.
    let env = good().hand(0, "ec ie").supplies(0, "Time*2").load();
    assert_eq!((player(&env, 0).hand[0], player(&env, 0).generics[0]), (1, 2));
}

#[test]
fn phases_that_do_not_fit() {
    check(&good().set("phase", "sleep"), &["phase: no such phase; allowed: main, shield"]);
    check(&good().set("phase", "steal"), &["phase: `steal` does not fit"]);
    check(
        &good().set("phase", "steal").set("resolving", "IE"),
        &["phase: the card being resolved could not be played"],
    );
    check(&good().set("phase", "take").set("resolving", "EC"), &["resolving: no action card"]);
    check(&good().set("resolving", "IE"), &["phase: `main` does not fit"]);
    check(&good().set("phase", "bench").set("placing", "time"), &["phase: `bench` does not fit"]);
    check(&good().set("partner", 1), &["partner: missing in an exchange, or given in another phase"]);
    check(&good().set("receiving", "blood"), &["receiving: missing when a goal is given"]);
    check(&good().set("shielded", json!([1])), &["shielded: seats are exempt in a shield window only"]);
    check(&good().set("phase", "won"), &["phase: the turn player has achieved no goal"]);
    check(&good().set("phase", "dead"), &["turn: 3 turns, 0 of them quiet: that is not `dead`"]);
    let dead = good().set("phase", "dead").set("quiet_turns", 2).decks("", "", "");
    // Hands that could play are what others imagine.
    dead.clone().hand(0, "EC").load();
    check(&dead.set("stirred", true), &["stirred: no turn is under way"]);
    check(&good().set("quiet_turns", 2), &["turn: 3 turns, 2 of them quiet: that is not `main`"]);
    check(&good().set("stage", "discard"), &["stage: `discard` needs the option"]);
    check(&good().set("phase", "discard"), &["stage: `discard` needs the option"]);
    let shield = good().set("phase", "shield").set("resolving", "PO").hand(1, "BG").supplies(1, "time");
    shield.load();
    check(&shield.clone().set("shielded", json!([0])), &["shielded: seat 0 was not asked before"]);
    check(&shield.set("stirred", false), &["stirred: a card was played in this turn"]);
}

#[test]
fn moments_that_cannot_be() {
    // A hand of six has not just played a card, discarded one or snatched one.
    let take = |hand| {
        let take = Position::of(2).hand(0, hand).set("phase", "take").set("resolving", "BE");
        take.discards("lux EC", None)
    };
    check(&take("BS PP DR LL SY alkB"), &["seats[0].hand: 6 cards; a card was played before `take`"]);
    take("BS PP DR LL SY").load();
    let snatch = |timing| {
        let snatch = Position::of(2).option("serendipity_timing", timing).hand(0, "BS PP DR LL SY alkB");
        snatch.hand(1, "SE").discards("lux", Some("lux")).set("phase", "snatch").set("asked", 1)
    };
    check(&snatch("on_discard"), &["seats[0].hand: 6 cards; a card was played before `snatch`"]);
    snatch("any_moment").load();
    // Serendipity has taken the last discard.
    let bench =
        Position::of(2).lab(0, "EC -", "BS -").hand(0, "PP").set("phase", "bench").set("placing", "DR");
    let bench = bench.set("resolving", "SE").set("actions_played", json!({"LE": 1, "SE": 1}));
    check(
        &bench.clone().discards("lux", Some("lux")),
        &["last_discard: the last discard has just been snatched"],
    );
    bench.discards("lux", None).load();
    // What comes back from the discards goes to the table.
    let known = Position::of(2).hand(0, "EC").seat(0, "known_hand", json!({"EC": 1}));
    check(&known.clone().option("bioeconomy_to", "table"), &["seats[0].known_hand: no card comes openly"]);
    known.option("bioeconomy_to", "hand").load();
    // Turns go round from the first seat.
    let turn = |first| Position::of(3).hand(0, "EC").option("first_player", first);
    check(&turn(1), &["turn_player: not who has turn 3 after seat 1 has begun"]);
    turn(0).load();
}

#[test]
fn what_follows_may_be_given_and_must_agree() {
    let whole = seen(&good().load(), None);
    let again = Position { json: whole.clone(), options: json!({"players": 2}) };
    assert_eq!(seen(&again.load(), None), whole);
    check(&good().seat(0, "missing", 1), &["seats[0].missing: got 1; what it follows from gives 5"]);
    check(
        &good().seat(0, "hand_sizes", json!({"actions": 1, "specific": 1, "generic": 1})),
        &["seats[0].hand_sizes.generic"],
    );
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
    assert!(wrong(&|state| state.sizes[0] += 1).contains("decks: sizes that are not those"));
    assert!(wrong(&|state| state.closed[0] += 1).contains("discards: a count"));
    assert!(wrong(&|state| state.shuffled[0] -= 1).contains("decks: a shuffle"));
    assert!(wrong(&|state| state.players[0].missing = 0).contains("`holds`, `held` or `missing`"));
    assert!(wrong(&|state| state.players[1].holds = 0).contains("seats[1]"));
    assert!(wrong(&|state| state.players[2].generics[0] = 1).contains("nobody sits there"));
    assert!(wrong(&|state| state.cursor = 7).contains("asked: seat 7"));
    assert!(wrong(&|state| state.cursor = 1).contains("phase"));
    assert!(wrong(&|state| state.last = Some(Kind(99))).contains("last_discard"));
    assert!(wrong(&|state| state.players[0].goals = 1 << 15).contains("goals"));
    assert!(wrong(&|state| state.discards[20] = 1).contains("beyond those of the content"));
    // A goal that was achieved would have been claimed.
    let claim = Position::of(2)
        .option("auto_claim", false)
        .goals(0, &["probiotic"])
        .bench(0, "LL IL10")
        .supplies(0, "time money medium")
        .hand(0, "EC")
        .load();
    let auto = table(&json!({"players": 2}));
    assert!(auto.game.validate(claim.state())[0].message.contains("nothing is left to decide"));
}

#[test]
fn used_cards_have_left_something_behind() {
    let known = || good().seat(0, "known_hand", json!({"EC": 1}));
    check(
        &known().set("actions_played", json!({})),
        &["actions_played: `BE` was used 0 times, but 1 cards are known"],
    );
    let two = || good().goals(1, &["blood", "bottles"]);
    check(
        &two().set("actions_played", json!({})),
        &["actions_played: `EF` was used 0 times, but 1 players have"],
    );
    check(
        &good().set("actions_played", json!({"EF": 1})),
        &["actions_played: `EF` was used 1 times, but 0 players"],
    );
    check(
        &good().set("actions_played", json!({"LE": 1})),
        &["actions_played: `LE` was used 1 times, but 0 Lab"],
    );
    check(
        &good().set("actions_played", json!({"SV": 1})),
        &["actions_played: `SV` was used 1 times, but `UE`, which it answers, 0 times"],
    );
    // A card that was recovered may have been played again; with the house rule every card may have been discarded.
    good().set("actions_played", json!({"BE": 2})).load();
    good().set("actions_played", json!({"EF": 1, "LE": 1, "SV": 1})).option("discard_at_end", true).load();
    // Left out, it follows.
    for (position, used) in [(known(), json!({"BE": 1})), (two(), json!({"EF": 1}))] {
        assert_eq!(seen(&position.load(), None)["actions_played"], used);
    }
    check(
        &good().seat(1, "drawn", json!({"DR": 3})).hand(1, "DR"),
        &["seats[1].drawn.DR: 3 cards `DR` drawn since the last shuffle; 1 lie outside the deck"],
    );
}

#[test]
fn turns_that_cannot_be() {
    check(&good().bench(1, "EC -").set("turn", 0), &["turn: 0, but more than the deal has happened"]);
    check(&good().hand(0, "EC*3").set("turn", 0), &["turn: 0, but more than the deal has happened"]);
    good().set("turn", 0).load();
    // After a quiet turn the hand is full, if there is something to draw.
    let quiet = || good().set("quiet_turns", 1);
    check(&quiet(), &["seats[1].hand: 1 cards after a quiet turn"]);
    quiet().hand(1, "BS*2 PP*2 DR*2").load();
    quiet().decks("", "", "").load();
    let dead = good().set("phase", "dead").set("quiet_turns", 2);
    check(&dead, &["seats[0].hand: 2 cards after a quiet turn"]);
    let six = good().hand(0, "EC IE BS PP DR LL").set("stirred", true);
    check(&six, &["stirred: nothing was played in this turn from a hand of six"]);
    six.seat(0, "known_hand", json!({"LL": 1})).load();
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

/// All of them. Everywhere else every mutant is refused.
const REACHED: &[Reached] = &[
    ("actions_played", always, USED),
    ("actions_played.*", always, USED),
    (
        "asked",
        |json| ["snatch", "shield", "bench"].iter().any(|phase| json["phase"] == **phase),
        "another player is asked",
    ),
    ("decks.actions", always, CARDS),
    ("decks.actions.*", always, CARDS),
    ("decks.generic", always, CARDS),
    ("decks.generic.*", always, CARDS),
    ("decks.specific", always, CARDS),
    ("decks.specific.*", always, CARDS),
    ("discards", always, CARDS),
    ("discards.*", always, CARDS),
    ("goals_left", always, CARDS),
    ("goals_left.*", always, CARDS),
    ("last_discard", always, "the cards came to the discards in another order"),
    ("partner", always, "another partner was chosen"),
    ("phase", always, "the same cards before or after a decision"),
    (
        "quiet_turns",
        |json| json["stirred"] == true || json["quiet_turns"] != 0 || json["turn"] != 0,
        "turns before this one were quiet or not",
    ),
    ("resolving", always, "another card has the same question"),
    ("seats[].benches", always, CARDS),
    ("seats[].drawn", always, "cards were drawn before or after the last shuffle"),
    ("seats[].drawn.*", always, "cards were drawn before or after the last shuffle"),
    ("seats[].generics", always, CARDS),
    ("seats[].generics.*", always, CARDS),
    ("seats[].goals", discards, "the funding was discarded with the house rule"),
    ("seats[].hand", always, CARDS),
    ("seats[].hand.*", always, CARDS),
    ("seats[].known_hand", always, "a card of the hand was recovered, or another of its kind played"),
    ("seats[].known_hand.*", always, "a card of the hand was recovered, or another of its kind played"),
    ("seats[].lab_expansion", always, "the Lab expansion was used or, with the house rule, discarded"),
    ("stage", discards, "the discard was made in the main phase or after it"),
    ("stirred", always, "cards were drawn or played in this turn, or not"),
    ("turn", always, "with a random first player any number of turns may have ended"),
    ("turn_player", always, "with a random first player it may be anybody's turn"),
];
const USED: &str = "cards may be missing, and others may have been used";
const CARDS: &str = "cards may be missing, and others may have been dealt, drawn and played";

/// Positions of players of the house rule `discard_at_end`, who are four in these games.
fn discards(json: &Value) -> bool {
    json["seats"].as_array().unwrap().len() == 4
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
        let game = &table(&options).game;
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
            // Sizes and progress follow, and would refuse every change of a card.
            for seat in json["seats"].as_array_mut().unwrap() {
                for name in ["hand_sizes", "missing", "completion"] {
                    seat.as_object_mut().unwrap().remove(name);
                }
            }
            sweep.look(&**game, &json);
        });
    }
    sweep.finish(REACHED, 20_000);
}
