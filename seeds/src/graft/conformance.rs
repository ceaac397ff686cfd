//! What Graft adds to the conformance suite.

use super::Graft;
use super::content;
use super::state::{Counts, Hand, Kind, Phase, State};
use playmat_core::hooks::same;
use playmat_core::prelude::*;

/// Numbered rules that report themselves when they take effect.
const RULES: [&str; 25] = [
    "GR-R2", "GR-R3", "GR-R5", "GR-R6", "GR-R7", "GR-R7b", "GR-R8", "GR-R9", "GR-R10", "GR-R11", "GR-R12",
    "GR-R13", "GR-R13a", "GR-R14", "GR-R15", "GR-R16", "GR-R17", "GR-R18", "GR-R18a", "GR-R18b", "GR-R19",
    "GR-R19a", "GR-Q9", "GR-Q11", "GR-Q14",
];

pub(super) fn hooks(_: &Graft) -> Hooks<Graft> {
    Hooks {
        redacted: &[
            ("claim_chosen", "claims are revealed when all have claimed"),
            ("drew", "a drawn card is its owner's; samples with the same turn and another card are rare"),
        ],
        content: Some(|| content::BUILTIN[0].1),
        expected: Some(expected),
        unreached: &[
            ("GR-Q9", "with the built-in content the first pile is a multiple of the players"),
            ("GR-R13", "needs five turns in which no player ships"),
            ("GR-R13a", "needs GR-R13 on an empty pile"),
            ("GR-R18a", "needs a Replant in the compost and another one on the row"),
            ("GR-R19a", "needs a Z-Coin on a row that forbids Ore; with `restricted` it never happens"),
        ],
        idle: &[
            ("GR-Q11", "greedy agents claim whenever they may; random play does not"),
            ("action DECLINE", "greedy agents claim whenever they may; random play does not"),
            ("GR-R7b", "greedy agents choose the ship card only with a legal replacement"),
        ],
        private_turns: Some(
            "one possible replacement for a ship card is a forced move; no observation holds who decided",
        ),
        own_public: &[],
        useless: Some(useless),
        relabel: Some(relabel),
        consistent: Some(consistent),
        other_deal: None,
        determinizations: Some(determinizations),
        ..Hooks::default()
    }
}

/// Every rule, card, badge and icon of the content.
fn expected(game: &Graft) -> Vec<String> {
    let more = [if game.players() == 2 { "GR-R1a" } else { "GR-R1" }, "GR-R10 low"];
    let rules = RULES.iter().chain(&more).map(ToString::to_string);
    let kinds = (0..game.kinds()).map(|kind| Kind(kind as u8));
    let there = kinds.filter(|&kind| game.deck().0[kind.index()] > 0);
    let cards = there.flat_map(|kind| {
        let id = &game.text(kind).id;
        [format!("card {id}"), format!("shipped {id}")]
    });
    let badges = (0..game.badges().len()).map(|badge| format!("badge {}", game.badge_text(badge as u8).id));
    let icons = [
        "points",
        "cards",
        "types",
        "left",
        "right",
        "specific card",
        "or",
        "if",
        "unique",
        "multiply",
        "next",
        "even",
    ];
    rules.chain(cards).chain(badges).chain(icons.iter().map(|icon| format!("icon {icon}"))).collect()
}

/// Completed rows count by their points and Recycles, claims by their slots; the order of two face-down cards and a claim cannot be
/// changed any more; what others decide is of no use. `phase` says whether the viewer must decide.
fn useless(_: &Graft, state: &State, viewer: Player, json: &mut Value) {
    let Some(map) = json.as_object_mut() else { return };
    map.remove("shipped");
    map.remove("replaced");
    map.remove("taken");
    if !state.acting.contains(viewer) || state.phase == Phase::Refill {
        map.remove("phase");
    }
    let Some(entries) = map.get_mut("players").and_then(Value::as_array_mut) else { return };
    for (player, json) in entries.iter_mut().enumerate() {
        let Some(map) = json.as_object_mut() else { continue };
        map.remove("completed");
        map.remove("claims");
        map.remove("claim");
        if player != viewer.index() || !state.acting.contains(viewer) {
            map.remove("picks");
        }
        if let Some(chosen) = map.get_mut("chosen").and_then(Value::as_array_mut) {
            chosen.sort_by_key(Value::to_string);
        }
    }
}

