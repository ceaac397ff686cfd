//! How long episodes and chains of forced moves can get: the bounds of the metadata.

use super::Choices;
use super::content::Card;
use super::effects::Effect;

/// The longest that an episode can get.
pub(super) struct Bounds {
    pub(super) decisions: usize,
    pub(super) forced: usize,
    pub(super) chance: usize,
}

impl Bounds {
    /// For these cards, of which the first `resources` are no actions, with the effects of the others.
    ///
    /// Forced moves: before a turn ends there are at most three choices, six draws and END_TURN. Turns in which nobody chooses fill hands at
    /// most once each, and a quiet turn of every player ends the game.
    pub(super) fn new(
        cards: &[Card],
        effects: &[Effect],
        resources: usize,
        players: usize,
        choices: &Choices,
    ) -> Bounds {
        let copies = |wanted: &dyn Fn(Effect) -> bool| -> usize {
            let kinds = effects.iter().zip(&cards[resources..]);
            kinds.filter(|(effect, _)| wanted(**effect)).map(|(_, card)| usize::from(card.copies)).sum()
        };
        let (turns, others) = (usize::from(choices.turns), players - 1);
        let fast = copies(&|effect| matches!(effect, Effect::Snatch | Effect::Recover));
        let decisions = turns * (19 + 7 * others)
            + 3 * copies(&|_| true)
            + players * copies(&|effect| matches!(effect, Effect::Lose { all: true, .. }))
            + others * fast
            + if choices.discards { turns } else { 0 };
        Bounds { decisions, forced: 10 + 8 * players, chance: 1 + 7 * players + 6 * turns }
    }
}
