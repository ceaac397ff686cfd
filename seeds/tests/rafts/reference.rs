//! Legality, the order of windows and scoring a second time, slowly and from nothing but the content's text, the options and
//! the complete JSON of positions: the rules page as it is written. `against_reference` compares it with the engine.
//!
//! It covers all kinds of decisions: what is legal, which choice follows an action, who decides in a window, and whether a window
//! opens. It does not cover what actions do, chance, and which turns are quiet: it moves no card.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use toml::Table;

pub(crate) const CONTENT: &str = include_str!("../../content/rafts.toml");

#[derive(Clone)]
pub(crate) struct PlainPlayer {
    pub(crate) hand: Vec<String>,
    pub(crate) benches: Vec<[Option<String>; 2]>,
    pub(crate) lab: bool,
    pub(crate) generics: Vec<String>,
    pub(crate) goals: Vec<String>,
}

/// A position as its JSON states it. Cards are ids, one for each copy.
#[derive(Clone)]
pub(crate) struct PlainPosition {
    pub(crate) phase: String,
    pub(crate) turn: u64,
    pub(crate) quiet_turns: u64,
    pub(crate) turn_player: usize,
    pub(crate) decides: usize,
    pub(crate) players: Vec<PlainPlayer>,
    pub(crate) decks: BTreeMap<String, Vec<String>>,
    pub(crate) discards: Vec<String>,
    pub(crate) last_discard: Option<String>,
    pub(crate) played: Vec<String>,
    pub(crate) goals_left: Vec<String>,
    pub(crate) resolving: Option<String>,
    pub(crate) placing: Option<String>,
    pub(crate) partner: Option<usize>,
    pub(crate) receiving: Option<String>,
}

fn id(value: &Value) -> Option<String> {
    value.as_str().map(String::from)
}

fn ids(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|item| id(item).unwrap()).collect()
}

/// The cards of a zone that is given as numbers by id.
fn cards(zone: &Value) -> Vec<String> {
    let counts = zone.as_object().unwrap().iter();
    counts.flat_map(|(id, count)| vec![id.clone(); count.as_u64().unwrap() as usize]).collect()
}

fn count(cards: &[String], id: &str) -> i64 {
    cards.iter().filter(|card| *card == id).count() as i64
}

pub(crate) fn remove(cards: &mut Vec<String>, id: &str) {
    cards.remove(cards.iter().position(|card| card == id).unwrap());
}

impl PlainPosition {
    pub(crate) fn of(json: &Value) -> PlainPosition {
        let number = |name: &str| json[name].as_u64().unwrap();
        let player = |player: &Value| PlainPlayer {
            hand: cards(&player["hand"]),
            benches: player["benches"]
                .as_array()
                .unwrap()
                .iter()
                .map(|bench| [id(&bench["bacterium"]), id(&bench["gene"])])
                .collect(),
            lab: player["lab_expansion"] == true,
            generics: cards(&player["generics"]),
            goals: ids(&player["goals"]),
        };
        let decks = json["decks"].as_object().unwrap().iter();
        PlainPosition {
            phase: id(&json["phase"]).unwrap(),
            turn: number("turn"),
            quiet_turns: number("quiet_turns"),
            turn_player: number("turn_player") as usize,
            // After the end nobody does.
            decides: json["current_player"].as_u64().map_or(usize::MAX, |player| player as usize),
            players: json["players"].as_array().unwrap().iter().map(player).collect(),
            decks: decks.map(|(deck, zone)| (deck.clone(), cards(zone))).collect(),
            discards: cards(&json["discards"]),
            last_discard: id(&json["last_discard"]),
            played: cards(&json["actions_played"]),
            goals_left: cards(&json["goals_left"]),
            resolving: id(&json["resolving"]),
            placing: id(&json["placing"]),
            partner: json["partner"].as_u64().map(|partner| partner as usize),
            receiving: id(&json["receiving"]),
        }
    }

