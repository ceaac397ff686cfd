//! What the small games share: boards, cards, and names of rules and actions.

pub mod board;
pub mod poker;

use playmat_core::prelude::*;

/// Ranks of the card games, ascending; a deck of `n` ranks uses the last `n`.
const RANKS: &[u8; 9] = b"56789TJQK";

/// Letter of the rank with this number in a deck of `ranks`.
pub fn rank_name(rank: usize, ranks: usize) -> char {
    RANKS[RANKS.len() - ranks + rank] as char
}

/// The first `players` cards of a uniformly shuffled deck, from one number below [`deals`].
///
/// The cards dealt so far are kept sorted beside their order: the k-th card left is k plus the number of dealt
/// cards not above it. With constant arguments no loop, division or branch is left.
#[inline(always)]
pub fn deal_cards(players: usize, deck: u32, number: u32) -> [u8; MAX_PLAYERS] {
    let (mut cards, mut sorted) = ([0; MAX_PLAYERS], [u8::MAX; MAX_PLAYERS]);
    let mut number = number;
    for player in 0..players.min(MAX_PLAYERS) {
        let left = deck - player as u32;
        let mut card = (number % left) as u8;
        number /= left;
        for &below in &sorted[..player] {
            card += u8::from(card >= below);
        }
        cards[player] = card;
        let mut insert = card;
        for place in &mut sorted[..=player] {
            (*place, insert) = ((*place).min(insert), (*place).max(insert));
        }
    }
    cards
}

/// Number of ways to deal one card to each player: at most 18!/10!, below 2^32.
#[inline]
pub const fn deals(players: usize, deck: u32) -> u32 {
    let (mut product, mut player) = (1, 0);
    while player < players {
        product *= deck - player as u32;
        player += 1;
    }
    product
}

/// Every way to deal `unseen` cards to `players` players, as lists of cards; `None` if there are more than 400.
pub fn all_deals(unseen: &[u8], players: usize) -> Option<Vec<Vec<u8>>> {
    let mut lists = vec![Vec::new()];
    for _ in 0..players {
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
pub fn names(rules: &[&str]) -> Vec<String> {
    rules.iter().map(ToString::to_string).collect()
}

/// The index of the word that equals `text`, upper and lower case alike.
pub fn find_word(text: &str, words: &[(&str, u16)]) -> Option<Action> {
    let text = text.trim();
    words.iter().find(|(word, _)| word.eq_ignore_ascii_case(text)).map(|&(_, action)| Action(action))
}

/// A playing card as a picture: `None` is face down.
pub fn draw_card(svg: &mut Svg, x: f64, y: f64, name: Option<&str>) {
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
