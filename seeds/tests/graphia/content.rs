//! Content files: what may be authored, and every refusal with its line and column.

use crate::fixture::{Position, acting, configured, play, rows_of, seen, sheet};
use playmat_conformance::testing;
use playmat_core::env::Env;
use playmat_core::error::Finding;
use playmat_core::game::Game;
use playmat_core::{replay, save};
use playmat_graphia::Graphia;
use serde_json::json;

/// What is found in a content text.
fn findings(text: &str) -> Vec<Finding> {
    testing::findings::<Graphia>(text, &json!({}))
}

/// Line, column and text of each finding.
#[track_caller]
fn check(text: &str, expected: &[(usize, usize, &str)]) {
    let found = findings(text);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (finding, (line, column, part)) in found.iter().zip(expected) {
        assert_eq!((finding.line, finding.column), (*line, *column), "{finding}");
        assert!(finding.message.contains(part), "`{part}` is not said: {finding}");
    }
}

/// A content of one entry more than a good one; the entry begins at line 6.
fn beside_good(entry: &str) -> String {
    format!("name = \"graphia\"\n[[polyomino]]\nid = \"bar\"\ncopies = 2\nrows = [\"###\"]\n{entry}")
}

fn entry(id: &str, copies: i64, rows: &str) -> String {
    beside_good(&format!("[[polyomino]]\nid = \"{id}\"\ncopies = {copies}\nrows = {rows}\n"))
}

#[test]
fn numbers_of_cards() {
    check(
        "name = \"graphia\"\n[[polyomino]]\nid = \"a\"\ncopies = 1\nrows = [\"#\"]\n",
        &[(4, 10, "1 cards in all; a pair needs at least 2")],
    );
    check("name = \"graphia\"\npolyomino = []\n", &[(0, 0, "0 cards in all")]);
    check(&entry("a", 15, "['#']"), &[(8, 10, "17 cards up to here; at most 16 in all")]);
    configured(&json!({"content": entry("a", 14, "['#']")}));
}

#[test]
fn copies_out_of_range() {
    check(&entry("a", 0, "['#']"), &[(8, 10, "`copies` is 0; allowed: 1 to 16")]);
    check(&entry("a", 17, "['#']"), &[(8, 10, "`copies` is 17; allowed: 1 to 16")]);
    check(&entry("a", -5, "['#']"), &[(8, 10, "`copies` is -5")]);
    check(&entry("a", i64::MAX, "['#']"), &[(8, 10, "allowed: 1 to 16")]);
}

#[test]
fn names_empty_long_or_repeated() {
    check(&entry("", 1, "['#']"), &[(7, 6, "`id` is empty")]);
    check(&entry("seventeen letters", 1, "['#']"), &[(7, 6, "`id` has 17 characters; at most 16")]);
    configured(&json!({"content": entry("sixteen letters!", 1, "['#']")}));
    check(&entry("bar", 1, "['#']"), &[(7, 6, "used by an entry above")]);
    check(&entry("BAR", 1, "['#']"), &[(7, 6, "upper and lower case are alike")]);
    check(&entry(" a", 1, "['#']"), &[(7, 6, "begins or ends with a space")]);
}

#[test]
fn rows_unequal_strange_or_bare() {
    check(&entry("a", 1, "['##', '#']"), &[(9, 15, "a row of 1 beside rows of 2")]);
    check(&entry("a", 1, "['#x']"), &[(9, 9, "`x` in a row; allowed: `#` and `.`")]);
    check(&entry("a", 1, "['..', '##']"), &[(9, 8, "the first row is empty")]);
    check(&entry("a", 1, "['##', '..']"), &[(9, 8, "the last row is empty")]);
    check(&entry("a", 1, "['.#', '.#']"), &[(9, 8, "the first column is empty")]);
    check(&entry("a", 1, "['#.', '#.']"), &[(9, 8, "the last column is empty")]);
}

#[test]
fn squares_none_too_many_or_apart() {
    check(&entry("a", 1, "[]"), &[(9, 8, "0 squares; allowed: 1 to 6")]);
    check(&entry("a", 1, "['..']"), &[(9, 8, "0 squares")]);
    check(&entry("a", 1, "['#######']"), &[(9, 8, "7 squares; allowed: 1 to 6")]);
    check(&entry("a", 1, "['#.', '.#']"), &[(9, 8, "not connected by edges")]);
    configured(&json!({"content": entry("a", 1, "['######']")}));
}

#[test]
fn entries_equal_up_to_turning() {
    check(&entry("a", 1, "['#', '#', '#']"), &[(6, 1, "the same shape as `bar` up to turning")]);
    // Mirror images are different entries.
    let mirror = beside_good(
        "[[polyomino]]\nid = \"s\"\ncopies = 1\nrows = ['.##', '##.']\n\
         [[polyomino]]\nid = \"z\"\ncopies = 1\nrows = ['##.', '.##']\n",
    );
    assert_eq!(configured(&json!({"content": mirror})).game.kinds(), 3);
}

#[test]
fn fields_missing_unknown_or_mistyped() {
    let found = findings(&beside_good("[[polyomino]]\nid = \"a\"\nrows = ['#']\n"));
    assert!(found[0].message.contains("copies"), "{found:?}");
    let found =
        findings(&beside_good("[[polyomino]]\nid = \"a\"\ncopies = 1\nrows = ['#']\ncolour = \"red\"\n"));
    assert!(found[0].line == 10 && found[0].message.contains("colour"), "{found:?}");
    let found = findings(&entry("a", 1, "'#'"));
    assert_eq!(found[0].line, 9, "{found:?}");
}

