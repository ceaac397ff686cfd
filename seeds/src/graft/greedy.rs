//! The greedy agent: it plays the card after which its row is worth most, and ships when continuing is expected to score less.
//!
//! A row with s points and n cards is expected to grow by s/n with its next card, if one of the unseen cards may be placed
//! on it; otherwise it is lost. Shipping keeps s and what a badge earns. It knows only what its player knows.

use super::Graft;
use super::action::Choice;
use super::content::Effect;
use super::state::{Counts, Kind, Phase, Row, SLOTS, State};
use playmat_core::prelude::*;

/// Values are whole numbers in this many parts of a point.
const PARTS: i64 = 1000;

/// The action that the greedy agent chooses.
pub(super) fn greedy(game: &Graft, state: &State, player: Player, rng: &mut Rng) -> Action {
    let mut best = Best { action: Action(0), value: i64::MIN, ties: 0, rng };
    let view = View { game, state, player, unseen: game.unseen(state, player) };
    match state.phase {
        Phase::Choose => view.offer_choices(&mut best),
        Phase::Replant => view.offer_picks(&mut best),
        Phase::Replace => {
            for (kind, row) in view.placed(&state.rows[player.index()], game.replacements_of(state, player)) {
                best.offer(view.shipped(&row), game.action(Choice::Card(kind)));
            }
        }
        _ => {
            for slot in (0..SLOTS).filter(|slot| state.offers[player.index()] >> slot & 1 != 0) {
                let value = game.badge_value(state, slot).into();
                best.offer(value, game.action(Choice::Claim(slot as u8)));
            }
        }
    }
    best.action
}

/// What the player knows when it chooses.
struct View<'a> {
    game: &'a Graft,
    state: &'a State,
    player: Player,
    unseen: Counts,
}

impl View<'_> {
    /// The rows after each of some kinds.
    fn placed(&self, row: &Row, mut kinds: u64) -> impl Iterator<Item = (Kind, Row)> {
        let row = *row;
        std::iter::from_fn(move || {
            let kind = (kinds != 0).then(|| Kind(kinds.trailing_zeros() as u8))?;
            kinds &= kinds - 1;
            Some((kind, self.game.after(&row, kind, &self.state.slots)))
        })
    }

    /// Points of a card in the own compost.
    fn compost_point(&self) -> i64 {
        1 + i64::from(self.state.recycles[self.player.index()])
    }

    /// What a row is worth that is shipped as it is, the best badge included.
    fn shipped(&self, row: &Row) -> i64 {
        let open = row.met & !self.state.own_slots(self.player);
        let badges = (0..SLOTS).filter(|slot| open >> slot & 1 != 0);
        let badge = badges.map(|slot| self.game.badge_value(self.state, slot)).max().unwrap_or(0);
        let recycles =
            row.codes().iter().filter(|&&code| self.game.data(Kind::of_code(code)).effect == Effect::Recycle);
        let compost = recycles.count() as i64 * i64::from(self.state.compost_sizes[self.player.index()]);
        (i64::from(row.score) + i64::from(badge) + compost) * PARTS
    }

    /// What a row is worth that goes on: with the share of unseen cards that may be placed on it.
    fn kept(&self, row: &Row) -> i64 {
        let fits = (0..self.game.kinds()).filter(|&kind| self.game.is_legal(row, Kind(kind as u8)));
        let legal: i64 = fits.map(|kind| i64::from(self.unseen.0[kind])).sum();
        let all = i64::from(self.unseen.total()).max(1);
        let now = self.shipped(row);
        let grown = now + now.max(0) / i64::from(row.len.max(1));
        // A lost row leaves its cards in the compost.
        let lost = i64::from(row.len) * self.compost_point() * PARTS;
        (grown * legal + lost * (all - legal)) / all
    }

    /// The same before the card comes down: what a bust adds to the compost counts.
    fn after_card(&self, before: &Row, kind: Kind, row: &Row) -> i64 {
        let bust = !self.game.is_legal(before, kind);
        self.kept(row) + if bust { i64::from(before.len) * self.compost_point() * PARTS } else { 0 }
    }

    fn offer_choices(&self, best: &mut Best<'_>) {
        let (game, state, player) = (self.game, self.state, self.player);
        let hand = game.own_hand(state, player).set();
        let mut row = game.own_row(state, player);
        if state.bars.contains(player) && state.cards[player.index()][0] != 0 {
            row = game.after(&row, Kind::of_code(state.cards[player.index()][0]), &state.slots);
        }
        for (kind, after) in self.placed(&row, hand) {
            best.offer(self.after_card(&row, kind, &after), game.action(Choice::Card(kind)));
        }
        let legal = game.legal(state, player);
        if legal.contains(game.action(Choice::Ship)) {
            let replacements = hand & game.legal_kinds(&row);
            if let Some(value) = self.placed(&row, replacements).map(|(_, after)| self.shipped(&after)).max()
            {
                best.offer(value, game.action(Choice::Ship));
            }
        }
        if legal.contains(game.action(Choice::TakeBar)) {
            // The bar gives way to two cards: the better ones of the hand, one after the other.
            let without = game.without_last(&row, &state.slots);
            let worth = |row: &Row, kinds: u64| {
                self.placed(row, kinds)
                    .map(|(kind, after)| (self.after_card(row, kind, &after), kind, after))
                    .max_by_key(|v| v.0)
            };
            if let Some((first_value, first, after)) = worth(&without, hand) {
                let second =
                    worth(&after, hand & !(1 << first.index())).map_or(first_value, |second| second.0);
                best.offer(second, game.action(Choice::TakeBar));
            }
        }
    }

    /// A pick must bring more than the card is worth in the compost.
    fn offer_picks(&self, best: &mut Best<'_>) {
        let row = &self.state.rows[self.player.index()];
        best.offer(self.shipped(row), self.game.action(Choice::Stop));
        for (kind, after) in self.placed(row, self.game.picks_of(self.state, self.player)) {
            best.offer(
                self.shipped(&after) - self.compost_point() * PARTS,
                self.game.action(Choice::Card(kind)),
            );
        }
    }
}

/// The best action so far; equal ones are drawn from.
struct Best<'a> {
    action: Action,
    value: i64,
    ties: u32,
    rng: &'a mut Rng,
}

impl Best<'_> {
    fn offer(&mut self, value: i64, action: Action) {
        if value < self.value {
            return;
        }
        if value > self.value {
            (self.value, self.ties) = (value, 0);
        }
        self.ties += 1;
        if self.ties == 1 || self.rng.below(self.ties) == 0 {
            self.action = action;
        }
    }
}
