//! The rules of a game, its observation and its greedy agent as functions of their own.
//!
//! [`Game::apply`] and [`Game::observe`] are inlined where they are called, so that they are compiled with the instructions of the kernel that plays. In a
//! larger game this is much code. Only the loops that play whole batches and rollouts are worth a copy; all other calls share one function per
//! instruction set.

use crate::game::Game;
use crate::log::Log;
use crate::player::{Action, Player};
use crate::pool::{Isa, Kernel, Level, dispatch};
use crate::rng::Rng;
use crate::vec::tuning::SMALL_STATE;

/// [`Game::apply`] in a function that is not inlined, except in small games, whose rules are little code.
#[inline(always)]
pub(crate) fn apply<G: Game, L: Log<G>>(
    isa: impl Isa,
    game: &G,
    state: &mut G::State,
    player: Player,
    action: Action,
    rng: &mut Rng,
    log: &mut L,
) {
    if const { size_of::<G::State>() <= SMALL_STATE } {
        game.apply(state, player, action, rng, log);
    } else {
        isa.call(Apply { game, state, player, action, rng, log });
    }
}

/// The arguments of [`Game::apply`].
struct Apply<'a, G: Game, L> {
    game: &'a G,
    state: &'a mut G::State,
    player: Player,
    action: Action,
    rng: &'a mut Rng,
    log: &'a mut L,
}

impl<G: Game, L: Log<G>> Kernel for Apply<'_, G, L> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        self.game.apply(self.state, self.player, self.action, self.rng, self.log);
    }
}

/// [`Game::observe`] with the instructions of a kernel, shared in the same way.
#[inline(always)]
pub(crate) fn observe<G: Game>(isa: impl Isa, game: &G, state: &G::State, viewer: Player, out: &mut [u8]) {
    if const { size_of::<G::State>() <= SMALL_STATE } {
        game.observe(state, viewer, out);
    } else {
        isa.call(Observe { game, state, viewer, out });
    }
}

/// [`observe`] outside of kernels, with the instructions of this machine.
#[inline(always)]
pub(crate) fn observe_of_machine<G: Game>(game: &G, state: &G::State, viewer: Player, out: &mut [u8]) {
    if const { size_of::<G::State>() <= SMALL_STATE } {
        game.observe(state, viewer, out);
    } else {
        dispatch(Level::detect(), Observe { game, state, viewer, out });
    }
}

/// The arguments of [`Game::observe`].
struct Observe<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    viewer: Player,
    out: &'a mut [u8],
}

impl<G: Game> Kernel for Observe<'_, G> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        self.game.observe(self.state, self.viewer, self.out);
    }
}

/// States up to this size can stay in registers. A copy of Goofspiel's, which is larger, made its default search take 1.5 times as long.
const IN_REGISTERS: usize = 64;

/// [`Game::greedy`] with the instructions of a kernel, shared in the same way: a greedy agent looks at all legal actions, so that a call costs
/// little beside it.
#[inline(always)]
pub(crate) fn greedy<G: Game>(
    isa: impl Isa,
    game: &G,
    state: &G::State,
    player: Player,
    rng: &mut Rng,
) -> Action {
    if const { size_of::<G::State>() <= SMALL_STATE } {
        if const { size_of::<G::State>() > IN_REGISTERS } {
            return game.greedy(state, player, rng);
        }
        // Copies: a state and a generator behind references that a function gets could not stay in registers.
        let (state, mut draws) = (*state, *rng);
        let chosen = game.greedy(&state, player, &mut draws);
        *rng = draws;
        chosen
    } else {
        isa.call(Greedy { game, state, player, rng })
    }
}

/// [`greedy`] outside of kernels, with the instructions of this machine.
#[inline(always)]
pub(crate) fn greedy_of_machine<G: Game>(
    game: &G,
    state: &G::State,
    player: Player,
    rng: &mut Rng,
) -> Action {
    if const { size_of::<G::State>() <= SMALL_STATE } {
        game.greedy(state, player, rng)
    } else {
        dispatch(Level::detect(), Greedy { game, state, player, rng })
    }
}

/// The arguments of [`Game::greedy`].
struct Greedy<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    player: Player,
    rng: &'a mut Rng,
}

impl<G: Game> Kernel for Greedy<'_, G> {
    type Out = Action;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> Action {
        self.game.greedy(self.state, self.player, self.rng)
    }
}
