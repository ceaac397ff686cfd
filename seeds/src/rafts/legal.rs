//! What can be played and chosen: which cards are playable now, and the legal actions of each phase.

use super::action::{Offsets, PARTS};
use super::effects::{Effect, Loss, Part};
use super::state::{
    BACTERIUM, Deck, GENE, HAND, Kind, LegalCache, MAX_KINDS, MAX_RESOURCES, Phase, PlayerState, RAFT, State,
};
use super::{Choices, Rafts};
use playmat_core::counts::{kinds_in, not_zero, tops};
use playmat_core::prelude::*;

/// Actions before the first TAKE are in the first word of a set.
const _: () = assert!(MAX_KINDS + 8 <= 64);

/// The set of one action before the first TAKE.
#[inline(always)]
fn one(index: usize) -> u64 {
    1 << (index & 63)
}

/// Most time, money and medium on a table.
fn limit(doubled: bool) -> u8 {
    if doubled { 4 } else { 2 }
}

/// The legal actions of the player who must decide.
#[inline(always)]
pub(super) fn legal(game: &Rafts, state: &State, player: Player) -> Bits<3> {
    let LegalCache(kept) = state.legal;
    if kept.is_empty() { game.compute_legal(state, player) } else { kept }
}

impl Rafts {
    /// The legal actions, without those kept in the state.
    #[inline(never)]
    pub(super) fn compute_legal(&self, state: &State, player: Player) -> Bits<3> {
        let mut legal = Bits::default();
        match state.phase {
            Phase::Main => return self.legal_in_main(state, self.playable(state, player)),
            Phase::Draw => return self.legal_draws(self.drawable(state)),
            Phase::Shield => return self.legal_in_window(state, player, self.shield_due(state)),
            Phase::Snatch => return self.legal_in_window(state, player, self.snatch),
            Phase::Bench => return self.legal_benches(),
            Phase::Discard => return self.legal_discards(state, player),
            _ => self.legal_of_card(state, player, &mut legal),
        }
        legal
    }

    /// The legal actions of the main phase with these kinds to play.
    #[inline(always)]
    pub(super) fn legal_in_main(&self, state: &State, kinds: u64) -> Bits<3> {
        let claim = if state.player(state.active()).missing == 0 { self.plays.claim } else { 0 };
        Bits([kinds | self.plays.end_turn | claim, 0, 0])
    }

    /// The legal actions with these decks to draw from.
    #[inline(always)]
    pub(super) fn legal_draws(&self, decks: u64) -> Bits<3> {
        Bits([decks << (self.at.draw & 63), 0, 0])
    }

    /// The legal actions of a player who may play this fast card.
    #[inline(always)]
    pub(super) fn legal_in_window(&self, state: &State, player: Player, fast: Option<Kind>) -> Bits<3> {
        let fast = fast.map_or(0, |fast| one(fast.index()));
        Bits([state.player(player).holds & fast | one(self.at.pass), 0, 0])
    }

    /// The shield against the card being resolved.
    #[inline(always)]
    pub(super) fn shield_due(&self, state: &State) -> Option<Kind> {
        let resolving = state.resolving.map_or(0, Kind::index).saturating_sub(self.resources);
        self.shields[resolving & 15]
    }

    /// The legal actions of a player with two different benches.
    #[inline(always)]
    pub(super) fn legal_benches(&self) -> Bits<3> {
        Bits([0b11 << (self.at.bench & 63), 0, 0])
    }

    /// The legal actions of the option `discard_at_end`.
    #[cold]
    #[inline(never)]
    pub(super) fn legal_discards(&self, state: &State, player: Player) -> Bits<3> {
        let mut legal = Bits([one(self.at.pass), 0, 0]);
        legal.insert_word(self.at.discard, state.player(player).holds);
        legal
    }

    /// Most time, money and medium on a table (RA-R5, RA-Q1).
    pub(super) fn limit(&self, player: &PlayerState) -> u8 {
        limit(self.options.double_generics && player.lab)
    }

    /// Bit k: a resource of kind k can come to this table (RA-R4, R5a): bacteria and genes always.
    #[inline(always)]
    pub(super) fn placeable(&self, player: &PlayerState) -> u64 {
        let limits = self.plays.limits[usize::from(player.lab)];
        let below = limits.wrapping_sub(u32::from_le_bytes(player.generics));
        self.plays.specific | (tops(below.into()) << (self.specific & 63))
    }

    /// Bit k: a hand kind that the turn player can play now in the main phase.
    #[inline(always)]
    pub(super) fn playable(&self, state: &State, player: Player) -> u64 {
        let own = state.player(player);
        let resources = own.holds & self.placeable(own);
        let actions = own.holds & self.plays.kinds;
        if actions == 0 {
            return resources;
        }
        resources | actions & u64::from(self.playable_actions(state, player)) << self.resources
    }

