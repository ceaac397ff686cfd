//! Positions from outside: what is accepted, what follows from it, what is refused and why.

use crate::fixture::{Position, configured, legal_texts, phase, refused, seen, variants, visit_halves};
use playmat_conformance::testing::mutants::{Reached, Sweep, always};
use playmat_conformance::testing::refused_for;
use playmat_core::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Asserts that a position is refused for these reasons, and for nothing else.
#[track_caller]
fn check(position: &Position, expected: &[&str]) {
    refused_for(&position.refused(), expected);
}

#[test]
fn what_follows_may_be_given_and_must_agree() {
    let good = Position::of("a");
    let whole = seen(&good.load(), None);
    assert_eq!(seen(&Position { json: whole.clone(), ..good.clone() }.load(), None), whole);
    let said = good.clone().set("stock", json!([12, 11])).refused();
    assert!(said.starts_with("stock[1]: got 11; what it follows from gives 12"), "{said}");
    let said = good.clone().set("scores", json!([0, 1])).refused();
    assert!(said.starts_with("scores[1]: got 1"), "{said}");
    let mut moved = good;
    moved.json["islands"][3]["cell"] = json!([4, 4]);
    assert!(
        moved.refused().starts_with("islands[3].cell[1]: got 4; what it follows from gives 6")
            || moved.refused().starts_with("islands[3].cell[0]"),
        "{}",
        moved.refused()
    );
}

#[test]
fn faces_repeated_or_of_another_set() {
    let mut position = Position::of("a");
    position.json["islands"][4]["face"] = "a3".into();
    check(&position, &["islands[4].face: `a3` lies in slot 3 already"]);
    position.json["islands"][4]["face"] = "b3".into();
    check(&position, &["islands[4].face: no island of this game is called `b3`; allowed: a0, a1"]);
    let mut position = Position::of("a");
    position.json["islands"].as_array_mut().unwrap().pop();
    check(&position, &["islands: 11 entries for 12 slots"]);
}

#[test]
fn cards_that_are_not_those_of_the_content() {
    let mut whole = Position::of("a").whole();
    whole["hands"][1]["RRR"] = json!(1);
    let game = &configured(&json!({})).game;
    assert_eq!(
        refused(game, &whole),
        "hands[1]: 2 of `RRR` in hand, deck and discards of player 1; there are 1"
    );
    whole["decks"][1]["RRR"] = json!(0);
    whole["hands"][1]["W"] = json!(3);
    whole["hands"][1]["X"] = json!(3);
    let said = refused(game, &whole);
    assert!(
        said.contains("hands[1].W: 3; allowed: 0 to 2") && said.contains("hands[1].X: no card is called `X`"),
        "{said}"
    );
    check(&Position::of("a").set("sailed", json!([1, 0])), &["sailed[0]: 1 cards; player 0 has discarded 0"]);
    check(&Position::of("a").set("hands", json!([{}])), &["hands: 1 entries for 2 players"]);
}

#[test]
fn ships_where_they_cannot_be() {
    check(
        &Position::of("a").ship(0, 0, 3),
        &["ships[0]: got [0,3]; expected a cell of 2x6, [strip, k], or null"],
    );
    check(&Position::of("a").ship(0, 24, 5), &["ships[1]: both ships on one cell"]);
    Position::of("a").ship(0, 24, 5).option("ships", "share").load();
    check(&Position::of("a").set("ships", json!([null, [0, 2]])), &["ships[0]: not on the map"]);
}

#[test]
fn markers_and_doubled_islands() {
    let own = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    check(
        &Position::of("c").own(0, &own).doubled(1).doubled(2),
        &["13 markers of player 0; a player has 12"],
    );
    check(&Position::of("c").own(0, &own).doubled(1), &["phase: player 0 has no marker left"]);
    let all: Vec<usize> = (0..12).collect();
    check(&Position::of("a").own(0, &all[..6]).own(1, &all[6..]), &["phase: all islands are marked"]);
    check(&Position::of("a").doubled(3), &["islands[3].doubled: two markers without an owner"]);
    check(
        &Position::of("c").own(0, &[3]).doubled(3),
        &["1 islands of player 0 doubled, about to be or allowed to be; it owns 0"],
    );
    check(
        &Position::of("c").own(0, &[3, 10]).doubled(3).pending(0, "double"),
        &["2 islands of player 0 doubled"],
    );
    check(
        &Position::alone("c").own(0, &[3, 10]).doubled(3),
        &["a doubled island; in the puzzle there is none"],
    );
    let mut twice = Position::of("a");
    twice.json["islands"][0]["owner"] = json!(2);
    check(&twice, &["islands[0].owner: 2; allowed: 0 to 1"]);
}

