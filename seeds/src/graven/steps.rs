//! Steps, who has lost after each, the queue of triggers, draws and mills (GV-R2, R16, R17).

use super::Graven;
use super::cards::{ModKind, Moment, Origin};
use super::legal::Sight;
use super::rules::{Context, Event};
use super::state::{
    BACK, Cards, Entry, MAX_PLAYERS, NONE, Phase, Player, QUEUE, Stage, State, Timing, What, bits,
};
use playmat_core::prelude::*;

/// Of these players, a bit each.
#[inline(never)]
fn note_visible_of(s: &mut State, seats: u8) {
    for seat in bits(seats.into()) {
        s.player_mut(seat).list = s.player(seat).list.most(s.visible(seat));
    }
}

impl Graven {
    /// Draws cards until a deck is empty (GV-Q4): a hand has no limit (GV-R14).
    #[inline]
    pub(super) fn draw_some<L: Log<Self>>(&self, s: &mut State, seat: u8, n: usize, cx: &mut Context<'_, L>) {
        for _ in 0..n {
            let player = s.player_mut(seat);
            if player.deck.is_empty() {
                cx.log.rule(|| "GV-Q4".into());
                break;
            }
            let kind = player.deck.pick(cx.rng);
            player.deck.remove(kind);
            player.hand.add(kind);
            cx.log.chance();
            cx.log.event(s, || Event::Drawn { seat, kind });
        }
    }

    /// Queues the trigger of a card that entered by being played, resurrected or invoked (GV-Q6), unless it is mute (GV-R9a).
    #[inline]
    pub(super) fn entered<L: Log<Self>>(
        &self,
        s: &mut State,
        seat: u8,
        kind: u8,
        line: usize,
        cx: &mut Context<'_, L>,
    ) {
        if line == BACK && self.timed[Timing::Enter as usize] >> kind & 1 != 0 {
            self.enqueue(s, Entry { seat, kind, what: What::Enter }, cx);
        }
    }

    /// GV-R17: at most `QUEUE` triggers from one decision to the next, and at most `QUEUE` that wait.
    #[inline]
    pub(super) fn enqueue<L: Log<Self>>(&self, s: &mut State, entry: Entry, cx: &mut Context<'_, L>) {
        if s.plays(entry.seat) && !s.phase.is_over() && cx.queued < QUEUE && s.queue.len() < QUEUE {
            cx.queued += 1;
            s.queue.push(entry);
        }
    }

    /// Queues the triggers of cards that one step sent to the discard piles of their owners (GV-R17).
    #[inline]
    pub(super) fn discarded<L: Log<Self>>(
        &self,
        s: &mut State,
        hits: &[Cards; MAX_PLAYERS],
        cx: &mut Context<'_, L>,
    ) {
        if hits.iter().all(|cards| cards.is_empty()) {
            return;
        }
        for seat in self.in_order(s) {
            for (kind, copies) in hits[usize::from(seat & 3)].iter() {
                for _ in 0..copies {
                    self.enqueue(s, Entry { seat, kind, what: What::Discarded }, cx);
                }
            }
        }
    }

    /// Whether a card has a trigger for being sent to the discard pile from a place.
    #[inline]
    pub(super) fn triggers(&self, kind: u8, from: Origin) -> bool {
        self.from[from as usize] >> kind & 1 != 0
    }

    /// The next entry of the queue: a trigger begins, a window opens, or it is dropped (GV-R17a).
    #[inline]
    pub(super) fn next_entry<L: Log<Self>>(&self, s: &mut State, cx: &mut Context<'_, L>) {
        let Entry { seat, kind, what } = s.queue.remove(0);
        if !s.plays(seat) {
            return;
        }
        let timing = match what {
            What::Enter => Timing::Enter,
            What::Discarded => Timing::Discarded,
            What::Destroyed => {
                if self.may_answer(s, seat, Moment::Destroyed, kind) {
                    s.window = Some((seat, kind));
                }
                return;
            }
        };
        let Some(ability) = self.cards[usize::from(kind)].ability(timing) else { return };
        let blocked = self.is_used(s, seat, kind, timing)
            || !self.holds(s, seat, &ability.cond)
            || !self.can_pay(s, seat, ability, timing)
            || (ability.may && !self.usable(s, seat, (kind, timing), NONE, Sight::Own));
        if blocked {
            cx.log.rule(|| "GV-R17a".into());
            return;
        }
        cx.log.rule(|| "GV-R17".into());
        self.begin_effect(s, seat, (kind, timing), NONE, cx);
    }

