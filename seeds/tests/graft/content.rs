//! Content files: what may be authored, and every refusal with its line and column.

use crate::fixture::{CLAIM, CONTENT, NEAR, Position, SHIP, act, configured, legal_of, others_play, play};
use playmat_conformance::testing;
use playmat_core::env::Env;
use playmat_core::error::Finding;
use playmat_core::game::Game;
use playmat_core::prelude::{Action, Player, Show};
use playmat_graft::Graft;
use playmat_graft::state::Kind;
use serde_json::json;

/// What is found in a content text.
fn findings(text: &str) -> Vec<Finding> {
    testing::findings::<Graft>(text, &json!({}))
}

/// Asserts that the changes of a table to the default content are refused.
#[track_caller]
fn refused(table: &str) {
    testing::refused_changes::<Graft>(CONTENT, &json!({}), table);
}

#[test]
fn the_default_content_is_complete() {
    let game = configured(&json!({"players": 5})).game.clone();
    assert_eq!((game.kinds(), game.badges().len(), game.gold(), game.deck().total()), (44, 24, 11, 90));
    assert_eq!(game.types().len(), 7);
    assert!(CONTENT.contains("not the publisher's"));
}

#[test]
fn a_restriction_names_a_type_that_exists() {
    refused(
        r#"
        forbids = ["ore"] | forbids = [^"oar"] | no type is called `oar`; types: fruit, leaf
        forbids = ["ore"] | forbids = ["ore", ^"ore"] | `ore` is there twice
        forbids = ["ore"] | forbids = ^"ore" | instead of a list
        type = "leaf" | type = ^"leek" | no type is called `leek`
        "#,
    );
}

#[test]
fn copies_per_player_mark() {
    refused(
        r#"
        copies = [2, 1, 1] | copies = ^[2, 1] | 2 numbers; three are needed: unmarked, 4+, 5+
        copies = [2, 1, 1] | copies = [2, ^-1, 1] | -1; allowed: 0 to 15
        copies = [2, 1, 1] | copies = ^[0, 0, 0] | no copies: the card is in no deck
        copies = [2, 1, 1] | copies = ^[8, 8, 8] | 24 copies in all; at most 15
        copies = [2, 1, 1] | copies = [2, 1, ^1.5] | instead of a whole number
        "#,
    );
}

#[test]
fn decks_that_are_too_small_or_too_large() {
    // Nothing unmarked but one card: 15 cards are too few for the first hands of three, not of two.
    let marked = |text: &str, mark: usize, to: &str| -> String {
        let lines = text.lines().map(|line| match line.strip_prefix("copies = [") {
            Some(rest) => {
                let mut numbers: Vec<String> =
                    rest.trim_end_matches(']').split(", ").map(String::from).collect();
                numbers[mark] = to.into();
                format!("copies = [{}]", numbers.join(", "))
            }
            None => line.into(),
        });
        lines.collect::<Vec<String>>().join("\n")
    };
    let none = marked(&marked(CONTENT, 0, "0"), 1, "1");
    let found = findings(&none);
    assert!(
        found.iter().any(|f| f.message.contains("0 cards in all with 3 players; allowed: 15 to 98")),
        "{found:?}"
    );
    assert!(found.iter().all(|finding| finding.line > 0 && finding.column > 0));
    let many = marked(CONTENT, 2, "3");
    let found = findings(&many);
    assert!(
        found.iter().any(|f| f.message.contains("cards in all with 5 players; allowed: 25 to 160")),
        "{found:?}"
    );
    let many = marked(CONTENT, 0, "2");
    assert!(
        findings(&many)
            .iter()
            .any(|f| f.message.contains("88 cards in all with 2 players; allowed: 10 to 65"))
    );
}

