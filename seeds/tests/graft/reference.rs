//! Scoring and legality a second time, slowly and from nothing but the content's text and the JSON form of positions: the
//! rules as they are written, card by card. Compared with the engine in every position of many games.

use crate::fixture::{CONTENT, DECLINE, SHIP, STOP, TAKE_BAR, configured};
use playmat_core::game::Game;
use playmat_core::prelude::*;
use playmat_graft::Graft;
use playmat_graft::state::State;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use toml::{Table, Value as Toml};

/// The content, the options that decide what is legal, and the rule that is left out: a test shows that each is missed.
pub(crate) struct Reference {
    cards: Vec<Table>,
    /// The number of each card by its id.
    numbers: BTreeMap<String, usize>,
    badges: Vec<Table>,
    coins_always: bool,
    claims_at_end: bool,
    without: &'static str,
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_string()).collect()
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
    pub(crate) fn new(content: &str, without: &'static str) -> Reference {
        let content: Table = content.parse().unwrap();
        let tables = |name: &str| -> Vec<Table> {
            content[name].as_array().unwrap().iter().map(|entry| entry.as_table().unwrap().clone()).collect()
        };
        let (cards, badges) = (tables("card"), tables("badge"));
        let id = |(number, card): (usize, &Table)| (card["id"].as_str().unwrap().to_string(), number);
        let numbers = cards.iter().enumerate().map(id).collect();
        Reference { cards, numbers, badges, coins_always: true, claims_at_end: true, without }
    }

    fn has(&self, rule: &str) -> bool {
        self.without != rule
    }

    /// The cards of a list.
    fn row(&self, list: &Value) -> Vec<usize> {
        list.as_array().unwrap().iter().map(|id| self.numbers[id.as_str().unwrap()]).collect()
    }

    /// The cards of a zone that is given as numbers by id.
    fn zone(&self, counts: &Value) -> Vec<usize> {
        let counts = counts.as_object().unwrap().iter();
        counts.flat_map(|(id, count)| vec![self.numbers[id]; count.as_u64().unwrap() as usize]).collect()
    }

    fn ty(&self, card: usize) -> &str {
        self.cards[card]["type"].as_str().unwrap()
    }

    fn effect(&self, card: usize) -> &str {
        self.cards[card].get("effect").map_or("none", |effect| effect.as_str().unwrap())
    }

    /// GR-R5a, R19: what a row forbids.
    fn forbidden(&self, row: &[usize]) -> BTreeSet<&str> {
        let last_coin =
            row.iter().rposition(|&card| self.effect(card) == "z_coin" && self.has("GR-R19")).unwrap_or(0);
        let first = if self.has("GR-Q2") { last_coin } else { row.len().saturating_sub(1) };
        row[first..].iter().flat_map(|&card| list(&self.cards[card]["forbids"])).collect()
    }

    /// GR-R5, R19a.
    fn legal(&self, row: &[usize], card: usize) -> bool {
        self.coins_always && self.effect(card) == "z_coin" && self.has("GR-R19a")
            || !self.forbidden(row).contains(self.ty(card))
    }

    /// Cards, different types, cards of types, or cards of a kind among some.
    fn count(&self, what: &Toml, cards: &[usize]) -> i64 {
        let count = match what {
            Toml::String(word) if word == "cards" => cards.len(),
            Toml::String(_) => cards.iter().map(|&card| self.ty(card)).collect::<BTreeSet<_>>().len(),
            Toml::Array(_) => {
                let types = list(what);
                cards.iter().filter(|&&card| types.contains(&self.ty(card))).count()
            }
            _ => {
                let number = self.numbers[what["card"].as_str().unwrap()];
                cards.iter().filter(|&&card| card == number).count()
            }
        };
        count as i64
    }

    /// GR-R20: the points of a row.
    pub(crate) fn score(&self, row: &[usize]) -> i64 {
        let mut points = 0;
        for (at, &card) in row.iter().enumerate() {
            for clause in self.cards[card]["score"].as_array().unwrap() {
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

    /// GR-R21: whether a row meets the badge of a number.
    pub(crate) fn meets(&self, row: &[usize], badge: usize) -> bool {
        let pairs = || row.windows(2).map(|pair| (self.ty(pair[0]), self.ty(pair[1])));
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
            let stretches = row.chunk_by(|&x, &y| self.ty(x) == self.ty(y)).map(<[usize]>::len);
            let alike = |&x: &usize| row.iter().filter(|&&y| self.ty(x) == self.ty(y)).count();
            let largest = row.iter().map(alike);
            if need.contains_key("run") { stretches.max() } else { largest.max() }.unwrap_or(0) as i64
        };
        let needs =
            self.badges[badge]["needs"].as_array().unwrap().iter().map(|need| need.as_table().unwrap());
        let mut needs = needs.take(if self.has("GR-R21") { usize::MAX } else { 1 });
        !row.is_empty() && needs.all(|need| allowed(need, value(need)))
    }

    /// The badges on the table, by id, that a row meets.
    fn met(&self, row: &[usize], badges: &Value) -> Vec<String> {
        let number =
            |id: &str| self.badges.iter().position(|entry| entry["id"].as_str() == Some(id)).unwrap();
        texts(badges).into_iter().filter(|id| self.meets(row, number(id))).collect()
    }

    /// GR-R15: what a player has.
    fn points(&self, player: &Value) -> i64 {
        let completed = player["completed"].as_array().unwrap().iter();
        let rows: Vec<Vec<usize>> = completed.map(|row| self.row(row)).collect();
        let badges: i64 =
            player["claims"].as_object().unwrap().values().map(|value| value.as_i64().unwrap()).sum();
        let recycles =
            rows.iter().flatten().filter(|card| self.effect(**card) == "recycle" && self.has("GR-R17"));
        let recycles = recycles.count() as i64;
        let compost = self.zone(&player["compost"]).len() as i64;
        rows.iter().map(|row| self.score(row)).sum::<i64>() + badges + compost * (1 + recycles)
    }

    /// What a player who must decide may do, as numbers of actions ("Decisions and actions" of the rules page).
    fn actions(&self, state: &Value, player: usize) -> BTreeSet<u16> {
        let own = &state["players"][player];
        let (row, mut hand) = (self.row(&own["row"]), self.row(&own["hand"]));
        let numbers = |cards: &[usize]| -> BTreeSet<u16> { cards.iter().map(|&card| card as u16).collect() };
        match state["phase"].as_str().unwrap() {
            "choose" => {
                let (bar, chosen) = (own["take_bar"] == true, self.row(&own["chosen"]));
                if bar {
                    hand.push(*row.last().unwrap());
                }
                for card in &chosen {
                    hand.remove(hand.iter().position(|held| held == card).unwrap());
                }
                let mut legal = numbers(&hand);
                if !bar || !chosen.is_empty() || !self.has("GR-R16b") {
                    legal.insert(SHIP);
                }
                if (!bar || !self.has("GR-R16c"))
                    && row.last().is_some_and(|&card| self.effect(card) == "energy_bar")
                {
                    legal.insert(TAKE_BAR);
                }
                legal
            }
            "replant" => {
                let mut picks = self.zone(&own["compost"]);
                picks.retain(|&card| self.legal(&row, card) || !self.has("GR-Q17"));
                let mut legal = numbers(&picks);
                legal.insert(STOP);
                legal
            }
            "replace" => {
                let fitting: Vec<usize> =
                    hand.iter().copied().filter(|&card| self.legal(&row, card)).collect();
                numbers(if fitting.is_empty() || !self.has("GR-Q3") { &hand } else { &fitting })
            }
            _ => {
                let last = self.row(own["completed"].as_array().unwrap().last().unwrap());
                let (met, claims) = (self.met(&last, &state["badges"]), own["claims"].as_object().unwrap());
                let open = texts(&state["badges"]).into_iter().enumerate();
                let open = open.filter(|(_, badge)| !claims.contains_key(badge) && met.contains(badge));
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
            let row = self.row(&player["row"]);
            same("score of the row", player["row_score"].clone(), self.score(&row).into())?;
            same("points", player["points"].clone(), self.points(player).into())?;
            let forbidden: BTreeSet<String> = texts(&player["forbidden"]).into_iter().collect();
            same("forbidden types", json!(forbidden), json!(self.forbidden(&row)))?;
            let met = self.met(&row, &json["badges"]);
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
                |player: &Value| if self.has("GR-R15 tie") { self.zone(&player["compost"]).len() } else { 0 };
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
fn gr_r15_r20_r21_scores_and_legal_actions_are_those_of_the_reference() {
    let mut reference = Reference::new(CONTENT, "");
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
    let mut unnoticed: Vec<_> = rules.iter().map(|rule| Reference::new(CONTENT, rule)).collect();
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