    /// Takes a card off a field; of T's Back Line a spent copy leaves first (GV-Q7a).
    #[inline]
    pub(super) fn leave(&self, s: &mut State, seat: u8, line: usize, owner: u8, kind: u8) {
        s.field.remove(seat, line, owner, kind);
        if line == BACK && seat == s.turn_player && s.spent.kinds() >> kind & 1 != 0 {
            s.spent.remove(kind);
        }
    }

    /// After every step: who has lost (GV-R2, R2a, R16).
    #[inline]
    pub(super) fn settle<L: Log<Self>>(&self, s: &mut State, cx: &mut Context<'_, L>) {
        self.note_visible(s);
        let mut losers = 0;
        for seat in 0..self.players as u8 {
            let player = s.player(seat);
            // Of each Titan there is one: three bits are left if two can be taken away.
            let titans = player.discard.lo & self.titan_kinds;
            let titans = titans & titans.wrapping_sub(1);
            let third = titans & titans.wrapping_sub(1);
            losers |= u8::from(player.deck.is_empty() || third != 0) << seat;
        }
        losers &= s.in_game;
        if losers != 0 {
            self.eliminate(s, losers, cx);
        }
    }

    /// Hidden lists: the most copies ever visible at the same time (GV-K1).
    #[inline(always)]
    pub(super) fn note_visible(&self, s: &mut State) {
        let hidden = s.in_game & !self.open;
        if hidden != 0 {
            note_visible_of(s, hidden);
        }
    }

    /// Players who lose in the same step leave the game together (GV-Q3, Q5, Q5a).
    #[inline(never)]
    pub(super) fn eliminate<L: Log<Self>>(&self, s: &mut State, losers: u8, cx: &mut Context<'_, L>) {
        cx.log.rule(|| "GV-R2".into());
        let out = |seat: u8| losers >> (seat & 7) & 1 != 0;
        if losers.count_ones() > 1 {
            cx.log.rule(|| "GV-Q3".into());
        }
        s.in_game &= !losers;
        for seat in self.in_order(s).filter(|&seat| out(seat)) {
            cx.log.event(s, || Event::Lost { seat });
        }
        if s.in_game.count_ones() <= 1 {
            s.winners = if s.in_game == 0 { losers } else { s.in_game };
            let stage = s.stage;
            self.drop_turn(s);
            (s.stage, s.phase, s.decider) = (stage, Phase::Over, NONE);
            let seats = s.winners;
            cx.log.event(s, || Event::Won { seats });
            return;
        }
        cx.log.rule(|| "GV-Q5".into());
        for seat in self.in_order(s).filter(|&seat| out(seat)) {
            self.clear_away(s, seat, cx);
        }
        if s.effect.is_some_and(|running| out(running.seat)) {
            (s.effect, s.meant) = (None, None);
        }
        let mut at = 0;
        while at < s.queue.len() {
            if out(s.queue[at].seat) {
                s.queue.remove(at);
            } else {
                at += 1;
            }
        }
        if out(s.turn_player) {
            (s.invoking, s.meant) = (None, s.meant.filter(|_| s.effect.is_some()));
            (s.stage, s.ward) = (Stage::Settle, NONE);
            (s.spent, s.activations) = (Cards::EMPTY, Cards::EMPTY);
            for player in &mut s.players {
                player.loss = 0;
            }
        }
    }

