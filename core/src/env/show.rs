//! The outputs of an episode for people and programs: events, JSON, texts of actions.

use super::Env;
use crate::bits::LegalSet;
use crate::error::{Error, Result};
use crate::json;
use crate::log::Events;
use crate::player::{Action, Player};
use crate::show::Show;
use serde_json::{Map, Value};

impl<G: Show> Env<G> {
    /// What the last step changed, for one viewer (`None`: everything): a list of events, each with a sentence for
    /// players (`text`, [`Show::event_text`]; an `update` has none) and the JSON patch (RFC 6902) that leads from the JSON before it to the
    /// JSON after it. All patches applied in order to [`to_json`](Env::to_json) before the step give [`to_json`](Env::to_json) after it.
    ///
    /// After a reset, before the first step: the events of the deal, for a host that animates it. Their `changes` are empty, because
    /// there is no JSON before the deal: [`to_json`](Env::to_json) shows where they lead. A state that was loaded, sampled or cloned with a seed was
    /// not dealt here, and has no events before its first step.
    ///
    /// # Errors
    /// `InvalidPlayer`.
    pub fn events(&self, viewer: Option<Player>) -> Result<Vec<Value>> {
        if let Some(player) = viewer {
            self.check_player(player)?;
        }
        let mut log = Events::<G>::default();
        if !self.replay_last_step(&mut log) {
            return Ok(self.events_of_deal(viewer));
        }
        let mut document = crate::save::document_before(self, viewer);
        let mut list = Vec::new();
        for (event, state) in &log.events {
            let Some(mut entry) = self.configured.game.event_json(event, viewer) else { continue };
            let mut next = document.clone();
            next["state"] = self.configured.game.describe(state, viewer);
            entry.insert("text".into(), self.configured.game.event_text(&entry).into());
            entry.insert("changes".into(), json::patch(&document, &next));
            list.push(Value::Object(entry));
            document = next;
        }
        let after = crate::save::document(self, viewer);
        let rest = json::patch(&document, &after);
        if rest.as_array().is_some_and(|changes| !changes.is_empty()) {
            let mut entry = Map::new();
            entry.insert("event".into(), "update".into());
            entry.insert("changes".into(), rest);
            list.push(Value::Object(entry));
        }
        Ok(list)
    }

    /// The events of the deal, if the episode was dealt here.
    fn events_of_deal(&self, viewer: Option<Player>) -> Vec<Value> {
        let mut log = Events::<G>::default();
        if !self.replay_deal(&mut log) {
            return Vec::new();
        }
        let entries =
            log.events.iter().filter_map(|(event, _)| self.configured.game.event_json(event, viewer));
        entries
            .map(|mut entry| {
                entry.insert("text".into(), self.configured.game.event_text(&entry).into());
                entry.insert("changes".into(), Value::Array(Vec::new()));
                Value::Object(entry)
            })
            .collect()
    }

    /// The state as JSON, complete (`None`) or as one player may see it. Only the complete form can be loaded.
    ///
    /// # Errors
    /// `InvalidPlayer`.
    pub fn to_json(&self, viewer: Option<Player>) -> Result<Value> {
        if let Some(player) = viewer {
            self.check_player(player)?;
        }
        Ok(crate::save::document(self, viewer))
    }

    /// Text of an action for a player: what the current position makes of it.
    ///
    /// # Errors
    /// `InvalidArgument` for a number outside the action space.
    pub fn action_text(&self, player: Option<Player>, action: i64) -> Result<String> {
        let action = self.info().check_action(action)?;
        let seen = player.filter(|s| s.index() < self.info().players).map(|s| (&self.state, s));
        Ok(self.configured.game.action_text(seen, action))
    }

    /// What a legal action of an acting player would do, as far as that player knows. Empty if the action's text is enough, and for all
    /// other actions.
    ///
    /// # Errors
    /// `InvalidArgument` for a number outside the action space, `InvalidPlayer`.
    pub fn action_help(&self, player: Player, action: i64) -> Result<String> {
        let action = self.info().check_action(action)?;
        self.check_player(player)?;
        let legal = self.acting().contains(player) && self.legal(player).contains(action);
        Ok(if legal { self.configured.game.action_help(&self.state, player, action) } else { String::new() })
    }

    /// The action with this text.
    ///
    /// # Errors
    /// `UnknownAction`, with examples.
    pub fn parse_action(&self, player: Option<Player>, text: &str) -> Result<Action> {
        let game = &self.configured.game;
        let seen = player.filter(|s| s.index() < self.info().players).map(|s| (&self.state, s));
        game.parse_action(seen, text).filter(|action| action.index() < self.info().num_actions).ok_or_else(
            || Error::UnknownAction {
                text: text.chars().take(60).collect(),
                allowed: player
                    .map(|s| self.legal(s).iter().take(3).map(|a| game.action_text(seen, a)).collect())
                    .unwrap_or_default(),
            },
        )
    }
}