    /// Bit a: an action card that could be played in the main phase. All conditions are looked up at once, not card by card: branches on
    /// random hands were mispredicted 1.6 times a step more often.
    #[inline(always)]
    fn playable_actions(&self, state: &State, player: Player) -> u16 {
        let own = state.player(player);
        let (mut all, mut others, mut can_exchange) = (0u64, 0u64, false);
        for (i, other) in state.players[..self.players].iter().enumerate() {
            let table = other.table();
            all |= table;
            others |= if i == player.index() { 0 } else { table };
            can_exchange |= (other.goals & !own.goals != 0) & (own.goals & !other.goals != 0);
        }
        let can_recover = if self.options.to_table {
            self.takeable(state, player) != 0
        } else {
            state.discards != [0; MAX_RESOURCES]
        };
        let can_choose = (own.goal_count() == 1) & (self.choosable_goals(state, player) != 0);
        let rest = u8::from(can_exchange) << Plays::EXCHANGE
            | u8::from(!own.lab) << Plays::EXTRA_BENCH
            | u8::from(can_recover) << Plays::RECOVER
            | u8::from(can_choose) << Plays::EXTRA_GOAL
            | u8::from(self.can_snatch(state, player)) << Plays::SNATCH;
        // RA-R7b: who has a raft steals none.
        let raft = u64::from(own.generics[RAFT] > 0) << PlayerState::has_generic(RAFT);
        self.plays.by_others[(not_zero(others) & !raft) as usize & 63]
            | self.plays.by_all[not_zero(all) as usize & 63]
            | self.plays.by_rest[usize::from(rest) & 63]
    }

    /// Whether there is a last discard that this player could place (RA-R15).
    #[inline(always)]
    pub(super) fn can_snatch(&self, state: &State, player: Player) -> bool {
        state.last.is_some_and(|kind| self.placeable(state.player(player)) >> kind.0 & 1 != 0)
    }

    /// Whether a player has something that this would take, shielded or not (RA-R11b).
    #[inline(always)]
    pub(super) fn would_lose(player: &PlayerState, what: Loss) -> bool {
        match what {
            Loss::Specific(slot) => player.benches[0][slot].is_some() | player.benches[1][slot].is_some(),
            Loss::Generic(generic) => player.generics[generic] > 0,
        }
    }

