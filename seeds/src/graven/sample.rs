//! Determinizations: hands, decks and hidden lists of the others, drawn anew (GV-K2).
//!
//! Open lists: every way to deal the cards that nobody sees is equally likely. Hidden lists are completed first, within the rules
//! of deck building. What others did not play is not used. So a sample is an approximation that never contradicts what the player knows.

use super::Graven;
use super::cards::Verb;
use super::decks::Source;
use super::state::{Cards, DECK, NONE, Phase, Stage, State, bits};
use playmat_core::prelude::*;

/// A uniformly random card of a pool, taken out.
fn take(pool: &mut Cards, rng: &mut Rng) -> u8 {
    let kind = pool.pick(rng);
    pool.remove(kind);
    kind
}

/// A state drawn from those consistent with what `viewer` knows. Reads of the others only what is public.
pub(super) fn sample_hidden(game: &Graven, state: &State, viewer: Seat, rng: &mut Rng) -> State {
    let mut sample = *state;
    sample.legal.clear();
    let builders: Seats =
        Seat::all(game.players).filter(|seat| game.sources[seat.index()] == Source::Build).collect();
    let picked =
        builders.chosen_in_sample(viewer, builders.contains(viewer) && state.player(viewer.0).pick == NONE);
    for seat in (0..game.players as u8).filter(|&seat| seat != viewer.0) {
        if state.stage == Stage::Build {
            game.rebuild(&mut sample, seat, picked.contains(Seat(seat)), rng);
        } else if state.plays(seat) || state.phase.is_over() {
            game.redeal(state, &mut sample, seat, rng);
        }
    }
    sample
}

impl Graven {
    /// Others' picks as random legal ones; decks that are not built as hidden lists.
    fn rebuild(&self, sample: &mut State, seat: u8, has_picked: bool, rng: &mut Rng) {
        let player = sample.player_mut(seat);
        let count = player.deck.total();
        if self.sources[usize::from(seat & 3)] != Source::Build {
            player.deck = self.complete(Cards::EMPTY, DECK, rng);
            return;
        }
        player.deck = Cards::EMPTY;
        for _ in 0..count {
            let kinds = bits(self.pickable(player.deck)).count() as u32;
            let kind = bits(self.pickable(player.deck)).nth(rng.below(kinds) as usize).unwrap_or(0);
            player.deck.add(kind);
        }
        player.pick = NONE;
        if has_picked {
            let kinds = bits(self.pickable(player.deck)).count() as u32;
            player.pick = bits(self.pickable(player.deck)).nth(rng.below(kinds) as usize).unwrap_or(0);
        }
    }

    /// Hand and deck of another player.
    fn redeal(&self, state: &State, sample: &mut State, seat: u8, rng: &mut Rng) {
        let truth = state.player(seat);
        let (visible, known) = (state.visible(seat), truth.known);
        let (hand, deck) = (truth.hand.total(), truth.deck.total());
        let size = visible.total() + hand - known.total() + deck;
        let mut list = truth.list;
        let (mut sure_hand, mut sure_deck) = (known, Cards::EMPTY);
        let (for_hand, for_deck) = self.explained(state, seat);
        for (kinds, is_hand) in [(for_hand, true), (for_deck, false)] {
            if kinds == 0 || (is_hand && known.kinds() & kinds != 0) {
                continue;
            }
            let mut pool = self.pool(list, visible, size, seat).of(kinds);
            if pool.is_empty() {
                continue;
            }
            let kind = take(&mut pool, rng);
            if list.minus(visible).count(kind) == 0 {
                list.add(kind);
            }
            if is_hand { sure_hand.add(kind) } else { sure_deck.add(kind) }
        }
        if !self.is_open(seat) {
            list = self.complete(list, size, rng);
        }
        let mut unseen = list.minus(visible).minus(sure_hand.minus(known)).minus(sure_deck);
        let player = sample.player_mut(seat);
        player.hand = sure_hand;
        for _ in sure_hand.total()..hand {
            let kind = take(&mut unseen, rng);
            player.hand.add(kind);
        }
        player.deck = unseen.plus(sure_deck);
    }

    /// Copies that may be where nobody sees them: of the list, and of a hidden list those that it can still be completed by.
    fn pool(&self, list: Cards, visible: Cards, size: u32, seat: u8) -> Cards {
        let unseen = list.minus(visible);
        if self.is_open(seat) {
            return unseen;
        }
        let room = size.saturating_sub(list.total());
        let titans = list.of(self.titan_kinds).total();
        let needed = if size == DECK { super::decks::TITANS.saturating_sub(titans) } else { 0 };
        let all = self.allowed().minus(visible);
        match room {
            0 => unseen,
            _ if room <= needed => unseen.most(all.of(self.titan_kinds)),
            _ => all,
        }
    }

    /// Kinds of which one is in the hand, and in the deck, of a player because of what it must decide; 0 if that says nothing.
    fn explained(&self, state: &State, seat: u8) -> (u64, u64) {
        if state.decider != seat || self.options.all_decide {
            return (0, 0);
        }
        if matches!(state.phase, Phase::Ward | Phase::Window) {
            let (moment, that) = self.moment(state);
            return (self.could_answer(state, seat, moment, that), 0);
        }
        if state.phase == Phase::Card
            && let Some(running) = state.effect
            && let Some(step) = self.step_of(&running).filter(|step| step.verb == Verb::Search)
        {
            return (0, step.kinds);
        }
        (0, 0)
    }
}

/// In BUILD the player must pick again.
pub(super) fn take_back_choice(_: &Graven, state: &mut State, player: Seat) {
    if state.phase == Phase::Build {
        state.player_mut(player.0).pick = NONE;
    }
}
