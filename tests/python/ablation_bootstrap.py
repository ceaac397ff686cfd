"""What the bootstrap of playmat/train/ppo.py is worth, against the value of every player's observation
after the last step: `python tests/python/ablation_bootstrap.py connect_four --total-decisions 2000000`.

Trains with both for the same number of decisions, with seeds 1 to 3, and prints the results of the
final evaluation against the greedy bot, the explained variance of the last update and the largest
value loss of any.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from playmat.train.config import add_arguments, given, preset
from playmat.train.ppo import PPO
from playmat.train.trainer import Trainer


class EveryObservation(PPO):
    """Bootstraps from the network's value of what each player observes, whether it acts or not, and
    learns from all decisions.
    """

    def bootstrap(self, reward: NDArray[np.float32]) -> tuple[NDArray[Any], ...]:
        self.trainable[:] = self.by_policy
        obs = self.venv.observe_all()
        flat = self.tensor(obs.reshape(-1, obs.shape[-1]))
        with torch.no_grad():
            _, value = self.network(flat, flat.new_ones(1, 1, dtype=torch.bool))
        return self.truncated, value.view(obs.shape[:2]).cpu().numpy(), np.zeros_like(reward)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    add_arguments(parser, without=["seed"])
    arguments = parser.parse_args()
    fixed = {"minutes": 0, "eval_minutes": 0, "opponents": "greedy", "torch_threads": 1}
    print("| bootstrap | seed | against greedy | explained variance | largest value loss |")
    print("|---|---|---|---|---|")
    for seed in (1, 2, 3):
        for algorithm in (PPO, EveryObservation):
            config = preset(arguments.game, **{**fixed, **given(arguments), "seed": seed})
            trainer = Trainer(arguments.game, {}, config, algorithm=algorithm)
            (result,) = trainer.run().values()
            explained = trainer.ppo.metrics["losses/explained_variance"]
            largest = max(h.get("losses/value_loss", 0.0) for h in trainer.history)
            name = "last decision" if algorithm is PPO else "every observation"
            print(
                f"| {name} | {seed} | {result.measured} | {explained:.3f} | {largest:.3g} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
