"""Decisions per second of processor time: the loop with all outputs, and rollouts without any.

``python tests/speed.py [GAME ...]`` measures the version of playmat that is installed: random play,
batches of 1,024 environments on one thread, the best of 30 intervals of 30 ms, in turns. Other work
of the machine makes an interval slower and never faster.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import playmat

ENVS = 1024
INTERVALS = 30
SECONDS = 0.03
# Of a rollout: its last step writes all outputs, as every step of the loop does.
STEPS = 256


def best(plays: list[Callable[[int], None]]) -> list[float]:
    """Seconds of one round of each of `plays`, which play as many rounds as they are given, in turns."""
    clock = time.thread_time
    rounds = []
    for play in plays:
        play(3)
        begun = clock()
        play(5)
        rounds.append(max(1, int(SECONDS / ((clock() - begun) / 5))))
    least = [float("inf")] * len(plays)
    for _ in range(INTERVALS):
        for at, play in enumerate(plays):
            begun = clock()
            play(rounds[at])
            least[at] = min(least[at], (clock() - begun) / rounds[at])
    return least


def measure(name: str) -> tuple[float, float]:
    """Million decisions per second in the loop, and in rollouts."""
    game = playmat.Game(name)
    looped, rolled = game.vec_env(ENVS), game.vec_env(ENVS)
    looped.reset(seed=1)
    rolled.reset(seed=1)

    def loop(rounds: int) -> None:
        for _ in range(rounds):
            looped.step(looped.sample_actions())

    def rollout(rounds: int) -> None:
        for _ in range(rounds):
            rolled.rollout("random", STEPS)

    step, steps = best([loop, rollout])
    return ENVS / step / 1e6, ENVS * STEPS / steps / 1e6


def main(names: list[str]) -> None:
    for name in names or playmat.games():
        loop, rollout = measure(name)
        ratio = rollout / loop
        print(
            f"{name:14} steps {loop:6.2f} M/s, rollout {rollout:6.2f} M/s, {ratio:.2f}", flush=True
        )


if __name__ == "__main__":
    main(sys.argv[1:])
