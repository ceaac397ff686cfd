//! What a player sees, as bytes: the layout and the only code that writes it. `playmat info rafts` prints the layout.

use super::Rafts;
use super::content::{Card, GoalCard};
use super::state::{
    BACTERIUM, GENE, GoalKind, HAND, Kind, MAX_ACTIONS, MAX_GOALS, MAX_RESOURCES, Phase, Player, State,
};
use playmat_core::prelude::*;

/// The layout of an observation, and where its parts begin.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) layout: Layout,
    at: Parts,
}

/// First bytes of the segments.
#[derive(Clone, Copy, Debug)]
struct Parts {
    hand: usize,
    resolving: usize,
    placing: usize,
    receiving: usize,
    partner: usize,
    last: usize,
    discards: usize,
    played: usize,
    sizes: usize,
    bound: usize,
    goals_left: usize,
    clock: usize,
    seats: usize,
    /// Bytes of a player.
    each: usize,
    seat: SeatParts,
}

/// First bytes of the segments of a player, from its first byte on.
#[derive(Clone, Copy, Debug)]
struct SeatParts {
    /// Bacterium and gene of both benches.
    benches: [[usize; 2]; 2],
    lab: usize,
    generics: usize,
    goals: usize,
    missing: usize,
    held: usize,
    known: usize,
    exempt: usize,
    turn: usize,
}

const PHASES: &str = "the decision that the viewer has to make: main, shield, snatch, bench, target, receive, give, \
                      steal, take, goal, discard, draw; all 0 if none";

impl View {
    /// For so many players, bacteria and genes, and these cards.
    pub(super) fn new(players: usize, specific: [usize; 2], cards: &[Card], goals: &[GoalCard]) -> View {
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
        let hand_at = l.push("hand", &[kinds], hand, false, "own cards by kind");
        let resolving = l.push(
            "resolving",
            &[kinds - resources],
            1,
            true,
            "the action card being resolved; Serendipity only while its card is being placed",
        );
        let placing = l.push("placing", &[resources], 1, true, "the resource being placed");
        let receiving = l.push("receiving", &[goals.len()], 1, true, "the goal to be received");
        let partner =
            l.push("partner", &[players], 1, true, "the chosen partner, counted from the viewer on");
        let last = l.push("last_discard", &[resources], 1, true, "the last discard");
        let discards = l.push("discards", &[resources], copies, true, "cards in the discards");
        let played = l.push(
            "actions_played",
            &[kinds - resources],
            most(&cards[resources..]),
            true,
            "action cards used",
        );
        let sizes = l.push("deck_sizes", &[3], largest, true, "cards in the action, specific, generic deck");
        let bound = l.push(
            "deck_bound",
            &[resources],
            copies,
            false,
            "the deck holds at most so many, by what the viewer has seen",
        );
        let goals_left = l.push("goals_left", &[goals.len()], goal_copies, true, "goals in their deck");
        let clock =
            l.push("clock", &[1], 255, true, "turns ended, of those after which the episode is cut off");
        let seats = l.size();
        let mut seat = SeatParts {
            benches: [[0; 2]; 2],
            lab: 0,
            generics: 0,
            goals: 0,
            missing: 0,
            held: 0,
            known: 0,
            exempt: 0,
            turn: 0,
        };
        for j in 0..players {
            let whose = if j == 0 { "the viewer".into() } else { format!("the player {j} places clockwise") };
            let from = l.size();
            let mut push = |name: &str, len: usize, scale: usize, what: &str| {
                l.push(format!("seat{j}_{name}"), &[len], scale, true, format!("{whose}: {what}")) - from
            };
            for (b, bench) in seat.benches.iter_mut().enumerate() {
                bench[BACTERIUM] =
                    push(&format!("bench{b}_bacterium"), bacteria, 1, &format!("bacterium on bench {b}"));
                bench[GENE] = push(&format!("bench{b}_gene"), genes, 1, &format!("gene on bench {b}"));
            }
            seat.lab = push("lab_expansion", 1, 1, "whether bench 1 can be used");
            seat.generics = push("generics", 4, 4, "time, money, medium, rafts on the table");
            seat.goals = push("goals", goals.len(), 1, "goals");
            seat.missing = push("missing", 1, 8, "cards that the best goal still lacks");
            seat.held = push("hand_size", 3, hand, "cards in hand from the action, specific, generic deck");
            seat.known =
                push("known_hand", resources, hand, "recovered cards that are certainly still in hand");
            seat.exempt = push("exempt", 1, 1, "whether exempt by a shield in this window");
            seat.turn = push("turn_player", 1, 1, "whether this is the turn player");
        }
        let each = (layout.size() - seats) / players;
        let at = Parts {
            hand: hand_at,
            resolving,
            placing,
            receiving,
            partner,
            last,
            discards,
            played,
            sizes,
            bound,
            goals_left,
            clock,
            seats,
            each,
            seat,
        };
        View { layout, at }
    }
}

