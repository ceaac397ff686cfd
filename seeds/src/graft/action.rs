//! The action space ("Decisions and actions" of the rules page): CARD(kind) in `0..K`, then SHIP, TAKE_BAR, STOP, CLAIM(slot) and DECLINE.

use super::Graft;
use super::state::{Kind, SLOTS};
use playmat_core::prelude::*;

/// Actions beyond the kinds.
pub(super) const OTHERS: usize = 4 + SLOTS;

/// What an action number means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A card of the hand; when replanting, of the compost.
    Card(Kind),
    /// The ship card.
    Ship,
    /// Take the Energy Bar back and choose two cards.
    TakeBar,
    /// No further replant pick.
    Stop,
    /// Claim the badge of this slot.
    Claim(u8),
    /// Claim nothing.
    Decline,
}

impl Graft {
    /// The meaning of an action number below `num_actions`.
    #[inline(always)]
    pub fn choice(&self, action: Action) -> Choice {
        match action.index().checked_sub(self.kinds()) {
            None => Choice::Card(Kind(action.0 as u8)),
            Some(0) => Choice::Ship,
            Some(1) => Choice::TakeBar,
            Some(2) => Choice::Stop,
            Some(n) if n < 3 + SLOTS => Choice::Claim((n - 3) as u8),
            Some(_) => Choice::Decline,
        }
    }

    /// The number of an action.
    #[inline(always)]
    pub fn action(&self, choice: Choice) -> Action {
        let beyond = |n: usize| Action((self.kinds() + n) as u16);
        match choice {
            Choice::Card(kind) => Action(kind.0.into()),
            Choice::Ship => beyond(0),
            Choice::TakeBar => beyond(1),
            Choice::Stop => beyond(2),
            Choice::Claim(slot) => beyond(3 + usize::from(slot)),
            Choice::Decline => beyond(3 + SLOTS),
        }
    }

    pub(super) fn action_ranges(kinds: usize) -> Vec<ActionRange> {
        let card = "choose a card of this kind: from the hand, or from the compost when replanting";
        ActionRange::tile(&[
            ("CARD", &[kinds], card),
            ("SHIP", &[1], "choose the ship card"),
            ("TAKE_BAR", &[1], "take the Energy Bar at the row's end back and choose two cards"),
            ("STOP", &[1], "no further replant pick"),
            ("CLAIM", &[SLOTS], "claim the badge of this slot: two gold ones, then three silver ones"),
            ("DECLINE", &[1], "claim nothing"),
        ])
    }
}
