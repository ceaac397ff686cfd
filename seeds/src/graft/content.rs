//! Types, cargo cards and badges: reads and checks a content file, and makes tables of small numbers from it.

use super::badge_search;
use super::next_card::own_points;
use super::score::{Bounds, Clause, Count, Form, Need};
use super::score_grammar::{self, MAX_CLAUSES, MAX_NEEDS, ReadClause, Reference, type_set};
use super::state::{Counts, MAX_KINDS, MAX_ROW, MAX_TYPES, Row};
use super::text::taken_words;
use playmat_core::content::{DeTable, DeValue, Entry, Reader, optional, quoted, same};
use playmat_core::prelude::*;
use std::ops::Range;

/// Longest id or name, in characters.
const MAX_NAME: usize = 24;
/// Most copies of a kind.
const MAX_COPIES: i64 = 15;
/// Most cards of a deck.
const MAX_DECK: usize = 160;
/// Fewest kinds and types.
const LEAST: (usize, usize) = (4, 2);
/// Fewest and most badges of a tier.
const GOLD: (usize, usize) = (2, 16);
const SILVER: (usize, usize) = (3, 16);

/// The contents that come with the library.
pub(super) const BUILTIN: &[(&str, &str)] = &[("graft", include_str!("../../content/graft.toml"))];
/// Their names.
pub(super) const NAMES: &[&str] = &["graft"];

playmat_core::named! {
    /// What a card does besides scoring (GR-R22).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Effect {
        /// Nothing.
        #[default]
        None = "none",
        /// May be taken back in the next turn for two cards (GR-R16).
        EnergyBar = "energy_bar",
        /// Makes the compost count more at the end (GR-R17).
        Recycle = "recycle",
        /// Moves cards from the compost to the row (GR-R18).
        Replant = "replant",
        /// Ends restrictions to the left of it (GR-R19).
        ZCoin = "z_coin",
    }
}

/// A type of cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeText {
    /// Name in content and JSON.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Letter in texts.
    pub letter: char,
    /// Colour in pictures, `#rrggbb`.
    pub color: String,
}

/// A kind of cargo card as the rules need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindData {
    /// One card of its type: 1 in that byte.
    pub unit: u64,
    /// Its clauses; the first `clauses` count.
    pub score: [Clause; MAX_CLAUSES],
    /// Number of clauses.
    pub clauses: u8,
    /// Type.
    pub ty: u8,
    /// Types that it forbids.
    pub forbids: u8,
    /// Effect.
    pub effect: Effect,
    /// Types that fulfil a `next` test of it.
    pub wanted: u8,
    /// What a row of this card alone scores.
    pub alone: i32,
}

impl KindData {
    /// All its clauses.
    #[inline(always)]
    pub fn score(&self) -> &[Clause] {
        &self.score[..usize::from(self.clauses).min(MAX_CLAUSES)]
    }
}

/// A kind of cargo card as people need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindText {
    /// Name in content and JSON.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Copies: unmarked, 4+, 5+.
    pub copies: [u8; 3],
    /// Its clauses in words.
    pub clauses: Vec<String>,
    /// The icons of its clauses.
    pub icons: Vec<Vec<&'static str>>,
}

/// A badge as the rules need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadgeData {
    /// Its needs; the first `count` count.
    pub list: [Need; MAX_NEEDS],
    /// Number of needs.
    pub count: u8,
    /// No shorter row meets it.
    pub least: u8,
    /// Value in the turn in which it is first claimed.
    pub high: u8,
    /// Value later.
    pub low: u8,
}

impl BadgeData {
    /// All its needs.
    #[inline(always)]
    pub fn needs(&self) -> &[Need] {
        &self.list[..usize::from(self.count).min(MAX_NEEDS)]
    }
}

/// A badge as people need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadgeText {
    /// Name in content and JSON.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Its needs in words.
    pub needs: Vec<String>,
}

/// What a content file says, compiled.
#[derive(Clone, Debug)]
pub(super) struct Loaded {
    pub(super) types: Vec<TypeText>,
    pub(super) kinds: Vec<KindData>,
    pub(super) texts: Vec<KindText>,
    pub(super) badges: Vec<BadgeData>,
    pub(super) badge_texts: Vec<BadgeText>,
    /// Number of gold badges, which come first.
    pub(super) gold: usize,
}

