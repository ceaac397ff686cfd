//! The deal: decks, the first player and opening hands (GV-R1).

use super::Graven;
use super::rules::Play;
use super::state::{Cards, Field, LegalCache, MAX_PLAYERS, NONE, Phase, PlayerState, Stage, State};
use playmat_core::prelude::*;

/// Cards of an opening hand (GV-R1).
const HAND: usize = 7;

/// A new episode, played on to its first decision.
#[inline]
pub(super) fn deal<L: Log<Graven>>(game: &Graven, rng: &mut Rng, log: &mut L) -> State {
    let mut state = game.empty_state();
    let s = &mut state;
    log.rule(|| "GV-R1".into());
    for player in 0..game.players {
        s.players[player].deck = game.draw_deck(game.sources[player], rng, log);
    }
    s.turn_player = match game.options.first {
        Some(player) => player,
        None => {
            log.chance();
            rng.below(game.players as u32) as u8
        }
    };
    let mut play = Play { game, rng, log, queued: 0 };
    if game.builders == 0 {
        play.deal_hands(s);
    }
    play.go_on(s);
    state
}

impl Graven {
    /// The state before anything is drawn.
    pub(super) fn empty_state(&self) -> State {
        State {
            players: [PlayerState::EMPTY; MAX_PLAYERS],
            field: Field::EMPTY,
            queue: List::default(),
            effect: None,
            invoking: None,
            meant: None,
            window: None,
            phase: Phase::Build,
            decider: NONE,
            stage: Stage::Build,
            turn_player: 0,
            turns: 0,
            spent: Cards::EMPTY,
            activations: Cards::EMPTY,
            humans: 0,
            extra: 0,
            invoked: false,
            ward: NONE,
            turn_decisions: 0,
            had_turn: 0,
            in_game: Players::all(self.players).0,
            winners: 0,
            legal: LegalCache::default(),
        }
    }
}

impl<L: Log<Graven>> Play<'_, L> {
    /// Opening hands, and the first turn begins (GV-R1).
    pub(super) fn deal_hands(&mut self, s: &mut State) {
        for player in 0..self.players as u8 {
            if self.is_open(player) {
                s.player_mut(player).list = s.player(player).deck;
            }
        }
        for player in 0..self.players as u8 {
            self.draw_some(s, player, HAND);
        }
        let first = s.turn_player;
        s.phase = Phase::Draw;
        self.begin_turn(s, first);
    }
}
