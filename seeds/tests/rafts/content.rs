//! Content files: what they may say and how they are refused.

use crate::fixture::{configured, legal};
use playmat_conformance::testing;
use playmat_core::env::Env;
use playmat_core::error::Finding;
use playmat_core::game::{Game, Status};
use playmat_rafts::Rafts;
use playmat_rafts::state::Kind;
use serde_json::json;

const BUILTIN: &str = include_str!("../../content/rafts.toml");

/// What is found in a content text.
#[track_caller]
fn findings(text: &str) -> Vec<Finding> {
    let found = testing::findings::<Rafts>(text, &json!({}));
    assert!(!found.is_empty(), "loaded:\n{text}");
    found
}

/// Asserts that the changes of a table to the built-in content are refused. What was called otherwise before may be missed elsewhere, too.
#[track_caller]
fn refused(table: &str) {
    testing::refused_changes::<Rafts>(BUILTIN, &json!({}), table);
}

#[test]
fn the_built_in_cards_are_those_of_the_rules() {
    let game = &configured(&json!({})).game;
    let copies: Vec<(String, u8)> = game.cards().iter().map(|card| (card.id.clone(), card.copies)).collect();
    let expected = [
        ("EC", 5),
        ("BS", 5),
        ("PP", 4),
        ("SY", 4),
        ("DR", 3),
        ("LL", 3),
        ("lux", 3),
        ("phaC", 3),
        ("alkB", 3),
        ("merA", 3),
        ("HBB", 4),
        ("PETase", 4),
        ("IL10", 2),
        ("nisA", 2),
        ("time", 15),
        ("money", 15),
        ("medium", 15),
        ("raft", 3),
        ("IE", 6),
        ("RX", 4),
        ("FC", 5),
        ("AS", 4),
        ("PO", 4),
        ("UE", 4),
        ("LE", 3),
        ("BE", 5),
        ("EF", 3),
        ("SE", 4),
        ("BG", 2),
        ("AR", 2),
        ("SV", 2),
    ];
    assert_eq!(copies, expected.map(|(id, copies)| (id.to_string(), copies)));
    // Bacterium, gene, medium, time, money.
    let goals: Vec<[usize; 5]> = game
        .goals()
        .iter()
        .map(|goal| {
            let [bacterium, gene] = goal.needs.specific.map(Kind::index);
            let [time, money, medium] = goal.needs.generics.map(usize::from);
            assert_eq!(goal.card.copies, 2);
            [bacterium, gene, medium, time, money]
        })
        .collect();
    let expected = [
        [0, 6, 2, 1, 1],
        [0, 10, 2, 2, 1],
        [3, 6, 1, 1, 2],
        [3, 7, 1, 2, 1],
        [2, 7, 1, 1, 2],
        [2, 8, 2, 1, 1],
        [4, 9, 1, 2, 1],
        [4, 8, 1, 1, 2],
        [1, 11, 1, 2, 2],
        [1, 9, 2, 1, 1],
        [5, 12, 1, 1, 1],
        [5, 13, 1, 1, 1],
    ];
    assert_eq!(goals, expected);
    let sums = [2, 3, 4].map(|column| goals.iter().map(|goal| goal[column]).sum::<usize>());
    assert_eq!(sums, [16, 16, 16]);
}

#[test]
fn every_card_is_explained_by_a_line_above_it() {
    let lines: Vec<&str> = BUILTIN.lines().collect();
    let mut explained = 0;
    for (i, line) in lines.iter().enumerate() {
        let list = line.contains("{ id =") && !line.contains("effect =");
        if list {
            assert!(lines[i - 1].trim_start().starts_with("# "), "{line}");
            explained += 1;
        }
    }
    assert_eq!(explained, 6 + 8 + 12);
}