#[test]
fn pending_effects_that_nothing_has_set() {
    check(
        &Position::of("b").pending(1, "next_minus_two"),
        &["pending[1]: player 1 owns no island with `next_minus_two`"],
    );
    check(
        &Position::of("b").pending(1, "wind"),
        &["pending[1]: no effect is called `wind`; allowed: next_minus_one, next_minus_two, double"],
    );
    check(
        &Position::alone("c").own(0, &[10]).pending(0, "double"),
        &["pending[0]: `double` does nothing in the puzzle"],
    );
    let paying = paying().own(0, &[6]).pending(0, "next_minus_one");
    check(&paying, &["pending[0]: the supply in course has spent it"]);
}

/// Player 0 pays for b8 (1/1/2).
fn paying() -> Position {
    Position::of("b").hand(0, "R F GG RR").landing(8).set("phase", "pay").set("range", 0).set(
        "payment",
        json!({"slot": 8, "due": [1, 1, 2], "doubled": false, "pair_left": 0, "units_left": 0, "pair_first": null,
            "shifts": 0, "exchanges": 0, "started": false, "exchange": null}),
    )
}

/// The same with some fields of the payment changed.
fn changed(position: Position, fields: &Value) -> Position {
    let mut position = position;
    for (name, value) in fields.as_object().unwrap() {
        position.json["payment"][name] = value.clone();
    }
    position
}

/// What is said of a field of a payment that no play leads to.
fn unreached(field: &str, value: &Value, can_be: &str) -> String {
    format!(
        "payment.{field}: {value}, to which no play leads; with the rest of the payment it can be {can_be}"
    )
}

#[test]
fn payments_that_the_islands_do_not_give() {
    assert_eq!(phase(&paying().load()), "pay");
    let wrong = |fields: Value, said: &str| check(&changed(paying(), &fields), &[said]);
    let other = |field: &str, value: Value, can_be: &str| {
        wrong(json!({field: value}), &unreached(field, &value, can_be));
    };
    other("due", json!([1, 1, 3]), "[1,1,2]");
    other("due", json!([1, 1, 1]), "[1,1,2]");
    wrong(json!({"due": [0, 0, 0]}), "payment.due: nothing is due");
    other("shifts", json!(1), "0");
    other("exchanges", json!(1), "0");
    wrong(json!({"slot": 7}), "payment.slot: 7; the ship is at the island of slot 8");
    other("units_left", json!(1), "0");
    other("pair_left", json!(2), "0");
    other("pair_first", json!("rum"), "null");
    other("exchange", json!(["rum", "gems"]), "null");
    wrong(
        json!({"exchange": ["rum", "rum"]}),
        "payment.exchange: got [\"rum\",\"rum\"]; expected two different resources",
    );
    wrong(json!({"doubled": true}), "1 islands of player 0 doubled");
    // What a card has paid already.
    let paid = changed(paying(), &json!({"due": [0, 1, 2], "started": true}));
    assert_eq!(phase(&paid.clone().spent(0, "W R").load()), "pay");
    let begun = "no discounts, steps and cards lead to it from {\"slot\":8,\"due\":[1,1,2],";
    check(&paid, &[&format!("payment: {begun}")]);
    // A unit of an own -1 island: named, or still to be named.
    let own = paying().own(0, &[2]);
    assert_eq!(phase(&changed(own.clone(), &json!({"due": [1, 1, 1]})).load()), "pay");
    let due = unreached("due", &json!([1, 1, 2]), "[0,1,2] or [1,0,2] or [1,1,1]");
    check(&own, &[&due, &unreached("units_left", &json!(0), "1")]);
    let naming = changed(own, &json!({"units_left": 1})).set("phase", "discount");
    assert_eq!(legal_texts(&naming.load()), ["minus rum", "minus fabric", "minus gems"]);
    let (due, units) = (json!([1, 1, 1]), json!(1));
    let named = changed(naming.clone(), &json!({"due": due}));
    check(&named, &[&unreached("due", &due, "[1,1,2]"), &unreached("units_left", &units, "0")]);
    check(
        &naming.set("phase", "pay"),
        &["phase: with 1 units of discount left to be named it is `discount`"],
    );
    check(
        &paying().set("phase", "discount"),
        &["phase: with 0 units of discount left to be named it is `pay`"],
    );
}

