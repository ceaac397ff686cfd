//! The number of a decision in its episode, for [`Settings::temperature_drop`].
//!
//! A state does not tell how many decisions a player has made, and the number of all decisions could tell the player what others have chosen. So
//! searches count the player's own, where the environment keeps their trees.

use super::Settings;
use super::index::{Key, key_of};
use crate::agent::{Knowledge, Memory};
use crate::game::Game;

/// The name under which an environment keeps the count. It is one for all searches that count, because an agent whose network is trained meanwhile
/// has another name after each update.
const NAME: &str = "decisions of searches";

/// Counts the decisions of one player in one episode.
#[derive(Clone, Debug, Default)]
struct Opening {
    decisions: u32,
    /// The last one that was counted.
    last: Option<Key>,
    /// Memory for the observation.
    observation: Vec<u8>,
}

impl Opening {
    /// Counts a decision. One that is made again, in the same node, counts once: after a search that was stopped, or for an agent whose advice
    /// is not followed at once.
    fn count<G: Game>(&mut self, known: &Knowledge<'_, G>) -> u32 {
        let key = key_of(known, &mut self.observation);
        if self.last != Some(key) {
            self.decisions = self.decisions.saturating_add(1);
            self.last = Some(key);
        }
        self.decisions
    }

    fn forget(&mut self) {
        (self.decisions, self.last) = (0, None);
    }
}

/// The temperature of the choice at a decision, which is counted if the settings need the count.
pub(crate) fn temperature<G: Game>(
    settings: &Settings,
    known: &Knowledge<'_, G>,
    memory: &mut Memory<'_>,
) -> f32 {
    let decision = match settings.temperature_drop {
        0 => 1,
        _ => memory.get_or_reuse(NAME, Opening::default, Opening::forget).count(known),
    };
    settings.temperature_at(decision)
}
