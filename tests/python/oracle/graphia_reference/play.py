"""Whole random games."""

from __future__ import annotations

import random
from dataclasses import dataclass

from .chance import random_chance
from .content import Options
from .position import Position


@dataclass
class GameRecord:
    """A finished random game."""

    final: Position
    chance_log: list[tuple[str, int]]
    actions: list[tuple[int, int]]
    """(player, action) in the order applied."""
    decisions: list[int]
    """Number of decisions by player."""
    steps: int
    """Number of simultaneous steps (phases in which somebody decided)."""
    delta_sums: list[int]
    """Sum of score_delta by player."""


def play_random(
    players: int, seed: int, options: Options | None = None, *, turn_order: bool = True
) -> GameRecord:
    """Play one game with uniformly random legal actions.

    ``options`` overrides ``players``.  With ``turn_order`` players decide in order (the turn
    view), otherwise in random order within a phase.
    """
    options = options or Options(players=players)
    rng = random.Random(seed)
    chance = random_chance(rng)
    position = Position.new(options, chance)
    record = GameRecord(position, chance.log, [], [0] * options.players, 0, [0] * options.players)
    for player in range(options.players):
        record.delta_sums[player] += position.last_delta[player]
    while not position.is_over:
        acting = position.acting()
        record.steps += 1
        if not turn_order:
            rng.shuffle(acting)
        for player in acting:
            action = rng.choice(position.legal_actions(player))
            position.apply(player, action, chance)
            record.actions.append((player, action))
            record.decisions[player] += 1
            for other in range(options.players):
                record.delta_sums[other] += position.last_delta[other]
    return record