impl Loaded {
    /// The deck for this number of players (GR-R1, R1a).
    pub(super) fn deck(&self, players: usize) -> Counts {
        let mut deck = Counts::default();
        for (count, text) in deck.0.iter_mut().zip(&self.texts) {
            *count = copies_of(&text.copies, players);
        }
        deck
    }
}

/// Copies of a kind for this number of players.
fn copies_of(copies: &[u8; 3], players: usize) -> u8 {
    copies[..players.clamp(3, 5) - 2].iter().sum()
}

/// What the grammar can name.
pub(super) struct Names<'a> {
    pub(super) types: &'a [TypeText],
    pub(super) cards: &'a [String],
    pub(super) card_names: &'a [String],
}

/// An entry with its id and name.
struct Named<'t, 'i> {
    entry: Entry<'t, 'i>,
    id: String,
    name: String,
}

/// Reads and checks a content file.
///
/// # Errors
/// `Content` with every finding.
pub(super) fn load(content: &Content) -> Result<Loaded> {
    let file = content.parse()?;
    let mut reader = Reader::new(content);
    let top = (file.get_ref(), &(0..0));
    reader.known("", top.0, &["name", "title", "type", "card", "badge"]);
    reader.game(top);
    let types = entries(&mut reader, top, "type", Some((LEAST.1, MAX_TYPES)));
    let cards = entries(&mut reader, top, "card", Some((LEAST.0, MAX_KINDS)));
    let badges = entries(&mut reader, top, "badge", None);
    let types: Vec<TypeText> = read_types(&mut reader, &types);
    let ids: Vec<String> = cards.iter().map(|card| card.id.clone()).collect();
    let card_names: Vec<String> = cards.iter().map(|card| card.name.clone()).collect();
    let names = Names { types: &types, cards: &ids, card_names: &card_names };
    let read: Vec<Option<ReadCard>> = cards.iter().map(|card| read_card(&mut reader, &names, card)).collect();
    check_decks(&mut reader, &read);
    check_cycles(&mut reader, &names, &read);
    let read_badges: Vec<Option<ReadBadge>> =
        badges.iter().map(|badge| read_badge(&mut reader, &names, badge)).collect();
    let gold = check_tiers(&mut reader, &badges, &read_badges);
    let kinds: Option<Vec<ReadCard>> = read.into_iter().collect();
    if let (Some(kinds), true) = (&kinds, reader.is_clean()) {
        let data: Vec<(KindData, [u8; 3])> = kinds.iter().map(|card| (card.data, card.text.copies)).collect();
        for badge in read_badges.iter().flatten() {
            if let Err(message) = badge_search::check(&data, badge.data.needs()) {
                reader.wrong(&badge.span, format!("{}nobody can meet it: {message}", badge.place));
            }
        }
    }
    reader.finish()?;
    let cards = kinds.unwrap_or_default().into_iter().map(|card| (card.data, card.text));
    let (mut kinds, texts): (Vec<KindData>, Vec<KindText>) = cards.unzip();
    let empty = Row::default();
    for (card, code) in kinds.iter_mut().zip(1..) {
        card.alone = own_points(card, code, &empty);
    }
    let (badges, badge_texts) =
        read_badges.into_iter().flatten().map(|badge| (badge.data, badge.text)).unzip();
    Ok(Loaded { types, kinds, texts, badges, badge_texts, gold })
}

/// The entries of a list, each with id and name; how many there may be is checked where the list can be read.
fn entries<'t, 'i>(
    reader: &mut Reader<'_>,
    top: (&'t DeTable<'i>, &Range<usize>),
    list: &'static str,
    allowed: Option<(usize, usize)>,
) -> Vec<Named<'t, 'i>> {
    let items = reader.field("", top, list);
    let Some(items) = items.and_then(|value| reader.list(&format!("`{list}`: "), value)) else {
        return Vec::new();
    };
    let mut all: Vec<Named<'t, 'i>> = Vec::new();
    for (number, value) in (1..).zip(items) {
        let Some(numbered) = reader.entry(list, number, value) else { continue };
        // What is said of the name's type calls the entry by its number, too.
        let mut entry = numbered.clone();
        let (id, name) = (entry.id(reader, list), numbered.text(reader, "name"));
        if let Some(id) = &id {
            check_name(reader, &entry, (list, "id"), id, all.iter().map(|other| other.id.as_str()));
        }
        if let Some(name) = &name {
            check_name(reader, &entry, (list, "name"), name, all.iter().map(|other| other.name.as_str()));
        }
        let own = |text: Option<Spanned<String>>| text.map(Spanned::into_inner).unwrap_or_default();
        all.push(Named { entry, id: own(id), name: own(name) });
    }
    if let Some(allowed) = allowed {
        sizes(reader, list, &all, allowed);
    }
    all
}

