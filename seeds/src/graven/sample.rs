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
pub(super) fn sample_hidden(game: &Graven, state: &State, viewer: Player, rng: &mut Rng) -> State {
    let mut sample = *state;
    sample.legal.clear();
    let builders: Players =
        Player::all(game.players).filter(|player| game.sources[player.index()] == Source::Build).collect();
    let picked =
        builders.chosen_in_sample(viewer, builders.contains(viewer) && state.player(viewer.0).pick == NONE);
    for player in (0..game.players as u8).filter(|&player| player != viewer.0) {
        if state.stage == Stage::Build {
            game.rebuild(&mut sample, player, picked.contains(Player(player)), rng);
        } else if state.plays(player) || state.phase.is_over() {
            game.redeal(state, &mut sample, player, rng);
        }
    }
    sample
}

impl Graven {
    /// Others' picks as random legal ones; decks that are not built as hidden lists.
    fn rebuild(&self, sample: &mut State, player: u8, has_picked: bool, rng: &mut Rng) {
        let own = sample.player_mut(player);
        let count = own.deck.total();
        if self.sources[usize::from(player & 3)] != Source::Build {
            own.deck = self.complete(Cards::EMPTY, DECK, rng);
            return;
        }
        own.deck = Cards::EMPTY;
        let pick = |deck: Cards, rng: &mut Rng| {
            let kinds = self.pickable(deck);
            bits(kinds).nth(rng.below(kinds.count_ones()) as usize).unwrap_or(0)
        };
        for _ in 0..count {
            own.deck.add(pick(own.deck, rng));
        }
        own.pick = if has_picked { pick(own.deck, rng) } else { NONE };
    }

    /// Hand and deck of another player.
    fn redeal(&self, state: &State, sample: &mut State, player: u8, rng: &mut Rng) {
        let truth = state.player(player);
        let (visible, known) = (state.visible(player), truth.known);
        let (hand, deck) = (truth.hand.total(), truth.deck.total());
        let size = visible.total() + hand - known.total() + deck;
        let mut list = truth.list;
        let (mut sure_hand, mut sure_deck) = (known, Cards::EMPTY);
        let (for_hand, for_deck) = self.explained(state, player);
        for (kinds, is_hand) in [(for_hand, true), (for_deck, false)] {
            if kinds == 0 || (is_hand && known.kinds() & kinds != 0) {
                continue;
            }
            let mut pool = self.pool(list, visible, size, player).of(kinds);
            if pool.is_empty() {
                continue;
            }
            let kind = take(&mut pool, rng);
            if list.minus(visible).count(kind) == 0 {
                list.add(kind);
            }
            if is_hand { sure_hand.add(kind) } else { sure_deck.add(kind) }
        }
        if !self.is_open(player) {
            list = self.complete(list, size, rng);
        }
        let mut unseen = list.minus(visible).minus(sure_hand.minus(known)).minus(sure_deck);
        let own = sample.player_mut(player);
        own.hand = sure_hand;
        for _ in sure_hand.total()..hand {
            let kind = take(&mut unseen, rng);
            own.hand.add(kind);
        }
        own.deck = unseen.plus(sure_deck);
    }

    /// Copies that may be where nobody sees them: of the list, and of a hidden list those that it can still be completed by.
    fn pool(&self, list: Cards, visible: Cards, size: u32, player: u8) -> Cards {
        let unseen = list.minus(visible);
        if self.is_open(player) {
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
    fn explained(&self, state: &State, player: u8) -> (u64, u64) {
        if state.decider != player || self.options.all_decide {
            return (0, 0);
        }
        if matches!(state.phase, Phase::Ward | Phase::Window) {
            let (moment, that) = self.moment(state);
            return (self.could_answer(state, player, moment, that), 0);
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
pub(super) fn take_back_choice(_: &Graven, state: &mut State, player: Player) {
    if state.phase == Phase::Build {
        state.player_mut(player.0).pick = NONE;
    }
}
