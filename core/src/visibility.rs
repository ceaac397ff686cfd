//! Who sees the cards or tiles of a zone. A game declares it once, and JSON, events and pictures use the declaration. Samples and most of an
//! observation are written without it: the suite compares them with the JSON.
//!
//! A game lists its zones in `state.rs`. What is in no zone is public.
//!
//! ```
//! use playmat_core::player::{Player, Players};
//! use playmat_core::visibility::{Visibility, Zone};
//!
//! #[derive(Clone, Copy)]
//! enum Area { Hand(Player), Shown(Player, Player), Deck }
//!
//! impl Zone for Area {
//!     fn visibility(self) -> Visibility {
//!         match self {
//!             Area::Hand(owner) => Visibility::Owner(owner),
//!             // The owner has shown the card to another player.
//!             Area::Shown(owner, other) => Visibility::Players(Players(Players::one(owner).0 | Players::one(other).0)),
//!             Area::Deck => Visibility::Nobody,
//!         }
//!     }
//! }
//!
//! assert!(Area::Hand(Player(1)).is_seen_by(Some(Player(1))));
//! assert!(!Area::Hand(Player(1)).is_seen_by(Some(Player(0))));
//! assert!(Area::Shown(Player(1), Player(2)).is_seen_by(Some(Player(2))));
//! assert!(!Area::Shown(Player(1), Player(2)).is_seen_by(Some(Player(0))));
//! assert!(Area::Deck.is_seen_by(None)); // the complete view
//! ```

use crate::player::{Player, Players};

/// Which players see a zone. The viewer `None` sees everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// All players.
    Public,
    /// Its owner.
    Owner(Player),
    /// These players: a card that some have looked at.
    Players(Players),
    /// No player: a deck.
    Nobody,
}

/// A place where cards or tiles lie, or a choice, with one visibility.
pub trait Zone: Copy {
    /// Which players see it.
    fn visibility(self) -> Visibility;

    /// Whether `viewer` sees what is in this zone.
    #[inline(always)]
    fn is_seen_by(self, viewer: Option<Player>) -> bool {
        let Some(viewer) = viewer else { return true };
        match self.visibility() {
            Visibility::Public => true,
            Visibility::Owner(owner) => owner == viewer,
            Visibility::Players(players) => players.contains(viewer),
            Visibility::Nobody => false,
        }
    }
}

/// A zone whose visibility depends on the position: cards that a showdown reveals.
impl Zone for Visibility {
    #[inline(always)]
    fn visibility(self) -> Visibility {
        self
    }
}
