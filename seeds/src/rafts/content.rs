//! The cards: reads and checks a content file, and makes tables by kind from it.

use super::effects::{Effect, Loss, Part};
use super::state::{BACTERIUM, GENE, Kind, MAX_ACTIONS, MAX_GOALS, MEDIUM, MONEY, RAFT, TIME};
use playmat_core::content::{DeTable, Entry, Reader, quoted, same};
use playmat_core::prelude::*;
use std::ops::Range;

/// Most bacteria and genes of a content.
const MOST: [usize; 2] = [8, 12];
/// Most copies of a card.
const MAX_COPIES: i64 = 31;
/// Most cards of a deck.
const MAX_DECK: i64 = 120;
/// Fewest cards of a deck that is drawn from, and of the goals: enough for six players.
const MIN_DECK: [i64; 2] = [12, 6];
/// Most of a generic that a goal needs: what lies on a table at most.
const MAX_AMOUNT: i64 = 2;
/// Longest id and name, in characters.
const MAX_TEXT: [usize; 2] = [20, 40];
/// Names of the generics, which are also their ids.
pub(super) const GENERICS: [&str; 4] = ["time", "money", "medium", "raft"];

/// The contents that come with the library.
pub(super) const BUILTIN: &[(&str, &str)] = &[("rafts", include_str!("../../content/rafts.toml"))];
/// Their names.
pub(super) const NAMES: &[&str] = &["rafts"];

/// A kind of card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Short name, unique among the cards, upper and lower case alike.
    pub id: String,
    /// Name as printed.
    pub name: String,
    /// Cards of this kind.
    pub copies: u8,
}

/// A kind of goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalCard {
    /// The card.
    pub card: Card,
    /// What it needs.
    pub needs: Needs,
}

/// What a goal needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Bacterium and gene.
    pub specific: [Kind; 2],
    /// Time, money, medium.
    pub generics: [u8; 3],
}

impl Needs {
    /// Cards that it needs in all.
    pub fn required(&self) -> u8 {
        2 + self.generics.iter().sum::<u8>()
    }
}

/// What a content file says, compiled.
#[derive(Clone, Debug)]
pub(super) struct Cards {
    /// By kind: bacteria, genes, generics, actions.
    pub(super) cards: Vec<Card>,
    /// Number of bacteria, of genes.
    pub(super) specific: [usize; 2],
    /// By action.
    pub(super) effects: Vec<Effect>,
    /// By goal kind.
    pub(super) goals: Vec<GoalCard>,
}

/// Where a finding lies, and what it is about.
type Span = Range<usize>;

/// Collects cards and what is wrong with them.
struct Compiler<'c, 't, 'i> {
    reader: Reader<'c>,
    top: (&'t DeTable<'i>, Span),
    cards: Vec<Card>,
}

/// Reads and checks a content file.
///
/// # Errors
/// `Content` with every finding.
pub(super) fn load(content: &Content) -> Result<Cards> {
    let file = content.parse()?;
    let top = (file.get_ref(), 0..0);
    let mut compiler = Compiler { reader: Reader::new(content), top, cards: Vec::new() };
    let fields = ["name", "title", "bacterium", "gene", "generic", "action", "goal"];
    compiler.reader.known("", file.get_ref(), &fields);
    compiler.reader.game((file.get_ref(), &(0..0)));
    let bacteria = compiler.specific("bacterium", MOST[0]);
    let genes = compiler.specific("gene", MOST[1]);
    compiler.deck_size("bacterium", "specific resources", 0, MIN_DECK[0]);
    let resources = compiler.generics();
    let effects = compiler.actions(resources);
    let goals = compiler.goals(&[0..bacteria, bacteria..bacteria + genes], resources);
    compiler.reader.finish()?;
    Ok(Cards { cards: compiler.cards, specific: [bacteria, genes], effects, goals })
}