    /// Parts that the player can steal from the player `k` places clockwise, a bit each (RA-R7, R7c).
    #[inline(always)]
    pub(super) fn stealable(&self, state: &State, player: Player, k: usize, parts: u8) -> u8 {
        let victim = state.player(player.relative(k, self.players));
        let [first, second] = &victim.benches;
        let bench = |bench: &[Option<Kind>; 2]| {
            u8::from(bench[BACTERIUM].is_some()) | u8::from(bench[GENE].is_some()) << 1
        };
        let raft = victim.generics[RAFT] > 0 && state.player(player).generics[RAFT] == 0;
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
    pub(super) fn can_exchange(&self, state: &State, player: Player, k: usize) -> bool {
        let own = state.player(player).goals;
        let other = state.player(player.relative(k, self.players)).goals;
        (other & !own != 0) & (own & !other != 0)
    }

    /// Goals left in their deck that the player does not own (RA-R14).
    #[inline(always)]
    pub(super) fn choosable_goals(&self, state: &State, player: Player) -> u16 {
        kinds_in(&state.goals_left) as u16 & !state.player(player).goals
    }

    /// Resources of the discards that Bioeconomy can take (RA-R13).
    #[inline(always)]
    pub(super) fn takeable(&self, state: &State, player: Player) -> u64 {
        let there = kinds_in(&state.discards);
        if self.options.to_table { there & self.placeable(state.player(player)) } else { there }
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
        let [actions, specific, generic] = state.sizes;
        // No branch on whether there are actions, which differs from episode to episode.
        if specific.min(generic) > 0 {
            return u64::from(actions > 0) | 0b110;
        }
        self.drawable_if_renewed(state)
    }

    /// [`Rafts::drawable`] for a hand that is not full, where a deck of resources may be empty.
    #[cold]
    #[inline(never)]
    fn drawable_if_renewed(&self, state: &State) -> u64 {
        Deck::ALL.iter().map(|&deck| u64::from(self.can_draw(state, deck)) << deck.index()).sum()
    }

    /// Choices of the card being resolved.
    #[inline(never)]
    pub(super) fn legal_of_card(&self, state: &State, player: Player, legal: &mut Bits<3>) {
        let at = &self.at;
        let effect = state.resolving.and_then(|kind| self.effect(kind));
        match state.phase {
            Phase::Target => {
                for k in 1..self.players {
                    let other = state.player(player.relative(k, self.players));
                    let fits = match effect {
                        Some(Effect::Exchange) => self.can_exchange(state, player, k),
                        Some(Effect::Lose { what, all: false }) => Self::would_lose(other, what),
                        _ => false,
                    };
                    legal.insert_word(at.target(k), fits.into());
                }
            }
            Phase::Receive | Phase::Give => {
                let own = state.player(player).goals;
                let other = state.partner.map_or(own, |partner| state.player(Player(partner)).goals);
                let goals = if state.phase == Phase::Receive { other & !own } else { own & !other };
                legal.insert_word(at.goal, goals.into());
            }
            Phase::Steal => {
                let Some(Effect::Steal(parts)) = effect else { return };
                for k in 1..self.players {
                    let word = self.stealable(state, player, k, parts);
                    assert!(word >> PARTS == 0);
                    legal.insert_word(at.steal(k), word.into());
                }
            }
            Phase::Take => legal.insert_word(at.take, self.takeable(state, player)),
            Phase::Goal => legal.insert_word(at.goal, self.choosable_goals(state, player).into()),
            _ => {}
        }
    }
}

/// Which action cards can be played in the main phase, a bit for each action: looked up by what lies on the tables ([`PlayerState::table`]) and by
/// the rest.
#[derive(Clone, Debug)]
pub(super) struct Plays {
    /// All but the shields, by kind.
    kinds: u64,
    /// By what the others have that can be stolen, or that one of them can lose.
    by_others: [u16; 64],
    /// By what anybody has.
    by_all: [u16; 64],
    /// By a bit for each other condition.
    by_rest: [u16; 64],
    /// All bacteria and genes, by kind.
    specific: u64,
    /// Without and with a Lab expansion, a byte for each generic: its limit and 127, so that the top bit stays if there is less.
    limits: [u32; 2],
    /// CLAIM, if it is an action, and END_TURN.
    claim: u64,
    end_turn: u64,
}

impl Plays {
    const EXCHANGE: u8 = 0;
    const EXTRA_BENCH: u8 = 1;
    const RECOVER: u8 = 2;
    const EXTRA_GOAL: u8 = 3;
    const SNATCH: u8 = 4;

    /// For these actions, numbers of bacteria and genes and of resources, and options.
    pub(super) fn new(
        effects: &[Effect],
        [specific, resources]: [usize; 2],
        at: &Offsets,
        options: &Choices,
    ) -> Plays {
        let limits = |doubled: bool| {
            let [generic, raft] = [limit(doubled), 1].map(|limit| 127 + limit);
            u32::from_le_bytes([generic, generic, generic, raft])
        };
        let mut plays = Plays {
            kinds: 0,
            by_others: [0; 64],
            by_all: [0; 64],
            by_rest: [0; 64],
            specific: (1 << specific) - 1,
            limits: [false, options.double_generics].map(limits),
            claim: if options.auto_claim { 0 } else { one(at.claim) },
            end_turn: one(at.end_turn),
        };
        for (action, &effect) in effects.iter().enumerate() {
            let Plays { kinds, by_others, by_all, by_rest, .. } = &mut plays;
            let (table, one_of) = match effect {
                Effect::Steal(parts) => {
                    let has = |part: Part, place: u8| u8::from(parts & part.bit() != 0) << place;
                    let specific = has(Part::Bacterium, BACTERIUM as u8) | has(Part::Gene, GENE as u8);
                    (by_others, specific | has(Part::Raft, PlayerState::has_generic(RAFT)))
                }
                Effect::Lose { what, all } => {
                    let place = match what {
                        Loss::Specific(slot) => slot as u8,
                        Loss::Generic(generic) => PlayerState::has_generic(generic),
                    };
                    (if all { by_all } else { by_others }, 1 << place)
                }
                Effect::Exchange => (by_rest, 1 << Plays::EXCHANGE),
                Effect::ExtraBench => (by_rest, 1 << Plays::EXTRA_BENCH),
                Effect::Recover => (by_rest, 1 << Plays::RECOVER),
                Effect::ExtraGoal => (by_rest, 1 << Plays::EXTRA_GOAL),
                Effect::Snatch => (by_rest, 1 << Plays::SNATCH),
                Effect::Shield { .. } => continue,
            };
            *kinds |= 1 << (resources + action);
            let always = options.blank_sabotage && matches!(effect, Effect::Lose { .. });
            for (there, can) in (0u8..).zip(table) {
                *can |= u16::from(always || there & one_of != 0) << action;
            }
        }
        plays
    }
}
