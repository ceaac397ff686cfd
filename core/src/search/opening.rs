//! The number of a decision in its episode, for [`Settings::temperature_drop`].
//!
//! A state does not tell how many decisions a player has made, and the number of all decisions could tell the player what others have chosen. So
//! an agent counts its own, and keeps the count where it keeps its tree.

use super::Settings;
use super::index::{Key, key_of};
use crate::agent::Knowledge;
use crate::game::Game;

/// Counts the decisions of one player in one episode.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Opening {
    decisions: u32,
    /// The last one that was counted.
    last: Option<Key>,
}

impl Opening {
    /// Counts a decision, if the settings need the count. A decision that is made again, in the same node, counts once: after a search that was
    /// stopped, or for an agent whose advice is not followed at once.
    pub(super) fn count<G: Game>(
        &mut self,
        settings: &Settings,
        known: &Knowledge<'_, G>,
        observation: &mut Vec<u8>,
    ) {
        if settings.temperature_drop == 0 {
            return;
        }
        let key = key_of(known, observation);
        if self.last != Some(key) {
            self.decisions = self.decisions.saturating_add(1);
            self.last = Some(key);
        }
    }

    /// The temperature of the choice at the decision that was counted last.
    pub(super) fn temperature(&self, settings: &Settings) -> f32 {
        settings.temperature_at(self.decisions)
    }
}
