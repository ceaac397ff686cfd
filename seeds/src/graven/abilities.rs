//! The abilities of a card: read from the content, refused with reasons, compiled.

use super::cards::*;
use super::content::quoted;
use super::state::{DECK, Timing};
use playmat_core::content::{DeTable, DeValue, Reader, optional};
use playmat_core::prelude::*;
use std::ops::Range;

/// What is known of all cards before any is read.
pub(super) struct Names {
    /// By kind: whether it is a Titan.
    pub(super) titans: Vec<bool>,
    /// By kind: the words after `when`.
    pub(super) timings: Vec<Vec<String>>,
}

impl Names {
    /// Kinds of a type; `None`: all.
    fn kinds(&self, titan: Option<bool>) -> u64 {
        let fits = |is: &bool| titan.is_none_or(|wanted| wanted == *is);
        let kinds = self.titans.iter().enumerate().take(64);
        kinds.filter(|(_, is)| fits(is)).fold(0, |set, (k, _)| set | 1 << k)
    }

    /// Kinds that have a timing.
    fn having(&self, when: &str) -> u64 {
        let kinds = self.timings.iter().enumerate().take(64);
        kinds.filter(|(_, all)| all.iter().any(|w| w == when)).fold(0, |set, (k, _)| set | 1 << k)
    }
}

