//! What can be played and chosen: which cards are playable now, and the legal actions of each phase.

use super::Rafts;
use super::action::PARTS;
use super::effects::{Effect, Loss, Part};
use super::state::{BACTERIUM, Deck, GENE, HAND, Kind, MEDIUM, MONEY, Phase, Player, RAFT, State, TIME};
use playmat_core::prelude::*;

/// The legal actions of the player who must decide.
#[inline(always)]
pub(super) fn legal(game: &Rafts, state: &State, seat: Seat) -> Bits<3> {
    let mut legal = Bits::default();
    let at = &game.at;
    match state.phase {
        Phase::Main => {
            legal.0[0] = game.playable(state, seat);
            legal.insert(at.end_turn);
            if state.player(seat).missing == 0 && !game.options.auto_claim {
                legal.insert(at.claim);
            }
        }
        Phase::Shield => {
            let resolving = state.resolving.map_or(0, Kind::index).saturating_sub(game.resources);
            if let Some(shield) = game.shields[resolving & 15] {
                legal.0[0] = state.player(seat).holds & 1 << shield.0;
            }
            legal.insert(at.pass);
        }
        Phase::Snatch => {
            if let Some(snatch) = game.snatch {
                legal.0[0] = state.player(seat).holds & 1 << snatch.0;
            }
            legal.insert(at.pass);
        }
        Phase::Bench => legal.insert_word(at.bench, 0b11),
        Phase::Draw => legal.insert_word(at.draw, game.drawable(state)),
        Phase::Discard => {
            legal.insert_word(at.discard, state.player(seat).holds);
            legal.insert(at.pass);
        }
        _ => game.legal_of_card(state, seat, &mut legal),
    }
    legal
}

impl Rafts {
    /// Most time, money and medium on a table (RA-R5, RA-Q1).
    #[inline(always)]
    pub(super) fn limit(&self, player: &Player) -> u8 {
        if self.options.double_generics && player.lab { 4 } else { 2 }
    }

    /// Bit k: a resource of kind k can come to this table (RA-R4, R5a): bacteria and genes always.
    #[inline(always)]
    pub(super) fn placeable(&self, player: &Player) -> u64 {
        let limit = self.limit(player);
        let have = &player.generics;
        let generics = u64::from(have[TIME] < limit) << TIME
            | u64::from(have[MONEY] < limit) << MONEY
            | u64::from(have[MEDIUM] < limit) << MEDIUM
            | u64::from(have[RAFT] == 0) << RAFT;
        ((1 << self.specific) - 1) | (generics << self.specific)
    }

    /// Bit k: a hand kind that the turn player can play now in the main phase.
    #[inline(always)]
    pub(super) fn playable(&self, state: &State, seat: Seat) -> u64 {
        let player = state.player(seat);
        let mut can = player.holds & self.placeable(player);
        let mut actions = player.holds >> self.resources;
        while actions != 0 {
            let action = actions.trailing_zeros() as usize;
            actions &= actions - 1;
            let can_play = self.can_play(state, seat, self.effects[action & 15]);
            can |= u64::from(can_play) << (self.resources + action);
        }
        can
    }

    /// Whether the turn player can play anything; stops at the first card.
    #[inline(always)]
    pub(super) fn has_play(&self, state: &State, seat: Seat) -> bool {
        let player = state.player(seat);
        if player.holds & self.placeable(player) != 0 {
            return true;
        }
        let mut actions = player.holds >> self.resources;
        while actions != 0 {
            let action = actions.trailing_zeros() as usize;
            actions &= actions - 1;
            if self.can_play(state, seat, self.effects[action & 15]) {
                return true;
            }
        }
        false
    }

    /// Whether an action card with this effect can be played in the main phase.
    #[inline(always)]
    fn can_play(&self, state: &State, seat: Seat, effect: Effect) -> bool {
        let player = state.player(seat);
        match effect {
            Effect::Steal(parts) => (1..self.players).any(|k| self.stealable(state, seat, k, parts) != 0),
            Effect::Exchange => (1..self.players).any(|k| self.can_exchange(state, seat, k)),
            Effect::Lose { what, all } => {
                let first = usize::from(!all);
                self.options.blank_sabotage
                    || (first..self.players)
                        .any(|k| Self::would_lose(state.player(seat.relative(k, self.players)), what))
            }
            Effect::ExtraBench => !player.lab,
            Effect::Recover if self.options.to_table => self.takeable(state, seat) != 0,
            Effect::Recover => state.discards != [0; super::state::MAX_RESOURCES],
            Effect::ExtraGoal => player.goal_count() == 1 && self.choosable_goals(state, seat) != 0,
            Effect::Snatch => self.can_snatch(state, seat),
            Effect::Shield { .. } => false,
        }
    }

    /// Whether there is a last discard that this player could place (RA-R15).
    #[inline(always)]
    pub(super) fn can_snatch(&self, state: &State, seat: Seat) -> bool {
        state.last.is_some_and(|kind| self.placeable(state.player(seat)) >> kind.0 & 1 != 0)
    }

