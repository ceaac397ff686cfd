//! Deck construction: ready-made, listed, random and built decks (GV-R1).

use super::Graven;
use super::cards::Card;
use super::content::{Deck, SOURCES, quoted, same};
use super::state::{Cards, DECK, PlayerState};
use playmat_core::error::nearest;
use playmat_core::prelude::*;

/// Fewest Titans of a deck (GV-R1a).
pub(super) const TITANS: u32 = 3;

/// Where the deck of a player comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// These cards.
    Fixed(Cards),
    /// One of the ready-made decks.
    Any,
    /// A random legal deck.
    Random,
    /// Picked by its player in the episode.
    Build,
}

/// A deck as it was listed, which may be wrong in any way.
#[derive(Clone, Debug, Default)]
pub(super) struct Listed {
    /// Cards in all, unknown ones included.
    total: u32,
    /// Known kinds with their copies, in the order in which they were first named.
    copies: Vec<(usize, u32)>,
}

impl Listed {
    /// Adds copies of a card; what is wrong with its name.
    pub(super) fn add(&mut self, cards: &[Card], name: &str, copies: u32) -> Option<String> {
        self.total = self.total.saturating_add(copies);
        let found = cards.iter().position(|card| same(&card.id, name) || same(&card.name, name));
        let Some(kind) = found else {
            let known: Vec<&str> = cards.iter().flat_map(|card| [card.name.as_str(), &card.id]).collect();
            return Some(format!("no card is called `{}`{}", quoted(name), nearest(name, &known)));
        };
        match self.copies.iter_mut().find(|(k, _)| *k == kind) {
            Some(entry) => entry.1 = entry.1.saturating_add(copies),
            None => self.copies.push((kind, copies)),
        }
        None
    }

    /// Everything that breaks GV-R1a, each by itself.
    pub(super) fn problems(&self, cards: &[Card], humans: usize) -> Vec<String> {
        let mut found = Vec::new();
        if self.total != DECK {
            found.push(format!("{}; a deck has {DECK}", count(self.total.into(), "card")));
        }
        for &(kind, copies) in &self.copies {
            let (most, what) = if kind < humans { (3, "Human") } else { (1, "Titan") };
            if copies > most {
                found.push(format!("{copies} copies of {}; at most {most} of a {what}", cards[kind].name));
            }
        }
        let titans = self.copies.iter().filter(|(kind, _)| *kind >= humans).count();
        if titans < TITANS as usize {
            found.push(format!("{}; at least {TITANS} of different names", count(titans as i64, "Titan")));
        }
        found
    }

    /// The cards, if nothing is wrong with them.
    pub(super) fn cards(&self) -> Cards {
        let mut cards = Cards::EMPTY;
        for &(kind, copies) in self.copies.iter().filter(|(kind, _)| *kind < 64) {
            cards = cards.with(kind as u8, copies.min(3) as u8);
        }
        cards
    }
}

/// The sources of all players from the option `decks`.
///
/// # Errors
/// `InvalidOption` with everything that is wrong, a line each, with the players that it is about.
pub(super) fn sources(
    options: &Options,
    players: usize,
    cards: &[Card],
    humans: usize,
    decks: &[Deck],
) -> Result<Vec<Source>> {
    let given = options.get("decks");
    let all: Vec<String> = (0..players).map(|player| player.to_string()).collect();
    let read: Vec<(&Value, String)> = match given.as_array() {
        Some(list) if list.len() == players => {
            list.iter().zip(&all).map(|(value, player)| (value, format!("player {player}"))).collect()
        }
        Some(list) if list.len() < DECK as usize && are_sources(list, decks) => {
            let count = list.len();
            let message = format!("a list of {count} sources for {players} players; one for each is needed");
            return Err(options.refuse("decks", message));
        }
        _ => vec![(given, format!("players {}", all.join(", ")))],
    };
    let (mut wrong, mut found) = (Vec::new(), Vec::new());
    for (value, whose) in read {
        match source(value, cards, humans, decks) {
            Ok(source) => found.push(source),
            Err(problems) => wrong.extend(problems.iter().map(|problem| format!("{whose}: {problem}"))),
        }
    }
    if !wrong.is_empty() {
        return Err(options.refuse("decks", wrong.join("\n  ")));
    }
    // One for all, or one for each.
    Ok(found.into_iter().cycle().take(players).collect())
}

/// Whether a list names decks and other sources, not cards.
fn are_sources(list: &[Value], decks: &[Deck]) -> bool {
    let named = |name: &str| SOURCES.contains(&name) || decks.iter().any(|deck| same(&deck.name, name));
    !list.is_empty()
        && list.iter().all(|value| match value {
            Value::String(name) => named(name),
            other => other.is_array() || other.is_object(),
        })
}

