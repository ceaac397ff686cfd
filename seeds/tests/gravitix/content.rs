//! Content files: what may be authored, and every refusal with its line and column.

use crate::fixture::configured;
use playmat_conformance::testing;
use playmat_core::env::Env;
use playmat_core::error::Finding;
use playmat_core::game::Game;
use playmat_gravitix::Gravitix;
use playmat_gravitix::state::Ability;
use serde_json::json;

const BUILTIN: &str = include_str!("../../content/gravitix.toml");

/// What is found in a content text.
#[track_caller]
fn findings(text: &str) -> Vec<Finding> {
    let found = testing::findings::<Gravitix>(text, &json!({}));
    assert!(!found.is_empty(), "accepted");
    found
}

/// The built-in content with one part replaced.
fn with(old: &str, new: &str) -> String {
    assert!(BUILTIN.contains(old), "`{old}` is not in the content");
    BUILTIN.replacen(old, new, 1)
}

/// Asserts that the changes of a table to the built-in content are refused, each with one finding.
#[track_caller]
fn refused(table: &str) {
    for found in testing::refused_changes::<Gravitix>(BUILTIN, &json!({}), table) {
        assert_eq!(found.len(), 1, "{found:?}");
    }
}

/// The same where findings are about a whole list or entry further up or down: only what is said.
#[track_caller]
fn says(text: &str, expected: &[&str]) {
    let found: Vec<String> = findings(text).iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for part in expected {
        assert!(found.iter().any(|finding| finding.contains(part)), "`{part}` is not said: {found:?}");
    }
    assert!(found.iter().all(|finding| finding.starts_with("line ")), "{found:?}");
}

#[test]
fn the_built_in_content_is_that_of_the_rules() {
    let game = &configured(&json!({"island_set": "1+2"})).game;
    let kinds = game.kinds();
    assert_eq!(kinds.len(), 22);
    let ids: Vec<&str> = kinds.iter().map(|kind| kind.id.as_str()).collect();
    assert_eq!(ids.join(" "), "W R F G RF RG FG RR FF GG RRF RRG RFF FFG RGG FGG RRR FFF GGG RRFF RRGG FFGG");
    // Sail falls with the class of the card; the id names its resources.
    for kind in kinds {
        let alike = kind.values.iter().filter(|&&value| value > 0).count() == 1;
        let sail = match (kind.units(), alike) {
            (0, _) => 8,
            (1, _) => 7,
            (2, false) => 6,
            (2, true) => 5,
            (3, false) => 4,
            (3, true) => 3,
            _ => 2,
        };
        assert_eq!(kind.sail, sail, "{}", kind.id);
        let named = ['R', 'F', 'G'].map(|letter| kind.id.matches(letter).count() as u8);
        assert_eq!(kind.values, named);
    }
    let sum = |of: &dyn Fn(usize) -> u32| (0..22).map(|k| of(k) * u32::from(kinds[k].copies)).sum::<u32>();
    assert_eq!((sum(&|_| 1), sum(&|k| kinds[k].sail.into())), (32, 163));
    for resource in 0..3 {
        assert_eq!(sum(&|k| kinds[k].values[resource].into()), 23);
    }
    let sets = [
        ("0", 32, 33, [21, 22, 21]),
        ("1", 29, 22, [20, 21, 21]),
        ("2", 31, 29, [21, 19, 20]),
        ("3", 20, 30, [19, 21, 20]),
    ];
    for (set, points, cards, demand) in sets {
        let game = &configured(&json!({"island_set": set})).game;
        let sum = |of: &dyn Fn(usize) -> u8| (0..12).map(|face| u32::from(of(face))).sum::<u32>();
        let faces = game.faces();
        assert_eq!((faces.len(), sum(&|f| faces[f].points), sum(&|f| faces[f].cards)), (12, points, cards));
        for (resource, wanted) in demand.into_iter().enumerate() {
            assert_eq!(sum(&|f| faces[f].demand[resource]), wanted, "set {set}");
        }
        // Each of six places twice; with the half-turns these are all twelve.
        for place in 0..12u8 {
            let here = faces.iter().filter(|face| face.places.contains(&place)).count();
            assert_eq!(here, 2, "set {set}, place {place}");
        }
    }
    let count = |ability| game.faces().iter().filter(|face| face.ability == Some(ability)).count();
    assert_eq!(Ability::ALL.map(count), [2, 2, 2, 2, 2, 2, 3, 2, 2, 3, 2]);
    // The book's island.
    let plain = configured(&json!({}));
    let book = &plain.game.faces()[6];
    assert_eq!((book.points, book.cards, book.demand), (2, 4, [2, 1, 3]));
}

