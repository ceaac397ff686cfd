"""Shared by the tests of playmat.openspiel: which games, and positions of them."""

from __future__ import annotations

import random
from typing import Any

import pyspiel

import playmat.openspiel

KINDS = pyspiel.GameType
SAMPLED = KINDS.ChanceMode.SAMPLED_STOCHASTIC
EXPLICIT = KINDS.ChanceMode.EXPLICIT_STOCHASTIC
DETERMINISTIC = KINDS.ChanceMode.DETERMINISTIC

NAMES = playmat.openspiel.register()
#: Options with which searches play a game: shorter episodes, no simultaneous nodes.
_SEARCHED = {
    "playmat_goofspiel": "(turn_based=true)",
    "playmat_graven": "(max_turns=4)",
    "playmat_rafts": "(max_rounds=2)",
}
#: Games that searches play, and those whose hidden things are sampled.
SEARCHED = [name + _SEARCHED.get(name, "") for name in NAMES]


def load(name: str, **parameters: Any) -> Any:
    return pyspiel.load_game(
        short(name), {**pyspiel.load_game(name).get_parameters(), **parameters}
    )


def short(name: str) -> str:
    return name.partition("(")[0]


def random_state(name: str, decisions: int, seed: int = 1) -> Any:
    """A decision after some random decisions: the same in every run, also where chance is sampled."""
    rng, game = random.Random(seed), pyspiel.load_game(name)
    if game.get_type().chance_mode == SAMPLED:
        game = load(name, rng_seed=seed)
    state = game.new_initial_state()
    while decisions or state.is_chance_node():
        if state.is_chance_node():
            state.apply_action(rng.choice([a for a, _ in state.chance_outcomes()]))
        elif state.is_simultaneous_node():
            players = range(state.num_players())
            state.apply_actions([rng.choice(state.legal_actions(p) or [0]) for p in players])
            decisions -= 1
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            decisions -= 1
    assert not state.is_terminal()
    return state
