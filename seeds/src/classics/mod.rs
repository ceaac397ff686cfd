//! Five small yardstick games, shared with other engines: the worked example of how small a game can be.
//!
//! Each is one file: rules, observation, texts, pictures, heuristic, in that order. `tic_tac_toe` is the one to read
//! first. Rules, actions, numbering and returns are those of the OpenSpiel games of the same names; `rules/classics.md`
//! numbers them and lists the differences.

pub mod connect_four;
pub mod goofspiel;
pub mod kuhn_poker;
pub mod leduc_poker;
pub mod tic_tac_toe;

pub use connect_four::ConnectFour;
pub use goofspiel::Goofspiel;
pub use kuhn_poker::KuhnPoker;
pub use leduc_poker::LeducPoker;
pub use tic_tac_toe::TicTacToe;

use playmat_core::prelude::*;
use playmat_core::registry::Entry;

// What the registry lists. Statics, so that the games are compiled here and not again in every crate that names them.
/// Entry of [`ConnectFour`].
pub static CONNECT_FOUR: Entry = Entry::of::<ConnectFour>();
/// Entry of [`Goofspiel`].
pub static GOOFSPIEL: Entry = Entry::of::<Goofspiel>();
/// Entry of [`KuhnPoker`].
pub static KUHN_POKER: Entry = Entry::of::<KuhnPoker>();
/// Entry of [`LeducPoker`].
pub static LEDUC_POKER: Entry = Entry::of::<LeducPoker>();
/// Entry of [`TicTacToe`].
pub static TIC_TAC_TOE: Entry = Entry::of::<TicTacToe>();

/// Ranks of the card games, ascending; a deck of `n` ranks uses the last `n`.
const RANKS: &[u8; 9] = b"56789TJQK";

/// Letter of the rank with this number in a deck of `ranks`.
fn rank_name(rank: usize, ranks: usize) -> char {
    RANKS[RANKS.len() - ranks + rank] as char
}

/// The first `players` cards of a uniformly shuffled deck, from one number below [`deals`].
///
/// The cards dealt so far are kept sorted beside their order: the k-th card left is k plus the number of dealt
/// cards not above it. With constant arguments no loop, division or branch is left.
#[inline(always)]
pub fn deal_cards(players: usize, deck: u32, number: u32) -> [u8; MAX_SEATS] {
    let (mut cards, mut sorted) = ([0; MAX_SEATS], [u8::MAX; MAX_SEATS]);
    let mut number = number;
    for seat in 0..players.min(MAX_SEATS) {
        let left = deck - seat as u32;
        let mut card = (number % left) as u8;
        number /= left;
        for &below in &sorted[..seat] {
            card += u8::from(card >= below);
        }
        cards[seat] = card;
        let mut insert = card;
        for place in &mut sorted[..=seat] {
            (*place, insert) = ((*place).min(insert), (*place).max(insert));
        }
    }
    cards
}

/// Number of ways to deal one card to each player: at most 18!/10!, below 2^32.
pub const fn deals(players: usize, deck: u32) -> u32 {
    let (mut product, mut seat) = (1, 0);
    while seat < players {
        product *= deck - seat as u32;
        seat += 1;
    }
    product
}

/// Every way to deal `unseen` cards to `seats` places, as lists of cards; `None` if there are more than a few
/// hundred.
fn worlds_of(unseen: &[u8], seats: usize) -> Option<Vec<Vec<u8>>> {
    let mut lists = vec![Vec::new()];
    for _ in 0..seats {
        let longer = |list: &Vec<u8>| {
            let left: Vec<u8> = unseen.iter().copied().filter(|card| !list.contains(card)).collect();
            let list = list.clone();
            left.into_iter().map(move |card| [list.as_slice(), &[card]].concat())
        };
        lists = lists.iter().flat_map(longer).collect();
        if lists.len() > 400 {
            return None;
        }
    }
    Some(lists)
}

/// The names of rules, for the hook `expected`.
fn names(rules: &[&str]) -> Vec<String> {
    rules.iter().map(ToString::to_string).collect()
}

