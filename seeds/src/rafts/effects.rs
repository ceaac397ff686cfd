//! What the cards do: their effects as the content names them (RA-R4 to R16), and what goes to the discards (RA-R21, R22).

use super::Rafts;
use super::action::RAFT_PART;
use super::rules::{Event, Next, Why};
use super::state::{BACTERIUM, GENE, GoalKind, Kind, LegalCache, Phase, RAFT, State};
use playmat_core::prelude::*;

playmat_core::named! {
    /// What can be stolen.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Part {
        /// A bacterium.
        Bacterium = "bacterium",
        /// A gene.
        Gene = "gene",
        /// The Lipid Raft.
        Raft = "raft",
    }
}

impl Part {
    /// Its bit in [`Effect::Steal`].
    #[inline(always)]
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// What a player loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// All bacteria or all genes: the slot of a bench.
    Specific(usize),
    /// One time, money or medium, never a raft (RA-R6a): its place among the generics.
    Generic(usize),
}

impl Loss {
    /// Name in the content.
    pub const fn name(self) -> &'static str {
        match self {
            Loss::Specific(BACTERIUM) => "bacterium",
            Loss::Specific(GENE) => "gene",
            Loss::Specific(_) => "",
            Loss::Generic(generic) => super::content::GENERICS[generic],
        }
    }
}

/// What an action card does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// RA-R7: take one of these parts (a bit for each [`Part`]) from another table.
    Steal(u8),
    /// RA-R8: swap a goal.
    Exchange,
    /// RA-R9..R11: one other player, or all, lose something.
    Lose {
        /// What.
        what: Loss,
        /// All players, or one other.
        all: bool,
    },
    /// RA-R12: a second bench.
    ExtraBench,
    /// RA-R13: take a card of the discards.
    Recover,
    /// RA-R14: a second goal.
    ExtraGoal,
    /// RA-R15, fast: take the last discard to the table.
    Snatch,
    /// RA-R16, fast: be exempt from one card.
    Shield {
        /// The card that it answers.
        against: Kind,
    },
}

impl Effect {
    /// Whether a content may not have both: the same kind of effect, and of those that take the same loss.
    pub(super) fn is_like(self, other: Effect) -> bool {
        match (self, other) {
            (Effect::Lose { .. }, _) => self == other,
            _ => std::mem::discriminant(&self) == std::mem::discriminant(&other),
        }
    }
}

impl Rafts {
    /// A card leaves the hand and does what it does: in the main phase, or a Serendipity in a window.
    #[inline(always)]
    pub(super) fn play<L: Log<Self>>(
        &self,
        state: &mut State,
        player: Player,
        kind: Kind,
        log: &mut L,
    ) -> Next {
        let in_window = state.phase == Phase::Snatch;
        state.stirred = true;
        state.players[player.index()].release(kind, self.deck_of(kind));
        log.rule(|| format!("card {}", self.card(kind).id));
        let Some(effect) = self.effect(kind) else {
            state.closed[kind.index()] -= 1;
            log.event(state, || Event::Played { player, kind });
            log.rule(|| "RA-R2b".into());
            return self.begin_place(state, player, kind, log);
        };
        state.played[(kind.index() - self.resources) & 15] += 1;
        state.resolving = Some(kind);
        state.cursor = player.0;
        log.event(state, || Event::Played { player, kind });
        log.rule(|| "RA-R2c".into());
        match effect {
            Effect::Steal(_) => self.wait_for(state, Phase::Steal),
            Effect::Exchange => self.wait_for(state, Phase::Target),
            Effect::Lose { what, all: false } => {
                let hits = (1..self.players)
                    .any(|k| Self::would_lose(state.player(player.relative(k, self.players)), what));
                // Only with `blank_sabotage` can there be nobody.
                if hits { self.wait_for(state, Phase::Target) } else { self.blank(log) }
            }
            Effect::Lose { all: true, .. } => {
                state.phase = Phase::Shield;
                Next::Shield(1)
            }
            Effect::ExtraBench => {
                state.players[player.index()].lab = true;
                log.event(state, || Event::LabExpanded(player));
                log.rule(|| "RA-R12".into());
                Next::Resolved(false)
            }
            Effect::Recover => self.wait_for(state, Phase::Take),
            Effect::ExtraGoal => self.wait_for(state, Phase::Goal),
            Effect::Snatch => {
                log.rule(|| (if in_window { "RA-R17" } else { "RA-R15a" }).into());
                self.snatch_last(state, player, log)
            }
            Effect::Shield { .. } => unreachable!("a shield is no play of the main phase"),
        }
    }

    #[inline(always)]
    fn wait_for(&self, state: &mut State, phase: Phase) -> Next {
        state.phase = phase;
        Next::Choose
    }

    fn blank<L: Log<Self>>(&self, log: &mut L) -> Next {
        log.rule(|| "option blank_sabotage".into());
        Next::Resolved(false)
    }

