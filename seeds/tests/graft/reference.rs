//! Scoring and legality a second time, slowly and from nothing but the content's text and the JSON form of positions: the
//! rules as they are written, card by card. Compared with the engine in every position of many games.

use crate::fixture::{CONTENT, DECLINE, SHIP, STOP, TAKE_BAR, configured};
use playmat_core::game::Game;
use playmat_core::prelude::*;
use playmat_graft::Graft;
use playmat_graft::state::State;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use toml::{Table, Value as Toml};

/// The content, the options that decide what is legal, and the rule that is left out: a test shows that each is missed.
struct Reference {
    types: Vec<String>,
    cards: Vec<Table>,
    badges: Vec<Table>,
    coins_always: bool,
    claims_at_end: bool,
    without: &'static str,
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_string()).collect()
}

/// The cards of a zone that is given as numbers by id.
fn cards_of(counts: &Value) -> Vec<String> {
    let counts = counts.as_object().unwrap().iter();
    counts.flat_map(|(id, count)| vec![id.clone(); count.as_u64().unwrap() as usize]).collect()
}

fn list(value: &Toml) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect()
}

/// Whether a test or a need allows a count.
fn allowed(of: &Table, count: i64) -> bool {
    let number = |name: &str, other: i64| of.get(name).map_or(other, |value| value.as_integer().unwrap());
    let parity = of.get("parity").map(|value| value.as_str().unwrap());
    (number("min", 0)..=number("max", 255)).contains(&count)
        && parity.is_none_or(|parity| (parity == "even") == (count % 2 == 0))
}

impl Reference {
    fn new(coins_always: bool, claims_at_end: bool, without: &'static str) -> Reference {
        let content: Table = CONTENT.parse().unwrap();
        let tables = |name: &str| -> Vec<Table> {
            content[name].as_array().unwrap().iter().map(|entry| entry.as_table().unwrap().clone()).collect()
        };
        let types = tables("type").iter().map(|entry| entry["id"].as_str().unwrap().to_string()).collect();
        Reference {
            types,
            cards: tables("card"),
            badges: tables("badge"),
            coins_always,
            claims_at_end,
            without,
        }
    }

    fn has(&self, rule: &str) -> bool {
        self.without != rule
    }

    fn number(&self, id: &str) -> u16 {
        self.cards.iter().position(|card| card["id"].as_str() == Some(id)).unwrap() as u16
    }

    fn card(&self, id: &str) -> &Table {
        &self.cards[usize::from(self.number(id))]
    }

    fn ty(&self, id: &str) -> &str {
        self.card(id)["type"].as_str().unwrap()
    }

    fn effect(&self, id: &str) -> &str {
        self.card(id).get("effect").map_or("none", |effect| effect.as_str().unwrap())
    }

    /// GR-R5a, R19: what a row forbids.
    fn forbidden(&self, row: &[String]) -> BTreeSet<String> {
        let last_coin =
            row.iter().rposition(|id| self.effect(id) == "z_coin" && self.has("GR-R19")).unwrap_or(0);
        let first = if self.has("GR-Q2") { last_coin } else { row.len().saturating_sub(1) };
        let bound = row[first..].iter().flat_map(|id| list(&self.card(id)["forbids"]));
        bound.map(String::from).collect()
    }

    /// GR-R5, R19a.
    fn legal(&self, row: &[String], id: &str) -> bool {
        self.coins_always && self.effect(id) == "z_coin" && self.has("GR-R19a")
            || !self.forbidden(row).contains(self.ty(id))
    }

    /// Cards, different types, cards of types, or cards of a kind among some.
    fn count(&self, what: &Toml, cards: &[String]) -> i64 {
        let count = match what {
            Toml::String(word) if word == "cards" => cards.len(),
            Toml::String(_) => cards.iter().map(|id| self.ty(id)).collect::<BTreeSet<_>>().len(),
            Toml::Array(_) => cards.iter().filter(|id| list(what).contains(&self.ty(id))).count(),
            _ => cards.iter().filter(|id| what["card"].as_str() == Some(id)).count(),
        };
        count as i64
    }

    /// GR-R20: the points of a row.
    fn score(&self, row: &[String]) -> i64 {
        let mut points = 0;
        for (at, id) in row.iter().enumerate() {
            for clause in self.card(id)["score"].as_array().unwrap() {
                let clause = clause.as_table().unwrap();
                let number = |name: &str| clause.get(name).map_or(0, |value| value.as_integer().unwrap());
                let counted = |of: &Table| {
                    let cards = match of.get("in").map_or("row", |region| region.as_str().unwrap()) {
                        "left" if self.has("GR-R20l left") => &row[..at],
                        "right" => &row[at + 1..],
                        "next" if self.has("GR-R20l next") => &row[at + 1..row.len().min(at + 2)],
                        _ => row,
                    };
                    self.count(&of["count"], cards)
                };
                let test = clause.get("if").map(|test| test.as_table().unwrap());
                points += match test {
                    Some(test) if !allowed(test, counted(test)) && self.has("GR-R20 if") => number("else"),
                    _ => {
                        number("points") * clause.get("per").map_or(1, |per| counted(per.as_table().unwrap()))
                    }
                };
            }
        }
        points
    }