#[test]
fn a_badge_that_nobody_can_meet() {
    refused(
        r#"
        needs = [{ count = "cards", min = 8 }] | needs = [^{ count = "cards", min = 33 }] | it needs 33
        needs = [{ count = "unique", min = 6 }] | needs = [^{ count = "unique", min = 8 }] | at some player counts a row holds at most 7
        needs = [{ count = { card = "z_coin" }, min = 1 }, { count = "cards", min = 5 }]
            | needs = [^{ count = { card = "z_coin" }, min = 3 }] | it needs 3
        // More of one type than there are cards, two needs that exclude each other, a parity that no count has.
        needs = [{ most = true, min = 4 }] | needs = [^{ most = true, min = 9 }] | nobody can meet it
        needs = [{ most = true, min = 4 }] | needs = ^[{ most = true, min = 4 }, { run = true, max = 1 }, { count = "cards", max = 6 }]
            | nobody can meet it
        needs = [{ run = true, min = 3 }] | needs = ^[{ run = true, min = 3 }, { count = "cards", max = 2 }] | nobody can meet it
        needs = [{ twins = true, min = 2 }, { count = "cards", parity = "even" }]
            | needs = [^{ twins = true, min = 3, max = 3, parity = "even" }] | nobody can meet it
        "#,
    );
    // Every Ration forbids Rations: two of them never lie in one row, but for a Z-Coin between.
    let mut text = String::new();
    for block in CONTENT.split("[[card]]") {
        let block = if block.contains("type = \"ration\"") {
            let start = block.find("forbids = [").unwrap();
            let end = start + block[start..].find(']').unwrap() + 1;
            format!("{}forbids = [\"ration\"]{}", &block[..start], &block[end..])
        } else {
            block.into()
        };
        text.push_str(if text.is_empty() { "" } else { "[[card]]" });
        text.push_str(&block);
    }
    assert_eq!(findings(&text), [], "a Z-Coin lifts it");
    let without = text.replace("effect = \"z_coin\"", "effect = \"none\"");
    let found = findings(&without);
    assert!(
        found.len() == 1 && found[0].message.contains("badge `provisions`: nobody can meet it"),
        "{found:?}"
    );
}

/// Needs of a badge that a legal row of the default deck meets, and that row.
const NEAR_MISSES: [(&str, &str); 8] = [
    (
        "{ most = true, parity = \"even\" }, { count = \"cards\", min = 3, max = 3 }, { count = \"unique\", max = 2 }",
        "moonberry moonberry silver_fern",
    ),
    (
        "{ run = true, parity = \"even\" }, { count = \"cards\", min = 3, max = 3 }",
        "moonberry moonberry silver_fern",
    ),
    (
        "{ run = true, parity = \"even\" }, { count = \"cards\", min = 5, max = 5 }, { twins = true, min = 1, max = 1 }",
        "comet_grape silver_fern slime_mold z_coin z_coin",
    ),
    (
        "{ twins = true, min = 2 }, { most = true, min = 2 }, { most = true, min = 2, max = 3 }, { most = true, min = 3, max = 4 }",
        "moonberry moonberry comet_grape",
    ),
    (
        "{ count = { card = \"moonberry\" }, parity = \"even\", min = 1 }, { count = \"cards\", max = 3 }, { run = true, parity = \"even\" }",
        "moonberry moonberry",
    ),
    (
        "{ count = \"unique\", min = 2 }, { most = true, min = 2, parity = \"odd\" }, { most = true, min = 2, parity = \"odd\" }",
        "moonberry moonberry comet_grape silver_fern",
    ),
    ("{ most = true, max = 4 }, { most = true, parity = \"odd\" }", "comet_grape"),
    (
        "{ run = true, min = 2, parity = \"even\" }, { most = true, min = 3, max = 3 }, { twins = true, min = 1, max = 1 }",
        "moonberry moonberry silver_fern comet_grape",
    ),
];

#[test]
fn a_badge_that_only_a_special_row_meets() {
    let plain = "needs = [{ count = \"cards\", min = 8 }]";
    for (needs, cards) in NEAR_MISSES {
        let text = CONTENT.replacen(plain, &format!("needs = [{needs}]"), 1);
        assert_eq!(findings(&text), [], "{needs}");
        let position = Position::of(3, 4).badges(NEAR);
        let env = position.option("content", text).row(0, cards).load();
        assert_eq!(env.state().rows[0].met & 1, 1, "{needs}: {cards}");
    }
    // One card more or less, and nobody meets them.
    refused(
        r#"
        needs = [{ count = "cards", min = 8 }]
            | needs = ^[{ most = true, max = 4, parity = "odd" }, { most = true, min = 2 }, { count = "cards", max = 2 }]
            | nobody can meet it
        needs = [{ count = "cards", min = 8 }] | needs = ^[{ run = true, min = 2, parity = "even" }, { twins = true, max = 0 }]
            | nobody can meet it
        needs = [{ count = "cards", min = 8 }] | needs = [^{ count = { card = "honeyfig" }, min = 1, parity = "even" }]
            | it needs 2, and at some player counts a row holds at most 1
        needs = [{ count = "cards", min = 8 }]
            | needs = ^[{ count = { card = "moonberry" }, min = 1 }, { count = { card = "moonberry" }, parity = "odd" }, { count = ["fruit"], max = 0 }]
            | nobody can meet it
        "#,
    );
}

