//! Toll as JSON, texts, pictures and events.

use super::{CARDS, COINS, Phase, TEXTS, TURNS, Toll, TollEvent, TollState};
use crate::document::{self, Document, flag, number, number_or_null, number_set, one_of, redacted};
use crate::error::{Problem, Result};
use crate::prelude::*;
use crate::rng::Rng;
use serde_json::{Value, json};

/// In place of the bid of a player that has not bid.
const NO_BID: u8 = u8::MAX;

impl Toll {
    fn declare(&self, state: &mut TollState, doc: &mut Document<'_>) {
        let (whole, viewer) = (*state, doc.viewer());
        let cards = 0..=CARDS as i64 - 1;
        let phases = [Phase::Bids, Phase::Play, Phase::Over];
        doc.field("phase", one_of(&mut state.phase, phases, |phase| json!(phase), "bids, play or over"));
        doc.field("turn", number(&mut state.turn, 0..=self.players() as i64 - 1));
        let (deck, left) = (number_set(&mut state.deck, cards.clone()), whole.deck.count_ones());
        doc.field("deck", redacted(deck, Visibility::Nobody, viewer, || left.into()));
        doc.each("players", self.players(), "players", |k, doc| {
            let player = Player(k as u8);
            let own = Visibility::Owner(player);
            let card = number(&mut state.card[k], cards.clone());
            let card_zone = if whole.shows(player) { Visibility::Public } else { own };
            doc.field("card", redacted(card, card_zone, viewer, || Value::Null));
            let (aside, put) = (number_set(&mut state.aside[k], cards.clone()), whole.aside[k].count_ones());
            doc.field("aside", redacted(aside, own, viewer, || put.into()));
            doc.field("coins", number(&mut state.coins[k], 0..=COINS.into()));
            // Chosen and hidden bids are alike for others.
            let is_chosen = whole.phase != Phase::Bids || whole.chosen.contains(player);
            let mut bid = if is_chosen { whole.bid[k] } else { NO_BID };
            let bid_zone = if whole.phase == Phase::Bids { own } else { Visibility::Public };
            let form = number_or_null(&mut bid, NO_BID, 0..=2);
            doc.field("bid", redacted(form, bid_zone, viewer, || Value::Null));
            doc.field("raises", number(&mut state.raises[k], 0..=TURNS.into()));
            doc.field("turns", number(&mut state.turns[k], 0..=TURNS.into()));
            let mut inside = whole.inside.contains(player);
            doc.field("inside", flag(&mut inside));
            if doc.is_reading() {
                set(&mut state.chosen, player, bid != NO_BID);
                set(&mut state.inside, player, inside);
                state.bid[k] = if bid == NO_BID { 0 } else { bid };
            }
        });
    }
}

/// Adds a player to a set, or removes it.
fn set(players: &mut Players, player: Player, is_in: bool) {
    if is_in {
        players.insert(player);
    } else {
        players.remove(player);
    }
}

impl Show for Toll {
    fn describe(&self, state: &TollState, viewer: Option<Player>) -> Value {
        Document::write(viewer, |doc| self.declare(&mut state.clone(), doc))
    }

    fn restore(&self, value: &Value, _: &mut Rng) -> Result<TollState, Vec<Problem>> {
        let declare = |state: &mut TollState, doc: &mut Document<'_>| self.declare(state, doc);
        document::restore(value, self.fresh(), declare, |state, reading| reading.also(self.validate(state)))
    }

    fn action_text(&self, _: Option<(&TollState, Player)>, action: Action) -> String {
        TEXTS[action.index()].into()
    }

    fn parse_action(&self, _: Option<(&TollState, Player)>, text: &str) -> Option<Action> {
        TEXTS.iter().position(|t| t.eq_ignore_ascii_case(text)).map(|at| Action(at as u16))
    }

    fn event_json(&self, event: &TollEvent, viewer: Option<Player>) -> Option<Object> {
        match *event {
            TollEvent::Drawn(player, card) => {
                event!("drawn", player: player, card: Visibility::Owner(player).is_seen_by(viewer).then_some(card))
            }
            TollEvent::Chosen(player) if Visibility::Owner(player).is_seen_by(viewer) => {
                event!("chosen", player: player)
            }
            TollEvent::Chosen(_) => None,
            TollEvent::Bids(bids) => event!("bids", bids: bids[..self.players()]),
            TollEvent::Passed(player) => event!("passed", player: player),
            TollEvent::Raised(player) => event!("raised", player: player),
            TollEvent::Won(players) => event!("won", players: players.iter().collect::<Vec<_>>()),
        }
    }

    fn draw_text(&self, state: &TollState, viewer: Option<Player>) -> String {
        let mut text = format!("Toll, pot {}\n", self.pot(state));
        for player in Player::all(self.players()) {
            let k = player.index();
            let known = Visibility::Owner(player).is_seen_by(viewer) || state.shows(player);
            let card = if known { state.card[k].to_string() } else { "?".into() };
            let mark =
                if self.acting(state).contains(player) && state.phase == Phase::Play { ">" } else { " " };
            let (coins, raises) = (state.coins[k], state.raises[k]);
            text.push_str(&format!("{mark} player {player}: card {card}, {coins} coins, {raises} raises\n"));
        }
        text
    }

    fn draw_svg(&self, state: &TollState, viewer: Option<Player>) -> String {
        let lines = self.draw_text(state, viewer);
        let mut svg = Svg::new(400.0, 24.0 * (lines.lines().count() + 1) as f64);
        for (row, line) in lines.lines().enumerate() {
            svg.text((10.0, 24.0 * (row + 1) as f64), 14.0, Anchor::Start, "#222222", false, line);
        }
        svg.finish()
    }

    fn hooks(&self) -> Hooks<Self> {
        Hooks {
            expected: Some(|_| vec!["TOLL-F1".into()]),
            duplicates: Some(|_, _, _, _, _| false),
            relabel: Some(|game, state, turn| Some(game.relabelled(state, turn))),
            consistent: Some(Toll::consistent),
            determinizations: Some(Self::determinizations),
            ..Hooks::default()
        }
    }
}