impl<'t, 'i> Compiler<'_, 't, 'i> {
    fn wrong(&mut self, span: &Span, message: impl Into<String>) {
        self.reader.wrong(span, message);
    }

    /// The entries of a list.
    fn entries(&mut self, list: &str, most: usize) -> Vec<Entry<'t, 'i>> {
        let Some(value) = self.reader.field("", (self.top.0, &self.top.1), list) else { return Vec::new() };
        let Some(items) = self.reader.list(&format!("`{list}`: "), value) else { return Vec::new() };
        if !(1..=most).contains(&items.len()) {
            let count = items.len();
            self.wrong(&value.span(), format!("`{list}`: {count} entries; allowed: 1 to {most}"));
        }
        let numbered = (1..).zip(items);
        numbered.filter_map(|(number, item)| self.reader.entry(list, number, item)).collect()
    }

    /// A whole number within a range; the least if there is none, so that reading can go on.
    fn whole(&mut self, entry: &Entry<'t, 'i>, name: &str, (low, high): (i64, i64)) -> (i64, Span) {
        entry.whole(&mut self.reader, name, low..=high).unwrap_or((low, entry.span.clone()))
    }

    /// Id, name and copies of an entry, the id unique among `before`.
    fn card(&mut self, entry: &mut Entry<'t, 'i>, before: &[&str]) -> Card {
        let list = entry.place.split(' ').next().unwrap_or_default().to_string();
        let id = entry.id(&mut self.reader, &list);
        if let Some(id) = &id {
            self.reader.check_word(&format!("{}`id`", entry.place), id, MAX_TEXT[0]);
            if before.iter().any(|other| same(other, id.get_ref())) {
                let message = "`id` is used before (upper and lower case are alike)";
                entry.wrong(&mut self.reader, &id.span(), message);
            }
        }
        let name = entry.text(&mut self.reader, "name");
        if let Some(name) = &name {
            self.reader.check_line(&format!("{}`name`", entry.place), name, MAX_TEXT[1]);
        }
        let (copies, _) = self.whole(entry, "copies", (1, MAX_COPIES));
        let text = |text: Option<Spanned<String>>| text.map_or(String::new(), Spanned::into_inner);
        Card { id: text(id), name: text(name), copies: copies as u8 }
    }

    /// Ids so far and those of the generics, which are cards too.
    fn ids(cards: &[Card]) -> Vec<&str> {
        cards.iter().map(|card| card.id.as_str()).filter(|id| !id.is_empty()).chain(GENERICS).collect()
    }

    /// Bacteria or genes; how many there are.
    fn specific(&mut self, list: &str, most: usize) -> usize {
        let entries = self.entries(list, most);
        let count = entries.len();
        for mut entry in entries {
            let before = self.cards.clone();
            let card = self.card(&mut entry, &Self::ids(&before));
            entry.known(&mut self.reader, &["id", "name", "copies"]);
            self.cards.push(card);
        }
        count
    }

    /// The four generics; the number of resource kinds.
    fn generics(&mut self) -> usize {
        let from = self.cards.len();
        let value = self.reader.field("", (self.top.0, &self.top.1), "generic");
        let table = value.and_then(|value| Some((self.reader.table("`generic`: ", value)?, value.span())));
        if let Some((table, span)) = table {
            let entry = Entry { table, span, place: "generic: ".into() };
            entry.known(&mut self.reader, &GENERICS);
            for id in GENERICS {
                let (copies, _) = self.whole(&entry, id, (1, MAX_COPIES));
                let name = ["time", "money", "culture medium", "Lipid Raft"]
                    [GENERICS.iter().position(|g| *g == id).unwrap_or(0)];
                self.cards.push(Card { id: id.into(), name: name.into(), copies: copies as u8 });
            }
            self.deck_size("generic", "generic resources", from, MIN_DECK[0]);
        } else {
            // Only for the findings about what comes after: nothing is built with these.
            self.cards.extend(GENERICS.map(|id| Card { id: id.into(), name: id.into(), copies: 1 }));
        }
        from + GENERICS.len()
    }

    /// Refuses a deck that is too large or too small to be dealt to six.
    fn deck_size(&mut self, list: &str, what: &str, from: usize, least: i64) {
        let cards: i64 = self.cards[from..].iter().map(|card| i64::from(card.copies)).sum();
        self.size_of_deck(list, what, cards, least);
    }

    fn size_of_deck(&mut self, list: &str, what: &str, cards: i64, least: i64) {
        // Without any card there is a finding about the list already.
        if cards == 0 || (least..=MAX_DECK).contains(&cards) {
            return;
        }
        let found = self.top.0.iter().find(|(key, _)| key.get_ref() == list);
        let span = found.map_or(0..0, |(key, _)| key.span());
        self.wrong(&span, format!("{cards} {what}; a deck has {least} to {MAX_DECK} cards"));
    }

    fn actions(&mut self, resources: usize) -> Vec<Effect> {
        let entries = self.entries("action", MAX_ACTIONS);
        // An effect that was refused is none: it is like no other, and says nothing about other cards.
        let (mut effects, mut shields) = (Vec::<Option<Effect>>::new(), Vec::new());
        for mut entry in entries {
            let before = self.cards.clone();
            let card = self.card(&mut entry, &Self::ids(&before));
            entry.known(&mut self.reader, &["id", "name", "copies", "effect"]);
            self.cards.push(card);
            let Some(value) = entry.field(&mut self.reader, "effect") else {
                effects.push(None);
                continue;
            };
            let place = format!("{}effect: ", entry.place);
            let Some(table) = self.reader.table(&place, value) else {
                effects.push(None);
                continue;
            };
            let entry = Entry { table, span: value.span(), place };
            let effect = self.effect(&entry, effects.len(), &mut shields);
            let again = effect.is_some_and(|effect| {
                let mut others = effects.iter().flatten();
                !matches!(effect, Effect::Shield { .. }) && others.any(|other| effect.is_like(*other))
            });
            if again {
                entry.wrong(&mut self.reader, &entry.span, "another action does the same");
            }
            effects.push(effect);
        }
        self.deck_size("action", "action cards", resources, MIN_DECK[0]);
        for (action, against) in shields {
            self.shield(action, &against, resources, &mut effects);
        }
        // Only a file without findings goes on, and in that every effect was read.
        effects.into_iter().flatten().collect()
    }

    /// Fills in which card a shield answers.
    fn shield(
        &mut self,
        action: usize,
        against: &Spanned<String>,
        resources: usize,
        effects: &mut [Option<Effect>],
    ) {
        let (id, span) = (against.get_ref(), against.span());
        let place = format!("action `{}`: effect: ", quoted(&self.cards[resources + action].id));
        let target = self.cards[resources..].iter().position(|card| same(&card.id, id));
        if target.is_some_and(|at| effects[at].is_none()) {
            return;
        }
        let all = target.is_some_and(|at| matches!(effects[at], Some(Effect::Lose { all: true, .. })));
        let Some(at) = target.filter(|_| all) else {
            let message = "is no card that makes all players lose something";
            return self.wrong(&span, format!("{place}`{}` {message}", quoted(id)));
        };
        let against = Kind((resources + at) as u8);
        if effects.contains(&Some(Effect::Shield { against })) {
            self.wrong(&span, format!("{place}another shield answers `{}`", quoted(id)));
        }
        effects[action] = Some(Effect::Shield { against });
    }

    /// An effect; the card that a shield answers is noted for later.
    fn effect(
        &mut self,
        entry: &Entry<'t, 'i>,
        action: usize,
        shields: &mut Vec<(usize, Spanned<String>)>,
    ) -> Option<Effect> {
        let kind = entry.text(&mut self.reader, "kind")?;
        let (effect, fields): (Option<Effect>, &[&str]) = match kind.get_ref().as_str() {
            "steal" => (self.parts(entry).map(Effect::Steal), &["kind", "parts"]),
            "lose" => {
                let whats = ["bacterium", "gene", "time", "money", "medium"];
                let what = entry.word(&mut self.reader, "what", &whats);
                let who = entry.word(&mut self.reader, "who", &["one", "all"]);
                let effect = what.zip(who).map(|((what, _), (who, _))| Effect::Lose {
                    what: [
                        Loss::Specific(BACTERIUM),
                        Loss::Specific(GENE),
                        Loss::Generic(TIME),
                        Loss::Generic(MONEY),
                        Loss::Generic(MEDIUM),
                    ][what],
                    all: who == 1,
                });
                (effect, &["kind", "what", "who"])
            }
            "shield" => {
                shields.extend(entry.text(&mut self.reader, "against").map(|against| (action, against)));
                (Some(Effect::Shield { against: Kind(u8::MAX) }), &["kind", "against"])
            }
            "exchange_goal" => (Some(Effect::Exchange), &["kind"]),
            "extra_bench" => (Some(Effect::ExtraBench), &["kind"]),
            "recover" => (Some(Effect::Recover), &["kind"]),
            "extra_goal" => (Some(Effect::ExtraGoal), &["kind"]),
            "snatch" => (Some(Effect::Snatch), &["kind"]),
            other => {
                let message = format!(
                    "{}`kind` is `{}`; allowed: steal, exchange_goal, lose, extra_bench, recover, extra_goal, snatch, shield",
                    entry.place,
                    quoted(other)
                );
                self.wrong(&kind.span(), message);
                return None;
            }
        };
        entry.known(&mut self.reader, fields);
        effect
    }

    /// What can be stolen, a bit for each [`Part`].
    fn parts(&mut self, entry: &Entry<'t, 'i>) -> Option<u8> {
        let value = entry.field(&mut self.reader, "parts")?;
        let place = format!("{}`parts`: ", entry.place);
        let items = self.reader.list(&place, value)?;
        let mut parts = 0;
        for item in items {
            let Some(text) = self.reader.text(&place, item) else { continue };
            match Part::ALL.into_iter().find(|part| part.name() == text.get_ref()) {
                None => {
                    let given = quoted(text.get_ref());
                    self.wrong(&text.span(), format!("{place}`{given}`; allowed: bacterium, gene, raft"));
                }
                Some(part) if parts & part.bit() != 0 => {
                    self.wrong(&text.span(), format!("{place}`{}` is there twice", part.name()));
                }
                Some(part) => parts |= part.bit(),
            }
        }
        if items.is_empty() {
            self.wrong(&value.span(), format!("{place}nothing; name at least one of bacterium, gene, raft"));
        }
        Some(parts)
    }

    fn goals(&mut self, specific: &[Range<usize>; 2], resources: usize) -> Vec<GoalCard> {
        let entries = self.entries("goal", MAX_GOALS);
        let mut goals: Vec<GoalCard> = Vec::new();
        for mut entry in entries {
            let ids: Vec<String> = goals.iter().map(|goal| goal.card.id.clone()).collect();
            let ids: Vec<&str> = ids.iter().map(String::as_str).filter(|id| !id.is_empty()).collect();
            let card = self.card(&mut entry, &ids);
            let fields = ["id", "name", "bacterium", "gene", "medium", "time", "money", "copies"];
            entry.known(&mut self.reader, &fields);
            let pair = [BACTERIUM, GENE].map(|slot| {
                let name = ["bacterium", "gene"][slot];
                let text = entry.text(&mut self.reader, name)?;
                let range = specific[slot].clone();
                let found = range.clone().find(|&k| same(&self.cards[k].id, text.get_ref()));
                if found.is_none() {
                    let given = quoted(text.get_ref());
                    let known: Vec<&str> = self.cards[range].iter().map(|card| card.id.as_str()).collect();
                    let known = if known.is_empty() { "there is none".into() } else { known.join(", ") };
                    let message = format!("{}no {name} is called `{given}`: {known}", entry.place);
                    self.wrong(&text.span(), message);
                }
                found.map(|k| Kind(k as u8))
            });
            let mut generics = [0; 3];
            for slot in [TIME, MONEY, MEDIUM] {
                let (amount, span) = self.whole(&entry, GENERICS[slot], (0, MAX_AMOUNT));
                let copies = self.cards[resources - GENERICS.len() + slot].copies;
                if amount > i64::from(copies) {
                    let message =
                        format!("{}{amount} {}, of which there are {copies}", entry.place, GENERICS[slot]);
                    self.wrong(&span, message);
                }
                generics[slot] = amount as u8;
            }
            if generics == [0; 3] {
                entry.wrong(&mut self.reader, &entry.span, "needs no generic at all");
            }
            let [Some(bacterium), Some(gene)] = pair else { continue };
            let needs = Needs { specific: [bacterium, gene], generics };
            if let Some(other) = goals.iter().find(|other| other.needs == needs) {
                let message = format!("{}needs the same as `{}`", entry.place, other.card.id);
                self.wrong(&entry.span, message);
            }
            goals.push(GoalCard { card, needs });
        }
        let cards = goals.iter().map(|goal| i64::from(goal.card.copies)).sum();
        // A goal that was refused is not among them: its deck is counted when everything else is right.
        if self.reader.is_clean() {
            self.size_of_deck("goal", "goal cards", cards, MIN_DECK[1]);
        }
        goals
    }
}

const _: () = assert!(RAFT + 1 == GENERICS.len());