    /// GR-R21: whether a row meets a badge.
    fn meets(&self, row: &[String], badge: &str) -> bool {
        let badge = self.badges.iter().find(|entry| entry["id"].as_str() == Some(badge)).unwrap();
        let pairs = || row.windows(2).map(|pair| (self.ty(&pair[0]), self.ty(&pair[1])));
        let value = |need: &Table| -> i64 {
            if let Some(what) = need.get("count") {
                return self.count(what, row);
            }
            if let Some(sets) = need.get("adjacent") {
                let (a, b) = (list(&sets[0]), list(&sets[1]));
                let one =
                    |(x, y): &(&str, &str)| a.contains(x) && b.contains(y) || a.contains(y) && b.contains(x);
                return pairs().filter(one).count() as i64;
            }
            if need.contains_key("twins") {
                return pairs().filter(|(x, y)| x == y).count() as i64;
            }
            let stretches = row.chunk_by(|x, y| self.ty(x) == self.ty(y)).map(<[String]>::len);
            let largest = self.types.iter().map(|ty| row.iter().filter(|id| self.ty(id) == ty).count());
            if need.contains_key("run") { stretches.max() } else { largest.max() }.unwrap_or(0) as i64
        };
        let needs = badge["needs"].as_array().unwrap().iter().map(|need| need.as_table().unwrap());
        let mut needs = needs.take(if self.has("GR-R21") { usize::MAX } else { 1 });
        !row.is_empty() && needs.all(|need| allowed(need, value(need)))
    }

    /// GR-R15: what a player has.
    fn points(&self, player: &Value) -> i64 {
        let rows: Vec<Vec<String>> = player["completed"].as_array().unwrap().iter().map(texts).collect();
        let badges: i64 =
            player["claims"].as_object().unwrap().values().map(|value| value.as_i64().unwrap()).sum();
        let recycles = rows.iter().flatten().filter(|id| self.effect(id) == "recycle" && self.has("GR-R17"));
        let recycles = recycles.count() as i64;
        let compost = cards_of(&player["compost"]).len() as i64;
        rows.iter().map(|row| self.score(row)).sum::<i64>() + badges + compost * (1 + recycles)
    }

    /// What a player who must decide may do, as numbers of actions ("Decisions and actions" of the rules page).
    fn actions(&self, state: &Value, player: usize) -> BTreeSet<u16> {
        let own = &state["players"][player];
        let (row, mut hand) = (texts(&own["row"]), texts(&own["hand"]));
        let numbers =
            |cards: &[String]| -> BTreeSet<u16> { cards.iter().map(|id| self.number(id)).collect() };
        match state["phase"].as_str().unwrap() {
            "choose" => {
                let (bar, chosen) = (own["take_bar"] == true, texts(&own["chosen"]));
                if bar {
                    hand.push(row.last().unwrap().clone());
                }
                for id in &chosen {
                    hand.remove(hand.iter().position(|held| held == id).unwrap());
                }
                let mut legal = numbers(&hand);
                if !bar || !chosen.is_empty() || !self.has("GR-R16b") {
                    legal.insert(SHIP);
                }
                if (!bar || !self.has("GR-R16c"))
                    && row.last().is_some_and(|id| self.effect(id) == "energy_bar")
                {
                    legal.insert(TAKE_BAR);
                }
                legal
            }
            "replant" => {
                let mut picks = cards_of(&own["compost"]);
                picks.retain(|id| self.legal(&row, id) || !self.has("GR-Q17"));
                let mut legal = numbers(&picks);
                legal.insert(STOP);
                legal
            }
            "replace" => {
                let fitting: Vec<String> = hand.iter().filter(|id| self.legal(&row, id)).cloned().collect();
                numbers(if fitting.is_empty() || !self.has("GR-Q3") { &hand } else { &fitting })
            }
            _ => {
                let last = texts(own["completed"].as_array().unwrap().last().unwrap());
                let claims = own["claims"].as_object().unwrap();
                let open = texts(&state["badges"]).into_iter().enumerate();
                let open = open.filter(|(_, badge)| !claims.contains_key(badge) && self.meets(&last, badge));
                open.map(|(slot, _)| DECLINE - 5 + slot as u16).chain([DECLINE]).collect()
            }
        }
    }