#[test]
fn no_card_and_no_island_is_better_than_another_in_everything() {
    let game = &configured(&json!({})).game;
    for a in game.kinds() {
        for b in game.kinds().iter().filter(|b| b.id != a.id) {
            let better = a.sail >= b.sail && (0..3).all(|r| a.values[r] >= b.values[r]);
            assert!(!better, "{} dominates {}", a.id, b.id);
        }
    }
    for set in ["0", "3"] {
        let game = &configured(&json!({"island_set": set})).game;
        for a in game.faces() {
            for b in game.faces().iter().filter(|b| b.id != a.id && b.colour == a.colour) {
                let better =
                    a.points >= b.points && a.cards >= b.cards && (0..3).all(|r| a.demand[r] <= b.demand[r]);
                assert!(!better, "{} dominates {}", a.id, b.id);
            }
        }
    }
}

#[test]
fn cards_out_of_range() {
    refused(
        r#"
        sail = 3, rum = 3 | sail = ^16, rum = 3 | card `RRR`: `sail` is 16; allowed: 1 to 15
        sail = 3, rum = 3 | sail = ^0, rum = 3 | `sail` is 0
        rum = 3, copies | rum = ^5, copies | card `RRR`: `rum` is 5; allowed: 0 to 4
        { id = "RRR", sail = 3, rum = 3, copies = 1 } | ^{ id = "RRR", sail = 3, rum = 3, fabric = 1, gems = 1, copies = 1 }
            | three resources; a card has at most two
        { id = "RRR", sail = 3, rum = 3, copies = 1 } | ^{ id = "RRR", sail = 4, rum = 2, fabric = 1, copies = 1 }
            | card `RRR`: the same values as `RRF`
        "RRR", sail | ^"RRF", sail | card `RRF`: `id` is used above
        "RRR", sail | ^"rrf", sail | upper and lower case are alike
        "#,
    );
    let text = with("rum = 3, copies = 1", "rum = 3, copies = 9");
    says(&text, &["card `RRR`: `copies` is 9; allowed: 1 to 8", "39 cards; a deck has 32"]);
    let text = with("rum = 3, copies = 1", "rum = 3, copies = 2");
    says(&text, &["33 cards; a deck has 32"]);
    let text = with(r#"id = "RRR", sail"#, r#"name = "RRR", sail"#);
    says(&text, &["card 17: `id` is missing", "card 17: no field is called `name`"]);
}

#[test]
fn numbers_of_kinds() {
    let start = BUILTIN.find("card = [").unwrap();
    let end = start + BUILTIN[start..].find("\n]").unwrap();
    let none = format!("{}card = [{}", &BUILTIN[..start], &BUILTIN[end..]);
    let found = findings(&none);
    assert!(
        found.iter().any(|finding| finding.message.contains("0 kinds of cards; allowed: 1 to 24")),
        "{found:?}"
    );
    // What nothing can be paid with is not said of every island.
    assert_eq!(found.len(), 2, "{found:?}");
    let many: String = (0..25)
        .map(|n| format!("{{ id = \"k{n}\", sail = {}, rum = {}, copies = 1 }},", n % 13 + 1, n / 13))
        .collect();
    let many = format!("{}card = [{many}{}", &BUILTIN[..start], &BUILTIN[end..]);
    let found = findings(&many);
    assert!(found.iter().any(|finding| finding.message.contains("25 kinds of cards")), "{found:?}");
    // Twenty-four kinds are allowed, and make 277 actions at most.
    let some: String = (0..24)
        .map(|n| {
            format!(
                "{{ id = \"k{n}\", sail = {}, {} = {}, copies = {} }},",
                n % 8 + 1,
                ["rum", "fabric", "gems"][n / 8],
                1 + n % 4,
                if n < 8 { 2 } else { 1 }
            )
        })
        .collect();
    let some = format!("{}card = [{some}{}", &BUILTIN[..start], &BUILTIN[end..]);
    let table = configured(&json!({"content": some, "formation": "4x3"}));
    assert_eq!((table.game.info().num_actions, table.game.info().observation.size()), (277, 1035 + 6));
    let mut env = Env::new(table, 1);
    while let Some(player) = env.current_player() {
        let action = env.sample_action(player).unwrap();
        env.step(action.0.into()).unwrap();
    }
}

#[test]
fn islands_out_of_range() {
    refused(
        r#"
        points = 3, cards = 2, demand = [0, 2, 3], at = [1, 2] | points = ^9, cards = 2, demand = [0, 2, 3], at = [1, 2]
            | face `a5`: `points` is 9; allowed: 0 to 8
        points = 3, cards = 2, demand = [0, 2, 3], at = [1, 2] | points = 3, cards = ^-1, demand = [0, 2, 3], at = [1, 2]
            | `cards` is -1; allowed: 0 to 8
        points = 3, cards = 2, demand = [0, 2, 3], at = [1, 2] | points = 3, cards = 2, demand = [0, ^9, 3], at = [1, 2]
            | face `a5`: `demand`: 9; allowed: 0 to 8
        points = 3, cards = 2, demand = [0, 2, 3], at = [1, 2] | points = 3, cards = 2, demand = ^[0, 0, 0], at = [1, 2] | `demand` is 0/0/0
        points = 3, cards = 2, demand = [0, 2, 3], at = [1, 2] | points = 3, cards = 2, demand = ^[0, 2], at = [1, 2]
            | `demand`: 2 numbers; there are 3
        // Outside of the tile.
        points = 3, cards = 2, demand = [0, 2, 3], at = [1, 2] | points = 3, cards = 2, demand = [0, 2, 3], at = [^4, 2]
            | face `a5`: `at`: 4; allowed: 0 to 3
        points = 3, cards = 2, demand = [0, 2, 3], at = [1, 2] | points = 3, cards = 2, demand = [0, 2, 3], at = [1, ^3]
            | `at`: 3; allowed: 0 to 2
        name = "Gull Harbour" | name = ^"Turtle Cay" | face `a5`: `name` is used above
        id = "a5" | id = ^"a4" | face `a4`: `id` is used above
        set = "0", id = "a5" | set = ^"4", id = "a5" | face `a5`: `set` is `4`; allowed: 0, 1, 2, 3
        "#,
    );
}

#[test]
fn a_demand_that_no_deck_can_pay() {
    // A deck with few gems: an island that wants more than there are, found where it stands.
    let text = BUILTIN
        .replace("gems = 1", "fabric = 1")
        .replace("fabric = 1, fabric = 1", "fabric = 2")
        .replace("gems = 2", "fabric = 2");
    assert!(!findings(&text).is_empty());
    let cards = r#"card = [
    { id = "R", sail = 5, rum = 1, copies = 8 }, { id = "RR", sail = 4, rum = 2, copies = 8 },
    { id = "F", sail = 5, fabric = 2, copies = 8 }, { id = "W", sail = 6, copies = 6 },
    { id = "G", sail = 5, gems = 1, copies = 2 },"#;
    let start = BUILTIN.find("card = [").unwrap();
    let end = start + BUILTIN[start..].find("\n]").unwrap();
    let text = format!("{}{cards}{}", &BUILTIN[..start], &BUILTIN[end..]);
    let found = findings(&text);
    let island = found.iter().find(|finding| finding.message.contains("face `a5`")).unwrap();
    assert!(island.message.contains("`demand`: 3 gems are more than the 2 of a deck"), "{island}");
    let line = text.lines().nth(island.line - 1).unwrap();
    assert_eq!(&line[island.column - 1..=island.column - 1], "3", "{line}");
}

#[test]
fn wrong_numbers_of_faces() {
    let line = BUILTIN.lines().find(|line| line.contains(r#"id = "c3""#)).unwrap();
    says(&BUILTIN.replace(line, ""), &["set 2 has 11 faces; there are 12"]);
    let more = line.replace("c3", "c3b").replace("Whirl Cay", "Whirl Island");
    // Four Winds are allowed, thirteen faces are not.
    says(&BUILTIN.replace(line, &format!("{line}\n{more}")), &["set 2 has 13 faces; there are 12"]);
}

#[test]
fn abilities_and_colours() {
    refused(
        r#"
        ability = "wind" }, | ability = ^"storm" }, | face `c3`: `ability` is `storm`; allowed: exchange, minus_one
        at = [1, 2] }, | at = [1, 2], ability = ^"wind" }, | face `a5`: an ability in set 0, which has none
        colour = "coral" }, | colour = ^"red" }, | face `d0`: `colour` is `red`; allowed: coral, jade
        "#,
    );
    // Two Exchange islands in set 1 and two more in set 2 would meet in one game.
    let mut text = BUILTIN.to_string();
    for _ in 0..2 {
        text = text.replacen(r#"ability = "double_sail""#, r#"ability = "exchange""#, 1);
    }
    let found = findings(&text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].message.contains("face `c1`: more than 3 faces of sets 1 and 2 together have `exchange`"),
        "{}",
        found[0]
    );
    // Set 3 lies alone: three are allowed, four not.
    let with_ability = |ids: &[&str], ability: &str| {
        ids.iter().fold(BUILTIN.to_string(), |text, id| {
            text.replace(&format!("id = \"{id}\""), &format!("id = \"{id}\", ability = \"{ability}\""))
        })
    };
    for (ability, bounded) in [("exchange", true), ("plus_minus", true), ("wind", false)] {
        configured(&json!({"content": with_ability(&["d0", "d1", "d2"], ability)}));
        let four = with_ability(&["d0", "d1", "d2", "d3"], ability);
        if bounded {
            says(&four, &[&format!("face `d3`: more than 3 faces of set 3 have `{ability}`")]);
        } else {
            configured(&json!({"content": four}));
        }
    }
    let line = r#"demand = [1, 1, 1], at = [0, 0], colour = "coral" }"#;
    let text = with(line, r#"demand = [1, 1, 1], at = [0, 0] }"#);
    says(&text, &["face `d0`: no colour; set 3 has colours"]);
    let text = with(r#"colour = "jade" }"#, r#"colour = "coral" }"#);
    says(&text, &["more than 6 faces of set 3 are coral"]);
    let text = with(r#"colours = ["coral", "jade"]"#, r#"colours = ["coral", "jade", "pearl"]"#);
    says(&text, &["3 colours; at most 2"]);
    let text = with(r#"colours = ["coral", "jade"]"#, r#"colours = ["coral", "Coral"]"#);
    assert!(findings(&text)[0].message.contains("is used above"));
}

#[test]
fn names_that_cannot_be_shown() {
    let (card, island) = (r#""RRR", sail"#, r#"name = "Gull Harbour""#);
    refused(
        r#"
        "RRR", sail | ^"", sail | `id` is empty
        "RRR", sail | ^"ABCDEFGHIJKLMNOPQ", sail | `id` has 17 characters; at most 16
        "RRR", sail | ^"R ", sail | card `R `: `id` begins or ends with a space or holds a control character
        name = "Gull Harbour" | name = ^"" | face `a5`: `name` is empty
        name = "Gull Harbour" | name = ^"The Harbour of Seven Gull" | face `a5`: `name` has 25 characters; at most 24
        name = "Gull Harbour" | name = ^" Gull Harbour" | face `a5`: `name` begins or ends with a space
        name = "Gull Harbour" | name = ^"Gull\tHarbour" | or holds a control character
        "#,
    );
    let long = BUILTIN.replace("\"jade\"", "\"jade of the isles\"");
    says(&long, &["colours: a name has 17 characters; at most 16"]);
    // Characters are counted, not bytes.
    let text = with(island, r#"name = "Möwenhafen über dem Kühl""#);
    assert_eq!(configured(&json!({"content": text})).game.faces()[5].name.chars().count(), 24);
    let text = with(card, r#""RRRÄÖÜRRRÄÖÜRRRR", sail"#);
    assert_eq!(configured(&json!({"content": text})).game.kinds()[16].id.len(), 22);
}

#[test]
fn fields_missing_unknown_or_mistyped_all_at_once() {
    let text = BUILTIN
        .replacen("points = 1, cards = 2, demand = [1, 1, 1]", "points = \"1\", cards = 2, demand = 3", 1)
        .replacen("set = \"0\", id = \"a1\"", "id = \"a1\"", 1)
        .replacen("name = \"Palm Atoll\"", "name = 3", 1)
        .replacen("at = [0, 2] }", "at = [0, \"2\"], depth = 4 }", 1)
        .replacen("copies = 2", "copies = true", 1)
        .replacen("name = \"gravitix\"", "name = \"graphia\"", 1);
    says(
        &text,
        &[
            "`name` is `graphia`; a content of this game is called `gravitix`",
            "card `W`: `copies`: boolean instead of a whole number",
            "30 cards; a deck has 32",
            "face `a0`: `points`: string instead of a whole number",
            "face `a0`: `demand`: integer instead of a list",
            "face `a1`: `set` is missing",
            "face `a2`: `name`: integer instead of a text",
            "face `a3`: `at`: string instead of a whole number",
            "face `a3`: no field is called `depth`",
        ],
    );
    says(
        "name = \"gravitix\"\ncard = 3\nface = [7]\n",
        &["`card`: integer instead of a list", "face 1: integer instead of a table"],
    );
    assert_eq!(findings("name = \"gravitix\"\n").len(), 2, "card and face are missing");
}

#[test]
fn ability_and_colour_may_stand_on_one_island() {
    let line = r#"demand = [1, 1, 1], at = [0, 0], colour = "coral" }"#;
    let text = with(line, r#"demand = [1, 1, 1], at = [0, 0], colour = "coral", ability = "wind" }"#);
    let game = &configured(&json!({"content": text, "island_set": "3"})).game;
    assert_eq!((game.faces()[0].ability, game.faces()[0].colour), (Some(Ability::Wind), Some(0)));
    assert_eq!(game.info().content_name, "custom");
}

#[test]
fn more_islands_of_the_bounded_abilities_make_longer_games() {
    // Three of each of the four: 1178 decisions at most.
    let mut text = BUILTIN.to_string();
    for (from, to) in [
        ("double_sail", "exchange"),
        ("wind", "minus_one"),
        ("swap_two", "plus_two_each"),
        ("lose_card", "plus_minus"),
    ] {
        text = text.replacen(&format!("ability = \"{from}\""), &format!("ability = \"{to}\""), 1);
    }
    for players in [1, 2] {
        assert_eq!(configured(&json!({"content": text, "players": players})).game.info().max_decisions, 1178);
    }
}