#[test]
fn gx_r6d_r6e_uses_and_dues_that_no_play_leaves() {
    let rich = |set: &str, slot: usize, due: [u8; 3], own: &[usize], fields: Value| {
        let position =
            Position::of(set).hand(0, "R F G RR FF GG RRR FFF GGG").landing(slot).spent(0, "W RRFF");
        let payment = json!({"slot": slot, "due": due, "doubled": false, "pair_left": 0, "units_left": 0,
            "pair_first": null, "shifts": 0, "exchanges": 0, "started": false, "exchange": null});
        let position = position.own(0, own).set("phase", "pay").set("range", 0).set("payment", payment);
        changed(position, &fields)
    };
    let good = |position: &Position| assert_eq!(phase(&position.load()), "pay");
    // GX-R10: a use of Exchange is spent by a card. b6 wants 0/1/2.
    let barter = |fields| rich("b", 6, [0, 1, 2], &[0], fields);
    good(&barter(json!({"exchanges": 1})));
    good(&barter(json!({"exchanges": 1, "started": true, "exchange": ["rum", "gems"]})));
    check(&barter(json!({})), &[&unreached("exchanges", &json!(0), "1")]);
    check(
        &barter(json!({"started": true, "exchanges": 1})),
        &[&unreached("started", &json!(true), "false"), "payment.exchange: null, to which no play leads"],
    );
    let both = |exchanges| rich("b", 6, [0, 0, 2], &[0, 1], json!({"exchanges": exchanges, "started": true}));
    good(&both(2));
    good(&both(1));
    check(&both(0), &[&unreached("exchanges", &json!(0), "1 or 2")]);
    // GX-R15: a use of +1/-1 changes what is due.
    let swing = |due, shifts| rich("b", 6, due, &[10], json!({"shifts": shifts}));
    good(&swing([0, 1, 2], 1));
    good(&swing([1, 0, 2], 0));
    let due = |due: [u8; 3], can_be| unreached("due", &json!(due), can_be);
    let shifts = |shifts: u8, can_be| unreached("shifts", &json!(shifts), can_be);
    let shifted = "[0,0,1] or [0,0,3] or [0,2,1] or [1,0,2]";
    check(&swing([0, 1, 2], 0), &[&due([0, 1, 2], shifted), &shifts(0, "1")]);
    check(&swing([1, 0, 2], 1), &[&due([1, 0, 2], "[0,1,2]"), &shifts(1, "0")]);
    check(&swing([1, 1, 1], 1), &[&due([1, 1, 1], "[0,1,2]"), &shifts(1, "0")]);
    check(&swing([1, 2, 0], 0), &[&due([1, 2, 0], shifted)]);
    // GX-R14a: two different resources. b7 wants 4/1/1.
    let neighbour = |due| rich("b", 7, due, &[8], json!({}));
    good(&neighbour([3, 0, 1]));
    good(&neighbour([4, 1, 1]));
    let paired = "[1,0,0] or [2,0,0] or [3,0,1] or [3,1,0]";
    check(&neighbour([2, 1, 1]), &[&due([2, 1, 1], paired)]);
    check(&neighbour([3, 1, 1]), &[&due([3, 1, 1], paired)]);
    // GX-R12a: giving up takes two of each, as far as there are. b10 wants 3/1/0.
    good(&rich("b", 10, [1, 0, 0], &[], json!({})));
    check(&rich("b", 10, [2, 1, 0], &[], json!({})), &[&due([2, 1, 0], "[1,0,0] or [3,1,0]")]);
    // Not the island itself that is being supplied: b4 wants 1/3/1, and b5 is still owned.
    check(&rich("b", 4, [0, 1, 0], &[5], json!({})), &[&due([0, 1, 0], "[1,3,1]")]);
    good(&rich("b", 4, [0, 1, 0], &[], json!({})));
    // A doubled supply had Double pending, and so no -2 next.
    let twice = |due: [u8; 3], doubled: bool| {
        let payment = json!({"slot": 3, "due": due, "doubled": doubled, "pair_left": 0, "units_left": 0,
            "pair_first": null, "shifts": 0, "exchanges": 0, "started": false, "exchange": null});
        let position = Position::of("c").face(0, "b8").own(0, &[0, 10]).hand(0, "R RR G GG FGG").landing(3);
        position.set("phase", "pay").set("range", 0).set("payment", payment)
    };
    good(&twice([2, 0, 4], true));
    good(&twice([0, 0, 1], false));
    check(&twice([1, 0, 3], true), &[&due([1, 0, 3], "[2,0,4]")]);
    // GX-R6e: a card that was discarded pays; RRFF and the W sailed with are all there are.
    good(&rich("b", 11, [0, 2, 3], &[], json!({"started": true})));
    check(
        &rich("b", 11, [0, 4, 2], &[], json!({"started": true})),
        &["payment: no discounts, steps and cards lead to it from {\"slot\":11,\"due\":[0,4,3],"],
    );
}

