//! The greedy agent: it keeps the bacterium and the gene of its goals in hand until it can lay out everything at once, lays out the
//! supplies, uses action cards that bring it nearer to its goal or the best rival farther from theirs, and cycles the rest.
//!
//! It reads only tables, discards, goals and its own hand.

use super::Rafts;
use super::content::Needs;
use super::effects::Effect;
use super::rules::Next;
use super::state::{Deck, HAND, Kind, MAX_GOALS, MAX_KINDS, Phase, PlayerState, RAFT, State};
use playmat_core::prelude::*;

/// How good a position is: the lead over the best rival, counting the own hand, then what the own table lacks.
pub type Value = (i32, i32);

/// The action that the greedy agent chooses.
pub(super) fn greedy(game: &Rafts, state: &State, player: Player, rng: &mut Rng) -> Action {
    let at = &game.at;
    let legal = game.legal(state, player);
    match state.phase {
        Phase::Main => game.greedy_play(state, player, &legal, rng),
        // A shield that is not used is of no use.
        Phase::Shield => legal.select(0),
        Phase::Snatch => {
            let play = legal.select(0);
            let better = play.index() < at.claim
                && game.after_play(state, player, Kind(play.0 as u8)) > game.value(state, player);
            if better { play } else { Action(at.pass as u16) }
        }
        Phase::Draw => game.greedy_draw(state, player, &legal),
        Phase::Discard => game.greedy_discard(state, player, &legal),
        _ => {
            let mut best = Best::new(rng);
            for action in legal.iter() {
                best.offer(game.after_choice(state, player, action), action);
            }
            best.action
        }
    }
}

impl Rafts {
    /// The main phase: the best play, as long as there is one that does no harm.
    fn greedy_play(&self, state: &State, player: Player, legal: &Bits<3>, rng: &mut Rng) -> Action {
        let at = &self.at;
        if legal.contains(Action(at.claim as u16)) {
            return Action(at.claim as u16);
        }
        let own = state.player(player);
        let rival = self.rival(state, player);
        let now = self.value_with(rival, own);
        let complete = self.reach(own) == 0;
        if complete {
            // Everything is there: nothing is more urgent than laying it out.
            let helps = |action: &Action| {
                action.index() < self.resources
                    && self.after_resource(rival, own, now, Kind(action.0 as u8)).1 > now.1
            };
            if let Some(action) = legal.iter().find(helps) {
                return action;
            }
        }
        // With a full hand nothing is drawn: then playing any card is better than keeping it.
        let full = own.hand_size() == HAND;
        // By kind, for those that can be played.
        let mut values = [(0, 0); MAX_KINDS];
        let mut good = Best::new(rng);
        for action in legal.iter().filter(|action| action.index() < at.claim) {
            let kind = Kind(action.0 as u8);
            let resource = kind.index() < self.resources;
            let after = if resource {
                self.after_resource(rival, own, now, kind)
            } else {
                self.after_play(state, player, kind)
            };
            values[kind.index() % MAX_KINDS] = after;
            let keeps = !complete && self.wants(own, kind);
            // A second bench is worth having, although it changes no table yet.
            let bench = self.effect(kind) == Some(Effect::ExtraBench);
            if (resource && !keeps && after >= now) || bench || (!resource && after > now) {
                good.offer(after, action);
            }
        }
        if good.ties > 0 || !full {
            return if good.ties > 0 { good.action } else { Action(at.end_turn as u16) };
        }
        for action in legal.iter().filter(|action| action.index() < at.claim) {
            good.offer(values[action.index() % MAX_KINDS], action);
        }
        if good.ties > 0 { good.action } else { Action(at.end_turn as u16) }
    }

    /// Where what is lacking can be drawn: bacterium and gene first, then supplies, then actions.
    fn greedy_draw(&self, state: &State, player: Player, legal: &Bits<3>) -> Action {
        let own = state.player(player);
        let specific = self.reach_specific(own);
        let all = self.reach(own);
        let wish = match (specific, all) {
            (0, 0) => [Deck::Actions, Deck::Generic, Deck::Specific],
            (0, _) => [Deck::Generic, Deck::Actions, Deck::Specific],
            _ => [Deck::Specific, Deck::Generic, Deck::Actions],
        };
        let action = |deck: Deck| Action((self.at.draw + deck.index()) as u16);
        wish.into_iter().map(action).find(|&action| legal.contains(action)).unwrap_or(legal.select(0))
    }

    /// House rule: whatever is of no use to a goal goes, actions stay.
    fn greedy_discard(&self, state: &State, player: Player, legal: &Bits<3>) -> Action {
        let own = state.player(player);
        let useless = |action: &Action| {
            let Some(k) = action.index().checked_sub(self.at.discard) else { return false };
            let mut without = *own;
            let kind = Kind(k as u8);
            without.known = [0; super::state::MAX_RESOURCES];
            without.release(kind, self.deck_of(kind));
            k < self.resources && self.reach(&without) == self.reach(own) && !self.wants(own, kind)
        };
        legal.iter().find(useless).unwrap_or(Action(self.at.pass as u16))
    }

    /// Whether a bacterium or gene belongs to an own goal and does not lie on the table yet.
    fn wants(&self, player: &PlayerState, kind: Kind) -> bool {
        Self::goals_of(player).any(|goal| self.needs[goal.index() % MAX_GOALS].specific.contains(&kind))
            && on_benches(player) >> (kind.0 & 63) & 1 == 0
    }