#[test]
fn numbers_out_of_range_are_refused_where_they_stand() {
    refused(
        r#"
        name = "Synechocystis", copies = 4 | name = "Synechocystis", copies = 0 | bacterium `SY`: `copies` is 0; allowed: 1 to 31
        name = "Synechocystis", copies = 4 | name = "Synechocystis", copies = 32 | `copies` is 32
        medium = 2, time = 1, money = 1, copies = 2 | medium = 3, time = 1, money = 1, copies = 2
            | goal `toxic_alarm`: `medium` is 3; allowed: 0 to 2
        medium = 2, time = 1, money = 1, copies = 2 | medium = 0, time = 0, money = 0, copies = 2 | needs no generic at all
        raft = 3 } | raft = 0 } | generic: `raft` is 0
        copies = 5 } | copies = "5" } | instead of a whole number
        "#,
    );
}

#[test]
fn decks_that_cannot_be_dealt_are_refused() {
    let text = BUILTIN.replace(
        "{ time = 15, money = 15, medium = 15, raft = 3 }",
        "{ time = 3, money = 3, medium = 3, raft = 2 }",
    );
    assert!(findings(&text)[0].message.contains("11 generic resources; a deck has 12 to 120 cards"));
    let text = BUILTIN.replace(
        "{ time = 15, money = 15, medium = 15, raft = 3 }",
        "{ time = 31, money = 31, medium = 31, raft = 28 }",
    );
    assert!(findings(&text)[0].message.contains("121 generic resources"));
    let head = BUILTIN.split("goal = [").next().unwrap();
    let one = "goal = [ { id = \"a\", name = \"A\", bacterium = \"EC\", gene = \"lux\", medium = 1, time = 0, money = 0, copies = 5 } ]";
    assert!(findings(&format!("{head}{one}"))[0].message.contains("5 goal cards; a deck has 6 to 120 cards"));
}

#[test]
fn ids_are_unique_among_cards_and_among_goals() {
    refused(
        r#"
        id = "BS" | id = "EC" | bacterium `EC`: `id` is used before
        id = "phaC" | id = "ec" | gene `ec`: `id` is used before
        id = "RX" | id = "lux" | action `lux`: `id` is used before
        id = "RX" | id = "time" | action `time`: `id` is used before
        id = "blood" | id = "toxic_alarm" | goal `toxic_alarm`: `id` is used before
        id = "RX" | id = "R X" | `id` must be 1 to 20
        id = "RX" | id = "" | `id` must be 1 to 20
        name = "Synechocystis" | name = " Synechocystis" | `name` must be 1 to 40
        "#,
    );
}

#[test]
fn goals_need_cards_that_exist() {
    refused(
        r#"
        bacterium = "EC", gene = "lux" | bacterium = "XX", gene = "lux" | goal `toxic_alarm`: no bacterium is called `XX`
        bacterium = "EC", gene = "lux" | bacterium = "EC", gene = "EC" | no gene is called `EC`
        bacterium = "EC", gene = "HBB", medium = 2, time = 2, money = 1 | bacterium = "EC", gene = "lux", medium = 2, time = 1, money = 1
            | goal `blood`: needs the same as `toxic_alarm`
        "#,
    );
    // More of a generic than there are copies.
    let rare = BUILTIN.replace("time = 15,", "time = 1,").replace("money = 15", "money = 29");
    assert!(findings(&rare).iter().all(|f| f.message.contains("2 time, of which there are 1")));
}

#[test]
fn effects_are_the_known_ones_and_each_is_there_once() {
    refused(
        r#"
        { kind = "exchange_goal" } | { kind = "exchange" } | action `RX`: effect: `kind` is `exchange`; allowed: steal
        { kind = "extra_bench" } | { kind = "exchange_goal" } | action `LE`: effect: another action does the same
        what = "money", who = "all" | what = "time", who = "all" | another action does the same
        what = "money", who = "all" | what = "raft", who = "all" | `what` is `raft`; allowed: bacterium, gene
        what = "medium", who = "one" | what = "medium", who = "two" | `who` is `two`; allowed: one, all
        ["bacterium", "gene", "raft"] | [] | nothing; name at least one
        ["bacterium", "gene", "raft"] | ["gene", "gene"] | `gene` is there twice
        ["bacterium", "gene", "raft"] | ["time"] | `time`; allowed: bacterium, gene, raft
        { kind = "snatch" } | { kind = "snatch", what = "time" } | no field is called `what`
        "#,
    );
}

