//! Determinizations: hands, decks and records of draws, drawn anew (RA-K1).
//!
//! A sample is exact until a deck is renewed: every way to deal the unseen cards is equally likely. There is one exception, a window under
//! `windows = "holders"`: the card that the deciding player certainly holds is put into that hand first. After a renewal a sample
//! is an approximation, because nothing tracks which hand holds which old card. It never contradicts what the player knows.

use super::Rafts;
use super::state::{Deck, Kind, LegalCache, MAX_KINDS, MAX_RESOURCES, Phase, State};
use playmat_core::prelude::*;

/// A multiset of cards by kind.
#[derive(Clone, Copy)]
struct Pool {
    counts: [u8; MAX_KINDS],
    left: u32,
}

impl Pool {
    fn new() -> Pool {
        Pool { counts: [0; MAX_KINDS], left: 0 }
    }

    fn add(&mut self, kind: usize, count: u8) {
        self.counts[kind] += count;
        self.left += u32::from(count);
    }

    fn remove(&mut self, kind: usize, count: u8) {
        self.counts[kind] -= count;
        self.left -= u32::from(count);
    }

    /// A uniformly random card, taken out.
    fn draw(&mut self, rng: &mut Rng) -> Kind {
        let kind = rng.draw_kind(&self.counts);
        self.remove(kind, 1);
        Kind(kind as u8)
    }
}

/// A state drawn from those consistent with what `viewer` knows. Reads of the others only what is public:
/// sizes of their hands and numbers of their draws by deck, and recovered cards.
pub(super) fn sample_hidden(game: &Rafts, state: &State, viewer: Player, rng: &mut Rng) -> State {
    let mut sample = State { legal: LegalCache::default(), ..*state };
    let others = || Player::all(game.players).filter(move |&player| player != viewer);
    for player in others() {
        let own = &mut sample.players[player.index()];
        own.hand = [0; MAX_KINDS];
        own.holds = 0;
        own.held = [0; 3];
        for k in 0..game.resources {
            for _ in 0..own.known[k] {
                own.take(Kind(k as u8), game.deck_of(Kind(k as u8)));
            }
        }
    }
    let slots = |player: Player, deck: Deck, sample: &State| {
        state.player(player).held[deck.index()] - sample.player(player).held[deck.index()]
    };
    let mut actions = game.unseen_actions(state, viewer);
    // Whoever decides about a fast card under `windows = "holders"` holds one.
    if let Some(fast) = game.fast_card_due(state).filter(|_| state.cursor != viewer.0) {
        actions.remove(fast.index(), 1);
        sample.players[usize::from(state.cursor)].take(fast, Deck::Actions);
    }
    // The deck and the hands are filled alike: whatever is left over belongs to neither.
    for k in game.range(Deck::Actions) {
        sample.deck[k] = 0;
    }
    for _ in 0..state.sizes[Deck::Actions.index()] {
        sample.deck[actions.draw(rng).index()] += 1;
    }
    for player in others() {
        for _ in 0..slots(player, Deck::Actions, &sample) {
            let kind = actions.draw(rng);
            sample.players[player.index()].take(kind, Deck::Actions);
        }
    }
    let (unseen, bound) = (game.unseen(state, viewer), game.deck_bound(state, viewer));
    for deck in [Deck::Specific, Deck::Generic] {
        let (mut here, mut hands) = (Pool::new(), Pool::new());
        for k in game.range(deck) {
            sample.deck[k] = 0;
            here.add(k, bound[k]);
            hands.add(k, unseen[k] - bound[k]);
        }
        for _ in 0..state.sizes[deck.index()] {
            sample.deck[here.draw(rng).index()] += 1;
        }
        for k in game.range(deck) {
            hands.add(k, here.counts[k]);
        }
        for player in others() {
            for _ in 0..slots(player, deck, &sample) {
                let kind = hands.draw(rng);
                sample.players[player.index()].take(kind, deck);
            }
        }
        game.redo_draws(state, &mut sample, viewer, deck, rng);
    }
    sample
}

impl Rafts {
    /// Action cards that the viewer does not see.
    fn unseen_actions(&self, state: &State, viewer: Player) -> Pool {
        let mut pool = Pool::new();
        for k in self.range(Deck::Actions) {
            pool.add(k, self.copies[k] - state.played[k - self.resources] - state.player(viewer).hand[k]);
        }
        pool
    }

    /// The fast card that the player who must decide certainly holds.
    fn fast_card_due(&self, state: &State) -> Option<Kind> {
        if self.options.all_decide {
            return None;
        }
        match state.phase {
            Phase::Snatch => self.snatch,
            Phase::Shield => {
                let action = state.resolving?.index().checked_sub(self.resources)?;
                self.shields[action & 15]
            }
            _ => None,
        }
    }

    /// The others' records of their draws: what left the deck and was not drawn by the viewer, first to those whose sampled
    /// hands hold it, the rest at random, each as many as they really drew.
    fn redo_draws(&self, state: &State, sample: &mut State, viewer: Player, deck: Deck, rng: &mut Rng) {
        let range = self.range(deck);
        let mut drawn = Pool::new();
        for k in range.clone() {
            drawn.add(k, state.shuffled[k] - state.player(viewer).drawn[k] - sample.deck[k]);
        }
        let mut open = [0u8; MAX_PLAYERS];
        for player in Player::all(self.players).filter(|&player| player != viewer) {
            open[player.index()] = state.player(player).drawn[range.clone()].iter().sum();
            sample.players[player.index()].drawn[range.clone()].fill(0);
        }
        for player in Player::all(self.players).filter(|&player| player != viewer) {
            let own = &mut sample.players[player.index()];
            for k in range.clone() {
                let count = own.hand[k].min(drawn.counts[k]).min(open[player.index()]);
                own.drawn[k] = count;
                drawn.remove(k, count);
                open[player.index()] -= count;
            }
        }
        for player in Player::all(self.players).filter(|&player| player != viewer) {
            for _ in 0..open[player.index()] {
                let kind = drawn.draw(rng);
                sample.players[player.index()].drawn[kind.index()] += 1;
            }
        }
    }
}

const _: () = assert!(MAX_RESOURCES <= MAX_KINDS);
