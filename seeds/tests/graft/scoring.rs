//! Scores and badges against a reading of the content file that walks rows card by card (GR-R20, R21, Q12).

use crate::fixture::{CONTENT, Position, configured, visit};
use playmat_core::prelude::Rng;
use playmat_graft::Graft;
use playmat_graft::state::{Kind, Row};
use serde_json::json;
use toml::{Table, Value};

/// A content as plain TOML tables.
pub(crate) struct Oracle {
    cards: Vec<Table>,
    badges: Vec<Table>,
}

impl Oracle {
    fn new() -> Oracle {
        Oracle::of(CONTENT)
    }

    pub(crate) fn of(content: &str) -> Oracle {
        let content = content.parse::<Table>().unwrap();
        let list = |name: &str| -> Vec<Table> {
            content[name].as_array().unwrap().iter().map(|entry| entry.as_table().unwrap().clone()).collect()
        };
        Oracle { cards: list("card"), badges: list("badge") }
    }

    fn id(&self, kind: usize) -> &str {
        self.cards[kind]["id"].as_str().unwrap()
    }

    fn ty(&self, kind: usize) -> &str {
        self.cards[kind]["type"].as_str().unwrap()
    }

    fn is(&self, kind: usize, types: &Value) -> bool {
        types.as_array().unwrap().iter().any(|ty| ty.as_str() == Some(self.ty(kind)))
    }

    /// `count` of the grammar over some cards.
    fn count(&self, what: &Value, cards: &[usize]) -> i64 {
        match what {
            Value::Array(_) => cards.iter().filter(|&&kind| self.is(kind, what)).count() as i64,
            Value::Table(named) => {
                cards.iter().filter(|&&kind| Some(self.id(kind)) == named["card"].as_str()).count() as i64
            }
            _ if what.as_str() == Some("cards") => cards.len() as i64,
            _ => {
                let mut types: Vec<&str> = cards.iter().map(|&kind| self.ty(kind)).collect();
                types.sort_unstable();
                types.dedup();
                types.len() as i64
            }
        }
    }

    fn holds(&self, count: i64, test: &Table) -> bool {
        let limit = |name: &str, default| test.get(name).and_then(Value::as_integer).unwrap_or(default);
        let parity = match test.get("parity").and_then(Value::as_str) {
            None => true,
            Some("even") => count % 2 == 0,
            Some(_) => count % 2 == 1,
        };
        count >= limit("min", 0) && count <= limit("max", 255) && parity
    }

    fn region<'r>(&self, counter: &Table, row: &'r [usize], at: usize) -> &'r [usize] {
        match counter.get("in").and_then(Value::as_str).unwrap_or("row") {
            "row" => row,
            "left" => &row[..at],
            "right" => &row[at + 1..],
            _ => &row[at + 1..row.len().min(at + 2)],
        }
    }

    pub(crate) fn score(&self, row: &[usize]) -> i64 {
        let mut sum = 0;
        for (at, &kind) in row.iter().enumerate() {
            for clause in self.cards[kind]["score"].as_array().unwrap() {
                let clause = clause.as_table().unwrap();
                let value = |counter: &Table| self.count(&counter["count"], self.region(counter, row, at));
                let times = clause.get("per").map_or(1, |per| value(per.as_table().unwrap()));
                let holds = clause.get("if").is_none_or(|test| {
                    let test = test.as_table().unwrap();
                    self.holds(value(test), test)
                });
                let other = clause.get("else").and_then(Value::as_integer).unwrap_or(0);
                sum += if holds { clause["points"].as_integer().unwrap() * times } else { other };
            }
        }
        sum
    }

    pub(crate) fn meets(&self, badge: usize, row: &[usize]) -> bool {
        let pairs = || row.windows(2);
        let twins = || pairs().filter(|pair| self.ty(pair[0]) == self.ty(pair[1])).count() as i64;
        let needs = self.badges[badge]["needs"].as_array().unwrap();
        !row.is_empty()
            && needs.iter().all(|need| {
                let need = need.as_table().unwrap();
                let value = if let Some(what) = need.get("count") {
                    self.count(what, row)
                } else if let Some(sets) = need.get("adjacent") {
                    let (a, b) = (&sets[0], &sets[1]);
                    let near = |x: usize, y: usize| self.is(x, a) && self.is(y, b);
                    pairs().filter(|pair| near(pair[0], pair[1]) || near(pair[1], pair[0])).count() as i64
                } else if need.contains_key("most") {
                    row.iter()
                        .map(|&k| row.iter().filter(|&&o| self.ty(o) == self.ty(k)).count())
                        .max()
                        .unwrap() as i64
                } else if need.contains_key("run") {
                    let mut best = 1;
                    let mut run = 1;
                    for pair in pairs() {
                        run = if self.ty(pair[0]) == self.ty(pair[1]) { run + 1 } else { 1 };
                        best = best.max(run);
                    }
                    best
                } else {
                    twins()
                };
                self.holds(value, need)
            })
    }
}