    /// The cards of a loser leave the game; others' under the loser's control go to their owners' hands.
    pub(super) fn clear_away<L: Log<Self>>(&self, s: &mut State, loser: u8, cx: &mut Context<'_, L>) {
        s.players[usize::from(loser & 3)] = Player::EMPTY;
        for seat in 0..self.players as u8 {
            for line in 0..2 {
                for (kind, copies) in s.line(seat, line)[usize::from(loser & 3)].iter() {
                    for _ in 0..copies {
                        self.leave(s, seat, line, loser, kind);
                    }
                }
            }
        }
        for line in 0..2 {
            for owner in self.in_order(s) {
                for (kind, copies) in s.line(loser, line)[usize::from(owner & 3)].iter() {
                    for _ in 0..copies {
                        self.leave(s, loser, line, owner, kind);
                        if s.plays(owner) {
                            s.player_mut(owner).receive(kind);
                            cx.log.event(s, || Event::Returned {
                                seat: loser,
                                kind,
                                line,
                                owner,
                                to_deck: false,
                            });
                        }
                    }
                }
            }
        }
    }

    /// Mills until a deck is empty (GV-Q4); the cards that trigger.
    #[inline]
    pub(super) fn mill_some<L: Log<Self>>(
        &self,
        s: &mut State,
        seat: u8,
        n: usize,
        cx: &mut Context<'_, L>,
    ) -> Cards {
        let mut hits = Cards::EMPTY;
        for _ in 0..n {
            let player = s.player_mut(seat);
            if player.deck.is_empty() {
                cx.log.rule(|| "GV-Q4".into());
                break;
            }
            let kind = player.deck.pick(cx.rng);
            player.deck.remove(kind);
            player.discard.add(kind);
            cx.log.chance();
            if self.triggers(kind, Origin::Deck) {
                hits.add(kind);
            }
            cx.log.event(s, || Event::Milled { seat, kind });
        }
        hits
    }

    /// Reports to the log which passives are active.
    pub(super) fn log_passives<L: Log<Self>>(&self, s: &State, cx: &mut Context<'_, L>) {
        for seat in (0..self.players as u8).filter(|&seat| s.plays(seat)) {
            let active = self.active(s, seat);
            if active.through & self.passive != 0 {
                cx.log.rule(|| "GV-R19".into());
            }
            for wanted in ModKind::ALL {
                self.each_mod(s, seat, &active, wanted, |kind, _, _| {
                    cx.log.rule(|| format!("effect {} passive", self.cards[usize::from(kind)].id));
                });
            }
        }
    }

    /// Mills some players at once: one step (GV-R16).
    pub(super) fn mill<L: Log<Self>>(&self, s: &mut State, seats: u8, n: usize, cx: &mut Context<'_, L>) {
        let mut hits = [Cards::EMPTY; MAX_PLAYERS];
        for seat in self.in_order(s).filter(|seat| seats >> seat & 1 != 0) {
            hits[usize::from(seat & 3)] = self.mill_some(s, seat, n, cx);
        }
        self.settle(s, cx);
        self.discarded(s, &hits, cx);
    }

    pub(super) fn discard_randomly<L: Log<Self>>(
        &self,
        s: &mut State,
        seats: u8,
        n: u8,
        cx: &mut Context<'_, L>,
    ) {
        let mut hits = [Cards::EMPTY; MAX_PLAYERS];
        for seat in self.in_order(s).filter(|seat| seats >> seat & 1 != 0) {
            for _ in 0..n {
                let player = s.player_mut(seat);
                if player.hand.is_empty() {
                    break;
                }
                let kind = player.hand.pick(cx.rng);
                cx.log.chance();
                player.release(kind);
                player.discard.add(kind);
                if self.triggers(kind, Origin::Hand) {
                    hits[usize::from(seat & 3)].add(kind);
                }
                cx.log.event(s, || Event::Discarded { seat, kind });
            }
        }
        self.settle(s, cx);
        self.discarded(s, &hits, cx);
    }

    /// One card from a hand to the discard pile: a step.
    pub(super) fn discard<L: Log<Self>>(&self, s: &mut State, seat: u8, kind: u8, cx: &mut Context<'_, L>) {
        let player = s.player_mut(seat);
        player.release(kind);
        player.discard.add(kind);
        cx.log.event(s, || Event::Discarded { seat, kind });
        self.settle(s, cx);
        if self.triggers(kind, Origin::Hand) {
            self.enqueue(s, Entry { seat, kind, what: What::Discarded }, cx);
        }
    }
}
