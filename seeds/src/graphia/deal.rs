//! The deal and the draws: everything that chance decides (GG-R2, R3c, R5b).

use super::Graphia;
use super::rules::{Deck, Event};
use super::state::{Kind, LAST_ROUND, MAX_KINDS, State, Terrain};
use playmat_core::bits::select_in_word;
use playmat_core::prelude::*;

/// A new episode, played on to its first decision.
#[inline(never)]
pub(super) fn deal<L: Log<Graphia>>(game: &Graphia, rng: &mut Rng, log: &mut L) -> State {
    let mut state = State::new(game.players, game.deck);
    game.play_on(&mut state, rng, log);
    state
}

impl Graphia {
    /// All chance of a round, before its choices: terrain, pair, number.
    #[inline(always)]
    pub(super) fn turn_cards<L: Log<Self>>(&self, state: &mut State, rng: &mut Rng, log: &mut L) {
        log.rule(|| "GG-R1".into());
        state.round = (state.round + 1).min(LAST_ROUND);
        state.pair = None;
        state.number = 0;
        // GG-R2, R2d: a deck is shuffled when a card is needed and none is left.
        if state.terrains_left == 0 {
            state.terrains_left = u8::MAX;
            log.event(state, || Event::DeckRenewed(Deck::Terrain));
            log.rule(|| "GG-R2".into());
            log.rule(|| "GG-R2d".into());
        }
        if state.terrains_left.is_power_of_two() {
            log.rule(|| "GG-R2a".into());
        }
        let rank = rng.below(state.terrains_left.count_ones());
        let terrain = Terrain::ALL[select_in_word(state.terrains_left.into(), rank) as usize];
        state.terrains_left &= !(1 << terrain.index());
        state.terrain = Some(terrain);
        log.chance();
        let round = state.round;
        log.event(state, || Event::TerrainTurned { round, terrain });
        log.rule(|| format!("terrain {}", terrain.name()));
        match terrain {
            Terrain::Desolation => self.roll_desolation(state, rng, log),
            Terrain::Nexus => roll(state, rng, log),
            _ => {
                self.turn_pair(state, rng, log);
                roll(state, rng, log);
            }
        }
    }

    /// GG-R5b: rolling again until a number is new is a uniform draw from the unused ones.
    fn roll_desolation<L: Log<Self>>(&self, state: &mut State, rng: &mut Rng, log: &mut L) {
        log.rule(|| "GG-R1b".into());
        let unused = !state.used & 0xfff;
        if unused == 0 {
            return;
        }
        if state.used != 0 {
            log.rule(|| "GG-R5b".into());
        }
        let rank = rng.below(unused.count_ones());
        state.number = 1 + select_in_word(unused.into(), rank) as u8;
        log.chance();
        let number = state.number;
        log.event(state, || Event::DieRolled(number));
    }

    #[inline(always)]
    fn turn_pair<L: Log<Self>>(&self, state: &mut State, rng: &mut Rng, log: &mut L) {
        let first = self.turn_card(state, None, rng, log);
        let second = self.turn_card(state, Some(first), rng, log);
        state.pair = Some([first.min(second), first.max(second)]);
        log.event(state, || Event::PairShown([first, second]));
        if L::LISTENS {
            log.rule(|| "GG-R2b".into());
            log.rule(|| "GG-R2c".into());
            for kind in [first, second] {
                log.rule(|| format!("shape {}", self.shape(kind).id));
            }
        }
    }

    /// One polyomino card; `first` is the other card of the pair, if it lies open already.
    #[inline(always)]
    fn turn_card<L: Log<Self>>(
        &self,
        state: &mut State,
        first: Option<Kind>,
        rng: &mut Rng,
        log: &mut L,
    ) -> Kind {
        if state.shapes_left == [0; MAX_KINDS] {
            state.shapes_left = self.deck;
            // GG-R2e: the open card is not among those shuffled.
            if let Some(kind) = first {
                state.shapes_left[kind.index()] -= 1;
                log.rule(|| "GG-R2e".into());
            }
            log.event(state, || Event::DeckRenewed(Deck::Polyomino));
            log.rule(|| "GG-R2".into());
            log.rule(|| "GG-R2d".into());
        }
        let kind = rng.draw_kind(&state.shapes_left[..self.kinds()]);
        state.shapes_left[kind] -= 1;
        log.chance();
        Kind(kind as u8)
    }
}

/// GG-R3c, R4: the die names the line.
#[inline(always)]
fn roll<L: Log<Graphia>>(state: &mut State, rng: &mut Rng, log: &mut L) {
    state.number = 1 + rng.below(12) as u8;
    log.chance();
    let number = state.number;
    log.event(state, || Event::DieRolled(number));
    log.rule(|| "GG-R3c".into());
}
