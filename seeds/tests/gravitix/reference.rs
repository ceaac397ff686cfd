//! Scores, winners and legal actions a second time: slow and plain, by the rules page, from the JSON of a position and the content alone.
//! `payment_reference.rs` does the same for payments.

use crate::fixture::{legal_texts, seen, variants, visit_episode};
use playmat_core::game::Status;
use playmat_core::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Strip and k.
type Place = (i64, i64);

/// The rules, but for one that is left out: a test shows that each is missed.
struct Reference {
    options: Value,
    content: Value,
    cells: BTreeSet<Place>,
    without: &'static str,
}

impl Reference {
    fn new(options: &Value, without: &'static str) -> Reference {
        let content = toml::from_str(include_str!("../../content/gravitix.toml")).unwrap();
        let mut reference = Reference { options: options.clone(), content, cells: BTreeSet::new(), without };
        reference.cells = reference.all_cells();
        reference
    }

    fn has(&self, rule: &str) -> bool {
        self.without != rule
    }

    fn entry(&self, list: &str, id: &Value) -> &Value {
        self.content[list].as_array().unwrap().iter().find(|entry| entry["id"] == *id).unwrap()
    }

    /// Columns and rows.
    fn size(&self) -> Place {
        let (columns, rows) = self.options["formation"].as_str().unwrap().split_once('x').unwrap();
        (columns.parse().unwrap(), rows.parse().unwrap())
    }

    /// Strip and triangle where the tile of a slot begins (GX-R1d, R1g).
    fn corner(&self, slot: i64) -> Place {
        let (row, column) = (slot / self.size().0, slot % self.size().0);
        (4 * row + 2 * (column % 2), 4 * column)
    }

    /// GX-R1c, R1e: a tile has three whole triangles in each strip and half of one at either border; two halves make a cell.
    fn all_cells(&self) -> BTreeSet<Place> {
        let mut halves: BTreeMap<Place, u32> = BTreeMap::new();
        for slot in 0..12 {
            let (bottom, left) = self.corner(slot);
            for strip in bottom..bottom + 4 {
                (left..left + 3).for_each(|k| *halves.entry((strip, k)).or_default() += 2);
                [left - 1, left + 3].into_iter().for_each(|k| *halves.entry((strip, k)).or_default() += 1);
            }
        }
        halves.into_iter().filter(|(_, halves)| *halves == 2).map(|(cell, _)| cell).collect()
    }

    /// GX-R1b, R1h: cells at most so many steps away, found step by step.
    fn within(&self, from: Place, steps: i64) -> BTreeSet<Place> {
        let mut found = BTreeSet::from([from]);
        let mut edge = vec![from];
        for _ in 0..steps {
            let near =
                |(s, k): Place| [(s, k - 1), (s, k + 1), (if (s + k) % 2 == 0 { s - 1 } else { s + 1 }, k)];
            let next: Vec<Place> = edge.into_iter().flat_map(near).collect();
            edge = next.into_iter().filter(|cell| self.cells.contains(cell) && found.insert(*cell)).collect();
        }
        found
    }

    /// GX-R1f: the cell of a slot's island.
    fn island(&self, json: &Value, slot: usize) -> Place {
        let island = &json["islands"][slot];
        let (mut s, mut k) = place(&self.entry("face", &island["face"])["at"]);
        if island["turned"] == true {
            (s, k) = (3 - s, 2 - k);
        }
        let (bottom, left) = self.corner(slot as i64);
        (bottom + s, left + k)
    }

    /// GX-R3, R3a: the empty cells of the bottom row nearest to the centre line.
    fn starts(&self, json: &Value, other: Option<Place>) -> BTreeSet<String> {
        let islands: Vec<Place> = (0..12).map(|slot| self.island(json, slot)).collect();
        let is_empty = |cell: &Place| !islands.contains(cell) && Some(*cell) != other;
        let free: Vec<i64> =
            self.cells.iter().filter(|cell| cell.0 == 0 && is_empty(cell)).map(|cell| cell.1).collect();
        let away = |k: i64| (k + 1 - 2 * self.size().0).abs();
        let nearest = free.iter().map(|&k| away(k)).min();
        let starts = free.into_iter().filter(|&k| Some(away(k)) == nearest || !self.has("GX-R3a"));
        starts.map(|k| format!("go 0:{k}")).collect()
    }