#[test]
fn a_content_is_called_what_its_game_is() {
    let text = entry("a", 1, "['#']");
    configured(&json!({"content": text}));
    let other = text.replace("\"graphia\"", "\"graft\"");
    check(&other, &[(1, 8, "`name` is `graft`; a content of this game is called `graphia`")]);
    check(&text.replace("name = \"graphia\"\n", ""), &[(1, 1, "`name` is missing")]);
}

#[test]
fn mistyped_fields_do_not_hide_the_rest() {
    let text = beside_good(
        "[[polyomino]]\nid = 3\ncopies = 'many'\nrows = ['#?', 7]\ncolour = 'red'\n\
         [[polyomino]]\nid = \"b\"\nrows = '#'\n\
         [[polyomino]]\nid = \"bar\"\ncopies = 99\nrows = ['#.#']\n",
    );
    check(
        &text.replace("name = \"graphia\"", "name = 1"),
        &[
            (1, 8, "`name`: integer instead of a text"),
            (7, 6, "polyomino 2: `id`: integer instead of a text"),
            (8, 10, "polyomino 2: `copies`: string instead of a whole number"),
            (9, 15, "polyomino 2: `rows`: integer instead of a text"),
            (10, 1, "polyomino 2: no field is called `colour`"),
            (11, 1, "polyomino `b`: `copies` is missing"),
            (13, 8, "polyomino `b`: `rows`: string instead of a list"),
            (15, 6, "polyomino `bar`: `id` is used"),
            (16, 10, "`copies` is 99"),
            (17, 8, "not connected"),
        ],
    );
    check("name = \"graphia\"\npolyomino = 3\n", &[(2, 13, "`polyomino`: integer instead of a list")]);
    check("name = \"graphia\"\npolyomino = [3]\n", &[(2, 14, "polyomino 1: integer instead of a table")]);
}

#[test]
fn everything_is_found_at_once() {
    let text = beside_good(
        "[[polyomino]]\nid = \"bar\"\ncopies = 0\nrows = ['#?']\n\
         [[polyomino]]\nid = \"\"\ncopies = 99\nrows = ['#.#']\n",
    );
    check(
        &text,
        &[
            (7, 6, "polyomino `bar`: `id` is used"),
            (8, 10, "`copies` is 0"),
            (9, 9, "`?` in a row"),
            (11, 6, "polyomino ``: `id` is empty"),
            (12, 10, "`copies` is 99"),
            (13, 8, "not connected"),
        ],
    );
}

/// One to six squares, ten cards: an I of five lies and stands only.
pub(crate) const MIXED: &str = r#"
name = "graphia"
[[polyomino]]
id = "dot"
copies = 4
rows = ['#']
[[polyomino]]
id = "long"
copies = 3
rows = ['######']
[[polyomino]]
id = "cross"
copies = 3
rows = ['.#.', '###', '.#.']
"#;

#[test]
fn sizes_follow_the_number_of_entries() {
    let game = &configured(&json!({"content": MIXED})).game;
    let info = game.info();
    assert_eq!((game.kinds(), info.num_actions), (3, 3 + 576));
    assert_eq!(info.observation.size(), 2553 - 3 * 4);
    let turns: Vec<usize> = game.shapes().iter().map(|shape| shape.turns).collect();
    assert_eq!(turns, [1, 2, 1]);
    // Bounds for a smallest shape of one square.
    assert_eq!(configured(&json!({"content": MIXED, "players": 1})).game.info().max_decisions, 288);
}

#[test]
fn shapes_of_one_to_six_squares_play() {
    let mut env = Position::of(1, "Forest", 6).option("content", MIXED).pair("dot", "cross").load();
    play(&mut env, &["shape cross", "place turned 0 at (4,5)"]);
    assert_eq!(rows_of(&env, 0), sheet(&[('F', &[(4, 6), (5, 5), (5, 6), (5, 7), (6, 6)])]));
    for seed in 0..10 {
        let mut env = Env::new(configured(&json!({"content": MIXED, "players": 2})), seed);
        while let Some(player) = env.current_player() {
            assert_eq!(env.validate(), []);
            let action = env.sample_action(player).unwrap();
            env.step(action.0.into()).unwrap();
        }
        assert!(acting(&env).is_empty() && seen(&env, None)["phase"] == "end");
        assert!(env.decisions() as usize <= env.info().max_decisions);
    }
}

#[test]
fn contents_differ_by_what_they_contain() {
    let text = include_str!("../../content/graphia.toml");
    let named = configured(&json!({}));
    let given = configured(&json!({"content": text}));
    let windows = configured(&json!({"content": text.replace('\n', "\r\n")}));
    let tables = [&named, &given, &windows];
    for (from, to) in tables.iter().flat_map(|from| tables.iter().map(move |to| (*from, *to))) {
        let env = Env::new(from.clone(), 4);
        let json = env.to_json(None).unwrap().to_string();
        assert_eq!(save::from_bytes(to, &save::to_bytes(&env)).unwrap().state(), env.state());
        assert_eq!(save::from_json(to, &json, 0).unwrap().state(), env.state());
        replay::record(&env).and_then(|replay| replay::seek(to, &replay, 0)).unwrap();
    }
    let other = configured(&json!({"content": MIXED}));
    let json = Env::new(other, 4).to_json(None).unwrap();
    let said = save::from_json(&named, &json.to_string(), 0).unwrap_err().to_string();
    assert!(said.contains("content_hash is"), "{said}");
}