#[test]
fn payments_out_of_order_or_beyond_the_markers() {
    let naming = changed(paying().own(0, &[2]), &json!({"units_left": 1})).set("phase", "discount");
    assert_eq!(phase(&naming.load()), "discount");
    // Cards and +1/-1 come after all discounts, a pair before the other units.
    check(
        &changed(naming.clone(), &json!({"started": true})),
        &[&unreached("started", &json!(true), "false")],
    );
    let swing = changed(naming.clone().own(0, &[10]), &json!({"due": [0, 1, 3]}));
    check(&swing, &["payment: no discounts, steps and cards lead to it from {\"slot\":8,\"due\":[1,1,2],"]);
    let pair = changed(naming.own(0, &[9]), &json!({"pair_left": 2, "units_left": 0}));
    check(&pair, &[&unreached("units_left", &json!(0), "1")]);
    assert_eq!(phase(&changed(pair, &json!({"units_left": 1})).load()), "discount");
    // An exchange is for something that is due.
    let barter = paying().own(0, &[0]).hand(0, "R GG RR G").spent(0, "W F");
    let fields = json!({"due": [1, 0, 2], "started": true, "exchanges": 1, "exchange": ["rum", "fabric"]});
    check(
        &changed(barter.clone(), &fields),
        &[
            &unreached("due", &json!([1, 0, 2]), "[1,1,2]"),
            "payment.exchange: [\"rum\",\"fabric\"], to which no play leads",
        ],
    );
    let fields = json!({"due": [1, 0, 2], "started": true, "exchanges": 1, "exchange": ["rum", "gems"]});
    assert_eq!(phase(&changed(barter, &fields).load()), "pay");
    // A doubled supply takes two of the markers that are left.
    let own = [0, 1, 2, 4, 5, 6, 7, 9, 10, 11];
    let double = |own: &[usize]| {
        Position::of("c")
            .hand(0, "RR GG GG")
            .own(0, own)
            .doubled(6)
            .landing(3)
            .set("phase", "pay")
            .set("range", 0)
            .set(
                "payment",
                json!({"slot": 3, "due": [2, 0, 4], "doubled": true, "pair_left": 0, "units_left": 0,
                "pair_first": null, "shifts": 0, "exchanges": 0, "started": false, "exchange": null}),
            )
    };
    assert_eq!(phase(&double(&own[1..]).load()), "pay");
    check(&double(&own), &["islands: 13 markers of player 0; a player has 12"]);
}

#[test]
fn a_game_that_twelve_markers_ended() {
    let own = [1, 2, 3, 4, 5, 6, 7, 8, 10, 11];
    let position = Position::of("c").own(0, &own).doubled(1).doubled(2).set("phase", "end");
    let env = position.load();
    assert_eq!((phase(&env), env.state().stock(Player(0)), env.current_player()), ("end".into(), 0, None));
    let mut fewer = position;
    fewer.json["islands"][2]["doubled"] = json!(false);
    check(&fewer, &["phase: `end`, but there are islands, markers and cards left"]);
}

