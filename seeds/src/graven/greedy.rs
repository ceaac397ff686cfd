//! The greedy agent: it looks one choice ahead and makes the best choices inside an effect. The value of a position is the number of cards in
//! its deck, minus the cost of the Surveys of the next turns, plus the cards on the Back Line that it can use repeatedly.
//!
//! It looks ahead in samples, never in the true state.

use super::Graven;
use super::action::Choice;
use super::content::Deck;
use super::rules::LEGAL_WORDS;
use super::state::{BACK, NONE, Phase, State, Timing, bits};
use playmat_core::prelude::*;

/// What a card of the deck is worth: the unit that everything else is measured in.
const CARD: i32 = 10;
/// Of the first cards in hand, which keep the choice, and of the others.
const IN_HAND: [i32; 2] = [11, 4];
/// Cards in hand that keep the choice.
const ENOUGH: u32 = 3;
/// Surveys that a lead lasts for.
const SURVEYS: i32 = 2;
/// A point more on the Front Line than is needed now.
const POINT: i32 = 3;
/// A card on the Back Line that can be used every turn; one whose passive is active.
const ACTIVE: i32 = 26;
/// A card on the Back Line whose passive is active.
const PASSIVE: i32 = 14;
/// A Titan on a field beyond what it does.
const TITAN: i32 = 16;
/// By Titans in the discard pile: the third one loses.
const FALLEN: [i32; 3] = [0, 15, 50];
/// Victory.
const ALL: i32 = 100_000;
/// Own choices in a row that are looked at.
const DEPTH: u32 = 4;

/// The action that the greedy agent chooses.
pub(super) fn greedy(game: &Graven, state: &State, player: Player, rng: &mut Rng) -> Action {
    let legal = game.legal(state, player);
    if legal.len() == 1 {
        return legal.select(0);
    }
    if state.phase == Phase::Build {
        return game.greedy_pick(state, player, &legal, rng);
    }
    let sample = game.sample_hidden(state, player, rng);
    game.best(&sample, player.0, DEPTH, rng).1
}

impl Graven {
    /// The best action of a player who must decide, and its value; among equal ones it draws.
    fn best(&self, sample: &State, player: u8, depth: u32, rng: &mut Rng) -> (i32, Action) {
        let legal = self.legal(sample, Player(player));
        let mut best = (i32::MIN, legal.select(0));
        let mut ties = 0;
        for action in legal.iter() {
            let value = self.value_of(sample, player, action, depth, rng);
            if value > best.0 {
                (best, ties) = ((value, action), 0);
            }
            if value == best.0 {
                ties += 1;
                if rng.below(ties) == 0 {
                    best.1 = action;
                }
            }
        }
        best
    }

    fn value_of(&self, sample: &State, player: u8, action: Action, depth: u32, rng: &mut Rng) -> i32 {
        // What comes after a phase comes anyway.
        if matches!(sample.phase, Phase::Play | Phase::Effect) && self.choice(action) == Choice::Pass {
            return self.value(sample, player);
        }
        let mut after = *sample;
        self.apply(&mut after, Player(player), action, rng, &mut Silent);
        let inside = !matches!(after.phase, Phase::Play | Phase::Effect | Phase::Draw | Phase::Ward);
        if depth > 1 && after.decider == player && inside && !after.phase.is_over() {
            return self.best(&after, player, depth - 1, rng).0;
        }
        self.value(&after, player)
    }

    /// What a position is worth to a player: its strength less the mean of the others'.
    fn value(&self, s: &State, player: u8) -> i32 {
        if s.phase == Phase::Over || !s.plays(player) {
            let won = s.winners >> player & 1 != 0;
            return if won { ALL / s.winners.count_ones() as i32 } else { -ALL };
        }
        let others = bits(self.opponents(s, player).into());
        let (mut sum, mut count) = (0, 0);
        for other in others {
            sum += self.strength(s, other);
            count += 1;
        }
        self.strength(s, player) - sum / count.max(1)
    }

    fn strength(&self, s: &State, player: u8) -> i32 {
        let own = s.player(player);
        let hand = own.hand.total();
        let mut worth = CARD * own.deck.total() as i32;
        worth += IN_HAND[0] * hand.min(ENOUGH) as i32 + IN_HAND[1] * hand.saturating_sub(ENOUGH) as i32;
        let score = self.survey_score(s, player);
        let gap = (self.highest(s) - score - self.wards(s, player)).max(0);
        // A loss that is being milled is as good as gone.
        worth += POINT * score - CARD * SURVEYS * gap - CARD * i32::from(own.loss);
        worth -= FALLEN[(own.discard.of(self.titan_kinds).total() as usize).min(2)];
        for line in 0..2 {
            worth += TITAN * s.number_on(player, line, self.titan_kinds) as i32;
        }
        let back = s.kinds_on(player, BACK);
        for kind in bits(back & self.timed[Timing::Activate as usize]) {
            if !self.is_used(s, player, kind, Timing::Activate) {
                worth += ACTIVE * i32::from(s.copies_on(player, BACK, kind));
            }
        }
        for kind in bits(back & self.passive) {
            worth += PASSIVE * i32::from(s.copies_on(player, BACK, kind));
        }
        worth
    }

    /// Building: on toward the ready-made deck that the picks are nearest to.
    fn greedy_pick(&self, s: &State, player: Player, legal: &Bits<LEGAL_WORDS>, rng: &mut Rng) -> Action {
        let picks = s.player(player.0).deck;
        let fits = |deck: &Deck| picks.least(deck.cards).total();
        let most = self.decks.iter().map(fits).max().unwrap_or(0);
        let mut nearest = self.decks.iter().filter(|deck| fits(deck) == most);
        let count = nearest.clone().count() as u32;
        if count == 0 {
            return rng.pick(legal);
        }
        let deck = nearest.nth(rng.below(count) as usize).expect("a number below the count");
        let wanted = deck.cards.minus(deck.cards.least(picks)).kinds() & self.pickable(picks);
        let kind = bits(wanted).next().unwrap_or(NONE);
        if kind == NONE { rng.pick(legal) } else { self.action(Choice::Card(kind)) }
    }
}
