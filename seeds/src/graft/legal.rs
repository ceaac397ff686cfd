//! The legal actions: what may be placed on a row, and what a player may choose in each phase.

use super::Graft;
use super::state::{Kind, Phase, Row, SLOTS, State};
use playmat_core::prelude::*;

/// The legal actions of a player who must decide.
#[inline(always)]
pub(super) fn legal(game: &Graft, state: &State, player: Player) -> Bits<2> {
    // Actions beyond the kinds, in their order, as bits.
    const SHIP: u64 = 1;
    const TAKE_BAR: u64 = 1 << 1;
    const STOP: u64 = 1 << 2;
    const FIRST_CLAIM: u32 = 3;
    const DECLINE: u64 = 1 << (FIRST_CLAIM + SLOTS as u32);
    let (kinds, others) = match state.phase {
        Phase::Choose if state.bars.contains(player) => {
            // GR-R16b: the bar is in the hand, and the ship card can only be the second card.
            let is_second = state.cards[player.index()][0] != 0;
            (game.own_hand(state, player).set(), if is_second { SHIP } else { 0 })
        }
        Phase::Choose => {
            let ends_in_bar = game.ends_in_bar(&state.rows[player.index()]);
            // GR-R6a: also a card that will bust.
            (state.hands[player.index()].set(), if ends_in_bar { SHIP | TAKE_BAR } else { SHIP })
        }
        Phase::Replant => (game.picks_of(state, player), STOP),
        Phase::Replace => (game.replacements_of(state, player), 0),
        Phase::Claim | Phase::Refill => {
            (0, DECLINE | u64::from(state.offers[player.index()]) << FIRST_CLAIM & (DECLINE - 1))
        }
        Phase::End => (0, 0),
    };
    // Both words in registers: bits that are set one by one in memory are read back as a vector, which waits for them.
    let others = u128::from(others).wrapping_shl(game.kinds() as u32);
    Bits([kinds | others as u64, (others >> 64) as u64])
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
    pub(super) fn replacements_of(&self, state: &State, player: Player) -> u64 {
        let kinds = state.hands[player.index()].set();
        let legal = kinds & self.legal_kinds(&state.rows[player.index()]);
        if legal != 0 { legal } else { kinds }
    }

    /// The kinds that a player may pick from its compost (GR-R18b).
    #[inline]
    pub(super) fn picks_of(&self, state: &State, player: Player) -> u64 {
        state.composts[player.index()].kinds() & self.legal_kinds(&state.rows[player.index()])
    }

    /// Whether a row ends in an Energy Bar, however it came there: only that bar can be taken back (GR-R16c).
    #[inline(always)]
    pub fn ends_in_bar(&self, row: &Row) -> bool {
        self.faces[usize::from(row.last_code() & 127)].bar != 0
    }
}
