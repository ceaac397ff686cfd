"""Imitation of an agent, the expert, for :class:`playmat.train.ppo.PPO`.

For the first `imitation_fraction` of a run :meth:`Imitation.learn` takes the place of PPO's
gradient steps: cross-entropy to the expert's actions, and the value loss. At first the expert plays
all decisions of a rollout (behaviour cloning); its share falls linearly to `expert_share`, by
default 0, so that the policy learns what the expert would do where its own play leads (DAgger).
Afterwards the same cross-entropy, times `imitation_coef` annealed to 0, is an auxiliary loss beside
PPO's.

With a search as the expert that uses the network itself (``expert="mcts:64,policy=self"``), this is
expert iteration: the search improves the policy, and the policy learns to choose as the search.
With ``expert_target="visits"`` it learns the distribution of the search's visits instead.
``expert="mcts:64,policy=self,rollout=greedy"`` searches with the network's policy alone: the greedy
agent plays the simulations to their end, for the returns that the game pays.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

import playmat
from playmat.agents import refusal_of
from playmat.errors import invalid
from playmat.train.config import TrainConfig
from playmat.train.environments import reward_scale
from playmat.train.evaluate import draw
from playmat.train.export import export
from playmat.train.named import agent_of, of_engine

if TYPE_CHECKING:
    from playmat.train.encoders.network import Network
    from playmat.train.ppo import PPO
    from playmat.train.rollout import Shard

#: The option of a search that stands for the network that is being trained.
SELF = "policy=self"


class Imitation:
    """Metrics: `imitation/loss` while imitation lasts, `imitation/auxiliary_loss` afterwards, both
    before coefficients.
    """

    def __init__(self, game: playmat.Game, config: TrainConfig) -> None:
        self.config = config
        kind, *options = config.expert.split(",")
        #: Whether the expert searches with the network that is being trained.
        self.is_self = SELF in options
        spec = ",".join([kind, *(option for option in options if option != SELF)])
        if of_engine(config.expert) and (reason := refusal_of(spec, game)):
            if any(option.startswith("policy=") for option in options):
                reason += f"; `{SELF}` is the network that is being trained"
            raise invalid("expert", reason)
        if self.is_self and not kind.startswith("mcts:"):
            raise invalid("expert", f"got `{config.expert}`; `{SELF}` is an option of `mcts:...`")
        #: With the network itself as of the rollout that is played.
        self.expert = agent_of(spec, game, "expert")
        self.scale: float | None = None

    @staticmethod
    def wanted(config: TrainConfig) -> bool:
        """Whether the configuration enables imitation."""
        return config.imitation_fraction > 0 or config.imitation_coef > 0

    @staticmethod
    def learns_visits(config: TrainConfig) -> bool:
        """Whether the target is the distribution of the visits of the expert's search."""
        return config.expert_target == "visits" and Imitation.wanted(config)

    def is_running(self, progress: float) -> bool:
        """Whether imitation takes the place of PPO's gradient steps."""
        return progress < self.config.imitation_fraction

    def needs_expert(self, progress: float) -> bool:
        """Whether a rollout asks the expert."""
        return self.is_running(progress) or self.config.imitation_coef > 0

    def begin(self, shard: Shard, network: Network, progress: float) -> None:
        """Before a rollout: makes the expert that searches with the network as it is now."""
        if not self.needs_expert(progress) or not self.is_self:
            return
        game, config = shard.game, self.config
        self.scale = self.scale or reward_scale(game, config)
        with tempfile.TemporaryDirectory(prefix="playmat") as folder:
            file = Path(folder) / "self.onnx"
            export(
                network, game, file, reward_scale=self.scale, relative=config.relative,
                win_bonus=config.win_bonus,
            )  # fmt: skip
            self.expert = game.agent(config.expert.replace(SELF, f"policy={file}"))

    def collect(self, shard: Shard, t: int, progress: float) -> NDArray[np.int64]:
        """Computes the expert's actions of step t. During imitation these become the step's
        actions to learn.

        Returns:
            The actions to play: the policy's or, in a share of the environments, the expert's or
            random ones.
        """
        policy: NDArray[np.int64] = shard.action[t]
        if not self.needs_expert(progress):
            return policy
        own = shard.by_policy[t]  # nothing is learned from the others
        self.expert.act_batch(shard.venv, out=shard.expert[t], mask=own)
        if self.learns_visits(self.config):
            visits = self.expert.statistics_batch(shard.venv).visits
            total = visits.sum(1, keepdims=True)
            # A single legal action is not searched.
            chosen = shard.expert[t][:, None] == np.arange(visits.shape[1])
            shard.expert_visits[t] = np.where(total > 0, visits / np.maximum(total, 1), chosen)
        if not self.is_running(progress):
            return policy
        last = self.config.expert_share
        share = 1 - (1 - last) * progress / self.config.imitation_fraction
        by_expert = torch.rand(len(policy), generator=shard.generator).numpy() < share
        by_expert &= own
        played: NDArray[np.int64] = np.where(by_expert, shard.expert[t], policy)
        if chance := self.config.imitation_random:
            at_random = torch.rand(len(policy), generator=shard.generator).numpy() < chance
            at_random &= own
            legal = torch.from_numpy(shard.mask[t]).float()
            played = np.where(at_random, draw(legal, shard.generator).numpy(), played)
        np.copyto(policy, shard.expert[t], where=own)
        return played

    def learn(self, ppo: PPO) -> dict[str, list[float]]:
        """Gradient steps on the rollout; returns what each of them measured."""
        if (bonus := ppo.network.bonus) is None:
            return self.descend(ppo)
        # There is no bonus yet. Its gradients of 0 would count as steps of Adam: the first others
        # would then make steps that are several times too large.
        bonus.requires_grad_(False)
        try:
            return self.descend(ppo)
        finally:
            bonus.requires_grad_(True)

    def descend(self, ppo: PPO) -> dict[str, list[float]]:
        """The gradient steps of :meth:`learn`."""
        config = self.config
        inputs = [ppo.flat(array) for array in ppo.inputs(ppo.network)]
        returns = ppo.flat(ppo.returns)
        count = config.imitation_num_minibatches or config.num_minibatches
        found: dict[str, list[float]] = defaultdict(list)
        for _ in range(config.update_epochs):
            for i in ppo.minibatches(ppo.by_policy, count):
                logits, value = ppo.network(*(array.index_select(0, i) for array in inputs))
                log_probs = logits.log_softmax(1)
                loss = self.cross_entropy(ppo, log_probs, i)
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

    def cross_entropy(self, ppo: PPO, log_probs: Tensor, indices: Tensor) -> Tensor:
        """The mean cross-entropy of the policy to what is learned of the expert."""
        if self.learns_visits(self.config):
            return -(ppo.flat(ppo.expert_visits)[indices] * log_probs).sum(1).mean()
        return -log_probs.gather(1, ppo.flat(ppo.expert)[indices, None]).mean()

    def loss(
        self, ppo: PPO, log_probs: Tensor, indices: Tensor, left: float,
        found: dict[str, list[float]],
    ) -> Tensor | float:  # fmt: skip
        """The auxiliary loss of a minibatch of PPO's; ``left`` is the share of the run that is
        left. Notes its metric in ``found``.
        """
        if not self.config.imitation_coef:
            return 0.0
        loss = self.cross_entropy(ppo, log_probs, indices)
        found["imitation/auxiliary_loss"].append(float(loss.detach()))
        return self.config.imitation_coef * left * loss
