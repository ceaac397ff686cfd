//! How long episodes and chains of forced moves can get, and the largest final score: what the metadata tells.

use super::HAND;
use super::content::{self, Face, Kind};
use super::map::SLOTS;
use super::state::{Ability, MARKERS};

/// The longest that an episode can get (rules, "End and scores").
pub(super) struct Bounds {
    pub(super) decisions: usize,
    pub(super) chance: usize,
}

impl Bounds {
    /// Every turn discards a card for good or takes one at least. A card sailed with asks for the card, the cell and whether to
    /// supply; a supply for at most the units of discount (two of a pair, one for each -1 island), shifts, exchanges,
    /// sacrifices, and a last thing declined.
    pub(super) fn new(players: usize, faces: &[Face]) -> Bounds {
        let most = |ability| {
            let of = |sets: &[u8]| {
                faces.iter().filter(|face| sets.contains(&face.set) && face.ability == Some(ability)).count()
            };
            of(&[0]).max(of(&[1, 2])).max(of(&[3]))
        };
        let each = [Ability::MinusOne, Ability::PlusMinus, Ability::Exchange, Ability::PlusTwoEach];
        let supply = 2 + each.into_iter().map(most).sum::<usize>() + 1;
        let (cards, hand) = if players == 1 { (64, HAND[1]) } else { (32, HAND[0]) };
        let takes = (cards - usize::from(hand)).div_ceil(2);
        Bounds { decisions: players * ((3 + supply) * cards + takes + 1), chance: 1 + 24 + 12 + 64 }
    }
}

fn having(faces: &[Face], ability: Ability) -> usize {
    faces.iter().filter(|face| face.ability == Some(ability)).count()
}

/// The longest chain of forced moves between two decisions, with these faces in play.
///
/// Supplying is always asked for (Q25), so a chain holds the steps of one payment at most: units of discount, +1/-1, +2 each,
/// announced exchanges, and cards, each of which lowers what is due by one unit at least. After it comes a card lost or
/// swapped. In the turns that follow a player takes cards unasked only with an empty hand, once, as the hand is not
/// empty afterwards; who sails unasked is asked where to. At the deal ships may be placed unasked.
///
/// One move can be forced: with a range of 1 in a corner whose one way out the other ship blocks (Q1). The ship stays, and
/// with nothing but such cards in hand the same happens again, as long as there are copies.
pub(super) fn forced(players: usize, kinds: &[Kind], faces: &[Face], share: bool) -> usize {
    let having = |ability| having(faces, ability);
    let next = if having(Ability::NextMinusTwo) > 0 { 2 } else { having(Ability::NextMinusOne).min(1) };
    let steps = [Ability::MinusOne, Ability::PlusMinus, Ability::PlusTwoEach, Ability::Exchange];
    let demand = faces.iter().map(|face| face.demand.iter().map(|&units| usize::from(units)).sum::<usize>());
    let due = demand.max().unwrap_or(0) << having(Ability::Double).min(1);
    let payment = next + steps.into_iter().map(having).sum::<usize>() + due;
    let after = having(Ability::LoseCard).min(1).max(having(Ability::SwapTwo).min(1));
    let blocked = kinds.iter().filter(|kind| players == 2 && !share && kind.sail == 1);
    let stays = 2 * blocked.map(|kind| usize::from(kind.copies)).max().unwrap_or(0);
    payment + after + 2 * players + 1 + stays
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
    most + (0..content::COLOURS as u8).map(|colour| of(colour) * (of(colour) + 1) / 2).sum::<i32>()
}