#[test]
fn a_scoring_cycle() {
    // Honeyfig counts Honeybugs; a Honeybug that counts Honeyfigs closes the circle, reported at its first card.
    let honeybug = "copies = [2, 1, 0]\nscore = [{ points = 2, per = { count = [\"fruit\"] } }]";
    let closed = "copies = [2, 1, 0]\nscore = [{ points = 2, per = { count = { card = \"honeyfig\" } } }]";
    let found = findings(&CONTENT.replacen(honeybug, closed, 1));
    let line = CONTENT.lines().position(|line| line.contains("card = \"honeybug\"")).unwrap() + 1;
    let column = CONTENT.lines().nth(line - 1).unwrap().find("\"honeybug\"").unwrap() + 1;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].line, found[0].column), (line, column));
    assert!(found[0].message.contains("a scoring cycle: honeyfig -> honeybug -> honeyfig"), "{found:?}");
    // Three cards: Truffle names Rootling, Rootling names Beacon, Beacon names Truffle.
    let text = CONTENT
        .replacen(
            "score = [{ points = 4, if = { count = [\"fungus\"], in = \"next\", min = 1 }, else = 1 }]",
            "score = [{ points = 4, if = { count = { card = \"beacon\" }, min = 1 } }]",
            1,
        )
        .replacen(
            "{ count = { card = \"z_coin\" }, min = 1 }, else = 1 }]",
            "{ count = { card = \"truffle\" }, min = 1 }, else = 1 }]",
            1,
        );
    let found = findings(&text);
    assert!(
        found.len() == 1 && found[0].message.contains("truffle -> rootling -> beacon -> truffle"),
        "{found:?}"
    );
}

#[test]
fn a_kind_may_count_its_own_copies() {
    // Moonberries that count Moonberries: two of them score 2 x 2 points each.
    let moonberry = "score = [{ points = 2, per = { count = [\"fruit\"] } }]";
    let own = "score = [{ points = 2, per = { count = { card = \"moonberry\" } } }]";
    let text = CONTENT.replacen(moonberry, own, 1);
    assert_eq!(findings(&text), []);
    let env = Position::of(3, 4).option("content", text).row(0, "moonberry moonberry").load();
    assert_eq!(env.state().rows[0].score, 8);
}

#[test]
fn words_that_mean_something_already() {
    refused(
        r#"
        id = "moonberry" | id = ^"ship" | `id` is `ship`, which means the ship card in positions
        id = "moonberry" | id = ^"Ship" | `id` is `ship`
        name = "Moonberry" | name = ^"The Ship Card" | `name` is `the ship card`, which means the action `play the ship card`
        id = "even_load" | id = ^"nothing" | `id` is `nothing`, which means claiming nothing in positions
        name = "Even Load" | name = ^"Nothing" | `name` is `nothing`, which means the action `claim nothing`
        name = "Even Load" | name = ^"Slot 4" | `name` is `slot 4`, which means the action `claim slot 4`
        "#,
    );
    // Each is a word of its own list alone.
    let elsewhere = CONTENT
        .replacen("id = \"even_load\"", "id = \"ship\"", 1)
        .replacen("name = \"Even Load\"", "name = \"the ship card\"", 1)
        .replacen("name = \"Moonberry\"", "name = \"Slot 4\"", 1);
    assert_eq!(findings(&elsewhere), []);
}