    /// GX-R9, R21b: the score of each player.
    fn scores(&self, json: &Value) -> Vec<i64> {
        let islands = json["islands"].as_array().unwrap();
        if self.options["players"] == 1 {
            let marked = islands.iter().filter(|island| !island["owner"].is_null()).count() as i64;
            let solved = json["phase"] == "end" && marked == 12 && self.has("GX-R21b");
            return vec![marked + if solved { 64 - cards(&json["discards"][0]) } else { 0 }];
        }
        let score = |player: usize| {
            let (mut points, mut colours) = (0, BTreeMap::new());
            for island in islands.iter().filter(|island| island["owner"] == player) {
                let face = self.entry("face", &island["face"]);
                let times = if island["doubled"] == true && self.has("GX-R20") { 2 } else { 1 };
                points += times * face["points"].as_i64().unwrap();
                if let Some(colour) = face["colour"].as_str() {
                    // GX-Q15: doubled or not.
                    *colours.entry(colour).or_insert(0) += 1;
                }
            }
            let triangles = colours.values().map(|n| n * (n + 1) / 2).sum::<i64>();
            points + if self.has("GX-R9") { triangles } else { 0 }
        };
        vec![score(0), score(1)]
    }

    /// GX-R9, R21b: who has won when the game is over.
    fn winners(&self, json: &Value) -> Vec<usize> {
        let scores = self.scores(json);
        if scores.len() == 1 {
            let solved = json["islands"].as_array().unwrap().iter().all(|island| !island["owner"].is_null());
            return if solved { vec![0] } else { Vec::new() };
        }
        let unused = |player: usize| cards(&json["hands"][player]) + cards(&json["decks"][player]);
        let rank = |player: usize| (scores[player], if self.has("tie") { unused(player) } else { 0 });
        let best = [0, 1].map(rank).into_iter().max();
        [0, 1].into_iter().filter(|&player| Some(rank(player)) == best).collect()
    }

    /// The legal actions, but for those of a payment.
    fn legal(&self, json: &Value) -> Option<BTreeSet<String>> {
        let turn = json["turn"].as_u64().unwrap() as usize;
        let ship = |player: usize| json["ships"].get(player).filter(|ship| !ship.is_null()).map(place);
        let (own, other) = (ship(turn), ship(1 - turn));
        let of = |word: &str, player: usize| -> BTreeSet<String> {
            json["hands"][player].as_object().unwrap().keys().map(|id| format!("{word} {id}")).collect()
        };
        let apart = self.options["ships"] != "share" && self.has("GX-R5a");
        let go = |cells: BTreeSet<Place>, not: Option<Place>| -> BTreeSet<String> {
            let free = cells.into_iter().filter(|cell| !apart || Some(*cell) != not);
            free.map(|(s, k)| format!("go {s}:{k}")).collect()
        };
        let mut legal = match json["phase"].as_str().unwrap() {
            "start" => self.starts(json, other),
            "turn" => of("sail", turn),
            "move" => go(self.within(own.unwrap(), json["range"].as_i64().unwrap()), other),
            "lose" => of("discard", 1 - turn),
            "swap" => of("discard", turn),
            "wind" => {
                let at = other.unwrap();
                let mut cells = self.within(at, if self.has("GX-R19a") { 2 } else { 1 });
                cells.remove(&at);
                go(cells, own)
            }
            _ => return None,
        };
        // GX-R7, R22: from a deck that has cards, not in hard mode.
        let hard = self.options["hard"] == true && self.has("GX-R22");
        if json["phase"] == "turn" && !hard && cards(&json["decks"][turn]) > 0 {
            legal.insert("take".into());
        }
        // GX-Q8: a swap until it has begun, the wind always.
        let begun = json["swap_left"] == 1 && self.has("GX-Q8");
        if json["phase"] == "wind" || (json["phase"] == "swap" && !begun) {
            legal.insert("decline".into());
        }
        Some(legal)
    }

    /// GX-R5, R16: how far a card sails from here.
    fn range(&self, json: &Value, card: &str) -> i64 {
        let turn = json["turn"].as_u64().unwrap() as usize;
        let doubles = (0..12).any(|slot| {
            let island = &json["islands"][slot];
            (island["owner"] == turn || !self.has("GX-Q7"))
                && self.entry("face", &island["face"])["ability"] == "double_sail"
                && self.island(json, slot) == place(&json["ships"][turn])
        });
        let sail = self.entry("card", &card.into())["sail"].as_i64().unwrap();
        if doubles && self.has("GX-R16") { 2 * sail } else { sail }
    }

