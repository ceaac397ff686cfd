//! The position as people see it: as text for a terminal and as a picture.
//!
//! Both draw a [`Scene`], which knows only what the viewer may know: hands and face-down cards come from it,
//! never from the state.

mod cards;
mod picture;
mod terminal;

use super::Graft;
use super::action::Choice;
use super::state::{DECLINE_CODE, Kind, Phase, Row, SHIP_CODE, SLOTS, State, Zone};
use playmat_core::prelude::*;

playmat_core::scene!(Graft);

/// A hand as far as the viewer knows it.
struct HandView {
    /// Cards that the viewer knows of, ascending.
    known: Vec<Kind>,
    /// Cards that it does not know of.
    hidden: usize,
}

impl<'a> Scene<'a> {
    /// Who has won; nobody before the end.
    fn winners(&self) -> Players {
        if self.is_over() { self.game.winners(self.state) } else { Players::EMPTY }
    }

    /// Whether the viewer sees all cards of a player's hand.
    fn sees_hand(&self, player: Player) -> bool {
        Zone::Hand(player).is_seen_by(self.viewer)
    }

    /// Whether the viewer knows what a player has chosen face down.
    fn sees_choice(&self, player: Player) -> bool {
        Zone::Choice(player).is_seen_by(self.viewer)
    }

    /// Which turn it is and how many there can be; of a finished game the last one.
    fn turn(&self) -> String {
        let turn = usize::from(self.state.turn) + 1;
        if self.is_over() {
            return format!("Over in turn {turn}");
        }
        format!("Turn {turn}, at most {} left", self.game.turns() + 1 - turn)
    }

    /// The active row; without a bar that its owner, who looks, has taken back.
    fn row(&self, player: Player) -> Row {
        if self.sees_choice(player) && self.state.phase == Phase::Choose {
            self.game.own_row(self.state, player)
        } else {
            self.state.rows[player.index()]
        }
    }

    fn hand(&self, player: Player) -> HandView {
        if self.sees_hand(player) {
            let hand = self.game.own_hand(self.state, player);
            return HandView { known: hand.cards().map(|card| card.0).collect(), hidden: 0 };
        }
        let hand = &self.state.hands[player.index()];
        let viewer = self.viewer.unwrap_or(player);
        let known = hand.cards().filter(|card| card.1 >> viewer.0 & 1 != 0).map(|card| card.0).collect();
        HandView { known, hidden: hand.hidden_from(viewer) }
    }

    /// Codes of the cards that lie face down before a player, as far as the viewer knows: chosen ones and a replacement.
    fn face_down(&self, player: Player) -> Vec<u8> {
        if !self.sees_choice(player) {
            return Vec::new();
        }
        let at = player.index();
        let cards = if self.state.phase == Phase::Choose { self.state.cards[at] } else { [0; 2] };
        cards.into_iter().chain([self.state.replacements[at]]).filter(|&code| code != 0).collect()
    }

    /// A revealed card that is not placed yet.
    fn waiting(&self, player: Player) -> Option<Kind> {
        let code = self.state.cards[player.index()][1];
        let open = self.state.phase != Phase::Choose && code != 0 && code != SHIP_CODE;
        open.then(|| Kind::of_code(code))
    }

    fn card_name(&self, code: u8) -> &str {
        if code == SHIP_CODE { "ship card" } else { &self.game.text(Kind::of_code(code)).name }
    }

    /// Letters of a set of types.
    fn letters(&self, set: u8) -> String {
        let types = self.game.types().iter().enumerate().filter(|(ty, _)| set >> ty & 1 != 0);
        types.map(|(_, ty)| ty.letter).collect()
    }

    /// What a kind is, besides its name: its clauses and its effect.
    fn rules_of(&self, kind: Kind) -> Vec<String> {
        let mut lines = self.game.text(kind).clauses.clone();
        let effect = match self.game.data(kind).effect {
            super::content::Effect::None => None,
            super::content::Effect::EnergyBar => Some("take back: play 2"),
            super::content::Effect::Recycle => Some("compost +1 each"),
            super::content::Effect::Replant => Some("place 2 of compost"),
            super::content::Effect::ZCoin => Some("lifts limits to the left"),
        };
        lines.extend(effect.map(String::from));
        lines
    }

