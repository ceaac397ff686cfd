"""Positions per second of `playmat.States` beside an `Env` for each: `python tests/states_speed.py [GAME ...]`.

Processor time, one thread, the best of five rounds: copies of a batch of 1,024 positions, determinizations for the current players, and a batch
that continues from them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import playmat

ENVS = 1024
ROUNDS = 5


def rate(call: Callable[[], Any]) -> float:
    times = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        call()
        times.append(time.process_time() - begun)
    return ENVS / min(times)


def measure(name: str) -> list[float]:
    venv = playmat.Game(name).vec_env(ENVS)
    venv.reset(seed=1)
    for _ in range(3):
        venv.step(venv.sample_actions())
    states = venv.states()
    samples = states.sample_hidden(seed=1)
    envs = [venv.state(env) for env in range(ENVS)]
    sampled = [env.sample_hidden(env.current_player, 1) for env in envs]
    return [
        rate(venv.states),
        rate(lambda: [venv.state(env) for env in range(ENVS)]),
        rate(lambda: states.sample_hidden(seed=1)),
        rate(lambda: [env.sample_hidden(env.current_player, 1) for env in envs]),
        rate(lambda: venv.reset(states=samples)),
        rate(lambda: venv.reset(states=sampled)),
    ]


def main() -> None:
    print("| game | states() | state(i) | sample_hidden | Env's | reset | from Envs |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name in sys.argv[1:] or playmat.games():
        numbers = " | ".join(f"{number / 1e6:.2f}" for number in measure(name))
        print(f"| {name} | {numbers} |")
    print("\nMillion positions per second.")


if __name__ == "__main__":
    main()