/// A JSON object being read: collects everything that is wrong instead of stopping at the first.
struct Fields<'a> {
    map: Option<&'a Object>,
    /// Fields that do not exist: they keep nothing else from being looked at.
    unknown: Vec<Problem>,
    problems: Vec<Problem>,
}

impl<'a> Fields<'a> {
    /// Reads an object that has exactly the fields `names`.
    fn new(json: &'a Value, names: &[&str]) -> Fields<'a> {
        let Some(map) = json.as_object() else {
            let problems = vec![Problem::new("", "expected an object")];
            return Fields { map: None, unknown: Vec::new(), problems };
        };
        let unknown = map.keys().filter(|key| !names.contains(&key.as_str()));
        let missing = names.iter().filter(|name| !map.contains_key(**name));
        let unknown = unknown
            .map(|key| Problem::new(key.as_str(), format!("no such field; fields: {}", names.join(", "))))
            .collect();
        let problems = missing.map(|name| Problem::new(*name, "is missing")).collect();
        Fields { map: Some(map), unknown, problems }
    }

    fn get(&self, name: &str) -> &'a Value {
        self.map.and_then(|map| map.get(name)).unwrap_or(&Value::Null)
    }

    fn problem(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.problems.push(Problem::new(path, message));
    }

    /// A list at a path, of at most `most` entries; reports what it is not.
    fn list(&mut self, path: &str, value: &'a Value, most: usize) -> &'a [Value] {
        match value.as_array() {
            Some(list) if list.len() <= most => list,
            Some(list) => {
                self.problem(path, format!("has {} entries; at most {most}", list.len()));
                &[]
            }
            None => {
                self.problem(path, "expected a list");
                &[]
            }
        }
    }

    /// A value that must be one of the words; its index.
    fn word(&mut self, path: &str, value: &Value, words: &[String]) -> Option<usize> {
        let found = value.as_str().and_then(|text| words.iter().position(|word| word == text));
        if found.is_none() {
            self.problem(path, format!("got {value}; allowed: {}", words.join(", ")));
        }
        found
    }

    /// A whole number in `0..=most`.
    fn number(&mut self, path: &str, value: &Value, most: u64) -> Option<u64> {
        let found = value.as_u64().filter(|number| *number <= most);
        if found.is_none() {
            self.problem(path, format!("got {value}; allowed: a whole number from 0 to {most}"));
        }
        found
    }

    /// Compares the object with the position that was built from its primary fields: what follows from them must
    /// say the same.
    fn agree(&mut self, expected: &Value) {
        if let (Some(map), Value::Object(expected)) = (self.map, expected) {
            for (name, value) in expected {
                if map.get(name).is_some_and(|given| given != value) {
                    self.problem(name.as_str(), format!("got {}; the position has {value}", map[name]));
                }
            }
        }
    }

    /// The state, if nothing was wrong.
    fn finish<S>(self, state: Option<S>) -> Result<S, Vec<Problem>> {
        let problems = [self.unknown, self.problems].concat();
        match state {
            Some(state) if problems.is_empty() => Ok(state),
            _ => Err(problems),
        }
    }
}

/// The index of the word that equals `text`, upper and lower case alike.
fn find_word(text: &str, words: &[(&str, u16)]) -> Option<Action> {
    let text = text.trim();
    words.iter().find(|(word, _)| word.eq_ignore_ascii_case(text)).map(|&(_, action)| Action(action))
}

/// A playing card as a picture: `None` is face down.
fn draw_card(svg: &mut Svg, x: f64, y: f64, name: Option<&str>) {
    match name {
        Some(name) => {
            svg.rect(x, y, 48.0, 68.0, "#fffdf6", r##"stroke="#555" rx="6""##);
            svg.text((x + 24.0, y + 43.0), 24.0, Anchor::Middle, "#222", true, name);
        }
        None => {
            svg.rect(x, y, 48.0, 68.0, "#3b5b92", r##"stroke="#223" rx="6""##);
            svg.rect(x + 6.0, y + 6.0, 36.0, 56.0, "none", r##"stroke="#c9d6ee" rx="4""##);
        }
    }
}
