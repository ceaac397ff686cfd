//! The legal actions: what may be placed on a row, and what a player may choose in each phase.

use super::Graft;
use super::action::Choice;
use super::state::{Kind, Phase, Row, SLOTS, State};
use playmat_core::prelude::*;

/// The legal actions of a player who must decide.
#[inline(always)]
pub(super) fn legal(game: &Graft, state: &State, player: Seat) -> Bits<2> {
    let mut legal = Bits::default();
    let mut insert = |choice: Choice| legal.insert(game.action(choice).index());
    let kinds = match state.phase {
        Phase::Choose if state.bars.contains(player) => {
            if state.cards[player.index()][0] != 0 {
                insert(Choice::Ship);
            }
            game.own_hand(state, player).set()
        }
        Phase::Choose => {
            insert(Choice::Ship);
            if game.ends_in_bar(&state.rows[player.index()]) {
                insert(Choice::TakeBar);
            }
            state.hands[player.index()].set()
        }
        Phase::Replant => {
            insert(Choice::Stop);
            game.picks_of(state, player)
        }
        Phase::Replace => game.replacements_of(state, player),
        Phase::Claim | Phase::Refill => {
            for slot in (0..SLOTS as u8).filter(|slot| state.offers[player.index()] >> slot & 1 != 0) {
                insert(Choice::Claim(slot));
            }
            insert(Choice::Decline);
            0
        }
        Phase::End => 0,
    };
    legal.insert_word(0, kinds);
    legal
}

impl Graft {
    /// Whether a card may be placed on a row (GR-R5, R19a).
    #[inline(always)]
    pub fn is_legal(&self, row: &Row, kind: Kind) -> bool {
        self.legal_kinds(row) >> kind.index() & 1 != 0
    }

    /// The kinds that may be placed on a row, as bits.
    #[inline]
    pub(super) fn legal_kinds(&self, row: &Row) -> u64 {
        let banned = self.kinds_of_types[usize::from(row.forbidden)];
        !banned | self.legal_coins
    }

    /// The kinds that a player may give for its ship card (GR-R7a, R7b).
    #[inline]
    pub(super) fn replacements_of(&self, state: &State, player: Seat) -> u64 {
        let kinds = state.hands[player.index()].set();
        let legal = kinds & self.legal_kinds(&state.rows[player.index()]);
        if legal != 0 { legal } else { kinds }
    }

    /// The kinds that a player may pick from its compost (GR-R18b).
    #[inline]
    pub(super) fn picks_of(&self, state: &State, player: Seat) -> u64 {
        state.composts[player.index()].kinds() & self.legal_kinds(&state.rows[player.index()])
    }

    /// Whether a row ends in an Energy Bar.
    #[inline(always)]
    pub fn ends_in_bar(&self, row: &Row) -> bool {
        self.faces[usize::from(row.last_code() & 127)].bar != 0
    }
}
