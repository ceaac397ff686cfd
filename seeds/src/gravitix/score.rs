//! The score of a position, who wins, and the largest score.

use super::Gravitix;
use super::content::{COLOURS, Face};
use super::map::SLOTS;
use super::rules::ALL_SLOTS;
use super::state::{Ability, MARKERS, Phase, State, bits, size};
use playmat_core::prelude::*;

/// The scores as the game stands; in the puzzle marked islands, and when it is solved a bonus for cards saved (GX-R9, R21b).
#[inline]
pub(super) fn scores(game: &Gravitix, state: &State) -> Scores {
    let mut scores = Scores::default();
    if game.players == 1 {
        let solved = state.phase == Phase::End && state.marked() == ALL_SLOTS;
        let bonus = if solved { 64 - game.counted(state) as i32 } else { 0 };
        scores[0] = state.marked().count_ones() as i32 + bonus;
    } else {
        scores[0] = game.points(state, Player(0));
        scores[1] = game.points(state, Player(1));
    }
    scores
}

/// GX-R9: most points, then most unused cards, then all share. The puzzle is won when it is solved (GX-R21b).
pub(super) fn winners(game: &Gravitix, state: &State) -> Players {
    if game.players == 1 {
        return if state.marked() == ALL_SLOTS { Players::all(1) } else { Players::EMPTY };
    }
    let unused = |player: usize| size(&state.hands[player]) + size(&state.decks[player]);
    let rank = |player: Player| (game.points(state, player), unused(player.index()));
    let best = Player::all(2).map(rank).max();
    Player::all(2).filter(|&player| Some(rank(player)) == best).collect()
}

impl Gravitix {
    /// Points of a player as the game stands (GX-R9): islands, doubled ones twice, and colours.
    pub(super) fn points(&self, state: &State, player: Player) -> i32 {
        let owned = state.owned[player.index() & 1];
        let (mut points, mut colours) = (0, [0i32; COLOURS]);
        for slot in bits(owned.into()) {
            let face = self.face(state, slot);
            points += i32::from(face.points) << (state.doubled >> slot & 1);
            if let Some(colour) = face.colour {
                // GX-Q15: islands are counted, doubled or not.
                colours[usize::from(colour)] += 1;
            }
        }
        points + colours.map(|islands| islands * (islands + 1) / 2).iter().sum::<i32>()
    }

    /// Cards that count in the puzzle (GX-Q16).
    #[inline(always)]
    pub(super) fn counted(&self, state: &State) -> u32 {
        if self.counts_sailed { state.sailed[0].into() } else { size(&state.discards[0]) }
    }
}

/// The largest final score: in the puzzle all islands with nothing discarded, which a position from outside can come near to,
/// else all points that one player can have.
///
/// A player owns n islands and m of them with two markers, n + m at most twelve (GX-R8). Each doubled island was supplied with
/// the effect of an own Double island (GX-R20), which is never given up. So m Double islands are among the n, and
/// the m best of all count twice.
pub(super) fn most_points(faces: &[Face], players: usize) -> i32 {
    if players == 1 {
        return SLOTS as i32 + 64;
    }
    let sorted = |mut points: Vec<i32>| {
        points.sort_unstable_by(|a, b| b.cmp(a));
        points
    };
    let points = |double: bool| {
        let of = faces.iter().filter(|face| (face.ability == Some(Ability::Double)) == double);
        sorted(of.map(|face| i32::from(face.points)).collect())
    };
    let (doubles, others) = (points(true), points(false));
    let best = |doubled: usize| {
        let (must, may) = doubles.split_at(doubled);
        let rest = sorted([may, &others].concat());
        let islands = SLOTS.min(MARKERS as usize) - doubled;
        let owned = sorted([must, &rest[..rest.len().min(islands.saturating_sub(doubled))]].concat());
        owned.iter().sum::<i32>() + owned.iter().take(doubled).sum::<i32>()
    };
    let most = (0..=doubles.len().min(SLOTS / 2)).map(best).max().unwrap_or(0);
    let of = |colour| faces.iter().filter(|face| face.colour == Some(colour)).count().min(SLOTS) as i32;
    most + (0..COLOURS as u8).map(|colour| of(colour) * (of(colour) + 1) / 2).sum::<i32>()
}
