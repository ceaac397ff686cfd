//! Toll as JSON, texts, pictures and events.

use super::{CARDS, Phase, TEXTS, Toll, TollEvent, TollState};
use crate::error::{Problem, Result};
use crate::prelude::*;
use crate::rng::Rng;
use serde::Deserialize;
use serde_json::{Value, json};

impl Show for Toll {
    fn describe(&self, state: &TollState, viewer: Option<Player>) -> Value {
        let knows = |player: Player| Visibility::Owner(player).is_seen_by(viewer);
        let cards = |set: u8| (0..CARDS as u8).filter(|card| set >> card & 1 != 0).collect::<Vec<_>>();
        let players: Vec<Value> = Player::all(self.players())
            .map(|player| {
                let k = player.index();
                let shown = state.phase != Phase::Bids || (knows(player) && state.chosen.contains(player));
                json!({
                    "card": (knows(player) || state.shows(player)).then_some(state.card[k]),
                    "aside": if knows(player) { json!(cards(state.aside[k])) } else { json!(state.aside[k].count_ones()) },
                    "coins": state.coins[k],
                    "bid": shown.then_some(state.bid[k]),
                    "raises": state.raises[k],
                    "turns": state.turns[k],
                    "inside": state.inside.contains(player),
                })
            })
            .collect();
        let deck = if viewer.is_none() { json!(cards(state.deck)) } else { json!(state.deck.count_ones()) };
        json!({ "phase": state.phase, "turn": state.turn, "deck": deck, "players": players })
    }

    fn restore(&self, value: &Value, _: &mut Rng) -> Result<TollState, Vec<Problem>> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Sheet {
            card: u8,
            aside: Vec<u8>,
            coins: u8,
            bid: Option<u8>,
            raises: u8,
            turns: u8,
            inside: bool,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Table {
            phase: Phase,
            turn: u8,
            deck: Vec<u8>,
            players: Vec<Sheet>,
        }
        let mut found = Vec::new();
        let Some(table) = crate::fields::typed::<Table>("", value, &mut found) else { return Err(found) };
        if table.players.len() != self.players() {
            return Err(vec![Problem::new("players", format!("must be {}", self.players()))]);
        }
        let set = |cards: &[u8], path: &str| {
            cards.iter().try_fold(0u8, |set, &card| match 1u8.checked_shl(u32::from(card)) {
                Some(bit) if set & bit == 0 => Ok(set | bit),
                _ => Err(vec![Problem::new(path, "a card twice, or none of 0 to 5")]),
            })
        };
        let mut state = self.deal(&mut Rng::from_seed(0), &mut Silent);
        (state.phase, state.turn, state.deck) = (table.phase, table.turn, set(&table.deck, "deck")?);
        state.inside = Players::EMPTY;
        for (k, sheet) in table.players.iter().enumerate() {
            let player = Player(k as u8);
            state.card[k] = sheet.card;
            state.aside[k] = set(&sheet.aside, &format!("players[{k}].aside"))?;
            (state.coins[k], state.raises[k], state.turns[k]) = (sheet.coins, sheet.raises, sheet.turns);
            if let Some(bid) = sheet.bid {
                state.bid[k] = bid;
                state.chosen.insert(player);
            }
            if sheet.inside {
                state.inside.insert(player);
            }
        }
        match self.validate(&state) {
            found if found.is_empty() => Ok(state),
            found => Err(found),
        }
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
