//! Legal actions, Survey Scores and the outcome a second time, slowly and from nothing but the content's text and the JSON
//! form of positions: the rules as their page states them. `against_reference` compares them with the engine.
//!
//! All thirteen kinds of decisions are compared. The reference does not play: it reads from the position which effect is
//! being resolved, and says who decides and what may be chosen. What an action then changes, and which decision comes next,
//! is not compared, because that would need the complete interpreter of effects. For the same reason only the first player who may make a
//! Survey loss smaller is compared, not the later ones: a position does not say who has declined.

use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use toml::Table;

const LINES: [&str; 2] = ["front", "back"];

pub(crate) struct Reference {
    cards: Vec<Table>,
    /// Places in `cards` by id.
    kinds: BTreeMap<String, usize>,
    /// A rule that is not kept: the comparison must notice it.
    pub(crate) without: &'static str,
}

/// A card on a field. The order is that of indices: line, kind, place of the owner counted from the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Lying {
    line: usize,
    kind: usize,
    place: usize,
}

/// What the engine says of a position.
pub(crate) struct Said {
    pub(crate) json: Value,
    /// Texts of the legal actions of those who must decide.
    pub(crate) legal: BTreeMap<usize, BTreeSet<String>>,
    pub(crate) scores: Vec<i64>,
    /// At the end.
    pub(crate) winners: Vec<usize>,
    /// Whether this is the first decision in a Survey.
    pub(crate) survey_begins: bool,
    /// Whether the option `windows` is `possible`.
    pub(crate) possible: bool,
}

fn text<'a>(of: &'a Table, name: &str, other: &'a str) -> &'a str {
    of.get(name).map_or(other, |value| value.as_str().unwrap())
}

fn number(of: &Table, name: &str, other: i64) -> i64 {
    of.get(name).map_or(other, |value| value.as_integer().unwrap())
}

fn flag(of: &Table, name: &str) -> bool {
    of.get(name).is_some_and(|value| value.as_bool().unwrap())
}

fn tables<'a>(of: &'a Table, name: &str) -> Vec<&'a Table> {
    let list = of.get(name).map_or(&[][..], |list| list.as_array().unwrap());
    list.iter().map(|entry| entry.as_table().unwrap()).collect()
}