/// The same position with player `s` in the place of player `s + turn`.
fn relabel(game: &Graft, state: &State, turn: usize) -> Option<State> {
    let players = game.players();
    let place = |player: Player| player.relative(turn % players, players);
    let moved = |set: Players| -> Players { set.iter().map(place).collect() };
    let mut other = *state;
    for player in Player::all(players) {
        let (from, to) = (player.index(), place(player).index());
        other.hands[to] = state.hands[from];
        for known in &mut other.hands[to].known {
            *known = moved(Players(*known)).0;
        }
        other.rows[to] = state.rows[from];
        other.composts[to] = state.composts[from];
        other.completed[to] = state.completed[from];
        other.ends[to] = state.ends[from];
        other.row_points[to] = state.row_points[from];
        other.recycles[to] = state.recycles[from];
        other.compost_sizes[to] = state.compost_sizes[from];
        other.claims[to] = state.claims[from];
        other.cards[to] = state.cards[from];
        other.replacements[to] = state.replacements[from];
        other.picks[to] = state.picks[from];
        other.offers[to] = state.offers[from];
        other.claiming[to] = state.claiming[from];
    }
    other.bars = moved(state.bars);
    other.shippers = moved(state.shippers);
    other.replaced = moved(state.replaced);
    other.shipped = moved(state.shipped);
    other.acting = moved(state.acting);
    Some(other)
}

/// While the viewer has to choose, players before it have a choice that their hands allow; all others have none. What the
/// viewer knows of a hand is in it.
fn consistent(game: &Graft, state: &State, viewer: Player, sample: &State) -> Result<(), String> {
    let must_choose = state.acting.contains(viewer);
    same("the viewer's hand", state, sample, |state| game.own_hand(state, viewer).kinds)?;
    for player in Player::all(game.players()).filter(|&player| player != viewer) {
        let at = player.index();
        for (kind, known) in state.hands[at].cards() {
            let knows = |state: &State| {
                let cards = state.hands[at].cards().filter(|c| c.0 == kind && c.1 >> viewer.0 & 1 != 0);
                cards.count()
            };
            if known >> viewer.0 & 1 != 0 {
                same(
                    format_args!("cards of player {player} that the viewer knows of"),
                    state,
                    sample,
                    knows,
                )?;
            }
        }
        let has_chosen = must_choose && player < viewer;
        if has_chosen && sample.acting.contains(player)
            || !has_chosen && sample.cards[at] != state.cards[at] && sample.cards[at] != [0; 2]
        {
            return Err(format!("player {player} has chosen, or not, against GR-R24c"));
        }
    }
    Ok(())
}

/// All determinizations for a viewer who is the lowest player that must choose while everybody does: nobody before it has chosen, nobody
/// after it has, and only hands and pile are hidden.
fn determinizations(game: &Graft, state: &State, viewer: Player) -> Option<Determinizations<State>> {
    let fresh = state.phase == Phase::Choose && state.acting.first() == Some(viewer) && viewer == Player(0);
    if !fresh || state.out.total() > 0 {
        return None;
    }
    let unseen = game.unseen(state, viewer);
    let mut base = *state;
    let mut places = Vec::new();
    for player in Player::all(game.players()) {
        let at = player.index();
        if player != viewer {
            (base.cards[at], base.acting) = ([0; 2], Players(base.acting.0 | 1 << at));
            base.bars.remove(player);
        }
        let before = state.hands[at];
        let mut hand = Hand::default();
        for (kind, _) in before.cards().filter(|card| card.1 >> viewer.0 & 1 != 0) {
            hand.draw(kind, 1 << at | 1 << viewer.0);
        }
        base.hands[at] = hand;
        places.extend(std::iter::repeat_n(at, before.hidden_from(viewer)));
    }
    let mut list: Determinizations<State> = vec![];
    if places.len() > 2 {
        return None;
    }
    spread(&base, unseen, &places, 1.0, &mut list)?;
    Some(list)
}

/// Deals what is unseen to the hidden places in every way; `None` if there are too many.
fn spread(
    base: &State,
    unseen: Counts,
    places: &[usize],
    p: f64,
    list: &mut Determinizations<State>,
) -> Option<()> {
    let Some((&at, rest)) = places.split_first() else {
        let mut sample = *base;
        sample.pile = unseen;
        match list.iter_mut().find(|(known, _)| *known == sample) {
            Some((_, sum)) => *sum += p,
            None => list.push((sample, p)),
        }
        return (list.len() <= 200).then_some(());
    };
    let total = f64::from(unseen.total());
    for kind in (0..unseen.0.len()).filter(|&kind| unseen.0[kind] > 0) {
        let (mut next, mut left) = (*base, unseen);
        next.hands[at].draw(Kind(kind as u8), 1 << at);
        left.0[kind] -= 1;
        spread(&next, left, rest, p * f64::from(unseen.0[kind]) / total, list)?;
    }
    Some(())
}