fn check_name<'a>(
    reader: &mut Reader<'_>,
    entry: &Entry<'_, '_>,
    (list, field): (&str, &str),
    given: &Spanned<String>,
    mut before: impl Iterator<Item = &'a str>,
) {
    let (text, span) = (given.get_ref(), given.span());
    let length = text.chars().count();
    if length == 0 || length > MAX_NAME {
        let message = format_args!("`{field}` has {length} characters; allowed: 1 to {MAX_NAME}");
        entry.wrong(reader, &span, message);
    }
    reader.check_margins(&format!("{}`{field}`", entry.place), given);
    if before.any(|other| same(other, text)) {
        let message = format_args!("`{field}` is used by an entry above (upper and lower case are alike)");
        entry.wrong(reader, &span, message);
    }
    if let Some((word, meaning)) = taken_words(list, field).iter().find(|(word, _)| same(word, text)) {
        entry.wrong(reader, &span, format_args!("`{field}` is `{word}`, which means {meaning}"));
    }
}

fn sizes(reader: &mut Reader<'_>, list: &str, entries: &[Named<'_, '_>], (min, max): (usize, usize)) {
    let count = entries.len();
    if (min..=max).contains(&count) {
        return;
    }
    let message = format!("{count} entries of `{list}`; allowed: {min} to {max}");
    match entries.last() {
        Some(last) => reader.wrong(&last.entry.span, message),
        None => reader.wrong_file(message),
    }
}

fn read_types(reader: &mut Reader<'_>, entries: &[Named<'_, '_>]) -> Vec<TypeText> {
    let mut types: Vec<TypeText> = Vec::new();
    for Named { entry, id, name } in entries {
        entry.known(reader, &["id", "name", "letter", "color"]);
        let (letter, color) = (entry.text(reader, "letter"), entry.text(reader, "color"));
        if let Some(given) = &letter {
            let mut chars = given.get_ref().chars();
            let one = chars.next().filter(|c| c.is_alphanumeric() && chars.next().is_none());
            match one {
                None => entry.wrong(reader, &given.span(), "`letter` must be one letter or digit"),
                Some(c) if types.iter().any(|ty| ty.letter == c) => {
                    entry.wrong(reader, &given.span(), "`letter` is used by an entry above");
                }
                Some(_) => {}
            }
        }
        if let Some(given) = &color {
            let digits = given.get_ref().strip_prefix('#').unwrap_or_default();
            if digits.len() != 6 || !digits.chars().all(|c| c.is_ascii_hexdigit()) {
                entry.wrong(reader, &given.span(), "`color` must be `#` and six hexadecimal digits");
            }
        }
        let letter = letter.and_then(|given| given.get_ref().chars().next()).unwrap_or('?');
        let color = color.map(Spanned::into_inner).unwrap_or_default();
        types.push(TypeText { id: id.clone(), name: name.clone(), letter, color });
    }
    types
}

/// A card as read.
struct ReadCard {
    data: KindData,
    text: KindText,
    /// Where its three numbers of copies stand.
    copies: [Range<usize>; 3],
    references: Vec<Reference>,
    place: String,
}

