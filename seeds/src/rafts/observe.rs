//! What a player sees, as bytes: the layout and the only code that writes it. `playmat info rafts` prints the layout.

use super::Rafts;
use super::content::{Card, GoalCard};
use super::state::{BACTERIUM, GENE, HAND, Kind, MAX_RESOURCES, Phase, PlayerState, State};
use playmat_core::prelude::*;

const PHASES: &str = "the decision that the viewer has to make: main, shield, snatch, bench, target, receive, give, \
                      steal, take, goal, discard, draw; all 0 if none";

/// The layout for these numbers of players, bacteria and genes, and these cards.
pub(super) fn layout(players: usize, specific: [usize; 2], cards: &[Card], goals: &[GoalCard]) -> Layout {
    let [bacteria, genes] = specific;
    let (resources, kinds) = (bacteria + genes + 4, cards.len());
    let most = |cards: &[Card]| cards.iter().map(|card| usize::from(card.copies)).max().unwrap_or(1);
    let sum = |cards: &[Card]| cards.iter().map(|card| usize::from(card.copies)).sum::<usize>();
    let copies = most(&cards[..resources]);
    let largest = sum(&cards[..bacteria + genes])
        .max(sum(&cards[bacteria + genes..resources]))
        .max(sum(&cards[resources..]));
    let goal_copies = goals.iter().map(|goal| usize::from(goal.card.copies)).max().unwrap_or(1);
    let hand = usize::from(HAND);
    let mut layout = Layout::default();
    let l = &mut layout;
    l.push("phase", &[Phase::DECISIONS], 1, false, PHASES);
    l.push("hand", &[kinds], hand, false, "own cards by kind");
    l.push(
        "resolving",
        &[kinds - resources],
        1,
        true,
        "the action card being resolved; Serendipity only while its card is being placed",
    );
    l.push("placing", &[resources], 1, true, "the resource being placed");
    l.push("receiving", &[goals.len()], 1, true, "the goal to be received");
    l.push("partner", &[players], 1, true, "the chosen partner, counted from the viewer on");
    l.push("last_discard", &[resources], 1, true, "the last discard");
    l.push("discards", &[resources], copies, true, "cards in the discards");
    let actions = &cards[resources..];
    l.push("actions_played", &[actions.len()], most(actions), true, "action cards used");
    l.push("deck_sizes", &[3], largest, true, "cards in the action, specific, generic deck");
    l.push(
        "deck_bound",
        &[resources],
        copies,
        false,
        "the most copies that the deck can hold, by what the viewer has seen",
    );
    l.push("goals_left", &[goals.len()], goal_copies, true, "goals in their deck");
    l.push("clock", &[1], 255, true, "turns ended, of those after which the episode is cut off");
    for j in 0..players {
        let (owner, whose) = match j {
            0 => ("own".into(), "the viewer".into()),
            _ => (format!("other{j}"), format!("the player {j} places clockwise")),
        };
        let mut push = |name: &str, len: usize, scale: usize, what: &str| {
            l.push(format!("{owner}_{name}"), &[len], scale, true, format!("{whose}: {what}"));
        };
        for bench in 0..2 {
            push(&format!("bench{bench}_bacterium"), bacteria, 1, &format!("bacterium on bench {bench}"));
            push(&format!("bench{bench}_gene"), genes, 1, &format!("gene on bench {bench}"));
        }
        push("lab_expansion", 1, 1, "whether bench 1 can be used");
        push("generics", 4, 4, "time, money, medium, rafts on the table");
        push("goals", goals.len(), 1, "goals");
        push("missing", 1, 8, "cards that the best goal still lacks");
        push("hand_size", 3, hand, "cards in hand from the action, specific, generic deck");
        push("known_hand", resources, hand, "recovered cards that are certainly still in hand");
        push("exempt", 1, 1, "whether exempt by a shield in this window");
        push("turn_player", 1, 1, "whether this is the turn player");
    }
    layout
}

/// Writes one part after the other. Stores have fixed sizes and may run over into what is written later: a copy of variable length is
/// a call, and the row needs no zeros before.
struct Writer<'a> {
    /// What is not yet written.
    rest: &'a mut [u8],
}