/// Copies counts of a fixed capacity to their place. Surplus zeros fall on what is written later.
#[inline(always)]
fn copy<const N: usize>(out: &mut [u8], at: usize, counts: &[u8; N], len: usize) {
    // A copy of fixed length is a few moves, one of variable length a call; only at the end there is no room.
    if let Some(place) = out.get_mut(at..at + N) {
        place.copy_from_slice(counts);
    } else {
        out[at..at + len].copy_from_slice(&counts[..len]);
    }
}

/// One byte of a one-hot segment; nothing if there is no value.
#[inline(always)]
fn mark(out: &mut [u8], at: usize, value: Option<usize>) {
    let (index, byte) = value.map_or((0, 0), |value| (value, 1));
    out[at + index] |= byte;
}

/// Writes what `viewer` knows: every byte of `out`.
#[inline(always)]
pub(super) fn observe(game: &Rafts, state: &State, viewer: Seat, out: &mut [u8]) {
    let at = &game.view.at;
    out.fill(0);
    // Counts first, in ascending order, then single bytes.
    copy(out, at.hand, &state.player(viewer).hand, game.kinds);
    copy(out, at.discards, &state.discards, game.resources);
    copy::<MAX_ACTIONS>(out, at.played, &state.played, game.kinds - game.resources);
    copy(out, at.sizes, &state.sizes, 3);
    copy(out, at.bound, &game.deck_bound(state, viewer), game.resources);
    copy::<MAX_GOALS>(out, at.goals_left, &state.goals_left, game.goals.len());
    out[at.clock] = (255 * u32::from(state.turn) / u32::from(game.options.turns)) as u8;
    for j in 0..game.players {
        game.write_seat(state, viewer.relative(j, game.players), out, at.seats + j * at.each);
    }
    if state.must_decide(viewer) {
        out[state.phase as usize % Phase::DECISIONS] = 1;
    }
    // Zero in a snatch window by itself: a Serendipity is resolved only while its card is placed.
    mark(out, at.resolving, state.resolving.map(|kind| kind.index() - game.resources));
    mark(out, at.placing, state.placing.map(Kind::index));
    mark(out, at.receiving, state.receiving.map(GoalKind::index));
    mark(out, at.last, state.last.map(Kind::index));
    if let Some(partner) = state.partner {
        let place = (usize::from(partner) + game.players - viewer.index()) % game.players;
        out[at.partner + place] = 1;
    }
}

impl Rafts {
    #[inline(always)]
    fn write_seat(&self, state: &State, seat: Seat, out: &mut [u8], from: usize) {
        let parts = &self.view.at.seat;
        let player = state.player(seat);
        copy(out, from + parts.generics, &player.generics, 4);
        expand(player.goals.into(), &mut out[from + parts.goals..from + parts.goals + self.goals.len()]);
        copy(out, from + parts.held, &player.held, 3);
        copy(out, from + parts.known, &player.known, self.resources);
        for (bench, parts) in player.benches.iter().zip(&parts.benches) {
            mark(out, from + parts[BACTERIUM], bench[BACTERIUM].map(Kind::index));
            mark(out, from + parts[GENE], bench[GENE].map(|kind| kind.index() - self.bacteria));
        }
        out[from + parts.lab] = player.lab.into();
        out[from + parts.missing] = player.missing;
        out[from + parts.exempt] = state.shields >> seat.0 & 1;
        out[from + parts.turn] = u8::from(state.turn_player == seat.0);
    }

    /// RA-K1: copies of each resource that lie where the viewer does not see them. Its own hand is the only open one, as `Zone` says.
    #[inline(always)]
    pub(super) fn unseen(&self, state: &State, viewer: Seat) -> [u8; MAX_RESOURCES] {
        let mut unseen = state.closed;
        let own = state.player(viewer);
        for (k, unseen) in unseen.iter_mut().enumerate() {
            *unseen = unseen.wrapping_sub(own.hand[k]).wrapping_add(own.known[k]);
        }
        for Player { known, .. } in &state.players[..self.players] {
            for (unseen, known) in unseen.iter_mut().zip(known) {
                *unseen = unseen.wrapping_sub(*known);
            }
        }
        unseen
    }

    /// RA-K1: how many copies the deck can hold by what the viewer knows.
    #[inline(always)]
    pub(super) fn deck_bound(&self, state: &State, viewer: Seat) -> [u8; MAX_RESOURCES] {
        let mut bound = self.unseen(state, viewer);
        let own = state.player(viewer);
        for (k, bound) in bound.iter_mut().enumerate() {
            *bound = (*bound).min(state.shuffled[k].wrapping_sub(own.drawn[k]));
        }
        bound
    }
}