    /// Kinds of the viewer's hand that it may choose now without a bust, as bits.
    fn playable(&self, viewer: Player) -> u64 {
        let (game, state) = (self.game, self.state);
        if !state.acting.contains(viewer) || state.phase == Phase::Replant {
            // A pick comes from the compost.
            return 0;
        }
        let mut row = self.row(viewer);
        let first = state.cards[viewer.index()][0];
        if state.phase == Phase::Choose && first != 0 {
            row = game.after(&row, Kind::of_code(first), &state.slots);
        }
        game.legal(state, viewer).0[0] & game.legal_kinds(&row)
    }

    /// Whether the viewer may choose its ship card now.
    fn may_ship(&self, viewer: Player) -> bool {
        let (game, state) = (self.game, self.state);
        state.acting.contains(viewer) && game.legal(state, viewer).contains(game.action(Choice::Ship))
    }

    /// Whether the viewer may claim the badge of a slot now.
    fn may_claim(&self, slot: usize) -> bool {
        let offered = |viewer: Player| self.state.offers[viewer.index()] >> slot & 1 != 0;
        self.viewer.is_some_and(|viewer| self.state.acting.contains(viewer) && offered(viewer))
    }

    /// The claim that a player has chosen, as far as the viewer knows it.
    fn claim(&self, player: Player) -> Option<String> {
        let code = self.state.claiming[player.index()];
        (self.sees_choice(player) && code != 0).then(|| match code {
            DECLINE_CODE => "claims nothing".into(),
            code => format!("claims {}", self.badge_name(usize::from(code - 1) % SLOTS)),
        })
    }

    fn badge_name(&self, slot: usize) -> &str {
        &self.game.badge_text(self.state.slots[slot]).name
    }

    /// Players that have claimed a slot, with what they got.
    fn claimers(&self, slot: usize) -> Vec<(Player, u8)> {
        let value = |player: Player| self.state.claims[player.index()][slot];
        Player::all(self.players())
            .map(|player| (player, value(player)))
            .filter(|claim| claim.1 != 0)
            .collect()
    }

    /// What everybody sees a player do in this turn.
    fn status(&self, player: Player) -> &'static str {
        let state = self.state;
        let shipped = state.shippers.contains(player);
        match state.phase {
            Phase::End if self.winners().contains(player) => "wins",
            Phase::Replant if state.replanting() == Some(player) => "replants",
            Phase::Replant if state.picks[player.index()] != 0 => "will replant",
            Phase::Replace if shipped => "replaces the ship card",
            Phase::Claim | Phase::Refill if state.offers[player.index()] != 0 => "may claim a badge",
            _ if shipped => "has shipped",
            _ => "",
        }
    }

    /// What is going on, in a few words.
    fn prompt(&self) -> String {
        let state = self.state;
        if self.is_over() {
            let names: Vec<String> = self.winners().iter().map(|player| player.to_string()).collect();
            return match names.as_slice() {
                [one] => format!("Game over: player {one} wins"),
                many => format!("Game over: players {} share the victory", many.join(", ")),
            };
        }
        let Some(viewer) = self.viewer else {
            return match state.phase {
                Phase::Choose => "Everybody chooses a card".into(),
                Phase::Replant => "Cards are replanted".into(),
                Phase::Replace => "Ship cards are replaced".into(),
                _ => "Badges are claimed".into(),
            };
        };
        if !state.acting.contains(viewer) {
            return "Waiting for the others".into();
        }
        let picks = state.picks[viewer.index()];
        match state.phase {
            Phase::Choose if !state.bars.contains(viewer) => "Choose a card".into(),
            Phase::Choose if state.cards[viewer.index()][0] == 0 => "Choose the first of two cards".into(),
            Phase::Choose => "Choose the second card".into(),
            Phase::Replant => format!("Replant up to {picks} cards of your compost"),
            Phase::Replace => "Choose what takes the place of your ship card".into(),
            _ => {
                let offered = (0..SLOTS).filter(|&slot| self.may_claim(slot));
                let names: Vec<&str> = offered.map(|slot| self.badge_name(slot)).collect();
                format!("Claim a badge: {}", names.join(", "))
            }
        }
    }
}
