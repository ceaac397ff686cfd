"""Leaves per second of searches whose network stands outside (``game.search``): `python tests/leaf_speed.py [GAME ...]`.

Processor time on one thread, the best of five rounds. The network costs nothing: its logits and values are zeros that were made before. So the
numbers are what the engine adds to the time of a network. A round is one search of every environment from the deal, 64 simulations each, with
one leaf and with eight leaves of a search at once. The last column is the wall time of a round on one thread divided by that on two
(`threads=2`), with one leaf; the median of nine pairs.
"""

from __future__ import annotations

import statistics
import sys
import time

import numpy as np

import playmat

ENVS, ROUNDS = 256, 5


class Searches:
    """Searches of all environments of a batch."""

    def __init__(self, name: str, spec: str, leaves: int) -> None:
        game = playmat.Game(name)
        self.venv = game.vec_env(ENVS)
        self.venv.reset(seed=1)
        self.search = game.search(spec, rows=ENVS, leaves=leaves)
        # A leaf takes a row for every player whose value the search needs.
        most = ENVS * leaves * game.num_players
        self.logits = np.zeros((most, game.num_actions), np.float32)
        self.values = np.zeros(most, np.float32)

    def run(self) -> tuple[int, int]:
        """The numbers of leaves and of batches of a round."""
        rows = batches = 0
        self.search.start(self.venv, keep=False)
        while count := len(self.search.collect()):
            rows, batches = rows + count, batches + 1
            self.search.feed(self.logits[:count], self.values[:count])
        return rows, batches


def measure(name: str, leaves: int) -> tuple[float, float]:
    """Leaves per second, and mean number of leaves of a batch."""
    searches = Searches(name, "mcts:64", leaves)
    best, size = 0.0, 0.0
    for _ in range(ROUNDS):
        begun = time.process_time()
        rows, batches = searches.run()
        best, size = max(best, rows / (time.process_time() - begun)), rows / batches
    return best, size


def two_threads(name: str) -> float:
    """How many times as fast two threads are as one."""
    both = [Searches(name, spec, 1) for spec in ("mcts:64", "mcts:64,threads=2")]
    ratios = []
    for _ in range(12):
        seconds = []
        for searches in both:
            begun = time.perf_counter()
            searches.run()
            seconds.append(time.perf_counter() - begun)
        ratios.append(seconds[0] / seconds[1])
    # At first the trees grow.
    return statistics.median(ratios[3:])


def main() -> None:
    print("| game | leaves=1 | rows of a batch | leaves=8 | rows of a batch | two threads |")
    print("|---|---:|---:|---:|---:|---:|")
    for name in sys.argv[1:] or playmat.games():
        cells = [
            f"{rate:,.0f} | {size:,.0f}"
            for rate, size in (measure(name, leaves) for leaves in (1, 8))
        ]
        print(f"| {name} | {' | '.join(cells)} | {two_threads(name):.2f} |")


if __name__ == "__main__":
    main()