/// A table with its place in the file.
type Table<'t, 'i> = (&'t DeTable<'i>, &'t Range<usize>);

fn truth(reader: &mut Reader<'_>, place: &str, value: &Spanned<DeValue<'_>>) -> bool {
    match value.get_ref() {
        DeValue::Boolean(truth) => *truth,
        other => {
            let found = other.type_str();
            reader.wrong(&value.span(), format!("{place}{found} instead of true or false"));
            false
        }
    }
}

/// The word of an optional field, or what stands for it.
fn choice<T: Copy>(
    reader: &mut Reader<'_>,
    place: &str,
    table: &DeTable<'_>,
    name: &str,
    words: &[(&str, T)],
    default: T,
) -> T {
    let Some(value) = optional(table, name) else { return default };
    reader.one_of(&format!("{place}`{name}`: "), value, words).unwrap_or(default)
}

const WHEN: [(&str, Option<Timing>); 6] = [
    ("passive", None),
    ("enter", Some(Timing::Enter)),
    ("activate", Some(Timing::Activate)),
    ("hand", Some(Timing::Hand)),
    ("window", Some(Timing::Window)),
    ("discarded", Some(Timing::Discarded)),
];

/// Reads all abilities of a card.
pub(super) fn read(
    reader: &mut Reader<'_>,
    place: &str,
    card: Table<'_, '_>,
    names: &Names,
    kind: usize,
    out: &mut Card,
) {
    let Some(value) = optional(card.0, "ability") else {
        reader.wrong(card.1, format!("{place}no `ability`: every card has an effect"));
        return;
    };
    let Some(items) = reader.list(&format!("{place}`ability`: "), value) else { return };
    if items.is_empty() {
        reader.wrong(&value.span(), format!("{place}no `ability`: every card has an effect"));
    }
    let (mut seen, mut limits): (Vec<Option<Timing>>, usize) = (Vec::new(), 0);
    for item in items {
        let Some(table) = reader.table(&format!("{place}ability: "), item) else { continue };
        let span = item.span();
        let Some(when) = reader.field(&format!("{place}ability: "), (table, &span), "when") else { continue };
        let Some(timing) = reader.one_of(&format!("{place}`when`: "), when, &WHEN) else { continue };
        let name = timing.map_or("passive", Timing::name);
        if seen.contains(&timing) {
            reader.wrong(&when.span(), format!("{place}a second ability with `when = \"{name}\"`"));
        }
        seen.push(timing);
        let place = format!("{place}{name}: ");
        let Some(timing) = timing else {
            passive(reader, &place, (table, &span), out);
            continue;
        };
        let mut one = One { reader, names, kind, timing, place };
        let ability = one.read((table, &span));
        if ability.limit != Limit::None {
            limits += 1;
            if limits == 2 {
                let at = optional(table, "limit").map_or(span.clone(), Spanned::span);
                reader.wrong(&at, format!("{}a second ability with a limit", one_place(out, name)));
            }
        }
        out.abilities[timing as usize] = Some(ability);
    }
}

fn one_place(card: &Card, name: &str) -> String {
    format!("card `{}`: {name}: ", quoted(&card.id))
}

/// A condition.
fn condition(
    reader: &mut Reader<'_>,
    place: &str,
    value: &Spanned<DeValue<'_>>,
    passive: bool,
) -> Option<Cond> {
    let place = format!("{place}`if`: ");
    let table = reader.table(&place, value)?;
    reader.known(&place, table, &["stat", "min", "max"]);
    let words =
        [("front_humans", Stat::FrontHumans), ("hand", Stat::Hand), ("deck", Stat::Deck), ("gap", Stat::Gap)];
    let stat = reader.field(&place, (table, &value.span()), "stat")?;
    let at = stat.span();
    let stat = reader.one_of(&format!("{place}`stat`: "), stat, &words)?;
    if passive && stat == Stat::Gap {
        let message = "`gap` depends on passives and cannot be the condition of one";
        reader.wrong(&at, format!("{place}{message}"));
    }
    // A hand or a deck holds cards of its owner alone.
    let most = if matches!(stat, Stat::Hand | Stat::Deck) { DECK.into() } else { 999 };
    let mut bound = |name: &str| match optional(table, name) {
        None => Some(None),
        Some(value) => reader.whole_within(&format!("{place}`{name}`: "), value, (0, most)).map(Some),
    };
    let (min, max) = (bound("min")?, bound("max")?);
    if min.is_none() && max.is_none() {
        reader.wrong(&value.span(), format!("{place}neither `min` nor `max`: it always holds"));
        return None;
    }
    let cond =
        Cond { stat, min: min.map_or(i32::MIN, |n| n as i32), max: max.map_or(i32::MAX, |n| n as i32) };
    if cond.min > cond.max {
        reader.wrong(&value.span(), format!("{place}`min` is {}, above `max`, {}", cond.min, cond.max));
    }
    Some(cond)
}

/// An n of `survey`: nothing is no change.
fn change(reader: &mut Reader<'_>, place: &str, value: &Spanned<DeValue<'_>>) -> Option<i64> {
    let place = format!("{place}`n`: ");
    let n = reader.whole_within(&place, value, (-9, 9))?;
    if n == 0 {
        reader.wrong(&value.span(), format!("{place}0 changes nothing; allowed: -9 to -1, 1 to 9"));
        return None;
    }
    Some(n)
}

const LINE_WORDS: [(&str, u8); 3] = [("front", 0b01), ("back", 0b10), ("any", 0b11)];

/// The entries of a passive.
fn passive(reader: &mut Reader<'_>, place: &str, (table, span): Table<'_, '_>, out: &mut Card) {
    reader.known(place, table, &["when", "mods"]);
    let Some(value) = reader.field(place, (table, span), "mods") else { return };
    let place = format!("{place}`mods`: ");
    let items = reader.list(&place, value).unwrap_or_default();
    if !(1..=MAX_MODS).contains(&items.len()) {
        reader.wrong(&value.span(), format!("{place}{} entries; allowed: 1 to {MAX_MODS}", items.len()));
    }
    for item in items.iter().take(MAX_MODS) {
        if let Some(entry) = modification(reader, &place, item) {
            out.mods.1[usize::from(out.mods.0)] = entry;
            out.mods.0 += 1;
        }
    }
}

fn modification(reader: &mut Reader<'_>, place: &str, value: &Spanned<DeValue<'_>>) -> Option<Mod> {
    let (table, span) = (reader.table(place, value)?, value.span());
    let word = reader.field(place, (table, &span), "mod")?;
    let kind = reader.one_of(&format!("{place}`mod`: "), word, &ModKind::WORDS)?;
    let place = format!("{place}{}: ", kind.name());
    let own: &[&str] = match kind {
        ModKind::Draw | ModKind::Plays | ModKind::Survey | ModKind::Ward | ModKind::Sacrifice => &["n"],
        ModKind::SurveyPer => &["per", "max"],
        ModKind::Protect => &["line"],
        ModKind::FrontPassives => &["type"],
    };
    let known: Vec<&str> = ["mod", "if", "either_line"].iter().chain(own).copied().collect();
    reader.known(&place, table, &known);
    let mut entry = Mod { kind, n: 1, ..Mod::default() };
    let mut read = |name: &str, range: (i64, i64)| {
        optional(table, name).map(|value| reader.whole_within(&format!("{place}`{name}`: "), value, range))
    };
    match kind {
        ModKind::Survey => {
            let n = optional(table, "n").and_then(|value| change(reader, &place, value));
            entry.n = n.unwrap_or(1) as i8;
        }
        ModKind::Sacrifice => entry.n = read("n", (2, 2)).flatten().unwrap_or(2) as i8,
        ModKind::SurveyPer => {
            entry.n = read("per", (1, 9)).flatten().unwrap_or(1) as i8;
            entry.max = read("max", (1, 99)).flatten().unwrap_or(99) as u8;
        }
        ModKind::Protect => entry.lines = choice(reader, &place, table, "line", &LINE_WORDS, 0b11),
        ModKind::FrontPassives => {
            let words = [("human", false), ("any", true)];
            entry.any = choice(reader, &place, table, "type", &words, true);
        }
        _ => entry.n = read("n", (1, 9)).flatten().unwrap_or(1) as i8,
    }
    if let Some(value) = optional(table, "either_line") {
        entry.either = truth(reader, &format!("{place}`either_line`: "), value);
    }
    if let Some(value) = optional(table, "if") {
        entry.cond = condition(reader, &place, value, true)?;
    }
    Some(entry)
}

/// One ability being read.
struct One<'r, 'c, 'n> {
    reader: &'r mut Reader<'c>,
    names: &'n Names,
    kind: usize,
    timing: Timing,
    place: String,
}

