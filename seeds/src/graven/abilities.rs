//! The abilities of a card: read from the content, refused with reasons, compiled.

use super::cards::*;
use super::content::quoted;
use super::state::{DECK, Timing};
use playmat_core::content::{DeValue, Entry, Reader, optional};
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
        set(&self.titans, |is| titan.is_none_or(|wanted| wanted == *is))
    }

    /// Kinds that have a timing.
    fn having(&self, when: &str) -> u64 {
        set(&self.timings, |all| all.iter().any(|word| word == when))
    }
}

/// Kinds of which something is so, a bit each.
fn set<T>(by_kind: &[T], is_so: impl Fn(&T) -> bool) -> u64 {
    (0..64).zip(by_kind).filter(|(_, of)| is_so(of)).fold(0, |set, (kind, _)| set | 1 << kind)
}

/// A table of a card, and the reader that notes what is wrong in it.
struct Part<'r, 'c, 't, 'i> {
    reader: &'r mut Reader<'c>,
    entry: Entry<'t, 'i>,
}

impl<'r, 'c, 't, 'i> Part<'r, 'c, 't, 'i> {
    fn new(reader: &'r mut Reader<'c>, place: String, value: &'t Spanned<DeValue<'i>>) -> Option<Self> {
        let table = reader.table(&place, value)?;
        Some(Part { reader, entry: Entry { table, span: value.span(), place } })
    }

    fn get(&self, name: &str) -> Option<&'t Spanned<DeValue<'i>>> {
        optional(self.entry.table, name)
    }

    /// Where a field stands, or the table if it is missing.
    fn span(&self, name: &str) -> Range<usize> {
        self.get(name).map_or(self.entry.span.clone(), Spanned::span)
    }

    fn wrong(&mut self, at: &Range<usize>, message: impl std::fmt::Display) {
        self.entry.wrong(self.reader, at, message);
    }

    fn known(&mut self, of_all: &[&str], own: &[&str]) {
        self.entry.known(self.reader, &[of_all, own].concat());
    }

    fn field(&mut self, name: &str) -> Option<&'t Spanned<DeValue<'i>>> {
        self.entry.field(self.reader, name)
    }

    /// The word of a field that must be there.
    fn word<T: Copy>(&mut self, name: &str, words: &[(&str, T)]) -> Option<T> {
        let value = self.field(name)?;
        self.reader.one_of(&self.entry.at(name), value, words)
    }

    /// The word of an optional field, or what stands for it.
    fn choice<T: Copy>(&mut self, name: &str, words: &[(&str, T)], default: T) -> T {
        let Some(value) = self.get(name) else { return default };
        self.reader.one_of(&self.entry.at(name), value, words).unwrap_or(default)
    }

    /// The number of an optional field, or what stands for it; `None` if it is refused.
    fn whole(&mut self, name: &str, range: (i64, i64), default: i64) -> Option<i64> {
        let Some(value) = self.get(name) else { return Some(default) };
        self.reader.whole_within(&self.entry.at(name), value, range)
    }

    /// An optional field that is true or false.
    fn truth(&mut self, name: &str) -> bool {
        let Some(value) = self.get(name) else { return false };
        let DeValue::Boolean(truth) = value.get_ref() else {
            let found = value.get_ref().type_str();
            self.wrong(&value.span(), format_args!("`{name}`: {found} instead of true or false"));
            return false;
        };
        *truth
    }

