"""Chance (section "Chance" of the rules page): random, or scripted."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from .sheet import DESOLATION, TERRAINS


class Chance(Protocol):
    """Supplier of chance outcomes.

    ``draw`` is called in the order of the rules page with ``what`` one of "terrain" (0..7),
    "desolation" (1..12), "first", "second" (kind indices), "die" (1..12); ``choices`` lists what
    is possible, with repetitions for copies.  Each element of the list is equally likely.
    """

    def draw(self, what: str, choices: Sequence[int]) -> int:
        """One outcome out of ``choices``."""
        ...


@dataclass
class RandomChance:
    """Uniform chance; ``log`` collects (what, outcome) so that it can be replayed."""

    rng: random.Random
    log: list[tuple[str, int]] = field(default_factory=list)

    def draw(self, what: str, choices: Sequence[int]) -> int:
        """A uniform element of ``choices``."""
        outcome = self.rng.choice(choices)
        self.log.append((what, outcome))
        return outcome


class ScriptedChance:
    """Replays given outcomes, each an int or a pair (what, int); refuses impossible ones."""

    def __init__(self, outcomes: Iterable[int | tuple[str, int]] = ()) -> None:
        self.queue: deque[int | tuple[str, int]] = deque(outcomes)

    @staticmethod
    def rounds(
        rounds: Iterable[tuple[int | str, Sequence[int], int | None]],
    ) -> ScriptedChance:
        """From whole rounds (terrain number or letter, pair of kind indices or (), number)."""
        script: list[int | tuple[str, int]] = []
        for terrain, pair, number in rounds:
            code = TERRAINS.index(terrain) if isinstance(terrain, str) else terrain
            script.append(("terrain", code))
            if pair:
                script.append(("first", pair[0]))
                script.append(("second", pair[1]))
            if number is not None:
                script.append(("desolation" if TERRAINS[code] == DESOLATION else "die", number))
        return ScriptedChance(script)

    def draw(self, what: str, choices: Sequence[int]) -> int:
        """The next outcome of the script."""
        if not self.queue:
            raise LookupError(f"the script has ended, but {what} is needed")
        item = self.queue.popleft()
        name, outcome = item if isinstance(item, tuple) else (what, item)
        if name != what:
            raise ValueError(f"the script gives {name}, but {what} is needed")
        if outcome not in choices:
            raise ValueError(f"{what} {outcome} is impossible, only {sorted(set(choices))}")
        return outcome


def random_chance(rng: random.Random) -> RandomChance:
    """Chance from a random generator."""
    return RandomChance(rng)
