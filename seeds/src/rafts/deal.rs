//! The deal and the draws: everything that chance decides (RA-R1, R2d, R20).

use super::Rafts;
use super::rules::{Event, Next};
use super::state::{
    Deck, GoalKind, Kind, LegalCache, MAX_ACTIONS, MAX_PLAYERS, MAX_RESOURCES, Phase, PlayerState, Stage,
    State,
};
use playmat_core::counts;
use playmat_core::prelude::*;

/// Cards of each deck that a player is dealt.
pub(super) const DEALT: usize = 2;

/// RA-R1: first player, then two cards of each deck for each player, then a goal for each.
#[inline]
pub(super) fn deal<L: Log<Rafts>>(game: &Rafts, rng: &mut Rng, log: &mut L) -> State {
    let mut state = game.empty_state();
    log.rule(|| "RA-R1".into());
    log.rule(|| "RA-R1b".into());
    match game.options.first {
        Some(player) => state.turn_player = player.0,
        None => {
            state.turn_player = rng.below(game.players as u32) as u8;
            log.chance();
            log.rule(|| "RA-R1d".into());
        }
    }
    state.cursor = state.turn_player;
    for player in Player::all(game.players) {
        for deck in Deck::ALL {
            for _ in 0..DEALT {
                game.draw(&mut state, player, deck, rng, log);
            }
        }
    }
    for player in Player::all(game.players) {
        let goal = rng.draw_kind(&state.goals_left[..game.goals.len()]);
        state.goals_left[goal] -= 1;
        let shared = L::LISTENS && state.players.iter().any(|own| own.goals >> goal & 1 != 0);
        state.players[player.index()].goals = 1 << goal;
        game.refresh(&mut state, player);
        log.chance();
        log.event(&state, || Event::GoalDealt { player, goal: GoalKind(goal as u8) });
        log.rule(|| "RA-R1c".into());
        if shared {
            log.rule(|| "RA-Q17".into());
        }
    }
    game.go_on(&mut state, Next::Begin, rng, log);
    state
}

impl Rafts {
    /// The state before anything is dealt.
    pub(super) fn empty_state(&self) -> State {
        let mut copies = [0; MAX_RESOURCES];
        copies[..self.resources].copy_from_slice(&self.copies[..self.resources]);
        let size = |deck| self.copies[self.range(deck)].iter().sum();
        State {
            players: [PlayerState::EMPTY; MAX_PLAYERS],
            deck: self.copies,
            shuffled: copies,
            discards: [0; MAX_RESOURCES],
            closed: copies,
            played: [0; MAX_ACTIONS],
            goals_left: self.goal_copies,
            sizes: Deck::ALL.map(size),
            last: None,
            turn_player: 0,
            cursor: 0,
            turn: 0,
            quiet: 0,
            stirred: false,
            phase: Phase::Main,
            stage: Stage::Main,
            shields: 0,
            resolving: None,
            placing: None,
            partner: None,
            receiving: None,
            legal: LegalCache::default(),
        }
    }

    /// One card of a deck that has one or can be renewed (RA-R2d, R20): x in `0..size`, kinds in ascending order.
    #[inline(always)]
    pub(super) fn draw<L: Log<Self>>(
        &self,
        state: &mut State,
        player: Player,
        deck: Deck,
        rng: &mut Rng,
        log: &mut L,
    ) {
        if state.sizes[deck.index()] == 0 {
            self.renew(state, deck, log);
        }
        // No deck has more than 24 kinds, nor more than 120 cards.
        let drawn = rng.below(state.sizes[deck.index()].into());
        let kind = Kind(counts::nth(&state.deck, self.first_of[deck.index()], drawn));
        let k = kind.index();
        state.deck[k] -= 1;
        state.sizes[deck.index()] -= 1;
        let own = &mut state.players[player.index()];
        own.take(kind, deck);
        // Of actions nothing is added: no branch on the deck, which is random.
        own.drawn[k.min(MAX_RESOURCES - 1)] += u8::from(deck != Deck::Actions);
        log.chance();
        log.event(state, || Event::Drawn { player, deck, kind });
    }

    /// RA-R20: the discards of a deck become the deck.
    #[cold]
    #[inline(never)]
    fn renew<L: Log<Self>>(&self, state: &mut State, deck: Deck, log: &mut L) {
        let range = self.range(deck);
        let mut size = 0;
        for k in range.clone() {
            let count = std::mem::take(&mut state.discards[k]);
            (state.deck[k], state.shuffled[k]) = (count, count);
            state.closed[k] += count;
            size += count;
            for player in &mut state.players {
                player.drawn[k] = 0;
            }
        }
        state.sizes[deck.index()] = size;
        // RA-R21: the last discard went with the others.
        if state.last.is_some_and(|kind| range.contains(&kind.index())) {
            state.last = None;
        }
        log.event(state, || Event::Renewed(deck));
        log.rule(|| "RA-R20".into());
        log.rule(|| format!("deck {} renewed", deck.name()));
    }
}