fn read_card(reader: &mut Reader<'_>, names: &Names<'_>, card: &Named<'_, '_>) -> Option<ReadCard> {
    let Named { entry, id, name } = card;
    let place = &entry.place;
    entry.known(reader, &["id", "name", "type", "forbids", "effect", "copies", "score"]);
    let ty = entry.text(reader, "type").and_then(|id| {
        let found = names.types.iter().position(|ty| ty.id == *id.get_ref());
        if found.is_none() {
            let known: Vec<&str> = names.types.iter().map(|ty| ty.id.as_str()).collect();
            let (given, known) = (quoted(id.get_ref()), known.join(", "));
            let message = format_args!("`type`: no type is called `{given}`; types: {known}");
            entry.wrong(reader, &id.span(), message);
        }
        found.filter(|&ty| ty < MAX_TYPES)
    });
    let forbids = entry.field(reader, "forbids");
    let forbids = forbids.and_then(|value| type_set(reader, names, &entry.at("forbids"), value));
    let effect = optional(entry.table, "effect")
        .map_or(Some(Effect::None), |value| reader.one_of(&entry.at("effect"), value, &Effect::WORDS));
    let copies = entry.field(reader, "copies").and_then(|value| read_copies(reader, place, value));
    let score = entry.field(reader, "score");
    let score = score.and_then(|value| score_grammar::clauses(reader, names, place, value));
    let (ty, (copies, spans), score) = (ty?, copies?, score?);
    let none = Clause { points: 0, per: Count::ONE, test: Count::ONE, bounds: Bounds::ANY, other: 0 };
    let mut data = KindData {
        unit: 1 << (8 * ty),
        score: [none; MAX_CLAUSES],
        clauses: score.len().min(MAX_CLAUSES) as u8,
        ty: ty as u8,
        forbids: forbids?,
        effect: effect?,
        wanted: score.iter().fold(0, |set, clause| set | clause.wanted),
        alone: 0,
    };
    for (place, read) in data.score.iter_mut().zip(&score) {
        *place = read.clause;
    }
    let text = KindText {
        id: id.clone(),
        name: name.clone(),
        copies,
        clauses: score.iter().map(|clause: &ReadClause| clause.text.clone()).collect(),
        icons: score.iter().map(|clause| clause.icons.clone()).collect(),
    };
    let references = score.into_iter().flat_map(|clause| clause.references).collect();
    Some(ReadCard { data, text, copies: spans, references, place: place.clone() })
}

fn read_copies(
    reader: &mut Reader<'_>,
    place: &str,
    value: &Spanned<DeValue<'_>>,
) -> Option<([u8; 3], [Range<usize>; 3])> {
    let place = format!("{place}`copies`: ");
    let items = reader.list(&place, value)?;
    let [a, b, c] = items else {
        let message = format!("{place}{} numbers; three are needed: unmarked, 4+, 5+", items.len());
        reader.wrong(&value.span(), message);
        return None;
    };
    let all = [a, b, c].map(|item| reader.whole_within(&place, item, (0, MAX_COPIES)));
    let copies = [all[0]?, all[1]?, all[2]?];
    let sum: i64 = copies.iter().sum();
    if sum == 0 {
        reader.wrong(&value.span(), format!("{place}no copies: the card is in no deck"));
    } else if sum > MAX_COPIES {
        reader.wrong(&value.span(), format!("{place}{sum} copies in all; at most {MAX_COPIES}"));
    }
    Some((copies.map(|copies| copies as u8), [a.span(), b.span(), c.span()]))
}

/// Limits on the decks of all player counts ("Content" of the rules page), reported at a number that decides them.
fn check_decks(reader: &mut Reader<'_>, cards: &[Option<ReadCard>]) {
    let read: Option<Vec<&ReadCard>> = cards.iter().map(Option::as_ref).collect();
    let Some(read) = read.filter(|read| !read.is_empty()) else { return };
    for players in 2..=5usize {
        let mark = players.clamp(3, 5) - 3;
        let deck: usize = read.iter().map(|card| usize::from(copies_of(&card.text.copies, players))).sum();
        let most = MAX_DECK.min(MAX_ROW * players + players - 1);
        if (5 * players..=most).contains(&deck) {
            continue;
        }
        // The first card with copies of this mark, or the first one that could have some.
        let at = read.iter().find(|card| card.text.copies[mark] > 0).unwrap_or(&read[0]);
        let message = format!(
            "{}`copies`: {deck} cards in all with {players} players; allowed: {} to {most}",
            at.place,
            5 * players
        );
        reader.wrong(&at.copies[mark], message);
    }
}