    /// Whether a player has something that this would take, shielded or not (RA-R11b).
    #[inline(always)]
    pub(super) fn would_lose(player: &Player, what: Loss) -> bool {
        match what {
            Loss::Specific(slot) => player.benches[0][slot].is_some() | player.benches[1][slot].is_some(),
            Loss::Generic(generic) => player.generics[generic] > 0,
        }
    }

    /// Parts that the player can steal from the player `k` places clockwise, a bit each (RA-R7, R7c).
    #[inline(always)]
    pub(super) fn stealable(&self, state: &State, seat: Seat, k: usize, parts: u8) -> u8 {
        let victim = state.player(seat.relative(k, self.players));
        let [first, second] = &victim.benches;
        let bench = |bench: &[Option<Kind>; 2]| {
            u8::from(bench[BACTERIUM].is_some()) | u8::from(bench[GENE].is_some()) << 1
        };
        let raft = victim.generics[RAFT] > 0 && state.player(seat).generics[RAFT] == 0;
        // Of two equal benches one is offered.
        let second = if first == second { 0 } else { bench(second) };
        let all = bench(first) | second << 2 | u8::from(raft) << 4;
        let allowed = if parts == Part::Bacterium.bit() | Part::Gene.bit() | Part::Raft.bit() {
            u8::MAX
        } else {
            let has = |part: Part| u8::from(parts & part.bit() != 0);
            (has(Part::Bacterium) * 0b0_0101) | (has(Part::Gene) * 0b0_1010) | (has(Part::Raft) * 0b1_0000)
        };
        all & allowed
    }

    /// Whether a legal swap with the player `k` places clockwise exists (RA-R8, R8a): a goal to receive that is not owned, and
    /// one to give that the partner does not own.
    #[inline(always)]
    pub(super) fn can_exchange(&self, state: &State, seat: Seat, k: usize) -> bool {
        let own = state.player(seat).goals;
        let other = state.player(seat.relative(k, self.players)).goals;
        (other & !own != 0) & (own & !other != 0)
    }

    /// Goals left in their deck that the player does not own (RA-R14).
    #[inline(always)]
    pub(super) fn choosable_goals(&self, state: &State, seat: Seat) -> u16 {
        let mut left = 0;
        for (goal, &count) in state.goals_left.iter().enumerate() {
            left |= u16::from(count > 0) << goal;
        }
        left & !state.player(seat).goals
    }

    /// Resources of the discards that Bioeconomy can take (RA-R13).
    #[inline(always)]
    pub(super) fn takeable(&self, state: &State, seat: Seat) -> u64 {
        let mut there = 0;
        for (kind, &count) in state.discards.iter().enumerate() {
            there |= u64::from(count > 0) << kind;
        }
        if self.options.to_table { there & self.placeable(state.player(seat)) } else { there }
    }

    /// Whether a card can be drawn from a deck (RA-R2f).
    #[inline(always)]
    pub(super) fn can_draw(&self, state: &State, deck: Deck) -> bool {
        state.sizes[deck.index()] > 0
            || (deck != Deck::Actions && state.discards[self.range(deck)].iter().any(|&count| count > 0))
    }

    /// Decks that the turn player can draw from, a bit each; none if the hand is full.
    #[inline(always)]
    pub(super) fn drawable(&self, state: &State) -> u64 {
        if state.player(state.active()).hand_size() >= HAND {
            return 0;
        }
        Deck::ALL.iter().map(|&deck| u64::from(self.can_draw(state, deck)) << deck.index()).sum()
    }

    /// Choices of the card being resolved.
    #[inline(always)]
    fn legal_of_card(&self, state: &State, seat: Seat, legal: &mut Bits<3>) {
        let at = &self.at;
        let effect = state.resolving.and_then(|kind| self.effect(kind));
        match state.phase {
            Phase::Target => {
                for k in 1..self.players {
                    let other = state.player(seat.relative(k, self.players));
                    let fits = match effect {
                        Some(Effect::Exchange) => self.can_exchange(state, seat, k),
                        Some(Effect::Lose { what, all: false }) => Self::would_lose(other, what),
                        _ => false,
                    };
                    legal.insert_word(at.target(k), fits.into());
                }
            }
            Phase::Receive | Phase::Give => {
                let own = state.player(seat).goals;
                let other = state.partner.map_or(own, |partner| state.player(Seat(partner)).goals);
                let goals = if state.phase == Phase::Receive { other & !own } else { own & !other };
                legal.insert_word(at.goal, goals.into());
            }
            Phase::Steal => {
                let Some(Effect::Steal(parts)) = effect else { return };
                for k in 1..self.players {
                    let word = self.stealable(state, seat, k, parts);
                    assert!(word >> PARTS == 0);
                    legal.insert_word(at.steal(k), word.into());
                }
            }
            Phase::Take => legal.insert_word(at.take, self.takeable(state, seat)),
            Phase::Goal => legal.insert_word(at.goal, self.choosable_goals(state, seat).into()),
            _ => {}
        }
    }
}