#[test]
fn texts_of_actions_distinguish_all_cards_and_badges() {
    // Every text that an action has without names, and every word of a text, as the name of a card or a badge: what the
    // content accepts comes back from its text.
    let game = configured(&json!({})).game.clone();
    let texts: Vec<String> =
        (0..game.info().num_actions as u16).map(|action| game.action_text(None, Action(action))).collect();
    let mut words: Vec<&str> = Vec::new();
    for text in &texts[44..] {
        words.extend(text.match_indices(' ').map(|(at, _)| &text[at + 1..]));
        words.extend([text.as_str()].into_iter().chain(text.split(' ')));
    }
    words.sort_unstable();
    words.dedup();
    let mut refused = 0;
    for word in words {
        for (from, to) in
            [("name = \"Moonberry\"", "Moonberry"), ("name = \"Full Manifest\"", "Full Manifest")]
        {
            let text = CONTENT.replacen(from, &from.replace(to, word), 1);
            if !findings(&text).is_empty() {
                refused += 1;
                continue;
            }
            let mut env = Position::of(3, 3)
                .option("content", text)
                .badges(NEAR)
                .row(0, "comet_grape honeyfig silver_fern slime_mold rootling snack_pack recycle")
                .hand(0, "moonberry geode energy_bar")
                .load();
            let tell = |env: &Env<Graft>| {
                for &action in &legal_of(env, 0) {
                    let said = env.action_text(Some(Player(0)), action.into()).unwrap();
                    let back = env.parse_action(Some(Player(0)), &said).unwrap();
                    assert_eq!(back, Action(action), "{said}");
                }
            };
            tell(&env);
            act(&mut env, 0, SHIP);
            others_play(&mut env);
            tell(&env);
            play(&mut env, 0, "geode");
            assert!(legal_of(&env, 0).contains(&CLAIM), "{word}");
            tell(&env);
        }
    }
    assert_eq!(refused, 7, "the ship card; nothing, slot 0 to slot 4");
}

#[test]
fn bounds_and_words_of_the_grammar() {
    // The condition of the Geode, which other cards have too.
    let geode = "if = { count = \"cards\", parity = \"even\" }, else = 1 }]\n\n[[card]]\nid = \"salt_block\"";
    assert!(CONTENT.contains(geode));
    let marked =
        CONTENT.replacen(geode, &geode.replace("if = { count = \"cards\", parity = \"even\" }", "GEODE"), 1);
    testing::refused_changes::<Graft>(
        &marked,
        &json!({}),
        r#"
        GEODE | if = { count = "cards", min = ^4, max = 2 } | `min` is 4, above `max`, which is 2
        GEODE | if = ^{ count = "cards" } | it always holds
        GEODE | if = { count = "cards", parity = ^"evn" } | `evn` (did you mean `even`?); allowed: even, odd
        GEODE | if = { count = ^"card", min = 1 } | `card` (did you mean `cards`?); allowed: cards, unique
        GEODE | if = { count = ^[], min = 1 } | an empty list counts nothing
        GEODE | if = { count = "cards", in = ^"lft", min = 1 } | `lft` (did you mean `left`?); allowed: row, left, right, next
        GEODE | if = { count = "cards", min = ^300 } | 300; allowed: 0 to 255
        GEODE | if = { count = { card = ^"geod" }, min = 1 } | no card is called `geod`
        "#,
    );
    refused(
        r#"
        { points = 3, per = { count = ["ration"] } } | ^{ points = 3, else = 1 } | `else` without `if`
        { points = 3, per = { count = ["ration"] } } | { points = ^21 } | 21; allowed: -20 to 20
        { points = 3, per = { count = ["ration"] } } | { ^pionts = 3 } | no field is called `pionts`
        score = [{ points = 3, per = { count = ["ration"] } }] | score = ^[{ points = 1 }, { points = 1 }, { points = 1 }]
            | 3 clauses; at most 2
        effect = "replant" | effect = ^"repant" | `repant` (did you mean `replant`?); allowed: none, energy_bar
        "#,
    );
}

