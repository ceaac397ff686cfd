//! The greedy agent: it looks one choice ahead and makes the best choices inside an effect. The value of a position is the number of cards in
//! its deck, minus the cost of the Surveys of the next turns, plus the cards on the Back Line that it can use repeatedly.
//!
//! It looks ahead in samples, never in the true state.

use super::Graven;
use super::action::Choice;
use super::content::Deck;
use super::rules::LEGAL_WORDS;
use super::state::{BACK, MAX_PLAYERS, NONE, Phase, State, Timing, bits};
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
const DEPTH: usize = 4;

/// The action that the greedy agent chooses.
#[inline(always)]
pub(super) fn greedy(game: &Graven, state: &State, player: Player, rng: &mut Rng) -> Action {
    let legal = game.legal(state, player);
    if legal.len() == 1 {
        return legal.select(0);
    }
    if state.phase == Phase::Build {
        return game.greedy_pick(state, player, &legal, rng);
    }
    let sample = game.sample_hidden(state, player, rng);
    game.best(&sample, player.0, rng)
}

/// The choices of one position, of which the best is kept; equal ones are drawn from.
#[derive(Clone, Copy)]
struct Compared {
    left: Bits<LEGAL_WORDS>,
    /// The first word of `left` that is not empty, or one before it.
    word: usize,
    /// The choice that is looked at.
    present: Action,
    best: Action,
    value: i32,
    ties: u32,
}

impl Compared {
    const NONE: Compared = Compared::of(Bits([0; LEGAL_WORDS]));

    const fn of(left: Bits<LEGAL_WORDS>) -> Compared {
        Compared { left, word: 0, present: Action(0), best: Action(0), value: i32::MIN, ties: 0 }
    }

    /// Takes out the lowest choice that is left.
    #[inline(always)]
    fn next(&mut self) -> Option<Action> {
        while *self.left.0.get(self.word)? == 0 {
            self.word += 1;
        }
        let word = &mut self.left.0[self.word];
        self.present = Action((64 * self.word as u32 + word.trailing_zeros()) as u16);
        *word &= *word - 1;
        Some(self.present)
    }

    /// The value of the choice that is looked at.
    #[inline(always)]
    fn rate(&mut self, value: i32, rng: &mut Rng) {
        if value > self.value {
            (self.value, self.ties) = (value, 0);
        }
        if value == self.value {
            self.ties += 1;
            if rng.below(self.ties) == 0 {
                self.best = self.present;
            }
        }
    }
}

impl Graven {
    /// The best action of a player who must decide.
    ///
    /// A loop over what would be written as a recursion: only a function that does not call itself can be inlined into code for the
    /// instructions of the machine.
    #[inline(always)]
    fn best(&self, sample: &State, player: u8, rng: &mut Rng) -> Action {
        // The choices in a row, and the positions that they lead to.
        let mut choices = [Compared::NONE; DEPTH];
        // Written one by one: of a constant the compiler makes a `memset` of all states.
        let mut positions: [Option<State>; DEPTH] = std::array::from_fn(|_| None);
        let mut depth = 0;
        choices[0] = Compared::of(self.legal(sample, Player(player)));
        loop {
            let value = match choices[depth].next() {
                Some(action) => {
                    let (before, after) = positions.split_at_mut(depth);
                    let mut reached = before.last().and_then(Option::as_ref).unwrap_or(sample);
                    // What comes after a phase comes anyway.
                    let passes = matches!(reached.phase, Phase::Play | Phase::Effect)
                        && self.choice(action) == Choice::Pass;
                    if !passes {
                        let after = after[0].insert(*reached);
                        self.apply(after, Player(player), action, rng, &mut Silent);
                        reached = after;
                        let inside =
                            !matches!(after.phase, Phase::Play | Phase::Effect | Phase::Draw | Phase::Ward);
                        if depth + 1 < DEPTH && after.decider == player && inside && !after.phase.is_over() {
                            depth += 1;
                            choices[depth] = Compared::of(self.legal(after, Player(player)));
                            continue;
                        }
                    }
                    self.value(reached, player)
                }
                None if depth == 0 => return choices[0].best,
                None => {
                    depth -= 1;
                    choices[depth + 1].value
                }
            };
            choices[depth].rate(value, rng);
        }
    }

    /// What a position is worth to a player: its strength less the mean of the others'.
    #[inline(always)]
    fn value(&self, s: &State, player: u8) -> i32 {
        if s.phase == Phase::Over || !s.plays(player) {
            let won = s.winners >> player & 1 != 0;
            return if won { ALL / s.winners.count_ones() as i32 } else { -ALL };
        }
        let (mut scores, mut highest) = ([0; MAX_PLAYERS], 0);
        for each in bits(s.in_game.into()) {
            let score = self.survey_score(s, each);
            scores[usize::from(each & 3)] = score;
            if self.takes_part(s, each) {
                highest = highest.max(score);
            }
        }
        let (mut own, mut sum, mut count) = (0, 0, 0);
        for each in bits(s.in_game.into()) {
            let strength = self.strength(s, each, scores[usize::from(each & 3)], highest);
            if each == player {
                own = strength;
            } else {
                sum += strength;
                count += 1;
            }
        }
        own - sum / count.max(1)
    }

    /// The strength of a player with this Survey Score.
    #[inline(always)]
    fn strength(&self, s: &State, player: u8, score: i32, highest: i32) -> i32 {
        let own = s.player(player);
        let hand = own.hand.total();
        let mut worth = CARD * own.deck.total() as i32;
        worth += IN_HAND[0] * hand.min(ENOUGH) as i32 + IN_HAND[1] * hand.saturating_sub(ENOUGH) as i32;
        // No passive makes a loss larger.
        let gap = if highest > score { (highest - score - self.wards(s, player)).max(0) } else { 0 };
        // A loss that is being milled is as good as gone.
        worth += POINT * score - CARD * SURVEYS * gap - CARD * i32::from(own.loss);
        worth -= FALLEN[(own.discard.of(self.titan_kinds).total() as usize).min(2)];
        for line in 0..2 {
            worth += TITAN * s.number_on(player, line, self.titan_kinds) as i32;
        }
        let at = Timing::Activate as usize;
        let active = self.timed[at] & !(self.limited[at] & own.used);
        worth += ACTIVE * s.number_on(player, BACK, active) as i32;
        worth + PASSIVE * s.number_on(player, BACK, self.passive) as i32
    }

    /// Building: on toward the ready-made deck that the picks are nearest to.
    #[inline(never)]
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
