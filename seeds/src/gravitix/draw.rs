//! The position as people see it: as text for a terminal and as a picture.
//!
//! Both draw a [`Scene`], which knows only what the viewer may know: cards and decisions of the other player come
//! from it, never from the state.

mod cards;
mod picture;
mod sea;
mod terminal;

use super::Gravitix;
use super::content::Face;
use super::map::CellSet;
use super::state::{Cards, Payment, Phase, State, Zone, size};
use super::text::{amounts_of, effect_words, pair_text};
use playmat_core::prelude::*;

playmat_core::scene!(Gravitix);

/// Colours of text and paper.
const PAPER: &str = "#f4f8fa";
const INK: &str = "#1d2b34";
const MUTED: &str = "#5f7480";
const FAINT: &str = "#d5e0e6";
/// The first player's ship, and the other's.
const SHIPS: [&str; 2] = ["#2468d2", "#dd6420"];

/// The colour of a player's ship and markers.
fn ship_colour(scene: &Scene<'_>, player: Player) -> &'static str {
    SHIPS[usize::from(player != scene.blue())]
}

impl<'a> Scene<'a> {
    /// The player whose ship is blue: the first player's (GX-R23).
    fn blue(&self) -> Player {
        self.game.first.unwrap_or_default()
    }

    /// What a player is called: the only one is none among others.
    fn called(&self, player: Player) -> String {
        if self.players() == 1 { "Your ship".into() } else { self.name(player) }
    }

    /// A player's hand, if the viewer knows it.
    fn hand(&self, player: Player) -> Option<&Cards> {
        Zone::Hand(player).is_seen_by(self.viewer).then(|| &self.state.hands[player.index()])
    }

    fn hand_size(&self, player: Player) -> u32 {
        size(&self.state.hands[player.index()])
    }

    fn deck_size(&self, player: Player) -> u32 {
        size(&self.state.decks[player.index()])
    }

    /// Points, or in the puzzle islands, or its final score.
    fn score(&self, player: Player) -> i32 {
        self.game.scores(self.state)[player.index()]
    }

    fn pending(&self, player: Player) -> &'static str {
        effect_words(self.state.pending[player.index()])
    }

    /// What the viewer has to decide; without a viewer what anybody has to. The other player does not learn it.
    fn decision(&self) -> Option<Phase> {
        let actor = self.state.actor()?;
        Zone::Decision(actor).is_seen_by(self.viewer).then_some(self.state.phase)
    }

    /// The payment in course, which is public.
    fn payment(&self) -> Option<&Payment> {
        (self.state.payment != Payment::NONE).then_some(&self.state.payment)
    }

    /// Cells that a ship can go to now.
    fn reachable(&self) -> CellSet {
        match self.decision() {
            Some(Phase::Start) => self.game.start_cells(self.state),
            Some(Phase::Wind) => self.game.leeward(self.state),
            // How far the ship may go is public.
            _ if self.state.range > 0 => self.game.reach(self.state, self.state.range),
            _ => CellSet::EMPTY,
        }
    }

    fn face(&self, slot: usize) -> &'a Face {
        &self.game.faces[usize::from(self.state.faces[slot])]
    }

    /// Steps from a ship to the island of a slot, if the ship is on the map.
    fn steps(&self, player: Player, slot: usize) -> Option<u8> {
        let ship = self.state.ships[player.index()];
        ship.is_some().then(|| self.game.map.distance(ship, self.state.cells[slot]))
    }

    fn is_doubled(&self, slot: usize) -> bool {
        self.state.doubled >> slot & 1 != 0
    }

    /// What is going on, in a few words.
    fn prompt(&self) -> String {
        let state = self.state;
        if self.is_over() {
            return self.result();
        }
        let who = state.actor().unwrap_or(state.turn);
        let Some(phase) = self.decision() else {
            return match (self.payment().is_some(), state.range) {
                (true, _) => format!("Player {} pays", state.turn),
                (_, 0) => format!("Player {}'s turn", state.turn),
                (_, range) => format!("Player {} sails, up to {range}", state.turn),
            };
        };
        let what = match phase {
            Phase::Start => "place your ship".into(),
            Phase::Turn if self.game.hard => "play a card".into(),
            Phase::Turn => "play a card or take cards".into(),
            Phase::Move => format!("sail, up to {}", state.range),
            Phase::Supply => "supply the island?".into(),
            Phase::Discount => "name what costs less".into(),
            Phase::Pay => "pay".into(),
            Phase::Lose => "discard a card".into(),
            Phase::Swap => format!("swap: discard {} more", state.swap_left),
            Phase::Wind => "blow the other ship?".into(),
            Phase::End => String::new(),
        };
        if self.players() == 1 {
            return capital(&what);
        }
        format!("Player {who}: {what}")
    }

    fn result(&self) -> String {
        let marked = self.state.marked().count_ones();
        if self.players() == 1 {
            let counted = self.game.counted(self.state);
            return match marked {
                12 => {
                    format!("Solved with {counted} cards: {}", count(self.score(Player(0)).into(), "point"))
                }
                _ => format!("Not solved: {marked} of 12 islands"),
            };
        }
        let winners: Vec<Player> = self.game.winners(self.state).iter().collect();
        match winners.as_slice() {
            [one] => format!("Game over: player {one} wins"),
            _ => "Game over: shared".into(),
        }
    }

    /// The payment in course in words.
    fn payment_words(&self) -> Option<String> {
        let payment = self.payment()?;
        let mut words = format!(
            "Still due at {}: {}",
            self.face(payment.slot.into()).name,
            listed(&amounts_of(payment.due), "nothing")
        );
        if payment.doubled {
            words.push_str(", doubled");
        }
        let units = payment.pair_left + payment.units_left;
        let discounts = if units == 1 { "discount to name" } else { "discounts to name" };
        let rest = [(units, discounts), (payment.shifts, "+1/-1"), (payment.exchanges, "exchange")];
        for (count, what) in rest {
            if count > 0 && !(what == "+1/-1" && payment.started) {
                words.push_str(&format!(", {count} {what}"));
            }
        }
        if let Some(pair) = payment.exchange {
            words.push_str(&format!(", next card {}", pair_text(pair)));
        }
        Some(words)
    }
}