#[test]
fn badges_and_their_tiers() {
    refused(
        r#"
        needs = [{ run = true, min = 3 }] | needs = ^[] | 0 needs; allowed: 1 to 4
        needs = [{ run = true, min = 3 }] | needs = [{ run = ^3, min = 3 }] | only `true` is allowed
        needs = [{ run = true, min = 3 }] | needs = [^{ run = true, most = true, min = 3 }] | most and run of count
        needs = [{ run = true, min = 3 }] | needs = [^{ min = 3 }] | none of count, adjacent
        needs = [{ adjacent = [["critter"], ["gadget"]], min = 1 }] | needs = [{ adjacent = ^[["critter"]], min = 1 }]
            | 1 lists of types; two are needed
        low = 5 | low = ^9 | `low` is 9; it must be below `high`, which is 9
        high = 9 | high = ^51 | 51; allowed: 1 to 50
        tier = "gold" | tier = ^"bronze" | `bronze`; allowed: gold, silver
        "#,
    );
    let found = findings(&CONTENT.replacen("tier = \"gold\"", "tier = \"silver\"", 1));
    assert!(
        found.iter().any(|f| f.message.contains("a gold badge after a silver one") && f.line > 0),
        "{found:?}"
    );
}

#[test]
fn names_lists_and_types() {
    refused(
        r##"
        id = "comet_grape" | id = ^"Moonberry" | `id` is used by an entry above
        name = "Comet Grape" | name = ^"moonberry" | `name` is used by an entry above
        name = "Comet Grape" | name = ^"" | `name` has 0 characters; allowed: 1 to 24
        letter = "L" | letter = ^"F" | `letter` is used by an entry above
        letter = "L" | letter = ^"LL" | one letter or digit
        color = "#4c9a4e" | color = ^"green" | `#` and six hexadecimal digits
        name = "graft" | name = ^"graphia" | a content of this game is called `graft`
        "##,
    );
    let found = findings(
        "name = \"graft\"\n[[type]]\nid = \"a\"\nname = \"A\"\nletter = \"A\"\ncolor = \"#000000\"\n",
    );
    assert!(
        found.iter().any(|f| f.message.contains("1 entries of `type`; allowed: 2 to 8") && f.line == 2),
        "{found:?}"
    );
    assert!(found.iter().any(|f| f.message.contains("`card` is missing")));
    let found = findings("name = [\n");
    assert!(!found.is_empty() && found[0].line == 1, "{found:?}");
}

#[test]
fn all_findings_come_at_once_in_the_order_of_the_file() {
    let text = CONTENT
        .replacen("forbids = [\"ore\"]", "forbids = [\"oar\"]", 1)
        .replacen("copies = [1, 1, 0]", "copies = [1, 1]", 1)
        .replacen("tier = \"gold\"", "tier = \"bronze\"", 1);
    let found = findings(&text);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found.is_sorted_by_key(|finding| (finding.line, finding.column)));
}

#[test]
fn a_designer_adds_a_card_and_a_badge_without_touching_rust() {
    let card = "[[card]]\nid = \"moss_lamp\"\nname = \"Moss Lamp\"\ntype = \"gadget\"\nforbids = [\"ore\"]\ncopies = [1, 0, 0]\nscore = [{ points = 4, if = { count = { card = \"lantern_moss\" }, min = 1 }, else = -1 }]\n\n[[badge]]\nid = \"full_manifest\"";
    let badge = "[[badge]]\nid = \"lit_up\"\nname = \"Lit Up\"\ntier = \"silver\"\nhigh = 7\nlow = 3\nneeds = [{ count = { card = \"moss_lamp\" }, min = 1 }, { count = \"cards\", min = 2 }]\n";
    let text = format!("{}\n{badge}", CONTENT.replacen("[[badge]]\nid = \"full_manifest\"", card, 1));
    let mut env = Position::of(3, 4)
        .option("content", text)
        .badges("full_manifest grand_tour mixed_crate hard_currency lit_up")
        .row(0, "lantern_moss")
        .hand(0, "moss_lamp")
        .load();
    let game = env.configured().game.clone();
    assert_eq!(
        (game.kinds(), game.info().num_actions, game.text(Kind(44)).name.as_str()),
        (45, 54, "Moss Lamp")
    );
    play(&mut env, 0, "moss_lamp");
    others_play(&mut env);
    assert_eq!((env.state().rows[0].score, env.state().rows[0].met), (2 + 4, 0b10000));
}