    /// The others "in order": from the left neighbour of a player.
    pub(crate) fn others(&self, player: usize) -> impl Iterator<Item = usize> {
        let players = self.players.len();
        (1..players).map(move |k| (player + k) % players)
    }

    pub(crate) fn is_over(&self) -> bool {
        ["won", "dead", "limit"].contains(&self.phase.as_str())
    }
}

pub(crate) struct Reference {
    pub(crate) content: Table,
    pub(crate) options: Value,
}

impl Reference {
    pub(crate) fn new(options: &Value) -> Reference {
        let text = options["content"].as_str().unwrap_or(CONTENT);
        Reference { content: text.parse().unwrap(), options: options.clone() }
    }

    /// The entry of a card or goal in a list of the content.
    fn entry(&self, list: &str, id: &str) -> Option<&Table> {
        let entries = self.content[list].as_array().unwrap().iter();
        entries.map(|entry| entry.as_table().unwrap()).find(|entry| entry["id"].as_str() == Some(id))
    }

    /// What an action card says about its effect; empty for a resource and for what the effect does not mention.
    pub(crate) fn effect(&self, id: &str, field: &str) -> String {
        let effect = self.entry("action", id).and_then(|card| card["effect"].get(field));
        effect.and_then(|value| value.as_str()).unwrap_or_default().to_string()
    }

    /// The slot of a bench for a card: 0 for bacteria, 1 for genes.
    pub(crate) fn slot(&self, id: &str) -> Option<usize> {
        ["bacterium", "gene"].iter().position(|list| self.entry(list, id).is_some())
    }