    /// Compares a position: how many numbers were looked at, or the first difference.
    fn compare(&self, game: &Graft, state: &State, json: &Value) -> Result<usize, String> {
        let same = |what: &str, engine: Value, own: Value| {
            if engine == own {
                Ok(())
            } else {
                Err(format!("{what}: engine {engine}, reference {own}: {json}"))
            }
        };
        let mut compared = 0;
        for (number, player) in json["players"].as_array().unwrap().iter().enumerate() {
            let row = texts(&player["row"]);
            same("score of the row", player["row_score"].clone(), self.score(&row).into())?;
            same("points", player["points"].clone(), self.points(player).into())?;
            let forbidden: BTreeSet<String> = texts(&player["forbidden"]).into_iter().collect();
            same("forbidden types", json!(forbidden), json!(self.forbidden(&row)))?;
            let met: Vec<String> =
                texts(&json["badges"]).into_iter().filter(|badge| self.meets(&row, badge)).collect();
            same("badges of the row", player["row_badges"].clone(), json!(met))?;
            let chooser = Player(number as u8);
            if game.acting(state).contains(chooser) {
                let legal: BTreeSet<u16> = game.legal(state, chooser).iter().map(|action| action.0).collect();
                same("legal actions", json!(legal), json!(self.actions(json, number)))?;
                compared += legal.len();
            }
            compared += 3 + met.len();
        }
        if json["phase"] == "end" {
            let compost =
                |player: &Value| if self.has("GR-R15 tie") { cards_of(&player["compost"]).len() } else { 0 };
            let rank = |player: &Value| (self.points(player), -(compost(player) as i64));
            let ranks: Vec<_> = json["players"].as_array().unwrap().iter().map(rank).collect();
            let best = ranks.iter().max().unwrap();
            let won: Vec<usize> = (0..ranks.len()).filter(|&at| ranks[at] == *best).collect();
            let winners: Vec<usize> = game.winners(state).iter().map(Player::index).collect();
            same("winners", json!(winners), json!(won))?;
        }
        // Without claims for all at the end only players who shipped in the turn decide.
        if (!self.claims_at_end || !self.has("GR-Q8")) && json["phase"] == "claim" {
            same("claims without a ship", (game.acting(state).0 & !state.shipped.0).into(), 0.into())?;
        }
        Ok(compared)
    }
}

/// Shows the positions of episodes, with the options that decide what is legal.
fn visit(mut show: impl FnMut(bool, bool, &Graft, &State)) {
    for (number, players) in (2..=5).chain(2..=5).enumerate() {
        let (coins_always, claims_at_end) = (number < 4, number % 3 != 0);
        let placement = if coins_always { "always" } else { "restricted" };
        let options =
            json!({"players": players, "z_coin_placement": placement, "end_of_game_claims": claims_at_end});
        let game = configured(&options).game.clone();
        for seed in 0..24 {
            let (mut rng, mut draws) = (Rng::from_seed(seed), Rng::from_seed(seed ^ 0x7e));
            let mut state = game.deal(&mut rng, &mut Silent);
            show(coins_always, claims_at_end, &game, &state);
            while let Some(player) = game.acting(&state).first() {
                let action = if draws.below(100) < 15 * (seed as u32 % 5) {
                    game.greedy(&state, player, &mut draws)
                } else {
                    draws.pick(&game.legal(&state, player))
                };
                game.apply(&mut state, player, action, &mut rng, &mut Silent);
                show(coins_always, claims_at_end, &game, &state);
            }
        }
    }
}

#[test]
fn scores_and_legal_actions_are_those_of_the_reference() {
    let mut reference = Reference::new(true, true, "");
    let mut compared = 0;
    visit(|coins_always, claims_at_end, game, state| {
        (reference.coins_always, reference.claims_at_end) = (coins_always, claims_at_end);
        let found = reference.compare(game, state, &game.describe(state, None));
        compared += found.unwrap_or_else(|difference| panic!("{difference}"));
    });
    assert!(compared > 200_000, "{compared}");
}

/// Each rule decides somewhere: a reference without it differs.
#[test]
fn a_reference_without_a_rule_differs() {
    let named = include_str!("reference.rs").split("self.has(\"").skip(1);
    let rules: BTreeSet<&str> = named.map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(rules.len(), 14, "{rules:?}");
    let mut unnoticed: Vec<_> = rules.iter().map(|rule| Reference::new(true, true, rule)).collect();
    visit(|coins_always, claims_at_end, game, state| {
        let json = game.describe(state, None);
        unnoticed.retain_mut(|reference| {
            (reference.coins_always, reference.claims_at_end) = (coins_always, claims_at_end);
            reference.compare(game, state, &json).is_ok()
        });
    });
    let unnoticed: Vec<&str> = unnoticed.iter().map(|reference| reference.without).collect();
    assert!(unnoticed.is_empty(), "{unnoticed:?}");
}