/// A row of these kinds, through the loader of positions if it is legal, else only its score.
fn row_of(game: &Graft, kinds: &[usize], slots: [u8; 5]) -> Row {
    game.row(&kinds.iter().map(|&kind| Kind(kind as u8)).collect::<Vec<_>>(), &slots)
}

#[test]
fn gr_r20_r20m_r21_scores_and_badges_are_those_of_a_plain_reading() {
    let (oracle, game) = (Oracle::new(), configured(&json!({})).game.clone());
    let mut draws = Rng::from_seed(4);
    let (mut met, mut scored) = ([0; 24], 0);
    for round in 0..40_000 {
        let length = 1 + draws.below(10) as usize;
        // Short alphabets make badges of one type.
        let from = if round % 3 == 0 { draws.below(38) } else { 0 };
        let width = if round % 3 == 0 { 6 } else { 44 };
        let row: Vec<usize> = (0..length).map(|_| (from + draws.below(width)) as usize).collect();
        let gold = draws.below(10) as u8;
        let silver = 11 + draws.below(11) as u8;
        let slots = [gold, gold + 1, silver, silver + 1, silver + 2];
        let own = row_of(&game, &row, slots);
        assert_eq!(i64::from(own.score), oracle.score(&row), "{row:?}");
        scored += own.score;
        for (slot, &badge) in slots.iter().enumerate() {
            let meets = oracle.meets(badge.into(), &row);
            assert_eq!(own.met >> slot & 1 != 0, meets, "{row:?} {}", game.badge_text(badge).id);
            met[usize::from(badge)] += u32::from(meets);
        }
    }
    assert!(scored > 0 && met.iter().all(|&count| count > 20), "{met:?}");
}

#[test]
fn gr_r20_the_default_content_uses_every_icon_twice() {
    let game = configured(&json!({})).game.clone();
    let all: Vec<&str> = (0..44u8).flat_map(|kind| game.text(Kind(kind)).icons.concat()).collect();
    for icon in [
        "points",
        "cards",
        "types",
        "left",
        "right",
        "specific card",
        "or",
        "if",
        "unique",
        "multiply",
        "next",
        "even",
    ] {
        assert!(all.iter().filter(|&&other| other == icon).count() >= 2, "{icon}");
    }
}

#[test]
fn gr_r20l_q12_regions_and_the_card_itself() {
    let score = |cards: &str| Position::of(3, 5).row(0, cards).load().state().rows[0].score;
    assert_eq!(score("lantern_moss"), 2, "in the row a card counts itself");
    assert_eq!(score("swarm_mite"), 0, "to the right of it is nothing");
    assert_eq!(score("swarm_mite honeybug rootling"), 3 * 2 + 1, "only what is right of it");
    assert_eq!(score("star_plum"), 1, "next to the last card is nothing");
    assert_eq!(score("star_plum rootling"), 5 + 1);
    assert_eq!(score("creeping_vine"), 0);
}

#[test]
fn gr_r20m_a_card_to_the_right_can_come_later() {
    let mut env = Position::of(3, 5).row(0, "beacon").hand(0, "z_coin").load();
    assert_eq!(env.state().rows[0].score, 1);
    crate::fixture::play(&mut env, 0, "z_coin");
    crate::fixture::others_play(&mut env);
    assert_eq!(env.state().rows[0].score, 6 + 1);
}

#[test]
fn gr_r21_r21a_reversing_a_row_never_changes_what_it_meets() {
    let game = configured(&json!({})).game.clone();
    let mut draws = Rng::from_seed(9);
    for _ in 0..4000 {
        let mut row: Vec<usize> = (0..1 + draws.below(9)).map(|_| draws.below(44) as usize).collect();
        let slots = [
            draws.below(5) as u8,
            5 + draws.below(6) as u8,
            11 + draws.below(4) as u8,
            15 + draws.below(4) as u8,
            19 + draws.below(5) as u8,
        ];
        let met = row_of(&game, &row, slots).met;
        row.reverse();
        assert_eq!(row_of(&game, &row, slots).met, met);
    }
}

#[test]
fn rows_in_play_score_what_a_plain_reading_gives() {
    let oracle = Oracle::new();
    let mut rows = 0;
    for players in 2..=5 {
        visit(&json!({"players": players}), players, 60, |_, state| {
            for row in &state.rows[..players as usize] {
                let kinds: Vec<usize> = row.codes().iter().map(|&code| usize::from(code) - 1).collect();
                assert_eq!(i64::from(row.score), oracle.score(&kinds));
                rows += usize::from(row.len > 2);
            }
        });
    }
    assert!(rows > 100, "{rows}");
}
