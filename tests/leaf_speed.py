"""Leaves per second of searches whose network stands outside (``game.search``): `python tests/leaf_speed.py [GAME ...]`.

Processor time on one thread, the best of five rounds. The network costs nothing: its logits and values are zeros that were made before. So the
numbers are what the engine adds to the time of a network. A round is one search of every environment from the deal, 64 simulations each, with
one leaf and with eight leaves of a search at once.
"""

from __future__ import annotations

import sys
import time

import numpy as np

import playmat

ENVS, ROUNDS = 256, 5


def measure(name: str, leaves: int) -> tuple[float, float]:
    """Leaves per second, and mean number of leaves of a batch."""
    game = playmat.Game(name)
    venv = game.vec_env(ENVS)
    venv.reset(seed=1)
    search = game.search("mcts:64", rows=ENVS, leaves=leaves)
    # A leaf takes a row for every player whose value the search needs.
    most = ENVS * leaves * game.num_players
    logits = np.zeros((most, game.num_actions), np.float32)
    values = np.zeros(most, np.float32)
    best, size = 0.0, 0.0
    for _ in range(ROUNDS):
        rows = batches = 0
        begun = time.process_time()
        search.start(venv, keep=False)
        while count := len(search.collect()):
            rows, batches = rows + count, batches + 1
            search.feed(logits[:count], values[:count])
        best, size = max(best, rows / (time.process_time() - begun)), rows / batches
    return best, size


def main() -> None:
    print("| game | leaves=1 | rows of a batch | leaves=8 | rows of a batch |")
    print("|---|---:|---:|---:|---:|")
    for name in sys.argv[1:] or playmat.games():
        cells = [
            f"{rate:,.0f} | {size:,.0f}"
            for rate, size in (measure(name, leaves) for leaves in (1, 8))
        ]
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