#[test]
fn what_was_paid_lies_in_the_discards() {
    // b7 wants 4/1/1.
    let paid = |due: [u8; 3], exchanges: u8, spent: &str| {
        let position = Position::of("b").own(0, &[0]).hand(0, "RRR RR FF GG F G").landing(7).spent(0, spent);
        position.set("phase", "pay").set("range", 0).set(
            "payment",
            json!({"slot": 7, "due": due, "doubled": false, "pair_left": 0, "units_left": 0, "pair_first": null,
                "shifts": 0, "exchanges": exchanges, "started": true, "exchange": null}),
        )
    };
    let uses = |uses: u8, can_be| unreached("exchanges", &json!(uses), can_be);
    for (left, exchanges, spent, can_be) in [
        ([2, 1, 1], 1, "W R", "[3,1,1]"),
        ([2, 0, 1], 0, "W RF", "[2,1,1] or [4,0,1]"),
        ([1, 1, 1], 1, "W R RF", "[3,1,1]"),
    ] {
        check(&paid(left, exchanges, spent), &[&unreached("due", &json!(left), can_be)]);
    }
    let due = unreached("due", &json!([2, 0, 1]), "[2,1,1] or [3,0,1] or [4,0,1]");
    check(&paid([2, 0, 1], 0, "W RF RF"), &[&due, &uses(0, "1")]);
    for (left, exchanges, spent) in [
        ([3, 1, 1], 1, "W R"),
        ([2, 1, 1], 1, "W R R"),
        ([1, 1, 1], 0, "W R RF"),
        ([2, 1, 1], 0, "W RF"),
        ([2, 0, 1], 1, "W RF RF"),
    ] {
        assert_eq!(phase(&paid(left, exchanges, spent).load()), "pay", "{left:?} {spent}");
    }
    // Exchanged is only what a card has: FG has no rum that could count as gems.
    let position = |exchanges: u8, due: [u8; 3]| {
        let position = Position::of("b").own(0, &[0]).hand(0, "G GG F FF R").landing(6).spent(0, "W FG");
        position.set("phase", "pay").set("range", 0).set(
            "payment",
            json!({"slot": 6, "due": due, "doubled": false, "pair_left": 0, "units_left": 0, "pair_first": null,
                "shifts": 0, "exchanges": exchanges, "started": true, "exchange": null}),
        )
    };
    assert_eq!(phase(&position(1, [0, 0, 1]).load()), "pay");
    assert_eq!(phase(&position(0, [0, 1, 0]).load()), "pay");
    check(&position(0, [0, 0, 1]), &[&unreached("due", &json!([0, 0, 1]), "[0,0,2]"), &uses(0, "1")]);
}

#[test]
fn gx_r21a_no_doubled_supply_in_the_puzzle() {
    let paying = |position: Position, doubled: bool| {
        let due = if doubled { [2, 0, 4] } else { [1, 0, 2] };
        position.hand(0, "RR GG FGG").own(0, &[10]).landing(3).set("phase", "pay").set("range", 0).set(
            "payment",
            json!({"slot": 3, "due": due, "doubled": doubled, "pair_left": 0, "units_left": 0,
                "pair_first": null, "shifts": 0, "exchanges": 0, "started": false, "exchange": null}),
        )
    };
    assert_eq!(phase(&paying(Position::of("c"), true).load()), "pay");
    assert_eq!(phase(&paying(Position::alone("c"), false).load()), "pay");
    check(
        &paying(Position::alone("c"), true),
        &["payment.doubled: a doubled supply; in the puzzle there is none"],
    );
}

