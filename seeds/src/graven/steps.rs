//! Steps, who has lost after each, the queue of triggers, draws and mills (GV-R2, R16, R17).

use super::Graven;
use super::cards::{ModKind, Moment, Origin};
use super::legal::Sight;
use super::rules::{Event, Play};
use super::state::{
    BACK, Cards, Entry, MAX_PLAYERS, NONE, Phase, PlayerState, QUEUE, Stage, State, Timing, What, bits,
};
use playmat_core::prelude::*;

/// Of these players, a bit each.
#[inline(never)]
fn note_visible_of(s: &mut State, players: u8) {
    for player in bits(players.into()) {
        s.player_mut(player).list = s.player(player).list.most(s.visible(player));
    }
}

impl<L: Log<Graven>> Play<'_, L> {
    /// Takes cards from the top of a deck until it is empty (GV-Q4), and puts each where `put` says, which also reports it.
    ///
    /// The deck and its sums stay in registers from card to card: 2% fewer instructions in a rollout than with a pile counted for each card.
    #[inline(always)]
    fn take_tops(
        &mut self,
        s: &mut State,
        player: u8,
        n: usize,
        mut put: impl FnMut(&mut Self, &mut State, u8),
    ) {
        let mut deck = s.player(player).deck;
        let mut sums = deck.sums();
        for _ in 0..n {
            if deck.is_empty() {
                self.log.rule(|| "GV-Q4".into());
                break;
            }
            let kind = deck.take_of_few(&mut sums, self.rng);
            self.log.chance();
            if L::LISTENS {
                s.player_mut(player).deck = deck;
            }
            put(self, s, kind);
        }
        s.player_mut(player).deck = deck;
    }

    /// Draws cards until a deck is empty: a hand has no limit (GV-R14).
    #[inline]
    pub(super) fn draw_some(&mut self, s: &mut State, player: u8, n: usize) {
        self.take_tops(s, player, n, |play, s, kind| {
            s.player_mut(player).hand.add(kind);
            play.log.event(s, || Event::Drawn { player, kind });
        });
    }

    /// Queues the trigger of a card that entered by being played, resurrected or invoked (GV-Q6), unless it is mute (GV-R9a).
    #[inline]
    pub(super) fn entered(&mut self, s: &mut State, player: u8, kind: u8, line: usize) {
        if u64::from(line == BACK) & (self.timed[Timing::Enter as usize] >> kind) != 0 {
            self.enqueue(s, Entry { player, kind, what: What::Enter });
        }
    }

    /// GV-R17: at most `QUEUE` triggers from one decision to the next, and at most `QUEUE` that wait.
    #[inline]
    pub(super) fn enqueue(&mut self, s: &mut State, entry: Entry) {
        if s.plays(entry.player) && !s.phase.is_over() && self.queued < QUEUE && s.queue.len() < QUEUE {
            self.queued += 1;
            s.queue.push(entry);
        }
    }

    /// Queues the triggers of cards that one step sent to the discard piles of their owners (GV-R17).
    #[inline]
    pub(super) fn discarded(&mut self, s: &mut State, hits: &[Cards; MAX_PLAYERS]) {
        if hits.iter().all(|cards| cards.is_empty()) {
            return;
        }
        for player in self.in_order(s) {
            for (kind, copies) in hits[usize::from(player & 3)].iter() {
                for _ in 0..copies {
                    self.enqueue(s, Entry { player, kind, what: What::Discarded });
                }
            }
        }
    }

    /// The next entry of the queue: a trigger begins, a window opens, or it is dropped (GV-R17a).
    #[inline]
    pub(super) fn next_entry(&mut self, s: &mut State) {
        // Mostly it is the only one, and nothing need be moved.
        let only = if s.queue.len() == 1 { s.queue.pop() } else { None };
        let Entry { player, kind, what } = only.unwrap_or_else(|| s.queue.remove(0));
        if !s.plays(player) {
            return;
        }
        let timing = match what {
            What::Enter => Timing::Enter,
            What::Discarded => Timing::Discarded,
            What::Destroyed => {
                if self.may_answer(s, player, Moment::Destroyed, kind) {
                    s.window = Some((player, kind));
                }
                return;
            }
        };
        let Some(ability) = self.ability(kind, timing) else { return };
        let blocked = self.is_used(s, player, kind, timing)
            || !self.holds(s, player, &ability.cond)
            || !self.can_pay(s, player, ability, timing)
            || (ability.may && !self.usable(s, player, (kind, timing), NONE, Sight::Own));
        if blocked {
            self.log.rule(|| "GV-R17a".into());
            return;
        }
        self.log.rule(|| "GV-R17".into());
        self.begin_effect(s, player, (kind, timing), NONE);
    }

    /// After every step: who has lost (GV-R2, R2a, R16).
    #[inline]
    pub(super) fn settle(&mut self, s: &mut State) {
        self.note_visible(s);
        let mut losers = 0;
        self.each_player(|player| {
            let own = s.player(player);
            // Of each Titan there is one: three bits are left if two can be taken away.
            let titans = own.discard.lo & self.titan_kinds;
            let titans = titans & titans.wrapping_sub(1);
            let third = titans & titans.wrapping_sub(1);
            losers |= u8::from(own.deck.is_empty() | (third != 0)) << player;
        });
        losers &= s.in_game;
        if losers != 0 {
            self.eliminate(s, losers);
        }
    }

    /// Players who lose in the same step leave the game together (GV-Q3, Q5, Q5a).
    #[inline(never)]
    pub(super) fn eliminate(&mut self, s: &mut State, losers: u8) {
        self.log.rule(|| "GV-R2".into());
        let out = |player: u8| losers >> (player & 7) & 1 != 0;
        if losers.count_ones() > 1 {
            self.log.rule(|| "GV-Q3".into());
        }
        s.in_game &= !losers;
        for player in self.among(s, losers) {
            self.log.event(s, || Event::Lost { player });
        }
        if s.in_game.count_ones() <= 1 {
            s.winners = if s.in_game == 0 { losers } else { s.in_game };
            let stage = s.stage;
            self.drop_turn(s);
            (s.stage, s.phase, s.decider) = (stage, Phase::Over, NONE);
            let players = s.winners;
            self.log.event(s, || Event::Won { players });
            return;
        }
        self.log.rule(|| "GV-Q5".into());
        for player in self.among(s, losers) {
            self.clear_away(s, player);
        }
        if s.effect.is_some_and(|running| out(running.player)) {
            (s.effect, s.meant) = (None, None);
        }
        let mut at = 0;
        while at < s.queue.len() {
            if out(s.queue[at].player) {
                s.queue.remove(at);
            } else {
                at += 1;
            }
        }
        if out(s.turn_player) {
            (s.invoking, s.meant) = (None, s.meant.filter(|_| s.effect.is_some()));
            (s.stage, s.ward) = (Stage::Settle, NONE);
            (s.spent, s.activations) = (Cards::EMPTY, Cards::EMPTY);
            for own in &mut s.players {
                own.loss = 0;
            }
        }
    }

    /// The cards of a loser leave the game; others' under the loser's control go to their owners' hands.
    pub(super) fn clear_away(&mut self, s: &mut State, loser: u8) {
        s.players[usize::from(loser & 3)] = PlayerState::EMPTY;
        for player in 0..self.players as u8 {
            for line in 0..2 {
                for (kind, copies) in s.line(player, line)[usize::from(loser & 3)].iter() {
                    for _ in 0..copies {
                        self.leave(s, player, line, loser, kind);
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
                            let (player, to_deck) = (loser, false);
                            self.log.event(s, || Event::Returned { player, kind, line, owner, to_deck });
                        }
                    }
                }
            }
        }
    }

    /// Mills until a deck is empty; the cards that trigger.
    #[inline]
    pub(super) fn mill_some(&mut self, s: &mut State, player: u8, n: usize) -> Cards {
        let mut hits = Cards::EMPTY;
        self.take_tops(s, player, n, |play, s, kind| {
            s.player_mut(player).discard.add(kind);
            if play.triggers(kind, Origin::Deck) {
                hits.add(kind);
            }
            play.log.event(s, || Event::Milled { player, kind });
        });
        hits
    }

    /// Reports to the log which passives are active.
    pub(super) fn log_passives(&mut self, s: &State) {
        let game = self.game;
        for player in (0..self.players as u8).filter(|&player| s.plays(player)) {
            let active = self.active(s, player);
            if active.through & self.passive != 0 {
                self.log.rule(|| "GV-R19".into());
            }
            for wanted in ModKind::ALL {
                game.each_mod(s, player, &active, wanted, |kind, _, _| {
                    self.log.rule(|| format!("effect {} passive", game.card(kind).id));
                });
            }
        }
    }

    /// Mills some players at once: one step (GV-R16).
    pub(super) fn mill(&mut self, s: &mut State, players: u8, n: usize) {
        let mut hits = [Cards::EMPTY; MAX_PLAYERS];
        for player in self.among(s, players) {
            hits[usize::from(player & 3)] = self.mill_some(s, player, n);
        }
        self.settle(s);
        self.discarded(s, &hits);
    }

    pub(super) fn discard_randomly(&mut self, s: &mut State, players: u8, n: u8) {
        let mut hits = [Cards::EMPTY; MAX_PLAYERS];
        for player in self.among(s, players) {
            for _ in 0..n {
                let own = s.player_mut(player);
                if own.hand.is_empty() {
                    break;
                }
                let kind = own.hand.pick(self.rng);
                self.log.chance();
                own.release(kind);
                own.discard.add(kind);
                if self.triggers(kind, Origin::Hand) {
                    hits[usize::from(player & 3)].add(kind);
                }
                self.log.event(s, || Event::Discarded { player, kind });
            }
        }
        self.settle(s);
        self.discarded(s, &hits);
    }

    /// One card from a hand to the discard pile: a step.
    pub(super) fn discard(&mut self, s: &mut State, player: u8, kind: u8) {
        let own = s.player_mut(player);
        own.release(kind);
        own.discard.add(kind);
        self.log.event(s, || Event::Discarded { player, kind });
        self.settle(s);
        if self.triggers(kind, Origin::Hand) {
            self.enqueue(s, Entry { player, kind, what: What::Discarded });
        }
    }
}

impl Graven {
    /// Whether a card has a trigger for being sent to the discard pile from a place.
    #[inline]
    pub(super) fn triggers(&self, kind: u8, from: Origin) -> bool {
        self.from[from as usize] >> kind & 1 != 0
    }

    /// Takes a card off a field; of T's Back Line a spent copy leaves first (GV-Q7a).
    #[inline]
    pub(super) fn leave(&self, s: &mut State, player: u8, line: usize, owner: u8, kind: u8) {
        s.field.remove(player, line, owner, kind);
        if line == BACK && player == s.turn_player && s.spent.kinds() >> kind & 1 != 0 {
            s.spent.remove(kind);
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
}