fn source(value: &Value, cards: &[Card], humans: usize, decks: &[Deck]) -> Result<Source, Vec<String>> {
    let mut listed = Listed::default();
    let mut found = Vec::new();
    match value {
        Value::String(name) => {
            if let Some(deck) = decks.iter().find(|deck| same(&deck.name, name)) {
                return Ok(Source::Fixed(deck.cards));
            }
            let known: Vec<&str> = decks.iter().map(|deck| deck.name.as_str()).chain(SOURCES).collect();
            match name.as_str() {
                "any" if decks.is_empty() => {
                    return Err(vec!["`any`: the content has no ready-made decks".into()]);
                }
                "any" => return Ok(Source::Any),
                "random" => return Ok(Source::Random),
                "build" => return Ok(Source::Build),
                _ => {
                    let near = nearest(name, &known);
                    let known = known.join(", ");
                    let message =
                        format!("no deck is called `{}`{near}; allowed: {known}, a list of", quoted(name));
                    return Err(vec![format!("{message} {DECK} cards, or a table of cards and copies")]);
                }
            }
        }
        Value::Array(names) => {
            for name in names {
                if found.len() >= Error::LISTED {
                    return Err(found);
                }
                match name.as_str() {
                    Some(name) => found.extend(listed.add(cards, name, 1)),
                    None => {
                        listed.total += 1;
                        found.push(format!("{name} is no name of a card"));
                    }
                }
            }
        }
        Value::Object(table) => {
            for (name, copies) in table {
                if found.len() >= Error::LISTED {
                    return Err(found);
                }
                match copies.as_u64().filter(|copies| (1..=99).contains(copies)) {
                    Some(copies) => found.extend(listed.add(cards, name, copies as u32)),
                    None => found.push(format!("{copies} copies of `{}`; 1 to 3 are allowed", quoted(name))),
                }
            }
        }
        other => {
            let message = "is no deck: the name of one, a list of cards, or a table of cards and copies";
            return Err(vec![format!("{other} {message}")]);
        }
    }
    found.extend(listed.problems(cards, humans));
    if found.is_empty() { Ok(Source::Fixed(listed.cards())) } else { Err(found) }
}

/// The ready-made decks, which can be matched against each other.
pub(super) fn matchups(game: &Graven) -> Option<(&'static str, Vec<String>)> {
    Some(("decks", game.decks.iter().map(|deck| deck.name.clone()).collect()))
}

/// Hidden deck lists must not follow from the option that names them.
pub(super) fn private_options(game: &Graven) -> &'static [&'static str] {
    if game.options.hides_lists { &["decks"] } else { &[] }
}

/// A player knows its own source, and of the others who builds. Samples complete their lists at random.
pub(super) fn option_known_to(game: &Graven, value: &Value, player: Player) -> Option<Value> {
    Some(game.sources_with(value, |other| (other != player).then(|| "random".into())))
}

impl Graven {
    /// As many copies of each kind as GV-R1a allows.
    #[inline]
    pub(super) fn allowed(&self) -> Cards {
        Cards { lo: self.all, hi: self.human_kinds }
    }

    /// Kinds that can be picked next for a deck that is being built.
    pub(super) fn pickable(&self, picked: Cards) -> u64 {
        let count = picked.total();
        if count >= DECK {
            return 0;
        }
        let left = self.allowed().minus(picked).kinds();
        let titans = picked.of(self.titan_kinds).total();
        let room = DECK - 1 - count >= TITANS.saturating_sub(titans);
        if room { left } else { left & self.titan_kinds }
    }

    /// The option `decks` with a source for each player: another one that is given for a player who does not build, or its own.
    pub(super) fn sources_with(&self, decks: &Value, other: impl Fn(Player) -> Option<Value>) -> Value {
        let list = decks.as_array().filter(|list| list.len() == self.players);
        let own = |player: Player| list.map_or(decks, |list| &list[player.index()]).clone();
        let builds = |player: Player| self.builders >> player.0 & 1 != 0;
        Player::all(self.players)
            .map(|player| other(player).filter(|_| !builds(player)).unwrap_or_else(|| own(player)))
            .collect()
    }

    /// A deck from a source other than `build` (GV-R1b).
    pub(super) fn draw_deck<L: Log<Self>>(&self, source: Source, rng: &mut Rng, log: &mut L) -> Cards {
        match source {
            Source::Fixed(cards) => cards,
            Source::Build => Cards::EMPTY,
            Source::Any => {
                log.chance();
                self.decks[rng.below(self.decks.len() as u32) as usize].cards
            }
            Source::Random => {
                let humans = 3 * self.human_kinds.count_ones();
                let titans = self.titan_kinds.count_ones();
                let fits = |t: &u32| *t <= titans && DECK - t <= humans;
                // Three to five Titans, or as few as the content allows.
                let sizes = || (TITANS..=5).filter(fits);
                log.chance();
                let size = rng.below(sizes().count().max(1) as u32) as usize;
                let t = sizes().nth(size).or_else(|| (TITANS..=DECK).find(fits)).unwrap_or(TITANS);
                let mut deck = Cards::EMPTY;
                for number in 0..DECK {
                    let pool = if number < t { self.titan_kinds } else { self.human_kinds };
                    log.chance();
                    deck.add(self.allowed().of(pool).minus(deck.of(pool)).pick(rng));
                }
                deck
            }
        }
    }

    /// Completes a hidden list to `size` cards in the game: uniformly of the copies that GV-R1a leaves, of thirty cards
    /// Titans alone until there are three (GV-K2).
    pub(super) fn complete(&self, list: Cards, size: u32, rng: &mut Rng) -> Cards {
        let mut list = list;
        while list.total() < size {
            let left = self.allowed().minus(list);
            let few = size == DECK && list.of(self.titan_kinds).total() < TITANS;
            let pool = if few { left.of(self.titan_kinds) } else { left };
            list.add(if pool.is_empty() { left.pick(rng) } else { pool.pick(rng) });
        }
        list
    }

    /// Cards of an owner that are in the game.
    #[inline]
    pub(super) fn owned(player: &PlayerState, fielded: Cards) -> Cards {
        player.hand.plus(player.deck).plus(player.discard).plus(fielded)
    }
}