/// Kinds whose scores name each other in a circle. A kind that counts its own copies is none.
fn check_cycles(reader: &mut Reader<'_>, names: &Names<'_>, cards: &[Option<ReadCard>]) {
    let named = |kind: usize| cards[kind].iter().flat_map(|card| card.references.iter().map(|r| r.0.index()));
    for (kind, card) in cards.iter().enumerate() {
        let Some(card) = card else { continue };
        for (first, span) in card.references.iter().filter(|(first, _)| first.index() > kind) {
            // The way back through cards that come later: each circle is reported once, at its first card.
            let mut from = vec![None; cards.len()];
            let mut queue = vec![first.index()];
            let mut found = false;
            while let (Some(at), false) = (queue.pop(), found) {
                for next in named(at) {
                    if next == kind {
                        from[kind] = Some(at);
                        found = true;
                    } else if next > kind && next != first.index() && from[next].is_none() {
                        from[next] = Some(at);
                        queue.push(next);
                    }
                }
            }
            if !found {
                continue;
            }
            let mut path = vec![names.cards[kind].as_str()];
            let mut at = from[kind];
            while let Some(step) = at.filter(|_| path.len() <= cards.len()) {
                path.insert(0, &names.cards[step]);
                at = if step == first.index() { None } else { from[step] };
            }
            path.insert(0, &names.cards[kind]);
            let message = format!("{}`score`: a scoring cycle: {}", card.place, path.join(" -> "));
            reader.wrong(span, message);
        }
    }
}

/// A badge as read.
struct ReadBadge {
    data: BadgeData,
    text: BadgeText,
    is_gold: bool,
    /// Where its needs stand.
    span: Range<usize>,
    place: String,
}

fn read_badge(reader: &mut Reader<'_>, names: &Names<'_>, badge: &Named<'_, '_>) -> Option<ReadBadge> {
    let Named { entry, id, name } = badge;
    let place = &entry.place;
    entry.known(reader, &["id", "name", "tier", "high", "low", "needs"]);
    let tier = entry.field(reader, "tier");
    let tiers = [("gold", true), ("silver", false)];
    let is_gold = tier.and_then(|value| reader.one_of(&entry.at("tier"), value, &tiers));
    let mut value = |field: &str| {
        let given = entry.field(reader, field)?;
        Some((reader.whole_within(&entry.at(field), given, (1, 50))?, given.span()))
    };
    let (high, low) = (value("high"), value("low"));
    if let (Some((high, _)), Some((low, span))) = (&high, &low)
        && low >= high
    {
        let message = format_args!("`low` is {low}; it must be below `high`, which is {high}");
        entry.wrong(reader, span, message);
    }
    let needs = entry.field(reader, "needs");
    let span = needs.map_or(entry.span.clone(), Spanned::span);
    let needs = needs.and_then(|value| score_grammar::needs(reader, names, place, value));
    let (is_gold, high, low, needs) = (is_gold?, high?.0, low?.0, needs?);
    let none = Need::new(Form::Most, Bounds::ANY);
    let mut list = [none; MAX_NEEDS];
    for (slot, read) in list.iter_mut().zip(&needs) {
        *slot = read.need;
    }
    let count = needs.len().min(MAX_NEEDS);
    let least = badge_search::least_cards(&list[..count]);
    let span = if let [only] = needs.as_slice() { only.span.clone() } else { span };
    Some(ReadBadge {
        data: BadgeData { list, count: count as u8, least, high: high as u8, low: low as u8 },
        text: BadgeText {
            id: id.clone(),
            name: name.clone(),
            needs: needs.into_iter().map(|read| read.text).collect(),
        },
        is_gold,
        span,
        place: place.clone(),
    })
}

/// Gold badges first, and enough of each tier. Returns the number of gold ones.
fn check_tiers(reader: &mut Reader<'_>, entries: &[Named<'_, '_>], badges: &[Option<ReadBadge>]) -> usize {
    let Some(tiers) =
        badges.iter().map(|badge| badge.as_ref().map(|badge| badge.is_gold)).collect::<Option<Vec<_>>>()
    else {
        return 0;
    };
    let gold = tiers.iter().filter(|&&gold| gold).count();
    if let Some(late) = tiers.iter().rposition(|&gold| gold).filter(|&last| last + 1 > gold) {
        let entry = &entries[late].entry;
        entry.wrong(reader, &entry.span, "a gold badge after a silver one; gold ones come first");
    }
    for (name, count, (min, max)) in [("gold", gold, GOLD), ("silver", tiers.len() - gold, SILVER)] {
        if (min..=max).contains(&count) {
            continue;
        }
        let message = format!("{count} {name} badges; allowed: {min} to {max}");
        match entries.last() {
            Some(last) => reader.wrong(&last.entry.span, message),
            None => reader.wrong_file(message),
        }
    }
    gold
}