    /// The least of something over a player's goals.
    #[inline(always)]
    fn least(&self, player: &PlayerState, lacks: impl Fn(&Needs) -> u8) -> u8 {
        Self::goals_of(player).map(|goal| lacks(&self.needs[goal.index() % MAX_GOALS])).min().unwrap_or(0)
    }

    /// Bacteria and genes of the best goal that are neither on the table nor in hand.
    fn reach_specific(&self, player: &PlayerState) -> u8 {
        let has = player.holds | on_benches(player);
        self.least(player, |needs| lacks_specific(has, needs))
    }

    /// Cards that the best goal lacks when the hand counts too.
    #[inline(always)]
    fn reach(&self, player: &PlayerState) -> u8 {
        let has = player.holds | on_benches(player);
        let hand = player.hand.get(self.specific..).and_then(|hand| hand.first_chunk()).unwrap_or(&[0; 4]);
        let have: [u8; 4] =
            std::array::from_fn(|generic| player.generics[generic].wrapping_add(hand[generic]));
        let raft = have[RAFT].min(1);
        self.least(player, |needs| {
            let deficit =
                (0..3).fold(0u8, |sum, g| sum.wrapping_add(needs.generics[g].saturating_sub(have[g])));
            lacks_specific(has, needs).wrapping_add(deficit.saturating_sub(raft))
        })
    }

    fn value(&self, state: &State, player: Player) -> Value {
        self.value_with(self.rival(state, player), state.player(player))
    }

    /// What the best rival lacks.
    fn rival(&self, state: &State, player: Player) -> i32 {
        let others = Player::all(self.players).filter(|&other| other != player);
        others.map(|other| state.player(other).missing).min().unwrap_or(0).into()
    }

    fn value_with(&self, rival: i32, own: &PlayerState) -> Value {
        (rival - i32::from(self.reach(own)), -i32::from(own.missing))
    }

    /// [`Rafts::after_play`] of a resource, which changes nothing that counts but what its player has: only that is copied, and no rules
    /// run. With values that are kept by kind and sets of kinds in place of hands and benches, a decision takes two thirds of the
    /// instructions.
    fn after_resource(&self, rival: i32, own: &PlayerState, now: Value, kind: Kind) -> Value {
        let mut after = *own;
        after.release(kind, self.deck_of(kind));
        if let Some(generic) = self.generic(kind) {
            // In the hand and on the table it counts alike.
            after.generics[generic] += 1;
            return (now.0, -i32::from(self.missing(&after)));
        }
        let slot = self.slot(kind);
        let on = |bench: usize| {
            let mut after = after;
            after.benches[bench][slot] = Some(kind);
            after.missing = self.missing(&after);
            self.value_with(rival, &after)
        };
        if own.chooses_bench() { on(0).max(on(1)) } else { on(0) }
    }

    /// The value of playing a card, choices made for the best, shields disregarded: found by playing it on a copy.
    pub fn after_play(&self, state: &State, player: Player, kind: Kind) -> Value {
        let mut after = *state;
        let next = self.play(&mut after, player, kind, &mut Silent);
        self.value_of(&mut after, player, next)
    }

    /// The value of a choice for the card being resolved.
    pub fn after_choice(&self, state: &State, player: Player, action: Action) -> Value {
        let mut after = *state;
        let next = self.choose_for_card(&mut after, player, action, &mut Silent);
        self.value_of(&mut after, player, next)
    }

    fn value_of(&self, after: &mut State, player: Player, next: Next) -> Value {
        let must_choose = next == Next::Choose || (next == Next::Decide && after.phase == Phase::Bench);
        if must_choose {
            let legal = self.compute_legal(after, player);
            let best = legal.iter().map(|action| self.after_choice(after, player, action)).max();
            return best.unwrap_or_else(|| self.value(after, player));
        }
        if let Next::Shield(_) = next {
            let _ = self.all_lose(after, &mut Silent);
        }
        self.value(after, player)
    }
}

/// The kinds on a player's benches, as bits.
#[inline(always)]
fn on_benches(player: &PlayerState) -> u64 {
    let [[a, b], [c, d]] = player.benches;
    [a, b, c, d].into_iter().fold(0, |set, slot| set | slot.map_or(0, |kind| 1 << (kind.0 & 63)))
}

/// Which of the bacterium and the gene of a goal are not in a set of kinds: how many.
#[inline(always)]
fn lacks_specific(has: u64, needs: &Needs) -> u8 {
    let [bacterium, gene] = needs.specific.map(|kind| (!has >> (kind.0 & 63) & 1) as u8);
    bacterium + gene
}

/// The best action so far; equal ones are drawn from.
struct Best<'a> {
    action: Action,
    value: Value,
    ties: u32,
    rng: &'a mut Rng,
}

impl<'a> Best<'a> {
    fn new(rng: &'a mut Rng) -> Best<'a> {
        Best { action: Action(0), value: (i32::MIN, 0), ties: 0, rng }
    }

    fn offer(&mut self, value: Value, action: Action) {
        if self.ties > 0 && value < self.value {
            return;
        }
        if self.ties == 0 || value > self.value {
            (self.value, self.ties) = (value, 0);
        }
        self.ties += 1;
        if self.rng.below(self.ties) == 0 {
            self.action = action;
        }
    }
}