    /// The entries of a list, which has at least one and at most `most`: `what` they are.
    fn list(&mut self, name: &str, most: usize, what: &str) -> &'t [Spanned<DeValue<'i>>] {
        let Some(value) = self.get(name) else { return &[] };
        let Some(items) = self.reader.list(&self.entry.at(name), value) else { return &[] };
        if !(1..=most).contains(&items.len()) {
            let count = items.len();
            self.wrong(&value.span(), format_args!("`{name}`: {count} {what}; allowed: 1 to {most}"));
        }
        &items[..items.len().min(most)]
    }

    /// The `n` of `survey`: nothing is no change.
    fn change(&mut self) -> Option<i64> {
        let n = self.whole("n", (-9, 9), 1)?;
        if n == 0 {
            self.wrong(&self.span("n"), "`n`: 0 changes nothing; allowed: -9 to -1, 1 to 9");
            return None;
        }
        Some(n)
    }

    /// The condition `if`; `None` if it is refused.
    fn condition(&mut self, passive: bool) -> Option<Cond> {
        let Some(value) = self.get("if") else { return Some(Cond::ALWAYS) };
        let mut part = Part::new(self.reader, self.entry.at("if"), value)?;
        part.known(&["stat", "min", "max"], &[]);
        let stat = part.word("stat", &Stat::WORDS)?;
        if passive && stat == Stat::Gap {
            part.wrong(&part.span("stat"), "`gap` depends on passives and cannot be the condition of one");
        }
        // A hand or a deck holds cards of its owner alone.
        let most = if matches!(stat, Stat::Hand | Stat::Deck) { DECK.into() } else { 999 };
        let min = part.whole("min", (0, most), i32::MIN.into())? as i32;
        let max = part.whole("max", (0, most), i32::MAX.into())? as i32;
        if part.get("min").or(part.get("max")).is_none() {
            part.wrong(&value.span(), "neither `min` nor `max`: it always holds");
            return None;
        }
        if min > max {
            part.wrong(&value.span(), format_args!("`min` is {min}, above `max`, {max}"));
        }
        Some(Cond { stat, min, max })
    }
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
    card: &Entry<'_, '_>,
    names: &Names,
    kind: usize,
    out: &mut Card,
) {
    let place = &card.place;
    let none = "no `ability`: every card has an effect";
    let Some(value) = optional(card.table, "ability") else {
        return card.wrong(reader, &card.span, none);
    };
    let Some(items) = reader.list(&card.at("ability"), value) else { return };
    if items.is_empty() {
        card.wrong(reader, &value.span(), none);
    }
    let (mut seen, mut limits): (Vec<Option<Timing>>, usize) = (Vec::new(), 0);
    for item in items {
        let Some(mut part) = Part::new(reader, format!("{place}ability: "), item) else { continue };
        let Some(when) = part.field("when") else { continue };
        part.entry.place.clone_from(place);
        let Some(timing) = part.word("when", &WHEN) else { continue };
        let name = timing.map_or("passive", Timing::name);
        if seen.contains(&timing) {
            part.wrong(&when.span(), format_args!("a second ability with `when = \"{name}\"`"));
        }
        seen.push(timing);
        part.entry.place = format!("{place}{name}: ");
        let Some(timing) = timing else {
            passive(part, out);
            continue;
        };
        let at = part.span("limit");
        let ability = One { part, names, kind, timing }.read();
        if ability.limit != Limit::None {
            limits += 1;
            if limits == 2 {
                let place = format!("card `{}`: {name}: ", quoted(&out.id));
                reader.wrong(&at, format!("{place}a second ability with a limit"));
            }
        }
        out.abilities[timing as usize] = Some(ability);
    }
}

const LINE_WORDS: [(&str, u8); 3] = [("front", 0b01), ("back", 0b10), ("any", 0b11)];

/// The entries of a passive.
fn passive(mut part: Part<'_, '_, '_, '_>, out: &mut Card) {
    part.known(&["when", "mods"], &[]);
    let Some(value) = part.field("mods") else { return };
    let items = part.reader.list(&part.entry.at("mods"), value).unwrap_or_default();
    if !(1..=MAX_MODS).contains(&items.len()) {
        let count = items.len();
        part.wrong(&value.span(), format_args!("`mods`: {count} entries; allowed: 1 to {MAX_MODS}"));
    }
    for item in items.iter().take(MAX_MODS) {
        let entry = Part::new(part.reader, part.entry.at("mods"), item).and_then(modification);
        if let Some(entry) = entry {
            out.mods.push(entry);
        }
    }
}

fn modification(mut part: Part<'_, '_, '_, '_>) -> Option<Mod> {
    let kind = part.word("mod", &ModKind::WORDS)?;
    part.entry.place += &format!("{}: ", kind.name());
    let own: &[&str] = match kind {
        ModKind::Draw | ModKind::Plays | ModKind::Survey | ModKind::Ward | ModKind::Sacrifice => &["n"],
        ModKind::SurveyPer => &["per", "max"],
        ModKind::Protect => &["line"],
        ModKind::FrontPassives => &["type"],
    };
    part.known(&["mod", "if", "either_line"], own);
    let mut entry = Mod { kind, n: 1, ..Mod::default() };
    match kind {
        ModKind::Survey => entry.n = part.change().unwrap_or(1) as i8,
        ModKind::Sacrifice => entry.n = part.whole("n", (2, 2), 2).unwrap_or(2) as i8,
        ModKind::SurveyPer => {
            entry.n = part.whole("per", (1, 9), 1).unwrap_or(1) as i8;
            entry.max = part.whole("max", (1, 99), 99).unwrap_or(99) as u8;
        }
        ModKind::Protect => entry.lines = part.choice("line", &LINE_WORDS, 0b11),
        ModKind::FrontPassives => {
            entry.any = part.choice("type", &[("human", false), ("any", true)], true);
        }
        _ => entry.n = part.whole("n", (1, 9), 1).unwrap_or(1) as i8,
    }
    entry.either = part.truth("either_line");
    entry.cond = part.condition(true)?;
    Some(entry)
}

/// One ability being read.
struct One<'r, 'c, 't, 'i, 'n> {
    part: Part<'r, 'c, 't, 'i>,
    names: &'n Names,
    kind: usize,
    timing: Timing,
}