#[test]
fn supplies_away_from_an_island_or_not_completable() {
    let supply = Position::of("a").hand(0, "R F G").set("phase", "supply");
    assert_eq!(phase(&supply.clone().ship(0, 1, 1).load()), "supply");
    check(&supply.clone().ship(0, 1, 2), &["ships[0]: not on an island without a marker"]);
    check(&supply.clone().own(1, &[0]).ship(0, 1, 1), &["ships[0]: not on an island without a marker"]);
    check(&supply.hand(0, "R F RF").ship(0, 1, 1), &["phase: the payment cannot be completed"]);
    check(&paying().hand(0, "R F G RR"), &["phase: the payment cannot be completed"]);
    check(&paying().ship(0, 1, 2), &["ships[0]: not on an island"]);
    // After the first card nothing is shifted or given up any more: gems that lack can come from nowhere.
    let lacking = paying().own(0, &[4]).hand(0, "R F G").spent(0, "W RR");
    assert_eq!(lacking.load().state().owner(8), Some(Player(0)), "giving up b4 is all that can be done");
    let begun = changed(lacking, &json!({"due": [0, 1, 2], "started": true}));
    check(&begun, &["phase: the payment cannot be completed"]);
    let lacking = paying().own(0, &[10]).hand(0, "RR FF G").spent(0, "W R");
    let begun = changed(lacking, &json!({"due": [0, 1, 2], "started": true, "shifts": 1}));
    check(&begun, &["phase: the payment cannot be completed"]);
    assert_eq!(phase(&changed(begun.clone().hand(0, "RR FF GG"), &json!({})).load()), "pay");
}

/// GX-R3: who places a ship first begins the game, as the option says.
#[test]
fn gx_r3_q18_the_first_player_places_first() {
    let mut start = Position::of("a").option("formation", "3x4").set("phase", "start");
    start.json["ships"] = json!([null, null]);
    assert_eq!(phase(&start.load()), "start");
    let first = "turn: player 1 is to place the first ship; by the option `first_player` player 0 places its ship first";
    check(&start.clone().set("turn", 1), &[first]);
    for of in [json!(1), json!("random")] {
        let other = start.clone().option("first_player", of).set("turn", 1);
        assert_eq!((phase(&other.load()), other.load().current_player()), ("start".into(), Some(Player(1))));
    }
}

#[test]
fn phases_that_cannot_be() {
    check(
        &Position::of("a").set("phase", "move"),
        &["range: 0; above 0 in phase `move`", "range: 0; no discarded card"],
    );
    check(
        &Position::of("a").set("phase", "move").set("range", 4).spent(0, "RR"),
        &["range: 4; no discarded card of player 0 sails so far"],
    );
    assert_eq!(phase(&Position::of("a").set("phase", "move").set("range", 5).spent(0, "RR").load()), "move");
    check(&Position::of("a").set("range", 5), &["range: 5; above 0 in phase `move`"]);
    let mut start = Position::of("a").set("phase", "start");
    start.json["ships"] = json!([null, null]);
    check(&start, &["phase: one start is nearest to the centre line"]);
    start.json["ships"] = json!([null, [0, 0]]);
    check(
        &start,
        &[
            "ships[1]: not on a start nearest to the centre line",
            "ships[1]: placed before the ship of player 0; by the option `first_player` player 0 places its ship first",
            "phase: one start",
        ],
    );
    check(&Position::of("a").hand(0, "").deck(0, ""), &["turn: player 0 has no card to play or to take"]);
    check(
        &Position::of("a").set("phase", "end"),
        &["phase: `end`, but there are islands, markers and cards left"],
    );
    check(
        &Position::of("a").set("phase", "sleep"),
        &["phase: no phase is called `sleep`; allowed: start, turn, move"],
    );
    check(&Position::of("a").set("turn", 2), &["turn: 2; allowed: 0 to 1"]);
    check(&Position::of("a").set("swap_left", 1), &["swap_left: 1; 1 or 2 in phase `swap` and 0 in others"]);
    check(&paying().set("phase", "turn"), &["payment: given in a phase in which nobody pays"]);
}