    /// RA-R16: a shield exempts its player.
    #[inline(always)]
    pub(super) fn play_shield<L: Log<Self>>(
        &self,
        state: &mut State,
        player: Player,
        kind: Kind,
        log: &mut L,
    ) -> Next {
        state.players[player.index()].release(kind, self.deck_of(kind));
        state.played[(kind.index() - self.resources) & 15] += 1;
        state.shields |= 1 << player.0;
        let from = state.resolving.unwrap_or(kind);
        log.event(state, || Event::Played { player, kind });
        log.event(state, || Event::Exempt { player, from });
        log.rule(|| "RA-R16".into());
        log.rule(|| format!("card {}", self.card(kind).id));
        Next::Shield(self.place(state, player) + 1)
    }

    /// The losses of a card that hits all, in the order of RA-R22.
    #[inline(always)]
    pub(super) fn all_lose<L: Log<Self>>(&self, state: &mut State, log: &mut L) -> Next {
        let effect = state.resolving.and_then(|kind| self.effect(kind));
        let shields = std::mem::take(&mut state.shields);
        let mut lost = 0;
        if let Some(Effect::Lose { what, .. }) = effect {
            for place in 1..=self.players as u8 {
                let player = self.after(state, place);
                if shields >> player.0 & 1 == 0 {
                    lost += self.lose(state, player, what, log);
                }
            }
            log.rule(|| (if what == Loss::Specific(0) { "RA-R10" } else { "RA-R11" }).into());
        }
        if L::LISTENS && lost > 1 {
            log.rule(|| "RA-R22".into());
        }
        if lost == 0 && shields == 0 {
            return self.blank(log);
        }
        Next::Resolved(lost > 0)
    }

    /// One player loses something, if there is any; how many cards.
    #[inline(always)]
    fn lose<L: Log<Self>>(&self, state: &mut State, player: Player, what: Loss, log: &mut L) -> u8 {
        match what {
            Loss::Generic(generic) => {
                let have = &mut state.players[player.index()].generics[generic];
                if *have == 0 {
                    return 0;
                }
                *have -= 1;
                let kind = Kind((self.specific + generic) as u8);
                self.discard(state, player, kind, Why::Lost, log);
                1
            }
            Loss::Specific(slot) => {
                let mut lost = 0;
                for bench in 0..2 {
                    if let Some(kind) = state.players[player.index()].benches[bench][slot].take() {
                        self.discard(state, player, kind, Why::Lost, log);
                        lost += 1;
                    }
                }
                lost
            }
        }
    }

    /// A card that has left a table or hand becomes the last discard (RA-R11a, R21).
    #[inline(always)]
    fn discard<L: Log<Self>>(&self, state: &mut State, player: Player, kind: Kind, why: Why, log: &mut L) {
        state.discards[kind.index()] += 1;
        state.last = Some(kind);
        self.refresh(state, player);
        log.event(state, || Event::Discarded { player, kind, why });
        log.rule(|| "RA-R21".into());
    }

    /// A resource that has left where it was comes to a table; with two different benches the owner chooses.
    #[inline(always)]
    fn begin_place<L: Log<Self>>(&self, state: &mut State, player: Player, kind: Kind, log: &mut L) -> Next {
        if let Some(generic) = self.generic(kind) {
            state.players[player.index()].generics[generic] += 1;
            self.refresh(state, player);
            log.event(state, || Event::Placed { player, kind, bench: None });
            log.rule(|| "RA-R5".into());
            return Next::Resolved(false);
        }
        let own = state.player(player);
        if own.chooses_bench() {
            state.placing = Some(kind);
            (state.phase, state.cursor) = (Phase::Bench, player.0);
            state.legal = LegalCache(self.legal_benches());
            return Next::Decide;
        }
        if own.lab {
            log.forced();
        }
        self.place_on(state, player, kind, 0, log)
    }

    /// The bench that the owner named.
    #[inline(always)]
    pub(super) fn place_chosen<L: Log<Self>>(
        &self,
        state: &mut State,
        player: Player,
        bench: usize,
        log: &mut L,
    ) -> Next {
        match state.placing.take() {
            Some(kind) => self.place_on(state, player, kind, bench, log),
            None => Next::Resolved(false),
        }
    }

    /// RA-R4, R4a: the card of a taken slot is discarded first; the other slot of the bench does not matter.
    #[inline(always)]
    fn place_on<L: Log<Self>>(
        &self,
        state: &mut State,
        player: Player,
        kind: Kind,
        bench: usize,
        log: &mut L,
    ) -> Next {
        let slot = self.slot(kind);
        let old = state.players[player.index()].benches[bench][slot].take();
        if let Some(old) = old {
            self.discard(state, player, old, Why::Displaced, log);
            log.rule(|| "RA-R4".into());
        }
        state.players[player.index()].benches[bench][slot] = Some(kind);
        self.refresh(state, player);
        log.event(state, || Event::Placed { player, kind, bench: Some(bench as u8) });
        Next::Resolved(old.is_some())
    }