    /// What the engine says otherwise of a position and of the way there.
    fn differences(&self, now: &Position, before: Option<&Position>) -> Vec<String> {
        let mut found = Vec::new();
        let mut same = |what: &str, engine: &Value, own: Value| {
            if *engine != own {
                found.push(format!("{what}: engine {engine}, reference {own}: {}", now.json));
            }
        };
        same("scores", &now.scores, self.scores(&now.json).into());
        for slot in 0..12 {
            let (s, k) = self.island(&now.json, slot);
            same("island", &now.json["islands"][slot]["cell"], json!([s, k]));
        }
        match self.legal(&now.json) {
            Some(legal) => same("legal actions", &now.legal, json!(legal)),
            None if now.json["phase"] == "end" => {
                same("winners", &now.winners, json!(self.winners(&now.json)));
            }
            None => {}
        }
        let Some(before) = before.filter(|before| before.json["phase"] == "turn") else { return found };
        let turn = before.json["turn"].as_u64().unwrap() as usize;
        if now.json["phase"] == "move" && now.json["turn"] == before.json["turn"] {
            if let Some(card) = now.last.strip_prefix("sail ") {
                same("range", &now.json["range"], self.range(&before.json, card).into());
            }
        } else if now.last == "take" && now.json["phase"] == "turn" && now.json["turn"] != turn {
            let most = if self.has("GX-R7") { 2 } else { 1 };
            let taken = cards(&before.json["decks"][turn]).min(most);
            let hand = cards(&now.json["hands"][turn]);
            same("hand after taking", &hand.into(), (cards(&before.json["hands"][turn]) + taken).into());
        }
        found
    }
}

fn place(json: &Value) -> Place {
    (json[0].as_i64().unwrap(), json[1].as_i64().unwrap())
}

/// Number of cards of a zone.
fn cards(zone: &Value) -> i64 {
    zone.as_object().unwrap().values().map(|count| count.as_i64().unwrap()).sum()
}

/// A position of play: what the engine says of it, and the action that led to it.
struct Position {
    json: Value,
    scores: Value,
    legal: Value,
    winners: Value,
    last: String,
}

/// The positions of an episode, one after the other.
fn visit(options: &Value, seed: u64, greedy: u32, mut show: impl FnMut(&Position, Option<&Position>)) {
    let mut before: Option<Position> = None;
    visit_episode(options, seed, greedy, |env| {
        let game = &env.configured().game;
        let is_over = env.status() != Status::Running;
        let legal: BTreeSet<String> =
            if is_over { BTreeSet::new() } else { legal_texts(env).into_iter().collect() };
        let winners: Vec<u8> = if is_over {
            game.winners(env.state()).iter().map(|player| player.0).collect()
        } else {
            Vec::new()
        };
        let last = env.history().last().map(|(_, action)| game.action_text(None, *action));
        let now = Position {
            json: seen(env, None),
            scores: env.scores()[..game.players()].to_vec().into(),
            legal: json!(legal),
            winners: json!(winners),
            last: last.unwrap_or_default(),
        };
        show(&now, before.as_ref());
        before = Some(now);
    });
}

/// Options of every kind with every formation and set; every third of them lets ships share a cell.
fn configurations() -> impl Iterator<Item = (u64, Value)> {
    let shares = |(seed, mut options): (u64, Value)| {
        if options["players"] == 2 && seed % 3 == 0 {
            options["ships"] = "share".into();
        }
        (seed, options)
    };
    (0..).zip(variants()).map(shares)
}

#[test]
fn gx_r3a_r5a_r7_r9_r16_r19a_r20_r21b_q8_the_reference_agrees_in_every_position() {
    let mut phases: BTreeMap<String, usize> = BTreeMap::new();
    for (seed, options) in configurations() {
        let reference = Reference::new(&options, "");
        for greedy in [0, 2, 3] {
            visit(&options, seed, greedy, |now, before| {
                let found = reference.differences(now, before);
                assert!(found.is_empty(), "{options}: {}", found.join("\n"));
                *phases.entry(now.json["phase"].as_str().unwrap().into()).or_default() += 1;
            });
        }
    }
    for phase in ["start", "turn", "move", "lose", "swap", "wind", "end"] {
        assert!(phases.get(phase) > Some(&5), "{phases:?}");
    }
}

/// Each rule decides somewhere: a reference without it differs.
#[test]
fn a_reference_without_a_rule_differs() {
    let named = include_str!("reference.rs").split("self.has(\"").skip(1);
    let mut rules: BTreeSet<&str> = named.map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(rules.len(), 12, "{rules:?}");
    for (seed, options) in configurations() {
        let mut unnoticed: Vec<_> = rules.iter().map(|rule| Reference::new(&options, rule)).collect();
        for greedy in [0, 2, 3] {
            visit(&options, seed, greedy, |now, before| {
                unnoticed.retain(|reference| reference.differences(now, before).is_empty());
            });
        }
        rules = unnoticed.iter().map(|reference| reference.without).collect();
    }
    assert!(rules.is_empty(), "{rules:?}");
}
