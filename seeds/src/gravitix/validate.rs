//! What is wrong with a state that came from outside.

mod payments;

use super::Gravitix;
use super::content::Face;
use super::map::Cell;
use super::rules::ALL_SLOTS;
use super::state::{Ability, MARKERS, Payment, Pending, Phase, State, bits, kinds_in, size};
use playmat_core::prelude::*;

/// Everything that is wrong with a state between two decisions.
pub(super) fn validate(game: &Gravitix, state: &State) -> Vec<Problem> {
    let mut check = Check { game, state, found: Vec::new() };
    check.map();
    check.cards();
    check.players();
    // What follows needs a map and cards that are there.
    if check.found.is_empty() {
        check.markers();
        check.pending();
        check.ships();
    }
    if check.found.is_empty() {
        check.phase();
    }
    check.found
}

/// Looks at a state and collects what is wrong with it. Paths are those of the JSON form.
struct Check<'a> {
    game: &'a Gravitix,
    state: &'a State,
    found: Vec<Problem>,
}

impl Check<'_> {
    fn wrong(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.found.push(Problem::new(path, message));
    }

    /// Faces, and what follows from them.
    fn map(&mut self) {
        let (faces, state) = (&self.game.faces, self.state);
        for (slot, &face) in state.faces.iter().enumerate() {
            let path = || format!("islands[{slot}].face");
            let Some(Face { id, .. }) = faces.get(usize::from(face)) else {
                self.wrong(path(), format!("number {face}; the chosen set has {}", faces.len()));
                continue;
            };
            if let Some(first) = state.faces[..slot].iter().position(|&other| other == face) {
                self.wrong(path(), format!("`{id}` lies in slot {first} already"));
            }
        }
        if (state.turned | state.doubled | state.marked()) > ALL_SLOTS {
            self.wrong("islands", "something about a slot above 11");
        }
        if self.found.is_empty() {
            let mut laid = *state;
            self.game.lay_out(&mut laid);
            if laid != *state {
                self.wrong("islands", "cells or distances do not follow from the faces");
            }
        }
    }

    /// Every card of the content is in one zone.
    fn cards(&mut self) {
        let state = self.state;
        for player in 0..self.game.players {
            for (kind, &copies) in self.game.deck.iter().enumerate() {
                let zones = [&state.hands, &state.decks, &state.discards];
                let sum: u32 = zones.iter().map(|zone| u32::from(zone[player][kind])).sum();
                if sum != u32::from(copies) {
                    let id = self.game.kinds.get(kind).map_or("no kind", |kind| kind.id.as_str());
                    let message = format!(
                        "{sum} of `{id}` in hand, deck and discards of player {player}; there are {copies}"
                    );
                    self.wrong(format!("hands[{player}]"), message);
                }
            }
            let (sailed, discarded) = (u32::from(state.sailed[player]), size(&state.discards[player]));
            if sailed > discarded {
                let message = format!("{sailed} cards; player {player} has discarded {discarded}");
                self.wrong(format!("sailed[{player}]"), message);
            }
        }
    }

    /// Nothing belongs to a player that does not exist.
    fn players(&mut self) {
        let (state, players) = (self.state, self.game.players);
        if state.turn.index() >= players {
            self.wrong("turn", format!("{}; allowed: 0 to {}", state.turn, players - 1));
        }
        let cards = |state: &State| (state.hands[1], state.decks[1], state.discards[1], state.sailed[1]);
        let others = |state: &State| (state.owned[1], state.ships[1], state.pending[1]);
        let nothing = (cards(&State::EMPTY), others(&State::EMPTY));
        if players == 1 && (cards(state), others(state)) != nothing {
            self.wrong("hands", "a second player has something; there is one player");
        }
    }

    /// Islands, markers, doubled ones (GX-R8, R20a).
    fn markers(&mut self) {
        let (state, is_puzzle) = (self.state, self.game.players == 1);
        for slot in bits((state.owned[0] & state.owned[1]).into()) {
            self.wrong(format!("islands[{slot}].owner"), "two owners; an island has one at most");
        }
        for slot in bits((state.doubled & !state.marked()).into()) {
            self.wrong(format!("islands[{slot}].doubled"), "two markers without an owner");
        }
        if is_puzzle && state.doubled != 0 {
            self.wrong("islands", "a doubled island; in the puzzle there is none");
        }
        if is_puzzle && state.payment.doubled {
            self.wrong("payment.doubled", "a doubled supply; in the puzzle there is none");
        }
        for player in Player::all(self.game.players) {
            let pays_twice = self.is_paying(player) && state.payment.doubled;
            let used = state.markers(player) + if pays_twice { 2 } else { 0 };
            if used > MARKERS {
                self.wrong("islands", format!("{used} markers of player {player}; a player has {MARKERS}"));
            } else if state.phase != Phase::End && used == MARKERS && !pays_twice {
                self.wrong("phase", format!("player {player} has no marker left: the game is over"));
            }
            let own = self.game.count(state, player, Ability::Double).into();
            let wanted = (state.owned[player.index()] & state.doubled).count_ones()
                + u32::from(state.pending[player.index()] == Pending::Double)
                + u32::from(pays_twice);
            if wanted > own {
                let message = format!(
                    "{wanted} islands of player {player} doubled, about to be or allowed to be; it owns {own} with `double`"
                );
                self.wrong("islands", message);
            }
        }
        if state.phase != Phase::End && state.marked() == ALL_SLOTS {
            self.wrong("phase", "all islands are marked: the game is over");
        }
    }

    /// Whether a player is paying.
    fn is_paying(&self, player: Player) -> bool {
        matches!(self.state.phase, Phase::Discount | Phase::Pay) && self.state.turn == player
    }

    /// An effect on the next supply is that of an own island (GX-R6i).
    fn pending(&mut self) {
        for player in Player::all(self.game.players) {
            let effect = self.state.pending[player.index()];
            let Some(ability) = effect.ability() else { continue };
            let path = format!("pending[{player}]");
            if self.game.count(self.state, player, ability) == 0 {
                self.wrong(path, format!("player {player} owns no island with `{}`", ability.name()));
            } else if self.game.players == 1 && effect == Pending::Double {
                self.wrong(path, "`double` does nothing in the puzzle");
            } else if self.is_paying(player) {
                self.wrong(path, "the supply in course has spent it");
            }
        }
    }

    /// Ships are on cells (GX-R3, Q1).
    fn ships(&mut self) {
        let state = self.state;
        for (player, &cell) in state.ships[..self.game.players].iter().enumerate() {
            let path = format!("ships[{player}]");
            if cell == Cell::NONE {
                if state.phase != Phase::Start {
                    self.wrong(path, "not on the map; only in phase `start` a ship is not placed");
                }
            } else if !self.game.map.holds(cell) {
                self.wrong(path, format!("cell {}; there are {}", cell.0, self.game.map.len()));
            } else if player == 1 && cell == state.ships[0] && !self.game.share {
                self.wrong(path, "both ships on one cell, which the option `ships` forbids");
            }
        }
    }

    /// What holds for the phase alone.
    fn phase(&mut self) {
        let (state, player) = (self.state, self.state.turn);
        let (hand, deck) = (&state.hands[player.index()], &state.decks[player.index()]);
        if (state.phase == Phase::Move) != (state.range > 0) {
            self.wrong("range", format!("{}; above 0 in phase `move` and 0 in others", state.range));
        }
        if (state.phase == Phase::Swap) != (state.swap_left > 0) || state.swap_left > 2 {
            self.wrong("swap_left", format!("{}; 1 or 2 in phase `swap` and 0 in others", state.swap_left));
        }
        if !self.is_paying(player) && state.payment != Payment::NONE {
            self.wrong("payment", "given in a phase in which nobody pays");
        }
        match state.phase {
            Phase::Start => self.start(),
            Phase::Turn => {
                if !self.game.has_turn(state, player) {
                    let message = format!("player {player} has no card to play or to take: it has no turn");
                    self.wrong("turn", message);
                }
            }
            Phase::Move => self.range(),
            Phase::Supply | Phase::Discount | Phase::Pay => self.supply(),
            Phase::Lose => {
                self.at_ability(Ability::LoseCard);
                let other = self.game.opponent(player);
                if size(&state.hands[other.index()]) == 0 {
                    self.wrong("phase", format!("player {other} has no card to lose"));
                }
            }
            Phase::Swap => {
                self.at_ability(Ability::SwapTwo);
                if size(hand) < state.swap_left.into() || size(deck) == 0 {
                    self.wrong("phase", "too few cards in hand or deck for a swap");
                }
            }
            Phase::Wind => self.at_ability(Ability::Wind),
            Phase::End => self.end(),
        }
    }

    /// GX-R3, R3a: only cells equally near leave a choice.
    fn start(&mut self) {
        let (state, player) = (self.state, self.state.turn);
        let other = self.game.opponent(player);
        if state.ships[player.index()].is_some() {
            self.wrong(format!("ships[{player}]"), "placed, although it is to be placed now");
            return;
        }
        let (path, ship) = (format!("ships[{other}]"), state.ships[other.index()]);
        let before = State { ships: [Cell::NONE; 2], ..*state };
        if ship.is_some() && !self.game.start_cells(&before).contains(ship) {
            self.wrong(path.clone(), "not on a start nearest to the centre line");
        }
        let begins = if ship.is_some() { other } else { player };
        if let Some(first) = self.game.first.filter(|&first| first != begins) {
            let rule = format!("by the option `first_player` player {first} places its ship first");
            if ship.is_some() {
                self.wrong(path, format!("placed before the ship of player {first}; {rule}"));
            } else {
                self.wrong("turn", format!("player {player} is to place the first ship; {rule}"));
            }
        }
        if self.game.start_cells(state).len() < 2 {
            self.wrong("phase", "one start is nearest to the centre line: nothing is to be chosen");
        }
    }

    /// GX-R5a: a card that was discarded lets the ship go so far.
    fn range(&mut self) {
        let (state, player) = (self.state, self.state.turn);
        let twice = u8::from(self.game.doubles_sail(state, player));
        let mut discarded = bits(kinds_in(&state.discards[player.index()]));
        if !discarded.any(|kind| self.game.kinds[kind].sail << twice == state.range) {
            let message = format!("{}; no discarded card of player {player} sails so far", state.range);
            self.wrong("range", message);
        }
    }

    /// The ship is at an island that can be supplied, or is being supplied.
    fn supply(&mut self) {
        let (state, player) = (self.state, self.state.turn);
        let here = state.slot_at(state.ships[player.index()]);
        let Some(slot) = here.filter(|slot| state.marked() >> slot & 1 == 0) else {
            let message = "not on an island without a marker, and so nothing to supply";
            self.wrong(format!("ships[{player}]"), message);
            return;
        };
        if self.is_paying(player) {
            self.payment(slot);
        }
        if self.found.is_empty() && !self.game.completable(state, &state.hands[player.index()]) {
            self.wrong("phase", "the payment cannot be completed");
        }
    }

    /// A payment that the demand and the own islands can have led to (GX-R6c, R14a, R15a).
    fn payment(&mut self, slot: usize) {
        let Payment { slot: given, pair_left, units_left, .. } = self.state.payment;
        if usize::from(given) != slot {
            let message = format!("{given}; the ship is at the island of slot {slot}");
            self.wrong("payment.slot", message);
        } else if self.state.payment.is_paid() {
            self.wrong("payment.due", "nothing is due: the island is supplied");
        } else {
            self.found.extend(self.game.payment_problems(self.state));
        }
        let units = u16::from(pair_left) + u16::from(units_left);
        let phase = if units > 0 { Phase::Discount } else { Phase::Pay };
        if self.found.is_empty() && self.state.phase != phase {
            let message = format!("with {units} units of discount left to be named it is `{}`", phase.name());
            self.wrong("phase", message);
        }
    }

    /// The once-only abilities are used where the ship is, at an island just claimed.
    fn at_ability(&mut self, ability: Ability) {
        let (state, player) = (self.state, self.state.turn);
        let own = state.owned[player.index()] & self.game.having(state, ability);
        let here = state.slot_at(state.ships[player.index()]);
        if here.is_none_or(|slot| own >> slot & 1 == 0) {
            let message = format!("player {player} is at no own island with `{}`", ability.name());
            self.wrong("phase", message);
        }
        if self.game.players == 1 && ability != Ability::SwapTwo {
            self.wrong("phase", format!("`{}` does nothing in the puzzle", ability.name()));
        }
    }

    /// A game that is over has a reason to be (GX-R8, R21b).
    fn end(&mut self) {
        let state = self.state;
        let mut players = Player::all(self.game.players);
        let is_used_up = players.clone().any(|player| state.markers(player) >= MARKERS);
        let is_stuck = players.all(|player| !self.game.has_turn(state, player));
        if state.marked() != ALL_SLOTS && !is_used_up && !is_stuck {
            self.wrong("phase", "`end`, but there are islands, markers and cards left");
        }
    }
}