/// The number in a field; a player, mostly.
fn at(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

/// The cards of a zone, copies one by one.
fn cards(zone: &Value) -> Vec<String> {
    let counts = zone.as_object().unwrap().iter();
    counts.flat_map(|(id, count)| vec![id.clone(); at(count)]).collect()
}

fn copies(zone: &Value, id: &str) -> usize {
    zone.get(id).map_or(0, at)
}

fn players(state: &Value) -> usize {
    state["players"].as_array().unwrap().len()
}

fn in_game(state: &Value) -> Vec<usize> {
    (0..players(state)).filter(|&player| state["players"][player]["in_game"] == true).collect()
}

/// How many places on from `from` a player sits.
fn places_on(state: &Value, from: usize, player: usize) -> usize {
    (player + players(state) - from) % players(state)
}

impl Reference {
    pub(crate) fn new(content: &str, without: &'static str) -> Reference {
        let content: Table = content.parse().unwrap();
        let cards: Vec<Table> = tables(&content, "card").into_iter().cloned().collect();
        let ids = cards.iter().map(|card| text(card, "id", "").to_string());
        let kinds = ids.enumerate().map(|(kind, id)| (id, kind)).collect();
        Reference { cards, kinds, without }
    }

    fn keeps(&self, rule: &str) -> bool {
        self.without != rule
    }

    fn kind(&self, id: &str) -> usize {
        self.kinds[id]
    }

    fn id(&self, kind: usize) -> &str {
        text(&self.cards[kind], "id", "")
    }

    fn is_titan(&self, id: &str) -> bool {
        text(&self.cards[self.kind(id)], "type", "") == "titan"
    }

    /// Whether a card is of the `type` that a step or a passive names.
    fn is_type(&self, id: &str, of: &Table) -> bool {
        match text(of, "type", "any") {
            "any" => true,
            ty => (ty == "titan") == self.is_titan(id),
        }
    }

    fn ability(&self, id: &str, when: &str) -> Option<&Table> {
        let abilities = tables(&self.cards[self.kind(id)], "ability");
        abilities.into_iter().find(|ability| text(ability, "when", "") == when)
    }

    /// The cards that a player controls, by index.
    fn field(&self, state: &Value, player: usize) -> Vec<Lying> {
        let own = &state["players"][player];
        let mut found = Vec::new();
        for (line, name) in LINES.into_iter().enumerate() {
            let here = cards(&own[name]);
            found.extend(here.iter().map(|id| Lying { line, kind: self.kind(id), place: 0 }));
            for entry in own[format!("{name}_foreign")].as_array().unwrap() {
                let place = places_on(state, player, at(&entry["owner"]));
                let card = Lying { line, kind: self.kind(entry["card"].as_str().unwrap()), place };
                found.extend(vec![card; at(&entry["copies"])]);
            }
        }
        found.sort();
        found
    }

    fn front_humans(&self, state: &Value, player: usize) -> i64 {
        let field = self.field(state, player).into_iter();
        field.filter(|card| card.line == 0 && !self.is_titan(self.id(card.kind))).count() as i64
    }

    /// Whether the `if` of an ability or of a passive holds for a player.
    fn holds(&self, state: &Value, player: usize, of: &Table) -> bool {
        let Some(condition) = of.get("if") else { return true };
        let condition = condition.as_table().unwrap();
        let value = match text(condition, "stat", "") {
            "front_humans" => self.front_humans(state, player),
            "gap" => self.gap(state, player),
            zone => cards(&state["players"][player][zone]).len() as i64,
        };
        (number(condition, "min", i64::MIN)..=number(condition, "max", i64::MAX)).contains(&value)
    }

    /// GV-R9, R19: active passives of this kind on a player's field, with the card that has each.
    fn passives(&self, state: &Value, player: usize, name: &str) -> Vec<(Lying, &Table)> {
        let field = self.field(state, player);
        let mods = |card: &Lying| {
            let passive = self.ability(self.id(card.kind), "passive");
            passive.map_or(Vec::new(), |passive| tables(passive, "mods"))
        };
        let alone = |card: &Lying, entry: &Table| card.line == 1 || flag(entry, "either_line");
        // What makes passives on the Front Line active: without R19 a mute card, too.
        let mut waking = Vec::new();
        for card in &field {
            waking.extend(mods(card).into_iter().filter(|entry| {
                text(entry, "mod", "") == "front_passives"
                    && (alone(card, entry) || !self.keeps("GV-R19"))
                    && self.holds(state, player, entry)
            }));
        }
        let mut found = Vec::new();
        for card in &field {
            let woken =
                waking.iter().any(|entry| self.is_type(self.id(card.kind), entry)) || !self.keeps("GV-R9");
            let active = mods(card).into_iter().filter(|entry| {
                text(entry, "mod", "") == name
                    && (alone(card, entry) || woken)
                    && self.holds(state, player, entry)
            });
            found.extend(active.map(|entry| (*card, entry)));
        }
        if !self.keeps("GV-R19a") {
            found.dedup_by_key(|(card, _)| card.kind);
        }
        found
    }

    /// Sum of the `n` of active passives.
    fn total(&self, state: &Value, player: usize, name: &str) -> i64 {
        self.passives(state, player, name).iter().map(|(_, entry)| number(entry, "n", 1)).sum()
    }

    /// GV-R7c: those who count in a Survey.
    fn counting(&self, state: &Value) -> Vec<usize> {
        let counts = |player: &usize| state["players"][*player]["had_turn"] == true || !self.keeps("GV-R7c");
        in_game(state).into_iter().filter(counts).collect()
    }

    /// The highest Survey Score of those who count, minus the player's own.
    fn gap(&self, state: &Value, player: usize) -> i64 {
        let scores = self.counting(state).into_iter().map(|other| self.score(state, other));
        scores.max().unwrap() - self.score(state, player)
    }

    /// GV-R7a: the Survey Score.
    fn score(&self, state: &Value, player: usize) -> i64 {
        let own = &state["players"][player];
        let humans = self.front_humans(state, player);
        let front = self.field(state, player).iter().filter(|card| card.line == 0).count() as i64;
        let per = self.passives(state, player, "survey_per").into_iter();
        let per = per.map(|(_, entry)| (humans / number(entry, "per", 1)).min(number(entry, "max", 0)));
        let score = humans
            + 3 * (front - humans)
            + self.total(state, player, "survey")
            + per.sum::<i64>()
            + own["modifier"].as_i64().unwrap();
        if self.keeps("GV-R7a") { score.max(0) } else { score }
    }

    /// GV-R7b, R7c: what a player loses if the Survey begins now.
    fn loss(&self, state: &Value, player: usize) -> i64 {
        if !self.counting(state).contains(&player) {
            return 0;
        }
        let wards = if self.keeps("GV-R7b") { self.total(state, player, "ward") } else { 0 };
        (self.gap(state, player) - wards).max(0)
    }

    /// GV-R5: whether T puts only one card into play.
    fn restricted(&self, state: &Value) -> bool {
        let waiting = |player: usize| state["players"][player]["had_turn"] == false;
        in_game(state).into_iter().any(waiting) && self.keeps("GV-R5")
    }

    /// GV-R4b, R5: Humans that T may still play.
    fn plays_left(&self, state: &Value) -> i64 {
        let number_of = |name: &str| state[name].as_i64().unwrap();
        let played = number_of("humans_played");
        if self.restricted(state) {
            return (1 - played - i64::from(state["invoked"] == true)).max(0);
        }
        let turn_player = at(&state["turn_player"]);
        let plays = self.passives(state, turn_player, "plays").into_iter();
        let plays = plays.map(|(_, entry)| number(entry, "n", 1));
        let more = if self.keeps("GV-R4b") { plays.max().unwrap_or(0) } else { plays.sum() };
        (2 + more + number_of("extra_plays") - played).max(0)
    }

    /// GV-R4c, R5.
    fn may_invoke(&self, state: &Value) -> bool {
        (state["invoked"] == false || !self.keeps("GV-R4c"))
            && !(self.restricted(state) && state["humans_played"] != 0)
    }

    /// GV-R4d: the cards that can be chosen next for a sacrifice.
    fn sacrifices(&self, state: &Value) -> Vec<Lying> {
        let player = at(&state["turn_player"]);
        let field = self.field(state, player);
        let active = self.passives(state, player, "sacrifice");
        let worth_two =
            |card: &Lying| self.is_titan(self.id(card.kind)) || active.iter().any(|(by, _)| by == card);
        let first = &state["invoking"]["first"];
        let ones: Vec<usize> = (0..field.len()).filter(|&i| !worth_two(&field[i])).collect();
        let after = |i: usize, j: usize| j > i || j != i && !self.keeps("GV-R4d");
        if first.is_null() {
            let can_begin = |i: usize| worth_two(&field[i]) || ones.iter().any(|&j| after(i, j));
            return (0..field.len()).filter(|&i| can_begin(i)).map(|i| field[i]).collect();
        }
        let line = LINES.iter().position(|line| first["line"] == *line).unwrap();
        let place = places_on(state, player, at(&first["owner"]));
        let chosen = Lying { line, kind: self.kind(first["card"].as_str().unwrap()), place };
        let i = field.iter().position(|card| *card == chosen).unwrap();
        ones.into_iter().filter(|&j| after(i, j)).map(|j| field[j]).collect()
    }

    /// The cards on fields that a player may choose for a step: player, line, card.
    fn targets(&self, state: &Value, player: usize, step: &Table) -> BTreeSet<(usize, usize, String)> {
        let mut found = BTreeSet::new();
        for other in in_game(state) {
            let side = if step.contains_key("who") { "own" } else { text(step, "side", "enemy") };
            if side != "any" && (side == "own") != (other == player) {
                continue;
            }
            let protection = self.passives(state, other, "protect");
            for card in self.field(state, other) {
                let (id, line) = (self.id(card.kind), LINES[card.line]);
                let on = |of: &Table| ["any", line].contains(&text(of, "line", "any"));
                let is_protected = protection.iter().any(|(by, entry)| by.kind != card.kind && on(entry));
                if on(step) && self.is_type(id, step) && (other == player || !is_protected) {
                    found.insert((other, card.line, id.to_string()));
                }
            }
        }
        found
    }

    /// The cards of a deck or pile that a player may choose for a step.
    fn picks(&self, state: &Value, player: usize, step: &Table) -> BTreeSet<String> {
        let verb = text(step, "verb", "");
        let zone = if verb == "search" { "deck" } else { "discard" };
        let last = state["effect"]["last"].as_str().filter(|_| verb == "recycle");
        let fits = |id: &String| {
            self.is_type(id, step)
                && (verb != "resurrect" || !self.is_titan(id))
                && step.get("has").is_none_or(|when| self.ability(id, when.as_str().unwrap()).is_some())
                && last.is_none_or(|last| self.kind(id) >= self.kind(last))
        };
        let found: Vec<String> = cards(&state["players"][player][zone]).into_iter().filter(fits).collect();
        if verb == "recycle" && !flag(step, "up_to") && self.keeps("GV-Q12") {
            // All of them must be chosen (GV-Q12), and none below the last one: enough must be left from each on.
            let due = state["effect"]["left"].as_u64().map_or(1, |left| found.len().min(left as usize));
            let enough =
                |id: &String| found.iter().filter(|other| self.kind(other) >= self.kind(id)).count() >= due;
            return found.iter().filter(|id| enough(id)).cloned().collect();
        }
        found.into_iter().collect()
    }

    /// Whether a step of a player's effect could do something to another.
    fn could_affect(&self, state: &Value, step: &Table, player: usize) -> bool {
        let own = &state["players"][player];
        match text(step, "verb", "") {
            "draw" | "mill" => !cards(&own["deck"]).is_empty(),
            "discard" | "reveal" => !cards(&own["hand"]).is_empty(),
            "survey" => {
                let counts = self.counting(state).contains(&player);
                counts && (number(step, "n", 1) > 0 || self.score(state, player) > 0)
            }
            verb => {
                assert_eq!(verb, "destroy");
                !self.targets(state, player, step).is_empty()
            }
        }
    }

    /// GV-R20: whether a step of a player's effect could do something.
    fn could(&self, state: &Value, step: &Table, player: usize) -> bool {
        let verb = text(step, "verb", "");
        if step.contains_key("who") || ["draw", "mill", "discard", "reveal", "survey"].contains(&verb) {
            let affected = |other: &usize| match text(step, "who", "you") {
                "you" => *other == player,
                "each_player" => true,
                _ => *other != player,
            };
            let mut affected = in_game(state).into_iter().filter(affected);
            return affected.any(|other| self.could_affect(state, step, other));
        }
        match (verb, text(step, "target", "choose")) {
            ("plays", _) => state["stage"] == "play" && state["turn_player"] == player,
            ("ward", _) => state["players"][player]["loss"] != 0,
            ("destroy" | "return" | "move" | "control", _) => !self.targets(state, player, step).is_empty(),
            (_, "that") => {
                let that = state["window"]["card"].as_str().unwrap();
                copies(&state["players"][player]["discard"], that) > 0
            }
            (_, target) => {
                assert_eq!(target, "choose");
                !self.picks(state, player, step).is_empty()
            }
        }
    }

    /// GV-R20: whether a player may use the effect of a card that has this timing.
    fn usable(&self, state: &Value, player: usize, id: &str, when: &str) -> bool {
        let Some(ability) = self.ability(id, when) else { return false };
        let own = &state["players"][player];
        let used = own["used"].as_array().unwrap().iter().any(|used| used == id);
        // A card used from the hand does not pay for itself.
        let hand = cards(&own["hand"]).len() - usize::from(when != "activate");
        let can_pay = |cost: &&Table| match text(cost, "kind", "") {
            "discard" => hand >= number(cost, "n", 1) as usize,
            // A deck with too few cards is emptied (GV-Q4).
            _ => true,
        };
        (!ability.contains_key("limit") || !used || !self.keeps("GV-R11a"))
            && self.holds(state, player, ability)
            && tables(ability, "cost").iter().all(can_pay)
            && (!self.keeps("GV-R20") || self.could(state, tables(ability, "do")[0], player))
    }

    /// GV-Q7, Q7a: whether a copy on the Back Line of T can be activated.
    fn unspent(&self, state: &Value, player: usize, id: &str) -> bool {
        let on_back = |card: &&Lying| card.line == 1 && self.id(card.kind) == id;
        let field = self.field(state, player);
        let spent = if self.keeps("GV-Q7") { copies(&state["spent"], id) } else { 0 };
        field.iter().filter(on_back).count() > spent && copies(&state["activations"], id) < 3
    }

    /// The step that is being executed.
    fn step(&self, state: &Value) -> &Table {
        let effect = &state["effect"];
        let ability = self.ability(effect["card"].as_str().unwrap(), effect["timing"].as_str().unwrap());
        let stage = effect["stage"].as_str().unwrap();
        let step: usize = stage.strip_prefix("step").unwrap().parse().unwrap();
        tables(ability.unwrap(), "do")[step - 1]
    }

    /// GV-R1a, R1b: whether a card can be picked for a deck.
    fn fits(&self, picks: &Value, id: &str) -> bool {
        let most = if self.is_titan(id) { 1 } else { 3 };
        let picked = cards(picks);
        let titans = picked.iter().filter(|id| self.is_titan(id)).count() + usize::from(self.is_titan(id));
        let room = 30 - (picked.len() + 1) >= 3usize.saturating_sub(titans);
        copies(picks, id) < most && (room || !self.keeps("GV-R1a"))
    }

    /// GV-R3a: the numbers of cards that T may draw.
    fn draws(&self, state: &Value, player: usize) -> BTreeSet<i64> {
        let own = &state["players"][player];
        let more = self.total(state, player, "draw").min(3);
        let mut found: BTreeSet<i64> = (1..=1 + more).collect();
        if cards(&own["hand"]).is_empty() {
            found.extend(3..=3 + more);
        }
        let deck = cards(&own["deck"]).len() as i64;
        let smallest = found.iter().copied().find(|&n| n >= deck);
        found.retain(|&n| n < deck || Some(n) == smallest || !self.keeps("GV-R3a"));
        found
    }

    /// What a player who must decide may do.
    fn actions(&self, state: &Value, player: usize) -> BTreeSet<String> {
        let own = &state["players"][player];
        let hand = cards(&own["hand"]);
        let phase = state["phase"].as_str().unwrap();
        let chosen = |id: &String| format!("choose {id}");
        let seated = |other: usize| format!("player +{}", places_on(state, player, other));
        let target = |other: usize, line: usize, id: &str| {
            format!("target {id} on {} of player +{}", LINES[line], places_on(state, player, other))
        };
        let ids = || self.kinds.keys();
        let mut found: BTreeSet<String> = match phase {
            "build" => ids().filter(|id| self.fits(&own["deck"], id)).map(chosen).collect(),
            "draw" => self.draws(state, player).iter().map(|n| format!("draw {n}")).collect(),
            "play" => {
                let humans = self.plays_left(state) > 0;
                let titans = self.may_invoke(state) && !self.sacrifices(state).is_empty();
                let can_play = |id: &&String| if self.is_titan(id) { titans } else { humans };
                let verb = |id: &str| if self.is_titan(id) { "invoke" } else { "play" };
                let both = |id: &String| LINES.map(|line| format!("{} {id} to {line}", verb(id)));
                hand.iter().filter(can_play).flat_map(both).collect()
            }
            "sacrifice" => {
                let cards = self.sacrifices(state).into_iter();
                cards.map(|card| target(player, card.line, self.id(card.kind))).collect()
            }
            "effect" => {
                let active = ids().filter(|id| self.unspent(state, player, id));
                let active = active.filter(|id| self.usable(state, player, id, "activate"));
                let held = hand.iter().filter(|id| self.usable(state, player, id, "hand"));
                let held = held.map(|id| format!("use {id} from hand"));
                active.map(|id| format!("activate {id}")).chain(held).collect()
            }
            "ward" | "window" => {
                let event = if phase == "ward" { "survey_loss" } else { "destroyed" };
                let answers = |id: &&String| {
                    let ability = self.ability(id, "window");
                    ability.is_some_and(|ability| text(ability, "event", "") == event)
                        && self.usable(state, player, id, "window")
                };
                hand.iter().filter(answers).map(|id| format!("use {id} from hand")).collect()
            }
            "may" => BTreeSet::from(["yes".to_string()]),
            "player" => {
                let could = |other: &usize| self.could_affect(state, self.step(state), *other);
                let opponents = in_game(state).into_iter().filter(|&other| other != player);
                opponents.filter(could).map(seated).collect()
            }
            "field" => {
                let targets = self.targets(state, player, self.step(state)).into_iter();
                targets.map(|(other, line, id)| target(other, line, &id)).collect()
            }
            "owner" => {
                let (subject, invoking) = (&state["subject"], &state["invoking"]);
                let on = at(&subject["player"]);
                let cards = if invoking.is_null() { self.field(state, on) } else { self.sacrifices(state) };
                let named = |card: &Lying| {
                    subject["line"] == LINES[card.line] && subject["card"] == self.id(card.kind)
                };
                let owners = cards.into_iter().filter(named);
                owners.map(|card| seated((on + card.place) % players(state))).collect()
            }
            "card" if state["effect"]["stage"] == "cost" => hand.iter().map(chosen).collect(),
            "card" => {
                let step = self.step(state);
                match (text(step, "verb", ""), text(step, "by", "holder")) {
                    ("discard", "holder") => hand.iter().map(chosen).collect(),
                    ("discard", _) => {
                        let other = at(&state["effect"]["opponent"]);
                        cards(&state["players"][other]["hand"]).iter().map(chosen).collect()
                    }
                    _ => self.picks(state, player, step).iter().map(chosen).collect(),
                }
            }
            _ => LINES.map(|line| format!("line {line}")).into(),
        };
        let can_decline = match phase {
            "play" | "effect" | "ward" | "window" | "may" => true,
            // A search that finds nothing is a decision with PASS alone (GV-Q9a).
            "field" | "card" if state["effect"]["stage"] != "cost" => {
                let step = self.step(state);
                flag(step, "up_to") || text(step, "verb", "") == "search" && found.is_empty()
            }
            _ => false,
        };
        found.extend(can_decline.then(|| "pass".to_string()));
        found
    }

    /// Who must decide.
    fn deciders(&self, state: &Value) -> Vec<usize> {
        let effect = &state["effect"];
        match state["phase"].as_str().unwrap() {
            "over" | "cut" => Vec::new(),
            "build" => {
                let picks = |player: &usize| {
                    let own = &state["players"][*player];
                    cards(&own["deck"]).len() < 30 && own["pick"].is_null()
                };
                (0..players(state)).filter(picks).collect()
            }
            "draw" | "play" | "effect" | "sacrifice" => vec![at(&state["turn_player"])],
            "owner" if !state["invoking"].is_null() => vec![at(&state["turn_player"])],
            "ward" => {
                let due = at(&state["current_player"]);
                assert!(state["players"][due]["loss"] != 0, "{state}");
                vec![due]
            }
            "window" => vec![at(&state["window"]["player"])],
            "field" | "card" | "owner" if !effect["chooser"].is_null() => vec![at(&effect["chooser"])],
            _ => vec![at(&effect["player"])],
        }
    }

    /// GV-R18b: who decides first before losses are milled.
    fn first_in_survey(&self, state: &Value) -> Option<usize> {
        let can_use =
            |player: &usize| state["players"][*player]["loss"] != 0 && self.actions(state, *player).len() > 1;
        let turn_player = if self.keeps("GV-R18b") { at(&state["turn_player"]) } else { 0 };
        let mut order: Vec<usize> = in_game(state);
        order.sort_by_key(|&player| places_on(state, turn_player, player));
        order.into_iter().find(can_use)
    }

    /// GV-Q9a, "Forced moves": whether a player may have to decide with a single action.
    fn stands_alone(&self, state: &Value, player: usize, possible: bool) -> bool {
        let hand = cards(&state["players"][player]["hand"]).len();
        match state["phase"].as_str().unwrap() {
            "build" => true,
            "play" | "effect" => possible && hand > 0,
            "ward" | "window" => possible,
            "card" if state["effect"]["stage"] == "cost" => possible && hand > 1,
            "card" => {
                let (step, verb) = (self.step(state), text(self.step(state), "verb", ""));
                let own = verb == "discard" && text(step, "by", "holder") == "holder" && hand > 1;
                possible && (verb == "search" || own)
            }
            _ => false,
        }
    }

    /// GV-R2: whether a player has lost.
    fn has_lost(&self, player: &Value) -> bool {
        let titans = cards(&player["discard"]).iter().filter(|id| self.is_titan(id)).count();
        cards(&player["deck"]).is_empty() || titans >= 3
    }

    /// GV-Q3, Q13: who wins. The cards of those who lost last still lie there (GV-Q5).
    fn winners(&self, state: &Value) -> Vec<usize> {
        let left = in_game(state);
        let zones = ["front", "back", "hand", "deck", "discard"];
        let has_cards = |player: &usize| {
            let own = &state["players"][*player];
            zones.iter().any(|zone| !cards(&own[zone]).is_empty())
        };
        if left.is_empty() && self.keeps("GV-Q3") {
            return (0..players(state)).filter(has_cards).collect();
        }
        left
    }

    /// What the greedy agent counts of a player.
    pub(crate) fn strength(&self, state: &Value, player: usize) -> i64 {
        let own = &state["players"][player];
        let number = |zone: &str| cards(&own[zone]).len() as i64;
        let field = self.field(state, player);
        let titans = |ids: &mut dyn Iterator<Item = &str>| ids.filter(|id| self.is_titan(id)).count();
        let fielded = titans(&mut field.iter().map(|card| self.id(card.kind))) as i64;
        let fallen = titans(&mut cards(&own["discard"]).iter().map(String::as_str));
        let used = |id: &str| own["used"].as_array().unwrap().iter().any(|used| used == id);
        let (mut ready, mut passive) = (0, 0);
        for card in field.iter().filter(|card| card.line == 1) {
            let id = self.id(card.kind);
            let activate = self.ability(id, "activate");
            ready += i64::from(activate.is_some_and(|found| !found.contains_key("limit") || !used(id)));
            passive += i64::from(self.ability(id, "passive").is_some());
        }
        let gap = (self.gap(state, player) - self.total(state, player, "ward")).max(0);
        let hand = number("hand");
        10 * (number("deck") - own["loss"].as_i64().unwrap())
            + 11 * hand.min(3)
            + 4 * (hand - 3).max(0)
            + 3 * self.score(state, player)
            - 20 * gap
            - [0, 15, 50][fallen.min(2)]
            + 16 * fielded
            + 26 * ready
            + 14 * passive
    }

    /// Where the engine and the reference differ.
    pub(crate) fn differences(&self, said: &Said) -> Vec<String> {
        let state = &said.json;
        let over = ["over", "cut"].contains(&state["phase"].as_str().unwrap());
        let mut found = Vec::new();
        let mut equal = |what: &str, engine: Value, reference: Value| {
            if engine != reference {
                found.push(format!("{what}: engine {engine}, reference {reference}"));
            }
        };
        for (player, own) in state["players"].as_array().unwrap().iter().enumerate() {
            let here = own["in_game"] == true;
            if here && state["stage"] != "build" {
                equal("Survey Score", own["survey"].clone(), self.score(state, player).into());
                equal("lost", false.into(), self.has_lost(own).into());
            }
            if here && said.survey_begins {
                equal("loss", own["loss"].clone(), self.loss(state, player).into());
            }
            let deck = cards(&own["deck"]).len();
            equal("score", said.scores[player].into(), if here { deck } else { 0 }.into());
            if over && !here && self.winners(state).contains(&player) {
                equal("lost at the end", true.into(), self.has_lost(own).into());
            }
        }
        let (plays, may) = match state["stage"].as_str().unwrap() {
            "draw" | "play" => (self.plays_left(state), self.may_invoke(state)),
            _ => (0, false),
        };
        if !over {
            equal("restricted", state["restricted"].clone(), self.restricted(state).into());
            equal("plays left", state["plays_left"].clone(), plays.into());
            equal("invocation left", state["invocation_left"].clone(), may.into());
        }
        if over {
            equal("winners", json!(said.winners), json!(self.winners(state)));
            equal("over", (state["phase"] == "over").into(), (in_game(state).len() < 2).into());
        }
        let acting: Vec<usize> = said.legal.keys().copied().collect();
        equal("who decides", json!(acting), json!(self.deciders(state)));
        if said.survey_begins && !said.possible {
            equal("who decides first", json!(acting), json!([self.first_in_survey(state)]));
        }
        for (&player, legal) in &said.legal {
            equal(&format!("actions of player {player}"), json!(legal), json!(self.actions(state, player)));
            let decides = legal.len() > 1 || self.stands_alone(state, player, said.possible);
            equal("a decision", true.into(), decides.into());
        }
        found
    }

    /// The kind of decision, and for an effect what is chosen for: `card search`, `field destroy`.
    pub(crate) fn decision(&self, state: &Value) -> String {
        let phase = state["phase"].as_str().unwrap();
        match phase {
            "field" | "card" | "player" if state["effect"]["stage"] == "cost" => format!("{phase} cost"),
            "field" | "card" | "player" => format!("{phase} {}", text(self.step(state), "verb", "")),
            "owner" if !state["invoking"].is_null() => "owner sacrifice".into(),
            _ => phase.into(),
        }
    }
}
