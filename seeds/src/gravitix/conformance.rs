//! What Gravitix adds to the conformance suite.

use super::Gravitix;
use super::content;
use super::state::{Ability, Cards, MAX_KINDS, Phase, State, size};
use playmat_core::hooks::same;
use playmat_core::prelude::*;

/// Numbered rules that report themselves when they take effect, whatever is configured.
const RULES: [&str; 15] = [
    "GX-R1", "GX-R2", "GX-R3", "GX-R5", "GX-R5a", "GX-R6", "GX-R6b", "GX-R6e", "GX-R6g", "GX-R8", "GX-R9",
    "GX-Q2", "GX-Q13", "GX-Q14", "GX-Q25",
];
/// Those that belong to an ability, besides its own number.
const BY_ABILITY: [(&str, &[Ability]); 7] = [
    ("GX-R6c", &[Ability::MinusOne, Ability::NextMinusOne, Ability::NextMinusTwo]),
    ("GX-Q12", &[Ability::MinusOne, Ability::NextMinusOne, Ability::NextMinusTwo]),
    ("GX-R18a", &[Ability::SwapTwo]),
    ("GX-R19a", &[Ability::Wind]),
    ("GX-R20a", &[Ability::Double]),
    ("GX-Q10", &[Ability::Double]),
    ("GX-Q17", &[Ability::Double]),
];
/// Most determinizations that are listed.
const MOST_SAMPLES: usize = 300;

pub(super) fn hooks(game: &Gravitix) -> Hooks<Gravitix> {
    let none: &'static [(&str, &str)] =
        &[("relabel", "there is one player"), ("determinizations", "nothing is hidden from the only player")];
    Hooks {
        none: if game.players == 2 { &[] } else { none },
        apart: &[
            ("players", "handicap", "the puzzle has one hand"),
            ("players", "first_player", "the puzzle has one player"),
            ("players", "ships", "the puzzle has one ship"),
            ("players", "puzzle_counts", "only the puzzle counts cards"),
            ("puzzle_counts", "handicap", "only the puzzle counts cards, and it has one hand"),
            ("puzzle_counts", "first_player", "only the puzzle counts cards, and it has one player"),
            ("puzzle_counts", "ships", "only the puzzle counts cards, and it has one ship"),
        ],
        shows_more: &[
            r#"{"players": 1}"#,
            r#"{"island_set": "1"}"#,
            r#"{"island_set": "2"}"#,
            r#"{"first_player": "random"}"#,
        ],
        content: Some(|| content::BUILTIN[0].1),
        expected: Some(expected),
        private_turns: Some("whether there is a decision to supply depends on what the hand can pay"),
        unreached: &[
            ("GX-R10", "an exchange is announced only where the printed cards do not pay"),
            ("GX-R12", "an island is given up only where nothing else pays"),
            ("GX-R15", "a shift is used only where the printed cards do not pay"),
            (
                "GX-R20",
                "a doubled supply needs a Double island, and twice the demand in hand at the next one",
            ),
            ("GX-R6c", "discounts need an own island that gives them"),
            ("GX-R11", "needs an own -1 island"),
            ("GX-R13", "needs an island with -1 next, and a supply after it"),
            ("GX-R14", "needs an island with -2 next, and a supply after it"),
            ("GX-R16", "needs a move that starts on an own Double sail island"),
            ("GX-R8", "needs a marker on every island, which random play and hard mode never reach"),
            ("GX-R4a", "needs a player with neither a card to play nor one to take, while the other goes on"),
            ("GX-R18a", "needs an own swap island, two cards in hand and one in the deck"),
            ("GX-R19a", "needs an own wind island and a cell that the ship can be blown to"),
            (
                "GX-R20a",
                "a doubled supply needs a Double island, and twice the demand in hand at the next one",
            ),
            ("GX-Q2", "needs a ship that stays where it is, which is rarely useful in the puzzle"),
            ("GX-Q10", "needs a Double island, and a supply that is not doubled after it"),
            ("GX-Q12", "needs discounts as large as a whole demand"),
            ("GX-Q14", "needs a supply that draws more cards than the deck still has"),
            (
                "GX-Q17",
                "needs twelve markers of one player on doubled islands and others, before all islands are marked",
            ),
        ],
        idle: &[
            ("GX-Q25", "greedy agents never decline a supply that they can pay; random play does"),
            ("action TAKE", "hard mode does not allow taking cards"),
            ("action DOUBLE", "needs a Double island, which only set 2 has, and twice the demand in hand"),
            ("action DECLINE", "greedy agents decline a swap, never a supply; only set 2 has a swap"),
            ("action MINUS", "needs an island that gives a discount, which only set 1 has"),
            (
                "action SHIFT",
                "needs an own +1/-1 island, which only set 1 has, where the printed cards do not pay",
            ),
            (
                "action EXCHANGE",
                "needs an own exchange island, which only set 1 has, where the printed cards do not pay",
            ),
            (
                "action SACRIFICE",
                "needs an own island that can be given up, which only set 1 has, where nothing else pays",
            ),
            ("action DISCARD", "needs a swap island, which only set 2 has"),
        ],
        own_public: &[
            "my_turn",
            "sizes",
            "island*_own",
            "island*_others",
            "island*_distance",
            "island*_other_distance",
        ],
        relabel: (game.players == 2).then_some(relabel as _),
        consistent: Some(consistent),
        determinizations: (game.players == 2).then_some(determinizations as _),
        ..Hooks::default()
    }
}

