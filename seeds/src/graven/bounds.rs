//! How long episodes and chains of forced moves can get: the bounds of the metadata.

use super::cards::{Ability, By, Card, Cost, Step, To, Verb};
use super::rules::MAX_TURN_DECISIONS;
use super::state::{self, DECK, Timing};

/// The bounds of an episode: turns, decisions, forced moves.
pub(super) struct Bounds {
    pub(super) turns: usize,
    pub(super) decisions: usize,
    pub(super) forced: usize,
    pub(super) chance: usize,
}

impl Bounds {
    /// Every own turn draws a card of a deck that grows only by effects that each player can use once in the game for each
    /// card.
    pub(super) fn new(cards: &[Card], players: usize, max_turns: usize, builders: u8) -> Bounds {
        let abilities = || cards.iter().flat_map(|card| card.abilities.iter().flatten());
        let sum = |wanted: &dyn Fn(&&Step) -> bool| -> usize {
            let steps = abilities().flat_map(|ability| ability.steps.iter()).filter(wanted);
            steps.map(|step| usize::from(step.n.unsigned_abs())).sum()
        };
        let recycled = sum(&|step| step.verb == Verb::Recycle);
        let returned = sum(&|step| step.verb == Verb::Return && step.to == To::Deck);
        let drawn = DECK as usize - 7 + recycled + players * returned;
        let turns = (players * drawn).min(max_turns);
        // At random a card leaves a deck, or is discarded: by a Titan that enters, one a turn, or by one of 64 triggers or an
        // effect of a decision.
        let is_random = |step: &Step| step.verb == Verb::Discard && step.by == By::Random;
        let at_random = |ability: &&Ability| ability.steps.iter().any(is_random);
        let of_titans =
            |card: &&Card| card.ability(Timing::Enter).filter(|_| card.titan).is_some_and(|a| at_random(&a));
        let by_titans = abilities().filter(at_random).count() == cards.iter().filter(of_titans).count();
        let random = sum(&|step| is_random(step));
        let built = builders.count_ones() as usize;
        let decisions = turns * usize::from(MAX_TURN_DECISIONS) + DECK as usize * built;
        let effect = abilities().map(|ability| forced_choices(ability, players)).max().unwrap_or(0);
        // Safe, not tight: play shows chains of less than ten. Three phases a turn; an invocation; and what triggers from one decision to
        // the next: 64 effects that wait, 64 that are queued and the one in course, each after its window.
        let forced = 3 * turns + 4 + (2 * state::QUEUE + 1) * (effect + 1) + 8;
        let chance = players * (32 + DECK as usize + drawn + 7)
            + 1
            + players * random * (turns + 1) * if by_titans { 1 } else { 65 };
        Bounds { turns, decisions, forced, chance }
    }
}

/// Choices of an effect that can have a single answer: a card and its owner for each that is chosen, and an opponent.
fn forced_choices(ability: &Ability, players: usize) -> usize {
    let costs = ability.costs.iter().map(|cost| match cost {
        Cost::Discard(n) => usize::from(*n),
        Cost::Mill(_) => 0,
        Cost::DestroySelf => 1,
    });
    let steps = ability.steps.iter().map(|step| {
        let n = usize::from(step.n.unsigned_abs());
        let each = if step.held || step.verb == Verb::Discard { players } else { 1 };
        match step.is_about_field() {
            true => 2 * n * each,
            false if step.chooses() => n * each,
            false => 0,
        }
    });
    1 + costs.sum::<usize>() + steps.sum::<usize>()
}