impl One<'_, '_, '_, '_, '_> {
    fn read(&mut self) -> Ability {
        let (part, timing) = (&mut self.part, self.timing);
        let own: &[&str] = match timing {
            Timing::Enter => &["may"],
            Timing::Discarded => &["may", "from"],
            Timing::Window => &["event"],
            _ => &[],
        };
        part.known(&["when", "limit", "if", "cost", "do"], own);
        let mut ability = Ability {
            limit: part.choice("limit", &[("turn", Limit::Turn), ("game", Limit::Game)], Limit::None),
            cond: part.condition(false).unwrap_or_default(),
            may: own.contains(&"may") && part.truth("may"),
            ..Ability::default()
        };
        if timing == Timing::Discarded {
            ability.from = self.from();
        }
        if timing == Timing::Window {
            let words = [("destroyed", Moment::Destroyed), ("survey_loss", Moment::SurveyLoss)];
            ability.event = self.part.word("event", &words).unwrap_or_default();
        }
        self.costs(&mut ability);
        self.steps(&mut ability);
        ability
    }

    /// Places that the card must come from.
    fn from(&mut self) -> u8 {
        let part = &mut self.part;
        let Some(value) = part.field("from") else { return 0 };
        let place = part.entry.at("from");
        if let DeValue::String(_) = value.get_ref() {
            return part.reader.one_of(&place, value, &Origin::WORDS).map_or(0, |from| 1 << from as u8);
        }
        let Some(items) = part.reader.list(&place, value) else { return 0 };
        if items.is_empty() {
            part.wrong(&value.span(), "`from` is empty: it would never happen");
        }
        let mut set = 0;
        for item in items {
            let Some(from) = part.reader.one_of(&place, item, &Origin::WORDS) else { continue };
            if set >> from as u8 & 1 != 0 {
                part.wrong(&item.span(), format_args!("`from`: `{}` twice", from.name()));
            }
            set |= 1 << from as u8;
        }
        set
    }

    fn costs(&mut self, ability: &mut Ability) {
        for item in self.part.list("cost", MAX_COSTS, "entries") {
            let Some(cost) = self.cost(item) else { continue };
            if cost == Cost::DestroySelf && ability.costs.contains(&Cost::DestroySelf) {
                self.part.wrong(&item.span(), "`cost`: `destroy_self` twice");
            }
            ability.costs.push(cost);
        }
    }

    fn cost(&mut self, item: &Spanned<DeValue<'_>>) -> Option<Cost> {
        let mut part = Part::new(self.part.reader, self.part.entry.at("cost"), item)?;
        let words = [("discard", 0), ("mill", 1), ("destroy_self", 2)];
        let kind = part.word("kind", &words)?;
        part.known(&["kind"], if kind == 2 { &[] } else { &["n"] });
        if kind == 2 {
            let at = part.span("kind");
            if self.timing != Timing::Activate {
                self.part.wrong(&at, "`destroy_self` is a cost of `activate` alone");
            }
            return Some(Cost::DestroySelf);
        }
        let n = part.whole("n", (1, 9), 1)? as u8;
        Some(if kind == 0 { Cost::Discard(n) } else { Cost::Mill(n) })
    }

    fn steps(&mut self, ability: &mut Ability) {
        if self.part.field("do").is_none() {
            return;
        }
        for item in self.part.list("do", MAX_STEPS, "steps") {
            let Some(step) = self.step(item, ability) else { continue };
            ability.steps.push(step);
        }
    }

    fn step(&mut self, item: &Spanned<DeValue<'_>>, ability: &Ability) -> Option<Step> {
        let (names, timing) = (self.names, self.timing);
        let place = self.part.entry.place.clone();
        let mut part = Part::new(self.part.reader, self.part.entry.at("do"), item)?;
        let verb = part.word("verb", &Verb::WORDS)?;
        part.entry.place = format!("{place}{}: ", verb.name());
        part.known(&["verb"], verb.parameters());
        let mut step = Step { verb, n: 1, ..Step::default() };
        if verb == Verb::Survey {
            step.n = part.change().unwrap_or(1) as i8;
        } else if step.takes("n") {
            step.n = part.whole("n", (1, 9), 1).unwrap_or(1) as i8;
        }
        part.whom(&mut step);
        part.which(names, &mut step);
        part.whither(&mut step);
        let titan = names.titans.get(self.kind) == Some(&true);
        part.check((timing, titan), ability, &step);
        Some(step)
    }
}

impl Step {
    /// Whether the content can give a parameter.
    fn takes(&self, name: &str) -> bool {
        self.verb.parameters().contains(&name)
    }
}

