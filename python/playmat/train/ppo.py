"""Proximal policy optimization in self-play, for any game: advantages, losses and gradient steps
with CleanRL's names. Copy the file to change them; ``python ppo.py leduc_poker`` trains.

One network plays all players. A rollout is `num_steps` steps of `num_envs` environments in the turn
view: each step is one decision of one player, and the engine writes it into the arrays [T, N] of
:class:`PPO` in place (:meth:`playmat.train.rollout.Shard.play`). The decisions of one player in one
episode are a trajectory of their own: :func:`playmat.gae` adds up what the player earns from one
decision to the next, whoever acts in between, so `gamma` counts per decision of the same player.

The bootstrap. CleanRL bootstraps from the value of the observation after the last step. Here only
one player has a decision there; observations of the others are of a kind that the network never
learns a value of. So each player's last decision of a rollout is what CleanRL's `next_obs` is: its
value is the bootstrap of the decision before it, and it is not learned from (P of T decisions of an
environment are lost). The same holds where `max_steps` truncates an episode. A limit that belongs
to the game's rules terminates the episode: no value follows. :meth:`PPO.bootstrap` does this.
``tests/python/ablation_bootstrap.py`` compares it with the value of every player's observation
after the last step, over three seeds: agents are as strong, at less cost.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

import playmat
from playmat.train.config import TrainConfig, add_arguments, given, preset
from playmat.train.encoders.network import Network, build
from playmat.train.environments import reward_scale
from playmat.train.imitation import Imitation
from playmat.train.league import League
from playmat.train.muon import Muon, hidden
from playmat.train.rollout import Arrays, Shard


class PPO(Arrays):
    """``ppo = PPO(game, build(game, config), config)``, then :meth:`update` until it is enough."""

    threads = 1  # that use the network at once

    def __init__(self, game: playmat.Game, network: Network, config: TrainConfig) -> None:
        self.game, self.network, self.config = game, network, config
        self.device = network.device
        inner = hidden(network) if config.muon_learning_rate else []
        self.muon = Muon(inner, config.muon_learning_rate) if inner else None
        rest = [p for p in network.parameters() if all(p is not weight for weight in inner)]
        self.optimizer = torch.optim.Adam(rest, lr=config.learning_rate, eps=1e-5, fused=True)
        # On the CPU, so that a checkpoint of one device loads on the other.
        self.generator = torch.Generator().manual_seed(config.seed)
        self.imitation = Imitation(game, config) if Imitation.wanted(config) else None
        self.league = League(game, config) if config.league else None
        self.reward_scale = reward_scale(game, config)
        # Whether a limit that is no rule of the game truncates episodes.
        self.truncates = game.info()["max_steps"] > 0
        t, n, players = config.num_steps, config.num_envs, game.num_players
        if t <= players:
            message = f"got {t}; above {players}, the number of players, so that players act twice"
            raise playmat.errors.invalid("num_steps", message)
        super().__init__(game, config, n)
        self.advantage = np.zeros((t, n), np.float32)
        self.returns = np.zeros((t, n), np.float32)
        # Whether a decision is learned from.
        self.trainable = np.ones((t, n), np.bool_)
        self.decisions = self.updates = 0
        #: The share of the run that was done when the rollout began.
        self.played_at = 0.0
        self.metrics: dict[str, float] = {}
        #: Wall time by what it was spent on, in seconds.
        names = ("environment", "inference", "transfer", "learning", "evaluation")
        self.seconds = dict.fromkeys(names, 0.0)
        self.deadline = math.inf
        self.open()

    def open(self) -> None:
        """Makes the shards of the environments, in this process."""
        config = self.config
        self.shards = [Shard(self.game, config, i, self) for i in range(config.num_shards)]

    def update(self, progress: float, deadline: float = math.inf) -> bool:
        """One rollout and the gradient steps on it. ``progress``, 0 to 1, is the share of the run
        that is done; ``deadline`` is on the clock of ``time.perf_counter``.

        Returns:
            False if the deadline came before the rollout was complete. Nothing is learned or
            counted then. After a later deadline, the gradient steps taken so far count.
        """
        config, left = self.config, 1 - progress
        self.metrics, self.deadline = {}, deadline
        share = left**config.anneal_power if config.anneal_lr else 1
        rate = config.learning_rate * share
        self.optimizer.param_groups[0]["lr"] = self.metrics["charts/learning_rate"] = rate
        if self.muon is not None:
            muon_rate = config.muon_learning_rate * share
            self.muon.set_learning_rate(muon_rate)
            self.metrics["charts/muon_learning_rate"] = muon_rate
        if not self.rollout(progress):
            return False
        with self.clock("learning"):
            self.estimate()
            if self.imitation is not None and self.imitation.is_running(self.played_at):
                found = self.imitation.learn(self)
            else:
                found = self.learn(left)
        self.decisions += self.action.size
        self.updates += 1
        if self.league is not None:
            self.metrics |= self.league.end_update(self.network, self.updates)
        self.metrics |= {name: float(np.mean(values)) for name, values in found.items() if values}
        if self.trainable.any() and (spread := np.var(self.returns[self.trainable])) > 0:
            unexplained = np.var((self.returns - self.value)[self.trainable])
            self.metrics["losses/explained_variance"] = float(1 - unexplained / spread)
        return True

    def rollout(self, progress: float) -> bool:
        """Fills the arrays; False if the deadline came before that."""
        self.played_at, played = progress, []
        snapshot = self.league.snapshot() if self.league is not None else None
        for shard in self.shards:
            played.append(shard.play(self.network, progress, self.deadline, snapshot))
            for name, seconds in shard.seconds.items():
                self.seconds[name] += seconds
        return self.note(played)

    def note(self, played: Sequence[Mapping[str, list[float]] | None]) -> bool:
        """Notes the metrics of what the shards played; False if one was not complete."""
        if self.league is not None:
            self.metrics |= self.league.note(played)
        names = {name for episodes in played if episodes for name in episodes}
        for name in sorted(name for name in names if name.startswith("charts/")):
            values = [episodes[name] for episodes in played if episodes and name in episodes]
            self.metrics[name] = float(np.mean(np.concatenate(values)))
        return None not in played

    def close(self) -> None:
        """Ends what plays the rollouts."""

    def shard_states(self) -> list[dict[str, Any]]:
        """The state of each shard on which the next rollout depends, besides the network."""
        return [shard.state() for shard in self.shards]

    def load_shards(self, states: Sequence[Mapping[str, Any]]) -> None:
        """Continues from :meth:`shard_states`."""
        for shard, state in zip(self.shards, states, strict=True):
            shard.load(state)

    def estimate(self) -> None:
        """Advantages and returns of the rollout, by player."""
        config, reward = self.config, self.reward
        if config.relative and self.game.num_players > 1:
            others = reward.sum(2, keepdims=True) - reward
            reward = reward - others / (self.game.num_players - 1)
        reward = reward * np.float32(self.reward_scale)
        if not self.truncates:
            # Otherwise a position in which nothing happens any more could be worth anything, as its
            # value would follow from itself (agents learned to wait for the game's limit).
            self.terminated |= self.truncated
            self.truncated[:] = False
        if config.win_bonus:
            reward[self.terminated] += config.win_bonus * self.place[self.terminated]
        truncated, next_value, final_value = self.bootstrap(reward)
        playmat.gae(
            reward, self.value, self.player[:-1], self.terminated, truncated, next_value,
            final_value=final_value, gamma=config.gamma, gae_lambda=config.gae_lambda,
            out=(self.advantage, self.returns),
        )  # fmt: skip

    def bootstrap(self, reward: NDArray[np.float32]) -> tuple[NDArray[Any], ...]:
        """Where trajectories end without termination, and the values that follow there: `truncated`
        [T, N], `next_value` [N, P] and `final_value` [T, N, P] of :func:`playmat.gae`.

        Takes the end of the rollout as a truncation. A player's last decision before a truncation
        leaves :attr:`trainable`, and the value that follows it is chosen so that its advantage is
        0: then its own value is the bootstrap of the decision before it.
        """
        steps, envs, players = reward.shape
        truncated = self.truncated.copy()
        truncated[-1] |= ~self.terminated[-1]
        final_value = np.zeros((steps, envs, players), np.float32)
        self.trainable[:] = self.by_policy
        every = np.arange(envs)
        # Going backwards, by player: whether the last decision before a truncation is still to
        # come, and what was earned since that decision. By environment: where the truncation is.
        is_open = np.zeros((envs, players), np.bool_)
        earned = np.zeros((envs, players), np.float32)
        end = np.zeros(envs, np.int64)
        for t in reversed(range(steps)):
            over = self.terminated[t] | truncated[t]
            is_open[over] = ~self.terminated[t, over, None]
            earned[over], end[over] = 0, t
            earned += reward[t]
            env = np.flatnonzero(is_open[every, self.player[t]])
            who = self.player[t, env]
            worth = (self.value[t, env] - earned[env, who]) / (self.config.gamma or 1.0)
            final_value[end[env], env, who] = worth
            self.trainable[t, env] = is_open[env, who] = False
        return truncated, np.zeros((envs, players), np.float32), final_value

    def learn(self, left: float) -> dict[str, list[float]]:
        """Gradient steps on the rollout; ``left`` is the share of the run that is left. Returns
        what each gradient step measured, of `losses/approx_kl` the last epoch.
        """
        config = self.config
        ent_coef = config.ent_coef * (config.final_ent_share + (1 - config.final_ent_share) * left)
        inputs = [self.flat(array) for array in self.inputs(self.network)]
        action, returns = self.flat(self.action), self.flat(self.returns)
        old_log_prob, advantage = self.flat(self.log_prob), self.flat(self.advantage)
        chosen = self.trainable
        if config.learn_fraction < 1 and chosen.any():
            size = np.abs(self.advantage)
            chosen = chosen & (size >= np.quantile(size[chosen], 1 - config.learn_fraction))
        found: dict[str, list[float]] = defaultdict(list)
        for _ in range(config.update_epochs):
            found["losses/approx_kl"] = []
            for i in self.minibatches(chosen, config.num_minibatches):
                logits, value = self.network(*(array.index_select(0, i) for array in inputs))
                log_probs = logits.log_softmax(1)
                # Not exp(log_probs): exp is slow where it underflows, at illegal actions.
                entropy = -(logits.softmax(1) * log_probs).sum(1).mean()
                log_ratio = log_probs.gather(1, action[i, None]).squeeze(1) - old_log_prob[i]
                ratio = log_ratio.exp()
                gain = advantage[i]
                if config.norm_adv:
                    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                clipped = ratio.clamp(1 - config.clip_coef, 1 + config.clip_coef)
                policy_loss = -torch.min(gain * ratio, gain * clipped).mean()
                value_loss = 0.5 * (value - returns[i]).square().mean()
                loss = policy_loss - ent_coef * entropy + config.vf_coef * value_loss
                if self.imitation is not None:
                    loss = loss + self.imitation.loss(self, log_probs, i, left, found)
                self.descend(loss)
                outside = ((ratio - 1).abs() > config.clip_coef).float()
                for name, number in (
                    ("policy_loss", policy_loss), ("value_loss", value_loss), ("entropy", entropy),
                    ("approx_kl", (ratio - 1 - log_ratio).mean()),
                    ("old_approx_kl", -log_ratio.mean()), ("clipfrac", outside.mean()),
                ):  # fmt: skip
                    found[f"losses/{name}"].append(float(number.detach()))
            kl = found["losses/approx_kl"]
            if self.is_time_up() or (config.target_kl and kl and np.mean(kl) > config.target_kl):
                break
        return found

    def tensor(self, array: NDArray[Any]) -> Tensor:
        """The array on the network's device; no copy on the CPU."""
        return torch.from_numpy(array).to(self.device)

    def flat(self, array: NDArray[Any]) -> Tensor:
        """An array [T, N, ...] of the rollout as a tensor with one row per decision."""
        return self.tensor(array).flatten(0, 1)

    def minibatches(self, of: NDArray[np.bool_], count: int) -> Iterator[Tensor]:
        """One epoch, to its end or the deadline: indices of the decisions marked in ``of``, in
        random order, in minibatches of T N / count; an incomplete last one is left out.
        """
        where = torch.from_numpy(np.flatnonzero(of))
        where = where[torch.randperm(len(where), generator=self.generator)].to(self.device)
        size = max(1, min(of.size // count, len(where)))
        for start in range(0, len(where) - size + 1, size):
            yield where[start : start + size]
            if self.is_time_up():
                return

    def descend(self, loss: Tensor) -> None:
        """One gradient step."""
        self.network.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.network.parameters(), self.config.max_grad_norm)
        self.optimizer.step()
        if self.muon is not None:
            self.muon.step()

    def is_time_up(self) -> bool:
        """Whether the deadline of this update has come."""
        return time.perf_counter() >= self.deadline


def main() -> None:
    """Trains for `total_decisions` and prints the metrics of every update."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("game")
    add_arguments(parser)
    arguments = parser.parse_args()
    config = preset(arguments.game, **{"total_decisions": 1_000_000, **given(arguments)})
    game = playmat.Game(arguments.game, **({"reward": config.reward} if config.reward else {}))
    ppo = PPO(game, build(game, config), config)
    while ppo.decisions < config.total_decisions:
        ppo.update(ppo.decisions / config.total_decisions)
        print(ppo.decisions, {name: round(value, 4) for name, value in ppo.metrics.items()})


if __name__ == "__main__":
    main()