impl One<'_, '_, '_> {
    fn wrong(&mut self, span: &Range<usize>, message: impl Into<String>) {
        let message = format!("{}{}", self.place, message.into());
        self.reader.wrong(span, message);
    }

    fn read(&mut self, (table, span): Table<'_, '_>) -> Ability {
        let own: &[&str] = match self.timing {
            Timing::Enter => &["may"],
            Timing::Discarded => &["may", "from"],
            Timing::Window => &["event"],
            _ => &[],
        };
        let known: Vec<&str> = ["when", "limit", "if", "cost", "do"].iter().chain(own).copied().collect();
        self.reader.known(&self.place, table, &known);
        let mut ability = Ability::default();
        let words = [("turn", Limit::Turn), ("game", Limit::Game)];
        ability.limit = choice(self.reader, &self.place, table, "limit", &words, Limit::None);
        if let Some(value) = optional(table, "if") {
            ability.cond = condition(self.reader, &self.place, value, false).unwrap_or_default();
        }
        if let Some(value) = optional(table, "may").filter(|_| own.contains(&"may")) {
            ability.may = truth(self.reader, &format!("{}`may`: ", self.place), value);
        }
        if self.timing == Timing::Discarded {
            ability.from = self.from((table, span));
        }
        if self.timing == Timing::Window
            && let Some(value) = self.reader.field(&self.place, (table, span), "event")
        {
            let words = [("destroyed", Moment::Destroyed), ("survey_loss", Moment::SurveyLoss)];
            let place = format!("{}`event`: ", self.place);
            ability.event = self.reader.one_of(&place, value, &words).unwrap_or_default();
        }
        if let Some(value) = optional(table, "cost") {
            self.costs(value, &mut ability);
        }
        self.steps((table, span), &mut ability);
        ability
    }

    /// Places that the card must come from.
    fn from(&mut self, table: Table<'_, '_>) -> u8 {
        let Some(value) = self.reader.field(&self.place, table, "from") else { return 0 };
        let place = format!("{}`from`: ", self.place);
        if let DeValue::String(_) = value.get_ref() {
            return self.reader.one_of(&place, value, &Origin::WORDS).map_or(0, |from| 1 << from as u8);
        }
        let Some(items) = self.reader.list(&place, value) else { return 0 };
        if items.is_empty() {
            self.wrong(&value.span(), "`from` is empty: it would never happen");
        }
        let mut set = 0;
        for item in items {
            let Some(from) = self.reader.one_of(&place, item, &Origin::WORDS) else { continue };
            if set >> from as u8 & 1 != 0 {
                self.wrong(&item.span(), format!("`from`: `{}` twice", from.name()));
            }
            set |= 1 << from as u8;
        }
        set
    }

    fn costs(&mut self, value: &Spanned<DeValue<'_>>, ability: &mut Ability) {
        let place = format!("{}`cost`: ", self.place);
        let Some(items) = self.reader.list(&place, value) else { return };
        if !(1..=MAX_COSTS).contains(&items.len()) {
            self.wrong(&value.span(), format!("`cost`: {} entries; allowed: 1 to {MAX_COSTS}", items.len()));
        }
        for item in items.iter().take(MAX_COSTS) {
            let Some(cost) = self.cost(&place, item) else { continue };
            if cost == Cost::DestroySelf && ability.costs().contains(&Cost::DestroySelf) {
                self.wrong(&item.span(), "`cost`: `destroy_self` twice");
            }
            ability.costs.1[usize::from(ability.costs.0)] = cost;
            ability.costs.0 += 1;
        }
    }

    fn cost(&mut self, place: &str, item: &Spanned<DeValue<'_>>) -> Option<Cost> {
        let (table, span) = (self.reader.table(place, item)?, item.span());
        let value = self.reader.field(place, (table, &span), "kind")?;
        let words = [("discard", 0), ("mill", 1), ("destroy_self", 2)];
        let kind = self.reader.one_of(&format!("{place}`kind`: "), value, &words)?;
        let known: &[&str] = if kind == 2 { &["kind"] } else { &["kind", "n"] };
        self.reader.known(place, table, known);
        if kind == 2 {
            if self.timing != Timing::Activate {
                self.wrong(&value.span(), "`destroy_self` is a cost of `activate` alone");
            }
            return Some(Cost::DestroySelf);
        }
        let n = match optional(table, "n") {
            Some(value) => self.reader.whole_within(&format!("{place}`n`: "), value, (1, 9))?,
            None => 1,
        };
        Some(if kind == 0 { Cost::Discard(n as u8) } else { Cost::Mill(n as u8) })
    }

    fn steps(&mut self, table: Table<'_, '_>, ability: &mut Ability) {
        let Some(value) = self.reader.field(&self.place, table, "do") else { return };
        let Some(items) = self.reader.list(&format!("{}`do`: ", self.place), value) else { return };
        if !(1..=MAX_STEPS).contains(&items.len()) {
            self.wrong(&value.span(), format!("`do`: {} steps; allowed: 1 to {MAX_STEPS}", items.len()));
        }
        for item in items.iter().take(MAX_STEPS) {
            let before = ability.steps().last().map(|step| step.verb);
            let Some(step) = self.step(item, ability, before) else { continue };
            ability.steps.1[usize::from(ability.steps.0)] = step;
            ability.steps.0 += 1;
        }
    }

    fn step(&mut self, item: &Spanned<DeValue<'_>>, ability: &Ability, before: Option<Verb>) -> Option<Step> {
        let outer = format!("{}`do`: ", self.place);
        let (table, span) = (self.reader.table(&outer, item)?, item.span());
        let value = self.reader.field(&outer, (table, &span), "verb")?;
        let verb = self.reader.one_of(&format!("{outer}`verb`: "), value, &Verb::WORDS)?;
        let place = format!("{}{}: ", self.place, verb.name());
        let known: Vec<&str> = std::iter::once("verb").chain(verb.parameters().iter().copied()).collect();
        self.reader.known(&place, table, &known);
        let mut step = Step { verb, n: 1, ..Step::default() };
        let has = |name: &str| verb.parameters().contains(&name);
        if let Some(value) = optional(table, "n").filter(|_| has("n")) {
            let n = match verb {
                Verb::Survey => change(self.reader, &place, value),
                _ => self.reader.whole_within(&format!("{place}`n`: "), value, (1, 9)),
            };
            step.n = n.unwrap_or(1) as i8;
        }
        self.whom(&place, table, &mut step);
        self.which(&place, table, &mut step);
        self.whither(&place, (table, &span), &mut step);
        self.check(&place, (table, &span), ability, before, &step);
        Some(step)
    }

    /// `who`, `by`.
    fn whom(&mut self, place: &str, table: &DeTable<'_>, step: &mut Step) {
        let has = |name: &str| step.verb.parameters().contains(&name);
        let words = [
            ("you", Who::You),
            ("opponent", Who::Opponent),
            ("each_opponent", Who::EachOpponent),
            ("each_player", Who::EachPlayer),
        ];
        let (who, by) = (optional(table, "who").is_some(), optional(table, "by").is_some());
        if has("who") {
            step.who = choice(self.reader, place, table, "who", &words, Who::You);
        }
        if has("by") {
            let words = [("holder", By::Holder), ("you", By::You), ("random", By::Random)];
            let words = if step.verb == Verb::Destroy { &words[..1] } else { &words[..] };
            step.by = choice(self.reader, place, table, "by", words, By::Holder);
        }
        step.held = step.verb == Verb::Destroy && (who || by);
    }

    /// `side`, `line`, `type`, `has`, `up_to`, `target`.
    fn which(&mut self, place: &str, table: &DeTable<'_>, step: &mut Step) {
        let has = |name: &str| step.verb.parameters().contains(&name);
        let sides = [("own", (true, false)), ("enemy", (false, true)), ("any", (true, true))];
        (step.own, step.enemy) = (false, true);
        if has("side") {
            (step.own, step.enemy) = choice(self.reader, place, table, "side", &sides, (false, true));
        }
        step.lines = 0b11;
        if has("line") {
            step.lines = choice(self.reader, place, table, "line", &LINE_WORDS, 0b11);
        }
        step.kinds = self.names.kinds(None);
        if has("type") {
            let words = [("human", Some(false)), ("titan", Some(true)), ("any", None)];
            step.kinds = self.names.kinds(choice(self.reader, place, table, "type", &words, None));
        }
        if step.verb == Verb::Resurrect {
            step.kinds = self.names.kinds(Some(false));
        }
        if let Some(value) = optional(table, "has").filter(|_| has("has")) {
            let words = WHEN.map(|(word, _)| (word, word));
            let word = self.reader.one_of(&format!("{place}`has`: "), value, &words);
            step.kinds &= word.map_or(u64::MAX, |word| self.names.having(word));
            step.has = word;
        }
        if let Some(value) = optional(table, "up_to").filter(|_| has("up_to")) {
            step.up_to = truth(self.reader, &format!("{place}`up_to`: "), value);
        }
        if has("target") {
            let words = [("choose", Target::Choose), ("self", Target::Itself), ("that", Target::That)];
            let words = if step.verb == Verb::Resurrect { &words[..] } else { &words[..2] };
            step.target = choice(self.reader, place, table, "target", words, Target::Choose);
        }
    }

    /// `to`.
    fn whither(&mut self, place: &str, table: Table<'_, '_>, step: &mut Step) {
        if step.verb == Verb::Return {
            let Some(value) = self.reader.field(place, table, "to") else { return };
            let words = [("hand", To::Hand), ("deck", To::Deck)];
            step.to = self.reader.one_of(&format!("{place}`to`: "), value, &words).unwrap_or(To::Hand);
        }
        if step.verb == Verb::Control {
            let words = [("same", To::Same), ("front", To::Front), ("back", To::Back)];
            step.to = choice(self.reader, place, table.0, "to", &words, To::Same);
        }
    }

    /// What fits no other part of the ability.
    fn check(
        &mut self,
        place: &str,
        (table, span): Table<'_, '_>,
        ability: &Ability,
        before: Option<Verb>,
        step: &Step,
    ) {
        let at = |name: &str| optional(table, name).map_or(span.clone(), Spanned::span);
        let mut wrong = |at: &Range<usize>, message: &str| self.reader.wrong(at, format!("{place}{message}"));
        let window = |event| self.timing == Timing::Window && ability.event == event;
        if step.held {
            for name in ["side", "up_to"] {
                if optional(table, name).is_some() {
                    wrong(&at(name), &format!("`{name}` has no place beside `who`: the holder chooses"));
                }
            }
        }
        if step.verb == Verb::Reveal && step.who != Who::Opponent {
            wrong(&at("who"), "`who` must be `opponent`");
        }
        if step.verb == Verb::Discard && step.by == By::You {
            if before != Some(Verb::Reveal) {
                wrong(&at("by"), "`by = \"you\"` needs a `reveal` as the step before");
            }
            if step.who != Who::Opponent {
                wrong(&at("who"), "`by = \"you\"` needs `who = \"opponent\"`");
            }
        }
        if step.verb == Verb::Ward && !window(Moment::SurveyLoss) {
            wrong(span, "only in a `survey_loss` window");
        }
        if step.target == Target::That && !window(Moment::Destroyed) {
            wrong(&at("target"), "`that` is the Human of a `destroyed` window");
        }
        if step.target == Target::Itself
            && step.verb == Verb::Resurrect
            && self.names.titans.get(self.kind) == Some(&true)
        {
            wrong(&at("target"), "a Titan cannot be resurrected");
        }
        if step.target != Target::Choose && step.up_to {
            wrong(&at("up_to"), "`up_to` has no place where `target` leaves no choice");
        }
        if step.target != Target::Choose && step.n != 1 {
            wrong(&at("n"), "one card where `target` leaves no choice");
        }
        if step.target == Target::Itself && optional(table, "type").is_some() {
            wrong(&at("type"), "`type` has no place where `target` leaves no choice");
        }
        if step.verb == Verb::Search && step.kinds == 0 {
            let name = if optional(table, "has").is_some() { "has" } else { "type" };
            wrong(&at(name), "no card of the content is one that could be found");
        }
        let grows = step.verb == Verb::Recycle || (step.verb == Verb::Return && step.to == To::Deck);
        if grows && ability.limit != Limit::Game {
            wrong(span, "cards put into a deck need `limit = \"game\"`, or games might not end");
        }
    }
}