/// Every rule that can take effect under the options, every card, every island.
fn expected(game: &Gravitix) -> Vec<String> {
    let mut names: Vec<String> = RULES.iter().map(ToString::to_string).collect();
    if !game.hard {
        names.push("GX-R7".into());
    }
    for ability in Ability::ALL.into_iter().filter(|&ability| game.has_ability[ability as usize]) {
        let idle =
            game.players == 1 && matches!(ability, Ability::LoseCard | Ability::Wind | Ability::Double);
        if !idle {
            names.push(format!("GX-R{}", ability.rule()));
        }
    }
    if game.players == 2 {
        names.push("GX-R4a".into());
    }
    if game.players == 2 && game.first.is_none() {
        names.push("GX-Q18".into());
    }
    let there = |abilities: &&[Ability]| abilities.iter().any(|&ability| game.has_ability[ability as usize]);
    names.extend(BY_ABILITY.iter().filter(|(_, by)| there(by)).map(|(name, _)| (*name).to_string()));
    names.extend(game.kinds.iter().map(|kind| format!("card {}", kind.id)));
    names.extend(game.faces.iter().map(|face| format!("face {}", face.id)));
    names
}

/// The same position with the players exchanged.
fn relabel(_: &Gravitix, state: &State, turn: usize) -> Option<State> {
    let mut other = *state;
    if turn % 2 == 1 {
        other.hands.swap(0, 1);
        other.decks.swap(0, 1);
        other.discards.swap(0, 1);
        other.owned.swap(0, 1);
        other.ships.swap(0, 1);
        other.pending.swap(0, 1);
        other.sailed.swap(0, 1);
        other.turn = Player(1 - state.turn.0);
    }
    Some(other)
}

/// Whether the other's cards must be able to pay.
fn pays(state: &State, viewer: Player) -> bool {
    matches!(state.phase, Phase::Supply | Phase::Discount | Phase::Pay) && state.turn != viewer
}

/// Whoever may supply or is paying can do so in the sample.
fn consistent(game: &Gravitix, state: &State, viewer: Player, sample: &State) -> Result<(), String> {
    if pays(state, viewer) && !game.completable(sample, &sample.hands[state.turn.index() & 1]) {
        return Err(format!("player {} has to pay and cannot complete the payment", state.turn));
    }
    same("sizes of hands", state, sample, |state| state.hands.map(|hand| size(&hand)))
}

/// Every hand that the other can have, if there are few: as likely as it is drawn, given that it can pay.
fn determinizations(game: &Gravitix, state: &State, viewer: Player) -> Option<Determinizations<State>> {
    let other = 1 - (viewer.index() & 1);
    let pool: Cards = std::array::from_fn(|kind| state.hands[other][kind] + state.decks[other][kind]);
    let mut hands = Vec::new();
    list(&pool, size(&state.hands[other]), 0, ([0; MAX_KINDS], 1.0), &mut hands)?;
    let mut found: Determinizations<State> = Vec::new();
    for (hand, ways) in hands {
        let mut sample = *state;
        sample.hands[other] = hand;
        sample.decks[other] = std::array::from_fn(|kind| pool[kind] - hand[kind]);
        if !pays(state, viewer) || game.completable(&sample, &hand) {
            found.push((sample, ways));
        }
    }
    let sum: f64 = found.iter().map(|(_, ways)| ways).sum();
    // Where hands that can pay are rare, samples may come from the repair, which is an approximation.
    let all: f64 = choose(size(&pool), size(&state.hands[other]));
    if pays(state, viewer) && sum < all / 4.0 {
        return None;
    }
    found.iter_mut().for_each(|(_, ways)| *ways /= sum);
    Some(found)
}

/// All hands of `left` more cards of the kinds from `kind` on, each with the number of ways to draw it; nothing if there are many.
fn list(pool: &Cards, left: u32, kind: usize, hand: (Cards, f64), out: &mut Vec<(Cards, f64)>) -> Option<()> {
    if left == 0 {
        out.push(hand);
        return (out.len() <= MOST_SAMPLES).then_some(());
    }
    if pool[kind..].iter().map(|&count| u32::from(count)).sum::<u32>() < left {
        return Some(());
    }
    for count in 0..=u32::from(pool[kind]).min(left) {
        let mut next = hand;
        next.0[kind] = count as u8;
        next.1 *= choose(pool[kind].into(), count);
        list(pool, left - count, kind + 1, next, out)?;
    }
    Some(())
}

/// n over k.
fn choose(n: u32, k: u32) -> f64 {
    (0..k).fold(1.0, |ways, i| ways * f64::from(n - i) / f64::from(i + 1))
}