    /// RA-R15: the last discard leaves the discards.
    #[inline(always)]
    fn snatch_last<L: Log<Self>>(&self, state: &mut State, player: Player, log: &mut L) -> Next {
        let Some(kind) = state.last.take() else { return Next::Resolved(false) };
        state.discards[kind.index()] -= 1;
        log.event(state, || Event::Snatched { player, kind });
        log.rule(|| "RA-R15".into());
        self.begin_place(state, player, kind, log)
    }

    /// The victim of a loss, or the partner of an exchange.
    #[inline]
    pub(super) fn target<L: Log<Self>>(
        &self,
        state: &mut State,
        player: Player,
        other: Player,
        log: &mut L,
    ) -> Next {
        log.event(state, || Event::Targeted { player, other });
        match state.resolving.and_then(|kind| self.effect(kind)) {
            Some(Effect::Lose { what, .. }) => {
                log.rule(|| "RA-R9".into());
                let lost = self.lose(state, other, what, log);
                Next::Resolved(lost > 0)
            }
            _ => {
                state.partner = Some(other.0);
                self.wait_for(state, Phase::Receive)
            }
        }
    }

    /// RA-R7: a part of another table comes to the own one.
    #[inline]
    pub(super) fn steal<L: Log<Self>>(
        &self,
        state: &mut State,
        player: Player,
        from: Player,
        part: usize,
        log: &mut L,
    ) -> Next {
        let victim = &mut state.players[from.index()];
        log.rule(|| "RA-R7".into());
        let kind = if part == RAFT_PART {
            log.rule(|| "RA-R7b".into());
            victim.generics[RAFT] -= 1;
            Kind((self.specific + RAFT) as u8)
        } else {
            log.rule(|| "RA-R7a".into());
            victim.benches[part / 2 % 2][part % 2].take().unwrap_or_default()
        };
        self.refresh(state, from);
        log.event(state, || Event::Stolen { player, from, kind });
        self.begin_place(state, player, kind, log)
    }

    /// A goal that is chosen (RA-R14), received or given (RA-R8).
    #[inline]
    pub(super) fn choose_goal<L: Log<Self>>(
        &self,
        state: &mut State,
        player: Player,
        goal: GoalKind,
        log: &mut L,
    ) -> Next {
        match (state.phase, state.partner, state.receiving) {
            (Phase::Receive, ..) => {
                state.receiving = Some(goal);
                self.wait_for(state, Phase::Give)
            }
            (Phase::Give, Some(partner), Some(received)) => {
                let partner = Player(partner);
                let (own, other) = (1u16 << goal.0, 1u16 << received.0);
                let goals = &mut state.players[player.index()].goals;
                *goals = *goals & !own | other;
                let goals = &mut state.players[partner.index()].goals;
                *goals = *goals & !other | own;
                (state.partner, state.receiving) = (None, None);
                self.refresh(state, player);
                self.refresh(state, partner);
                log.event(state, || Event::Exchanged { player, partner, received, given: goal });
                log.rule(|| "RA-R8".into());
                Next::Resolved(false)
            }
            _ => {
                state.goals_left[goal.index()] -= 1;
                state.players[player.index()].goals |= 1 << goal.0;
                self.refresh(state, player);
                log.event(state, || Event::GoalChosen { player, goal });
                log.rule(|| "RA-R14".into());
                Next::Resolved(false)
            }
        }
    }

    /// RA-R13: a card of the discards, to the hand or (option) to the table.
    #[inline]
    pub(super) fn recover<L: Log<Self>>(
        &self,
        state: &mut State,
        player: Player,
        kind: Kind,
        log: &mut L,
    ) -> Next {
        state.discards[kind.index()] -= 1;
        // RA-R21, Q6a: kinds are interchangeable, so it is the last discard itself.
        if state.last == Some(kind) {
            state.last = None;
            log.rule(|| "RA-Q6a".into());
        }
        log.rule(|| "RA-R13".into());
        if self.options.to_table {
            log.event(state, || Event::Recovered { player, kind });
            return self.begin_place(state, player, kind, log);
        }
        state.closed[kind.index()] += 1;
        let deck = self.deck_of(kind);
        let own = &mut state.players[player.index()];
        own.take(kind, deck);
        own.known[kind.index()] += 1;
        log.event(state, || Event::Recovered { player, kind });
        Next::Resolved(false)
    }

    /// Option `discard_at_end`: a card leaves the hand unplayed, as it can in no other way (RA-R2g).
    #[inline]
    pub(super) fn discard_from_hand<L: Log<Self>>(
        &self,
        state: &mut State,
        player: Player,
        kind: Kind,
        log: &mut L,
    ) -> Next {
        let deck = self.deck_of(kind);
        state.stirred = true;
        state.players[player.index()].release(kind, deck);
        log.rule(|| "option discard_at_end".into());
        if kind.index() < self.resources {
            state.closed[kind.index()] -= 1;
            self.discard(state, player, kind, Why::Chosen, log);
            return Next::Resolved(true);
        }
        state.played[(kind.index() - self.resources) & 15] += 1;
        log.event(state, || Event::Discarded { player, kind, why: Why::Chosen });
        Next::Resolved(false)
    }
}