impl Writer<'_> {
    #[inline(always)]
    fn skip(&mut self, len: usize) {
        self.rest = &mut std::mem::take(&mut self.rest)[len..];
    }

    /// The next `len` bytes: the first ones of an array.
    #[inline(always)]
    fn counts<const N: usize>(&mut self, counts: &[u8; N], len: usize) {
        match self.rest.first_chunk_mut::<N>() {
            Some(to) => *to = *counts,
            None => copy_few(&mut self.rest[..len], counts),
        }
        self.skip(len);
    }

    /// The next `N` bytes.
    #[inline(always)]
    fn bytes<const N: usize>(&mut self, bytes: [u8; N]) {
        self.rest[..N].copy_from_slice(&bytes);
        self.skip(N);
    }

    /// The next `len` bytes, at most `N`, a power of two: 0, but 1 at one place if there is one.
    #[inline(always)]
    fn mark<const N: usize>(&mut self, len: usize, place: Option<usize>) {
        let (place, byte) = place.map_or((0, 0), |place| (place, 1));
        match self.rest.first_chunk_mut::<N>() {
            Some(to) => {
                *to = [0; N];
                to[place & (N - 1)] = byte;
            }
            None => {
                self.rest[..len].fill(0);
                self.rest[place] = byte;
            }
        }
        self.skip(len);
    }

    /// The next `len` bytes, at most 64: bits, a byte each; mostly 0.
    #[inline(always)]
    fn rare_bits(&mut self, word: u64, len: usize) {
        match self.rest.first_chunk_mut::<64>() {
            Some(to) if word == 0 => *to = [0; 64],
            _ => expand_exactly(word, &mut self.rest[..len]),
        }
        self.skip(len);
    }
}

/// The first bytes of `from`, at most 32, without running over.
#[inline(always)]
fn copy_exactly(to: &mut [u8], from: &[u8]) {
    let from = &from[..to.len()];
    if let (Some(first), Some(from)) = (to.first_chunk_mut::<16>(), from.first_chunk::<16>()) {
        *first = *from;
    } else {
        return copy_few(to, from);
    }
    if let (Some(last), Some(from)) = (to.last_chunk_mut::<16>(), from.last_chunk::<16>()) {
        *last = *from;
    }
}

/// The same in contents with few cards.
#[cold]
#[inline(never)]
fn copy_few(to: &mut [u8], from: &[u8]) {
    to.copy_from_slice(&from[..to.len()]);
}

/// Bits in contents with few cards, or rare ones.
#[cold]
#[inline(never)]
fn expand_exactly(word: u64, to: &mut [u8]) {
    expand(word, to);
}

/// Bit k for kind k; none without a kind.
#[inline(always)]
fn flag(kind: Option<Kind>) -> u64 {
    kind.map_or(0, |kind| 1u64.wrapping_shl(kind.0.into()))
}

/// A word further up; what would leave it is nothing.
#[inline(always)]
fn shift(word: u64, by: usize) -> u64 {
    word << (by & 63)
}

/// Sizes of the segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    pub(super) players: usize,
    pub(super) specific: usize,
    pub(super) resources: usize,
    pub(super) kinds: usize,
    pub(super) goals: usize,
}

impl Sizes {
    /// Those of the built-in content. As the compiler knows them, it knows the place of every part of an observation: a fifth of a step's
    /// instructions less.
    const fn builtin(players: usize) -> Sizes {
        Sizes { players, specific: 14, resources: 18, kinds: 31, goals: 12 }
    }

    /// Bytes of an observation.
    #[inline(always)]
    const fn total(self) -> usize {
        let Sizes { players, specific, resources, kinds, goals } = self;
        let actions = kinds - resources;
        let all = Phase::DECISIONS + kinds + actions + resources + goals + players + resources;
        let table = 2 * specific + 1 + 4 + goals;
        all + resources + actions + 3 + resources + goals + 1 + players * (table + 4 + resources + 2)
    }
}

/// Writes what `viewer` knows: every byte of `out`.
#[inline(always)]
pub(super) fn observe(game: &Rafts, state: &State, viewer: Player, out: &mut [u8]) {
    let sizes = game.sizes;
    match (sizes == Sizes::builtin(sizes.players), sizes.players) {
        (true, 2) => write(game, const { Sizes::builtin(2) }, state, viewer, out),
        (true, 3) => write(game, const { Sizes::builtin(3) }, state, viewer, out),
        _ => write_any(game, state, viewer, out),
    }
}

/// [`observe`] with sizes that the compiler does not know. A function of its own: inlined, it would double the code of a batch.
#[inline(never)]
fn write_any(game: &Rafts, state: &State, viewer: Player, out: &mut [u8]) {
    write(game, game.sizes, state, viewer, out);
}

