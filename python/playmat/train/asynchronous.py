"""Rollouts played in a thread while the network learns, for ``playmat train --async``.

Update k learns from a rollout that was played by the weights after update k - 2, while update
k - 1 took its gradient steps: the policy that plays is one update old. PPO's ratio of probabilities
corrects for that. What a rollout plays depends on weights and environments, never on the clock, so
a run can be repeated bit by bit, and resumed. :mod:`playmat.train.workers` does the same with
processes of Ray.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from playmat.train.encoders.network import Network, placed
from playmat.train.league import LeagueSnapshot
from playmat.train.ppo import PPO
from playmat.train.rollout import AHEAD, Arrays, Shard

#: What the shards of a rollout return, see :meth:`playmat.train.rollout.Shard.play`.
Played = list[dict[str, list[float]] | None]


@dataclass(frozen=True)
class Ahead:
    """The state from which a rollout begins that is played while the network learns."""

    #: The share of the run that was done.
    progress: float
    #: Weights by name.
    weights: Mapping[str, Tensor]
    snapshot: LeagueSnapshot | None
    #: By shard.
    shards: Sequence[Mapping[str, Tensor]]


class AsyncPPO(PPO):
    """PPO whose next rollout is played in a second thread during the gradient steps. Call
    :meth:`close` at the end.
    """

    threads = 2

    def open(self) -> None:
        """Makes the shards, which play into arrays of their own, and the thread."""
        config = self.config
        self.played = Arrays(self.game, config, config.num_envs)
        shards = range(config.num_shards)
        self.shards = [Shard(self.game, config, i, self.played) for i in shards]
        self.player_network = placed(Network(self.game, config), self.device).requires_grad_(False)
        self.thread = ThreadPoolExecutor(1, "playmat-rollout")
        self.ahead: Ahead | None = None
        #: None: it is not being played yet.
        self.future: Future[Played] | None = None

    def rollout(self, progress: float) -> bool:
        """Takes over the rollout that was played meanwhile, and begins the next one."""
        ahead = self.ahead or self.from_now(progress)
        future = self.future or self.begin(ahead)
        try:
            played = future.result()
        except Exception:
            self.load_shards(ahead.shards)
            self.ahead = ahead  # the next call plays it again
            raise
        for shard in self.shards:
            for name, seconds in shard.seconds.items():
                self.seconds[name] += seconds
        self.ahead, self.future, self.played_at = None, None, ahead.progress
        for name in Arrays.NAMES:
            getattr(self, name)[...] = getattr(self.played, name)
        if self.league is not None and ahead.snapshot is not None:
            selves = [update for update, _ in ahead.snapshot.selves]
            played = [episodes and self.league.known(episodes, selves) for episodes in played]
        complete = self.note(played)
        most = self.config.total_decisions
        if complete and not 0 < most <= self.decisions + self.action.size:
            self.begin(self.from_now(progress))
        return complete

    def from_now(self, progress: float) -> Ahead:
        """The rollout that begins with what there is now."""
        weights = {name: part.detach().clone() for name, part in self.network.state_dict().items()}
        snapshot = self.league.snapshot() if self.league is not None else None
        return Ahead(progress, weights, snapshot, [shard.state() for shard in self.shards])

    def begin(self, ahead: Ahead) -> Future[Played]:
        """Has the thread play a rollout."""
        self.player_network.load_state_dict(ahead.weights)
        self.ahead = ahead
        self.future = self.thread.submit(self.play, ahead.progress, ahead.snapshot, self.deadline)
        return self.future

    def play(self, progress: float, snapshot: LeagueSnapshot | None, deadline: float) -> Played:
        """Plays the rollout of every shard, in the thread."""
        network = self.player_network
        return [shard.play(network, progress, deadline, snapshot) for shard in self.shards]

    def shard_states(self) -> list[dict[str, Any]]:
        """See :meth:`PPO.shard_states`: what the rollout that is played ahead began from. The first
        shard has its weights, too.
        """
        if self.ahead is None:
            return super().shard_states()
        ahead = {"progress": self.ahead.progress, "weights": dict(self.ahead.weights)}
        if (snapshot := self.ahead.snapshot) is not None:
            ahead["chances"] = torch.from_numpy(snapshot.chances.copy())
            ahead["selves"] = [[update, dict(weights)] for update, weights in snapshot.selves]
        first, *others = self.ahead.shards
        return [{**first, AHEAD: ahead}, *map(dict, others)]

    def load_shards(self, states: Sequence[Mapping[str, Any]]) -> None:
        """See :meth:`PPO.load_shards`. The rollout that was played ahead is forgotten."""
        if self.future is not None:
            self.future.exception()  # waits for its end
        self.ahead = self.future = None
        super().load_shards(states)
        if (ahead := states[0].get(AHEAD)) is None:
            return
        snapshot = None
        if self.league is not None:
            chances = ahead["chances"].numpy().astype(np.float64)
            if chances.shape != self.league.episodes.shape or not (chances >= 0).all():
                raise ValueError("the league of the rollout ahead does not fit")
            selves = tuple((int(update), dict(weights)) for update, weights in ahead["selves"])
            snapshot = LeagueSnapshot(chances, selves)
        self.player_network.load_state_dict(ahead["weights"])
        if not all(bool(part.isfinite().all()) for part in ahead["weights"].values()):
            raise ValueError("weights of the rollout ahead are not finite numbers")
        own = [{k: v for k, v in state.items() if k != AHEAD} for state in states]
        self.ahead = Ahead(float(ahead["progress"]), dict(ahead["weights"]), snapshot, own)

    def close(self) -> None:
        """Waits for the rollout that is played ahead, and ends the thread."""
        self.thread.shutdown(cancel_futures=True)