#[test]
fn shields_answer_a_card_that_hits_all() {
    refused(
        r#"
        against = "PO" | against = "FC" | `FC` is no card that makes all players lose something
        against = "PO" | against = "IE" | `IE` is no card
        against = "PO" | against = "XX" | `XX` is no card
        "#,
    );
}

#[test]
fn two_shields_against_one_card_are_refused() {
    refused(
        r#"
        against = "UE" | against = "PO" | another shield answers `PO`
        "#,
    );
}

#[test]
fn lists_are_not_empty_and_not_too_long() {
    let lines: Vec<String> =
        (0..9).map(|i| format!("{{ id = \"b{i}\", name = \"B\", copies = 3 }}")).collect();
    let text = format!("name = \"rafts\"\nbacterium = [{}]\ngene = []\n", lines.join(", "));
    let said: Vec<String> = findings(&text).into_iter().map(|f| f.message).collect();
    for part in [
        "`bacterium`: 9 entries; allowed: 1 to 8",
        "`gene`: 0 entries; allowed: 1 to 12",
        "`generic` is missing",
        "`action` is missing",
        "`goal` is missing",
    ] {
        assert!(said.iter().any(|message| message.contains(part)), "{part}: {said:#?}");
    }
    assert!(
        findings(&BUILTIN.replace("name = \"rafts\"", "name = \"cards\""))[0]
            .message
            .contains("called `rafts`")
    );
    assert!(
        findings(&BUILTIN.replace("generic = {", "generics = {"))
            .iter()
            .any(|f| f.message.contains("did you mean `generic`"))
    );
}

/// Every part is small: one bacterium and gene, no fast cards, losing genes.
pub(crate) const SMALL: &str = r#"
name = "rafts"
bacterium = [ { id = "A", name = "Alpha", copies = 8 } ]
gene = [ { id = "g", name = "Gamma", copies = 4 } ]
generic = { time = 3, money = 3, medium = 3, raft = 3 }
action = [
    { id = "GL", name = "Gene loss", copies = 6, effect = { kind = "lose", what = "gene", who = "all" } },
    { id = "BL", name = "Bad luck", copies = 6, effect = { kind = "lose", what = "bacterium", who = "one" } },
]
goal = [ { id = "x", name = "The only goal", bacterium = "A", gene = "g", medium = 1, time = 0, money = 0, copies = 6 } ]
"#;

#[test]
fn other_contents_are_played_to_the_end() {
    let mut ends = std::collections::BTreeMap::new();
    for seed in 0..30 {
        let mut env = Env::new(configured(&json!({"players": 6, "content": SMALL})), seed);
        while let Some(player) = env.current_player() {
            assert!(legal(&env).len() > 1);
            let action = env.sample_action(player).unwrap();
            env.step(action.0.into()).unwrap();
            assert_eq!(env.configured().game.validate(env.state()), []);
        }
        *ends.entry(format!("{:?}", env.status())).or_insert(0) += 1;
        assert_ne!(env.status(), Status::Running);
    }
    assert!(ends["Terminated"] > 20, "{ends:?}");
}

#[test]
fn a_refused_effect_accuses_no_other_card() {
    let snatch = "effect = { kind = \"snatch\" }";
    let spill = "effect = { kind = \"lose\", what = \"bacterium\", who = \"all\" }";
    for (old, new, expected) in [
        // Of three faults in as many actions none makes Serendipity a second snatch.
        ("effect = { kind = \"exchange_goal\" }", "effect = { kind = \"exchange\" }", "`kind` is `exchange`"),
        ("effect = { kind = \"recover\" }", "effect = 3", "action `BE`: effect: "),
        (", effect = { kind = \"extra_goal\" }", "", "action `EF`: `effect` is missing"),
        // What cannot be read may well make all players lose something.
        (spill, "effect = { kind = \"lose\", what = \"bacteria\", who = \"all\" }", "`what` is `bacteria`"),
    ] {
        assert!(BUILTIN.contains(old) && BUILTIN.contains(snatch), "{old}");
        let said: Vec<String> = findings(&BUILTIN.replace(old, new)).into_iter().map(|f| f.message).collect();
        assert!(said.len() == 1 && said[0].contains(expected), "{expected}: {said:#?}");
    }
}