#[test]
fn once_only_abilities_where_they_are_not() {
    let at = |slot: usize, name: &str| {
        let position = Position::of("c").landing(slot).set("range", 0).set("phase", name);
        if name == "swap" { position.set("swap_left", 2) } else { position }
    };
    for (slot, name, ability) in [(8, "lose", "lose_card"), (6, "swap", "swap_two"), (3, "wind", "wind")] {
        assert_eq!(phase(&at(slot, name).own(0, &[slot]).load()), name);
        let said = format!("phase: player 0 is at no own island with `{ability}`");
        check(&at(slot, name), &[&said]);
        check(&at(slot, name).own(1, &[slot]), &[&said]);
        check(&at(0, name).own(0, &[0, slot]), &[&said]);
    }
    check(&at(8, "lose").own(0, &[8]).hand(1, ""), &["phase: player 1 has no card to lose"]);
    check(&at(6, "swap").own(0, &[6]).hand(0, "R"), &["phase: too few cards in hand or deck"]);
    check(&at(6, "swap").own(0, &[6]).deck(0, ""), &["phase: too few cards in hand or deck"]);
    let alone = Position::alone("c").landing(3).set("range", 0).set("phase", "wind").own(0, &[3]);
    check(&alone, &["phase: `wind` does nothing in the puzzle"]);
}

#[test]
fn all_reasons_come_at_once() {
    let position = Position::of("a")
        .set("turn", "first")
        .set("phase", "sleep")
        .set("ships", json!([[9, 9]]))
        .set("colour", 3);
    check(
        &position,
        &[
            "turn: \"first\"; allowed: 0 to 1",
            "phase: no phase is called `sleep`",
            "ships: 1 entries for 2 players",
            "ships[0]: got [9,9]",
            "colour: unknown field",
        ],
    );
    let mut position = Position::of("a");
    position.json.as_object_mut().unwrap().shift_remove("pending");
    position.json["islands"][2] = json!({"face": 3, "turned": "no"});
    check(
        &position,
        &[
            "pending: missing",
            "islands[2].face: got 3; expected a string",
            "islands[2].turned: got \"no\"; expected true or false",
        ],
    );
    // A name that does not exist hides nothing else.
    check(&Position::of("a").set("colour", 3).set("range", 5), &["colour: unknown", "range: 5; above 0"]);
    let json = json!([1]);
    assert!(refused(&configured(&json!({})).game, &json).starts_with("got [1]; expected an object"));
}

/// Places whose mutants can be accepted. Everywhere else every mutant is refused.
const REACHED: &[Reached] = &[
    ("turn", always, "turns are counted, not derived"),
    ("phase", always, "at the border of two phases the cards fit both"),
    ("islands[].owner", always, BOARD),
    ("islands[].turned", always, BOARD),
    ("islands[].doubled", always, BOARD),
    ("ships[][]", always, BOARD),
    ("sailed[]", always, "other cards may have paid for the way"),
    ("range", always, "other cards may have paid for the way"),
    ("swap_left", always, "less may be left of an ability"),
    ("payment.due[]", always, PAYMENT),
    ("payment.units_left", always, PAYMENT),
    ("payment.shifts", always, PAYMENT),
    ("payment.exchanges", always, PAYMENT),
];
const BOARD: &str = "other moves lead to another board with the same cards";
const PAYMENT: &str = "another payment with other abilities reaches it";

#[test]
fn positions_that_differ_in_one_place_are_refused_or_reached() {
    let words = ["a0", "a3", "start", "turn", "move", "discount", "pay", "swap", "end", "double", "gems"];
    let (mut sweep, mut seen) = (Sweep::new(&[], &words), BTreeSet::new());
    for options in variants() {
        for seed in 0..2 {
            visit_halves(&options, seed, |env| {
                let (game, s) = (&env.configured().game, env.state());
                // The first of each kind of moment.
                let payment = (s.payment.exchange.is_some(), s.payment.started, s.payment.pair_left > 0);
                let moment =
                    (s.turn, s.phase as u8, s.pending.map(|effect| effect as u8), payment, s.doubled != 0);
                if !seen.insert((options["players"].as_u64(), moment)) {
                    return;
                }
                let mut json = game.describe(s, None);
                // What follows would refuse every change.
                for name in ["stock", "scores"] {
                    json.as_object_mut().unwrap().remove(name);
                }
                for island in json["islands"].as_array_mut().unwrap() {
                    island.as_object_mut().unwrap().remove("cell");
                }
                sweep.try_mutants(&**game, &json);
            });
        }
    }
    sweep.finish(REACHED, 20_000);
}