#[inline(always)]
fn write(game: &Rafts, sizes: Sizes, state: &State, viewer: Player, out: &mut [u8]) {
    let Sizes { players, specific, resources, kinds, goals } = sizes;
    let actions = kinds - resources;
    let mut writer = Writer { rest: &mut out[..sizes.total()] };
    let w = &mut writer;
    w.mark::<16>(Phase::DECISIONS, state.must_decide(viewer).then_some(state.phase as usize));
    w.counts(&state.player(viewer).hand, kinds);
    let chosen = match (state.resolving, state.placing) {
        (None, None) => 0,
        _ => game.chosen(state, viewer),
    };
    w.rare_bits(chosen, actions + resources + goals + players);
    w.mark::<32>(resources, state.last.map(Kind::index));
    w.counts(&state.discards, resources);
    w.counts(&state.played, actions);
    w.bytes(state.sizes);
    w.counts(&game.deck_bound(state, viewer), resources);
    w.counts(&state.goals_left, goals);
    w.bytes([(255 * u32::from(state.turn) / u32::from(game.options.turns)) as u8]);
    // Benches, lab and goals are bits, at most 2 * 20 + 1 + 16, with the generics among them.
    let generics = 2 * specific + 1;
    let (goals_from, goals_to) = (generics + 4, generics + 4 + goals);
    let mut player = viewer;
    for row in writer.rest.chunks_exact_mut(goals_to + 4 + resources + 2) {
        let own = state.player(player);
        let [bench, other] = own.benches.map(|bench| flag(bench[BACTERIUM]) | flag(bench[GENE]));
        let benches = bench | shift(other, specific) | shift(own.lab.into(), generics - 1);
        let table = benches | shift(own.goals.into(), goals_from);
        match row.first_chunk_mut::<64>() {
            Some(to) => expand_to(table, to),
            None => expand_exactly(table, &mut row[..goals_to]),
        }
        row[generics..generics + 4].copy_from_slice(&own.generics);
        if let Some((counts, row)) = row[goals_to..].split_first_chunk_mut::<4>()
            && let Some((known, last)) = row.split_last_chunk_mut::<2>()
        {
            let [actions, specific, generic] = own.held;
            *counts = [own.missing, actions, specific, generic];
            copy_exactly(known, &own.known);
            *last = [state.shields >> (player.0 & 7) & 1, u8::from(state.turn_player == player.0)];
        }
        player = player.relative(1, players);
    }
}

impl Rafts {
    /// The segments from `resolving` to `partner` as bits, at most 16 + 24 + 16 + 6. Nothing is resolved in a snatch window by itself:
    /// a Serendipity is resolved only while its card is placed.
    #[cold]
    #[inline(never)]
    fn chosen(&self, state: &State, viewer: Player) -> u64 {
        let placing = self.kinds - self.resources;
        let (receiving, partner) = (placing + self.resources, placing + self.resources + self.goals.len());
        let player = |player: u8| (usize::from(player) + self.players - viewer.index()) % self.players;
        flag(state.resolving) >> self.resources
            | flag(state.placing) << placing
            | state.receiving.map_or(0, |goal| 1 << (receiving + goal.index()))
            | state.partner.map_or(0, |other| 1 << (partner + player(other)))
    }

    /// RA-K1: copies of each resource that lie where the viewer does not see them. Its own hand is the only open one, as `Zone` says.
    #[inline(always)]
    pub(super) fn unseen(&self, state: &State, viewer: Player) -> [u8; MAX_RESOURCES] {
        let mut unseen = state.closed;
        let own = state.player(viewer);
        for (k, unseen) in unseen.iter_mut().enumerate() {
            *unseen = unseen.wrapping_sub(own.hand[k]).wrapping_add(own.known[k]);
        }
        for PlayerState { known, .. } in &state.players[..self.players] {
            for (unseen, known) in unseen.iter_mut().zip(known) {
                *unseen = unseen.wrapping_sub(*known);
            }
        }
        unseen
    }

    /// RA-K1: how many copies the deck can hold by what the viewer knows.
    #[inline(always)]
    pub(super) fn deck_bound(&self, state: &State, viewer: Player) -> [u8; MAX_RESOURCES] {
        let mut bound = self.unseen(state, viewer);
        let own = state.player(viewer);
        for (k, bound) in bound.iter_mut().enumerate() {
            *bound = (*bound).min(state.shuffled[k].wrapping_sub(own.drawn[k]));
        }
        bound
    }
}
