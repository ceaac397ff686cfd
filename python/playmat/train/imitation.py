"""Imitation of the greedy agent, for :class:`playmat.train.ppo.PPO`.

For the first `imitation_fraction` of a run :meth:`Imitation.learn` takes the place of PPO's
gradient steps: cross-entropy to the expert's actions, and the value loss. At first the expert plays
all decisions of a rollout (behaviour cloning); its share falls linearly to 0, so that the policy
learns what the expert would do where the policy's own play leads (DAgger). Afterwards the same
cross-entropy, times `imitation_coef` annealed to 0, is an auxiliary loss beside PPO's.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

import playmat
from playmat.train.config import TrainConfig

if TYPE_CHECKING:
    from playmat.train.ppo import PPO
    from playmat.train.rollout import Shard

#: The agent that is imitated.
EXPERT = "greedy"


class Imitation:
    """Metrics: `imitation/loss` while imitation lasts, `imitation/auxiliary_loss` afterwards, both
    before coefficients.
    """

    def __init__(self, config: TrainConfig) -> None:
        self.config = config
        self.expert: playmat.Agent | None = None

    @staticmethod
    def wanted(config: TrainConfig) -> bool:
        """Whether the configuration enables imitation."""
        return config.imitation_fraction > 0 or config.imitation_coef > 0

    def is_running(self, progress: float) -> bool:
        """Whether imitation takes the place of PPO's gradient steps."""
        return progress < self.config.imitation_fraction

    def collect(self, shard: Shard, t: int, progress: float) -> NDArray[np.int64]:
        """Computes the expert's actions of step t. During imitation these become the step's
        actions to learn.

        Returns:
            The actions to play: the policy's or, in a share of the environments, the expert's.
        """
        policy: NDArray[np.int64] = shard.action[t]
        if not self.is_running(progress) and not self.config.imitation_coef:
            return policy
        self.expert = self.expert or shard.game.agent(EXPERT)
        self.expert.act_batch(shard.venv, out=shard.expert[t])
        if not self.is_running(progress):
            return policy
        share = 1 - progress / self.config.imitation_fraction
        by_expert = torch.rand(len(policy), generator=shard.generator).numpy() < share
        by_expert &= shard.by_policy[t]
        played: NDArray[np.int64] = np.where(by_expert, shard.expert[t], policy)
        shard.action[t] = shard.expert[t]
        return played

    def learn(self, ppo: PPO) -> dict[str, list[float]]:
        """Gradient steps on the rollout; returns what each of them measured."""
        config = self.config
        obs, mask = ppo.flat(ppo.obs[:-1]), ppo.flat(ppo.mask[:-1])
        action, returns = ppo.flat(ppo.action), ppo.flat(ppo.returns)
        count = config.imitation_num_minibatches or config.num_minibatches
        found: dict[str, list[float]] = defaultdict(list)
        for _ in range(config.update_epochs):
            for i in ppo.minibatches(ppo.by_policy, count):
                logits, value = ppo.network(obs[i], mask[i])
                log_probs = logits.log_softmax(1)
                loss = -log_probs.gather(1, action[i, None]).mean()
                value_loss = 0.5 * (value - returns[i]).square().mean()
                ppo.descend(loss + config.vf_coef * value_loss)
                with torch.no_grad():
                    entropy = -(logits.softmax(1) * log_probs).sum(1).mean()
                    found["imitation/loss"].append(float(loss))
                    found["losses/value_loss"].append(float(value_loss))
                    found["losses/entropy"].append(float(entropy))
            if ppo.is_time_up():
                break
        return found

    def loss(
        self, ppo: PPO, log_probs: Tensor, indices: Tensor, left: float,
        found: dict[str, list[float]],
    ) -> Tensor | float:  # fmt: skip
        """The auxiliary loss of a minibatch of PPO's; ``left`` is the share of the run that is
        left. Notes its metric in ``found``.
        """
        if not self.config.imitation_coef:
            return 0.0
        loss = -log_probs.gather(1, ppo.flat(ppo.expert)[indices, None]).mean()
        found["imitation/auxiliary_loss"].append(float(loss.detach()))
        return self.config.imitation_coef * left * loss