    pub(crate) fn deck(&self, id: &str) -> &'static str {
        match self.slot(id) {
            Some(_) => "specific",
            None if self.entry("action", id).is_some() => "actions",
            None => "generic",
        }
    }

    /// RA-R4, R5, R5a, Q1: whether a resource can come to a table.
    fn fits(&self, player: &PlainPlayer, id: &str) -> bool {
        let doubled = self.options["expansion_doubles_generics"] == true && player.lab;
        let limit = if id == "raft" { 1 } else { 2 + 2 * i64::from(doubled) };
        self.slot(id).is_some() || count(&player.generics, id) < limit
    }

    /// Whether a player has something of what a card takes.
    fn has(&self, player: &PlainPlayer, what: &str) -> bool {
        let on_bench = |slot: usize| player.benches.iter().any(|bench| bench[slot].is_some());
        match what {
            "bacterium" => on_bench(0),
            "gene" => on_bench(1),
            _ => count(&player.generics, what) > 0,
        }
    }

    /// RA-R7, R7b, R7c: what one player can steal from another with a card; of two equal benches the first.
    fn steals(&self, thief: &PlainPlayer, victim: &PlainPlayer, card: &str) -> Vec<String> {
        let effect = self.entry("action", card).map(|card| &card["effect"]);
        let parts = effect.and_then(|effect| effect.get("parts")).and_then(|parts| parts.as_array());
        let mut found = Vec::new();
        for part in parts.into_iter().flatten().map(|part| part.as_str().unwrap()) {
            if part == "raft" {
                if self.has(victim, "raft") && self.fits(thief, "raft") {
                    found.push("raft".to_string());
                }
                continue;
            }
            for (number, bench) in victim.benches.iter().enumerate() {
                if bench[usize::from(part == "gene")].is_some() && !victim.benches[..number].contains(bench) {
                    found.push(format!("{part} {number}"));
                }
            }
        }
        found
    }

    /// RA-R8, R8a: goals that can be swapped, the received one first.
    fn swaps(&self, player: &PlainPlayer, partner: &PlainPlayer) -> Vec<(String, String)> {
        let swapped = |goals: &[String], lost: &String, got: &String| -> BTreeSet<String> {
            goals.iter().filter(|goal| *goal != lost).chain([got]).cloned().collect()
        };
        let mut found = Vec::new();
        for received in &partner.goals {
            for given in &player.goals {
                if received != given
                    && swapped(&player.goals, given, received).len() == player.goals.len()
                    && swapped(&partner.goals, received, given).len() == partner.goals.len()
                {
                    found.push((received.clone(), given.clone()));
                }
            }
        }
        found
    }

    /// RA-R13, Q5: what a player can recover.
    fn recoverable(&self, now: &PlainPosition, player: &PlainPlayer) -> Vec<String> {
        let to_table = self.options["bioeconomy_to"] == "table";
        now.discards.iter().filter(|id| !to_table || self.fits(player, id)).cloned().collect()
    }

    /// RA-R14: the second goals that a player can choose.
    fn new_goals(&self, now: &PlainPosition, player: &PlainPlayer) -> Vec<String> {
        now.goals_left.iter().filter(|goal| !player.goals.contains(goal)).cloned().collect()
    }

    /// Whom a card can be aimed at.
    fn targets(&self, now: &PlainPosition, player: usize, card: &str) -> Vec<usize> {
        let what = self.effect(card, "what");
        let can = |&other: &usize| {
            let (player, other) = (&now.players[player], &now.players[other]);
            match self.effect(card, "kind").as_str() {
                "steal" => !self.steals(player, other, card).is_empty(),
                "exchange_goal" => !self.swaps(player, other).is_empty(),
                _ => self.has(other, &what),
            }
        };
        now.others(player).filter(can).collect()
    }

    /// Whether A can play a card in the main phase.
    pub(crate) fn playable(&self, now: &PlainPosition, card: &str) -> bool {
        let player = &now.players[now.turn_player];
        match self.effect(card, "kind").as_str() {
            "" => self.fits(player, card),
            "lose" => {
                let own = self.effect(card, "who") == "all" && self.has(player, &self.effect(card, "what"));
                let blank = self.options["blank_sabotage"] == true;
                own || blank || !self.targets(now, now.turn_player, card).is_empty()
            }
            "extra_bench" => !player.lab,
            "recover" => !self.recoverable(now, player).is_empty(),
            "extra_goal" => player.goals.len() == 1 && !self.new_goals(now, player).is_empty(),
            "snatch" => now.last_discard.as_ref().is_some_and(|last| self.fits(player, last)),
            "shield" => false,
            _ => !self.targets(now, now.turn_player, card).is_empty(),
        }
    }

    /// RA-R16: whether a card is a shield against the card being resolved. RA-R15: whether it can snatch.
    fn answers(&self, now: &PlainPosition, card: &str, phase: &str) -> bool {
        let kind = self.effect(card, "kind");
        if phase == "snatch" {
            kind == "snatch"
        } else {
            kind == "shield" && Some(self.effect(card, "against")) == now.resolving
        }
    }

    /// RA-R17a, R17b, R17d, Q8: who decides in a window, in order, if it opens now.
    pub(crate) fn window(&self, now: &PlainPosition, phase: &str) -> Vec<usize> {
        let decides = |&number: &usize| {
            let player = &now.players[number];
            let can = match (phase, &now.last_discard, &now.resolving) {
                ("snatch", Some(last), _) => self.fits(player, last),
                ("shield", _, Some(card)) => self.has(player, &self.effect(card, "what")),
                _ => false,
            };
            let holds = if self.options["windows"] == "possible" {
                let all = self.content["action"].as_array().unwrap().iter();
                let mut left = all.filter(|card| {
                    let id = card["id"].as_str().unwrap();
                    self.answers(now, id, phase)
                        && count(&now.played, id) < card["copies"].as_integer().unwrap()
                });
                left.next().is_some() && player.hand.iter().any(|card| self.deck(card) == "actions")
            } else {
                player.hand.iter().any(|card| self.answers(now, card, phase))
            };
            can && holds
        };
        let last = if phase == "shield" { Some(now.turn_player) } else { None };
        now.others(now.turn_player).chain(last).filter(decides).collect()
    }

    /// The texts of the actions of the player who decides.
    pub(crate) fn legal(&self, now: &PlainPosition) -> BTreeSet<String> {
        let player = &now.players[now.decides];
        let places = |other: usize| (other + now.players.len() - now.decides) % now.players.len();
        let each = |verb: &str, what: Vec<String>| -> BTreeSet<String> {
            what.iter().map(|what| format!("{verb} {what}")).collect()
        };
        let and = |mut set: BTreeSet<String>, text: &str| {
            set.insert(text.to_string());
            set
        };
        let held = |test: &dyn Fn(&str) -> bool| -> Vec<String> {
            player.hand.iter().filter(|card| test(card)).cloned().collect()
        };
        let swaps = || self.swaps(player, &now.players[now.partner.unwrap()]);
        let card = now.resolving.clone().unwrap_or_default();
        match now.phase.as_str() {
            "main" => {
                let plays = and(each("play", held(&|card| self.playable(now, card))), "end turn");
                let claims = self.options["auto_claim"] == false && self.missing(player) == 0;
                if claims { and(plays, "claim victory") } else { plays }
            }
            "shield" | "snatch" => {
                and(each("play", held(&|card| self.answers(now, card, &now.phase))), "pass")
            }
            "bench" => each("bench", vec!["0".into(), "1".into()]),
            "target" => {
                let targets = self.targets(now, now.decides, &card).into_iter();
                each("target", targets.map(|other| format!("+{}", places(other))).collect())
            }
            "steal" => {
                let from = |other: usize| {
                    let parts = self.steals(player, &now.players[other], &card).into_iter();
                    parts.map(move |part| format!("{part} from +{}", places(other)))
                };
                each("steal", now.others(now.decides).flat_map(from).collect())
            }
            "receive" => each("goal", swaps().into_iter().map(|(received, _)| received).collect()),
            "give" => {
                let mut swaps = swaps();
                swaps.retain(|(received, _)| Some(received) == now.receiving.as_ref());
                each("goal", swaps.into_iter().map(|(_, given)| given).collect())
            }
            "take" => each("take", self.recoverable(now, player)),
            "goal" => each("goal", self.new_goals(now, player)),
            "discard" => and(each("discard", player.hand.clone()), "pass"),
            // RA-R2f, R20.
            "draw" => {
                let renewed = |deck: &str| now.discards.iter().any(|card| self.deck(card) == deck);
                let decks = now.decks.iter().filter(|(deck, cards)| !cards.is_empty() || renewed(deck));
                each("draw", decks.map(|(deck, _)| deck.clone()).collect())
            }
            _ => BTreeSet::new(),
        }
    }

    /// The kind of choice that follows an action, or nothing: with one option the engine goes on (the page's forced moves).
    pub(crate) fn choice_after(&self, before: &PlainPosition, action: &str) -> &'static str {
        let (verb, what) = action.split_once(' ').unwrap_or((action, ""));
        let card = if verb == "play" { what } else { before.resolving.as_deref().unwrap_or_default() };
        let player = &before.players[before.decides];
        let bench = |card: &str| {
            let two = player.benches.iter().collect::<BTreeSet<_>>().len() == 2;
            if two && self.slot(card).is_some() { "bench" } else { "" }
        };
        let several = |options: &[String]| options.iter().collect::<BTreeSet<_>>().len() > 1;
        let at = |places: &str| {
            let places: usize = places.trim_start_matches('+').parse().unwrap();
            &before.players[(before.decides + places) % before.players.len()]
        };
        // "gene 1 from +2"
        let stolen = |what: &str| match what.split(' ').collect::<Vec<_>>()[..] {
            [part, number, _, from] => {
                let lies = &at(from).benches[number.parse::<usize>().unwrap()];
                bench(lies[usize::from(part == "gene")].as_deref().unwrap())
            }
            _ => "",
        };
        let given = |partner: &PlainPlayer, goal: &str| {
            let swaps = self.swaps(player, partner).into_iter();
            let given: Vec<String> = swaps.filter(|swap| swap.0 == goal).map(|swap| swap.1).collect();
            if several(&given) { "give" } else { "" }
        };
        let received = |partner: &PlainPlayer| {
            let goals: Vec<String> = self.swaps(player, partner).into_iter().map(|swap| swap.0).collect();
            if several(&goals) { "receive" } else { goals.first().map_or("", |goal| given(partner, goal)) }
        };
        let recovered = |card: &str| if self.options["bioeconomy_to"] == "table" { bench(card) } else { "" };
        let targets = self.targets(before, before.decides, card);
        match (verb, self.effect(card, "kind").as_str()) {
            ("play", "") => bench(card),
            ("play", "snatch") => bench(before.last_discard.as_deref().unwrap()),
            ("play", "steal") => {
                let mut options = self.legal(&PlainPosition {
                    phase: "steal".into(),
                    resolving: Some(card.into()),
                    ..before.clone()
                });
                let first = options.pop_first().unwrap_or_default();
                if options.is_empty() { stolen(first.trim_start_matches("steal ")) } else { "steal" }
            }
            ("steal", _) => stolen(what),
            ("play", "exchange_goal") if targets.len() == 1 => received(&before.players[targets[0]]),
            ("play", "exchange_goal") => "target",
            ("target", "exchange_goal") => received(at(what)),
            ("goal", "exchange_goal") if before.phase == "receive" => {
                given(&before.players[before.partner.unwrap()], what)
            }
            ("play", "lose") if self.effect(card, "who") == "one" && targets.len() > 1 => "target",
            ("play", "recover") => {
                let cards = self.recoverable(before, player);
                if several(&cards) { "take" } else { cards.first().map_or("", |card| recovered(card)) }
            }
            ("take", _) => recovered(what),
            ("play", "extra_goal") if several(&self.new_goals(before, player)) => "goal",
            _ => "",
        }
    }

    /// RA-R25: what a goal lacks, and its number of cards.
    fn lacks(&self, player: &PlainPlayer, goal: &str) -> (i64, i64) {
        let goal = self.entry("goal", goal).unwrap();
        let is = |lies: &Option<String>, part: &str| lies.as_deref() == goal[part].as_str();
        let lack = |has: bool| i64::from(!has);
        let pairs = player.benches.iter().map(|b| lack(is(&b[0], "bacterium")) + lack(is(&b[1], "gene")));
        let pair = if self.options["gene_pairing"] == "any" {
            lack(player.benches.iter().any(|b| is(&b[0], "bacterium")))
                + lack(player.benches.iter().any(|b| is(&b[1], "gene")))
        } else {
            pairs.min().unwrap()
        };
        let (mut short, mut all) = (0, 2);
        for generic in ["time", "money", "medium"] {
            let needed = goal[generic].as_integer().unwrap();
            short += (needed - count(&player.generics, generic)).max(0);
            all += needed;
        }
        (pair + (short - count(&player.generics, "raft")).max(0), all)
    }

    pub(crate) fn missing(&self, player: &PlainPlayer) -> i64 {
        player.goals.iter().map(|goal| self.lacks(player, goal).0).min().unwrap()
    }

    /// RA-R26.
    pub(crate) fn completion(&self, now: &PlainPosition, number: usize) -> i64 {
        let player = &now.players[number];
        let part = |goal: &String| {
            let (lacks, all) = self.lacks(player, goal);
            100 * (all - lacks) / all
        };
        let won = now.phase == "won" && now.turn_player == number;
        if won { 100 } else { player.goals.iter().map(part).max().unwrap().min(99) }
    }
}
