//! How long episodes and chains of forced moves can get: the bounds of the metadata.

use super::HAND;
use super::content::{Face, Kind};
use super::state::Ability;

/// The longest that an episode can get (rules, "End and scores").
pub(super) struct Bounds {
    pub(super) decisions: usize,
    pub(super) chance: usize,
}

impl Bounds {
    /// Every turn discards a card for good or takes one at least. A card sailed with takes three decisions: the card, the cell and whether to
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

/// What the longest chain of forced moves depends on.
pub(super) struct Forced<'a> {
    pub(super) players: usize,
    pub(super) kinds: &'a [Kind],
    /// The faces in play.
    pub(super) faces: &'a [Face],
    /// Whether cards cannot be taken; whether two ships may be on one cell.
    pub(super) hard: bool,
    pub(super) share: bool,
}

impl Forced<'_> {
    /// The longest chain of forced moves between two decisions.
    ///
    /// Supplying is always a decision (Q25), so a chain holds the steps of one payment at most. After it the other player may lose a
    /// card. Then turns follow in which nobody has a choice: cards are taken with an empty hand, once by each player, as the hand is
    /// not empty afterwards (nor is it after a claim that draws). Sailing ends a chain, because the target is a choice. At the deal
    /// ships may be placed without a decision.
    ///
    /// One case of sailing is forced: with a range of 1, in a corner whose only way out the other ship blocks (Q1). The ship stays,
    /// and with only such cards in hand the same happens again, as long as there are copies.
    pub(super) fn longest(&self) -> usize {
        let takes = if self.hard { 0 } else { self.players };
        let draws = self.faces.iter().all(|face| face.cards > 0);
        let loses = self.players == 2 && having(self.faces, Ability::LoseCard) > 0;
        let paid = self.faces.iter().map(|face| self.payment(face)).max().unwrap_or(0);
        let after = paid + usize::from(loses) + takes.saturating_sub(usize::from(draws));
        let blocked = self.kinds.iter().filter(|kind| self.players == 2 && !self.share && kind.sail == 1);
        let stays = 2 * blocked.map(|kind| usize::from(kind.copies)).max().unwrap_or(0);
        after.max(takes).max(self.players) + 1 + stays
    }

    /// The most steps of a payment for an island that can be forced one after the other.
    fn payment(&self, face: &Face) -> usize {
        let doubles = self.players == 2 && having(self.faces, Ability::Double) > 0;
        let next = if having(self.faces, Ability::NextMinusTwo) > 0 {
            2
        } else {
            having(self.faces, Ability::NextMinusOne).min(1)
        };
        // A pending effect is a discount or doubles, not both (GX-R6i).
        let once = self.steps(face, 0, next);
        if doubles { once.max(self.steps(face, 1, 0)) } else { once }
    }

    /// The same with a demand that is doubled `doublings` times, and `pending` units of a pending discount.
    ///
    /// - What a payment still needs can be done in any order, but for discounts, shifts and islands given up before the cards. So where one
    ///   step alone is legal, all cards of a chain are of one kind and paid as printed, or of one kind with one and the same exchange,
    ///   announced each time.
    /// - Of two islands that can be given up one is chosen.
    /// - Each discount and each card lowers what is due by a unit at least. If an island must be given up before that number of cards, two
    ///   units of the resource that the last card is needed for are lowered with it.
    fn steps(&self, face: &Face, doublings: u32, pending: usize) -> usize {
        let others = |ability| having(self.faces, ability) - usize::from(face.ability == Some(ability));
        let due = face.demand.map(|units| usize::from(units) << doublings);
        let total = due.iter().sum::<usize>();
        let (minus, shifts) = (pending + others(Ability::MinusOne), others(Ability::PlusMinus));
        let decks = if self.players == 1 { 2 } else { 1 };
        let most = |kind: &Kind| {
            let lowers = |(&units, &value): (&usize, &u8)| (units + shifts).div_ceil(usize::from(value));
            let pays = due.iter().zip(&kind.values).filter(|(_, value)| **value > 0);
            pays.map(lowers).max().unwrap_or(0).min(decks * usize::from(kind.copies))
        };
        let printed = self.kinds.iter().map(most).max().unwrap_or(0);
        let exchanged = others(Ability::Exchange);
        let stores = others(Ability::PlusTwoEach).min(1);
        let each = |store: usize| {
            (0..=minus.min(total)).map(move |minus| {
                let cards = total.saturating_sub(minus + 2 * store);
                minus + store + printed.min(cards).max(2 * exchanged.min(cards))
            })
        };
        shifts + (0..=stores).flat_map(each).max().unwrap_or(0)
    }
}
