"""Chance (section "Chance" of the rules page), as it fell elsewhere."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence


class ScriptedChance:
    """Replays given outcomes, each with its name; refuses impossible ones."""

    def __init__(self, outcomes: Iterable[tuple[str, int]]) -> None:
        self.queue: deque[tuple[str, int]] = deque(outcomes)

    def draw(self, what: str, choices: Sequence[int]) -> int:
        """The next outcome of the script.

        Called in the order of the rules page with ``what`` one of "terrain" (0..7), "desolation"
        (1..12), "first", "second" (kind indices), "die" (1..12); ``choices`` lists what is possible.
        """
        if not self.queue:
            raise LookupError(f"the script has ended, but {what} is needed")
        name, outcome = self.queue.popleft()
        if name != what:
            raise ValueError(f"the script gives {name}, but {what} is needed")
        if outcome not in choices:
            raise ValueError(f"{what} {outcome} is impossible, only {sorted(set(choices))}")
        return outcome