/// The parameters of a step.
impl Part<'_, '_, '_, '_> {
    /// `who`, `by`.
    fn whom(&mut self, step: &mut Step) {
        if step.takes("who") {
            step.who = self.choice("who", &Who::WORDS, Who::You);
        }
        if step.takes("by") {
            let words = [("holder", By::Holder), ("you", By::You), ("random", By::Random)];
            let words = if step.verb == Verb::Destroy { &words[..1] } else { &words[..] };
            step.by = self.choice("by", words, By::Holder);
        }
        let any = self.get("who").or(self.get("by")).is_some();
        step.held = step.verb == Verb::Destroy && any;
    }

    /// `side`, `line`, `type`, `has`, `up_to`, `target`.
    fn which(&mut self, names: &Names, step: &mut Step) {
        (step.own, step.enemy) = (false, true);
        if step.takes("side") {
            let sides = [("own", (true, false)), ("enemy", (false, true)), ("any", (true, true))];
            (step.own, step.enemy) = self.choice("side", &sides, (false, true));
        }
        step.lines = 0b11;
        if step.takes("line") {
            step.lines = self.choice("line", &LINE_WORDS, 0b11);
        }
        step.kinds = names.kinds(None);
        if step.takes("type") {
            let words = [("human", Some(false)), ("titan", Some(true)), ("any", None)];
            step.kinds = names.kinds(self.choice("type", &words, None));
        }
        if step.verb == Verb::Resurrect {
            step.kinds = names.kinds(Some(false));
        }
        if step.takes("has") {
            step.has = self.choice("has", &WHEN.map(|(word, _)| (word, Some(word))), None);
            step.kinds &= step.has.map_or(u64::MAX, |word| names.having(word));
        }
        step.up_to = step.takes("up_to") && self.truth("up_to");
        if step.takes("target") {
            let words = [("choose", Target::Choose), ("self", Target::Itself), ("that", Target::That)];
            let words = if step.verb == Verb::Resurrect { &words[..] } else { &words[..2] };
            step.target = self.choice("target", words, Target::Choose);
        }
    }

    /// `to`.
    fn whither(&mut self, step: &mut Step) {
        if step.verb == Verb::Return
            && let Some(value) = self.field("to")
        {
            let words = [("hand", To::Hand), ("deck", To::Deck)];
            step.to = self.reader.one_of(&self.entry.at("to"), value, &words).unwrap_or(To::Hand);
        }
        if step.verb == Verb::Control {
            let words = [("same", To::Same), ("front", To::Front), ("back", To::Back)];
            step.to = self.choice("to", &words, To::Same);
        }
    }

    /// What fits no other part of the ability.
    fn check(&mut self, (timing, titan): (Timing, bool), ability: &Ability, step: &Step) {
        let window = |event| timing == Timing::Window && ability.event == event;
        let (that, itself) = (step.target == Target::That, step.target == Target::Itself);
        let fixed = that || itself;
        if step.held {
            for name in ["side", "up_to"] {
                if self.entry.has(name) {
                    let message = format!("`{name}` has no place beside `who`: the holder chooses");
                    self.wrong(&self.span(name), message);
                }
            }
        }
        let verb = step.verb;
        let not_opponent = step.who != Who::Opponent;
        let by_you = verb == Verb::Discard && step.by == By::You;
        let after_reveal = ability.steps.last().is_some_and(|step| step.verb == Verb::Reveal);
        let grows = verb == Verb::Recycle || (verb == Verb::Return && step.to == To::Deck);
        let endless = grows && ability.limit != Limit::Game;
        let nothing = verb == Verb::Search && step.kinds == 0;
        let asks = if self.entry.has("has") { "has" } else { "type" };
        let has_type = self.entry.has("type");
        let findings = [
            (verb == Verb::Reveal && not_opponent, "who", "`who` must be `opponent`"),
            (by_you && !after_reveal, "by", "`by = \"you\"` needs a `reveal` as the step before"),
            (by_you && not_opponent, "who", "`by = \"you\"` needs `who = \"opponent\"`"),
            (verb == Verb::Ward && !window(Moment::SurveyLoss), "", "only in a `survey_loss` window"),
            (that && !window(Moment::Destroyed), "target", "`that` is the Human of a `destroyed` window"),
            (itself && verb == Verb::Resurrect && titan, "target", "a Titan cannot be resurrected"),
            (fixed && step.up_to, "up_to", "`up_to` has no place where `target` leaves no choice"),
            (fixed && step.n != 1, "n", "one card where `target` leaves no choice"),
            (itself && has_type, "type", "`type` has no place where `target` leaves no choice"),
            (nothing, asks, "no card of the content is one that could be found"),
            (endless, "", "cards put into a deck need `limit = \"game\"`, or games might not end"),
        ];
        for (_, field, message) in findings.into_iter().filter(|finding| finding.0) {
            self.wrong(&self.span(field), message);
        }
    }
}
