"""A league: the agents of `opponents` and past selves of the policy, for
:class:`playmat.train.ppo.PPO`. They play all players but one in the share
`opponent_fraction` of the environments.

Every `league_updates` updates the policy becomes a past self. The league keeps `league` of them; a
new one replaces the one that the policy beats most. Each environment draws an opponent for each
episode, in proportion to the share of points that the policy loses against it, but at least
:data:`LEAST` (prioritized fictitious self-play).

A point is a comparison of the returns of the policy's player and of another player: 1 if the policy
has more, 1/2 if both have as much.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

import playmat
from playmat.errors import invalid
from playmat.train.config import TrainConfig
from playmat.train.environments import names_of, points_of
from playmat.train.ratings import bradley_terry

#: What an opponent's priority is at least, so that no result becomes too old.
LEAST = 0.05
#: Episodes with half of the points, which each estimate of points begins with.
PRIOR_EPISODES = 2.0
#: What earlier results count for after each new past self.
MEMORY = 0.5


@dataclass(frozen=True)
class LeagueSnapshot:
    """The opponents of the league at one time, and how likely each is: what the environments of a
    rollout need. Agents come before past selves.
    """

    #: By opponent, the chance to be drawn; all 0 if there is none yet.
    chances: NDArray[np.float64]
    #: Past selves: the update that each was made after, and its weights by name.
    selves: Sequence[tuple[int, Any]]


class League:
    """The league of a run. Metrics: `league/points_<agent>` and `league/points_past_selves`, the
    policy's share of points in the episodes of an update; `league/rating` with each new past self.
    """

    def __init__(self, game: playmat.Game, config: TrainConfig) -> None:
        if game.num_players == 1:
            raise invalid("league", f"got {config.league}; a game for one player has no opponents")
        self.config, self.agents = config, names_of(config)
        #: Past selves: the update that each was made after, and its weights.
        self.selves: list[tuple[int, Mapping[str, Tensor]]] = []
        size = len(self.agents) + config.league
        #: By opponent, episodes and the policy's points in them; earlier ones count for less.
        self.episodes, self.points = np.zeros(size), np.zeros(size)
        #: Since the newest past self: by name of the opponent, episodes and points.
        self.recent: dict[str, tuple[float, float]] = {}
        #: By past self, the results of the time before it.
        self.record: list[tuple[str, dict[str, tuple[float, float]]]] = []

    @property
    def names(self) -> list[str]:
        """The opponents that there are."""
        return [*self.agents, *(_name(update) for update, _ in self.selves)]

    def priorities(self) -> NDArray[np.float64]:
        """By opponent, the share of points that the policy loses, at least `LEAST`; 0 where there
        is no opponent yet.
        """
        prior = PRIOR_EPISODES
        lost = 1 - (self.points + prior / 2) / (self.episodes + prior)
        lost = np.maximum(lost, LEAST)
        lost[len(self.names) :] = 0
        return lost

    def snapshot(self) -> LeagueSnapshot:
        """The opponents as they are now, for a rollout."""
        priorities = self.priorities()
        return LeagueSnapshot(priorities / max(priorities.sum(), LEAST), tuple(self.selves))

    def known(
        self, episodes: Mapping[str, list[float]], selves: Sequence[int]
    ) -> dict[str, list[float]]:
        """The results of a shard, without the points against past selves that were replaced since.
        ``selves``: the past selves of then, by the updates that they were made after.
        """
        now, first = [update for update, _ in self.selves], len(self.agents)
        gone = {points_of(first + k) for k, update in enumerate(selves) if update != now[k]}
        return {name: values for name, values in episodes.items() if name not in gone}

    def note(self, played: Sequence[Mapping[str, list[float]] | None]) -> dict[str, float]:
        """Counts what the shards of a rollout played; returns the metrics."""
        seen: dict[str, list[float]] = defaultdict(list)
        for episodes in played:
            for k, name in enumerate(self.names):
                found = (episodes or {}).get(points_of(k), [])
                self.episodes[k] += len(found)
                self.points[k] += sum(found)
                before = self.recent.get(name, (0.0, 0.0))
                self.recent[name] = (before[0] + len(found), before[1] + sum(found))
                seen[name if k < len(self.agents) else "past_selves"] += found
        return {f"league/points_{k}": float(np.mean(v)) for k, v in seen.items() if v}

    def end_update(self, network: nn.Module, updates: int) -> dict[str, float]:
        """After ``updates`` updates: makes a past self of the network if it is time; returns the
        metrics.
        """
        if updates % self.config.league_updates:
            return {}
        weights = {name: part.detach().cpu().clone() for name, part in network.state_dict().items()}
        if len(self.selves) < self.config.league:
            self.selves.append((updates, weights))
        else:
            first = len(self.agents)
            slot = int(np.argmin(self.priorities()[first:]))
            self.selves[slot] = (updates, weights)
            self.episodes[first + slot] = self.points[first + slot] = 0
        self.episodes *= MEMORY
        self.points *= MEMORY
        self.record.append((_name(updates), self.recent))
        self.recent = {}
        return {"league/rating": self.rating()}

    def rating(self) -> float:
        """The newest past self in Elo points above the best agent of the league, or above the first
        past self where there are no agents, from the results of the whole run: the policy of the
        time before each past self counts as that past self.
        """
        names = [*self.agents, *(name for name, _ in self.record)]
        won = np.zeros((len(names), len(names)))
        for name, results in self.record:
            for opponent, (episodes, points) in results.items():
                i, j = names.index(name), names.index(opponent)
                won[i, j] += points
                won[j, i] += episodes - points
        ratings, _ = bradley_terry(won)
        zero = ratings[: len(self.agents)].max() if self.agents else ratings[0]
        return float(ratings[-1] - zero)

    def state(self) -> dict[str, Any]:
        """Everything that later rollouts and metrics depend on."""
        return {
            "agents": list(self.agents),
            "selves": [[update, dict(weights)] for update, weights in self.selves],
            "episodes": torch.from_numpy(self.episodes.copy()),
            "points": torch.from_numpy(self.points.copy()),
            "recent": dict(self.recent),
            "record": [[name, dict(results)] for name, results in self.record],
        }

    def load(self, state: Mapping[str, Any]) -> None:
        """Continues from :meth:`state`.

        Raises:
            playmat.InvalidArgument: Other agents than in the checkpoint.
            ValueError: What it holds does not fit together.
        """
        if state["agents"] != self.agents:
            had = ",".join(state["agents"])
            raise invalid(
                "opponents", f"the league of the checkpoint has `{had}`, which cannot change"
            )
        for name in ("episodes", "points"):
            array = state[name].numpy()
            if array.shape != self.episodes.shape or not (array >= 0).all():
                raise ValueError(f"`{name}` of the league does not fit")
            setattr(self, name, array.copy())
        self.selves = [(int(update), dict(weights)) for update, weights in state["selves"]]
        finite = (part.isfinite().all() for _, weights in self.selves for part in weights.values())
        if len(self.selves) > self.config.league or not all(map(bool, finite)):
            raise ValueError("the past selves of the league do not fit")
        self.recent = {name: (float(n), float(p)) for name, (n, p) in state["recent"].items()}
        self.record = [
            (name, {opponent: (float(n), float(p)) for opponent, (n, p) in results.items()})
            for name, results in state["record"]
        ]


def _name(update: int) -> str:
    return f"update {update}"
